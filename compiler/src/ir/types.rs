//! Types and constants of the IR.

use std::fmt;

/// Type of a value. All values are scalars: vectors are split while lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// A floating-point number of the body's [`Precision`].
    Float,
    /// A 32-bit integer; arithmetic wraps.
    Uint,
    /// True or false.
    Bool,
}

/// Width of the [`Type::Float`] values of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Binary64: Exact, and every system-domain body.
    F64,
    /// Binary32: particle-domain bodies of Parallel.
    F32,
}

/// The two meanings of a graph; see the module documentation of [`ir`](crate::ir).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Reproduces Babylon's numbers: f64, one sequential random stream.
    #[default]
    Exact,
    /// Order never matters: f32, counter-based random numbers.
    Parallel,
}

impl Profile {
    /// The word of command lines and text forms.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Parallel => "parallel",
        }
    }

    /// Precision of particle-domain bodies.
    pub fn particle_precision(self) -> Precision {
        match self {
            Self::Exact => Precision::F64,
            Self::Parallel => Precision::F32,
        }
    }
}

impl Precision {
    /// Rounds a number to this precision.
    pub fn round(self, value: f64) -> f64 {
        match self {
            Self::F64 => value,
            Self::F32 => f64::from(value as f32),
        }
    }
}

/// A constant, or a value while interpreting.
///
/// A float is held as f64 whatever the precision; in a body of [`Precision::F32`] it is used after
/// rounding to f32.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Const {
    Float(f64),
    Uint(u32),
    Bool(bool),
}

impl Const {
    /// The constant's type.
    pub fn ty(self) -> Type {
        match self {
            Self::Float(_) => Type::Float,
            Self::Uint(_) => Type::Uint,
            Self::Bool(_) => Type::Bool,
        }
    }

    /// The constant as a host reads it: true is 1.
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Float(value) => value,
            Self::Uint(value) => f64::from(value),
            Self::Bool(value) => f64::from(u8::from(value)),
        }
    }

    /// The zero of a type.
    pub fn zero(ty: Type) -> Self {
        match ty {
            Type::Float => Self::Float(0.0),
            Type::Uint => Self::Uint(0),
            Type::Bool => Self::Bool(false),
        }
    }
}

/// Equality of bits: NaN equals itself, and 0 differs from -0.
impl PartialEq for Const {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            (Self::Uint(a), Self::Uint(b)) => a == b,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Float(_) | Self::Uint(_) | Self::Bool(_), _) => false,
        }
    }
}
impl Eq for Const {}

/// Total order and hash of bits, for tables of values already computed.
impl std::hash::Hash for Const {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Self::Float(value) => (0u8, value.to_bits()).hash(state),
            Self::Uint(value) => (1u8, *value).hash(state),
            Self::Bool(value) => (2u8, *value).hash(state),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Float => "float",
            Self::Uint => "uint",
            Self::Bool => "bool",
        })
    }
}

/// `1.5`, `inf`, `nan`, `7u`, `true`: the shortest text that reads back to the same bits (all NaN
/// are one).
impl fmt::Display for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Float(value) if value.is_nan() => f.write_str("nan"),
            Self::Float(value) if value.is_infinite() => {
                f.write_str(if *value > 0.0 { "inf" } else { "-inf" })
            }
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Uint(value) => write!(f, "{value}u"),
            Self::Bool(value) => write!(f, "{value}"),
        }
    }
}

/// How a column keeps its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// Binary64. Holds `Float`.
    F64,
    /// Binary32. Holds `Float`; a store rounds.
    F32,
    /// 32 bits. Holds `Uint`.
    U32,
    /// 16 bits. Holds `Uint`; a store keeps the low half.
    U16,
    /// 8 bits. Holds `Uint`; a store keeps the low byte.
    U8,
}

impl Storage {
    /// Type of loaded and stored values.
    pub fn ty(self) -> Type {
        match self {
            Self::F64 | Self::F32 => Type::Float,
            Self::U32 | Self::U16 | Self::U8 => Type::Uint,
        }
    }

    /// The word of the text form.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::U32 => "u32",
            Self::U16 => "u16",
            Self::U8 => "u8",
        }
    }

    /// Bytes of one element on a CPU.
    pub fn bytes(self) -> usize {
        match self {
            Self::F64 => 8,
            Self::F32 | Self::U32 => 4,
            Self::U16 => 2,
            Self::U8 => 1,
        }
    }

    /// What a load gives back after a store of `value`.
    pub fn stored(self, value: Const) -> Const {
        match (self, value) {
            (Self::F64, value) => value,
            (Self::F32, Const::Float(value)) => Const::Float(Precision::F32.round(value)),
            (Self::U16, Const::Uint(value)) => Const::Uint(value & 0xffff),
            (Self::U8, Const::Uint(value)) => Const::Uint(value & 0xff),
            (Self::F32 | Self::U32 | Self::U16 | Self::U8, value) => value,
        }
    }
}
