//! Words of `.map` text, with the line they stand on.

use crate::formats::map::MapTextError;

/// Reads forward over the text; never fails on its own account.
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            line: 1,
        }
    }

    pub fn line(&self) -> usize {
        self.line
    }

    pub fn error(&self, what: impl Into<String>) -> MapTextError {
        MapTextError {
            line: self.line,
            what: what.into(),
        }
    }

    fn step(&mut self) {
        let byte = self.bytes[self.at];
        // CR LF and a lone CR are one line end each.
        let ends = byte == b'\n' || byte == b'\r' && self.bytes.get(self.at + 1) != Some(&b'\n');
        self.line += usize::from(ends);
        self.at += 1;
    }

    fn skip_line(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b'\n' || byte == b'\r' {
                return;
            }
            self.at += 1;
        }
    }

    /// Over white space and comments; `same_line`: not over a line's end.
    fn skip(&mut self, same_line: bool) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' | b'\r' if same_line => return,
                byte if byte.is_ascii_whitespace() || byte == 0 => self.step(),
                b';' => self.skip_line(),
                b'/' if self.bytes.get(self.at + 1) == Some(&b'/') => self.skip_line(),
                _ => return,
            }
        }
    }

    /// The next sign that is no white space; stays before it.
    pub fn peek(&mut self) -> Option<u8> {
        self.skip(false);
        self.bytes.get(self.at).copied()
    }

    /// As [`Lexer::peek`], on this line only.
    pub fn peek_on_line(&mut self) -> Option<u8> {
        self.skip(true);
        let byte = self.bytes.get(self.at).copied()?;
        (byte != b'\n' && byte != b'\r').then_some(byte)
    }

    pub fn expect(&mut self, sign: u8, why: &str) -> Result<(), MapTextError> {
        match self.peek() {
            Some(found) if found == sign => {
                self.step();
                Ok(())
            }
            Some(_) => {
                let word = self.shown();
                Err(self.error(format!(
                    "{why} needs \"{}\" here, not \"{word}\"",
                    sign as char
                )))
            }
            None => Err(self.error(format!(
                "the text ends where {why} needs \"{}\"",
                sign as char
            ))),
        }
    }

    /// The word ahead, for messages.
    fn shown(&self) -> String {
        let rest = &self.bytes[self.at..];
        let end = rest
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(rest.len())
            .min(24);
        encoding_rs::WINDOWS_1252
            .decode_without_bom_handling(&rest[..end])
            .0
            .into_owned()
    }

    pub fn number(&mut self) -> Result<f32, MapTextError> {
        if self.peek().is_none() {
            return Err(self.error("the text ends where a number should be"));
        }
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte.is_ascii_whitespace() || b"()[]{}\"".contains(&byte) {
                break;
            }
            self.at += 1;
        }
        let word = &self.bytes[start..self.at];
        let number = std::str::from_utf8(word)
            .ok()
            .and_then(|word| word.parse::<f32>().ok())
            .filter(|number| number.is_finite());
        number.ok_or_else(|| {
            self.at = start;
            let word = self.shown();
            self.error(format!("a number should be here, not \"{word}\""))
        })
    }

    /// A texture name: quoted, or up to white space whatever is in it.
    pub fn name(&mut self) -> Result<&'a [u8], MapTextError> {
        match self.peek() {
            None => Err(self.error("the text ends where a texture name should be")),
            Some(b'"') => self.string(),
            Some(_) => {
                let start = self.at;
                while self
                    .bytes
                    .get(self.at)
                    .is_some_and(|byte| !byte.is_ascii_whitespace())
                {
                    self.at += 1;
                }
                Ok(&self.bytes[start..self.at])
            }
        }
    }

    /// A quoted string. A quote after a backslash belongs to it where the line has another quote after that.
    pub fn string(&mut self) -> Result<&'a [u8], MapTextError> {
        self.expect(b'"', "a string")?;
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'"' if self.at > start
                    && self.bytes[self.at - 1] == b'\\'
                    && self.has_quote_after(self.at + 1) =>
                {
                    self.step();
                }
                b'"' => {
                    let text = &self.bytes[start..self.at];
                    self.step();
                    return Ok(text);
                }
                _ => self.step(),
            }
        }
        Err(self.error("a string has no closing quote"))
    }

    /// True when a quote at the place before belongs to the text: the line has a closing one later, and what follows is not what
    /// follows a closed string.
    fn has_quote_after(&self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let line = rest
            .split(|&byte| byte == b'\n' || byte == b'\r')
            .next()
            .unwrap_or_default();
        let next = line.iter().find(|byte| !byte.is_ascii_whitespace());
        line.contains(&b'"') && next.is_some_and(|next| !b"\"{}".contains(next))
    }

    /// Over numbers and words up to the end of the line or a bracket: what dialects add after a face.
    pub fn skip_extras(&mut self) {
        while let Some(byte) = self.peek_on_line() {
            if b"(){}".contains(&byte) {
                return;
            }
            self.step();
        }
    }
}
