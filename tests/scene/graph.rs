//! Small graphs whose particles stand where they are told.

use std::sync::Arc;

use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::{Options, compile};
use pyrograph::picture::Image;
use pyrograph::{Interpreted, ParticleSystem};
use serde_json::{Value, json};

/// A system that emits at one place, without motion.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub(crate) name: &'static str,
    pub(crate) capacity: u32,
    /// Births of the first step; -1: those of the rate.
    pub(crate) burst: i32,
    pub(crate) rate: f64,
    pub(crate) life: f64,
    /// Corners of the box in which particles are born.
    pub(crate) corners: [[f64; 3]; 2],
    pub(crate) size: f64,
    pub(crate) scale: [f64; 2],
    pub(crate) angle: f64,
    pub(crate) color: [f64; 4],
    /// Cell size of the sheet, and the cell that is shown.
    pub(crate) sheet: Option<([f64; 2], u32)>,
    pub(crate) system: Value,
}

impl Spec {
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            capacity: 8,
            burst: 1,
            rate: 0.0,
            life: 100.0,
            corners: [[0.0; 3]; 2],
            size: 1.0,
            scale: [1.0; 2],
            angle: 0.0,
            color: [1.0; 4],
            sheet: None,
            system: json!({}),
        }
    }

    pub(crate) fn at(self, x: f64, y: f64) -> Self {
        Self { corners: [[x, y, 0.0]; 2], ..self }
    }

    /// Changes a field of the SystemBlock.
    pub(crate) fn with(mut self, field: &str, value: Value) -> Self {
        self.system[field] = value;
        self
    }

    fn blocks(&self, first: u32) -> Vec<Value> {
        let wire = |name: &str, to: u32, output: &str| json!({ "name": name, "inputName": name, "targetBlockId": to, "targetConnectionName": output });
        let literal = |name: &str, kind: &str, value: Value| json!({ "name": name, "valueType": kind, "value": value });
        let block = |offset: u32, class: &str, inputs: Vec<Value>| {
            json!({
                "customType": format!("BABYLON.{class}"), "id": first + offset,
                "name": self.name, "inputs": inputs
            })
        };
        let (vector2, vector3) = ("BABYLON.Vector2", "BABYLON.Vector3");
        let mut blocks = Vec::new();
        let last = if self.sheet.is_some() { 3 } else { 2 };
        let inputs = vec![
            wire("particle", first + last, "output"),
            literal("emitRate", "number", json!(self.rate)),
        ];
        let mut system = block(0, "SystemBlock", inputs);
        let fields = json!({
            "capacity": self.capacity, "manualEmitCount": self.burst, "blendMode": 1, "updateSpeed": 1
        });
        for fields in [&fields, &self.system] {
            for (name, value) in fields.as_object().unwrap() {
                system[name] = value.clone();
            }
        }
        blocks.push(system);
        blocks.push(block(
            1,
            "CreateParticleBlock",
            vec![
                literal("emitPower", "number", json!(0)),
                literal("lifeTime", "number", json!(self.life)),
                literal("color", "BABYLON.Color4", json!(self.color)),
                literal("colorDead", "BABYLON.Color4", json!(self.color)),
                literal("scale", vector2, json!(self.scale)),
                literal("angle", "number", json!(self.angle)),
                literal("size", "number", json!(self.size)),
            ],
        ));
        blocks.push(block(
            2,
            "BoxShapeBlock",
            vec![
                wire("particle", first + 1, "particle"),
                literal("direction1", vector3, json!([0, 0, 0])),
                literal("direction2", vector3, json!([0, 0, 0])),
                literal("minEmitBox", vector3, json!(self.corners[0])),
                literal("maxEmitBox", vector3, json!(self.corners[1])),
            ],
        ));
        if let Some(([width, height], cell)) = self.sheet {
            let mut sheet =
                block(3, "SetupSpriteSheetBlock", vec![wire("particle", first + 2, "output")]);
            let fields = json!({
                "width": width, "height": height, "start": cell, "end": cell,
                "spriteCellChangeSpeed": 0, "loop": false, "randomStartCell": false
            });
            for (name, value) in fields.as_object().unwrap() {
                sheet[name] = value.clone();
            }
            blocks.push(sheet);
        }
        blocks
    }
}

/// Systems of a file, interpreted.
pub(crate) type Systems = Vec<ParticleSystem<Interpreted>>;

/// The systems of one file, in this order.
pub(crate) fn systems(specs: &[Spec]) -> Systems {
    let blocks = specs.iter().zip((1..).step_by(10)).flat_map(|(spec, first)| spec.blocks(first));
    let text = json!({ "blocks": blocks.collect::<Vec<_>>() }).to_string();
    let compiled = compile(text.as_bytes(), &Options::new(Profile::Exact));
    let module = Arc::new(compiled.unwrap_or_else(|errors| panic!("{errors:?}")).module);
    let programs = Interpreted::all(&module).into_iter();
    programs.map(|program| ParticleSystem::from_program(program, 0)).collect()
}

/// The names of systems.
pub(crate) fn one(spec: Spec) -> ParticleSystem<Interpreted> {
    systems(&[spec]).remove(0)
}

/// A picture of one colour.
pub(crate) fn plain(width: u32, height: u32, color: [u8; 4]) -> Image {
    Image::new(width, height, color.repeat((width * height) as usize)).unwrap()
}

/// A picture whose rows are drawn from above, as it is loaded for a graph that says `invertY`: its
/// lowest row comes first.
pub(crate) fn picture(width: u32, height: u32, at: impl Fn(u32, u32) -> [u8; 4]) -> Image {
    let rows = (0..height).rev();
    let pixels: Vec<u8> =
        rows.flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| at(x, y)).collect();
    Image::new(width, height, pixels).unwrap()
}
