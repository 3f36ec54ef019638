//! Hulls, arrays, repeating (BRU-4, DUP-2, DUP-3).

use super::Command;
use super::Context;
use super::ROW;
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

fn in_hand(editor: &crate::editor::Editor, tool: ToolKind) -> Result<(), &'static str> {
    if editor.tool() == tool {
        Ok(())
    } else {
        Err("Take the tool first")
    }
}

pub(super) static COMMANDS: &[Command] = &[Command {
    id: "hull.create",
    label: "Create hull",
    help: "Makes the hull of the points a brush.",
    keys: &[Chord::plain(Key::Enter)],
    when: in_tool(ToolKind::Hull),
    enabled: |editor| in_hand(editor, ToolKind::Hull),
    step: Some("Create hull"),
    run: |editor| editor.tool_action(ToolAction::Apply),
    ..ROW
}];
