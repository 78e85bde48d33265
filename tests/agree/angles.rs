//! Sines and cosines: those that are computed in lanes, and those that go to the library.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::{Options, compile};
use pyrograph::numeric::{exact, lanes};
use pyrograph::{Field, Interpreted, ParticleState, ParticleSystem, Random, Sine};

use super::{SEED, assert_same_slots};

/// Positions move by the sine of themselves; sizes are the sine of the age at first, then the cosine of
/// 4 million times the age, which is no plain argument. Born on a sphere.
const PATH: &str = "tests/agree/angles.json";

pyrograph::include_particle_graph!(mod graph = "tests/agree/angles.json", observe = state);

/// A source that gives 0 now and then: the arc cosine of -1 is not plain either.
struct Zeros {
    source: Sine,
    drawn: u32,
}

impl Zeros {
    fn new() -> Self {
        Self { source: Sine::new(), drawn: 0 }
    }
}

impl Random for Zeros {
    fn next(&mut self) -> f64 {
        self.drawn += 1;
        let next = self.source.next();
        if self.drawn.is_multiple_of(501) { 0.0 } else { next }
    }
}

#[test]
fn odd_angles_are_those_of_the_library() {
    let text = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(PATH)).unwrap();
    let module = Arc::new(compile(&text, &Options::new(Profile::Exact)).unwrap().module);
    let program = Interpreted::all(&module).pop().unwrap();
    let mut reference = ParticleSystem::from_program(program, SEED);
    let mut generated = graph::System::with_seed(SEED);
    let (mut drawn, mut expected) = (Zeros::new(), Zeros::new());
    generated.start();
    reference.start();
    // How many were of either kind.
    let (mut plain, mut odd, mut poles) = (0, 0, 0);
    for step in 1..=120 {
        generated.animate(1.0, &mut drawn).unwrap();
        reference.animate(1.0, &mut expected).unwrap();
        assert_eq!(drawn.drawn, expected.drawn, "step {step}");
        assert_same_slots(generated.program(), reference.program(), &format!("step {step}"));
        let program = reference.program();
        for slot in 0..program.slots() {
            let value = |field| program.value(slot, field).unwrap();
            let age = value(Field::Age);
            poles += u32::from(age == 0.0 && value(Field::Position(1)) < -1.0);
            if age == 0.0 {
                continue;
            }
            let (angle, is_young) = (age * 4e6, age < 0.2);
            let mut found = 0;
            let cosine = lanes::cos(angle, &mut found);
            if is_young || found == 0 {
                plain += 1;
            } else {
                odd += 1;
                let size = value(Field::Size);
                assert_eq!(size, f64::from(exact::cos(angle) as f32), "step {step}");
                assert!(cosine.is_finite());
            }
        }
    }
    assert!(plain > 1_000 && odd > 1_000 && poles > 0, "{plain} {odd} {poles}");
}
