// Flat sprites: records of a vertex buffer, in pixels.

// What all sprites of a layer share. `runtime/render/sprite2d.rs` fills it.
struct Layer {
    // x and y: the pixel that is at the corner of the picture. z: zoom. w: turn.
    view: vec4f,
    // x and y: width and height of the picture in pixels. z and w: what sprites are placed by.
    screen_and_pivot: vec4f,
    opacity: vec4f,
}

@group(0) @binding(0) var<uniform> layer: Layer;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var picture_sampler: sampler;

struct Corner {
    @builtin(position) place: vec4f,
    @location(0) uv: vec2f,
    @location(1) color: vec4f,
}

// From the x axis towards the y axis, which points down.
fn turned(place: vec2f, angle: f32) -> vec2f {
    let turn = vec2f(cos(angle), sin(angle));
    return vec2f(place.x * turn.x - place.y * turn.y, place.x * turn.y + place.y * turn.x);
}

@vertex
fn vertex(
    @builtin(vertex_index) index: u32,
    @location(0) position_and_size: vec4f,
    @location(1) uvs: vec4f,
    @location(2) rotation: f32,
    @location(3) color: vec4f,
) -> Corner {
    let right = index == 1u || index == 2u || index == 4u;
    let below = index == 2u || index == 4u || index == 5u;
    let offset = vec2f(select(0.0, 1.0, right), select(0.0, 1.0, below));
    let flat_corner = (offset - layer.screen_and_pivot.zw) * position_and_size.zw;
    let pixel = position_and_size.xy + turned(flat_corner, rotation);
    let seen = turned(pixel - layer.view.xy, layer.view.w) * layer.view.z;
    let part = seen / layer.screen_and_pivot.xy;
    var corner: Corner;
    corner.place = vec4f(2.0 * part.x - 1.0, 1.0 - 2.0 * part.y, 0.0, 1.0);
    corner.uv = mix(uvs.xy, uvs.zw, offset);
    corner.color = color;
    return corner;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let color = textureSample(picture, picture_sampler, corner.uv) * corner.color * layer.opacity;
    return blended(color, color.a, 1.0);
}
