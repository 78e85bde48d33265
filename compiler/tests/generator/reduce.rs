//! Makes a graph that fails smaller while it goes on failing: systems and updates go, inputs become
//! constants, and what nobody reads any more goes too.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::generator::Case;

/// Constants that inputs are given, by size: what stands where no wire is, and a value of each type.
const CONSTANTS: [(&str, &[f64]); 4] = [
    ("number", &[0.5]),
    ("BABYLON.Vector2", &[0.5, 0.25]),
    ("BABYLON.Vector3", &[0.5, 0.25, 0.75]),
    ("BABYLON.Color4", &[0.5, 0.25, 0.75, 1.0]),
];

/// The smallest case found that still fails; `fails` decides that, and says no where the graph is
/// none.
pub(crate) fn reduce(case: Case, mut fails: impl FnMut(&Case) -> bool) -> Case {
    let mut best = case;
    loop {
        let before = (best.graph.clone(), best.recording.clone());
        for step in [drop_keys, drop_systems, drop_updates, drop_wires] {
            // Each place is tried once; what is behind one that has gone is a place less.
            let mut place = 0;
            while let Some(smaller) = step(&best, place) {
                if smaller.iter().any(|smaller| try_one(&mut best, smaller, &mut fails)) {
                    continue;
                }
                place += 1;
            }
        }
        if (&best.graph, &best.recording) == (&before.0, &before.1) {
            return best;
        }
    }
}
