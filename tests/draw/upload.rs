//! What is uploaded when, and what that allocates.

use pyrograph::picture::Billboards;
use pyrograph::render::{Options, Picture, Renderer};
use pyrograph::{Column, Field, ParticleState, Pcg, RenderFacts};

use crate::scene::{IDENTITY, canvas, front, texture, white};

pyrograph::include_particle_graph!(mod fountain = "fixtures/graphs/canonical/fountain.json");

#[test]
fn a_frame_that_changes_nothing_uploads_nothing() {
    let canvas = canvas();
    let mut random = Pcg::seed_from_u64(3);
    let mut system = fountain::System::new();
    let picture = Picture::Here(texture(&canvas, &white()));
    let mut renderer = Renderer::new(&canvas, &system, picture, Options::default()).unwrap();
    let mut prepare = |system: &fountain::System| renderer.prepare(system, &front()).unwrap();
    let block = prepare(&system);
    assert!(block > 0);
    // It has not started, so that calls do nothing.
    system.animate(1.0, &mut random).unwrap();
    assert_eq!(prepare(&system), 0);
    system.start();
    for _ in 0..30 {
        system.animate(1.0, &mut random).unwrap();
    }
    let alive = system.program().alive();
    let bytes = prepare(&system);
    assert_eq!(bytes, u64::from(alive) * 11 * 4);
    assert_eq!(prepare(&system), 0);
    // A system that is set back has other particles, and so has one without any.
    let snapshot = system.snapshot(&random);
    system.clear();
    assert_eq!(prepare(&system), 0);
    system.restore(&snapshot, &mut random).unwrap();
    assert_eq!(prepare(&system), bytes);
    assert_eq!(prepare(&system), 0);
    let before = renderer.prepare(&system, &front()).unwrap();
    let mut moved = front();
    moved.position[0] += 1.0;
    let after = renderer.prepare(&system, &moved).unwrap();
    assert_eq!((before, after), (0, block));
}

/// A hundred thousand particles in columns, in every second slot.
struct Many {
    facts: RenderFacts,
    columns: Vec<Vec<f32>>,
    cells: Vec<u16>,
}

const MANY: usize = 100_000;
const SLOTS: usize = 2 * MANY;

impl Many {
    fn new(facts: RenderFacts) -> Self {
        let column = |k: usize| (0..SLOTS).map(|slot| (slot * 16 + k) as f32).collect();
        let cells = (0..SLOTS).map(|slot| (slot % 7) as u16).collect();
        Self { facts, columns: (0..13).map(column).collect(), cells }
    }
}

impl ParticleState for Many {
    fn name(&self) -> &str {
        ""
    }
    fn capacity(&self) -> u32 {
        SLOTS as u32
    }
    fn render(&self) -> RenderFacts {
        self.facts
    }
    fn alive(&self) -> u32 {
        MANY as u32
    }
    fn slots(&self) -> u32 {
        SLOTS as u32
    }
    fn is_alive(&self, slot: u32) -> bool {
        slot % 2 == 1
    }
    fn value(&self, slot: u32, field: Field) -> Option<f64> {
        self.column(field)?.get(slot)
    }
    fn column(&self, field: Field) -> Option<Column<'_>> {
        let index = match field {
            Field::Position(axis) => usize::from(axis),
            Field::Direction(axis) => 3 + usize::from(axis),
            Field::Scale(axis) => 6 + usize::from(axis),
            Field::Color(channel) => 8 + usize::from(channel),
            Field::Angle => 12,
            Field::Size => return Some(Column::Constant(0.5)),
            Field::CellIndex => return Some(Column::U16(&self.cells)),
            Field::Age | Field::LifeTime | Field::Id | Field::InitialDirection(_) => return None,
        };
        Some(Column::F32(&self.columns[index]))
    }
}

#[test]
fn packing_copies_every_field_of_the_living_and_allocates_nothing() {
    for billboard_mode in [7.0, 8.0] {
        let many = Many::new(RenderFacts { billboard_mode, ..RenderFacts::default() });
        let mut billboards = Billboards::new();
        billboards.pack(&many, &IDENTITY, None).unwrap();
        let has_direction = billboard_mode == 8.0;
        assert_eq!(
            (billboards.len(), billboards.stride()),
            (MANY, 11 + 3 * usize::from(has_direction))
        );
        for (index, record) in billboards.iter().enumerate() {
            let slot = 2 * index + 1;
            let value = |k: usize| (slot * 16 + k) as f32;
            assert_eq!(record.position, [0, 1, 2].map(value));
            assert_eq!(record.angle, value(12));
            assert_eq!(record.size, [6, 7].map(|k| 0.5 * value(k)));
            assert_eq!(record.color, [8, 9, 10, 11].map(value));
            assert_eq!(record.cell, (slot % 7) as f32);
            let direction = if has_direction { [3, 4, 5].map(value) } else { [0.0; 3] };
            assert_eq!(record.direction, direction);
        }
        let used = allocation_counter::measure(|| {
            billboards.pack(&many, &IDENTITY, Some(7)).unwrap();
        });
        assert_eq!(used.count_total, 0);
        billboards.sort(&front());
        billboards.pack(&many, &IDENTITY, None).unwrap();
        let used = allocation_counter::measure(|| billboards.sort(&front()));
        assert_eq!(used.count_total, 0);
    }
}

#[test]
fn generated_code_is_packed_without_allocations_and_only_when_it_has_stepped() {
    let mut random = Pcg::seed_from_u64(3);
    let mut system = fountain::System::new();
    system.start();
    let mut billboards = Billboards::new();
    for _ in 0..400 {
        system.animate(1.0, &mut random).unwrap();
        billboards.sync(&system, None).unwrap();
    }
    for _ in 0..20 {
        let used = allocation_counter::measure(|| {
            system.animate(1.0, &mut random).unwrap();
            assert!(billboards.sync(&system, None).unwrap());
            assert!(!billboards.sync(&system, None).unwrap());
        });
        assert_eq!(used.count_total, 0);
        assert_eq!(billboards.len(), system.program().alive() as usize);
    }
}
