//! Where something stands: bytes, line and column, JSON pointer, block and port.

use std::ops::Range;

/// A place in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Bytes of the smallest value that is meant.
    pub span: Range<usize>,
    /// Line of the first byte, from 1.
    pub line: usize,
    /// Character of the first byte in its line, from 1.
    pub column: usize,
    /// JSON pointer (RFC 6901) of the value; empty for the whole file.
    pub pointer: String,
    /// The block that it belongs to.
    pub block: Option<BlockName>,
    /// The port of that block.
    pub port: Option<Port>,
}

/// How a message names a block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockName {
    /// Its id in the file.
    pub id: f64,
    /// Its name in the file; may be empty.
    pub name: String,
    /// Its class without the `BABYLON.` prefix.
    pub class: String,
}

/// How a message names a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Port {
    /// An input.
    Input(String),
    /// An output.
    Output(String),
}

impl Place {
    /// Says which block is meant.
    #[must_use]
    pub fn block(mut self, block: BlockName) -> Self {
        self.block = Some(block);
        self
    }

    /// Says which port of the block is meant.
    #[must_use]
    pub fn port(mut self, port: Port) -> Self {
        self.port = Some(port);
        self
    }
}

/// Turns byte offsets of one text into lines and columns without the text.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// First byte of each line.
    starts: Vec<usize>,
    /// Each character of more than one byte: the byte after it, and how many bytes more than
    /// characters stand before that byte.
    wide: Vec<(usize, usize)>,
}

impl Lines {
    /// Indexes a text.
    pub fn new(text: &str) -> Self {
        let (mut starts, mut wide, mut surplus) = (vec![0], Vec::new(), 0);
        for (offset, c) in text.char_indices() {
            let end = offset + c.len_utf8();
            if c == '\n' {
                starts.push(end);
            } else if c.len_utf8() > 1 {
                surplus += c.len_utf8() - 1;
                wide.push((end, surplus));
            }
        }
        Self { starts, wide }
    }

    /// Line and column of a byte, both from 1.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = if line == 0 { 0 } else { self.starts[line - 1] };
        let surplus = self.surplus(offset) - self.surplus(start);
        (line.max(1), offset - start - surplus + 1)
    }

    /// The place of some bytes.
    pub fn place(&self, span: Range<usize>, pointer: impl Into<String>) -> Place {
        let (line, column) = self.position(span.start);
        Place { span, line, column, pointer: pointer.into(), block: None, port: None }
    }

    fn surplus(&self, offset: usize) -> usize {
        let count = self.wide.partition_point(|&(end, _)| end <= offset);
        if count == 0 { 0 } else { self.wide[count - 1].1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_characters() {
        let text = "ab\n\"äö😀\":1\n";
        let lines = Lines::new(text);
        assert_eq!(lines.position(0), (1, 1));
        assert_eq!(lines.position(3), (2, 1));
        assert_eq!(lines.position(text.find(':').unwrap()), (2, 6));
        assert_eq!(lines.position(text.len()), (3, 1));
        assert_eq!(Lines::default().position(5), (1, 6));
    }
}
