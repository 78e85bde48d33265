//! Where the emitter is in each step.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use crate::failure::Failure;
use crate::input;
use crate::numbers::{Matrix, Vector};

/// The flags that place the emitter; at most one of them.
#[derive(Clone, Debug, Args)]
#[group(multiple = false)]
pub(crate) struct Motion {
    /// Where the emitter is [default: 0,0,0]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    emitter: Option<Vector>,

    /// World matrix of the emitter: 16 numbers as Babylon stores them (12 to 14 translate)
    #[arg(long, value_name = "NUMBERS", allow_hyphen_values = true)]
    emitter_matrix: Option<Matrix>,

    /// World matrices of a moving emitter: JSON with an array `emitterSchedule`
    ///
    /// Entry k, 16 numbers as Babylon stores them, holds in step k, counted from 0. The first one
    /// is also where the systems start; the last one repeats.
    #[arg(long, value_name = "FILE")]
    emitter_schedule: Option<PathBuf>,
}

/// The emitter's matrices, one a step.
#[derive(Clone, Debug)]
pub(crate) struct Poses(Vec<[f64; 16]>);

impl Motion {
    /// The file that is read, if any.
    pub(crate) fn schedule(&self) -> Option<&Path> {
        self.emitter_schedule.as_deref()
    }

    /// Reads what the flags name.
    pub(crate) fn poses(&self) -> Result<Poses, Failure> {
        if let Some(path) = &self.emitter_schedule {
            return read(path);
        }
        let place = self.emitter.map(Matrix::translation);
        Ok(Poses(place.or(self.emitter_matrix).map(|Matrix(matrix)| matrix).into_iter().collect()))
    }
}

impl Poses {
    /// The matrix of a step, counted from 0; `None` where the emitter has not been placed.
    pub(crate) fn at(&self, step: u64) -> Option<[f64; 16]> {
        let entry = usize::try_from(step).ok().and_then(|step| self.0.get(step));
        entry.or(self.0.last()).copied()
    }
}

fn read(path: &Path) -> Result<Poses, Failure> {
    let bytes = input::bytes(path)?;
    let wrong = |reason: String| Failure::reading(path, reason);
    let file: Value = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    let Some(entries) = file.get("emitterSchedule").and_then(Value::as_array) else {
        return Err(wrong("it has no array `emitterSchedule`".into()));
    };
    if entries.is_empty() {
        return Err(wrong("`emitterSchedule` has no entry".into()));
    }
    let matrix = |(index, entry): (usize, &Value)| {
        let numbers = entry.as_array().map_or(&[][..], Vec::as_slice);
        let numbers: Option<Vec<f64>> = numbers.iter().map(Value::as_f64).collect();
        numbers
            .and_then(|numbers| <[f64; 16]>::try_from(numbers).ok())
            .ok_or_else(|| wrong(format!("entry {index} of `emitterSchedule` is not 16 numbers")))
    };
    entries.iter().enumerate().map(matrix).collect::<Result<_, _>>().map(Poses)
}
