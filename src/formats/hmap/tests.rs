//! Rules and decisions that the sample set does not show, on small files put together here.

mod compiled;

use std::path::Path;

use glam::DVec3;

use super::*;
use crate::document::Brush;
use crate::document::Document;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::Material;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::ViewState;
use crate::formats::NoSiblings;
use crate::formats::writer::Writer;
use crate::geometry::Aabb;

const PATH: &str = "made.hmap";

type Chunk = ([u8; 4], Vec<u8>);

fn file(chunks: &[Chunk]) -> Vec<u8> {
    let mut w = Writer::new();
    w.raw(b"HMAP");
    w.u32(1);
    let has = |tags: &[&[u8; 4]]| chunks.iter().any(|(tag, _)| tags.contains(&tag));
    w.u32(u32::from(has(&[b"BRSH", b"MESH"])) | u32::from(has(&[b"CMPL"])) << 1);
    for (tag, payload) in chunks {
        w.raw(tag);
        w.count(payload.len());
        w.raw(payload);
    }
    w.into_bytes()
}

fn chunks_of(bytes: &[u8]) -> Vec<Chunk> {
    let container =
        container::index(bytes, false, &mut findings::Findings::default()).expect("a file");
    container
        .chunks
        .iter()
        .map(|chunk| (chunk.tag, chunk.payload.to_vec()))
        .collect()
}

fn codes(bytes: &[u8]) -> Vec<&'static str> {
    let mut codes: Vec<_> = check(bytes, Path::new(PATH))
        .iter()
        .map(|finding| finding.code)
        .collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

fn import(bytes: &[u8]) -> Imported {
    Hmap.import(bytes, Path::new(PATH), &NoSiblings, &Progress::new())
        .expect("opens")
}

fn save(imported: &Imported) -> Vec<u8> {
    write(
        &imported.doc,
        &imported.view,
        &imported.extras,
        imported.compiled.as_ref(),
        Path::new(PATH),
    )
    .expect("saves")
}

fn id(number: u32) -> ObjectId {
    ObjectId::new(number).expect("not 0")
}

/// A 64-unit cube (id 1), an entity (id 2) with its own brush (id 3), one material.
fn cube_map() -> Document {
    let mut draft = Document::default().edit();
    draft.insert_material(Material::new("grey", "grey.png"));
    let cube = |size: f64| {
        Kind::Brush(Brush::cuboid(
            Aabb::new(DVec3::ZERO, DVec3::splat(size)),
            None,
        ))
    };
    draft.insert(Object::new(cube(64.0)));
    let mut entity = Entity::new("func_door", DVec3::ZERO);
    entity.set_key("name", "door");
    let entity = draft.insert(Object::new(Kind::Entity(entity)));
    let mut owned = Object::new(cube(8.0));
    owned.parent = Some(entity);
    draft.insert(owned);
    draft.as_read()
}

fn saved(doc: &Document) -> Vec<u8> {
    write(
        doc,
        &ViewState::default(),
        &Extras::default(),
        None,
        Path::new(PATH),
    )
    .expect("saves")
}

/// Source rules beyond the samples: what is done to the map, and what is found.
#[test]
fn source_rules() {
    type Change = fn(&mut crate::document::Draft);
    let entity = |draft: &mut crate::document::Draft, key: &str, value: String| {
        draft.update(id(2), |object| {
            let Kind::Entity(entity) = &mut object.kind else {
                return;
            };
            entity.keys.push((key.to_owned(), value));
        });
    };
    assert!(codes(&saved(&cube_map())).is_empty());
    let material: [(Change, &str); 4] = [
        (
            |draft| {
                draft.insert_material(Material::new("grey", ""));
            },
            "W-NAME",
        ),
        (
            |draft| {
                draft.insert_material(Material::new("", ""));
            },
            "W-NAME",
        ),
        (
            |draft| {
                draft.update_material(crate::document::MaterialId(0), |m| m.color.y = -1.0);
            },
            "W-COLOR",
        ),
        (
            |draft| {
                draft.update_material(crate::document::MaterialId(0), |m| m.tile_size.y = -1.0);
            },
            "W-TILE",
        ),
    ];
    for (change, code) in material {
        let mut draft = cube_map().edit();
        change(&mut draft);
        assert_eq!(codes(&saved(&draft.as_read())), [code]);
    }
    for (key, value, code) in [
        ("long", "x".repeat(65_537), "W-LONG"),
        ("nul", "a\0b".into(), "W-NUL"),
        ("", "x".into(), "W-KEY"),
    ] {
        let mut draft = cube_map().edit();
        entity(&mut draft, key, value);
        assert_eq!(codes(&saved(&draft.as_read())), [code]);
    }
}

/// Rules of the container and of extensions: chunks put in, codes found, and which chunks come out again.
#[test]
fn container_rules() {
    let base = chunks_of(&saved(&cube_map()));
    let origin = |version: u32| {
        let mut w = Writer::new();
        w.u32(version);
        w.text("a");
        w.text("b");
        w.u64(1);
        w.u32(2);
        w.text("c");
        w.u32(0);
        w.into_bytes()
    };
    let odd: Chunk = ([1, 2, 3, 4], b"?".to_vec());
    for (added, expected) in [
        (vec![odd.clone()], vec!["W-TAG"]),
        (
            vec![(*b"ORIG", origin(1)), (*b"ORIG", origin(1))],
            vec!["W-XDUP"],
        ),
        (
            vec![(*b"ORIG", origin(9)), (*b"ORIG", origin(1))],
            vec!["W-XVER"],
        ),
        (vec![(*b"ORIG", origin(1)[..9].to_vec())], vec!["W-XBAD"]),
        (vec![(*b"ORIG", vec![1])], vec!["W-XBAD"]),
    ] {
        let mut chunks = base.clone();
        chunks.extend(added.clone());
        let bytes = file(&chunks);
        assert_eq!(codes(&bytes), expected);
        let mut kept: Vec<Chunk> = chunks_of(&save(&import(&bytes)));
        kept.retain(|chunk| !base.contains(chunk));
        let mut wanted = added;
        wanted.sort();
        kept.sort();
        assert_eq!(kept, wanted, "nothing is lost");
    }
    let tail = [origin(1), vec![0; 3]].concat();
    let bytes = file(&[base.clone(), vec![(*b"ORIG", tail)]].concat());
    assert_eq!(codes(&bytes), ["W-TAIL"]);
    assert!(
        chunks_of(&save(&import(&bytes))).contains(&(*b"ORIG", origin(1))),
        "the tail is dropped"
    );
    let without = base
        .into_iter()
        .filter(|(tag, _)| tag != b"MATS")
        .collect::<Vec<_>>();
    let compiled = (*b"CMPL", super::compiled::write(&compiled::cube_cmpl()));
    let bytes = file(&[without, vec![compiled]].concat());
    assert_eq!(codes(&bytes), ["E-MATREF", "W-NOTAB"]);
}

/// X8: other writers' order of containers and redundant records survive; after an edit the order of the containers still does.
#[test]
fn layers_keep_their_bytes_and_their_order() {
    let layr = |names: [&str; 2], members: &[(u32, u32)]| {
        let mut w = Writer::new();
        w.u32(1);
        w.u32(2);
        for (number, name) in [(9, names[0]), (8, names[1])] {
            for field in [number, 0] {
                w.u32(field);
            }
            w.u8(0);
            for field in [0, 0, 0xff00_ff00] {
                w.u32(field);
            }
            w.text(name);
        }
        w.count(members.len());
        for (object, container) in members {
            w.u32(*object);
            w.u32(*container);
        }
        w.into_bytes()
    };
    // The brush of the entity needs no record: it follows.
    let records = layr(["late", "early"], &[(3, 8), (2, 8), (1, 9)]);
    let mut chunks = chunks_of(&saved(&cube_map()));
    chunks.push((*b"LAYR", records.clone()));
    // nextId 4 is below 9.
    let bytes = file(&chunks);
    assert_eq!(codes(&bytes), ["W-NEXTID"]);
    let mut imported = import(&bytes);
    let layer = |number| LayerId::new(number);
    assert_eq!(
        imported.doc.object(id(3)).and_then(|object| object.layer),
        layer(8),
        "what an entity owns lies in its layer"
    );
    assert!(chunks_of(&save(&imported)).contains(&(*b"LAYR", records)));
    let mut draft = imported.doc.edit();
    draft.update_layer(layer(8).expect("not 0"), |layer| {
        layer.name = "other".into();
    });
    imported.doc = draft.as_read();
    let canonical = layr(["late", "other"], &[(1, 9), (2, 8)]);
    assert!(chunks_of(&save(&imported)).contains(&(*b"LAYR", canonical)));
}

#[test]
fn an_id_used_by_a_layer_and_a_path_is_not_given_away() {
    let mut draft = cube_map().edit();
    draft.insert_layer(Layer::new(LayerKind::Visgroup, "v"));
    let doc = draft.as_read();
    let mut chunks = chunks_of(&saved(&doc));
    // The second brush takes the first one's id.
    let brsh = chunks
        .iter_mut()
        .find(|(tag, _)| tag == b"BRSH")
        .expect("there");
    let second = 4 + 20 + 6 * 44;
    assert_eq!(brsh.1[second..second + 4], 3u32.to_le_bytes());
    brsh.1[second..second + 4].copy_from_slice(&1u32.to_le_bytes());
    let bytes = file(&chunks);
    assert_eq!(codes(&bytes), ["E-DUPID"]);
    let imported = import(&bytes);
    assert_eq!(
        imported.doc.owner(id(5)),
        Some(id(2)),
        "the later brush has the next free id"
    );
    assert_eq!(imported.doc.next_id(), 6);
}

#[test]
fn numbers_that_are_not_finite_are_not_written() {
    let mut draft = cube_map().edit();
    draft.settings_mut().ambient.x = f32::NAN;
    draft.update(id(2), |object| {
        let Kind::Entity(entity) = &mut object.kind else {
            return;
        };
        (entity.origin.x, entity.scale.y) = (f64::MAX, f64::NAN);
    });
    let view = ViewState {
        grid: f32::INFINITY,
        ..ViewState::default()
    };
    let bytes = write(
        &draft.as_read(),
        &view,
        &Extras::default(),
        None,
        Path::new(PATH),
    )
    .expect("saves");
    assert!(codes(&bytes).is_empty());
    let imported = import(&bytes);
    let entity = imported.doc.entity(id(2)).expect("there");
    assert_eq!((entity.origin.x, entity.scale.y), (0.0, 1.0));
}

#[test]
fn probing_goes_by_content_then_name() {
    for (head, path, expected) in [
        (b"HMAP\x01\0\0\0".as_slice(), "a.txt", Match::Magic),
        (b"", "a.HMAP", Match::Extension),
        (b"RMF", "a.rmf", Match::No),
    ] {
        assert_eq!(Hmap.probe(head, Path::new(path)), expected, "{path}");
    }
}
