//! Writes results: to standard output, to a file, or to several files in a folder.
//!
//! A file appears whole or not at all: it is written beside its place and then moved there. Of a command
//! that is interrupted nothing stays.

use std::fs::{self, File, OpenOptions};
use std::future;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, Once, PoisonError, mpsc};
use std::thread;

use crate::failure::Failure;
use crate::input::shown;

/// Exit code after Ctrl-C: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

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
    deliver_to(outputs, path, outputs.len() != 1)
}

/// Writes results to a file, or as files of a folder.
pub(crate) fn deliver_to(outputs: &[Output], path: &Path, is_folder: bool) -> Result<(), Failure> {
    if is_folder {
        fs::create_dir_all(path)
            .map_err(|error| Failure::writing(&path.display().to_string(), &error))?;
    }
    outputs.iter().try_for_each(|output| {
        let place = if is_folder { path.join(&output.name) } else { path.to_owned() };
        let mut sink = Sink::open(Some(&place))?;
        sink.write_bytes(&output.bytes)?;
        sink.finish()
    })
}

/// Where a result is written bit by bit.
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
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let writer = match fs::metadata(&place) {
            Ok(found) if found.is_dir() => {
                return Err(Failure::Machine(format!("cannot write {name}: it is a folder")));
            }
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(&place);
                Writer::Direct(BufWriter::new(file.map_err(|error| failed(&error))?))
            }
            Ok(_) | Err(_) => {
                let (file, partial) = Partial::create(place).map_err(|error| failed(&error))?;
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
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        if let Writer::Partial(_, partial) = &self.writer {
            let moved = fs::rename(&partial.path, &partial.place);
            moved.map_err(|error| Failure::writing(&self.name, &error))?;
        }
        Ok(())
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.writer {
            Writer::Standard(writer) => writer,
            Writer::Direct(writer) | Writer::Partial(writer, _) => writer,
        }
    }
}

/// Files that are being written.
static PARTIAL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

impl Partial {
    /// The file beside its place, which is there until the value is dropped.
    fn create(place: PathBuf) -> io::Result<(File, Self)> {
        static WATCH: Once = Once::new();
        WATCH.call_once(watch_for_interruption);
        let mut path = place.clone().into_os_string();
        path.push(format!(".{}.partial", process::id()));
        let path = PathBuf::from(path);
        change_partial(|paths| paths.push(path.clone()));
        match File::create_new(&path) {
            Ok(file) => Ok((file, Self { path, place })),
            Err(error) => {
                forget(&path);
                Err(error)
            }
        }
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // After a move there is nothing left to remove.
        let _ = fs::remove_file(&self.path);
        forget(&self.path);
    }
}

fn change_partial(change: impl FnOnce(&mut Vec<PathBuf>)) {
    change(&mut PARTIAL.lock().unwrap_or_else(PoisonError::into_inner));
}

fn forget(path: &Path) {
    change_partial(|paths| paths.retain(|known| known != path));
}

/// From now on Ctrl-C removes what is being written, and ends the command as shells expect it. Where
/// that cannot be had, the signal ends the command as it would have done anyway.
fn watch_for_interruption() {
    let (ready, is_ready) = mpsc::channel();
    let wait = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let is_watched = async {
            // Asked second, when the handler is in its place.
            let _ = ready.send(());
            future::pending::<()>().await;
        };
        runtime.block_on(async {
            tokio::select! {
                biased;
                interrupted = tokio::signal::ctrl_c() => interrupted,
                () = is_watched => Ok(()),
            }
        })?;
        change_partial(|paths| paths.iter().for_each(|path| drop(fs::remove_file(path))));
        process::exit(INTERRUPTED)
    };
    thread::spawn(move || -> io::Result<()> { wait() });
    let _ = is_ready.recv();
}
