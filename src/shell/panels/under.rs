//! The list of everything under the pointer (SEL-4): hovering a row outlines it in the views, clicking takes it.

use egui::Area;
use egui::Frame;
use egui::Id;
use egui::Key;
use egui::Order;
use egui::Pos2;
use egui::ScrollArea;

use crate::editor::Editor;
use crate::editor::digging::UnderRow;
use crate::editor::tools::shortest;
use crate::shell::frame::Action;
use crate::shell::icons;
use crate::shell::widgets;

/// The open list.
pub struct UnderList {
    at: Pos2,
    rows: Vec<UnderRow>,
}

impl UnderList {
    #[must_use]
    pub fn new(at: Pos2, rows: Vec<UnderRow>) -> Self {
        Self { at, rows }
    }

    /// Draws it; false when it closes. `Ctrl`+click toggles and leaves it open.
    pub fn ui(&self, ctx: &egui::Context, editor: &Editor, actions: &mut Vec<Action>) -> bool {
        let mut taken = false;
        let mut hovered = None;
        let area = Area::new(Id::unique("list under the pointer"))
            .order(Order::Foreground)
            .fixed_pos(self.at)
            .constrain(true)
            .show(ctx, |ui| {
                Frame::menu(ui.style()).show(ui, |ui| {
                    ui.set_width(280.0);
                    ui.spacing_mut().item_spacing.y = 0.0;
                    ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                        for row in &self.rows {
                            let is_selected = editor
                                .selection()
                                .contains(&crate::document::Pick::Object(row.id));
                            let tick = is_selected.then_some(icons::CHECK);
                            let distance = shortest(row.distance.round());
                            let r = widgets::menu_item(ui, tick, &row.name, &distance, None);
                            if r.hovered() {
                                hovered = Some(row.id);
                            }
                            if r.clicked() {
                                let toggle = ui.input(|i| i.modifiers.command);
                                actions.push(Action::TakeRow(row.id, toggle));
                                taken |= !toggle;
                            }
                        }
                    });
                });
            });
        if area.response.contains_pointer() || hovered.is_some() {
            actions.push(Action::PointOut(hovered));
        }
        let beside = ctx.input(|i| {
            i.pointer.any_pressed()
                && i.pointer
                    .interact_pos()
                    .is_some_and(|at| !area.response.rect.contains(at))
        });
        let escape = ctx.input(|i| i.key_pressed(Key::Escape));
        let closes = taken || beside || escape;
        if closes {
            actions.push(Action::PointOut(None));
        }
        !closes
    }
}
