//! Groups (GRP-1).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::has_objects;
use crate::document::ops;
use crate::editor::Editor;
use crate::editor::Request;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Select, group)
}

fn has_group(editor: &Editor) -> Result<(), &'static str> {
    if editor.selected_group().is_some() {
        Ok(())
    } else {
        Err("Select a group first")
    }
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "group.make",
        label: "Group",
        help: "Gathers the selected objects in a group.",
        menu: menu(3),
        keys: &[Chord::ctrl(Key::Letter('G'))],
        enabled: has_objects,
        step: Some("Group"),
        run: Editor::group_selection,
        ..ROW
    },
    Command {
        id: "group.dissolve",
        label: "Ungroup",
        help: "Dissolves the selected groups; their members stay.",
        menu: menu(3),
        keys: &[Chord::ctrl_shift(Key::Letter('G'))],
        enabled: has_group,
        step: Some("Ungroup"),
        run: |editor| {
            let ids = crate::editor::edits::roots(editor.doc(), editor.selection());
            editor.commit(&ops::groups::ungroup(ids))
        },
        ..ROW
    },
    Command {
        id: "group.rename",
        label: "Rename group...",
        help: "Gives the selected group another name.",
        menu: menu(3),
        keys: &[Chord::ctrl_alt(Key::Letter('G'))],
        enabled: has_group,
        step: Some("Rename group"),
        run: |editor| {
            if let Some((group, now)) = editor.selected_group() {
                editor.request(Request::NameGroup { group, now });
            }
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "group.open",
        label: "Open group",
        help: "Edits inside of the selected group; the rest is dimmed and out of reach.",
        menu: menu(3),
        enabled: has_group,
        run: |editor| {
            let group = editor.selected_group().map(|(id, _)| id);
            if group.is_some() {
                editor.open_group(group);
            }
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "group.close",
        label: "Close group",
        help: "Leaves the open group.",
        menu: menu(3),
        when: Context::GLOBAL,
        enabled: |editor| {
            if editor.open_group.is_some() {
                Ok(())
            } else {
                Err("No group is open")
            }
        },
        run: |editor| {
            editor.open_group(None);
            Ok(())
        },
        ..ROW
    },
];
