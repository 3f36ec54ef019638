//! What materials mean for drawing.

use std::collections::BTreeSet;

use glam::Vec2;

use crate::document::Difference;
use crate::document::Document;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;

/// What pictures and picks need to know of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Surface {
    pub tile_size: Vec2,
    pub flags: SurfaceFlags,
    /// It says something to the compiler instead of being seen.
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
            tool: tool_material(material).is_some(),
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
pub(crate) enum ToolMaterial {
    Clip,
    Trigger,
    Origin,
    Hint,
    Other,
}

/// Materials that say something to the compiler instead of being seen, by flag or by the names that games give them.
pub(crate) fn tool_material(material: &Material) -> Option<ToolMaterial> {
    const NAMES: &[(ToolMaterial, &[&str])] = &[
        (
            ToolMaterial::Clip,
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
            ToolMaterial::Trigger,
            &["trigger", "aaatrigger", "tool_trigger"],
        ),
        (ToolMaterial::Origin, &["origin", "tool_origin"]),
        (
            ToolMaterial::Hint,
            &["hint", "skip", "solidhint", "tool_hint", "tool_skip"],
        ),
        (
            ToolMaterial::Other,
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
    named.or(by_flag.then_some(ToolMaterial::Other))
}

/// The surface of a material; of none, or an unknown one, the plain one.
pub(crate) fn surface_of(surfaces: &[Surface], material: Option<MaterialId>) -> Surface {
    material
        .and_then(|id| surfaces.get(id.0 as usize))
        .copied()
        .unwrap_or_default()
}

/// Brings the table of surfaces, by number of the material, from one state of the document to another. Returns
/// the materials whose change moves texture coordinates or lists.
pub(crate) fn update_surfaces(
    old_doc: &Document,
    doc: &Document,
    surfaces: &mut Vec<Surface>,
) -> BTreeSet<MaterialId> {
    let mut changed = BTreeSet::new();
    for (id, difference) in doc.material_changes_since(old_doc) {
        let surface = match difference {
            Difference::Added(material) | Difference::Changed(material, _) => Surface::of(material),
            Difference::Removed(_) => Surface::default(),
        };
        let at = id.0 as usize;
        // Numbers of materials are dense; one far off comes from a damaged file and keeps the default.
        if at >= surfaces.len() {
            if at > surfaces.len() + doc.material_count() {
                continue;
            }
            surfaces.resize(at + 1, Surface::default());
        }
        if surfaces[at] != surface {
            surfaces[at] = surface;
            changed.insert(id);
        }
    }
    changed
}
