//! The traits between a compiled graph and its hosts.
//!
//! [`ParticleState`] is what renderers and state dumps read, without knowing the type;
//! [`ParticleProgram`] adds the bodies that a driver runs. Generated code and the interpreter
//! implement both.

use crate::error::StepError;
use crate::inputs::InputFacts;
use crate::memory::{Loader, Saver};
use crate::random::Random;
use crate::texels::{Texels, TextureFacts};
use crate::threads::Executor;

/// What a step reads and never changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Time that this call advances: update speed times ratio.
    pub delta: f64,
    /// Simulated time. [`ParticleProgram::prepare`] and [`ParticleProgram::emit_rate`] see it
    /// before the call advances it, updates and births after.
    pub time: f64,
    /// World matrix of the emitter, column-major; elements 12 to 14 translate.
    pub emitter: [f64; 16],
    /// Number of started calls before this one, modulo 2^32.
    pub step: u32,
    /// The instance's seed mixed with the system's ordinal; read in Parallel only.
    pub seed: u32,
    /// The camera, if the host has one.
    pub camera: Option<Camera>,
}

/// The camera that graphs may read: flow maps and aligned angles depend on it. Matrices are
/// column-major like the emitter's.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Camera {
    /// World position.
    pub position: [f64; 3],
    /// View matrix.
    pub view: [f64; 16],
    /// View and projection in one.
    pub view_projection: [f64; 16],
}

/// The two meanings of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Babylon's numbers: f64 arithmetic, one sequential random stream, dense slots.
    Exact,
    /// Order never matters: f32 arithmetic, random numbers hashed from ids, slots for life.
    Parallel,
}

/// What the driver does with rates and time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmissionFacts {
    /// Births a unit of time, where the graph computes no rate.
    pub rate: f64,
    /// Time that a call at ratio 1 advances.
    pub update_speed: f64,
    /// Time after which the system stops by itself; 0 never.
    pub target_stop: f64,
    /// Above -1: the births of the first step, which take the place of all that a rate would give.
    pub manual_emit_count: f64,
    /// Steps that each start makes at once.
    pub pre_warm_cycles: f64,
    /// Ratio of these steps.
    pub pre_warm_step_offset: f64,
    /// Milliseconds that a host waits before it starts the system.
    pub start_delay: f64,
    /// A start does nothing unless the host allows it.
    pub do_no_start: bool,
    /// The host lets go of the system once it has finished.
    pub dispose_on_stop: bool,
}

/// What a graph has that says nothing.
impl Default for EmissionFacts {
    fn default() -> Self {
        Self {
            rate: 10.0,
            update_speed: 0.0167,
            target_stop: 0.0,
            manual_emit_count: -1.0,
            pre_warm_cycles: 0.0,
            pre_warm_step_offset: 1.0,
            start_delay: 0.0,
            do_no_start: false,
            dispose_on_stop: false,
        }
    }
}

/// What a renderer must know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderFacts {
    /// 0 OneOne, 1 Standard, 2 Add, 3 Multiply, 4 MultiplyAdd; other numbers draw as Add.
    pub blend_mode: f64,
    /// 7 all, 2 Y, 8 stretched, 9 stretched local.
    pub billboard_mode: f64,
    /// Quads face the camera.
    pub is_billboard_based: bool,
    /// Directions are those of the emitter's space.
    pub is_local: bool,
    /// What corners turn about, as an offset from the middle of a quad of side 1; x right, y up.
    pub translation_pivot: [f64; 2],
    /// How much of the picture counts, by channel red, green, blue, alpha; the rest is white.
    pub texture_mask: [f64; 4],
    /// Systems of lower groups are drawn first.
    pub rendering_group_id: f64,
    /// Width and height of a cell in texels, where the picture is a sheet; a number that is not above
    /// 0 stands for the whole picture.
    pub sheet: Option<[f64; 2]>,
}

/// What a graph has that says nothing.
impl Default for RenderFacts {
    fn default() -> Self {
        Self {
            blend_mode: 2.0,
            billboard_mode: 7.0,
            is_billboard_based: true,
            is_local: false,
            translation_pivot: [0.0; 2],
            texture_mask: [1.0; 4],
            rendering_group_id: 0.0,
            sheet: None,
        }
    }
}

/// Particle state that hosts and renderers know by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// Elapsed time.
    Age,
    /// Age at which the particle dies.
    LifeTime,
    /// Count of births of the system before this one.
    Id,
    /// World position; 0 x, 1 y, 2 z.
    Position(u8),
    /// Velocity; 0 x, 1 y, 2 z.
    Direction(u8),
    /// Side of the quad.
    Size,
    /// Rotation in radians.
    Angle,
    /// Factors on the size; 0 x, 1 y.
    Scale(u8),
    /// 0 red, 1 green, 2 blue, 3 alpha.
    Color(u8),
    /// Cell of the sprite sheet.
    CellIndex,
    /// Direction at birth, before it was given its power; kept where quads do not face the camera.
    /// 0 x, 1 y, 2 z.
    InitialDirection(u8),
}

/// A field of all slots, as it is kept. Slices are as long as [`ParticleState::slots`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Column<'a> {
    F64(&'a [f64]),
    F32(&'a [f32]),
    U32(&'a [u32]),
    U16(&'a [u16]),
    U8(&'a [u8]),
    /// Every particle has this value.
    Constant(f64),
}

impl Column<'_> {
    /// Bytes of an element; a constant has none.
    #[must_use]
    pub fn element_bytes(&self) -> usize {
        match self {
            Self::F64(_) => 8,
            Self::F32(_) | Self::U32(_) => 4,
            Self::U16(_) => 2,
            Self::U8(_) => 1,
            Self::Constant(_) => 0,
        }
    }

    /// The value of a slot, `None` beyond the last.
    pub fn get(&self, slot: u32) -> Option<f64> {
        let slot = slot as usize;
        match self {
            Self::F64(values) => values.get(slot).copied(),
            Self::F32(values) => values.get(slot).copied().map(f64::from),
            Self::U32(values) => values.get(slot).copied().map(f64::from),
            Self::U16(values) => values.get(slot).copied().map(f64::from),
            Self::U8(values) => values.get(slot).copied().map(f64::from),
            Self::Constant(value) => Some(*value),
        }
    }
}

/// The readable state of a system.
///
/// Slots below [`slots`](Self::slots) may hold particles. In Exact all of them do; in Parallel
/// only those for which [`is_alive`](Self::is_alive) holds.
pub trait ParticleState {
    /// Name of the system in its file; may be empty.
    fn name(&self) -> &str;
    /// The largest number of particles that can live at once.
    fn capacity(&self) -> u32;
    /// What a renderer must know.
    fn render(&self) -> RenderFacts;
    /// Where the picture that is drawn is found; `None` where the graph has none.
    fn picture(&self) -> Option<TextureFacts<'_>> {
        None
    }
    /// How many particles live.
    fn alive(&self) -> u32;
    /// One more than the highest slot that may hold a particle.
    fn slots(&self) -> u32;
    /// Whether a particle lives in the slot.
    fn is_alive(&self, slot: u32) -> bool;
    /// A field of the particle in a slot below [`slots`](Self::slots); `None` where the program
    /// does not keep the field.
    fn value(&self, slot: u32, field: Field) -> Option<f64>;
    /// A field of all slots at once, where the program keeps it as an array or constant.
    fn column(&self, field: Field) -> Option<Column<'_>> {
        let _ = field;
        None
    }
}

/// A compiled particle system, without the driver that decides when its bodies run.
///
/// [`ParticleSystem`](crate::ParticleSystem) calls, in each started step, `init` (the first time
/// only), `prepare`, `emit_rate`, `advance`. The random source is read in Exact only.
pub trait ParticleProgram: ParticleState {
    /// The typed view of all live particles.
    type Particles<'a>
    where
        Self: 'a;

    /// Position of the system in its file, counted from 0; part of the seed in Parallel.
    fn ordinal(&self) -> u32;
    /// Which meaning the bodies have.
    fn profile(&self) -> Profile;
    /// Rates and time.
    fn emission(&self) -> EmissionFacts;

    /// Inputs that are evaluated once an instance. Gives the target stop duration, where the graph
    /// computes one.
    ///
    /// # Errors
    /// The step fails where the graph reaches something that it cannot compute.
    fn init<R: Random + ?Sized>(
        &mut self,
        frame: &Frame,
        random: &mut R,
    ) -> Result<Option<f64>, StepError>;

    /// Values that are evaluated once a step.
    ///
    /// # Errors
    /// See [`init`](Self::init).
    fn prepare<R: Random + ?Sized>(
        &mut self,
        frame: &Frame,
        random: &mut R,
    ) -> Result<(), StepError>;

    /// Births a unit of time, where the graph computes it.
    ///
    /// # Errors
    /// See [`init`](Self::init).
    fn emit_rate<R: Random + ?Sized>(
        &mut self,
        frame: &Frame,
        random: &mut R,
    ) -> Result<Option<f64>, StepError>;

    /// Updates all living particles and removes the dead, then creates `births` particles, or fewer where
    /// the capacity is reached. A program of Parallel that cannot fail uses the threads of the executor;
    /// the result is the same.
    ///
    /// # Errors
    /// See [`init`](Self::init).
    fn advance<R: Random + ?Sized, E: Executor>(
        &mut self,
        frame: &Frame,
        births: u32,
        random: &mut R,
        executor: &E,
    ) -> Result<(), StepError>;

    /// The pictures that the graph reads; their pixels are given by [`set_texture`](Self::set_texture).
    fn textures(&self) -> Vec<TextureFacts<'_>> {
        Vec::new()
    }

    /// Fills the slot of a picture, or empties it with a picture of no size. Indices are those of
    /// [`textures`](Self::textures); others do nothing.
    fn set_texture(&mut self, index: usize, texels: Texels) {
        let _ = (index, texels);
    }

    /// Input number `index` that the graph names, counted from 0; `None` beyond the last.
    fn input(&self, index: usize) -> Option<InputFacts<'_>> {
        let _ = index;
        None
    }

    /// What that input is: as many numbers as it has in the graph; none beyond the last.
    fn input_numbers(&self, index: usize) -> &[f64] {
        let _ = index;
        &[]
    }

    /// Changes that input for the steps that follow. Other indices, and more or fewer numbers than it
    /// has, change nothing.
    fn set_input_numbers(&mut self, index: usize, numbers: &[f64]) {
        let _ = (index, numbers);
    }

    /// A number that is the same for two programs only if they are one: the same graph, compiled by
    /// the same version with the same options, whatever executes it.
    fn fingerprint(&self) -> u64;

    /// Saves all that later steps depend on, but for the pixels of pictures.
    fn save(&self, saver: &mut Saver<'_>);

    /// Takes back what [`save`](Self::save) has saved.
    fn load(&mut self, loader: &mut Loader<'_>);

    /// Typed view of all live particles.
    fn particles(&self) -> Self::Particles<'_>;

    /// Removes all particles. Ids go on counting.
    fn clear(&mut self);
}
