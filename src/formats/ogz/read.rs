//! Bytes to [`RawMap`]: every section in turn.
//!
//! Every count is checked against the bytes left before memory is reserved, and nesting is followed with lists. Behind the
//! entities damage ends the reading, not the import.

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::ogz::container;
use crate::formats::ogz::container::Inflated;
use crate::formats::ogz::header;
use crate::formats::ogz::header::Header;
use crate::formats::ogz::header::Kind;
use crate::formats::ogz::header::text;
use crate::formats::ogz::octree::octree;
use crate::formats::ogz::raw::Facts;
use crate::formats::ogz::raw::Family;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Octree;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::Value;
use crate::formats::ogz::records;
use crate::formats::ogz::tail;
use crate::formats::ogz::virtual_slots::virtual_slots;
use crate::task::Progress;

/// The game whose entities the types from 8 on are.
pub const SHOOTER: &str = "fps";

/// Twice the largest that the engine makes. In larger ones volumes in eighths of a unit would not fit into 64 bits.
const MAX_WORLD_SIZE: i32 = 1 << 17;

/// Slots that were used last, before version 14.
const OLD_RECENT_BYTES: usize = 256;

/// Bytes that are unpacked at first. No public map has more of what is needed; a small file may unpack to a gigabyte of nothing.
const FIRST_INFLATED: usize = 1 << 26;

/// Something worth knowing about the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub code: &'static str,
    /// In the inflated file.
    pub offset: u64,
    pub text: String,
}

/// Reads a map, compressed or not.
///
/// # Errors
/// When nothing of it can be shown; the text names the version once that is known.
pub fn read(bytes: &[u8], progress: &Progress) -> Read<(RawMap, Vec<Note>)> {
    // A file that is no map is not unpacked whole.
    let head = container::head(bytes);
    if head.len() == header::HEAD {
        header::kind(&mut Cursor::new(&head))?;
    }
    let part = container::inflate(bytes, FIRST_INFLATED)?;
    match read_inflated(&part, progress) {
        Err(error) if part.is_part && is_cut(&error) => {
            drop(part);
            let whole = container::inflate(bytes, container::MAX_INFLATED)?;
            read_inflated(&whole, progress)
        }
        read => read,
    }
}

/// Fails as cut short when what is needed lies behind a part.
fn read_inflated(inflated: &Inflated, progress: &Progress) -> Read<(RawMap, Vec<Note>)> {
    let mut notes = Vec::new();
    if inflated.checksum_wrong {
        let text = "the checksum of the compressed file is wrong, as in many maps of these versions; all its data was read";
        notes.push(Note {
            code: "I-CHECKSUM",
            offset: inflated.bytes.len() as u64,
            text: text.to_owned(),
        });
    }
    let mut cursor = Cursor::new(&inflated.bytes);
    let kind = header::kind(&mut cursor)?;
    let mut reader = Reader {
        cursor,
        kind,
        notes,
        coded: Vec::new(),
        is_part: inflated.is_part,
    };
    let mut map = match reader.map(progress) {
        Ok(map) => map,
        Err(error) if inflated.is_part && is_cut(&error) => return Err(error),
        Err(error) => return Err(explained(error, kind, inflated.damage)),
    };
    map.facts.checksum_wrong = inflated.checksum_wrong;
    if let Some(damage) = inflated.damage {
        reader.notes.push(Note {
            code: "I-CUT-SHORT",
            offset: inflated.bytes.len() as u64,
            text: format!("{damage}, after {} bytes", inflated.bytes.len()),
        });
    }
    Ok((map, reader.notes))
}

/// More bytes may mend this; none mend counts that no map has.
fn is_cut(error: &ReadError) -> bool {
    const MOST: u64 = 1 << 16;
    match error.kind {
        ErrorKind::CutShort { .. } => true,
        ErrorKind::CountTooLarge { count } => count <= MOST,
        _ => false,
    }
}

/// The same error, telling what was being read and what is wrong with its packing.
fn explained(error: ReadError, kind: Kind, damage: Option<&str>) -> ReadError {
    let code = match &error.kind {
        ErrorKind::CutShort { .. } => "F-CUT",
        ErrorKind::CountTooLarge { .. } => "F-COUNT",
        ErrorKind::Bad(_) => "F-BAD",
        _ => return error,
    };
    let mut text = format!("{} version {}: {}", kind.name(), kind.version, error.kind);
    if let Some(damage) = damage {
        text = format!("{text}; {damage}");
    }
    ReadError {
        kind: ErrorKind::Rule { code, text },
        ..error
    }
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    kind: Kind,
    notes: Vec<Note>,
    /// See [`Facts::coded`].
    coded: Vec<(String, String)>,
    /// The file goes on behind these bytes.
    is_part: bool,
}

impl Reader<'_> {
    fn map(&mut self, progress: &Progress) -> Read<RawMap> {
        let header = header::header(&mut self.cursor, self.kind)?;
        let variables = self.variables(&header)?;
        let (game, extra) = self.ident()?;
        self.recent_slots()?;
        let (entities, entities_over) =
            records::entities(&mut self.cursor, self.kind, &header, &game, extra)?;
        let mut map = RawMap {
            family: if self.kind.family == Family::Sauerbraten && game == "Tesseract" {
                Family::Tesseract
            } else {
                self.kind.family
            },
            version: self.kind.version,
            world_size: u32::try_from(header.world_size).unwrap_or(0),
            game,
            variables,
            entities,
            slots: Vec::new(),
            tree: Octree::default(),
            facts: Facts {
                lightmaps: header.lightmaps,
                pvs: header.pvs,
                blend_map: header.blend_map,
                variable_count: header.variable_count,
                slot_count: header.slot_count,
                extra_entity_bytes: extra,
                entities_over,
                coded: std::mem::take(&mut self.coded),
                ..Facts::default()
            },
        };
        if entities_over > 0 {
            let text = format!(
                "{entities_over} entities beyond the {} that the engine keeps were left out",
                records::MAX_ENTITIES
            );
            self.note("I-ENTITY-LIMIT", header.entity_count_at, text);
        }
        if let Err(error) = self.geometry(&header, &mut map, progress) {
            let goes_on = self.is_part && is_cut(&error);
            if goes_on || matches!(error.kind, ErrorKind::Cancelled(_)) {
                return Err(error);
            }
            let has_cubes = map.tree.leaves.iter().any(|leaf| leaf.fill != Fill::Empty);
            if map.entities.is_empty() && !has_cubes {
                return Err(error);
            }
            self.note_damage(&error, &map, has_cubes);
            if !has_cubes {
                map.tree = Octree::default();
                map.facts.missing_leaves = 0;
                map.facts.degenerate_leaves = 0;
                map.facts.slots_used = 0;
            }
        }
        Ok(map)
    }

    fn note(&mut self, code: &'static str, offset: u64, text: impl Into<String>) {
        self.notes.push(Note {
            code,
            offset,
            text: text.into(),
        });
    }

    fn note_damage(&mut self, error: &ReadError, map: &RawMap, has_cubes: bool) {
        let why = format!("{} ({}, byte {})", error.kind, error.field, error.offset);
        if has_cubes {
            let read = map.tree.leaves.len() - map.facts.missing_leaves;
            let text = format!("{why}; the {read} cubes before it were imported");
            self.note("I-DAMAGED-CUBES", error.offset, text);
        } else {
            let text = format!("its cubes cannot be read: {why}; only the entities were imported");
            self.note("I-ENTITIES-ONLY", error.offset, text);
        }
    }

    /// Variables, or the settings of older headers. A tool that keeps only entities leaves their count in the header but not
    /// them.
    fn variables(&mut self, header: &Header) -> Read<Vec<(String, Value)>> {
        if self.kind.layout < 29 {
            self.coded.clone_from(&header.coded);
            return Ok(header.settings.clone());
        }
        let before = self.cursor.clone();
        match header::variables(&mut self.cursor, header.variable_count, &mut self.coded) {
            Err(_) if is_ident(&before) => {
                self.cursor = before;
                let text = format!(
                    "the {} variables it announces are missing",
                    header.variable_count
                );
                self.note("I-VARIABLES", self.cursor.offset(), text);
                Ok(Vec::new())
            }
            result => result,
        }
    }

    /// Name of the game and bytes after each entity.
    fn ident(&mut self) -> Read<(String, u16)> {
        if self.kind.layout < 16 {
            return Ok((SHOOTER.to_owned(), 0));
        }
        let length = usize::from(self.cursor.u8("game")?);
        let name = text(self.cursor.bytes("game", length)?);
        self.cursor.skip("game", 1)?;
        let extra = self.cursor.u16("entity extra bytes")?;
        let more = self.cursor.u16("game data")?;
        self.cursor.skip("game data", usize::from(more))?;
        Ok((name, extra))
    }

    /// The list of textures used last, which only the game's editor needs.
    fn recent_slots(&mut self) -> Read<()> {
        let bytes = if self.kind.layout < 14 {
            OLD_RECENT_BYTES
        } else {
            2 * usize::from(self.cursor.u16("recent textures")?)
        };
        self.cursor.skip("recent textures", bytes)
    }

    /// Slots, cubes and what follows. What was read before an error stays in `map`.
    fn geometry(&mut self, header: &Header, map: &mut RawMap, progress: &Progress) -> Read<()> {
        if self.cursor.is_at_end() && !self.is_part {
            let kind = ErrorKind::Bad("the file ends behind the entities".to_owned());
            return Err(self.cursor.error("cubes", kind));
        }
        map.slots = virtual_slots(&mut self.cursor, header.slot_count, map.family)?;
        let size = header.world_size;
        if !(2..=MAX_WORLD_SIZE).contains(&size) || size.count_ones() != 1 {
            return Err(ReadError {
                offset: 12,
                field: "world size",
                kind: ErrorKind::Bad(format!("a world cannot be {size} units large")),
            });
        }
        let (tree, result) = octree(&mut self.cursor, self.kind, size, &mut map.facts, progress);
        map.tree = tree;
        result?;
        if self.is_part {
            // Nothing of what follows is needed.
            return Ok(());
        }
        if let Err(error) = tail::skip(&mut self.cursor, self.kind, header) {
            let text = format!(
                "its baked light cannot be read: {} ({}, byte {}); it is made anew in any case",
                error.kind, error.field, error.offset
            );
            self.note("I-TAIL", error.offset, text);
        } else {
            map.facts.trailing_bytes = self.cursor.left() as u64;
        }
        Ok(())
    }
}

/// Does the name of a game stand here?
fn is_ident(cursor: &Cursor<'_>) -> bool {
    let bytes = cursor.peek(32);
    let Some((&length, rest)) = bytes.split_first() else {
        return false;
    };
    let Some((name, rest)) = rest.split_at_checked(usize::from(length)) else {
        return false;
    };
    !name.is_empty() && name.iter().all(u8::is_ascii_graphic) && rest.first() == Some(&0)
}
