//! Compares systems with a recorded state; the error names the first field that differs.

use pyrograph_compiler::ir::Field;
use serde_json::Value;

use crate::driver::System;

const FIELDS: [(&str, &[Field]); 8] = [
    ("age", &[Field::Age]),
    ("lifeTime", &[Field::LifeTime]),
    ("position", &[Field::Position(0), Field::Position(1), Field::Position(2)]),
    ("direction", &[Field::Direction(0), Field::Direction(1), Field::Direction(2)]),
    ("color", &[Field::Color(0), Field::Color(1), Field::Color(2), Field::Color(3)]),
    ("size", &[Field::Size]),
    ("scale", &[Field::Scale(0), Field::Scale(1)]),
    ("angle", &[Field::Angle]),
];

pub(crate) fn systems(systems: &[System], recorded: &Value, tolerance: f64) -> Result<(), String> {
    let recorded = recorded["systems"].as_array().expect("systems");
    if recorded.len() != systems.len() {
        return Err(format!("{} systems, recorded {}", systems.len(), recorded.len()));
    }
    for (index, (system, recorded)) in systems.iter().zip(recorded).enumerate() {
        particles(system, recorded, tolerance)
            .map_err(|problem| format!("system {index}, {problem}"))?;
    }
    Ok(())
}

fn particles(system: &System, recorded: &Value, tolerance: f64) -> Result<(), String> {
    let instance = &system.instance;
    let mut slots: Vec<(f64, usize)> = (0..instance.slots())
        .filter_map(|slot| Some((instance.value(slot, Field::Id)?, slot)))
        .collect();
    slots.sort_by(|a, b| a.0.total_cmp(&b.0));
    let recorded = recorded["particles"].as_array().expect("particles");
    let ids: Vec<f64> = slots.iter().map(|(id, _)| *id).collect();
    let recorded_ids: Vec<f64> = recorded.iter().map(|particle| number(&particle["id"])).collect();
    if ids != recorded_ids {
        return Err(format!("ids {ids:?}, recorded {recorded_ids:?}"));
    }
    for ((id, slot), recorded) in slots.into_iter().zip(recorded) {
        for (name, fields) in FIELDS {
            let values: Vec<f64> = match &recorded[name] {
                Value::Array(values) => values.iter().map(number).collect(),
                value => vec![number(value)],
            };
            for (axis, (&field, recorded)) in fields.iter().zip(values).enumerate() {
                let found = instance.value(slot, field).unwrap_or(0.0);
                if !agree(found, recorded, tolerance) {
                    return Err(format!("id {id}, {name}[{axis}]: {found}, recorded {recorded}"));
                }
            }
        }
        if let Some(cell) = recorded.get("cellIndex") {
            let found = instance.value(slot, Field::CellIndex);
            if found != Some(number(cell)) {
                return Err(format!("id {id}, cellIndex: {found:?}, recorded {cell}"));
            }
        }
    }
    Ok(())
}

fn agree(found: f64, recorded: f64, tolerance: f64) -> bool {
    found == recorded
        || (found.is_nan() && recorded.is_nan())
        || (found - recorded).abs() <= tolerance * recorded.abs().max(1.0)
}

fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.replace("Infinity", "inf").parse().expect("a number"),
        value => value.as_f64().expect("a number"),
    }
}
