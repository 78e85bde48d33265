//! How long the stages of a compilation took.

use std::time::{Duration, Instant};

use crate::input::note;

/// Times of stages, in the order in which they first ran; stages that run once a system add up.
#[derive(Debug, Default)]
pub(crate) struct Timings(Vec<(&'static str, Duration)>);

impl Timings {
    /// Runs a stage and adds its time.
    pub(crate) fn stage<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let value = work();
        self.add(name, begin.elapsed());
        value
    }

    fn add(&mut self, name: &'static str, time: Duration) {
        match self.0.iter_mut().find(|(other, _)| *other == name) {
            Some((_, sum)) => *sum += time,
            None => self.0.push((name, time)),
        }
    }

    /// Writes all times and their sum to standard error, and what the driver took, which is not ours.
    pub(crate) fn print(&self, driver: &[Duration]) {
        let sum = ("compiler", self.0.iter().map(|(_, time)| *time).sum());
        let driver = Some(driver).filter(|times| !times.is_empty());
        let driver = driver.map(|times| ("driver", times.iter().sum()));
        for (name, time) in self.0.iter().copied().chain([sum]).chain(driver) {
            let time: Duration = time;
            note(&format!("{name:<22}{:>10.3} ms\n", time.as_secs_f64() * 1e3));
        }
    }
}
