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

/// Copies that were encoded.
#[derive(Debug)]
pub struct ReadBack {
    /// `None` for an empty region.
    copies: Vec<Option<wgpu::Buffer>>,
    progress: Arc<Progress>,
}

#[derive(Debug)]
struct Progress {
    /// Copies that the host cannot read yet.
    left: AtomicUsize,
    has_failed: AtomicBool,
}

impl ReadBack {
    /// Encodes the copies; they become readable some time after the encoder was submitted.
    pub fn encode(
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        buffers: &Buffers,
        regions: &[Region],
    ) -> Self {
        let mut copy = |region: &Region| copy_out(device, encoder, buffers, *region);
        let copies: Vec<Option<wgpu::Buffer>> = regions.iter().map(&mut copy).collect();
        let progress = Arc::new(Progress {
            left: AtomicUsize::new(copies.iter().flatten().count()),
            has_failed: AtomicBool::new(false),
        });
        for copy in copies.iter().flatten() {
            let progress = Arc::clone(&progress);
            encoder.map_buffer_on_submit(copy, wgpu::MapMode::Read, .., move |result| {
                if result.is_err() {
                    progress.has_failed.store(true, Ordering::Relaxed);
                }
                progress.left.fetch_sub(1, Ordering::Release);
            });
        }
        Self { copies, progress }
    }

    /// Whether [`take`](Self::take) has something to take, or knows that it never will.
    pub fn is_ready(&self) -> bool {
        self.progress.left.load(Ordering::Acquire) == 0
    }

    /// The words of all regions.
    ///
    /// # Errors
    /// The device was lost on the way.
    pub fn take(self, doing: &'static str) -> Result<Vec<Vec<u32>>, GpuError> {
        if !self.is_ready() || self.progress.has_failed.load(Ordering::Relaxed) {
            return Err(GpuError::Lost { doing });
        }
        let words = |copy: Option<wgpu::Buffer>| {
            let Some(copy) = copy else { return Ok(Vec::new()) };
            let view = copy.get_mapped_range(..).map_err(|_| GpuError::Lost { doing })?;
            Ok(bytemuck::pod_collect_to_vec(&view))
        };
        self.copies.into_iter().map(words).collect()
    }
}

/// A mappable copy of a region; `None` for an empty one.
fn copy_out(
    device: &wgpu::Device,
    encoder: &mut wgpu::CommandEncoder,
    buffers: &Buffers,
    region: Region,
) -> Option<wgpu::Buffer> {
    let from = buffers.get(region.resource).filter(|_| region.words > 0)?;
    let size = u64::from(region.words) * WORD;
    let copy = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("pyrograph read back"),
        size,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    encoder.copy_buffer_to_buffer(from, u64::from(region.first) * WORD, &copy, 0, size);
    Some(copy)
}
