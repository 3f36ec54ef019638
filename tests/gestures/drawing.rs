//! Boxes, pushing and pulling faces (BRU, EXT).

use super::*;

#[test]
fn bru_1_draw() {
    let mut s = Session::new(|draft| {
        cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
    });
    s.look_from(DVec3::new(30.0, 200.0, 200.0), -50.0, 0.0);
    s.drag(
        VIEW_3D,
        DVec3::new(3.0, 0.0, 5.0),
        DVec3::new(60.0, 0.0, 40.0),
        Modifiers::NONE,
    );
    assert_eq!(s.labels(), ["Draw box"]);
    assert_eq!(s.selected(), [id(2)]);
    assert_eq!(
        s.bounds(id(2)),
        Aabb::new(DVec3::ZERO, DVec3::new(64.0, 16.0, 48.0))
    );
    // Only the result is selected, and the press is not on it: box after box.
    s.drag(
        VIEW_3D,
        DVec3::new(100.0, 0.0, 5.0),
        DVec3::new(130.0, 0.0, 30.0),
        Modifiers::NONE,
    );
    assert_eq!(s.labels(), ["Draw box", "Draw box"]);
    s.key("Ctrl+Z");
    s.key("Ctrl+Z");
    assert_eq!(s.doc().object_count(), 1);
}

#[test]
fn bru_1_square_and_height() {
    let mut s = Session::new(|draft| {
        cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
    });
    s.look_from(DVec3::new(30.0, 200.0, 300.0), -35.0, 0.0);
    let (from, to) = (
        s.at(VIEW_3D, DVec3::new(3.0, 0.0, 5.0)),
        s.at(VIEW_3D, DVec3::new(60.0, 0.0, 20.0)),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    s.hold(Modifiers::SHIFT);
    let preview = |s: &Session| {
        s.editor
            .state()
            .doc
            .object(id(2))
            .expect("preview")
            .bounds()
    };
    assert_eq!(preview(&s).size(), DVec3::new(64.0, 16.0, 64.0));
    s.hold(Modifiers {
        shift: true,
        alt: true,
        ctrl: false,
    });
    assert_eq!(preview(&s).size(), DVec3::splat(64.0));
    s.hold(Modifiers::NONE);
    assert_eq!(preview(&s).size(), DVec3::new(64.0, 16.0, 32.0));
    s.hold(Modifiers::ALT);
    // From the end of the base upwards.
    let up = s.at(VIEW_3D, DVec3::new(60.0, 100.0, 20.0));
    s.move_to(VIEW_3D, up);
    let size = preview(&s).size();
    assert_eq!((size.x, size.z), (64.0, 32.0), "the base is frozen");
    assert!(size.y >= 96.0 && size.y <= 128.0, "{size}");
    assert!(
        s.editor
            .overlay(VIEW_3D)
            .readout
            .expect("readout")
            .text
            .contains(" x ")
    );
    s.release(VIEW_3D, up);
    assert_eq!(s.bounds(id(2)).size(), size);
}

#[test]
fn bru_1_without_snapping_a_box_is_one_cell_high() {
    let mut s = Session::new(|draft| {
        cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
    });
    s.look_from(DVec3::new(30.0, 200.0, 200.0), -50.0, 0.0);
    s.key("Alt+0");
    let (from, to) = (DVec3::new(3.0, 0.0, 5.0), DVec3::new(60.3, 0.0, 40.0));
    s.drag(VIEW_3D, from, to, Modifiers::NONE);
    assert_eq!(s.labels(), ["Draw box"]);
    let drawn = s.bounds(id(2));
    assert_eq!((drawn.min.y, drawn.max.y), (0.0, 16.0));
    assert!(drawn.min.distance(from) < 1.0 / 512.0, "{drawn:?}");
    let end = DVec3::new(drawn.max.x, 0.0, drawn.max.z);
    assert!(end.distance(to) < 1.0 / 512.0, "{drawn:?}");
    // A drag along one axis makes something that can be seen, and says nothing of impossible brushes on its way.
    s.now_s += 20.0;
    s.key("Ctrl+Shift+A");
    s.drag(
        TOP,
        DVec3::new(100.0, 0.0, 5.0),
        DVec3::new(100.0, 0.0, 40.0),
        Modifiers::NONE,
    );
    assert_eq!(s.labels(), ["Draw box", "Draw box"]);
    assert_eq!(s.bounds(id(3)).size().x, 1.0 / 64.0);
    assert!(s.editor.status().is_none(), "{:?}", s.editor.status());
}

#[test]
fn bru_1_where_a_box_begins() {
    let drawn = |eye: DVec3, pitch_deg: f64, from: DVec2, to: DVec2, wall: bool| {
        let mut s = Session::new(|draft| {
            if wall {
                cube(draft, [-64.0, -64.0, -160.0], [64.0, 64.0, -96.0]);
            }
        });
        s.look_from(eye, pitch_deg, 0.0);
        s.press(VIEW_3D, from);
        s.move_to(VIEW_3D, to);
        s.release(VIEW_3D, to);
        assert_eq!(s.labels(), ["Draw box"]);
        let id = s.selected()[0];
        s.bounds(id)
    };
    let middle = SIZE * 0.5;
    // On a wall: its plane, one cell on the outer side.
    let on_wall = drawn(
        DVec3::ZERO,
        0.0,
        middle,
        middle + DVec2::new(60.0, -60.0),
        true,
    );
    assert_eq!((on_wall.min.z, on_wall.max.z), (-96.0, -80.0));
    assert_eq!((on_wall.min.x, on_wall.min.y), (0.0, 0.0));
    // Nothing hit: the floor y = 0.
    let on_floor = drawn(
        DVec3::new(0.0, 100.0, 0.0),
        -45.0,
        middle,
        middle + DVec2::new(60.0, 0.0),
        false,
    );
    assert_eq!((on_floor.min.y, on_floor.max.y), (0.0, 16.0));
    assert!(
        on_floor.contains(DVec3::new(1.0, 1.0, -99.0)),
        "{on_floor:?}"
    );
    // No floor either: 256 ahead, on a horizontal plane.
    let ahead = drawn(
        DVec3::new(0.0, 100.0, 0.0),
        30.0,
        middle,
        middle + DVec2::new(60.0, 0.0),
        false,
    );
    let start = DVec3::new(0.0, 100.0 + 128.0, -256.0 * 30f64.to_radians().cos());
    assert!(ahead.grown(1.0).contains(start), "{ahead:?} {start}");
    assert_eq!(ahead.size().y, 16.0);
}

#[test]
fn bru_2_draw_2d() {
    let mut s = Session::new(|_| {});
    s.drag(
        TOP,
        DVec3::new(3.0, 0.0, 5.0),
        DVec3::new(60.0, 0.0, 40.0),
        Modifiers::NONE,
    );
    assert_eq!(
        s.bounds(id(1)),
        Aabb::new(DVec3::ZERO, DVec3::new(64.0, 64.0, 48.0))
    );
    // Depth is that of the last selected object.
    s.key("Ctrl+Shift+A");
    s.drag(
        FRONT,
        DVec3::new(100.0, 5.0, 0.0),
        DVec3::new(130.0, 30.0, 0.0),
        Modifiers::NONE,
    );
    assert_eq!(
        s.bounds(id(2)),
        Aabb::new(DVec3::new(96.0, 0.0, 0.0), DVec3::new(144.0, 32.0, 48.0))
    );
}

#[test]
fn bru_1_esc_gives_back_the_same_map_and_keeps_redo() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Del");
    s.key("Ctrl+Z");
    s.key("Ctrl+Shift+A");
    let before = s.doc().clone();
    let (from, to) = (
        s.at(VIEW_3D, ON_FLOOR),
        s.at(VIEW_3D, ON_FLOOR + DVec3::X * 60.0),
    );
    for cancel in ["Esc", "right"] {
        s.press(VIEW_3D, from);
        s.move_to(VIEW_3D, to);
        assert!(!s.editor.state().doc.same(&before), "a preview is shown");
        if cancel == "Esc" {
            s.key("Esc");
        } else {
            s.input(
                VIEW_3D,
                Input::Press {
                    button: Button::Right,
                    at: to,
                },
            );
        }
        assert!(s.editor.state().doc.same(&before), "{cancel}");
        s.release(VIEW_3D, to);
        assert!(s.doc().same(&before));
        s.input(
            VIEW_3D,
            Input::Release {
                button: Button::Right,
                at: to,
            },
        );
    }
    assert_eq!(s.editor.history().redo_label(), Some("Delete"));
}

#[test]
fn ext_1_push_pull() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let faces = |s: &Session| {
        s.doc()
            .object(id(CRATE))
            .and_then(Object::brush)
            .expect("brush")
            .faces()
            .len()
    };
    s.drag(
        VIEW_3D,
        ON_CRATE,
        ON_CRATE + DVec3::Y * 48.0,
        Modifiers::SHIFT,
    );
    assert_eq!(s.labels(), ["Extrude"]);
    assert_eq!(
        s.bounds(id(CRATE)),
        Aabb::new(DVec3::new(-32.0, 0.0, -32.0), DVec3::new(32.0, 112.0, 32.0))
    );
    assert_eq!(faces(&s), 6);
    // In 2D the face behind the nearest silhouette edge, also from beside the brush.
    s.drag(
        TOP,
        DVec3::new(40.0, 0.0, 0.0),
        DVec3::new(72.0, 0.0, 0.0),
        Modifiers::SHIFT,
    );
    assert_eq!(s.bounds(id(CRATE)).max.x, 64.0);
    // It stops before it would vanish.
    s.drag(
        TOP,
        DVec3::new(60.0, 0.0, 0.0),
        DVec3::new(-300.0, 0.0, 0.0),
        Modifiers::SHIFT,
    );
    let bounds = s.bounds(id(CRATE));
    assert_eq!((bounds.min.x, bounds.max.x), (-32.0, -16.0));
    assert_eq!(faces(&s), 6);
}

#[test]
fn ext_1_faces_that_touch_move_together() {
    let mut s = Session::new(|draft| {
        cube(draft, [0.0, 0.0, 0.0], [64.0, 64.0, 64.0]);
        cube(draft, [64.0, 0.0, 0.0], [128.0, 64.0, 64.0]);
        cube(draft, [0.0, 0.0, 64.0], [64.0, 64.0, 128.0]);
    });
    s.select(&[id(1), id(2), id(3)]);
    s.drag(
        TOP,
        DVec3::new(66.0, 0.0, 100.0),
        DVec3::new(82.0, 0.0, 100.0),
        Modifiers::SHIFT,
    );
    assert_eq!(s.bounds(id(1)).max.x, 80.0);
    assert_eq!(s.bounds(id(3)).max.x, 80.0, "on the same plane");
    assert_eq!(s.bounds(id(2)).min.x, 80.0, "back to back");
    assert_eq!(s.labels(), ["Extrude"]);
}
