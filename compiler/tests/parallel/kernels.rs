//! Every fixture that has a Parallel form has kernels, which naga takes.

use crate::fixtures::{graphs, module};
use pyrograph_compiler::emit::layout::Limits;
use pyrograph_compiler::emit::wgsl::emit;
use pyrograph_compiler::ir::Profile;

#[test]
fn every_fixture_has_valid_wgsl() {
    let mut systems = 0;
    for (name, path) in graphs() {
        let Some(module) = module(&path, Profile::Parallel) else { continue };
        for index in 0..module.programs.len() {
            if let Err(error) = emit(&module, index, &Limits::default()) {
                panic!("{name}, system {index}: {error}");
            }
            systems += 1;
        }
    }
    println!("{systems} systems");
    assert!(systems > 400, "{systems} systems");
}
