//! What the tests of every fixture share: a fixture's systems as one type, the circumstances that its
//! states were recorded in, and the checks.
#![expect(clippy::unwrap_used, reason = "a test may end at the first surprise")]

mod again;
#[expect(dead_code, reason = "other tests read the rest of a recording")]
#[path = "../../agree/fixture.rs"]
mod fixture;
#[path = "../../../compiler/tests/states/picture.rs"]
mod picture;
mod systems;

use std::collections::BTreeSet;

use fixture::Script;
use pyrograph::compiler::ir::Profile;
use pyrograph::{Input, Sine, Snapshot, SystemSet};

pub use pyrograph;
pub use systems::{Generated, furnish};

/// Declares the module of a graph, and its tests.
///
/// Loops are compiled for one instruction set only: the others run the same statements, and without
/// optimization there is nothing between them.
#[macro_export]
macro_rules! every {
    ($profile:ident $name:ident $fixture:literal $path:literal [$($system:ident),*]) => {
        mod $name {
            pyrograph_every::pyrograph::include_particle_graph!(
                mod generated = $path,
                profile = $profile, observe = state, simd = false
            );

            fn new() -> pyrograph_every::Generated {
                let mut set = generated::Set::with_seed(pyrograph_every::SEED);
                $(pyrograph_every::furnish(&mut set.$system);)*
                pyrograph_every::Generated::new(set)
            }

            #[test]
            fn agrees_and_comes_again() {
                pyrograph_every::agrees_and_comes_again($fixture, stringify!($profile), new);
            }

            #[test]
            fn allocates_nothing() {
                pyrograph_every::allocates_nothing($fixture, new());
            }
        }
    };
}

/// Seed of every instance.
pub const SEED: u64 = 11;

/// Generated code and the interpreter side by side, through everything that the recording did: equal
/// in every field of every slot, in the number of draws, in what fails, and in the state hash before
/// and after each step. Then generated code alone: it has these hashes again from a snapshot on, in
/// the same instance and in another, and wherever a timeline goes.
///
/// # Panics
/// They differ.
pub fn agrees_and_comes_again(name: &str, profile: &str, new: impl Fn() -> Generated) {
    let profile = if profile == "exact" { Profile::Exact } else { Profile::Parallel };
    let script = fixture::script(&format!("{name}.json"));
    let hashes = agrees(&script, new(), systems::interpreted(&script.graph, profile));

    let different: BTreeSet<_> = hashes.iter().collect();
    // Time goes on, so that no state was there before.
    assert_eq!(different.len(), hashes.len(), "{name}: states with one hash");
    let stored = |snapshot: Snapshot<Sine>| {
        serde_json::from_str(&serde_json::to_string(&snapshot).unwrap()).unwrap()
    };
    let run = again::Run {
        name,
        steps: script.steps,
        inputs: &|step| script.inputs(step),
        ratio: &|step| script.ratio(step),
        stored: &stored,
    };
    assert_eq!(again::check(&run, new), hashes, "{name}: hashes of the interpreter");
}

/// Holds both to each other; gives the hashes before each step, and at the end.
fn agrees(
    script: &Script,
    mut generated: impl SystemSet,
    mut reference: impl SystemSet,
) -> Vec<u64> {
    let name = &script.name;
    let (mut drawn, mut expected) = (systems::Counted::default(), systems::Counted::default());
    let (mut seen, mut recorded) = (0, 0);
    let mut hashes = Vec::new();
    for step in 0..script.steps {
        let place = format!("{name} step {}", step + 1);
        let inputs = script.inputs(step);
        act(&mut generated, &inputs);
        act(&mut reference, &inputs);
        hashes.push(reference.state_hash());
        assert_eq!(generated.state_hash(), reference.state_hash(), "{place}: hash before");
        let outcome = generated.animate(script.ratio(step), &mut drawn);
        let wanted = reference.animate(script.ratio(step), &mut expected);
        assert_eq!(outcome, wanted, "{place}");
        assert_eq!(drawn.count, expected.count, "{place}: draws");
        seen += systems::compare(&generated, &reference, &place);
        recorded += script.recorded(step).map_or(0, alive);
    }
    hashes.push(reference.state_hash());
    assert_eq!(generated.state_hash(), reference.state_hash(), "{name}: hash at the end");
    assert_eq!(recorded > 0, seen > 0, "{name}: {seen} particles were compared");
    hashes
}

/// How many particles live in a recorded state.
fn alive(state: &serde_json::Value) -> u64 {
    let systems = state["systems"].as_array().unwrap();
    systems.iter().map(|system| system["alive"].as_u64().unwrap()).sum()
}

fn act(systems: &mut impl SystemSet, inputs: &[Input]) {
    for input in inputs {
        systems.apply_all(input).unwrap();
    }
}

/// Steps of which none may allocate.
const STEPS: usize = 1000;

/// A started instance runs without allocating, whatever the recording does to it.
///
/// # Panics
/// It allocates.
pub fn allocates_nothing(name: &str, mut generated: Generated) {
    let script = fixture::script(&format!("{name}.json"));
    let mut inputs: Vec<_> = (0..STEPS).map(|step| script.inputs(step)).collect();
    // The start may allocate.
    act(&mut generated, &inputs[0]);
    inputs[0].clear();
    let ratios: Vec<_> = (0..STEPS).map(|step| script.ratio(step)).collect();
    let mut random = systems::Counted::default();
    let found = allocations(|| {
        for (inputs, ratio) in inputs.iter().zip(&ratios) {
            act(&mut generated, inputs);
            // What a step says is compared elsewhere.
            let _ = generated.animate(*ratio, &mut random);
        }
    });
    assert_eq!(found, 0, "{name}: allocations in {STEPS} steps");
}

/// How often this thread allocates while it runs that.
pub fn allocations(run: impl FnOnce()) -> u64 {
    allocation_counter::measure(run).count_total
}
