//! Programs in the text form of the IR run on a GPU adapter and on the interpreter: slots, ids and
//! counts agree, and so do columns. Where no adapter is found the tests fail and say what to
//! install.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it found")]

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use pyrograph::gpu::{GpuSystem, Snapshot, default_device};
use pyrograph::{Interpreted, ParticleState, ParticleSystem, Pcg, state};
use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::interpret::Instance;
use pyrograph_compiler::ir::{BinaryOp, Const, Module, Type, UnaryOp, Valid, parse, validate};

/// One device for all tests of this file.
static DEVICE: LazyLock<(wgpu::Device, wgpu::Queue)> =
    LazyLock::new(|| default_device().unwrap_or_else(|error| panic!("{error}")));

fn module(text: &str) -> Arc<Valid<Module>> {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Arc::new(validate(module).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

/// The same system on both executors, started.
struct Pair {
    gpu: GpuSystem,
    cpu: ParticleSystem<Interpreted>,
    random: Pcg,
}

impl Pair {
    fn new(text: &str, seed: u64) -> Self {
        let module = module(text);
        let (device, queue) = &*DEVICE;
        let gpu = GpuSystem::new(device, queue, &module, 0, seed);
        Self::around(gpu.unwrap_or_else(|error| panic!("{error}")), &module, seed)
    }

    fn around(mut gpu: GpuSystem, module: &Arc<Valid<Module>>, seed: u64) -> Self {
        let program = Interpreted::all(module).remove(0);
        let mut cpu = ParticleSystem::from_program(program, seed);
        gpu.start();
        cpu.start();
        Self { gpu, cpu, random: Pcg::seed_from_u64(0) }
    }

    /// One step on both; the GPU only records it.
    fn step(&mut self, ratio: f64) {
        self.gpu.record(ratio).unwrap_or_else(|error| panic!("{error}"));
        self.cpu.animate(ratio, &mut self.random).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Compares everything; columns whose names are given within 1e-5, all others by their bits.
    fn compare(&mut self, near: &[&str]) -> Snapshot {
        let snapshot = self.gpu.read_back().unwrap_or_else(|error| panic!("{error}"));
        let instance = self.cpu.program().instance();
        let counters = snapshot.counters();
        assert_eq!(counters.alive as usize, instance.alive());
        assert_eq!(u64::from(counters.next_id), instance.born());
        compare_columns(&snapshot, instance, near);
        let living: Vec<u32> =
            (0..snapshot.slots()).filter(|&slot| snapshot.is_alive(slot)).collect();
        assert_eq!(self.gpu.draw_order().unwrap(), living);
        snapshot
    }
}

fn compare_columns(snapshot: &Snapshot, instance: &Instance, near: &[&str]) {
    for slot in 0..snapshot.capacity() {
        let place = slot as usize;
        assert_eq!(snapshot.is_alive(slot), instance.is_alive(place), "slot {slot}");
        for (handle, column) in instance.program().columns.iter() {
            let (gpu, cpu) = (snapshot.get(slot, handle), instance.column(place, handle));
            let agree = match (gpu, cpu) {
                (Some(Const::Float(a)), Some(Const::Float(b))) => {
                    let is_near = near.contains(&column.name.as_str())
                        && (a - b).abs() <= 1e-5 * b.abs().max(1.0);
                    is_near || a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
                }
                _ => gpu == cpu,
            };
            assert!(agree, "{} of slot {slot}: GPU {gpu:?}, CPU {cpu:?}", column.name);
        }
    }
}

/// Two random numbers a birth from a hash of id, seed and a constant; gravity; lives of 0.3 to 1.3.
/// `speed` is not exact: it needs a root and a quotient.
fn fountain(capacity: u32, rate: f64) -> String {
    format!(
        r#"program "fountain" parallel capacity {capacity} {{
  emission rate {rate:?} speed 0.1 stop 0.0
  column age f32 is age
  column lifeTime f32 is lifeTime
  column id u32 is id
  column position.x f32 is position.0
  column position.y f32 is position.1
  column direction.x f32 is direction.0
  column direction.y f32 is direction.1
  column speed f32
  column hot u8
  column size f32 is size = 0.5
  uniform delta = delta
  uniform seed = seed
  uniform step = step
  uniform emitter.x = emitterPosition.0
  function mix(x: uint) {{
    %0 = ishr $x, 16u
    %1 = ixor $x, %0
    %2 = imul %1, 2146121005u
    %3 = ishr %2, 15u
    %4 = ixor %2, %3
    %5 = imul %4, 2221713035u
    %6 = ishr %5, 16u
    %7 = ixor %5, %6
    yield %7
  }}
  function random(id: uint, seed: uint, site: uint) {{
    %0 = call mix($id)
    %1 = iadd %0, $seed
    %2 = call mix(%1)
    %3 = iadd %2, $site
    %4 = call mix(%3)
    %5 = ishr %4, 8u
    %6 = from_uint %5
    %7 = mul %6, 5.960464477539063e-8
    yield %7
  }}
  update {{
    from 1.0 "System" "SystemBlock":
    %0 = load age
    %1 = add %0, @delta
    %2 = load lifeTime
    %3 = lt %2, %1
    %4 = select %3, %2, %1
    store age, %4
    from 12.0 "Move" "UpdatePositionBlock":
    %5 = load position.x
    %6 = load direction.x
    %7 = mul %6, @delta
    %8 = add %5, %7
    store position.x, %8
    %9 = load position.y
    %10 = load direction.y
    %11 = mul %10, @delta
    %12 = add %9, %11
    %13 = lt %12, -1.0
    %14, %15 = if %13 {{
      %16 = neg %10
      %17 = mul %16, 0.5
      yield -1.0, %17
    }} else {{
      %18 = mul -9.81, @delta
      %19 = add %10, %18
      yield %12, %19
    }}
    store position.y, %14
    store direction.y, %15
    %20 = mul %6, %6
    %21 = mul %15, %15
    %22 = add %20, %21
    %23 = sqrt %22
    %24 = div %23, 3.0
    store speed, %24
    %25 = le %2, %4
    kill %25
  }}
  birth {{
    store age, 0.0
    store id, new_id
    %0 = call random(new_id, @seed, 1u)
    %1 = call random(new_id, @seed, 2u)
    %2 = call random(new_id, @seed, 3u)
    %3 = add %0, 0.3
    store lifeTime, %3
    store position.x, @emitter.x
    store position.y, 0.0
    %4 = sub %1, 0.5
    store direction.x, %4
    %5 = mul %2, 4.0
    store direction.y, %5
    store speed, 0.0
    %6 = iadd @step, 250u
    store hot, %6
  }}
}}
"#
    )
}

#[test]
fn births_deaths_and_slots_agree_at_every_capacity() {
    for capacity in [0, 1, 63, 64, 65, 256, 257, 1000] {
        for per_step in [0.4, 0.09 * f64::from(capacity), 1.5 * f64::from(capacity)] {
            let mut pair = Pair::new(&fountain(capacity, per_step * 10.0), u64::from(capacity));
            for step in 0..40 {
                pair.step(if step % 7 == 3 { 2.5 } else { 1.0 });
                if step % 13 == 0 {
                    pair.compare(&["speed"]);
                }
            }
            pair.compare(&["speed"]);
            pair.gpu.stop();
            pair.cpu.stop();
            for _ in 0..20 {
                pair.step(1.0);
            }
            assert_eq!(pair.compare(&[]).alive(), 0);
        }
    }
}

#[test]
fn more_chunks_than_invocations_scan() {
    let mut pair = Pair::new(&fountain(70_000, 250_000.0), 5);
    for _ in 0..9 {
        pair.step(1.0);
    }
    let snapshot = pair.compare(&["speed"]);
    assert!(snapshot.alive() > 60_000 && snapshot.counters().next_id > 70_000);
}

#[test]
fn tight_limits_split_dispatches_and_columns() {
    let module = module(&fountain(1000, 900.0));
    let (device, queue) = &*DEVICE;
    let limits = Limits { groups: 3, storage_bytes: 3 * 1024 * 4, ..Limits::default() };
    let gpu = GpuSystem::with_limits(device, queue, &module, 0, 3, &limits).unwrap();
    assert_eq!(gpu.manifest().layout.grid(&limits), [2, 2]);
    assert_eq!(gpu.manifest().layout.column_buffers.len(), 3);
    let mut pair = Pair::around(gpu, &module, 3);
    for _ in 0..30 {
        pair.step(1.0);
    }
    assert!(pair.compare(&["speed"]).alive() > 500);
}

#[test]
fn the_state_form_is_the_same() {
    let mut pair = Pair::new(&fountain(100, 50.0), 1);
    for _ in 0..10 {
        pair.step(1.0);
    }
    let snapshot = pair.compare(&["speed"]);
    let gpu = state::Json(&[&snapshot]).to_string();
    assert_eq!(gpu, state::Json(&[pair.cpu.program()]).to_string());
    assert!(gpu.contains("\"size\":0.5"), "{gpu}");
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
    let snapshot = pair.compare(&["speed"]);
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
    pair.compare(&["speed"]);
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
    let snapshot = pair.compare(&[]);
    // The target stop of 5 is reached by the tenth step; the rate sees 0, 0.5, 1, ... 4.5.
    assert!(!pair.gpu.is_started());
    assert_eq!(pair.gpu.time(), 5.0);
    assert_eq!(snapshot.counters().next_id, 33);
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

/// Operands that tell number rules apart.
const OPERANDS: [&str; 28] = [
    "0.0",
    "-0.0",
    "0.5",
    "-0.5",
    "1.0",
    "-1.0",
    "1.5",
    "-1.5",
    "2.5",
    "-2.5",
    "0.49999997",
    "3.1415927",
    "-7.25",
    "1000.1",
    "-8388609.0",
    "8388608.5",
    "16777217.0",
    "2147483648.0",
    "-2147483649.0",
    "4294967296.0",
    "3e9",
    "1e20",
    "-1e38",
    "1e-30",
    "7e37",
    "inf",
    "-inf",
    "nan",
];

/// A program in which particle k computes every operation on a pair of operands.
fn arithmetic() -> String {
    let count = OPERANDS.len();
    let mut columns = String::from("  column a f32\n  column b f32\n");
    let mut body = format!(
        "    %0 = from_uint new_id\n    %1 = div %0, {count}.0\n    %2 = floor %1\n    %3 = \
         to_uint %2\n    %4 = imul %3, {count}u\n    %5 = isub new_id, %4\n    %6 = table operands, \
         %5\n    %7 = table operands, %3\n    store a, %6\n    store b, %7\n    %8 = to_uint %6\n    \
         %9 = to_uint %7\n    %10 = lt %6, 1.0\n    %11 = le %7, 0.0\n"
    );
    let mut next = 12;
    let mut add = |name: &str, operands: String, result: Type| {
        let storage = if result == Type::Float { "f32" } else { "u32" };
        writeln!(columns, "  column {name} {storage}").unwrap();
        writeln!(body, "    %{next} = {name} {operands}").unwrap();
        if result == Type::Bool {
            writeln!(body, "    %{} = select %{next}, 1u, 0u", next + 1).unwrap();
            next += 1;
        }
        writeln!(body, "    store {name}, %{next}").unwrap();
        next += 1;
    };
    let of = |ty, which: usize| match ty {
        Type::Float => ["%6", "%7"][which],
        Type::Uint => ["%8", "%9"][which],
        Type::Bool => ["%10", "%11"][which],
    };
    for op in UnaryOp::ALL.iter().filter(|op| !op.is_transcendental()) {
        add(op.name(), of(op.operands()[0], 0).to_owned(), op.result());
    }
    for op in BinaryOp::ALL.iter().filter(|op| !op.is_transcendental()) {
        let [a, b] = op.operands();
        add(op.name(), format!("{}, {}", of(a, 0), of(b, 1)), op.result());
    }
    let births = count * count;
    format!(
        "program \"arithmetic\" parallel capacity {births} {{\n  emission rate {births}.0 speed 1.0 \
         stop 0.0\n{columns}  table operands = {}\n  update {{\n  }}\n  birth {{\n{body}  }}\n}}\n",
        OPERANDS.join(" ")
    )
}

#[test]
fn every_operation_gives_the_bits_of_the_interpreter() {
    let mut pair = Pair::new(&arithmetic(), 0);
    pair.step(1.0);
    let snapshot = pair.compare(&["div", "sqrt"]);
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
