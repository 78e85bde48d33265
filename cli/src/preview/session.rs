//! Which graph is shown, and what everybody who watches is told.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyrograph::Texels;
use pyrograph::snippet::{self, Snippet};
use pyrograph_compiler::diagnostic::render;
use pyrograph_compiler::ir::{Module, Profile, Valid};
use pyrograph_compiler::passes::Observe;
use pyrograph_compiler::{Options, compile};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::compiled::Shown;
use super::folder::Folder;
use super::frames::{Asked, Frame, Runs};
use super::pictures::{self, Which};
use crate::input::{shown, whole};
use crate::sample::SAMPLES;

/// Bytes of the largest graph that is shown.
pub(super) const MAX_GRAPH: u64 = 16 << 20;

/// Where a graph is from.
#[derive(Clone, Debug, PartialEq)]
enum Origin {
    /// A file of the folder, by name.
    File(String),
    /// One of the samples.
    Sample(&'static str),
    /// Dropped on the page, or fetched: its text cannot change.
    Text(String),
}

impl Origin {
    /// What messages call it.
    fn name(&self) -> String {
        match self {
            Self::File(name) | Self::Text(name) => name.clone(),
            Self::Sample(name) => format!("sample:{name}"),
        }
    }
}

/// One graph, shown to everybody who has the page open.
#[derive(Debug)]
pub(super) struct Session {
    folder: Option<Folder>,
    observe: Observe,
    snippet_server: String,
    state: Mutex<State>,
    /// What runs here, for pages that cannot run it.
    runs: Runs,
    /// The newest message, as JSON.
    message: watch::Sender<String>,
}

#[derive(Debug)]
struct State {
    origin: Origin,
    bytes: Vec<u8>,
    /// Grows with every message.
    revision: u64,
    /// How many texts were given to be compiled, and which of them is the newest that was shown.
    asked: u64,
    shown: u64,
    /// The newest text without errors.
    good: Option<Good>,
}

/// A text without errors.
#[derive(Clone, Debug)]
struct Good {
    revision: u64,
    parallel: Arc<Valid<Module>>,
    /// Compiled when it is asked for.
    exact: Option<Arc<Valid<Module>>>,
    bytes: Arc<[u8]>,
}

impl Session {
    /// Shows the first graph there is.
    pub(super) fn new(folder: Option<Folder>, observe: Observe, snippet_server: &str) -> Self {
        let first = folder.as_ref().and_then(|folder| folder.names().into_iter().next());
        let origin = first.map_or(Origin::Sample(SAMPLES[0].0), Origin::File);
        let state = State {
            origin: origin.clone(),
            bytes: Vec::new(),
            revision: 0,
            asked: 0,
            shown: 0,
            good: None,
        };
        let (message, _) = watch::channel(String::new());
        let snippet_server = snippet_server.to_owned();
        let session = Self {
            folder,
            observe,
            snippet_server,
            state: Mutex::new(state),
            runs: Runs::default(),
            message,
        };
        session.show_or_tell(origin);
        session
    }

    /// The folder whose files are shown.
    pub(super) fn folder(&self) -> Option<&Folder> {
        self.folder.as_ref()
    }

    /// What is shown first, for a person.
    pub(super) fn title(&self) -> String {
        match &self.folder {
            None => "samples".into(),
            Some(folder) => {
                let name = shown(&folder.root().display().to_string());
                let is_empty = folder.names().is_empty();
                if is_empty { format!("{name} has no .json files; samples") } else { name }
            }
        }
    }

    /// Messages from now on; the newest is there at once.
    pub(super) fn messages(&self) -> watch::Receiver<String> {
        self.message.subscribe()
    }

    /// Shows a file of the folder, or a sample.
    pub(super) fn open(&self, name: &str) -> Result<(), String> {
        let sample =
            SAMPLES.iter().find(|(known, ..)| name.strip_prefix("sample:") == Some(*known));
        match sample {
            Some((known, ..)) => self.show(Origin::Sample(known)),
            None => self.show(Origin::File(name.to_owned())),
        }
    }

    /// Shows a text that was dropped on the page.
    pub(super) fn drop_text(&self, name: &str, bytes: Vec<u8>) {
        self.publish(Origin::Text(name.to_owned()), bytes);
    }

    /// Fetches a snippet and shows it; takes as long as the server does.
    pub(super) fn fetch(&self, id: &str) -> Result<(), String> {
        let snippet =
            Snippet { server: self.snippet_server.clone(), limit: MAX_GRAPH, ..Snippet::new(id) };
        let text = snippet::fetch(&snippet).map_err(|error| error.to_string())?;
        self.publish(Origin::Text(format!("snippet {id}")), text.into_bytes());
        Ok(())
    }

    /// Compiles anew what is shown, if it is one of these files and has changed. New files get listed.
    pub(super) fn saved<'a>(&self, paths: impl Iterator<Item = &'a Path>) {
        let Some(folder) = &self.folder else { return };
        let origin = self.state().origin.clone();
        let shown = match &origin {
            Origin::File(name) => folder.path(name),
            Origin::Sample(_) | Origin::Text(_) => None,
        };
        let is_shown = |path: &Path| shown.as_deref() == Some(path);
        // A file that is gone may be back in a moment: what was read of it stays on the screen.
        let is_gone = shown.is_none() && matches!(origin, Origin::File(_));
        let (mut is_changed, mut is_other) = (is_gone, false);
        for path in paths {
            is_changed |= is_shown(path);
            is_other |= path.extension().is_some_and(|extension| extension == "json");
        }
        if is_changed {
            self.show_or_tell(origin);
        } else if is_other {
            let (origin, bytes) = {
                let state = self.state();
                (state.origin.clone(), state.bytes.clone())
            };
            self.publish(origin, bytes);
        }
    }

    /// A picture of the newest text without errors, if that is of this revision.
    pub(super) fn picture(
        &self,
        revision: u64,
        system: usize,
        which: Which,
    ) -> Result<Texels, String> {
        let module = self.good(revision)?.parallel;
        let program = module.programs.get(system).ok_or("the graph has no such system")?;
        pictures::load(program, which, self.folder.as_ref().map(Folder::root))
    }

    /// A picture that is drawn here.
    pub(super) fn frame(&self, asked: &Asked) -> Result<Frame, String> {
        let good = self.good(asked.revision)?;
        let module = match asked.profile() {
            Profile::Parallel => good.parallel,
            Profile::Exact => match good.exact {
                Some(module) => module,
                None => self.exact(&good)?,
            },
        };
        let folder = self.folder.as_ref().map_or(Path::new(""), Folder::root);
        self.runs.draw(asked, &module, folder)
    }

    /// Compiles a text as Exact, once.
    fn exact(&self, good: &Good) -> Result<Arc<Valid<Module>>, String> {
        let options = Options { observe: Observe::Render, ..Options::new(Profile::Exact) };
        let compiled = compile(&good.bytes, &options);
        let compiled = compiled.map_err(|errors| render::text(&errors, &["the graph"], false))?;
        let module = Arc::new(compiled.module);
        if let Some(newest) = &mut self.state().good
            && newest.revision == good.revision
        {
            newest.exact = Some(Arc::clone(&module));
        }
        Ok(module)
    }

    /// The newest text without errors, if that is of this revision.
    fn good(&self, revision: u64) -> Result<Good, String> {
        let good = self.state().good.clone();
        good.filter(|good| good.revision == revision)
            .ok_or_else(|| "another graph is shown by now".into())
    }

    /// Shows a graph, or tells everybody why it cannot be read.
    fn show_or_tell(&self, origin: Origin) {
        let Err(reason) = self.show(origin.clone()) else { return };
        let mut state = self.state();
        state.revision += 1;
        let message = self.text(&origin.name(), state.revision, Shown::none(reason));
        state.origin = origin;
        // What comes back as it was is news.
        state.bytes.clear();
        self.message.send_replace(message);
    }

    fn show(&self, origin: Origin) -> Result<(), String> {
        let bytes = match &origin {
            Origin::Sample(name) => {
                let found = SAMPLES.iter().find(|(known, ..)| known == name);
                found.map_or(Vec::new(), |(.., text)| text.as_bytes().to_vec())
            }
            Origin::File(name) => {
                let path = self.folder.as_ref().and_then(|folder| folder.path(name));
                let path = path.ok_or_else(|| format!("{name} is none of the graphs here"))?;
                let read = File::open(path).and_then(|file| whole(file, MAX_GRAPH));
                read.map_err(|error| format!("cannot read {name}: {error}"))?
            }
            Origin::Text(_) => return Ok(()),
        };
        let is_shown = {
            let state = self.state();
            state.revision > 0 && state.origin == origin && state.bytes == bytes
        };
        // A file that was written with what it had before is no news.
        if !is_shown {
            self.publish(origin, bytes);
        }
        Ok(())
    }

    /// Compiles a text and tells everybody.
    fn publish(&self, origin: Origin, bytes: Vec<u8>) {
        let ticket = {
            let mut state = self.state();
            state.asked += 1;
            state.asked
        };
        let name = origin.name();
        let options = Options { observe: self.observe, ..Options::new(Profile::Parallel) };
        let compiled = Shown::of(&name, &bytes, &options);
        let mut state = self.state();
        // Long graphs take long: who came later may be done.
        if ticket < state.shown {
            return;
        }
        state.shown = ticket;
        state.revision += 1;
        if let Some((module, _)) = &compiled.systems {
            state.good = Some(Good {
                revision: state.revision,
                parallel: Arc::clone(module),
                exact: None,
                bytes: bytes.as_slice().into(),
            });
        }
        let message = self.text(&name, state.revision, compiled);
        state.origin = origin;
        state.bytes = bytes;
        // Sent while the state is held, so that messages stay in order.
        self.message.send_replace(message);
    }

    fn text(&self, name: &str, revision: u64, compiled: Shown) -> String {
        let samples = SAMPLES.iter().map(|(name, what, _)| json!({ "name": name, "what": what }));
        let message: Value = json!({
            "revision": revision,
            "name": name,
            "files": self.folder.as_ref().map(Folder::names),
            "samples": samples.collect::<Vec<_>>(),
            "systems": compiled.systems.map(|(_, systems)| systems),
            "findings": compiled.findings,
            "text": compiled.text,
            "graph": compiled.graph,
            "explanation": compiled.explanation,
            "milliseconds": compiled.took.as_secs_f64() * 1000.0,
        });
        message.to_string()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
