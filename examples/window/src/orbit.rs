//! The camera that a person turns.

use std::f64::consts::PI;

use pyrograph::picture::ArcRotate;
use pyrograph::picture::camera::look_at;

/// Where everybody begins; the page of `pyrograph preview` does so too.
pub(crate) fn start() -> ArcRotate {
    ArcRotate {
        beta: 1.3,
        radius: 8.0,
        target: [0.0, 1.0, 0.0],
        near: 0.05,
        far: 1000.0,
        ..ArcRotate::default()
    }
}

/// Turns by radians; never over the pole, where up has no meaning.
pub(crate) fn turn(orbit: &mut ArcRotate, alpha: f64, beta: f64) {
    orbit.alpha += alpha;
    orbit.beta = (orbit.beta + beta).clamp(0.01, PI - 0.01);
}

/// Makes the distance so many times as long.
pub(crate) fn zoom(orbit: &mut ArcRotate, factor: f64) {
    orbit.radius = (orbit.radius * factor).clamp(0.1, 500.0);
}

/// Moves the target across the picture, by shares of its height; x right, y down.
pub(crate) fn pan(orbit: &mut ArcRotate, x: f64, y: f64) {
    let view = look_at(orbit.eye(), orbit.target);
    let height = 2.0 * orbit.radius * (0.5 * orbit.fov).tan();
    for (axis, at) in orbit.target.iter_mut().enumerate() {
        let (right, up) = (view[4 * axis], view[4 * axis + 1]);
        *at += height * (y * up - x * right);
    }
}
