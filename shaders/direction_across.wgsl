// The quads lie across the direction: one along the y axis gets a right side by a step aside.
fn drawn_direction(slot: u32) -> vec3f {
    let kept = vec3f(field_direction_x(slot), field_direction_y(slot), field_direction_z(slot));
    let local = drawing.local;
    var direction = local[0].xyz * kept.x + local[1].xyz * kept.y + local[2].xyz * kept.z;
    if direction.x == 0.0 && direction.z == 0.0 {
        direction.x = 0.001;
    }
    return direction;
}
