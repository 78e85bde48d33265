//! Copies of buffers that the host can read, waited for or not.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pyrograph_compiler::emit::layout::WORD;
use pyrograph_compiler::emit::wgsl::Resource;

use super::buffers::Buffers;
use super::error::GpuError;

/// Words to read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// From which buffer.
    pub resource: Resource,
    /// First word.
    pub first: u32,
    /// How many.
    pub words: u32,
}

/// Copies of regions.
#[derive(Debug)]
pub struct ReadBack {
    /// No buffer for an empty region.
    copies: Vec<(Region, Option<wgpu::Buffer>)>,
    progress: Arc<Progress>,
}

#[derive(Debug)]
struct Progress {
    /// Copies that the host cannot read yet.
    left: AtomicUsize,
    has_failed: AtomicBool,
}

/// A copy that is on its way. If nobody ever submits it, it has failed.
#[derive(Debug)]
struct Awaited {
    progress: Arc<Progress>,
    has_arrived: bool,
}

impl Awaited {
    fn end(mut self, has_arrived: bool) {
        self.has_arrived = has_arrived;
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        if !self.has_arrived {
            self.progress.has_failed.store(true, Ordering::Relaxed);
        }
        self.progress.left.fetch_sub(1, Ordering::Release);
    }
}

impl ReadBack {
    /// Takes the memory for the copies. Who calls looks for errors.
    pub fn new(device: &wgpu::Device, regions: &[Region]) -> Self {
        let copies: Vec<_> =
            regions.iter().map(|region| (*region, copy_of(device, *region))).collect();
        let progress = Progress {
            left: AtomicUsize::new(copies.iter().filter(|(_, copy)| copy.is_some()).count()),
            has_failed: AtomicBool::new(false),
        };
        Self { copies, progress: Arc::new(progress) }
    }

    /// Encodes the copies; they become readable some time after the encoder was submitted. If it is
    /// dropped instead, they have failed.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, buffers: &Buffers) {
        for (region, copy) in &self.copies {
            let (Some(from), Some(copy)) = (buffers.get(region.resource), copy) else { continue };
            let first = u64::from(region.first) * WORD;
            encoder.copy_buffer_to_buffer(from, first, copy, 0, copy.size());
            let awaited = Awaited { progress: Arc::clone(&self.progress), has_arrived: false };
            encoder.map_buffer_on_submit(copy, wgpu::MapMode::Read, .., move |result| {
                awaited.end(result.is_ok());
            });
        }
    }

    /// Whether [`take`](Self::take) has something to take, or knows that it never will.
    pub fn is_ready(&self) -> bool {
        self.progress.left.load(Ordering::Acquire) == 0
    }

    /// The words of all regions.
    ///
    /// # Errors
    /// The device was lost on the way, or the encoder was never submitted.
    pub fn take(self, doing: &'static str) -> Result<Vec<Vec<u32>>, GpuError> {
        if !self.is_ready() || self.progress.has_failed.load(Ordering::Relaxed) {
            return Err(GpuError::Lost { doing });
        }
        let words = |(_, copy): (Region, Option<wgpu::Buffer>)| {
            let Some(copy) = copy else { return Ok(Vec::new()) };
            let view = copy.get_mapped_range(..).map_err(|_| GpuError::Lost { doing })?;
            Ok(bytemuck::pod_collect_to_vec(&view))
        };
        self.copies.into_iter().map(words).collect()
    }
}

/// A mappable buffer for a copy of a region; `None` for an empty one.
fn copy_of(device: &wgpu::Device, region: Region) -> Option<wgpu::Buffer> {
    (region.words > 0).then(|| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("pyrograph read back"),
            size: u64::from(region.words) * WORD,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    })
}
