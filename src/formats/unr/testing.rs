//! Brushes for tests.

use std::sync::Arc;

use glam::DVec3;
use glam::Vec3;

use crate::formats::unr::properties::Property;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::RawPolygon;
use crate::geometry::polygon;

/// What `CsgOper` says.
pub(super) const ADD: u8 = 1;
pub(super) const SUBTRACT: u8 = 2;

pub(super) fn property(name: &str, value: Value) -> Property {
    Property {
        name: name.into(),
        index: 0,
        value,
    }
}

/// A brush at the origin with these polygons.
pub(super) fn brush(operation: u8, polygons: Vec<RawPolygon>) -> RawActor {
    let mut actor = RawActor {
        class: Arc::new(ObjectPath {
            name: "Brush".to_owned(),
            ..ObjectPath::default()
        }),
        polygons: Some(Arc::new(polygons)),
        ..RawActor::default()
    };
    let operation = property("CsgOper", Value::Byte(operation));
    actor.properties.0.push(operation);
    actor
}

pub(super) fn with(mut actor: RawActor, name: &str, value: Value) -> RawActor {
    actor.properties.0.push(property(name, value));
    actor
}

/// Outlines counter-clockwise seen from outside.
pub(super) fn polygons(outlines: &[Vec<Vec3>]) -> Vec<RawPolygon> {
    let polygon = |outline: &Vec<Vec3>| {
        let corners: Vec<DVec3> = outline.iter().map(|corner| corner.as_dvec3()).collect();
        let normal = polygon::normal(&corners).expect("outlines have area");
        let u = normal.any_orthonormal_vector();
        RawPolygon {
            base: outline[0],
            normal: normal.as_vec3(),
            u: u.as_vec3(),
            v: normal.cross(u).as_vec3(),
            vertices: outline.clone(),
            link: -1,
            ..RawPolygon::default()
        }
    };
    outlines.iter().map(polygon).collect()
}

/// A prism over an outline that runs counter-clockwise seen from above.
pub(super) fn prism(outline: &[(f32, f32)], low: f32, high: f32) -> Vec<RawPolygon> {
    let at = |(x, y): (f32, f32), z: f32| Vec3::new(x, y, z);
    let mut outlines = vec![
        outline.iter().map(|&point| at(point, high)).collect(),
        outline.iter().rev().map(|&point| at(point, low)).collect(),
    ];
    for (index, &from) in outline.iter().enumerate() {
        let to = outline[(index + 1) % outline.len()];
        outlines.push(vec![
            at(from, low),
            at(to, low),
            at(to, high),
            at(from, high),
        ]);
    }
    polygons(&outlines)
}

pub(super) fn cuboid(min: Vec3, max: Vec3) -> Vec<RawPolygon> {
    let outline = [
        (min.x, min.y),
        (max.x, min.y),
        (max.x, max.y),
        (min.x, max.y),
    ];
    prism(&outline, min.z, max.z)
}

pub(super) fn room(half: f32) -> RawActor {
    brush(SUBTRACT, cuboid(Vec3::splat(-half), Vec3::splat(half)))
}

/// A map without a BSP.
pub(super) fn map(actors: Vec<RawActor>) -> RawMap {
    RawMap {
        is_text: true,
        actors,
        ..RawMap::default()
    }
}
