// Along the direction, turned about it towards the eye.
fn step_to_corner(particle: Billboard, corner: vec2f) -> vec3f {
    let away = normalize(particle.position - drawing.eye.xyz);
    let along = normalize(particle.direction);
    return normalize(cross(along, away)) * corner.x + along * corner.y;
}
