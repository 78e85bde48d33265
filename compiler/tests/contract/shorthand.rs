//! Writes small graphs in few words and runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyrograph_compiler::interpret::Instance;
use pyrograph_compiler::ir::{Const, Field, Module, Profile, Program, Valid, validate};
use pyrograph_compiler::passes::{self, Observe};
use pyrograph_compiler::{lower_file, read_file};
use serde_json::{Value, json};

use crate::driver::System;

/// A file from shorthand, a block a line: its id, its class, its fields as JSON without blanks, and
/// its inputs. `name<7` is a wire from `output` of block 7, `name<7/xy` one from its output `xy`;
/// `name=1.5` and `name=[1,2,3]` are literals, `name=` has neither.
pub(crate) fn file(text: &str) -> Vec<u8> {
    let blocks: Vec<Value> = text.trim().lines().map(block).collect();
    json!({ "blocks": blocks }).to_string().into_bytes()
}

fn block(line: &str) -> Value {
    let mut words = line.split_whitespace();
    let id: Value = serde_json::from_str(words.next().unwrap()).unwrap();
    let mut block = json!({"id": id, "customType": format!("BABYLON.{}", words.next().unwrap())});
    let mut inputs = Vec::new();
    for word in words {
        if word.starts_with('{') {
            let fields: Value = serde_json::from_str(word).unwrap();
            block.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        } else {
            inputs.push(input(word));
        }
    }
    block["inputs"] = inputs.into();
    block
}

fn input(word: &str) -> Value {
    if let Some((name, target)) = word.split_once('<') {
        let (target, output) = target.split_once('/').unwrap_or((target, "output"));
        let target: Value = serde_json::from_str(target).unwrap();
        return json!({"name": name, "targetBlockId": target, "targetConnectionName": output});
    }
    let (name, value) = word.split_once('=').unwrap();
    if value.is_empty() {
        return json!({ "name": name });
    }
    let value: Value = serde_json::from_str(value).unwrap();
    let ty = match value.as_array().map(Vec::len) {
        Some(2) => "BABYLON.Vector2",
        Some(3) => "BABYLON.Vector3",
        Some(4) => "BABYLON.Color4",
        _ => "number",
    };
    json!({"name": name, "value": value, "valueType": ty})
}

/// The module as lowering leaves it.
pub(crate) fn lowered(text: &str, profile: Profile) -> Module {
    lower_file(&file(text), profile).unwrap_or_else(|found| panic!("{found}")).0
}

/// The first program.
pub(crate) fn program(text: &str) -> Program {
    lowered(text, Profile::Exact).programs.swap_remove(0)
}

/// Messages of a file that is refused.
pub(crate) fn refused(text: &str) -> String {
    read_file(&file(text)).unwrap_err().to_string()
}

/// Draw number `n`, counted from 0: exact in every storage.
pub(crate) fn draw(n: usize) -> f64 {
    ((n + 1) as f64 / 1024.0).fract()
}

/// One system that runs, and how many numbers it has drawn.
pub(crate) struct Run {
    pub(crate) system: System,
    pub(crate) draws: usize,
}

impl Run {
    /// The first system of a file, started.
    pub(crate) fn new(text: &str) -> Self {
        Self::of(validate(lowered(text, Profile::Exact)).unwrap())
    }

    /// The same after the passes.
    pub(crate) fn optimized(text: &str) -> Self {
        let options = passes::Options { observe: Observe::State };
        Self::of(passes::run(lowered(text, Profile::Exact), &options).unwrap())
    }

    pub(crate) fn of(module: Valid<Module>) -> Self {
        let instance = Instance::new(Arc::new(module), 0).unwrap();
        let mut run = Self { system: System::new(instance), draws: 0 };
        run.start();
        run
    }

    pub(crate) fn start(&mut self) {
        let draws = &mut self.draws;
        self.system
            .start(&mut || {
                *draws += 1;
                draw(*draws - 1)
            })
            .unwrap();
    }

    /// One call of this ratio.
    pub(crate) fn try_step(&mut self, ratio: f64) -> Result<(), String> {
        let draws = &mut self.draws;
        self.system.animate(ratio, &mut || {
            *draws += 1;
            draw(*draws - 1)
        })
    }

    pub(crate) fn step(&mut self, ratio: f64) -> &mut Self {
        self.try_step(ratio).unwrap();
        self
    }

    /// Calls of ratio 1.
    pub(crate) fn steps(&mut self, count: usize) -> &mut Self {
        for _ in 0..count {
            self.step(1.0);
        }
        self
    }

    /// A field of all particles, by slot.
    pub(crate) fn values(&self, field: Field) -> Vec<f64> {
        let instance = &self.system.instance;
        (0..instance.slots()).map(|slot| instance.value(slot, field).unwrap()).collect()
    }

    /// A field of the particle in slot 0; 0 where nothing ever writes the field.
    pub(crate) fn value(&self, field: Field) -> f64 {
        assert!(self.system.instance.is_alive(0));
        self.system.instance.value(0, field).unwrap_or(0.0)
    }

    /// Three components of the particle in slot 0.
    pub(crate) fn vector(&self, field: fn(u8) -> Field) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.value(field(axis)))
    }

    /// Four components of the particle in slot 0.
    pub(crate) fn color(&self) -> [f64; 4] {
        [0, 1, 2, 3].map(|channel| self.value(Field::Color(channel)))
    }

    /// A column of the particle in slot 0, by name.
    pub(crate) fn column(&self, name: &str) -> f64 {
        let instance = &self.system.instance;
        let mut columns = instance.program().columns.iter();
        let (handle, _) = columns.find(|(_, column)| column.name == name).unwrap();
        match instance.column(0, handle).unwrap() {
            Const::Float(value) => value,
            Const::Uint(value) => f64::from(value),
            Const::Bool(_) => panic!("{name} is no number"),
        }
    }

    pub(crate) fn alive(&self) -> usize {
        self.system.instance.alive()
    }
}

/// `value` as the columns of most fields keep it.
pub(crate) fn f32(value: f64) -> f64 {
    f64::from(value as f32)
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All files below a folder of the repository, sorted.
pub(crate) fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}
