//! The base cut: lit polygons are cut by a world grid, so that vertex light has vertices to live on (design 5.1).

use glam::DVec3;
use rayon::prelude::*;

use crate::compiler::merge::Poly;
use crate::compiler::planes::Planes;
use crate::document::SurfaceFlags;

/// Cuts this close to a corner are not made: the neighbour's corner serves both.
const MARGIN: f64 = 1.0 / 16.0;

/// Cuts polygons along the multiples of `step` on the two axes other than the largest of their normal. Polygons without light
/// of their own stay whole.
pub(crate) fn by_grid(polys: Vec<Poly>, planes: &Planes, step: f64) -> Vec<Poly> {
    let pieces: Vec<Vec<Poly>> = polys
        .into_par_iter()
        .map(|poly| {
            if poly
                .surface
                .flags
                .has(SurfaceFlags::UNLIT | SurfaceFlags::SKY)
            {
                return vec![poly];
            }
            let normal = planes.get(poly.plane).normal.abs();
            let largest = (0..3).fold(0, |best, axis| {
                if normal[axis] > normal[best] {
                    axis
                } else {
                    best
                }
            });
            let mut pieces = vec![poly.points.clone()];
            for axis in (0..3).filter(|&axis| axis != largest) {
                pieces = pieces
                    .into_iter()
                    .flat_map(|piece| slices(piece, axis, step))
                    .collect();
            }
            pieces
                .into_iter()
                .map(|points| Poly {
                    points,
                    ..poly.clone()
                })
                .collect()
        })
        .collect();
    pieces.into_iter().flatten().collect()
}

fn slices(points: Vec<DVec3>, axis: usize, step: f64) -> Vec<Vec<DVec3>> {
    let least = points
        .iter()
        .fold(f64::INFINITY, |least, point| least.min(point[axis]));
    let most = points
        .iter()
        .fold(f64::NEG_INFINITY, |most, point| most.max(point[axis]));
    let mut rest = points;
    let mut out = Vec::new();
    let mut place = ((least + MARGIN) / step).ceil() * step;
    while place < most - MARGIN {
        let (below, above) = halves(&rest, axis, place);
        if below.len() >= 3 && above.len() >= 3 {
            out.push(below);
            rest = above;
        }
        place += step;
    }
    out.push(rest);
    out
}

/// The parts with less and with more than `place` on an axis.
fn halves(points: &[DVec3], axis: usize, place: f64) -> (Vec<DVec3>, Vec<DVec3>) {
    let (mut below, mut above) = (
        Vec::with_capacity(points.len() + 1),
        Vec::with_capacity(points.len() + 1),
    );
    for (i, &point) in points.iter().enumerate() {
        let next = points[(i + 1) % points.len()];
        // Within the weld distance a corner is on the line.
        let [here, there] = [point, next].map(|p| {
            if (p[axis] - place).abs() < 1.0 / 128.0 {
                0.0
            } else {
                p[axis] - place
            }
        });
        if here <= 0.0 {
            below.push(point);
        }
        if here >= 0.0 {
            above.push(point);
        }
        if here * there < 0.0 {
            let at = crossing(point, next, axis, place);
            below.push(at);
            above.push(at);
        }
    }
    let flat = |points: &[DVec3]| {
        points
            .iter()
            .all(|point| (point[axis] - place).abs() < 1.0 / 128.0)
    };
    (
        if flat(&below) { Vec::new() } else { below },
        if flat(&above) { Vec::new() } else { above },
    )
}

/// Where an edge crosses, computed alike from both ends.
fn crossing(a: DVec3, b: DVec3, axis: usize, place: f64) -> DVec3 {
    let (low, high) = if a[axis] <= b[axis] { (a, b) } else { (b, a) };
    let mut at = low + (high - low) * ((place - low[axis]) / (high[axis] - low[axis]));
    at[axis] = place;
    at
}
