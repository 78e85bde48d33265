//! One file through every stage on a small stack, with the clock running.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use pyrograph_compiler::diagnostic::{Diagnostics, render};
use pyrograph_compiler::graph::dot::Dot;
use pyrograph_compiler::graph::listing::Listing;
use pyrograph_compiler::interpret::{Instance, Uniforms};
use pyrograph_compiler::ir::{self, Module, Profile, Valid, validate};
use pyrograph_compiler::{explain, lower_graph, passes, read_file};

/// A result is bounded if it comes within this time, in a build without optimization, on a machine
/// that has other things to do.
const LIMIT: Duration = Duration::from_secs(100);

/// What became of a file.
#[derive(Debug)]
pub(crate) enum Answer {
    /// It was refused with these messages, a line each.
    Refused(String),
    /// It went through all stages.
    Done(Vec<Done>),
}

/// What became of a file in one profile.
#[derive(Debug)]
pub(crate) struct Done {
    /// Particles after the last step, or how the run failed; the messages where the profile has no
    /// form for the graph.
    pub(crate) run: Result<usize, String>,
}

impl Answer {
    /// The messages of a refused file.
    pub(crate) fn refusal(self) -> String {
        match self {
            Self::Refused(text) => text,
            Self::Done(done) => panic!("not refused: {done:?}"),
        }
    }

    /// Whether it ran, or was refused with words; `answer` has checked all else.
    pub(crate) fn is_bounded(&self) -> bool {
        match self {
            Self::Refused(text) => !text.is_empty(),
            Self::Done(done) => done.iter().all(|done| match &done.run {
                Ok(alive) => *alive > 0,
                Err(text) => !text.is_empty(),
            }),
        }
    }

    /// The run in the Exact profile.
    pub(crate) fn exact(self) -> Result<usize, String> {
        match self {
            Self::Refused(text) => panic!("refused: {text}"),
            Self::Done(mut done) => done.remove(0).run,
        }
    }
}

/// Takes a file through all stages.
pub(crate) fn answer(name: &str, bytes: Vec<u8>) -> Answer {
    let name = name.to_owned();
    let work = move || stages(&Clock { name, last: Instant::now().into() }, &bytes);
    let start = Instant::now();
    let thread = thread::Builder::new().stack_size(1 << 20).spawn(work).expect("a thread");
    let answer = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
    assert!(start.elapsed() < LIMIT, "it took {:?}", start.elapsed());
    answer
}

/// Says how long stages take: `cargo test … -- --nocapture`.
struct Clock {
    name: String,
    last: std::cell::Cell<Instant>,
}

impl Clock {
    fn tick(&self, stage: &str) {
        let taken = self.last.replace(Instant::now()).elapsed();
        if taken > Duration::from_millis(200) {
            println!("{}: {stage} took {taken:?}", self.name);
        }
    }
}

fn stages(clock: &Clock, bytes: &[u8]) -> Answer {
    let read = read_file(bytes);
    clock.tick("reading");
    let graph = match read {
        Ok((graph, warnings)) => {
            shown(&warnings);
            graph
        }
        Err(errors) => return Answer::Refused(shown(&errors)),
    };
    assert!(!Listing(&graph).to_string().is_empty() && !Dot(&graph).to_string().is_empty());
    clock.tick("listing");
    let done = [Profile::Exact, Profile::Parallel].map(|profile| {
        let lowered = lower_graph(&graph, profile);
        clock.tick("lowering");
        Done {
            run: lowered.map_err(|errors| shown(&errors)).and_then(|module| rest(clock, module)),
        }
    });
    if let [Done { run: Err(exact) }, Done { run: Err(_) }] = &done
        && !exact.starts_with("run: ")
    {
        return Answer::Refused(exact.clone());
    }
    let explanation = explain::explain(bytes, &Default::default()).expect("it was lowered");
    assert!(!explanation.to_string().is_empty());
    clock.tick("explaining");
    Answer::Done(done.into())
}

/// From validation to the back ends.
fn rest(clock: &Clock, module: Module) -> Result<usize, String> {
    let base = validate(module).expect("lowering makes valid modules");
    clock.tick("validating");
    let fast = passes::run(base.clone().into_inner(), &Default::default()).expect("as do passes");
    clock.tick("passes");
    for module in [&base, &fast] {
        let text = module.to_string();
        clock.tick("printing");
        let again = ir::parse(&text).expect("it reads back");
        clock.tick("reading back");
        assert!(again.to_string() == text, "it reads back as something else");
        clock.tick("printing");
    }
    #[cfg(feature = "rust")]
    {
        use pyrograph_compiler::emit::rust::{RustOptions, emit};
        let tokens = emit(&fast, &RustOptions::default());
        clock.tick("emitting");
        assert!(!tokens.to_string().is_empty());
        clock.tick("printing tokens");
    }
    #[cfg(feature = "wgsl")]
    if fast.programs.first().is_some_and(|program| program.profile == Profile::Parallel) {
        use pyrograph_compiler::emit::layout::Limits;
        use pyrograph_compiler::emit::wgsl::{WgslError, emit, to_json};
        let emitted = emit(&fast, 0, &Limits::default());
        clock.tick("emitting WGSL");
        if let Ok(emitted) = &emitted {
            assert!(to_json(&fast.programs[0], &emitted.manifest).ends_with("}\n"));
            clock.tick("printing the manifest");
        }
        assert!(
            matches!(emitted, Ok(_) | Err(WgslError::Layout { .. } | WgslError::TooLarge { .. })),
            "{:?}",
            emitted.err()
        );
    }
    let [base, fast] = [base, fast].map(|module| run(Arc::new(module)));
    clock.tick("running");
    assert_eq!(base, fast, "optimized it runs differently");
    base.map_err(|failure| format!("run: {failure}"))
}

/// Five calls, in each of which two particles are born.
fn run(module: Arc<Valid<Module>>) -> Result<usize, String> {
    let mut alive = 0;
    let mut drawn = 0.0;
    let mut random = || {
        drawn += 0.618;
        drawn % 1.0
    };
    // Files with thousands of systems have equal ones.
    for index in 0..module.programs.len().min(10) {
        let mut instance = Instance::new(module.clone(), index).expect("a program");
        let mut uniforms = Uniforms { delta: 0.0167, ..Uniforms::default() };
        let failed = |failure: pyrograph_compiler::interpret::Failure| failure.to_string();
        instance.init(&uniforms, &mut random).map_err(failed)?;
        for step in 0..5 {
            uniforms.step = step;
            uniforms.time += uniforms.delta;
            instance.prepare(&uniforms, &mut random).map_err(failed)?;
            instance.emit_rate(&uniforms, &mut random).map_err(failed)?;
            instance.update(&uniforms, &mut random).map_err(failed)?;
            instance.birth(2, &uniforms, &mut random).map_err(failed)?;
        }
        alive += instance.alive();
    }
    Ok(alive)
}

/// The messages; all renderers must cope with them.
fn shown(diagnostics: &Diagnostics) -> String {
    for diagnostic in diagnostics {
        assert!(!diagnostic.message.ends_with('.'), "{diagnostic}");
        assert!(!render::line(diagnostic, &["f"]).contains('\n'));
    }
    let text = render::text(diagnostics, &["f"], true);
    let json = render::json(diagnostics, &["f"]);
    assert!(
        text.len() < 1 << 22 && json.len() < 1 << 24,
        "{} and {} bytes",
        text.len(),
        json.len()
    );
    diagnostics.to_string()
}
