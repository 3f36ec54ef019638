//! Brushes as the stages see them: convex solids with numbered planes, and the surfaces of their faces (S1).

use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;

use crate::compiler::planes::PlaneId;
use crate::compiler::planes::Planes;
use crate::document::Brush;
use crate::document::Contents;
use crate::document::Document;
use crate::document::Face;
use crate::document::Issue;
use crate::document::MaterialId;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::Severity;
use crate::document::SurfaceFlags;
use crate::geometry::Aabb;
use crate::geometry::HullFault;
use crate::geometry::Plane;
use crate::geometry::UvAxes;
use crate::task::Cancelled;
use crate::task::Progress;

/// Brushes that reach beyond are left out; `f32` positions have steps of 1/64 there.
pub(crate) const WORLD_LIMIT: f64 = 131_072.0;

/// What a solid is to the others (D22); solid counts before sky, sky before water.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    Solid,
    Sky,
    Water,
    /// Drawn, blocks nothing.
    Plain,
    /// Clip and trigger: nothing is drawn.
    Unseen,
}

impl Class {
    #[must_use]
    pub(crate) fn of(contents: Contents) -> Self {
        if contents.has(Contents::SOLID) {
            Self::Solid
        } else if contents.has(Contents::SKY) {
            Self::Sky
        } else if contents.has(Contents::WATER) {
            Self::Water
        } else if contents.has(Contents::CLIP | Contents::TRIGGER) {
            Self::Unseen
        } else {
            Self::Plain
        }
    }
}

/// How a face looks, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Surface {
    pub(crate) material: Option<MaterialId>,
    /// Of face and material, or-ed.
    pub(crate) flags: SurfaceFlags,
    pub(crate) frame: UvAxes,
    pub(crate) from: (ObjectId, u32),
    /// Has triangles.
    pub(crate) drawn: bool,
}

/// A corner of a face or fragment and the plane that passes through the edge from here to the next corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    pub(crate) at: DVec3,
    pub(crate) edge: PlaneId,
}

/// One side of a solid; corners counter-clockwise seen from outside.
#[derive(Clone, Debug)]
pub(crate) struct SolidFace {
    pub(crate) plane: PlaneId,
    /// Unit, as the document holds it: what collision gets.
    pub(crate) stored: Plane,
    pub(crate) surface: Arc<Surface>,
    pub(crate) corners: Vec<Corner>,
}

/// A brush, or a piece that SUBTRACT brushes left of one.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub(crate) id: ObjectId,
    pub(crate) model: u32,
    pub(crate) contents: Contents,
    pub(crate) class: Class,
    pub(crate) flags: ObjectFlags,
    pub(crate) bounds: Aabb,
    /// Of the see-through surfaces, sorted; a solid that has some hides only faces of these.
    pub(crate) see_through: Vec<Option<MaterialId>>,
    pub(crate) faces: Vec<SolidFace>,
}

/// Brushes by model in document order.
#[derive(Default)]
pub(crate) struct Solids {
    pub(crate) planes: Planes,
    pub(crate) list: Vec<Solid>,
    /// What things bump into, in the order of the list, where it is not the list itself: after carving (D38).
    pub(crate) colliders: Option<Vec<Solid>>,
    /// Sound brushes taken, before carving.
    pub(crate) brushes: usize,
}

/// A brush that is to be compiled, and its model.
pub(crate) struct Source<'a> {
    pub(crate) id: ObjectId,
    pub(crate) model: u32,
    pub(crate) flags: ObjectFlags,
    pub(crate) brush: &'a Brush,
}

/// True when the brush can be compiled; otherwise one issue says why not.
pub(crate) fn is_sound(id: ObjectId, brush: &Brush, issues: &mut Vec<Issue>) -> bool {
    let far = brush
        .hull()
        .points()
        .iter()
        .find(|point| point.abs().max_element() > WORLD_LIMIT);
    let (code, severity, text) = match (brush.fault(), far) {
        (None, None) => return true,
        (Some(fault), _) => {
            let code = match fault {
                HullFault::NotFinite => "C-NAN-BRUSH",
                HullFault::BadPlane(_) => "C-PLANE-BRUSH",
                HullFault::TooFewFaces => "C-FACES-BRUSH",
                HullFault::Open => "C-OPEN-BRUSH",
                HullFault::Empty => "C-EMPTY-BRUSH",
            };
            (
                code,
                Severity::Error,
                format!("Brush {id} is left out: {fault}"),
            )
        }
        (None, Some(_)) => {
            let text = format!(
                "Brush {id} is left out: it reaches beyond {WORLD_LIMIT} units from the origin"
            );
            ("C-FAR-BRUSH", Severity::Error, text)
        }
    };
    let face = if let Some(HullFault::BadPlane(face)) = brush.fault() {
        u32::try_from(face).ok()
    } else {
        None
    };
    let bounds = brush.hull().bounds();
    let place = (!bounds.is_empty() && bounds.center().is_finite()).then(|| bounds.center());
    issues.push(Issue {
        code,
        severity,
        object: Some(id),
        face,
        place,
        text,
        fix: None,
    });
    false
}

/// Makes solids of sound brushes; the planes get their numbers in the order of the list. SUBTRACT brushes come out as solids
/// of their own: [`crate::compiler::carve`] uses them up.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(crate) fn of_brushes(
    doc: &Document,
    sources: &[Source<'_>],
    progress: &Progress,
) -> Result<Solids, Cancelled> {
    let surfaces: Vec<Vec<Arc<Surface>>> = sources
        .par_iter()
        .map(|source| {
            progress.check()?;
            let class = Class::of(source.brush.contents());
            Ok(source
                .brush
                .faces()
                .iter()
                .zip(0..)
                .map(|(face, index)| Arc::new(surface(doc, face, class, (source.id, index))))
                .collect())
        })
        .collect::<Result<_, Cancelled>>()?;
    let mut solids = Solids {
        brushes: sources.len(),
        ..Solids::default()
    };
    for (source, surfaces) in sources.iter().zip(surfaces) {
        progress.check()?;
        let solid = of_brush(&mut solids.planes, source, &surfaces);
        solids.list.push(solid);
    }
    Ok(solids)
}

fn surface(doc: &Document, face: &Face, class: Class, from: (ObjectId, u32)) -> Surface {
    let material = face.material.and_then(|id| doc.material(id));
    let flags = face.flags | material.map_or(SurfaceFlags::default(), |material| material.flags);
    let is_sky = class == Class::Sky || flags.has(SurfaceFlags::SKY);
    // A batch can say "sky" only through its material.
    let shows_sky = material.is_some_and(|material| material.flags.has(SurfaceFlags::SKY));
    let drawn =
        !flags.has(SurfaceFlags::NODRAW) && class != Class::Unseen && (!is_sky || shows_sky);
    let frame = face.frame(doc.tile_size(face.material));
    let material = face.material.filter(|_| material.is_some());
    Surface {
        material,
        flags,
        frame,
        from,
        drawn,
    }
}

fn of_brush(planes: &mut Planes, source: &Source<'_>, surfaces: &[Arc<Surface>]) -> Solid {
    let (brush, hull) = (source.brush, source.brush.hull());
    let mut taken: Vec<PlaneId> = Vec::with_capacity(brush.faces().len());
    let mut sides = Vec::with_capacity(brush.faces().len());
    for (index, (face, surface)) in brush.faces().iter().zip(surfaces).enumerate() {
        let corners: Vec<DVec3> = hull.face_points(index).collect();
        let Some(stored) = face.plane.unit().filter(|_| corners.len() >= 3) else {
            continue;
        };
        let plane = planes.of_face(stored, &corners, &taken);
        taken.push(plane);
        sides.push(Side {
            plane,
            stored,
            surface: surface.clone(),
            corners: &hull.loops()[index],
        });
    }
    let faces = linked(planes, hull.points(), sides);
    solid(source, brush.contents(), hull.bounds(), faces)
}

pub(crate) struct Side<'a> {
    pub(crate) plane: PlaneId,
    pub(crate) stored: Plane,
    pub(crate) surface: Arc<Surface>,
    pub(crate) corners: &'a [u32],
}

fn solid(source: &Source<'_>, contents: Contents, bounds: Aabb, faces: Vec<SolidFace>) -> Solid {
    let mut see_through: Vec<Option<MaterialId>> = faces
        .iter()
        .filter(|face| {
            face.surface
                .flags
                .has(SurfaceFlags::TRANSLUCENT | SurfaceFlags::MASKED)
        })
        .map(|face| face.surface.material)
        .collect();
    see_through.sort_unstable();
    see_through.dedup();
    let class = Class::of(contents);
    Solid {
        id: source.id,
        model: source.model,
        contents,
        class,
        flags: source.flags,
        bounds,
        see_through,
        faces,
    }
}

/// Faces whose edges know the plane on the other side; notes the corners by the planes that meet there.
pub(crate) fn linked(
    planes: &mut Planes,
    points: &[DVec3],
    sides: Vec<Side<'_>>,
) -> Vec<SolidFace> {
    let mut edges: Vec<(u32, u32, PlaneId)> = Vec::with_capacity(sides.len() * 4);
    for side in &sides {
        for (i, &a) in side.corners.iter().enumerate() {
            edges.push((a, side.corners[(i + 1) % side.corners.len()], side.plane));
        }
    }
    edges.sort_unstable();
    let across = |a: u32, b: u32| {
        let at = edges.partition_point(|edge| (edge.0, edge.1) < (b, a));
        edges
            .get(at)
            .filter(|edge| (edge.0, edge.1) == (b, a))
            .map(|edge| edge.2)
    };
    let mut faces = Vec::with_capacity(sides.len());
    for side in &sides {
        let corners: Vec<Corner> = side
            .corners
            .iter()
            .enumerate()
            .map(|(i, &a)| {
                let b = side.corners[(i + 1) % side.corners.len()];
                let (from, to) = (points[a as usize], points[b as usize]);
                // Merged corners can leave an edge without its partner; then a plane upright on the face serves.
                let edge = across(a, b).unwrap_or_else(|| {
                    let normal = (to - from).cross(planes.get(side.plane).normal);
                    planes.insert(Plane::through(from, normal).unwrap_or(side.stored))
                });
                Corner { at: from, edge }
            })
            .collect();
        for (i, corner) in corners.iter().enumerate() {
            let before = corners[(i + corners.len() - 1) % corners.len()].edge;
            planes.note_corner([side.plane, before, corner.edge], corner.at);
        }
        faces.push(SolidFace {
            plane: side.plane,
            stored: side.stored,
            surface: side.surface.clone(),
            corners,
        });
    }
    faces
}

impl Solid {
    /// Every corner of every face, corners of several faces several times.
    pub(crate) fn points(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.faces
            .iter()
            .flat_map(|face| face.corners.iter().map(|corner| corner.at))
    }
}
