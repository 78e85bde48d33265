//! `pyrograph check`: says what is wrong or odd about graphs.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pyrograph_compiler::diagnostic::{Code, Diagnostics, Severity, render};
use pyrograph_compiler::{Options, explain};
use serde_json::{Value, json};

use crate::args::Profile;
use crate::failure::Failure;
use crate::input::{self, Graph, has_colors, shown};
use crate::{Outcome, output};

/// Say what is wrong or odd about graphs, or what a code means
///
/// Each graph is compiled as `build` does; nothing is written. Exits with 1 if any has an error.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pyrograph check graphs/*.json
  pyrograph check sparks.json --profile parallel --format json
  pyrograph check --explain G201")]
pub(crate) struct Check {
    /// Graph files as the node particle editor saves them; `-` reads standard input
    #[arg(required_unless_present = "explain", value_name = "GRAPH")]
    graphs: Vec<PathBuf>,

    /// Tell the long version of a code such as G201, instead of checking
    #[arg(long, value_name = "CODE", conflicts_with = "graphs", value_parser = code)]
    explain: Option<Code>,

    /// Which meaning the graphs have
    #[arg(long, value_enum, default_value_t = Profile::Exact)]
    profile: Profile,

    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading
    Text,
    /// One object, for editors and scripts
    Json,
}

fn code(text: &str) -> Result<Code, String> {
    Code::from_number(text).ok_or_else(|| {
        let known: Vec<&str> = Code::ALL.iter().map(|code| code.number()).collect();
        format!("no finding has this code; the codes are {}", known.join(", "))
    })
}

/// What was found out about one graph.
struct Checked {
    name: String,
    findings: Diagnostics,
    /// Systems and blocks, where the graph could be compiled.
    size: Option<(usize, usize)>,
}

impl Check {
    /// Runs the subcommand.
    pub(crate) fn run(&self) -> Outcome {
        if let Some(code) = self.explain {
            return output::print(&long_version(code));
        }
        input::check_paths(&self.graphs, None)?;
        let checked: Vec<Result<Checked, Failure>> =
            self.graphs.iter().map(|path| Ok(self.check(&Graph::read(path)?))).collect();
        let mut found = Vec::new();
        let mut unreadable = String::new();
        for checked in checked {
            match checked {
                Ok(checked) => found.push(checked),
                Err(Failure::Input(text)) => unreadable.push_str(&text),
                Err(other) => return Err(other),
            }
        }
        let text = match self.format {
            Format::Text => self.text(&found),
            Format::Json => format!("{:#}\n", self.json(&found)),
        };
        output::print(&text)?;
        if !unreadable.is_empty() {
            return Err(Failure::Input(unreadable));
        }
        let has_errors = found.iter().any(|checked| checked.findings.has_errors());
        if has_errors { Err(Failure::Told) } else { Ok(()) }
    }

    fn check(&self, graph: &Graph) -> Checked {
        let name = graph.name.clone();
        match explain::explain(&graph.bytes, &Options::new(self.profile.into())) {
            Ok(explanation) => Checked {
                name,
                size: Some((explanation.systems.len(), explanation.block_count)),
                findings: explanation.warnings,
            },
            Err(findings) => Checked { name, findings, size: None },
        }
    }

    fn text(&self, found: &[Checked]) -> String {
        let colors = has_colors(&io::stdout());
        let mut text = String::new();
        for Checked { name, findings, size } in found {
            if !findings.is_empty() {
                text.push_str(&render::text(findings, &[name], colors));
                text.push('\n');
            }
            let counts = [
                counted(findings.error_count(), "error"),
                counted(findings.warning_count(), "warning"),
            ];
            let counts: Vec<String> = counts.into_iter().flatten().collect();
            let verdict = if counts.is_empty() { "fine".into() } else { counts.join(", ") };
            let what = size.map_or_else(String::new, |(systems, blocks)| {
                let systems = counted(systems, "system").unwrap_or_default();
                let blocks = counted(blocks, "block").unwrap_or_default();
                format!("; checked {systems}, {blocks}, profile {}", self.profile_name())
            });
            text.push_str(&format!("{}: {verdict}{what}\n", shown(name)));
        }
        text
    }

    /// The object of [`render::json`] for all files together, with `checked` beside it.
    fn json(&self, found: &[Checked]) -> Value {
        let (mut names, mut diagnostics, mut checked) = (Vec::new(), Vec::new(), Vec::new());
        let (mut errors, mut warnings) = (0, 0);
        for (file, Checked { name, findings, size }) in found.iter().enumerate() {
            let text = render::json(findings, &[name]);
            let mut object: Value = serde_json::from_str(&text).unwrap_or_default();
            if let Value::Array(found) = object["diagnostics"].take() {
                diagnostics.extend(found.into_iter().map(|finding| in_file(finding, file)));
            }
            names.push(name);
            errors += findings.error_count();
            warnings += findings.warning_count();
            let (systems, blocks) = size.unzip();
            let profile = self.profile_name();
            checked.push(json!({
                "file": file, "profile": profile, "systems": systems, "blocks": blocks,
            }));
        }
        json!({
            "files": names,
            "errors": errors,
            "warnings": warnings,
            "diagnostics": diagnostics,
            "checked": checked,
        })
    }

    fn profile_name(&self) -> &'static str {
        pyrograph_compiler::ir::Profile::from(self.profile).name()
    }
}

/// Says in the places of a finding which of several files they are in.
fn in_file(mut finding: Value, file: usize) -> Value {
    let set = |place: Option<&mut Value>| {
        if let Some(Value::Object(place)) = place {
            place.insert("file".into(), file.into());
        }
    };
    set(finding.get_mut("place"));
    if let Some(Value::Array(notes)) = finding.get_mut("notes") {
        notes.iter_mut().for_each(|note| set(note.get_mut("place")));
    }
    finding
}

/// `2 errors`; nothing for none.
fn counted(count: usize, noun: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {noun}")),
        many => Some(format!("{many} {noun}s")),
    }
}

fn long_version(code: Code) -> String {
    let severity = match code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let (summary, help) = (code.summary(), code.help());
    format!("{severity}[{code}]: {summary}\n\n{}\nhelp: {help}\n", code.explanation())
}
