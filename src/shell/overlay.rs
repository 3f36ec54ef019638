//! What lies over a view: chips, readouts, handles, arrows, measures, the axis tripod. All are painter calls in points, so
//! they stay crisp at every scale; give them `Palette::view` in 2D views and `Palette::scene` in 3D views.

use egui::{
    Align2, Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2,
};

use crate::shell::icons;
use crate::shell::theme::{ViewPalette, medium, regular, semibold, text};

pub const AXIS_NAMES: [&str; 3] = ["X", "Y", "Z"];

/// A word on a ground that can be read over anything. Returns the rectangle it covers.
pub fn chip(
    painter: &Painter,
    v: &ViewPalette,
    at: Pos2,
    align: Align2,
    words: &str,
    ink: Color32,
) -> Rect {
    let galley = painter.layout_no_wrap(words.to_owned(), medium(text::CAPTION), ink);
    let r = align.anchor_size(at, galley.size() + vec2(12.0, 6.0));
    let r = Rect::from_min_size(r.min.round(), r.size().round());
    painter.rect_filled(r, CornerRadius::same(4), v.chip);
    painter.galley((r.center() - galley.size() / 2.0).round(), galley, ink);
    r
}

/// Chip beside the pointer that turns to the other side before it would leave the view.
pub fn readout(
    painter: &Painter,
    v: &ViewPalette,
    view: Rect,
    pointer: Pos2,
    words: &str,
    refused: bool,
) {
    let ink = if refused { v.refused } else { v.chip_text };
    let width = painter
        .layout_no_wrap(words.to_owned(), medium(text::CAPTION), ink)
        .size()
        .x
        + 12.0;
    let turned = pointer.x + 16.0 + width > view.right();
    let up = pointer.y + 36.0 > view.bottom();
    let left = if turned {
        pointer.x - 12.0 - width
    } else {
        pointer.x + 16.0
    };
    // A long sentence in a narrow view: its beginning is what must be read.
    let left = left.min(view.right() - width).max(view.left() + 4.0);
    let at = pos2(left, pointer.y + if up { -14.0 } else { 20.0 });
    chip(painter, v, at, Align2::LEFT_CENTER, words, ink);
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Grip {
    Rest,
    Hover,
    Selected,
}

/// 7 pt square with a dark rim (9 pt under the pointer). The grabbing distance is 8 pt, not the drawn size.
pub fn handle(painter: &Painter, v: &ViewPalette, at: Pos2, grip: Grip) {
    let side = if grip == Grip::Hover { 9.0 } else { 7.0 };
    let fill = if grip == Grip::Selected {
        v.handle_selected
    } else {
        v.handle
    };
    painter.rect(
        Rect::from_center_size(at, Vec2::splat(side)),
        CornerRadius::same(1),
        fill,
        Stroke::new(1.0, v.handle_rim),
        StrokeKind::Outside,
    );
}

/// A line with a solid head: links, leak path, gizmo.
pub fn arrow(painter: &Painter, from: Pos2, to: Pos2, width: f32, color: Color32) {
    let d = (to - from).normalized();
    let n = vec2(-d.y, d.x) * (width * 1.2 + 2.4);
    let head = d * (width * 2.2 + 5.5);
    painter.line_segment([from, to - head * 0.8], Stroke::new(width, color));
    painter.add(Shape::convex_polygon(
        vec![to, to - head + n, to - head - n],
        color,
        Stroke::NONE,
    ));
}

/// One arm of the move gizmo: dark halo first, then the arm, head and letter, so that it shows on any texture.
pub fn gizmo_arm(
    painter: &Painter,
    v: &ViewPalette,
    centre: Pos2,
    tip: Pos2,
    axis: usize,
    lit: bool,
) {
    let d = (tip - centre).normalized();
    let halo = Color32::from_black_alpha(110);
    let color = if lit { v.handle } else { v.axis[axis] };
    painter.line_segment([centre + d * 8.0, tip - d * 8.0], Stroke::new(4.5, halo));
    arrow(painter, centre + d * 8.0, tip + d * 4.0, 2.5, color);
    painter.text(
        tip + d * 14.0,
        Align2::CENTER_CENTER,
        AXIS_NAMES[axis],
        semibold(text::CAPTION),
        color,
    );
}

/// Measure along the top of a rectangle, with its number in a chip.
pub fn measure_above(painter: &Painter, v: &ViewPalette, r: Rect, words: &str) {
    let s = Stroke::new(1.0, v.selected.gamma_multiply(0.8));
    let y = r.top() - 10.0;
    painter.hline(r.x_range(), y, s);
    for x in [r.left(), r.right()] {
        painter.vline(x, (y - 3.0)..=(y + 3.0), s);
    }
    chip(
        painter,
        v,
        pos2(r.center().x, y - 11.0),
        Align2::CENTER_CENTER,
        words,
        v.chip_text,
    );
}

pub fn measure_right(painter: &Painter, v: &ViewPalette, r: Rect, words: &str) {
    let s = Stroke::new(1.0, v.selected.gamma_multiply(0.8));
    let x = r.right() + 10.0;
    painter.vline(x, r.y_range(), s);
    for y in [r.top(), r.bottom()] {
        painter.hline((x - 3.0)..=(x + 3.0), y, s);
    }
    chip(
        painter,
        v,
        pos2(x + 8.0, r.center().y),
        Align2::LEFT_CENTER,
        words,
        v.chip_text,
    );
}

/// Diagonal lines: locked, dropped by the clip tool.
pub fn hatch(painter: &Painter, area: Rect, color: Color32) {
    let p = painter.with_clip_rect(area.intersect(painter.clip_rect()));
    let mut x = area.left() - area.height();
    while x < area.right() {
        p.line_segment(
            [pos2(x, area.bottom()), pos2(x + area.height(), area.top())],
            Stroke::new(1.0, color),
        );
        x += 8.0;
    }
}

/// The axes in a corner; `arms` are screen vectors of 20 pt for a full axis.
pub fn tripod(painter: &Painter, v: &ViewPalette, origin: Pos2, arms: &[(usize, Vec2)]) {
    for &(axis, d) in arms {
        if d.length() < 3.0 {
            painter.circle_filled(origin, 3.0, v.axis[axis]);
            continue;
        }
        painter.line_segment([origin, origin + d], Stroke::new(2.0, v.axis[axis]));
        painter.text(
            origin + d + d.normalized() * 8.0,
            Align2::CENTER_CENTER,
            AXIS_NAMES[axis],
            semibold(10.0),
            v.axis[axis],
        );
    }
}

/// A point entity: round in 3D, square in 2D, always with its glyph.
pub fn entity(
    painter: &Painter,
    v: &ViewPalette,
    at: Pos2,
    glyph: char,
    color: Color32,
    flat: bool,
) {
    let (side, radius, ground) = if flat {
        (18.0, 3, v.background_2d)
    } else {
        (22.0, 11, v.chip)
    };
    painter.rect(
        Rect::from_center_size(at, Vec2::splat(side)),
        CornerRadius::same(radius),
        ground,
        Stroke::new(1.0, color),
        StrokeKind::Inside,
    );
    icons::paint(painter, at, glyph, if flat { 12.0 } else { 14.0 }, color);
}

/// A number of the ruler, lower edge of a 2D view.
pub fn ruler_number(painter: &Painter, at: Pos2, words: &str, color: Color32) {
    painter.text(at, Align2::LEFT_BOTTOM, words, regular(10.0), color);
}
