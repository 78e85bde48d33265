//! UpdateFlowMapBlock (spec section 9.24).

use super::texture;
use crate::graph::BlockIndex;
use crate::ir::{BinaryOp, Field, UnaryOp, UniformSource, ValueId};
use crate::lower::{Context, Error, shape, source};

/// `direction += (rgb / 255 * 2 - 1) * strength * step * alpha / 255`, the colour being that of the
/// texel which the particle covers on the screen; nothing without pixels, without a camera, or
/// outside of the picture.
pub(super) fn flow(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    let Some(texture) = texture(context, index, "flowMap") else { return Ok(()) };
    let width = context.uniform(UniformSource::TextureWidth(texture));
    let height = context.uniform(UniformSource::TextureHeight(texture));
    let has_camera = context.uniform(UniformSource::HasCamera);
    let [zero, half, one] = [0.0, 0.5, 1.0].map(|number| context.body.float(number));
    let none = context.body.uint(0);
    let has_pixels = context.body.binary(BinaryOp::Lt, zero, width);
    let lacks_camera = context.body.binary(BinaryOp::IEq, has_camera, none);
    let has_camera = context.not(lacks_camera);
    let is_active = context.body.binary(BinaryOp::And, has_pixels, has_camera);
    context.only_if(is_active, |context| {
        let strength = context.input(index, "strength", &[1.0])?;
        let strength = context.number(&strength);
        let position = [0, 1, 2].map(|axis| context.load_field(Field::Position(axis)));
        let [x, y, _] = shape::project(context, position, UniformSource::ViewProjection);
        let mut share = |screen: ValueId| {
            let scaled = context.body.mul(screen, half);
            context.body.add(scaled, half)
        };
        let (u, v) = (share(x), share(y));
        let v = context.body.sub(one, v);
        let (column, in_width) = texel_index(context, u, width);
        let (row, in_height) = texel_index(context, v, height);
        let is_inside = context.body.binary(BinaryOp::And, in_width, in_height);
        context.only_if(is_inside, |context| {
            let step = source::step(context);
            let max = context.body.float(255.0);
            let byte = |context: &mut Context<'_>, channel: u8| {
                let byte = context.body.texel(texture, column, row, channel);
                context.body.unary(UnaryOp::FromUint, byte)
            };
            let alpha = byte(context, 3);
            let force = context.body.mul(strength, step);
            let force = context.body.mul(force, alpha);
            let force = context.body.div(force, max);
            let two = context.body.float(2.0);
            for axis in 0..3 {
                let color = byte(context, axis);
                let color = context.body.div(color, max);
                let color = context.body.mul(color, two);
                let color = context.body.sub(color, one);
                let change = context.body.mul(color, force);
                let direction = context.load_field(Field::Direction(axis));
                let direction = context.body.add(direction, change);
                context.store_field(Field::Direction(axis), direction);
            }
            Ok(())
        })
    })
}

/// `floor(share * size)`, and whether that is an index. NaN is none.
fn texel_index(context: &mut Context<'_>, share: ValueId, size: ValueId) -> (ValueId, ValueId) {
    let scaled = context.body.mul(share, size);
    let floor = context.body.unary(UnaryOp::Floor, scaled);
    let zero = context.body.float(0.0);
    let not_below = context.body.binary(BinaryOp::Le, zero, floor);
    let not_above = context.body.binary(BinaryOp::Lt, floor, size);
    let is_inside = context.body.binary(BinaryOp::And, not_below, not_above);
    (context.body.unary(UnaryOp::ToUint, floor), is_inside)
}
