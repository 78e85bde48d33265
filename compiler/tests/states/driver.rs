//! One system and its driver: spec sections 5.2 and 5.4, manual emission and pre-warming.

use pyrograph_compiler::interpret::{Instance, Uniforms};

/// `value | 0`
fn to_int(value: f64) -> f64 {
    f64::from(pyrograph_numeric::f64::to_uint(value).cast_signed())
}

/// A system that runs.
pub(crate) struct System {
    pub(crate) instance: Instance,
    pub(crate) uniforms: Uniforms,
    started: bool,
    stopped: bool,
    initialized: bool,
    excess: f64,
    target_stop: f64,
    manual: f64,
    /// How an update of so many slots is cut, where it is.
    pub(crate) cut: Option<Cut>,
}

/// Parts of so many slots, in the order in which they run.
pub(crate) type Cut = Box<dyn FnMut(usize) -> Vec<std::ops::Range<usize>>>;

impl System {
    pub(crate) fn new(instance: Instance) -> Self {
        let emission = &instance.program().emission;
        let (target_stop, manual) = (emission.target_stop, emission.manual_emit_count);
        Self {
            instance,
            uniforms: Uniforms::default(),
            started: false,
            stopped: false,
            initialized: false,
            excess: 0.0,
            target_stop,
            manual,
            cut: None,
        }
    }

    /// Starts, and makes the calls that warm the system up.
    pub(crate) fn start(&mut self, random: &mut dyn FnMut() -> f64) -> Result<(), String> {
        (self.started, self.stopped) = (true, false);
        self.uniforms.time = 0.0;
        let emission = self.instance.program().emission.clone();
        let mut cycle = 0.0;
        while cycle < emission.pre_warm_cycles {
            self.animate(emission.pre_warm_step_offset, random)?;
            cycle += 1.0;
        }
        Ok(())
    }

    pub(crate) fn stop(&mut self) {
        self.stopped = true;
    }

    pub(crate) fn animate(
        &mut self,
        ratio: f64,
        random: &mut dyn FnMut() -> f64,
    ) -> Result<(), String> {
        if !self.started {
            return Ok(());
        }
        let emission = self.instance.program().emission.clone();
        let (instance, uniforms) = (&mut self.instance, &mut self.uniforms);
        uniforms.delta = emission.update_speed * ratio;
        let failed = |failure: pyrograph_compiler::interpret::Failure| failure.to_string();
        if !self.initialized {
            self.initialized = true;
            if let Some(stop) = instance.init(uniforms, random).map_err(failed)? {
                self.target_stop = stop;
            }
        }
        instance.prepare(uniforms, random).map_err(failed)?;
        let mut count;
        if self.manual > -1.0 {
            // Births go on while their number is below the count.
            count = self.manual.ceil();
            (self.manual, self.excess) = (0.0, 0.0);
        } else {
            let rate = instance.emit_rate(uniforms, random).map_err(failed)?;
            let births = rate.unwrap_or(emission.rate) * uniforms.delta;
            count = to_int(births);
            self.excess += births - count;
        }
        if self.excess > 1.0 {
            let extra = to_int(self.excess);
            count += extra;
            self.excess -= extra;
        }
        if self.stopped {
            count = 0.0;
        } else {
            uniforms.time += uniforms.delta;
            let reached = self.target_stop != 0.0 && uniforms.time >= self.target_stop;
            self.stopped |= reached;
        }
        match &mut self.cut {
            None => instance.update(uniforms, random).map_err(failed)?,
            Some(cut) => {
                for part in cut(instance.slots()) {
                    instance.update_slots(part, uniforms).map_err(failed)?;
                }
            }
        }
        instance.birth(count as u32, uniforms, random).map_err(failed)?;
        uniforms.step = uniforms.step.wrapping_add(1);
        Ok(())
    }
}
