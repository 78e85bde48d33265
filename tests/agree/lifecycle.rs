//! Phases of a system, and what the fields `doNoStart` and `disposeOnStop` do (S1P-016).

use std::sync::Arc;

use pyrograph::compiler::ir::Profile;
use pyrograph::compiler::{Options, compile};
use pyrograph::{Interpreted, ParticleState, ParticleSystem, Phase, Sine};

use super::{exact, fixture};

/// The fountain with some fields changed, interpreted.
fn fountain(changes: &[(&str, &str)]) -> ParticleSystem<Interpreted> {
    let script = fixture::script("canonical/fountain.json");
    let mut text = String::from_utf8(script.graph).unwrap();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    let compiled = compile(text.as_bytes(), &Options::new(Profile::Exact)).unwrap();
    let program = Interpreted::all(&Arc::new(compiled.module)).pop().unwrap();
    ParticleSystem::from_program(program, 0)
}

const NO_START: (&str, &str) = ("\"doNoStart\":false", "\"doNoStart\":true");
const DISPOSE: (&str, &str) = ("\"disposeOnStop\":false", "\"disposeOnStop\":true");
const BURST: (&str, &str) = ("\"manualEmitCount\":-1", "\"manualEmitCount\":12");

#[test]
fn a_life_has_four_phases() {
    let mut system = exact::fountain::System::new();
    let mut random = Sine::new();
    let mut phases = vec![system.phase()];
    let mut go = |system: &mut exact::fountain::System, steps: usize| {
        for _ in 0..steps {
            system.animate(1.0, &mut random).unwrap();
            if phases.last() != Some(&system.phase()) {
                phases.push(system.phase());
            }
        }
    };
    go(&mut system, 5);
    system.start();
    system.set_target_stop(0.5);
    // Lives last 0.8 at most; a step is 0.0167.
    go(&mut system, 100);
    assert_eq!((system.program().alive(), system.target_stop()), (0, 0.5));
    system.start();
    go(&mut system, 1);
    let expected =
        [Phase::Idle, Phase::Emitting, Phase::Draining, Phase::Finished, Phase::Emitting];
    assert_eq!(phases, expected);
    assert!(!system.should_dispose());
}

#[test]
fn clear_takes_all_particles_at_once() {
    let mut system = exact::fountain::System::new();
    let mut random = Sine::new();
    system.start();
    for _ in 0..30 {
        system.animate(1.0, &mut random).unwrap();
    }
    let last = system.particles().map(|particle| particle.id()).max().unwrap();
    system.clear();
    assert_eq!((system.program().alive(), system.phase()), (0, Phase::Emitting));
    system.animate(1.0, &mut random).unwrap();
    assert!(system.particles().all(|particle| particle.id() > last), "ids go on");
    system.stop();
    system.clear();
    assert_eq!(system.phase(), Phase::Finished);
}

#[test]
fn some_start_only_when_they_may() {
    let mut system = fountain(&[NO_START]);
    system.start();
    system.animate(1.0, &mut Sine::new()).unwrap();
    assert_eq!((system.phase(), system.can_start()), (Phase::Idle, false));
    system.set_can_start(true);
    system.start();
    assert_eq!(system.phase(), Phase::Emitting);
    assert!(fountain(&[]).can_start());
}

#[test]
fn some_are_let_go_when_they_have_finished() {
    let mut system = fountain(&[DISPOSE]);
    let mut random = Sine::new();
    system.start();
    for _ in 0..30 {
        system.animate(1.0, &mut random).unwrap();
    }
    assert!(!system.should_dispose());
    system.stop();
    assert!(!system.should_dispose(), "particles still live");
    while system.phase() == Phase::Draining {
        system.animate(1.0, &mut random).unwrap();
    }
    assert!(system.should_dispose());
}

/// Births by number are all there is, so the system stops behind them.
#[test]
fn a_burst_that_is_let_go_stops_by_itself() {
    for (changes, phase) in [(&[BURST][..], Phase::Emitting), (&[BURST, DISPOSE], Phase::Draining)]
    {
        let mut system = fountain(changes);
        system.start();
        system.animate(1.0, &mut Sine::new()).unwrap();
        assert_eq!((system.program().alive(), system.phase()), (12, phase));
    }
}
