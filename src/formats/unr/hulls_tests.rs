use glam::Vec3;

use super::*;
use crate::formats::unr::raw::Node;
use crate::formats::unr::self_check::Solidity;
use crate::formats::unr::self_check::agreement;
use crate::formats::unr::solidity::is_solid;

fn node(normal: Vec3, distance: f32, back: Option<u32>, front: Option<u32>) -> Node {
    Node {
        normal,
        distance,
        flags: 0,
        zone_mask: 0,
        first_vertex: 0,
        vertex_count: 4,
        surface: 0,
        back,
        front,
        coplanar: None,
        hull: None,
        zones: [0; 2],
        leaves: [None; 2],
    }
}

fn record(words: &[i32], bounds: [f32; 6]) -> Vec<i32> {
    let bounds = bounds.map(|number| number.to_bits() as i32);
    [words, &[-1], &bounds].concat()
}

/// Open in a slab 0 < z < 64 that leads everywhere.
fn slab() -> RawModel {
    let mut model = RawModel {
        nodes: vec![
            node(Vec3::Z, 0.0, None, Some(1)),
            node(-Vec3::Z, -64.0, None, None),
        ],
        ..RawModel::default()
    };
    let far = 32_768.0;
    model.leaf_hulls = [
        record(&[0], [-far, -far, -far, far, far, 0.0]),
        record(&[1], [-far, -far, 64.0, far, far, far]),
    ]
    .concat();
    model
}

#[test]
fn hulls_are_solid_where_the_tree_is() {
    let model = slab();
    let rock = [Aabb::new(DVec3::splat(-128.0), DVec3::splat(192.0))];
    let pieces = pieces(&model, &rock, &Patches::default());
    assert_eq!(pieces.len(), 2);
    assert_eq!(pieces[1].source, Source::Hull(1));
    let solidity = Solidity::new(&pieces);
    for (z, expected) in [(-20.0, true), (20.0, false), (60.0, false), (70.0, true)] {
        let point = DVec3::new(3.0, 4.0, z);
        assert_eq!(is_solid(&model, point), expected);
        assert_eq!(solidity.is_solid(point), expected);
    }
    let found = agreement(&model, &pieces, &rock, 500);
    assert_eq!((found.random, found.random_wrong), (500, 0));
    let none = agreement(&model, &[], &rock, 500);
    assert!(none.random_wrong > 300 && !none.is_good());
}

#[test]
fn a_reversed_plane_and_a_broken_record() {
    let mut model = slab();
    model.leaf_hulls = record(&[1 | REVERSED], [0.0, 0.0, 0.0, 8.0, 8.0, 8.0]);
    model.leaf_hulls.extend(record(&[77], [0.0; 6]));
    model.leaf_hulls.extend([0, -1, 0]);
    let hulls = leaf_hulls(&model);
    assert_eq!(hulls.len(), 1);
    assert_eq!(hulls[0].planes, [Plane::new(DVec3::Z, 64.0)]);
}

#[test]
fn flagged_nodes_and_loops() {
    let mut model = slab();
    model.nodes[1].flags = Node::NOT_CSG;
    assert!(!is_solid(&model, DVec3::new(0.0, 0.0, 100.0)));
    model.nodes[1].front = Some(0);
    assert!(!is_solid(&model, DVec3::new(0.0, 0.0, 20.0)));
    assert!(is_solid(&RawModel::default(), DVec3::ZERO));
}
