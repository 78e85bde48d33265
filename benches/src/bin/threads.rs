//! Microseconds of a Parallel step on one thread and on two, by how many particles live: where threads
//! begin to pay, and how many values a step computes there, which is what executors go by.
//! `cargo run --release -p pyrograph-benches --bin threads [THREADS [ROUNDS]]`.
//!
//! Every number is the least of many short rounds, so that other work on the machine hides little.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use pyrograph::threads::{Executor, HotPool, Inline, Rayon};
use pyrograph::{ParticleProgram, ParticleSystem, Pcg};

pyrograph::include_particle_graph!(
    mod fountain = "graphs/fountain_100k.json",
    profile = parallel
);
pyrograph::include_particle_graph!(
    mod attractor = "graphs/attractor_100k.json",
    profile = parallel
);

const COUNTS: [u32; 12] =
    [250, 1_000, 2_000, 4_000, 8_000, 12_000, 16_000, 24_000, 32_000, 48_000, 64_000, 98_000];
const STEPS: u32 = 8;

/// Shares every step, however small, and notes how many values it computes.
struct Always<'a, E> {
    executor: &'a E,
    values: AtomicUsize,
}

impl<E: Executor> Executor for Always<'_, E> {
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        self.executor.join(a, b);
    }

    fn chunk(&self, slots: usize, operations: usize) -> usize {
        self.values.store(slots * operations, Ordering::Relaxed);
        // As the pool would share more work.
        self.executor.chunk(slots, usize::MAX)
    }
}

fn main() {
    let argument = |at| std::env::args().nth(at).and_then(|text| text.parse::<u32>().ok());
    let (threads, rounds) = (argument(1).unwrap_or(2) as usize, argument(2).unwrap_or(400));
    let workers = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let (Ok(hot), Ok(workers)) = (HotPool::new(threads), workers) else {
        println!("no threads");
        return;
    };
    table::<fountain::Program>("fountain", rounds as usize, &hot, &workers);
    table::<attractor::Program>("attractor", rounds as usize, &hot, &workers);
}

fn table<P: ParticleProgram + Default + Send>(
    name: &str,
    rounds: usize,
    hot: &HotPool,
    workers: &rayon::ThreadPool,
) {
    println!(
        "{name:<10} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>6}",
        "alive", "values", "one", "always", "hot", "rayon", "gain"
    );
    for count in COUNTS {
        // The mean lifetime is 0.6 or 0.55, and a step 0.0167.
        let mut system = ParticleSystem::<P>::with_seed(7);
        let mut random = Pcg::seed_from_u64(7);
        system.set_emit_rate(f64::from(count) / 0.58);
        system.start();
        for _ in 0..100 {
            step(&mut system, &mut random, &Inline);
        }
        let alive = system.program().alive();
        let one = measure(&mut system, &mut random, rounds, &Inline);
        let sharing = Always { executor: hot, values: AtomicUsize::new(0) };
        let always = measure(&mut system, &mut random, rounds, &sharing);
        let values = sharing.values.into_inner();
        let shared = measure(&mut system, &mut random, rounds, hot);
        let rayon = workers.install(|| measure(&mut system, &mut random, rounds, &Rayon));
        println!(
            "{:<10} {alive:>7} {values:>9} {one:>6.1} us {always:>6.1} us {shared:>6.1} us \
             {rayon:>6.1} us {:>6.2}",
            "",
            one / always
        );
    }
}

/// The bench graphs cannot fail.
fn step<P: ParticleProgram>(
    system: &mut ParticleSystem<P>,
    random: &mut Pcg,
    executor: &impl Executor,
) {
    let _ = system.animate_on(1.0, random, executor);
}

/// Microseconds of a step.
fn measure<P: ParticleProgram>(
    system: &mut ParticleSystem<P>,
    random: &mut Pcg,
    rounds: usize,
    executor: &impl Executor,
) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..rounds {
        let begin = Instant::now();
        for _ in 0..STEPS {
            step(system, random, executor);
        }
        least = least.min(begin.elapsed().as_nanos() as f64 / f64::from(STEPS) / 1000.0);
    }
    least
}
