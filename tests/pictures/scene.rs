//! The scenes of `fixtures/pictures`, as `fixtures/oracle/README.md` describes them, and how the
//! interpreter plays them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::{Options, compile};
use pyrograph::picture::sprite2d::{self, Mapping};
use pyrograph::picture::{ArcRotate, Blending, Filter, Image};
use pyrograph::textures::Textures;
use pyrograph::{Camera, Interpreted, ParticleSystem, Sine, TextureFacts};
use serde_json::Value;

/// A scene that is drawn after some of its steps.
pub(crate) struct Scene {
    pub(crate) name: String,
    folder: PathBuf,
    description: Value,
}

/// Where the viewer is.
pub(crate) enum View {
    Camera(Camera),
    /// Sprites, which have none.
    Flat(sprite2d::Options),
}

/// Every scene there is, by name.
pub(crate) fn scenes() -> Vec<Scene> {
    let root = fixtures().join("pictures");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() >= 35, "scenes are missing");
    folders.into_iter().map(Scene::read).collect()
}

/// The picture of a system's particles.
pub(crate) fn image(facts: Option<TextureFacts<'_>>) -> Image {
    Textures::new().load(&facts.unwrap()).unwrap()
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn numbers<const N: usize>(list: &Value) -> [f64; N] {
    let list: Vec<f64> = list.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    list.try_into().unwrap()
}

impl Scene {
    fn read(folder: PathBuf) -> Self {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let description = read_json(&folder.join("scene.json"));
        assert_eq!((&description["random"], &description["ratio"]), (&"sine".into(), &1.into()));
        Self { name, folder, description }
    }

    pub(crate) fn size(&self) -> [u32; 2] {
        numbers(&self.description["size"]).map(|side| side as u32)
    }

    pub(crate) fn clear(&self) -> [f64; 4] {
        numbers(&self.description["clear"])
    }

    /// How the pictures of its particles are read.
    pub(crate) fn filter(&self) -> Filter {
        match self.description["sampling"].as_str().unwrap() {
            "nearest" => Filter::Nearest,
            "trilinear" => Filter::Smooth,
            other => panic!("{}: sampling {other}", self.name),
        }
    }

    pub(crate) fn view(&self) -> View {
        let number = |value: &Value| value.as_f64().unwrap();
        if let Some(flat) = self.description.get("flat") {
            let mapping = Mapping {
                pixels_per_unit: number(&flat["pixelsPerUnit"]),
                origin_px: numbers(&flat["originPx"]),
                invert_y: true,
            };
            let opacity = flat["opacity"].as_f64().unwrap_or(1.0);
            let blending = Blending::Exact;
            return View::Flat(sprite2d::Options {
                mapping,
                opacity,
                blending,
                ..Default::default()
            });
        }
        let camera = &self.description["camera"];
        let camera = ArcRotate {
            alpha: number(&camera["alpha"]),
            beta: number(&camera["beta"]),
            radius: number(&camera["radius"]),
            target: numbers(&camera["target"]),
            fov: number(&camera["fov"]),
            near: number(&camera["near"]),
            far: number(&camera["far"]),
        };
        let [width, height] = self.size().map(f64::from);
        View::Camera(camera.camera(width / height))
    }

    /// The steps that are drawn.
    pub(crate) fn drawn(&self) -> Vec<u64> {
        let steps = self.description["drawn"].as_array().unwrap();
        steps.iter().map(|step| step.as_u64().unwrap()).collect()
    }

    /// The picture that Babylon.js has drawn after a step.
    pub(crate) fn picture(&self, step: u64) -> Image {
        let mut files = Textures::new().with_folder(&self.folder);
        files.read(&format!("{step}.png"), false).unwrap()
    }

    /// The systems that Babylon.js has drawn after a step, particles in slot order; and how far numbers
    /// may be from them.
    pub(crate) fn recorded(&self, step: u64) -> (Vec<Value>, f64) {
        let file = read_json(&self.folder.join(format!("{step}.json")));
        let systems = file["states"][0]["systems"].as_array().unwrap().clone();
        (systems, file["tolerance"].as_f64().unwrap())
    }

    pub(crate) fn graph(&self) -> Vec<u8> {
        let path = match self.description["graph"].as_str() {
            Some(shared) => fixtures().join(shared),
            None => self.folder.join("graph.json"),
        };
        fs::read(path).unwrap()
    }

    /// The systems at the start, with the pixels that they read.
    pub(crate) fn systems(&self, profile: Profile) -> Vec<ParticleSystem<Interpreted>> {
        let compiled = compile(&self.graph(), &Options::new(profile)).unwrap();
        let programs = Interpreted::all(&Arc::new(compiled.module));
        let mut textures = Textures::new();
        let prepare = |program| {
            let mut system = ParticleSystem::from_program(program, 0);
            assert!(textures.fill(&mut system).is_empty(), "{}: textures", self.name);
            if let View::Camera(camera) = self.view() {
                system.set_camera(Some(camera));
            }
            system.start();
            system
        };
        programs.into_iter().map(prepare).collect()
    }

    /// Plays the scene in Exact; calls `draw` after each step that is drawn.
    pub(crate) fn play(&self, mut draw: impl FnMut(u64, &[ParticleSystem<Interpreted>])) {
        let mut random = Sine::new();
        let mut systems = self.systems(Profile::Exact);
        let drawn = self.drawn();
        for step in 1..=*drawn.last().unwrap() {
            for system in &mut systems {
                if let Some(matrix) = self.emitter(step) {
                    system.set_emitter_matrix(matrix).unwrap();
                }
                system.animate(1.0, &mut random).unwrap();
            }
            if drawn.contains(&step) {
                draw(step, &systems);
            }
        }
    }

    /// Where the emitter is in a step, if it moves.
    pub(crate) fn emitter(&self, step: u64) -> Option<[f64; 16]> {
        let schedule = self.description.get("emitterSchedule")?;
        Some(numbers(&schedule[step as usize - 1]))
    }
}
