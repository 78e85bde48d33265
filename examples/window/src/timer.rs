//! What steps take on the GPU, where it tells.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use pyrograph::gpu::wgpu;

/// What a device needs for it.
pub(crate) const FEATURES: wgpu::Features =
    wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

/// Where the copy of the newest times is.
const IDLE: u8 = 0;
const AWAITED: u8 = 1;
const HERE: u8 = 2;

/// Times one submission after another, and never waits.
pub(crate) struct Timer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    copy: wgpu::Buffer,
    state: Arc<AtomicU8>,
    /// Nanoseconds a tick.
    period: f64,
    steps: u32,
    milliseconds: Option<f64>,
}

impl Timer {
    /// `None` where the device has no timestamps.
    pub(crate) fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Self> {
        if !device.features().contains(FEATURES) {
            return None;
        }
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: 16,
                usage,
                mapped_at_creation: false,
            })
        };
        Some(Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            copy: buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
            state: Arc::default(),
            period: f64::from(queue.get_timestamp_period()),
            steps: 0,
            milliseconds: None,
        })
    }

    /// What a step took when it was timed last.
    pub(crate) fn milliseconds(&mut self) -> Option<f64> {
        if self.state.load(Ordering::Acquire) == HERE {
            if let Ok(view) = self.copy.get_mapped_range(..) {
                let tick = |at: usize| {
                    let bytes = view[at..at + 8].iter().rev();
                    bytes.fold(0_u64, |word, &byte| word << 8 | u64::from(byte))
                };
                let ticks = tick(8).saturating_sub(tick(0));
                self.milliseconds = Some(ticks as f64 * self.period * 1e-6 / f64::from(self.steps));
            }
            self.copy.unmap();
            self.state.store(IDLE, Ordering::Release);
        }
        self.milliseconds
    }

    /// Times the steps that `record` appends to an encoder, unless others are still being timed.
    pub(crate) fn time<T>(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        steps: u32,
        record: impl FnOnce(&mut wgpu::CommandEncoder) -> T,
    ) -> T {
        if steps == 0 || self.state.load(Ordering::Acquire) != IDLE {
            return record(encoder);
        }
        encoder.write_timestamp(&self.queries, 0);
        let recorded = record(encoder);
        encoder.write_timestamp(&self.queries, 1);
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.copy, 0, 16);
        self.steps = steps;
        self.state.store(AWAITED, Ordering::Release);
        let state = Arc::clone(&self.state);
        encoder.map_buffer_on_submit(&self.copy, wgpu::MapMode::Read, .., move |result| {
            state.store(if result.is_ok() { HERE } else { IDLE }, Ordering::Release);
        });
        recorded
    }
}
