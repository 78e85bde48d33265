//! Sums and products, blends and bounds.

use serde_json::json;

use super::blocks::Port;
use super::maker::Maker;
use super::wire::{Place, Range, Shape, Wire};

const UNIT: Range = Range::new(0.0, 1.0);

impl Maker {
    pub(crate) fn math(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let scalar_left = shape != Shape::Scalar && self.random.one_in(5);
        let left_shape = if scalar_left { Shape::Scalar } else { shape };
        let left = self.value(place, left_shape, depth);
        // 6 is no operation: the left side passes.
        let operation = if self.random.one_in(40) { 6 } else { self.random.below(6) };
        if left_shape == shape && operation != 3 && self.random.one_in(12) {
            return self.math_of(operation, left.clone(), left, shape);
        }
        let right = if scalar_left || self.random.one_in(2) {
            self.value(place, shape, depth)
        } else if shape != Shape::Scalar && self.random.one_in(4) {
            self.mixed(place, shape, depth)
        } else {
            self.value(place, Shape::Scalar, depth)
        };
        let right = if operation == 3 { self.inside(right, 0.5, 4.0) } else { right };
        self.math_of(operation, left, right, shape)
    }

    /// The result of an operation that has one for these ranges.
    pub(crate) fn math_of(
        &mut self,
        operation: usize,
        left: Wire,
        right: Wire,
        shape: Shape,
    ) -> Wire {
        let (a, b) = (left.range, right.range);
        let range = match operation {
            0 => a.plus(b),
            1 => a.plus(b.negated()),
            2 => a.times(b),
            3 => a.times(Range::around([1.0 / b.low, 1.0 / b.high])),
            4 => Range::new(a.low.max(b.low), a.high.max(b.high)),
            5 => Range::new(a.low.min(b.low), a.high.min(b.high)),
            _ => a,
        };
        let inputs = [("left", left.into()), ("right", right.into())];
        self.block("ParticleMathBlock", json!({"operation": operation}), inputs, (shape, range))
    }

    pub(crate) fn lerp(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let left = self.value(place, shape, depth);
        let right = if self.random.one_in(5) {
            self.mixed(place, shape, depth)
        } else {
            self.value(place, shape, depth)
        };
        let amount = self.value(place, Shape::Scalar, depth);
        let amount = self.inside(amount, -0.5, 1.5);
        // What is of another shape counts as 0.
        let ends = left.range.join(right.range).join(Range::new(0.0, 0.0));
        let more = 0.5 * (ends.high - ends.low);
        let range = Range::new(ends.low - more, ends.high + more);
        let inputs =
            [("left", Port::from(left)), ("right", right.into()), ("gradient", amount.into())];
        self.block("ParticleLerpBlock", json!({}), inputs, (shape, range))
    }

    pub(crate) fn nlerp(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        // Far from 0, where no direction would be known.
        let ends = [0, 1].map(|_| {
            let end = self.value(place, shape, depth);
            self.inside(end, 0.25, 4.0)
        });
        let amount = self.value(place, Shape::Scalar, depth);
        let amount = self.inside(amount, 0.0, 1.0);
        let whole = ends[0].range.join(ends[1].range);
        let range = if shape == Shape::Scalar { whole } else { UNIT };
        let [left, right] = ends.map(Port::from);
        let inputs = [("left", left), ("right", right), ("gradient", amount.into())];
        self.block("ParticleNLerpBlock", json!({}), inputs, (shape, range))
    }

    pub(crate) fn clamp(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let value = self.value(place, shape, depth);
        if self.random.one_in(3) {
            let range = Range::around([value.range.low, value.range.high, 0.0, 1.0]);
            let inputs = [("value", value.into())];
            return self.block("ParticleClampBlock", json!({}), inputs, (shape, range));
        }
        let [min, max] = [0, 1].map(|_| self.value(place, Shape::Scalar, depth));
        let range = value.range.join(min.range).join(max.range);
        let inputs = [("value", Port::from(value)), ("min", min.into()), ("max", max.into())];
        self.block("ParticleClampBlock", json!({}), inputs, (shape, range))
    }

    pub(crate) fn step(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let value = self.value(place, shape, depth);
        let edge = self.value(place, Shape::Scalar, depth);
        let inputs = [("value", value.into()), ("edge", edge.into())];
        self.block("ParticleStepBlock", json!({}), inputs, (shape, UNIT))
    }

    pub(crate) fn smooth_step(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let value = self.value(place, shape, depth);
        if self.random.one_in(2) {
            let inputs = [("value", value.into())];
            return self.block("ParticleSmoothStepBlock", json!({}), inputs, (shape, UNIT));
        }
        let first = self.value(place, Shape::Scalar, depth);
        let first = self.inside(first, -2.0, 0.0);
        let second = self.value(place, Shape::Scalar, depth);
        let second = self.inside(second, 0.5, 3.0);
        let inputs =
            [("value", Port::from(value)), ("edge0", first.into()), ("edge1", second.into())];
        self.block("ParticleSmoothStepBlock", json!({}), inputs, (shape, UNIT))
    }
}
