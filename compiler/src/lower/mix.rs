//! Blends and bounds: Lerp, NLerp, Clamp, Step, SmoothStep (spec section 9.13, S1P-008, S1P-009).

use super::value::{Value, Variant};
use super::{Context, Error};
use crate::graph::BlockIndex;
use crate::ir::{BinaryOp, ValueId};

/// `left + (right - left) * gradient`, unclamped, in the shape of `left`.
pub(crate) fn lerp(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let left = context.required(index, "left")?;
    let right = context.required(index, "right")?;
    let gradient = context.input(index, "gradient", &[0.0])?;
    let gradient = context.number(&gradient);
    interpolate(context, &left, &right, gradient)
}

/// The interpolation that Lerp and Gradient share; an incompatible right side counts as 0.
pub(crate) fn interpolate(
    context: &mut Context<'_>,
    left: &Value,
    right: &Value,
    amount: ValueId,
) -> Result<Value, Error> {
    context.by_shape(left, &mut |context, shape, left| {
        let zero = context.body.float(0.0);
        let components = (0..shape.len()).map(|component| {
            let right = context.pick(right, zero, |variant: &Variant| {
                (variant.shape == shape).then(|| variant.components[component])
            });
            blend(context, left[component], right, amount)
        });
        Ok(Value::of(components.collect()))
    })
}

/// `left + (right - left) * amount`
pub(crate) fn blend(
    context: &mut Context<'_>,
    left: ValueId,
    right: ValueId,
    amount: ValueId,
) -> ValueId {
    let change = context.body.sub(right, left);
    let change = context.body.mul(change, amount);
    context.body.add(left, change)
}

/// `(1 - gradient) * left + gradient * right`, and of vectors and colours the normalized result.
pub(crate) fn nlerp(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let left = context.required(index, "left")?;
    let right = context.required(index, "right")?;
    let gradient = context.input(index, "gradient", &[0.0])?;
    let gradient = context.number(&gradient);
    let one = context.body.float(1.0);
    let rest = context.body.sub(one, gradient);
    context.by_shape(&left, &mut |context, shape, left| {
        let nan = context.body.float(f64::NAN);
        let components = (0..shape.len()).map(|component| {
            let right = context.pick(&right, nan, |right| right.counterpart(shape, component));
            let left = context.body.mul(rest, left[component]);
            let right = context.body.mul(gradient, right);
            context.body.add(left, right)
        });
        let components: Vec<ValueId> = components.collect();
        Ok(Value::of(match *components.as_slice() {
            [x, y] => context.normalize([x, y]).into(),
            [x, y, z] => context.normalize([x, y, z]).into(),
            [r, g, b, a] => context.normalize([r, g, b, a]).into(),
            _ => components,
        }))
    })
}

/// `max(min, min(value, max))` of each component; the bounds are the block's where their inputs have
/// neither wire nor literal.
pub(crate) fn clamp(
    context: &mut Context<'_>,
    index: BlockIndex,
    minimum: f64,
    maximum: f64,
) -> Result<Value, Error> {
    let value = context.required(index, "value")?;
    let min = context.input(index, "min", &[minimum])?;
    let min = context.number(&min);
    let max = context.input(index, "max", &[maximum])?;
    let max = context.number(&max);
    context.map(&value, |context, x| {
        let below = context.body.binary(BinaryOp::Min, x, max);
        Ok(context.body.binary(BinaryOp::Max, min, below))
    })
}

/// 0 below the edge, 1 from there on (and for NaN).
pub(crate) fn step(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let value = context.required(index, "value")?;
    let edge = context.input(index, "edge", &[0.0])?;
    let edge = context.number(&edge);
    let [zero, one] = [0.0, 1.0].map(|number| context.body.float(number));
    context.map(&value, |context, x| {
        let below = context.body.binary(BinaryOp::Lt, x, edge);
        Ok(context.body.select(below, zero, one))
    })
}

/// `x * x * (3 - 2 * x)` with `x = max(0, min((value - edge0) / (edge1 - edge0), 1))`.
pub(crate) fn smooth_step(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let value = context.required(index, "value")?;
    let first = context.input(index, "edge0", &[0.0])?;
    let first = context.number(&first);
    let second = context.input(index, "edge1", &[1.0])?;
    let second = context.number(&second);
    let span = context.body.sub(second, first);
    let [zero, one, two, three] = [0.0, 1.0, 2.0, 3.0].map(|number| context.body.float(number));
    context.map(&value, |context, value| {
        let offset = context.body.sub(value, first);
        let share = context.body.div(offset, span);
        let share = context.body.binary(BinaryOp::Min, share, one);
        let x = context.body.binary(BinaryOp::Max, zero, share);
        let squared = context.body.mul(x, x);
        let doubled = context.body.mul(two, x);
        let rest = context.body.sub(three, doubled);
        Ok(context.body.mul(squared, rest))
    })
}
