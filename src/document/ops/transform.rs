//! Moving, turning, scaling, shearing and flipping whole objects (`interactions.md` 4).

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DAffine3;
use glam::DMat3;
use glam::DVec2;
use glam::DVec3;
use glam::Vec2;
use rayon::prelude::*;

use crate::document::Document;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Polygon;
use crate::document::UvLock;
use crate::document::ops::meshes::frames;
use crate::geometry::angles_deg_from_rotation;
use crate::geometry::polygon;
use crate::geometry::transform::Mapping;
use crate::geometry::transform::rotation_part;

/// From so many objects on, mapping them pays for waking the workers.
const PARALLEL_FROM: usize = 64;

/// Which angles entities of a class have (ROT-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Angles {
    All,
    /// Only the one about the vertical.
    Yaw,
    /// They face nowhere.
    None,
}

/// What becomes of the angles of entities that are turned (ROT-3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Orientation {
    Turned,
    Kept,
    /// Turned as far as the class has angles; classes that are not named have all of them.
    ByClass(Arc<BTreeMap<String, Angles>>),
}

impl Orientation {
    fn of(&self, class: &str) -> Angles {
        match self {
            Self::Turned => Angles::All,
            Self::Kept => Angles::None,
            Self::ByClass(classes) => classes.get(class).copied().unwrap_or(Angles::All),
        }
    }
}

/// Moves objects with everything below them.
#[must_use]
pub fn move_by(ids: Vec<ObjectId>, delta: DVec3, lock: UvLock) -> Edit {
    transform(
        "Move",
        ids,
        DAffine3::from_translation(delta),
        lock,
        Orientation::Kept,
    )
}

/// Maps objects with everything below them. Refused for a map that flattens.
#[must_use]
pub fn transform(
    label: &'static str,
    ids: Vec<ObjectId>,
    map: DAffine3,
    lock: UvLock,
    orientation: Orientation,
) -> Edit {
    let again = move |draft: &mut Draft, ids: &[ObjectId]| {
        apply(draft, ids, &map, lock, &orientation)?;
        Ok(ids.to_vec())
    };
    let first = again.clone();
    Edit::new(label, move |draft, _| first(draft, &ids).map(drop)).repeatable(again)
}

/// Maps each object with everything below it by a map of its own.
#[must_use]
pub fn transform_each(
    label: &'static str,
    maps: Vec<(ObjectId, DAffine3)>,
    lock: UvLock,
    orientation: Orientation,
) -> Edit {
    Edit::new(label, move |draft, _| {
        for (id, map) in &maps {
            apply(draft, &[*id], map, lock, &orientation)?;
        }
        Ok(())
    })
}

/// As [`transform`], over a draft.
///
/// # Errors
/// [`EditError::Refused`] when the map flattens space or is not finite.
pub fn apply(
    draft: &mut Draft,
    ids: &[ObjectId],
    map: &DAffine3,
    lock: UvLock,
    orientation: &Orientation,
) -> Result<(), EditError> {
    let det = map.matrix3.determinant();
    if det == 0.0 || !det.is_finite() || !map.translation.is_finite() {
        return Err(EditError::refused(
            "Nothing would be left: the size may not become zero",
        ));
    }
    if *map == DAffine3::IDENTITY {
        return Ok(());
    }
    let all = with_children(draft, ids);
    let doc: &Document = draft;
    let mapping = Mapping::new(*map);
    let mapped_one = |&id: &ObjectId| {
        let object = doc.object(id)?;
        let kind = mapped(doc, &object.kind, &mapping, lock, orientation)?;
        Some((
            id,
            Arc::new(Object {
                kind,
                ..object.clone_without_kind()
            }),
        ))
    };
    let made: Vec<(ObjectId, Arc<Object>)> = if all.len() < PARALLEL_FROM {
        all.iter().filter_map(mapped_one).collect()
    } else {
        all.par_iter().filter_map(mapped_one).collect()
    };
    draft.replace_all(made);
    Ok(())
}

/// The objects with everything below them, each once, by id.
#[must_use]
pub fn with_children(doc: &Document, ids: &[ObjectId]) -> Vec<ObjectId> {
    let mut all = Vec::with_capacity(ids.len());
    for &id in ids {
        match doc.object(id).map(|object| &object.kind) {
            None => {}
            // What cannot hold anything needs no search.
            Some(Kind::Brush(_) | Kind::Mesh(_)) => all.push(id),
            Some(_) => all.extend(doc.subtree(id)),
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn mapped(
    doc: &Document,
    kind: &Kind,
    mapping: &Mapping,
    lock: UvLock,
    orientation: &Orientation,
) -> Option<Kind> {
    let tile = |material: Option<MaterialId>| doc.tile_size(material);
    let map = &mapping.map;
    match kind {
        Kind::Brush(brush) => Some(Kind::Brush(brush.mapped(mapping, lock, &tile))),
        Kind::Mesh(mesh) => Some(Kind::Mesh(mapped_mesh(mesh, map, lock, &tile))),
        Kind::Entity(entity) => Some(Kind::Entity(mapped_entity(entity, map, orientation))),
        Kind::Group(_) => None,
    }
}

fn mapped_entity(entity: &Entity, map: &DAffine3, orientation: &Orientation) -> Entity {
    let mut mapped = Entity {
        origin: map.transform_point3(entity.origin),
        ..entity.clone()
    };
    let angles = if map.matrix3 == DMat3::IDENTITY {
        Angles::None
    } else {
        orientation.of(&entity.class)
    };
    if angles == Angles::None {
        return mapped;
    }
    let turned = rotation_part(map.matrix3 * DMat3::from_quat(entity.rotation()));
    // A scaling does not turn: then the angles stay as they were written.
    if turned.angle_between(entity.rotation()) > 1e-7 {
        let new = angles_deg_from_rotation(turned);
        if angles == Angles::All {
            mapped.angles_deg = new;
        } else {
            mapped.angles_deg.y = new.y;
        }
    }
    mapped
}

fn mapped_mesh(
    mesh: &Mesh,
    map: &DAffine3,
    lock: UvLock,
    tile: &dyn Fn(Option<MaterialId>) -> Vec2,
) -> Mesh {
    let points: Vec<DVec3> = mesh
        .points
        .iter()
        .map(|&point| map.transform_point3(point))
        .collect();
    let is_mirror = map.matrix3.determinant() < 0.0;
    let polygons = mesh
        .polygons
        .iter()
        .map(|old| {
            let mut new = old.clone();
            match (lock, old.uvs.is_empty()) {
                (UvLock::Carried, true) => {
                    carry_projection(mesh, old, &points, is_mirror, tile(old.material), &mut new);
                }
                (UvLock::World, false) => stay_in_world(mesh, old, &points, &mut new),
                // Corners take their coordinates along; a projection is the world's.
                _ => {}
            }
            if is_mirror {
                new.corners.reverse();
                new.uvs.reverse();
            }
            new
        })
        .collect();
    Mesh {
        name: mesh.name.clone(),
        points,
        polygons,
    }
}

/// Coordinates of corners become those that the polygon's frame has where they are now. What a corner is off the frame stays
/// its own.
fn stay_in_world(mesh: &Mesh, old: &Polygon, points: &[DVec3], new: &mut Polygon) {
    let Some(frame) = frames::own_frame(mesh, old).filter(|_| mesh.is_sound(old)) else {
        return;
    };
    let to: Vec<DVec3> = old
        .corners
        .iter()
        .map(|&index| points[index as usize])
        .collect();
    let Some(plane) = polygon::plane(&to) else {
        return;
    };
    if frame.tangents(plane.normal).is_none() {
        // Seen edge-on it is no frame: the polygon keeps what it has.
        return;
    }
    for ((uv, corner), to) in new.uvs.iter_mut().zip(&old.corners).zip(to) {
        let from = mesh.points[*corner as usize];
        *uv = (uv.as_dvec2() + (frame.at(to) - frame.at(from))).as_vec2();
    }
}

/// Projected coordinates go along as a projection where the five numbers can say it, else as one pair per corner.
fn carry_projection(
    mesh: &Mesh,
    old: &Polygon,
    points: &[DVec3],
    is_mirror: bool,
    tile_size: Vec2,
    new: &mut Polygon,
) {
    if !mesh.is_sound(old) {
        return;
    }
    let at = |points: &[DVec3]| -> Vec<DVec3> {
        old.corners
            .iter()
            .map(|&index| points[index as usize])
            .collect()
    };
    let (from, mut to) = (at(&mesh.points), at(points));
    let Some(normal) = polygon::normal(&from) else {
        return;
    };
    let frame = old.proj.frame(normal, false, tile_size);
    let wanted: Vec<DVec2> = from.iter().map(|&corner| frame.at(corner)).collect();
    if is_mirror {
        to.reverse();
    }
    let plane = polygon::plane(&to);
    if is_mirror {
        to.reverse();
    }
    let held = plane.and_then(|plane| {
        // Three corners that span the polygon best tell the frame.
        let third = frames::widest(&from)?;
        let frame = frame.held([from[0], from[1], from[third]], [to[0], to[1], to[third]])?;
        let fit = frame.fit(plane, false, tile_size, tile_size, &to);
        (fit.exact && !fit.aligned).then_some(fit.uv)
    });
    match held {
        Some(uv) => new.proj = uv,
        None => new.uvs = wanted.iter().map(|uv| uv.as_vec2()).collect(),
    }
}

impl Object {
    /// Everything but the kind, which the caller gives: a large brush is not copied to be thrown away.
    fn clone_without_kind(&self) -> Self {
        Self {
            parent: self.parent,
            layer: self.layer,
            visgroups: Arc::clone(&self.visgroups),
            order: self.order,
            flags: self.flags,
            kind: Kind::Group(crate::document::Group::new(String::new())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::ops::testing::bounds;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;
    use crate::document::ops::testing::refuses;
    use crate::geometry::Aabb;
    use crate::geometry::quarter_turns;
    use crate::geometry::transform::about;
    use crate::geometry::transform::mirrored;

    #[test]
    fn a_group_takes_its_members_along() {
        let mut history = map();
        commit(
            &mut history,
            &move_by(vec![id(2), id(5)], DVec3::X * 16.0, UvLock::Carried),
        );
        assert_eq!(bounds(&history, 3).min.x, 80.0);
        assert_eq!(bounds(&history, 5).min.x, 144.0, "each only once");
        assert_eq!(bounds(&history, 4).min.x, 144.0);
        assert_eq!(bounds(&history, 1).min.x, 0.0);
    }

    #[test]
    fn mov_1_there_and_back_is_exact() {
        let mut history = map();
        let start = history.committed().doc.clone();
        for delta in [16.0, -16.0] {
            commit(
                &mut history,
                &move_by(vec![id(1)], DVec3::X * delta, UvLock::World),
            );
        }
        assert!(history.committed().doc.equals(&start));
        let steps = history.undo_labels().count();
        commit(
            &mut history,
            &move_by(vec![id(1)], DVec3::ZERO, UvLock::World),
        );
        assert_eq!(history.undo_labels().count(), steps, "no move is no step");
    }

    #[test]
    fn rot_1_four_quarter_turns_are_nothing() {
        let mut history = map();
        let start = history.committed().doc.clone();
        for _ in 0..4 {
            let turn = about(DVec3::new(16.0, 16.0, 16.0), quarter_turns(1, 1));
            commit(
                &mut history,
                &transform(
                    "Rotate",
                    vec![id(1), id(6)],
                    turn,
                    UvLock::World,
                    Orientation::Turned,
                ),
            );
        }
        let (now, then) = (&history.committed().doc, &start);
        assert_eq!(now.object(id(1)), then.object(id(1)));
        assert_eq!(
            now.entity(id(6)).expect("light").origin,
            then.entity(id(6)).expect("light").origin
        );
    }

    #[test]
    fn entities_turn_and_mirrors_keep_brushes_sound() {
        let mut history = map();
        let turn = about(DVec3::ZERO, quarter_turns(1, 1));
        commit(
            &mut history,
            &transform(
                "Rotate",
                vec![id(6)],
                turn,
                UvLock::World,
                Orientation::Turned,
            ),
        );
        assert_eq!(
            history
                .committed()
                .doc
                .entity(id(6))
                .expect("light")
                .angles_deg,
            DVec3::new(0.0, 90.0, 0.0)
        );
        commit(
            &mut history,
            &transform(
                "Flip",
                vec![id(1)],
                mirrored(0, 0.0),
                UvLock::Carried,
                Orientation::Turned,
            ),
        );
        assert_eq!(
            bounds(&history, 1),
            Aabb::new(DVec3::new(-32.0, 0.0, 0.0), DVec3::new(0.0, 32.0, 32.0))
        );
        refuses(
            &mut history,
            &transform(
                "Scale",
                vec![id(1)],
                DAffine3::from_scale(DVec3::new(0.0, 1.0, 1.0)),
                UvLock::World,
                Orientation::Kept,
            ),
        );
    }

    #[test]
    fn lock_3_the_texture_goes_along() {
        let mut history = map();
        let shear = DAffine3::from_mat3(DMat3::from_cols(
            DVec3::X,
            DVec3::new(0.5, 1.0, 0.25),
            DVec3::Z,
        ));
        let before = history.committed().doc.clone();
        for map in [
            shear,
            about(DVec3::splat(7.0), DMat3::from_rotation_y(0.3)),
            mirrored(2, 5.0),
        ] {
            commit(
                &mut history,
                &transform(
                    "Shear",
                    vec![id(1)],
                    map,
                    UvLock::Carried,
                    Orientation::Kept,
                ),
            );
        }
        let all = mirrored(2, 5.0) * about(DVec3::splat(7.0), DMat3::from_rotation_y(0.3)) * shear;
        let brush = |doc: &Document| {
            doc.object(id(1))
                .and_then(Object::brush)
                .expect("brush")
                .clone()
        };
        let (old, new) = (brush(&before), brush(&history.committed().doc));
        for (index, (a, b)) in old.faces().iter().zip(new.faces()).enumerate() {
            let tile = Vec2::splat(64.0);
            for corner in old.hull().face_points(index) {
                let off = a
                    .frame(tile)
                    .at(corner)
                    .distance(b.frame(tile).at(all.transform_point3(corner)));
                assert!(off < 0.01 / 64.0, "face {index} is off by {off}");
            }
        }
    }

    fn one_brush(at: DVec3) -> (crate::document::History, ObjectId) {
        let mut draft = Document::default().edit();
        let bounds = Aabb::new(at, at + DVec3::new(128.0, 96.0, 64.0));
        let id = draft.insert(Object::new(Kind::Brush(crate::document::Brush::cuboid(
            bounds, None,
        ))));
        (
            crate::document::History::new(draft.finish().expect("sound")),
            id,
        )
    }

    /// Largest distance of corners, and of texture coordinates there in pixels, between two states of a brush.
    fn drift(history: &crate::document::History, id: ObjectId, start: &Document) -> (f64, f64) {
        let brush = |doc: &Document| {
            doc.object(id)
                .and_then(Object::brush)
                .expect("brush")
                .clone()
        };
        let (old, new) = (brush(start), brush(&history.committed().doc));
        let tile = Vec2::splat(64.0);
        let (mut corners, mut pixels): (f64, f64) = (0.0, 0.0);
        for (index, (a, b)) in old.faces().iter().zip(new.faces()).enumerate() {
            for corner in old.hull().face_points(index) {
                let near = new
                    .hull()
                    .points()
                    .iter()
                    .map(|p| p.distance(corner))
                    .fold(f64::INFINITY, f64::min);
                corners = corners.max(near);
                pixels =
                    pixels.max(a.frame(tile).at(corner).distance(b.frame(tile).at(corner)) * 64.0);
            }
        }
        (corners, pixels)
    }

    #[test]
    fn rot_2_a_whole_turn_in_24_steps() {
        let (mut history, id) = one_brush(DVec3::new(4000.0, 4000.0, -4096.0));
        let start = history.committed().doc.clone();
        let pivot = DVec3::new(4064.0, 4048.0, -4064.0);
        for _ in 0..24 {
            let turn = about(
                pivot,
                crate::geometry::transform::rotation_about_axis_deg(1, 15.0),
            );
            history
                .commit(&transform(
                    "Rotate",
                    vec![id],
                    turn,
                    UvLock::Carried,
                    Orientation::Turned,
                ))
                .expect("a turn");
        }
        let (corners, pixels) = drift(&history, id, &start);
        assert!(corners < 0.005, "corners are off by {corners}");
        assert!(pixels < 0.05, "textures are off by {pixels}");
    }

    #[test]
    fn lock_3_a_thousand_rigid_transforms_and_back() {
        let (mut history, id) = one_brush(DVec3::new(1000.0, -500.0, 2000.0));
        let start = history.committed().doc.clone();
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 40) as f64 / f64::from(1 << 24) * 2.0 - 1.0
        };
        let mut maps: Vec<DAffine3> = Vec::new();
        for _ in 0..1000 {
            let axis = DVec3::new(random(), random(), random()).normalize_or(DVec3::Y);
            let center = history.committed().doc.bounds().center();
            let to = DVec3::new(random(), random(), random()) * 3800.0;
            let turn = about(center, DMat3::from_axis_angle(axis, random() * 3.0));
            maps.push(DAffine3::from_translation(to - center) * turn);
            let map = *maps.last().expect("just pushed");
            history
                .commit(&transform(
                    "Rotate",
                    vec![id],
                    map,
                    UvLock::Carried,
                    Orientation::Turned,
                ))
                .expect("a turn");
        }
        for map in maps.iter().rev() {
            history
                .commit(&transform(
                    "Rotate",
                    vec![id],
                    map.inverse(),
                    UvLock::Carried,
                    Orientation::Turned,
                ))
                .expect("a turn");
        }
        let (corners, pixels) = drift(&history, id, &start);
        assert!(corners < 0.02, "corners are off by {corners}");
        assert!(pixels < 0.05, "textures are off by {pixels} pixels");
    }

    #[test]
    fn meshes_keep_their_coordinates() {
        let mut draft = Document::default().edit();
        let mesh = Mesh {
            name: "m".to_owned(),
            points: vec![
                DVec3::ZERO,
                DVec3::X * 64.0,
                DVec3::new(64.0, 64.0, 0.0),
                DVec3::Y * 64.0,
            ],
            polygons: vec![Polygon {
                material: None,
                smooth: 0,
                proj: Default::default(),
                corners: vec![0, 1, 2, 3],
                uvs: vec![],
            }],
        };
        let id = draft.insert(Object::new(Kind::Mesh(mesh)));
        let mut history = crate::document::History::new(draft.finish().expect("sound"));
        let mesh = |history: &crate::document::History| {
            history
                .committed()
                .doc
                .object(id)
                .and_then(Object::mesh)
                .expect("mesh")
                .clone()
        };
        commit(
            &mut history,
            &move_by(vec![id], DVec3::new(10.0, 0.0, 3.0), UvLock::Carried),
        );
        let moved = mesh(&history);
        assert!(
            moved.polygons[0].uvs.is_empty(),
            "a move stays a projection"
        );
        assert_eq!(moved.polygons[0].proj.offset, Vec2::new(-10.0 / 64.0, 0.0));
        commit(
            &mut history,
            &transform(
                "Shear",
                vec![id],
                DAffine3::from_mat3(DMat3::from_cols(
                    DVec3::X,
                    DVec3::new(0.5, 1.0, 0.0),
                    DVec3::Z,
                )),
                UvLock::Carried,
                Orientation::Kept,
            ),
        );
        let sheared = mesh(&history);
        assert_eq!(
            sheared.polygons[0].uvs,
            vec![Vec2::ZERO, Vec2::X, Vec2::new(1.0, -1.0), Vec2::NEG_Y]
        );
        commit(
            &mut history,
            &transform(
                "Flip",
                vec![id],
                mirrored(0, 0.0),
                UvLock::Carried,
                Orientation::Kept,
            ),
        );
        let flipped = mesh(&history);
        assert_eq!(flipped.polygons[0].corners, vec![3, 2, 1, 0]);
        assert_eq!(flipped.polygons[0].uvs[3], Vec2::ZERO);
    }
}
