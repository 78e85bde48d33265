//! What snapshots and timelines refuse. That every fixture comes again is tested in `tests/every`.

use pyrograph::{RestoreError, Sine, Snapshot, SystemSet, Timeline, TimelineError};

use super::{SEED, exact, parallel};

#[test]
fn snapshots_of_other_programs_are_refused() {
    let mut random = Sine::new();
    let mut fountain = exact::fountain::System::with_seed(SEED);
    fountain.start();
    for _ in 0..20 {
        fountain.animate(1.0, &mut random).unwrap();
    }
    let snapshot = fountain.snapshot(&random);
    let hash = fountain.state_hash();

    // Another graph, and the same graph in the other profile.
    let mut attractor = exact::attractor::System::with_seed(SEED);
    let before = attractor.state_hash();
    let error = attractor.restore(&snapshot, &mut random).unwrap_err();
    let systems = RestoreError::Program { saved: "fountain".into(), running: "attractor".into() };
    assert_eq!(error, systems);
    assert_eq!(attractor.state_hash(), before);
    let mut other = parallel::fountain::System::with_seed(SEED);
    let error = other.restore(&snapshot, &mut random).unwrap_err().to_string();
    assert!(error.contains("another program (system \"fountain\")"), "{error}");

    // Another version, more systems, bytes that are no state.
    let stored = serde_json::to_value(&snapshot).unwrap();
    let refused = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut stored = stored.clone();
        change(&mut stored);
        let snapshot: Snapshot<Sine> = serde_json::from_value(stored).unwrap();
        let mut fountain = fountain.clone();
        let error = fountain.restore(&snapshot, &mut Sine::new()).unwrap_err().to_string();
        assert_eq!(fountain.state_hash(), hash, "{error}");
        error
    };
    let error = refused(&|stored| stored["systems"][0]["version"] = "0.0.1".into());
    assert!(
        error.starts_with("the snapshot is of pyrograph 0.0.1 (layout 1), this is "),
        "{error}"
    );
    let error = refused(&|stored| stored["systems"][0]["layout"] = 0.into());
    assert!(error.contains("layout 0"), "{error}");
    let error = refused(&|stored| {
        let system = stored["systems"][0].clone();
        stored["systems"].as_array_mut().unwrap().push(system);
    });
    assert!(error.starts_with("the snapshot has 2 systems, and the set 1:"), "{error}");
    let bytes = stored["systems"][0]["bytes"].as_array().unwrap().len();
    for length in [0, 1, 100, bytes - 1] {
        let error = refused(&|stored| {
            stored["systems"][0]["bytes"].as_array_mut().unwrap().truncate(length);
        });
        assert!(error.contains("\"fountain\" is damaged"), "{error}");
    }
    let error = refused(&|stored| {
        stored["systems"][0]["bytes"].as_array_mut().unwrap().push(0.into());
    });
    assert!(error.contains("damaged"), "{error}");
    // A bit here and there: most of them would be another state of the program.
    for at in (0..bytes).step_by(7) {
        let error = refused(&|stored| {
            let byte = &mut stored["systems"][0]["bytes"][at];
            *byte = (byte.as_u64().unwrap() ^ 1).into();
        });
        assert!(error.contains("damaged"), "{at}: {error}");
    }
}

#[test]
fn a_timeline_forgets_what_did_not_happen() {
    let mut timeline = Timeline::new(exact::fountain::Set::new(), Sine::new());
    assert_eq!(
        timeline.apply(1, pyrograph::Input::Start),
        Err(TimelineError::NoSystem { system: 1 })
    );
    timeline.apply(0, pyrograph::Input::Start).unwrap();
    for _ in 0..50 {
        timeline.animate(1.0).unwrap();
    }
    let fifty = timeline.simulation().state_hash();
    timeline.seek(20).unwrap();
    timeline.apply(0, pyrograph::Input::Stop).unwrap();
    assert_eq!((timeline.now(), timeline.recorded()), (20, 20));
    let error = timeline.seek(21).unwrap_err();
    assert_eq!(error.to_string(), "step 21 is not recorded: the recording has 20 steps");
    for _ in 20..50 {
        timeline.animate(1.0).unwrap();
    }
    assert_ne!(timeline.simulation().state_hash(), fifty);
}
