//! A step of Parallel: the update of every slot, and births into those that are free.
//!
//! The slots are visited in segments small enough that what the update has brought into the fastest
//! caches is still there for the births. Births done later, by themselves, would fetch most of every column once
//! more: they are scattered over as many cache lines as there are births.
//!
//! Newborn particles take the lowest free slots and ids in ascending order. A thread that begins in the
//! middle must therefore know how many slots become free before; it counts the survivors there first, from
//! the columns that decide who dies.

use std::ops::Range;

use super::Executor;

/// Pieces begin at multiples of this many slots, so that vectors of all instruction sets fit in.
const ALIGNMENT: usize = 64;

/// Slots that are updated before births into them: with a hundred bytes each they fill the second-level
/// cache to a tenth, and what is done once a segment does not count.
const SEGMENT: usize = 1024;

/// Slots whose survivors one thread counts in less time than two need to share them, and without fetching what
/// the other has in its cache.
const COUNTED: usize = 1 << 15;

/// Borrowed columns and flags of neighbouring slots: for generated code.
pub trait Part: Sized + Send + Sync {
    /// The slots before `slot`, and the others.
    fn split(self, slot: usize) -> (Self, Self);
}

/// What a step does with slots: for generated code.
#[derive(Debug)]
pub struct Bodies<U, C, S> {
    /// Updates so many slots, all of a part; gives how many particles live on.
    pub update: U,
    /// Creates the wanted particles in the free slots of a part, or as many as there are; gives how many.
    pub create: C,
    /// How many particles will live on among the slots of that range. Without it, steps with births run on one
    /// thread.
    pub survivors: Option<S>,
}

/// Particles that are to be created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Births {
    /// Id of the first.
    pub first_id: u32,
    /// How many.
    pub wanted: u32,
}

impl Births {
    /// What is left when so many have been created.
    fn after(self, born: u32) -> Self {
        Self { first_id: self.first_id.wrapping_add(born), wanted: self.wanted - born }
    }
}

/// What a step leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// No particle lives in this slot or above.
    pub high: usize,
    /// Living particles.
    pub alive: u32,
    /// Particles that were created.
    pub born: u32,
}

/// Updates the slots below `high` and creates particles in free slots, the lowest first. `part` has the
/// slots up to the capacity, and an update computes `operations` values a particle. For generated code.
pub fn step<E, P, U, C, S>(
    executor: &E,
    operations: usize,
    high: usize,
    part: P,
    births: Births,
    bodies: &Bodies<U, C, S>,
) -> Counts
where
    E: Executor,
    P: Part,
    U: Fn(usize, &mut P) -> u32 + Sync,
    C: Fn(&mut P, Births) -> u32 + Sync,
    S: Fn(&P, Range<usize>) -> u32 + Sync,
{
    let chunk = executor.chunk(high, operations).max(1);
    let (used, mut unused) = part.split(high);
    let run = Run { executor, chunk, bodies };
    let mut counts = run.halve(high, used, births);
    let left = births.after(counts.born);
    if left.wanted > 0 {
        let born = (bodies.create)(&mut unused, left);
        // Every slot below is taken.
        counts.high += born as usize;
        counts.alive += born;
        counts.born += born;
    }
    counts
}

struct Run<'a, E, B> {
    executor: &'a E,
    chunk: usize,
    bodies: &'a B,
}

impl<E, U, C, S> Run<'_, E, Bodies<U, C, S>>
where
    E: Executor,
    U: Sync,
    C: Sync,
    S: Sync,
{
    /// Runs `count` slots in chunks on the executor.
    fn halve<P>(&self, count: usize, part: P, births: Births) -> Counts
    where
        P: Part,
        U: Fn(usize, &mut P) -> u32 + Sync,
        C: Fn(&mut P, Births) -> u32 + Sync,
        S: Fn(&P, Range<usize>) -> u32 + Sync,
    {
        let Some(middle) = middle(count, self.chunk) else {
            return self.segments(count, part, births);
        };
        // Births of the second half begin behind those of the first.
        let first = match &self.bodies.survivors {
            _ if births.wanted == 0 => 0,
            Some(survivors) => {
                let free = middle as u32 - self.count(survivors, &part, 0..middle);
                free.min(births.wanted)
            }
            None => return self.segments(count, part, births),
        };
        let (low, high) = part.split(middle);
        let (mut below, mut above) = (Counts::default(), Counts::default());
        self.executor.join(
            || below = self.halve(middle, low, Births { wanted: first, ..births }),
            || above = self.halve(count - middle, high, births.after(first)),
        );
        Counts {
            high: if above.high > 0 { middle + above.high } else { below.high },
            alive: below.alive + above.alive,
            born: below.born + above.born,
        }
    }

    /// Counts survivors on the executor.
    fn count<P>(&self, survivors: &S, part: &P, range: Range<usize>) -> u32
    where
        P: Part,
        S: Fn(&P, Range<usize>) -> u32 + Sync,
    {
        let Some(middle) = middle(range.len(), COUNTED) else {
            return survivors(part, range);
        };
        let middle = range.start + middle;
        let (mut below, mut above) = (0, 0);
        self.executor.join(
            || below = self.count(survivors, part, range.start..middle),
            || above = self.count(survivors, part, middle..range.end),
        );
        below + above
    }

    /// Runs slots one segment after the other.
    fn segments<P>(&self, count: usize, part: P, births: Births) -> Counts
    where
        P: Part,
        U: Fn(usize, &mut P) -> u32,
        C: Fn(&mut P, Births) -> u32,
    {
        let mut counts = Counts::default();
        let (mut rest, mut at) = (part, 0);
        while at < count {
            let length = SEGMENT.min(count - at);
            let (mut segment, behind) = rest.split(length);
            rest = behind;
            let mut alive = (self.bodies.update)(length, &mut segment);
            let left = births.after(counts.born);
            if left.wanted > 0 && (alive as usize) < length {
                let born = (self.bodies.create)(&mut segment, left);
                counts.born += born;
                alive += born;
            }
            at += length;
            counts.alive += alive;
            if alive > 0 {
                counts.high = at;
            }
        }
        counts
    }
}

/// Where so many slots are cut in two: half of the chunks each, so that all but the last are of one
/// size. `None` where they are one chunk.
fn middle(count: usize, chunk: usize) -> Option<usize> {
    let chunks = count.div_ceil(chunk);
    let middle = (chunks / 2 * chunk).next_multiple_of(ALIGNMENT);
    (chunks > 1 && middle < count).then_some(middle)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;
    use std::sync::Mutex;

    use super::{ALIGNMENT, Births, Bodies, COUNTED, Counts, Part, SEGMENT, step};
    use crate::storage::{FreeSlots, count, used};
    use crate::threads::{Executor, Inline};

    /// Ages, ids and flags.
    struct Columns<'a>(&'a mut [u32], &'a mut [u32], &'a mut [u8]);

    impl Part for Columns<'_> {
        fn split(self, slot: usize) -> (Self, Self) {
            let (age, id, flags) =
                (self.0.split_at_mut(slot), self.1.split_at_mut(slot), self.2.split_at_mut(slot));
            (Columns(age.0, id.0, flags.0), Columns(age.1, id.1, flags.1))
        }
    }

    /// Chunks of a size, the later half first; notes who asked.
    struct Chunked(usize, Mutex<Vec<usize>>);

    impl Executor for Chunked {
        fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
            b();
            a();
        }

        fn chunk(&self, slots: usize, operations: usize) -> usize {
            assert_eq!(operations, 3);
            self.1.lock().unwrap().push(slots);
            self.0
        }
    }

    #[derive(Clone, Debug, PartialEq)]
    struct State {
        age: Vec<u32>,
        id: Vec<u32>,
        flags: Vec<u8>,
        alive: u32,
        high: usize,
        next_id: u32,
    }

    const LIFE: u32 = 5;

    impl State {
        fn new(capacity: usize) -> Self {
            let zeros = vec![0; capacity];
            let flags = vec![0; capacity];
            Self { age: zeros.clone(), id: zeros, flags, alive: 0, high: 0, next_id: u32::MAX - 9 }
        }

        fn step(&mut self, executor: &impl Executor, wanted: u32, can_share: bool) {
            let survivors = |part: &Columns<'_>, range: Range<usize>| {
                let slots = part.0[range.clone()].iter().zip(&part.2[range]);
                slots.map(|(age, flag)| u32::from(*flag != 0 && age + 1 < LIFE)).sum()
            };
            let counts = step(
                executor,
                3,
                self.high,
                Columns(&mut self.age, &mut self.id, &mut self.flags),
                Births { first_id: self.next_id, wanted },
                &Bodies {
                    update: |length: usize, part: &mut Columns<'_>| {
                        assert_eq!(part.0.len(), length);
                        for (age, flag) in part.0.iter_mut().zip(&mut *part.2) {
                            *age += 1;
                            *flag &= u8::from(*age < LIFE);
                        }
                        count(part.2)
                    },
                    create: |part: &mut Columns<'_>, births: Births| {
                        let (mut slots, mut born) = (FreeSlots::default(), 0);
                        while let Some(slots) = slots.claim(part.2, births.wanted - born) {
                            for &slot in slots {
                                // Some die early.
                                let id = births.first_id.wrapping_add(born);
                                (part.0[slot as usize], part.1[slot as usize]) = (id % 3, id);
                                born += 1;
                            }
                        }
                        born
                    },
                    survivors: can_share.then_some(survivors),
                },
            );
            let Counts { high, alive, born } = counts;
            self.next_id = self.next_id.wrapping_add(born);
            self.alive = alive;
            assert!(self.flags[high..].iter().all(|&flag| flag == 0));
            self.high = used(&self.flags[..high]) as usize;
        }

        /// The same, one particle after the other.
        fn step_plainly(&mut self, wanted: u32) {
            for slot in 0..self.high {
                self.age[slot] += 1;
                self.flags[slot] &= u8::from(self.age[slot] < LIFE);
            }
            let mut next = 0;
            for _ in 0..wanted {
                // Nothing frees a slot in between, so that the search goes on.
                let free = self.flags[next..].iter().position(|&flag| flag == 0);
                let Some(slot) = free.map(|free| next + free) else { break };
                next = slot + 1;
                self.flags[slot] = 1;
                (self.age[slot], self.id[slot]) = (self.next_id % 3, self.next_id);
                self.next_id = self.next_id.wrapping_add(1);
            }
            (self.alive, self.high) = (count(&self.flags), used(&self.flags) as usize);
        }
    }

    #[test]
    fn pieces_do_what_one_loop_does() {
        for capacity in [0, 1, 63, 64, 65, 1000, 2 * SEGMENT, 3 * SEGMENT + 70, 3 * COUNTED] {
            // Large ones fill at once, so that survivors are counted in pieces.
            let (steps, most) = if capacity < COUNTED { (12, capacity / 3) } else { (3, capacity) };
            for chunk in [0, 1, ALIGNMENT, 100, 512, 5000] {
                for can_share in [false, true] {
                    let executor = Chunked(chunk, Mutex::default());
                    let mut states = [State::new(capacity), State::new(capacity)];
                    let mut plain = State::new(capacity);
                    for step in 0..steps {
                        let wanted = (step + 1) * 79_190 % (most as u32 + 2);
                        states[0].step(&executor, wanted, can_share);
                        states[1].step(&Inline, wanted, can_share);
                        plain.step_plainly(wanted);
                        for state in &states {
                            // Numbers of the dead may differ: they are nobody's.
                            assert_eq!(
                                (state.alive, state.high, state.next_id, &state.flags),
                                (plain.alive, plain.high, plain.next_id, &plain.flags)
                            );
                            for slot in (0..capacity).filter(|&slot| plain.flags[slot] != 0) {
                                assert_eq!(state.id[slot], plain.id[slot]);
                                assert_eq!(state.age[slot], plain.age[slot]);
                            }
                        }
                    }
                    assert_eq!(executor.1.into_inner().unwrap().len(), steps as usize);
                }
            }
        }
    }
}
