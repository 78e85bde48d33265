//! Inputs that a graph names: changed at every step, interpreter and generated code stay one; they
//! come again from snapshots and timelines, and are told apart by name.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::{Options, compile};
use pyrograph::{
    Controls, Input, InputError, InputValue, Interpreted, ParticleProgram, ParticleSystem, Sine,
    SystemSet, Timeline, TimelineError,
};

use super::SEED;

const PATH: &str = "tests/agree/inputs.json";

macro_rules! graph {
    ($name:ident $profile:ident) => {
        pyrograph::include_particle_graph!(
            pub(crate) mod $name = "tests/agree/inputs.json",
            profile = $profile, observe = state,
            inputs = [
                "Rate", "Stop", "Direction 1", "Box", "Tint", "Scale", "Life", "Least", "Most",
                "Largest", "Gravity", "Mix", "Begin", "End", "Spin", "match", "Radius",
            ]
        );
    };
}

graph!(exact exact);
graph!(parallel parallel);

mod closed {
    pyrograph::include_particle_graph!(
        pub(crate) mod exact = "tests/agree/inputs.json", observe = state
    );
    pyrograph::include_particle_graph!(
        pub(crate) mod parallel = "tests/agree/inputs.json", profile = parallel, observe = state
    );
}

fn interpreted(profile: Profile) -> Vec<ParticleSystem<Interpreted>> {
    let graph = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(PATH)).unwrap();
    let (read, _) = pyrograph::compiler::read_file(&graph).unwrap();
    let inputs = read.constant_names().into_iter().map(str::to_owned).collect();
    let options = Options { inputs, ..Options::new(profile) };
    let module = Arc::new(compile(&graph, &options).unwrap().module);
    let programs = Interpreted::all(&module).into_iter();
    programs.map(|program| ParticleSystem::from_program(program, SEED)).collect()
}

/// What a host does before a step: some input of each shape is another at each step, now and then a
/// number that is none.
fn changes(step: usize) -> Vec<Input> {
    let wave = |period: usize| (step % period) as f64 / period as f64;
    let mut inputs = vec![
        Input::set("rate", 20.0 + 60.0 * wave(7)),
        Input::set("gravity", [wave(3), -2.0 * wave(5), 0.1]),
        Input::set("tint", [wave(4), wave(5), 1.0 - wave(6), 0.5]),
        Input::set("scale", [1.0 + wave(3), 0.3]),
        Input::set("life_2", 1.0 + wave(11)),
        Input::set("most", 1.0 + wave(13)),
        Input::set("largest", 0.1 + wave(9)),
        Input::set("mix", wave(8)),
        Input::set("end", 3.0 * wave(10)),
        Input::set("spin", 6.0 * wave(17)),
        Input::set("match_2", -wave(6)),
        Input::set("box_2", [wave(2), wave(3), wave(4)]),
        Input::set("radius", 1.0 + wave(5)),
    ];
    if step == 0 {
        inputs.push(Input::Start);
        inputs.push(Input::set("stop", 7.0));
    }
    if step == 40 {
        inputs.push(Input::set("begin", f64::NAN));
    }
    if step == 80 {
        inputs.push(Input::Start);
        inputs.push(Input::set("begin", 0.25));
    }
    inputs
}

/// Hashes before each step and at the end.
fn play<S: SystemSet>(
    simulation: &mut S,
    steps: std::ops::Range<usize>,
    random: &mut Sine,
) -> Vec<u64> {
    let mut hashes = Vec::new();
    for step in steps {
        for input in changes(step) {
            simulation.apply_all(&input).unwrap();
        }
        hashes.push(simulation.state_hash());
        simulation.animate(1.0, random).unwrap();
    }
    hashes.push(simulation.state_hash());
    hashes
}

fn check<S: SystemSet + Clone>(profile: Profile, fresh: impl Fn() -> S) {
    let mut reference = interpreted(profile);
    let expected = play(&mut reference, 0..120, &mut Sine::new());
    let (mut simulation, mut random) = (fresh(), Sine::new());
    assert_eq!(play(&mut simulation, 0..120, &mut random), expected);
    let alive: u32 = simulation.systems().map(|system| system.state().alive()).sum();
    assert!(alive > 20, "{alive}");

    // Snapshots hold the inputs.
    let (mut simulation, mut random) = (fresh(), Sine::new());
    play(&mut simulation, 0..50, &mut random);
    let snapshot = simulation.snapshot(&random);
    assert_eq!(play(&mut simulation, 50..120, &mut random), expected[50..]);
    simulation.restore(&snapshot, &mut random).unwrap();
    assert_eq!(play(&mut simulation, 50..120, &mut random), expected[50..]);

    // Timelines log them.
    let mut timeline = Timeline::with_snapshots(fresh(), Sine::new(), 7, 6);
    for step in 0..120 {
        for system in 0..2 {
            for input in changes(step) {
                match timeline.apply(system, input) {
                    // Smoke has not all of them.
                    Err(TimelineError::Input(InputError::Unknown { .. })) => {}
                    other => other.unwrap(),
                }
            }
        }
        timeline.animate(1.0).unwrap();
    }
    for step in [120, 0, 13, 14, 99, 81, 80, 5, 120] {
        timeline.seek(step).unwrap();
        assert_eq!(timeline.simulation().state_hash(), expected[step], "sought {step}");
    }
}

#[test]
fn changed_at_every_step_all_agree() {
    check(Profile::Exact, || exact::Set::with_seed(SEED));
    check(Profile::Parallel, || parallel::Set::with_seed(SEED));
}

/// An input that nobody changes is the constant. (In Parallel, constants are put together with more
/// digits than a step has.)
#[test]
fn left_alone_they_are_constants() {
    fn run(mut set: impl SystemSet) -> Vec<String> {
        let mut random = Sine::new();
        set.apply_all(&Input::Start).unwrap();
        let states = (0..100).map(|_| {
            set.animate(1.0, &mut random).unwrap();
            let states: Vec<_> = set.systems().map(Controls::state).collect();
            pyrograph::state::Json(&states).to_string()
        });
        states.collect()
    }
    assert_eq!(run(exact::Set::new()), run(closed::exact::Set::new()));
    let parse = |text: &String| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let open = run(parallel::Set::new());
    for (open, closed) in open.iter().zip(&run(closed::parallel::Set::new())) {
        super::assert_close(&parse(open), &parse(closed), 1e-5, "parallel");
    }
}

#[test]
fn fields_are_typed_and_named() {
    let mut set = exact::Set::new();
    let inputs: &mut exact::sparks::Inputs = set.sparks.inputs_mut();
    assert_eq!((inputs.rate, inputs.gravity), (40.0, [0.0, -1.5, 0.125]));
    // Blocks called alike are numbered in file order, words of Rust are no names.
    assert_eq!((inputs.life, inputs.life_2, inputs.match_2), (0.5, 2.5, -1.0));
    inputs.tint = [0.0, 0.25, 0.5, 1.0];
    *inputs = exact::sparks::Inputs { scale: [3.0, 4.0], ..*inputs };
    assert_eq!(set.sparks.input_value("scale"), Ok(InputValue::Vector2([3.0, 4.0])));
    // The other system has its own, of those that it reaches: one Life only.
    assert_eq!((set.smoke.inputs().life, set.smoke.inputs().radius), (2.5, 2.0));
    let names: Vec<&str> = set.smoke.input_facts().map(|facts| facts.name).collect();
    assert_eq!(names, ["rate", "life", "gravity", "radius"]);
    set.sparks.inputs_mut().rate = 1.0;
    assert_eq!(set.smoke.inputs().rate, 40.0);

    // The interpreter says the same of them.
    for (ours, theirs) in interpreted(Profile::Exact)
        .iter()
        .zip([set.sparks.input_facts().collect::<Vec<_>>(), set.smoke.input_facts().collect()])
    {
        assert_eq!(ours.input_facts().collect::<Vec<_>>(), theirs);
    }
}

#[test]
fn handles_are_checked() {
    fn check<P: ParticleProgram>(
        mut sparks: ParticleSystem<P>,
        mut other: ParticleSystem<impl ParticleProgram>,
    ) {
        let gravity = sparks.input_handle::<[f64; 3]>("gravity").unwrap();
        sparks.set_input(gravity, [1.0, 2.0, 3.0]).unwrap();
        assert_eq!(sparks.input(gravity), Ok([1.0, 2.0, 3.0]));
        assert_eq!(sparks.input_value("gravity"), Ok(InputValue::Vector3([1.0, 2.0, 3.0])));
        let error = sparks.input_handle::<f64>("wind").unwrap_err().to_string();
        assert!(
            error.starts_with("system \"Sparks\" has no input \"wind\"; it has rate, stop, "),
            "{error}"
        );
        let error = sparks.input_handle::<[f64; 2]>("gravity").unwrap_err();
        let (system, name) = ("Sparks".into(), "gravity".into());
        assert_eq!(error, InputError::Length { system, name, length: 3, given: 2 });
        let error = other.set_input(gravity, [0.0; 3]).unwrap_err();
        assert_eq!(error, InputError::OtherProgram { system: "Smoke".into() });
        assert!(other.input(gravity).is_err());
        let error = sparks.apply(&Input::set("gravity", 1.0)).unwrap_err();
        assert!(error.to_string().contains("has 3 numbers, and 1 was given"), "{error}");
        let error = sparks.apply(&Input::set("rate", [1.0, 2.0])).unwrap_err();
        assert!(error.to_string().contains("has 1 number, and 2 were given"), "{error}");
        assert_eq!(sparks.input(gravity), Ok([1.0, 2.0, 3.0]));
    }
    let set = exact::Set::new();
    check(set.sparks, set.smoke);
    let mut systems = interpreted(Profile::Exact).into_iter();
    check(systems.next().unwrap(), systems.next().unwrap());
    let closed = closed::exact::Set::new();
    let error = closed.sparks.input_handle::<f64>("rate").unwrap_err().to_string();
    assert!(error.contains("compiled without inputs"), "{error}");

    // A set changes nothing if a system refuses.
    let mut set = exact::Set::new();
    set.apply_all(&Input::set("radius", 5.0)).unwrap();
    assert_eq!(set.smoke.inputs().radius, 5.0);
    assert!(set.apply_all(&Input::set("wind", 5.0)).is_err());
    let before = set.state_hash();
    assert!(set.apply_all(&Input::set("gravity", 5.0)).is_err());
    assert_eq!(set.state_hash(), before);
}

/// What the contract evaluates while it builds a system reads the inputs of the first step.
#[test]
fn the_stop_is_read_once() {
    let mut set = exact::Set::new();
    set.sparks.inputs_mut().stop = 0.55;
    set.sparks.start();
    let mut random = Sine::new();
    set.sparks.animate(1.0, &mut random).unwrap();
    assert_eq!(set.sparks.target_stop(), 0.55);
    set.sparks.inputs_mut().stop = 20.0;
    let steps = (0..10).take_while(|_| {
        set.sparks.animate(1.0, &mut random).unwrap();
        set.sparks.is_started()
    });
    assert_eq!(steps.count(), 4);
    // This one may be changed at any time.
    set.sparks.set_target_stop(20.0);
}

#[test]
fn changes_take_no_memory() {
    fn check<P: ParticleProgram>(mut system: ParticleSystem<P>) {
        let mut random = Sine::new();
        system.start();
        system.animate(1.0, &mut random).unwrap();
        let gravity = system.input_handle::<[f64; 3]>("gravity").unwrap();
        let allocated = allocation_counter::measure(|| {
            for step in 0..1000 {
                system.set_input(gravity, [f64::from(step), 0.0, -1.0]).unwrap();
                system.animate(1.0, &mut random).unwrap();
            }
        });
        assert_eq!(allocated.count_total, 0);
    }
    check(exact::sparks::System::new());
    check(parallel::sparks::System::new());
}

/// Without the option there is no trace of it in what is generated.
#[test]
fn without_the_option_nothing_is_open() {
    let graph = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(PATH)).unwrap();
    let module = compile(&graph, &Options::new(Profile::Exact)).unwrap().module;
    let options = pyrograph::compiler::emit::rust::RustOptions::default();
    let text = pyrograph::compiler::emit::rust::text(&module, &options).unwrap();
    assert!(!text.contains("nputs"), "{text}");
    assert!(!module.to_string().contains("input "), "{module:?}");
}
