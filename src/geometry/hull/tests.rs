//! Tests of hulls.

use proptest::prelude::*;

use super::*;
use crate::geometry::polygon;

fn plane(x: f64, y: f64, z: f64, dist: f64) -> Plane {
    Plane::new(DVec3::new(x, y, z), dist)
}

fn cube(half: f64) -> Vec<Plane> {
    [
        DVec3::X,
        DVec3::NEG_X,
        DVec3::Y,
        DVec3::NEG_Y,
        DVec3::Z,
        DVec3::NEG_Z,
    ]
    .map(|normal| Plane::new(normal, half))
    .to_vec()
}

/// Closed, convex, V - E + F = 2, loops counter-clockwise.
fn check_sound(name: &str, planes: &[Plane], hull: &Hull) {
    check_sound_within(
        name,
        planes,
        hull,
        1e-3 + 2e-6
            * hull
                .bounds()
                .min
                .abs()
                .max(hull.bounds().max.abs())
                .max_element(),
    );
}

fn check_sound_within(name: &str, planes: &[Plane], hull: &Hull, tolerance: f64) {
    assert_eq!(hull.fault(), None, "{name}");
    assert_eq!(hull.loops().len(), planes.len(), "{name}");
    let mut directed: Vec<(u32, u32)> = Vec::new();
    for corners in hull.loops() {
        assert!(corners.is_empty() || corners.len() >= 3, "{name}");
        directed.extend(
            corners
                .iter()
                .enumerate()
                .map(|(i, &a)| (a, corners[(i + 1) % corners.len()])),
        );
    }
    let total = directed.len();
    directed.sort_unstable();
    directed.dedup();
    assert_eq!(
        directed.len(),
        total,
        "{name}: an edge is used twice in one direction"
    );
    assert!(
        directed
            .iter()
            .all(|&(a, b)| directed.binary_search(&(b, a)).is_ok()),
        "{name}: an edge is open"
    );
    let faces = hull
        .loops()
        .iter()
        .filter(|corners| !corners.is_empty())
        .count();
    assert_eq!(
        hull.points().len() + faces,
        hull.edges().len() + 2,
        "{name}: Euler"
    );
    for (index, plane) in planes.iter().enumerate() {
        let unit = plane.unit().expect("a sound hull has sound planes");
        for &point in hull.points() {
            assert!(
                unit.distance(point) < tolerance,
                "{name}: {point} is {} in front",
                unit.distance(point)
            );
        }
        let corners: Vec<DVec3> = hull.face_points(index).collect();
        if polygon::area(&corners) > 1.0 {
            assert!(
                polygon::newell(&corners).dot(unit.normal) > 0.0,
                "{name}: face {index} is turned round"
            );
        }
    }
}

#[test]
fn known_shapes() {
    let check = |name: &str, planes: Vec<Plane>, points: usize, volume: f64| {
        let hull = Hull::from_planes(&planes);
        check_sound(name, &planes, &hull);
        assert_eq!(hull.points().len(), points, "{name}");
        assert!(
            (hull.volume() - volume).abs() <= 1e-9 * volume,
            "{name}: volume {}",
            hull.volume()
        );
    };
    check("cube", cube(1.0), 8, 8.0);
    check(
        "long normals",
        cube(1.0)
            .into_iter()
            .map(|p| Plane::new(p.normal * 3.0, p.dist * 3.0))
            .collect(),
        8,
        8.0,
    );
    check(
        "corner",
        vec![
            plane(-1., 0., 0., 0.),
            plane(0., -1., 0., 0.),
            plane(0., 0., -1., 0.),
            plane(1., 1., 1., 6.),
        ],
        4,
        36.0,
    );
    let mut cut = cube(1.0);
    cut.push(plane(1., 1., 1., 2.));
    check("cube with a corner off", cut, 10, 8.0 - 1.0 / 6.0);
    let mut through_edges = cube(1.0);
    through_edges.push(plane(1., 0., 1., 0.));
    check("half a cube, cut through two edges", through_edges, 6, 4.0);
    check(
        "far cube",
        cube(1.0)
            .into_iter()
            .map(|p| p.transformed(&DAffine3::from_translation(DVec3::splat(130_000.0))))
            .collect(),
        8,
        8.0,
    );
    check("huge cube", cube(3e6), 8, 6e6f64.powi(3));
}

#[test]
fn planes_that_add_nothing_have_empty_loops() {
    let mut planes = cube(64.0);
    planes.push(plane(1., 0., 0., 64.));
    planes.push(plane(1., 1., 0., 500.));
    planes.push(plane(1., 1e-7, 0., 64.));
    // Touches one edge only.
    planes.push(plane(1., 1., 0., 128.));
    let hull = Hull::from_planes(&planes);
    check_sound("cube and more", &planes, &hull);
    assert!(hull.loops()[6..].iter().all(Vec::is_empty));
    assert!(hull.loops()[..6].iter().all(|corners| corners.len() == 4));
}

#[test]
fn faults_keep_what_can_be_found() {
    let check = |name: &str, planes: Vec<Plane>, expected: HullFault, faces: usize| {
        let hull = Hull::from_planes(&planes);
        assert_eq!(hull.fault(), Some(expected), "{name}");
        assert_eq!(hull.loops().len(), planes.len(), "{name}");
        assert_eq!(
            hull.loops()
                .iter()
                .filter(|corners| corners.len() >= 3)
                .count(),
            faces,
            "{name}"
        );
        assert!(
            hull.points()
                .iter()
                .all(|point| point.abs().max_element() < 1e4),
            "{name}: near enough to draw"
        );
        assert_eq!(hull.volume(), 0.0, "{name}");
    };
    let with = |index: usize, plane: Plane| {
        let mut planes = cube(64.0);
        planes[index] = plane;
        planes
    };
    check("no plane", vec![], HullFault::TooFewFaces, 0);
    check(
        "three planes",
        cube(64.0).into_iter().step_by(2).collect(),
        HullFault::TooFewFaces,
        3,
    );
    check("open box", cube(64.0)[..5].to_vec(), HullFault::Open, 5);
    check(
        "not a number",
        with(2, plane(0., f64::NAN, 0., 1.)),
        HullFault::NotFinite,
        5,
    );
    check(
        "infinite distance",
        with(2, plane(0., 1., 0., f64::INFINITY)),
        HullFault::NotFinite,
        5,
    );
    check(
        "no direction",
        with(1, plane(1e-7, 0., 0., 1.)),
        HullFault::BadPlane(1),
        5,
    );
    check(
        "inside out",
        with(0, plane(1., 0., 0., -65.)),
        HullFault::Empty,
        0,
    );
    check(
        "flat",
        with(0, plane(1., 0., 0., -64.)),
        HullFault::Empty,
        0,
    );
    let thin = Hull::from_planes(&with(0, plane(1., 0., 0., -63.9995)));
    assert_eq!(thin.fault(), Some(HullFault::Empty));
    assert_eq!(
        Hull::from_planes(&with(0, plane(1., 0., 0., -63.998))).fault(),
        None
    );
    check(
        "one plane six times",
        vec![plane(1., 0., 0., 5.); 6],
        HullFault::Open,
        0,
    );
}

#[test]
fn corners_that_rounding_pulls_apart_are_one() {
    for sides in [5, 8, 12, 31] {
        let apex = DVec3::new(1000.0, 64.0, -2000.0);
        let mut planes = vec![
            Plane::through(DVec3::ZERO, DVec3::NEG_Y)
                .expect("unit")
                .rounded(),
        ];
        for i in 0..sides {
            let (sin, cos) = (f64::from(i) / f64::from(sides) * std::f64::consts::TAU).sin_cos();
            planes.push(
                Plane::through(apex, DVec3::new(cos, 0.7, sin))
                    .expect("a direction")
                    .rounded(),
            );
        }
        let hull = Hull::from_planes(&planes).restored(None);
        check_sound("cone", &planes, &hull);
        assert_eq!(
            hull.points().len(),
            sides as usize + 1,
            "{sides} sides meet in one apex"
        );
        assert!(hull.points().contains(&apex), "the apex is restored");
    }
}

#[test]
fn d24_puts_corners_on_eighths() {
    let check = |derived: f64, expected: f64| {
        let planes: Vec<Plane> = cube(0.0)
            .iter()
            .map(|p| Plane::new(p.normal, p.normal.x * derived + 1.0))
            .collect();
        let hull = Hull::from_planes(&planes);
        let hull = Hull {
            points: hull
                .points
                .iter()
                .map(|p| DVec3::new(derived, p.y, p.z))
                .collect(),
            ..hull
        }
        .restored(None);
        assert!(
            hull.points().iter().all(|point| point.x == expected),
            "{derived}: {:?}",
            hull.points()[0]
        );
    };
    check(256.0001, 256.0);
    check(255.87495, 255.875);
    check(256.0004, 256.0004);
    check(4096.002, 4096.0);
    check(131_072.03, 131_072.0);
    check(131_072.04, 131_072.04);
    check(-0.00005, 0.0);
}

#[test]
fn exact_corners_rule_within_their_tolerance() {
    let planes = cube(10.0);
    let mut wanted: Vec<Vec3> = Hull::from_planes(&planes)
        .restored(None)
        .points()
        .iter()
        .map(|p| p.as_vec3())
        .collect();
    assert_eq!(
        Hull::from_planes(&planes)
            .restored(None)
            .unrestored(&wanted),
        None
    );
    wanted[0].x += 0.001;
    let stored = Hull::from_planes(&planes)
        .restored(None)
        .unrestored(&wanted)
        .expect("one corner differs");
    assert_eq!(stored.len(), 8);
    let hull = Hull::from_planes(&planes).restored(Some(&stored));
    assert_eq!(hull.points()[0], wanted[0].as_dvec3());
    let far = Hull::from_planes(&planes).restored(Some(&[Vec3::splat(10.01)]));
    assert!(far.points().contains(&DVec3::splat(10.0)));
}

#[test]
fn mirrored_hulls_are_turned_round() {
    let planes = cube(4.0);
    let map = crate::geometry::transform::mirrored(0, 10.0);
    let mapped: Vec<Plane> = planes.iter().map(|plane| plane.transformed(&map)).collect();
    let hull = Hull::from_planes(&planes).transformed(&map);
    check_sound("mirrored", &mapped, &hull);
    assert!((hull.volume() - 512.0).abs() < 1e-9);
}

#[test]
fn hulls_of_points() {
    let check = |name: &str, points: &[DVec3], faces: usize, corners: usize| {
        let (planes, hull) = Hull::from_points(points).expect(name);
        check_sound(name, &planes, &hull);
        assert_eq!(
            (planes.len(), hull.points().len()),
            (faces, corners),
            "{name}"
        );
        assert!(
            hull.points().iter().all(|corner| points.contains(corner)),
            "{name}: corners are given points"
        );
    };
    let cube: Vec<DVec3> = Aabb::new(DVec3::ZERO, DVec3::new(64.0, 32.0, 16.0))
        .corners()
        .to_vec();
    check("box", &cube, 6, 8);
    let mut more = cube.clone();
    more.extend([
        DVec3::splat(8.0),
        DVec3::new(32.0, 0.0, 8.0),
        cube[3],
        DVec3::new(32.0, 32.0, 0.0),
    ]);
    check(
        "box with points inside, on faces, on edges and twice",
        &more,
        6,
        8,
    );
    check(
        "tetrahedron",
        &[DVec3::ZERO, DVec3::X * 9.0, DVec3::Y * 9.0, DVec3::Z * 9.0],
        4,
        4,
    );
    let prism: Vec<DVec3> = (0..24)
        .map(|i| {
            let (sin, cos) = (f64::from(i / 2) / 12.0 * std::f64::consts::TAU).sin_cos();
            DVec3::new(
                (cos * 64.0).round(),
                f64::from(i % 2) * 50.0,
                (sin * 64.0).round(),
            )
        })
        .collect();
    check("prism", &prism, 14, 24);
    assert!(Hull::from_points(&cube[..4]).is_none(), "flat");
    assert!(Hull::from_points(&[DVec3::ZERO; 9]).is_none(), "one point");
    assert!(Hull::from_points(&[DVec3::NAN; 9]).is_none());
    let line: Vec<DVec3> = (0..9).map(|i| DVec3::splat(f64::from(i))).collect();
    assert!(Hull::from_points(&line).is_none(), "a line");
}

fn direction() -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-1.0..1.0f64)
        .prop_map(DVec3::from)
        .prop_filter("a direction", |v| v.length() > 0.2)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_planes_round_a_point_close(
        normals in prop::collection::vec((direction(), 1.0..100.0f64), 0..30),
        center in prop::array::uniform3(-4096.0..4096.0f64),
        rounded in any::<bool>(),
    ) {
        let center = DVec3::from(center);
        let mut planes: Vec<Plane> = cube(120.0).into_iter().map(|p| Plane::new(p.normal, p.dist + p.normal.dot(center))).collect();
        planes.extend(normals.iter().map(|(normal, dist)| {
            let plane = Plane::through(center + normal.normalize() * *dist, *normal).expect("a direction");
            if rounded { plane.rounded() } else { plane }
        }));
        check_sound("random", &planes, &Hull::from_planes(&planes));
    }

    #[test]
    fn a_cut_keeps_the_volume(normals in prop::collection::vec((direction(), 5.0..100.0f64), 0..12), cut in (direction(), -50.0..50.0f64)) {
        let mut planes = cube(120.0);
        planes.extend(normals.iter().map(|(normal, dist)| Plane::new(normal.normalize(), *dist)));
        let whole = Hull::from_planes(&planes).volume();
        let knife = Plane::new(cut.0.normalize(), cut.1);
        let part = |knife: Plane| Hull::from_planes(&[&planes[..], &[knife]].concat()).volume();
        let sum = part(knife) + part(knife.flipped());
        prop_assert!((sum - whole).abs() < 1e-3 * whole, "{} of {}", sum, whole);
    }

    #[test]
    fn any_planes_end(planes in prop::collection::vec((prop::array::uniform3(-1.0..1.0f64), -10.0..100.0f64), 0..12)) {
        let planes: Vec<Plane> = planes.iter().map(|(normal, dist)| Plane::new(DVec3::from(*normal), *dist)).collect();
        let hull = Hull::from_planes(&planes);
        prop_assert_eq!(hull.loops().len(), planes.len());
        if hull.fault().is_none() {
            prop_assert!(hull.volume() > 0.0);
        }
    }

    #[test]
    fn integer_planes_meet_in_many_ways(planes in prop::collection::vec((prop::array::uniform3(-2..3i32), 0..5i32), 0..14)) {
        let mut all = cube(8.0);
        all.extend(planes.iter().map(|(n, d)| Plane::new(DVec3::new(f64::from(n[0]), f64::from(n[1]), f64::from(n[2])), f64::from(*d))).filter(|p| p.normal != DVec3::ZERO));
        let hull = Hull::from_planes(&all);
        if hull.fault().is_none() {
            check_sound("integer", &all, &hull);
        }
    }

    #[test]
    fn hull_of_random_points(points in prop::collection::vec(prop::array::uniform3(-20..20i32), 4..40)) {
        let points: Vec<DVec3> = points.iter().map(|p| DVec3::new(f64::from(p[0]), f64::from(p[1]), f64::from(p[2])) * 4.0).collect();
        if let Some((planes, hull)) = Hull::from_points(&points) {
            check_sound_within("points", &planes, &hull, 0.05);
            for &point in &points {
                prop_assert!(planes.iter().all(|plane| plane.distance(point) < 0.05));
            }
        } else {
            let first = points[0];
            let flat = points.iter().any(|&a| points.iter().any(|&b| {
                Plane::from_points(first, a, b).is_some_and(|plane| points.iter().all(|&p| plane.distance(p).abs() < 0.05))
            }));
            let distinct: std::collections::BTreeSet<String> = points.iter().map(|p| p.to_string()).collect();
            prop_assert!(flat || distinct.len() < 4, "no hull of {:?}", points);
        }
    }
}
