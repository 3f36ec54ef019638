//! Where a picture lies on a polygon, and whether two polygons look alike.

use glam::DVec2;
use glam::DVec3;

use crate::formats::unr::raw::RawModel;
use crate::formats::unr::raw::Surface;
use crate::formats::unr::raw::flag;

/// What a surface looks like, in the file's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapping {
    /// Index in the map's textures.
    pub texture: Option<u32>,
    /// Poly flags without those of the editor.
    pub flags: u32,
    pub base: DVec3,
    /// Texels per unit along their directions; need not lie in the plane nor be perpendicular.
    pub u: DVec3,
    pub v: DVec3,
    /// Texels.
    pub pan: DVec2,
}

impl Mapping {
    /// `None` when an index is out of range.
    #[must_use]
    pub fn of_surface(model: &RawModel, surface: &Surface) -> Option<Self> {
        Some(Self {
            texture: surface.texture,
            flags: surface.flags & !flag::EDITOR,
            base: model.points.get(surface.base as usize)?.as_dvec3(),
            u: model.vectors.get(surface.u as usize)?.as_dvec3(),
            v: model.vectors.get(surface.v as usize)?.as_dvec3(),
            pan: DVec2::new(f64::from(surface.pan[0]), f64::from(surface.pan[1])),
        })
    }

    /// Texels of the full-size picture; v grows downwards in the picture.
    #[must_use]
    pub fn at(&self, point: DVec3) -> DVec2 {
        let from_base = point - self.base;
        DVec2::new(self.u.dot(from_base), self.v.dot(from_base)) + self.pan
    }

    /// Same picture, same flags, and everywhere on these points within `texels`.
    #[must_use]
    pub fn is_alike(&self, other: &Self, points: &[DVec3], texels: f64) -> bool {
        self.texture == other.texture
            && self.flags == other.flags
            && points.iter().all(|&point| {
                let apart = (self.at(point) - other.at(point)).abs();
                apart.max_element() <= texels
            })
    }
}
