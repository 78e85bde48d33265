//! What is drawn into.

/// Which way the axes of the application's world go. Particles are left-handed, with y up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Handedness {
    /// z points away from a viewer who has x at the right.
    #[default]
    Left,
    /// z points to the viewer: particles are drawn with their z turned round, and cameras are the
    /// application's own, with depth from 0 to 1.
    Right,
}

/// The depth attachment. Quads are tested against it and never write to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Depth {
    /// Its format.
    pub format: wgpu::TextureFormat,
    /// Near is 1 and far is 0.
    pub is_reversed: bool,
}

/// A render target: what all passes have in common that a canvas is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Format of the colour attachment.
    pub color: wgpu::TextureFormat,
    /// The depth attachment, if there is one.
    pub depth: Option<Depth>,
    /// Samples a pixel: 1, 4, or what else the device has for the format.
    pub samples: u32,
    /// The world of the camera.
    pub handedness: Handedness,
}

impl Target {
    /// A left-handed target of one sample a pixel and without depth.
    #[must_use]
    pub fn new(color: wgpu::TextureFormat) -> Self {
        Self { color, depth: None, samples: 1, handedness: Handedness::Left }
    }
}

/// Pictures as they are stored: RGBA bytes.
impl Default for Target {
    fn default() -> Self {
        Self::new(wgpu::TextureFormat::Rgba8Unorm)
    }
}
