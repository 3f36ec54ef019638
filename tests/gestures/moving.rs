//! Moving, copying, the clipboard, the grid, and drags as such (MOV, DUP, GRID).

use super::*;

#[test]
fn mov_1_move() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        // An oblique face.
        let planes = [
            DVec3::X,
            DVec3::NEG_X,
            DVec3::Y,
            DVec3::NEG_Y,
            DVec3::Z,
            DVec3::NEG_Z,
        ];
        let mut faces: Vec<_> = planes
            .map(|normal| {
                mapwright::document::Face::new(mapwright::geometry::Plane::new(normal, 32.0), None)
            })
            .into();
        faces.push(mapwright::document::Face::new(
            mapwright::geometry::Plane::new(DVec3::new(1.0, 1.0, 1.0).normalize(), 40.0),
            None,
        ));
        let brush = Brush::solid(mapwright::document::Contents::SOLID, faces).expect("solid");
        draft.insert(Object::new(Kind::Brush(brush)));
    });
    let before = s.doc().clone();
    s.select(&[id(3)]);
    s.key("Ctrl+I");
    let on_top = DVec3::new(-20.0, 32.0, 0.0);
    s.drag(VIEW_3D, on_top, on_top + DVec3::X * 16.0, Modifiers::NONE);
    assert_eq!(s.labels(), ["Move"]);
    assert_eq!(s.bounds(id(3)).min.x, -16.0);
    s.drag(VIEW_3D, on_top + DVec3::X * 16.0, on_top, Modifiers::NONE);
    let planes = |doc: &Document| -> Vec<_> {
        doc.object(id(3))
            .and_then(Object::brush)
            .expect("brush")
            .faces()
            .iter()
            .map(|face| face.plane)
            .collect()
    };
    for (now, then) in planes(s.doc()).into_iter().zip(planes(&before)) {
        assert_eq!(now.normal, then.normal);
        let ulp = f64::from((then.dist as f32).next_up()) - then.dist;
        let allowed = if then.normal.abs().max_element() == 1.0 {
            0.0
        } else {
            ulp
        };
        assert!((now.dist - then.dist).abs() <= allowed, "{now:?} {then:?}");
    }
    // There and back in one drag: no step at all.
    let steps = s.labels().len();
    let now = s.doc().clone();
    let (from, to) = (
        s.at(VIEW_3D, on_top),
        s.at(VIEW_3D, on_top + DVec3::X * 60.0),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    s.move_to(VIEW_3D, from);
    s.release(VIEW_3D, from);
    assert!(s.doc().same(&now));
    assert_eq!(s.labels().len(), steps);
}

#[test]
fn mov_1_thousand_moves_add_no_error() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let before = s.doc().clone();
    let from = s.at(VIEW_3D, ON_CRATE);
    s.press(VIEW_3D, from);
    for i in 0..1000 {
        let at = from + DVec2::new(f64::from(i % 37) * 5.0, f64::from(i % 11) * -3.0);
        s.now_s += 0.001;
        s.editor.input(s.now_s, VIEW_3D, Input::PointerMoved { at });
    }
    s.key("Esc");
    assert!(s.doc().same(&before) && s.editor.state().doc.same(&before));
}

#[test]
fn mov_2_vertical() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let (from, side) = (
        s.at(VIEW_3D, ON_CRATE),
        s.at(VIEW_3D, ON_CRATE + DVec3::X * 32.0),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, side);
    s.hold(Modifiers::ALT);
    let up = s.at(VIEW_3D, ON_CRATE + DVec3::new(32.0, 48.0, 0.0));
    s.move_to(VIEW_3D, up + DVec2::X * 30.0);
    let delta = s
        .editor
        .state()
        .doc
        .object(id(CRATE))
        .expect("crate")
        .bounds()
        .min
        - DVec3::new(-32.0, 0.0, -32.0);
    assert_eq!((delta.x, delta.z), (32.0, 0.0), "the delta so far stays");
    assert_eq!(delta.y, 48.0);
    s.hold(Modifiers::NONE);
    s.release(VIEW_3D, up + DVec2::X * 30.0);
    assert_eq!(s.bounds(id(CRATE)).min, DVec3::new(0.0, 48.0, -32.0));
}

#[test]
fn mov_2_no_jump_to_infinity() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.look_from(DVec3::new(0.0, 80.0, 300.0), 0.0, 0.0);
    let from = s.at(VIEW_3D, DVec3::new(0.0, 40.0, 32.0));
    s.press(VIEW_3D, from);
    for y in [320.0, 305.0, 300.0, 295.0, 200.0] {
        s.move_to(VIEW_3D, DVec2::new(from.x, y));
        let bounds = s
            .editor
            .state()
            .doc
            .object(id(CRATE))
            .expect("crate")
            .bounds();
        assert!(bounds.min.abs().max_element() < 20_000.0, "{bounds:?}");
    }
    s.key("Esc");
}

#[test]
fn mov_3_one_axis() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let (from, to) = (
        s.at(TOP, DVec3::ZERO),
        s.at(TOP, DVec3::new(64.0, 0.0, 32.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    let min = |s: &Session| {
        s.editor
            .state()
            .doc
            .object(id(CRATE))
            .expect("crate")
            .bounds()
            .min
    };
    assert_eq!(min(&s), DVec3::new(32.0, 0.0, 0.0));
    s.hold(Modifiers::SHIFT);
    assert_eq!(min(&s), DVec3::new(32.0, 0.0, -32.0));
    s.hold(Modifiers::NONE);
    assert_eq!(
        min(&s),
        DVec3::new(32.0, 0.0, 0.0),
        "back to the free position"
    );
    s.release(TOP, to);
    assert_eq!(s.labels(), ["Move"]);
}

#[test]
fn mov_1_absolute_snap() {
    let mut s = Session::new(|draft| {
        cube(draft, [3.0, 0.0, 5.0], [35.0, 32.0, 37.0]);
    });
    s.select(&[id(1)]);
    let (from, to) = (
        s.at(TOP, DVec3::new(5.0, 0.0, 8.0)),
        s.at(TOP, DVec3::new(25.0, 0.0, 8.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    assert_eq!(
        s.editor
            .state()
            .doc
            .object(id(1))
            .expect("cube")
            .bounds()
            .min,
        DVec3::new(19.0, 0.0, 5.0),
        "relative"
    );
    s.key("C");
    assert_eq!(
        s.editor
            .state()
            .doc
            .object(id(1))
            .expect("cube")
            .bounds()
            .min,
        DVec3::new(16.0, 0.0, 5.0),
        "the corner nearest the grab"
    );
    s.release(TOP, to);
}

#[test]
fn mov_4_copy_drag() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.drag(
        TOP,
        DVec3::ZERO,
        DVec3::new(96.0, 0.0, 0.0),
        Modifiers::CTRL,
    );
    assert_eq!(s.labels(), ["Duplicate"]);
    assert_eq!(s.selected(), [id(3)]);
    assert_eq!(s.bounds(id(CRATE)).min.x, -32.0);
    assert_eq!(s.bounds(id(3)).min.x, 64.0);
    s.key("Ctrl+Z");
    assert_eq!((s.doc().object_count(), s.selected()), (2, vec![id(CRATE)]));
}

#[test]
fn mov_5_nudge() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(TOP, DVec2::ONE);
    for _ in 0..3 {
        s.key("Right");
    }
    assert_eq!(s.labels(), ["Move"], "presses within a second are one step");
    assert_eq!(s.bounds(id(CRATE)).min.x, 16.0);
    s.now_s += 2.0;
    s.key("Shift+Up");
    assert_eq!(s.labels(), ["Move", "Move"]);
    assert_eq!(s.bounds(id(CRATE)).min.z, -32.0 - 128.0);
    s.move_to(VIEW_3D, DVec2::ONE);
    s.key("PgUp");
    assert_eq!(s.bounds(id(CRATE)).min.y, 16.0);
    s.key("Ctrl+Right");
    assert_eq!(
        s.bounds(id(3)).min,
        DVec3::new(32.0, 16.0, -160.0),
        "Ctrl+arrow duplicates and moves"
    );
}

#[test]
fn mov_5_nudges_go_by_the_view() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let start = s.bounds(id(CRATE)).min;
    let after = |s: &mut Session, pane: usize, key: &str| {
        s.move_to(pane, DVec2::ONE);
        s.now_s += 2.0;
        s.key(key);
        let way = s.bounds(id(CRATE)).min - start;
        s.key("Ctrl+Z");
        way
    };
    let g = 16.0;
    // In 2D right, up, and away from the viewer and back: the view looks along the depth.
    for (pane, forward) in [(TOP, DVec3::NEG_Y), (FRONT, DVec3::NEG_Z)] {
        let (near, far) = (after(&mut s, pane, "PgUp"), after(&mut s, pane, "PgDn"));
        assert_eq!(near, -far);
        assert_eq!(near.dot(forward).abs(), g, "{pane}: along the depth only");
        assert_eq!(near.length(), g);
    }
    assert_eq!(after(&mut s, FRONT, "Up"), DVec3::Y * g);
    assert_eq!(after(&mut s, FRONT, "Shift+Left"), DVec3::X * -8.0 * g);
    // In 3D along the horizontal axes nearest to the camera's, however it is turned.
    for (yaw_deg, right, forward) in [
        (10.0, DVec3::X, DVec3::NEG_Z),
        (80.0, DVec3::NEG_Z, DVec3::NEG_X),
        (-100.0, DVec3::Z, DVec3::X),
        (170.0, DVec3::NEG_X, DVec3::Z),
    ] {
        s.look_from(DVec3::new(0.0, 200.0, 300.0), -70.0, yaw_deg);
        assert_eq!(after(&mut s, VIEW_3D, "Right"), right * g, "{yaw_deg}");
        assert_eq!(after(&mut s, VIEW_3D, "Up"), forward * g, "{yaw_deg}");
        assert_eq!(after(&mut s, VIEW_3D, "PgDn"), DVec3::Y * -g, "{yaw_deg}");
    }
}

#[test]
fn dup_1_duplicate() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+D");
    assert_eq!(s.selected(), [id(3)]);
    assert_eq!(s.bounds(id(3)), s.bounds(id(CRATE)));
    assert!(s.editor.flashing().is_some_and(|ids| ids.contains(&id(3))));
    s.now_s += 1.0;
    s.tick(0.0);
    assert!(s.editor.flashing().is_none());
    assert_eq!(s.labels(), ["Duplicate"]);
}

#[test]
fn clip_board() {
    let mut s = Session::new(|draft| {
        draft.insert_material(Material::new("brick", "brick.png"));
        floor_and_crate(draft);
        draft.update(id(CRATE), |object| {
            let bounds = object.bounds();
            object.kind = Kind::Brush(Brush::cuboid(bounds, Some(MaterialId(0))));
        });
    });
    s.select(&[id(CRATE)]);
    s.key("Ctrl+C");
    let Some(Request::CopyText(text)) = s.editor.take_requests().pop() else {
        panic!("no text")
    };
    s.move_to(VIEW_3D, s.at(VIEW_3D, ON_FLOOR));
    s.key("Ctrl+V");
    assert_eq!(
        s.editor.take_requests(),
        [Request::PasteText(Place::UnderPointer)]
    );
    s.editor.paste(&text, Place::UnderPointer).expect("pasted");
    let copy = s.selected()[0];
    let bounds = s.bounds(copy);
    assert_eq!(bounds.min.y, 0.0, "resting on the floor");
    assert!(
        bounds.center().distance(ON_FLOOR + DVec3::Y * 32.0) < 24.0,
        "{bounds:?}"
    );
    assert_eq!(bounds.min % 16.0, DVec3::ZERO, "on the grid");
    s.editor.paste(&text, Place::Original).expect("pasted");
    assert_eq!(s.bounds(s.selected()[0]), s.bounds(id(CRATE)));
    // Into another map: the material comes along.
    let mut other = Session::new(|_| {});
    other.editor.paste(&text, Place::Original).expect("pasted");
    let face = other
        .doc()
        .objects()
        .next()
        .and_then(|(_, object)| object.brush()?.faces().first()?.material)
        .expect("material");
    assert_eq!(other.doc().material(face).expect("row").name, "brick");
    assert!(other.editor.paste("not ours", Place::Original).is_err());
    assert_eq!(other.labels(), ["Paste"]);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+X");
    assert!(s.doc().object(id(CRATE)).is_none());
    assert_eq!(s.labels().last(), Some(&"Cut"));
}

#[test]
fn losing_the_focus_commits_the_drag() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let at = s.at(TOP, DVec3::ZERO);
    s.press(TOP, at);
    s.move_to(TOP, at + DVec2::X * 48.0);
    s.input(TOP, Input::FocusLost);
    assert_eq!(s.labels(), ["Move"]);
    assert_eq!(s.bounds(id(CRATE)).min.x, 16.0);
    s.release(TOP, at);
    assert_eq!(s.labels().len(), 1);
}

#[test]
fn a_drag_goes_on_while_flying() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let at = s.at(VIEW_3D, ON_CRATE);
    s.press(VIEW_3D, at);
    s.move_to(VIEW_3D, at + DVec2::X * 5.0);
    s.hold_key('D', true);
    for _ in 0..60 {
        s.tick(1.0 / 60.0);
    }
    s.hold_key('D', false);
    let moved = s
        .editor
        .state()
        .doc
        .object(id(CRATE))
        .expect("crate")
        .bounds()
        .min
        .x
        + 32.0;
    assert!(moved > 300.0, "carried along: {moved}");
    s.key("Esc");
}

#[test]
fn grid_1_keys() {
    let mut s = Session::new(|_| {});
    for (key, step) in [
        ("1", 1.0),
        ("9", 256.0),
        ("]", 512.0),
        ("+", 1024.0),
        ("+", 1024.0),
        ("5", 16.0),
        ("[", 8.0),
        ("-", 4.0),
    ] {
        s.key(key);
        assert_eq!(s.editor.grid.size, step, "{key}");
    }
    s.key("0");
    assert!(!s.editor.grid_shown);
    s.key("Alt+0");
    assert!(!s.editor.grid.enabled);
    s.hold(Modifiers::CTRL_ALT);
    s.input(
        VIEW_3D,
        Input::Wheel {
            notches: 1.0,
            at: DVec2::ONE,
        },
    );
    assert_eq!(s.editor.grid.size, 8.0);
}

#[test]
fn grid_1_its_origin_follows_the_selection_and_all_snaps_from_there() {
    let mut s = Session::new(|draft| {
        cube(draft, [5.0, 3.0, 2.5], [40.0, 30.0, 20.0]);
        cube(draft, [96.0, 3.0, 0.0], [128.0, 35.0, 32.0]);
    });
    let origin = DVec3::new(5.0, 3.0, 2.5);
    s.editor.run("grid.origin_here").expect_err("of nothing");
    s.editor.run("grid.origin_reset").expect_err("it is there");
    s.select(&[id(1)]);
    s.editor.run("grid.origin_here").expect("runs");
    assert_eq!(s.editor.grid.origin, origin);
    assert!(
        s.editor
            .status()
            .is_some_and(|said| said.text == "Grid origin 5, 3, 2.5")
    );
    let is_on_grid = |corner: DVec3| (corner - origin) / 16.0 == ((corner - origin) / 16.0).round();
    // Moving keeps what is off the grid off it; a new box and a side that is dragged fall on the lines.
    s.key("Esc");
    s.drag(
        TOP,
        DVec3::new(-90.0, 0.0, -90.0),
        DVec3::new(-40.0, 0.0, -20.0),
        Modifiers::NONE,
    );
    assert_eq!(s.labels(), ["Draw box"]);
    let drawn = s.bounds(id(3));
    assert!(is_on_grid(drawn.min) && is_on_grid(drawn.max), "{drawn:?}");
    s.select(&[id(2)]);
    s.key("T");
    s.drag(
        TOP,
        DVec3::new(128.0, 0.0, 16.0),
        DVec3::new(170.0, 0.0, 16.0),
        Modifiers::NONE,
    );
    let stretched = s.bounds(id(2));
    assert_eq!((stretched.min.x, stretched.max.x), (96.0, 165.0));
    s.key("Ctrl+Shift+K");
    s.editor.run("vertex.snap_grid").expect("runs");
    let snapped = s.bounds(id(2));
    assert!(
        is_on_grid(snapped.min) && is_on_grid(snapped.max),
        "{snapped:?}"
    );
    s.editor.run("grid.origin_reset").expect("it was moved");
    assert_eq!(s.editor.grid.origin, DVec3::ZERO);
}

#[test]
fn dragging_what_is_not_selected_says_what_to_do() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.drag(
        VIEW_3D,
        ON_FLOOR,
        ON_FLOOR + DVec3::X * 50.0,
        Modifiers::NONE,
    );
    assert!(s.labels().is_empty());
    assert!(
        s.editor
            .status()
            .is_some_and(|status| status.text.contains("Esc") && status.text.contains("Alt"))
    );
}

#[test]
fn mov_1_another_grid_counts_at_once_in_a_drag() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let from = s.at(TOP, DVec3::ZERO);
    s.press(TOP, from);
    s.move_to(TOP, from + DVec2::X * 20.0);
    let x = |s: &Session| {
        let state = s.editor.state();
        state.doc.object(id(CRATE)).expect("crate").bounds().min.x + 32.0
    };
    assert_eq!(x(&s), 16.0);
    // The pointer rests; keys and wheel change the grid under it.
    s.key("[");
    assert_eq!(x(&s), 24.0);
    s.key("Alt+0");
    assert_eq!(x(&s), 20.0);
    s.key("Alt+0");
    s.hold(Modifiers::CTRL_ALT);
    let at = from + DVec2::X * 20.0;
    s.input(TOP, Input::Wheel { notches: 2.0, at });
    assert_eq!(x(&s), 32.0);
    s.hold(Modifiers::NONE);
    s.key("Esc");
    assert!(s.labels().is_empty());
}

#[test]
fn mov_1_a_locked_or_hidden_object_is_not_moved_by_dragging_there() {
    let mut s = Session::new(floor_and_crate);
    for hide in [true, false] {
        s.select(&[id(CRATE)]);
        if hide {
            s.editor.set_hidden(id(CRATE), true);
        } else {
            s.editor.set_locked(id(CRATE), true);
        }
        assert!(
            s.selected().is_empty(),
            "out of reach is out of the selection"
        );
        s.select(&[id(FLOOR)]);
        let before = s.bounds(id(CRATE));
        let aside = ON_CRATE + DVec3::X * 64.0;
        s.drag(VIEW_3D, ON_CRATE, aside, Modifiers::NONE);
        assert_eq!(s.bounds(id(CRATE)), before);
        s.editor.set_hidden(id(CRATE), false);
        s.editor.set_locked(id(CRATE), false);
        s.key("Esc");
    }
}
