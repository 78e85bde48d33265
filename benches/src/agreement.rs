//! Whether two programs compute the same: every field of every particle, bit for bit.

use pyrograph::{Field, ParticleProgram, ParticleState, ParticleSystem, Pcg};

const STEPS: u32 = 300;

/// Steps both programs and compares them after each step.
///
/// # Errors
/// Where they first differ.
pub(crate) fn check<A: ParticleProgram, B: ParticleProgram>(a: A, b: B) -> Result<(), String> {
    let mut a = ParticleSystem::from_program(a, crate::SEED);
    let mut b = ParticleSystem::from_program(b, crate::SEED);
    let (mut a_random, mut b_random) = (random(), random());
    a.start();
    b.start();
    for step in 0..STEPS {
        // Other ratios move deaths, and births with them.
        let ratio = [1.0, 1.0, 0.5, 1.5][step as usize % 4];
        a.animate(ratio, &mut a_random).map_err(|error| error.to_string())?;
        b.animate(ratio, &mut b_random).map_err(|error| error.to_string())?;
        compare(a.program(), b.program()).map_err(|place| format!("step {step}: {place}"))?;
    }
    if a_random != b_random {
        return Err("they drew differently".to_owned());
    }
    Ok(())
}

fn random() -> Pcg {
    Pcg::seed_from_u64(crate::SEED)
}

fn compare(a: &impl ParticleState, b: &impl ParticleState) -> Result<(), String> {
    if (a.alive(), a.slots()) != (b.alive(), b.slots()) {
        return Err(format!("{} and {} particles", a.alive(), b.alive()));
    }
    for field in fields() {
        for slot in 0..a.slots() {
            if a.is_alive(slot) != b.is_alive(slot) {
                return Err(format!("slot {slot}: only one is alive"));
            }
            let (left, right) = (a.value(slot, field), b.value(slot, field));
            if a.is_alive(slot) && left.map(f64::to_bits) != right.map(f64::to_bits) {
                return Err(format!("slot {slot}, {field:?}: {left:?} and {right:?}"));
            }
        }
    }
    Ok(())
}

fn fields() -> impl Iterator<Item = Field> {
    let single =
        [Field::Age, Field::LifeTime, Field::Id, Field::Size, Field::Angle, Field::CellIndex];
    let vectors = (0..3).flat_map(|axis| [Field::Position(axis), Field::Direction(axis)]);
    let pairs = (0..2).map(Field::Scale);
    single.into_iter().chain(vectors).chain(pairs).chain((0..4).map(Field::Color))
}
