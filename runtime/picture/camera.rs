//! Cameras: matrices in f64, column-major, left-handed, depth from 0 (near) to 1 (far).

use glam::{DMat3, DMat4, DVec3};

use crate::numeric::exact::{cos, sin, tan};
use crate::program::Camera;

/// Babylon's orbiting camera. It looks at its target with y up; at `alpha` = -π/2 world x is at the
/// right of the picture and z points away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArcRotate {
    /// Turn about y in radians.
    pub alpha: f64,
    /// Angle from the y axis in radians.
    pub beta: f64,
    /// Distance from the target.
    pub radius: f64,
    /// Where it looks, in the world.
    pub target: [f64; 3],
    /// Vertical field of view in radians.
    pub fov: f64,
    /// Distance of the near plane.
    pub near: f64,
    /// Distance of the far plane.
    pub far: f64,
}

/// Babylon's defaults of fov, and the planes of spec section 13.3; ten units in front of the origin.
impl Default for ArcRotate {
    fn default() -> Self {
        Self {
            alpha: -std::f64::consts::FRAC_PI_2,
            beta: std::f64::consts::FRAC_PI_2,
            radius: 10.0,
            target: [0.0; 3],
            fov: 0.8,
            near: 0.1,
            far: 100.0,
        }
    }
}

impl ArcRotate {
    /// Where the eye is.
    #[must_use]
    pub fn eye(&self) -> [f64; 3] {
        // Straight from above or below "up" has no meaning; Babylon steps aside as little.
        let sine = if sin(self.beta) == 0.0 { 1e-4 } else { sin(self.beta) };
        let [x, y, z] = self.target;
        let out = self.radius * sine;
        [x + out * cos(self.alpha), y + self.radius * cos(self.beta), z + out * sin(self.alpha)]
    }

    /// The camera for a picture that is `aspect` times as wide as it is high.
    #[must_use]
    pub fn camera(&self, aspect: f64) -> Camera {
        let eye = self.eye();
        let projection = perspective(self.fov, aspect, self.near, self.far);
        Camera::new(eye, look_at(eye, self.target), projection)
    }
}

impl Camera {
    /// The camera at `position` that sees the world through these matrices.
    #[must_use]
    pub fn new(position: [f64; 3], view: [f64; 16], projection: [f64; 16]) -> Self {
        Self { position, view, view_projection: multiply(&projection, &view) }
    }

    /// What takes view space to clip space; `None` where the view has no inverse.
    #[must_use]
    pub fn projection(&self) -> Option<[f64; 16]> {
        Some(multiply(&self.view_projection, &invert(&self.view)?))
    }

    /// The same camera in a world whose z axis points the other way: for hosts that are right-handed,
    /// while particles are left-handed.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mirror = |mut matrix: [f64; 16]| {
            for element in &mut matrix[8..12] {
                *element = -*element;
            }
            matrix
        };
        let [x, y, z] = self.position;
        Self {
            position: [x, y, -z],
            view: mirror(self.view),
            view_projection: mirror(self.view_projection),
        }
    }
}

/// The left-handed view matrix of an eye that looks at a target, y up. An eye in its target looks
/// along z.
#[must_use]
pub fn look_at(eye: [f64; 3], target: [f64; 3]) -> [f64; 16] {
    let [eye, target] = [eye, target].map(DVec3::from_array);
    let forward = (target - eye).try_normalize().unwrap_or(DVec3::Z);
    let right = DVec3::Y.cross(forward).try_normalize().unwrap_or(DVec3::X);
    let axes = DMat3::from_cols(right, forward.cross(right), forward).transpose();
    DMat4::from_mat3_translation(axes, -(axes * eye)).to_cols_array()
}

/// The left-handed perspective projection of a vertical field of view in radians; depth is 0 at
/// `near` and 1 at `far`.
#[must_use]
pub fn perspective(fov: f64, aspect: f64, near: f64, far: f64) -> [f64; 16] {
    let y = 1.0 / tan(0.5 * fov);
    let mut matrix = [0.0; 16];
    matrix[0] = y / aspect;
    matrix[5] = y;
    matrix[10] = far / (far - near);
    matrix[11] = 1.0;
    matrix[14] = -near * far / (far - near);
    matrix
}

/// The product of two matrices: `b` acts first.
#[must_use]
pub fn multiply(a: &[f64; 16], b: &[f64; 16]) -> [f64; 16] {
    (DMat4::from_cols_array(a) * DMat4::from_cols_array(b)).to_cols_array()
}

/// The inverse of a matrix; `None` where it has none.
#[must_use]
pub fn invert(matrix: &[f64; 16]) -> Option<[f64; 16]> {
    DMat4::from_cols_array(matrix).try_inverse().map(|inverse| inverse.to_cols_array())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::{ArcRotate, invert, multiply};
    use crate::program::Camera;

    /// Where a place is in the picture, from -1 to 1, and its depth.
    fn seen(camera: &Camera, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let m = &camera.view_projection;
        let at = |row: usize| m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row];
        [at(0) / at(3), at(1) / at(3), at(2) / at(3)]
    }

    #[test]
    fn x_is_at_the_right_from_the_front_and_at_the_left_from_behind() {
        let front = ArcRotate { radius: 5.0, ..ArcRotate::default() };
        let [x, y, depth] = seen(&front.camera(2.0), [1.0, 0.5, 0.0]);
        let half = 1.0 / (5.0 * 0.4f64.tan());
        assert!((x - half / 2.0).abs() < 1e-12 && (y - half / 2.0).abs() < 1e-12);
        assert!((depth - (100.0 / 99.9) * (1.0 - 0.1 / 5.0)).abs() < 1e-12, "{depth}");
        let behind = ArcRotate { alpha: FRAC_PI_2, ..front };
        assert!(seen(&behind.camera(2.0), [1.0, 0.0, 0.0])[0] < 0.0);
    }

    #[test]
    fn a_camera_knows_its_projection_and_its_mirror_image() {
        let arc =
            ArcRotate { alpha: 0.3, beta: 1.2, target: [1.0, 2.0, 3.0], ..ArcRotate::default() };
        let camera = arc.camera(1.5);
        let projection = camera.projection().unwrap();
        let wanted = super::perspective(0.8, 1.5, 0.1, 100.0);
        assert!(projection.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12));
        let [a, b] = [seen(&camera, [1.0, 2.5, 4.0]), seen(&camera.mirrored(), [1.0, 2.5, -4.0])];
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn inverses_undo() {
        let matrix = ArcRotate { alpha: 0.7, ..ArcRotate::default() }.camera(1.3).view_projection;
        let one = multiply(&matrix, &invert(&matrix).unwrap());
        for (index, element) in one.into_iter().enumerate() {
            let wanted = if index % 5 == 0 { 1.0 } else { 0.0 };
            assert!((element - wanted).abs() < 1e-9, "{one:?}");
        }
        assert_eq!(invert(&[0.0; 16]), None);
    }
}
