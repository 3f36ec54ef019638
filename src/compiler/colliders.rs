//! Collision of carved solids (D38): convex parts whose planes are those of the source and carving planes turned round.
//!
//! The pieces that carving leaves are disjoint, so some of them end at a plane of a carver where nothing ends: the next piece
//! goes on there. Collision parts may overlap; such a piece grows there to the nearest plane at which one may end.

use glam::DVec3;

use crate::compiler::carve::Cut;
use crate::compiler::carve::Piece;
use crate::compiler::carve::cut_off;
use crate::compiler::carve::hull_of;
use crate::compiler::carve::sides_of;
use crate::compiler::planes::PlaneId;
use crate::compiler::planes::Planes;
use crate::compiler::solids::Solid;
use crate::task::Cancelled;
use crate::task::Progress;

/// A part is in front of a plane when none of its corners is farther behind it, as when carving.
const NEAR: f64 = 1e-3;

/// With more carvers the pieces stay as they are: growing among so many takes longer than the rest of a build, and parts that
/// overlap that much make the tree over them slow.
const MOST_CARVERS: usize = 128;

/// The same where more parts than this come from a piece on average.
const MOST_PARTS: usize = 4;

/// Cosines of the angle between planes that count as one are within this of 1.
const SAME: f64 = 1e-6;

/// The `pieces` that the carvers `later` of `list` left of solid `index`, grown; together they fill the same space. `None`: the
/// pieces themselves.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(super) fn grown(
    index: u32,
    pieces: &[Piece],
    list: &[Solid],
    later: &[u32],
    planes: &Planes,
    progress: &Progress,
) -> Result<Option<Vec<Piece>>, Cancelled> {
    let solid = &list[index as usize];
    let carvers: Vec<u32> = later
        .iter()
        .copied()
        .filter(|&carver| {
            let with = &list[carver as usize];
            with.model == solid.model && with.bounds.touches(solid.bounds)
        })
        .collect();
    if carvers.len() > MOST_CARVERS {
        return Ok(None);
    }
    let grower = Grower {
        index,
        list,
        carvers: &carvers,
        planes,
    };
    let most = pieces.len() * MOST_PARTS;
    let mut found: Vec<Region> = Vec::new();
    let mut waiting: Vec<Piece> = pieces.iter().rev().cloned().collect();
    while let Some(piece) = waiting.pop() {
        progress.check()?;
        if found.len() + waiting.len() > most {
            return Ok(None);
        }
        grower.grow(&piece, &mut found, &mut waiting);
    }
    Ok(Some(found.into_iter().map(|region| region.piece).collect()))
}

struct Grower<'a> {
    index: u32,
    list: &'a [Solid],
    carvers: &'a [u32],
    planes: &'a Planes,
}

/// A part and its corners.
struct Region {
    piece: Piece,
    points: Vec<DVec3>,
}

impl Grower<'_> {
    /// Adds what holds `piece` to `found`, unless something there does already; or smaller pieces to `waiting`.
    fn grow(&self, piece: &Piece, found: &mut Vec<Region>, waiting: &mut Vec<Piece>) {
        let points = hull_of(&piece.sides, self.planes).0.points().to_vec();
        if found.iter().any(|region| self.holds(region, &points)) {
            return;
        }
        match self.around(piece, &points) {
            Ok(region) => found.push(region),
            Err(parts) => waiting.extend(parts),
        }
    }

    fn holds(&self, region: &Region, points: &[DVec3]) -> bool {
        region.piece.sides.iter().all(|side| {
            let plane = self.planes.get(side.plane);
            points.iter().all(|&point| plane.distance(point) < NEAR)
        })
    }

    /// The part around `piece`; where no plane of a carver parts it from the carver, the parts of the piece in front of each.
    fn around(&self, piece: &Piece, points: &[DVec3]) -> Result<Region, Vec<Piece>> {
        let mut sides = sides_of(self.index, &self.list[self.index as usize]);
        sides.extend(piece.sides.iter().filter(|side| side.turned));
        let mut region = self.region(sides);
        if piece.sides.iter().all(|side| self.may_end(side)) {
            return Ok(region);
        }
        self.keep_small(&mut region, points);
        for &carver in self.carvers {
            let with = &self.list[carver as usize];
            if !region.piece.bounds.touches(with.bounds) {
                continue;
            }
            let faces = || (0..).zip(with.faces.iter().map(|face| face.plane));
            if faces().any(|(_, plane)| self.least(plane, &region.points) > -NEAR) {
                continue;
            }
            // The plane that takes least away.
            let best = faces()
                .filter(|&(_, plane)| self.least(plane, points) > -NEAR)
                .max_by(|a, b| {
                    self.least(a.1, &region.points)
                        .total_cmp(&self.least(b.1, &region.points))
                });
            let Some((face, plane)) = best else {
                return Err(self.parted(piece, carver));
            };
            self.cut(&mut region, (carver, face), plane);
        }
        Ok(region)
    }

    /// True for a side of the source and a turned one of a carver.
    fn may_end(&self, side: &Cut) -> bool {
        side.turned || side.from.0 == self.index
    }

    /// Ends a part at the turned planes of carvers that the piece within lies in front of, nearest first: large parts that
    /// overlap make the tree over them slow to build and to ask.
    fn keep_small(&self, region: &mut Region, points: &[DVec3]) {
        let mut planes: Vec<(f64, (u32, u32), PlaneId)> = Vec::new();
        for &carver in self.carvers {
            for (face, side) in (0..).zip(&self.list[carver as usize].faces) {
                let distance = self.least(side.plane, points);
                if distance > -NEAR && self.least(side.plane, &region.points) < -NEAR {
                    planes.push((distance, (carver, face), side.plane));
                }
            }
        }
        planes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, from, plane) in planes {
            if self.least(plane, &region.points) < -NEAR {
                self.cut(region, from, plane);
            }
        }
    }

    /// Takes what is behind a plane of a carver off, unless the part ends there already.
    fn cut(&self, region: &mut Region, from: (u32, u32), plane: PlaneId) {
        let turned = self.planes.get(plane.flipped());
        let ends_there = region.piece.sides.iter().any(|side| {
            let other = self.planes.get(side.plane);
            other.normal.dot(turned.normal) > 1.0 - SAME && (other.dist - turned.dist).abs() < NEAR
        });
        if ends_there {
            return;
        }
        let mut sides = std::mem::take(&mut region.piece.sides);
        sides.push(Cut {
            plane: plane.flipped(),
            from,
            turned: true,
        });
        *region = self.region(sides);
    }

    fn region(&self, mut sides: Vec<Cut>) -> Region {
        let (hull, _) = hull_of(&sides, self.planes);
        let mut touched = hull.loops().iter().map(|corners| corners.len() >= 3);
        sides.retain(|_| touched.next() == Some(true));
        Region {
            piece: Piece {
                sides,
                bounds: hull.bounds(),
            },
            points: hull.points().to_vec(),
        }
    }

    /// The parts of a piece outside a carver, each in front of one of its planes.
    fn parted(&self, piece: &Piece, carver: u32) -> Vec<Piece> {
        let mut parts = Vec::new();
        let mut rest = Some(piece.clone());
        for (face, side) in (0..).zip(&self.list[carver as usize].faces) {
            let Some(from) = rest.take() else { break };
            let cut = |turned| Cut {
                plane: if turned {
                    side.plane.flipped()
                } else {
                    side.plane
                },
                from: (carver, face),
                turned,
            };
            parts.extend(cut_off(&from, cut(true), self.planes));
            rest = cut_off(&from, cut(false), self.planes);
        }
        parts
    }

    /// Least distance of the points in front of a plane.
    fn least(&self, plane: PlaneId, points: &[DVec3]) -> f64 {
        let plane = self.planes.get(plane);
        points.iter().fold(f64::INFINITY, |least, &point| {
            least.min(plane.distance(point))
        })
    }
}
