//! Random maps and damaged bytes: what is saved comes back, and no bytes make the reader panic.

use std::path::Path;

use glam::DVec3;
use glam::Vec3;
use mapwright::compiler::Box3;
use mapwright::compiler::Bsp;
use mapwright::compiler::Cmpl;
use mapwright::compiler::Compiled;
use mapwright::compiler::LightKind;
use mapwright::compiler::LightRecord;
use mapwright::compiler::Model;
use mapwright::document::Brush;
use mapwright::document::Document;
use mapwright::document::Entity;
use mapwright::document::Kind;
use mapwright::document::Layer;
use mapwright::document::LayerKind;
use mapwright::document::Object;
use mapwright::document::ObjectFlags;
use mapwright::document::ObjectId;
use mapwright::document::ViewState;
use mapwright::formats::Extras;
use mapwright::formats::Imported;
use mapwright::formats::Importer;
use mapwright::formats::NoSiblings;
use mapwright::formats::hmap;
use mapwright::formats::hmap::Hmap;
use mapwright::formats::hmap::Level;
use mapwright::geometry::Aabb;
use mapwright::task::Progress;
use proptest::prelude::*;

use super::made::Dice;
use super::made::Made;
use super::made::Maker;

const PATH: &str = "made.hmap";

fn import(bytes: &[u8]) -> Imported {
    Hmap.import(bytes, Path::new(PATH), &NoSiblings, &Progress::new())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn check_round_trip(made: &Made) -> Result<(), TestCaseError> {
    let bytes =
        hmap::write(&made.doc, &made.view, &made.extras, None, Path::new(PATH)).expect("saves");
    let again = import(&bytes);
    for (id, object) in made.doc.objects() {
        prop_assert_eq!(again.doc.object(id), Some(object));
    }
    prop_assert!(
        again.doc.equals(&made.doc),
        "{:?}\n{:?}",
        again.doc,
        made.doc
    );
    prop_assert_eq!(&again.view, &made.view);
    prop_assert_eq!(&again.extras.origin, &made.extras.origin);
    prop_assert_eq!(&again.extras.thumbnail, &made.extras.thumbnail);
    prop_assert_eq!(&again.extras.textures, &made.extras.textures);
    prop_assert_eq!(
        (again.extras.sums, again.extras.header_bits),
        (made.extras.sums, made.extras.header_bits)
    );
    let saved = hmap::write(
        &again.doc,
        &again.view,
        &again.extras,
        None,
        Path::new(PATH),
    )
    .expect("saves");
    prop_assert!(saved == bytes, "saved twice, other bytes");
    let fine = [
        "W-KEY",
        "W-CLASS",
        "W-NUL",
        "W-HDRFLAGS",
        "E-OPEN",
        "E-FACES",
    ];
    let findings = hmap::check(&bytes, Path::new(PATH));
    prop_assert!(
        findings.iter().all(|finding| fine.contains(&finding.code)),
        "{:?}",
        findings
    );
    for (id, object) in made.doc.objects() {
        // What is left out of builds is so for a reader that knows no layers, too.
        if object.group().is_none() {
            prop_assert_eq!(again.doc.is_left_out(id), made.doc.is_left_out(id));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn what_is_saved_comes_back(seed in any::<u64>()) {
        check_round_trip(&Maker::new(seed).finish())?;
    }
}

/// The base chunks alone say what is compiled: NO_COMPILE of a layer stands on the records of its members.
#[test]
fn layers_that_are_left_out_mark_their_members() {
    let mut draft = Document::default().edit();
    let mut layer = Layer::new(LayerKind::Layer, "off");
    layer.no_compile = true;
    let layer = draft.insert_layer(layer);
    let mut object = Object::new(Kind::Brush(Brush::cuboid(
        Aabb::new(DVec3::ZERO, DVec3::splat(8.0)),
        None,
    )));
    object.layer = Some(layer);
    let brush = draft.insert(object);
    let doc = draft.as_read();
    let bytes = hmap::write(
        &doc,
        &ViewState::default(),
        &Extras::default(),
        None,
        Path::new(PATH),
    )
    .expect("saves");
    let brsh = bytes
        .windows(4)
        .position(|window| window == b"BRSH")
        .expect("chunk")
        + 12;
    let flags = u32::from_le_bytes(bytes[brsh + 12..brsh + 16].try_into().expect("four"));
    assert_eq!(flags, ObjectFlags::NO_COMPILE.0);
    let again = import(&bytes).doc;
    assert_eq!(
        again.object(brush).expect("there").flags,
        ObjectFlags::default()
    );
    assert!(again.is_left_out(brush));
}

#[test]
fn document_order_is_kept() {
    let mut draft = Document::default().edit();
    for (number, order) in [(5, 0), (3, 1), (4, 2)] {
        let mut object = Object::new(Kind::Brush(Brush::cuboid(
            Aabb::new(DVec3::ZERO, DVec3::splat(8.0)),
            None,
        )));
        object.order = order;
        draft.put(ObjectId::new(number).expect("not 0"), object);
    }
    let doc = draft.as_read();
    let bytes = hmap::write(
        &doc,
        &ViewState::default(),
        &Extras::default(),
        None,
        Path::new(PATH),
    )
    .expect("saves");
    let again = import(&bytes);
    assert!(again.doc.equals(&doc));
    let ids: Vec<u32> = again
        .doc
        .objects_in_order()
        .iter()
        .map(|(id, _)| id.get())
        .collect();
    assert_eq!(ids, [5, 3, 4]);
}

#[test]
fn used_up_numbers_begin_again() {
    let id = |number| ObjectId::new(number).expect("not 0");
    let mut draft = Document::default().edit();
    draft.put(
        id(u32::MAX),
        Object::new(Kind::Entity(Entity::new("func_wall", DVec3::ZERO))),
    );
    let mut owned = Object::new(Kind::Brush(Brush::cuboid(
        Aabb::new(DVec3::ZERO, DVec3::splat(8.0)),
        None,
    )));
    owned.parent = Some(id(u32::MAX));
    draft.put(id(7), owned);
    let doc = draft.as_read();
    let view = ViewState {
        hidden: [id(u32::MAX)].into(),
        ..ViewState::default()
    };
    let (fresh, fresh_view) = hmap::renumbered(&doc, &view).expect("is needed");
    assert_eq!(fresh.owner(id(1)), Some(id(2)));
    assert_eq!((fresh.next_id(), fresh_view.hidden), (3, [id(2)].into()));
    let bytes = hmap::write(&doc, &view, &Extras::default(), None, Path::new(PATH)).expect("saves");
    assert!(import(&bytes).doc.equals(&fresh));
    assert!(hmap::check(&bytes, Path::new(PATH)).is_empty());
    assert!(hmap::renumbered(&fresh, &view).is_none());
}

/// The independent checker finds nothing a writer must not do (codes S-...) in random maps.
#[test]
fn the_independent_checker_accepts_random_maps() {
    let Some(tool) = super::checker() else { return };
    let out = tempfile::tempdir().expect("folder");
    let files: Vec<_> = (0..40)
        .map(|seed| {
            let made = Maker::new(seed).finish();
            let bytes = hmap::write(&made.doc, &made.view, &made.extras, None, Path::new(PATH))
                .expect("saves");
            let path = out.path().join(format!("{seed}.hmap"));
            std::fs::write(&path, bytes).expect("written");
            path
        })
        .collect();
    let check = std::process::Command::new("python3")
        .arg(&tool)
        .args(["check", "--strict", "--json"])
        .args(&files)
        .output()
        .expect("runs");
    let text = String::from_utf8_lossy(&check.stdout);
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), files.len());
    let fine = [
        "W-KEY",
        "W-CLASS",
        "W-NUL",
        "W-HDRFLAGS",
        "E-OPEN",
        "E-FACES",
    ];
    for line in lines {
        let codes = line["codes"].as_array().expect("codes");
        assert!(
            codes
                .iter()
                .all(|code| fine.contains(&code.as_str().expect("a code"))),
            "{line}"
        );
    }
}

/// A map with one of everything, and a compile.
fn everything() -> (Made, Compiled) {
    let mut maker = Maker::new(11);
    let entity = maker.entity(None);
    maker.geometry(Some(entity));
    let made = maker.finish();
    let light = LightRecord {
        kind: LightKind::Spot,
        position: Vec3::ZERO,
        direction: Vec3::NEG_Y,
        color: Vec3::ONE,
        intensity: 4.0,
        radius: 320.0,
        inner_deg: 20.0,
        outer_deg: 40.0,
        entity_id: entity.get(),
    };
    let cmpl = Cmpl {
        ambient: Vec3::splat(0.1),
        units_per_meter: 32.0,
        baked: 0,
        bounds: Box3::default(),
        batches: Vec::new(),
        models: vec![Model {
            entity_id: 0,
            bounds: Box3::default(),
            brushes: Vec::new(),
        }],
        bsp: Bsp::default(),
        mesh_collisions: Vec::new(),
        lights: vec![light],
    };
    let compiled = Compiled::of(cmpl, Some(made.doc.clone()));
    (made, compiled)
}

/// Opening, checking and salvaging end, whatever the bytes are.
fn survives(bytes: &[u8]) -> Level {
    let findings = hmap::check(bytes, Path::new(PATH));
    let _ = hmap::salvage(bytes, Path::new(PATH));
    if let Ok(imported) = Hmap.import(bytes, Path::new(PATH), &NoSiblings, &Progress::new()) {
        let saved = hmap::write(
            &imported.doc,
            &imported.view,
            &imported.extras,
            imported.compiled.as_ref(),
            Path::new(PATH),
        );
        let again = hmap::check(&saved.expect("saves"), Path::new(PATH));
        assert!(
            again.iter().all(|finding| finding.level < Level::Fatal),
            "{again:?}"
        );
    }
    findings
        .iter()
        .map(|finding| finding.level)
        .max()
        .unwrap_or(Level::Note)
}

#[test]
fn every_cut_and_every_changed_byte_is_survived() {
    let (made, compiled) = everything();
    let extras = Extras {
        sums: true,
        ..made.extras
    };
    let bytes = hmap::write(
        &made.doc,
        &made.view,
        &extras,
        Some(&compiled),
        Path::new(PATH),
    )
    .expect("saves");
    assert_eq!(&bytes[..4], b"HMAP");
    assert!(survives(&bytes) < Level::Fatal);
    for length in 0..bytes.len() {
        let level = survives(&bytes[..length]);
        assert!(length >= 12 || level == Level::Fatal);
    }
    for place in 0..bytes.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[place] ^= change;
            survives(&changed);
        }
    }
}

#[test]
fn mutated_samples_are_survived() {
    let Some((corpus, _)) = super::corpus() else {
        return;
    };
    let folder = std::fs::read_dir(corpus.join("valid")).expect("samples");
    let mut files: Vec<_> = folder
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "hmap"))
        .collect();
    files.sort();
    let samples: Vec<Vec<u8>> = files
        .iter()
        .map(|path| std::fs::read(path).expect("sample"))
        .collect();
    let mut dice = Dice(7);
    let mut levels = std::collections::BTreeMap::new();
    for _ in 0..1500 {
        let mut bytes = samples[dice.below(samples.len())].clone();
        for _ in 0..[1, 1, 2, 5][dice.below(4)] {
            let place = dice.below(bytes.len());
            let end = |length: usize| (place + length).min(bytes.len());
            match dice.below(4) {
                0 => bytes[place] = dice.bits() as u8,
                1 => {
                    let words = [
                        [0xff; 4],
                        [0; 4],
                        [0xff, 0xff, 0xff, 0x7f],
                        [0, 0, 0xc0, 0x7f],
                    ];
                    let (word, end) = (words[dice.below(4)], end(4));
                    bytes[place..end].copy_from_slice(&word[..end - place]);
                }
                2 => {
                    let end = end(1 + dice.below(8));
                    bytes.drain(place..end);
                }
                _ => {
                    let inserted = dice.bits().to_le_bytes();
                    let count = 1 + dice.below(8);
                    bytes.splice(place..place, inserted.into_iter().take(count));
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        *levels.entry(survives(&bytes)).or_insert(0) += 1;
    }
    assert!(levels.len() >= 3, "mutations do something: {levels:?}");
}

/// Hiding something changes the file, but not what the compile was made of.
#[test]
fn a_view_change_keeps_the_compile() {
    let (made, compiled) = everything();
    let mut view = made.view.clone();
    view.hidden = made.doc.objects().map(|(id, _)| id).take(3).collect();
    let bytes = hmap::write(
        &made.doc,
        &view,
        &made.extras,
        Some(&compiled),
        Path::new(PATH),
    )
    .expect("saves");
    let imported = import(&bytes);
    let again = imported.compiled.expect("kept");
    assert!(again.is_current(&imported.doc));
    assert!(
        imported
            .report
            .warnings
            .iter()
            .all(|warning| warning.kind.code != "W-OLD")
    );
    let mut draft = made.doc.edit();
    draft.settings_mut().units_per_meter = 8.0;
    let other = draft.finish().expect("fine");
    let bytes = hmap::write(
        &other,
        &view,
        &made.extras,
        Some(&compiled),
        Path::new(PATH),
    )
    .expect("saves");
    assert!(
        import(&bytes).compiled.is_none(),
        "an edited map is written without the compile"
    );
}
