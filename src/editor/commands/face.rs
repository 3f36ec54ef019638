//! Materials of faces (TEX-1, TEX-2).

use super::Command;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::has_faces;
use super::has_selection;
use crate::document::EditError;
use crate::document::ops;
use crate::editor::Editor;
use crate::editor::input::Chord;
use crate::editor::input::Key;
use crate::editor::input::Modifiers;
use crate::editor::request::Panel;
use crate::editor::request::Request;

use super::Context;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Face, group)
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "face.apply_material",
        label: "Apply current material",
        help: "Puts the current material on the selected faces or objects.",
        menu: menu(0),
        enabled: |editor| {
            has_selection(editor)?;
            if editor.current_material.is_some() {
                Ok(())
            } else {
                Err("Pick a material first")
            }
        },
        step: Some("Apply material"),
        run: |editor| match editor.current_material.clone() {
            Some(material) => editor.apply_material(material),
            None => Err(EditError::refused("Pick a material first")),
        },
        ..ROW
    },
    Command {
        id: "face.browse",
        label: "Show materials",
        help: "Opens the material browser.",
        menu: menu(0),
        run: |editor| {
            editor.request(Request::ShowPanel(Panel::Materials));
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "face.reset_to_face",
        label: "Reset texture to face",
        help: "Default placement of the texture in the plane of each selected face.",
        menu: menu(1),
        keys: &[Chord::shift(Key::Letter('R'))],
        when: Context::FACES,
        enabled: has_faces,
        step: Some("Reset texture"),
        run: |editor| editor.commit(&ops::faces::reset_uv(editor.selection().clone(), true)),
        ..ROW
    },
    Command {
        id: "face.reset_to_world",
        label: "Reset texture to world",
        help: "Default placement of the texture, projected along the nearest axis.",
        menu: menu(1),
        keys: &[Chord::new(
            Modifiers {
                ctrl: false,
                shift: true,
                alt: true,
            },
            Key::Letter('R'),
        )],
        when: Context::FACES,
        enabled: has_faces,
        step: Some("Reset texture"),
        run: |editor| editor.commit(&ops::faces::reset_uv(editor.selection().clone(), false)),
        ..ROW
    },
    Command {
        id: "material.texture_sizes",
        label: "Texture sizes",
        help: "Puts the placement of textures right whose pictures, and so their sizes, were missing at import.",
        menu: menu(3),
        enabled: Editor::has_known_sizes,
        step: Some("Texture sizes"),
        run: Editor::apply_texture_sizes,
        ..ROW
    },
];
