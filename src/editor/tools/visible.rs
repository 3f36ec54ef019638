//! What can be seen of objects in a rectangle of a 3D view (SEL-5).

use std::collections::HashSet;

use glam::DVec2;
use glam::DVec3;
use rayon::prelude::*;
use smallvec::SmallVec;

use crate::assets::Definitions;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::editor::tools::ToolCx;
use crate::geometry::Aabb;

/// Rays of the look at what is visible: so many across the rectangle, and so many more for what they missed.
const RAYS: f64 = 6000.0;
const MORE_RAYS: usize = 6000;

/// Faces of one object that rays are spent on.
const MOST_OF_ONE: usize = 8;

/// Looks that are taken side by side: what one shows spares none of the others.
const AT_ONCE: usize = 256;

/// The rays are at least this far apart, in points.
const LEAST_STEP: f64 = 2.0;

/// Drops what no ray through the rectangle meets first. A grid of rays finds what is large. What it misses is looked at one by
/// one, through the middles of the faces that are turned to the eye, as long as the rays last: the largest face of each object
/// before the second one of any, and larger ones, as the eye sees them, before smaller ones.
pub(super) fn keep_visible(cx: &ToolCx<'_>, from: DVec2, to: DVec2, found: &mut Vec<ObjectId>) {
    let (min, max) = (
        from.min(to).max(DVec2::ZERO),
        from.max(to).min(cx.view.size),
    );
    let size = (max - min).max(DVec2::ZERO);
    let step = (size.x * size.y / RAYS).sqrt().max(LEAST_STEP);
    let pick = cx.pick;
    let (columns, rows) = ((size.x / step) as u32 + 1, (size.y / step) as u32 + 1);
    let mut seen: HashSet<ObjectId> = (0..rows)
        .into_par_iter()
        .flat_map_iter(|row| {
            (0..columns).map(move |column| DVec2::new(f64::from(column), f64::from(row)))
        })
        .filter_map(|cell| pick(min + cell * step).map(|hit| hit.object))
        .collect();
    let (doc, view, definitions) = (&cx.base.doc, cx.view, cx.definitions);
    let is_in_rectangle = |middle: DVec3| {
        let at = view.project(middle);
        at.is_some_and(|(at, _)| at.cmpge(min).all() && at.cmple(max).all())
    };
    let mut looks: Vec<Look> = found
        .par_iter()
        .filter(|id| !seen.contains(id))
        .filter_map(|&id| Some((id, doc.object(id)?)))
        .flat_map_iter(|(id, object)| {
            let mut faces = turned_to_eye(definitions, view.eye, object);
            faces.retain(|(_, middle)| is_in_rectangle(*middle));
            faces.sort_by(|a, b| b.0.total_cmp(&a.0));
            faces.truncate(MOST_OF_ONE);
            (0..).zip(faces).map(move |(rank, (size, middle))| Look {
                rank,
                size,
                middle,
                object: id,
            })
        })
        .collect();
    looks.par_sort_by(|a, b| {
        let by_size = || b.size.total_cmp(&a.size);
        a.rank.cmp(&b.rank).then_with(by_size)
    });
    let mut rays = MORE_RAYS;
    let mut waiting = looks.into_iter();
    while rays > 0 {
        let next = waiting.by_ref().filter(|look| !seen.contains(&look.object));
        let some: Vec<Look> = next.take(AT_ONCE.min(rays)).collect();
        if some.is_empty() {
            break;
        }
        rays -= some.len();
        let met: Vec<ObjectId> = some
            .par_iter()
            .filter_map(|look| pick(view.project(look.middle)?.0).map(|hit| hit.object))
            .collect();
        seen.extend(met);
    }
    found.retain(|id| seen.contains(id));
}

/// A ray that may show an object.
struct Look {
    /// Of the face among those of its object, the largest one first.
    rank: u32,
    size: f64,
    middle: DVec3,
    object: ObjectId,
}

/// Size and middle of each face that is turned to the eye. The size is about the solid angle.
fn turned_to_eye(
    definitions: &Definitions,
    eye: DVec3,
    object: &Object,
) -> SmallVec<[(f64, DVec3); 6]> {
    let mut found = SmallVec::new();
    let mut add = |corners: &mut dyn Iterator<Item = DVec3>| {
        let Some(first) = corners.next() else { return };
        let (mut sum, mut count) = (first, 1.0);
        let (mut twice_area, mut last) = (DVec3::ZERO, first);
        for corner in corners {
            twice_area += (last - first).cross(corner - first);
            sum += corner;
            count += 1.0;
            last = corner;
        }
        let middle = sum / count;
        let to_eye = eye - middle;
        let size = twice_area.dot(to_eye) * 0.5 / to_eye.length().max(1e-3).powi(3);
        if size > 0.0 {
            found.push((size, middle));
        }
    };
    match &object.kind {
        Kind::Brush(brush) => {
            for (index, face) in brush.faces().iter().enumerate() {
                if face.plane.distance(eye) > 0.0 && index < brush.hull().loops().len() {
                    add(&mut brush.hull().face_points(index));
                }
            }
        }
        Kind::Mesh(mesh) => {
            for polygon in &mesh.polygons {
                if let Some(corners) = mesh.positions(polygon) {
                    add(&mut corners.into_iter());
                }
            }
        }
        Kind::Entity(entity) => {
            let bounds: Aabb = definitions.entity_box(entity);
            let middle = bounds.center();
            let distance = eye.distance(middle).max(1e-3);
            found.push((bounds.size().length_squared() / distance.powi(2), middle));
        }
        Kind::Group(_) => {}
    }
    found
}
