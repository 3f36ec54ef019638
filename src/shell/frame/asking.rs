//! Questions: what stands over the window, and what follows from the answers.

use std::path::PathBuf;

use crate::document::Pick;
use crate::document::Selection;
use crate::shell::changed;
use crate::shell::changed::Changed;
use crate::shell::changed::Compare;
use crate::shell::dialogs::Answer;
use crate::shell::dialogs::Question;
use crate::shell::file_dialog;
use crate::shell::file_dialog::Purpose;
use crate::shell::frame::Action;
use crate::shell::frame::Asked;
use crate::shell::frame::Choosing;
use crate::shell::frame::Naming;
use crate::shell::frame::Opened;
use crate::shell::frame::Shell;
use crate::shell::gpu::GpuSide;
use crate::shell::say;

impl Shell {
    pub(super) fn ask_overwrite(&mut self, path: PathBuf) {
        let question = Question {
            title: format!("{} was changed by somebody else", say::file_name(&path)),
            sentence: "The file is not the one that was opened. Replacing it loses what is in it now; the version before is kept as .bak."
                .to_owned(),
            primary: "Save as\u{2026}",
            danger: Some("Replace"),
            other: None,
        };
        self.question = Some((question, Asked::Overwrite(path)));
    }

    /// DOC-3: the map's file was changed by another program.
    pub fn ask_changed(&mut self, path: PathBuf) {
        self.changed = Some(Changed::new(path, self.editor.is_dirty()));
    }

    /// DOC-3: what was answered about a file that changed on disk.
    fn answer_changed(&mut self, changed: Changed, reply: changed::Reply) {
        match reply {
            changed::Reply::Reload => self.open(changed.path, Opened::Reload),
            changed::Reply::Keep => {
                if let Some(opening) = &self.opening
                    && opening.how == Opened::Compared
                {
                    opening.progress.cancel();
                    self.opening = None;
                }
            }
            changed::Reply::Compare => {
                self.open(changed.path.clone(), Opened::Compared);
                self.changed = Some(Changed {
                    compare: Compare::Reading,
                    ..changed
                });
            }
            changed::Reply::Select(ids) => {
                let picks: Selection = ids.into_iter().map(Pick::Object).collect();
                self.editor.select(picks);
                let bounds = self.editor.selection_bounds();
                if !bounds.is_empty() {
                    self.editor.frame_bounds(bounds);
                }
                self.changed = Some(changed);
            }
        }
    }

    /// Everything that stands over the window.
    pub(super) fn dialogs(&mut self, ctx: &egui::Context, actions: &mut Vec<Action>) {
        if let Some(list) = &self.under_list
            && !list.ui(ctx, &self.editor, actions)
        {
            self.under_list = None;
        }
        if let Some(menu) = &self.context_menu
            && !menu.ui(ctx, &self.editor, actions)
        {
            self.context_menu = None;
        }
        if let Some(palette) = &mut self.palette
            && !palette.ui(ctx, &self.editor, actions)
        {
            self.palette = None;
        }
        if let Some(help) = &mut self.help {
            let gpu = self.gpu.as_ref().map(GpuSide::summary);
            if !help.ui(ctx, &self.editor, gpu.as_deref()) {
                self.help = None;
            }
        }
        if let Some(shortcuts) = &mut self.shortcuts
            && !shortcuts.ui(ctx, &self.editor, actions)
        {
            self.shortcuts = None;
        }
        if let Some(replace) = &mut self.replace
            && !replace.ui(ctx, &self.editor, &self.library, &mut self.thumbs, actions)
        {
            self.replace = None;
        }
        if let Some(report) = &mut self.report
            && !report.ui(ctx, &self.editor, actions)
        {
            self.report = None;
        }
        if let Some((question, asked)) = self.question.take() {
            match question.ui(ctx) {
                None => self.question = Some((question, asked)),
                Some(answer) => self.answered(&asked, answer),
            }
        }
        if let Some(changed) = self.changed.take() {
            match changed.ui(ctx) {
                None => self.changed = Some(changed),
                Some(reply) => {
                    self.answer_changed(changed, reply);
                    ctx.request_repaint();
                }
            }
        }
        if let Some((mut prompt, naming)) = self.prompt.take() {
            match prompt.ui(ctx) {
                None => self.prompt = Some((prompt, naming)),
                Some(name) => self.named(&naming, name, actions),
            }
        }
        if let Some((mut chooser, choosing)) = self.chooser.take() {
            match chooser.ui(ctx) {
                None => self.chooser = Some((chooser, choosing)),
                Some(chosen) => self.chosen(&choosing, chosen),
            }
        }
        if let Some(dialog) = &mut self.file_dialog {
            let purpose = dialog.purpose();
            match dialog.ui(ctx) {
                file_dialog::Reply::Open => {}
                file_dialog::Reply::Cancelled => {
                    self.file_dialog = None;
                    self.picked(purpose, None);
                }
                file_dialog::Reply::Picked(path) => {
                    self.file_dialog = None;
                    self.picked(purpose, Some(path));
                    ctx.request_repaint();
                }
            }
        }
    }

    pub(super) fn answered(&mut self, asked: &Asked, answer: Answer) {
        match (asked, answer) {
            (Asked::Unsaved(after), Answer::Primary) => {
                self.after_save = Some(after.clone());
                self.editor.save();
            }
            (Asked::Unsaved(after), Answer::Danger) => self.go_on(after.clone()),
            (Asked::Overwrite(path), Answer::Primary) => {
                self.ask_file(Purpose::SaveMap, Some(path));
            }
            (Asked::Overwrite(_), Answer::Danger) => self.editor.save_over(),
            _ => {}
        }
    }

    pub(super) fn named(
        &mut self,
        naming: &Naming,
        name: Option<String>,
        actions: &mut Vec<Action>,
    ) {
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return;
        };
        match naming {
            Naming::Group(group) => {
                // A refusal stands in the status line.
                let _ = self.editor.rename_group(*group, &name);
            }
            Naming::Camera(index) => self.editor.rename_camera(*index, &name),
            Naming::Layer(layer) => actions.push(Action::Commit(
                crate::document::ops::layers::rename(*layer, name),
            )),
        }
    }

    pub(super) fn chosen(&mut self, choosing: &Choosing, chosen: Option<String>) {
        let Some(name) = chosen else { return };
        // Refusals stand in the status line.
        let _ = match choosing {
            Choosing::BrushClass => self.editor.tie_to_entity(&name),
            Choosing::Layer(layers) => match layers.iter().find(|(known, _)| *known == name) {
                Some((_, layer)) => self.editor.move_to_layer(*layer),
                None => Ok(()),
            },
        };
    }
}
