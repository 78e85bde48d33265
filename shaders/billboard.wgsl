// A particle and the corners of its quad.

struct Billboard {
    position: vec3f,
    angle: f32,
    size: vec2f,
    cell: f32,
    color: vec4f,
    direction: vec3f,
}

struct Corner {
    @builtin(position) place: vec4f,
    @location(0) uv: vec2f,
    @location(1) color: vec4f,
}

// Corner `vertex` of the two triangles, (0, 0) at the lower left.
fn corner_offset(vertex: u32) -> vec2f {
    let right = vertex == 1u || vertex == 2u || vertex == 4u;
    let above = vertex == 2u || vertex == 4u || vertex == 5u;
    return vec2f(select(0.0, 1.0, right), select(0.0, 1.0, above));
}

// The pivot that is added at the end is in units of the world, whatever the size.
fn billboard_corner(particle: Billboard, vertex: u32) -> Corner {
    let offset = corner_offset(vertex);
    let pivot = drawing.pivot_and_cell.xy;
    let flat_corner = (offset - 0.5 - pivot) * particle.size;
    let turn = vec2f(cos(particle.angle), sin(particle.angle));
    let turned = vec2f(
        flat_corner.x * turn.x - flat_corner.y * turn.y,
        flat_corner.x * turn.y + flat_corner.y * turn.x,
    );
    let world = particle.position + step_to_corner(particle, turned + pivot);
    var corner: Corner;
    corner.place = drawing.view_projection * vec4f(world, 1.0);
    corner.uv = picture_place(offset, particle.cell);
    corner.color = particle.color;
    return corner;
}
