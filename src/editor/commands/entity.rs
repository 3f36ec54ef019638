//! Entities (ENT-1, ENT-2).

use super::Command;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::has_objects;
use crate::document::ops;
use crate::editor::Request;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Brush, group)
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "entity.light",
        label: "Create light",
        help: "Puts a light on the surface under the pointer.",
        menu: menu(2),
        keys: &[Chord::plain(Key::Letter('L'))],
        step: Some("Create light"),
        run: |editor| editor.create_entity_here("light"),
        ..ROW
    },
    Command {
        id: "entity.player_start",
        label: "Create player start",
        help: "Puts a player start on the surface under the pointer.",
        menu: menu(2),
        step: Some("Create entity"),
        run: |editor| editor.create_entity_here("info_player_start"),
        ..ROW
    },
    Command {
        id: "entity.tie",
        label: "Tie to entity...",
        help: "Makes the selected brushes belong to an entity, such as a door.",
        menu: menu(2),
        keys: &[Chord::ctrl_alt(Key::Letter('E'))],
        enabled: has_objects,
        step: Some("Tie to entity"),
        run: |editor| {
            editor.request(Request::ChooseBrushClass);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "entity.to_world",
        label: "Back to world",
        help: "Gives the selected brushes of entities back to the world.",
        menu: menu(2),
        keys: &[Chord::alt(Key::Letter('S'))],
        enabled: has_objects,
        step: Some("Back to world"),
        run: |editor| {
            let ids = editor.selection_ids();
            editor.commit(&ops::entities::to_world(ids))
        },
        ..ROW
    },
];
