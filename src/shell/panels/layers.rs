//! Layers and visgroups: eye, lock, colour, "leave out of builds", which one new objects go to.

use egui::Align;
use egui::Color32;
use egui::Id;
use egui::Rect;
use egui::Sense;
use egui::Ui;
use egui::pos2;
use egui::vec2;

use crate::document::Layer;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::ops;
use crate::editor::Command;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::Cx;
use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::semibold;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

/// Draws the panel.
pub fn ui(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let doc = cx.editor.doc();
    let selected = cx.editor.selection_ids();
    egui::Frame::new()
        .inner_margin(egui::Margin::symmetric(8, 4))
        .show(ui, |ui| {
            ui.allocate_ui_with_layout(
                vec2(ui.available_width(), size::FIELD),
                egui::Layout::left_to_right(Align::Center),
                |ui| {
                    for (id, icon, name) in [
                        ("layer.new", icons::PLUS, "Layer"),
                        ("layer.new_visgroup", icons::PLUS, "Visgroup"),
                    ] {
                        if let Some(command) = Command::find(id)
                            && widgets::button(ui, Some(icon), name, widgets::Weight::Normal)
                                .on_hover_text(command.help)
                                .clicked()
                        {
                            actions.push(Action::Run(command));
                        }
                    }
                },
            );
        });
    ui.spacing_mut().item_spacing.y = 0.0;
    let of = |kind: LayerKind| {
        let mut list: Vec<(LayerId, &Layer)> = doc
            .layers()
            .filter(|(_, layer)| layer.kind == kind)
            .collect();
        list.sort_by_key(|(id, layer)| (layer.rank, *id));
        list
    };
    let (layers, visgroups) = (of(LayerKind::Layer), of(LayerKind::Visgroup));
    let mut members = std::collections::BTreeMap::new();
    for (_, object) in doc.objects() {
        for layer in object.layer.iter().chain(object.visgroups.iter()) {
            *members.entry(*layer).or_insert(0usize) += 1;
        }
    }
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("layers")
        .show(ui, |ui| {
            default_row(ui, cx, actions);
            for (id, layer) in layers {
                row(
                    ui,
                    cx,
                    id,
                    layer,
                    members.get(&id).copied().unwrap_or(0),
                    None,
                    actions,
                );
            }
            if visgroups.is_empty() {
                return;
            }
            heading(ui, "Visgroups");
            for (id, layer) in visgroups {
                let inside = selected
                    .iter()
                    .filter(|&&object| {
                        doc.object(object)
                            .is_some_and(|object| object.visgroups.contains(&id))
                    })
                    .count();
                let tick = (!selected.is_empty()).then_some(inside == selected.len());
                row(
                    ui,
                    cx,
                    id,
                    layer,
                    members.get(&id).copied().unwrap_or(0),
                    tick,
                    actions,
                );
            }
        });
}

fn heading(ui: &mut Ui, words: &str) {
    let p = Palette::of(ui.ctx());
    let (rect, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), size::SECTION), Sense::hover());
    widgets::line(
        ui,
        rect.with_min_x(rect.left() + 8.0),
        Align::Min,
        words,
        semibold(text::SMALL),
        p.text,
    );
}

fn default_row(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::click());
    let current = cx.editor.look.current_layer.is_none();
    r.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, current, "Default layer")
    });
    ground(ui, rect, current, r.hovered(), &p);
    dot(ui, rect, p.text_faint);
    widgets::line(
        ui,
        rect.with_min_x(rect.left() + 30.0),
        Align::Min,
        "Default layer",
        regular(text::BODY),
        if current { p.on_soft } else { p.text },
    );
    if r.on_hover_text("New objects go to the layer that is marked")
        .clicked()
    {
        actions.push(Action::CurrentLayer(None));
    }
}

fn ground(ui: &Ui, rect: Rect, current: bool, hovered: bool, p: &Palette) {
    let fill = match (current, hovered) {
        (true, _) => p.accent_soft,
        (_, true) => p.row_hover,
        _ => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, 0.0, fill);
}

fn dot(ui: &Ui, rect: Rect, color: Color32) {
    ui.painter()
        .circle_filled(pos2(rect.left() + 17.0, rect.center().y), 4.0, color);
}

fn row(
    ui: &mut Ui,
    cx: &Cx<'_>,
    id: LayerId,
    layer: &Layer,
    members: usize,
    tick: Option<bool>,
    actions: &mut Vec<Action>,
) {
    let p = Palette::of(ui.ctx());
    let look = &cx.editor.look;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::hover());
    let r = ui.interact(rect, Id::unique(("layer", id)), Sense::click());
    let current = look.current_layer == Some(id);
    r.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, current, &layer.name)
    });
    let over = ui.rect_contains_pointer(rect);
    ground(ui, rect, current, over, &p);
    let [red, green, blue, _] = layer.color;
    dot(ui, rect, Color32::from_rgb(red, green, blue));
    let hidden = look.hidden_layers.contains(&id);
    let locked = look.locked_layers.contains(&id);
    let ink = if hidden {
        p.text_disabled
    } else if current {
        p.on_soft
    } else {
        p.text
    };
    let marks = if tick.is_some() { 4.0 } else { 3.0 };
    let words = Rect::from_min_max(
        pos2(rect.left() + 30.0, rect.top()),
        pos2(rect.right() - 8.0 - marks * 24.0, rect.bottom()),
    );
    let used = widgets::line(ui, words, Align::Min, &layer.name, regular(text::BODY), ink);
    widgets::line(
        ui,
        words.with_min_x(words.left() + used + 8.0),
        Align::Min,
        &members.to_string(),
        regular(text::SMALL),
        p.text_faint,
    );
    let mut place = 0.0;
    let mut mark = |ui: &mut Ui, icon: char, name: &str, on: bool| {
        let square = Rect::from_center_size(
            pos2(rect.right() - 16.0 - place * 24.0, rect.center().y),
            vec2(24.0, size::ROW),
        );
        let r = ui.interact(
            square,
            Id::unique(("layer", id, place as u32)),
            Sense::click(),
        );
        place += 1.0;
        let name = format!("{name}: {}", layer.name);
        r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, &name));
        if on || over {
            let ink = if r.hovered() {
                p.text
            } else if on {
                p.text_dim
            } else {
                p.text_faint
            };
            icons::paint(ui.painter(), square.center(), icon, size::ICON_SMALL, ink);
        }
        r.on_hover_text(name).clicked()
    };
    if mark(
        ui,
        if hidden { icons::EYE_SLASH } else { icons::EYE },
        "Show or hide",
        hidden,
    ) {
        actions.push(Action::HideLayer(id, !hidden));
    }
    if mark(
        ui,
        if locked {
            icons::LOCK
        } else {
            icons::LOCK_OPEN
        },
        "Lock or unlock",
        locked,
    ) {
        actions.push(Action::LockLayer(id, !locked));
    }
    if mark(
        ui,
        if layer.no_compile {
            icons::REFUSED
        } else {
            icons::BUILD
        },
        "Leave out of builds",
        layer.no_compile,
    ) {
        actions.push(Action::Commit(ops::layers::set_no_compile(
            id,
            !layer.no_compile,
        )));
    }
    if let Some(inside) = tick
        && mark(
            ui,
            if inside { icons::OK } else { icons::DOT },
            "Selection is in",
            inside,
        )
    {
        actions.push(Action::Commit(ops::layers::set_visgroup(
            cx.editor.selection_ids(),
            id,
            !inside,
        )));
    }
    if r.clicked() && layer.kind == LayerKind::Layer {
        actions.push(Action::CurrentLayer(Some(id)));
    }
    if r.double_clicked() {
        actions.push(Action::RenameLayer(id));
    }
    egui::Popup::context_menu(&r).width(220.0).show(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        if widgets::menu_item(ui, None, "Rename\u{2026}", "", None).clicked() {
            actions.push(Action::RenameLayer(id));
        }
        let refusal = cx
            .editor
            .selection_ids()
            .is_empty()
            .then_some("Select objects first");
        if layer.kind == LayerKind::Layer
            && widgets::menu_item(ui, None, "Move selection here", "", refusal).clicked()
            && refusal.is_none()
        {
            actions.push(Action::Commit(ops::layers::move_to_layer(
                cx.editor.selection_ids(),
                Some(id),
            )));
        }
        if widgets::menu_item(ui, Some(icons::TRASH), "Delete layer", "", None).clicked() {
            actions.push(Action::Commit(ops::layers::delete(id)));
        }
    });
}
