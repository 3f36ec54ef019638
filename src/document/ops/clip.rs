//! Cutting brushes with a plane (CLP-1 to CLP-3).

use glam::DVec3;

use crate::document::Brush;
use crate::document::Document;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Face;
use crate::document::Kind;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SurfaceFlags;
use crate::document::ops::clip_mesh;
use crate::document::ops::materials;
use crate::document::ops::objects;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// A part thinner than this is none: such a plane lies in a face.
pub const SLIVER: f64 = 0.01;

/// Which parts stay. Front is where the plane's normal points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    #[default]
    Front,
    Back,
    Both,
}

impl Keep {
    /// In the order in which they follow each other.
    pub const ALL: [Self; 3] = [Self::Front, Self::Back, Self::Both];

    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Front => Self::Back,
            Self::Back => Self::Both,
            Self::Both => Self::Front,
        }
    }
}

/// True when the plane (unit) has a real part of these points on either side.
#[must_use]
pub fn crosses(points: &[DVec3], plane: Plane) -> bool {
    let (mut front, mut back) = (0.0_f64, 0.0_f64);
    for &point in points {
        let distance = plane.distance(point);
        front = front.max(distance);
        back = back.min(distance);
    }
    front > SLIVER && back < -SLIVER
}

/// The parts of a brush in front of and behind a plane, each closed by a face of this material; `None` when the plane does
/// not cross it. Faces that a part does not reach are not among its faces.
#[must_use]
pub fn split(brush: &Brush, plane: Plane, material: Option<MaterialId>) -> Option<(Brush, Brush)> {
    let plane = plane.unit()?;
    if brush.fault().is_some() || !crosses(brush.hull().points(), plane) {
        return None;
    }
    let stored = plane.rounded();
    let cut = cap(brush, stored, material);
    let back = part(brush, cut.clone())?;
    let front = part(
        brush,
        Face {
            plane: stored.flipped(),
            ..cut
        },
    )?;
    Some((front, back))
}

/// The brush with one more face, without the faces that are then out of reach; `None` when that is no solid.
#[must_use]
pub(crate) fn part(brush: &Brush, cut: Face) -> Option<Brush> {
    let mut faces = brush.faces().to_vec();
    faces.push(cut);
    trimmed(brush, faces)
}

/// A brush of those of the faces that bound it, with the asked-for corners of `like` that it still has.
#[must_use]
pub(crate) fn trimmed(like: &Brush, faces: Vec<Face>) -> Option<Brush> {
    let whole = Brush::with_exact(like.contents(), faces, like.exact().cloned());
    if whole.fault().is_some() {
        return None;
    }
    let loops = whole.hull().loops();
    if loops.iter().all(|corners| !corners.is_empty()) {
        return Some(whole);
    }
    let used = whole
        .faces()
        .iter()
        .zip(loops)
        .filter(|(_, corners)| !corners.is_empty())
        .map(|(face, _)| face.clone())
        .collect();
    let brush = Brush::with_exact(like.contents(), used, like.exact().cloned());
    brush.fault().is_none().then_some(brush)
}

/// The new face: aligned as the nearest face of the brush with its material, else as the world.
#[must_use]
pub(crate) fn cap(brush: &Brush, plane: Plane, material: Option<MaterialId>) -> Face {
    let hull = brush.hull();
    let Some(unit) = plane.unit() else {
        return Face::new(plane, material);
    };
    let crossings: Vec<DVec3> = hull
        .edges()
        .into_iter()
        .filter_map(|[a, b]| {
            let (a, b) = (hull.points()[a as usize], hull.points()[b as usize]);
            let (from, to) = (unit.distance(a), unit.distance(b));
            (from * to < 0.0).then(|| a.lerp(b, from / (from - to)))
        })
        .collect();
    let middle = polygon::mean(&crossings).unwrap_or(hull.bounds().center());
    let off = |index: usize| {
        let corners: Vec<DVec3> = hull.face_points(index).collect();
        polygon::centroid(&corners).distance_squared(middle)
    };
    let nearest = |material: Option<Option<MaterialId>>| {
        (0..brush.faces().len())
            .filter(|&index| !hull.loops()[index].is_empty())
            .filter(|&index| material.is_none_or(|wanted| brush.faces()[index].material == wanted))
            .min_by(|&a, &b| off(a).total_cmp(&off(b)))
    };
    // Without a current material the brush's own goes on.
    let material = material.or_else(|| brush.faces()[nearest(None)?].material);
    let Some(index) = nearest(Some(material)) else {
        return Face::new(plane, material);
    };
    aligned_as(brush, index, plane, material)
}

/// A face on `plane` with the placement of one of the brush's.
#[must_use]
pub(crate) fn aligned_as(
    brush: &Brush,
    index: usize,
    plane: Plane,
    material: Option<MaterialId>,
) -> Face {
    let source = &brush.faces()[index];
    let mut face = Face::new(plane, material);
    face.uv = source.uv;
    if source.flags.has(SurfaceFlags::FACE_ALIGNED) {
        face.flags = face.flags.with(SurfaceFlags::FACE_ALIGNED);
    }
    if let (Some(axes), Some(from), Some(to)) =
        (source.axes.as_ref(), source.plane.unit(), face.plane.unit())
    {
        let corners: Vec<DVec3> = brush.hull().face_points(index).collect();
        face.axes = Some(axes.wrapped(from, to, longest_edge(&corners)));
    }
    face
}

/// The longest edge of a ring as a vector.
pub(crate) fn longest_edge(corners: &[DVec3]) -> DVec3 {
    (0..corners.len())
        .map(|i| corners[(i + 1) % corners.len()] - corners[i])
        .max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
        .unwrap_or(DVec3::X)
}

/// Cuts brushes and meshes with a plane. What the plane does not cross stays as it is. Both parts of an object keep its
/// place in the tree and its layer; where both stay, the part behind keeps the number.
#[must_use]
pub fn clip(ids: Vec<ObjectId>, plane: Plane, keep: Keep, material: Option<Material>) -> Edit {
    Edit::new("Clip", move |draft, selection| {
        let Some(plane) = plane.unit() else {
            return Ok(());
        };
        let known = material
            .as_ref()
            .and_then(|material| draft.material_named(&material.name));
        let mut parts = parts_of(draft, &ids, plane, known)?;
        if parts.is_empty() {
            return Ok(());
        }
        // A material that no face has had yet enters the list with the first face that gets it.
        if let (Some(material), None) = (&material, known) {
            let added = materials::find_or_add(draft, material);
            parts = parts_of(draft, &ids, plane, Some(added))?;
        }
        if keep == Keep::Both {
            objects::room_for(draft, parts.len())?;
        }
        let mut made = Vec::new();
        for (id, front, back) in parts {
            selection.retain(|pick| matches!(pick, Pick::Object(_)) || pick.object() != id);
            match keep {
                Keep::Front => set_kind(draft, id, front),
                Keep::Back => set_kind(draft, id, back),
                Keep::Both => {
                    set_kind(draft, id, back);
                    made.push((id, front));
                }
            }
        }
        add_behind(draft, selection, made);
        Ok(())
    })
}

/// Both parts of each object that the (unit) plane crosses.
fn parts_of(
    doc: &Document,
    ids: &[ObjectId],
    plane: Plane,
    material: Option<MaterialId>,
) -> Result<Vec<(ObjectId, Kind, Kind)>, EditError> {
    let mut parts = Vec::new();
    for &id in ids {
        match doc.object(id).map(|object| &object.kind) {
            Some(Kind::Brush(brush)) => {
                if let Some((front, back)) = split(brush, plane, material) {
                    parts.push((id, Kind::Brush(front), Kind::Brush(back)));
                }
            }
            Some(Kind::Mesh(mesh)) => {
                let halves = clip_mesh::split(mesh, plane, material)
                    .map_err(|reason| EditError::refused(reason.to_string()))?;
                if let Some((front, back)) = halves {
                    parts.push((id, Kind::Mesh(front), Kind::Mesh(back)));
                }
            }
            Some(Kind::Entity(_) | Kind::Group(_)) | None => {}
        }
    }
    Ok(parts)
}

fn set_kind(draft: &mut Draft, id: ObjectId, kind: Kind) {
    draft.update(id, |object| object.kind = kind);
}

/// Adds parts of objects, each with the place in the tree and the layer of the one it comes from, and picked if that is.
pub(crate) fn add_behind(
    draft: &mut Draft,
    selection: &mut Selection,
    parts: Vec<(ObjectId, Kind)>,
) -> Vec<ObjectId> {
    let carving = !parts.is_empty()
        && draft
            .objects()
            .any(|(_, object)| object.flags.has(ObjectFlags::SUBTRACT));
    let mut made = Vec::with_capacity(parts.len());
    for (id, kind) in parts {
        let Some(object) = draft.object(id).cloned() else {
            continue;
        };
        let order = object.order;
        let new = draft.insert(Object { kind, ..object });
        if carving {
            move_behind(draft, new, id, order);
        }
        if selection.contains(&Pick::Object(id)) {
            selection.insert(Pick::Object(new));
        }
        made.push(new);
    }
    made
}

/// Puts a new object right behind another in document order, so that what carves the one carves the other.
fn move_behind(draft: &mut Draft, new: ObjectId, behind: ObjectId, order: u32) {
    let later: Vec<ObjectId> = draft
        .objects()
        .filter(|&(id, object)| id != new && (object.order, id) > (order, behind))
        .map(|(id, _)| id)
        .collect();
    for id in later {
        draft.update(id, |object| object.order = object.order.saturating_add(1));
    }
    draft.update(new, |object| object.order = order);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::ops::testing::bounds;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::cube_at;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;

    fn oblique() -> Plane {
        Plane::through(DVec3::new(16.0, 16.0, 16.0), DVec3::new(1.0, 2.0, 0.5)).expect("plane")
    }

    #[test]
    fn clp_3_parts_make_up_the_whole() {
        let brush = cube_at(0.0, Some(MaterialId(3)));
        let (front, back) = split(&brush, oblique(), None).expect("crossed");
        let sum = front.hull().volume() + back.hull().volume();
        assert!((sum / brush.hull().volume() - 1.0).abs() < 1e-6);
        assert_eq!(
            front.faces().last().expect("cut").material,
            Some(MaterialId(3))
        );
        // A corner cut off: the part has only the faces it touches.
        let corner = Plane::through(DVec3::splat(28.0), DVec3::ONE).expect("plane");
        let (front, back) = split(&brush, corner, None).expect("crossed");
        assert_eq!((front.faces().len(), back.faces().len()), (4, 7));
    }

    #[test]
    fn clp_3_a_face_s_own_plane_changes_nothing() {
        let mut history = map();
        let before = history.committed().doc.clone();
        for face in cube_at(0.0, None).faces() {
            for plane in [face.plane, face.plane.flipped()] {
                for keep in Keep::ALL {
                    commit(&mut history, &clip(vec![id(1)], plane, keep, None));
                    assert!(history.committed().doc.same(&before));
                }
            }
        }
    }

    #[test]
    fn parts_stay_where_the_brush_was_in_tree_and_order() {
        let mut history = map();
        let carve = crate::document::ops::brushes::toggle_subtractive(vec![id(5)]);
        commit(&mut history, &carve);
        history.select(Selection::from([Pick::Object(id(3))]));
        let plane = Plane::new(DVec3::X, 80.0);
        let brick = Material::new("stone", "stone.png");
        commit(
            &mut history,
            &clip(vec![id(3), id(1)], plane, Keep::Both, Some(brick)),
        );
        let doc = &history.committed().doc;
        let part = doc.object(id(7)).expect("front part");
        assert_eq!(part.parent, Some(id(2)));
        assert!(history.committed().selection.contains(&Pick::Object(id(7))));
        assert_eq!(bounds(&history, 3).max.x, 80.0);
        assert_eq!(bounds(&history, 7).min.x, 80.0);
        assert_eq!(bounds(&history, 1).max.x, 32.0, "not crossed");
        let carving = doc.object(id(5)).expect("carves").order;
        assert!(part.order < carving, "still carved");
        let cut = part.brush().expect("brush").faces().last().expect("cut");
        assert_eq!(cut.material, doc.material_named("stone"));
    }
}
