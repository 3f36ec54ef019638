//! Moving and adding vertices of meshes, and making their polygons flat and convex again.

use std::collections::BTreeMap;

use glam::DVec2;
use glam::DVec3;
use glam::Vec2;

use crate::document::Mesh;
use crate::document::Polygon;
use crate::document::ops::brushes::WORLD_LIMIT;
use crate::document::ops::components::SAME_VERTEX;
use crate::document::ops::components::Stop;
use crate::document::ops::components::Tiles;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// The mesh with vertices where `to` says; those that meet become one, polygons without area go. `hold`: textures stay with
/// the vertices, else they stay in the world where they are projected.
///
/// # Errors
/// When nothing would be left, or it would leave the map.
pub fn moved(
    mesh: &Mesh,
    to: &BTreeMap<u32, DVec3>,
    hold: bool,
    tile: Tiles<'_>,
) -> Result<Mesh, Stop> {
    let mut points = mesh.points.clone();
    for (&index, &at) in to {
        if !at.is_finite() || at.abs().max_element() > WORLD_LIMIT {
            return Err(Stop::OutOfBounds);
        }
        if let Some(point) = points.get_mut(index as usize) {
            *point = at;
        }
    }
    let mut polygons = mesh.polygons.clone();
    if hold {
        for polygon in &mut polygons {
            if polygon.corners.iter().any(|corner| to.contains_key(corner)) {
                held(mesh, polygon, &points, tile(polygon.material));
            }
        }
    }
    let meets = welds(&points, to);
    if !meets.is_empty() {
        polygons = polygons
            .into_iter()
            .flat_map(|polygon| welded(polygon, &meets))
            .collect();
    }
    some_left(Mesh {
        name: mesh.name.clone(),
        points,
        polygons,
    })
}

fn some_left(mesh: Mesh) -> Result<Mesh, Stop> {
    if mesh.polygons.is_empty() {
        Err(Stop::NoPolygon)
    } else {
        Ok(mesh)
    }
}

/// Moved vertices that meet another one, with that one's number.
fn welds(points: &[DVec3], moved: &BTreeMap<u32, DVec3>) -> BTreeMap<u32, u32> {
    let mut meets: BTreeMap<u32, u32> = BTreeMap::new();
    for &index in moved.keys() {
        let at = points[index as usize];
        let other = (0..points.len() as u32).find(|&other| {
            other != index
                && !meets.contains_key(&other)
                && points[other as usize].distance(at) <= SAME_VERTEX
        });
        if let Some(other) = other {
            meets.insert(index, other);
        }
    }
    meets
}

/// A polygon whose welded corners are one; one that meets itself falls into two, what has no three corners goes.
fn welded(mut polygon: Polygon, meets: &BTreeMap<u32, u32>) -> Vec<Polygon> {
    if !polygon
        .corners
        .iter()
        .any(|corner| meets.contains_key(corner))
    {
        return vec![polygon];
    }
    for corner in &mut polygon.corners {
        *corner = meets.get(corner).copied().unwrap_or(*corner);
    }
    let mut waiting = vec![polygon];
    let mut done = Vec::new();
    while let Some(next) = waiting.pop() {
        let corners = &next.corners;
        let twice = (0..corners.len()).find_map(|i| {
            let later = (i + 1..corners.len()).find(|&j| corners[j] == corners[i])?;
            Some((i, later))
        });
        match twice {
            None if corners.len() >= 3 => done.push(next),
            None => {}
            Some((i, j)) => {
                let inner: Vec<usize> = (i..j).collect();
                let outer: Vec<usize> = (j..corners.len()).chain(0..i).collect();
                waiting.push(part(&next, &inner));
                waiting.push(part(&next, &outer));
            }
        }
    }
    done
}

/// Some corners of a polygon as one of their own.
pub(super) fn part(polygon: &Polygon, corners: &[usize]) -> Polygon {
    let uvs = if polygon.uvs.len() == polygon.corners.len() {
        corners.iter().map(|&corner| polygon.uvs[corner]).collect()
    } else {
        Vec::new()
    };
    Polygon {
        corners: corners.iter().map(|&c| polygon.corners[c]).collect(),
        uvs,
        ..*polygon
    }
}

/// Texture coordinates of a polygon's corners as they are, in repeats.
pub(super) fn coordinates(mesh: &Mesh, polygon: &Polygon, tile_size: Vec2) -> Option<Vec<DVec2>> {
    if polygon.uvs.len() == polygon.corners.len() && !polygon.uvs.is_empty() {
        return Some(polygon.uvs.iter().map(|uv| uv.as_dvec2()).collect());
    }
    let corners = mesh.positions(polygon)?;
    let frame = polygon
        .proj
        .frame(polygon::normal(&corners)?, false, tile_size);
    Some(corners.iter().map(|&corner| frame.at(corner)).collect())
}

/// The polygon's corners keep their coordinates: as a projection where that says it exactly, else one pair each.
fn held(mesh: &Mesh, polygon: &mut Polygon, points: &[DVec3], tile_size: Vec2) {
    if !polygon.uvs.is_empty() {
        return;
    }
    let (Some(from), Some(wanted)) = (
        mesh.positions(polygon),
        coordinates(mesh, polygon, tile_size),
    ) else {
        return;
    };
    let to: Vec<DVec3> = polygon
        .corners
        .iter()
        .map(|&corner| points[corner as usize])
        .collect();
    let projected = polygon::plane(&to).and_then(|plane: Plane| {
        let frame = polygon
            .proj
            .frame(polygon::normal(&from)?, false, tile_size)
            .held([from[0], from[1], from[2]], [to[0], to[1], to[2]])?;
        let exact = to
            .iter()
            .zip(&wanted)
            .all(|(&at, wanted)| frame.at(at).distance(*wanted) < 1e-5);
        let fit = frame.fit(plane, false, tile_size, tile_size, &to);
        (exact && fit.exact && !fit.aligned).then_some(fit.uv)
    });
    match projected {
        Some(uv) => polygon.proj = uv,
        None => polygon.uvs = wanted.iter().map(|uv| uv.as_vec2()).collect(),
    }
}

/// The coordinates that places in a polygon's plane have by its own corners; none where it is projected.
pub(super) fn spread_uvs(mesh: &Mesh, polygon: &Polygon, places: &[DVec3]) -> Vec<Vec2> {
    if polygon.uvs.len() != polygon.corners.len() {
        return Vec::new();
    }
    let uvs: Vec<DVec2> = polygon.uvs.iter().map(|uv| uv.as_dvec2()).collect();
    let corners = mesh.positions(polygon).unwrap_or_default();
    places
        .iter()
        .map(|&place| {
            interpolated(&corners, &uvs, place)
                .unwrap_or(DVec2::ZERO)
                .as_vec2()
        })
        .collect()
}

/// True when a polygon's corners lie in one plane as files want it (`W-NONPLANAR`).
#[must_use]
pub fn is_flat(corners: &[DVec3]) -> bool {
    corners.len() <= 3
        || polygon::off_plane(corners) <= (1e-4 * polygon::perimeter(corners)).max(0.01) * 0.5
}

/// Polygons that are no longer flat become triangles, those that are no longer convex convex ones; what has no area goes, and
/// points that belong to nothing.
///
/// # Errors
/// When nothing is left.
pub fn settled(mesh: &Mesh) -> Result<Mesh, Stop> {
    let mut polygons = Vec::with_capacity(mesh.polygons.len());
    for polygon in &mesh.polygons {
        let corners = mesh.positions(polygon).filter(|_| mesh.is_sound(polygon));
        let Some(corners) = corners else {
            // Broken as it came: it is not for this edit to judge.
            polygons.push(polygon.clone());
            continue;
        };
        if polygon::area(&corners) < 1e-9 {
            continue;
        }
        let parts: Vec<Vec<u32>> = if !is_flat(&corners) {
            polygon::triangles(&corners)
                .into_iter()
                .map(Vec::from)
                .collect()
        } else if polygon::is_convex(&corners) {
            polygons.push(polygon.clone());
            continue;
        } else {
            polygon::convex_parts(&corners)
        };
        polygons.extend(parts.into_iter().map(|corners| {
            let corners: Vec<usize> = corners.into_iter().map(|corner| corner as usize).collect();
            part(polygon, &corners)
        }));
    }
    some_left(compact(&mesh.name, &mesh.points, polygons))
}

/// Without points that no polygon has; the others keep their order.
pub(super) fn compact(name: &str, points: &[DVec3], mut polygons: Vec<Polygon>) -> Mesh {
    let mut used = vec![false; points.len()];
    for &corner in polygons.iter().flat_map(|polygon| &polygon.corners) {
        if let Some(used) = used.get_mut(corner as usize) {
            *used = true;
        }
    }
    let mut number = vec![u32::MAX; points.len()];
    let mut kept = Vec::with_capacity(points.len());
    for (index, &point) in points.iter().enumerate() {
        if used[index] {
            number[index] = kept.len() as u32;
            kept.push(point);
        }
    }
    for corner in polygons.iter_mut().flat_map(|polygon| &mut polygon.corners) {
        // A corner out of range stays one.
        *corner = number.get(*corner as usize).copied().unwrap_or(*corner);
    }
    Mesh {
        name: name.to_owned(),
        points: kept,
        polygons,
    }
}

/// The polygons that `keep` wants.
///
/// # Errors
/// When nothing is left.
pub fn filtered(mesh: &Mesh, keep: impl Fn(&Polygon) -> bool) -> Result<Mesh, Stop> {
    let polygons = mesh
        .polygons
        .iter()
        .filter(|polygon| keep(polygon))
        .cloned()
        .collect();
    some_left(compact(&mesh.name, &mesh.points, polygons))
}

/// One more vertex: put at `start` on an edge (the two faces of `on`) or in a face, and pulled to `at` from there.
///
/// # Errors
/// When there is no such face, or it would leave the map.
pub fn with_vertex(
    mesh: &Mesh,
    on: &[u32],
    (start, at): (DVec3, DVec3),
    hold: bool,
    tile: Tiles<'_>,
) -> Result<Mesh, Stop> {
    let mut grown = mesh.clone();
    let new = grown.points.len() as u32;
    grown.points.push(start);
    let mut polygons = Vec::with_capacity(mesh.polygons.len() + 4);
    for (index, polygon) in (0..).zip(&mesh.polygons) {
        if !on.contains(&index) || !mesh.is_sound(polygon) {
            polygons.push(polygon.clone());
            continue;
        }
        let n = polygon.corners.len();
        let at = |i: usize| mesh.points[polygon.corners[i % n] as usize];
        let uv_at = |i: usize, point: DVec3| -> Option<Vec2> {
            let (a, b) = (polygon.uvs.get(i)?, polygon.uvs.get((i + 1) % n)?);
            let t = at(i).distance(point) / at(i).distance(at(i + 1)).max(f64::MIN_POSITIVE);
            Some(a.lerp(*b, t as f32))
        };
        let side = (0..n).find(|&i| off_segment(at(i), at(i + 1), start) <= SAME_VERTEX);
        match side {
            Some(i) => {
                let mut wider = polygon.clone();
                wider.corners.insert(i + 1, new);
                if let Some(uv) = uv_at(i, start) {
                    wider.uvs.insert(i + 1, uv);
                }
                polygons.push(wider);
            }
            None => polygons.extend(fan_about(mesh, polygon, new, start, tile)),
        }
    }
    grown.polygons = polygons;
    moved(&grown, &BTreeMap::from([(new, at)]), hold, tile)
}

fn off_segment(a: DVec3, b: DVec3, point: DVec3) -> f64 {
    let along = b - a;
    let t =
        ((point - a).dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    (a + along * t).distance(point)
}

/// A triangle from each side of a polygon to a point in it.
fn fan_about(
    mesh: &Mesh,
    polygon: &Polygon,
    new: u32,
    point: DVec3,
    tile: Tiles<'_>,
) -> Vec<Polygon> {
    let n = polygon.corners.len();
    let corners = mesh.positions(polygon).unwrap_or_default();
    // In the first corner's frame: coordinates of the point as the polygon's own three corners have it.
    let middle = (!polygon.uvs.is_empty())
        .then(|| coordinates(mesh, polygon, tile(polygon.material)))
        .flatten()
        .and_then(|uvs| interpolated(&corners, &uvs, point));
    (0..n)
        .map(|i| {
            let mut triangle = part(polygon, &[i, (i + 1) % n]);
            triangle.corners.push(new);
            if let (Some(uv), false) = (middle, triangle.uvs.is_empty()) {
                triangle.uvs.push(uv.as_vec2());
            } else {
                triangle.uvs.clear();
            }
            triangle
        })
        .collect()
}

/// Coordinates of a point in a polygon's plane, as its widest triangle has them.
pub(super) fn interpolated(corners: &[DVec3], uvs: &[DVec2], point: DVec3) -> Option<DVec2> {
    let span = |third: usize| {
        (corners[1] - corners[0])
            .cross(corners[third] - corners[0])
            .length_squared()
    };
    let third = (2..corners.len()).max_by(|&a, &b| span(a).total_cmp(&span(b)))?;
    let (e, f, p) = (
        corners[1] - corners[0],
        corners[third] - corners[0],
        point - corners[0],
    );
    let (ee, ef, ff) = (e.dot(e), e.dot(f), f.dot(f));
    let det = ee * ff - ef * ef;
    if det <= 0.0 {
        return None;
    }
    let (pe, pf) = (p.dot(e), p.dot(f));
    let (s, t) = ((pe * ff - pf * ef) / det, (pf * ee - pe * ef) / det);
    Some(uvs[0] + (uvs[1] - uvs[0]) * s + (uvs[third] - uvs[0]) * t)
}
