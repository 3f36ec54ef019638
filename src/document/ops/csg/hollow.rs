//! Rooms out of blocks (BRU-5).

use glam::DVec3;

use super::ON_PLANE;
use super::Pool;
use super::brush_of;
use super::replace;
use super::sound_brushes;
use super::tile_of;
use crate::document::Brush;
use crate::document::Contents;
use crate::document::Document;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Face;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::geometry::Plane;
use crate::geometry::csg;
use crate::geometry::polygon;

/// Of a face so much may stay uncovered, in square units, and it still counts as closed.
const OPEN_AREA: f64 = 0.25;

/// Makes walls of this thickness out of brushes, inwards, or outwards when negative. A face that brushes of `around`, or walls
/// just made, close already gets no wall. The walls are selected.
#[must_use]
pub fn hollow(ids: Vec<ObjectId>, around: Vec<ObjectId>, thickness: f64) -> Edit {
    Edit::new("Hollow", move |draft, selection| {
        if !thickness.is_finite() || thickness.abs() < csg::SLIVER {
            return Err(EditError::refused("Walls need a thickness"));
        }
        let rooms = sound_brushes(draft, &ids);
        if rooms.is_empty() {
            return Err(EditError::refused("Select brushes to hollow first"));
        }
        let mut closing: Vec<ObjectId> = sound_brushes(draft, &around)
            .into_iter()
            .filter(|id| !rooms.contains(id))
            .collect();
        let mut made = Selection::new();
        let mut reason = "";
        for id in rooms {
            match walls(draft, id, &closing, thickness) {
                Ok(walls) => {
                    let walls = replace(draft, id, walls)?;
                    made.extend(walls.iter().map(|&id| Pick::Object(id)));
                    closing.extend(walls);
                }
                Err(why) => reason = why,
            }
        }
        if made.is_empty() {
            return Err(EditError::refused(reason));
        }
        *selection = made;
        Ok(())
    })
}

/// The walls of one room.
fn walls(
    doc: &Document,
    id: ObjectId,
    closing: &[ObjectId],
    thickness: f64,
) -> Result<Vec<Brush>, &'static str> {
    let brush = brush_of(doc, id).ok_or("It is gone")?;
    let moved: Vec<Face> = brush
        .faces()
        .iter()
        .enumerate()
        .map(|(index, face)| {
            if is_closed(doc, brush, index, closing) {
                return face.clone();
            }
            let plane = Plane::new(
                face.plane.normal,
                face.plane.dist - thickness * face.plane.normal.length(),
            );
            Face {
                plane: plane.rounded(),
                ..face.clone()
            }
        })
        .collect();
    let moved = Brush::as_stored(brush.contents(), moved);
    let mut pool = Pool::default();
    let (outer, inner) = if thickness > 0.0 {
        (brush, &moved)
    } else {
        (&moved, brush)
    };
    const TOO_THIN: &str = "The brush is too small for walls of this thickness";
    let outer = pool.add(outer).ok_or("The walls would reach too far")?;
    let inner = pool.add(inner).ok_or(TOO_THIN)?;
    let pieces = outer.without(&inner, csg::SLIVER).ok_or(TOO_THIN)?;
    let tile = tile_of(doc);
    let walls: Vec<Brush> = pieces
        .iter()
        .filter_map(|piece| pool.brush(piece, brush.contents(), &tile))
        .collect();
    if walls.is_empty() {
        return Err("Other brushes close it on every side already");
    }
    Ok(walls)
}

/// True when faces of solid brushes on the same plane cover the face.
fn is_closed(doc: &Document, brush: &Brush, index: usize, closing: &[ObjectId]) -> bool {
    let Some(plane) = brush.faces()[index].plane.unit() else {
        return true;
    };
    let corners: Vec<DVec3> = brush.hull().face_points(index).collect();
    if corners.len() < 3 {
        return true;
    }
    let bounds = brush.hull().bounds().grown(ON_PLANE);
    let mut open = vec![corners];
    for &id in closing {
        let Some(other) = brush_of(doc, id) else {
            continue;
        };
        if !other.contents().has(Contents::SOLID) || !bounds.touches(other.hull().bounds()) {
            continue;
        }
        for (face, loop_) in other.hull().loops().iter().enumerate() {
            let normal = other.faces()[face].plane.normal.normalize_or_zero();
            if loop_.len() < 3 || normal.dot(plane.normal).abs() < 0.9999 {
                continue;
            }
            let cover: Vec<DVec3> = other.hull().face_points(face).collect();
            if cover
                .iter()
                .all(|&corner| plane.distance(corner).abs() <= ON_PLANE)
            {
                open = uncovered(open, &cover, normal);
            }
        }
    }
    open.iter().map(|ring| polygon::area(ring)).sum::<f64>() <= OPEN_AREA
}

/// What a convex polygon leaves of others in its plane. `normal`: of the cover.
fn uncovered(open: Vec<Vec<DVec3>>, cover: &[DVec3], normal: DVec3) -> Vec<Vec<DVec3>> {
    let mut left = Vec::new();
    for ring in open {
        let mut rest = ring;
        for (at, &from) in cover.iter().enumerate() {
            let to = cover[(at + 1) % cover.len()];
            // Outward of the edge, as the cover runs counter-clockwise about its normal.
            let Some(edge) = Plane::through(from, (to - from).cross(normal)) else {
                continue;
            };
            let (front, back) = polygon::split(&rest, edge, ON_PLANE);
            if front.len() >= 3 {
                left.push(front);
            }
            rest = back;
            if rest.len() < 3 {
                break;
            }
        }
    }
    left
}
