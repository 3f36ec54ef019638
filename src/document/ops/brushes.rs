//! Making brushes and moving their faces.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::document::Brush;
use crate::document::Contents;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Face;
use crate::document::Kind;
use crate::document::LayerId;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
pub use crate::document::draft::WORLD_LIMIT;
use crate::document::ops;
use crate::document::ops::objects;
use crate::geometry::Aabb;
use crate::geometry::Hull;

/// Adds a box and selects it (BRU-1).
#[must_use]
pub fn draw_box(bounds: Aabb, material: Option<MaterialId>, layer: Option<LayerId>) -> Edit {
    let brush = Brush::cuboid(bounds, material);
    add("Draw box", vec![brush], layer)
}

/// Adds brushes and selects them.
#[must_use]
pub fn add(label: &'static str, brushes: Vec<Brush>, layer: Option<LayerId>) -> Edit {
    Edit::new(label, move |draft, selection| {
        objects::room_for(draft, brushes.len())?;
        let mut made = Selection::new();
        for brush in &brushes {
            if let Some(fault) = brush.fault() {
                return Err(EditError::refused(format!(
                    "No brush can be made here: {fault}"
                )));
            }
            if !ops::extrude::is_within_limit(brush) {
                return Err(EditError::refused("The brush would leave the map's bounds"));
            }
            let object = Object {
                layer: layer.filter(|&layer| draft.layer(layer).is_some()),
                ..Object::new(Kind::Brush(brush.clone()))
            };
            made.insert(Pick::Object(draft.insert(object)));
        }
        *selection = made;
        Ok(())
    })
}

/// The convex hull of points as a solid brush that asks for exactly these corners; `None` without volume.
#[must_use]
pub fn hull_brush(points: &[DVec3], material: Option<MaterialId>) -> Option<Brush> {
    let (planes, hull) = Hull::from_points(points)?;
    let faces = planes
        .into_iter()
        .map(|plane| Face::new(plane, material))
        .collect();
    Some(Brush::as_stored(Contents::SOLID, faces).with_corners(hull.points()))
}

/// Moves the planes of faces along their normals by `distance` units, outwards when positive (EXT-1). Textures stay where
/// they are in the world.
#[must_use]
pub fn extrude(faces: Vec<(ObjectId, u32)>, distance: f64) -> Edit {
    Edit::new("Extrude", move |draft, _| {
        let mut by_brush: BTreeMap<ObjectId, Vec<u32>> = BTreeMap::new();
        for &(id, face) in &faces {
            by_brush.entry(id).or_default().push(face);
        }
        for (id, faces) in by_brush {
            extrude_one(draft, id, &faces, distance)?;
        }
        Ok(())
    })
}

fn extrude_one(
    draft: &mut Draft,
    id: ObjectId,
    moved: &[u32],
    distance: f64,
) -> Result<(), EditError> {
    let Some(brush) = draft.object(id).and_then(Object::brush) else {
        return Ok(());
    };
    if distance == 0.0 {
        return Ok(());
    }
    let moved: Vec<usize> = moved.iter().map(|&face| face as usize).collect();
    let result = ops::extrude::pushed_all(brush, &moved, distance).map_err(EditError::refused)?;
    draft.update(id, |object| object.kind = Kind::Brush(result));
    Ok(())
}

/// What the brushes do: solid, water, clip and so on.
#[must_use]
pub fn set_contents(ids: Vec<ObjectId>, contents: Contents) -> Edit {
    Edit::new("Set contents", move |draft, _| {
        for &id in &ids {
            let Some(brush) = draft
                .object(id)
                .and_then(Object::brush)
                .filter(|brush| brush.contents() != contents)
            else {
                continue;
            };
            let brush = brush.with_contents(contents);
            draft.update(id, |object| object.kind = Kind::Brush(brush));
        }
        Ok(())
    })
}

/// Makes brushes carve, or solid again when all of them carve already (CSG-2).
#[must_use]
pub fn toggle_subtractive(ids: Vec<ObjectId>) -> Edit {
    Edit::new("Toggle subtractive", move |draft, _| {
        let brushes: Vec<ObjectId> = ids
            .iter()
            .copied()
            .filter(|&id| {
                draft
                    .object(id)
                    .is_some_and(|object| object.brush().is_some())
            })
            .collect();
        let carves = |draft: &Draft, id: ObjectId| {
            draft
                .object(id)
                .is_some_and(|object| object.flags.has(ObjectFlags::SUBTRACT))
        };
        let on = !brushes.iter().all(|&id| carves(draft, id));
        for id in brushes {
            if carves(draft, id) == on {
                continue;
            }
            draft.update(id, |object| {
                let contents = if on {
                    Contents::default()
                } else {
                    Contents::SOLID
                };
                object.flags = if on {
                    object.flags.with(ObjectFlags::SUBTRACT)
                } else {
                    object.flags.without(ObjectFlags::SUBTRACT)
                };
                if let Kind::Brush(brush) = &object.kind {
                    object.kind = Kind::Brush(brush.with_contents(contents));
                }
            });
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::SelectionExt as _;
    use crate::document::ops::testing::bounds;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;
    use crate::document::ops::testing::refuses;

    #[test]
    fn a_drawn_box_is_selected() {
        let mut history = map();
        let wanted = Aabb::new(DVec3::ZERO, DVec3::new(64.0, 16.0, 48.0));
        commit(&mut history, &draw_box(wanted, None, None));
        assert_eq!(history.committed().selection.objects(), vec![id(7)]);
        assert_eq!(bounds(&history, 7), wanted);
        refuses(
            &mut history,
            &draw_box(
                Aabb::new(DVec3::ZERO, DVec3::new(64.0, 0.0, 48.0)),
                None,
                None,
            ),
        );
        refuses(
            &mut history,
            &draw_box(Aabb::new(DVec3::ZERO, DVec3::splat(200_000.0)), None, None),
        );
    }

    #[test]
    fn ext_1_push_pull() {
        let mut history = map();
        commit(&mut history, &extrude(vec![(id(1), 0), (id(1), 2)], 16.0));
        assert_eq!(
            bounds(&history, 1),
            Aabb::new(DVec3::ZERO, DVec3::new(48.0, 48.0, 32.0))
        );
        let brush = history
            .committed()
            .doc
            .object(id(1))
            .and_then(Object::brush)
            .expect("brush")
            .clone();
        assert_eq!(brush.faces().len(), 6);
        refuses(&mut history, &extrude(vec![(id(1), 0)], -48.0));
        commit(
            &mut history,
            &extrude(vec![(id(1), 0), (id(1), 9), (id(6), 0)], -47.0),
        );
        assert_eq!(bounds(&history, 1).max.x, 1.0);
    }

    #[test]
    fn a_face_may_not_vanish() {
        let mut history = map();
        // A box with one corner cut off.
        let mut points = Aabb::new(DVec3::ZERO, DVec3::splat(64.0))
            .corners()
            .to_vec();
        points.retain(|&corner| corner != DVec3::splat(64.0));
        points.extend([
            DVec3::new(48.0, 64.0, 64.0),
            DVec3::new(64.0, 48.0, 64.0),
            DVec3::new(64.0, 64.0, 48.0),
        ]);
        let brush = hull_brush(&points, None).expect("volume");
        commit(&mut history, &add("Create hull", vec![brush], None));
        let doc = &history.committed().doc;
        let object = doc.object(id(7)).and_then(Object::brush).expect("brush");
        assert_eq!(
            (object.hull().points().len(), object.faces().len()),
            (10, 7)
        );
        let cut = object
            .faces()
            .iter()
            .position(|face| face.plane.normal.min_element() > 0.5)
            .expect("the cut") as u32;
        refuses(&mut history, &extrude(vec![(id(7), cut)], 10.0));
        commit(&mut history, &extrude(vec![(id(7), cut)], 5.0));
        refuses(&mut history, &extrude(vec![(id(7), cut)], -200.0));
    }

    #[test]
    fn csg_2_carving_is_a_switch() {
        let mut history = map();
        commit(&mut history, &toggle_subtractive(vec![id(1), id(3), id(6)]));
        let carves = |history: &crate::document::History, number| {
            let object = history
                .committed()
                .doc
                .object(id(number))
                .expect("object")
                .clone();
            (
                object.flags.has(ObjectFlags::SUBTRACT),
                object.brush().expect("brush").contents(),
            )
        };
        assert_eq!(carves(&history, 1), (true, Contents::default()));
        commit(&mut history, &toggle_subtractive(vec![id(1), id(3)]));
        assert_eq!(carves(&history, 3), (false, Contents::SOLID));
        commit(&mut history, &set_contents(vec![id(3)], Contents::WATER));
        assert_eq!(carves(&history, 3).1, Contents::WATER);
    }
}
