//! Against a server on this machine that answers as the real one does.

use std::convert::Infallible;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use pyrograph_compiler::Options;

use crate::{Field, Interpreted, ParticleState, ParticleSystem, Pcg};

use super::{SERVER, Snippet, SnippetError, fetch, parse_from_snippet};

const GRAPH: &str = include_str!("../../fixtures/graphs/canonical/fountain.json");

/// A server that gives each request, one after the other, the next of these answers, with its own
/// address for `{server}`; then it tells which paths were asked for.
struct Server {
    address: String,
    asked: thread::JoinHandle<Vec<String>>,
}

impl Server {
    fn new(answers: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let own = address.clone();
        let asked = thread::spawn(move || {
            let answer = |answer: String| {
                let (mut stream, _) = listener.accept().unwrap();
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                let request = lines.next().unwrap().unwrap();
                for line in lines.by_ref() {
                    if line.unwrap().is_empty() {
                        break;
                    }
                }
                // Whoever has heard enough may be gone.
                let _ = stream.write_all(answer.replace("{server}", &own).as_bytes());
                request.split(' ').nth(1).unwrap().to_owned()
            };
            answers.into_iter().map(answer).collect()
        });
        Self { address, asked }
    }

    fn snippet(&self, id: &str) -> Snippet {
        Snippet { server: self.address.clone(), ..Snippet::new(id) }
    }

    fn asked(self) -> Vec<String> {
        self.asked.join().unwrap()
    }
}

fn http(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
    )
}

fn ok(body: &str) -> String {
    http("200 OK", "content-type: application/json\r\n", body)
}

/// What the real server sends: the payload is text, beside it stand name and tags.
fn answer(payload: &str) -> String {
    let payload = serde_json::to_string(payload).unwrap();
    ok(&format!(
        r#"{{"id":"MAGIC1","version":3,"jsonPayload":{payload},"name":"","description":"","tags":""}}"#
    ))
}

#[test]
fn finds_a_graph_that_is_text_or_an_object() {
    let text = serde_json::to_string(GRAPH).unwrap();
    let server = Server::new(vec![
        answer(&format!(r#"{{"nodeParticle":{text}}}"#)),
        answer(&format!(r#"{{"nodeParticle": {} }}"#, GRAPH.trim())),
    ]);
    assert_eq!(fetch(&server.snippet("MAGIC1#3")).unwrap(), GRAPH);
    assert_eq!(fetch(&server.snippet("A#B#0")).unwrap(), GRAPH.trim());
    assert_eq!(server.asked(), ["/MAGIC1/3", "/A/B/0"]);
}

#[test]
fn asks_babylons_server_unless_told_otherwise() {
    assert_eq!(SERVER, "https://snippet.babylonjs.com");
    assert_eq!(Snippet::new("X#1").address(), "https://snippet.babylonjs.com/X/1");
}

#[test]
fn compiles_what_it_fetched() {
    let server = Server::new(vec![answer(&format!(r#"{{"nodeParticle":{GRAPH}}}"#))]);
    let compiled = parse_from_snippet(&server.snippet("F"), None, &Options::default()).unwrap();
    assert_eq!(compiled.module.programs.len(), 1);
    server.asked();
}

/// S1-051: a fetched graph is like any other.
#[test]
fn the_emitter_of_a_snippet_moves() {
    let server = Server::new(vec![answer(&format!(r#"{{"nodeParticle":{GRAPH}}}"#))]);
    let nowhere = Snippet { server: "http://127.0.0.1:1".into(), ..Snippet::new("F") };
    let last = |snippet: &Snippet, json: Option<&[u8]>| {
        let compiled = parse_from_snippet(snippet, json, &Options::default()).unwrap();
        let program = Interpreted::all(&Arc::new(compiled.module)).remove(0);
        let mut system = ParticleSystem::from_program(program, 0);
        let mut random = Pcg::seed_from_u64(1);
        system.start();
        let mut matrix = *system.emitter_matrix();
        let mut moved = || {
            matrix[12] += 1.0;
            Ok::<_, Infallible>(matrix)
        };
        for _ in 0..30 {
            system.animate_with(1.0, &mut moved, &mut random).unwrap();
        }
        let program = system.program();
        let right = (0..program.alive()).filter_map(|slot| program.value(slot, Field::Position(0)));
        right.fold(0.0, f64::max)
    };
    let fetched = last(&server.snippet("F"), None);
    assert!(fetched > 20.0, "{fetched}");
    assert_eq!(fetched, last(&nowhere, Some(GRAPH.as_bytes())));
    server.asked();
}

/// S1-008: inline JSON wins, and the id is not looked at.
#[test]
fn inline_json_is_compiled_without_a_server() {
    let nowhere = Snippet { server: "http://127.0.0.1:1".into(), ..Snippet::new("F") };
    let inline = parse_from_snippet(&nowhere, Some(GRAPH.as_bytes()), &Options::default());
    assert_eq!(inline.unwrap().module.programs.len(), 1);
    let error = parse_from_snippet(&nowhere, Some(b"{}"), &Options::default()).unwrap_err();
    let SnippetError::Graph(diagnostics) = error else { panic!("{error}") };
    assert!(diagnostics.iter().next().unwrap().message.contains("expected a `blocks` array"));
}

/// S1-009: the text of section 11.
#[test]
fn a_status_is_told_as_the_contract_says() {
    let server = Server::new(vec![http("404 Not Found", "", "no"), http("500 Oh", "", "")]);
    let told = |id| fetch(&server.snippet(id)).unwrap_err().to_string();
    assert_eq!(told("X"), "NodeParticle: snippet fetch failed (404)");
    assert_eq!(told("Y"), "NodeParticle: snippet fetch failed (500)");
    server.asked();
}

#[test]
fn answers_without_a_graph_are_told_apart() {
    let bodies = ["<html>", "{}", r#"{"jsonPayload":5}"#, r#"{"jsonPayload":"{"}"#];
    let mut answers: Vec<String> = bodies.into_iter().map(ok).collect();
    answers.push(answer(r#"{"nodeMaterial":{}}"#));
    answers.push(answer(r#"{"nodeParticle":5}"#));
    let server = Server::new(answers);
    let told = || fetch(&server.snippet("X")).unwrap_err().to_string();
    assert!(told().starts_with("the snippet's answer is not JSON"));
    assert!(told().starts_with("the snippet has no jsonPayload"));
    assert!(told().starts_with("the snippet has no jsonPayload"));
    assert!(told().starts_with("the snippet's jsonPayload is not JSON"));
    assert!(told().starts_with("the snippet has no nodeParticle"));
    assert!(told().starts_with("the snippet has no nodeParticle"));
    server.asked();
}

#[test]
fn redirections_stay_on_the_server() {
    let moved = |to: &str| http("302 Found", &format!("location: {to}\r\n"), "");
    let server = Server::new(vec![
        moved("/elsewhere"),
        answer(&format!(r#"{{"nodeParticle":{GRAPH}}}"#)),
        moved("http://127.0.0.1:1/X"),
        moved("//127.0.0.1:1/X"),
        moved("{server}.example/X"),
        moved("{server}@example.org/X"),
        moved("{server}/whole"),
        answer(&format!(r#"{{"nodeParticle":{GRAPH}}}"#)),
        moved("/1"),
        moved("/2"),
        moved("/3"),
        moved("/4"),
        moved("/5"),
    ]);
    assert_eq!(fetch(&server.snippet("X")).unwrap(), GRAPH.trim_end());
    let refused = || {
        let error = fetch(&server.snippet("X")).unwrap_err();
        assert!(matches!(error, SnippetError::Redirect(_)), "{error}");
    };
    (0..4).for_each(|_| refused());
    assert_eq!(fetch(&server.snippet("X")).unwrap(), GRAPH.trim_end());
    refused();
    let asked = server.asked();
    let expected = "/X /elsewhere /X /X /X /X /X /whole /X /1 /2 /3 /4";
    assert_eq!(asked.join(" "), expected);
}

#[test]
fn an_answer_may_not_take_all_memory() {
    let server = Server::new(vec![ok(&" ".repeat(1 << 20))]);
    let short = Snippet { limit: 1 << 16, ..server.snippet("X") };
    assert!(matches!(fetch(&short), Err(SnippetError::Transfer { .. })));
    server.asked();
}

#[test]
fn time_is_for_everything_together() {
    let timeout = Duration::from_millis(500);
    // Accepts, and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", silent.local_addr().unwrap());
    let too_long = |server: String| {
        let snippet = Snippet { server, timeout, ..Snippet::new("X") };
        let started = Instant::now();
        let error = fetch(&snippet).unwrap_err();
        assert!(matches!(error, SnippetError::Transfer { .. }), "{error}");
        started.elapsed()
    };
    assert!(too_long(address) < Duration::from_secs(10));

    // Says a little, and no more.
    let halting = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", halting.local_addr().unwrap());
    let halted = thread::spawn(move || {
        let (mut stream, _) = halting.accept().unwrap();
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{");
        stream
    });
    assert!(too_long(address) < Duration::from_secs(10));
    halted.join().unwrap();

    // Each redirection alone is quick enough.
    let slow = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", slow.local_addr().unwrap());
    let redirecting = thread::spawn(move || {
        (0..2).for_each(|_| {
            let (mut stream, _) = slow.accept().unwrap();
            BufReader::new(&stream).lines().map_while(Result::ok).find(String::is_empty);
            thread::sleep(timeout * 3 / 4);
            let _ = stream.write_all(http("302 Found", "location: /on\r\n", "").as_bytes());
        });
    });
    let took = too_long(address);
    redirecting.join().unwrap();
    assert!(took >= timeout, "{took:?}");
}

#[test]
fn odd_ids_are_no_panic() {
    for id in ["", "a b", "\u{0}", "é", "../..", "?x", "http://elsewhere/", "%%%"] {
        let nowhere = Snippet { server: "http://127.0.0.1:1".into(), ..Snippet::new(id) };
        assert!(matches!(fetch(&nowhere), Err(SnippetError::Transfer { .. })), "{id:?}");
    }
}
