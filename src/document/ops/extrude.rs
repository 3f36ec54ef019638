//! New brushes from faces, and faces that slide: split, stamp, slide (EXT-2 to EXT-4).

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::DVec3;

use crate::document::Brush;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Face;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::ops::brushes::WORLD_LIMIT;
use crate::document::ops::clip::add_behind;
use crate::document::ops::clip::longest_edge;
use crate::document::ops::clip::part;
use crate::document::ops::components::Reshaper;
use crate::document::ops::components::Tiles;
use crate::document::ops::objects;
use crate::geometry::Plane;

const VANISHES: &str = "A face would vanish";
const NO_VOLUME: &str = "The new brush would have no volume";
const OUTSIDE: &str = "The brush would leave the map's bounds";

/// New brushes thinner than this are none.
const THINNEST: f64 = 0.01;

/// The brush with one face moved along its normal, outwards when positive (EXT-1). Textures stay in the world.
///
/// # Errors
/// Why not: a face would vanish, or the brush would leave the map.
pub fn pushed(brush: &Brush, face: usize, distance: f64) -> Result<Brush, &'static str> {
    pushed_all(brush, &[face], distance)
}

/// As [`pushed`], for several faces at once.
///
/// # Errors
/// As there.
pub fn pushed_all(brush: &Brush, moved: &[usize], distance: f64) -> Result<Brush, &'static str> {
    let mut faces = brush.faces().to_vec();
    for &face in moved {
        if let Some(face) = faces.get_mut(face) {
            face.plane.dist += distance * face.plane.normal.length();
        }
    }
    let result = Brush::with_exact(brush.contents(), faces, brush.exact().cloned());
    if result.fault().is_some() {
        return Err("Nothing would be left of the brush");
    }
    let vanishes = brush
        .hull()
        .loops()
        .iter()
        .zip(result.hull().loops())
        .any(|(old, new)| !old.is_empty() && new.is_empty());
    if vanishes {
        return Err(VANISHES);
    }
    if !is_within_limit(&result) && is_within_limit(brush) {
        return Err(OUTSIDE);
    }
    Ok(result)
}

/// What a split leaves of a brush, and the new one; which holds the face that was dragged.
#[derive(Clone, Debug)]
pub struct Split {
    /// `None` = it stays as it is.
    pub old: Option<Brush>,
    pub new: Brush,
}

/// Outwards a new brush fills the way of the face, inwards the brush is cut in two where the face ends (EXT-2).
///
/// # Errors
/// Why it cannot be.
pub fn split(brush: &Brush, face: usize, distance: f64) -> Result<Split, &'static str> {
    let side = brush.faces().get(face).ok_or(NO_VOLUME)?;
    let unit = side.plane.unit().ok_or(NO_VOLUME)?;
    if distance.abs() < THINNEST {
        return Err(NO_VOLUME);
    }
    // The planes on both sides of the cut must agree when they are rounded.
    let moved = Plane::new(unit.normal, unit.dist + distance).rounded();
    if distance > 0.0 {
        let grown = pushed(brush, face, distance)?;
        let base = Face {
            plane: side.plane.flipped(),
            ..side.clone()
        };
        let new = part(&grown, base).ok_or(NO_VOLUME)?;
        return Ok(Split { old: None, new });
    }
    let cut = |plane: Plane| Face {
        plane,
        ..side.clone()
    };
    let old = part(brush, cut(moved)).ok_or("Nothing would be left of the brush")?;
    let new = part(brush, cut(moved.flipped())).ok_or(NO_VOLUME)?;
    Ok(Split {
        old: Some(old),
        new,
    })
}

/// The hull of a face and its copy moved along the normal, with the materials of the faces around (EXT-4).
///
/// # Errors
/// Why it cannot be.
pub fn stamped(
    brush: &Brush,
    face: usize,
    distance: f64,
    tile: Tiles<'_>,
) -> Result<Brush, &'static str> {
    let side = brush.faces().get(face).ok_or(NO_VOLUME)?;
    let unit = side.plane.unit().ok_or(NO_VOLUME)?;
    if distance.abs() < THINNEST {
        return Err(NO_VOLUME);
    }
    let corners: Vec<DVec3> = brush.hull().face_points(face).collect();
    let far = Plane::new(unit.normal, unit.dist + distance);
    let (top, bottom) = if distance > 0.0 {
        (far, unit.flipped())
    } else {
        (unit, far.flipped())
    };
    let cap = |plane: Plane| Face {
        plane,
        ..side.clone()
    };
    let mut faces = vec![cap(top), cap(bottom)];
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        if let Some(plane) = Plane::through(a, (b - a).cross(unit.normal)) {
            faces.push(continued(brush, face, i, plane, tile));
        }
    }
    let asked: Vec<DVec3> = corners
        .iter()
        .flat_map(|&corner| [corner, corner + unit.normal * distance])
        .collect();
    let new = Brush::as_stored(brush.contents(), faces).with_corners(&asked);
    if new.fault().is_some() {
        return Err(NO_VOLUME);
    }
    if !is_within_limit(&new) {
        return Err(OUTSIDE);
    }
    Ok(new)
}

/// A face on `plane` that goes on from the neighbour of `face` across its edge number `edge`: the same material, the
/// texture without a seam.
#[must_use]
pub fn continued(brush: &Brush, face: usize, edge: usize, plane: Plane, tile: Tiles<'_>) -> Face {
    let index = neighbour(brush, face, edge).unwrap_or(face);
    let source = &brush.faces()[index];
    let same_plane = source.plane.unit().zip(plane.unit()).filter(|(from, to)| {
        from.normal.distance(to.normal) < 1e-9 && (from.dist - to.dist).abs() < 1e-6
    });
    if same_plane.is_some() {
        return source.clone();
    }
    let mut made = Face {
        plane,
        ..source.clone()
    };
    if let (Some(from), Some(to)) = (source.plane.unit(), plane.unit()) {
        let corners: Vec<DVec3> = brush.hull().face_points(index).collect();
        let frame = source.frame(tile(source.material));
        made.axes = Some(frame.wrapped(from, to, longest_edge(&corners)));
    }
    made
}

/// The face on the other side of an edge of a face.
#[must_use]
pub fn neighbour(brush: &Brush, face: usize, edge: usize) -> Option<usize> {
    let loops = brush.hull().loops();
    let ring = loops.get(face)?;
    let (a, b) = (*ring.get(edge)?, ring[(edge + 1) % ring.len()]);
    loops.iter().position(|other| {
        (0..other.len()).any(|i| other[i] == b && other[(i + 1) % other.len()] == a)
    })
}

/// True when a face that is moved so far would no longer be in front of the corners that stay: the hull would be a brush,
/// but inside out.
#[must_use]
pub fn slides_through(brush: &Brush, face: usize, delta: DVec3) -> bool {
    let Some(plane) = brush.faces().get(face).and_then(|side| side.plane.unit()) else {
        return true;
    };
    let ring = brush
        .hull()
        .loops()
        .get(face)
        .map_or(&[][..], Vec::as_slice);
    let moved = delta.dot(plane.normal);
    (0..)
        .zip(brush.hull().points())
        .filter(|(corner, _)| !ring.contains(corner))
        .any(|(_, &point)| plane.distance(point) > moved - THINNEST)
}

/// The brush with the corners of a face moved, by the rules of vertex drags (EXT-3).
///
/// # Errors
/// The rule that stops it.
pub fn slid(
    brush: &Brush,
    face: usize,
    delta: DVec3,
    hold: bool,
    tile: Tiles<'_>,
) -> Result<Brush, String> {
    if slides_through(brush, face, delta) {
        return Err("The face would pass through the brush".to_owned());
    }
    let ring = brush.hull().loops().get(face).cloned().unwrap_or_default();
    let moving: BTreeSet<u32> = ring.into_iter().collect();
    let to: BTreeMap<u32, DVec3> = moving
        .iter()
        .map(|&corner| (corner, brush.hull().points()[corner as usize] + delta))
        .collect();
    Reshaper::new(brush.clone(), moving)
        .moved(&to, hold, tile)
        .map(|moved| moved.brush)
        .map_err(|stop| stop.to_string())
}

/// EXT-2 as a step. New brushes take the place in the tree of those they come from.
#[must_use]
pub fn split_faces(faces: Vec<(ObjectId, u32)>, distance: f64) -> Edit {
    Edit::new("Extrude split", move |draft, selection| {
        if distance == 0.0 {
            return Ok(());
        }
        objects::room_for(draft, faces.len())?;
        for &(id, face) in &faces {
            let Some(brush) = draft.object(id).and_then(Object::brush) else {
                continue;
            };
            let made = split(brush, face as usize, distance).map_err(EditError::refused)?;
            let inwards = made.old.is_some();
            let outer = outer_face(&made.new, face, draft.object(id));
            if let Some(old) = made.old {
                draft.update(id, |object| object.kind = Kind::Brush(old));
            }
            add_new(draft, selection, (id, face), made.new, outer, inwards);
        }
        Ok(())
    })
}

/// The outer face of a new brush: the one whose normal is that of the dragged face.
fn outer_face(new: &Brush, face: u32, old: Option<&Object>) -> Option<u32> {
    let normal = old?
        .brush()?
        .faces()
        .get(face as usize)?
        .plane
        .normal
        .normalize_or_zero();
    facing(new, normal)
}

pub(super) fn facing(brush: &Brush, normal: DVec3) -> Option<u32> {
    (0..brush.faces().len())
        .max_by(|&a, &b| {
            let along = |index: usize| {
                brush.faces()[index]
                    .plane
                    .normal
                    .normalize_or_zero()
                    .dot(normal)
            };
            along(a).total_cmp(&along(b))
        })
        .map(|index| index as u32)
}

/// Adds the brush and moves what was picked onto it, so that the next drag goes on from there.
fn add_new(
    draft: &mut Draft,
    selection: &mut Selection,
    (id, face): (ObjectId, u32),
    new: Brush,
    outer: Option<u32>,
    keep_old: bool,
) {
    let made = add_behind(draft, selection, vec![(id, Kind::Brush(new))]);
    let Some(&made) = made.first() else { return };
    if !keep_old && selection.contains(&Pick::Object(made)) {
        selection.remove(&Pick::Object(id));
    }
    if selection.remove(&Pick::Face(id, face))
        && let Some(outer) = outer
    {
        selection.insert(Pick::Face(made, outer));
    }
    if keep_old {
        // Its faces have other numbers now.
        selection.retain(|pick| matches!(pick, Pick::Object(_)) || pick.object() != id);
    }
}

/// EXT-4 as a step.
#[must_use]
pub fn stamp_faces(faces: Vec<(ObjectId, u32)>, distance: f64) -> Edit {
    Edit::new("Stamp", move |draft, selection| {
        if distance == 0.0 {
            return Ok(());
        }
        objects::room_for(draft, faces.len())?;
        for &(id, face) in &faces {
            let Some(brush) = draft.object(id).and_then(Object::brush) else {
                continue;
            };
            let normal = brush
                .faces()
                .get(face as usize)
                .map_or(DVec3::ZERO, |side| side.plane.normal.normalize_or_zero());
            let new = stamped(brush, face as usize, distance, &|material| {
                draft.tile_size(material)
            })
            .map_err(EditError::refused)?;
            let outer = facing(&new, normal * distance.signum());
            add_new(draft, selection, (id, face), new, outer, false);
        }
        Ok(())
    })
}

/// EXT-3 as a step. `hold`: textures keep their place at the corners (LOCK-2).
#[must_use]
pub fn slide_faces(faces: Vec<(ObjectId, u32)>, delta: DVec3, hold: bool) -> Edit {
    Edit::new("Slide face", move |draft, selection| {
        if delta == DVec3::ZERO {
            return Ok(());
        }
        for &(id, face) in &faces {
            let Some(brush) = draft.object(id).and_then(Object::brush) else {
                continue;
            };
            let normal = brush
                .faces()
                .get(face as usize)
                .map_or(DVec3::ZERO, |side| side.plane.normal.normalize_or_zero());
            let new = slid(brush, face as usize, delta, hold, &|material| {
                draft.tile_size(material)
            })
            .map_err(EditError::refused)?;
            if selection.remove(&Pick::Face(id, face))
                && let Some(index) = facing(&new, normal)
            {
                selection.insert(Pick::Face(id, index));
            }
            draft.update(id, |object| object.kind = Kind::Brush(new));
        }
        Ok(())
    })
}

pub(super) fn is_within_limit(brush: &Brush) -> bool {
    let bounds = brush.hull().bounds();
    bounds.min.abs().max(bounds.max.abs()).max_element() <= WORLD_LIMIT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::MaterialId;
    use crate::document::ops::brushes::hull_brush;
    use crate::document::ops::testing::bounds;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;
    use crate::document::ops::testing::refuses;

    /// A frustum: 64 wide at the bottom, 32 at the top (y = 32).
    fn taper() -> Brush {
        let mut points = Vec::new();
        for (half, y) in [(32.0, 0.0), (16.0, 32.0)] {
            for (x, z) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                points.push(DVec3::new(x * half, y, z * half));
            }
        }
        hull_brush(&points, Some(MaterialId(0))).expect("volume")
    }

    fn top(brush: &Brush) -> usize {
        facing(brush, DVec3::Y).expect("top") as usize
    }

    #[test]
    fn ext_2_split_parts_fill_the_same_space() {
        let brush = taper();
        let face = top(&brush);
        let out = split(&brush, face, 16.0).expect("outwards");
        assert!(out.old.is_none());
        let size = out.new.hull().bounds();
        assert_eq!((size.min.y, size.max.y), (32.0, 48.0));
        assert!(
            (size.size().x - 32.0).abs() < 1e-6,
            "goes on with the taper"
        );
        let cut = split(&brush, face, -16.0).expect("inwards");
        let old = cut.old.expect("cut");
        let sum = old.hull().volume() + cut.new.hull().volume();
        assert!((sum / brush.hull().volume() - 1.0).abs() < 1e-6);
        assert!(split(&brush, face, -32.0).is_err(), "nothing left");
        assert!(split(&brush, face, 32.0).is_err(), "the tip");
    }

    #[test]
    fn ext_4_stamp_has_straight_sides() {
        let brush = taper();
        let face = top(&brush);
        let tile = |_: Option<MaterialId>| glam::Vec2::splat(64.0);
        for distance in [16.0, -16.0] {
            let new = stamped(&brush, face, distance, &tile).expect("volume");
            assert!((new.hull().volume() - 32.0 * 32.0 * 16.0).abs() < 1e-6);
            assert_eq!(new.faces().len(), 6);
            assert!(
                new.faces()
                    .iter()
                    .all(|face| face.material == Some(MaterialId(0)))
            );
        }
    }

    #[test]
    fn steps_pick_what_they_made() {
        let mut history = map();
        let right = vec![(id(1), 0)];
        history.select(Selection::from([Pick::Face(id(1), 0)]));
        commit(&mut history, &split_faces(right.clone(), 16.0));
        assert_eq!(bounds(&history, 7).min.x, 32.0);
        let picked = history.committed().selection.iter().next().copied();
        let Some(Pick::Face(made, outer)) = picked else {
            panic!("{picked:?}")
        };
        assert_eq!(made, id(7));
        commit(&mut history, &split_faces(vec![(made, outer)], -8.0));
        assert_eq!(bounds(&history, 7).max.x, 40.0);
        assert_eq!(bounds(&history, 8).max.x, 48.0);
        commit(
            &mut history,
            &slide_faces(right.clone(), DVec3::new(8.0, 4.0, 0.0), true),
        );
        assert_eq!(bounds(&history, 1).max, DVec3::new(40.0, 36.0, 32.0));
        refuses(
            &mut history,
            &slide_faces(right, DVec3::new(-48.0, 0.0, 0.0), true),
        );
    }
}
