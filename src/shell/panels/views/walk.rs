//! What walking shows over its view: how to leave it, where one is, what one looks at.

use egui::Align2;
use egui::Color32;
use egui::Painter;
use egui::Pos2;
use egui::Rect;
use egui::Stroke;
use egui::Ui;
use egui::pos2;
use egui::vec2;
use glam::DVec3;

use crate::editor::Editor;
use crate::shell::icons;
use crate::shell::overlay as paint;
use crate::shell::panels::views::NO_LIGHTS;
use crate::shell::theme::Palette;
use crate::shell::theme::ViewPalette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
use crate::shell::widgets;

/// What walking says over its view: how to leave it, where one is, what one looks at.
pub(super) fn walk_bars(ui: &mut Ui, editor: &Editor, pane: usize, rect: Rect) {
    let p = Palette::of(ui.ctx());
    let v = &p.scene;
    let painter = ui.painter_at(rect);
    let words = [
        ("Esc", "Return"),
        ("Enter", "Stay here"),
        ("F", "Fly"),
        ("F1", "Keys"),
    ];
    let measure = |font: egui::FontId, what: &str| {
        painter
            .layout_no_wrap(what.to_owned(), font, v.chip_text)
            .size()
            .x
    };
    let mut width = 44.0 + measure(medium(text::BODY), "Walking") + 8.0;
    for (key, what) in words {
        width += measure(medium(text::CAPTION), key)
            + 8.0
            + 6.0
            + measure(regular(text::SMALL), what)
            + 12.0;
    }
    let bar = Rect::from_center_size(
        pos2(rect.center().x, rect.top() + 28.0),
        vec2(width.min(rect.width() - 16.0), 32.0),
    );
    painter.rect_filled(bar, 6.0, v.chip);
    let y = bar.center().y;
    icons::paint(
        &painter,
        pos2(bar.left() + 18.0, y),
        icons::WALK,
        size::ICON,
        p.accent,
    );
    let mut x = bar.left() + 32.0;
    let put = |x: &mut f32, what: &str, font: egui::FontId, ink: Color32, after: f32| {
        let galley = painter.layout_no_wrap(what.to_owned(), font, ink);
        let w = galley.size().x;
        painter.galley(
            pos2(x.round(), (y - galley.size().y / 2.0).round()),
            galley,
            ink,
        );
        *x += w + after;
    };
    put(&mut x, "Walking", medium(text::BODY), v.chip_text, 14.0);
    for (key, what) in words {
        let w = measure(medium(text::CAPTION), key);
        painter.rect_filled(
            Rect::from_min_size(pos2(x - 4.0, y - 8.0), vec2(w + 8.0, 16.0)),
            3.0,
            Color32::from_white_alpha(28),
        );
        put(&mut x, key, medium(text::CAPTION), v.chip_text, 10.0);
        put(&mut x, what, regular(text::SMALL), v.chip_text, 14.0);
    }
    crosshair(&painter, rect.center());
    if let Some(hit) = editor.pick(pane, editor.views[pane].size * 0.5) {
        let at = rect.center() + vec2(0.0, 40.0);
        paint::chip(
            &painter,
            v,
            at,
            Align2::CENTER_CENTER,
            &editor.object_name(hit.object),
            v.chip_text,
        );
    }
    if let Some(walker) = editor.walker() {
        let body = walker.body();
        let feet = DVec3::new(body.center().x, body.min.y, body.center().z);
        let place = feet
            .to_array()
            .map(|value| widgets::shortest(value.round()))
            .join(", ");
        let state = match (
            walker.is_noclip(),
            walker.is_on_ground(),
            walker.is_crouched(),
        ) {
            (true, ..) => "Flying",
            (_, true, true) => "Crouched",
            (_, true, false) => "On the ground",
            _ => "In the air",
        };
        let turn = format!(
            "{}\u{b0}, {}\u{b0}",
            walker.pitch_deg().round(),
            walker.yaw_deg().rem_euclid(360.0).round()
        );
        facts(
            &painter,
            v,
            rect,
            &[
                ("Position", place),
                ("Looking", turn),
                ("State", state.to_owned()),
            ],
        );
    }
    let light = match &editor.compiled {
        _ if editor.shows_original_light() => Some("Original light of the map"),
        Some(_) if !editor.has_baked_light() => Some(NO_LIGHTS),
        Some(_) if editor.is_build_stale() => Some("Light from the last build"),
        Some(_) => None,
        None => Some("Not built yet"),
    };
    if let Some(words) = light {
        paint::chip(
            &painter,
            v,
            rect.right_bottom() - vec2(12.0, 12.0),
            Align2::RIGHT_BOTTOM,
            words,
            v.chip_text,
        );
    }
}

/// A small table in the lower left corner.
fn facts(painter: &Painter, v: &ViewPalette, rect: Rect, rows: &[(&str, String)]) {
    let height = rows.len() as f32 * 18.0 + 14.0;
    let ground = Rect::from_min_size(
        rect.left_bottom() + vec2(12.0, -12.0 - height),
        vec2(196.0, height),
    );
    painter.rect_filled(ground, 6.0, v.chip);
    for (index, (name, value)) in rows.iter().enumerate() {
        let y = ground.top() + 16.0 + index as f32 * 18.0;
        let faint = v.chip_text.gamma_multiply(0.8);
        painter.text(
            pos2(ground.left() + 12.0, y),
            Align2::LEFT_CENTER,
            *name,
            regular(text::SMALL),
            faint,
        );
        painter.text(
            pos2(ground.left() + 92.0, y),
            Align2::LEFT_CENTER,
            value,
            regular(text::SMALL),
            v.chip_text,
        );
    }
}

/// 12 pt white on a dark halo.
fn crosshair(painter: &Painter, at: Pos2) {
    let at = at.round();
    for (width, ink) in [(3.0, Color32::from_black_alpha(150)), (1.0, Color32::WHITE)] {
        for d in [
            vec2(1.0, 0.0),
            vec2(-1.0, 0.0),
            vec2(0.0, 1.0),
            vec2(0.0, -1.0),
        ] {
            painter.line_segment([at + d * 4.0, at + d * 12.0], Stroke::new(width, ink));
        }
    }
}
