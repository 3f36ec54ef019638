//! A brush as the tree sees it: planes of whole numbers in eighths of a unit of the file, and what each shows.

use glam::DVec3;

use crate::document::Brush;
use crate::document::ObjectId;
use crate::formats::ogz::convex::GridPlane;
use crate::formats::ogz::mapping::to_file;
use crate::formats::ogz::shape::Point;
use crate::formats::ogz::shape::triangle_normal;
use crate::formats::ogz::write::polytope::Polytope;

/// What a face of a cube may show: a slot that gets its number when it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Look(pub u32);

/// What a plane of a solid shows on the faces of cubes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Nobody sees it.
    Wild,
    /// The slot on faces across X, Y and Z: a picture can lie as it does only where the face's axis is the right one.
    Shown([Option<Look>; 3]),
}

impl Surface {
    /// Whether a cube's face can show it.
    #[must_use]
    pub fn fits(self, face: usize) -> bool {
        match self {
            Self::Wild => true,
            Self::Shown(slots) => slots[face / 2].is_some(),
        }
    }

    /// The slot on a cube's face that can show it; `None` for any.
    #[must_use]
    pub fn on(self, face: usize) -> Option<Look> {
        match self {
            Self::Wild => None,
            Self::Shown(slots) => slots[face / 2],
        }
    }
}

/// What a face shows: where its picture lies as it should or as near to that as it can, and what it may show when the cubes do not
/// let it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    pub exact: Surface,
    pub loose: Surface,
    /// How far the picture is off at the face's worst corner, in texels, on faces across X, Y and Z.
    pub errors: [f64; 3],
}

/// A plane of a solid and what it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    pub plane: GridPlane,
    pub surface: Surface,
    /// What it shows where the picture may lie otherwise than it should.
    pub loose: Surface,
    /// See [`Shown::errors`].
    pub errors: [f64; 3],
    /// Number of the brush's face.
    pub face: u32,
}

#[derive(Clone, Debug)]
pub struct Solid {
    pub id: ObjectId,
    pub sides: Vec<Side>,
    /// Bits of the material word that its cubes get.
    pub bits: u16,
    pub whole: Polytope,
    /// Pictures may lie otherwise than they should.
    pub is_loose: bool,
    /// A picture may give way to another where one face of a cube should show both.
    pub is_mixed: bool,
    /// Alone it is no cubes. With others it may be, as a part of cubes that are bent inwards.
    pub is_doubtful: bool,
    /// None of these is smaller, in eighths of a unit.
    pub least_bent: i64,
}

/// How far from the grid a corner may be, in eighths of a unit.
const ON: f64 = 0.01;

/// How far from a corner on the grid another may be that is meant to be the same, in eighths of a unit. Then no face is lost with it.
const BESIDE: f64 = 1.0;

/// Cubes in a row that a brush may be pieces of and still be looked at as pieces of cubes that are bent inwards.
const MOST_BENT: i64 = 8;

impl Solid {
    /// `shift`: added to the file's coordinates, in units; `world`: its size in units; `surfaces`: of the brush's faces.
    ///
    /// # Errors
    /// Why it cannot be made of cubes.
    pub fn new(
        id: ObjectId,
        brush: &Brush,
        surfaces: &[Shown],
        bits: u16,
        shift: [i64; 3],
        world: i64,
    ) -> Result<Self, &'static str> {
        if brush.fault().is_some() {
            return Err("it is broken");
        }
        let hull = brush.hull();
        let scaled: Vec<DVec3> = hull
            .points()
            .iter()
            .map(|&point| to_file(point) * 8.0)
            .collect();
        let is_on = |point: DVec3| (point - point.round()).abs().max_element() <= ON;
        let mut points: Vec<Point> = Vec::with_capacity(scaled.len());
        for &point in &scaled {
            // Where four planes meet that are nearly parallel, a second corner stands beside the one that is meant.
            let meant = || {
                let beside = |other: &DVec3| is_on(*other) && other.distance(point) < BESIDE;
                scaled.iter().copied().find(beside)
            };
            let on = if is_on(point) { Some(point) } else { meant() };
            let near = on
                .ok_or("its corners are not on eighths of a unit")?
                .round()
                .to_array();
            let at = [0, 1, 2].map(|axis| near[axis] as i64 + 8 * shift[axis]);
            if at.iter().any(|at| !(0..=8 * world).contains(at)) {
                return Err("it is outside of the largest world");
            }
            points.push(at);
        }
        let mut solid = Self {
            id,
            sides: Vec::new(),
            bits,
            whole: Polytope::default(),
            is_loose: false,
            is_mixed: false,
            is_doubtful: false,
            least_bent: 0,
        };
        for (face, (corners, shown)) in (0..).zip(hull.loops().iter().zip(surfaces)) {
            // What runs round a face one way in a map runs the other way in the file.
            let corners = corners.iter().rev();
            let mut corners: Vec<Point> = corners.map(|&at| points[at as usize]).collect();
            let all = corners.len();
            corners.dedup();
            if corners.len() > 1 && corners.first() == corners.last() {
                corners.pop();
            }
            if corners.len() < 3 {
                if corners.len() < all {
                    return Err("its corners are not on eighths of a unit");
                }
                continue;
            }
            let plane = plane(&corners).ok_or("one of its faces is too thin")?;
            let is_flat = corners.iter().all(|&corner| plane.distance(corner) == 0);
            if !is_flat || points.iter().any(|&point| plane.distance(point) > 0) {
                return Err("its faces are not flat between corners on eighths of a unit");
            }
            solid.sides.push(Side {
                plane,
                surface: shown.exact,
                loose: shown.loose,
                errors: shown.errors,
                face,
            });
            let corners = corners
                .iter()
                .map(|&corner| DVec3::from(corner.map(|at| at as f64)));
            solid.whole.add_face(corners);
        }
        let along = |axis: usize| points.iter().map(move |point| point[axis]);
        let extents = [0, 1, 2].map(|axis| {
            let ends = along(axis).max().zip(along(axis).min());
            ends.map_or(0, |(max, min)| max - min)
        });
        solid.least_bent = extents.into_iter().max().unwrap_or(0) / MOST_BENT;
        if solid.sides.len() < 4 {
            return Err("it has no volume on the grid");
        }
        Ok(solid)
    }

    /// Gives up how the pictures lie, then that all are there; `false` when there is nothing left to give up.
    pub fn loosen(&mut self) -> bool {
        let mut has_changed = false;
        for side in &mut self.sides {
            has_changed |= side.surface != side.loose;
            side.surface = side.loose;
        }
        self.is_loose = true;
        let was_mixed = std::mem::replace(&mut self.is_mixed, !has_changed);
        has_changed || !was_mixed
    }

    /// Whether a point is in it or on it.
    #[must_use]
    pub fn holds(&self, point: Point) -> bool {
        self.sides
            .iter()
            .all(|side| side.plane.distance(point) <= 0)
    }

    /// The side that a triangle lies on, and its number.
    #[must_use]
    pub fn side_of(&self, triangle: [Point; 3]) -> Option<(usize, &Side)> {
        self.sides.iter().enumerate().find(|(_, side)| {
            triangle
                .iter()
                .all(|&point| side.plane.distance(point) == 0)
        })
    }
}

/// Outward, from the largest of the face's triangles.
fn plane(corners: &[Point]) -> Option<GridPlane> {
    let triangles = corners[1..]
        .windows(2)
        .map(|pair| [corners[0], pair[0], pair[1]]);
    let normals = triangles.map(triangle_normal);
    let longest = normals.max_by_key(|normal| normal.iter().map(|part| part.abs()).sum::<i64>())?;
    GridPlane::through(corners[0], longest)
}
