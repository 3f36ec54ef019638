//! From merged polygons to the triangulated surface of each model (base cut, S5).

use glam::DVec3;
use glam::Vec2;

use crate::compiler::BatchSource;
use crate::compiler::ModelMesh;
use crate::compiler::Patch;
use crate::compiler::PatchUv;
use crate::compiler::PatchVertex;
use crate::compiler::merge::Poly;
use crate::compiler::models::reversed;
use crate::compiler::planes::Planes;
use crate::compiler::solids::Class;
use crate::compiler::tjunction;
use crate::compiler::weld;
use crate::document::SurfaceFlags;
use crate::task::Cancelled;
use crate::task::Progress;

/// Welds the polygons of one model, makes edges meet corner to corner, and triangulates. Returns the mesh and how many
/// vertices were put into edges.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(crate) fn of_polys(
    model: u32,
    polys: Vec<Poly>,
    planes: &Planes,
    base: f64,
    progress: &Progress,
) -> Result<(ModelMesh, usize), Cancelled> {
    let (mut positions, loops) = weld::weld(polys.iter().map(|poly| &poly.points[..]));
    progress.check()?;
    let normals: Vec<DVec3> = polys
        .iter()
        .map(|poly| planes.get(poly.plane).normal)
        .collect();
    let pieces = loops.into_iter().map(|corners| vec![corners]).collect();
    let fixed = positions.len();
    let repaired = tjunction::repaired(
        &mut positions,
        pieces,
        &normals,
        fixed,
        base / 4.0,
        progress,
    )?;
    let mut mesh = ModelMesh {
        model,
        positions,
        patches: Vec::with_capacity(polys.len()),
    };
    for (poly, triangles) in polys.into_iter().zip(repaired.triangles) {
        if triangles.is_empty() {
            continue;
        }
        let two_sided =
            poly.class == Class::Water || poly.surface.flags.has(SurfaceFlags::TWO_SIDED);
        let patch = patch(poly, triangles, planes);
        if two_sided {
            mesh.patches.push(reversed(&patch));
        }
        mesh.patches.push(patch);
    }
    Ok((mesh, repaired.inserted))
}

fn patch(poly: Poly, mut triangles: Vec<[u32; 3]>, planes: &Planes) -> Patch {
    let plane = planes.get(poly.plane);
    let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    for corner in triangles.iter_mut().flatten() {
        // `used` holds every corner.
        *corner = used.partition_point(|&other| other < *corner) as u32;
    }
    let vertex = |position| PatchVertex {
        position,
        normal: plane.normal.as_vec3(),
        uv: Vec2::ZERO,
        rgba: [255; 4],
    };
    let no_shadow = if poly.no_shadow {
        SurfaceFlags::NO_SHADOW
    } else {
        SurfaceFlags::default()
    };
    let flags = poly.surface.flags | no_shadow;
    Patch {
        plane,
        material: poly.surface.material,
        source: BatchSource::BrushFaces,
        flags,
        uv: PatchUv::Frame(poly.surface.frame),
        vertices: used.into_iter().map(vertex).collect(),
        triangles,
        from: poly.from,
        unlit: flags.has(SurfaceFlags::UNLIT | SurfaceFlags::SKY),
    }
}
