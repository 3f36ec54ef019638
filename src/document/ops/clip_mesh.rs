//! Cutting a mesh with a plane.

use std::collections::BTreeMap;

use glam::DVec3;
use glam::Vec2;

use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Polygon;
use crate::document::ops::clip::crosses;
use crate::geometry::Plane;
use crate::geometry::Uv;
use crate::geometry::polygon;

/// Points this near to the plane are on it.
const ON_PLANE: f64 = 1e-4;

/// The parts in front of and behind a (unit) plane. Where the cut runs in closed rings, faces of this material (else that
/// of the first polygon) close them; an open mesh stays open. `None` when the plane does not cross it.
#[must_use]
pub fn split(mesh: &Mesh, plane: Plane, material: Option<MaterialId>) -> Option<(Mesh, Mesh)> {
    if !crosses(&mesh.points, plane) || mesh.polygons.iter().any(|face| !mesh.is_sound(face)) {
        return None;
    }
    let material = material.or_else(|| mesh.polygons.first()?.material);
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
    let part = |mut polygons: Vec<Polygon>, towards: DVec3| {
        polygons.extend(cutter.caps(&polygons, towards, material));
        compact(&mesh.name, &cutter.points, polygons)
    };
    let (front, back) = (part(front, -plane.normal), part(back, plane.normal));
    (!front.polygons.is_empty() && !back.polygons.is_empty()).then_some((front, back))
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

    fn cut(&mut self, face: &Polygon) -> (Option<Polygon>, Option<Polygon>) {
        let sides: Vec<i8> = face.corners.iter().map(|&point| self.side(point)).collect();
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

    /// Faces that close the rings that the cut left open in these polygons.
    fn caps(
        &self,
        polygons: &[Polygon],
        towards: DVec3,
        material: Option<MaterialId>,
    ) -> Vec<Polygon> {
        let mut open: BTreeMap<u32, u32> = BTreeMap::new();
        let mut closed = std::collections::BTreeSet::new();
        for face in polygons {
            for (i, &from) in face.corners.iter().enumerate() {
                closed.insert((from, face.corners[(i + 1) % face.corners.len()]));
            }
        }
        for &(from, to) in &closed {
            let in_cut = self.side(from) == 0 && self.side(to) == 0;
            // The cap runs the other way round.
            if in_cut && !closed.contains(&(to, from)) && open.insert(to, from).is_some() {
                // Two rings touch in a point: which way to go is unknown.
                return Vec::new();
            }
        }
        let mut caps = Vec::new();
        while let Some((&start, _)) = open.iter().next() {
            let mut ring = vec![start];
            let mut at = open.remove(&start);
            while let Some(point) = at.filter(|&point| point != start) {
                ring.push(point);
                at = open.remove(&point);
            }
            if at.is_none() || ring.len() < 3 {
                continue;
            }
            let corners: Vec<DVec3> = ring
                .iter()
                .map(|&point| self.points[point as usize])
                .collect();
            // A hole runs round backwards; a cap over it would be wrong.
            if polygon::newell(&corners).dot(towards) <= 0.0 {
                return Vec::new();
            }
            caps.extend(
                polygon::convex_parts(&corners)
                    .into_iter()
                    .map(|part| Polygon {
                        material,
                        smooth: 0,
                        proj: Uv::default(),
                        corners: part.iter().map(|&i| ring[i as usize]).collect(),
                        uvs: Vec::new(),
                    }),
            );
        }
        caps
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
            let (front, back) = split(&mesh, plane, None).expect("crossed");
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
        assert!(split(&mesh, side, None).is_none());
    }
}
