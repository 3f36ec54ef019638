//! Combining brushes: merge, subtract, intersect, join (CSG-1). Hollowing and joining stand beside it.

mod hollow;
mod join;

use std::sync::Arc;

use glam::DVec3;
use glam::Vec2;
use glam::Vec3;
use rayon::prelude::*;

pub use self::hollow::hollow;
pub use self::join::Joining;
pub use self::join::join;
pub use self::join::joining;
use crate::document::Brush;
use crate::document::Contents;
use crate::document::Document;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Face;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::ops::objects;
use crate::document::ops::order;
use crate::geometry::Hull;
use crate::geometry::Plane;
use crate::geometry::UvAxes;
use crate::geometry::csg;
use crate::geometry::csg::Convex;
use crate::geometry::csg::ConvexSide;

/// From so many brushes on, cutting them pays for waking the workers.
const PARALLEL_FROM: usize = 16;

/// Corners nearer to a plane than this are on it (VTX-3).
const ON_PLANE: f64 = 0.01;

/// Frames that differ by less at the corners of a face show the same picture, in repeats.
const SAME_REPEAT: f64 = 0.01;

/// Faces of all brushes that take part; sides of convex solids name them by their place.
#[derive(Default)]
struct Pool {
    faces: Vec<Face>,
    exact: Vec<Vec3>,
}

impl Pool {
    /// The brush as a convex solid; `None` for a broken one.
    fn add(&mut self, brush: &Brush) -> Option<Convex> {
        let planes: Vec<Plane> = brush.faces().iter().map(|face| face.plane).collect();
        let solid = Convex::new(brush.hull(), &planes, self.faces.len() as u32)?;
        self.faces.extend_from_slice(brush.faces());
        self.exact
            .extend(brush.exact().into_iter().flat_map(|exact| exact.iter()));
        Some(solid)
    }

    fn face(&self, side: ConvexSide, tile: &dyn Fn(Option<MaterialId>) -> Vec2) -> Face {
        let face = &self.faces[side.source as usize];
        if side.turned {
            turned(face, tile(face.material))
        } else {
            face.clone()
        }
    }

    /// The solid as a brush; `None` when rounding left nothing sound of it.
    fn brush(
        &self,
        solid: &Convex,
        contents: Contents,
        tile: &dyn Fn(Option<MaterialId>) -> Vec2,
    ) -> Option<Brush> {
        let faces = solid
            .sides()
            .iter()
            .map(|&side| self.face(side, tile))
            .collect();
        self.brush_of_faces(contents, faces)
    }

    fn brush_of_faces(&self, contents: Contents, faces: Vec<Face>) -> Option<Brush> {
        let exact = (!self.exact.is_empty()).then(|| Arc::from(self.exact.as_slice()));
        let brush = Brush::with_exact(contents, faces, exact);
        brush.fault().is_none().then_some(brush)
    }

    /// True when the faces that would become one show the same there.
    fn agree(
        &self,
        whole: &Convex,
        parts: &[&Convex],
        tile: &dyn Fn(Option<MaterialId>) -> Vec2,
    ) -> bool {
        whole.sides().iter().all(|&side| {
            let kept = self.face(side, tile);
            on_side(side, parts)
                .all(|(other, corners)| same_look(&kept, &self.face(other, tile), &corners, tile))
        })
    }
}

/// Sides of the parts that lie on a side of their union, with the corners of their faces; its own one is not among them.
fn on_side<'a>(
    side: ConvexSide,
    parts: &'a [&Convex],
) -> impl Iterator<Item = (ConvexSide, Vec<DVec3>)> + 'a {
    parts.iter().flat_map(move |part| {
        let sides = part.sides().iter().enumerate();
        sides.filter_map(move |(index, &other)| {
            if other.source == side.source || other.plane.normal.dot(side.plane.normal) < 0.9999 {
                return None;
            }
            let corners = part.corners(index);
            let on_plane = corners
                .iter()
                .all(|&corner| side.plane.distance(corner).abs() <= ON_PLANE);
            on_plane.then_some((other, corners))
        })
    })
}

/// True when two faces of one plane show the same at the corners.
fn same_look(
    a: &Face,
    b: &Face,
    corners: &[DVec3],
    tile: &dyn Fn(Option<MaterialId>) -> Vec2,
) -> bool {
    a.material == b.material
        && a.flags == b.flags
        && same_picture(
            &a.frame(tile(a.material)),
            &b.frame(tile(b.material)),
            corners,
        )
}

/// True when both frames give the corners the same place of the picture, whole repeats aside.
fn same_picture(a: &UvAxes, b: &UvAxes, corners: &[DVec3]) -> bool {
    let Some(&first) = corners.first() else {
        return true;
    };
    let whole = (a.at(first) - b.at(first)).round();
    corners
        .iter()
        .all(|&corner| (a.at(corner) - b.at(corner) - whole).abs().max_element() <= SAME_REPEAT)
}

/// The face seen from its other side. The five numbers stay; an exact frame is turned about its upright so that it can be read.
fn turned(face: &Face, tile: Vec2) -> Face {
    let plane = face.plane.flipped();
    let axes = face.axes.as_ref().map(|_| {
        let frame = face.frame(tile);
        match (face.plane.unit(), plane.unit()) {
            (Some(from), Some(to)) => frame.wrapped(from, to, frame.v),
            _ => frame,
        }
    });
    Face {
        plane,
        axes,
        ..face.clone()
    }
}

/// Sound brushes among the objects, in document order.
fn sound_brushes(doc: &Document, ids: &[ObjectId]) -> Vec<ObjectId> {
    let mut list: Vec<(u32, ObjectId)> = ids
        .iter()
        .filter_map(|&id| {
            let object = doc.object(id)?;
            object
                .brush()?
                .fault()
                .is_none()
                .then_some((object.order, id))
        })
        .collect();
    list.sort_unstable();
    list.dedup();
    list.into_iter().map(|(_, id)| id).collect()
}

fn brush_of(doc: &Document, id: ObjectId) -> Option<&Brush> {
    doc.object(id).and_then(Object::brush)
}

fn tile_of(doc: &Document) -> impl Fn(Option<MaterialId>) -> Vec2 + '_ {
    |material| doc.tile_size(material)
}

/// Puts pieces in the place of a brush: the largest keeps its number, no piece deletes it. Returns all of them.
fn replace(
    draft: &mut Draft,
    id: ObjectId,
    mut pieces: Vec<Brush>,
) -> Result<Vec<ObjectId>, EditError> {
    let Some(object) = draft.object(id).cloned() else {
        return Ok(Vec::new());
    };
    let Some(largest) = (0..pieces.len()).max_by(|&a, &b| {
        let volume = |at: usize| pieces[at].hull().volume();
        volume(a).total_cmp(&volume(b)).then(b.cmp(&a))
    }) else {
        objects::remove(draft, &[id]);
        return Ok(Vec::new());
    };
    objects::room_for(draft, pieces.len())?;
    let first = pieces.remove(largest);
    draft.update(id, |object| object.kind = Kind::Brush(first));
    let mut all = vec![id];
    for piece in pieces {
        all.push(draft.insert(Object {
            kind: Kind::Brush(piece),
            ..object.clone()
        }));
    }
    let made: Vec<(ObjectId, ObjectId)> = all[1..].iter().map(|&new| (id, new)).collect();
    order::take_places(draft, &made);
    Ok(all)
}

/// Cuts brushes out of others. The cutters are deleted unless `keep`; of the others those that are not touched stay as they
/// are.
#[must_use]
pub fn subtract(cutters: Vec<ObjectId>, from: Vec<ObjectId>, keep: bool) -> Edit {
    Edit::new("Subtract", move |draft, selection| {
        let cutter_ids = sound_brushes(draft, &cutters);
        let mut pool = Pool::default();
        let solids: Vec<Convex> = cutter_ids
            .iter()
            .filter_map(|&id| pool.add(brush_of(draft, id)?))
            .collect();
        if solids.is_empty() {
            return Err(EditError::refused("Select brushes to subtract first"));
        }
        let targets: Vec<ObjectId> = sound_brushes(draft, &from)
            .into_iter()
            .filter(|id| !cutters.contains(id))
            .collect();
        let doc: &Document = draft;
        let cut =
            |&id: &ObjectId| Some((id, pieces_left(doc, brush_of(doc, id)?, &solids, &pool)?));
        let cut: Vec<(ObjectId, Vec<Brush>)> = if targets.len() < PARALLEL_FROM {
            targets.iter().filter_map(cut).collect()
        } else {
            targets.par_iter().filter_map(cut).collect()
        };
        if cut.is_empty() {
            return Err(EditError::refused(
                "The selection reaches into no other visible brush",
            ));
        }
        for (id, pieces) in cut {
            replace(draft, id, pieces)?;
        }
        if !keep {
            objects::remove(draft, &cutter_ids);
            selection.retain(|pick| draft.object(pick.object()).is_some());
        }
        Ok(())
    })
}

/// What the cutters leave of a brush; `None` when they do not touch it.
fn pieces_left(
    doc: &Document,
    brush: &Brush,
    cutters: &[Convex],
    pool: &Pool,
) -> Option<Vec<Brush>> {
    let bounds = brush.hull().bounds();
    if !cutters.iter().any(|cutter| cutter.bounds().touches(bounds)) {
        return None;
    }
    // Own faces behind those of the cutters.
    let mut own = Pool {
        faces: pool.faces.clone(),
        exact: pool.exact.clone(),
    };
    let mut pieces = vec![own.add(brush)?];
    let mut by = 0;
    for cutter in cutters {
        let mut left = Vec::with_capacity(pieces.len());
        let mut touched = false;
        for piece in pieces {
            match piece.without(cutter, csg::SLIVER) {
                None => left.push(piece),
                Some(outside) => {
                    touched = true;
                    left.extend(outside);
                }
            }
        }
        by += u32::from(touched);
        pieces = left;
    }
    if by == 0 {
        return None;
    }
    let tile = tile_of(doc);
    if by > 1 {
        // A cut of one cutter may end where the next one has cut anyway.
        pieces = fewest(&own, pieces, &tile);
    }
    Some(
        pieces
            .iter()
            .filter_map(|piece| own.brush(piece, brush.contents(), &tile))
            .collect(),
    )
}

/// Joins pieces of one brush again where that loses nothing.
fn fewest(
    pool: &Pool,
    pieces: Vec<Convex>,
    tile: &dyn Fn(Option<MaterialId>) -> Vec2,
) -> Vec<Convex> {
    let groups = csg::joined(&pieces, |members, whole| {
        let parts: Vec<&Convex> = members.iter().map(|&at| &pieces[at]).collect();
        pool.agree(whole, &parts, tile)
    });
    let mut out: Vec<Option<Convex>> = pieces.iter().cloned().map(Some).collect();
    for (whole, members) in groups {
        for &at in &members {
            out[at] = None;
        }
        out[members[0]] = Some(whole);
    }
    out.into_iter().flatten().collect()
}

/// Leaves what all the brushes share, in the place of the first of them.
#[must_use]
pub fn intersect(ids: Vec<ObjectId>) -> Edit {
    Edit::new("Intersect", move |draft, selection| {
        let brushes = two_or_more(draft, &ids)?;
        let mut pool = Pool::default();
        let mut shared: Option<Convex> = None;
        for &id in &brushes {
            let Some(solid) = brush_of(draft, id).and_then(|brush| pool.add(brush)) else {
                continue;
            };
            shared = Some(match shared {
                None => solid,
                Some(so_far) => so_far.shared(&solid, csg::SLIVER).ok_or_else(|| {
                    EditError::refused("The selected brushes have no space in common")
                })?,
            });
        }
        let first = brushes[0];
        let contents = brush_of(draft, first).map_or(Contents::SOLID, Brush::contents);
        let result = shared
            .and_then(|shared| pool.brush(&shared, contents, &tile_of(draft)))
            .ok_or_else(|| EditError::refused("The selected brushes have no space in common"))?;
        one_instead(draft, selection, &brushes, result);
        Ok(())
    })
}

fn two_or_more(doc: &Document, ids: &[ObjectId]) -> Result<Vec<ObjectId>, EditError> {
    let brushes = sound_brushes(doc, ids);
    if brushes.len() < 2 {
        return Err(EditError::refused("Select at least two brushes"));
    }
    Ok(brushes)
}

/// The first brush gets this shape, the others go, it alone is selected.
fn one_instead(draft: &mut Draft, selection: &mut Selection, brushes: &[ObjectId], result: Brush) {
    draft.update(brushes[0], |object| object.kind = Kind::Brush(result));
    objects::remove(draft, &brushes[1..]);
    *selection = Selection::from([Pick::Object(brushes[0])]);
}

/// The convex hull of the brushes, in the place of the first of them.
#[must_use]
pub fn merge(ids: Vec<ObjectId>) -> Edit {
    Edit::new("Convex merge", move |draft, selection| {
        let brushes = two_or_more(draft, &ids)?;
        let result = merged(draft, &brushes)
            .ok_or_else(|| EditError::refused("No brush can be made of these corners"))?;
        one_instead(draft, selection, &brushes, result);
        Ok(())
    })
}

/// The hull of the brushes as one brush; `None` when rounding leaves nothing sound.
fn merged(doc: &Document, brushes: &[ObjectId]) -> Option<Brush> {
    let inputs: Vec<&Brush> = brushes.iter().filter_map(|&id| brush_of(doc, id)).collect();
    let points: Vec<DVec3> = inputs
        .iter()
        .flat_map(|brush| brush.hull().points().iter().copied())
        .collect();
    let (planes, hull) = Hull::from_points(&points)?;
    let contents = inputs.first()?.contents();
    let mut exact_planes: Vec<Face> = Vec::with_capacity(planes.len());
    let mut fitted: Vec<Face> = Vec::with_capacity(planes.len());
    for (index, plane) in planes.iter().enumerate() {
        let corners: Vec<DVec3> = hull.face_points(index).collect();
        let (face, on_plane) = nearest_face(doc, &inputs, *plane, &corners)?;
        exact_planes.push(if on_plane {
            face.clone()
        } else {
            onto(doc, face, *plane)
        });
        fitted.push(onto(doc, face, *plane));
    }
    let sound = |faces: Vec<Face>| {
        let brush = Brush::as_stored(contents, faces).with_corners(hull.points());
        // Nearly flat corners are one face, so some may be a little in front of it (VTX-3).
        let holds = points.iter().all(|&point| {
            brush
                .faces()
                .iter()
                .filter_map(|face| face.plane.unit())
                .all(|plane| plane.distance(point) <= 2.0 * ON_PLANE)
        });
        (brush.fault().is_none() && holds).then_some(brush)
    };
    sound(exact_planes).or_else(|| sound(fitted))
}

/// The input face on this plane, else the one that looks most in its direction, the larger of equals; and whether it is on it.
fn nearest_face<'a>(
    doc: &Document,
    inputs: &[&'a Brush],
    plane: Plane,
    corners: &[DVec3],
) -> Option<(&'a Face, bool)> {
    let mut best: Option<(bool, f64, f64, &Face)> = None;
    for brush in inputs {
        for (index, face) in brush.faces().iter().enumerate() {
            let Some(unit) = face.plane.unit() else {
                continue;
            };
            let ring: Vec<DVec3> = brush.hull().face_points(index).collect();
            if ring.len() < 3 {
                continue;
            }
            let likeness = unit.normal.dot(plane.normal);
            let on_plane = likeness > 0.9999
                && corners
                    .iter()
                    .all(|&corner| unit.distance(corner).abs() <= ON_PLANE);
            let area = crate::geometry::polygon::area(&ring);
            // A material that is there beats none.
            let known = face.material.is_some_and(|id| doc.material(id).is_some());
            let likeness = if on_plane {
                1.0
            } else {
                (likeness * 256.0).round() / 256.0
            };
            let rank = (on_plane, likeness, area * if known { 1.0 } else { 0.5 });
            let better = best.is_none_or(|(on, like, size, _)| {
                rank.0
                    .cmp(&on)
                    .then(rank.1.total_cmp(&like))
                    .then(rank.2.total_cmp(&size))
                    .is_gt()
            });
            if better {
                best = Some((rank.0, rank.1, rank.2, face));
            }
        }
    }
    best.map(|(on_plane, _, _, face)| (face, on_plane))
}

/// The face's looks on another plane.
fn onto(doc: &Document, face: &Face, plane: Plane) -> Face {
    let axes = face
        .axes
        .as_ref()
        .map(|_| face.frame(doc.tile_size(face.material)).in_plane(plane));
    Face {
        plane,
        axes,
        ..face.clone()
    }
}

#[cfg(test)]
mod tests;
