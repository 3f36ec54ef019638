//! What belongs to which model: the world is 0, then one per entity that owns compiled geometry (D35).

use glam::DVec3;
use glam::Vec2;
use glam::Vec3;

use crate::compiler::BatchSource;
use crate::compiler::MeshCollision;
use crate::compiler::ModelMesh;
use crate::compiler::Patch;
use crate::compiler::PatchUv;
use crate::compiler::PatchVertex;
use crate::compiler::collision;
use crate::compiler::smooth;
use crate::compiler::solids;
use crate::compiler::solids::Source;
use crate::compiler::solids::WORLD_LIMIT;
use crate::compiler::triangulate::triangulate;
use crate::compiler::weld;
use crate::document::Document;
use crate::document::Issue;
use crate::document::Kind;
use crate::document::Mesh;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::Polygon;
use crate::document::Severity;
use crate::document::SurfaceFlags;
use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// A mesh that is compiled.
pub(crate) struct MeshSource<'a> {
    pub(crate) id: ObjectId,
    pub(crate) model: u32,
    pub(crate) flags: ObjectFlags,
    pub(crate) mesh: &'a Mesh,
}

/// Everything of a document that is compiled, in document order.
pub(crate) struct Sources<'a> {
    /// Entity of each model; `None` = the world, always first.
    pub(crate) models: Vec<Option<ObjectId>>,
    pub(crate) brushes: Vec<Source<'a>>,
    pub(crate) meshes: Vec<MeshSource<'a>>,
}

/// Sorts the objects into models; what is broken or too far away is left out with an issue.
pub(crate) fn sources<'a>(doc: &'a Document, issues: &mut Vec<Issue>) -> Sources<'a> {
    let mut models: Vec<Option<ObjectId>> = vec![None];
    let mut brushes: Vec<(Option<ObjectId>, Source<'a>)> = Vec::new();
    let mut meshes: Vec<(Option<ObjectId>, MeshSource<'a>)> = Vec::new();
    for (id, object) in doc.objects_in_order() {
        match &object.kind {
            Kind::Brush(brush) if !doc.is_left_out(id) && solids::is_sound(id, brush, issues) => {
                let owner = doc.owner(id);
                if !object.flags.has(ObjectFlags::SUBTRACT) {
                    models.push(owner);
                }
                brushes.push((
                    owner,
                    Source {
                        id,
                        model: 0,
                        flags: object.flags,
                        brush,
                    },
                ));
            }
            Kind::Mesh(mesh) if !doc.is_left_out(id) && is_sound(id, mesh, issues) => {
                let owner = doc.owner(id);
                models.push(owner);
                meshes.push((
                    owner,
                    MeshSource {
                        id,
                        model: 0,
                        flags: object.flags,
                        mesh,
                    },
                ));
            }
            _ => {}
        }
    }
    models.sort_unstable();
    models.dedup();
    let index =
        |owner: Option<ObjectId>| models.binary_search(&owner).ok().map(|index| index as u32);
    // A SUBTRACT brush of an entity without other geometry has nothing to carve.
    let brushes = brushes
        .into_iter()
        .filter_map(|(owner, source)| {
            Some(Source {
                model: index(owner)?,
                ..source
            })
        })
        .collect();
    let meshes = meshes
        .into_iter()
        .filter_map(|(owner, source)| {
            Some(MeshSource {
                model: index(owner)?,
                ..source
            })
        })
        .collect();
    Sources {
        models,
        brushes,
        meshes,
    }
}

/// True when the mesh has something to compile; issues name what is broken in it.
fn is_sound(id: ObjectId, mesh: &Mesh, issues: &mut Vec<Issue>) -> bool {
    let mut issue = |code, face, place, text| {
        issues.push(Issue {
            code,
            severity: Severity::Error,
            object: Some(id),
            face,
            place,
            text,
            fix: None,
        });
    };
    if let Some(far) = mesh
        .points
        .iter()
        .find(|point| point.is_finite() && point.abs().max_element() > WORLD_LIMIT)
    {
        issue(
            "C-FAR-MESH",
            None,
            Some(*far),
            format!("Mesh {id} is left out: it reaches beyond {WORLD_LIMIT} units from the origin"),
        );
        return false;
    }
    if mesh.points.iter().any(|point| !point.is_finite()) {
        issue(
            "C-NAN-MESH",
            None,
            None,
            format!("Mesh {id} is left out: a number is not finite"),
        );
        return false;
    }
    let mut any = false;
    for (polygon, index) in mesh.polygons.iter().zip(0u32..) {
        if mesh.is_sound(polygon) {
            any = true;
        } else {
            issue(
                "C-POLYGON",
                Some(index),
                None,
                format!(
                    "Polygon {index} of mesh {id} is left out: it has fewer than three corners, one of them twice, or one that does not exist"
                ),
            );
        }
    }
    any
}

/// Adds the drawn polygons of a mesh to the surface of its model.
pub(crate) fn add_mesh(doc: &Document, source: &MeshSource<'_>, into: &mut ModelMesh) {
    let mesh = source.mesh;
    let first = into.positions.len() as u32;
    let flat: Vec<Option<DVec3>> = mesh
        .polygons
        .iter()
        .map(|polygon| normal_of(mesh, polygon))
        .collect();
    let smoothed = smooth::corner_normals(mesh, &flat);
    let before = into.patches.len();
    for (index, polygon) in mesh.polygons.iter().enumerate() {
        let Some(normal) = flat[index] else { continue };
        let material = polygon.material.and_then(|id| doc.material(id));
        let flags = Mesh::surface(material);
        if flags.has(SurfaceFlags::NODRAW) {
            continue;
        }
        let no_shadow = if source.flags.has(ObjectFlags::NO_SHADOW) {
            SurfaceFlags::NO_SHADOW
        } else {
            SurfaceFlags::default()
        };
        let explicit = polygon.uvs.len() == polygon.corners.len()
            && polygon.uvs.iter().all(|uv| uv.is_finite());
        let proj = if polygon.proj.offset.is_finite()
            && polygon.proj.scale.is_finite()
            && polygon.proj.rotation_deg.is_finite()
        {
            polygon.proj
        } else {
            Default::default()
        };
        let uv = if explicit {
            PatchUv::PerVertex
        } else {
            PatchUv::Frame(proj.frame(normal, false, doc.tile_size(polygon.material)))
        };
        let vertices: Vec<PatchVertex> = polygon
            .corners
            .iter()
            .enumerate()
            .map(|(i, &corner)| PatchVertex {
                position: first + corner,
                normal: smoothed[index][i].as_vec3(),
                uv: if explicit { polygon.uvs[i] } else { Vec2::ZERO },
                rgba: [255; 4],
            })
            .collect();
        let patch = Patch {
            plane: plane_of(mesh, polygon, normal),
            material: polygon.material.filter(|_| material.is_some()),
            source: BatchSource::MeshPolygons,
            flags: flags | no_shadow,
            uv,
            vertices,
            triangles: triangles(mesh, polygon, normal),
            from: vec![(source.id, index as u32)],
            unlit: flags.has(SurfaceFlags::UNLIT | SurfaceFlags::SKY),
        };
        if is_flat(mesh, polygon) {
            into.patches.push(patch);
        } else {
            into.patches.extend(facets(mesh, polygon, &patch));
        }
    }
    if into.patches.len() > before {
        into.positions.extend(&mesh.points);
    }
    for index in before..into.patches.len() {
        if into.patches[index].flags.has(SurfaceFlags::TWO_SIDED) {
            let reversed = reversed(&into.patches[index]);
            into.patches.push(reversed);
        }
    }
}

fn normal_of(mesh: &Mesh, polygon: &Polygon) -> Option<DVec3> {
    let corners = mesh.positions(polygon).filter(|_| mesh.is_sound(polygon))?;
    let (newell, perimeter) = (polygon::newell(&corners), polygon::perimeter(&corners));
    // W-SLIVER of the format's rules.
    (newell.length() >= 1e-9 && newell.length() >= 1e-7 * perimeter * perimeter)
        .then(|| newell.normalize())
}

fn plane_of(mesh: &Mesh, polygon: &Polygon, normal: DVec3) -> Plane {
    let corners = mesh.positions(polygon).unwrap_or_default();
    Plane::new(
        normal,
        normal.dot(polygon::mean(&corners).unwrap_or_default()),
    )
}

/// By the tolerance of W-NONPLANAR.
fn is_flat(mesh: &Mesh, polygon: &Polygon) -> bool {
    let corners = mesh.positions(polygon).unwrap_or_default();
    polygon::off_plane(&corners) <= (1e-4 * polygon::perimeter(&corners)).max(0.01)
}

/// Corner numbers of the polygon's triangles; convex ones are cut well, others by their ears.
fn triangles(mesh: &Mesh, polygon: &Polygon, normal: DVec3) -> Vec<[u32; 3]> {
    let corners = mesh.positions(polygon).unwrap_or_default();
    if !polygon::is_convex(&corners) {
        return polygon::triangles(&corners);
    }
    let numbers: Vec<u32> = (0..corners.len() as u32).collect();
    let mut out = Vec::with_capacity(corners.len() - 2);
    triangulate(&numbers, &corners, normal, weld::EPS_EDGE, &mut out);
    out
}

/// A polygon that is not flat as one flat patch per triangle.
fn facets(mesh: &Mesh, polygon: &Polygon, patch: &Patch) -> Vec<Patch> {
    let facet = |&triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|i| mesh.points[polygon.corners[i as usize] as usize]);
        let plane = Plane::from_points(a, b, c)?;
        let vertices = triangle
            .iter()
            .map(|&i| {
                let vertex = patch.vertices[i as usize];
                let normal = if polygon.smooth == 0 {
                    plane.normal.as_vec3()
                } else {
                    vertex.normal
                };
                PatchVertex { normal, ..vertex }
            })
            .collect();
        Some(Patch {
            plane,
            vertices,
            triangles: vec![[0, 1, 2]],
            ..patch.clone()
        })
    };
    patch.triangles.iter().filter_map(facet).collect()
}

/// The same surface seen from behind.
#[must_use]
pub(crate) fn reversed(patch: &Patch) -> Patch {
    let mut patch = patch.clone();
    patch.plane = patch.plane.flipped();
    for vertex in &mut patch.vertices {
        vertex.normal = -vertex.normal;
    }
    for triangle in &mut patch.triangles {
        triangle.swap(1, 2);
    }
    patch
}

/// What stops movement of a mesh; `None` when nothing of it does.
pub(crate) fn mesh_collision(doc: &Document, source: &MeshSource<'_>) -> Option<MeshCollision> {
    let mesh = source.mesh;
    let mut vertices: Vec<Vec3> = Vec::new();
    if source.flags.has(ObjectFlags::NO_COLLIDE) {
        return None;
    }
    for polygon in &mesh.polygons {
        let flags = Mesh::surface(polygon.material.and_then(|id| doc.material(id)));
        let Some(normal) =
            normal_of(mesh, polygon).filter(|_| !flags.has(SurfaceFlags::NO_COLLIDE))
        else {
            continue;
        };
        for triangle in triangles(mesh, polygon, normal) {
            vertices.extend(
                triangle.map(|i| mesh.points[polygon.corners[i as usize] as usize].as_vec3()),
            );
        }
    }
    let bounds = collision::box3(Aabb::of_points(
        vertices.iter().map(|vertex| vertex.as_dvec3()),
    ));
    (!vertices.is_empty()).then(|| MeshCollision {
        object_id: source.id.get(),
        bounds,
        vertices,
    })
}
