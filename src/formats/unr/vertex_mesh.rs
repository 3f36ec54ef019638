//! Vertex meshes: the models of actors (classes `LodMesh` and `Mesh` of Unreal Engine 1). Of their pictures of movement only the
//! first is read.

use std::sync::Arc;

use glam::DVec3;

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::unr::compact::compact;
use crate::formats::unr::compact::compact_count;
use crate::formats::unr::package::Package;
use crate::formats::unr::package::Reference;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::space::Rotator;

/// Versions up to this one have spheres without a radius, and lists without the place behind them.
const LAST_PLAIN: u16 = 61;

/// One more number for the detail of textures from here on, a list of them from the next.
const FIRST_WITH_TEXTURE_DETAIL: u16 = 65;

/// Coordinates of pictures on a mesh count in so many to a repeat.
const TEXELS: f64 = 256.0;

/// A model in an actor's own axes, before the actor's scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexMesh {
    pub points: Vec<DVec3>,
    /// Triangles, outside in front by the usual formula on the raw numbers.
    pub triangles: Vec<MeshTriangle>,
    /// What surfaces look like.
    pub skins: Vec<MeshSkin>,
    /// By their numbers, which actors replace.
    pub textures: Vec<Option<Arc<ObjectPath>>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshTriangle {
    /// Indices in the points.
    pub corners: [u32; 3],
    /// Repeats; v grows downwards in the picture.
    pub uv: [[f64; 2]; 3],
    /// Index in the skins.
    pub skin: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshSkin {
    /// As those of the polygons of a level.
    pub flags: u32,
    /// Index in the textures.
    pub texture: u32,
}

/// Reads an object of class `LodMesh` or `Mesh`.
///
/// # Errors
/// When it ends too soon, or its numbers do not fit together.
pub fn vertex_mesh(package: &Package<'_>, export: usize) -> Read<VertexMesh> {
    let (_, mut cursor) = package.object(export)?;
    let is_lod = !package
        .tables
        .class_name(export)
        .eq_ignore_ascii_case("Mesh");
    let cursor = &mut cursor;
    let mut base = Base::read(cursor, package)?;
    let mut mesh = VertexMesh {
        textures: std::mem::take(&mut base.textures),
        ..VertexMesh::default()
    };
    let numbers = if is_lod {
        Lod::read(cursor)?.into_mesh(&base, &mut mesh)
    } else {
        base.triangles_of(&mut mesh);
        base.own_numbers()
    };
    let points = base.points(&numbers);
    mesh.points = points.ok_or_else(|| {
        let text = format!("a frame of {} points is not there", base.frame_points);
        cursor.error("mesh points", ErrorKind::Bad(text))
    })?;
    let count = mesh.points.len();
    mesh.triangles.retain(|triangle| {
        let mut corners = triangle.corners.iter();
        corners.all(|&corner| (corner as usize) < count)
            && (triangle.skin as usize) < mesh.skins.len()
    });
    mesh.turn_outside();
    Ok(mesh)
}

/// What both classes have.
struct Base {
    /// Of all frames, one after the other.
    vertices: Vec<[i16; 3]>,
    triangles: Vec<Triangle>,
    textures: Vec<Option<Arc<ObjectPath>>>,
    frame_points: u32,
    scale: DVec3,
    origin: DVec3,
    turn: Rotator,
}

struct Triangle {
    corners: [u16; 3],
    uv: [[u8; 2]; 3],
    flags: u32,
    texture: i32,
}

impl Base {
    fn read(cursor: &mut Cursor<'_>, package: &Package<'_>) -> Read<Self> {
        let version = package.version();
        let tables = &package.tables;
        bounds(cursor, version)?;
        let vertices = vertices(cursor, version)?;
        let count = list(cursor, "mesh triangles", version, 20)?;
        let mut triangles = Vec::with_capacity(count);
        for _ in 0..count {
            let corners = words(cursor, "mesh triangle")?;
            let mut uv = [[0; 2]; 3];
            for corner in &mut uv {
                *corner = [cursor.u8("mesh triangle")?, cursor.u8("mesh triangle")?];
            }
            triangles.push(Triangle {
                corners,
                uv,
                flags: cursor.u32("mesh triangle")?,
                texture: cursor.i32("mesh triangle")?,
            });
        }
        for _ in 0..compact_count(cursor, "mesh sequences", 15)? {
            tables.read_name(cursor, "mesh sequence")?;
            tables.read_name(cursor, "mesh sequence group")?;
            cursor.skip("mesh sequence", 8)?;
            for _ in 0..compact_count(cursor, "mesh notes", 5)? {
                cursor.skip("mesh note", 4)?;
                tables.read_name(cursor, "mesh note")?;
            }
            cursor.skip("mesh sequence rate", 4)?;
        }
        let connections = list(cursor, "mesh connections", version, 8)?;
        cursor.skip("mesh connections", connections * 8)?;
        bounds(cursor, version)?;
        let links = list(cursor, "mesh links", version, 4)?;
        cursor.skip("mesh links", links * 4)?;
        let count = compact_count(cursor, "mesh textures", 1)?;
        let mut textures = Vec::with_capacity(count);
        for _ in 0..count {
            let texture = Reference(compact(cursor, "mesh texture")?);
            textures.push(tables.object_path(texture));
        }
        let boxes = compact_count(cursor, "mesh boxes", 25)?;
        cursor.skip("mesh boxes", boxes * 25)?;
        let sphere = sphere_bytes(version);
        let spheres = compact_count(cursor, "mesh spheres", sphere)?;
        cursor.skip("mesh spheres", spheres * sphere)?;
        let frame_points = cursor.u32("mesh frame points")?;
        cursor.skip("mesh frames and flags", 4 + 8)?;
        let scale = cursor.vec3("mesh scale")?.as_dvec3();
        let origin = cursor.vec3("mesh origin")?.as_dvec3();
        let turn = Rotator {
            pitch: cursor.i32("mesh pitch")?,
            yaw: cursor.i32("mesh yaw")?,
            roll: cursor.i32("mesh roll")?,
        };
        cursor.skip("mesh editor state", 8)?;
        if version == FIRST_WITH_TEXTURE_DETAIL {
            cursor.skip("mesh texture detail", 4)?;
        } else if version > FIRST_WITH_TEXTURE_DETAIL {
            let details = compact_count(cursor, "mesh texture details", 4)?;
            cursor.skip("mesh texture details", details * 4)?;
        }
        Ok(Self {
            vertices,
            triangles,
            textures,
            frame_points,
            scale,
            origin,
            turn,
        })
    }

    /// The numbered points of the first frame. `None` when one is not there or not finite.
    fn points(&self, numbers: &[u32]) -> Option<Vec<DVec3>> {
        let turn = self.turn.matrix();
        let point = |&number: &u32| {
            let [x, y, z] = self.vertices.get(number as usize)?.map(f64::from);
            let point = turn * ((DVec3::new(x, y, z) - self.origin) * self.scale);
            point.is_finite().then_some(point)
        };
        numbers.iter().map(point).collect()
    }

    /// Numbers of the points of the first frame. A damaged count names more points than there are bytes for.
    fn own_numbers(&self) -> Vec<u32> {
        (0..self.frame_points.min(self.vertices.len() as u32 + 1)).collect()
    }

    /// Of a mesh without levels of detail: a skin for each texture and flags.
    fn triangles_of(&self, mesh: &mut VertexMesh) {
        for triangle in &self.triangles {
            let skin = MeshSkin {
                flags: triangle.flags,
                texture: u32::try_from(triangle.texture).unwrap_or(0),
            };
            let known = mesh.skins.iter().position(|known| *known == skin);
            let number = known.unwrap_or_else(|| {
                mesh.skins.push(skin);
                mesh.skins.len() - 1
            });
            mesh.triangles.push(MeshTriangle {
                corners: triangle.corners.map(u32::from),
                uv: triangle.uv.map(repeats),
                skin: number as u32,
            });
        }
    }
}

fn repeats(uv: [u8; 2]) -> [f64; 2] {
    uv.map(|part| f64::from(part) / TEXELS)
}

fn words(cursor: &mut Cursor<'_>, field: &'static str) -> Read<[u16; 3]> {
    Ok([cursor.u16(field)?, cursor.u16(field)?, cursor.u16(field)?])
}

fn sphere_bytes(version: u16) -> usize {
    if version <= LAST_PLAIN { 12 } else { 16 }
}

fn bounds(cursor: &mut Cursor<'_>, version: u16) -> Read<()> {
    cursor.skip("mesh bounds", 25 + sphere_bytes(version))
}

/// Count of a list that may be led in by the place behind it.
fn list(
    cursor: &mut Cursor<'_>,
    field: &'static str,
    version: u16,
    smallest: usize,
) -> Read<usize> {
    if version > LAST_PLAIN {
        cursor.skip(field, 4)?;
    }
    compact_count(cursor, field, smallest)
}

/// 11, 11 and 10 bits in four bytes; Deus Ex keeps 16 bits each in eight, which only the place behind the list tells.
fn vertices(cursor: &mut Cursor<'_>, version: u16) -> Read<Vec<[i16; 3]>> {
    let field = "mesh vertices";
    let mut end = None;
    if version > LAST_PLAIN {
        end = Some(u64::from(cursor.u32(field)?));
    }
    let count = compact_count(cursor, field, 4)?;
    let is_wide = count > 0 && end == Some(cursor.offset() + count as u64 * 8);
    let mut vertices = Vec::new();
    if is_wide {
        let bytes = cursor.bytes(field, count * 8)?;
        for &[a, b, c, d, e, f, _, _] in bytes.as_chunks().0 {
            vertices.push([[a, b], [c, d], [e, f]].map(i16::from_le_bytes));
        }
    } else {
        let bytes = cursor.bytes(field, count * 4)?;
        for &packed in bytes.as_chunks().0 {
            let packed = i32::from_le_bytes(packed);
            let parts = [packed << 21 >> 21, packed << 10 >> 21, packed >> 22];
            vertices.push(parts.map(|part| part as i16));
        }
    }
    Ok(vertices)
}

/// What a mesh with levels of detail has besides; the finest is read.
struct Lod {
    /// Three wedges and a material.
    faces: Vec<([u16; 3], u16)>,
    /// A point and its place in the picture.
    wedges: Vec<(u16, [u8; 2])>,
    materials: Vec<MeshSkin>,
    /// Points that stand for places, before those of the faces.
    special_points: u32,
    /// Numbers of the points in the frames; empty where they are their own.
    remapped: Vec<u16>,
}

impl Lod {
    fn read(cursor: &mut Cursor<'_>) -> Read<Self> {
        skip_words(cursor, "mesh collapses")?;
        skip_words(cursor, "mesh levels")?;
        let faces = faces(cursor)?;
        skip_words(cursor, "mesh wedge collapses")?;
        let count = compact_count(cursor, "mesh wedges", 4)?;
        let mut wedges = Vec::with_capacity(count);
        for _ in 0..count {
            let point = cursor.u16("mesh wedge")?;
            let uv = [cursor.u8("mesh wedge")?, cursor.u8("mesh wedge")?];
            wedges.push((point, uv));
        }
        let count = compact_count(cursor, "mesh materials", 8)?;
        let mut materials = Vec::with_capacity(count);
        for _ in 0..count {
            materials.push(MeshSkin {
                flags: cursor.u32("mesh material")?,
                texture: u32::try_from(cursor.i32("mesh material")?).unwrap_or(0),
            });
        }
        faces_special(cursor)?;
        cursor.skip("mesh points", 4)?;
        let special_points = cursor.u32("mesh special points")?;
        cursor.skip("mesh detail", 6 * 4)?;
        let count = compact_count(cursor, "mesh remapped points", 2)?;
        let bytes = cursor.bytes("mesh remapped points", count * 2)?;
        let words = bytes.as_chunks().0.iter();
        let remapped = words.map(|&word| u16::from_le_bytes(word)).collect();
        cursor.skip("mesh old points", 4)?;
        Ok(Self {
            faces,
            wedges,
            materials,
            special_points,
            remapped,
        })
    }

    /// Fills in the triangles; gives the numbers of the points in a frame.
    fn into_mesh(self, base: &Base, mesh: &mut VertexMesh) -> Vec<u32> {
        for (corners, material) in &self.faces {
            let wedges = corners.map(|corner| self.wedges.get(usize::from(corner)));
            let [Some(a), Some(b), Some(c)] = wedges else {
                continue;
            };
            let wedges = [a, b, c];
            mesh.triangles.push(MeshTriangle {
                corners: wedges
                    .map(|(point, _)| u32::from(*point).saturating_add(self.special_points)),
                uv: wedges.map(|(_, uv)| repeats(*uv)),
                skin: u32::from(*material),
            });
        }
        mesh.skins = self.materials;
        if self.remapped.is_empty() {
            base.own_numbers()
        } else {
            self.remapped
                .iter()
                .map(|&number| u32::from(number))
                .collect()
        }
    }
}

fn skip_words(cursor: &mut Cursor<'_>, field: &'static str) -> Read<()> {
    let count = compact_count(cursor, field, 2)?;
    cursor.skip(field, count * 2)
}

fn faces(cursor: &mut Cursor<'_>) -> Read<Vec<([u16; 3], u16)>> {
    let count = compact_count(cursor, "mesh faces", 8)?;
    let mut faces = Vec::with_capacity(count);
    for _ in 0..count {
        faces.push((words(cursor, "mesh face")?, cursor.u16("mesh face")?));
    }
    Ok(faces)
}

/// Faces that stand for places, such as where a weapon is held.
fn faces_special(cursor: &mut Cursor<'_>) -> Read<()> {
    let count = compact_count(cursor, "mesh special faces", 8)?;
    cursor.skip("mesh special faces", count * 8)
}

impl VertexMesh {
    /// Modellers turn the corners of triangles either way, mirrored axes too; what encloses more is the outside.
    fn turn_outside(&mut self) {
        let mut middle = DVec3::ZERO;
        for point in &self.points {
            middle += *point / self.points.len() as f64;
        }
        let mut volume = 0.0;
        for triangle in &self.triangles {
            let [a, b, c] = triangle
                .corners
                .map(|corner| self.points[corner as usize] - middle);
            volume += a.dot(b.cross(c));
        }
        if volume < 0.0 {
            for triangle in &mut self.triangles {
                triangle.corners.swap(1, 2);
                triangle.uv.swap(1, 2);
            }
        }
    }
}

#[cfg(test)]
#[path = "vertex_mesh_tests.rs"]
pub(super) mod tests;
