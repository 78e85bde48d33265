//! Writes the body of a function: what formulas need beyond [`BodyBuilder`].

use std::ops::{Deref, DerefMut};

use crate::ir::{BinaryOp, BodyBuilder, Function, Handle, Type, UnaryOp, ValueId};

/// The bit of the sign.
pub(super) const SIGN: u32 = 0x8000_0000;
/// The bits of infinity; those of NaN are above.
pub(super) const INFINITY: u32 = 0x7f80_0000;

/// A function that is being written.
pub(super) struct Formula {
    name: &'static str,
    params: &'static [(&'static str, Type)],
    body: BodyBuilder,
}

impl Deref for Formula {
    type Target = BodyBuilder;
    fn deref(&self) -> &BodyBuilder {
        &self.body
    }
}

impl DerefMut for Formula {
    fn deref_mut(&mut self) -> &mut BodyBuilder {
        &mut self.body
    }
}

impl Formula {
    pub(super) fn new(name: &'static str, params: &'static [(&'static str, Type)]) -> Self {
        Self { name, params, body: BodyBuilder::default() }
    }

    /// The parameter with this number.
    pub(super) fn argument(&mut self, index: u32) -> ValueId {
        let ty = self.params.get(index as usize).map_or(Type::Float, |param| param.1);
        self.body.param(index, ty)
    }

    /// A function whose choices meet at their borders, so that a last bit decides nothing.
    pub(super) fn continuous(self, results: Vec<ValueId>) -> Function {
        Function { continuous: true, ..self.function(results) }
    }

    /// A function whose choices are decisions.
    pub(super) fn function(self, results: Vec<ValueId>) -> Function {
        let params = self.params.iter().map(|&(name, ty)| (name.to_owned(), ty)).collect();
        let body = self.body.finish(results);
        Function { name: self.name.to_owned(), params, continuous: false, body }
    }

    /// A binary32 number.
    pub(super) fn number(&mut self, value: f32) -> ValueId {
        self.body.float(f64::from(value))
    }

    /// `a + number`
    pub(super) fn plus(&mut self, a: ValueId, number: f32) -> ValueId {
        let number = self.number(number);
        self.body.add(a, number)
    }

    /// `a * number`
    pub(super) fn times(&mut self, a: ValueId, number: f32) -> ValueId {
        let number = self.number(number);
        self.body.mul(a, number)
    }

    /// `number - a`
    pub(super) fn less_from(&mut self, number: f32, a: ValueId) -> ValueId {
        let number = self.number(number);
        self.body.sub(number, a)
    }

    /// The polynomial of these coefficients, the constant one first.
    pub(super) fn horner(&mut self, x: ValueId, coefficients: &[f32]) -> ValueId {
        let mut rest = coefficients.iter().rev();
        let mut sum = self.number(rest.next().copied().unwrap_or(0.0));
        for &coefficient in rest {
            sum = self.body.mul(sum, x);
            sum = self.plus(sum, coefficient);
        }
        sum
    }

    /// Whether `a < b`.
    pub(super) fn is_below(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.body.binary(BinaryOp::Lt, a, b)
    }

    /// `a` held between two numbers; NaN stays NaN.
    pub(super) fn held(&mut self, a: ValueId, low: f32, high: f32) -> ValueId {
        let [low, high] = [low, high].map(|bound| self.number(bound));
        let is_low = self.is_below(a, low);
        let is_high = self.is_below(high, a);
        let held = self.body.select(is_high, high, a);
        self.body.select(is_low, low, held)
    }

    /// The whole number that is nearest, a float; halves go up.
    pub(super) fn nearest(&mut self, a: ValueId) -> ValueId {
        let half_up = self.plus(a, 0.5);
        self.body.unary(UnaryOp::Floor, half_up)
    }

    /// A whole number of fewer than 22 bits as an integer: 1.5 * 2^23 puts it into the low bits.
    pub(super) fn whole_bits(&mut self, whole: ValueId) -> ValueId {
        let shifted = self.plus(whole, 12_582_912.0);
        let bits = self.bits(shifted);
        let offset = self.body.uint(0x4b40_0000);
        self.body.binary(BinaryOp::ISub, bits, offset)
    }

    pub(super) fn bits(&mut self, a: ValueId) -> ValueId {
        self.body.unary(UnaryOp::FloatBits, a)
    }

    pub(super) fn of_bits(&mut self, bits: ValueId) -> ValueId {
        self.body.unary(UnaryOp::BitsFloat, bits)
    }

    /// `bits op number`
    pub(super) fn integer(&mut self, op: BinaryOp, bits: ValueId, number: u32) -> ValueId {
        let number = self.body.uint(number);
        self.body.binary(op, bits, number)
    }

    /// The bit of the sign.
    pub(super) fn sign_bit(&mut self, a: ValueId) -> ValueId {
        let bits = self.bits(a);
        self.integer(BinaryOp::IAnd, bits, SIGN)
    }

    /// `a` with its sign changed where the bit is set.
    pub(super) fn signed(&mut self, a: ValueId, sign: ValueId) -> ValueId {
        let bits = self.bits(a);
        let bits = self.body.binary(BinaryOp::IXor, bits, sign);
        self.of_bits(bits)
    }

    /// The upper 12 bits of the mantissa: products of two such numbers are exact.
    pub(super) fn upper(&mut self, a: ValueId) -> ValueId {
        let bits = self.bits(a);
        let bits = self.integer(BinaryOp::IAnd, bits, 0xffff_f000);
        self.of_bits(bits)
    }

    /// Whether the magnitude has these bits: [`INFINITY`] for instance.
    pub(super) fn has_magnitude(&mut self, a: ValueId, magnitude: u32) -> ValueId {
        let bits = self.bits(a);
        let bits = self.integer(BinaryOp::IAnd, bits, !SIGN);
        self.integer(BinaryOp::IEq, bits, magnitude)
    }

    /// NaN where the condition holds.
    pub(super) fn nan_where(&mut self, condition: ValueId, otherwise: ValueId) -> ValueId {
        let nan = self.number(f32::NAN);
        self.body.select(condition, nan, otherwise)
    }

    /// Whether the number is NaN, told from its bits: GPUs may take comparisons for granted.
    pub(super) fn is_nan(&mut self, a: ValueId) -> ValueId {
        self.has_magnitude(a, 0x7fc0_0000)
    }

    /// The only result of a function.
    pub(super) fn call1(&mut self, function: Handle<Function>, arguments: Vec<ValueId>) -> ValueId {
        self.body.call(function, arguments, &[Type::Float])[0]
    }
}
