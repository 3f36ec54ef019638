use proptest::prelude::*;

use super::*;
use crate::geometry::Hull;

/// Volume of a polygon's prism or of any closed shape, from its own description.
fn polygon_area(corners: &[glam::DVec2]) -> f64 {
    (0..corners.len())
        .map(|i| corners[i].perp_dot(corners[(i + 1) % corners.len()]))
        .sum::<f64>()
        * 0.5
}

fn built(shape: &Shape, bounds: Aabb, step: f64) -> Result<Vec<Hull>, &'static str> {
    let pieces = shape.pieces(bounds, step)?;
    Ok(pieces
        .corners
        .iter()
        .map(|corners| Hull::from_points(corners).expect("volume").1)
        .collect())
}

fn volume(shape: &Shape, bounds: Aabb) -> f64 {
    built(shape, bounds, 1.0)
        .expect("a shape")
        .iter()
        .map(Hull::volume)
        .sum()
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= expected * 1e-3,
        "{found} is not {expected}"
    );
}

fn any_shape() -> impl Strategy<Value = (Shape, Aabb)> {
    let numbers = (
        0usize..11,
        0usize..3,
        0u8..4,
        3u32..40,
        0usize..3,
        1.0..40.0f64,
        0.0..=1.0f64,
        3u32..12,
    );
    let more = (any::<bool>(), 4.0..24.0f64, -720.0..720.0f64, any::<bool>());
    let place = (
        prop::array::uniform3(-64i32..64),
        prop::array::uniform3(1i32..16),
    );
    (numbers, more, place).prop_map(|(numbers, more, (min, size))| {
        let (kind, axis, turns, sides, circle, thickness, top, tube_sides) = numbers;
        let (icosahedral, step_height, arc_deg, open) = more;
        let shape = Shape {
            kind: ShapeKind::ALL[kind],
            axis,
            turns,
            sides,
            circle: [Circle::Edge, Circle::Vertex, Circle::Grid][circle],
            thickness,
            top,
            tube_sides,
            icosahedral,
            step_height,
            arc_deg,
            open,
        };
        let min = DVec3::from_array(min.map(|value| f64::from(value) * 16.0));
        let size = DVec3::from_array(size.map(|value| f64::from(value) * 16.0));
        (shape, Aabb::new(min, min + size))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    /// Closed, convex, inside the box, none overlapping another.
    #[test]
    fn bru_3_pieces_are_solids_inside_the_box((shape, bounds) in any_shape()) {
        let pieces = match shape.pieces(bounds, 16.0) {
            Ok(pieces) => pieces,
            Err(reason) => {
                prop_assert!(!reason.is_empty());
                return Ok(());
            }
        };
        prop_assert!(!pieces.corners.is_empty() && pieces.corners.len() <= MOST_PIECES);
        let inside = bounds.grown(1e-9);
        let mut hulls = Vec::new();
        for corners in &pieces.corners {
            prop_assert!(corners.iter().all(|&corner| inside.contains(corner)), "{shape:?}");
            let (planes, hull) = Hull::from_points(corners).expect("volume");
            prop_assert_eq!(hull.fault(), None);
            for plane in &planes {
                prop_assert!(corners.iter().all(|&corner| plane.distance(corner) <= 0.01));
            }
            hulls.push((planes, hull));
        }
        // The middle of a piece lies in no other piece.
        for (index, (_, hull)) in hulls.iter().enumerate().take(24) {
            let middle = hull.points().iter().sum::<DVec3>() / hull.points().len() as f64;
            for (other, (planes, _)) in hulls.iter().enumerate() {
                let is_in = planes.iter().all(|plane| plane.distance(middle) < -1e-3);
                prop_assert!(other == index || !is_in, "{shape:?}: {index} in {other}");
            }
        }
        for face in pieces.bands.iter().flatten() {
            prop_assert!(pieces.corners[face.piece].iter().any(|&corner| corner.distance(face.from) < 1e-9));
        }
    }

    /// Prisms and frusta of circles have the volume of their polygons.
    #[test]
    fn bru_3_volume_of_round_shapes(sides in 3u32..64, circle in 0usize..3, top in 0.0..=1.0f64, size in prop::array::uniform3(2u32..16)) {
        let size = DVec3::from_array(size.map(|value| f64::from(value) * 32.0));
        let bounds = Aabb::new(DVec3::ZERO, size);
        let circle = [Circle::Edge, Circle::Vertex, Circle::Grid][circle];
        // The polygon of radius 1, as wide as it comes, over the square it fills.
        let area = polygon_area(&circle.corners(sides)) / 4.0 * size.x * size.z;
        let edge = top * size.x.min(size.z) * 3.0 / f64::from(circle.sides(sides));
        let top = if edge < 0.125 { 0.0 } else { top };
        let shape = Shape { sides, circle, top, ..Shape::default() };
        let expected = area * size.y * (1.0 + top + top * top) / 3.0;
        let cylinder = volume(&Shape { kind: ShapeKind::Cylinder, ..shape }, bounds);
        prop_assert!((cylinder - expected).abs() <= expected * 1e-3, "{cylinder} {expected}");
        let cone = volume(&Shape { kind: ShapeKind::Cone, ..shape }, bounds);
        prop_assert!((cone - area * size.y / 3.0).abs() <= cone * 1e-3);
        let thin = Shape { kind: ShapeKind::Tube, thickness: 8.0, ..shape };
        if let Ok(tube) = built(&thin, bounds, 1.0) {
            let inner = polygon_area(&circle.corners(sides)) / 4.0 * (size.x - 16.0) * (size.z - 16.0);
            let tube: f64 = tube.iter().map(Hull::volume).sum();
            let expected = (area - inner) * size.y;
            prop_assert!((tube - expected).abs() <= expected * 1e-3, "{tube} {expected}");
        }
    }
}

#[test]
fn bru_3_volumes_of_the_others() {
    let size = DVec3::new(256.0, 128.0, 192.0);
    let bounds = Aabb::new(
        DVec3::new(-64.0, 16.0, 32.0),
        DVec3::new(-64.0, 16.0, 32.0) + size,
    );
    let whole = size.element_product();
    let of = |kind: ShapeKind| Shape {
        kind,
        ..Shape::default()
    };
    near(volume(&of(ShapeKind::Box), bounds), whole);
    near(volume(&of(ShapeKind::Wedge), bounds), whole / 2.0);
    near(
        volume(
            &Shape {
                top: 0.0,
                ..of(ShapeKind::Pyramid)
            },
            bounds,
        ),
        whole / 3.0,
    );
    // Eight steps of 16: their mean height is 4.5 of 8.
    near(volume(&of(ShapeKind::Stairs), bounds), whole * 4.5 / 8.0);
    near(
        volume(
            &Shape {
                open: true,
                ..of(ShapeKind::Stairs)
            },
            bounds,
        ),
        whole / 8.0,
    );
    // A half circle of 12 edges on the bounds: half of the 24-sided ring.
    let arch = Shape {
        axis: 2,
        sides: 12,
        thickness: 32.0,
        ..of(ShapeKind::Arch)
    };
    let ring = |half: glam::DVec2| 24.0 * (std::f64::consts::PI / 24.0).tan() * half.x * half.y;
    let half = glam::DVec2::new(128.0, 128.0);
    near(
        volume(&arch, bounds),
        (ring(half) - ring(half - 32.0)) / 2.0 * size.z,
    );
    // A torus by its pieces: each is its section swept along the chord of its centre.
    let torus = Shape {
        thickness: 32.0,
        arc_deg: 360.0,
        circle: Circle::Vertex,
        sides: 24,
        ..of(ShapeKind::Torus)
    };
    let square = Aabb::new(DVec3::ZERO, DVec3::new(256.0, 64.0, 256.0));
    let section = polygon_area(&Circle::Edge.corners(8)) * 16.0 * 32.0;
    let turn = std::f64::consts::TAU / 24.0;
    near(
        volume(&torus, square),
        section * 24.0 * (128.0 - 16.0) * 2.0 * (turn / 2.0).sin() * (turn / 2.0).cos(),
    );
    // 20 triangles on the unit sphere.
    let ball = Shape {
        icosahedral: true,
        sides: 4,
        ..of(ShapeKind::Sphere)
    };
    let cube = Aabb::new(DVec3::ZERO, DVec3::splat(128.0));
    let golden = f64::midpoint(1.0, 5.0f64.sqrt());
    near(
        volume(&ball, cube),
        5.0 / 12.0 * (3.0 + 5.0f64.sqrt()) * 8.0 * (64.0f64 / golden).powi(3),
    );
}

#[test]
fn bru_3_circles_touch_the_bounds() {
    for circle in [Circle::Edge, Circle::Vertex, Circle::Grid] {
        for sides in 3..97 {
            let corners = circle.corners(sides);
            assert_eq!(corners.len() as u32, circle.sides(sides));
            let high = corners
                .iter()
                .fold(glam::DVec2::ZERO, |high, corner| high.max(corner.abs()));
            assert!(
                (high - 1.0).abs().max_element() < 1e-12,
                "{circle:?} {sides}"
            );
            let count = corners.len();
            assert!(
                (0..count).all(|i| {
                    let (a, b, c) = (
                        corners[i],
                        corners[(i + 1) % count],
                        corners[(i + 2) % count],
                    );
                    (b - a).perp_dot(c - b) > 0.0
                }),
                "{circle:?} {sides} is convex"
            );
        }
    }
}

#[test]
fn bru_3_corners_on_the_grid() {
    for (sides, cells) in [(12, 8.0), (24, 32.0), (48, 128.0), (96, 512.0)] {
        let shape = Shape {
            kind: ShapeKind::Cylinder,
            circle: Circle::Grid,
            sides,
            ..Shape::default()
        };
        let bounds = Aabb::new(DVec3::splat(-cells), DVec3::new(cells, 64.0, 0.0));
        let pieces = shape.pieces(bounds, 1.0).expect("a cylinder");
        assert_eq!(pieces.corners[0].len(), 2 * sides as usize);
        assert!(
            pieces.corners[0]
                .iter()
                .all(|corner| corner.fract() == DVec3::ZERO)
        );
        let (_, hull) = Hull::from_points(&pieces.corners[0]).expect("volume");
        assert_eq!(hull.loops().len(), sides as usize + 2);
    }
}

#[test]
fn a_spiral_turns_either_way_and_says_what_it_cannot() {
    let bounds = Aabb::new(DVec3::ZERO, DVec3::new(256.0, 128.0, 256.0));
    let spiral = Shape {
        kind: ShapeKind::SpiralStairs,
        arc_deg: 270.0,
        thickness: 96.0,
        ..Shape::default()
    };
    near(
        volume(&spiral, bounds),
        volume(
            &Shape {
                arc_deg: -270.0,
                ..spiral
            },
            bounds,
        ),
    );
    assert_eq!(spiral.pieces(bounds, 1.0).expect("steps").corners.len(), 8);
    for bad in [
        Shape {
            arc_deg: 720.0,
            ..spiral
        },
        Shape {
            arc_deg: 0.0,
            ..spiral
        },
        Shape {
            step_height: 0.0,
            ..spiral
        },
        Shape {
            step_height: 128.0,
            ..spiral
        },
        Shape {
            thickness: 128.0,
            kind: ShapeKind::Tube,
            ..spiral
        },
        Shape {
            thickness: -1.0,
            kind: ShapeKind::Arch,
            ..spiral
        },
    ] {
        assert!(bad.pieces(bounds, 1.0).is_err(), "{bad:?}");
    }
}

/// The ends of these pieces are flat, but so little off a plane of an axis that a few of their corners seem to be a face too.
#[test]
fn bru_3_pieces_of_a_torus_are_what_their_corners_say() {
    let one = Shape {
        kind: ShapeKind::Torus,
        axis: 2,
        sides: 20,
        circle: Circle::Vertex,
        thickness: 12.038_840_454_335_919,
        tube_sides: 11,
        arc_deg: -326.907_304_133_799_36,
        ..Shape::default()
    };
    let bounds = Aabb::new(
        DVec3::new(-128.0, -784.0, 608.0),
        DVec3::new(-48.0, -704.0, 672.0),
    );
    let pieces = one.pieces(bounds, 16.0).expect("a shape");
    assert_eq!(pieces.corners.len(), 20);
    for corners in &pieces.corners {
        let (planes, hull) = Hull::from_points(corners).expect("volume");
        assert_eq!((planes.len(), hull.points().len()), (13, 22));
        for plane in &planes {
            assert!(corners.iter().all(|&corner| plane.distance(corner) < 1e-9));
        }
    }
}

#[test]
fn bru_3_an_arc_of_nothing_is_refused() {
    let bounds = Aabb::new(DVec3::ZERO, DVec3::new(64.0, 64.0, 32.0));
    for kind in [ShapeKind::Torus, ShapeKind::SpiralStairs] {
        for arc_deg in [0.0, 0.01, -0.5] {
            let shape = Shape {
                kind,
                arc_deg,
                thickness: 8.0,
                ..Shape::default()
            };
            assert!(shape.pieces(bounds, 16.0).is_err(), "{kind:?} {arc_deg}");
        }
    }
}

#[test]
fn bru_3_a_last_step_that_nobody_could_see_belongs_to_the_one_below() {
    let bounds = Aabb::new(DVec3::ZERO, DVec3::new(160.0, 240.0, 64.0));
    let shape = Shape {
        kind: ShapeKind::Stairs,
        axis: 2,
        step_height: 15.999_9,
        ..Shape::default()
    };
    let pieces = shape.pieces(bounds, 1.0).expect("stairs");
    assert_eq!(pieces.corners.len(), 4);
    let high = pieces.corners.iter().flatten().map(|corner| corner.z);
    assert_eq!(high.fold(0.0, f64::max), 64.0);
    assert!(Hull::from_points(&pieces.corners[3]).is_some());
}
