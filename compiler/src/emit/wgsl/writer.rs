//! Lines of text at a depth.

use std::fmt::{Arguments, Write};

/// Collects indented lines.
#[derive(Debug, Default)]
pub(super) struct Writer {
    text: String,
    depth: usize,
}

impl Writer {
    /// One line, at the current depth.
    pub(super) fn line(&mut self, line: Arguments<'_>) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(line);
        self.text.push('\n');
    }

    /// A line that opens a block, `{` included; the following lines are deeper.
    pub(super) fn open(&mut self, line: Arguments<'_>) {
        self.line(line);
        self.depth += 1;
    }

    /// A line that begins with the end of a block, `}` included.
    pub(super) fn close(&mut self, line: Arguments<'_>) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    /// Ends one block and opens the next: `} else {`.
    pub(super) fn turn(&mut self, line: Arguments<'_>) {
        self.close(line);
        self.depth += 1;
    }

    /// An empty line.
    pub(super) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.text
    }
}
