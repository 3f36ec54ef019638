//! A Model export as it stands in the file: a world's BSP, or the little of it that a brush has (`unr.md` 5, 9).

use glam::Vec3;

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::unr::compact::compact;
use crate::formats::unr::compact::compact_count;
use crate::formats::unr::compact::fixed_count;
use crate::formats::unr::package::Package;
use crate::formats::unr::package::Reference;

/// The last version whose models keep their arrays in objects of their own.
pub const LAST_WITH_HELPERS: u16 = 61;

/// Objects that hold arrays of such a model.
const HELPERS: usize = 5;

/// Two corners and whether they count.
const BOX_BYTES: usize = 25;

/// Without a radius.
const OLD_SPHERE_BYTES: usize = 12;

const MAX_ZONES: usize = 64;

/// Bytes of the smallest record of each array.
mod smallest {
    pub const VECTOR: usize = 12;
    pub const NODE: usize = 43;
    pub const SURFACE: usize = 16;
    pub const VERTEX: usize = 2;
    pub const ZONE: usize = 17;
    pub const LIGHTMAP: usize = 30;
    pub const BOUND: usize = 25;
    pub const LEAF: usize = 11;
}

/// References and indices are those of the file: nothing of it has been checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    pub vectors: Vec<Vec3>,
    pub points: Vec<Vec3>,
    pub nodes: Vec<NodeRecord>,
    pub surfaces: Vec<SurfaceRecord>,
    /// Point and side.
    pub vertices: Vec<(i32, i32)>,
    pub shared_sides: i32,
    pub zones: Vec<ZoneRecord>,
    /// The polygons of a brush.
    pub polys: Reference,
    pub lightmaps: Vec<LightmapRecord>,
    pub light_bits: Vec<u8>,
    /// Render bounds, which nothing needs.
    pub bounds: usize,
    pub leaf_hulls: Vec<i32>,
    pub leaves: Vec<LeafRecord>,
    pub lights: Vec<Reference>,
    pub is_root_outside: bool,
    pub is_linked: bool,
    /// Bytes that nothing of the above took.
    pub left: usize,
}

/// `normal . p = distance`; -1 stands for no node, hull or leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeRecord {
    pub normal: Vec3,
    pub distance: f32,
    pub zone_mask: u64,
    pub flags: u8,
    pub first_vertex: i32,
    pub surface: i32,
    pub back: i32,
    pub front: i32,
    pub coplanar: i32,
    pub hull: i32,
    /// Behind and in front.
    pub zones: [i32; 2],
    pub vertex_count: u8,
    /// Behind and in front.
    pub leaves: [i32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceRecord {
    pub texture: Reference,
    pub flags: u32,
    pub base: i32,
    pub normal: i32,
    pub u: i32,
    pub v: i32,
    pub lightmap: i32,
    pub polygon: i32,
    /// Texels.
    pub pan: [i16; 2],
    pub actor: Reference,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneRecord {
    pub actor: Reference,
    pub connectivity: u64,
    pub visibility: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightmapRecord {
    pub offset: i32,
    pub pan: Vec3,
    /// Texels.
    pub size: [i32; 2],
    pub scale: [f32; 2],
    pub first_light: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafRecord {
    pub zone: i32,
    pub permeating: i32,
    pub volumetric: i32,
    pub visible_zones: u64,
}

/// Reads a Model to its last byte.
///
/// # Errors
/// When an array cannot be read.
pub fn model(package: &Package<'_>, export: usize) -> Read<Model> {
    let (_, mut cursor) = package.object(export)?;
    let cursor = &mut cursor;
    let mut model = Model::default();
    // Bounding box and sphere: a world's are empty, a brush's are never needed.
    cursor.skip("bounding box", BOX_BYTES)?;
    if package.version() <= LAST_WITH_HELPERS {
        cursor.skip("bounding sphere", OLD_SPHERE_BYTES)?;
        helpers(package, cursor, &mut model)?;
    } else {
        cursor.skip("bounding sphere", 16)?;
        arrays(cursor, &mut model)?;
    }
    model.polys = reference(cursor, "polys")?;
    model.lightmaps = counted(cursor, "lightmaps", smallest::LIGHTMAP, lightmap)?;
    let bits = compact_count(cursor, "light bits", 1)?;
    model.light_bits = cursor.bytes("light bits", bits)?.to_vec();
    model.bounds = compact_count(cursor, "bounds", smallest::BOUND)?;
    cursor.skip("bounds", model.bounds * smallest::BOUND)?;
    model.leaf_hulls = counted(cursor, "leaf hulls", 4, |cursor| cursor.i32("leaf hull"))?;
    model.leaves = counted(cursor, "leaves", smallest::LEAF, leaf)?;
    model.lights = counted(cursor, "lights", 1, |cursor| reference(cursor, "light"))?;
    if package.version() <= LAST_WITH_HELPERS {
        reference(cursor, "leaf bounds")?;
        reference(cursor, "leaf bounds")?;
    }
    model.is_root_outside = cursor.i32("root outside")? != 0;
    model.is_linked = cursor.i32("linked")? != 0;
    model.left = cursor.left();
    Ok(model)
}

/// The polygons of a brush's model, whose arrays are in other objects and stay unread.
///
/// # Errors
/// When the model cannot be read so far.
pub fn polys_of_old_model(package: &Package<'_>, export: usize) -> Read<Reference> {
    let (_, mut cursor) = package.object(export)?;
    cursor.skip("bounding box", BOX_BYTES)?;
    cursor.skip("bounding sphere", OLD_SPHERE_BYTES)?;
    for _ in 0..HELPERS {
        reference(&mut cursor, "helper object")?;
    }
    reference(&mut cursor, "polys")
}

fn reference(cursor: &mut Cursor<'_>, field: &'static str) -> Read<Reference> {
    compact(cursor, field).map(Reference)
}

fn counted<T>(
    cursor: &mut Cursor<'_>,
    field: &'static str,
    smallest: usize,
    record: impl Fn(&mut Cursor<'_>) -> Read<T>,
) -> Read<Vec<T>> {
    let count = compact_count(cursor, field, smallest)?;
    records(cursor, count, record)
}

fn records<T>(
    cursor: &mut Cursor<'_>,
    count: usize,
    record: impl Fn(&mut Cursor<'_>) -> Read<T>,
) -> Read<Vec<T>> {
    (0..count).map(|_| record(cursor)).collect()
}

fn arrays(cursor: &mut Cursor<'_>, model: &mut Model) -> Read<()> {
    model.vectors = counted(cursor, "vectors", smallest::VECTOR, vector)?;
    model.points = counted(cursor, "points", smallest::VECTOR, vector)?;
    model.nodes = counted(cursor, "nodes", smallest::NODE, node)?;
    model.surfaces = counted(cursor, "surfaces", smallest::SURFACE, surface)?;
    model.vertices = counted(cursor, "vertices", smallest::VERTEX, vertex)?;
    model.shared_sides = cursor.i32("shared sides")?;
    let zone_count = fixed_count(cursor, "zones", smallest::ZONE)?;
    model.zones = zones(cursor, zone_count)?;
    Ok(())
}

/// Five objects in place of the arrays.
fn helpers(package: &Package<'_>, cursor: &mut Cursor<'_>, model: &mut Model) -> Read<()> {
    let [vectors, points, nodes, surfaces, vertices] = [
        reference(cursor, "vectors")?,
        reference(cursor, "points")?,
        reference(cursor, "nodes")?,
        reference(cursor, "surfaces")?,
        reference(cursor, "vertices")?,
    ];
    let open = |reference, field, smallest| helper(package, cursor, reference, field, smallest);
    let (mut inside, count) = open(vectors, "vectors", smallest::VECTOR)?;
    model.vectors = records(&mut inside, count, vector)?;
    model.left += inside.left();
    let (mut inside, count) = open(points, "points", smallest::VECTOR)?;
    model.points = records(&mut inside, count, vector)?;
    model.left += inside.left();
    let (mut inside, count) = open(nodes, "nodes", smallest::NODE)?;
    model.nodes = records(&mut inside, count, node)?;
    let zone_count = compact_count(&mut inside, "zones", smallest::ZONE)?;
    model.zones = zones(&mut inside, zone_count)?;
    model.left += inside.left();
    let (mut inside, count) = open(surfaces, "surfaces", smallest::SURFACE)?;
    model.surfaces = records(&mut inside, count, surface)?;
    model.left += inside.left();
    let (mut inside, count) = open(vertices, "vertices", smallest::VERTEX)?;
    model.vertices = records(&mut inside, count, vertex)?;
    model.shared_sides = compact(&mut inside, "shared sides")?;
    model.left += inside.left();
    Ok(())
}

/// The data of a helper object behind its count.
fn helper<'a>(
    package: &Package<'a>,
    cursor: &Cursor<'_>,
    reference: Reference,
    field: &'static str,
    smallest: usize,
) -> Read<(Cursor<'a>, usize)> {
    let Some(export) = reference.export() else {
        let text = format!("object {} does not hold them", reference.0);
        return Err(cursor.error(field, ErrorKind::Bad(text)));
    };
    let (_, mut inside) = package.object(export)?;
    let offset = inside.clone();
    let count = inside.i32(field)?;
    inside.skip(field, 4)?;
    match usize::try_from(count) {
        Ok(fits) if fits.saturating_mul(smallest) <= inside.left() => Ok((inside, fits)),
        _ => Err(offset.error(
            field,
            ErrorKind::CountTooLarge {
                count: count.unsigned_abs().into(),
            },
        )),
    }
}

fn vector(cursor: &mut Cursor<'_>) -> Read<Vec3> {
    cursor.vec3("vector")
}

fn vertex(cursor: &mut Cursor<'_>) -> Read<(i32, i32)> {
    Ok((compact(cursor, "vertex")?, compact(cursor, "vertex")?))
}

fn node(cursor: &mut Cursor<'_>) -> Read<NodeRecord> {
    let field = "node";
    Ok(NodeRecord {
        normal: cursor.vec3(field)?,
        distance: cursor.f32(field)?,
        zone_mask: cursor.u64(field)?,
        flags: cursor.u8(field)?,
        first_vertex: compact(cursor, field)?,
        surface: compact(cursor, field)?,
        back: compact(cursor, field)?,
        front: compact(cursor, field)?,
        coplanar: compact(cursor, field)?,
        hull: compact(cursor, field)?,
        zones: {
            compact(cursor, "render bound of a node")?;
            [compact(cursor, field)?, compact(cursor, field)?]
        },
        vertex_count: cursor.u8(field)?,
        leaves: [cursor.i32(field)?, cursor.i32(field)?],
    })
}

fn surface(cursor: &mut Cursor<'_>) -> Read<SurfaceRecord> {
    let field = "surface";
    Ok(SurfaceRecord {
        texture: reference(cursor, field)?,
        flags: cursor.u32(field)?,
        base: compact(cursor, field)?,
        normal: compact(cursor, field)?,
        u: compact(cursor, field)?,
        v: compact(cursor, field)?,
        lightmap: compact(cursor, field)?,
        polygon: compact(cursor, field)?,
        pan: pan(cursor, field)?,
        actor: reference(cursor, field)?,
    })
}

/// Two signed numbers of two bytes.
pub fn pan(cursor: &mut Cursor<'_>, field: &'static str) -> Read<[i16; 2]> {
    Ok([cursor.u16(field)? as i16, cursor.u16(field)? as i16])
}

fn zones(cursor: &mut Cursor<'_>, count: usize) -> Read<Vec<ZoneRecord>> {
    if count > MAX_ZONES {
        let text = format!("a world has at most {MAX_ZONES} zones, not {count}");
        return Err(cursor.error("zones", ErrorKind::Bad(text)));
    }
    records(cursor, count, |cursor| {
        Ok(ZoneRecord {
            actor: reference(cursor, "zone")?,
            connectivity: cursor.u64("zone")?,
            visibility: cursor.u64("zone")?,
        })
    })
}

fn lightmap(cursor: &mut Cursor<'_>) -> Read<LightmapRecord> {
    let field = "lightmap";
    Ok(LightmapRecord {
        offset: cursor.i32(field)?,
        pan: cursor.vec3(field)?,
        size: [compact(cursor, field)?, compact(cursor, field)?],
        scale: [cursor.f32(field)?, cursor.f32(field)?],
        first_light: cursor.i32(field)?,
    })
}

fn leaf(cursor: &mut Cursor<'_>) -> Read<LeafRecord> {
    let field = "leaf";
    Ok(LeafRecord {
        zone: compact(cursor, field)?,
        permeating: compact(cursor, field)?,
        volumetric: compact(cursor, field)?,
        visible_zones: cursor.u64(field)?,
    })
}
