//! The glyphs of commands.

use crate::editor::Command;
use crate::editor::commands::MenuTitle;
use crate::shell::icons;

/// The glyph that stands before a command in lists.
#[must_use]
pub fn command_icon(command: &Command) -> char {
    let id = command.id;
    let has = |part: &str| id.contains(part);
    if has("undo") {
        icons::UNDO
    } else if has("redo") {
        icons::REDO
    } else if has("save") {
        icons::SAVE
    } else if has("open") {
        icons::FOLDER_OPEN
    } else if has("new") {
        icons::FILE_NEW
    } else if has("walk") {
        icons::WALK
    } else if has("build") {
        icons::BUILD
    } else if has("hide") || has("show") || has("isolate") {
        icons::EYE
    } else if has("lock") {
        icons::LOCK
    } else if has("grid") || has("snap") {
        icons::GRID
    } else if has("group") {
        icons::GROUP
    } else if has("layer") {
        icons::LAYERS
    } else if has("delete") {
        icons::TRASH
    } else if has("copy") || has("duplicate") || has("paste") || has("cut") {
        icons::COPY
    } else if has("problem") {
        icons::WARNING
    } else if has("frame") {
        icons::FRAME
    } else {
        match command.menu.title {
            MenuTitle::File => icons::FILE,
            MenuTitle::Edit => icons::CURSOR,
            MenuTitle::Select => icons::MARQUEE,
            MenuTitle::Brush => icons::BRUSH,
            MenuTitle::Face => icons::TEXTURE,
            MenuTitle::View | MenuTitle::Shown => icons::CAMERA,
            MenuTitle::Map => icons::MAP,
            MenuTitle::Help => icons::HELP,
            MenuTitle::Hidden => icons::COMMAND,
        }
    }
}
