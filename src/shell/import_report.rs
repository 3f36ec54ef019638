//! What an import has to say: four numbers, then everything worth a look by kind, each item a link to its object.

mod show;

use std::collections::BTreeMap;

use crate::assets::export::Exported;
use crate::document::Document;
use crate::document::Kind;
use crate::document::ObjectId;
use crate::editor::Editor;
use crate::editor::jobs::OpenedMap;
use crate::formats::Report;
use crate::shell::say;
use crate::shell::toasts::Tone;

/// One warning.
struct Item {
    /// What it speaks of.
    objects: Vec<ObjectId>,
    /// The face of the first object that it speaks of alone.
    face: Option<u32>,
    words: String,
}

/// Warnings of one kind.
struct Group {
    code: &'static str,
    items: Vec<Item>,
    open: bool,
    /// All items are listed.
    whole: bool,
}

/// The open report.
pub struct ImportReport {
    name: String,
    sentence: String,
    /// Number, what, what happened to them.
    counts: [(usize, &'static str, String); 4],
    groups: Vec<Group>,
    is_foreign: bool,
    verb: &'static str,
    text: String,
}

fn count_kinds(doc: &Document) -> [usize; 3] {
    let mut counts = [0; 3];
    for (_, object) in doc.objects() {
        match &object.kind {
            Kind::Brush(brush) => {
                counts[0] += 1;
                counts[1] += brush.faces().len();
            }
            Kind::Mesh(mesh) => {
                counts[0] += 1;
                counts[1] += mesh.polygons.len();
            }
            Kind::Entity(_) => counts[2] += 1,
            Kind::Group(_) => {}
        }
    }
    counts
}

/// How many faces need axes of their own.
fn exact_axes(doc: &Document) -> String {
    let of = |object: &crate::document::Object| {
        object.brush().map_or(0, |brush| {
            brush
                .faces()
                .iter()
                .filter(|face| face.axes.is_some())
                .count()
        })
    };
    let count: usize = doc.objects().map(|(_, object)| of(object)).sum();
    if count == 0 {
        String::new()
    } else {
        format!("{} aligned by axes", say::count(count))
    }
}

/// Heading and weight of each kind that importers know.
const KINDS: &[(&str, &str, Tone)] = &[
    ("I-MISSING-TEXTURE", "Textures not found", Tone::Warning),
    ("X-LEFT-OUT", "Left out of the export", Tone::Warning),
    ("X-PICTURE", "Pictures that lie otherwise", Tone::Warning),
    ("X-ENTITY", "Entities left out of the export", Tone::Warning),
    (
        "X-KEYS",
        "Properties the game has no place for",
        Tone::Warning,
    ),
    ("X-TEXTURE", "Textures that change", Tone::Warning),
    ("X-SURFACE", "Surfaces that look otherwise", Tone::Warning),
    ("X-NOT-BUILT", "Objects that are not built", Tone::Info),
    (
        "X-ORDER",
        "Layers and groups the game has no place for",
        Tone::Info,
    ),
    ("X-MOVED", "Moved", Tone::Info),
    (
        "I-BROKEN-BRUSH",
        "Broken brushes, kept as they are",
        Tone::Error,
    ),
    (
        "I-BROKEN-PREFAB",
        "Prefabs that cannot be read",
        Tone::Error,
    ),
    ("I-CUT-SHORT", "The file ends too early", Tone::Error),
    ("I-NOT-FINITE", "Numbers that are none", Tone::Warning),
    ("I-BAD-NUMBER", "Numbers that cannot be read", Tone::Warning),
    (
        "I-OFF-CONVEX",
        "Brushes that are not quite convex",
        Tone::Warning,
    ),
    ("I-DEGENERATE-FACE", "Faces without area", Tone::Warning),
    (
        "I-FLIPPED-FACE",
        "Faces turned the right way round",
        Tone::Info,
    ),
    (
        "I-EMPTY-SOLID",
        "Solids without faces, left out",
        Tone::Warning,
    ),
    (
        "I-EMPTY-BRUSH-ENTITY",
        "Brush entities without brushes",
        Tone::Warning,
    ),
    (
        "I-MIXED-CONTENTS",
        "Brushes of mixed contents",
        Tone::Warning,
    ),
    ("I-NESTED-ENTITY", "Entities inside entities", Tone::Warning),
    ("I-DUPLICATE-KEY", "Keys that stand twice", Tone::Warning),
    ("I-EMPTY-KEY", "Keys without a name", Tone::Warning),
    ("I-FIELD-KEY", "Keys taken over as fields", Tone::Info),
    ("I-SPAWNFLAGS", "Spawn flags", Tone::Info),
    (
        "I-ORIGIN-BRUSH",
        "Origin brushes turned into origins",
        Tone::Info,
    ),
    ("I-NEW-SUN", "Suns made from light_environment", Tone::Info),
    ("I-TEXTURE-LIGHTS", "Textures that give light", Tone::Info),
    ("I-PATH", "Paths", Tone::Info),
    ("I-PREFAB", "Prefabs", Tone::Info),
    ("I-VISGROUP", "Visgroups", Tone::Info),
    (
        "I-DROPPED-COLOR",
        "Colours of objects, not kept",
        Tone::Info,
    ),
    (
        "I-DROPPED-FACE-FLAGS",
        "Flags of faces, not kept",
        Tone::Info,
    ),
    ("I-TRAILING-BYTES", "Bytes behind the end", Tone::Info),
    ("I-ENTITIES-ONLY", "The cubes cannot be read", Tone::Error),
    (
        "I-DAMAGED-CUBES",
        "Damage in the tree of cubes",
        Tone::Error,
    ),
    ("I-VARIABLES", "Variables that are missing", Tone::Warning),
    ("I-CHECKSUM", "Checksum of the file", Tone::Info),
    ("I-TAIL", "Baked light that cannot be read", Tone::Info),
    (
        "I-ENTITY-LIMIT",
        "More entities than allowed",
        Tone::Warning,
    ),
    (
        "I-UNKNOWN-ENTITY",
        "Entities of unknown types",
        Tone::Warning,
    ),
    ("I-EMPTY-ENTITY", "Empty entities, left out", Tone::Info),
    ("I-LONELY-SPOT", "Spotlights without a light", Tone::Warning),
    ("I-MODEL", "Models shown as boxes", Tone::Info),
    ("I-CUBES", "Cubes and brushes", Tone::Info),
    (
        "I-HIDDEN-BRUSH",
        "Brushes without a visible side",
        Tone::Info,
    ),
    ("I-BENT-CUBE", "Cubes bent inwards", Tone::Warning),
    ("I-FLAT-CUBE", "Cubes without volume, left out", Tone::Info),
    ("I-MIXED-FACE", "Two textures in one plane", Tone::Warning),
    ("I-GAME-CLIP", "Clips for the game's rules", Tone::Info),
    (
        "I-MISSING-CONFIG",
        "Lists of textures not found",
        Tone::Warning,
    ),
    (
        "I-CONFIG",
        "Parts of the configuration passed over",
        Tone::Info,
    ),
    (
        "I-UNRESOLVED-SLOT",
        "Texture slots in no list",
        Tone::Warning,
    ),
    (
        "I-PLAIN-TEXTURES",
        "Effects of textures, not shown",
        Tone::Info,
    ),
    ("I-GLOW", "Textures that glow", Tone::Info),
    ("I-GLOW-PART", "Glow in parts, not shown", Tone::Info),
    // Unreal Engine 1.
    ("I-BRUSHES", "Brushes made from the game's", Tone::Info),
    ("I-AGREEMENT", "Agreement with the map's BSP", Tone::Info),
    (
        "I-DISAGREEMENT",
        "Brushes and BSP differ too much",
        Tone::Warning,
    ),
    (
        "I-BSP-HOLE",
        "Holes in the map's BSP, closed here",
        Tone::Info,
    ),
    (
        "I-CONCAVE-BRUSH",
        "Brushes that were not convex",
        Tone::Info,
    ),
    ("I-SHEARED-BRUSH", "Sheared brushes", Tone::Warning),
    ("I-SHEET", "Sheets, made meshes", Tone::Info),
    ("I-SHEET-MOVER", "Movers without volume", Tone::Info),
    ("I-LOST-PIECE", "Pieces too thin to keep", Tone::Info),
    ("I-FLAT-POLYGON", "Polygons without area", Tone::Info),
    ("I-BAD-POLYGON", "Damaged polygons", Tone::Warning),
    ("I-BAD-NODE", "Damaged nodes of the BSP", Tone::Warning),
    ("I-BAD-LIGHTMAP", "Damaged lightmaps", Tone::Warning),
    ("I-BAD-ACTOR", "Actors that cannot be read", Tone::Warning),
    ("I-BAD-SHAPE", "Shapes that cannot be read", Tone::Warning),
    ("I-NO-SHAPE", "Brushes without a shape", Tone::Warning),
    (
        "I-BAD-TEXTURE",
        "Pictures that cannot be read",
        Tone::Warning,
    ),
    ("I-NO-WORLD", "No world to compare with", Tone::Warning),
    ("I-LEVELS", "More than one level", Tone::Warning),
    ("I-LEVEL-TAIL", "The end of the level", Tone::Info),
    ("I-LEFTOVER", "Bytes that mean nothing known", Tone::Warning),
    (
        "I-UNVERIFIED-VERSION",
        "A version that few files have",
        Tone::Warning,
    ),
    ("I-LINE", "Lines that cannot be read", Tone::Warning),
    ("I-ACTORS", "Actors", Tone::Info),
    (
        "I-UNKNOWN-CLASS",
        "Actors of classes not described",
        Tone::Info,
    ),
    (
        "I-EDITOR-CAMERA",
        "Cameras of the game's editor",
        Tone::Info,
    ),
    ("I-REACH-SPEC", "Paths of bots, left out", Tone::Info),
    (
        "I-LIGHT-STEADY",
        "Lights that change in the game",
        Tone::Info,
    ),
    (
        "I-LIGHT-SPECIAL",
        "Lights for special surfaces only",
        Tone::Info,
    ),
    ("I-LIGHT-DARK", "Lights that take light away", Tone::Info),
    ("I-ZONE-AMBIENT", "Ambient light of zones", Tone::Info),
    ("I-LIQUID", "Water and other liquids", Tone::Info),
    ("I-MOVER-SCALE", "Movers scaled after turning", Tone::Info),
    ("I-MOVER-KEY", "Movers away from their key", Tone::Warning),
    ("I-MODEL-DRAWN", "Models", Tone::Info),
    ("I-MODEL-MANY", "Too many models", Tone::Warning),
    (
        "I-PROCEDURAL-TEXTURE",
        "Textures the game computes",
        Tone::Info,
    ),
    ("I-BLENDED", "Ways of blending", Tone::Info),
    ("I-MOVING-TEXTURE", "Moving textures", Tone::Info),
    ("I-MIRROR", "Mirrors", Tone::Info),
    ("I-UNITS", "Units", Tone::Info),
];

/// A heading for a code; codes of rules that have none are shown as they are.
fn heading(code: &str) -> String {
    let found = KINDS.iter().find(|(known, ..)| *known == code);
    found.map_or_else(|| code.to_owned(), |(_, words, _)| (*words).to_owned())
}

fn tone(code: &str) -> Tone {
    if let Some((_, _, tone)) = KINDS.iter().find(|(known, ..)| *known == code) {
        return *tone;
    }
    match code.as_bytes().first() {
        Some(b'E') => Tone::Error,
        Some(b'W') => Tone::Warning,
        _ => Tone::Info,
    }
}

impl ImportReport {
    /// Of a map that was just read; `None` when the file is one of ours without anything to say.
    #[must_use]
    pub fn new(map: &OpenedMap) -> Option<Self> {
        let is_foreign = map.opened.format != "hmap";
        let imported = &map.opened.imported;
        if !is_foreign && imported.report.warnings.is_empty() {
            return None;
        }
        let name = say::file_name(&map.path);
        Some(Self::build(
            name,
            &imported.doc,
            &imported.report,
            is_foreign,
            Some(map.opened.bytes),
        ))
    }

    /// Of the open map, to look at it again; `None` when there was nothing to report.
    #[must_use]
    pub fn of_editor(editor: &Editor) -> Option<Self> {
        let is_foreign = editor.file.imported_from.is_some();
        if !is_foreign && editor.report.warnings.is_empty() {
            return None;
        }
        let name = editor
            .file
            .imported_from
            .as_deref()
            .map_or_else(|| editor.name(), say::file_name);
        Some(Self::build(
            name,
            editor.doc(),
            &editor.report,
            is_foreign,
            None,
        ))
    }

    /// Of an export: what the other format cannot say.
    #[must_use]
    pub fn of_export(doc: &Document, exported: &Exported) -> Self {
        let name = exported
            .files
            .first()
            .map_or_else(String::new, |path| say::file_name(path));
        let bytes = Some(exported.bytes);
        Self {
            verb: "Exported",
            ..Self::build(name, doc, &exported.report, false, bytes)
        }
    }

    fn build(
        name: String,
        doc: &Document,
        report: &Report,
        is_foreign: bool,
        bytes: Option<u64>,
    ) -> Self {
        let mut groups: BTreeMap<&'static str, Vec<Item>> = BTreeMap::new();
        for warning in &report.warnings {
            groups.entry(warning.kind.code).or_default().push(Item {
                objects: warning.objects().collect(),
                face: warning.face,
                words: warning.kind.text.clone(),
            });
        }
        let many = report.warnings.len();
        let format = match (report.format, report.version.as_str()) {
            ("", _) => String::new(),
            (format, "") => format.to_uppercase(),
            (format, version) => format!("{} {version}", format.to_uppercase()),
        };
        let size = bytes.map(say::bytes);
        let head = [Some(format).filter(|format| !format.is_empty()), size]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ");
        let verdict = if many == 0 {
            "Everything was carried over.".to_owned()
        } else {
            format!(
                "{} worth a look.",
                say::counted(many, "thing is", "things are")
            )
        };
        let [brushes, faces, entities] = count_kinds(doc);
        let note = |parts: &[&str], words: &str| {
            let n: usize = groups
                .iter()
                .filter(|(code, _)| parts.iter().any(|part| code.contains(part)))
                .map(|(_, items)| items.len())
                .sum();
            if n == 0 {
                String::new()
            } else {
                format!("{} {words}", say::count(n))
            }
        };
        let counts = [
            (
                brushes,
                "brushes",
                note(&["CONVEX", "BROKEN-BRUSH", "EMPTY-SOLID"], "worth a look"),
            ),
            (faces, "faces", exact_axes(doc)),
            (
                entities,
                "entities",
                note(
                    &["SUN", "NESTED-ENTITY", "EMPTY-BRUSH-ENTITY"],
                    "worth a look",
                ),
            ),
            (
                doc.material_count(),
                "materials",
                note(&["MISSING-TEXTURE"], "not found"),
            ),
        ];
        let text = report
            .warnings
            .iter()
            .map(|warning| format!("{}: {}", warning.kind.code, warning.kind.text))
            .collect::<Vec<_>>()
            .join("\n");
        let mut groups: Vec<Group> = groups
            .into_iter()
            .map(|(code, items)| Group {
                code,
                items,
                open: false,
                whole: false,
            })
            .collect();
        groups.sort_by_key(|group| (tone(group.code) as u8, group.code));
        if let Some(first) = groups.first_mut() {
            first.open = true;
        }
        Self {
            sentence: if head.is_empty() {
                verdict
            } else {
                format!("{head}. {verdict}")
            },
            name,
            counts,
            groups,
            is_foreign,
            verb: if is_foreign { "Imported" } else { "Read" },
            text,
        }
    }

    /// False when a short message says it all.
    #[must_use]
    pub fn is_worth_a_look(&self) -> bool {
        !self.groups.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_gathered_by_kind_and_errors_come_first() {
        let mut report = Report {
            format: "rmf",
            version: "2.2".to_owned(),
            ..Report::default()
        };
        report.warn("I-NEW-SUN", None, None, "light became light");
        report.warn(
            "I-MISSING-TEXTURE",
            None,
            ObjectId::new(7),
            "BRICK was not found",
        );
        report.warn("I-MISSING-TEXTURE", None, None, "ROOF was not found");
        let models: Vec<ObjectId> = (2..5).filter_map(ObjectId::new).collect();
        report.warn_of("I-MODEL", models.clone(), "3 models are boxes");
        let report = ImportReport::build(
            "a.rmf".to_owned(),
            &Document::default(),
            &report,
            true,
            Some(4_100_000),
        );
        assert_eq!(
            report.sentence,
            "RMF 2.2, 4.1 MB. 4 things are worth a look."
        );
        let codes: Vec<_> = report
            .groups
            .iter()
            .map(|group| (group.code, group.items.len()))
            .collect();
        assert_eq!(
            codes,
            [("I-MISSING-TEXTURE", 2), ("I-MODEL", 1), ("I-NEW-SUN", 1)]
        );
        assert_eq!(report.groups[1].items[0].objects, models);
        assert_eq!(report.counts[3].2, "2 not found");
        assert!(report.is_worth_a_look());
    }
}
