//! Maps that come and go: opening, closing, saving under a name, and the answers of jobs and of native dialogs.

use std::path::Path;
use std::path::PathBuf;

use crate::assets::Source;
use crate::editor::Editor;
use crate::editor::JobEvent;
use crate::editor::jobs;
use crate::editor::jobs::JobKind;
use crate::formats::ImportOptions;
use crate::shell::changed::Compare;
use crate::shell::changed::Comparison;
use crate::shell::dialogs::Question;
use crate::shell::file_dialog;
use crate::shell::file_dialog::FileDialog;
use crate::shell::file_dialog::Purpose;
use crate::shell::frame::After;
use crate::shell::frame::Asked;
use crate::shell::frame::Opened;
use crate::shell::frame::Opening;
use crate::shell::frame::Shell;
use crate::shell::frame::TextureFacts;
use crate::shell::frame::split_sentence;
use crate::shell::import_report::ImportReport;
use crate::shell::panels;
use crate::shell::say;
use crate::shell::toasts::Tone;

impl Shell {
    /// Answers of jobs, of native dialogs, and files dropped onto the window.
    pub(super) fn take_events(&mut self, ctx: &egui::Context) {
        while let Ok(event) = self.event_queue.try_recv() {
            self.take_event(event);
        }
        while let Ok((purpose, path)) = self.picks.1.try_recv() {
            self.picked(purpose, path);
        }
        let dropped = ctx.input(|i| i.raw.dropped_files.clone());
        if let Some(path) = dropped.first().map(|file| file.path().to_owned()) {
            self.guard(After::Open(path));
        }
        let pasted = ctx.input(|i| {
            i.events.iter().find_map(|event| match event {
                egui::Event::Paste(text) => Some(text.clone()),
                _ => None,
            })
        });
        if let Some(text) = pasted {
            match self.pending_paste.take() {
                Some(place) => self.paste(&text, place),
                None => self.pasted = Some(text),
            }
        }
    }

    pub(super) fn take_event(&mut self, event: JobEvent) {
        match event {
            JobEvent::Opened(map) => self.opened(*map),
            JobEvent::Failed {
                map: None,
                job: JobKind::Open,
                text,
            } => {
                let opening = self.opening.take();
                if opening.is_some_and(|opening| opening.how == Opened::Compared)
                    && let Some(changed) = &mut self.changed
                {
                    changed.compare = Compare::Failed(text);
                    return;
                }
                tracing::error!("{text}");
                let (title, detail) = split_sentence(&text);
                self.toasts.add(Tone::Error, title, detail);
            }
            other => {
                let failed_save = matches!(
                    other,
                    JobEvent::Failed {
                        job: JobKind::Save,
                        ..
                    } | JobEvent::Conflict { .. }
                );
                let saved = matches!(other, JobEvent::Saved { .. });
                self.editor.job_event(other);
                if let Some(exported) = self.editor.last_export.take() {
                    let report = ImportReport::of_export(self.editor.doc(), &exported);
                    self.report = Some(report).filter(ImportReport::is_worth_a_look);
                }
                if failed_save {
                    self.after_save = None;
                }
                if saved {
                    self.store_settings();
                    if !self.editor.is_dirty()
                        && let Some(after) = self.after_save.take()
                    {
                        self.go_on(after);
                    }
                }
            }
        }
    }

    pub(super) fn opened(&mut self, map: jobs::OpenedMap) {
        let Some(opening) = self.opening.take() else {
            return;
        };
        if opening.how == Opened::Compared {
            if let Some(changed) = &mut self.changed {
                let here = &self.editor.history().committed().doc;
                let found = Comparison::new(here, &map.opened.imported.doc);
                changed.compare = Compare::Done(found);
            }
            return;
        }
        self.library.set_resolver(map.opened.resolver.clone());
        let settings = self.editor.settings.clone();
        match opening.how {
            Opened::Reload | Opened::Compared => {
                self.editor.reload(map);
                self.facts = TextureFacts::default();
                return;
            }
            Opened::Map => {
                let report = ImportReport::new(&map);
                let editor = Editor::from_opened(map, settings, self.events.clone());
                self.take_editor(editor);
                self.report = report.filter(ImportReport::is_worth_a_look);
                if self.report.is_none() && self.editor.file.is_import {
                    self.toasts.add(
                        Tone::Success,
                        format!("Imported {}", self.editor.name()),
                        "Everything was carried over",
                    );
                }
            }
            Opened::Recovered(own) => {
                let editor = Editor::from_recovered(map, own, settings, self.events.clone());
                self.take_editor(editor);
            }
        }
        self.start_screen = false;
        self.store_settings();
        if self.editor.is_runtime_only() {
            self.toasts.add(
                Tone::Info,
                "This map is a build without its source",
                "It can be walked in; Map > Recover brushes makes it editable",
            );
        }
    }

    /// Entity definitions are read again from the files in the settings.
    pub(super) fn reload_definitions(&mut self) {
        // It cannot be refused; what is wrong with a file stands in the log.
        let _ = self.editor.run("file.reload_definitions");
    }

    /// Another map takes the place of the open one.
    pub(super) fn take_editor(&mut self, editor: Editor) {
        self.editor.close();
        self.editor = editor;
        self.frame_views = crate::editor::views::stored_panes(&self.editor.look)
            .iter()
            .all(Option::is_none);
        if let Some(folder) = self.state_folder.clone() {
            self.editor.set_state_folder(&folder);
        }
        self.panels = panels::Panels {
            start: std::mem::take(&mut self.panels.start),
            ..panels::Panels::default()
        };
        self.facts = TextureFacts::default();
        self.report = None;
        self.changed = None;
        if let Some(gpu) = &mut self.gpu {
            gpu.forget_map();
        }
    }

    pub(super) fn texture_roots(&self) -> Vec<PathBuf> {
        self.extra_assets
            .iter()
            .chain(&self.editor.settings.texture_paths)
            .cloned()
            .collect()
    }

    pub(super) fn open(&mut self, path: PathBuf, how: Opened) {
        self.open_with(path, how, ImportOptions::default());
    }

    fn open_with(&mut self, path: PathBuf, how: Opened, options: ImportOptions) {
        if let Some(old) = self.opening.take() {
            old.progress.cancel();
        }
        match jobs::open_with(path.clone(), self.texture_roots(), options, &self.events) {
            Ok(progress) => {
                self.opening = Some(Opening {
                    path,
                    progress,
                    how,
                });
            }
            Err(error) => self.toasts.add(
                Tone::Error,
                format!("Could not open {}", say::file_name(&path)),
                error.to_string(),
            ),
        }
    }

    /// Does it now, or asks about unsaved work first.
    pub(super) fn guard(&mut self, after: After) {
        if !self.editor.is_dirty() || self.start_screen {
            return self.go_on(after);
        }
        let question = Question {
            title: format!("Save the changes to {}?", self.editor.name()),
            sentence: "Without saving, everything since the last save is lost.".to_owned(),
            primary: "Save",
            danger: Some("Don't save"),
            other: None,
        };
        self.question = Some((question, Asked::Unsaved(after)));
    }

    pub(super) fn go_on(&mut self, after: After) {
        match after {
            After::Quit => self.ended = true,
            After::CloseMap => {
                let editor = Editor::new(self.editor.settings.clone(), self.events.clone());
                self.take_editor(editor);
                self.start_screen = true;
            }
            After::New => {
                let editor = Editor::new(self.editor.settings.clone(), self.events.clone());
                self.library.set_sources(vec![Source::Builtin]);
                self.take_editor(editor);
                self.start_screen = false;
            }
            After::AskOpen => self.ask_file(Purpose::OpenMap, None),
            After::Open(path) => self.open(path, Opened::Map),
            After::Import(path, options) => self.open_with(path, Opened::Map, options),
        }
    }

    /// The desktop's dialog where there is one, else ours.
    pub(super) fn ask_file(&mut self, purpose: Purpose, start: Option<&Path>) {
        let recent = &self.editor.settings.recent;
        let near = recent
            .first()
            .and_then(|path| path.parent())
            .map_or_else(file_dialog::home, Path::to_owned);
        let start = match start {
            Some(path) if path.parent().is_some_and(|folder| folder.is_dir()) => path.to_owned(),
            Some(path) => near.join(say::file_name(path)),
            None => near,
        };
        if self.native_dialogs
            && let Some(window) = &self.window
        {
            let (sender, wake) = (self.picks.0.clone(), self.wake.clone());
            file_dialog::ask_native(purpose, &start, window, move |path| {
                let _ = sender.send((purpose, path));
                wake();
            });
            return;
        }
        self.file_dialog = Some(FileDialog::new(purpose, &start, recent));
    }

    pub(super) fn picked(&mut self, purpose: Purpose, path: Option<PathBuf>) {
        let Some(path) = path else {
            if purpose == Purpose::SaveMap {
                self.after_save = None;
            }
            return;
        };
        match purpose {
            Purpose::OpenMap => self.open(path, Opened::Map),
            Purpose::SaveMap => self.editor.save_to(&path),
            Purpose::Export => {
                let textures = self.library.resolver().cloned();
                self.editor.export_to(&path, textures);
            }
            Purpose::AddTextures => {
                self.editor
                    .settings
                    .texture_paths
                    .retain(|old| *old != path);
                self.editor.settings.texture_paths.insert(0, path);
                self.editor.texture_source_added();
                self.refresh_sources();
                self.store_settings();
            }
            Purpose::AddDefinitions => {
                let definitions = &mut self.editor.settings.definitions;
                definitions.retain(|old| *old != path);
                definitions.push(path);
                self.store_settings();
                self.reload_definitions();
            }
        }
    }

    /// Textures are looked for again in everything that is set now.
    pub(super) fn refresh_sources(&mut self) {
        let doc = self.editor.doc();
        let map = self
            .editor
            .file
            .path
            .as_deref()
            .or(self.editor.file.imported_from.as_deref());
        let sources = crate::assets::sources_for(
            map,
            &crate::assets::map_wads(doc),
            &self.texture_roots(),
            &self.editor.extras,
        );
        self.library.set_sources(sources);
    }
}
