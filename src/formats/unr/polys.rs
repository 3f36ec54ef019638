//! A Polys export: the polygons of a brush (`unr.md` 5.5).

use std::collections::HashMap;
use std::sync::Arc;

use glam::Vec3;

use crate::formats::Cursor;
use crate::formats::Read;
use crate::formats::unr::compact::compact;
use crate::formats::unr::compact::compact_count;
use crate::formats::unr::compact::fixed_count;
use crate::formats::unr::model::pan;
use crate::formats::unr::package::Package;
use crate::formats::unr::package::Reference;
use crate::formats::unr::package::Tables;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::RawPolygon;

/// A polygon without corners.
const SMALLEST_POLYGON: usize = 62;

/// Farther out than this nothing is: the engine's world ends at 32 768.
const MAX_COORDINATE: f32 = 1e6;

/// Textures by their place in [`crate::formats::unr::raw::RawMap::textures`].
#[derive(Debug, Default)]
pub struct Textures {
    places: HashMap<Reference, Option<u32>>,
    pub list: Vec<Arc<ObjectPath>>,
}

impl Textures {
    /// The place of a texture, which is taken in when it is new; `None` for no texture.
    pub fn place(&mut self, reference: Reference, tables: &Tables) -> Option<u32> {
        if reference == Reference(0) {
            return None;
        }
        *self.places.entry(reference).or_insert_with(|| {
            let path = tables.object_path(reference)?;
            self.list.push(path);
            Some(self.list.len() as u32 - 1)
        })
    }
}

/// What a Polys export holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polys {
    /// A polygon with numbers that cannot be keeps its place, since others go by number, but has no corners.
    pub polygons: Vec<RawPolygon>,
    /// How many those are.
    pub bad: usize,
    /// Bytes that nothing of the above took.
    pub left: usize,
}

/// Reads a Polys export to its last byte.
///
/// # Errors
/// When a polygon cannot be read.
pub fn polys(package: &Package<'_>, export: usize, textures: &mut Textures) -> Read<Polys> {
    let (_, mut cursor) = package.object(export)?;
    let cursor = &mut cursor;
    let mut polys = Polys::default();
    if cursor.is_at_end() {
        return Ok(polys);
    }
    let count = fixed_count(cursor, "polygons", SMALLEST_POLYGON)?;
    cursor.skip("polygons", 4)?;
    for _ in 0..count {
        let mut polygon = polygon(cursor, &package.tables, textures)?;
        if !is_sound(&polygon) {
            polygon.vertices.clear();
            polys.bad += 1;
        }
        polys.polygons.push(polygon);
    }
    polys.left = cursor.left();
    Ok(polys)
}

fn polygon(cursor: &mut Cursor<'_>, tables: &Tables, textures: &mut Textures) -> Read<RawPolygon> {
    let field = "polygon";
    let corners = compact_count(cursor, "polygon corners", 12)?;
    let mut polygon = RawPolygon {
        base: cursor.vec3(field)?,
        normal: cursor.vec3(field)?,
        u: cursor.vec3(field)?,
        v: cursor.vec3(field)?,
        ..RawPolygon::default()
    };
    polygon.vertices.reserve_exact(corners);
    for _ in 0..corners {
        polygon.vertices.push(cursor.vec3("polygon corner")?);
    }
    polygon.flags = cursor.u32(field)?;
    compact(cursor, "polygon actor")?;
    let texture = Reference(compact(cursor, "polygon texture")?);
    polygon.texture = textures.place(texture, tables);
    polygon.item = tables.read_name(cursor, "polygon item")?.to_string();
    polygon.link = compact(cursor, "polygon link")?;
    compact(cursor, "polygon number")?;
    polygon.pan = pan(cursor, "polygon pan")?;
    Ok(polygon)
}

/// Are all numbers of it finite, and its places in or near the world?
#[must_use]
pub fn is_sound(polygon: &RawPolygon) -> bool {
    let axes = [polygon.normal, polygon.u, polygon.v];
    axes.iter().all(|axis| axis.is_finite())
        && is_place(polygon.base)
        && polygon.vertices.iter().copied().all(is_place)
}

/// Is it a place in or near the world?
#[must_use]
pub fn is_place(point: Vec3) -> bool {
    // Not a number compares as no.
    point.abs().max_element() <= MAX_COORDINATE && point.is_finite()
}
