//! Filling the gap between two rings of points with convex pieces, and the ways a ring can go (EXT-5).

use glam::DAffine3;
use glam::DQuat;
use glam::DVec2;
use glam::DVec3;

use crate::geometry::Hull;
use crate::geometry::polygon;

/// Pieces smaller than this share of the whole gap are noise of rings that touch.
const NOISE: f64 = 1e-9;

/// A gap whose hull is larger by less than this share is convex.
const CONVEX: f64 = 1e-7;

/// Corners this near to a plane are on it.
const FLAT: f64 = 1e-6;

/// What a polygon of a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The first ring.
    Start,
    /// The last ring.
    End,
    /// Between the points `j` and `j + 1` of both rings.
    Side(usize),
}

/// A convex piece: its corners, and the polygons of the outside that it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub corners: Vec<DVec3>,
    pub parts: Vec<(Part, Vec<DVec3>)>,
}

/// The space between two flat convex rings of as many points, which run counter-clockwise seen from the end, in convex
/// pieces that do not overlap. Points may coincide. `None` when the space folds over itself.
#[must_use]
pub fn between(from: &[DVec3], to: &[DVec3]) -> Option<Vec<Piece>> {
    if from.len() != to.len() || from.len() < 3 {
        return None;
    }
    let all: Vec<DVec3> = from.iter().chain(to).copied().collect();
    let center = polygon::mean(&all)?;
    let outside = outside_of(from, to, None, center);
    let whole: f64 = outside.iter().map(|(_, ring)| volume(center, ring)).sum();
    if whole <= 0.0 {
        return None;
    }
    if let Some((_, hull)) = Hull::from_points(&all)
        && (hull.volume() / whole - 1.0).abs() < CONVEX.max(tolerance(&all, whole))
    {
        return Some(vec![Piece {
            corners: all,
            parts: outside,
        }]);
    }
    let mut best: Option<Vec<Piece>> = None;
    for apex in all
        .iter()
        .copied()
        .chain([polygon::mean(from)?, polygon::mean(to)?, center])
    {
        if let Some(pieces) = star(from, to, apex, whole)
            && best.as_ref().is_none_or(|best| pieces.len() < best.len())
        {
            best = Some(pieces);
        }
    }
    best
}

/// What rounding of points may add to a hull, as a share: 0.01 over its surface is one plane (VTX-3), a tenth of it here.
fn tolerance(points: &[DVec3], whole: f64) -> f64 {
    let size = crate::geometry::Aabb::of_points(points.iter().copied()).half_area();
    (1e-4 * size / whole).min(1e-5)
}

/// Pieces that all end in one point: right when everything of the outside is seen from it.
fn star(from: &[DVec3], to: &[DVec3], apex: DVec3, whole: f64) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut sum = 0.0;
    for (part, ring) in outside_of(from, to, Some(apex), apex) {
        let size = volume(apex, &ring);
        if size < -NOISE * whole {
            return None;
        }
        sum += size;
        if size <= NOISE * whole {
            continue;
        }
        let mut corners = ring.clone();
        corners.push(apex);
        pieces.push(Piece {
            corners,
            parts: vec![(part, ring)],
        });
    }
    (sum > 0.0).then_some(pieces)
}

/// The polygons of the outside, as seen from outside. Sides that are bent are two triangles: of the two ways the one that
/// `apex` lies on, else the one that `center` sees more behind.
fn outside_of(
    from: &[DVec3],
    to: &[DVec3],
    apex: Option<DVec3>,
    center: DVec3,
) -> Vec<(Part, Vec<DVec3>)> {
    let count = from.len();
    let mut parts = vec![
        (Part::Start, from.iter().rev().copied().collect()),
        (Part::End, to.to_vec()),
    ];
    for j in 0..count {
        let next = (j + 1) % count;
        let quad = [from[j], from[next], to[next], to[j]];
        if polygon::off_plane(&quad) <= FLAT {
            parts.push((Part::Side(j), quad.to_vec()));
            continue;
        }
        let one = [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]];
        let other = [[quad[0], quad[1], quad[3]], [quad[1], quad[2], quad[3]]];
        let seen = |pair: &[[DVec3; 3]; 2]| -> (f64, f64) {
            let sizes = pair.map(|ring| volume(center, &ring));
            (sizes[0].min(sizes[1]), sizes[0] + sizes[1])
        };
        let (a, b) = (seen(&one), seen(&other));
        let on = |corner: DVec3| apex == Some(corner);
        let first = if on(quad[0]) || on(quad[2]) {
            true
        } else if on(quad[1]) || on(quad[3]) {
            false
        } else if (a.0 < 0.0) != (b.0 < 0.0) {
            a.0 >= 0.0
        } else {
            a.1 >= b.1
        };
        let pair = if first { one } else { other };
        parts.extend(pair.map(|ring| (Part::Side(j), ring.to_vec())));
    }
    parts
}

/// Signed volume between a point and a polygon: positive when the point is behind it.
fn volume(apex: DVec3, ring: &[DVec3]) -> f64 {
    (2..ring.len())
        .map(|i| {
            let [a, b, c] = [ring[0] - apex, ring[i - 1] - apex, ring[i] - apex];
            a.dot(b.cross(c)) / 6.0
        })
        .sum()
}

/// How two convex outlines (counter-clockwise) go over into each other: pairs of corners, one after the other round, each
/// step along an edge of one of them or of both where the edges are parallel. Every mixture of the pairs is convex.
#[must_use]
pub fn paired(a: &[DVec2], b: &[DVec2]) -> Vec<(usize, usize)> {
    let lowest = |ring: &[DVec2]| {
        (0..ring.len())
            .min_by(|&i, &j| {
                ring[i]
                    .y
                    .total_cmp(&ring[j].y)
                    .then(ring[i].x.total_cmp(&ring[j].x))
            })
            .unwrap_or(0)
    };
    let (first_a, first_b) = (lowest(a), lowest(b));
    let edge = |ring: &[DVec2], i: usize| ring[(i + 1) % ring.len()] - ring[i % ring.len()];
    let mut pairs = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        pairs.push(((first_a + i) % a.len(), (first_b + j) % b.len()));
        let (along_a, along_b) = (edge(a, first_a + i), edge(b, first_b + j));
        let turn = along_a.perp_dot(along_b);
        let level = 1e-6 * along_a.length() * along_b.length();
        if i >= a.len() {
            j += 1;
        } else if j >= b.len() || turn > level {
            i += 1;
        } else if turn < -level {
            j += 1;
        } else {
            i += 1;
            j += 1;
        }
    }
    pairs
}

/// How a ring gets from one place to the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Curve {
    #[default]
    Straight,
    /// A circle or screw about the axis of the rotation.
    Arc,
    /// Leaves along the normal and comes in along the turned normal.
    S,
    /// As [`Curve::S`], as round as a circle where it can be one.
    Round,
}

/// Moved by `shift`, turned and scaled about `pivot`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    pub pivot: DVec3,
    pub shift: DVec3,
    pub turn: DQuat,
    pub scale: f64,
    /// The direction it leaves in.
    pub normal: DVec3,
}

impl Motion {
    #[must_use]
    pub fn angle(&self) -> f64 {
        let (_, angle) = self.turn.to_axis_angle();
        angle.abs().min(std::f64::consts::TAU - angle.abs())
    }

    /// The whole motion.
    #[must_use]
    pub fn map(&self) -> DAffine3 {
        self.at(1.0, Curve::Straight)
    }

    /// The motion at a time from 0 to 1.
    #[must_use]
    pub fn at(&self, t: f64, curve: Curve) -> DAffine3 {
        let turn = DQuat::IDENTITY.slerp(self.turn, t);
        let scale = 1.0 + (self.scale - 1.0) * t;
        let shift = match curve {
            Curve::Straight => self.shift * t,
            Curve::Arc => self.on_arc(t),
            Curve::S => self.on_bezier(t, self.shift.length() * 0.5),
            Curve::Round => self.on_bezier(t, self.round_handle()),
        };
        let linear = glam::DMat3::from_quat(turn) * scale;
        DAffine3 {
            matrix3: linear,
            translation: self.pivot + shift - linear * self.pivot,
        }
    }

    /// Length of the handles with which a Bezier curve is a circle, nearly.
    fn round_handle(&self) -> f64 {
        let angle = self.angle();
        let chord = self.shift.length();
        if angle < 1e-6 {
            return chord / 3.0;
        }
        let radius = chord / (2.0 * (angle * 0.5).sin());
        (4.0 / 3.0) * (angle * 0.25).tan() * radius
    }

    fn on_bezier(&self, t: f64, handle: f64) -> DVec3 {
        let (one, two) = (
            self.normal * handle,
            self.shift - (self.turn * self.normal) * handle,
        );
        let s = 1.0 - t;
        one * (3.0 * s * s * t) + two * (3.0 * s * t * t) + self.shift * (t * t * t)
    }

    fn on_arc(&self, t: f64) -> DVec3 {
        let (axis, angle) = self.turn.to_axis_angle();
        if self.angle() < 1e-6 {
            return self.shift * t;
        }
        let along = self.shift.dot(axis);
        let across = self.shift - axis * along;
        // Where the axis passes, seen from the pivot.
        let center = across * 0.5 + axis.cross(across) * (0.5 / (angle * 0.5).tan());
        center - DQuat::from_axis_angle(axis, angle * t) * center + axis * (along * t)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn square(half: f64, y: f64) -> Vec<DVec3> {
        // Counter-clockwise seen from above.
        [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]
            .map(|(x, z)| DVec3::new(x * half, y, z * half))
            .to_vec()
    }

    fn filled(pieces: &[Piece]) -> f64 {
        pieces
            .iter()
            .map(|piece| Hull::from_points(&piece.corners).map_or(0.0, |(_, hull)| hull.volume()))
            .sum()
    }

    #[test]
    fn ext_5_flat_gaps_are_one_piece() {
        let pieces = between(&square(32.0, 0.0), &square(16.0, 32.0)).expect("filled");
        assert_eq!(pieces.len(), 1);
        assert!((filled(&pieces) - 32.0 / 3.0 * (4096.0 + 1024.0 + 2048.0)).abs() < 1e-6);
        assert!(
            between(&square(32.0, 0.0), &square(32.0, -32.0)).is_none(),
            "backwards"
        );
    }

    #[test]
    fn ext_5_pairs_go_round_once() {
        let flat =
            |ring: &[DVec3]| -> Vec<DVec2> { ring.iter().map(|p| DVec2::new(p.x, -p.z)).collect() };
        let a = flat(&square(32.0, 0.0));
        assert_eq!(paired(&a, &a).len(), 4, "parallel edges go together");
        let b = [
            DVec2::new(0.0, -9.0),
            DVec2::new(9.0, 5.0),
            DVec2::new(-9.0, 5.0),
        ];
        let pairs = paired(&a, &b);
        assert!(pairs.len() > 4 && pairs.len() <= 7);
        for corner in 0..4 {
            assert!(pairs.iter().any(|pair| pair.0 == corner));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

        /// Turned and tilted: the pieces make up exactly the space between, so they neither overlap nor leave gaps.
        #[test]
        fn ext_5_pieces_fill_the_gap(
            turn in -35.0..35.0f64,
            tilt in -25.0..25.0f64,
            shift in prop::array::uniform3(-20.0..20.0f64),
            scale in 0.4..1.6f64,
        ) {
            let from = square(32.0, 0.0);
            let motion = Motion {
                pivot: DVec3::ZERO,
                shift: DVec3::new(shift[0], 60.0 + shift[1], shift[2]),
                turn: DQuat::from_rotation_y(turn.to_radians())
                    * DQuat::from_rotation_z(tilt.to_radians()),
                scale,
                normal: DVec3::Y,
            };
            for curve in [Curve::Straight, Curve::Arc, Curve::S, Curve::Round] {
                let ring = |t: f64| -> Vec<DVec3> {
                    let map = motion.at(t, curve);
                    from.iter().map(|&point| map.transform_point3(point)).collect()
                };
                prop_assert!(ring(1.0)[0].distance(motion.map().transform_point3(from[0])) < 1e-6);
                let (a, b) = (ring(0.0), ring(1.0));
                let pieces = between(&a, &b).expect("filled");
                let center = polygon::mean(&a).expect("ring").midpoint(polygon::mean(&b).expect("ring"));
                let inner: f64 = pieces
                    .iter()
                    .flat_map(|piece| &piece.parts)
                    .map(|(_, ring)| volume(center, ring))
                    .sum();
                if pieces.len() == 1 {
                    continue;
                }
                // Polygons with no volume to the apex belong to no piece: from the centre they count, so compare sums.
                let sum = filled(&pieces);
                prop_assert!(sum > 0.0 && inner <= sum * 1.001 + 1e-6, "{sum} {inner}");
                for i in 0..pieces.len() {
                    let (planes, _) = Hull::from_points(&pieces[i].corners).expect("piece");
                    for other in &pieces[i + 1..] {
                        let mean = polygon::mean(&other.corners).expect("corners");
                        prop_assert!(planes.iter().any(|plane| plane.distance(mean) > -1e-6), "overlap");
                    }
                }
            }
        }
    }
}
