//! Constants that stay open for hosts. They are no part of the contract: with an input that nobody
//! changes, all of it holds.

use std::fs;
use std::sync::Arc;

use pyrograph_compiler::interpret::Instance;
use pyrograph_compiler::ir::{Const, Module, Profile, Valid, parse};
use pyrograph_compiler::{Options, compile, read_file};

use crate::driver::System;
use crate::shorthand::{file, files, root};

/// A file with all of its constants open, or none.
fn compiled(bytes: &[u8], profile: Profile, open: bool) -> Option<Valid<Module>> {
    let mut inputs = Vec::new();
    if open {
        let (graph, _) = read_file(bytes).ok()?;
        inputs.extend(graph.constant_names().into_iter().map(str::to_owned));
    }
    Some(compile(bytes, &Options { inputs, ..Options::new(profile) }).ok()?.module)
}

/// The numbers of all particles, bit by bit, after each of some steps.
fn play(module: Valid<Module>) -> Vec<String> {
    let module = Arc::new(module);
    let systems = (0..module.programs.len()).map(|at| Instance::new(Arc::clone(&module), at));
    let mut systems: Vec<System> = systems.map(|instance| System::new(instance.unwrap())).collect();
    let mut drawn = 0u32;
    let mut random = || {
        drawn += 1;
        f64::from(drawn.wrapping_mul(2_654_435_761)) / 4_294_967_296.0
    };
    let mut states = Vec::new();
    for step in 0..40 {
        for system in &mut systems {
            let result = match step {
                0 => system.start(&mut random),
                _ => system.animate(1.0, &mut random),
            };
            let mut text = format!("{result:?}");
            for slot in 0..system.instance.slots() {
                for (_, column) in system.instance.program().columns.iter() {
                    let Some(field) = column.field else { continue };
                    let value = system.instance.value(slot, field);
                    text += &format!(" {field}={:?}", value.map(Const::Float));
                }
            }
            states.push(text);
        }
    }
    states
}

#[test]
fn left_alone_they_are_the_constants() {
    let (mut graphs, mut inputs) = (0, 0);
    for path in files("fixtures/graphs") {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let bytes = fs::read(&path).unwrap();
        let closed = compiled(&bytes, Profile::Exact, false).unwrap_or_else(|| panic!("{name}"));
        let open = compiled(&bytes, Profile::Exact, true).unwrap_or_else(|| panic!("{name}"));
        graphs += 1;
        inputs += open.programs.iter().map(|program| program.inputs.len()).sum::<usize>();
        // What is printed reads back.
        assert_eq!(parse(&open.to_string()).unwrap().to_string(), open.to_string(), "{name}");
        assert_eq!(play(open), play(closed), "{name}");
        // What Parallel accepts, it accepts with inputs.
        let accepts = |open| compiled(&bytes, Profile::Parallel, open).is_some();
        assert_eq!(accepts(true), accepts(false), "{name}");
    }
    assert!(graphs > 400 && inputs > 1000, "{graphs} graphs, {inputs} inputs");
}

const GRAPH: &str = r#"1 SystemBlock {"name":"one","capacity":5} particle<2 emitRate<7
    9 SystemBlock {"name":"two","capacity":5} particle<10
    7 ParticleInputBlock {"name":"Rate","type":2,"value":3}
    6 ParticleInputBlock {"name":"Rate","type":2,"value":4}
    2 CreateParticleBlock size<6 scale<5 color<4 angle<3
    10 CreateParticleBlock size<6
    5 ParticleInputBlock {"name":"größe-2","type":4,"value":[1,2]}
    4 ParticleInputBlock {"name":"struct","type":128,"value":[1,2,3,4]}
    3 ParticleInputBlock {"name":"Age","contextualValue":3}
    8 ParticleInputBlock {"name":"Rate","type":2,"value":5}"#;

/// In each system those that it reaches, in file order.
#[test]
fn names_are_identifiers_numbered_in_file_order() {
    let module = compiled(&file(GRAPH), Profile::Exact, true).unwrap();
    let inputs = |system: usize| {
        let inputs = module.programs[system].inputs.iter();
        inputs.map(|(_, input)| (input.name.as_str(), input.initial.clone())).collect::<Vec<_>>()
    };
    let expected = [
        ("rate", vec![3.0]),
        ("rate_2", vec![4.0]),
        ("gr_e_2", vec![1.0, 2.0]),
        ("struct_2", vec![1.0, 2.0, 3.0, 4.0]),
    ];
    assert_eq!(inputs(0), expected);
    assert_eq!(inputs(1), [("rate", vec![4.0])]);
    assert_eq!(module.programs[0].inputs.iter().next().unwrap().1.block, "Rate");
}

#[test]
fn only_constants_can_be_opened() {
    let refused = |name: &str| {
        let options = Options { inputs: vec![name.into()], ..Options::default() };
        compile(&file(GRAPH), &options).unwrap_err().to_string()
    };
    assert_eq!(refused("rate"), "no constant of the graph is named \"rate\"");
    assert_eq!(refused("Age"), "block \"Age\" holds no constant that a host could change");
    assert_eq!(refused("one"), "block \"one\" holds no constant that a host could change");
    let several = ["x", "Rate", "Age"].map(str::to_owned).into();
    let errors = compile(&file(GRAPH), &Options { inputs: several, ..Options::default() });
    assert_eq!(errors.unwrap_err().error_count(), 2);
}

/// An input that no body reads is there all the same: what hosts may name does not depend on passes.
#[test]
fn unread_inputs_stay() {
    let text = r#"1 SystemBlock {"capacity":5} particle<2
        2 CreateParticleBlock size<3
        3 ParticleRandomBlock {"lockMode":9} max<4
        4 ParticleInputBlock {"name":"Most","type":2,"value":3}"#;
    let module = compiled(&file(text), Profile::Exact, true).unwrap();
    let program = &module.programs[0];
    let read = program.uniforms.iter().any(|(_, uniform)| uniform.name.starts_with("input."));
    assert_eq!((program.inputs.len(), read), (1, false), "{program}");
}
