//! Convex polygons whose corners know the planes that make them, so that equal corners come out bit-equal.

use glam::DVec3;

use crate::compiler::planes::PlaneId;
use crate::compiler::planes::Planes;
use crate::compiler::solids::Corner;
use crate::geometry::Aabb;
use crate::geometry::Plane;

/// Smaller pieces vanish (square units): an edge of each is so short that welding would collapse it, or nearly. Anything larger
/// would leave a hole that its neighbours cannot close.
pub(crate) const EPS_AREA: f64 = 1.0 / 4096.0;

/// How near a point counts as on a plane: corners far from the origin lie off their `f32` planes.
#[must_use]
pub(crate) fn on_distance(reach: f64) -> f64 {
    1e-3 + 2e-7 * reach
}

/// Area of a flat polygon.
#[must_use]
pub(crate) fn area(corners: &[Corner]) -> f64 {
    let Some(first) = corners.first() else {
        return 0.0;
    };
    let mut sum = DVec3::ZERO;
    for pair in corners[1..].windows(2) {
        sum += (pair[0].at - first.at).cross(pair[1].at - first.at);
    }
    sum.length() * 0.5
}

#[must_use]
pub(crate) fn bounds(corners: &[Corner]) -> Aabb {
    Aabb::of_points(corners.iter().map(|corner| corner.at))
}

/// Least and greatest distance of the corners from a plane.
#[must_use]
pub(crate) fn span(corners: &[Corner], plane: Plane) -> (f64, f64) {
    corners.iter().fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(least, most), corner| {
            let distance = plane.distance(corner.at);
            (least.min(distance), most.max(distance))
        },
    )
}

/// The parts of a polygon of plane `face` in front of and behind `by`. Corners within `on` belong to both.
#[must_use]
pub(crate) fn split(
    corners: &[Corner],
    face: PlaneId,
    by: PlaneId,
    on: f64,
    planes: &Planes,
) -> (Vec<Corner>, Vec<Corner>) {
    let plane = planes.get(by);
    let distances: Vec<f64> = corners
        .iter()
        .map(|corner| plane.distance(corner.at))
        .collect();
    let mut front = Vec::with_capacity(corners.len() + 2);
    let mut back = Vec::with_capacity(corners.len() + 2);
    for (i, &corner) in corners.iter().enumerate() {
        let next = if i + 1 == corners.len() { 0 } else { i + 1 };
        let (here, there) = (distances[i], distances[next]);
        let cut = Corner { edge: by, ..corner };
        // The edge that follows a corner on the plane is the cut where the polygon goes on on the other side.
        if here > on {
            front.push(corner);
        } else if here < -on {
            back.push(corner);
        } else {
            front.push(if there < -on { cut } else { corner });
            back.push(if there > on { cut } else { corner });
        }
        if (here > on && there < -on) || (here < -on && there > on) {
            let at = corner.at + (corners[next].at - corner.at) * (here / (here - there));
            let at = planes.meeting([face, corner.edge, by], at);
            let goes_on = Corner {
                at,
                edge: corner.edge,
            };
            let turns = Corner { at, edge: by };
            front.push(if here > on { turns } else { goes_on });
            back.push(if here > on { goes_on } else { turns });
        }
    }
    (front, back)
}
