//! ParticleRandomBlock and the draws of shapes (spec sections 5.7 and 9.11).
//!
//! Exact takes numbers from the stream where the contract does and keeps locked values in
//! registers and columns. Parallel computes each number from a key (architecture, "Parallel,
//! draws"), so that a locked value with constant bounds needs no storage at all.

use super::value::{Shape, Value, Variant};
use super::{Context, Error};
use crate::graph::kind::{Kind, Lock, Source};
use crate::graph::{BlockIndex, InputSource};
use crate::ir::{
    BinaryOp, BodyBuilder, BodyKind, Const, Field, Function, Handle, Profile, Storage, Type,
    UnaryOp, UniformSource, ValueId,
};

/// What repeats a draw of Parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    /// This place in the code, each step.
    Occurrence(u32),
    /// The block, each step.
    BlockStep(u32),
    /// The block.
    Block(u32),
    /// The block, for the system as a whole.
    System(u32),
}

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
        (Profile::Exact, Lock::PerParticle) => per_particle(context, index),
        (Profile::Exact, Lock::PerSystem) => per_system(context, index),
        (Profile::Exact, Lock::OncePerParticle) => once_per_particle(context, index, None),
        (Profile::Parallel, Lock::PerParticle) => {
            let number = context.state.ordinal(index);
            let key = if context.kind.is_particle() {
                Key::BlockStep(number)
            } else {
                Key::System(number)
            };
            context.apart(|context| draw_value(context, index, Some(key)))
        }
        (Profile::Parallel, Lock::PerSystem) => {
            let key = Key::System(context.state.ordinal(index));
            context.apart(|context| draw_value(context, index, Some(key)))
        }
        (Profile::Parallel, Lock::OncePerParticle) => {
            let number = context.state.ordinal(index);
            if !context.kind.is_particle() {
                context.apart(|context| draw_value(context, index, Some(Key::System(number))))
            } else if has_constant_bounds(context, index) {
                // The same bounds give the same number again: nothing needs to be kept.
                draw_value(context, index, Some(Key::Block(number)))
            } else {
                once_per_particle(context, index, Some(Key::Block(number)))
            }
        }
    }
}

fn has_constant_bounds(context: &Context<'_>, index: BlockIndex) -> bool {
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
/// minimum's; components that the maximum lacks count as 0.
fn draw_value(
    context: &mut Context<'_>,
    index: BlockIndex,
    key: Option<Key>,
) -> Result<Value, Error> {
    let min = context.input(index, "min", &[0.0])?;
    context.by_shape(&min, &mut |context, shape, min| {
        let max = context.input(index, "max", &[1.0])?;
        let zero = context.body.float(0.0);
        let components = (0..shape.len()).map(|component| {
            let max = context.pick(&max, zero, |variant: &Variant| {
                (variant.shape == shape).then(|| variant.components[component])
            });
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
    let name = context.block(index).name.clone();
    let site = context.state.site(name, components);
    match key {
        None => context.body.draw(site),
        Some(key) => hashed(context, key, component),
    }
}

/// `min` without a draw where the bounds are equal, otherwise `random * (max - min) + min`: the
/// range of shapes (spec section 5.7).
pub(crate) fn range(
    context: &mut Context<'_>,
    index: BlockIndex,
    purpose: &str,
    min: ValueId,
    max: ValueId,
) -> Result<ValueId, Error> {
    if let (Some(Const::Float(a)), Some(Const::Float(b))) =
        (context.body.as_constant(min), context.body.as_constant(max))
        && a == b
    {
        return Ok(min);
    }
    let known_different =
        context.body.as_constant(min).is_some() && context.body.as_constant(max).is_some();
    let in_range = |context: &mut Context<'_>, unit: ValueId| {
        let span = context.body.sub(max, min);
        let scaled = context.body.mul(unit, span);
        context.body.add(scaled, min)
    };
    match context.profile() {
        Profile::Exact if known_different => {
            let site = context.state.site(site_name(context, index, purpose), 1);
            let unit = context.body.draw(site);
            Ok(in_range(context, unit))
        }
        Profile::Exact => {
            let site = context.state.site(site_name(context, index, purpose), 1);
            let equal = context.body.binary(BinaryOp::Eq, min, max);
            let value = context.either(
                equal,
                |_| Ok(Value::scalar(min)),
                |context| {
                    let unit = context.body.draw(site);
                    Ok(Value::scalar(in_range(context, unit)))
                },
            )?;
            Ok(context.number(&value))
        }
        Profile::Parallel => {
            context.state.site(site_name(context, index, purpose), 1);
            let key = Key::Occurrence(context.state.next_occurrence());
            let unit = hashed(context, key, 0);
            let value = in_range(context, unit);
            if known_different {
                return Ok(value);
            }
            let equal = context.body.binary(BinaryOp::Eq, min, max);
            Ok(context.body.select(equal, min, value))
        }
    }
}

fn site_name(context: &Context<'_>, index: BlockIndex, purpose: &str) -> String {
    let block = context.block(index);
    let name = if block.name.is_empty() { &block.class } else { &block.name };
    format!("{name} {purpose}")
}

// --- Locks of Exact ---------------------------------------------------------------------------

/// Lock 1: one value, and the id of the particle for which it was drawn.
fn per_particle(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let prefix = format!("random.{}", context.state.ordinal(index));
    let valid = context.state.register(format!("{prefix}.valid"), Const::Bool(false));
    let holder = context.state.register(format!("{prefix}.id"), Const::Uint(0));
    // A newborn's id is never the one read last, unless this very birth has read the block.
    let first = context.is_first_read(index);
    let id = context.load_id();
    let stale = if first && context.kind == BodyKind::Birth {
        None
    } else {
        let valid = context.load_register(valid);
        let holder = context.load_register(holder);
        let same = context.body.binary(BinaryOp::IEq, id, holder);
        let known = context.body.binary(BinaryOp::And, valid, same);
        Some(context.body.unary(UnaryOp::Not, known))
    };
    kept(context, index, None, stale, Keep::Register(prefix), |context| {
        let yes = context.body.constant(Const::Bool(true));
        context.store_register(valid, yes);
        context.store_register(holder, id);
    })
}

/// Lock 2: one value for the system.
fn per_system(context: &mut Context<'_>, index: BlockIndex) -> Result<Value, Error> {
    let prefix = format!("random.{}", context.state.ordinal(index));
    let valid = context.state.register(format!("{prefix}.valid"), Const::Bool(false));
    let known = context.load_register(valid);
    let stale = context.body.unary(UnaryOp::Not, known);
    kept(context, index, None, Some(stale), Keep::Register(prefix), |context| {
        let yes = context.body.constant(Const::Bool(true));
        context.store_register(valid, yes);
    })
}

/// Lock 3: one value a particle, in columns. Birth clears the flag, so that a reused slot draws
/// again.
fn once_per_particle(
    context: &mut Context<'_>,
    index: BlockIndex,
    key: Option<Key>,
) -> Result<Value, Error> {
    let prefix = format!("random.{}", context.state.ordinal(index));
    let keep = Keep::Column(prefix.clone());
    if context.kind == BodyKind::Update
        && let Some(&shape) = context.born.get(&index)
    {
        return Ok(load_kept(context, &keep, shape));
    }
    let valid = context.state.column(format!("{prefix}.valid"), Storage::U8);
    let first = context.is_first_read(index) && context.kind == BodyKind::Birth;
    let stale = if first {
        None
    } else {
        let flag = context.load(valid);
        let zero = context.body.uint(0);
        Some(context.body.binary(BinaryOp::IEq, flag, zero))
    };
    let value = kept(context, index, key, stale, keep, |context| {
        let one = context.body.uint(1);
        context.store(valid, one);
    })?;
    if first && let Some(fixed) = value.fixed() {
        context.born.insert(index, fixed.shape);
    }
    Ok(value)
}

/// Where a locked value is kept.
enum Keep {
    Register(String),
    Column(String),
}

/// Draws, keeps and marks a value where the condition `stale` holds (or there is none), and
/// otherwise gives the one that was kept.
fn kept(
    context: &mut Context<'_>,
    index: BlockIndex,
    key: Option<Key>,
    stale: Option<ValueId>,
    keep: Keep,
    mark: impl FnOnce(&mut Context<'_>),
) -> Result<Value, Error> {
    // The shape of what is kept shows when it is drawn.
    let mut shape = Shape::Scalar;
    let fresh = |context: &mut Context<'_>| {
        let value = context.apart(|context| draw_value(context, index, key))?;
        let Some(fixed) = value.fixed() else {
            return Err(Error::unsupported(index, context.block(index)));
        };
        shape = fixed.shape;
        store_kept(context, &keep, &fixed.components);
        mark(context);
        Ok(value)
    };
    let Some(stale) = stale else { return fresh(context) };
    context.open();
    let value = fresh(context);
    let then = context.close();
    context.join(stale, then, value?, |context| Ok(load_kept(context, &keep, shape)))
}

fn store_kept(context: &mut Context<'_>, keep: &Keep, components: &[ValueId]) {
    for (at, &component) in components.iter().enumerate() {
        match keep {
            Keep::Register(prefix) => {
                let name = format!("{prefix}.value{at}");
                let register = context.state.register(name, Const::Float(0.0));
                context.store_register(register, component);
            }
            Keep::Column(prefix) => {
                let column = context.state.column(format!("{prefix}.value{at}"), Storage::F64);
                context.store(column, component);
            }
        }
    }
}

fn load_kept(context: &mut Context<'_>, keep: &Keep, shape: Shape) -> Value {
    let components = (0..shape.len()).map(|at| match keep {
        Keep::Register(prefix) => {
            let name = format!("{prefix}.value{at}");
            let register = context.state.register(name, Const::Float(0.0));
            context.load_register(register)
        }
        Keep::Column(prefix) => {
            let column = context.state.column(format!("{prefix}.value{at}"), Storage::F64);
            context.load(column)
        }
    });
    Value::of(components.collect())
}

// --- Draws of Parallel ------------------------------------------------------------------------

/// The number in [0, 1) that belongs to a key: 24 bits of a hash of seed, scope, site and step.
fn hashed(context: &mut Context<'_>, key: Key, component: usize) -> ValueId {
    let (number, kind, stepped, particle) = match key {
        Key::Occurrence(number) => (number, 0u32, true, context.kind.is_particle()),
        Key::BlockStep(number) => (number, 1, true, true),
        Key::Block(number) => (number, 1, false, true),
        Key::System(number) => (number, 1, false, false),
    };
    // Bit 31 parts blocks from occurrences, bit 30 the system's draws from the particles'.
    let site = (kind << 31) | (u32::from(!particle) << 30) | (number << 2) | component as u32;
    let site = context.body.uint(site);
    let step = if stepped { context.uniform(UniformSource::Step) } else { context.body.uint(0) };
    let seed = context.uniform(UniformSource::Seed);
    let scope = if particle { context.load_id() } else { context.body.uint(0) };
    let mix = context.state.function("mix", |_| mix_function());
    let key_function = context.state.function("draw_key", |_| key_function(mix));
    let unit_function = context.state.function("draw_unit", |_| unit_function(mix));
    let key = context.body.call(key_function, vec![site, step, seed], &[Type::Uint])[0];
    let bits = context.body.call(unit_function, vec![scope, key], &[Type::Uint])[0];
    let number = context.body.unary(UnaryOp::FromUint, bits);
    let scale = context.body.float(1.0 / 16_777_216.0);
    context.body.mul(number, scale)
}

/// `mix(x)`: two multiplications and three shifts; each input bit moves about half of the output
/// (the constants are those of Chris Wellons' search for low-bias hashes).
fn mix_function() -> Function {
    let mut body = BodyBuilder::default();
    let mut value = body.param(0, Type::Uint);
    for (shift, factor) in [(16, Some(0x7feb_352d)), (15, Some(0x846c_a68b)), (16, None)] {
        let shift = body.uint(shift);
        let high = body.binary(BinaryOp::IShr, value, shift);
        value = body.binary(BinaryOp::IXor, value, high);
        if let Some(factor) = factor {
            let factor = body.uint(factor);
            value = body.binary(BinaryOp::IMul, value, factor);
        }
    }
    Function {
        name: "mix".into(),
        params: vec![("x".into(), Type::Uint)],
        body: body.finish(vec![value]),
    }
}

/// `draw_key(site, step, seed) = mix(mix(mix(site) + step) + seed)`: the same for all particles.
fn key_function(mix: Handle<Function>) -> Function {
    let mut body = BodyBuilder::default();
    let [site, step, seed] = [0, 1, 2].map(|index| body.param(index, Type::Uint));
    let mut value = body.call(mix, vec![site], &[Type::Uint])[0];
    for part in [step, seed] {
        let sum = body.binary(BinaryOp::IAdd, value, part);
        value = body.call(mix, vec![sum], &[Type::Uint])[0];
    }
    let params = ["site", "step", "seed"].map(|name| (name.to_owned(), Type::Uint));
    Function { name: "draw_key".into(), params: params.into(), body: body.finish(vec![value]) }
}

/// `draw_unit(scope, key) = mix(mix(scope + key) ^ key) >> 8`: 24 bits. The key enters twice, so
/// that the numbers of two keys are no shifted copies of each other.
fn unit_function(mix: Handle<Function>) -> Function {
    let mut body = BodyBuilder::default();
    let [scope, key] = [0, 1].map(|index| body.param(index, Type::Uint));
    let sum = body.binary(BinaryOp::IAdd, scope, key);
    let mixed = body.call(mix, vec![sum], &[Type::Uint])[0];
    let crossed = body.binary(BinaryOp::IXor, mixed, key);
    let mixed = body.call(mix, vec![crossed], &[Type::Uint])[0];
    let eight = body.uint(8);
    let bits = body.binary(BinaryOp::IShr, mixed, eight);
    let params = ["scope", "key"].map(|name| (name.to_owned(), Type::Uint));
    Function { name: "draw_unit".into(), params: params.into(), body: body.finish(vec![bits]) }
}

impl Context<'_> {
    /// The id of the particle at hand.
    fn load_id(&mut self) -> ValueId {
        if self.kind == BodyKind::Birth { self.body.new_id() } else { self.load_field(Field::Id) }
    }
}
