//! Autosaves: when they are due, and where they go (DOC-2).

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::time::SystemTime;

use super::JobEvent;
use super::JobKind;
use super::spawn;
use crate::editor::Editor;
use crate::editor::recovery;
use crate::editor::recovery::Recovery;
use crate::editor::request::StatusKind;
use crate::formats::hmap;

/// Seconds without input before an autosave.
const IDLE_S: f64 = 2.0;

impl Editor {
    /// Where autosaves go; without it there are none. Call once after making the editor.
    pub fn set_state_folder(&mut self, folder: &Path) {
        self.jobs.autosave.state_folder = Some(folder.to_owned());
        self.jobs.autosave.seen = self.history.committed().doc.clone();
        self.begin_recovery();
    }

    pub(super) fn begin_recovery(&mut self) {
        let Some(folder) = self.jobs.autosave.state_folder.clone() else {
            return;
        };
        if let Some(old) = self.jobs.autosave.recovery.take() {
            old.finish();
        }
        match Recovery::begin(&folder, self.file.path.as_deref(), &self.name()) {
            Ok(recovery) => self.jobs.autosave.recovery = Some(recovery),
            Err(error) => {
                tracing::warn!("No autosaves: {error}");
                self.say(
                    StatusKind::Error,
                    format!("There will be no autosaves: {error}"),
                );
            }
        }
    }

    /// Autosave when it is due: enough changes long enough ago, nothing going on.
    pub(crate) fn jobs_tick(&mut self) {
        let doc = &self.history.committed().doc;
        let autosave = &mut self.jobs.autosave;
        if !doc.same(&autosave.seen) {
            autosave.seen = doc.clone();
            autosave.changed_s.get_or_insert(self.now_s);
            autosave.last_change_s = self.now_s;
        }
        let Some(changed_s) = autosave.changed_s else {
            return;
        };
        let due = self.settings.autosave && self.now_s - changed_s >= self.settings.autosave_s;
        let idle = self.now_s - self.jobs.autosave.last_change_s >= IDLE_S
            && !self.has_capture()
            && !self.camera.is_flying()
            && !self.is_walking();
        if due && idle && !self.jobs.autosave.running && self.is_dirty() {
            self.start_autosave();
        }
    }

    /// Seconds until [`Editor::tick`] should run again for an autosave, when nothing else happens.
    #[must_use]
    pub fn next_tick_in(&self) -> Option<Duration> {
        let changed_s = self
            .jobs
            .autosave
            .changed_s
            .filter(|_| self.settings.autosave && self.jobs.autosave.recovery.is_some())?;
        let due_s =
            (changed_s + self.settings.autosave_s).max(self.jobs.autosave.last_change_s + IDLE_S);
        Some(Duration::from_secs_f64((due_s - self.now_s).max(0.1)))
    }

    pub(super) fn start_autosave(&mut self) {
        let Some(folder) = self
            .jobs
            .autosave
            .recovery
            .as_ref()
            .map(|recovery| recovery.folder().to_owned())
        else {
            return;
        };
        self.jobs.autosave.running = true;
        self.jobs.autosave.changed_s = None;
        let doc = self.history.committed().doc.clone();
        let (look, extras) = (self.look_to_save(), self.extras.clone());
        let map = self.jobs.token.clone();
        let token = map.clone();
        let work = move || {
            let fail = |reason: String| format!("The autosave failed: {reason}");
            let content = hmap::write(&doc, &look, &extras, None, &folder)
                .map_err(|error| fail(error.to_string()))?;
            recovery::write(&folder, &content, SystemTime::now())
                .map_err(|error| fail(error.to_string()))
        };
        let event = move |path| JobEvent::Autosaved { map: token, path };
        if let Err(error) = spawn(
            "autosave",
            JobKind::Autosave,
            Some(map),
            Arc::clone(&self.jobs.events),
            work,
            event,
        ) {
            self.jobs.autosave.running = false;
            tracing::warn!("no autosave: {error}");
        }
    }

    /// Writes the present state at once, on this thread: for the panic hook and the end of a session.
    ///
    /// # Errors
    /// One sentence.
    pub fn autosave_now(&self) -> Result<PathBuf, String> {
        let recovery = self
            .jobs
            .autosave
            .recovery
            .as_ref()
            .ok_or("There is no folder for autosaves")?;
        let doc = &self.history.committed().doc;
        let content = hmap::write(
            doc,
            &self.look_to_save(),
            &self.extras,
            None,
            recovery.folder(),
        )
        .map_err(|error| error.to_string())?;
        recovery::write(recovery.folder(), &content, SystemTime::now())
            .map_err(|error| error.to_string())
    }
}
