//! Rows and tiles of lists, trees and menus.

use egui::Align;
use egui::Color32;
use egui::CornerRadius;
use egui::Id;
use egui::Rect;
use egui::Response;
use egui::Role;
use egui::Sense;
use egui::Stroke;
use egui::StrokeKind;
use egui::TextureId;
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
use crate::shell::widgets::focus_ring;
use crate::shell::widgets::focused;
use crate::shell::widgets::hovered;
use crate::shell::widgets::line;

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
        let r = ui.interact(hit, id.with(n as u32), Sense::click_and_drag());
        r.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let over = ui.rect_contains_pointer(hit) || passed(ui, hit);
        let turned = painted(ui, &r, (n as u32, !said), over);
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
        turned
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

/// A press on an eye or lock turns it, and every other of the column that the pointer passes before it is let go gets the same
/// (SEL-11). `turned`: the column, and what this one would become. True when it is to be turned now.
fn painted(ui: &Ui, r: &Response, turned: (u32, bool), over: bool) -> bool {
    let key = Id::unique("column of a tree that is painted");
    let (pressed, down, released) = ui.input(|i| {
        let pointer = &i.pointer;
        (
            pointer.primary_pressed(),
            pointer.primary_down(),
            pointer.primary_released(),
        )
    });
    if pressed && r.is_pointer_button_down_on() {
        ui.data_mut(|data| data.insert_temp(key, turned));
        return true;
    }
    let painting = ui.data(|data| data.get_temp::<(u32, bool)>(key));
    match painting {
        // By the keyboard or a screen reader.
        None => r.clicked(),
        Some(wanted) if down && !pressed => over && wanted == turned,
        Some(_) => {
            if !down && !released {
                ui.data_mut(|data| data.remove_temp::<(u32, bool)>(key));
            }
            false
        }
    }
}

/// True when the pointer went over it since the last frame: a quick one leaves rows out.
fn passed(ui: &Ui, hit: Rect) -> bool {
    ui.input(|i| {
        i.pointer.latest_pos().is_some_and(|to| {
            let from = to - i.pointer.delta();
            Rect::from_two_pos(from, to).intersects(hit.intersect(ui.clip_rect()))
        })
    })
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
