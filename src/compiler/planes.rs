//! The table of planes of one compile: faces of different brushes that lie in one plane get one number (`compiler.md` 2).

use glam::DVec3;

use crate::compiler::hash::FastMap;
use crate::geometry::Plane;

/// Components of normals this near 0 or 1 are put there.
const EPS_NORMAL: f64 = 1e-6;

/// Distances this near a multiple of 1/4096 are put there.
const EPS_SNAP: f64 = 1e-5;

/// Normals of one plane agree to this.
const EPS_AGREE: f64 = 1e-3;

/// Cells of the look-up by normal; the margin of a cell is [`EPS_AGREE`] wide.
const CELL: f64 = 4.0 * EPS_AGREE;

/// A plane with its side: the twin that faces the other way differs in the low bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlaneId(u32);

impl PlaneId {
    #[must_use]
    pub(crate) const fn flipped(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The same for both sides.
    #[must_use]
    pub(crate) const fn index(self) -> u32 {
        self.0 >> 1
    }
}

/// Unit planes by number. The first face that asks for a plane defines it.
#[derive(Default)]
pub(crate) struct Planes {
    list: Vec<Plane>,
    /// By cell of the normal.
    cells: FastMap<[i16; 3], Vec<u32>>,
    /// Axial planes of each axis by their place on it, sorted.
    axial: [Vec<(f64, u32)>; 3],
    /// Positions that corners of brushes have, by the three planes (ascending [`PlaneId::index`]) that make them.
    corners: FastMap<[u32; 3], DVec3>,
}

impl Planes {
    #[must_use]
    pub(crate) fn get(&self, id: PlaneId) -> Plane {
        let plane = self.list[id.index() as usize];
        if id.0 & 1 == 0 {
            plane
        } else {
            plane.flipped()
        }
    }

    /// Number of the plane of a face with these corners; `plane` (unit) is as the document holds it. Numbers in `taken` are not
    /// given: the faces of one brush are different planes however near they lie.
    pub(crate) fn of_face(
        &mut self,
        plane: Plane,
        corners: &[DVec3],
        taken: &[PlaneId],
    ) -> PlaneId {
        let plane = canonical(plane, corners);
        let reach = corners.iter().fold(0.0, |reach: f64, corner| {
            reach.max(corner.abs().max_element())
        });
        let near = 1e-4 + 2e-7 * reach;
        let mut best: Option<(f64, PlaneId)> = None;
        let mut consider = |list: &[Plane], index: u32| {
            let old = list[index as usize];
            let facing = old.normal.dot(plane.normal);
            let id = PlaneId(index * 2 + u32::from(facing < 0.0));
            let normal = if facing < 0.0 {
                -old.normal
            } else {
                old.normal
            };
            if (normal - plane.normal).abs().max_element() > EPS_AGREE
                || taken.iter().any(|t| t.index() == index)
            {
                return;
            }
            let off = corners
                .iter()
                .fold(0.0, |off: f64, &corner| off.max(old.distance(corner).abs()));
            // Nearest first, the lower number among equals.
            if off <= near
                && best.is_none_or(|(other, number)| off < other || (off == other && id < number))
            {
                best = Some((off, id));
            }
        };
        for (axis, sorted) in self.axial.iter().enumerate() {
            if plane.normal[axis].abs() > 1.0 - EPS_AGREE
                && let Some(place) = corners.first().map(|corner| corner[axis])
            {
                let from = sorted.partition_point(|entry| entry.0 < place - 2.0 * near);
                for entry in sorted[from..]
                    .iter()
                    .take_while(|entry| entry.0 <= place + 2.0 * near)
                {
                    consider(&self.list, entry.1);
                }
            }
        }
        for normal in [plane.normal, -plane.normal] {
            for_cells(normal, |cell| {
                for &index in self.cells.get(&cell).into_iter().flatten() {
                    consider(&self.list, index);
                }
            });
        }
        match best {
            Some((_, id)) => id,
            None => self.insert(plane),
        }
    }

    /// A plane of its own, equal to others or not.
    pub(crate) fn insert(&mut self, plane: Plane) -> PlaneId {
        let index = self.list.len() as u32;
        self.list.push(plane);
        if let Some(axis) = axis_of(plane.normal) {
            let place = plane.dist * plane.normal[axis];
            let sorted = &mut self.axial[axis];
            let at = sorted.partition_point(|entry| entry.0 <= place);
            sorted.insert(at, (place, index));
        } else {
            let cell = (plane.normal / CELL).round();
            self.cells
                .entry([cell.x as i16, cell.y as i16, cell.z as i16])
                .or_default()
                .push(index);
        }
        PlaneId(index * 2)
    }

    /// Notes that a corner of a brush lies where these planes meet; the first position of three planes stays.
    pub(crate) fn note_corner(&mut self, planes: [PlaneId; 3], position: DVec3) {
        self.corners.entry(triple(planes)).or_insert(position);
    }

    /// Where three planes meet: the noted corner, else their solution; `fallback` when they hardly meet, or elsewhere.
    #[must_use]
    pub(crate) fn meeting(&self, planes: [PlaneId; 3], fallback: DVec3) -> DVec3 {
        let key = triple(planes);
        let near = 0.01 + 2e-6 * fallback.abs().max_element();
        if let Some(&corner) = self.corners.get(&key)
            && corner.distance_squared(fallback) < near * near
        {
            return corner;
        }
        // Sorted planes, so that every order of the three gives the same bits.
        let [a, b, c] = key.map(|index| self.list[index as usize]);
        Plane::meet(a, b, c)
            .filter(|point| point.distance_squared(fallback) < near * near)
            .unwrap_or(fallback)
    }
}

fn triple(planes: [PlaneId; 3]) -> [u32; 3] {
    let mut key = planes.map(PlaneId::index);
    key.sort_unstable();
    key
}

/// The axis of a normal with exactly one component.
fn axis_of(normal: DVec3) -> Option<usize> {
    (0..3).find(|&axis| normal[(axis + 1) % 3] == 0.0 && normal[(axis + 2) % 3] == 0.0)
}

/// The cells that hold normals agreeing with `normal`.
fn for_cells(normal: DVec3, mut visit: impl FnMut([i16; 3])) {
    let at = (normal / CELL).to_array();
    let ranges = at.map(|x| ((x - 0.25).round() as i16, (x + 0.25).round() as i16));
    for x in ranges[0].0..=ranges[0].1 {
        for y in ranges[1].0..=ranges[1].1 {
            for z in ranges[2].0..=ranges[2].1 {
                visit([x, y, z]);
            }
        }
    }
}

/// The plane to compute with: through the corners where they lie in one plane (stored planes are `f32` and pass beside the
/// corners that the document shows by up to 0.005), with nearly axial normals made axial.
fn canonical(stored: Plane, corners: &[DVec3]) -> Plane {
    let mut plane = fitted(stored, corners).unwrap_or(stored);
    let snapped = DVec3::from_array(plane.normal.to_array().map(|x| {
        if x.abs() < EPS_NORMAL {
            0.0
        } else if (x.abs() - 1.0).abs() < EPS_NORMAL {
            x.signum()
        } else {
            x
        }
    }));
    if snapped != plane.normal
        && let Some(normal) = snapped.try_normalize()
    {
        let on_plane = if corners.is_empty() {
            plane.normal * plane.dist
        } else {
            middle(corners)
        };
        plane = Plane::new(normal, normal.dot(on_plane));
    }
    let multiple = (plane.dist * 4096.0).round() / 4096.0;
    if (plane.dist - multiple).abs() < EPS_SNAP {
        plane.dist = multiple;
    }
    plane
}

fn middle(corners: &[DVec3]) -> DVec3 {
    corners
        .iter()
        .fold(DVec3::ZERO, |sum, &corner| sum + corner)
        / corners.len() as f64
}

fn fitted(stored: Plane, corners: &[DVec3]) -> Option<Plane> {
    let first = *corners.first()?;
    let mut normal = DVec3::ZERO;
    for pair in corners[1..].windows(2) {
        normal += (pair[0] - first).cross(pair[1] - first);
    }
    let normal = normal.try_normalize()?;
    let plane = Plane::new(normal, normal.dot(middle(corners)));
    let reach = corners.iter().fold(0.0, |reach: f64, corner| {
        reach.max(corner.abs().max_element())
    });
    let flat = corners
        .iter()
        .all(|&corner| plane.distance(corner).abs() < 1e-6 + 1e-10 * reach);
    (flat && normal.dot(stored.normal) > 1.0 - 1e-6).then_some(plane)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(at: DVec3, u: DVec3, v: DVec3) -> (Plane, Vec<DVec3>) {
        let corners = vec![at, at + u, at + u + v, at + v];
        (
            Plane::from_points(corners[0], corners[1], corners[2]).expect("not on a line"),
            corners,
        )
    }

    #[test]
    fn faces_in_one_plane_share_a_number_and_twins_differ_in_the_side() {
        let mut planes = Planes::default();
        for (u, v) in [
            (DVec3::new(64.0, 0.0, 0.0), DVec3::new(0.0, 64.0, 0.0)),
            (DVec3::new(64.0, 13.0, 7.0), DVec3::new(-20.0, 64.0, 30.0)),
        ] {
            let (plane, corners) = square(DVec3::new(1000.0, 8.0, 16.0), u, v);
            let a = planes.of_face(plane.rounded().unit().expect("unit"), &corners, &[]);
            let (plane, mut corners) = square(DVec3::new(1000.0, 8.0, 16.0) + u * 3.0 - v, u, v);
            assert_eq!(planes.of_face(plane, &corners, &[]), a);
            corners.reverse();
            assert_eq!(planes.of_face(plane.flipped(), &corners, &[]), a.flipped());
            assert_ne!(
                planes.of_face(plane, &corners, &[a]),
                a,
                "taken numbers are not given"
            );
            let off = plane.normal * 0.01;
            let moved: Vec<DVec3> = corners.iter().map(|&corner| corner + off).collect();
            let plane = Plane::new(plane.normal, plane.dist + 0.01);
            assert_ne!(
                planes.of_face(plane, &moved, &[]),
                a,
                "0.01 away is another plane"
            );
        }
    }

    #[test]
    fn three_planes_meet_in_the_same_bits_in_any_order() {
        let mut planes = Planes::default();
        let ids = [
            planes.insert(Plane::new(DVec3::new(0.6, 0.8, 0.0), 13.0)),
            planes.insert(Plane::new(DVec3::new(0.0, 0.6, 0.8), 7.0)),
            planes.insert(Plane::new(DVec3::new(0.8, 0.0, -0.6), 3.0)),
        ];
        let at = Plane::meet(planes.get(ids[0]), planes.get(ids[1]), planes.get(ids[2]))
            .expect("they meet");
        let first = planes.meeting(ids, at);
        for order in [[0, 2, 1], [1, 0, 2], [2, 1, 0]] {
            assert_eq!(
                planes.meeting(order.map(|i: usize| ids[i].flipped()), at),
                first
            );
        }
        planes.note_corner(ids, first + 0.001);
        assert_eq!(
            planes.meeting(ids, at),
            first + 0.001,
            "the document's corner counts"
        );
        assert_eq!(
            planes.meeting(ids, at + 1.0),
            at + 1.0,
            "not where they do not meet"
        );
    }
}
