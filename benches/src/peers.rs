//! Peers in Node: processes that run a round of steps when they are asked.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Steps before the first round, and in each.
const WARM_STEPS: u32 = 60;
const STEPS: u32 = 5;

/// A peer that runs a graph.
pub(crate) struct Peer {
    process: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts `peers/SCRIPT` on `graphs/WORKLOAD_10k.json`, and waits until it is warm.
    ///
    /// # Errors
    /// Node is missing, or the script failed: its own message is on the standard error.
    pub(crate) fn start(script: &str, workload: &str) -> Result<Self, String> {
        let folder = env!("CARGO_MANIFEST_DIR");
        let mut process = Command::new("node")
            .arg(format!("{folder}/peers/{script}"))
            .arg(format!("{folder}/graphs/{workload}_10k.json"))
            .args([WARM_STEPS.to_string(), STEPS.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("node does not start: {error}"))?;
        let (Some(ask), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("node has no pipes".to_owned());
        };
        let mut peer = Self { process, ask, answers: BufReader::new(answers) };
        let alive = peer.answer()?;
        if alive < 9_000.0 {
            return Err(format!("{script} has {alive} particles of {workload}"));
        }
        Ok(peer)
    }

    /// Runs a round: nanoseconds a particle and step.
    ///
    /// # Errors
    /// The process ended.
    pub(crate) fn round(&mut self) -> Result<f64, String> {
        self.ask.write_all(b"\n").map_err(|error| error.to_string())?;
        self.answer()
    }

    fn answer(&mut self) -> Result<f64, String> {
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(|error| error.to_string())?;
        line.trim().parse().map_err(|_| format!("a peer answered {line:?}"))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
