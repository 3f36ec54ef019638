//! The UV view, driven with positions of its own area (TEX-8).

use mapwright::document::ops::surfaces::Surface;
use mapwright::editor::uv_view::Grab;
use mapwright::editor::uv_view::UvInput;
use mapwright::editor::uv_view::UvScene;

use super::*;

const AREA: DVec2 = DVec2::new(400.0, 400.0);
const FRONT_FACE: u32 = 4;

/// A wall of 256 x 128 with bricks of 64, seen from the front; its middle is the origin of the view.
fn session() -> Session {
    let mut s = Session::new(|draft| {
        let brick = draft.insert_material(Material::new("brick", "brick.png"));
        cube_of(
            draft,
            [-128.0, 0.0, -16.0],
            [128.0, 128.0, 0.0],
            Some(brick),
        );
    });
    s.editor
        .select(Selection::from([Pick::Face(id(1), FRONT_FACE)]));
    s.editor.uv_input(UvInput::Resized { size: AREA });
    s
}

fn surface(s: &Session, face: u32) -> Surface {
    Surface::of(s.doc(), (id(1), face)).expect("a face")
}

fn scene(s: &Session) -> UvScene {
    s.editor.uv_scene(AREA).expect("a face is shown")
}

/// Where a point of the map is in the view: the middle of the wall in its middle, 70 % of the width used.
fn place(point: DVec3) -> DVec2 {
    let zoom = 0.7 * 400.0 / 256.0;
    DVec2::new(point.x, 64.0 - point.y) * zoom + AREA / 2.0
}

fn drag(s: &mut Session, from: DVec2, to: DVec2, (ctrl, alt): (bool, bool), suspended: bool) {
    s.editor.uv_input(UvInput::Moved { at: from, ctrl });
    s.editor.uv_input(UvInput::Press {
        at: from,
        ctrl,
        alt,
    });
    s.editor.uv_input(UvInput::Moved {
        at: from.lerp(to, 0.3),
        ctrl,
    });
    s.editor.uv_input(UvInput::Moved {
        at: to,
        ctrl: false,
    });
    if suspended {
        s.editor.uv_input(UvInput::Moved { at: to, ctrl: true });
    }
    s.editor.uv_input(UvInput::Release);
    s.check();
}

const PLAIN: (bool, bool) = (false, false);

#[test]
fn tex_8_scene() {
    let mut s = session();
    let scene = scene(&s);
    assert_eq!(scene.material, Some(MaterialId(0)));
    let (from, to) = (scene.corners_uv[0], scene.corners_uv[2]);
    // 400 points show 365.7 units, 5.71 repeats.
    assert!(((to - from) - DVec2::splat(400.0 * 256.0 / 280.0 / 64.0)).length() < 1e-9);
    assert!(
        scene
            .lines
            .iter()
            .any(|line| line.grab == Grab::Line(0, 1.0)
                && (line.from.x - place(DVec3::X * 64.0).x).abs() < 1e-6
                && (line.to.x - line.from.x).abs() < 1e-6)
    );
    let outline = scene.faces.last().expect("the face");
    assert!(
        outline
            .iter()
            .all(|at| (at.x - 60.0).abs() < 1e-6 || (at.x - 340.0).abs() < 1e-6)
    );
    assert!(scene.origin.distance(AREA / 2.0) < 1e-9);
    // Nothing of it changes the map; the wheel keeps the point under the pointer.
    let at = DVec2::new(100.0, 120.0);
    let uv = |s: &Session| {
        let [a, b, _, d] = self::scene(s).corners_uv;
        a + (b - a) * (at.x / AREA.x) + (d - a) * (at.y / AREA.y)
    };
    let before = uv(&s);
    s.editor.uv_input(UvInput::Zoom { at, factor: 1.5 });
    assert!(uv(&s).distance(before) < 1e-9);
    s.editor.uv_input(UvInput::Pan {
        delta: DVec2::new(30.0, 0.0),
    });
    assert!((self::scene(&s).origin.x - 245.0).abs() > 1e-3);
    s.editor.uv_input(UvInput::Frame);
    assert!(self::scene(&s).origin.distance(AREA / 2.0) < 1e-9);
    assert!(s.labels().is_empty());
    s.editor.select(Selection::new());
    assert!(s.editor.uv_scene(AREA).is_none());
}

#[test]
fn tex_8_dragging_the_texture_shifts_it() {
    let mut s = session();
    let before = s.doc().clone();
    // 20.4 and 11 units: no side of a repeat comes near a vertex, so whole texels.
    let from = place(DVec3::new(10.0, 90.0, 0.0));
    let to = place(DVec3::new(30.4, 79.2, 0.0));
    drag(&mut s, from, to, PLAIN, false);
    assert_eq!(s.labels(), ["Shift texture"]);
    let shift = surface(&s, FRONT_FACE).frame.at(DVec3::ZERO) * 64.0;
    assert!(shift.distance(DVec2::new(-20.0, -11.0)) < 1e-4, "{shift}");
    s.editor.undo();
    assert!(s.doc().same(&before));
    // Ctrl while dragging suspends the snap.
    drag(&mut s, from, to, PLAIN, true);
    let shift = surface(&s, FRONT_FACE).frame.at(DVec3::ZERO) * 64.0;
    assert!(shift.distance(DVec2::new(-20.4, -10.8)) < 1e-3, "{shift}");
    s.editor.undo();
    // Near a vertex the side of a repeat jumps onto it.
    let scaled = place(DVec3::new(10.0 + 61.0, 90.0, 0.0));
    drag(&mut s, from, scaled, PLAIN, false);
    let corner = surface(&s, FRONT_FACE).frame.at(DVec3::X * 128.0);
    assert!((corner.x - 1.0).abs() < 1e-5, "{corner}");
}

#[test]
fn tex_8_dragging_a_line_scales_about_the_origin() {
    let mut s = session();
    let origin = DVec3::new(0.0, 64.0, 0.0);
    let held = surface(&s, FRONT_FACE).frame.at(origin);
    // The line at x = 64 goes to x = 96.3: the repeat is 96 long then.
    let from = place(DVec3::new(64.0, 100.0, 0.0));
    s.editor.uv_input(UvInput::Moved {
        at: from,
        ctrl: false,
    });
    assert_eq!(scene(&s).hovered, Some(Grab::Line(0, 1.0)));
    drag(
        &mut s,
        from,
        place(DVec3::new(96.3, 100.0, 0.0)),
        PLAIN,
        false,
    );
    assert_eq!(s.labels(), ["Scale texture"]);
    let frame = surface(&s, FRONT_FACE).frame;
    assert!((1.0 / frame.u.length() - 96.0).abs() < 1e-4);
    assert!(
        (1.0 / frame.v.length() - 64.0).abs() < 1e-4,
        "the other way stays"
    );
    assert!(frame.at(origin).distance(held) < 1e-5);
    s.editor.undo();
    // Onto the vertex at 128.
    drag(
        &mut s,
        from,
        place(DVec3::new(124.0, 100.0, 0.0)),
        PLAIN,
        false,
    );
    assert!((1.0 / surface(&s, FRONT_FACE).frame.u.length() - 128.0).abs() < 1e-4);
    s.editor.undo();
    // The origin moves, onto the corner, and scaling goes about it then.
    drag(
        &mut s,
        AREA / 2.0,
        place(DVec3::new(-126.0, 2.0, 0.0)),
        PLAIN,
        false,
    );
    assert!(s.labels().is_empty(), "no step");
    assert!(
        scene(&s)
            .origin
            .distance(place(DVec3::new(-128.0, 0.0, 0.0)))
            < 1e-6
    );
    drag(
        &mut s,
        from,
        place(DVec3::new(160.0, 100.0, 0.0)),
        PLAIN,
        false,
    );
    let frame = surface(&s, FRONT_FACE).frame;
    assert!((frame.at(DVec3::new(-128.0, 0.0, 0.0)) - DVec2::new(-2.0, 0.0)).length() < 1e-5);
    assert!((1.0 / frame.u.length() - 96.0).abs() < 1e-4);
}

#[test]
fn tex_8_turning_and_shearing() {
    let mut s = session();
    let origin = DVec3::new(0.0, 64.0, 0.0);
    let held = surface(&s, FRONT_FACE).frame.at(origin);
    let middle = AREA / 2.0;
    // The ring, a quarter counter-clockwise.
    drag(
        &mut s,
        middle + DVec2::X * 40.0,
        middle - DVec2::Y * 42.0,
        PLAIN,
        false,
    );
    assert_eq!(s.labels(), ["Rotate texture"]);
    let frame = surface(&s, FRONT_FACE).frame;
    assert!(frame.u.distance(DVec3::Y / 64.0) < 1e-7, "{}", frame.u);
    assert!(frame.at(origin).distance(held) < 1e-5);
    s.editor.undo();
    // Ctrl+drag anywhere turns, too.
    drag(
        &mut s,
        middle + DVec2::X * 90.0,
        middle + DVec2::new(77.0, -46.0),
        (true, false),
        false,
    );
    let face = s
        .doc()
        .object(id(1))
        .and_then(Object::brush)
        .expect("brush")
        .faces()[FRONT_FACE as usize]
        .clone();
    assert_eq!(face.uv.rotation_deg.abs(), 30.0);
    s.editor.undo();
    // Alt+drag of a line shears: what is not a rotation is kept as exact axes, and survives saving.
    let from = place(DVec3::new(64.0, 112.0, 0.0));
    drag(
        &mut s,
        from,
        place(DVec3::new(96.0, 112.0, 0.0)),
        (false, true),
        true,
    );
    assert_eq!(s.labels(), ["Shear texture"]);
    let sheared = surface(&s, FRONT_FACE);
    assert!(sheared.frame.at(origin).distance(held) < 1e-5);
    let on_line = sheared.frame.at(DVec3::new(96.0, 112.0, 0.0));
    assert!((on_line.x - 1.0).abs() < 1e-4, "{on_line}");
    assert!(
        s.doc()
            .object(id(1))
            .and_then(Object::brush)
            .expect("brush")
            .faces()[FRONT_FACE as usize]
            .axes
            .is_some()
    );
    s.editor.undo();
}

#[test]
fn tex_8_many_faces_follow_the_one_picked_last() {
    let mut s = session();
    s.editor.select(Selection::from([Pick::Face(id(1), 0)]));
    s.editor.select(Selection::from([
        Pick::Face(id(1), 0),
        Pick::Face(id(1), FRONT_FACE),
    ]));
    assert_eq!(s.editor.last_face(), Some((id(1), FRONT_FACE)));
    assert_eq!(scene(&s).faces.len(), 2);
    let before = surface(&s, 0).frame;
    let from = place(DVec3::new(64.0, 100.0, 0.0));
    drag(
        &mut s,
        from,
        place(DVec3::new(96.0, 100.0, 0.0)),
        PLAIN,
        false,
    );
    let after = surface(&s, 0).frame;
    assert!((after.u.length() * 1.5 - before.u.length()).abs() < 1e-7);
    assert_eq!(s.labels(), ["Scale texture"]);
}

#[test]
fn tex_8_esc_leaves_everything_as_it_was() {
    let mut s = session();
    let before = s.doc().clone();
    let (from, to) = (
        place(DVec3::new(10.0, 90.0, 0.0)),
        place(DVec3::new(30.0, 70.0, 0.0)),
    );
    let start = |s: &mut Session| {
        s.editor.uv_input(UvInput::Press {
            at: from,
            ctrl: false,
            alt: false,
        });
        s.editor.uv_input(UvInput::Moved {
            at: to,
            ctrl: false,
        });
        assert!(!s.editor.doc().same(&before));
        assert!(scene(s).readout.expect("numbers").contains("texels"));
    };
    start(&mut s);
    s.key("Esc");
    assert!(s.editor.doc().same(&before));
    s.editor.uv_input(UvInput::Release);
    assert!(s.labels().is_empty() && s.doc().same(&before));
    assert!(!s.editor.selection().is_empty(), "one step down the ladder");
    // Back where it began is no step.
    start(&mut s);
    s.editor.uv_input(UvInput::Moved {
        at: from,
        ctrl: false,
    });
    s.editor.uv_input(UvInput::Release);
    assert!(s.labels().is_empty() && s.editor.doc().same(&before));
}
