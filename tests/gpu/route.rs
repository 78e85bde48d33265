//! Which of GPU and CPU runs a program, and why.

use std::sync::Arc;

use pyrograph::gpu::{Backend, GpuError, Policy, Reason, RouteError, Simulation};
use pyrograph::{Interpreted, ParticleProgram, Pcg, state};
use pyrograph_compiler::ir::{Module, Valid};

use super::pair::{DEVICE, module};
use super::texts::fountain;

type Device = Result<(wgpu::Device, wgpu::Queue), GpuError>;

fn there() -> Device {
    Ok(DEVICE.clone())
}

fn missing() -> Device {
    Err(GpuError::NoDevice { reason: "none found".to_owned() })
}

fn auto(
    device: &Device,
    module: &Arc<Valid<Module>>,
    policy: Policy,
) -> Result<Simulation, RouteError> {
    Simulation::auto(device, module, 0, 7, policy)
}

fn is_gpu(simulation: &Simulation) -> bool {
    matches!(simulation.backend(), Backend::Gpu(_))
}

#[test]
fn a_gpu_is_taken_where_it_can_run_the_program() {
    let parallel = module(&fountain(100, 100.0));
    let exact = module(&fountain(100, 100.0).replace(" parallel ", " exact "));

    let simulation = auto(&there(), &parallel, Policy::Either).unwrap();
    assert!(is_gpu(&simulation) && simulation.reasons().is_empty());
    assert!(is_gpu(&auto(&there(), &parallel, Policy::Gpu).unwrap()));

    let simulation = auto(&there(), &parallel, Policy::Cpu).unwrap();
    assert!(!is_gpu(&simulation));
    assert_eq!(simulation.reasons(), [Reason::Policy]);

    // The profile is what it was, whatever the policy.
    let simulation = auto(&there(), &exact, Policy::Either).unwrap();
    let Backend::Cpu(system) = simulation.backend() else { panic!("on a GPU") };
    assert_eq!(system.program().profile(), pyrograph::Profile::Exact);
    let [reason] = simulation.reasons() else { panic!("{:?}", simulation.reasons()) };
    assert!(reason.to_string().contains("compiled as exact"), "{reason}");

    // All that stands against a GPU is listed.
    let error = auto(&missing(), &exact, Policy::Gpu).unwrap_err();
    let RouteError::NoGpu(reasons) = &error else { panic!("{error}") };
    assert_eq!(reasons.len(), 2, "{error}");
    assert!(error.to_string().contains("no GPU device: none found"), "{error}");
    assert!(error.to_string().contains("compiled as exact"), "{error}");
    let simulation = auto(&missing(), &parallel, Policy::Either).unwrap();
    assert!(!is_gpu(&simulation) && simulation.reasons().len() == 1);
}

#[test]
fn both_give_the_same_particles() {
    let module = module(&fountain(100, 100.0));
    let mut random = Pcg::seed_from_u64(0);
    let mut text = |policy| {
        let mut simulation = auto(&there(), &module, policy).unwrap();
        simulation.start();
        simulation.animate(1.0, &mut random).unwrap();
        simulation.look(|state| state::Json(&[state]).to_string()).unwrap()
    };
    assert_eq!(text(Policy::Gpu), text(Policy::Cpu));
}

#[test]
fn code_of_another_profile_is_refused() {
    let parallel = module(&fountain(10, 10.0));
    let exact = module(&fountain(10, 10.0).replace(" parallel ", " exact "));
    let code = Interpreted::all(&exact).remove(0);
    let error = Simulation::with_code(&there(), &parallel, 0, code, 7, Policy::Either);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("is Parallel and the CPU's code for it is Exact"), "{error}");
    let error = Simulation::auto(&there(), &parallel, 3, 7, Policy::Either).unwrap_err();
    assert!(error.to_string().contains("there is no system 3"), "{error}");
}
