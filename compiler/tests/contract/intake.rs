//! Sections 6 and 7: what is read of a file, and what of it becomes programs.

use pyrograph_compiler::graph::parse::parse;
use pyrograph_compiler::ir::{Field, Profile};
use pyrograph_compiler::{lower_graph, read_file};

use crate::shorthand::{Run, file, lowered, program, refused};

#[test]
fn records_are_kept_as_they_are() {
    let source = parse(
        br#" {"other": 1, "blocks": [
            {"customType": "BABYLON.SystemBlock", "id": 2, "name": " spaced ", "capacity": 7,
             "nested": {"list": [1, null, "x"]},
             "inputs": [{"name": " emitRate\t", "value": 3, "valueType": "number", "inputName": "kept out"},
                        {"name": "a", "targetBlockId": "2", "targetConnectionName": " output "},
                        {"name": "b", "targetBlockId": 4, "targetConnectionName": 5}]},
            {"customType": "xBABYLON.SystemBlock", "id": 3},
            {"customType": "BABYLON.BABYLON.SystemBlock", "id": 4},
            {"id": 5}]} "#,
    )
    .unwrap();
    let classes: Vec<&str> = source.blocks().map(|block| block.class.as_str()).collect();
    // Only a leading prefix goes, and only once.
    assert_eq!(classes, ["SystemBlock", "xBABYLON.SystemBlock", "BABYLON.SystemBlock", ""]);
    assert_eq!(source.roots, [2.0]);
    let block = source.block(2.0).unwrap();
    assert_eq!((block.id, block.name.as_str()), (2.0, " spaced "));
    assert_eq!(block.number("capacity"), Some(7.0));
    let nested = block.fields.get("nested").and_then(|nested| nested.get("list"));
    assert_eq!(nested.unwrap().as_array().unwrap().len(), 3);
    let names: Vec<&str> = block.inputs.iter().map(|input| input.name.as_str()).collect();
    assert_eq!(names, ["emitRate", "a", "b"]);
    // A target that is no number, and a connection that is no text, are none.
    assert_eq!((block.inputs[1].target, block.inputs[1].wire()), (None, None));
    assert_eq!(block.inputs[1].connection.as_deref(), Some("output"));
    assert_eq!((block.inputs[2].target, block.inputs[2].connection.as_deref()), (Some(4.0), None));
}

/// A graph can be built many times, and building leaves it alone.
#[test]
fn building_changes_nothing() {
    let bytes = file(
        r#"1 SystemBlock emitRate<4 particle<2
        2 CreateParticleBlock size<4
        4 ParticleElbowBlock input<5
        5 ParticleInputBlock {"value":3}"#,
    );
    let source = parse(&bytes).unwrap();
    let before = format!("{source:?}");
    let normalize = pyrograph_compiler::graph::normalize::normalize;
    let ((first, _), (second, _)) = (normalize(&source).unwrap(), normalize(&source).unwrap());
    assert_eq!(format!("{source:?}"), before);
    let graph = format!("{first:?}");
    assert_eq!(format!("{second:?}"), graph);
    let modules = [Profile::Exact, Profile::Parallel, Profile::Exact]
        .map(|profile| lower_graph(&first, profile).unwrap());
    assert_eq!(modules[0], modules[2]);
    assert_eq!(format!("{first:?}"), graph);
}

#[test]
fn each_root_is_a_system_of_its_own() {
    let text = r#"1 SystemBlock {"name":"a","capacity":2.9} particle<3
        2 SystemBlock {"name":"b","capacity":"9","isLocal":1} particle<3
        1 SystemBlock {"name":"c","capacity":4} particle<3
        3 CreateParticleBlock size<4
        4 ParticleRandomBlock {"lockMode":2}"#;
    let module = lowered(text, Profile::Exact);
    let facts: Vec<_> =
        module.programs.iter().map(|program| (program.name.as_str(), program.capacity)).collect();
    // Id 1 is a root twice and means its last record; a capacity that is no number is 1000.
    assert_eq!(facts, [("c", 4), ("b", 1000), ("c", 4)]);
    // Each has its own value of the shared block.
    assert!(module.programs.iter().all(|program| program.registers.len() == 2));
}

#[test]
fn only_what_a_root_reaches_is_compiled() {
    let used = "1 SystemBlock particle<2\n2 CreateParticleBlock size<3\n3 ParticleRandomBlock";
    let detached = "7 UpdateSizeBlock particle<2 size<8
        8 ParticleNoSuchBlock x<99
        9 ParticleTeleportOutBlock {\"entryPoint\":-1}
        10 ParticleElbowBlock";
    let text = format!("{used}\n{detached}");
    assert_eq!(
        lowered(&text, Profile::Exact).to_string(),
        lowered(used, Profile::Exact).to_string()
    );
}

/// Flow is built first, wherever it stands, and updates run in the order in which they are built.
#[test]
fn particle_inputs_come_first() {
    let errors = refused(
        "1 SystemBlock emitRate<4 particle<2
        2 UpdateSizeBlock size<5 particle<3
        3 OddShapeBlock
        4 ParticleOddBlock
        5 ParticleStrangeBlock",
    );
    let expected =
        ["emitter block \"OddShapeBlock\"", "\"ParticleStrangeBlock\"", "\"ParticleOddBlock\""];
    assert_eq!(errors.lines().count(), 3);
    for (line, part) in errors.lines().zip(expected) {
        assert!(line.contains(part), "{errors}");
    }

    // The angle is the size as it was, then the size changes.
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<2
        2 UpdateSizeBlock size<5 particle<3
        3 UpdateAngleBlock angle<6 particle<4
        4 CreateParticleBlock size=0.5 lifeTime=9
        5 ParticleInputBlock {"value":2}
        6 ParticleInputBlock {"contextualValue":25}"#,
    );
    run.steps(2);
    assert_eq!((run.value(Field::Angle), run.value(Field::Size)), (0.5, 2.0));
}

/// A literal, else the consumer's own value, else nothing, which fails where it is read.
#[test]
fn unconnected_inputs() {
    let size = |input: &str| {
        let text = format!(
            "1 SystemBlock {{\"updateSpeed\":1}} emitRate=1 particle<2\n2 CreateParticleBlock {input}"
        );
        let mut run = Run::new(&text);
        run.steps(1).value(Field::Size)
    };
    assert_eq!((size("size=0.25"), size("size="), size("")), (0.25, 1.0, 1.0));
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<2
        2 CreateParticleBlock size<3
        3 ParticleVectorLengthBlock input="#,
    );
    let error = run.try_step(1.0).unwrap_err();
    assert!(error.contains("ParticleVectorLengthBlock 3 has no value for input input"), "{error}");
}

/// A value cycle asks for what is not there yet; a cycle of flow alone ends.
#[test]
fn cycles_end() {
    let errors = refused(
        "1 SystemBlock emitRate<2
        2 ParticleMathBlock left<3 right=1
        3 ParticleMathBlock left<2 right=1",
    );
    assert_eq!(errors, "NodeParticle: unresolved connection ParticleMathBlock.left");
    let text = program(
        "1 SystemBlock particle<2
        2 UpdateSizeBlock particle<3 size<4
        3 UpdateSizeBlock particle<2 size<4
        4 ParticleInputBlock",
    )
    .to_string();
    let (_, update) = text.split_once("update {").unwrap();
    let update = update.split("birth {").next().unwrap();
    assert_eq!(update.matches("store size").count(), 2);
}

#[test]
fn json_texts_may_have_blanks_and_any_order_of_members() {
    let (graph, _) = read_file(
        b"\n\t{ \"blocks\" : [ { \"inputs\" : [ ] , \"id\" : 1 , \"customType\" : \"SystemBlock\" } ] }\n",
    )
    .unwrap();
    assert_eq!(graph.roots.len(), 1);
}
