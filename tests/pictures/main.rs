//! Scenes as Babylon.js has drawn them (`fixtures/pictures`): our states are the recorded ones, and our
//! pictures are near enough to Babylon's. What is no scene's picture is refused.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says what it found"
)]

mod compare;
mod gpu;
mod raster;
mod scene;
mod state;

use compare::{measure, plain, verdict};
use pyrograph::picture::Image;
use pyrograph::{Interpreted, ParticleSystem};
use scene::{Scene, scenes};

/// Frames of all scenes: the scene, the step, and the systems after it.
fn for_each_frame(mut frame: impl FnMut(&Scene, u64, &[ParticleSystem<Interpreted>])) {
    let mut frames = 0;
    for scene in scenes() {
        scene.play(|step, systems| {
            frame(&scene, step, systems);
            frames += 1;
        });
    }
    assert!(frames >= 41, "scenes are missing: {frames} frames");
}

/// Prints how near frames are; fails if any is not near enough.
#[derive(Default)]
struct Report {
    problems: Vec<String>,
}

impl Report {
    fn frame(&mut self, what: &str, found: Result<compare::Measure, String>) {
        match found {
            Ok(found) => println!("{what}: mean {:.5}, far {:.5}", found.mean, found.far),
            Err(problem) => self.problems.push(format!("{what}: {problem}")),
        }
    }

    fn finish(self) {
        assert!(self.problems.is_empty(), "{}", self.problems.join("\n"));
    }
}

#[test]
fn states_are_those_that_were_drawn() {
    let mut compared = 0;
    for_each_frame(|scene, step, systems| compared += state::compare(scene, step, systems));
    assert!(compared > 10_000, "{compared} numbers");
}

/// S1-113, the frozen mode of S1-115, and S1-114: our rasterizer draws what Babylon.js has drawn.
#[test]
fn the_rasterizer_draws_babylons_pictures() {
    let mut report = Report::default();
    for_each_frame(|scene, step, systems| {
        let drawn = raster::draw(scene, systems);
        let name = format!("{} {step}", scene.name);
        report.frame(&name, verdict(&drawn, &scene.picture(step), scene.clear()));
    });
    report.finish();
}

/// The same by the renderer, and both draw the same.
#[test]
fn the_renderer_draws_babylons_pictures() {
    let mut report = Report::default();
    for_each_frame(|scene, step, systems| {
        let drawn = gpu::draw(scene, systems);
        let name = format!("{} {step}", scene.name);
        report.frame(&name, verdict(&drawn, &scene.picture(step), scene.clear()));
        let second = measure(&raster::draw(scene, systems), &drawn);
        // The software adapter reads pictures less finely where quads are seen from the side.
        let agree = second.mean <= 0.003 && second.far <= 0.02;
        let found = if agree { Ok(second) } else { Err(format!("{second:?}")) };
        report.frame(&format!("{name}, rasterizer"), found);
    });
    report.finish();
}

/// What must not pass for a picture: nothing, black, and the picture itself a little aside.
#[test]
fn other_pictures_are_refused() {
    for scene in scenes() {
        for step in scene.drawn() {
            let (name, wanted, clear) = (&scene.name, scene.picture(step), scene.clear());
            assert!(verdict(&wanted, &wanted, clear).is_ok(), "{name}: itself");
            let refused = |other: Image, what: &str| {
                assert!(verdict(&other, &wanted, clear).is_err(), "{name} {step}: {what}");
            };
            refused(plain(&wanted, [0.0, 0.0, 0.0, 1.0]), "black");
            refused(plain(&wanted, clear), "nothing");
            for (x, y) in [(4, 0), (-4, 0), (0, 4), (0, -4)] {
                refused(aside(&wanted, x, y), &format!("aside by {x}, {y}"));
            }
        }
    }
}

/// The picture moved; what leaves it comes in again at the other side.
fn aside(image: &Image, x: i64, y: i64) -> Image {
    let (texels, _) = image.data().as_chunks::<4>();
    let mut moved = texels.to_vec();
    let (row, all) = (i64::from(image.width()), texels.len() as i64);
    moved.rotate_right((y * row + x).rem_euclid(all) as usize);
    Image::new(image.width(), image.height(), moved.into_flattened()).unwrap()
}

/// Scene 302 while it lives: its emitter moves on between two frames (S1-115).
#[test]
fn a_moving_emitter_moves_the_picture() {
    let scene = scenes().into_iter().find(|scene| scene.name == "scene302").unwrap();
    let mut frames = Vec::new();
    scene.play(|step, systems| {
        let [system] = systems else { panic!("{} systems", systems.len()) };
        state::assert_finite(system.program());
        frames.push((step, raster::draw(&scene, systems)));
    });
    let [(60, first), (61, second), (120, frozen)] = frames.as_slice() else {
        panic!("other steps are drawn")
    };
    let differing = |a: &Image, b: &Image| {
        a.data().chunks(4).zip(b.data().chunks(4)).filter(|(a, b)| a != b).count()
    };
    for picture in [first, second, frozen] {
        assert!(differing(picture, &plain(picture, scene.clear())) > 20, "blank");
    }
    assert!(differing(first, second) > 20);
}

/// A graph in Parallel looks alike wherever it is simulated.
#[test]
fn simulations_on_cpu_and_gpu_look_alike() {
    // One of each: classic, gradients, sheet, moving emitter, directions at birth, several systems.
    let names = ["scene262", "scene264", "scene276", "scene302", "oriented_still", "two_systems"];
    let mut report = Report::default();
    for scene in scenes().into_iter().filter(|scene| names.contains(&scene.name.as_str())) {
        let (cpu, gpu) = gpu::play(&scene);
        let (cpu, gpu) = (gpu::draw(&scene, &cpu), gpu::draw_in_place(&scene, &gpu));
        report.frame(&scene.name, verdict(&gpu, &cpu, scene.clear()));
    }
    report.finish();
}
