//! The text of an [`Explanation`].

use std::fmt::{self, Display, Formatter};

use super::{BlockWork, Explanation, Reason, System, Work};
use crate::diagnostic::BlockName;
use crate::graph::js;

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let used = self.block_count.saturating_sub(self.dropped.len());
        let blocks = plural(self.block_count, "block");
        let systems = plural(self.systems.len(), "system");
        writeln!(f, "{blocks}, {used} used by {systems}")?;
        for (block, why) in &self.dropped {
            let why = match why {
                Reason::Plumbing => "plumbing: its wires are direct now",
                Reason::Unreached => "no system reaches it",
            };
            writeln!(f, "  dropped: {} ({why})", name(block))?;
        }
        self.systems.iter().try_for_each(|system| write!(f, "\n{system}"))
    }
}

impl Display for System {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, profile, capacity, .. } = self;
        writeln!(f, "system {name:?}, {}, capacity {capacity}", profile.name())?;
        self.write_columns(f)?;
        self.write_bodies(f)?;
        self.write_blocks(f)
    }
}

impl System {
    fn write_columns(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes_per_particle();
        let stored = self.columns.iter().filter(|column| column.constant.is_none());
        let total = bytes as u64 * u64::from(self.capacity);
        writeln!(
            f,
            "\n  a particle is {} in {}; all slots take {}",
            plural(bytes, "byte"),
            plural(stored.clone().count(), "column"),
            size(total)
        )?;
        for column in stored {
            let seen = if column.field.is_some() { "" } else { ", seen by the graph only" };
            let (name, storage) = (&column.name, column.storage.name());
            writeln!(f, "    {name:<24} {storage}{seen}")?;
        }
        for column in &self.columns {
            if let Some(constant) = column.constant {
                writeln!(f, "    {:<24} always {constant}, not stored", column.name)?;
            }
        }
        if !self.removed_columns.is_empty() {
            writeln!(f, "    removed: {}", self.removed_columns.join(", "))?;
        }
        Ok(())
    }

    fn write_bodies(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n  {:<18} {:>12} {:>12} {:>12} {:>12}",
            "work of one run", "operations", "draws", "loads", "stores"
        )?;
        for Work { kind, lowered, optimized } in &self.bodies {
            let rows = [("lowered", Some(lowered)), ("optimized", optimized.as_ref())];
            for (stage, cost) in rows {
                let name = format!("{} {stage}", kind.name());
                match cost {
                    Some(cost) => writeln!(
                        f,
                        "  {name:<18} {:>12} {:>12} {:>12} {:>12}",
                        cost.operations, cost.draws, cost.loads, cost.stores
                    )?,
                    None => writeln!(f, "  {name:<18} {:>12}", "nothing left")?,
                }
            }
        }
        Ok(())
    }

    fn write_blocks(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n  statements by block, lowered and optimized")?;
        let (active, silent): (Vec<_>, Vec<_>) =
            self.blocks.iter().partition(|block| block.lowered > 0);
        for BlockWork { block, lowered, optimized } in active {
            let folded = if *optimized == 0 { ", folded away" } else { "" };
            writeln!(f, "  {lowered:>6} {optimized:>6}  {}{folded}", name(block))?;
        }
        if !silent.is_empty() {
            let blocks = plural(silent.len(), "block");
            writeln!(f, "  {:>6} {:>6}  {blocks} more: constants, and what only passes on", 0, 0)?;
        }
        Ok(())
    }
}

fn name(block: &BlockName) -> String {
    let id = js::number_to_string(block.id);
    format!("block {id} {:?} {}", block.name, block.class.escape_debug())
}

fn plural(count: usize, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{s}")
}

/// A number of bytes as people say it.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return plural(bytes as usize, "byte");
    }
    let mut size = bytes as f64 / 1024.0;
    let mut units = UNITS.iter();
    let mut unit = units.next();
    while size >= 1024.0
        && let Some(next) = units.next()
    {
        size /= 1024.0;
        unit = Some(next);
    }
    format!("{size:.1} {}", unit.unwrap_or(&"bytes"))
}
