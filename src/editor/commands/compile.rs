//! Building, walking, problems (RUN-1, RUN-5, ISS-1).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::Walking;
use crate::editor::Editor;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Map, group)
}

/// Also while walking, but not while typing.
const WALK_TOO: Context = Context {
    walking: Walking::Also,
    ..Context::GLOBAL
};

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "map.build",
        label: "Build",
        help: "Builds geometry, collision and light in the background, without saving.",
        menu: menu(0),
        keys: &[Chord::plain(Key::F(9))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.build();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "map.cancel_build",
        label: "Cancel build",
        help: "Stops the running build; the last finished one stays.",
        menu: menu(0),
        enabled: |editor| {
            if editor.build_progress().is_some() {
                Ok(())
            } else {
                Err("No build is running")
            }
        },
        run: |editor| {
            editor.cancel_build();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "map.build_on_save",
        label: "Build on save",
        help: "Each save starts a build.",
        menu: menu(0),
        checked: Some(|editor| editor.settings.build_on_save),
        run: |editor| {
            editor.settings.build_on_save = !editor.settings.build_on_save;
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "map.keep_original_light",
        label: "Keep original light",
        help: "Builds, and with them the saved map, keep the light that an imported map came with; lights shine on what it has no light for.",
        menu: menu(0),
        enabled: Editor::has_original_light,
        checked: Some(Editor::keeps_original_light),
        run: Editor::toggle_keeping_original_light,
        ..ROW
    },
    Command {
        id: "map.recover_brushes",
        label: "Recover brushes",
        help: "Makes brushes and meshes of a build that came without its source.",
        menu: menu(0),
        enabled: |editor| {
            if editor.is_runtime_only() {
                Ok(())
            } else {
                Err("This map has its source")
            }
        },
        step: Some("Recover brushes"),
        run: |editor| editor.recover_brushes(),
        ..ROW
    },
    Command {
        id: "map.walk",
        label: "Walk",
        help: "Walks through the map from the camera; again comes back.",
        menu: menu(1),
        keys: &[Chord::plain(Key::F(8))],
        when: WALK_TOO,
        run: |editor| editor.toggle_walk(false),
        ..ROW
    },
    Command {
        id: "map.walk_from_start",
        label: "Walk from player start",
        help: "Walks through the map from the player start.",
        menu: menu(1),
        keys: &[Chord::shift(Key::F(8))],
        when: WALK_TOO,
        run: |editor| editor.toggle_walk(true),
        ..ROW
    },
    Command {
        id: "map.walk_stay",
        label: "Stay here",
        help: "Stops walking and leaves the camera where you stand.",
        keys: &[Chord::plain(Key::Enter)],
        when: Context {
            walking: Walking::Only,
            ..Context::GLOBAL
        },
        enabled: |editor| {
            if editor.is_walking() {
                Ok(())
            } else {
                Err("Walk first (F8)")
            }
        },
        run: |editor| {
            editor.stop_walking(true);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "map.next_problem",
        label: "Next problem",
        help: "Selects and frames the next problem.",
        menu: menu(3),
        keys: &[Chord::plain(Key::F(7))],
        run: |editor| editor.step_problem(true),
        ..ROW
    },
    Command {
        id: "map.previous_problem",
        label: "Previous problem",
        help: "Selects and frames the problem before.",
        menu: menu(3),
        keys: &[Chord::shift(Key::F(7))],
        run: |editor| editor.step_problem(false),
        ..ROW
    },
];
