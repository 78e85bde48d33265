//! MeshShapeBlock (spec section 9.9).

use crate::graph::BlockIndex;
use crate::graph::kind::Mesh;
use crate::ir::{BinaryOp, Field, Handle, Table, UnaryOp, ValueId};
use crate::lower::{Context, random};

/// A point of a random triangle: its corners with their weights.
struct Sample {
    corners: [ValueId; 3],
    weights: [ValueId; 3],
}

/// A point of a random triangle; writes the colour there, and notes the normal, where the block uses
/// them.
pub(super) fn position(context: &mut Context<'_>, index: BlockIndex, mesh: &Mesh) -> [ValueId; 3] {
    let zero = context.body.float(0.0);
    let (Some(positions), Some(indices)) = (&mesh.positions, &mesh.indices) else {
        return [zero; 3];
    };
    let sample = sample(context, index, indices);
    let table = attribute(context, index, "positions", positions);
    let point = [0, 1, 2].map(|axis| interpolate(context, table, &sample, 3, axis));
    if let Some(normals) = mesh.normals.as_ref().filter(|_| mesh.gives_direction()) {
        let table = attribute(context, index, "normals", normals);
        let normal = [0, 1, 2].map(|axis| interpolate(context, table, &sample, 3, axis));
        context.birth.normal = Some(normal);
    }
    if let Some(colors) = mesh.colors.as_ref().filter(|_| mesh.gives_color()) {
        let table = attribute(context, index, "colors", colors);
        for channel in 0..4u8 {
            let value = interpolate(context, table, &sample, 4, u32::from(channel));
            context.store_field(Field::Color(channel), value);
        }
    }
    point
}

/// The normal at the birth point, not normalized.
pub(super) fn direction(context: &mut Context<'_>) -> [ValueId; 3] {
    let zero = context.body.float(0.0);
    context.birth.normal.unwrap_or([zero; 3])
}

/// `face = 3 * ((random * (indices / 3)) | 0); u = random; v = random * (1 - u); w = 1 - u - v`
fn sample(context: &mut Context<'_>, index: BlockIndex, indices: &[f64]) -> Sample {
    let faces = context.body.float(indices.len() as f64 / 3.0);
    let one = context.body.float(1.0);
    let face = random::unit(context, index, "face");
    let face = context.body.mul(face, faces);
    let face = context.body.unary(UnaryOp::ToUint, face);
    let u = random::unit(context, index, "u");
    let v = random::unit(context, index, "v");
    let rest = context.body.sub(one, u);
    let v = context.body.mul(v, rest);
    let w = context.body.sub(rest, v);
    let mut vertices: Vec<f64> = indices.iter().map(vertex).collect();
    while vertices.is_empty() || !vertices.len().is_multiple_of(3) {
        vertices.push(NOWHERE);
    }
    let table = attribute(context, index, "indices", &vertices);
    let three = context.body.uint(3);
    let first = context.body.binary(BinaryOp::IMul, face, three);
    let corners = [0, 1, 2].map(|corner| {
        let corner = context.body.uint(corner);
        let at = context.body.binary(BinaryOp::IAdd, first, corner);
        let corner = context.body.table(table, at);
        context.body.unary(UnaryOp::ToUint, corner)
    });
    Sample { corners, weights: [u, v, w] }
}

/// A vertex that no table has, also when it is multiplied by 4. Binary32 holds it exactly.
const NOWHERE: f64 = 1e9;

/// An index under which JavaScript would find nothing becomes one under which no table has anything.
fn vertex(index: &f64) -> f64 {
    let is_index = *index >= 0.0 && *index < NOWHERE && index.fract() == 0.0;
    if is_index { *index } else { NOWHERE }
}

/// `u*A + v*B + w*C` of one component of an attribute.
fn interpolate(
    context: &mut Context<'_>,
    table: Handle<Table>,
    sample: &Sample,
    stride: u32,
    component: u32,
) -> ValueId {
    let stride = context.body.uint(stride);
    let component = context.body.uint(component);
    let corners = sample.corners.map(|corner| {
        let first = context.body.binary(BinaryOp::IMul, corner, stride);
        let at = context.body.binary(BinaryOp::IAdd, first, component);
        context.body.table(table, at)
    });
    context.dot(&sample.weights, &corners)
}

fn attribute(
    context: &mut Context<'_>,
    index: BlockIndex,
    name: &str,
    values: &[f64],
) -> Handle<Table> {
    let name = format!("mesh.{}.{name}", context.state.ordinal(index));
    context.state.table(name, values)
}
