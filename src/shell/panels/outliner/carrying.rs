//! Rows of the outliner that are carried into groups and layers (SEL-11). `Esc` drops them: egui forgets what is carried.

use egui::DragAndDrop;
use egui::Rect;
use egui::Stroke;
use egui::StrokeKind;
use egui::Ui;
use egui::vec2;

use crate::document::ObjectId;
use crate::editor::outlining::RowTarget;
use crate::shell::frame::Action;
use crate::shell::panels::Cx;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::size;
use crate::shell::theme::text;

/// The objects that go along.
struct Carried(Vec<ObjectId>);

/// A drag of this row began.
pub(super) fn begin(ui: &Ui, cx: &Cx<'_>, id: ObjectId) {
    DragAndDrop::set_payload(ui.ctx(), Carried(cx.editor.carried_rows(id)));
}

/// Near the first and last row that is seen the list scrolls while something is carried.
pub(super) fn scroll(ui: &Ui) {
    if !DragAndDrop::has_payload_of_type::<Carried>(ui.ctx()) {
        return;
    }
    let Some(at) = ui.ctx().pointer_latest_pos() else {
        return;
    };
    let seen = ui.clip_rect();
    let speed = if at.y < seen.top() + size::ROW {
        1.0
    } else if at.y > seen.bottom() - size::ROW {
        -1.0
    } else {
        return;
    };
    ui.scroll_with_delta(vec2(0.0, speed * size::ROW / 2.0));
    ui.ctx().request_repaint();
}

/// A row that carried ones may be let go on: shows what would come of it, and asks for it when they are.
pub(super) fn let_go(ui: &Ui, cx: &Cx<'_>, to: RowTarget, row: Rect, actions: &mut Vec<Action>) {
    let Some(carried) = DragAndDrop::payload::<Carried>(ui.ctx()) else {
        return;
    };
    if !ui.rect_contains_pointer(row) {
        return;
    }
    let p = Palette::of(ui.ctx());
    let refusal = cx.editor.row_edit(&carried.0, to).err();
    let (color, words) = match &refusal {
        Some(reason) => (p.error, reason.to_string()),
        None => (
            p.accent,
            say::counted(carried.0.len(), "object moves here", "objects move here"),
        ),
    };
    ui.painter()
        .rect_stroke(row, 0.0, Stroke::new(2.0, color), StrokeKind::Inside);
    label(ui, &words, color);
    if ui.input(|i| i.pointer.primary_released()) {
        DragAndDrop::clear_payload(ui.ctx());
        actions.push(Action::MoveRows(carried.0.clone(), to));
    }
}

/// Words beside the pointer.
fn label(ui: &Ui, words: &str, color: egui::Color32) {
    let Some(at) = ui.ctx().pointer_latest_pos() else {
        return;
    };
    let p = Palette::of(ui.ctx());
    let layer = egui::LayerId::new(egui::Order::Tooltip, egui::Id::unique("carried rows"));
    let painter = ui.ctx().layer_painter(layer);
    let galley = painter.layout_no_wrap(words.to_owned(), medium(text::CAPTION), p.text);
    let chip = Rect::from_min_size(at + vec2(14.0, 14.0), galley.size() + vec2(12.0, 6.0));
    painter.rect(
        chip,
        4.0,
        p.popup,
        Stroke::new(1.0, color),
        StrokeKind::Inside,
    );
    painter.galley(chip.min + vec2(6.0, 3.0), galley, p.text);
}
