//! From a brush's own space to the world's (`unr.md` 6.2), and which polygon says where the picture of another lies (5.2).

use glam::DMat3;
use glam::DVec2;
use glam::DVec3;

use crate::formats::unr::mapping::Mapping;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::raw::RawPolygon;
use crate::formats::unr::raw::flag;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// Normals this near to an axis are the axis.
const AXIS: f64 = 1e-4;

/// Distances of such planes this near to a whole number are that number.
const WHOLE: f64 = 0.01;

/// Polygons with corners beyond this are left out.
const FARTHEST: f64 = 1e6;

/// Cosine below which a stored normal does not belong to its polygon.
const SAME_DIRECTION: f64 = 0.9;

/// Where a brush stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    linear: DMat3,
    /// Inverse transpose of `linear`.
    axes: DMat3,
    pivot: DVec3,
    location: DVec3,
    is_mirrored: bool,
    /// One of its scales shears; the shear is not applied.
    pub is_sheared: bool,
}

/// A polygon of a brush in the world's space.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedPolygon {
    /// In the brush.
    pub number: u32,
    /// Unit; the front is outside of the brush.
    pub plane: Plane,
    /// Counter-clockwise about the normal by the usual formula on the raw numbers.
    pub corners: Vec<DVec3>,
    /// Of the polygon that its link names; flags of the polygon and the brush together.
    pub mapping: Mapping,
}

impl Placement {
    /// `None` when the brush is scaled to nothing or a number is not finite.
    #[must_use]
    pub fn of(actor: &RawActor) -> Option<Self> {
        let properties = &actor.properties;
        let main = properties.scale("MainScale").unwrap_or_default();
        let post = properties.scale("PostScale").unwrap_or_default();
        let rotation = properties.rotator("Rotation").unwrap_or_default();
        let linear =
            DMat3::from_diagonal(post.scale) * rotation.matrix() * DMat3::from_diagonal(main.scale);
        let determinant = linear.determinant();
        let axes = linear.inverse().transpose();
        let pivot = properties.vector("PrePivot").unwrap_or_default();
        let location = properties.vector("Location").unwrap_or_default();
        let is_sound = determinant.abs() > 1e-12
            && axes.is_finite()
            && linear.is_finite()
            && pivot.is_finite()
            && location.is_finite();
        is_sound.then_some(Self {
            linear,
            axes,
            pivot,
            location,
            is_mirrored: determinant < 0.0,
            is_sheared: main.sheer_rate != 0.0 || post.sheer_rate != 0.0,
        })
    }

    #[must_use]
    pub fn point(&self, local: DVec3) -> DVec3 {
        self.linear * (local - self.pivot) + self.location
    }

    fn corners(&self, polygon: &RawPolygon) -> Vec<DVec3> {
        let corners = polygon.vertices.iter();
        let corners = corners.map(|vertex| self.point(vertex.as_dvec3()));
        if self.is_mirrored {
            corners.rev().collect()
        } else {
            corners.collect()
        }
    }

    /// By the stored normal, which is better than what the corners tell, unless it has nothing to do with them.
    fn plane(&self, polygon: &RawPolygon, corners: &[DVec3]) -> Option<Plane> {
        let of_corners = polygon::normal(corners)?;
        let stored = (self.axes * polygon.normal.as_dvec3()).try_normalize();
        let normal = stored
            .filter(|stored| stored.dot(of_corners) > SAME_DIRECTION)
            .unwrap_or(of_corners);
        Some(settled(Plane::through(polygon::mean(corners)?, normal)?))
    }
}

/// A plane that noise took off an axis or a whole number put back there.
#[must_use]
pub fn settled(plane: Plane) -> Plane {
    let axis = plane.normal.round();
    if axis.length_squared() != 1.0 || (plane.normal - axis).abs().max_element() > AXIS {
        return plane;
    }
    let whole = plane.dist.round();
    let dist = if (plane.dist - whole).abs() <= WHOLE {
        whole
    } else {
        plane.dist
    };
    Plane::new(axis, dist)
}

/// What a brush says of the looks and of the solidity of all its polygons.
#[must_use]
pub fn brush_flags(actor: &RawActor) -> u32 {
    actor.properties.int("PolyFlags").unwrap_or(0) as u32
}

/// Polygons of a brush or mover in the world; those without area or beyond all bounds are left out.
#[must_use]
pub fn placed_polygons(actor: &RawActor, placement: &Placement, flags: u32) -> Vec<PlacedPolygon> {
    let Some(polygons) = &actor.polygons else {
        return Vec::new();
    };
    let place = |(number, polygon): (usize, &RawPolygon)| {
        let corners = placement.corners(polygon);
        let is_near = |corner: &DVec3| corner.is_finite() && corner.abs().max_element() <= FARTHEST;
        if !corners.iter().all(is_near) {
            return None;
        }
        let plane = placement.plane(polygon, &corners)?;
        let look = leader(polygons, polygon);
        Some(PlacedPolygon {
            number: number as u32,
            plane,
            corners,
            mapping: Mapping {
                texture: look.texture,
                flags: (polygon.flags | flags) & !flag::EDITOR,
                base: placement.point(look.base.as_dvec3()),
                u: placement.axes * look.u.as_dvec3(),
                v: placement.axes * look.v.as_dvec3(),
                pan: DVec2::new(f64::from(look.pan[0]), f64::from(look.pan[1])),
            },
        })
    };
    polygons.iter().enumerate().filter_map(place).collect()
}

/// The polygon whose alignment counts: of those with one link the one that the link names.
fn leader<'a>(polygons: &'a [RawPolygon], polygon: &'a RawPolygon) -> &'a RawPolygon {
    usize::try_from(polygon.link)
        .ok()
        .and_then(|number| polygons.get(number))
        .filter(|named| named.link == polygon.link)
        .unwrap_or(polygon)
}
