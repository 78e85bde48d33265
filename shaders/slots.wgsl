// Particles in the columns of a system that lives on the GPU. `field_…` functions, which are printed
// for each program, read a column of a slot; instances are the living in the order of their slots.
@vertex
fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) instance: u32) -> Corner {
    let slot = living_slot(instance);
    var particle: Billboard;
    particle.position = vec3f(field_position_x(slot), field_position_y(slot), field_position_z(slot));
    particle.angle = field_angle(slot);
    particle.size = vec2f(field_scale_x(slot), field_scale_y(slot)) * field_size(slot);
    particle.cell = field_cell(slot);
    particle.color = vec4f(
        field_color_r(slot), field_color_g(slot), field_color_b(slot), field_color_a(slot),
    );
    particle.direction = drawn_direction(slot);
    return billboard_corner(particle, index);
}
