//! Faces of brushes and polygons of meshes as one thing: a plane, corners, a texture frame. What changes frames reads and writes
//! through this.

use std::collections::BTreeMap;

use glam::DVec2;
use glam::DVec3;
use glam::Vec2;

use crate::document::Brush;
use crate::document::Document;
use crate::document::Draft;
use crate::document::Face;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Polygon;
use crate::document::Selection;
use crate::document::SurfaceFlags;
use crate::document::ops::faces::faces_of;
use crate::geometry::Plane;
use crate::geometry::Uv;
use crate::geometry::UvAxes;
use crate::geometry::polygon;

/// A face of a brush or a polygon of a mesh.
pub type FaceRef = (ObjectId, u32);

/// What is known of a face.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Unit.
    pub plane: Plane,
    pub corners: Vec<DVec3>,
    pub frame: UvAxes,
    pub material: Option<MaterialId>,
    /// Map units of one repeat at scale 1; also taken for the size in texels.
    pub tile_size: Vec2,
    stored: Option<Stored>,
}

/// The form a brush face keeps its frame in: copied as it is where the frame stays the same.
#[derive(Clone, Debug, PartialEq)]
struct Stored {
    uv: Uv,
    axes: Option<UvAxes>,
    is_aligned: bool,
}

impl Surface {
    /// The face as it is in a document; `None` when there is none or it has no area.
    #[must_use]
    pub fn of(doc: &Document, face: FaceRef) -> Option<Self> {
        let (id, index) = (face.0, face.1 as usize);
        match &doc.object(id)?.kind {
            Kind::Brush(brush) => Self::of_brush(doc, brush, index),
            Kind::Mesh(mesh) => Self::of_mesh(doc, mesh, index),
            Kind::Entity(_) | Kind::Group(_) => None,
        }
    }

    fn of_brush(doc: &Document, brush: &Brush, index: usize) -> Option<Self> {
        let face = brush.faces().get(index)?;
        let corners: Vec<DVec3> = brush.hull().face_points(index).collect();
        let tile_size = doc.tile_size(face.material);
        Some(Self {
            plane: face.plane.unit()?,
            frame: face.frame(tile_size),
            corners,
            material: face.material,
            tile_size,
            stored: Some(Stored {
                uv: face.uv,
                axes: face.axes,
                is_aligned: face.flags.has(SurfaceFlags::FACE_ALIGNED),
            }),
        })
    }

    fn of_mesh(doc: &Document, mesh: &Mesh, index: usize) -> Option<Self> {
        let shape = mesh.polygons.get(index)?;
        let corners = mesh.positions(shape)?;
        let plane = polygon::plane(&corners)?;
        let tile_size = doc.tile_size(shape.material);
        Some(Self {
            plane,
            frame: polygon_frame(shape, &corners, plane, tile_size),
            corners,
            material: shape.material,
            tile_size,
            stored: None,
        })
    }

    /// Smallest and largest coordinates of the corners, in repeats.
    #[must_use]
    pub fn uv_bounds(&self) -> (DVec2, DVec2) {
        uv_bounds_of(&self.frame, &self.corners)
    }

    /// The middle of the face.
    #[must_use]
    pub fn center(&self) -> DVec3 {
        polygon::centroid(&self.corners)
    }

    /// Another frame, to be stored in whatever form can hold it.
    #[must_use]
    pub fn with_frame(&self, frame: UvAxes) -> Self {
        Self {
            frame,
            stored: None,
            ..self.clone()
        }
    }

    /// The frame of `other` as it is stored there, for faces that look the same way.
    pub(super) fn with_frame_of(&self, other: &Self) -> Self {
        Self {
            frame: other.frame,
            stored: other.stored.clone(),
            ..self.clone()
        }
    }

    /// Offset, scale and rotation of `other` as they are, along this face's own axes.
    pub(super) fn with_numbers_of(&self, other: &Self) -> Self {
        let (uv, is_aligned) = match &other.stored {
            Some(stored) => (stored.uv, stored.is_aligned),
            None => {
                let tile = other.tile_size;
                let fit = other
                    .frame
                    .fit(other.plane, false, tile, tile, &other.corners);
                (fit.uv, fit.aligned)
            }
        };
        Self {
            frame: uv.frame(self.plane.normal, is_aligned, self.tile_size),
            stored: Some(Stored {
                uv,
                axes: None,
                is_aligned,
            }),
            ..self.clone()
        }
    }

    /// Another material; what was kept as exact axes grows with the tile, as the five numbers do.
    pub(super) fn with_material(&self, material: Option<MaterialId>, tile_size: Vec2) -> Self {
        let ratio = (self.tile_size / tile_size).as_dvec2();
        let mut changed = Self {
            material,
            tile_size,
            ..self.clone()
        };
        changed.frame.u *= ratio.x;
        changed.frame.v *= ratio.y;
        if let Some(axes) = changed
            .stored
            .as_mut()
            .and_then(|stored| stored.axes.as_mut())
        {
            *axes = changed.frame;
        }
        changed
    }
}

/// Smallest and largest coordinates that a frame has at these corners.
#[must_use]
pub fn uv_bounds_of(frame: &UvAxes, corners: &[DVec3]) -> (DVec2, DVec2) {
    corners
        .iter()
        .map(|&corner| frame.at(corner))
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(min, max), uv| {
            (min.min(uv), max.max(uv))
        })
}

/// The frame of a polygon: its projection, or the affine one through three of its corners' coordinates.
fn polygon_frame(shape: &Polygon, corners: &[DVec3], plane: Plane, tile_size: Vec2) -> UvAxes {
    let projected = shape.proj.frame(plane.normal, false, tile_size);
    if shape.uvs.len() != corners.len() {
        return projected;
    }
    widest(corners)
        .and_then(|three| {
            let uvs = three.map(|index| shape.uvs[index].as_dvec2());
            UvAxes::through(three.map(|index| corners[index]), uvs)
        })
        .unwrap_or(projected)
}

/// True when the axes differ on the plane by more than the last digits of what a file holds.
fn is_sound(frame: &UvAxes, plane: Plane) -> bool {
    const LEAST_SINE: f64 = 1e-4;
    let flat = frame.in_plane(plane);
    let area = flat.u.cross(flat.v).length();
    frame.is_finite() && area > LEAST_SINE * flat.u.length() * flat.v.length()
}

/// Three corners that enclose as much area as can be found by looking once.
fn widest(corners: &[DVec3]) -> Option<[usize; 3]> {
    let first = *corners.first()?;
    let far = |from: &dyn Fn(DVec3) -> f64| {
        (0..corners.len()).max_by(|&a, &b| from(corners[a]).total_cmp(&from(corners[b])))
    };
    let second = far(&|point| point.distance_squared(first))?;
    let along = corners[second] - first;
    let third = far(&|point| along.cross(point - first).length_squared())?;
    Some([0, second, third])
}

/// New frames and materials of faces, seen over the ones of a document until they are written.
#[derive(Default)]
pub(super) struct Changes {
    new: BTreeMap<FaceRef, Surface>,
}

impl Changes {
    /// The face as it is now.
    pub fn get(&self, doc: &Document, face: FaceRef) -> Option<Surface> {
        match self.new.get(&face) {
            Some(surface) => Some(surface.clone()),
            None => Surface::of(doc, face),
        }
    }

    /// A frame that is none on the face, or nearly so, would be lost in the file: the face keeps its own.
    pub fn set(&mut self, face: FaceRef, surface: Surface) {
        if is_sound(&surface.frame, surface.plane) {
            self.new.insert(face, surface);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.new.is_empty()
    }

    /// Writes everything, one new version for each object.
    pub fn write(self, draft: &mut Draft) {
        let mut by_object: BTreeMap<ObjectId, Vec<(usize, Surface)>> = BTreeMap::new();
        for ((id, index), surface) in self.new {
            by_object
                .entry(id)
                .or_default()
                .push((index as usize, surface));
        }
        for (id, changes) in by_object {
            let kind = match draft.object(id).map(|object: &Object| &object.kind) {
                Some(Kind::Brush(brush)) => changed_brush(brush, changes).map(Kind::Brush),
                Some(Kind::Mesh(mesh)) => changed_mesh(mesh, changes).map(Kind::Mesh),
                _ => None,
            };
            if let Some(kind) = kind {
                draft.update(id, |object| object.kind = kind);
            }
        }
    }
}

fn changed_brush(brush: &Brush, changes: Vec<(usize, Surface)>) -> Option<Brush> {
    let mut faces = brush.faces().to_vec();
    for (index, surface) in changes {
        if let Some(face) = faces.get_mut(index) {
            put_on_face(face, surface);
        }
    }
    (faces != brush.faces()).then(|| brush.with_surfaces(faces))
}

fn put_on_face(face: &mut Face, surface: Surface) {
    face.material = surface.material;
    match surface.stored {
        Some(stored) => {
            face.uv = stored.uv;
            face.axes = stored.axes;
            face.flags = if stored.is_aligned {
                face.flags.with(SurfaceFlags::FACE_ALIGNED)
            } else {
                face.flags.without(SurfaceFlags::FACE_ALIGNED)
            };
        }
        None => face.axes = Some(surface.frame),
    }
}

fn changed_mesh(mesh: &Mesh, changes: Vec<(usize, Surface)>) -> Option<Mesh> {
    let mut changed = mesh.clone();
    for (index, surface) in changes {
        let Some(shape) = changed.polygons.get_mut(index) else {
            continue;
        };
        let old = polygon_frame(shape, &surface.corners, surface.plane, surface.tile_size);
        shape.material = surface.material;
        put_on_polygon(shape, &surface, &old);
    }
    (changed != *mesh).then_some(changed)
}

/// A polygon keeps a projection where the five numbers can say it. Corners of its own keep what they are off the frame.
fn put_on_polygon(shape: &mut Polygon, surface: &Surface, old: &UvAxes) {
    let (frame, corners, tile) = (&surface.frame, &surface.corners, surface.tile_size);
    if shape.uvs.len() == corners.len() {
        for (uv, &corner) in shape.uvs.iter_mut().zip(corners) {
            let off = uv.as_dvec2() - old.at(corner);
            *uv = (frame.at(corner) + off).as_vec2();
        }
        return;
    }
    let fit = frame.fit(surface.plane, false, tile, tile, corners);
    if fit.exact && !fit.aligned {
        shape.proj = fit.uv;
    } else {
        shape.uvs = corners
            .iter()
            .map(|&corner| frame.at(corner).as_vec2())
            .collect();
    }
}

/// Every face that a selection means, in order, with what is known of it.
#[must_use]
pub fn surfaces_of(doc: &Document, picks: &Selection) -> Vec<(FaceRef, Surface)> {
    faces_of(doc, picks)
        .into_iter()
        .flat_map(|(id, faces)| faces.into_iter().map(move |face| (id, face)))
        .filter_map(|face| Some((face, Surface::of(doc, face)?)))
        .collect()
}
