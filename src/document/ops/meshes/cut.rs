//! Polygons of meshes split and dissolved, normals turned round, smoothing groups (MSH-1).

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::DVec3;

use crate::document::Mesh;
use crate::document::Polygon;
use crate::document::ops::components::Stop;
use crate::document::ops::meshes::extrude::sides;
use crate::document::ops::meshes::vertices::compact;
use crate::document::ops::meshes::vertices::is_flat;
use crate::document::ops::meshes::vertices::part;
use crate::geometry::polygon;

/// The polygon with both vertices, in two along the line between them; `None` when there is none, or they are neighbours.
#[must_use]
pub fn split_between(mesh: &Mesh, a: u32, b: u32) -> Option<Mesh> {
    let place = |polygon: &Polygon, wanted: u32| {
        polygon.corners.iter().position(|&corner| corner == wanted)
    };
    let (index, i, j) = mesh
        .polygons
        .iter()
        .enumerate()
        .find_map(|(index, polygon)| {
            let (i, j) = (place(polygon, a)?, place(polygon, b)?);
            let (i, j) = (i.min(j), i.max(j));
            let n = polygon.corners.len();
            let apart = j - i >= 2 && i + n - j >= 2;
            (apart && mesh.is_sound(polygon)).then_some((index, i, j))
        })?;
    let old = &mesh.polygons[index];
    let first: Vec<usize> = (i..=j).collect();
    let second: Vec<usize> = (j..old.corners.len()).chain(0..=i).collect();
    let mut made = mesh.clone();
    made.polygons[index] = part(old, &first);
    made.polygons.push(part(old, &second));
    Some(made)
}

/// The polygon between two edges, in two from middle to middle; neighbours get the new vertices too.
#[must_use]
pub fn split_across(mesh: &Mesh, a: [u32; 2], b: [u32; 2]) -> Option<Mesh> {
    let has = |polygon: &Polygon, edge: [u32; 2]| {
        sides(&polygon.corners).any(|(from, to)| [from.min(to), from.max(to)] == edge)
    };
    mesh.polygons
        .iter()
        .any(|polygon| a != b && has(polygon, a) && has(polygon, b))
        .then_some(())?;
    let mut made = mesh.clone();
    let first = with_middle(&mut made, a);
    let second = with_middle(&mut made, b);
    split_between(&made, first, second)
}

/// Puts a vertex into the middle of an edge.
fn with_middle(mesh: &mut Mesh, [a, b]: [u32; 2]) -> u32 {
    let new = mesh.points.len() as u32;
    let middle = (mesh.points[a as usize] + mesh.points[b as usize]) * 0.5;
    mesh.points.push(middle);
    for polygon in &mut mesh.polygons {
        let n = polygon.corners.len();
        let side =
            sides(&polygon.corners).position(|(from, to)| [from.min(to), from.max(to)] == [a, b]);
        let Some(i) = side else { continue };
        if polygon.uvs.len() == n {
            let uv = (polygon.uvs[i] + polygon.uvs[(i + 1) % n]) * 0.5;
            polygon.uvs.insert(i + 1, uv);
        }
        polygon.corners.insert(i + 1, new);
    }
    new
}

/// Each face in two, across its longest side and the one opposite to that.
#[must_use]
pub fn split_faces(mesh: &Mesh, faces: &[u32]) -> Option<Mesh> {
    let mut made = mesh.clone();
    let mut any = false;
    for &face in faces {
        let polygon = mesh.polygons.get(face as usize)?;
        let corners = mesh.positions(polygon)?;
        let n = corners.len();
        if n < 3 || !mesh.is_sound(polygon) {
            continue;
        }
        let length = |i: usize| corners[i].distance(corners[(i + 1) % n]);
        let longest = (0..n).max_by(|&i, &j| length(i).total_cmp(&length(j)))?;
        let side = |i: usize| {
            let (a, b) = (polygon.corners[i % n], polygon.corners[(i + 1) % n]);
            [a.min(b), a.max(b)]
        };
        let split = if n == 3 {
            let middle = with_middle(&mut made, side(longest));
            split_between(&made, middle, polygon.corners[(longest + 2) % n])
        } else {
            split_across(&made, side(longest), side(longest + n / 2))
        };
        if let Some(split) = split {
            made = split;
            any = true;
        }
    }
    any.then_some(made)
}

/// Polygons that meet at the given edges, vertices, or are given together, as one; each must be flat and convex.
///
/// # Errors
/// When one would not be, or there is nothing to join.
pub fn dissolved(
    mesh: &Mesh,
    faces: &[u32],
    edges: &[[u32; 2]],
    vertices: &[u32],
) -> Result<Mesh, Stop> {
    let mut made = mesh.clone();
    let groups = groups_of(mesh, faces, edges, vertices);
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    for group in groups.values().filter(|group| group.len() > 1) {
        let ring = outline(mesh, group).ok_or(Stop::NotOnePolygon)?;
        let drop: BTreeSet<u32> = vertices.iter().copied().collect();
        let corners: Vec<u32> = ring
            .into_iter()
            .filter(|corner| !drop.contains(corner))
            .collect();
        let places: Vec<DVec3> = corners
            .iter()
            .map(|&corner| mesh.points[corner as usize])
            .collect();
        if corners.len() < 3 || !is_flat(&places) || !polygon::is_convex(&places) {
            return Err(Stop::NotOnePolygon);
        }
        let first = group[0];
        let old = &mesh.polygons[first];
        let uvs = super::vertices::spread_uvs(mesh, old, &places);
        made.polygons[first] = Polygon {
            corners,
            uvs,
            ..old.clone()
        };
        gone.extend(&group[1..]);
    }
    if gone.is_empty() {
        return Err(Stop::NothingToJoin);
    }
    let polygons = made
        .polygons
        .into_iter()
        .enumerate()
        .filter(|(index, _)| !gone.contains(index))
        .map(|(_, polygon)| polygon)
        .collect();
    Ok(compact(&mesh.name, &made.points, polygons))
}

/// Polygons to join, by the first of each set.
fn groups_of(
    mesh: &Mesh,
    faces: &[u32],
    edges: &[[u32; 2]],
    vertices: &[u32],
) -> BTreeMap<usize, Vec<usize>> {
    let mut head: Vec<usize> = (0..mesh.polygons.len()).collect();
    let root = |head: &[usize], mut index: usize| {
        while head[index] != index {
            index = head[index];
        }
        index
    };
    let mut by_edge: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
    for (index, polygon) in mesh.polygons.iter().enumerate() {
        for (from, to) in sides(&polygon.corners) {
            by_edge
                .entry([from.min(to), from.max(to)])
                .or_default()
                .push(index);
        }
    }
    let chosen: BTreeSet<usize> = faces.iter().map(|&face| face as usize).collect();
    for (edge, beside) in &by_edge {
        let joins = edges.contains(edge)
            || edge.iter().any(|end| vertices.contains(end))
            || beside.iter().all(|face| chosen.contains(face));
        if joins && let &[a, b] = &beside[..] {
            let (a, b) = (root(&head, a), root(&head, b));
            head[a.max(b)] = a.min(b);
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..head.len() {
        groups.entry(root(&head, index)).or_default().push(index);
    }
    groups
}

/// The one loop round a set of polygons; `None` when there are several.
fn outline(mesh: &Mesh, group: &[usize]) -> Option<Vec<u32>> {
    let directed: BTreeSet<(u32, u32)> = group
        .iter()
        .flat_map(|&index| sides(&mesh.polygons[index].corners))
        .collect();
    let next: BTreeMap<u32, u32> = directed
        .iter()
        .copied()
        .filter(|&(from, to)| !directed.contains(&(to, from)))
        .collect();
    let (&start, _) = next.first_key_value()?;
    let mut ring = vec![start];
    let mut at = *next.get(&start)?;
    while at != start {
        ring.push(at);
        at = *next.get(&at)?;
        if ring.len() > next.len() {
            return None;
        }
    }
    (ring.len() == next.len()).then_some(ring)
}

/// Polygons turned to look the other way; all without a choice.
#[must_use]
pub fn flipped(mesh: &Mesh, faces: Option<&[u32]>) -> Mesh {
    let mut made = mesh.clone();
    for (index, polygon) in (0..).zip(&mut made.polygons) {
        if faces.is_none_or(|faces| faces.contains(&index)) {
            polygon.corners.reverse();
            polygon.uvs.reverse();
        }
    }
    made
}

/// Polygons in these smoothing groups (bit 0 = group 1), and in those of `kept` that each was in.
#[must_use]
pub fn smoothed(mesh: &Mesh, faces: &[u32], groups: u32, kept: u32) -> Mesh {
    let mut made = mesh.clone();
    for &face in faces {
        if let Some(polygon) = made.polygons.get_mut(face as usize) {
            polygon.smooth = groups | polygon.smooth & kept;
        }
    }
    made
}
