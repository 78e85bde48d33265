//! Particle states as a table for people.

use std::fmt::Write;

use pyrograph::{Field, ParticleState};

use crate::input::shown;
use crate::report::living;

/// Columns of the table: heading, field.
const COLUMNS: [(&str, Field); 14] = [
    ("age", Field::Age),
    ("life", Field::LifeTime),
    ("x", Field::Position(0)),
    ("y", Field::Position(1)),
    ("z", Field::Position(2)),
    ("dx", Field::Direction(0)),
    ("dy", Field::Direction(1)),
    ("dz", Field::Direction(2)),
    ("r", Field::Color(0)),
    ("g", Field::Color(1)),
    ("b", Field::Color(2)),
    ("a", Field::Color(3)),
    ("size", Field::Size),
    ("angle", Field::Angle),
];

/// One table a system, particles in the order of their ids.
pub(crate) fn render(systems: &[&dyn ParticleState]) -> String {
    let mut text = String::new();
    for (index, system) in systems.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let name = if system.name().is_empty() { "(no name)" } else { system.name() };
        // Names come from files of strangers: nothing in them may steer the terminal.
        let name = shown(name);
        let _ = writeln!(text, "{name}: {} of {} alive", system.alive(), system.capacity());
        let slots = living(*system);
        if slots.is_empty() {
            continue;
        }
        let has_cells = slots.iter().any(|&slot| system.value(slot, Field::CellIndex).is_some());
        let _ = write!(text, "{:>6}", "id");
        for (heading, _) in COLUMNS {
            let _ = write!(text, " {heading:>8}");
        }
        text.push_str(if has_cells { "  cell\n" } else { "\n" });
        for slot in slots {
            let id = system.value(slot, Field::Id).unwrap_or(0.0);
            let _ = write!(text, "{id:>6}");
            for (_, field) in COLUMNS {
                let value = system.value(slot, field).unwrap_or(f64::NAN);
                let _ = write!(text, " {:>8}", number(value));
            }
            if let Some(cell) = system.value(slot, Field::CellIndex) {
                let _ = write!(text, " {cell:>5}");
            }
            text.push('\n');
        }
    }
    text
}

/// Three decimals where they fit into eight characters.
fn number(value: f64) -> String {
    if value == 0.0 || (value.abs() >= 5e-4 && value.abs() < 1000.0) {
        format!("{value:.3}")
    } else {
        format!("{value:.1e}")
    }
}
