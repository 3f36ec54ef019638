//! The steps that were made: labels of what can be undone and done again.

use egui::Align;
use egui::Sense;
use egui::Ui;
use egui::vec2;

use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::Cx;
use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

/// Draws the panel.
pub fn ui(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let history = cx.editor.history();
    let undo: Vec<&'static str> = history.undo_labels().collect();
    let redo: Vec<&'static str> = history.redo_label().into_iter().collect();
    if undo.is_empty() && redo.is_empty() {
        widgets::empty_state(
            ui,
            icons::HISTORY,
            "No changes yet",
            "Every edit is listed here; click one to go back",
        );
        return;
    }
    // Oldest first; the step made last stands out.
    let rows = undo.len() + redo.len();
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .stick_to_bottom(true)
        .id_salt("history")
        .show_rows(ui, size::ROW, rows, |ui, range| {
            for index in range {
                let done = index < undo.len();
                let label = if done {
                    undo[index]
                } else {
                    redo[index - undo.len()]
                };
                if row(ui, label, done, index + 1 == undo.len(), index) {
                    if done {
                        actions.push(Action::Undo(undo.len() - 1 - index));
                    } else {
                        actions.push(Action::Redo(index - undo.len() + 1));
                    }
                }
            }
        });
}

fn row(ui: &mut Ui, label: &str, done: bool, last: bool, index: usize) -> bool {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::click());
    r.widget_info(|| {
        egui::WidgetInfo::selected(
            egui::Role::ListBoxOption,
            true,
            last,
            format!("{label}, step {}", index + 1),
        )
    });
    if last || r.hovered() {
        ui.painter()
            .rect_filled(rect, 0.0, if last { p.soft_idle } else { p.row_hover });
    }
    let ink = if done { p.text } else { p.text_disabled };
    let icon = if done { icons::HISTORY } else { icons::REDO };
    icons::paint(
        ui.painter(),
        rect.left_center() + vec2(16.0, 0.0),
        icon,
        size::ICON_SMALL,
        if done { p.text_dim } else { ink },
    );
    widgets::line(
        ui,
        rect.with_min_x(rect.left() + 30.0),
        Align::Min,
        label,
        regular(text::BODY),
        ink,
    );
    r.clicked()
}
