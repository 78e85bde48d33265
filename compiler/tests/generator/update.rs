//! Updates. So that differences in last bits stay small, the properties are ranked: what an update
//! computes freely reads properties of lower rank; of its own property it only takes a step.

use serde_json::json;

use super::blocks::{Flow, Port};
use super::maker::Maker;
use super::wire::{Known, Place, Range, Shape, Wire};

/// What updates change; a position and a direction move each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    Motion,
    Color,
    Size,
    Scale,
    Angle,
}

const POSITION: Known = known(1, Shape::Vector, -300.0, 300.0);
const DIRECTION: Known = known(2, Shape::Vector, -300.0, 300.0);
const AGE: Known = known(3, Shape::Scalar, 0.0, 3.0);
const COLOR: Known = known(5, Shape::Color, -4.0, 4.0);
const SCALED_DIRECTION: Known = known(6, Shape::Vector, -30.0, 30.0);
const SCALE: Known = known(7, Shape::Pair, 0.0, 5.0);
const ANGLE: Known = known(9, Shape::Scalar, -50.0, 50.0);
const SCALED_COLOR_STEP: Known = known(0x17, Shape::Color, -1.5, 1.5);
const LOCAL_POSITION_UPDATED: Known = known(0x18, Shape::Vector, -300.0, 300.0);
const SIZE: Known = known(0x19, Shape::Scalar, 0.0, 5.0);

/// What no update changes but by age: age, lifetime, age over lifetime, colours and direction of the
/// birth, steps.
const ALWAYS: [Known; 9] = [
    AGE,
    known(4, Shape::Scalar, 0.15, 1.2),
    known(8, Shape::Scalar, 0.0, 20.0),
    known(0x13, Shape::Color, -0.5, 1.5),
    known(0x14, Shape::Color, -0.5, 1.5),
    known(0x15, Shape::Vector, -20.0, 20.0),
    known(0x16, Shape::Color, -15.0, 15.0),
    SCALED_COLOR_STEP,
    known(0x20, Shape::Scalar, 0.0, 0.1),
];
/// Current, first and last cell of a sheet.
const CELLS: [Known; 3] = [
    known(0x10, Shape::Scalar, 0.0, 30.0),
    known(0x11, Shape::Scalar, 0.0, 30.0),
    known(0x12, Shape::Scalar, 0.0, 30.0),
];

const fn known(source: u32, shape: Shape, low: f64, high: f64) -> Known {
    Known { source, shape, range: Range::new(low, high) }
}

/// What the updates of a system have in common.
pub(crate) struct Updates {
    /// From lowest to highest.
    rank: Vec<Property>,
    pub(crate) is_local: bool,
    pub(crate) has_cells: bool,
}

impl Maker {
    pub(crate) fn updates(&mut self, is_local: bool, has_cells: bool) -> Updates {
        use Property::{Angle, Color, Motion, Scale, Size};
        let mut rank = vec![Motion, Color, Size, Scale, Angle];
        for at in (1..rank.len()).rev() {
            rank.swap(at, self.random.below(at + 1));
        }
        Updates { rank, is_local, has_cells }
    }

    fn update_place(&mut self, updates: &Updates, property: Property) -> Place {
        let mut known = ALWAYS.to_vec();
        if updates.has_cells {
            known.extend(CELLS);
        }
        for lower in updates.rank.iter().take_while(|&&lower| lower != property) {
            known.extend(match lower {
                Property::Motion => &[POSITION, DIRECTION, SCALED_DIRECTION][..],
                Property::Color => &[COLOR],
                Property::Size => &[SIZE],
                Property::Scale => &[SCALE],
                Property::Angle => &[ANGLE],
            });
        }
        Place { scope: self.new_scope(), of_particles: true, known }
    }

    /// One more update.
    pub(crate) fn update(&mut self, updates: &Updates, particle: Flow) -> Flow {
        match self.random.below(16) {
            0..2 => self.position(updates, particle),
            2..5 => self.direction(updates, particle),
            5 => self.force(updates, particle),
            6..8 => self.color(updates, particle),
            8..10 => self.angle(updates, particle),
            10..12 => self.free(updates, particle, Property::Size),
            12 => self.free(updates, particle, Property::Scale),
            13 => self.age(updates, particle),
            14 if updates.has_cells => self.cell(updates, particle),
            _ => self.step_of(particle, "BasicColorUpdateBlock"),
        }
    }

    /// Moves particles, in one of the ways to write that.
    pub(crate) fn moved(&mut self, updates: &Updates, particle: Flow) -> Flow {
        let place = self.update_place(updates, Property::Motion);
        if updates.is_local && !self.random.one_in(4) {
            let position = self.property(&place, LOCAL_POSITION_UPDATED);
            return self.set(particle, "Position", position);
        }
        if self.random.one_in(3) {
            return self.step_of(particle, "BasicPositionUpdateBlock");
        }
        let position = self.property(&place, POSITION);
        let step = self.property(&place, SCALED_DIRECTION);
        let sum = self.math_of(0, position, step, Shape::Vector);
        self.set(particle, "Position", sum)
    }

    fn position(&mut self, updates: &Updates, particle: Flow) -> Flow {
        let place = self.update_place(updates, Property::Motion);
        let value = if self.random.one_in(2) {
            self.within(&place, Shape::Vector, -8.0, 8.0)
        } else {
            self.stepped(&place, POSITION)
        };
        self.set(particle, "Position", value)
    }

    fn direction(&mut self, updates: &Updates, particle: Flow) -> Flow {
        let place = self.update_place(updates, Property::Motion);
        let value = match self.random.below(4) {
            0 => self.within(&place, Shape::Vector, -8.0, 8.0),
            1 => {
                let direction = self.property(&place, DIRECTION);
                let factor = self.within(&place, Shape::Scalar, 0.8, 1.0);
                self.math_of(2, direction, factor, Shape::Vector)
            }
            _ => self.stepped(&place, DIRECTION),
        };
        self.set(particle, "Direction", value)
    }

    /// An attractor, a flow map or noise.
    fn force(&mut self, updates: &Updates, particle: Flow) -> Flow {
        let place = self.update_place(updates, Property::Motion);
        let particle = ("particle", Port::from(particle));
        let block = match self.random.below(3) {
            0 => {
                let attractor = self.port(&place, Shape::Vector, -4.0, 4.0);
                let strength = self.port(&place, Shape::Scalar, -4.0, 4.0);
                let inputs = [particle, ("attractor", attractor), ("strength", strength)];
                self.blocks.add("UpdateAttractorBlock", json!({}), inputs)
            }
            1 => {
                let texture = self.texture();
                let strength = self.port(&place, Shape::Scalar, -10.0, 10.0);
                let inputs = [particle, ("flowMap", texture.into()), ("strength", strength)];
                self.blocks.add("UpdateFlowMapBlock", json!({}), inputs)
            }
            _ => {
                let texture = self.texture();
                let strength = self.early(Shape::Vector, Range::new(-10.0, 10.0)).into();
                let inputs = [particle, ("noiseTexture", texture.into()), ("strength", strength)];
                self.blocks.add("UpdateNoiseBlock", json!({}), inputs)
            }
        };
        Flow { block, output: "output" }
    }

    fn color(&mut self, updates: &Updates, particle: Flow) -> Flow {
        let place = self.update_place(updates, Property::Color);
        let value = if self.random.one_in(3) {
            let color = self.property(&place, COLOR);
            let step = self.property(&place, SCALED_COLOR_STEP);
            self.math_of(0, color, step, Shape::Color)
        } else {
            self.within(&place, Shape::Color, -0.5, 1.5)
        };
        self.set(particle, "Color", value)
    }

    fn angle(&mut self, updates: &Updates, particle: Flow) -> Flow {
        let below = |property| updates.rank.iter().position(|&each| each == property);
        if below(Property::Motion) < below(Property::Angle) && self.random.one_in(3) {
            let fields = json!({"alignment": self.number(-3.0, 3.0)});
            let inputs = [("particle", particle.into())];
            let block = self.blocks.add("AlignAngleBlock", fields, inputs);
            return Flow { block, output: "output" };
        }
        let place = self.update_place(updates, Property::Angle);
        let value = if self.random.one_in(2) {
            self.within(&place, Shape::Scalar, -6.0, 6.0)
        } else {
            self.stepped(&place, ANGLE)
        };
        self.set(particle, "Angle", value)
    }

    /// A size or a scale.
    fn free(&mut self, updates: &Updates, particle: Flow, property: Property) -> Flow {
        let place = self.update_place(updates, property);
        if property == Property::Size {
            let value = self.within(&place, Shape::Scalar, 0.0, 5.0);
            self.set(particle, "Size", value)
        } else {
            let value = self.within(&place, Shape::Pair, 0.0, 5.0);
            self.set(particle, "Scale", value)
        }
    }

    /// Particles that age faster than time goes.
    fn age(&mut self, updates: &Updates, particle: Flow) -> Flow {
        let mut place = self.update_place(updates, updates.rank[0]);
        place.known.retain(|known| known.source != AGE.source);
        let speed = self.within(&place, Shape::Scalar, 0.0, 0.5);
        let delta = self.delta();
        let step = self.math_of(2, speed, delta, Shape::Scalar);
        let age = self.property(&place, AGE);
        let sum = self.math_of(0, age, step, Shape::Scalar);
        self.set(particle, "Age", sum)
    }

    fn cell(&mut self, updates: &Updates, particle: Flow) -> Flow {
        if self.random.one_in(2) {
            return self.step_of(particle, "BasicSpriteUpdateBlock");
        }
        let mut place = self.update_place(updates, updates.rank[0]);
        place.known.retain(|known| known.source != CELLS[0].source);
        let value = self.within(&place, Shape::Scalar, 0.0, 20.0);
        let range = value.range;
        let inputs = [("input", value.into())];
        let fields = json!({"operation": self.random.below(4)});
        let cell = self.block("ParticleFloatToIntBlock", fields, inputs, (Shape::Scalar, range));
        self.set(particle, "SpriteCellIndex", cell)
    }

    /// `property + value * delta`
    fn stepped(&mut self, place: &Place, property: Known) -> Wire {
        let speed = self.any(place, property.shape);
        let delta = self.delta();
        let step = self.math_of(2, speed, delta, property.shape);
        let before = self.property(place, property);
        self.math_of(0, before, step, property.shape)
    }

    fn delta(&mut self) -> Wire {
        let result = (Shape::Scalar, Range::new(0.0, 0.1));
        self.block("ParticleInputBlock", json!({"systemSource": 2}), [], result)
    }

    /// The update block of a property.
    fn set(&mut self, particle: Flow, property: &str, value: Wire) -> Flow {
        let port = match property {
            "Position" => "position",
            "Direction" => "direction",
            "Color" => "color",
            "Angle" => "angle",
            "Size" => "size",
            "Scale" => "scale",
            "Age" => "age",
            _ => "cellIndex",
        };
        let inputs = [("particle", Port::from(particle)), (port, value.into())];
        let block = self.blocks.add(&format!("Update{property}Block"), json!({}), inputs);
        Flow { block, output: "output" }
    }

    /// An update without values.
    pub(crate) fn step_of(&mut self, particle: Flow, class: &str) -> Flow {
        let block = self.blocks.add(class, json!({}), [("particle", particle.into())]);
        Flow { block, output: "output" }
    }
}
