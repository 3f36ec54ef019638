//! Numbers typed during a drag and snaps to geometry (0.8, 0.9).

use super::*;

fn shown(s: &Session, number: u32) -> Aabb {
    s.editor
        .state()
        .doc
        .object(id(number))
        .expect("there")
        .bounds()
}

fn readout(s: &Session) -> String {
    s.editor.readout().expect("a readout").text
}

#[test]
fn number_entry_0_8_extents_of_a_box() {
    let mut s = Session::new(floor_and_crate);
    let (from, to) = (
        s.at(VIEW_3D, DVec3::new(100.0, 0.0, 40.0)),
        s.at(VIEW_3D, DVec3::new(130.0, 0.0, 90.0)),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    let dragged = shown(&s, 3).size();
    assert_eq!(dragged.y, 16.0);
    for key in ["9", "6", ",", ",", "4", "0"] {
        s.key(key);
    }
    assert!(
        readout(&s).starts_with("X 96, Y -, Z 40_ = "),
        "{}",
        readout(&s)
    );
    s.key("Enter");
    assert_eq!(s.labels(), ["Draw box"]);
    assert_eq!(s.bounds(id(3)).size(), DVec3::new(96.0, dragged.y, 40.0));
    let done = s.doc().clone();
    s.move_to(VIEW_3D, to + DVec2::splat(40.0));
    s.release(VIEW_3D, to + DVec2::splat(40.0));
    assert!(s.doc().same(&done), "the release means nothing");
    assert_eq!(s.labels(), ["Draw box"]);
}

#[test]
fn number_entry_0_8_edits_and_goes_back_to_the_mouse() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let (from, to) = (
        s.at(TOP, DVec3::ZERO),
        s.at(TOP, DVec3::new(48.0, 0.0, 32.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    assert_eq!(shown(&s, CRATE).min, DVec3::new(16.0, 0.0, 0.0));
    for key in ["7", "Backspace", "6", "+", "2"] {
        s.key(key);
    }
    assert_eq!(
        shown(&s, CRATE).min,
        DVec3::new(-24.0, 0.0, 0.0),
        "X is typed, Z dragged"
    );
    s.input(TOP, Input::Character('*'));
    let before = shown(&s, CRATE);
    s.key("Enter");
    assert!(s.editor.is_entering(), "6+2* is no number");
    assert!(s.labels().is_empty());
    assert_eq!(
        before.min.x, 16.0,
        "what is not finished is left to the pointer"
    );
    s.key("3");
    assert_eq!(shown(&s, CRATE).min.x, -20.0, "6+2*3");
    s.key("Tab");
    s.key("-");
    s.key("5");
    assert_eq!(shown(&s, CRATE).min, DVec3::new(-20.0, 0.0, -37.0));
    // The mouse rests while numbers are typed; Esc gives it back.
    s.move_to(TOP, to + DVec2::X * 64.0);
    assert_eq!(shown(&s, CRATE).min.x, -20.0);
    s.key("Esc");
    assert!(!s.editor.is_entering() && s.editor.is_dragging());
    assert_eq!(shown(&s, CRATE).min, DVec3::new(80.0, 0.0, 0.0));
    // All taken back gives it back too.
    s.key("1");
    assert_eq!(shown(&s, CRATE).min.x, -31.0);
    s.key("Backspace");
    assert_eq!(shown(&s, CRATE).min.x, 80.0);
    s.key("Esc");
    assert!(s.labels().is_empty());
    assert_eq!(shown(&s, CRATE).min.x, -32.0);
    // Outside of a drag digits are the grid's.
    s.release(TOP, to);
    s.key("3");
    assert_eq!(s.editor.grid.size, 4.0);
}

#[test]
fn number_entry_0_8_first_what_is_free() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let (from, to) = (
        s.at(VIEW_3D, ON_CRATE),
        s.at(VIEW_3D, ON_CRATE + DVec3::new(32.0, 0.0, 16.0)),
    );
    let typed = |s: &mut Session, modifiers: Modifiers| {
        s.press(VIEW_3D, from);
        s.move_to(VIEW_3D, to);
        s.hold(modifiers);
        let pane = s.editor.active_pane();
        for digit in [5, 0] {
            let key = Key::Digit(digit);
            s.input(
                pane,
                Input::Key {
                    key,
                    physical: key,
                    pressed: true,
                    repeat: false,
                },
            );
        }
        let min = shown(s, CRATE).min - DVec3::new(-32.0, 0.0, -32.0);
        s.hold(Modifiers::NONE);
        s.key("Esc");
        s.key("Esc");
        assert!(!s.editor.is_dragging());
        s.release(VIEW_3D, to);
        min
    };
    assert_eq!(typed(&mut s, Modifiers::NONE), DVec3::new(50.0, 0.0, 16.0));
    assert_eq!(typed(&mut s, Modifiers::ALT).y, 50.0);
    assert_eq!(typed(&mut s, Modifiers::SHIFT), DVec3::new(50.0, 0.0, 0.0));
    assert!(s.labels().is_empty());
}

#[test]
fn number_entry_0_8_push_and_pull() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let from = s.at(VIEW_3D, ON_CRATE);
    s.hold(Modifiers::SHIFT);
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, from - DVec2::Y * 30.0);
    s.hold(Modifiers::NONE);
    for key in ["1", "2", ".", "5"] {
        s.key(key);
    }
    s.key("Enter");
    assert_eq!(s.labels(), ["Extrude"]);
    assert_eq!(s.bounds(id(CRATE)).max.y, 76.5);
    s.release(VIEW_3D, from);
    assert_eq!(s.labels(), ["Extrude"]);
}

#[test]
fn geometry_snap_0_9_vertex_of_another_object() {
    let mut s = Session::new(|draft| {
        cube(draft, [0.0, 0.0, 0.0], [32.0, 32.0, 32.0]);
        cube(draft, [100.5, 0.0, 70.25], [140.0, 32.0, 120.0]);
    });
    s.select(&[id(1)]);
    // Grabbed near its corner (32, _, 32), dragged near the other's corner (100.5, _, 70.25).
    let (from, to) = (
        s.at(TOP, DVec3::new(29.0, 0.0, 30.0)),
        s.at(TOP, DVec3::new(96.0, 0.0, 66.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    s.hold_key('V', true);
    assert_eq!(shown(&s, 1).max, DVec3::new(100.5, 32.0, 70.25));
    let overlay = s.editor.overlay(TOP);
    assert!(
        overlay.labels.iter().any(|label| label.text == "vertex"),
        "named"
    );
    assert!(overlay.lines.len() > 24, "ringed");
    s.hold_key('V', false);
    assert_eq!(
        shown(&s, 1).max,
        DVec3::new(96.0, 32.0, 64.0),
        "the grid again"
    );
    s.hold_key('E', true);
    s.move_to(TOP, s.at(TOP, DVec3::new(122.0, 0.0, 68.0)));
    assert_eq!(shown(&s, 1).max, DVec3::new(120.25, 32.0, 70.25));
    s.hold_key('E', false);
    s.hold_key('G', true);
    s.move_to(TOP, from + DVec2::new(5.0, 3.0));
    assert_eq!(shown(&s, 1).min, DVec3::new(5.0, 0.0, 3.0), "no grid");
    s.hold_key('G', false);
    assert_eq!(shown(&s, 1).min, DVec3::ZERO);
    s.release(TOP, from);
    assert_eq!(s.editor.tool(), ToolKind::Select, "held keys take no tools");
    assert!(s.labels().is_empty());
}

#[test]
fn geometry_snap_0_9_never_the_selection_nor_the_hidden() {
    let mut s = Session::new(|draft| {
        cube(draft, [0.0, 0.0, 0.0], [32.0, 32.0, 32.0]);
        cube(draft, [64.0, 0.0, 0.0], [96.0, 32.0, 32.0]);
    });
    s.select(&[id(2)]);
    s.key("Ctrl+Alt+I");
    s.select(&[id(1)]);
    let (from, to) = (
        s.at(TOP, DVec3::new(31.0, 0.0, 31.0)),
        s.at(TOP, DVec3::new(67.0, 0.0, 35.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    s.hold_key('V', true);
    assert_eq!(
        shown(&s, 1).max,
        DVec3::new(64.0, 32.0, 32.0),
        "on the grid"
    );
    assert!(
        s.editor
            .overlay(TOP)
            .labels
            .iter()
            .all(|label| label.text != "vertex")
    );
    s.hold_key('V', false);
    s.key("Esc");
}

#[test]
fn geometry_snap_0_9_face_in_3d() {
    let mut s = Session::new(|draft| {
        cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
        cube(draft, [-32.0, 0.0, -32.0], [32.0, 64.0, 32.0]);
        cube(draft, [100.0, 0.0, -40.0], [200.0, 50.5, 40.0]);
    });
    s.select(&[id(CRATE)]);
    let corner = DVec3::new(32.0, 64.0, 32.0);
    let (from, to) = (
        s.at(VIEW_3D, corner + DVec3::new(-1.0, 0.0, -1.0)),
        s.at(VIEW_3D, DVec3::new(150.0, 50.5, 3.0)),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    s.hold_key('F', true);
    assert_eq!(
        shown(&s, CRATE).max,
        DVec3::new(144.0, 50.5, 0.0),
        "the grabbed corner lies on the face, on the grid along it"
    );
    s.hold_key('F', false);
    s.release(VIEW_3D, to);
    assert_eq!(s.bounds(id(CRATE)).max.y, 64.0);
}

#[test]
fn geometry_snap_0_9_what_is_drawn_reaches_a_vertex() {
    let mut s = Session::new(|draft| {
        cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
        cube(draft, [100.0, 0.0, -40.0], [200.0, 50.5, 40.0]);
    });
    let (from, to) = (
        s.at(VIEW_3D, DVec3::new(3.0, 0.0, 90.0)),
        s.at(VIEW_3D, DVec3::new(101.0, 50.5, 41.0)),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    s.hold_key('V', true);
    let drawn = shown(&s, 3);
    assert!(drawn.max.y >= 50.5 && drawn.max.x >= 100.0, "{drawn:?}");
    assert!(drawn.min.z <= 40.0 && drawn.max.x <= 112.0, "{drawn:?}");
    s.hold_key('V', false);
    s.key("Esc");
}

#[test]
fn number_entry_0_8_only_the_second_and_brackets() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let (from, to) = (
        s.at(TOP, DVec3::ZERO),
        s.at(TOP, DVec3::new(48.0, 0.0, 32.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    for key in [",", "1", "6"] {
        s.key(key);
    }
    assert_eq!(
        shown(&s, CRATE).min,
        DVec3::new(16.0, 0.0, -16.0),
        "only the second: X stays with the pointer"
    );
    for _ in 0..3 {
        s.key("Backspace");
    }
    for sign in "2*(3+4)/4".chars() {
        match sign {
            '*' | '(' | ')' | '/' => s.input(TOP, Input::Character(sign)),
            _ => s.key(&sign.to_string()),
        }
    }
    assert_eq!(shown(&s, CRATE).min.x, -28.5);
    s.key("Enter");
    assert_eq!(s.bounds(id(CRATE)).min, DVec3::new(-28.5, 0.0, 0.0));
    assert_eq!(s.labels(), ["Move"]);
    s.release(TOP, to);
}

#[test]
fn geometry_snap_0_9_in_vertex_and_clip_drags() {
    let blocks = |draft: &mut Draft| {
        cube(draft, [0.0, 0.0, 0.0], [32.0, 32.0, 32.0]);
        cube(draft, [100.5, 0.0, 70.25], [140.0, 32.0, 120.0]);
    };
    let near = DVec3::new(97.0, 0.0, 67.0);
    // A picked vertex onto the other block's corner.
    let mut s = Session::new(blocks);
    s.select(&[id(1)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("V");
    let (from, to) = (s.at(TOP, DVec3::new(32.0, 0.0, 32.0)), s.at(TOP, near));
    s.press(TOP, from);
    s.move_to(TOP, to);
    s.hold_key('V', true);
    assert_eq!(shown(&s, 1).max, DVec3::new(100.5, 32.0, 70.25));
    s.release(TOP, to);
    s.hold_key('V', false);
    assert_eq!(s.labels(), ["Move vertices"]);
    assert_eq!(s.bounds(id(1)).max, DVec3::new(100.5, 32.0, 70.25));
    // A clip point onto the middle of its edge, and back on the grid when the key comes up.
    let mut s = Session::new(blocks);
    s.select(&[id(1)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("C");
    let point = |s: &Session| s.editor.overlay(TOP).handles[1].at;
    let at = |s: &Session, x: f64, z: f64| s.at(TOP, DVec3::new(x, 0.0, z));
    s.press(TOP, at(&s, 16.0, -16.0));
    s.move_to(TOP, at(&s, 122.0, 68.0));
    assert_eq!((point(&s).x, point(&s).z), (128.0, 64.0));
    s.hold_key('E', true);
    assert_eq!((point(&s).x, point(&s).z), (120.25, 70.25));
    s.hold_key('E', false);
    assert_eq!((point(&s).x, point(&s).z), (128.0, 64.0));
    s.hold_key('G', true);
    assert_eq!((point(&s).x, point(&s).z), (122.0, 68.0));
    s.hold_key('G', false);
    s.release(TOP, at(&s, 122.0, 68.0));
    assert_eq!(s.editor.tool(), ToolKind::Clip);
}
