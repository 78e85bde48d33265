//! Writes results: to standard output, to a file, or to several files in a folder.
//!
//! A file appears whole or not at all: it is written beside its place and then moved there. Of a command
//! that is interrupted nothing stays.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::future;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, mpsc};
use std::thread;

use crate::failure::Failure;
use crate::input::shown;

/// How many links are followed, as kernels do.
const MAX_LINKS: u32 = 40;
/// Exit code after Ctrl-C: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;
/// Exit code after a request to terminate, as `kill` and `timeout` send it.
#[cfg(unix)]
const TERMINATED: i32 = 143;

/// Where the flag `--output` wants results; `None` is standard output, which `-` means too.
pub(crate) fn place(output: &Option<PathBuf>) -> Option<&Path> {
    output.as_deref().filter(|path| *path != Path::new("-"))
}

/// Writes to standard output; a reader that closes its end ends the command quietly.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut sink = Sink::standard();
    sink.write(text)?;
    sink.finish()
}

/// One result of a subcommand.
#[derive(Debug)]
pub(crate) struct Output {
    /// Name in the folder, where there are several.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Writes results where the user wants them: `path` is a folder where there are several results,
/// otherwise a file; without it everything goes to standard output.
pub(crate) fn deliver(outputs: &[Output], path: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = path else {
        let mut sink = Sink::standard();
        outputs.iter().try_for_each(|output| sink.write_bytes(&output.bytes))?;
        return sink.finish();
    };
    if let [output] = outputs {
        let mut sink = Sink::open(Some(path))?;
        sink.write_bytes(&output.bytes)?;
        return sink.finish();
    }
    let mut files = Files::open(path)?;
    for output in outputs {
        let mut sink = files.sink(&output.name)?;
        sink.write_bytes(&output.bytes)?;
        files.add(sink)?;
    }
    files.finish()
}

/// Files of a folder, which appear all together.
#[derive(Debug)]
pub(crate) struct Files {
    folder: PathBuf,
    closed: Vec<Closed>,
}

impl Files {
    /// Makes the folder, where there is none.
    pub(crate) fn open(folder: &Path) -> Result<Self, Failure> {
        let name = folder.display().to_string();
        if fs::metadata(folder).is_ok_and(|found| !found.is_dir()) {
            let name = shown(&name);
            return Err(Failure::Machine(format!(
                "cannot write files into {name}: it is no folder"
            )));
        }
        fs::create_dir_all(folder).map_err(|error| Failure::writing(&name, &error))?;
        Ok(Self { folder: folder.to_owned(), closed: Vec::new() })
    }

    /// Where a file of this name is written.
    pub(crate) fn sink(&self, name: &str) -> Result<Sink, Failure> {
        Sink::open(Some(&self.folder.join(name)))
    }

    /// Takes a file that has been written.
    pub(crate) fn add(&mut self, sink: Sink) -> Result<(), Failure> {
        self.closed.push(sink.close()?);
        Ok(())
    }

    /// Puts all files in their places.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.closed.into_iter().try_for_each(Closed::finish)
    }
}

/// Where a result is written bit by bit; an encoder writes to it as to any writer.
#[derive(Debug)]
pub(crate) struct Sink {
    writer: Writer,
    /// How messages call it.
    name: String,
}

#[derive(Debug)]
enum Writer {
    Standard(BufWriter<io::Stdout>),
    /// Something that is not an ordinary file, such as a pipe with a name.
    Direct(BufWriter<File>),
    /// A file that is moved to its place at the end.
    Partial(BufWriter<File>, Partial),
}

/// The file that is written; removed unless it has been moved to its place.
#[derive(Debug)]
struct Partial {
    path: PathBuf,
    place: PathBuf,
}

impl Sink {
    /// A file, or standard output without a path.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::standard()) };
        let name = shown(&path.display().to_string());
        let failed = |error: &io::Error| Failure::writing(&name, error);
        // A link stays a link: what it leads to is replaced.
        let place = followed(path).map_err(|error| failed(&error))?;
        let writer = match fs::metadata(&place) {
            Ok(found) if found.is_dir() => {
                return Err(Failure::Machine(format!("cannot write {name}: it is a folder")));
            }
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(&place);
                Writer::Direct(BufWriter::new(file.map_err(|error| failed(&error))?))
            }
            Ok(_) | Err(_) => {
                let (file, partial) = Partial::beside(place).map_err(|error| failed(&error))?;
                Writer::Partial(BufWriter::new(file), partial)
            }
        };
        Ok(Self { writer, name })
    }

    fn standard() -> Self {
        let writer = Writer::Standard(BufWriter::new(io::stdout()));
        Self { writer, name: "standard output".into() }
    }

    /// Writes some of the result.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.write_bytes(text.as_bytes())
    }

    /// Writes some of a result that need not be text.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.writer().write_all(bytes);
        written.map_err(|error| Failure::writing(&self.name, &error))
    }

    /// Shows what has been written to whoever reads along.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        let flushed = self.writer().flush();
        flushed.map_err(|error| Failure::writing(&self.name, &error))
    }

    /// Ends the result: only now a file is in its place.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.close()?.finish()
    }

    /// Ends the result, and leaves a file beside its place.
    fn close(mut self) -> Result<Closed, Failure> {
        Sink::flush(&mut self)?;
        let Self { writer, name } = self;
        let partial = match writer {
            Writer::Standard(_) | Writer::Direct(_) => None,
            Writer::Partial(_, partial) => Some(partial),
        };
        Ok(Closed { partial, name })
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.writer {
            Writer::Standard(writer) => writer,
            Writer::Direct(writer) | Writer::Partial(writer, _) => writer,
        }
    }
}

/// What a path leads to, through links that may lead to nothing yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&place) else {
            return Ok(fs::canonicalize(&place).unwrap_or(place));
        };
        place = place.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("its links lead nowhere"))
}

/// For encoders.
impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

/// A result that is complete.
#[derive(Debug)]
struct Closed {
    /// A file that has not been moved to its place.
    partial: Option<Partial>,
    name: String,
}

impl Closed {
    fn finish(self) -> Result<(), Failure> {
        let Some(partial) = &self.partial else { return Ok(()) };
        // Who may read the file that is replaced, may read the new one.
        if let Ok(replaced) = fs::metadata(&partial.place) {
            let kept = fs::set_permissions(&partial.path, replaced.permissions());
            kept.map_err(|error| Failure::writing(&self.name, &error))?;
        }
        let moved = fs::rename(&partial.path, &partial.place);
        moved.map_err(|error| Failure::writing(&self.name, &error))
    }
}

/// Files that are being written.
static PARTIAL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

impl Partial {
    /// A new file in the folder of another, which is there until the value is dropped. Its name does not
    /// grow with the other's, which may be as long as names get.
    fn beside(place: PathBuf) -> io::Result<(File, Self)> {
        static WATCH: Once = Once::new();
        // Numbers come once: a film in a folder has thousands of such files at the same time.
        static NEXT: AtomicU32 = AtomicU32::new(0);
        WATCH.call_once(watch_for_interruption);
        let folder = place.parent().unwrap_or(Path::new(""));
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("pyrograph-{}-{number}.partial", process::id()));
            // An interruption sees no file that is there and not known.
            let mut paths = being_written();
            match File::create_new(&path) {
                Ok(file) => {
                    paths.insert(path.clone());
                    drop(paths);
                    return Ok((file, Self { path, place }));
                }
                // Left by a process that was killed.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // After a move there is nothing left to remove.
        let _ = fs::remove_file(&self.path);
        being_written().remove(&self.path);
    }
}

fn being_written() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PARTIAL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on Ctrl-C, and on Unix a request to terminate, remove what is being written, and end the
/// command as shells expect it. Where that cannot be had, the signal ends the command as it would
/// have done anyway.
fn watch_for_interruption() {
    let (ready, is_ready) = mpsc::channel();
    let wait = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let is_watched = async {
            // Asked second, when the handler is in its place.
            let _ = ready.send(());
            future::pending::<()>().await;
        };
        let code = runtime.block_on(async {
            tokio::select! {
                biased;
                code = interruption() => code,
                () = is_watched => Ok(INTERRUPTED),
            }
        })?;
        // Kept until the end, so that nothing new is begun.
        let paths = being_written();
        paths.iter().for_each(|path| drop(fs::remove_file(path)));
        process::exit(code)
    };
    thread::spawn(move || -> io::Result<()> { wait() });
    let _ = is_ready.recv();
}

/// Waits until the command is told to end; gives its exit code.
#[cfg(unix)]
async fn interruption() -> io::Result<i32> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        biased;
        interrupted = tokio::signal::ctrl_c() => interrupted.map(|()| INTERRUPTED),
        _ = terminate.recv() => Ok(TERMINATED),
    }
}

/// Waits until the command is told to end; gives its exit code.
#[cfg(not(unix))]
async fn interruption() -> io::Result<i32> {
    tokio::signal::ctrl_c().await.map(|()| INTERRUPTED)
}
