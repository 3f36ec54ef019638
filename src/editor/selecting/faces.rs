//! Faces: their corners and materials, all of an object, connected ones on one plane (SEL-6).

use glam::DVec3;

use crate::document::Document;
use crate::document::Kind;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::geometry::Plane;

/// Planes of a patch agree within this in normal and distance; its faces share edges longer than the last (SEL-6).
const SAME_NORMAL: f64 = 1e-3;
const SAME_DISTANCE: f64 = 0.01;
const SHARED_EDGE: f64 = 0.01;

/// Corners of a brush face or mesh polygon.
#[must_use]
pub(crate) fn face_corners(doc: &Document, id: ObjectId, face: u32) -> Vec<DVec3> {
    match doc.object(id).map(|object| &object.kind) {
        Some(Kind::Brush(brush)) if (face as usize) < brush.hull().loops().len() => {
            brush.hull().face_points(face as usize).collect()
        }
        Some(Kind::Mesh(mesh)) => mesh
            .polygons
            .get(face as usize)
            .and_then(|polygon| mesh.positions(polygon))
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The material of a face as a row of its own.
#[must_use]
pub(crate) fn face_material(doc: &Document, id: ObjectId, face: u32) -> Option<Material> {
    doc.material(face_material_id(doc, id, face)?).cloned()
}

#[must_use]
pub(crate) fn face_material_id(doc: &Document, id: ObjectId, face: u32) -> Option<MaterialId> {
    match &doc.object(id)?.kind {
        Kind::Brush(brush) => brush.faces().get(face as usize)?.material,
        Kind::Mesh(mesh) => mesh.polygons.get(face as usize)?.material,
        Kind::Entity(_) | Kind::Group(_) => None,
    }
}

/// Every face of an object.
#[must_use]
pub(crate) fn faces_of(doc: &Document, id: ObjectId) -> Selection {
    let count = match doc.object(id).map(|object| &object.kind) {
        Some(Kind::Brush(brush)) => brush.faces().len(),
        Some(Kind::Mesh(mesh)) => mesh.polygons.len(),
        _ => 0,
    };
    (0..count as u32).map(|face| Pick::Face(id, face)).collect()
}

/// The connected faces on one plane across touching brushes in reach, starting at a face.
#[must_use]
pub(crate) fn coplanar_patch(
    doc: &Document,
    id: ObjectId,
    face: u32,
    allows: &dyn Fn(ObjectId) -> bool,
) -> Selection {
    let plane_of = |id: ObjectId, face: u32| -> Option<Plane> {
        match &doc.object(id)?.kind {
            Kind::Brush(brush) => brush.faces().get(face as usize)?.plane.unit(),
            Kind::Mesh(_) => crate::geometry::polygon::plane(&face_corners(doc, id, face)),
            Kind::Entity(_) | Kind::Group(_) => None,
        }
    };
    let Some(plane) = plane_of(id, face) else {
        return Selection::new();
    };
    let on_plane = |id: ObjectId, face: u32| {
        plane_of(id, face).is_some_and(|other| {
            other.normal.distance(plane.normal) <= SAME_NORMAL
                && (other.dist - plane.dist).abs() <= SAME_DISTANCE
        })
    };
    let mut candidates: Vec<(Pick, Vec<DVec3>)> = Vec::new();
    for (id, _) in doc.objects().filter(|(id, _)| allows(*id)) {
        for pick in faces_of(doc, id) {
            if let Pick::Face(id, face) = pick
                && on_plane(id, face)
            {
                candidates.push((pick, face_corners(doc, id, face)));
            }
        }
    }
    let mut found = Selection::from([Pick::Face(id, face)]);
    let mut next = vec![face_corners(doc, id, face)];
    while let Some(corners) = next.pop() {
        for (pick, other) in &candidates {
            if !found.contains(pick) && share_an_edge(&corners, other) {
                found.insert(*pick);
                next.push(other.clone());
            }
        }
    }
    found
}

/// True when edges of the two rings run along each other for longer than [`SHARED_EDGE`].
pub(crate) fn share_an_edge(a: &[DVec3], b: &[DVec3]) -> bool {
    let edges = |ring: &[DVec3]| -> Vec<(DVec3, DVec3)> {
        ring.iter()
            .copied()
            .zip(ring.iter().copied().cycle().skip(1))
            .collect()
    };
    let b = edges(b);
    edges(a).into_iter().any(|(from, to)| {
        let along = (to - from).normalize_or_zero();
        let length = (to - from).length();
        let off_line = |point: DVec3| (point - from - along * (point - from).dot(along)).length();
        b.iter().any(|&(start, end)| {
            if off_line(start) > SAME_DISTANCE || off_line(end) > SAME_DISTANCE {
                return false;
            }
            let (s, e) = ((start - from).dot(along), (end - from).dot(along));
            s.max(e).min(length) - s.min(e).max(0.0) > SHARED_EDGE
        })
    })
}
