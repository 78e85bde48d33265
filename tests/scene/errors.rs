//! What cannot be drawn is refused in the contract's words (section 11).

use pyrograph::picture::sprite2d::{Bridge, Mapping, Options, Sprite};
use pyrograph::picture::{Blending, Image};

use crate::graph::{Spec, one, plain};

fn text<T>(result: Result<T, impl ToString>) -> String {
    result.err().unwrap().to_string()
}

fn options(pixels_per_unit: f64, origin_px: [f64; 2], blending: Blending) -> Options {
    let mapping = Mapping { pixels_per_unit, origin_px, invert_y: true };
    Options { mapping, blending, ..Options::default() }
}

#[test]
fn a_system_without_a_picture_has_no_sprites() {
    let system = one(Spec::new("bare"));
    for blending in [Blending::Plain, Blending::Exact] {
        for image in [None, Some(Image::default())] {
            let refused = Bridge::new(
                system.program(),
                image.as_ref(),
                // The missing picture is told first.
                &options(f64::NAN, [0.0; 2], blending),
            );
            assert_eq!(
                text(refused),
                "createParticleSprite2DBridge: the particle system has no texture"
            );
        }
    }
}

#[test]
fn mappings_are_checked_when_a_bridge_is_created() {
    let (system, image) = (one(Spec::new("dot")), plain(2, 2, [255; 4]));
    for blending in [Blending::Plain, Blending::Exact] {
        let refused = |pixels, origin| {
            text(Bridge::new(system.program(), Some(&image), &options(pixels, origin, blending)))
        };
        let scale =
            "createParticleSprite2DBridge: pixelsPerUnit must be a positive finite number, got";
        for (value, shown) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-2.5, "-2.5"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (-1e30, "-1e+30"),
        ] {
            assert_eq!(refused(value, [f64::NAN; 2]), format!("{scale} {shown}"));
        }
        let origin = "createParticleSprite2DBridge: originPx must be finite, got";
        assert_eq!(refused(1.0, [f64::NAN, 7.0]), format!("{origin} [NaN, 7]"));
        assert_eq!(refused(1.0, [1.5, f64::NEG_INFINITY]), format!("{origin} [1.5, -Infinity]"));
    }
}

/// Nothing is touched: records, counts and dirty ranges stay.
#[test]
fn mappings_are_checked_at_each_synchronization() {
    for (blending, name) in [
        (Blending::Plain, "syncParticleSprite2DBridge"),
        (Blending::Exact, "syncParticleSprite2DBridgeWithBlendModes"),
    ] {
        let (mut system, image) = (one(Spec::new("dot").at(3.0, 4.0)), plain(2, 2, [255; 4]));
        let options = options(1.0, [0.0; 2], blending);
        let mut bridge = Bridge::new(system.program(), Some(&image), &options).unwrap();
        bridge.sync(system.program()).unwrap();
        system.start();
        system.animate(1.0, &mut pyrograph::Sine::new()).unwrap();
        let before = bridge.layers()[0].clone();
        bridge.mapping.pixels_per_unit = -1.0;
        assert_eq!(
            text(bridge.sync(system.program())),
            format!("{name}: pixelsPerUnit must be a positive finite number, got -1")
        );
        bridge.mapping = Mapping { origin_px: [0.5, f64::INFINITY], ..Mapping::default() };
        assert_eq!(
            text(bridge.sync(system.program())),
            format!("{name}: originPx must be finite, got [0.5, Infinity]")
        );
        let after = &bridge.layers()[0];
        assert_eq!((after.count(), after.words(), after.dirty()), (0, before.words(), 0..0));
        bridge.mapping = Mapping::default();
        bridge.sync(system.program()).unwrap();
        assert_eq!(bridge.layers()[0].count(), 1);
    }
}

#[test]
fn a_layer_of_a_bridge_has_no_room_for_others() {
    for (blending, passes, expected) in [
        (
            Blending::Plain,
            1,
            "syncParticleSprite2DBridge: the bridge-owned layer cannot use the Sprite2D Handle API",
        ),
        (
            Blending::Exact,
            2,
            "syncParticleSprite2DBridgeWithBlendModes: bridge-owned layers cannot use the Sprite2D \
             Handle API",
        ),
    ] {
        let spec = Spec::new("dot").with("blendMode", 4.into());
        let (system, image) = (one(spec), plain(2, 2, [255; 4]));
        let options = options(1.0, [0.0; 2], blending);
        let bridge = Bridge::new(system.program(), Some(&image), &options).unwrap();
        assert_eq!(bridge.layers().len(), passes);
        for pass in 0..passes {
            let mut bridge = bridge.clone();
            let handle = bridge.layers_mut()[pass].add(&Sprite::default()).unwrap();
            assert_eq!(text(bridge.sync(system.program())), expected);
            // Whoever was there once may come again.
            assert!(bridge.layers_mut()[pass].remove(handle));
            assert_eq!(text(bridge.sync(system.program())), expected);
        }
    }
}

#[test]
fn cells_that_the_picture_lacks_are_refused() {
    for blending in [Blending::Plain, Blending::Exact] {
        let spec = Spec { sheet: Some(([4.0, 4.0], 2)), ..Spec::new("cells") };
        let (mut system, image) = (one(spec), plain(8, 4, [255; 4]));
        let options = options(1.0, [0.0; 2], blending);
        let mut bridge = Bridge::new(system.program(), Some(&image), &options).unwrap();
        // Nobody shows it yet.
        bridge.sync(system.program()).unwrap();
        system.start();
        system.animate(1.0, &mut pyrograph::Sine::new()).unwrap();
        assert_eq!(
            text(bridge.sync(system.program())),
            "resolveSpriteFrame: index 2 out of range [0, 2)"
        );
        assert_eq!(bridge.layers()[0].count(), 0);
    }
}
