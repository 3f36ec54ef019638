//! Brushes: convex solids given by planes.

use std::sync::Arc;

use glam::DAffine3;
use glam::DVec3;
use glam::Vec2;
use glam::Vec3;

use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::document::object::bits;
use crate::geometry::Hull;
use crate::geometry::HullFault;
use crate::geometry::Plane;
use crate::geometry::Uv;
use crate::geometry::UvAxes;

bits!(
    /// What a brush does (`hmap.md` D22). Unknown bits are kept; no bits = drawn, blocks nothing.
    Contents {
        SOLID = 1;
        WATER = 2;
        CLIP = 4;
        TRIGGER = 8;
        SKY = 16;
    }
);

/// What is wrong with a brush (`hmap.md` 5: E-NAN, E-PLANE, E-FACES, E-OPEN, E-EMPTY).
pub type BrushError = HullFault;

/// One side of a brush.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    pub plane: Plane,
    pub material: Option<MaterialId>,
    pub uv: Uv,
    /// Exact frame (`UVAX`): rules over `uv`, which then holds the fit.
    pub axes: Option<Arc<UvAxes>>,
    pub flags: SurfaceFlags,
}

impl Face {
    #[must_use]
    pub fn new(plane: Plane, material: Option<MaterialId>) -> Self {
        Self { plane, material, uv: Uv::default(), axes: None, flags: SurfaceFlags::default() }
    }

    /// The texture frame in force: `axes`, or the five numbers with this tile size.
    #[must_use]
    pub fn frame(&self, tile_size: Vec2) -> UvAxes {
        if let Some(axes) = &self.axes {
            return **axes;
        }
        let normal = self.plane.normal.normalize_or(DVec3::Y);
        self.uv.frame(normal, self.flags.has(SurfaceFlags::FACE_ALIGNED), tile_size)
    }
}

/// Whether textures go with a brush that is transformed (LOCK-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UvLock {
    /// Textures stay in world space.
    World,
    /// Textures are carried along.
    Carried,
}

/// The intersection of its faces' half spaces. The planes are the truth; the hull is derived once and never stored.
#[derive(Clone, Debug)]
pub struct Brush {
    contents: Contents,
    faces: Vec<Face>,
    hull: Hull,
    /// Corners that an importer read or a vertex edit asked for, where D24 does not give them back (`BVTX`).
    exact: Option<Arc<[Vec3]>>,
}

impl PartialEq for Brush {
    fn eq(&self, other: &Self) -> bool {
        self.contents == other.contents && self.faces == other.faces && self.exact == other.exact
    }
}

impl Brush {
    /// For edits: must enclose volume.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn solid(contents: Contents, faces: Vec<Face>) -> Result<Self, BrushError> {
        let brush = Self::as_stored(contents, faces);
        match brush.hull.fault() {
            Some(fault) => Err(fault),
            None => Ok(brush),
        }
    }

    /// For readers: may be broken, is kept.
    #[must_use]
    pub fn as_stored(contents: Contents, faces: Vec<Face>) -> Self {
        Self::with_exact(contents, faces, None)
    }

    /// As [`Brush::as_stored`], with the corners of `BVTX`.
    #[must_use]
    pub fn with_exact(contents: Contents, faces: Vec<Face>, exact: Option<Arc<[Vec3]>>) -> Self {
        let hull = hull_of(&faces, exact.as_deref());
        Self { contents, faces, hull, exact }
    }

    /// A box with every face in this material.
    #[must_use]
    pub fn cuboid(bounds: crate::geometry::Aabb, material: Option<MaterialId>) -> Self {
        let planes = [
            Plane::new(DVec3::X, bounds.max.x),
            Plane::new(DVec3::NEG_X, -bounds.min.x),
            Plane::new(DVec3::Y, bounds.max.y),
            Plane::new(DVec3::NEG_Y, -bounds.min.y),
            Plane::new(DVec3::Z, bounds.max.z),
            Plane::new(DVec3::NEG_Z, -bounds.min.z),
        ];
        Self::as_stored(Contents::SOLID, planes.map(|plane| Face::new(plane, material)).into())
    }

    #[must_use]
    pub fn contents(&self) -> Contents {
        self.contents
    }

    #[must_use]
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Points, and one loop per face.
    #[must_use]
    pub fn hull(&self) -> &Hull {
        &self.hull
    }

    #[must_use]
    pub fn exact(&self) -> Option<&Arc<[Vec3]>> {
        self.exact.as_ref()
    }

    /// Why it is broken; `None` when it encloses volume.
    #[must_use]
    pub fn fault(&self) -> Option<BrushError> {
        self.hull.fault()
    }

    #[must_use]
    pub fn with_contents(&self, contents: Contents) -> Self {
        Self { contents, ..self.clone() }
    }

    /// Other materials, uv or flags on the same planes: the shape stays as it is.
    ///
    /// # Panics
    /// When `faces` has other planes than the brush; change the shape through [`Brush::solid`].
    #[must_use]
    pub fn with_surfaces(&self, faces: Vec<Face>) -> Self {
        assert!(
            faces.len() == self.faces.len() && faces.iter().zip(&self.faces).all(|(new, old)| new.plane == old.plane),
            "with_surfaces keeps the planes"
        );
        Self { faces, ..self.clone() }
    }

    /// The mapped brush, unrounded: for previews, exact again at commit. `tile` gives a material's tile size.
    #[must_use]
    pub fn transformed(&self, map: &DAffine3, lock: UvLock, tile: &dyn Fn(Option<MaterialId>) -> Vec2) -> Self {
        let faces = self
            .faces
            .iter()
            .map(|face| {
                let plane = face.plane.transformed(map);
                let axes = match lock {
                    UvLock::World => face.axes.clone(),
                    UvLock::Carried => plane.unit().map(|unit| Arc::new(face.frame(tile(face.material)).carried(map, unit))),
                };
                Face { plane, axes, ..face.clone() }
            })
            .collect();
        // `exact` goes along as f32 positions; the commit checks them against the rounded planes.
        let exact = self.exact.as_ref().map(|points| points.iter().map(|point| map.transform_point3(point.as_dvec3()).as_vec3()).collect());
        Self { contents: self.contents, faces, hull: self.hull.transformed(map), exact }
    }

    /// For commits: every number rounded to `f32`, axes put through the fit, the hull rebuilt from the rounded planes with its
    /// corners restored by D24, wanted corners that come out otherwise kept as `exact`. `before` is the brush in the state the
    /// edit started from. `None` when nothing needs to change.
    ///
    /// # Errors
    /// What is wrong with the result, unless `before` was broken too.
    pub fn committed(&self, before: Option<&Self>, tile: &dyn Fn(Option<MaterialId>) -> Vec2) -> Result<Option<Self>, BrushError> {
        let wanted = self.hull.clone();
        let same_shape = before.is_some_and(|before| {
            before.faces.len() == self.faces.len() && before.faces.iter().zip(&self.faces).all(|(a, b)| a.plane == b.plane)
        });
        let mut faces: Vec<Face> = self.faces.clone();
        for (index, face) in faces.iter_mut().enumerate() {
            face.plane = face.plane.rounded();
            let corners: Vec<DVec3> = wanted.face_points(index).collect();
            crate::document::brush::settle_uv(face, &corners, tile(face.material));
        }
        if same_shape {
            // Surfaces only: the stored planes and exact corners stay bit for bit.
            let brush = Self { contents: self.contents, faces, hull: before.map_or_else(|| wanted.clone(), |b| b.hull.clone()), exact: self.exact.clone() };
            return Ok((brush != *self).then_some(brush));
        }
        let mut brush = Self::with_exact(self.contents, faces, None);
        if let Some(fault) = brush.fault() {
            if before.is_some_and(|before| before.fault().is_some()) {
                return Ok(Some(brush));
            }
            return Err(fault);
        }
        let corners: Vec<Vec3> = wanted.points().iter().map(|point| point.as_vec3()).collect();
        if wanted.fault().is_none() && let Some(exact) = brush.hull.unrestored(&corners) {
            let exact: Arc<[Vec3]> = exact.into();
            brush = Self::with_exact(brush.contents, brush.faces, Some(exact));
        }
        Ok(Some(brush))
    }

    /// Bytes behind its pointers, for the budget of the history.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let axes: usize = self.faces.iter().filter(|face| face.axes.is_some()).count() * (size_of::<UvAxes>() + 16);
        self.faces.capacity() * size_of::<Face>() + axes + self.hull.heap_bytes() + self.exact.as_ref().map_or(0, |exact| exact.len() * 12)
    }
}

fn hull_of(faces: &[Face], exact: Option<&[Vec3]>) -> Hull {
    let planes: Vec<Plane> = faces.iter().map(|face| face.plane).collect();
    Hull::from_planes(&planes).restored(exact)
}

/// Brings a face's texture into the form the file can hold (2.5 *Fit*): the five numbers where they are exact to 0.001 pixel,
/// else the fit and the frame as `f32` axes.
fn settle_uv(face: &mut Face, corners: &[DVec3], tile_size: Vec2) {
    let Some(frame) = face.axes.clone() else { return };
    let Some(unit) = face.plane.unit() else { return };
    let aligned = face.flags.has(SurfaceFlags::FACE_ALIGNED);
    let fit = frame.fit(unit, aligned, tile_size, tile_size, corners);
    face.uv = fit.uv;
    face.flags = if fit.aligned { face.flags | SurfaceFlags::FACE_ALIGNED } else { face.flags.without(SurfaceFlags::FACE_ALIGNED) };
    face.axes = fit.axes.map(Arc::new);
}
