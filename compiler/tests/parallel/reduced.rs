//! Failures of generated graphs are reduced to what fails.

use pyrograph_compiler::ir::{BinaryOp, Expr, Profile};
use pyrograph_compiler::{Options, compile};

use crate::generator::{Case, case};
use crate::reduce::reduce;

/// The planted failure: an update that divides.
fn divides(case: &Case) -> bool {
    let text = case.graph.to_string();
    let Ok(compiled) = compile(text.as_bytes(), &Options::new(Profile::Parallel)) else {
        return false;
    };
    let updates = compiled.module.programs.iter().map(|program| &program.update);
    let mut values = updates.flat_map(|body| body.values.iter());
    values.any(|(_, value)| matches!(value.expr, Expr::Binary(BinaryOp::Div, ..)))
}

#[test]
fn planted_failures_are_reduced() {
    let failing = (0..30).map(case).filter(divides);
    let mut count = 0;
    for case in failing {
        let before = case.graph["blocks"].as_array().unwrap().len();
        let small = reduce(case, divides);
        let blocks = small.graph["blocks"].as_array().unwrap();
        println!("{before} blocks, reduced to {}", blocks.len());
        assert!(divides(&small));
        // System, an update, and what divides: for a gradient some more.
        assert!(blocks.len() <= 10, "{:#}", small.graph);
        let keys: Vec<&String> = small.recording.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["steps"], "the failure needs no run");
        count += 1;
    }
    assert!(count > 5, "only {count} graphs fail");
}
