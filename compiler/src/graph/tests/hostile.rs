//! Files that were made to break readers: each is answered, in bounded time, on a small stack.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::{errors, file, graph, read};
use crate::graph::normalize::normalize;
use crate::graph::parse::parse;

const LONG: usize = 10_000;

/// Runs on 256 KiB of stack; what is not answered in 20 s is taken for unbounded.
fn small_stack(work: impl FnOnce() + Send + 'static) {
    let start = Instant::now();
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap();
    thread.join().unwrap();
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// `first` leads to block 2, every block of the class to the next one, the last one to `end`.
fn chain(first: &str, class: &str, input: &str, end: &str) -> String {
    let mut text = format!("1 {first}\n");
    for id in 2..LONG {
        let _ = writeln!(text, "{id} {class} {input}<{}.output", id + 1);
    }
    let _ = writeln!(text, "{LONG} {class} {input}<{end}.output");
    let _ = writeln!(text, "20000 ParticleInputBlock");
    text
}

#[test]
fn long_chains() {
    small_stack(|| {
        let rate = "SystemBlock emitRate<2.output";
        assert_eq!(
            graph(&chain(rate, "ParticleVectorLengthBlock", "input", "20000")).wires.node_count(),
            LONG + 1
        );
        assert_eq!(
            graph(&chain(rate, "ParticleElbowBlock", "input", "20000")).wires.node_count(),
            2
        );
        let flow = "SystemBlock particle<2.output";
        assert_eq!(
            graph(&chain(flow, "UpdateSizeBlock", "particle", "2")).wires.node_count(),
            LONG
        );
    });
}

#[test]
fn long_cycles() {
    small_stack(|| {
        let rate = "SystemBlock emitRate<2.output";
        let text = errors(&chain(rate, "ParticleVectorLengthBlock", "input", "2"));
        assert_eq!(text, "NodeParticle: unresolved connection ParticleVectorLengthBlock.input");
        let text = errors(&chain(rate, "ParticleDebugBlock", "input", "2"));
        assert!(text.starts_with("NodeParticle: graph plumbing cycle 2 -> 3 -> 4 -> "));
        assert!(text.ends_with(" -> 10000 -> 2"));
        // Every block leads back to the first one as well.
        let text = chain(rate, "ParticleMathBlock left<2.output", "right", "20000");
        assert_eq!(errors(&text).lines().count(), crate::diagnostic::KEPT);
    });
}

#[test]
fn many_consumers_of_one_route() {
    small_stack(|| {
        let mut text = chain("SystemBlock", "ParticleElbowBlock", "input", "20000");
        text.push_str("30000 SystemBlock");
        for id in 2..LONG {
            let _ = write!(text, " x{id}<{id}.output");
        }
        assert_eq!(graph(&text).wires.node_count(), 3);
    });
}

#[test]
fn wide_blocks() {
    small_stack(|| {
        let mut text = "1 SystemBlock emitRate<2.output\n2 ParticleGradientBlock".to_owned();
        for n in 0..10 * LONG {
            let _ = write!(text, " value{}<3.output", n % 77_777);
        }
        text.push_str("\n3 ParticleGradientValueBlock");
        assert_eq!(graph(&text).wires.edge_count(), 10 * LONG + 1);
        let keys: Vec<_> = (0..10 * LONG).map(|n| format!("\"k{}\":0", n % 5)).collect();
        assert!(read(&format!("{{{}}}", keys.join(","))).is_err());
    });
}

#[test]
fn odd_ids() {
    let graph = graph(
        "1e400 SystemBlock emitRate<-1.5.output targetStopDuration<-0.output
        -1.5 ParticleInputBlock
        0 ParticleInputBlock
        9007199254740993 SystemBlock
        9007199254740992 SystemBlock",
    );
    assert_eq!(graph.wires.node_count(), 4);
    assert_eq!(graph.roots.len(), 3);
}

#[test]
fn deep_texts() {
    small_stack(|| {
        for open in ["[", "{\"blocks\":[", "{\"a\":"] {
            assert!(parse(open.repeat(100_000).as_bytes()).is_err());
        }
        let deep = "[".repeat(500) + &"]".repeat(500);
        assert!(read(&format!(r#"{{"blocks":[{{"name":{deep}}}]}}"#)).is_err());
    });
}

/// Prefixes and damaged copies of a file that uses every kind of syntax.
#[test]
fn damaged_texts() {
    let text = file(
        r#"1 SystemBlock {"capacity":5e2,"isLocal":true,"x":[null,-0.5,"\u00e9\n"]} particle<2.p
        2 UpdateSizeBlock size<3.output particle<4.output
        3 ParticleTeleportOutBlock {"entryPoint":5}
        5 ParticleTeleportInBlock input<6.output
        4 SphereShapeBlock radius<6.output
        6 ParticleInputBlock {"type":2,"value":1}"#,
    );
    assert!(read(&text).is_ok());
    for end in 0..text.len() {
        assert!(parse(&text.as_bytes()[..end]).is_err());
    }
    let mut state: u64 = 1;
    let mut random = move |limit: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % limit
    };
    let alphabet = b"{}[]\",:0123456789-eE.\\untrfals \n\xc3\xa9\xff\0";
    for _ in 0..20_000 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=random(3) {
            let place = random(bytes.len());
            bytes[place] = alphabet[random(alphabet.len())];
        }
        if let Ok(source) = parse(&bytes) {
            let _ = normalize(&source);
        }
    }
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..random(40)).map(|_| alphabet[random(alphabet.len())]).collect();
        let _ = parse(&bytes);
    }
}
