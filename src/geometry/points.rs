//! The faces of the convex hull of points, by wrapping it face by face.

use std::collections::BTreeSet;

use glam::DVec3;

use crate::geometry::Aabb;
use crate::geometry::Plane;

/// Points this near to a face's plane are on it: 0.01 (VTX-3), less for small shapes.
pub(super) fn flatness(points: &[DVec3]) -> f64 {
    let bounds = Aabb::of_points(points.iter().copied());
    if bounds.is_empty() {
        return 0.0;
    }
    let far = bounds.min.abs().max(bounds.max.abs()).max_element();
    (bounds.size().length() * 1e-3).min(0.01).max(far * 1e-9)
}

/// Unit planes of the hull's faces, each once, no point farther in front of any than [`flatness`]; `None` when the points span
/// no volume or are not finite.
pub(super) fn face_planes(given: &[DVec3]) -> Option<Vec<Plane>> {
    if given.len() < 4 || given.iter().any(|point| !point.is_finite()) {
        return None;
    }
    let flatness = flatness(given);
    // Where more than a face is nearly flat the way round can go astray; then fewer points count as on a plane.
    [1.0, 0.25, 0.0625, 0.015_625]
        .into_iter()
        .filter_map(|part| wrapped(given, flatness * part))
        .find(|planes| {
            let ahead = |plane: &Plane| most_in_front(*plane, given) <= flatness;
            planes.iter().all(ahead)
        })
}

fn most_in_front(plane: Plane, points: &[DVec3]) -> f64 {
    points
        .iter()
        .map(|&point| plane.distance(point))
        .fold(f64::NEG_INFINITY, f64::max)
}

fn wrapped(given: &[DVec3], epsilon: f64) -> Option<Vec<Plane>> {
    let points = distinct(given, epsilon * 0.1);
    let first = first_face(&points, epsilon)?;
    let mut planes: Vec<Plane> = Vec::new();
    let mut waiting = vec![first];
    let mut walked: BTreeSet<(usize, usize)> = BTreeSet::new();
    // A hull of n points has at most 2n - 4 faces; noise may find some of them twice.
    let limit = 4 * points.len();
    while let Some(plane) = waiting.pop() {
        let (plane, corners) = settled(plane, &points, epsilon)?;
        if planes
            .iter()
            .any(|known| is_same(known, &plane, &points, &corners, epsilon))
        {
            continue;
        }
        planes.push(plane);
        if planes.len() > limit {
            return None;
        }
        for (i, &from) in corners.iter().enumerate() {
            let to = corners[(i + 1) % corners.len()];
            if walked.insert((from, to)) {
                waiting.extend(neighbour(&points, plane, from, to, epsilon));
            }
        }
    }
    (planes.len() >= 4).then_some(planes)
}

fn distinct(given: &[DVec3], reach: f64) -> Vec<DVec3> {
    let mut points: Vec<DVec3> = Vec::with_capacity(given.len());
    for &point in given {
        if !points
            .iter()
            .any(|known| known.distance_squared(point) <= reach * reach)
        {
            points.push(point);
        }
    }
    points
}

/// A plane that all points are behind and at least three are on.
fn first_face(points: &[DVec3], epsilon: f64) -> Option<Plane> {
    let low = |value: &dyn Fn(DVec3) -> f64| {
        (0..points.len()).min_by(|&a, &b| value(points[a]).total_cmp(&value(points[b])))
    };
    // The lowest point, then turn a horizontal plane about it until it meets a second, then a third.
    let a = low(&|p| p.y)?;
    let b = (0..points.len())
        .filter(|&i| i != a)
        .min_by(|&i, &j| slope(points[a], points[i]).total_cmp(&slope(points[a], points[j])))?;
    let along = (points[b] - points[a]).try_normalize()?;
    // The plane through the edge that contains a horizontal direction across it has every point on or above it.
    let across = along.cross(DVec3::Y).try_normalize().unwrap_or(DVec3::X);
    let mut normal = along.cross(across).normalize_or(DVec3::NEG_Y);
    if normal.y > 0.0 {
        normal = -normal;
    }
    let start = Plane::through(points[a], normal)?;
    let on: Vec<usize> = (0..points.len())
        .filter(|&i| {
            start.distance(points[i]).abs() <= epsilon && off_line(points, a, b, i) > epsilon
        })
        .collect();
    if !on.is_empty() {
        return Some(start);
    }
    neighbour(points, start, a, b, epsilon).or_else(|| neighbour(points, start, b, a, epsilon))
}

/// Tangent of the angle by which `to` lies above `from`.
fn slope(from: DVec3, to: DVec3) -> f64 {
    let way = to - from;
    let flat = way.x.hypot(way.z);
    if flat == 0.0 {
        f64::INFINITY
    } else {
        way.y / flat
    }
}

fn off_line(points: &[DVec3], a: usize, b: usize, of: usize) -> f64 {
    let along = (points[b] - points[a]).normalize_or_zero();
    (points[of] - points[a]).cross(along).length()
}

/// The plane on the other side of the edge from -> to of a face with this plane.
fn neighbour(
    points: &[DVec3],
    plane: Plane,
    from: usize,
    to: usize,
    epsilon: f64,
) -> Option<Plane> {
    let edge = (points[from] - points[to]).try_normalize()?;
    // Directions across the edge: `inward` runs in the face, `-normal` into the solid. The neighbour has the largest angle
    // from `inward` through the solid.
    let inward = edge.cross(plane.normal);
    let mut best: Option<(f64, f64, usize)> = None;
    for (index, &point) in points.iter().enumerate() {
        let way = point - points[to];
        let across = way - edge * way.dot(edge);
        let reach = across.length();
        let depth = -plane.distance(point);
        if reach <= epsilon || depth <= epsilon {
            continue;
        }
        let angle = depth.atan2(across.dot(inward));
        // Of points at nearly the same angle the farthest tells the plane best.
        let better = best.is_none_or(|(most, far, _)| {
            let slack = epsilon / reach.min(far);
            if (angle - most).abs() <= slack * 0.5 {
                reach > far
            } else {
                angle > most
            }
        });
        if better {
            best = Some((angle, reach, index));
        }
    }
    let (.., third) = best?;
    Plane::from_points(points[to], points[from], points[third])
}

/// How often a plane is fitted anew to points that came to lie in front of it.
const REFITS: usize = 8;

/// The plane fitted to the points that are on it, and their outline.
fn settled(plane: Plane, points: &[DVec3], epsilon: f64) -> Option<(Plane, Vec<usize>)> {
    let mut fit = fitted(plane, points, epsilon)?;
    // A few points in a corner of a large face tell its plane badly: those that lie in front of it are on it too.
    for _ in 0..REFITS {
        if most_in_front(fit.0, points) <= epsilon {
            break;
        }
        fit = fitted(fit.0, points, epsilon)?;
    }
    Some(fit)
}

/// The plane of the points that are on this one or in front of it.
fn fitted(plane: Plane, points: &[DVec3], epsilon: f64) -> Option<(Plane, Vec<usize>)> {
    let on: Vec<usize> = (0..points.len())
        .filter(|&i| plane.distance(points[i]) >= -epsilon)
        .collect();
    let outline = outline(points, &on, plane.normal)?;
    let origin = points[outline[0]];
    let mut sum = DVec3::ZERO;
    for i in 2..outline.len() {
        sum += (points[outline[i - 1]] - origin).cross(points[outline[i]] - origin);
    }
    let normal = sum.try_normalize()?;
    let (low, high) = outline
        .iter()
        .map(|&i| normal.dot(points[i]))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), d| {
            (l.min(d), h.max(d))
        });
    Some((Plane::new(normal, f64::midpoint(low, high)), outline))
}

/// Convex outline of points on a plane, counter-clockwise seen from the front; `None` without area.
fn outline(points: &[DVec3], on: &[usize], normal: DVec3) -> Option<Vec<usize>> {
    let (right, up) = normal.any_orthonormal_pair();
    let flat = |i: usize| (points[i].dot(right), points[i].dot(up));
    let mut order = on.to_vec();
    order.sort_by(|&a, &b| {
        let (a, b) = (flat(a), flat(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let turn = |a: usize, b: usize, c: usize| {
        let (a, b, c) = (flat(a), flat(b), flat(c));
        (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
    };
    let half = |order: &mut dyn Iterator<Item = usize>| {
        let mut chain: Vec<usize> = Vec::new();
        for point in order {
            while chain.len() >= 2
                && turn(chain[chain.len() - 2], chain[chain.len() - 1], point) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut chain = half(&mut order.iter().copied());
    chain.extend(half(&mut order.iter().rev().copied()));
    // `any_orthonormal_pair` is right-handed: right x up = normal, so the chain runs counter-clockwise seen from the front.
    (chain.len() >= 3).then_some(chain)
}

/// The same face again: same direction, and its corners on the known plane.
fn is_same(
    known: &Plane,
    plane: &Plane,
    points: &[DVec3],
    corners: &[usize],
    epsilon: f64,
) -> bool {
    known.normal.dot(plane.normal) > 0.9
        && corners
            .iter()
            .all(|&i| known.distance(points[i]).abs() <= epsilon)
}
