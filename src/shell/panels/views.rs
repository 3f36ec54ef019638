//! The views of the map: pictures of the scene with chips, labels and handles over them, and the way input goes in.

use egui::Align2;
use egui::Color32;
use egui::Event;
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

use crate::document::Kind;
use crate::editor::Editor;
use crate::editor::RenderMode;
use crate::editor::View;
use crate::editor::ViewKind;
use crate::editor::input::Button;
use crate::editor::input::Input;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Overlay;
use crate::shell::dock;
use crate::shell::frame::Action;
use crate::shell::gpu::GpuSide;
use crate::shell::icons;
use crate::shell::input;
use crate::shell::overlay as paint;
use crate::shell::theme::Palette;
use crate::shell::theme::ViewPalette;
use crate::shell::theme::medium;
use crate::shell::theme::regular;
use crate::shell::theme::size;
use crate::shell::theme::text;
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
    let overlay = cx.editor.overlay(pane);
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
    if cx.has_keyboard && state.keyboard == pane && !walking {
        painter.rect_stroke(rect, 0.0, Stroke::new(1.0, p.accent), StrokeKind::Inside);
    }
    if walking {
        painter.rect_stroke(rect, 0.0, Stroke::new(2.0, p.accent), StrokeKind::Inside);
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
    use crate::editor::overlay::Role;
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
            let ink = if label.role == Role::Refused {
                v.refused
            } else {
                v.chip_text
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
fn measure_place(view: &View, role: crate::editor::overlay::Role) -> Option<(egui::Vec2, Align2)> {
    use crate::editor::overlay::Role;
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
        // The lower left corner belongs to the axes.
        if place.x > space.rect.left() + 64.0 {
            paint::ruler_number(painter, place.round(), &widgets::shortest(shown), ink);
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

/// The glyph of an entity's class (`look.md` 5).
#[must_use]
pub fn class_glyph(class: &str) -> char {
    let class = class.to_ascii_lowercase();
    let starts = |heads: &[&str]| heads.iter().any(|head| class.starts_with(head));
    if class.contains("sun") || class == "light_environment" {
        icons::SUN
    } else if starts(&["light"]) {
        icons::LIGHT
    } else if starts(&["info_player", "player"]) {
        icons::PLAYER
    } else if starts(&["item_", "weapon_", "ammo_"]) {
        icons::FLAG
    } else if starts(&["trigger"]) {
        icons::TRIGGER
    } else if starts(&["ambient", "env_sound", "sound"]) {
        icons::SOUND
    } else if starts(&[
        "func_door",
        "func_plat",
        "func_rotating",
        "func_train",
        "func_tracktrain",
        "momentary",
    ]) {
        icons::DOOR
    } else if starts(&["path_"]) {
        icons::PATH
    } else if class.contains("camera") {
        icons::CAMERA
    } else if starts(&["func_"]) {
        icons::PREFAB
    } else {
        icons::DOT
    }
}

/// The colour of a class's family.
#[must_use]
pub fn class_color(v: &ViewPalette, class: &str) -> Color32 {
    v.entity[crate::viewport::family_of(class) as usize]
}

/// More entities than this in one view show their boxes only.
const MOST_ICONS: usize = 600;

fn entity_icons(
    painter: &Painter,
    v: &ViewPalette,
    space: &Space<'_>,
    editor: &Editor,
    state: &mut ViewsState,
    pane: usize,
) {
    let doc = editor.doc();
    let flat = space.view.is_2d();
    let mut seen: Vec<(f64, crate::document::ObjectId, Pos2, &str)> = Vec::new();
    for (id, object) in doc.objects() {
        let Kind::Entity(entity) = &object.kind else {
            continue;
        };
        if doc.children(Some(id)).next().is_some()
            || entity.class.eq_ignore_ascii_case("worldspawn")
        {
            continue;
        }
        let Some((at, depth)) = space.view.project(entity.origin) else {
            continue;
        };
        let at = space.rect.min + vec2(at.x as f32, at.y as f32);
        if !space.rect.expand(12.0).contains(at) || editor.look.is_hidden(doc, id) {
            continue;
        }
        seen.push((depth, id, at, &entity.class));
    }
    // The farthest first, so that near ones stand over them.
    seen.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    if seen.len() > MOST_ICONS {
        seen.drain(..seen.len() - MOST_ICONS);
    }
    if !flat {
        if state.covered.len() <= pane {
            state.covered.resize_with(pane + 1, Covered::default);
        }
        let covered = &mut state.covered[pane];
        let fresh = covered.view.as_ref() == Some(space.view)
            && covered.document.as_ref().is_some_and(|old| old.same(doc));
        if !fresh {
            covered.view = Some(space.view.clone());
            covered.document = Some(doc.clone());
            covered.hidden = seen
                .iter()
                .filter(|(_, id, ..)| is_covered(editor, pane, *id))
                .map(|(_, id, ..)| *id)
                .collect();
        }
        seen.retain(|(_, id, ..)| !covered.hidden.contains(id));
    }
    for (depth, _, at, class) in seen {
        // Far away in 3D an icon would hide more than it says.
        if !flat && depth > 6000.0 {
            continue;
        }
        let color = class_color(v, class);
        let small = if flat {
            space.view.points_per_unit < FULL_FROM
        } else {
            depth > FULL_WITHIN
        };
        if small {
            let stroke = Stroke::new(1.0, v.handle_rim);
            painter.circle(at, 3.0, color, stroke);
        } else {
            paint::entity(painter, v, at.round(), class_glyph(class), color, flat);
        }
    }
}

/// In 2D views smaller than this many points per unit, and farther than this in 3D, icons would cover the map: dots stand
/// for them.
const FULL_FROM: f64 = 0.2;
const FULL_WITHIN: f64 = 3000.0;

/// True when something solid stands between the eye and the entity.
fn is_covered(editor: &Editor, pane: usize, id: crate::document::ObjectId) -> bool {
    let Some(entity) = editor.doc().entity(id) else {
        return true;
    };
    let view = &editor.views[pane];
    let Some((at, _)) = view.project(entity.origin) else {
        return true;
    };
    let distance = (entity.origin - view.eye).length();
    let Some(hit) = editor.pick(pane, at) else {
        return false;
    };
    let is_icon = editor.doc().entity(hit.object).is_some();
    hit.object != id && !is_icon && hit.distance < distance - 8.0
}

/// Kind, mode and maximise in the corners.
fn chips(ui: &mut Ui, editor: &Editor, pane: usize, rect: Rect, actions: &mut Vec<Action>) {
    let p = Palette::of(ui.ctx());
    let view = &editor.views[pane];
    let v = if view.is_2d() { &p.view } else { &p.scene };
    if rect.width() < 120.0 || rect.height() < 60.0 {
        return;
    }
    let mut x = rect.left() + 8.0;
    let top = rect.top() + 8.0;
    let kind = view.kind;
    let r = chip_button(
        ui,
        v,
        pos2(x, top),
        kind_name(kind),
        &format!("View kind: {}", kind_name(kind)),
        (pane, "kind"),
    );
    x = r.rect.right() + 4.0;
    egui::Popup::menu(&r).width(160.0).show(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (choice, keys) in [
            (ViewKind::Perspective, ""),
            (ViewKind::Top, "Shift+F2"),
            (ViewKind::Front, "Shift+F3"),
            (ViewKind::Side, "Shift+F4"),
        ] {
            let tick = (choice == kind).then_some(icons::CHECK);
            if widgets::menu_item(ui, tick, kind_name(choice), keys, None).clicked() {
                actions.push(Action::SetKind(pane, choice));
            }
        }
    });
    if !view.is_2d() {
        let mode = view.mode;
        let r = chip_button(
            ui,
            v,
            pos2(x, top),
            mode_name(mode),
            &format!("Render mode: {}", mode_name(mode)),
            (pane, "mode"),
        );
        egui::Popup::menu(&r).width(200.0).show(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (choice, keys) in [
                (RenderMode::Lit, "F2"),
                (RenderMode::Textured, "F3"),
                (RenderMode::Flat, "F4"),
                (RenderMode::Wire, "Shift+F5"),
            ] {
                let tick = (choice == mode).then_some(icons::CHECK);
                if widgets::menu_item(ui, tick, mode_name(choice), keys, None).clicked() {
                    actions.push(Action::SetMode(pane, choice));
                }
            }
        });
    }
    let full = editor.layout.maximised == Some(pane);
    let (icon, name) = if full {
        (icons::RESTORE, "Show all views")
    } else {
        (icons::MAXIMISE, "Fill with this view")
    };
    let square = Rect::from_min_size(
        pos2(rect.right() - 32.0, top),
        vec2(size::VIEW_CHIP, size::VIEW_CHIP),
    );
    let r = ui.interact(
        square,
        Id::unique(("pane chip", pane, "size")),
        Sense::click(),
    );
    r.widget_info(|| {
        egui::WidgetInfo::labeled(
            egui::Role::Button,
            true,
            format!("{name} ({})", kind_name(kind)),
        )
    });
    ui.painter().rect_filled(square, 4.0, v.chip);
    let ink = if r.hovered() {
        v.chip_text
    } else {
        v.chip_text.gamma_multiply(0.8)
    };
    icons::paint(ui.painter(), square.center(), icon, size::ICON_SMALL, ink);
    if r.clicked() {
        actions.push(Action::Maximise(if full { None } else { Some(pane) }));
    }
    r.on_hover_text(name);
}

fn chip_button(
    ui: &mut Ui,
    v: &ViewPalette,
    at: Pos2,
    words: &str,
    name: &str,
    id: (usize, &str),
) -> Response {
    let galley = ui
        .painter()
        .layout_no_wrap(words.to_owned(), medium(text::SMALL), v.chip_text);
    let rect = Rect::from_min_size(at, vec2(galley.size().x + 30.0, size::VIEW_CHIP));
    let r = ui.interact(rect, Id::unique(("pane chip", id)), Sense::click());
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, name));
    ui.painter().rect_filled(rect, 4.0, v.chip);
    if r.hovered() {
        ui.painter()
            .rect_filled(rect, 4.0, v.chip_text.gamma_multiply(0.08));
    }
    let y = (rect.center().y - galley.size().y / 2.0).round();
    ui.painter()
        .galley(pos2(rect.left() + 8.0, y), galley, v.chip_text);
    icons::paint(
        ui.painter(),
        rect.right_center() - vec2(12.0, 0.0),
        icons::CARET_DOWN,
        10.0,
        v.chip_text.gamma_multiply(0.8),
    );
    r
}

/// What walking says over its view: how to leave it, where one is, what one looks at.
fn walk_bars(ui: &mut Ui, editor: &Editor, pane: usize, rect: Rect) {
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

/// Events of this frame go to the pane that is meant. Called before anything is drawn, so that the picture is of this frame;
/// panes are where they were in the last one.
pub fn feed(
    ctx: &egui::Context,
    state: &mut ViewsState,
    editor: &Editor,
    keys_taken: bool,
    actions: &mut Vec<Action>,
) {
    let locked = editor.wants_pointer_lock();
    let (events, held, pointer) =
        ctx.input(|i| (i.events.clone(), i.modifiers, i.pointer.latest_pos()));
    let held = input::modifiers(held);
    let Some(&(first, _)) = state.panes.first() else {
        return;
    };
    if !state.panes.iter().any(|(pane, _)| *pane == state.keyboard) {
        state.keyboard = first;
    }
    let over = state.panes.iter().map(|(pane, _)| *pane).find(|pane| {
        ctx.read_response(pane_id(*pane))
            .is_some_and(|r| r.hovered() || r.is_pointer_button_down_on())
    });
    for event in &events {
        // Several keys may come and go within one slow frame: each event has what was held with it.
        match event {
            Event::Key { modifiers, .. }
            | Event::PointerButton { modifiers, .. }
            | Event::MouseWheel { modifiers, .. }
            | Event::ModifiersChanged(modifiers) => {
                state.hold(input::modifiers(*modifiers), actions);
            }
            _ => {}
        }
        match event {
            Event::PointerMoved(at) if !locked => state.moved(*at, over, keys_taken, actions),
            Event::MouseMoved(delta) if locked => {
                let delta = DVec2::new(f64::from(delta.x), f64::from(delta.y));
                actions.push(Action::Input(
                    state.captured.unwrap_or(state.keyboard),
                    Input::PointerDelta { delta },
                ));
            }
            Event::PointerButton {
                pos,
                button,
                pressed,
                ..
            } => {
                if let Some(button) = input::button(*button) {
                    state.button(ctx, over, *pos, button, *pressed, actions);
                }
            }
            Event::PointerGone => {
                if let Some(old) = state.hovered.take()
                    && state.captured.is_none()
                {
                    actions.push(Action::Input(old, Input::PointerLeft));
                }
            }
            Event::MouseWheel { .. } => {
                if let (Some(pane), Some(at)) = (state.captured.or(over), pointer)
                    && let Some(wheel) = input::wheel_event(event, state.rect(pane), at)
                {
                    actions.push(Action::Input(pane, wheel));
                }
            }
            Event::WindowFocused(false) => {
                state.captured = None;
                state.buttons = 0;
                actions.push(Action::Input(state.keyboard, Input::FocusLost));
            }
            _ => keyboard(event, state, keys_taken, actions),
        }
    }
    state.hold(held, actions);
}

impl ViewsState {
    /// The modifiers that are held from now on.
    fn hold(&mut self, held: Modifiers, actions: &mut Vec<Action>) {
        if held != self.modifiers {
            self.modifiers = held;
            actions.push(Action::Input(self.keyboard, Input::Modifiers(held)));
        }
    }

    fn rect(&self, pane: usize) -> Rect {
        self.panes
            .iter()
            .find(|(other, _)| *other == pane)
            .map_or(Rect::NOTHING, |(_, rect)| *rect)
    }

    fn moved(
        &mut self,
        at: Pos2,
        over: Option<usize>,
        keys_taken: bool,
        actions: &mut Vec<Action>,
    ) {
        let target = self.captured.or(over);
        if self.hovered != target
            && let Some(old) = self.hovered
        {
            actions.push(Action::Input(old, Input::PointerLeft));
        }
        self.hovered = target;
        let Some(pane) = target else { return };
        if !keys_taken {
            self.keyboard = pane;
        }
        let at = input::in_pane(self.rect(pane), at);
        actions.push(Action::Input(pane, Input::PointerMoved { at }));
    }

    fn button(
        &mut self,
        ctx: &egui::Context,
        over: Option<usize>,
        pos: Pos2,
        button: Button,
        pressed: bool,
        actions: &mut Vec<Action>,
    ) {
        let bit = 1 << (button as u32);
        if pressed {
            let Some(pane) = self.captured.or(over) else {
                return;
            };
            // Typing ends where the map is touched.
            ctx.memory_mut(|memory| {
                if let Some(id) = memory.focused() {
                    memory.surrender_focus(id);
                }
            });
            self.captured = Some(pane);
            self.keyboard = pane;
            self.buttons |= bit;
            let at = input::in_pane(self.rect(pane), pos);
            actions.push(Action::Input(pane, Input::Press { button, at }));
        } else if let Some(pane) = self.captured {
            self.buttons &= !bit;
            let at = input::in_pane(self.rect(pane), pos);
            actions.push(Action::Input(pane, Input::Release { button, at }));
            if self.buttons == 0 {
                self.captured = None;
            }
        }
    }
}

fn keyboard(event: &Event, state: &mut ViewsState, keys_taken: bool, actions: &mut Vec<Action>) {
    use crate::editor::input::Chord;
    use crate::editor::input::Key;
    // The window turns these three into events of their own.
    let letter = match event {
        Event::Copy => Some('C'),
        Event::Cut => Some('X'),
        Event::Paste(_) => Some('V'),
        _ => None,
    };
    if let Some(letter) = letter {
        if !keys_taken {
            let key = Key::Letter(letter);
            state.hold(
                Modifiers {
                    ctrl: true,
                    ..state.modifiers
                },
                actions,
            );
            for pressed in [true, false] {
                let input = Input::Key {
                    key,
                    physical: key,
                    pressed,
                    repeat: false,
                };
                actions.push(Action::Input(state.keyboard, input));
            }
        }
        return;
    }
    let Some((input, held)) = input::key_event(event) else {
        return;
    };
    let Input::Key {
        key,
        pressed,
        repeat,
        ..
    } = input
    else {
        return;
    };
    if keys_taken {
        if pressed && !repeat {
            actions.push(Action::FieldKey(Chord::new(held, key)));
        }
        // A key that was pressed before the field took over must not stay down.
        if !pressed {
            actions.push(Action::Input(state.keyboard, input));
        }
        return;
    }
    actions.push(Action::Input(state.keyboard, input));
}
