//! The two tables.

use std::fs;

use crate::Args;
use crate::contest::Contest;
use crate::peers::Peer;
use crate::triad;
use crate::workloads::{Meaning, Size};

/// Everybody at 10,000 particles.
///
/// # Errors
/// A bound is wrong, or a contestant failed.
pub(crate) fn contest(args: &Args) -> Result<(), String> {
    println!("{}", machine());
    println!("ns per particle-step, 10,000 alive, least of {} rounds; peers over ours\n", args.rounds);
    println!("| workload | profile | generated | bound | of bound | interpreter | Babylon.js | ratio | Lite | ratio |");
    println!("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |");
    for &workload in &args.workload {
        workload.check()?;
        let mut contest = Contest::default();
        let mut ours = Vec::new();
        for meaning in Meaning::ALL {
            let generated = workload.enter(&mut contest, Size::K10, meaning)?;
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
            let time = |entry: Option<_>| entry.map_or("–".into(), |entry| format!("{:.0}", least(entry)));
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
/// A bound is wrong, or a step failed.
pub(crate) fn sizes(args: &Args) -> Result<(), String> {
    println!("{}", machine());
    println!("one thread, least of {} rounds; bytes are those that the update's columns have\n", args.rounds);
    println!("| workload | profile | alive | generated | bound | of bound | GB/s | triad GB/s | share |");
    println!("| --- | --- | --: | --: | --: | --: | --: | --: | --: |");
    for &workload in &args.workload {
        workload.check()?;
        for meaning in Meaning::ALL {
            for &size in &args.size {
                let mut contest = Contest::default();
                let generated = workload.enter(&mut contest, size, meaning)?;
                let bound = workload.enter_bound(&mut contest, size, meaning)?;
                contest.run(args.rounds)?;
                let (ns, bound) = (contest.least(generated), contest.least(bound));
                let traffic = workload.traffic(meaning);
                let (moved, triad) = (traffic as f64 / ns, triad(traffic, size));
                println!(
                    "| {} | {meaning:?} | {} | {ns:.2} | {bound:.2} | {:.2} | {moved:.1} | {triad:.1} | {:.0} % |",
                    workload.name(),
                    size.alive(),
                    ns / bound,
                    100.0 * moved / triad,
                );
            }
        }
    }
    Ok(())
}

/// GB/s of a triad over about as many bytes as the particles have; read and written ones are often
/// the same.
fn triad(traffic: usize, size: Size) -> f64 {
    triad::bytes_a_second(traffic * size.alive() as usize * 2 / 3) / 1e9
}

/// The processor, and how busy it is.
fn machine() -> String {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let processor = read("/proc/cpuinfo");
    let model = processor.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = read("/proc/loadavg");
    let load = load.split(' ').next().unwrap_or("unknown");
    format!("{cores} cores of {}, load {load}", model.unwrap_or("an unknown processor"))
}
