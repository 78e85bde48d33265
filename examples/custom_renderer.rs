//! A renderer of one's own, for terminals: it reads columns, and knows neither the graph nor a GPU.
//! `cargo run --example custom_renderer`.

#![expect(clippy::print_stdout, reason = "it tells on the terminal")]

use std::error::Error;

use pyrograph::picture::ArcRotate;
use pyrograph::{Camera, Column, Field, ParticleState, Pcg};

pyrograph::include_particle_graph!(mod fountain = "fixtures/graphs/canonical/fountain.json");

const WIDTH: usize = 72;
const HEIGHT: usize = 24;
/// From faint to bright.
const INK: &[u8] = b" .:-=+*#%@";

fn main() -> Result<(), Box<dyn Error>> {
    let mut random = Pcg::seed_from_u64(7);
    let mut system = fountain::System::new();
    system.start();
    for _ in 0..200 {
        system.animate(1.0, &mut random)?;
    }
    // Characters are twice as high as they are wide.
    let orbit = ArcRotate { beta: 1.3, radius: 4.0, ..ArcRotate::default() };
    let camera = orbit.camera(WIDTH as f64 / (2.0 * HEIGHT as f64));
    println!("{}", draw(system.program(), &camera).ok_or("a column that is drawn is missing")?);
    Ok(())
}

/// The light of all particles of a system, as text.
fn draw(state: &impl ParticleState, camera: &Camera) -> Option<String> {
    let position = [0, 1, 2].map(|axis| state.column(Field::Position(axis)));
    let [Some(x), Some(y), Some(z)] = position else { return None };
    let alpha = state.column(Field::Color(3))?;
    let mut light = [[0.0; WIDTH]; HEIGHT];
    for slot in (0..state.slots()).filter(|&slot| state.is_alive(slot)) {
        let [x, y, z] = [x.get(slot)?, y.get(slot)?, z.get(slot)?];
        let Some([column, row]) = place(camera, [x, y, z]) else { continue };
        light[row][column] += alpha.get(slot)?;
    }
    let brightest = light.iter().flatten().copied().fold(1e-9, f64::max);
    let ink = |light: &f64| {
        let index = (light / brightest).sqrt() * (INK.len() - 1) as f64;
        char::from(INK[index.ceil() as usize])
    };
    let lines: Vec<String> = light.iter().map(|row| row.iter().map(ink).collect()).collect();
    // Columns are slices, as the program keeps them: nothing was copied.
    let kept = match x {
        Column::Constant(_) => "one number for all",
        Column::F32(_) => "an array of f32",
        Column::F64(_) | Column::U32(_) | Column::U16(_) | Column::U8(_) => "another array",
    };
    Some(format!("{}\n{} particles; x is {kept}", lines.join("\n"), state.alive()))
}

/// Where a place of the world is in the text; `None` where it is not.
fn place(camera: &Camera, [x, y, z]: [f64; 3]) -> Option<[usize; 2]> {
    let m = &camera.view_projection;
    let at = |row: usize| m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row];
    let [across, up] = [at(0) / at(3), at(1) / at(3)];
    let inside = |at: f64| (-1.0..1.0).contains(&at);
    (at(3) > 0.0 && inside(across) && inside(up)).then(|| {
        let cell = |at: f64, count: usize| (0.5 * (at + 1.0) * count as f64) as usize;
        [cell(across, WIDTH), cell(-up, HEIGHT).min(HEIGHT - 1)]
    })
}
