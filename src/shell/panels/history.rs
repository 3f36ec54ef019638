//! The steps that were made, those that were undone included; a click goes there (HIST-1).

use egui::Align;
use egui::Id;
use egui::Sense;
use egui::Ui;
use egui::vec2;

use crate::editor::Editor;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::Cx;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

/// Draws the panel.
pub fn ui(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let history = cx.editor.history();
    let (done, steps) = (history.done_count(), history.step_count());
    if steps == 0 {
        widgets::empty_state(
            ui,
            icons::HISTORY,
            "No changes yet",
            "Every edit is listed here; click one to go back",
        );
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("history");
    if let Some(offset) = scroll_to(ui, done, steps) {
        area = area.vertical_scroll_offset(offset);
    }
    // Oldest first; row 0 is the state before all of them.
    area.show_rows(ui, size::ROW, steps + 1, |ui, range| {
        for index in range {
            if row(ui, cx.editor, index, done) {
                actions.push(Action::GoToStep(index));
            }
        }
    });
}

/// Where the list must be to show the step made last, if that has changed and is out of sight.
fn scroll_to(ui: &Ui, done: usize, steps: usize) -> Option<f32> {
    let key = Id::unique("history shown");
    let shown = ui.data_mut(|data| data.get_temp::<(usize, usize)>(key));
    if shown == Some((done, steps)) {
        return None;
    }
    ui.data_mut(|data| data.insert_temp(key, (done, steps)));
    // A row that was clicked is in sight, and must stay where it is.
    let clicked = shown.is_some_and(|(_, old)| old == steps)
        && ui.input(|i| i.pointer.any_released() || i.pointer.any_down());
    if clicked {
        return None;
    }
    let middle = done as f32 * size::ROW - ui.available_height() / 2.0;
    Some(middle.max(0.0))
}

/// One row; true when it was clicked. `done`: how many steps are done, which is the row that the map is at.
fn row(ui: &mut Ui, editor: &Editor, index: usize, done: usize) -> bool {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::click());
    let step = index
        .checked_sub(1)
        .and_then(|index| editor.history().step(index));
    let label = step.as_ref().map_or("Start", |step| step.label);
    let current = index == done;
    r.widget_info(|| {
        egui::WidgetInfo::selected(
            egui::Role::ListBoxOption,
            true,
            current,
            format!("{label}, step {index}"),
        )
    });
    if current || r.hovered() {
        let fill = if current { p.soft_idle } else { p.row_hover };
        ui.painter().rect_filled(rect, 0.0, fill);
    }
    let is_future = index > done;
    let ink = if is_future { p.text_disabled } else { p.text };
    icons::paint(
        ui.painter(),
        rect.left_center() + vec2(16.0, 0.0),
        if is_future {
            icons::REDO
        } else {
            icon_of(label)
        },
        size::ICON_SMALL,
        if is_future { ink } else { p.text_dim },
    );
    let words = rect
        .with_min_x(rect.left() + 30.0)
        .with_max_x(rect.right() - 8.0);
    let font = if current {
        medium(text::BODY)
    } else {
        regular(text::BODY)
    };
    let used = widgets::line(ui, words, Align::Min, label, font, ink);
    if step.is_some() {
        let subject = editor.step_subject(index - 1);
        let after = words.with_min_x((words.left() + used + 8.0).min(words.right()));
        let dim = if is_future { ink } else { p.text_faint };
        widgets::line(ui, after, Align::Min, &subject, regular(text::SMALL), dim);
    }
    widgets::focus_ring(ui, &r, &p);
    r.clicked()
}

/// The glyph of what a step did, by the words of its label.
fn icon_of(label: &str) -> char {
    const GLYPHS: &[(&str, char)] = &[
        ("Start", icons::FLAG),
        ("Duplicate", icons::COPY),
        ("Array", icons::COPY),
        ("Paste", icons::COPY),
        ("Repeat", icons::COPY),
        ("Delete", icons::TRASH),
        ("Cut", icons::TRASH),
        ("Rotate", icons::TURN_RIGHT),
        ("Flip", icons::FLIP_H),
        ("light", icons::LIGHT),
        ("layer", icons::LAYERS),
        ("group", icons::GROUP),
        ("Group", icons::GROUP),
        ("material", icons::FILL),
        ("texture", icons::TEXTURE),
        ("Draw", icons::SHAPES),
        ("Create", icons::PLUS),
        ("Move", icons::MOVE),
    ];
    let found = GLYPHS.iter().find(|(word, _)| label.contains(word));
    found.map_or(icons::HISTORY, |(_, icon)| *icon)
}
