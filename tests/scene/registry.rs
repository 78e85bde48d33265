//! Scenes advance, list and order their systems (sections 2.1 and 10.3).

use std::cell::RefCell;
use std::rc::Rc;

use pyrograph::scene::{Register, Scene, SystemId, frame_ratio};
use pyrograph::{Input, ParticleState, Phase, Sine};
use serde_json::json;

use crate::graph::{Spec, Systems, systems};

fn emitting(name: &'static str) -> Spec {
    Spec { burst: -1, rate: 2.0, ..Spec::new(name) }
}

fn set(names: &[&'static str]) -> Systems {
    systems(&names.iter().map(|name| emitting(name)).collect::<Vec<_>>())
}

fn names(scene: &Scene<Sine>) -> Vec<String> {
    scene.systems().map(|system| system.state().name().to_owned()).collect()
}

fn drawn(scene: &Scene<Sine>) -> Vec<String> {
    let order = scene.draw_order();
    order.iter().map(|system| system.state().name().to_owned()).collect()
}

/// A list that callbacks write to.
type Log = Rc<RefCell<Vec<String>>>;

fn log() -> (Log, impl Fn(&str) + Clone) {
    let log = Log::default();
    let writer = Rc::clone(&log);
    (log, move |text: &str| writer.borrow_mut().push(text.to_owned()))
}

/// Writes the names of systems down, each with its number of particles.
fn note(write: impl Fn(&str) + 'static) -> Register {
    Register::new().on_system(move |_: SystemId, system| {
        let state = system.state();
        write(&format!("{} {}", state.name(), state.alive()));
    })
}

#[test]
fn a_frame_of_a_sixtieth_of_a_second_is_one_step() {
    assert_eq!(frame_ratio(1000.0 / 60.0), 1.0);
    assert_eq!(frame_ratio(50.0), 50.0 / (1000.0 / 60.0));
    for nothing in [0.0, -0.0, -3.0, f64::NAN, f64::NEG_INFINITY] {
        assert_eq!(frame_ratio(nothing), 1.0);
    }
}

#[test]
fn each_system_is_advanced_once_a_frame_by_the_ratio() {
    let mut scene = Scene::new(Sine::new());
    let id = scene.register(set(&["a", "b"]), Register::new());
    let mut expected = 0.0;
    for (delta, ratio) in [(1000.0 / 60.0, 1.0), (50.0, 3.0), (0.0, 1.0), (f64::NAN, 1.0)] {
        assert!(scene.advance(delta).failures.is_empty());
        expected += ratio;
        for system in scene.set::<Systems>(id).unwrap() {
            assert!((system.time() - expected).abs() < 1e-9, "{delta}: {}", system.time());
        }
    }
}

/// Nothing is stepped or shown while a set is registered; then each system is, and its callback called
/// right behind it.
#[test]
fn callbacks_follow_their_systems_in_the_order_of_registration() {
    let (log, write) = log();
    let mut scene = Scene::new(Sine::new());
    let before = write.clone();
    scene.before_render(move |_, delta| before(&format!("camera {delta}")));
    scene.register(set(&["a", "b"]), note(write.clone()));
    let between = write.clone();
    scene.before_render(move |_, _| between("between"));
    scene.register(set(&["c"]), note(write));
    assert!(log.borrow().is_empty());
    scene.advance(0.0);
    assert_eq!(log.take(), ["camera 0", "a 2", "b 2", "between", "c 2"]);
    scene.advance(0.0);
    assert_eq!(log.take(), ["camera 0", "a 4", "b 4", "between", "c 4"]);
}

#[test]
fn systems_that_are_not_started_are_called_back_all_the_same() {
    let (log, write) = log();
    let mut scene = Scene::new(Sine::new());
    let id = scene.register(set(&["idle"]), note(write).auto_start(false));
    scene.advance(0.0);
    assert_eq!(log.take(), ["idle 0"]);
    let system = SystemId { set: id, index: 0 };
    assert_eq!(scene.system(system).unwrap().phase(), Phase::Idle);
    scene.system_mut(system).unwrap().apply(&Input::Start).unwrap();
    scene.advance(0.0);
    assert_eq!(log.take(), ["idle 2"]);
}

/// Callbacks of hosts may register, and what they register takes part in the same frame.
#[test]
fn sets_may_be_registered_in_a_frame() {
    let (log, write) = log();
    let mut scene = Scene::new(Sine::new());
    let mut is_first = true;
    let late = write.clone();
    scene.before_render(move |scene, _| {
        if std::mem::take(&mut is_first) {
            scene.register(set(&["late"]), note(late.clone()));
            // A frame in a frame is none.
            assert!(scene.advance(0.0).failures.is_empty());
        }
    });
    scene.register(set(&["early"]), note(write));
    scene.advance(0.0);
    assert_eq!(log.take(), ["early 2", "late 2"]);
    scene.advance(0.0);
    assert_eq!(log.take(), ["early 4", "late 4"]);
}

#[test]
fn systems_are_listed_once_in_the_order_of_their_first_registration() {
    let (log, write) = log();
    let mut scene = Scene::new(Sine::new());
    assert_eq!(scene.systems().count(), 0);
    let first = scene.register(set(&["a", "b"]), note(write.clone()));
    scene.register(set(&["c"]), Register::new().auto_start(false));
    assert!(scene.register_again(first, note(write)));
    assert_eq!(names(&scene), ["a", "b", "c"]);
    // Shown twice, and advanced once.
    assert_eq!(drawn(&scene), ["a", "b", "c", "a", "b"]);
    scene.advance(0.0);
    assert_eq!(log.take(), ["a 2", "b 2", "a 2", "b 2"]);
    assert_eq!(scene.set::<Systems>(first).unwrap()[0].time(), 1.0);

    let other = Scene::new(Sine::new());
    assert!(names(&other).is_empty());
    scene.dispose();
    assert!(names(&scene).is_empty() && drawn(&scene).is_empty());
    assert!(scene.set::<Systems>(first).is_none() && !scene.register_again(first, Register::new()));
    scene.advance(0.0);
    assert!(log.take().is_empty());
    scene.register(set(&["d"]), Register::new());
    assert_eq!(names(&scene), ["d"]);
}

#[test]
fn names_phases_and_draining_particles_are_seen() {
    let mut scene = Scene::new(Sine::new());
    let id = scene.register(
        systems(&[Spec { life: 3.0, ..emitting("draining") }, emitting("")]),
        Register::new(),
    );
    scene.advance(0.0);
    scene.system_mut(SystemId { set: id, index: 0 }).unwrap().apply(&Input::Stop).unwrap();
    scene.advance(0.0);
    let seen: Vec<_> = scene.systems().map(|s| (s.state().name(), s.controls.phase())).collect();
    assert_eq!(seen, [("draining", Phase::Draining), ("", Phase::Emitting)]);
    assert!(scene.systems().next().unwrap().state().alive() > 0);
    assert_eq!(scene.systems().next().unwrap().state().capacity(), 8);
}

#[test]
fn sets_that_are_unregistered_come_back_as_they_are() {
    let (log, write) = log();
    let mut scene = Scene::new(Sine::new());
    let a = scene.register(set(&["a"]), note(write.clone()));
    scene.register(set(&["b"]), note(write));
    scene.advance(0.0);
    log.take();
    let back = scene.unregister(a).unwrap().downcast::<Systems>().unwrap();
    assert_eq!((back[0].phase(), back[0].program().alive()), (Phase::Emitting, 2));
    assert!(scene.unregister(a).is_none());
    scene.advance(0.0);
    assert_eq!(log.take(), ["b 4"]);
    assert_eq!(back[0].time(), 1.0);
}

/// A callback that unregisters what comes later in the frame.
#[test]
fn sets_may_be_unregistered_in_a_frame() {
    let (log, write) = log();
    let mut scene = Scene::new(Sine::new());
    let target = Rc::new(RefCell::new(None));
    let aim = Rc::clone(&target);
    scene.before_render(move |scene, _| {
        if let Some(id) = aim.take() {
            assert!(scene.unregister(id).is_some());
        }
    });
    let a = scene.register(set(&["a"]), note(write.clone()));
    scene.register(set(&["b"]), note(write));
    target.replace(Some(a));
    scene.advance(0.0);
    assert_eq!(log.take(), ["b 2"]);
    scene.advance(0.0);
    assert_eq!((log.take(), names(&scene)), (vec!["b 4".to_owned()], vec!["b".to_owned()]));
}

/// S1P-016: `renderingGroupId` is the order of drawing, not of advancing or listing.
#[test]
fn groups_are_the_order_of_drawing() {
    let in_group = |name, group: i32| emitting(name).with("renderingGroupId", json!(group));
    let mut scene = Scene::new(Sine::new());
    let a = scene.register(systems(&[in_group("a2", 2), in_group("a0", 0)]), Register::new());
    scene.register(systems(&[in_group("b1", 1), in_group("b0", 0)]), Register::new());
    assert_eq!(drawn(&scene), ["a0", "b0", "b1", "a2"]);
    assert_eq!(names(&scene), ["a2", "a0", "b1", "b0"]);
    // Whoever registers may say otherwise.
    scene.register(set(&["under"]), Register::new().group(-1.0));
    scene.register_again(a, Register::new().group(3.0));
    assert_eq!(drawn(&scene), ["under", "a0", "b0", "b1", "a2", "a2", "a0"]);
}

/// S1P-016: `disposeOnStop` lets go of a system when its last particle has died, and of a set with its
/// last system.
#[test]
fn systems_that_say_so_are_let_go_when_they_have_finished() {
    let ends =
        |name| Spec { burst: 3, life: 2.5, ..Spec::new(name) }.with("disposeOnStop", json!(true));
    let (log, write) = log();
    let mut scene = Scene::new(Sine::new());
    let mixed = scene.register(systems(&[ends("ends"), emitting("stays")]), note(write));
    let alone = scene.register(systems(&[ends("alone")]), Register::new());
    let mut disposed = Vec::new();
    for _ in 0..6 {
        disposed.extend(scene.advance(0.0).disposed);
    }
    let [first, second] = [mixed, alone].map(|set| SystemId { set, index: 0 });
    assert_eq!(disposed, [first, second]);
    assert_eq!((names(&scene), drawn(&scene)), (vec!["stays".into()], vec!["stays".into()]));
    assert!(scene.system(first).is_none() && scene.system_mut(first).is_none());
    assert!(scene.unregister(alone).is_none());
    log.take();
    scene.advance(0.0);
    assert_eq!(log.take(), ["stays 8"]);
}

/// Systems of all sets draw from one source, each in its turn: as if they were one file.
#[test]
fn all_systems_share_one_random_source() {
    let wide = |name| Spec { corners: [[-1.0; 3], [1.0; 3]], ..emitting(name) };
    let mut scene = Scene::new(Sine::new());
    let ids = ["a", "b"].map(|name| scene.register(systems(&[wide(name)]), Register::new()));
    let mut file = systems(&[wide("a"), wide("b")]);
    let mut random = Sine::new();
    file.iter_mut().for_each(|system| system.start());
    for _ in 0..3 {
        scene.advance(0.0);
        file.iter_mut().for_each(|system| system.animate(1.0, &mut random).unwrap());
    }
    for (id, system) in ids.into_iter().zip(&file) {
        let places = |state: &dyn ParticleState| -> Vec<Option<f64>> {
            let x = pyrograph::Field::Position(0);
            (0..state.alive()).map(|slot| state.value(slot, x)).collect()
        };
        let set = scene.set::<Systems>(id).unwrap();
        assert_eq!(system.program().alive(), 6);
        assert_eq!(places(set[0].program()), places(system.program()));
    }
}

/// Warming up comes before the first system goes on, wherever a system was registered.
#[test]
fn systems_are_warmed_up_before_any_goes_on() {
    let wide = |name| Spec { corners: [[-1.0; 3], [1.0; 3]], ..emitting(name) };
    let warm = wide("warm").with("preWarmCycles", json!(2));
    let mut scene = Scene::new(Sine::new());
    let cold = scene.register(systems(&[wide("cold")]), Register::new());
    scene.register(systems(std::slice::from_ref(&warm)), Register::new());
    scene.advance(0.0);
    let mut file = systems(&[warm, wide("cold")]);
    let mut random = Sine::new();
    file.iter_mut().for_each(|system| system.start());
    file[0].pre_warm(&mut random).unwrap();
    file[1].animate(1.0, &mut random).unwrap();
    let set = scene.set::<Systems>(cold).unwrap();
    let x = pyrograph::Field::Position(0);
    assert_eq!(set[0].program().value(1, x), file[1].program().value(1, x));
    assert!(file[1].program().value(1, x).is_some());
}

#[test]
fn the_camera_of_a_scene_is_that_of_its_systems() {
    let camera = |x: f64| {
        Some(pyrograph::Camera {
            position: [x, 0.0, 0.0],
            view: [0.0; 16],
            view_projection: [0.0; 16],
        })
    };
    let mut scene = Scene::new(Sine::new());
    let early = scene.register(set(&["early"]), Register::new());
    scene.set_camera(camera(1.0));
    let late = scene.register(set(&["late"]), Register::new());
    for id in [early, late] {
        assert_eq!(scene.set::<Systems>(id).unwrap()[0].camera(), camera(1.0).as_ref());
    }
    scene.before_render(move |scene, _| scene.set_camera(None));
    scene.advance(0.0);
    assert_eq!(scene.camera(), None);
    assert_eq!(scene.set::<Systems>(early).unwrap()[0].camera(), None);
}

/// A system whose step fails is told of in each frame; the others go on.
#[test]
fn failures_are_told_and_do_not_spread() {
    let text = r#"{"blocks":[
        {"customType":"BABYLON.SystemBlock","id":1,"name":"fails","updateSpeed":1,"inputs":[
            {"name":"particle","inputName":"particle","targetBlockId":3,"targetConnectionName":"output"},
            {"name":"emitRate","valueType":"number","value":2}]},
        {"customType":"BABYLON.CreateParticleBlock","id":2,"name":"","inputs":[
            {"name":"lifeTime","inputName":"lifeTime","targetBlockId":4,"targetConnectionName":"output"}]},
        {"customType":"BABYLON.PointShapeBlock","id":3,"name":"","inputs":[
            {"name":"particle","inputName":"particle","targetBlockId":2,"targetConnectionName":"particle"}]},
        {"customType":"BABYLON.ParticleVectorLengthBlock","id":4,"name":"","inputs":[{"name":"input"}]}]}"#;
    let compiled = pyrograph::compile(text.as_bytes(), &exact()).unwrap();
    let programs = pyrograph::Interpreted::all(&std::sync::Arc::new(compiled.module));
    let fails: Systems = programs
        .into_iter()
        .map(|program| pyrograph::ParticleSystem::from_program(program, 0))
        .collect();
    let mut scene = Scene::new(Sine::new());
    let bad = scene.register(fails, Register::new());
    let good = scene.register(set(&["good"]), Register::new());
    for step in 1..3 {
        let report = scene.advance(0.0);
        let [(id, error)] = report.failures.as_slice() else { panic!("{report:?}") };
        assert_eq!((*id, error.system()), (SystemId { set: bad, index: 0 }, "fails"));
        assert_eq!(scene.set::<Systems>(good).unwrap()[0].program().alive(), 2 * step);
    }
}

fn exact() -> pyrograph::Options {
    pyrograph::Options::new(pyrograph::compiler::ir::Profile::Exact)
}
