// The blend multiplies with alpha, so that alpha alone tells how much of the quad there is.
fn blended(color: vec4f, opacity: f32, presence: f32) -> vec4f {
    return vec4f(color.rgb, color.a * presence);
}
