//! Commands for hands that come from another editor (table 10.2 of the interactions): most have no key by default.

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use crate::editor::ToolAction;
use crate::editor::ToolKind;
use crate::editor::pointer::LeftUse;
use crate::editor::request::StatusKind;

/// What marks a class of decals in definitions and maps.
const DECAL: &str = "infodecal";

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "tool.vertex_cycle",
        label: "Vertices or edges",
        help: "Takes the vertex tool; again the edge tool, and back.",
        run: |editor| {
            editor.set_tool(if editor.tool() == ToolKind::Vertex {
                ToolKind::Edge
            } else {
                ToolKind::Vertex
            });
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.clip_cycle",
        label: "Clip, then its sides",
        help: "Takes the clip tool; again keeps the other side, or both.",
        run: |editor| {
            if editor.tool() == ToolKind::Clip {
                return editor.tool_action(ToolAction::Cycle);
            }
            editor.set_tool(ToolKind::Clip);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "tool.decal",
        label: "Decal",
        help: "Each click places a decal: an entity of the class infodecal.",
        enabled: |editor| {
            if editor.definitions().find(DECAL).is_some() {
                Ok(())
            } else {
                Err("The loaded definitions have no infodecal")
            }
        },
        run: |editor| {
            editor.set_entity_class(DECAL);
            editor.set_tool(ToolKind::Entity);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.zoom_tool",
        label: "Zoom with the left button",
        help: "In 2D views a click zooms in, with Alt out, until this is switched off.",
        menu: Menu::new(MenuTitle::View, 7),
        checked: Some(|editor| editor.left_use() == LeftUse::Zoom),
        run: |editor| {
            editor.use_left_for(LeftUse::Zoom);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.camera_tool",
        label: "Camera with the left button",
        help: "The left button looks around in 3D and puts and aims the camera in 2D, until this is switched off.",
        menu: Menu::new(MenuTitle::View, 7),
        checked: Some(|editor| editor.left_use() == LeftUse::Camera),
        run: |editor| {
            editor.use_left_for(LeftUse::Camera);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.centre_flat",
        label: "Centre 2D views on the selection",
        help: "Moves the 2D views to the selection without zooming.",
        menu: Menu::new(MenuTitle::View, 7),
        enabled: super::has_selection,
        run: |editor| {
            editor.centre_views(true);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.centre_3d",
        label: "Centre the 3D view on the selection",
        help: "Moves the camera so that the selection is in the middle.",
        menu: Menu::new(MenuTitle::View, 7),
        enabled: super::has_selection,
        run: |editor| {
            editor.centre_views(false);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "select.ignore_groups",
        label: "Ignore groups",
        help: "Clicks take single objects even inside of groups.",
        menu: Menu::new(MenuTitle::Select, 4),
        checked: Some(|editor| editor.settings.ignore_groups),
        run: |editor| {
            let on = !editor.settings.ignore_groups;
            editor.settings.ignore_groups = on;
            editor.say(
                StatusKind::Info,
                if on {
                    "Clicks take single objects, also inside of groups"
                } else {
                    "Clicks take whole groups"
                },
            );
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "map.run",
        label: "Build and walk",
        help: "Starts a build and walks from the player start at once.",
        menu: Menu::new(MenuTitle::Map, 1),
        when: Context::GLOBAL,
        run: |editor| {
            editor.build();
            editor.run("map.walk_from_start")
        },
        ..ROW
    },
];
