//! Views, render modes, framing (VIEW-1, VIEW-2, CAM-10).

use super::Command;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use crate::editor::Editor;
use crate::editor::RenderMode;
use crate::editor::ViewKind;
use crate::editor::input::Chord;
use crate::editor::input::Key;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::View, group)
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "view.cordon",
        label: "Region of work",
        help: "Dims and locks everything outside the selection's bounds; Build and Walk use only the inside. Again lifts it.",
        menu: menu(5),
        keys: &[Chord::ctrl_alt(Key::Letter('B'))],
        enabled: |editor| {
            if editor.cordon().is_some() || !editor.selection().is_empty() {
                Ok(())
            } else {
                Err("Select what to work on first: its bounds become the region")
            }
        },
        checked: Some(|editor| editor.cordon().is_some()),
        run: Editor::toggle_cordon,
        ..ROW
    },
    Command {
        id: "view.mode_lit",
        label: "Textured and lit",
        help: "Textures with the light of the last build.",
        menu: menu(0),
        keys: &[Chord::plain(Key::F(2))],
        checked: Some(|editor| editor.active_view().mode == RenderMode::Lit),
        run: |editor| {
            editor.set_mode(RenderMode::Lit);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.mode_textured",
        label: "Textured",
        help: "Textures without light.",
        menu: menu(0),
        keys: &[Chord::plain(Key::F(3))],
        checked: Some(|editor| editor.active_view().mode == RenderMode::Textured),
        run: |editor| {
            editor.set_mode(RenderMode::Textured);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.mode_flat",
        label: "Flat shaded",
        help: "Plain colours, shaded by direction.",
        menu: menu(0),
        keys: &[Chord::plain(Key::F(4))],
        checked: Some(|editor| editor.active_view().mode == RenderMode::Flat),
        run: |editor| {
            editor.set_mode(RenderMode::Flat);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.mode_wire",
        label: "Wireframe",
        help: "Edges only.",
        menu: menu(0),
        keys: &[Chord::shift(Key::F(5))],
        checked: Some(|editor| editor.active_view().mode == RenderMode::Wire),
        run: |editor| {
            editor.set_mode(RenderMode::Wire);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.original_light",
        label: "Original light",
        help: "Lit views show the light that an imported map came with instead of the last build's. Again: back.",
        menu: menu(0),
        enabled: Editor::has_original_light,
        checked: Some(Editor::shows_original_light),
        run: Editor::toggle_original_light,
        ..ROW
    },
    Command {
        id: "view.double_light",
        label: "Light twice as bright",
        help: "Lit views show light doubled, as Cube 2 does: on for its maps. What is built and saved stays the same.",
        menu: menu(0),
        checked: Some(Editor::doubles_light),
        run: |editor| {
            editor.toggle_double_light();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.kind_perspective",
        label: "3D",
        help: "Makes the view under the pointer a 3D view.",
        menu: menu(1),
        checked: Some(|editor| editor.active_view().kind == ViewKind::Perspective),
        run: |editor| {
            editor.set_kind(editor.active_pane(), ViewKind::Perspective);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.kind_top",
        label: "Top",
        help: "Makes the view under the pointer a top view.",
        menu: menu(1),
        keys: &[Chord::shift(Key::F(2))],
        checked: Some(|editor| editor.active_view().kind == ViewKind::Top),
        run: |editor| {
            editor.set_kind(editor.active_pane(), ViewKind::Top);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.kind_front",
        label: "Front",
        help: "Makes the view under the pointer a front view.",
        menu: menu(1),
        keys: &[Chord::shift(Key::F(3))],
        checked: Some(|editor| editor.active_view().kind == ViewKind::Front),
        run: |editor| {
            editor.set_kind(editor.active_pane(), ViewKind::Front);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.kind_side",
        label: "Side",
        help: "Makes the view under the pointer a side view.",
        menu: menu(1),
        keys: &[Chord::shift(Key::F(4))],
        checked: Some(|editor| editor.active_view().kind == ViewKind::Side),
        run: |editor| {
            editor.set_kind(editor.active_pane(), ViewKind::Side);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.cycle_kind",
        label: "Next kind of view",
        help: "Goes through 3D, top, front and side in the view under the pointer.",
        menu: menu(1),
        keys: &[Chord::plain(Key::Space)],
        run: |editor| {
            editor.cycle_kind();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.maximise",
        label: "Maximise view",
        help: "The view under the pointer takes all the space; again brings the others back.",
        menu: menu(2),
        keys: &[Chord::ctrl(Key::Space)],
        checked: Some(|editor| editor.layout.maximised.is_some()),
        run: |editor| {
            editor.toggle_maximised();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.panes_1",
        label: "One view",
        help: "Shows one view.",
        menu: menu(2),
        checked: Some(|editor| editor.layout.count == 1),
        run: |editor| {
            editor.set_pane_count(1);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.panes_2",
        label: "Two views",
        help: "Shows two views.",
        menu: menu(2),
        checked: Some(|editor| editor.layout.count == 2),
        run: |editor| {
            editor.set_pane_count(2);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.panes_3",
        label: "Three views",
        help: "Shows three views.",
        menu: menu(2),
        checked: Some(|editor| editor.layout.count == 3),
        run: |editor| {
            editor.set_pane_count(3);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.panes_4",
        label: "Four views",
        help: "Shows four views.",
        menu: menu(2),
        checked: Some(|editor| editor.layout.count == 4),
        run: |editor| {
            editor.set_pane_count(4);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.link_flat",
        label: "Link 2D views",
        help: "Moving one 2D view moves the others along the axes they share.",
        menu: menu(2),
        checked: Some(|editor| editor.settings.link_2d),
        run: |editor| {
            editor.settings.link_2d = !editor.settings.link_2d;
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.frame",
        label: "Frame selection",
        help: "Moves the view so that the selection fills it; without one, the map. Twice: all views.",
        menu: menu(3),
        keys: &[Chord::plain(Key::Home), Chord::ctrl(Key::Letter('U'))],
        run: |editor| {
            editor.frame();
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "view.reset_flat",
        label: "Reset 2D views",
        help: "Shows the whole map in every 2D view.",
        menu: menu(3),
        keys: &[Chord::ctrl_shift(Key::Letter('U'))],
        run: |editor| {
            editor.reset_flat_views();
            Ok(())
        },
        ..ROW
    },
];
