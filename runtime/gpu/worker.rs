//! A thread that compiles the newest program that it was given, and skips those before.

use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use pyrograph_compiler::ir::{Module, Valid};

use super::error::GpuError;
use super::program::GpuProgram;

/// Something to compile.
#[derive(Debug)]
pub(super) struct Job {
    /// Number of the edit.
    pub(super) edit: u64,
    pub(super) module: Arc<Valid<Module>>,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
}

/// What became of a job: all systems of its module.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) edit: u64,
    pub(super) programs: Result<Vec<GpuProgram>, GpuError>,
}

/// The thread. Dropping it waits for the job that it is at.
#[derive(Debug)]
pub(super) struct Worker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    desk: Mutex<Desk>,
    has_changed: Condvar,
}

#[derive(Debug, Default)]
struct Desk {
    /// The newest job that nobody has begun.
    next: Option<Job>,
    is_busy: bool,
    /// Whether nobody wants the result of the job that the thread is at.
    is_unwanted: bool,
    /// The newest result that nobody has taken.
    done: Option<Done>,
    is_closed: bool,
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&'a self, desk: MutexGuard<'a, Desk>) -> MutexGuard<'a, Desk> {
        self.has_changed.wait(desk).unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        let mut desk = self.desk();
        while !desk.is_closed {
            let Some(job) = desk.next.take() else {
                desk = self.wait(desk);
                continue;
            };
            desk.is_busy = true;
            drop(desk);
            let edit = job.edit;
            // Whoever waits must hear of it; drivers are not ours.
            let programs = catch_unwind(AssertUnwindSafe(|| compile(&job))).unwrap_or_else(|_| {
                let reason = "the thread panicked".to_owned();
                Err(GpuError::Device { doing: "compiling kernels", reason })
            });
            desk = self.desk();
            if !mem::take(&mut desk.is_unwanted) {
                desk.done = Some(Done { edit, programs });
            }
            desk.is_busy = false;
            self.has_changed.notify_all();
        }
    }
}

fn compile(job: &Job) -> Result<Vec<GpuProgram>, GpuError> {
    let Job { module, device, queue, .. } = job;
    (0..module.programs.len()).map(|index| GpuProgram::new(device, queue, module, index)).collect()
}

impl Worker {
    /// Starts the thread.
    pub(super) fn new() -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let builder = thread::Builder::new().name("pyrograph kernels".to_owned());
        let thread = builder.spawn(move || theirs.work())?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Takes a job; one that waits is forgotten.
    pub(super) fn give(&self, job: Job) {
        self.shared.desk().next = Some(job);
        self.shared.has_changed.notify_all();
    }

    /// The newest result since the last call.
    pub(super) fn take(&self) -> Option<Done> {
        self.shared.desk().done.take()
    }

    /// Forgets all jobs so far, and what became of them.
    pub(super) fn forget(&self) {
        let mut desk = self.shared.desk();
        (desk.next, desk.done) = (None, None);
        desk.is_unwanted = desk.is_busy;
    }

    /// Waits until no job is left.
    pub(super) fn wait(&self) {
        let mut desk = self.shared.desk();
        while desk.is_busy || desk.next.is_some() {
            desk = self.shared.wait(desk);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.shared.desk().is_closed = true;
        self.shared.has_changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // Jobs catch their panics.
            let _ = thread.join();
        }
    }
}
