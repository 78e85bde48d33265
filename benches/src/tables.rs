//! The two tables.

use std::fs;

use pyrograph::threads::{HotPool, Inline};

use crate::Args;
use crate::contest::Contest;
use crate::peers::Peer;
use crate::workloads::{Meaning, Size};

/// Everybody at 10,000 particles.
///
/// # Errors
/// A bound is wrong, or a contestant failed.
pub(crate) fn contest(args: &Args) -> Result<(), String> {
    println!("{}", machine());
    println!(
        "ns per particle-step, 10,000 alive, least of {} rounds; peers over ours\n",
        args.rounds
    );
    println!(
        "| workload | profile | generated | bound | of bound | interpreter | Babylon.js | ratio | Lite | ratio |"
    );
    println!("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |");
    for &workload in &args.workload {
        workload.check()?;
        let mut contest = Contest::default();
        let mut ours = Vec::new();
        for meaning in Meaning::ALL {
            let generated = workload.enter(&mut contest, &Inline, Size::K10, meaning)?;
            let bound = workload.enter_bound(&mut contest, Size::K10, meaning)?;
            let interpreter = (!args.no_interpreter)
                .then(|| workload.enter_interpreter(&mut contest, meaning))
                .transpose()?;
            ours.push((meaning, generated, bound, interpreter));
        }
        let mut peer = |script, has_blocks: bool| {
            (!args.no_peers && has_blocks)
                .then(|| Ok::<_, String>(contest.peer(Peer::start(script, workload.name())?)))
                .transpose()
        };
        let babylon = peer("babylon.mjs", true)?;
        let lite = peer("lite.mjs", workload.is_in_lite())?;
        contest.run(args.rounds)?;
        for (meaning, generated, bound, interpreter) in ours {
            let least = |entry| contest.least(entry);
            let ns = least(generated);
            let time = |entry: Option<_>| {
                entry.map_or("–".into(), |entry| format!("{:.0}", least(entry)))
            };
            let ratio = |entry: Option<_>| {
                entry.map_or("–".into(), |entry| format!("{:.0}", least(entry) / ns))
            };
            println!(
                "| {} | {meaning:?} | {ns:.2} | {:.2} | {:.2} | {} | {} | {} | {} | {} |",
                workload.name(),
                least(bound),
                ns / least(bound),
                time(interpreter),
                time(babylon),
                ratio(babylon),
                time(lite),
                ratio(lite),
            );
        }
    }
    Ok(())
}

/// Generated code at several sizes, and the memory beside it.
///
/// # Errors
/// A bound is wrong, a step failed, or there are no threads.
pub(crate) fn sizes(args: &Args) -> Result<(), String> {
    let pool = HotPool::new(args.threads).map_err(|error| error.to_string())?;
    println!("{}", machine());
    println!(
        "least of {} rounds; bytes are those that the update's columns have; shares are of a triad's\n",
        args.rounds
    );
    println!(
        "| workload | profile | alive | ns, 1 thread | of bound | GB/s | share | ns, {} threads | gain | GB/s | share |",
        args.threads
    );
    println!("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
    for &workload in &args.workload {
        workload.check()?;
        for meaning in Meaning::ALL {
            for &size in &args.size {
                let traffic = workload.traffic(meaning);
                // As many bytes as the particles have: most columns are read and written.
                let bytes = traffic * size.alive() as usize * 2 / 3;
                let mut contest = Contest::default();
                let one = workload.enter(&mut contest, &Inline, size, meaning)?;
                let bound = workload.enter_bound(&mut contest, size, meaning)?;
                let triad = contest.triad(&Inline, 1, bytes);
                // Exact has one order only.
                let many = if meaning == Meaning::Parallel {
                    let many = workload.enter(&mut contest, &pool, size, meaning)?;
                    Some((many, contest.triad(&pool, args.threads, bytes)))
                } else {
                    None
                };
                contest.run(args.rounds)?;
                let memory = |ns: f64, triad| {
                    let moved = traffic as f64 / ns;
                    format!("{moved:.0} | {:.0} %", 100.0 * moved * contest.least(triad))
                };
                let (one, bound) = (contest.least(one), contest.least(bound));
                let many = many.map_or("– | – | – | –".into(), |(many, triad)| {
                    let many = contest.least(many);
                    format!("{many:.2} | {:.2} | {}", one / many, memory(many, triad))
                });
                println!(
                    "| {} | {meaning:?} | {} | {one:.2} | {:.2} | {} | {many} |",
                    workload.name(),
                    size.alive(),
                    one / bound,
                    memory(one, triad),
                );
            }
        }
    }
    Ok(())
}

/// The processor, and how busy it is.
fn machine() -> String {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let processor = read("/proc/cpuinfo");
    let model =
        processor.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = read("/proc/loadavg");
    let load = load.split(' ').next().unwrap_or("unknown");
    format!("{cores} cores of {}, load {load}", model.unwrap_or("an unknown processor"))
}
