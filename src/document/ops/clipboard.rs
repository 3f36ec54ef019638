//! Copying a part of a map, and putting it into a map, the same or another one.

use std::collections::BTreeMap;

use glam::DAffine3;
use glam::DVec3;

use crate::document::Brush;
use crate::document::Document;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::LayerId;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::UvLock;
use crate::document::ops::links;
use crate::document::ops::links::LinkKeys;
use crate::document::ops::materials;
use crate::document::ops::objects;
use crate::document::ops::transform;
use crate::document::ops::transform::Orientation;
use crate::geometry::Aabb;

/// A part of a map that stands by itself: the copied objects and the whole material list, in a document of their own.
#[derive(Clone, Debug)]
pub struct Clip {
    doc: Document,
    /// The copied objects that lie below none of the others.
    tops: Vec<ObjectId>,
}

impl Clip {
    /// A fragment that came from elsewhere (a text in `.map` syntax): everything in it is pasted.
    #[must_use]
    pub fn of_document(doc: Document) -> Self {
        let tops = doc.children(None).collect();
        Self { doc, tops }
    }

    /// The fragment as a map, for writing it as text.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.doc
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.tops.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tops.is_empty()
    }

    /// Box of all that would be pasted; empty for a clip without places.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.doc.bounds()
    }
}

/// Copies the selected objects with everything below them; faces count as their objects. `None` when nothing is selected.
#[must_use]
pub fn copy(doc: &Document, selection: &Selection) -> Option<Clip> {
    let mut picked: Selection = selection
        .iter()
        .map(|pick| Pick::Object(pick.object()))
        .collect();
    picked.prune(doc);
    let all = picked.with_children(doc);
    if all.is_empty() {
        return None;
    }
    let mut fragment = Document::default().edit();
    for (_, material) in doc.materials() {
        fragment.insert_material(material.clone());
    }
    let mut tops = Vec::new();
    for &id in &all {
        let Some(object) = doc.object(id) else {
            continue;
        };
        let parent = object
            .parent
            .filter(|parent| all.binary_search(parent).is_ok());
        if parent.is_none() {
            tops.push(id);
        }
        // Layers belong to the map, not to the clip.
        fragment.put(
            id,
            Object {
                parent,
                layer: None,
                visgroups: std::sync::Arc::from([]),
                ..object.clone()
            },
        );
    }
    Some(Clip {
        doc: fragment.as_read(),
        tops,
    })
}

/// The move that makes a box rest on a surface: it touches the plane through `point` with this unit normal from the front,
/// with its middle over the point, and its lower corner on the grid where `snap` puts it.
#[must_use]
pub fn resting(bounds: Aabb, point: DVec3, normal: DVec3, snap: impl Fn(DVec3) -> DVec3) -> DVec3 {
    if bounds.is_empty() {
        return snap(point);
    }
    let half = bounds.size() * 0.5;
    let reach = half.dot(normal.abs());
    let corner = point + normal * reach - half;
    let snapped = snap(corner);
    // Along the axis the surface faces, resting matters more than the grid.
    let axis = crate::geometry::projection_axis(normal);
    let mut placed = snapped;
    if normal[axis].abs() > 0.999 {
        placed[axis] = corner[axis];
    }
    placed - bounds.min
}

/// Pastes a clip moved by `delta`, into a layer, and selects it. Materials are matched by name and added where missing.
#[must_use]
pub fn paste(clip: Clip, delta: DVec3, layer: Option<LayerId>) -> Edit {
    Edit::new("Paste", move |draft, selection| {
        let pasted = paste_into(draft, &clip, layer)?;
        transform::apply(
            draft,
            &pasted,
            &DAffine3::from_translation(delta),
            UvLock::Carried,
            &Orientation::Kept,
        )?;
        *selection = pasted.into_iter().map(Pick::Object).collect();
        Ok(())
    })
}

fn paste_into(
    draft: &mut Draft,
    clip: &Clip,
    layer: Option<LayerId>,
) -> Result<Vec<ObjectId>, EditError> {
    objects::room_for(draft, clip.doc.object_count())?;
    let layer = layer.filter(|&layer| draft.layer(layer).is_some());
    let used = materials::used(&clip.doc);
    let mut material_of: BTreeMap<MaterialId, MaterialId> = BTreeMap::new();
    for (id, material) in clip.doc.materials().filter(|(id, _)| used.contains(id)) {
        material_of.insert(id, materials::find_or_add(draft, material));
    }
    let renumbered =
        |material: Option<MaterialId>| material.and_then(|id| material_of.get(&id).copied());
    let mut new_id: BTreeMap<ObjectId, ObjectId> = BTreeMap::new();
    for (id, object) in clip.doc.objects_in_order() {
        let kind = match &object.kind {
            Kind::Brush(brush) => Kind::Brush(with_materials(brush, &renumbered)),
            Kind::Mesh(mesh) => {
                let mut mesh = mesh.clone();
                for polygon in &mut mesh.polygons {
                    polygon.material = renumbered(polygon.material);
                }
                Kind::Mesh(mesh)
            }
            other => other.clone(),
        };
        new_id.insert(
            id,
            draft.insert(Object {
                parent: None,
                layer,
                order: 0,
                kind,
                ..object.clone()
            }),
        );
    }
    for (id, object) in clip.doc.objects() {
        if let (Some(&new), Some(parent)) = (
            new_id.get(&id),
            object
                .parent
                .and_then(|parent| new_id.get(&parent))
                .copied(),
        ) {
            draft.update(new, |object| object.parent = Some(parent));
        }
    }
    links::follow(
        draft,
        &new_id.values().copied().collect(),
        &LinkKeys::default(),
    );
    Ok(clip
        .tops
        .iter()
        .filter_map(|id| new_id.get(id).copied())
        .collect())
}

fn with_materials(
    brush: &Brush,
    renumbered: &dyn Fn(Option<MaterialId>) -> Option<MaterialId>,
) -> Brush {
    let mut faces = brush.faces().to_vec();
    for face in &mut faces {
        face.material = renumbered(face.material);
    }
    brush.with_surfaces(faces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::History;
    use crate::document::Material;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;
    use crate::geometry::Grid;

    #[test]
    fn a_clip_goes_into_another_map() {
        let source = map();
        let clip = copy(
            &source.committed().doc,
            &Selection::from([Pick::Object(id(2)), Pick::Face(id(1), 3)]),
        )
        .expect("selected");
        assert_eq!((clip.len(), clip.document().object_count()), (2, 5));
        let mut draft = Document::default().edit();
        draft.insert_material(Material::new("other", ""));
        let mut target = History::new(draft.finish().expect("empty"));
        commit(&mut target, &paste(clip, DVec3::Y * 8.0, None));
        let state = target.committed();
        assert_eq!(
            (state.doc.object_count(), state.selection.objects().len()),
            (5, 2)
        );
        assert_eq!(
            state
                .doc
                .materials()
                .map(|(_, m)| m.name.as_str())
                .collect::<Vec<_>>(),
            ["other", "brick"]
        );
        let brush = state
            .doc
            .objects()
            .find_map(|(_, object)| object.brush())
            .expect("brush");
        assert!(
            brush
                .faces()
                .iter()
                .all(|face| face.material == Some(MaterialId(1)))
        );
        let expected = source
            .committed()
            .doc
            .objects()
            .filter(|(id, _)| id.get() < 6)
            .map(|(_, o)| o.bounds())
            .filter(|b| !b.is_empty())
            .fold(Aabb::EMPTY, Aabb::union);
        assert_eq!(
            state.doc.bounds(),
            Aabb::new(expected.min + DVec3::Y * 8.0, expected.max + DVec3::Y * 8.0)
        );
        let group = state
            .doc
            .objects()
            .find(|(_, object)| object.group().is_some())
            .expect("group")
            .0;
        assert_eq!(state.doc.subtree(group).len(), 4);
    }

    #[test]
    fn pasting_beside_the_original_keeps_it() {
        let mut history = map();
        let clip = copy(
            &history.committed().doc,
            &Selection::from([Pick::Object(id(1))]),
        )
        .expect("selected");
        let again = clip.clone();
        commit(&mut history, &paste(clip, DVec3::X * 100.0, None));
        commit(&mut history, &paste(again, DVec3::ZERO, None));
        assert_eq!(history.committed().doc.object_count(), 8);
        assert_eq!(history.committed().doc.material_count(), 1);
        assert!(copy(&history.committed().doc, &Selection::new()).is_none());
    }

    #[test]
    fn boxes_rest_on_surfaces() {
        let bounds = Aabb::new(DVec3::splat(100.0), DVec3::new(132.0, 116.0, 132.0));
        let grid = Grid::new(16.0);
        let check = |point: DVec3, normal: DVec3, expected: DVec3| {
            let delta = resting(bounds, point, normal, |p| grid.snap(p));
            assert_eq!(bounds.min + delta, expected, "{point} {normal}");
        };
        check(
            DVec3::new(3.0, 5.0, -2.0),
            DVec3::Y,
            DVec3::new(-16.0, 5.0, -16.0),
        );
        check(
            DVec3::new(3.0, 5.0, -2.0),
            DVec3::NEG_Y,
            DVec3::new(-16.0, -11.0, -16.0),
        );
        check(
            DVec3::new(64.0, 40.0, 0.0),
            DVec3::X,
            DVec3::new(64.0, 32.0, -16.0),
        );
        assert_eq!(
            resting(Aabb::EMPTY, DVec3::splat(3.0), DVec3::Y, |p| grid.snap(p)),
            DVec3::ZERO
        );
    }
}
