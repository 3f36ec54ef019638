//! Text to tokens, tokens to classes.

use std::sync::Arc;

use glam::DVec3;

use crate::formats::fgd::Choice;
use crate::formats::fgd::Class;
use crate::formats::fgd::ClassKind;
use crate::formats::fgd::Flag;
use crate::formats::fgd::Problem;
use crate::formats::fgd::Property;
use crate::formats::fgd::PropertyKind;
use crate::geometry::Aabb;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A bare word, number or `@` keyword.
    Word(String),
    /// Between quotes.
    Text(String),
    Mark(char),
    End,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) => write!(f, "{word}"),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Mark(mark) => write!(f, "{mark}"),
            Self::End => write!(f, "the end of the file"),
        }
    }
}

const MARKS: &str = "()[]{}:=,+";

pub struct Lexer {
    text: String,
    at: usize,
    line: u32,
    pub file: String,
    ahead: Option<Token>,
    pub problems: Vec<Problem>,
}

impl Lexer {
    /// UTF-8 where it is, else Windows-1252.
    pub fn new(bytes: &[u8], file: &str) -> Self {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
            Err(_) => encoding_rs::WINDOWS_1252
                .decode_without_bom_handling(bytes)
                .0
                .into_owned(),
        };
        Self {
            text,
            at: 0,
            line: 1,
            file: file.to_owned(),
            ahead: None,
            problems: Vec::new(),
        }
    }

    pub fn problem(&mut self, text: String) {
        self.problems.push(Problem {
            file: self.file.clone(),
            line: self.line,
            text,
        });
    }

    fn peek(&mut self) -> &Token {
        if self.ahead.is_none() {
            self.ahead = Some(self.read());
        }
        self.ahead.as_ref().expect("just set")
    }

    pub fn next(&mut self) -> Token {
        match self.ahead.take() {
            Some(token) => token,
            None => self.read(),
        }
    }

    fn takes(&mut self, mark: char) -> bool {
        let is_it = *self.peek() == Token::Mark(mark);
        if is_it {
            self.ahead = None;
        }
        is_it
    }

    fn read(&mut self) -> Token {
        loop {
            let rest = &self.text[self.at..];
            let Some(first) = rest.chars().next() else {
                return Token::End;
            };
            if first.is_whitespace() {
                self.line += u32::from(first == '\n');
                self.at += first.len_utf8();
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if first == '"' {
                self.at += 1;
                return Token::Text(self.quoted());
            } else if MARKS.contains(first) {
                self.at += 1;
                return Token::Mark(first);
            } else {
                let ends = |c: char| c.is_whitespace() || c == '"' || MARKS.contains(c);
                let length = rest.find(ends).unwrap_or(rest.len());
                let length = rest[..length].find("//").unwrap_or(length);
                self.at += length;
                return Token::Word(rest[..length].to_owned());
            }
        }
    }

    /// After the opening quote, up to the closing one. Texts may go over several lines; one that would swallow a class was left
    /// open by mistake and ends on its line.
    fn quoted(&mut self) -> String {
        let rest = &self.text[self.at..];
        let mut text = String::new();
        let mut from = 0;
        while let Some(found) = rest[from..].find('"') {
            let quote = from + found;
            if rest[from..quote]
                .lines()
                .skip(1)
                .any(|line| line.trim_start().starts_with('@'))
            {
                break;
            }
            // TrenchBroom writes \" for a quote inside; older files end texts with a backslash. What follows tells.
            let after = rest[quote + 1..].lines().next().unwrap_or("").trim_start();
            let is_inside = rest[..quote].ends_with('\\')
                && !after.is_empty()
                && !after.starts_with([':', ']', ',', '+', ')', '=', '[']);
            if !is_inside {
                text.push_str(&rest[from..quote]);
                self.line += rest[..quote].matches('\n').count() as u32;
                self.at += quote + 1;
                return text;
            }
            text.push_str(&rest[from..quote - 1]);
            text.push('"');
            from = quote + 1;
        }
        let line = rest[..rest.find('\n').unwrap_or(rest.len())]
            .trim_end()
            .to_owned();
        self.problem("a text does not end".to_owned());
        self.at += line.len();
        line
    }

    pub fn skip_to_class(&mut self) {
        loop {
            match self.peek() {
                Token::End => return,
                Token::Word(word) if word.starts_with('@') => return,
                _ => self.ahead = None,
            }
        }
    }

    /// Everything up to the closing parenthesis, which may hold others of all kinds.
    fn arguments(&mut self) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut depth = 1;
        loop {
            match self.peek() {
                Token::End => return tokens,
                Token::Word(word) if word.starts_with('@') => return tokens,
                Token::Mark('(' | '[' | '{') => depth += 1,
                Token::Mark(')' | ']' | '}') => depth -= 1,
                _ => {}
            }
            let token = self.next();
            if depth == 0 {
                return tokens;
            }
            tokens.push(token);
        }
    }

    /// Modifiers, name, description and properties.
    pub fn class(&mut self, kind: ClassKind) -> Result<Class, String> {
        let mut class = Class {
            name: String::new(),
            kind,
            description: String::new(),
            bases: Vec::new(),
            size: None,
            color: None,
            sprite: None,
            model: None,
            properties: Vec::new(),
        };
        loop {
            match self.peek() {
                Token::Mark('=') => break,
                Token::Word(word) if !word.starts_with('@') => {}
                other => return Err(format!("{other} where the name of a class was expected")),
            }
            let Token::Word(modifier) = self.next() else {
                continue;
            };
            if self.takes('(') {
                let arguments = self.arguments();
                apply(&mut class, &modifier, &arguments);
            }
        }
        self.ahead = None;
        match self.peek() {
            Token::Word(word) if !word.starts_with('@') => {}
            Token::Text(_) => {}
            other => return Err(format!("{other} where the name of a class was expected")),
        }
        class.name = self.value();
        if self.takes(':') {
            class.description = self.value();
            // J.A.C.K. adds an address.
            while self.takes(':') {
                self.value();
            }
        }
        if self.takes('[') {
            self.properties(&mut class);
        }
        Ok(class)
    }

    fn properties(&mut self, class: &mut Class) {
        while !self.takes(']') {
            match self.peek() {
                Token::End => return self.problem(format!("{} is not closed", class.name)),
                Token::Word(word) if word.starts_with('@') => {
                    return self.problem(format!("{} is not closed", class.name));
                }
                Token::Word(_) | Token::Text(_) => {}
                Token::Mark(mark) => {
                    let text = format!("{mark} in {} where a key was expected", class.name);
                    self.problem(text);
                    return self.skip_to_class();
                }
            }
            let key = self.value();
            let is_link = ["input", "output"].contains(&key.to_ascii_lowercase().as_str());
            if is_link && matches!(self.peek(), Token::Word(_)) {
                self.value();
            }
            if !self.takes('(') {
                self.problem(format!("{key} of {} has no type", class.name));
                return self.skip_to_class();
            }
            let property = self.property(key);
            if !is_link {
                class.properties.push(Arc::new(property));
            }
        }
    }

    /// From behind the opening parenthesis of its type.
    fn property(&mut self, key: String) -> Property {
        let kind = self.arguments().iter().find_map(|token| {
            if let Token::Word(word) = token {
                Some(word.clone())
            } else {
                None
            }
        });
        let kind = PropertyKind::named(kind.as_deref().unwrap_or("").trim_start_matches('*'));
        let mut read_only = false;
        while let Token::Word(word) = self.peek() {
            let is_read_only = word.eq_ignore_ascii_case("readonly");
            if !is_read_only && !word.eq_ignore_ascii_case("report") {
                break;
            }
            read_only |= is_read_only;
            self.ahead = None;
        }
        let [label, default, help] = self.parts();
        let mut property = Property {
            key,
            kind,
            label,
            default,
            help,
            read_only,
            choices: Vec::new(),
            flags: Vec::new(),
        };
        if self.takes('=') && self.takes('[') {
            self.list(&mut property);
        }
        property
    }

    /// Up to three values, each behind a colon and each of them possibly missing.
    fn parts(&mut self) -> [String; 3] {
        let mut parts = [const { String::new() }; 3];
        let mut index = 0;
        while self.takes(':') {
            let value = self.value();
            if let Some(part) = parts.get_mut(index) {
                *part = value;
            }
            index += 1;
        }
        parts
    }

    /// A word, or texts joined by `+`; empty when something else follows.
    fn value(&mut self) -> String {
        match self.peek() {
            Token::Word(word) if !word.starts_with('@') => {
                let word = word.clone();
                self.ahead = None;
                word
            }
            Token::Text(_) => {
                let mut joined = String::new();
                while let Token::Text(text) = self.peek() {
                    joined.push_str(text);
                    self.ahead = None;
                    if !self.takes('+') {
                        break;
                    }
                }
                joined
            }
            _ => String::new(),
        }
    }

    /// Choices or flags, up to the closing bracket.
    fn list(&mut self, property: &mut Property) {
        while !self.takes(']') {
            match self.peek() {
                Token::Word(word) if !word.starts_with('@') => {}
                Token::Text(_) => {}
                other => {
                    let text = format!("{other} in the values of {}", property.key);
                    self.problem(text);
                    return;
                }
            }
            let value = self.value();
            let [label, second, third] = self.parts();
            if property.kind != PropertyKind::Flags {
                property.choices.push(Choice {
                    value,
                    label,
                    help: second,
                });
                continue;
            }
            match value
                .parse::<i64>()
                .ok()
                .and_then(|bit| u32::try_from(bit).ok())
            {
                Some(bit) => property.flags.push(Flag {
                    bit,
                    label,
                    is_on: second.trim() == "1",
                    help: third,
                }),
                None => self.problem(format!("{value} is no flag of {}", property.key)),
            }
        }
    }
}

/// A modifier of a class; unknown ones say nothing.
fn apply(class: &mut Class, modifier: &str, arguments: &[Token]) {
    let words: Vec<&str> = arguments
        .iter()
        .filter_map(|token| {
            if let Token::Word(word) = token {
                Some(word.as_str())
            } else {
                None
            }
        })
        .collect();
    let text = arguments.iter().find_map(|token| {
        if let Token::Text(text) = token {
            Some(text.clone())
        } else {
            None
        }
    });
    let numbers: Vec<f64> = words
        .iter()
        .filter_map(|word| word.parse().ok())
        .filter(|number: &f64| number.is_finite())
        .collect();
    match modifier.to_ascii_lowercase().as_str() {
        "base" => class
            .bases
            .extend(words.iter().map(|&word| word.to_owned())),
        "color" => {
            if let [red, green, blue] = numbers[..] {
                class.color =
                    Some([red, green, blue].map(|channel| channel.clamp(0.0, 255.0) as u8));
            }
        }
        "size" => class.size = size(&numbers),
        "iconsprite" | "sprite" => class.sprite = text.or_else(|| class.sprite.take()),
        "studio" => class.model = text.or_else(|| class.model.take()),
        _ => {}
    }
}

/// Three numbers are a size around the origin, six a box; from Z up to Y up.
fn size(numbers: &[f64]) -> Option<Aabb> {
    let turned = |x: f64, y: f64, z: f64| DVec3::new(x, z, 0.0 - y);
    match *numbers {
        [x, y, z] => {
            let half = turned(x, y, z).abs() * 0.5;
            Some(Aabb::new(-half, half))
        }
        [a, b, c, d, e, f] => Some(Aabb::between(turned(a, b, c), turned(d, e, f))),
        _ => None,
    }
}
