//! The source chunks as structs that mirror the file (`hmap.md` 2): lossless, no interpretation.

use glam::Vec2;
use glam::Vec3;

use super::container::Container;
use super::container::Fields;
use super::container::tag_text;
use super::findings::Findings;
use crate::compiler::Plane3;
use crate::document::Material;
use crate::document::SurfaceFlags;
use crate::formats::Read;
use crate::geometry::Uv;

/// `META`.
#[derive(Clone, Debug)]
pub(super) struct Meta {
    pub name: String,
    pub ambient: Vec3,
    pub grid: f32,
    pub units_per_meter: f32,
    pub next_id: u32,
}

#[derive(Clone, Debug)]
pub(super) struct FaceRecord {
    pub plane: Plane3,
    pub material: i32,
    pub uv: Uv,
    pub flags: u32,
}

#[derive(Clone, Debug)]
pub(super) struct BrushRecord {
    pub at: u64,
    pub id: u32,
    pub owner: u32,
    pub contents: u32,
    pub flags: u32,
    pub faces: Vec<FaceRecord>,
}

#[derive(Clone, Debug)]
pub(super) struct PolygonRecord {
    pub at: u64,
    pub material: i32,
    pub smooth: u32,
    pub proj: Uv,
    pub corners: Vec<u32>,
    pub uvs: Vec<Vec2>,
}

#[derive(Clone, Debug)]
pub(super) struct MeshRecord {
    pub at: u64,
    pub id: u32,
    pub owner: u32,
    pub flags: u32,
    pub name: String,
    pub points: Vec<Vec3>,
    pub polygons: Vec<PolygonRecord>,
}

#[derive(Clone, Debug)]
pub(super) struct EntityRecord {
    pub at: u64,
    pub id: u32,
    pub flags: u32,
    pub class: String,
    pub origin: Vec3,
    pub angles: Vec3,
    pub scale: Vec3,
    pub keys: Vec<(String, String)>,
}

/// What the five source chunks hold, in the order of their lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Source {
    pub meta: Option<Meta>,
    /// With the offset of each record.
    pub materials: Vec<(u64, Material)>,
    pub brushes: Vec<BrushRecord>,
    pub meshes: Vec<MeshRecord>,
    pub entities: Vec<EntityRecord>,
}

/// Decodes the source chunks. What cannot be decoded becomes the container's fault; with `lenient` the records before it stay.
pub(super) fn read(
    container: &mut Container<'_>,
    lenient: bool,
    findings: &mut Findings,
) -> Source {
    let mut source = Source::default();
    let mut chunk = |tag: [u8; 4], decode: &mut dyn FnMut(&mut Fields<'_>) -> Read<()>| {
        let Some(found) = container.first(tag) else {
            return;
        };
        let mut fields = found.fields(lenient);
        let result = decode(&mut fields);
        for &at in &fields.bad_texts {
            findings.add(
                "W-UTF8",
                None,
                Some(at),
                format_args!("A text in {} is not UTF-8", tag_text(tag)),
            );
        }
        match result {
            Err(fault) => container.note(fault),
            Ok(()) if fields.left() > 0 => {
                let text = format!(
                    "{} unread bytes at the end of {} are dropped",
                    fields.left(),
                    tag_text(tag)
                );
                findings.add("W-TAIL", None, Some(fields.offset()), text);
            }
            Ok(()) => {}
        }
    };
    chunk(*b"META", &mut |fields| {
        source.meta = Some(meta(fields)?);
        Ok(())
    });
    chunk(*b"MATS", &mut |fields| {
        source.materials = fields.list("material count", 32, material)?;
        Ok(())
    });
    chunk(*b"BRSH", &mut |fields| {
        source.brushes = fields.list("brush count", 20, brush)?;
        Ok(())
    });
    chunk(*b"MESH", &mut |fields| {
        source.meshes = fields.list("mesh count", 24, mesh)?;
        Ok(())
    });
    chunk(*b"ENTS", &mut |fields| {
        source.entities = fields.list("entity count", 52, entity)?;
        Ok(())
    });
    source
}

fn meta(fields: &mut Fields<'_>) -> Read<Meta> {
    Ok(Meta {
        name: fields.text("map name")?,
        ambient: fields.vec3("ambient")?,
        grid: fields.f32("gridSize")?,
        units_per_meter: fields.f32("unitsPerMeter")?,
        next_id: fields.u32("nextId")?,
    })
}

fn material(fields: &mut Fields<'_>) -> Read<(u64, Material)> {
    let at = fields.offset();
    let material = Material {
        name: fields.text("material name")?,
        texture: fields.text("texture")?,
        tile_size: fields.vec2("tileSize")?,
        color: fields.vec3("color")?,
        flags: SurfaceFlags(fields.u32("material flags")?),
    };
    Ok((at, material))
}

fn brush(fields: &mut Fields<'_>) -> Read<BrushRecord> {
    Ok(BrushRecord {
        at: fields.offset(),
        id: fields.u32("brush id")?,
        owner: fields.u32("brush owner")?,
        contents: fields.u32("contents")?,
        flags: fields.u32("brush flags")?,
        faces: fields.list("face count", 44, face)?,
    })
}

fn face(fields: &mut Fields<'_>) -> Read<FaceRecord> {
    Ok(FaceRecord {
        plane: fields.plane("plane")?,
        material: fields.i32("face material")?,
        uv: fields.uv("face uv")?,
        flags: fields.u32("face flags")?,
    })
}

fn mesh(fields: &mut Fields<'_>) -> Read<MeshRecord> {
    Ok(MeshRecord {
        at: fields.offset(),
        id: fields.u32("mesh id")?,
        owner: fields.u32("mesh owner")?,
        flags: fields.u32("mesh flags")?,
        name: fields.text("mesh name")?,
        points: fields.list("vertex count", 12, |fields| fields.vec3("vertex"))?,
        polygons: fields.list("polygon count", 36, polygon)?,
    })
}

fn polygon(fields: &mut Fields<'_>) -> Read<PolygonRecord> {
    Ok(PolygonRecord {
        at: fields.offset(),
        material: fields.i32("polygon material")?,
        smooth: fields.u32("smoothing groups")?,
        proj: fields.uv("polygon uv")?,
        corners: fields.list("index count", 4, |fields| fields.u32("index"))?,
        uvs: fields.list("uv count", 8, |fields| fields.vec2("corner uv"))?,
    })
}

fn entity(fields: &mut Fields<'_>) -> Read<EntityRecord> {
    Ok(EntityRecord {
        at: fields.offset(),
        id: fields.u32("entity id")?,
        flags: fields.u32("entity flags")?,
        class: fields.text("class name")?,
        origin: fields.vec3("origin")?,
        angles: fields.vec3("angles")?,
        scale: fields.vec3("scale")?,
        keys: fields.list("key count", 8, |fields| {
            Ok((fields.text("key")?, fields.text("value")?))
        })?,
    })
}

/// CRC-32 of a brush's planes, 16 bytes each in face order: the guard of its `BVTX` entry (6.6).
pub(super) fn plane_guard(planes: impl IntoIterator<Item = Plane3>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for plane in planes {
        for number in [plane.normal.x, plane.normal.y, plane.normal.z, plane.dist] {
            hasher.update(&number.to_le_bytes());
        }
    }
    hasher.finalize()
}
