use glam::DMat3;
use glam::DQuat;
use proptest::prelude::*;

use super::*;

fn convex(planes: &[Plane], first: u32) -> Convex {
    let hull = Hull::from_planes(planes).restored(None);
    Convex::new(&hull, planes, first).expect("sound")
}

fn cuboid(min: [f64; 3], max: [f64; 3], first: u32) -> Convex {
    let (min, max) = (DVec3::from(min), DVec3::from(max));
    convex(
        &[
            Plane::new(DVec3::X, max.x),
            Plane::new(DVec3::NEG_X, -min.x),
            Plane::new(DVec3::Y, max.y),
            Plane::new(DVec3::NEG_Y, -min.y),
            Plane::new(DVec3::Z, max.z),
            Plane::new(DVec3::NEG_Z, -min.z),
        ],
        first,
    )
}

/// Rounded to what a file holds.
fn hull_of(points: &[DVec3], first: u32) -> Option<Convex> {
    let (planes, _) = Hull::from_points(points)?;
    let planes: Vec<Plane> = planes.into_iter().map(Plane::rounded).collect();
    let hull = Hull::from_planes(&planes).restored(None);
    Convex::new(&hull, &planes, first)
}

/// The solid that a brush of the same planes would be.
fn rebuilt(piece: &Convex) -> Vec<Plane> {
    let planes: Vec<Plane> = piece.sides().iter().map(|side| side.plane).collect();
    let hull = Hull::from_planes(&planes);
    assert_eq!(hull.fault(), None, "{piece:?}");
    let (made, meant) = (hull.volume(), piece.volume());
    assert!(
        (made - meant).abs() <= 0.01 * piece.bounds().half_area(),
        "{made} is not {meant}: {piece:?}"
    );
    planes
}

/// Most by which the point is in front of a plane: negative inside.
fn height(planes: &[Plane], point: DVec3) -> f64 {
    planes
        .iter()
        .map(|plane| plane.distance(point))
        .fold(f64::NEG_INFINITY, f64::max)
}

fn planes_of(solid: &Convex) -> Vec<Plane> {
    solid.sides().iter().map(|side| side.plane).collect()
}

#[test]
fn a_hole_through_a_wall_leaves_four_pieces() {
    let wall = cuboid([0.0, 0.0, 0.0], [256.0, 128.0, 16.0], 0);
    let door = cuboid([96.0, 32.0, -8.0], [160.0, 96.0, 24.0], 100);
    let pieces = wall.without(&door, SLIVER).expect("touched");
    assert_eq!(pieces.len(), 4);
    let left: f64 = pieces.iter().map(Convex::volume).sum();
    assert!((left - (256.0 * 128.0 - 64.0 * 64.0) * 16.0).abs() < 1e-6);
    // The largest goes first: a whole side of the wall.
    assert_eq!(pieces[0].volume(), 96.0 * 128.0 * 16.0);
    let new: Vec<&ConvexSide> = pieces
        .iter()
        .flat_map(Convex::sides)
        .filter(|side| side.source >= 100 && side.turned)
        .collect();
    assert_eq!(new.len(), 4, "one side of the door each");
}

#[test]
fn what_only_touches_is_left_alone() {
    let wall = cuboid([0.0; 3], [64.0, 64.0, 16.0], 0);
    for other in [
        cuboid([64.0, 0.0, 0.0], [128.0, 64.0, 16.0], 100),
        cuboid([0.0, 0.0, 16.0], [64.0, 64.0, 32.0], 100),
        cuboid([0.0, 0.0, 15.995], [64.0, 64.0, 32.0], 100),
        cuboid([100.0; 3], [200.0; 3], 100),
    ] {
        assert!(wall.without(&other, SLIVER).is_none());
    }
    let around = cuboid([-1.0; 3], [100.0; 3], 100);
    assert_eq!(
        wall.without(&around, SLIVER).map(|pieces| pieces.len()),
        Some(0)
    );
}

#[test]
fn cubes_of_a_grid_join_and_an_l_does_not() {
    let cube = |x: f64, z: f64| cuboid([x, 0.0, z], [x + 16.0, 16.0, z + 16.0], 0);
    let four = [
        cube(0.0, 0.0),
        cube(16.0, 0.0),
        cube(0.0, 16.0),
        cube(16.0, 16.0),
    ];
    let whole = union_if_convex(&four.iter().collect::<Vec<_>>()).expect("a square");
    assert_eq!((whole.volume(), whole.sides().len()), (4.0 * 4096.0, 6));
    assert!(union_if_convex(&[&four[0], &four[1], &four[2]]).is_none());
    let groups = joined(&four[..3], |_, _| true);
    assert_eq!(groups.len(), 1, "two of the three are a bar");
    assert_eq!(groups[0].1.len(), 2);
    assert!(joined(&four, |_, _| false).is_empty());
    // No two of these five are convex together, but all of them are.
    let pinwheel = [
        cuboid([0.0, 0.0, 0.0], [32.0, 8.0, 16.0], 0),
        cuboid([32.0, 0.0, 0.0], [48.0, 8.0, 32.0], 0),
        cuboid([16.0, 0.0, 32.0], [48.0, 8.0, 48.0], 0),
        cuboid([0.0, 0.0, 16.0], [16.0, 8.0, 48.0], 0),
        cuboid([16.0, 0.0, 16.0], [32.0, 8.0, 32.0], 0),
    ];
    let groups = joined(&pinwheel, |_, _| true);
    assert_eq!(groups.len(), 1);
    assert_eq!(groups[0].0.volume(), 48.0 * 48.0 * 8.0);
}

#[test]
fn a_tiny_gap_is_no_union() {
    let a = cuboid([0.0; 3], [16.0; 3], 0);
    let b = cuboid([16.25, 0.0, 0.0], [32.0, 16.0, 16.0], 0);
    assert!(union_if_convex(&[&a, &b]).is_none());
    let inside = cuboid([4.0; 3], [8.0; 3], 0);
    assert_eq!(
        union_if_convex(&[&a, &inside]).map(|whole| whole.volume()),
        Some(4096.0)
    );
}

fn points() -> impl Strategy<Value = Vec<DVec3>> {
    prop::collection::vec(prop::array::uniform3(-64.0..64.0f64), 5..16)
        .prop_map(|list| list.into_iter().map(DVec3::from).collect())
}

/// A box turned anyhow.
fn turned_box() -> impl Strategy<Value = Vec<DVec3>> {
    (
        prop::array::uniform3(8.0..64.0f64),
        prop::array::uniform3(-48.0..48.0f64),
        prop::array::uniform4(-1.0..1.0f64),
    )
        .prop_filter_map("a turn", |(half, at, turn)| {
            let turn = DQuat::from_array(turn);
            if turn.length() < 0.1 {
                return None;
            }
            let turn = DMat3::from_quat(turn.normalize());
            let corners = Aabb::around(DVec3::ZERO, DVec3::from(half)).corners();
            Some(corners.map(|p| turn * p + DVec3::from(at)).to_vec())
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn pieces_hold_what_was_left(
        a in prop_oneof![points(), turned_box()],
        b in prop_oneof![points(), turned_box()],
        grid in any::<bool>(),
        samples in prop::collection::vec(prop::array::uniform3(-80.0..80.0f64), 300),
    ) {
        let on_grid = |list: Vec<DVec3>| -> Vec<DVec3> {
            if grid { list.into_iter().map(|p| (p / 8.0).round() * 8.0).collect() } else { list }
        };
        let (Some(a), Some(b)) = (hull_of(&on_grid(a), 0), hull_of(&on_grid(b), 1000)) else { return Ok(()) };
        let (in_a, in_b) = (planes_of(&a), planes_of(&b));
        let pieces: Vec<Vec<Plane>> = match a.without(&b, SLIVER) {
            Some(pieces) => pieces.iter().map(rebuilt).collect(),
            None => vec![in_a.clone()],
        };
        let both = a.shared(&b, SLIVER).map(|both| rebuilt(&both));
        for point in samples.into_iter().map(DVec3::from) {
            let (ha, hb) = (height(&in_a, point), height(&in_b, point));
            if ha.abs() < 0.02 || hb.abs() < 0.02 || pieces.iter().any(|piece| height(piece, point).abs() < 1e-3) {
                continue;
            }
            let inside = pieces.iter().filter(|piece| height(piece, point) < 0.0).count();
            prop_assert_eq!(inside, usize::from(ha < 0.0 && hb > 0.0), "{} {} {}", point, ha, hb);
            let shared = both.as_ref().is_some_and(|both| height(both, point) < 0.0);
            prop_assert_eq!(shared, ha < 0.0 && hb < 0.0, "{} {} {}", point, ha, hb);
        }
        // Cut and put together again it is what it was.
        if let Some(pieces) = a.without(&b, SLIVER).filter(|pieces| !pieces.is_empty())
            && let Some(shared) = a.shared(&b, SLIVER)
        {
            let mut all: Vec<&Convex> = pieces.iter().collect();
            all.push(&shared);
            if let Some(whole) = union_if_convex(&all) {
                prop_assert!((whole.volume() - a.volume()).abs() <= 1e-3 * a.volume(), "{} {}", whole.volume(), a.volume());
            }
        }
    }
}
