//! What generated code carries besides itself: the bytes of pictures, and kernels.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

#[cfg(feature = "wgsl")]
use crate::emit::layout::Limits;
use crate::emit::rust::{Kernels, RustOptions, referenced_files};
#[cfg(feature = "wgsl")]
use crate::emit::wgsl;
use crate::ir::{Module, Valid};

/// Why a module has no kernels. Its text is for the author of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelError(String);

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for KernelError {}

/// The options with what a module embeds: the pictures that exist in the folder `base`, and its
/// kernels if `wgsl` is set. Pictures that do not exist are left to the host.
///
/// # Errors
/// Kernels are wanted, and the module is an Exact one, has programs that are too large for a GPU, or
/// the feature `wgsl` is off.
pub fn embed(
    module: &Valid<Module>,
    base: &Path,
    rust: &RustOptions,
    wgsl: bool,
) -> Result<RustOptions, KernelError> {
    let kernels = if wgsl { kernels(module)? } else { Vec::new() };
    Ok(RustOptions { files: files(module, base), kernels, ..rust.clone() })
}

/// Addresses and absolute paths of the files that the module refers to.
fn files(module: &Module, base: &Path) -> BTreeMap<String, String> {
    let urls = referenced_files(module).into_iter();
    let existing = urls.filter_map(|url| {
        let path = fs::canonicalize(base.join(url)).ok().filter(|path| path.is_file())?;
        Some((url.to_owned(), path.to_str()?.to_owned()))
    });
    existing.collect()
}

/// The kernels of all programs, for devices of WebGPU's default limits.
#[cfg(feature = "wgsl")]
fn kernels(module: &Valid<Module>) -> Result<Vec<Kernels>, KernelError> {
    let programs = module.programs.iter().enumerate().map(|(index, program)| {
        let made = wgsl::emit(module, index, &Limits::default());
        let made = made.map_err(|error| KernelError(error.to_string()))?;
        Ok(Kernels { manifest: wgsl::to_json(program, &made.manifest), wgsl: made.source })
    });
    programs.collect()
}

#[cfg(not(feature = "wgsl"))]
fn kernels(_: &Valid<Module>) -> Result<Vec<Kernels>, KernelError> {
    let message = "kernels need the feature `wgsl`: of `pyrograph` for the macro, of \
                   `pyrograph-compiler` for a build script";
    Err(KernelError(message.to_owned()))
}
