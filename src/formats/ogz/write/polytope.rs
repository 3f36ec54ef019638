//! A convex solid that is cut along the axes, over and over, on its way down the tree. In eighths of a unit of the file.

use glam::DVec3;

/// Points nearer to a plane than this are on it.
const ON: f64 = 1e-6;
/// Volume of what is thinner than any cube's eighth.
const NOTHING: f64 = 1e-5;

/// Its faces, counter-clockwise seen from outside.
#[derive(Clone, Debug)]
pub struct Polytope {
    pub faces: Vec<Vec<DVec3>>,
}

impl Polytope {
    /// The parts below and above a plane across an axis.
    #[must_use]
    pub fn split(&self, axis: usize, at: f64) -> [Option<Self>; 2] {
        let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in self.faces.iter().flatten() {
            lowest = lowest.min(point[axis]);
            highest = highest.max(point[axis]);
        }
        if highest <= at + ON {
            return [Some(self.clone()), None];
        }
        if lowest >= at - ON {
            return [None, Some(self.clone())];
        }
        [-1.0, 1.0].map(|sign| self.half(axis, at, sign))
    }

    /// The part on the side that `sign` points to.
    fn half(&self, axis: usize, at: f64, sign: f64) -> Option<Self> {
        let height = |point: DVec3| (point[axis] - at) * sign;
        let mut faces: Vec<Vec<DVec3>> = Vec::with_capacity(self.faces.len() + 1);
        let mut rim: Vec<DVec3> = Vec::new();
        for face in &self.faces {
            let mut kept = Vec::with_capacity(face.len() + 1);
            for (index, &to) in face.iter().enumerate() {
                let from = face[(index + face.len() - 1) % face.len()];
                let (before, after) = (height(from), height(to));
                if before.abs() > ON && after.abs() > ON && before.signum() != after.signum() {
                    let mut cut = from + (to - from) * (before / (before - after));
                    cut[axis] = at;
                    kept.push(cut);
                    rim.push(cut);
                }
                if after >= -ON {
                    kept.push(to);
                }
                if after.abs() <= ON {
                    rim.push(to);
                }
            }
            if kept.len() >= 3 && kept.iter().any(|&point| height(point) > ON) {
                faces.push(kept);
            }
        }
        let cap = cap(rim, axis, sign)?;
        faces.push(cap);
        let part = Self { faces };
        (part.volume() > NOTHING).then_some(part)
    }

    #[must_use]
    pub fn volume(&self) -> f64 {
        let from = self.faces.first().map_or(DVec3::ZERO, |face| face[0]);
        let mut six = 0.0;
        for face in &self.faces {
            let base = face[0] - from;
            for pair in face[1..].windows(2) {
                six += base.dot((pair[0] - from).cross(pair[1] - from));
            }
        }
        six / 6.0
    }
}

/// The face that closes a cut: the rim's points in order round their middle, seen from outside.
fn cap(mut rim: Vec<DVec3>, axis: usize, sign: f64) -> Option<Vec<DVec3>> {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let middle = rim.iter().sum::<DVec3>() / rim.len().max(1) as f64;
    let angle = |point: &DVec3| (point[j] - middle[j]).atan2(point[i] - middle[i]);
    rim.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
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

    fn cube(size: f64) -> Polytope {
        use crate::formats::ogz::shape::FACE_CORNERS;
        let corner = |number: usize| {
            DVec3::new(
                (number & 1) as f64,
                (number >> 1 & 1) as f64,
                (number >> 2) as f64,
            ) * size
        };
        Polytope {
            faces: FACE_CORNERS.map(|face| face.map(corner).to_vec()).to_vec(),
        }
    }

    #[test]
    fn parts_have_the_volume_of_the_whole() {
        let whole = cube(8.0);
        assert_eq!(whole.volume(), 512.0);
        for axis in 0..3 {
            let [below, above] = whole.split(axis, 3.0);
            let (below, above) = (below.expect("a part"), above.expect("a part"));
            assert_eq!((below.volume(), above.volume()), (192.0, 320.0));
            assert_eq!((below.faces.len(), above.faces.len()), (6, 6));
            let again = below
                .split((axis + 1) % 3, 4.0)
                .map(|part| part.expect("a part").volume());
            assert_eq!(again, [96.0, 96.0]);
            assert!(matches!(whole.split(axis, 8.0), [Some(_), None]));
            assert!(matches!(whole.split(axis, 0.0), [None, Some(_)]));
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
        let wedge = Polytope {
            faces: faces
                .iter()
                .map(|face| face.iter().map(|&index| points[index]).collect())
                .collect(),
        };
        assert_eq!(wedge.volume(), 256.0);
        let [low, high] = wedge.split(2, 4.0).map(|part| part.expect("a part"));
        assert_eq!((low.volume(), high.volume()), (192.0, 64.0));
        let [left, right] = low.split(0, 4.0).map(|part| part.expect("a part"));
        assert_eq!((left.volume(), right.volume()), (128.0, 64.0));
        assert_eq!((left.faces.len(), right.faces.len()), (6, 5));
        // Through its ridge nothing is left above.
        assert!(matches!(wedge.split(2, 8.0), [Some(_), None]));
    }
}
