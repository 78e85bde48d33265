//! Parallel: particles keep their slots, births take the lowest free ones.

use pyrograph::memory::{Loader, Saver};
use pyrograph::storage::{first_zero, used};
use pyrograph::threads::Executor;
use pyrograph::{
    Column, EmissionFacts, Field, Frame, ParticleProgram, ParticleState, Profile, Random,
    RenderFacts, StepError,
};

use super::{Columns, LANES};

/// A workload in Parallel.
pub(crate) trait Parallel: Columns {
    /// Updates all slots that have a flag, and clears the flags of those that die.
    fn integrate(&mut self, frame: &Frame, flags: &mut [u8]);

    /// Creates particles in at most [`LANES`] slots, with ids from `first_id` on.
    fn birth(&mut self, slots: &Slots<'_>, first_id: u32, frame: &Frame);
}

/// Ascending slots of newborn particles.
pub(crate) struct Slots<'a>(&'a [u32]);

impl Slots<'_> {
    /// Puts the first values into a column, one a slot.
    pub(super) fn scatter<T: Copy>(&self, column: &mut [T], values: &[T; LANES]) {
        let (first, last) = (self.0[0] as usize, self.0[self.0.len() - 1] as usize);
        if last - first < self.0.len() {
            column[first..=last].copy_from_slice(&values[..self.0.len()]);
        } else {
            for (&slot, &value) in self.0.iter().zip(values) {
                column[slot as usize] = value;
            }
        }
    }

    /// Puts one value into a column at each slot.
    pub(super) fn fill<T: Copy>(&self, column: &mut [T], value: T) {
        self.scatter(column, &[value; LANES]);
    }
}

/// A program of Parallel.
pub(crate) struct Sparse<C> {
    columns: C,
    flags: Vec<u8>,
    alive: usize,
    /// One more than the highest used slot.
    high: usize,
    next_id: u32,
    facts: EmissionFacts,
}

impl<C: Parallel> Sparse<C> {
    /// An empty system of that capacity, which emits as `facts` say.
    pub(crate) fn new(facts: EmissionFacts, capacity: u32) -> Self {
        let capacity = capacity as usize;
        let flags = vec![0; capacity];
        Self { columns: C::new(capacity), flags, alive: 0, high: 0, next_id: 0, facts }
    }
}

/// Slots that are updated, then given their births: they are in the fastest caches by then.
const SEGMENT: usize = 1024;

/// Creates so many particles in the lowest free slots, of which there are enough.
fn create<C: Parallel>(
    columns: &mut C,
    flags: &mut [u8],
    mut first_id: u32,
    born: usize,
    frame: &Frame,
) {
    let (mut left, mut next) = (born, 0);
    while left > 0 {
        let mut slots = [0; LANES];
        let slots = &mut slots[..left.min(LANES)];
        for slot in &mut *slots {
            next = first_zero(flags, next);
            flags[next] = 1;
            *slot = next as u32;
            next += 1;
        }
        columns.birth(&Slots(slots), first_id, frame);
        first_id = first_id.wrapping_add(slots.len() as u32);
        left -= slots.len();
    }
}

/// How many of the flags are set; sums of bytes first, which are sixteen a vector.
fn count(flags: &[u8]) -> usize {
    flags.chunks(255).map(|chunk| usize::from(chunk.iter().sum::<u8>())).sum()
}

impl<C: Parallel> ParticleProgram for Sparse<C> {
    type Particles<'a>
        = ()
    where
        C: 'a;

    fn ordinal(&self) -> u32 {
        0
    }

    fn profile(&self) -> Profile {
        Profile::Parallel
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
        _: &mut R,
        _: &E,
    ) -> Result<(), StepError> {
        let (mut first, mut left) = (0, births as usize);
        self.alive = 0;
        while first < self.high || (left > 0 && first < self.flags.len()) {
            let last = (first + SEGMENT).min(self.flags.len());
            self.columns.look_from(first);
            let flags = &mut self.flags[first..last];
            // Nobody lives above the highest used slot.
            self.columns.integrate(frame, flags);
            let alive = count(flags);
            let born = left.min(flags.len() - alive);
            create(&mut self.columns, flags, self.next_id, born, frame);
            self.next_id = self.next_id.wrapping_add(born as u32);
            self.alive += alive + born;
            left -= born;
            first = last;
        }
        self.columns.look_from(0);
        self.high = used(&self.flags[..first]) as usize;
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
        (self.alive, self.high) = (0, 0);
        self.flags.fill(0);
    }
}

impl<C: Parallel> ParticleState for Sparse<C> {
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
        self.high as u32
    }

    fn is_alive(&self, slot: u32) -> bool {
        self.flags[..self.high].get(slot as usize).is_some_and(|&flag| flag != 0)
    }

    fn value(&self, slot: u32, field: Field) -> Option<f64> {
        self.column(field)?.get(slot)
    }

    fn column(&self, field: Field) -> Option<Column<'_>> {
        self.columns.field(field, self.high)
    }
}
