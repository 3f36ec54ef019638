//! Shapes made by hand, and random small worlds.

use proptest::prelude::*;

use crate::formats::ogz::measure::Surfaces;
use crate::formats::ogz::measure::is_convex;
use crate::formats::ogz::pieces::Pieces;
use crate::formats::ogz::pieces::pieces;
use crate::formats::ogz::raw::Facts;
use crate::formats::ogz::raw::Family;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::Node;
use crate::formats::ogz::raw::Octree;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::shape::SOLID_EDGES;
use crate::formats::ogz::shape::Shape;
use crate::formats::ogz::shape::edges_of_spans;
use crate::formats::ogz::shape::is_degenerate;
use crate::formats::ogz::visible::visible_triangles;
use crate::formats::ogz::volumes::VolumeKind;
use crate::task::Progress;

/// Index of the edge along Z at a corner with these bits of X and Y.
fn along_z(x: usize, y: usize) -> usize {
    8 + x + 2 * y
}

/// A solid cube with these heights of its top corners, in order of (0, 0), (1, 0), (0, 1), (1, 1).
fn with_top(heights: [u8; 4]) -> [u8; 12] {
    let mut edges = SOLID_EDGES;
    for (index, height) in heights.into_iter().enumerate() {
        edges[along_z(index & 1, index >> 1)] = height << 4;
    }
    edges
}

#[test]
fn corners_follow_their_edges() {
    assert_eq!(Shape::new(&SOLID_EDGES), Shape::SOLID);
    let mut edges = SOLID_EDGES;
    // Along X at y = 1, z = 0; along Y at z = 1, x = 0; along Z at x = 1, y = 0.
    edges[1] = 0x62;
    edges[4 + 1] = 0x71;
    edges[8 + 1] = 0x53;
    let corners = Shape::new(&edges).corners;
    assert_eq!(corners[0b010], [2, 8, 0]);
    assert_eq!(corners[0b011], [6, 8, 0]);
    assert_eq!(corners[0b100], [0, 1, 8]);
    assert_eq!(corners[0b110], [0, 7, 8]);
    assert_eq!(corners[0b001], [8, 0, 3]);
    assert_eq!(corners[0b101], [8, 0, 5]);
    assert_eq!(corners[0b111], [8, 8, 8]);
}

#[test]
fn the_diagonal_bulges_outwards() {
    // A top bent along either diagonal: the volume is that of the larger of the two solids.
    let ridge = Shape::new(&with_top([8, 2, 2, 8]));
    assert_eq!(ridge.six_volumes(), 6 * (64 * 2 + 64 * 6 * 2 / 3));
    assert!(ridge.is_convex());
    let other = Shape::new(&with_top([2, 8, 8, 2]));
    assert_eq!(other.six_volumes(), ridge.six_volumes());
    assert!(other.is_convex());
    assert_eq!(
        (ridge.bulge(5).signum(), other.bulge(5).signum()),
        (1, -1),
        "cut along different diagonals"
    );
    // One corner down to half: one tetrahedron less.
    let dented = Shape::new(&with_top([4, 8, 8, 8]));
    assert_eq!(dented.six_volumes(), 6 * 512 - 8 * 8 * 4);
    let slope = Shape::new(&with_top([0, 8, 0, 8]));
    assert_eq!(slope.bulge(5), 0);
    assert_eq!(slope.six_volumes(), 3 * 512);
}

#[test]
fn edges_that_cannot_be_are_known() {
    assert!(!is_degenerate(&SOLID_EDGES));
    assert!(is_degenerate(&with_top([0, 0, 0, 0])));
    assert!(!is_degenerate(&with_top([0, 0, 0, 1])));
    let mut crossed = SOLID_EDGES;
    crossed[3] = 0x35;
    assert!(is_degenerate(&crossed));
    crossed[3] = 0x90;
    assert!(is_degenerate(&crossed));
}

#[test]
fn old_spans_meet_in_corners() {
    assert_eq!(edges_of_spans(SOLID_EDGES), SOLID_EDGES);
    let slope = with_top([2, 8, 2, 8]);
    assert_eq!(edges_of_spans(slope), slope, "one plane has moved");
    // The side +X leans to x = 8 - z / 2 and the top to z = 8 - x / 2: they meet at 16 / 3.
    let mut edges = with_top([8, 4, 8, 4]);
    edges[2] = 0x40;
    edges[3] = 0x40;
    let corners = Shape::new(&edges_of_spans(edges)).corners;
    assert_eq!(corners[0b101], [5, 0, 5]);
    assert_eq!(corners[0b111], [5, 8, 5]);
    assert_eq!(corners[0b001], [8, 0, 0]);
    assert_eq!(corners[0b100], [0, 0, 8]);
}

/// A world of 64 units made of what `next` gives for each leaf; `None` splits a cube.
fn world(next: &mut dyn FnMut(u32) -> Option<Leaf>) -> RawMap {
    fn fill(
        tree: &mut Octree,
        origin: [i32; 3],
        size: i32,
        depth: u32,
        next: &mut dyn FnMut(u32) -> Option<Leaf>,
    ) -> Node {
        if depth > 0
            && let Some(leaf) = next(depth)
        {
            tree.leaves.push(Leaf {
                origin,
                size,
                ..leaf
            });
            return Node::Leaf(tree.leaves.len() as u32 - 1);
        }
        let split = tree.splits.len();
        tree.splits.push([Node::Leaf(0); 8]);
        for index in 0..8 {
            let at = [0, 1, 2].map(|axis| origin[axis] + size / 2 * (index >> axis & 1) as i32);
            tree.splits[split][index] = fill(tree, at, size / 2, depth + 1, next);
        }
        Node::Split(split as u32)
    }
    let mut tree = Octree::default();
    fill(&mut tree, [0; 3], 64, 0, next);
    RawMap {
        family: Family::Sauerbraten,
        version: 33,
        world_size: 64,
        game: "fps".to_owned(),
        variables: Vec::new(),
        entities: Vec::new(),
        slots: Vec::new(),
        tree,
        facts: Facts::default(),
    }
}

fn leaf(fill: Fill, edges: [u8; 12]) -> Leaf {
    Leaf {
        origin: [0; 3],
        size: 0,
        fill,
        edges,
        textures: [1; 6],
        material: 0,
    }
}

/// A leaf, or a split where the tree may still go down.
fn random_leaf(seed: &mut u64, depth: u32) -> Option<Leaf> {
    let mut roll = |sides: u64| {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % sides
    };
    if depth < 3 && roll(3) == 0 {
        return None;
    }
    let mut made = match roll(4) {
        0 => leaf(Fill::Empty, [0; 12]),
        1 => leaf(Fill::Solid, SOLID_EDGES),
        kind => {
            // Coarse steps make neighbours whose faces meet; fine ones make everything else.
            let step = if kind == 2 { 4 } else { 1 };
            let mut edges = SOLID_EDGES;
            let only_tops = roll(2) == 0;
            for (index, edge) in edges.iter_mut().enumerate() {
                let high = roll(8 / step + 1) * step;
                let low = if only_tops {
                    0
                } else {
                    roll(high / step + 1) * step
                };
                if index >= 8 || !only_tops {
                    *edge = (high << 4 | low) as u8;
                }
            }
            if is_degenerate(&edges) {
                leaf(Fill::Empty, [0; 12])
            } else {
                leaf(Fill::Deformed, edges)
            }
        }
    };
    made.textures = [0; 6].map(|_: u16| roll(3) as u16);
    made.material = match roll(8) {
        0 => material::ALPHA,
        1 => material::NO_CLIP,
        2 => material::WATER,
        3 => material::CLIP,
        _ => 0,
    };
    Some(made)
}

fn made(map: &RawMap) -> Pieces {
    pieces(map, &Progress::new()).expect("not cancelled")
}

/// What must be true of the pieces of any world.
fn check_pieces(map: &RawMap, made: &Pieces) -> Result<(), TestCaseError> {
    for solid in &made.solids {
        let planes = solid.facets.iter().map(|facet| facet.plane);
        prop_assert!(is_convex(&solid.corners, planes));
        prop_assert!(solid.facets.len() >= 4);
        prop_assert!(
            solid
                .facets
                .iter()
                .all(|facet| facet.corners.count_ones() >= 3)
        );
    }
    let facts = made.facts;
    let leaves = map.tree.leaves.iter();
    prop_assert_eq!(
        facts.leaves,
        leaves.filter(|leaf| leaf.fill != Fill::Empty).count()
    );
    let in_solids: u32 = made.solids.iter().map(|solid| solid.leaves).sum();
    let split = facts.bent_leaves - made.meshes.len();
    prop_assert_eq!(
        in_solids as usize + made.meshes.len() + facts.flat_leaves + split,
        facts.leaves + facts.tetrahedra
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn joining_keeps_volume_area_and_pictures(seed: u64) {
        let mut state = seed;
        let map = world(&mut |depth| {
            let mut made = random_leaf(&mut state, depth)?;
            let shape = Shape::of(&made);
            if made.fill == Fill::Deformed && (!shape.is_convex() || shape.six_volumes() == 0) {
                (made.fill, made.edges) = (Fill::Solid, SOLID_EDGES);
            }
            Some(made)
        });
        let visible = visible_triangles(&map, &Progress::new()).expect("not cancelled");
        let made = made(&map);
        check_pieces(&map, &made)?;
        let (before, after) = (Surfaces::of_leaves(&map, &visible), Surfaces::of_pieces(&made));
        prop_assert!((before.volume() - after.volume()).abs() < 1e-6);
        prop_assert!((before.exposed_area() - after.exposed_area()).abs() < 1e-3);
        if made.facts.mixed_planes == 0 {
            let (before, after) = (before.exposed_by_slot(), after.exposed_by_slot());
            // At the world's border hidden parts may become part of a facet that can be seen; nothing seen is lost.
            for slot in [Some(0), Some(1), Some(2)] {
                let [before, after] = [&before, &after].map(|areas| areas.get(&slot).copied().unwrap_or(0.0));
                prop_assert!(before - after < 1e-3, "{:?}: {} {}", slot, before, after);
            }
        }
    }

    #[test]
    fn cubes_of_any_shape_keep_their_volume(seed: u64) {
        let mut state = seed;
        let map = world(&mut |depth| random_leaf(&mut state, depth));
        let visible = visible_triangles(&map, &Progress::new()).expect("not cancelled");
        let made = made(&map);
        check_pieces(&map, &made)?;
        let (before, after) = (Surfaces::of_leaves(&map, &visible), Surfaces::of_pieces(&made));
        prop_assert!((before.volume() - after.volume()).abs() < 1e-6);
    }
}

#[test]
fn a_ramp_of_eight_cubes_becomes_one_wedge() {
    // Eight columns of a slope 1 : 8 along X on a floor, the rest empty.
    let mut index = 0;
    let mut map = world(&mut |depth| {
        if depth < 3 {
            return None;
        }
        let at = index;
        index += 1;
        // Place of the cube of 8 units, in depth-first order.
        let axis =
            |bit: usize| (at >> bit & 1) | (at >> (bit + 3) & 1) << 1 | (at >> (bit + 6) & 1) << 2;
        let (x, y, z) = (axis(0), axis(1), axis(2));
        let made = match z {
            0 => leaf(Fill::Solid, SOLID_EDGES),
            1 if y == 3 => {
                let (low, high) = (x as u8, x as u8 + 1);
                leaf(Fill::Deformed, with_top([low, high, low, high]))
            }
            _ => leaf(Fill::Empty, [0; 12]),
        };
        Some(made)
    });
    let first = made(&map);
    assert_eq!((first.facts.boxes, first.facts.slopes), (1, 1));
    let wedge = &first.solids[1];
    assert_eq!(wedge.leaves, 8);
    assert_eq!((wedge.corners.len(), wedge.facets.len()), (6, 5));
    // Another picture half way keeps two wedges apart.
    for leaf in &mut map.tree.leaves {
        if leaf.fill == Fill::Deformed && leaf.origin[0] >= 32 {
            leaf.textures[5] = 7;
        }
    }
    assert_eq!(made(&map).facts.slopes, 2);
}

#[test]
fn a_cube_that_is_not_convex_is_split() {
    // The middle of a saddle: all side faces bulge, but one corner lies in front of another face's plane.
    let mut seed = 7;
    let bent = std::iter::repeat_with(|| random_leaf(&mut seed, 9).expect("no splits this deep"))
        .find(|leaf| leaf.fill == Fill::Deformed && !Shape::of(leaf).is_convex())
        .expect("some are");
    let mut is_first = true;
    let map = world(&mut |_| {
        let made = if is_first {
            bent
        } else {
            leaf(Fill::Empty, [0; 12])
        };
        is_first = false;
        Some(made)
    });
    let made = made(&map);
    assert_eq!(made.facts.bent_leaves, 1);
    assert!(made.facts.tetrahedra > 0 || made.meshes.len() == 1);
}

#[test]
fn liquids_are_open_only_below_air() {
    // Water in the four lower cubes: under a solid, under water, under air, under air.
    let mut index = 0;
    let map = world(&mut |_| {
        let at = index;
        index += 1;
        let (fill, edges) = if at == 4 {
            (Fill::Solid, SOLID_EDGES)
        } else {
            (Fill::Empty, [0; 12])
        };
        let mut made = leaf(fill, edges);
        made.material = match at {
            0..=3 | 5 => material::WATER | 1,
            _ => 0,
        };
        Some(made)
    });
    let volumes = made(&map).volumes;
    let water = VolumeKind::Water(1);
    assert!(volumes.iter().all(|volume| volume.kind == water));
    let open: Vec<_> = volumes
        .iter()
        .filter(|volume| volume.is_open)
        .map(|volume| (volume.min, volume.max))
        .collect();
    assert_eq!(
        open,
        [
            ([0, 256, 0], [512, 512, 256]),
            ([256, 0, 256], [512, 256, 512])
        ]
    );
    assert_eq!(volumes.len(), 3, "the one under the solid is closed");
}

#[test]
fn the_shell_covers_open_borders_only() {
    let mut index = 0;
    let map = world(&mut |_| {
        let at = index;
        index += 1;
        Some(if at < 4 {
            leaf(Fill::Solid, SOLID_EDGES)
        } else {
            leaf(Fill::Empty, [0; 12])
        })
    });
    let shell = made(&map).shell;
    let sides: Vec<usize> = shell.iter().map(|slab| slab.side).collect();
    assert_eq!(sides, [0, 1, 2, 3, 5], "the floor is closed");
    assert_eq!((shell[0].min, shell[0].max), ([-16, 0, 32], [0, 64, 64]));
    assert_eq!((shell[4].min, shell[4].max), ([-16, -16, 64], [80, 80, 80]));
}
