//! Maps and brushes as text, as the game's editor exports and copies them (`unr.md` 12).
//!
//! The text is read line by line. Blocks that are not known are passed over with what stands in them; a line that is not
//! understood costs nothing but itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use encoding_rs::UTF_8;
use encoding_rs::UTF_16BE;
use encoding_rs::UTF_16LE;
use encoding_rs::WINDOWS_1252;

use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::unr::properties::Property;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::Facts;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::RawPolygon;
use crate::formats::unr::read::Note;
use crate::formats::unr::read::Notes;
use crate::formats::unr::text_polygon::OpenPolygon;
use crate::formats::unr::text_polygon::TextTextures;
use crate::formats::unr::text_value::object;
use crate::formats::unr::text_value::value;
use crate::formats::unr::text_value::whole;
use crate::task::Progress;

/// Blocks that a map or a brush may begin with.
const FIRST_BLOCKS: [&str; 5] = ["map", "level", "actor", "brush", "polylist"];

/// Lines between looks at whether the work was cancelled.
const LINES_PER_CHECK: usize = 4096;

/// Does a text of this kind begin here? `head`: the first kilobyte.
#[must_use]
pub fn is_text(head: &[u8]) -> bool {
    let decoded = decoded(head);
    let line = decoded
        .text
        .lines()
        .map(str::trim)
        .find(|line| !is_blank(line));
    let mut words = line.unwrap_or_default().split_whitespace();
    let begins = words
        .next()
        .is_some_and(|word| word.eq_ignore_ascii_case("Begin"));
    let block = words.next().unwrap_or_default();
    begins
        && FIRST_BLOCKS
            .iter()
            .any(|name| name.eq_ignore_ascii_case(block))
}

fn is_blank(line: &str) -> bool {
    line.is_empty() || line.starts_with(';') || line.starts_with("//")
}

/// Text of a file.
struct Decoded {
    text: String,
    /// Bytes of the mark at its beginning.
    mark_bytes: u64,
    /// How many bytes of the file a part of the text was.
    bytes_of: fn(&str) -> u64,
}

/// Windows-1252, or UTF-8 or UTF-16 by the mark at its beginning; UTF-16 also without one.
fn decoded(bytes: &[u8]) -> Decoded {
    let (encoding, mark_bytes) = match bytes {
        [0xFF, 0xFE, ..] => (UTF_16LE, 2),
        [0xFE, 0xFF, ..] => (UTF_16BE, 2),
        [0xEF, 0xBB, 0xBF, ..] => (UTF_8, 3),
        [0, second, ..] if *second != 0 => (UTF_16BE, 0),
        [first, 0, ..] if *first != 0 => (UTF_16LE, 0),
        _ => (WINDOWS_1252, 0),
    };
    Decoded {
        text: encoding.decode_with_bom_removal(bytes).0.into_owned(),
        mark_bytes,
        bytes_of: if encoding == UTF_8 {
            |part| part.len() as u64
        } else if encoding == WINDOWS_1252 {
            |part| part.chars().count() as u64
        } else {
            |part| 2 * part.encode_utf16().count() as u64
        },
    }
}

/// Reads a text.
///
/// # Errors
/// When it holds neither an actor nor a polygon, or the work was cancelled.
pub fn read_text(bytes: &[u8], progress: &Progress) -> Read<(RawMap, Vec<Note>)> {
    let decoded = decoded(bytes);
    let mut reader = TextReader::default();
    let mut next = decoded.mark_bytes;
    for (index, line) in decoded.text.split_inclusive('\n').enumerate() {
        if index % LINES_PER_CHECK == 0 {
            progress.check().map_err(|cancelled| ReadError {
                offset: 0,
                field: "file",
                kind: ErrorKind::Cancelled(cancelled),
            })?;
        }
        reader.line = index + 1;
        reader.offset = next;
        next += (decoded.bytes_of)(line);
        let line = line.trim();
        if !is_blank(line) {
            reader.take(line);
        }
    }
    reader.finished()
}

/// Where a line stands.
#[derive(Debug, Default)]
struct TextReader {
    /// From 1.
    line: usize,
    /// Of the line in the file.
    offset: u64,
    actor: Option<RawActor>,
    /// Polygons of the open list.
    polygons: Option<Vec<RawPolygon>>,
    polygon: Option<OpenPolygon>,
    /// Unknown blocks around the line.
    skipped: usize,
    actors: Vec<RawActor>,
    textures: TextTextures,
    facts: Facts,
    notes: Notes,
}

impl TextReader {
    fn take(&mut self, line: &str) {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if word.eq_ignore_ascii_case("Begin") {
            self.begin(rest.trim());
        } else if word.eq_ignore_ascii_case("End") {
            self.end(rest.trim());
        } else if self.skipped > 0 {
            // It belongs to a block that is not known.
        } else if let Some(polygon) = &mut self.polygon {
            if !polygon.line(line) {
                self.not_understood(line);
            }
        } else if self.actor.is_some() {
            self.property(line);
        }
    }

    fn begin(&mut self, rest: &str) {
        let (block, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let is = |name: &str| block.eq_ignore_ascii_case(name);
        if self.skipped > 0 {
            self.skipped += 1;
        } else if is("Actor") {
            self.end_actor();
            self.actor = Some(self.new_actor(&attributes(rest)));
        } else if is("Polygon") {
            self.end_polygon();
            self.polygons.get_or_insert_default();
            self.polygon = Some(OpenPolygon::new(&attributes(rest), &mut self.textures));
        } else if is("PolyList") {
            self.end_polygon();
            self.polygons = Some(Vec::new());
        } else if !(is("Map") || is("Level") || is("Brush")) {
            self.skipped = 1;
        }
    }

    fn end(&mut self, block: &str) {
        let block = block.split_whitespace().next().unwrap_or_default();
        let is = |name: &str| block.eq_ignore_ascii_case(name);
        if self.skipped > 0 {
            self.skipped -= 1;
        } else if is("Polygon") {
            self.end_polygon();
        } else if is("PolyList") {
            self.end_list();
        } else if is("Actor") {
            self.end_actor();
        }
    }

    fn new_actor(&self, attributes: &[(&str, &str)]) -> RawActor {
        let find = |name: &str| {
            let found = attributes
                .iter()
                .find(|(key, _)| key.eq_ignore_ascii_case(name));
            found.map(|&(_, text)| text)
        };
        let class = find("Class").and_then(object).unwrap_or_default();
        RawActor {
            offset: self.offset,
            name: find("Name").unwrap_or_default().to_owned(),
            class: Arc::new(ObjectPath {
                class: "Class".to_owned(),
                ..class
            }),
            ..RawActor::default()
        }
    }

    fn property(&mut self, line: &str) {
        let Some((key, text)) = line.split_once('=') else {
            self.not_understood(line);
            return;
        };
        let (name, index) = match key.trim().split_once(['(', '[']) {
            Some((name, index)) => (name, whole(index.trim_end_matches([')', ']']))),
            None => (key.trim(), Some(0)),
        };
        let index = index.and_then(|index| u32::try_from(index).ok());
        let (Some(index), false) = (index, name.is_empty()) else {
            self.not_understood(line);
            return;
        };
        let value = value(name, text);
        let Some(actor) = &mut self.actor else { return };
        if name.eq_ignore_ascii_case("Name") && index == 0 {
            // No property: the actor's own name once more.
            if let (true, Value::Name(own)) = (actor.name.is_empty(), &value) {
                actor.name = own.to_string();
            } else if let (true, Value::Text(own)) = (actor.name.is_empty(), value) {
                actor.name = own;
            }
            return;
        }
        actor.properties.0.push(Property {
            name: name.into(),
            index,
            value,
        });
    }

    fn not_understood(&mut self, line: &str) {
        let shown: String = line.chars().take(60).collect();
        let text = format!("line {} was not understood: {shown}", self.line);
        self.notes.add("I-LINE", self.offset, text);
    }

    fn end_polygon(&mut self) {
        let Some(polygon) = self.polygon.take() else {
            return;
        };
        let (polygon, is_sound) = polygon.finished();
        if !is_sound {
            self.facts.bad_polygons += 1;
            let text = format!("the polygon that ends in line {} has no shape", self.line);
            self.notes.add("I-BAD-POLYGON", self.offset, text);
        }
        self.polygons.get_or_insert_default().push(polygon);
    }

    /// Polygons outside of any actor are a brush by itself: what is filled by it, as the builder brush would.
    fn end_list(&mut self) {
        self.end_polygon();
        let Some(polygons) = self.polygons.take() else {
            return;
        };
        let polygons = Arc::new(polygons);
        if let Some(actor) = &mut self.actor {
            actor.polygons = Some(polygons);
            return;
        }
        let mut brush = self.new_actor(&[("Class", "Brush"), ("Name", "Brush")]);
        brush.properties.0.push(Property {
            name: "CsgOper".into(),
            index: 0,
            value: value("CsgOper", "CSG_Add"),
        });
        brush.polygons = Some(polygons);
        self.actors.push(brush);
    }

    fn end_actor(&mut self) {
        if self.polygons.is_some() || self.polygon.is_some() {
            self.end_list();
        }
        self.actors.extend(self.actor.take());
    }

    fn finished(mut self) -> Read<(RawMap, Vec<Note>)> {
        if self.actor.is_some() || self.polygons.is_some() {
            let text =
                "the text ends within an actor or a list of polygons; what is there was taken";
            self.notes.add("I-CUT-SHORT", self.offset, text);
            self.end_actor();
        }
        if self.actors.is_empty() {
            return Err(ReadError {
                offset: 0,
                field: "text",
                kind: ErrorKind::Bad("it holds neither an actor nor a polygon".to_owned()),
            });
        }
        self.facts.slots = self.actors.len();
        self.facts.packages = self.packages();
        let map = RawMap {
            is_text: true,
            actors: self.actors,
            textures: self.textures.list,
            facts: self.facts,
            ..RawMap::default()
        };
        Ok((map, self.notes.finished()))
    }

    /// Packages that textures, classes and properties name, sorted.
    fn packages(&self) -> Vec<String> {
        let mut names = BTreeSet::new();
        let mut add = |path: &ObjectPath| {
            if !path.package.is_empty() {
                names.insert(path.package.clone());
            }
        };
        self.textures.list.iter().for_each(|path| add(path));
        for actor in &self.actors {
            add(&actor.class);
            for property in &actor.properties.0 {
                if let Value::Object(Some(path)) = &property.value {
                    add(path);
                }
            }
        }
        names.into_iter().collect()
    }
}

/// `Key=value` pairs between spaces, in any order; values may be quoted.
fn attributes(text: &str) -> Vec<(&str, &str)> {
    let mut is_quoted = false;
    let words = text.split(|character: char| {
        is_quoted ^= character == '"';
        character.is_whitespace() && !is_quoted
    });
    let pairs = words.filter_map(|word| word.split_once('='));
    pairs
        .map(|(key, text)| (key, text.trim_matches('"')))
        .collect()
}
