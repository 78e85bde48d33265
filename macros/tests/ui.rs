//! What users see of what is wrong. `TRYBUILD=overwrite cargo test -p pyrograph-macros --test ui`
//! writes the kept texts anew.

use std::fs;
use std::path::Path;

#[test]
fn errors_are_told_at_the_name_of_the_file() {
    // The cases are compiled as a crate of this folder, and graphs are looked for in their crate's.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let folder = target.join("tests/trybuild/pyrograph-macros/graphs");
    fs::create_dir_all(&folder).unwrap();
    let graphs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/graphs");
    for graph in fs::read_dir(graphs).unwrap() {
        let graph = graph.unwrap();
        fs::copy(graph.path(), folder.join(graph.file_name())).unwrap();
    }
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
