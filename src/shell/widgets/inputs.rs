//! Sections, property rows, and what is typed or chosen in them.

use egui::Align;
use egui::Align2;
use egui::Atom;
use egui::Atoms;
use egui::Color32;
use egui::CornerRadius;
use egui::CursorIcon;
use egui::DragValue;
use egui::Frame;
use egui::Layout;
use egui::Margin;
use egui::Rect;
use egui::Response;
use egui::RichText;
use egui::Role;
use egui::Sense;
use egui::Stroke;
use egui::StrokeKind;
use egui::TextEdit;
use egui::Ui;
use egui::UiBuilder;
use egui::WidgetInfo;
use egui::pos2;
use egui::vec2;

use crate::shell::icons;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::semibold;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets::Pretend;
use crate::shell::widgets::focus_ring;
use crate::shell::widgets::focused;
use crate::shell::widgets::hovered;
use crate::shell::widgets::line;
use crate::shell::widgets::pretended;

/// A header that opens and closes what follows. Actions go to its right end.
pub fn section<R>(
    ui: &mut Ui,
    name: &str,
    note: &str,
    open_at_start: bool,
    actions: impl FnOnce(&mut Ui),
    body: impl FnOnce(&mut Ui) -> R,
) -> Option<R> {
    let p = Palette::of(ui.ctx());
    let id = ui.make_persistent_id(("section", name));
    let mut open = ui.data_mut(|d| *d.get_persisted_mut_or(id, open_at_start));
    let (rect, r) =
        ui.allocate_exact_size(vec2(ui.available_width(), size::SECTION), Sense::click());
    r.widget_info(|| WidgetInfo::selected(Role::Button, true, open, name));
    if r.clicked() {
        open = !open;
        ui.data_mut(|d| d.insert_persisted(id, open));
    }
    if r.hovered() {
        ui.painter().rect_filled(rect, 0.0, p.section);
    }
    ui.painter()
        .hline(rect.x_range(), rect.top() + 0.5, Stroke::new(1.0, p.line));
    let x = rect.left() + size::PANEL_PAD;
    icons::paint(
        ui.painter(),
        pos2(x + 6.0, rect.center().y),
        if open {
            icons::CARET_DOWN
        } else {
            icons::CARET_RIGHT
        },
        12.0,
        p.text_faint,
    );
    let title = Rect::from_min_max(
        pos2(x + 18.0, rect.top()),
        rect.right_bottom() - vec2(8.0, 0.0),
    );
    let w = line(ui, title, Align::Min, name, semibold(text::SMALL), p.text);
    if !note.is_empty() {
        line(
            ui,
            Rect::from_min_max(pos2(title.left() + w + 8.0, title.top()), title.max),
            Align::Min,
            note,
            regular(text::SMALL),
            p.text_faint,
        );
    }
    let mut tools = ui.new_child(
        UiBuilder::new()
            .max_rect(rect.shrink2(vec2(4.0, 2.0)))
            .layout(Layout::right_to_left(Align::Center)),
    );
    tools.spacing_mut().item_spacing.x = 0.0;
    actions(&mut tools);
    focus_ring(ui, &r, &p);
    open.then(|| {
        Frame::new()
            .inner_margin(Margin {
                left: 8,
                right: 8,
                top: 0,
                bottom: 8,
            })
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing = vec2(size::GAP, size::GAP);
                body(ui)
            })
            .inner
    })
}

/// Label column on the left, editor on the right; all rows of a panel line up.
pub fn property<R>(ui: &mut Ui, label: &str, changed: bool, add: impl FnOnce(&mut Ui) -> R) -> R {
    let p = Palette::of(ui.ctx());
    let full = ui.available_width();
    let label_w = (full * size::LABEL_SHARE).round();
    let (rect, _) = ui.allocate_exact_size(vec2(full, size::FIELD), Sense::hover());
    let at = Rect::from_min_size(rect.min, vec2(label_w - 8.0, rect.height()));
    line(
        ui,
        at,
        Align::Min,
        label,
        regular(text::BODY),
        if changed { p.text } else { p.text_dim },
    );
    let mut field = ui.new_child(
        UiBuilder::new()
            .max_rect(Rect::from_min_max(
                pos2(rect.left() + label_w, rect.top()),
                rect.max,
            ))
            .layout(Layout::left_to_right(Align::Center))
            .id_salt(label),
    );
    field.spacing_mut().item_spacing.x = size::GAP;
    add(&mut field)
}

/// A number that can be dragged or typed into. `tag` names the axis, `unit` follows the value.
pub fn number(
    ui: &mut Ui,
    value: &mut f64,
    name: &str,
    tag: Option<(&str, Color32)>,
    unit: &str,
    speed: f64,
    width: f32,
) -> Response {
    let p = Palette::of(ui.ctx());
    ui.scope(|ui| {
        let w = &mut ui.visuals_mut().widgets;
        for state in [&mut w.inactive, &mut w.hovered, &mut w.active] {
            state.weak_bg_fill = p.field;
            state.bg_fill = p.field;
            state.bg_stroke = Stroke::NONE; // painted below, so that its width does not move the text
        }
        w.hovered.weak_bg_fill = p.field_hover;
        ui.spacing_mut().interact_size = vec2(width, size::FIELD);
        ui.spacing_mut().button_padding = vec2(7.0, 3.0);
        // Ctrl a tenth, Shift ten times; egui itself divides by ten while Shift is held
        let pace = ui.input(|i| {
            if i.modifiers.command {
                0.1
            } else if i.modifiers.shift_only() {
                100.0
            } else {
                1.0
            }
        });
        // value at the right behind an axis letter, at the left otherwise; the unit always at the right end
        let mut before = Atoms::default();
        let mut after = Atoms::default();
        if tag.is_some() {
            before.push_right(Atom::grow());
        } else {
            after.push_right(Atom::grow());
        }
        if !unit.is_empty() {
            after.push_right(
                RichText::new(unit)
                    .font(regular(text::SMALL))
                    .color(p.text_faint),
            );
        }
        // the alignment of the layout is also that of the text while it is typed
        let align = if tag.is_some() {
            Align::Max
        } else {
            Align::Min
        };
        let layout = Layout::top_down(align);
        let r = ui
            .allocate_ui_with_layout(vec2(width, size::FIELD), layout, |ui| {
                ui.add(
                    DragValue::new(value)
                        .speed(speed * pace)
                        .custom_formatter(|n, _| shortest(n))
                        .prefix(before)
                        .suffix(after),
                )
            })
            .inner;
        r.widget_info(|| {
            let mut info = WidgetInfo::drag_value(ui.is_enabled(), *value);
            info.label = Some(name.to_owned());
            info
        });
        let edge = if focused(ui, &r) {
            Stroke::new(size::FOCUS, p.focus)
        } else if r.dragged() || pretended(ui, Pretend::Down) {
            Stroke::new(1.0, p.accent)
        } else {
            Stroke::new(
                1.0,
                if hovered(ui, &r) {
                    p.line_strong
                } else {
                    p.line
                },
            )
        };
        ui.painter().rect_stroke(
            r.rect,
            CornerRadius::same(size::RADIUS),
            edge,
            StrokeKind::Inside,
        );
        if let Some((letter, color)) = tag {
            // a thin bar in the axis colour and the letter: readable without colour
            ui.painter().rect_filled(
                Rect::from_min_size(r.rect.min + vec2(1.0, 5.0), vec2(2.0, size::FIELD - 10.0)),
                1.0,
                color,
            );
            ui.painter().text(
                r.rect.left_center() + vec2(7.0, 0.0),
                Align2::LEFT_CENTER,
                letter,
                medium(text::CAPTION),
                color,
            );
        }
        r.on_hover_cursor(CursorIcon::ResizeHorizontal) // no tooltip: it would cover the next rows; the status bar explains
    })
    .inner
}

/// A value on a rail, for what is judged by looking.
pub fn slider(
    ui: &mut Ui,
    value: &mut f32,
    range: std::ops::RangeInclusive<f32>,
    name: &str,
    width: f32,
) -> Response {
    let p = Palette::of(ui.ctx());
    let (rect, mut r) = ui.allocate_exact_size(vec2(width, size::FIELD), Sense::click_and_drag());
    let (least, most) = (*range.start(), *range.end());
    let rail = rect.shrink2(vec2(7.0, 0.0));
    if let Some(at) = r.interact_pointer_pos()
        && (r.dragged() || r.clicked())
    {
        let share = ((at.x - rail.left()) / rail.width()).clamp(0.0, 1.0);
        *value = least + share * (most - least);
        r.mark_changed();
    }
    r.widget_info(|| WidgetInfo::slider(ui.is_enabled(), f64::from(*value), name));
    let share = ((*value - least) / (most - least)).clamp(0.0, 1.0);
    let y = rect.center().y;
    let knob = pos2(rail.left() + share * rail.width(), y);
    let bar = |from: f32, to: f32| Rect::from_min_max(pos2(from, y - 2.0), pos2(to, y + 2.0));
    let (left, right) = (bar(rail.left(), knob.x), bar(knob.x, rail.right()));
    ui.painter().rect_filled(right, 2.0, p.button);
    ui.painter().rect_filled(left, 2.0, p.text_faint);
    let ink = if hovered(ui, &r) || r.dragged() {
        p.text
    } else {
        p.text_dim
    };
    ui.painter()
        .circle(knob, 5.0, ink, Stroke::new(1.5, p.panel));
    focus_ring(ui, &r, &p);
    r.on_hover_text(name)
}

/// At most three decimals and none that say nothing: 64, 0.5, -12.375.
pub fn shortest(n: f64) -> String {
    let s = format!("{n:.3}");
    let s = s.trim_end_matches('0').trim_end_matches('.');
    if s == "-0" {
        "0".to_owned()
    } else {
        s.to_owned()
    }
}

pub fn text_field(ui: &mut Ui, value: &mut String, name: &str, hint: &str, width: f32) -> Response {
    let p = Palette::of(ui.ctx());
    let r = ui.add_sized(
        vec2(width, size::FIELD),
        TextEdit::singleline(value)
            .hint_text(RichText::new(hint).color(p.text_faint))
            .margin(Margin::symmetric(7, 3))
            .align(Align2::LEFT_CENTER)
            .font(regular(text::BODY)),
    );
    let edge = if focused(ui, &r) {
        Stroke::new(size::FOCUS, p.focus)
    } else {
        Stroke::new(
            1.0,
            if hovered(ui, &r) {
                p.line_strong
            } else {
                p.line
            },
        )
    };
    ui.painter().rect_stroke(
        r.rect,
        CornerRadius::same(size::RADIUS),
        edge,
        StrokeKind::Inside,
    );
    r.widget_info(|| WidgetInfo::labeled(Role::TextInput, ui.is_enabled(), name));
    r
}

/// Text field with a glass in front and a cross behind as soon as there is text.
pub fn search_field(ui: &mut Ui, value: &mut String, hint: &str, width: f32) -> Response {
    let p = Palette::of(ui.ctx());
    let r = ui.add_sized(
        vec2(width, size::FIELD),
        TextEdit::singleline(value)
            .hint_text(RichText::new(hint).color(p.text_faint))
            .margin(Margin {
                left: 26,
                right: 22,
                top: 3,
                bottom: 3,
            })
            .align(Align2::LEFT_CENTER),
    );
    let edge = if focused(ui, &r) {
        Stroke::new(size::FOCUS, p.focus)
    } else {
        Stroke::new(
            1.0,
            if hovered(ui, &r) {
                p.line_strong
            } else {
                p.line
            },
        )
    };
    ui.painter().rect_stroke(
        r.rect,
        CornerRadius::same(size::RADIUS),
        edge,
        StrokeKind::Inside,
    );
    r.widget_info(|| WidgetInfo::labeled(Role::SearchInput, ui.is_enabled(), hint));
    icons::paint(
        ui.painter(),
        r.rect.left_center() + vec2(14.0, 0.0),
        icons::SEARCH,
        size::ICON_SMALL,
        p.text_faint,
    );
    if !value.is_empty() {
        let cross =
            Rect::from_center_size(r.rect.right_center() - vec2(12.0, 0.0), vec2(24.0, 24.0));
        let c = ui.interact(cross, r.id.with("clear"), Sense::click());
        c.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Clear search"));
        icons::paint(
            ui.painter(),
            cross.center(),
            icons::CLOSE,
            12.0,
            if c.hovered() { p.text } else { p.text_faint },
        );
        if c.clicked() {
            value.clear();
        }
    }
    r
}

/// Opens a list: looks like a field with a small pair of arrows.
pub fn choice(
    ui: &mut Ui,
    name: &str,
    value: &str,
    width: f32,
    menu: impl FnOnce(&mut Ui),
) -> Response {
    let ink = Palette::of(ui.ctx()).text;
    choice_in(ui, name, value, width, ink, menu)
}

/// As [`choice`], with the value in another colour.
pub fn choice_in(
    ui: &mut Ui,
    name: &str,
    value: &str,
    width: f32,
    ink: Color32,
    menu: impl FnOnce(&mut Ui),
) -> Response {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(width, size::FIELD), Sense::click());
    r.widget_info(|| {
        WidgetInfo::labeled(Role::ComboBox, ui.is_enabled(), format!("{name}: {value}"))
    });
    ui.painter().rect(
        rect,
        CornerRadius::same(size::RADIUS),
        if hovered(ui, &r) {
            p.field_hover
        } else {
            p.field
        },
        Stroke::new(
            1.0,
            if hovered(ui, &r) {
                p.line_strong
            } else {
                p.line
            },
        ),
        StrokeKind::Inside,
    );
    line(
        ui,
        Rect::from_min_max(rect.min + vec2(7.0, 0.0), rect.max - vec2(22.0, 0.0)),
        Align::Min,
        value,
        regular(text::BODY),
        ink,
    );
    icons::paint(
        ui.painter(),
        rect.right_center() - vec2(12.0, 0.0),
        icons::CARET_UP_DOWN,
        12.0,
        p.text_faint,
    );
    focus_ring(ui, &r, &p);
    egui::Popup::menu(&r).width(width.max(112.0)).show(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        menu(ui);
    });
    r
}

pub fn checkbox(ui: &mut Ui, on: &mut bool, label: &str) -> Response {
    let p = Palette::of(ui.ctx());
    let galley = ui
        .painter()
        .layout_no_wrap(label.to_owned(), regular(text::BODY), p.text);
    let (rect, mut r) =
        ui.allocate_exact_size(vec2(galley.size().x + 24.0, size::ROW), Sense::click());
    if r.clicked() {
        *on = !*on;
        r.mark_changed();
    }
    r.widget_info(|| WidgetInfo::selected(Role::CheckBox, ui.is_enabled(), *on, label));
    let square = Rect::from_center_size(pos2(rect.left() + 8.0, rect.center().y), vec2(16.0, 16.0));
    let (fill, edge) = if *on {
        (p.accent, p.accent)
    } else {
        (
            p.field,
            if hovered(ui, &r) {
                p.text_faint
            } else {
                p.line_strong
            },
        )
    };
    ui.painter().rect(
        square,
        CornerRadius::same(size::RADIUS_SMALL),
        fill,
        Stroke::new(1.0, edge),
        StrokeKind::Inside,
    );
    if *on {
        icons::paint(
            ui.painter(),
            square.center(),
            icons::CHECK,
            12.0,
            p.on_accent,
        );
    }
    ui.painter().galley(
        pos2(
            rect.left() + 24.0,
            (rect.center().y - galley.size().y / 2.0).round(),
        ),
        galley,
        p.text,
    );
    if focused(ui, &r) {
        ui.painter().rect_stroke(
            square.expand(3.0),
            CornerRadius::same(5),
            Stroke::new(size::FOCUS, p.focus),
            StrokeKind::Inside,
        );
    }
    r
}
