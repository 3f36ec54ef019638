//! The pass and the list that a face belongs to.

use crate::document::MaterialId;
use crate::editor::shown::FaceKind;
use crate::editor::shown::FaceLook;

/// How triangles are drawn. The order is that of drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Pass {
    Opaque,
    OpaqueTwoSided,
    /// What stands for the sky; drawn from lists of its own (`sky.rs`).
    Sky,
    Blend,
    BlendTwoSided,
    /// What the game does not draw.
    Tool,
    /// Boxes of point entities.
    Entity,
}

/// The list that a face's triangles belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ListKey {
    pub pass: Pass,
    pub material: Option<MaterialId>,
}

/// What a face is drawn by.
pub(super) fn pass_of(look: FaceLook) -> Pass {
    match (look.kind, look.two_sided) {
        (FaceKind::Solid, false) => Pass::Opaque,
        (FaceKind::Solid, true) => Pass::OpaqueTwoSided,
        (FaceKind::Blended, false) => Pass::Blend,
        (FaceKind::Blended, true) => Pass::BlendTwoSided,
        (FaceKind::Sky, _) => Pass::Sky,
        (FaceKind::Tool, _) => Pass::Tool,
    }
}
