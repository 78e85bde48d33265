//! Systems, and files of them.

use serde_json::{Value, json};

use super::blocks::{Flow, Port};
use super::maker::Maker;
use super::random::Random;
use super::wire::{Place, Range, Shape};

/// A file.
pub(crate) fn file(random: Random) -> Value {
    let mut maker = Maker::new(random);
    let systems = *maker.random.pick(&[1, 1, 1, 1, 1, 1, 2, 2, 3]);
    // Values that belong to no place are shared by the systems.
    for _ in 0..systems {
        maker.system();
    }
    let Maker { mut random, blocks, .. } = maker;
    let mut blocks = blocks.into_vec();
    if random.one_in(2) {
        for at in (1..blocks.len()).rev() {
            blocks.swap(at, random.below(at + 1));
        }
    }
    json!({"customType": "BABYLON.NodeParticleSystemSet", "name": "generated", "blocks": blocks})
}

impl Maker {
    fn system(&mut self) {
        let is_local = self.random.one_in(5);
        let has_cells = self.random.one_in(4);
        let mut particle = self.born();
        if has_cells {
            particle = self.sheet(particle);
        }
        let updates = self.updates(is_local, has_cells);
        if !self.random.one_in(8) {
            particle = self.moved(&updates, particle);
        }
        for _ in 0..1 + self.random.below(5) {
            particle = self.update(&updates, particle);
            particle = self.flow_detour(particle);
        }
        if has_cells {
            particle = self.step_of(particle, "BasicSpriteUpdateBlock");
        }
        let place = Place { scope: self.new_scope(), of_particles: false, known: Vec::new() };
        let mut inputs = vec![("particle".to_owned(), Port::from(particle))];
        inputs.push(("emitRate".to_owned(), self.port(&place, Shape::Scalar, 8.0, 60.0)));
        if self.random.one_in(2) {
            inputs.push(("texture".to_owned(), self.texture().into()));
        }
        if self.random.one_in(4) {
            let stop = self.early(Shape::Scalar, Range::new(0.2, 1.0));
            inputs.push(("targetStopDuration".to_owned(), stop.into()));
        }
        if self.random.one_in(4) {
            let pivot = vec![self.number(-1.0, 1.0), self.number(-1.0, 1.0)];
            inputs.push(("translationPivot".to_owned(), Port::Literal(pivot)));
        }
        let manual = if self.random.one_in(8) { self.random.below(12) as f64 } else { -1.0 };
        let warm = if self.random.one_in(6) { self.random.below(12) } else { 0 };
        let fields = json!({
            "capacity": *self.random.pick(&[1, 4, 16, 40, 40, 60]),
            "isLocal": is_local,
            "updateSpeed": *self.random.pick(&[0.0167, 0.0167, 0.01, 0.03]),
            "manualEmitCount": manual,
            "preWarmCycles": warm,
            "preWarmStepOffset": *self.random.pick(&[1.0, 0.5]),
            "blendMode": self.random.below(5),
            "isBillboardBased": !self.random.one_in(6),
            "billBoardMode": *self.random.pick(&[7, 7, 2, 8, 9]),
        });
        self.blocks.add_with("SystemBlock", fields, inputs);
    }

    fn sheet(&mut self, particle: Flow) -> Flow {
        let start = self.random.below(4);
        let fields = json!({
            "start": start,
            "end": start + self.random.below(8),
            "loop": self.random.one_in(2),
            "randomStartCell": self.random.one_in(2),
            "spriteCellChangeSpeed": *self.random.pick(&[0.0, 1.0, 1.0, 2.5]),
            "width": 32,
            "height": 16,
        });
        let inputs = [("particle", particle.into())];
        let block = self.blocks.add("SetupSpriteSheetBlock", fields, inputs);
        Flow { block, output: "output" }
    }

    /// The same particles, sometimes by a way that changes nothing.
    fn flow_detour(&mut self, particle: Flow) -> Flow {
        let inputs = [("input", particle.into())];
        let block = match self.random.below(24) {
            0 => self.blocks.add("ParticleElbowBlock", json!({}), inputs),
            1 => self.blocks.add("ParticleTriggerBlock", json!({}), inputs),
            2 => {
                let entry = self.blocks.add("ParticleTeleportInBlock", json!({}), inputs);
                self.blocks.add("ParticleTeleportOutBlock", json!({"entryPoint": entry}), [])
            }
            _ => return particle,
        };
        Flow { block, output: "output" }
    }
}
