// Particles as records of a vertex buffer, one an instance, with their directions.
@vertex
fn vertex(
    @builtin(vertex_index) index: u32,
    @location(0) position_and_angle: vec4f,
    @location(1) size_and_cell: vec3f,
    @location(2) color: vec4f,
    @location(3) direction: vec3f,
) -> Corner {
    var particle: Billboard;
    particle.position = position_and_angle.xyz;
    particle.angle = position_and_angle.w;
    particle.size = size_and_cell.xy;
    particle.cell = size_and_cell.z;
    particle.color = color;
    particle.direction = direction;
    return billboard_corner(particle, index);
}
