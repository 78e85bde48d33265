//! The executors as hosts, and what is seen of them.

use std::collections::BTreeMap;

use pyrograph::gpu::{GpuSystem, ReadState};
use pyrograph::{Camera, Field, Interpreted, ParticleState, ParticleSystem, Pcg};
use pyrograph_compiler::interpret::Noise;
use pyrograph_compiler::ir::Const;

use super::case::{Case, Host, pixels};

/// A state: ids given so far, and all particles by id.
pub(crate) struct State {
    pub(crate) next_id: u64,
    pub(crate) particles: BTreeMap<u32, Particle>,
}

/// Where a particle is, and its columns in the order of the program.
pub(crate) struct Particle {
    pub(crate) slot: u32,
    pub(crate) columns: Vec<Const>,
}

/// How the interpreter deviates from itself.
#[derive(Clone, Copy, Default)]
pub(crate) struct Deviation {
    pub(crate) noise: Option<Noise>,
    pub(crate) fused: bool,
}

pub(crate) struct Cpu {
    system: ParticleSystem<Interpreted>,
    random: Pcg,
}

impl Cpu {
    pub(crate) fn new(case: &Case, deviation: Deviation) -> Self {
        let mut program = Interpreted::all(&case.module).remove(case.index);
        program.instance_mut().set_noise(deviation.noise);
        program.instance_mut().set_fused(deviation.fused);
        let mut system = ParticleSystem::from_program(program, case.script.seed);
        let pictures: Vec<_> = system.textures().iter().map(pixels).collect();
        for (index, picture) in pictures.into_iter().enumerate() {
            system.set_texture(index, picture);
        }
        system.set_can_start(true);
        Self { system, random: Pcg::seed_from_u64(0) }
    }

    pub(crate) fn state(&self) -> State {
        let instance = self.system.program().instance();
        let column = |slot, handle| instance.column(slot as usize, handle);
        let columns = instance.program().columns.iter().map(|(handle, _)| handle);
        let columns: Vec<_> = columns.collect();
        let all = |slot| columns.iter().filter_map(|&handle| column(slot, handle)).collect();
        State { next_id: instance.born(), particles: particles(self.system.program(), all) }
    }
}

impl Host for Cpu {
    fn start(&mut self) {
        self.system.start();
    }

    fn stop(&mut self) {
        self.system.stop();
    }

    fn place(&mut self, matrix: [f64; 16]) {
        self.system.set_emitter_matrix(matrix).unwrap();
    }

    fn see(&mut self, camera: Camera) {
        self.system.set_camera(Some(camera));
    }

    fn step(&mut self, ratio: f64) -> Result<(), String> {
        self.system.animate(ratio, &mut self.random).map_err(|error| error.to_string())
    }
}

/// Records only; somebody submits.
pub(crate) struct Gpu(pub(crate) GpuSystem);

impl Gpu {
    pub(crate) fn new(mut system: GpuSystem) -> Self {
        let pictures: Vec<_> = system.textures().iter().map(pixels).collect();
        for (index, picture) in pictures.into_iter().enumerate() {
            system.set_texture(index, picture).unwrap_or_else(|error| panic!("{error}"));
        }
        system.set_can_start(true);
        Self(system)
    }
}

pub(crate) fn seen(snapshot: &ReadState) -> State {
    let columns: Vec<_> = snapshot.program().columns.iter().map(|(handle, _)| handle).collect();
    let all = |slot| columns.iter().filter_map(|&handle| snapshot.get(slot, handle)).collect();
    let next_id = u64::from(snapshot.counters().next_id);
    State { next_id, particles: particles(snapshot, all) }
}

impl Host for Gpu {
    fn start(&mut self) {
        self.0.start();
    }

    fn stop(&mut self) {
        self.0.stop();
    }

    fn place(&mut self, matrix: [f64; 16]) {
        self.0.set_emitter_matrix(matrix).unwrap();
    }

    fn see(&mut self, camera: Camera) {
        self.0.set_camera(Some(camera));
    }

    fn step(&mut self, ratio: f64) -> Result<(), String> {
        self.0.record(ratio).map_err(|error| error.to_string())
    }
}

fn particles(
    state: &dyn ParticleState,
    columns: impl Fn(u32) -> Vec<Const>,
) -> BTreeMap<u32, Particle> {
    let living = (0..state.slots()).filter(|&slot| state.is_alive(slot));
    let by_id: BTreeMap<u32, Particle> = living
        .map(|slot| {
            let id = state.value(slot, Field::Id).unwrap() as u32;
            (id, Particle { slot, columns: columns(slot) })
        })
        .collect();
    assert_eq!(by_id.len(), state.alive() as usize, "ids or counts are wrong");
    by_id
}
