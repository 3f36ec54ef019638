//! The views of the map: pictures of the scene with chips, labels and handles over them, and the way input goes in.

mod chips;
mod feed;
mod marks;
mod walk;

use egui::Align2;
use egui::Color32;
use egui::Id;
use egui::Painter;
use egui::Pos2;
use egui::Rect;
use egui::Response;
use egui::Sense;
use egui::Stroke;
use egui::StrokeKind;
use egui::Ui;
use egui::pos2;
use egui::vec2;
use glam::DVec2;
use glam::DVec3;

use self::chips::chips;
pub use self::feed::feed;
pub use self::marks::class_color;
pub use self::marks::class_glyph;
use self::marks::entity_icons;
use self::walk::walk_bars;
use crate::editor::Editor;
use crate::editor::RenderMode;
use crate::editor::View;
use crate::editor::ViewKind;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Role;
use crate::shell::dock;
use crate::shell::frame::Action;
use crate::shell::gpu::GpuSide;
use crate::shell::input;
use crate::shell::overlay as paint;
use crate::shell::theme::Palette;
use crate::shell::theme::ViewPalette;
use crate::shell::widgets;

/// What the views remember between frames about where input goes.
#[derive(Default)]
pub struct ViewsState {
    /// The pane that got the press; it gets everything until all buttons are up.
    captured: Option<usize>,
    buttons: u32,
    /// The pane the pointer was over last.
    hovered: Option<usize>,
    /// The pane that has the keyboard.
    pub keyboard: usize,
    modifiers: Modifiers,
    /// Entity icons that something stands before, by pane.
    covered: Vec<Covered>,
    /// Where the panes stood in the last frame.
    panes: Vec<(usize, Rect)>,
    /// All of the views together: toasts stand over it.
    pub area: Option<Rect>,
}

impl ViewsState {
    /// A point of a pane in points of the window.
    #[must_use]
    pub fn in_window(&self, pane: usize, at: DVec2) -> Option<Pos2> {
        let (_, rect) = self.panes.iter().find(|(other, _)| *other == pane)?;
        Some(rect.min + vec2(at.x as f32, at.y as f32))
    }

    /// The views know how large their panes are.
    #[must_use]
    pub fn are_sized(&self, editor: &Editor) -> bool {
        let fits = |(pane, rect): &(usize, Rect)| {
            (editor.views[*pane].size.x - f64::from(rect.width())).abs() < 0.5
        };
        !self.panes.is_empty() && self.panes.iter().all(fits)
    }

    /// The pane at a point of the window, and the point in it.
    #[must_use]
    pub fn pane_at(&self, at: Pos2) -> Option<(usize, DVec2)> {
        let (pane, rect) = self.panes.iter().find(|(_, rect)| rect.contains(at))?;
        Some((*pane, input::in_pane(*rect, at)))
    }
}

fn pane_id(pane: usize) -> Id {
    Id::unique(("pane", pane))
}

/// Which entities of one picture are behind something, and for which picture that was found.
#[derive(Default)]
struct Covered {
    view: Option<View>,
    document: Option<crate::document::Document>,
    hidden: std::collections::BTreeSet<crate::document::ObjectId>,
}

const PANE_NAMES: [&str; 4] = ["First view", "Second view", "Third view", "Fourth view"];

#[must_use]
pub fn kind_name(kind: ViewKind) -> &'static str {
    match kind {
        ViewKind::Perspective => "3D",
        ViewKind::Top => "Top",
        ViewKind::Front => "Front",
        ViewKind::Side => "Side",
    }
}

#[must_use]
pub fn mode_name(mode: RenderMode) -> &'static str {
    match mode {
        RenderMode::Lit => "Textured, lit",
        RenderMode::Textured => "Textured",
        RenderMode::Flat => "Flat",
        RenderMode::Wire => "Wireframe",
    }
}

/// What the views draw with.
pub struct ViewsCx<'a> {
    pub editor: &'a Editor,
    pub gpu: Option<&'a mut GpuSide>,
    /// The views have the keyboard.
    pub has_keyboard: bool,
}

/// Draws all panes into `ui`.
pub fn ui(ui: &mut Ui, state: &mut ViewsState, mut cx: ViewsCx<'_>, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let area = ui.max_rect();
    ui.painter().rect_filled(area, 0.0, p.base);
    let walking = cx.editor.is_walking();
    let panes = pane_rects(cx.editor, area, ui.ctx().pixels_per_point());
    let mut responses = Vec::new();
    for &(pane, rect) in &panes {
        let response = ui.interact(rect, pane_id(pane), Sense::click_and_drag());
        let name = format!(
            "{}: {}",
            PANE_NAMES[pane % 4],
            kind_name(cx.editor.views[pane].kind)
        );
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, &name));
        responses.push((pane, rect, response));
    }
    splitters(ui, cx.editor, area, &panes, actions);
    for (pane, rect, response) in &responses {
        let pixels_per_point = f64::from(ui.ctx().pixels_per_point());
        let points = DVec2::new(f64::from(rect.width()), f64::from(rect.height()));
        let view = &cx.editor.views[*pane];
        if view.size != points.max(DVec2::ONE) || view.pixels_per_point != pixels_per_point {
            actions.push(Action::PaneSize(*pane, points, pixels_per_point));
            // Pictures and what is painted over them must be of one size.
            ui.ctx().request_discard("a view has another size");
        }
        draw_pane(ui, state, &mut cx, *pane, *rect, response);
        if walking {
            walk_bars(ui, cx.editor, *pane, *rect);
        } else {
            chips(ui, cx.editor, *pane, *rect, actions);
        }
    }
    state.panes = panes;
    state.area = Some(area);
}

/// Where the panes are, on whole pixels.
fn pane_rects(editor: &Editor, area: Rect, pixels_per_point: f32) -> Vec<(usize, Rect)> {
    if let Some((pane, _)) = editor.walk_marks() {
        return vec![(pane, area)];
    }
    let snap = |v: f64| (v as f32 * pixels_per_point).round() / pixels_per_point;
    let rects = editor.layout.rects();
    rects
        .iter()
        .map(|place| {
            let (w, h) = (f64::from(area.width()), f64::from(area.height()));
            let left = area.left() + snap(place.x * w);
            let top = area.top() + snap(place.y * h);
            let right = area.left() + snap((place.x + place.width) * w);
            let bottom = area.top() + snap((place.y + place.height) * h);
            // The gap stands at the inner edges only.
            let gap = |edge: f32, end: f32| if edge < end - 1.0 { dock::GAP } else { 0.0 };
            let rect = Rect::from_min_max(
                pos2(left, top),
                pos2(
                    right - gap(right, area.right()),
                    bottom - gap(bottom, area.bottom()),
                ),
            );
            (place.pane, rect)
        })
        .collect()
}

/// The lines between panes; a double press gives the default.
fn splitters(
    ui: &mut Ui,
    editor: &Editor,
    area: Rect,
    panes: &[(usize, Rect)],
    actions: &mut Vec<Action>,
) {
    if panes.len() < 2 {
        return;
    }
    let (x, y) = (editor.layout.split_x, editor.layout.split_y);
    let defaults = crate::editor::Layout::default();
    let at_x = area.left() + area.width() * x as f32 - 1.0;
    let at_y = area.top() + area.height() * y as f32 - 1.0;
    let upright = Rect::from_min_max(
        pos2(at_x - 3.0, area.top()),
        pos2(at_x + 3.0, area.bottom()),
    );
    let lying = match panes.len() {
        2 => None,
        3 => Some(Rect::from_min_max(
            pos2(at_x, at_y - 3.0),
            pos2(area.right(), at_y + 3.0),
        )),
        _ => Some(Rect::from_min_max(
            pos2(area.left(), at_y - 3.0),
            pos2(area.right(), at_y + 3.0),
        )),
    };
    let p = Palette::of(ui.ctx());
    let line = |ui: &mut Ui, rect: Rect, name: &str, cursor: egui::CursorIcon| {
        let r = ui
            .interact(
                rect,
                Id::unique(("pane splitter", name)),
                Sense::click_and_drag(),
            )
            .on_hover_cursor(cursor);
        r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Splitter, true, name));
        if r.hovered() || r.dragged() {
            ui.painter().rect_filled(
                rect.shrink2(if rect.width() > rect.height() {
                    vec2(0.0, 2.0)
                } else {
                    vec2(2.0, 0.0)
                }),
                0.0,
                p.accent,
            );
        }
        r
    };
    let r = line(
        ui,
        upright,
        "Left and right views",
        egui::CursorIcon::ResizeHorizontal,
    );
    if r.double_clicked() {
        actions.push(Action::Split(defaults.split_x, y));
    } else if r.dragged()
        && let Some(at) = r.interact_pointer_pos()
    {
        actions.push(Action::Split(
            f64::from((at.x - area.left()) / area.width()),
            y,
        ));
    }
    if let Some(lying) = lying {
        let r = line(
            ui,
            lying,
            "Upper and lower views",
            egui::CursorIcon::ResizeVertical,
        );
        if r.double_clicked() {
            actions.push(Action::Split(x, defaults.split_y));
        } else if r.dragged()
            && let Some(at) = r.interact_pointer_pos()
        {
            actions.push(Action::Split(
                x,
                f64::from((at.y - area.top()) / area.height()),
            ));
        }
    }
}

fn draw_pane(
    ui: &mut Ui,
    state: &mut ViewsState,
    cx: &mut ViewsCx<'_>,
    pane: usize,
    rect: Rect,
    response: &Response,
) {
    let p = Palette::of(ui.ctx());
    let view = &cx.editor.views[pane];
    let v = if view.is_2d() { &p.view } else { &p.scene };
    let walking = cx.editor.is_walking();
    let mut overlay = cx.editor.overlay(pane);
    if !cx.editor.is_dragging() {
        // The box of a class says nothing about the map; and what is drawn small would be covered by its measures.
        let one_point = is_one_point(cx.editor);
        let size = cx.editor.selection_bounds().size();
        overlay.labels.retain(|label| {
            let along = match label.role {
                Role::AxisX => DVec3::X * size.x,
                Role::AxisY => DVec3::Y * size.y,
                Role::AxisZ => DVec3::Z * size.z,
                _ => return true,
            };
            !one_point && is_long(view, label.at, along)
        });
    }
    let painter = ui.painter_at(rect);
    let picture = cx.gpu.as_deref_mut().map(|gpu| {
        gpu.draw(
            cx.editor,
            pane,
            &overlay,
            rect.size() * ui.ctx().pixels_per_point(),
            p.dark,
        )
    });
    match picture {
        Some(id) => {
            let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(id, rect, uv, Color32::WHITE);
        }
        None => {
            let ground = if view.is_2d() {
                v.background_2d
            } else {
                v.background_3d
            };
            painter.rect_filled(rect, 0.0, ground);
        }
    }
    let space = Space { view, rect };
    if !walking {
        if view.is_2d() {
            ruler(&painter, v, &space, cx.editor.grid.size);
        }
        entity_icons(&painter, v, &space, cx.editor, state, pane);
        tripod(&painter, v, &space);
    }
    over(&painter, v, &space, &overlay, response.hover_pos());
    let is_lit = view.mode == RenderMode::Lit && !view.is_2d() && !walking;
    if is_lit && cx.editor.compiled.is_some() && cx.gpu.as_deref().is_some_and(GpuSide::is_stale) {
        let corner = rect.right_bottom() - vec2(8.0, 8.0);
        let words = "Light from the last build";
        paint::chip(
            &painter,
            v,
            corner,
            Align2::RIGHT_BOTTOM,
            words,
            v.chip_text,
        );
    }
    if cx.has_keyboard && state.keyboard == pane && !walking {
        painter.rect_stroke(rect, 0.0, Stroke::new(1.0, p.accent), StrokeKind::Inside);
    }
    if walking {
        painter.rect_stroke(rect, 0.0, Stroke::new(2.0, p.accent), StrokeKind::Inside);
    }
}

/// An edge with this middle is at least as long in the view as its measure needs.
fn is_long(view: &View, middle: DVec3, along: DVec3) -> bool {
    let ends = [middle - along * 0.5, middle + along * 0.5].map(|end| view.project(end));
    match ends {
        [Some((a, _)), Some((b, _))] => a.distance(b) >= LEAST_MEASURED,
        // It begins behind the eye.
        _ => true,
    }
}

/// Edges shorter than this many points are not measured.
const LEAST_MEASURED: f64 = 28.0;

/// All that is selected is one point entity, and nothing is being dragged.
#[must_use]
pub fn is_one_point(editor: &Editor) -> bool {
    let doc = editor.doc();
    match editor.selection_ids().as_slice() {
        [id] => {
            !editor.is_dragging()
                && doc.entity(*id).is_some()
                && doc.children(Some(*id)).next().is_none()
        }
        _ => false,
    }
}

/// A view and where it stands in the window.
struct Space<'a> {
    view: &'a View,
    rect: Rect,
}

impl Space<'_> {
    fn at(&self, point: DVec3) -> Option<Pos2> {
        let (at, _) = self.view.project(point)?;
        let at = self.rect.min + vec2(at.x as f32, at.y as f32);
        at.is_finite().then_some(at)
    }
}

/// Labels, handles and the readout of the tool in hand. Lines and areas are in the picture already.
fn over(
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
fn ruler(painter: &Painter, v: &ViewPalette, space: &Space<'_>, grid: f64) {
    let view = space.view;
    let axis = view.right();
    let sign = axis.x + axis.y + axis.z;
    let centre = view.eye.dot(axis);
    let half = view.size.x * 0.5 / view.points_per_unit;
    let mut step = grid * 8.0;
    while step * view.points_per_unit < 56.0 {
        step *= 2.0;
    }
    let mut at = ((centre - half) / step).ceil() * step;
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

fn tripod(painter: &Painter, v: &ViewPalette, space: &Space<'_>) {
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
