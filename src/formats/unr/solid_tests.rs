use glam::DVec3;
use glam::Vec3;
use proptest::prelude::*;

use super::*;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::flag;
use crate::formats::unr::replay::operation;
use crate::formats::unr::self_check::Solidity;
use crate::formats::unr::space::Rotator;
use crate::formats::unr::space::Scale;
use crate::formats::unr::testing::ADD;
use crate::formats::unr::testing::SUBTRACT;
use crate::formats::unr::testing::brush;
use crate::formats::unr::testing::cuboid;
use crate::formats::unr::testing::map;
use crate::formats::unr::testing::prism;
use crate::formats::unr::testing::room;
use crate::formats::unr::testing::with;

fn solids_of(actors: Vec<RawActor>) -> Solids {
    solids(&map(actors), &Progress::new()).expect("not cancelled")
}

fn volume(pieces: &[Piece]) -> f64 {
    pieces.iter().map(volume_of).sum()
}

fn volume_of(piece: &Piece) -> f64 {
    let pyramid = |face: &PieceFace| {
        let area = crate::geometry::polygon::area(&face.corners);
        area * face.distance / 3.0
    };
    piece.faces.iter().map(pyramid).sum()
}

fn block(min: f32, max: f32) -> RawActor {
    brush(ADD, cuboid(Vec3::splat(min), Vec3::splat(max)))
}

fn flagged(actor: RawActor, flags: u32) -> RawActor {
    with(actor, "PolyFlags", Value::Int(flags as i32))
}

#[test]
fn a_room_is_carved_from_a_box_of_rock() {
    let solids = solids_of(vec![room(128.0)]);
    assert_eq!(
        solids.rock,
        [Aabb::new(DVec3::splat(-192.0), DVec3::splat(192.0))]
    );
    assert_eq!(solids.pieces.len(), 6);
    let expected = 384f64.powi(3) - 256f64.powi(3);
    assert!((volume(&solids.pieces) - expected).abs() < 1e-3);
    let seen = solids.pieces.iter().flat_map(|piece| &piece.faces);
    assert_eq!(seen.filter(|face| face.mapping.is_some()).count(), 6);
}

#[test]
fn later_brushes_win_but_semisolid_ones_come_last() {
    let inner = || brush(SUBTRACT, cuboid(Vec3::splat(-16.0), Vec3::splat(16.0)));
    let middle = DVec3::ZERO;
    let is_solid = |actors| {
        let solids = solids_of(actors);
        Solidity::new(&solids.pieces).is_solid(middle)
    };
    assert!(is_solid(vec![room(128.0), inner(), block(-32.0, 32.0)]));
    assert!(!is_solid(vec![room(128.0), block(-32.0, 32.0), inner()]));
    let semisolid = flagged(block(-32.0, 32.0), flag::SEMISOLID);
    assert!(is_solid(vec![semisolid.clone(), room(128.0), inner()]));
    let pieces = solids_of(vec![semisolid, room(128.0)]).pieces;
    assert!(
        pieces
            .iter()
            .any(|piece| piece.is_semisolid && piece.is_whole)
    );
    for hollow in [
        flag::NOT_SOLID,
        flag::PORTAL,
        flag::SEMISOLID | flag::PORTAL,
    ] {
        let hollow = flagged(block(-32.0, 32.0), hollow);
        let solids = solids_of(vec![room(128.0), hollow.clone()]);
        assert!(!Solidity::new(&solids.pieces).is_solid(middle));
        assert_eq!(solids.hollow, [1]);
    }
    let carving = flagged(room(128.0), flag::NOT_SOLID | flag::SEMISOLID);
    assert!(!is_solid(vec![carving]));
}

#[test]
fn what_is_no_brush_of_the_world_does_nothing() {
    let builder = brush(0, cuboid(Vec3::splat(-64.0), Vec3::splat(64.0)));
    let mut mover = block(-32.0, 32.0);
    mover.class = std::sync::Arc::new(crate::formats::unr::raw::ObjectPath {
        name: "Mover".to_owned(),
        ..Default::default()
    });
    let solids = solids_of(vec![builder, room(128.0), mover.clone()]);
    assert_eq!(solids.pieces.len(), 6);
    let cells = cells_of(&mover, 7);
    assert_eq!(cells.len(), 1);
    assert_eq!(cells[0].source, Source::Brush(7));
    assert!(cells[0].faces.iter().all(|face| face.mapping.is_some()));
}

#[test]
fn text_names_the_operations() {
    let mut carving = room(128.0);
    carving.properties.0[0].value = Value::Enum("CSG_Subtract".to_owned());
    let mut adding = block(-32.0, 32.0);
    adding.properties.0[0].value = Value::Enum("csg_add".to_owned());
    assert_eq!(solids_of(vec![carving, adding]).pieces.len(), 7);
}

#[test]
fn concave_brushes_fall_into_cells_and_sheets_into_none() {
    let ell = prism(
        &[
            (0.0, 0.0),
            (64.0, 0.0),
            (64.0, 32.0),
            (32.0, 32.0),
            (32.0, 64.0),
            (0.0, 64.0),
        ],
        0.0,
        16.0,
    );
    let sheet = cuboid(Vec3::ZERO, Vec3::splat(32.0))[..1].to_vec();
    let solids = solids_of(vec![room(256.0), brush(ADD, ell), brush(ADD, sheet)]);
    assert_eq!(solids.concave, [(1, 2)]);
    assert_eq!(solids.sheets, [2]);
    let added: Vec<Piece> = solids.pieces[6..].to_vec();
    assert!((volume(&added) - 3.0 * 32.0 * 32.0 * 16.0).abs() < 1e-6);
    assert_eq!(solids.whole, 0);
}

#[test]
fn sheared_brushes_are_told_and_mirrored_ones_stay_closed() {
    let sheared = Value::Scale(Scale {
        scale: DVec3::new(-1.0, 1.0, 1.0),
        sheer_rate: 0.5,
        sheer_axis: 5,
    });
    let added = with(
        brush(ADD, cuboid(Vec3::ZERO, Vec3::new(32.0, 16.0, 8.0))),
        "MainScale",
        sheared,
    );
    let solids = solids_of(vec![room(128.0), added]);
    assert_eq!(solids.sheared, [1]);
    let solidity = Solidity::new(&solids.pieces);
    assert!(solidity.is_solid(DVec3::new(-16.0, 8.0, 4.0)));
    assert!(!solidity.is_solid(DVec3::new(16.0, 8.0, 4.0)));
    for face in solids.pieces.iter().flat_map(|piece| &piece.faces) {
        let normal = crate::geometry::polygon::normal(&face.corners).expect("area");
        assert!(normal.dot(face.normal) > 0.999_999);
    }
}

#[test]
fn a_plane_with_two_pictures_divides_the_brush_and_one_picture_does_not() {
    let two = |second: Option<u32>| {
        let mut polygons = cuboid(Vec3::ZERO, Vec3::new(64.0, 32.0, 32.0));
        let top = polygons.remove(0);
        for (from, to, texture) in [(0.0, 32.0, Some(0)), (32.0, 64.0, second)] {
            let mut half = top.clone();
            half.texture = texture;
            for vertex in &mut half.vertices {
                vertex.x = vertex.x.clamp(from, to);
            }
            polygons.push(half);
        }
        let solids = solids_of(vec![room(128.0), brush(ADD, polygons)]);
        (solids.pieces.len() - 6, solids.whole)
    };
    assert_eq!(two(Some(0)), (1, 1));
    assert_eq!(two(Some(1)), (2, 0));
}

#[test]
fn a_link_gives_polygons_the_alignment_of_the_one_it_names() {
    let mut polygons = cuboid(Vec3::ZERO, Vec3::splat(32.0));
    polygons[0].texture = Some(3);
    polygons[0].pan = [5, 7];
    polygons[0].link = 0;
    polygons[1].link = 0;
    polygons[2].link = 9;
    let placed = polygons_of(&brush(ADD, polygons));
    assert_eq!(placed[1].mapping.texture, Some(3));
    assert_eq!(placed[1].mapping.pan, glam::DVec2::new(5.0, 7.0));
    assert_eq!(placed[2].mapping.texture, None);
}

#[test]
fn rooms_that_share_a_floor_keep_their_own_pictures() {
    let carving = |x: f32, texture: u32| {
        let mut polygons = cuboid(Vec3::new(x, 0.0, 0.0), Vec3::new(x + 64.0, 64.0, 64.0));
        for polygon in &mut polygons {
            polygon.texture = Some(texture);
        }
        brush(SUBTRACT, polygons)
    };
    let solids = solids_of(vec![carving(0.0, 1), carving(64.0, 2)]);
    let floors = solids.pieces.iter().flat_map(|piece| &piece.faces);
    let floors = floors.filter(|face| face.normal == DVec3::Z && face.distance == 0.0);
    let mut seen: Vec<Option<u32>> = floors
        .filter_map(|face| face.mapping.as_ref().map(|mapping| mapping.texture))
        .collect();
    seen.sort_unstable();
    assert_eq!(seen, [Some(1), Some(2)]);
}

#[test]
fn kept_brushes_stay_as_they_are() {
    let kept = kept(&map(vec![
        flagged(block(-16.0, 16.0), flag::SEMISOLID),
        room(128.0),
        flagged(block(-8.0, 8.0), flag::NOT_SOLID),
    ]));
    assert_eq!(kept.rock.len(), 1);
    let order: Vec<(u32, Operation)> = kept
        .brushes
        .iter()
        .map(|brush| (brush.actor, brush.operation))
        .collect();
    assert_eq!(order, [(1, Operation::Subtract), (0, Operation::Add)]);
    assert!((volume(&kept.brushes[0].cells) - 256f64.powi(3)).abs() < 1e-3);
}

#[test]
fn numbers_that_are_none_cost_their_polygons() {
    let mut broken = cuboid(Vec3::splat(-16.0), Vec3::splat(16.0));
    broken[0].vertices[1].x = f32::NAN;
    broken[1].vertices[2].y = 1e30;
    broken[2].normal = Vec3::ZERO;
    broken[3].normal = Vec3::splat(f32::INFINITY);
    let nothing = Value::Scale(Scale {
        scale: DVec3::ZERO,
        ..Scale::default()
    });
    let solids = solids_of(vec![
        room(128.0),
        brush(ADD, broken),
        with(block(-8.0, 8.0), "MainScale", nothing),
        brush(ADD, Vec::new()),
    ]);
    // What is left of the first is open above and below, and ends at its corners.
    assert_eq!(solids.pieces.len(), 7);
    assert!((volume(&solids.pieces[6..]) - 32f64.powi(3)).abs() < 1e-6);
}

#[test]
fn a_cancelled_run_gives_nothing() {
    let progress = Progress::new();
    progress.cancel();
    assert!(solids(&map(vec![room(64.0)]), &progress).is_err());
}

/// Boxes, wedges and hexagonal prisms, turned and scaled.
fn any_brush() -> impl Strategy<Value = RawActor> {
    let place = prop::array::uniform3(-96.0..96.0f32);
    let size = prop::array::uniform3(16.0..80.0f32);
    let turn = prop::array::uniform3(-40_000..40_000i32);
    let mirror = prop::array::uniform3(any::<bool>());
    (any::<bool>(), 3..7usize, place, size, turn, mirror).prop_map(
        |(is_add, sides, place, size, [pitch, yaw, roll], mirror)| {
            let outline: Vec<(f32, f32)> = (0..sides)
                .map(|side| side as f32 / sides as f32 * std::f32::consts::TAU)
                .map(|angle| (angle.cos() * size[0], angle.sin() * size[1]))
                .collect();
            let operation = if is_add { ADD } else { SUBTRACT };
            let scale = mirror.map(|mirror| if mirror { -1.25 } else { 0.75 });
            let actor = brush(operation, prism(&outline, -size[2], size[2]));
            let actor = with(
                actor,
                "Location",
                Value::Vector(Vec3::from(place).as_dvec3()),
            );
            let turned = Value::Rotator(Rotator { pitch, yaw, roll });
            let actor = with(actor, "Rotation", turned);
            let scale = Value::Scale(Scale {
                scale: DVec3::from(scale),
                ..Scale::default()
            });
            with(actor, "MainScale", scale)
        },
    )
}

/// Distance behind the nearest face of a convex brush; negative outside.
fn depth(polygons: &[PlacedPolygon], point: DVec3) -> f64 {
    let distances = polygons
        .iter()
        .map(|polygon| -polygon.plane.distance(point));
    distances.fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn pieces_are_solid_where_the_last_brush_adds(
        mut actors in prop::collection::vec(any_brush(), 1..7),
        points in prop::collection::vec(prop::array::uniform3(-150.0..150.0f64), 300),
    ) {
        actors.insert(0, room(180.0));
        let solids = solids_of(actors.clone());
        let placed: Vec<_> = actors.iter().map(|actor| (operation(actor), polygons_of(actor))).collect();
        let solidity = Solidity::new(&solids.pieces);
        for point in points.into_iter().map(DVec3::from) {
            let depths: Vec<f64> = placed.iter().map(|(_, polygons)| depth(polygons, point)).collect();
            // Slivers may be gone.
            if depths.iter().any(|depth| depth.abs() <= 0.2) {
                continue;
            }
            let last = placed.iter().zip(&depths).rev().find(|(_, depth)| **depth > 0.0);
            let expected = last.is_none_or(|((operation, _), _)| *operation == Some(Operation::Add));
            prop_assert_eq!(solidity.is_solid(point), expected, "{}", point);
        }
    }

    #[test]
    fn what_is_carved_and_what_is_left_make_up_the_whole(
        solid in any_brush(),
        carving in any_brush(),
    ) {
        let part = |actor: &RawActor| cells(&polygons_of(actor)).parts.pop().expect("a convex brush");
        let (solid, carving) = (part(&solid), part(&carving));
        let whole = solid.volume();
        let shared = carving.sides().iter().try_fold(solid.clone(), |part, side| part.behind(*side));
        let shared = shared.map_or(0.0, |part| part.volume());
        let left: f64 = match solid.without(&carving) {
            crate::formats::unr::part::Remains::Untouched(part) => part.volume(),
            crate::formats::unr::part::Remains::Cut(parts) => parts.iter().map(Part::volume).sum(),
        };
        // Slivers of a twentieth of a unit are dropped, and corners near a plane stay where they are.
        prop_assert!((left + shared - whole).abs() < 0.001 * whole + 20.0, "{left} + {shared} of {whole}");
    }
}
