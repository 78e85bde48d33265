//! The fountain, as far as `bevy_hanabi` has the same.

use bevy::prelude::*;
use bevy_hanabi::prelude::*;

/// As many particles as our bench keeps alive, with births as fast: they live 0.4 to 0.8 seconds.
pub fn fountain(particles: u32) -> EffectAsset {
    let w = ExprWriter::new();
    let random = |low: f32, high: f32| w.rand(ScalarType::Float) * w.lit(high - low) + w.lit(low);
    let random3 =
        |low: Vec3, high: Vec3| w.rand(VectorType::VEC3F) * w.lit(high - low) + w.lit(low);

    let lifetime = random(0.4, 0.8);
    let position = random3(Vec3::new(-0.25, 0.0, -0.25), Vec3::new(0.25, 0.1, 0.25));
    let direction = random3(Vec3::new(-0.3, 0.5, -0.3), Vec3::new(0.3, 0.75, 0.3));
    let velocity = direction * random(0.75, 1.25);
    let color = w.lit(Vec4::new(0.7, 0.8, 1.0, 1.0))
        + w.rand(ScalarType::Float) * w.lit(Vec4::new(-0.5, -0.3, 0.0, -0.1));
    // What is drawn last is read from the attributes that came before.
    let dead = w.lit(Vec4::new(0.0, 0.0, 0.2, 0.0));
    let color_step = (dead - w.attr(Attribute::HDR_COLOR)) / w.attr(Attribute::LIFETIME);

    // Faded by the time, and the size between three values, without those that are random for each particle.
    let faded = w.attr(Attribute::HDR_COLOR) + w.attr(Attribute::F32X4_0) * w.delta_time();
    let share = w.attr(Attribute::AGE) / w.attr(Attribute::LIFETIME);
    let growing = w.lit(0.075).mix(w.lit(0.35), share.clone() / w.lit(0.3));
    let shrinking = w.lit(0.35).mix(w.lit(0.02), (share.clone() - w.lit(0.3)) / w.lit(0.7));
    let size = growing.mix(shrinking, share.step(w.lit(0.3)));
    let gravity = w.lit(Vec3::new(0.0, -1.9, 0.0));

    let init = [
        (Attribute::AGE, w.lit(0.0).expr()),
        (Attribute::LIFETIME, lifetime.expr()),
        (Attribute::POSITION, position.expr()),
        (Attribute::VELOCITY, velocity.expr()),
        (Attribute::HDR_COLOR, color.expr()),
        (Attribute::F32X4_0, color_step.expr()),
        (Attribute::SIZE, random(0.05, 0.1).expr()),
        (Attribute::F32_0, random(0.8, 1.2).expr()),
        (Attribute::F32_1, random(-0.5, 0.5).expr()),
    ];
    let update = [(Attribute::HDR_COLOR, faded.expr()), (Attribute::SIZE, size.expr())];
    let gravity = AccelModifier::new(gravity.expr());

    let rate = particles as f32 / 0.6;
    let mut asset = EffectAsset::new(particles, SpawnerSettings::rate(rate.into()), w.finish())
        .with_name("fountain")
        .with_simulation_condition(SimulationCondition::Always)
        .update(gravity);
    for (attribute, value) in init {
        asset = asset.init(SetAttributeModifier::new(attribute, value));
    }
    for (attribute, value) in update {
        asset = asset.update(SetAttributeModifier::new(attribute, value));
    }
    asset
}
