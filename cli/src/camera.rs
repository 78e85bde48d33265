//! The camera that graphs look at.

use clap::Args;
use pyrograph::Camera;
use pyrograph::picture::camera::invert;

use crate::failure::Failure;
use crate::numbers::Matrix;

/// The flags that place the camera. Without any there is none.
#[derive(Clone, Debug, Args)]
pub(crate) struct View {
    /// View matrix of a camera, for graphs that look at one: 16 numbers as Babylon stores them
    ///
    /// The camera's position follows from it. Without it, and with a view-projection, the camera
    /// is at the origin.
    #[arg(long, value_name = "NUMBERS", allow_hyphen_values = true)]
    view_matrix: Option<Matrix>,

    /// View and projection of that camera in one matrix [default: the view matrix]
    #[arg(long, value_name = "NUMBERS", allow_hyphen_values = true)]
    view_projection: Option<Matrix>,
}

impl View {
    /// The camera, if the flags give one.
    pub(crate) fn camera(&self) -> Result<Option<Camera>, Failure> {
        let Some(Matrix(first)) = self.view_matrix.or(self.view_projection) else {
            return Ok(None);
        };
        let view = self.view_matrix.map_or(Matrix::IDENTITY, |matrix| matrix.0);
        let view_projection = self.view_projection.map_or(first, |matrix| matrix.0);
        let Some(position) = position(&view) else {
            return Err(Failure::Usage(
                "`--view-matrix` has no inverse, so no camera sees this way".into(),
            ));
        };
        Ok(Some(Camera { position, view, view_projection }))
    }
}

/// The translation of the inverse: what the matrix moves to the origin.
fn position(view: &[f64; 16]) -> Option<[f64; 3]> {
    let inverse = invert(view)?;
    Some([inverse[12], inverse[13], inverse[14]])
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn finds_the_camera() {
        // Half a turn about y, and the camera at (1, 2, 3).
        let view =
            [-1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, -2.0, 3.0, 1.0];
        assert_eq!(position(&view), Some([1.0, 2.0, 3.0]));
        assert_eq!(position(&[0.0; 16]), None);
    }
}
