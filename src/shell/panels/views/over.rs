//! What is painted over the picture of a view: labels, handles, the readout, the ruler, the axes.

use egui::Align2;
use egui::Color32;
use egui::Painter;
use egui::Pos2;
use egui::Rect;
use egui::pos2;
use egui::vec2;
use glam::DVec3;

use crate::editor::View;
use crate::editor::ViewKind;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Role;
use crate::geometry::Grid;
use crate::shell::overlay as paint;
use crate::shell::theme::ViewPalette;
use crate::shell::widgets;

/// A view and where it stands in the window.
pub(super) struct Space<'a> {
    pub(super) view: &'a View,
    pub(super) rect: Rect,
}

impl Space<'_> {
    pub(super) fn at(&self, point: DVec3) -> Option<Pos2> {
        let (at, _) = self.view.project(point)?;
        let at = self.rect.min + vec2(at.x as f32, at.y as f32);
        at.is_finite().then_some(at)
    }
}

/// Labels, handles and the readout of the tool in hand. Lines and areas are in the picture already.
pub(super) fn over(
    painter: &Painter,
    v: &ViewPalette,
    space: &Space<'_>,
    overlay: &Overlay,
    pointer: Option<Pos2>,
) {
    for handle in &overlay.handles {
        let Some(at) = space.at(handle.at) else {
            continue;
        };
        let grip = if handle.role == Role::HandleSelected {
            paint::Grip::Selected
        } else if handle.hovered {
            paint::Grip::Hover
        } else {
            paint::Grip::Rest
        };
        paint::handle(painter, v, at.round(), grip);
    }
    for label in &overlay.labels {
        if let Some(at) = space.at(label.at) {
            let ink = match label.role {
                Role::Refused => v.refused,
                Role::Link => v.link,
                _ => v.chip_text,
            };
            // Names of entities stand above their icons, measures beside what they measure.
            let (offset, align) = match label.role {
                Role::Guide => (vec2(0.0, -13.0), Align2::CENTER_BOTTOM),
                Role::AxisX | Role::AxisY | Role::AxisZ if space.view.is_2d() => {
                    let Some(place) = measure_place(space.view, label.role) else {
                        continue;
                    };
                    place
                }
                _ => (vec2(0.0, 0.0), Align2::CENTER_CENTER),
            };
            paint::chip(painter, v, at + offset, align, &label.text, ink);
        }
    }
    if let (Some(readout), Some(at)) = (&overlay.readout, pointer) {
        paint::readout(painter, v, space.rect, at, &readout.text, readout.refused);
    }
}

/// On which side of its edge a measure stands in a 2D view; `None` for the axis that is looked along.
fn measure_place(view: &View, role: Role) -> Option<(egui::Vec2, Align2)> {
    let axis = match role {
        Role::AxisX => DVec3::X,
        Role::AxisY => DVec3::Y,
        _ => DVec3::Z,
    };
    if axis.dot(view.right()).abs() > 0.5 {
        // Measured along the edge of the largest z, which is the lower one only from above.
        return Some(match view.kind {
            ViewKind::Top => (vec2(0.0, 6.0), Align2::CENTER_TOP),
            _ => (vec2(0.0, -6.0), Align2::CENTER_BOTTOM),
        });
    }
    if axis.dot(view.up()).abs() > 0.5 {
        return Some(match view.kind {
            ViewKind::Side => (vec2(-8.0, 0.0), Align2::RIGHT_CENTER),
            _ => (vec2(8.0, 0.0), Align2::LEFT_CENTER),
        });
    }
    None
}

/// Width of a digit of the ruler, in points, with some air.
const RULER_DIGIT: f32 = 7.0;

/// Numbers along the lower edge of a 2D view.
pub(super) fn ruler(painter: &Painter, v: &ViewPalette, space: &Space<'_>, grid: Grid) {
    let view = space.view;
    let axis = view.right();
    let sign = axis.x + axis.y + axis.z;
    let centre = view.eye.dot(axis);
    let half = view.size.x * 0.5 / view.points_per_unit;
    let first = grid.origin.dot(axis);
    let mut step = grid.size * 8.0;
    while step * view.points_per_unit < 56.0 {
        step *= 2.0;
    }
    let mut at = first + ((centre - half - first) / step).ceil() * step;
    let ink = if v.background_2d.r() > 128 {
        Color32::from_gray(92)
    } else {
        Color32::from_rgb(0x8b, 0x93, 0x9f)
    };
    while at <= centre + half {
        let x = (at - centre) * view.points_per_unit + view.size.x * 0.5;
        let shown = at * sign.signum();
        let place = pos2(
            space.rect.left() + x as f32 + 3.0,
            space.rect.bottom() - 4.0,
        );
        // The lower left corner belongs to the axes; a number cut off at the right would be another number.
        let words = widgets::shortest(shown);
        let end = place.x + RULER_DIGIT * words.len() as f32;
        if place.x > space.rect.left() + 64.0 && end < space.rect.right() {
            paint::ruler_number(painter, place.round(), &words, ink);
        }
        at += step;
    }
}

pub(super) fn tripod(painter: &Painter, v: &ViewPalette, space: &Space<'_>) {
    let (right, up) = (space.view.right(), space.view.up());
    let arm = |axis: DVec3| vec2(axis.dot(right) as f32, -axis.dot(up) as f32) * 24.0;
    let mut arms = vec![(0, arm(DVec3::X)), (1, arm(DVec3::Y)), (2, arm(DVec3::Z))];
    if space.view.is_2d() {
        arms.retain(|(_, d)| d.length() > 3.0);
    }
    // Away from the corner by what points left and down.
    let reach = arms.iter().fold(vec2(0.0, 0.0), |most, (_, d)| {
        vec2(most.x.max(-d.x), most.y.max(d.y))
    });
    let origin = space.rect.left_bottom() + vec2(20.0 + reach.x, -24.0 - reach.y);
    paint::tripod(painter, v, origin.round(), &arms);
}
