//! `CMPL` and the chunks tied to it, read and written field for field (`hmap.md` 3, 6.9 to 6.11).

use glam::Vec2;

use super::container::Fields;
use super::extensions::EXTENSION_VERSION;
use super::findings::Findings;
use crate::compiler::Batch;
use crate::compiler::BatchSource;
use crate::compiler::Box3;
use crate::compiler::Bsp;
use crate::compiler::Cmpl;
use crate::compiler::CollisionBrush;
use crate::compiler::Leaf;
use crate::compiler::LightKind;
use crate::compiler::LightRecord;
use crate::compiler::LightmapPage;
use crate::compiler::Lightmaps;
use crate::compiler::MeshCollision;
use crate::compiler::Model;
use crate::compiler::Node;
use crate::compiler::Plane3;
use crate::compiler::Vertex;
use crate::compiler::Visibility;
use crate::formats::Read;
use crate::formats::writer::Writer;

/// Decodes `CMPL`. Values that the types cannot hold (E-SOURCE, light types of E-LIGHT, W-BAKED) are reported here, every other
/// rule by `verify`.
pub(super) fn read(fields: &mut Fields<'_>, findings: &mut Findings) -> Read<Cmpl> {
    let ambient = fields.vec3("compiled ambient")?;
    let units_per_meter = fields.f32("compiled unitsPerMeter")?;
    let at = fields.offset();
    let mut baked = fields.u8("baked")?;
    if baked > 1 {
        findings.add(
            "W-BAKED",
            None,
            Some(at),
            format_args!("baked is {baked}, read as 1"),
        );
        baked = 1;
    }
    let bounds = fields.bounds("map bounds")?;
    let batches = fields.list("batch count", 17, |fields| batch(fields, findings))?;
    let models = fields.list("model count", 32, |fields| {
        Ok(Model {
            entity_id: fields.u32("model entity")?,
            bounds: fields.bounds("model box")?,
            brushes: fields.list("model brush count", 36, collision_brush)?,
        })
    })?;
    let bsp = bsp(fields)?;
    let mesh_collisions = fields.list("mesh collision count", 32, |fields| {
        Ok(MeshCollision {
            object_id: fields.u32("mesh collision object")?,
            bounds: fields.bounds("mesh collision box")?,
            vertices: fields.list("mesh collision vertex count", 12, |fields| {
                fields.vec3("mesh collision vertex")
            })?,
        })
    })?;
    let lights = fields.list("light count", 57, |fields| light(fields, findings))?;
    Ok(Cmpl {
        ambient,
        units_per_meter,
        baked,
        bounds,
        batches,
        models,
        bsp,
        mesh_collisions,
        lights,
    })
}

fn batch(fields: &mut Fields<'_>, findings: &mut Findings) -> Read<Batch> {
    let material = fields.i32("batch material")?;
    let at = fields.offset();
    let source = match fields.u8("batch source")? {
        0 => BatchSource::BrushFaces,
        1 => BatchSource::MeshPolygons,
        other => {
            findings.add(
                "E-SOURCE",
                None,
                Some(at),
                format_args!("Batch source {other} is neither 0 nor 1"),
            );
            BatchSource::BrushFaces
        }
    };
    Ok(Batch {
        material,
        source,
        model: fields.i32("batch model")?,
        vertices: fields.list("batch vertex count", 36, |fields| {
            Ok(Vertex {
                position: fields.vec3("vertex position")?,
                normal: fields.vec3("vertex normal")?,
                uv: fields.vec2("vertex uv")?,
                rgba: fields.u32("vertex colour")?.to_le_bytes(),
            })
        })?,
        indices: fields.list("batch index count", 4, |fields| fields.u32("batch index"))?,
    })
}

fn collision_brush(fields: &mut Fields<'_>) -> Read<CollisionBrush> {
    Ok(CollisionBrush {
        contents: fields.u32("collision contents")?,
        source_id: fields.u32("collision source")?,
        bounds: fields.bounds("collision box")?,
        planes: fields.list("collision plane count", 16, |fields| {
            fields.plane("collision plane")
        })?,
    })
}

fn bsp(fields: &mut Fields<'_>) -> Read<Bsp> {
    Ok(Bsp {
        root: fields.i32("tree root")?,
        depth: fields.u32("tree depth")?,
        bounds: fields.bounds("tree box")?,
        planes: fields.list("tree plane count", 16, |fields| fields.plane("tree plane"))?,
        nodes: fields.list("node count", 12, |fields| {
            Ok(Node {
                plane: fields.i32("node plane")?,
                front: fields.i32("node front")?,
                back: fields.i32("node back")?,
            })
        })?,
        leaves: fields.list("leaf count", 8, |fields| {
            Ok(Leaf {
                first_brush: fields.u32("leaf first brush")?,
                brush_count: fields.u32("leaf brush count")?,
            })
        })?,
        leaf_brushes: fields.list("leaf brush list", 4, |fields| fields.u32("leaf brush"))?,
        brushes: fields.list("collision brush count", 36, collision_brush)?,
    })
}

fn light(fields: &mut Fields<'_>, findings: &mut Findings) -> Read<LightRecord> {
    let at = fields.offset();
    let kind = match fields.u8("light type")? {
        0 => LightKind::Point,
        1 => LightKind::Spot,
        2 => LightKind::Sun,
        other => {
            findings.add(
                "E-LIGHT",
                None,
                Some(at),
                format_args!("Light type {other} is not known"),
            );
            LightKind::Point
        }
    };
    Ok(LightRecord {
        kind,
        position: fields.vec3("light position")?,
        direction: fields.vec3("light direction")?,
        color: fields.vec3("light colour")?,
        intensity: fields.f32("light intensity")?,
        radius: fields.f32("light radius")?,
        inner_deg: fields.f32("light inner angle")?,
        outer_deg: fields.f32("light outer angle")?,
        entity_id: fields.u32("light entity")?,
    })
}

/// The payload of `CMPL`.
pub(super) fn write(cmpl: &Cmpl) -> Vec<u8> {
    let vertices: usize = cmpl
        .batches
        .iter()
        .map(|batch| batch.vertices.len() * 36 + batch.indices.len() * 4)
        .sum();
    let mut w = Writer::with_capacity(vertices + 4096);
    w.vec3(cmpl.ambient);
    w.f32(cmpl.units_per_meter);
    w.u8(cmpl.baked);
    put_bounds(&mut w, &cmpl.bounds);
    w.count(cmpl.batches.len());
    for batch in &cmpl.batches {
        w.i32(batch.material);
        w.u8(match batch.source {
            BatchSource::BrushFaces => 0,
            BatchSource::MeshPolygons => 1,
        });
        w.i32(batch.model);
        w.count(batch.vertices.len());
        for vertex in &batch.vertices {
            w.vec3(vertex.position);
            w.vec3(vertex.normal);
            w.vec2(vertex.uv);
            w.raw(&vertex.rgba);
        }
        w.count(batch.indices.len());
        batch.indices.iter().for_each(|&index| w.u32(index));
    }
    w.count(cmpl.models.len());
    for model in &cmpl.models {
        w.u32(model.entity_id);
        put_bounds(&mut w, &model.bounds);
        put_brushes(&mut w, &model.brushes);
    }
    put_bsp(&mut w, &cmpl.bsp);
    w.count(cmpl.mesh_collisions.len());
    for mesh in &cmpl.mesh_collisions {
        w.u32(mesh.object_id);
        put_bounds(&mut w, &mesh.bounds);
        w.count(mesh.vertices.len());
        mesh.vertices.iter().for_each(|&vertex| w.vec3(vertex));
    }
    w.count(cmpl.lights.len());
    for light in &cmpl.lights {
        w.u8(match light.kind {
            LightKind::Point => 0,
            LightKind::Spot => 1,
            LightKind::Sun => 2,
        });
        w.vec3(light.position);
        w.vec3(light.direction);
        w.vec3(light.color);
        for number in [
            light.intensity,
            light.radius,
            light.inner_deg,
            light.outer_deg,
        ] {
            w.f32(number);
        }
        w.u32(light.entity_id);
    }
    w.into_bytes()
}

fn put_bounds(w: &mut Writer, bounds: &Box3) {
    w.vec3(bounds.min);
    w.vec3(bounds.max);
}

pub(super) fn put_plane(w: &mut Writer, plane: &Plane3) {
    w.vec3(plane.normal);
    w.f32(plane.dist);
}

fn put_brushes(w: &mut Writer, brushes: &[CollisionBrush]) {
    w.count(brushes.len());
    for brush in brushes {
        w.u32(brush.contents);
        w.u32(brush.source_id);
        put_bounds(w, &brush.bounds);
        w.count(brush.planes.len());
        brush.planes.iter().for_each(|plane| put_plane(w, plane));
    }
}

fn put_bsp(w: &mut Writer, bsp: &Bsp) {
    w.i32(bsp.root);
    w.u32(bsp.depth);
    put_bounds(w, &bsp.bounds);
    w.count(bsp.planes.len());
    bsp.planes.iter().for_each(|plane| put_plane(w, plane));
    w.count(bsp.nodes.len());
    for node in &bsp.nodes {
        w.i32(node.plane);
        w.i32(node.front);
        w.i32(node.back);
    }
    w.count(bsp.leaves.len());
    for leaf in &bsp.leaves {
        w.u32(leaf.first_brush);
        w.u32(leaf.brush_count);
    }
    w.count(bsp.leaf_brushes.len());
    bsp.leaf_brushes.iter().for_each(|&brush| w.u32(brush));
    put_brushes(w, &bsp.brushes);
}

/// `CMPX` (6.9).
#[derive(Clone, Debug)]
pub(super) struct CompileNote {
    pub source_guard: u64,
    pub cmpl_guard: u64,
    /// Model of each mesh collision.
    pub mesh_model: Vec<i32>,
}

impl CompileNote {
    pub fn read(fields: &mut Fields<'_>) -> Read<Self> {
        Ok(Self {
            source_guard: fields.u64("source guard")?,
            cmpl_guard: fields.u64("compile guard")?,
            mesh_model: fields.list("mesh model count", 4, |fields| fields.i32("mesh model"))?,
        })
    }

    pub fn write(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.u32(EXTENSION_VERSION);
        w.u64(self.source_guard);
        w.u64(self.cmpl_guard);
        w.count(self.mesh_model.len());
        self.mesh_model.iter().for_each(|&model| w.i32(model));
        w.into_bytes()
    }
}

/// `LMAP` (6.10).
#[derive(Clone, Debug)]
pub(super) struct LightmapRecord {
    pub cmpl_guard: u64,
    pub lightmaps: Lightmaps,
}

impl LightmapRecord {
    pub fn read(fields: &mut Fields<'_>) -> Read<Self> {
        let cmpl_guard = fields.u64("compile guard")?;
        let pages = fields.list("page count", 13, |fields| {
            let (width, height, format) = (
                fields.u32("page width")?,
                fields.u32("page height")?,
                fields.u8("page format")?,
            );
            let length = fields.count("page length", 1)?;
            if format > 1 {
                return Err(fields.bad("page format", format!("format {format} is not known")));
            }
            Ok(LightmapPage {
                width,
                height,
                format,
                bytes: fields.bytes("page", length)?.to_vec(),
            })
        })?;
        let batches = fields.list("lightmap batch count", 8, |fields| {
            let page = fields.i32("batch page")?;
            let uvs: Vec<Vec2> =
                fields.list("lightmap uv count", 8, |fields| fields.vec2("lightmap uv"))?;
            Ok((page, uvs))
        })?;
        Ok(Self {
            cmpl_guard,
            lightmaps: Lightmaps { pages, batches },
        })
    }

    /// True when it has a row for each batch, with one coordinate per vertex or none.
    pub fn fits(&self, cmpl: &Cmpl) -> bool {
        let pages = self.lightmaps.pages.len();
        self.lightmaps.batches.len() == cmpl.batches.len()
            && self
                .lightmaps
                .batches
                .iter()
                .zip(&cmpl.batches)
                .all(|((page, uvs), batch)| {
                    (*page == -1 || usize::try_from(*page).is_ok_and(|page| page < pages))
                        && (uvs.is_empty() || uvs.len() == batch.vertices.len())
                })
    }
}

pub(super) fn write_lightmaps(lightmaps: &Lightmaps, cmpl_guard: u64) -> Vec<u8> {
    let mut w = Writer::new();
    w.u32(EXTENSION_VERSION);
    w.u64(cmpl_guard);
    w.count(lightmaps.pages.len());
    for page in &lightmaps.pages {
        w.u32(page.width);
        w.u32(page.height);
        w.u8(page.format);
        w.count(page.bytes.len());
        w.raw(&page.bytes);
    }
    w.count(lightmaps.batches.len());
    for (page, uvs) in &lightmaps.batches {
        w.i32(*page);
        w.count(uvs.len());
        for &uv in uvs {
            w.vec2(uv);
        }
    }
    w.into_bytes()
}

/// `PVS ` (6.11).
#[derive(Clone, Debug)]
pub(super) struct VisibilityRecord {
    pub cmpl_guard: u64,
    pub visibility: Visibility,
}

impl VisibilityRecord {
    pub fn read(fields: &mut Fields<'_>) -> Read<Self> {
        let cmpl_guard = fields.u64("compile guard")?;
        let clusters = fields.u32("cluster count")?;
        let leaf_cluster =
            fields.list("leaf cluster count", 4, |fields| fields.i32("leaf cluster"))?;
        let row_bytes = fields.u32("row bytes")?;
        let size = u64::from(clusters) * u64::from(row_bytes);
        if u64::from(row_bytes) != u64::from(clusters).div_ceil(8) || size > fields.left() as u64 {
            return Err(fields.bad("row bytes", format!("{clusters} rows of {row_bytes} bytes")));
        }
        let rows = fields.bytes("rows", size as usize)?.to_vec();
        let ranges = fields.list("range count", 16, |fields| {
            Ok([
                fields.u32("range cluster")?,
                fields.u32("range batch")?,
                fields.u32("range first")?,
                fields.u32("range count")?,
            ])
        })?;
        Ok(Self {
            cmpl_guard,
            visibility: Visibility {
                clusters,
                leaf_cluster,
                row_bytes,
                rows,
                ranges,
            },
        })
    }

    /// True when it has a cluster for each leaf, and every reference is in range.
    pub fn fits(&self, cmpl: &Cmpl) -> bool {
        let clusters = self.visibility.clusters;
        self.visibility.leaf_cluster.len() == cmpl.bsp.leaves.len()
            && self
                .visibility
                .leaf_cluster
                .iter()
                .all(|&cluster| cluster == -1 || u32::try_from(cluster).is_ok_and(|c| c < clusters))
            && self
                .visibility
                .ranges
                .iter()
                .all(|&[cluster, batch, first, count]| {
                    cluster < clusters
                        && cmpl.batches.get(batch as usize).is_some_and(|b| {
                            u64::from(first) + u64::from(count) <= b.indices.len() as u64
                        })
                })
    }
}

pub(super) fn write_visibility(visibility: &Visibility, cmpl_guard: u64) -> Vec<u8> {
    let mut w = Writer::new();
    w.u32(EXTENSION_VERSION);
    w.u64(cmpl_guard);
    w.u32(visibility.clusters);
    w.count(visibility.leaf_cluster.len());
    visibility
        .leaf_cluster
        .iter()
        .for_each(|&cluster| w.i32(cluster));
    w.u32(visibility.row_bytes);
    w.raw(&visibility.rows);
    w.count(visibility.ranges.len());
    visibility
        .ranges
        .iter()
        .flatten()
        .for_each(|&number| w.u32(number));
    w.into_bytes()
}
