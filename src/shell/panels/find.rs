//! Finding things in the map (SEL-10): one field, results as they are typed; arrows frame, Enter selects.

use egui::Align;
use egui::Key;
use egui::Sense;
use egui::Ui;
use egui::vec2;

use crate::document::Document;
use crate::document::Pick;
use crate::editor::find::FindFlag;
use crate::editor::find::FindKind;
use crate::editor::find::FindResults;
use crate::editor::find::FindRow;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::Cx;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

#[derive(Default)]
pub struct FindState {
    query: String,
    found: FindResults,
    /// For which query and map that was.
    of: Option<(String, Document)>,
    at: usize,
    /// The field gets the keyboard in the next frame.
    wants_keyboard: bool,
}

impl FindState {
    /// The panel was asked for: typing goes into its field.
    pub fn take_keyboard(&mut self) {
        self.wants_keyboard = true;
    }
}

const ROW: f32 = 40.0;

/// Draws the panel.
pub fn ui(ui: &mut Ui, state: &mut FindState, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let pad = egui::Margin::symmetric(8, 4);
    let field = egui::Frame::new()
        .inner_margin(pad)
        .show(ui, |ui| {
            let width = ui.available_width();
            widgets::search_field(ui, &mut state.query, "Find anything", width)
        })
        .inner;
    if std::mem::take(&mut state.wants_keyboard) {
        field.request_focus();
        crate::shell::dialogs::select_all(ui.ctx(), field.id, &state.query);
    }
    let doc = &cx.editor.history().committed().doc;
    let fresh = state
        .of
        .as_ref()
        .is_some_and(|(query, old)| *query == state.query && old.same(doc));
    if !fresh {
        if state
            .of
            .as_ref()
            .is_none_or(|(query, _)| *query != state.query)
        {
            state.at = 0;
        }
        state.found = cx.editor.find(&state.query);
        state.of = Some((state.query.clone(), doc.clone()));
    }
    if field.has_focus() || field.lost_focus() {
        keys(ui, state, &field, actions);
    }
    let found = &state.found;
    if let Some(error) = &found.error {
        widgets::empty_state(ui, icons::WARNING, "This cannot be searched", error);
        return;
    }
    if found.rows.is_empty() {
        if state.query.trim().is_empty() {
            widgets::empty_state(
                ui,
                icons::SEARCH,
                "Find anything in the map",
                "light, targetname=door*, mat:brick, id:412, size>512",
            );
        } else {
            let title = format!("Nothing matches \"{}\"", state.query);
            let advice = "Classes, properties, materials, groups and numbers are looked at";
            widgets::empty_state(ui, icons::SEARCH, &title, advice);
        }
        return;
    }
    let words = say::counted(found.rows.len(), "result", "results");
    let room = vec2(ui.available_width(), 20.0);
    let (rect, _) = ui.allocate_exact_size(room, Sense::hover());
    let at = rect.shrink2(vec2(10.0, 0.0));
    widgets::line(
        ui,
        at,
        Align::Min,
        &words,
        regular(text::SMALL),
        p.text_faint,
    );
    let hint = "Enter selects, Ctrl+Enter all";
    widgets::line(ui, at, Align::Max, hint, regular(text::SMALL), p.text_faint);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut chosen = None;
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("found")
        .show_rows(ui, ROW, found.rows.len(), |ui, range| {
            for index in range {
                let found = &found.rows[index];
                let picked = cx.editor.selection().contains(&found.pick);
                let r = row(ui, found, index == state.at, picked, &p);
                if r.clicked() {
                    chosen = Some(index);
                    actions.push(Action::SelectFound(vec![found.pick]));
                }
                if r.double_clicked() {
                    actions.push(Action::FrameFound(found.pick));
                }
            }
        });
    state.at = chosen.unwrap_or(state.at);
}

/// Up and down frame, Enter selects; the field keeps the keyboard.
fn keys(ui: &Ui, state: &mut FindState, field: &egui::Response, actions: &mut Vec<Action>) {
    let (down, up, enter, all) = ui.input(|i| {
        (
            i.num_presses(Key::ArrowDown),
            i.num_presses(Key::ArrowUp),
            i.key_pressed(Key::Enter),
            i.events.iter().any(|event| {
                matches!(event, egui::Event::Key { key: Key::Enter, pressed: true, modifiers, .. } if modifiers.command)
            }),
        )
    });
    let rows = &state.found.rows;
    if rows.is_empty() {
        return;
    }
    if down + up > 0 {
        state.at = (state.at + down).saturating_sub(up).min(rows.len() - 1);
        actions.push(Action::FrameFound(rows[state.at].pick));
    }
    if enter {
        let picks: Vec<Pick> = if all {
            rows.iter().map(|row| row.pick).collect()
        } else {
            rows.get(state.at).map(|row| row.pick).into_iter().collect()
        };
        actions.push(Action::SelectFound(picks));
        field.request_focus();
    }
}

fn row(ui: &mut Ui, found: &FindRow, lit: bool, picked: bool, p: &Palette) -> egui::Response {
    let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    r.widget_info(|| {
        let name = format!("Found {}", found.label);
        egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, picked, name)
    });
    let fill = match (picked, lit || r.hovered()) {
        (true, _) => p.accent_soft,
        (_, true) => p.row_hover,
        _ => egui::Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, 0.0, fill);
    if lit {
        let bar = rect.with_max_x(rect.left() + 2.0);
        ui.painter().rect_filled(bar, 0.0, p.accent);
    }
    let icon = match found.kind {
        FindKind::Brush => icons::BRUSH,
        FindKind::Mesh => icons::TEXTURE,
        FindKind::PointEntity => icons::DOT,
        FindKind::BrushEntity => icons::PREFAB,
        FindKind::Group => icons::GROUP,
    };
    let ink = if picked { p.on_soft } else { p.text };
    let at = rect.left_center() + vec2(18.0, 0.0);
    icons::paint(ui.painter(), at, icon, size::ICON_SMALL, p.text_dim);
    let words = rect
        .with_min_x(rect.left() + 34.0)
        .with_max_x(rect.right() - 30.0);
    let (upper, lower) = (
        words.with_max_y(rect.center().y + 2.0),
        words.with_min_y(rect.center().y - 1.0),
    );
    widgets::line(ui, upper, Align::Min, &found.label, medium(text::BODY), ink);
    let dim = if picked {
        p.on_soft.gamma_multiply(0.8)
    } else {
        p.text_faint
    };
    widgets::line(
        ui,
        lower,
        Align::Min,
        &found.detail,
        regular(text::SMALL),
        dim,
    );
    let Some(flag) = found.flag else { return r };
    let (icon, color) = match flag {
        FindFlag::UndefinedTarget | FindFlag::DuplicateName => (icons::WARNING, p.warning),
        FindFlag::Locked => (icons::LOCK, p.text_faint),
        FindFlag::Hidden => (icons::EYE_SLASH, p.text_faint),
    };
    let at = rect.right_center() - vec2(16.0, 0.0);
    icons::paint(ui.painter(), at, icon, size::ICON_SMALL, color);
    r.on_hover_text(flag.text())
}
