//! Habits of hands that come from another editor (the last lines of table 10.2), and the commands that only they use.

use mapwright::editor::KeyPreset;

use super::*;

fn hammer() -> Session {
    let settings = Settings {
        key_preset: KeyPreset::Hammer,
        ..Settings::default()
    };
    Session::with_settings(settings, floor_and_crate)
}

fn drag_right(s: &mut Session, button: Button) {
    let (from, to) = (DVec2::new(300.0, 300.0), DVec2::new(420.0, 300.0));
    s.move_to(VIEW_3D, from);
    s.input(VIEW_3D, Input::Press { button, at: from });
    s.move_to(VIEW_3D, to);
    s.input(VIEW_3D, Input::Release { button, at: to });
}

#[test]
fn hammer_right_button_does_not_look_and_alt_middle_orbits() {
    let mut plain = Session::new(floor_and_crate);
    let before = plain.editor.views[VIEW_3D].yaw_deg;
    drag_right(&mut plain, Button::Right);
    assert_ne!(plain.editor.views[VIEW_3D].yaw_deg, before);

    let mut s = hammer();
    drag_right(&mut s, Button::Right);
    assert_eq!(s.editor.views[VIEW_3D].yaw_deg, before);
    s.hold(Modifiers::ALT);
    let eye = s.editor.views[VIEW_3D].eye;
    drag_right(&mut s, Button::Middle);
    assert_ne!(s.editor.views[VIEW_3D].eye, eye);
    assert!(s.labels().is_empty());
    // The button is up: motion alone turns nothing.
    let eye = s.editor.views[VIEW_3D].eye;
    s.move_to(VIEW_3D, DVec2::new(10.0, 10.0));
    assert_eq!(s.editor.views[VIEW_3D].eye, eye);
}

#[test]
fn hammer_a_right_click_opens_the_menu() {
    let mut s = hammer();
    let (button, at) = (Button::Right, s.at(VIEW_3D, ON_CRATE));
    s.move_to(VIEW_3D, at);
    s.input(VIEW_3D, Input::Press { button, at });
    s.input(VIEW_3D, Input::Release { button, at });
    let requests = s.editor.take_requests();
    assert!(
        requests
            .iter()
            .any(|request| matches!(request, Request::ContextMenu { .. })),
        "{requests:?}"
    );
}

#[test]
fn hammer_clicks_inside_the_selection_cycle_its_handles() {
    let mut s = hammer();
    s.click(VIEW_3D, ON_CRATE);
    assert_eq!(s.editor.tool(), ToolKind::Select);
    let mut seen = Vec::new();
    for _ in 0..4 {
        s.tick(1.0);
        s.click(VIEW_3D, ON_CRATE);
        seen.push(s.editor.tool());
    }
    assert_eq!(
        seen,
        [
            ToolKind::Scale,
            ToolKind::Rotate,
            ToolKind::Shear,
            ToolKind::Scale
        ]
    );
    assert_eq!(s.selected(), [id(CRATE)]);
}

/// A face whose texture is known, and the crate's top selected.
fn top_of_crate_selected() -> Session {
    let settings = Settings {
        key_preset: KeyPreset::Hammer,
        ..Settings::default()
    };
    let mut s = Session::with_settings(settings, |draft| {
        let brick = draft.insert_material(Material::new("brick", ""));
        let sand = draft.insert_material(Material::new("sand", ""));
        cube_of(
            draft,
            [-512.0, -16.0, -512.0],
            [512.0, 0.0, 512.0],
            Some(sand),
        );
        cube_of(draft, [-32.0, 0.0, -32.0], [32.0, 64.0, 32.0], Some(brick));
    });
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    assert!(matches!(
        s.editor.selection().first(),
        Some(Pick::Face(object, _)) if *object == id(CRATE)
    ));
    s.tick(1.0);
    s
}

fn click_of(s: &mut Session, button: Button, point: DVec3, modifiers: Modifiers) {
    let at = s.at(VIEW_3D, point);
    s.tick(1.0);
    s.hold(modifiers);
    s.move_to(VIEW_3D, at);
    s.input(VIEW_3D, Input::Press { button, at });
    s.input(VIEW_3D, Input::Release { button, at });
    s.hold(Modifiers::NONE);
}

#[test]
fn hammer_alt_right_click_wraps_the_texture_of_the_selected_face() {
    let front = DVec3::new(0.0, 32.0, 32.0);
    let mut s = top_of_crate_selected();
    let eye = s.editor.views[VIEW_3D].eye;
    click_of(&mut s, Button::Right, front, Modifiers::ALT);
    assert_eq!(s.labels(), ["Transfer texture"]);
    assert_eq!(s.editor.views[VIEW_3D].eye, eye, "no orbit");
    let by_habit = s.doc().clone();
    // It is what Alt+Shift+click does in the other preset.
    let mut s = top_of_crate_selected();
    s.editor.set_key_preset(KeyPreset::Mapwright);
    s.click_with(
        VIEW_3D,
        front,
        Modifiers {
            shift: true,
            ..Modifiers::ALT
        },
    );
    assert!(s.doc().equals(&by_habit));
    // Without a face to take it from it says so.
    let mut s = hammer();
    click_of(&mut s, Button::Right, front, Modifiers::ALT);
    let status = s.editor.status().expect("a reason");
    assert!(status.text.contains("face"), "{}", status.text);
    assert!(s.labels().is_empty() && s.editor.take_requests().is_empty());
}

#[test]
fn hammer_alt_click_picks_the_texture_also_while_faces_are_worked_on() {
    for with_face in [false, true] {
        let mut s = top_of_crate_selected();
        if !with_face {
            s.editor.select(Selection::new());
        }
        let selection = s.editor.selection().clone();
        let name = |s: &Session| s.editor.current_material.as_ref().map(|m| m.name.clone());
        s.click_with(VIEW_3D, ON_FLOOR, Modifiers::ALT);
        assert_eq!(name(&s).as_deref(), Some("sand"));
        s.click_with(VIEW_3D, ON_CRATE, Modifiers::ALT);
        assert_eq!(name(&s).as_deref(), Some("brick"));
        assert_eq!(*s.editor.selection(), selection, "it stays");
        assert!(s.labels().is_empty(), "nothing is transferred");
    }
}

#[test]
fn hammer_the_right_button_puts_the_current_texture_on_a_face() {
    let mut s = top_of_crate_selected();
    s.click_with(VIEW_3D, ON_FLOOR, Modifiers::ALT);
    click_of(
        &mut s,
        Button::Right,
        DVec3::new(0.0, 32.0, 32.0),
        Modifiers::NONE,
    );
    assert_eq!(s.labels(), ["Apply material"]);
    let brush = s.doc().object(id(CRATE)).and_then(Object::brush);
    let sandy = brush
        .expect("brush")
        .faces()
        .iter()
        .filter(|face| face.material == Some(MaterialId(1)));
    assert_eq!(sandy.count(), 1);
    assert!(s.editor.take_requests().is_empty(), "no menu");
}

#[test]
fn hammer_a_plain_drag_with_nothing_selected_is_the_marquee() {
    for pane in [TOP, VIEW_3D] {
        let mut s = hammer();
        // From right to left: what it touches.
        s.drag(
            pane,
            DVec3::new(80.0, 0.0, 80.0),
            DVec3::new(-80.0, 0.0, -80.0),
            Modifiers::NONE,
        );
        if pane == TOP {
            // In a 2D view the rectangle stands until it is taken.
            s.key("Enter");
        }
        assert!(s.selected().contains(&id(CRATE)), "pane {pane}");
        assert!(s.labels().is_empty(), "nothing is drawn");
        // On what is selected now it moves.
        s.select(&[id(CRATE)]);
        s.tick(1.0);
        let from = if pane == TOP { DVec3::ZERO } else { ON_CRATE };
        s.drag(pane, from, from + DVec3::X * 32.0, Modifiers::NONE);
        assert_eq!(s.labels(), ["Move"]);
    }
    // The other preset draws.
    let mut s = Session::new(|_| {});
    s.drag(
        TOP,
        DVec3::ZERO,
        DVec3::new(64.0, 0.0, 64.0),
        Modifiers::NONE,
    );
    assert_eq!(s.labels(), ["Draw box"]);
    // With the block tool a drag draws here, too.
    let mut s = hammer();
    s.move_to(TOP, DVec2::ONE);
    s.key("Shift+B");
    assert_eq!(s.editor.tool(), ToolKind::Box);
    s.drag(
        TOP,
        DVec3::new(100.0, 0.0, 100.0),
        DVec3::new(164.0, 0.0, 164.0),
        Modifiers::NONE,
    );
    assert_eq!(s.labels(), ["Draw box"]);
}

#[test]
fn hammer_letters_fly_in_mouse_look_only() {
    let mut s = hammer();
    s.move_to(VIEW_3D, SIZE * 0.5);
    let fly = |s: &mut Session| {
        let eye = s.editor.views[VIEW_3D].eye;
        s.hold_key('W', true);
        for _ in 0..10 {
            s.tick(0.05);
        }
        s.hold_key('W', false);
        s.editor.views[VIEW_3D].eye.distance(eye)
    };
    assert_eq!(fly(&mut s), 0.0);
    s.key("Z");
    assert!(fly(&mut s) > 50.0);
    // Shift only makes it faster there; no tool is taken.
    s.hold(Modifiers::SHIFT);
    assert!(fly(&mut s) > 50.0);
    s.hold_key('S', true);
    s.hold_key('S', false);
    s.hold(Modifiers::NONE);
    s.key("Z");
    assert_eq!(fly(&mut s), 0.0);
    // And outside of it Shift and the same letters are tools, over 3D views as well.
    for (key, tool) in [
        ("Shift+V", ToolKind::Vertex),
        ("Shift+V", ToolKind::Edge),
        ("Shift+S", ToolKind::Select),
        ("Shift+X", ToolKind::Clip),
        ("Shift+E", ToolKind::Entity),
        ("Shift+B", ToolKind::Box),
        ("Ctrl+Shift+V", ToolKind::Array),
    ] {
        s.key(key);
        assert_eq!(s.editor.tool(), tool, "{key}");
    }
}

#[test]
fn hammer_keys_do_what_table_10_2_says() {
    let mut s = hammer();
    s.move_to(VIEW_3D, SIZE * 0.5);
    s.click(VIEW_3D, ON_CRATE);
    let (grid, snaps, lock) = (
        s.editor.grid.size,
        s.editor.grid.enabled,
        s.editor.settings.alignment_lock,
    );
    s.key("[");
    assert_eq!(s.editor.grid.size, grid / 2.0);
    s.key("]");
    s.key("]");
    assert_eq!(s.editor.grid.size, grid * 2.0);
    s.key("Shift+W");
    assert_ne!(s.editor.grid.enabled, snaps);
    s.key("Shift+L");
    assert_ne!(s.editor.settings.alignment_lock, lock);
    s.key("Shift+R");
    assert!(!s.editor.grid_shown);
    s.key("H");
    assert!(s.editor.look.hidden.contains(&id(CRATE)));
    s.key("U");
    assert!(s.editor.look.hidden.is_empty());
    s.select(&[id(CRATE)]);
    s.key("Ctrl+H");
    assert!(s.editor.look.hidden.contains(&id(FLOOR)));
    s.key("U");
    s.key("Shift+Q");
    assert!(s.selected().is_empty());
    s.select(&[id(CRATE)]);
    s.key("Ctrl+G");
    let group = s.selected()[0];
    assert!(s.doc().object(group).expect("a group").group().is_some());
    s.key("Ctrl+U");
    assert_eq!(s.selected(), [id(CRATE)]);
    s.key("[");
    s.key("Ctrl+Shift+H");
    assert_eq!(s.labels(), ["Group", "Ungroup", "Hollow"]);
    let _ = s.editor.take_requests();
    s.key("Ctrl+T");
    assert!(
        s.editor
            .take_requests()
            .contains(&Request::ChooseBrushClass)
    );
    let whole = s.editor.layout.maximised;
    s.key("Shift+Z");
    assert_ne!(s.editor.layout.maximised, whole);
}

#[test]
fn hammer_shift_clones_while_dragging() {
    let mut s = hammer();
    s.click(TOP, DVec3::new(8.0, 64.0, 8.0));
    assert_eq!(s.selected(), [id(CRATE)]);
    s.tick(1.0);
    let count = s.doc().object_count();
    s.hold(Modifiers::SHIFT);
    let from = s.at(TOP, DVec3::new(8.0, 64.0, 8.0));
    s.press(TOP, from);
    s.hold(Modifiers::NONE);
    s.move_to(TOP, from + DVec2::new(96.0, 0.0));
    s.release(TOP, from + DVec2::new(96.0, 0.0));
    assert_eq!(s.doc().object_count(), count + 1);
    assert_eq!(s.labels(), ["Duplicate"]);
}

#[test]
fn ignore_groups_takes_what_is_inside() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let group = draft.insert(Object::new(Kind::Group(Group::new("pair"))));
        draft.update(id(CRATE), |object| object.parent = Some(group));
    });
    s.editor.run("select.ignore_groups").expect("runs");
    s.click(VIEW_3D, ON_CRATE);
    assert_eq!(s.selected(), [id(CRATE)]);
    s.editor.run("select.ignore_groups").expect("runs");
    s.tick(1.0);
    s.click(VIEW_3D, ON_CRATE);
    assert_eq!(s.selected(), [id(3)]);
}

#[test]
fn the_left_button_zooms_puts_and_aims_the_camera_until_esc() {
    let mut s = Session::new(floor_and_crate);
    s.editor.run("view.zoom_tool").expect("runs");
    let scale = s.editor.views[TOP].points_per_unit;
    s.click(TOP, DVec3::new(50.0, 0.0, 20.0));
    assert_eq!(s.editor.views[TOP].points_per_unit, scale * 2.0);
    s.tick(1.0);
    s.click_with(TOP, DVec3::new(50.0, 0.0, 20.0), Modifiers::ALT);
    assert!((s.editor.views[TOP].points_per_unit - scale).abs() < 1e-9);
    s.editor.run("view.camera_tool").expect("runs");
    let height = s.editor.views[VIEW_3D].eye.y;
    let (from, to) = (
        s.at(TOP, DVec3::new(64.0, 0.0, 32.0)),
        s.at(TOP, DVec3::new(164.0, 0.0, 32.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    s.release(TOP, to);
    let view = &s.editor.views[VIEW_3D];
    assert!(
        view.eye.distance(DVec3::new(64.0, height, 32.0)) < 0.01,
        "{:?}",
        view.eye
    );
    let forward = view.forward();
    assert!(forward.x > 0.5 && forward.z.abs() < 0.01, "{forward:?}");
    assert!(s.labels().is_empty());
    assert!(s.editor.escape());
    s.tick(1.0);
    let ahead = s.editor.views[VIEW_3D].eye + forward * 100.0;
    s.click(VIEW_3D, ahead);
    assert_eq!(s.editor.views[VIEW_3D].forward(), forward);
}

#[test]
fn view_2_links_are_arrows_to_what_is_named() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let mut button = Entity::new("func_button", DVec3::new(0.0, 100.0, 0.0));
        button.set_key("target", "gate");
        draft.insert(Object::new(Kind::Entity(button)));
        let mut gate = Entity::new("info_target", DVec3::new(100.0, 100.0, 0.0));
        gate.set_key("targetname", "gate");
        draft.insert(Object::new(Kind::Entity(gate)));
    });
    let arrows = |s: &Session| {
        let overlay = s.editor.overlay(VIEW_3D);
        let links = overlay.lines.into_iter().filter(|line| line.arrow);
        links.map(|line| (line.from, line.to)).collect::<Vec<_>>()
    };
    let wanted = (DVec3::new(0.0, 100.0, 0.0), DVec3::new(100.0, 100.0, 0.0));
    // Of all entities they would cover a real map: those of the selection alone, from both ends.
    assert!(arrows(&s).is_empty());
    for end in [3, 4] {
        s.editor.select(Selection::from([Pick::Object(id(end))]));
        assert_eq!(arrows(&s), [wanted], "of {end}");
    }
    let labels = s.editor.overlay(VIEW_3D).labels;
    assert!(labels.iter().any(|label| label.text == "target"));
    s.editor.select(Selection::from([Pick::Object(id(1))]));
    assert!(arrows(&s).is_empty(), "the floor has none");
    s.move_to(VIEW_3D, DVec2::new(10.0, 10.0));
    s.editor.run("view.all_links").expect("runs");
    assert_eq!(arrows(&s), [wanted]);
    assert!(s.editor.overlay(TOP).lines.iter().all(|line| !line.arrow));
    s.editor.run("view.all_links").expect("runs");
    assert!(arrows(&s).is_empty(), "back to the selection's");
    s.editor.select(Selection::from([Pick::Object(id(3))]));
    s.editor.run("view.links").expect("runs");
    assert!(arrows(&s).is_empty());
}

#[test]
fn view_2_links_of_an_entity_show_when_one_of_its_brushes_is_selected() {
    let mut s = Session::new(|draft| {
        let mut door = Entity::new("func_door", DVec3::ZERO);
        door.set_key("target", "gate");
        let door = draft.insert(Object::new(Kind::Entity(door)));
        let bounds = Aabb::around(DVec3::ZERO, DVec3::splat(16.0));
        draft.insert(Object {
            parent: Some(door),
            ..Object::new(Kind::Brush(Brush::cuboid(bounds, None)))
        });
        let mut gate = Entity::new("info_target", DVec3::new(100.0, 100.0, 0.0));
        gate.set_key("targetname", "gate");
        draft.insert(Object::new(Kind::Entity(gate)));
    });
    s.editor.select(Selection::from([Pick::Object(id(2))]));
    let overlay = s.editor.overlay(VIEW_3D);
    assert_eq!(overlay.lines.iter().filter(|line| line.arrow).count(), 1);
}

/// Table 10.2, selection tool: a plain drag is the marquee, `Enter` takes it.
#[test]
fn hammer_a_rectangle_of_a_2d_view_waits_for_enter() {
    let around = (
        DVec3::new(-240.0, 0.0, -240.0),
        DVec3::new(240.0, 0.0, 240.0),
    );
    let mut plain = Session::new(floor_and_crate);
    plain.drag(TOP, around.0, around.1, Modifiers::ALT);
    let all = plain.selected();
    assert!(all.contains(&id(CRATE)), "it is taken at once");

    let mut s = hammer();
    s.drag(TOP, around.0, around.1, Modifiers::NONE);
    assert!(s.selected().is_empty(), "it waits");
    assert!(
        s.editor
            .overlay(TOP)
            .lines
            .iter()
            .any(|line| line.role == mapwright::editor::overlay::Role::Selected),
        "it is still drawn"
    );
    s.key("Esc");
    s.key("Enter");
    assert!(s.selected().is_empty(), "Esc dropped it");

    s.drag(TOP, around.0, around.1, Modifiers::NONE);
    s.key("Enter");
    assert_eq!(s.selected(), all);
    s.key("Esc");
    s.key("Enter");
    assert!(s.selected().is_empty(), "it was taken once");
    assert!(s.labels().is_empty());
}
