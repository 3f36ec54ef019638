//! What only tells: hints, empty places, toasts, progress, tabs.

use egui::Align;
use egui::Button;
use egui::Color32;
use egui::CornerRadius;
use egui::Frame;
use egui::Margin;
use egui::Rect;
use egui::RichText;
use egui::Role;
use egui::Sense;
use egui::Shape;
use egui::Stroke;
use egui::Ui;
use egui::WidgetInfo;
use egui::pos2;
use egui::vec2;

use crate::shell::icons;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets::line;

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
