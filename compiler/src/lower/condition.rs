//! ParticleConditionBlock (spec section 9.17).

use super::value::Value;
use super::{Context, Error};
use crate::graph::BlockIndex;
use crate::graph::kind::Test;
use crate::ir::{BinaryOp, Const, UnaryOp, ValueId};

/// `ifTrue` where the test of left and right holds, `ifFalse` where it does not; only that one is
/// evaluated.
pub(crate) fn condition(
    context: &mut Context<'_>,
    index: BlockIndex,
    test: Test,
    epsilon: f64,
) -> Result<Value, Error> {
    let left = context.input(index, "left", &[0.0])?;
    let left = context.number(&left);
    let right = context.input(index, "right", &[0.0])?;
    let right = context.number(&right);
    let holds = holds(context, test, epsilon, left, right);
    match context.body.as_constant(holds) {
        Some(Const::Bool(true)) => context.input(index, "ifTrue", &[1.0]),
        Some(Const::Bool(false)) => context.input(index, "ifFalse", &[0.0]),
        Some(Const::Float(_) | Const::Uint(_)) | None => context.either(
            holds,
            |context| context.input(index, "ifTrue", &[1.0]),
            |context| context.input(index, "ifFalse", &[0.0]),
        ),
    }
}

/// Comparisons leave room for `epsilon`; none holds for NaN.
fn holds(
    context: &mut Context<'_>,
    test: Test,
    epsilon: f64,
    left: ValueId,
    right: ValueId,
) -> ValueId {
    let epsilon = context.body.float(epsilon);
    let distance = |context: &mut Context<'_>| {
        let difference = context.body.sub(left, right);
        context.body.unary(UnaryOp::Abs, difference)
    };
    let logic = |context: &mut Context<'_>, op: BinaryOp| {
        let (left, right) = (context.truthy(left), context.truthy(right));
        context.body.binary(op, left, right)
    };
    match test {
        Test::Equal => {
            let distance = distance(context);
            context.body.binary(BinaryOp::Le, distance, epsilon)
        }
        Test::NotEqual => {
            let distance = distance(context);
            context.greater(distance, epsilon)
        }
        Test::LessThan => {
            let limit = context.body.add(right, epsilon);
            context.body.binary(BinaryOp::Lt, left, limit)
        }
        Test::GreaterThan => {
            let limit = context.body.sub(right, epsilon);
            context.greater(left, limit)
        }
        Test::LessOrEqual => {
            let limit = context.body.add(right, epsilon);
            context.body.binary(BinaryOp::Le, left, limit)
        }
        Test::GreaterOrEqual => {
            let limit = context.body.sub(right, epsilon);
            context.body.binary(BinaryOp::Le, limit, left)
        }
        Test::Xor => logic(context, BinaryOp::Xor),
        Test::Or => logic(context, BinaryOp::Or),
        Test::And => logic(context, BinaryOp::And),
        Test::Never => context.body.constant(Const::Bool(false)),
    }
}
