//! Keys of the clip tool (CLP-1 to CLP-3).

use super::Command;
use super::Context;
use super::ROW;
use crate::editor::ToolAction;
use crate::editor::ToolKind;
use crate::editor::input::Chord;
use crate::editor::input::Key;

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "clip.apply",
        label: "Clip",
        help: "Cuts with the plane through the placed points.",
        keys: &[Chord::plain(Key::Enter)],
        when: Context::of_tool(ToolKind::Clip),
        step: Some("Clip"),
        run: |editor| editor.tool_action(ToolAction::Apply),
        ..ROW
    },
    Command {
        id: "clip.sides",
        label: "Sides of the clip",
        help: "The front part stays, then the back part, then both.",
        keys: &[Chord::plain(Key::Tab), Chord::ctrl(Key::Enter)],
        when: Context {
            in_drag: true,
            ..Context::of_tool(ToolKind::Clip)
        },
        run: |editor| editor.tool_action(ToolAction::Cycle),
        ..ROW
    },
];
