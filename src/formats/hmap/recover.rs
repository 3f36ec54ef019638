//! "Recover brushes" of a runtime-only file (`hmap.md` 4): solids from collision, meshes from what is drawn.

use std::collections::BTreeMap;
use std::collections::HashMap;

use glam::DVec3;
use glam::Vec3;

use crate::compiler::Batch;
use crate::compiler::BatchSource;
use crate::compiler::Cmpl;
use crate::compiler::CollisionBrush;
use crate::compiler::Compiled;
use crate::document::Brush;
use crate::document::Contents;
use crate::document::Document;
use crate::document::Draft;
use crate::document::Face;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Polygon;
use crate::geometry::Aabb;
use crate::geometry::Bvh;
use crate::geometry::Plane;
use crate::geometry::Uv;

/// Polygons of one recovered mesh, at most: larger ones would be slow to edit.
const POLYGONS_PER_MESH: usize = 4096;
/// How far a triangle may lie from the face it shows.
const ON_FACE: f64 = 0.05;

/// A drawn triangle of a brush face.
struct Triangle {
    corners: [DVec3; 3],
    normal: DVec3,
    material: Option<MaterialId>,
    area: f64,
}

/// The document with a brush for each collision brush (same planes and contents, its source's id where that is free) and a mesh
/// for each batch of mesh polygons. Face materials are those of the drawn triangles that lie in the face.
/// Texture coordinates of faces, layers and object names cannot be recovered.
#[must_use]
pub fn recover(compiled: &Compiled, doc: &Document) -> Document {
    let cmpl = &compiled.cmpl;
    let mut draft = doc.edit();
    let materials = doc.material_count();
    for (index, model) in cmpl.models.iter().enumerate() {
        let parent = ObjectId::new(model.entity_id).filter(|&id| doc.entity(id).is_some());
        let triangles = triangles(cmpl, index, materials);
        let by_box = Bvh::build(
            triangles
                .iter()
                .enumerate()
                .map(|(at, triangle)| (at as u32, Aabb::of_points(triangle.corners))),
        );
        let brushes = if index == 0 {
            &cmpl.bsp.brushes
        } else {
            &model.brushes
        };
        for record in brushes {
            put_brush(&mut draft, record, parent, &triangles, &by_box);
        }
    }
    for batch in cmpl
        .batches
        .iter()
        .filter(|batch| batch.source == BatchSource::MeshPolygons)
    {
        let model = usize::try_from(batch.model)
            .ok()
            .and_then(|model| cmpl.models.get(model));
        let parent = model
            .and_then(|model| ObjectId::new(model.entity_id))
            .filter(|&id| doc.entity(id).is_some());
        for corners in batch.indices.chunks(POLYGONS_PER_MESH * 3) {
            let mut object = Object::new(Kind::Mesh(mesh(batch, corners, materials)));
            object.parent = parent;
            if has_room(&draft) {
                draft.insert(object);
            }
        }
    }
    draft.as_read()
}

fn has_room(draft: &Draft) -> bool {
    draft.next_id() < u32::MAX
}

fn material(index: i32, materials: usize) -> Option<MaterialId> {
    u32::try_from(index)
        .ok()
        .filter(|&index| (index as usize) < materials)
        .map(MaterialId)
}

fn triangles(cmpl: &Cmpl, model: usize, materials: usize) -> Vec<Triangle> {
    let mut list = Vec::new();
    let of_model = |batch: &&Batch| {
        batch.source == BatchSource::BrushFaces
            && usize::try_from(batch.model).is_ok_and(|m| m == model)
    };
    for batch in cmpl.batches.iter().filter(of_model) {
        for corners in batch.indices.chunks_exact(3) {
            let corners = [0, 1, 2]
                .map(|corner| batch.vertices[corners[corner] as usize].position.as_dvec3());
            let cross = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let Some(normal) = cross.try_normalize() else {
                continue;
            };
            list.push(Triangle {
                corners,
                normal,
                material: material(batch.material, materials),
                area: cross.length(),
            });
        }
    }
    list
}

fn put_brush(
    draft: &mut Draft,
    record: &CollisionBrush,
    parent: Option<ObjectId>,
    triangles: &[Triangle],
    by_box: &Bvh<u32>,
) {
    let planes: Vec<Plane> = record
        .planes
        .iter()
        .map(|plane| Plane::new(plane.normal.as_dvec3(), f64::from(plane.dist)))
        .collect();
    let bounds =
        Aabb::new(record.bounds.min.as_dvec3(), record.bounds.max.as_dvec3()).grown(ON_FACE);
    let mut near = Vec::new();
    by_box.query(bounds, |triangle| near.push(triangle));
    near.sort_unstable();
    let faces = planes.iter().map(|&plane| {
        let mut areas: BTreeMap<Option<MaterialId>, f64> = BTreeMap::new();
        for triangle in near.iter().map(|&triangle| &triangles[triangle as usize]) {
            let flat = triangle.normal.dot(plane.normal) > 0.99
                && triangle
                    .corners
                    .iter()
                    .all(|&corner| plane.distance(corner).abs() < ON_FACE);
            let center = triangle.corners.iter().sum::<DVec3>() / 3.0;
            if flat && planes.iter().all(|plane| plane.distance(center) < ON_FACE) {
                *areas.entry(triangle.material).or_default() += triangle.area;
            }
        }
        let largest = areas.into_iter().max_by(|(_, a), (_, b)| a.total_cmp(b));
        Face::new(plane, largest.and_then(|(material, _)| material))
    });
    let faces: Vec<Face> = faces.collect();
    let mut object = Object::new(Kind::Brush(Brush::as_stored(
        Contents(record.contents),
        faces,
    )));
    object.parent = parent;
    match ObjectId::new(record.source_id).filter(|&id| is_free(draft, id)) {
        Some(id) => draft.put(id, object),
        None if has_room(draft) => {
            draft.insert(object);
        }
        None => {}
    }
}

fn is_free(draft: &Draft, id: ObjectId) -> bool {
    let number = id.get();
    draft.object(id).is_none()
        && crate::document::LayerId::new(number).is_none_or(|id| draft.layer(id).is_none())
        && crate::document::PathId::new(number).is_none_or(|id| draft.path(id).is_none())
}

/// The triangles at `indices` as a mesh: equal positions are one point, smooth where the vertex normals say so.
fn mesh(batch: &Batch, indices: &[u32], materials: usize) -> Mesh {
    let mut points = Vec::new();
    let mut known: HashMap<[u32; 3], u32> = HashMap::new();
    let mut polygons = Vec::new();
    for corners in indices.chunks_exact(3) {
        let vertices = [0, 1, 2].map(|corner| &batch.vertices[corners[corner] as usize]);
        let [a, b, c] = vertices.map(|vertex| vertex.position);
        let Some(normal) = (b - a).cross(c - a).try_normalize() else {
            continue;
        };
        let corners: Vec<u32> = [a, b, c]
            .map(|position: Vec3| {
                *known
                    .entry(position.to_array().map(f32::to_bits))
                    .or_insert_with(|| {
                        points.push(position.as_dvec3());
                        points.len() as u32 - 1
                    })
            })
            .to_vec();
        let is_smooth = vertices
            .iter()
            .any(|vertex| vertex.normal.dot(normal) < 0.999);
        polygons.push(Polygon {
            material: material(batch.material, materials),
            smooth: u32::from(is_smooth),
            proj: Uv::default(),
            corners,
            uvs: vertices.iter().map(|vertex| vertex.uv).collect(),
        });
    }
    Mesh {
        name: String::new(),
        points,
        polygons,
    }
}
