//! Device timestamps around recorded work.

use std::error::Error;

/// A device with the means to take timestamps.
pub(crate) struct Timer {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
}

/// The fastest adapter with timestamps, with all its limits; and what it is.
pub(crate) async fn device() -> Result<(wgpu::Device, wgpu::Queue, String), Box<dyn Error>> {
    let instance =
        wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..wgpu::RequestAdapterOptions::default()
    };
    let adapter = instance.request_adapter(&options).await?;
    let (device, queue) = adapter
        .request_device(&wgpu::DeviceDescriptor {
            label: Some("bench"),
            required_features: wgpu::Features::TIMESTAMP_QUERY
                | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS,
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        })
        .await?;
    let info = adapter.get_info();
    Ok((device, queue, format!("{} ({:?})", info.name, info.backend)))
}

impl Timer {
    pub(crate) fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: 16,
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            device: device.clone(),
            queue: queue.clone(),
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            read: buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
        }
    }

    /// Seconds that the GPU takes for what `record` appends to an encoder.
    pub(crate) fn seconds(
        &self,
        record: impl FnOnce(&mut wgpu::CommandEncoder) -> Result<(), Box<dyn Error>>,
    ) -> Result<f64, Box<dyn Error>> {
        let mut encoder =
            self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.write_timestamp(&self.queries, 0);
        record(&mut encoder)?;
        encoder.write_timestamp(&self.queries, 1);
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read, 0, 16);
        self.queue.submit([encoder.finish()]);
        self.read.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        let ticks: Vec<u64> = {
            let view = self.read.get_mapped_range(..)?;
            view.chunks_exact(8)
                .map(|bytes| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
                .collect()
        };
        self.read.unmap();
        let [begin, end] = ticks[..] else { return Err("no timestamps".into()) };
        Ok((end - begin) as f64 * f64::from(self.queue.get_timestamp_period()) * 1e-9)
    }

    /// Medians of what several dispatches take that follow each other.
    pub(crate) fn medians(
        &self,
        rounds: u32,
        parts: &[&dyn Fn(&mut wgpu::CommandEncoder)],
    ) -> Result<Vec<f64>, Box<dyn Error>> {
        let mut times = vec![Vec::new(); parts.len()];
        for _ in 0..rounds {
            for (part, times) in parts.iter().zip(&mut times) {
                times.push(self.seconds(|encoder| {
                    part(encoder);
                    Ok(())
                })?);
            }
        }
        Ok(times.into_iter().map(middle).collect())
    }

    /// The median of some rounds.
    pub(crate) fn median(
        &self,
        rounds: u32,
        mut record: impl FnMut(&mut wgpu::CommandEncoder) -> Result<(), Box<dyn Error>>,
    ) -> Result<f64, Box<dyn Error>> {
        let mut times = Vec::new();
        for _ in 0..rounds {
            times.push(self.seconds(&mut record)?);
        }
        Ok(middle(times))
    }
}

fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
