// The quads lie along the direction.
fn drawn_direction(slot: u32) -> vec3f {
    return vec3f(field_direction_x(slot), field_direction_y(slot), field_direction_z(slot));
}
