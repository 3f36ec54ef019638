//! Solids as collision brushes (D38), and their boxes.

use glam::DVec3;

use crate::compiler::Box3;
use crate::compiler::CollisionBrush;
use crate::compiler::Plane3;
use crate::compiler::solids::Solid;
use crate::document::ObjectFlags;
use crate::geometry::Aabb;
use crate::geometry::Plane;

/// True when the solid is one that something can bump into or be in.
#[must_use]
pub(crate) fn collides(solid: &Solid) -> bool {
    solid.contents.0 != 0 && !solid.flags.has(ObjectFlags::NO_COLLIDE)
}

#[must_use]
pub(crate) fn record(solid: &Solid) -> CollisionBrush {
    CollisionBrush {
        contents: solid.contents.0,
        source_id: solid.id.get(),
        bounds: box3(solid.bounds),
        planes: solid.faces.iter().map(|face| plane3(face.stored)).collect(),
    }
}

/// As a file holds it; nothing becomes six zeros (D33).
#[must_use]
pub(crate) fn box3(bounds: Aabb) -> Box3 {
    if bounds.is_empty() {
        Box3::default()
    } else {
        Box3 {
            min: bounds.min.as_vec3(),
            max: bounds.max.as_vec3(),
        }
    }
}

#[must_use]
pub(crate) fn plane3(plane: Plane) -> Plane3 {
    Plane3 {
        normal: plane.normal.as_vec3(),
        dist: plane.dist as f32,
    }
}

/// The plane as readers understand the record: unit length in `f64`.
#[must_use]
pub(crate) fn as_read(plane: Plane3) -> Plane {
    let read = Plane::new(plane.normal.as_dvec3(), f64::from(plane.dist));
    read.unit()
        .unwrap_or(Plane::new(DVec3::Y, f64::from(plane.dist)))
}
