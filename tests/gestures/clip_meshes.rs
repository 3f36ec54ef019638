//! Meshes under the clip tool (CLP-3).

use std::collections::BTreeMap;

use mapwright::document::Mesh;
use mapwright::document::Polygon;
use mapwright::document::ops::clip;
use mapwright::document::ops::clip::Keep;
use mapwright::geometry::Plane;
use mapwright::geometry::Uv;
use mapwright::geometry::polygon;

use super::*;

fn of_corners(points: Vec<DVec3>, faces: Vec<Vec<u32>>) -> Mesh {
    let polygons = faces.into_iter().map(|corners| Polygon {
        material: None,
        smooth: 0,
        proj: Uv::default(),
        corners,
        uvs: Vec::new(),
    });
    Mesh {
        name: String::new(),
        points,
        polygons: polygons.collect(),
    }
}

fn mesh(s: &Session, number: u32) -> &Mesh {
    s.doc()
        .object(id(number))
        .and_then(Object::mesh)
        .expect("a mesh")
}

/// Volume, if every side is met by one that runs the other way.
fn volume(mesh: &Mesh) -> Option<f64> {
    let mut sides: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    let mut six = 0.0;
    for face in &mesh.polygons {
        assert!(mesh.is_sound(face));
        let corners = mesh.positions(face).expect("sound");
        assert!(polygon::is_convex(&corners), "{corners:?}");
        for i in 0..corners.len() {
            let (a, b) = (face.corners[i], face.corners[(i + 1) % corners.len()]);
            *sides.entry((a, b)).or_default() += 1;
            *sides.entry((b, a)).or_default() -= 1;
        }
        for [a, b, c] in polygon::triangles(&corners) {
            let at = |i: u32| corners[i as usize];
            six += at(a).dot(at(b).cross(at(c)));
        }
    }
    sides.values().all(|sum| *sum == 0).then_some(six / 6.0)
}

/// A square tube of 64 with a square hole of 32, upright, 64 high: points in rings of four, outer and inner, below and above.
fn tube() -> Mesh {
    let ring = |reach: f64, y: f64| {
        [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)]
            .map(|(x, z)| DVec3::new(x * reach, y, z * reach))
    };
    let points = [
        ring(32.0, 0.0),
        ring(16.0, 0.0),
        ring(32.0, 64.0),
        ring(16.0, 64.0),
    ]
    .concat();
    let mut faces = Vec::new();
    for i in 0..4u32 {
        let j = (i + 1) % 4;
        faces.push(vec![i, j, 8 + j, 8 + i]);
        faces.push(vec![4 + j, 4 + i, 12 + i, 12 + j]);
        faces.push(vec![8 + i, 8 + j, 12 + j, 12 + i]);
        faces.push(vec![j, i, 4 + i, 4 + j]);
    }
    of_corners(points, faces)
}

/// Two upright boxes that have one edge in common.
fn boxes_at_an_edge() -> Mesh {
    let mut points = Vec::new();
    let mut faces = Vec::new();
    for (low, high) in [(0.0, 32.0), (32.0, 64.0)] {
        let ring = |y: f64| {
            [(low, low), (low, high), (high, high), (high, low)].map(|(x, z)| DVec3::new(x, y, z))
        };
        let mut at = |point: DVec3| {
            let known = points.iter().position(|known| *known == point);
            known.unwrap_or_else(|| {
                points.push(point);
                points.len() - 1
            }) as u32
        };
        let (below, above) = (ring(0.0).map(&mut at), ring(64.0).map(&mut at));
        faces.push(above.to_vec());
        faces.push(below.iter().rev().copied().collect());
        for i in 0..4 {
            let j = (i + 1) % 4;
            faces.push(vec![below[i], below[j], above[j], above[i]]);
        }
    }
    of_corners(points, faces)
}

#[test]
fn clp_3_meshes_with_holes_are_closed() {
    let whole = (64.0 * 64.0 - 32.0 * 32.0) * 64.0;
    assert_eq!(volume(&tube()), Some(whole));
    let planes = [
        // Across the hole, along it, aslant, along its side, through its edge.
        (DVec3::Y, DVec3::new(0.0, 40.0, 0.0)),
        (DVec3::X, DVec3::new(5.0, 0.0, 0.0)),
        (DVec3::new(0.3, 1.0, 0.2), DVec3::new(0.0, 32.0, 0.0)),
        (DVec3::X, DVec3::new(16.0, 0.0, 0.0)),
        (DVec3::NEG_X, DVec3::new(16.0, 0.0, 0.0)),
        (DVec3::new(1.0, 0.0, 1.0), DVec3::new(16.0, 0.0, 16.0)),
    ];
    for (normal, at) in planes {
        let plane = Plane::through(at, normal).expect("a plane");
        let mut s = Session::new(|draft| {
            draft.insert(Object::new(Kind::Mesh(tube())));
        });
        s.editor
            .commit(&clip::clip(vec![id(1)], plane, Keep::Both, None))
            .expect("clips");
        let parts = [1, 2].map(|part| volume(mesh(&s, part)));
        let [Some(back), Some(front)] = parts else {
            panic!("{normal} {at}: open");
        };
        assert!(back > 1.0 && front > 1.0, "{normal} {at}: {parts:?}");
        assert!((back + front - whole).abs() < 1e-3 * whole, "{parts:?}");
    }
}

#[test]
fn clp_3_rings_that_touch_are_closed() {
    let whole = 2.0 * 32.0 * 32.0 * 64.0;
    let touching = boxes_at_an_edge();
    assert_eq!(touching.points.len(), 14);
    for (normal, at) in [
        (DVec3::Y, DVec3::new(0.0, 24.0, 0.0)),
        (DVec3::new(0.2, 1.0, 0.1), DVec3::new(32.0, 24.0, 32.0)),
    ] {
        let plane = Plane::through(at, normal).expect("a plane");
        let mut s = Session::new(|draft| {
            draft.insert(Object::new(Kind::Mesh(touching.clone())));
        });
        s.editor
            .commit(&clip::clip(vec![id(1)], plane, Keep::Both, None))
            .expect("clips");
        let [Some(back), Some(front)] = [1, 2].map(|part| volume(mesh(&s, part))) else {
            panic!("{normal}: open");
        };
        assert!((back + front - whole).abs() < 1e-3 * whole);
    }
}

#[test]
fn clp_3_caps_of_meshes_take_the_current_material() {
    for (current, wanted_offset) in [("stone", 0.25), ("new", 0.0)] {
        let mut s = Session::new(|draft| {
            let brick = draft.insert_material(Material::new("brick", ""));
            let stone = draft.insert_material(Material::new("stone", ""));
            let mut made = tube();
            for (index, face) in made.polygons.iter_mut().enumerate() {
                face.material = Some(if index == 2 { stone } else { brick });
                face.proj.offset.x = if index == 2 { 0.25 } else { 0.75 };
            }
            draft.insert(Object::new(Kind::Mesh(made)));
        });
        s.editor.current_material = Some(Material::new(current, ""));
        s.select(&[id(1)]);
        s.move_to(FRONT, DVec2::ONE);
        s.key("C");
        s.click(FRONT, DVec3::new(-64.0, 32.0, 0.0));
        s.click(FRONT, DVec3::new(64.0, 32.0, 0.0));
        s.key("Enter");
        assert_eq!(s.labels(), ["Clip"]);
        let material = s.doc().material_named(current);
        assert!(material.is_some());
        let made = mesh(&s, 1);
        let caps: Vec<&Polygon> = made
            .polygons
            .iter()
            .filter(|face| {
                let corners = made.positions(face).expect("sound");
                corners.iter().all(|corner| (corner.y - 32.0).abs() < 1e-6)
            })
            .collect();
        assert!(!caps.is_empty());
        for cap in caps {
            assert_eq!(cap.material, material, "{current}");
            assert_eq!(cap.proj.offset.x, wanted_offset, "{current}");
        }
    }
}

#[test]
fn clp_3_caps_of_meshes_go_on_from_corners() {
    let mut square = tube();
    for face in &mut square.polygons {
        let corners = face.corners.iter().map(|&i| square.points[i as usize]);
        face.uvs = corners
            .map(|at| glam::Vec2::new((at.x + at.z) as f32 / 32.0, at.y as f32 / 32.0))
            .collect();
    }
    let mut s = Session::new(|draft| {
        draft.insert(Object::new(Kind::Mesh(square)));
    });
    let plane = Plane::new(DVec3::X, 24.0);
    s.editor
        .commit(&clip::clip(vec![id(1)], plane, Keep::Front, None))
        .expect("clips");
    let made = mesh(&s, 1);
    let cap = made.polygons.last().expect("a cap");
    assert_eq!(cap.uvs.len(), cap.corners.len());
    let corners = made.positions(cap).expect("sound");
    for i in 0..corners.len() {
        let j = (i + 1) % corners.len();
        let steps = (cap.uvs[i] - cap.uvs[j]) * 32.0;
        let apart = corners[i].distance(corners[j]) as f32;
        assert!(
            steps.length() > 0.5 * apart && steps.length() < 2.0 * apart,
            "no stretch"
        );
    }
}
