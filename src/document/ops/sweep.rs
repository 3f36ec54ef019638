//! Insets, sweeps and bridges: new brushes from faces (EXT-5).

use std::collections::BTreeSet;

use glam::DAffine3;
use glam::DQuat;
use glam::DVec2;
use glam::DVec3;

use crate::document::Brush;
use crate::document::Document;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Face;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::ops::clip::add_behind;
use crate::document::ops::clip::part;
use crate::document::ops::components;
use crate::document::ops::components::Tiles;
use crate::document::ops::extrude::continued;
use crate::document::ops::extrude::facing;
use crate::document::ops::extrude::is_within_limit;
use crate::document::ops::extrude::neighbour;
use crate::document::ops::objects;
use crate::geometry::Hull;
use crate::geometry::Plane;
use crate::geometry::UvAxes;
use crate::geometry::polygon;
use crate::geometry::sweep::Curve;
use crate::geometry::sweep::Motion;
use crate::geometry::sweep::Part;
use crate::geometry::sweep::Piece;
use crate::geometry::sweep::between;
use crate::geometry::sweep::paired;

/// No step makes more pieces than this.
pub const MOST_PIECES: usize = 4096;

const FOLDS: &str =
    "The sweep folds over itself here; use fewer degrees, a wider arc or more steps";
const BACKWARDS: &str = "The sweep must leave the face on its outer side";
const TOO_MANY: &str = "This would make too many pieces";

/// What a sweep does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    pub motion: Motion,
    pub curve: Curve,
    /// Slices of one pass.
    pub steps: usize,
    /// Passes, each from where the one before ended.
    pub repeats: usize,
}

/// A face with its brush.
#[derive(Clone, Debug)]
struct End {
    brush: Brush,
    face: usize,
    plane: Plane,
    corners: Vec<DVec3>,
}

impl End {
    fn of(doc: &Document, (id, face): (ObjectId, u32)) -> Option<Self> {
        let brush = doc.object(id)?.brush()?;
        let face = face as usize;
        let plane = brush.faces().get(face)?.plane.unit()?;
        let corners: Vec<DVec3> = brush.hull().face_points(face).collect();
        (brush.fault().is_none() && corners.len() >= 3).then(|| Self {
            brush: brush.clone(),
            face,
            plane,
            corners,
        })
    }

    fn side(&self) -> &Face {
        &self.brush.faces()[self.face]
    }
}

/// Where the material and the texture of a side come from: the last face in the row.
#[derive(Clone, Debug)]
struct Seed {
    like: Face,
    plane: Plane,
    frame: UvAxes,
}

impl Seed {
    /// The neighbour of a face across one of its edges.
    fn beside(end: &End, edge: usize, tile: Tiles<'_>) -> Option<Self> {
        let index = neighbour(&end.brush, end.face, edge).unwrap_or(end.face);
        let like = end.brush.faces()[index].clone();
        Some(Self {
            plane: like.plane.unit()?,
            frame: like.frame(tile(like.material)),
            like,
        })
    }

    fn on(&self, plane: Plane, ring: &[DVec3]) -> Face {
        let along = super::clip::longest_edge(ring);
        Face {
            plane,
            axes: Some(self.frame.wrapped(self.plane, plane, along)),
            ..self.like.clone()
        }
    }
}

/// Materials of the slices of one sweep.
struct Lining {
    start: Face,
    end: Face,
    sides: Vec<Option<Seed>>,
}

impl Lining {
    /// The brushes of one slice, and which of them has the face at its end.
    fn slice(
        &mut self,
        pieces: &[Piece],
        contents: crate::document::Contents,
        made: &mut Vec<Brush>,
    ) -> Result<Option<(usize, u32)>, EditError> {
        let mut next = self.sides.clone();
        let mut end = None;
        for piece in pieces {
            let Some((planes, hull)) = Hull::from_points(&piece.corners) else {
                continue;
            };
            let mut faces = Vec::with_capacity(planes.len());
            for plane in planes {
                let part = piece
                    .parts
                    .iter()
                    .filter(|(_, ring)| ring.len() >= 3)
                    .map(|(part, ring)| (off(plane, ring), *part, ring))
                    .filter(|(off, _, ring)| {
                        *off < 0.05 && polygon::newell(ring).dot(plane.normal) > 0.0
                    })
                    .min_by(|a, b| a.0.total_cmp(&b.0));
                faces.push(match part {
                    Some((_, Part::Start, _)) => Face {
                        plane,
                        ..self.start.clone()
                    },
                    Some((_, Part::End, _)) => {
                        end = Some((made.len(), faces.len() as u32));
                        Face {
                            plane,
                            ..self.end.clone()
                        }
                    }
                    Some((_, Part::Side(j), ring)) => match &self.sides[j] {
                        Some(seed) => {
                            let face = seed.on(plane, ring);
                            if let Some(frame) = face.axes {
                                next[j] = Some(Seed {
                                    like: face.clone(),
                                    plane,
                                    frame,
                                });
                            }
                            face
                        }
                        None => Face::new(plane, self.end.material),
                    },
                    // Inside of the whole.
                    None => Face::new(plane, self.end.material),
                });
            }
            let brush = Brush::as_stored(contents, faces).with_corners(hull.points());
            if brush.fault().is_some() {
                return Err(EditError::refused(FOLDS));
            }
            if !is_within_limit(&brush) {
                return Err(EditError::refused("The brush would leave the map's bounds"));
            }
            made.push(brush);
        }
        self.sides = next;
        Ok(end)
    }
}

fn off(plane: Plane, ring: &[DVec3]) -> f64 {
    ring.iter()
        .map(|&corner| plane.distance(corner).abs())
        .fold(0.0, f64::max)
}

/// A copy of the face's surface without a frame of its own: the world's alignment, or the five numbers it has.
fn plain(side: &Face) -> Face {
    Face {
        axes: None,
        ..side.clone()
    }
}

/// Sweeps faces. The faces at the far end are picked then, so that the same can be done again.
#[must_use]
pub fn sweep_faces(faces: Vec<(ObjectId, u32)>, sweep: Sweep) -> Edit {
    Edit::new("Sweep", move |draft, selection| {
        let pieces = faces.len() * sweep.steps * sweep.repeats;
        if pieces > MOST_PIECES {
            return Err(EditError::refused(TOO_MANY));
        }
        let mut picked = Selection::new();
        for &(id, face) in &faces {
            let Some(end) = End::of(draft, (id, face)) else {
                continue;
            };
            let (brushes, last) = swept(&end, &sweep, &|material| draft.tile_size(material))?;
            objects::room_for(draft, brushes.len())?;
            let parts = brushes
                .into_iter()
                .map(|brush| (id, Kind::Brush(brush)))
                .collect();
            let made = add_behind(draft, selection, parts);
            picked.extend(last.map(|(index, face)| Pick::Face(made[index], face)));
        }
        if picked.is_empty() {
            return Err(EditError::refused(
                "Select faces of brushes first (Shift+click)",
            ));
        }
        *selection = picked;
        Ok(())
    })
}

type Made = (Vec<Brush>, Option<(usize, u32)>);

fn swept(end: &End, sweep: &Sweep, tile: Tiles<'_>) -> Result<Made, EditError> {
    let mut lining = Lining {
        start: plain(end.side()),
        end: plain(end.side()),
        sides: (0..end.corners.len())
            .map(|edge| Seed::beside(end, edge, tile))
            .collect(),
    };
    let frame = end.side().frame(tile(end.side().material));
    let whole = sweep.motion.map();
    let mut brushes = Vec::new();
    let mut last = None;
    let mut before = DAffine3::IDENTITY;
    let mut ring = end.corners.clone();
    for _ in 0..sweep.repeats {
        for step in 1..=sweep.steps {
            let t = step as f64 / sweep.steps as f64;
            let map = before * sweep.motion.at(t, sweep.curve);
            let next: Vec<DVec3> = end
                .corners
                .iter()
                .map(|&corner| map.transform_point3(corner))
                .collect();
            let Some(pieces) = between(&ring, &next) else {
                let first = brushes.is_empty() && step == 1;
                let behind = next.iter().all(|&corner| end.plane.distance(corner) < 0.01);
                return Err(EditError::refused(if first && behind {
                    BACKWARDS
                } else {
                    FOLDS
                }));
            };
            if let Some(plane) = end.plane.transformed(&map).unit() {
                lining.end.axes = Some(frame.carried(&map, plane));
            }
            last = lining.slice(&pieces, end.brush.contents(), &mut brushes)?;
            ring = next;
        }
        before *= whole;
    }
    Ok((brushes, last))
}

/// True when every corner of each of the two faces is in front of the other: a straight bridge can join them.
#[must_use]
pub fn face_each_other(doc: &Document, a: (ObjectId, u32), b: (ObjectId, u32)) -> bool {
    let (Some(a), Some(b)) = (End::of(doc, a), End::of(doc, b)) else {
        return false;
    };
    let before = |plane: Plane, corners: &[DVec3]| {
        corners.iter().all(|&corner| plane.distance(corner) > -1e-3)
            && corners.iter().any(|&corner| plane.distance(corner) > 0.01)
    };
    before(a.plane, &b.corners) && before(b.plane, &a.corners)
}

/// Joins two faces with convex pieces. They are picked then.
#[must_use]
pub fn bridge(a: (ObjectId, u32), b: (ObjectId, u32), curve: Curve, steps: usize) -> Edit {
    Edit::new("Bridge", move |draft, selection| {
        let (Some(from), Some(to)) = (End::of(draft, a), End::of(draft, b)) else {
            return Err(EditError::refused("Select two faces of brushes first"));
        };
        let (brushes, _) = bridged(&from, &to, curve, steps, &|material| {
            draft.tile_size(material)
        })?;
        objects::room_for(draft, brushes.len())?;
        let parts = brushes
            .into_iter()
            .map(|brush| (a.0, Kind::Brush(brush)))
            .collect();
        let made = add_behind(draft, selection, parts);
        *selection = made.into_iter().map(Pick::Object).collect();
        Ok(())
    })
}

/// The turn from one direction into another; opposite ones turn about what is square to the way between.
fn turn_between(from: DVec3, to: DVec3, way: DVec3) -> DQuat {
    if from.dot(to) < -1.0 + 1e-9
        && let Some(axis) = from.cross(way).try_normalize()
    {
        return DQuat::from_axis_angle(axis, std::f64::consts::PI);
    }
    DQuat::from_rotation_arc(from, to)
}

fn bridged(
    from: &End,
    to: &End,
    curve: Curve,
    steps: usize,
    tile: Tiles<'_>,
) -> Result<Made, EditError> {
    let (start, goal) = (
        polygon::centroid(&from.corners),
        polygon::centroid(&to.corners),
    );
    let motion = Motion {
        pivot: start,
        shift: goal - start,
        turn: turn_between(from.plane.normal, -to.plane.normal, goal - start),
        scale: 1.0,
        normal: from.plane.normal,
    };
    let (right, up) = from.plane.normal.any_orthonormal_pair();
    let flat = |point: DVec3, right: DVec3, up: DVec3| DVec2::new(point.dot(right), point.dot(up));
    let a: Vec<DVec2> = from
        .corners
        .iter()
        .map(|&corner| flat(corner - start, right, up))
        .collect();
    // Seen from the start the other face runs the other way round.
    let far: Vec<DVec3> = to.corners.iter().rev().copied().collect();
    let b: Vec<DVec2> = far
        .iter()
        .map(|&corner| flat(corner - goal, motion.turn * right, motion.turn * up))
        .collect();
    let pairs = paired(&a, &b);
    let mut lining = Lining {
        start: plain(from.side()),
        end: plain(from.side()),
        sides: seeds(from, to, &pairs, tile),
    };
    let ring = |step: usize| -> Vec<DVec3> {
        let t = step as f64 / steps as f64;
        let map = motion.at(t, curve);
        pairs
            .iter()
            .map(|&(i, j)| match step {
                0 => from.corners[i],
                _ if step == steps => far[j],
                _ => {
                    let at = a[i].lerp(b[j], t);
                    map.transform_point3(start + right * at.x + up * at.y)
                }
            })
            .collect()
    };
    let mut brushes = Vec::new();
    let mut last = None;
    for step in 1..=steps {
        let pieces =
            between(&ring(step - 1), &ring(step)).ok_or_else(|| EditError::refused(FOLDS))?;
        if step == steps {
            lining.end = plain(to.side());
        }
        last = lining.slice(&pieces, from.brush.contents(), &mut brushes)?;
    }
    Ok((brushes, last))
}

/// What each side goes on from: the neighbour of the first face where its edge runs along, else of the second.
fn seeds(from: &End, to: &End, pairs: &[(usize, usize)], tile: Tiles<'_>) -> Vec<Option<Seed>> {
    (0..pairs.len())
        .map(|k| {
            let (i, j) = pairs[k];
            let next = pairs[(k + 1) % pairs.len()];
            if next.0 != i {
                return Seed::beside(from, i, tile);
            }
            // Corner j of the reversed ring is n - 1 - j; the edge to its successor starts at the one before.
            let n = to.corners.len();
            Seed::beside(to, (2 * n - 2 - j) % n, tile)
        })
        .collect()
}

/// Cuts brushes so that each picked face gets a smaller one inside; the inner faces are picked then. Meshes get theirs
/// without being cut.
#[must_use]
pub fn inset(faces: Vec<(ObjectId, u32)>, width: f64) -> Edit {
    Edit::new("Inset", move |draft, selection| {
        let is_mesh = |id: ObjectId| {
            draft
                .object(id)
                .is_some_and(|object| object.mesh().is_some())
        };
        if faces.iter().all(|&(id, _)| is_mesh(id)) && !faces.is_empty() {
            return components::inset(width).apply(draft, selection);
        }
        let brushes: BTreeSet<ObjectId> = faces.iter().map(|(id, _)| *id).collect();
        if brushes.len() < faces.len() {
            return Err(EditError::refused("Inset one face of a brush at a time"));
        }
        let mut picked = Selection::new();
        for &(id, face) in &faces {
            let Some(brush) = draft.object(id).and_then(Object::brush) else {
                continue;
            };
            let (rings, inner, inner_face) = inset_of(brush, face as usize, width, &|material| {
                draft.tile_size(material)
            })
            .ok_or_else(|| EditError::refused("The inset is wider than the face"))?;
            objects::room_for(draft, rings.len())?;
            draft.update(id, |object| object.kind = Kind::Brush(inner));
            let parts = rings
                .into_iter()
                .map(|brush| (id, Kind::Brush(brush)))
                .collect();
            add_behind(draft, selection, parts);
            picked.insert(Pick::Face(id, inner_face));
        }
        if picked.is_empty() {
            return Err(EditError::refused(
                "Select faces of brushes first (Shift+click)",
            ));
        }
        *selection = picked;
        Ok(())
    })
}

/// The frame around, what is left inside, and the inner face of that.
fn inset_of(
    brush: &Brush,
    face: usize,
    width: f64,
    tile: Tiles<'_>,
) -> Option<(Vec<Brush>, Brush, u32)> {
    let plane = brush.faces().get(face)?.plane.unit()?;
    let corners: Vec<DVec3> = brush.hull().face_points(face).collect();
    let edge = |i: usize| corners[(i + 1) % corners.len()] - corners[i];
    let mut order: Vec<usize> = (0..corners.len()).collect();
    // Long sides first: they keep their whole length.
    order.sort_by(|&a, &b| {
        edge(b)
            .length_squared()
            .total_cmp(&edge(a).length_squared())
            .then(a.cmp(&b))
    });
    let mut inner = brush.clone();
    let mut frame = Vec::new();
    for i in order {
        let outwards = edge(i).cross(plane.normal).try_normalize()?;
        let cut = Plane::through(corners[i] - outwards * width, outwards)?.rounded();
        let lining = continued(brush, face, i, cut, tile);
        let outer = Face {
            plane: cut.flipped(),
            ..lining.clone()
        };
        frame.push(part(&inner, outer)?);
        inner = part(&inner, lining)?;
    }
    let inner_face = facing(&inner, plane.normal)?;
    let area = inner.hull().face_points(inner_face as usize).count();
    let same = inner.faces()[inner_face as usize].plane == brush.faces()[face].plane;
    (area >= 3 && same).then_some((frame, inner, inner_face))
}
