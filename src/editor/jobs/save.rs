//! Saving: the snapshot, the file, the build that is added to it, and what other programs do to the file (DOC-1, DOC-3, D31).

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use super::JobEvent;
use super::JobKind;
use super::OpenedMap;
use super::Snapshot;
use super::spawn;
use crate::assets::Watcher;
use crate::assets::save::FileStamp;
use crate::assets::save::SaveError;
use crate::assets::save::SaveMode;
use crate::assets::save::save_file;
use crate::document::ViewState;
use crate::editor::Editor;
use crate::editor::Request;
use crate::editor::file::Written;
use crate::editor::request::StatusKind;
use crate::formats::hmap;

impl Editor {
    /// DOC-1: saves under its name, or asks for one once.
    pub fn save(&mut self) {
        match self.file.path.clone() {
            Some(path) => self.start_save(path, self.file.stamp),
            None => self.ask_for_name(),
        }
    }

    pub(crate) fn ask_for_name(&mut self) {
        let from = self
            .file
            .path
            .clone()
            .or_else(|| self.file.imported_from.clone());
        let suggested = from.map_or_else(
            || PathBuf::from("untitled.hmap"),
            |path| path.with_extension("hmap"),
        );
        self.request(Request::SaveAs { suggested });
    }

    /// The name asked for. Always ends in `.hmap`, so that no foreign file is overwritten; the dialog has asked before
    /// replacing another map.
    pub fn save_to(&mut self, path: &Path) {
        let is_own = path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("hmap"));
        let path = if is_own {
            path.to_owned()
        } else {
            let mut name = path.as_os_str().to_owned();
            name.push(".hmap");
            PathBuf::from(name)
        };
        self.start_save(path, None);
    }

    /// After [`Request::ConfirmOverwrite`]: saves whatever is on disk.
    pub fn save_over(&mut self) {
        if let Some(path) = self.file.path.clone() {
            self.start_save(path, None);
        }
    }

    /// `expected`: what must be on disk; `None` = anything.
    pub(super) fn start_save(&mut self, path: PathBuf, expected: Option<FileStamp>) {
        if self.jobs.saving || self.jobs.adding {
            self.jobs.save_again = true;
            self.file.path = Some(path);
            return;
        }
        self.jobs.saving = true;
        // Checksums are asked for by default (`hmap.md` 6.12).
        self.extras.sums = true;
        let doc = self.history.committed().doc.clone();
        let compiled = self
            .compiled
            .clone()
            .filter(|compiled| compiled.is_current(&doc));
        let snapshot = Snapshot {
            doc,
            look: self.look_to_save(),
            extras: self.extras.clone(),
            compiled: compiled.is_some(),
        };
        let map = self.jobs.token.clone();
        let (token, target) = (map.clone(), path.clone());
        let work = move || -> Result<Option<(FileStamp, Snapshot)>, String> {
            let content = hmap::write(
                &snapshot.doc,
                &snapshot.look,
                &snapshot.extras,
                compiled.as_deref(),
                &path,
            )
            .map_err(|error| format!("Could not save: {error}. The file is as it was"))?;
            let mode = SaveMode {
                keep_backup: true,
                expect: expected,
            };
            let stamp = match save_file(&path, &content, mode) {
                Err(SaveError::Changed(_)) => return Ok(None),
                Err(error) => {
                    return Err(format!("Could not save: {error}. The file is as it was"));
                }
                Ok(stamp) => stamp,
            };
            Ok(Some((stamp, snapshot)))
        };
        let event = move |done: Option<(FileStamp, Snapshot)>| match done {
            Some((stamp, snapshot)) => JobEvent::Saved {
                map: token,
                path: target,
                stamp,
                snapshot: Box::new(snapshot),
            },
            None => JobEvent::Conflict {
                map: token,
                path: target,
            },
        };
        if let Err(error) = spawn(
            "save",
            JobKind::Save,
            Some(map),
            Arc::clone(&self.jobs.events),
            work,
            event,
        ) {
            self.jobs.saving = false;
            self.say(StatusKind::Error, format!("Could not save: {error}"));
        }
    }

    /// True while the map's file is being written, by a save or to add the build.
    #[must_use]
    pub fn is_saving(&self) -> bool {
        self.jobs.saving || self.jobs.adding
    }

    pub(super) fn saved(&mut self, path: PathBuf, stamp: FileStamp, snapshot: Snapshot) {
        self.jobs.saving = false;
        let renamed = self.file.path.as_ref() != Some(&path);
        let renumbered = if snapshot.doc.next_id() == u32::MAX {
            // D17: what was written is not what is open.
            "; its object numbers were used up, the file has new ones. Reload it to go on with them"
        } else {
            ""
        };
        self.say(
            StatusKind::Info,
            format!("Saved {}{renumbered}", path.display()),
        );
        self.settings.remember(&path);
        self.file.path = Some(path);
        self.file.is_import = false;
        self.file.stamp = Some(stamp);
        self.file.kept = None;
        self.saved = snapshot.doc.clone();
        self.jobs.autosave.changed_s = None;
        if renamed || self.jobs.watcher.is_none() {
            self.watch_file();
            self.begin_recovery();
            if let (Some(speed), Some(path)) = (self.file.fly_speed, self.file.path.clone()) {
                self.settings
                    .update_map(&path, |entry| entry.fly_speed = Some(speed));
            }
        }
        let needs_build = !snapshot.compiled && self.settings.build_on_save;
        let doc = snapshot.doc.clone();
        self.file.written = Some(Written {
            doc: snapshot.doc,
            look: snapshot.look,
            extras: snapshot.extras,
        });
        if needs_build {
            self.jobs.compile.request(doc);
            self.start_compile();
        }
        self.save_if_asked_again();
    }

    pub(super) fn save_if_asked_again(&mut self) {
        if std::mem::take(&mut self.jobs.save_again) {
            self.save();
        }
    }

    /// D31: the build goes into the file when that still is the one we wrote, of this very state, and no save is under way.
    pub(super) fn add_compile(&mut self) {
        let (Some(path), Some(stamp), Some(written), Some(compiled)) = (
            &self.file.path,
            self.file.stamp,
            &self.file.written,
            &self.compiled,
        ) else {
            return;
        };
        if self.jobs.saving || self.jobs.adding || !compiled.is_current(&written.doc) {
            return;
        }
        self.jobs.adding = true;
        let (path, written, compiled) = (path.clone(), written.clone(), Arc::clone(compiled));
        let map = self.jobs.token.clone();
        let token = map.clone();
        let work = move || {
            // A map that was removed meanwhile is not made anew for its build.
            if !path.exists() {
                return Ok(None);
            }
            let fail = |reason: String| {
                format!("Could not add the build to the map: {reason}. The saved map is unharmed")
            };
            let content = hmap::write(
                &written.doc,
                &written.look,
                &written.extras,
                Some(&compiled),
                &path,
            )
            .map_err(|error| fail(error.to_string()))?;
            let mode = SaveMode {
                keep_backup: false,
                expect: Some(stamp),
            };
            match save_file(&path, &content, mode) {
                Ok(stamp) => Ok(Some(stamp)),
                Err(SaveError::Changed(_)) => Ok(None),
                Err(error) => Err(fail(error.to_string())),
            }
        };
        let event = move |stamp| JobEvent::CompileAdded { map: token, stamp };
        if let Err(error) = spawn(
            "add build",
            JobKind::Save,
            Some(map),
            Arc::clone(&self.jobs.events),
            work,
            event,
        ) {
            self.jobs.adding = false;
            tracing::warn!("the build was not added to the file: {error}");
        }
    }

    /// DOC-3: follows the file on disk from now on.
    pub(crate) fn watch_file(&mut self) {
        self.jobs.watcher = None;
        let Some(path) = self.file.path.clone() else {
            return;
        };
        let Some(folder) = path.parent().map(|folder| {
            if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            }
            .to_owned()
        }) else {
            return;
        };
        let (events, map, watched) = (
            Arc::clone(&self.jobs.events),
            self.jobs.token.clone(),
            path.clone(),
        );
        let changed = move |paths: Vec<PathBuf>| {
            if paths
                .iter()
                .any(|path| path.file_name() == watched.file_name())
            {
                events(JobEvent::FileChanged {
                    map: map.clone(),
                    path: watched.clone(),
                    now: FileStamp::read(&watched).ok(),
                });
            }
        };
        match Watcher::new(Arc::new(changed)) {
            Ok(mut watcher) => {
                watcher.set_folders(&[folder]);
                self.jobs.watcher = Some(watcher);
            }
            Err(error) => tracing::warn!("the map's folder is not watched: {error}"),
        }
    }

    pub(super) fn file_changed(&mut self, path: PathBuf, now: Option<FileStamp>) {
        // Our own writing is under way, or the file is gone: the next save makes it anew.
        let Some(now) = now.filter(|_| !self.jobs.saving && !self.jobs.adding) else {
            return;
        };
        let is = |known: Option<FileStamp>| known.is_some_and(|known| known.is_same_content(&now));
        if self.file.path.as_ref() != Some(&path) || is(self.file.stamp) || is(self.file.kept) {
            return;
        }
        self.file.kept = Some(now);
        self.request(Request::FileChanged { path });
    }

    /// DOC-3: the map as it is on disk now, with camera and selection (by id) kept.
    pub fn reload(&mut self, map: OpenedMap) {
        let imported = map.opened.imported;
        let selection = self.history.committed().selection.clone();
        self.cancel_drag();
        self.history = crate::document::History::new(imported.doc.clone());
        self.saved = imported.doc;
        self.history.select(selection);
        self.look = ViewState {
            cameras: std::mem::take(&mut self.look.cameras),
            ..imported.view
        };
        self.extras = imported.extras;
        self.report = imported.report;
        self.compiled = imported.compiled.map(Arc::new);
        self.file.stamp = map.stamp;
        self.file.kept = None;
        self.file.written = None;
        self.follow();
    }
}
