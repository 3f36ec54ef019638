//! What the bake knows of the map: lights, what casts shadows, where the sky is, what is solid.

use std::sync::Arc;

use glam::DVec3;

use crate::compiler::Bsp;
use crate::compiler::GivenLight;
use crate::compiler::Light;
use crate::compiler::ModelMesh;
use crate::compiler::Patch;
use crate::compiler::display;
use crate::compiler::raycast::TriangleTree;
use crate::document::Contents;
use crate::document::Document;
use crate::document::Kind;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::SurfaceFlags;
use crate::geometry::Aabb;

/// Surfaces that light passes through.
const CLEAR: SurfaceFlags =
    SurfaceFlags(SurfaceFlags::NO_SHADOW.0 | SurfaceFlags::SKY.0 | SurfaceFlags::TRANSLUCENT.0);

/// Everything that light depends on, prepared for many points.
pub struct BakeScene<'a> {
    pub(super) lights: Vec<Light>,
    /// Where it says something, nothing else counts.
    pub(super) given: Option<Arc<GivenLight>>,
    /// Linear.
    pub(super) ambient: DVec3,
    pub(super) units_per_meter: f64,
    /// What blocks light.
    pub(super) opaque: TriangleTree,
    /// Where sun comes in.
    pub(super) sky: TriangleTree,
    /// Units; how far a ray to a sun goes.
    pub(super) far: f64,
    bsp: &'a Bsp,
    /// Per collision brush of the tree: is the inside dark?
    dark: Vec<bool>,
}

impl<'a> BakeScene<'a> {
    /// `meshes` are the drawn surfaces of all models as they stand before the bake: they cast shadows where their flags allow.
    /// Faces that cast but are not drawn (NODRAW) are taken from the document.
    #[must_use]
    pub fn new(doc: &Document, lights: Vec<Light>, meshes: &[ModelMesh], bsp: &'a Bsp) -> Self {
        let mut casters = Casters::default();
        for mesh in meshes {
            for patch in &mesh.patches {
                casters.add_patch(doc, mesh, patch);
            }
        }
        casters.add_undrawn(doc);
        let settings = doc.settings();
        let units_per_meter = f64::from(settings.units_per_meter);
        let extent = casters.bounds();
        let half = if extent.is_empty() {
            1.0
        } else {
            extent.min.abs().max(extent.max.abs()).max_element()
        };
        let dark = bsp
            .brushes
            .iter()
            .map(|brush| is_dark(doc, brush.contents, brush.source_id))
            .collect();
        Self {
            lights,
            given: None,
            ambient: display::decode_rgb(settings.ambient.as_dvec3()),
            units_per_meter: if units_per_meter > 0.0 && units_per_meter.is_finite() {
                units_per_meter
            } else {
                32.0
            },
            opaque: TriangleTree::build(&casters.opaque),
            sky: TriangleTree::build(&casters.sky),
            far: 4.0 * power_of_two_above(half),
            bsp,
            dark,
        }
    }

    /// `base` of the sampling lengths, in units.
    pub(super) fn base_units(&self) -> f64 {
        crate::compiler::base_units(self.units_per_meter as f32)
    }

    /// True when the point is inside something that light does not enter.
    pub(super) fn is_dark(&self, point: DVec3) -> bool {
        crate::compiler::trace::brushes_at(self.bsp, point).any(|brush| self.dark[brush])
    }
}

/// The smallest power of two that is at least `value`, at least 1 (and at most 2^40).
fn power_of_two_above(value: f64) -> f64 {
    let mut power = 1.0;
    while power < value && power < 1e12 {
        power *= 2.0;
    }
    power
}

/// Light rays have mask 1 (D22); a brush with a clear side is light inside.
fn is_dark(doc: &Document, contents: u32, source: u32) -> bool {
    if contents & Contents::SOLID.0 == 0 || contents & Contents::SKY.0 != 0 {
        return false;
    }
    let Some(object) = ObjectId::new(source).and_then(|id| doc.object(id)) else {
        return true;
    };
    let clear_face = |face: &crate::document::Face| face_flags(doc, face).has(CLEAR);
    !object.flags.has(ObjectFlags::NO_SHADOW)
        && !object
            .brush()
            .is_some_and(|brush| brush.faces().iter().any(clear_face))
}

fn face_flags(doc: &Document, face: &crate::document::Face) -> SurfaceFlags {
    let material = face.material.and_then(|id| doc.material(id));
    material.map_or(face.flags, |material| face.flags | material.flags)
}

/// Triangles that rays can meet.
#[derive(Default)]
struct Casters {
    opaque: Vec<[DVec3; 3]>,
    sky: Vec<[DVec3; 3]>,
}

impl Casters {
    fn add_patch(&mut self, doc: &Document, mesh: &ModelMesh, patch: &Patch) {
        let from = || patch.from.iter().filter_map(|(id, _)| doc.object(*id));
        let is_sky = patch.flags.has(SurfaceFlags::SKY)
            || from().any(|object| {
                object
                    .brush()
                    .is_some_and(|brush| brush.contents().has(Contents::SKY))
            });
        let casts = !patch.flags.has(CLEAR)
            && from().any(|object| {
                !object.flags.has(ObjectFlags::NO_SHADOW)
                    && match &object.kind {
                        Kind::Brush(brush) => brush.contents().has(Contents::SOLID),
                        Kind::Mesh(_) => true,
                        Kind::Entity(_) | Kind::Group(_) => false,
                    }
            });
        let list = if is_sky {
            &mut self.sky
        } else if casts {
            &mut self.opaque
        } else {
            return;
        };
        let place = |vertex: u32| mesh.positions[patch.vertices[vertex as usize].position as usize];
        list.extend(patch.triangles.iter().map(|triangle| triangle.map(place)));
    }

    /// Faces of brushes that have no triangles: NODRAW ones that cast, and those that are sky only by their own bit.
    fn add_undrawn(&mut self, doc: &Document) {
        for (id, object) in doc.objects() {
            let Some(brush) = object.brush() else {
                continue;
            };
            if brush.fault().is_some()
                || object.flags.has(ObjectFlags::SUBTRACT)
                || doc.is_left_out(id)
            {
                continue;
            }
            let casts =
                brush.contents().has(Contents::SOLID) && !object.flags.has(ObjectFlags::NO_SHADOW);
            for (index, face) in brush.faces().iter().enumerate() {
                let flags = face_flags(doc, face);
                let list = if flags.has(SurfaceFlags::SKY) || brush.contents().has(Contents::SKY) {
                    &mut self.sky
                } else if casts && flags.has(SurfaceFlags::NODRAW) && !flags.has(CLEAR) {
                    &mut self.opaque
                } else {
                    continue;
                };
                let corners: Vec<DVec3> = brush.hull().face_points(index).collect();
                list.extend(
                    corners
                        .windows(2)
                        .skip(1)
                        .map(|pair| [corners[0], pair[0], pair[1]]),
                );
            }
        }
    }

    fn bounds(&self) -> Aabb {
        Aabb::of_points(
            self.opaque
                .iter()
                .chain(&self.sky)
                .flatten()
                .copied()
                .filter(|corner| corner.is_finite()),
        )
    }
}
