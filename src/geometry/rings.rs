//! Areas between rings in one plane: outlines with holes, as convex polygons over the same corners.

use std::collections::BTreeSet;

use glam::DVec2;
use glam::DVec3;

use crate::geometry::polygon;

/// Triangles flatter than this (double area over the square of the longest side) have no area.
const FLATTEST: f64 = 1e-9;

/// Relative error of the area that rounding may make.
const AREA_ERROR: f64 = 1e-6;

/// Convex polygons that make up what rings of corners enclose, seen against a unit normal: outlines run counter-clockwise,
/// holes clockwise. Rings do not cross; one may pass a corner twice where its area touches itself. Every corner of a ring is one
/// of the polygons that meet there, none is new. A hole outside of every outline is left out.
///
/// `None` when the rings cross, so that there is no such area.
#[must_use]
pub fn convex_areas(points: &[DVec3], rings: &[Vec<u32>], normal: DVec3) -> Option<Vec<Vec<u32>>> {
    let (right, up) = normal.any_orthonormal_pair();
    let flat: Vec<DVec2> = points
        .iter()
        .map(|point| DVec2::new(point.dot(right), point.dot(up)))
        .collect();
    let mut outlines: Vec<(f64, &Vec<u32>, Vec<&[u32]>)> = rings
        .iter()
        .map(|ring| (doubled_area(&flat, ring), ring, Vec::new()))
        .filter(|(area, ..)| *area > 0.0)
        .collect();
    // The smallest outline round a hole is its own.
    outlines.sort_by(|a, b| a.0.total_cmp(&b.0));
    for hole in rings.iter().filter(|ring| doubled_area(&flat, ring) < 0.0) {
        let middle = (flat[hole[0] as usize] + flat[hole[1] as usize]) * 0.5;
        let around = outlines
            .iter_mut()
            .find(|(_, ring, _)| encloses(&flat, ring, middle));
        if let Some((area, _, holes)) = around {
            *area += doubled_area(&flat, hole);
            holes.push(hole);
        }
    }
    let mut areas = Vec::new();
    for (area, outline, holes) in outlines {
        let ring = bridged(&flat, outline, holes)?;
        areas.extend(convex_parts(points, &flat, ring, area)?);
    }
    Some(areas)
}

fn doubled_area(flat: &[DVec2], ring: &[u32]) -> f64 {
    let Some(&first) = ring.first() else {
        return 0.0;
    };
    let origin = flat[first as usize];
    (0..ring.len())
        .map(|i| {
            let next = ring[(i + 1) % ring.len()];
            (flat[ring[i] as usize] - origin).perp_dot(flat[next as usize] - origin)
        })
        .sum()
}

/// True when a point is inside of a ring: a ray to the right leaves it once more than it enters.
fn encloses(flat: &[DVec2], ring: &[u32], at: DVec2) -> bool {
    let mut inside = false;
    for i in 0..ring.len() {
        let (a, b) = (
            flat[ring[i] as usize],
            flat[ring[(i + 1) % ring.len()] as usize],
        );
        if (a.y > at.y) != (b.y > at.y) {
            let x = a.x + (b.x - a.x) * (at.y - a.y) / (b.y - a.y);
            inside ^= at.x < x;
        }
    }
    inside
}

/// The outline with its holes as one ring, joined by bridges that are passed in both directions.
fn bridged(flat: &[DVec2], outline: &[u32], mut holes: Vec<&[u32]>) -> Option<Vec<u32>> {
    let mut ring = outline.to_vec();
    // From the corner of all holes that lies farthest to the right, a corner of the ring can always be seen.
    let rightmost = |hole: &[u32]| {
        (0..hole.len()).max_by(|&a, &b| {
            let x = |i: usize| flat[hole[i] as usize].x;
            x(a).total_cmp(&x(b))
        })
    };
    while let Some((next, at)) = (0..holes.len())
        .filter_map(|index| Some((index, rightmost(holes[index])?)))
        .max_by(|a, b| {
            let x = |&(hole, corner): &(usize, usize)| flat[holes[hole][corner] as usize].x;
            x(a).total_cmp(&x(b))
        })
    {
        let corner = holes[next][at];
        let off = |i: usize| flat[ring[i] as usize].distance_squared(flat[corner as usize]);
        let mut nearest: Vec<usize> = (0..ring.len()).collect();
        nearest.sort_by(|&a, &b| off(a).total_cmp(&off(b)));
        let from = nearest.into_iter().find(|&from| {
            is_within(flat, &ring, from, corner)
                && is_within(flat, holes[next], at, ring[from])
                && !is_crossed(flat, &ring, [ring[from], corner])
                && !holes
                    .iter()
                    .any(|hole| is_crossed(flat, hole, [ring[from], corner]))
        })?;
        let hole = holes.remove(next);
        let (before, after) = ring.split_at(from + 1);
        let round = hole[at..].iter().chain(&hole[..=at]);
        ring = before
            .iter()
            .chain(round)
            .chain(&ring[from..=from])
            .chain(after)
            .copied()
            .collect();
    }
    Some(ring)
}

/// True when the way from a corner of a ring to another point begins on the ring's left.
fn is_within(flat: &[DVec2], ring: &[u32], corner: usize, to: u32) -> bool {
    let n = ring.len();
    let at = flat[ring[corner] as usize];
    let back = flat[ring[(corner + n - 1) % n] as usize] - at;
    let on = flat[ring[(corner + 1) % n] as usize] - at;
    let way = flat[to as usize] - at;
    if on.perp_dot(back) > 0.0 {
        on.perp_dot(way) > 0.0 && way.perp_dot(back) > 0.0
    } else {
        back.perp_dot(way) < 0.0 || way.perp_dot(on) < 0.0
    }
}

/// True when a ring's side meets the way between two corners, elsewhere than in these.
fn is_crossed(flat: &[DVec2], ring: &[u32], way: [u32; 2]) -> bool {
    let at = |corner: u32| flat[corner as usize];
    let [from, to] = way.map(at);
    let side = |a: DVec2, b: DVec2, point: DVec2| (b - a).perp_dot(point - a);
    (0..ring.len()).any(|i| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        if way.contains(&a) || way.contains(&b) {
            return false;
        }
        let (a, b) = (at(a), at(b));
        let apart = side(from, to, a) * side(from, to, b) > 0.0
            || side(a, b, from) * side(a, b, to) > 0.0
            || a.max(b).cmplt(from.min(to)).any()
            || from.max(to).cmplt(a.min(b)).any();
        !apart
    })
}

/// Triangles of a ring by cutting ears, joined where the result stays convex; `area` is twice what they must add up to.
fn convex_parts(
    points: &[DVec3],
    flat: &[DVec2],
    mut ring: Vec<u32>,
    area: f64,
) -> Option<Vec<Vec<u32>>> {
    let mut triangles = Vec::with_capacity(ring.len());
    let mut found = 0.0;
    while ring.len() > 2 {
        let n = ring.len();
        let triple = |i: usize| [ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]];
        // The roundest ears first, so that slivers stay the exception.
        let mut ears: Vec<(f64, usize)> = (0..n)
            .map(|i| (roundness(flat, triple(i)), i))
            .filter(|(round, _)| *round > FLATTEST)
            .collect();
        ears.sort_by(|a, b| b.0.total_cmp(&a.0));
        let ear = ears
            .into_iter()
            .map(|(_, i)| i)
            .find(|&i| is_free(flat, &ring, triple(i)));
        // What is left then has no area, or the sum tells.
        let Some(ear) = ear else { break };
        found += doubled_area(flat, &triple(ear));
        triangles.push(triple(ear).to_vec());
        ring.remove(ear);
    }
    if (found - area).abs() > AREA_ERROR * area {
        return None;
    }
    let is_part = |corners: &[u32]| {
        let places: Vec<DVec3> = corners.iter().map(|&i| points[i as usize]).collect();
        let different: BTreeSet<u32> = corners.iter().copied().collect();
        different.len() == corners.len() && polygon::is_convex(&places)
    };
    Some(polygon::joined(triangles, is_part))
}

fn roundness(flat: &[DVec2], triple: [u32; 3]) -> f64 {
    let [a, b, c] = triple.map(|corner| flat[corner as usize]);
    let longest = a
        .distance_squared(b)
        .max(b.distance_squared(c))
        .max(c.distance_squared(a));
    (b - a).perp_dot(c - b) / longest.max(f64::MIN_POSITIVE)
}

/// True when no other corner of the ring is in the triangle or on its rim.
fn is_free(flat: &[DVec2], ring: &[u32], triple: [u32; 3]) -> bool {
    let [a, b, c] = triple.map(|corner| flat[corner as usize]);
    ring.iter()
        .filter(|corner| !triple.contains(corner))
        .map(|&corner| flat[corner as usize])
        .all(|point| {
            [(a, b), (b, c), (c, a)]
                .into_iter()
                .any(|(from, to)| (to - from).perp_dot(point - from) < 0.0)
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A circle of corners that come after those there are.
    fn circle(points: &mut Vec<DVec3>, middle: DVec2, radius: f64, sides: u32) -> Vec<u32> {
        let first = points.len() as u32;
        for side in 0..sides {
            let angle = std::f64::consts::TAU * f64::from(side) / f64::from(sides);
            let at = middle + DVec2::from_angle(angle) * radius;
            points.push(DVec3::new(at.x, at.y, 5.0));
        }
        (first..first + sides).collect()
    }

    fn sum(points: &[DVec3], parts: &[Vec<u32>]) -> f64 {
        parts
            .iter()
            .map(|part| {
                let corners: Vec<DVec3> = part.iter().map(|&i| points[i as usize]).collect();
                assert!(polygon::is_convex(&corners), "{corners:?}");
                assert!(polygon::newell(&corners).z > 0.0);
                polygon::area(&corners)
            })
            .sum()
    }

    /// Each side of a ring belongs to one polygon, each side inside to two.
    fn is_closed(rings: &[Vec<u32>], parts: &[Vec<u32>]) -> bool {
        let sides = |ring: &Vec<u32>| -> Vec<(u32, u32)> {
            (0..ring.len())
                .map(|i| (ring[i], ring[(i + 1) % ring.len()]))
                .collect()
        };
        let of_parts: Vec<(u32, u32)> = parts.iter().flat_map(sides).collect();
        let unique: BTreeSet<(u32, u32)> = of_parts.iter().copied().collect();
        let rim: BTreeSet<(u32, u32)> = unique
            .iter()
            .copied()
            .filter(|&(a, b)| !unique.contains(&(b, a)))
            .collect();
        unique.len() == of_parts.len() && rim == rings.iter().flat_map(sides).collect()
    }

    #[test]
    fn a_square_with_a_square_hole() {
        let mut points: Vec<DVec3> = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
            .map(|(x, y)| DVec3::new(x, y, 0.0))
            .into();
        points.extend(
            [(1.0, 1.0), (1.0, 3.0), (3.0, 3.0), (3.0, 1.0)].map(|(x, y)| DVec3::new(x, y, 0.0)),
        );
        let rings = [vec![0, 1, 2, 3], vec![4, 5, 6, 7]];
        let parts = convex_areas(&points, &rings, DVec3::Z).expect("an area");
        assert!((sum(&points, &parts) - 12.0).abs() < 1e-12);
        assert!(is_closed(&rings, &parts), "{parts:?}");
        assert!(parts.len() <= 5, "{parts:?}");
        // Alone a hole bounds nothing.
        assert_eq!(convex_areas(&points, &rings[1..], DVec3::Z), Some(vec![]));
        // A ring that passes a corner of its outline.
        points[4] = points[0];
        let touching = [vec![0, 1, 2, 3, 0, 5, 6, 7]];
        let parts = convex_areas(&points, &touching, DVec3::Z).expect("an area");
        assert!((sum(&points, &parts) - 10.0).abs() < 1e-12);
        assert!(is_closed(&touching, &parts), "{parts:?}");
    }

    #[test]
    fn what_crosses_itself_has_no_area() {
        let points =
            [(0.0, 0.0), (4.0, 0.0), (0.0, 3.0), (5.0, 4.0)].map(|(x, y)| DVec3::new(x, y, 0.0));
        assert_eq!(convex_areas(&points, &[vec![0, 3, 2, 1]], DVec3::Z), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn holes_and_islands(
            sides in 3u32..20,
            holes in prop::collection::vec((0u8..3, 0u8..3, 0.05..0.45f64, 3u32..9, any::<bool>()), 0..9),
        ) {
            let mut points = Vec::new();
            let mut rings = vec![circle(&mut points, DVec2::ZERO, 8.0, sides)];
            let mut taken = BTreeSet::new();
            for (x, y, radius, sides, has_island) in holes {
                if !taken.insert((x, y)) {
                    continue;
                }
                let middle = DVec2::new(f64::from(x) - 1.0, f64::from(y) - 1.0);
                let mut hole = circle(&mut points, middle, radius, sides);
                hole.reverse();
                rings.push(hole);
                if has_island {
                    rings.push(circle(&mut points, middle, radius * 0.3, 3));
                }
            }
            let wanted: f64 = rings
                .iter()
                .map(|ring| {
                    let corners: Vec<DVec3> = ring.iter().map(|&i| points[i as usize]).collect();
                    polygon::newell(&corners).z.signum() * polygon::area(&corners)
                })
                .sum();
            let parts = convex_areas(&points, &rings, DVec3::Z).expect("an area");
            prop_assert!((sum(&points, &parts) - wanted).abs() < 1e-9 * wanted);
            prop_assert!(is_closed(&rings, &parts));
        }
    }
}
