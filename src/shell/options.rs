//! The options of the tool in hand, drawn from plain data: in a row of the tool bar as long as there is room, the rest behind
//! one button.

use egui::Color32;
use egui::Id;
use egui::RichText;
use egui::Ui;
use glam::DVec3;

use crate::editor::numbers::Value;
use crate::editor::tools::options::OptionKind;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::shell::fields;
use crate::shell::fields::Look;
use crate::shell::fields::Reply;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;
use crate::shell::widgets::Weight;

/// Widths of fields in the bar.
const NUMBER: f32 = 60.0;
const UNIT: f32 = 18.0;
const AXIS: f32 = 64.0;
const CHOICE: f32 = 104.0;
const TEXT: f32 = 120.0;

/// Between a label and its field, and between options.
const GAP: f32 = 6.0;
const BETWEEN: f32 = 12.0;

/// So many choices stand side by side when their names are short; more of them open a list.
const SIDE_BY_SIDE: usize = 4;
const SHORT: f32 = 200.0;

/// The button behind which the rest stands.
const MORE: f32 = size::BUTTON + 4.0;

/// As many options as fit into what is left of the row; those that do not are behind a button at its end.
pub fn row(ui: &mut Ui, options: &[ToolOption], actions: &mut Vec<Action>) {
    let room = ui.available_width();
    let widths: Vec<f32> = options.iter().map(|option| width(ui, option)).collect();
    let shown = fitting(&widths, room);
    for option in &options[..shown] {
        one(ui, option, true, actions);
        ui.add_space(BETWEEN);
    }
    let rest = &options[shown..];
    if rest.is_empty() {
        return;
    }
    let r = widgets::icon_button(ui, icons::SLIDERS, "More options of the tool", false);
    egui::Popup::menu(&r)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .width(304.0)
        .show(|ui| {
            ui.spacing_mut().item_spacing.y = size::GAP;
            for option in rest {
                in_list(ui, option, actions);
            }
        });
}

/// How many of the first fit, when the button for the others takes its place too.
fn fitting(widths: &[f32], room: f32) -> usize {
    let all: f32 = widths.iter().map(|width| width + BETWEEN).sum();
    if all - BETWEEN <= room {
        return widths.len();
    }
    let mut used = MORE;
    widths
        .iter()
        .take_while(|width| {
            used += *width + BETWEEN;
            used <= room
        })
        .count()
}

/// A row of the list: the label before the field.
fn in_list(ui: &mut Ui, option: &ToolOption, actions: &mut Vec<Action>) {
    match option.kind {
        OptionKind::Toggle | OptionKind::Button => one(ui, option, true, actions),
        _ => widgets::property(ui, option.label, false, |ui| {
            one(ui, option, false, actions);
        }),
    }
}

fn words_width(ui: &Ui, words: &str, font: egui::FontId) -> f32 {
    let galley = ui
        .painter()
        .layout_no_wrap(words.to_owned(), font, Color32::WHITE);
    galley.size().x.ceil()
}

/// What an option takes in the bar.
fn width(ui: &Ui, option: &ToolOption) -> f32 {
    let label = words_width(ui, option.label, regular(text::SMALL)) + GAP;
    match &option.kind {
        OptionKind::Number { unit, .. } => label + number_width(unit),
        OptionKind::Toggle => words_width(ui, option.label, medium(text::SMALL)) + 16.0,
        OptionKind::Button => words_width(ui, option.label, medium(text::BODY)) + 24.0,
        OptionKind::Choice(names) => label + choice_width(ui, names),
        OptionKind::Vector => label + AXIS * 3.0 + 4.0,
        OptionKind::Text => label + TEXT,
    }
}

fn number_width(unit: &str) -> f32 {
    NUMBER + if unit.is_empty() { 0.0 } else { UNIT }
}

/// Of choices side by side; `None` when they are too many or too long for that.
fn segments(ui: &Ui, names: &[&str]) -> Option<f32> {
    if names.len() > SIDE_BY_SIDE {
        return None;
    }
    let each = names
        .iter()
        .map(|name| words_width(ui, name, regular(text::SMALL)) + 16.0);
    let sum = each.sum::<f32>() + 4.0;
    (sum <= SHORT).then_some(sum)
}

fn choice_width(ui: &Ui, names: &[&str]) -> f32 {
    segments(ui, names).unwrap_or(CHOICE)
}

/// One option; its label stands in front unless the caller has drawn it.
fn one(ui: &mut Ui, option: &ToolOption, labelled: bool, actions: &mut Vec<Action>) {
    let tip = option.disabled.unwrap_or(option.help);
    let own_words = matches!(option.kind, OptionKind::Toggle | OptionKind::Button);
    if labelled && !own_words {
        let p = Palette::of(ui.ctx());
        ui.spacing_mut().item_spacing.x = GAP;
        let label = RichText::new(option.label)
            .font(regular(text::SMALL))
            .color(p.text_dim);
        ui.add(egui::Label::new(label).selectable(false))
            .on_hover_text(tip);
    }
    let r = ui
        .add_enabled_ui(option.disabled.is_none(), |ui| control(ui, option, actions))
        .response;
    if let Some(reason) = option.disabled {
        r.on_hover_text(reason);
    }
}

fn control(ui: &mut Ui, option: &ToolOption, actions: &mut Vec<Action>) {
    let mut set = |value: OptionValue| actions.push(Action::ToolOption(option.id, value));
    match (&option.kind, &option.value) {
        (
            OptionKind::Number {
                min,
                max,
                step,
                decimals,
                unit,
            },
            OptionValue::Number(value),
        ) => {
            let tidy = |value: f64| {
                let value = if *decimals == 0 && step.fract() == 0.0 {
                    value.round()
                } else {
                    value
                };
                value.clamp(*min, *max)
            };
            let reply = number(ui, option, Some(*value), *step, unit, None);
            if let Some(new) = live(ui, option.id, 0, reply, *value).map(tidy)
                && new != *value
            {
                set(OptionValue::Number(new));
            }
        }
        (OptionKind::Toggle, OptionValue::Flag(on)) => {
            if widgets::switch(ui, option.label, *on)
                .on_hover_text(option.help)
                .clicked()
            {
                set(OptionValue::Flag(!on));
            }
        }
        (OptionKind::Choice(names), OptionValue::Index(now)) => {
            if let Some(new) = choose(ui, option, names, *now) {
                set(OptionValue::Index(new));
            }
        }
        (OptionKind::Vector, OptionValue::Vector(value)) => {
            for axis in 0..3 {
                let old = value.to_array()[axis];
                let reply = number(ui, option, Some(old), 1.0, "", Some(axis));
                if let Some(new) = live(ui, option.id, axis, reply, old)
                    && new != old
                {
                    let mut changed = value.to_array();
                    changed[axis] = new;
                    set(OptionValue::Vector(DVec3::from_array(changed)));
                }
            }
        }
        (OptionKind::Vector, OptionValue::Mixed(values)) => {
            for (axis, value) in values.iter().enumerate() {
                // Each commit may be a step of the history, so nothing is sent while it is dragged.
                if let Reply::Commit(typed) = number(ui, option, *value, 1.0, "", Some(axis))
                    && *value != Some(typed.of(value.unwrap_or(f64::NAN)))
                {
                    set(OptionValue::Typed(axis, as_typed(typed)));
                }
            }
        }
        (OptionKind::Button, _) => {
            if widgets::button(ui, None, option.label, Weight::Normal)
                .on_hover_text(option.help)
                .clicked()
            {
                set(OptionValue::Press);
            }
        }
        (OptionKind::Text, OptionValue::Text(value)) => {
            let width = TEXT.min(ui.available_width());
            if let Some(new) = fields::text_value(ui, Some(value), option.label, width) {
                set(OptionValue::Text(new));
            }
        }
        (kind, value) => {
            debug_assert!(false, "{}: {kind:?} cannot show {value:?}", option.id);
        }
    }
}

fn choose(
    ui: &mut Ui,
    option: &ToolOption,
    names: &'static [&'static str],
    now: usize,
) -> Option<usize> {
    let mut index = now;
    if segments(ui, names).is_some() {
        widgets::segmented(ui, option.label, names, &mut index).on_hover_text(option.help);
    } else {
        let shown = names.get(now).copied().unwrap_or_default();
        widgets::choice(ui, option.label, shown, CHOICE, |ui| {
            for (at, name) in names.iter().enumerate() {
                let tick = (at == now).then_some(icons::CHECK);
                if widgets::menu_item(ui, tick, name, "", None).clicked() {
                    index = at;
                    ui.close();
                }
            }
        });
    }
    (index != now).then_some(index)
}

/// A number field of an option, or one axis of a vector.
fn number(
    ui: &mut Ui,
    option: &ToolOption,
    value: Option<f64>,
    step: f64,
    unit: &str,
    axis: Option<usize>,
) -> Reply {
    const AXES: [&str; 3] = ["X", "Y", "Z"];
    let p = Palette::of(ui.ctx());
    let unit = if unit == "deg" { "\u{b0}" } else { unit };
    let tag = axis.map(|axis| (AXES[axis], p.view.axis[axis]));
    let name = match axis {
        Some(axis) => format!("{} {}", option.label, AXES[axis]),
        None => option.label.to_owned(),
    };
    let width = if axis.is_some() {
        AXIS
    } else {
        number_width(unit)
    };
    ui.spacing_mut().item_spacing.x = 2.0;
    ui.push_id((option.id, axis), |ui| {
        let look = Look {
            name: &name,
            tag,
            unit,
            speed: step,
            width: width.min(ui.available_width().max(40.0)),
        };
        fields::number(ui, value, look)
    })
    .inner
}

/// The value a field gives now. Dragging sets it at once; `Esc` gives back what it was before.
fn live(ui: &Ui, id: &'static str, axis: usize, reply: Reply, old: f64) -> Option<f64> {
    let start = Id::unique(("tool option before its drag", id, axis));
    match reply {
        Reply::Nothing => None,
        Reply::Preview(value) => {
            ui.data_mut(|data| {
                data.get_temp_mut_or(start, old);
            });
            Some(value.of(old))
        }
        Reply::Commit(typed) => {
            ui.data_mut(|data| data.remove_temp::<f64>(start));
            Some(typed.of(old))
        }
        Reply::Cancel => ui.data_mut(|data| data.remove_temp::<f64>(start)),
    }
}

/// As it would be typed again.
fn as_typed(value: Value) -> String {
    match value {
        Value::Set(value) => format!("{value}"),
        Value::Add(value) => format!("+{value}"),
        Value::Multiply(value) => format!("*{value}"),
    }
}

/// The name of the tool before its options.
pub fn title(ui: &mut Ui, name: &str) {
    let p = Palette::of(ui.ctx());
    ui.add_space(4.0);
    let words = RichText::new(name).font(medium(text::BODY)).color(p.text);
    ui.add(egui::Label::new(words).selectable(false));
    ui.add_space(8.0);
}

/// A row of things that stand side by side, for bars of panels.
pub fn strip(ui: &mut Ui, height: f32, add: impl FnOnce(&mut Ui)) {
    let room = egui::vec2(ui.available_width(), height);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.allocate_ui_with_layout(room, layout, add);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::numbers;

    #[test]
    fn what_does_not_fit_leaves_from_the_end() {
        assert_eq!(fitting(&[100.0, 100.0], 212.0), 2);
        assert_eq!(fitting(&[100.0, 100.0], 211.0), 1);
        assert_eq!(fitting(&[100.0, 100.0], 100.0), 0);
        assert_eq!(fitting(&[], 0.0), 0);
    }

    #[test]
    fn typed_values_read_back_as_they_were() {
        for value in [
            Value::Set(-8.5),
            Value::Add(-8.0),
            Value::Add(16.0),
            Value::Multiply(0.5),
        ] {
            assert_eq!(numbers::parse(&as_typed(value)), Ok(value));
        }
    }
}
