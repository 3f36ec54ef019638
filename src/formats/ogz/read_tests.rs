//! Small maps of every version, whole, cut short and damaged.

use std::io::Write as _;
use std::path::Path;

use glam::DVec3;
use proptest::prelude::*;

use crate::document::Contents;
use crate::document::Document;
use crate::formats::ErrorKind;
use crate::formats::Importer as _;
use crate::formats::Match;
use crate::formats::NoSiblings;
use crate::formats::Read;
use crate::formats::ogz::Note;
use crate::formats::ogz::Ogz;
use crate::formats::ogz::container;
use crate::formats::ogz::pieces::pieces;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::Node;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::Value;
use crate::formats::ogz::raw::VirtualSlot;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::read;
use crate::formats::ogz::write::write;
use crate::geometry::Aabb;
use crate::task::Progress;

pub(super) fn read_bytes(bytes: &[u8]) -> Read<(RawMap, Vec<Note>)> {
    read(bytes, &Progress::new())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut stream = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    stream.write_all(bytes).expect("memory takes everything");
    stream.finish().expect("memory takes everything")
}

/// Bytes as a file has them.
#[derive(Default)]
pub(super) struct Bytes(pub(super) Vec<u8>);

impl Bytes {
    pub(super) fn u8(&mut self, value: u8) -> &mut Self {
        self.0.push(value);
        self
    }

    pub(super) fn u16(&mut self, value: u16) -> &mut Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(super) fn i32(&mut self, value: i32) -> &mut Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(super) fn f32(&mut self, value: f32) -> &mut Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.0.extend(text.as_bytes());
        self
    }

    pub(super) fn zeros(&mut self, count: usize) -> &mut Self {
        self.0.resize(self.0.len() + count, 0);
        self
    }
}

/// A half-height slab.
const SLAB: [u8; 12] = [
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 0x40, 0x40, 0x40,
];

/// A map of a version that has every section it can: a title, a light, slots, a tree with a leaf of each kind, baked light.
fn map(version: i32) -> Vec<u8> {
    let mut file = Bytes::default();
    file.text("OCTA").i32(version).i32(452).i32(1024).i32(1);
    file.i32(if version >= 25 { 1 } else { -100_000 }).i32(1);
    if version <= 28 {
        file.i32(32).i32(8).i32(0);
        file.u8(40).u8(1).u8(2).u8(3);
        file.u8(u8::from(version == 28)).u8(44).u8(2).u8(4).u8(0);
        file.zeros(9).zeros(10).text("a title").zeros(121);
    } else {
        file.i32(1).i32(1);
        if version >= 30 {
            file.i32(3);
        }
        file.u8(2).u16(8).text("maptitle").u16(7).text("a title");
    }
    if version >= 16 {
        file.u8(3).text("fps\0").u16(0).u16(0);
    }
    if version >= 14 {
        file.u16(2).u16(1).u16(2);
    } else {
        file.zeros(256);
    }
    file.f32(1.0).f32(2.0).f32(3.0);
    for number in [300, 255, 128, 64, 0] {
        file.u16(number);
    }
    file.u8(1).u8(0);
    if version >= 30 {
        file.i32(-2).i32(2 | 8).i32(1).f32(2.0).i32(16).i32(32);
    }
    octree(&mut file, version);
    tail(&mut file, version);
    file.0
}

pub(super) fn textures(file: &mut Bytes, version: i32) {
    for slot in 1..=6 {
        if version < 14 {
            file.u8(slot);
        } else {
            file.u16(u16::from(slot));
        }
    }
}

/// A leaf with water, baked light on its first face and a merged one, as far as its version has these.
fn leaf(file: &mut Bytes, version: i32, kind: u8) {
    match version {
        ..=31 => {
            file.u8(if version >= 20 { kind | 0x80 } else { kind });
        }
        _ => {
            file.u8(kind | 0x80 | 0x40 | 0x20);
        }
    }
    if kind == 3 {
        file.0.extend(SLAB);
    }
    textures(file, version);
    match version {
        ..=6 => {
            file.zeros(3);
        }
        7..=31 => {
            // Material, normals, the first face; its surface is blended.
            file.u8(0x80 | 0x40 | 1).u8(1).zeros(15).u8(2).zeros(12);
            file.zeros(16);
            if version >= 20 {
                file.u8(0x80 | 1).u8(1).zeros(8);
            }
        }
        _ => {
            if version == 33 {
                file.u16(material::WATER);
            } else {
                file.u8(1);
            }
            // One surface of four corners with positions, coordinates and normals of its own.
            file.u8(1).u8(1).u8(4).zeros(2).u8(0x04 | 0x40 | 0x80).u8(4);
            file.zeros(4 * (4 + 4 + 2));
        }
    }
}

fn octree(file: &mut Bytes, version: i32) {
    leaf(file, version, 2);
    leaf(file, version, 3);
    file.u8(0);
    for _ in 0..8 {
        leaf(file, version, 1);
    }
    for _ in 3..8 {
        leaf(file, version, 1);
    }
}

fn tail(file: &mut Bytes, version: i32) {
    if version >= 7 {
        if version >= 17 {
            file.u8(0);
        }
        file.zeros(512 * 512 * 3);
    }
    if version >= 25 {
        // No water planes, one set of no bytes; a tree with one node in it.
        file.i32(0)
            .zeros(2)
            .u8(0xFE)
            .u8(0xFF)
            .zeros(8 * 4)
            .zeros(7 * 4);
    }
    if version >= 28 {
        file.u8(0)
            .u8(1)
            .u8(5)
            .u8(1)
            .u8(6)
            .u8(2)
            .zeros(64 * 64)
            .u8(1)
            .u8(7);
    }
}

#[test]
fn every_version_is_read_to_its_last_byte() {
    for version in 1..=33 {
        let bytes = map(version);
        let (map, notes) = read_bytes(&gzip(&bytes)).unwrap_or_else(|error| {
            panic!("version {version}: {error:?}");
        });
        assert_eq!(notes, [], "version {version}");
        assert_eq!(map.facts.trailing_bytes, 0, "version {version}");
        let title = map.variables.iter().find(|(name, _)| name == "maptitle");
        assert_eq!(
            title.map(|(_, value)| value),
            Some(&Value::Text("a title".to_owned())),
            "version {version}"
        );
        assert_eq!(map.entities[0].kind, 1);
        assert_eq!(map.entities[0].attributes, [300, 255, 128, 64, 0]);
        assert_eq!(map.slots.len(), if version >= 30 { 3 } else { 0 });
        let tree = &map.tree;
        assert_eq!((tree.splits.len(), tree.leaves.len()), (2, 15));
        assert_eq!(tree.depth, 2);
        let [solid, slab, ..] = &tree.leaves[..] else {
            panic!("15 leaves");
        };
        assert_eq!((solid.fill, slab.fill), (Fill::Solid, Fill::Deformed));
        let (textures, edges) = if version <= 11 {
            // X and Z are the other way round.
            let mut edges = SLAB;
            edges.rotate_left(8);
            edges[4..8].copy_from_slice(&SLAB[4..8]);
            edges[8..].copy_from_slice(&SLAB[..4]);
            ([5, 6, 3, 4, 1, 2], edges)
        } else {
            ([1, 2, 3, 4, 5, 6], SLAB)
        };
        assert_eq!(slab.textures, textures, "version {version}");
        if version > 8 {
            assert_eq!(slab.edges, edges, "version {version}");
        }
        assert_eq!(slab.origin, [512, 0, 0]);
        let water = if version >= 7 { material::WATER } else { 0 };
        assert_eq!(solid.material, water, "version {version}");
    }
}

/// A world of this size up to its cubes, and nothing else.
pub(super) fn bare(version: i32, world_size: i32) -> Bytes {
    let mut file = Bytes::default();
    file.text("OCTA").i32(version).i32(40).i32(world_size);
    file.zeros(match version {
        ..=28 => 180,
        29 => 20,
        _ => 24,
    });
    if version >= 16 {
        file.u8(3).text("fps\0").u16(0).u16(0);
    }
    file.zeros(if version < 14 { 256 } else { 2 });
    file
}

#[test]
fn what_lies_within_a_unit_is_not_counted() {
    // The first child of a world of two units is split: into a slab without height and seven solids.
    let mut file = bare(33, 2);
    file.u8(0).u8(3);
    file.0.extend([0x88; 12]);
    textures(&mut file, 33);
    for _ in 0..14 {
        file.u8(2);
        textures(&mut file, 33);
    }
    let (map, notes) = read_bytes(&file.0).expect("sound");
    assert_eq!(notes, []);
    assert_eq!((map.tree.leaves.len(), map.facts.degenerate_leaves), (8, 0));
    assert_eq!(map.tree.leaves[0].textures, [1, 2, 3, 4, 5, 6]);
    assert_eq!(crate::formats::ogz::counts(&map)["solid"], 8);
}

#[test]
fn cubes_of_a_map_of_which_nothing_is_left_are_not_counted() {
    // Cut behind a cube that the engine empties.
    let mut cubes = Bytes::default();
    octree(&mut cubes, 33);
    let mut file = Bytes(short(33));
    file.0.truncate(file.0.len() - cubes.0.len());
    file.u8(3);
    file.0.extend([0x88; 12]);
    textures(&mut file, 33);
    let (map, _) = read_bytes(&file.0).expect("it has an entity");
    assert!(map.tree.leaves.is_empty());
    let counts = crate::formats::ogz::counts(&map);
    assert_eq!(
        (&counts["empty"], &counts["deformed"]),
        (&0.into(), &0.into())
    );
}

#[test]
fn worlds_are_as_large_as_numbers_allow() {
    let sized = |world_size: i32| {
        let mut file = bare(33, world_size);
        for kind in 0..8 {
            // Bent inwards at a corner, each another.
            file.u8(3);
            let mut edges = [0x80; 12];
            edges[kind] = 0x30;
            edges[(kind + 5) % 12] = 0x85;
            file.0.extend(edges);
            textures(&mut file, 33);
        }
        read_bytes(&file.0)
    };
    for world_size in [2, 1 << 10, 1 << 17] {
        let (map, notes) = sized(world_size).expect("sound");
        assert_eq!(notes, []);
        let pieces = pieces(&map, &Progress::new()).expect("not cancelled");
        assert_eq!(pieces.facts.leaves, 8, "{world_size}");
    }
    for world_size in [-4, 0, 1, 1000, 1 << 18] {
        let error = sized(world_size).expect_err("nothing to show");
        assert_eq!(error.field, "world size");
    }
}

#[test]
fn water_of_one_unit_is_a_film() {
    let mut file = bare(33, 2);
    for child in 0..8 {
        file.u8(if child == 0 { 0x41 } else { 1 });
        textures(&mut file, 33);
        if child == 0 {
            file.u16(material::WATER);
        }
    }
    let import = |bytes: &[u8]| {
        let imported = Ogz.import(bytes, Path::new("m.ogz"), &NoSiblings, &Progress::new());
        imported.expect("sound").doc
    };
    let water = |doc: &Document| -> Vec<Aabb> {
        let brushes = doc.objects().filter_map(|(_, object)| object.brush());
        let water = brushes.filter(|brush| brush.contents() == Contents::WATER);
        water
            .inspect(|brush| assert_eq!(brush.fault(), None))
            .map(|brush| brush.hull().bounds())
            .collect()
    };
    let doc = import(&file.0);
    let [film] = water(&doc)[..] else {
        panic!("one brush of water")
    };
    assert_eq!((film.min, film.max.x, film.max.z), (DVec3::ZERO, 1.0, 1.0));
    assert!((film.max.y - 0.1).abs() < 1e-6, "{film:?}");
    let back = write(&doc, None, &|_| None, &Progress::new()).expect("not cancelled");
    assert_eq!(water(&import(&back.bytes())), [film]);
}

#[test]
fn unknown_types_are_listed_with_their_entities() {
    let mut file = bare(33, 1024);
    file.0[16] = 4;
    for kind in [31, 8, 200, 31] {
        file.zeros(22).u8(kind).u8(0);
    }
    let imported = Ogz.import(&file.0, Path::new("m.ogz"), &NoSiblings, &Progress::new());
    let report = imported.expect("it has entities").report;
    let mut rows = report.warnings.iter();
    let row = rows.find(|row| row.kind.code == "I-UNKNOWN-ENTITY");
    let row = row.expect("a row for the unknown ones");
    assert_eq!(row.objects().count(), 3);
    assert!(row.kind.text.contains("\"fps\" (31, 200)"), "{row:?}");
}

#[test]
fn old_headers_give_their_settings_as_variables() {
    let (map, _) = read_bytes(&map(28)).expect("sound");
    let int = |name: &str| {
        map.variables
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.clone())
    };
    assert_eq!(int("ambient"), Some(Value::Int(40)));
    assert_eq!(int("watercolour"), Some(Value::Int(0x01_02_03)));
    // Zero counts for these alone.
    assert_eq!(int("skylight"), Some(Value::Int(0)));
    assert_eq!(int("bumperror"), None);
}

/// Without the tail, which is long and says nothing.
fn short(version: i32) -> Vec<u8> {
    let mut whole = map(version);
    let mut end = Bytes::default();
    tail(&mut end, version);
    whole.truncate(whole.len() - end.0.len());
    whole
}

#[test]
fn a_map_cut_short_anywhere_gives_what_came_before_or_a_sentence() {
    for version in [1, 8, 13, 19, 28, 29, 31, 32, 33] {
        let bytes = short(version);
        let mut last = 0;
        for length in 0..bytes.len() {
            match read_bytes(&bytes[..length]) {
                Ok((map, notes)) => {
                    assert_eq!(map.entities.len(), 1, "version {version}, {length} bytes");
                    assert_eq!(notes.len(), 1, "version {version}, {length} bytes");
                    let read = map.tree.leaves.len() - map.facts.missing_leaves;
                    assert!(read >= last, "version {version}, {length} bytes");
                    last = read;
                    is_whole_tree(&map);
                }
                Err(error) => {
                    assert_eq!(last, 0, "version {version}, {length} bytes");
                    assert!(error.offset <= length as u64);
                }
            }
        }
        assert_eq!(last, 14, "version {version}");
    }
}

/// Every child is there, and every leaf belongs to one split.
fn is_whole_tree(map: &RawMap) {
    let tree = &map.tree;
    let mut seen = vec![0; tree.leaves.len()];
    for split in &tree.splits {
        for node in split {
            match *node {
                Node::Leaf(leaf) => seen[leaf as usize] += 1,
                Node::Split(split) => assert!((split as usize) < tree.splits.len()),
            }
        }
    }
    assert!(seen.iter().all(|&count| count == 1));
}

#[test]
fn a_packed_file_cut_short_says_so() {
    let packed = gzip(&short(33));
    // The header, but not the data behind it.
    assert!(read_bytes(&packed[..5]).is_err());
    for length in 10..packed.len() {
        match read_bytes(&packed[..length]) {
            Ok((_, notes)) => assert!(!notes.is_empty(), "{length} bytes"),
            Err(error) => assert!(!error.kind.to_string().is_empty()),
        }
    }
}

#[test]
fn headers_of_any_packer_are_passed_over_and_so_is_what_follows() {
    let plain = gzip(&map(33));
    let (deflate, trailer) = plain[10..].split_at(plain.len() - 18);
    // Checksum, extra field, name and comment.
    let mut packed = vec![0x1F, 0x8B, 8, 2 | 4 | 8 | 16, 1, 2, 3, 4, 0, 255];
    packed.extend([3, 0, 1, 2, 3]);
    packed.extend(b"a name\0a comment\0\x12\x34");
    packed.extend(deflate);
    packed.extend(&trailer[..4]);
    // A length that is not true, bytes of another tool, another member.
    packed.extend([9; 20]);
    packed.extend(gzip(b"more"));
    let (map, notes) = read_bytes(&packed).expect("sound");
    assert_eq!((map.tree.leaves.len(), notes.len()), (15, 0));
    assert!(Ogz.probe(&packed[..1000], Path::new("a")) == Match::Magic);
    let error = read_bytes(b"BZh91AY&SY and so on").expect_err("refused");
    assert!(matches!(error.kind, ErrorKind::WrongMagic(_)));
}

/// A gigabyte of nothing takes a second to unpack, and is not unpacked.
#[test]
fn a_bomb_is_not_unpacked() {
    let mut bomb = short(33);
    bomb.resize(200 << 20, 0);
    let packed = gzip(&bomb);
    let part = container::inflate(&packed, 64 << 20).expect("sound");
    assert!(part.is_part && part.damage.is_none() && !part.checksum_wrong);
    assert!((64 << 20..100 << 20).contains(&part.bytes.capacity()));
    assert!(read_bytes(&packed).is_ok());
}

#[test]
fn a_map_of_more_bytes_than_are_unpacked_at_first_is_read_whole() {
    // Lightmaps, which nobody needs: the map is there without them.
    let mut long = bare(33, 1024);
    let cubes = |file: &mut Bytes| {
        for _ in 0..8 {
            file.u8(2);
            textures(file, 33);
        }
    };
    cubes(&mut long);
    long.zeros(70 << 20);
    let (map, notes) = read_bytes(&gzip(&long.0)).expect("sound");
    assert_eq!((map.tree.leaves.len(), notes.len()), (8, 0));
    // The same behind a list of recent textures and entity bytes that fill more than the first part.
    let mut long = Bytes::default();
    long.text("OCTA")
        .i32(33)
        .i32(40)
        .i32(1024)
        .i32(2000)
        .zeros(20);
    long.u8(3).text("fps\0").u16(u16::MAX).u16(0).u16(0);
    long.zeros(2000 * (24 + usize::from(u16::MAX)));
    cubes(&mut long);
    let (map, notes) = read_bytes(&gzip(&long.0)).expect("sound");
    assert_eq!((map.tree.leaves.len(), map.entities.len()), (8, 2000));
    assert_eq!(notes, []);
}

#[test]
fn a_wrong_checksum_is_a_note() {
    let mut packed = gzip(&map(33));
    let at = packed.len() - 8;
    packed[at] ^= 1;
    let (map, notes) = read_bytes(&packed).expect("all data is there");
    assert!(map.facts.checksum_wrong);
    assert_eq!(notes[0].code, "I-CHECKSUM");
    assert_eq!(map.tree.leaves.len(), 15);
}

#[test]
fn stale_variables_of_an_entity_file_do_not_matter() {
    let mut file = Bytes::default();
    file.text("OCTA")
        .i32(33)
        .i32(40)
        .i32(0)
        .i32(1)
        .i32(0)
        .i32(0)
        .i32(0);
    // Seven variables are announced; the name of the game stands in their place.
    file.i32(7).i32(900);
    file.u8(3).text("fps\0").u16(0).u16(0).u16(0);
    file.zeros(22).u8(8).u8(0);
    let (map, notes) = read_bytes(&file.0).expect("it has an entity");
    assert_eq!(map.entities[0].kind, 8);
    let codes: Vec<&str> = notes.iter().map(|note| note.code).collect();
    assert_eq!(codes, ["I-VARIABLES", "I-ENTITIES-ONLY"]);
}

#[test]
fn numbers_that_cannot_be_true_allocate_nothing() {
    #[track_caller]
    fn check(at: usize, value: i32, field: &str) {
        let mut bytes = short(33);
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let error = read_bytes(&bytes).expect_err("refused");
        assert_eq!(error.field, field);
    }
    check(16, i32::MAX, "entity count");
    check(16, -1, "entity count");
    check(32, i32::MAX, "variable count");
    // A count of slots that no file can have leaves the entities.
    let mut bytes = short(33);
    bytes[36..40].copy_from_slice(&i32::MAX.to_le_bytes());
    let (map, notes) = read_bytes(&bytes).expect("it has an entity");
    assert_eq!((map.slots.len(), notes[0].code), (0, "I-ENTITIES-ONLY"));
}

#[test]
fn other_files_are_refused_by_name() {
    #[track_caller]
    fn check(magic: &str, version: i32, text: &str) {
        let mut file = Bytes::default();
        file.text(magic).i32(version).i32(36).zeros(64);
        let error = read_bytes(&gzip(&file.0)).expect_err("refused");
        assert!(matches!(
            error.kind,
            ErrorKind::Rule {
                code: "F-VERSION",
                ..
            }
        ));
        let sentence = error.kind.to_string();
        assert!(sentence.contains(text), "{sentence}");
    }
    check("MAPZ", 45, "Red Eclipse (MAPZ, version 45)");
    check("CUBE", 5, "first Cube (CUBE, version 5)");
    check("OCTA", 34, "34 is newer than 33");
    check("OCTA", 0, "OCTA version 0");
    check("TMAP", 2, "TMAP (Tesseract) version 2");
    check("PASM", 7, "PASM (Platinum Arts Sandbox) version 7");
    let error = read_bytes(b"not a map at all").expect_err("refused");
    assert!(matches!(error.kind, ErrorKind::WrongMagic(_)));
}

#[test]
fn what_a_file_makes_takes_at_most_eight_times_its_bytes() {
    // The smallest leaf that a file can have takes eight bytes; seven of them share a split's one.
    let leaf = size_of::<Leaf>() as f64 + size_of::<[Node; 8]>() as f64 / 7.0;
    // With the bytes themselves.
    assert!(leaf / 8.0 + 1.0 < 8.0, "{leaf}");
    assert!(size_of::<VirtualSlot>() << 16 < 32 << 20);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_bytes_never_panic(
        version in prop::sample::select(vec![6, 8, 13, 24, 28, 29, 31, 32, 33]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = short(version);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok((map, _)) = read_bytes(&bytes) {
            is_whole_tree(&map);
        }
    }

    #[test]
    fn random_bytes_never_panic(
        version in 1..=33i32,
        tail in prop::collection::vec(any::<u8>(), 0..600),
    ) {
        let mut file = Bytes::default();
        file.text("OCTA").i32(version).i32(0).i32(1024).i32(0);
        file.0.extend(tail);
        if let Ok((map, _)) = read_bytes(&file.0) {
            is_whole_tree(&map);
        }
    }
}
