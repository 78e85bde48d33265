//! Components of values, as JavaScript reads properties and numbers.

use super::Context;
use crate::ir::{BinaryOp, Const, UnaryOp, ValueId};
use crate::lower::value::{Property, Shape, Value, Variant};

impl Context<'_> {
    /// What JavaScript's property access gives: NaN where the present shape has no such component.
    pub(crate) fn property(&mut self, value: &Value, property: Property) -> ValueId {
        let nan = self.body.float(f64::NAN);
        self.pick(value, nan, |variant| variant.property(property))
    }

    /// The value as a number: NaN where it is a vector.
    pub(crate) fn number(&mut self, value: &Value) -> ValueId {
        self.number_or(value, f64::NAN)
    }

    /// The value as a number, or the other one where it is a vector.
    pub(crate) fn number_or(&mut self, value: &Value, other: f64) -> ValueId {
        let other = self.body.float(other);
        self.pick(value, other, |variant| match variant.shape {
            Shape::Scalar => variant.components.first().copied(),
            Shape::Vector2 | Shape::Vector3 | Shape::Color => None,
        })
    }

    /// Selects by the present shape what the callback finds in each variant.
    pub(crate) fn pick(
        &mut self,
        value: &Value,
        missing: ValueId,
        find: impl Fn(&Variant) -> Option<ValueId>,
    ) -> ValueId {
        let mut found = value
            .variants
            .iter()
            .map(|variant| (variant.shape.number(), find(variant).unwrap_or(missing)));
        let Some((_, mut result)) = found.next() else { return missing };
        for (number, other) in found {
            if let Some(tag) = value.tag
                && other != result
            {
                let number = self.body.uint(number);
                let is_this = self.body.binary(BinaryOp::IEq, tag, number);
                result = self.body.select(is_this, other, result);
            }
        }
        result
    }

    /// A value of constants, its shape given by their number.
    pub(crate) fn constants(&mut self, numbers: &[f64]) -> Value {
        Value::of(numbers.iter().map(|&number| self.body.float(number)).collect())
    }

    /// The x, y and z of a value.
    pub(crate) fn vector3(&mut self, value: &Value) -> [ValueId; 3] {
        [Property::X, Property::Y, Property::Z].map(|property| self.property(value, property))
    }

    /// The r, g, b and a of a value.
    pub(crate) fn color(&mut self, value: &Value) -> [ValueId; 4] {
        [Property::R, Property::G, Property::B, Property::A]
            .map(|property| self.property(value, property))
    }

    /// Whether JavaScript takes a number for true: all but 0 and NaN.
    pub(crate) fn truthy(&mut self, number: ValueId) -> ValueId {
        let zero = self.body.float(0.0);
        let nonzero = self.body.binary(BinaryOp::Ne, number, zero);
        let is_number = self.body.binary(BinaryOp::Eq, number, number);
        self.body.binary(BinaryOp::And, nonzero, is_number)
    }

    /// `a > b`
    pub(crate) fn greater(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.body.binary(BinaryOp::Lt, b, a)
    }

    /// Logical not.
    pub(crate) fn not(&mut self, a: ValueId) -> ValueId {
        self.body.unary(UnaryOp::Not, a)
    }

    /// The constant number that a value is, if it is one.
    pub(crate) fn as_number(&self, value: ValueId) -> Option<f64> {
        match self.body.as_constant(value) {
            Some(Const::Float(number)) => Some(number),
            Some(Const::Uint(_) | Const::Bool(_)) | None => None,
        }
    }

    /// The square root of the sum of squares, added in order.
    pub(crate) fn length(&mut self, components: &[ValueId]) -> ValueId {
        let squared = self.dot(components, components);
        self.body.unary(UnaryOp::Sqrt, squared)
    }

    /// The sum of products, added in order.
    pub(crate) fn dot(&mut self, a: &[ValueId], b: &[ValueId]) -> ValueId {
        let mut sum = None;
        for (&a, &b) in a.iter().zip(b) {
            let product = self.body.mul(a, b);
            sum = Some(sum.map_or(product, |sum| self.body.add(sum, product)));
        }
        sum.unwrap_or_else(|| self.body.float(0.0))
    }

    /// The components over their length, and as they are where that is 0.
    pub(crate) fn normalize<const N: usize>(&mut self, vector: [ValueId; N]) -> [ValueId; N] {
        let squared = self.dot(&vector, &vector);
        let length = self.body.unary(UnaryOp::Sqrt, squared);
        let [zero, one] = [0.0, 1.0].map(|number| self.body.float(number));
        // A root is 0 where the square is, and the square is no inexact decision.
        let is_zero = self.body.binary(BinaryOp::Eq, squared, zero);
        let factor = self.body.div(one, length);
        // Multiplying by 1 changes nothing.
        let factor = self.body.select(is_zero, one, factor);
        vector.map(|component| self.body.mul(component, factor))
    }
}
