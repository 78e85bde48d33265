//! Runs a module for a few steps with few particles, and compares two runs bit by bit.

use std::sync::Arc;

use pyrograph_compiler::interpret::{Camera, Failure, Instance, Texels, Uniforms};
use pyrograph_compiler::ir::{Field, Module, Profile, Valid};
use pyrograph_compiler::passes::Observe;

use super::random::Random;

const STEPS: u32 = 5;
/// Values that all bodies of a run may compute together, about.
const BUDGET: usize = 200_000;

/// One system of a module, run.
pub(crate) struct Run {
    instance: Instance,
    drawn: usize,
    /// What the bodies of the system gave, and how it failed.
    said: Vec<String>,
}

/// Runs a system for [`STEPS`] calls; what happens from outside follows from the number.
pub(crate) fn run(module: &Arc<Valid<Module>>, index: usize, number: u64) -> Option<Run> {
    let instance = Instance::new(module.clone(), index)?;
    let mut run = Run { instance, drawn: 0, said: Vec::new() };
    if let Err(failure) = steps(&mut run, number) {
        run.said.push(failure.to_string());
    }
    Some(run)
}

fn steps(run: &mut Run, number: u64) -> Result<(), Failure> {
    let mut choices = Random::new(!number);
    let mut numbers = Random::new(number.wrapping_mul(3));
    let Run { instance, drawn, said } = run;
    let mut random = || {
        *drawn += 1;
        if numbers.one_in(16) { 0.0 } else { numbers.unit() }
    };
    let mut uniforms = Uniforms { seed: number as u32, ..Uniforms::default() };
    if choices.one_in(3) {
        uniforms.emitter_matrix = std::array::from_fn(|_| choices.unit() * 4.0 - 2.0);
    }
    if choices.one_in(3) {
        let matrix = std::array::from_fn(|_| choices.unit() * 4.0 - 2.0);
        uniforms.camera =
            Some(Camera { position: [1.0, 2.0, -10.0], view: matrix, view_projection: matrix });
    }
    let textures: Vec<_> = instance.program().textures.iter().map(|(handle, _)| handle).collect();
    let bytes: Vec<u8> = (0..16).map(|_| choices.below(256) as u8).collect();
    for texture in textures {
        // The same for all: optimized programs may have fewer of them.
        instance.set_texture(texture, Texels::new(2, 2, bytes.clone()));
    }
    // Constant rates need no body.
    let emission = instance.program().emission.clone();
    for step in 0..STEPS {
        let ratio = *choices.pick(&[1.0, 1.0, 1.0, 0.5, 20.0, 0.0, -1.0, 1e30, f64::NAN]);
        (uniforms.delta, uniforms.step) = (emission.update_speed * ratio, step);
        let births = choices.below(7) as u32;
        if step == 0 {
            let stop = instance.init(&uniforms, &mut random)?.unwrap_or(emission.target_stop);
            said.push(format!("stop {:x}", bits(stop)));
        }
        instance.prepare(&uniforms, &mut random)?;
        let rate = instance.emit_rate(&uniforms, &mut random)?.unwrap_or(emission.rate);
        said.push(format!("rate {:x}", bits(rate)));
        uniforms.time += uniforms.delta;
        instance.update(&uniforms, &mut random)?;
        instance.birth(births, &uniforms, &mut random)?;
    }
    Ok(())
}

/// How many values all bodies have; too many for a run within the budget give `None`.
pub(crate) fn is_cheap(module: &Module) -> bool {
    let bodies = module.programs.iter().flat_map(|program| program.bodies());
    bodies.map(|(_, body)| body.values.len()).sum::<usize>() * 60 < BUDGET * 10
}

/// What differs between a run and that of an optimized module, if anything does.
pub(crate) fn difference(base: &Run, other: &Run, observe: Observe) -> Option<String> {
    if base.said != other.said {
        return Some(format!("{:?} is not {:?}", base.said, other.said));
    }
    let counts = |run: &Run| (run.drawn, run.instance.born(), run.instance.alive());
    if counts(base) != counts(other) {
        return Some(format!("draws, births, living: {:?}, {:?}", counts(base), counts(other)));
    }
    let program = base.instance.program();
    let fields = program.columns.iter().filter_map(|(_, column)| column.field);
    let fields: Vec<Field> = fields.filter(|field| observe.sees(*field, &program.render)).collect();
    for slot in 0..base.instance.slots() {
        for &field in &fields {
            let [a, b] = [base, other].map(|run| run.instance.value(slot, field).map(bits));
            if a != b {
                return Some(format!("slot {slot}, {field:?}: {a:?} is not {b:?}"));
            }
        }
    }
    None
}

/// All NaN are one.
fn bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
}

/// The profiles in which a file is compiled.
pub(crate) const PROFILES: [Profile; 2] = [Profile::Exact, Profile::Parallel];
