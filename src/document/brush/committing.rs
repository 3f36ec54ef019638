//! What a commit makes of a brush: numbers that the file can hold, with every corner still behind every face.

use std::sync::Arc;

use glam::DVec3;
use glam::Vec2;
use glam::Vec3;

use super::Brush;
use super::BrushError;
use super::Face;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::geometry::Hull;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// Corners lie behind the planes, as they are stored, up to this (VTX, all).
const STICKS_OUT: f64 = 0.01;

/// Lengths of a normal that are tried; readers call one that is off 1 by more than 0.001 odd (`W-UNIT`).
const LENGTHS: i32 = 96;
const SHORTEST: f64 = 0.9991;

/// Why a brush cannot be a committed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unstorable {
    #[error(transparent)]
    Broken(#[from] BrushError),
    /// Planes of `f32` are too coarse for it there.
    #[error("its corners would be off its faces by more than {STICKS_OUT}")]
    Inexact,
}

impl Brush {
    /// For commits: every number rounded to `f32`, axes put through the fit, the hull rebuilt from the rounded planes with its
    /// corners restored by D24. Corners that were asked for (`exact`: importers, vertex tools) and come out otherwise stay in
    /// `exact`. `before` is the brush in the state the edit started from; what it shares with this one stays bit for bit.
    /// `None` when nothing needs to change.
    ///
    /// Far from the origin plain rounding can leave corners in front of planes; then planes that say the same more exactly are
    /// looked for.
    ///
    /// # Errors
    /// What is wrong with the result, unless `before` was no better.
    pub fn committed(
        &self,
        before: Option<&Self>,
        tile: &dyn Fn(Option<MaterialId>) -> Vec2,
    ) -> Result<Option<Self>, Unstorable> {
        let same_shape = before.filter(|before| {
            before.exact == self.exact
                && before.faces.len() == self.faces.len()
                && before
                    .faces
                    .iter()
                    .zip(&self.faces)
                    .all(|(a, b)| a.plane == b.plane)
        });
        let rounded: Vec<Plane> = self.faces.iter().map(|face| face.plane.rounded()).collect();
        if let Some(before) = same_shape {
            // Surfaces only: the planes as they were read need not be the rounded ones.
            let faces = self
                .settled_faces(&rounded, Some(before), tile)
                .into_iter()
                .zip(&before.faces)
                .map(|(face, old)| Face {
                    plane: old.plane,
                    ..face
                })
                .collect();
            let brush = Self {
                contents: self.contents,
                faces,
                hull: before.hull.clone(),
                exact: before.exact.clone(),
            };
            return Ok((brush != *self).then_some(brush));
        }
        let planes = match stored_planes(&rounded, self.exact.as_deref()) {
            Ok(shape) => shape,
            Err(_) if before.is_some_and(|before| before.fault().is_some()) => {
                let faces = self.settled_faces(&rounded, before, tile);
                return Ok(Some(Self::as_stored(self.contents, faces)));
            }
            Err(Unstorable::Inexact) if before.is_some_and(|before| !before.is_exact()) => {
                // It came from a file like that.
                derived(&rounded, self.exact.as_deref())?
            }
            Err(error) => self.finer().ok_or(error)?,
        };
        let Shape {
            planes,
            hull,
            exact,
        } = planes;
        let faces = self.settled_faces(&planes, before, tile);
        let brush = Self {
            contents: self.contents,
            faces,
            hull,
            exact,
        };
        Ok(Some(brush.without_lost_faces(before)))
    }

    /// The faces on these planes, with textures that the file can hold.
    fn settled_faces(
        &self,
        planes: &[Plane],
        before: Option<&Self>,
        tile: &dyn Fn(Option<MaterialId>) -> Vec2,
    ) -> Vec<Face> {
        let old_faces = before
            .map(Self::faces)
            .filter(|old| old.len() == self.faces.len());
        (0..)
            .zip(self.faces.iter().zip(planes))
            .map(|(index, (face, &plane))| {
                let mut settled = Face {
                    plane,
                    ..face.clone()
                };
                // A frame that came from a file and is still on the same plane keeps its bits and its fit.
                let untouched = old_faces.map(|old| &old[index]).is_some_and(|old| {
                    old.plane == face.plane
                        && old.axes == face.axes
                        && old.material == face.material
                });
                if !untouched {
                    let corners: Vec<DVec3> = self.hull.face_points(index).collect();
                    settle_uv(&mut settled, &corners, tile(face.material));
                }
                settled
            })
            .collect()
    }

    /// The same shape on planes that are nearer to what was asked for than plainly rounded ones: of other lengths, then
    /// laid through the corners anew; corners that were asked for give way last.
    fn finer(&self) -> Option<Shape> {
        let asked = self.exact.as_deref();
        let shown: Vec<Vec3> = self.hull.points().iter().map(|p| p.as_vec3()).collect();
        let corners = |face: usize| self.hull.face_points(face).collect::<Vec<DVec3>>();
        let as_given: Vec<Plane> = (0..)
            .zip(&self.faces)
            .map(|(index, face)| finely_rounded(face.plane, &corners(index)))
            .collect();
        let through_corners = || -> Vec<Plane> {
            (0..)
                .zip(&self.faces)
                .map(|(index, face)| {
                    let corners = corners(index);
                    let plane = polygon::plane(&corners).unwrap_or(face.plane);
                    finely_rounded(plane, &corners)
                })
                .collect()
        };
        stored_planes(&as_given, asked)
            .or_else(|_| stored_planes(&as_given, Some(&shown)))
            .or_else(|_| stored_planes(&through_corners(), Some(&shown)))
            .or_else(|_| stored_planes(&as_given, None))
            .or_else(|_| {
                let rounded: Vec<Plane> =
                    self.faces.iter().map(|face| face.plane.rounded()).collect();
                stored_planes(&rounded, None)
            })
            .ok()
    }

    /// True when its corners lie behind its planes as they are stored.
    fn is_exact(&self) -> bool {
        let planes: Vec<Plane> = self.faces.iter().map(|face| face.plane).collect();
        is_exact(&self.hull, &planes)
    }

    /// Faces that nothing is left of are dropped, but for those that were so before: no tool makes faces that touch nothing.
    fn without_lost_faces(self, before: Option<&Self>) -> Self {
        let old = before.filter(|before| before.faces.len() == self.faces.len());
        let is_empty = |brush: &Self, index: usize| brush.hull.loops()[index].is_empty();
        let is_lost =
            |index: usize| is_empty(&self, index) && !old.is_some_and(|old| is_empty(old, index));
        if !(0..self.faces.len()).any(is_lost) {
            return self;
        }
        let faces: Vec<Face> = (0..self.faces.len())
            .filter(|&index| !is_lost(index))
            .map(|index| self.faces[index].clone())
            .collect();
        let planes: Vec<Plane> = faces.iter().map(|face| face.plane).collect();
        match stored_planes(&planes, self.exact.as_deref()) {
            Ok(Shape { hull, exact, .. }) => Self {
                contents: self.contents,
                faces,
                hull,
                exact,
            },
            // Without it the rest would not be the same solid.
            Err(_) => self,
        }
    }
}

/// Planes with the hull that a reader makes of them.
struct Shape {
    planes: Vec<Plane>,
    hull: Hull,
    exact: Option<Arc<[Vec3]>>,
}

/// What a reader makes of these planes, with those of the wanted corners that it does not find by itself.
fn derived(planes: &[Plane], wanted: Option<&[Vec3]>) -> Result<Shape, Unstorable> {
    let plain = Hull::from_planes(planes);
    let hull = plain.clone().restored(None);
    if let Some(fault) = hull.fault() {
        return Err(fault.into());
    }
    let exact: Option<Arc<[Vec3]>> = wanted
        .and_then(|wanted| hull.unrestored(wanted))
        .map(Arc::from);
    let hull = match &exact {
        Some(exact) => plain.restored(Some(exact)),
        None => hull,
    };
    Ok(Shape {
        planes: planes.to_vec(),
        hull,
        exact,
    })
}

/// As [`derived`], with every corner behind every plane.
fn stored_planes(planes: &[Plane], wanted: Option<&[Vec3]>) -> Result<Shape, Unstorable> {
    let shape = derived(planes, wanted)?;
    if is_exact(&shape.hull, planes) {
        Ok(shape)
    } else {
        Err(Unstorable::Inexact)
    }
}

/// Corners behind all planes, and volume left between them: restoring corners can flatten what is small and far out.
fn is_exact(hull: &Hull, planes: &[Plane]) -> bool {
    let mut units = planes.iter().filter_map(|plane| plane.unit());
    units.all(|unit| {
        let mut corners = hull.points().iter();
        corners.all(|&corner| unit.distance(corner) <= STICKS_OUT)
    }) && hull.volume() > 0.0
}

/// A plane in `f32` numbers that is as near as can be to this one at these corners. Readers divide by the length of the normal
/// (2.3), so a slightly shorter one says the same, rounded otherwise.
fn finely_rounded(plane: Plane, corners: &[DVec3]) -> Plane {
    let Some(unit) = plane.unit().filter(|_| !corners.is_empty()) else {
        return plane.rounded();
    };
    let off = |candidate: Plane| {
        candidate.unit().map_or(f64::INFINITY, |candidate| {
            corners.iter().fold(0.0, |most: f64, &corner| {
                most.max((candidate.distance(corner) - unit.distance(corner)).abs())
            })
        })
    };
    let tried = (0..LENGTHS).map(|step| {
        let length = 1.0 - (1.0 - SHORTEST) * f64::from(step) / f64::from(LENGTHS);
        let normal = (unit.normal * length).as_vec3().as_dvec3();
        // The distance that suits the rounded normal at these corners.
        let (low, high) = corners
            .iter()
            .map(|&corner| normal.dot(corner) - unit.distance(corner) * length)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), dist| {
                (low.min(dist), high.max(dist))
            });
        Plane::new(normal, f64::midpoint(low, high)).rounded()
    });
    std::iter::once(plane.rounded())
        .chain(tried)
        .map(|candidate| (off(candidate), candidate))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map_or_else(|| plane.rounded(), |(_, candidate)| candidate)
}

/// Brings a face's texture into the form the file can hold (2.5 *Fit*): the five numbers where they are exact to 0.001 pixel,
/// else the fit and the frame as `f32` axes.
fn settle_uv(face: &mut Face, corners: &[DVec3], tile_size: Vec2) {
    let Some(frame) = face.axes else {
        return;
    };
    let Some(unit) = face.plane.unit() else {
        // Nothing to fit on: the face belongs to a broken brush.
        face.axes = Some(frame.rounded()).filter(|axes| axes.is_storable());
        return;
    };
    let frame = frame.in_plane(unit);
    let aligned = face.flags.has(SurfaceFlags::FACE_ALIGNED);
    let mut fit = frame.fit(unit, aligned, tile_size, tile_size, corners);
    if !fit.exact && fit.axes.is_none() {
        // Edits of corners can turn a face until its picture lies on edge: the file could not hold that.
        let middle = corners.iter().sum::<DVec3>() / corners.len().max(1) as f64;
        fit = frame
            .levelled(unit, middle, tile_size)
            .fit(unit, true, tile_size, tile_size, corners);
    }
    face.uv = fit.uv;
    face.flags = if fit.aligned {
        face.flags | SurfaceFlags::FACE_ALIGNED
    } else {
        face.flags.without(SurfaceFlags::FACE_ALIGNED)
    };
    face.axes = fit.axes;
}
