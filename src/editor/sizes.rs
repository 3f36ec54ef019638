//! "Texture sizes" (`hmap.md` 2.5, *Unknown picture size*): pictures that turn up after an import had to guess their sizes.

use std::collections::BTreeMap;

use crate::document::EditError;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::document::ops;
use crate::editor::Editor;
use crate::editor::StatusKind;

/// Sizes found, and whether they are waited for.
#[derive(Default)]
pub(crate) struct Sizes {
    /// By material, in pixels.
    found: BTreeMap<MaterialId, [u32; 2]>,
    /// The user has just named a place with textures: what turns up is put right once without being asked.
    wanted: bool,
}

impl Editor {
    /// Materials whose pictures had unknown sizes at import, with the names of these.
    #[must_use]
    pub fn guessed_materials(&self) -> Vec<(MaterialId, String)> {
        self.history
            .committed()
            .doc
            .materials()
            .filter(|(_, material)| material.flags.has(SurfaceFlags::SIZE_GUESSED))
            .map(|(id, material)| (id, material.texture.clone()))
            .collect()
    }

    /// The user named another place with textures: the next sizes that turn up are put right as one step.
    pub fn texture_source_added(&mut self) {
        self.sizes.wanted = true;
    }

    /// Sizes in pixels of pictures that are there now; others of before are forgotten. Call it when the textures are loaded.
    pub fn textures_arrived(&mut self, sizes: &[(MaterialId, [u32; 2])]) {
        self.sizes.found = sizes
            .iter()
            .filter(|(_, size)| size[0] > 0 && size[1] > 0)
            .copied()
            .collect();
        if !self.sizes.wanted || self.known_sizes().is_empty() {
            return;
        }
        if self.is_dragging() || self.history.is_previewing() || self.is_walking() {
            return;
        }
        self.sizes.wanted = false;
        // A refusal stands in the status line, and the command stays.
        let _ = self.apply_texture_sizes();
    }

    /// Guessed sizes of the present map that are known by now.
    fn known_sizes(&self) -> BTreeMap<MaterialId, (u32, u32)> {
        let doc = &self.history.committed().doc;
        self.sizes
            .found
            .iter()
            .filter(|(id, _)| {
                doc.material(**id)
                    .is_some_and(|material| material.flags.has(SurfaceFlags::SIZE_GUESSED))
            })
            .map(|(&id, &[width, height])| (id, (width, height)))
            .collect()
    }

    /// Why the step cannot be made now.
    pub(crate) fn has_known_sizes(&self) -> Result<(), &'static str> {
        if self.known_sizes().is_empty() {
            Err("There are no pictures whose sizes were unknown at import")
        } else {
            Ok(())
        }
    }

    pub(crate) fn apply_texture_sizes(&mut self) -> Result<(), EditError> {
        let sizes = self.known_sizes();
        let count = sizes.len();
        self.commit(&ops::materials::texture_sizes(sizes))?;
        self.say(
            StatusKind::Info,
            format!("The sizes of {count} textures were found and their placement was put right"),
        );
        Ok(())
    }
}
