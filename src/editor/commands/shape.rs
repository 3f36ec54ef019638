//! Hulls, arrays, repeating (BRU-4, DUP-2, DUP-3).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use crate::editor::Editor;
use crate::editor::ToolAction;
use crate::editor::ToolKind;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const fn in_tool(tool: ToolKind) -> Context {
    Context {
        tool: Some(tool),
        ..Context::GLOBAL
    }
}

fn in_hand(editor: &Editor, tool: ToolKind) -> Result<(), &'static str> {
    if editor.tool() == tool {
        Ok(())
    } else {
        Err("Take the tool first")
    }
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "hull.create",
        label: "Create hull",
        help: "Makes the hull of the points a brush.",
        keys: &[Chord::plain(Key::Enter)],
        when: in_tool(ToolKind::Hull),
        enabled: |editor| in_hand(editor, ToolKind::Hull),
        step: Some("Create hull"),
        run: |editor| editor.tool_action(ToolAction::Apply),
        ..ROW
    },
    Command {
        id: "tool.array",
        label: "Array",
        help: "Makes many copies at once, by an offset, a turn and a scale, or along a path.",
        menu: Menu::new(MenuTitle::Edit, 1),
        keys: &[Chord::ctrl_shift(Key::Letter('M'))],
        checked: Some(|editor| editor.tool() == ToolKind::Array),
        run: |editor| {
            editor.toggle_tool(ToolKind::Array);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "array.apply",
        label: "Make the array",
        help: "Makes the copies that are shown one step.",
        keys: &[Chord::plain(Key::Enter)],
        when: in_tool(ToolKind::Array),
        enabled: |editor| in_hand(editor, ToolKind::Array),
        step: Some("Array"),
        run: |editor| {
            editor.tool_action(ToolAction::Apply)?;
            editor.set_tool(ToolKind::Select);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "measure.clear",
        label: "Clear measures",
        help: "Takes all measured lines away.",
        menu: Menu::new(MenuTitle::Edit, 2),
        enabled: |editor| {
            if editor.has_measures() {
                Ok(())
            } else {
                Err("Nothing has been measured")
            }
        },
        run: |editor| {
            editor.clear_measures();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "object.repeat",
        label: "Repeat",
        help: "Moves, turns and copies the selection once more as was done since it was selected.",
        menu: Menu::new(MenuTitle::Edit, 1),
        keys: &[Chord::ctrl(Key::Letter('R'))],
        enabled: |editor| {
            if editor.pending_repeat().is_empty() {
                Err("There is nothing to repeat; move, turn or copy something first")
            } else {
                Ok(())
            }
        },
        step: Some("Repeat"),
        run: Editor::repeat,
        ..ROW
    },
    Command {
        id: "object.repeat_mark",
        label: "Start repeating here",
        help: "What was done before is not repeated any more.",
        menu: Menu::new(MenuTitle::Edit, 1),
        keys: &[Chord::ctrl_shift(Key::Letter('R'))],
        run: |editor| {
            editor.clear_repeat();
            Ok(())
        },
        ..ROW
    },
];
