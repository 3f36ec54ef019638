//! Where to look at a map first: the 3D views that the game's editor had, and a place in a room where these stand in the rock
//! (the game's editor does not draw the rock's outside).

use glam::DVec3;

use crate::document::Camera;
use crate::document::CameraKind;
use crate::document::ViewState;
use crate::formats::unr::classes::Family;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::solidity::is_solid;
use crate::formats::unr::space::Rotator;
use crate::formats::unr::space::to_map;

/// `RendMap` of views in perspective: wireframe, zones, polygons, cuts, lit, textured, and the last one of newer games.
const PERSPECTIVE: std::ops::RangeInclusive<u8> = 1..=7;
const FOV_Y_DEG: f32 = 60.0;

/// More places than this are not tried; a map may have thousands of actors.
const MOST_PLACES: usize = 64;
/// How far and how finely a place looks about, in units.
const FARTHEST: f64 = 4096.0;
const STEP: f64 = 64.0;
const DIRECTIONS: i32 = 16;

/// Adds the editor's cameras, and makes that one the active camera from which most can be seen.
pub(super) fn insert(map: &RawMap, view: &mut ViewState) {
    let cameras = map.actors.iter().filter(|actor| is_perspective(actor));
    for actor in cameras {
        let turn = actor.properties.rotator("Rotation").unwrap_or_default();
        let Some(eye) = place_of(actor) else { continue };
        if !view
            .cameras
            .iter()
            .any(|known| known.eye == to_map(eye).as_vec3())
        {
            push(view, eye, turn);
        }
    }
    let Some(world) = map.world.as_ref().filter(|world| !world.nodes.is_empty()) else {
        return;
    };
    let open = |camera: &Camera| {
        let eye = crate::formats::unr::space::from_map(camera.eye.as_dvec3());
        !is_solid(world, eye)
    };
    let active = view.cameras.iter().position(open).or_else(|| {
        let (eye, turn) = in_a_room(map, world)?;
        push(view, eye, turn);
        Some(view.cameras.len() - 1)
    });
    view.active_camera = active.map(|index| index as u32);
}

fn push(view: &mut ViewState, eye: DVec3, turn: Rotator) {
    view.cameras.push(Camera {
        name: format!("Camera {}", view.cameras.len() + 1),
        kind: CameraKind::Perspective,
        flags: 0,
        eye: to_map(eye).as_vec3(),
        angles_deg: turn.angles_deg().as_vec3(),
        fov_y_deg: FOV_Y_DEG,
        ortho_height: 0.0,
    });
}

fn is_perspective(actor: &RawActor) -> bool {
    let mode = actor.properties.byte("RendMap");
    Family::of(actor) == Family::Camera && mode.is_some_and(|mode| PERSPECTIVE.contains(&mode))
}

/// `None` where it is not stored: such a view was never moved.
fn place_of(actor: &RawActor) -> Option<DVec3> {
    let place = actor.properties.vector("Location")?;
    place.is_finite().then_some(place)
}

/// The place of an actor in open space that sees farthest, and where to.
fn in_a_room(map: &RawMap, world: &RawModel) -> Option<(DVec3, Rotator)> {
    let places = map
        .actors
        .iter()
        .filter(|actor| actor.polygons.is_none() && Family::of(actor) != Family::Camera)
        .filter_map(place_of)
        .filter(|&place| !is_solid(world, place))
        .take(MOST_PLACES);
    let mut best: Option<(f64, DVec3, Rotator)> = None;
    for place in places {
        for direction in 0..DIRECTIONS {
            let turn = Rotator {
                yaw: direction * 65_536 / DIRECTIONS,
                ..Rotator::default()
            };
            let seen = free_way(world, place, turn.matrix().x_axis);
            if best.is_none_or(|(most, ..)| seen > most) {
                best = Some((seen, place, turn));
            }
        }
    }
    best.map(|(_, place, turn)| (place, turn))
}

/// Units from a place to the first solid point in a direction.
fn free_way(world: &RawModel, from: DVec3, along: DVec3) -> f64 {
    let mut way = 0.0;
    while way < FARTHEST && !is_solid(world, from + along * (way + STEP)) {
        way += STEP;
    }
    way
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::formats::unr::properties::Value;
    use crate::formats::unr::raw::Node;
    use crate::formats::unr::raw::ObjectPath;
    use crate::formats::unr::testing::with;

    fn actor(class: &str, place: DVec3) -> RawActor {
        let actor = RawActor {
            class: Arc::new(ObjectPath {
                name: class.to_owned(),
                ..ObjectPath::default()
            }),
            ..RawActor::default()
        };
        with(actor, "Location", Value::Vector(place))
    }

    /// Open where X is more than 0.
    fn half_open() -> RawModel {
        RawModel {
            nodes: vec![Node {
                normal: Vec3::X,
                distance: 0.0,
                flags: 0,
                zone_mask: 0,
                first_vertex: 0,
                vertex_count: 4,
                surface: 0,
                back: None,
                front: None,
                coplanar: None,
                hull: None,
                zones: [0; 2],
                leaves: [None; 2],
            }],
            ..RawModel::default()
        }
    }

    #[test]
    fn views_in_perspective_come_along_and_one_in_open_space_is_taken() {
        let camera = |x: f64, mode: u8| {
            let actor = actor("Camera", DVec3::new(x, 0.0, 0.0));
            with(actor, "RendMap", Value::Byte(mode))
        };
        let map = RawMap {
            actors: vec![camera(-8.0, 5), camera(8.0, 13), camera(16.0, 5)],
            world: Some(half_open()),
            ..RawMap::default()
        };
        let mut view = ViewState::default();
        insert(&map, &mut view);
        let eyes: Vec<Vec3> = view.cameras.iter().map(|camera| camera.eye).collect();
        assert_eq!(eyes, [Vec3::new(0.0, 0.0, 8.0), Vec3::new(0.0, 0.0, -16.0)]);
        assert_eq!(view.active_camera, Some(1));
    }

    #[test]
    fn without_a_view_in_open_space_a_lamp_looks_the_longest_way() {
        let map = RawMap {
            actors: vec![
                actor("Light", DVec3::new(-64.0, 0.0, 0.0)),
                actor("Light", DVec3::new(64.0, 0.0, 0.0)),
            ],
            world: Some(half_open()),
            ..RawMap::default()
        };
        let mut view = ViewState::default();
        insert(&map, &mut view);
        assert_eq!(view.active_camera, Some(0));
        let camera = &view.cameras[0];
        assert_eq!(camera.eye, Vec3::new(0.0, 0.0, -64.0));
        // Away from the wall: the engine's +X is -Z here.
        assert_eq!(camera.angles_deg.y, 0.0);
    }
}
