use std::collections::BTreeSet;

use glam::DVec3;
use proptest::prelude::*;

use super::*;
use crate::document::Entity;
use crate::document::Face;
use crate::document::Group;
use crate::document::Mesh;
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

/// What a face shows. Rotation and offset depend on the cube's face: a slope of 45 degrees has a choice of two.
fn look(slots: &Slots, index: u16) -> (Option<String>, f32) {
    let slot = slots.resolve(index);
    (slot.picture.clone(), slot.scale)
}

/// A visible facet: its plane, its picture, and where that lies.
struct Seen {
    plane: crate::formats::ogz::convex::GridPlane,
    picture: Option<String>,
    frame: crate::geometry::UvAxes,
    corners: Vec<DVec3>,
}

fn seen(map: &RawMap, config: &Config) -> Vec<Seen> {
    let slots = Slots::new(map, config, &NoSiblings);
    let pieces = pieces(map, &Progress::new()).expect("not cancelled");
    let mut seen = Vec::new();
    for solid in &pieces.solids {
        for facet in &solid.facets {
            if let Some(slot) = facet.surface.slot.filter(|&slot| slot != 0) {
                let corners = solid.corners.iter().enumerate();
                let on = corners.filter(|(index, _)| facet.corners >> index & 1 == 1);
                seen.push(Seen {
                    plane: facet.plane,
                    picture: slots.resolve(slot).picture.clone(),
                    frame: mapping::frame(facet.surface.face, slots.resolve(slot)),
                    corners: on
                        .map(|(_, corner)| to_map(DVec3::from(corner.map(|at| at as f64)) / 8.0))
                        .collect(),
                });
            }
        }
    }
    seen
}

/// The picture lies on the facet as it does on one of the others in its plane, but for whole repeats.
fn lies_as_one_of(facet: &Seen, others: &[Seen]) -> bool {
    let alike = |other: &&Seen| other.plane == facet.plane && other.picture == facet.picture;
    others.iter().filter(alike).any(|other| {
        let off = |&corner: &DVec3| facet.frame.at(corner) - other.frame.at(corner);
        let first = off(&facet.corners[0]);
        let repeats = first.round();
        facet
            .corners
            .iter()
            .all(|corner| (off(corner) - repeats).abs().max_element() < 0.002 / 64.0)
    })
}

/// Exposed area by what it shows.
fn shown(map: &RawMap, config: &Config) -> Vec<(String, f64)> {
    let surfaces = Surfaces::of_pieces(&pieces(map, &Progress::new()).expect("not cancelled"));
    let slots = Slots::new(map, config, &NoSiblings);
    let mut shown: Vec<(String, f64)> = Vec::new();
    for (slot, area) in surfaces.exposed_by_slot() {
        let key = slot.map_or_else(
            || "hidden".to_owned(),
            |slot| format!("{:?}", look(&slots, slot)),
        );
        match shown.iter_mut().find(|(known, _)| *known == key) {
            Some((_, sum)) => *sum += area,
            None => shown.push((key, area)),
        }
    }
    shown.retain(|(_, area)| *area > 1e-6);
    shown.sort_by(|a, b| a.0.cmp(&b.0));
    shown
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

/// A cube that is empty, solid, or pulled at its corners along one axis.
fn cell() -> impl Strategy<Value = Leaf> {
    let textures = prop::array::uniform6(0..5u16);
    let heights = prop::array::uniform4(prop::sample::select(vec![0u8, 2, 4, 8]));
    (0..4u8, textures, 0..3usize, heights).prop_map(|(kind, textures, axis, heights)| {
        let mut edges = [0x80; 12];
        for (edge, height) in edges[4 * axis..4 * axis + 4].iter_mut().zip(heights) {
            *edge = height << 4;
        }
        let fill = match kind {
            0 => Fill::Empty,
            1 => Fill::Solid,
            _ if heights == [0; 4] || !Shape::new(&edges).is_convex() => Fill::Solid,
            _ => Fill::Deformed,
        };
        Leaf {
            origin: [0; 3],
            size: 32,
            fill,
            edges: match fill {
                Fill::Deformed => edges,
                Fill::Solid => [0x80; 12],
                Fill::Empty => [0; 12],
            },
            textures,
            material: 0,
        }
    })
}

/// Cubes, to brushes, to cubes: the same space is solid, and what can be seen shows the same.
fn come_back(cells: [Leaf; 8]) -> Result<(), TestCaseError> {
    let map = map_of(cells, slots_of_tests());
    let config = test_config();
    let doc = document_of(&map, &config);
    let written = written(&doc);
    prop_assert!(
        !codes(&written.report)
            .iter()
            .any(|(code, _)| *code == "X-LEFT-OUT"),
        "{:?}",
        written.report.warnings
    );
    let back = read_back(&written);
    let (before, after) = (figures(&map), figures(&back));
    prop_assert!(
        (before.0 - after.0).abs() < 1e-6 && (before.1 - after.1).abs() < 1e-6,
        "{before:?} {after:?}"
    );
    if written.report.warnings.is_empty() {
        let mut slots: Vec<TextureSlot> = Vec::new();
        for line in written
            .config
            .lines()
            .filter(|line| line.starts_with("texture 0"))
        {
            let name = line.split('"').nth(1).unwrap_or("");
            slots.push(TextureSlot::new(format!("packages/{name}")));
        }
        slots[0].picture = "sky".to_owned();
        let own = Config {
            slots,
            has_own: true,
            ..Config::default()
        };
        let lying = seen(&map, &config);
        for facet in seen(&back, &own) {
            prop_assert!(
                lies_as_one_of(&facet, &lying),
                "{:?} {:?}",
                facet.plane,
                facet.picture
            );
        }
        let (before, after) = (shown(&map, &config), shown(&back, &own));
        let names = |list: &[(String, f64)]| {
            list.iter()
                .map(|(name, _)| name.clone())
                .collect::<Vec<_>>()
        };
        prop_assert_eq!(names(&before), names(&after));
        for (a, b) in before.iter().zip(&after) {
            prop_assert!((a.1 - b.1).abs() < 1e-6, "{:?} {:?}", a, b);
        }
    }
    Ok(())
}

/// The bent cube's top, pulled down to a corner, must not end up on its underside, where the full cube below hides it.
#[test]
fn a_face_that_shows_something_is_not_laid_on_a_hidden_side() {
    let leaf = |fill, edges, textures| Leaf {
        origin: [0; 3],
        size: 32,
        fill,
        edges,
        textures,
        material: 0,
    };
    let empty = leaf(Fill::Empty, [0; 12], [0; 6]);
    let full = leaf(Fill::Solid, [0x80; 12], [0; 6]);
    let mut cells = [empty; 8];
    cells[2] = full;
    cells[7] = full;
    let bent = [128, 128, 128, 128, 0, 128, 32, 64, 128, 128, 128, 128];
    cells[6] = leaf(Fill::Deformed, bent, [0, 0, 0, 1, 0, 0]);
    come_back(cells).expect("the same space and the same pictures");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Cubes, to brushes, to cubes: the same space is solid, and what can be seen shows the same.
    #[test]
    fn cubes_come_back_as_they_were(cells in prop::array::uniform8(cell())) {
        come_back(cells)?;
    }
}

#[test]
fn worlds_without_anything_are_written_too() {
    let mut draft = Document::default().edit();
    draft.insert(Object::new(Kind::Entity(Entity::new(
        "worldspawn",
        DVec3::ZERO,
    ))));
    let written = written(&draft.finish().expect("a document"));
    let map = read_back(&written);
    assert_eq!(map.tree.leaves.len(), 8);
    assert!(map.tree.leaves.iter().all(|leaf| leaf.fill == Fill::Empty));
}

#[test]
fn entities_and_light_go_along() {
    let mut draft = document(vec![cuboid([0.0, 0.0, -64.0], [64.0, 64.0, 0.0])]).edit();
    let mut put = |class: &str, at: [f64; 3], keys: &[(&str, &str)], angles: DVec3| {
        let mut entity = Entity::new(class, DVec3::from(at));
        for (key, value) in keys {
            entity.set_key(key, *value);
        }
        entity.angles_deg = angles;
        draft.insert(Object::new(Kind::Entity(entity)))
    };
    put(
        "worldspawn",
        [0.0; 3],
        &[
            ("fog", "1200"),
            ("skybox", "env/day"),
            ("sunlight", "0xff8000"),
        ],
        DVec3::ZERO,
    );
    put(
        "light",
        [1.0, 2.0, 3.0],
        &[
            ("radius", "192"),
            ("color", "1 0.5 0"),
            ("intensity", "1"),
            ("falloff", "linear"),
        ],
        DVec3::ZERO,
    );
    put(
        "mapmodel",
        [8.0, 0.0, 8.0],
        &[("model", "tree")],
        DVec3::new(0.0, 90.0, 0.0),
    );
    put(
        "light_sun",
        [0.0; 3],
        &[("color", "2 1 0"), ("intensity", "1")],
        DVec3::new(-60.0, 270.0, 0.0),
    );
    let door = put("func_door", [0.0; 3], &[], DVec3::ZERO);
    let written = written(&draft.finish().expect("a document"));
    assert_eq!(
        codes(&written.report),
        [("X-ENTITY", 1)],
        "{:?}",
        written.report.warnings
    );
    assert_eq!(written.report.warnings[0].object, Some(door));
    let map = read_back(&written);
    let [light, tree] = map.entities.as_slice() else {
        panic!("{:?}", map.entities);
    };
    assert_eq!((light.kind, light.position), (1, [1.0, 3.0, 2.0]));
    assert_eq!(light.attributes, [192, 255, 128, 0, 0]);
    assert_eq!(
        (
            tree.kind,
            tree.position,
            tree.attributes[0],
            tree.attributes[1]
        ),
        (2, [8.0, 8.0, 0.0], 90, 0)
    );
    assert!(
        written
            .config
            .contains("mapmodelreset\nmmodel \"tree\" // 0"),
        "{}",
        written.config
    );
    let value = |name: &str| {
        let found = map.variables.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone())
    };
    assert_eq!(value("fog"), Some(Value::Int(1200)));
    assert_eq!(value("skybox"), Some(Value::Text("env/day".to_owned())));
    assert_eq!(value("sunlight"), Some(Value::Int(0x00FF_8000)));
    assert_eq!(value("sunlightscale"), Some(Value::Float(2.0)));
    assert_eq!(value("sunlightyaw"), Some(Value::Int(90)));
    assert_eq!(value("sunlightpitch"), Some(Value::Int(60)));
}

/// A map as a file, with the configuration beside it.
struct Beside(&'static str);

impl crate::formats::Siblings for Beside {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        (name == "m.cfg").then(|| self.0.as_bytes().to_vec())
    }

    fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
        Some([64; 2])
    }
}

#[test]
fn what_the_editor_does_not_show_goes_back() {
    use crate::formats::Importer as _;
    const CONFIG: &str = "texturereset\nsetshader stdworld\ntexture 0 sky\ntexture 0 a.jpg\n\
        setshader bumpspecworld\nsetshaderparam specscale 2 1 1\ntexture 0 b.jpg\ntexture n b_n.jpg\nautograss grass\n\
        texscroll 0.5 0\nsetshader stdworld\ntexture 0 b.jpg\ntexture 0 layer.jpg\n\
        materialreset\ntexture water w.png\ntexture n w_n.png\nmapsound wind.ogg 60 2";
    let plain = VirtualSlot {
        unmodified: true,
        previous: -1,
        ..VirtualSlot::default()
    };
    let mut slots = vec![plain; 5];
    slots.push(VirtualSlot {
        previous: 1,
        scale: Some(2.0),
        scroll: Some([0.0, -1.0]),
        layer: Some(4),
        alpha: Some([0.25, 0.75]),
        color: Some([1.5, 0.5, 0.0]),
        shader_parameters: vec![("glowcolor".to_owned(), [1.0, 0.5, 0.25, 0.0])],
        ..VirtualSlot::default()
    });
    let cell = |textures| Leaf {
        origin: [0; 3],
        size: 32,
        fill: Fill::Solid,
        edges: [0x80; 12],
        textures,
        material: 0,
    };
    let cells = [1, 2, 3, 5, 2, 3, 5, 1].map(|slot| cell([slot; 6]));
    let mut map = map_of(cells, slots);
    map.entities.push(crate::formats::ogz::raw::RawEntity {
        offset: 0,
        position: [8.0, 8.0, 100.0],
        attributes: vec![0, 100, 0, 0, 0],
        kind: 6,
        extra: Vec::new(),
    });
    let beside = Beside(CONFIG);
    let progress = Progress::new();
    let path = std::path::Path::new("m.ogz");
    let imported = crate::formats::ogz::Ogz
        .import(&encode(&map), path, &beside, &progress)
        .expect("our own file");
    let origin = imported.extras.origin.as_ref();
    let written =
        write(&imported.doc, origin, &|_| Some([64; 2]), &progress).expect("not cancelled");
    let back = read_back(&written);
    assert_eq!(
        codes(&written.report),
        [("X-TEXTURE", 1)],
        "{:?}",
        written.report.warnings
    );
    assert!(written.report.warnings[0].kind.text.contains("layer"));

    let text: &'static str = Box::leak(written.config.clone().into_boxed_str());
    let read = |map: &RawMap, beside: &Beside| {
        let config = Config::read(path, &[], beside, &progress).expect("not cancelled");
        let slots = Slots::new(map, &config, beside);
        let mut looks: Vec<String> = map
            .tree
            .leaves
            .iter()
            .filter(|leaf| leaf.fill == Fill::Solid)
            .flat_map(|leaf| {
                (0..6).map(move |face| (leaf.origin, leaf.size, face, leaf.textures[face]))
            })
            .filter(|(origin, size, face, _)| {
                // Those on the outside of the eight that are not the world's border.
                face % 2 == 1 && origin[face / 2] + size == 64
            })
            .flat_map(|(.., slot)| {
                let slot = slots.resolve(slot);
                let effects = crate::formats::ogz::effects::Effects::of(slot);
                [format!(
                    "{:?} {} {} {effects:?}",
                    slot.picture, slot.scale, slot.others
                )]
            })
            .collect();
        looks.sort();
        looks.dedup();
        (looks, config.materials, config.sounds, config.sound_words)
    };
    let before = read(&map, &beside);
    assert_eq!(before.0.len(), 4, "{:?}", before.0);
    assert_eq!(before, read(&back, &Beside(text)));
}

#[test]
fn what_entities_and_surfaces_lose_is_listed() {
    let mut draft = document(vec![cuboid([0.0, 0.0, -64.0], [64.0, 64.0, 0.0])]).edit();
    let mut odd = Material::new("odd", "");
    odd.flags = SurfaceFlags::UNLIT | SurfaceFlags::MASKED;
    let odd = draft.insert_material(odd);
    let brush = Brush::cuboid(
        Aabb::new(DVec3::new(128.0, 0.0, 0.0), DVec3::new(192.0, 64.0, 64.0)),
        Some(odd),
    );
    let brush = draft.insert(Object::new(Kind::Brush(brush)));
    let mut lamp = Entity::new("light", DVec3::new(32.0, 100.0, 32.0));
    lamp.set_key("style", "a");
    let lamp = draft.insert(Object::new(Kind::Entity(lamp)));
    let mut spot = Entity::new("light_spot", DVec3::new(232.0, 100.0, 32.0));
    for (key, value) in [
        ("radius", "200"),
        ("color", "1 1 1"),
        ("intensity", "1"),
        ("falloff", "linear"),
        ("inner", "0"),
        ("outer", "30"),
    ] {
        spot.set_key(key, value);
    }
    spot.angles_deg = DVec3::new(-90.0, 0.0, 0.0);
    let mut spot_beside = spot.clone();
    spot_beside.origin.x += 400.0;
    spot_beside.set_key("inner", "20");
    draft.insert(Object::new(Kind::Entity(spot)));
    let spot_beside = draft.insert(Object::new(Kind::Entity(spot_beside)));
    let written = written(&draft.finish().expect("a document"));
    let rows: Vec<(&str, Option<ObjectId>, &str)> = written
        .report
        .warnings
        .iter()
        .map(|row| (row.kind.code, row.object, row.kind.text.as_str()))
        .collect();
    let find = |code: &str, word: &str| {
        let found = rows
            .iter()
            .find(|row| row.0 == code && row.2.contains(word));
        found.unwrap_or_else(|| panic!("{code} {word}: {rows:?}")).1
    };
    assert_eq!(
        find("X-SURFACE", "6 faces that no light changes"),
        Some(brush)
    );
    assert_eq!(find("X-SURFACE", "6 faces with holes"), Some(brush));
    assert_eq!(find("X-TEXTURE", "1 material has no picture"), Some(brush));
    assert_eq!(find("X-KEYS", "style, its falloff"), Some(lamp));
    assert_eq!(
        find("X-KEYS", "1 light_spot: the game has no place for inner"),
        Some(spot_beside)
    );
    assert_eq!(rows.len(), 5, "{rows:?}");
    // A light without a reach has the usual one, and a cone is a spotlight's.
    let map = read_back(&written);
    let kinds: Vec<u8> = map.entities.iter().map(|raw| raw.kind).collect();
    assert_eq!(kinds, [1, 1, 1, 7, 7]);
    assert_eq!(map.entities[0].attributes[0], 320);
    assert_eq!(map.entities[3].position, [232.0, 32.0, 84.0]);
}

/// A brush that is one bent cube, whose bent side is two planes, with a material for each of these.
fn bent_in_two(heights: [u8; 4]) -> Option<Document> {
    let mut edges = [0x80; 12];
    for (edge, height) in edges[4..8].iter_mut().zip(heights) {
        *edge = height << 4;
    }
    if heights == [0; 4] || !Shape::new(&edges).is_convex() {
        return None;
    }
    let leaf = |fill, edges| Leaf {
        origin: [0; 3],
        size: 32,
        fill,
        edges,
        textures: [1; 6],
        material: 0,
    };
    let mut cells = [leaf(Fill::Empty, [0; 12]); 8];
    cells[0] = leaf(Fill::Deformed, edges);
    let map = map_of(cells, slots_of_tests());
    let mut draft = document_of(&map, &test_config()).edit();
    let other = draft.insert_material(Material::new("other", "packages/other.jpg"));
    let (id, brush) = draft
        .objects()
        .find_map(|(id, object)| Some((id, object.brush()?.clone())))?;
    let is_bent = |face: &Face| face.plane.normal.abs().max_element() < 0.999;
    let mut faces = brush.faces().to_vec();
    let bent = faces.iter().filter(|face| is_bent(face)).count();
    if bent != 2 {
        return None;
    }
    let last = faces.iter().rposition(is_bent)?;
    faces[last].material = Some(other);
    draft.update(id, |object| {
        object.kind = Kind::Brush(brush.with_surfaces(faces));
    });
    draft.finish().ok()
}

/// No face of a cube shows two pictures: the smaller part gives way, once, and the brush is written all the same.
#[test]
fn where_one_face_of_a_cube_is_two_of_the_brush_the_smaller_gives_way() {
    for heights in [[8, 2, 2, 0], [2, 8, 2, 0]] {
        let doc = bent_in_two(heights).expect("bent along two planes");
        let volume: f64 = doc
            .objects()
            .filter_map(|(_, object)| Some(object.brush()?.hull().volume()))
            .sum();
        let written = written(&doc);
        let [row] = written.report.warnings.as_slice() else {
            panic!("{heights:?} {:?}", written.report.warnings);
        };
        assert_eq!(row.kind.code, "X-PICTURE");
        assert!(row.face.is_some() && row.kind.text.contains("the face beside it"));
        assert_eq!(written.brushes, 1);
        assert!((figures(&read_back(&written)).0 - volume).abs() < 1e-6);
    }
}
