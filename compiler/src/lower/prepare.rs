//! The `prepare` body: what one call computes once, before anything reads it.
//!
//! In Parallel these are the values that all particles share ([`Prepared::Value`]): they are taken
//! at the start of the call. In both profiles also the inverse emitter matrix and the strengths of
//! noise.

use super::context::Shapes;
use super::init::strength_registers;
use super::plan::Plan;
use super::state::{Prepared, State};
use super::value::{Shape, Value, Variant};
use super::{Context, Error, local, random};
use crate::graph::Graph;
use crate::graph::kind::Kind;
use crate::ir::{BinaryOp, Body, BodyKind, Profile, UnaryOp, UniformSource, ValueId};

/// Lowers the body, if the system needs one. `init` has been lowered before.
pub(crate) fn body(graph: &Graph, plan: &Plan, state: &mut State) -> Option<Body> {
    let mut context = Context::new(graph, plan, state, BodyKind::Prepare);
    let mut results = Vec::new();
    for &index in &plan.order {
        let is_shared = context.profile() == Profile::Parallel
            && (random::needs_preparation(&context, index) || local::is_loop(&context, index));
        if is_shared {
            let value = context.evaluate(index, "output").unwrap_or_else(|error| {
                context.state.errors.push(error);
                // Whoever reads it has nothing to add.
                context.constants(&[0.0])
            });
            publish(&mut context, &mut results, Prepared::Value(index), &value);
        }
        match context.block(index).kind {
            Kind::CylinderShape
                if !context.state.prepared.contains_key(&Prepared::InverseEmitter) =>
            {
                let inverse = context.at_block(index, inverse_emitter);
                publish_numbers(&mut context, &mut results, Prepared::InverseEmitter, &inverse);
            }
            Kind::UpdateNoise if !context.state.strengths.contains_key(&index) => {
                let strength = strength_registers(context.state, index)
                    .map(|register| context.load_register(register));
                publish_numbers(&mut context, &mut results, Prepared::Strength(index), &strength);
            }
            _ => {}
        }
    }
    (!results.is_empty()).then(|| context.finish(results))
}

fn publish(context: &mut Context<'_>, results: &mut Vec<ValueId>, key: Prepared, value: &Value) {
    let mut numbers: Vec<ValueId> =
        value.variants.iter().flat_map(|variant| variant.components.iter().copied()).collect();
    if let Some(tag) = value.tag {
        numbers.push(context.body.unary(UnaryOp::FromUint, tag));
    }
    context.state.prepared.insert(key, (results.len() as u32, value.shapes()));
    results.extend(numbers);
}

fn publish_numbers(
    context: &mut Context<'_>,
    results: &mut Vec<ValueId>,
    key: Prepared,
    numbers: &[ValueId],
) {
    let shapes: Shapes = vec![Shape::Scalar; numbers.len()];
    context.state.prepared.insert(key, (results.len() as u32, shapes));
    results.extend_from_slice(numbers);
}

/// A value that was computed at the start of the call.
pub(crate) fn prepared(context: &mut Context<'_>, key: Prepared) -> Result<Value, Error> {
    let Some((mut next, shapes)) = context.state.prepared.get(&key).cloned() else {
        missing(context)?;
        return Ok(context.constants(&[f64::NAN]));
    };
    let mut result = |context: &mut Context<'_>| {
        next += 1;
        context.uniform(UniformSource::Prepared(next - 1))
    };
    let mut variants = Vec::new();
    for &shape in &shapes {
        let components = (0..shape.len()).map(|_| result(context)).collect();
        variants.push(Variant { shape, components });
    }
    let tag = (shapes.len() > 1).then(|| {
        let tag = result(context);
        context.body.unary(UnaryOp::ToUint, tag)
    });
    Ok(Value { variants, tag })
}

/// Numbers that were computed at the start of the call.
pub(crate) fn prepared_numbers<const N: usize>(
    context: &mut Context<'_>,
    key: Prepared,
) -> Result<[ValueId; N], Error> {
    let Some(&(first, _)) = context.state.prepared.get(&key) else {
        missing(context)?;
        return Ok([context.body.float(f64::NAN); N]);
    };
    let mut at = first;
    Ok([(); N].map(|()| {
        at += 1;
        context.uniform(UniformSource::Prepared(at - 1))
    }))
}

/// Why nothing was prepared: either that failed, which has been reported, or the value is read too
/// early.
fn missing(context: &Context<'_>) -> Result<(), Error> {
    if context.state.errors.is_empty() {
        let why = "it has one value a call, and is read before the first call";
        return Err(context.no_parallel_form(why));
    }
    Ok(())
}

/// The elements 0 1 2, 4 5 6, 8 9 10 of the inverse of the emitter's matrix, or of the identity where
/// the determinant is less than 1e-10 from 0 (spec section 9.8).
fn inverse_emitter(context: &mut Context<'_>) -> [ValueId; 9] {
    let a = |context: &mut Context<'_>, column: u8, row: u8| {
        context.uniform(UniformSource::EmitterMatrix(4 * column + row))
    };
    // Minors of the first two columns, then of the last two.
    let mut minors = Vec::new();
    for first in [0, 2] {
        for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let left = [a(context, first, i), a(context, first + 1, j)];
            let right = [a(context, first, j), a(context, first + 1, i)];
            let left = context.body.mul(left[0], left[1]);
            let right = context.body.mul(right[0], right[1]);
            minors.push(context.body.sub(left, right));
        }
    }
    let terms = [(0, 11, 1), (1, 10, -1), (2, 9, 1), (3, 8, 1), (4, 7, -1), (5, 6, 1)];
    let terms = terms.map(|(left, right, sign)| (minors[left], minors[right], sign));
    let determinant = signed_sum(context, &terms);
    let one = context.body.float(1.0);
    let zero = context.body.float(0.0);
    let reciprocal = context.body.div(one, determinant);
    let magnitude = context.body.unary(UnaryOp::Abs, determinant);
    let limit = context.body.float(1e-10);
    let is_singular = context.body.binary(BinaryOp::Lt, magnitude, limit);
    COFACTORS.map(|(terms, diagonal)| {
        let terms =
            terms.map(|(column, row, minor, sign)| (a(context, column, row), minors[minor], sign));
        let cofactor = signed_sum(context, &terms);
        let element = context.body.mul(cofactor, reciprocal);
        let identity = if diagonal { one } else { zero };
        context.body.select(is_singular, identity, element)
    })
}

/// Column and row of a matrix element, a minor, and the sign of their product.
type Term = (u8, u8, usize, i8);

/// For each element of the inverse its terms, and whether it is on the diagonal.
const COFACTORS: [([Term; 3], bool); 9] = [
    ([(1, 1, 11, 1), (1, 2, 10, -1), (1, 3, 9, 1)], true),
    ([(0, 2, 10, 1), (0, 1, 11, -1), (0, 3, 9, -1)], false),
    ([(3, 1, 5, 1), (3, 2, 4, -1), (3, 3, 3, 1)], false),
    ([(1, 2, 8, 1), (1, 0, 11, -1), (1, 3, 7, -1)], false),
    ([(0, 0, 11, 1), (0, 2, 8, -1), (0, 3, 7, 1)], true),
    ([(3, 2, 2, 1), (3, 0, 5, -1), (3, 3, 1, -1)], false),
    ([(1, 0, 10, 1), (1, 1, 8, -1), (1, 3, 6, 1)], false),
    ([(0, 1, 8, 1), (0, 0, 10, -1), (0, 3, 6, -1)], false),
    ([(3, 0, 4, 1), (3, 1, 2, -1), (3, 3, 0, 1)], true),
];

/// The products with their signs, added in order.
fn signed_sum(context: &mut Context<'_>, terms: &[(ValueId, ValueId, i8)]) -> ValueId {
    let mut sum = None;
    for &(a, b, sign) in terms {
        let product = context.body.mul(a, b);
        sum = Some(match sum {
            None => product,
            Some(sum) if sign < 0 => context.body.sub(sum, product),
            Some(sum) => context.body.add(sum, product),
        });
    }
    sum.unwrap_or_else(|| context.body.float(0.0))
}
