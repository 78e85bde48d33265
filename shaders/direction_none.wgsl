// The quads have no direction.
fn drawn_direction(slot: u32) -> vec3f {
    return vec3f(0.0);
}
