//! Graphs that nobody would draw: very long ones, and operands at the edges of f32.

use std::time::Duration;

use pyrograph::gpu::{GpuSystem, ReadState};
use pyrograph::{Field, Interpreted, ParticleState, ParticleSystem, Pcg};
use pyrograph_compiler::ir::Profile;
use pyrograph_compiler::{Options, compile};

use super::graph::Graph;
use super::pair::DEVICE;

const LONG: usize = 2_000;

/// A particle's size that a chain of blocks computes from its age, in each step.
fn chain(class: &str, fields: &str, next: &str, others: &str) -> String {
    let mut graph = Graph::flow(5);
    graph.create("size=1");
    graph.block("UpdateSizeBlock", 5, "", "particle<2.output size<10.output");
    for id in 10..10 + LONG {
        graph.block(class, id, fields, &format!("{next}<{}.output {others}", id + 1));
    }
    graph.contextual(10 + LONG, 3);
    String::from_utf8(graph.bytes()).unwrap()
}

/// Class, fields, the input that continues the chain, other inputs.
type Link = (&'static str, &'static str, &'static str, &'static str);

const LINKS: [Link; 3] = [
    ("ParticleMathBlock", r#""operation":0"#, "left", "right=0.001"),
    ("ParticleMathBlock", r#""operation":3"#, "left", "right=1.001"),
    ("ParticleConditionBlock", r#""test":2"#, "left", "right=0.5 ifTrue=0.25 ifFalse=0.75"),
];

/// A software driver takes up to minutes for each of these.
const SLOW_LINKS: [Link; 4] = [
    ("ParticleLerpBlock", "", "left", "right=1 gradient=0.001"),
    ("ParticleClampBlock", "", "value", ""),
    ("ParticleTrigonometryBlock", r#""operation":1"#, "input", ""),
    ("ParticleRandomBlock", r#""lockMode":0"#, "min", "max=1"),
];

/// With `PYROGRAPH_SLOW_CHAINS` set, all chains are compiled.
#[test]
fn chains_of_two_thousand_blocks_run() {
    let (device, queue) = &*DEVICE;
    let mut links = LINKS.to_vec();
    if std::env::var_os("PYROGRAPH_SLOW_CHAINS").is_some() {
        links.extend(SLOW_LINKS);
    }
    for (class, fields, next, others) in links {
        let text = chain(class, fields, next, others);
        let small = std::thread::Builder::new().stack_size(1 << 20);
        let run = move || {
            let mut system = GpuSystem::from_graph(device, queue, &text)?;
            system.start();
            for _ in 0..3 {
                system.animate(1.0)?;
            }
            let counters = system.counters()?;
            Ok::<_, pyrograph::gpu::GpuError>((system, counters))
        };
        let result = std::thread::scope(|scope| {
            let thread = small.spawn_scoped(scope, run).unwrap();
            thread.join().unwrap_or_else(|_| panic!("{class} {fields}"))
        });
        let (system, counters) = result.unwrap_or_else(|error| panic!("{class}: {error}"));
        assert_eq!((counters.alive, counters.failure), (3, None), "{class}");
        let program = system.program();
        let lines = system.source().lines().count();
        println!("{class} {fields}: {lines} lines, driver {:?}", program.driver_time());
        let slow = program.slow_kernels();
        assert_eq!(slow.is_some(), lines > pyrograph::gpu::SlowKernels::LINES, "{class}");
        if let Some(slow) = slow {
            assert!(slow.time > Some(Duration::ZERO));
            let text = slow.to_string();
            assert!(text.contains(&format!("{lines} lines of WGSL")), "{text}");
        }
    }
}

/// Operands at the edges. No subnormal is among them: see `docs/parallel.md`.
const OPERANDS: [f64; 22] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.0,
    3.0,
    7.25,
    -1e-3,
    88.0,
    90.0,
    -90.0,
    -104.0,
    127.5,
    128.0,
    -200.0,
    1e6,
    -1e20,
    1.2e-38,
    2.5e38,
    -3.4e38,
    f64::MAX,
];

/// What kind of number it is. Zero counts as finite: subnormal results may be taken for it.
fn kind(value: f64) -> &'static str {
    if value.is_nan() {
        "NaN"
    } else if value == f64::INFINITY {
        "infinity"
    } else if value == f64::NEG_INFINITY {
        "-infinity"
    } else {
        "finite"
    }
}

/// A graph whose particles compute `size` from the `x` and `y` of where they were born.
fn operation(class: &str, operation: usize, inputs: &str) -> Vec<u8> {
    let capacity = OPERANDS.len() * OPERANDS.len();
    let fields = format!("\"capacity\":{capacity}");
    let mut graph = Graph::new(&fields, "particle<5.output emitRate=60");
    graph.create("size=1");
    graph.block("PointShapeBlock", 3, "", "particle<2.output");
    graph.block("UpdateSizeBlock", 5, "", "particle<3.output size<8.output");
    graph.contextual(6, 1);
    graph.block("ParticleConverterBlock", 7, "", "xyz<6.output");
    graph.block(class, 8, &format!("\"operation\":{operation}"), inputs);
    graph.bytes()
}

#[test]
fn edges_give_the_same_kind_of_number() {
    let (device, queue) = &*DEVICE;
    let two = "left<7.x right<7.y";
    let math = (0..6).map(|op| ("ParticleMathBlock", op, two));
    let number = (0..2).map(|op| ("ParticleNumberMathBlock", op, two));
    let functions = (0..21).map(|op| ("ParticleTrigonometryBlock", op, "input<7.x"));
    // Mesa's adapter shows none of what only some drivers do.
    let is_free = device.adapter_info().device_type != wgpu::DeviceType::Cpu;
    let mut kinds = std::collections::BTreeMap::new();
    for (block, op, inputs) in math.chain(number).chain(functions) {
        let graph = operation(block, op, inputs);
        let options = Options::new(Profile::Parallel);
        let module = std::sync::Arc::new(compile(&graph, &options).unwrap().module);
        let mut gpu = GpuSystem::new(device, queue, &module, 0, 0).unwrap();
        let mut cpu = ParticleSystem::from_program(Interpreted::all(&module).remove(0), 0);
        let mut random = Pcg::seed_from_u64(0);
        gpu.start();
        cpu.start();
        let values = if inputs == two { &OPERANDS[..] } else { &OPERANDS[..1] };
        for &b in values {
            for &a in &OPERANDS {
                let mut matrix = *cpu.emitter_matrix();
                (matrix[12], matrix[13]) = (a, b);
                gpu.set_emitter_matrix(matrix).unwrap();
                cpu.set_emitter_matrix(matrix).unwrap();
                gpu.record(1.0).unwrap();
                cpu.animate(1.0, &mut random).unwrap();
            }
        }
        // The last one is updated too.
        gpu.record(1.0).unwrap();
        cpu.animate(1.0, &mut random).unwrap();
        let gpu: ReadState = gpu.read_back().unwrap();
        let cpu = cpu.program();
        assert!(gpu.alive() as usize >= values.len() * OPERANDS.len() - 1);
        for slot in 0..gpu.slots() {
            let values = |state: &dyn ParticleState| {
                [Field::Position(0), Field::Position(1), Field::Size]
                    .map(|field| state.value(slot, field).unwrap_or(f64::NAN))
            };
            let ([x, y, seen], [a, b, wanted]) = (values(&gpu), values(cpu));
            let mut loses_sign = false;
            for (gpu, cpu) in [(x, a), (y, b)] {
                let is_same = gpu == cpu || gpu.is_nan() && cpu.is_nan();
                assert!(is_same, "{block} {op}, an operand in slot {slot}: {gpu:e}, {cpu:e}");
                loses_sign |= gpu.is_sign_negative() != cpu.is_sign_negative();
            }
            // WGSL promises nothing of quotients by numbers beyond 2^126, and some drivers multiply by
            // a reciprocal that is 0 there.
            let is_quotient = (block, op) == ("ParticleMathBlock", 3);
            if is_free
                && is_quotient
                && x.is_infinite()
                && y.abs() > 2f64.powi(126)
                && seen.is_nan()
            {
                continue;
            }
            // Some drivers put a product and a quotient by constants together, and so do not overflow
            // on the way to radians.
            let is_to_radians = (block, op) == ("ParticleTrigonometryBlock", 19);
            if is_free && is_to_radians && wanted.is_infinite() && seen.is_finite() {
                continue;
            }
            // A driver may take a zero for the other one, and so come to the other infinity.
            let kinds_of = |value: f64| kind(if loses_sign { value.abs() } else { value });
            assert_eq!(
                kinds_of(seen),
                kinds_of(wanted),
                "{block} {op} of {a:e} and {b:e}: GPU {seen:e}, CPU {wanted:e}"
            );
            *kinds.entry(kind(wanted)).or_insert(0) += 1;
        }
    }
    println!("{kinds:?}");
    // All kinds are there, or nothing was tried.
    assert!(kinds.len() == 4 && kinds.values().all(|&count| count > 40), "{kinds:?}");
}
