//! Faces and edges of meshes pulled out, faces inset (MSH-1).

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::DVec3;

use crate::document::Mesh;
use crate::document::Polygon;
use crate::document::ops::components::Stop;
use crate::document::ops::meshes::frames;
use crate::document::ops::meshes::vertices::compact;
use crate::geometry::Uv;
use crate::geometry::polygon;

/// The sides of polygons as (from, to).
pub(super) fn sides(corners: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]))
}

/// A new polygon that looks like one of the mesh beside it: projected as that, or with its coordinates wrapped over the edge.
fn beside(mesh: &Mesh, like: &Polygon, points: &[DVec3], corners: Vec<u32>) -> Polygon {
    let places: Vec<DVec3> = corners.iter().map(|&i| points[i as usize]).collect();
    Polygon {
        material: like.material,
        smooth: like.smooth,
        proj: if like.uvs.is_empty() {
            like.proj
        } else {
            Uv::default()
        },
        uvs: frames::wrapped(mesh, like, &places),
        corners,
    }
}

/// Faces that move together, with walls along their outline where they were.
///
/// # Errors
/// When there is no such face.
pub fn extruded_faces(mesh: &Mesh, faces: &[u32], delta: DVec3) -> Result<Mesh, Stop> {
    let chosen: BTreeSet<usize> = faces
        .iter()
        .map(|&face| face as usize)
        .filter(|&face| {
            mesh.polygons
                .get(face)
                .is_some_and(|polygon| mesh.is_sound(polygon))
        })
        .collect();
    if chosen.is_empty() {
        return Err(Stop::NoPick);
    }
    let directed: BTreeSet<(u32, u32)> = chosen
        .iter()
        .flat_map(|&face| sides(&mesh.polygons[face].corners))
        .collect();
    let mut points = mesh.points.clone();
    let mut lifted: BTreeMap<u32, u32> = BTreeMap::new();
    for &(from, _) in &directed {
        lifted.entry(from).or_insert_with(|| {
            points.push(mesh.points[from as usize] + delta);
            points.len() as u32 - 1
        });
    }
    let mut polygons = mesh.polygons.clone();
    for &face in &chosen {
        let old = &mesh.polygons[face];
        for (from, to) in sides(&old.corners) {
            if !directed.contains(&(to, from)) {
                let wall = vec![from, to, lifted[&to], lifted[&from]];
                polygons.push(beside(mesh, old, &points, wall));
            }
        }
        for corner in &mut polygons[face].corners {
            *corner = lifted[corner];
        }
    }
    Ok(compact(&mesh.name, &points, polygons))
}

/// Edges (as point indices) that move and leave a polygon behind them.
///
/// # Errors
/// When there is no such edge.
pub fn extruded_edges(mesh: &Mesh, edges: &[[u32; 2]], delta: DVec3) -> Result<Mesh, Stop> {
    let mut points = mesh.points.clone();
    let mut polygons = mesh.polygons.clone();
    let mut lifted: BTreeMap<u32, u32> = BTreeMap::new();
    for ends in edges {
        let wanted = |(from, to): (u32, u32)| [from.min(to), from.max(to)] == *ends;
        let found = mesh
            .polygons
            .iter()
            .filter(|polygon| mesh.is_sound(polygon))
            .find_map(|polygon| {
                Some((polygon, sides(&polygon.corners).find(|&side| wanted(side))?))
            });
        let Some((like, (from, to))) = found else {
            continue;
        };
        let mut lift = |corner: u32| {
            *lifted.entry(corner).or_insert_with(|| {
                points.push(mesh.points[corner as usize] + delta);
                points.len() as u32 - 1
            })
        };
        // The neighbour runs the other way along their common side.
        let corners = vec![to, from, lift(from), lift(to)];
        polygons.push(beside(mesh, like, &points, corners));
    }
    if lifted.is_empty() {
        return Err(Stop::NoPick);
    }
    Ok(Mesh {
        name: mesh.name.clone(),
        points,
        polygons,
    })
}

/// Each face with a smaller one inside of it, `width` from its sides, and a frame around that.
///
/// # Errors
/// When a face is too small for it.
pub fn inset_faces(mesh: &Mesh, faces: &[u32], width: f64) -> Result<Mesh, Stop> {
    let mut points = mesh.points.clone();
    let mut polygons = mesh.polygons.clone();
    let mut any = false;
    for &face in faces {
        let Some(old) = mesh.polygons.get(face as usize) else {
            continue;
        };
        let Some(corners) = mesh.positions(old).filter(|_| mesh.is_sound(old)) else {
            continue;
        };
        let inner = inset(&corners, width).ok_or(Stop::TooSmall)?;
        let first = points.len() as u32;
        points.extend(inner);
        let n = old.corners.len();
        for i in 0..n {
            let next = (i + 1) % n;
            let frame = vec![
                old.corners[i],
                old.corners[next],
                first + next as u32,
                first + i as u32,
            ];
            polygons.push(beside(mesh, old, &points, frame));
        }
        let middle = &mut polygons[face as usize];
        middle.corners = (first..first + n as u32).collect();
        middle.uvs.clear();
        if !old.uvs.is_empty() {
            let uvs: Vec<_> = old.uvs.iter().map(|uv| uv.as_dvec2()).collect();
            middle.uvs = points[first as usize..]
                .iter()
                .filter_map(|&point| super::vertices::interpolated(&corners, &uvs, point))
                .map(|uv| uv.as_vec2())
                .collect();
        }
        any = true;
    }
    if !any {
        return Err(Stop::NoPick);
    }
    Ok(Mesh {
        name: mesh.name.clone(),
        points,
        polygons,
    })
}

/// The outline moved inwards; `None` when nothing of it would be left.
fn inset(corners: &[DVec3], width: f64) -> Option<Vec<DVec3>> {
    let normal = polygon::normal(corners)?;
    let n = corners.len();
    let inwards = |i: usize| {
        let way = (corners[(i + 1) % n] - corners[i]).normalize_or_zero();
        normal.cross(way)
    };
    let inner: Vec<DVec3> = (0..n)
        .map(|i| {
            let (a, b) = (inwards((i + n - 1) % n), inwards(i));
            // Both sides move by the width: along the half between them, the longer the sharper the corner.
            corners[i] + (a + b) * (width / (1.0 + a.dot(b)).max(1e-3))
        })
        .collect();
    let turned = (0..n).any(|i| {
        let way = corners[(i + 1) % n] - corners[i];
        (inner[(i + 1) % n] - inner[i]).dot(way) <= 1e-9
    });
    (!turned && polygon::newell(&inner).dot(normal) > 1e-6).then_some(inner)
}
