//! One file through all stages. Each must give a result or diagnostics, and optimized programs the
//! states that programs have as they are lowered.

use std::sync::Arc;

use pyrograph_compiler::diagnostic::{Diagnostics, Severity, render};
use pyrograph_compiler::graph::dot::Dot;
use pyrograph_compiler::graph::listing::Listing;
use pyrograph_compiler::ir::{self, Module, Profile, Valid, validate};
use pyrograph_compiler::passes::{self, Observe};
use pyrograph_compiler::{explain, lower_graph, read_file};

use super::run::{self, PROFILES};

/// How far a file came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// It is no graph.
    Refused,
    /// It is one, but no profile can express it.
    NotLowered,
    /// It was lowered, but costs too much to be run a million times.
    NotRun,
    /// It was run.
    Run,
}

/// Runs all stages; some of them for some cases only, by their number.
///
/// # Errors
/// What is wrong with the compiler.
pub(crate) fn check(bytes: &[u8], number: u64) -> Result<Outcome, String> {
    let (graph, warnings) = match read_file(bytes) {
        Ok(read) => read,
        Err(errors) => return look_at(&errors, true).map(|()| Outcome::Refused),
    };
    look_at(&warnings, false)?;
    if number.is_multiple_of(16) {
        let again = read_file(bytes).map_err(|_| "refused the second time".to_owned())?.0;
        let texts = |graph| (Listing(graph).to_string(), Dot(graph).to_string());
        if texts(&graph) != texts(&again) {
            return Err("reading twice gives two graphs".to_owned());
        }
    }
    let mut outcome = Outcome::NotLowered;
    for profile in PROFILES {
        match lower_graph(&graph, profile) {
            Ok(module) => outcome = outcome.max(compare(module, number)?),
            Err(errors) => look_at(&errors, true)?,
        }
    }
    if number.is_multiple_of(64)
        && let Ok(explanation) = explain::explain(bytes, &Default::default())
        && explanation.to_string().is_empty()
    {
        return Err("nothing to explain".to_owned());
    }
    Ok(outcome)
}

/// Checks, optimizes and runs a module.
fn compare(module: Module, number: u64) -> Result<Outcome, String> {
    let base = validate(module).map_err(|invalid| format!("lowering: {invalid}"))?;
    // Both are tested, but most often what hosts of a generated program see.
    let observe = if number.is_multiple_of(4) { Observe::Render } else { Observe::State };
    let options = passes::Options { observe };
    let fast =
        passes::run(base.clone().into_inner(), &options).map_err(|fault| fault.to_string())?;
    if number.is_multiple_of(16) {
        print(&base)?;
        print(&fast)?;
    }
    #[cfg(feature = "rust")]
    if number.is_multiple_of(128) {
        use pyrograph_compiler::emit::rust::{self, RustOptions};
        rust::text(&fast, &RustOptions::default()).map_err(|error| format!("Rust: {error}"))?;
    }
    #[cfg(feature = "wgsl")]
    if number.is_multiple_of(64) && fast.programs.iter().all(|p| p.profile == Profile::Parallel) {
        wgsl(&fast)?;
    }
    if !run::is_cheap(&base) {
        return Ok(Outcome::NotRun);
    }
    let (base, fast) = (Arc::new(base), Arc::new(fast));
    for index in 0..base.programs.len().min(3) {
        let [a, b] = [&base, &fast].map(|module| run::run(module, index, number));
        let (Some(a), Some(b)) = (a, b) else { return Err("a program is gone".to_owned()) };
        if let Some(difference) = run::difference(&a, &b, observe) {
            let profile: Profile = base.programs[index].profile;
            return Err(format!("{profile:?}, {observe:?}, optimized: {difference}"));
        }
    }
    Ok(Outcome::Run)
}

/// Each program has kernels that naga accepts, or does not fit what devices can bind.
#[cfg(feature = "wgsl")]
fn wgsl(module: &Valid<Module>) -> Result<(), String> {
    use pyrograph_compiler::emit::layout::Limits;
    use pyrograph_compiler::emit::wgsl::{WgslError, emit};
    for index in 0..module.programs.len() {
        match emit(module, index, &Limits::default()) {
            Ok(_) | Err(WgslError::Layout { .. } | WgslError::TooLarge { .. }) => {}
            Err(fault) => return Err(format!("WGSL: {fault}")),
        }
    }
    Ok(())
}

/// The text form reads back to the same text.
fn print(module: &Valid<Module>) -> Result<(), String> {
    let text = module.to_string();
    let again = ir::parse(&text).map_err(|error| format!("{error}\n{text}"))?;
    let again = validate(again).map_err(|invalid| format!("read back: {invalid}\n{text}"))?;
    if again.to_string() == text { Ok(()) } else { Err(format!("reads back differently:\n{text}")) }
}

/// What is said must be something, and worded as all messages are.
fn look_at(diagnostics: &Diagnostics, must_fail: bool) -> Result<(), String> {
    if must_fail != diagnostics.has_errors() || must_fail && diagnostics.is_empty() {
        return Err(format!("{} errors", diagnostics.error_count()));
    }
    for diagnostic in diagnostics {
        let texts = [diagnostic.message.as_str(), diagnostic.help_text()];
        let line = render::line(diagnostic, &["f"]);
        let is_worded = texts.iter().all(|text| !text.is_empty() && !text.ends_with('.'));
        let is_internal = diagnostic.code == pyrograph_compiler::diagnostic::Code::Internal;
        if !is_worded || line.contains('\n') || is_internal {
            return Err(format!("worded: {line}"));
        }
        if diagnostic.severity() == Severity::Error && !must_fail {
            return Err(format!("an error among warnings: {line}"));
        }
    }
    let json = render::json(diagnostics, &["f"]);
    let read: Result<serde_json::Value, _> = serde_json::from_str(&json);
    read.map_err(|error| format!("{error}: {json}"))?;
    render::text(diagnostics, &["f"], true);
    Ok(())
}
