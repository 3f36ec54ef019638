//! Selection (SEL-6, SEL-7, 0.5).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::has_faces;
use super::has_objects;
use super::has_selection;
use crate::editor::Editor;
use crate::editor::ToolAction;
use crate::editor::ToolKind;
use crate::editor::input::Chord;
use crate::editor::input::Key;
use crate::editor::similar::Likeness;
use crate::editor::volume::Relation;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Select, group)
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "select.all",
        label: "All",
        help: "Selects everything visible and not locked, in the open group.",
        menu: menu(0),
        keys: &[Chord::ctrl(Key::Letter('A'))],
        run: |editor| {
            editor.select_all();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.none",
        label: "None",
        help: "Selects nothing.",
        menu: menu(0),
        keys: &[Chord::ctrl_shift(Key::Letter('A'))],
        run: |editor| {
            editor.select_none();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.marquee_take",
        label: "Take the rectangle",
        help: "Selects what the rectangle of the 2D view holds (Hammer keys).",
        keys: &[Chord::plain(Key::Enter)],
        when: Context::of_tool(ToolKind::Select),
        enabled: |editor| {
            let waits = editor.tools.active().has_waiting_marquee();
            waits
                .then_some(())
                .ok_or("Drag a rectangle in a 2D view first")
        },
        run: |editor| editor.tool_action(ToolAction::Apply),
        ..ROW
    },
    Command {
        id: "select.invert",
        label: "Invert",
        help: "Selects what is not selected.",
        menu: menu(0),
        keys: &[Chord::ctrl_alt(Key::Letter('A'))],
        run: |editor| {
            editor.select_inverse();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.siblings",
        label: "Siblings",
        help: "Selects everything under the same entity.",
        menu: menu(0),
        keys: &[Chord::ctrl(Key::Letter('B'))],
        enabled: has_objects,
        run: |editor| {
            editor.select_siblings();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.faces_to_objects",
        label: "Faces to objects",
        help: "Selects the objects that the selected faces belong to.",
        menu: menu(1),
        keys: &[Chord::ctrl_shift(Key::Letter('O'))],
        enabled: has_faces,
        run: |editor| {
            editor.faces_to_objects();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.objects_to_faces",
        label: "Objects to faces",
        help: "Selects all faces of the selected objects.",
        menu: menu(1),
        keys: &[Chord::ctrl_alt(Key::Letter('O'))],
        enabled: has_objects,
        run: |editor| {
            editor.objects_to_faces();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.back",
        label: "Previous selection",
        help: "Selects what was selected before.",
        menu: menu(2),
        keys: &[Chord::ctrl(Key::BracketLeft)],
        run: Editor::selection_back,
        ..ROW
    },
    Command {
        id: "select.forward",
        label: "Next selection",
        help: "Selects what was selected after.",
        menu: menu(2),
        keys: &[Chord::ctrl(Key::BracketRight)],
        run: Editor::selection_forward,
        ..ROW
    },
    Command {
        id: "select.touching",
        label: "Touching",
        help: "Selects everything that touches the selected brushes, which are deleted.",
        menu: menu(3),
        keys: &[Chord::ctrl(Key::Letter('T'))],
        enabled: has_objects,
        step: Some("Select touching"),
        run: |editor| editor.select_by_volume(Relation::Touching, false),
        ..ROW
    },
    Command {
        id: "select.inside",
        label: "Inside",
        help: "Selects everything inside of the selected brushes, which are deleted.",
        menu: menu(3),
        keys: &[Chord::ctrl(Key::Letter('E'))],
        enabled: has_objects,
        step: Some("Select touching"),
        run: |editor| editor.select_by_volume(Relation::Inside, false),
        ..ROW
    },
    Command {
        id: "select.tall",
        label: "Inside, at any depth",
        help: "Selects everything inside the outline of the selected brushes in the 2D view; they are deleted.",
        menu: menu(3),
        keys: &[Chord::ctrl_shift(Key::Letter('E'))],
        enabled: has_objects,
        step: Some("Select touching"),
        run: |editor| editor.select_by_volume(Relation::Tall, false),
        ..ROW
    },
    Command {
        id: "select.touching_keep",
        label: "Touching, keep the brushes",
        help: "Selects everything that touches the selected brushes.",
        menu: menu(3),
        keys: &[],
        enabled: has_objects,
        run: |editor| editor.select_by_volume(Relation::Touching, true),
        ..ROW
    },
    Command {
        id: "select.inside_keep",
        label: "Inside, keep the brushes",
        help: "Selects everything inside of the selected brushes.",
        menu: menu(3),
        keys: &[],
        enabled: has_objects,
        run: |editor| editor.select_by_volume(Relation::Inside, true),
        ..ROW
    },
    Command {
        id: "select.tall_keep",
        label: "Inside at any depth, keep the brushes",
        help: "Selects everything inside the outline of the selected brushes in the 2D view.",
        menu: menu(3),
        keys: &[],
        enabled: has_objects,
        run: |editor| editor.select_by_volume(Relation::Tall, true),
        ..ROW
    },
    Command {
        id: "select.same_class",
        label: "Same class",
        help: "Selects everything of the same class or kind.",
        menu: menu(4),
        enabled: has_selection,
        run: |editor| editor.select_similar(Likeness::Class),
        ..ROW
    },
    Command {
        id: "select.same_material",
        label: "Same material",
        help: "Selects everything that has a material of the selection on any face.",
        menu: menu(4),
        enabled: has_selection,
        run: |editor| editor.select_similar(Likeness::Material),
        ..ROW
    },
    Command {
        id: "select.same_size",
        label: "Same size",
        help: "Selects everything as large as one of the selected objects.",
        menu: menu(4),
        enabled: has_selection,
        run: |editor| editor.select_similar(Likeness::Size),
        ..ROW
    },
    Command {
        id: "select.same_layer",
        label: "Same layer",
        help: "Selects everything in the layers of the selection.",
        menu: menu(4),
        enabled: has_selection,
        run: |editor| editor.select_similar(Likeness::Layer),
        ..ROW
    },
];
