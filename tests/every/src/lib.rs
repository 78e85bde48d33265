//! What the tests of every fixture share: a fixture's systems behind one trait, the circumstances
//! that its states were recorded in, and the two checks.
#![expect(clippy::unwrap_used, reason = "a test may end at the first surprise")]

mod fixture;
#[path = "../../../compiler/tests/states/picture.rs"]
mod picture;
mod systems;

use pyrograph::compiler::ir::Profile;

pub use fixture::Fixture;
pub use pyrograph;
pub use systems::{Controls, Systems};

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

            impl pyrograph_every::Systems for generated::Set {
                fn start_all(&mut self) {
                    self.start();
                }
                fn step(
                    &mut self,
                    ratio: f64,
                    random: &mut dyn pyrograph_every::pyrograph::Random,
                ) -> Result<(), pyrograph_every::pyrograph::StepError> {
                    self.animate(ratio, random)
                }
                fn visit(&mut self, visitor: &mut dyn FnMut(&mut dyn pyrograph_every::Controls)) {
                    $(visitor(&mut self.$system);)*
                }
            }

            fn new() -> Box<dyn pyrograph_every::Systems> {
                Box::new(generated::Set::with_seed(pyrograph_every::SEED))
            }

            #[test]
            fn agrees() {
                pyrograph_every::agrees($fixture, stringify!($profile), new());
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
/// in every field of every slot, in the number of draws, and in what fails.
///
/// # Panics
/// They differ.
pub fn agrees(name: &str, profile: &str, mut generated: Box<dyn Systems>) {
    let profile = if profile == "exact" { Profile::Exact } else { Profile::Parallel };
    let fixture = Fixture::read(name);
    let mut reference = systems::Interpreters::new(&fixture.graph(), profile);
    let (mut drawn, mut expected) = (systems::Counted::default(), systems::Counted::default());
    fixture.furnish(&mut *generated);
    fixture.furnish(&mut reference);
    generated.start_all();
    reference.start_all();
    let mut seen = 0;
    for step in 0..fixture.steps() {
        let place = format!("{name} step {}", step + 1);
        let outcome = fixture.step(step, &mut *generated, &mut drawn);
        let wanted = fixture.step(step, &mut reference, &mut expected);
        assert_eq!(outcome, wanted, "{place}");
        assert_eq!(drawn.count, expected.count, "{place}: draws");
        seen += systems::compare(&mut *generated, &mut reference, &place);
    }
    assert_eq!(fixture.has_particles(), seen > 0, "{name}: {seen} particles were compared");
}

/// Steps of which none may allocate.
const STEPS: usize = 1000;

/// A started instance runs without allocating, whatever the recording does to it.
///
/// # Panics
/// It allocates.
pub fn allocates_nothing(name: &str, mut generated: Box<dyn Systems>) {
    let fixture = Fixture::read(name);
    fixture.furnish(&mut *generated);
    generated.start_all();
    let mut random = systems::Counted::default();
    let found = allocations(|| {
        for step in 0..STEPS {
            // What a step says is compared elsewhere.
            let _ = fixture.step(step, &mut *generated, &mut random);
        }
    });
    assert_eq!(found, 0, "{name}: allocations in {STEPS} steps");
}

/// How often this thread allocates while it runs that.
pub fn allocations(run: impl FnOnce()) -> u64 {
    allocation_counter::measure(run).count_total
}
