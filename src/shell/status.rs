//! The status bar: what mouse and keys do now, or what was said; at the right the selection, the grid, problems, the build.

use egui::Align;
use egui::Layout;
use egui::RichText;
use egui::Sense;
use egui::Stroke;
use egui::Ui;
use egui::UiBuilder;
use egui::vec2;

use crate::document::SelectionExt as _;
use crate::editor::Editor;
use crate::editor::Hint;
use crate::editor::StatusKind;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::layout::Panel;
use crate::shell::panels::views::is_one_point;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

/// Draws the bar into all of `ui`. `opening`: name and share of a map that is being read.
pub fn ui(ui: &mut Ui, editor: &Editor, opening: Option<(String, f32)>, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let rect = ui.max_rect();
    ui.painter().rect_filled(rect, 0.0, p.bar);
    let inner = rect.shrink2(vec2(8.0, 0.0));
    let mut right = ui.new_child(
        UiBuilder::new()
            .max_rect(inner)
            .layout(Layout::right_to_left(Align::Center)),
    );
    right.spacing_mut().item_spacing.x = 6.0;
    right_block(&mut right, editor, opening, rect.width(), actions);
    let end = right.min_rect().left() - 16.0;
    let left = inner.with_max_x(end.max(inner.left()));
    let mut left = ui.new_child(
        UiBuilder::new()
            .max_rect(left)
            .layout(Layout::left_to_right(Align::Center)),
    );
    match editor.status() {
        Some(said) => {
            let (icon, color) = match said.kind {
                StatusKind::Info => (icons::INFO, p.text_dim),
                StatusKind::Refused => (icons::REFUSED, p.warning),
                StatusKind::Error => (icons::ERROR, p.error),
            };
            let (mark, _) = left.allocate_exact_size(vec2(16.0, size::STATUS_BAR), Sense::hover());
            icons::paint(left.painter(), mark.center(), icon, size::ICON_SMALL, color);
            let room = left.available_rect_before_wrap();
            widgets::line(
                &left,
                room,
                Align::Min,
                &said.text,
                regular(text::SMALL),
                p.text,
            );
            let (_, r) = left.allocate_exact_size(room.size(), Sense::hover());
            r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Status, true, &said.text));
            r.on_hover_text(&said.text);
        }
        None => hints(&mut left, editor.hints()),
    }
}

/// Mouse glyph for words such as `Ctrl+drag`, and what is left of them.
fn mouse(keys: &str) -> (Option<char>, String) {
    const GESTURES: &[(&str, char)] = &[
        ("right-drag", icons::MOUSE_RIGHT),
        ("middle-drag", icons::MOUSE_MIDDLE),
        ("double click", icons::MOUSE_LEFT),
        ("click", icons::MOUSE_LEFT),
        ("drag", icons::MOUSE_LEFT),
        ("wheel", icons::MOUSE_WHEEL),
        ("rmb", icons::MOUSE_RIGHT),
        ("mmb", icons::MOUSE_MIDDLE),
    ];
    let lower = keys.to_lowercase();
    for (word, icon) in GESTURES {
        if let Some(at) = lower.rfind(word) {
            let rest = keys
                .get(..at)
                .unwrap_or_default()
                .trim_end_matches('+')
                .trim();
            return (Some(*icon), rest.to_owned());
        }
    }
    (None, keys.to_owned())
}

/// As many hints as there is room for.
fn hints(ui: &mut Ui, hints: &[Hint]) {
    for hint in hints {
        let (icon, keys) = mouse(hint.keys);
        let measure = |font: egui::FontId, words: &str| {
            ui.painter()
                .layout_no_wrap(words.to_owned(), font, egui::Color32::WHITE)
                .size()
                .x
        };
        let width =
            measure(medium(text::CAPTION), &keys) + measure(regular(text::SMALL), hint.text) + 48.0;
        if ui.available_width() < width {
            return;
        }
        let mut words = hint.text.to_owned();
        if let Some(first) = words.get(..1) {
            let upper = first.to_uppercase();
            words.replace_range(..1, &upper);
        }
        widgets::hint(ui, icon, &keys, &words);
    }
}

fn divider(ui: &mut Ui) {
    let p = Palette::of(ui.ctx());
    let (rect, _) = ui.allocate_exact_size(vec2(9.0, size::STATUS_BAR), Sense::hover());
    ui.painter().vline(
        rect.center().x.round() + 0.5,
        rect.y_range().shrink(5.0),
        Stroke::new(1.0, p.line_strong),
    );
}

fn words(ui: &mut Ui, what: &str) {
    let p = Palette::of(ui.ctx());
    ui.label(
        RichText::new(what)
            .font(regular(text::SMALL))
            .color(p.text_dim),
    );
}

/// From the right: build, problems, grid, size, selection.
fn right_block(
    ui: &mut Ui,
    editor: &Editor,
    opening: Option<(String, f32)>,
    width: f32,
    actions: &mut Vec<Action>,
) {
    build(ui, editor, opening, actions);
    divider(ui);
    problems(ui, editor, actions);
    divider(ui);
    words(ui, &format!("Grid {}", widgets::shortest(editor.grid.size)));
    let size = editor.size_text();
    if width >= 1100.0 && !size.is_empty() && !is_one_point(editor) {
        divider(ui);
        words(ui, &size.replace(" x ", " \u{d7} "));
    }
    if width >= 800.0 {
        divider(ui);
        let doc = editor.doc();
        let picked = editor.selection().objects().len();
        let faces = editor.selection().faces().len();
        let selection = if faces > 0 {
            format!("{} selected", say::counted(faces, "face", "faces"))
        } else if picked == 0 {
            say::counted(doc.object_count(), "object", "objects")
        } else {
            format!(
                "{} of {} selected",
                say::count(picked),
                say::count(doc.object_count())
            )
        };
        words(ui, &selection);
    }
    let pending = editor.pending_repeat();
    if width >= 1300.0 && !pending.is_empty() {
        divider(ui);
        words(ui, &format!("Repeat: {pending}"));
    }
}

fn problems(ui: &mut Ui, editor: &Editor, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let count = editor.problem_count();
    let galley = ui
        .painter()
        .layout_no_wrap(say::count(count), regular(text::SMALL), p.text_dim);
    let (rect, r) = ui.allocate_exact_size(
        vec2(galley.size().x + 22.0, size::STATUS_BAR),
        Sense::click(),
    );
    let name = say::counted(count, "problem", "problems");
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    let (icon, color) = if count == 0 {
        (icons::OK, p.text_faint)
    } else {
        (icons::WARNING, p.warning)
    };
    icons::paint(
        ui.painter(),
        rect.left_center() + vec2(8.0, 0.0),
        icon,
        size::ICON_SMALL,
        color,
    );
    let at = egui::pos2(
        rect.right() - galley.size().x,
        rect.center().y - galley.size().y / 2.0,
    );
    ui.painter().galley(at.round(), galley, p.text_dim);
    if r.on_hover_text(name).clicked() {
        actions.push(Action::Show(Panel::Problems));
    }
}

fn build(ui: &mut Ui, editor: &Editor, opening: Option<(String, f32)>, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    if let Some((name, share)) = opening {
        widgets::progress(ui, Some(share), 72.0);
        words(ui, &format!("Reading {name}"));
        return;
    }
    if let Some((stage, share)) = editor.build_progress() {
        if widgets::icon_button(ui, icons::STOP, "Stop the build", false).clicked() {
            actions.push(Action::StopBuild);
        }
        widgets::progress(ui, Some(share), 72.0);
        let mut stage = if stage.is_empty() {
            "Building".to_owned()
        } else {
            stage.to_owned()
        };
        if let Some(first) = stage.get(..1) {
            let upper = first.to_uppercase();
            stage.replace_range(..1, &upper);
        }
        words(ui, &format!("{stage} {:.0} %", share * 100.0));
        return;
    }
    if editor.is_saving() {
        return words(ui, "Saving");
    }
    let (icon, color, what) = match &editor.compiled {
        None => (icons::BUILD, p.text_faint, "Not built"),
        Some(_) if editor.is_build_stale() => (icons::BUILD, p.text_faint, "Build is older"),
        Some(_) => (icons::OK, p.success, "Built"),
    };
    words(ui, what);
    let (rect, _) = ui.allocate_exact_size(vec2(16.0, size::STATUS_BAR), Sense::hover());
    icons::paint(ui.painter(), rect.center(), icon, size::ICON_SMALL, color);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gestures_become_glyphs() {
        assert_eq!(
            mouse("Ctrl+click"),
            (Some(icons::MOUSE_LEFT), "Ctrl".to_owned())
        );
        assert_eq!(mouse("Drag"), (Some(icons::MOUSE_LEFT), String::new()));
        assert_eq!(mouse("Wheel"), (Some(icons::MOUSE_WHEEL), String::new()));
        assert_eq!(mouse("Esc"), (None, "Esc".to_owned()));
    }
}
