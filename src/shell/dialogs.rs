//! Questions that stop work, and the frame that all dialogs share.

use egui::Align;
use egui::Color32;
use egui::Frame;
use egui::Id;
use egui::Key;
use egui::Layout;
use egui::Margin;
use egui::RichText;
use egui::Stroke;
use egui::Ui;
use egui::vec2;

use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::semibold;
use crate::shell::theme::text;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

/// What a modal gave back.
pub struct Modal<R> {
    pub inner: R,
    /// Esc or a press beside it.
    pub closed: bool,
}

/// A box over a scrim, in the middle of the window; `width` is that of its contents.
pub fn modal<R>(
    ctx: &egui::Context,
    name: &str,
    width: f32,
    add: impl FnOnce(&mut Ui) -> R,
) -> Modal<R> {
    let p = Palette::of(ctx);
    let style = ctx.global_style();
    let frame = Frame::new()
        .fill(p.popup)
        .stroke(Stroke::new(1.0, p.line_strong))
        .corner_radius(8)
        .shadow(style.visuals.window_shadow)
        .inner_margin(Margin::same(16));
    let modal = egui::Modal::new(Id::unique(("modal", name)))
        .frame(frame)
        .backdrop_color(p.scrim)
        .show(ctx, |ui| {
            ui.set_width(width);
            add(ui)
        });
    let closed = modal.should_close();
    Modal {
        inner: modal.inner,
        closed,
    }
}

/// The question at the head of a dialog.
pub fn title(ui: &mut Ui, words: &str) {
    let p = Palette::of(ui.ctx());
    ui.label(
        RichText::new(words)
            .font(semibold(text::TITLE))
            .color(p.text),
    );
    ui.add_space(4.0);
}

/// A sentence below it.
pub fn sentence(ui: &mut Ui, words: &str) {
    let p = Palette::of(ui.ctx());
    ui.label(
        RichText::new(words)
            .font(regular(text::BODY))
            .color(p.text_dim),
    );
    ui.add_space(12.0);
}

/// A question with up to three answers.
#[derive(Clone, Debug)]
pub struct Question {
    pub title: String,
    pub sentence: String,
    /// The answer most people want; it has the keyboard.
    pub primary: &'static str,
    /// Throws something away; stands at the left.
    pub danger: Option<&'static str>,
    pub other: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Primary,
    Danger,
    Other,
    Cancel,
}

impl Question {
    /// Draws it; `None` while nothing was answered.
    pub fn ui(&self, ctx: &egui::Context) -> Option<Answer> {
        let modal = modal(ctx, &self.title, 408.0, |ui| {
            title(ui, &self.title);
            sentence(ui, &self.sentence);
            let mut answer = None;
            ui.allocate_ui_with_layout(
                vec2(ui.available_width(), 28.0),
                Layout::right_to_left(Align::Center),
                |ui| {
                    let primary = widgets::button(ui, None, self.primary, Weight::Primary);
                    if primary.clicked() {
                        answer = Some(Answer::Primary);
                    }
                    if ui.memory(|memory| memory.focused()).is_none() {
                        primary.request_focus();
                    }
                    if let Some(words) = self.other
                        && widgets::button(ui, None, words, Weight::Normal).clicked()
                    {
                        answer = Some(Answer::Other);
                    }
                    if widgets::button(ui, None, "Cancel", Weight::Normal).clicked() {
                        answer = Some(Answer::Cancel);
                    }
                    if let Some(words) = self.danger {
                        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                            if widgets::button(ui, None, words, Weight::Danger).clicked() {
                                answer = Some(Answer::Danger);
                            }
                        });
                    }
                },
            );
            answer
        });
        modal.inner.or(modal.closed.then_some(Answer::Cancel))
    }
}

/// A one-line question: the name of a group.
pub struct Prompt {
    pub title: String,
    pub value: String,
    pub action: &'static str,
    fresh: bool,
}

impl Prompt {
    #[must_use]
    pub fn new(title: impl Into<String>, value: impl Into<String>, action: &'static str) -> Self {
        Self {
            title: title.into(),
            value: value.into(),
            action,
            fresh: true,
        }
    }

    /// `Some(None)`: cancelled.
    pub fn ui(&mut self, ctx: &egui::Context) -> Option<Option<String>> {
        let modal = modal(ctx, &self.title.clone(), 328.0, |ui| {
            title(ui, &self.title);
            let width = ui.available_width();
            let field = widgets::text_field(ui, &mut self.value, &self.title, "", width);
            if self.fresh {
                self.fresh = false;
                field.request_focus();
                select_all(ui.ctx(), field.id, &self.value);
            }
            ui.add_space(8.0);
            let mut answer = None;
            ui.allocate_ui_with_layout(
                vec2(ui.available_width(), 28.0),
                Layout::right_to_left(Align::Center),
                |ui| {
                    let entered = ui.input(|i| i.key_pressed(Key::Enter));
                    if widgets::button(ui, None, self.action, Weight::Primary).clicked() || entered
                    {
                        answer = Some(Some(self.value.trim().to_owned()));
                    }
                    if widgets::button(ui, None, "Cancel", Weight::Normal).clicked() {
                        answer = Some(None);
                    }
                },
            );
            answer
        });
        modal.inner.or(modal.closed.then_some(None))
    }
}

/// Selects all that a text field holds.
pub fn select_all(ctx: &egui::Context, field: Id, value: &str) {
    let mut state = egui::text_edit::TextEditState::load(ctx, field).unwrap_or_default();
    let all = egui::text::CCursorRange::two(
        egui::text::CCursor::default(),
        egui::text::CCursor::new(value.chars().count()),
    );
    state.cursor.set_char_range(Some(all));
    state.store(ctx, field);
}

/// A list to type ahead in: classes, layers.
pub struct Chooser {
    pub title: String,
    pub rows: Vec<(String, String)>,
    /// What is typed may be taken though no row has it.
    pub free: bool,
    filter: String,
    at: usize,
    fresh: bool,
}

impl Chooser {
    #[must_use]
    pub fn new(title: impl Into<String>, rows: Vec<(String, String)>, free: bool) -> Self {
        Self {
            title: title.into(),
            rows,
            free,
            filter: String::new(),
            at: 0,
            fresh: true,
        }
    }

    /// `Some(None)`: cancelled; otherwise the name chosen.
    pub fn ui(&mut self, ctx: &egui::Context) -> Option<Option<String>> {
        let modal = modal(ctx, &self.title.clone(), 368.0, |ui| {
            title(ui, &self.title);
            let width = ui.available_width();
            let field = widgets::search_field(ui, &mut self.filter, "Type to find", width);
            if self.fresh {
                field.request_focus();
            }
            if field.changed() {
                self.at = 0;
            }
            let wanted = self.filter.to_lowercase();
            let found: Vec<(String, String)> = self
                .rows
                .iter()
                .filter(|(name, _)| name.to_lowercase().contains(&wanted))
                .cloned()
                .collect();
            let (down, up, enter) = ui.input(|i| {
                (
                    i.num_presses(Key::ArrowDown),
                    i.num_presses(Key::ArrowUp),
                    i.key_pressed(Key::Enter),
                )
            });
            self.at = (self.at + down)
                .saturating_sub(up)
                .min(found.len().saturating_sub(1));
            let mut answer = None;
            ui.spacing_mut().item_spacing.y = 0.0;
            egui::ScrollArea::vertical()
                .max_height(240.0)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    for (index, (name, note)) in found.iter().enumerate() {
                        let row = menu_row(ui, name, note, index == self.at);
                        if row.clicked() {
                            answer = Some(Some(name.clone()));
                        }
                        if index == self.at && down + up > 0 {
                            row.scroll_to_me(None);
                        }
                    }
                });
            if enter {
                answer = match found.get(self.at) {
                    Some((name, _)) => Some(Some(name.clone())),
                    None if self.free && !self.filter.trim().is_empty() => {
                        Some(Some(self.filter.trim().to_owned()))
                    }
                    None => answer,
                };
            }
            answer
        });
        self.fresh = false;
        modal.inner.or(modal.closed.then_some(None))
    }
}

fn menu_row(ui: &mut Ui, name: &str, note: &str, lit: bool) -> egui::Response {
    let p = Palette::of(ui.ctx());
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), 24.0), egui::Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, lit, name));
    let fill = if lit {
        p.accent_soft
    } else if response.hovered() {
        p.row_hover
    } else {
        Color32::TRANSPARENT
    };
    ui.painter().rect_filled(rect, 3.0, fill);
    let inner = rect.shrink2(vec2(8.0, 0.0));
    let ink = if lit { p.on_soft } else { p.text };
    let used = widgets::line(ui, inner, Align::Min, name, regular(text::BODY), ink);
    let mut rest = inner;
    rest.min.x += used + 8.0;
    widgets::line(
        ui,
        rest,
        Align::Max,
        note,
        regular(text::SMALL),
        p.text_faint,
    );
    response
}
