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

/// A field of crates, some turned, on a floor.
fn crates(draft: &mut Draft) {
    draft.insert(Object::new(Kind::Brush(Brush::cuboid(
        Aabb::new(
            DVec3::new(-512.0, -16.0, -512.0),
            DVec3::new(512.0, 0.0, 512.0),
        ),
        None,
    ))));
    for i in 0..40 {
        let at = DVec3::new(
            f64::from(i * 97 % 700) - 350.0,
            f64::from(i * 31 % 120) + 20.0,
            f64::from(i * 53 % 600) - 300.0,
        );
        let brush = Brush::cuboid(Aabb::around(at, DVec3::new(10.0, 20.0, 15.0)), None);
        let turn = mapwright::geometry::transform::about(
            at,
            mapwright::geometry::transform::rotation_about_axis_deg(1, f64::from(i) * 11.0),
        );
        let tile = |_| glam::Vec2::splat(64.0);
        let turned = brush.transformed(&turn, mapwright::document::UvLock::World, &tile);
        draft.insert(Object::new(Kind::Brush(turned)));
    }
}

/// What the marquee must find, told another way: the outline of each object on the screen against the rectangle.
fn expected(s: &Session, pane: usize, a: DVec2, b: DVec2, inside: bool) -> BTreeSet<ObjectId> {
    let (min, max) = (a.min(b), a.max(b));
    let view = &s.editor.views[pane];
    s.doc()
        .objects()
        .filter_map(|(id, object)| Some((id, object.brush()?)))
        .filter(|(_, brush)| {
            let on_screen: Vec<DVec2> = brush
                .hull()
                .points()
                .iter()
                .map(|&point| view.project(point).expect("in front of the eye").0)
                .collect();
            let is_in = |at: &DVec2| at.cmpge(min).all() && at.cmple(max).all();
            if inside {
                return on_screen.iter().all(is_in);
            }
            // Separating lines: the sides of the rectangle and those of every pair of points.
            let rectangle = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
            let mut lines = vec![DVec2::X, DVec2::Y];
            for &p in &on_screen {
                lines.extend(on_screen.iter().map(|&q| (q - p).perp()));
            }
            lines
                .into_iter()
                .filter(|line| line.length() > 1e-9)
                .all(|line| {
                    let reach = |points: &[DVec2]| {
                        points
                            .iter()
                            .fold((f64::INFINITY, f64::NEG_INFINITY), |reach, point| {
                                let along = point.dot(line);
                                (reach.0.min(along), reach.1.max(along))
                            })
                    };
                    let (one, two) = (reach(&on_screen), reach(&rectangle));
                    one.0 <= two.1 && two.0 <= one.1
                })
        })
        .map(|(id, _)| id)
        .collect()
}

/// Press, one motion, release; modifiers stay as they are held.
fn drag(s: &mut Session, pane: usize, from: DVec2, to: DVec2) {
    let button = Button::Left;
    s.move_to(pane, from);
    s.input(pane, Input::Press { button, at: from });
    s.input(pane, Input::PointerMoved { at: to });
    s.input(pane, Input::Release { button, at: to });
}

fn picked(s: &Session) -> BTreeSet<ObjectId> {
    s.editor
        .selection()
        .iter()
        .map(|pick| pick.object())
        .collect()
}

#[test]
fn sel_9_same_material_and_layer() {
    let mut s = Session::new(|draft| {
        let brick = draft.insert_material(Material::new("brick", "brick.png"));
        let stone = draft.insert_material(Material::new("stone", "stone.png"));
        let looks = [Some(brick), Some(stone), Some(brick), None, Some(stone)];
        for (i, look) in looks.into_iter().enumerate() {
            let x = i as f64 * 100.0;
            cube_of(draft, [x, 0.0, 0.0], [x + 32.0, 32.0, 32.0], look);
        }
        // Layers have numbers of the same row, so it comes last.
        let props = draft.insert_layer(Layer::new(LayerKind::Layer, "Props"));
        for number in 3..=5 {
            draft.update(id(number), |object| object.layer = Some(props));
        }
        // One side of the fourth is of stone.
        draft.update(id(4), |object| {
            let brush = object.brush().expect("brush").clone();
            let mut faces = brush.faces().to_vec();
            faces[3].material = Some(stone);
            object.kind = Kind::Brush(brush.with_surfaces(faces));
        });
    });
    s.select(&[id(2)]);
    s.editor.run("select.same_material").expect("selected");
    assert_eq!(picked(&s), [id(2), id(4), id(5)].into());
    s.editor.set_locked(id(5), true);
    s.select(&[id(2)]);
    s.editor.run("select.same_material").expect("selected");
    assert_eq!(picked(&s), [id(2), id(4)].into());
    let said = &s.editor.status().expect("said").text;
    assert!(said.contains("1 hidden or locked"), "{said}");
    // What is compared of a face is its own material.
    s.editor.set_locked(id(5), false);
    s.editor.select(Selection::from([Pick::Face(id(4), 3)]));
    s.editor.run("select.same_material").expect("selected");
    assert!(picked(&s).contains(&id(5)) && !picked(&s).contains(&id(1)));
    s.select(&[id(4)]);
    s.editor.run("select.same_layer").expect("selected");
    assert_eq!(picked(&s), [id(3), id(4), id(5)].into());
    s.select(&[id(1)]);
    s.editor.run("select.same_layer").expect("selected");
    assert_eq!(picked(&s), [id(1), id(2)].into(), "the default one, too");
    assert!(s.labels().is_empty());
}

#[test]
fn sel_5_marquee() {
    let settings = Settings {
        marquee_visible_only: false,
        ..Settings::default()
    };
    let mut s = Session::with_settings(settings, crates);
    s.look_from(DVec3::new(0.0, 500.0, 900.0), -30.0, 0.0);
    s.editor.set_tool(ToolKind::Marquee);
    for pane in [VIEW_3D, TOP, FRONT] {
        for (a, b) in [
            ((150.0, 120.0), (620.0, 480.0)),
            ((300.0, 250.0), (520.0, 300.0)),
            ((10.0, 10.0), (790.0, 590.0)),
            ((400.0, 200.0), (410.0, 210.0)),
        ] {
            let (a, b) = (DVec2::from(a), DVec2::from(b));
            for (from, to) in [(a, b), (b, a)] {
                drag(&mut s, pane, from, to);
                let wanted = expected(&s, pane, from, to, from.x < to.x);
                assert_eq!(picked(&s), wanted, "{pane} {from} {to}");
            }
        }
    }
    assert!(s.labels().is_empty(), "no steps");
    // Ctrl adds, Ctrl+Shift removes.
    let (a, b) = (DVec2::new(400.0, 0.0), DVec2::new(0.0, 600.0));
    drag(&mut s, TOP, a, b);
    let left = picked(&s);
    let (c, d) = (DVec2::new(800.0, 0.0), DVec2::new(400.0, 600.0));
    s.hold(Modifiers::CTRL);
    drag(&mut s, TOP, c, d);
    let both = picked(&s);
    assert!(both.is_superset(&left) && both.len() > left.len());
    s.hold(Modifiers::CTRL_SHIFT);
    drag(&mut s, TOP, a, b);
    assert_eq!(picked(&s), both.difference(&left).copied().collect());
    s.hold(Modifiers::NONE);
}

#[test]
fn sel_5_alt_drag_and_visible_only() {
    // A wall hides a crate; another one stands beside it.
    let mut s = Session::new(|draft| {
        for (at, half) in [
            (DVec3::new(0.0, 64.0, 0.0), DVec3::new(64.0, 64.0, 4.0)),
            (DVec3::new(0.0, 40.0, -100.0), DVec3::splat(8.0)),
            (DVec3::new(120.0, 40.0, -100.0), DVec3::splat(8.0)),
        ] {
            draft.insert(Object::new(Kind::Brush(Brush::cuboid(
                Aabb::around(at, half),
                None,
            ))));
        }
    });
    s.look_from(DVec3::new(0.0, 40.0, 400.0), 0.0, 0.0);
    let (from, to) = (DVec2::new(5.0, 5.0), DVec2::new(795.0, 595.0));
    s.hold(Modifiers::ALT);
    drag(&mut s, VIEW_3D, from, to);
    s.hold(Modifiers::NONE);
    assert_eq!(
        picked(&s),
        [id(1), id(3)].into(),
        "what is hidden stays out"
    );
    s.editor.settings.marquee_visible_only = false;
    s.hold(Modifiers::ALT);
    drag(&mut s, VIEW_3D, from, to);
    s.hold(Modifiers::NONE);
    assert_eq!(picked(&s).len(), 3);
    // Esc in the middle leaves the selection alone.
    s.select(&[id(3)]);
    s.hold(Modifiers::ALT);
    s.move_to(VIEW_3D, from);
    s.input(
        VIEW_3D,
        Input::Press {
            button: Button::Left,
            at: from,
        },
    );
    s.input(VIEW_3D, Input::PointerMoved { at: to });
    let sides = |pane| {
        let lines = s.editor.overlay(pane).lines;
        let is_side = |line: &&mapwright::editor::overlay::Line| {
            line.role == mapwright::editor::overlay::Role::Selected
        };
        lines.iter().filter(is_side).count()
    };
    assert_eq!(sides(VIEW_3D), 4, "the rectangle shows");
    assert_eq!(sides(TOP), 0, "in its own view only");
    s.editor.escape();
    s.input(
        VIEW_3D,
        Input::Release {
            button: Button::Left,
            at: to,
        },
    );
    s.hold(Modifiers::NONE);
    assert_eq!(picked(&s), [id(3)].into());
}

#[test]
fn sel_3_paint() {
    let mut s = Session::new(|draft| {
        for i in 0..10 {
            draft.insert(Object::new(Kind::Brush(Brush::cuboid(
                Aabb::around(
                    DVec3::new(f64::from(i) * 40.0 - 180.0, 0.0, 0.0),
                    DVec3::splat(6.0),
                ),
                None,
            ))));
        }
    });
    let at = |x: f64| DVec2::new(400.0 + x, 300.0);
    s.hold(Modifiers::CTRL);
    // One event over the whole way still finds what lies between.
    drag(&mut s, TOP, at(-180.0), at(60.0));
    s.hold(Modifiers::NONE);
    assert_eq!(picked(&s), (1..=7).map(id).collect());
    assert!(s.labels().is_empty());
    s.key("Ctrl+[");
    assert!(
        picked(&s).is_empty(),
        "one entry of the selection's history"
    );
}

#[test]
fn sel_6_faces_are_painted() {
    let mut s = Session::new(|draft| {
        for i in 0..4 {
            draft.insert(Object::new(Kind::Brush(Brush::cuboid(
                Aabb::around(
                    DVec3::new(f64::from(i) * 40.0 - 60.0, 0.0, 0.0),
                    DVec3::splat(20.0),
                ),
                None,
            ))));
        }
    });
    let at = |x: f64| DVec2::new(400.0 + x, 310.0);
    s.hold(Modifiers::CTRL_SHIFT);
    drag(&mut s, TOP, at(-70.0), at(70.0));
    s.hold(Modifiers::NONE);
    let faces = s.editor.selection().faces();
    assert_eq!(faces.len(), 4, "{faces:?}");
    assert_eq!(picked(&s), (1..=4).map(id).collect());
}

#[test]
fn sel_4_dig() {
    let mut s = Session::new(|draft| {
        for i in 0..3 {
            draft.insert(Object::new(Kind::Brush(Brush::cuboid(
                Aabb::around(
                    DVec3::new(0.0, 40.0, f64::from(i) * -100.0),
                    DVec3::splat(16.0),
                ),
                None,
            ))));
        }
    });
    s.look_from(DVec3::new(0.0, 40.0, 300.0), 0.0, 0.0);
    let at = SIZE * 0.5;
    s.move_to(VIEW_3D, at);
    s.select(&[id(1)]);
    s.hold(Modifiers::CTRL);
    let mut seen = Vec::new();
    for notches in [1.0, 1.0, 1.0, -1.0, -1.0] {
        s.input(VIEW_3D, Input::Wheel { notches, at });
        seen.extend(picked(&s));
    }
    assert_eq!(seen, [2, 3, 1, 3, 2].map(id), "wraps both ways");
    for pressed in [true, false] {
        let button = Button::Right;
        let input = if pressed {
            Input::Press { button, at }
        } else {
            Input::Release { button, at }
        };
        s.input(VIEW_3D, input);
    }
    s.hold(Modifiers::NONE);
    assert_eq!(
        s.editor.take_requests(),
        [Request::ListUnder { pane: VIEW_3D, at }]
    );
    let rows = s.editor.under(VIEW_3D, at);
    assert_eq!(
        rows.iter()
            .map(|row| (row.id, row.distance.round()))
            .collect::<Vec<_>>(),
        [(id(1), 284.0), (id(2), 384.0), (id(3), 484.0)]
    );
    assert!(rows[1].is_selected);
    s.editor.take_row(id(3), true);
    assert_eq!(picked(&s), [id(2), id(3)].into());
}

#[test]
fn sel_8_by_volume() {
    let build = |draft: &mut Draft| {
        for (at, half) in [
            // The selecting brush, one inside, one that crosses it, one beside it that touches, one far, one below.
            (DVec3::new(0.0, 0.0, 0.0), 64.0),
            (DVec3::new(10.0, 0.0, 0.0), 8.0),
            (DVec3::new(64.0, 0.0, 0.0), 8.0),
            (DVec3::new(-80.0, 0.0, 0.0), 16.0),
            (DVec3::new(300.0, 0.0, 0.0), 16.0),
            (DVec3::new(0.0, -400.0, 0.0), 16.0),
        ] {
            draft.insert(Object::new(Kind::Brush(Brush::cuboid(
                Aabb::around(at, DVec3::splat(half)),
                None,
            ))));
        }
    };
    for (keys, pane, wanted) in [
        ("Ctrl+T", VIEW_3D, vec![2, 3, 4]),
        ("Ctrl+E", VIEW_3D, vec![2]),
        ("Ctrl+Shift+E", TOP, vec![2, 6]),
    ] {
        let mut s = Session::new(build);
        s.select(&[id(1)]);
        s.move_to(pane, SIZE * 0.5);
        s.key(keys);
        assert_eq!(picked(&s), wanted.into_iter().map(id).collect(), "{keys}");
        assert!(s.doc().object(id(1)).is_none(), "{keys} deletes it");
        assert_eq!(s.labels(), ["Select touching"]);
        s.key("Ctrl+Z");
        assert_eq!(picked(&s), [id(1)].into());
    }
    let mut s = Session::new(build);
    s.select(&[id(2)]);
    s.editor
        .run("select.touching_keep")
        .expect("brushes are selected");
    assert_eq!(
        picked(&s),
        [id(1)].into(),
        "it lies inside of the other one"
    );
    assert!(s.labels().is_empty());
    s.move_to(VIEW_3D, SIZE * 0.5);
    s.select(&[id(1)]);
    assert!(
        s.editor.run("select.tall").is_err(),
        "only a 2D view has an outline"
    );
}

#[test]
fn sel_9_similar() {
    let mut s = Session::new(|draft| {
        for (x, half) in [(0.0, 16.0), (100.0, 16.0), (200.0, 32.0), (300.0, 16.0)] {
            draft.insert(Object::new(Kind::Brush(Brush::cuboid(
                Aabb::around(DVec3::new(x, 0.0, 0.0), DVec3::splat(half)),
                None,
            ))));
        }
        for class in ["light", "light", "info_null"] {
            let mut entity = Entity::new(class, DVec3::ZERO);
            entity.keys.push(("targetname".into(), class.into()));
            draft.insert(Object::new(Kind::Entity(entity)));
        }
    });
    s.select(&[id(4)]);
    s.editor.run("object.hide").expect("selected");
    s.select(&[id(1)]);
    s.editor.run("select.same_size").expect("selected");
    assert_eq!(picked(&s), [id(1), id(2)].into());
    let said = &s.editor.status().expect("said").text;
    assert!(said.contains("1 hidden or locked"), "{said}");
    s.select(&[id(5)]);
    s.editor.run("select.same_class").expect("selected");
    assert_eq!(picked(&s), [id(5), id(6)].into());
    s.editor.select_same_value("targetname", "info_null");
    assert_eq!(picked(&s), [id(7)].into());
}

#[test]
fn sel_6_a_patch_leaves_out_what_is_out_of_reach() {
    let mut s = Session::new(|draft| {
        for x in 0..4 {
            let x = f64::from(x) * 64.0;
            cube(draft, [x, -16.0, 0.0], [x + 64.0, 0.0, 64.0]);
        }
    });
    let all_alt = Modifiers {
        shift: true,
        alt: true,
        ctrl: false,
    };
    let on_first = DVec3::new(32.0, 0.0, 32.0);
    s.double_click(TOP, on_first, all_alt);
    assert_eq!(s.editor.selection().len(), 4);
    s.key("Esc");
    s.editor.set_hidden(id(4), true);
    s.editor.set_locked(id(3), true);
    s.double_click(TOP, on_first, all_alt);
    let of: BTreeSet<ObjectId> = s
        .editor
        .selection()
        .iter()
        .map(|pick| pick.object())
        .collect();
    assert_eq!(of, BTreeSet::from([id(1), id(2)]));
}

#[test]
fn sel_4_parts_of_notches_add_up() {
    let mut s = Session::new(floor_and_crate);
    let at = s.at(VIEW_3D, ON_CRATE);
    s.move_to(VIEW_3D, at);
    s.hold(Modifiers::CTRL);
    let wheel = |notches| Input::Wheel { notches, at };
    // A fine wheel, or a touch pad: eight events are one step.
    for _ in 0..7 {
        s.input(VIEW_3D, wheel(0.125));
    }
    assert!(s.selected().is_empty());
    s.input(VIEW_3D, wheel(0.125));
    assert_eq!(s.selected().len(), 1);
    s.hold(Modifiers::CTRL_ALT);
    let before = s.editor.grid.size;
    for _ in 0..3 {
        s.input(VIEW_3D, wheel(-0.25));
    }
    assert_eq!(s.editor.grid.size, before);
    s.input(VIEW_3D, wheel(-1.25));
    assert_eq!(s.editor.grid.size, before / 4.0, "two whole steps");
}
