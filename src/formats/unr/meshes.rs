//! Polygons of the world as meshes of the document: in map space, flat and convex by the rules of the file (`hmap.md` 2.6, 5).

use std::collections::HashMap;

use glam::DVec3;
use glam::Vec2;

use crate::document::Mesh;
use crate::document::Polygon;
use crate::formats::unr::looks::Looks;
use crate::formats::unr::mapping::Mapping;
use crate::formats::unr::seen::SeenPolygon;
use crate::formats::unr::space::to_map;
use crate::geometry::Uv;
use crate::geometry::polygon;

/// Corners that turn the other way by less are straight, as a sine.
const STRAIGHT: f64 = 1e-5;

/// A mesh of these polygons, and how many of them have no area.
#[must_use]
pub fn mesh(name: &str, polygons: &[&SeenPolygon], looks: &Looks<'_>) -> (Mesh, usize) {
    let mut builder = Builder::new(name);
    let mut dropped = 0;
    for polygon in polygons {
        dropped += usize::from(!builder.add(&polygon.outline, &polygon.mapping, looks));
    }
    (builder.mesh, dropped)
}

/// Collects polygons over shared points.
pub struct Builder {
    numbers: HashMap<[u64; 3], u32>,
    pub mesh: Mesh,
}

impl Builder {
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            numbers: HashMap::new(),
            mesh: Mesh {
                name: name.to_owned(),
                points: Vec::new(),
                polygons: Vec::new(),
            },
        }
    }

    /// Corners in the file's space and order. `false`: nothing of it has area.
    pub fn add(&mut self, corners: &[DVec3], mapping: &Mapping, looks: &Looks<'_>) -> bool {
        // The change of space turns handedness round.
        let corners: Vec<DVec3> = corners.iter().rev().map(|&corner| to_map(corner)).collect();
        let material = looks.of(mapping);
        let frame = looks.frame(mapping);
        let parts = flat_parts(&corners);
        for part in &parts {
            let uvs: Vec<Vec2> = part
                .iter()
                .map(|&corner| finite(frame.at(corner).as_vec2()))
                .collect();
            let corners = part.iter().map(|&corner| self.number(corner)).collect();
            self.mesh.polygons.push(Polygon {
                material,
                smooth: 0,
                proj: Uv::default(),
                corners,
                uvs,
            });
        }
        !parts.is_empty()
    }

    fn number(&mut self, point: DVec3) -> u32 {
        let points = &mut self.mesh.points;
        let key = (point + DVec3::ZERO).to_array().map(f64::to_bits);
        *self.numbers.entry(key).or_insert_with(|| {
            points.push(point);
            points.len() as u32 - 1
        })
    }
}

/// Axes out of a damaged file must not make the file unreadable.
fn finite(uv: Vec2) -> Vec2 {
    if uv.is_finite() { uv } else { Vec2::ZERO }
}

/// The polygon itself as a rule; where it is bent, not convex or meets itself, what makes it up. Nothing without area.
fn flat_parts(corners: &[DVec3]) -> Vec<Vec<DVec3>> {
    let mut corners = corners.to_vec();
    corners.dedup();
    while corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    if !has_area(&corners) {
        return Vec::new();
    }
    let is_simple = (1..corners.len()).all(|index| !corners[..index].contains(&corners[index]));
    let is_flat = polygon::off_plane(&corners) <= off_plane_max(&corners);
    if is_simple && is_flat && is_convex(&corners) {
        return vec![corners];
    }
    let parts = if is_simple && is_flat {
        let convex = polygon::convex_parts(&corners);
        let convex = convex.iter().map(|part| places(&corners, part));
        // A part goes less far round, so what was flat in the whole may be bent in it.
        let bend = |part: Vec<DVec3>| {
            if polygon::off_plane(&part) <= off_plane_max(&part) {
                vec![part]
            } else {
                triangles(&part)
            }
        };
        convex.flat_map(bend).collect()
    } else {
        triangles(&corners)
    };
    let sound = parts.into_iter().filter(|part| has_area(part));
    sound.collect()
}

fn triangles(corners: &[DVec3]) -> Vec<Vec<DVec3>> {
    let triangles = polygon::triangles(corners);
    triangles
        .iter()
        .map(|triangle| places(corners, triangle))
        .collect()
}

fn places(corners: &[DVec3], numbers: &[u32]) -> Vec<DVec3> {
    let numbers = numbers.iter();
    numbers.map(|&number| corners[number as usize]).collect()
}

/// `W-SLIVER` and `E-POLY`.
fn has_area(corners: &[DVec3]) -> bool {
    let twice = polygon::newell(corners).length();
    let around = polygon::perimeter(corners);
    corners.len() >= 3 && twice >= 1e-9 && twice >= 2e-7 * around * around
}

/// `W-NONPLANAR`, with some room for another way to compute it.
fn off_plane_max(corners: &[DVec3]) -> f64 {
    (0.9e-4 * polygon::perimeter(corners)).max(0.009)
}

/// `W-CONCAVE`.
fn is_convex(corners: &[DVec3]) -> bool {
    let Some(normal) = polygon::normal(corners) else {
        return false;
    };
    (0..corners.len()).all(|index| {
        let at = |step: usize| corners[(index + step) % corners.len()];
        let (before, after) = (at(1) - at(0), at(2) - at(1));
        let turn = normal.dot(before.cross(after));
        turn >= -0.9 * STRAIGHT * before.length() * after.length()
    })
}

#[cfg(test)]
#[path = "meshes_tests.rs"]
mod tests;
