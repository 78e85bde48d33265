//! The JSON state form: what recorded references, the command and tests compare.
//!
//! `{"systems":[{"name":"…","alive":2,"particles":[{"id":0,"age":0.1,…}]}]}`, particles sorted by
//! id. Numbers are the shortest decimals of the f64 values, as JavaScript prints them; those that
//! JSON cannot hold are the strings "NaN", "Infinity", "-Infinity".

use std::fmt::{self, Display, Formatter, Write};

use crate::program::{Field, ParticleState};

/// Displays the state of systems, in the given order, as one line of JSON.
#[derive(Clone, Copy)]
pub struct Json<'a>(pub &'a [&'a dyn ParticleState]);

/// Keys of a particle in the order of the form, each with its components. Fields of one component
/// are numbers, others arrays.
const KEYS: [(&str, &[Field]); 10] = [
    ("id", &[Field::Id]),
    ("age", &[Field::Age]),
    ("lifeTime", &[Field::LifeTime]),
    ("position", &[Field::Position(0), Field::Position(1), Field::Position(2)]),
    ("direction", &[Field::Direction(0), Field::Direction(1), Field::Direction(2)]),
    ("color", &[Field::Color(0), Field::Color(1), Field::Color(2), Field::Color(3)]),
    ("size", &[Field::Size]),
    ("scale", &[Field::Scale(0), Field::Scale(1)]),
    ("angle", &[Field::Angle]),
    ("cellIndex", &[Field::CellIndex]),
];

impl Display for Json<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("{\"systems\":[")?;
        for (index, system) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_char(',')?;
            }
            write_system(f, *system)?;
        }
        f.write_str("]}")
    }
}

impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

fn write_system(f: &mut Formatter<'_>, system: &dyn ParticleState) -> fmt::Result {
    f.write_str("{\"name\":")?;
    write_string(f, system.name())?;
    write!(f, ",\"alive\":{},\"particles\":[", system.alive())?;
    let mut slots: Vec<u32> = (0..system.slots()).filter(|&slot| system.is_alive(slot)).collect();
    let id = |slot: u32| system.value(slot, Field::Id).unwrap_or(0.0);
    slots.sort_by(|&a, &b| id(a).total_cmp(&id(b)));
    for (index, &slot) in slots.iter().enumerate() {
        if index > 0 {
            f.write_char(',')?;
        }
        write_particle(f, system, slot)?;
    }
    f.write_str("]}")
}

/// Keys whose components the program does not keep are left out; a vector that is kept in part has
/// null for the rest.
fn write_particle(f: &mut Formatter<'_>, system: &dyn ParticleState, slot: u32) -> fmt::Result {
    f.write_char('{')?;
    let mut is_first = true;
    for (key, fields) in KEYS {
        let values = fields.iter().map(|&field| system.value(slot, field));
        if values.clone().all(|value| value.is_none()) {
            continue;
        }
        let separator = if is_first { "" } else { "," };
        is_first = false;
        write!(f, "{separator}\"{key}\":")?;
        let is_array = fields.len() > 1;
        for (index, value) in values.enumerate() {
            if is_array {
                f.write_char(if index > 0 { ',' } else { '[' })?;
            }
            match value {
                Some(value) => write_number(f, value)?,
                None => f.write_str("null")?,
            }
        }
        if is_array {
            f.write_char(']')?;
        }
    }
    f.write_char('}')
}

/// Writes a number as JavaScript does: no fraction for integers, an exponent from 1e21 up and
/// below 1e-6, no sign of zero.
fn write_number(f: &mut Formatter<'_>, value: f64) -> fmt::Result {
    let size = value.abs();
    if value.is_nan() {
        f.write_str("\"NaN\"")
    } else if value.is_infinite() {
        f.write_str(if value > 0.0 { "\"Infinity\"" } else { "\"-Infinity\"" })
    } else if value == 0.0 {
        f.write_char('0')
    } else if size >= 1e21 {
        f.write_str(&format!("{value:e}").replace('e', "e+"))
    } else if size < 1e-6 {
        write!(f, "{value:e}")
    } else {
        write!(f, "{value}")
    }
}

/// Writes a JSON string.
fn write_string(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            control if control < ' ' => write!(f, "\\u{:04x}", u32::from(control))?,
            other => f.write_char(other)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::Json;
    use crate::program::{Field, ParticleState, RenderFacts};

    /// Two particles, the younger one in slot 0.
    struct Two;

    impl ParticleState for Two {
        fn name(&self) -> &str {
            "a \"b\"\n"
        }
        fn capacity(&self) -> u32 {
            4
        }
        fn render(&self) -> RenderFacts {
            RenderFacts::default()
        }
        fn alive(&self) -> u32 {
            2
        }
        fn slots(&self) -> u32 {
            3
        }
        fn is_alive(&self, slot: u32) -> bool {
            slot != 1
        }
        fn value(&self, slot: u32, field: Field) -> Option<f64> {
            match field {
                Field::Id => Some(f64::from(10 - slot)),
                Field::Age => Some(f64::from(0.1f32)),
                Field::LifeTime => Some(if slot == 0 { f64::NAN } else { 1.5e300 }),
                Field::Scale(axis) => Some(if axis == 0 { -0.0 } else { 1e-7 }),
                _ => None,
            }
        }
    }

    #[test]
    fn prints_what_javascript_would() {
        let two = Two;
        assert_eq!(
            Json(&[&two]).to_string(),
            concat!(
                r#"{"systems":[{"name":"a \"b\"\n","alive":2,"particles":["#,
                r#"{"id":8,"age":0.10000000149011612,"lifeTime":1.5e+300,"scale":[0,1e-7]},"#,
                r#"{"id":10,"age":0.10000000149011612,"lifeTime":"NaN","scale":[0,1e-7]}]}]}"#,
            )
        );
    }
}
