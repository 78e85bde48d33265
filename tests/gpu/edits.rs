//! More edits than any device can follow.

use std::time::{Duration, Instant};

use pyrograph::gpu::{Live, default_device};
use pyrograph::{Pcg, Random};
use pyrograph_compiler::ir::Profile;
use pyrograph_compiler::{Options, compile};

use super::live::{graph, with};
use super::pair::allocated;

/// What somebody might do to a graph: change numbers, break it, exchange it for another.
fn edited(random: &mut Pcg, graphs: &[String]) -> String {
    let mut pick = |end: usize| (random.next() * end as f64) as usize;
    match pick(8) {
        0 | 1 => with("emitRate", pick(300)),
        2 => with("capacity", 1 + pick(3000)),
        3 => {
            let text = &graphs[pick(graphs.len())];
            text.chars().take(pick(text.len())).collect()
        }
        4 => {
            let text = &graphs[pick(graphs.len())];
            text.replacen("targetBlockId\":", "targetBlockId\":9", 1 + pick(4))
        }
        5 => graphs[0].replace("BABYLON.UpdatePositionBlock", "BABYLON.UpdatePositionBlok"),
        _ => graphs[pick(graphs.len())].clone(),
    }
}

/// `PYROGRAPH_EDIT_SECONDS` sets how long it goes on; 2 unless set.
#[test]
fn two_hundred_edits_a_second() {
    const RATE: u32 = 200;
    let seconds = std::env::var("PYROGRAPH_EDIT_SECONDS").map_or(2, |it| it.parse().unwrap());
    let paths = ["canonical/fountain", "canonical/attractor", "scenes/scene262"];
    let graphs = paths.map(graph);
    let mut random = Pcg::seed_from_u64(1);
    let edits: Vec<String> = (0..RATE * seconds).map(|_| edited(&mut random, &graphs)).collect();
    let options = Options::new(Profile::Parallel);
    let (device, queue) = default_device().unwrap();
    queue.submit([]);
    let before = allocated(&device, &queue);
    let mut live = Live::new(&device, &queue, &graphs[0], 3).unwrap();
    let mut good = graphs[0].clone();
    let (mut refused, mut refused_by_gpu, mut frames, mut late) = (0, 0, 0, 0);
    let start = Instant::now();
    let (mut slowest, mut answering) = (Duration::ZERO, Duration::ZERO);
    for (text, edit) in edits.into_iter().zip(0..) {
        let began = Instant::now();
        match live.edit(&text) {
            Ok(warnings) => {
                assert!(!warnings.has_errors());
                good = text;
            }
            Err(errors) => {
                assert!(errors.has_errors() && !errors.to_string().is_empty());
                refused += 1;
            }
        }
        slowest = slowest.max(began.elapsed());
        answering += began.elapsed();
        // A frame after every third edit: 67 a second.
        if edit % 3 == 0 {
            if let Some(change) = live.poll()
                && change.result.is_err()
            {
                refused_by_gpu += 1;
            }
            for system in live.systems_mut() {
                let time = system.time();
                system.animate(1.0).unwrap();
                assert!(system.time() > time || !system.is_started());
            }
            frames += 1;
        }
        let due = start + Duration::from_secs(1) * (edit + 1) / RATE;
        match due.checked_duration_since(Instant::now()) {
            Some(left) => std::thread::sleep(left),
            None => late += 1,
        }
    }
    let took = start.elapsed();
    let change = live.wait();
    if let Some(change) = change {
        assert!(change.result.is_ok() || !live.systems().is_empty());
    }
    println!(
        "{} edits in {:.2} s, {refused} refused with diagnostics, {} reached the GPU, \
         {refused_by_gpu} refused there; {frames} frames; an answer took {:.1} ms on average and {:.1} ms at most, {late} edits were late",
        live.edits(),
        took.as_secs_f64(),
        live.reached(),
        answering.as_secs_f64() * 1e3 / live.edits() as f64,
        slowest.as_secs_f64() * 1e3,
    );
    // The newest good edit runs, and it is what its text says.
    let module = compile(good.as_bytes(), &options).unwrap().module;
    assert_eq!(live.systems().len(), module.programs.len());
    for (system, program) in live.systems_mut().iter_mut().zip(&module.programs) {
        assert_eq!(system.program().module().programs[system.program().index()], *program);
        system.animate(1.0).unwrap();
        system.counters().unwrap();
    }
    assert!(live.reached() > 1 && refused > 0);
    drop(live);
    assert_eq!(allocated(&device, &queue), before);
}
