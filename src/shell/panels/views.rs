//! The views of the map: pictures of the scene with chips, labels and handles over them, and the way input goes in.

mod chips;
mod feed;
mod marks;
mod over;
mod panes;
mod walk;

use egui::Align2;
use egui::Color32;
use egui::Id;
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
use self::over::Space;
use self::over::over;
use self::over::ruler;
use self::over::tripod;
use self::panes::pane_rects;
use self::panes::splitters;
use self::walk::walk_bars;
use crate::editor::Editor;
use crate::editor::RenderMode;
use crate::editor::View;
use crate::editor::ViewKind;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Role;
use crate::shell::frame::Action;
use crate::shell::gpu::GpuSide;
use crate::shell::input;
use crate::shell::overlay as paint;
use crate::shell::theme::Palette;

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
    /// `Tab` of this frame went to the editor, so no widget gets the keyboard by it.
    pub took_tab: bool,
    /// The keyboard was sent to a dock: until the pointer moves, `Tab` walks from widget to widget wherever it rests.
    pub tab_walks: bool,
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

/// What lit views and walks say of a build without light.
const NO_LIGHTS: &str = "No lights yet: shown without light";

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
            ruler(&painter, v, &space, cx.editor.grid);
        }
        entity_icons(&painter, v, &space, cx.editor, state, pane);
        tripod(&painter, v, &space);
    }
    over(&painter, v, &space, &overlay, response.hover_pos());
    let is_lit = view.mode == RenderMode::Lit && !view.is_2d() && !walking;
    let is_stale = || cx.gpu.as_deref().is_some_and(GpuSide::is_stale);
    let shows_build = || cx.gpu.as_deref().is_some_and(GpuSide::shows_build);
    let about_light = match (&cx.editor.compiled, cx.editor.has_baked_light()) {
        _ if cx.editor.shows_original_light() => Some(if shows_build() {
            "Original light of the map"
        } else {
            "Changed or partly hidden: without its original light"
        }),
        (Some(_), false) => Some(NO_LIGHTS),
        (Some(_), true) if is_stale() => Some("Light from the last build"),
        _ => None,
    };
    if let Some(words) = about_light.filter(|_| is_lit) {
        let corner = rect.right_bottom() - vec2(8.0, 8.0);
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
