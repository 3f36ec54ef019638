//! Bytes of a package to [`RawMap`].
//!
//! What is broken in one object costs that object, not the map: it is told in a note and left out.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::unr::level::Level;
use crate::formats::unr::level::level;
use crate::formats::unr::model::LAST_WITH_HELPERS;
use crate::formats::unr::model::model;
use crate::formats::unr::model::polys_of_old_model;
use crate::formats::unr::package;
use crate::formats::unr::package::Package;
use crate::formats::unr::package::Reference;
use crate::formats::unr::polys::Textures;
use crate::formats::unr::polys::polys;
use crate::formats::unr::raw::Facts;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::raw::RawPolygon;
use crate::formats::unr::resolve::Resolver;
use crate::formats::unr::texture_package::TexturePackage;
use crate::task::Progress;

/// Of each code; what is beyond is told as a number.
const MAX_NOTES: usize = 16;

/// Actors between looks at whether the work was cancelled.
const ACTORS_PER_CHECK: usize = 64;

/// Something worth knowing about the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub code: &'static str,
    /// In the file.
    pub offset: u64,
    pub text: String,
}

/// Reads the map that a package holds.
///
/// # Errors
/// For other files, packages of other engines, and packages that hold no level; when the tables or the level's slots cannot be
/// read.
pub fn read(bytes: &[u8], progress: &Progress) -> Read<(RawMap, Vec<Note>)> {
    let version = package::version(bytes)?;
    let licensee = bytes
        .get(6..8)
        .map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    package::check_version(version, licensee)?;
    let package = Package::read(bytes).map_err(|error| explained(error, version))?;
    let mut reader = Reader {
        textures: Textures::default(),
        facts: Facts::default(),
        notes: Notes::default(),
        models: HashMap::new(),
        // The data of two objects never overlaps, so together they are not larger than the file; the world's model may be a
        // brush's too.
        bytes_left: bytes.len().saturating_mul(2),
        package,
    };
    let map = reader
        .map(progress)
        .map_err(|error| explained(error, version))?;
    Ok((map, reader.notes.finished()))
}

/// The same error, telling what was being read.
fn explained(error: ReadError, version: u16) -> ReadError {
    let code = match &error.kind {
        ErrorKind::CutShort { .. } => "F-CUT",
        ErrorKind::CountTooLarge { .. } => "F-COUNT",
        ErrorKind::Bad(_) => "F-BAD",
        _ => return error,
    };
    let text = format!("Unreal package version {version}: {}", error.kind);
    ReadError {
        kind: ErrorKind::Rule { code, text },
        ..error
    }
}

/// Notes, of which there are not too many of one kind.
#[derive(Debug, Default)]
pub struct Notes {
    list: Vec<Note>,
    /// How many of a code were not kept.
    more: Vec<(&'static str, usize)>,
}

impl Notes {
    pub fn add(&mut self, code: &'static str, offset: u64, text: impl Into<String>) {
        let same = self.list.iter().filter(|note| note.code == code).count();
        if same < MAX_NOTES {
            let text = text.into();
            self.list.push(Note { code, offset, text });
        } else if let Some((_, count)) = self.more.iter_mut().find(|(known, _)| *known == code) {
            *count += 1;
        } else {
            self.more.push((code, 1));
        }
    }

    fn add_error(&mut self, code: &'static str, what: &str, error: &ReadError) {
        let text = format!(
            "{what}: {} ({}, byte {:#x})",
            error.kind, error.field, error.offset
        );
        self.add(code, error.offset, text);
    }

    #[must_use]
    pub fn finished(mut self) -> Vec<Note> {
        for (code, count) in self.more {
            let text = format!("{count} more of this kind");
            self.list.push(Note {
                code,
                offset: 0,
                text,
            });
        }
        self.list
    }
}

type Polygons = Arc<Vec<RawPolygon>>;

struct Reader<'a> {
    package: Package<'a>,
    textures: Textures,
    facts: Facts,
    notes: Notes,
    /// Polygons of the models read so far, by export.
    models: HashMap<usize, Polygons>,
    /// Of objects that may still be read. Hostile files let many objects share the same bytes.
    bytes_left: usize,
}

impl Reader<'_> {
    fn map(&mut self, progress: &Progress) -> Read<RawMap> {
        let level_export = self.level_export()?;
        self.charge(level_export)?;
        let level = level(&self.package, level_export)?;
        self.tell_of_level(level_export, &level);
        let (actors, by_export) = self.actors(&level, progress)?;
        progress.check().map_err(|cancelled| ReadError {
            offset: 0,
            field: "file",
            kind: ErrorKind::Cancelled(cancelled),
        })?;
        let world = self.world(level.model, &by_export);
        self.tell_of_losses();
        self.facts.packages = self.packages();
        let header = &self.package.tables.header;
        Ok(RawMap {
            version: header.version,
            licensee: header.licensee,
            is_text: false,
            actors,
            textures: std::mem::take(&mut self.textures.list),
            world,
            class_defaults: std::collections::BTreeMap::new(),
            own_textures: TexturePackage::of_map(&self.package),
            facts: std::mem::take(&mut self.facts),
        })
    }

    fn level_export(&mut self) -> Read<usize> {
        let tables = &self.package.tables;
        let levels: Vec<usize> = tables.exports_of("Level").collect();
        let Some(&first) = levels.first() else {
            let pictures = (0..tables.exports.len())
                .filter(|&export| tables.class_name(export).ends_with("Texture"))
                .count();
            let holds = match pictures {
                0 => "it holds no map".to_owned(),
                1 => "it holds a texture, not a map; add it as a source of materials".to_owned(),
                _ => format!(
                    "it holds {pictures} textures, not a map; add it as a source of materials"
                ),
            };
            return Err(ReadError {
                offset: u64::from(tables.header.export_offset),
                field: "level",
                kind: ErrorKind::Rule {
                    code: "F-NO-LEVEL",
                    text: holds,
                },
            });
        };
        if levels.len() == 1 {
            return Ok(first);
        }
        let is_named = |&&level: &&usize| tables.export_name(level).eq_ignore_ascii_case("MyLevel");
        let level = levels.iter().find(is_named).copied().unwrap_or(first);
        let text = format!(
            "it holds {} levels; {} was opened",
            levels.len(),
            tables.export_name(level)
        );
        self.notes.add("I-LEVELS", 0, text);
        Ok(level)
    }

    /// Takes the size of an object from what may be read.
    fn charge(&mut self, export: usize) -> Read<()> {
        let size = self.package.data(export)?.left();
        match self.bytes_left.checked_sub(size) {
            Some(left) => {
                self.bytes_left = left;
                Ok(())
            }
            None => Err(ReadError {
                offset: u64::from(self.package.tables.exports[export].offset),
                field: "export data",
                kind: ErrorKind::Bad(
                    "the objects together are larger than the file: they overlap".to_owned(),
                ),
            }),
        }
    }

    fn tell_of_level(&mut self, export: usize, level: &Level) {
        if self.package.version() < 68 {
            let text = format!(
                "package version {}: no map of this age was at hand when this was made; look whether all is right",
                self.package.version()
            );
            self.notes.add("I-UNVERIFIED-VERSION", 4, text);
        }
        if let Some(damage) = &level.damage {
            let what =
                "what follows the world in the level cannot be read; nothing of it is needed";
            self.notes.add_error("I-LEVEL-TAIL", what, damage);
        } else {
            self.tell_of_left(export, level.left);
        }
    }

    /// Bytes that were not understood point at a misreading.
    fn tell_of_left(&mut self, export: usize, left: usize) {
        if left == 0 {
            return;
        }
        let tables = &self.package.tables;
        let record = &tables.exports[export];
        let end = u64::from(record.offset) + u64::from(record.size);
        let text = format!(
            "{left} bytes at the end of {} {} were not understood (package version {})",
            tables.class_name(export),
            tables.export_name(export),
            self.package.version()
        );
        self.notes.add("I-LEFTOVER", end - left as u64, text);
    }

    /// Actors in slot order, each once, and their places by export.
    fn actors(
        &mut self,
        level: &Level,
        progress: &Progress,
    ) -> Read<(Vec<RawActor>, HashMap<usize, u32>)> {
        let mut actors = Vec::new();
        let mut places = HashMap::new();
        let mut is_seen = vec![false; self.package.tables.exports.len()];
        self.facts.slots = level.slots.len();
        self.facts.reach_specs = level.reach_specs;
        for (number, &slot) in level.slots.iter().enumerate() {
            if number % ACTORS_PER_CHECK == 0 {
                progress.check().map_err(|cancelled| ReadError {
                    offset: 0,
                    field: "actors",
                    kind: ErrorKind::Cancelled(cancelled),
                })?;
            }
            if slot == Reference(0) {
                self.facts.empty_slots += 1;
                continue;
            }
            let export = slot.export().filter(|&export| export < is_seen.len());
            let Some(export) = export else {
                self.facts.bad_actors += 1;
                let text = format!(
                    "slot {number} names {}, which is no object of this file",
                    slot.0
                );
                self.notes.add("I-BAD-ACTOR", 0, text);
                continue;
            };
            if std::mem::replace(&mut is_seen[export], true) {
                self.facts.repeated_slots += 1;
                continue;
            }
            match self.actor(export) {
                Ok(actor) => {
                    places.insert(export, actors.len() as u32);
                    actors.push(actor);
                }
                Err(error) => {
                    self.facts.bad_actors += 1;
                    let what = format!(
                        "{} could not be read and was left out",
                        self.package.tables.export_name(export)
                    );
                    self.notes.add_error("I-BAD-ACTOR", &what, &error);
                }
            }
        }
        Ok((actors, places))
    }

    fn actor(&mut self, export: usize) -> Read<RawActor> {
        self.charge(export)?;
        let (properties, cursor) = self.package.object(export)?;
        self.tell_of_left(export, cursor.left());
        let tables = Arc::clone(&self.package.tables);
        let record = &tables.exports[export];
        let class = tables.object_path(record.class).unwrap_or_else(|| {
            let name = tables.class_name(export).to_owned();
            Arc::new(ObjectPath {
                class: "Class".to_owned(),
                name,
                ..ObjectPath::default()
            })
        });
        let name = tables.export_name(export).to_owned();
        let brush = properties.object("Brush").cloned();
        let polygons = brush.map(|brush| self.polygons(&name, &brush));
        Ok(RawActor {
            offset: u64::from(record.offset),
            name,
            class,
            ancestors: Vec::new(),
            properties,
            polygons,
        })
    }

    /// Polygons of a brush's model; none where they cannot be read.
    fn polygons(&mut self, actor: &str, brush: &ObjectPath) -> Polygons {
        let Some(export) = brush.export.map(|export| export as usize) else {
            let text = format!(
                "the shape of {actor} lies in another file, {}",
                brush.full_name()
            );
            self.notes.add("I-NO-SHAPE", 0, text);
            return Polygons::default();
        };
        if let Some(known) = self.models.get(&export) {
            return Arc::clone(known);
        }
        let polygons = match self.polygons_of_model(export) {
            Ok(polygons) => Arc::new(polygons),
            Err(error) => {
                let what = format!("the shape of {actor} cannot be read");
                self.notes.add_error("I-BAD-SHAPE", &what, &error);
                Polygons::default()
            }
        };
        match self.models.entry(export) {
            Entry::Occupied(known) => Arc::clone(known.get()),
            Entry::Vacant(place) => Arc::clone(place.insert(polygons)),
        }
    }

    fn polygons_of_model(&mut self, export: usize) -> Read<Vec<RawPolygon>> {
        self.charge(export)?;
        let reference = if self.package.version() <= LAST_WITH_HELPERS {
            polys_of_old_model(&self.package, export)?
        } else {
            let model = model(&self.package, export)?;
            self.tell_of_left(export, model.left);
            model.polys
        };
        let Some(polys_export) = reference.export() else {
            return Ok(Vec::new());
        };
        self.charge(polys_export)?;
        let polys = polys(&self.package, polys_export, &mut self.textures)?;
        self.tell_of_left(polys_export, polys.left);
        self.facts.bad_polygons += polys.bad;
        Ok(polys.polygons)
    }

    fn world(&mut self, reference: Reference, actors: &HashMap<usize, u32>) -> Option<RawModel> {
        let Some(export) = reference.export() else {
            self.notes.add(
                "I-NO-WORLD",
                0,
                "the level names no world; only its brushes were taken",
            );
            return None;
        };
        let read = self
            .charge(export)
            .and_then(|()| model(&self.package, export));
        match read {
            Ok(model) => {
                self.tell_of_left(export, model.left);
                let mut resolver = Resolver {
                    tables: &self.package.tables,
                    actors,
                    textures: &mut self.textures,
                    facts: &mut self.facts,
                };
                Some(resolver.world(model))
            }
            Err(error) => {
                let what = "the world cannot be read; it was made from the brushes alone";
                self.notes.add_error("I-NO-WORLD", what, &error);
                None
            }
        }
    }

    fn tell_of_losses(&mut self) {
        let facts = &self.facts;
        let losses = [
            (
                facts.bad_nodes,
                "I-BAD-NODE",
                "nodes or links of the world's tree",
            ),
            (
                facts.bad_polygons,
                "I-BAD-POLYGON",
                "polygons with impossible places",
            ),
            (facts.bad_lightmaps, "I-BAD-LIGHTMAP", "lightmaps"),
        ];
        for (count, code, what) in losses {
            if count > 0 {
                let text = format!("{count} {what} are damaged and were left out");
                self.notes.add(code, 0, text);
            }
        }
    }

    /// Packages that the imports come from, sorted.
    fn packages(&self) -> Vec<String> {
        let tables = &self.package.tables;
        let tops = (1..=tables.imports.len() as i32).map(|number| Reference(-number));
        let tops = tops.filter_map(|reference| tables.object_path(reference));
        let packages = tops.filter(|path| path.package.is_empty() && path.class == "Package");
        let mut names: Vec<String> = packages.map(|path| path.name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
