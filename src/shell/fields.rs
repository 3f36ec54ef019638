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
use egui::FontId;
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
    Preview(Value),
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

/// Room at both ends of a field with an axis letter.
const TAGGED_SIDE: f32 = 5.0;

/// What belongs to the axis letter: no digit comes nearer.
const LETTER: f32 = 19.0;

/// The wheel steps a field only after the pointer has rested on it for this long without scrolling (TEX-9).
const REST_S: f64 = 0.3;

/// Turns of the wheel closer than this are one step of the history.
const WHEEL_S: f64 = 0.4;

/// Points that a touch pad moves for one step.
const PAD_STEP: f32 = 24.0;

/// A field over `value`; `None` = the objects differ.
pub fn number(ui: &mut Ui, value: Option<f64>, look: Look<'_>) -> Reply {
    field(ui, value, look, false)
}

/// As [`number`], for what takes values relative to each object's own: the wheel steps different values too.
pub fn number_of_each(ui: &mut Ui, value: Option<f64>, look: Look<'_>) -> Reply {
    field(ui, value, look, true)
}

fn field(ui: &mut Ui, value: Option<f64>, look: Look<'_>, of_each: bool) -> Reply {
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
        let side = if look.tag.is_some() { TAGGED_SIDE } else { 7.0 };
        ui.spacing_mut().button_padding = vec2(side, 3.0);
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
        let room = look.width - side - if look.tag.is_some() { LETTER } else { side };
        let full = value.map_or_else(|| "mixed".to_owned(), widgets::shortest);
        let (shown, font) = fitting(
            ui,
            value,
            full,
            if look.unit.is_empty() { room } else { f32::MAX },
        );
        ui.style_mut().override_font_id = Some(font);
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
                            if n == old {
                                shown.clone()
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
            let at = r.rect.left_center() + vec2(6.0, 0.0);
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
            Reply::Preview(Value::Set(now))
        } else if now != old {
            // Arrow keys and screen readers.
            Reply::Commit(Value::Set(now))
        } else {
            Reply::Nothing
        };
        let reply = match reply {
            Reply::Nothing if (!mixed || of_each) && !r.has_focus() => {
                wheel(ui, &r, value, look.speed)
            }
            other => other,
        };
        r.on_hover_cursor(CursorIcon::ResizeHorizontal);
        reply
    })
    .inner
}

/// The value in words that fit into `room` points, and in which size: smaller first, then with fewer decimals.
fn fitting(ui: &Ui, value: Option<f64>, full: String, room: f32) -> (String, FontId) {
    let fits = |words: &str, font: &FontId| {
        let galley = ui
            .painter()
            .layout_no_wrap(words.to_owned(), font.clone(), Color32::WHITE);
        galley.size().x <= room
    };
    let sizes = [text::BODY, text::SMALL, text::CAPTION].map(regular);
    for font in sizes {
        if fits(&full, &font) {
            return (full, font);
        }
    }
    let font = regular(text::CAPTION);
    let shorter = value.and_then(|value| {
        [2, 1, 0]
            .into_iter()
            .map(|decimals| format!("{value:.decimals$}"))
            .find(|words| fits(words, &font))
    });
    (shorter.unwrap_or(full), font)
}

/// What the wheel has done to the field under the pointer.
#[derive(Clone, Copy, Default)]
struct Wheel {
    /// Since when the pointer rests on it.
    since_s: f64,
    /// It has rested for long enough; the wheel belongs to the field until the pointer leaves.
    is_armed: bool,
    /// Previewed and not committed yet, and when the wheel turned last. The value, or what is added where values differ.
    pending: Option<(f64, f64)>,
    /// Of a touch pad: points that are no whole step yet.
    rest: f32,
}

/// TEX-9: the wheel over a field; where values differ each is stepped from its own.
fn wheel(ui: &Ui, r: &egui::Response, old: Option<f64>, step: f64) -> Reply {
    let stepped = |value: f64| {
        if old.is_some() {
            Value::Set(value)
        } else {
            Value::Add(value)
        }
    };
    let id = r.id.with("wheel");
    let known = ui.data(|data| data.get_temp::<Wheel>(id));
    let now_s = ui.input(|i| i.time);
    let over = r.hovered() && !r.dragged();
    if !over {
        if let Some(Wheel { pending, .. }) = known {
            ui.data_mut(|data| data.remove_temp::<Wheel>(id));
            return pending.map_or(Reply::Nothing, |(value, _)| Reply::Commit(stepped(value)));
        }
        return Reply::Nothing;
    }
    let mut state = known.unwrap_or(Wheel {
        since_s: now_s,
        is_armed: false,
        pending: None,
        rest: 0.0,
    });
    // A frame that is drawn again for its layout has the same events, which count once.
    let (lines, points) = if ui.ctx().current_pass_index() == 0 {
        turned(ui)
    } else {
        (0.0, 0.0)
    };
    let moving = ui.input(|i| i.smooth_scroll_delta.y != 0.0);
    let mut reply = Reply::Nothing;
    // An idle window draws no frames in between: the turn itself may be the first to come after the rest.
    state.is_armed |= now_s - state.since_s >= REST_S;
    if !state.is_armed {
        if lines != 0.0 || points != 0.0 || moving {
            state.since_s = now_s;
        }
    } else {
        state.rest += points;
        let whole = (state.rest / PAD_STEP).trunc();
        state.rest -= whole * PAD_STEP;
        let steps = f64::from(lines + whole);
        if steps != 0.0 {
            let value = state.pending.map_or(old.unwrap_or(0.0), |(value, _)| value) + steps * step;
            // A thousandth is the last digit that is shown: no tail of binary fractions.
            let value = (value * 1e6).round() / 1e6;
            state.pending = Some((value, now_s));
            reply = Reply::Preview(stepped(value));
        } else if let Some((value, at_s)) = state.pending
            && now_s - at_s >= WHEEL_S
        {
            state.pending = None;
            reply = Reply::Commit(stepped(value));
        }
        // The panel does not scroll with it.
        ui.input_mut(|i| i.smooth_scroll_delta.y = 0.0);
        if state.pending.is_some() {
            ui.ctx().request_repaint_after_secs(WHEEL_S as f32);
        }
    }
    ui.data_mut(|data| data.insert_temp(id, state));
    reply
}

/// How far the wheel was turned in this frame: notches, and points of a touch pad; up is positive.
fn turned(ui: &Ui) -> (f32, f32) {
    ui.input(|i| {
        let (mut lines, mut points) = (0.0, 0.0);
        for event in &i.events {
            if let egui::Event::MouseWheel { unit, delta, .. } = event {
                match unit {
                    egui::MouseWheelUnit::Point => points += delta.y,
                    _ if delta.y != 0.0 => {
                        lines += delta.y.signum() * delta.y.abs().max(1.0).round();
                    }
                    _ => {}
                }
            }
        }
        (lines, points)
    })
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
