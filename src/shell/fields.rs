//! Number fields of panels that edit the map: dragging previews, letting go commits, typing takes expressions and values
//! relative to each object's own, and different values show as "mixed".

use std::cell::Cell;

use egui::Align;
use egui::Atom;
use egui::Atoms;
use egui::Color32;
use egui::CornerRadius;
use egui::CursorIcon;
use egui::DragValue;
use egui::Key;
use egui::Layout;
use egui::Rect;
use egui::RichText;
use egui::Stroke;
use egui::StrokeKind;
use egui::Ui;
use egui::vec2;

use crate::editor::numbers;
use crate::editor::numbers::Value;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

/// What the user did to a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reply {
    Nothing,
    /// Show this, it may still change.
    Preview(f64),
    Commit(Value),
    Cancel,
}

/// How a field looks and moves.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// For screen readers and tests.
    pub name: &'a str,
    /// Axis letter with its colour.
    pub tag: Option<(&'a str, Color32)>,
    pub unit: &'a str,
    /// Change per point of a drag.
    pub speed: f64,
    pub width: f32,
}

/// A field over `value`; `None` = the objects differ.
pub fn number(ui: &mut Ui, value: Option<f64>, look: Look<'_>) -> Reply {
    let p = Palette::of(ui.ctx());
    ui.scope(|ui| {
        let states = &mut ui.visuals_mut().widgets;
        for state in [
            &mut states.inactive,
            &mut states.hovered,
            &mut states.active,
        ] {
            state.weak_bg_fill = p.field;
            state.bg_fill = p.field;
            state.bg_stroke = Stroke::NONE;
        }
        states.hovered.weak_bg_fill = p.field_hover;
        ui.spacing_mut().interact_size = vec2(look.width, size::FIELD);
        ui.spacing_mut().button_padding = vec2(7.0, 3.0);
        let pace = ui.input(|i| match (i.modifiers.command, i.modifiers.shift) {
            (true, _) => 0.1,
            // egui itself divides by ten while Shift is held.
            (_, true) => 100.0,
            _ => 1.0,
        });
        let (mut before, mut after) = (Atoms::default(), Atoms::default());
        if look.tag.is_some() {
            before.push_right(Atom::grow());
        } else {
            after.push_right(Atom::grow());
        }
        if !look.unit.is_empty() {
            let unit = RichText::new(look.unit)
                .font(regular(text::SMALL))
                .color(p.text_faint);
            after.push_right(unit);
        }
        let old = value.unwrap_or(0.0);
        let mut now = old;
        let shown = value.map_or_else(|| "mixed".to_owned(), widgets::shortest);
        let typed: Cell<Option<Value>> = Cell::new(None);
        let align = if look.tag.is_some() {
            Align::Max
        } else {
            Align::Min
        };
        let mixed = value.is_none();
        let r = ui
            .allocate_ui_with_layout(
                vec2(look.width, size::FIELD),
                Layout::top_down(align),
                |ui| {
                    let field = DragValue::new(&mut now)
                        .speed(look.speed * pace)
                        .update_while_editing(false)
                        .custom_formatter(|n, _| {
                            if mixed && n == old {
                                "mixed".to_owned()
                            } else {
                                widgets::shortest(n)
                            }
                        })
                        .custom_parser(|entered| {
                            // What was not touched must not be rounded to what was shown.
                            if entered == shown {
                                return Some(old);
                            }
                            let parsed = numbers::parse(entered).ok()?;
                            typed.set(Some(parsed));
                            Some(parsed.of(old))
                        })
                        .prefix(before)
                        .suffix(after);
                    ui.add(field)
                },
            )
            .inner;
        r.widget_info(|| {
            let mut info = egui::WidgetInfo::drag_value(ui.is_enabled(), old);
            info.label = Some(look.name.to_owned());
            info
        });
        edge(ui, &r, &p);
        if let Some((letter, color)) = look.tag {
            let bar =
                Rect::from_min_size(r.rect.min + vec2(1.0, 5.0), vec2(2.0, size::FIELD - 10.0));
            ui.painter().rect_filled(bar, 1.0, color);
            let at = r.rect.left_center() + vec2(7.0, 0.0);
            ui.painter().text(
                at,
                egui::Align2::LEFT_CENTER,
                letter,
                medium(text::CAPTION),
                color,
            );
        }
        let cancelled = r.id.with("cancelled");
        let reply = if let Some(typed) = typed.get() {
            // The field reads its text when it is left and once more in the frame after.
            let pass = ui.ctx().cumulative_pass_nr();
            let id = r.id.with("committed");
            let before =
                ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or(id, 0_u64), pass));
            if before + 1 == pass {
                Reply::Nothing
            } else {
                Reply::Commit(typed)
            }
        } else if mixed {
            Reply::Nothing
        } else if r.drag_stopped() {
            if ui
                .data_mut(|data| data.remove_temp::<bool>(cancelled))
                .is_some()
            {
                Reply::Nothing
            } else {
                Reply::Commit(Value::Set(now))
            }
        } else if r.dragged() && ui.input(|i| i.key_pressed(Key::Escape)) {
            ui.data_mut(|data| data.insert_temp(cancelled, true));
            Reply::Cancel
        } else if r.dragged()
            && now != old
            && !ui.data(|data| data.get_temp(cancelled).unwrap_or(false))
        {
            Reply::Preview(now)
        } else if now != old {
            // Arrow keys and screen readers.
            Reply::Commit(Value::Set(now))
        } else {
            Reply::Nothing
        };
        r.on_hover_cursor(CursorIcon::ResizeHorizontal);
        reply
    })
    .inner
}

fn edge(ui: &Ui, r: &egui::Response, p: &Palette) {
    let stroke = if r.has_focus() {
        Stroke::new(size::FOCUS, p.focus)
    } else if r.dragged() {
        Stroke::new(1.0, p.accent)
    } else if r.hovered() {
        Stroke::new(1.0, p.line_strong)
    } else {
        Stroke::new(1.0, p.line)
    };
    ui.painter().rect_stroke(
        r.rect,
        CornerRadius::same(size::RADIUS),
        stroke,
        StrokeKind::Inside,
    );
}

/// A text field that hands out its text once: when Enter is pressed or the field is left. `value` `None` = mixed.
pub fn text_value(ui: &mut Ui, value: Option<&str>, name: &str, width: f32) -> Option<String> {
    let id = ui.next_auto_id().with(name);
    let shown = value.unwrap_or_default();
    let kept = ui.data(|data| data.get_temp::<String>(id));
    let mut now = kept.clone().unwrap_or_else(|| shown.to_owned());
    let hint = if value.is_none() { "mixed" } else { "" };
    let r = widgets::text_field(ui, &mut now, name, hint, width);
    if r.has_focus() || r.lost_focus() {
        ui.data_mut(|data| data.insert_temp(id, now.clone()));
    }
    if !r.lost_focus() {
        if !r.has_focus() && kept.is_some() {
            ui.data_mut(|data| data.remove_temp::<String>(id));
        }
        return None;
    }
    ui.data_mut(|data| data.remove_temp::<String>(id));
    let given_up = ui.input(|i| i.key_pressed(Key::Escape));
    (!given_up && now != shown && !(value.is_none() && now.is_empty())).then_some(now)
}
