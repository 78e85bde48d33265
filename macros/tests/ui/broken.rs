pyrograph::include_particle_graph!(pub mod sparks = "graphs/broken.json");

// What uses the module does not add to the errors.
fn main() -> Result<(), pyrograph::StepError> {
    let mut random = pyrograph::Pcg::seed_from_u64(7);
    let mut sparks = sparks::System::new();
    sparks.start();
    sparks.animate(1.0, &mut random)?;
    for particle in sparks.particles() {
        let _: ([f32; 3], [f32; 4]) = (particle.position(), particle.color());
    }
    Ok(())
}
