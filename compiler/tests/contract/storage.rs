//! Section 4: columns, slots and ids.

use std::collections::BTreeMap;

use pyrograph_compiler::ir::{Field, Storage};

use crate::shorthand::{Run, program};

fn columns(text: &str) -> BTreeMap<String, Storage> {
    let program = program(text);
    let columns = program.columns.iter().map(|(_, column)| (column.name.clone(), column.storage));
    let found: BTreeMap<String, Storage> = columns.collect();
    assert_eq!(found.len(), program.columns.len(), "no name twice");
    found
}

/// A system whose update reads an input block with these fields.
fn reading(fields: &str) -> String {
    format!(
        "1 SystemBlock {{\"isLocal\":true}} particle<4
        2 CreateParticleBlock
        3 PointShapeBlock particle<2
        4 UpdateAngleBlock particle<3 angle<5
        5 ParticleVectorLengthBlock input<6
        6 {fields}"
    )
}

const PLAIN: &str = "ParticleInputBlock {\"value\":1}";

#[test]
fn built_in_columns_have_the_contracts_types() {
    let mut found = columns(&reading(PLAIN));
    for (name, storage) in [("age", Storage::F64), ("lifeTime", Storage::F64), ("id", Storage::U32)]
    {
        assert_eq!(found.remove(name), Some(storage), "{name}");
    }
    let rest: Vec<&str> = found.keys().map(String::as_str).collect();
    let expected = "angle color.a color.b color.g color.r colorStep.a colorStep.b colorStep.g colorStep.r \
        direction.x direction.y direction.z position.x position.y position.z scale.x scale.y size";
    assert_eq!(rest, expected.split(' ').collect::<Vec<_>>());
    assert!(found.values().all(|storage| *storage == Storage::F32));
    assert_eq!(found.len() + 3, 21);
}

#[test]
fn features_bring_their_columns_and_others_do_not_have_them() {
    use Storage::{F32, F64, U8, U16};
    let contextual = |id: u8| format!("ParticleInputBlock {{\"contextualValue\":{id}}}");
    let random = |bound: &str| format!("ParticleRandomBlock {{\"lockMode\":3}} min={bound} max=7");
    let local = |fields: &str| format!("ParticleLocalVariableBlock {fields} input<7\n7 {PLAIN}");
    let cases: [(String, &str, &[Storage]); 11] = [
        (contextual(0x13), "initialColor.", &[F32; 4]),
        (contextual(0x14), "colorDead.", &[F32; 4]),
        (contextual(0x15), "initialDir.", &[F32; 3]),
        (contextual(0x18), "localPosition.", &[F32; 3]),
        (contextual(0x10), "cellIndex", &[U16]),
        (random("0"), "random.", &[U8, F64]),
        (random("[0,0]"), "random.", &[U8, F64, F64]),
        (random("[0,0,0]"), "random.", &[U8, F64, F64, F64]),
        (random("[0,0,0,0]"), "random.", &[U8, F64, F64, F64, F64]),
        (local("{\"scope\":0}"), "local.", &[U8, F64]),
        (local("{\"scope\":1}"), "local.", &[]),
    ];
    let plain = columns(&reading(PLAIN));
    for (block, prefix, expected) in cases {
        let mut found = columns(&reading(&block));
        found.retain(|name, _| !plain.contains_key(name));
        assert!(found.keys().all(|name| name.starts_with(prefix)), "{block}: {found:?}");
        assert_eq!(found.into_values().collect::<Vec<_>>(), expected, "{block}");
    }
}

#[test]
fn sprite_sheets_bring_cells_and_random_starts() {
    let sheet = |fields: &str| {
        let mut found = columns(&format!(
            "1 SystemBlock particle<4
            2 CreateParticleBlock
            3 SetupSpriteSheetBlock {fields} particle<2
            4 BasicSpriteUpdateBlock particle<3"
        ));
        found.retain(|name, _| name == "cellIndex" || name.starts_with("sprite"));
        found.into_values().collect::<Vec<_>>()
    };
    assert_eq!(sheet("{}"), [Storage::U16]);
    assert_eq!(sheet("{\"randomStartCell\":1}"), [Storage::U16]);
    assert_eq!(sheet("{\"randomStartCell\":true}"), [Storage::U16, Storage::F32]);
}

#[test]
fn columns_are_shared_by_name() {
    let twice = columns(
        "1 SystemBlock particle<4
        2 CreateParticleBlock
        3 UpdateColorBlock particle<2 color<6
        4 UpdateColorBlock particle<3 color<7
        6 ParticleInputBlock {\"contextualValue\":19}
        7 ParticleInputBlock {\"contextualValue\":19}",
    );
    assert_eq!(twice.keys().filter(|name| name.starts_with("initialColor")).count(), 4);
}

#[test]
fn slots_are_dense_and_ids_ascend() {
    // Two slots; a life lasts one call and a half.
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1,"capacity":2} emitRate=5 particle<3
        2 CreateParticleBlock lifeTime=1.5
        3 UpdateAngleBlock particle<2 angle<4
        4 ParticleInputBlock {"value":6}"#,
    );
    run.steps(1);
    assert_eq!((run.alive(), run.values(Field::Id)), (2, vec![0.0, 1.0]));
    assert_eq!(run.steps(1).values(Field::Angle), [6.0, 6.0]);
    run.steps(1);
    // Both died; the next two go on counting, and have ages and angles of their own.
    assert_eq!(run.values(Field::Id), [2.0, 3.0]);
    assert_eq!((run.values(Field::Age), run.values(Field::Angle)), (vec![0.0; 2], vec![0.0; 2]));
}

/// What a birth does not write is 0: the contract leaves it open.
#[test]
fn unwritten_columns_are_zero() {
    let mut run = Run::new(
        r#"1 SystemBlock {"updateSpeed":1,"capacity":1} emitRate=1 particle<3
        2 CreateParticleBlock lifeTime=1.5
        3 UpdatePositionBlock particle<2 position<4
        4 ParticleInputBlock {"type":8,"value":[1,2,3]}"#,
    );
    assert_eq!(run.steps(1).vector(Field::Position), [0.0; 3]);
    assert_eq!(run.steps(1).vector(Field::Position), [1.0, 2.0, 3.0]);
    run.steps(1);
    assert_eq!((run.values(Field::Id), run.vector(Field::Position)), (vec![1.0], [0.0; 3]));
}
