//! The table of keys: each with the editor that its definition asks for.

use egui::Rect;
use egui::Sense;
use egui::Ui;
use egui::vec2;

use crate::document::ObjectId;
use crate::document::ops;
use crate::editor::properties::Row;
use crate::formats::fgd::Property;
use crate::formats::fgd::PropertyKind;
use crate::shell::fields;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::panels::inspector::InspectorState;
use crate::shell::panels::inspector::same;
use crate::shell::say;
use crate::shell::theme::Palette;
use crate::shell::theme::size;
use crate::shell::widgets;

/// One key: its editor, and the way back to the default.
pub(super) fn row_ui(ui: &mut Ui, row: &Row, ids: &[ObjectId], actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let value = same(&row.value).map(String::as_str);
    let definition = row.definition.as_deref();
    let is_set = row.everywhere && !row.is_default;
    let top = ui.cursor().min;
    widgets::property(ui, &row.key, is_set, |ui| {
        let width = ui.available_width() - 28.0;
        let ink = if row.is_default { p.text_faint } else { p.text };
        let entered = match definition {
            Some(known) if known.kind == PropertyKind::Flags => {
                flag_list(ui, row, known, value, width, ink)
            }
            Some(known) if !known.choices.is_empty() => {
                let choices: Vec<(&str, &str)> = known
                    .choices
                    .iter()
                    .map(|choice| (choice.value.as_str(), choice.label.as_str()))
                    .collect();
                choice_list(ui, row, &choices, value, width, ink)
            }
            Some(known) if known.kind == PropertyKind::Boolean => {
                choice_list(ui, row, &[("0", "No"), ("1", "Yes")], value, width, ink)
            }
            _ => {
                ui.visuals_mut().override_text_color = Some(ink);
                fields::text_value(ui, value, &row.key, width)
            }
        };
        if let Some(entered) = entered {
            actions.push(Action::Commit(ops::entities::set_key(
                ids.to_vec(),
                row.key.clone(),
                entered,
            )));
        }
        let (icon, name) = match definition {
            Some(_) => (icons::TURN_LEFT, format!("Reset {}", row.key)),
            None => (icons::CLOSE, format!("Remove {}", row.key)),
        };
        if !row.is_default && widgets::icon_button(ui, icon, &name, false).clicked() {
            actions.push(Action::Commit(ops::entities::remove_key(
                ids.to_vec(),
                row.key.clone(),
            )));
        }
    });
    if let Some(known) = definition {
        let width = (ui.available_width() * size::LABEL_SHARE).round() - 8.0;
        let label = Rect::from_min_size(top, vec2(width, size::FIELD));
        let about = match (known.label.as_str(), known.help.as_str()) {
            (label, "") => label.to_owned(),
            ("", help) => help.to_owned(),
            (label, help) => format!("{label}\n{help}"),
        };
        if !about.is_empty() {
            ui.interact(label, ui.scope_id().with("about"), Sense::hover())
                .on_hover_text(about);
        }
    }
}

/// A list of values with names; what is in none of them shows as it is.
fn choice_list(
    ui: &mut Ui,
    row: &Row,
    choices: &[(&str, &str)],
    value: Option<&str>,
    width: f32,
    ink: egui::Color32,
) -> Option<String> {
    let named = choices.iter().find(|(known, _)| Some(*known) == value);
    let shown = named.map_or(value.unwrap_or("mixed"), |(_, label)| *label);
    let mut entered = None;
    widgets::choice_in(ui, &row.key, shown, width, ink, |ui| {
        for (known, label) in choices {
            let tick = (Some(*known) == value).then_some(icons::CHECK);
            if widgets::menu_item(ui, tick, label, "", None).clicked() {
                entered = Some((*known).to_owned());
                ui.close();
            }
        }
    });
    entered
}

/// The bits of a number, each with its name.
fn flag_list(
    ui: &mut Ui,
    row: &Row,
    known: &Property,
    value: Option<&str>,
    width: f32,
    ink: egui::Color32,
) -> Option<String> {
    let bits: Option<u32> = value.map(|value| {
        let default = || {
            let on = known.flags.iter().filter(|flag| flag.is_on);
            on.fold(0, |bits, flag| bits | flag.bit)
        };
        value.trim().parse().unwrap_or_else(|_| default())
    });
    let on: Vec<&str> = known
        .flags
        .iter()
        .filter(|flag| bits.is_some_and(|bits| bits & flag.bit != 0))
        .map(|flag| flag.label.as_str())
        .collect();
    let shown = match (bits, on.as_slice()) {
        (None, _) => "mixed".to_owned(),
        (_, []) => "none".to_owned(),
        (_, [one]) => (*one).to_owned(),
        (_, more) => say::counted(more.len(), "flag", "flags"),
    };
    let mut entered = None;
    widgets::choice_in(ui, &row.key, &shown, width, ink, |ui| {
        for flag in &known.flags {
            let is_on = bits.is_some_and(|bits| bits & flag.bit != 0);
            let tick = is_on.then_some(icons::CHECK);
            if widgets::menu_item(ui, tick, &flag.label, "", None).clicked() {
                entered = Some((bits.unwrap_or(0) ^ flag.bit).to_string());
            }
        }
    });
    entered
}

/// Two fields for a key that is not there yet.
pub(super) fn new_row(
    ui: &mut Ui,
    state: &mut InspectorState,
    ids: &[ObjectId],
    actions: &mut Vec<Action>,
) {
    ui.add_space(4.0);
    let full = ui.available_width();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = size::GAP;
        let label = (full * size::LABEL_SHARE).round();
        let key = widgets::text_field(
            ui,
            &mut state.new_key,
            "New key",
            "New key",
            label - 8.0 + 4.0,
        );
        let value = widgets::text_field(
            ui,
            &mut state.new_value,
            "New value",
            "Value",
            full - label - 28.0,
        );
        let ready = !state.new_key.trim().is_empty();
        let pressed = ui
            .add_enabled_ui(ready, |ui| {
                widgets::icon_button(ui, icons::PLUS, "Add the key", false).clicked()
            })
            .inner;
        let entered = (key.lost_focus() || value.lost_focus())
            && ui.input(|i| i.key_pressed(egui::Key::Enter));
        if ready && (pressed || entered) {
            let edit =
                ops::entities::set_key(ids.to_vec(), state.new_key.trim(), state.new_value.clone());
            actions.push(Action::Commit(edit));
            *state = InspectorState::default();
        }
    });
}
