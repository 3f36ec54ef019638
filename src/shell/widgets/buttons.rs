//! Buttons: with a glyph, of tools, with words, and choices side by side.

use egui::Align;
use egui::Color32;
use egui::CornerRadius;
use egui::Rect;
use egui::Response;
use egui::Role;
use egui::Sense;
use egui::Stroke;
use egui::StrokeKind;
use egui::Ui;
use egui::WidgetInfo;
use egui::pos2;
use egui::vec2;

use crate::shell::icons;
use crate::shell::icons::ToolIcon;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets::down;
use crate::shell::widgets::focus_ring;
use crate::shell::widgets::focused;
use crate::shell::widgets::hovered;
use crate::shell::widgets::line;

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

/// Words that can be on or off, for bars: no box, the ground says it.
pub fn switch(ui: &mut Ui, label: &str, on: bool) -> Response {
    let p = Palette::of(ui.ctx());
    let galley = ui
        .painter()
        .layout_no_wrap(label.to_owned(), medium(text::SMALL), p.text);
    let (rect, r) = ui.allocate_exact_size(
        vec2(galley.size().x.ceil() + 16.0, size::FIELD),
        Sense::click(),
    );
    r.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), on, label));
    let (fill, ink) = control_colors(ui, &p, &r, on);
    let fill = if fill == Color32::TRANSPARENT {
        p.field
    } else {
        fill
    };
    let edge = Stroke::new(1.0, if on { fill } else { p.line });
    ui.painter().rect(
        rect,
        CornerRadius::same(size::RADIUS),
        fill,
        edge,
        StrokeKind::Inside,
    );
    ui.painter().galley_with_override_text_color(
        (rect.center() - galley.size() / 2.0).round(),
        galley,
        ink,
    );
    focus_ring(ui, &r, &p);
    r
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
