use glam::DVec2;
use proptest::prelude::*;

use super::*;
use crate::document::Document;
use crate::formats::NoSiblings;
use crate::formats::unr::raw::RawMap;

fn mapping() -> Mapping {
    Mapping {
        texture: None,
        flags: 0,
        base: DVec3::new(16.0, 0.0, -8.0),
        u: DVec3::Y,
        v: DVec3::NEG_Z,
        pan: DVec2::new(5.0, -7.0),
    }
}

/// Of one polygon of the file's space.
fn mesh_of(corners: &[[f64; 3]]) -> Mesh {
    let corners: Vec<DVec3> = corners.iter().copied().map(DVec3::from).collect();
    let map = RawMap::default();
    let mut looks = Looks::new(&map, &NoSiblings);
    looks.insert([mapping()].iter(), &mut Document::default().edit());
    let mut builder = Builder::new("Brush7");
    builder.add(&corners, &mapping(), &looks);
    builder.mesh
}

fn total(parts: &[Vec<DVec3>]) -> f64 {
    parts.iter().map(|part| polygon::area(part)).sum()
}

/// A wall that looks along +X of the file, counter-clockwise about it by the usual formula on the raw numbers.
const WALL: [[f64; 3]; 4] = [
    [16.0, 0.0, 0.0],
    [16.0, 64.0, 0.0],
    [16.0, 64.0, 32.0],
    [16.0, 0.0, 32.0],
];

#[test]
fn a_wall_looks_the_way_it_did_and_shows_the_same_texels() {
    let mesh = mesh_of(&WALL);
    let polygon = &mesh.polygons[0];
    let corners = mesh.positions(polygon).expect("in range");
    assert_eq!(polygon::normal(&corners), Some(to_map(DVec3::X)));
    assert_eq!(corners.len(), 4);
    for (corner, uv) in corners.iter().zip(&polygon.uvs) {
        let texels = uv.as_dvec2() * 64.0;
        let point = crate::formats::unr::space::from_map(*corner);
        assert_eq!(texels, mapping().at(point));
    }
}

#[test]
fn polygons_that_meet_share_points() {
    let map = RawMap::default();
    let mut looks = Looks::new(&map, &NoSiblings);
    looks.insert([mapping()].iter(), &mut Document::default().edit());
    let wall = WALL.map(DVec3::from);
    let next = wall.map(|corner| corner + DVec3::Y * 64.0);
    let mut builder = Builder::new("");
    for corners in [wall, next] {
        assert!(builder.add(&corners, &mapping(), &looks));
    }
    assert!(!builder.add(&wall[..2], &mapping(), &looks), "no area");
    assert_eq!(
        (builder.mesh.points.len(), builder.mesh.polygons.len()),
        (6, 2)
    );
}

#[test]
fn bent_polygons_become_triangles() {
    let mut bent = WALL.map(DVec3::from);
    bent[2].x += 3.0;
    let parts = flat_parts(&bent);
    assert_eq!(parts.len(), 2);
    assert!(parts.iter().all(|part| part.len() == 3));
    let nearly = WALL
        .map(DVec3::from)
        .map(|corner| corner + DVec3::splat(0.1));
    assert_eq!(flat_parts(&nearly), [nearly.to_vec()]);
}

#[test]
fn corners_that_turn_inwards_are_cut_off() {
    let mut dented = WALL.map(DVec3::from).to_vec();
    dented.insert(1, DVec3::new(16.0, 20.0, 0.1));
    let parts = flat_parts(&dented);
    assert!(parts.len() > 1);
    assert!(parts.iter().all(|part| is_convex(part)));
    assert!((total(&parts) - polygon::area(&dented)).abs() < 1e-9);
    dented[1].z = 0.0;
    assert_eq!(
        flat_parts(&dented),
        [dented.clone()],
        "on the edge is no turn"
    );
}

#[test]
fn corners_that_come_twice_do_no_harm() {
    let wall = WALL.map(DVec3::from);
    let doubled = [wall[0], wall[0], wall[1], wall[2], wall[3], wall[0]];
    assert_eq!(flat_parts(&doubled), [wall.to_vec()]);
    let there_and_back = [wall[0], wall[1], wall[0], wall[1]];
    assert!(flat_parts(&there_and_back).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever points go round, each part is what a file may hold.
    #[test]
    fn parts_are_sound(corners in prop::collection::vec(prop::array::uniform3(-9..9i32), 0..9)) {
        let corners: Vec<DVec3> = corners
            .iter()
            .map(|corner| DVec3::from(corner.map(|part| f64::from(part) * 8.0)))
            .collect();
        for part in flat_parts(&corners) {
            prop_assert!(has_area(&part) && is_convex(&part));
            prop_assert!(polygon::off_plane(&part) <= off_plane_max(&part));
        }
    }
}
