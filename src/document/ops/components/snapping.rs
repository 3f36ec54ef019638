//! Vertices onto whole numbers or the grid (VTX-6).

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::DVec3;

use crate::document::Document;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::ObjectId;
use crate::document::Selection;
use crate::document::ops::components::convex::Reshaper;
use crate::document::ops::components::convex::Stop;
use crate::document::ops::components::settling;
use crate::document::ops::components::shape::Shape;
use crate::document::ops::components::shape::shaped_objects;
use crate::document::ops::meshes;
use crate::geometry::Grid;

/// Vertices that snapping means: those of the picked handles, or all of an object without any.
fn meant(doc: &Document, selection: &Selection) -> BTreeMap<ObjectId, BTreeSet<u32>> {
    let picked: Selection = selection
        .iter()
        .copied()
        .filter(|pick| super::ComponentKind::of(*pick).is_some())
        .collect();
    let ids = shaped_objects(
        doc,
        if picked.is_empty() {
            selection
        } else {
            &picked
        },
    );
    ids.into_iter()
        .filter_map(|id| {
            let shape = Shape::of_object(doc, id)?;
            let mut vertices = BTreeSet::new();
            for &pick in picked.iter().filter(|pick| pick.object() == id) {
                if let (Some(kind), Some(index)) = (super::ComponentKind::of(pick), pick.index()) {
                    vertices.extend(shape.vertices(kind, index));
                }
            }
            if vertices.is_empty() {
                vertices.extend(shape.used());
            }
            Some((id, vertices))
        })
        .collect()
}

/// The object with those vertices on the grid; `None` when they are there already.
fn snapped(
    doc: &Document,
    id: ObjectId,
    vertices: &BTreeSet<u32>,
    grid: &Grid,
    hold: bool,
) -> Result<Option<Kind>, Stop> {
    let Some(shape) = Shape::of_object(doc, id) else {
        return Ok(None);
    };
    let tile = |material: Option<MaterialId>| doc.tile_size(material);
    let to: BTreeMap<u32, DVec3> = vertices
        .iter()
        .map(|&vertex| (vertex, grid.snap(shape.points[vertex as usize])))
        .collect();
    if to.iter().all(|(&v, &at)| shape.points[v as usize] == at) {
        return Ok(None);
    }
    match doc.object(id).map(|object| &object.kind) {
        Some(Kind::Brush(brush)) => {
            let made =
                Reshaper::new(brush.clone(), vertices.clone()).settled_at(&to, hold, &tile)?;
            let settled =
                settling::settled(Some(brush), &made, &tile).map_err(|_| Stop::NoVolume)?;
            Ok(Some(Kind::Brush(settled)))
        }
        Some(Kind::Mesh(mesh)) => {
            let moved = meshes::moved(mesh, &to, hold, &tile)?;
            meshes::settled(&moved).map(|mesh| Some(Kind::Mesh(mesh)))
        }
        _ => Ok(None),
    }
}

/// Brushes and meshes that cannot be snapped, with the reason.
#[must_use]
pub fn unsnappable(doc: &Document, selection: &Selection, grid: &Grid) -> Vec<(ObjectId, Stop)> {
    meant(doc, selection)
        .into_iter()
        .filter_map(|(id, vertices)| Some((id, snapped(doc, id, &vertices, grid, false).err()?)))
        .collect()
}

/// Puts the vertices of the selection on a grid, each object by itself; what would become invalid is left alone.
#[must_use]
pub fn snap(grid: Grid, hold: bool) -> Edit {
    Edit::new("Snap vertices", move |draft, selection| {
        let meant = meant(draft, selection);
        if meant.is_empty() {
            return Err(EditError::refused("Select brushes or meshes first"));
        }
        let mut stopped = None;
        let mut any = false;
        let mut touched = BTreeSet::new();
        for (id, vertices) in meant {
            match snapped(draft, id, &vertices, &grid, hold) {
                Ok(Some(kind)) => {
                    draft.update(id, |object| object.kind = kind);
                    touched.insert(id);
                    any = true;
                }
                Ok(None) => any = true,
                Err(stop) => stopped = Some(stop),
            }
        }
        selection.retain(|pick| {
            super::ComponentKind::of(*pick).is_none() || !touched.contains(&pick.object())
        });
        match stopped {
            Some(stop) if !any => Err(EditError::refused(stop.to_string())),
            _ => Ok(()),
        }
    })
}
