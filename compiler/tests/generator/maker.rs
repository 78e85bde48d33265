//! Makes values of a shape for a place: leaves, nodes over them, and bounds.

use serde_json::{Value, json};

use super::blocks::{Blocks, Port};
use super::random::Random;
use super::wire::{Place, Range, Scope, Shape, Wire};

/// Values of more than this magnitude are bounded before they are used on.
const MOST: f64 = 30.0;

/// Makes the values of a file.
pub(crate) struct Maker {
    pub(crate) random: Random,
    pub(crate) blocks: Blocks,
    /// Values that may be read again.
    made: Vec<Wire>,
    places: usize,
}

impl Maker {
    pub(crate) fn new(random: Random) -> Self {
        Self { random, blocks: Blocks::default(), made: Vec::new(), places: 0 }
    }

    /// A scope that no other place has.
    pub(crate) fn new_scope(&mut self) -> Scope {
        self.places += 1;
        Scope::Place(self.places)
    }

    /// A value for a place, of a depth that is chosen.
    pub(crate) fn any(&mut self, place: &Place, shape: Shape) -> Wire {
        let depth = *self.random.pick(&[0, 1, 1, 2, 2, 3]);
        self.value(place, shape, depth)
    }

    /// A value within bounds: cut off there, or stretched from 0 to 1.
    pub(crate) fn within(&mut self, place: &Place, shape: Shape, low: f64, high: f64) -> Wire {
        let value = self.any(place, shape);
        if self.random.one_in(2) {
            return self.inside(value, low, high);
        }
        let share = self.inside(value, 0.0, 1.0);
        let span = (shape, Range::new(0.0, high - low));
        let inputs = [("left", share.into()), ("right", (high - low).into())];
        let part = self.block("ParticleMathBlock", json!({"operation": 2}), inputs, span);
        let inputs = [("left", part.into()), ("right", low.into())];
        let fields = json!({"operation": 0});
        self.block("ParticleMathBlock", fields, inputs, (shape, Range::new(low, high)))
    }

    /// A value within bounds for an input: sometimes a literal.
    pub(crate) fn port(&mut self, place: &Place, shape: Shape, low: f64, high: f64) -> Port {
        if self.random.one_in(3) {
            Port::Literal(self.numbers(shape, Range::new(low, high)))
        } else {
            self.within(place, shape, low, high).into()
        }
    }

    /// A value of a depth at most.
    pub(crate) fn value(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let again: Vec<&Wire> = self
            .made
            .iter()
            .filter(|wire| wire.shape == shape && place.can_read(wire.scope))
            .collect();
        if !again.is_empty() && self.random.one_in(5) {
            return (*self.random.pick(&again)).clone();
        }
        let wire = if depth == 0 || self.random.one_in(4) {
            self.leaf(place, shape)
        } else {
            self.node(place, shape, depth - 1)
        };
        let wire = self.detour(wire);
        let wire = if wire.range.magnitude() > MOST { self.inside(wire, -8.0, 8.0) } else { wire };
        self.made.push(wire.clone());
        wire
    }

    fn node(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        type Make = fn(&mut Maker, &Place, Shape, usize) -> Wire;
        const ANY: [Make; 17] = [
            Maker::math,
            Maker::math,
            Maker::math,
            Maker::lerp,
            Maker::nlerp,
            Maker::clamp,
            Maker::step,
            Maker::smooth_step,
            Maker::trigonometry,
            Maker::trigonometry,
            Maker::trigonometry,
            Maker::gradient,
            Maker::gradient,
            Maker::condition,
            Maker::condition,
            Maker::convert,
            Maker::local,
        ];
        const SCALAR: [Make; 4] =
            [Maker::round, Maker::length, Maker::vector_math, Maker::number_math];
        if shape == Shape::Scalar && self.random.one_in(4) {
            return self.random.pick(&SCALAR)(self, place, shape, depth);
        }
        self.random.pick(&ANY)(self, place, shape, depth)
    }

    /// The output of a new block that computes from some values.
    pub(crate) fn block<const N: usize>(
        &mut self,
        class: &str,
        fields: Value,
        inputs: [(&str, Port); N],
        (shape, range): (Shape, Range),
    ) -> Wire {
        let wires = inputs.iter().filter_map(|(_, port)| match port {
            Port::Wire(wire) => Some(wire),
            Port::Literal(_) | Port::Flow(_) => None,
        });
        let scope = wires.clone().map(|wire| wire.scope).max().unwrap_or(Scope::System);
        let is_certain = wires.clone().all(|wire| wire.is_certain);
        let block = self.blocks.add(class, fields, inputs);
        Wire { block, output: "output", shape, range, scope, is_certain }
    }

    /// The value, bounded where it may lie outside.
    pub(crate) fn inside(&mut self, value: Wire, low: f64, high: f64) -> Wire {
        let (range, shape) = (Range::new(low, high), value.shape);
        if value.range.is_inside(range) {
            return value;
        }
        match self.random.below(4) {
            0 => {
                let fields = json!({"minimum": low, "maximum": high});
                let inputs = [("value", value.into())];
                self.block("ParticleClampBlock", fields, inputs, (shape, range))
            }
            1 => {
                let inputs = [("value", value.into()), ("min", low.into()), ("max", high.into())];
                self.block("ParticleClampBlock", json!({}), inputs, (shape, range))
            }
            _ => {
                let mut bounded = value;
                if bounded.range.low < low {
                    let range = Range::new(low, bounded.range.high.max(low));
                    let inputs = [("left", bounded.into()), ("right", low.into())];
                    let fields = json!({"operation": 4});
                    bounded = self.block("ParticleMathBlock", fields, inputs, (shape, range));
                }
                if bounded.range.high > high {
                    let range = Range::new(bounded.range.low.min(high), high);
                    let inputs = [("left", bounded.into()), ("right", high.into())];
                    let fields = json!({"operation": 5});
                    bounded = self.block("ParticleMathBlock", fields, inputs, (shape, range));
                }
                bounded
            }
        }
    }

    /// The value, sometimes by a way that changes nothing.
    fn detour(&mut self, wire: Wire) -> Wire {
        let (fields, result) = (json!({}), (wire.shape, wire.range));
        match self.random.below(60) {
            0 => self.block("ParticleElbowBlock", fields, [("input", wire.into())], result),
            1 => self.block("ParticleDebugBlock", fields, [("input", wire.into())], result),
            2 => {
                let same = wire.clone();
                let entry =
                    self.blocks.add("ParticleTeleportInBlock", fields, [("input", wire.into())]);
                let fields = json!({"entryPoint": entry});
                let out = self.block("ParticleTeleportOutBlock", fields, [], result);
                Wire { block: out.block, output: out.output, ..same }
            }
            _ => wire,
        }
    }

    /// Numbers of a range: halves and tenths, where rounding shows, besides any.
    pub(crate) fn numbers(&mut self, shape: Shape, range: Range) -> Vec<f64> {
        let grid = *self.random.pick(&[0.0, 0.0, 0.5, 0.1]);
        let number = |random: &mut Random| {
            let number = range.low + (range.high - range.low) * random.unit();
            let on_grid = if grid > 0.0 { (number / grid).round() * grid } else { number };
            // Seven digits, so that files can be read.
            ((on_grid * 1e7).round() / 1e7).clamp(range.low, range.high)
        };
        (0..shape.len()).map(|_| number(&mut self.random)).collect()
    }

    /// A number of a range.
    pub(crate) fn number(&mut self, low: f64, high: f64) -> f64 {
        self.numbers(Shape::Scalar, Range::new(low, high))[0]
    }
}
