//! What materials and flags mean for drawing: the pass and the list that a face belongs to.

use glam::Vec2;

use crate::document::Material;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;

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

/// What the shapes need to know of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Surface {
    pub tile_size: Vec2,
    pub flags: SurfaceFlags,
    pub tool: bool,
    /// Blended, by flag or as a liquid.
    pub blended: bool,
}

impl Default for Surface {
    fn default() -> Self {
        Self {
            tile_size: Vec2::splat(64.0),
            flags: SurfaceFlags::default(),
            tool: false,
            blended: false,
        }
    }
}

impl Surface {
    pub(crate) fn of(material: &Material) -> Self {
        Self {
            tile_size: material.sound_tile_size(),
            flags: material.flags,
            tool: tool_kind(material).is_some(),
            blended: material.flags.has(SurfaceFlags::TRANSLUCENT) || is_liquid(material),
        }
    }
}

/// Name of a material's or texture's file without folders and extension, in lower case.
pub(crate) fn last_name(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = file.split('.').next().unwrap_or_default();
    name.to_ascii_lowercase()
}

/// Half-Life marks liquids by the first letter of the texture's name; it draws them so that one sees through.
pub(crate) fn is_liquid(material: &Material) -> bool {
    !material.flags.has(SurfaceFlags::SKY) && last_name(&material.texture).starts_with(['!', '*'])
}

/// What a material that is not seen in the game tells the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ToolKind {
    Clip,
    Trigger,
    Origin,
    Hint,
    Other,
}

/// Materials that say something to the compiler instead of being seen, by flag or by the names that games give them.
pub(crate) fn tool_kind(material: &Material) -> Option<ToolKind> {
    const NAMES: &[(ToolKind, &[&str])] = &[
        (
            ToolKind::Clip,
            &[
                "clip",
                "playerclip",
                "clipbevel",
                "clipbevelbrush",
                "noclip",
                "tool_clip",
            ],
        ),
        (
            ToolKind::Trigger,
            &["trigger", "aaatrigger", "tool_trigger"],
        ),
        (ToolKind::Origin, &["origin", "tool_origin"]),
        (
            ToolKind::Hint,
            &["hint", "skip", "solidhint", "tool_hint", "tool_skip"],
        ),
        (
            ToolKind::Other,
            &[
                "null",
                "nodraw",
                "caulk",
                "bevel",
                "areaportal",
                "boundingbox",
                "contentwater",
                "tool_null",
                "tool_nodraw",
            ],
        ),
    ];
    let named = [&material.name, &material.texture]
        .into_iter()
        .find_map(|name| {
            let name = last_name(name);
            let entry = NAMES
                .iter()
                .find(|(_, names)| names.contains(&name.as_str()));
            entry.map(|(kind, _)| *kind)
        });
    let by_flag = material.flags.has(SurfaceFlags::NODRAW);
    named.or(by_flag.then_some(ToolKind::Other))
}

/// `water`: both sides of it are seen.
pub(super) fn pass_of(
    surface: Surface,
    face: SurfaceFlags,
    material: Option<MaterialId>,
    tool_brush: bool,
    water: bool,
) -> Pass {
    // A face that has SKY without its material is not drawn by the compiler (hmap.md 2.4).
    let lone_sky =
        face.has(SurfaceFlags::SKY) && !surface.flags.has(SurfaceFlags::SKY) && material.is_some();
    if tool_brush || surface.tool || face.has(SurfaceFlags::NODRAW) || lone_sky {
        return Pass::Tool;
    }
    if surface.flags.has(SurfaceFlags::SKY) {
        return Pass::Sky;
    }
    let two_sided = water || (surface.flags | face).has(SurfaceFlags::TWO_SIDED);
    match (surface.blended, two_sided) {
        (false, false) => Pass::Opaque,
        (false, true) => Pass::OpaqueTwoSided,
        (true, false) => Pass::Blend,
        (true, true) => Pass::BlendTwoSided,
    }
}
