//! Bytes to structs: counts of the index, relatives, and files that were made to be trouble.

use std::path::Path;

use mapwright::formats::FormatError;
use mapwright::formats::ogz;
use mapwright::formats::ogz::Note;
use mapwright::formats::ogz::raw::Family;
use mapwright::formats::ogz::raw::RawMap;
use mapwright::task::Progress;
use serde_json::Value;

use crate::corpus;
use crate::index;
use crate::map;

/// Index columns and the keys of `source_counts`.
const COUNTS: &[(&str, &str)] = &[
    ("ver", "version"),
    ("worldsize", "worldsize"),
    ("ents", "numents"),
    ("vars", "numvars"),
    ("split", "split"),
    ("empty", "empty"),
    ("solid", "solid"),
    ("deformed", "deformed"),
    ("smallest", "smallest_cube"),
];

#[test]
fn counts_equal_the_index() {
    let Some(folder) = corpus() else { return };
    let rows = index(&folder, "lightmaps");
    assert_eq!(rows.len(), 23, "the index has changed");
    for row in rows {
        let file = &row["file"];
        let (raw, notes) = map(&folder, file);
        let counts = ogz::counts(raw);
        for (column, key) in COUNTS {
            assert_eq!(counts[key].to_string(), row[*column], "{key} of {file}");
        }
        let slots = format!("{} ({})", counts["numvslots"], counts["vslots_edited"]);
        assert_eq!(slots, row["vslots (edited)"], "{file}");
        let highest = raw
            .tree
            .leaves
            .iter()
            .filter(|leaf| leaf.edges != [0; 12])
            .flat_map(|leaf| leaf.textures)
            .max()
            .unwrap_or(0);
        let used = format!("{} ({highest})", counts["tex_slots_used"]);
        assert_eq!(used, row["slots used (max)"], "{file}");
        for (column, value) in [
            ("lightmaps", raw.facts.lightmaps),
            ("pvs", raw.facts.pvs),
            ("depth", raw.tree.depth.cast_signed()),
        ] {
            assert_eq!(value.to_string(), row[column], "{column} of {file}");
        }
        // Read to the last byte, baked light and visible sets included.
        assert_eq!(raw.facts.trailing_bytes, 0, "{file}");
        let codes: Vec<&str> = notes.iter().map(|note| note.code).collect();
        let wrong = ["curvedm.ogz", "canyon.ogz", "asteroids.ogz"].contains(&file.as_str());
        assert_eq!(codes, vec!["I-CHECKSUM"; usize::from(wrong)], "{file}");
    }
}

/// Names of the types of a shooter's entities, as the index spells them.
const TYPES: &[&str] = &[
    "none",
    "light",
    "mapmodel",
    "playerstart",
    "envmap",
    "particles",
    "sound",
    "spotlight",
    "shells",
    "bullets",
    "rockets",
    "riflerounds",
    "grenades",
    "cartridges",
    "health",
    "healthboost",
    "greenarmour",
    "yellowarmour",
    "quaddamage",
    "teleport",
    "teledest",
    "monster",
    "carrot",
    "jumppad",
    "base",
    "respawnpoint",
    "box",
    "barrel",
    "platform",
    "elevator",
    "flag",
];

#[test]
fn entities_and_materials_equal_the_index() {
    let Some(folder) = corpus() else { return };
    let rows = index(&folder, "materials (leaf count)");
    assert_eq!(rows.len(), 23, "the index has changed");
    for row in rows {
        let file = &row["file"];
        let (raw, _) = map(&folder, file);
        let mut counts = vec![0; TYPES.len()];
        let mut foreign = 0;
        for entity in &raw.entities {
            let kind = usize::from(entity.kind);
            if raw.game == "fps" || kind < 8 {
                counts[kind] += 1;
            } else {
                foreign += 1;
            }
        }
        let mut parts: Vec<String> = TYPES
            .iter()
            .zip(&counts)
            .filter(|(_, count)| **count > 0)
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        if foreign > 0 {
            parts.push(format!("game {foreign}"));
        }
        assert_eq!(
            parts.join(", "),
            row["entities by type (after conversion)"],
            "{file}"
        );

        let mut materials = std::collections::BTreeMap::<u16, usize>::new();
        for leaf in raw.tree.leaves.iter().filter(|leaf| leaf.material != 0) {
            *materials.entry(leaf.material).or_default() += 1;
        }
        let parts: Vec<String> = materials
            .iter()
            .map(|(word, count)| format!("0x{word:04x} ×{count}"))
            .collect();
        let text = if parts.is_empty() {
            "none".to_owned()
        } else {
            parts.join(", ")
        };
        assert_eq!(text, row["materials (leaf count)"], "{file}");
    }
}

fn read_file(path: &Path) -> Result<(RawMap, Vec<Note>), FormatError> {
    let bytes = std::fs::read(path).expect("the index names files that exist");
    ogz::read(&bytes, &Progress::new()).map_err(|error| error.at(path))
}

#[track_caller]
fn check_relative(file: &str, family: Family, game: &str, expected: &[(&str, u64)]) {
    let Some(folder) = corpus() else { return };
    let (raw, notes) =
        read_file(&folder.join("relatives").join(file)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((raw.family, raw.game.as_str()), (family, game));
    let counts = ogz::counts(&raw);
    for (key, value) in expected {
        assert_eq!(counts[key], Value::from(*value), "{key}");
    }
    assert_eq!(raw.facts.trailing_bytes, 0);
    assert_eq!(notes, []);
}

#[test]
fn a_map_of_tesseract_is_read() {
    check_relative(
        "tmap1-complex.ogz",
        Family::Tesseract,
        "Tesseract",
        &[
            ("version", 1),
            ("numents", 387),
            ("numvars", 30),
            ("numvslots", 183),
            ("vslots_edited", 151),
            ("leaves", 62322),
            ("solid", 23737),
            ("deformed", 14300),
            ("empty", 24285),
            ("split", 8902),
            ("smallest_cube", 1),
            ("tex_slots_used", 160),
        ],
    );
}

#[test]
fn a_map_of_the_sandbox_is_read() {
    check_relative(
        "pasm6-lobby.ogz",
        Family::Sandbox,
        "rpg",
        &[
            ("version", 6),
            ("numents", 65),
            ("numvars", 1),
            ("numvslots", 593),
            ("vslots_edited", 12),
            ("leaves", 8527),
            ("solid", 3193),
            ("deformed", 1709),
            ("empty", 3625),
            ("split", 1217),
            ("smallest_cube", 1),
            ("tex_slots_used", 16),
        ],
    );
}

/// `codes`: of the notes. `leaves`: that were read.
#[track_caller]
fn check_made(file: &str, leaves: usize, entities: usize, codes: &[&str]) -> Option<RawMap> {
    let folder = corpus()?;
    let (raw, notes) =
        read_file(&folder.join("made").join(file)).unwrap_or_else(|error| panic!("{error}"));
    let read = raw.tree.leaves.len() - raw.facts.missing_leaves;
    assert_eq!((read, raw.entities.len()), (leaves, entities));
    let noted: Vec<&str> = notes.iter().map(|note| note.code).collect();
    assert_eq!(noted, codes);
    Some(raw)
}

#[track_caller]
fn check_refused(file: &str, text: &str) {
    let Some(folder) = corpus() else { return };
    let error = read_file(&folder.join("made").join(file))
        .err()
        .unwrap_or_else(|| panic!("{file} was read"));
    let sentence = error.to_string();
    assert!(sentence.contains(text), "{sentence}");
    assert_eq!(sentence.lines().count(), 1);
}

#[test]
fn sound_made_files_are_read() {
    check_made("floor.ogz", 8, 2, &[]);
    check_made("floor-badcrc.ogz", 8, 2, &["I-CHECKSUM"]);
    check_made("deformed.ogz", 8, 0, &[]);
    check_made("materials.ogz", 8, 0, &[]);
    let Some(raw) = check_made("floor-eif4.ogz", 8, 2, &[]) else {
        return;
    };
    assert_eq!(raw.game, "other");
    let [start, light] = &raw.entities[..] else {
        panic!("two entities")
    };
    assert_eq!((start.kind, start.attributes[0]), (3, 90));
    assert_eq!(start.position, [512.0, 512.0, 516.0]);
    assert_eq!(start.extra, b"abcd");
    assert_eq!(
        (light.kind, &light.attributes[..4]),
        (1, &[500, 255, 200, 100][..])
    );
    let raw = check_made("degenerate.ogz", 8, 0, &[]).expect("the corpus is there");
    assert_eq!(raw.facts.degenerate_leaves, 2);
    let raw = check_made("vslots.ogz", 8, 0, &[]).expect("the corpus is there");
    assert_eq!(raw.slots.len(), 6);
    assert!(raw.slots[..4].iter().all(|slot| slot.unmodified));
    let [.., scaled, moved] = &raw.slots[..] else {
        panic!("six slots")
    };
    assert_eq!(
        (scaled.previous, scaled.scale, scaled.rotation),
        (2, Some(2.0), Some(1))
    );
    assert_eq!(
        (moved.previous, moved.offset, moved.scale),
        (4, Some([16, 32]), None)
    );
}

#[test]
fn damage_behind_the_entities_leaves_what_came_before() {
    check_made("entity-only.ogz", 0, 2, &["I-ENTITIES-ONLY"]);
    check_made("bad-tag.ogz", 2, 2, &["I-DAMAGED-CUBES"]);
    check_made("truncated.ogz", 3, 2, &["I-DAMAGED-CUBES"]);
    check_made("slot-run.ogz", 0, 2, &["I-ENTITIES-ONLY"]);
}

#[test]
fn the_place_of_the_damage_is_told() {
    let Some(folder) = corpus() else { return };
    let (_, notes) = read_file(&folder.join("made/bad-tag.ogz")).expect("it has entities");
    assert_eq!(notes[0].offset, 125);
    assert!(notes[0].text.contains("tag 7"), "{}", notes[0].text);
    assert!(notes[0].text.contains("byte 125"), "{}", notes[0].text);
}

#[test]
fn hostile_files_end_in_one_sentence() {
    check_refused("many-ents.ogz", "2000000000");
    check_refused("deep.ogz", "more than 32");
    check_refused("v34.ogz", "34 is newer than 33");
}
