//! A system whose pool is full.

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::Arc;

use pyrograph::compiler::ir::{Expr, Module, Profile, Valid, stored_columns};
use pyrograph::compiler::passes::Observe;
use pyrograph::compiler::{Options, compile};
use pyrograph::gpu::{Counters, GpuSystem, ReadState};
use serde_json::Value;

use crate::timer::Timer;
use crate::{ROUNDS, STEPS};

pub(crate) struct Workload {
    module: Arc<Valid<Module>>,
    system: GpuSystem,
}

impl Workload {
    /// The graph with another capacity, and births enough for it; started, and full.
    pub(crate) fn new(
        timer: &Timer,
        graph: &str,
        capacity: u32,
        lifetime: f64,
    ) -> Result<Self, Box<dyn Error>> {
        let graph = enlarged(graph, capacity, f64::from(capacity) / lifetime)?;
        let options = Options { observe: Observe::Render, ..Options::new(Profile::Parallel) };
        let module = Arc::new(compile(&graph, &options).map_err(|error| error.to_string())?.module);
        let mut system = GpuSystem::new(&timer.device, &timer.queue, &module, 0, 0)?;
        system.start();
        for _ in 0..20 {
            for _ in 0..STEPS {
                system.record(1.0)?;
            }
            system.submit()?;
        }
        let alive = system.counters()?.alive;
        if alive < capacity / 20 * 19 {
            return Err(format!("{alive} of {capacity} alive").into());
        }
        Ok(Self { module, system })
    }

    /// Seconds of a step.
    pub(crate) fn median_step(&mut self, timer: &Timer) -> Result<f64, Box<dyn Error>> {
        let round = timer.median(ROUNDS, |encoder| {
            for _ in 0..STEPS {
                self.system.record(1.0)?;
            }
            Ok(self.system.encode(encoder)?)
        })?;
        Ok(round / f64::from(STEPS))
    }

    pub(crate) fn system(&self) -> &GpuSystem {
        &self.system
    }

    pub(crate) fn read_back(&mut self) -> Result<ReadState, Box<dyn Error>> {
        Ok(self.system.read_back()?)
    }

    pub(crate) fn counters(&mut self) -> Result<Counters, Box<dyn Error>> {
        Ok(self.system.counters()?)
    }

    /// Bytes that the update of so many particles reads and writes, and their list.
    pub(crate) fn bytes(&self, alive: u32) -> u64 {
        let update = &self.module.programs[0].update;
        let loads: BTreeSet<_> = update
            .values
            .iter()
            .filter_map(|(_, value)| match value.expr {
                Expr::Load(column) => Some(column),
                _ => None,
            })
            .collect();
        let stores = stored_columns(&update.block);
        (loads.len() + stores.len() + 1) as u64 * 4 * u64::from(alive)
    }
}

fn enlarged(graph: &str, capacity: u32, rate: f64) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut graph: Value = serde_json::from_str(graph)?;
    let blocks = graph["blocks"].as_array_mut().ok_or("no blocks")?;
    for block in blocks.iter_mut().filter(|block| block["customType"] == "BABYLON.SystemBlock") {
        block["capacity"] = capacity.into();
        for input in block["inputs"].as_array_mut().into_iter().flatten() {
            if input["name"] == "emitRate" {
                input["value"] = rate.into();
            }
        }
    }
    Ok(graph.to_string().into_bytes())
}
