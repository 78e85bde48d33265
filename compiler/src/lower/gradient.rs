//! ParticleGradientBlock with its stops, ParticleGradientValueBlock (spec sections 9.15, 9.16).

use super::mix::interpolate;
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
            between(context, &stops, gradient)
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

/// The interpolation between the two stops around the gradient, which are selected before: one
/// division and one interpolation, however many stops there are.
///
/// The contract looks from the last stop downwards and evaluates the two stops that it finds, the
/// lower one first. Here a stop that draws, stores or fails is evaluated under the condition that it
/// is one of the two, all in ascending order, so that draws come in the contract's order; the others
/// may be evaluated anywhere. The bits are the contract's too: the selected numbers are those that it
/// would find, the width of a segment is the same difference of two constants, and what is not
/// interpolated (the last stop's value, the 0 below the first) is selected at the end. The contract's
/// clamp changes nothing: a gradient between two references gives an amount between 0 and 1.
fn between(context: &mut Context<'_>, stops: &[Stop], gradient: ValueId) -> Result<Value, Error> {
    let reached: Vec<ValueId> = stops
        .iter()
        .map(|stop| {
            let reference = context.body.float(stop.reference);
            context.body.binary(BinaryOp::Le, reference, gradient)
        })
        .collect();
    let mut values = Vec::with_capacity(stops.len());
    for (at, stop) in stops.iter().enumerate() {
        values.push(if context.is_pure_input(stop.block, "value") {
            value(context, stop)?
        } else {
            let needed = reached[at.saturating_sub(1)];
            let needed = match reached.get(at + 1) {
                Some(&passed) => {
                    let not_passed = context.not(passed);
                    context.body.binary(BinaryOp::And, needed, not_passed)
                }
                None => needed,
            };
            context.where_needed(needed, |context| value(context, stop))?
        });
    }
    // One entry a segment; the gradient is in the last one whose lower stop it has reached.
    let inner = &reached[1..reached.len() - 1];
    let segments = || stops.windows(2);
    let references: Vec<ValueId> =
        stops.iter().map(|stop| context.body.float(stop.reference)).collect();
    let widths: Vec<ValueId> = segments()
        .map(|segment| context.body.float(segment[1].reference - segment[0].reference))
        .collect();
    let lower = context.last_where(inner, &references[..widths.len()]);
    let width = context.last_where(inner, &widths);
    let offset = context.body.sub(gradient, lower);
    let amount = context.body.div(offset, width);
    let left = context.last_value_where(inner, &values[..widths.len()]);
    let right = context.last_value_where(inner, &values[1..]);
    let mixed = interpolate(context, &left, &right, amount)?;
    let zero = context.constants(&[0.0]);
    let (Some(&first), Some(&last), Some(end)) = (reached.first(), reached.last(), values.pop())
    else {
        return Ok(zero);
    };
    let value = context.select(last, end, mixed);
    Ok(context.select(first, value, zero))
}
