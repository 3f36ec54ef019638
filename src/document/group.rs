//! Groups: objects that are selected and moved as one.

/// Its members are its children in the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub name: String,
    /// RGBA, sRGB-encoded.
    pub color: [u8; 4],
    /// Bits of `LAYR` other than HIDDEN, LOCKED and NO_COMPILE.
    pub flags: u32,
    /// `LAYR`'s order field.
    pub rank: u32,
}

impl Group {
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            color: [255; 4],
            flags: 0,
            rank: 0,
        }
    }
}
