//! Undo, clipboard, leaving things (0.5, 0.6, CLIP-BOARD, DUP-1).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::Walking;
use super::has_objects;
use super::has_selection;
use crate::editor::Editor;
use crate::editor::Place;
use crate::editor::Request;
use crate::editor::ToolKind;
use crate::editor::input::Chord;
use crate::editor::input::Key;
use crate::editor::input::Modifiers;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Edit, group)
}

fn no_drag(editor: &Editor) -> Result<(), &'static str> {
    if editor.is_dragging() {
        Err(super::FINISH_DRAG)
    } else {
        Ok(())
    }
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "edit.undo",
        label: "Undo",
        help: "Goes one step back.",
        menu: menu(0),
        keys: &[Chord::ctrl(Key::Letter('Z'))],
        when: Context {
            in_drag: true,
            ..Context::GLOBAL
        },
        enabled: |editor| {
            no_drag(editor)?;
            editor
                .history()
                .undo_label()
                .map(drop)
                .ok_or("There is nothing to undo")
        },
        repeats: true,
        run: |editor| {
            editor.undo();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "edit.redo",
        label: "Redo",
        help: "Goes one step forth again.",
        menu: menu(0),
        keys: &[
            Chord::ctrl_shift(Key::Letter('Z')),
            Chord::ctrl(Key::Letter('Y')),
        ],
        when: Context {
            in_drag: true,
            ..Context::GLOBAL
        },
        enabled: |editor| {
            no_drag(editor)?;
            editor
                .history()
                .redo_label()
                .map(drop)
                .ok_or("There is nothing to redo")
        },
        repeats: true,
        run: |editor| {
            editor.redo();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "edit.cut",
        label: "Cut",
        help: "Copies the selected objects and deletes them.",
        menu: menu(1),
        keys: &[Chord::ctrl(Key::Letter('X'))],
        enabled: has_selection,
        step: Some("Cut"),
        run: Editor::cut_selection,
        ..ROW
    },
    Command {
        id: "edit.copy",
        label: "Copy",
        help: "Puts the selected objects on the clipboard.",
        menu: menu(1),
        keys: &[Chord::ctrl(Key::Letter('C'))],
        enabled: has_selection,
        run: Editor::copy_selection,
        ..ROW
    },
    Command {
        id: "edit.paste",
        label: "Paste",
        help: "Puts the clipboard's objects under the pointer, resting on the surface there.",
        menu: menu(1),
        keys: &[Chord::ctrl(Key::Letter('V'))],
        step: Some("Paste"),
        run: |editor| {
            editor.request(Request::PasteText(Place::UnderPointer));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "edit.paste_in_place",
        label: "Paste in place",
        help: "Puts the clipboard's objects where they were copied.",
        menu: menu(1),
        keys: &[Chord::ctrl_alt(Key::Letter('V'))],
        step: Some("Paste"),
        run: |editor| {
            editor.request(Request::PasteText(Place::Original));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "edit.duplicate",
        label: "Duplicate",
        help: "Copies the selected objects in place; the copies are selected. Names that other copies point at get a fresh number, others stay.",
        menu: menu(1),
        keys: &[Chord::ctrl(Key::Letter('D'))],
        enabled: has_objects,
        step: Some("Duplicate"),
        run: Editor::duplicate,
        ..ROW
    },
    Command {
        id: "edit.delete",
        label: "Delete",
        help: "Deletes the selected objects, or what the tool in hand has picked or placed.",
        menu: menu(1),
        keys: &[Chord::plain(Key::Delete), Chord::plain(Key::Backspace)],
        enabled: |editor| {
            if editor.tool() == ToolKind::Select {
                has_objects(editor)
            } else {
                Ok(())
            }
        },
        step: Some("Delete"),
        run: Editor::delete_selection,
        ..ROW
    },
    Command {
        id: "edit.escape",
        label: "Leave",
        help: "Leaves what is innermost: walking, the drag, the tool, the open group, the selection.",
        keys: &[Chord::plain(Key::Escape)],
        when: Context {
            walking: Walking::Also,
            in_drag: true,
            ..Context::GLOBAL
        },
        run: |editor| {
            editor.escape();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "edit.alignment_lock",
        label: "Alignment lock",
        help: "Textures travel with objects that are moved and turned.",
        menu: menu(3),
        keys: &[Chord::new(Modifiers::SHIFT, Key::Letter('U'))],
        checked: Some(|editor| editor.settings.alignment_lock),
        run: |editor| {
            editor.settings.alignment_lock = !editor.settings.alignment_lock;
            let state = if editor.settings.alignment_lock {
                "on: textures travel along"
            } else {
                "off: textures stay in the world"
            };
            editor.say(
                crate::editor::StatusKind::Info,
                format!("Alignment lock {state}"),
            );
            Ok(())
        },
        ..ROW
    },
];
