//! A run that can be scrubbed: it logs what the host does and goes to any step of it, exactly.

use std::fmt;

use crate::error::StepError;
use crate::inputs::InputError;
use crate::random::Random;
use crate::snapshot::{RestoreError, Snapshot};
use crate::system_set::{Input, SystemSet};

/// Systems, their random source, and the log of everything that was done to them.
///
/// [`seek`](Self::seek) restores the nearest snapshot before the wanted step and replays the log
/// from there. Snapshots are taken every so many steps; when there are too many, every second one is
/// dropped and the distance doubled, so that memory for them is bounded. The log grows by a number a
/// step and by what the host does.
#[derive(Clone, Debug)]
pub struct Timeline<S, R> {
    simulation: S,
    random: R,
    /// Ratio of each step.
    ratios: Vec<f64>,
    /// What the host did to which system, each before the step of that number. In order.
    inputs: Vec<(usize, usize, Input)>,
    /// Snapshots before the step of that number and the inputs to it. The first is before step 0.
    snapshots: Vec<(usize, Snapshot<R>)>,
    interval: usize,
    max_snapshots: usize,
    now: usize,
}

/// What a [`Timeline`] cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimelineError {
    /// There is no system of that number.
    NoSystem {
        /// The number asked for, counted from 0.
        system: usize,
    },
    /// The input was refused.
    Input(InputError),
    /// The step has not been recorded yet.
    NotRecorded {
        /// The step asked for.
        step: usize,
        /// How many steps were recorded.
        recorded: usize,
    },
    /// The snapshot was refused.
    Restore(RestoreError),
}

impl fmt::Display for TimelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSystem { system } => write!(f, "there is no system number {system}"),
            Self::Input(error) => error.fmt(f),
            Self::NotRecorded { step, recorded } => {
                write!(f, "step {step} is not recorded: the recording has {recorded} steps")
            }
            Self::Restore(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TimelineError {}

impl From<InputError> for TimelineError {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl From<RestoreError> for TimelineError {
    fn from(error: RestoreError) -> Self {
        Self::Restore(error)
    }
}

impl<S: SystemSet, R: Random + Clone> Timeline<S, R> {
    /// Records from here on: step 0 is the present state. Pictures have been given, and do not
    /// change any more.
    pub fn new(simulation: S, random: R) -> Self {
        Self::with_snapshots(simulation, random, 16, 64)
    }

    /// Like [`new`](Self::new), with a snapshot every `interval` steps at first and no more than
    /// `max` of them. Both count as 1 at least.
    pub fn with_snapshots(simulation: S, random: R, interval: usize, max: usize) -> Self {
        let snapshots = vec![(0, simulation.snapshot(&random))];
        Self {
            simulation,
            random,
            ratios: Vec::new(),
            inputs: Vec::new(),
            snapshots,
            interval: interval.max(1),
            max_snapshots: max.max(1),
            now: 0,
        }
    }

    /// The systems at the present step.
    pub fn simulation(&self) -> &S {
        &self.simulation
    }

    /// The present step: how many steps lie before it.
    pub fn now(&self) -> usize {
        self.now
    }

    /// How many steps are recorded.
    pub fn recorded(&self) -> usize {
        self.ratios.len()
    }

    /// Does something to system number `system`. What was recorded behind the present step is
    /// forgotten.
    ///
    /// # Errors
    /// There is no such system, or [it refuses](crate::Controls::apply) the input; nothing has changed.
    pub fn apply(&mut self, system: usize, input: Input) -> Result<(), TimelineError> {
        let target = self.simulation.system_mut(system);
        target.ok_or(TimelineError::NoSystem { system })?.apply(&input)?;
        self.forget_future();
        self.inputs.push((self.now, system, input));
        Ok(())
    }

    /// Makes a step and records it. What was recorded behind the present step is forgotten.
    ///
    /// # Errors
    /// The step failed. It counts as made, as far as it came.
    pub fn animate(&mut self, ratio: f64) -> Result<(), StepError> {
        self.forget_future();
        self.ratios.push(ratio);
        let result = self.step(ratio);
        self.keep();
        result
    }

    /// Goes to a recorded step, forward or backward. Steps that failed fail again, unnoticed.
    ///
    /// # Errors
    /// The step is not recorded; nothing has changed.
    pub fn seek(&mut self, step: usize) -> Result<(), TimelineError> {
        let recorded = self.recorded();
        if step > recorded {
            return Err(TimelineError::NotRecorded { step, recorded });
        }
        let nearest = self.snapshots.iter().rev().find(|(at, _)| *at <= step);
        // Inputs to the present step have been applied already, so only what lies behind it can be
        // reached without a snapshot.
        let is_ahead = step > self.now && nearest.is_none_or(|(at, _)| *at <= self.now);
        let mut is_applied = is_ahead;
        if !is_ahead && let Some((at, snapshot)) = nearest {
            self.simulation.restore(snapshot, &mut self.random)?;
            self.now = *at;
            is_applied = false;
        }
        while self.now < step {
            if !is_applied {
                self.replay_inputs();
            }
            is_applied = false;
            let ratio = self.ratios[self.now];
            // The failure was told when the step was recorded.
            let _ = self.step(ratio);
        }
        self.replay_inputs();
        Ok(())
    }

    fn step(&mut self, ratio: f64) -> Result<(), StepError> {
        self.now += 1;
        self.simulation.animate(ratio, &mut self.random)
    }

    /// Does again what the host did before the present step.
    fn replay_inputs(&mut self) {
        let first = self.inputs.partition_point(|(step, ..)| *step < self.now);
        for (step, system, input) in &self.inputs[first..] {
            if *step > self.now {
                break;
            }
            if let Some(system) = self.simulation.system_mut(*system) {
                // It was accepted when it was recorded.
                let _ = system.apply(input);
            }
        }
    }

    fn forget_future(&mut self) {
        let now = self.now;
        self.ratios.truncate(now);
        self.inputs.retain(|(step, ..)| *step <= now);
        self.snapshots.retain(|(step, _)| *step <= now);
    }

    /// Takes a snapshot if it is time for one.
    fn keep(&mut self) {
        if !self.now.is_multiple_of(self.interval) {
            return;
        }
        self.snapshots.push((self.now, self.simulation.snapshot(&self.random)));
        if self.snapshots.len() > self.max_snapshots {
            self.interval = self.interval.saturating_mul(2);
            let interval = self.interval;
            self.snapshots.retain(|(step, _)| step.is_multiple_of(interval));
        }
    }
}
