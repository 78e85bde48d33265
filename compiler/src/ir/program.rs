//! The data of the IR: modules, programs and their state.

use std::collections::BTreeSet;
use std::fmt;

use super::arena::{Arena, Handle};
use super::body::{Block, Body, BodyKind, Stmt};
use super::types::{Const, Precision, Profile, Storage, Type};

/// The programs of one file, one a root, in file order. They draw from one random stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// The programs.
    pub programs: Vec<Program>,
}

/// One particle system.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Name of the root block; may be empty.
    pub name: String,
    /// Which of the two meanings the bodies have.
    pub profile: Profile,
    /// Number of slots.
    pub capacity: u32,
    /// What the driver does with rates and time.
    pub emission: Emission,
    /// What a renderer must know.
    pub render: RenderSpec,
    /// Per-particle state.
    pub columns: Arena<Column>,
    /// Per-system state that lives across steps.
    pub registers: Arena<Register>,
    /// Numbers of the graph that hosts may change between calls.
    pub inputs: Arena<Input>,
    /// Values that a step reads and never changes.
    pub uniforms: Arena<Uniform>,
    /// Constant arrays.
    pub tables: Arena<Table>,
    /// Pictures whose pixels the host provides.
    pub textures: Arena<Texture>,
    /// Where random numbers are drawn.
    pub sites: Arena<DrawSite>,
    /// Pure functions that bodies call.
    pub functions: Arena<Function>,
    /// The blocks that statements come from.
    pub origins: Arena<Origin>,
    /// Runs once an instance, at the first started call and before anything else: inputs that the
    /// contract evaluates while building. Its one result is the target stop duration.
    pub init: Option<Body>,
    /// Runs in each started call before the rate; result k is the uniform
    /// [`UniformSource::Prepared`] k.
    pub prepare: Option<Body>,
    /// Gives the emission rate of a call, where the rate is no constant.
    pub emit_rate: Option<Body>,
    /// Runs for each new particle.
    pub birth: Body,
    /// Runs for each live particle.
    pub update: Body,
}

/// Emission facts that the driver needs (spec sections 5.1 and 9.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Emission {
    /// Births a unit of time, where `emit_rate` has no body or yields no number.
    pub rate: f64,
    /// Time that a call at ratio 1 advances.
    pub update_speed: f64,
    /// Time after which the system stops by itself; 0 never.
    pub target_stop: f64,
    /// Above -1: how many particles the first started call of an instance requests. The rate is
    /// then never evaluated, the carry is 0, and later calls request none.
    pub manual_emit_count: f64,
    /// Milliseconds that a host waits before it starts the system.
    pub start_delay: f64,
    /// Calls that each start makes at once.
    pub pre_warm_cycles: f64,
    /// Ratio of these calls.
    pub pre_warm_step_offset: f64,
    /// A start does nothing unless the host allows it (S1P-016).
    pub do_no_start: bool,
    /// The host lets go of the system when it has stopped and no particle lives; a count of births
    /// by number stops it (S1P-016).
    pub dispose_on_stop: bool,
}

/// The contract's defaults.
impl Default for Emission {
    fn default() -> Self {
        Self {
            rate: 10.0,
            update_speed: 0.0167,
            target_stop: 0.0,
            manual_emit_count: -1.0,
            start_delay: 0.0,
            pre_warm_cycles: 0.0,
            pre_warm_step_offset: 1.0,
            do_no_start: false,
            dispose_on_stop: false,
        }
    }
}

/// What a renderer must know of a program (spec section 10, S1P-016, S1P-017).
#[derive(Clone, Debug, PartialEq)]
pub struct RenderSpec {
    /// 0 OneOne, 1 Standard, 2 Add, 3 Multiply, 4 MultiplyAdd; other numbers draw as Add.
    pub blend_mode: f64,
    /// 7 all, 2 Y, 8 stretched, 9 stretched local.
    pub billboard_mode: f64,
    /// Quads face the camera.
    pub is_billboard_based: bool,
    /// Directions are those of the emitter's space.
    pub is_local: bool,
    /// What corners turn about, as an offset from the middle of a quad of side 1.
    pub translation_pivot: [f64; 2],
    /// How much of the picture counts, by channel; the rest is white.
    pub texture_mask: [f64; 4],
    /// Systems of lower groups are drawn first.
    pub rendering_group_id: f64,
    /// Width and height of a cell in texels, where the picture is a sheet; a number that is not above
    /// 0 stands for the whole picture.
    pub sheet: Option<[f64; 2]>,
    /// The picture that is drawn.
    pub picture: Option<Picture>,
}

/// The picture that a system draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Where the host finds it: an address as the file has it, or a data URL. May be empty.
    pub url: String,
    /// Whether the host turns the rows of the decoded picture upside down.
    pub flip: bool,
}

/// Camera-facing quads that are added, the whole of a picture that has not been named.
impl Default for RenderSpec {
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
            picture: None,
        }
    }
}

/// One number a particle.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Unique in the program; `position.x`, `random.12.value0`.
    pub name: String,
    /// How it is kept.
    pub storage: Storage,
    /// What it means to the outside, if anything.
    pub field: Option<Field>,
    /// Set by passes where every particle holds this value: nothing is stored, views return it.
    pub constant: Option<Const>,
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
    /// Direction at birth, before it is given its power; kept for quads that do not face the camera.
    /// 0 x, 1 y, 2 z.
    InitialDirection(u8),
}

/// Per-system state that lives across steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Register {
    /// Unique in the program.
    pub name: String,
    /// Its value before the first step, which also fixes its type.
    pub initial: Const,
}

/// A constant of the graph that stays open: hosts may change it between calls. It is a fact of the
/// program, whether a body reads it or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Unique in the program; an identifier, as [`Names`](crate::emit::names::Names) makes them.
    pub name: String,
    /// Name of the block.
    pub block: String,
    /// Its one to four numbers until a host changes them.
    pub initial: Vec<f64>,
}

/// A value that a step reads and never changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Uniform {
    /// Unique in the program.
    pub name: String,
    /// Who provides it.
    pub source: UniformSource,
}

/// Where a uniform comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UniformSource {
    /// Time that this call advances: update speed times ratio.
    Delta,
    /// Simulated time. The emission rate sees it before this call advances it, later bodies after.
    Time,
    /// Translation of the emitter; 0 x, 1 y, 2 z.
    EmitterPosition(u8),
    /// Element of the emitter's world matrix, column-major as Babylon stores it (12 to 14 translate).
    EmitterMatrix(u8),
    /// Number of started calls before this one, modulo 2^32. A `Uint`.
    Step,
    /// The instance's seed mixed with the system's ordinal (Parallel only). A `Uint`.
    Seed,
    /// Result of the `prepare` body. A `Float`.
    Prepared(u32),
    /// A number of an input, counted from 0.
    Input(Handle<Input>, u8),
    /// 1 where the host has a camera, 0 where it has none. A `Uint`. Without a camera the three
    /// sources that follow are 0.
    HasCamera,
    /// World position of the camera; 0 x, 1 y, 2 z.
    CameraPosition(u8),
    /// Element of the camera's view matrix, stored like the emitter's.
    View(u8),
    /// Element of the product of view and projection matrix, stored like the emitter's.
    ViewProjection(u8),
    /// Width of a texture in texels; 0 where the host has no pixels for it.
    TextureWidth(Handle<Texture>),
    /// Height of a texture in texels; 0 where the host has no pixels for it.
    TextureHeight(Handle<Texture>),
}

/// A constant array of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Unique in the program.
    pub name: String,
    /// The numbers.
    pub values: Vec<f64>,
}

/// A picture that bodies read. Its pixels are a slot of the running instance, which the host fills;
/// while it is empty the picture has neither width nor height.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Unique in the program.
    pub name: String,
    /// Where the host finds it: a data URL, or an address as the file has it. May be empty.
    pub url: String,
    /// Whether the host turns the rows of the decoded picture upside down.
    pub flip: bool,
}

/// A block's random draws, for listings and for the numbering of Parallel.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawSite {
    /// Block and purpose.
    pub name: String,
    /// Numbers drawn in one go.
    pub components: u8,
}

/// A block of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// Serialized id.
    pub id: f64,
    /// Serialized name.
    pub name: String,
    /// Class without prefix.
    pub class: String,
}

/// A pure function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Unique in the program.
    pub name: String,
    /// Names and types; parameter k is [`Expr::Param`](super::Expr::Param) k of the body.
    pub params: Vec<(String, Type)>,
    /// What it chooses meets at the border: a last bit more or less in an operand changes a last bit
    /// of the results, so that no choice inside counts as a decision.
    pub continuous: bool,
    /// What it computes: no loads, no effects but `Let` and `If`.
    pub body: Body,
}

impl UniformSource {
    /// Type of the uniform.
    pub fn ty(self) -> Type {
        match self {
            Self::Delta
            | Self::Time
            | Self::EmitterPosition(_)
            | Self::EmitterMatrix(_)
            | Self::Prepared(_)
            | Self::Input(..)
            | Self::CameraPosition(_)
            | Self::View(_)
            | Self::ViewProjection(_)
            | Self::TextureWidth(_)
            | Self::TextureHeight(_) => Type::Float,
            Self::Step | Self::Seed | Self::HasCamera => Type::Uint,
        }
    }
}

impl Program {
    /// The bodies that exist, in the order in which a call runs them.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyKind, &Body)> {
        let init = self.init.iter().map(|body| (BodyKind::Init, body));
        let prepare = self.prepare.iter().map(|body| (BodyKind::Prepare, body));
        let rate = self.emit_rate.iter().map(|body| (BodyKind::EmitRate, body));
        init.chain(prepare)
            .chain(rate)
            .chain([(BodyKind::Update, &self.update), (BodyKind::Birth, &self.birth)])
    }

    /// Like [`bodies`](Self::bodies), mutably.
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = (BodyKind, &mut Body)> {
        let init = self.init.iter_mut().map(|body| (BodyKind::Init, body));
        let prepare = self.prepare.iter_mut().map(|body| (BodyKind::Prepare, body));
        let rate = self.emit_rate.iter_mut().map(|body| (BodyKind::EmitRate, body));
        init.chain(prepare)
            .chain(rate)
            .chain([(BodyKind::Update, &mut self.update), (BodyKind::Birth, &mut self.birth)])
    }

    /// Precision of the floats of a body.
    pub fn precision(&self, kind: BodyKind) -> Precision {
        if kind.is_particle() { self.profile.particle_precision() } else { Precision::F64 }
    }

    /// The functions that some of the bodies call, through others too.
    pub fn callees(&self, of: impl Fn(BodyKind) -> bool) -> BTreeSet<Handle<Function>> {
        let mut callees = BTreeSet::new();
        let bodies = self.bodies().filter(|(kind, _)| of(*kind));
        let mut open: Vec<&Block> = bodies.map(|(_, body)| &body.block).collect();
        while let Some(block) = open.pop() {
            for statement in block {
                match &statement.kind {
                    // Not validated yet: a call may name a function that does not exist.
                    Stmt::Call { function, .. } if callees.insert(*function) => {
                        open.extend(self.functions.get(*function).map(|found| &found.body.block));
                    }
                    Stmt::If { then, otherwise, .. } => open.extend([then, otherwise]),
                    Stmt::Let(_)
                    | Stmt::Store(..)
                    | Stmt::StoreRegister(..)
                    | Stmt::Draw { .. }
                    | Stmt::Call { .. }
                    | Stmt::Kill(_)
                    | Stmt::Fail(_) => {}
                }
            }
        }
        callees
    }

    /// The column of a field.
    pub fn field(&self, field: Field) -> Option<Handle<Column>> {
        self.columns.find(|column| column.field == Some(field))
    }
}

/// How messages name the block: `block 17 "Mix" (ParticleLerpBlock)`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {} {:?} ({})", self.id, self.name, self.class)
    }
}
