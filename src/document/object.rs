//! What a map is made of: an object has a place in the tree, a layer, flags and a kind.

use std::sync::Arc;

use crate::document::Brush;
use crate::document::Contents;
use crate::document::Entity;
use crate::document::Group;
use crate::document::LayerId;
use crate::document::Mesh;
use crate::document::ObjectId;
use crate::geometry::Aabb;

/// One object of the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The entity or group that holds it; `None` = the world.
    pub parent: Option<ObjectId>,
    /// `None` = the default layer.
    pub layer: Option<LayerId>,
    pub visgroups: Arc<[LayerId]>,
    /// Place in document order, which is by (`order`, id).
    pub order: u32,
    /// Without HIDDEN and LOCKED, which live in [`crate::document::ViewState`].
    pub flags: ObjectFlags,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Brush(Brush),
    Mesh(Mesh),
    Entity(Entity),
    Group(Group),
}

impl Object {
    /// An object of the world in the default layer.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self {
            parent: None,
            layer: None,
            visgroups: Arc::from([]),
            order: 0,
            flags: ObjectFlags::default(),
            kind,
        }
    }

    #[must_use]
    pub fn brush(&self) -> Option<&Brush> {
        if let Kind::Brush(brush) = &self.kind {
            Some(brush)
        } else {
            None
        }
    }

    #[must_use]
    pub fn mesh(&self) -> Option<&Mesh> {
        if let Kind::Mesh(mesh) = &self.kind {
            Some(mesh)
        } else {
            None
        }
    }

    #[must_use]
    pub fn entity(&self) -> Option<&Entity> {
        if let Kind::Entity(entity) = &self.kind {
            Some(entity)
        } else {
            None
        }
    }

    #[must_use]
    pub fn group(&self) -> Option<&Group> {
        if let Kind::Group(group) = &self.kind {
            Some(group)
        } else {
            None
        }
    }

    /// The box of its own geometry; an entity is its origin, a group nothing.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        match &self.kind {
            Kind::Brush(brush) => brush.hull().bounds(),
            Kind::Mesh(mesh) => mesh.bounds(),
            Kind::Entity(entity) => Aabb::new(entity.origin, entity.origin),
            Kind::Group(_) => Aabb::EMPTY,
        }
    }
}

/// Makes a set of bits that keeps the unknown ones.
macro_rules! bits {
    ($(#[$doc:meta])* $name:ident { $($(#[$bit_doc:meta])* $bit:ident = $value:expr;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub u32);

        impl $name {
            $($(#[$bit_doc])* pub const $bit: Self = Self($value);)*
            /// Every named bit.
            pub const KNOWN: Self = Self(0 $(| $value)*);
            /// Names as in the file format, with their bits.
            pub const NAMES: &'static [(&'static str, Self)] = &[$((stringify!($bit), Self($value)),)*];

            /// True when any of `other`'s bits is set.
            #[must_use]
            pub const fn has(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            #[must_use]
            pub const fn with(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            #[must_use]
            pub const fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }
    };
}
pub(crate) use bits;

bits!(
    /// Object bits (`hmap.md` D25). Unknown bits are kept. HIDDEN and LOCKED exist only in files.
    ObjectFlags {
        HIDDEN = 0x01;
        LOCKED = 0x02;
        /// Left out of `CMPL`.
        NO_COMPILE = 0x04;
        /// Does not block baked light.
        NO_SHADOW = 0x08;
        /// No collision.
        NO_COLLIDE = 0x10;
        /// Never used to split or seal space.
        DETAIL = 0x20;
        /// Carves its volume out of the brushes of the same owner before it.
        SUBTRACT = 0x40;
    }
);

/// Bits that a mesh keeps for the brushes that it may become again: of those that D25 leaves to Mapwright, bit 7 says that bits 8
/// to 12 are the contents. As long as it is a mesh nothing else reads them: a mesh is drawn and blocks, whatever it was.
impl ObjectFlags {
    const HAS_CONTENTS: Self = Self(0x80);
    const CONTENTS: Self = Self(Contents::KNOWN.0 << Self::CONTENTS_SHIFT);
    const CONTENTS_SHIFT: u32 = 8;

    /// With the contents of the brush that a mesh is made of; what is solid needs no note. Bits of contents without a name are
    /// left out.
    #[must_use]
    pub const fn keeping(self, contents: Contents) -> Self {
        let plain = self.without_kept();
        if contents.0 == Contents::SOLID.0 {
            return plain;
        }
        let bits = (contents.0 & Contents::KNOWN.0) << Self::CONTENTS_SHIFT;
        plain.with(Self::HAS_CONTENTS).with(Self(bits))
    }

    /// Contents of the brushes that a mesh becomes.
    #[must_use]
    pub const fn kept_contents(self) -> Contents {
        if self.has(Self::HAS_CONTENTS) {
            Contents((self.0 & Self::CONTENTS.0) >> Self::CONTENTS_SHIFT)
        } else {
            Contents::SOLID
        }
    }

    /// As a brush has them.
    #[must_use]
    pub const fn without_kept(self) -> Self {
        self.without(Self::HAS_CONTENTS).without(Self::CONTENTS)
    }
}
