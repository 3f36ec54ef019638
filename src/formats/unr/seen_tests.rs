use glam::Vec3;
use proptest::prelude::*;

use super::*;
use crate::formats::unr::raw::Surface;

fn node(surface: u32, first_vertex: u32, vertex_count: u8) -> Node {
    Node {
        normal: Vec3::Z,
        distance: 0.0,
        flags: 0,
        zone_mask: 0,
        first_vertex,
        vertex_count,
        surface,
        back: None,
        front: None,
        coplanar: None,
        hull: None,
        zones: [0, 1],
        leaves: [None; 2],
    }
}

fn surface(flags: u32) -> Surface {
    Surface {
        texture: Some(0),
        flags,
        base: 0,
        normal: 0,
        u: 1,
        v: 2,
        lightmap: None,
        polygon: 0,
        pan: [3, -5],
        actor: Some(7),
    }
}

/// Flat polygons at height 0, one node and surface each.
fn model(polygons: &[(u32, &[[f32; 2]])]) -> RawModel {
    let mut model = RawModel {
        vectors: vec![Vec3::Z, Vec3::X * 2.0, Vec3::NEG_Y],
        ..RawModel::default()
    };
    for (number, (flags, corners)) in (0..).zip(polygons) {
        let first = model.points.len() as u32;
        model
            .points
            .extend(corners.iter().map(|&[x, y]| Vec3::new(x, y, 0.0)));
        let ends = first..model.points.len() as u32;
        model.vertices.extend(ends.map(|point| (point, -1)));
        model.nodes.push(node(number, first, corners.len() as u8));
        model.surfaces.push(surface(*flags));
    }
    model
}

fn seen(model: &RawModel) -> Seen {
    Seen::of(model, &SkyPart::default(), &Progress::new()).expect("not cancelled")
}

/// A wide one above two narrow ones: their common corner lies on its lower edge.
const WIDE: &[[f32; 2]] = &[[0.0, 0.0], [64.0, 0.0], [64.0, 32.0], [0.0, 32.0]];
const LEFT: &[[f32; 2]] = &[[0.0, -8.0], [24.0, -8.0], [24.0, 0.05], [0.0, 0.0]];
const RIGHT: &[[f32; 2]] = &[[24.0, -8.0], [64.0, -8.0], [64.0, 0.0], [24.0, 0.05]];

#[test]
fn corners_of_neighbours_on_an_edge_become_corners() {
    let seen = seen(&model(&[(0, WIDE), (0, LEFT), (0, RIGHT)]));
    let wide = &seen.polygons[0];
    assert_eq!(wide.area(), 64.0 * 32.0);
    assert_eq!(wide.corners.len(), 4, "as the file has them");
    let outline: Vec<[f32; 2]> = wide
        .outline
        .iter()
        .map(|point| [point.x as f32, point.y as f32])
        .collect();
    let expected = [WIDE[0], [24.0, 0.05], WIDE[1], WIDE[2], WIDE[3]];
    assert_eq!(outline, expected);
    assert_eq!(seen.inserted, 1);
    assert_eq!(seen.polygons[1].outline, seen.polygons[1].corners);
}

#[test]
fn looks_come_from_the_surface() {
    let flags = flag::MASKED | flag::EDITOR;
    let seen = seen(&model(&[
        (flags, WIDE),
        (flag::INVISIBLE, LEFT),
        (flag::NOT_SOLID, RIGHT),
    ]));
    let [wide, left, right] = &seen.polygons[..] else {
        panic!("three polygons")
    };
    assert_eq!(wide.mapping.flags, flag::MASKED);
    assert_eq!(
        wide.mapping.at(DVec3::new(10.0, 4.0, 0.0)).to_array(),
        [23.0, -9.0]
    );
    assert_eq!(wide.actor, Some(7));
    assert!(wide.is_drawn() && wide.is_solid);
    assert!(!left.is_drawn() && left.is_solid);
    assert!(right.is_drawn() && !right.is_solid);
}

#[test]
fn nodes_that_hold_nothing_sound_are_counted() {
    let mut model = model(&[(0, WIDE), (0, LEFT), (0, RIGHT)]);
    model.nodes[0].vertex_count = 0;
    model.nodes[1].surface = 9;
    model.points[9].x = f32::NAN;
    let seen = seen(&model);
    assert!(seen.polygons.is_empty());
    assert_eq!((seen.empty_nodes, seen.bad_polygons), (1, 2));
    assert!(seen.bounds().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// However far an edge goes through the cells, the point is found; what is off the edge is not.
    #[test]
    fn points_are_found_on_long_edges(
        from in prop::array::uniform3(-3000.0..3000.0f64),
        to in prop::array::uniform3(-3000.0..3000.0f64),
        part in 0.01..0.99f64,
        off in 0.0..0.3f64,
    ) {
        let (from, to) = (DVec3::from(from), DVec3::from(to));
        prop_assume!(from.distance(to) > 50.0);
        prop_assume!((off - ON_EDGE).abs() > 1e-6);
        let sideways = (to - from).normalize().any_orthonormal_vector();
        let point = from + (to - from) * part + sideways.normalize() * off;
        let grid = Points::new([from, to, point].iter());
        let mut found = Vec::new();
        grid.on_edge(from, to, &mut found);
        prop_assert_eq!(found.len(), usize::from(off < ON_EDGE));
    }
}
