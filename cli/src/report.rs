//! Prints what a simulation has come to, once or every few steps.

use std::io::{self, IsTerminal};
use std::path::Path;

use clap::ValueEnum;
use pyrograph::{Field, ParticleState, state};

use crate::failure::Failure;
use crate::output::Sink;
use crate::{csv, table};

/// How particles are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One object with every number in full; with `--every` one a line
    Json,
    /// Columns for reading
    Table,
    /// One line a particle, for spreadsheets
    Csv,
}

/// Where particles are printed.
#[derive(Debug)]
pub(crate) struct Report {
    sink: Sink,
    format: Format,
    /// Whether more than one state is printed, each with its step.
    is_series: bool,
    is_empty: bool,
}

impl Report {
    /// Opens the output; without a format a table on a terminal, JSON elsewhere.
    pub(crate) fn open(
        path: Option<&Path>,
        format: Option<Format>,
        is_series: bool,
    ) -> Result<Self, Failure> {
        let default = if is_terminal(path) { Format::Table } else { Format::Json };
        let format = format.unwrap_or(default);
        Ok(Self { sink: Sink::open(path)?, format, is_series, is_empty: true })
    }

    /// Prints the state after so many steps.
    pub(crate) fn state(
        &mut self,
        steps: u64,
        systems: &[&dyn ParticleState],
    ) -> Result<(), Failure> {
        let text = match self.format {
            Format::Json => {
                let text = state::Json(systems).to_string();
                match text.strip_prefix('{') {
                    Some(rest) if self.is_series => format!("{{\"step\":{steps},{rest}\n"),
                    Some(_) | None => format!("{text}\n"),
                }
            }
            Format::Table if self.is_series => {
                let line = if self.is_empty { "" } else { "\n" };
                format!("{line}step {steps}\n{}", table::render(systems))
            }
            Format::Table => table::render(systems),
            Format::Csv if self.is_empty => csv::header() + &csv::rows(steps, systems),
            Format::Csv => csv::rows(steps, systems),
        };
        self.is_empty = false;
        self.sink.write(&text)?;
        self.sink.flush()
    }

    /// Ends the output.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        if self.is_empty && self.format == Format::Csv {
            self.sink.write(&csv::header())?;
        }
        self.sink.finish()
    }
}

/// Whether output to this path is read on a terminal as it comes.
pub(crate) fn is_terminal(path: Option<&Path>) -> bool {
    path.is_none() && io::stdout().is_terminal()
}

/// Slots of the living particles by id.
pub(crate) fn living(system: &dyn ParticleState) -> Vec<u32> {
    let mut slots: Vec<u32> = (0..system.slots()).filter(|&slot| system.is_alive(slot)).collect();
    let id = |slot: u32| system.value(slot, Field::Id).unwrap_or(0.0);
    slots.sort_by(|&a, &b| id(a).total_cmp(&id(b)));
    slots
}
