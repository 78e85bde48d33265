// Across the direction, wherever the eye is.
fn step_to_corner(particle: Billboard, corner: vec2f) -> vec3f {
    let across = normalize(particle.direction);
    let right = normalize(cross(vec3f(0.0, 1.0, 0.0), across));
    return right * corner.x + normalize(cross(across, right)) * corner.y;
}
