//! The tiles of the material browser: only those on the screen are laid out, so the number of textures does not matter.

use std::collections::BTreeSet;

use egui::Align;
use egui::Rect;
use egui::Sense;
use egui::Ui;
use egui::UiBuilder;
use egui::pos2;
use egui::vec2;

use super::list::Entries;
use super::list::Entry;
use super::list::Shown;
use super::material_of;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::Cx;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::semibold;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::thumbs::ThumbState;
use crate::shell::widgets;

/// Height of a heading, and of the words below a picture.
const HEADING: f32 = 24.0;
const WORDS: f32 = 36.0;

/// What the pointer did to the tiles.
#[derive(Default)]
pub(super) struct Reply<'a> {
    /// The tile under the pointer, and whether it was clicked.
    pub over: Option<(&'a Entry, bool)>,
    /// A heading was clicked.
    pub toggled: Option<String>,
    /// A tile is being carried.
    pub dragged: Option<&'a Entry>,
    /// It was let go.
    pub dropped: Option<&'a Entry>,
}

/// A line of the list: a heading, or tiles `from..to` of a group.
enum Line {
    Heading(usize),
    Tiles(usize, usize, usize),
}

/// Where every line begins, and where the last one ends.
fn lines(
    shown: &[Shown],
    closed: impl Fn(usize) -> bool,
    columns: usize,
    pitch: f32,
) -> (Vec<(f32, Line)>, f32) {
    let mut lines = Vec::new();
    let mut y = 0.0;
    for (index, group) in shown.iter().enumerate() {
        lines.push((y, Line::Heading(index)));
        y += HEADING;
        if closed(index) {
            continue;
        }
        let mut from = 0;
        while from < group.tiles.len() {
            let to = (from + columns).min(group.tiles.len());
            lines.push((y, Line::Tiles(index, from, to)));
            y += pitch;
            from = to;
        }
        y += size::GAP;
    }
    (lines, y)
}

/// Draws the lines that are seen.
pub(super) fn ui<'a>(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    entries: &'a Entries,
    shown: &[Shown],
    closed: &BTreeSet<String>,
    side: f32,
    actions: &mut Vec<Action>,
) -> Reply<'a> {
    let mut reply = Reply::default();
    let pitch = side + size::GAP;
    let width = ui.available_width();
    let columns = (((width - 16.0 + size::GAP) / pitch).floor() as usize).max(1);
    let is_closed = |index: usize| closed.contains(&entries.groups[shown[index].group].title);
    let (lines, height) = lines(shown, is_closed, columns, side + WORDS + size::GAP);
    let current = cx
        .editor
        .current_material
        .as_ref()
        .map(|material| material.name.clone());
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("material tiles")
        .show_viewport(ui, |ui, seen| {
            ui.set_height(height);
            ui.set_width(width);
            let origin = ui.max_rect().min;
            let first = lines
                .partition_point(|(y, _)| *y <= seen.top())
                .saturating_sub(1);
            for (y, line) in &lines[first..] {
                if *y > seen.bottom() {
                    break;
                }
                let top = origin.y + y;
                match line {
                    Line::Heading(index) => {
                        let group = &entries.groups[shown[*index].group];
                        let rect = Rect::from_min_size(pos2(origin.x, top), vec2(width, HEADING));
                        let count = shown[*index].tiles.len();
                        if heading(
                            ui,
                            rect,
                            &group.title,
                            count,
                            group.total,
                            !is_closed(*index),
                        ) {
                            reply.toggled = Some(group.title.clone());
                        }
                    }
                    Line::Tiles(index, from, to) => {
                        let tiles = &shown[*index].tiles[*from..*to];
                        for (column, &entry) in tiles.iter().enumerate() {
                            let entry = &entries.all[entry];
                            let at = pos2(origin.x + 8.0 + column as f32 * pitch, top);
                            let rect = Rect::from_min_size(at, vec2(side, side + WORDS));
                            let is_current = current.as_deref() == Some(&*entry.name);
                            let title = &entries.groups[entry.group].title;
                            tile(
                                ui,
                                cx,
                                (entry, title),
                                (rect, is_current),
                                &mut reply,
                                actions,
                            );
                        }
                    }
                }
            }
        });
    reply
}

/// True when it was clicked.
fn heading(ui: &mut Ui, rect: Rect, title: &str, count: usize, total: usize, open: bool) -> bool {
    let p = Palette::of(ui.ctx());
    let r = ui.interact(
        rect,
        ui.scope_id().with(("material group", title)),
        Sense::click(),
    );
    r.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::Button, true, open, format!("Group {title}"))
    });
    if r.hovered() {
        ui.painter().rect_filled(rect, 0.0, p.section);
    }
    let caret = if open {
        icons::CARET_DOWN
    } else {
        icons::CARET_RIGHT
    };
    let at = pos2(rect.left() + 14.0, rect.center().y);
    icons::paint(ui.painter(), at, caret, 12.0, p.text_faint);
    let words = rect
        .with_min_x(rect.left() + 26.0)
        .with_max_x(rect.right() - 8.0);
    let used = widgets::line(ui, words, Align::Min, title, semibold(text::SMALL), p.text);
    let note = if count == total {
        say::count(total)
    } else {
        format!("{} of {}", say::count(count), say::count(total))
    };
    let after = words.with_min_x(words.left() + used + 8.0);
    let font = regular(text::SMALL);
    widgets::line(ui, after, Align::Min, &note, font, p.text_faint);
    widgets::focus_ring(ui, &r, &p);
    r.clicked()
}

fn tile<'a>(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    (entry, group): (&'a Entry, &str),
    (rect, selected): (Rect, bool),
    reply: &mut Reply<'a>,
    actions: &mut Vec<Action>,
) {
    let side = rect.width();
    let pixels = side * ui.ctx().pixels_per_point();
    let thumb = cx.thumbs.named(ui.ctx(), &entry.texture, pixels);
    let note = match thumb.state {
        ThumbState::Ready([w, h]) => format!("{w} \u{d7} {h}"),
        ThumbState::Loading => "Loading".to_owned(),
        ThumbState::Lost(reason) => reason.to_owned(),
        ThumbState::Plain => "No picture".to_owned(),
    };
    let builder = UiBuilder::new()
        .max_rect(rect)
        .id_salt((&entry.texture, &entry.name, group));
    let used = entry.faces > 0;
    let r = ui
        .scope_builder(builder, |ui| {
            widgets::tile(ui, thumb.picture, &entry.name, &note, selected, used, side)
        })
        .inner;
    if used && r.hovered() {
        let faces = say::counted(entry.faces, "face shows it", "faces show it");
        r.clone().on_hover_text(faces);
    }
    if r.hovered() && !r.dragged() {
        reply.over = Some((entry, r.clicked()));
    }
    if r.clicked() {
        actions.push(Action::Material(material_of(cx, entry)));
    }
    // With a selection the first click has put it there, and the second must not take that selection away.
    if r.double_clicked() && cx.editor.selection().is_empty() {
        select_using(entry, actions);
    }
    if r.dragged() {
        reply.dragged = Some(entry);
    }
    if r.drag_stopped() {
        reply.dropped = Some(entry);
    }
    r.context_menu(|ui| menu(ui, cx, entry, actions));
}

fn select_using(entry: &Entry, actions: &mut Vec<Action>) {
    if let Some(material) = entry.material {
        actions.push(Action::SelectUsing(material));
    }
}

fn menu(ui: &mut Ui, cx: &Cx<'_>, entry: &Entry, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.set_width(232.0);
    let row = |ui: &mut Ui, icon, words: &str, refusal: Option<&str>| {
        let r = widgets::menu_item(ui, Some(icon), words, "", refusal);
        let chosen = r.clicked() && refusal.is_none();
        if chosen {
            ui.close();
        }
        chosen
    };
    let empty = cx.editor.selection().is_empty();
    let nothing = empty.then_some("Nothing is selected");
    if row(ui, icons::FILL, "Apply to the selection", nothing) {
        actions.push(Action::Material(material_of(cx, entry)));
    }
    if row(ui, icons::PICK, "Make it the current material", None) {
        actions.push(Action::CurrentMaterial(material_of(cx, entry)));
    }
    let unused = (entry.faces == 0).then_some("No face of the map shows it");
    if row(ui, icons::MARQUEE, "Select the faces that show it", unused) {
        select_using(entry, actions);
    }
    if row(ui, icons::TURN_RIGHT, "Replace it\u{2026}", unused) {
        actions.push(Action::ReplaceMaterial(Some(entry.name.clone())));
    }
    if row(ui, icons::COPY, "Copy its name", None) {
        actions.push(Action::CopyText(entry.name.clone()));
    }
}

/// The picture under the pointer while a tile is carried, and what letting go would do.
pub(super) fn carried(ui: &Ui, cx: &mut Cx<'_>, entry: &Entry) {
    let Some(at) = ui.ctx().pointer_latest_pos() else {
        return;
    };
    let p = Palette::of(ui.ctx());
    let picture = cx.thumbs.named(ui.ctx(), &entry.texture, 64.0).picture;
    let rect = Rect::from_min_size(at + vec2(12.0, 12.0), vec2(64.0, 64.0));
    let layer = egui::LayerId::new(egui::Order::Tooltip, egui::Id::unique("dragged material"));
    let tint = egui::Color32::from_white_alpha(204);
    let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let painter = ui.ctx().layer_painter(layer);
    painter.image(picture, rect, uv, tint);
    let held = ui.input(|i| i.modifiers);
    let words = match (held.command, held.shift) {
        (true, _) => "Whole brush",
        (_, true) => "Every face with the same material",
        _ => "Face (Ctrl brush, Shift all alike)",
    };
    let galley = painter.layout_no_wrap(words.to_owned(), medium(text::CAPTION), p.text);
    let chip = Rect::from_min_size(
        rect.left_bottom() + vec2(0.0, 4.0),
        galley.size() + vec2(12.0, 6.0),
    );
    painter.rect_filled(chip, 4.0, p.popup);
    painter.galley(chip.min + vec2(6.0, 3.0), galley, p.text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_open_groups_have_lines_of_tiles() {
        let shown = [
            Shown {
                group: 0,
                tiles: (0..7).collect(),
            },
            Shown {
                group: 1,
                tiles: (7..9).collect(),
            },
        ];
        let (all, height) = lines(&shown, |_| false, 3, 100.0);
        assert_eq!(all.len(), 2 + 3 + 1);
        assert_eq!(height, 2.0 * (HEADING + size::GAP) + 400.0);
        assert!(all.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let (some, lower) = lines(&shown, |index| index == 0, 3, 100.0);
        assert_eq!(some.len(), 1 + 2);
        assert!(lower < height);
    }
}
