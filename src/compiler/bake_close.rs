//! Closes what refining opened: vertices that lie beside an edge become corners of it, as before the bake (S5).
//!
//! Edges that part slowly, as those of slivers and of round things do, are different edges to the refiner. A vertex that it
//! puts into one of them near their common end lies on the other one for all that can be seen.

use glam::DVec3;

use crate::compiler::BatchSource;
use crate::compiler::ModelMesh;
use crate::compiler::Patch;
use crate::compiler::PatchVertex;
use crate::compiler::bake_mesh::NONE;
use crate::compiler::bake_mesh::between;
use crate::compiler::display;
use crate::compiler::hash::FastMap;
use crate::compiler::tjunction;
use crate::compiler::tjunction::Added;
use crate::compiler::weld;
use crate::task::Cancelled;
use crate::task::Progress;

/// Welds new vertices of brush faces to near ones and repairs T-junctions of brush faces. `class` numbers the planes of the
/// patches: patches of one class have the same light at the same place. Positions below `fixed` were there before the bake. `cell` is the size of the look-up grid in units.
///
/// # Errors
/// [`Cancelled`] by `progress`.
pub(super) fn close(
    mesh: &mut ModelMesh,
    class: &[u32],
    fixed: usize,
    cell: f64,
    progress: &Progress,
) -> Result<(), Cancelled> {
    weld_positions(mesh);
    progress.check()?;
    let of_brushes: Vec<usize> = (0..mesh.patches.len())
        .filter(|&index| mesh.patches[index].source == BatchSource::BrushFaces)
        .collect();
    let pieces = of_brushes
        .iter()
        .map(|&index| loops(&mesh.patches[index]))
        .collect();
    let normals: Vec<DVec3> = of_brushes
        .iter()
        .map(|&index| mesh.patches[index].plane.normal)
        .collect();
    let repaired =
        tjunction::repaired(&mut mesh.positions, pieces, &normals, fixed, cell, progress)?;
    let mut light = known_light(mesh, class, &of_brushes, &repaired.added);
    for ((index, triangles), added) in of_brushes
        .into_iter()
        .zip(repaired.triangles)
        .zip(repaired.added)
    {
        let patch = &mut mesh.patches[index];
        let mut vertex_at: FastMap<u32, u32> = FastMap::default();
        for (vertex, number) in patch.vertices.iter().zip(0..) {
            vertex_at.entry(vertex.position).or_insert(number);
        }
        for Added { corner, between } in added {
            if vertex_at.contains_key(&corner) {
                continue;
            }
            let ends = between.map(|end| patch.vertices[vertex_at[&end] as usize]);
            let mut vertex = inserted(&mesh.positions, patch.plane.normal, corner, ends);
            if class[index] != NONE {
                vertex.rgba = *light.entry((class[index], corner)).or_insert(vertex.rgba);
            }
            vertex_at.insert(corner, patch.vertices.len() as u32);
            patch.vertices.push(vertex);
        }
        patch.triangles.clear();
        let numbered = |corners: [u32; 3]| corners.map(|corner| vertex_at[&corner]);
        patch.triangles.extend(triangles.into_iter().map(numbered));
    }
    Ok(())
}

/// Vertices of brush faces within the welding distance take the position of the lowest.
fn weld_positions(mesh: &mut ModelMesh) {
    let mut used = vec![false; mesh.positions.len()];
    let of_brushes = |patch: &&Patch| patch.source == BatchSource::BrushFaces;
    for patch in mesh.patches.iter().filter(of_brushes) {
        for vertex in &patch.vertices {
            used[vertex.position as usize] = true;
        }
    }
    let mut welder = weld::Welder::default();
    // By number of the welder: the position that it stands for.
    let mut firsts: Vec<u32> = Vec::new();
    let into: Vec<u32> = (0..)
        .zip(mesh.positions.iter().zip(used))
        .map(|(index, (&position, used))| {
            if !used {
                return index;
            }
            let number = welder.add(position) as usize;
            if number == firsts.len() {
                firsts.push(index);
            }
            firsts[number]
        })
        .collect();
    for patch in &mut mesh.patches {
        for vertex in &mut patch.vertices {
            vertex.position = into[vertex.position as usize];
        }
    }
}

/// The triangles of a patch as loops of positions, without those that welding left nothing of.
fn loops(patch: &Patch) -> Vec<Vec<u32>> {
    patch
        .triangles
        .iter()
        .map(|corners| corners.map(|corner| patch.vertices[corner as usize].position))
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .map(Vec::from)
        .collect()
}

/// Light that patches have already where others of their class get a vertex.
fn known_light(
    mesh: &ModelMesh,
    class: &[u32],
    of_brushes: &[usize],
    added: &[Vec<Added>],
) -> FastMap<(u32, u32), [u8; 4]> {
    let mut wanted: Vec<(u32, u32)> = Vec::new();
    for (&index, added) in of_brushes.iter().zip(added) {
        wanted.extend(added.iter().map(|added| (class[index], added.corner)));
    }
    wanted.sort_unstable();
    wanted.dedup();
    let mut light = FastMap::default();
    for &index in of_brushes {
        for vertex in &mesh.patches[index].vertices {
            let key = (class[index], vertex.position);
            if wanted.binary_search(&key).is_ok() {
                light.entry(key).or_insert(vertex.rgba);
            }
        }
    }
    light
}

/// A vertex on the way between two others.
fn inserted(
    positions: &[DVec3],
    plane_normal: DVec3,
    position: u32,
    [a, b]: [PatchVertex; 2],
) -> PatchVertex {
    let [from, to] = [a, b].map(|end| positions[end.position as usize]);
    let way = to - from;
    let share = (positions[position as usize] - from).dot(way) / way.length_squared();
    let share = if share.is_finite() { share } else { 0.0 };
    let mix = |k: usize| {
        let [a, b] = [a, b].map(|end| display::decode(f64::from(end.rgba[k]) / 255.0));
        (display::encode(a + (b - a) * share) * 255.0).round() as u8
    };
    let mut vertex = between(plane_normal.as_vec3(), a, b, share as f32, position);
    vertex.rgba = [mix(0), mix(1), mix(2), 255];
    vertex
}
