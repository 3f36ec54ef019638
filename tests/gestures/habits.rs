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
    assert_eq!(arrows(&s), [wanted]);
    s.editor.select(Selection::from([Pick::Object(id(3))]));
    let labels = s.editor.overlay(VIEW_3D).labels;
    assert!(labels.iter().any(|label| label.text == "target"));
    s.move_to(VIEW_3D, DVec2::new(10.0, 10.0));
    s.editor.run("view.links").expect("runs");
    assert!(arrows(&s).is_empty());
}
