//! UpdateNoiseBlock (spec section 9.25).

use super::texture;
use crate::graph::BlockIndex;
use crate::ir::{
    BinaryOp, Field, Handle, Profile, Storage, Texture, UnaryOp, UniformSource, ValueId,
};
use crate::lower::state::Prepared;
use crate::lower::{Context, Error, prepare, random, source};

/// `direction += (2 * sample - 1) * strength * step`, with one red sample for each axis at
/// coordinates that are drawn once a particle; nothing, and no draws, without pixels.
pub(super) fn noise(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    let Some(texture) = texture(context, index, "noiseTexture") else { return Ok(()) };
    let strength: [ValueId; 3] = match context.state.strengths.get(&index).copied() {
        Some(strength) => strength.map(|number| context.body.float(number)),
        None => prepare::prepared_numbers(context, Prepared::Strength(index))?,
    };
    let width = context.uniform(UniformSource::TextureWidth(texture));
    let height = context.uniform(UniformSource::TextureHeight(texture));
    let zero = context.body.float(0.0);
    let has_pixels = context.body.binary(BinaryOp::Lt, zero, width);
    context.only_if(has_pixels, |context| {
        let coordinates = coordinates(context, index);
        let step = source::step(context);
        for axis in 0..3u8 {
            let pair = [0, 1].map(|at| coordinates[2 * usize::from(axis) + at]);
            let sample = red(context, texture, pair, [width, height]);
            let two = context.body.float(2.0);
            let one = context.body.float(1.0);
            let force = context.body.mul(two, sample);
            let force = context.body.sub(force, one);
            let force = context.body.mul(force, strength[usize::from(axis)]);
            let change = context.body.mul(force, step);
            let direction = context.load_field(Field::Direction(axis));
            let direction = context.body.add(direction, change);
            context.store_field(Field::Direction(axis), direction);
        }
        Ok(())
    })
}

/// Six numbers in [0, 1), drawn at the particle's first update with pixels. All noise blocks of a
/// system share them.
fn coordinates(context: &mut Context<'_>, index: BlockIndex) -> Vec<ValueId> {
    const NAMES: [&str; 6] = [
        "coordinate 0",
        "coordinate 1",
        "coordinate 2",
        "coordinate 3",
        "coordinate 4",
        "coordinate 5",
    ];
    if context.profile() == Profile::Parallel {
        return NAMES.iter().filter_map(|name| random::unit_once(context, index, name)).collect();
    }
    let valid = context.state.column("noise.valid", Storage::U8);
    let columns: Vec<_> = (0..NAMES.len())
        .map(|at| context.state.column(format!("noise.coordinate{at}"), Storage::F64))
        .collect();
    let flag = context.load(valid);
    let unset = context.body.uint(0);
    let is_new = context.body.binary(BinaryOp::IEq, flag, unset);
    context.open();
    let drawn = NAMES.map(|name| random::unit(context, index, name));
    for (&column, &value) in columns.iter().zip(&drawn) {
        context.store(column, value);
    }
    let one = context.body.uint(1);
    context.store(valid, one);
    let then = context.close();
    context.open();
    let known: Vec<ValueId> = columns.iter().map(|&column| context.load(column)).collect();
    let otherwise = context.close();
    let outcomes: Vec<(ValueId, ValueId)> = drawn.into_iter().zip(known).collect();
    context.body.branch(is_new, then, otherwise, &outcomes)
}

/// The red byte over 255 at coordinates that count from the picture's middle and wrap.
fn red(
    context: &mut Context<'_>,
    texture: Handle<Texture>,
    coordinates: [ValueId; 2],
    sizes: [ValueId; 2],
) -> ValueId {
    let half = context.body.float(0.5);
    let [column, row] = [0, 1].map(|axis| {
        let share = context.body.unary(UnaryOp::Abs, coordinates[axis]);
        let share = context.body.mul(share, half);
        let share = context.body.add(share, half);
        let scaled = context.body.mul(share, sizes[axis]);
        let wrapped = context.body.binary(BinaryOp::Rem, scaled, sizes[axis]);
        context.body.unary(UnaryOp::ToUint, wrapped)
    });
    let byte = context.body.texel(texture, column, row, 0);
    let byte = context.body.unary(UnaryOp::FromUint, byte);
    let max = context.body.float(255.0);
    context.body.div(byte, max)
}
