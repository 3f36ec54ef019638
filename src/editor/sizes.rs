//! "Texture sizes" (`hmap.md` 2.5, *Unknown picture size*): pictures that turn up after an import had to guess their sizes, and what
//! they say of how they are drawn.

use std::collections::BTreeMap;

use crate::document::EditError;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::document::ops;
use crate::document::ops::materials::FoundPicture;
use crate::editor::Editor;
use crate::editor::StatusKind;
use crate::formats::unr::looks::with_own_flags;

/// A picture that is there now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrivedPicture {
    pub material: MaterialId,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// What its package says of it: polygon flags of Unreal Engine 1 (`unr.md` 7), 0 for other pictures.
    pub polygon_flags: u32,
}

/// Pictures found, and whether they are waited for.
#[derive(Default)]
pub(crate) struct Sizes {
    found: BTreeMap<MaterialId, ArrivedPicture>,
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

    /// Pictures that are there now; others of before are forgotten. Call it when the textures are loaded.
    pub fn textures_arrived(&mut self, pictures: &[ArrivedPicture]) {
        self.sizes.found = pictures
            .iter()
            .filter(|picture| picture.size.iter().all(|side| *side > 0))
            .map(|picture| (picture.material, *picture))
            .collect();
        if !self.sizes.wanted || self.known_pictures().is_empty() {
            return;
        }
        if self.is_dragging() || self.history.is_previewing() || self.is_walking() {
            return;
        }
        self.sizes.wanted = false;
        // A refusal stands in the status line, and the command stays.
        let _ = self.apply_texture_sizes();
    }

    /// Pictures of the present map whose sizes were guessed and are known by now.
    fn known_pictures(&self) -> BTreeMap<MaterialId, FoundPicture> {
        let doc = &self.history.committed().doc;
        let found = self.sizes.found.iter().filter_map(|(&id, picture)| {
            let material = doc.material(id)?;
            let is_guessed = material.flags.has(SurfaceFlags::SIZE_GUESSED);
            let own = picture.polygon_flags;
            let look = (own != 0).then(|| with_own_flags(&material.texture, material.flags, own));
            let [width, height] = picture.size;
            let size = (width, height);
            is_guessed.then_some((id, FoundPicture { size, look }))
        });
        found.collect()
    }

    /// Why the step cannot be made now.
    pub(crate) fn has_known_sizes(&self) -> Result<(), &'static str> {
        if self.known_pictures().is_empty() {
            Err("There are no pictures whose sizes were unknown at import")
        } else {
            Ok(())
        }
    }

    pub(crate) fn apply_texture_sizes(&mut self) -> Result<(), EditError> {
        let found = self.known_pictures();
        let count = found.len();
        self.commit(&ops::materials::pictures_found(found))?;
        let what = if count == 1 {
            "The size of one texture was found and its placement was put right".to_owned()
        } else {
            format!("The sizes of {count} textures were found and their placement was put right")
        };
        self.say(StatusKind::Info, what);
        Ok(())
    }
}
