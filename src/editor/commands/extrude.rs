//! Insets, sweeps, bridges (EXT-5).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use crate::document::EditError;
use crate::document::Pick;
use crate::document::Selection;
use crate::editor::Editor;
use crate::editor::ToolAction;
use crate::editor::ToolKind;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const MENU: Menu = Menu::new(MenuTitle::Face, 6);

/// By the committed selection: what is shown may have picked its own result.
fn has_faces(editor: &Editor) -> Result<(), &'static str> {
    let selection = &editor.history().committed().selection;
    if selection.iter().any(|pick| matches!(pick, Pick::Face(..))) {
        Ok(())
    } else {
        Err("Select faces first (Shift+click)")
    }
}

/// Takes the sweep tool, with the picked faces, for one of its other uses.
fn prepare(editor: &mut Editor, action: ToolAction) -> Result<(), EditError> {
    let (tool, picks) = (
        editor.tool(),
        editor.history().committed().selection.clone(),
    );
    take(editor, ToolKind::Sweep, &picks);
    let result = editor.tool_action(action);
    if result.is_err() {
        take(editor, tool, &picks);
    }
    result
}

/// Takes a tool and keeps what is picked.
fn take(editor: &mut Editor, tool: ToolKind, picks: &Selection) {
    if editor.tool() != tool {
        editor.set_tool(tool);
    }
    if editor.history().committed().selection != *picks {
        editor.select(picks.clone());
    }
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "face.inset",
        label: "Inset",
        help: "Prepares a smaller face inside of each picked one: drag to change it, Enter applies.",
        menu: MENU,
        keys: &[Chord::plain(Key::Letter('I'))],
        enabled: has_faces,
        run: |editor| {
            let state = editor.history().committed();
            let meshes = state.selection.iter().all(|pick| {
                let object = state.doc.object(pick.object());
                object.is_some_and(|object| object.mesh().is_some())
            });
            if meshes && editor.tool() == ToolKind::Face {
                return editor.tool_action(ToolAction::Inset);
            }
            prepare(editor, ToolAction::Inset)
        },
        ..ROW
    },
    Command {
        id: "face.bridge",
        label: "Bridge",
        help: "Prepares pieces that join two picked faces: Enter applies.",
        menu: MENU,
        keys: &[Chord::ctrl_shift(Key::Letter('B'))],
        enabled: has_faces,
        run: |editor| prepare(editor, ToolAction::Bridge),
        ..ROW
    },
    Command {
        id: "sweep.apply",
        label: "Apply the sweep",
        help: "Makes the sweep, inset or bridge that is shown.",
        keys: &[Chord::plain(Key::Enter)],
        when: Context::of_tool(ToolKind::Sweep),
        step: Some("Sweep"),
        run: |editor| editor.tool_action(ToolAction::Apply),
        ..ROW
    },
];
