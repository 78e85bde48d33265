// Quads as large as the picture.
@vertex
fn corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let right = index == 1u || index == 2u || index == 4u;
    let above = index == 2u || index == 4u || index == 5u;
    return vec4f(select(-1.0, 1.0, right), select(-1.0, 1.0, above), 0.0, 1.0);
}

@fragment
fn color() -> @location(0) vec4f {
    return vec4f(0.01, 0.02, 0.03, 0.5);
}
