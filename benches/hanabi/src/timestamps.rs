//! Device timestamps before and after all that is recorded in a frame.

use std::error::Error;

use bevy::prelude::*;
use bevy::render::renderer::{RenderContext, RenderDevice, RenderQueue};

#[derive(Resource)]
pub struct Timestamps {
    device: wgpu::Device,
    /// Nanoseconds of a tick.
    period: f64,
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
}

impl Timestamps {
    pub fn new(render: &World) -> Result<Self, Box<dyn Error>> {
        let device =
            render.get_resource::<RenderDevice>().ok_or("no device")?.wgpu_device().clone();
        let queue = render.get_resource::<RenderQueue>().ok_or("no queue")?;
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: 16,
                usage,
                mapped_at_creation: false,
            })
        };
        Ok(Self {
            period: f64::from(queue.get_timestamp_period()),
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            read: buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
            device,
        })
    }

    /// Seconds between the two, once the frame is done.
    pub fn seconds(&self) -> Result<f64, Box<dyn Error>> {
        self.read.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        let ticks: Vec<u64> = {
            let view = self.read.get_mapped_range(..);
            view.chunks_exact(8)
                .map(|bytes| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
                .collect()
        };
        self.read.unmap();
        let [begin, end] = ticks[..] else { return Err("no timestamps".into()) };
        Ok(end.saturating_sub(begin) as f64 * self.period * 1e-9)
    }
}

/// Writes the first one.
pub fn begin(mut context: RenderContext, timestamps: Res<Timestamps>) {
    context.command_encoder().write_timestamp(&timestamps.queries, 0);
}

/// Writes the second one, and copies both to where the host can read them.
pub fn end(mut context: RenderContext, timestamps: Res<Timestamps>) {
    let encoder = context.command_encoder();
    encoder.write_timestamp(&timestamps.queries, 1);
    encoder.resolve_query_set(&timestamps.queries, 0..2, &timestamps.resolved, 0);
    encoder.copy_buffer_to_buffer(&timestamps.resolved, 0, &timestamps.read, 0, 16);
}
