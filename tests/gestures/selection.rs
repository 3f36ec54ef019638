//! Selecting, and what Esc and locks do to it (SEL).

use super::*;

#[test]
fn sel_1_click() {
    let mut s = Session::new(floor_and_crate);
    s.click(VIEW_3D, ON_CRATE);
    assert_eq!(s.selected(), [id(CRATE)]);
    s.click(VIEW_3D, ON_FLOOR);
    assert_eq!(s.selected(), [id(FLOOR)]);
    let sky = DVec2::new(400.0, 2.0);
    s.look_from(DVec3::new(0.0, 200.0, 300.0), 60.0, 0.0);
    s.press(VIEW_3D, sky);
    s.release(VIEW_3D, sky);
    assert!(s.selected().is_empty());
    assert!(s.labels().is_empty());
}

#[test]
fn sel_1_a_closed_group_is_one_object() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let group = draft.insert(Object::new(Kind::Group(Group::new("pair"))));
        draft.update(id(CRATE), |object| object.parent = Some(group));
    });
    s.click(VIEW_3D, ON_CRATE);
    assert_eq!(s.selected(), [id(3)]);
}

#[test]
fn sel_2_toggle() {
    let mut s = Session::new(floor_and_crate);
    s.click(VIEW_3D, ON_CRATE);
    s.click_with(VIEW_3D, ON_FLOOR, Modifiers::CTRL);
    assert_eq!(s.selected(), [id(FLOOR), id(CRATE)]);
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::CTRL);
    assert_eq!(s.selected(), [id(FLOOR)]);
}

#[test]
fn sel_6_faces() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        // Beside the crate and as high: their tops are one patch.
        cube(draft, [32.0, 0.0, -32.0], [96.0, 64.0, 32.0]);
    });
    s.click(VIEW_3D, ON_FLOOR);
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    let faces = s.editor.selection().faces();
    assert_eq!(faces.len(), 1);
    let (object, face) = faces[0];
    assert_eq!(object, id(CRATE));
    let normal = s
        .doc()
        .object(object)
        .and_then(Object::brush)
        .expect("brush")
        .faces()[face as usize]
        .plane
        .normal;
    assert_eq!(normal, DVec3::Y);
    s.click_with(VIEW_3D, DVec3::new(60.0, 64.0, 10.0), Modifiers::CTRL_SHIFT);
    assert_eq!(s.editor.selection().faces().len(), 2);
    s.click_with(VIEW_3D, DVec3::new(60.0, 64.0, 10.0), Modifiers::CTRL_SHIFT);
    assert_eq!(s.editor.selection().faces().len(), 1);
    s.double_click(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    assert_eq!(s.editor.selection().faces().len(), 6);
    s.key("Ctrl+Shift+O");
    assert_eq!(s.selected(), [id(CRATE)]);
    s.key("Ctrl+Alt+O");
    assert_eq!(s.editor.selection().faces().len(), 6);
    s.key("Ctrl+Shift+A");
    s.double_click(
        VIEW_3D,
        ON_CRATE,
        Modifiers {
            shift: true,
            alt: true,
            ctrl: false,
        },
    );
    let patch: BTreeSet<ObjectId> = s
        .editor
        .selection()
        .faces()
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    assert_eq!(patch, BTreeSet::from([id(CRATE), id(3)]));
}

#[test]
fn sel_7_whole_set() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let door = draft.insert(Object::new(Kind::Entity(Entity::new(
            "func_door",
            DVec3::ZERO,
        ))));
        for x in [200.0, 300.0] {
            let leaf = cube(draft, [x, 0.0, 0.0], [x + 32.0, 64.0, 8.0]);
            draft.update(leaf, |object| object.parent = Some(door));
        }
    });
    s.key("Ctrl+A");
    assert_eq!(s.selected(), [id(1), id(2), id(4), id(5)]);
    s.key("Ctrl+Shift+A");
    assert!(s.selected().is_empty());
    s.select(&[id(FLOOR)]);
    s.key("Ctrl+Alt+A");
    assert_eq!(s.selected(), [id(2), id(4), id(5)]);
    s.select(&[id(4)]);
    s.key("Ctrl+B");
    assert_eq!(s.selected(), [id(4), id(5)]);
    s.key("Ctrl+[");
    assert_eq!(s.selected(), [id(4)]);
    s.key("Ctrl+]");
    assert_eq!(s.selected(), [id(4), id(5)]);
}

#[test]
fn esc_ladder() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.editor.set_tool(ToolKind::Box);
    let at = s.at(VIEW_3D, ON_FLOOR);
    s.press(VIEW_3D, at);
    s.move_to(VIEW_3D, at + DVec2::splat(30.0));
    s.key("Esc");
    assert!(!s.editor.is_dragging() && s.editor.tool() == ToolKind::Box);
    s.release(VIEW_3D, at);
    s.key("Esc");
    assert_eq!(
        (s.editor.tool(), s.selected()),
        (ToolKind::Select, vec![id(CRATE)])
    );
    s.key("Esc");
    assert!(s.selected().is_empty());
    assert!(!s.editor.escape());
    assert!(s.labels().is_empty());
}

#[test]
fn hidden_and_locked_objects_cannot_be_reached() {
    let mut s = Session::new(floor_and_crate);
    s.editor.set_locked(id(CRATE), true);
    s.click(VIEW_3D, ON_CRATE);
    assert_ne!(s.selected(), [id(CRATE)]);
    s.key("Ctrl+A");
    assert_eq!(s.selected(), [id(FLOOR)]);
    assert!(s.editor.run("object.unlock_all").is_ok());
    s.key("Ctrl+A");
    assert_eq!(s.selected().len(), 2);
    assert_eq!(
        *s.editor.selection(),
        Selection::from([Pick::Object(id(1)), Pick::Object(id(2))])
    );
}
