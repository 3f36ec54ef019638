//! The small set of widgets every panel is made of. Each one is a function, has an accessible name and takes its
//! colours from the palette. None of them changes its size with its state.

use egui::{
    Align, Align2, Atom, Atoms, Button, Color32, CornerRadius, CursorIcon, DragValue, Frame, Id,
    Layout, Margin, Rect, Response, RichText, Role, Sense, Shape, Stroke, StrokeKind, TextEdit,
    TextureId, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use crate::shell::icons::{self, ToolIcon};
use crate::shell::theme::{Palette, medium, regular, semibold, size, text};

/// For the gallery and its snapshot tests: widgets drawn inside `pretend` look hovered, pressed or focused.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Pretend {
    #[default]
    Nothing,
    Hover,
    Down,
    Focus,
}

pub fn pretend<R>(ui: &mut Ui, state: Pretend, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.data_mut(|d| d.insert_temp(Id::NULL, state));
    let r = add(ui);
    ui.data_mut(|d| d.insert_temp(Id::NULL, Pretend::Nothing));
    r
}
fn pretended(ui: &Ui, state: Pretend) -> bool {
    ui.data(|d| d.get_temp::<Pretend>(Id::NULL)) == Some(state)
}
fn hovered(ui: &Ui, r: &Response) -> bool {
    r.hovered() || pretended(ui, Pretend::Hover)
}
fn down(ui: &Ui, r: &Response) -> bool {
    r.is_pointer_button_down_on() || pretended(ui, Pretend::Down)
}
fn focused(ui: &Ui, r: &Response) -> bool {
    r.has_focus() || pretended(ui, Pretend::Focus)
}

/// Ring around whatever has the keyboard: 2 pt, just inside, so that it is never clipped.
pub fn focus_ring(ui: &Ui, r: &Response, p: &Palette) {
    if focused(ui, r) {
        ui.painter().rect_stroke(
            r.rect,
            CornerRadius::same(size::RADIUS),
            Stroke::new(size::FOCUS, p.focus),
            StrokeKind::Inside,
        );
    }
}

/// Text in one line that ends in an ellipsis when it does not fit. Returns the width used.
pub fn line(
    ui: &Ui,
    at: Rect,
    align: Align,
    what: &str,
    font: egui::FontId,
    color: Color32,
) -> f32 {
    let mut job = egui::text::LayoutJob::simple_singleline(what.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping {
        max_width: at.width().max(0.0),
        max_rows: 1,
        break_anywhere: true,
        ..Default::default()
    };
    let galley = ui.painter().layout_job(job);
    let (w, h) = (galley.size().x, galley.size().y);
    let x = match align {
        Align::Min => at.left(),
        Align::Center => at.center().x - w / 2.0,
        Align::Max => at.right() - w,
    };
    ui.painter().galley(
        pos2(x.round(), (at.center().y - h / 2.0).round()),
        galley,
        color,
    );
    w
}

/// A square button with a glyph. `on` draws it as switched on.
pub fn icon_button(ui: &mut Ui, icon: char, name: &str, on: bool) -> Response {
    icon_button_sized(ui, icon, name, on, size::BUTTON, size::ICON)
}

pub fn icon_button_sized(
    ui: &mut Ui,
    icon: char,
    name: &str,
    on: bool,
    side: f32,
    glyph: f32,
) -> Response {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(side, side), Sense::click());
    r.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), on, name));
    let (fill, ink) = control_colors(ui, &p, &r, on);
    ui.painter()
        .rect_filled(rect, CornerRadius::same(size::RADIUS), fill);
    icons::paint(ui.painter(), rect.center(), icon, glyph, ink);
    focus_ring(ui, &r, &p);
    r.on_hover_text(name)
}

/// Fill and ink of a borderless button: transparent at rest, filled under the pointer, soft accent when on.
fn control_colors(ui: &Ui, p: &Palette, r: &Response, on: bool) -> (Color32, Color32) {
    // a disabled Ui fades all it paints (Visuals::disabled_alpha), so no colours of our own here
    if !ui.is_enabled() {
        return (Color32::TRANSPARENT, p.text_dim);
    }
    match (on, down(ui, r), hovered(ui, r)) {
        (true, ..) => (
            p.accent_soft,
            if p.dark { p.accent_hover } else { p.accent },
        ),
        (_, true, _) => (p.button_down, p.text),
        (_, _, true) => (p.button_hover, p.text),
        _ => (Color32::TRANSPARENT, p.text_dim),
    }
}

/// A tool of the tool bar: 32 x 32, painted icon, the key in the corner of the tooltip only.
pub fn tool_button(ui: &mut Ui, icon: ToolIcon, name: &str, key: &str, active: bool) -> Response {
    let p = Palette::of(ui.ctx());
    let (rect, r) =
        ui.allocate_exact_size(vec2(size::TOOL_BUTTON, size::TOOL_BUTTON), Sense::click());
    r.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), active, name));
    let (fill, ink) = control_colors(ui, &p, &r, active);
    ui.painter()
        .rect_filled(rect.shrink(1.0), CornerRadius::same(size::RADIUS), fill);
    let strong = if active {
        ink
    } else if ui.is_enabled() {
        p.text
    } else {
        ink
    };
    icons::tool(
        ui.painter(),
        Rect::from_center_size(rect.center(), vec2(size::TOOL_ICON, size::TOOL_ICON)),
        icon,
        ink,
        strong,
    );
    focus_ring(ui, &r, &p);
    r.on_hover_ui(|ui| {
        ui.horizontal(|ui| {
            ui.label(name);
            key_caps(ui, key);
        });
    })
}

/// Keys as small caps: `Ctrl+Shift+P` becomes three boxes.
pub fn key_caps(ui: &mut Ui, keys: &str) {
    let p = Palette::of(ui.ctx());
    if keys.is_empty() {
        return;
    }
    for key in keys.split('+') {
        let galley = ui
            .painter()
            .layout_no_wrap(key.to_owned(), medium(text::CAPTION), p.text_dim);
        let (rect, _) = ui.allocate_exact_size(
            vec2((galley.size().x + 8.0).max(18.0), 18.0),
            Sense::hover(),
        );
        ui.painter().rect(
            rect,
            CornerRadius::same(size::RADIUS_SMALL),
            p.section,
            Stroke::new(1.0, p.line_strong),
            StrokeKind::Inside,
        );
        ui.painter().galley(
            (rect.center() - galley.size() / 2.0).round(),
            galley,
            p.text_dim,
        );
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// one per screen at most: the thing most people came for
    Primary,
    Normal,
    /// no fill until hovered
    Quiet,
    /// throws work away
    Danger,
}

pub fn button(ui: &mut Ui, icon: Option<char>, label: &str, weight: Weight) -> Response {
    let p = Palette::of(ui.ctx());
    let ink = match weight {
        Weight::Primary => p.on_accent,
        Weight::Danger => p.error,
        _ => p.text,
    };
    let galley = ui
        .painter()
        .layout_no_wrap(label.to_owned(), medium(text::BODY), ink);
    let icon_w = if icon.is_some() {
        size::ICON + 6.0
    } else {
        0.0
    };
    // 28 where there is room, 24 in the bars of panels
    let height = if ui.layout().is_horizontal() {
        ui.available_height()
            .clamp(size::BUTTON, size::BUTTON + 4.0)
    } else {
        size::BUTTON + 4.0
    };
    let (rect, r) = ui.allocate_exact_size(
        vec2((galley.size().x + icon_w + 24.0).ceil(), height),
        Sense::click(),
    );
    r.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), label));
    let (over, pressed) = (hovered(ui, &r), down(ui, &r));
    let fill = match weight {
        Weight::Primary if pressed => p.accent_down,
        Weight::Primary if over => p.accent_hover,
        Weight::Primary => p.accent,
        Weight::Quiet if !over && !pressed => Color32::TRANSPARENT,
        _ if pressed => p.button_down,
        _ if over => p.button_hover,
        _ => p.button,
    };
    let (fill, ink) = if ui.is_enabled() {
        (fill, ink)
    } else {
        (p.button, p.text)
    };
    ui.painter()
        .rect_filled(rect, CornerRadius::same(size::RADIUS), fill);
    let mut x = rect.left() + 12.0;
    if let Some(icon) = icon {
        icons::paint(
            ui.painter(),
            pos2(x + size::ICON / 2.0, rect.center().y),
            icon,
            size::ICON,
            ink,
        );
        x += icon_w;
    }
    ui.painter().galley_with_override_text_color(
        pos2(x, (rect.center().y - galley.size().y / 2.0).round()),
        galley,
        ink,
    );
    focus_ring(ui, &r, &p);
    if weight == Weight::Primary && focused(ui, &r) {
        ui.painter().rect_stroke(
            rect.shrink(3.0),
            CornerRadius::same(2),
            Stroke::new(1.5, p.on_accent),
            StrokeKind::Inside,
        );
    }
    r
}

/// Choices side by side; the chosen one is raised. A glyph of the icon font in front of a choice stands for it, and the
/// words behind the glyph are its name: `"\u{e464} Tiles"`.
pub fn segmented(ui: &mut Ui, name: &str, choices: &[&str], chosen: &mut usize) -> Response {
    let p = Palette::of(ui.ctx());
    let glyph = |c: &str| {
        c.chars()
            .next()
            .filter(|g| ('\u{e000}'..='\u{f8ff}').contains(g))
    };
    let width = |c: &str| {
        if glyph(c).is_some() {
            28.0
        } else {
            ui.painter()
                .layout_no_wrap(c.to_owned(), regular(text::SMALL), p.text)
                .size()
                .x
                .ceil()
                + 16.0
        }
    };
    let widths: Vec<f32> = choices.iter().map(|c| width(c)).collect();
    let (rect, outer) = ui.allocate_exact_size(
        vec2(widths.iter().sum::<f32>() + 4.0, size::FIELD),
        Sense::hover(),
    );
    ui.painter()
        .rect_filled(rect, CornerRadius::same(size::RADIUS), p.field);
    let mut x = rect.left() + 2.0;
    for (i, choice) in choices.iter().enumerate() {
        let cell = Rect::from_min_size(
            pos2(x, rect.top() + 2.0),
            vec2(widths[i], size::FIELD - 4.0),
        );
        x += widths[i];
        let r = ui.interact(
            cell.expand2(vec2(0.0, 2.0)),
            outer.id.with(i),
            Sense::click(),
        );
        let words = glyph(choice).map_or(*choice, |g| choice.trim_start_matches(g).trim());
        r.widget_info(|| {
            WidgetInfo::selected(
                Role::RadioButton,
                ui.is_enabled(),
                *chosen == i,
                format!("{name}: {words}"),
            )
        });
        if r.clicked() {
            *chosen = i;
        }
        let on = *chosen == i;
        if on || hovered(ui, &r) {
            ui.painter().rect_filled(
                cell,
                CornerRadius::same(size::RADIUS_SMALL),
                if on { p.button_hover } else { p.row_hover },
            );
        }
        let ink = if on { p.text } else { p.text_dim };
        match glyph(choice) {
            Some(g) => icons::paint(ui.painter(), cell.center(), g, size::ICON_SMALL, ink),
            None => {
                line(ui, cell, Align::Center, choice, regular(text::SMALL), ink);
            }
        }
        focus_ring(ui, &r, &p);
        if glyph(choice).is_some() {
            r.on_hover_text(words);
        }
    }
    outer
}

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

/// A number that can be dragged, typed into or stepped with the wheel. `tag` names the axis, `unit` follows the value.
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

/// Three numbers in one row.
pub fn vector(ui: &mut Ui, name: &str, v: &mut [f64; 3], speed: f64) {
    let p = Palette::of(ui.ctx());
    let w = ((ui.available_width() - 2.0 * size::GAP) / 3.0).floor();
    for (i, axis) in ["X", "Y", "Z"].into_iter().enumerate() {
        number(
            ui,
            &mut v[i],
            &format!("{name} {axis}"),
            Some((axis, p.view.axis[i])),
            "",
            speed,
            w,
        );
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

/// A row of a menu: glyph column, words, keys at the right. `refusal` greys it and is shown under the pointer.
pub fn menu_item(
    ui: &mut Ui,
    icon: Option<char>,
    label: &str,
    keys: &str,
    refusal: Option<&str>,
) -> Response {
    let p = Palette::of(ui.ctx());
    let width = ui.available_width().min(ui.spacing().menu_width);
    let (rect, r) = ui.allocate_exact_size(vec2(width, size::ROW), Sense::click());
    r.widget_info(|| WidgetInfo::labeled(Role::MenuItem, refusal.is_none(), label));
    let lit = refusal.is_none() && (hovered(ui, &r) || focused(ui, &r));
    if lit {
        ui.painter()
            .rect_filled(rect, CornerRadius::same(size::RADIUS_SMALL), p.accent_soft);
    }
    let ink = if refusal.is_some() {
        p.text_disabled
    } else if lit {
        p.on_soft
    } else {
        p.text
    };
    let dim = if refusal.is_some() {
        p.text_disabled
    } else if lit {
        p.on_soft
    } else {
        p.text_dim
    };
    if let Some(icon) = icon {
        icons::paint(
            ui.painter(),
            pos2(rect.left() + 14.0, rect.center().y),
            icon,
            size::ICON_SMALL,
            dim,
        );
    }
    line(
        ui,
        Rect::from_min_max(rect.min + vec2(30.0, 0.0), rect.max),
        Align::Min,
        label,
        regular(text::BODY),
        ink,
    );
    line(
        ui,
        Rect::from_min_max(rect.min, rect.max - vec2(10.0, 0.0)),
        Align::Max,
        keys,
        regular(text::CAPTION),
        if lit { p.on_soft } else { p.text_faint },
    );
    match refusal {
        Some(why) => r.on_hover_text(why),
        None => r,
    }
}

/// A number or a word on a coloured ground: counts in tabs, states of files.
pub fn badge(ui: &mut Ui, what: &str, color: Color32) -> Response {
    let p = Palette::of(ui.ctx());
    let galley = ui
        .painter()
        .layout_no_wrap(what.to_owned(), medium(text::CAPTION), color);
    let (rect, r) = ui.allocate_exact_size(
        vec2((galley.size().x + 12.0).max(18.0), 18.0),
        Sense::hover(),
    );
    ui.painter()
        .rect_filled(rect, CornerRadius::same(9), p.tint(color));
    ui.painter()
        .galley((rect.center() - galley.size() / 2.0).round(), galley, color);
    r
}

pub struct TreeRow<'a> {
    pub depth: usize,
    /// `None`: a leaf
    pub open: Option<bool>,
    pub icon: char,
    pub icon_color: Color32,
    pub name: &'a str,
    pub note: &'a str,
    pub selected: bool,
    pub hidden: bool,
    pub locked: bool,
    /// the panel has the keyboard, so the selection is shown in the accent
    pub focused: bool,
    /// eye and lock belong to this row
    pub marks: bool,
}

pub struct TreeReply {
    pub row: Response,
    pub toggled: bool,
    pub eye: bool,
    pub lock: bool,
}

/// 24 pt high; eye and lock appear under the pointer and stay when they say something.
pub fn tree_row(ui: &mut Ui, id: Id, t: &TreeRow<'_>) -> TreeReply {
    let p = Palette::of(ui.ctx());
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::hover());
    let row = ui.interact(rect, id, Sense::click_and_drag());
    row.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, t.selected, t.name));
    let over = hovered(ui, &row) || ui.rect_contains_pointer(rect);
    let fill = match (t.selected, t.focused) {
        (true, true) => p.accent_soft,
        (true, false) => p.soft_idle,
        _ if over => p.row_hover,
        _ => Color32::TRANSPARENT,
    };
    ui.painter().rect_filled(rect, 0.0, fill);
    for d in 0..t.depth {
        let x = rect.left() + size::PANEL_PAD + d as f32 * size::INDENT + 6.5;
        ui.painter()
            .vline(x, rect.y_range(), Stroke::new(1.0, p.line));
    }
    let ink = if t.selected && t.focused {
        p.on_soft
    } else if t.hidden {
        p.text_disabled
    } else {
        p.text
    };
    let x = rect.left() + size::PANEL_PAD + t.depth as f32 * size::INDENT;
    let mut toggled = false;
    if let Some(open) = t.open {
        let hit = Rect::from_center_size(pos2(x + 6.0, rect.center().y), vec2(24.0, size::ROW));
        let r = ui.interact(hit, id.with("open"), Sense::click());
        r.widget_info(|| {
            WidgetInfo::selected(Role::Button, true, open, format!("Open {}", t.name))
        });
        toggled = r.clicked();
        icons::paint(
            ui.painter(),
            hit.center(),
            if open {
                icons::CARET_DOWN
            } else {
                icons::CARET_RIGHT
            },
            12.0,
            if r.hovered() { p.text } else { p.text_faint },
        );
    }
    icons::paint(
        ui.painter(),
        pos2(x + 22.0, rect.center().y),
        t.icon,
        size::ICON_SMALL,
        if t.hidden {
            p.text_disabled
        } else {
            t.icon_color
        },
    );
    let right = rect.right() - 8.0;
    let small = |n: f32, glyph: char, name: String, shown: bool, said: bool| {
        let hit = Rect::from_center_size(
            pos2(right - 8.0 - n * 24.0, rect.center().y),
            vec2(24.0, size::ROW),
        );
        let r = ui.interact(hit, id.with(n as u32), Sense::click());
        r.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        if shown {
            icons::paint(
                ui.painter(),
                hit.center(),
                glyph,
                size::ICON_SMALL,
                if r.hovered() {
                    p.text
                } else if said {
                    p.text_dim
                } else {
                    p.text_faint
                },
            );
        }
        r.clicked()
    };
    // what stands under the two buttons is covered, not moved
    let cover = |from: f32| {
        ui.painter().rect_filled(
            Rect::from_min_max(pos2(from, rect.top()), rect.max),
            0.0,
            if fill == Color32::TRANSPARENT {
                p.panel
            } else {
                fill
            },
        )
    };
    let label = Rect::from_min_max(pos2(x + 34.0, rect.top()), pos2(right, rect.bottom()));
    let w = line(ui, label, Align::Min, t.name, regular(text::BODY), ink);
    if !t.note.is_empty() {
        line(
            ui,
            Rect::from_min_max(pos2(label.left() + w + 8.0, label.top()), label.max),
            Align::Min,
            t.note,
            regular(text::SMALL),
            if t.selected && t.focused {
                p.on_soft.gamma_multiply(0.75)
            } else {
                p.text_faint
            },
        );
    }
    if !t.marks {
        tree_focus(ui, &row, rect, &p);
        return TreeReply {
            row,
            toggled,
            eye: false,
            lock: false,
        };
    }
    if over || t.locked {
        cover(right - 46.0);
    } else if t.hidden {
        cover(right - 22.0);
    }
    let eye = small(
        0.0,
        if t.hidden {
            icons::EYE_SLASH
        } else {
            icons::EYE
        },
        format!("Show or hide {}", t.name),
        over || t.hidden,
        t.hidden,
    );
    let lock = small(
        1.0,
        if t.locked {
            icons::LOCK
        } else {
            icons::LOCK_OPEN
        },
        format!("Lock or unlock {}", t.name),
        over || t.locked,
        t.locked,
    );
    tree_focus(ui, &row, rect, &p);
    TreeReply {
        row,
        toggled,
        eye,
        lock,
    }
}

fn tree_focus(ui: &Ui, row: &Response, rect: Rect, p: &Palette) {
    if focused(ui, row) {
        ui.painter().rect_stroke(
            rect,
            0.0,
            Stroke::new(size::FOCUS, p.focus),
            StrokeKind::Inside,
        );
    }
}

/// A picture with its name under it.
pub fn tile(
    ui: &mut Ui,
    image: TextureId,
    name: &str,
    note: &str,
    selected: bool,
    used: bool,
    side: f32,
) -> Response {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(side, side + 36.0), Sense::click_and_drag());
    r.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, selected, name));
    let picture = Rect::from_min_size(rect.min, vec2(side, side));
    let fill = if selected {
        p.accent_soft
    } else if hovered(ui, &r) {
        p.row_hover
    } else {
        Color32::TRANSPARENT
    };
    ui.painter()
        .rect_filled(rect, CornerRadius::same(size::RADIUS), fill);
    let inner = picture.shrink(4.0);
    egui::Image::new((image, inner.size()))
        .corner_radius(2)
        .paint_at(ui, inner);
    if selected {
        ui.painter().rect_stroke(
            inner.expand(1.0),
            CornerRadius::same(3),
            Stroke::new(2.0, p.accent),
            StrokeKind::Outside,
        );
    }
    if used {
        ui.painter().circle(
            inner.right_top() + vec2(-8.0, 8.0),
            4.0,
            p.accent,
            Stroke::new(1.5, p.panel),
        );
    }
    let words = Rect::from_min_max(
        pos2(rect.left() + 5.0, picture.bottom()),
        pos2(rect.right() - 4.0, picture.bottom() + 16.0),
    );
    line(
        ui,
        words,
        Align::Min,
        name,
        regular(text::SMALL),
        if selected { p.on_soft } else { p.text },
    );
    line(
        ui,
        words.translate(vec2(0.0, 15.0)),
        Align::Min,
        note,
        regular(text::CAPTION),
        if selected {
            p.on_soft.gamma_multiply(0.8)
        } else {
            p.text_faint
        },
    );
    focus_ring(ui, &r, &p);
    r.on_hover_text(format!("{name}\n{note}"))
}

/// One hint of the status bar: a mouse glyph or a key, then what it does now.
pub fn hint(ui: &mut Ui, mouse: Option<char>, keys: &str, what: &str) {
    let p = Palette::of(ui.ctx());
    ui.spacing_mut().item_spacing.x = 4.0;
    if !keys.is_empty() {
        let galley =
            ui.painter()
                .layout_no_wrap(keys.to_owned(), medium(text::CAPTION), p.text_dim);
        let (rect, _) = ui.allocate_exact_size(vec2(galley.size().x + 8.0, 16.0), Sense::hover());
        ui.painter()
            .rect_filled(rect, CornerRadius::same(size::RADIUS_SMALL), p.button);
        ui.painter().galley(
            (rect.center() - galley.size() / 2.0).round(),
            galley,
            p.text_dim,
        );
    }
    if let Some(icon) = mouse {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 16.0), Sense::hover());
        icons::paint(
            ui.painter(),
            rect.center(),
            icon,
            size::ICON_SMALL,
            p.text_dim,
        );
    }
    ui.label(
        RichText::new(what)
            .font(regular(text::SMALL))
            .color(p.text_dim),
    );
    ui.add_space(8.0);
}

/// Nothing to show: say what would be here and how to get it.
pub fn empty_state(ui: &mut Ui, icon: char, title: &str, advice: &str) {
    let p = Palette::of(ui.ctx());
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() / 2.0 - 48.0).max(8.0));
        ui.label(
            RichText::new(icon)
                .font(icons::font(32.0))
                .color(p.text_disabled),
        );
        ui.label(RichText::new(title).font(medium(text::BODY)).color(p.text));
        ui.label(
            RichText::new(advice)
                .font(regular(text::SMALL))
                .color(p.text_dim),
        );
    });
}

/// A message in the lower right corner: coloured bar, sentence, optional action.
pub fn toast(
    ui: &mut Ui,
    icon: char,
    color: Color32,
    title: &str,
    detail: &str,
    action: Option<&str>,
) -> bool {
    let p = Palette::of(ui.ctx());
    let mut acted = false;
    let frame = Frame::new()
        .fill(p.popup)
        .stroke(Stroke::new(1.0, p.line_strong))
        .corner_radius(6)
        .shadow(ui.visuals().popup_shadow)
        .inner_margin(Margin {
            left: 16,
            right: 12,
            top: 10,
            bottom: 10,
        });
    let r = frame.show(ui, |ui| {
        ui.set_width(300.0);
        ui.horizontal_top(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(18.0, 18.0), Sense::hover());
            icons::paint(ui.painter(), rect.center(), icon, size::ICON, color);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.label(RichText::new(title).font(medium(text::BODY)).color(p.text));
                ui.label(
                    RichText::new(detail)
                        .font(regular(text::SMALL))
                        .color(p.text_dim),
                );
                if let Some(action) = action {
                    acted = ui
                        .add(
                            Button::new(
                                RichText::new(action)
                                    .font(medium(text::SMALL))
                                    .color(p.accent),
                            )
                            .frame(false),
                        )
                        .clicked();
                }
            });
        });
    });
    let bar = Rect::from_min_size(
        r.response.rect.min + vec2(6.0, 8.0),
        vec2(3.0, r.response.rect.height() - 16.0),
    );
    ui.painter().rect_filled(bar, 1.5, color);
    acted
}

/// Thin bar of progress; `None` moves to and fro.
pub fn progress(ui: &mut Ui, share: Option<f32>, width: f32) {
    let p = Palette::of(ui.ctx());
    let (rect, r) = ui.allocate_exact_size(vec2(width, 16.0), Sense::hover());
    r.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, "Build progress"));
    let rail = Rect::from_center_size(rect.center(), vec2(width, 4.0));
    ui.painter().rect_filled(rail, 2.0, p.button);
    let part = match share {
        Some(s) => Rect::from_min_size(rail.min, vec2(width * s.clamp(0.0, 1.0), 4.0)),
        None => {
            ui.ctx().request_repaint();
            let t = (ui.input(|i| i.time) % 1.6 / 1.6) as f32;
            Rect::from_min_size(
                pos2(rail.left() + (width * 1.3) * t - width * 0.3, rail.top()),
                vec2(width * 0.3, 4.0),
            )
            .intersect(rail)
        }
    };
    ui.painter().rect_filled(part, 2.0, p.accent);
}

/// A tab of a dock: text, optional count, a line above the active one: accent where the keyboard is, grey elsewhere.
pub fn tab_look(
    ui: &Ui,
    rect: Rect,
    name: &str,
    count: Option<(usize, Color32)>,
    active: bool,
    hovered: bool,
    focused: bool,
) {
    let p = Palette::of(ui.ctx());
    if active {
        ui.painter().rect_filled(rect, 0.0, p.panel);
    }
    let ink = if active || hovered {
        p.text
    } else {
        p.text_dim
    };
    let w = line(
        ui,
        Rect::from_min_max(rect.min + vec2(12.0, 0.0), rect.max),
        Align::Min,
        name,
        medium(text::SMALL),
        ink,
    );
    if let Some((n, color)) = count {
        let at = pos2(rect.left() + 12.0 + w + 6.0, rect.center().y);
        let g = ui
            .painter()
            .layout_no_wrap(n.to_string(), medium(text::CAPTION), color);
        let pill = Rect::from_min_size(
            pos2(at.x, at.y - 8.0),
            vec2((g.size().x + 10.0).max(16.0), 16.0),
        );
        ui.painter()
            .rect_filled(pill, CornerRadius::same(8), p.tint(color));
        ui.painter()
            .galley((pill.center() - g.size() / 2.0).round(), g, color);
    }
    if active {
        ui.painter().add(Shape::hline(
            rect.x_range(),
            rect.top() + 1.0,
            Stroke::new(2.0, if focused { p.accent } else { p.line_strong }),
        ));
    }
}

pub fn tab_width(ui: &Ui, name: &str, count: Option<usize>) -> f32 {
    let w = ui
        .painter()
        .layout_no_wrap(name.to_owned(), medium(text::SMALL), Color32::WHITE)
        .size()
        .x;
    let c = count.map_or(0.0, |n| {
        (ui.painter()
            .layout_no_wrap(n.to_string(), medium(text::CAPTION), Color32::WHITE)
            .size()
            .x
            + 10.0)
            .max(16.0)
            + 6.0
    });
    (w + c + 24.0).ceil()
}
