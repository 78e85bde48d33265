//! Emitter shapes: where particles are born and which way they go (spec sections 9.3 to 9.9).

mod box_shape;
mod cone;
mod custom;
mod cylinder;
mod direction;
mod mesh;
mod point;
mod sphere;

use super::{Context, Error, source};
use crate::graph::BlockIndex;
use crate::graph::kind::Kind;
use crate::ir::{Field, UnaryOp, UniformSource, ValueId};

/// The `createPosition` slot of a shape block.
pub(crate) fn position(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    let local = match &context.block(index).kind {
        Kind::BoxShape => box_shape::position(context, index)?,
        Kind::PointShape => point::position(context),
        Kind::SphereShape { hemispheric } => sphere::position(context, index, *hemispheric)?,
        Kind::ConeShape { from_spawn_point_only } => {
            cone::position(context, index, *from_spawn_point_only)?
        }
        Kind::CylinderShape => cylinder::position(context, index)?,
        Kind::MeshShape(mesh) => mesh::position(context, index, mesh),
        Kind::CustomShape => custom::position(context, index)?,
        _ => return Err(Error::unsupported(index, context.block(index))),
    };
    store_position(context, local);
    Ok(())
}

/// The `createDirection` slot of a shape block.
pub(crate) fn direction(context: &mut Context<'_>, index: BlockIndex) -> Result<(), Error> {
    let local = match &context.block(index).kind {
        Kind::SphereShape { .. } | Kind::ConeShape { .. }
            if !direction::is_explicit(context, index) =>
        {
            direction::outwards(context, index)?
        }
        Kind::CylinderShape if !direction::is_explicit(context, index) => {
            cylinder::direction(context, index)?
        }
        Kind::MeshShape(mesh) if mesh.gives_direction() => mesh::direction(context),
        Kind::BoxShape
        | Kind::PointShape
        | Kind::SphereShape { .. }
        | Kind::ConeShape { .. }
        | Kind::CylinderShape
        | Kind::MeshShape(_) => direction::between(context, index)?,
        Kind::CustomShape => custom::direction(context, index)?,
        _ => return Err(Error::unsupported(index, context.block(index))),
    };
    store_direction(context, local);
    Ok(())
}

/// Writes a birth position given in the emitter's space, transformed. In a local system the
/// position passes through its column first (`finishLocalPosition`, spec section 8.3).
fn store_position(context: &mut Context<'_>, local: [ValueId; 3]) {
    let mut point = local;
    if context.plan.is_local {
        point = local.map(|value| context.body.unary(UnaryOp::RoundF32, value));
        source::seed_local_position(context, point);
    }
    let world = transform_point(context, point);
    context.birth.point = Some(world);
    for (axis, value) in (0..).zip(world) {
        context.store_field(Field::Position(axis), value);
    }
}

/// Writes a direction: transformed, or in a local system as it is.
fn store_direction(context: &mut Context<'_>, local: [ValueId; 3]) {
    let direction = if context.plan.is_local { local } else { transform_direction(context, local) };
    for (axis, value) in (0..).zip(direction) {
        context.store_field(Field::Direction(axis), value);
    }
}

/// A point transformed by the emitter's matrix, with the division by w.
pub(crate) fn transform_point(context: &mut Context<'_>, local: [ValueId; 3]) -> [ValueId; 3] {
    project(context, local, UniformSource::EmitterMatrix)
}

/// A point transformed by a matrix, with the division by w: each row times `1 / w`.
pub(crate) fn project(
    context: &mut Context<'_>,
    point: [ValueId; 3],
    matrix: fn(u8) -> UniformSource,
) -> [ValueId; 3] {
    let mut coordinate = |row: u8| {
        let sum = rotated(context, point, row, matrix);
        let translation = context.uniform(matrix(12 + row));
        context.body.add(sum, translation)
    };
    let [x, y, z, w] = [0, 1, 2, 3].map(&mut coordinate);
    let one = context.body.float(1.0);
    let factor = context.body.div(one, w);
    [x, y, z].map(|value| context.body.mul(value, factor))
}

/// A direction transformed by the upper 3x3 of the emitter's matrix, not normalized.
fn transform_direction(context: &mut Context<'_>, local: [ValueId; 3]) -> [ValueId; 3] {
    [0, 1, 2].map(|row| rotated(context, local, row, UniformSource::EmitterMatrix))
}

/// `x*m[r] + y*m[4+r] + z*m[8+r]`
pub(crate) fn rotated(
    context: &mut Context<'_>,
    vector: [ValueId; 3],
    row: u8,
    matrix: fn(u8) -> UniformSource,
) -> ValueId {
    let column = [row, 4 + row, 8 + row].map(|element| context.uniform(matrix(element)));
    context.dot(&vector, &column)
}
