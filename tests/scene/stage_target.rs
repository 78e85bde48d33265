//! A target that draws nothing by itself.

use std::convert::Infallible;

use pyrograph::picture::Image;
use pyrograph::picture::sprite2d::{Layer, LayerId, Target};

/// Takes every layer.
pub(crate) struct Nothing;

impl Target for Nothing {
    type Error = Infallible;

    fn attach(&mut self, _: LayerId, _: &Layer, _: &Image) -> Result<(), Infallible> {
        Ok(())
    }

    fn detach(&mut self, _: LayerId) {}
}
