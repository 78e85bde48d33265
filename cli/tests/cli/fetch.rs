//! `fetch`: graphs from a server on this machine. What answers may look like is tested in the library.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread;

use crate::{folder, fountain, printed, refused};

/// A server that answers one request with this.
fn server(answer: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap()).lines();
        lines.map_while(Result::ok).find(String::is_empty);
        stream.write_all(answer.as_bytes()).unwrap();
    });
    address
}

#[test]
fn writes_the_graph_of_a_snippet() {
    let graph = fs::read_to_string(fountain()).unwrap();
    let payload = serde_json::json!({ "nodeParticle": graph }).to_string();
    let body = serde_json::json!({ "jsonPayload": payload }).to_string();
    let length = body.len();
    let server = server(format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}"));
    let path = folder("fetch").join("graph.json");
    let said = printed(&["fetch", "MAGIC1#3", "--server", &server, "-o", path.to_str().unwrap()]);
    assert_eq!(said, "");
    assert_eq!(fs::read_to_string(path).unwrap(), graph);
}

#[test]
fn says_what_went_wrong_and_writes_nothing() {
    let path = folder("fetch_wrong").join("graph.json");
    let path = path.to_str().unwrap();
    let server = server("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".into());
    let said = refused(&["fetch", "X", "--server", &server, "-o", path], 1);
    assert_eq!(said, "error: NodeParticle: snippet fetch failed (404)\n");
    let said = refused(&["fetch", "X", "--server", "http://127.0.0.1:1", "-o", path], 1);
    assert!(said.starts_with("error: cannot fetch http://127.0.0.1:1/X: "), "{said}");
    assert!(!fs::exists(path).unwrap());
    refused(&["fetch", "X", "--server", "ftp://example.org"], 2);
    refused(&["fetch", "X", "--timeout", "0"], 2);
}
