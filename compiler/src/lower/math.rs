//! Arithmetic: Math, FloatToInt, VectorLength, NumberMath, VectorMath, Trigonometry (spec sections
//! 9.12, 9.18, 9.19, S1P-010 to S1P-012).

use super::value::{Shape, Value};
use super::{Context, Error};
use crate::graph::kind::{
    Contextual, Kind, MathOp, NumberOp, Rounding, Source, TrigonometryOp, VectorOp,
};
use crate::graph::{BlockIndex, InputSource};
use crate::ir::{BinaryOp, UnaryOp, ValueId};

/// `left op right`, component by component; a number beside a vector counts for each component.
pub(crate) fn math(
    context: &mut Context<'_>,
    index: BlockIndex,
    op: MathOp,
) -> Result<Value, Error> {
    let left = context.required(index, "left")?;
    let right = context.required(index, "right")?;
    // Of a right side of another shape the evaluator for one source on both sides takes 0, the
    // other one reads properties (spec section 9.12).
    let reads_properties = !has_one_source(context, index);
    context.by_shape(&left, &mut |context, left_shape, left| {
        context.by_shape(&right, &mut |context, right_shape, right| {
            // A vector's shape where one side is a number, else the left one's.
            let shape = if left_shape == Shape::Scalar { right_shape } else { left_shape };
            let lacking = context.body.float(if reads_properties { f64::NAN } else { 0.0 });
            let at = |own: Shape, components: &[ValueId], at: usize| match own {
                Shape::Scalar => components[0],
                _ if own == shape => components[at],
                _ => {
                    if !reads_properties {
                        return lacking;
                    }
                    // Vectors share x and y.
                    let property = shape.properties()[at];
                    let found = own.properties().iter().position(|&other| other == property);
                    found.map_or(lacking, |found| components[found])
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

/// Whether left and right come from one output, or both from none.
fn has_one_source(context: &Context<'_>, index: BlockIndex) -> bool {
    let block = context.block(index);
    let wire = |name: &str| match block.input(name).map(|input| &input.source) {
        Some(InputSource::Wire(from, output)) => Some((*from, output.as_str())),
        Some(InputSource::Dangling | InputSource::Literal(_) | InputSource::Unconnected) | None => {
            None
        }
    };
    wire("left") == wire("right")
}

/// The number rounded; halves go up.
pub(crate) fn float_to_int(
    context: &mut Context<'_>,
    index: BlockIndex,
    rounding: Rounding,
) -> Result<Value, Error> {
    let value = context.input(index, "input", &[0.0])?;
    let number = context.number(&value);
    let op = match rounding {
        Rounding::Round => UnaryOp::Round,
        Rounding::Ceil => UnaryOp::Ceil,
        Rounding::Floor => UnaryOp::Floor,
        Rounding::Truncate => UnaryOp::Trunc,
    };
    Ok(Value::scalar(context.body.unary(op, number)))
}

/// The square root of the sum of squares; of a number its magnitude.
pub(crate) fn vector_length(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let value = context.required(index, "input")?;
    context.by_shape(&value, &mut |context, shape, components| {
        Ok(Value::scalar(match shape {
            Shape::Scalar => context.body.unary(UnaryOp::Abs, components[0]),
            Shape::Vector2 | Shape::Vector3 | Shape::Color => context.length(components),
        }))
    })
}

/// `left % right`, or `left` to the power `right`; whole where the left side is an Int.
pub(crate) fn number_math(
    context: &mut Context<'_>,
    index: BlockIndex,
    op: NumberOp,
) -> Result<Value, Error> {
    let left = context.required(index, "left")?;
    let left = context.number(&left);
    let right = context.required(index, "right")?;
    let right = context.number(&right);
    let result = match op {
        NumberOp::Modulo => context.body.binary(BinaryOp::Rem, left, right),
        NumberOp::Power => context.trig2(BinaryOp::Pow, left, right),
    };
    if !is_int(context, index) {
        return Ok(Value::scalar(result));
    }
    let whole = context.body.unary(UnaryOp::ToUint, result);
    Ok(Value::scalar(context.body.unary(UnaryOp::FromInt, whole)))
}

/// Whether the editor gives the block's left side the type Int.
fn is_int(context: &Context<'_>, index: BlockIndex) -> bool {
    let mut at = index;
    let mut name = "left";
    // A chain of blocks that take the type of their first input; no longer than the graph.
    for _ in 0..context.plan.order.len() {
        let Some(InputSource::Wire(from, _)) =
            context.block(at).input(name).map(|input| &input.source)
        else {
            return false;
        };
        name = match context.block(*from).kind {
            Kind::FloatToInt(_) => return true,
            Kind::Input(Source::Contextual(source)) => {
                return matches!(
                    source,
                    Contextual::SpriteCellIndex
                        | Contextual::SpriteCellStart
                        | Contextual::SpriteCellEnd
                );
            }
            Kind::Math(_) | Kind::NumberMath(_) | Kind::Lerp | Kind::NLerp => "left",
            Kind::Clamp { .. } | Kind::Step | Kind::SmoothStep => "value",
            Kind::Trigonometry(_) | Kind::LocalVariable(_) => "input",
            Kind::Random(_) => "min",
            _ => return false,
        };
        at = *from;
    }
    false
}

/// Scalar product or distance of two vectors of three.
pub(crate) fn vector_math(
    context: &mut Context<'_>,
    index: BlockIndex,
    op: VectorOp,
) -> Result<Value, Error> {
    let left = context.required(index, "left")?;
    let left = context.vector3(&left);
    let right = context.required(index, "right")?;
    let right = context.vector3(&right);
    Ok(Value::scalar(match op {
        VectorOp::Dot => context.dot(&left, &right),
        VectorOp::Distance => {
            let difference = [0, 1, 2].map(|axis| context.body.sub(left[axis], right[axis]));
            context.length(&difference)
        }
    }))
}

/// A function of each component.
pub(crate) fn trigonometry(
    context: &mut Context<'_>,
    index: BlockIndex,
    op: TrigonometryOp,
) -> Result<Value, Error> {
    let value = context.required(index, "input")?;
    context.map(&value, |context, x| Ok(function(context, op, x)))
}

fn function(context: &mut Context<'_>, op: TrigonometryOp, x: ValueId) -> ValueId {
    let [zero, one, two] = [0.0, 1.0, 2.0].map(|number| context.body.float(number));
    let body = &mut context.body;
    match op {
        TrigonometryOp::Cos => context.trig(UnaryOp::Cos, x),
        TrigonometryOp::Sin => context.trig(UnaryOp::Sin, x),
        TrigonometryOp::Exp => context.trig(UnaryOp::Exp, x),
        TrigonometryOp::Exp2 => context.trig2(BinaryOp::Pow, two, x),
        TrigonometryOp::Log => context.trig(UnaryOp::Ln, x),
        TrigonometryOp::Tan => context.trig(UnaryOp::Tan, x),
        TrigonometryOp::ArcTan => context.trig(UnaryOp::Atan, x),
        TrigonometryOp::ArcCos => context.trig(UnaryOp::Acos, x),
        TrigonometryOp::ArcSin => context.trig(UnaryOp::Asin, x),
        TrigonometryOp::Abs => body.unary(UnaryOp::Abs, x),
        TrigonometryOp::Round => body.unary(UnaryOp::Round, x),
        TrigonometryOp::Floor => body.unary(UnaryOp::Floor, x),
        TrigonometryOp::Ceiling => body.unary(UnaryOp::Ceil, x),
        TrigonometryOp::Sqrt => body.unary(UnaryOp::Sqrt, x),
        TrigonometryOp::Negate => body.unary(UnaryOp::Neg, x),
        TrigonometryOp::OneMinus => body.sub(one, x),
        TrigonometryOp::Reciprocal => body.div(one, x),
        // 0, -0 and NaN stay what they are.
        TrigonometryOp::Sign => {
            let minus_one = body.float(-1.0);
            let is_negative = body.binary(BinaryOp::Lt, x, zero);
            let is_positive = body.binary(BinaryOp::Lt, zero, x);
            let upper = body.select(is_positive, one, x);
            body.select(is_negative, minus_one, upper)
        }
        TrigonometryOp::ToDegrees => scaled(context, x, 180.0, std::f64::consts::PI),
        TrigonometryOp::ToRadians => scaled(context, x, std::f64::consts::PI, 180.0),
        // What is behind the point, with the sign of the whole.
        TrigonometryOp::Fract => {
            let is_upper = body.binary(BinaryOp::Le, zero, x);
            let floor = body.unary(UnaryOp::Floor, x);
            let ceiling = body.unary(UnaryOp::Ceil, x);
            let whole = body.select(is_upper, floor, ceiling);
            body.sub(x, whole)
        }
    }
}

/// `x * factor / divisor`
fn scaled(context: &mut Context<'_>, x: ValueId, factor: f64, divisor: f64) -> ValueId {
    let [factor, divisor] = [factor, divisor].map(|number| context.body.float(number));
    let product = context.body.mul(x, factor);
    context.body.div(product, divisor)
}
