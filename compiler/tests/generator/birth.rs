//! Births: what a particle begins with, and shapes.

use serde_json::{Value, json};

use super::blocks::{Flow, Port, value};
use super::maker::Maker;
use super::wire::{Known, Place, Range, Shape};

const LIFE_TIME: Known = Known { source: 4, shape: Shape::Scalar, range: Range::new(0.15, 1.2) };
const POSITION: Known = Known { source: 1, shape: Shape::Vector, range: Range::new(-20.0, 20.0) };
const DIRECTION: Known = Known { source: 2, shape: Shape::Vector, range: Range::new(-20.0, 20.0) };
const SIZE: Known = Known { source: 0x19, shape: Shape::Scalar, range: Range::new(0.0, 3.0) };
const SCALE: Known = Known { source: 7, shape: Shape::Pair, range: Range::new(0.0, 3.0) };
const ANGLE: Known = Known { source: 9, shape: Shape::Scalar, range: Range::new(-6.0, 6.0) };
const COLOR: Known = Known { source: 5, shape: Shape::Color, range: Range::new(-0.5, 1.5) };

/// Inputs of a birth with their shapes and ranges, and how much of what is known each may read:
/// births fill the slots in this order.
const INPUTS: [(&str, Shape, Range, usize); 6] = [
    ("emitPower", Shape::Scalar, Range::new(0.0, 4.0), 0),
    ("size", Shape::Scalar, SIZE.range, 3),
    ("scale", Shape::Pair, SCALE.range, 3),
    ("angle", Shape::Scalar, ANGLE.range, 5),
    ("color", Shape::Color, COLOR.range, 6),
    ("colorDead", Shape::Color, COLOR.range, 7),
];
const KNOWN: [Known; 7] = [LIFE_TIME, POSITION, DIRECTION, SIZE, SCALE, ANGLE, COLOR];

impl Maker {
    fn birth_place(&mut self, known: usize) -> Place {
        Place { scope: self.new_scope(), of_particles: true, known: KNOWN[..known].to_vec() }
    }

    /// New particles at a shape.
    pub(crate) fn born(&mut self) -> Flow {
        let place = self.birth_place(0);
        let Range { low, high } = LIFE_TIME.range;
        let mut inputs = vec![("lifeTime".to_owned(), self.port(&place, Shape::Scalar, low, high))];
        for (name, shape, range, known) in INPUTS {
            if self.random.one_in(2) {
                continue;
            }
            // A scale may be one number.
            let single = name == "scale" && self.random.one_in(2);
            let shape = if single { Shape::Scalar } else { shape };
            let place = self.birth_place(known);
            inputs.push((name.to_owned(), self.port(&place, shape, range.low, range.high)));
        }
        let block = self.blocks.add_with("CreateParticleBlock", json!({}), inputs);
        self.shape(Flow { block, output: "particle" })
    }

    fn shape(&mut self, particle: Flow) -> Flow {
        let place = self.birth_place(1);
        let flag = self.random.one_in(2);
        let (class, fields, ports): (_, Value, &[Input]) = match self.random.below(7) {
            0 => ("BoxShapeBlock", json!({}), &[MIN_BOX, MAX_BOX]),
            1 => ("PointShapeBlock", json!({}), &[]),
            2 => (
                "SphereShapeBlock",
                json!({"isHemispheric": flag}),
                &[RADIUS, RADIUS_RANGE, RANDOMIZER],
            ),
            3 => (
                "ConeShapeBlock",
                json!({"emitFromSpawnPointOnly": flag}),
                &[RADIUS, CONE_ANGLE, RADIUS_RANGE, HEIGHT_RANGE, RANDOMIZER],
            ),
            4 => ("CylinderShapeBlock", json!({}), &[RADIUS, HEIGHT, RADIUS_RANGE, RANDOMIZER]),
            5 => ("MeshShapeBlock", self.mesh(), &[]),
            _ => ("CustomShapeBlock", json!({}), &[CUSTOM_POSITION, CUSTOM_DIRECTION]),
        };
        let mut inputs = vec![("particle".to_owned(), Port::from(particle))];
        for &(name, shape, low, high) in ports {
            if !self.random.one_in(3) {
                inputs.push((name.to_owned(), self.port(&place, shape, low, high)));
            }
        }
        if class != "CustomShapeBlock" && self.random.one_in(2) {
            for name in ["direction1", "direction2"] {
                inputs.push((name.to_owned(), self.port(&place, Shape::Vector, -2.0, 2.0)));
            }
        }
        Flow { block: self.blocks.add_with(class, fields, inputs), output: "output" }
    }

    /// Some triangles with normals and colours.
    fn mesh(&mut self) -> Value {
        let corners = 3 + self.random.below(4);
        let list = |maker: &mut Self, shape: Shape, low: f64| -> Vec<f64> {
            let range = Range::new(low, 1.0);
            (0..corners).flat_map(|_| maker.numbers(shape, range)).collect()
        };
        let triangles = 1 + self.random.below(4);
        let indices: Vec<usize> = (0..3 * triangles).map(|_| self.random.below(corners)).collect();
        let mut vertices = json!({
            "positions": value(&list(self, Shape::Vector, -1.0)),
            "indices": indices,
        });
        if self.random.one_in(2) {
            vertices["normals"] = value(&list(self, Shape::Vector, -1.0));
        }
        if self.random.one_in(2) {
            vertices["colors"] = value(&list(self, Shape::Color, 0.0));
        }
        json!({
            "cachedVertexData": vertices,
            "useMeshNormalsForDirection": self.random.one_in(2),
            "useMeshColorForColor": self.random.one_in(2),
        })
    }
}

/// Name, shape, and where the value lies.
type Input = (&'static str, Shape, f64, f64);

const MIN_BOX: Input = ("minEmitBox", Shape::Vector, -1.5, 0.0);
const MAX_BOX: Input = ("maxEmitBox", Shape::Vector, 0.0, 1.5);
const RADIUS: Input = ("radius", Shape::Scalar, 0.0, 2.0);
const RADIUS_RANGE: Input = ("radiusRange", Shape::Scalar, 0.0, 1.0);
const HEIGHT: Input = ("height", Shape::Scalar, 0.0, 2.0);
const HEIGHT_RANGE: Input = ("heightRange", Shape::Scalar, 0.0, 1.0);
const CONE_ANGLE: Input = ("angle", Shape::Scalar, 0.5, 2.5);
const RANDOMIZER: Input = ("directionRandomizer", Shape::Scalar, 0.0, 0.5);
const CUSTOM_POSITION: Input = ("position", Shape::Vector, -2.0, 2.0);
const CUSTOM_DIRECTION: Input = ("direction", Shape::Vector, -2.0, 2.0);
