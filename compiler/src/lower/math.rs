//! Value blocks that compute: Math, Lerp, Converter, Gradient (spec sections 9.12 to 9.16).

use super::value::{Property, Shape, Value, Variant};
use super::{Context, Error};
use crate::graph::kind::{Kind, MathOp};
use crate::graph::{BlockIndex, InputSource};
use crate::ir::{BinaryOp, ValueId};

/// `left op right`, component by component; a number beside a vector counts for each component.
pub(crate) fn math(
    context: &mut Context<'_>,
    index: BlockIndex,
    op: MathOp,
) -> Result<Value, Error> {
    let left = context.input(index, "left", &[])?;
    let right = context.input(index, "right", &[])?;
    context.by_shape(&left, &mut |context, left_shape, left| {
        context.by_shape(&right, &mut |context, right_shape, right| {
            // The contract: a vector's shape where one side is a number, else the left one's.
            let shape = if left_shape == Shape::Scalar { right_shape } else { left_shape };
            let nan = context.body.float(f64::NAN);
            let at = |own: Shape, components: &[ValueId], at: usize| match own {
                Shape::Scalar => components[0],
                _ if own == shape => components[at],
                // Another shape has no such property, but for the x and y that vectors share.
                _ => {
                    let property = shape.properties()[at];
                    let found = own.properties().iter().position(|&other| other == property);
                    found.map_or(nan, |found| components[found])
                }
            };
            let components = (0..shape.len()).map(|component| {
                let a = at(left_shape, left, component);
                let b = at(right_shape, right, component);
                apply(context, op, a, b)
            });
            Ok(Value::of(components.collect()))
        })
    })
}

fn apply(context: &mut Context<'_>, op: MathOp, a: ValueId, b: ValueId) -> ValueId {
    let op = match op {
        MathOp::Add => BinaryOp::Add,
        MathOp::Subtract => BinaryOp::Sub,
        MathOp::Multiply => BinaryOp::Mul,
        MathOp::Divide => BinaryOp::Div,
        MathOp::Max => BinaryOp::Max,
        MathOp::Min => BinaryOp::Min,
        MathOp::Left => return a,
    };
    context.body.binary(op, a, b)
}

/// `left + (right - left) * gradient`, unclamped, in the shape of `left`.
pub(crate) fn lerp(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let left = context.input(index, "left", &[])?;
    let right = context.input(index, "right", &[])?;
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
            let change = context.body.sub(right, left[component]);
            let change = context.body.mul(change, amount);
            context.body.add(left[component], change)
        });
        Ok(Value::of(components.collect()))
    })
}

/// Regroups components: `color` alone where it is connected, else x y z w, then xy, zw, xyz over
/// them.
pub(crate) fn converter(
    context: &mut Context<'_>,
    index: BlockIndex,
    output: &str,
) -> Result<Value, Error> {
    let zero = context.body.float(0.0);
    let mut data = [zero; 4];
    let block = context.block(index);
    if block.is_connected("color") {
        let color = context.input(index, "color", &[])?;
        data = context.color(&color);
    } else {
        for (at, name) in ["x", "y", "z", "w"].into_iter().enumerate() {
            if block.is_connected(name) {
                let value = context.input(index, name, &[])?;
                data[at] = context.number(&value);
            }
        }
        for (name, at, len) in [("xy", 0, 2), ("zw", 2, 2), ("xyz", 0, 3)] {
            if block.is_connected(name) {
                let value = context.input(index, name, &[])?;
                let properties = [Property::X, Property::Y, Property::Z];
                for (component, property) in properties.into_iter().take(len).enumerate() {
                    data[at + component] = context.property(&value, property);
                }
            }
        }
    }
    let [x, y, z, w] = data;
    match output {
        "color" => Ok(Value::of(vec![x, y, z, w])),
        "xyz" => Ok(Value::of(vec![x, y, z])),
        "xy" => Ok(Value::of(vec![x, y])),
        "zw" => Ok(Value::of(vec![z, w])),
        "x" => Ok(Value::scalar(x)),
        "y" => Ok(Value::scalar(y)),
        "z" => Ok(Value::scalar(z)),
        "w" => Ok(Value::scalar(w)),
        _ => Err(Error::unsupported(index, block)),
    }
}

/// One stop of a gradient.
struct Stop {
    reference: f64,
    block: BlockIndex,
}

/// The value between the two stops around `gradient`: scalar 0 below the first, the last one's
/// value above it.
pub(crate) fn gradient(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let stops = stops(context, index);
    match stops.as_slice() {
        [] => Ok(context.constants(&[0.0])),
        // A single stop counts whatever the gradient is, which is then not read.
        [only] => context.input(only.block, "value", &[0.0]),
        _ => {
            let gradient = context.input(index, "gradient", &[1.0])?;
            let gradient = context.number(&gradient);
            segment(context, &stops, gradient)
        }
    }
}

/// The stops in ascending order of their references (spec section 9.16).
fn stops(context: &Context<'_>, index: BlockIndex) -> Vec<Stop> {
    let inputs = context.block(index).inputs.iter().filter(|input| input.name.starts_with("value"));
    let mut stops: Vec<Stop> = inputs
        .filter_map(|input| match &input.source {
            InputSource::Wire(block, _) => match context.block(*block).kind {
                Kind::GradientValue { reference } => Some(Stop { reference, block: *block }),
                _ => None,
            },
            _ => None,
        })
        .collect();
    stops
        .sort_by(|a, b| a.reference.partial_cmp(&b.reference).unwrap_or(std::cmp::Ordering::Equal));
    stops
}

/// Looks from the last stop downwards, as the contract does, and evaluates only what it finds.
fn segment(context: &mut Context<'_>, stops: &[Stop], gradient: ValueId) -> Result<Value, Error> {
    let Some((lower, rest)) = stops.split_last() else {
        return Ok(context.constants(&[0.0]));
    };
    segment_below(context, lower, None, rest, gradient)
}

fn segment_below(
    context: &mut Context<'_>,
    lower: &Stop,
    upper: Option<&Stop>,
    rest: &[Stop],
    gradient: ValueId,
) -> Result<Value, Error> {
    let reference = context.body.float(lower.reference);
    let here = context.body.binary(BinaryOp::Le, reference, gradient);
    context.either(
        here,
        |context| {
            let value = context.input(lower.block, "value", &[0.0])?;
            let Some(upper) = upper else { return Ok(value) };
            let next = context.input(upper.block, "value", &[0.0])?;
            // No clamp: the gradient lies between the two references here.
            let offset = context.body.sub(gradient, reference);
            let span = context.body.float(upper.reference - lower.reference);
            let amount = context.body.div(offset, span);
            interpolate(context, &value, &next, amount)
        },
        |context| match rest.split_last() {
            Some((next, rest)) => segment_below(context, next, Some(lower), rest, gradient),
            None => Ok(context.constants(&[0.0])),
        },
    )
}
