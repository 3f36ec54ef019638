//! Combining brushes (CSG-1, CSG-2, BRU-5).

use super::Command;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use crate::editor::Editor;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Brush, group)
}

fn has_brush(editor: &Editor) -> Result<(), &'static str> {
    if editor.has_brushes(1) {
        Ok(())
    } else {
        Err("Select brushes first")
    }
}

fn has_two_brushes(editor: &Editor) -> Result<(), &'static str> {
    if editor.has_brushes(2) {
        Ok(())
    } else {
        Err("Select at least two brushes first")
    }
}

fn has_carvers(editor: &Editor) -> Result<(), &'static str> {
    if editor.has_carvers() {
        Ok(())
    } else {
        Err("Select subtractive brushes first (Ctrl+Alt+K makes them)")
    }
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "csg.merge",
        label: "Convex merge",
        help: "Makes one brush of the selected ones: their convex hull.",
        menu: menu(4),
        keys: &[Chord::ctrl(Key::Letter('J'))],
        enabled: has_two_brushes,
        step: Some("Convex merge"),
        run: Editor::merge_brushes,
        ..ROW
    },
    Command {
        id: "csg.join",
        label: "Join",
        help: "Merges selected brushes whose union is convex; the space they fill stays the same. Where faces that become one look different, the larger one's look stays.",
        menu: menu(4),
        keys: &[Chord::ctrl_alt(Key::Letter('J'))],
        enabled: has_two_brushes,
        step: Some("Join"),
        run: Editor::join_brushes,
        ..ROW
    },
    Command {
        id: "csg.subtract",
        label: "Subtract",
        help: "Cuts the selected brushes out of everything visible that they reach into, and deletes them.",
        menu: menu(4),
        keys: &[Chord::ctrl(Key::Letter('K'))],
        enabled: has_brush,
        step: Some("Subtract"),
        run: |editor| editor.subtract_brushes(false),
        ..ROW
    },
    Command {
        id: "csg.subtract_keep",
        label: "Subtract and keep",
        help: "Cuts the selected brushes out of everything visible that they reach into, and keeps them.",
        menu: menu(4),
        enabled: has_brush,
        step: Some("Subtract"),
        run: |editor| editor.subtract_brushes(true),
        ..ROW
    },
    Command {
        id: "csg.intersect",
        label: "Intersect",
        help: "Leaves what all selected brushes have in common.",
        menu: menu(4),
        keys: &[Chord::ctrl(Key::Letter('L'))],
        enabled: has_two_brushes,
        step: Some("Intersect"),
        run: Editor::intersect_brushes,
        ..ROW
    },
    Command {
        id: "csg.hollow",
        label: "Hollow",
        help: "Makes rooms of the selected brushes: walls as thick as the tool bar's field says.",
        menu: menu(4),
        keys: &[Chord::ctrl_shift(Key::Letter('K'))],
        enabled: has_brush,
        step: Some("Hollow"),
        run: Editor::hollow_brushes,
        ..ROW
    },
    Command {
        id: "csg.preview",
        label: "Show before applying",
        help: "A held key of merge, join, subtract, intersect and hollow shows the result; releasing it applies, Esc drops it.",
        menu: menu(4),
        checked: Some(|editor| editor.settings.preview_csg),
        run: |editor| {
            editor.settings.preview_csg = !editor.settings.preview_csg;
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "csg.toggle_subtractive",
        label: "Subtractive",
        help: "The selected brushes carve those before them in document order, or are solid again; their neighbours stay whole.",
        menu: menu(5),
        keys: &[Chord::ctrl_alt(Key::Letter('K'))],
        enabled: has_brush,
        step: Some("Toggle subtractive"),
        run: Editor::toggle_subtractive,
        ..ROW
    },
    Command {
        id: "csg.carve_first",
        label: "Carve first",
        help: "Moves the selected subtractive brushes before everything else in document order.",
        menu: menu(5),
        enabled: has_carvers,
        step: Some("Carve first"),
        run: |editor| editor.move_carvers(false),
        ..ROW
    },
    Command {
        id: "csg.carve_last",
        label: "Carve last",
        help: "Moves the selected subtractive brushes behind everything else in document order.",
        menu: menu(5),
        enabled: has_carvers,
        step: Some("Carve last"),
        run: |editor| editor.move_carvers(true),
        ..ROW
    },
];
