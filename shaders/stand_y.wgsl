// Upright, turned about y towards the eye.
fn step_to_corner(particle: Billboard, corner: vec2f) -> vec3f {
    let sight = particle.position - drawing.eye.xyz;
    let away = normalize(vec3f(sight.x, 0.0, sight.z));
    let right = normalize(cross(vec3f(0.0, 1.0, 0.0), away));
    return right * corner.x + normalize(cross(away, right)) * corner.y;
}
