//! Selection (SEL-6, SEL-7, 0.5).

use super::Command;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::has_faces;
use super::has_objects;
use crate::editor::Editor;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Select, group)
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "select.all",
        label: "All",
        help: "Selects everything visible and not locked, in the open group.",
        menu: menu(0),
        keys: &[Chord::ctrl(Key::Letter('A'))],
        run: |editor| {
            editor.select_all();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.none",
        label: "None",
        help: "Selects nothing.",
        menu: menu(0),
        keys: &[Chord::ctrl_shift(Key::Letter('A'))],
        run: |editor| {
            editor.select_none();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.invert",
        label: "Invert",
        help: "Selects what is not selected.",
        menu: menu(0),
        keys: &[Chord::ctrl_alt(Key::Letter('A'))],
        run: |editor| {
            editor.select_inverse();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.siblings",
        label: "Siblings",
        help: "Selects everything under the same entity.",
        menu: menu(0),
        keys: &[Chord::ctrl(Key::Letter('B'))],
        enabled: has_objects,
        run: |editor| {
            editor.select_siblings();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.faces_to_objects",
        label: "Faces to objects",
        help: "Selects the objects that the selected faces belong to.",
        menu: menu(1),
        keys: &[Chord::ctrl_shift(Key::Letter('O'))],
        enabled: has_faces,
        run: |editor| {
            editor.faces_to_objects();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.objects_to_faces",
        label: "Objects to faces",
        help: "Selects all faces of the selected objects.",
        menu: menu(1),
        keys: &[Chord::ctrl_alt(Key::Letter('O'))],
        enabled: has_objects,
        run: |editor| {
            editor.objects_to_faces();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.back",
        label: "Previous selection",
        help: "Selects what was selected before.",
        menu: menu(2),
        keys: &[Chord::ctrl(Key::BracketLeft)],
        run: Editor::selection_back,
        ..ROW
    },
    Command {
        id: "select.forward",
        label: "Next selection",
        help: "Selects what was selected after.",
        menu: menu(2),
        keys: &[Chord::ctrl(Key::BracketRight)],
        run: Editor::selection_forward,
        ..ROW
    },
];
