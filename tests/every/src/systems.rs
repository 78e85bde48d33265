//! The systems of a file behind one trait, generated or interpreted.

use std::sync::Arc;

use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::{Options, compile};
use pyrograph::{
    Camera, Field, Interpreted, ParticleProgram, ParticleState, ParticleSystem, Random, Sine,
    StepError, Texels,
};

use crate::SEED;

/// All systems of a file.
pub trait Systems {
    /// Starts all of them.
    fn start_all(&mut self);
    /// Steps all of them in file order.
    ///
    /// # Errors
    /// That of the first that fails.
    fn step(&mut self, ratio: f64, random: &mut dyn Random) -> Result<(), StepError>;
    /// Shows each of them, in file order.
    fn visit(&mut self, visitor: &mut dyn FnMut(&mut dyn Controls));
}

/// One system of any type.
pub trait Controls {
    /// Its particles.
    fn state(&self) -> &dyn ParticleState;
    /// See [`ParticleSystem::start`].
    fn start_one(&mut self);
    /// See [`ParticleSystem::stop`].
    fn stop_one(&mut self);
    /// Sets what the graph looks at.
    fn look_from(&mut self, camera: Camera);
    /// Places the emitter; the matrix is finite.
    fn place(&mut self, matrix: [f64; 16]);
    /// Fills all pictures by their addresses.
    fn fill(&mut self, picture: &dyn Fn(&str, bool) -> Option<Texels>);
}

impl<P: ParticleProgram> Controls for ParticleSystem<P> {
    fn state(&self) -> &dyn ParticleState {
        self.program()
    }
    fn start_one(&mut self) {
        self.start();
    }
    fn stop_one(&mut self) {
        self.stop();
    }
    fn look_from(&mut self, camera: Camera) {
        self.set_camera(Some(camera));
    }
    fn place(&mut self, matrix: [f64; 16]) {
        self.set_emitter_matrix(matrix).unwrap();
    }
    fn fill(&mut self, picture: &dyn Fn(&str, bool) -> Option<Texels>) {
        let pictures = self.textures().into_iter().map(|facts| picture(facts.url, facts.flip));
        for (index, texels) in pictures.collect::<Vec<_>>().into_iter().enumerate() {
            self.set_texture(index, texels.unwrap_or_default());
        }
    }
}

/// The reference.
pub(crate) struct Interpreters(Vec<ParticleSystem<Interpreted>>);

impl Interpreters {
    pub(crate) fn new(graph: &[u8], profile: Profile) -> Self {
        let module = Arc::new(compile(graph, &Options::new(profile)).unwrap().module);
        let systems = Interpreted::all(&module).into_iter();
        Self(systems.map(|program| ParticleSystem::from_program(program, SEED)).collect())
    }
}

impl Systems for Interpreters {
    fn start_all(&mut self) {
        for system in &mut self.0 {
            system.start();
        }
    }
    fn step(&mut self, ratio: f64, random: &mut dyn Random) -> Result<(), StepError> {
        for system in &mut self.0 {
            system.pre_warm(random)?;
        }
        for system in &mut self.0 {
            system.animate(ratio, random)?;
        }
        Ok(())
    }
    fn visit(&mut self, visitor: &mut dyn FnMut(&mut dyn Controls)) {
        for system in &mut self.0 {
            visitor(system);
        }
    }
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
pub(crate) fn compare(a: &mut dyn Systems, b: &mut dyn Systems, place: &str) -> u64 {
    let (a, b) = (snapshots(a), snapshots(b));
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
type Snapshot = ((String, u32, u32), Vec<(u32, [Option<u64>; FIELDS.len()])>);

fn snapshots(systems: &mut dyn Systems) -> Vec<Snapshot> {
    let mut snapshots = Vec::new();
    systems.visit(&mut |system| snapshots.push(snapshot(system.state())));
    snapshots
}

fn snapshot(state: &dyn ParticleState) -> Snapshot {
    let bits = |value: f64| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
    let slots = (0..state.slots()).filter(|&slot| state.is_alive(slot));
    let particles =
        slots.map(|slot| (slot, FIELDS.map(|field| state.value(slot, field).map(bits))));
    ((state.name().to_owned(), state.alive(), state.capacity()), particles.collect())
}
