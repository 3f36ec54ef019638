//! The grid (GRID-1): its step, its origin, whether it shows and snaps.

use glam::DVec3;

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::has_selection;
use crate::editor::StatusKind;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::View, group)
}

/// Grid keys work in the middle of a drag.
const IN_DRAG: Context = Context {
    in_drag: true,
    ..Context::GLOBAL
};

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "grid.show",
        label: "Grid",
        help: "Shows or hides the grid.",
        menu: menu(5),
        keys: &[Chord::plain(Key::Digit(0))],
        when: IN_DRAG,
        checked: Some(|editor| editor.grid_shown),
        run: |editor| {
            editor.toggle_grid();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.snap",
        label: "Snap to grid",
        help: "Positions fall on the grid.",
        menu: menu(5),
        keys: &[Chord::alt(Key::Digit(0))],
        when: IN_DRAG,
        checked: Some(|editor| editor.grid.enabled),
        run: |editor| {
            editor.grid.enabled = !editor.grid.enabled;
            let text = if editor.grid.enabled {
                "Snapping to the grid"
            } else {
                "Not snapping"
            };
            editor.say(StatusKind::Info, text);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.smaller",
        label: "Smaller grid",
        help: "Halves the grid step.",
        menu: menu(5),
        keys: &[Chord::plain(Key::BracketLeft), Chord::plain(Key::Minus)],
        when: IN_DRAG,
        repeats: true,
        run: |editor| {
            editor.scale_grid(0.5);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.larger",
        label: "Larger grid",
        help: "Doubles the grid step.",
        menu: menu(5),
        keys: &[Chord::plain(Key::BracketRight), Chord::plain(Key::Plus)],
        when: IN_DRAG,
        repeats: true,
        run: |editor| {
            editor.scale_grid(2.0);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.origin_here",
        label: "Grid origin to selection",
        help: "Lines of the grid run through the least corner of the selection, or through the pivot that was set.",
        menu: menu(5),
        enabled: has_selection,
        run: |editor| {
            editor.put_grid_origin();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.origin_reset",
        label: "Reset grid origin",
        help: "Lines of the grid run through the origin of the map again.",
        menu: menu(5),
        enabled: |editor| {
            if editor.grid.origin == DVec3::ZERO {
                Err("The grid runs through the origin of the map")
            } else {
                Ok(())
            }
        },
        run: |editor| {
            editor.set_grid_origin(DVec3::ZERO);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.set_1",
        label: "Grid 1",
        help: "Sets the grid step to 1.",
        keys: &[Chord::plain(Key::Digit(1))],
        when: IN_DRAG,
        run: |editor| {
            editor.set_grid(1.0);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.set_2",
        label: "Grid 2",
        help: "Sets the grid step to 2.",
        keys: &[Chord::plain(Key::Digit(2))],
        when: IN_DRAG,
        run: |editor| {
            editor.set_grid(2.0);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.set_4",
        label: "Grid 4",
        help: "Sets the grid step to 4.",
        keys: &[Chord::plain(Key::Digit(3))],
        when: IN_DRAG,
        run: |editor| {
            editor.set_grid(4.0);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.set_8",
        label: "Grid 8",
        help: "Sets the grid step to 8.",
        keys: &[Chord::plain(Key::Digit(4))],
        when: IN_DRAG,
        run: |editor| {
            editor.set_grid(8.0);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.set_16",
        label: "Grid 16",
        help: "Sets the grid step to 16.",
        keys: &[Chord::plain(Key::Digit(5))],
        when: IN_DRAG,
        run: |editor| {
            editor.set_grid(16.0);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.set_32",
        label: "Grid 32",
        help: "Sets the grid step to 32.",
        keys: &[Chord::plain(Key::Digit(6))],
        when: IN_DRAG,
        run: |editor| {
            editor.set_grid(32.0);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.set_64",
        label: "Grid 64",
        help: "Sets the grid step to 64.",
        keys: &[Chord::plain(Key::Digit(7))],
        when: IN_DRAG,
        run: |editor| {
            editor.set_grid(64.0);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.set_128",
        label: "Grid 128",
        help: "Sets the grid step to 128.",
        keys: &[Chord::plain(Key::Digit(8))],
        when: IN_DRAG,
        run: |editor| {
            editor.set_grid(128.0);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "grid.set_256",
        label: "Grid 256",
        help: "Sets the grid step to 256.",
        keys: &[Chord::plain(Key::Digit(9))],
        when: IN_DRAG,
        run: |editor| {
            editor.set_grid(256.0);
            Ok(())
        },
        ..ROW
    },
];
