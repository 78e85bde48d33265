//! A host of its own: `cargo run --example custom_host`.
//!
//! Whoever knows no program reads columns: arrays of one number a particle. This host turns an emitter in
//! a circle and prints, now and then, how high the particles are, a bar for each tenth of the height.
#![expect(clippy::print_stdout, reason = "it draws on the terminal")]

use std::convert::Infallible;
use std::error::Error;

use pyrograph::{Column, Field, ParticleState, Pcg};

pyrograph::include_particle_graph!(
    mod fountain = "fixtures/graphs/canonical/fountain.json",
    profile = parallel
);

fn main() -> Result<(), Box<dyn Error>> {
    let (mut system, mut random) = (fountain::System::with_seed(7), Pcg::seed_from_u64(7));
    let (mut angle, mut matrix) = (0.0f64, *system.emitter_matrix());
    let mut circle = || {
        angle += 0.05;
        (matrix[12], matrix[14]) = (angle.cos(), angle.sin());
        Ok::<_, Infallible>(matrix)
    };
    system.start();
    for step in 1..=120 {
        system.animate_with(1.0, &mut circle, &mut random)?;
        if step % 40 == 0 {
            println!("step {step}, state {:016x}", system.state_hash());
            print(system.program());
        }
    }
    Ok(())
}

fn print(state: &dyn ParticleState) {
    let Some(Column::F32(heights)) = state.column(Field::Position(1)) else { return };
    let living = (0..state.slots()).filter(|&slot| state.is_alive(slot));
    let mut bars = [0usize; 10];
    for slot in living {
        // From -0.2 to 0.4.
        bars[((heights[slot as usize] + 0.2) / 0.06).clamp(0.0, 9.0) as usize] += 1;
    }
    for (index, count) in bars.iter().enumerate().rev() {
        println!("{:>5.2} {}", -0.2 + 0.06 * index as f64, "*".repeat(*count));
    }
}
