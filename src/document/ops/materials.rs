//! The list of materials: adding, changing, purging, and sizes that were unknown at import.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::Vec2;

use crate::document::Document;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Face;
use crate::document::Kind;
use crate::document::LayerId;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Polygon;
use crate::document::Selection;
use crate::document::SurfaceFlags;
use crate::document::ops::faces;
use crate::geometry::UvAxes;

/// What an importer takes a picture for that it does not find, in pixels.
const GUESSED_SIZE: f32 = 64.0;

/// The material of this name, added at the end of the list when there is none.
pub fn find_or_add(draft: &mut Draft, material: &Material) -> MaterialId {
    draft
        .material_named(&material.name)
        .unwrap_or_else(|| draft.insert_material(material.clone()))
}

/// Adds a material unless there is one of this name.
#[must_use]
pub fn add(material: Material) -> Edit {
    Edit::new("Add material", move |draft, _| {
        find_or_add(draft, &material);
        Ok(())
    })
}

/// Replaces a material's description; its name must stay unique.
#[must_use]
pub fn set(id: MaterialId, material: Material) -> Edit {
    Edit::new("Change material", move |draft, _| {
        if material.name.is_empty()
            || draft
                .material_named(&material.name)
                .is_some_and(|other| other != id)
        {
            return Err(EditError::refused("A material needs a name of its own"));
        }
        draft.update_material(id, |old| old.clone_from(&material));
        Ok(())
    })
}

/// Materials that a face or polygon uses.
#[must_use]
pub fn used(doc: &Document) -> BTreeSet<MaterialId> {
    let mut used = BTreeSet::new();
    for (_, object) in doc.objects() {
        match &object.kind {
            Kind::Brush(brush) => {
                used.extend(brush.faces().iter().filter_map(|face| face.material));
            }
            Kind::Mesh(mesh) => {
                used.extend(mesh.polygons.iter().filter_map(|polygon| polygon.material));
            }
            Kind::Entity(_) | Kind::Group(_) => {}
        }
    }
    used
}

/// How many faces and polygons have each material; those of `scope`, or of the whole map.
#[must_use]
pub fn counts(doc: &Document, scope: Option<&Selection>) -> BTreeMap<Option<MaterialId>, usize> {
    let all = scope.map_or_else(
        || doc.objects().map(|(id, _)| Pick::Object(id)).collect(),
        Selection::clone,
    );
    let mut counts = BTreeMap::new();
    for (id, faces) in faces::faces_of(doc, &all) {
        let Some(object) = doc.object(id) else {
            continue;
        };
        for index in faces.into_iter().map(|face| face as usize) {
            let material = match &object.kind {
                Kind::Brush(brush) => brush.faces().get(index).map(|face| face.material),
                Kind::Mesh(mesh) => mesh.polygons.get(index).map(|polygon| polygon.material),
                Kind::Entity(_) | Kind::Group(_) => None,
            };
            if let Some(material) = material {
                *counts.entry(material).or_insert(0) += 1;
            }
        }
    }
    counts
}

/// What has surfaces in a layer; `None` is the default one.
#[must_use]
pub fn surfaces_of_layer(doc: &Document, layer: Option<LayerId>) -> Selection {
    doc.objects()
        .filter(|(_, object)| {
            object.layer == layer && matches!(object.kind, Kind::Brush(_) | Kind::Mesh(_))
        })
        .map(|(id, _)| Pick::Object(id))
        .collect()
}

/// Makes `to` the material of every face and polygon with `from`, in `scope` or the whole map (TEX-10). `to` is added to the
/// list when there is none of its name.
#[must_use]
pub fn replace(from: Option<MaterialId>, to: Material, scope: Option<Selection>) -> Edit {
    Edit::new("Replace material", move |draft, selection| {
        if !counts(draft, scope.as_ref()).contains_key(&from) {
            return Err(EditError::refused("No face there has this material"));
        }
        let to = find_or_add(draft, &to);
        faces::replace_material(from, Some(to), scope.clone()).apply(draft, selection)
    })
}

/// Takes unused materials out of the list and renumbers the references (D18).
#[must_use]
pub fn purge_unused() -> Edit {
    Edit::new("Purge materials", |draft, _| {
        let used = used(draft);
        if draft.material_count()
            == draft
                .materials()
                .filter(|(id, _)| used.contains(id))
                .count()
        {
            return Ok(());
        }
        let kept: Vec<(MaterialId, Material)> = draft
            .materials()
            .filter(|(id, _)| used.contains(id))
            .map(|(id, material)| (id, material.clone()))
            .collect();
        let number: BTreeMap<MaterialId, MaterialId> = kept
            .iter()
            .zip(0..)
            .map(|((old, _), new)| (*old, MaterialId(new)))
            .collect();
        draft.set_materials(kept.into_iter().map(|(_, material)| material).collect());
        let renumbered =
            |material: Option<MaterialId>| material.and_then(|id| number.get(&id).copied());
        change_surfaces(
            draft,
            &|face| face.material = renumbered(face.material),
            &|polygon| polygon.material = renumbered(polygon.material),
        );
        Ok(())
    })
}

/// What a picture that turned up says of the materials that show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundPicture {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// What the material shows and its flags, where the picture has a say in that.
    pub look: Option<(String, SurfaceFlags)>,
}

/// As [`texture_sizes`], and with the looks of pictures that say more than their sizes.
#[must_use]
pub fn pictures_found(found: BTreeMap<MaterialId, FoundPicture>) -> Edit {
    Edit::new("Texture sizes", move |draft, _| {
        for (&id, FoundPicture { look, .. }) in &found {
            let is_guessed = draft
                .material(id)
                .is_some_and(|material| material.flags.has(SurfaceFlags::SIZE_GUESSED));
            if let Some((texture, flags)) = look.as_ref().filter(|_| is_guessed) {
                draft.update_material(id, |material| {
                    material.texture.clone_from(texture);
                    material.flags = *flags;
                });
            }
        }
        let sizes = found.iter().map(|(&id, found)| (id, found.size));
        apply_texture_sizes(draft, &sizes.collect());
        Ok(())
    })
}

/// "Texture sizes" (`hmap.md` 2.5, *Unknown picture size*): for materials whose picture turned up with this size in pixels,
/// tile size, offsets, axes and explicit coordinates are put right so that `u` in pixels stays what the map said.
#[must_use]
pub fn texture_sizes(sizes: BTreeMap<MaterialId, (u32, u32)>) -> Edit {
    Edit::new("Texture sizes", move |draft, _| {
        apply_texture_sizes(draft, &sizes);
        Ok(())
    })
}

/// As [`texture_sizes`], over a draft (importers, before the map is shown).
pub fn apply_texture_sizes(draft: &mut Draft, sizes: &BTreeMap<MaterialId, (u32, u32)>) {
    let mut factors: BTreeMap<MaterialId, Vec2> = BTreeMap::new();
    for (&id, &(width, height)) in sizes {
        let is_guessed = draft
            .material(id)
            .is_some_and(|material| material.flags.has(SurfaceFlags::SIZE_GUESSED));
        if !is_guessed || width == 0 || height == 0 {
            continue;
        }
        let factor = Vec2::new(width as f32, height as f32) / GUESSED_SIZE;
        draft.update_material(id, |material| {
            material.tile_size *= factor;
            material.flags = material.flags.without(SurfaceFlags::SIZE_GUESSED);
        });
        factors.insert(id, factor);
    }
    if factors.is_empty() {
        return;
    }
    let factor_of =
        |material: Option<MaterialId>| material.and_then(|id| factors.get(&id)).copied();
    let face = |face: &mut Face| {
        let Some(factor) = factor_of(face.material) else {
            return;
        };
        face.uv.offset /= factor;
        if let Some(axes) = face.axes.as_ref() {
            let by = factor.as_dvec2().recip();
            let scaled = UvAxes {
                u: axes.u * by.x,
                u_offset: axes.u_offset * by.x,
                v: axes.v * by.y,
                v_offset: axes.v_offset * by.y,
            };
            face.axes = Some(scaled);
        }
    };
    let polygon = |polygon: &mut Polygon| {
        let Some(factor) = factor_of(polygon.material) else {
            return;
        };
        polygon.proj.offset /= factor;
        for uv in &mut polygon.uvs {
            *uv /= factor;
        }
    };
    change_surfaces(draft, &face, &polygon);
}

/// Runs over every face and polygon of the map; objects that come out the same are left alone.
fn change_surfaces(draft: &mut Draft, face: &dyn Fn(&mut Face), polygon: &dyn Fn(&mut Polygon)) {
    let ids: Vec<ObjectId> = draft.objects().map(|(id, _)| id).collect();
    for id in ids {
        let kind = match draft.object(id).map(|object: &Object| &object.kind) {
            Some(Kind::Brush(brush)) => {
                let mut faces = brush.faces().to_vec();
                faces.iter_mut().for_each(face);
                (faces != brush.faces()).then(|| Kind::Brush(brush.with_surfaces(faces)))
            }
            Some(Kind::Mesh(mesh)) => {
                let mut changed = mesh.clone();
                changed.polygons.iter_mut().for_each(polygon);
                (changed != *mesh).then_some(Kind::Mesh(changed))
            }
            _ => None,
        };
        if let Some(kind) = kind {
            draft.update(id, |object| object.kind = kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::document::History;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;
    use crate::document::ops::testing::refuses;

    fn face(history: &History) -> Face {
        history
            .committed()
            .doc
            .object(id(1))
            .and_then(Object::brush)
            .expect("brush")
            .faces()[0]
            .clone()
    }

    #[test]
    fn names_are_unique_and_purging_renumbers() {
        let mut history = map();
        commit(&mut history, &add(Material::new("unused", "")));
        commit(&mut history, &add(Material::new("wood", "wood.png")));
        commit(&mut history, &add(Material::new("wood", "other.png")));
        assert_eq!(history.committed().doc.material_count(), 3);
        refuses(&mut history, &set(MaterialId(1), Material::new("wood", "")));
        commit(
            &mut history,
            &faces::set_material(Selection::from([Pick::Face(id(1), 0)]), Some(MaterialId(2))),
        );
        commit(&mut history, &purge_unused());
        let doc = &history.committed().doc;
        assert_eq!(
            doc.materials()
                .map(|(_, m)| m.name.as_str())
                .collect::<Vec<_>>(),
            ["brick", "wood"]
        );
        assert_eq!(face(&history).material, Some(MaterialId(1)));
        let steps = history.undo_labels().count();
        commit(&mut history, &purge_unused());
        assert_eq!(history.undo_labels().count(), steps);
    }

    #[test]
    fn a_found_picture_keeps_the_pixels_where_they_were() {
        let mut history = map();
        let guessed = Material {
            flags: SurfaceFlags::SIZE_GUESSED,
            ..Material::new("brick", "brick.png")
        };
        commit(&mut history, &set(MaterialId(0), guessed));
        let picks = Selection::from([Pick::Face(id(1), 0)]);
        commit(
            &mut history,
            &faces::set_uv(picks, faces::UvField::OffsetX, faces::Value::Set(0.5)),
        );
        let pixel = |history: &History, width: f64| {
            let tile = history.committed().doc.tile_size(Some(MaterialId(0)));
            face(history).frame(tile).at(DVec3::new(32.0, 5.0, 9.0)).x * width
        };
        let before = pixel(&history, 64.0);
        commit(
            &mut history,
            &texture_sizes(BTreeMap::from([
                (MaterialId(0), (256, 128)),
                (MaterialId(9), (8, 8)),
            ])),
        );
        assert!((pixel(&history, 256.0) - before).abs() < 1e-6);
        assert_eq!(
            history.committed().doc.tile_size(Some(MaterialId(0))),
            Vec2::new(256.0, 128.0)
        );
        let steps = history.undo_labels().count();
        commit(
            &mut history,
            &texture_sizes(BTreeMap::from([(MaterialId(0), (512, 512))])),
        );
        assert_eq!(history.undo_labels().count(), steps, "a known size stays");
    }
}
