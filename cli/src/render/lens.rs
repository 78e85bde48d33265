//! Where the camera is: as the flags say, or so that all particles are in the picture.

use std::f64::consts::FRAC_PI_2;

use clap::Args;
use pyrograph::picture::ArcRotate;
use pyrograph::picture::camera::look_at;
use pyrograph::{Camera, Field, ParticleState};
use pyrograph_compiler::graph::js;

use crate::failure::Failure;
use crate::numbers::Orbit;

/// The flags that place the camera.
#[derive(Clone, Debug, Args)]
pub(crate) struct Lens {
    /// Camera that orbits a target, as Babylon places it: alpha, beta, radius, and the target's x, y, z
    /// [default: in front, so that all particles are in the picture]
    #[arg(long, value_name = "ALPHA,BETA,RADIUS,X,Y,Z", allow_hyphen_values = true)]
    camera: Option<Orbit>,

    /// Vertical field of view, in radians
    #[arg(long, value_name = "ANGLE", default_value_t = 0.8, allow_negative_numbers = true, value_parser = field_of_view)]
    fov: f64,

    /// Distance of the near plane [default: 0.1, or less for a small effect without `--camera`]
    #[arg(long, value_name = "DISTANCE", allow_negative_numbers = true, value_parser = distance)]
    near: Option<f64>,

    /// Distance of the far plane [default: 100, or what it takes to see all particles]
    #[arg(long, value_name = "DISTANCE", allow_negative_numbers = true, value_parser = distance)]
    far: Option<f64>,
}

/// From where a camera looks that nobody has placed.
const ALPHA: f64 = -FRAC_PI_2;
const BETA: f64 = 1.3;
/// The planes of a camera whose target is some units away.
const NEAR: f64 = 0.1;
const FAR: f64 = 100.0;
/// How much more room there is than particles take.
const MARGIN: f64 = 1.05;

impl Lens {
    /// The camera that the flags place, if they do.
    pub(crate) fn placed(&self) -> Result<Option<ArcRotate>, Failure> {
        let Some(Orbit([alpha, beta, radius, x, y, z])) = self.camera else {
            // The other plane is not known yet, where a flag gives only one.
            let (near, far) = (self.near.unwrap_or(0.0), self.far.unwrap_or(f64::INFINITY));
            return self.check(near, far).map(|()| None);
        };
        let orbit = self.orbit([alpha, beta, radius], [x, y, z], [NEAR, FAR]);
        self.check(orbit.near, orbit.far).map(|()| Some(orbit))
    }

    /// A camera for particles that nobody has seen yet.
    pub(crate) fn first(&self) -> ArcRotate {
        let near = self.far.map_or(NEAR, |far| NEAR.min(0.01 * far));
        let far = self.near.map_or(FAR, |near| FAR.max(100.0 * near));
        self.orbit([ALPHA, BETA, 10.0], [0.0; 3], [near, far])
    }

    /// Nothing that was seen yet, for a picture that is `aspect` times as wide as it is high.
    pub(crate) fn bounds(&self, aspect: f64) -> Bounds {
        let slope = (0.5 * self.fov).tan() / MARGIN;
        Bounds {
            slopes: [slope * aspect, slope],
            reach: [[f64::NEG_INFINITY; 2]; 2],
            depth: [f64::INFINITY, f64::NEG_INFINITY],
        }
    }

    /// The nearest camera that sees all that is within the bounds.
    pub(crate) fn around(&self, bounds: &Bounds) -> Result<ArcRotate, Failure> {
        let Some((middle, radius)) = bounds.fit() else { return Ok(self.first()) };
        let planes = [NEAR.min(0.01 * radius), FAR.max(4.0 * radius)];
        let orbit = self.orbit([ALPHA, BETA, radius], middle, planes);
        self.check(orbit.near, orbit.far).map(|()| orbit)
    }

    /// Whether there is anything between the planes.
    fn check(&self, near: f64, far: f64) -> Result<(), Failure> {
        if near < far {
            return Ok(());
        }
        let given = |plane: Option<f64>, distance: f64| {
            let distance = js::number_to_string(distance);
            match plane {
                Some(_) => distance,
                None => format!("{distance} where no flag places it"),
            }
        };
        Err(Failure::Usage(format!(
            "nothing can be seen between the near plane, at {}, and the far one, at {}: give \
             `--near` less than `--far`",
            given(self.near, near),
            given(self.far, far),
        )))
    }

    /// `planes` are the near and the far one, where no flag places them.
    fn orbit(
        &self,
        [alpha, beta, radius]: [f64; 3],
        target: [f64; 3],
        planes: [f64; 2],
    ) -> ArcRotate {
        let (near, far) = (self.near.unwrap_or(planes[0]), self.far.unwrap_or(planes[1]));
        ArcRotate { alpha, beta, radius, target, fov: self.fov, near, far }
    }
}

/// How far particles reach, as a camera sees it that nobody has placed. With the axes right, up and
/// away, an eye at e sees a ball of radius r at p where ±(p - e).x + r is at most (p - e).z times the
/// slope of the picture's edge, and likewise for y: four maxima say all about any number of balls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Of the right and the upper edge.
    slopes: [f64; 2],
    /// The largest p.x + r - slope * p.z, and -p.x + r - slope * p.z; likewise for y.
    reach: [[f64; 2]; 2],
    /// The nearest and the farthest p.z.
    depth: [f64; 2],
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
            let radius = side(0).hypot(side(1)) + pivot[0].hypot(pivot[1]);
            let [x, y, z] = axes.map(|axis| (0..3).map(|k| axis[k] * position[k]).sum::<f64>());
            if !(x + y + z + radius).is_finite() {
                continue;
            }
            for ((at, slope), reach) in [x, y].into_iter().zip(self.slopes).zip(&mut self.reach) {
                let ends = [at, -at].map(|at| at + radius - slope * z);
                *reach = [reach[0].max(ends[0]), reach[1].max(ends[1])];
            }
            self.depth = [self.depth[0].min(z), self.depth[1].max(z)];
        }
    }

    /// The camera's target, in the world, and its distance; `None` without particles.
    fn fit(&self) -> Option<([f64; 3], f64)> {
        let [near, far] = self.depth;
        if near > far {
            return None;
        }
        let middle = 0.5 * (near + far);
        let sides = self.reach.iter().zip(self.slopes);
        let eyes = sides.map(|([right, left], slope)| -0.5 * (right + left) / slope);
        let eye = eyes.fold(middle, f64::min);
        let [x, y] = self.reach.map(|[right, left]| 0.5 * (right - left));
        let [right, up, away] = axes();
        let target = [0, 1, 2].map(|k| right[k] * x + up[k] * y + away[k] * middle);
        // Quads of no size can be looked at from anywhere.
        Some((target, (middle - eye).max(1e-3)))
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
