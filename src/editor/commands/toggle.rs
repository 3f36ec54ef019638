//! What the view under the pointer shows besides the map's surfaces (VIEW-2).

use super::Command;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use crate::editor::toggles::Toggle;

/// A row that turns one thing on and off.
macro_rules! toggle {
    ($what:expr, $group:expr, $label:expr, $help:expr) => {
        Command {
            id: $what.command(),
            label: $label,
            help: $help,
            menu: Menu::new(MenuTitle::Shown, $group),
            enabled: |editor| editor.can_show($what),
            checked: Some(|editor| editor.shows(editor.active_pane(), $what)),
            run: |editor| {
                editor.turn_shown(editor.active_pane(), $what);
                Ok(())
            },
            ..ROW
        }
    };
}

pub(super) static COMMANDS: &[Command] = &[
    toggle!(
        Toggle::Edges,
        0,
        "Edges",
        "Draws the edges of brushes over their faces."
    ),
    toggle!(
        Toggle::Entities,
        0,
        "Entities",
        "Shows point entities; without them they cannot be picked."
    ),
    toggle!(Toggle::Names, 0, "Names", "Writes names over entities."),
    toggle!(
        Toggle::Links,
        1,
        "Links",
        "Draws arrows between selected entities and those that name them or are named by them."
    ),
    toggle!(
        Toggle::AllLinks,
        1,
        "Links of all entities",
        "Draws arrows from every entity to those that it names."
    ),
    toggle!(
        Toggle::Bounds,
        1,
        "Bounds",
        "Draws boxes along the axes around selected objects."
    ),
    toggle!(
        Toggle::AllBounds,
        1,
        "Bounds of all objects",
        "Draws boxes along the axes around all objects, groups and entities with brushes."
    ),
    toggle!(
        Toggle::Tools,
        2,
        "Tool materials",
        "Shows clips, triggers and other faces that players do not see."
    ),
    toggle!(
        Toggle::Sky,
        2,
        "Sky",
        "Draws faces of sky materials as the sky; without it one sees through them."
    ),
    toggle!(
        Toggle::Fog,
        2,
        "Fog",
        "Draws textured faces in the fog that the world's keys ask for."
    ),
    toggle!(
        Toggle::Portals,
        3,
        "Portals",
        "Shows the openings between the empty cells of the last build."
    ),
    toggle!(
        Toggle::Collision,
        3,
        "Collision",
        "Shows what one bumps into in the last build."
    ),
    toggle!(
        Toggle::Overdraw,
        3,
        "Overdraw",
        "Shows how many faces lie over each other: the brighter, the more."
    ),
];
