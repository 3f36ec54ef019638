//! Files (DOC-1, DOC-3).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use crate::editor::Request;
use crate::editor::input::Chord;
use crate::editor::input::Key;
use crate::formats::ImportOptions;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::File, group)
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "file.new",
        label: "New",
        help: "Starts an empty map.",
        menu: menu(0),
        keys: &[Chord::ctrl(Key::Letter('N'))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::New);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "file.open",
        label: "Open...",
        help: "Opens a map of any supported format, known by its content.",
        menu: menu(0),
        keys: &[Chord::ctrl(Key::Letter('O'))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::Open);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "file.save",
        label: "Save",
        help: "Saves the map and builds it in the background.",
        menu: menu(1),
        keys: &[Chord::ctrl(Key::Letter('S'))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.save();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "file.save_as",
        label: "Save as...",
        help: "Saves the map under another name.",
        menu: menu(1),
        keys: &[Chord::ctrl_shift(Key::Letter('S'))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.ask_for_name();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "file.export",
        label: "Export...",
        help: "Writes the map for another game (Cube 2); what its format cannot say is listed.",
        menu: menu(1),
        when: Context::ALWAYS,
        run: |editor| {
            editor.ask_for_export();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "file.reload",
        label: "Reload from disk",
        help: "Reads the map's file again; what was not saved is lost.",
        menu: menu(1),
        enabled: |editor| {
            if editor.file.path.is_some() {
                Ok(())
            } else {
                Err("The map has no file yet")
            }
        },
        run: |editor| {
            if let Some(path) = editor.file.path.clone() {
                editor.request(Request::OpenPath(path));
            }
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "file.import_carving",
        label: "Import again, keep carving brushes",
        help: "Reads the Unreal map again; brushes that carve stay so instead of the pieces that they leave. What was not saved is lost.",
        menu: menu(1),
        enabled: |editor| {
            if editor.file.imported_from.is_some() && editor.report.format == "unr" {
                Ok(())
            } else {
                Err("This map was not imported from Unreal")
            }
        },
        run: |editor| {
            let options = ImportOptions {
                keeps_carving: true,
                ..ImportOptions::default()
            };
            if let Some(path) = editor.file.imported_from.clone() {
                editor.request(Request::ImportPath(path, options));
            }
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "file.reload_materials",
        label: "Reload materials",
        help: "Looks for textures again.",
        menu: menu(2),
        keys: &[Chord::plain(Key::F(5))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::ReloadMaterials);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "file.reload_definitions",
        label: "Reload entity definitions",
        help: "Reads the entity definitions again.",
        menu: menu(2),
        keys: &[Chord::plain(Key::F(6))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.reload_definitions();
            editor.request(Request::ReloadDefinitions);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "file.close",
        label: "Close map",
        help: "Closes the map; asks about unsaved work.",
        menu: menu(3),
        keys: &[Chord::ctrl(Key::F(4))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::Close);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "file.quit",
        label: "Quit",
        help: "Leaves Mapwright; asks about unsaved work.",
        menu: menu(3),
        keys: &[Chord::alt(Key::F(4))],
        when: Context::ALWAYS,
        run: |editor| {
            editor.request(Request::Quit);
            Ok(())
        },
        ..ROW
    },
];
