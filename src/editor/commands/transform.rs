//! Turning, flipping, exact moves, dropping, the pivot (MOV-6 to MOV-9, ROT-1, FLP-1).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::has_objects;
use crate::editor::Editor;
use crate::editor::StatusKind;
use crate::editor::ToolAction;
use crate::editor::ToolKind;
use crate::editor::input::Chord;
use crate::editor::input::Key;
use crate::editor::input::Modifiers;
use crate::editor::transforming::Turning;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Brush, group)
}

/// Every transform stands here in the menu.
const GROUP: u8 = 2;

const ALT_SHIFT: Modifiers = Modifiers {
    ctrl: false,
    shift: true,
    alt: true,
};

fn toggled(editor: &mut Editor, name: &str, on: bool) {
    let state = if on { "on" } else { "off" };
    editor.say(StatusKind::Info, format!("{name} {state}"));
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "transform.yaw_clockwise",
        label: "Turn right about the vertical",
        help: "Turns the selection a quarter clockwise about the vertical axis, in 2D about the view's up.",
        menu: menu(GROUP),
        keys: &[Chord::alt(Key::Left)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Rotate"),
        run: |editor| editor.turn(Turning::Yaw, true),
        ..ROW
    },
    Command {
        id: "transform.yaw_counter",
        label: "Turn left about the vertical",
        help: "Turns the selection a quarter counter-clockwise about the vertical axis, in 2D about the view's up.",
        menu: menu(GROUP),
        keys: &[Chord::alt(Key::Right)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Rotate"),
        run: |editor| editor.turn(Turning::Yaw, false),
        ..ROW
    },
    Command {
        id: "transform.roll_clockwise",
        label: "Roll clockwise",
        help: "Turns the selection a quarter clockwise as you see it, about the axis nearest to the view direction.",
        menu: menu(GROUP),
        keys: &[Chord::alt(Key::Up)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Rotate"),
        run: |editor| editor.turn(Turning::Roll, true),
        ..ROW
    },
    Command {
        id: "transform.roll_counter",
        label: "Roll counter-clockwise",
        help: "Turns the selection a quarter counter-clockwise as you see it, about the axis nearest to the view direction.",
        menu: menu(GROUP),
        keys: &[Chord::alt(Key::Down)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Rotate"),
        run: |editor| editor.turn(Turning::Roll, false),
        ..ROW
    },
    Command {
        id: "transform.pitch_clockwise",
        label: "Pitch away",
        help: "Turns the selection a quarter clockwise about the axis nearest to the view's right.",
        menu: menu(GROUP),
        keys: &[Chord::alt(Key::PageUp)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Rotate"),
        run: |editor| editor.turn(Turning::Pitch, true),
        ..ROW
    },
    Command {
        id: "transform.pitch_counter",
        label: "Pitch towards the viewer",
        help: "Turns the selection a quarter counter-clockwise about the axis nearest to the view's right.",
        menu: menu(GROUP),
        keys: &[Chord::alt(Key::PageDown)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Rotate"),
        run: |editor| editor.turn(Turning::Pitch, false),
        ..ROW
    },
    Command {
        id: "transform.flip",
        label: "Flip left-right",
        help: "Mirrors the selection left to right as you see it, through the pivot.",
        menu: menu(GROUP + 1),
        keys: &[Chord::ctrl(Key::Letter('F'))],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Flip"),
        run: |editor| editor.flip(false),
        ..ROW
    },
    Command {
        id: "transform.flip_vertical",
        label: "Flip up-down",
        help: "Mirrors the selection top to bottom as you see it, through the pivot.",
        menu: menu(GROUP + 1),
        keys: &[Chord::ctrl_alt(Key::Letter('F'))],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Flip"),
        run: |editor| editor.flip(true),
        ..ROW
    },
    Command {
        id: "transform.keep_lettering",
        label: "Keep lettering readable",
        help: "Flipped textures are turned round within their faces, so that they read as before.",
        menu: menu(GROUP + 1),
        checked: Some(|editor| editor.settings.keep_lettering),
        run: |editor| {
            let on = !editor.settings.keep_lettering;
            editor.settings.keep_lettering = on;
            toggled(editor, "Readable lettering", on);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "transform.turn_entities",
        label: "Turn entities",
        help: "Entities that are turned also change the way they face.",
        menu: menu(GROUP + 1),
        checked: Some(|editor| editor.settings.turn_entities),
        run: |editor| {
            let on = !editor.settings.turn_entities;
            editor.settings.turn_entities = on;
            toggled(editor, "Turning of entities", on);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "transform.exact",
        label: "Move exactly...",
        help: "Moves, turns and scales the selection by typed numbers.",
        menu: menu(GROUP + 2),
        keys: &[Chord::ctrl_alt(Key::Letter('M'))],
        enabled: has_objects,
        checked: Some(|editor| editor.tool() == ToolKind::Exact),
        run: |editor| {
            editor.toggle_tool(ToolKind::Exact);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "transform.exact_apply",
        label: "Apply the exact move",
        help: "Makes the move that the fields say a step, and leaves the tool.",
        keys: &[Chord::plain(Key::Enter)],
        when: Context::of_tool(ToolKind::Exact),
        enabled: has_objects,
        step: Some("Move exactly"),
        run: |editor| {
            editor.tool_action(ToolAction::Apply)?;
            editor.set_tool(ToolKind::Select);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "transform.rotate_apply",
        label: "Turn by the angle",
        help: "Turns the selection by the rotate tool's angle about its axis.",
        keys: &[Chord::plain(Key::Enter)],
        when: Context::of_tool(ToolKind::Rotate),
        enabled: has_objects,
        step: Some("Rotate"),
        run: |editor| editor.tool_action(ToolAction::Apply),
        ..ROW
    },
    Command {
        id: "transform.drop",
        label: "Drop",
        help: "Each selected object falls until its bounds touch something solid.",
        menu: menu(GROUP + 2),
        keys: &[Chord::plain(Key::End)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Drop"),
        run: |editor| editor.drop_selection(false, false),
        ..ROW
    },
    Command {
        id: "transform.drop_up",
        label: "Drop up",
        help: "Each selected object rises until its bounds touch something solid.",
        menu: menu(GROUP + 2),
        keys: &[Chord::shift(Key::End)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Drop"),
        run: |editor| editor.drop_selection(true, false),
        ..ROW
    },
    Command {
        id: "transform.drop_aligned",
        label: "Drop and align",
        help: "Each selected object falls onto the surface below and turns its up axis to it.",
        menu: menu(GROUP + 2),
        keys: &[Chord::alt(Key::End)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Drop"),
        run: |editor| editor.drop_selection(false, true),
        ..ROW
    },
    Command {
        id: "transform.drop_up_aligned",
        label: "Drop up and align",
        help: "Each selected object rises onto the surface above and turns its up axis to it.",
        menu: menu(GROUP + 2),
        keys: &[Chord::new(ALT_SHIFT, Key::End)],
        when: Context::OBJECTS,
        enabled: has_objects,
        step: Some("Drop"),
        run: |editor| editor.drop_selection(true, true),
        ..ROW
    },
    Command {
        id: "transform.gizmo",
        label: "Gizmo",
        help: "Shows arms, rings and knobs at the pivot to move, turn and scale by.",
        menu: menu(GROUP + 3),
        keys: &[Chord::plain(Key::Letter('J'))],
        checked: Some(|editor| editor.gizmo),
        run: |editor| {
            editor.gizmo = !editor.gizmo;
            let on = editor.gizmo;
            toggled(editor, "Gizmo", on);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "transform.local_axes",
        label: "Local axes",
        help: "The gizmo follows the axes of the last selected object instead of the world's.",
        menu: menu(GROUP + 3),
        checked: Some(|editor| editor.gizmo_is_local),
        run: |editor| {
            editor.gizmo_is_local = !editor.gizmo_is_local;
            let on = editor.gizmo_is_local;
            toggled(editor, "Local axes", on);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "transform.reset_pivot",
        label: "Reset the pivot",
        help: "Puts the pivot back into the middle of the selection; Shift+middle click sets it.",
        menu: menu(GROUP + 3),
        enabled: |editor| {
            if editor.pivot.is_some() {
                Ok(())
            } else {
                Err("The pivot is in the middle of the selection")
            }
        },
        run: |editor| {
            editor.reset_pivot();
            Ok(())
        },
        ..ROW
    },
];
