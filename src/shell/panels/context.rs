//! The menu at the pointer in a view: what can be done with the selection.

use egui::Area;
use egui::Frame;
use egui::Id;
use egui::Key;
use egui::Order;
use egui::Pos2;

use crate::editor::Command;
use crate::editor::Editor;
use crate::shell::frame::Action;
use crate::shell::menu;

/// The open menu.
pub struct ContextMenu {
    at: Pos2,
}

/// Commands in the order of the menu, groups apart.
const GROUPS: &[&[&str]] = &[
    &[
        "edit.cut",
        "edit.copy",
        "edit.paste",
        "edit.duplicate",
        "edit.delete",
    ],
    &["group.make", "group.dissolve", "group.rename", "layer.move"],
    &[
        "entity.tie",
        "entity.to_world",
        "entity.light",
        "entity.player_start",
    ],
    &["object.hide", "object.isolate", "object.show_all"],
    &[
        "select.siblings",
        "select.objects_to_faces",
        "select.faces_to_objects",
        "view.frame",
    ],
    &[
        "select.same_class",
        "select.same_material",
        "select.same_size",
        "select.same_layer",
    ],
];

impl ContextMenu {
    #[must_use]
    pub fn new(at: Pos2) -> Self {
        Self { at }
    }

    /// Draws it; false when it closes.
    pub fn ui(&self, ctx: &egui::Context, editor: &Editor, actions: &mut Vec<Action>) -> bool {
        let before = actions.len();
        let area = Area::new(Id::unique("view context menu"))
            .order(Order::Foreground)
            .fixed_pos(self.at)
            .constrain(true)
            .show(ctx, |ui| {
                Frame::menu(ui.style()).show(ui, |ui| {
                    ui.set_width(240.0);
                    ui.spacing_mut().item_spacing.y = 0.0;
                    let mut first = true;
                    for group in GROUPS {
                        // What cannot run now would only be in the way here; menus of the bar say why.
                        let rows: Vec<&'static Command> = group
                            .iter()
                            .filter_map(|id| Command::find(id))
                            .filter(|command| (command.enabled)(editor).is_ok())
                            .collect();
                        if rows.is_empty() {
                            continue;
                        }
                        if !std::mem::take(&mut first) {
                            menu::separator(ui);
                        }
                        for command in rows {
                            menu::command_row(ui, editor, command, actions);
                        }
                    }
                });
            });
        let beside = ctx.input(|i| {
            i.pointer.any_pressed()
                && i.pointer
                    .interact_pos()
                    .is_some_and(|at| !area.response.rect.contains(at))
        });
        let escape = ctx.input(|i| i.key_pressed(Key::Escape));
        actions.len() == before && !beside && !escape
    }
}
