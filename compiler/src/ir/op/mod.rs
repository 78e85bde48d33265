//! The pure operations, one line each: name in the text form, operand types, result type, meaning.
//!
//! [`UnaryOp`] and [`BinaryOp`] are matched without a wildcard wherever an operation has to be
//! known: evaluated (`eval`), printed as Rust, printed as WGSL. A new line here does not compile
//! until each of them handles it; folding and the interpreter share the one evaluation.

mod eval;

pub use eval::{eval_binary, eval_unary};

use super::types::Type;

/// Declares an operation enum with its table.
macro_rules! operations {
    (
        $(#[$enum_doc:meta])*
        $name:ident($($operand:ident),+) {
            $($(#[$doc:meta])* $variant:ident $text:literal ($($from:ident),+) -> $to:ident,)+
        }
    ) => {
        $(#[$enum_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// Every operation, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Name in the text form.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// Types of the operands.
            pub fn operands(self) -> [Type; operations!(@count $($operand)+)] {
                match self {
                    $(Self::$variant => [$(Type::$from),+],)+
                }
            }

            /// Type of the result.
            pub fn result(self) -> Type {
                match self {
                    $(Self::$variant => Type::$to,)+
                }
            }
        }
    };
    (@count $a:ident) => { 1 };
    (@count $a:ident $b:ident) => { 2 };
}

operations! {
    /// Operations on one operand.
    UnaryOp(a) {
        /// Changes the sign.
        Neg "neg" (Float) -> Float,
        /// Clears the sign.
        Abs "abs" (Float) -> Float,
        /// The largest integer that is not above.
        Floor "floor" (Float) -> Float,
        /// The smallest integer that is not below.
        Ceil "ceil" (Float) -> Float,
        /// The integer part.
        Trunc "trunc" (Float) -> Float,
        /// `Math.round`: the nearest integer, ties up.
        Round "round" (Float) -> Float,
        /// Square root, correctly rounded.
        Sqrt "sqrt" (Float) -> Float,
        /// Sine; Exact and system domain only.
        Sin "sin" (Float) -> Float,
        /// Cosine; Exact and system domain only.
        Cos "cos" (Float) -> Float,
        /// Tangent; Exact and system domain only.
        Tan "tan" (Float) -> Float,
        /// Arc sine; Exact and system domain only.
        Asin "asin" (Float) -> Float,
        /// Arc cosine; Exact and system domain only.
        Acos "acos" (Float) -> Float,
        /// Arc tangent; Exact and system domain only.
        Atan "atan" (Float) -> Float,
        /// Natural exponential; Exact and system domain only.
        Exp "exp" (Float) -> Float,
        /// Natural logarithm; Exact and system domain only.
        Ln "ln" (Float) -> Float,
        /// Rounds to binary32: what an f32 column gives back. The identity in f32 bodies.
        RoundF32 "round_f32" (Float) -> Float,
        /// `>>> 0` (its bits are also those of `| 0`): truncation modulo 2^32, 0 for NaN and infinities.
        ToUint "to_uint" (Float) -> Uint,
        /// The integer as a number from 0 to 2^32 - 1.
        FromUint "from_uint" (Uint) -> Float,
        /// The integer as a number from -2^31 to 2^31 - 1.
        FromInt "from_int" (Uint) -> Float,
        /// The bits of the number rounded to binary32; 0x7fc00000 for every NaN.
        FloatBits "float_bits" (Float) -> Uint,
        /// The binary32 number of these bits.
        BitsFloat "bits_float" (Uint) -> Float,
        /// Logical not.
        Not "not" (Bool) -> Bool,
    }
}

operations! {
    /// Operations on two operands.
    BinaryOp(a, b) {
        /// Sum.
        Add "add" (Float, Float) -> Float,
        /// Difference.
        Sub "sub" (Float, Float) -> Float,
        /// Product.
        Mul "mul" (Float, Float) -> Float,
        /// Quotient, correctly rounded. WGSL promises 2.5 ulp for divisors from 2^-126 to 2^126, and
        /// nothing beyond.
        Div "div" (Float, Float) -> Float,
        /// JavaScript's `%`: exact, sign of the first operand.
        Rem "rem" (Float, Float) -> Float,
        /// `Math.min`: NaN where either is, -0 below 0.
        Min "min" (Float, Float) -> Float,
        /// `Math.max`: NaN where either is, 0 above -0.
        Max "max" (Float, Float) -> Float,
        /// `Math.pow`; Exact and system domain only.
        Pow "pow" (Float, Float) -> Float,
        /// `Math.atan2`; Exact and system domain only.
        Atan2 "atan2" (Float, Float) -> Float,
        /// Less than; false with NaN.
        Lt "lt" (Float, Float) -> Bool,
        /// Less or equal; false with NaN.
        Le "le" (Float, Float) -> Bool,
        /// Equal; false with NaN.
        Eq "eq" (Float, Float) -> Bool,
        /// Not equal; true with NaN.
        Ne "ne" (Float, Float) -> Bool,
        /// Sum modulo 2^32.
        IAdd "iadd" (Uint, Uint) -> Uint,
        /// Difference modulo 2^32.
        ISub "isub" (Uint, Uint) -> Uint,
        /// Product modulo 2^32.
        IMul "imul" (Uint, Uint) -> Uint,
        /// Bitwise and.
        IAnd "iand" (Uint, Uint) -> Uint,
        /// Bitwise or.
        IOr "ior" (Uint, Uint) -> Uint,
        /// Bitwise exclusive or.
        IXor "ixor" (Uint, Uint) -> Uint,
        /// Left shift by the low five bits of the second operand.
        IShl "ishl" (Uint, Uint) -> Uint,
        /// Logical right shift by the low five bits of the second operand.
        IShr "ishr" (Uint, Uint) -> Uint,
        /// Equal.
        IEq "ieq" (Uint, Uint) -> Bool,
        /// Less than, unsigned.
        ILt "ilt" (Uint, Uint) -> Bool,
        /// Logical and; both operands are values already computed.
        And "and" (Bool, Bool) -> Bool,
        /// Logical or; both operands are values already computed.
        Or "or" (Bool, Bool) -> Bool,
        /// Exclusive or.
        Xor "xor" (Bool, Bool) -> Bool,
    }
}

impl UnaryOp {
    /// Whether the operation is a transcendental function, which Exact takes from one library and
    /// Parallel expands into polynomials: no particle-domain body of Parallel may hold it, nor call a
    /// function that does.
    pub fn is_transcendental(self) -> bool {
        matches!(
            self,
            Self::Sin
                | Self::Cos
                | Self::Tan
                | Self::Asin
                | Self::Acos
                | Self::Atan
                | Self::Exp
                | Self::Ln
        )
    }
}

impl BinaryOp {
    /// See [`UnaryOp::is_transcendental`].
    pub fn is_transcendental(self) -> bool {
        matches!(self, Self::Pow | Self::Atan2)
    }

    /// Whether the operands may change places without changing a bit of the result (the payload of
    /// a NaN aside).
    pub fn is_commutative(self) -> bool {
        matches!(
            self,
            Self::Add
                | Self::Mul
                | Self::Eq
                | Self::Ne
                | Self::IAdd
                | Self::IMul
                | Self::IAnd
                | Self::IOr
                | Self::IXor
                | Self::IEq
                | Self::And
                | Self::Or
                | Self::Xor
        )
    }
}
