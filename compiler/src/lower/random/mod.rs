//! ParticleRandomBlock (spec section 9.11) and the draws of shapes (section 5.7).
//!
//! Exact takes numbers from the stream where the contract does and keeps locked values in
//! registers and columns ([`exact`]). Parallel computes each number from a key ([`hashed`]), so
//! that a locked value with constant bounds needs no storage at all.

pub(crate) mod exact;
mod hashed;
mod range;

pub(crate) use range::{range, range3, unit, unit_once};

use self::hashed::{Key, hashed};
use super::state::Prepared;
use super::value::Value;
use super::{Context, Error, prepare};
use crate::graph::kind::{Kind, Lock, Source};
use crate::graph::{BlockIndex, InputSource};
use crate::ir::{BodyKind, Profile, ValueId};

/// `output` of a ParticleRandomBlock: `min + random * (max - min)` for each component.
pub(crate) fn random(
    context: &mut Context<'_>,
    index: BlockIndex,
    lock: Lock,
) -> Result<Value, Error> {
    match (context.profile(), lock) {
        (_, Lock::Never) => Ok(context.constants(&[0.0])),
        (Profile::Exact, Lock::None) => {
            context.mark_volatile();
            draw_value(context, index, None)
        }
        (Profile::Parallel, Lock::None) => {
            context.mark_volatile();
            let key = Key::Occurrence(context.state.next_occurrence());
            draw_value(context, index, Some(key))
        }
        (Profile::Exact, Lock::PerParticle) => exact::per_particle(context, index),
        (Profile::Exact, Lock::PerSystem) => exact::per_system(context, index, None),
        (Profile::Exact, Lock::OncePerParticle) => exact::once_per_particle(context, index, None),
        (Profile::Parallel, lock) => locked_parallel(context, index, lock),
    }
}

/// The locks of Parallel. In the system domain locks 1 and 3 count as lock 2.
fn locked_parallel(
    context: &mut Context<'_>,
    index: BlockIndex,
    lock: Lock,
) -> Result<Value, Error> {
    let number = context.state.ordinal(index);
    let constant = has_constant_bounds(context, index);
    let is_shared = lock == Lock::PerSystem;
    if !context.kind.is_particle() || is_shared {
        let key = Key::System(number);
        return if constant {
            draw_value(context, index, Some(key))
        } else if is_shared && context.kind != BodyKind::Prepare && context.kind != BodyKind::Init {
            prepare::prepared(context, Prepared::Value(index))
        } else if is_shared
            && context.block(index).domains.particle
            && context.reads_particle(index, &["min", "max"])
        {
            let why = "its bounds depend on a particle, and the first one to come would decide";
            Err(context.no_parallel_form(why))
        } else {
            exact::per_system(context, index, Some(key))
        };
    }
    match lock {
        Lock::PerParticle => {
            context.apart(|context| draw_value(context, index, Some(Key::BlockStep(number))))
        }
        // The same bounds give the same number again: nothing needs to be kept.
        _ if constant => draw_value(context, index, Some(Key::Block(number))),
        _ => exact::once_per_particle(context, index, Some(Key::Block(number))),
    }
}

/// Whether Parallel must draw the block in the `prepare` body: a value of the whole system whose
/// bounds are no constants.
pub(crate) fn needs_preparation(context: &Context<'_>, index: BlockIndex) -> bool {
    matches!(context.block(index).kind, Kind::Random(Lock::PerSystem))
        && !has_constant_bounds(context, index)
}

/// Whether the bounds are the same at each reading. Parallel then keeps nothing, whatever the lock.
pub(crate) fn has_constant_bounds(context: &Context<'_>, index: BlockIndex) -> bool {
    let block = context.block(index);
    ["min", "max"].into_iter().all(|name| match block.input(name).map(|input| &input.source) {
        Some(InputSource::Wire(from, _)) => {
            matches!(context.block(*from).kind, Kind::Input(Source::Constant(_)))
        }
        Some(InputSource::Dangling) => false,
        Some(InputSource::Literal(_) | InputSource::Unconnected) | None => true,
    })
}

/// Evaluates the bounds and draws: minimum, maximum, then one number a component. The shape is the
/// minimum's; components that the maximum does not have count as 0.
fn draw_value(
    context: &mut Context<'_>,
    index: BlockIndex,
    key: Option<Key>,
) -> Result<Value, Error> {
    let min = context.input(index, "min", &[0.0])?;
    let max = context.input(index, "max", &[1.0])?;
    context.by_shape(&min, &mut |context, shape, min| {
        let zero = context.body.float(0.0);
        let components = (0..shape.len()).map(|component| {
            let max = context.pick(&max, zero, |max| max.counterpart(shape, component));
            let unit = draw(context, index, shape.len(), component, key);
            let span = context.body.sub(max, min[component]);
            let scaled = context.body.mul(unit, span);
            context.body.add(min[component], scaled)
        });
        Ok(Value::of(components.collect()))
    })
}

/// The next number in [0, 1).
fn draw(
    context: &mut Context<'_>,
    index: BlockIndex,
    components: usize,
    component: usize,
    key: Option<Key>,
) -> ValueId {
    let name = context.block(index).short_name();
    let site = context.state.site(name, components);
    match key {
        None => context.body.draw(site),
        Some(key) => hashed(context, key, component),
    }
}
