// The blend adds the colour as it is.
fn blended(color: vec4f, opacity: f32, presence: f32) -> vec4f {
    return color * presence;
}
