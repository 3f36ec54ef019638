//! Entity definitions of the Worldcraft family (`.fgd`), in the dialects of GoldSrc, J.A.C.K. and TrenchBroom
//! (`map-wad-fgd.md` 4).
//!
//! A class with a fault keeps what was understood of it, and reading goes on at the next `@`.

mod lexer;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::collections::HashSet;
use std::sync::Arc;

use crate::formats::fgd::lexer::Lexer;
use crate::formats::fgd::lexer::Token;
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
        self.by_name
            .get(&name.to_lowercase())
            .map(|&index| &self.classes[index])
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
            lexer.problem(format!(
                "{} is defined again; the later definition counts",
                class.name
            ));
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
                let bases: Vec<usize> = self.classes[index]
                    .bases
                    .iter()
                    .filter_map(|base| self.by_name.get(&base.to_lowercase()).copied())
                    .collect();
                if states[index] == State::New {
                    states[index] = State::Open;
                    open.extend(
                        bases
                            .iter()
                            .rev()
                            .copied()
                            .filter(|&base| states[base] == State::New),
                    );
                    continue;
                }
                // Bases that are still open are above this class in a circle.
                let (sound, circular): (Vec<usize>, Vec<usize>) = bases
                    .into_iter()
                    .partition(|&base| states[base] == State::Done);
                if !circular.is_empty() {
                    self.note(format!("{} inherits from itself", self.classes[index].name));
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
            self.note("the classes inherit too much; some stay incomplete".to_owned());
        }
        for index in 0..self.classes.len() {
            let missing: Vec<String> = self.classes[index]
                .bases
                .iter()
                .filter(|base| !self.by_name.contains_key(&base.to_lowercase()))
                .cloned()
                .collect();
            for base in missing {
                self.note(format!(
                    "{} inherits from {base}, which is not defined",
                    self.classes[index].name
                ));
            }
        }
    }

    fn note(&mut self, text: String) {
        self.problems.push(Problem {
            file: String::new(),
            line: 0,
            text,
        });
    }

    fn fill(&mut self, index: usize, bases: &[usize]) {
        let mut merged = Merged::default();
        let (mut size, mut color, mut sprite, mut model) = (None, None, None, None);
        for &base in bases {
            let base = &self.classes[base];
            base.properties
                .iter()
                .for_each(|property| merged.add(property));
            size = base.size.or(size);
            color = base.color.or(color);
            sprite = base.sprite.clone().or(sprite);
            model = base.model.clone().or(model);
        }
        let class = &mut self.classes[index];
        class
            .properties
            .iter()
            .for_each(|property| merged.add(property));
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
        joined.flags.extend(
            self.list[index]
                .flags
                .iter()
                .filter(|flag| !own.contains(&flag.bit))
                .cloned(),
        );
        joined.flags.sort_by_key(|flag| flag.bit);
        self.list[index] = Arc::new(joined);
    }
}

fn class_kind(word: &str) -> Option<ClassKind> {
    match word.to_ascii_lowercase().as_str() {
        "@baseclass" => Some(ClassKind::Base),
        "@solidclass" => Some(ClassKind::Solid),
        "@pointclass" | "@npcclass" | "@keyframeclass" | "@moveclass" | "@filterclass" => {
            Some(ClassKind::Point)
        }
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
