//! The door for build scripts: graphs by pattern go in, files of Rust come out.
//!
//! In `build.rs`, with this crate among the `[build-dependencies]` (feature `build`):
//!
//! ```no_run
//! fn main() -> Result<(), pyrograph_compiler::build::Error> {
//!     pyrograph_compiler::build::Graphs::new("graphs/*.json").write()
//! }
//! ```
//!
//! and in the crate, with a module for each graph, named after its file:
//!
//! ```text
//! include!(concat!(env!("OUT_DIR"), "/pyrograph.rs"));
//!
//! let mut sparks = sparks::System::new();
//! ```
//!
//! The files are formatted, and say what `pyrograph build GRAPH --emit rust` prints.

mod embed;

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::compile::{Options, compile};
use crate::diagnostic::{Diagnostics, render};
use crate::emit;
use crate::emit::names::Names;
use crate::emit::rust::RustOptions;
use crate::ir::Profile;
use crate::passes::Observe;

pub use embed::{KernelError, embed};

/// Which graphs are compiled, and how.
#[derive(Clone, Debug)]
pub struct Graphs {
    patterns: Vec<String>,
    options: Options,
    rust: RustOptions,
    wgsl: bool,
}

impl Graphs {
    /// The graphs that a pattern names. It is relative to the folder of `Cargo.toml`; `*` stands for
    /// any characters of a name, `**` for any folders.
    #[must_use]
    pub fn new(pattern: impl Into<String>) -> Self {
        Self {
            patterns: vec![pattern.into()],
            options: Options::default(),
            rust: RustOptions::default(),
            wgsl: false,
        }
    }

    /// The graphs of one more pattern.
    #[must_use]
    pub fn and(mut self, pattern: impl Into<String>) -> Self {
        self.patterns.push(pattern.into());
        self
    }

    /// Which meaning the bodies have; Exact unless set.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.options.profile = profile;
        self
    }

    /// Which columns stay although no body reads them; those that renderers read unless set.
    #[must_use]
    pub fn observe(mut self, observe: Observe) -> Self {
        self.options.observe = observe;
        self
    }

    /// Names of the constants that hosts may change, in all graphs of the patterns: see
    /// [`Options::inputs`]. None unless set.
    #[must_use]
    pub fn inputs<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.options.inputs = names.into_iter().map(Into::into).collect();
        self
    }

    /// See [`RustOptions::simd`]; true unless set.
    #[must_use]
    pub fn simd(mut self, simd: bool) -> Self {
        self.rust.simd = simd;
        self
    }

    /// Whether the kernels become constants of the code, too: `WGSL` and `MANIFEST` in the module of
    /// each system, for hosts that bring their own GPU code. Needs the Parallel profile and the
    /// feature `wgsl`; false unless set.
    #[must_use]
    pub fn wgsl(mut self, wgsl: bool) -> Self {
        self.wgsl = wgsl;
        self
    }

    /// Compiles all graphs into `OUT_DIR`: one file each in the folder `pyrograph`, and the index
    /// `pyrograph.rs`. Tells cargo to run the build script again when a graph, a picture that it
    /// reads or the set of graphs changes. Warnings become warnings of the build.
    ///
    /// A module is called like the file of its graph, in `snake_case`; where two files are called
    /// alike, the later one in the order of paths gets a number: `sparks_2`.
    ///
    /// # Errors
    /// A pattern is wrong or names no file, a file cannot be read or written, or graphs are wrong:
    /// then the error has the findings of all of them.
    pub fn write(&self) -> Result<(), Error> {
        let variable = |name: &str| {
            let missing = || Error(format!("{name} is not set: this is for build scripts"));
            env::var_os(name).map(PathBuf::from).ok_or_else(missing)
        };
        let (manifest, out) = (variable("CARGO_MANIFEST_DIR")?, variable("OUT_DIR")?);
        let mut said = String::new();
        let written = self.write_files(&manifest, &out, &mut said);
        // What was found out so far counts for a failure, too.
        let printed = io::stdout().lock().write_all(said.as_bytes());
        written.and(printed.map_err(|error| Error(format!("cannot talk to cargo: {error}"))))
    }

    /// The same for any folders; what cargo is to be told is appended to `said`.
    fn write_files(&self, manifest: &Path, out: &Path, said: &mut String) -> Result<(), Error> {
        let paths = self.find(manifest, said)?;
        let folder = out.join("pyrograph");
        let create = fs::create_dir_all(&folder);
        create.map_err(|error| Error::file("create the folder", &folder, &error))?;
        let mut names = Names::default();
        let mut index = String::new();
        let mut problems = String::new();
        for path in &paths {
            let shown = path.strip_prefix(manifest).unwrap_or(path).display().to_string();
            let bytes = fs::read(path).map_err(|error| Error::file("read", path, &error))?;
            let base = path.parent().unwrap_or(manifest);
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let module = names.unique(&stem.unwrap_or_default());
            let made = match rust_text(&bytes, base, &self.options, &self.rust, self.wgsl) {
                Ok(made) => made,
                Err(RustError::Graph(found)) => {
                    let separator = if problems.is_empty() { "" } else { "\n" };
                    problems += separator;
                    problems += &render::text(&found, &[&shown], false);
                    continue;
                }
                Err(RustError::Kernels(error)) => {
                    let _ = writeln!(problems, "{shown}: {error}");
                    continue;
                }
                Err(RustError::Emitter(error)) => {
                    return Err(Error(format!("{shown}: {error}; please report this")));
                }
            };
            for warning in &made.warnings {
                let _ = writeln!(said, "cargo::warning={}", render::line(warning, &[&shown]));
            }
            for file in &made.files {
                let _ = writeln!(said, "cargo::rerun-if-changed={file}");
            }
            let file = folder.join(format!("{module}.rs"));
            fs::write(&file, &made.text).map_err(|error| Error::file("write", &file, &error))?;
            index += &entry(&shown, &module);
        }
        if !problems.is_empty() {
            return Err(Error(problems));
        }
        let file = out.join("pyrograph.rs");
        fs::write(&file, index).map_err(|error| Error::file("write", &file, &error))
    }

    /// The files that the patterns name, each once, in the order of their paths.
    fn find(&self, manifest: &Path, said: &mut String) -> Result<BTreeSet<PathBuf>, Error> {
        let mut paths = BTreeSet::new();
        for pattern in &self.patterns {
            let whole = format!("{}/{pattern}", glob::Pattern::escape(&manifest.to_string_lossy()));
            let found = glob::glob(&whole);
            let found =
                found.map_err(|error| Error(format!("the pattern {pattern:?}: {error}")))?;
            // A folder counts for all that is in it, files that come later included.
            let fixed = pattern.split('/').take_while(|part| !part.contains(['*', '?', '[']));
            let _ = writeln!(
                said,
                "cargo::rerun-if-changed={}",
                manifest.join(fixed.collect::<PathBuf>()).display()
            );
            let mut is_useful = false;
            for path in found {
                let path = path.map_err(|error| Error(error.to_string()))?;
                if path.is_file() {
                    paths.insert(path);
                    is_useful = true;
                }
            }
            if !is_useful {
                let folder = manifest.display();
                return Err(Error(format!("{pattern:?} names no file in {folder}")));
            }
        }
        for path in &paths {
            let _ = writeln!(said, "cargo::rerun-if-changed={}", path.display());
        }
        Ok(paths)
    }
}

/// A module of the index.
fn entry(graph: &str, module: &str) -> String {
    format!(
        "#[doc = {:?}]\n\
         #[allow(dead_code, unused_imports, reason = \"a crate need not use all of it\")]\n\
         pub mod {module} {{\n    \
         include!(concat!(env!(\"OUT_DIR\"), \"/pyrograph/{module}.rs\"));\n}}\n",
        format!("The particle systems of `{graph}`.")
    )
}

/// A graph as a file of Rust.
#[derive(Clone, Debug)]
pub struct RustText {
    /// The file, formatted.
    pub text: String,
    /// Paths of the pictures whose bytes are part of it.
    pub files: Vec<String>,
    /// Findings that did not stop the compilation.
    pub warnings: Diagnostics,
}

/// Why there is no [`RustText`].
#[derive(Debug)]
pub enum RustError {
    /// Something is wrong with the graph.
    Graph(Diagnostics),
    /// There are no kernels.
    Kernels(KernelError),
    /// Something is wrong with the compiler.
    Emitter(String),
}

/// Compiles the bytes of a graph file, whose pictures are in the folder `base`; with its kernels if
/// `wgsl` is set.
///
/// # Errors
/// See [`RustError`].
pub fn rust_text(
    bytes: &[u8],
    base: &Path,
    options: &Options,
    rust: &RustOptions,
    wgsl: bool,
) -> Result<RustText, RustError> {
    let compiled = compile(bytes, options).map_err(RustError::Graph)?;
    let rust = embed(&compiled.module, base, rust, wgsl).map_err(RustError::Kernels)?;
    let text = emit::rust::text(&compiled.module, &rust);
    let text = text.map_err(|error| RustError::Emitter(error.to_string()))?;
    let files = rust.files.into_values().collect();
    Ok(RustText { text, files, warnings: compiled.warnings })
}

/// Why a build script ends. Cargo shows it as it is.
pub struct Error(String);

impl Error {
    fn file(what: &str, path: &Path, error: &io::Error) -> Self {
        Self(format!("cannot {what} {}: {error}", path.display()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The same text: it is what a `main` that returns the error prints.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests;
