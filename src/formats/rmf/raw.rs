//! An RMF file as structs: everything it holds, in its own order, axes and bytes; nothing is interpreted here.
//!
//! Objects lie in one flat list in file order, each with the index of its parent, since groups go hundreds deep in real maps
//! and neither reading nor dropping may recurse.

use std::borrow::Cow;

use glam::Vec3;

use crate::formats::ReadError;

/// Ten times the file's version number; the only versions whose layout is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u8);

impl Version {
    pub const V08: Self = Self(8);
    pub const V09: Self = Self(9);
    pub const V14: Self = Self(14);
    pub const V16: Self = Self(16);
    pub const V18: Self = Self(18);
    pub const V22: Self = Self(22);

    const KNOWN: [Self; 6] = [
        Self::V08,
        Self::V09,
        Self::V14,
        Self::V16,
        Self::V18,
        Self::V22,
    ];

    /// Compared as `round(10 v)`: 2.2 has no exact binary form, and readers differ in the precision they parse it with.
    #[must_use]
    pub fn from_f32(value: f32) -> Option<Self> {
        let tenths = (f64::from(value) * 10.0).round();
        Self::KNOWN
            .into_iter()
            .find(|version| f64::from(version.0) == tenths)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// A text as it lies in the file: all bytes of the field, leftovers after the NUL included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Text<'a>(pub &'a [u8]);

impl<'a> Text<'a> {
    /// The bytes before the first NUL.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        let end = self
            .0
            .iter()
            .position(|&byte| byte == 0)
            .unwrap_or(self.0.len());
        &self.0[..end]
    }

    /// Decoded as Windows-1252, which never fails: bytes without a character become the control of the same number.
    #[must_use]
    pub fn decoded(self) -> Cow<'a, str> {
        encoding_rs::WINDOWS_1252
            .decode_without_bom_handling(self.bytes())
            .0
    }
}

/// One document: a `.rmf`, or an entry of an `.ol` library.
#[derive(Clone, Debug)]
pub struct RawMap<'a> {
    pub version: Version,
    pub visgroups: Vec<RawVisgroup<'a>>,
    pub world: RawBase,
    pub world_data: RawEntityData<'a>,
    /// In file order: a parent before its children.
    pub objects: Vec<RawObject<'a>>,
    pub paths: Vec<RawPath<'a>>,
    pub doc_info: Option<RawDocInfo>,
    /// Bytes after the last part that was understood.
    pub trailing: u64,
    /// Where and why reading stopped early; what is here came before that place and is whole.
    pub stopped: Option<ReadError>,
}

#[derive(Clone, Debug)]
pub struct RawVisgroup<'a> {
    pub name: Text<'a>,
    /// Red, green, blue in every version; the fourth means nothing.
    pub color: [u8; 4],
    pub id: i32,
    /// As stored; says nothing before 1.4 (see [`RawMap::is_hidden`]).
    pub visible: u8,
    pub tail: [u8; 3],
}

/// What every object begins with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawBase {
    /// 1.4 and later: one id, 0 = none. Before: all slots, 0 = free.
    pub visgroups: Vec<i32>,
    /// Blue, green, red before 2.2; red, green, blue in 2.2.
    pub color: [u8; 3],
    pub child_count: u32,
}

#[derive(Clone, Debug)]
pub struct RawObject<'a> {
    /// Of its type name in the file.
    pub offset: u64,
    /// Index in [`RawMap::objects`]; `None` = the world.
    pub parent: Option<u32>,
    /// 1 for children of the world.
    pub depth: u32,
    pub base: RawBase,
    pub kind: RawKind<'a>,
}

#[derive(Clone, Debug)]
pub enum RawKind<'a> {
    Solid(Vec<RawFace<'a>>),
    Group,
    Entity(RawEntity<'a>),
}

#[derive(Clone, Debug, Default)]
pub struct RawEntity<'a> {
    pub data: RawEntityData<'a>,
    /// 2 = point, 0 = made of solids.
    pub kind: i16,
    pub origin: Vec3,
    pub tail: [u8; 4],
}

#[derive(Clone, Debug, Default)]
pub struct RawEntityData<'a> {
    pub class: Text<'a>,
    /// The old "angle" field: degrees of yaw, -1 up, -2 down; 0 in every file of version 2.2.
    pub angle: i32,
    pub spawnflags: i32,
    pub pairs: Vec<(Text<'a>, Text<'a>)>,
    /// Zeroes, from 1.6 on.
    pub tail: [u8; 12],
}

#[derive(Clone, Debug)]
pub struct RawFace<'a> {
    pub offset: u64,
    pub texture: Text<'a>,
    /// After the name from 1.8 on: garbage, or 0 or 3 by J.A.C.K.
    pub word: u32,
    /// U and V as stored, only in 2.2.
    pub axes: Option<[Vec3; 2]>,
    /// Degrees; in 2.2 for display only, the axes contain it.
    pub rotation: f32,
    /// Pixels.
    pub shift: [f32; 2],
    /// Units per pixel.
    pub scale: [f32; 2],
    /// None before 1.4, one word in 1.4 and 1.6, four from 1.8 on; absent words are 0.
    pub flags: [u32; 4],
    /// Clockwise seen from outside.
    pub vertices: Vec<Vec3>,
    pub plane: [Vec3; 3],
}

#[derive(Clone, Debug)]
pub struct RawPath<'a> {
    pub name: Text<'a>,
    pub class: Text<'a>,
    /// 0 one way, 1 circular, 2 ping-pong.
    pub direction: i32,
    pub nodes: Vec<RawNode<'a>>,
}

#[derive(Clone, Debug)]
pub struct RawNode<'a> {
    pub position: Vec3,
    pub id: i32,
    pub name_override: Text<'a>,
    pub pairs: Vec<(Text<'a>, Text<'a>)>,
}

/// The block that holds the cameras.
#[derive(Clone, Debug, PartialEq)]
pub struct RawDocInfo {
    pub version: f32,
    /// Index, -1 = none.
    pub active: i32,
    /// Eye and look point.
    pub cameras: Vec<[Vec3; 2]>,
}

/// A prefab library.
#[derive(Clone, Debug)]
pub struct RawLibrary<'a> {
    pub version: f32,
    pub description: Text<'a>,
    pub entries: Vec<RawPrefab<'a>>,
}

#[derive(Clone, Debug)]
pub struct RawPrefab<'a> {
    pub offset: u64,
    pub name: Text<'a>,
    pub description: Text<'a>,
    /// An entry that cannot be read does not lose the others.
    pub map: Result<RawMap<'a>, ReadError>,
}

impl RawMap<'_> {
    /// The byte means something only from 1.4 on: older files hold 0 even in groups just made.
    #[must_use]
    pub fn is_hidden(&self, visgroup: &RawVisgroup<'_>) -> bool {
        self.version >= Version::V14 && visgroup.visible == 0
    }

    /// An object colour as red, green, blue.
    #[must_use]
    pub fn rgb(&self, base: &RawBase) -> [u8; 3] {
        let [first, second, third] = base.color;
        if self.version >= Version::V22 {
            [first, second, third]
        } else {
            [third, second, first]
        }
    }
}
