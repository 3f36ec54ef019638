//! Cutting a mesh with a plane.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::DVec3;
use glam::Vec2;

use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Polygon;
use crate::document::ops::clip::crosses;
use crate::document::ops::meshes::frames;
use crate::geometry::Plane;
use crate::geometry::Uv;
use crate::geometry::polygon;
use crate::geometry::rings;

/// Points this near to the plane are on it.
const ON_PLANE: f64 = 1e-4;

/// The cut runs through itself, so that no faces can close it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The cut through the mesh crosses itself: it cannot be closed")]
pub struct Tangled;

/// The parts in front of and behind a (unit) plane. Where the cut runs in closed rings, faces of this material close them, without
/// one of the nearest polygon's, with the placement of the nearest polygon that has it; an open mesh stays open. `None` when the
/// plane does not cross it.
///
/// # Errors
/// When the rings cross each other.
pub fn split(
    mesh: &Mesh,
    plane: Plane,
    material: Option<MaterialId>,
) -> Result<Option<(Mesh, Mesh)>, Tangled> {
    if !crosses(&mesh.points, plane) || mesh.polygons.iter().any(|face| !mesh.is_sound(face)) {
        return Ok(None);
    }
    let mut cutter = Cutter {
        plane,
        points: mesh.points.clone(),
        crossings: BTreeMap::new(),
    };
    let (mut front, mut back) = (Vec::new(), Vec::new());
    for face in &mesh.polygons {
        let (ahead, behind) = cutter.cut(face);
        front.extend(ahead);
        back.extend(behind);
    }
    if front.is_empty() || back.is_empty() {
        return Ok(None);
    }
    let part = |mut polygons: Vec<Polygon>, towards: DVec3| -> Result<Mesh, Tangled> {
        let caps = cutter.caps(&polygons, towards).ok_or(Tangled)?;
        let caps: Vec<Polygon> = caps
            .into_iter()
            .map(|corners| cap(mesh, &cutter.points, corners, material))
            .collect();
        polygons.extend(caps);
        Ok(compact(&mesh.name, &cutter.points, polygons))
    };
    Ok(Some((
        part(front, -plane.normal)?,
        part(back, plane.normal)?,
    )))
}

struct Cutter {
    plane: Plane,
    points: Vec<DVec3>,
    /// Where an edge (lower point, higher point) meets the plane.
    crossings: BTreeMap<(u32, u32), u32>,
}

impl Cutter {
    /// -1, 0, 1: behind, on, in front.
    fn side(&self, point: u32) -> i8 {
        let distance = self.plane.distance(self.points[point as usize]);
        if distance.abs() <= ON_PLANE {
            0
        } else if distance > 0.0 {
            1
        } else {
            -1
        }
    }

    /// True when a face looks behind the plane: then what it bounds lies in front.
    fn faces_back(&self, face: &Polygon) -> bool {
        let ring: Vec<DVec3> = face
            .corners
            .iter()
            .map(|&i| self.points[i as usize])
            .collect();
        polygon::newell(&ring).dot(self.plane.normal) < 0.0
    }

    fn cut(&mut self, face: &Polygon) -> (Option<Polygon>, Option<Polygon>) {
        let sides: Vec<i8> = face.corners.iter().map(|&point| self.side(point)).collect();
        let is_in_cut = sides.iter().all(|&side| side == 0);
        if is_in_cut && self.faces_back(face) {
            return (Some(face.clone()), None);
        }
        if sides.iter().all(|&side| side <= 0) {
            return (None, Some(face.clone()));
        }
        if sides.iter().all(|&side| side >= 0) {
            return (Some(face.clone()), None);
        }
        let empty = Polygon {
            corners: Vec::new(),
            uvs: Vec::new(),
            ..face.clone()
        };
        let (mut front, mut back) = (empty.clone(), empty);
        for i in 0..face.corners.len() {
            let next = (i + 1) % face.corners.len();
            let here = (face.corners[i], face.uvs.get(i).copied());
            if sides[i] >= 0 {
                push(&mut front, here);
            }
            if sides[i] <= 0 {
                push(&mut back, here);
            }
            if i32::from(sides[i]) * i32::from(sides[next]) < 0 {
                let (point, t) = self.crossing(face.corners[i], face.corners[next]);
                let uv = here
                    .1
                    .zip(face.uvs.get(next))
                    .map(|(from, to): (Vec2, &Vec2)| from.lerp(*to, t as f32));
                push(&mut front, (point, uv));
                push(&mut back, (point, uv));
            }
        }
        let sound = |part: Polygon| (part.corners.len() >= 3).then_some(part);
        (sound(front), sound(back))
    }

    fn crossing(&mut self, from: u32, to: u32) -> (u32, f64) {
        let distance = |point: u32| self.plane.distance(self.points[point as usize]);
        // From the lower number in both directions, so that neighbours share the point.
        let (low, high) = (from.min(to), from.max(to));
        let (a, b) = (distance(low), distance(high));
        let along = a / (a - b);
        let t = if low == from { along } else { 1.0 - along };
        if let Some(&point) = self.crossings.get(&(low, high)) {
            return (point, t);
        }
        let at = self.points[low as usize].lerp(self.points[high as usize], along);
        let point = self.points.len() as u32;
        self.points.push(at);
        self.crossings.insert((low, high), point);
        (point, t)
    }

    /// Convex polygons that close the rings that the cut left open in these ones; `None` when rings cross each other.
    fn caps(&self, polygons: &[Polygon], towards: DVec3) -> Option<Vec<Vec<u32>>> {
        let mut closed = BTreeSet::new();
        for face in polygons {
            for (i, &from) in face.corners.iter().enumerate() {
                closed.insert((from, face.corners[(i + 1) % face.corners.len()]));
            }
        }
        // The caps run the other way round.
        let open: BTreeSet<(u32, u32)> = closed
            .iter()
            .filter(|&&(from, to)| self.side(from) == 0 && self.side(to) == 0)
            .filter(|&&(from, to)| !closed.contains(&(to, from)))
            .map(|&(from, to)| (to, from))
            .collect();
        rings::convex_areas(&self.points, &self.rings(open, towards), towards)
    }

    /// Closed rings along these sides, the area on their left when seen against `towards`. Where several meet in a point, each
    /// keeps to its own area. What does not close is left out.
    fn rings(&self, mut open: BTreeSet<(u32, u32)>, towards: DVec3) -> Vec<Vec<u32>> {
        let mut rings = Vec::new();
        while let Some((start, mut at)) = open.pop_first() {
            let mut ring = vec![start];
            loop {
                let before = ring[ring.len() - 1];
                let next = open
                    .range((at, 0)..=(at, u32::MAX))
                    .map(|&(_, to)| to)
                    .chain((at == start).then_some(ring.get(1).copied()).flatten())
                    .min_by(|&a, &b| {
                        let turn = |to: u32| self.turn([before, at, to], towards);
                        turn(a).total_cmp(&turn(b))
                    });
                let Some(next) = next else {
                    // An open mesh: there is nothing to close.
                    ring.clear();
                    break;
                };
                if at == start && ring.get(1) == Some(&next) {
                    break;
                }
                open.remove(&(at, next));
                ring.push(at);
                at = next;
            }
            if ring.len() >= 3 {
                rings.push(ring);
            }
        }
        rings
    }

    /// How far the way on lies clockwise from the way back, seen against `towards`, in radians.
    fn turn(&self, [before, at, next]: [u32; 3], towards: DVec3) -> f64 {
        let point = |index: u32| self.points[index as usize];
        let (back, on) = (point(before) - point(at), point(next) - point(at));
        let angle = f64::atan2(on.cross(back).dot(towards), on.dot(back));
        if angle > 0.0 {
            angle
        } else {
            angle + std::f64::consts::TAU
        }
    }
}

/// A face in the cut: with this material, else the nearest polygon's, and placed as the nearest one that has it.
fn cap(mesh: &Mesh, points: &[DVec3], corners: Vec<u32>, material: Option<MaterialId>) -> Polygon {
    let places: Vec<DVec3> = corners.iter().map(|&i| points[i as usize]).collect();
    let middle = polygon::centroid(&places);
    let nearest = |wanted: Option<Option<MaterialId>>| {
        let off = |face: &&Polygon| {
            let ring = mesh.positions(face).unwrap_or_default();
            polygon::centroid(&ring).distance_squared(middle)
        };
        mesh.polygons
            .iter()
            .filter(|face| wanted.is_none_or(|wanted| face.material == wanted))
            .min_by(|a, b| off(a).total_cmp(&off(b)))
    };
    let material = material.or_else(|| nearest(None)?.material);
    let like = nearest(Some(material));
    Polygon {
        material,
        smooth: 0,
        proj: like.map_or_else(Uv::default, |like| like.proj),
        uvs: like.map_or_else(Vec::new, |like| frames::wrapped(mesh, like, &places)),
        corners,
    }
}

fn push(part: &mut Polygon, (point, uv): (u32, Option<Vec2>)) {
    part.corners.push(point);
    part.uvs.extend(uv);
}

/// The polygons with only the points they use.
fn compact(name: &str, points: &[DVec3], mut polygons: Vec<Polygon>) -> Mesh {
    let mut number = BTreeMap::new();
    let mut used = Vec::new();
    for corner in polygons.iter_mut().flat_map(|face| &mut face.corners) {
        *corner = *number.entry(*corner).or_insert_with(|| {
            used.push(points[*corner as usize]);
            used.len() as u32 - 1
        });
    }
    Mesh {
        name: name.to_owned(),
        points: used,
        polygons,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::ops::testing::cube_at;

    fn cube_mesh() -> Mesh {
        let brush = cube_at(0.0, Some(MaterialId(0)));
        Mesh {
            name: "cube".to_owned(),
            points: brush.hull().points().to_vec(),
            polygons: brush
                .hull()
                .loops()
                .iter()
                .map(|corners| Polygon {
                    material: Some(MaterialId(0)),
                    smooth: 0,
                    proj: Uv::default(),
                    corners: corners.clone(),
                    uvs: vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y],
                })
                .collect(),
        }
    }

    fn volume(mesh: &Mesh) -> f64 {
        let mut six = 0.0;
        for face in &mesh.polygons {
            let corners = mesh.positions(face).expect("sound");
            for [a, b, c] in polygon::triangles(&corners) {
                let at = |i: u32| corners[i as usize];
                six += at(a).dot(at(b).cross(at(c)));
            }
        }
        six / 6.0
    }

    #[test]
    fn clp_3_a_closed_mesh_stays_closed() {
        let mesh = cube_mesh();
        for normal in [
            DVec3::X,
            DVec3::new(1.0, 2.0, 0.5),
            DVec3::new(1.0, 1.0, 0.0),
        ] {
            let plane = Plane::through(DVec3::splat(16.0), normal).expect("plane");
            let (front, back) = split(&mesh, plane, None)
                .expect("no tangle")
                .expect("crossed");
            let (front_volume, back_volume) = (volume(&front), volume(&back));
            assert!(front_volume > 1.0 && back_volume > 1.0);
            assert!(((front_volume + back_volume) / 32768.0 - 1.0).abs() < 1e-9);
            for part in [&front, &back] {
                for face in &part.polygons {
                    assert!(part.is_sound(face));
                    assert!(face.uvs.is_empty() || face.uvs.len() == face.corners.len());
                }
            }
        }
        let side = Plane::new(DVec3::X, 32.0);
        assert_eq!(split(&mesh, side, None), Ok(None));
    }
}
