//! Systems that are called alike, and systems without a name, in one `Set`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::{Options, compile};
use pyrograph::{Input, Interpreted, ParticleState, ParticleSystem, Sine, SystemSet};

use super::SEED;

const PATH: &str = "tests/agree/equal_names.json";

pyrograph::include_particle_graph!(mod exact = "tests/agree/equal_names.json", observe = state);
pyrograph::include_particle_graph!(
    mod parallel = "tests/agree/equal_names.json",
    profile = parallel, observe = state
);

/// Steps a set and the interpreter; gives what each system of the set is called, its capacity and
/// how many of its particles live in the end.
fn check(profile: Profile, mut set: impl SystemSet) -> Vec<(String, u32, u32)> {
    let graph = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(PATH)).unwrap();
    let module = Arc::new(compile(&graph, &Options::new(profile)).unwrap().module);
    let programs = Interpreted::all(&module).into_iter();
    let mut reference: Vec<_> =
        programs.map(|program| ParticleSystem::from_program(program, SEED)).collect();
    let (mut random, mut expected) = (Sine::new(), Sine::new());
    set.apply_all(&Input::Start).unwrap();
    reference.apply_all(&Input::Start).unwrap();
    for step in 0..60 {
        set.animate(1.0, &mut random).unwrap();
        reference.animate(1.0, &mut expected).unwrap();
        let hashes: Vec<u64> = set.systems().map(|system| system.state_hash()).collect();
        let wanted: Vec<u64> = reference.iter().map(ParticleSystem::state_hash).collect();
        assert_eq!(hashes, wanted, "step {step}");
    }
    let different: BTreeSet<u64> = set.systems().map(|system| system.state_hash()).collect();
    assert_eq!(different.len(), reference.len(), "systems have one state");
    let facts = set.systems().map(|system| {
        let state = system.state();
        (state.name().to_owned(), state.capacity(), state.alive())
    });
    facts.collect()
}

#[test]
fn systems_of_equal_name_run_in_one_set() {
    let expected = [("Sparks", 12), ("Sparks", 9), ("", 7), ("", 5)];
    let exact = check(Profile::Exact, exact::Set::with_seed(SEED));
    let parallel = check(Profile::Parallel, parallel::Set::with_seed(SEED));
    for found in [exact, parallel] {
        assert!(found.iter().all(|(.., alive)| *alive > 0), "{found:?}");
        let found: Vec<_> =
            found.iter().map(|(name, capacity, _)| (name.as_str(), *capacity)).collect();
        assert_eq!(found, expected);
    }
}

/// Each has a field and a module of its own, in file order.
#[test]
fn systems_of_equal_name_are_told_apart() {
    let set = exact::Set::new();
    let first: &exact::sparks::System = &set.sparks;
    let second: &exact::sparks_2::System = &set.sparks_2;
    let third: &exact::system::System = &set.system;
    let fourth: &exact::system_2::System = &set.system_2;
    assert_eq!(first.program().capacity(), 12);
    assert_eq!(second.program().capacity(), 9);
    assert_eq!(third.program().capacity(), 7);
    assert_eq!(fourth.program().capacity(), 5);
}
