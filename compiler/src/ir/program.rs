//! The data of the IR: modules, programs, state, bodies, statements.

use super::arena::{Arena, Handle};
use super::op::{BinaryOp, UnaryOp};
use super::types::{Const, Precision, Profile, Storage, Type};

/// Handle of a value of a body.
pub type ValueId = Handle<Value>;

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

/// Which body of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BodyKind {
    /// [`Program::init`]
    Init,
    /// [`Program::prepare`]
    Prepare,
    /// [`Program::emit_rate`]
    EmitRate,
    /// [`Program::birth`]
    Birth,
    /// [`Program::update`]
    Update,
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
        }
    }
}

/// What a renderer must know of a program (spec section 10).
#[derive(Clone, Debug, PartialEq)]
pub struct RenderSpec {
    /// 0 OneOne, 1 Standard, 2 Add, 3 Multiply, 4 MultiplyAdd; other numbers draw as Add.
    pub blend_mode: f64,
    /// 7 all, 2 Y, 8 stretched, 9 stretched local.
    pub billboard_mode: f64,
    /// Quads face the camera.
    pub is_billboard_based: bool,
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
}

/// Per-system state that lives across steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Register {
    /// Unique in the program.
    pub name: String,
    /// Its value before the first step, which also fixes its type.
    pub initial: Const,
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
    /// Names and types; parameter k is [`Expr::Param`] k of the body.
    pub params: Vec<(String, Type)>,
    /// What it chooses meets at the border: a last bit more or less in an operand changes a last bit
    /// of the results, so that no choice inside counts as a decision.
    pub continuous: bool,
    /// What it computes: no loads, no effects but `Let` and `If`.
    pub body: Body,
}

/// Statements with the values that they define.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// All values of the body.
    pub values: Arena<Value>,
    /// What runs.
    pub block: Block,
    /// Results: one for `init` and `emit_rate`, one a prepared uniform, any number for a function.
    pub results: Vec<ValueId>,
}

/// Statements that run in order.
pub type Block = Vec<Statement>;

/// A value: how it is computed, and its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// How it is computed.
    pub expr: Expr,
    /// Type of the result.
    pub ty: Type,
}

/// How a value is computed. Nothing here has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant. Needs no `Let`.
    Const(Const),
    /// A uniform. Needs no `Let`.
    Uniform(Handle<Uniform>),
    /// Parameter of a function, counted from 0. Needs no `Let`.
    Param(u32),
    /// The id that this birth is given (`birth` only). Needs no `Let`.
    NewId,
    /// The particle's column at the moment of the `Let`; in system bodies of Exact, slot 0's.
    Load(Handle<Column>),
    /// The register at the moment of the `Let`.
    LoadRegister(Handle<Register>),
    /// Element of a table; NaN beyond its end.
    Table(Handle<Table>, ValueId),
    /// One of the four bytes (0 red, 1 green, 2 blue, 3 alpha) of the texel in this column and row,
    /// not premultiplied. A `Uint`; 0 outside of the texture.
    Texel(Handle<Texture>, ValueId, ValueId, u8),
    /// An operation on one value.
    Unary(UnaryOp, ValueId),
    /// An operation on two values.
    Binary(BinaryOp, ValueId, ValueId),
    /// The second value where the first (a `Bool`) is true, the third where it is not.
    Select(ValueId, ValueId, ValueId),
    /// Defined by the statement that lists it as a result.
    Result,
}

/// A statement and the block that it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it does.
    pub kind: Stmt,
    /// For comments and diagnostics; no stage decides anything by it.
    pub origin: Option<Handle<Origin>>,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// Computes the value, here and now.
    Let(ValueId),
    /// Writes the particle's column.
    Store(Handle<Column>, ValueId),
    /// Writes a register.
    StoreRegister(Handle<Register>, ValueId),
    /// Takes the next number of the random stream, in [0, 1) (Exact only).
    Draw {
        /// The number.
        result: ValueId,
        /// Where.
        site: Handle<DrawSite>,
    },
    /// Runs one of two blocks.
    If {
        /// A `Bool`.
        condition: ValueId,
        /// Runs where it is true.
        then: Block,
        /// Runs where it is false.
        otherwise: Block,
        /// Values that come out.
        results: Vec<Merge>,
    },
    /// Computes a function.
    Call {
        /// Which.
        function: Handle<Function>,
        /// One a parameter.
        arguments: Vec<ValueId>,
        /// One a result.
        results: Vec<ValueId>,
    },
    /// The particle dies at the end of this body where the condition holds (`update` only).
    Kill(ValueId),
    /// The step fails with this message where it is reached: a CPU step returns an error, a GPU step
    /// sets a status word and goes on.
    Fail(String),
}

/// A result of an `If`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merge {
    /// The value after the statement.
    pub result: ValueId,
    /// Its value where the condition held.
    pub then: ValueId,
    /// Its value where it did not.
    pub otherwise: ValueId,
}

impl BodyKind {
    /// Every kind.
    pub const ALL: [Self; 5] =
        [Self::Init, Self::Prepare, Self::EmitRate, Self::Birth, Self::Update];

    /// The word of the text form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Prepare => "prepare",
            Self::EmitRate => "emit_rate",
            Self::Birth => "birth",
            Self::Update => "update",
        }
    }

    /// Whether the body runs once a particle.
    pub fn is_particle(self) -> bool {
        match self {
            Self::Init | Self::Prepare | Self::EmitRate => false,
            Self::Birth | Self::Update => true,
        }
    }
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

    /// The column of a field.
    pub fn field(&self, field: Field) -> Option<Handle<Column>> {
        self.columns.find(|column| column.field == Some(field))
    }
}

impl Expr {
    /// Whether the value exists without a `Let`.
    pub fn is_free(self) -> bool {
        match self {
            Self::Const(_) | Self::Uniform(_) | Self::Param(_) | Self::NewId => true,
            Self::Load(_)
            | Self::LoadRegister(_)
            | Self::Table(..)
            | Self::Texel(..)
            | Self::Unary(..)
            | Self::Binary(..)
            | Self::Select(..)
            | Self::Result => false,
        }
    }

    /// Calls back with each operand.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ValueId)) {
        match *self {
            Self::Const(_)
            | Self::Uniform(_)
            | Self::Param(_)
            | Self::NewId
            | Self::Load(_)
            | Self::LoadRegister(_)
            | Self::Result => {}
            Self::Table(_, a) | Self::Unary(_, a) => visit(a),
            Self::Binary(_, a, b) | Self::Texel(_, a, b, _) => {
                visit(a);
                visit(b);
            }
            Self::Select(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
        }
    }

    /// Replaces each operand by what the callback makes of it.
    #[must_use]
    pub fn map_operands(self, mut map: impl FnMut(ValueId) -> ValueId) -> Self {
        match self {
            Self::Const(_)
            | Self::Uniform(_)
            | Self::Param(_)
            | Self::NewId
            | Self::Load(_)
            | Self::LoadRegister(_)
            | Self::Result => self,
            Self::Table(table, a) => Self::Table(table, map(a)),
            Self::Texel(texture, x, y, channel) => Self::Texel(texture, map(x), map(y), channel),
            Self::Unary(op, a) => Self::Unary(op, map(a)),
            Self::Binary(op, a, b) => Self::Binary(op, map(a), map(b)),
            Self::Select(a, b, c) => Self::Select(map(a), map(b), map(c)),
        }
    }
}
