//! Exact: particles without gaps, the last one takes the place of a dead one.

use pyrograph::memory::{Loader, Saver};
use pyrograph::storage::first_nonzero;
use pyrograph::threads::Executor;
use pyrograph::{
    Column, EmissionFacts, Field, Frame, ParticleProgram, ParticleState, Profile, Random,
    RenderFacts, StepError,
};

use super::{Columns, LANES};

/// Flags of a slot before the walk.
pub(super) const DEAD: u8 = 1;
/// The particle must draw when its turn comes.
pub(super) const PENDING: u8 = 2;

/// A workload in Exact.
pub(crate) trait Exact: Columns {
    /// Sets the flags of all particles: who dies in this step, and who must draw.
    fn mark(&self, delta: f64, flags: &mut [u8]);

    /// Draws for the particle of a pending slot.
    fn draw<R: Random + ?Sized>(&mut self, slot: usize, delta: f64, random: &mut R) {
        let _ = (slot, delta, random);
    }

    /// Updates the first `count` particles, none of which dies.
    fn integrate(&mut self, count: usize, delta: f64);

    /// Creates `count` particles, at most [`LANES`], from slot `first` on.
    fn birth<R: Random + ?Sized>(
        &mut self,
        first: usize,
        count: usize,
        frame: &Frame,
        random: &mut R,
    );
}

/// A program of Exact.
///
/// The order of draws is that of a loop that updates slot by slot. Who dies is known beforehand, so the
/// loop shrinks to those that die or draw; the rest follows in passes over columns.
pub(crate) struct Dense<C> {
    columns: C,
    flags: Vec<u8>,
    moves: Vec<(u32, u32)>,
    alive: usize,
    facts: EmissionFacts,
}

impl<C: Exact> Dense<C> {
    /// An empty system of that capacity, which emits as `facts` say.
    pub(crate) fn new(facts: EmissionFacts, capacity: u32) -> Self {
        let capacity = capacity as usize;
        Self {
            columns: C::new(capacity),
            flags: vec![0; capacity],
            moves: Vec::with_capacity(capacity),
            alive: 0,
            facts,
        }
    }

    /// Visits who dies or draws in the loop's order; finds who takes the places of the dead.
    fn walk<R: Random + ?Sized>(&mut self, delta: f64, random: &mut R) {
        self.moves.clear();
        let mut slot = 0;
        loop {
            slot = first_nonzero(&self.flags[..self.alive], slot);
            if slot >= self.alive {
                return;
            }
            let mut from = slot;
            loop {
                let flags = self.flags[from];
                if flags & PENDING != 0 {
                    self.columns.draw(from, delta, random);
                }
                if flags & DEAD == 0 {
                    break;
                }
                self.alive -= 1;
                from = self.alive;
                if from == slot {
                    return;
                }
            }
            if from != slot {
                self.moves.push((slot as u32, from as u32));
            }
            slot += 1;
        }
    }
}

impl<C: Exact> ParticleProgram for Dense<C> {
    type Particles<'a>
        = ()
    where
        C: 'a;

    fn ordinal(&self) -> u32 {
        0
    }

    fn profile(&self) -> Profile {
        Profile::Exact
    }

    fn emission(&self) -> EmissionFacts {
        self.facts
    }

    fn init<R: Random + ?Sized>(&mut self, _: &Frame, _: &mut R) -> Result<Option<f64>, StepError> {
        Ok(None)
    }

    fn prepare<R: Random + ?Sized>(&mut self, _: &Frame, _: &mut R) -> Result<(), StepError> {
        Ok(())
    }

    fn emit_rate<R: Random + ?Sized>(
        &mut self,
        _: &Frame,
        _: &mut R,
    ) -> Result<Option<f64>, StepError> {
        Ok(None)
    }

    fn advance<R: Random + ?Sized, E: Executor>(
        &mut self,
        frame: &Frame,
        births: u32,
        random: &mut R,
        _: &E,
    ) -> Result<(), StepError> {
        self.columns.mark(frame.delta, &mut self.flags[..self.alive]);
        self.walk(frame.delta, random);
        self.columns.relocate(&self.moves);
        self.columns.integrate(self.alive, frame.delta);
        let end = self.flags.len().min(self.alive + births as usize);
        while self.alive < end {
            let count = (end - self.alive).min(LANES);
            self.columns.birth(self.alive, count, frame, random);
            self.alive += count;
        }
        Ok(())
    }

    // Nobody takes snapshots of a bound.
    fn fingerprint(&self) -> u64 {
        0
    }

    fn save(&self, _: &mut Saver<'_>) {}

    fn load(&mut self, _: &mut Loader<'_>) {}

    fn particles(&self) {}

    fn clear(&mut self) {
        self.alive = 0;
    }
}

impl<C: Exact> ParticleState for Dense<C> {
    fn name(&self) -> &str {
        "bound"
    }

    fn capacity(&self) -> u32 {
        self.flags.len() as u32
    }

    fn render(&self) -> RenderFacts {
        super::RENDER
    }

    fn alive(&self) -> u32 {
        self.alive as u32
    }

    fn slots(&self) -> u32 {
        self.alive as u32
    }

    fn is_alive(&self, slot: u32) -> bool {
        (slot as usize) < self.alive
    }

    fn value(&self, slot: u32, field: Field) -> Option<f64> {
        self.column(field)?.get(slot)
    }

    fn column(&self, field: Field) -> Option<Column<'_>> {
        self.columns.field(field, self.alive)
    }
}
