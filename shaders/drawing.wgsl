// What all quads of a system share. `runtime/render/uniform.rs` fills it.

struct Drawing {
    view_projection: mat4x4f,
    // What a step to the right and one up on the screen are in the world.
    right: vec4f,
    up: vec4f,
    eye: vec4f,
    // x and y: what corners turn about. z and w: width and height of a cell in parts of the picture.
    pivot_and_cell: vec4f,
    mask: vec4f,
    // x: cells in a row, 0 where the picture is no sheet. y: over which distance soft quads fade.
    sheet_and_softness: vec4f,
    // Elements 10, 14, 11 and 15 of the projection, which tell distances from depths.
    depth: vec4f,
    // What turns the directions of local systems, by column.
    local: array<vec4f, 3>,
    // What no column has, because all particles have the same: as `runtime/render/columns.rs` orders it.
    fixed: array<vec4f, 4>,
}

@group(0) @binding(0) var<uniform> drawing: Drawing;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var picture_sampler: sampler;
