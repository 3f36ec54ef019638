//! Numbers that name things. Objects, layers, visgroups, groups and paths share one number space (`hmap.md` D17).

use std::num::NonZeroU32;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// `None` for 0, which in files means "the world" or "none".
            #[must_use]
            pub const fn new(number: u32) -> Option<Self> {
                match NonZeroU32::new(number) {
                    Some(number) => Some(Self(number)),
                    None => None,
                }
            }

            /// The file's number, never 0.
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0.get()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

id!(
    /// A brush, mesh, entity or group.
    ObjectId
);
id!(
    /// A layer or visgroup.
    LayerId
);
id!(
    /// A path.
    PathId
);

/// Index of a material in `MATS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialId(pub u32);
