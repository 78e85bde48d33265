//! Particle states as comma-separated values: one line a particle, the same columns always.

use std::fmt::Write;

use pyrograph::{Field, ParticleState};
use pyrograph_compiler::graph::js;

use crate::report::living;

/// Headings behind step, system and name.
const COLUMNS: [(&str, Field); 18] = [
    ("id", Field::Id),
    ("age", Field::Age),
    ("lifeTime", Field::LifeTime),
    ("position.x", Field::Position(0)),
    ("position.y", Field::Position(1)),
    ("position.z", Field::Position(2)),
    ("direction.x", Field::Direction(0)),
    ("direction.y", Field::Direction(1)),
    ("direction.z", Field::Direction(2)),
    ("color.r", Field::Color(0)),
    ("color.g", Field::Color(1)),
    ("color.b", Field::Color(2)),
    ("color.a", Field::Color(3)),
    ("size", Field::Size),
    ("scale.x", Field::Scale(0)),
    ("scale.y", Field::Scale(1)),
    ("angle", Field::Angle),
    ("cellIndex", Field::CellIndex),
];

/// The first line.
pub(crate) fn header() -> String {
    let columns: Vec<&str> = COLUMNS.iter().map(|(heading, _)| *heading).collect();
    format!("step,system,name,{}\n", columns.join(","))
}

/// Lines of all particles after so many steps, those of a system by id. Fields that a system does
/// not keep are empty.
pub(crate) fn rows(step: u64, systems: &[&dyn ParticleState]) -> String {
    let mut text = String::new();
    for (index, system) in systems.iter().enumerate() {
        let name = quoted(system.name());
        for slot in living(*system) {
            let _ = write!(text, "{step},{index},{name}");
            for (_, field) in COLUMNS {
                text.push(',');
                if let Some(value) = system.value(slot, field) {
                    text.push_str(&js::number_to_string(value));
                }
            }
            text.push('\n');
        }
    }
    text
}

/// A field as RFC 4180 wants it.
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{header, quoted};

    #[test]
    fn quotes_what_has_to_be() {
        assert_eq!(quoted("a b"), "a b");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert!(header().starts_with("step,system,name,id,age,lifeTime,position.x,"));
    }
}
