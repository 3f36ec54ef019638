//! Sections of the file one by one: what each version has, and how long it is.

use crate::formats::ogz::raw::Family;
use crate::formats::ogz::raw::Node;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::Value;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::read_tests::Bytes;
use crate::formats::ogz::read_tests::bare;
use crate::formats::ogz::read_tests::read_bytes;
use crate::formats::ogz::read_tests::textures;

/// Offsets of words of the header.
const ENTITY_COUNT: usize = 16;
const PVS_COUNT: usize = 20;
const LIGHTMAP_COUNT: usize = 24;
const VARIABLE_COUNT: usize = 32;
const SLOT_COUNT: usize = 36;
/// A byte of headers up to version 28.
const OLD_BLEND_MAP: usize = 44;

/// A cube of this kind without materials and baked light.
fn cube(file: &mut Bytes, version: i32, kind: u8) {
    file.u8(kind);
    textures(file, version);
    match version {
        ..=6 => file.zeros(3),
        7..=31 => file.zeros(1),
        _ => file,
    };
}

fn cubes(file: &mut Bytes, version: i32, count: usize) {
    for _ in 0..count {
        cube(file, version, 2);
    }
}

/// Read to the last byte without a word about it.
#[track_caller]
fn whole(file: &Bytes, case: &str) -> RawMap {
    let (map, notes) = read_bytes(&file.0).unwrap_or_else(|error| panic!("{case}: {error:?}"));
    assert_eq!(notes, [], "{case}");
    assert_eq!(map.facts.trailing_bytes, 0, "{case}");
    map
}

#[test]
fn leftovers_in_old_headers_do_not_matter() {
    for version in 1..=27 {
        let mut file = bare(version, 1024);
        file.0[OLD_BLEND_MAP] = 4;
        if version <= 24 {
            file.0[PVS_COUNT..PVS_COUNT + 4].copy_from_slice(&100_000_i32.to_le_bytes());
        }
        if version <= 6 {
            file.0[LIGHTMAP_COUNT] = 3;
        }
        cubes(&mut file, version, 8);
        assert_eq!(whole(&file, &version.to_string()).tree.leaves.len(), 8);
    }
}

#[test]
fn what_another_game_keeps_is_passed_over() {
    let mut file = bare(33, 1024);
    file.0.truncate(40);
    file.0[ENTITY_COUNT] = 2;
    file.u8(5).text("other\0").u16(3).u16(7).zeros(7);
    file.u16(2).zeros(4);
    for kind in [1, 9] {
        file.zeros(22).u8(kind).u8(0).text("xyz");
    }
    cubes(&mut file, 33, 8);
    let map = whole(&file, "other game");
    assert_eq!(map.game, "other");
    let kinds: Vec<u8> = map.entities.iter().map(|entity| entity.kind).collect();
    assert_eq!(kinds, [1, 9]);
    assert_eq!(map.entities[1].extra, b"xyz");
}

#[test]
fn materials_of_every_age_become_those_of_today() {
    let read = |version: i32, byte: u8| {
        let mut file = bare(version, 1024);
        file.u8(if version >= 32 { 0x41 } else { 1 });
        textures(&mut file, version);
        if version < 32 {
            file.u8(0x80);
        }
        file.u8(byte);
        cubes(&mut file, version, 7);
        whole(&file, &format!("version {version}")).tree.leaves[0].material
    };
    let first = [
        0,
        material::WATER,
        material::CLIP,
        material::GLASS | material::CLIP,
        material::NO_CLIP,
        material::LAVA | material::DEATH,
        material::GAME_CLIP,
        material::DEATH,
        0,
    ];
    for (byte, wanted) in first.into_iter().enumerate() {
        for version in [7, 13, 26] {
            assert_eq!(read(version, byte as u8), wanted, "{byte} of {version}");
        }
    }
    for (byte, wanted) in [
        (0x01, material::WATER),
        (0x02, material::LAVA),
        (0x03, material::GLASS),
        (0x08, material::NO_CLIP),
        (0x10, material::CLIP),
        (0x18, material::GAME_CLIP),
        (0x20, material::DEATH),
        (0x80, material::ALPHA),
        (0x32, material::LAVA | material::CLIP | material::DEATH),
    ] {
        for version in [27, 31, 32] {
            assert_eq!(read(version, byte), wanted, "{byte:#x} of {version}");
        }
    }
}

#[test]
fn a_cube_that_stands_for_its_children_gives_way_to_them() {
    for version in [1, 6, 13, 31, 33] {
        let mut file = bare(version, 1024);
        cubes(&mut file, version, 3);
        cube(&mut file, version, 4);
        cubes(&mut file, version, 8 + 4);
        let map = whole(&file, &version.to_string());
        assert_eq!((map.tree.leaves.len(), map.tree.splits.len()), (15, 2));
        assert_eq!(map.tree.splits[0][3], Node::Split(1));
        assert_eq!(map.tree.leaves[3].size, 256);
    }
}

#[test]
fn surfaces_are_as_long_as_their_bits_say() {
    // Bits of what is stored, corners, and bytes behind the record.
    for (bits, corners, length) in [
        (0x00, 0x00, 0),
        (0xFF, 0x80, 0),
        // Positions: of each corner, or of two.
        (0x04, 0x04, 16),
        (0x05, 0x04, 8),
        (0x05, 0x03, 12),
        // Places in the lightmap, once or twice.
        (0x40, 0x04, 16),
        (0x40, 0x84, 32),
        (0x42, 0x04, 8),
        (0x42, 0x84, 16),
        (0x42, 0x83, 24),
        // Normals: of each corner, or of all.
        (0x80, 0x05, 10),
        (0x88, 0x05, 2),
        (0xCF, 0x04, 18),
        (0xCF, 0x84, 26),
        (0x44, 0x0F, 120),
        (0x44, 0x83, 36),
    ] {
        for version in [32, 33] {
            let mut file = bare(version, 1024);
            file.u8(0x22);
            textures(&mut file, version);
            // Two faces; the second has nothing.
            file.u8(0x21).u8(9);
            file.u8(1).u8(2).u8(bits).u8(corners).zeros(length);
            file.u8(1).u8(2).u8(bits).u8(0);
            cubes(&mut file, version, 7);
            let map = whole(&file, &format!("{bits:#x} {corners:#x} of {version}"));
            assert_eq!(map.tree.leaves.len(), 8);
        }
    }
}

#[test]
fn lightmaps_are_as_long_as_their_type_says() {
    const SIDE: usize = 512;
    for (version, kind, length) in [
        (7, None, 3 * SIDE * SIDE),
        (16, None, 3 * SIDE * SIDE),
        (17, Some(0x10), 4 * SIDE * SIDE),
        (19, Some(0x80), 3 * SIDE * SIDE),
        (20, Some(0x80), 3 * SIDE * SIDE + 4),
        (33, Some(0x00), 3 * SIDE * SIDE),
        (33, Some(0x12), 3 * SIDE * SIDE),
        (33, Some(0x91), 4 * SIDE * SIDE + 4),
    ] {
        let mut file = bare(version, 1024);
        file.0[LIGHTMAP_COUNT] = 1;
        cubes(&mut file, version, 8);
        file.0.extend(kind);
        file.zeros(length);
        whole(&file, &format!("{kind:?} of {version}"));
    }
}

#[test]
fn entities_of_the_sandbox_have_as_many_numbers_as_they_say() {
    for (version, layout) in [(1, 29), (3, 30), (4, 31), (5, 31), (6, 32)] {
        let mut file = bare(layout, 1024);
        file.0[..4].copy_from_slice(b"PASM");
        file.0[4] = version as u8;
        file.0[ENTITY_COUNT] = 2;
        for count in [8, if version < 5 { 8 } else { 3 }] {
            file.f32(1.0).f32(2.0).f32(3.0);
            if version >= 5 {
                file.u8(count);
            }
            for number in 0..count {
                file.i32(i32::from(number) - 4);
            }
            file.u8(6);
            file.zeros(if version < 5 { 3 } else { 0 });
        }
        cubes(&mut file, layout, 8);
        let map = whole(&file, &format!("PASM {version}"));
        assert_eq!(map.family, Family::Sandbox);
        let last = map.entities.last().expect("two entities");
        assert_eq!((last.kind, last.position), (6, [1.0, 2.0, 3.0]));
        assert_eq!(last.attributes[..3], [-4, -3, -2]);
    }
}

#[test]
fn slots_and_surfaces_of_tesseract_are_its_own() {
    let slot = |file: &mut Bytes| {
        // Scale, what lies behind, detail.
        file.i32(2 | 512 | 1024).i32(-1).f32(2.0).zeros(16).i32(1);
    };
    let mut file = Bytes::default();
    file.text("TMAP").i32(1).i32(36).i32(1024).zeros(16).i32(1);
    file.u8(9).text("Tesseract\0").u16(0).u16(0).u16(0);
    slot(&mut file);
    file.u8(0x22);
    textures(&mut file, 33);
    // Places in lightmaps are never stored.
    file.u8(1).u8(0).u8(0x44).u8(4).zeros(16);
    cubes(&mut file, 33, 7);
    let map = whole(&file, "TMAP");
    assert_eq!(
        (map.family, map.slots[0].scale),
        (Family::Tesseract, Some(2.0))
    );
    // The first maps of that game say that they are Sauerbraten's.
    let mut file = bare(33, 1024);
    file.0.truncate(SLOT_COUNT);
    file.i32(1);
    file.u8(9).text("Tesseract\0").u16(0).u16(0).u16(0);
    slot(&mut file);
    cubes(&mut file, 33, 8);
    let map = whole(&file, "OCTA of Tesseract");
    assert_eq!(
        (map.family, map.slots[0].scale),
        (Family::Tesseract, Some(2.0))
    );
}

#[test]
fn entities_above_the_engines_limit_are_left_out() {
    let mut file = bare(33, 1024);
    file.0[ENTITY_COUNT..ENTITY_COUNT + 4].copy_from_slice(&10_002_i32.to_le_bytes());
    for _ in 0..10_002 {
        file.zeros(22).u8(8).u8(0);
    }
    cubes(&mut file, 33, 8);
    let (map, notes) = read_bytes(&file.0).expect("sound");
    assert_eq!((map.entities.len(), map.facts.entities_over), (10_000, 2));
    assert_eq!(notes[0].code, "I-ENTITY-LIMIT");
    assert_eq!(map.tree.leaves.len(), 8);
}

#[test]
fn variables_are_of_three_types() {
    let file = |kind: u8| {
        let mut file = bare(29, 1024);
        file.0.truncate(36);
        file.0[VARIABLE_COUNT] = 3;
        file.u8(0).u16(3).text("fog").i32(-7);
        file.u8(1).u16(5).text("scale").f32(1.5);
        file.u8(kind)
            .u16(4)
            .text("name")
            .u16(6)
            .0
            .extend(b"a\x0C3\xE9\0b");
        file.u8(3).text("fps\0").u16(0).u16(0).u16(0);
        cubes(&mut file, 29, 8);
        file
    };
    let map = whole(&file(2), "variables");
    let variable = |name: &str, value: Value| (name.to_owned(), value);
    assert_eq!(
        map.variables,
        [
            variable("fog", Value::Int(-7)),
            variable("scale", Value::Float(1.5)),
            variable("name", Value::Text("a\u{e9}b".to_owned())),
        ]
    );
    let error = read_bytes(&file(3).0).expect_err("nobody knows how long it is");
    assert_eq!((error.field, error.offset), ("variable type", 58));
}
