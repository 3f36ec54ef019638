//! Cameras and views (CAM, VIEW).

use mapwright::editor::ShownOf;
use mapwright::editor::Toggle;

use super::*;

#[test]
fn cam_1_look() {
    let mut s = Session::new(floor_and_crate);
    let at = DVec2::new(400.0, 300.0);
    s.move_to(VIEW_3D, at);
    s.input(
        VIEW_3D,
        Input::Press {
            button: Button::Right,
            at,
        },
    );
    s.input(
        VIEW_3D,
        Input::PointerMoved {
            at: at + DVec2::X * 100.0,
        },
    );
    assert!(
        (s.editor.views[VIEW_3D].yaw_deg - -15.0).abs() < 1e-9,
        "{}",
        s.editor.views[VIEW_3D].yaw_deg
    );
    assert!(s.editor.wants_pointer_lock());
    s.input(
        VIEW_3D,
        Input::PointerDelta {
            delta: DVec2::new(0.0, -10_000.0),
        },
    );
    assert!((s.editor.views[VIEW_3D].pitch_deg - 89.0).abs() < 1e-9);
    s.now_s += 1.0;
    s.input(
        VIEW_3D,
        Input::Release {
            button: Button::Right,
            at,
        },
    );
    assert!(s.editor.take_requests().is_empty(), "a drag opens no menu");
    s.input(
        VIEW_3D,
        Input::Press {
            button: Button::Right,
            at,
        },
    );
    s.input(
        VIEW_3D,
        Input::Release {
            button: Button::Right,
            at,
        },
    );
    assert_eq!(
        s.editor.take_requests(),
        [Request::ContextMenu { pane: VIEW_3D, at }]
    );
    assert!(s.labels().is_empty());
}

#[test]
fn cam_1_a_long_press_is_no_click_and_y_can_be_inverted() {
    let mut s = Session::new(|_| {});
    s.editor.settings.invert_y = true;
    s.editor.settings.look_sensitivity = 2.0;
    let at = SIZE * 0.5;
    s.move_to(VIEW_3D, at);
    let button = Button::Right;
    s.input(VIEW_3D, Input::Press { button, at });
    s.now_s += 0.5;
    s.input(VIEW_3D, Input::Release { button, at });
    assert!(s.editor.take_requests().is_empty(), "held for too long");
    let pitch = s.editor.views[VIEW_3D].pitch_deg;
    s.input(VIEW_3D, Input::Press { button, at });
    let at = at + DVec2::Y * 100.0;
    s.input(VIEW_3D, Input::PointerMoved { at });
    s.input(VIEW_3D, Input::Release { button, at });
    let turned = s.editor.views[VIEW_3D].pitch_deg - pitch;
    assert!((turned - 30.0).abs() < 1e-9, "{turned}");
    assert!(s.editor.take_requests().is_empty());
}

#[test]
fn cam_2_fly_fast_along_sums_and_in_3d_only() {
    let flown = |keys: &str, shift: bool, pane: usize| {
        let mut s = Session::new(|_| {});
        s.look_from(DVec3::ZERO, 0.0, 0.0);
        s.move_to(pane, SIZE * 0.5);
        for key in keys.chars() {
            s.hold_key(key, true);
        }
        if shift {
            s.hold(Modifiers::SHIFT);
        }
        for _ in 0..12 {
            s.tick(0.01);
        }
        let from = s.editor.views[pane].eye;
        for _ in 0..20 {
            s.tick(0.05);
        }
        s.editor.views[pane].eye - from
    };
    assert!(flown("Q", false, VIEW_3D).distance(DVec3::Y * 512.0) < 0.1);
    assert!(flown("X", true, VIEW_3D).distance(DVec3::Y * -1536.0) < 0.1);
    assert!((flown("WD", false, VIEW_3D).length() - 512.0).abs() < 0.1);
    assert_eq!(flown("WS", false, VIEW_3D), DVec3::ZERO);
    assert_eq!(flown("W", false, TOP), DVec3::ZERO);
}

#[test]
fn cam_2_fly() {
    for frames_per_second in [30.0, 240.0] {
        let mut s = Session::new(|_| {});
        s.look_from(DVec3::ZERO, 0.0, 0.0);
        s.move_to(VIEW_3D, SIZE * 0.5);
        s.hold_key('W', true);
        let ease_in_s = 0.12;
        let frames = (frames_per_second * (1.0 + ease_in_s)) as usize;
        for _ in 0..frames {
            s.tick(1.0 / frames_per_second);
        }
        let seconds = frames as f64 / frames_per_second;
        let expected = 512.0 * (seconds - ease_in_s / 2.0);
        let moved = -s.editor.views[VIEW_3D].eye.z;
        assert!(
            (moved / expected - 1.0).abs() < 0.01,
            "{frames_per_second}: {moved}, not {expected}"
        );
        assert!(s.editor.wants_frames());
        s.hold_key('W', false);
        assert!(!s.editor.wants_frames() || s.editor.problem_count() == 0);
        let before = s.editor.views[VIEW_3D].eye;
        s.tick(1.0);
        assert_eq!(
            s.editor.views[VIEW_3D].eye, before,
            "released keys do not fly"
        );
    }
}

#[test]
fn cam_2_fly_letters_are_no_shortcuts_and_ctrl_makes_none_of_a_held_one() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(VIEW_3D, SIZE * 0.5);
    s.hold_key('D', true);
    s.hold(Modifiers::CTRL);
    s.input(
        VIEW_3D,
        Input::Key {
            key: Key::Letter('D'),
            physical: Key::Letter('D'),
            pressed: true,
            repeat: true,
        },
    );
    assert_eq!(
        s.doc().object_count(),
        2,
        "Ctrl+D did not fire from a repeat"
    );
    s.hold(Modifiers::NONE);
    s.hold_key('D', false);
    s.key("Ctrl+D");
    assert_eq!(s.doc().object_count(), 3);
}

#[test]
fn cam_3_fly_speed() {
    let mut s = Session::new(|_| {});
    let at = SIZE * 0.5;
    s.move_to(VIEW_3D, at);
    s.input(
        VIEW_3D,
        Input::Press {
            button: Button::Right,
            at,
        },
    );
    s.input(VIEW_3D, Input::Wheel { notches: 1.0, at });
    assert!((s.editor.fly_speed() - 640.0).abs() < 1e-9);
    s.input(
        VIEW_3D,
        Input::Wheel {
            notches: -100.0,
            at,
        },
    );
    assert_eq!(s.editor.fly_speed(), 16.0);
    s.input(
        VIEW_3D,
        Input::Release {
            button: Button::Right,
            at,
        },
    );
    assert!(
        s.editor.take_requests().is_empty(),
        "the button was held for the wheel"
    );
}

#[test]
fn cam_3_the_speed_has_bounds_is_shown_and_belongs_to_the_map() {
    let mut s = Session::new(|_| {});
    let at = SIZE * 0.5;
    let press = |s: &mut Session, pressed: bool| {
        let button = Button::Right;
        s.move_to(VIEW_3D, at);
        let input = if pressed {
            Input::Press { button, at }
        } else {
            Input::Release { button, at }
        };
        s.input(VIEW_3D, input);
    };
    press(&mut s, true);
    s.input(VIEW_3D, Input::Wheel { notches: 50.0, at });
    assert_eq!(s.editor.fly_speed(), 16384.0);
    let said = s.editor.status().expect("a readout").text.clone();
    assert!(said.contains("16384"), "{said}");
    s.input(VIEW_3D, Input::Wheel { notches: -1.0, at });
    let speed = s.editor.fly_speed();
    assert!((speed - 16384.0 / 1.25).abs() < 1e-6);
    press(&mut s, false);
    // Another map starts with the usual speed.
    let other = Session::new(|_| {});
    assert_eq!(other.editor.fly_speed(), 512.0);
    assert!(s.labels().is_empty() && !s.editor.is_dirty());
}

#[test]
fn cam_4_dolly() {
    let mut s = Session::new(|_| {});
    s.look_from(DVec3::new(0.0, 100.0, 0.0), 40.0, 0.0);
    let at = DVec2::new(250.0, 120.0);
    let start = s.editor.views[VIEW_3D].eye;
    for notches in [1.0, 1.0, 1.0, -1.0, -1.0, -1.0] {
        s.input(VIEW_3D, Input::Wheel { notches, at });
    }
    assert!(s.editor.views[VIEW_3D].eye.distance(start) < 1e-9);
    let mut s = Session::new(floor_and_crate);
    let at = s.at(VIEW_3D, ON_CRATE);
    let (eye, distance) = (
        s.editor.views[VIEW_3D].eye,
        s.editor.views[VIEW_3D].eye.distance(ON_CRATE),
    );
    s.input(VIEW_3D, Input::Wheel { notches: 1.0, at });
    let moved = s.editor.views[VIEW_3D].eye.distance(eye);
    assert!(
        (moved - distance * 0.15).abs() < 1e-6,
        "{moved} of {distance}"
    );
    assert!(
        s.at(VIEW_3D, ON_CRATE).distance(at) < 1e-6,
        "towards the point under the pointer"
    );
}

#[test]
fn cam_5_pan() {
    for (pane, button) in [
        (VIEW_3D, Button::Middle),
        (TOP, Button::Middle),
        (TOP, Button::Right),
    ] {
        let mut s = Session::new(floor_and_crate);
        let from = s.at(pane, ON_CRATE);
        let to = from + DVec2::new(70.0, -40.0);
        s.move_to(pane, from);
        s.input(pane, Input::Press { button, at: from });
        s.input(
            pane,
            Input::PointerMoved {
                at: from.lerp(to, 0.5),
            },
        );
        s.input(pane, Input::PointerMoved { at: to });
        s.now_s += 1.0;
        s.input(pane, Input::Release { button, at: to });
        assert!(
            s.at(pane, ON_CRATE).distance(to) < 1e-6,
            "{pane} {button:?}"
        );
    }
}

#[test]
fn cam_6_orbit() {
    let mut s = Session::new(floor_and_crate);
    let at = s.at(VIEW_3D, ON_CRATE);
    let distance = s.editor.views[VIEW_3D].eye.distance(ON_CRATE);
    s.hold(Modifiers::ALT);
    s.move_to(VIEW_3D, at);
    s.input(
        VIEW_3D,
        Input::Press {
            button: Button::Right,
            at,
        },
    );
    let pivot = s.editor.orbit_pivot().expect("orbiting");
    assert!(pivot.distance(ON_CRATE) < 1e-6);
    s.input(
        VIEW_3D,
        Input::PointerDelta {
            delta: DVec2::new(200.0, 50.0),
        },
    );
    assert!((s.editor.views[VIEW_3D].eye.distance(pivot) - distance).abs() < 1e-6);
    assert!(s.at(VIEW_3D, pivot).distance(at) < 1e-6);
    assert!(
        !s.editor.overlay(VIEW_3D).lines.is_empty(),
        "a ring marks the pivot"
    );
    s.input(VIEW_3D, Input::Wheel { notches: 1.0, at });
    assert!((s.editor.views[VIEW_3D].eye.distance(pivot) - distance / 1.25).abs() < 1e-6);
    s.input(
        VIEW_3D,
        Input::Release {
            button: Button::Right,
            at,
        },
    );
}

#[test]
fn cam_7_zoom_2d() {
    let mut s = Session::new(floor_and_crate);
    let at = DVec2::new(123.0, 456.0);
    let flatten = |point: DVec3| DVec3::new(point.x, 0.0, point.z);
    let under = flatten(s.editor.views[TOP].ray(at).origin);
    s.input(TOP, Input::Wheel { notches: 2.0, at });
    assert!((s.editor.views[TOP].points_per_unit - 1.5625).abs() < 1e-12);
    assert!(flatten(s.editor.views[TOP].ray(at).origin).distance(under) < 1e-6);
    assert_eq!(
        s.editor.views[FRONT].points_per_unit,
        s.editor.views[TOP].points_per_unit
    );
    assert_eq!(
        s.editor.views[FRONT].eye.x, s.editor.views[TOP].eye.x,
        "linked along x"
    );
    s.input(
        TOP,
        Input::Wheel {
            notches: 1000.0,
            at,
        },
    );
    assert_eq!(s.editor.views[TOP].points_per_unit, 64.0);
    s.input(
        TOP,
        Input::Wheel {
            notches: -1000.0,
            at,
        },
    );
    assert_eq!(s.editor.views[TOP].points_per_unit, 1.0 / 256.0);
}

#[test]
fn cam_10_frame() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(VIEW_3D, DVec2::ONE);
    let before = s.editor.views[VIEW_3D].clone();
    s.key("Home");
    s.tick(0.1);
    assert_ne!(s.editor.views[VIEW_3D].eye, before.eye, "on its way");
    s.tick(0.2);
    let view = &s.editor.views[VIEW_3D];
    assert_eq!(
        (view.pitch_deg, view.yaw_deg),
        (before.pitch_deg, before.yaw_deg)
    );
    let reach = s
        .bounds(id(CRATE))
        .corners()
        .into_iter()
        .fold(0.0f64, |reach, corner| {
            let (at, _) = view.project(corner).expect("in front");
            reach.max(((at - SIZE * 0.5) / (SIZE * 0.5)).abs().max_element())
        });
    assert!((reach - 0.8).abs() < 1e-6, "{reach}");
    assert!(!s.editor.wants_frames());
    // A second press within half a second frames the others, too.
    let top = s.editor.views[TOP].points_per_unit;
    s.now_s += 2.0;
    s.key("Home");
    s.key("Home");
    s.tick(0.1);
    s.tick(0.2);
    assert_ne!(s.editor.views[TOP].points_per_unit, top);
}

#[test]
fn cam_10_framed_2d_views_share_their_zoom_and_esc_stops_the_way() {
    let mut s = Session::new(|draft| {
        cube(draft, [0.0; 3], [1000.0, 32.0, 16.0]);
    });
    let zooms = |s: &Session| -> Vec<f64> {
        let flat = s.editor.views.iter().filter(|view| view.is_2d());
        flat.map(|view| view.points_per_unit).collect()
    };
    let settle = |s: &mut Session| {
        s.tick(0.1);
        s.tick(0.2);
    };
    // One view, all views, and the reset: none of them makes the next notch of the wheel jump elsewhere.
    s.move_to(FRONT, DVec2::splat(5.0));
    s.key("Home");
    settle(&mut s);
    assert_eq!(zooms(&s), [0.64; 3]);
    assert_eq!(s.editor.views[TOP].eye.x, 500.0, "linked along x");
    s.now_s += 2.0;
    s.input(
        FRONT,
        Input::Wheel {
            notches: 3.0,
            at: DVec2::ONE,
        },
    );
    s.key("Home");
    s.key("Home");
    settle(&mut s);
    assert_eq!(zooms(&s), [0.64; 3], "all of it in each");
    s.input(
        FRONT,
        Input::Wheel {
            notches: 3.0,
            at: DVec2::ONE,
        },
    );
    s.key("Ctrl+Shift+U");
    assert_eq!(zooms(&s), [0.64; 3]);
    assert!(
        s.editor.views[1..]
            .iter()
            .all(|view| view.eye == DVec3::new(500.0, 16.0, 8.0)),
        "on the middle of the map"
    );
    // Esc leaves a view where it is on its way, and nothing else.
    s.select(&[id(1)]);
    s.move_to(VIEW_3D, DVec2::ONE);
    s.now_s += 2.0;
    s.look_from(DVec3::new(0.0, 200.0, 300.0), -30.0, 0.0);
    let from = s.editor.views[VIEW_3D].eye;
    s.key("Home");
    s.tick(0.1);
    s.key("Esc");
    let stopped = s.editor.views[VIEW_3D].eye;
    s.tick(0.1);
    s.tick(0.1);
    assert!(stopped != from && s.editor.views[VIEW_3D].eye == stopped);
    assert_eq!(s.selected(), [id(1)]);
}

#[test]
fn cam_12_reopen() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let mut start = Entity::new("info_player_start", DVec3::new(100.0, 40.0, 100.0));
        start.angles_deg.y = 90.0;
        draft.insert(Object::new(Kind::Entity(start)));
    });
    let fresh = Editor::with_document(
        s.doc().clone(),
        ViewState::default(),
        Settings::default(),
        Arc::new(|_| {}),
    );
    assert_eq!(
        (fresh.views[VIEW_3D].eye, fresh.views[VIEW_3D].yaw_deg),
        (DVec3::new(100.0, 40.0, 100.0), 90.0),
        "on the player start"
    );
    s.editor.set_grid(4.0);
    s.look_from(DVec3::new(1.0, 2.0, 3.0), 10.0, 20.0);
    s.editor.views[TOP].points_per_unit = 2.5;
    let look = s.editor.look_to_save();
    let mut again =
        Editor::with_document(s.doc().clone(), look, Settings::default(), Arc::new(|_| {}));
    for pane in 0..4 {
        again.set_pane_size(pane, SIZE, 1.0);
    }
    let view = &again.views[VIEW_3D];
    assert_eq!(
        (view.eye, view.pitch_deg, view.yaw_deg),
        (DVec3::new(1.0, 2.0, 3.0), 10.0, 20.0)
    );
    assert!((again.views[TOP].points_per_unit - 2.5).abs() < 1e-6);
    assert_eq!(again.grid.size, 4.0);
}

#[test]
fn view_1_layout() {
    let mut s = Session::new(|_| {});
    s.move_to(FRONT, DVec2::ONE);
    s.key("Ctrl+Space");
    assert_eq!(s.editor.layout.visible(), [FRONT]);
    s.key("Ctrl+Space");
    assert_eq!(s.editor.layout.visible().len(), 4);
    s.key("Space");
    assert_eq!(s.editor.views[FRONT].kind, ViewKind::Side);
    s.key("Space");
    assert_eq!(s.editor.views[FRONT].kind, ViewKind::Perspective);
    assert_eq!(
        s.editor.views[FRONT].eye, s.editor.views[VIEW_3D].eye,
        "a second 3D view begins where the first is"
    );
    s.editor.run("view.panes_3").expect("runs");
    assert_eq!(s.editor.layout.visible(), [0, 1, 2]);
}

#[test]
fn view_1_a_3d_view_comes_back_to_where_it_looked_from() {
    let mut s = Session::new(floor_and_crate);
    s.look_from(DVec3::new(10.0, 20.0, 30.0), -10.0, 40.0);
    let before = s.editor.views[VIEW_3D].clone();
    s.move_to(VIEW_3D, DVec2::ONE);
    s.key("Space");
    s.input(
        VIEW_3D,
        Input::Wheel {
            notches: 2.0,
            at: DVec2::ONE,
        },
    );
    for _ in 0..3 {
        s.key("Space");
    }
    let after = &s.editor.views[VIEW_3D];
    assert_eq!(after.kind, ViewKind::Perspective);
    assert_eq!(
        (after.eye, after.pitch_deg, after.yaw_deg),
        (before.eye, before.pitch_deg, before.yaw_deg)
    );
}

#[test]
fn view_3_hide_and_isolate() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+Alt+I");
    assert!(s.selected().is_empty());
    let through = s
        .editor
        .pick(VIEW_3D, s.at(VIEW_3D, ON_CRATE))
        .expect("the floor behind");
    assert_eq!(through.object, id(FLOOR));
    s.key("Ctrl+Shift+I");
    s.select(&[id(CRATE)]);
    s.key("Ctrl+I");
    assert!(s.editor.pick(VIEW_3D, s.at(VIEW_3D, ON_FLOOR)).is_none());
    assert!(s.labels().is_empty(), "hiding is no step");
    assert!(!s.editor.is_dirty());
}

#[test]
fn view_2_toggles() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        draft.insert(Object::new(Kind::Entity(Entity::new(
            "light",
            DVec3::new(120.0, 30.0, 60.0),
        ))));
    });
    let light = DVec3::new(120.0, 30.0, 60.0);
    let names = |s: &Session, pane: usize| s.editor.overlay(pane).labels.len();
    s.move_to(TOP, DVec2::new(5.0, 5.0));
    let (plain, other) = (names(&s, TOP), names(&s, FRONT));
    s.editor.run("view.names").expect("runs");
    assert_eq!((names(&s, TOP), names(&s, FRONT)), (plain + 1, other));
    // Each view for itself; what is not shown cannot be clicked.
    s.move_to(VIEW_3D, s.at(VIEW_3D, light));
    s.editor.run("view.entities").expect("runs");
    s.click(VIEW_3D, light);
    assert_ne!(s.selected(), [id(3)]);
    s.key("Esc");
    s.click(TOP, light);
    assert_eq!(s.selected(), [id(3)]);
    // Edges go by the mode until they are asked for, and back to it.
    s.move_to(VIEW_3D, DVec2::new(5.0, 5.0));
    let edges = |s: &Session| s.editor.toggles(VIEW_3D).edges;
    assert_eq!(edges(&s), EdgeDisplay::ByMode);
    s.editor.run("view.edges").expect("runs");
    assert_eq!(edges(&s), EdgeDisplay::Always);
    s.editor.run("view.edges").expect("runs");
    assert_eq!(edges(&s), EdgeDisplay::ByMode);
    s.key("F4");
    s.editor.run("view.edges").expect("runs");
    assert_eq!(edges(&s), EdgeDisplay::Never);
    s.editor.run("view.tools").expect("runs");
    s.key("0");
    // Remembered.
    let (again, warnings) = Settings::from_toml(&s.editor.settings.to_toml());
    assert!(warnings.is_empty(), "{warnings:?}");
    let again = Session::with_settings(again, floor_and_crate);
    for pane in [VIEW_3D, TOP, FRONT] {
        assert_eq!(again.editor.toggles(pane), s.editor.toggles(pane));
    }
    assert!(!again.editor.toggles(VIEW_3D).tools && !again.editor.grid_shown);
    assert!(s.labels().is_empty());
}

#[test]
fn view_2_every_toggle_turns_its_view_only_and_is_remembered() {
    let mut s = Session::new(|draft| {
        floor_and_crate(draft);
        let mut world = Entity::new("worldspawn", DVec3::ZERO);
        world.set_key("fog", "800");
        draft.insert(Object::new(Kind::Entity(world)));
    });
    s.editor.run("map.build").expect("runs");
    s.wait(|editor| editor.compiled.is_some());
    s.move_to(VIEW_3D, DVec2::new(5.0, 5.0));
    for what in Toggle::ALL {
        let shown = |s: &Session, pane| s.editor.shows(pane, what);
        let (before, other) = (shown(&s, VIEW_3D), shown(&s, TOP));
        s.editor
            .run(what.command())
            .expect("there is a build and fog");
        assert_eq!(
            (shown(&s, VIEW_3D), shown(&s, TOP)),
            (!before, other),
            "{what:?}"
        );
        let (again, warnings) = Settings::from_toml(&s.editor.settings.to_toml());
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(again.panes, s.editor.settings.panes, "{what:?}");
        s.editor.run(what.command()).expect("back");
        assert_eq!(shown(&s, VIEW_3D), before, "{what:?}");
    }
}

#[test]
fn view_2_what_there_is_nothing_of_says_why() {
    let mut s = Session::new(floor_and_crate);
    for (what, word) in [
        (Toggle::Portals, "build"),
        (Toggle::Collision, "build"),
        (Toggle::Fog, "fog"),
    ] {
        let why = s.editor.can_show(what).expect_err("nothing to show");
        assert!(why.contains(word), "{why}");
        s.editor.run(what.command()).expect_err("greyed");
        assert!(!s.editor.shows(VIEW_3D, what));
        assert!(
            s.editor
                .status()
                .is_some_and(|said| said.text.contains(why))
        );
    }
}

#[test]
fn view_2_settings_of_links_from_before_are_read() {
    let (settings, warnings) = Settings::from_toml(
        "[[panes]]\nlinks = true\ntools = false\n[[panes]]\n[[panes]]\n[[panes]]\n",
    );
    assert!(warnings.is_empty(), "{warnings:?}");
    assert!(!settings.panes[0].tools);
    assert_eq!(settings.panes[0].links_of, ShownOf::Selection);
}

#[test]
fn cam_8_temporary_zoom() {
    let mut s = Session::new(|_| {});
    let at = SIZE * 0.5;
    s.move_to(VIEW_3D, at);
    let (eye, normal) = (
        s.editor.views[VIEW_3D].eye,
        s.editor.views[VIEW_3D].fov_y_deg,
    );
    s.hold(Modifiers::SHIFT);
    let wheel = |notches| Input::Wheel { notches, at };
    s.input(VIEW_3D, wheel(1.0));
    assert!((s.editor.views[VIEW_3D].fov_y_deg - normal / 1.25).abs() < 1e-9);
    assert_eq!(s.editor.views[VIEW_3D].eye, eye, "nothing travels");
    s.input(VIEW_3D, wheel(100.0));
    assert_eq!(s.editor.views[VIEW_3D].fov_y_deg, 10.0);
    s.input(VIEW_3D, wheel(-100.0));
    assert_eq!(s.editor.views[VIEW_3D].fov_y_deg, 110.0);
    s.hold(Modifiers::NONE);
    s.key("Ctrl+Alt+Z");
    assert_eq!(s.editor.views[VIEW_3D].fov_y_deg, normal);
}

#[test]
fn cam_9_mouse_look() {
    let mut s = Session::new(floor_and_crate);
    s.look_from(DVec3::new(0.0, 200.0, 300.0), -30.0, 0.0);
    s.move_to(VIEW_3D, DVec2::new(5.0, 5.0));
    s.key("Z");
    assert_eq!(s.editor.mouse_look(), Some(VIEW_3D));
    assert!(s.editor.wants_pointer_lock());
    s.input(
        VIEW_3D,
        Input::PointerDelta {
            delta: DVec2::new(100.0, 0.0),
        },
    );
    assert!((s.editor.views[VIEW_3D].yaw_deg - -15.0).abs() < 1e-9);
    // A click takes what is at the crosshair, wherever the locked pointer is said to be.
    s.look_from(DVec3::new(0.0, 200.0, 300.0), -30.0, 0.0);
    let expected = s.editor.pick(VIEW_3D, SIZE * 0.5).expect("something there");
    let at = DVec2::new(1.0, 1.0);
    for pressed in [true, false] {
        let button = Button::Left;
        s.input(
            VIEW_3D,
            if pressed {
                Input::Press { button, at }
            } else {
                Input::Release { button, at }
            },
        );
    }
    let picked: Vec<_> = s
        .editor
        .selection()
        .iter()
        .map(|pick| pick.object())
        .collect();
    assert_eq!(picked, [expected.object]);
    assert!(s.editor.escape());
    assert_eq!(s.editor.mouse_look(), None);
    assert!(!s.editor.selection().is_empty(), "one step of the ladder");
    s.key("Z");
    s.key("Z");
    assert_eq!(s.editor.mouse_look(), None);
}

#[test]
fn cam_9_a_drag_at_the_crosshair_moves_what_was_aimed_at() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let center = s.editor.selection_bounds().center();
    s.look_from(center + DVec3::new(0.0, 200.0, 200.0), -45.0, 0.0);
    s.move_to(VIEW_3D, SIZE * 0.5);
    s.key("Z");
    let (before, at) = (s.editor.selection_bounds(), SIZE * 0.5);
    let button = Button::Left;
    s.input(VIEW_3D, Input::Press { button, at });
    for _ in 0..40 {
        s.input(
            VIEW_3D,
            Input::PointerDelta {
                delta: DVec2::new(3.0, 0.0),
            },
        );
    }
    assert!(s.editor.is_dragging());
    s.input(VIEW_3D, Input::Release { button, at });
    assert_eq!(s.labels(), ["Move"]);
    let moved = s.editor.selection_bounds().min - before.min;
    assert!(moved.x >= 16.0 && moved.y == 0.0, "{moved}");
}

#[test]
fn cam_11_bookmarks() {
    let mut s = Session::new(floor_and_crate);
    s.look_from(DVec3::new(10.0, 20.0, 30.0), -10.0, 170.0);
    s.move_to(VIEW_3D, SIZE * 0.5);
    s.key("Ctrl+Shift+3");
    s.look_from(DVec3::ZERO, 0.0, -170.0);
    assert!(s.editor.go_to_bookmark(4).is_err(), "there is no fourth");
    s.key("Shift+3");
    s.tick(0.1);
    let half = s.editor.views[VIEW_3D].yaw_deg.rem_euclid(360.0);
    assert!(
        (170.0..190.0).contains(&half),
        "the short way round: {half}"
    );
    s.tick(0.1);
    s.tick(0.1);
    let view = &s.editor.views[VIEW_3D];
    assert_eq!(
        (view.eye, view.pitch_deg, view.yaw_deg),
        (DVec3::new(10.0, 20.0, 30.0), -10.0, 170.0)
    );
    // Saved among the cameras of the map, before the editor's own panes; its name may grow.
    let index = s.editor.bookmarks()[0].index;
    s.editor.rename_camera(index, "gate");
    assert_eq!(s.editor.bookmarks()[0].name, "3: gate");
    assert_eq!(s.editor.bookmarks()[0].number, Some(3));
    let saved = s.editor.look_to_save();
    assert_eq!(saved.cameras[0].name, "3: gate");
    s.key("Ctrl+Shift+3");
    assert_eq!(s.editor.bookmarks().len(), 1, "the same one again");
    s.editor.remove_camera(index);
    assert!(s.editor.bookmarks().is_empty());
    assert!(s.labels().is_empty(), "no steps");
}

#[test]
fn cam_13_camera_in_2d() {
    let mut s = Session::new(floor_and_crate);
    s.look_from(DVec3::new(0.0, 77.0, 0.0), -20.0, 0.0);
    let pane = 1;
    let flat = s.editor.views[pane].clone();
    let at_point = |point: DVec3| flat.project(point).expect("2D").0;
    // Put with the middle button, aimed by dragging.
    let (from, to) = (
        at_point(DVec3::new(-64.0, 0.0, 32.0)),
        at_point(DVec3::new(64.0, 0.0, 32.0)),
    );
    s.hold(Modifiers::CTRL);
    s.move_to(pane, from);
    let button = Button::Middle;
    s.input(pane, Input::Press { button, at: from });
    s.input(pane, Input::PointerMoved { at: to });
    s.input(pane, Input::Release { button, at: to });
    s.hold(Modifiers::NONE);
    let view = &s.editor.views[VIEW_3D];
    assert!(
        view.eye.distance(DVec3::new(-64.0, 77.0, 32.0)) < 1e-6,
        "{}",
        view.eye
    );
    assert!((view.yaw_deg - -90.0).abs() < 1e-6, "looks along +X");
    assert_eq!(view.pitch_deg, -20.0);
    // Dragged by its eye.
    let button = Button::Left;
    s.input(pane, Input::Press { button, at: from });
    s.input(pane, Input::PointerMoved { at: to });
    s.input(pane, Input::Release { button, at: to });
    let view = &s.editor.views[VIEW_3D];
    assert!(
        view.eye.distance(DVec3::new(64.0, 77.0, 32.0)) < 1e-6,
        "{}",
        view.eye
    );
    let lines = s.editor.overlay(pane).lines;
    assert!(
        lines.iter().any(|line| line.from == view.eye),
        "the eye is drawn with what it sees"
    );
    assert!(s.labels().is_empty());
}

#[test]
fn cam_4_steps_have_bounds_and_may_follow_the_axis() {
    let step = |distance: f64, grid: f64, axis: bool| {
        let mut s = Session::new(|draft| {
            cube(draft, [-64.0, -64.0, -64.0], [64.0, 64.0, 0.0]);
        });
        s.look_from(DVec3::Z * distance, 0.0, 0.0);
        s.editor.set_grid(grid);
        s.editor.settings.dolly_along_axis = axis;
        let at = s.at(VIEW_3D, DVec3::new(2.0, 0.0, 0.0));
        s.input(VIEW_3D, Input::Wheel { notches: 1.0, at });
        DVec3::Z * distance - s.editor.views[VIEW_3D].eye
    };
    assert!((step(20.0, 1.0, false).length() - 8.0).abs() < 1e-6);
    assert!((step(20.0, 16.0, false).length() - 16.0).abs() < 1e-6);
    assert!((step(6000.0, 16.0, false).length() - 512.0).abs() < 1e-6);
    assert!(step(400.0, 16.0, false).x < 0.0, "towards the pointer");
    let along = step(400.0, 16.0, true);
    assert!(along.x == 0.0 && (along.z - 60.0).abs() < 0.01, "{along}");
}

#[test]
fn cam_5_pan_over_nothing_takes_512_and_cam_6_orbits_what_there_is() {
    let mut s = Session::new(floor_and_crate);
    s.look_from(DVec3::new(0.0, 100.0, 0.0), 45.0, 30.0);
    let at = SIZE * 0.5;
    let ahead = |s: &Session, far: f64| {
        let view = &s.editor.views[VIEW_3D];
        view.eye + view.forward() * far
    };
    let (button, to) = (Button::Middle, at + DVec2::new(50.0, 20.0));
    let point = ahead(&s, 512.0);
    s.move_to(VIEW_3D, at);
    s.input(VIEW_3D, Input::Press { button, at });
    s.input(VIEW_3D, Input::PointerMoved { at: to });
    s.input(VIEW_3D, Input::Release { button, at: to });
    assert!(s.at(VIEW_3D, point).distance(to) < 1e-6);
    // Nothing hit: the middle of the selection; without one 256 ahead.
    let button = Button::Right;
    let orbit = |s: &mut Session| {
        s.hold(Modifiers::ALT);
        s.input(VIEW_3D, Input::Press { button, at });
        let pivot = s.editor.orbit_pivot().expect("orbits");
        let delta = DVec2::new(0.0, 10_000.0);
        s.input(VIEW_3D, Input::PointerDelta { delta });
        let pitch = s.editor.views[VIEW_3D].pitch_deg;
        s.input(VIEW_3D, Input::Release { button, at });
        s.hold(Modifiers::NONE);
        assert!(s.editor.take_requests().is_empty(), "no menu");
        (pivot, pitch)
    };
    let expected = ahead(&s, 256.0);
    let (pivot, pitch) = orbit(&mut s);
    assert!(pivot.distance(expected) < 1e-6);
    assert_eq!(pitch.abs(), 89.0, "poles clamp");
    s.look_from(DVec3::new(0.0, 100.0, 0.0), 45.0, 30.0);
    s.select(&[id(CRATE)]);
    assert_eq!(orbit(&mut s).0, s.bounds(id(CRATE)).center());
}
