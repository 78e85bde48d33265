//! Emitters that move and turn: a provider moves one instance through the recorded schedule, to the
//! states that Babylon.js reached, without a rebuild or an allocation.

use std::convert::Infallible;

use pyrograph::{
    InvalidEmitter, ParticleProgram, ParticleSystem, ProviderError, Random, Sine, state,
};
use serde_json::Value;

use super::fixture::{Script, script};
use super::{assert_close, exact};

/// Declares a test for each fixture.
macro_rules! moving {
    ($($name:ident $path:literal;)*) => {$(
        mod $name {
            pyrograph::include_particle_graph!(
                mod generated = $path, observe = state, simd = false
            );

            #[test]
            fn follows_the_emitter() {
                super::check::<generated::Program>($path);
            }
        }
    )*};
}

moving! {
    moving_sphere "fixtures/graphs/emitter/moving_sphere.json";
    moving_cone "fixtures/graphs/emitter/moving_cone.json";
    moving_cylinder "fixtures/graphs/emitter/moving_cylinder.json";
    local_sphere "fixtures/graphs/emitter/local_sphere.json";
    local_cone "fixtures/graphs/emitter/local_cone.json";
    local_cylinder "fixtures/graphs/emitter/local_cylinder.json";
}

fn check<P: ParticleProgram + Default>(path: &str) {
    let script = script(path.strip_prefix("fixtures/graphs/").unwrap());
    let mut system = ParticleSystem::<P>::new();
    let mut random = Sine::new();
    let mut moves = script.moves().into_iter();
    assert!(script.turns(), "{path}: the emitter neither moves nor turns");
    system.start();
    let mut compared = 0;
    for step in 0..script.steps {
        let mut provider = || Ok::<_, Infallible>(moves.next().unwrap());
        let allocated = allocation_counter::measure(|| {
            system.animate_with(script.ratio(step), &mut provider, &mut random).unwrap();
        });
        assert_eq!(allocated.count_total, 0, "{path} step {step}");
        compared += compare(&script, step, &system);
    }
    assert!(moves.next().is_none(), "{path}: one sample a step");
    assert!(compared > 1, "{path}: nothing recorded");
}

/// Holds a system to the state that was recorded after this step; gives how many were.
fn compare<P: ParticleProgram>(script: &Script, step: usize, system: &ParticleSystem<P>) -> usize {
    let Some(expected) = script.recorded(step) else { return 0 };
    let found: Value = serde_json::from_str(&state::Json(&[system.program()]).to_string()).unwrap();
    let place = format!("{} step {step}", script.name);
    assert_close(&found["systems"], &expected["systems"], script.tolerance(), &place);
    1
}

/// Counts what is drawn.
struct Counted(Sine, u64);

impl Random for Counted {
    fn next(&mut self) -> f64 {
        self.1 += 1;
        self.0.next()
    }
}

/// A matrix that moves to a place.
fn at(x: f64) -> [f64; 16] {
    let mut matrix = *ParticleSystem::<exact::fountain::Program>::new().emitter_matrix();
    matrix[12] = x;
    matrix
}

#[test]
fn providers_that_fail_leave_all_alone() {
    let mut system = ParticleSystem::<exact::fountain::Program>::new();
    let mut random = Counted(Sine::new(), 0);
    system.start();
    for _ in 0..30 {
        system.animate_with(1.0, &mut || Ok::<_, Infallible>(at(2.0)), &mut random).unwrap();
    }
    let (before, drawn) = (system.state_hash(), random.1);

    let error = system.animate_with(1.0, &mut || Err("no scene"), &mut random).unwrap_err();
    assert_eq!(error, ProviderError::Provider("no scene"));
    assert_eq!(error.to_string(), "no scene");
    for broken in [f64::NAN, f64::INFINITY] {
        let mut provider = || Ok::<_, Infallible>(at(broken));
        let error = system.animate_with(1.0, &mut provider, &mut random).unwrap_err();
        assert_eq!(error, ProviderError::Emitter(InvalidEmitter { element: 12 }));
        let text = "NodeParticle: emitter provider must return a finite 16-element matrix";
        assert!(error.to_string().ends_with(text), "{error}");
    }
    assert_eq!((system.state_hash(), random.1), (before, drawn));
    assert_eq!(system.emitter_matrix()[12], 2.0);
}

#[test]
fn providers_are_asked_once_a_started_call() {
    let mut system = ParticleSystem::<exact::fountain::Program>::new();
    let mut random = Sine::new();
    let mut asked = 0;
    let mut provider = || {
        asked += 1;
        Ok::<_, Infallible>(at(f64::from(asked)))
    };
    system.animate_with(1.0, &mut provider, &mut random).unwrap();
    system.start();
    for _ in 0..3 {
        system.animate_with(1.0, &mut provider, &mut random).unwrap();
    }
    // A stopped system still asks.
    system.stop();
    system.animate_with(1.0, &mut provider, &mut random).unwrap();
    assert_eq!((asked, system.emitter_matrix()[12]), (4, 4.0));
}

/// One provider serves two systems; neither sees the other's samples, nor what was set before.
#[test]
fn a_provider_wins_and_couples_nothing() {
    let mut random = Sine::new();
    let mut asked = 0;
    let mut provider = || {
        asked += 1;
        Ok::<_, Infallible>(at(f64::from(asked)))
    };
    let mut systems = [(); 2].map(|()| ParticleSystem::<exact::fountain::Program>::new());
    for system in &mut systems {
        system.set_emitter_position([9.0, 9.0, 9.0]).unwrap();
        system.start();
        system.animate_with(1.0, &mut provider, &mut random).unwrap();
    }
    assert_eq!(systems.each_ref().map(|system| system.emitter_matrix()[12]), [1.0, 2.0]);
    // What the provider does not move, the host may.
    systems[0].set_emitter_position([7.0, 0.0, 0.0]).unwrap();
    systems[0].animate(1.0, &mut random).unwrap();
    assert_eq!(systems.each_ref().map(|system| system.emitter_matrix()[12]), [7.0, 2.0]);
}
