//! Taking tools, and what they are told by keys (0.4, 0.6).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use crate::editor::ToolKind;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const MENU: Menu = Menu::new(MenuTitle::Edit, 2);

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "tool.leave",
        label: "Leave the tool",
        help: "Takes the selection tool at once.",
        keys: &[Chord::shift(Key::Escape)],
        when: Context {
            in_drag: true,
            ..Context::GLOBAL
        },
        run: |editor| {
            editor.set_tool(ToolKind::Select);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.select",
        label: "Select",
        help: "Click, move, push faces; draws boxes while nothing is selected.",
        menu: MENU,
        keys: &[],
        checked: Some(|editor| editor.tool() == ToolKind::Select),
        run: |editor| {
            editor.toggle_tool(ToolKind::Select);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.marquee",
        label: "Marquee",
        help: "Selects by dragging a rectangle: to the right what lies inside, to the left what it touches.",
        menu: MENU,
        keys: &[Chord::plain(Key::Letter('M'))],
        checked: Some(|editor| editor.tool() == ToolKind::Marquee),
        run: |editor| {
            editor.toggle_tool(ToolKind::Marquee);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.box",
        label: "Box",
        help: "Draws boxes and other shapes whatever is selected.",
        menu: MENU,
        keys: &[],
        checked: Some(|editor| editor.tool() == ToolKind::Box),
        run: |editor| {
            editor.toggle_tool(ToolKind::Box);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.hull",
        label: "Hull",
        help: "Makes a brush from points on the faces of others.",
        menu: MENU,
        keys: &[Chord::plain(Key::Letter('B'))],
        checked: Some(|editor| editor.tool() == ToolKind::Hull),
        run: |editor| {
            editor.toggle_tool(ToolKind::Hull);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.entity",
        label: "Entity",
        help: "Each click places an entity of the chosen class.",
        menu: MENU,
        keys: &[],
        checked: Some(|editor| editor.tool() == ToolKind::Entity),
        run: |editor| {
            editor.toggle_tool(ToolKind::Entity);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.clip",
        label: "Clip",
        help: "Cuts the selected brushes with a plane through two or three points.",
        menu: MENU,
        keys: &[Chord::plain(Key::Letter('C'))],
        checked: Some(|editor| editor.tool() == ToolKind::Clip),
        run: |editor| {
            editor.toggle_tool(ToolKind::Clip);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.vertex",
        label: "Vertices",
        help: "Handles on the vertices of the selected brushes and meshes.",
        menu: MENU,
        keys: &[Chord::plain(Key::Letter('V'))],
        checked: Some(|editor| editor.tool() == ToolKind::Vertex),
        run: |editor| {
            editor.toggle_tool(ToolKind::Vertex);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.edge",
        label: "Edges",
        help: "Handles on the edges of the selected brushes and meshes.",
        menu: MENU,
        keys: &[Chord::plain(Key::Letter('E'))],
        checked: Some(|editor| editor.tool() == ToolKind::Edge),
        run: |editor| {
            editor.toggle_tool(ToolKind::Edge);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.face",
        label: "Faces",
        help: "Handles on the faces of the selected brushes and meshes.",
        menu: MENU,
        keys: &[Chord::plain(Key::Letter('F'))],
        checked: Some(|editor| editor.tool() == ToolKind::Face),
        run: |editor| {
            editor.toggle_tool(ToolKind::Face);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.rotate",
        label: "Rotate",
        help: "Turns the selection about the pivot.",
        menu: MENU,
        keys: &[Chord::plain(Key::Letter('R'))],
        checked: Some(|editor| editor.tool() == ToolKind::Rotate),
        run: |editor| {
            editor.toggle_tool(ToolKind::Rotate);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.scale",
        label: "Scale",
        help: "Scales the selection by handles on its bounds.",
        menu: MENU,
        keys: &[Chord::plain(Key::Letter('T'))],
        checked: Some(|editor| editor.tool() == ToolKind::Scale),
        run: |editor| {
            editor.toggle_tool(ToolKind::Scale);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.shear",
        label: "Shear",
        help: "Shears the selection by the sides of its bounds.",
        menu: MENU,
        keys: &[Chord::plain(Key::Letter('G'))],
        checked: Some(|editor| editor.tool() == ToolKind::Shear),
        run: |editor| {
            editor.toggle_tool(ToolKind::Shear);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.sweep",
        label: "Sweep",
        help: "Carries the selected faces through space and fills what they pass.",
        menu: MENU,
        keys: &[Chord::plain(Key::Letter('Y'))],
        checked: Some(|editor| editor.tool() == ToolKind::Sweep),
        run: |editor| {
            editor.toggle_tool(ToolKind::Sweep);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.paint",
        label: "Paint textures",
        help: "Paints the current material over faces.",
        menu: MENU,
        keys: &[Chord::shift(Key::Letter('T'))],
        checked: Some(|editor| editor.tool() == ToolKind::Paint),
        run: |editor| {
            editor.toggle_tool(ToolKind::Paint);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.measure",
        label: "Measure",
        help: "Measures distances and angles between points.",
        menu: MENU,
        keys: &[Chord::ctrl(Key::Letter('M'))],
        checked: Some(|editor| editor.tool() == ToolKind::Measure),
        run: |editor| {
            editor.toggle_tool(ToolKind::Measure);
            Ok(())
        },
        ..ROW
    },
];
