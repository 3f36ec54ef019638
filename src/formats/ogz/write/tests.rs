mod along;
mod coming_back;

use std::collections::BTreeSet;

use glam::DVec3;
use proptest::prelude::*;

use super::*;
use crate::document::Contents;
use crate::document::Entity;
use crate::document::Face;
use crate::document::Group;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::SurfaceFlags;
use crate::formats::NoSiblings;
use crate::formats::ogz::config::Config;
use crate::formats::ogz::config::TextureSlot;
use crate::formats::ogz::convex::Convex;
use crate::formats::ogz::mapping;
use crate::formats::ogz::materials::Materials;
use crate::formats::ogz::measure::Surfaces;
use crate::formats::ogz::pieces::pieces;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::Node;
use crate::formats::ogz::raw::Octree;
use crate::formats::ogz::raw::Value;
use crate::formats::ogz::raw::VirtualSlot;
use crate::formats::ogz::read;
use crate::formats::ogz::shape::Shape;
use crate::formats::ogz::slots::Slots;
use crate::geometry::Aabb;
use crate::geometry::Plane;

/// As if each picture were there, with 8 pixels on a unit.
fn size_of(material: &Material) -> Option<[u32; 2]> {
    let size = (material.tile_size * 8.0).round();
    Some([size.x as u32, size.y as u32])
}

fn written(doc: &Document) -> Written {
    write(doc, None, &size_of, &Progress::new()).expect("not cancelled")
}

/// Every document that is written comes back from its bytes as it went.
fn read_back(written: &Written) -> RawMap {
    let bytes = written.bytes();
    let (map, notes) = read::read(&bytes, &Progress::new()).expect("our own file");
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(map.tree.splits, written.map.tree.splits);
    assert_eq!(map.tree.leaves, written.map.tree.leaves);
    assert_eq!(map.slots, written.map.slots);
    assert_eq!(map.variables, written.map.variables);
    assert_eq!((map.version, map.world_size), (33, written.map.world_size));
    map
}

fn codes(report: &Report) -> Vec<(&str, usize)> {
    report.counts().into_iter().collect()
}

fn figures(map: &RawMap) -> (f64, f64) {
    let surfaces = Surfaces::of_pieces(&pieces(map, &Progress::new()).expect("not cancelled"));
    (surfaces.volume(), surfaces.exposed_area())
}

fn document(brushes: Vec<Brush>) -> Document {
    let mut draft = Document::default().edit();
    draft.insert_material(Material::new("wall", "packages/wall.jpg"));
    for brush in brushes {
        draft.insert(Object::new(Kind::Brush(brush)));
    }
    draft.finish().expect("a document")
}

/// A box, by its corners in a map whose Z is turned round: where these are below zero, it lies within the game's world.
fn cuboid([x, y, z]: [f64; 3], [x_end, y_end, z_end]: [f64; 3]) -> Brush {
    Brush::cuboid(
        Aabb::new(
            DVec3::new(x, y, 0.0 - z_end),
            DVec3::new(x_end, y_end, 0.0 - z),
        ),
        Some(MaterialId(0)),
    )
}

/// A convex piece as a brush, its pictures as an import lays them.
fn brush_of(
    convex: &Convex,
    slots: &Slots,
    materials: &mut Materials<'_>,
    draft: &mut crate::document::Draft,
) -> Brush {
    let corners: Vec<DVec3> = convex
        .corners
        .iter()
        .map(|corner| to_map(DVec3::from(corner.map(|at| at as f64)) / 8.0))
        .collect();
    let faces = convex.facets.iter().map(|facet| {
        let normal = to_map(DVec3::from(facet.plane.normal.map(|at| at as f64))).normalize();
        let on: Vec<DVec3> = corners
            .iter()
            .enumerate()
            .filter(|(index, _)| facet.corners >> index & 1 == 1)
            .map(|(_, &corner)| corner)
            .collect();
        let plane = Plane::new(normal, normal.dot(on[0]));
        let Some(slot) = facet.surface.slot else {
            return Face::new(plane, Some(materials.hidden(draft)));
        };
        let mut face = Face::new(
            plane,
            Some(materials.of(slot, convex.material & material::ALPHA != 0, draft)),
        );
        if slot != 0 {
            let fit = mapping::fit(facet.surface.face, slots.resolve(slot), plane, &on);
            face.uv = fit.uv;
            face.axes = fit.axes;
            if fit.aligned {
                face.flags = face.flags | SurfaceFlags::FACE_ALIGNED;
            }
        }
        face
    });
    let contents = if convex.material & material::CLIP_BITS == material::NO_CLIP {
        Contents(0)
    } else {
        Contents::SOLID
    };
    Brush::solid(contents, faces.collect()).expect("a convex piece")
}

/// The map's pieces as a document, as far as these tests need it.
fn document_of(map: &RawMap, config: &Config) -> Document {
    let slots = Slots::new(map, config, &NoSiblings);
    let mut materials = Materials::new(&slots, config);
    let mut draft = Document::default().edit();
    for convex in &pieces(map, &Progress::new()).expect("not cancelled").solids {
        let brush = brush_of(convex, &slots, &mut materials, &mut draft);
        draft.insert(Object::new(Kind::Brush(brush)));
    }
    draft.finish().expect("a document")
}

fn test_config() -> Config {
    let mut config = Config {
        slots: ["sky", "packages/a.jpg", "packages/b.jpg"]
            .map(TextureSlot::new)
            .to_vec(),
        has_own: true,
        ..Config::default()
    };
    config.slots[2].scale = 0.5;
    config
}

/// Puts a cube of which the lowest corner is at 0, and which is split down to the cells.
fn put_cube(tree: &mut Octree, size: i32, cells: &[Leaf; 8]) -> u32 {
    let place = tree.splits.len();
    tree.splits.push([Node::Leaf(0); 8]);
    let size = size / 2;
    for index in 0..8 {
        let node = if index == 0 && size > 32 {
            Node::Split(put_cube(tree, size, cells))
        } else {
            let origin = [0, 1, 2].map(|axis| size * (index >> axis & 1) as i32);
            let leaf = if size > 32 {
                Leaf {
                    fill: Fill::Empty,
                    edges: [0; 12],
                    ..cells[0]
                }
            } else {
                cells[index]
            };
            tree.leaves.push(Leaf {
                origin,
                size,
                ..leaf
            });
            Node::Leaf(tree.leaves.len() as u32 - 1)
        };
        tree.splits[place][index] = node;
    }
    place as u32
}

/// A world of 1024 whose first cube of 64 is split into these eight.
fn map_of(cells: [Leaf; 8], slots: Vec<VirtualSlot>) -> RawMap {
    let mut tree = Octree::default();
    put_cube(&mut tree, 1024, &cells);
    RawMap {
        family: Family::Sauerbraten,
        version: 33,
        world_size: 1024,
        game: "fps".to_owned(),
        variables: Vec::new(),
        entities: Vec::new(),
        slots,
        tree,
        facts: Facts::default(),
    }
}

fn slots_of_tests() -> Vec<VirtualSlot> {
    let plain = VirtualSlot {
        unmodified: true,
        previous: -1,
        ..VirtualSlot::default()
    };
    let mut slots = vec![plain; 3];
    slots.push(VirtualSlot {
        previous: 2,
        scale: Some(2.0),
        rotation: Some(1),
        ..VirtualSlot::default()
    });
    slots.push(VirtualSlot {
        previous: 1,
        rotation: Some(6),
        offset: Some([16, 32]),
        ..VirtualSlot::default()
    });
    slots
}

#[test]
fn a_box_becomes_few_cubes() {
    // In the file: 0 to 512 along X, 0 to 512 along Y, 0 to 512 along Z.
    let doc = document(vec![cuboid([0.0, 0.0, -512.0], [512.0, 512.0, 0.0])]);
    let written = written(&doc);
    assert!(
        written.report.warnings.is_empty(),
        "{:?}",
        written.report.warnings
    );
    let map = read_back(&written);
    assert_eq!(map.tree.leaves.len(), 8);
    assert_eq!(figures(&map), (512.0 * 512.0 * 512.0, 6.0 * 512.0 * 512.0));
    let solid = map
        .tree
        .leaves
        .iter()
        .find(|leaf| leaf.fill == Fill::Solid)
        .expect("a cube");
    assert_eq!((solid.origin, solid.size), ([0; 3], 512));
    assert!(written.config.starts_with("texturereset\n"));
    assert!(
        written.config.contains("texture 0 \"wall.jpg\" // 1"),
        "{}",
        written.config
    );
}

#[test]
fn boxes_on_the_eighths_need_no_small_cubes() {
    // A wall 8 thick whose sides are on every unit, and a sill on an eighth.
    let doc = document(vec![
        cuboid([3.0, 0.0, -512.0], [11.0, 256.0, 0.0]),
        cuboid([11.0, 0.0, -8.0], [11.125, 8.0, 0.0]),
    ]);
    let written = written(&doc);
    assert!(
        written.report.warnings.is_empty(),
        "{:?}",
        written.report.warnings
    );
    let map = read_back(&written);
    let (volume, _) = figures(&map);
    assert_eq!(volume, 8.0 * 256.0 * 512.0 + 0.125 * 64.0);
    let sizes: BTreeSet<i32> = map.tree.leaves.iter().map(|leaf| leaf.size).collect();
    assert!(sizes.first() == Some(&1), "{sizes:?}");
}

#[test]
fn a_map_beside_the_world_is_moved_into_it() {
    let doc = document(vec![cuboid(
        [-100.0, -200.0, -300.0],
        [100.0, 200.0, 300.0],
    )]);
    let written = written(&doc);
    assert_eq!(codes(&written.report), [("X-MOVED", 1)]);
    let map = read_back(&written);
    assert_eq!(figures(&map).0, 200.0 * 400.0 * 600.0);
    let doc = document(vec![cuboid([0.0; 3], [3000.0, 8.0, 8.0])]);
    let written = self::written(&doc);
    assert_eq!(written.map.world_size, 4096);
    assert_eq!(figures(&read_back(&written)).0, 3000.0 * 64.0);
}

#[test]
fn what_cubes_cannot_say_is_listed_and_nothing_else() {
    let good = cuboid([0.0, 0.0, -64.0], [64.0, 64.0, 0.0]);
    let off = cuboid([128.0, 0.0, -64.0], [192.3, 64.0, 0.0]);
    // A slope of 52 units: its corners are on whole units, its cubes' are not.
    let slope = {
        let points = [
            [256.0, 0.0, 0.0],
            [308.0, 0.0, 0.0],
            [256.0, 8.0, 0.0],
            [256.0, 0.0, 64.0],
            [308.0, 0.0, 64.0],
            [256.0, 8.0, 64.0],
        ];
        let points = points.map(DVec3::from);
        let (planes, _) = crate::geometry::Hull::from_points(&points).expect("a wedge");
        let faces = planes
            .into_iter()
            .map(|plane| Face::new(plane, Some(MaterialId(0))));
        Brush::solid(Contents::SOLID, faces.collect()).expect("a wedge")
    };
    let mut draft = document(vec![good, off, slope]).edit();
    draft.insert(Object::new(Kind::Mesh(Mesh {
        name: "chair".to_owned(),
        points: Vec::new(),
        polygons: Vec::new(),
    })));
    let carver = Object {
        flags: ObjectFlags::SUBTRACT,
        ..Object::new(Kind::Brush(
            cuboid([0.0; 3], [8.0; 3]).with_contents(Contents(0)),
        ))
    };
    draft.insert(carver);
    draft.insert(Object::new(Kind::Brush(
        cuboid([400.0, 0.0, -8.0], [408.0, 8.0, 0.0]).with_contents(Contents::TRIGGER),
    )));
    let doc = draft.finish().expect("a document");
    let written = written(&doc);
    assert_eq!(
        codes(&written.report),
        [("X-LEFT-OUT", 5)],
        "{:?}",
        written.report.warnings
    );
    assert!(
        written
            .report
            .warnings
            .iter()
            .all(|warning| warning.object.is_some())
    );
    assert_eq!(figures(&read_back(&written)).0, 64.0 * 64.0 * 64.0);
    assert_eq!(written.brushes, 1);
}

#[test]
fn lock_3_a_picture_that_cannot_lie_as_it_should_lies_near_and_its_face_is_listed() {
    let whole = cuboid([0.0, 0.0, -64.0], [64.0, 64.0, 0.0]);
    let mut faces = whole.faces().to_vec();
    let top = faces
        .iter()
        .position(|face| face.plane.normal.y > 0.5)
        .expect("a top");
    faces[top].uv.rotation_deg = 10.0;
    let turned = Brush::solid(Contents::SOLID, faces).expect("a box");
    let doc = document(vec![turned.clone()]);
    let written = written(&doc);
    assert_eq!(codes(&written.report), [("X-PICTURE", 1)]);
    let warning = &written.report.warnings[0];
    assert_eq!(warning.face, Some(top as u32));
    let (id, _) = doc.objects().next().expect("a brush");
    assert_eq!(warning.object, Some(id));

    // What a reader finds on the top, against what the document has there: the material's tile is 64 units, or 512 texels.
    let map = read_back(&written);
    let mut config = test_config();
    config.slots[1] = TextureSlot::new("packages/wall.jpg");
    struct Large;
    impl crate::formats::Siblings for Large {
        fn read(&self, _name: &str) -> Option<Vec<u8>> {
            None
        }
        fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
            Some([512; 2])
        }
    }
    let slots = Slots::new(&map, &config, &Large);
    let pieces = pieces(&map, &Progress::new()).expect("not cancelled");
    let facets = pieces.solids.iter().flat_map(|solid| &solid.facets);
    let facet = facets
        .filter(|facet| facet.plane.normal == [0, 0, 1])
        .find(|facet| facet.surface.slot.is_some())
        .expect("a top");
    let slot = facet.surface.slot.expect("it shows something");
    let read = mapping::frame(facet.surface.face, slots.resolve(slot));
    let wanted = turned.faces()[top].frame(glam::Vec2::splat(64.0));
    let off: Vec<glam::DVec2> = turned
        .hull()
        .face_points(top)
        .map(|corner| wanted.at(corner) - read.at(corner))
        .collect();
    let repeats = (off.iter().copied().sum::<glam::DVec2>() / off.len() as f64).round();
    let worst = off
        .iter()
        .map(|off| (*off - repeats).length() * 512.0)
        .fold(0.0, f64::max);
    // No placing is nearer than half of the face's length times the sine of the turn.
    assert!(
        worst > 256.0 * 10.0_f64.to_radians().sin() && worst < 130.0,
        "{worst}"
    );
    let told = format!("up to {worst:.0} texels off");
    assert!(
        warning.kind.text.contains(&told),
        "{worst} {}",
        warning.kind.text
    );
}

#[test]
fn materials_go_back_to_their_bits() {
    let mut draft = Document::default().edit();
    let names = [
        "water2", "lava", "glass", "clip", "gameclip", "death", "x/grate",
    ];
    for name in names {
        let mut material = Material::new(name, "");
        if name == "x/grate" {
            material.flags = SurfaceFlags::TRANSLUCENT;
            "packages/x/grate.png".clone_into(&mut material.texture);
        }
        draft.insert_material(material);
    }
    let contents = [
        Contents::WATER,
        Contents::WATER,
        Contents::SOLID,
        Contents::CLIP,
        Contents::CLIP,
        Contents::TRIGGER,
        Contents(0),
    ];
    for (index, contents) in contents.into_iter().enumerate() {
        let x = 64.0 * index as f64;
        // The open surface of a liquid lies below the top of its cubes.
        let top = if index < 2 {
            64.0 - LOWERED as f32 as f64
        } else {
            64.0
        };
        let bounds = Aabb::new(DVec3::new(x, 0.0, 0.0), DVec3::new(x + 64.0, top, 64.0));
        let brush = Brush::cuboid(bounds, Some(MaterialId(index as u32))).with_contents(contents);
        draft.insert(Object::new(Kind::Brush(brush)));
    }
    draft.insert(Object::new(Kind::Group(Group::new("empty"))));
    let written = written(&draft.finish().expect("a document"));
    assert!(
        written.report.warnings.is_empty(),
        "{:?}",
        written.report.warnings
    );
    let map = read_back(&written);
    let at = |x: i32| {
        let mut leaves = map.tree.leaves.iter();
        let leaf = leaves
            .find(|leaf| leaf.origin == [x, 0, 0])
            .expect("a cube");
        (leaf.size, leaf.fill, leaf.material)
    };
    let empty = |word| (64, Fill::Empty, word);
    assert_eq!(at(0), empty(0x05));
    assert_eq!(at(64), empty(0x08));
    assert_eq!(at(128), empty(0x4C));
    assert_eq!(at(192), empty(0x40));
    assert_eq!(at(256), empty(0x60));
    assert_eq!(at(320), empty(0x100));
    // Half a cube of 128.
    assert_eq!(at(384), (128, Fill::Deformed, 0x420));
}
