//! Placing textures by keys (TEX-4, TEX-6, TEX-10, LOCK-2).

use super::Command;
use super::Context;
use super::Menu;
use super::MenuTitle;
use super::ROW;
use super::has_faces;
use crate::document::ops::texture::Align;
use crate::document::ops::texture::Cycle;
use crate::editor::Editor;
use crate::editor::input::Chord;
use crate::editor::input::Key;
use crate::editor::nudge::Direction;
use crate::editor::request::Request;
use crate::editor::request::StatusKind;
use crate::editor::texturing::has_surfaces;

const fn menu(group: u8) -> Menu {
    Menu::new(MenuTitle::Face, group)
}

/// Keys on selected faces that stay out of the menu.
const KEY: Command = Command {
    when: Context::FACES,
    enabled: has_faces,
    repeats: true,
    ..ROW
};

const SHIFT: Command = Command {
    step: Some("Shift texture"),
    ..KEY
};
const TURN: Command = Command {
    step: Some("Rotate texture"),
    ..KEY
};
const FLIP: Command = Command {
    step: Some("Flip texture"),
    repeats: false,
    menu: menu(2),
    ..KEY
};
const SCALE: Command = Command {
    step: Some("Scale texture"),
    ..KEY
};
const ALIGN: Command = Command {
    menu: menu(4),
    enabled: has_surfaces,
    ..ROW
};

/// A grid step in texels.
fn steps(editor: &Editor, count: f64) -> f64 {
    editor.grid.size * count
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        id: "face.shift_left",
        label: "Shift texture left",
        help: "Moves the texture of the selected faces by a grid step of texels to the left, as seen on screen.",
        keys: &[Chord::plain(Key::Left)],
        run: |editor| editor.shift_textures(Direction::Left, steps(editor, 1.0)),
        ..SHIFT
    },
    Command {
        id: "face.shift_right",
        label: "Shift texture right",
        help: "Moves the texture of the selected faces by a grid step of texels to the right, as seen on screen.",
        keys: &[Chord::plain(Key::Right)],
        run: |editor| editor.shift_textures(Direction::Right, steps(editor, 1.0)),
        ..SHIFT
    },
    Command {
        id: "face.shift_up",
        label: "Shift texture up",
        help: "Moves the texture of the selected faces by a grid step of texels upwards, as seen on screen.",
        keys: &[Chord::plain(Key::Up)],
        run: |editor| editor.shift_textures(Direction::Up, steps(editor, 1.0)),
        ..SHIFT
    },
    Command {
        id: "face.shift_down",
        label: "Shift texture down",
        help: "Moves the texture of the selected faces by a grid step of texels downwards, as seen on screen.",
        keys: &[Chord::plain(Key::Down)],
        run: |editor| editor.shift_textures(Direction::Down, steps(editor, 1.0)),
        ..SHIFT
    },
    Command {
        id: "face.shift_left_far",
        label: "Shift texture far left",
        help: "Moves the texture of the selected faces by two grid steps of texels to the left.",
        keys: &[Chord::shift(Key::Left)],
        run: |editor| editor.shift_textures(Direction::Left, steps(editor, 2.0)),
        ..SHIFT
    },
    Command {
        id: "face.shift_right_far",
        label: "Shift texture far right",
        help: "Moves the texture of the selected faces by two grid steps of texels to the right.",
        keys: &[Chord::shift(Key::Right)],
        run: |editor| editor.shift_textures(Direction::Right, steps(editor, 2.0)),
        ..SHIFT
    },
    Command {
        id: "face.shift_up_far",
        label: "Shift texture far up",
        help: "Moves the texture of the selected faces by two grid steps of texels upwards.",
        keys: &[Chord::shift(Key::Up)],
        run: |editor| editor.shift_textures(Direction::Up, steps(editor, 2.0)),
        ..SHIFT
    },
    Command {
        id: "face.shift_down_far",
        label: "Shift texture far down",
        help: "Moves the texture of the selected faces by two grid steps of texels downwards.",
        keys: &[Chord::shift(Key::Down)],
        run: |editor| editor.shift_textures(Direction::Down, steps(editor, 2.0)),
        ..SHIFT
    },
    Command {
        id: "face.shift_left_texel",
        label: "Shift texture left by a texel",
        help: "Moves the texture of the selected faces by one texel to the left.",
        keys: &[Chord::ctrl(Key::Left)],
        run: |editor| editor.shift_textures(Direction::Left, 1.0),
        ..SHIFT
    },
    Command {
        id: "face.shift_right_texel",
        label: "Shift texture right by a texel",
        help: "Moves the texture of the selected faces by one texel to the right.",
        keys: &[Chord::ctrl(Key::Right)],
        run: |editor| editor.shift_textures(Direction::Right, 1.0),
        ..SHIFT
    },
    Command {
        id: "face.shift_up_texel",
        label: "Shift texture up by a texel",
        help: "Moves the texture of the selected faces by one texel upwards.",
        keys: &[Chord::ctrl(Key::Up)],
        run: |editor| editor.shift_textures(Direction::Up, 1.0),
        ..SHIFT
    },
    Command {
        id: "face.shift_down_texel",
        label: "Shift texture down by a texel",
        help: "Moves the texture of the selected faces by one texel downwards.",
        keys: &[Chord::ctrl(Key::Down)],
        run: |editor| editor.shift_textures(Direction::Down, 1.0),
        ..SHIFT
    },
    Command {
        id: "face.turn",
        label: "Rotate texture",
        help: "Turns the texture of the selected faces by 15 degrees about the middle of each.",
        keys: &[Chord::plain(Key::PageUp)],
        run: |editor| editor.turn_textures(15.0),
        ..TURN
    },
    Command {
        id: "face.turn_back",
        label: "Rotate texture back",
        help: "Turns the texture of the selected faces clockwise by 15 degrees.",
        keys: &[Chord::plain(Key::PageDown)],
        run: |editor| editor.turn_textures(-15.0),
        ..TURN
    },
    Command {
        id: "face.turn_quarter",
        label: "Rotate texture by a quarter",
        help: "Turns the texture of the selected faces by 90 degrees.",
        menu: menu(2),
        keys: &[Chord::shift(Key::PageUp)],
        run: |editor| editor.turn_textures(90.0),
        ..TURN
    },
    Command {
        id: "face.turn_quarter_back",
        label: "Rotate texture back by a quarter",
        help: "Turns the texture of the selected faces clockwise by 90 degrees.",
        menu: menu(2),
        keys: &[Chord::shift(Key::PageDown)],
        run: |editor| editor.turn_textures(-90.0),
        ..TURN
    },
    Command {
        id: "face.turn_degree",
        label: "Rotate texture by a degree",
        help: "Turns the texture of the selected faces by one degree.",
        keys: &[Chord::ctrl(Key::PageUp)],
        run: |editor| editor.turn_textures(1.0),
        ..TURN
    },
    Command {
        id: "face.turn_degree_back",
        label: "Rotate texture back by a degree",
        help: "Turns the texture of the selected faces clockwise by one degree.",
        keys: &[Chord::ctrl(Key::PageDown)],
        run: |editor| editor.turn_textures(-1.0),
        ..TURN
    },
    Command {
        id: "face.flip",
        label: "Mirror texture",
        help: "Mirrors the texture of the selected faces from left to right, as seen on screen.",
        keys: &[Chord::ctrl(Key::Letter('F'))],
        run: |editor| editor.flip_textures(false),
        ..FLIP
    },
    Command {
        id: "face.flip_vertical",
        label: "Mirror texture vertically",
        help: "Mirrors the texture of the selected faces from top to bottom, as seen on screen.",
        keys: &[Chord::ctrl_alt(Key::Letter('F'))],
        run: |editor| editor.flip_textures(true),
        ..FLIP
    },
    Command {
        id: "face.scale_up",
        label: "Double the texture's scale",
        help: "Makes the picture on the selected faces twice as large.",
        keys: &[Chord::ctrl(Key::Plus)],
        run: |editor| editor.scale_textures(2.0),
        ..SCALE
    },
    Command {
        id: "face.scale_down",
        label: "Halve the texture's scale",
        help: "Makes the picture on the selected faces half as large.",
        keys: &[Chord::ctrl(Key::Minus)],
        run: |editor| editor.scale_textures(0.5),
        ..SCALE
    },
    Command {
        id: "face.scale_up_little",
        label: "Raise the texture's scale",
        help: "Makes the scale on the selected faces larger by 0.1.",
        keys: &[Chord::ctrl_shift(Key::Plus)],
        run: |editor| editor.raise_texture_scale(0.1),
        ..SCALE
    },
    Command {
        id: "face.scale_down_little",
        label: "Lower the texture's scale",
        help: "Makes the scale on the selected faces smaller by 0.1.",
        keys: &[Chord::ctrl_shift(Key::Minus)],
        run: |editor| editor.raise_texture_scale(-0.1),
        ..SCALE
    },
    Command {
        id: "face.justify_left",
        label: "Justify texture left",
        help: "Puts the left side of the picture onto the left side of each face.",
        keys: &[Chord::ctrl_shift(Key::Left)],
        step: Some("Justify texture"),
        run: |editor| editor.align_textures(Align::Left, Cycle::Next),
        ..ALIGN
    },
    Command {
        id: "face.justify_right",
        label: "Justify texture right",
        help: "Puts the right side of the picture onto the right side of each face.",
        keys: &[Chord::ctrl_shift(Key::Right)],
        step: Some("Justify texture"),
        run: |editor| editor.align_textures(Align::Right, Cycle::Next),
        ..ALIGN
    },
    Command {
        id: "face.justify_top",
        label: "Justify texture top",
        help: "Puts the top of the picture onto the top of each face.",
        keys: &[Chord::ctrl_shift(Key::Up)],
        step: Some("Justify texture"),
        run: |editor| editor.align_textures(Align::Top, Cycle::Next),
        ..ALIGN
    },
    Command {
        id: "face.justify_bottom",
        label: "Justify texture bottom",
        help: "Puts the bottom of the picture onto the bottom of each face.",
        keys: &[Chord::ctrl_shift(Key::Down)],
        step: Some("Justify texture"),
        run: |editor| editor.align_textures(Align::Bottom, Cycle::Next),
        ..ALIGN
    },
    Command {
        id: "face.center",
        label: "Center texture",
        help: "Puts the middle of the picture onto the middle of each face.",
        keys: &[Chord::ctrl_shift(Key::Letter('C'))],
        step: Some("Center texture"),
        run: |editor| editor.align_textures(Align::Center, Cycle::Next),
        ..ALIGN
    },
    Command {
        id: "face.fit_width",
        label: "Fit texture to width",
        help: "Scales the picture to whole repeats across each face; again for one repeat more.",
        keys: &[Chord::ctrl_shift(Key::Letter('H'))],
        step: Some("Fit texture"),
        run: |editor| editor.align_textures(Align::FitWidth, Cycle::Next),
        ..ALIGN
    },
    Command {
        id: "face.fit_height",
        label: "Fit texture to height",
        help: "Scales the picture to whole repeats down each face; again for one repeat more.",
        keys: &[Chord::ctrl_shift(Key::Letter('Y'))],
        step: Some("Fit texture"),
        run: |editor| editor.align_textures(Align::FitHeight, Cycle::Next),
        ..ALIGN
    },
    Command {
        id: "face.fit",
        label: "Fit texture",
        help: "Scales the picture to whole repeats both ways.",
        step: Some("Fit texture"),
        run: |editor| editor.align_textures(Align::Fit, Cycle::Next),
        ..ALIGN
    },
    Command {
        id: "face.align_edge",
        label: "Align texture to edge",
        help: "Turns the picture so that its bottom lies along an edge of the face; again for the next edge.",
        keys: &[Chord::ctrl_shift(Key::Letter('L'))],
        step: Some("Align texture to edge"),
        run: |editor| editor.align_textures(Align::Edge, Cycle::Next),
        ..ALIGN
    },
    Command {
        id: "face.as_one",
        label: "Align faces as one",
        help: "Justifying, fitting and aligning treat all selected faces as one surface.",
        menu: menu(4),
        checked: Some(Editor::aligns_as_one),
        run: |editor| {
            editor.set_aligns_as_one(!editor.aligns_as_one());
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "face.replace",
        label: "Replace material...",
        help: "Gives all faces with one material another, in the selection, the layer or the map.",
        menu: menu(0),
        keys: &[Chord::ctrl(Key::Letter('H'))],
        run: |editor| {
            editor.request(Request::ReplaceMaterial);
            Ok(())
        },
        ..ROW
    },
    Command {
        id: "edit.uv_lock",
        label: "UV lock",
        help: "Edits of vertices, edges and faces keep the texture where it is on each face.",
        menu: Menu::new(MenuTitle::Edit, 3),
        keys: &[Chord::plain(Key::Letter('U'))],
        checked: Some(|editor| editor.settings.uv_lock),
        run: |editor| {
            editor.settings.uv_lock = !editor.settings.uv_lock;
            let state = if editor.settings.uv_lock {
                "on: faces keep their coordinates when vertices move"
            } else {
                "off: vertices move under the texture"
            };
            editor.say(StatusKind::Info, format!("UV lock {state}"));
            Ok(())
        },
        ..ROW
    },
];
