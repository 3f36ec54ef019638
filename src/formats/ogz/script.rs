//! The part of the games' script language that map configurations are written in: commands of words, blocks, calls, values
//! (language: Sauerbraten's cubescript). Only splitting; what the words do is in `config`.

use std::borrow::Cow;

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word<'a> {
    /// Bare, or in quotes with its escapes resolved.
    Text(Cow<'a, str>),
    /// What stands between `[` and its `]`.
    Block(&'a str),
    /// What stands between `(` and its `)`: a command whose result is the word.
    Call(&'a str),
    /// `$name`: what an alias or a variable holds.
    Value(&'a str),
}

/// The commands of a text in order. Never fails: an open quote ends with its line, an open bracket with the text.
pub struct Commands<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Commands<'a> {
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Blanks and comments, up to a word or the end of the command.
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' if self.text[self.at..].starts_with("//") => self.at = self.line_end(),
                _ => return,
            }
        }
    }

    fn line_end(&self) -> usize {
        let rest = &self.text[self.at..];
        self.at + rest.find('\n').unwrap_or(rest.len())
    }

    fn word(&mut self) -> Option<Word<'a>> {
        self.skip_blanks();
        // Brackets that close nothing.
        while let Some(b']' | b')') = self.peek() {
            self.at += 1;
            self.skip_blanks();
        }
        match self.peek()? {
            b'\n' | b';' => None,
            b'"' => Some(Word::Text(self.quoted())),
            b'[' => Some(Word::Block(self.bracketed(b'[', b']'))),
            b'(' => Some(Word::Call(self.bracketed(b'(', b')'))),
            b'$' => {
                self.at += 1;
                Some(Word::Value(self.bare()))
            }
            _ => Some(Word::Text(Cow::Borrowed(self.bare()))),
        }
    }

    fn bare(&mut self) -> &'a str {
        let start = self.at;
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'"' | b'[' | b']' | b'(' | b')' => break,
                b'/' if self.text[self.at..].starts_with("//") => break,
                _ => self.at += 1,
            }
        }
        &self.text[start..self.at]
    }

    fn quoted(&mut self) -> Cow<'a, str> {
        let start = self.at + 1;
        self.at = start;
        let mut has_escapes = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' | b'\n' => break,
                b'^' if !matches!(self.text.as_bytes().get(self.at + 1), None | Some(b'\n')) => {
                    has_escapes = true;
                    self.at += 2;
                }
                _ => self.at += 1,
            }
        }
        // An escape may end within a character of several bytes.
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        let inside = &self.text[start..self.at];
        if self.peek() == Some(b'"') {
            self.at += 1;
        }
        if has_escapes {
            Cow::Owned(unescaped(inside))
        } else {
            Cow::Borrowed(inside.trim_end_matches('\r'))
        }
    }

    fn bracketed(&mut self, open: u8, close: u8) -> &'a str {
        let start = self.at + 1;
        self.at = start;
        let mut depth = 1_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.quoted();
                    continue;
                }
                b'/' if self.text[self.at..].starts_with("//") => {
                    self.at = self.line_end();
                    continue;
                }
                _ if byte == open => depth += 1,
                _ if byte == close => {
                    depth -= 1;
                    if depth == 0 {
                        self.at += 1;
                        return &self.text[start..self.at - 1];
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
        &self.text[start..]
    }
}

impl<'a> Iterator for Commands<'a> {
    type Item = Vec<Word<'a>>;

    fn next(&mut self) -> Option<Vec<Word<'a>>> {
        loop {
            let mut words = Vec::new();
            while let Some(word) = self.word() {
                words.push(word);
            }
            let is_over = self.peek().is_none();
            self.at += usize::from(!is_over);
            if !words.is_empty() {
                return Some(words);
            }
            if is_over {
                return None;
            }
        }
    }
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '^' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            // `^f0` and the like colour text on the screen.
            Some('f') => {
                chars.next();
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// A whole number as the language reads it: decimal, `0x` hexadecimal, a leading 0 octal; what follows is ignored; 0 for none.
#[must_use]
pub fn integer(word: &str) -> i32 {
    let word = word.trim_start();
    let (is_negative, digits) = match word.as_bytes().first() {
        Some(b'-') => (true, &word[1..]),
        Some(b'+') => (false, &word[1..]),
        _ => (false, word),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', ..] => (8, digits),
        _ => (10, digits),
    };
    let mut value = 0_i64;
    for digit in digits.chars().map_while(|digit| digit.to_digit(radix)) {
        value = (value * i64::from(radix) + i64::from(digit)).min(1 << 32);
    }
    // Colours above 0x7FFFFFFF wrap as they do in 32 bits.
    (if is_negative { -value } else { value }) as i32
}

/// A number with a fraction; what follows it is ignored; 0 for none or for one that is not finite.
#[must_use]
pub fn number(word: &str) -> f32 {
    const LONGEST: usize = 40;
    let word = word.trim();
    let end = word
        .bytes()
        .take(LONGEST)
        .position(|byte| !matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E'))
        .unwrap_or(word.len().min(LONGEST));
    let mut text = word.get(..end).unwrap_or("");
    loop {
        if text.is_empty() {
            return 0.0;
        }
        if let Ok(value) = text.parse::<f32>() {
            return if value.is_finite() { value } else { 0.0 };
        }
        text = &text[..text.len() - 1];
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(word: &str) -> Word<'_> {
        Word::Text(Cow::Borrowed(word))
    }

    #[test]
    fn commands_are_split_into_words() {
        let script =
            "a b ; c \"d ^\"e^\"\" // note ; f\n\n g [h [i ; j] // ]\n k] (l $m) $n\r\no//p\nq";
        let commands: Vec<Vec<Word<'_>>> = Commands::new(script).collect();
        assert_eq!(
            commands,
            [
                vec![text("a"), text("b")],
                vec![text("c"), text("d \"e\"")],
                vec![
                    text("g"),
                    Word::Block("h [i ; j] // ]\n k"),
                    Word::Call("l $m"),
                    Word::Value("n")
                ],
                vec![text("o")],
                vec![text("q")],
            ]
        );
    }

    #[test]
    fn what_is_left_open_ends_somewhere() {
        #[track_caller]
        fn check(script: &str, expected: &[Word<'_>]) {
            let words: Vec<Word<'_>> = Commands::new(script).flatten().collect();
            assert_eq!(words, expected, "{script}");
        }
        check("\"open\nnext", &[text("open"), text("next")]);
        check("[open ] ] [", &[Word::Block("open "), Word::Block("")]);
        check("(a [b)", &[Word::Call("a [b")]);
        check("\"end^", &[text("end^")]);
        check("\"\u{e4}^\u{e4}\" x", &[text("\u{e4}\u{e4}"), text("x")]);
        check(") a", &[text("a")]);
    }

    #[test]
    fn numbers_are_read_as_the_language_does() {
        for (word, value) in [
            ("12", 12),
            ("-3x", -3),
            ("0x202018", 0x0020_2018),
            ("0XFFFFFF", 0x00FF_FFFF),
            ("010", 8),
            ("00000000", 0),
            ("words", 0),
            ("", 0),
            ("0xFFFFFFFF", -1),
        ] {
            assert_eq!(integer(word), value, "{word}");
        }
        for (word, value) in [
            (".5", 0.5),
            ("-0.02", -0.02),
            ("2x", 2.0),
            ("1e2", 100.0),
            ("3-", 3.0),
            ("1e99", 0.0),
            ("x", 0.0),
            ("-", 0.0),
        ] {
            assert_eq!(number(word), value, "{word}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_split(script in "[a\u{e4}^\"\\[\\]()$;/ \n]{0,40}") {
            let words: usize = Commands::new(&script).map(|words| words.len()).sum();
            prop_assert!(words <= script.len());
        }
    }
}
