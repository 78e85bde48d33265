// Across the line of sight, as much along the direction as that allows.
fn step_to_corner(particle: Billboard, corner: vec2f) -> vec3f {
    let away = normalize(particle.position - drawing.eye.xyz);
    let right = normalize(cross(normalize(particle.direction), away));
    return right * corner.x + normalize(cross(away, right)) * corner.y;
}
