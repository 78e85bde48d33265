//! GPU time of a step, by timestamps of the device, beside a kernel that copies memory.
//!
//! `cargo run --release -p pyrograph-gpu-benches`. Each number is the median of some rounds; a round is several
//! steps in one submission. Bytes are those that the layout names: each column that the update reads or
//! writes, for each particle, and the list of the living.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod copy;
mod drawing;
mod kernels;
mod timer;
mod workload;

use std::error::Error;

use timer::Timer;
use workload::Workload;

/// Steps in a round.
const STEPS: u32 = 8;
const ROUNDS: u32 = 40;

const FOUNTAIN: &str = include_str!("../../graphs/fountain_10k.json");
const BIRTHS: &str = include_str!("../../graphs/births_10k.json");

fn main() -> Result<(), Box<dyn Error>> {
    let (device, queue, name) = pollster::block_on(timer::device())?;
    println!("{name}");
    let timer = Timer::new(&device, &queue);
    let bandwidth = copy::bandwidth(&timer)?;
    println!("copy: {:.2} TB/s", bandwidth / 1e12);
    println!(
        "{:<10} {:>9} {:>9} {:>12} {:>12} {:>12} {:>9}",
        "", "alive", "births", "us a step", "ps/particle", "bytes", "of copy"
    );
    for (name, text, capacity, lifetime) in [
        ("fountain", FOUNTAIN, 1 << 20, 0.6),
        ("fountain", FOUNTAIN, 8 << 20, 0.6),
        ("births", BIRTHS, 1 << 20, 0.16),
        ("births", BIRTHS, 8 << 20, 0.16),
    ] {
        let mut workload = Workload::new(&timer, text, capacity, lifetime)?;
        let seconds = workload.median_step(&timer)?;
        let counters = workload.counters()?;
        let bytes = workload.bytes(counters.alive);
        println!(
            "{name:<10} {:>9} {:>9} {:>12.1} {:>12.1} {:>12} {:>8.0}%",
            counters.alive,
            counters.births,
            seconds * 1e6,
            seconds * 1e12 / f64::from(counters.alive),
            bytes,
            100.0 * bytes as f64 / seconds / bandwidth,
        );
        for (kernel, seconds) in kernels::breakdown(&timer, workload.system())? {
            println!("  {kernel:<8} {:>20} {:>12.1}", "", seconds * 1e6);
        }
    }
    drawing::table(&timer)
}
