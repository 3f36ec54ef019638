//! Vertices, edges, faces, meshes (VTX-1 to VTX-7, MSH-1).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::has_objects;
use crate::document::EditError;
use crate::document::ops::components;
use crate::document::ops::meshes;
use crate::editor::Editor;
use crate::editor::StatusKind;
use crate::editor::ToolKind;
use crate::editor::commands::SelectionClass;
use crate::editor::edits;
use crate::editor::input::Chord;
use crate::editor::input::Key;
use crate::editor::input::Modifiers;
use crate::editor::tools::ToolAction;
use crate::geometry::Grid;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Brush, group)
}

/// Tool and objects: so it shares keys with commands for faces that are selected by themselves.
const fn of_tool(tool: ToolKind) -> Context {
    Context {
        selection: Some(SelectionClass::Objects),
        ..Context::of_tool(tool)
    }
}

fn has_component_tool(editor: &Editor) -> Result<(), &'static str> {
    if matches!(
        editor.tool(),
        ToolKind::Vertex | ToolKind::Edge | ToolKind::Face
    ) {
        Ok(())
    } else {
        Err("Take the vertex, edge or face tool first (V, E, F)")
    }
}

fn has_edge_tool(editor: &Editor) -> Result<(), &'static str> {
    if editor.tool() == ToolKind::Edge {
        Ok(())
    } else {
        Err("Take the edge tool and pick edges first (E)")
    }
}

fn has_face_tool(editor: &Editor) -> Result<(), &'static str> {
    if editor.tool() == ToolKind::Face {
        Ok(())
    } else {
        Err("Take the face tool and pick polygons of a mesh first (F)")
    }
}

fn has_any(editor: &Editor, mesh: bool) -> bool {
    let state = editor.history().committed();
    components::shaped_objects(&state.doc, &state.selection)
        .into_iter()
        .any(|id| {
            state
                .doc
                .object(id)
                .is_some_and(|object| object.mesh().is_some() == mesh)
        })
}

fn has_meshes(editor: &Editor) -> Result<(), &'static str> {
    if has_any(editor, true) {
        Ok(())
    } else {
        Err("Select meshes first")
    }
}

fn has_brushes(editor: &Editor) -> Result<(), &'static str> {
    has_objects(editor)?;
    if has_any(editor, false) {
        Ok(())
    } else {
        Err("Select brushes first")
    }
}

fn split(editor: &mut Editor) -> Result<(), EditError> {
    editor.tool_action(ToolAction::Split)
}

const SPLIT: Command = Command {
    label: "Split",
    help: "Cuts brushes in two through two picked vertices or edges of a face; meshes get an edge there.",
    keys: &[Chord::plain(Key::Letter('K'))],
    enabled: has_component_tool,
    step: Some("Split"),
    run: split,
    ..ROW
};

const DISSOLVE: Command = Command {
    label: "Dissolve",
    help: "Joins the polygons of meshes at the picked edges and vertices, or the picked polygons.",
    keys: &[Chord::ctrl(Key::Delete)],
    enabled: has_component_tool,
    step: Some("Dissolve"),
    run: |editor| editor.tool_action(ToolAction::Dissolve),
    ..ROW
};

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "vertex.snap_integer",
        label: "Snap vertices to integers",
        help: "Puts the picked vertices, or all of the selected brushes and meshes, on whole numbers.",
        menu: menu(6),
        keys: &[Chord::ctrl_shift(Key::Letter('V'))],
        enabled: has_objects,
        step: Some("Snap vertices"),
        run: |editor| editor.snap_vertices(Grid::new(1.0)),
        ..ROW
    },
    Command {
        id: "vertex.snap_grid",
        label: "Snap vertices to grid",
        help: "Puts the picked vertices, or all of the selected brushes and meshes, on the grid.",
        menu: menu(6),
        keys: &[Chord::new(
            Modifiers {
                ctrl: true,
                shift: true,
                alt: true,
            },
            Key::Letter('V'),
        )],
        enabled: has_objects,
        step: Some("Snap vertices"),
        run: |editor| {
            let grid = Grid {
                enabled: true,
                ..editor.grid
            };
            editor.snap_vertices(grid)
        },
        ..ROW
    },
    Command {
        id: "vertex.split",
        menu: menu(6),
        when: of_tool(ToolKind::Vertex),
        ..SPLIT
    },
    Command {
        id: "vertex.split_edges",
        when: of_tool(ToolKind::Edge),
        ..SPLIT
    },
    Command {
        id: "vertex.split_faces",
        when: of_tool(ToolKind::Face),
        ..SPLIT
    },
    Command {
        id: "vertex.bevel",
        label: "Bevel",
        help: "Cuts the picked edges of brushes off; width and steps stay live in the tool bar.",
        menu: menu(6),
        keys: &[Chord::new(Modifiers::ALT, Key::Letter('B'))],
        when: of_tool(ToolKind::Edge),
        enabled: has_edge_tool,
        step: Some("Bevel"),
        run: |editor| editor.tool_action(ToolAction::Bevel),
        ..ROW
    },
    Command {
        id: "mesh.make",
        label: "To mesh",
        help: "Makes the selected brushes meshes, whose vertices move freely.",
        menu: menu(7),
        keys: &[Chord::ctrl_shift(Key::Letter('T'))],
        enabled: has_brushes,
        step: Some("To mesh"),
        run: |editor| {
            let ids = edits::roots(editor.doc(), editor.selection());
            let lost = meshes::losses(editor.doc(), &ids);
            let rest = meshes::rest_as_meshes(editor.doc(), &ids);
            editor.commit(&meshes::to_meshes(ids))?;
            if let Some(lost) = lost {
                editor.say(StatusKind::Error, lost);
            } else if rest {
                const PLAIN: &str =
                    "A mesh does nothing of its own: water, clip, sky come back with To brushes";
                editor.say(StatusKind::Info, PLAIN);
            }
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "mesh.to_brushes",
        label: "To brushes",
        help: "Makes the selected closed meshes convex brushes.",
        menu: menu(7),
        enabled: has_meshes,
        step: Some("To brushes"),
        run: |editor| {
            let ids = edits::roots(editor.doc(), editor.selection());
            editor.commit(&meshes::to_brushes(ids))
        },
        ..ROW
    },
    Command {
        id: "mesh.inset",
        label: "Inset polygons",
        help: "Makes a smaller polygon inside of each picked one; the width stays live in the tool bar.",
        menu: menu(7),
        // `I` is `face.inset`, which comes here with polygons of meshes.
        keys: &[],
        when: of_tool(ToolKind::Face),
        enabled: has_face_tool,
        step: Some("Inset"),
        run: |editor| editor.tool_action(ToolAction::Inset),
        ..ROW
    },
    Command {
        id: "mesh.dissolve",
        menu: menu(7),
        when: of_tool(ToolKind::Vertex),
        ..DISSOLVE
    },
    Command {
        id: "mesh.dissolve_edges",
        when: of_tool(ToolKind::Edge),
        ..DISSOLVE
    },
    Command {
        id: "mesh.dissolve_faces",
        when: of_tool(ToolKind::Face),
        ..DISSOLVE
    },
    Command {
        id: "mesh.flip",
        label: "Flip normals",
        help: "Turns the picked polygons, or the selected meshes, inside out.",
        menu: menu(7),
        keys: &[Chord::plain(Key::Letter('N'))],
        enabled: has_meshes,
        step: Some("Flip normals"),
        run: |editor| editor.commit(&meshes::flip()),
        ..ROW
    },
];
