//! Where the panes stand, and the lines between them.

use egui::Id;
use egui::Rect;
use egui::Sense;
use egui::Ui;
use egui::pos2;
use egui::vec2;

use crate::editor::Editor;
use crate::shell::dock;
use crate::shell::frame::Action;
use crate::shell::theme::Palette;

/// Where the panes are, on whole pixels.
pub(super) fn pane_rects(editor: &Editor, area: Rect, pixels_per_point: f32) -> Vec<(usize, Rect)> {
    if let Some((pane, _)) = editor.walk_marks() {
        return vec![(pane, area)];
    }
    let snap = |v: f64| (v as f32 * pixels_per_point).round() / pixels_per_point;
    let rects = editor.layout.rects();
    rects
        .iter()
        .map(|place| {
            let (w, h) = (f64::from(area.width()), f64::from(area.height()));
            let left = area.left() + snap(place.x * w);
            let top = area.top() + snap(place.y * h);
            let right = area.left() + snap((place.x + place.width) * w);
            let bottom = area.top() + snap((place.y + place.height) * h);
            // The gap stands at the inner edges only.
            let gap = |edge: f32, end: f32| if edge < end - 1.0 { dock::GAP } else { 0.0 };
            let rect = Rect::from_min_max(
                pos2(left, top),
                pos2(
                    right - gap(right, area.right()),
                    bottom - gap(bottom, area.bottom()),
                ),
            );
            (place.pane, rect)
        })
        .collect()
}

/// The lines between panes; a double press gives the default.
pub(super) fn splitters(
    ui: &mut Ui,
    editor: &Editor,
    area: Rect,
    panes: &[(usize, Rect)],
    actions: &mut Vec<Action>,
) {
    if panes.len() < 2 {
        return;
    }
    let (x, y) = (editor.layout.split_x, editor.layout.split_y);
    let defaults = crate::editor::Layout::default();
    let at_x = area.left() + area.width() * x as f32 - 1.0;
    let at_y = area.top() + area.height() * y as f32 - 1.0;
    let upright = Rect::from_min_max(
        pos2(at_x - 3.0, area.top()),
        pos2(at_x + 3.0, area.bottom()),
    );
    let lying = match panes.len() {
        2 => None,
        3 => Some(Rect::from_min_max(
            pos2(at_x, at_y - 3.0),
            pos2(area.right(), at_y + 3.0),
        )),
        _ => Some(Rect::from_min_max(
            pos2(area.left(), at_y - 3.0),
            pos2(area.right(), at_y + 3.0),
        )),
    };
    let p = Palette::of(ui.ctx());
    let line = |ui: &mut Ui, rect: Rect, name: &str, cursor: egui::CursorIcon| {
        let r = ui
            .interact(
                rect,
                Id::unique(("pane splitter", name)),
                Sense::click_and_drag(),
            )
            .on_hover_cursor(cursor);
        r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Splitter, true, name));
        if r.hovered() || r.dragged() {
            ui.painter().rect_filled(
                rect.shrink2(if rect.width() > rect.height() {
                    vec2(0.0, 2.0)
                } else {
                    vec2(2.0, 0.0)
                }),
                0.0,
                p.accent,
            );
        }
        r
    };
    let r = line(
        ui,
        upright,
        "Left and right views",
        egui::CursorIcon::ResizeHorizontal,
    );
    if r.double_clicked() {
        actions.push(Action::Split(defaults.split_x, y));
    } else if r.dragged()
        && let Some(at) = r.interact_pointer_pos()
    {
        actions.push(Action::Split(
            f64::from((at.x - area.left()) / area.width()),
            y,
        ));
    }
    if let Some(lying) = lying {
        let r = line(
            ui,
            lying,
            "Upper and lower views",
            egui::CursorIcon::ResizeVertical,
        );
        if r.double_clicked() {
            actions.push(Action::Split(x, defaults.split_y));
        } else if r.dragged()
            && let Some(at) = r.interact_pointer_pos()
        {
            actions.push(Action::Split(
                x,
                f64::from((at.y - area.top()) / area.height()),
            ));
        }
    }
}
