//! A convex solid that is cut along the axes, over and over, on its way down the tree. In eighths of a unit of the file.

use glam::DVec3;
use smallvec::SmallVec;

/// Points nearer to a plane than this are on it.
const ON: f64 = 1e-6;
/// Volume of what is thinner than any cube's eighth.
const NOTHING: f64 = 1e-5;

/// Its faces, counter-clockwise seen from outside: the corners of all, one face after the other, and where each ends.
#[derive(Clone, Debug, Default)]
pub struct Polytope {
    points: Vec<DVec3>,
    ends: SmallVec<[u32; 12]>,
}

/// Where a cut goes through, in no order: each place twice, once for either face that ends there.
type Rim = SmallVec<[DVec3; 16]>;

impl Polytope {
    pub fn add_face(&mut self, corners: impl IntoIterator<Item = DVec3>) {
        self.points.extend(corners);
        self.end_face();
    }

    fn end_face(&mut self) {
        self.ends.push(self.points.len() as u32);
    }

    /// The corners of each face.
    pub fn faces(&self) -> impl Iterator<Item = &[DVec3]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let face = &self.points[start..end as usize];
            start = end as usize;
            face
        })
    }

    /// The corners of all faces: each comes as often as faces meet in it.
    #[must_use]
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// The parts below and above a plane across an axis.
    #[must_use]
    pub fn split(self, axis: usize, at: f64) -> [Option<Self>; 2] {
        let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in &self.points {
            lowest = lowest.min(point[axis]);
            highest = highest.max(point[axis]);
        }
        if highest <= at + ON {
            return [Some(self), None];
        }
        if lowest >= at - ON {
            return [None, Some(self)];
        }
        [-1.0, 1.0].map(|sign| self.half(axis, at, sign))
    }

    /// The part on the side that `sign` points to.
    fn half(&self, axis: usize, at: f64, sign: f64) -> Option<Self> {
        let height = |point: DVec3| (point[axis] - at) * sign;
        let mut part = Self {
            points: Vec::with_capacity(self.points.len() + 2 * self.ends.len()),
            ends: SmallVec::new(),
        };
        let mut rim = Rim::new();
        for face in self.faces() {
            let start = part.points.len();
            let mut is_there = false;
            let Some(&last) = face.last() else { continue };
            let (mut from, mut before) = (last, height(last));
            for &to in face {
                let after = height(to);
                if before.abs() > ON && after.abs() > ON && before.signum() != after.signum() {
                    let mut cut = from + (to - from) * (before / (before - after));
                    cut[axis] = at;
                    part.points.push(cut);
                    rim.push(cut);
                }
                if after >= -ON {
                    part.points.push(to);
                    is_there |= after > ON;
                }
                if after.abs() <= ON {
                    rim.push(to);
                }
                (from, before) = (to, after);
            }
            if is_there && part.points.len() >= start + 3 {
                part.end_face();
            } else {
                part.points.truncate(start);
            }
        }
        let cap = cap(rim, axis, sign)?;
        part.add_face(cap);
        (part.volume() > NOTHING).then_some(part)
    }

    #[must_use]
    pub fn volume(&self) -> f64 {
        let from = self.points.first().copied().unwrap_or_default();
        let mut six = 0.0;
        for face in self.faces() {
            let base = face[0] - from;
            for pair in face[1..].windows(2) {
                six += base.dot((pair[0] - from).cross(pair[1] - from));
            }
        }
        six / 6.0
    }
}

/// The face that closes a cut: the rim's points in order round their middle, seen from outside.
fn cap(rim: Rim, axis: usize, sign: f64) -> Option<Rim> {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let middle = rim.iter().sum::<DVec3>() / rim.len().max(1) as f64;
    let angle = |point: DVec3| (point[j] - middle[j]).atan2(point[i] - middle[i]);
    let mut by_angle: SmallVec<[(f64, DVec3); 16]> =
        rim.into_iter().map(|point| (angle(point), point)).collect();
    by_angle.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut rim: Rim = by_angle.into_iter().map(|(_, point)| point).collect();
    rim.dedup_by(|a, b| a.distance(*b) <= ON);
    if rim.len() > 1 && rim[0].distance(rim[rim.len() - 1]) <= ON {
        rim.pop();
    }
    // Counter-clockwise about the axis looks along it; the part above is closed at its bottom.
    if sign > 0.0 {
        rim.reverse();
    }
    (rim.len() >= 3).then_some(rim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polytope(faces: impl IntoIterator<Item = Vec<DVec3>>) -> Polytope {
        let mut whole = Polytope::default();
        for face in faces {
            whole.add_face(face);
        }
        whole
    }

    fn cube(size: f64) -> Polytope {
        use crate::formats::ogz::shape::FACE_CORNERS;
        let corner = |number: usize| {
            DVec3::new(
                (number & 1) as f64,
                (number >> 1 & 1) as f64,
                (number >> 2) as f64,
            ) * size
        };
        polytope(FACE_CORNERS.map(|face| face.map(corner).to_vec()))
    }

    #[test]
    fn parts_have_the_volume_of_the_whole() {
        let whole = cube(8.0);
        assert_eq!(whole.volume(), 512.0);
        for axis in 0..3 {
            let [below, above] = whole.clone().split(axis, 3.0);
            let (below, above) = (below.expect("a part"), above.expect("a part"));
            assert_eq!((below.volume(), above.volume()), (192.0, 320.0));
            assert_eq!((below.ends.len(), above.ends.len()), (6, 6));
            let again = below
                .split((axis + 1) % 3, 4.0)
                .map(|part| part.expect("a part").volume());
            assert_eq!(again, [96.0, 96.0]);
            assert!(matches!(whole.clone().split(axis, 8.0), [Some(_), None]));
            assert!(matches!(whole.clone().split(axis, 0.0), [None, Some(_)]));
        }
    }

    #[test]
    fn cuts_through_corners_and_slopes_close() {
        // A wedge: the cube below the plane x + z = 8.
        let points = [
            [0.0; 3],
            [8.0, 0.0, 0.0],
            [0.0, 8.0, 0.0],
            [8.0, 8.0, 0.0],
            [0.0, 0.0, 8.0],
            [0.0, 8.0, 8.0],
        ]
        .map(DVec3::from);
        let faces: [&[usize]; 5] = [
            &[0, 2, 3, 1],
            &[0, 4, 5, 2],
            &[1, 3, 5, 4],
            &[0, 1, 4],
            &[2, 5, 3],
        ];
        let wedge =
            polytope(faces.map(|face| face.iter().map(|&index| points[index]).collect::<Vec<_>>()));
        assert_eq!(wedge.volume(), 256.0);
        let [low, high] = wedge
            .clone()
            .split(2, 4.0)
            .map(|part| part.expect("a part"));
        assert_eq!((low.volume(), high.volume()), (192.0, 64.0));
        let [left, right] = low.clone().split(0, 4.0).map(|part| part.expect("a part"));
        assert_eq!((left.volume(), right.volume()), (128.0, 64.0));
        assert_eq!((left.ends.len(), right.ends.len()), (6, 5));
        // Through its ridge nothing is left above.
        assert!(matches!(wedge.clone().split(2, 8.0), [Some(_), None]));
    }
}
