//! Scenes as Babylon.js has drawn them (`fixtures/pictures`): our states are the recorded ones, and our
//! pictures are near enough to Babylon's. What is no scene's picture is refused.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it found")]

mod compare;
mod raster;
mod scene;
mod state;

use compare::verdict;
use scene::{Scene, View, scenes};

/// A drawn frame with the picture that it should be.
struct Frame {
    name: String,
    clear: [u8; 4],
    drawn: Vec<[u8; 4]>,
    wanted: pyrograph::picture::Image,
}

fn unorm(color: [f64; 4]) -> [u8; 4] {
    color.map(|channel| (channel * 255.0).round() as u8)
}

/// All frames of the scenes that have a camera, drawn by the rasterizer.
fn frames() -> Vec<Frame> {
    let mut frames = Vec::new();
    for scene in scenes().iter().filter(|scene| matches!(scene.view(), View::Camera(_))) {
        scene.play(|step, systems| {
            frames.push(Frame {
                name: format!("{} {step}", scene.name),
                clear: unorm(scene.clear()),
                drawn: raster::draw(scene, systems).pixels().to_vec(),
                wanted: scene.picture(step),
            });
        });
    }
    assert!(frames.len() >= 35, "scenes are missing");
    frames
}

#[test]
fn states_are_those_that_were_drawn() {
    let mut compared = 0;
    for scene in scenes() {
        scene.play(|step, systems| compared += state::compare(&scene, step, systems));
    }
    assert!(compared > 10_000, "{compared} numbers");
}

#[test]
fn pictures_are_babylons() {
    let mut problems = Vec::new();
    for Frame { name, clear, drawn, wanted } in frames() {
        match verdict(&drawn, &wanted, clear) {
            Ok(found) => println!("{name}: {found:.5?}"),
            Err(problem) => problems.push(format!("{name}: {problem}")),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What must not pass for a picture: nothing, black, and the picture itself a little aside.
#[test]
fn other_pictures_are_refused() {
    for Frame { name, clear, wanted, .. } in frames() {
        let (pixels, _) = wanted.data().as_chunks::<4>();
        let width = wanted.width() as usize;
        assert!(verdict(pixels, &wanted, clear).is_ok(), "{name}: itself");
        let black = vec![[0, 0, 0, 255]; pixels.len()];
        assert!(verdict(&black, &wanted, clear).is_err(), "{name}: black");
        assert!(verdict(&vec![clear; pixels.len()], &wanted, clear).is_err(), "{name}: nothing");
        for by in [4, width - 4, 4 * width, pixels.len() - 4 * width] {
            let mut aside = pixels.to_vec();
            aside.rotate_right(by);
            assert!(verdict(&aside, &wanted, clear).is_err(), "{name}: aside by {by}");
        }
    }
}

/// Scene 302 while it lives: its emitter moves on between two frames (S1-115).
#[test]
fn a_moving_emitter_moves_the_picture() {
    let scene = scenes().into_iter().find(|scene| scene.name == "scene302").unwrap();
    let mut frames = Vec::new();
    scene.play(|step, systems| {
        let [system] = systems else { panic!("{} systems", systems.len()) };
        state::assert_finite(system.program());
        frames.push((step, raster::draw(&scene, systems).pixels().to_vec()));
    });
    let [(60, first), (61, second), (120, frozen)] = frames.as_slice() else {
        panic!("other steps are drawn")
    };
    let blank = unorm(scene.clear());
    for picture in [first, second, frozen] {
        assert!(picture.iter().filter(|&&pixel| pixel != blank).count() > 20);
    }
    let moved = first.iter().zip(second).filter(|(first, second)| first != second).count();
    assert!(moved > 20, "{moved} pixels");
}
