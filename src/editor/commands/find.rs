//! Searching the map, similar objects (SEL-9, SEL-10).

use super::Command;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use crate::editor::Panel;
use crate::editor::Request;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Select, group)
}

pub(super) static COMMANDS: &[Command] = &[Command {
    id: "find.open",
    label: "Find...",
    help: "Searches classes, properties, materials, groups and numbers of everything in the map.",
    menu: menu(5),
    keys: &[Chord::ctrl_shift(Key::Letter('F'))],
    run: |editor| {
        editor.request(Request::ShowPanel(Panel::Find));
        Ok(())
    },
    ..ROW
}];
