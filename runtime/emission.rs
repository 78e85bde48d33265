//! How many particles a step creates, and when a system stops by itself.

use pyrograph_numeric::f64::to_uint;

use crate::driver::Reader;
use crate::memory::Saver;

/// The state of emission that lives across steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Emission {
    /// Fraction of a particle that is owed.
    carry: f64,
    /// Simulated time since the last start.
    time: f64,
    started: bool,
    stopped: bool,
    /// Births that are requested by number: all of them in the next call, none later.
    manual: Option<f64>,
}

/// JavaScript's conversion to a signed 32-bit integer.
fn to_int(value: f64) -> f64 {
    f64::from(to_uint(value).cast_signed())
}

impl Emission {
    /// A system that was never started. Above -1, `manual_emit_count` particles are requested
    /// instead of any rate.
    #[must_use]
    pub fn new(manual_emit_count: f64) -> Self {
        Self { manual: (manual_emit_count > -1.0).then_some(manual_emit_count), ..Self::default() }
    }

    /// The same state for a system that asks for `manual_emit_count`: births by number that this one
    /// has paid are not paid again.
    #[cfg(feature = "gpu")]
    pub(crate) fn succeeded_by(&self, manual_emit_count: f64) -> Self {
        let Self { manual, .. } = Self::new(manual_emit_count);
        Self { manual: manual.map(|count| self.manual.unwrap_or(count)), ..self.clone() }
    }

    /// Writes everything, always as many bytes.
    pub(crate) fn save(&self, saver: &mut Saver<'_>) {
        for value in [self.carry, self.time, self.manual.unwrap_or(0.0)] {
            saver.float(value);
        }
        for flag in [self.started, self.stopped, self.manual.is_some()] {
            saver.bool(flag);
        }
    }

    /// Reads what [`save`](Self::save) has written.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let [carry, time, manual] = reader.floats()?;
        let (started, stopped, is_manual) = (reader.bool()?, reader.bool()?, reader.bool()?);
        Some(Self { carry, time, started, stopped, manual: is_manual.then_some(manual) })
    }

    /// Begins to emit, from time 0. The carry stays.
    pub fn start(&mut self) {
        self.started = true;
        self.stopped = false;
        self.time = 0.0;
    }

    /// Ends emission; live particles go on.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Whether [`start`](Self::start) was ever called: steps run.
    pub fn runs(&self) -> bool {
        self.started
    }

    /// Whether particles are created.
    pub fn is_started(&self) -> bool {
        self.started && !self.stopped
    }

    /// Simulated time since the last start.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Whether births are requested by number, so that nobody asks for a rate.
    pub fn is_manual(&self) -> bool {
        self.manual.is_some()
    }

    /// Advances time by `delta` and gives the number of particles that the step requests at `rate`
    /// (which is not looked at where births are requested by number).
    ///
    /// Whole particles of `rate * delta` are requested at once, fractions are carried; the carry
    /// is paid only when strictly above 1. The call that reaches `target_stop` (0 or NaN: none)
    /// stops the system but still creates its particles.
    pub fn advance(&mut self, rate: f64, delta: f64, target_stop: f64) -> u32 {
        let requested = match &mut self.manual {
            Some(count) => {
                self.carry = 0.0;
                // Particles are created while their index is below the count.
                std::mem::take(count).ceil()
            }
            None => self.at_rate(rate * delta),
        };
        if self.stopped {
            return 0;
        }
        self.time += delta;
        let has_target = target_stop != 0.0 && !target_stop.is_nan();
        if has_target && self.time >= target_stop {
            self.stop();
        }
        // Negative counts saturate to none, larger ones to more than any capacity.
        requested as u32
    }

    /// Whole particles of what has come together.
    fn at_rate(&mut self, emission: f64) -> f64 {
        let mut requested = to_int(emission);
        self.carry += emission - requested;
        if self.carry > 1.0 {
            let extra = to_int(self.carry);
            requested += extra;
            self.carry -= extra;
        }
        requested
    }
}

#[cfg(test)]
mod tests {
    use super::Emission;

    fn started() -> Emission {
        let mut emission = Emission::default();
        emission.start();
        emission
    }

    #[test]
    fn carry_is_paid_only_above_one() {
        let mut emission = started();
        let births: Vec<u32> = (0..5).map(|_| emission.advance(0.5, 1.0, 0.0)).collect();
        assert_eq!(births, [0, 0, 1, 0, 1]);
    }

    #[test]
    fn the_call_that_reaches_the_target_still_emits() {
        let mut emission = started();
        let births: Vec<u32> = (0..3).map(|_| emission.advance(2.0, 1.0, 2.0)).collect();
        assert_eq!(births, [2, 2, 0]);
        assert!(emission.runs() && !emission.is_started());
        assert_eq!(emission.time(), 2.0);
    }

    #[test]
    fn restart_keeps_the_carry_and_resets_time() {
        let mut emission = started();
        emission.advance(0.75, 1.0, 0.0);
        emission.stop();
        assert_eq!(emission.advance(0.75, 1.0, 0.0), 0);
        emission.start();
        assert_eq!(emission.time(), 0.0);
        // 0.75 + 0.75 - 1 (taken while stopped) + 0.75 is above 1.
        assert_eq!(emission.advance(0.75, 1.0, 0.0), 1);
    }

    #[test]
    fn odd_rates_do_what_javascript_does() {
        let mut emission = started();
        assert_eq!(emission.advance(-3.0, 1.0, f64::NAN), 0);
        assert_eq!(emission.advance(4_294_967_297.0, 1.0, 0.0), 1);
        assert_eq!(emission.advance(f64::NAN, 1.0, 0.0), 0);
        // The carry is NaN from here on: only whole particles come.
        assert_eq!(emission.advance(2.5, 1.0, 0.0), 2);
    }

    #[test]
    fn a_manual_count_is_paid_once() {
        let births = |count: f64| -> Vec<u32> {
            let mut emission = Emission::new(count);
            emission.start();
            (0..3).map(|_| emission.advance(100.0, 1.0, 0.0)).collect()
        };
        assert_eq!(births(12.0), [12, 0, 0]);
        assert_eq!(births(2.5), [3, 0, 0]);
        assert_eq!(births(0.0), [0, 0, 0]);
        assert_eq!(births(-0.5), [0, 0, 0]);
        assert_eq!(births(1e300), [u32::MAX, 0, 0]);
        assert_eq!(births(-1.0), [100, 100, 100]);
        assert_eq!(births(f64::NAN), [100, 100, 100]);
    }

    #[test]
    fn a_stopped_system_forgets_its_manual_count() {
        let mut emission = Emission::new(5.0);
        emission.start();
        emission.stop();
        assert_eq!(emission.advance(0.0, 1.0, 0.0), 0);
        emission.start();
        assert_eq!(emission.advance(0.0, 1.0, 0.0), 0);
    }
}
