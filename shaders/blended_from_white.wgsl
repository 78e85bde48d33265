// The blend multiplies with the colour: what is transparent must be white.
fn blended(color: vec4f, opacity: f32, presence: f32) -> vec4f {
    let amount = opacity * presence;
    return vec4f(color.rgb * amount + 1.0 - amount, color.a * presence);
}
