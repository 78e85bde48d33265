//! Draws of Parallel: each number is a hash of the seed and a key, so that it is the same whoever is
//! updated first.

use crate::ir::{BinaryOp, BodyBuilder, Function, Handle, Type, UnaryOp, UniformSource, ValueId};
use crate::lower::Context;

/// What repeats a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// This place in the code, each step.
    Occurrence(u32),
    /// The block, each step.
    BlockStep(u32),
    /// This place in the code, once a particle.
    Once(u32),
    /// The block.
    Block(u32),
    /// The block, for the system as a whole.
    System(u32),
}

/// The number in [0, 1) that belongs to a key: 24 bits of a hash of seed, scope, site and step.
pub(super) fn hashed(context: &mut Context<'_>, key: Key, component: usize) -> ValueId {
    let (number, kind, stepped, particle) = match key {
        Key::Occurrence(number) => (number, 0u32, true, context.kind.is_particle()),
        Key::Once(number) => (number, 0, false, true),
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
        continuous: false,
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
    Function {
        name: "draw_key".into(),
        params: params.into(),
        continuous: false,
        body: body.finish(vec![value]),
    }
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
    Function {
        name: "draw_unit".into(),
        params: params.into(),
        continuous: false,
        body: body.finish(vec![bits]),
    }
}
