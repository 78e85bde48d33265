//! Sets are registered as a whole or not at all, and leave nothing behind (section 10.7).

use std::cell::RefCell;
use std::rc::Rc;

use pyrograph::picture::sprite2d::stage::{FrameFailure, Reason};
use pyrograph::picture::sprite2d::{BridgeError, Layer, LayerId, Options, Stage, Target};
use pyrograph::picture::{Blending, Image};
use pyrograph::{ParticleState, Phase, Sine};
use serde_json::json;

use crate::graph::{Spec, Systems, plain, systems};

/// Remembers what is attached; refuses the layer that comes after so many others.
#[derive(Clone, Debug, Default)]
struct Recorder {
    attached: Rc<RefCell<Vec<LayerId>>>,
    /// How many more are taken.
    left: Option<usize>,
}

impl Target for Recorder {
    type Error = &'static str;

    fn attach(&mut self, id: LayerId, layer: &Layer, image: &Image) -> Result<(), &'static str> {
        assert!(image.width() > 0 && layer.capacity() > 0);
        if self.left == Some(0) {
            return Err("no pipeline");
        }
        self.left = self.left.map(|left| left - 1);
        self.attached.borrow_mut().push(id);
        Ok(())
    }

    fn detach(&mut self, id: LayerId) {
        let mut attached = self.attached.borrow_mut();
        let at = attached.iter().position(|&known| known == id).expect("attached");
        attached.remove(at);
    }
}

fn stage() -> (Stage<Sine, Recorder>, Rc<RefCell<Vec<LayerId>>>) {
    let target = Recorder::default();
    let attached = Rc::clone(&target.attached);
    (Stage::new(Sine::new(), target), attached)
}

/// Two systems, the second with two passes.
fn pair() -> Systems {
    let [a, b] = ["a", "b"].map(|name| Spec { burst: -1, rate: 2.0, ..Spec::new(name) });
    systems(&[a, b.with("blendMode", json!(4))])
}

fn images() -> Vec<Option<Image>> {
    vec![Some(plain(2, 2, [255; 4])); 2]
}

fn exact() -> Options {
    Options { blending: Blending::Exact, ..Options::default() }
}

fn phases(systems: &Systems) -> Vec<Phase> {
    systems.iter().map(|system| system.phase()).collect()
}

#[test]
fn layers_are_attached_in_the_order_of_systems_and_passes() {
    let (mut stage, attached) = stage();
    let binding = stage.register(pair(), &images(), &exact(), true).unwrap();
    assert_eq!((attached.borrow().len(), stage.is_active(binding)), (3, true));
    assert!(attached.borrow().is_sorted());
    assert_eq!(stage.bridges(binding).iter().map(|bridge| bridge.layers().len()).sum::<usize>(), 3);
    let drawn: Vec<LayerId> = stage.draw_order().iter().map(|(id, ..)| *id).collect();
    assert_eq!(drawn, *attached.borrow());
    assert_eq!(phases(stage.set::<Systems>(binding).unwrap()), [Phase::Emitting; 2]);
}

/// Equal orders keep the order of attachment, and the passes of a system stay together.
#[test]
fn layers_of_lower_order_are_drawn_first() {
    let (mut stage, attached) = stage();
    let back = Options { order: -1.0, ..exact() };
    let first = stage.register(pair(), &images(), &exact(), true).unwrap();
    stage.register(pair(), &images(), &back, true).unwrap();
    let ids = attached.borrow().clone();
    let drawn = |stage: &Stage<_, _>| -> Vec<LayerId> {
        stage.draw_order().iter().map(|(id, ..)| *id).collect()
    };
    assert_eq!(drawn(&stage), [&ids[3..], &ids[..3]].concat());
    // The order may change between frames.
    stage.bridges_mut(first)[1].presentation_mut().order = -2.0;
    stage.advance(0.0);
    assert_eq!(drawn(&stage), [&ids[1..3], &ids[3..], &ids[..1]].concat());
}

#[test]
fn what_fails_while_bridges_are_made_leaves_nothing() {
    let (mut stage, attached) = stage();
    let missing = vec![Some(plain(2, 2, [255; 4])), None];
    let mut bad = exact();
    bad.mapping.pixels_per_unit = 0.0;
    for (images, options, system) in [(&missing, exact(), 1), (&images(), bad, 0)] {
        let refused = stage.register(pair(), images, &options, true).unwrap_err();
        assert_eq!(refused.system, system);
        assert!(matches!(refused.reason, Reason::Bridge(_)));
        assert_eq!(phases(&refused.set), [Phase::Idle; 2]);
        assert!(attached.borrow().is_empty() && stage.draw_order().is_empty());
    }
    // A cell beyond the last is found by the first synchronization.
    let sheet = Some(([1.0, 1.0], 9));
    let mut set = systems(&[Spec::new("a"), Spec { sheet, ..Spec::new("b") }]);
    set[1].start();
    set[1].animate(1.0, &mut Sine::new()).unwrap();
    let refused = stage.register(set, &images(), &exact(), true).unwrap_err();
    assert_eq!(refused.reason.to_string(), "resolveSpriteFrame: index 9 out of range [0, 4)");
    assert_eq!(phases(&refused.set)[0], Phase::Idle);
    assert!(attached.borrow().is_empty());
}

#[test]
fn what_fails_while_layers_are_attached_is_taken_back() {
    for taken in 0..3 {
        let (mut stage, attached) = stage();
        let before = stage.register(pair(), &images(), &exact(), true).unwrap();
        let kept = attached.borrow().clone();
        stage.target_mut().left = Some(taken);
        let refused = stage.register(pair(), &images(), &exact(), true).unwrap_err();
        assert_eq!(refused.reason, Reason::Target("no pipeline"));
        assert_eq!((refused.system, phases(&refused.set)), (taken.min(1), vec![Phase::Idle; 2]));
        assert_eq!(*attached.borrow(), kept);
        assert_eq!(stage.draw_order().len(), 3);
        // The same set, once there is room.
        stage.target_mut().left = None;
        let again = stage.register(refused.set, &images(), &exact(), true).unwrap();
        assert!(stage.is_active(before) && stage.is_active(again) && before != again);
    }
}

#[test]
fn sets_start_only_where_they_should_and_are_synchronized_at_once() {
    let (mut stage, _) = stage();
    let mut set = pair();
    set[0].start();
    set[0].animate(1.0, &mut Sine::new()).unwrap();
    let alive = set[0].program().alive();
    assert!(alive > 0);
    let binding = stage.register(set, &images(), &exact(), false).unwrap();
    assert_eq!(stage.bridges(binding)[0].layers()[0].count(), alive);
    let set = stage.set::<Systems>(binding).unwrap();
    assert_eq!(phases(set), [Phase::Emitting, Phase::Idle]);
    stage.advance(0.0);
    let layers = stage.bridges(binding)[1].layers();
    assert!(layers.iter().all(|layer| layer.count() == 0));
    stage.set_mut::<Systems>(binding).unwrap()[1].start();
    stage.advance(0.0);
    let layers = stage.bridges(binding)[1].layers();
    assert!(layers.iter().all(|layer| layer.count() > 0));
}

/// A step of a sixtieth of a second is 1; where no time has passed it is 1, too. Passes do not count.
#[test]
fn each_system_is_advanced_once_a_frame() {
    let (mut stage, _) = stage();
    let binding = stage.register(pair(), &images(), &exact(), true).unwrap();
    let mut expected = 0.0;
    for (delta, ratio) in [(1000.0 / 60.0, 1.0), (50.0, 3.0), (0.0, 1.0), (-4.0, 1.0)] {
        assert!(stage.advance(delta).is_empty());
        expected += ratio;
        for system in stage.set::<Systems>(binding).unwrap() {
            assert!((system.time() - expected).abs() < 1e-9, "{delta}");
        }
    }
    for (bridge, system) in
        stage.bridges(binding).iter().zip(stage.set::<Systems>(binding).unwrap())
    {
        let alive = system.program().alive();
        assert!(alive > 0 && bridge.layers().iter().all(|layer| layer.count() == alive));
    }
}

#[test]
fn disposal_is_idempotent_and_stops_nothing() {
    let (mut stage, attached) = stage();
    let first = stage.register(pair(), &images(), &exact(), true).unwrap();
    let second = stage.register(pair(), &images(), &Options::default(), true).unwrap();
    let ids = attached.borrow().clone();
    stage.advance(0.0);
    let set = stage.dispose(first).unwrap().downcast::<Systems>().unwrap();
    assert_eq!(phases(&set), [Phase::Emitting; 2]);
    assert!(set[0].program().alive() > 0);
    assert_eq!(*attached.borrow(), ids[3..]);
    assert!(!stage.is_active(first) && stage.is_active(second));
    assert!(stage.dispose(first).is_none() && stage.bridges(first).is_empty());
    assert!(stage.advance(0.0).is_empty());
    // It no longer follows the stage.
    assert_eq!(set[0].time(), 1.0);
}

#[test]
fn a_stage_that_goes_takes_its_layers_along() {
    let (mut stage, attached) = stage();
    stage.register(pair(), &images(), &exact(), true).unwrap();
    stage.register(pair(), &images(), &exact(), true).unwrap();
    assert_eq!(attached.borrow().len(), 6);
    let sets = stage.dispose_all();
    assert_eq!((sets.len(), attached.borrow().len()), (2, 0));
    stage.register(pair(), &images(), &exact(), true).unwrap();
    drop(stage);
    assert!(attached.borrow().is_empty());
}

/// A system that fails says so each frame, and hinders no other.
#[test]
fn failures_of_a_frame_are_told_and_do_not_spread() {
    let (mut stage, _) = stage();
    let binding = stage.register(pair(), &images(), &exact(), true).unwrap();
    stage.bridges_mut(binding)[0].mapping.pixels_per_unit = f64::NAN;
    for _ in 0..2 {
        let failures = stage.advance(0.0);
        let [(of, 0, FrameFailure::Bridge(BridgeError::PixelsPerUnit(_, value)))] =
            failures.as_slice()
        else {
            panic!("{failures:?}")
        };
        assert!(*of == binding && value.is_nan());
    }
    assert_eq!(stage.bridges(binding)[0].layers()[0].count(), 0);
    assert!(stage.bridges(binding)[1].layers()[0].count() > 0);
    stage.bridges_mut(binding)[0].mapping.pixels_per_unit = 1.0;
    assert!(stage.advance(0.0).is_empty());
    assert!(stage.bridges(binding)[0].layers()[0].count() > 0);
}
