//! One case on both executors, and the rule by which they agree.
//!
//! Ids, counts and slots are equal unless a death is an inexact decision of the manifest. Columns are
//! within 1e-4·max(1, |b|) unless any decision is: then within what the interpreter comes to with
//! quotients and roots off by what WGSL leaves open, and such values are counted.

use std::fmt;

use pyrograph::ParticleState;
use pyrograph::gpu::GpuProgram;
use pyrograph_compiler::emit::decisions::DecisionKind;
use pyrograph_compiler::ir::{Const, Program, Stmt};

use super::case::Case;
use super::envelope::Envelope;
use super::hosts::{Cpu, Deviation, Gpu, State, seen};

const BOUND: f64 = 1e-4;

/// What was seen in one case or many.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) systems: usize,
    /// Systems with an inexact decision.
    pub(crate) inexact: usize,
    /// Systems of which a death is one.
    pub(crate) inexact_deaths: usize,
    /// Systems that end at an input without a value.
    pub(crate) failing: usize,
    pub(crate) particles: usize,
    pub(crate) values: usize,
    /// Values that only the envelope allows, and in how many systems.
    pub(crate) set_aside: usize,
    pub(crate) systems_set_aside: usize,
    /// The largest difference among all other values.
    pub(crate) worst: Worst,
    pub(crate) driver: std::time::Duration,
}

/// A difference as a share of max(1, |b|), and where it was seen.
#[derive(Default)]
pub(crate) struct Worst {
    pub(crate) difference: f64,
    place: String,
}

impl fmt::Debug for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3e} {}", self.difference, self.place)
    }
}

impl Seen {
    pub(crate) fn add(&mut self, other: Self) {
        self.systems += other.systems;
        self.inexact += other.inexact;
        self.inexact_deaths += other.inexact_deaths;
        self.failing += other.failing;
        self.particles += other.particles;
        self.values += other.values;
        self.set_aside += other.set_aside;
        self.systems_set_aside += other.systems_set_aside;
        self.driver += other.driver;
        if other.worst.difference > self.worst.difference {
            self.worst = other.worst;
        }
    }
}

/// Difference as a share of max(1, |b|); 0 for what is equal, NaN and NaN too.
fn difference(a: f64, b: f64) -> f64 {
    if a == b || (a.is_nan() && b.is_nan()) {
        return 0.0;
    }
    let difference = (a - b).abs() / b.abs().max(1.0);
    if difference.is_nan() { f64::INFINITY } else { difference }
}

pub(crate) fn is_near(a: f64, b: f64) -> bool {
    difference(a, b) <= BOUND
}

/// Runs a case on both.
pub(crate) fn run(
    (device, queue): &(wgpu::Device, wgpu::Queue),
    case: &Case,
) -> Result<Seen, String> {
    let program = GpuProgram::new(device, queue, &case.module, case.index)
        .map_err(|error| error.to_string())?;
    let inexact = &program.manifest().inexact;
    let inexact_death = inexact.iter().any(|decision| decision.kind == DecisionKind::Kill);
    let mut comparison = Comparison {
        case,
        may_die: inexact_death,
        may_differ: !inexact.is_empty(),
        envelope: None,
        seen: Seen {
            systems: 1,
            inexact: usize::from(!inexact.is_empty()),
            inexact_deaths: usize::from(inexact_death),
            driver: program.driver_time(),
            ..Seen::default()
        },
    };
    let system = program.instance(case.script.seed).map_err(|error| error.to_string())?;
    let (mut gpu, mut cpu) = (Gpu::new(system), Cpu::new(case, Deviation::default()));
    let mut begin = 0;
    for (look, end) in case.script.looks().into_iter().enumerate() {
        let place = |problem: String| format!("step {end}: {problem}");
        case.script.play(begin..end, &mut gpu).map_err(place)?;
        gpu.0.submit().map_err(|error| place(error.to_string()))?;
        let outcome = case.script.play(begin..end, &mut cpu);
        let snapshot = gpu.0.read_back().map_err(|error| place(error.to_string()))?;
        match (&snapshot.counters().failure, outcome) {
            (None, Ok(())) => {}
            // The interpreter has stopped there.
            (Some(message), Err(error)) if error.contains(message.as_str()) => {
                comparison.seen.failing = 1;
                break;
            }
            (gpu, cpu) => return Err(place(format!("GPU fails with {gpu:?}, CPU {cpu:?}"))),
        }
        comparison.compare(look, &seen(&snapshot), &cpu.state()).map_err(place)?;
        if end == case.script.steps {
            let living = (0..snapshot.capacity()).filter(|&slot| snapshot.is_alive(slot));
            let order = gpu.0.draw_order().map_err(|error| place(error.to_string()))?;
            if !living.eq(order) {
                return Err(place("the draw order is not that of the slots".into()));
            }
        }
        begin = end;
    }
    comparison.seen.systems_set_aside = usize::from(comparison.seen.set_aside > 0);
    Ok(comparison.seen)
}

struct Comparison<'a> {
    case: &'a Case,
    /// Deaths may fall otherwise.
    may_die: bool,
    /// Columns may differ.
    may_differ: bool,
    /// Made when it is needed.
    envelope: Option<Envelope>,
    seen: Seen,
}

impl Comparison<'_> {
    /// Counts values that only the envelope allows.
    fn set_aside(&mut self, values: usize, is_within: impl Fn(&Envelope) -> bool) -> bool {
        let case = self.case;
        let envelope = self.envelope.get_or_insert_with(|| Envelope::new(case));
        self.seen.set_aside += values;
        is_within(envelope)
    }

    fn compare(&mut self, look: usize, gpu: &State, cpu: &State) -> Result<(), String> {
        let allows = |is_allowed, problem: String| if is_allowed { Ok(()) } else { Err(problem) };
        if gpu.next_id != cpu.next_id {
            let is_allowed =
                self.may_die && self.set_aside(1, |all| all.has_next_id(look, gpu.next_id));
            let problem = format!("next id: GPU {}, CPU {}", gpu.next_id, cpu.next_id);
            allows(is_allowed, problem)?;
        }
        let count = self.program().columns.len();
        for (&id, particle) in &cpu.particles {
            if !gpu.particles.contains_key(&id) {
                let is_allowed =
                    self.may_die && self.set_aside(count, |all| all.has_life(look, id, false));
                let slot = particle.slot;
                allows(is_allowed, format!("id {id} in slot {slot} lives on the CPU only"))?;
            }
        }
        for (&id, particle) in &gpu.particles {
            let slot = particle.slot;
            let other = cpu.particles.get(&id);
            if other.is_none() {
                let is_allowed =
                    self.may_die && self.set_aside(0, |all| all.has_life(look, id, true));
                allows(is_allowed, format!("id {id} in slot {slot} lives on the GPU only"))?;
            } else if let Some(other) = other.filter(|other| other.slot != slot) {
                let is_allowed =
                    self.may_die && self.set_aside(1, |all| all.has_slot(look, id, slot));
                allows(is_allowed, format!("id {id}: GPU slot {slot}, CPU slot {}", other.slot))?;
            }
            self.seen.particles += 1;
            for (column, &value) in particle.columns.iter().enumerate() {
                let wanted = other.map(|other| other.columns[column]);
                self.compare_value(look, (id, column), value, wanted)?;
            }
        }
        Ok(())
    }

    fn compare_value(
        &mut self,
        look: usize,
        (id, column): (u32, usize),
        value: Const,
        wanted: Option<Const>,
    ) -> Result<(), String> {
        self.seen.values += 1;
        let difference = match (value, wanted) {
            (Const::Float(a), Some(Const::Float(b))) => difference(a, b),
            _ if Some(value) == wanted => 0.0,
            _ => f64::INFINITY,
        };
        let step = self.case.script.looks()[look];
        let place = || format!("{} of id {id}: GPU {value:?}, CPU {wanted:?}", self.column(column));
        if difference <= BOUND {
            if difference > self.seen.worst.difference {
                let place = format!("in {}, step {step}, {}", self.case.name, place());
                self.seen.worst = Worst { difference, place };
            }
            return Ok(());
        }
        let problem = place();
        let is_within = |all: &Envelope| all.has_value(look, (id, column), value, wanted);
        if self.may_differ && self.set_aside(1, is_within) { Ok(()) } else { Err(problem) }
    }

    fn program(&self) -> &Program {
        &self.case.module.programs[self.case.index]
    }

    /// A column and the block that stores it last.
    fn column(&self, index: usize) -> String {
        let program = self.program();
        let Some((handle, column)) = program.columns.iter().nth(index) else {
            return String::new();
        };
        let bodies = program.bodies().filter(|(kind, _)| kind.is_particle());
        let statements = bodies.flat_map(|(_, body)| &body.block);
        let stores = statements.filter(
            |statement| matches!(statement.kind, Stmt::Store(column, _) if column == handle),
        );
        let origin = stores.filter_map(|store| store.origin).last();
        let origin = origin.and_then(|origin| program.origins.get(origin));
        let origin = origin.map(|origin| format!(", from {origin}")).unwrap_or_default();
        format!("{}{origin}", column.name)
    }
}
