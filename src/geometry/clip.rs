//! A convex solid that is cut by one plane after the other, with its topology kept.

use glam::DVec3;

use crate::geometry::Aabb;
use crate::geometry::Plane;

/// Marks a face of the start box.
const START_FACE: u32 = u32::MAX;

/// Faces as loops of point indices, counter-clockwise seen from outside. Each face carries a number of its maker's.
#[derive(Debug)]
pub struct Solid {
    points: Vec<DVec3>,
    /// All loops one after the other; `faces` says which part is whose.
    corners: Vec<u32>,
    faces: Vec<Face>,
    /// Reused by every cut.
    distance: Vec<f64>,
    is_front: Vec<bool>,
    next_corners: Vec<u32>,
    next_faces: Vec<Face>,
    /// Crossings of cut edges: (lower end, higher end, new point).
    cut: Vec<(u32, u32, u32)>,
    /// Edges of the new face.
    cap: Vec<(u32, u32)>,
}

impl Clone for Solid {
    /// Without what only the next cut needs.
    fn clone(&self) -> Self {
        Self::new(
            self.points.clone(),
            self.corners.clone(),
            self.faces.clone(),
        )
    }
}

#[derive(Clone, Copy, Debug)]
struct Face {
    plane: u32,
    start: u32,
    end: u32,
}

/// The points on both sides do not form two connected pieces: rounding noise decided the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rounding noise decides on which side the corners are")]
pub struct Tangled;

impl Solid {
    pub fn cuboid(bounds: &Aabb) -> Self {
        // Loops over `Aabb::corners`: bit 0 = x, bit 1 = y, bit 2 = z.
        const LOOPS: [[u32; 4]; 6] = [
            [1, 3, 7, 5],
            [0, 4, 6, 2],
            [2, 6, 7, 3],
            [0, 1, 5, 4],
            [4, 5, 7, 6],
            [0, 2, 3, 1],
        ];
        let faces = (0..6)
            .map(|face| Face {
                plane: START_FACE,
                start: 4 * face,
                end: 4 * face + 4,
            })
            .collect();
        let mut points = Vec::with_capacity(32);
        points.extend(bounds.corners());
        let mut solid = Self::new(points, LOOPS.concat(), faces);
        solid.distance.reserve(32);
        solid.is_front.reserve(32);
        solid.next_corners.reserve(64);
        solid.next_faces.reserve(16);
        solid.cut.reserve(16);
        solid.cap.reserve(16);
        solid
    }

    fn new(points: Vec<DVec3>, corners: Vec<u32>, faces: Vec<Face>) -> Self {
        Self {
            points,
            corners,
            faces,
            distance: Vec::new(),
            is_front: Vec::new(),
            next_corners: Vec::new(),
            next_faces: Vec::new(),
            cut: Vec::new(),
            cap: Vec::new(),
        }
    }

    /// A closed solid that is there already; the loop of number i carries id i, empty ones are left out.
    pub fn of_loops(points: &[DVec3], loops: &[Vec<u32>]) -> Self {
        let mut solid = Self::new(
            points.to_vec(),
            Vec::with_capacity(loops.iter().map(Vec::len).sum()),
            Vec::with_capacity(loops.len()),
        );
        for (plane, corners) in (0..).zip(loops) {
            if corners.len() >= 3 {
                let start = solid.corners.len() as u32;
                solid.corners.extend_from_slice(corners);
                solid.faces.push(Face {
                    plane,
                    start,
                    end: solid.corners.len() as u32,
                });
            }
        }
        solid
    }

    /// Keeps what is behind the plane; the new face carries `id`. False when nothing is left.
    pub fn clip(&mut self, plane: Plane, id: u32, epsilon: f64) -> Result<bool, Tangled> {
        self.distance.clear();
        self.is_front.clear();
        let (mut in_front, mut behind) = (false, false);
        // Points of dropped faces stay in the list; only those in use count, but looking at all is cheaper than asking.
        for &point in &self.points {
            let distance = plane.distance(point);
            self.distance.push(distance);
            self.is_front.push(distance > epsilon);
        }
        for &corner in &self.corners {
            in_front |= self.is_front[corner as usize];
            behind |= self.distance[corner as usize] < -epsilon;
        }
        if !behind {
            return Ok(false);
        }
        if !in_front {
            return Ok(true);
        }
        self.settle_sides();
        self.next_corners.clear();
        self.next_faces.clear();
        self.cut.clear();
        self.cap.clear();
        for index in 0..self.faces.len() {
            self.cut_face(self.faces[index], epsilon);
        }
        self.add_cap(id)?;
        std::mem::swap(&mut self.corners, &mut self.next_corners);
        std::mem::swap(&mut self.faces, &mut self.next_faces);
        Ok(true)
    }

    /// Every loop may leave the front only once. Noise can break that for points nearly on the plane: then the shorter runs
    /// behind are counted as in front, until nothing changes.
    fn settle_sides(&mut self) {
        loop {
            let mut changed = false;
            for face in &self.faces {
                let corners = &self.corners[face.start as usize..face.end as usize];
                let is_front = &mut self.is_front;
                let entries = (0..corners.len())
                    .filter(|&i| {
                        is_front[corners[i] as usize]
                            && !is_front[corners[(i + 1) % corners.len()] as usize]
                    })
                    .count();
                if entries < 2 {
                    continue;
                }
                let deepest = corners
                    .iter()
                    .enumerate()
                    .filter(|corner| !is_front[*corner.1 as usize])
                    .min_by(|a, b| {
                        self.distance[*a.1 as usize].total_cmp(&self.distance[*b.1 as usize])
                    })
                    .map_or(0, |(i, _)| i);
                let mut left_run = false;
                // Forwards until the run of the deepest point ends, everything after that up to the run's start is in front.
                let n = corners.len();
                let mut first = deepest;
                while !is_front[corners[(first + n - 1) % n] as usize] {
                    first = (first + n - 1) % n;
                }
                for step in 0..n {
                    let corner = corners[(first + step) % n] as usize;
                    if is_front[corner] {
                        left_run = true;
                    } else if left_run {
                        is_front[corner] = true;
                        changed = true;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn cut_face(&mut self, face: Face, epsilon: f64) {
        let range = face.start as usize..face.end as usize;
        let start = self.next_corners.len() as u32;
        if self.corners[range.clone()]
            .iter()
            .all(|&corner| !self.is_front[corner as usize])
        {
            self.next_corners.extend_from_slice(&self.corners[range]);
            self.next_faces.push(Face {
                plane: face.plane,
                start,
                end: self.next_corners.len() as u32,
            });
            return;
        }
        // Where the loop leaves to the front, and where it comes back.
        let (mut leaves, mut comes) = (None, None);
        let mut previous = self.corners[range.end - 1];
        for index in range {
            let corner = self.corners[index];
            match (
                self.is_front[previous as usize],
                self.is_front[corner as usize],
            ) {
                (false, true) => {
                    let crossing = self.crossing(previous, corner, epsilon);
                    leaves = Some(crossing);
                    if crossing != previous {
                        self.next_corners.push(crossing);
                    }
                }
                (true, false) => {
                    let crossing = self.crossing(corner, previous, epsilon);
                    comes = Some(crossing);
                    if crossing != corner {
                        self.next_corners.push(crossing);
                    }
                    self.next_corners.push(corner);
                }
                (false, false) => self.next_corners.push(corner),
                (true, true) => {}
            }
            previous = corner;
        }
        if let (Some(leaves), Some(comes)) = (leaves, comes)
            && leaves != comes
        {
            self.cap.push((comes, leaves));
        }
        let end = self.next_corners.len() as u32;
        if end - start < 3 {
            self.next_corners.truncate(start as usize);
        } else {
            self.next_faces.push(Face {
                plane: face.plane,
                start,
                end,
            });
        }
    }

    /// The point where the edge between a kept and a cut-off corner meets the plane: the kept corner when it lies on it.
    fn crossing(&mut self, kept: u32, gone: u32, epsilon: f64) -> u32 {
        let (near, far) = (self.distance[kept as usize], self.distance[gone as usize]);
        // Not behind by any measure, so it is on the plane.
        if near >= -epsilon || far <= near {
            return kept;
        }
        if let Some(&(.., point)) = self.cut.iter().find(|cut| cut.0 == kept && cut.1 == gone) {
            return point;
        }
        let (a, b) = (self.points[kept as usize], self.points[gone as usize]);
        let point = a + (b - a) * (near / (near - far)).clamp(0.0, 1.0);
        let index = self.points.len() as u32;
        self.points.push(point);
        self.cut.push((kept, gone, index));
        index
    }

    /// Chains the open edges to the loop of the new face.
    fn add_cap(&mut self, id: u32) -> Result<(), Tangled> {
        let Some(&(first, mut at)) = self.cap.first() else {
            return Err(Tangled);
        };
        if self.cap.len() < 3 {
            // The cut runs along an edge or through a corner that noise put in front: nothing but a sliver goes.
            return Err(Tangled);
        }
        let start = self.next_corners.len() as u32;
        self.next_corners.push(first);
        let mut used = 1;
        while at != first {
            let Some(&(from, to)) = self.cap.iter().find(|edge| edge.0 == at) else {
                return Err(Tangled);
            };
            self.next_corners.push(from);
            at = to;
            used += 1;
            if used > self.cap.len() {
                return Err(Tangled);
            }
        }
        if used != self.cap.len() {
            return Err(Tangled);
        }
        self.next_faces.push(Face {
            plane: id,
            start,
            end: self.next_corners.len() as u32,
        });
        Ok(())
    }

    /// True when a face of the start box is left.
    pub fn touches_start(&self) -> bool {
        self.faces.iter().any(|face| face.plane == START_FACE)
    }

    /// Every face with the id of its plane (`None` for the start box) and its corners.
    pub fn faces(&self) -> impl Iterator<Item = (Option<u32>, &[u32])> {
        (0..self.faces.len()).map(|slot| {
            let plane = self.faces[slot].plane;
            ((plane != START_FACE).then_some(plane), self.face(slot))
        })
    }

    pub fn face(&self, slot: usize) -> &[u32] {
        let face = self.faces[slot];
        &self.corners[face.start as usize..face.end as usize]
    }

    pub fn point(&self, index: u32) -> DVec3 {
        self.points[index as usize]
    }

    pub fn point_count(&self) -> usize {
        self.points.len()
    }

    /// The faces of the start box become ordinary ones: number 0 to 5 after `first`, in the order +x, -x, +y, -y, +z, -z.
    #[must_use]
    pub fn with_numbered_start(mut self, first: u32) -> Self {
        let start_faces = self
            .faces
            .iter_mut()
            .filter(|face| face.plane == START_FACE);
        for (number, face) in (first..).zip(start_faces) {
            face.plane = number;
        }
        self
    }

    /// Forgets points that no face uses any more.
    pub fn compact(&mut self) {
        let mut number = vec![u32::MAX; self.points.len()];
        let mut points = Vec::with_capacity(self.points.len());
        for corner in &mut self.corners {
            let number = &mut number[*corner as usize];
            if *number == u32::MAX {
                *number = points.len() as u32;
                points.push(self.points[*corner as usize]);
            }
            *corner = *number;
        }
        self.points = points;
    }

    #[must_use]
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Every face gets the id that `number` gives for its old one. The start box keeps its own.
    pub fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        for face in &mut self.faces {
            if face.plane != START_FACE {
                face.plane = number(face.plane);
            }
        }
    }

    /// Corners of all faces, shared ones several times.
    pub fn corner_points(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.corners
            .iter()
            .map(|&corner| self.points[corner as usize])
    }

    /// Cubic units.
    pub fn volume(&self) -> f64 {
        let Some(&apex) = self.corners.first() else {
            return 0.0;
        };
        let apex = self.points[apex as usize];
        let corner = |index: u32| self.points[index as usize] - apex;
        let mut six = 0.0;
        for slot in 0..self.faces.len() {
            let corners = self.face(slot);
            for pair in corners.windows(2).skip(1) {
                six += corner(corners[0]).dot(corner(pair[0]).cross(corner(pair[1])));
            }
        }
        six / 6.0
    }

    /// Corners that no face of the start box touches.
    pub fn inner_points(&self) -> Vec<DVec3> {
        let mut outer = vec![true; self.points.len()];
        for &corner in &self.corners {
            outer[corner as usize] = false;
        }
        for (plane, corners) in self.faces() {
            if plane.is_none() {
                for &corner in corners {
                    outer[corner as usize] = true;
                }
            }
        }
        self.points
            .iter()
            .zip(outer)
            .filter(|(_, outer)| !outer)
            .map(|(point, _)| *point)
            .collect()
    }
}
