//! Properties of the whole map: its title, ambient light, units per metre, and what it holds.

use egui::Align;
use egui::Color32;
use egui::Ui;
use egui::vec2;
use glam::Vec3;

use crate::document::Kind;
use crate::document::ops;
use crate::shell::fields;
use crate::shell::fields::Look;
use crate::shell::fields::Reply;
use crate::shell::frame::Action;
use crate::shell::panels::Cx;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

/// Draws the panel.
pub fn ui(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let settings = cx.editor.doc().settings();
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .id_salt("map")
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            widgets::section(
                ui,
                "Map",
                "",
                true,
                |_| {},
                |ui| {
                    widgets::property(ui, "Title", !settings.name.is_empty(), |ui| {
                        let width = ui.available_width();
                        if let Some(name) =
                            fields::text_value(ui, Some(&settings.name), "Title", width)
                        {
                            actions.push(Action::Commit(ops::settings::set_name(name)));
                        }
                    });
                    widgets::property(ui, "Units per metre", false, |ui| {
                        let width = ui.available_width();
                        let look = Look {
                            name: "Units per metre",
                            tag: None,
                            unit: "u/m",
                            speed: 0.5,
                            width,
                        };
                        let old = f64::from(settings.units_per_meter);
                        let edit = |value: f64| ops::settings::set_units_per_meter(value as f32);
                        match fields::number(ui, Some(old), look) {
                            Reply::Nothing => {}
                            Reply::Preview(value) => {
                                actions.push(Action::Preview(edit(value.of(old))));
                            }
                            Reply::Commit(typed) => {
                                actions.push(Action::Commit(edit(typed.of(old))));
                            }
                            Reply::Cancel => actions.push(Action::Cancel),
                        }
                    });
                    widgets::property(ui, "Ambient light", false, |ui| {
                        ambient(ui, settings.ambient, actions);
                    });
                },
            );
            widgets::section(ui, "Contents", "", true, |_| {}, |ui| contents(ui, cx));
            world(ui, cx, actions);
        });
}

fn ambient(ui: &mut Ui, now: Vec3, actions: &mut Vec<Action>) {
    let mut rgb = now.to_array();
    let r = ui.color_edit_button_rgb(&mut rgb);
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ColorWell, true, "Ambient light"));
    let popup = egui::Popup::is_id_open(ui.ctx(), r.id.with("popup"));
    if rgb != now.to_array() {
        let edit = ops::settings::set_ambient(Vec3::from_array(rgb));
        actions.push(Action::Preview(edit.clone()));
        let id = egui::Id::unique("ambient edit");
        ui.data_mut(|data| data.insert_temp(id, rgb));
    }
    // The last colour becomes a step when the pointer is let go.
    let id = egui::Id::unique("ambient edit");
    let released = !ui.input(|i| i.pointer.any_down());
    if released && let Some(rgb) = ui.data_mut(|data| data.remove_temp::<[f32; 3]>(id)) {
        actions.push(Action::Commit(ops::settings::set_ambient(
            Vec3::from_array(rgb),
        )));
    }
    let p = Palette::of(ui.ctx());
    let hex = rgb
        .map(|channel| format!("{:02X}", (channel.clamp(0.0, 1.0) * 255.0).round() as u8))
        .concat();
    let ink: Color32 = if popup { p.text } else { p.text_dim };
    ui.label(
        egui::RichText::new(hex)
            .font(regular(text::BODY))
            .color(ink),
    );
}

fn contents(ui: &mut Ui, cx: &Cx<'_>) {
    let doc = cx.editor.doc();
    let mut counts = [0usize; 5];
    for (_, object) in doc.objects() {
        match &object.kind {
            Kind::Brush(brush) => {
                counts[0] += 1;
                counts[4] += brush.faces().len();
            }
            Kind::Mesh(mesh) => {
                counts[1] += 1;
                counts[4] += mesh.polygons.len();
            }
            Kind::Entity(_) => counts[2] += 1,
            Kind::Group(_) => counts[3] += 1,
        }
    }
    let size = doc.bounds();
    let extent = if size.is_empty() {
        "empty".to_owned()
    } else {
        size.size()
            .to_array()
            .map(widgets::shortest)
            .join(" \u{d7} ")
    };
    for (label, words) in [
        ("Brushes", say::count(counts[0])),
        ("Faces", say::count(counts[4])),
        ("Meshes", say::count(counts[1])),
        ("Entities", say::count(counts[2])),
        ("Groups", say::count(counts[3])),
        ("Materials", say::count(doc.material_count())),
        ("Extent", extent),
    ] {
        row(ui, label, &words);
    }
}

fn row(ui: &mut Ui, label: &str, words: &str) {
    widgets::property(ui, label, false, |ui| {
        let p = Palette::of(ui.ctx());
        let (rect, _) = ui.allocate_exact_size(
            vec2(ui.available_width(), size::FIELD),
            egui::Sense::hover(),
        );
        widgets::line(ui, rect, Align::Min, words, regular(text::BODY), p.text);
    });
}

/// Keys of the world, if the map has an entity for it.
fn world(ui: &mut Ui, cx: &Cx<'_>, actions: &mut Vec<Action>) {
    let Some((id, world)) = cx.editor.doc().worldspawn() else {
        return;
    };
    let note = say::counted(world.keys.len(), "key", "keys");
    widgets::section(
        ui,
        "World",
        &note,
        true,
        |_| {},
        |ui| {
            for (key, value) in &world.keys {
                ui.push_id(key, |ui| {
                    widgets::property(ui, key, true, |ui| {
                        let width = ui.available_width();
                        if let Some(entered) = fields::text_value(ui, Some(value), key, width) {
                            actions.push(Action::Commit(ops::entities::set_key(
                                vec![id],
                                key.clone(),
                                entered,
                            )));
                        }
                    });
                });
            }
        },
    );
}
