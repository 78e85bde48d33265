//! ParticleGradientBlock with its stops, ParticleGradientValueBlock (spec sections 9.15, 9.16).

use super::mix::{blend, interpolate};
use super::value::Value;
use super::{Context, Error};
use crate::graph::kind::Kind;
use crate::graph::{BlockIndex, InputSource};
use crate::ir::{BinaryOp, ValueId};

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
        [only] => value(context, only),
        _ => {
            let gradient = context.input(index, "gradient", &[1.0])?;
            let gradient = context.number(&gradient);
            if stops.iter().all(|stop| context.is_pure_input(stop.block, "value")) {
                between_known(context, &stops, gradient)
            } else {
                segment(context, &stops, gradient)
            }
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
            InputSource::Dangling | InputSource::Literal(_) | InputSource::Unconnected => None,
        })
        .collect();
    stops
        .sort_by(|a, b| a.reference.partial_cmp(&b.reference).unwrap_or(std::cmp::Ordering::Equal));
    stops
}

/// The value of a stop; 0 without one.
fn value(context: &mut Context<'_>, stop: &Stop) -> Result<Value, Error> {
    context.at_block(stop.block, |context| context.input(stop.block, "value", &[0.0]))
}

/// A GradientValue that something else than a gradient reads: an object that has none of the
/// components that anyone asks for.
pub(crate) fn stop_as_value(context: &mut Context<'_>) -> Value {
    context.constants(&[f64::NAN; 2])
}

// --- Stops that may be evaluated where the contract would not ---------------------------------

/// Evaluates all stops, then selects the two around the gradient, and interpolates once.
///
/// The bits are those of [`segment`]: the selected numbers are those that its branch would take, the
/// width of a segment is the same difference of two constants, and the last stop's value, which is
/// not interpolated, is selected at the end.
fn between_known(
    context: &mut Context<'_>,
    stops: &[Stop],
    gradient: ValueId,
) -> Result<Value, Error> {
    let values = stops.iter().map(|stop| value(context, stop));
    let values: Vec<Value> = values.collect::<Result<_, _>>()?;
    let shape = values.first().and_then(Value::fixed).map(|first| first.shape);
    let Some(shape) = shape.filter(|&shape| {
        values.iter().all(|value| value.fixed().is_some_and(|only| only.shape == shape))
    }) else {
        return segment(context, stops, gradient);
    };
    let reached: Vec<ValueId> = stops
        .iter()
        .map(|stop| {
            let reference = context.body.float(stop.reference);
            context.body.binary(BinaryOp::Le, reference, gradient)
        })
        .collect();
    let components: Vec<&[ValueId]> =
        values.iter().filter_map(Value::fixed).map(|only| only.components.as_slice()).collect();
    // One entry a segment; the gradient is in the last one whose lower stop it has reached.
    let segments = stops.len() - 1;
    let pick = |context: &mut Context<'_>, entry: &dyn Fn(usize) -> ValueId| {
        let mut picked = entry(0);
        for (at, &reached) in reached.iter().enumerate().take(segments).skip(1) {
            if entry(at) != picked {
                picked = context.body.select(reached, entry(at), picked);
            }
        }
        picked
    };
    let lower: Vec<ValueId> = stops.iter().map(|stop| context.body.float(stop.reference)).collect();
    let widths: Vec<ValueId> = stops
        .windows(2)
        .map(|pair| context.body.float(pair[1].reference - pair[0].reference))
        .collect();
    let lower = pick(context, &|at| lower[at]);
    let width = pick(context, &|at| widths[at]);
    let offset = context.body.sub(gradient, lower);
    let amount = context.body.div(offset, width);
    let mixed: Vec<ValueId> = (0..shape.len())
        .map(|component| {
            let left = pick(context, &|at| components[at][component]);
            let right = pick(context, &|at| components[at + 1][component]);
            let mixed = blend(context, left, right, amount);
            let last = components[segments][component];
            context.body.select(reached[segments], last, mixed)
        })
        .collect();
    let zero = context.constants(&[0.0]);
    Ok(context.select(reached[0], Value::of(mixed), zero))
}

// --- Stops of which only the chosen ones may be evaluated -------------------------------------

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
            let first = value(context, lower)?;
            let Some(upper) = upper else { return Ok(first) };
            let next = value(context, upper)?;
            // No clamp: the gradient lies between the two references here.
            let offset = context.body.sub(gradient, reference);
            let width = context.body.float(upper.reference - lower.reference);
            let amount = context.body.div(offset, width);
            interpolate(context, &first, &next, amount)
        },
        |context| match rest.split_last() {
            Some((next, rest)) => segment_below(context, next, Some(lower), rest, gradient),
            None => Ok(context.constants(&[0.0])),
        },
    )
}
