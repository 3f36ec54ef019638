//! Layers (an object is in one) and visgroups (an object is in any number).

use crate::document::LayerId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerKind {
    Layer,
    Visgroup,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub kind: LayerKind,
    pub parent: Option<LayerId>,
    pub name: String,
    /// RGBA, sRGB-encoded.
    pub color: [u8; 4],
    /// Bits of `LAYR` other than HIDDEN, LOCKED and NO_COMPILE.
    pub flags: u32,
    pub rank: u32,
    /// Members are left out of builds.
    pub no_compile: bool,
}

impl Layer {
    #[must_use]
    pub fn new(kind: LayerKind, name: impl Into<String>) -> Self {
        Self {
            kind,
            parent: None,
            name: name.into(),
            color: [255; 4],
            flags: 0,
            rank: 0,
            no_compile: false,
        }
    }
}
