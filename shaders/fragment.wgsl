// The colour of a quad: the masked texel times the particle's colour.
@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let texel = textureSample(picture, picture_sampler, corner.uv);
    let color = (texel * drawing.mask + 1.0 - drawing.mask) * corner.color;
    return blended(color, corner.color.a * texel.a, presence(corner.place));
}
