//! Strings, numbers and words of a JSON text.

use super::{JsonError, JsonErrorKind};

/// A place in a text; it always stands between two characters.
pub(super) struct Scanner<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, offset: 0 }
    }

    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    /// Steps over one ASCII character.
    pub(super) fn advance(&mut self) {
        self.offset += 1;
    }

    pub(super) fn skip_whitespace(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.offset += 1;
        }
    }

    /// Steps over a word if it stands here.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let here = self.rest().starts_with(word);
        if here {
            self.offset += word.len();
        }
        here
    }

    pub(super) fn unexpected(&self, expected: &'static str) -> JsonError {
        let found = match self.rest().chars().next() {
            None => "the end of the file".to_owned(),
            Some(c) if c.is_control() => format!("the control character U+{:04X}", u32::from(c)),
            Some(c) => format!("'{c}'"),
        };
        let kind = JsonErrorKind::Unexpected { expected, found };
        JsonError { kind, offset: self.offset }
    }

    /// Reads a string from its opening quote to its closing one.
    pub(super) fn string(&mut self) -> Result<String, JsonError> {
        self.advance();
        let mut string = String::new();
        loop {
            let plain = self.rest().bytes().take_while(|b| !matches!(b, b'"' | b'\\' | 0..=0x1f));
            let end = self.offset + plain.count();
            string.push_str(&self.text[self.offset..end]);
            self.offset = end;
            match self.peek() {
                Some(b'"') => {
                    self.advance();
                    return Ok(string);
                }
                Some(b'\\') => {
                    self.advance();
                    string.push(self.escape()?);
                }
                _ => return Err(self.unexpected("the end of a string")),
            }
        }
    }

    /// Reads an escape after its backslash.
    fn escape(&mut self) -> Result<char, JsonError> {
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.advance();
                return self.unicode();
            }
            _ => return Err(self.unexpected("an escape such as \\n or \\u0041")),
        };
        self.advance();
        Ok(c)
    }

    /// Reads a UTF-16 unit, and the second one of a pair; a lone surrogate is U+FFFD.
    fn unicode(&mut self) -> Result<char, JsonError> {
        let unit = self.hex4()?;
        if let Some(c) = char::from_u32(unit) {
            return Ok(c);
        }
        let before = self.offset;
        if unit < 0xDC00 && self.word("\\u") {
            let second = self.hex4()?;
            if (0xDC00..0xE000).contains(&second) {
                let scalar = 0x1_0000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.offset = before;
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex4(&mut self) -> Result<u32, JsonError> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|b| char::from(b).to_digit(16)) else {
                return Err(self.unexpected("four hexadecimal digits"));
            };
            unit = unit * 16 + digit;
            self.advance();
        }
        Ok(unit)
    }

    /// Reads a number; what its text says is rounded once, to the nearest double.
    pub(super) fn number(&mut self) -> Result<f64, JsonError> {
        let start = self.offset;
        if self.peek() == Some(b'-') {
            self.advance();
        }
        if self.peek() == Some(b'0') {
            self.advance();
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.advance();
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.advance();
            if let Some(b'+' | b'-') = self.peek() {
                self.advance();
            }
            self.digits()?;
        }
        self.text[start..self.offset].parse().map_err(|_| self.unexpected("a number"))
    }

    /// Steps over one digit or more.
    fn digits(&mut self) -> Result<(), JsonError> {
        let count = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.offset += count;
        if count == 0 { Err(self.unexpected("a digit")) } else { Ok(()) }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }
}
