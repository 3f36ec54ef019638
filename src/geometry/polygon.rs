//! Flat polygons as point lists: clipping, area, normal, triangles, convexity.
//!
//! Corners run counter-clockwise seen from the front, the side of the normal.

use glam::DVec2;
use glam::DVec3;

use crate::geometry::Plane;
use crate::geometry::Side;

/// Newell's sum: along the normal, as long as twice the area. Zero for fewer than three corners.
#[must_use]
pub fn newell(corners: &[DVec3]) -> DVec3 {
    // Relative to the first corner, so that a place far from the origin costs no digits.
    let Some(&origin) = corners.first() else {
        return DVec3::ZERO;
    };
    corners
        .windows(2)
        .map(|pair| (pair[0] - origin).cross(pair[1] - origin))
        .sum()
}

/// Unit normal; `None` without area.
#[must_use]
pub fn normal(corners: &[DVec3]) -> Option<DVec3> {
    newell(corners).try_normalize()
}

/// The plane of best fit: Newell's normal through the mean of the corners; `None` without area.
#[must_use]
pub fn plane(corners: &[DVec3]) -> Option<Plane> {
    Plane::through(mean(corners)?, newell(corners))
}

/// Square units.
#[must_use]
pub fn area(corners: &[DVec3]) -> f64 {
    newell(corners).length() * 0.5
}

#[must_use]
pub fn perimeter(corners: &[DVec3]) -> f64 {
    (0..corners.len())
        .map(|i| corners[i].distance(corners[(i + 1) % corners.len()]))
        .sum()
}

/// Mean of the corners.
#[must_use]
pub fn mean(corners: &[DVec3]) -> Option<DVec3> {
    (!corners.is_empty()).then(|| corners.iter().sum::<DVec3>() / corners.len() as f64)
}

/// Centre of the area; the mean of the corners where there is no area, zero without corners.
#[must_use]
pub fn centroid(corners: &[DVec3]) -> DVec3 {
    let Some(middle) = mean(corners) else {
        return DVec3::ZERO;
    };
    let Some(normal) = normal(corners) else {
        return middle;
    };
    let (mut sum, mut weight) = (DVec3::ZERO, 0.0);
    for pair in corners[1..].windows(2) {
        let twice = (pair[0] - corners[0])
            .cross(pair[1] - corners[0])
            .dot(normal);
        sum += (corners[0] + pair[0] + pair[1]) * (twice / 3.0);
        weight += twice;
    }
    if weight == 0.0 { middle } else { sum / weight }
}

/// Farthest distance of a corner from the plane of best fit.
#[must_use]
pub fn off_plane(corners: &[DVec3]) -> f64 {
    plane(corners).map_or(0.0, |plane| {
        corners
            .iter()
            .map(|&corner| plane.distance(corner).abs())
            .fold(0.0, f64::max)
    })
}

/// The parts in front of and behind a (unit) plane; corners within `epsilon` belong to both. A part without three corners
/// is empty; a polygon that lies in the plane is in neither.
#[must_use]
pub fn split(corners: &[DVec3], plane: Plane, epsilon: f64) -> (Vec<DVec3>, Vec<DVec3>) {
    let (mut front, mut back) = (Vec::new(), Vec::new());
    let (mut any_front, mut any_back) = (false, false);
    for (i, &corner) in corners.iter().enumerate() {
        let next = corners[(i + 1) % corners.len()];
        let (side, next_side) = (plane.side(corner, epsilon), plane.side(next, epsilon));
        any_front |= side == Side::Front;
        any_back |= side == Side::Back;
        if side != Side::Back {
            front.push(corner);
        }
        if side != Side::Front {
            back.push(corner);
        }
        if matches!(
            (side, next_side),
            (Side::Front, Side::Back) | (Side::Back, Side::Front)
        ) {
            // From the front end in both directions, so that neighbours get the same point.
            let (a, b) = if side == Side::Front {
                (corner, next)
            } else {
                (next, corner)
            };
            let (da, db) = (plane.distance(a), plane.distance(b));
            let point = a + (b - a) * (da / (da - db));
            front.push(point);
            back.push(point);
        }
    }
    if !any_front || front.len() < 3 {
        front.clear();
    }
    if !any_back || back.len() < 3 {
        back.clear();
    }
    (front, back)
}

/// The part behind a (unit) plane, on it included.
#[must_use]
pub fn clip_back(corners: &[DVec3], plane: Plane, epsilon: f64) -> Vec<DVec3> {
    if corners
        .iter()
        .all(|&corner| plane.side(corner, epsilon) != Side::Front)
    {
        return corners.to_vec();
    }
    split(corners, plane, epsilon).1
}

/// True when no corner turns the other way by more than noise and the outline goes round once.
#[must_use]
pub fn is_convex(corners: &[DVec3]) -> bool {
    let Some(normal) = normal(corners) else {
        return false;
    };
    let flat = flattened(corners, normal);
    let n = flat.len();
    let mut turned = 0.0;
    for i in 0..n {
        let (a, b, c) = (flat[i], flat[(i + 1) % n], flat[(i + 2) % n]);
        let (ab, bc) = (b - a, c - b);
        let cross = ab.perp_dot(bc);
        if cross < -1e-9 * ab.length() * bc.length() - 1e-12 {
            return false;
        }
        turned += cross.atan2(ab.dot(bc));
    }
    turned < 1.5 * std::f64::consts::TAU
}

/// Triangles of a convex polygon of `corners` corners, as a fan from its first corner.
pub fn fan(corners: usize) -> impl Iterator<Item = [u32; 3]> {
    (2..corners as u32).map(|i| [0, i - 1, i])
}

/// Triangles of any simple polygon by cutting ears: indices into `corners`, `n - 2` of them unless it has no area. A polygon
/// that crosses itself still ends in triangles, of which some may overlap.
#[must_use]
pub fn triangles(corners: &[DVec3]) -> Vec<[u32; 3]> {
    let Some(normal) = normal(corners) else {
        return Vec::new();
    };
    let flat = flattened(corners, normal);
    let mut left: Vec<u32> = (0..corners.len() as u32).collect();
    let mut found = Vec::with_capacity(corners.len().saturating_sub(2));
    while left.len() > 3 {
        let n = left.len();
        let triple = |i: usize| [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
        // Of all ears the roundest, so that slivers stay the exception.
        let best = (0..n)
            .filter(|&i| is_ear(&flat, &left, triple(i)))
            .max_by(|&i, &j| roundness(&flat, triple(i)).total_cmp(&roundness(&flat, triple(j))))
            .or_else(|| {
                (0..n).max_by(|&i, &j| {
                    roundness(&flat, triple(i)).total_cmp(&roundness(&flat, triple(j)))
                })
            });
        let Some(ear) = best else { break };
        found.push(triple(ear));
        left.remove(ear);
    }
    if let [a, b, c] = left[..] {
        found.push([a, b, c]);
    }
    found
}

/// Convex polygons that make up a simple one: its triangles joined where the result stays convex. Indices into `corners`.
#[must_use]
pub fn convex_parts(corners: &[DVec3]) -> Vec<Vec<u32>> {
    if is_convex(corners) {
        return vec![(0..corners.len() as u32).collect()];
    }
    let parts = triangles(corners).into_iter().map(Vec::from).collect();
    joined(parts, |part| {
        let points: Vec<DVec3> = part.iter().map(|&index| corners[index as usize]).collect();
        is_convex(&points)
    })
}

/// Polygons over common corners, joined at common edges where the result may be one.
pub(super) fn joined(mut parts: Vec<Vec<u32>>, may_be: impl Fn(&[u32]) -> bool) -> Vec<Vec<u32>> {
    let mut i = 0;
    while i < parts.len() {
        let joined = (i + 1..parts.len()).find_map(|j| {
            let joined = joined_at_common_edge(&parts[i], &parts[j])?;
            may_be(&joined).then_some((j, joined))
        });
        match joined {
            Some((j, joined)) => {
                parts.remove(j);
                parts[i] = joined;
            }
            None => i += 1,
        }
    }
    parts
}

fn joined_at_common_edge(a: &[u32], b: &[u32]) -> Option<Vec<u32>> {
    for i in 0..a.len() {
        let (from, to) = (a[i], a[(i + 1) % a.len()]);
        for j in 0..b.len() {
            if b[j] == to && b[(j + 1) % b.len()] == from {
                // Round a from behind the edge to its start, then round b between.
                let mut joined: Vec<u32> =
                    (1..=a.len()).map(|step| a[(i + step) % a.len()]).collect();
                joined.extend((2..b.len()).map(|step| b[(j + step) % b.len()]));
                return Some(joined);
            }
        }
    }
    None
}

fn flattened(corners: &[DVec3], normal: DVec3) -> Vec<DVec2> {
    let (right, up) = normal.any_orthonormal_pair();
    let origin = corners[0];
    corners
        .iter()
        .map(|&corner| DVec2::new((corner - origin).dot(right), (corner - origin).dot(up)))
        .collect()
}

fn cross_of(flat: &[DVec2], [a, b, c]: [u32; 3]) -> f64 {
    let (a, b, c) = (flat[a as usize], flat[b as usize], flat[c as usize]);
    (b - a).perp_dot(c - b)
}

fn roundness(flat: &[DVec2], triple: [u32; 3]) -> f64 {
    let [a, b, c] = triple.map(|index| flat[index as usize]);
    let longest = a
        .distance_squared(b)
        .max(b.distance_squared(c))
        .max(c.distance_squared(a));
    cross_of(flat, triple) / longest.max(f64::MIN_POSITIVE)
}

fn is_ear(flat: &[DVec2], left: &[u32], triple: [u32; 3]) -> bool {
    if cross_of(flat, triple) <= 0.0 {
        return false;
    }
    let [a, b, c] = triple;
    left.iter()
        .filter(|index| !triple.contains(index))
        .all(|&index| {
            let outside = |from: u32, to: u32| cross_of(flat, [from, to, index]) < 0.0;
            outside(a, b) || outside(b, c) || outside(c, a)
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn flat(points: &[(f64, f64)]) -> Vec<DVec3> {
        points.iter().map(|&(x, y)| DVec3::new(x, y, 7.0)).collect()
    }

    fn ell() -> Vec<DVec3> {
        flat(&[
            (0.0, 0.0),
            (4.0, 0.0),
            (4.0, 1.0),
            (1.0, 1.0),
            (1.0, 3.0),
            (0.0, 3.0),
        ])
    }

    #[test]
    fn measures_of_simple_shapes() {
        let check = |name: &str,
                     corners: Vec<DVec3>,
                     expected_area: f64,
                     middle: (f64, f64),
                     convex: bool| {
            assert!(
                (area(&corners) - expected_area).abs() < 1e-12,
                "{name}: area {}",
                area(&corners)
            );
            assert!(
                centroid(&corners).distance(DVec3::new(middle.0, middle.1, 7.0)) < 1e-12,
                "{name}: {}",
                centroid(&corners)
            );
            assert_eq!(is_convex(&corners), convex, "{name}");
        };
        check(
            "square",
            flat(&[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]),
            4.0,
            (1.0, 1.0),
            true,
        );
        check(
            "square with a corner on an edge",
            flat(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]),
            4.0,
            (1.0, 1.0),
            true,
        );
        check("L", ell(), 6.0, (1.5, 1.0), false);
        assert_eq!(normal(&ell()), Some(DVec3::Z));
        assert_eq!(normal(&flat(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)])), None);
    }

    #[test]
    fn a_pentagram_is_not_convex() {
        let star: Vec<(f64, f64)> = (0..5)
            .map(|i| (f64::from(i) * 144f64.to_radians()).sin_cos())
            .map(|(s, c)| (c, s))
            .collect();
        assert!(!is_convex(&flat(&star)));
        assert_eq!(triangles(&flat(&star)).len(), 3, "ends all the same");
    }

    #[test]
    fn parts_of_an_l() {
        let corners = ell();
        let cut = triangles(&corners);
        assert_eq!(cut.len(), 4);
        let total: f64 = cut
            .iter()
            .map(|t| area(&t.map(|i| corners[i as usize])))
            .sum();
        assert!((total - 6.0).abs() < 1e-12);
        let parts = convex_parts(&corners);
        assert_eq!(parts.len(), 2);
        for part in parts {
            let points: Vec<DVec3> = part.iter().map(|&i| corners[i as usize]).collect();
            assert!(is_convex(&points) && normal(&points).expect("area").z > 0.0);
        }
    }

    #[test]
    fn a_polygon_in_the_plane_is_on_neither_side() {
        let square = flat(&[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]);
        let (front, back) = split(&square, Plane::new(DVec3::Z, 7.0), 1e-6);
        assert!(front.is_empty() && back.is_empty());
        let touching = Plane::new(DVec3::X, 2.0);
        assert_eq!(clip_back(&square, touching, 1e-6), square);
        assert!(split(&square, touching, 1e-6).0.is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn the_parts_of_a_cut_have_the_area_of_the_whole(
            radii in prop::collection::vec(1.0..100.0f64, 3..12),
            dir in prop::array::uniform3(-1.0..1.0f64),
            dist in -50.0..50.0f64,
        ) {
            // On a circle, so convex.
            let n = radii.len() as f64;
            let corners: Vec<DVec3> = (0..radii.len()).map(|i| {
                let (sin, cos) = (i as f64 / n * std::f64::consts::TAU).sin_cos();
                DVec3::new(cos * 100.0, 7.0, -sin * 100.0)
            }).collect();
            prop_assume!(DVec3::from(dir).length() > 0.1);
            let plane = Plane::through(DVec3::splat(dist), DVec3::from(dir)).expect("a direction");
            let (front, back) = split(&corners, plane, 1e-9);
            prop_assert!((area(&front) + area(&back) - area(&corners)).abs() < 1e-6);
            prop_assert!(front.iter().all(|&p| plane.distance(p) > -1e-6));
            prop_assert!(back.iter().all(|&p| plane.distance(p) < 1e-6));
        }

        #[test]
        fn stars_fall_into_triangles(radii in prop::collection::vec(1.0..100.0f64, 4..16)) {
            let n = radii.len() as f64;
            let corners: Vec<DVec3> = radii.iter().enumerate().map(|(i, radius)| {
                let (sin, cos) = (i as f64 / n * std::f64::consts::TAU).sin_cos();
                DVec3::new(cos * radius, sin * radius, 0.0)
            }).collect();
            let cut = triangles(&corners);
            prop_assert_eq!(cut.len(), corners.len() - 2);
            let total: f64 = cut.iter().map(|t| area(&t.map(|i| corners[i as usize]))).sum();
            prop_assert!((total - area(&corners)).abs() < 1e-6 * area(&corners), "{} of {}", total, area(&corners));
        }
    }
}
