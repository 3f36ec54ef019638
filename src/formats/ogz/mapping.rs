//! Where a picture lies on a face: by the axis of the face's number, never by its slope (`ogz.md` 10.2 and 10.3).

use glam::DVec3;
use glam::Vec2;

use crate::formats::ogz::slots::Resolved;
use crate::geometry::Fit;
use crate::geometry::Plane;
use crate::geometry::UvAxes;

/// Texels of a picture on one unit at scale 1.
pub const TEXELS_PER_UNIT: f64 = 8.0;

/// For each rotation: mirrored along u, along v, and u with v exchanged.
pub const ROTATIONS: [(bool, bool, bool); 8] = [
    (false, false, false),
    (false, true, true),
    (true, true, false),
    (true, false, true),
    (true, false, false),
    (false, true, false),
    (false, false, true),
    (true, true, true),
];

/// The file's axes (Z up) to a map's (Y up), one unit to one. The game's world is left-handed: who looks along its +Y has -X on the
/// right. So two axes change places and none is turned round; corners that run round a face one way in the file run the other way
/// in a map.
#[must_use]
pub fn to_map(point: DVec3) -> DVec3 {
    DVec3::new(point.x, point.z, point.y)
}

/// The way back.
#[must_use]
pub fn to_file(point: DVec3) -> DVec3 {
    DVec3::new(point.x, point.z, point.y)
}

/// Yaw of a map's entity for one of the game, and the other way round. There 0 looks along +Y and 90 along -X, here along -Z and -X.
#[must_use]
pub fn turned_yaw_deg(yaw_deg: f64) -> f64 {
    180.0 - yaw_deg
}

/// Units of a map that one repeat covers at scale 1.
#[must_use]
pub fn tile_size(slot: &Resolved) -> Vec2 {
    pixels(slot) / TEXELS_PER_UNIT as f32
}

fn pixels(slot: &Resolved) -> Vec2 {
    Vec2::new(slot.size[0] as f32, slot.size[1] as f32)
}

/// Where a picture's rows and columns run on a face, in the file's axes.
#[must_use]
pub fn slot_axes(face_number: u8) -> (DVec3, DVec3) {
    // Opposite faces mirror each other: the sign of the number plays no part.
    match face_number / 2 {
        0 => (DVec3::Y, DVec3::NEG_Z),
        1 => (DVec3::X, DVec3::NEG_Z),
        _ => (DVec3::X, DVec3::Y),
    }
}

/// The frame of a face in map space and repeats. `face_number`: 0 to 5 for -X, +X, -Y, +Y, -Z, +Z of the file.
#[must_use]
pub fn frame(face_number: u8, slot: &Resolved) -> UvAxes {
    let (s, t) = slot_axes(face_number);
    let (flip_u, flip_v, swap) = ROTATIONS[usize::from(slot.rotation & 7)];
    let sign = |flip: bool| if flip { -1.0 } else { 1.0 };
    let width = sign(flip_u) * f64::from(slot.size[0]);
    let height = sign(flip_v) * f64::from(slot.size[1]);
    let density = TEXELS_PER_UNIT / f64::from(slot.scale);
    let [x, y] = slot.offset.map(f64::from);
    let ((along_u, x), (along_v, y)) = if swap {
        ((t, y), (s, x))
    } else {
        ((s, x), (t, y))
    };
    UvAxes {
        u: to_map(along_u) * (density / width) + DVec3::ZERO,
        u_offset: 0.0 - x / width,
        v: to_map(along_v) * (density / height) + DVec3::ZERO,
        v_offset: 0.0 - y / height,
    }
}

/// Five numbers for a face, or the axes where these do not suffice. `plane`: unit, in map space, as are the corners.
#[must_use]
pub fn fit(face_number: u8, slot: &Resolved, plane: Plane, corners: &[DVec3]) -> Fit {
    frame(face_number, slot).fit(plane, false, tile_size(slot), pixels(slot), corners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Entity;

    /// The game turns to the right as its yaw grows: from +Y to -X.
    #[test]
    fn what_is_on_the_right_in_the_game_is_on_the_right_here() {
        let (right, ahead, up) = (DVec3::NEG_X, DVec3::Y, DVec3::Z);
        assert_eq!(to_map(ahead).cross(to_map(up)), to_map(right));
        for (yaw_deg, looks) in [
            (0.0, ahead),
            (90.0, right),
            (180.0, -ahead),
            (270.0, -right),
        ] {
            let mut entity = Entity::new("playerstart", DVec3::ZERO);
            entity.angles_deg.y = turned_yaw_deg(yaw_deg);
            assert!(
                entity.forward().abs_diff_eq(to_map(looks), 1e-9),
                "{yaw_deg}"
            );
        }
        assert_eq!(
            to_file(to_map(DVec3::new(1.0, 2.0, 3.0))),
            DVec3::new(1.0, 2.0, 3.0)
        );
    }
}
