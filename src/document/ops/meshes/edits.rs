//! Edits of what is picked of meshes: dissolving, flipping, smoothing groups (MSH-1).

use std::collections::BTreeSet;

use crate::document::Document;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::ops::components::Shape;
use crate::document::ops::components::shaped_objects;
use crate::document::ops::meshes;

fn meshes_of(doc: &Document, selection: &Selection) -> Vec<ObjectId> {
    shaped_objects(doc, selection)
        .into_iter()
        .filter(|&id| doc.object(id).is_some_and(|object| object.mesh().is_some()))
        .collect()
}

/// Faces of an object that are picked.
fn faces_of(selection: &Selection, id: ObjectId) -> Vec<u32> {
    selection
        .iter()
        .filter_map(|pick| match pick {
            Pick::Face(object, face) if *object == id => Some(*face),
            _ => None,
        })
        .collect()
}

/// Runs a change over each mesh of the selection; refused when there is none, or `change` has nothing to do.
fn each(
    label: &'static str,
    change: impl Fn(&Document, &Selection, ObjectId, &Mesh) -> Result<Option<Mesh>, EditError>
    + Send
    + Sync
    + 'static,
    (none, keeps_picks): (&'static str, bool),
) -> Edit {
    Edit::new(label, move |draft, selection| {
        let mut changed = BTreeSet::new();
        for id in meshes_of(draft, selection) {
            let Some(mesh) = draft.object(id).and_then(Object::mesh) else {
                continue;
            };
            if let Some(made) = change(draft, selection, id, mesh)? {
                draft.update(id, |object| object.kind = Kind::Mesh(made));
                changed.insert(id);
            }
        }
        if changed.is_empty() {
            return Err(EditError::refused(none));
        }
        if !keeps_picks {
            selection.retain(|pick| {
                matches!(pick, Pick::Object(_)) || !changed.contains(&pick.object())
            });
        }
        Ok(())
    })
}

/// Joins the polygons at picked edges and vertices, or picked polygons (`Ctrl+Del`).
#[must_use]
pub fn dissolve() -> Edit {
    each(
        "Dissolve",
        |doc, selection, id, mesh| {
            let Some(shape) = Shape::of_object(doc, id) else {
                return Ok(None);
            };
            let (mut edges, mut vertices) = (Vec::new(), Vec::new());
            for pick in selection.iter().filter(|pick| pick.object() == id) {
                match *pick {
                    Pick::Vertex(_, vertex) => vertices.push(vertex),
                    Pick::Edge(_, edge) => edges.extend(shape.edges.get(edge as usize)),
                    Pick::Face(..) | Pick::Object(_) => {}
                }
            }
            let faces = faces_of(selection, id);
            if faces.is_empty() && edges.is_empty() && vertices.is_empty() {
                return Ok(None);
            }
            meshes::dissolved(mesh, &faces, &edges, &vertices)
                .map(Some)
                .map_err(|stop| EditError::refused(stop.to_string()))
        },
        ("Pick edges, vertices or polygons of a mesh first", false),
    )
}

/// Turns the picked polygons round, or all of meshes without picks (`N`).
#[must_use]
pub fn flip() -> Edit {
    each(
        "Flip normals",
        |_, selection, id, mesh| {
            let faces = faces_of(selection, id);
            let some = selection
                .iter()
                .any(|pick| !matches!(pick, Pick::Object(_)));
            Ok(match (faces.is_empty(), some) {
                (false, _) => Some(meshes::flipped(mesh, Some(&faces))),
                (true, false) => Some(meshes::flipped(mesh, None)),
                (true, true) => None,
            })
        },
        ("Select meshes or pick their polygons first", true),
    )
}

/// Puts the picked polygons into these smoothing groups (bit 0 = group 1); of the groups of `kept` each stays in its own.
#[must_use]
pub fn set_smoothing(groups: u32, kept: u32) -> Edit {
    each(
        "Smoothing groups",
        move |_, selection, id, mesh| {
            let faces = faces_of(selection, id);
            Ok((!faces.is_empty()).then(|| meshes::smoothed(mesh, &faces, groups, kept)))
        },
        ("Pick polygons of a mesh first", true),
    )
}
