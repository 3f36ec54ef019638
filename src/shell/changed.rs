//! The question about a map whose file was changed by another program (DOC-3): reload, keep, or first see what differs.

use std::path::PathBuf;

use egui::Align;
use egui::Layout;
use egui::Rect;
use egui::Sense;
use egui::Ui;
use egui::vec2;

use crate::document::Document;
use crate::document::ObjectId;
use crate::shell::dialogs;
use crate::shell::icons;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

/// What differs between the open map and the file, by number of object and by value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Objects that only the file has.
    pub only_there: usize,
    /// Objects that only the open map has.
    pub only_here: Vec<ObjectId>,
    /// Objects that both have, with different contents.
    pub changed: Vec<ObjectId>,
    /// Materials, layers, paths or settings differ.
    pub others: bool,
}

impl Comparison {
    #[must_use]
    pub fn new(here: &Document, there: &Document) -> Self {
        let mut found = Self::default();
        for (id, object) in here.objects() {
            match there.object(id) {
                None => found.only_here.push(id),
                Some(other) if other != object => found.changed.push(id),
                Some(_) => {}
            }
        }
        found.only_there = there
            .objects()
            .filter(|(id, _)| here.object(*id).is_none())
            .count();
        found.others = !here.materials().eq(there.materials())
            || !here.layers().eq(there.layers())
            || !here.paths().eq(there.paths())
            || here.settings() != there.settings();
        found
    }

    #[must_use]
    pub fn is_same(&self) -> bool {
        *self == Self::default()
    }

    /// Objects of the open map that the file has not, or has otherwise.
    #[must_use]
    pub fn here(&self) -> Vec<ObjectId> {
        let mut all: Vec<ObjectId> = self
            .changed
            .iter()
            .chain(&self.only_here)
            .copied()
            .collect();
        all.sort_unstable();
        all
    }
}

/// How far the comparison is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compare {
    NotAsked,
    Reading,
    Failed(String),
    Done(Comparison),
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Reload,
    Keep,
    Compare,
    /// Select these; the question stays.
    Select(Vec<ObjectId>),
}

/// The open question.
pub struct Changed {
    pub path: PathBuf,
    pub compare: Compare,
    /// The open map has changes of its own.
    pub unsaved: bool,
}

impl Changed {
    #[must_use]
    pub fn new(path: PathBuf, unsaved: bool) -> Self {
        Self {
            path,
            compare: Compare::NotAsked,
            unsaved,
        }
    }

    /// Draws it; `None` while nothing was answered.
    pub fn ui(&self, ctx: &egui::Context) -> Option<Reply> {
        let modal = dialogs::modal(ctx, "changed on disk", 408.0, |ui| {
            dialogs::title(
                ui,
                &format!("{} changed on disk", say::file_name(&self.path)),
            );
            dialogs::sentence(
                ui,
                if self.unsaved {
                    "Reloading loses the changes made here since the last save."
                } else {
                    "Nothing was changed here since it was read."
                },
            );
            let selected = self.compare_ui(ui);
            self.buttons_ui(ui).or(selected)
        });
        modal.inner.or(modal.closed.then_some(Reply::Keep))
    }

    fn buttons_ui(&self, ui: &mut Ui) -> Option<Reply> {
        let mut reply = None;
        ui.allocate_ui_with_layout(
            vec2(ui.available_width(), 28.0),
            Layout::right_to_left(Align::Center),
            |ui| {
                let primary = widgets::button(ui, None, "Reload", Weight::Primary);
                if primary.clicked() {
                    reply = Some(Reply::Reload);
                }
                if ui.memory(|memory| memory.focused()).is_none() {
                    primary.request_focus();
                }
                if widgets::button(ui, None, "Keep this one", Weight::Normal).clicked() {
                    reply = Some(Reply::Keep);
                }
                let can_compare = matches!(self.compare, Compare::NotAsked | Compare::Failed(_));
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add_enabled_ui(can_compare, |ui| {
                        if widgets::button(ui, None, "Compare", Weight::Normal).clicked() {
                            reply = Some(Reply::Compare);
                        }
                    });
                });
            },
        );
        reply
    }

    fn compare_ui(&self, ui: &mut Ui) -> Option<Reply> {
        let mut reply = None;
        match &self.compare {
            Compare::NotAsked => return None,
            Compare::Reading => {
                let width = ui.available_width();
                row(ui, icons::FILE, "Reading the file\u{2026}");
                widgets::progress(ui, None, width);
            }
            Compare::Failed(why) => {
                row(ui, icons::ERROR, "The file could not be read");
                dialogs::sentence(ui, why);
                return None;
            }
            Compare::Done(found) if found.is_same() => {
                row(ui, icons::OK, "Both have the same contents");
            }
            Compare::Done(found) => {
                let objects = |n: usize| say::counted(n, "object", "objects");
                let (changed, here) = (found.changed.len(), found.only_here.len());
                row(ui, icons::SLIDERS, &format!("{} changed", objects(changed)));
                row(
                    ui,
                    icons::PLUS,
                    &format!("{} added in the file", objects(found.only_there)),
                );
                row(
                    ui,
                    icons::MINUS,
                    &format!("{} not in the file", objects(here)),
                );
                if found.others {
                    let words = "Materials, layers, paths or settings differ too";
                    row(ui, icons::INFO, words);
                }
                if changed + here > 0 {
                    ui.add_space(4.0);
                    let words = "Select changed objects";
                    let select = widgets::button(ui, Some(icons::CURSOR), words, Weight::Normal);
                    if select.clicked() {
                        reply = Some(Reply::Select(found.here()));
                    }
                }
            }
        }
        ui.add_space(12.0);
        reply
    }
}

fn row(ui: &mut Ui, icon: char, words: &str) {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::hover());
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, words));
    let at = rect.left_center() + vec2(8.0, 0.0);
    icons::paint(ui.painter(), at, icon, size::ICON_SMALL, p.text_dim);
    let room = Rect::from_min_max(rect.min + vec2(24.0, 0.0), rect.max);
    widgets::line(ui, room, Align::Min, words, regular(text::BODY), p.text);
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::document::Entity;
    use crate::document::Kind;
    use crate::document::Object;

    #[test]
    fn objects_compare_by_number_and_value() {
        let entity = |class: &str| Object::new(Kind::Entity(Entity::new(class, DVec3::ZERO)));
        let mut draft = Document::default().edit();
        let ids: Vec<ObjectId> = ["a", "b", "c"]
            .map(|class| draft.insert(entity(class)))
            .into();
        let here = draft.finish().expect("sound");
        assert!(Comparison::new(&here, &here.clone()).is_same());
        let mut draft = here.edit();
        draft.remove(ids[0]);
        draft.update(ids[1], |object| {
            if let Kind::Entity(entity) = &mut object.kind {
                entity.set_key("health", "5");
            }
        });
        draft.insert(entity("d"));
        draft.insert(entity("e"));
        let there = draft.finish().expect("sound");
        let found = Comparison::new(&here, &there);
        assert_eq!(
            found,
            Comparison {
                only_there: 2,
                only_here: vec![ids[0]],
                changed: vec![ids[1]],
                others: false,
            }
        );
        assert_eq!(found.here(), vec![ids[0], ids[1]]);
        let mut draft = here.edit();
        draft.settings_mut().name = "another".to_owned();
        let renamed = draft.finish().expect("sound");
        let found = Comparison::new(&here, &renamed);
        assert!(found.others && !found.is_same());
    }
}
