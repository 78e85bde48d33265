//! Special numbers give what JavaScript gives, and the interpreter computes what the lanes do.

use std::fmt::Write;
use std::sync::Arc;

use super::lanes::{Lane, Lanes};
use super::{call, dense, exact, exp2, find};
use pyrograph_compiler::interpret::{Instance, Uniforms};
use pyrograph_compiler::ir::{
    Arena, BodyBuilder, Const, Function, Module, Storage, Table, Type, UnaryOp, parse, validate,
};
use pyrograph_compiler::lower::polynomial::functions;

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;

/// What is odd about numbers.
const SPECIAL: [f32; 28] = [
    0.0,
    -0.0,
    1e-45,
    -1e-45,
    1e-38,
    -1e-38,
    1e-7,
    0.5,
    -0.5,
    0.75,
    1.0,
    -1.0,
    1.000_000_1,
    -1.000_000_1,
    1.5,
    -1.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    16_777_216.0,
    -16_777_215.0,
    88.722_84,
    -103.972_08,
    3.4e38,
    -3.4e38,
    INF,
    -INF,
];

/// Where the exact result is one of these, the function must give it, the sign of zero included.
fn is_exact(value: f64) -> bool {
    let rounded = value as f32;
    value.is_nan() || rounded.is_infinite() || value == 0.0
}

fn same(found: f32, expected: f64) -> bool {
    let expected = expected as f32;
    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan())
}

type Reference = fn(f64) -> f64;

#[test]
fn special_numbers_give_what_javascript_gives() {
    let all = functions();
    let points: Vec<f32> = SPECIAL.into_iter().chain([NAN, -NAN]).collect();
    let one: [(&str, Reference); 9] = [
        ("sine", exact::sin),
        ("cosine", exact::cos),
        ("tangent", exact::tan),
        ("arc_sine", exact::asin),
        ("arc_cosine", exact::acos),
        ("arc_tangent", exact::atan),
        ("exponential", exact::exp),
        ("power_of_two", exp2),
        ("logarithm", exact::ln),
    ];
    let mut checked = 0;
    for (name, reference) in one {
        for (&x, &found) in points.iter().zip(&call(&all, name, &[&points])) {
            let expected = reference(f64::from(x));
            if is_exact(expected) {
                assert!(same(found, expected), "{name}({x:?}) = {found:?}, not {expected:?}");
                checked += 1;
            } else {
                assert!(found.is_finite(), "{name}({x:?}) = {found:?}, not {expected:?}");
            }
        }
    }
    for (name, reference) in
        [("power", exact::pow as fn(f64, f64) -> f64), ("arc_tangent2", exact::atan2)]
    {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for &a in &points {
            for &b in &points {
                left.push(a);
                right.push(b);
            }
        }
        let found = call(&all, name, &[&left, &right]);
        for ((&a, &b), &found) in left.iter().zip(&right).zip(&found) {
            let expected = reference(f64::from(a), f64::from(b));
            let rounded = expected as f32;
            let close = (f64::from(found) - expected).abs() <= 1e-6 * expected.abs() + 3e-45;
            // Quotients of numbers near the ends of the range lose digits below them.
            assert!(
                same(found, expected) || (rounded.is_finite() && close),
                "{name}({a:?}, {b:?}) = {found:?}, not {expected:?}"
            );
            checked += 1;
        }
    }
    assert!(checked > 1_700, "{checked} checked");
}

/// A program whose births put the values of all functions into columns, each of its own operand.
fn program(all: &Arena<Function>, points: &[f32]) -> Module {
    let mut text = format!("program \"\" parallel capacity {} {{\n", points.len());
    for (_, function) in all.iter() {
        for (index, &result) in function.body.results.iter().enumerate() {
            let storage =
                if function.body.values[result].ty == Type::Float { "f32" } else { "u32" };
            writeln!(text, "column {}.{index} {storage}", function.name).unwrap();
        }
    }
    text.push_str("birth {\n}\n}");
    // Columns need their stores, so that the rest is built.
    let mut module = parse(&text).unwrap();
    let program = &mut module.programs[0];
    program.functions = all.clone();
    let values = points.iter().map(|&point| f64::from(point)).collect();
    let table = program.tables.push(Table { name: "points".into(), values });
    let mut body = BodyBuilder::default();
    let id = body.new_id();
    let x = body.table(table, id);
    // Another number for the second operand.
    let one = body.uint(1);
    let next = body.binary(pyrograph_compiler::ir::BinaryOp::IAdd, id, one);
    let y = body.table(table, next);
    for (handle, function) in all.iter() {
        let types: Vec<Type> =
            function.body.results.iter().map(|&value| function.body.values[value].ty).collect();
        let arguments = [x, y][..function.params.len()].to_vec();
        for (index, value) in body.call(handle, arguments, &types).into_iter().enumerate() {
            let name = format!("{}.{index}", function.name);
            let column = program.columns.find(|column| column.name == name).unwrap();
            assert_ne!(program.columns[column].storage, Storage::F64);
            body.store(column, value);
        }
    }
    program.birth = body.finish(Vec::new());
    module
}

#[test]
fn the_interpreter_computes_the_same_bits() {
    let all = functions();
    let mut points: Vec<f32> = dense().into_iter().step_by(47).collect();
    points.extend(SPECIAL);
    points.push(NAN);
    points.push(1.0);
    let module = Arc::new(validate(program(&all, &points)).unwrap());
    let mut system = Instance::new(module, 0).unwrap();
    let count = points.len() as u32 - 1;
    system.birth(count, &Uniforms::default(), &mut || 0.0).unwrap();
    let next = &points[1..];
    for (handle, function) in all.iter() {
        // Its operands are a whole number and a part.
        if function.name == "scaled_power" {
            continue;
        }
        assert_eq!(find(&all, &function.name), handle);
        let operands = [&points[..points.len() - 1], next];
        let lanes: Vec<_> = operands[..function.params.len()]
            .iter()
            .map(|points| Lane::Float(points.to_vec()))
            .collect();
        let results = Lanes::new(&all).call(handle, &lanes);
        for (index, lane) in results.iter().enumerate() {
            let name = format!("{}.{index}", function.name);
            let column = system.program().columns.find(|column| column.name == name).unwrap();
            for slot in 0..count as usize {
                let found = system.column(slot, column).unwrap();
                let same = match (lane, found) {
                    (Lane::Float(values), Const::Float(found)) => same(values[slot], found),
                    (Lane::Uint(values), Const::Uint(found)) => values[slot] == found,
                    _ => false,
                };
                assert!(same, "{name} of {:?}: {found:?}", points[slot]);
            }
        }
    }
}

/// Checked by naga.
#[cfg(feature = "wgsl")]
#[test]
fn every_function_has_valid_wgsl() {
    use pyrograph_compiler::emit::{layout::Limits, wgsl};
    let all = functions();
    let module = validate(program(&all, &[0.5, 2.0])).unwrap();
    let text = wgsl::emit(&module, 0, &Limits::default()).unwrap().source;
    for (_, function) in all.iter() {
        assert!(text.contains(&format!("fn {}(", function.name)), "{} is missing", function.name);
    }
}

#[test]
fn polynomials_hold_no_costly_operation_that_their_docs_do_not_name() {
    for (_, function) in functions().iter() {
        let divides = |expr| {
            matches!(
                expr,
                pyrograph_compiler::ir::Expr::Binary(pyrograph_compiler::ir::BinaryOp::Div, ..)
                    | pyrograph_compiler::ir::Expr::Unary(UnaryOp::Sqrt, _)
            )
        };
        let count = function.body.values.iter().filter(|(_, value)| divides(value.expr)).count();
        let expected = match function.name.as_str() {
            "tangent" | "arc_sine_inside" | "arc_cosine_inside" | "arc_tangent"
            | "upper_half_angle" => 1,
            _ => 0,
        };
        assert_eq!(count, expected, "{}", function.name);
    }
}
