//! One graph of each family in both profiles, and programs in the text form of the IR that hold what
//! graphs rarely do: caches filled in any order, registers, calls, kills in branches.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pyrograph::compiler::ir::{self, Profile};
use pyrograph::compiler::{Options, compile};
use pyrograph::{Camera, Interpreted, ParticleProgram, ParticleSystem, Texels};

use super::{SEED, assert_same_slots, counted};

/// Declares a test for each file. Loops are compiled once only, which is what takes the time.
macro_rules! alike {
    ($($profile:ident $name:ident $path:literal;)*) => {$(
        mod $name {
            pyrograph::include_particle_graph!(
                pub(crate) mod generated = $path,
                profile = $profile, observe = state, simd = false
            );

            #[test]
            fn agrees() {
                super::check::<generated::Program>($path, stringify!($profile));
            }
        }
    )*};
}

alike! {
    exact change "fixtures/graphs/change/speed_limit_ranges.json";
    exact condition "fixtures/graphs/condition/color_branches.json";
    exact convert "fixtures/graphs/convert/drawn.json";
    exact emitter "fixtures/graphs/emitter/local_forces.json";
    exact extra "fixtures/graphs/extra/align_angle.json";
    exact gradient "fixtures/graphs/gradient/nested.json";
    exact gradient_drawn "fixtures/graphs/gradient/drawn_stops.json";
    exact lifecycle "fixtures/graphs/lifecycle/rate_drawn.json";
    exact math "fixtures/graphs/math/alias_divide.json";
    exact plumbing "fixtures/graphs/plumbing/local_snapshots.json";
    exact random "fixtures/graphs/random/nested_once_in_none.json";
    exact random_once "fixtures/graphs/random/once_per_particle_shared.json";
    exact shape "fixtures/graphs/shape/mesh_normals.json";
    exact source "fixtures/graphs/source/direction_scale.json";
    exact sprite "fixtures/graphs/sprite/random_start.json";
    exact update "fixtures/graphs/update/noise_twice.json";
    exact flow_map "fixtures/graphs/update/flow_map_drawn.json";
    parallel change_parallel "fixtures/graphs/change/speed_limit_ranges.json";
    parallel condition_parallel "fixtures/graphs/condition/color_branches.json";
    parallel gradient_parallel "fixtures/graphs/gradient/nested.json";
    parallel shape_parallel "fixtures/graphs/shape/mesh_normals.json";
    parallel sprite_parallel "fixtures/graphs/sprite/random_start.json";
    parallel update_parallel "fixtures/graphs/update/forces.json";
    parallel sphere_parallel "fixtures/graphs/emitter/local_sphere.json";
    parallel cone_parallel "fixtures/graphs/emitter/moving_cone.json";
    parallel cylinder_parallel "fixtures/graphs/emitter/local_cylinder.json";
    parallel aligned_parallel "fixtures/graphs/extra/align_angle.json";
    parallel power_parallel "fixtures/graphs/extra/power.json";
    parallel tan_parallel "fixtures/graphs/extra/trigonometry_tan.json";
    parallel arcsin_parallel "fixtures/graphs/extra/trigonometry_arcsin.json";
    parallel arctan_parallel "fixtures/graphs/extra/trigonometry_arctan.json";
    parallel exp_parallel "fixtures/graphs/extra/trigonometry_exp.json";
    parallel exp2_parallel "fixtures/graphs/extra/trigonometry_exp2.json";
    parallel log_parallel "fixtures/graphs/extra/trigonometry_log.json";
    exact ir_caches "fixtures/programs/caches.ir";
    exact ir_registers "fixtures/programs/registers.ir";
    exact ir_last_step "fixtures/programs/last_step.ir";
    parallel ir_lanes "fixtures/programs/lanes.ir";
}

/// The same file, interpreted.
fn interpreted(path: &str, profile: Profile) -> ParticleSystem<Interpreted> {
    let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let module = if path.ends_with(".ir") {
        ir::validate(ir::parse(std::str::from_utf8(&bytes).unwrap()).unwrap()).unwrap()
    } else {
        compile(&bytes, &Options::new(profile)).unwrap().module
    };
    let program = Interpreted::all(&Arc::new(module)).pop().unwrap();
    ParticleSystem::from_program(program, SEED)
}

/// A camera and pictures, for those who look.
fn furnish<P: ParticleProgram>(system: &mut ParticleSystem<P>) {
    let view = std::array::from_fn(|index| ((index * 7 % 5) as f64 - 1.5) * 0.3);
    let camera = Camera { position: [1.0, 2.0, -8.0], view, view_projection: view };
    system.set_camera(Some(camera));
    let pixels: Vec<u8> = (0..5 * 4 * 4u8).map(|index| index.wrapping_mul(37)).collect();
    for index in 0..system.textures().len() {
        system.set_texture(index, Texels::new(5, 4, pixels.clone()).unwrap());
    }
}

/// Runs generated code and the interpreter side by side, at uneven ratios, with a stop and a second
/// start in between.
fn check<P: ParticleProgram + Default>(path: &str, profile: &str) {
    let profile = if profile == "exact" { Profile::Exact } else { Profile::Parallel };
    let mut reference = interpreted(path, profile);
    let mut generated = ParticleSystem::<P>::with_seed(SEED);
    furnish(&mut reference);
    furnish(&mut generated);
    let (mut drawn, mut expected) = (counted(), counted());
    generated.start();
    reference.start();
    let mut seen = 0u64;
    for step in 0..120 {
        if step == 60 {
            generated.stop();
            reference.stop();
        }
        if step == 75 {
            generated.start();
            reference.start();
        }
        let place = format!("{path} step {step}");
        let ratio = if step % 7 == 3 { 2.5 } else { 1.0 };
        let outcome = generated.animate(ratio, &mut drawn);
        assert_eq!(outcome, reference.animate(ratio, &mut expected), "{place}");
        assert_eq!(drawn.drawn, expected.drawn, "{place}: draws");
        assert_same_slots(generated.program(), reference.program(), &place);
        assert_eq!(generated.state_hash(), reference.state_hash(), "{place}: hash");
        seen += u64::from(generated.program().alive());
    }
    assert!(seen > 100, "{path}: {seen} particles are nothing to compare");
}
