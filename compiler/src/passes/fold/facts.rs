//! What folding knows of values beyond how they are computed.

use crate::ir::{
    BinaryOp, Body, Const, Expr, Merge, Precision, Program, Storage, UnaryOp, Value, ValueId,
};

/// What is known of one value, whatever the precision.
#[derive(Clone, Copy, Debug)]
struct Fact {
    /// A float that binary32 can hold.
    single: bool,
    /// A float without a fraction: an integer, a zero of either sign, infinite or NaN.
    integral: bool,
    /// A float of 0 or above, infinity included: neither NaN nor -0.
    positive: bool,
    /// Such a float that is not above 2^32.
    small: bool,
    /// An integer without bits outside of these.
    mask: u32,
}

const NOTHING: Fact =
    Fact { single: false, integral: false, positive: false, small: false, mask: u32::MAX };

/// What is known of the values that the walk has passed.
#[derive(Debug)]
pub(super) struct Facts {
    facts: Vec<Fact>,
}

/// The largest small float, 2^32.
const LARGEST: f64 = 4_294_967_296.0;

impl Facts {
    pub(super) fn new(body: &Body) -> Self {
        Self { facts: vec![NOTHING; body.values.len()] }
    }

    fn of(&self, body: &Body, value: ValueId) -> Fact {
        match body.values[value].expr {
            Expr::Const(Const::Float(float)) => Fact {
                single: float.is_nan() || Precision::F32.round(float) == float,
                // In binary32 another number may stand here; one without a fraction stays so.
                integral: float.is_nan() || float.trunc() == float,
                positive: float >= 0.0 && float.is_sign_positive(),
                small: (0.0..=LARGEST).contains(&float) && float.is_sign_positive(),
                mask: u32::MAX,
            },
            Expr::Const(Const::Uint(mask)) => Fact { mask, ..NOTHING },
            _ => self.facts.get(value.index()).copied().unwrap_or(NOTHING),
        }
    }

    /// Whether binary32 can hold the float.
    pub(super) fn is_single(&self, body: &Body, value: ValueId) -> bool {
        self.of(body, value).single
    }

    /// Whether rounding to an integer changes nothing.
    pub(super) fn is_integral(&self, body: &Body, value: ValueId) -> bool {
        self.of(body, value).integral
    }

    /// Whether the float is 0 or above, and not -0.
    pub(super) fn is_positive(&self, body: &Body, value: ValueId) -> bool {
        self.of(body, value).positive
    }

    /// Whether the float is finite besides.
    pub(super) fn is_small(&self, body: &Body, value: ValueId) -> bool {
        self.of(body, value).small
    }

    /// The bits that the integer may have.
    pub(super) fn mask(&self, body: &Body, value: ValueId) -> u32 {
        self.of(body, value).mask
    }

    /// Learns from the definition of a value.
    pub(super) fn learn(&mut self, program: &Program, body: &Body, value: ValueId) {
        let Value { expr, .. } = body.values[value];
        let of = |value: ValueId| self.of(body, value);
        let fact = match expr {
            Expr::Load(column) => match program.columns[column].storage {
                Storage::F32 => Fact { single: true, ..NOTHING },
                Storage::U16 => Fact { mask: 0xffff, ..NOTHING },
                Storage::U8 => Fact { mask: 0xff, ..NOTHING },
                Storage::F64 | Storage::U32 => NOTHING,
            },
            Expr::Unary(UnaryOp::RoundF32, a) => Fact { single: true, ..of(a) },
            Expr::Unary(UnaryOp::Neg, a) => Fact { positive: false, small: false, ..of(a) },
            Expr::Unary(UnaryOp::Abs, a) => of(a),
            Expr::Unary(UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Trunc | UnaryOp::Round, a) => {
                Fact { integral: true, ..of(a) }
            }
            Expr::Unary(UnaryOp::FromUint, a) => {
                let single = of(a).mask < 1 << 24;
                Fact { single, integral: true, positive: true, small: true, ..NOTHING }
            }
            Expr::Unary(UnaryOp::BitsFloat, _) => Fact { single: true, ..NOTHING },
            Expr::Unary(UnaryOp::FromInt, _) => Fact { integral: true, ..NOTHING },
            // A finite number, so that an infinite factor is the only way to NaN.
            Expr::Binary(BinaryOp::Mul, a, b) if of(a).small => {
                let share =
                    matches!(body.values[b].expr, Expr::Const(Const::Float(by)) if by <= 1.0);
                Fact { positive: of(b).small, small: of(b).small && share, ..NOTHING }
            }
            Expr::Binary(BinaryOp::Add, a, b) => {
                Fact { positive: of(a).positive && of(b).positive, ..NOTHING }
            }
            Expr::Binary(BinaryOp::Min | BinaryOp::Max, a, b) => both(of(a), of(b)),
            Expr::Binary(BinaryOp::IAnd, a, b) => Fact { mask: of(a).mask & of(b).mask, ..NOTHING },
            Expr::Binary(BinaryOp::IOr | BinaryOp::IXor, a, b) => {
                Fact { mask: of(a).mask | of(b).mask, ..NOTHING }
            }
            Expr::Binary(BinaryOp::IShr, a, b) => match body.values[b].expr {
                Expr::Const(Const::Uint(by)) => {
                    Fact { mask: of(a).mask.wrapping_shr(by), ..NOTHING }
                }
                _ => NOTHING,
            },
            Expr::Select(_, a, b) => both(of(a), of(b)),
            _ => NOTHING,
        };
        self.facts[value.index()] = fact;
    }

    /// Learns of a number of the random stream.
    pub(super) fn draw(&mut self, value: ValueId) {
        self.facts[value.index()] = Fact { positive: true, small: true, ..NOTHING };
    }

    /// Learns from the two sides of a result of an `If`.
    pub(super) fn merge(&mut self, body: &Body, merge: Merge) {
        let fact = both(self.of(body, merge.then), self.of(body, merge.otherwise));
        self.facts[merge.result.index()] = fact;
    }
}

/// What holds of either of two values.
fn both(a: Fact, b: Fact) -> Fact {
    Fact {
        single: a.single && b.single,
        integral: a.integral && b.integral,
        positive: a.positive && b.positive,
        small: a.small && b.small,
        mask: a.mask | b.mask,
    }
}
