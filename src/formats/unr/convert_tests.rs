//! A map whose BSP is not what its brushes make.

use std::collections::HashMap;

use glam::DVec3;
use glam::Vec3;

use super::*;
use crate::compiler::Compiled as Build;
use crate::document::Contents;
use crate::document::Kind;
use crate::document::Object;
use crate::document::SurfaceFlags;
use crate::formats::NoSiblings;
use crate::formats::unr::raw::Node;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::raw::Surface;
use crate::formats::unr::testing::cuboid;
use crate::formats::unr::testing::map;
use crate::formats::unr::testing::room;

/// Half the side of the room that the BSP has, and of the one that the brush would carve.
const HALF: f32 = 64.0;
const CARVED_HALF: f32 = 128.0;

/// A BSP with one cubic room around the origin: a node for each wall, behind which all is solid, and the hulls of that.
fn world(half: f32) -> RawModel {
    /// Bit of a hull's entry whose plane is turned round.
    const REVERSED: i32 = 0x4000_0000;
    let mut model = RawModel::default();
    let walls = cuboid(Vec3::splat(-half), Vec3::splat(half));
    let count = walls.len() as u32;
    for (number, wall) in (0..).zip(walls) {
        let first = model.points.len() as u32;
        // Seen from inside.
        model.points.extend(wall.vertices.iter().rev());
        let corners = wall.vertices.len() as u32;
        model
            .vertices
            .extend((first..first + corners).map(|point| (point, -1)));
        let vector = model.vectors.len() as u32;
        model.vectors.extend([-wall.normal, wall.u, wall.v]);
        model.surfaces.push(Surface {
            texture: None,
            flags: 0,
            base: first,
            normal: vector,
            u: vector + 1,
            v: vector + 2,
            lightmap: None,
            polygon: number as i32,
            pan: [0; 2],
            actor: Some(0),
        });
        model.nodes.push(Node {
            normal: -wall.normal,
            distance: -half,
            flags: 0,
            zone_mask: 0,
            first_vertex: first,
            vertex_count: corners as u8,
            surface: number,
            back: None,
            front: Some(number + 1).filter(|&next| next < count),
            coplanar: None,
            hull: None,
            zones: [0; 2],
            leaves: [None; 2],
        });
        let before = (0..number as i32).map(|before| before | REVERSED);
        model.leaf_hulls.extend(before.chain([number as i32, -1]));
        let bounds = [-32_768.0f32; 3].into_iter().chain([32_768.0; 3]);
        model
            .leaf_hulls
            .extend(bounds.map(|number| number.to_bits() as i32));
    }
    model
}

fn converted(model: RawModel) -> (Converted, Report) {
    let map = RawMap {
        is_text: false,
        world: Some(model),
        ..map(vec![room(CARVED_HALF)])
    };
    let mut report = Report::default();
    let options = ImportOptions::default();
    let progress = Progress::new();
    let found = convert(
        &map,
        &Models::default(),
        &NoSiblings,
        options,
        &progress,
        &mut report,
    );
    (found.expect("not cancelled"), report)
}

/// Objects by the name of their layer.
fn objects<'a>(doc: &'a Document, layer: &str) -> Vec<&'a Object> {
    let is_there = |object: &&Object| {
        let own = object.layer.and_then(|own| doc.layer(own));
        own.is_some_and(|own| own.name == layer)
    };
    let objects = doc.objects().map(|(_, object)| object);
    objects.filter(is_there).collect()
}

fn built(doc: &Document) -> Build {
    let options = compiler::Options {
        light: false,
        threads: Some(1),
        ..compiler::Options::default()
    };
    let mut cache = compiler::Cache::default();
    compiler::compile(doc, &options, &mut cache, &Progress::new()).expect("not cancelled")
}

/// Area of what is drawn, and edges of triangles that no other triangle has the other way round.
fn drawn(build: &Build) -> (f64, usize) {
    let mut edges: HashMap<[[i32; 3]; 2], i32> = HashMap::new();
    let mut area = 0.0;
    for batch in &build.cmpl.batches {
        for triangle in batch.indices.chunks(3) {
            let corners =
                [0, 1, 2].map(|corner| batch.vertices[triangle[corner] as usize].position);
            let [a, b, c] = corners.map(Vec3::as_dvec3);
            area += (b - a).cross(c - a).length() * 0.5;
            let keys = corners.map(|corner| (corner * 64.0).round().as_ivec3().to_array());
            for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                *edges.entry([keys[from], keys[to]]).or_default() += 1;
                *edges.entry([keys[to], keys[from]]).or_default() -= 1;
            }
        }
    }
    let open = edges.values().filter(|&&count| count != 0).count();
    (area, open)
}

/// Whether players cannot be at a point of the document's space.
fn is_solid(build: &Build, point: DVec3) -> bool {
    let inside = |brush: &compiler::CollisionBrush| {
        let mut planes = brush.planes.iter();
        planes.all(|plane| plane.normal.as_dvec3().dot(point) < f64::from(plane.dist))
    };
    build.cmpl.bsp.brushes.iter().any(inside)
}

#[test]
fn a_failed_self_check_compiles_the_surfaces_and_the_hulls() {
    let (Converted { doc, view, .. }, report) = converted(world(HALF));
    let told: Vec<&str> = report
        .warnings
        .iter()
        .map(|warning| warning.kind.code)
        .collect();
    assert!(told.contains(&"I-DISAGREEMENT"), "{told:?}");
    // What is seen is drawn and stops nobody.
    let surfaces = objects(&doc, "Surfaces");
    assert!(!surfaces.is_empty());
    for object in &surfaces {
        assert!(matches!(object.kind, Kind::Mesh(_)));
        assert_eq!(object.flags, ObjectFlags::NO_COLLIDE);
    }
    // The file's own pieces stop players, show nothing, and stand in nobody's way.
    let hulls = objects(&doc, "Collision hulls");
    assert_eq!(hulls.len(), 6);
    for object in &hulls {
        assert_eq!(object.flags, ObjectFlags::default());
        let brush = object.brush().expect("a brush");
        assert!(brush.contents().has(Contents::SOLID));
        let is_hidden = brush.faces().iter().all(|face| {
            let material = face.material.and_then(|id| doc.material(id));
            material.is_some_and(|material| material.flags.has(SurfaceFlags::NODRAW))
        });
        assert!(is_hidden);
    }
    let hidden = view.hidden_layers.iter().filter_map(|&id| doc.layer(id));
    assert_eq!(
        hidden.map(|layer| layer.name.as_str()).collect::<Vec<_>>(),
        ["Collision hulls"]
    );
    // The brushes are there to work from, and are not built.
    let rock = objects(&doc, "Rock");
    assert_eq!(rock.len(), 6);
    assert!(
        rock.iter()
            .all(|object| object.flags == ObjectFlags::NO_COMPILE)
    );
    assert!(objects(&doc, "Original surfaces").is_empty());

    // Views begin with the room and not with its rock.
    let half = DVec3::splat(f64::from(HALF));
    assert_eq!(view.focus, Some(Aabb::new(-half, half)));

    let build = built(&doc);
    let side = f64::from(2.0 * HALF);
    let (area, open) = drawn(&build);
    assert!((area - 6.0 * side * side).abs() < 1e-3, "{area}");
    assert_eq!(open, 0, "closed");
    for (at, expected) in [(0.0, false), (60.0, false), (70.0, true), (120.0, true)] {
        for axis in [DVec3::X, -DVec3::Y, DVec3::Z] {
            assert_eq!(is_solid(&build, axis * at), expected, "{axis} {at}");
        }
    }
}

#[test]
fn a_passed_self_check_compiles_the_brushes() {
    let (Converted { doc, view, .. }, report) = converted(world(CARVED_HALF));
    assert!(
        !report
            .warnings
            .iter()
            .any(|warning| warning.kind.code == "I-DISAGREEMENT")
    );
    assert!(objects(&doc, "Collision hulls").is_empty() && objects(&doc, "Surfaces").is_empty());
    let rock = objects(&doc, "Rock");
    assert!(
        rock.len() == 6
            && rock
                .iter()
                .all(|object| object.flags == ObjectFlags::default())
    );
    assert!(!objects(&doc, "Original surfaces").is_empty());
    assert_eq!(view.hidden_layers.len(), 1);
    let build = built(&doc);
    let side = f64::from(2.0 * CARVED_HALF);
    let (area, open) = drawn(&build);
    assert!((area - 6.0 * side * side).abs() < 1e-3, "{area}");
    assert_eq!(open, 0, "closed");
    assert!(!is_solid(&build, DVec3::X * 120.0) && is_solid(&build, DVec3::X * 130.0));
}
