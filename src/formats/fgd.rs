//! Entity definitions of the Worldcraft family (`.fgd`), in the dialects of GoldSrc, J.A.C.K. and TrenchBroom
//! (`map-wad-fgd.md` 4).
//!
//! A class with a fault keeps what was understood of it, and reading goes on at the next `@`.

use std::collections::HashMap;
use std::collections::HashSet;
use std::sync::Arc;

use glam::DVec3;

use crate::geometry::Aabb;

/// All classes of a file and its includes, with what they inherit filled in.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// In the order of the file; a class that repeats stands at its first place, as its last version.
    classes: Vec<Class>,
    /// Lower-case names.
    by_name: HashMap<String, usize>,
    pub problems: Vec<Problem>,
}

/// Something that could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub file: String,
    /// From 1.
    pub line: u32,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClassKind {
    /// Only inherited from.
    Base,
    Point,
    Solid,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    pub name: String,
    pub kind: ClassKind,
    pub description: String,
    pub bases: Vec<String>,
    /// Box around the origin, in Mapwright's axes.
    pub size: Option<Aabb>,
    pub color: Option<[u8; 3]>,
    /// Picture that stands for it.
    pub sprite: Option<String>,
    /// A model that is always the same.
    pub model: Option<String>,
    /// Inherited ones first, in the order of the bases.
    pub properties: Vec<Arc<Property>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub key: String,
    pub kind: PropertyKind,
    pub label: String,
    pub default: String,
    pub help: String,
    pub read_only: bool,
    /// Values of [`PropertyKind::Choices`].
    pub choices: Vec<Choice>,
    /// Bits of [`PropertyKind::Flags`].
    pub flags: Vec<Flag>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub value: String,
    pub label: String,
    pub help: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    pub bit: u32,
    pub label: String,
    pub is_on: bool,
    pub help: String,
}

/// What a value is; unknown types are text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    Text,
    Integer,
    Float,
    Boolean,
    Choices,
    Flags,
    Color255,
    Color1,
    /// The name of this entity.
    TargetSource,
    /// The name of another entity.
    TargetDestination,
    Studio,
    Sprite,
    Sound,
    Decal,
    Angle,
    Angles,
    Vector,
}

impl PropertyKind {
    fn named(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "integer" => Self::Integer,
            "float" | "scale" => Self::Float,
            "bool" | "boolean" => Self::Boolean,
            "choices" => Self::Choices,
            "flags" => Self::Flags,
            "color255" => Self::Color255,
            "color1" => Self::Color1,
            "target_source" => Self::TargetSource,
            "target_destination" | "target_name_or_class" => Self::TargetDestination,
            "studio" => Self::Studio,
            "sprite" => Self::Sprite,
            "sound" => Self::Sound,
            "decal" => Self::Decal,
            "angle" => Self::Angle,
            "angles" | "angle_negative" | "angle_negative_pitch" => Self::Angles,
            "origin" | "vector" | "axis" => Self::Vector,
            _ => Self::Text,
        }
    }
}

impl Definitions {
    /// Reads a file. `include` gives the bytes of another by its path from the folder of the first, forward slashes.
    #[must_use]
    pub fn read(bytes: &[u8], name: &str, include: &dyn Fn(&str) -> Option<Vec<u8>>) -> Self {
        let mut definitions = Self::default();
        definitions.read_files(bytes, name, include);
        definitions.inherit();
        definitions
    }

    #[must_use]
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// By name, without regard to case.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<&Class> {
        self.by_name.get(&name.to_lowercase()).map(|&index| &self.classes[index])
    }

    fn read_files(&mut self, bytes: &[u8], name: &str, include: &dyn Fn(&str) -> Option<Vec<u8>>) {
        let mut seen: HashSet<String> = HashSet::from([name.to_lowercase()]);
        let mut open = vec![Lexer::new(bytes, name)];
        while let Some(lexer) = open.last_mut() {
            let token = lexer.next();
            let Token::Word(word) = &token else {
                match token {
                    Token::End => {
                        let done = open.pop().expect("just looked at");
                        self.problems.extend(done.problems);
                    }
                    other => {
                        lexer.problem(format!("{other} stands outside of any class"));
                        lexer.skip_to_class();
                    }
                }
                continue;
            };
            if word.eq_ignore_ascii_case("@include") {
                let Token::Text(path) = lexer.next() else {
                    lexer.problem("@include without a file name".to_owned());
                    continue;
                };
                let Some(path) = path_beside(&lexer.file, &path) else {
                    lexer.problem(format!("{path} leaves the folder and was not included"));
                    continue;
                };
                // A file that was included before says nothing new; this also ends circles.
                if !seen.insert(path.to_lowercase()) {
                    continue;
                }
                match include(&path) {
                    Some(bytes) => open.push(Lexer::new(&bytes, &path)),
                    None => lexer.problem(format!("{path} was not found")),
                }
            } else if let Some(kind) = class_kind(word) {
                match lexer.class(kind) {
                    Ok(class) => self.add(class, lexer),
                    Err(text) => lexer.problem(text),
                }
            } else if word.starts_with('@') {
                // @mapsize, @MaterialExclusion, @AutoVisGroup, @Main ...
                lexer.skip_to_class();
            } else {
                lexer.problem(format!("{word} stands outside of any class"));
                lexer.skip_to_class();
            }
        }
    }

    fn add(&mut self, class: Class, lexer: &mut Lexer) {
        let key = class.name.to_lowercase();
        if let Some(&index) = self.by_name.get(&key) {
            lexer.problem(format!("{} is defined again; the later definition counts", class.name));
            self.classes[index] = class;
            return;
        }
        self.by_name.insert(key, self.classes.len());
        self.classes.push(class);
    }

    /// Fills in what classes inherit, each once, bases before those built on them, whatever their order in the file.
    fn inherit(&mut self) {
        /// Far above real files (some ten thousand); chains of classes could multiply without end.
        const MOST: usize = 1 << 20;
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut states = vec![State::New; self.classes.len()];
        let mut total = 0;
        for start in 0..self.classes.len() {
            let mut open = vec![start];
            while let Some(&index) = open.last() {
                if states[index] == State::Done {
                    open.pop();
                    continue;
                }
                let bases: Vec<usize> =
                    self.classes[index].bases.iter().filter_map(|base| self.by_name.get(&base.to_lowercase()).copied()).collect();
                if states[index] == State::New {
                    states[index] = State::Open;
                    open.extend(bases.iter().rev().copied().filter(|&base| states[base] == State::New));
                    continue;
                }
                // Bases that are still open are above this class in a circle.
                let (sound, circular): (Vec<usize>, Vec<usize>) = bases.into_iter().partition(|&base| states[base] == State::Done);
                if !circular.is_empty() {
                    self.note(index, format!("{} inherits from itself", self.classes[index].name));
                }
                if total <= MOST {
                    self.fill(index, &sound);
                    total += self.classes[index].properties.len();
                }
                states[index] = State::Done;
                open.pop();
            }
        }
        if total > MOST {
            self.note(0, "the classes inherit too much; some stay incomplete".to_owned());
        }
        for index in 0..self.classes.len() {
            let missing: Vec<String> =
                self.classes[index].bases.iter().filter(|base| !self.by_name.contains_key(&base.to_lowercase())).cloned().collect();
            for base in missing {
                self.note(index, format!("{} inherits from {base}, which is not defined", self.classes[index].name));
            }
        }
    }

    fn note(&mut self, _class: usize, text: String) {
        self.problems.push(Problem { file: String::new(), line: 0, text });
    }

    fn fill(&mut self, index: usize, bases: &[usize]) {
        let mut merged = Merged::default();
        let (mut size, mut color, mut sprite, mut model) = (None, None, None, None);
        for &base in bases {
            let base = &self.classes[base];
            base.properties.iter().for_each(|property| merged.add(property));
            size = base.size.or(size);
            color = base.color.or(color);
            sprite = base.sprite.clone().or(sprite);
            model = base.model.clone().or(model);
        }
        let class = &mut self.classes[index];
        class.properties.iter().for_each(|property| merged.add(property));
        class.properties = merged.list;
        class.size = class.size.or(size);
        class.color = class.color.or(color);
        class.sprite = class.sprite.take().or(sprite);
        class.model = class.model.take().or(model);
    }
}

/// Properties by key: a later one takes the place of an earlier one, flags join it.
#[derive(Default)]
struct Merged {
    list: Vec<Arc<Property>>,
    by_key: HashMap<String, usize>,
}

impl Merged {
    fn add(&mut self, property: &Arc<Property>) {
        let key = property.key.to_lowercase();
        let Some(&index) = self.by_key.get(&key) else {
            self.by_key.insert(key, self.list.len());
            self.list.push(Arc::clone(property));
            return;
        };
        if property.kind != PropertyKind::Flags || self.list[index].kind != PropertyKind::Flags {
            self.list[index] = Arc::clone(property);
            return;
        }
        let mut joined = (**property).clone();
        let own: HashSet<u32> = joined.flags.iter().map(|flag| flag.bit).collect();
        joined.flags.extend(self.list[index].flags.iter().filter(|flag| !own.contains(&flag.bit)).cloned());
        joined.flags.sort_by_key(|flag| flag.bit);
        self.list[index] = Arc::new(joined);
    }
}

fn class_kind(word: &str) -> Option<ClassKind> {
    match word.to_ascii_lowercase().as_str() {
        "@baseclass" => Some(ClassKind::Base),
        "@solidclass" => Some(ClassKind::Solid),
        "@pointclass" | "@npcclass" | "@keyframeclass" | "@moveclass" | "@filterclass" => Some(ClassKind::Point),
        _ => None,
    }
}

/// A path beside `file`; `None` when it would leave the folder of the first file.
fn path_beside(file: &str, path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    if path.starts_with('/') || path.contains(':') {
        return None;
    }
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
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

struct Lexer {
    text: String,
    at: usize,
    line: u32,
    file: String,
    ahead: Option<Token>,
    problems: Vec<Problem>,
}

impl Lexer {
    /// UTF-8 where it is, else Windows-1252.
    fn new(bytes: &[u8], file: &str) -> Self {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
            Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
        };
        Self { text, at: 0, line: 1, file: file.to_owned(), ahead: None, problems: Vec::new() }
    }

    fn problem(&mut self, text: String) {
        self.problems.push(Problem { file: self.file.clone(), line: self.line, text });
    }

    fn peek(&mut self) -> &Token {
        if self.ahead.is_none() {
            self.ahead = Some(self.read());
        }
        self.ahead.as_ref().expect("just set")
    }

    fn next(&mut self) -> Token {
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
            let Some(first) = rest.chars().next() else { return Token::End };
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

    /// After the opening quote, up to the closing one or the end of the line.
    fn quoted(&mut self) -> String {
        let rest = &self.text[self.at..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let mut text = String::new();
        let mut from = 0;
        while let Some(found) = line[from..].find('"') {
            let quote = from + found;
            // TrenchBroom writes \" for a quote inside; older files end texts with a backslash. What follows tells.
            let after = line[quote + 1..].trim_start();
            let is_inside = line[..quote].ends_with('\\') && !after.is_empty() && !after.starts_with([':', ']', ',', '+', ')', '=', '[']);
            if !is_inside {
                text.push_str(&line[from..quote]);
                self.at += quote + 1;
                return text;
            }
            text.push_str(&line[from..quote - 1]);
            text.push('"');
            from = quote + 1;
        }
        text.push_str(line[from..].trim_end());
        self.at += line.len();
        self.problem("a text does not end on its line".to_owned());
        text
    }

    fn skip_to_class(&mut self) {
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
    fn class(&mut self, kind: ClassKind) -> Result<Class, String> {
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
            let Token::Word(modifier) = self.next() else { continue };
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
                Token::Word(word) if word.starts_with('@') => return self.problem(format!("{} is not closed", class.name)),
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
        let kind = self.arguments().iter().find_map(|token| if let Token::Word(word) = token { Some(word.clone()) } else { None });
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
        let mut property = Property { key, kind, label, default, help, read_only, choices: Vec::new(), flags: Vec::new() };
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
                property.choices.push(Choice { value, label, help: second });
                continue;
            }
            match value.parse::<i64>().ok().and_then(|bit| u32::try_from(bit).ok()) {
                Some(bit) => property.flags.push(Flag { bit, label, is_on: second.trim() == "1", help: third }),
                None => self.problem(format!("{value} is no flag of {}", property.key)),
            }
        }
    }
}

/// A modifier of a class; unknown ones say nothing.
fn apply(class: &mut Class, modifier: &str, arguments: &[Token]) {
    let words: Vec<&str> = arguments.iter().filter_map(|token| if let Token::Word(word) = token { Some(word.as_str()) } else { None }).collect();
    let text = arguments.iter().find_map(|token| if let Token::Text(text) = token { Some(text.clone()) } else { None });
    let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).filter(|number: &f64| number.is_finite()).collect();
    match modifier.to_ascii_lowercase().as_str() {
        "base" => class.bases.extend(words.iter().map(|&word| word.to_owned())),
        "color" => {
            if let [red, green, blue] = numbers[..] {
                class.color = Some([red, green, blue].map(|channel| channel.clamp(0.0, 255.0) as u8));
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Definitions {
        Definitions::read(text.as_bytes(), "test.fgd", &|_| None)
    }

    #[test]
    fn a_class_gives_all_its_parts() {
        let definitions = read(
            r#"
            @mapsize(-4096, 4096)
            @baseclass = Named [ targetname(target_source) : "Name" ]
            @SolidClass base(Named, Lit) halfgridsnap unknown({ "a": [1] }) color(0 128 255)
                size(-16 -8 -24, 16 8 32) iconsprite("sprites/x.spr") = func_thing : "A thing, " + "it is" : "http://there" // why
            [
                speed(integer) : "Speed" : -5 : "How fast"
                scale(float) readonly : "Scale" : "1.0"
                help(string) : : : "only help"
                bare(color255)
                style(choices) : "Style" : 0 = [ -1 : "Off"  "a" : "On" : "lit" 2.5: "Half" ]
                spawnflags(flags) = [ 1 : "One" : 0  16:"Sixteen" : 1 : "help" ]
                output OnDone(void) : "done"
                odd(nonsense) : "Odd"
            ]
            @baseclass = Lit [ spawnflags(Flags) = [ 1 : "Old" : 1  2 : "Two" : 1 ] speed(string) : "Old speed" ]
            "#,
        );
        assert_eq!(definitions.problems, []);
        let class = definitions.class("FUNC_THING").expect("defined");
        assert_eq!((class.kind, class.description.as_str(), class.color), (ClassKind::Solid, "A thing, it is", Some([0, 128, 255])));
        assert_eq!(class.size, Some(Aabb::new(DVec3::new(-16.0, -24.0, -8.0), DVec3::new(16.0, 32.0, 8.0))));
        assert_eq!(class.sprite.as_deref(), Some("sprites/x.spr"));
        let keys: Vec<&str> = class.properties.iter().map(|property| property.key.as_str()).collect();
        assert_eq!(keys, ["targetname", "spawnflags", "speed", "scale", "help", "bare", "style", "odd"]);
        let get = |key: &str| class.properties.iter().find(|property| property.key == key).expect(key);
        assert_eq!((get("speed").kind, get("speed").default.as_str(), get("speed").help.as_str()), (PropertyKind::Integer, "-5", "How fast"));
        assert_eq!((get("scale").read_only, get("scale").default.as_str()), (true, "1.0"));
        assert_eq!((get("help").label.as_str(), get("help").help.as_str()), ("", "only help"));
        assert_eq!((get("bare").kind, get("odd").kind), (PropertyKind::Color255, PropertyKind::Text));
        let choices: Vec<(&str, &str, &str)> =
            get("style").choices.iter().map(|choice| (choice.value.as_str(), choice.label.as_str(), choice.help.as_str())).collect();
        assert_eq!(choices, [("-1", "Off", ""), ("a", "On", "lit"), ("2.5", "Half", "")]);
        let flags: Vec<(u32, &str, bool)> = get("spawnflags").flags.iter().map(|flag| (flag.bit, flag.label.as_str(), flag.is_on)).collect();
        assert_eq!(flags, [(1, "One", false), (2, "Two", true), (16, "Sixteen", true)]);
    }

    #[test]
    fn one_bad_class_does_not_lose_the_others() {
        #[track_caller]
        fn check(text: &str, classes: &[&str], problems: usize) {
            let definitions = read(text);
            let names: Vec<&str> = definitions.classes().iter().map(|class| class.name.as_str()).collect();
            assert_eq!((names.as_slice(), definitions.problems.len()), (classes, problems), "{:?}", definitions.problems);
        }
        check("@PointClass = a [ key : x ] @PointClass = b []", &["a", "b"], 1);
        check("@PointClass = a [ k(string) : \"open\n ] @PointClass = b []", &["a", "b"], 1);
        check("@PointClass = a [ k(string) @PointClass = b []", &["a", "b"], 1);
        check("@PointClass size(1 2 @PointClass = b []", &["b"], 1);
        check("@PointClass [] @PointClass = b", &["b"], 2);
        check("rubbish @PointClass = b []", &["b"], 1);
        check("@PointClass base(b) = a [] @PointClass base(a) = b []", &["a", "b"], 1);
        check("@PointClass base(nothing) = a []", &["a"], 1);
        check("@PointClass = a [] @SolidClass = A []", &["A"], 1);
        check(r#"@PointClass = a : "say \"hi\" now" []"#, &["a"], 0);
        check(r#"@PointClass = a [ k(string) : "path" : "dir\" : "help" ]"#, &["a"], 0);
        check("", &[], 0);
    }

    #[test]
    fn includes_stay_in_the_folder_and_end() {
        let files = |path: &str| {
            let text = match path {
                "sub/b.fgd" => "@include \"c.fgd\" @include \"../a.fgd\" @include \"../../x.fgd\" @PointClass = b []",
                "sub/c.fgd" => "@PointClass = c []",
                _ => return None,
            };
            Some(text.as_bytes().to_vec())
        };
        let text = "@include \"sub\\b.fgd\" @include \"gone.fgd\" @include \"C:/x.fgd\" @PointClass base(c) = a []";
        let definitions = Definitions::read(text.as_bytes(), "a.fgd", &files);
        let names: Vec<&str> = definitions.classes().iter().map(|class| class.name.as_str()).collect();
        assert_eq!(names, ["c", "b", "a"]);
        let problems: Vec<&str> = definitions.problems.iter().map(|problem| problem.text.as_str()).collect();
        assert_eq!(problems.len(), 3, "{problems:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 256, ..ProptestConfig::default() })]
        #[test]
        fn any_text_is_survived(parts in proptest::collection::vec(prop_oneof![
            Just("@PointClass"), Just("@baseclass"), Just("@include"), Just("="), Just("["), Just("]"), Just("("), Just(")"), Just(":"),
            Just("\""), Just("+"), Just("name"), Just("spawnflags(flags)"), Just("k(choices)"), Just("base(name)"), Just("\n"), Just("//"), Just("1"), Just("\\\"")
        ], 0..60)) {
            let text = parts.join(" ");
            let definitions = read(&text);
            prop_assert!(definitions.classes().len() <= parts.len());
        }
    }
}
