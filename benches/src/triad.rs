//! What the memory gives: `a = b + 3c` over arrays that are as large, together, as what is compared.

use std::hint::black_box;
use std::time::Instant;

use pyrograph::threads::Executor;

/// Bytes a second that a triad moves over so many bytes, the most of some rounds: 8 read and 4 written
/// an element. With an executor, halves run on it.
pub(crate) fn bytes_a_second(bytes: usize, executor: Option<&impl Executor>) -> f64 {
    const ROUNDS: usize = 7;
    let count = (bytes / 12).max(64);
    let (b, c) = (vec![1.0f32; count], vec![2.0f32; count]);
    let mut a = vec![0.0f32; count];
    // As often as takes some milliseconds.
    let repeats = (40_000_000 / count).clamp(2, 100_000);
    let mut most = 0.0f64;
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        for _ in 0..repeats {
            match executor {
                Some(executor) => halves(executor, &mut a, &b, &c),
                None => triad(&mut a, &b, &c),
            }
            black_box(&mut a);
        }
        let seconds = begin.elapsed().as_secs_f64();
        most = most.max((count * 12 * repeats) as f64 / seconds);
    }
    most
}

fn halves(executor: &impl Executor, a: &mut [f32], b: &[f32], c: &[f32]) {
    let (low, high) = a.split_at_mut(b.len() / 2);
    // Wakes threads that sleep.
    executor.chunk(usize::MAX, usize::MAX);
    executor.join(|| triad(low, b, c), || triad(high, &b[b.len() / 2..], &c[b.len() / 2..]));
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
