//! Every message of the contract is shown by a failing file or run, or `docs/differences.md` says why it
//! cannot be.

use std::collections::BTreeSet;
use std::fs;

use crate::shorthand::{Run, files, root};

/// The texts of sections 6.3 and 11 in their order, where they say `<ClassName>` of few classes one
/// for each.
const MESSAGES: [&str; 44] = [
    "NodeParticle: invalid source — expected a `blocks` array",
    "NodeParticle: block missing numeric id (name=<name>)",
    "NodeParticle: graph has no SystemBlock",
    "NodeParticle: unsupported value block \"ParticleTeleportOutBlock\"",
    "NodeParticle: ParticleTeleportOutBlock <outId> has invalid entryPoint",
    "NodeParticle: ParticleTeleportOutBlock <outId> references missing entryPoint <entryId>",
    "NodeParticle: ParticleTeleportOutBlock <outId> entryPoint <entryId> is not ParticleTeleportInBlock",
    "NodeParticle: ParticleTeleportInBlock <id> input is not connected",
    "NodeParticle: ParticleElbowBlock <id> input is not connected",
    "NodeParticle: ParticleDebugBlock <id> input is not connected",
    "NodeParticle: ParticleLocalVariableBlock <id> input is not connected",
    "NodeParticle: <ClassName> <id> does not expose output \"<name>\"",
    "NodeParticle: <ClassName> <id> does not support particle flow connections",
    "NodeParticle: <ClassName> <id> does not support system flow connections",
    "NodeParticle: <ClassName> <id> does not support texture connections",
    "NodeParticle: <ClassName> <id> does not support gradient metadata connections",
    "NodeParticle: graph plumbing cycle <id> -> <path>",
    "NodeParticle: ParticleLocalVariableBlock <id> Particle scope requires particle-only evaluation",
    "NodeParticle: ParticleLocalVariableBlock <id> received an unsupported value",
    "NodeParticle: ParticleLocalVariableBlock <id> changed value type",
    "NodeParticle: snippet fetch failed (<status>)",
    "NodeParticle: unresolved connection <ClassName>.<inputName>",
    "NodeParticle: unsupported emitter block \"<ClassName>\"",
    "NodeParticle: unsupported local shape \"<ClassName>\"",
    "NodeParticle: unsupported value block \"<ClassName>\"",
    "NodeParticle: unsupported Basic Properties block \"<ClassName>\"",
    "NodeParticle: unsupported block variant \"<ClassName>\"",
    "NodeParticle: unsupported contextual source 0x<hex>",
    "NodeParticle: unsupported system source <id>",
    "NodeParticle: LocalPositionUpdated requires SystemBlock.isLocal",
    "NodeParticle: LocalPositionUpdated read before local shape position creation",
    "NodeParticle: emitter provider must return a finite 16-element matrix",
    "NodeParticle: BasicSpriteUpdateBlock requires SetupSpriteSheetBlock",
    "createParticleBillboard: the particle system has no texture",
    "createParticleSprite2DBridge: the particle system has no texture",
    "createParticleSprite2DBridge: pixelsPerUnit must be a positive finite number, got <value>",
    "createParticleSprite2DBridge: originPx must be finite, got [<x>, <y>]",
    "syncParticleSprite2DBridge: pixelsPerUnit must be a positive finite number, got <value>",
    "syncParticleSprite2DBridge: originPx must be finite, got [<x>, <y>]",
    "syncParticleSprite2DBridge: the bridge-owned layer cannot use the Sprite2D Handle API",
    "syncParticleSprite2DBridgeWithBlendModes: pixelsPerUnit must be a positive finite number, got <value>",
    "syncParticleSprite2DBridgeWithBlendModes: originPx must be finite, got [<x>, <y>]",
    "syncParticleSprite2DBridgeWithBlendModes: bridge-owned layers cannot use the Sprite2D Handle API",
    "resolveSpriteFrame: index <frame> out of range [0, <frameCount>)",
];

/// Runs that fail in their first two calls.
const RUNS: [&str; 2] = [
    // Local positions, read before the shape has given one.
    r#"1 SystemBlock {"updateSpeed":1,"isLocal":true} emitRate=1 particle<3
    2 CreateParticleBlock lifeTime<4
    3 PointShapeBlock particle<2
    4 ParticleVectorLengthBlock input<5
    5 ParticleInputBlock {"contextualValue":24}"#,
    // A number first, then a vector.
    r#"1 SystemBlock {"updateSpeed":1} emitRate=1 particle<2
    2 CreateParticleBlock size<3
    3 ParticleVectorLengthBlock input<4
    4 ParticleLocalVariableBlock input<5
    5 ParticleConditionBlock {"test":2} left<6 right=1.5 ifTrue=1 ifFalse<7
    6 ParticleInputBlock {"systemSource":1}
    7 ParticleInputBlock {"type":8}"#,
];

/// Whether a text is the message, each `<…>` of which stands for any characters.
fn is(message: &str, text: &str) -> bool {
    let Some((before, rest)) = message.split_once('<') else { return message == text };
    let Some(text) = text.strip_prefix(before) else { return false };
    let (_, after) = rest.split_once('>').unwrap();
    let starts = text.char_indices().map(|(start, _)| start).chain([text.len()]);
    starts.into_iter().any(|start| is(after, &text[start..]))
}

/// Messages of all failing fixtures, as users read them, and of the runs.
fn said() -> Vec<String> {
    let mut said = Vec::new();
    for path in files("fixtures/errors") {
        if path.extension().is_some_and(|extension| extension == "txt") {
            let text = fs::read_to_string(path).unwrap();
            let errors = text.lines().filter_map(|line| line.strip_prefix("error["));
            said.extend(errors.map(|line| line.split_once("]: ").unwrap().1.to_owned()));
        }
    }
    for text in RUNS {
        let mut run = Run::new(text);
        let failed = run.try_step(1.0).and_then(|()| run.try_step(1.0)).unwrap_err();
        let start = failed.find("NodeParticle: ").unwrap();
        said.push(failed[start..].to_owned());
    }
    said
}

/// Messages in the first cells of the page's tables about messages.
fn listed() -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/differences.md")).unwrap();
    let sections = page.split("\n## ").filter(|section| section.starts_with("Messages that "));
    let rows = sections.flat_map(|section| section.lines());
    rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once("` | ")?.0.to_owned())).collect()
}

#[test]
fn messages_are_matched_as_wholes() {
    assert!(is("a <x> b", "a 12 b") && is("(<x>)", "(x)") && is("a<x>", "a b c"));
    assert!(!is("a <x> b", "a b") && !is("a", "a b") && !is("a<x>", "ba") && !is("<x>b", "ab c"));
}

#[test]
fn every_message_is_shown_or_explained() {
    let (said, listed) = (said(), listed());
    for message in MESSAGES {
        let is_listed = listed.iter().any(|found| found == message);
        let is_shown = said.iter().any(|text| is(message, text));
        assert!(is_shown != is_listed, "{message}: shown {is_shown}, listed {is_listed}");
    }
    let known: BTreeSet<&str> = MESSAGES.into();
    assert_eq!(known.len(), MESSAGES.len());
    let unknown: Vec<_> = listed.iter().filter(|text| !known.contains(text.as_str())).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    // Nothing else may pass for a text of the contract.
    for text in said.iter().filter(|text| text.starts_with("NodeParticle: ")) {
        assert!(MESSAGES.iter().any(|message| is(message, text)), "{text}");
    }
}
