//! How the dock looks and what it allows, for `egui_tiles`.

use egui::Color32;
use egui::Ui;
use egui_tiles::EditAction;
use egui_tiles::ResizeState;
use egui_tiles::SimplificationOptions;
use egui_tiles::TabState;
use egui_tiles::Tabs;
use egui_tiles::TileId;
use egui_tiles::Tiles;
use egui_tiles::UiResponse;

use crate::shell::dock;
use crate::shell::icons;
use crate::shell::layout::DockCx;
use crate::shell::layout::DockReply;
use crate::shell::layout::Panel;
use crate::shell::theme::Palette;
use crate::shell::theme::size;
use crate::shell::widgets;

/// One frame of the dock.
pub(super) struct Behavior<'a> {
    pub(super) cx: DockCx<'a>,
    pub(super) palette: std::sync::Arc<Palette>,
    pub(super) views: Option<TileId>,
    pub(super) folded: Option<TileId>,
    pub(super) reply: DockReply,
    pub(super) unfold: bool,
}

impl egui_tiles::Behavior<Panel> for Behavior<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _id: TileId, panel: &mut Panel) -> UiResponse {
        let rect = ui.max_rect();
        if ui.input(|i| i.pointer.any_pressed()) && ui.rect_contains_pointer(rect) {
            self.reply.pressed = Some(*panel);
        }
        if rect.height() < 4.0 {
            return UiResponse::None;
        }
        ui.painter().rect_filled(rect, 0.0, self.palette.panel);
        (self.cx.draw)(ui, *panel);
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, panel: &Panel) -> egui::WidgetText {
        panel.title().into()
    }

    fn tab_ui(
        &mut self,
        tiles: &mut Tiles<Panel>,
        ui: &mut Ui,
        id: egui::Id,
        tile: TileId,
        state: &TabState,
    ) -> egui::Response {
        let Some(&panel) = tiles.get_pane(&tile) else {
            return ui.label("Panels");
        };
        let response = dock::tab(
            ui,
            id,
            panel.title(),
            (self.cx.count)(panel),
            state.active,
            state.active && self.cx.keyboard == panel,
        );
        if response.clicked() {
            self.reply.pressed = Some(panel);
            if tiles.parent_of(tile) == self.folded && self.folded.is_some() {
                self.unfold = true;
            }
        }
        response
    }

    fn top_bar_right_ui(
        &mut self,
        _tiles: &Tiles<Panel>,
        ui: &mut Ui,
        id: TileId,
        _tabs: &Tabs,
        _scroll: &mut f32,
    ) {
        ui.add_space(4.0);
        let button = ui
            .push_id(id, |ui| {
                widgets::icon_button(ui, icons::MORE, "Panel menu", false)
            })
            .inner;
        egui::Popup::menu(&button).width(200.0).show(|ui| {
            if widgets::menu_item(ui, Some(icons::RESTORE), "Reset panels", "", None).clicked() {
                self.reply.reset = true;
            }
        });
    }

    fn is_tab_bar_visible(&self, id: TileId, _tabs: &Tabs) -> bool {
        Some(id) != self.views
    }

    fn tab_bar_height(&self, _style: &egui::Style) -> f32 {
        size::TAB_BAR
    }

    fn tab_bar_color(&self, _visuals: &egui::Visuals) -> Color32 {
        self.palette.bar
    }

    fn tab_bar_hline_stroke(&self, _visuals: &egui::Visuals) -> egui::Stroke {
        egui::Stroke::NONE
    }

    fn gap_width(&self, _style: &egui::Style) -> f32 {
        dock::GAP
    }

    fn min_size(&self) -> f32 {
        size::TAB_BAR
    }

    fn resize_stroke(&self, _style: &egui::Style, state: ResizeState) -> egui::Stroke {
        dock::resize_stroke(&self.palette, state)
    }

    fn drag_preview_color(&self, _visuals: &egui::Visuals) -> Color32 {
        dock::drop_color(&self.palette)
    }

    fn drag_preview_stroke(&self, _visuals: &egui::Visuals) -> egui::Stroke {
        egui::Stroke::new(1.0, self.palette.accent)
    }

    /// `Ctrl+Tab` moves between docks here (`look.md` 13).
    fn cycle_tabs_with_keyboard(&self) -> bool {
        false
    }

    fn is_tile_draggable(&self, _tiles: &Tiles<Panel>, id: TileId) -> bool {
        Some(id) != self.views
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions {
            all_panes_must_have_tabs: true,
            ..SimplificationOptions::default()
        }
    }

    fn on_edit(&mut self, _action: EditAction) {
        self.reply.changed = true;
    }
}
