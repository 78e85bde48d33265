//! Runs the fuzzer of `tests/hostile` for as many cases as one likes.
//!
//! ```text
//! cargo run --release -p pyrograph-compiler --no-default-features --features rust --example fuzz -- \
//!     [--cases 1000000] [--from 0] [--workers 2] [--seconds 900] [--folder fuzz-failures]
//! cargo run … --example fuzz -- --case 123        # one case, with its file printed
//! ```
//!
//! A case that panics, differs, is slow or takes much memory is written to the folder, named after
//! its number. The number that each worker is at is kept there, too: what ends the whole process (a
//! stack overflow) is found by it. Exit status 1: something was found.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a tool")]

#[path = "../tests/hostile/fuzz/mod.rs"]
mod fuzz;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use fuzz::{Outcome, Seeds, case, check};
use pyrograph_compiler::diagnostic::render;
use pyrograph_compiler::read_file;

/// What a case may take before it counts as a hang.
const LIMIT: Duration = Duration::from_secs(20);
/// What the process may take.
const MEMORY: u64 = 3 << 30;
/// Compiling may not take more stack than small threads have.
const STACK: usize = 1 << 20;
const NOTHING: u64 = u64::MAX;

struct Options {
    cases: u64,
    from: u64,
    workers: u64,
    time: Duration,
    folder: PathBuf,
    one: Option<u64>,
}

#[derive(Default)]
struct Progress {
    next: AtomicU64,
    failures: AtomicU64,
    outcomes: [AtomicU64; 4],
    slowest: AtomicU64,
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!(
            "usage: fuzz [--cases N] [--from N] [--workers N] [--seconds N] [--folder DIR] | --case N"
        );
        return ExitCode::from(2);
    };
    let seeds = Seeds::load();
    if let Some(number) = options.one {
        let bytes = case(&seeds, number);
        println!("{}", String::from_utf8_lossy(&bytes));
        if let Err(errors) = read_file(&bytes) {
            println!("{}", render::text(&errors, &["case"], false));
        }
        let start = Instant::now();
        println!("{:?} in {:?}", check(&bytes, number), start.elapsed());
        return ExitCode::SUCCESS;
    }
    if let Err(error) = fs::create_dir_all(&options.folder) {
        eprintln!("{}: {error}", options.folder.display());
        return ExitCode::from(2);
    }
    let start = Instant::now();
    let progress = Progress { next: AtomicU64::new(options.from), ..Progress::default() };
    let current: Vec<_> = (0..options.workers).map(|_| AtomicU64::new(NOTHING)).collect();
    std::thread::scope(|scope| {
        let workers: Vec<_> = current
            .iter()
            .enumerate()
            .filter_map(|(worker, current)| {
                let (options, seeds, progress) = (&options, &seeds, &progress);
                let work = move || work(options, seeds, progress, current, worker, start);
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()
            })
            .collect();
        watch(&options, &seeds, &current, || workers.iter().all(|worker| worker.is_finished()));
    });
    let [refused, not_lowered, not_run, run] =
        progress.outcomes.each_ref().map(|n| n.load(Relaxed));
    let failures = progress.failures.load(Relaxed);
    let slowest = progress.slowest.load(Relaxed);
    println!(
        "{} executions in {} s: {refused} refused, {not_lowered} not lowered, {not_run} not run, {run} \
         run, {failures} failures; the slowest took {} ms (case {})",
        refused + not_lowered + not_run + run + failures,
        start.elapsed().as_secs(),
        slowest >> 40,
        slowest & ((1 << 40) - 1),
    );
    if failures > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn options() -> Option<Options> {
    let mut options = Options {
        cases: 1_000_000,
        from: 0,
        workers: 2,
        time: Duration::MAX,
        folder: "fuzz-failures".into(),
        one: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments.next()?;
        match argument.as_str() {
            "--cases" => options.cases = value.parse().ok()?,
            "--from" => options.from = value.parse().ok()?,
            "--workers" => options.workers = value.parse().ok()?,
            "--seconds" => options.time = Duration::from_secs(value.parse().ok()?),
            "--folder" => options.folder = value.into(),
            "--case" => options.one = Some(value.parse().ok()?),
            _ => return None,
        }
    }
    Some(options)
}

/// Takes cases until there are none.
fn work(
    options: &Options,
    seeds: &Seeds,
    progress: &Progress,
    current: &AtomicU64,
    worker: usize,
    start: Instant,
) {
    let note = options.folder.join(format!("worker-{worker}"));
    while start.elapsed() < options.time {
        let number = progress.next.fetch_add(1, Relaxed);
        if number >= options.from.saturating_add(options.cases) {
            break;
        }
        // A note that cannot be written is only missed where the process crashes.
        let _ = fs::write(&note, number.to_string());
        current.store(number, Relaxed);
        let began = Instant::now();
        let found = catch_unwind(AssertUnwindSafe(|| check(&case(seeds, number), number)));
        let taken = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX >> 40);
        progress.slowest.fetch_max(taken << 40 | number, Relaxed);
        match found {
            Ok(Ok(outcome)) => {
                let index = match outcome {
                    Outcome::Refused => 0,
                    Outcome::NotLowered => 1,
                    Outcome::NotRun => 2,
                    Outcome::Run => 3,
                };
                progress.outcomes[index].fetch_add(1, Relaxed);
            }
            Ok(Err(problem)) => report(options, seeds, progress, number, &problem),
            Err(_) => report(options, seeds, progress, number, "it panicked"),
        }
        if number.is_multiple_of(50_000) {
            println!("{number} after {} s", start.elapsed().as_secs());
        }
    }
    current.store(NOTHING, Relaxed);
    let _ = fs::remove_file(&note);
}

fn report(options: &Options, seeds: &Seeds, progress: &Progress, number: u64, problem: &str) {
    if progress.failures.fetch_add(1, Relaxed) < 200 {
        let short: String = problem.chars().take(400).collect();
        println!("case {number}: {short}");
        write_case(&options.folder, seeds, number);
    }
}

fn write_case(folder: &Path, seeds: &Seeds, number: u64) {
    let path = folder.join(format!("{number}.json"));
    if let Err(error) = fs::write(&path, case(seeds, number)) {
        eprintln!("{}: {error}", path.display());
    }
}

/// Ends the process where a case hangs or memory runs out.
fn watch(options: &Options, seeds: &Seeds, current: &[AtomicU64], done: impl Fn() -> bool) {
    let mut since: Vec<_> = current.iter().map(|_| (NOTHING, Instant::now())).collect();
    while !done() {
        std::thread::sleep(Duration::from_millis(100));
        let memory = resident();
        for (current, since) in current.iter().zip(&mut since) {
            let number = current.load(Relaxed);
            if number != since.0 {
                *since = (number, Instant::now());
            }
            let hangs = since.1.elapsed() > LIMIT;
            if number != NOTHING && (hangs || memory > MEMORY) {
                println!(
                    "case {number}: after {:?}, {} MiB in use",
                    since.1.elapsed(),
                    memory >> 20
                );
                write_case(&options.folder, seeds, number);
            }
            if number != NOTHING && hangs {
                std::process::exit(1);
            }
        }
        if memory > MEMORY {
            std::process::exit(1);
        }
    }
}

/// Memory in use, where the system says so.
fn resident() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: Option<u64> = text.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0) * 4096
}
