//! The reference executor: runs a validated program exactly as [`ir`](crate::ir) words it.
//!
//! Slow and obvious on purpose. Whatever generated code does, it must do what this does. An
//! [`Instance`] holds one system's state; a driver outside decides when bodies run and how many
//! particles are requested.

mod machine;
mod memory;
mod noise;
mod state;
mod texels;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use self::machine::Machine;
pub use self::memory::Memory;
pub use self::noise::Noise;
use self::state::Columns;
pub use self::texels::Texels;
use crate::emit::decisions::Decisions;
use crate::emit::usage::Usage;
use crate::ir::{
    BodyKind, Column, Const, Field, Handle, Input, Module, Origin, Profile, Program, Register,
    Texture, Valid,
};

/// What the driver provides for one call; see [`UniformSource`](crate::ir::UniformSource).
#[derive(Clone, Debug, PartialEq)]
pub struct Uniforms {
    /// Time that the call advances.
    pub delta: f64,
    /// Simulated time.
    pub time: f64,
    /// The emitter's world matrix, translation in elements 12 to 14.
    pub emitter_matrix: [f64; 16],
    /// Number of started calls before this one.
    pub step: u32,
    /// The instance's seed mixed with the system's ordinal.
    pub seed: u32,
    /// The camera, if there is one.
    pub camera: Option<Camera>,
}

/// The camera that graphs read. Matrices are stored like the emitter's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// World position.
    pub position: [f64; 3],
    /// View matrix.
    pub view: [f64; 16],
    /// Product of view and projection.
    pub view_projection: [f64; 16],
}

/// The first call: no time, and an emitter at the origin.
impl Default for Uniforms {
    fn default() -> Self {
        let mut emitter_matrix = [0.0; 16];
        for diagonal in [0, 5, 10, 15] {
            emitter_matrix[diagonal] = 1.0;
        }
        Self { delta: 0.0, time: 0.0, emitter_matrix, step: 0, seed: 0, camera: None }
    }
}

/// A step reached a [`Stmt::Fail`](crate::ir::Stmt::Fail), or has no room for its particles.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// What the statement says.
    pub message: String,
    /// The block that it comes from.
    pub origin: Option<Origin>,
}

/// The place comes first, so that a text of the contract stands at the end of the line.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(origin) = &self.origin {
            write!(f, "{origin}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// The source of random numbers in [0, 1). Read in Exact only.
pub type Random<'a> = &'a mut dyn FnMut() -> f64;

/// State of one running system.
#[derive(Clone, Debug)]
pub struct Instance {
    module: Arc<Valid<Module>>,
    index: usize,
    columns: Columns,
    registers: Vec<Const>,
    prepared: Vec<f64>,
    /// Numbers of the program's inputs.
    inputs: Vec<Vec<f64>>,
    textures: Vec<Option<Texels>>,
    /// Parallel: which slots hold a particle, up to the highest that ever did.
    live: Vec<bool>,
    alive: usize,
    /// Id of the next particle, before it wraps.
    next_id: u64,
    /// Where products are fused: the ones that are not.
    fused: Option<Arc<Decisions>>,
    noise: Option<Noise>,
}

impl Instance {
    /// A system in which nothing has happened; `None` if the module has no program of that index.
    ///
    /// No memory is taken for slots before particles use them.
    pub fn new(module: Arc<Valid<Module>>, index: usize) -> Option<Self> {
        let program = module.programs.get(index)?;
        let columns = Columns::new(program);
        let registers = program.registers.iter().map(|(_, register)| register.initial).collect();
        let inputs = program.inputs.iter().map(|(_, input)| input.initial.clone()).collect();
        let textures = vec![None; program.textures.len()];
        Some(Self {
            module,
            index,
            columns,
            registers,
            prepared: Vec::new(),
            inputs,
            textures,
            live: Vec::new(),
            alive: 0,
            next_id: 0,
            fused: None,
            noise: None,
        })
    }

    /// Fills or empties the slot of a texture.
    pub fn set_texture(&mut self, texture: Handle<Texture>, texels: Option<Texels>) {
        if let Some(slot) = self.textures.get_mut(texture.index()) {
            *slot = texels;
        }
    }

    /// In binary32 bodies, computes a sum or difference with a product in it with one rounding, as
    /// GPU drivers may, unless the product is in the slice of a decision. Tests run with and without
    /// it to see whether decisions depend on it.
    pub fn set_fused(&mut self, fused: bool) {
        let program = self.program();
        let decisions =
            || Decisions::of_particle_bodies(program, &Usage::of_particle_bodies(program));
        self.fused = fused.then(decisions).map(Arc::new);
    }

    /// In binary32 bodies, makes quotients and roots deviate from the correctly rounded ones, as on a
    /// GPU they may. Tests run with several kinds of it to see what a GPU may come to.
    pub fn set_noise(&mut self, noise: Option<Noise>) {
        self.noise = noise;
    }

    /// The program that runs.
    pub fn program(&self) -> &Program {
        &self.module.programs[self.index]
    }

    /// Runs `init`; gives the target stop duration if the program computes one.
    ///
    /// # Errors
    /// The body failed.
    pub fn init(
        &mut self,
        uniforms: &Uniforms,
        random: Random<'_>,
    ) -> Result<Option<f64>, Failure> {
        self.system_body(BodyKind::Init, uniforms, random)
    }

    /// Runs `prepare`, whose results the following bodies see as uniforms.
    ///
    /// # Errors
    /// The body failed; the results of the call before stay.
    pub fn prepare(&mut self, uniforms: &Uniforms, random: Random<'_>) -> Result<(), Failure> {
        if self.program().prepare.is_some() {
            let results = self.run(BodyKind::Prepare, 0, uniforms, random)?.results;
            self.prepared = results.into_iter().map(Const::to_f64).collect();
        }
        Ok(())
    }

    /// Runs `emit_rate`; gives the rate if the program computes one.
    ///
    /// # Errors
    /// The body failed.
    pub fn emit_rate(
        &mut self,
        uniforms: &Uniforms,
        random: Random<'_>,
    ) -> Result<Option<f64>, Failure> {
        self.system_body(BodyKind::EmitRate, uniforms, random)
    }

    /// Runs `update` for each live particle and removes those that died.
    ///
    /// # Errors
    /// The body failed. Particles before stay updated and removed, the one at hand stays alive with
    /// what was stored before the failure, those behind it have not been touched.
    pub fn update(&mut self, uniforms: &Uniforms, random: Random<'_>) -> Result<(), Failure> {
        if self.program().profile == Profile::Parallel {
            return self.update_slots(0..self.slots(), uniforms);
        }
        let mut slot = 0;
        while slot < self.alive {
            if self.run(BodyKind::Update, slot, uniforms, random)?.killed {
                self.alive -= 1;
                // The last one moves here and is updated next.
                self.columns.copy(self.alive, slot);
            } else {
                slot += 1;
            }
        }
        Ok(())
    }

    /// A part of [`update`](Self::update) in Parallel: what lives in these slots. The parts of a call
    /// may run in any order. Nothing happens in Exact, where the order of slots counts.
    ///
    /// # Errors
    /// The body failed, as for [`update`](Self::update).
    pub fn update_slots(
        &mut self,
        slots: Range<usize>,
        uniforms: &Uniforms,
    ) -> Result<(), Failure> {
        let end = slots.end.min(self.live.len());
        for slot in slots.start..end {
            if self.live[slot] && self.run(BodyKind::Update, slot, uniforms, &mut || 0.0)?.killed {
                self.alive -= 1;
                self.live[slot] = false;
            }
        }
        Ok(())
    }

    /// Runs `birth` for up to `count` new particles, as capacity allows; gives how many were born.
    ///
    /// # Errors
    /// The body failed, or there is no room for another particle, whatever the capacity says. The
    /// particle at hand is not born and its id not used.
    pub fn birth(
        &mut self,
        count: u32,
        uniforms: &Uniforms,
        random: Random<'_>,
    ) -> Result<u32, Failure> {
        let exact = self.program().profile == Profile::Exact;
        let capacity = self.program().capacity as usize;
        let mut slot = 0;
        for born in 0..count {
            if self.alive >= capacity {
                return Ok(born);
            }
            if exact {
                slot = self.alive;
            } else {
                while self.is_alive(slot) {
                    slot += 1;
                }
            }
            self.columns.reach(slot).map_err(|message| Failure { message, origin: None })?;
            self.run(BodyKind::Birth, slot, uniforms, random)?;
            if !exact {
                self.live.resize(self.live.len().max(slot + 1), false);
                self.live[slot] = true;
            }
            self.alive += 1;
            self.next_id += 1;
        }
        Ok(count)
    }

    /// Removes all particles. Ids and registers go on.
    pub fn clear(&mut self) {
        self.alive = 0;
        self.live.clear();
    }

    /// Number of live particles.
    pub fn alive(&self) -> usize {
        self.alive
    }

    /// Slots from this one on have no particle.
    pub fn slots(&self) -> usize {
        match self.program().profile {
            Profile::Exact => self.alive,
            Profile::Parallel => self.live.len(),
        }
    }

    /// Whether a slot has a particle.
    pub fn is_alive(&self, slot: usize) -> bool {
        match self.program().profile {
            Profile::Exact => slot < self.alive,
            Profile::Parallel => self.live.get(slot).copied().unwrap_or(false),
        }
    }

    /// A field of a particle; `None` where there is no particle or the program has no such column.
    pub fn value(&self, slot: usize, field: Field) -> Option<f64> {
        self.column(slot, self.program().field(field)?).map(Const::to_f64)
    }

    /// A column of a particle; `None` where there is no particle.
    pub fn column(&self, slot: usize, column: Handle<Column>) -> Option<Const> {
        if !self.is_alive(slot) {
            return None;
        }
        let constant = self.program().columns.get(column)?.constant;
        Some(constant.unwrap_or_else(|| self.columns.load(column, slot)))
    }

    /// The value of a register; `None` for a handle of another program.
    pub fn register(&self, register: Handle<Register>) -> Option<Const> {
        self.registers.get(register.index()).copied()
    }

    /// The results of the last `prepare`.
    pub fn prepared(&self) -> &[f64] {
        &self.prepared
    }

    /// The numbers of an input; none for a handle of another program.
    pub fn input(&self, input: Handle<Input>) -> &[f64] {
        self.inputs.get(input.index()).map_or(&[], Vec::as_slice)
    }

    /// Changes an input for the calls that follow. More or fewer numbers than it has change nothing.
    pub fn set_input(&mut self, input: Handle<Input>, numbers: &[f64]) {
        if let Some(kept) = self.inputs.get_mut(input.index())
            && kept.len() == numbers.len()
        {
            kept.copy_from_slice(numbers);
        }
    }

    /// How many particles have been born.
    pub fn born(&self) -> u64 {
        self.next_id
    }

    /// A body with one result, if the program has it.
    fn system_body(
        &mut self,
        kind: BodyKind,
        uniforms: &Uniforms,
        random: Random<'_>,
    ) -> Result<Option<f64>, Failure> {
        let results = self.run(kind, 0, uniforms, random)?.results;
        Ok(results.first().copied().map(Const::to_f64))
    }

    /// Runs a body for the particle of a slot. A body that does not exist has no results.
    fn run(
        &mut self,
        kind: BodyKind,
        slot: usize,
        uniforms: &Uniforms,
        random: Random<'_>,
    ) -> Result<Outcome, Failure> {
        let program = &self.module.programs[self.index];
        let Some((_, body)) = program.bodies().find(|(found, _)| *found == kind) else {
            return Ok(Outcome::default());
        };
        let machine = Machine {
            program,
            precision: program.precision(kind),
            kind,
            fused: self.fused.as_deref(),
            noise: self.noise.as_mut(),
            uniforms,
            prepared: &self.prepared,
            inputs: &self.inputs,
            textures: &self.textures,
            columns: &mut self.columns,
            slot,
            registers: &mut self.registers,
            // Ids wrap like the column that keeps them.
            new_id: self.next_id as u32,
            random,
        };
        machine.run(body)
    }
}

/// What came out of a body.
#[derive(Default)]
struct Outcome {
    results: Vec<Const>,
    killed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{parse, validate};

    /// Ids are kept in 32 bits; what counts them goes on.
    #[test]
    fn huge_capacities_are_not_filled() {
        let text = "program \"\" exact capacity 4294967295 {\ncolumn id u32 is id\nbirth {\n\
                    store id, new_id\n}\n}";
        let module = validate(parse(text).unwrap()).unwrap();
        let mut system = Instance::new(Arc::new(module), 0).unwrap();
        // As if so many had been born.
        system.alive = 1 << 24;
        let error = system.birth(1, &Uniforms::default(), &mut || 0.0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the interpreter keeps at most 16777216 particles of a system"
        );
        assert_eq!((system.alive(), system.born()), (1 << 24, 0));
    }

    #[test]
    fn ids_wrap() {
        let text = "program \"\" exact capacity 3 {\ncolumn id u32 is id\nbirth {\nstore id, \
                    new_id\n}\n}";
        let module = validate(parse(text).unwrap()).unwrap();
        let mut system = Instance::new(Arc::new(module), 0).unwrap();
        system.next_id = u64::from(u32::MAX);
        system.birth(2, &Uniforms::default(), &mut || 0.0).unwrap();
        let ids = [0, 1].map(|slot| system.value(slot, Field::Id));
        assert_eq!(ids, [Some(f64::from(u32::MAX)), Some(0.0)]);
        assert_eq!(system.born(), (1 << 32) + 1);
    }
}
