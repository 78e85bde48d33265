// Quads fade where they come near the scene.
@group(0) @binding(3) var scene_depth: texture_depth_2d;

// Distance from the eye along the line of sight, whatever the projection.
fn distance_of(depth: f32) -> f32 {
    let p = drawing.depth;
    return abs((p.y - depth * p.w) / (depth * p.z - p.x));
}

fn presence(place: vec4f) -> f32 {
    let scene = distance_of(textureLoad(scene_depth, vec2i(place.xy), 0));
    return saturate((scene - distance_of(place.z)) / drawing.sheet_and_softness.y);
}
