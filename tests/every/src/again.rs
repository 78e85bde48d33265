//! Whether a simulation comes again: from snapshots, in other instances, on timelines.

use pyrograph::{Input, Sine, Snapshot, SystemSet, Timeline};

/// What is done to a simulation.
pub(crate) struct Run<'a> {
    /// For messages.
    pub(crate) name: &'a str,
    /// How many steps there are, 3 at least.
    pub(crate) steps: usize,
    /// What the host does to all systems before a step, counted from 0.
    pub(crate) inputs: &'a dyn Fn(usize) -> Vec<Input>,
    /// Ratio of a step.
    pub(crate) ratio: &'a dyn Fn(usize) -> f64,
    /// A snapshot after it has been stored somewhere.
    pub(crate) stored: &'a dyn Fn(Snapshot<Sine>) -> Snapshot<Sine>,
}

impl Run<'_> {
    /// Runs from a step to the end; gives the hashes before each step, and at the end.
    fn play<S: SystemSet>(&self, from: usize, simulation: &mut S, random: &mut Sine) -> Vec<u64> {
        let mut hashes = Vec::new();
        for step in from..self.steps {
            for input in (self.inputs)(step) {
                simulation.apply_all(&input).unwrap();
            }
            hashes.push(simulation.state_hash());
            // Graphs that fail must fail alike, which the hashes show.
            let _ = simulation.animate((self.ratio)(step), random);
        }
        hashes.push(simulation.state_hash());
        hashes
    }
}

/// Holds a simulation to itself: from a snapshot on, in the same or another instance, and at every
/// step that a timeline goes to, its hashes are those of the first run. Gives them.
pub(crate) fn check<S: SystemSet>(run: &Run<'_>, fresh: impl Fn() -> S) -> Vec<u64> {
    let (name, steps) = (run.name, run.steps);
    let (mut simulation, mut random) = (fresh(), Sine::new());
    let hashes = run.play(0, &mut simulation, &mut random);

    // The first half again.
    let middle = steps / 2;
    let (mut simulation, mut random) = (fresh(), Sine::new());
    let half = Run { steps: middle, ..*run };
    half.play(0, &mut simulation, &mut random);
    let snapshot = simulation.snapshot(&random);

    let on = run.play(middle, &mut simulation, &mut random);
    assert_eq!(on, hashes[middle..], "{name}: a snapshot changes nothing");
    simulation.restore(&snapshot, &mut random).unwrap();
    let on = run.play(middle, &mut simulation, &mut random);
    assert_eq!(on, hashes[middle..], "{name}: after restore");

    let (mut other, mut random) = (fresh(), Sine::new());
    other.restore(&(run.stored)(snapshot.clone()), &mut random).unwrap();
    assert_eq!(other.snapshot(&random), snapshot, "{name}: restored elsewhere");
    let on = run.play(middle, &mut other, &mut random);
    assert_eq!(on, hashes[middle..], "{name}: in another instance");

    let mut timeline = Timeline::with_snapshots(fresh(), Sine::new(), 3, 5);
    for step in 0..steps {
        for system in 0..timeline.simulation().systems().count() {
            for input in (run.inputs)(step) {
                timeline.apply(system, input).unwrap();
            }
        }
        let _ = timeline.animate((run.ratio)(step));
    }
    for step in [steps, 0, steps / 3, steps / 3 + 1, steps - 1, middle, middle, 1, steps] {
        timeline.seek(step).unwrap();
        assert_eq!(timeline.now(), step);
        assert_eq!(timeline.simulation().state_hash(), hashes[step], "{name}: sought {step}");
    }
    hashes
}
