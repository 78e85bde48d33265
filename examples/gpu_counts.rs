//! Fountains on a GPU that draw nothing: `cargo run --example gpu_counts`.
//!
//! Three instances share one program. Each frame records a step of all of them into one encoder,
//! as an application would that has passes of its own; only now and then are counters read back.
#![expect(clippy::print_stdout, reason = "it prints what it counts")]

use pyrograph::gpu::{GpuError, GpuProgram, GpuSystem, default_device};

const GRAPH: &str = include_str!("../fixtures/graphs/canonical/fountain.json");

fn main() -> Result<(), GpuError> {
    let (device, queue) = default_device()?;
    println!("on {}", device.adapter_info().name);
    let fountain = GpuProgram::from_graph(&device, &queue, GRAPH)?.remove(0);
    let fountains: Result<Vec<GpuSystem>, GpuError> =
        (0..3).map(|seed| fountain.instance(seed)).collect();
    let mut fountains = fountains?;
    for (system, rate) in fountains.iter_mut().zip([20.0, 60.0, 1000.0]) {
        system.set_emit_rate(rate);
        system.start();
    }
    for frame in 1..=180 {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for system in &mut fountains {
            system.record(1.0)?;
            system.encode(&mut encoder)?;
        }
        queue.submit([encoder.finish()]);
        if frame % 60 == 0 {
            let counts: Result<Vec<u32>, GpuError> =
                fountains.iter_mut().map(|system| Ok(system.counters()?.alive)).collect();
            println!("after {frame} steps: {:?} alive", counts?);
        }
    }
    Ok(())
}
