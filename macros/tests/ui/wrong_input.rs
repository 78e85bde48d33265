pyrograph::include_particle_graph!(
    pub mod sparks = "graphs/inputs.json",
    inputs = ["Gravity", "Wind", "Random size"]
);

// What uses the module does not add to the errors.
fn main() -> Result<(), pyrograph::StepError> {
    let mut random = pyrograph::Pcg::seed_from_u64(7);
    let mut sparks = sparks::System::new();
    sparks.inputs_mut().gravity = -9.81;
    sparks.inputs_mut().wind = 2.0;
    sparks.start();
    sparks.animate(1.0, &mut random)
}
