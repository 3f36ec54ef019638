//! Edits of `document/ops`, made of what the user points at: the selection, the open group, the current layer and material.

use glam::DVec2;
use glam::DVec3;

use crate::document::Document;
use crate::document::Edit;
use crate::document::LayerId;
use crate::document::Material;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::ops;
use crate::editor::pick::Hit;
use crate::editor::view::View;
use crate::geometry::Aabb;
use crate::geometry::Grid;

/// Where new objects go: the open group and the current layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Home {
    pub parent: Option<ObjectId>,
    pub layer: Option<LayerId>,
}

impl Home {
    /// Puts what the edit has made, and selected, into the open group.
    pub(crate) fn of(self, edit: Edit) -> Edit {
        let Some(parent) = self.parent else {
            return edit;
        };
        Edit::new(edit.label, move |draft, selection| {
            edit.apply(draft, selection)?;
            for id in selection.objects() {
                if draft
                    .object(id)
                    .is_some_and(|object| object.parent.is_none())
                {
                    draft.update(id, |object| object.parent = Some(parent));
                }
            }
            Ok(())
        })
    }
}

/// Selected objects that have no selected container.
pub(crate) fn roots(doc: &Document, selection: &Selection) -> Vec<ObjectId> {
    let is_chosen = |id: ObjectId| selection.contains(&Pick::Object(id));
    selection
        .objects()
        .into_iter()
        .filter(|&id| !doc.ancestors(id).any(is_chosen))
        .collect()
}

/// Moves `along` outward and `against`, which lie back to back with them, inward (EXT-1).
pub(crate) fn extrude(
    along: Vec<(ObjectId, u32)>,
    against: Vec<(ObjectId, u32)>,
    distance: f64,
) -> Edit {
    let (first, second) = (
        ops::brushes::extrude(along, distance),
        ops::brushes::extrude(against, -distance),
    );
    Edit::new(first.label, move |draft, selection| {
        first.apply(draft, selection)?;
        second.apply(draft, selection)
    })
}

/// Where something with these bounds (around its origin) goes when the user points here: resting on the surface hit, snapped;
/// else 256 units ahead, or on the plane through the middle of a 2D view.
pub(crate) fn resting_place(
    view: &View,
    grid: &Grid,
    at: DVec2,
    hit: Option<&Hit>,
    shape: Aabb,
) -> DVec3 {
    let ray = view.ray(at);
    match hit {
        _ if view.is_2d() => {
            let depth = (view.eye - ray.origin).dot(ray.dir);
            grid.snap(ray.at(depth))
        }
        Some(hit) => {
            ops::clipboard::resting(shape, hit.point, hit.normal, |point| grid.snap(point))
        }
        None => grid.snap(ray.at(256.0)),
    }
}

/// A point entity, selected (ENT-1).
pub(crate) fn create_entity(class: &str, origin: DVec3, home: Home) -> Edit {
    let keys = default_keys(class)
        .iter()
        .map(|&(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    let create = ops::entities::create(class, origin, keys, home.layer);
    let label = if class == "light" {
        "Create light"
    } else {
        create.label
    };
    home.of(Edit::new(label, move |draft, selection| {
        create.apply(draft, selection)
    }))
}

/// Keys a new entity starts with, so that it does something at once (`hmap.md` D29).
fn default_keys(class: &str) -> &'static [(&'static str, &'static str)] {
    match class {
        "light" => &[("color", "1 1 1"), ("intensity", "4"), ("radius", "320")],
        "light_spot" => &[
            ("color", "1 1 1"),
            ("intensity", "4"),
            ("radius", "320"),
            ("inner", "20"),
            ("outer", "40"),
        ],
        "light_sun" => &[("color", "1 1 1"), ("intensity", "1")],
        _ => &[],
    }
}

/// Puts a material on the selected faces, and on every face of the selected objects (TEX-2).
pub(crate) fn apply_material(material: Material) -> Edit {
    Edit::new("Apply material", move |draft, selection| {
        let id = ops::materials::find_or_add(draft, &material);
        ops::faces::set_material(selection.clone(), Some(id)).apply(draft, selection)
    })
}

/// Puts a material on given picks; the selection stays.
pub(crate) fn apply_material_to(material: Material, picks: Selection) -> Edit {
    Edit::new("Apply material", move |draft, selection| {
        let id = ops::materials::find_or_add(draft, &material);
        ops::faces::set_material(picks.clone(), Some(id)).apply(draft, selection)
    })
}

/// Puts a material on every face of these picks that looks like this one.
pub(crate) fn apply_material_like(
    material: Material,
    object: ObjectId,
    face: u32,
    among: Selection,
) -> Edit {
    Edit::new("Apply material", move |draft, selection| {
        let from = crate::editor::selecting::face_material_id(draft, object, face);
        let id = ops::materials::find_or_add(draft, &material);
        ops::faces::replace_material(from, Some(id), Some(among.clone())).apply(draft, selection)
    })
}
