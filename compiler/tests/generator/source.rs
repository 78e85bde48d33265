//! Leaves: properties of particles and of systems, constants, random numbers, kept values.

use serde_json::json;

use super::blocks::{Port, value};
use super::maker::Maker;
use super::wire::{Known, Place, Range, Scope, Shape, Wire};

/// Serialized sources of a system: time, step, emitter, camera.
const SYSTEM: [(u32, Shape, Range); 4] = [
    (1, Shape::Scalar, Range::new(0.0, 12.0)),
    (2, Shape::Scalar, Range::new(0.0, 0.1)),
    (3, Shape::Vector, Range::new(-2.0, 2.0)),
    (4, Shape::Vector, Range::new(-8.0, 8.0)),
];

impl Maker {
    pub(crate) fn leaf(&mut self, place: &Place, shape: Shape) -> Wire {
        let known: Vec<Known> =
            place.known.iter().copied().filter(|known| known.shape == shape).collect();
        match self.random.below(20) {
            0..8 if !known.is_empty() => {
                let known = *self.random.pick(&known);
                self.property(place, known)
            }
            8..14 => self.drawn(place, shape),
            14..17 => {
                let fitting: Vec<_> =
                    SYSTEM.into_iter().filter(|source| source.1 == shape).collect();
                if fitting.is_empty() {
                    return self.constant(shape, Range::new(-2.0, 2.0));
                }
                let (source, shape, range) = *self.random.pick(&fitting);
                let fields = json!({"systemSource": source});
                self.block("ParticleInputBlock", fields, [], (shape, range))
            }
            _ => self.constant(shape, Range::new(-2.0, 2.0)),
        }
    }

    /// A property of the particle.
    pub(crate) fn property(&mut self, place: &Place, known: Known) -> Wire {
        let fields = json!({"contextualValue": known.source});
        let wire = self.block("ParticleInputBlock", fields, [], (known.shape, known.range));
        Wire { scope: place.scope, ..wire }
    }

    /// A block with a value of its own.
    pub(crate) fn constant(&mut self, shape: Shape, within: Range) -> Wire {
        let mut numbers = self.numbers(shape, within);
        let (mut ty, tag) = shape.serialized();
        if shape == Shape::Scalar && self.random.one_in(5) {
            (ty, numbers[0]) = (1, numbers[0].round().clamp(within.low, within.high));
        }
        let range = numbers.iter().fold(Range::new(numbers[0], numbers[0]), |range, &number| {
            range.join(Range::new(number, number))
        });
        let fields = json!({
            "type": ty,
            "contextualValue": 0,
            "systemSource": 0,
            "valueType": tag,
            "value": value(&numbers),
        });
        self.block("ParticleInputBlock", fields, [], (shape, range))
    }

    /// A random value; its bounds are mostly constants.
    fn drawn(&mut self, place: &Place, shape: Shape) -> Wire {
        // 4 is no lock: it never draws and gives the number 0.
        let never = shape == Shape::Scalar && self.random.one_in(40);
        // What a system shares is not drawn for a particle.
        let locks = if place.scope == Scope::System { &[0, 2][..] } else { &[0, 1, 2, 3] };
        let lock = if never { 4 } else { *self.random.pick(locks) };
        let wide = self.random.one_in(3);
        let bounds: [Wire; 2] = [(-1.5, 0.0), (0.0, 1.5)].map(|(low, high)| {
            if !wide {
                return self.constant(shape, Range::new(low, high));
            }
            // A lock of the system may not depend on a particle.
            let place = if lock == 2 { &Place::SHARED } else { place };
            let bound = self.value(place, shape, 1);
            self.inside(bound, -8.0, 8.0)
        });
        let range = bounds[0].range.join(bounds[1].range);
        let range = if never { Range::new(0.0, 0.0) } else { range };
        let [min, max] = bounds;
        let inputs = [("min", min.into()), ("max", max.into())];
        let fields = json!({"lockMode": lock});
        let wire = self.block("ParticleRandomBlock", fields, inputs, (shape, range));
        // The number that a particle draws is its own.
        let scope = match lock {
            2 => wire.scope,
            _ if place.of_particles => wire.scope.max(Scope::Particle),
            _ => wire.scope.max(place.scope),
        };
        Wire { scope, ..wire }
    }

    /// The first value of a particle, or of a call.
    pub(crate) fn local(&mut self, place: &Place, shape: Shape, depth: usize) -> Wire {
        let of_call = !place.of_particles || self.random.one_in(2);
        let from = if of_call { &Place::SHARED } else { place };
        let input = self.value(from, shape, depth);
        // What is kept must keep its shape.
        let input = self.certain(input);
        let range = input.range;
        let fields = json!({"scope": u8::from(of_call)});
        let wire = self.block(
            "ParticleLocalVariableBlock",
            fields,
            [("input", Port::from(input))],
            (shape, range),
        );
        let scope = if of_call { Scope::System } else { wire.scope.max(Scope::Particle) };
        Wire { scope, ..wire }
    }

    /// A value that is read once, before anything else: a constant, or a random number.
    pub(crate) fn early(&mut self, shape: Shape, within: Range) -> Wire {
        if self.random.one_in(2) {
            return self.constant(shape, within);
        }
        let inputs = ["min", "max"].map(|name| (name, self.constant(shape, within).into()));
        let fields = json!({"lockMode": self.random.below(4)});
        self.block("ParticleRandomBlock", fields, inputs, (shape, within))
    }
}
