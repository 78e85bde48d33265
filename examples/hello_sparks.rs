//! A fountain in the terminal: `cargo run --example hello_sparks`.
//!
//! The macro compiles the graph into a type; this program steps it and draws what it sees from the
//! side, a character a cell.
#![expect(clippy::print_stdout, reason = "it draws on the terminal")]

use pyrograph::{Pcg, StepError};

pyrograph::include_particle_graph!(mod fountain = "fixtures/graphs/canonical/fountain.json");

const COLUMNS: usize = 64;
const ROWS: usize = 20;

fn main() -> Result<(), StepError> {
    let mut random = Pcg::seed_from_u64(7);
    let mut fountain = fountain::System::new();
    fountain.start();
    for frame in 1..=180 {
        fountain.animate(1.0, &mut random)?;
        if frame % 60 == 0 {
            println!("after {frame} steps:\n{}", picture(&fountain));
        }
    }
    Ok(())
}

/// The particles between -0.8 and 0.8 across and -0.5 and 0.4 up; denser ones have heavier marks.
fn picture(fountain: &fountain::System) -> String {
    let mut rows = vec![vec![' '; COLUMNS]; ROWS];
    for particle in fountain.particles() {
        let [x, y, _] = particle.position();
        let [.., alpha] = particle.color();
        let column = ((x + 0.8) / 1.6 * COLUMNS as f32) as usize;
        let row = ((0.4 - y) / 0.9 * ROWS as f32) as usize;
        if let Some(cell) = rows.get_mut(row).and_then(|row| row.get_mut(column)) {
            *cell = match alpha {
                alpha if alpha > 0.6 => '@',
                alpha if alpha > 0.3 => 'o',
                _ => '.',
            };
        }
    }
    rows.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect()
}
