//! The rules of `CMPL` (`hmap.md` 5): references, triangles, boxes, lights. The tree has its own file.
//!
//! What is only a warning is put right in the structs, as the rule says; an error makes the caller drop the whole chunk (D30).

use std::collections::BTreeSet;

use glam::DVec3;
use glam::Vec3;

use super::findings::Findings;
use super::verify_tree;
use super::verify_tree::SourceSolid;
use crate::compiler::Batch;
use crate::compiler::Box3;
use crate::compiler::Cmpl;
use crate::compiler::LightKind;
use crate::compiler::MeshCollision;

/// How far a stored box may be off, in units.
pub(super) const BOX_TOLERANCE: f32 = 0.05;
/// How far the length of a plane's normal may be from 1.
pub(super) const UNIT_TOLERANCE: f64 = 1e-3;
/// The same for vertex normals and light directions.
const NORMAL_TOLERANCE: f32 = 0.01;

/// What `CMPL` refers to.
pub(super) struct Surroundings<'a> {
    pub materials: usize,
    /// Ids in `ENTS`.
    pub entities: &'a BTreeSet<u32>,
    /// The world's solid source brushes to compare with; `None` when there are none, or they are carved.
    pub world: Option<&'a [SourceSolid]>,
    /// Offset of the chunk.
    pub at: u64,
}

/// Checks a decoded `CMPL` and mends what is only a warning.
pub(super) fn verify(cmpl: &mut Cmpl, around: &Surroundings<'_>, findings: &mut Findings) {
    let at = Some(around.at);
    if !cmpl.ambient.is_finite() || cmpl.ambient.min_element() < 0.0 {
        findings.add(
            "E-NAN",
            None,
            at,
            "Compiled ambient is negative or not finite",
        );
    }
    if !(cmpl.units_per_meter > 0.0 && cmpl.units_per_meter.is_finite()) {
        findings.add(
            "E-NAN",
            None,
            at,
            "Compiled unitsPerMeter is not a number above 0",
        );
    }
    let bounds_ok = box_rules(&cmpl.bounds, format_args!("Map bounds"), at, findings);
    models(cmpl, around, findings);
    let boxes: Vec<Box3> = cmpl.models.iter().map(|model| model.bounds).collect();
    for (index, batch) in cmpl.batches.iter_mut().enumerate() {
        let map_bounds = bounds_ok.then_some(&cmpl.bounds);
        let baked = cmpl.baked != 0;
        batch_rules(
            batch,
            index,
            &BatchSurroundings {
                map_bounds,
                models: &boxes,
                baked,
                materials: around.materials,
                at,
            },
            findings,
        );
    }
    verify_tree::verify(&mut cmpl.bsp, around.world, at, findings);
    for (index, mesh) in cmpl.mesh_collisions.iter().enumerate() {
        mesh_rules(mesh, index, at, findings);
    }
    lights(cmpl, around, findings);
}

/// Finite and min <= max.
pub(super) fn box_rules(
    bounds: &Box3,
    what: std::fmt::Arguments<'_>,
    at: Option<u64>,
    findings: &mut Findings,
) -> bool {
    if !bounds.min.is_finite() || !bounds.max.is_finite() {
        findings.add(
            "E-NAN",
            None,
            at,
            format_args!("{what}: the box is not finite"),
        );
        return false;
    }
    if !bounds.min.cmple(bounds.max).all() {
        findings.add(
            "E-AABB",
            None,
            at,
            format_args!("{what}: box min {} exceeds max {}", bounds.min, bounds.max),
        );
        return false;
    }
    true
}

fn holds(bounds: &Box3, point: Vec3) -> bool {
    point.cmpge(bounds.min - BOX_TOLERANCE).all() && point.cmple(bounds.max + BOX_TOLERANCE).all()
}

fn models(cmpl: &mut Cmpl, around: &Surroundings<'_>, findings: &mut Findings) {
    let at = Some(around.at);
    match cmpl.models.first_mut() {
        None => findings.add("E-MODEL", None, at, "There is no model 0, the world"),
        Some(world) => {
            if world.entity_id != 0 {
                let text = format!(
                    "Model 0 belongs to entity {}, but is the world",
                    world.entity_id
                );
                findings.add("E-MODEL", Some(world.entity_id), at, text);
            }
            // D35: the world's are in the tree; others do not count.
            world.brushes.clear();
        }
    }
    let mut seen = BTreeSet::new();
    for (index, model) in cmpl.models.iter().enumerate() {
        let what = format!("Model {index}");
        box_rules(&model.bounds, format_args!("{what}"), at, findings);
        if index > 0 && !around.entities.contains(&model.entity_id) {
            findings.add(
                "E-ENTREF",
                Some(model.entity_id),
                at,
                format_args!("{what}: entity {} is not in ENTS", model.entity_id),
            );
        }
        if index > 0 && !seen.insert(model.entity_id) {
            findings.add(
                "E-MODEL",
                Some(model.entity_id),
                at,
                format_args!("Entity {} has two models", model.entity_id),
            );
        }
        verify_tree::brush_rules(&model.brushes, &what, at, findings);
    }
}

struct BatchSurroundings<'a> {
    map_bounds: Option<&'a Box3>,
    models: &'a [Box3],
    baked: bool,
    materials: usize,
    at: Option<u64>,
}

fn batch_rules(
    batch: &mut Batch,
    index: usize,
    around: &BatchSurroundings<'_>,
    findings: &mut Findings,
) {
    let at = around.at;
    if batch.material < -1 || i64::from(batch.material) >= around.materials as i64 {
        findings.add(
            "E-MATREF",
            None,
            at,
            format_args!(
                "Batch {index}: material {} of {}",
                batch.material, around.materials
            ),
        );
    }
    let model = usize::try_from(batch.model)
        .ok()
        .and_then(|model| around.models.get(model));
    if model.is_none() {
        findings.add(
            "E-MODELREF",
            None,
            at,
            format_args!(
                "Batch {index}: model {} of {}",
                batch.model,
                around.models.len()
            ),
        );
    }
    if !batch.indices.len().is_multiple_of(3) {
        let text = format!(
            "Batch {index}: {} indices are no triangles",
            batch.indices.len()
        );
        findings.add("E-TRIS", None, at, text);
    }
    if let Some(over) = batch
        .indices
        .iter()
        .find(|&&corner| corner as usize >= batch.vertices.len())
    {
        findings.add(
            "E-INDEX",
            None,
            at,
            format_args!(
                "Batch {index}: index {over} of {} vertices",
                batch.vertices.len()
            ),
        );
        return;
    }
    if batch.indices.is_empty() {
        findings.add(
            "W-EMPTYBATCH",
            None,
            at,
            format_args!("Batch {index} draws nothing"),
        );
    }
    let mut all_finite = true;
    for (corner, vertex) in batch.vertices.iter_mut().enumerate() {
        if !(vertex.position.is_finite() && vertex.normal.is_finite() && vertex.uv.is_finite()) {
            findings.add(
                "E-NAN",
                None,
                at,
                format_args!("Batch {index}: vertex {corner} is not finite"),
            );
            all_finite = false;
            continue;
        }
        let length = vertex.normal.length();
        if (length - 1.0).abs() > NORMAL_TOLERANCE {
            findings.add(
                "W-UNIT",
                None,
                at,
                format_args!("Batch {index}: the normal of vertex {corner} has length {length}"),
            );
            vertex.normal = vertex.normal.normalize_or(Vec3::Y);
        }
        if around
            .map_bounds
            .is_some_and(|bounds| !holds(bounds, vertex.position))
        {
            let text = format!(
                "Batch {index}: vertex {corner} {} lies outside the map bounds",
                vertex.position
            );
            findings.add("E-BOUNDS", None, at, text);
        }
        if model.is_some_and(|bounds| {
            bounds.min.is_finite() && bounds.max.is_finite() && !holds(bounds, vertex.position)
        }) {
            let text = format!(
                "Batch {index}: vertex {corner} {} lies outside its model's box",
                vertex.position
            );
            findings.add("E-BOUNDS", None, at, text);
        }
        if !around.baked && vertex.rgba != [255; 4] {
            findings.add(
                "W-WHITE",
                None,
                at,
                format_args!("Batch {index}: not baked, but vertex {corner} is coloured"),
            );
        }
    }
    if all_finite {
        triangle_rules(batch, index, at, findings);
    }
}

fn triangle_rules(batch: &Batch, index: usize, at: Option<u64>, findings: &mut Findings) {
    for (triangle, corners) in batch.indices.chunks_exact(3).enumerate() {
        let [a, b, c] = [0, 1, 2].map(|corner| &batch.vertices[corners[corner] as usize]);
        let [pa, pb, pc] = [a, b, c].map(|vertex| vertex.position.as_dvec3());
        let cross = (pb - pa).cross(pc - pa);
        let normals: DVec3 = [a, b, c]
            .map(|vertex| vertex.normal.as_dvec3())
            .into_iter()
            .sum();
        if cross.length() < 1e-9 {
            findings.add(
                "W-SLIVER",
                None,
                at,
                format_args!("Batch {index}: triangle {triangle} has no area"),
            );
        } else if cross.dot(normals) < 0.0 {
            findings.add(
                "E-WINDING",
                None,
                at,
                format_args!("Batch {index}: triangle {triangle} is wound against its normals"),
            );
        }
    }
}

fn mesh_rules(mesh: &MeshCollision, index: usize, at: Option<u64>, findings: &mut Findings) {
    let object = Some(mesh.object_id);
    let finite = mesh.vertices.iter().all(|vertex| vertex.is_finite());
    if !finite {
        findings.add(
            "E-NAN",
            object,
            at,
            format_args!("Mesh collision {index}: a vertex is not finite"),
        );
    }
    let box_ok = box_rules(
        &mesh.bounds,
        format_args!("Mesh collision {index}"),
        at,
        findings,
    );
    if box_ok
        && finite
        && !mesh
            .vertices
            .iter()
            .all(|&vertex| holds(&mesh.bounds, vertex))
    {
        findings.add(
            "E-AABB",
            object,
            at,
            format_args!("Mesh collision {index}: a vertex lies outside the box"),
        );
    }
    if !mesh.vertices.len().is_multiple_of(3) {
        let text = format!(
            "Mesh collision {index}: {} vertices are no triangles",
            mesh.vertices.len()
        );
        findings.add("E-TRIS", object, at, text);
    }
}

fn lights(cmpl: &mut Cmpl, around: &Surroundings<'_>, findings: &mut Findings) {
    let at = Some(around.at);
    for (index, light) in cmpl.lights.iter_mut().enumerate() {
        let object = (light.entity_id != 0).then_some(light.entity_id);
        let numbers = [
            light.intensity,
            light.radius,
            light.inner_deg,
            light.outer_deg,
        ];
        let vectors = [light.position, light.direction, light.color];
        if !(numbers.iter().all(|number| number.is_finite())
            && vectors.iter().all(|vector| vector.is_finite()))
        {
            findings.add(
                "E-NAN",
                object,
                at,
                format_args!("Light {index} has a number that is not finite"),
            );
            continue;
        }
        let length = light.direction.length();
        if light.kind != LightKind::Point && (length - 1.0).abs() > NORMAL_TOLERANCE {
            findings.add(
                "E-LIGHT",
                object,
                at,
                format_args!("Light {index}: its direction has length {length}"),
            );
        }
        if light.intensity < 0.0 || light.radius < 0.0 || light.color.min_element() < 0.0 {
            findings.add(
                "W-LIGHT",
                object,
                at,
                format_args!("Light {index}: a negative value is read as 0"),
            );
            light.intensity = light.intensity.max(0.0);
            light.radius = light.radius.max(0.0);
            light.color = light.color.max(Vec3::ZERO);
        }
        let cone_ok = 0.0 <= light.inner_deg
            && light.inner_deg <= light.outer_deg
            && light.outer_deg <= 180.0;
        if light.kind == LightKind::Spot && !cone_ok {
            let text = format!(
                "Light {index}: cone {} to {} degrees",
                light.inner_deg, light.outer_deg
            );
            findings.add("E-LIGHT", object, at, text);
        }
        if light.entity_id != 0 && !around.entities.contains(&light.entity_id) {
            findings.add(
                "E-ENTREF",
                object,
                at,
                format_args!("Light {index}: entity {} is not in ENTS", light.entity_id),
            );
        }
    }
}
