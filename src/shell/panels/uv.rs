//! The UV view (TEX-8): the picture tiled, the selected faces over it, and the pointer handed to the editor.

use egui::Align2;
use egui::ColorImage;
use egui::CursorIcon;
use egui::Mesh;
use egui::PointerButton;
use egui::Pos2;
use egui::Rect;
use egui::Sense;
use egui::Shape;
use egui::Stroke;
use egui::TextureHandle;
use egui::TextureOptions;
use egui::Ui;
use egui::pos2;
use egui::vec2;
use glam::DVec2;

use crate::assets::Library;
use crate::assets::Picture;
use crate::assets::TextureId;
use crate::assets::TextureState;
use crate::editor::uv_view::Grab;
use crate::editor::uv_view::UvInput;
use crate::editor::uv_view::UvScene;
use crate::shell::frame::Action;
use crate::shell::panels::Cx;
use crate::shell::theme::Palette;
use crate::shell::theme::medium;
use crate::shell::theme::text;

/// Height of the view: as wide as the panel lets it, within these points.
const LEAST_HEIGHT: f32 = 140.0;
const MOST_HEIGHT: f32 = 320.0;

/// The wheel over these points doubles the size.
const POINTS_PER_DOUBLE: f32 = 200.0;

/// Larger pictures are shown in halves until they fit.
const MOST_PIXELS: u32 = 2048;

/// What the view keeps between frames.
#[derive(Default)]
pub struct UvState {
    tile: Option<Tile>,
    size: DVec2,
    last: Option<(Pos2, bool)>,
}

/// The one picture that is shown, repeated without end.
struct Tile {
    texture: TextureId,
    generation: u64,
    handle: TextureHandle,
}

impl UvState {
    /// The picture of a texture, made once; `None` while there is none.
    fn tile(
        &mut self,
        ctx: &egui::Context,
        library: &Library,
        id: TextureId,
    ) -> Option<egui::TextureId> {
        let is_current = self.tile.as_ref().is_some_and(|tile| {
            tile.texture == id
                && !library
                    .changed_since(tile.generation)
                    .any(|changed| changed == id)
        });
        if !is_current {
            let TextureState::Ready(picture) = library.state(id) else {
                self.tile = None;
                return None;
            };
            let handle =
                ctx.load_texture("uv view", image_of(picture), TextureOptions::LINEAR_REPEAT);
            self.tile = Some(Tile {
                texture: id,
                generation: library.generation(),
                handle,
            });
        }
        self.tile.as_ref().map(|tile| tile.handle.id())
    }
}

/// The picture, every second pixel of it while it is too large.
fn image_of(picture: &Picture) -> ColorImage {
    let (w, h) = (picture.width.max(1), picture.height.max(1));
    let step = w.max(h).div_ceil(MOST_PIXELS);
    let (out_w, out_h) = (w.div_ceil(step), h.div_ceil(step));
    let mut pixels = Vec::with_capacity((out_w * out_h) as usize);
    for y in 0..out_h {
        for x in 0..out_w {
            let at = (((y * step) as usize) * w as usize + (x * step) as usize) * 4;
            let color = picture
                .rgba
                .get(at..at + 4)
                .map_or(egui::Color32::TRANSPARENT, |rgba| {
                    egui::Color32::from_rgba_unmultiplied(rgba[0], rgba[1], rgba[2], rgba[3])
                });
            pixels.push(color);
        }
    }
    ColorImage::new([out_w as usize, out_h as usize], pixels)
}

/// Draws the view over the width of the panel, and hands on what the pointer does in it.
pub fn ui(ui: &mut Ui, state: &mut UvState, cx: &mut Cx<'_>, actions: &mut Vec<Action>) {
    let width = ui.available_width();
    let height = (width * 0.8).clamp(LEAST_HEIGHT, MOST_HEIGHT);
    let size = DVec2::new(f64::from(width), f64::from(height));
    let Some(scene) = cx.editor.uv_scene(size) else {
        return;
    };
    let (rect, r) = ui.allocate_exact_size(vec2(width, height), Sense::click_and_drag());
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "UV view"));
    if state.size != size {
        state.size = size;
        actions.push(Action::Uv(UvInput::Resized { size }));
    }
    let texture = scene
        .material
        .and_then(|id| cx.editor.doc().material(id))
        .filter(|material| !material.texture.is_empty())
        .map(|material| cx.library.texture(&material.texture));
    let tile = texture.and_then(|id| state.tile(ui.ctx(), cx.library, id));
    paint(ui, rect, &scene, tile);
    pointer(ui, &r, state, cx.editor.is_uv_dragging(), actions);
    let hovered = scene
        .hovered
        .filter(|_| r.hovered() || cx.editor.is_uv_dragging());
    if let Some(grab) = hovered {
        ui.ctx().set_cursor_icon(cursor(grab, &scene));
    }
}

fn cursor(grab: Grab, scene: &UvScene) -> CursorIcon {
    match grab {
        Grab::Texture => CursorIcon::Grab,
        Grab::Origin => CursorIcon::Crosshair,
        Grab::Ring => CursorIcon::Alias,
        Grab::Line(..) => {
            let line = scene.lines.iter().find(|line| line.grab == grab);
            let is_upright = line.is_none_or(|line| {
                (line.to.y - line.from.y).abs() > (line.to.x - line.from.x).abs()
            });
            if is_upright {
                CursorIcon::ResizeHorizontal
            } else {
                CursorIcon::ResizeVertical
            }
        }
    }
}

fn pointer(
    ui: &Ui,
    r: &egui::Response,
    state: &mut UvState,
    is_dragging: bool,
    actions: &mut Vec<Action>,
) {
    let local = |at: Pos2| {
        let at = at - r.rect.min;
        DVec2::new(f64::from(at.x), f64::from(at.y))
    };
    let (ctrl, alt) = ui.input(|i| (i.modifiers.command, i.modifiers.alt));
    let is_over = r.contains_pointer();
    let at = ui.input(|i| i.pointer.latest_pos());
    let mut dragging = is_dragging;
    if let Some(at) =
        at.filter(|_| is_over && ui.input(|i| i.pointer.button_pressed(PointerButton::Primary)))
    {
        let at = local(at);
        actions.push(Action::Uv(UvInput::Press { at, ctrl, alt }));
        dragging = true;
    }
    if let Some(at) = at.filter(|_| is_over || dragging)
        && state.last != Some((at, ctrl))
    {
        state.last = Some((at, ctrl));
        actions.push(Action::Uv(UvInput::Moved {
            at: local(at),
            ctrl,
        }));
    } else if !is_over && !dragging && state.last.take().is_some() {
        actions.push(Action::Uv(UvInput::Left));
    }
    if dragging && ui.input(|i| i.pointer.button_released(PointerButton::Primary)) {
        actions.push(Action::Uv(UvInput::Release));
    }
    if r.double_clicked() {
        actions.push(Action::Uv(UvInput::Frame));
    }
    if r.dragged_by(PointerButton::Middle) || r.dragged_by(PointerButton::Secondary) {
        let delta = r.drag_delta();
        let delta = DVec2::new(f64::from(delta.x), f64::from(delta.y));
        actions.push(Action::Uv(UvInput::Pan { delta }));
    }
    if let Some(at) = at.filter(|_| is_over) {
        // The panel must not scroll away under the pointer.
        let turned = ui.input_mut(|i| std::mem::take(&mut i.smooth_scroll_delta.y));
        if turned != 0.0 {
            let factor = f64::from((turned / POINTS_PER_DOUBLE).exp2());
            actions.push(Action::Uv(UvInput::Zoom {
                at: local(at),
                factor,
            }));
        }
    }
}

fn paint(ui: &Ui, rect: Rect, scene: &UvScene, tile: Option<egui::TextureId>) {
    let p = Palette::of(ui.ctx());
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let to = |at: DVec2| rect.min + vec2(at.x as f32, at.y as f32);
    painter.rect_filled(rect, 0.0, p.view.background_2d);
    if let Some(tile) = tile {
        let mut mesh = Mesh::with_texture(tile);
        // Whole repeats are the same picture; small numbers keep their digits.
        let whole = scene.corners_uv[0].floor();
        let places = [
            rect.left_top(),
            rect.right_top(),
            rect.right_bottom(),
            rect.left_bottom(),
        ];
        for (at, uv) in places.into_iter().zip(scene.corners_uv) {
            let uv = uv - whole;
            mesh.vertices.push(egui::epaint::Vertex {
                pos: at,
                uv: pos2(uv.x as f32, uv.y as f32),
                color: egui::Color32::WHITE,
            });
        }
        mesh.add_triangle(0, 1, 2);
        mesh.add_triangle(0, 2, 3);
        painter.add(Shape::mesh(mesh));
    }
    for line in &scene.lines {
        let ends = [to(line.from), to(line.to)];
        let stroke = if scene.hovered == Some(line.grab) {
            Stroke::new(2.0, p.scene.hover)
        } else {
            Stroke::new(1.0, p.scene.hover.gamma_multiply(0.6))
        };
        // Dark below light, so that they show over any picture.
        painter.line_segment(
            ends,
            Stroke::new(stroke.width + 2.0, p.scene.handle_rim.gamma_multiply(0.5)),
        );
        painter.line_segment(ends, stroke);
    }
    let last = scene.faces.len().saturating_sub(1);
    for (index, face) in scene.faces.iter().enumerate() {
        let ring: Vec<Pos2> = face.iter().map(|&at| to(at)).collect();
        let is_last = index == last;
        let width = if is_last { 2.0 } else { 1.0 };
        painter.add(Shape::closed_line(
            ring.clone(),
            Stroke::new(width + 2.0, p.view.handle_rim),
        ));
        painter.add(Shape::closed_line(
            ring,
            Stroke::new(width, p.view.selected),
        ));
    }
    handles(&painter, scene, &p, &to);
    if let Some(words) = &scene.readout {
        let at = rect.left_bottom() + vec2(6.0, -6.0);
        let galley = painter.layout_no_wrap(words.clone(), medium(text::SMALL), p.view.chip_text);
        let back = Align2::LEFT_BOTTOM
            .anchor_size(at, galley.size())
            .expand(3.0);
        painter.rect_filled(back, 3.0, p.view.chip);
        painter.galley(back.min + vec2(3.0, 3.0), galley, p.view.chip_text);
    }
}

fn handles(painter: &egui::Painter, scene: &UvScene, p: &Palette, to: &dyn Fn(DVec2) -> Pos2) {
    let origin = to(scene.origin);
    let ring = |grab: Grab| {
        if scene.hovered == Some(grab) {
            p.view.handle_selected
        } else {
            p.view.handle
        }
    };
    let radius = scene.ring as f32;
    painter.circle_stroke(origin, radius, Stroke::new(3.5, p.view.handle_rim));
    painter.circle_stroke(origin, radius, Stroke::new(1.5, ring(Grab::Ring)));
    painter.circle_filled(origin, 5.0, p.view.handle_rim);
    painter.circle_filled(origin, 4.0, ring(Grab::Origin));
}
