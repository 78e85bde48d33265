//! States of systems as bytes: to go back to, to store, to compare by hash.

use std::fmt;

use twox_hash::XxHash64;

use crate::driver::Driver;
use crate::memory::{Loader, Saver, Sizes};
use crate::program::{ParticleProgram, Profile};
use crate::random::Random;
use crate::system::ParticleSystem;

/// Layout of the bytes; another number is another layout.
const LAYOUT: u32 = 1;

/// The state of one system at one moment: all that its later steps depend on, but for the random
/// source, the pixels of pictures and what the host does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Saved {
    version: String,
    layout: u32,
    program: u64,
    name: String,
    bytes: Vec<u8>,
    /// Of the bytes, so that changed ones are noticed.
    hash: u64,
}

impl Saved {
    /// Whether it is of this program and version.
    fn check(&self, program: &impl ParticleProgram) -> Result<(), RestoreError> {
        let version = env!("CARGO_PKG_VERSION");
        if (self.version.as_str(), self.layout) != (version, LAYOUT) {
            return Err(RestoreError::Version {
                saved: format!("{} (layout {})", self.version, self.layout),
                running: format!("{version} (layout {LAYOUT})"),
            });
        }
        if self.program != program.fingerprint() {
            return Err(RestoreError::Program {
                saved: self.name.clone(),
                running: program.name().to_owned(),
            });
        }
        Ok(())
    }

    /// How many bytes the state takes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

/// The states of systems that are stepped together, and of the random source that they draw from.
///
/// With the feature `serde` it can be stored, if the source can.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Snapshot<R> {
    pub(crate) systems: Vec<Saved>,
    pub(crate) random: R,
}

impl<R> Snapshot<R> {
    /// The states, in file order.
    pub fn systems(&self) -> &[Saved] {
        &self.systems
    }

    /// The random source as it was.
    pub fn random(&self) -> &R {
        &self.random
    }
}

/// Why a snapshot was refused. The systems are as they were before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestoreError {
    /// It was made by another version of this crate.
    Version {
        /// The version that made it.
        saved: String,
        /// The version that runs.
        running: String,
    },
    /// It is of another program: of another graph, an edited one, or the same compiled with other
    /// options.
    Program {
        /// Name of the system that it was made of.
        saved: String,
        /// Name of the system that was to take it.
        running: String,
    },
    /// It has more or fewer systems.
    Count {
        /// How many it has.
        saved: usize,
        /// How many there are to take it.
        running: usize,
    },
    /// Its bytes are not those that were saved, or no state of the program.
    Damaged {
        /// Name of the system.
        system: String,
    },
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { saved, running } => write!(
                f,
                "the snapshot is of pyrograph {saved}, this is {running}: make it again with this \
                 version"
            ),
            Self::Program { saved, running } => write!(
                f,
                "the snapshot is of another program (system {saved:?}), not of the one that system \
                 {running:?} runs: restore it into the graph, profile and options that it was made \
                 with"
            ),
            Self::Count { saved, running } => write!(
                f,
                "the snapshot has {saved} {}, and the set {running}: restore it into the set that it \
                 was made of",
                if *saved == 1 { "system" } else { "systems" }
            ),
            Self::Damaged { system } => write!(
                f,
                "the snapshot of system {system:?} is damaged: its bytes were changed or cut; make \
                 it again"
            ),
        }
    }
}

impl std::error::Error for RestoreError {}

impl<P: ParticleProgram> ParticleSystem<P> {
    /// The state at this moment, with the random source's.
    pub fn snapshot<R: Random + Clone>(&self, random: &R) -> Snapshot<R> {
        Snapshot { systems: vec![self.save()], random: random.clone() }
    }

    /// Goes back to a snapshot: every later step gives what it gave after the snapshot, if the host
    /// does the same again. Pictures stay as they are.
    ///
    /// # Errors
    /// The snapshot is not of this program and version; nothing has changed.
    pub fn restore<R: Random + Clone>(
        &mut self,
        snapshot: &Snapshot<R>,
        random: &mut R,
    ) -> Result<(), RestoreError> {
        let [saved] = snapshot.systems() else {
            return Err(RestoreError::Count { saved: snapshot.systems.len(), running: 1 });
        };
        self.load(saved)?;
        random.clone_from(&snapshot.random);
        Ok(())
    }

    /// The state at this moment, without that of the random source.
    pub fn save(&self) -> Saved {
        let program = &self.program;
        let bytes = bytes(|saver| self.save_to(saver));
        Saved {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            layout: LAYOUT,
            program: program.fingerprint(),
            name: program.name().to_owned(),
            hash: XxHash64::oneshot(0, &bytes),
            bytes,
        }
    }

    /// Goes back to a saved state; see [`restore`](Self::restore).
    ///
    /// # Errors
    /// The state is not of this program and version; nothing has changed.
    pub fn load(&mut self, saved: &Saved) -> Result<(), RestoreError> {
        self.open(saved)?.commit(self);
        Ok(())
    }

    /// Looks whether a saved state can be loaded.
    pub(crate) fn open<'s>(&self, saved: &'s Saved) -> Result<Opened<'s>, RestoreError> {
        saved.check(&self.program)?;
        let damaged = || RestoreError::Damaged { system: saved.name.clone() };
        if XxHash64::oneshot(0, &saved.bytes) != saved.hash {
            return Err(damaged());
        }
        let (driver, rest) = Driver::read(&saved.bytes).ok_or_else(damaged)?;
        let loader = loader(&self.program, rest).ok_or_else(damaged)?;
        Ok(Opened { driver, loader })
    }

    /// A number that is the same for equal states, on every machine and for every executor of the
    /// program; for different ones it differs, but for one case in 2^64. It takes no memory, and
    /// does not know the random source.
    pub fn state_hash(&self) -> u64 {
        use std::hash::Hasher;
        let mut hasher = XxHash64::with_seed(0);
        let mut write = |piece: &[u8]| hasher.write(piece);
        self.save_to(&mut Saver::new(&mut write));
        hasher.finish()
    }

    fn save_to(&self, saver: &mut Saver<'_>) {
        self.driver.save(saver);
        self.program.save(saver);
    }
}

/// A saved state that is known to fit the system.
pub(crate) struct Opened<'s> {
    driver: Driver,
    loader: Loader<'s>,
}

impl Opened<'_> {
    pub(crate) fn commit<P: ParticleProgram>(mut self, system: &mut ParticleSystem<P>) {
        system.driver = self.driver;
        system.revision = crate::system::Revision::new();
        system.program.load(&mut self.loader);
    }
}

/// Bytes of what `save` saves.
pub(crate) fn bytes(save: impl FnOnce(&mut Saver<'_>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut write = |piece: &[u8]| bytes.extend_from_slice(piece);
    save(&mut Saver::new(&mut write));
    bytes
}

/// Sizes of the bytes of a program.
fn sizes(program: &impl ParticleProgram) -> Sizes {
    let mut write = |_: &[u8]| {};
    let mut saver = Saver::new(&mut write);
    program.save(&mut saver);
    saver.sizes()
}

/// A loader of a program's bytes; `None` if they do not fit it.
fn loader<'a>(program: &impl ParticleProgram, bytes: &'a [u8]) -> Option<Loader<'a>> {
    let is_sparse = program.profile() == Profile::Parallel;
    Loader::new(bytes, program.capacity(), is_sparse, sizes(program))
}

/// One number for several.
pub(crate) fn combine(hashes: impl Iterator<Item = u64>) -> u64 {
    use std::hash::Hasher;
    let mut hasher = XxHash64::with_seed(0);
    hashes.for_each(|hash| hasher.write(&hash.to_le_bytes()));
    hasher.finish()
}
