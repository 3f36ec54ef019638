//! What is visible of each face: its polygon without what neighbours hide (S3).

use std::cmp::Reverse;

use rayon::prelude::*;

use crate::compiler::planes::PlaneId;
use crate::compiler::planes::Planes;
use crate::compiler::polygon::EPS_AREA;
use crate::compiler::polygon::area;
use crate::compiler::polygon::bounds;
use crate::compiler::polygon::on_distance;
use crate::compiler::polygon::span;
use crate::compiler::polygon::split;
use crate::compiler::solids::Class;
use crate::compiler::solids::Corner;
use crate::compiler::solids::Solid;
use crate::compiler::solids::SolidFace;
use crate::document::SurfaceFlags;
use crate::task::Cancelled;
use crate::task::Progress;

/// Cosine between planes that may count as one.
const NEARLY_PARALLEL: f64 = 0.9999;

/// A visible convex piece of a face, counter-clockwise seen from its front.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) solid: u32,
    pub(crate) face: u32,
    pub(crate) corners: Vec<Corner>,
}

/// Fragments of all drawn faces, by solid and face.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(crate) fn visible(
    solids: &[Solid],
    neighbours: &[Vec<u32>],
    planes: &Planes,
    progress: &Progress,
) -> Result<Vec<Fragment>, Cancelled> {
    let per_solid: Vec<Vec<Fragment>> = (0..solids.len() as u32)
        .into_par_iter()
        .map(|index| {
            progress.check()?;
            let mut list = Vec::new();
            for (face, side) in (0..).zip(&solids[index as usize].faces) {
                if side.surface.drawn && solids[index as usize].class != Class::Unseen {
                    let cutter = Cutter {
                        solids,
                        planes,
                        own: index,
                        face: side,
                    };
                    let pieces = cutter.visible(&neighbours[index as usize]);
                    list.extend(pieces.into_iter().map(|corners| Fragment {
                        solid: index,
                        face,
                        corners,
                    }));
                }
            }
            Ok(list)
        })
        .collect::<Result<_, Cancelled>>()?;
    Ok(per_solid.into_iter().flatten().collect())
}

/// True when `b` hides a face of `a` that it covers. Sky hides no solid: a sky brush need not be drawn on every side, and then
/// one would look through the wall behind it.
fn hides(b: &Solid, a: &Solid, face: &SolidFace) -> bool {
    match b.class {
        Class::Solid => {
            b.see_through.is_empty() || b.see_through.binary_search(&face.surface.material).is_ok()
        }
        Class::Sky => a.class != Class::Solid,
        Class::Water => a.class == Class::Water && a.contents == b.contents,
        Class::Plain | Class::Unseen => false,
    }
}

/// True when a face of a solid that is drawn in the place of another, facing the same way, shows there all that can be seen
/// of both, though the solid itself may be seen through elsewhere.
fn covers(b: &Solid, side: &SolidFace, face: &SolidFace) -> bool {
    let see_through = SurfaceFlags::TRANSLUCENT | SurfaceFlags::MASKED;
    let (over, under) = (&side.surface, &face.surface);
    b.class == Class::Solid
        && over.drawn
        && (!over.flags.has(see_through) || over.material == under.material)
}

/// How the polygon of a face lies to a neighbour.
enum Meeting {
    /// The neighbour does not reach its inside.
    Apart,
    /// It lies wholly in the neighbour.
    Inside,
    /// These planes of the neighbour cut it, the best first; corners within the distance are on the plane.
    Cut(Vec<(PlaneId, f64)>),
}

struct Cutter<'a> {
    solids: &'a [Solid],
    planes: &'a Planes,
    own: u32,
    face: &'a SolidFace,
}

impl Cutter<'_> {
    fn visible(&self, neighbours: &[u32]) -> Vec<Vec<Corner>> {
        let whole = &self.face.corners;
        let box_of_face = bounds(whole);
        let on = on_distance(
            box_of_face
                .min
                .abs()
                .max(box_of_face.max.abs())
                .max_element(),
        );
        let own = &self.solids[self.own as usize];
        if area(whole) < EPS_AREA {
            return Vec::new();
        }
        let mut cutting = Vec::new();
        for &index in neighbours {
            let other = &self.solids[index as usize];
            if !other.bounds.touches(box_of_face)
                || !(hides(other, own, self.face) || self.is_covered(other, on))
            {
                continue;
            }
            match self.meeting(whole, index, on) {
                Meeting::Apart => {}
                Meeting::Inside => return Vec::new(),
                Meeting::Cut(_) => cutting.push(index),
            }
        }
        let mut pieces = vec![whole.clone()];
        for index in cutting {
            let mut left = Vec::with_capacity(pieces.len() + 4);
            for piece in pieces {
                match self.meeting(&piece, index, on) {
                    Meeting::Apart => left.push(piece),
                    Meeting::Inside => {}
                    Meeting::Cut(order) => self.outside(piece, &order, &mut left),
                }
            }
            pieces = left;
        }
        pieces
    }

    fn meeting(&self, piece: &[Corner], index: u32, on: f64) -> Meeting {
        let other = &self.solids[index as usize];
        if !other.bounds.grown(on).touches(bounds(piece)) {
            return Meeting::Apart;
        }
        let mut cuts: Vec<(bool, Reverse<u64>, PlaneId, f64)> = Vec::new();
        let own_plane = self.planes.get(self.face.plane);
        for side in &other.faces {
            let plane = self.planes.get(side.plane);
            let parallel = plane.normal.dot(own_plane.normal);
            let nearly = parallel.abs() > NEARLY_PARALLEL;
            if side.plane.index() == self.face.plane.index()
                || (nearly && self.is_coplanar(side, on))
            {
                if parallel > 0.0 && !self.gives_way_to(index, side) {
                    return Meeting::Apart;
                }
                // On the neighbour's surface counts as in it.
                continue;
            }
            // Planes that part so slowly are cut where they cross: each face decides for itself, and both must agree.
            let on = if nearly { on * 1e-4 } else { on };
            let (least, most) = span(piece, plane);
            if least > -on && least + most > 0.0 {
                return Meeting::Apart;
            }
            if most > on {
                let is_axial = plane.normal.abs().max_element() == 1.0;
                // Distances are positive, so their bits sort as they do.
                cuts.push((!is_axial, Reverse(most.to_bits()), side.plane, on));
            }
        }
        if cuts.is_empty() {
            return Meeting::Inside;
        }
        cuts.sort_unstable_by_key(|cut| (cut.0, cut.1, cut.2));
        Meeting::Cut(cuts.into_iter().map(|cut| (cut.2, cut.3)).collect())
    }

    /// True when a face of the neighbour can take the place of this one.
    fn is_covered(&self, other: &Solid, on: f64) -> bool {
        let own_plane = self.planes.get(self.face.plane);
        other.faces.iter().any(|side| {
            let parallel = self.planes.get(side.plane).normal.dot(own_plane.normal);
            covers(other, side, self.face)
                && (side.plane == self.face.plane
                    || (parallel > NEARLY_PARALLEL && self.is_coplanar(side, on)))
        })
    }

    /// True when this face or the other one lies in the plane of the other; asked from both sides the answer is the same.
    fn is_coplanar(&self, side: &SolidFace, on: f64) -> bool {
        let lies = |face: &SolidFace, plane: PlaneId| {
            let (least, most) = span(&face.corners, self.planes.get(plane));
            least > -on && most < on
        };
        lies(self.face, side.plane) || lies(side, self.face.plane)
    }

    /// Which of two faces in one plane that face the same way stays: the later, unless only one hides or covers the other, or is
    /// drawn.
    fn gives_way_to(&self, index: u32, side: &SolidFace) -> bool {
        let (own, other) = (
            &self.solids[self.own as usize],
            &self.solids[index as usize],
        );
        let takes_its_place = || hides(own, other, side) || covers(own, self.face, side);
        side.surface.drawn && (index > self.own || !takes_its_place())
    }

    /// Adds the parts of `piece` that lie in front of some plane; the piece itself when what lies behind all is nothing.
    fn outside(&self, piece: Vec<Corner>, order: &[(PlaneId, f64)], left: &mut Vec<Vec<Corner>>) {
        let start = left.len();
        let mut rest = piece.clone();
        for &(plane, on) in order {
            let (front, back) = split(&rest, self.face.plane, plane, on, self.planes);
            if area(&back) < EPS_AREA {
                left.truncate(start);
                left.push(piece);
                return;
            }
            if area(&front) >= EPS_AREA {
                left.push(front);
                rest = back;
            }
        }
    }
}

/// Blocks of the world: cubes of this many `base`.
pub(crate) const BLOCK: f64 = 4.0;
