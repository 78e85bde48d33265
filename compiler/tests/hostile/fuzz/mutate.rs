//! One change of a graph: of its structure, so that it often still is a graph, or of its bytes.

use super::json::Json;
use super::random::Random;
use super::seeds::Seeds;

/// Numbers that go wrong in one way or another, and what is none.
const SCALARS: [&str; 44] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "10",
    "100",
    "0.5",
    "-0.5",
    "1.5",
    "0.1",
    "1e-400",
    "5e-324",
    "1e-10",
    "1e16",
    "1e39",
    "-1e39",
    "1e300",
    "1e400",
    "-1e400",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9007199254740992",
    "9007199254740993",
    "1.7976931348623157e308",
    "null",
    "true",
    "false",
    "\"NaN\"",
    "\"1\"",
    "\"\"",
    "[]",
    "{}",
    "[1,2,3]",
    "[null,1e39,\"x\",-0]",
];

/// Numbers that fields of blocks use.
const FIELDS: [&str; 10] = [
    "operation",
    "test",
    "lockMode",
    "contextualValue",
    "systemSource",
    "scope",
    "entryPoint",
    "type",
    "reference",
    "epsilon",
];

/// Contextual sources.
const SOURCES: [u32; 21] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 32];

const OUTPUTS: [&str; 10] =
    ["output", "color", "xyz", "xy", "zw", "x", "w", "texture", "particle", " "];

const VALUE_TYPES: [(&str, usize); 4] =
    [("number", 0), ("BABYLON.Vector2", 2), ("BABYLON.Vector3", 3), ("BABYLON.Color4", 4)];

/// Values with their inputs, to be put into wires.
const VALUES: [(&str, &[&str]); 22] = [
    ("ParticleInputBlock", &[]),
    ("ParticleInputBlock", &[]),
    ("ParticleRandomBlock", &["min", "max"]),
    ("ParticleMathBlock", &["left", "right"]),
    ("ParticleNumberMathBlock", &["left", "right"]),
    ("ParticleVectorMathBlock", &["left", "right"]),
    ("ParticleTrigonometryBlock", &["input"]),
    ("ParticleLerpBlock", &["left", "right", "gradient"]),
    ("ParticleNLerpBlock", &["left", "right", "gradient"]),
    ("ParticleConverterBlock", &["color", "xyz", "xy", "zw", "x", "y", "z", "w"]),
    ("ParticleGradientBlock", &["gradient", "value0", "value1", "value2"]),
    ("ParticleGradientValueBlock", &["value"]),
    ("ParticleConditionBlock", &["left", "right", "ifTrue", "ifFalse"]),
    ("ParticleFloatToIntBlock", &["input"]),
    ("ParticleVectorLengthBlock", &["input"]),
    ("ParticleLocalVariableBlock", &["input"]),
    ("ParticleClampBlock", &["value", "min", "max"]),
    ("ParticleStepBlock", &["value", "edge"]),
    ("ParticleSmoothStepBlock", &["value", "edge0", "edge1"]),
    ("ParticleElbowBlock", &["input"]),
    ("ParticleDebugBlock", &["input"]),
    ("ParticleTeleportInBlock", &["input"]),
];

/// Blocks of the particle flow with an input of theirs.
const FLOWS: [(&str, &str); 26] = [
    ("UpdatePositionBlock", "position"),
    ("UpdateColorBlock", "color"),
    ("UpdateDirectionBlock", "direction"),
    ("UpdateAngleBlock", "angle"),
    ("UpdateSizeBlock", "size"),
    ("UpdateAgeBlock", "age"),
    ("UpdateScaleBlock", "scale"),
    ("UpdateSpriteCellIndexBlock", "cellIndex"),
    ("UpdateAttractorBlock", "attractor"),
    ("UpdateFlowMapBlock", "strength"),
    ("UpdateNoiseBlock", "strength"),
    ("BasicColorUpdateBlock", "x"),
    ("BasicPositionUpdateBlock", "x"),
    ("BasicSpriteUpdateBlock", "x"),
    ("AlignAngleBlock", "x"),
    ("SetupSpriteSheetBlock", "x"),
    ("ParticleTriggerBlock", "input"),
    ("BoxShapeBlock", "minEmitBox"),
    ("PointShapeBlock", "direction1"),
    ("SphereShapeBlock", "radius"),
    ("ConeShapeBlock", "angle"),
    ("CylinderShapeBlock", "height"),
    ("MeshShapeBlock", "direction1"),
    ("CustomShapeBlock", "position"),
    ("CreateParticleBlock", "size"),
    ("SystemBlock", "emitRate"),
];

/// Changes the structure once. Some changes find nothing to change.
pub(crate) fn structure(graph: &mut Json, seeds: &Seeds, random: &mut Random) {
    if random.one_in(40) {
        return anywhere(graph, random);
    }
    let ids = ids(graph);
    let Some(blocks) = graph.get_mut("blocks").and_then(Json::list_mut) else { return };
    let (a, b) = (random.below(blocks.len()), random.below(blocks.len()));
    match random.below(16) {
        0 if !blocks.is_empty() => drop(blocks.remove(a)),
        1 if !blocks.is_empty() => blocks.insert(b, blocks[a].clone()),
        2 if !blocks.is_empty() => blocks.swap(a, b),
        3 => splice(blocks, seeds, random),
        4 | 5 => with_input(blocks, random, |input, random| wire(input, &ids, random)),
        6 => with_input(blocks, random, literal),
        7 => with_input(blocks, random, |input, random| {
            if random.one_in(2) {
                input.remove("targetBlockId");
            } else {
                input
                    .set("name", Json::text(random.pick(&VALUES).1.first().copied().unwrap_or("")));
            }
        }),
        8 => {
            let id = match random.below(3) {
                0 => Json::raw(random.pick(&SCALARS)),
                1 => Json::raw(random.unit() * 10.0),
                _ => Json::raw(random.below(20)),
            };
            blocks.get_mut(a).into_iter().for_each(|block| block.set("id", id.clone()));
        }
        9 => {
            let class = match random.below(3) {
                0 => random.pick(&VALUES).0,
                1 => random.pick(&FLOWS).0,
                _ => "ParticleTeleportOutBlock",
            };
            let class = Json::text(format!("BABYLON.{class}"));
            blocks.get_mut(a).into_iter().for_each(|block| block.set("customType", class.clone()));
        }
        10 | 11 => {
            let field = *random.pick(&FIELDS);
            let value = field_value(field, &ids, random);
            blocks.get_mut(a).into_iter().for_each(|block| block.set(field, value.clone()));
        }
        12 => scalar(blocks, random),
        13 | 14 => insert_value(blocks, &ids, random),
        _ => insert_flow(blocks, &ids, random),
    }
}

/// Adds a block, so that many changes give a large graph.
pub(crate) fn grow(graph: &mut Json, random: &mut Random) {
    let mut ids = ids(graph);
    // Wires to leaves make no cycles.
    (ids.values, ids.converters) = (std::mem::take(&mut ids.leaves), Vec::new());
    let Some(blocks) = graph.get_mut("blocks").and_then(Json::list_mut) else { return };
    if random.one_in(4) {
        insert_flow(blocks, &ids, random);
    } else {
        insert_value(blocks, &ids, random);
    }
}

/// Changes bytes once.
pub(crate) fn bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let end = (at + random.below(40)).min(bytes.len());
    match random.below(6) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
        3 => bytes.insert(at, *random.pick(b"{}[]\",:0-eE.\\untf \n\xc3\xff\0")),
        4 => bytes.get_mut(at).into_iter().for_each(|byte| *byte ^= 1 << random.below(8)),
        _ => drop(bytes.splice(at..end, random.pick(&SCALARS).bytes())),
    }
}

/// Ids of blocks, by what wires can begin there.
#[derive(Default)]
struct Ids {
    all: Vec<Json>,
    values: Vec<Json>,
    converters: Vec<Json>,
    leaves: Vec<Json>,
}

fn ids(graph: &Json) -> Ids {
    let blocks = match graph.get("blocks") {
        Some(Json::List(blocks)) => blocks.as_slice(),
        _ => &[],
    };
    let mut ids = Ids::default();
    for block in blocks {
        let (Some(id), Some(Json::Text(class))) = (block.get("id"), block.get("customType")) else {
            continue;
        };
        ids.all.push(id.clone());
        let class = class.trim_start_matches("BABYLON.");
        if class == "ParticleInputBlock" {
            ids.leaves.push(id.clone());
        }
        if class == "ParticleConverterBlock" {
            ids.converters.push(id.clone());
        } else if class.starts_with("Particle") && !class.contains("Texture") {
            ids.values.push(id.clone());
        }
    }
    ids
}

/// Replaces, removes or repeats any value of the tree.
fn anywhere(graph: &mut Json, random: &mut Random) {
    let mut count = 0;
    graph.visit(&mut |_| count += 1);
    let mut left = random.below(count);
    graph.visit(&mut |value| {
        if left == 0 {
            match (random.below(3), &mut *value) {
                (0, Json::Map(members)) => drop(members.pop()),
                (1, Json::Map(members)) => members.extend(members.first().cloned()),
                (0, Json::List(items)) => drop(items.pop()),
                (1, Json::List(items)) => items.reverse(),
                _ => *value = Json::raw(random.pick(&SCALARS)),
            }
        }
        left = left.wrapping_sub(1);
    });
}

/// Replaces a field of a block, or a number of its literals.
fn scalar(blocks: &mut [Json], random: &mut Random) {
    let Some(block) = random.pick_mut(blocks) else { return };
    let mut count = 0;
    block.visit(&mut |value| count += usize::from(matches!(value, Json::Raw(_))));
    let mut left = random.below(count);
    block.visit(&mut |value| {
        if matches!(value, Json::Raw(_)) {
            if left == 0 {
                *value = Json::raw(random.pick(&SCALARS));
            }
            left = left.wrapping_sub(1);
        }
    });
}

/// Adds the blocks of another graph, most of their ids moved.
fn splice(blocks: &mut Vec<Json>, seeds: &Seeds, random: &mut Random) {
    let mut other = seeds.pick(random).clone();
    let offset = random.below(2) * 1000;
    other.visit(&mut |value| {
        for key in ["id", "targetBlockId", "entryPoint"] {
            if let Some(Json::Raw(number)) = value.get(key)
                && let Ok(number) = number.parse::<usize>()
            {
                value.set(key, Json::raw(number + offset));
            }
        }
    });
    if let Some(others) = other.get_mut("blocks").and_then(Json::list_mut) {
        let count = random.below(others.len() + 1);
        blocks.extend(others.drain(..count));
    }
}

fn with_input(
    blocks: &mut [Json],
    random: &mut Random,
    change: impl FnOnce(&mut Json, &mut Random),
) {
    let inputs = random.pick_mut(blocks).and_then(|block| block.get_mut("inputs")?.list_mut());
    if let Some(input) = inputs.and_then(|inputs| random.pick_mut(inputs)) {
        change(input, random);
    }
}

/// Mostly to a value that exists; sometimes to anything.
fn wire(input: &mut Json, ids: &Ids, random: &mut Random) {
    let (ids, outputs) = match random.below(16) {
        0 => (&ids.all, OUTPUTS.as_slice()),
        1..4 if !ids.converters.is_empty() => (&ids.converters, &OUTPUTS[1..7]),
        _ => (&ids.values, &OUTPUTS[..1]),
    };
    if !ids.is_empty() {
        input.set("targetBlockId", random.pick(ids).clone());
        input.set("targetConnectionName", Json::text(*random.pick(outputs)));
    }
}

fn literal(input: &mut Json, random: &mut Random) {
    let (name, length) = *random.pick(&VALUE_TYPES);
    let numbers = (0..length).map(|_| Json::raw(random.pick(&SCALARS)));
    let value = Json::List(numbers.collect());
    let value = if length == 0 { Json::raw(random.pick(&SCALARS)) } else { value };
    input.set("valueType", Json::text(name));
    input.set("value", value);
    input.remove("targetBlockId");
}

fn field_value(field: &str, ids: &Ids, random: &mut Random) -> Json {
    if random.one_in(6) {
        return Json::raw(random.pick(&SCALARS));
    }
    match field {
        "entryPoint" if !ids.all.is_empty() => random.pick(&ids.all).clone(),
        "reference" | "epsilon" => Json::raw(random.unit()),
        "contextualValue" => Json::raw(random.pick(&SOURCES)),
        "systemSource" => Json::raw(random.below(5)),
        "lockMode" => Json::raw(random.below(5)),
        "type" => Json::raw(1 << random.below(8)),
        _ => Json::raw(random.below(14)),
    }
}

/// A new block between the two ends of a wire, or at an input without one.
fn insert_value(blocks: &mut Vec<Json>, ids: &Ids, random: &mut Random) {
    let (class, names) = *random.pick(&VALUES);
    let id = Json::raw(5000 + random.below(5000));
    let mut inputs: Vec<Json> = names.iter().map(|name| named(name)).collect();
    for input in &mut inputs {
        match random.below(4) {
            0 => literal(input, random),
            1 | 2 => wire(input, ids, random),
            _ => {}
        }
    }
    with_input(blocks, random, |input, random| {
        let old =
            input.get("targetBlockId").cloned().zip(input.get("targetConnectionName").cloned());
        if let (Some((target, output)), Some(inner)) = (old, random.pick_mut(&mut inputs)) {
            inner.set("targetBlockId", target);
            inner.set("targetConnectionName", output);
        }
        input.set("targetBlockId", id.clone());
        let outputs =
            if class == "ParticleConverterBlock" { &OUTPUTS[1..7] } else { &OUTPUTS[..1] };
        input.set("targetConnectionName", Json::text(*random.pick(outputs)));
    });
    let mut block = block(class, id, inputs);
    for field in FIELDS {
        if field != "entryPoint" && random.one_in(3) {
            block.set(field, field_value(field, ids, random));
        }
    }
    if class == "ParticleInputBlock" {
        literal(&mut block, random);
    }
    blocks.push(block);
}

/// A new block in the particle flow.
fn insert_flow(blocks: &mut Vec<Json>, ids: &Ids, random: &mut Random) {
    let (class, name) = *random.pick(&FLOWS);
    let id = Json::raw(5000 + random.below(5000));
    let mut value = named(name);
    wire(&mut value, ids, random);
    let mut flow = named("particle");
    for block in blocks.iter_mut() {
        let inputs = block.get_mut("inputs").and_then(Json::list_mut);
        let particle = Json::text("particle");
        let found = inputs.and_then(|inputs| {
            inputs.iter_mut().find(|input| input.get("name") == Some(&particle))
        });
        if let Some(input) = found
            && let Some(target) = input.get("targetBlockId").cloned()
            && random.one_in(2)
        {
            flow.set("targetBlockId", target);
            flow.set("targetConnectionName", Json::text("output"));
            input.set("targetBlockId", id.clone());
            break;
        }
    }
    blocks.push(block(class, id, vec![flow, value]));
}

fn named(name: &str) -> Json {
    Json::map([("name", Json::text(name))])
}

fn block(class: &str, id: Json, inputs: Vec<Json>) -> Json {
    let class = Json::text(format!("BABYLON.{class}"));
    Json::map([("customType", class), ("id", id), ("inputs", Json::List(inputs))])
}
