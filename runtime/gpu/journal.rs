//! What was recorded since the newest checkpoint, as data, so that it can be done again.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::sync::Arc;

/// One thing that was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A step, by its uniform block without padding.
    Step(Vec<u8>),
    /// The removal of all particles.
    Clear,
    /// New words for the buffer of texels.
    Texels(Arc<[u32]>),
    /// The checkpoint of this number.
    Checkpoint(u64),
}

/// All entries since a checkpoint, oldest first.
#[derive(Clone, Debug)]
pub struct Journal {
    every: NonZeroU32,
    /// Steps since the last checkpoint that was asked for.
    since: u32,
    next: u64,
    /// Texels before the first entry, if any were set.
    texels: Option<Arc<[u32]>>,
    entries: VecDeque<Entry>,
}

impl Journal {
    /// An empty journal that asks for a checkpoint after `every` steps.
    pub fn new(every: NonZeroU32, texels: Option<Arc<[u32]>>) -> Self {
        Self { every, since: 0, next: 0, texels, entries: VecDeque::new() }
    }

    /// Steps from one checkpoint to the next.
    pub fn every(&self) -> NonZeroU32 {
        self.every
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: Entry) {
        self.since += u32::from(matches!(entry, Entry::Step(_)));
        self.entries.push_back(entry);
    }

    /// The number of a checkpoint that is due behind the last step.
    pub fn due(&mut self) -> Option<u64> {
        if self.since < self.every.get() {
            return None;
        }
        let number = self.next;
        (self.since, self.next) = (0, number + 1);
        self.push(Entry::Checkpoint(number));
        Some(number)
    }

    /// Forgets what a checkpoint holds, and says whether it is in the journal.
    pub fn forget_before(&mut self, number: u64) -> bool {
        let found = self.entries.iter().position(|entry| *entry == Entry::Checkpoint(number));
        let Some(index) = found else { return false };
        for entry in self.entries.drain(..=index) {
            if let Entry::Texels(words) = entry {
                self.texels = Some(words);
            }
        }
        true
    }

    /// Texels before the first entry, if any were set.
    pub fn texels(&self) -> Option<&Arc<[u32]>> {
        self.texels.as_ref()
    }

    /// Steps in the journal.
    pub fn steps(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry, Entry::Step(_))).count()
    }

    /// What was recorded, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::{Entry, Journal};

    #[test]
    fn what_a_checkpoint_holds_is_forgotten() {
        let mut journal = Journal::new(NonZeroU32::MIN.saturating_add(1), None);
        let mut made = Vec::new();
        for step in 0..5u8 {
            if step == 2 {
                journal.push(Entry::Texels([7].into()));
            }
            journal.push(Entry::Step(vec![step, 0, 0, 0, step]));
            made.extend(journal.due());
        }
        assert_eq!(made, [0, 1]);
        assert!(!journal.forget_before(9));
        assert_eq!((journal.entries().count(), journal.steps()), (8, 5));
        assert!(journal.forget_before(1));
        let left: Vec<&Entry> = journal.entries().collect();
        assert_eq!(left, [&Entry::Step(vec![4, 0, 0, 0, 4])]);
        assert_eq!(journal.texels().map(|words| words.to_vec()), Some(vec![7]));
    }
}
