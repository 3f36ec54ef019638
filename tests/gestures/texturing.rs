//! Textures taken from face to face, shifted by keys, brought into line, replaced (TEX-3 to TEX-6, TEX-10).

use glam::Vec2;

use mapwright::document::Contents;
use mapwright::document::Face;
use mapwright::document::ops::surfaces::Surface;
use mapwright::document::ops::texture::Align;
use mapwright::document::ops::texture::Cycle;
use mapwright::editor::texturing::ReplaceScope;
use mapwright::geometry::Plane;
use mapwright::geometry::Uv;

use super::*;

const SHIFT_ALT: Modifiers = Modifiers {
    ctrl: false,
    shift: true,
    alt: true,
};

/// Texels of the bricks that the tests use, both ways.
const TEXELS: f64 = 64.0;

fn bricks(draft: &mut Draft) -> MaterialId {
    draft.insert_material(Material::new("brick", "brick.png"))
}

fn direction(side: usize) -> DVec3 {
    let (sin, cos) = (side as f64 * 30f64.to_radians()).sin_cos();
    DVec3::new(cos, 0.0, sin)
}

/// Twelve sides, then top and bottom. The first side has bricks, askew.
fn tube(draft: &mut Draft) -> ObjectId {
    let brick = bricks(draft);
    let sides = (0..12).map(|side| Plane::new(direction(side), 64.0));
    let caps = [Plane::new(DVec3::Y, 96.0), Plane::new(DVec3::NEG_Y, 0.0)];
    let mut faces: Vec<Face> = sides
        .chain(caps)
        .map(|plane| Face::new(plane, None))
        .collect();
    faces[0].material = Some(brick);
    faces[0].uv = Uv {
        offset: Vec2::new(0.3, 0.1),
        scale: Vec2::new(1.5, 0.75),
        rotation_deg: 20.0,
    };
    let brush = Brush::solid(Contents::SOLID, faces).expect("convex");
    draft.insert(Object::new(Kind::Brush(brush)))
}

fn surface(s: &Session, id: ObjectId, face: u32) -> Surface {
    Surface::of(s.doc(), (id, face)).expect("a face")
}

fn face(s: &Session, id: ObjectId, index: usize) -> Face {
    s.doc()
        .object(id)
        .and_then(Object::brush)
        .expect("brush")
        .faces()[index]
        .clone()
}

fn look_at_side(s: &mut Session, side: usize) -> DVec3 {
    let out = direction(side);
    let yaw_deg = out.x.atan2(out.z).to_degrees();
    s.look_from(out * 200.0 + DVec3::Y * 48.0, 0.0, yaw_deg);
    out * 64.0 + DVec3::Y * 48.0
}

#[test]
fn tex_3_transfer_wraps_round_a_tube() {
    let mut s = Session::new(|draft| {
        tube(draft);
    });
    let at = look_at_side(&mut s, 0);
    s.click_with(VIEW_3D, at, Modifiers::SHIFT);
    assert_eq!(
        *s.editor.selection(),
        Selection::from([Pick::Face(id(1), 0)])
    );
    for side in 1..12 {
        let at = look_at_side(&mut s, side);
        s.click_with(VIEW_3D, at, SHIFT_ALT);
        assert_eq!(
            *s.editor.selection(),
            Selection::from([Pick::Face(id(1), side as u32)]),
            "the source moves along"
        );
    }
    assert_eq!(s.labels(), ["Transfer texture"; 11]);
    let density = |side| {
        let frame = surface(&s, id(1), side).frame;
        DVec2::new(frame.u.length(), frame.v.length()) * TEXELS
    };
    let half = 64.0 / 15f64.to_radians().cos();
    for side in 0..11 {
        let (a, b) = (surface(&s, id(1), side), surface(&s, id(1), side + 1));
        let bend = (a.plane.normal + b.plane.normal).normalize() * half;
        for height in [0.0, 40.0, 96.0] {
            let point = bend + DVec3::Y * height;
            let step = (a.frame.at(point) - b.frame.at(point)) * TEXELS;
            assert!(
                step.abs().max_element() < 1e-3,
                "edge {side}: {step} texels"
            );
        }
        assert!(
            (density(side) - density(side + 1)).length() < 1e-5,
            "side {side}"
        );
        assert_eq!(b.material, Some(MaterialId(0)));
    }
}

#[test]
fn tex_3_transfer_drag_is_one_step_and_double_click_takes_the_brush() {
    let mut s = Session::new(|draft| {
        tube(draft);
    });
    let at = look_at_side(&mut s, 0);
    s.click_with(VIEW_3D, at, Modifiers::SHIFT);
    let before = s.doc().clone();
    let edge = direction(0) * 64.0 + direction(3) * 16.0 + DVec3::Y * 48.0;
    let far = direction(2) * 64.0 + DVec3::Y * 48.0;
    s.drag(VIEW_3D, edge, far, SHIFT_ALT);
    assert_eq!(s.labels(), ["Transfer texture"]);
    assert_eq!(
        *s.editor.selection(),
        Selection::from([Pick::Face(id(1), 2)])
    );
    assert!(face(&s, id(1), 1).material.is_some() && face(&s, id(1), 3).material.is_none());
    s.editor.undo();
    assert!(s.doc().same(&before));
    assert_eq!(
        *s.editor.selection(),
        Selection::from([Pick::Face(id(1), 0)])
    );

    // Esc before the release leaves everything as it was.
    let (from, to) = (s.at(VIEW_3D, edge), s.at(VIEW_3D, far));
    s.hold(SHIFT_ALT);
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    assert!(!s.editor.doc().same(&before), "previewed");
    s.hold(Modifiers::NONE);
    s.key("Esc");
    s.release(VIEW_3D, to);
    assert!(s.doc().same(&before) && s.editor.doc().same(&before));

    // A double click spreads it over all sides, continuous but for one seam; one step.
    s.double_click(VIEW_3D, direction(1) * 64.0 + DVec3::Y * 48.0, SHIFT_ALT);
    assert_eq!(s.labels(), ["Transfer texture"]);
    let half = 64.0 / 15f64.to_radians().cos();
    let is_seamless = |side: u32| {
        let (a, b) = (
            surface(&s, id(1), side),
            surface(&s, id(1), (side + 1) % 12),
        );
        let bend = (a.plane.normal + b.plane.normal).normalize() * half;
        ((a.frame.at(bend) - b.frame.at(bend)) * TEXELS).length() < 1e-3
    };
    assert_eq!((0..12).filter(|&side| is_seamless(side)).count(), 11);
    let all = (0..14).all(|index| face(&s, id(1), index).material == Some(MaterialId(0)));
    assert!(all, "caps too");
    s.editor.undo();
    assert!(s.doc().same(&before));
}

#[test]
fn tex_3_flat_neighbours_get_the_identical_frame() {
    let tilted = |draft: &mut Draft, shift: f64, material: Option<MaterialId>| {
        let up = DVec3::new(0.3, 1.0, 0.2).normalize();
        let planes = [
            Plane::through(DVec3::ZERO, up),
            Plane::through(DVec3::X * (shift + 64.0), DVec3::X),
            Plane::through(DVec3::X * shift, DVec3::NEG_X),
            Plane::through(DVec3::Z * 64.0, DVec3::Z),
            Plane::through(DVec3::ZERO, DVec3::NEG_Z),
            Plane::through(DVec3::NEG_Y * 128.0, DVec3::NEG_Y),
        ];
        let faces = planes
            .into_iter()
            .map(|plane| Face::new(plane.expect("a plane").rounded(), material))
            .collect();
        let brush = Brush::solid(Contents::SOLID, faces).expect("convex");
        draft.insert(Object::new(Kind::Brush(brush)))
    };
    let mut s = Session::new(|draft| {
        let brick = bricks(draft);
        tilted(draft, -64.0, Some(brick));
        tilted(draft, 0.0, None);
    });
    let top = |s: &Session, x: f64| {
        s.doc()
            .object(id(if x < 0.0 { 1 } else { 2 }))
            .and_then(Object::brush)
            .expect("brush")
            .hull()
            .face_points(0)
            .sum::<DVec3>()
            / 4.0
    };
    s.look_from(DVec3::new(0.0, 200.0, 100.0), -60.0, 0.0);
    let (left, right) = (top(&s, -1.0), top(&s, 1.0));
    s.click_with(VIEW_3D, left, Modifiers::SHIFT);
    for key in ["PgUp", "Right", "Ctrl+F"] {
        s.key(key);
    }
    for modifiers in [Modifiers::ALT, SHIFT_ALT] {
        s.editor.select(Selection::from([Pick::Face(id(1), 0)]));
        s.click_with(VIEW_3D, right, modifiers);
        let (a, b) = (face(&s, id(1), 0), face(&s, id(2), 0));
        assert_eq!((a.axes, a.flags), (b.axes, b.flags));
        assert_eq!(surface(&s, id(1), 0).frame, surface(&s, id(2), 0).frame);
    }
    // Straight ones keep their five numbers.
    s.editor.select(Selection::from([Pick::Face(id(1), 0)]));
    s.key("Alt+Shift+R");
    s.click_with(VIEW_3D, right, SHIFT_ALT);
    assert_eq!(face(&s, id(1), 0).uv, face(&s, id(2), 0).uv);
    assert!(face(&s, id(2), 0).axes.is_none());
}

#[test]
fn tex_3_steep_projections_are_warned_of() {
    let mut s = Session::new(|draft| {
        let brick = bricks(draft);
        let steep = DVec3::new(0.0, 0.05, 1.0).normalize();
        let planes = [
            Plane::new(DVec3::Y, 64.0),
            Plane::through(DVec3::new(0.0, 64.0, 32.0), steep)
                .expect("a plane")
                .rounded(),
            Plane::new(DVec3::NEG_Y, 0.0),
            Plane::new(DVec3::X, 32.0),
            Plane::new(DVec3::NEG_X, 32.0),
            Plane::new(DVec3::NEG_Z, 32.0),
        ];
        let faces = planes.map(|plane| Face::new(plane, Some(brick))).into();
        let brush = Brush::solid(Contents::SOLID, faces).expect("convex");
        draft.insert(Object::new(Kind::Brush(brush)));
    });
    s.click_with(VIEW_3D, DVec3::new(0.0, 64.0, 0.0), Modifiers::SHIFT);
    let frame = surface(&s, id(1), 0).frame;
    s.click_with(VIEW_3D, DVec3::new(0.0, 32.0, 33.6), Modifiers::ALT);
    let said = s.editor.status().expect("a warning").text.clone();
    assert!(said.contains("smeared"), "{said}");
    let steep = surface(&s, id(1), 1);
    for &corner in &steep.corners {
        assert!(
            steep.frame.at(corner).distance(frame.at(corner)) < 1e-4,
            "projected unchanged"
        );
    }
}

#[test]
fn tex_3_opposite_faces_are_turned_about_the_longest_edge() {
    let mut s = Session::new(|draft| {
        let brick = bricks(draft);
        cube_of(draft, [-64.0, 0.0, -8.0], [64.0, 32.0, 8.0], Some(brick));
        // Behind the camera, looking the other way.
        cube(draft, [-64.0, 0.0, 400.0], [64.0, 32.0, 416.0]);
    });
    s.look_from(DVec3::new(0.0, 16.0, 200.0), 0.0, 0.0);
    s.click_with(VIEW_3D, DVec3::new(0.0, 16.0, 8.0), Modifiers::SHIFT);
    s.key("Right");
    s.look_from(DVec3::new(0.0, 16.0, 200.0), 0.0, 180.0);
    s.click_with(VIEW_3D, DVec3::new(0.0, 16.0, 400.0), SHIFT_ALT);
    let (from, to) = (surface(&s, id(1), 4).frame, surface(&s, id(2), 5).frame);
    assert!(
        to.u.distance(from.u) < 1e-9,
        "along the longest edge nothing changes"
    );
    assert!(
        to.v.distance(-from.v) < 1e-9,
        "across it the picture is upside down"
    );
}

#[test]
fn tex_3_material_only_and_projection() {
    let mut s = Session::new(|draft| {
        let brick = bricks(draft);
        cube_of(draft, [-32.0, 0.0, -32.0], [32.0, 64.0, 32.0], Some(brick));
        cube(draft, [64.0, 0.0, -32.0], [128.0, 64.0, 32.0]);
    });
    let other_top = DVec3::new(96.0, 64.0, 16.0);
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    s.key("Right");
    let uv = face(&s, id(1), 2).uv;
    assert_ne!(uv, Uv::default());
    s.click_with(VIEW_3D, other_top, Modifiers::CTRL_ALT);
    assert_eq!(
        (face(&s, id(2), 2).material, face(&s, id(2), 2).uv),
        (Some(MaterialId(0)), Uv::default())
    );
    s.editor.select(Selection::from([Pick::Face(id(1), 2)]));
    s.click_with(VIEW_3D, other_top, Modifiers::ALT);
    assert_eq!(face(&s, id(2), 2).uv, uv);
    // The front is seen edge-on from the top: the numbers go over, which is said.
    s.click_with(VIEW_3D, DVec3::new(96.0, 32.0, 32.0), Modifiers::ALT);
    let said = s.editor.status().expect("a warning").text.clone();
    assert!(said.contains("edge-on"), "{said}");
    assert_eq!(face(&s, id(2), 4).uv, uv);
    // Two sources are none.
    s.editor.select(Selection::from([
        Pick::Face(id(1), 2),
        Pick::Face(id(1), 4),
    ]));
    s.click_with(VIEW_3D, other_top, Modifiers::ALT);
    let said = s.editor.status().expect("a reason").text.clone();
    assert!(said.contains("one face"), "{said}");
    // With the selected face itself the patch is meant (SEL-6).
    s.editor.select(Selection::from([Pick::Face(id(2), 2)]));
    let steps = s.labels().len();
    s.double_click(VIEW_3D, other_top, SHIFT_ALT);
    assert_eq!(s.labels().len(), steps);
    assert_eq!(
        *s.editor.selection(),
        Selection::from([Pick::Face(id(2), 2)])
    );
}

#[test]
fn tex_4_keys_move_the_picture_as_seen_on_screen() {
    let mut s = Session::new(floor_and_crate);
    s.editor.set_grid(16.0);
    // Turned by a quarter: the picture still goes where the arrow points.
    for yaw_deg in [0.0, 90.0, 180.0, -90.0, 30.0] {
        for _ in 0..2 {
            s.key("Ctrl+Z");
        }
        let back = DVec3::new(
            f64::to_radians(yaw_deg).sin(),
            0.0,
            f64::to_radians(yaw_deg).cos(),
        );
        s.look_from(back * 200.0 + DVec3::Y * 200.0, -40.0, yaw_deg);
        let center = s.at(VIEW_3D, DVec3::new(0.0, 64.0, 0.0));
        s.move_to(VIEW_3D, center);
        s.editor.select(Selection::from([Pick::Face(id(CRATE), 2)]));
        for (key, wanted) in [
            ("Right", DVec2::X),
            ("Left", -DVec2::X),
            ("Up", -DVec2::Y),
            ("Down", DVec2::Y),
        ] {
            let before = surface(&s, id(CRATE), 2);
            s.now_s += 2.0;
            s.key(key);
            let after = surface(&s, id(CRATE), 2);
            let mark = before.frame.at(before.center());
            let moved = after
                .frame
                .point_at(after.plane, mark)
                .expect("on the face");
            assert!(
                (moved.distance(before.center()) - 16.0).abs() < 1e-4,
                "16 texels of 1 unit"
            );
            let way = (s.at(VIEW_3D, moved) - center).normalize();
            assert!(way.dot(wanted) > 0.5, "{yaw_deg} {key}: {way}");
            let steps = s.labels().len();
            s.editor.undo();
            assert_eq!(s.labels().len(), steps - 1);
        }
    }
    s.editor.select(Selection::from([Pick::Face(id(CRATE), 2)]));
    let start = face(&s, id(CRATE), 2);
    s.now_s += 2.0;
    s.key("Shift+Right");
    s.key("Shift+Right");
    assert_eq!(s.labels().last(), Some(&"Shift texture"));
    let moved = (face(&s, id(CRATE), 2).uv.offset - start.uv.offset).length();
    assert_eq!(
        moved, 1.0,
        "twice two cells of 16 texels are a repeat of 64"
    );
    s.editor.undo();
    assert_eq!(face(&s, id(CRATE), 2), start, "folded into one step");
    s.now_s += 2.0;
    s.key("Ctrl+Down");
    assert_eq!(
        (face(&s, id(CRATE), 2).uv.offset - start.uv.offset).length(),
        1.0 / 64.0
    );
}

#[test]
fn tex_4_keys_turn_flip_and_scale_about_the_middle() {
    let mut s = Session::new(floor_and_crate);
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    let start = face(&s, id(CRATE), 2);
    let middle = |s: &Session| {
        let top = surface(s, id(CRATE), 2);
        top.frame.at(top.center())
    };
    let held = middle(&s);
    s.key("PgUp");
    assert_eq!(face(&s, id(CRATE), 2).uv.rotation_deg.abs(), 15.0);
    assert!(middle(&s).distance(held) < 1e-5);
    s.key("PgDn");
    s.key("Shift+PgUp");
    assert_eq!(face(&s, id(CRATE), 2).uv.rotation_deg, 90.0);
    s.key("Shift+PgDn");
    assert!(
        face(&s, id(CRATE), 2)
            .uv
            .offset
            .abs_diff_eq(start.uv.offset, 1e-6)
    );
    s.key("Ctrl+PgUp");
    assert!((face(&s, id(CRATE), 2).uv.rotation_deg.abs() - 1.0).abs() < 1e-4);
    s.key("Ctrl+PgDn");
    for (key, scale) in [
        ("Ctrl++", Vec2::new(2.0, 2.0)),
        ("Ctrl+Shift++", Vec2::new(2.1, 2.1)),
        ("Ctrl+Shift+-", Vec2::new(2.0, 2.0)),
        ("Ctrl+-", Vec2::new(1.0, 1.0)),
        ("Ctrl+F", Vec2::new(-1.0, 1.0)),
        ("Ctrl+Alt+F", Vec2::new(-1.0, -1.0)),
    ] {
        s.key(key);
        let now = face(&s, id(CRATE), 2).uv.scale;
        assert!(now.abs_diff_eq(scale, 1e-5), "{key}: {now}");
        assert!(middle(&s).distance(held) < 1e-5, "{key}");
    }
    s.key("Shift+R");
    assert_eq!(face(&s, id(CRATE), 2).uv, Uv::default());
    assert!(face(&s, id(CRATE), 2).flags.has(SurfaceFlags::FACE_ALIGNED));
    s.key("Alt+Shift+R");
    assert!(!face(&s, id(CRATE), 2).flags.has(SurfaceFlags::FACE_ALIGNED));
}

fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() < 1e-4
}

#[test]
fn tex_6_fit_cycles_through_whole_repeats_and_fractions() {
    let mut s = Session::new(|draft| {
        bricks(draft);
        cube_of(
            draft,
            [-40.0, 0.0, -32.0],
            [47.0, 61.0, 32.0],
            Some(MaterialId(0)),
        );
    });
    s.editor.select(Selection::from([Pick::Face(id(1), 4)]));
    let size = |s: &Session| {
        let (min, max) = surface(s, id(1), 4).uv_bounds();
        assert!(is_whole(min.x) || is_whole(min.y));
        max - min
    };
    for repeats in [1.0, 2.0, 3.0] {
        s.key("Ctrl+Shift+H");
        assert!((size(&s).x - repeats).abs() < 1e-4, "{}", size(&s));
    }
    s.editor
        .align_textures(Align::FitWidth, Cycle::Back)
        .expect("fits");
    assert!((size(&s).x - 2.0).abs() < 1e-4);
    s.key("Ctrl+Shift+Y");
    assert!((size(&s) - DVec2::new(2.0, 1.0)).length() < 1e-4);
    for part in [2.0, 3.0, 4.0] {
        s.editor
            .align_textures(Align::FitHeight, Cycle::Fraction)
            .expect("fits");
        assert!((size(&s).y - 1.0 / part).abs() < 1e-4, "{}", size(&s));
    }
    s.editor
        .align_textures(Align::FitHeight, Cycle::FractionBack)
        .expect("fits");
    assert!((size(&s).y - 1.0 / 3.0).abs() < 1e-4);
    s.editor
        .align_textures(Align::Fit, Cycle::Next)
        .expect("fits");
    let corners = surface(&s, id(1), 4);
    for &corner in &corners.corners {
        let uv = corners.frame.at(corner);
        assert!(is_whole(uv.x) && is_whole(uv.y), "{uv}");
    }
    assert!(s.labels().iter().all(|label| *label == "Fit texture"));
    assert_eq!(
        s.doc()
            .object(id(1))
            .and_then(Object::brush)
            .expect("brush")
            .faces()[4]
            .axes,
        None
    );
}

#[test]
fn tex_6_justify_and_center() {
    let mut s = Session::new(|draft| {
        cube(draft, [-40.0, 0.0, -32.0], [47.0, 61.0, 32.0]);
    });
    s.editor.select(Selection::from([Pick::Face(id(1), 4)]));
    s.key("PgUp");
    let bounds = |s: &Session| surface(s, id(1), 4).uv_bounds();
    for (key, value) in [
        ("Ctrl+Shift+Left", 0),
        ("Ctrl+Shift+Right", 1),
        ("Ctrl+Shift+Up", 2),
        ("Ctrl+Shift+Down", 3),
    ] {
        let before = surface(&s, id(1), 4).frame;
        s.key(key);
        let (min, max) = bounds(&s);
        assert!(
            is_whole([min.x, max.x, min.y, max.y][value]),
            "{key}: {min} {max}"
        );
        let now = surface(&s, id(1), 4).frame;
        assert!(
            now.u.distance(before.u) < 1e-7 && now.v.distance(before.v) < 1e-7,
            "only moved"
        );
    }
    s.key("Ctrl+Shift+C");
    let (min, max) = bounds(&s);
    let middle = (min + max) / 2.0 - 0.5;
    assert!(is_whole(middle.x) && is_whole(middle.y));
    let steps = s.labels().len();
    s.key("Ctrl+Shift+C");
    assert_eq!(s.labels().len(), steps, "again is no step");
}

#[test]
fn tex_6_align_to_edge_goes_round_the_face() {
    let mut s = Session::new(|draft| {
        tube(draft);
    });
    // The top, with twelve edges.
    s.editor.select(Selection::from([Pick::Face(id(1), 12)]));
    let mut seen = BTreeSet::new();
    for _ in 0..12 {
        s.key("Ctrl+Shift+L");
        let top = surface(&s, id(1), 12);
        let (along, _) = top.frame.tangents(top.plane.normal).expect("a frame");
        let corners = &top.corners;
        let edge = (0..12)
            .find(|&edge| {
                let way = (corners[(edge + 1) % 12] - corners[edge]).normalize();
                way.dot(along.normalize()) > 1.0 - 1e-9
            })
            .expect("along an edge");
        let uv = top.frame.at(corners[edge]);
        assert!(is_whole(uv.x) && is_whole(uv.y), "{uv}");
        // The picture stands upright on its edge: v falls towards the middle.
        assert!(top.frame.at(top.center()).y < top.frame.at(corners[edge]).y);
        seen.insert(edge);
    }
    assert_eq!(seen.len(), 12, "each edge once");
    let now = surface(&s, id(1), 12).frame;
    s.key("Ctrl+Shift+L");
    s.editor
        .align_textures(Align::Edge, Cycle::Back)
        .expect("back");
    let back = surface(&s, id(1), 12).frame;
    assert!(back.u.distance(now.u) < 1e-6);
}

#[test]
fn tex_6_as_one_fits_over_all_faces() {
    let mut s = Session::new(|draft| {
        tube(draft);
    });
    let sides: Selection = (0..12).map(|side| Pick::Face(id(1), side)).collect();
    s.editor.select(Selection::from([Pick::Face(id(1), 0)]));
    s.key("Alt+Shift+R");
    s.editor.select(sides.clone());
    s.editor.run("face.as_one").expect("toggles");
    s.key("Ctrl+Shift+H");
    let bounds = |s: &Session| {
        (0..12)
            .map(|side| surface(s, id(1), side).uv_bounds())
            .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |all, own| {
                (all.0.min(own.0), all.1.max(own.1))
            })
    };
    let (min, max) = bounds(&s);
    assert!(is_whole(min.x) && is_whole(max.x), "{min} {max}");
    let length_in = |s: &Session, side| {
        let side = surface(s, id(1), side);
        side.frame.in_plane(side.plane).u.length()
    };
    for side in 1..12 {
        assert!((length_in(&s, side) - length_in(&s, 0)).abs() < 1e-7);
    }
    // A whole object is one surface, too: its first face leads.
    s.editor.select(sides.clone());
    s.key("Alt+Shift+R");
    s.editor.select(Selection::from([Pick::Object(id(1))]));
    let first = length_in(&s, 0);
    s.key("Ctrl+Shift+H");
    assert!((length_in(&s, 0) - first).abs() > 1e-7);
    for side in 1..12 {
        assert!(
            (length_in(&s, side) - length_in(&s, 0)).abs() < 1e-7,
            "{side}"
        );
    }
    s.editor.select(sides);
    // Without the switch each face is fitted by itself.
    s.editor.run("face.as_one").expect("toggles");
    s.key("Ctrl+Shift+H");
    for side in 0..12 {
        let (min, max) = surface(&s, id(1), side).uv_bounds();
        assert!(is_whole(min.x) && is_whole(max.x), "{side}");
    }
}

#[test]
fn tex_10_replace() {
    let mut first = id(1);
    let mut s = Session::new(|draft| {
        bricks(draft);
        let lost = draft.insert_material(Material::new("zinc", "zinc.png"));
        let layer = draft.insert_layer(Layer::new(LayerKind::Layer, "Props"));
        first = cube_of(draft, [0.0; 3], [64.0; 3], Some(MaterialId(0)));
        cube_of(draft, [100.0, 0.0, 0.0], [164.0, 64.0, 64.0], Some(lost));
        let other = cube_of(draft, [200.0, 0.0, 0.0], [264.0, 64.0, 64.0], Some(lost));
        draft.update(other, |object| object.layer = Some(layer));
    });
    s.editor
        .set_missing_materials(BTreeSet::from([MaterialId(1)]));
    let rows = |s: &Session, scope| -> Vec<(String, usize, bool)> {
        s.editor
            .replace_candidates(scope)
            .into_iter()
            .map(|row| (row.name, row.faces, row.missing))
            .collect()
    };
    assert_eq!(
        rows(&s, ReplaceScope::Map),
        [
            ("zinc".to_owned(), 12, true),
            ("brick".to_owned(), 6, false)
        ],
        "missing ones first"
    );
    s.editor.select(Selection::from([Pick::Object(first)]));
    assert_eq!(rows(&s, ReplaceScope::Selection).len(), 1);
    let props = s.doc().layers().next().map(|(layer, _)| layer);
    s.editor.look.current_layer = props;
    assert_eq!(
        rows(&s, ReplaceScope::Layer),
        [("zinc".to_owned(), 6, true)]
    );
    let zinc = Some(MaterialId(1));
    let stone = Material::new("stone", "stone.png");
    assert_eq!(
        s.editor
            .replace_material(zinc, stone.clone(), ReplaceScope::Layer)
            .expect("replaced"),
        6
    );
    assert_eq!(s.labels(), ["Replace material"]);
    assert_eq!(rows(&s, ReplaceScope::Map).len(), 3);
    assert!(
        s.editor
            .replace_material(zinc, stone.clone(), ReplaceScope::Layer)
            .is_err()
    );
    assert_eq!(
        s.editor
            .replace_material(zinc, stone, ReplaceScope::Map)
            .expect("replaced"),
        6
    );
    assert_eq!(s.labels().len(), 2);
    s.key("Ctrl+H");
    assert!(s.editor.take_requests().contains(&Request::ReplaceMaterial));
}

#[test]
fn tex_2_a_material_is_tried_on_the_selection() {
    let mut s = Session::new(floor_and_crate);
    let stone = || Material::new("stone", "");
    s.editor.preview_material(Some(stone()));
    assert!(!s.editor.is_trying_material(), "nothing is selected");
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    let before = s.doc().clone();
    s.editor.preview_material(Some(stone()));
    assert!(s.editor.is_trying_material() && !s.editor.doc().same(&before));
    s.editor.preview_material(Some(Material::new("brick", "")));
    s.editor.preview_material(None);
    assert!(s.editor.doc().same(&before) && s.labels().is_empty());
    assert!(
        s.editor.current_material.is_none(),
        "trying chooses nothing"
    );
    s.editor.preview_material(Some(stone()));
    s.editor.apply_material(stone()).expect("applied");
    s.editor.preview_material(None);
    assert_eq!(s.labels(), ["Apply material"]);
    s.editor.preview_material(Some(Material::new("brick", "")));
    assert!(s.editor.undo(), "a trial does not stand in the way of undo");
    assert!(s.doc().same(&before));
}

#[test]
fn tex_1_what_was_sampled_stays_current_while_a_face_is_selected() {
    let mut s = Session::new(|draft| {
        bricks(draft);
        cube_of(
            draft,
            [-32.0, 0.0, -32.0],
            [32.0, 64.0, 32.0],
            Some(MaterialId(0)),
        );
    });
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    s.editor.current_material = Some(Material::new("stone", ""));
    s.key("Right");
    assert_eq!(s.labels(), ["Shift texture"]);
    assert_eq!(
        s.editor.current_material.as_ref().expect("kept").name,
        "stone"
    );
}

#[test]
fn tex_11_paint() {
    let mut s = Session::new(|draft| {
        tube(draft);
    });
    s.key("Shift+T");
    assert_eq!(s.editor.tool(), ToolKind::Paint);
    let first = look_at_side(&mut s, 0);
    let far = direction(2) * 64.0 + DVec3::Y * 48.0;
    s.click_with(VIEW_3D, far, Modifiers::NONE);
    assert!(s.labels().is_empty());
    let said = s.editor.status().expect("a reason").text.clone();
    assert!(said.contains("material first"), "{said}");
    s.click_with(VIEW_3D, far, Modifiers::ALT);
    assert!(s.editor.current_material.is_none(), "nothing to pick there");
    s.click_with(VIEW_3D, first, Modifiers::ALT);
    assert_eq!(
        s.editor.current_material.as_ref().expect("picked").name,
        "brick"
    );
    assert!(s.editor.selection().is_empty());

    let before = s.doc().clone();
    s.drag(VIEW_3D, first, far, Modifiers::NONE);
    assert_eq!(s.labels(), ["Paint material"], "one step");
    assert!((0..3).all(|side| face(&s, id(1), side).material.is_some()));
    assert_eq!(face(&s, id(1), 1).uv, Uv::default(), "the alignment stays");
    s.editor.undo();
    assert!(s.doc().same(&before));

    s.drag(VIEW_3D, first, far, Modifiers::SHIFT);
    let half = 64.0 / 15f64.to_radians().cos();
    let is_seamless = |s: &Session, side: u32| {
        let (a, b) = (surface(s, id(1), side), surface(s, id(1), side + 1));
        let bend = (a.plane.normal + b.plane.normal).normalize() * half;
        ((a.frame.at(bend) - b.frame.at(bend)) * TEXELS).length() < 1e-3
    };
    assert!(is_seamless(&s, 0) && is_seamless(&s, 1));
    // Another stroke with Shift goes on where the last one ended.
    let next = look_at_side(&mut s, 3);
    s.click_with(VIEW_3D, next, Modifiers::SHIFT);
    assert!(is_seamless(&s, 2));
    assert_eq!(s.labels(), ["Paint material"; 2]);

    // Esc in a stroke leaves the map alone.
    let before = s.doc().clone();
    let side = look_at_side(&mut s, 5);
    let (from, to) = (
        s.at(VIEW_3D, side),
        s.at(VIEW_3D, direction(6) * 64.0 + DVec3::Y * 48.0),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    assert!(!s.editor.doc().same(&before));
    s.key("Esc");
    s.release(VIEW_3D, to);
    assert!(s.editor.doc().same(&before) && s.labels().len() == 2);
    s.key("Esc");
    assert_eq!(s.editor.tool(), ToolKind::Select);
}

/// A press of the right button, moves, and its release.
fn right_drag(s: &mut Session, way: &[DVec2], modifiers: Modifiers) {
    s.hold(modifiers);
    s.move_to(VIEW_3D, way[0]);
    let button = Button::Right;
    s.input(VIEW_3D, Input::Press { button, at: way[0] });
    for &at in &way[1..] {
        s.move_to(VIEW_3D, at);
    }
    s.input(
        VIEW_3D,
        Input::Release {
            button,
            at: way[way.len() - 1],
        },
    );
    s.hold(Modifiers::NONE);
}

#[test]
fn tex_5_the_texture_is_dragged_on_the_face() {
    let mut s = Session::new(|draft| {
        bricks(draft);
        cube_of(
            draft,
            [-100.0, -100.0, -32.0],
            [90.0, 90.0, 0.0],
            Some(MaterialId(0)),
        );
    });
    s.look_from(DVec3::new(0.0, 0.0, 300.0), 0.0, 0.0);
    let camera = s.editor.views[VIEW_3D].clone();
    s.editor.set_grid(4.0);
    s.editor.select(Selection::from([Pick::Face(id(1), 4)]));
    let start = s.doc().clone();
    let at = |s: &Session, x: f64, y: f64| s.at(VIEW_3D, DVec3::new(x, y, 0.0));

    // The picture goes with the pointer, by whole grid steps of texels.
    let mark = DVec3::new(10.0, 10.0, 0.0);
    let uv = surface(&s, id(1), 4).frame.at(mark);
    let way = [at(&s, 10.0, 10.0), at(&s, 20.0, 10.0), at(&s, 25.0, 1.0)];
    right_drag(&mut s, &way, Modifiers::SHIFT);
    assert_eq!(s.labels(), ["Slide texture"]);
    let there = surface(&s, id(1), 4);
    let now = there.frame.point_at(there.plane, uv).expect("on the face");
    assert!(
        now.distance(mark + DVec3::new(16.0, -8.0, 0.0)) < 1e-3,
        "{now}"
    );
    assert_eq!(s.editor.views[VIEW_3D], camera, "the view stays");
    assert!(s.editor.take_requests().is_empty(), "no menu");
    s.editor.undo();

    // Near a vertex of the face a side of a repeat jumps onto it: 90 is 26 past 64.
    let way = [at(&s, 10.0, 10.0), at(&s, 20.0, 10.0), at(&s, 37.0, 10.0)];
    right_drag(&mut s, &way, Modifiers::SHIFT);
    let corner = surface(&s, id(1), 4).frame.at(DVec3::new(90.0, 90.0, 0.0));
    assert!(is_whole(corner.x), "{corner}");
    s.editor.undo();

    // A quarter turn about the point of the press.
    let way = [
        at(&s, 10.0, 10.0),
        at(&s, 40.0, 10.0),
        at(&s, 35.0, 35.0),
        at(&s, 11.0, 41.0),
    ];
    let held = surface(&s, id(1), 4).frame.at(mark);
    right_drag(&mut s, &way, Modifiers::CTRL_SHIFT);
    let turned = surface(&s, id(1), 4).frame;
    assert!((turned.u - DVec3::Y / 64.0).length() < 1e-6, "{}", turned.u);
    assert!(turned.at(mark).distance(held) < 1e-5);
    s.editor.undo();

    // Twice as large after 128 points; the point of the press stays.
    let from = at(&s, 10.0, 10.0);
    let way = [from, from + DVec2::X * 60.0, from + DVec2::X * 128.0];
    right_drag(&mut s, &way, SHIFT_ALT);
    let scaled = surface(&s, id(1), 4);
    let factor = 1.0 / (scaled.frame.u.length() * 64.0);
    assert!((factor - 2.0).abs() < 0.15, "{factor}");
    assert!(scaled.frame.at(mark).distance(held) < 1e-5);
    s.editor.undo();
    assert!(s.doc().same(&start));

    // Esc, and the other button, leave everything as it was.
    let (from, to) = (at(&s, 10.0, 10.0), at(&s, 33.0, 1.0));
    for other in [false, true] {
        s.hold(Modifiers::SHIFT);
        s.move_to(VIEW_3D, from);
        let button = Button::Right;
        s.input(VIEW_3D, Input::Press { button, at: from });
        s.move_to(VIEW_3D, to);
        assert!(!s.editor.doc().same(&start) && s.editor.is_dragging());
        s.hold(Modifiers::NONE);
        if other {
            s.input(
                VIEW_3D,
                Input::Press {
                    button: Button::Left,
                    at: to,
                },
            );
        } else {
            s.key("Esc");
        }
        assert!(s.editor.doc().same(&start) && !s.editor.is_dragging());
        s.input(VIEW_3D, Input::Release { button, at: to });
        s.input(
            VIEW_3D,
            Input::Release {
                button: Button::Left,
                at: to,
            },
        );
    }
    // Back at the start it makes no step; and without a selected face the right button looks around.
    right_drag(&mut s, &[from, to, from], Modifiers::SHIFT);
    let steps: Vec<&str> = s.labels();
    assert!(steps.is_empty() && s.doc().same(&start), "{steps:?}");
    s.editor.select(Selection::new());
    right_drag(&mut s, &[from, to], Modifiers::SHIFT);
    assert_ne!(s.editor.views[VIEW_3D], camera);
    assert!(s.doc().same(&start));
}

#[test]
fn tex_5_tilted_faces_and_polygons_follow_the_pointer() {
    // A brush whose front leans back, and its copy as a mesh.
    for is_mesh in [false, true] {
        let mut s = Session::new(|draft| {
            bricks(draft);
            let slope = DVec3::new(0.2, 0.5, 1.0).normalize();
            let planes = [
                Plane::new(slope, 20.0).rounded(),
                Plane::new(DVec3::NEG_Z, 100.0),
                Plane::new(DVec3::X, 100.0),
                Plane::new(DVec3::NEG_X, 100.0),
                Plane::new(DVec3::Y, 90.0),
                Plane::new(DVec3::NEG_Y, 90.0),
            ];
            let faces = planes.map(|plane| Face::new(plane, Some(MaterialId(0))));
            let brush = Brush::solid(Contents::SOLID, faces.into()).expect("solid");
            draft.insert(Object::new(Kind::Brush(brush)));
        });
        s.look_from(DVec3::new(0.0, 0.0, 300.0), 0.0, 0.0);
        s.select(&[id(1)]);
        if is_mesh {
            s.key("Ctrl+Shift+T");
        }
        s.editor.set_grid(1.0);
        let pick = Pick::Face(id(1), 0);
        s.editor.select(Selection::from([pick]));
        let start = s.doc().clone();
        let steps = s.labels().len();
        let plane = surface(&s, id(1), 0).plane;
        // A point of the face under the pointer, and where it is dragged.
        let on_face = |x: f64, y: f64| {
            DVec3::new(
                x,
                y,
                (plane.dist - plane.normal.x * x - plane.normal.y * y) / plane.normal.z,
            )
        };
        let (mark, goal) = (on_face(5.0, 6.0), on_face(-7.0, 17.0));
        let uv = surface(&s, id(1), 0).frame.at(mark);
        let way = [mark, on_face(0.0, 10.0), goal].map(|point| s.at(VIEW_3D, point));
        right_drag(&mut s, &way, Modifiers::SHIFT);
        assert_eq!(s.labels().last(), Some(&"Slide texture"), "{is_mesh}");
        let there = surface(&s, id(1), 0);
        let now = there.frame.point_at(there.plane, uv).expect("on the face");
        assert!(
            now.distance(goal) < 2.5,
            "{is_mesh}: by whole texels, {now} {goal}"
        );
        let before = Surface::of(&start, (id(1), 0)).expect("a face").frame;
        assert!(
            there.frame.u.distance(before.u) < 1e-6 && there.frame.v.distance(before.v) < 1e-6,
            "only moved"
        );
        s.key("Ctrl+Z");
        // Turned by steps of 15 degrees about the point of the press, whichever way the pointer strays.
        let way = [mark, on_face(45.0, 6.0), on_face(40.0, 27.0)].map(|point| s.at(VIEW_3D, point));
        right_drag(&mut s, &way, Modifiers::CTRL_SHIFT);
        let turned = surface(&s, id(1), 0);
        let angle = |frame: &mapwright::geometry::UvAxes| {
            let own = Surface::of(&start, (id(1), 0)).expect("a face");
            let (from, _) = own.frame.tangents(plane.normal).expect("a frame");
            let (to, _) = frame.tangents(plane.normal).expect("a frame");
            from.normalize()
                .cross(to.normalize())
                .dot(plane.normal)
                .atan2(from.normalize().dot(to.normalize()))
                .to_degrees()
        };
        let deg = angle(&turned.frame);
        assert!(
            (deg / 15.0 - (deg / 15.0).round()).abs() < 1e-3 && deg.abs() > 1.0,
            "{is_mesh}: {deg}"
        );
        assert!(turned.frame.at(mark).distance(uv) < 1e-4, "{is_mesh}");
        s.key("Ctrl+Z");
        assert!(s.doc().same(&start) && s.labels().len() == steps);
    }
}

#[test]
fn tex_5_faces_that_are_not_selected_stay() {
    let mut s = Session::new(|draft| {
        bricks(draft);
        for x in [-100.0, 34.0] {
            cube_of(
                draft,
                [x, -50.0, -32.0],
                [x + 90.0, 50.0, 0.0],
                Some(MaterialId(0)),
            );
        }
    });
    s.look_from(DVec3::new(0.0, 0.0, 300.0), 0.0, 0.0);
    s.editor.set_grid(4.0);
    let camera = s.editor.views[VIEW_3D].clone();
    let start = s.doc().clone();
    let at = |s: &Session, x: f64| s.at(VIEW_3D, DVec3::new(x, 0.0, 0.0));
    // The pointer is on the other brush: the right button looks around.
    s.editor.select(Selection::from([Pick::Face(id(1), 4)]));
    let way = [at(&s, 40.0), at(&s, 60.0)];
    right_drag(&mut s, &way, Modifiers::SHIFT);
    assert!(s.doc().same(&start));
    assert_ne!(s.editor.views[VIEW_3D], camera);
    s.editor.views[VIEW_3D] = camera.clone();
    // Both are selected: both slide, as far.
    s.editor.select(Selection::from([
        Pick::Face(id(1), 4),
        Pick::Face(id(2), 4),
    ]));
    let way = [at(&s, 40.0), at(&s, 50.0), at(&s, 56.0)];
    right_drag(&mut s, &way, Modifiers::SHIFT);
    assert_eq!(s.labels(), ["Slide texture"]);
    let moved = |number: u32| {
        let before = Surface::of(&start, (id(number), 4)).expect("a face");
        let now = surface(&s, id(number), 4);
        (now.frame.at(DVec3::ZERO) - before.frame.at(DVec3::ZERO)) * TEXELS
    };
    assert!(
        (moved(1) - DVec2::new(-16.0, 0.0)).length() < 1e-3,
        "{}",
        moved(1)
    );
    assert!((moved(2) - moved(1)).length() < 1e-3);
    assert_eq!(face(&s, id(1), 0), {
        let brush = start.object(id(1)).and_then(Object::brush).expect("brush");
        brush.faces()[0].clone()
    });
}

#[test]
fn tex_6_tilted_and_turned_faces_fit_exactly() {
    let mut s = Session::new(|draft| {
        tube(draft);
    });
    // A side that looks askew, its picture turned, stretched and mirrored.
    for (side, turns) in [(1, 2), (4, 5), (8, 1)] {
        s.editor.select(Selection::from([Pick::Face(id(1), side)]));
        s.key("Shift+R");
        let _ = look_at_side(&mut s, side as usize);
        for _ in 0..turns {
            s.key("PgUp");
        }
        s.key("Ctrl+F");
        for (align, cycle) in [
            (Align::Fit, Cycle::Next),
            (Align::FitWidth, Cycle::Next),
            (Align::FitHeight, Cycle::Next),
            (Align::FitWidth, Cycle::Back),
        ] {
            s.editor.align_textures(align, cycle).expect("fits");
            let (min, max) = surface(&s, id(1), side).uv_bounds();
            let (u, v) = (
                is_whole(min.x) && is_whole(max.x),
                is_whole(min.y) && is_whole(max.y),
            );
            let held = match align {
                Align::Fit => u && v,
                Align::FitWidth => u,
                _ => v,
            };
            assert!(held, "{side} {align:?}: {min} {max}");
        }
        // A trim sheet: a third of it, and what was whole is so again.
        s.editor
            .align_textures(Align::FitHeight, Cycle::Fraction)
            .expect("fits");
        let (min, max) = surface(&s, id(1), side).uv_bounds();
        assert!(is_whole(1.0 / (max.y - min.y)), "{min} {max}");
        for (key, value) in [
            ("Ctrl+Shift+Left", 0),
            ("Ctrl+Shift+Right", 1),
            ("Ctrl+Shift+Up", 2),
            ("Ctrl+Shift+Down", 3),
        ] {
            s.key(key);
            let (min, max) = surface(&s, id(1), side).uv_bounds();
            assert!(
                is_whole([min.x, max.x, min.y, max.y][value]),
                "{side} {key}: {min} {max}"
            );
        }
    }
}

#[test]
fn tex_6_as_one_justifies_and_centres_over_all_faces() {
    // Two walls side by side, with textures that have nothing to do with each other.
    let mut s = Session::new(|draft| {
        bricks(draft);
        cube_of(
            draft,
            [0.0, 0.0, 0.0],
            [80.0, 70.0, 16.0],
            Some(MaterialId(0)),
        );
        cube_of(
            draft,
            [80.0, 0.0, 0.0],
            [190.0, 50.0, 16.0],
            Some(MaterialId(0)),
        );
    });
    let both = Selection::from([Pick::Face(id(1), 4), Pick::Face(id(2), 4)]);
    let all = |s: &Session| {
        let (a, b) = (
            surface(s, id(1), 4).uv_bounds(),
            surface(s, id(2), 4).uv_bounds(),
        );
        (a.0.min(b.0), a.1.max(b.1))
    };
    let seam = |s: &Session| {
        let at = DVec3::new(80.0, 30.0, 16.0);
        let step = surface(s, id(1), 4).frame.at(at) - surface(s, id(2), 4).frame.at(at);
        (step - step.round()).length()
    };
    s.editor.run("face.as_one").expect("toggles");
    s.editor.select(both.clone());
    s.key("Ctrl+Shift+Left");
    assert!(is_whole(all(&s).0.x), "{:?}", all(&s));
    assert!(seam(&s) < 1e-4, "one surface: {}", seam(&s));
    s.key("Ctrl+Shift+C");
    let middle = (all(&s).0 + all(&s).1) / 2.0 - 0.5;
    assert!(is_whole(middle.x) && is_whole(middle.y), "{middle}");
    s.editor
        .align_textures(Align::Fit, Cycle::Next)
        .expect("fits");
    let (min, max) = all(&s);
    let whole = max - min;
    assert!(is_whole(whole.x) && is_whole(whole.y), "{min} {max}");
    assert!(is_whole(min.x) && is_whole(min.y) && seam(&s) < 1e-4);
}

#[test]
fn clip_board_takes_the_texture_of_a_face_to_others() {
    let mut s = Session::new(|draft| {
        bricks(draft);
        cube_of(
            draft,
            [-32.0, 0.0, -32.0],
            [32.0, 64.0, 32.0],
            Some(MaterialId(0)),
        );
        cube(draft, [64.0, 0.0, -32.0], [128.0, 64.0, 32.0]);
    });
    let top = |object| Selection::from([Pick::Face(id(object), 2)]);
    s.editor.select(top(1));
    s.key("Right");
    s.key("PgUp");
    s.key("Ctrl+C");
    let Some(Request::CopyText(text)) = s.editor.take_requests().pop() else {
        panic!("no text")
    };
    s.editor.select(Selection::from([
        Pick::Face(id(2), 2),
        Pick::Face(id(2), 0),
    ]));
    s.editor.paste(&text, Place::UnderPointer).expect("pasted");
    assert_eq!(s.labels().last(), Some(&"Paste texture"));
    let (from, to) = (face(&s, id(1), 2), face(&s, id(2), 2));
    assert_eq!(
        (from.material, from.uv, from.axes),
        (to.material, to.uv, to.axes)
    );
    assert_eq!(face(&s, id(2), 0).material, Some(MaterialId(0)));
    // Into another map the material comes along; without faces to put it on the object is pasted.
    let mut other = Session::new(floor_and_crate);
    other
        .editor
        .select(Selection::from([Pick::Face(id(CRATE), 2)]));
    other.editor.paste(&text, Place::Original).expect("pasted");
    assert_eq!(
        other.doc().material_named("brick"),
        face(&other, id(CRATE), 2).material
    );
    other.editor.select(Selection::new());
    other.editor.paste(&text, Place::Original).expect("pasted");
    assert_eq!(other.labels(), ["Paste texture", "Paste"]);
    assert_eq!(other.doc().object_count(), 3);
}

/// A square polygon with corners of its own, askew, beside one that is projected.
fn mesh(draft: &mut Draft) -> ObjectId {
    use mapwright::document::Mesh;
    use mapwright::document::Polygon;
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let polygon = |corners: [u32; 4], uvs: Vec<Vec2>| Polygon {
        material: Some(MaterialId(0)),
        smooth: 0,
        proj: Uv::default(),
        corners: corners.to_vec(),
        uvs,
    };
    let uvs = [(0.0, 0.0), (1.0, 0.0), (1.2, -1.0), (0.0, -1.0)].map(|(u, v)| Vec2::new(u, v));
    draft.insert(Object::new(Kind::Mesh(Mesh {
        name: "sign".to_owned(),
        points: vec![
            at(0.0, 0.0),
            at(64.0, 0.0),
            at(64.0, 64.0),
            at(0.0, 64.0),
            at(128.0, 0.0),
            at(128.0, 64.0),
        ],
        polygons: vec![
            polygon([0, 1, 2, 3], uvs.to_vec()),
            polygon([1, 4, 5, 2], vec![]),
        ],
    })))
}

#[test]
fn tex_4_and_6_meshes_are_textured_as_brushes_are() {
    let mut s = Session::new(|draft| {
        bricks(draft);
        mesh(draft);
    });
    s.look_from(DVec3::new(64.0, 32.0, 200.0), 0.0, 0.0);
    let polygon = |s: &Session, index: usize| {
        s.doc()
            .object(id(1))
            .and_then(Object::mesh)
            .expect("mesh")
            .polygons[index]
            .clone()
    };
    s.click_with(VIEW_3D, DVec3::new(96.0, 32.0, 0.0), Modifiers::SHIFT);
    assert_eq!(
        *s.editor.selection(),
        Selection::from([Pick::Face(id(1), 1)])
    );
    s.key("Right");
    assert_eq!(polygon(&s, 1).proj.offset, Vec2::new(-0.25, 0.0));
    assert!(polygon(&s, 1).uvs.is_empty(), "still a projection");
    // Wrapping onto the neighbour in the same plane takes the frame; what its corners are off it stays theirs.
    s.click_with(VIEW_3D, DVec3::new(32.0, 32.0, 0.0), SHIFT_ALT);
    let uvs = polygon(&s, 0).uvs;
    let edge = surface(&s, id(1), 1)
        .frame
        .at(DVec3::new(64.0, 0.0, 0.0))
        .as_vec2();
    assert!(uvs[1].abs_diff_eq(edge, 0.25), "{uvs:?}");
    s.key("Ctrl+Shift+Left");
    s.key("Ctrl+Shift+H");
    let frame = surface(&s, id(1), 0);
    let (min, max) = frame.uv_bounds();
    assert!(is_whole(min.x) && is_whole(max.x), "{min} {max}");
    s.key("PgUp");
    assert!(polygon(&s, 0).uvs.len() == 4);
}
