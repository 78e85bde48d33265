//! Functions of numbers and vectors.

use std::f64::consts::{FRAC_PI_2, PI};

use serde_json::json;

use super::maker::Maker;
use super::wire::{Place, Range, Shape, Wire};

/// Any argument will do.
const ANY: Range = Range::new(-1e9, 1e9);

/// Where results lie for arguments of a range.
type Image = fn(Range) -> Range;

/// For each operation of a Trigonometry block, by serialized id: where its argument may lie (no poles,
/// and no ends where a slope has no bound), and where its result does.
const OPERATIONS: [(Range, Image); 21] = [
    // Cosine, sine, magnitude.
    (ANY, |_| Range::new(-1.0, 1.0)),
    (ANY, |_| Range::new(-1.0, 1.0)),
    (ANY, |x| Range::new(0.0, x.magnitude())),
    // Powers of e and of 2.
    (Range::new(-4.0, 2.0), |x| Range::new(x.low.exp(), x.high.exp())),
    (Range::new(-4.0, 3.0), |x| Range::new(x.low.exp2(), x.high.exp2())),
    // Round, floor, ceiling.
    (ANY, whole),
    (ANY, whole),
    (ANY, whole),
    // Root and logarithm.
    (Range::new(0.01, 1e9), |x| Range::new(x.low.sqrt(), x.high.sqrt())),
    (Range::new(0.05, 1e9), |x| Range::new(x.low.ln(), x.high.ln())),
    // Tangent, arcs of tangent, cosine, sine.
    (Range::new(-1.2, 1.2), |_| Range::new(-2.6, 2.6)),
    (ANY, |_| Range::new(-FRAC_PI_2, FRAC_PI_2)),
    (Range::new(-0.99, 0.99), |_| Range::new(0.0, PI)),
    (Range::new(-0.99, 0.99), |_| Range::new(-FRAC_PI_2, FRAC_PI_2)),
    // Sign, negation, 1 - x, 1 / x.
    (ANY, |_| Range::new(-1.0, 1.0)),
    (ANY, Range::negated),
    (ANY, |x| Range::new(1.0 - x.high, 1.0 - x.low)),
    (Range::new(0.4, 1e9), |x| Range::new(1.0 / x.high, 1.0 / x.low)),
    // Degrees, radians, fraction.
    (ANY, |x| Range::new(x.low.to_degrees(), x.high.to_degrees())),
    (ANY, |x| Range::new(x.low.to_radians(), x.high.to_radians())),
    (ANY, |_| Range::new(-1.0, 1.0)),
];

fn whole(x: Range) -> Range {
    Range::new(x.low.floor(), x.high.ceil())
}

impl Maker {
    pub(crate) fn trigonometry(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let input = self.value(place, shape, depth);
        let operation = self.random.below(OPERATIONS.len());
        let (domain, image) = OPERATIONS[operation];
        let input = self.inside(input, domain.low, domain.high);
        let range = image(input.range);
        let fields = json!({"operation": operation});
        self.block("ParticleTrigonometryBlock", fields, [("input", input.into())], (shape, range))
    }

    pub(crate) fn round(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let input = self.value(place, shape, depth);
        let range = whole(input.range);
        let fields = json!({"operation": self.random.below(4)});
        self.block("ParticleFloatToIntBlock", fields, [("input", input.into())], (shape, range))
    }

    pub(crate) fn length(&mut self, place: &Place, _: Shape, depth: usize) -> Wire {
        let shape = *self.random.pick(&[Shape::Pair, Shape::Vector]);
        let input = self.value(place, shape, depth);
        let range = Range::new(0.0, 2.0 * input.range.magnitude());
        let inputs = [("input", input.into())];
        self.block("ParticleVectorLengthBlock", json!({}), inputs, (Shape::Scalar, range))
    }

    /// Scalar product or distance.
    pub(crate) fn vector_math(&mut self, place: &Place, _: Shape, depth: usize) -> Wire {
        let [left, right] = [0, 1].map(|_| self.value(place, Shape::Vector, depth));
        let (a, b) = (left.range, right.range);
        let operation = self.random.below(2);
        let range = if operation == 0 {
            let product = a.times(b);
            Range::new(3.0 * product.low, 3.0 * product.high)
        } else {
            Range::new(0.0, 2.0 * a.plus(b.negated()).magnitude())
        };
        let inputs = [("left", left.into()), ("right", right.into())];
        let fields = json!({"operation": operation});
        self.block("ParticleVectorMathBlock", fields, inputs, (Shape::Scalar, range))
    }

    /// Remainder or power. A whole left side makes the result whole.
    pub(crate) fn number_math(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let [left, right] = [0, 1].map(|_| self.value(place, shape, depth));
        let operation = self.random.below(2);
        let (left, right, range) = if operation == 0 {
            let right = self.inside(right, 0.5, 4.0);
            (left, right, Range::new(-4.0, 4.0))
        } else {
            let left = self.inside(left, 0.2, 3.0);
            (left, self.inside(right, -2.0, 2.0), Range::new(0.0, 25.0))
        };
        let inputs = [("left", left.into()), ("right", right.into())];
        let fields = json!({"operation": operation});
        self.block("ParticleNumberMathBlock", fields, inputs, (shape, range))
    }
}
