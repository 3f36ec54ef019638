//! Records of brushes and meshes -> values of the document: references, exact axes and corners.

use std::collections::HashMap;
use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;

use super::extensions::AxesRecord;
use super::extensions::CornersRecord;
use super::extensions::Extensions;
use super::findings::Findings;
use super::rules;
use super::source::BrushRecord;
use super::source::MeshRecord;
use super::source::plane_guard;
use crate::document::Brush;
use crate::document::Contents;
use crate::document::Face;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::ObjectId;
use crate::document::Polygon;
use crate::document::SurfaceFlags;
use crate::geometry::Plane;
use crate::geometry::Uv;
use crate::geometry::UvAxes;

/// What references are checked against.
#[derive(Clone, Copy)]
pub(super) struct References {
    pub materials: usize,
}

impl References {
    fn material(
        self,
        index: i32,
        object: u32,
        at: u64,
        what: std::fmt::Arguments<'_>,
        findings: &mut Findings,
    ) -> Option<MaterialId> {
        if index < -1 || i64::from(index) >= self.materials as i64 {
            let text = format!(
                "{what}: material {index} of {}; it has none now",
                self.materials
            );
            findings.add("E-MATREF", Some(object), Some(at), text);
            return None;
        }
        u32::try_from(index).ok().map(MaterialId)
    }
}

/// Exact axes and corners by place of the brush in the list.
pub(super) struct Exact {
    axes: HashMap<(usize, u32), UvAxes>,
    corners: HashMap<usize, Arc<[Vec3]>>,
}

/// `UVAX` and `BVTX` entries whose guards match. W-STALE, W-UVAX.
pub(super) fn exact_data(
    brushes: &[BrushRecord],
    extensions: &mut Extensions,
    at: [u64; 2],
    findings: &mut Findings,
) -> Exact {
    let mut exact = Exact {
        axes: HashMap::new(),
        corners: HashMap::new(),
    };
    let (axes, corners) = (
        extensions.axes.take().unwrap_or_default(),
        extensions.corners.take().unwrap_or_default(),
    );
    if axes.is_empty() && corners.is_empty() {
        return exact;
    }
    let by_id: HashMap<u32, usize> = brushes
        .iter()
        .enumerate()
        .rev()
        .map(|(index, record)| (record.id, index))
        .collect();
    let before = findings.total();
    for entry in axes {
        let found = by_id
            .get(&entry.brush)
            .copied()
            .filter(|&index| is_guarded(&brushes[index], &entry));
        let Some(index) = found else {
            let text = format!(
                "UVAX of brush {}, face {} is stale and ignored",
                entry.brush, entry.face
            );
            findings.add("W-STALE", Some(entry.brush), Some(at[0]), text);
            continue;
        };
        let axes = entry.axes;
        if !axes.is_storable() {
            let text = format!(
                "UVAX of brush {}, face {}: the axes are parallel or not finite; they are ignored",
                entry.brush, entry.face
            );
            findings.add("W-UVAX", Some(entry.brush), Some(at[0]), text);
            continue;
        }
        exact.axes.entry((index, entry.face)).or_insert(axes);
    }
    if findings.total() > before {
        extensions.noisy.push(*b"UVAX");
    }
    let before = findings.total();
    for CornersRecord {
        brush,
        plane_guard: guard,
        corners,
    } in corners
    {
        let planes_match = |index: &usize| {
            plane_guard(brushes[*index].faces.iter().map(|face| face.plane)) == guard
        };
        match by_id.get(&brush).copied().filter(planes_match) {
            Some(index) if corners.iter().all(|corner| corner.is_finite()) => {
                exact
                    .corners
                    .entry(index)
                    .or_insert_with(|| Arc::from(corners));
            }
            Some(_) => {
                let text =
                    format!("BVTX of brush {brush}: a corner is not finite; the entry is ignored");
                findings.add("W-HINT", Some(brush), Some(at[1]), text);
            }
            None => findings.add(
                "W-STALE",
                Some(brush),
                Some(at[1]),
                format_args!("BVTX of brush {brush} is stale and ignored"),
            ),
        }
    }
    if findings.total() > before {
        extensions.noisy.push(*b"BVTX");
    }
    exact
}

/// The face exists, and its uv is bit for bit the one that the axes were made for.
fn is_guarded(brush: &BrushRecord, entry: &AxesRecord) -> bool {
    let bits = |uv: &Uv| {
        [
            uv.offset.x,
            uv.offset.y,
            uv.scale.x,
            uv.scale.y,
            uv.rotation_deg,
        ]
        .map(f32::to_bits)
    };
    brush.faces.len() as u64 == u64::from(entry.face_count)
        && brush
            .faces
            .get(entry.face as usize)
            .is_some_and(|face| bits(&face.uv) == bits(&entry.guard))
}

/// How far a corner computed from `f32` planes may lie from the exact one (6.6).
fn corner_tolerance(corner: Vec3) -> f64 {
    0.002 + 2e-6 * f64::from(corner.abs().max_element())
}

/// True when each exact corner stands for a corner that the planes make.
fn corners_fit(brush: &Brush, corners: &[Vec3]) -> bool {
    corners.iter().all(|&corner| {
        let exact = corner.as_dvec3();
        brush
            .hull()
            .points()
            .iter()
            .any(|point| point.distance(exact) <= corner_tolerance(corner))
    })
}

/// All brushes in the order of their list. Hulls are made in parallel; the findings keep the order of the list.
pub(super) fn brushes(
    records: &[BrushRecord],
    ids: &[ObjectId],
    mut exact: Exact,
    references: References,
    extensions: &mut Extensions,
    bvtx_at: u64,
    findings: &mut Findings,
) -> Vec<Brush> {
    let mut faces: Vec<Vec<Face>> = Vec::with_capacity(records.len());
    for (index, (record, id)) in records.iter().zip(ids).enumerate() {
        let id = id.get();
        let list = record.faces.iter().enumerate().map(|(number, face)| {
            let at = record.at + 20 + number as u64 * 44;
            Face {
                plane: Plane::new(face.plane.normal.as_dvec3(), f64::from(face.plane.dist)),
                material: references.material(
                    face.material,
                    id,
                    at,
                    format_args!("Brush {id}, face {number}"),
                    findings,
                ),
                uv: rules::uv(
                    face.uv,
                    id,
                    at,
                    format_args!("Brush {id}, face {number}"),
                    findings,
                ),
                axes: exact.axes.remove(&(index, number as u32)),
                flags: SurfaceFlags(face.flags),
            }
        });
        faces.push(list.collect());
    }
    let corners = exact.corners;
    // `None` for exact corners that fit no corner (W-HINT): without them, then.
    let made: Vec<(Brush, bool)> = records
        .par_iter()
        .zip(faces)
        .enumerate()
        .map(|(index, (record, faces))| {
            let contents = Contents(record.contents);
            let Some(corners) = corners.get(&index) else {
                return (Brush::as_stored(contents, faces), true);
            };
            let plain = Brush::as_stored(contents, faces);
            // A broken brush keeps its entry: there is no corner to compare it with.
            let fits = plain.hull().fault().is_some() || corners_fit(&plain, corners);
            let exact = fits.then(|| Arc::clone(corners));
            (
                Brush::with_exact(contents, plain.faces().to_vec(), exact),
                fits,
            )
        })
        .collect();
    let mut list = Vec::with_capacity(made.len());
    for ((made, fits), (record, id)) in made.into_iter().zip(records.iter().zip(ids)) {
        let id = id.get();
        if !fits {
            let text = format!(
                "BVTX of brush {id} names a point that is none of its corners; the entry is ignored"
            );
            findings.add("W-HINT", Some(id), Some(bvtx_at), text);
            extensions.noisy.push(*b"BVTX");
        }
        rules::brush(record, &made, id, findings);
        list.push(made);
    }
    list
}

pub(super) fn mesh(
    record: MeshRecord,
    id: u32,
    references: References,
    findings: &mut Findings,
) -> Mesh {
    let polygons = record
        .polygons
        .into_iter()
        .enumerate()
        .map(|(index, polygon)| {
            let what = format_args!("Mesh {id}, polygon {index}");
            let uvs_ok = rules::corner_uvs_ok(&polygon, id, index, findings);
            Polygon {
                material: references.material(polygon.material, id, polygon.at, what, findings),
                smooth: polygon.smooth,
                proj: rules::uv(polygon.proj, id, polygon.at, what, findings),
                corners: polygon.corners,
                uvs: if uvs_ok { polygon.uvs } else { Vec::new() },
            }
        });
    let polygons = polygons.collect();
    Mesh {
        name: record.name,
        points: record.points.iter().map(|point| point.as_dvec3()).collect(),
        polygons,
    }
}
