//! Nanoseconds a live particle costs in a step: generated code beside Babylon.js, in one run.
//!
//! `cargo run --release -p pyrograph-benches`; for the Babylon column run `npm ci` in `fixtures/oracle` first.
//! Each number is the least of some rounds over steps with ten thousand particles alive.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::process::Command;
use std::time::Instant;

use pyrograph::{ParticleProgram, ParticleSystem, Pcg};

pyrograph::include_particle_graph!(mod fountain_exact = "graphs/fountain_10k.json");
pyrograph::include_particle_graph!(
    mod fountain_parallel = "graphs/fountain_10k.json",
    profile = parallel
);
pyrograph::include_particle_graph!(mod attractor_exact = "graphs/attractor_10k.json");
pyrograph::include_particle_graph!(
    mod attractor_parallel = "graphs/attractor_10k.json",
    profile = parallel
);

const ROUNDS: u32 = 15;
const STEPS: u32 = 100;
const WARM_STEPS: u32 = 200;

fn main() {
    println!("{:<12} {:>10} {:>10} {:>10}  {:>9}", "", "Exact", "Parallel", "Babylon", "ratios");
    row("fountain", measure::<fountain_exact::Program>(), measure::<fountain_parallel::Program>());
    row(
        "attractor",
        measure::<attractor_exact::Program>(),
        measure::<attractor_parallel::Program>(),
    );
}

fn row(name: &str, exact: f64, parallel: f64) {
    match babylon(name) {
        Some(babylon) => println!(
            "{name:<12} {exact:>7.2} ns {parallel:>7.2} ns {babylon:>7.0} ns  {:>4.0} / {:.0}",
            babylon / exact,
            babylon / parallel
        ),
        None => println!("{name:<12} {exact:>7.2} ns {parallel:>7.2} ns          –"),
    }
}

/// Warms up until births fill the capacity, then times rounds of steps.
fn measure<P: ParticleProgram + Default>() -> f64 {
    let mut system = ParticleSystem::<P>::with_seed(7);
    let mut random = Pcg::seed_from_u64(7);
    let mut step = |system: &mut ParticleSystem<P>| {
        // The bench graphs cannot fail; a failure would show as an absurd number of particles.
        let _ = system.animate(1.0, &mut random);
    };
    system.start();
    for _ in 0..WARM_STEPS {
        step(&mut system);
    }
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let mut particles = 0u64;
        let begin = Instant::now();
        for _ in 0..STEPS {
            particles += u64::from(system.program().alive());
            step(&mut system);
        }
        least = least.min(begin.elapsed().as_nanos() as f64 / particles as f64);
    }
    assert!(system.program().alive() > 9_000, "{} alive", system.program().alive());
    least
}

/// The same graph in Babylon.js; `None` where Node or the package is missing.
fn babylon(name: &str) -> Option<f64> {
    let folder = env!("CARGO_MANIFEST_DIR");
    let script = format!("{folder}/babylon.mjs");
    let graph = format!("{folder}/graphs/{name}_10k.json");
    let arguments = [&script, &graph, "60", "20", "5"];
    let output = Command::new("node").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let number = text.split("\"nanoseconds\":").nth(1)?;
    number.split([',', '}']).next()?.parse().ok()
}
