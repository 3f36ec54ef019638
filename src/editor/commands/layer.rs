//! Layers (LAY-1).

use super::Command;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::has_objects;
use crate::document::LayerKind;
use crate::document::ops;
use crate::editor::Request;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Map, group)
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "layer.move",
        label: "Move to layer...",
        help: "Moves the selected objects to another layer.",
        menu: menu(2),
        keys: &[Chord::ctrl_alt(Key::Letter('L'))],
        enabled: has_objects,
        step: Some("Move to layer"),
        run: |editor| {
            editor.request(Request::ChooseLayer);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "layer.new",
        label: "New layer",
        help: "Adds a layer at the end of the list.",
        menu: menu(2),
        step: Some("New layer"),
        run: |editor| editor.commit(&ops::layers::create(LayerKind::Layer, "Layer", None)),
        ..ROW
    },
    Command {
        id: "layer.new_visgroup",
        label: "New visgroup",
        help: "Adds a visibility group; an object may be in any number of them.",
        menu: menu(2),
        step: Some("New visgroup"),
        run: |editor| editor.commit(&ops::layers::create(LayerKind::Visgroup, "Visgroup", None)),
        ..ROW
    },
    Command {
        id: "layer.show_all",
        label: "Show all layers",
        help: "Shows every hidden layer and visgroup.",
        menu: menu(2),
        enabled: |editor| {
            if editor.look.hidden_layers.is_empty() {
                Err("No layer is hidden")
            } else {
                Ok(())
            }
        },
        run: |editor| {
            editor.look.hidden_layers.clear();
            Ok(())
        },
        ..ROW
    },
];
