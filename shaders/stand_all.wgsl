// Parallel to the screen.
fn step_to_corner(particle: Billboard, corner: vec2f) -> vec3f {
    return drawing.right.xyz * corner.x + drawing.up.xyz * corner.y;
}
