//! scratch
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&args[1]).unwrap();
    let states: serde_json::Value = serde_json::from_slice(&std::fs::read(&args[2]).unwrap()).unwrap();
    let source = pyrograph_compiler::graph::parse::parse(&bytes).unwrap();
    let (graph, _) = pyrograph_compiler::graph::normalize::normalize(&source).unwrap();
    let module = pyrograph_compiler::lower::lower(&graph, pyrograph_compiler::ir::Profile::Exact).unwrap();
    let module = std::sync::Arc::new(pyrograph_compiler::ir::validate(module).unwrap());
    let mut systems: Vec<_> = pyrograph::Interpreted::all(&module).into_iter().map(|p| pyrograph::ParticleSystem::from_program(p, 0)).collect();
    let mut random = pyrograph::Sine::new();
    for s in &mut systems { s.start(); }
    let mut worst = 0.0f64;
    let recorded = states["states"].as_array().unwrap();
    for step in 1..=states["steps"].as_u64().unwrap() {
        for s in &mut systems { s.animate(1.0, &mut random).unwrap(); }
        for r in recorded { if r["step"].as_u64() == Some(step) {
            let dynamic: Vec<&dyn pyrograph::ParticleState> = systems.iter().map(|s| s.program() as _).collect();
            let ours: serde_json::Value = serde_json::from_str(&pyrograph::state::Json(&dynamic).to_string()).unwrap();
            let (a, b) = (&ours["systems"], &r["systems"]);
            for (a, b) in a.as_array().unwrap().iter().zip(b.as_array().unwrap()) {
                println!("step {step} alive {} {}", a["alive"], b["alive"]);
                for (p, q) in a["particles"].as_array().unwrap().iter().zip(b["particles"].as_array().unwrap()) {
                    for (k, v) in q.as_object().unwrap() {
                        let flat = |v: &serde_json::Value| -> Vec<f64> { match v { serde_json::Value::Array(a) => a.iter().map(|x| x.as_f64().unwrap()).collect(), v => vec![v.as_f64().unwrap()] } };
                        for (x, y) in flat(&p[k]).iter().zip(flat(v)) {
                            let d = (x - y).abs() / y.abs().max(1.0);
                            if d > worst { worst = d; println!("worst {d:e} {k} id {}", q["id"]); }
                        }
                    }
                }
            }
        } }
    }
}
