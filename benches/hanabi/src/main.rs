//! GPU time that `bevy_hanabi` takes for a step of an effect like our fountain, by timestamps of the device.
//!
//! `cargo run --release -- [PARTICLES]`. Nothing is drawn: the camera has no target.

mod effect;
mod timestamps;

use std::error::Error;
use std::time::Duration;

use bevy::app::PluginsState;
use bevy::camera::RenderTarget;
use bevy::core_pipeline::schedule::camera_driver;
use bevy::prelude::*;
use bevy::render::renderer::{RenderAdapterInfo, RenderGraph, RenderGraphSystems};
use bevy::render::settings::{RenderCreation, WgpuFeatures, WgpuSettings};
use bevy::render::{RenderApp, RenderPlugin};
use bevy::tasks::tick_global_task_pools_on_main_thread;
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_hanabi::prelude::*;

use timestamps::Timestamps;

/// Seconds of a step: the fountain's update speed.
const DELTA: f64 = 0.0167;
/// Steps before the first one that counts: pipelines are compiled, and the pool is full.
const WARM_UP: u32 = 600;
const STEPS: u32 = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let particles: u32 = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 1 << 20,
    };
    let mut app = App::new();
    let features = WgpuFeatures::TIMESTAMP_QUERY | WgpuFeatures::TIMESTAMP_QUERY_INSIDE_ENCODERS;
    let settings = WgpuSettings { features, ..default() };
    app.add_plugins(
        DefaultPlugins
            .set(RenderPlugin {
                render_creation: RenderCreation::Automatic(Box::new(settings)),
                synchronous_pipeline_compilation: true,
                ..default()
            })
            .set(WindowPlugin {
                primary_window: None,
                exit_condition: ExitCondition::DontExit,
                ..default()
            })
            .disable::<WinitPlugin>(),
    );
    app.add_plugins(HanabiPlugin);
    let step = Duration::from_secs_f64(DELTA);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    app.add_systems(
        Startup,
        move |mut commands: Commands, mut assets: ResMut<Assets<EffectAsset>>| {
            let effect = assets.add(effect::fountain(particles));
            commands.spawn(ParticleEffect::new(effect));
            // Without a camera, nothing is simulated; this one draws nothing.
            let target = RenderTarget::None { size: UVec2::ONE };
            commands.spawn((Camera3d::default(), target));
        },
    );
    while app.plugins_state() == PluginsState::Adding {
        tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    let render = app.get_sub_app_mut(RenderApp).ok_or("no GPU")?;
    let timestamps = Timestamps::new(render.world())?;
    println!("{}", render.world().resource::<RenderAdapterInfo>().0.name);
    render.insert_resource(timestamps);
    render.add_systems(
        RenderGraph,
        (
            timestamps::begin.in_set(RenderGraphSystems::Begin),
            timestamps::end.in_set(RenderGraphSystems::Render).after(camera_driver),
        ),
    );
    let mut times = Vec::new();
    for step in 0..WARM_UP + STEPS {
        app.update();
        let render = app.get_sub_app(RenderApp).ok_or("no GPU")?;
        let seconds = render.world().resource::<Timestamps>().seconds()?;
        if step >= WARM_UP {
            times.push(seconds);
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[(times.len() as f64 * share) as usize] * 1e6;
    println!(
        "bevy_hanabi, {particles} particles: {:.1} us a step ({:.1} to {:.1} for eight tenths of them)",
        at(0.5),
        at(0.1),
        at(0.9),
    );
    Ok(())
}
