//! What reading and normalizing make of small graphs.

mod hostile;

use super::kind::{Contextual, Source};
use super::normalize::normalize;
use super::parse::parse;
use super::{Block, Domains, Graph, InputSource, Kind, Literal, ValueType};
use crate::diagnostic::Diagnostics;

/// A file from shorthand, a block a line: `id Class {fields} input<id.output input<id.output`.
fn file(text: &str) -> String {
    let blocks = text.trim().lines().map(|line| {
        let mut words = line.split_whitespace();
        let (id, class) = (words.next().unwrap(), words.next().unwrap());
        let (mut fields, mut inputs) = (String::new(), Vec::new());
        for word in words {
            match word.strip_prefix('{') {
                Some(body) => fields = format!(",{}", body.strip_suffix('}').unwrap()),
                None => {
                    let (name, source) = word.split_once('<').unwrap();
                    let (target, output) = source.rsplit_once('.').unwrap();
                    inputs.push(format!(
                        r#"{{"name":"{name}","targetBlockId":{target},"targetConnectionName":"{output}"}}"#
                    ));
                }
            }
        }
        let inputs = inputs.join(",");
        format!(r#"{{"customType":"BABYLON.{class}","id":{id},"inputs":[{inputs}]{fields}}}"#)
    });
    format!(r#"{{"blocks":[{}]}}"#, blocks.collect::<Vec<_>>().join(","))
}

fn read(text: &str) -> Result<Graph, Diagnostics> {
    parse(text.as_bytes()).and_then(|source| normalize(&source)).map(|(graph, _)| graph)
}

fn graph(text: &str) -> Graph {
    read(&file(text)).unwrap_or_else(|problems| panic!("{problems}"))
}

fn errors(text: &str) -> String {
    read(&file(text)).unwrap_err().to_string()
}

fn block(graph: &Graph, id: f64) -> &Block {
    graph.wires.node_weights().find(|block| block.id == id).unwrap()
}

/// Where the input's wire begins.
fn wire(graph: &Graph, id: f64, input: &str) -> (f64, String) {
    match &block(graph, id).input(input).unwrap().source {
        InputSource::Wire(index, output) => (graph.block(*index).id, output.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn reads_inputs() {
    let graph = read(
        r#"{"blocks":[{"id":-0.5,"customType":"SystemBlock","name":" S ","inputs":[
            {"name":" xyz\u00a0","targetBlockId":7,"targetConnectionName":" \t"},
            {"name":"a","value":2,"valueType":"BABYLON.Vector3"},
            {"name":"a","value":3},
            {"name":"b","value":[1],"valueType":"BABYLON.Vector2"},
            {"name":"c","value":[1,null,3],"valueType":"BABYLON.Color4"},
            {"name":"d","value":"1","valueType":"number"},
            {"name":"e","targetBlockId":7,"value":[1,2,3,4],"valueType":"BABYLON.Vector3"},
            {"name":"f","targetConnectionName":"","value":[1],"valueType":"BABYLON.Matrix"},
            {"value":null}]}]}"#,
    )
    .unwrap();
    let block = graph.block(graph.roots[0]);
    assert_eq!((block.id, block.name.as_str()), (-0.5, " S "));
    assert!(block.is_connected("xyz") && !block.is_connected("e") && !block.is_connected("f"));
    assert_eq!(block.input("xyz").unwrap().source, InputSource::Dangling);
    let literal = |name: &str| match &block.input(name).unwrap().source {
        InputSource::Literal(literal) => Some(*literal),
        _ => None,
    };
    assert_eq!(literal("a"), Some(Literal::Number(2.0)));
    assert_eq!(literal("b"), Some(Literal::Vector2([1.0, 0.0])));
    assert_eq!(literal("c"), Some(Literal::Color4([1.0, 0.0, 3.0, 1.0])));
    assert_eq!(literal("d"), None);
    assert_eq!(literal("e"), Some(Literal::Vector3([1.0, 2.0, 3.0])));
    assert_eq!(literal("f"), None);
    assert_eq!(block.input("a").unwrap().value_type, Some(ValueType::Vector3));
    assert_eq!(block.input("f").unwrap().value_type, Some(ValueType::Other));
    assert_eq!(block.input("").unwrap().source, InputSource::Unconnected);
}

#[test]
fn takes_defaults_and_refuses_other_types() {
    let graph = graph(
        r#"1 SystemBlock {"capacity":"5","isLocal":1,"updateSpeed":null} particle<2.
        2 SetupSpriteSheetBlock {"loop":0,"randomStartCell":"true"} particle<3.
        3 MeshShapeBlock {"cachedVertexData":{"positions":[1,null,true],"indices":{}}}
        4 SystemBlock {"capacity":2.5,"blendMode":7,"isBillboardBased":false}"#,
    );
    let Kind::System(system) = &block(&graph, 1.0).kind else { panic!() };
    assert_eq!((system.capacity, system.is_local, system.update_speed), (1000.0, false, 0.0167));
    assert_eq!((system.blend_mode, system.manual_emit_count), (None, -1.0));
    assert!(system.is_billboard_based && system.billboard_mode == 7.0);
    let Kind::SetupSpriteSheet(sheet) = &block(&graph, 2.0).kind else { panic!() };
    assert!(sheet.repeat && !sheet.random_start && sheet.change_speed == 1.0);
    let Kind::MeshShape(mesh) = &block(&graph, 3.0).kind else { panic!() };
    assert_eq!(mesh.positions.as_deref(), Some([1.0, 0.0, 1.0].as_slice()));
    assert!(mesh.indices.is_none() && mesh.normals_for_direction && !mesh.colors_for_color);
    let Kind::System(system) = &block(&graph, 4.0).kind else { panic!() };
    assert_eq!((system.capacity, system.blend_mode), (2.5, Some(7.0)));
    assert!(!system.is_billboard_based);
}

#[test]
fn chooses_sources() {
    let graph = graph(
        r#"1 SystemBlock emitRate<2.output targetStopDuration<3.output
        2 ParticleInputBlock {"contextualValue":24e-1,"systemSource":2,"contextualValue":25}
        3 ParticleInputBlock {"contextualValue":"1","type":128,"value":[1,2,3]}"#,
    );
    let kind = |id| match block(&graph, id).kind {
        Kind::Input(source) => source,
        _ => panic!(),
    };
    assert_eq!(kind(2.0), Source::Contextual(Contextual::Size));
    assert_eq!(kind(3.0), Source::Constant(Literal::Color4([1.0, 2.0, 3.0, 1.0])));
}

#[test]
fn last_record_wins_and_roots_repeat() {
    let graph = graph(
        r#"1 SystemBlock {"capacity":3}
        5 ParticleElbowBlock input<9.output
        1 SystemBlock {"capacity":4}
        2 SystemBlock
        2 ParticleMathBlock {"capacity":7,"isLocal":true}"#,
    );
    let ids: Vec<_> = graph.roots.iter().map(|root| graph.block(*root).id).collect();
    assert_eq!(ids, [1.0, 1.0, 2.0]);
    assert_eq!(graph.root_fields(graph.roots[0]).capacity, 4.0);
    let fields = graph.root_fields(graph.roots[2]);
    assert_eq!((fields.capacity, fields.is_local), (7.0, true));
    assert_eq!(graph.wires.node_count(), 2, "the detached elbow is no error and not there");
}

#[test]
fn routes_end_at_their_source() {
    let graph = graph(
        r#"1 SystemBlock emitRate<11.output particle<12.output texture<14.output
        11 ParticleTeleportOutBlock {"entryPoint":0}
        0 ParticleTeleportInBlock input<13.output
        13 ParticleDebugBlock input<20.xy
        20 ParticleConverterBlock xyz<15.output
        12 ParticleElbowBlock input<21.particle
        21 CreateParticleBlock lifeTime<15.output
        14 ParticleElbowBlock input<22.texture
        15 ParticleLocalVariableBlock {"scope":1} input<16.output
        16 ParticleElbowBlock input<23.output
        22 ParticleTextureSourceBlock
        23 ParticleInputBlock"#,
    );
    assert_eq!(wire(&graph, 1.0, "emitRate"), (20.0, "xy".into()));
    assert_eq!(wire(&graph, 1.0, "particle"), (21.0, "particle".into()));
    assert_eq!(wire(&graph, 1.0, "texture"), (22.0, "texture".into()));
    assert_eq!(wire(&graph, 20.0, "xyz"), (15.0, "output".into()));
    assert_eq!(wire(&graph, 15.0, "input"), (23.0, "output".into()));
    assert_eq!(block(&graph, 21.0).domains, Domains { particle: true, system: false });
    assert_eq!(block(&graph, 22.0).domains, Domains { particle: false, system: true });
    assert_eq!(block(&graph, 23.0).domains, Domains { particle: true, system: true });
    let order: Vec<_> = graph.wires.node_weights().map(|block| block.id).collect();
    assert_eq!(order, [1.0, 21.0, 15.0, 23.0, 20.0, 22.0]);
}

#[test]
fn flow_may_go_in_circles() {
    let graph = graph(
        "1 SystemBlock particle<2.output
        2 UpdateSizeBlock particle<3.output size<9.output
        3 UpdateAngleBlock particle<2.output particle<77.output
        9 ParticleInputBlock",
    );
    assert_eq!(wire(&graph, 3.0, "particle"), (2.0, "output".into()));
}

#[test]
fn a_trigger_passes_flow_on() {
    let graph = graph(
        "1 SystemBlock onStart<99.system particle<2.output
        2 ParticleTriggerBlock condition<98.output system<1.system input<3.particle
        3 CreateParticleBlock",
    );
    let trigger = block(&graph, 2.0);
    assert_eq!(trigger.domains, Domains { particle: true, system: false });
    assert_eq!(wire(&graph, 2.0, "input").0, 3.0);
    assert_eq!(trigger.input("system").unwrap().source, InputSource::Unconnected);
    assert_eq!(trigger.evaluation_order().collect::<Vec<_>>(), [2, 0, 1]);
}

#[test]
fn the_first_error_is_the_contracts() {
    let text = errors(
        r#"1 SystemBlock emitRate<2.output particle<3.output
        2 ParticleWrongBlock
        3 UpdateSizeBlock particle<4.output size<5.output
        4 OddShapeBlock
        5 ParticleElbowBlock input<6.output"#,
    );
    let expected = [
        "NodeParticle: unsupported emitter block \"OddShapeBlock\"",
        "NodeParticle: unresolved connection UpdateSizeBlock.size",
        "NodeParticle: unsupported value block \"ParticleWrongBlock\"",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_shared_block_is_reported_once() {
    let text = errors(
        "1 SystemBlock emitRate<3.output targetStopDuration<3.output
        2 SystemBlock emitRate<3.output
        3 ParticleMathBlock left<4.output right<4.output
        4 ParticleElbowBlock",
    );
    assert_eq!(text, "NodeParticle: ParticleElbowBlock 4 input is not connected");
}
