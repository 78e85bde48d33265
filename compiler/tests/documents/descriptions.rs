//! What the catalog says of classes is what the compiler does with them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pyrograph_compiler::graph::catalog::describe::{
    self, Description, GROUPS, PLUMBING, Unconnected,
};
use pyrograph_compiler::graph::catalog::{self, Role};
use pyrograph_compiler::graph::listing::Listing;
use pyrograph_compiler::ir::Profile;
use pyrograph_compiler::{lower_file, read_file};
use serde_json::{Map, Value, json};

use crate::root;

/// Block of each system of these tests that gives the particle's age.
const AGE: u32 = 90;

fn classes() -> impl Iterator<Item = &'static Description> {
    GROUPS.iter().flat_map(|group| group.classes)
}

fn wire(name: &str, from: u32, output: &str) -> Value {
    json!({"name": name, "inputName": name, "targetBlockId": from, "targetConnectionName": output})
}

fn literal(name: &str, numbers: &[f64]) -> Value {
    match numbers {
        [number] => json!({"name": name, "valueType": "number", "value": number}),
        [_, _] => json!({"name": name, "valueType": "BABYLON.Vector2", "value": numbers}),
        [_, _, _] => json!({"name": name, "valueType": "BABYLON.Vector3", "value": numbers}),
        _ => json!({"name": name, "valueType": "BABYLON.Color4", "value": numbers}),
    }
}

fn block(id: u32, class: &str, inputs: Vec<Value>) -> Value {
    json!({"id": id, "customType": format!("BABYLON.{class}"), "inputs": inputs})
}

/// Inputs and fields without which a class does not look at its other inputs.
fn furnish(class: &str, inputs: &mut Vec<Value>, fields: &mut Map<String, Value>) {
    match class {
        "ParticleGradientBlock" => {
            inputs.extend([wire("value0", 91, "output"), wire("value1", 92, "output")]);
        }
        "UpdateFlowMapBlock" => inputs.push(wire("flowMap", 93, "texture")),
        "UpdateNoiseBlock" => inputs.push(wire("noiseTexture", 93, "texture")),
        "MeshShapeBlock" => {
            let data = json!({"positions": [0, 0, 0, 1, 0, 0, 0, 1, 0], "indices": [0, 1, 2]});
            fields.insert("cachedVertexData".into(), data);
        }
        _ => {}
    }
}

/// A system with a block of the class, whose input `tested` has this literal or none. Other values that
/// it reads are the particle's age.
fn graph(class: &str, tested: &str, numbers: Option<&[f64]>) -> Value {
    let ports = catalog::ports(class).unwrap();
    let is_value = !ports.given.is_empty();
    let (mut inputs, mut fields) = (Vec::new(), Map::new());
    for &name in ports.read {
        if name == tested {
            inputs.extend(numbers.map(|numbers| literal(name, numbers)));
        } else if is_value {
            inputs.push(wire(name, AGE, "output"));
        }
    }
    furnish(class, &mut inputs, &mut fields);
    let inputs_of = |id: u32, own: Vec<Value>| {
        // Flow leads from the births (13) through a shape (12) and an update (11) to the system (10).
        let mut all = vec![wire("particle", id + 1, "particle")];
        all.extend(own);
        all
    };
    let none = Vec::new;
    let is_shape = class.ends_with("ShapeBlock");
    let own = |own: &str| if class == own { inputs.clone() } else { none() };
    let shape = if is_shape { class } else { "PointShapeBlock" };
    let shape_inputs = if is_shape { inputs.clone() } else { none() };
    let update = match class {
        "SystemBlock" | "CreateParticleBlock" => "BasicPositionUpdateBlock",
        _ if is_shape => "BasicPositionUpdateBlock",
        "ParticleTextureSourceBlock" => "UpdateFlowMapBlock",
        _ if is_value => "UpdateSizeBlock",
        _ => class,
    };
    let update_inputs = match update {
        "BasicPositionUpdateBlock" => none(),
        _ if class == "ParticleTextureSourceBlock" => vec![wire("flowMap", 20, "texture")],
        "UpdateSizeBlock" if class == "ParticleGradientValueBlock" => {
            vec![wire("size", 21, "output")]
        }
        "UpdateSizeBlock" if is_value => vec![wire("size", 20, ports.given[0])],
        _ => inputs.clone(),
    };
    let mut tested_block = block(20, if is_value { class } else { "ParticleInputBlock" }, none());
    if is_value {
        tested_block["inputs"] = inputs.clone().into();
    }
    let stops = vec![
        wire("gradient", AGE, "output"),
        wire("value0", 20, "output"),
        wire("value1", 92, "output"),
    ];
    let mut stop = block(92, "ParticleGradientValueBlock", vec![literal("value", &[3.0])]);
    stop["reference"] = 4.into();
    let mut age = block(AGE, "ParticleInputBlock", none());
    age["contextualValue"] = 3.into();
    let mut shape = block(12, shape, inputs_of(12, shape_inputs));
    shape.as_object_mut().unwrap().extend(fields);
    json!({"blocks": [
        block(10, "SystemBlock", inputs_of(10, own("SystemBlock"))),
        block(11, update, inputs_of(11, update_inputs)),
        shape,
        block(13, "CreateParticleBlock", own("CreateParticleBlock")),
        tested_block,
        block(21, "ParticleGradientBlock", if class == "ParticleGradientValueBlock" { stops } else { none() }),
        age,
        block(91, "ParticleGradientValueBlock", none()),
        stop,
        block(93, "ParticleTextureSourceBlock", none()),
    ]})
}

/// What the compiler makes of it, before any pass.
fn lowered(graph: &Value) -> String {
    let (module, _) = lower_file(graph.to_string().as_bytes(), Profile::Exact)
        .unwrap_or_else(|errors| panic!("{errors:?}\n{graph}"));
    module.to_string()
}

#[test]
fn unconnected_inputs_count_as_described() {
    let mut count = 0;
    for class in classes() {
        for (name, unconnected) in class.inputs {
            let absent = || lowered(&graph(class.class, name, None));
            let at = format!("{}.{name}", class.class);
            match unconnected {
                Unconnected::Is(numbers) => {
                    let other: Vec<f64> = numbers.iter().map(|number| number + 1.75).collect();
                    let same = lowered(&graph(class.class, name, Some(numbers)));
                    assert!(absent() == same, "{at} counts as something else than {numbers:?}");
                    let other = lowered(&graph(class.class, name, Some(&other)));
                    assert!(absent() != other, "{at} makes no difference");
                }
                Unconnected::Fails => {
                    let said = format!("{} 20 has no value for input {name}", class.class);
                    assert!(absent().contains(&said), "{at} does not fail");
                }
                Unconnected::Idle => {
                    let mut nothing = graph("CreateParticleBlock", "", None);
                    nothing["blocks"][0]["inputs"][0]["targetBlockId"] = 12.into();
                    assert!(absent() == lowered(&nothing), "{at} does something");
                }
                Unconnected::Means(_) => continue,
            }
            count += 1;
        }
    }
    assert!(count > 60, "only {count} inputs were tried");
}

#[test]
fn inputs_are_the_ports() {
    for class in classes() {
        let ports =
            catalog::ports(class.class).unwrap_or_else(|| panic!("no ports: {}", class.class));
        // Every entry of a gradient is an input of its own.
        let described = class.inputs.iter().map(|(name, _)| *name).filter(|name| *name != "value…");
        let described: BTreeSet<&str> = described.collect();
        let known: BTreeSet<&str> = ports.read.iter().chain(ports.routed).copied().collect();
        assert_eq!(described, known, "{}", class.class);
    }
    assert_eq!(catalog::role("ParticleGradientBlock", "value…"), Role::Gradient);
    for class in PLUMBING.classes {
        assert!(catalog::ports(class.class).is_none(), "{}", class.class);
        let is_entry = class.class == "ParticleTeleportInBlock";
        assert!(catalog::is_proxy(class.class) != is_entry, "{}", class.class);
    }
}

#[test]
fn classes_stand_once_and_say_what_they_do() {
    let mut names = BTreeSet::new();
    for class in classes().chain(PLUMBING.classes) {
        assert!(names.insert(class.class), "{} stands twice", class.class);
        assert!(class.purpose.ends_with('.') && !class.contract.is_empty(), "{}", class.class);
        let sentences = class.notes.iter().chain(class.babylon);
        assert!(sentences.clone().all(|sentence| sentence.ends_with('.')), "{}", class.class);
    }
}

/// Graph files below a folder, in no order.
fn graphs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            graphs(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
}

/// Kinds have the description of the class that they were read from, and no class is missing among the
/// fixtures.
#[test]
fn kinds_have_their_classes_descriptions() {
    let mut files = Vec::new();
    // No recording has triggers, which start nothing; a file that shows the warning has.
    for folder in ["fixtures/graphs", "fixtures/errors/W302"] {
        graphs(&root().join(folder), &mut files);
    }
    let mut met = BTreeSet::new();
    for file in files {
        let Ok((graph, _)) = read_file(&fs::read(&file).unwrap()) else {
            panic!("{}", file.display())
        };
        for block in graph.wires.node_weights() {
            assert_eq!(describe::of(&block.kind).class, block.class);
            met.insert(block.class.clone());
        }
    }
    let missing: Vec<&str> =
        classes().map(|class| class.class).filter(|class| !met.contains(*class)).collect();
    assert!(missing.is_empty(), "no fixture has {missing:?}");
}

/// A listing prints fields as they were read: numbers and truth values of missing ones are those that
/// the catalog has.
#[test]
fn missing_fields_count_as_described() {
    let mut count = 0;
    for class in classes().filter(|class| !class.fields.is_empty()) {
        let bytes = graph(class.class, "", None).to_string().into_bytes();
        let (graph, _) = read_file(&bytes).unwrap();
        let listing = Listing(&graph).to_string();
        let section = listing.split("\n\n").find(|section| {
            section
                .lines()
                .next()
                .is_some_and(|title| title.ends_with(&format!(" {}", class.class)))
        });
        let section = section.unwrap_or_else(|| panic!("{} is not in\n{listing}", class.class));
        for (names, missing, _) in class.fields {
            for (name, missing) in names.split(", ").zip(missing.split(", ")) {
                let printed =
                    section.lines().find_map(|line| line.strip_prefix(&format!("  {name} = ")));
                let is_plain =
                    |text: &&str| text.parse::<f64>().is_ok() || text.parse::<bool>().is_ok();
                let Some(printed) = printed.filter(is_plain) else { continue };
                let missing = if missing == "π/2" { "1.5707963267948966" } else { missing };
                assert_eq!(printed, missing, "{}.{name}", class.class);
                count += 1;
            }
        }
    }
    assert!(count > 25, "only {count} fields were found");
}
