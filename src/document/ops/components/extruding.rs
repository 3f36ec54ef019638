//! Edges and faces of meshes pulled out, with what is picked afterwards (MSH-1).

use glam::DVec3;

use crate::document::Document;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::ops::components::convex::Stop;
use crate::document::ops::components::moving::Reshape;
use crate::document::ops::components::shape::ComponentKind;
use crate::document::ops::components::shape::Shape;
use crate::document::ops::components::shape::of_kind;
use crate::document::ops::meshes;

fn mesh_of(doc: &Document, id: ObjectId) -> Result<(&Mesh, Shape), Stop> {
    let mesh = doc.object(id).and_then(Object::mesh);
    let shape = Shape::of_object(doc, id);
    mesh.zip(shape).ok_or(Stop::NoPick)
}

/// Faces of a mesh moved, with walls where they were.
///
/// # Errors
/// When it has no such faces.
pub fn extrude_faces(
    doc: &Document,
    id: ObjectId,
    faces: &[u32],
    delta: DVec3,
) -> Result<Reshape, Stop> {
    let (mesh, shape) = mesh_of(doc, id)?;
    let made = meshes::extruded_faces(mesh, faces, delta)?;
    Ok(Reshape::new(
        vec![(id, Kind::Mesh(made))],
        moved(&shape, ComponentKind::Face, id, faces, delta),
    ))
}

/// Edges of a mesh moved, with polygons between where they were and where they are.
///
/// # Errors
/// When it has no such edges.
pub fn extrude_edges(
    doc: &Document,
    id: ObjectId,
    edges: &[u32],
    delta: DVec3,
) -> Result<Reshape, Stop> {
    let (mesh, shape) = mesh_of(doc, id)?;
    let ends: Vec<[u32; 2]> = edges
        .iter()
        .filter_map(|&edge| shape.edges.get(edge as usize).copied())
        .collect();
    let made = meshes::extruded_edges(mesh, &ends, delta)?;
    Ok(Reshape::new(
        vec![(id, Kind::Mesh(made))],
        moved(&shape, ComponentKind::Edge, id, edges, delta),
    ))
}

fn moved(
    shape: &Shape,
    kind: ComponentKind,
    id: ObjectId,
    indices: &[u32],
    delta: DVec3,
) -> Vec<(ComponentKind, ObjectId, Vec<DVec3>)> {
    indices
        .iter()
        .map(|&index| {
            let places = shape.positions(kind, index);
            (kind, id, places.into_iter().map(|at| at + delta).collect())
        })
        .collect()
}

/// A smaller face inside of each picked face of meshes; the inner ones stay picked (`I`).
#[must_use]
pub fn inset(width: f64) -> Edit {
    Edit::new("Inset", move |draft, selection| {
        let picked = of_kind(selection, ComponentKind::Face);
        let mut any = false;
        for chunk in picked.chunk_by(|a, b| a.0 == b.0) {
            let id = chunk[0].0;
            let faces: Vec<u32> = chunk.iter().map(|(_, face)| *face).collect();
            let Some(mesh) = draft.object(id).and_then(Object::mesh) else {
                continue;
            };
            let made = meshes::inset_faces(mesh, &faces, width)
                .map_err(|stop| EditError::refused(stop.to_string()))?;
            draft.update(id, |object| object.kind = Kind::Mesh(made));
            any = true;
        }
        if any {
            Ok(())
        } else {
            Err(EditError::refused("Pick faces of a mesh first"))
        }
    })
}
