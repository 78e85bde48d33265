//! Update blocks that write what their input says, where it is connected (spec sections 9.26 to
//! 9.30, S1P-007).

use crate::graph::BlockIndex;
use crate::ir::Field;
use crate::lower::value::Property;
use crate::lower::{Context, Error};

/// `position = input`
pub(super) fn position(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    vector(context, index, "position", Field::Position)
}

/// `direction = input`
pub(super) fn direction(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    vector(context, index, "direction", Field::Direction)
}

/// `color = input`
pub(super) fn color(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    if !context.block(index).is_connected("color") {
        return Ok(());
    }
    let value = context.required(index, "color")?;
    for (channel, value) in (0..).zip(context.color(&value)) {
        context.store_field(Field::Color(channel), value);
    }
    Ok(())
}

/// `angle = input`
pub(super) fn angle(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    scalar(context, index, "angle", Field::Angle)
}

/// `size = input`
pub(super) fn size(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    scalar(context, index, "size", Field::Size)
}

/// `age = input`
pub(super) fn age(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    scalar(context, index, "age", Field::Age)
}

/// `scale = input`
pub(super) fn scale(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    if context.block(index).is_connected("scale") {
        let value = context.required(index, "scale")?;
        for (axis, property) in [(0, Property::X), (1, Property::Y)] {
            let value = context.property(&value, property);
            context.store_field(Field::Scale(axis), value);
        }
    }
    Ok(())
}

fn vector(
    context: &mut Context<'_>,
    index: BlockIndex,
    name: &str,
    field: fn(u8) -> Field,
) -> Result<(), Error> {
    if !context.block(index).is_connected(name) {
        return Ok(());
    }
    let value = context.required(index, name)?;
    for (axis, value) in (0..).zip(context.vector3(&value)) {
        context.store_field(field(axis), value);
    }
    Ok(())
}

fn scalar(
    context: &mut Context<'_>,
    index: BlockIndex,
    name: &str,
    field: Field,
) -> Result<(), Error> {
    if !context.block(index).is_connected(name) {
        return Ok(());
    }
    let value = context.required(index, name)?;
    let value = context.number(&value);
    context.store_field(field, value);
    Ok(())
}
