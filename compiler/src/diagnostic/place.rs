//! Where something stands: bytes, line and column, JSON pointer, block and port.

use std::ops::Range;

/// A place in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Which of the files that were merged; 0 for a file alone.
    pub file: usize,
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

/// Turns byte offsets into lines and columns without the text.
///
/// Several files can stand one after the other, as merging makes them: offsets then go on from one
/// to the next, and a [`Place`] says which file it is in.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    files: Vec<FileLines>,
}

#[derive(Clone, Debug, Default)]
struct FileLines {
    /// Offset of the file's first byte.
    base: usize,
    len: usize,
    /// First byte of each line, from the base.
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
        Self { files: vec![FileLines { base: 0, len: text.len(), starts, wide }] }
    }

    /// Puts other files behind these; gives what is to be added to their offsets.
    pub fn append(&mut self, other: &Self) -> usize {
        let end = self.files.last().map_or(0, |file| file.base + file.len);
        let moved = |file: &FileLines| FileLines { base: file.base + end, ..file.clone() };
        self.files.extend(other.files.iter().map(moved));
        end
    }

    /// How many files these are.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The place of some bytes.
    pub fn place(&self, span: Range<usize>, pointer: impl Into<String>) -> Place {
        let after = self.files.partition_point(|file| file.base <= span.start);
        let file = after.saturating_sub(1);
        let (base, line, column) = match self.files.get(file) {
            None => (0, 1, span.start + 1),
            Some(lines) => {
                let (line, column) = lines.position(span.start - lines.base);
                (lines.base, line, column)
            }
        };
        let span = span.start - base..span.end.max(span.start) - base;
        Place { file, span, line, column, pointer: pointer.into(), block: None, port: None }
    }
}

impl FileLines {
    /// Line and column of a byte, both from 1.
    fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = if line == 0 { 0 } else { self.starts[line - 1] };
        let surplus = self.surplus(offset) - self.surplus(start);
        (line.max(1), offset - start - surplus + 1)
    }

    fn surplus(&self, offset: usize) -> usize {
        let count = self.wide.partition_point(|&(end, _)| end <= offset);
        if count == 0 { 0 } else { self.wide[count - 1].1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(lines: &Lines, offset: usize) -> (usize, usize, usize) {
        let Place { file, line, column, .. } = lines.place(offset..offset + 1, "");
        (file, line, column)
    }

    #[test]
    fn counts_characters() {
        let text = "ab\n\"äö😀\":1\n";
        let lines = Lines::new(text);
        assert_eq!(position(&lines, 0), (0, 1, 1));
        assert_eq!(position(&lines, 3), (0, 2, 1));
        assert_eq!(position(&lines, text.find(':').unwrap()), (0, 2, 6));
        assert_eq!(position(&lines, text.len()), (0, 3, 1));
        assert_eq!(position(&Lines::default(), 5), (0, 1, 6));
    }

    #[test]
    fn tells_files_apart() {
        let mut lines = Lines::new("a\nb");
        assert_eq!(lines.append(&Lines::new("c\nd")), 3);
        assert_eq!(position(&lines, 2), (0, 2, 1));
        assert_eq!(position(&lines, 5), (1, 2, 1));
        assert_eq!(lines.place(5..6, "").span, 2..3);
    }
}
