//! What the memory gives: `a = b + 3c` over arrays that are as large, together, as what is compared.

use std::hint::black_box;
use std::time::Instant;

use pyrograph::threads::Executor;

/// Passes of a round: as many as a large system makes steps.
const PASSES: usize = 4;
/// Elements of a round at least.
const WORK: usize = 2_000_000;

/// Arrays of a triad.
pub(crate) struct Triad {
    a: Vec<f32>,
    b: Vec<f32>,
    c: Vec<f32>,
}

impl Triad {
    /// Arrays with so many bytes together.
    pub(crate) fn new(bytes: usize) -> Self {
        let count = (bytes / 12).max(64);
        Self { a: vec![0.0; count], b: vec![1.0; count], c: vec![2.0; count] }
    }

    /// Nanoseconds that a byte takes: 8 are read and 4 written an element. So many parts run on the executor.
    pub(crate) fn round(&mut self, executor: &impl Executor, parts: usize) -> f64 {
        let Self { a, b, c } = self;
        let passes = (WORK / a.len()).max(PASSES);
        let begin = Instant::now();
        for _ in 0..passes {
            // Wakes threads that sleep.
            executor.chunk(usize::MAX, usize::MAX);
            run(executor, parts, a, b, c);
            black_box(&mut *a);
        }
        begin.elapsed().as_nanos() as f64 / (a.len() * 12 * passes) as f64
    }
}

fn run(executor: &impl Executor, parts: usize, a: &mut [f32], b: &[f32], c: &[f32]) {
    if parts < 2 {
        triad(a, b, c);
        return;
    }
    let middle = a.len() / parts * (parts / 2);
    let (low, high) = a.split_at_mut(middle);
    executor.join(
        || run(executor, parts / 2, low, b, c),
        || run(executor, parts - parts / 2, high, &b[middle..], &c[middle..]),
    );
}

#[pyrograph::multiversion::multiversion(targets(
    "x86_64+avx2+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vbmi2",
    "x86_64+avx2",
    "x86_64+sse4.1"
))]
fn triad(a: &mut [f32], b: &[f32], c: &[f32]) {
    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
        *a = b + 3.0 * c;
    }
}
