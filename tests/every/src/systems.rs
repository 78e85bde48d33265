//! The systems of a file as one type, generated or interpreted, and how they are compared.

use std::sync::Arc;

use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::{Options, compile};
use pyrograph::{
    Controls, Field, Interpreted, ParticleProgram, ParticleState, ParticleSystem, Random, Sine,
    StepError, SystemSet, Texels, TextureFacts,
};

use crate::{SEED, picture};

/// Generated systems behind one type, so that checks are compiled once and not for each fixture.
pub struct Generated(Box<dyn Stepped>);

impl Generated {
    /// The systems of a file.
    pub fn new(set: impl SystemSet + 'static) -> Self {
        Self(Box::new(set))
    }
}

impl SystemSet for Generated {
    fn animate<R: Random + ?Sized>(&mut self, ratio: f64, random: &mut R) -> Result<(), StepError> {
        self.0.step(ratio, &mut Borrowed(random))
    }
    fn system(&self, index: usize) -> Option<&dyn Controls> {
        self.0.get(index)
    }
    fn system_mut(&mut self, index: usize) -> Option<&mut dyn Controls> {
        self.0.get_mut(index)
    }
}

/// [`SystemSet`] as an object.
trait Stepped {
    fn step(&mut self, ratio: f64, random: &mut dyn Random) -> Result<(), StepError>;
    fn get(&self, index: usize) -> Option<&dyn Controls>;
    fn get_mut(&mut self, index: usize) -> Option<&mut dyn Controls>;
}

impl<S: SystemSet> Stepped for S {
    fn step(&mut self, ratio: f64, random: &mut dyn Random) -> Result<(), StepError> {
        self.animate(ratio, random)
    }
    fn get(&self, index: usize) -> Option<&dyn Controls> {
        self.system(index)
    }
    fn get_mut(&mut self, index: usize) -> Option<&mut dyn Controls> {
        self.system_mut(index)
    }
}

/// Any source, as one that an object can be made of.
struct Borrowed<'a, R: ?Sized>(&'a mut R);

impl<R: Random + ?Sized> Random for Borrowed<'_, R> {
    fn next(&mut self) -> f64 {
        self.0.next()
    }
}

/// The reference.
pub(crate) fn interpreted(graph: &[u8], profile: Profile) -> Vec<ParticleSystem<Interpreted>> {
    let module = Arc::new(compile(graph, &Options::new(profile)).unwrap().module);
    let systems = Interpreted::all(&module).into_iter().map(|program| {
        let mut system = ParticleSystem::from_program(program, SEED);
        furnish(&mut system);
        system
    });
    systems.collect()
}

/// Gives a system the pictures that are there.
pub fn furnish<P: ParticleProgram>(system: &mut ParticleSystem<P>) {
    for (index, texels) in pictures(&system.textures()).into_iter().enumerate() {
        system.set_texture(index, texels);
    }
}

fn pictures(wanted: &[TextureFacts<'_>]) -> Vec<Texels> {
    let found = wanted.iter().map(|facts| {
        let (width, height, bytes) = picture::decode(facts.url, facts.flip)?;
        Texels::new(width, height, bytes)
    });
    found.map(Option::unwrap_or_default).collect()
}

/// The generator of the recordings; counts what is drawn.
#[derive(Default)]
pub(crate) struct Counted {
    source: Sine,
    pub(crate) count: u64,
}

impl Random for Counted {
    fn next(&mut self) -> f64 {
        self.count += 1;
        self.source.next()
    }
}

const FIELDS: [Field; 18] = [
    Field::Id,
    Field::Age,
    Field::LifeTime,
    Field::Size,
    Field::Angle,
    Field::CellIndex,
    Field::Position(0),
    Field::Position(1),
    Field::Position(2),
    Field::Direction(0),
    Field::Direction(1),
    Field::Direction(2),
    Field::Scale(0),
    Field::Scale(1),
    Field::Color(0),
    Field::Color(1),
    Field::Color(2),
    Field::Color(3),
];

/// Holds both to the same bits (all NaN are one); gives the number of particles.
pub(crate) fn compare(a: &impl SystemSet, b: &impl SystemSet, place: &str) -> u64 {
    let (a, b) = (contents(a), contents(b));
    assert_eq!(a.len(), b.len(), "{place}: systems");
    let mut particles = 0;
    for (a, b) in a.iter().zip(&b) {
        assert_eq!(a.0, b.0, "{place}: name, alive, capacity");
        assert_eq!(a.1.len(), b.1.len(), "{place}: particles");
        for (index, (a, b)) in a.1.iter().zip(&b.1).enumerate() {
            assert_eq!(a.0, b.0, "{place}: slot of particle {index}");
            for ((a, b), field) in a.1.iter().zip(&b.1).zip(FIELDS) {
                assert_eq!(a, b, "{place}: particle {index}, bits of {field:?}");
            }
            particles += 1;
        }
    }
    particles
}

/// Name, number and capacity; of each particle the slot and the bits of all fields.
type Content = ((String, u32, u32), Vec<(u32, [Option<u64>; FIELDS.len()])>);

fn contents(systems: &impl SystemSet) -> Vec<Content> {
    systems.systems().map(|system| content(system.state())).collect()
}

fn content(state: &dyn ParticleState) -> Content {
    let bits = |value: f64| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
    let slots = (0..state.slots()).filter(|&slot| state.is_alive(slot));
    let particles =
        slots.map(|slot| (slot, FIELDS.map(|field| state.value(slot, field).map(bits))));
    ((state.name().to_owned(), state.alive(), state.capacity()), particles.collect())
}
