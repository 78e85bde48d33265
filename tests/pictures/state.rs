//! What is drawn against what Babylon.js has drawn, number by number.

use pyrograph::{Field, Interpreted, ParticleProgram, ParticleState, ParticleSystem};
use serde_json::Value;

use super::scene::Scene;

/// Members of a recorded particle, and the fields that they are.
fn members() -> Vec<(&'static str, Vec<Field>)> {
    let axes = |field: fn(u8) -> Field, count: u8| (0..count).map(field).collect();
    vec![
        ("id", vec![Field::Id]),
        ("position", axes(Field::Position, 3)),
        ("direction", axes(Field::Direction, 3)),
        ("color", axes(Field::Color, 4)),
        ("size", vec![Field::Size]),
        ("scale", axes(Field::Scale, 2)),
        ("angle", vec![Field::Angle]),
        ("cellIndex", vec![Field::CellIndex]),
    ]
}

/// Compares the systems after a step with the recorded ones, slot by slot, as they are drawn in that
/// order; gives how many numbers agree.
pub(crate) fn compare(scene: &Scene, step: u64, systems: &[ParticleSystem<Interpreted>]) -> usize {
    let (recorded, tolerance) = scene.recorded(step);
    assert_eq!(recorded.len(), systems.len(), "{} {step}", scene.name);
    let mut compared = 0;
    for (system, recorded) in systems.iter().zip(&recorded) {
        let program = system.program();
        let particles = recorded["particles"].as_array().unwrap();
        assert_eq!(program.alive() as usize, particles.len(), "{} {step}", scene.name);
        for (slot, particle) in (0..).zip(particles) {
            for (member, fields) in members() {
                let values = match &particle[member] {
                    Value::Null if member == "cellIndex" => continue,
                    Value::Array(values) => values.clone(),
                    value => vec![value.clone()],
                };
                assert_eq!(values.len(), fields.len());
                for (value, field) in values.iter().zip(fields) {
                    let wanted = value.as_f64().unwrap();
                    let found = program.value(slot, field).unwrap();
                    assert!(
                        (found - wanted).abs() <= tolerance * wanted.abs().max(1.0),
                        "{} {step}: slot {slot} {field:?} is {found}, not {wanted}",
                        scene.name
                    );
                    compared += 1;
                }
            }
        }
    }
    compared
}

/// All that is drawn of a system is a number.
pub(crate) fn assert_finite<P: ParticleProgram>(program: &P) {
    assert!(program.alive() > 0);
    for slot in (0..program.slots()).filter(|&slot| program.is_alive(slot)) {
        for field in members().into_iter().flat_map(|(_, fields)| fields) {
            assert!(program.value(slot, field).is_none_or(f64::is_finite), "{slot} {field:?}");
        }
    }
}
