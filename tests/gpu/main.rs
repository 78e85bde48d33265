//! Programs run on a GPU adapter and on the interpreter: slots, ids and counts agree, and so do
//! columns. Where no adapter is found the tests fail and say what to install.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it found")]

mod capacities;
mod constants;
mod edits;
mod encoding;
#[path = "../../compiler/tests/generator/mod.rs"]
mod generator;
#[path = "../../compiler/tests/hostile/graph.rs"]
mod graph;
mod hostile;
mod inputs;
mod instances;
mod live;
mod loss;
mod pair;
mod parity;
#[path = "../../compiler/tests/states/picture.rs"]
mod picture;
mod route;
mod saved;
mod surfaces;
mod texts;

use pair::{Agree, DEVICE, Pair, module, noise};
use pyrograph::gpu::GpuSystem;
use pyrograph::{ParticleState, state};
use pyrograph_compiler::emit::layout::Limits;
use texts::{OPERANDS, arithmetic, fountain, pictures};

#[test]
fn births_deaths_and_slots_agree_at_every_capacity() {
    for capacity in [0, 1, 63, 64, 65, 256, 257, 1000] {
        for per_step in [0.4, 0.09 * f64::from(capacity), 1.5 * f64::from(capacity)] {
            let mut pair = Pair::new(&fountain(capacity, per_step * 10.0), u64::from(capacity));
            for step in 0..40 {
                pair.step(if step % 7 == 3 { 2.5 } else { 1.0 });
                if step % 13 == 0 {
                    pair.compare(Agree::BitsBut(&["speed"]));
                }
            }
            pair.compare(Agree::BitsBut(&["speed"]));
            pair.gpu.stop();
            pair.cpu.stop();
            for _ in 0..20 {
                pair.step(1.0);
            }
            assert_eq!(pair.compare(Agree::BitsBut(&[])).alive(), 0);
        }
    }
}

#[test]
fn more_chunks_than_invocations_scan() {
    let mut pair = Pair::new(&fountain(70_000, 250_000.0), 5);
    for _ in 0..9 {
        pair.step(1.0);
    }
    let snapshot = pair.compare(Agree::BitsBut(&["speed"]));
    assert!(snapshot.alive() > 60_000 && snapshot.counters().next_id > 70_000);
}

#[test]
fn tight_limits_split_dispatches_and_columns() {
    let module = module(&fountain(1000, 900.0));
    let (device, queue) = &*DEVICE;
    // Three columns fit into a binding; or a record of four and another column.
    for (columns, buffers) in [(3, 3), (5, 2)] {
        let storage_bytes = columns * 1024 * 4;
        let limits = Limits { groups: 3, storage_bytes, ..Limits::default() };
        let gpu = GpuSystem::with_limits(device, queue, &module, 0, 3, &limits).unwrap();
        assert_eq!(gpu.manifest().layout.grid(&limits), [2, 2]);
        assert_eq!(gpu.manifest().layout.column_buffers.len(), buffers);
        let mut pair = Pair::around(gpu, &module, 0, 3);
        for _ in 0..30 {
            pair.step(1.0);
        }
        assert!(pair.compare(Agree::BitsBut(&["speed"])).alive() > 500);
    }
}

#[test]
fn the_state_form_is_the_same() {
    let mut pair = Pair::new(&fountain(100, 50.0), 1);
    // No step has moved the newborn yet: nothing could be fused.
    pair.step(1.0);
    let snapshot = pair.compare(Agree::BitsBut(&[]));
    let gpu = state::Json(&[&snapshot]).to_string();
    assert_eq!(gpu, state::Json(&[pair.cpu.program()]).to_string());
    assert_eq!(gpu.matches("\"size\":0.5").count(), 5, "{gpu}");
}

#[test]
fn many_recorded_steps_are_the_same_as_single_ones() {
    let module = module(&fountain(200, 300.0));
    let (device, queue) = &*DEVICE;
    let mut single = GpuSystem::new(device, queue, &module, 0, 9).unwrap();
    let mut pair = Pair::new(&fountain(200, 300.0), 9);
    single.start();
    for _ in 0..150 {
        single.animate(1.0).unwrap();
        pair.step(1.0);
    }
    let snapshot = pair.compare(Agree::BitsBut(&["speed"]));
    assert_eq!(single.read_back().unwrap().counters(), snapshot.counters());
}

#[test]
fn clearing_and_moving_take_effect_between_recorded_steps() {
    let mut pair = Pair::new(&fountain(300, 500.0), 2);
    for step in 0..12 {
        if step == 5 {
            pair.gpu.clear();
            pair.cpu.clear();
        }
        let mut matrix = *pair.cpu.emitter_matrix();
        matrix[12] = 0.25 * f64::from(step);
        pair.gpu.set_emitter_matrix(matrix).unwrap();
        pair.cpu.set_emitter_matrix(matrix).unwrap();
        pair.step(1.0);
    }
    pair.compare(Agree::BitsBut(&["speed"]));
}

#[test]
fn system_bodies_run_on_the_host() {
    let text = r#"program "host" parallel capacity 50 {
  emission rate 1.0 speed 0.5 stop 0.0
  column id u32 is id
  column size f32 is size
  register calls = 0.0
  uniform time = time
  uniform wave = prepared.0
  init {
    %0 = mul 2.0, 2.5
    yield %0
  }
  prepare {
    %0 = get calls
    %1 = add %0, 1.0
    set calls, %1
    %2 = sin %1
    yield %2
  }
  emit_rate {
    %0 = mul @time, 3.0
    yield %0
  }
  update {
    %0 = load size
    %1 = mul %0, 0.5
    %2 = add %1, @wave
    store size, %2
  }
  birth {
    store id, new_id
    store size, @time
  }
}
"#;
    let mut pair = Pair::new(text, 0);
    for _ in 0..20 {
        pair.step(1.0);
    }
    let snapshot = pair.compare(Agree::BitsBut(&[]));
    // The target stop of 5 is reached by the tenth step; the rate sees 0, 0.5, 1, ... 4.5.
    assert!(!pair.gpu.is_started());
    assert_eq!(pair.gpu.time(), 5.0);
    assert_eq!(snapshot.counters().next_id, 33);
}

#[test]
fn kernels_read_pictures_given_between_recorded_steps() {
    let mut pair = Pair::new(&pictures(), 0);
    for step in 0..14 {
        match step {
            3 => pair.set_texture(1, noise(5, 3)),
            6 => pair.set_texture(2, noise(8, 12)),
            9 => pair.set_texture(1, noise(300, 200)),
            12 => pair.set_texture(1, noise(0, 0)),
            _ => {}
        }
        pair.step(1.0);
        if step % 3 == 1 {
            pair.compare(Agree::BitsBut(&[]));
        }
    }
    assert_eq!(pair.compare(Agree::BitsBut(&[])).alive(), 100);
}

#[test]
fn failures_are_reported_and_the_step_goes_on() {
    let text = r#"program "failing" parallel capacity 10 {
  emission rate 3.0 speed 1.0 stop 0.0
  column id u32 is id
  column size f32 is size
  uniform time = time
  update {
    %0 = load id
    %1 = ieq %0, 4u
    if %1 {
      fail "no cell"
    }
    %2 = lt @time, 0.0
    if %2 {
      fail "never"
    }
    store size, nan
  }
  birth {
    store id, new_id
    store size, -inf
  }
}
"#;
    let module = module(text);
    let (device, queue) = &*DEVICE;
    let mut gpu = GpuSystem::new(device, queue, &module, 0, 0).unwrap();
    gpu.start();
    gpu.animate(1.0).unwrap();
    gpu.animate(1.0).unwrap();
    assert_eq!(gpu.counters().unwrap().failure, None);
    gpu.animate(1.0).unwrap();
    let snapshot = gpu.read_back().unwrap();
    assert_eq!(snapshot.counters().failure.as_deref(), Some("no cell"));
    assert_eq!(snapshot.alive(), 9);
    let sizes: Vec<f64> =
        (0..9).filter_map(|slot| snapshot.value(slot, pyrograph::Field::Size)).collect();
    assert!(sizes[..6].iter().all(|size| size.is_nan()), "{sizes:?}");
    assert!(sizes[6..].iter().all(|&size| size == f64::NEG_INFINITY), "{sizes:?}");
}

#[test]
fn every_operation_gives_the_bits_of_the_interpreter() {
    let mut pair = Pair::new(&arithmetic(), 0);
    pair.step(1.0);
    let snapshot = pair.compare(Agree::BitsBut(&["div", "sqrt"]));
    assert_eq!(snapshot.alive() as usize, OPERANDS.len() * OPERANDS.len());
}

#[test]
fn what_a_gpu_cannot_run_is_refused_in_words() {
    let (device, queue) = &*DEVICE;
    let exact = module(&fountain(10, 1.0).replace(" parallel ", " exact "));
    let error = GpuSystem::new(device, queue, &exact, 0, 0).unwrap_err();
    assert!(error.to_string().contains("\"fountain\" is compiled as exact"), "{error}");
    let huge = module(&fountain(200_000_000, 1.0));
    let tight = Limits::default();
    let error = GpuSystem::with_limits(device, queue, &huge, 0, 0, &tight).unwrap_err();
    assert!(error.to_string().ends_with("lower the capacity"), "{error}");
}
