//! The kernels that the macro embeds.

use std::fs;
use std::path::Path;

use pyrograph::compiler::emit::layout::Limits;
use pyrograph::compiler::emit::wgsl;
use pyrograph::compiler::ir::Profile;
use pyrograph::{Options, compile};

pyrograph::include_particle_graph!(
    mod fountain = "fixtures/graphs/canonical/fountain.json",
    profile = parallel, observe = state, wgsl = true
);

#[test]
fn constants_are_what_the_compiler_prints() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/graphs/canonical/fountain.json");
    let module = compile(&fs::read(path).unwrap(), &Options::new(Profile::Parallel));
    let module = module.unwrap().module;
    let made = wgsl::emit(&module, 0, &Limits::default()).unwrap();
    assert_eq!(fountain::WGSL, made.source);
    assert_eq!(fountain::MANIFEST, wgsl::to_json(&module.programs[0], &made.manifest));
}
