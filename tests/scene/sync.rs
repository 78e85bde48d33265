//! Synchronization packs the whole live range and nothing else (sections 10.5 and 10.6).

use pyrograph::picture::Blending;
use pyrograph::picture::sprite2d::{Bridge, Options, Sprite, View};
use pyrograph::{ParticleState, Sine};
use serde_json::json;

use crate::graph::{Spec, one, plain};

/// Eight at once, which die together after three steps.
fn burst() -> Spec {
    Spec { burst: 5, life: 3.0, corners: [[-1.0; 3], [1.0; 3]], ..Spec::new("burst") }
}

#[test]
fn the_live_range_is_packed_and_the_stale_tail_cleared() {
    let (mut system, image) = (one(burst()), plain(2, 2, [255; 4]));
    let mut random = Sine::new();
    let mut bridge = Bridge::new(system.program(), Some(&image), &Options::default()).unwrap();
    bridge.sync(system.program()).unwrap();
    assert_eq!(bridge.layers_mut()[0].take_dirty(), 0..0);

    system.start();
    system.animate(1.0, &mut random).unwrap();
    bridge.sync(system.program()).unwrap();
    let layer = &mut bridge.layers_mut()[0];
    assert_eq!((layer.count(), layer.take_dirty(), layer.dirty()), (5, 0..5, 0..0));
    assert_eq!(layer.words().len(), 5 * Sprite::WORDS);
    for (sprite, slot) in layer.sprites().zip(0..) {
        use pyrograph::Field::Position;
        let position = [0, 1].map(|axis| system.program().value(slot, Position(axis)).unwrap());
        assert_eq!(sprite.position, [position[0] as f32, -position[1] as f32]);
        assert_eq!((sprite.size, sprite.color), ([1.0; 2], [1.0; 4]));
    }

    while system.program().alive() > 0 {
        system.animate(1.0, &mut random).unwrap();
    }
    bridge.sync(system.program()).unwrap();
    let layer = &mut bridge.layers_mut()[0];
    // One range, as far as there were sprites.
    assert_eq!((layer.count(), layer.dirty()), (0, 0..5));
    assert!(layer.words().iter().all(|&word| word == 0.0));
    layer.take_dirty();
    bridge.sync(system.program()).unwrap();
    assert_eq!(bridge.layers()[0].dirty(), 0..0);
}

/// A range that nobody has taken grows; it stays one.
#[test]
fn changes_add_up_to_one_range() {
    let (mut system, image) = (one(burst()), plain(2, 2, [255; 4]));
    let mut bridge = Bridge::new(system.program(), Some(&image), &Options::default()).unwrap();
    system.start();
    for _ in 0..6 {
        system.animate(1.0, &mut Sine::new()).unwrap();
        bridge.sync(system.program()).unwrap();
    }
    assert_eq!((bridge.layers()[0].count(), bridge.layers_mut()[0].take_dirty()), (0, 0..5));
}

#[test]
fn passes_hold_the_same_bytes_and_follow_the_first() {
    let spec = burst().with("blendMode", json!(4));
    let (mut system, image) = (one(spec), plain(2, 2, [255; 4]));
    let options = Options { blending: Blending::Exact, ..Options::default() };
    let mut bridge = Bridge::new(system.program(), Some(&image), &options).unwrap();
    system.start();
    system.animate(1.0, &mut Sine::new()).unwrap();
    for step in 1..4 {
        let step = f64::from(step);
        bridge.mapping.pixels_per_unit = 10.0 * step;
        bridge.mapping.origin_px = [step, -step];
        bridge.mapping.invert_y = !bridge.mapping.invert_y;
        let shown = bridge.presentation_mut();
        shown.opacity = 0.25 * step;
        shown.visible = !shown.visible;
        shown.order = -step;
        shown.view = View { position_px: [step, 2.0 * step], zoom: step, rotation: 0.1 * step };
        shown.pivot = [0.1 * step, 0.2 * step];
        bridge.sync(system.program()).unwrap();
        let [first, second] = bridge.layers() else { panic!("two layers") };
        assert_eq!(first.presentation, second.presentation);
        assert_eq!(first.presentation.order, -step);
        assert_eq!((first.count(), first.words()), (5, second.words()));
        assert_eq!(second.count(), 5);
        assert_eq!((first.dirty(), second.dirty()), (0..5, 0..5));
    }
}

#[test]
fn packing_allocates_nothing() {
    let spec = Spec { burst: 2000, capacity: 2000, ..burst() }.with("blendMode", json!(4));
    let (mut system, image) = (one(spec), plain(2, 2, [255; 4]));
    let options = Options { blending: Blending::Exact, ..Options::default() };
    let mut bridge = Bridge::new(system.program(), Some(&image), &options).unwrap();
    system.start();
    system.animate(1.0, &mut Sine::new()).unwrap();
    bridge.sync(system.program()).unwrap();
    let info = allocation_counter::measure(|| bridge.sync(system.program()).unwrap());
    assert_eq!((info.count_total, bridge.layers()[1].count()), (0, 2000));
}

/// Sprites of the caller's own: a handle means its sprite until it is removed.
#[test]
fn handles_outlive_the_sprites_around_them() {
    let (system, image) = (one(burst()), plain(2, 2, [255; 4]));
    let bridge = Bridge::new(system.program(), Some(&image), &Options::default()).unwrap();
    let mut layer = bridge.layers()[0].clone();
    let at = |x| Sprite { position: [x, 0.0], ..Sprite::default() };
    let positions = |layer: &pyrograph::picture::sprite2d::Layer| {
        layer.sprites().map(|sprite| sprite.position[0]).collect::<Vec<_>>()
    };
    let [a, b, c] = [1.0, 2.0, 3.0].map(|x| layer.add(&at(x)).unwrap());
    assert!(layer.remove(a) && !layer.remove(a) && !layer.set(a, &at(9.0)));
    assert!(layer.set(c, &at(4.0)) && layer.set(b, &at(5.0)));
    assert_eq!(positions(&layer), [4.0, 5.0]);
    assert_eq!(layer.take_dirty(), 0..3);
    for _ in 2..8 {
        assert!(layer.add(&at(6.0)).is_some());
    }
    assert_eq!((layer.add(&at(7.0)), layer.count()), (None, 8));
}
