//! Scratch: print IR
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let profile = if std::env::args().nth(2).as_deref() == Some("parallel") {
        pyrograph_compiler::ir::Profile::Parallel
    } else {
        pyrograph_compiler::ir::Profile::Exact
    };
    let bytes = std::fs::read(path).unwrap();
    let source = pyrograph_compiler::graph::parse::parse(&bytes).unwrap();
    let (graph, _) = pyrograph_compiler::graph::normalize::normalize(&source).unwrap();
    let module = pyrograph_compiler::lower::lower(&graph, profile).unwrap();
    println!("{module}");
    if let Err(e) = pyrograph_compiler::ir::validate(module) {
        println!("{e}");
    }
}
