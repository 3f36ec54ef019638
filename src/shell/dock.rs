//! Looks of the dock (`egui_tiles` 0.18). The `Behavior` of the shell forwards to these.

use egui::{Color32, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2};
use egui_tiles::{Container, ResizeState, Tile, TileId, Tree};

use crate::shell::theme::Palette;
use crate::shell::widgets::{tab_look, tab_width};

/// Gap between docks: the ground of the window shows through.
pub const GAP: f32 = 2.0;

pub fn resize_stroke(p: &Palette, state: ResizeState) -> Stroke {
    Stroke::new(
        GAP,
        if state == ResizeState::Idle {
            p.base
        } else {
            p.accent
        },
    )
}

pub fn drop_color(p: &Palette) -> Color32 {
    p.accent.gamma_multiply(0.15)
}

/// Body of `Behavior::tab_ui`.
pub fn tab(
    ui: &mut Ui,
    id: egui::Id,
    name: &str,
    count: Option<(usize, Color32)>,
    active: bool,
    keyboard_here: bool,
) -> Response {
    let width = tab_width(ui, name, count.map(|c| c.0));
    let (_, rect) = ui.allocate_space(vec2(width, ui.available_height()));
    let r = ui.interact(rect, id, Sense::click_and_drag());
    r.widget_info(|| WidgetInfo::selected(Role::Tab, ui.is_enabled(), active, name));
    tab_look(ui, rect, name, count, active, r.hovered(), keyboard_here);
    r
}

/// `egui_tiles` shares space by proportion, so side docks would grow with the window. Shares that are points keep them:
/// call this for the root and for the middle column whenever the size of the dock changed, with the stored lengths and
/// the rest for the views.
pub fn set_points<Pane>(tree: &mut Tree<Pane>, parent: TileId, children: &[(TileId, f32)]) {
    if let Some(Tile::Container(Container::Linear(line))) = tree.tiles.get_mut(parent) {
        for &(child, points) in children {
            line.shares.set_share(child, points.max(1.0));
        }
    }
}
