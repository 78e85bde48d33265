//! Every pass keeps every bit: random programs run the same before and after each of them.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it found")]

mod algebra;
mod generate;
mod statements;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use generate::{Dice, generate};
use pyrograph_compiler::interpret::{Instance, Uniforms};
use pyrograph_compiler::ir::{Const, Module, Valid, parse, validate};
use pyrograph_compiler::passes::{Observe, Options, STEPS, Step, run_steps};

const PROGRAMS: u64 = 2_000;

/// What of a run is compared.
#[derive(Clone, Copy, PartialEq)]
enum Compare {
    /// All columns and registers.
    Everything,
    /// The fields that are observed.
    Observed(Observe),
}

/// A number of calls, written down: results, failures, draws, state.
fn trace(module: &Arc<Valid<Module>>, seed: u64, compare: Compare) -> String {
    let mut out = String::new();
    let mut system = Instance::new(Arc::clone(module), 0).unwrap();
    let mut dice = Dice(seed);
    let mut draws = 0;
    let mut random = || {
        draws += 1;
        (dice.next() >> 11) as f64 / (1u64 << 53) as f64
    };
    let emission = system.program().emission.clone();
    let mut uniforms = Uniforms { seed: seed as u32, ..Uniforms::default() };
    uniforms.emitter_matrix[12] = 0.1;
    uniforms.emitter_matrix[5] = -3.5;
    let stop = system.init(&uniforms, &mut random);
    writeln!(out, "init {}", result(stop, emission.target_stop)).unwrap();
    for step in 0..6 {
        uniforms.step = step;
        uniforms.delta = [1.0, 0.1, 0.0][step as usize % 3];
        if let Err(failure) = system.prepare(&uniforms, &mut random) {
            writeln!(out, "prepare {failure}").unwrap();
        }
        let rate = system.emit_rate(&uniforms, &mut random);
        writeln!(out, "rate {}", result(rate, emission.rate)).unwrap();
        uniforms.time += uniforms.delta;
        if let Err(failure) = system.update(&uniforms, &mut random) {
            writeln!(out, "update {failure}").unwrap();
        }
        match system.birth(1 + step % 4, &uniforms, &mut random) {
            Ok(born) => writeln!(out, "born {born}").unwrap(),
            Err(failure) => writeln!(out, "birth {failure}").unwrap(),
        }
        state(&mut out, &system, compare);
    }
    writeln!(out, "draws {draws}").unwrap();
    out
}

fn result(
    result: Result<Option<f64>, pyrograph_compiler::interpret::Failure>,
    default: f64,
) -> String {
    match result {
        Ok(value) => bits(Const::Float(value.unwrap_or(default))),
        Err(failure) => failure.to_string(),
    }
}

fn state(out: &mut String, system: &Instance, compare: Compare) {
    let program = system.program();
    for slot in 0..system.slots() {
        if !system.is_alive(slot) {
            continue;
        }
        write!(out, "{slot}:").unwrap();
        let mut values = BTreeMap::new();
        for (handle, column) in program.columns.iter() {
            let shown = match compare {
                Compare::Everything => true,
                Compare::Observed(observe) => {
                    column.field.is_some_and(|field| observe.sees(field, &program.render))
                }
            };
            if shown {
                values.insert(&column.name, system.column(slot, handle).unwrap());
            }
        }
        for (name, value) in values {
            write!(out, " {name}={}", bits(value)).unwrap();
        }
        writeln!(out).unwrap();
    }
    if compare == Compare::Everything {
        for (handle, register) in program.registers.iter() {
            writeln!(out, "{}={}", register.name, bits(system.register(handle).unwrap())).unwrap();
        }
    }
}

/// All NaN are one; everything else is told apart.
fn bits(value: Const) -> String {
    let number = match value {
        Const::Float(value) if value.is_nan() => return "nan".into(),
        Const::Float(value) => value.to_bits(),
        Const::Uint(value) => value.into(),
        Const::Bool(value) => value.into(),
    };
    format!("{number:x}")
}

fn apply(module: &Module, options: &Options, steps: &[Step]) -> Arc<Valid<Module>> {
    let go_on = |_: &Step, _: &Module| std::ops::ControlFlow::Continue(());
    Arc::new(run_steps(module.clone(), options, steps, go_on).unwrap_or_else(|fault| {
        panic!("{fault}\nfrom\n{module}");
    }))
}

fn compare_of(steps: &[Step], observe: Observe) -> Compare {
    let removes = |step: &Step| step.name == "dead-columns";
    if steps.iter().any(removes) { Compare::Observed(observe) } else { Compare::Everything }
}

#[test]
fn every_pass_keeps_the_meaning() {
    let mut changed = vec![0u64; STEPS.len()];
    let mut failures = 0;
    let mut particles = 0;
    for seed in 0..PROGRAMS {
        let module = generate(seed);
        let before = validate(module.clone()).unwrap_or_else(|error| panic!("{error}\n{module}"));
        let before = Arc::new(before);
        let observe = if seed % 4 < 2 { Observe::Render } else { Observe::State };
        let options = Options { observe };
        // The empty list, each step, all steps, some steps in some order.
        let mut dice = Dice(seed ^ 0xabcd);
        let some: Vec<Step> = (0..dice.below(12)).map(|_| dice.pick(STEPS)).collect();
        let singles = STEPS.iter().map(|step| vec![*step]);
        let lists = [vec![], STEPS.to_vec(), some].into_iter().chain(singles);
        let everything = trace(&before, seed, Compare::Everything);
        let observed = trace(&before, seed, Compare::Observed(observe));
        failures += u64::from(everything.contains("failure"));
        particles += everything.lines().filter(|line| line.contains("id=")).count();
        for steps in lists {
            let after = apply(&module, &options, &steps);
            let compare = compare_of(&steps, observe);
            let expected = if compare == Compare::Everything { &everything } else { &observed };
            let found = trace(&after, seed, compare);
            if found != *expected {
                let lines = expected.lines().zip(found.lines());
                let difference = lines.into_iter().find(|(a, b)| a != b);
                panic!(
                    "seed {seed}, {steps:?} with {observe:?}: {difference:?}\n{module}\nbecame\n{}",
                    **after
                );
            }
            if let [step] = steps.as_slice() {
                let index = STEPS.iter().position(|other| other.name == step.name).unwrap();
                changed[index] += u64::from(**after != module);
            }
        }
    }
    // The test must have had something to find.
    assert!(failures > PROGRAMS / 50, "{failures} runs failed");
    assert!(particles > 10 * PROGRAMS as usize, "{particles} particles");
    println!("{failures} failing runs, {particles} particles seen, changed: {changed:?}");
    for (step, changed) in STEPS.iter().zip(changed) {
        assert!(changed > PROGRAMS / 10, "{step:?} changed {changed} programs of {PROGRAMS}");
    }
}

#[test]
fn folding_keeps_special_numbers() {
    let named = |name| *STEPS.iter().find(|step| step.name == name).unwrap();
    let steps = [named("fold"), named("cse"), named("fold")];
    for seed in 0..400 {
        let module = algebra::algebra(seed);
        let before = Arc::new(validate(module.clone()).unwrap());
        let expected = trace(&before, seed, Compare::Everything);
        let after = apply(&module, &Options::default(), &steps);
        let found = trace(&after, seed, Compare::Everything);
        assert!(found == expected, "seed {seed}\n{module}\nbecame\n{}", **after);
    }
}

#[test]
fn random_programs_read_back() {
    for seed in 0..500 {
        let module = generate(seed);
        let text = module.to_string();
        let read = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.to_string(), text);
        let run = |module| trace(&Arc::new(validate(module).unwrap()), seed, Compare::Everything);
        assert_eq!(run(read), run(module), "{text}");
    }
}
