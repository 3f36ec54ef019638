//! Bookmarks, mouse-look, the field of view (CAM-8, CAM-9, CAM-11).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::ViewClass;
use crate::editor::StatusKind;
use crate::editor::View;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const MENU: Menu = Menu::new(MenuTitle::View, 5);

const IN_3D: Context = Context {
    view: Some(ViewClass::Perspective),
    ..Context::GLOBAL
};

/// Two rows for each number: keeping a view and going there.
macro_rules! bookmarks {
    ($($number:literal)*) => {
        &[$(
            Command {
                id: concat!("view.bookmark_store_", $number),
                label: concat!("Store bookmark ", $number),
                help: concat!("Keeps where the 3D view is as bookmark ", $number, " of this map."),
                keys: &[Chord::ctrl_shift(Key::Digit($number))],
                run: |editor| editor.store_bookmark($number),
                ..ROW
            },
            Command {
                id: concat!("view.bookmark_", $number),
                label: concat!("Go to bookmark ", $number),
                help: concat!("Flies the 3D view to bookmark ", $number, "."),
                keys: &[Chord::shift(Key::Digit($number))],
                run: |editor| editor.go_to_bookmark($number),
                ..ROW
            },
        )*]
    };
}

pub(super) static BOOKMARKS: &[Command] = bookmarks!(1 2 3 4 5 6 7 8 9);

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "view.mouse_look",
        label: "Look with the mouse",
        help: "The mouse turns the view without a button; what it does happens at the crosshair.",
        menu: MENU,
        keys: &[Chord::plain(Key::Letter('Z'))],
        when: IN_3D,
        checked: Some(|editor| editor.mouse_look().is_some()),
        run: |editor| {
            editor.toggle_mouse_look();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.reset_zoom",
        label: "Reset the field of view",
        help: "Takes back what Shift and the wheel zoomed.",
        menu: MENU,
        keys: &[Chord::ctrl_alt(Key::Letter('Z'))],
        run: |editor| {
            let normal = View::default().fov_y_deg;
            for view in &mut editor.views {
                view.fov_y_deg = normal;
            }
            editor.say(StatusKind::Info, format!("Field of view {normal} degrees"));
            Ok(())
        },
        ..ROW
    },
];
