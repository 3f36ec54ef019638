//! The importer against files of our own making: every version, damage of every byte, hostile counts, broken solids.

use std::path::Path;

use glam::DVec3;
use proptest::prelude::*;

use crate::document::Contents;
use crate::document::Document;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::Object;
use crate::formats::ErrorKind;
use crate::formats::FormatError;
use crate::formats::Imported;
use crate::formats::Importer as _;
use crate::formats::Match;
use crate::formats::NoSiblings;
use crate::formats::rmf::Rmf;
use crate::formats::rmf::library;
use crate::formats::rmf::source_counts;
use crate::task::Progress;

const VERSIONS: [f32; 6] = [0.8, 0.9, 1.4, 1.6, 1.8, 2.2];

/// Writes what the reader reads.
struct Writer {
    bytes: Vec<u8>,
    version: f32,
}

impl Writer {
    fn new(version: f32) -> Self {
        let mut bytes = version.to_le_bytes().to_vec();
        bytes.extend(b"RMF");
        Self { bytes, version }
    }

    fn i32(&mut self, value: i32) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn f32s(&mut self, values: &[f32]) {
        self.bytes
            .extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    fn nstring(&mut self, text: &str) {
        self.bytes.push(text.len() as u8 + 1);
        self.bytes.extend(text.as_bytes());
        self.bytes.push(0);
    }

    /// Leftovers after the NUL, as real files have them.
    fn fixed(&mut self, text: &str, length: usize) {
        let start = self.bytes.len();
        self.bytes.extend(text.as_bytes());
        self.bytes.push(0);
        self.bytes.resize(start + length, b'#');
    }

    fn base(&mut self, visgroup: u8, color: [u8; 3], children: i32) {
        if self.version < 1.0 {
            self.i32(8);
            self.bytes.extend([visgroup, 0, 0, 0, 0, 0, 0, 0]);
        } else {
            self.i32(i32::from(visgroup));
        }
        self.bytes.extend(color);
        self.i32(children);
    }

    fn data(&mut self, class: &str, angle: i32, flags: i32, pairs: &[(&str, &str)]) {
        self.nstring(class);
        self.i32(angle);
        self.i32(flags);
        self.i32(pairs.len() as i32);
        for (key, value) in pairs {
            self.nstring(key);
            self.nstring(value);
        }
        if self.version > 1.5 {
            self.bytes.extend([0; 12]);
        }
    }

    fn visgroups(&mut self, list: &[(&str, u8, u8)]) {
        self.i32(list.len() as i32);
        for &(name, id, visible) in list {
            self.fixed(name, 128);
            self.bytes.extend([10, 20, 30, 0]);
            if self.version < 1.0 {
                self.bytes.extend([id, 0, 0xff, 0xff]);
            } else {
                self.i32(i32::from(id));
                self.bytes.extend([visible, 0xff, 0xff, 0xff]);
            }
        }
    }

    fn face(&mut self, texture: &str, loop_clockwise: &[[f32; 3]], plane: [[f32; 3]; 3]) {
        let name_bytes = if self.version < 0.85 {
            16
        } else if self.version < 1.7 {
            40
        } else {
            256
        };
        self.fixed(texture, name_bytes);
        if self.version > 1.7 {
            self.i32(0x1234);
        }
        if self.version > 2.0 {
            let [a, b, c] = plane.map(|point| DVec3::from_array(point.map(f64::from)));
            let normal = (c - a).cross(b - a).abs();
            let (u, v) = if normal.z > normal.x.max(normal.y) {
                ([1.0, 0.0, 0.0], [0.0, -1.0, 0.0])
            } else if normal.x > normal.y {
                ([0.0, 1.0, 0.0], [0.0, 0.0, -1.0])
            } else {
                ([1.0, 0.0, 0.0], [0.0, 0.0, -1.0])
            };
            self.f32s(&u);
            self.f32s(&[8.0]);
            self.f32s(&v);
            self.f32s(&[16.0, 0.0]);
        } else {
            self.f32s(&[0.0, 8.0, 16.0]);
        }
        self.f32s(&[2.0, 0.5]);
        if self.version > 1.7 {
            self.bytes.extend([0; 16]);
        } else if self.version > 1.0 {
            self.bytes.extend([0; 4]);
        }
        self.i32(loop_clockwise.len() as i32);
        for point in loop_clockwise.iter().chain(&plane) {
            self.f32s(point);
        }
    }

    fn solid(&mut self, faces: &[Loop], texture: &str) {
        self.nstring("CMapSolid");
        self.base(0, [0, 100, 200], 0);
        self.i32(faces.len() as i32);
        for face in faces {
            self.face(texture, face, [face[0], face[1], face[2]]);
        }
    }

    fn point_entity(&mut self, class: &str, origin: [f32; 3], pairs: &[(&str, &str)]) {
        self.nstring("CMapEntity");
        self.base(0, [0; 3], 0);
        self.data(class, 0, 0, pairs);
        self.bytes.extend(2i16.to_le_bytes());
        self.f32s(&origin);
        self.bytes.extend([0; 4]);
    }

    fn end_of_brush_entity(&mut self, class: &str, angle: i32) {
        self.data(class, angle, 4, &[]);
        self.bytes.extend(0i16.to_le_bytes());
        self.f32s(&[5.0, 5.0, 5.0]);
        self.bytes.extend([0; 4]);
    }

    fn begin_world(&mut self, visgroups: &[(&str, u8, u8)], children: i32) {
        if self.version > 1.0 {
            self.visgroups(visgroups);
        }
        self.nstring("CMapWorld");
        self.base(0, [220; 3], children);
    }

    fn end_world(&mut self, visgroups: &[(&str, u8, u8)]) {
        self.data("worldspawn", 0, 0, &[("wad", "a.wad")]);
        if self.version < 1.0 {
            self.visgroups(visgroups);
        } else {
            self.i32(0);
        }
    }
}

type Loop = Vec<[f32; 3]>;

/// Six faces, clockwise from outside, in the file's axes.
fn cuboid(min: [f32; 3], max: [f32; 3]) -> Vec<Loop> {
    let corner =
        |x: usize, y: usize, z: usize| [[min, max][x][0], [min, max][y][1], [min, max][z][2]];
    vec![
        vec![
            corner(0, 0, 1),
            corner(0, 1, 1),
            corner(1, 1, 1),
            corner(1, 0, 1),
        ],
        vec![
            corner(0, 1, 0),
            corner(0, 0, 0),
            corner(1, 0, 0),
            corner(1, 1, 0),
        ],
        vec![
            corner(1, 0, 0),
            corner(1, 0, 1),
            corner(1, 1, 1),
            corner(1, 1, 0),
        ],
        vec![
            corner(0, 1, 0),
            corner(0, 1, 1),
            corner(0, 0, 1),
            corner(0, 0, 0),
        ],
        vec![
            corner(1, 1, 0),
            corner(1, 1, 1),
            corner(0, 1, 1),
            corner(0, 1, 0),
        ],
        vec![
            corner(0, 0, 0),
            corner(0, 0, 1),
            corner(1, 0, 1),
            corner(1, 0, 0),
        ],
    ]
}

const VISGROUPS: &[(&str, u8, u8)] = &[("seen", 7, 1), ("unseen", 3, 0)];

/// A solid in two groups, a door, a light; two visgroups; from 1.4 on a path and a camera.
fn small_map(version: f32) -> Vec<u8> {
    let mut file = Writer::new(version);
    file.begin_world(VISGROUPS, 3);
    file.nstring("CMapGroup");
    file.base(3, [1, 2, 3], 1);
    file.nstring("CMapGroup");
    file.base(0, [4, 5, 6], 1);
    file.solid(&cuboid([0.0; 3], [64.0, 32.0, 16.0]), "Wall");
    file.nstring("CMapEntity");
    file.base(7, [0; 3], 1);
    file.solid(&cuboid([100.0, 0.0, 0.0], [164.0, 8.0, 96.0]), "WALL");
    file.end_of_brush_entity("func_door", 90);
    file.point_entity("light", [1.0, 2.0, 3.0], &[("_light", "255 255 255 200")]);
    file.end_world(VISGROUPS);
    if version > 1.0 {
        let count_at = file.bytes.len() - 4;
        file.bytes[count_at] = 1;
        file.fixed("p", 128);
        file.fixed("path_track", 128);
        file.i32(1);
        file.i32(2);
        for x in [0.0, 64.0] {
            file.f32s(&[x, 0.0, 8.0]);
            file.i32(1);
            file.fixed("", 128);
            file.i32(1);
            file.nstring("speed");
            file.nstring("9");
        }
        file.bytes.extend(b"DOCINFO\0");
        file.f32s(&[0.2]);
        file.i32(5);
        file.i32(1);
        file.f32s(&[0.0, 0.0, 0.0, 10.0, 0.0, 0.0]);
    }
    file.bytes
}

/// A world of solids only.
fn map_of_solids(solids: &[Vec<Loop>]) -> Vec<u8> {
    let mut file = Writer::new(2.2);
    file.begin_world(&[], solids.len() as i32);
    for solid in solids {
        file.solid(solid, "wall");
    }
    file.end_world(&[]);
    file.bytes
}

fn import(bytes: &[u8]) -> Result<Imported, FormatError> {
    Rmf.import(bytes, Path::new("test.rmf"), &NoSiblings, &Progress::new())
}

fn entity<'a>(doc: &'a Document, class: &str) -> &'a Entity {
    doc.objects()
        .filter_map(|(_, object)| object.entity())
        .find(|entity| entity.class == class)
        .unwrap_or_else(|| panic!("no {class}"))
}

#[test]
fn every_version_gives_the_same_map() {
    for version in VERSIONS {
        let bytes = small_map(version);
        let imported = import(&bytes).unwrap_or_else(|error| panic!("{error}"));
        let doc = &imported.doc;
        let brushes: Vec<&Object> = doc
            .objects()
            .map(|(_, object)| object)
            .filter(|object| object.brush().is_some())
            .collect();
        assert_eq!(brushes.len(), 2, "{version}");
        assert_eq!(
            brushes[0].bounds().max,
            DVec3::new(64.0, 16.0, 0.0),
            "{version}"
        );
        assert_eq!(
            brushes[0].bounds().min,
            DVec3::new(0.0, 0.0, -32.0),
            "{version}"
        );
        // One material for both spellings, the first kept; shift 8 16 and scale 2 0.5 on every face.
        assert_eq!(
            doc.materials()
                .map(|(_, material)| material.name.as_str())
                .collect::<Vec<_>>(),
            ["Wall"],
            "{version}"
        );
        for face in brushes[0].brush().expect("filtered").faces() {
            assert_eq!(face.uv.scale.abs().to_array(), [2.0, 0.5], "{version}");
            assert_eq!(face.uv.offset.abs().to_array(), [0.125, 0.25], "{version}");
            assert!(face.axes.is_none(), "{version}");
        }
        // Object colours are blue, green, red before 2.2.
        let colors: Vec<[u8; 4]> = doc
            .objects()
            .filter_map(|(_, object)| object.group())
            .map(|group| group.color)
            .collect();
        let expected = if version > 2.0 {
            [[1, 2, 3, 255], [4, 5, 6, 255]]
        } else {
            [[3, 2, 1, 255], [6, 5, 4, 255]]
        };
        assert_eq!(colors, expected, "{version}");
        assert!(
            doc.layers()
                .all(|(_, layer)| layer.color == [10, 20, 30, 255]),
            "{version}"
        );
        // The number of a visgroup is not its place.
        let (brush, _) = doc
            .objects()
            .find(|(_, object)| object.brush().is_some())
            .expect("two");
        assert_eq!(
            imported.view.is_hidden(doc, brush),
            version > 1.0,
            "{version}"
        );
        let shown = doc.objects().find(|(_, object)| {
            object
                .entity()
                .is_some_and(|entity| entity.class == "func_door")
        });
        assert!(
            shown.is_some_and(
                |(id, object)| object.visgroups.len() == 1 && !imported.view.is_hidden(doc, id)
            ),
            "{version}"
        );
        let door = entity(doc, "func_door");
        assert_eq!(
            (door.angles_deg, door.origin, door.key("spawnflags")),
            (DVec3::ZERO, DVec3::ZERO, Some("4")),
            "{version}"
        );
        let light = entity(doc, "light");
        assert_eq!(
            (light.origin, light.key("intensity")),
            (DVec3::new(1.0, 3.0, -2.0), Some("4.03227")),
            "{version}"
        );
        if version > 1.0 {
            let (_, path) = doc.paths().next().expect("one");
            let corners: Vec<&Entity> =
                path.nodes.iter().filter_map(|&id| doc.entity(id)).collect();
            let links: Vec<_> = corners
                .iter()
                .map(|corner| {
                    (
                        corner.key("targetname"),
                        corner.key("target"),
                        corner.key("speed"),
                    )
                })
                .collect();
            assert_eq!(
                links,
                [
                    (Some("p"), Some("p01"), Some("9")),
                    (Some("p01"), Some("p"), Some("9"))
                ],
                "{version}"
            );
            // Looking along +X; the active index was out of range.
            assert_eq!(
                imported.view.cameras[0].angles_deg.to_array(),
                [0.0, -90.0, 0.0],
                "{version}"
            );
            assert_eq!(imported.view.active_camera, Some(0), "{version}");
        }
        let origin = imported.extras.origin.expect("set");
        assert_eq!(
            (
                origin.format.as_str(),
                origin.file_name.as_str(),
                origin.file_size
            ),
            ("rmf", "test.rmf", bytes.len() as u64)
        );
        assert_eq!(origin.crc32, crc32fast::hash(&bytes));
        assert_eq!(imported.report.source_counts["max_depth"], 3, "{version}");
    }
}

/// Hammer cuts a long value at 128 bytes and writes no NUL; the length is a plain byte; texts are Windows-1252 and may hold more
/// behind a NUL.
#[test]
fn odd_strings_keep_the_reader_in_place() {
    let long = vec![b'x'; 128];
    let longest = vec![b'y'; 255];
    let values: [(&[u8], &str); 6] = [
        (&long, &"x".repeat(128)),
        (&longest, &"y".repeat(255)),
        (b"", ""),
        (b"\0", ""),
        (
            b"caf\xe9 \x93quoted\x94 \x81\0",
            "caf\u{e9} \u{201c}quoted\u{201d} \u{81}",
        ),
        (b"seen\0hidden\0", "seen"),
    ];
    let mut file = Writer::new(2.2);
    file.begin_world(&[], 1);
    file.nstring("CMapEntity");
    file.base(0, [0; 3], 0);
    file.nstring("info_null");
    file.i32(0);
    file.i32(0);
    file.i32(values.len() as i32);
    for (index, (bytes, _)) in values.iter().enumerate() {
        file.nstring(&format!("key{index}"));
        file.bytes.push(bytes.len() as u8);
        file.bytes.extend(*bytes);
    }
    file.bytes.extend([0; 12]);
    file.bytes.extend(2i16.to_le_bytes());
    file.f32s(&[1.5, 2.25, 3.0]);
    file.bytes.extend([0; 4]);
    file.end_world(&[]);
    let imported = import(&file.bytes).unwrap_or_else(|error| panic!("{error}"));
    let found = entity(&imported.doc, "info_null");
    for (index, (_, text)) in values.iter().enumerate() {
        assert_eq!(found.key(&format!("key{index}")), Some(*text));
    }
    assert_eq!(found.origin, DVec3::new(1.5, 3.0, -2.25));
    assert!(
        !imported.report.counts().contains_key("I-TRAILING-BYTES"),
        "read to the last byte"
    );
}

#[test]
fn content_wins_over_name() {
    let head = small_map(2.2);
    assert_eq!(Rmf.probe(&head, Path::new("a.txt")), Match::Magic);
    assert_eq!(Rmf.probe(library::MAGIC, Path::new("a")), Match::Magic);
    assert_eq!(Rmf.probe(b"", Path::new("a.RMF")), Match::Extension);
    assert_eq!(Rmf.probe(b"HMAP", Path::new("a.map")), Match::No);
}

#[test]
fn refusals_name_version_byte_and_field() {
    #[track_caller]
    fn check(bytes: &[u8], code: &str, parts: &[&str]) {
        let error = import(bytes).err().expect("must be refused");
        assert_eq!(error.code(), code, "{error}");
        for part in parts {
            assert!(error.to_string().contains(part), "{error}: {part}");
        }
    }
    check(b"", "F-CUT", &["version", "byte 0x0"]);
    check(b"\xcd\xcc\x0c\x40NOT", "F-MAGIC", &["magic", "byte 0x4"]);
    check(
        &[&3.7f32.to_le_bytes()[..], b"RMF"].concat(),
        "F-VERSION",
        &["RMF 3.7", "Hammer 3.5"],
    );
    check(
        &[&f32::NAN.to_le_bytes()[..], b"RMF"].concat(),
        "F-VERSION",
        &["RMF NaN"],
    );
    check(
        &[&2.2f32.to_le_bytes()[..], b"RMF", &[255; 4]].concat(),
        "F-COUNT",
        &["RMF 2.2", "visgroup count", "byte 0x7", "4294967295"],
    );
    check(
        &small_map(1.6)[..300],
        "F-CUT",
        &["RMF 1.6", "world type, byte 0x124"],
    );
    let mut unknown = Writer::new(2.2);
    unknown.begin_world(&[], 1);
    unknown.nstring("CMapDisplacement");
    unknown.bytes.extend([0; 64]);
    check(
        &unknown.bytes,
        "F-BAD",
        &["RMF 2.2", "CMapDisplacement", "object type"],
    );
    check(b"JHOL and so on", "F-MAGIC", &["J.A.C.K."]);
}

#[test]
fn any_truncation_gives_an_error_or_what_is_whole() {
    for version in VERSIONS {
        let bytes = small_map(version);
        let whole = source_counts(&bytes, Path::new("x")).expect("sound");
        let mut opened = 0;
        for end in 0..bytes.len() {
            let Ok(imported) = import(&bytes[..end]) else {
                continue;
            };
            opened += 1;
            let counts = imported.report.counts();
            let is_complete = imported.report.source_counts["solids"] == whole["solids"];
            // Without its cameras a map is whole by the format.
            assert!(
                counts.contains_key("I-CUT-SHORT") || is_complete,
                "{version}, {end} bytes: {counts:?}"
            );
        }
        assert!(
            opened > bytes.len() / 4,
            "{version}: the part before the cut opens"
        );
    }
}

#[test]
fn any_changed_byte_is_survived() {
    for version in [0.9, 1.6, 2.2] {
        let bytes = small_map(version);
        for at in 0..bytes.len() {
            // Names and leftovers in long fields say the same thing hundreds of times.
            if bytes[at] == b'#' {
                continue;
            }
            for mask in [0x01, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= mask;
                if let Ok(imported) = import(&changed) {
                    check_finite(&imported.doc, at);
                }
            }
        }
    }
}

/// Whatever came in: what is in the document is made of numbers.
#[track_caller]
fn check_finite(doc: &Document, at: usize) {
    for (id, object) in doc.objects() {
        match &object.kind {
            Kind::Brush(brush) => assert!(brush.fault().is_none(), "brush {id}, byte {at}"),
            Kind::Mesh(mesh) => assert!(
                mesh.points.iter().all(|point| point.is_finite()),
                "mesh {id}, byte {at}"
            ),
            Kind::Entity(entity) => assert!(
                entity.origin.is_finite() && entity.angles_deg.is_finite(),
                "entity {id}, byte {at}"
            ),
            Kind::Group(_) => {}
        }
    }
}

#[test]
fn deep_nesting_is_followed_to_a_limit() {
    for (depth, opens) in [(4000, true), (100_000, false)] {
        let mut file = Writer::new(1.6);
        file.begin_world(&[], 1);
        for left in (0..depth).rev() {
            file.nstring("CMapGroup");
            file.base(0, [0; 3], i32::from(left > 0));
        }
        file.end_world(&[]);
        let result = import(&file.bytes);
        assert_eq!(result.is_ok(), opens, "{depth} groups");
        if let Err(error) = result {
            assert!(error.to_string().contains("nested"), "{error}");
        }
    }
}

#[test]
fn loops_rule_and_triples_help_out() {
    let good = cuboid([0.0; 3], [64.0; 3]);
    #[track_caller]
    fn check(bytes: &[u8], meshes: usize, codes: &[&str]) -> Imported {
        let imported = import(bytes).unwrap_or_else(|error| panic!("{error}"));
        let found = imported
            .doc
            .objects()
            .filter(|(_, object)| object.mesh().is_some())
            .count();
        let counts = imported.report.counts();
        let told: Vec<&str> = counts
            .keys()
            .copied()
            .filter(|code| !["I-DROPPED-COLOR", "I-MISSING-TEXTURE"].contains(code))
            .collect();
        assert_eq!((found, told.as_slice()), (meshes, codes));
        imported
    }
    // Triples that say something else are not asked.
    let mut file = Writer::new(2.2);
    file.begin_world(&[], 1);
    file.nstring("CMapSolid");
    file.base(0, [0; 3], 0);
    file.i32(6);
    for face in &good {
        file.face(
            "wall",
            face,
            [
                face[0].map(|x| x * 2.0),
                face[1].map(|x| x * 2.0),
                face[2].map(|x| x * 2.0),
            ],
        );
    }
    file.end_world(&[]);
    let imported = check(&file.bytes, 0, &[]);
    assert_eq!(imported.doc.bounds().max, DVec3::new(64.0, 64.0, 0.0));

    // A face turned inside out.
    let mut inward = good.clone();
    inward[2].reverse();
    check(&map_of_solids(&[inward]), 0, &["I-FLIPPED-FACE"]);
    // A corner that is off by half a unit: kept, told.
    let mut skewed = good.clone();
    skewed[0][0][2] += 0.5;
    check(&map_of_solids(&[skewed]), 0, &["I-OFF-CONVEX"]);
    // A hole: nothing encloses a volume, so what there is becomes a mesh.
    check(
        &map_of_solids(&[good[..5].to_vec()]),
        1,
        &["I-BROKEN-BRUSH"],
    );
    // A dent of 20 units.
    let mut dented = good.clone();
    dented[0][0][2] -= 20.0;
    let imported = check(&map_of_solids(&[dented]), 1, &["I-BROKEN-BRUSH"]);
    let polygons = imported
        .doc
        .objects()
        .filter_map(|(_, object)| object.mesh())
        .map(|mesh| mesh.polygons.len())
        .sum::<usize>();
    assert_eq!(polygons, 6, "nothing is lost on screen");
    // Two corners make no face; the rest is a box.
    let mut sliver = good.clone();
    sliver.push(vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    check(&map_of_solids(&[sliver]), 0, &["I-DEGENERATE-FACE"]);
    let mut not_finite = good.clone();
    not_finite[3][1][0] = f32::NAN;
    let imported = check(&map_of_solids(&[not_finite, good]), 0, &["I-NOT-FINITE"]);
    assert_eq!(
        imported
            .doc
            .objects()
            .filter(|(_, object)| object.brush().is_some())
            .count(),
        1
    );
}

#[test]
fn odd_owners_are_put_right() {
    // An entity in an entity, and an empty group in one, which a map here could not keep there.
    let mut file = Writer::new(2.2);
    file.begin_world(&[], 1);
    file.nstring("CMapEntity");
    file.base(0, [0; 3], 4);
    file.solid(&cuboid([0.0; 3], [8.0; 3]), "aaatrigger");
    file.point_entity("light", [0.0; 3], &[("_light", "9")]);
    file.nstring("CMapGroup");
    file.base(0, [0; 3], 0);
    file.solid(&cuboid([0.0, 0.0, 8.0], [8.0, 8.0, 12.0]), "origin");
    file.end_of_brush_entity("trigger_once", 0);
    file.end_world(&[]);
    let imported = import(&file.bytes).unwrap_or_else(|error| panic!("{error}"));
    let doc = &imported.doc;
    assert_eq!(imported.report.counts().get("I-NESTED-ENTITY"), Some(&1));
    for (id, object) in doc.objects() {
        match &object.kind {
            Kind::Brush(brush) => {
                assert_eq!(brush.contents(), Contents::TRIGGER);
                assert!(doc.owner(id).is_some());
            }
            _ => assert_eq!(object.parent, None, "{id}"),
        }
    }
    assert_eq!(
        entity(doc, "trigger_once").origin,
        DVec3::new(4.0, 10.0, -4.0)
    );
    assert_eq!(doc.object_count(), 5, "world, trigger, brush, light, group");
}

#[test]
fn libraries_keep_what_can_be_read() {
    let make = |entries: &[(&str, Vec<u8>)]| {
        let mut bytes = library::MAGIC.to_vec();
        bytes.extend(0.1f32.to_le_bytes());
        let documents: usize = entries.iter().map(|(_, document)| document.len()).sum();
        bytes.extend((544 + documents as u32).to_le_bytes());
        bytes.extend((entries.len() as u32).to_le_bytes());
        bytes.extend([0; 504]);
        let mut index = Vec::new();
        for (name, document) in entries {
            index.extend((bytes.len() as u32).to_le_bytes());
            index.extend((document.len() as u32).to_le_bytes());
            let mut fields = [0; 536];
            fields[..name.len()].copy_from_slice(name.as_bytes());
            index.extend(fields);
            bytes.extend(document);
        }
        bytes.extend(index);
        bytes
    };
    let bytes = make(&[
        ("first", small_map(1.6)),
        ("broken", vec![1; 30]),
        ("third", small_map(2.2)),
    ]);
    let imported = import(&bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(imported.report.counts().get("I-BROKEN-PREFAB"), Some(&1));
    assert_eq!(
        imported.report.source_counts.as_array().map(Vec::len),
        Some(2)
    );
    let groups: Vec<&str> = imported
        .doc
        .objects()
        .filter(|(_, object)| object.parent.is_none())
        .filter_map(|(_, object)| object.group())
        .map(|group| group.name.as_str())
        .collect();
    assert_eq!(groups, ["first", "third"]);
    // The first reaches to 164, the second begins at 0: it moves by 228, and its textures with it.
    let brushes: Vec<&crate::document::Brush> = imported
        .doc
        .objects()
        .filter_map(|(_, object)| object.brush())
        .collect();
    assert_eq!(brushes[2].hull().bounds().min.x, 228.0);
    for (face, moved) in brushes[0].faces().iter().zip(brushes[2].faces()) {
        let tile = imported.doc.tile_size(face.material);
        let at = face.plane.normal * face.plane.dist;
        let off = face.frame(tile).at(at) - moved.frame(tile).at(at + DVec3::new(228.0, 0.0, 0.0));
        assert!(off.length() < 1e-5, "{off}");
    }
    // Only broken ones: nothing to show.
    assert!(import(&make(&[("broken", vec![1; 30])])).is_err());
    // An index that names one document again and again.
    let mut greedy = make(&[("a", small_map(2.2)), ("b", Vec::new())]);
    let second = greedy.len() - 544;
    let first: Vec<u8> = greedy[second - 544..second - 536].to_vec();
    greedy[second..second + 8].copy_from_slice(&first);
    assert_eq!(
        import(&greedy)
            .unwrap_or_else(|error| panic!("{error}"))
            .report
            .counts()
            .get("I-BROKEN-PREFAB"),
        Some(&1)
    );
    for end in 0..600 {
        assert!(import(&bytes[..end]).is_err(), "{end} bytes");
    }
}

#[test]
fn a_cancelled_import_says_so() {
    let progress = Progress::new();
    progress.cancel();
    let error = Rmf
        .import(&small_map(2.2), Path::new("x.rmf"), &NoSiblings, &progress)
        .err()
        .expect("cancelled");
    assert!(matches!(error.kind, ErrorKind::Cancelled(_)));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() })]
    #[test]
    fn any_changed_words_are_survived(words in proptest::collection::vec((0usize..20_000, prop_oneof![Just(u32::MAX), Just(0x7fff_ffff), Just(0x7f80_0000), any::<u32>()]), 1..5), version in 0usize..6) {
        let mut bytes = small_map(VERSIONS[version]);
        for (at, word) in words {
            let at = at % (bytes.len() - 3);
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        if let Ok(imported) = import(&bytes) {
            check_finite(&imported.doc, 0);
        }
    }
}
