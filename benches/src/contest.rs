//! Contestants that take turns: each runs a round, then the next, so that what disturbs the machine
//! for a while disturbs all of them.

use std::time::Instant;

use pyrograph::threads::{Executor, Inline};
use pyrograph::{ParticleProgram, ParticleSystem, Pcg, StepError};

use crate::peers::Peer;
use crate::triad::Triad;

/// Steps after which as many die as are born.
const WARM_STEPS: u32 = 150;

/// Runs a round: nanoseconds a particle and step.
type Round<'a> = Box<dyn FnMut() -> Result<f64, String> + 'a>;

/// Those who take part, and the least time of each.
#[derive(Default)]
pub(crate) struct Contest<'a> {
    rounds: Vec<(Round<'a>, f64)>,
}

/// Place of a contestant's time in the results.
#[derive(Clone, Copy)]
pub(crate) struct Entry(usize);

impl<'a> Contest<'a> {
    /// A program on one thread; about `work` particles are stepped in a round.
    ///
    /// # Errors
    /// A step fails, or the system is not full after a while.
    pub(crate) fn program<P: ParticleProgram + 'a>(
        &mut self,
        program: P,
        work: u32,
    ) -> Result<Entry, String> {
        self.program_on(&Inline, program, work)
    }

    /// A program on the threads of an executor.
    ///
    /// # Errors
    /// See [`program`](Self::program).
    pub(crate) fn program_on<P: ParticleProgram + 'a, E: Executor>(
        &mut self,
        executor: &'a E,
        program: P,
        work: u32,
    ) -> Result<Entry, String> {
        let mut system = ParticleSystem::from_program(program, crate::SEED);
        let mut random = Pcg::seed_from_u64(crate::SEED);
        let failed = |error: StepError| error.to_string();
        system.start();
        for _ in 0..WARM_STEPS {
            system.animate_on(1.0, &mut random, executor).map_err(failed)?;
        }
        let (alive, capacity) = (system.program().alive(), system.program().capacity());
        if alive < capacity / 10 * 9 {
            return Err(format!("{alive} of {capacity} particles live"));
        }
        let steps = (work / alive).max(4);
        Ok(self.enter(Box::new(move || {
            let mut particles = 0;
            let begin = Instant::now();
            for _ in 0..steps {
                particles += u64::from(system.program().alive());
                system.animate_on(1.0, &mut random, executor).map_err(failed)?;
            }
            Ok(begin.elapsed().as_nanos() as f64 / particles as f64)
        })))
    }

    /// A triad over so many bytes, on so many threads of an executor; its time is that of a byte.
    pub(crate) fn triad<E: Executor>(
        &mut self,
        executor: &'a E,
        threads: usize,
        bytes: usize,
    ) -> Entry {
        let mut triad = Triad::new(bytes);
        self.enter(Box::new(move || Ok(triad.round(executor, threads))))
    }

    /// A peer.
    pub(crate) fn peer(&mut self, mut peer: Peer) -> Entry {
        self.enter(Box::new(move || peer.round()))
    }

    fn enter(&mut self, round: Round<'a>) -> Entry {
        self.rounds.push((round, f64::INFINITY));
        Entry(self.rounds.len() - 1)
    }

    /// Runs so many rounds of everybody in turn.
    ///
    /// # Errors
    /// A contestant failed.
    pub(crate) fn run(&mut self, rounds: u32) -> Result<(), String> {
        for _ in 0..rounds {
            for (round, least) in &mut self.rounds {
                *least = least.min(round()?);
            }
        }
        Ok(())
    }

    /// The least time of a contestant: nanoseconds a particle and step.
    pub(crate) fn least(&self, entry: Entry) -> f64 {
        self.rounds[entry.0].1
    }
}
