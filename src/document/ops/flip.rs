//! Mirroring objects, with textures that stay readable when asked for (FLP-1).

use glam::DVec3;

use crate::document::Draft;
use crate::document::Edit;
use crate::document::Face;
use crate::document::Kind;
use crate::document::ObjectId;
use crate::document::UvLock;
use crate::document::ops::transform;
use crate::document::ops::transform::Orientation;
use crate::geometry::UvAxes;
use crate::geometry::transform::mirrored;

/// Mirrors objects with everything below them in the plane `axis = position`. `keep_lettering`: pictures that are carried along
/// are turned round once more within their faces, so that they read as before.
#[must_use]
pub fn flip(
    ids: Vec<ObjectId>,
    axis: usize,
    position: f64,
    lock: UvLock,
    orientation: Orientation,
    keep_lettering: bool,
) -> Edit {
    let again = move |draft: &mut Draft, ids: &[ObjectId]| {
        let map = mirrored(axis, position);
        transform::apply(draft, ids, &map, lock, &orientation)?;
        if keep_lettering && lock == UvLock::Carried {
            for id in transform::with_children(draft, ids) {
                make_readable(draft, id, axis);
            }
        }
        Ok(ids.to_vec())
    };
    let first = again.clone();
    Edit::new("Flip", move |draft, _| first(draft, &ids).map(drop)).repeatable(again)
}

/// Turns every picture of a brush or mesh round within its face, along the texture axis that lies nearest to `axis`.
fn make_readable(draft: &mut Draft, id: ObjectId, axis: usize) {
    let along = DVec3::AXES[axis];
    match draft.object(id).map(|object| &object.kind) {
        Some(Kind::Brush(brush)) => {
            let faces: Vec<Face> = brush
                .faces()
                .iter()
                .enumerate()
                .map(|(index, face)| {
                    let corners: Vec<DVec3> = brush.hull().face_points(index).collect();
                    let frame = face.frame(draft.tile_size(face.material));
                    Face {
                        axes: turned_round(&frame, &corners, along).or(face.axes),
                        ..face.clone()
                    }
                })
                .collect();
            let brush = brush.with_surfaces(faces);
            draft.update(id, |object| object.kind = Kind::Brush(brush));
        }
        Some(Kind::Mesh(mesh)) => {
            let mut mesh = mesh.clone();
            for polygon in &mut mesh.polygons {
                // Pairs per corner: the picture's middle stays, left and right are exchanged.
                let (low, high) = polygon
                    .uvs
                    .iter()
                    .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), uv| {
                        (low.min(uv.x), high.max(uv.x))
                    });
                for uv in &mut polygon.uvs {
                    uv.x = low + high - uv.x;
                }
            }
            draft.update(id, |object| object.kind = Kind::Mesh(mesh));
        }
        _ => {}
    }
}

/// The frame with one of its axes reversed about the middle of the face; `None` without corners.
fn turned_round(frame: &UvAxes, corners: &[DVec3], along: DVec3) -> Option<UvAxes> {
    let share = |axis: DVec3| axis.dot(along).abs() / axis.length().max(f64::MIN_POSITIVE);
    let reverse_u = share(frame.u) >= share(frame.v) - 1e-9;
    let values = corners.iter().map(|&corner| {
        let at = frame.at(corner);
        if reverse_u { at.x } else { at.y }
    });
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        return None;
    }
    Some(if reverse_u {
        UvAxes {
            u: -frame.u,
            u_offset: low + high - frame.u_offset,
            ..*frame
        }
    } else {
        UvAxes {
            v: -frame.v,
            v_offset: low + high - frame.v_offset,
            ..*frame
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Brush;
    use crate::document::Object;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;

    fn brush(history: &crate::document::History, number: u32) -> Brush {
        history
            .committed()
            .doc
            .object(id(number))
            .and_then(Object::brush)
            .expect("brush")
            .clone()
    }

    #[test]
    fn flp_1_twice_is_nothing_bit_for_bit() {
        for (lock, lettering) in [
            (UvLock::World, false),
            (UvLock::Carried, false),
            (UvLock::Carried, true),
        ] {
            for axis in 0..3 {
                let mut history = map();
                let start = history.committed().doc.clone();
                for _ in 0..2 {
                    let ids = vec![id(1), id(2)];
                    commit(
                        &mut history,
                        &flip(ids, axis, 48.0, lock, Orientation::Turned, lettering),
                    );
                }
                assert!(
                    history.committed().doc.equals(&start),
                    "{lock:?} {lettering} axis {axis}"
                );
            }
        }
    }

    #[test]
    fn flp_1_lettering_stays_readable() {
        for axis in 0..3 {
            let mut history = map();
            let before = brush(&history, 1);
            let turn = |lettering| {
                flip(
                    vec![id(1)],
                    axis,
                    48.0,
                    UvLock::Carried,
                    Orientation::Turned,
                    lettering,
                )
            };
            // A picture is mirrored when its axes and the face's normal change their hand.
            let hand = |brush: &Brush, face: usize| {
                let face = &brush.faces()[face];
                let frame = face.frame(glam::Vec2::splat(64.0));
                frame.u.cross(frame.v).dot(face.plane.normal).signum()
            };
            commit(&mut history, &turn(true));
            let readable = brush(&history, 1);
            history.undo();
            commit(&mut history, &turn(false));
            let mirrored = brush(&history, 1);
            for face in 0..6 {
                assert_eq!(hand(&readable, face), hand(&before, face), "face {face}");
                assert_eq!(hand(&mirrored, face), -hand(&before, face), "face {face}");
            }
            // The part of the picture that is seen stays the same.
            let seen = |brush: &Brush, face: usize| {
                let frame = brush.faces()[face].frame(glam::Vec2::splat(64.0));
                let corners: Vec<glam::DVec2> = brush
                    .hull()
                    .face_points(face)
                    .map(|at| frame.at(at))
                    .collect();
                let low = corners.iter().copied().reduce(glam::DVec2::min);
                let high = corners.iter().copied().reduce(glam::DVec2::max);
                (low, high)
            };
            for face in 0..6 {
                assert_eq!(seen(&readable, face), seen(&before, face), "face {face}");
            }
        }
    }
}
