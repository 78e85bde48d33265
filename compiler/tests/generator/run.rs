//! How a case is run, in the terms of recordings.

use serde_json::{Value, json};

use super::random::Random;

/// Steps, their lengths, where emitter and camera are, when the systems stop and start again.
pub(crate) fn recording(random: &mut Random) -> Value {
    let steps = 30 + random.below(40);
    let mut recording = json!({"steps": steps});
    match random.below(3) {
        0 => recording["ratios"] = json!([0; 3].map(|_| *random.pick(&[0.5, 1.0, 1.5, 2.0]))),
        _ => recording["ratio"] = json!(1.0),
    }
    if random.one_in(2) {
        recording["emitter"] = json!(point(random, 2.0));
    }
    if random.one_in(4) {
        let (from, speed) = (point(random, 1.0), point(random, 0.02));
        let turn = point(random, 0.1)[0];
        let matrices: Vec<[f64; 16]> =
            (0..steps).map(|step| matrix(from, speed, turn, step as f64)).collect();
        recording["emitterSchedule"] = json!(matrices);
    }
    if random.one_in(2) {
        let [x, y, z] = point(random, 1.0);
        recording["camera"] = camera([x, y, z - 6.0]);
    }
    if random.one_in(6) {
        let stop = 5 + random.below(steps - 15);
        recording["stopAt"] = json!(stop);
        if random.one_in(2) {
            recording["restartAt"] = json!(stop + 1 + random.below(8));
        }
    }
    recording
}

fn point(random: &mut Random, most: f64) -> [f64; 3] {
    [0; 3].map(|_| ((2.0 * random.unit() - 1.0) * most * 1e4).round() / 1e4)
}

/// An emitter that moves on a line and turns around y, by columns.
fn matrix(from: [f64; 3], speed: [f64; 3], turn: f64, step: f64) -> [f64; 16] {
    let (sin, cos) = (turn * step).sin_cos();
    let [x, y, z] = [0, 1, 2].map(|axis| from[axis] + speed[axis] * step);
    [cos, 0.0, -sin, 0.0, 0.0, 1.0, 0.0, 0.0, sin, 0.0, cos, 0.0, x, y, z, 1.0]
}

/// A camera that looks along z, by columns.
fn camera([x, y, z]: [f64; 3]) -> Value {
    let view = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -x, -y, -z, 1.0];
    // A lens of 16 : 9, as far as 100.
    let (width, height, depth) = (1.25, 2.25, 1.01);
    let view_projection = [
        width,
        0.0,
        0.0,
        0.0,
        0.0,
        height,
        0.0,
        0.0,
        0.0,
        0.0,
        depth,
        1.0,
        -x * width,
        -y * height,
        -z * depth - 1.0,
        -z,
    ];
    json!({"position": [x, y, z], "view": view, "viewProjection": view_projection})
}
