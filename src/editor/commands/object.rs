//! Nudging, duplicating by one step, hiding, locking (MOV-5, DUP-1, VIEW-3).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::has_objects;
use super::has_selection;
use crate::document::EditError;
use crate::editor::Editor;
use crate::editor::input::Chord;
use crate::editor::input::Key;
use crate::editor::nudge::Direction;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Brush, group)
}

/// Grid steps of a nudge with `Shift`.
const FAR: f64 = 8.0;

fn nudge(editor: &mut Editor, direction: Direction) -> Result<(), EditError> {
    editor.nudge(direction, 1.0)
}

fn nudge_far(editor: &mut Editor, direction: Direction) -> Result<(), EditError> {
    editor.nudge(direction, FAR)
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "object.nudge_left",
        label: "Nudge left",
        help: "Moves the selected objects one grid step to the left.",
        keys: &[Chord::plain(Key::Left)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Move"),
        repeats: true,
        run: |editor| nudge(editor, Direction::Left),
        ..ROW
    },
    Command {
        id: "object.nudge_right",
        label: "Nudge right",
        help: "Moves the selected objects one grid step to the right.",
        keys: &[Chord::plain(Key::Right)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Move"),
        repeats: true,
        run: |editor| nudge(editor, Direction::Right),
        ..ROW
    },
    Command {
        id: "object.nudge_up",
        label: "Nudge up, or forward in 3D",
        help: "Moves the selected objects one grid step up in a 2D view, forward in 3D.",
        keys: &[Chord::plain(Key::Up)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Move"),
        repeats: true,
        run: |editor| nudge(editor, Direction::Up),
        ..ROW
    },
    Command {
        id: "object.nudge_down",
        label: "Nudge down, or back in 3D",
        help: "Moves the selected objects one grid step down in a 2D view, back in 3D.",
        keys: &[Chord::plain(Key::Down)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Move"),
        repeats: true,
        run: |editor| nudge(editor, Direction::Down),
        ..ROW
    },
    Command {
        id: "object.nudge_away",
        label: "Nudge deeper, or up in 3D",
        help: "Moves the selected objects one grid step away from the viewer in a 2D view, up in 3D.",
        keys: &[Chord::plain(Key::PageUp)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Move"),
        repeats: true,
        run: |editor| nudge(editor, Direction::PageUp),
        ..ROW
    },
    Command {
        id: "object.nudge_near",
        label: "Nudge nearer, or down in 3D",
        help: "Moves the selected objects one grid step towards the viewer in a 2D view, down in 3D.",
        keys: &[Chord::plain(Key::PageDown)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Move"),
        repeats: true,
        run: |editor| nudge(editor, Direction::PageDown),
        ..ROW
    },
    Command {
        id: "object.nudge_far_left",
        label: "Nudge far left",
        help: "Moves the selected objects eight grid steps to the left.",
        keys: &[Chord::shift(Key::Left)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Move"),
        repeats: true,
        run: |editor| nudge_far(editor, Direction::Left),
        ..ROW
    },
    Command {
        id: "object.nudge_far_right",
        label: "Nudge far right",
        help: "Moves the selected objects eight grid steps to the right.",
        keys: &[Chord::shift(Key::Right)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Move"),
        repeats: true,
        run: |editor| nudge_far(editor, Direction::Right),
        ..ROW
    },
    Command {
        id: "object.nudge_far_up",
        label: "Nudge far up, or forward in 3D",
        help: "Moves the selected objects eight grid steps up in a 2D view, forward in 3D.",
        keys: &[Chord::shift(Key::Up)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Move"),
        repeats: true,
        run: |editor| nudge_far(editor, Direction::Up),
        ..ROW
    },
    Command {
        id: "object.nudge_far_down",
        label: "Nudge far down, or back in 3D",
        help: "Moves the selected objects eight grid steps down in a 2D view, back in 3D.",
        keys: &[Chord::shift(Key::Down)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Move"),
        repeats: true,
        run: |editor| nudge_far(editor, Direction::Down),
        ..ROW
    },
    Command {
        id: "object.nudge_far_away",
        label: "Nudge far deeper, or up in 3D",
        help: "Moves the selected objects eight grid steps away from the viewer in a 2D view, up in 3D.",
        keys: &[Chord::shift(Key::PageUp)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Move"),
        repeats: true,
        run: |editor| nudge_far(editor, Direction::PageUp),
        ..ROW
    },
    Command {
        id: "object.nudge_far_near",
        label: "Nudge far nearer, or down in 3D",
        help: "Moves the selected objects eight grid steps towards the viewer in a 2D view, down in 3D.",
        keys: &[Chord::shift(Key::PageDown)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Move"),
        repeats: true,
        run: |editor| nudge_far(editor, Direction::PageDown),
        ..ROW
    },
    Command {
        id: "object.duplicate_left",
        label: "Duplicate left",
        help: "Copies the selected objects and moves the copies one grid step to the left.",
        keys: &[Chord::ctrl(Key::Left)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Duplicate"),
        repeats: false,
        run: |editor| Editor::duplicate_towards(editor, Direction::Left),
        ..ROW
    },
    Command {
        id: "object.duplicate_right",
        label: "Duplicate right",
        help: "Copies the selected objects and moves the copies one grid step to the right.",
        keys: &[Chord::ctrl(Key::Right)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Duplicate"),
        repeats: false,
        run: |editor| Editor::duplicate_towards(editor, Direction::Right),
        ..ROW
    },
    Command {
        id: "object.duplicate_up",
        label: "Duplicate up, or forward in 3D",
        help: "Copies the selected objects and moves the copies one grid step up in a 2D view, forward in 3D.",
        keys: &[Chord::ctrl(Key::Up)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Duplicate"),
        repeats: false,
        run: |editor| Editor::duplicate_towards(editor, Direction::Up),
        ..ROW
    },
    Command {
        id: "object.duplicate_down",
        label: "Duplicate down, or back in 3D",
        help: "Copies the selected objects and moves the copies one grid step down in a 2D view, back in 3D.",
        keys: &[Chord::ctrl(Key::Down)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Duplicate"),
        repeats: false,
        run: |editor| Editor::duplicate_towards(editor, Direction::Down),
        ..ROW
    },
    Command {
        id: "object.duplicate_away",
        label: "Duplicate deeper, or up in 3D",
        help: "Copies the selected objects and moves the copies one grid step away from the viewer in a 2D view, up in 3D.",
        keys: &[Chord::ctrl(Key::PageUp)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Duplicate"),
        repeats: false,
        run: |editor| Editor::duplicate_towards(editor, Direction::PageUp),
        ..ROW
    },
    Command {
        id: "object.duplicate_near",
        label: "Duplicate nearer, or down in 3D",
        help: "Copies the selected objects and moves the copies one grid step towards the viewer in a 2D view, down in 3D.",
        keys: &[Chord::ctrl(Key::PageDown)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Duplicate"),
        repeats: false,
        run: |editor| Editor::duplicate_towards(editor, Direction::PageDown),
        ..ROW
    },
    Command {
        id: "object.hide",
        label: "Hide",
        help: "Hides the selected objects; they are still saved and built.",
        menu: menu(0),
        keys: &[Chord::ctrl_alt(Key::Letter('I'))],
        enabled: has_selection,
        run: |editor| {
            editor.hide_selection();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "object.isolate",
        label: "Isolate",
        help: "Hides everything but the selected objects.",
        menu: menu(0),
        keys: &[Chord::ctrl(Key::Letter('I'))],
        enabled: has_selection,
        run: |editor| {
            editor.isolate_selection();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "object.show_all",
        label: "Show all",
        help: "Shows every hidden object.",
        menu: menu(0),
        keys: &[Chord::ctrl_shift(Key::Letter('I'))],
        enabled: |editor| {
            if editor.look.hidden.is_empty() {
                Err("Nothing is hidden")
            } else {
                Ok(())
            }
        },
        run: |editor| {
            editor.show_all();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "object.lock",
        label: "Lock",
        help: "The selected objects can no longer be picked.",
        menu: menu(1),
        enabled: has_selection,
        run: |editor| {
            editor.lock_selection();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "object.unlock_all",
        label: "Unlock all",
        help: "Every locked object can be picked again.",
        menu: menu(1),
        enabled: |editor| {
            if editor.look.locked.is_empty() {
                Err("Nothing is locked")
            } else {
                Ok(())
            }
        },
        run: |editor| {
            editor.unlock_all();
            Ok(())
        },
        ..ROW
    },
];
