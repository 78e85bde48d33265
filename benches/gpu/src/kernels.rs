//! How a step's time divides into kernels: each timed by itself, over the buffers of a full system.

use std::error::Error;

use pyrograph::gpu::GpuSystem;

use crate::ROUNDS;
use crate::timer::Timer;

/// Names of the kernels, and the median of their seconds, each in a submission of its own, with a uniform
/// block of the last steps.
pub(crate) fn breakdown(
    timer: &Timer,
    system: &GpuSystem,
) -> Result<Vec<(&'static str, f64)>, Box<dyn Error>> {
    let steps = &system.manifest().step;
    let parts: Vec<_> = steps
        .iter()
        .zip(system.program().kernels())
        .map(|(step, pipeline)| {
            let [x, y] = step.workgroups;
            move |encoder: &mut wgpu::CommandEncoder| {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, system.bind_group(), &[0]);
                pass.dispatch_workgroups(x, y, 1);
            }
        })
        .collect();
    let parts: Vec<&dyn Fn(&mut wgpu::CommandEncoder)> =
        parts.iter().map(|part| part as &dyn Fn(&mut wgpu::CommandEncoder)).collect();
    let seconds = timer.medians(ROUNDS, &parts)?;
    Ok(steps.iter().map(|step| step.entry_point).zip(seconds).collect())
}
