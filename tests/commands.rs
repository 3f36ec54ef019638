//! Rules of the command table, and every command on empty and tiny maps.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use glam::DVec2;
use glam::DVec3;

use mapwright::document::Brush;
use mapwright::document::Document;
use mapwright::document::Draft;
use mapwright::document::Entity;
use mapwright::document::Kind;
use mapwright::document::Object;
use mapwright::document::Pick;
use mapwright::document::Selection;
use mapwright::document::ViewState;
use mapwright::editor::Chord;
use mapwright::editor::Command;
use mapwright::editor::Editor;
use mapwright::editor::Input;
use mapwright::editor::KeyPreset;
use mapwright::editor::Keymap;
use mapwright::editor::Settings;
use mapwright::editor::StatusKind;
use mapwright::editor::ToolKind;
use mapwright::geometry::Aabb;

fn editor(build: impl FnOnce(&mut Draft)) -> Editor {
    let mut draft = Document::default().edit();
    build(&mut draft);
    let mut editor = Editor::with_document(
        draft.finish().expect("sound"),
        ViewState::default(),
        Settings::default(),
        Arc::new(|_| {}),
    );
    for pane in 0..4 {
        editor.set_pane_size(pane, DVec2::new(400.0, 300.0), 1.0);
    }
    editor
}

fn tiny(draft: &mut Draft) {
    let cube = |x: f64| {
        Object::new(Kind::Brush(Brush::cuboid(
            Aabb::around(DVec3::new(x, 0.0, 0.0), DVec3::splat(32.0)),
            None,
        )))
    };
    draft.insert(cube(0.0));
    draft.insert(cube(100.0));
    let door = draft.insert(Object::new(Kind::Entity(Entity::new(
        "func_door",
        DVec3::ZERO,
    ))));
    draft.insert(Object {
        parent: Some(door),
        ..cube(200.0)
    });
    draft.insert(Object::new(Kind::Entity(Entity::new(
        "light",
        DVec3::new(0.0, 100.0, 0.0),
    ))));
}

#[test]
fn ids_are_unique_and_words_are_there() {
    let mut ids = BTreeSet::new();
    for command in Command::all() {
        assert!(ids.insert(command.id), "{} twice", command.id);
        let well_formed = command
            .id
            .split_once('.')
            .is_some_and(|(subject, name)| !subject.is_empty() && !name.is_empty());
        assert!(
            well_formed
                && command
                    .id
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "._".contains(c)),
            "{}",
            command.id
        );
        assert!(
            !command.label.is_empty() && !command.label.ends_with('.')
                || command.label.ends_with("..."),
            "{}: {}",
            command.id,
            command.label
        );
        assert!(
            command.help.ends_with('.') && command.help.len() > 9,
            "{}: {}",
            command.id,
            command.help
        );
        assert!(
            command.step.is_none_or(|label| !label.is_empty()),
            "{}",
            command.id
        );
    }
    assert!(ids.len() > 80, "{}", ids.len());
}

#[test]
fn no_two_commands_share_a_key_in_overlapping_contexts() {
    let conflicts = Keymap::new(&BTreeMap::new()).conflicts();
    let text: Vec<String> = conflicts
        .iter()
        .map(|c| format!("{}: {} and {}", c.chord, c.first.id, c.second.id))
        .collect();
    assert!(text.is_empty(), "{text:#?}");
}

/// Table 10.1: key and command.
const DEFAULT_KEYS: &[(&str, &str)] = &[
    ("Ctrl+A", "select.all"),
    ("Ctrl+Shift+A", "select.none"),
    ("Ctrl+Alt+A", "select.invert"),
    ("Ctrl+B", "select.siblings"),
    ("Ctrl+C", "edit.copy"),
    ("Ctrl+D", "edit.duplicate"),
    ("Ctrl+Alt+E", "entity.tie"),
    ("Ctrl+Shift+F", "find.open"),
    ("Ctrl+G", "group.make"),
    ("Ctrl+Shift+G", "group.dissolve"),
    ("Ctrl+Alt+G", "group.rename"),
    ("Ctrl+I", "object.isolate"),
    ("Ctrl+Shift+I", "object.show_all"),
    ("Ctrl+Alt+I", "object.hide"),
    ("L", "entity.light"),
    ("Ctrl+Alt+L", "layer.move"),
    ("Ctrl+N", "file.new"),
    ("Ctrl+O", "file.open"),
    ("Ctrl+Shift+O", "select.faces_to_objects"),
    ("Ctrl+Alt+O", "select.objects_to_faces"),
    ("Ctrl+Shift+P", "help.palette"),
    ("Shift+R", "face.reset_to_face"),
    ("Alt+Shift+R", "face.reset_to_world"),
    ("Ctrl+S", "file.save"),
    ("Alt+S", "entity.to_world"),
    ("Ctrl+Shift+S", "file.save_as"),
    ("Shift+U", "edit.alignment_lock"),
    ("Ctrl+U", "view.frame"),
    ("Home", "view.frame"),
    ("Ctrl+Shift+U", "view.reset_flat"),
    ("Ctrl+V", "edit.paste"),
    ("Ctrl+Alt+V", "edit.paste_in_place"),
    ("Ctrl+X", "edit.cut"),
    ("Ctrl+Y", "edit.redo"),
    ("Ctrl+Z", "edit.undo"),
    ("Ctrl+Shift+Z", "edit.redo"),
    ("F1", "help.keys"),
    ("F2", "view.mode_lit"),
    ("F3", "view.mode_textured"),
    ("F4", "view.mode_flat"),
    ("Shift+F5", "view.mode_wire"),
    ("Shift+F2", "view.kind_top"),
    ("Shift+F3", "view.kind_front"),
    ("Shift+F4", "view.kind_side"),
    ("F5", "file.reload_materials"),
    ("F6", "file.reload_definitions"),
    ("F7", "map.next_problem"),
    ("Shift+F7", "map.previous_problem"),
    ("F8", "map.walk"),
    ("Shift+F8", "map.walk_from_start"),
    ("F9", "map.build"),
    ("Ctrl+F4", "file.close"),
    ("Alt+F4", "file.quit"),
    ("Space", "view.cycle_kind"),
    ("Ctrl+Space", "view.maximise"),
    ("Esc", "edit.escape"),
    ("Shift+Esc", "tool.leave"),
    ("Ctrl+[", "select.back"),
    ("Ctrl+]", "select.forward"),
    ("Alt+0", "grid.snap"),
    ("0", "grid.show"),
    ("1", "grid.set_1"),
    ("9", "grid.set_256"),
    ("Ctrl+1", "panel.map"),
    ("Ctrl+5", "panel.all"),
    ("Ctrl+Tab", "panel.next"),
    ("B", "tool.hull"),
    ("C", "tool.clip"),
    ("Ctrl+Shift+C", "face.center"),
    ("E", "tool.edge"),
    ("F", "tool.face"),
    ("Ctrl+F", "face.flip"),
    ("Ctrl+Alt+F", "face.flip_vertical"),
    ("G", "tool.shear"),
    ("Ctrl+H", "face.replace"),
    ("Ctrl+Shift+H", "face.fit_width"),
    ("Ctrl+J", "csg.merge"),
    ("Ctrl+Alt+J", "csg.join"),
    ("Ctrl+K", "csg.subtract"),
    ("Ctrl+Shift+K", "csg.hollow"),
    ("Ctrl+Alt+K", "csg.toggle_subtractive"),
    ("Ctrl+L", "csg.intersect"),
    ("Ctrl+Shift+L", "face.align_edge"),
    ("M", "tool.marquee"),
    ("Ctrl+M", "tool.measure"),
    ("R", "tool.rotate"),
    ("T", "tool.scale"),
    ("Shift+T", "tool.paint"),
    ("U", "edit.uv_lock"),
    ("V", "tool.vertex"),
    ("Y", "tool.sweep"),
    ("Ctrl+Shift+Y", "face.fit_height"),
    ("Ctrl+2", "panel.entity"),
    ("Ctrl+3", "panel.face"),
    ("Ctrl+4", "panel.log"),
    ("Ctrl+Shift+Tab", "panel.previous"),
    ("[", "grid.smaller"),
    ("]", "grid.larger"),
    ("-", "grid.smaller"),
    ("+", "grid.larger"),
    ("Del", "edit.delete"),
    ("2", "grid.set_2"),
    ("3", "grid.set_4"),
    ("4", "grid.set_8"),
    ("5", "grid.set_16"),
    ("6", "grid.set_32"),
    ("7", "grid.set_64"),
    ("8", "grid.set_128"),
    ("Alt+B", "vertex.bevel"),
    ("Ctrl+Shift+B", "face.bridge"),
    ("Ctrl+E", "select.inside"),
    ("Ctrl+Shift+E", "select.tall"),
    ("Ctrl+F", "transform.flip"),
    ("Ctrl+Alt+F", "transform.flip_vertical"),
    ("I", "face.inset"),
    ("J", "transform.gizmo"),
    ("K", "vertex.split"),
    ("Ctrl+Alt+M", "transform.exact"),
    ("N", "mesh.flip"),
    ("Ctrl+R", "object.repeat"),
    ("Ctrl+Shift+R", "object.repeat_mark"),
    ("Ctrl+T", "select.touching"),
    ("Ctrl+Shift+T", "mesh.make"),
    ("Ctrl+Shift+V", "vertex.snap_integer"),
    ("Ctrl+Alt+Shift+V", "vertex.snap_grid"),
    ("Z", "view.mouse_look"),
    ("Ctrl+Alt+Z", "view.reset_zoom"),
    ("Ctrl+Shift+M", "tool.array"),
    ("Ctrl+Alt+B", "view.cordon"),
];

/// Table 10.2: key and command.
const HAMMER_KEYS: &[(&str, &str)] = &[
    ("Shift+S", "tool.select"),
    ("Shift+V", "tool.vertex_cycle"),
    ("Shift+G", "view.zoom_tool"),
    ("Shift+A", "panel.face"),
    ("Shift+C", "view.camera_tool"),
    ("Shift+T", "face.apply_material"),
    ("Shift+E", "tool.entity"),
    ("Shift+D", "tool.decal"),
    ("Shift+B", "tool.box"),
    ("Shift+X", "tool.clip_cycle"),
    ("[", "grid.smaller"),
    ("]", "grid.larger"),
    ("Shift+R", "grid.show"),
    ("Shift+W", "grid.snap"),
    ("Shift+L", "edit.alignment_lock"),
    ("Ctrl+T", "entity.tie"),
    ("Ctrl+Shift+W", "entity.to_world"),
    ("Ctrl+Shift+C", "csg.subtract"),
    ("Ctrl+Shift+H", "csg.hollow"),
    ("Ctrl+G", "group.make"),
    ("Ctrl+U", "group.dissolve"),
    ("Ctrl+W", "select.ignore_groups"),
    ("H", "object.hide"),
    ("Ctrl+H", "object.isolate"),
    ("U", "object.show_all"),
    ("Shift+Q", "select.none"),
    ("Shift+Z", "view.maximise"),
    ("Ctrl+E", "view.centre_flat"),
    ("Ctrl+Shift+E", "view.centre_3d"),
    ("Alt+P", "panel.problems"),
    ("Alt+Enter", "panel.entity"),
    ("F9", "map.run"),
    ("Ctrl+M", "transform.exact"),
    ("Ctrl+Shift+V", "tool.array"),
];

/// Rows of a table that a preset does not have.
fn missing(map: &Keymap, table: &[(&str, &str)]) -> Vec<String> {
    let is_bound = |key: &str, id: &str| {
        let chord: Chord = key.parse().expect(key);
        map.commands(chord).iter().any(|command| command.id == id)
    };
    table
        .iter()
        .filter(|(key, id)| !is_bound(key, id))
        .map(|(key, id)| format!("{key} is not {id}"))
        .collect()
}

#[test]
fn keys_of_the_default_preset() {
    let found = missing(&Keymap::new(&BTreeMap::new()), DEFAULT_KEYS);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn keys_of_the_hammer_preset() {
    let map = Keymap::of(KeyPreset::Hammer, &BTreeMap::new());
    let found = missing(&map, HAMMER_KEYS);
    assert!(found.is_empty(), "{found:#?}");
    // What it does not name it leaves alone.
    for (key, id) in [
        ("Ctrl+S", "file.save"),
        ("Ctrl+Z", "edit.undo"),
        ("F1", "help.keys"),
        ("Ctrl+Alt+B", "view.cordon"),
    ] {
        let chord: Chord = key.parse().expect(key);
        assert!(map.commands(chord).iter().any(|command| command.id == id));
    }
    let conflicts: Vec<String> = map
        .conflicts()
        .iter()
        .map(|c| format!("{}: {} and {}", c.chord, c.first.id, c.second.id))
        .collect();
    assert!(conflicts.is_empty(), "{conflicts:#?}");
}

#[test]
fn fly_keys_are_bound_to_nothing() {
    for command in Command::all() {
        for chord in command.keys {
            let is_fly = chord.modifiers.is_none()
                && "WASDQX"
                    .chars()
                    .any(|c| chord.key == mapwright::editor::Key::Letter(c));
            assert!(!is_fly, "{} takes {chord}", command.id);
        }
    }
}

#[test]
fn every_command_runs_or_says_why_on_empty_and_tiny_maps() {
    let selections: [&[u32]; 4] = [&[], &[1], &[1, 2, 5], &[3]];
    for command in Command::all() {
        run_one(editor(|_| {}), command);
        for ids in selections {
            let mut editor = editor(tiny);
            let picks = ids
                .iter()
                .filter_map(|&id| mapwright::document::ObjectId::new(id))
                .map(Pick::Object)
                .collect();
            editor.select(picks);
            run_one(editor, command);
        }
        let mut faces = editor(tiny);
        let brush = mapwright::document::ObjectId::new(1).expect("not 0");
        faces.select(Selection::from([
            Pick::Face(brush, 0),
            Pick::Face(brush, 3),
        ]));
        run_one(faces, command);
    }
}

fn run_one(mut editor: Editor, command: &'static Command) {
    let enabled = (command.enabled)(&editor);
    let steps = editor.history().undo_labels().count();
    let before = editor.state().doc.clone();
    let result = editor.run_command(command);
    if let Err(reason) = enabled {
        assert!(!reason.is_empty(), "{}", command.id);
        assert!(
            result.is_err() && editor.state().doc.same(&before),
            "{} ran although it says: {reason}",
            command.id
        );
        assert_eq!(
            editor.status().map(|status| status.kind),
            Some(StatusKind::Refused),
            "{} is silent",
            command.id
        );
    }
    let made: Vec<_> = editor.history().undo_labels().skip(steps).collect();
    match command.step {
        Some(label) => assert!(
            made.iter().all(|made| *made == label),
            "{}: {made:?} is not {label}",
            command.id
        ),
        None if !command.id.starts_with("edit.redo") => assert!(
            made.is_empty(),
            "{} is not a step, but made {made:?}",
            command.id
        ),
        None => {}
    }
    let _ = (
        command.checked.map(|checked| checked(&editor)),
        editor.hints(),
        editor.overlay(0),
    );
    if !made.is_empty() {
        assert!(editor.undo());
        assert!(
            editor.state().doc.same(&before),
            "{}: undo gives back the same map",
            command.id
        );
    }
}

#[test]
fn a_greyed_command_says_why_through_its_key_too() {
    let mut editor = editor(|_| {});
    editor.input(1.0, 0, Input::PointerMoved { at: DVec2::ONE });
    let chord: Chord = "Ctrl+D".parse().expect("chord");
    editor.input(1.1, 0, Input::Modifiers(chord.modifiers));
    editor.input(
        1.2,
        0,
        Input::Key {
            key: chord.key,
            physical: chord.key,
            pressed: true,
            repeat: false,
        },
    );
    let status = editor.status().expect("a sentence");
    assert_eq!(status.kind, StatusKind::Refused);
    assert!(
        status.text.contains("Select objects first"),
        "{}",
        status.text
    );
}

#[test]
fn text_fields_keep_their_letters_but_not_the_file_commands() {
    let mut editor = editor(tiny);
    for (key, is_command) in [
        ("Ctrl+S", true),
        ("F9", true),
        ("Ctrl+Z", false),
        ("L", false),
        ("Del", false),
        ("1", false),
    ] {
        let chord: Chord = key.parse().expect(key);
        assert_eq!(editor.field_key(chord), is_command, "{key}");
    }
}

/// 0.7: every tool says what mouse and keys do, and what it greys it gives a reason for.
#[test]
fn tools_have_hints_and_reasons_in_every_state() {
    let brush = mapwright::document::ObjectId::new(1).expect("not 0");
    let selections = [
        Selection::new(),
        Selection::from([Pick::Object(brush)]),
        Selection::from([Pick::Face(brush, 0)]),
    ];
    let tools = ToolKind::ALL.into_iter().chain([ToolKind::Exact]);
    for tool in tools {
        for selection in &selections {
            let mut editor = editor(tiny);
            editor.select(selection.clone());
            editor.set_tool(tool);
            let hints = editor.hints();
            assert!(!hints.is_empty(), "{tool:?} is silent");
            for hint in hints {
                assert!(
                    !hint.keys.is_empty() && !hint.text.is_empty(),
                    "{tool:?}: {hint:?}"
                );
            }
            for option in editor.tool_options() {
                assert!(!option.help.is_empty(), "{tool:?}: {}", option.id);
                if let Some(reason) = option.disabled {
                    assert!(!reason.is_empty(), "{tool:?}: {}", option.id);
                }
            }
        }
    }
}

/// 0.7: a command that did nothing has said why.
#[test]
fn no_command_is_silent() {
    let mut silent = Vec::new();
    let selections: [&[u32]; 3] = [&[], &[1, 2, 5], &[3]];
    for command in Command::all() {
        for ids in selections {
            let mut editor = editor(tiny);
            let picks = ids
                .iter()
                .filter_map(|&id| mapwright::document::ObjectId::new(id))
                .map(Pick::Object)
                .collect();
            editor.select(picks);
            let before = (
                editor.state().doc.clone(),
                editor.selection().clone(),
                editor.tool(),
            );
            let result = editor.run_command(command);
            let is_same = editor.state().doc.same(&before.0)
                && *editor.selection() == before.1
                && editor.tool() == before.2;
            if let Err(error) = result {
                let status = editor.status().expect("a sentence");
                assert_eq!(status.kind, StatusKind::Refused, "{}", command.id);
                assert!(
                    status.text.contains(&error.to_string()) && error.to_string().len() > 9,
                    "{}: {}",
                    command.id,
                    status.text
                );
            } else if is_same
                && command.step.is_some()
                && editor.status().is_none()
                && editor.take_requests().is_empty()
            {
                silent.push((command.id, ids));
            }
        }
    }
    assert!(silent.is_empty(), "{silent:?}");
}
