//! Runtime-only files: a build without its source (`hmap.md` 4). They can be looked at and walked in; "Recover brushes" makes
//! them editable.

use crate::document::Edit;
use crate::document::EditError;
use crate::editor::Editor;
use crate::editor::StatusKind;
use crate::formats::hmap;

impl Editor {
    /// True while the map has a build but nothing that it was made of.
    #[must_use]
    pub fn is_runtime_only(&self) -> bool {
        let doc = &self.history.committed().doc;
        self.extras.shape.runtime_only
            && self.compiled.is_some()
            && doc
                .objects()
                .all(|(_, object)| object.brush().is_none() && object.mesh().is_none())
    }

    /// Brushes of the build's collision and meshes of what it draws; one step. The map is an unsaved one from then on, so that the
    /// file it came from is not written over.
    pub(crate) fn recover_brushes(&mut self) -> Result<(), EditError> {
        let compiled = self
            .compiled
            .clone()
            .ok_or_else(|| EditError::refused("There is no build"))?;
        let recovered = hmap::recover(&compiled, &self.history.committed().doc);
        let objects: Vec<_> = recovered
            .objects()
            .filter(|(id, _)| self.history.committed().doc.object(*id).is_none())
            .map(|(id, object)| (id, object.clone()))
            .collect();
        let count = objects.len();
        if count == 0 {
            return Err(EditError::refused("The build holds nothing to recover"));
        }
        self.commit(&Edit::new("Recover brushes", move |draft, selection| {
            for (id, object) in &objects {
                draft.put(*id, object.clone());
            }
            selection.clear();
            Ok(())
        }))?;
        if let Some(path) = self.file.path.take() {
            self.file.imported_from = Some(path);
        }
        self.file.is_import = true;
        self.file.stamp = None;
        self.file.written = None;
        self.watch_file();
        self.say(
            StatusKind::Info,
            format!(
                "{count} objects were recovered; exact texture placement, layers and groups are not in a build"
            ),
        );
        Ok(())
    }
}
