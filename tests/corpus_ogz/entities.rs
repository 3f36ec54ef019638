//! Entities of real maps in the document: classes, keys, places, links, light.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;

use glam::DVec3;
use glam::Vec3;
use mapwright::document::Entity;
use mapwright::document::Kind;
use mapwright::formats::Imported;
use mapwright::formats::Importer as _;
use mapwright::formats::NoSiblings;
use mapwright::formats::ogz::Ogz;
use mapwright::formats::ogz::raw::RawEntity;
use mapwright::task::Progress;

use crate::corpus;
use crate::map;

fn import(folder: &Path, name: &str) -> Imported {
    let path = folder.join(name);
    let bytes = std::fs::read(&path).expect("the index names files that exist");
    Ogz.import(&bytes, &path, &NoSiblings, &Progress::new())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn entities<'a>(imported: &'a Imported, class: &str) -> Vec<&'a Entity> {
    imported
        .doc
        .objects()
        .filter_map(|(_, object)| object.entity())
        .filter(|entity| entity.class == class)
        .collect()
}

/// Entities of the file without the one that is none.
fn raw_entities(folder: &Path, name: &str) -> Vec<&'static RawEntity> {
    map(folder, name)
        .0
        .entities
        .iter()
        .filter(|raw| raw.kind != 0)
        .collect()
}

#[track_caller]
fn check_starts(name: &str, starts: usize, lifted: usize) {
    let Some(folder) = corpus() else { return };
    let imported = import(&folder, name);
    let list = entities(&imported, "playerstart");
    assert_eq!(list.len(), starts);
    let moved = list.iter().filter(|start| start.key("lift").is_some());
    assert_eq!(moved.count(), lifted);
    let raw = raw_entities(&folder, name);
    let raw = raw.iter().filter(|raw| raw.kind == 3);
    for (start, raw) in list.iter().zip(raw) {
        let [x, y, z] = raw.position.map(f64::from);
        let lift = start.number("lift").unwrap_or(4.0);
        // The middle of a body of 15 whose feet stand on the floor.
        let expected = DVec3::new(x, z - lift + 7.5, y);
        assert!(start.origin.distance(expected) < 0.01, "{start:?}");
        assert_eq!(
            start.angles_deg,
            DVec3::new(0.0, 180.0 - f64::from(raw.attributes[0]), 0.0)
        );
    }
}

#[test]
fn players_stand_on_the_floor() {
    // What was measured on these maps: all four units over the floor but for some that mappers lifted.
    check_starts("aard3c.ogz", 7, 0);
    check_starts("curvedm.ogz", 19, 1);
    check_starts("ot.ogz", 16, 0);
    check_starts("island.ogz", 9, 6);
}

#[test]
fn teleporters_are_linked_with_their_destinations() {
    let Some(folder) = corpus() else { return };
    for name in [
        "aard3c.ogz",
        "metl3.ogz",
        "nmp8.ogz",
        "Garden-Parkour01_LostRaces-05.ogz",
    ] {
        let imported = import(&folder, name);
        let names: BTreeSet<&str> = entities(&imported, "teledest")
            .iter()
            .filter_map(|entity| entity.key("targetname"))
            .collect();
        let ids: BTreeSet<i32> = raw_entities(&folder, name)
            .iter()
            .filter(|raw| raw.kind == 20)
            .map(|raw| raw.attributes[1])
            .collect();
        assert_eq!(names.len(), ids.len(), "{name}");
        let teleports = entities(&imported, "teleport");
        let raw = raw_entities(&folder, name);
        let raw: Vec<_> = raw.iter().filter(|raw| raw.kind == 19).collect();
        assert_eq!(teleports.len(), raw.len(), "{name}");
        for (teleport, raw) in teleports.iter().zip(raw) {
            let target = teleport
                .key("target")
                .expect("a teleporter leads somewhere");
            assert_eq!(
                names.contains(target),
                ids.contains(&raw.attributes[0]),
                "{name}: {target}"
            );
        }
    }
}

#[test]
fn lights_are_those_of_the_game() {
    let Some(folder) = corpus() else { return };
    let imported = import(&folder, "aard3c.ogz");
    let lights = entities(&imported, "light");
    assert_eq!(lights.len(), 15);
    let raw = raw_entities(&folder, "aard3c.ogz");
    for (light, raw) in lights.iter().zip(raw.iter().filter(|raw| raw.kind == 1)) {
        assert_eq!(light.key("falloff"), Some("linear"));
        assert_eq!(light.number("intensity"), Some(1.0));
        assert_eq!(
            light.number("radius"),
            Some(f64::from(raw.attributes[0].max(0)))
        );
        let color = light.vector("color").expect("three numbers");
        for axis in 0..3 {
            let byte = f64::from(raw.attributes[axis + 1].max(0));
            assert!((color[axis] * 255.0 - byte).abs() < 1e-3);
        }
    }
}

#[test]
fn every_entity_has_a_class_and_its_numbers() {
    let Some(folder) = corpus() else { return };
    for name in [
        "box_demo.ogz",
        "platform_demo.ogz",
        "asteroids.ogz",
        "ColossuRace.ogz",
    ] {
        let imported = import(&folder, name);
        let raw = raw_entities(&folder, name);
        let made: Vec<&Entity> = imported
            .doc
            .objects()
            .filter_map(|(_, object)| match &object.kind {
                Kind::Entity(entity) => Some(entity),
                _ => None,
            })
            .filter(|entity| {
                !["worldspawn", "light_sun", "trigger_hurt"].contains(&entity.class.as_str())
            })
            .collect();
        assert_eq!(made.len(), raw.len(), "{name}");
        for (entity, raw) in made.iter().zip(raw) {
            let numbers = raw
                .attributes
                .iter()
                .map(i32::to_string)
                .collect::<Vec<_>>();
            let has_numbers = raw.attributes.iter().any(|&number| number != 0);
            let expected = has_numbers.then(|| numbers.join(" "));
            assert_eq!(
                entity.key("attributes"),
                expected.as_deref(),
                "{name}: {entity:?}"
            );
        }
        assert_eq!(imported.report.counts().get("I-UNKNOWN-ENTITY"), None);
    }
}

#[test]
fn entities_of_another_game_are_kept_with_their_bytes() {
    let Some(folder) = corpus() else { return };
    let imported = import(&folder, "made/floor-eif4.ogz");
    let starts = entities(&imported, "playerstart");
    assert_eq!(starts[0].key("extra"), Some("61626364"));
    assert_eq!(starts[0].angles_deg, DVec3::new(0.0, 90.0, 0.0));
    assert_eq!(starts[0].origin, DVec3::new(512.0, 519.5, 512.0));
    let lights = entities(&imported, "light");
    assert_eq!(lights[0].key("color"), Some("1 0.784314 0.392157"));
    assert_eq!(lights[0].key("extra"), Some("65666768"));
}

#[test]
fn variables_become_settings_and_keys_of_the_world() {
    let Some(folder) = corpus() else { return };
    let imported = import(&folder, "made/floor.ogz");
    let settings = imported.doc.settings();
    assert_eq!(settings.name, "floor by nobody");
    assert_eq!(settings.ambient, Vec3::splat(32.0 / 255.0));
    assert_eq!(settings.units_per_meter, 8.0);
    let (_, world) = imported.doc.worldspawn().expect("every map has a world");
    let keys: BTreeMap<&str, &str> = world
        .keys
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect();
    assert_eq!(keys["sunlightscale"], "1.5");
    assert_eq!(keys["ambient"], "0x202020");
}

#[test]
fn a_file_of_entities_alone_opens_with_them() {
    let Some(folder) = corpus() else { return };
    let imported = import(&folder, "made/entity-only.ogz");
    assert_eq!(imported.report.counts()["I-ENTITIES-ONLY"], 1);
    assert_eq!(entities(&imported, "playerstart").len(), 1);
    assert_eq!(entities(&imported, "light").len(), 1);
    let bodies = imported
        .doc
        .objects()
        .filter(|(_, object)| object.brush().is_some());
    assert_eq!(bodies.count(), 0);
}

/// Rows about the file, and about what was left out of the map; all others select what they speak of.
const WITHOUT_OBJECTS: &[&str] = &[
    "I-CHECKSUM",
    "I-CONFIG",
    "I-CUT-SHORT",
    "I-DAMAGED-CUBES",
    "I-EMPTY-ENTITY",
    "I-ENTITIES-ONLY",
    "I-ENTITY-LIMIT",
    "I-FLAT-CUBE",
    "I-MISSING-CONFIG",
    "I-TAIL",
    "I-VARIABLES",
];

fn check_rows(name: &str, imported: &Imported) {
    for row in &imported.report.warnings {
        let mut objects = row.objects().peekable();
        let is_of_objects = !WITHOUT_OBJECTS.contains(&row.kind.code);
        assert!(
            !is_of_objects || objects.peek().is_some(),
            "{name}: {row:?}"
        );
        for id in objects {
            assert!(imported.doc.object(id).is_some(), "{name}: {row:?}");
        }
    }
}

/// Maps over this many bytes are left to those who have the time.
const LARGE: u64 = 800_000;

#[test]
fn rows_of_all_maps_select_what_they_speak_of() {
    let Some(folder) = corpus() else { return };
    for row in crate::index(&folder, "lightmaps") {
        let name = &row["file"];
        let bytes = std::fs::metadata(folder.join(name)).map_or(0, |file| file.len());
        if bytes < LARGE {
            check_rows(name, &import(&folder, name));
        }
    }
}

#[test]
fn every_row_of_the_report_speaks_of_what_is_there() {
    let Some(folder) = corpus() else { return };
    for name in ["packages/base/colos.ogz", "nmp8.ogz", "WhoNeedTextures.ogz"] {
        let imported = import(&folder, name);
        let of = |code: &str| -> Vec<_> {
            let rows = imported.report.warnings.iter();
            rows.filter(|row| row.kind.code == code).collect()
        };
        check_rows(name, &imported);
        let [models] = of("I-MODEL")[..] else {
            panic!("one row for all models of {name}")
        };
        let raw = raw_entities(&folder, name);
        let count = raw.iter().filter(|raw| raw.kind == 2).count();
        assert_eq!(models.objects().count(), count, "{name}");
        let [hidden] = of("I-HIDDEN-BRUSH")[..] else {
            panic!("one row for all hidden brushes of {name}")
        };
        assert!(hidden.objects().count() > 1, "{name}");
    }
}
