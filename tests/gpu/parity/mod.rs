//! All fixtures and graphs that nobody wrote, on a GPU and on the interpreter.
#![expect(clippy::print_stdout, reason = "runs of minutes say how far they are")]

mod case;
mod compare;
mod envelope;
mod hosts;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use case::Case;
use compare::{Seen, run};
use pyrograph::gpu::default_device;

/// Seeds whose graphs run unless `PYROGRAPH_SEEDS` says how many.
const SEEDS: u64 = 100;

/// Runs jobs on all cores, each with a device of its own: software adapters compile and run one
/// submission of a device after the other. What disagrees is told in order.
fn run_all(count: usize, cases: impl Fn(usize) -> Vec<Case> + Sync) -> (Seen, Vec<String>) {
    let begin = Instant::now();
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    let next = AtomicUsize::new(0);
    let all = Mutex::new((Seen::default(), Vec::new()));
    let work = || {
        let device = default_device().unwrap_or_else(|error| panic!("{error}"));
        loop {
            let job = next.fetch_add(1, Ordering::Relaxed);
            if job >= count {
                break;
            }
            for case in cases(job) {
                let outcome = run(&device, &case);
                let mut all = all.lock().unwrap();
                match outcome {
                    Ok(seen) => all.0.add(seen),
                    Err(problem) => all.1.push((job, format!("{}, {problem}", case.name))),
                }
            }
            if (job + 1).is_multiple_of(100) {
                let failures = all.lock().unwrap().1.len();
                let time = begin.elapsed().as_secs_f64();
                println!("{} of {count}, {failures} disagree, {time:.0} s", job + 1);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    let (seen, mut problems) = all.into_inner().unwrap();
    problems.sort();
    println!("{:.1} s with {workers} workers: {seen:#?}", begin.elapsed().as_secs_f64());
    (seen, problems.into_iter().map(|(_, problem)| problem).collect())
}

fn assert_agree(seen: &Seen, problems: &[String]) {
    assert!(problems.is_empty(), "{} disagree:\n{}", problems.len(), problems.join("\n"));
    assert!(seen.set_aside * 100 < seen.values, "too much is set aside: {seen:#?}");
}

#[test]
fn fixtures_agree_with_the_interpreter() {
    let cases = Mutex::new(case::fixtures(200).into_iter().map(Some).collect::<Vec<_>>());
    let count = cases.lock().unwrap().len();
    let (seen, problems) =
        run_all(count, |job| cases.lock().unwrap()[job].take().into_iter().collect());
    assert_agree(&seen, &problems);
    assert!(seen.systems > 440 && seen.values > 100_000, "{seen:#?}");
}

#[test]
fn graphs_that_nobody_wrote_agree_with_the_interpreter() {
    let seeds = std::env::var("PYROGRAPH_SEEDS").map_or(SEEDS, |seeds| seeds.parse().unwrap());
    let (seen, problems) = run_all(seeds as usize, |seed| case::generated(seed as u64));
    assert_agree(&seen, &problems);
    assert!(seen.systems >= seeds as usize && seen.values > 100 * seen.systems, "{seen:#?}");
}
