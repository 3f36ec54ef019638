//! Several parts of brushes as the one cube that they fill together: what the import makes of a cube that is bent inwards goes back
//! into it.

use smallvec::SmallVec;

use crate::formats::ogz::raw::material;
use crate::formats::ogz::shape::Point;
use crate::formats::ogz::shape::Shape;
use crate::formats::ogz::shape::dot;
use crate::formats::ogz::shape::is_degenerate;
use crate::formats::ogz::write::covers::Around;
use crate::formats::ogz::write::covers::Covers;
use crate::formats::ogz::write::fit::Cube;
use crate::formats::ogz::write::fit::FACES_ENDING;
use crate::formats::ogz::write::fit::order;
use crate::formats::ogz::write::fit::points_of;
use crate::formats::ogz::write::polytope::Polytope;
use crate::formats::ogz::write::solid::Look;
use crate::formats::ogz::write::solid::Solid;
use crate::formats::ogz::write::solid::Surface;

/// The triangles of a cube are as many; each may have become a part.
pub const MOST_PARTS: usize = 12;
/// The corners of a cube, and the point in it that all parts meet in.
const MOST_POINTS: usize = 9;
/// Tries before the parts count as none that can be said.
const MOST_TRIES: usize = 20_000;

/// What a leaf holds that is several parts.
pub struct Joint {
    pub edges: [u8; 12],
    /// `None` where a face shows nothing of theirs.
    pub textures: [Option<Look>; 6],
    /// Which faces show something of which parts' sides: the part, the side, the face.
    pub shows: SmallVec<[(usize, usize, usize); 12]>,
}

/// The deformed cube that is all of these parts and nothing else. `is_loose`: pictures may lie otherwise than they should.
#[must_use]
pub fn fit_together(
    parts: &[(&Solid, &Polytope)],
    cube: Cube,
    covers: &Covers,
    is_loose: bool,
) -> Option<Joint> {
    let corners = parts.iter().flat_map(|(_, part)| part.points());
    let points = points_of(corners, cube, MOST_POINTS)?;
    let bits = parts.first()?.0.bits;
    if parts.iter().any(|(solid, _)| solid.bits != bits) {
        return None;
    }
    let volume: f64 = parts.iter().map(|(_, part)| part.volume()).sum();
    let orders = [0, 1, 2, 3, 4, 5, 6, 7].map(|number| order(number, &points));
    let solids: SmallVec<[&Solid; MOST_PARTS]> = parts.iter().map(|(solid, _)| *solid).collect();
    let around = covers.around(cube, bits & material::ALPHA != 0);
    let mut search = Search {
        points: &points,
        orders: &orders,
        shape: Shape {
            corners: [[0; 3]; 8],
        },
        taken: [0; MOST_POINTS],
        tries: 0,
        six_volumes: cube.six_volumes(volume),
        cube,
        solids: &solids,
        around: &around,
        is_loose,
    };
    search.from(0)
}

struct Search<'a> {
    points: &'a [Point],
    /// By corner.
    orders: &'a [SmallVec<[usize; 8]>; 8],
    shape: Shape,
    /// Corners at each of the points.
    taken: [u8; MOST_POINTS],
    tries: usize,
    six_volumes: i64,
    cube: Cube,
    solids: &'a [&'a Solid],
    around: &'a Around<'a>,
    /// Pictures may lie otherwise than they should.
    is_loose: bool,
}

impl Search<'_> {
    fn from(&mut self, number: usize) -> Option<Joint> {
        if number == 8 {
            return self.finished();
        }
        // All but the point in the middle are corners of the whole.
        let taken = &self.taken[..self.points.len()];
        let open: usize = taken.iter().map(|&times| usize::from(times == 0)).sum();
        if open > 8 - number + 1 {
            return None;
        }
        for &index in &self.orders[number] {
            self.tries += 1;
            if self.tries > MOST_TRIES {
                return None;
            }
            let point = self.points[index];
            if !self.shape.keeps_order(number, point) {
                continue;
            }
            self.shape.corners[number] = point;
            let mut faces = FACES_ENDING[number].iter();
            if !faces.all(|&face| self.look_of(face).is_some()) {
                continue;
            }
            self.taken[index] += 1;
            let found = self.from(number + 1);
            self.taken[index] -= 1;
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// What a face shows, and of what; `None` when it is not on the parts' outside or cannot show all that it should.
    fn look_of(&self, face: usize) -> Option<(Option<Look>, SmallVec<[(usize, usize); 2]>)> {
        let (mut look, mut shows) = (None, SmallVec::new());
        for (_, triangle) in self.shape.triangles(face).iter() {
            let points = triangle.map(|number| self.cube.on_grid(self.shape.corners[number]));
            let normal = self.shape.normal(triangle);
            let holds = |solid: &Solid| points.iter().all(|&point| solid.holds(point));
            let is_own = self.shape.lies_on(triangle, face);
            let mut on = self.solids.iter().enumerate();
            let Some((part, number)) = on.find_map(|(part, solid)| {
                let (number, side) = solid.side_of(points)?;
                let is_on = dot(side.plane.normal, normal) > 0 && holds(solid);
                is_on.then_some((part, number))
            }) else {
                // Where one of them goes on in the next cube, that hides it.
                if is_own && self.solids.iter().any(|solid| holds(solid)) {
                    continue;
                }
                return None;
            };
            if is_own && self.around.hides(face, points) {
                continue;
            }
            let side = &self.solids[part].sides[number];
            let surface = if self.is_loose {
                side.loose
            } else {
                side.surface
            };
            let is_culled = is_own || !(0..6).any(|border| self.shape.lies_on(triangle, border));
            if !surface.fits(face) || surface == Surface::Wild && !is_culled {
                return None;
            }
            match (look, surface.on(face)) {
                (_, None) => {}
                (Some(one), Some(other)) if one != other => return None,
                (_, shown) => look = shown,
            }
            shows.push((part, number));
        }
        Some((look, shows))
    }

    /// All faces are on the outside of the parts.
    fn finished(&self) -> Option<Joint> {
        let edges = self.shape.edges();
        if self.shape.six_volumes() != self.six_volumes || is_degenerate(&edges) {
            return None;
        }
        let mut joint = Joint {
            edges,
            textures: [None; 6],
            shows: SmallVec::new(),
        };
        for face in 0..6 {
            let (look, shows) = self.look_of(face)?;
            joint.textures[face] = look;
            let shows = shows.into_iter().map(|(part, side)| (part, side, face));
            joint.shows.extend(shows);
        }
        Some(joint)
    }
}
