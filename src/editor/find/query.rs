//! The language of the search field (SEL-10): words, `key=value`, `mat:`, `id:` and the like, measures.

use std::collections::BTreeSet;

use crate::document::Document;
use crate::document::MaterialId;

/// A text to compare with, without regard to case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// Nothing typed yet: fits everything.
    Any,
    Part(String),
    Whole(String),
    /// With `*` and `?`.
    Glob(Vec<char>),
}

impl Pattern {
    /// A word: part of the text, or all of it where it holds `*` or `?`.
    fn word(text: &str) -> Self {
        Self::new(text, Self::Part)
    }

    /// A value: all of the text.
    fn value(text: &str) -> Self {
        Self::new(text, Self::Whole)
    }

    fn new(text: &str, plain: fn(String) -> Self) -> Self {
        let text = text.to_lowercase();
        if text.is_empty() {
            Self::Any
        } else if text.contains(['*', '?']) {
            Self::Glob(text.chars().collect())
        } else {
            plain(text)
        }
    }

    pub fn fits(&self, text: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Part(part) => text.to_lowercase().contains(part),
            Self::Whole(whole) => text.to_lowercase() == *whole,
            Self::Glob(glob) => {
                let text: Vec<char> = text.to_lowercase().chars().collect();
                fits_glob(glob, &text)
            }
        }
    }

    /// True when the text is this and nothing else: such finds come first.
    pub fn is(&self, text: &str) -> bool {
        match self {
            Self::Part(word) | Self::Whole(word) => text.to_lowercase() == *word,
            Self::Any | Self::Glob(_) => false,
        }
    }
}

/// Goes back to the last `*` where a later part does not fit; no recursion.
fn fits_glob(glob: &[char], text: &[char]) -> bool {
    let (mut g, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match glob.get(g) {
            Some('*') => {
                star = Some((g, t));
                g += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                g += 1;
                t += 1;
            }
            _ => match &mut star {
                Some((at, from)) => {
                    *from += 1;
                    (g, t) = (*at + 1, *from);
                }
                None => return false,
            },
        }
    }
    glob[g..].iter().all(|&c| c == '*')
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Is,
    IsNot,
    Less,
    LessOrSame,
    More,
    MoreOrSame,
}

impl Comparison {
    pub fn holds(self, left: f64, right: f64) -> bool {
        // What a field shows has three decimals.
        let same = (left - right).abs() < 5e-4;
        match self {
            Self::Is => same,
            Self::IsNot => !same,
            Self::Less => left < right && !same,
            Self::LessOrSame => left < right || same,
            Self::More => left > right && !same,
            Self::MoreOrSame => left > right || same,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// The largest of the three extents.
    Size,
    /// An extent along X, Y, Z.
    Extent(usize),
    Volume,
    Faces,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Property {
    Brush,
    Mesh,
    Entity,
    Group,
    Hidden,
    Locked,
    /// Points at a name that nothing has.
    Undefined,
    /// Shares its name with others.
    Duplicate,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// Anywhere: class, names and values of properties, materials, group, layer, id.
    Word(Pattern),
    Class(Pattern),
    Key(Pattern),
    Value(Pattern),
    Is {
        key: Pattern,
        value: Pattern,
        not: bool,
    },
    Number {
        key: String,
        comparison: Comparison,
        value: f64,
    },
    Measured(Measure, Comparison, f64),
    Material(Pattern, BTreeSet<MaterialId>),
    Group(Pattern),
    Layer(Pattern),
    Id(u32, u32),
    /// The number of an entity in document order, 0 = the world; as compilers of games count.
    EntityNumber(u32),
    /// An entity's number, and that of a brush of it.
    BrushNumber(u32, u32),
    Property(Property),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    pub not: bool,
    pub test: Test,
}

/// A word of the query, cut at its first operator outside of quotes.
#[derive(Debug, Default)]
struct Word {
    head: String,
    operator: String,
    tail: String,
    quoted: bool,
}

fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut word = Word::default();
    let mut in_quotes = false;
    let mut started = false;
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        if c == '"' {
            in_quotes = !in_quotes;
            started = true;
            word.quoted = true;
        } else if c.is_whitespace() && !in_quotes {
            if started {
                found.push(std::mem::take(&mut word));
            }
            started = false;
        } else {
            started = true;
            let next = letters.peek().copied();
            let is_operator = !in_quotes
                && word.operator.is_empty()
                && !word.head.is_empty()
                && (matches!(c, '=' | '<' | '>' | ':') || (c == '!' && next == Some('=')));
            if is_operator {
                word.operator.push(c);
                if next == Some('=') && c != '=' && c != ':' {
                    word.operator.push('=');
                    letters.next();
                }
            } else if word.operator.is_empty() {
                word.head.push(c);
            } else {
                word.tail.push(c);
            }
        }
    }
    if started {
        found.push(word);
    }
    found
}

/// Terms that must all hold.
///
/// # Errors
/// What cannot be understood, as a sentence for the user.
pub(super) fn parse(text: &str, doc: &Document) -> Result<Vec<Term>, String> {
    let mut terms = Vec::new();
    for mut word in words(text) {
        let mut letters = word.head.chars();
        let not = match (letters.next(), letters.next()) {
            (Some('!'), Some(_)) => true,
            // "-16" is a number, "-light" is not a light.
            (Some('-'), Some(second)) => !second.is_ascii_digit() && second != '.',
            _ => false,
        } && !word.quoted;
        if not {
            word.head.remove(0);
        }
        if word.head.is_empty() && word.tail.is_empty() {
            continue;
        }
        let test = test_of(word, doc)?;
        terms.push(Term { not, test });
    }
    Ok(terms)
}

fn test_of(word: Word, doc: &Document) -> Result<Test, String> {
    let head = word.head.to_lowercase();
    let comparison = match word.operator.as_str() {
        "" => return Ok(Test::Word(Pattern::word(&head))),
        ":" => return prefixed(&head, &word.tail, doc),
        "=" => Comparison::Is,
        "!=" => Comparison::IsNot,
        "<" => Comparison::Less,
        "<=" => Comparison::LessOrSame,
        ">" => Comparison::More,
        _ => Comparison::MoreOrSame,
    };
    let measure = match head.as_str() {
        "size" => Some(Measure::Size),
        "width" => Some(Measure::Extent(0)),
        "height" => Some(Measure::Extent(1)),
        "depth" => Some(Measure::Extent(2)),
        "volume" => Some(Measure::Volume),
        "faces" => Some(Measure::Faces),
        _ => None,
    };
    let number = word.tail.trim().parse::<f64>().ok();
    match (measure, comparison, number) {
        // Half typed: nothing to compare with yet.
        (Some(_), ..) if word.tail.is_empty() => Ok(Test::Word(Pattern::Any)),
        (Some(measure), _, Some(value)) => Ok(Test::Measured(measure, comparison, value)),
        (Some(_), ..) => Err(format!("\"{}\" is no number", word.tail)),
        (None, Comparison::Is | Comparison::IsNot, _) => Ok(Test::Is {
            key: Pattern::value(&head),
            value: Pattern::value(&word.tail),
            not: comparison == Comparison::IsNot,
        }),
        (None, _, Some(value)) => Ok(Test::Number {
            key: word.head,
            comparison,
            value,
        }),
        (None, ..) if word.tail.is_empty() => Ok(Test::Key(Pattern::value(&head))),
        (None, ..) => Err(format!("\"{}\" is no number", word.tail)),
    }
}

/// `mat:brick` and the like.
fn prefixed(head: &str, tail: &str, doc: &Document) -> Result<Test, String> {
    let pattern = Pattern::word(tail);
    Ok(match head {
        "mat" | "material" | "tex" | "texture" => {
            let fitting = doc
                .materials()
                .filter(|(_, material)| {
                    pattern.fits(&material.name) || pattern.fits(&material.texture)
                })
                .map(|(id, _)| id)
                .collect();
            Test::Material(pattern, fitting)
        }
        "class" => Test::Class(pattern),
        "key" => Test::Key(pattern),
        "value" => Test::Value(pattern),
        "name" => Test::Is {
            key: Pattern::value("targetname"),
            value: pattern,
            not: false,
        },
        "group" => Test::Group(pattern),
        "layer" | "visgroup" => Test::Layer(pattern),
        "id" | "entity" | "brush" if tail.is_empty() => Test::Word(Pattern::Any),
        "id" => {
            let (from, to) = tail.split_once('-').unwrap_or((tail, tail));
            let from = number(from)?;
            Test::Id(from, if to.is_empty() { u32::MAX } else { number(to)? })
        }
        "entity" => Test::EntityNumber(number(tail)?),
        "brush" => match tail.split_once(['.', '/', ',']) {
            Some((entity, "")) => Test::EntityNumber(number(entity)?),
            Some((entity, brush)) => Test::BrushNumber(number(entity)?, number(brush)?),
            None => Test::BrushNumber(0, number(tail)?),
        },
        "is" => match tail.to_lowercase().as_str() {
            "" => Test::Word(Pattern::Any),
            "brush" => Test::Property(Property::Brush),
            "mesh" => Test::Property(Property::Mesh),
            "entity" => Test::Property(Property::Entity),
            "group" => Test::Property(Property::Group),
            "hidden" => Test::Property(Property::Hidden),
            "locked" => Test::Property(Property::Locked),
            "undefined" => Test::Property(Property::Undefined),
            "duplicate" => Test::Property(Property::Duplicate),
            _ => {
                return Err(
                    "is: takes brush, mesh, entity, group, hidden, locked, undefined or duplicate"
                        .to_owned(),
                );
            }
        },
        _ => Test::Word(Pattern::word(&format!("{head}:{tail}"))),
    })
}

fn number(text: &str) -> Result<u32, String> {
    text.trim()
        .parse()
        .map_err(|_| format!("\"{text}\" is no number of an object"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        let fits = |pattern: &str, text: &str| Pattern::value(pattern).fits(text);
        assert!(fits("door*", "Door1") && fits("*", "") && fits("d??r", "door"));
        assert!(fits("*a*b*c", "xxaxxbxxbc") && !fits("*a*b*c", "xxaxxcb"));
        assert!(!fits("door", "door1") && !fits("door?", "door") && fits("d*r*1", "door11"));
        assert!(Pattern::word("oo").fits("dOOr") && !Pattern::word("oo?").fits("xoor"));
    }

    #[test]
    fn every_kind_of_term() {
        let doc = Document::default();
        let one = |text: &str| {
            let mut terms = parse(text, &doc).expect(text);
            assert_eq!(terms.len(), 1, "{text}");
            terms.remove(0)
        };
        assert_eq!(one("light").test, Test::Word(Pattern::Part("light".into())));
        assert_eq!(
            one("\"two words\"").test,
            Test::Word(Pattern::Part("two words".into()))
        );
        let is = |value: &str, not| Test::Is {
            key: Pattern::Whole("targetname".into()),
            value: Pattern::value(value),
            not,
        };
        assert_eq!(one("targetname=door*").test, is("door*", false));
        assert_eq!(one("TargetName=\"a b\"").test, is("a b", false));
        assert_eq!(one("targetname!=door").test, is("door", true));
        assert_eq!(one("id:412").test, Test::Id(412, 412));
        assert_eq!(one("id:4-9").test, Test::Id(4, 9));
        assert_eq!(one("brush:3.25").test, Test::BrushNumber(3, 25));
        assert_eq!(
            one("size>512").test,
            Test::Measured(Measure::Size, Comparison::More, 512.0)
        );
        assert_eq!(
            one("height<=8.5").test,
            Test::Measured(Measure::Extent(1), Comparison::LessOrSame, 8.5)
        );
        assert!(one("!light").not && one("-light").not && !one("-16").not);
        assert_eq!(parse("a  b\tc", &doc).map(|terms| terms.len()), Ok(3));
        assert_eq!(parse("  ", &doc), Ok(Vec::new()));
        for bad in ["size>big", "id:x", "is:blue", "health>full"] {
            assert!(parse(bad, &doc).is_err(), "{bad}");
        }
        for half in [
            "size>",
            "id:",
            "targetname=",
            "health>",
            "mat:",
            "is:",
            "\"",
            "!",
        ] {
            assert!(parse(half, &doc).is_ok(), "{half}");
        }
    }
}
