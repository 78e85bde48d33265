//! Where the camera is: as the flags say, or so that all particles are in the picture.

use std::f64::consts::FRAC_PI_2;

use clap::Args;
use pyrograph::picture::ArcRotate;
use pyrograph::picture::camera::{dot, look_at};
use pyrograph::{Camera, Field, ParticleState};

use crate::numbers::Orbit;

/// The flags that place the camera.
#[derive(Clone, Debug, Args)]
pub(crate) struct Lens {
    /// Camera that orbits a target, as Babylon places it: alpha, beta, radius, and the target's x, y, z
    /// [default: in front, so that all particles are in the picture]
    #[arg(long, value_name = "ALPHA,BETA,RADIUS,X,Y,Z", allow_hyphen_values = true)]
    camera: Option<Orbit>,

    /// Vertical field of view, in radians
    #[arg(long, value_name = "ANGLE", default_value_t = 0.8, value_parser = field_of_view)]
    fov: f64,

    /// Distance of the near plane [default: 0.1]
    #[arg(long, value_name = "DISTANCE", value_parser = distance)]
    near: Option<f64>,

    /// Distance of the far plane [default: 100, or what it takes to see all particles]
    #[arg(long, value_name = "DISTANCE", value_parser = distance)]
    far: Option<f64>,
}

/// From where a camera looks that nobody has placed.
const ALPHA: f64 = -FRAC_PI_2;
const BETA: f64 = 1.3;
/// How much more room there is than particles take.
const MARGIN: f64 = 1.05;

impl Lens {
    /// The camera that the flags place, if they do.
    pub(crate) fn placed(&self) -> Option<ArcRotate> {
        let Orbit([alpha, beta, radius, x, y, z]) = self.camera?;
        Some(self.orbit(alpha, beta, radius, [x, y, z], 100.0))
    }

    /// A camera for particles that nobody has seen yet.
    pub(crate) fn first(&self) -> ArcRotate {
        self.orbit(ALPHA, BETA, 10.0, [0.0; 3], 100.0)
    }

    /// The camera that sees all that is within the bounds.
    pub(crate) fn around(&self, bounds: &Bounds, aspect: f64) -> ArcRotate {
        let Some((middle, half)) = bounds.extent() else { return self.first() };
        let slope = (0.5 * self.fov).tan();
        let across = (half[0] / (slope * aspect)).max(half[1] / slope);
        let radius = (across * MARGIN + half[2]).max(1e-3);
        self.orbit(ALPHA, BETA, radius, middle, (2.0 * radius).max(100.0))
    }

    fn orbit(&self, alpha: f64, beta: f64, radius: f64, target: [f64; 3], far: f64) -> ArcRotate {
        let near = self.near.unwrap_or(0.1_f64.min(0.01 * radius.abs().max(1e-3)));
        let near = if self.near.is_none() && self.camera.is_some() { 0.1 } else { near };
        let far = self.far.unwrap_or(far);
        ArcRotate { alpha, beta, radius, target, fov: self.fov, near, far }
    }
}

/// What particles take up, along the axes of a camera that nobody has placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
}

impl Default for Bounds {
    fn default() -> Self {
        Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] }
    }
}

/// Right, up and away, for that camera.
fn axes() -> [[f64; 3]; 3] {
    let eye = ArcRotate { alpha: ALPHA, beta: BETA, ..ArcRotate::default() }.eye();
    let view = look_at(eye, [0.0; 3]);
    [0, 1, 2].map(|row| [view[row], view[4 + row], view[8 + row]])
}

impl Bounds {
    /// Takes in all particles of a system, with their whole quads.
    pub(crate) fn add(&mut self, state: &dyn ParticleState) {
        let axes = axes();
        let pivot = state.render().translation_pivot;
        for slot in (0..state.slots()).filter(|&slot| state.is_alive(slot)) {
            let value = |field| state.value(slot, field).unwrap_or(0.0);
            let position = [0, 1, 2].map(|axis| value(Field::Position(axis)));
            let side = |axis: u8| {
                let offset = 0.5 + pivot[usize::from(axis)].abs();
                (value(Field::Size) * value(Field::Scale(axis))).abs() * offset
            };
            let reach = side(0).hypot(side(1)) + pivot[0].hypot(pivot[1]);
            for (axis, direction) in axes.into_iter().enumerate() {
                let at = dot(direction, position);
                if (at + reach).is_finite() {
                    self.low[axis] = self.low[axis].min(at - reach);
                    self.high[axis] = self.high[axis].max(at + reach);
                }
            }
        }
    }

    /// The middle, in the world, and half the extent along the axes; `None` without particles.
    fn extent(&self) -> Option<([f64; 3], [f64; 3])> {
        let Self { low, high } = *self;
        if !low.iter().chain(&high).all(|end| end.is_finite()) {
            return None;
        }
        let middle = [0, 1, 2].map(|axis| 0.5 * (low[axis] + high[axis]));
        let half = [0, 1, 2].map(|axis| 0.5 * (high[axis] - low[axis]));
        let axes = axes();
        let world = [0, 1, 2].map(|k| (0..3).map(|axis| axes[axis][k] * middle[axis]).sum());
        Some((world, half))
    }
}

/// The camera for a picture of that size.
pub(crate) fn camera(orbit: &ArcRotate, [width, height]: [u32; 2]) -> Camera {
    orbit.camera(f64::from(width) / f64::from(height))
}

fn field_of_view(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(angle) if angle > 0.0 && angle < std::f64::consts::PI => Ok(angle),
        _ => Err("give an angle between 0 and 3.14".into()),
    }
}

fn distance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(distance) if distance > 0.0 && f64::is_finite(distance) => Ok(distance),
        _ => Err("give a number above 0".into()),
    }
}
