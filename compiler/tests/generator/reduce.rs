//! Makes a case that fails smaller while it goes on failing: systems and blocks go, inputs become
//! constants, and with them everything that nobody reads any more.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::generator::Case;

/// What a wire is replaced by, for any type that the input may have.
const CONSTANTS: [(&str, &[f64]); 4] = [
    ("number", &[0.5]),
    ("BABYLON.Vector2", &[0.5, 0.25]),
    ("BABYLON.Vector3", &[0.5, 0.25, 0.75]),
    ("BABYLON.Color4", &[0.5, 0.25, 0.75, 1.0]),
];

/// A smaller case that still fails, of which no part can go. `fails` says no of what is no valid
/// graph.
pub(crate) fn reduce(mut case: Case, mut fails: impl FnMut(&Case) -> bool) -> Case {
    loop {
        let mut has_shrunk = false;
        for ways in [systems, inputs, recordings] {
            let mut place = 0;
            while let Some(smaller) = ways(&case, place) {
                let before = size(&case);
                match smaller.into_iter().find(|smaller| size(smaller) < before && fails(smaller)) {
                    // Another place has come here.
                    Some(smaller) => {
                        case = smaller;
                        has_shrunk = true;
                    }
                    None => place += 1,
                }
            }
        }
        if !has_shrunk {
            return case;
        }
    }
}

/// Blocks, wires, and keys of the recording: what each step must make fewer.
fn size(case: &Case) -> (usize, usize, usize, u64) {
    let wires = blocks(&case.graph).iter().flat_map(wired).count();
    let recording = case.recording.as_object().map_or(0, |recording| recording.len());
    let steps = case.recording["steps"].as_u64().unwrap_or(0);
    (blocks(&case.graph).len(), wires, recording, steps)
}

/// The case without one of several systems; `None` behind the last.
fn systems(case: &Case, place: usize) -> Option<Vec<Case>> {
    let is_system = |block: &&Value| block["customType"] == "BABYLON.SystemBlock";
    let roots: Vec<&Value> = blocks(&case.graph).iter().filter(is_system).collect();
    let gone = roots.get(place).filter(|_| roots.len() > 1)?["id"].clone();
    Some(vec![changed(case, |blocks| blocks.retain(|block| block["id"] != gone))])
}

/// The case without the wire of one input: as if there had never been one, with a constant, or with
/// a wire of the block that it comes from in its place.
fn inputs(case: &Case, place: usize) -> Option<Vec<Case>> {
    let all = blocks(&case.graph).iter().enumerate();
    let mut wires = all.flat_map(|(block, value)| wired(value).map(move |input| (block, input)));
    let (block, input) = wires.nth(place)?;
    let old = &blocks(&case.graph)[block]["inputs"][input];
    let with = |mut new: Value| {
        new["name"] = old["name"].clone();
        changed(case, |blocks| blocks[block]["inputs"][input] = new)
    };
    let constants = CONSTANTS.iter().map(|&(tag, numbers)| {
        let value = if let [number] = numbers { json!(number) } else { json!(numbers) };
        json!({"valueType": tag, "value": value})
    });
    let before = blocks(&case.graph).iter().find(|block| block["id"] == old["targetBlockId"]);
    let wires = before
        .into_iter()
        .flat_map(|block| wired(block).map(|input| block["inputs"][input].clone()));
    Some(std::iter::once(json!({})).chain(constants).chain(wires).map(with).collect())
}

/// The case with a simpler run: without one of the things that a host does, or half as long.
fn recordings(case: &Case, place: usize) -> Option<Vec<Case>> {
    let keys: Vec<&String> = case.recording.as_object()?.keys().collect();
    let key = *keys.get(place)?;
    let mut recording = case.recording.clone();
    if key == "steps" {
        recording[key] = json!(recording[key].as_u64()? / 2);
    } else {
        recording.as_object_mut()?.remove(key);
    }
    Some(vec![Case { graph: case.graph.clone(), recording }])
}

/// The case with other blocks, and without those that no system reads then.
fn changed(case: &Case, change: impl FnOnce(&mut Vec<Value>)) -> Case {
    let mut graph = case.graph.clone();
    if let Some(blocks) = graph["blocks"].as_array_mut() {
        change(blocks);
        let reached = reached(blocks);
        blocks.retain(|block| block["id"].as_u64().is_some_and(|id| reached.contains(&id)));
    }
    Case { graph, recording: case.recording.clone() }
}

/// Ids of what systems read, teleports included.
fn reached(blocks: &[Value]) -> BTreeSet<u64> {
    let is_system = |block: &&Value| block["customType"] == "BABYLON.SystemBlock";
    let mut open: Vec<u64> =
        blocks.iter().filter(is_system).filter_map(|block| block["id"].as_u64()).collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        if reached.insert(id)
            && let Some(block) = blocks.iter().find(|block| block["id"] == id)
        {
            let wires = wired(block).map(|input| &block["inputs"][input]["targetBlockId"]);
            open.extend(wires.chain([&block["entryPoint"]]).filter_map(Value::as_u64));
        }
    }
    reached
}

/// Numbers of the inputs that have a wire.
fn wired(block: &Value) -> impl Iterator<Item = usize> {
    let inputs = block["inputs"].as_array().map_or(&[][..], Vec::as_slice);
    let wires = inputs.iter().enumerate().filter(|(_, input)| input["targetBlockId"].is_number());
    wires.map(|(index, _)| index)
}

fn blocks(graph: &Value) -> &[Value] {
    graph["blocks"].as_array().map_or(&[], Vec::as_slice)
}
