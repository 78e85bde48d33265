//! Cuts one line of the text form into tokens and hands them out in order.

use super::ParseError;

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// A name, a number, a keyword.
    Word(&'a str),
    /// A string, unescaped.
    Text(String),
    /// One of `, ( ) { } = :`
    Mark(char),
}

/// The tokens of one line that have not been read.
#[derive(Debug)]
pub(super) struct Line<'a> {
    number: usize,
    tokens: Vec<Token<'a>>,
    next: usize,
}

impl<'a> Line<'a> {
    /// Cuts a line; `number` counts from 1.
    pub(super) fn new(number: usize, text: &'a str) -> Result<Self, ParseError> {
        let mut line = Self { number, tokens: Vec::new(), next: 0 };
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if is_mark(first) {
                line.tokens.push(Token::Mark(first));
                first.len_utf8()
            } else if first == '"' {
                let (string, length) = line.unescape(rest)?;
                line.tokens.push(Token::Text(string));
                length
            } else {
                let length = rest.find(ends_word).unwrap_or(rest.len());
                line.tokens.push(Token::Word(&rest[..length]));
                length
            };
            rest = rest[length..].trim_start();
        }
        Ok(line)
    }

    /// Reads the string that `text` starts with; gives its length in the text too.
    fn unescape(&self, text: &str) -> Result<(String, usize), ParseError> {
        let mut string = String::new();
        let mut chars = text.char_indices().skip(1);
        while let Some((at, char)) = chars.next() {
            match char {
                '"' => return Ok((string, at + 1)),
                '\\' => {}
                other => {
                    string.push(other);
                    continue;
                }
            }
            string.push(match chars.next().map(|(_, char)| char) {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('0') => '\0',
                Some(same @ ('\\' | '"' | '\'')) => same,
                Some('u') => {
                    let digits: String = chars
                        .by_ref()
                        .map(|(_, char)| char)
                        .skip_while(|&char| char == '{')
                        .take_while(|&char| char != '}')
                        .collect();
                    let code = u32::from_str_radix(&digits, 16).ok();
                    let Some(char) = code.and_then(char::from_u32) else {
                        return self.fail(format!("'{digits}' is no character code"));
                    };
                    char
                }
                _ => return self.fail("unknown escape in a string"),
            });
        }
        self.fail("string without an end")
    }

    /// An error that names this line.
    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError { line: self.number, message: message.into() })
    }

    /// The error for a token that should have been something else.
    fn unexpected<T>(&self, wanted: &str) -> Result<T, ParseError> {
        let found = match self.tokens.get(self.next) {
            Some(Token::Word(word)) => format!("'{word}'"),
            Some(Token::Text(text)) => format!("{text:?}"),
            Some(Token::Mark(mark)) => format!("'{mark}'"),
            None => "the end of the line".into(),
        };
        self.fail(format!("expected {wanted}, found {found}"))
    }

    /// The next token, if it is a word.
    pub(super) fn peek_word(&self) -> Option<&'a str> {
        match self.tokens.get(self.next) {
            Some(&Token::Word(word)) => Some(word),
            Some(Token::Text(_) | Token::Mark(_)) | None => None,
        }
    }

    /// Takes the next token if it is this mark.
    pub(super) fn take(&mut self, mark: char) -> bool {
        let found = self.tokens.get(self.next) == Some(&Token::Mark(mark));
        self.next += usize::from(found);
        found
    }

    /// Takes a word.
    pub(super) fn word(&mut self, wanted: &str) -> Result<&'a str, ParseError> {
        let Some(word) = self.peek_word() else { return self.unexpected(wanted) };
        self.next += 1;
        Ok(word)
    }

    /// Takes this word.
    pub(super) fn keyword(&mut self, keyword: &str) -> Result<(), ParseError> {
        if self.peek_word() != Some(keyword) {
            return self.unexpected(&format!("'{keyword}'"));
        }
        self.next += 1;
        Ok(())
    }

    /// Takes a string.
    pub(super) fn text(&mut self) -> Result<String, ParseError> {
        let Some(Token::Text(text)) = self.tokens.get(self.next) else {
            return self.unexpected("a string");
        };
        self.next += 1;
        Ok(text.clone())
    }

    /// Takes a word that reads as a value of some type.
    pub(super) fn parse<T: std::str::FromStr>(&mut self, wanted: &str) -> Result<T, ParseError> {
        let Some(value) = self.peek_word().and_then(|word| word.parse().ok()) else {
            return self.unexpected(wanted);
        };
        self.next += 1;
        Ok(value)
    }

    /// Takes this mark.
    pub(super) fn mark(&mut self, mark: char) -> Result<(), ParseError> {
        if self.take(mark) { Ok(()) } else { self.unexpected(&format!("'{mark}'")) }
    }

    /// Whether all tokens have been taken.
    pub(super) fn is_done(&self) -> bool {
        self.next == self.tokens.len()
    }

    /// Demands that all tokens have been taken.
    pub(super) fn end(&self) -> Result<(), ParseError> {
        if self.is_done() { Ok(()) } else { self.unexpected("the end of the line") }
    }
}

fn is_mark(char: char) -> bool {
    matches!(char, ',' | '(' | ')' | '{' | '}' | '=' | ':')
}

fn ends_word(char: char) -> bool {
    char.is_whitespace() || char == '"' || is_mark(char)
}
