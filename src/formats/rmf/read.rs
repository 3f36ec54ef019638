//! Bytes to [`RawMap`]. Layouts by version: `rmf.md` 3 to 5.
//!
//! Every count is checked against the bytes left before memory is reserved, and nesting is followed with a list of open
//! objects. A file that stops in the middle gives what is whole up to its last complete top-level object.

use glam::Vec3;

use crate::formats::Cursor;
use crate::formats::ErrorKind;
use crate::formats::Read;
use crate::formats::ReadError;
use crate::formats::rmf::raw::RawBase;
use crate::formats::rmf::raw::RawDocInfo;
use crate::formats::rmf::raw::RawEntity;
use crate::formats::rmf::raw::RawEntityData;
use crate::formats::rmf::raw::RawFace;
use crate::formats::rmf::raw::RawKind;
use crate::formats::rmf::raw::RawMap;
use crate::formats::rmf::raw::RawNode;
use crate::formats::rmf::raw::RawObject;
use crate::formats::rmf::raw::RawPath;
use crate::formats::rmf::raw::RawVisgroup;
use crate::formats::rmf::raw::Text;
use crate::formats::rmf::raw::Version;

/// Smallest sizes of the records that counts announce.
const FACE_BYTES: usize = 76;
const VERTEX_BYTES: usize = 12;
const PAIR_BYTES: usize = 2;
const OBJECT_BYTES: u64 = 22;
const NODE_BYTES: usize = 148;
const PATH_BYTES: usize = 264;
const CAMERA_BYTES: usize = 24;

/// Real maps nest 184 groups deep. Walks from an object to the world cost this much at most.
const MAX_DEPTH: u32 = 4096;

/// An object whose children are being read; its own faces or keys follow them.
struct Open {
    object: u32,
    children_left: u32,
}

/// Reads one document that begins at `base` of the file.
///
/// # Errors
/// When nothing of it can be shown; the text names the version once that is known.
pub fn read_map(bytes: &[u8], base: u64) -> Read<RawMap<'_>> {
    let mut cursor = Cursor::part(bytes, base);
    let version = header(&mut cursor)?;
    let mut reader = Reader { cursor, version };
    reader.map().map_err(|error| with_version(error, version))
}

/// Version and magic, in this order.
fn header(cursor: &mut Cursor<'_>) -> Read<Version> {
    let start = cursor.offset();
    let value = cursor.f32("version")?;
    let magic_at = cursor.offset();
    if cursor.bytes("magic", 3)? != b"RMF" {
        return Err(ReadError {
            offset: magic_at,
            field: "magic",
            kind: ErrorKind::WrongMagic("an RMF"),
        });
    }
    Version::from_f32(value).ok_or_else(|| ReadError {
        offset: start,
        field: "version",
        kind: ErrorKind::Rule {
            code: "F-VERSION",
            text: format!(
                "RMF {} is not supported; save it from Hammer 3.5 or J.A.C.K.",
                (f64::from(value) * 100.0).round() / 100.0
            ),
        },
    })
}

/// The same error, telling which version was being read.
fn with_version(error: ReadError, version: Version) -> ReadError {
    let code = match &error.kind {
        ErrorKind::CutShort { .. } => "F-CUT",
        ErrorKind::CountTooLarge { .. } => "F-COUNT",
        ErrorKind::Bad(_) => "F-BAD",
        _ => return error,
    };
    let text = format!("RMF {version}: {}", error.kind);
    ReadError {
        kind: ErrorKind::Rule { code, text },
        ..error
    }
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    version: Version,
}

impl<'a> Reader<'a> {
    fn map(&mut self) -> Read<RawMap<'a>> {
        let visgroups = if self.version >= Version::V14 {
            self.visgroups()?
        } else {
            Vec::new()
        };
        let world_at = self.cursor.offset();
        if self.nstring("world type")?.bytes() != b"CMapWorld" {
            let kind = ErrorKind::Bad("the world does not begin here".to_owned());
            return Err(ReadError {
                offset: world_at,
                field: "world type",
                kind,
            });
        }
        let mut count_error = None;
        let world = self.base("world", &mut count_error)?;
        let mut map = RawMap {
            version: self.version,
            visgroups,
            world,
            world_data: RawEntityData::default(),
            objects: Vec::new(),
            paths: Vec::new(),
            doc_info: None,
            trailing: 0,
            stopped: None,
        };
        if let Err(error) = self.objects(&mut map, &mut count_error) {
            // A count that cannot be true is the better explanation of what went wrong after it.
            let error = count_error.unwrap_or(error);
            if map.objects.is_empty() {
                return Err(error);
            }
            map.stopped = Some(with_version(error, self.version));
            return Ok(map);
        }
        if let Err(error) = self.after_objects(&mut map) {
            map.stopped = Some(with_version(error, self.version));
        }
        Ok(map)
    }

    /// World keys, then visgroups or paths, then cameras. What was read before an error stays in `map`.
    fn after_objects(&mut self, map: &mut RawMap<'a>) -> Read<()> {
        map.world_data = self.entity_data()?;
        if self.version < Version::V14 {
            map.visgroups = self.visgroups()?;
        } else {
            let count = self.cursor.count("path count", PATH_BYTES)?;
            for _ in 0..count {
                let path = self.path()?;
                map.paths.push(path);
            }
            if self.cursor.peek(8) == b"DOCINFO\0" {
                self.cursor.skip("DOCINFO", 8)?;
                map.doc_info = Some(self.doc_info()?);
            }
        }
        map.trailing = self.cursor.left() as u64;
        Ok(())
    }

    /// Everything below the world. After an error `map` holds the complete top-level objects.
    fn objects(&mut self, map: &mut RawMap<'a>, count_error: &mut Option<ReadError>) -> Read<()> {
        for _ in 0..map.world.child_count {
            let whole = map.objects.len();
            if let Err(error) = self.top_level_object(&mut map.objects, count_error) {
                map.objects.truncate(whole);
                return Err(error);
            }
        }
        Ok(())
    }

    fn top_level_object(
        &mut self,
        objects: &mut Vec<RawObject<'a>>,
        count_error: &mut Option<ReadError>,
    ) -> Read<()> {
        let mut open = vec![self.begin_object(objects, None, 1, count_error)?];
        while let Some(last) = open.last_mut() {
            if last.children_left > 0 {
                last.children_left -= 1;
                let parent = last.object;
                let child =
                    self.begin_object(objects, Some(parent), open.len() as u32 + 1, count_error)?;
                open.push(child);
            } else {
                let object = &mut objects[last.object as usize];
                self.end_object(object)?;
                open.pop();
            }
        }
        Ok(())
    }

    /// Type and base; children follow.
    fn begin_object(
        &mut self,
        objects: &mut Vec<RawObject<'a>>,
        parent: Option<u32>,
        depth: u32,
        count_error: &mut Option<ReadError>,
    ) -> Read<Open> {
        let offset = self.cursor.offset();
        if depth > MAX_DEPTH {
            let kind = ErrorKind::Bad(format!("objects are nested more than {MAX_DEPTH} deep"));
            return Err(ReadError {
                offset,
                field: "object",
                kind,
            });
        }
        let kind = match self.nstring("object type")?.bytes() {
            b"CMapSolid" => RawKind::Solid(Vec::new()),
            b"CMapGroup" => RawKind::Group,
            b"CMapEntity" => RawKind::Entity(RawEntity::default()),
            other => {
                let name: String = Text(other).decoded().chars().take(32).collect();
                let kind = ErrorKind::Bad(format!("unknown object type {name:?}"));
                return Err(ReadError {
                    offset,
                    field: "object type",
                    kind,
                });
            }
        };
        let base = self.base("object", count_error)?;
        let open = Open {
            object: objects.len() as u32,
            children_left: base.child_count,
        };
        objects.push(RawObject {
            offset,
            parent,
            depth,
            base,
            kind,
        });
        Ok(open)
    }

    /// What a type has after its children.
    fn end_object(&mut self, object: &mut RawObject<'a>) -> Read<()> {
        match &mut object.kind {
            RawKind::Group => {}
            RawKind::Solid(faces) => {
                let count = self.cursor.count("face count", FACE_BYTES)?;
                faces.reserve_exact(count);
                for _ in 0..count {
                    faces.push(self.face()?);
                }
            }
            RawKind::Entity(entity) => {
                entity.data = self.entity_data()?;
                entity.kind = self.cursor.u16("entity kind")?.cast_signed();
                entity.origin = self.cursor.vec3("entity origin")?;
                entity.tail = self.array("entity tail")?;
            }
        }
        Ok(())
    }

    /// Visgroups, colour, child count. Nothing is reserved for the children, so an impossible count is only remembered:
    /// in a file cut short the objects before the cut are still worth having.
    fn base(&mut self, field: &'static str, count_error: &mut Option<ReadError>) -> Read<RawBase> {
        let visgroups = if self.version < Version::V14 {
            let count = self.cursor.count("visgroup slots", 1)?;
            self.cursor
                .bytes("visgroup slots", count)?
                .iter()
                .map(|&id| i32::from(id))
                .collect()
        } else {
            vec![self.cursor.i32("visgroup id")?]
        };
        let color = self.array("colour")?;
        let offset = self.cursor.offset();
        let child_count = self.cursor.u32("child count")?;
        if u64::from(child_count) * OBJECT_BYTES > self.cursor.left() as u64
            && count_error.is_none()
        {
            let field = if field == "world" {
                "object count"
            } else {
                "child count"
            };
            *count_error = Some(ReadError {
                offset,
                field,
                kind: ErrorKind::CountTooLarge {
                    count: u64::from(child_count),
                },
            });
        }
        Ok(RawBase {
            visgroups,
            color,
            child_count,
        })
    }

    fn entity_data(&mut self) -> Read<RawEntityData<'a>> {
        let class = self.nstring("class name")?;
        let angle = self.cursor.i32("angle")?;
        let spawnflags = self.cursor.i32("spawn flags")?;
        let pairs = self.pairs()?;
        let tail = if self.version >= Version::V16 {
            self.array("entity data tail")?
        } else {
            [0; 12]
        };
        Ok(RawEntityData {
            class,
            angle,
            spawnflags,
            pairs,
            tail,
        })
    }

    fn pairs(&mut self) -> Read<Vec<(Text<'a>, Text<'a>)>> {
        let count = self.cursor.count("key count", PAIR_BYTES)?;
        (0..count)
            .map(|_| Ok((self.nstring("key")?, self.nstring("value")?)))
            .collect()
    }

    fn face(&mut self) -> Read<RawFace<'a>> {
        let offset = self.cursor.offset();
        let name_bytes = match self.version {
            Version::V08 => 16,
            Version::V09 | Version::V14 | Version::V16 => 40,
            _ => 256,
        };
        let texture = self.fixed("texture name", name_bytes)?;
        let word = if self.version >= Version::V18 {
            self.cursor.u32("word after the texture name")?
        } else {
            0
        };
        let (axes, rotation, shift) = if self.version >= Version::V22 {
            let u = self.cursor.vec3("U axis")?;
            let shift_u = self.cursor.f32("U shift")?;
            let v = self.cursor.vec3("V axis")?;
            let shift_v = self.cursor.f32("V shift")?;
            (
                Some([u, v]),
                self.cursor.f32("rotation")?,
                [shift_u, shift_v],
            )
        } else {
            // Rotation comes first, unlike the text formats; several readers have this wrong for 1.6 and 1.8.
            (
                None,
                self.cursor.f32("rotation")?,
                [self.cursor.f32("U shift")?, self.cursor.f32("V shift")?],
            )
        };
        let scale = [self.cursor.f32("U scale")?, self.cursor.f32("V scale")?];
        let mut flags = [0; 4];
        let words = if self.version >= Version::V18 {
            4
        } else {
            usize::from(self.version >= Version::V14)
        };
        for flag in &mut flags[..words] {
            *flag = self.cursor.u32("face flags")?;
        }
        let count = self.cursor.count("vertex count", VERTEX_BYTES)?;
        let vertices = (0..count)
            .map(|_| self.cursor.vec3("vertex"))
            .collect::<Read<Vec<Vec3>>>()?;
        let plane = [
            self.cursor.vec3("plane")?,
            self.cursor.vec3("plane")?,
            self.cursor.vec3("plane")?,
        ];
        Ok(RawFace {
            offset,
            texture,
            word,
            axes,
            rotation,
            shift,
            scale,
            flags,
            vertices,
            plane,
        })
    }

    fn visgroups(&mut self) -> Read<Vec<RawVisgroup<'a>>> {
        let old = self.version < Version::V14;
        let count = self
            .cursor
            .count("visgroup count", if old { 136 } else { 140 })?;
        (0..count)
            .map(|_| {
                let name = self.fixed("visgroup name", 128)?;
                let color = self.array("visgroup colour")?;
                let id = if old {
                    i32::from(self.cursor.u8("visgroup id")?)
                } else {
                    self.cursor.i32("visgroup id")?
                };
                let visible = self.cursor.u8("visgroup visible")?;
                let mut tail = [0; 3];
                let tail_bytes = if old { 2 } else { 3 };
                tail[..tail_bytes].copy_from_slice(self.cursor.bytes("visgroup tail", tail_bytes)?);
                Ok(RawVisgroup {
                    name,
                    color,
                    id,
                    visible,
                    tail,
                })
            })
            .collect()
    }

    fn path(&mut self) -> Read<RawPath<'a>> {
        let name = self.fixed("path name", 128)?;
        let class = self.fixed("path class", 128)?;
        let direction = self.cursor.i32("path direction")?;
        let count = self.cursor.count("path node count", NODE_BYTES)?;
        let nodes = (0..count)
            .map(|_| {
                Ok(RawNode {
                    position: self.cursor.vec3("path node position")?,
                    id: self.cursor.i32("path node id")?,
                    name_override: self.fixed("path node name", 128)?,
                    pairs: self.pairs()?,
                })
            })
            .collect::<Read<_>>()?;
        Ok(RawPath {
            name,
            class,
            direction,
            nodes,
        })
    }

    fn doc_info(&mut self) -> Read<RawDocInfo> {
        let version = self.cursor.f32("camera block version")?;
        let active = self.cursor.i32("active camera")?;
        let count = self.cursor.count("camera count", CAMERA_BYTES)?;
        let cameras = (0..count)
            .map(|_| {
                Ok([
                    self.cursor.vec3("camera eye")?,
                    self.cursor.vec3("camera look point")?,
                ])
            })
            .collect::<Read<_>>()?;
        Ok(RawDocInfo {
            version,
            active,
            cameras,
        })
    }

    /// A length byte (0 to 255, never a varint), then that many bytes, with or without a NUL at their end.
    fn nstring(&mut self, field: &'static str) -> Read<Text<'a>> {
        let length = self.cursor.u8(field)?;
        Ok(Text(self.cursor.bytes(field, usize::from(length))?))
    }

    fn fixed(&mut self, field: &'static str, bytes: usize) -> Read<Text<'a>> {
        Ok(Text(self.cursor.bytes(field, bytes)?))
    }

    fn array<const N: usize>(&mut self, field: &'static str) -> Read<[u8; N]> {
        Ok(self
            .cursor
            .bytes(field, N)?
            .try_into()
            .expect("bytes() gives exactly N"))
    }
}
