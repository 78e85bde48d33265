//! What all renderers of one kind of target share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::RenderError;
use super::pipeline::Recipe;
use super::target::Target;
use super::uniform;
use crate::gpu::device::guarded;
use crate::picture::{Blend, Filter};

/// A device, a target, and the pipelines that draw on it; systems that are drawn alike share them.
/// Clones are the same canvas.
#[derive(Clone, Debug)]
pub struct Canvas(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    device: wgpu::Device,
    queue: wgpu::Queue,
    target: Target,
    smooth: wgpu::Sampler,
    nearest: wgpu::Sampler,
    /// What every shader has: without and with the scene's depth.
    groups: [wgpu::BindGroupLayout; 2],
    /// By shader text and blending.
    pipelines: Mutex<BTreeMap<Key, wgpu::RenderPipeline>>,
}

type Key = (String, [u8; 4]);

impl Canvas {
    /// A canvas for render passes with these attachments.
    ///
    /// # Errors
    /// The device is lost.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        target: Target,
    ) -> Result<Self, RenderError> {
        let (device, queue) = (device.clone(), queue.clone());
        let inner = guarded(&device.clone(), "preparing to draw", || Inner {
            smooth: device.create_sampler(&sampler(&device, Filter::Smooth)),
            nearest: device.create_sampler(&sampler(&device, Filter::Nearest)),
            groups: [false, true].map(|is_soft| group_layout(&device, is_soft)),
            pipelines: Mutex::default(),
            device,
            queue,
            target,
        })?;
        Ok(Self(Arc::new(inner)))
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.0.device
    }

    /// The queue that uploads go to.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.0.queue
    }

    /// What is drawn into.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.0.target
    }

    pub(super) fn sampler(&self, filter: Filter) -> &wgpu::Sampler {
        match filter {
            Filter::Smooth => &self.0.smooth,
            Filter::Nearest => &self.0.nearest,
        }
    }

    pub(super) fn group_layout(&self, is_soft: bool) -> &wgpu::BindGroupLayout {
        &self.0.groups[usize::from(is_soft)]
    }

    /// The pipeline of a recipe, made the first time that it is asked for.
    pub(super) fn pipeline(
        &self,
        recipe: &Recipe<'_>,
    ) -> Result<wgpu::RenderPipeline, RenderError> {
        let Blend { color, alpha } = *recipe.blend;
        let factors = [color[0], color[1], alpha[0], alpha[1]].map(|factor| factor as u8);
        let key = (recipe.source.clone(), factors);
        // A pipeline is kept whole or not at all, whatever a thread that held the lock did.
        let mut pipelines = self.0.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = pipelines.get(&key) {
            return Ok(pipeline.clone());
        }
        let Inner { device, target, .. } = &*self.0;
        let make = || recipe.make(device, target);
        let pipeline = guarded(device, "creating a render pipeline", make)?;
        pipelines.insert(key, pipeline.clone());
        Ok(pipeline)
    }
}

fn sampler(device: &wgpu::Device, filter: Filter) -> wgpu::SamplerDescriptor<'static> {
    // Mesa's software adapter blurs all pictures where it may read finer along one axis, also those
    // that are seen straight on. Babylon's pictures are nearer without.
    let is_software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
    let anisotropy = if is_software { 1 } else { 4 };
    let repeat = wgpu::AddressMode::Repeat;
    let (texels, levels, anisotropy_clamp) = match filter {
        Filter::Smooth => (wgpu::FilterMode::Linear, wgpu::MipmapFilterMode::Linear, anisotropy),
        Filter::Nearest => (wgpu::FilterMode::Nearest, wgpu::MipmapFilterMode::Nearest, 1),
    };
    wgpu::SamplerDescriptor {
        label: Some("pyrograph picture"),
        address_mode_u: repeat,
        address_mode_v: repeat,
        mag_filter: texels,
        min_filter: texels,
        mipmap_filter: levels,
        anisotropy_clamp,
        ..wgpu::SamplerDescriptor::default()
    }
}

fn group_layout(device: &wgpu::Device, is_soft: bool) -> wgpu::BindGroupLayout {
    let texture = |sample_type| wgpu::BindingType::Texture {
        sample_type,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let block = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: wgpu::BufferSize::new(4 * uniform::WORDS as u64),
    };
    let picture = texture(wgpu::TextureSampleType::Float { filterable: true });
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    let (both, fragment) = (wgpu::ShaderStages::VERTEX_FRAGMENT, wgpu::ShaderStages::FRAGMENT);
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty,
        count: None,
    };
    let entries = [
        entry(0, both, block),
        entry(1, fragment, picture),
        entry(2, fragment, sampler),
        entry(3, fragment, texture(wgpu::TextureSampleType::Depth)),
    ];
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("pyrograph quads"),
        entries: if is_soft { &entries } else { &entries[..3] },
    })
}
