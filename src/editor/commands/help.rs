//! Help, palette, panels (HELP-1).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use crate::editor::Request;
use crate::editor::input::Chord;
use crate::editor::input::Key;
use crate::editor::request::Panel;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Help, group)
}

const fn view_menu(group: u8) -> Menu {
    Menu::new(MenuTitle::View, group)
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "help.keys",
        label: "Keys that work now",
        help: "Shows what keys and mouse do for this tool and selection.",
        menu: menu(0),
        keys: &[Chord::plain(Key::F(1))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::Help);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "help.palette",
        label: "Command palette...",
        help: "Finds any command by a few letters.",
        menu: menu(0),
        keys: &[Chord::ctrl_shift(Key::Letter('P'))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::CommandPalette);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "help.shortcuts",
        label: "Shortcuts...",
        help: "Shows and changes the keys of all commands.",
        menu: menu(0),
        run: |editor| {
            editor.request(Request::Shortcuts);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "help.about",
        label: "About Mapwright",
        help: "Version, licences.",
        menu: menu(1),
        run: |editor| {
            editor.request(Request::About);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.history",
        label: "History panel",
        help: "Shows the steps that were made; a click goes to one.",
        menu: view_menu(6),
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::History));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.cameras",
        label: "Cameras panel",
        help: "Shows the views that are kept with the map.",
        menu: view_menu(6),
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::Cameras));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.map",
        label: "Map panel",
        help: "Shows the map panel.",
        menu: view_menu(6),
        keys: &[Chord::ctrl(Key::Digit(1))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::Map));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.entity",
        label: "Entity panel",
        help: "Shows the entity panel.",
        menu: view_menu(6),
        keys: &[Chord::ctrl(Key::Digit(2))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::Entity));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.face",
        label: "Face panel",
        help: "Shows the face panel.",
        menu: view_menu(6),
        keys: &[Chord::ctrl(Key::Digit(3))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::Face));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.log",
        label: "Log",
        help: "Shows the log.",
        menu: view_menu(6),
        keys: &[Chord::ctrl(Key::Digit(4))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::Log));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.all",
        label: "All panels",
        help: "Shows all panels.",
        menu: view_menu(6),
        keys: &[Chord::ctrl(Key::Digit(5))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::All));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.outliner",
        label: "Outliner",
        help: "Shows the outliner.",
        menu: view_menu(6),
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::Outliner));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.layers",
        label: "Layers",
        help: "Shows the layers panel.",
        menu: view_menu(6),
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::Layers));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.materials",
        label: "Materials",
        help: "Shows the material browser.",
        menu: view_menu(6),
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::Materials));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.problems",
        label: "Problems",
        help: "Shows the problems panel.",
        menu: view_menu(6),
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::Problems));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.import_report",
        label: "Import report",
        help: "Shows the import report.",
        menu: view_menu(6),
        enabled: |editor| {
            if editor.file.imported_from.is_some() {
                Ok(())
            } else {
                Err("This map was not imported")
            }
        },
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::ImportReport));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.next",
        label: "Next dock",
        help: "Moves the keyboard to the next dock.",
        keys: &[Chord::ctrl(Key::Tab)],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::NextDock);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "panel.previous",
        label: "Previous dock",
        help: "Moves the keyboard to the dock before.",
        keys: &[Chord::ctrl_shift(Key::Tab)],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::PreviousDock);
            Ok(())
        },
        ..ROW
    },
];
