//! Cameras of the map (CAM-11): bookmarks with their keys, and what came with an imported map. A click flies there.

use egui::Align;
use egui::Sense;
use egui::Ui;
use egui::vec2;

use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::options;
use crate::shell::panels::Cx;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

/// Draws the panel.
pub fn ui(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let all = cx.editor.bookmarks();
    let free = (1..=9).find(|number| all.iter().all(|camera| camera.number != Some(*number)));
    let pad = egui::Margin::symmetric(8, 4);
    egui::Frame::new().inner_margin(pad).show(ui, |ui| {
        options::strip(ui, size::FIELD, |ui| {
            if let Some(number) = free {
                let words = format!("Keep this view as {number}");
                let r = widgets::button(ui, Some(icons::PLUS), &words, Weight::Normal);
                if r.on_hover_text("The 3D view that has the keyboard")
                    .clicked()
                {
                    actions.push(Action::StoreCamera(number));
                }
            }
        });
    });
    if all.is_empty() {
        widgets::empty_state(
            ui,
            icons::CAMERA,
            "No views kept yet",
            "Ctrl+Shift+1 to 9 keeps a view, Shift+1 to 9 flies there",
        );
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("cameras")
        .show_rows(ui, size::ROW + 4.0, all.len(), |ui, range| {
            for camera in &all[range] {
                let height = size::ROW + 4.0;
                let room = vec2(ui.available_width(), height);
                let (rect, r) = ui.allocate_exact_size(room, Sense::click());
                let name = match (camera.number, camera.name.split_once(':')) {
                    (Some(_), Some((_, name))) => name.trim().to_owned(),
                    (Some(number), None) => format!("View {number}"),
                    _ => camera.name.clone(),
                };
                r.widget_info(|| {
                    let name = format!("Fly to {name}");
                    egui::WidgetInfo::labeled(egui::Role::Button, true, name)
                });
                let over = ui.rect_contains_pointer(rect);
                if over {
                    ui.painter().rect_filled(rect, 0.0, p.row_hover);
                }
                let at = rect.left_center() + vec2(18.0, 0.0);
                icons::paint(
                    ui.painter(),
                    at,
                    icons::CAMERA,
                    size::ICON_SMALL,
                    p.text_dim,
                );
                let words = rect
                    .with_min_x(rect.left() + 34.0)
                    .with_max_x(rect.right() - 64.0);
                let used = widgets::line(ui, words, Align::Min, &name, medium(text::BODY), p.text);
                if let Some(number) = camera.number {
                    let after = words.with_min_x(words.left() + used + 10.0);
                    let keys = format!("Shift+{number}");
                    let font = regular(text::SMALL);
                    widgets::line(ui, after, Align::Min, &keys, font, p.text_faint);
                }
                if over {
                    let place = egui::Rect::from_min_max(
                        rect.right_top() - vec2(60.0, -2.0),
                        rect.right_bottom() - vec2(8.0, 2.0),
                    );
                    let mut tools = ui.new_child(
                        egui::UiBuilder::new()
                            .max_rect(place)
                            .id_salt(("camera", camera.index))
                            .layout(egui::Layout::right_to_left(Align::Center)),
                    );
                    let delete = format!("Delete {name}");
                    if widgets::icon_button(&mut tools, icons::TRASH, &delete, false).clicked() {
                        actions.push(Action::RemoveCamera(camera.index));
                    }
                    let rename = format!("Rename {name}");
                    if widgets::icon_button(&mut tools, icons::MORE, &rename, false).clicked() {
                        actions.push(Action::RenameCamera(camera.index, name.clone()));
                    }
                }
                if r.clicked() {
                    actions.push(Action::GoToCamera(camera.index));
                }
            }
        });
}
