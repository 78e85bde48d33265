//! Chunks of any size on any number of threads: the bits of one thread.

use std::sync::Mutex;

use pyrograph::threads::{Executor, HotPool, Rayon};
use pyrograph::{ParticleProgram, ParticleSystem, Pcg, Random};

use super::SEED;

mod large {
    pyrograph::include_particle_graph!(
        pub(crate) mod fountain = "benches/graphs/fountain_10k.json",
        profile = parallel, observe = state
    );
    pyrograph::include_particle_graph!(
        pub(crate) mod attractor = "benches/graphs/attractor_10k.json",
        profile = parallel, observe = state
    );
}

/// Chunks of a size that changes with each step, on the threads of another executor.
struct Chunked<E> {
    executor: E,
    sizes: Mutex<Pcg>,
}

impl<E: Executor> Executor for Chunked<E> {
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        self.executor.join(a, b);
    }

    fn chunk(&self, slots: usize, _operations: usize) -> usize {
        let share = self.sizes.lock().unwrap().next();
        // From one vector to nearly all, small ones more often.
        (share * share * slots as f64) as usize
    }
}

/// Shares every step, however small.
struct Always<'a>(&'a HotPool);

impl Executor for Always<'_> {
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        self.0.join(a, b);
    }

    fn chunk(&self, slots: usize, _operations: usize) -> usize {
        // The pool wakes its threads when it is asked about a step that is worth it.
        assert!(self.0.chunk(usize::MAX, usize::MAX) < usize::MAX || self.0.threads() == 1);
        slots.div_ceil(4)
    }
}

/// A new thread for each half.
struct Spawned;

impl Executor for Spawned {
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        std::thread::scope(|scope| {
            scope.spawn(b);
            a();
        });
    }

    fn chunk(&self, slots: usize, _operations: usize) -> usize {
        slots.div_ceil(3)
    }
}

/// Holds the executor to one thread, through births and deaths, at uneven ratios.
fn check<P: ParticleProgram + Default>(executor: &impl Executor, steps: usize) {
    let mut random = Pcg::seed_from_u64(SEED);
    let mut alone = ParticleSystem::<P>::with_seed(SEED);
    let mut shared = ParticleSystem::<P>::with_seed(SEED);
    alone.start();
    shared.start();
    for step in 0..steps {
        let ratio = if step % 7 == 3 { 9.5 } else { 4.0 };
        alone.animate(ratio, &mut random).unwrap();
        shared.animate_on(ratio, &mut random, executor).unwrap();
        assert_eq!(alone.state_hash(), shared.state_hash(), "step {step}");
    }
    assert!(alone.program().alive() > 1000, "{} particles", alone.program().alive());
}

fn check_both(executor: impl Executor, steps: usize) {
    let executor = Chunked { executor, sizes: Mutex::new(Pcg::seed_from_u64(steps as u64)) };
    check::<large::fountain::Program>(&executor, steps);
    check::<large::attractor::Program>(&executor, steps);
}

#[test]
fn threads_of_the_standard_library() {
    check::<large::fountain::Program>(&Spawned, 20);
    check::<large::attractor::Program>(&Spawned, 20);
}

#[test]
fn rayon_pools_of_any_size() {
    for threads in 1..=4 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| check_both(Rayon, 15 + threads));
    }
}

#[test]
fn hot_pools_of_any_size() {
    for threads in 0..=3 {
        // A thread makes one pool.
        let test = std::thread::spawn(move || {
            let pool = HotPool::new(threads).unwrap();
            assert_eq!(pool.threads(), threads.max(1));
            assert!(HotPool::new(threads).is_err());
            check::<large::fountain::Program>(&Always(&pool), 15);
            check_both(pool, 15 + threads);
        });
        test.join().unwrap();
    }
}

/// Steps that come after the threads have gone to sleep find them.
#[test]
fn hot_pools_wake_up() {
    let test = std::thread::spawn(|| {
        let patience = std::time::Duration::from_micros(50);
        let pool = HotPool::with_patience(3, patience).unwrap();
        for _ in 0..5 {
            check::<large::fountain::Program>(&Always(&pool), 12);
            std::thread::sleep(patience * 4);
        }
    });
    test.join().unwrap();
}

#[test]
fn steps_on_a_hot_pool_take_no_memory() {
    let test = std::thread::spawn(|| {
        let pool = HotPool::new(2).unwrap();
        let mut random = Pcg::seed_from_u64(SEED);
        let mut system = ParticleSystem::<large::fountain::Program>::new();
        system.start();
        for _ in 0..100 {
            system.animate_on(4.0, &mut random, &Always(&pool)).unwrap();
        }
        let allocated = allocation_counter::measure(|| {
            for _ in 0..1000 {
                system.animate_on(1.0, &mut random, &Always(&pool)).unwrap();
            }
        });
        assert_eq!(allocated.count_total, 0);
    });
    test.join().unwrap();
}
