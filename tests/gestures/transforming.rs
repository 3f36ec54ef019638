//! Turning, scaling, shearing, flipping, exact moves, dropping, gizmo and pivot (MOV-6 to MOV-9, ROT, SCL, SHR, FLP).

use mapwright::assets::Definitions;
use mapwright::document::Contents;
use mapwright::document::Face;
use mapwright::editor::tools::options::OptionValue;
use mapwright::geometry::Plane;

use super::*;

fn shown(s: &Session, number: u32) -> Aabb {
    s.editor
        .state()
        .doc
        .object(id(number))
        .expect("there")
        .bounds()
}

fn entity(draft: &mut Draft, class: &str, origin: [f64; 3]) -> ObjectId {
    draft.insert(Object::new(Kind::Entity(Entity::new(
        class,
        DVec3::from_array(origin),
    ))))
}

fn angles(s: &Session, number: u32) -> DVec3 {
    s.doc().entity(id(number)).expect("entity").angles_deg
}

fn refused(s: &Session) -> String {
    s.editor.status().expect("something is said").text.clone()
}

fn middle_click(s: &mut Session, pane: usize, at: DVec2, modifiers: Modifiers) {
    s.move_to(pane, at);
    s.hold(modifiers);
    let button = Button::Middle;
    s.input(pane, Input::Press { button, at });
    s.input(pane, Input::Release { button, at });
    s.hold(Modifiers::NONE);
}

/// A box of 64 x 32 x 16 whose low corner is the origin.
fn plank(draft: &mut Draft) {
    cube(draft, [0.0, 0.0, 0.0], [64.0, 32.0, 16.0]);
}

#[test]
fn rot_1_quarter_turns() {
    let mut s = Session::new(plank);
    s.select(&[id(1)]);
    let start = s.doc().clone();
    // 3D, looking along -Z: yaw, roll and pitch turn about Y, Z and X.
    s.move_to(VIEW_3D, DVec2::splat(5.0));
    for (first, second, size) in [
        ("Alt+Left", "Alt+Right", DVec3::new(16.0, 32.0, 64.0)),
        ("Alt+Up", "Alt+Down", DVec3::new(32.0, 64.0, 16.0)),
        ("Alt+PgUp", "Alt+PgDn", DVec3::new(64.0, 16.0, 32.0)),
    ] {
        s.key(first);
        assert_eq!(s.bounds(id(1)).size(), size, "{first}");
        s.key(second);
        assert!(s.doc().equals(&start), "{second} turns back, bit for bit");
        for _ in 0..4 {
            s.key(first);
        }
        assert!(s.doc().equals(&start), "four times {first} is nothing");
    }
    assert!(s.labels().iter().all(|label| *label == "Rotate"));
}

#[test]
fn rot_1_clockwise_against_the_axis() {
    // A mark beside the pivot shows the way: the selection is only it and a far twin, so that the middle is the origin.
    let marks = |draft: &mut Draft| {
        cube(draft, [32.0, -16.0, -16.0], [64.0, 16.0, 16.0]);
        cube(draft, [-64.0, -16.0, -16.0], [-32.0, 16.0, 16.0]);
    };
    let after = |pane: usize, key: &str| {
        let mut s = Session::new(marks);
        s.select(&[id(1), id(2)]);
        s.move_to(pane, DVec2::splat(5.0));
        s.key(key);
        s.bounds(id(1)).center()
    };
    // Seen from above, clockwise takes +X (right) to +Z (towards the viewer).
    assert_eq!(after(VIEW_3D, "Alt+Left"), DVec3::new(0.0, 0.0, 48.0));
    assert_eq!(after(VIEW_3D, "Alt+Right"), DVec3::new(0.0, 0.0, -48.0));
    // Seen from the viewer, clockwise takes right to down.
    assert_eq!(after(VIEW_3D, "Alt+Up"), DVec3::new(0.0, -48.0, 0.0));
    assert_eq!(after(FRONT, "Alt+Up"), DVec3::new(0.0, -48.0, 0.0));
    assert_eq!(after(TOP, "Alt+Up"), DVec3::new(0.0, 0.0, 48.0));
    // In the top view up is -Z: seen against it, clockwise takes +X to +Y.
    assert_eq!(after(TOP, "Alt+Left"), DVec3::new(0.0, 48.0, 0.0));
    assert_eq!(
        after(TOP, "Alt+PgUp"),
        DVec3::new(48.0, 0.0, 0.0),
        "about its own axis"
    );
}

#[test]
fn rot_1_entities_face_along() {
    let mut s = Session::new(|draft| {
        entity(draft, "info_player_start", [0.0, 32.0, 0.0]);
    });
    s.select(&[id(1)]);
    s.move_to(VIEW_3D, DVec2::splat(5.0));
    s.key("Alt+Right");
    assert_eq!(angles(&s, 1), DVec3::new(0.0, 90.0, 0.0));
    s.editor.run("transform.turn_entities").expect("a switch");
    s.key("Alt+Right");
    assert_eq!(angles(&s, 1), DVec3::new(0.0, 90.0, 0.0), "switched off");
    s.editor.run("transform.turn_entities").expect("a switch");
    s.key("Alt+PgUp");
    s.key("Alt+PgUp");
    let forward = s.doc().entity(id(1)).expect("entity").forward();
    assert!(
        forward.distance(DVec3::NEG_X) < 1e-6,
        "half a turn about X: {forward}"
    );
}

#[test]
fn rot_3_classes_turn_as_far_as_they_can() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.fgd");
    std::fs::write(
        &path,
        "@PointClass = item_box : \"Box\" []\n\
         @PointClass = monster : \"Monster\" [ angle(integer) : \"Direction\" : 0 ]\n\
         @PointClass = prop : \"Prop\" [ angles(string) : \"Directions\" : \"0 0 0\" ]\n",
    )
    .expect("written");
    let settings = Settings {
        definitions: vec![path.clone()],
        ..Settings::default()
    };
    assert_eq!(Definitions::load(&[path]).problems(), []);
    let mut s = Session::with_settings(settings, |draft| {
        for class in ["item_box", "monster", "prop", "unknown"] {
            entity(draft, class, [0.0, 0.0, 0.0]);
        }
    });
    s.select(&[id(1), id(2), id(3), id(4)]);
    s.move_to(VIEW_3D, DVec2::splat(5.0));
    s.key("Alt+Right");
    s.key("Alt+Down");
    let straight = |angles: DVec3| {
        let turned = mapwright::geometry::rotation_from_angles_deg(angles) * DVec3::NEG_Z;
        turned.map(f64::round)
    };
    assert_eq!(angles(&s, 1), DVec3::ZERO, "it faces nowhere");
    assert_eq!((angles(&s, 2).x, angles(&s, 2).z), (0.0, 0.0), "only yaw");
    assert_eq!(straight(angles(&s, 3)), DVec3::NEG_Y, "R' = Q R");
    assert_eq!(angles(&s, 3).z, 0.0, "straight down there is no roll");
    assert_eq!(
        angles(&s, 3),
        angles(&s, 4),
        "classes nobody knows have all angles"
    );
}

#[test]
fn rot_2_a_ring_is_dragged() {
    let mut s = Session::new(plank);
    s.select(&[id(1)]);
    s.move_to(TOP, DVec2::splat(5.0));
    s.key("R");
    assert_eq!(s.editor.tool(), ToolKind::Rotate);
    let pivot = s.editor.pivot();
    assert_eq!(pivot, DVec3::new(32.0, 16.0, 16.0));
    let center = s.at(TOP, pivot);
    let on_ring = |deg: f64| {
        let (sin, cos) = deg.to_radians().sin_cos();
        // Counter-clockwise on screen, which is about +Y seen from above.
        center + DVec2::new(cos, -sin) * 84.0
    };
    s.press(TOP, on_ring(0.0));
    s.move_to(TOP, on_ring(50.0));
    assert_eq!(s.editor.readout().expect("angle").text, "45 deg");
    s.hold(Modifiers::CTRL);
    assert_eq!(s.editor.readout().expect("angle").text, "50 deg");
    s.hold(Modifiers::SHIFT);
    assert_eq!(s.editor.readout().expect("angle").text, "90 deg");
    assert_eq!(shown(&s, 1).size(), DVec3::new(16.0, 32.0, 64.0));
    s.hold(Modifiers::NONE);
    // Beyond half a turn the angle goes on.
    for deg in [120.0, 170.0, 230.0, 270.0] {
        s.move_to(TOP, on_ring(deg));
    }
    assert_eq!(s.editor.readout().expect("angle").text, "270 deg");
    for deg in [170.0, 90.0, 0.0] {
        s.move_to(TOP, on_ring(deg));
    }
    s.release(TOP, on_ring(0.0));
    assert!(s.labels().is_empty(), "there and back is no step");
    // Typed.
    s.press(TOP, on_ring(0.0));
    s.move_to(TOP, on_ring(20.0));
    for key in ["9", "0", "Enter"] {
        s.key(key);
    }
    s.release(TOP, on_ring(20.0));
    assert_eq!(s.labels(), ["Rotate"]);
    assert_eq!(s.bounds(id(1)).size(), DVec3::new(16.0, 32.0, 64.0));
}

#[test]
fn rot_2_rings_in_3d() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(VIEW_3D, DVec2::splat(5.0));
    s.key("R");
    let pivot = s.editor.pivot();
    let view = &s.editor.views[VIEW_3D];
    let radius = view.units_per_point(pivot) * 84.0;
    // The ring about Y, at its right and a little on: a step there turns the crate.
    let at = |s: &Session, deg: f64| {
        let (sin, cos) = f64::to_radians(deg).sin_cos();
        s.at(VIEW_3D, pivot + DVec3::new(cos, 0.0, -sin) * radius)
    };
    let (from, to) = (at(&s, -30.0), at(&s, 15.0));
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    assert_eq!(s.editor.readout().expect("angle").text, "45 deg");
    assert!((shown(&s, CRATE).size().x - 64.0 * 2f64.sqrt()).abs() < 1e-6);
    s.release(VIEW_3D, to);
    assert_eq!(s.labels(), ["Rotate"]);
    // Fields: an angle, an axis, Apply; the keys take the same angle.
    s.key("Ctrl+Z");
    s.editor.set_tool_option("angle", OptionValue::Number(90.0));
    s.editor.set_tool_option("axis", OptionValue::Index(0));
    let start = s.doc().clone();
    for _ in 0..4 {
        s.editor.set_tool_option("apply", OptionValue::Press);
    }
    assert!(s.doc().equals(&start), "4 x 90 deg is exact");
    s.editor.set_tool_option("angle", OptionValue::Number(15.0));
    s.key("Alt+Left");
    let size = s.bounds(id(CRATE)).size().x;
    let expected = 64.0 * (15f64.to_radians().cos() + 15f64.to_radians().sin());
    assert!((size - expected).abs() < 0.01, "{size} {expected}");
    s.key("Enter");
    assert_eq!(s.labels().len(), 6);
    // The middle moves the pivot; Esc puts it back.
    let middle = s.at(VIEW_3D, s.editor.pivot());
    let aside = s.at(VIEW_3D, s.editor.pivot() + DVec3::X * 64.0);
    s.press(VIEW_3D, middle);
    s.move_to(VIEW_3D, aside);
    assert_eq!(s.editor.pivot, Some(pivot + DVec3::X * 64.0));
    s.key("Esc");
    assert_eq!(s.editor.pivot, None);
    s.release(VIEW_3D, aside);
    s.drag(
        VIEW_3D,
        s.editor.pivot(),
        s.editor.pivot() + DVec3::X * 64.0,
        Modifiers::NONE,
    );
    assert_eq!(s.editor.pivot, Some(pivot + DVec3::X * 64.0));
    assert_eq!(s.labels().len(), 6, "a pivot is no step");
}

#[test]
fn rot_2_a_whole_turn_far_out() {
    let mut s = Session::new(|draft| {
        let planes = [
            DVec3::X,
            DVec3::NEG_X,
            DVec3::Y,
            DVec3::NEG_Y,
            DVec3::Z,
            DVec3::NEG_Z,
            DVec3::ONE.normalize(),
        ];
        let at = DVec3::new(4096.0, -4096.0, 4032.0);
        let faces = planes
            .map(|normal| Face::new(Plane::new(normal, normal.dot(at) + 48.0), None))
            .to_vec();
        let brush = Brush::solid(Contents::SOLID, faces).expect("solid");
        draft.insert(Object::new(Kind::Brush(brush)));
    });
    let points = |s: &Session| -> Vec<DVec3> {
        let brush = s
            .doc()
            .object(id(1))
            .and_then(Object::brush)
            .expect("brush");
        brush.hull().points().to_vec()
    };
    s.select(&[id(1)]);
    let before = points(&s);
    s.editor.pivot = Some(DVec3::new(4064.0, -4000.0, 4000.0));
    s.move_to(VIEW_3D, DVec2::splat(5.0));
    s.key("R");
    for axis in 0..3 {
        s.editor.set_tool_option("axis", OptionValue::Index(axis));
        for _ in 0..24 {
            s.key("Enter");
        }
        for then in &before {
            let off = points(&s)
                .iter()
                .map(|now| now.distance(*then))
                .fold(f64::INFINITY, f64::min);
            assert!(off < 0.005, "axis {axis}: {off}");
        }
    }
}

#[test]
fn scl_1_sides_edges_corners() {
    let mut s = Session::new(plank);
    s.select(&[id(1)]);
    s.move_to(VIEW_3D, DVec2::splat(5.0));
    s.key("T");
    s.look_from(DVec3::new(150.0, 140.0, 160.0), -35.0, 45.0);
    let dragged = |s: &mut Session, from: [f64; 3], to: [f64; 3], modifiers: Modifiers| {
        let (from, to) = (
            s.at(VIEW_3D, DVec3::from_array(from)),
            s.at(VIEW_3D, DVec3::from_array(to)),
        );
        s.press(VIEW_3D, from);
        s.move_to(VIEW_3D, to);
        s.hold(modifiers);
        let shown = shown(s, 1);
        let readout = s.editor.readout().expect("factors");
        s.key("Esc");
        s.hold(Modifiers::NONE);
        s.release(VIEW_3D, to);
        (shown, readout)
    };
    let side = [64.0, 16.0, 8.0];
    let (found, _) = dragged(&mut s, side, [93.0, 16.0, 8.0], Modifiers::NONE);
    assert_eq!(
        (found.min, found.max),
        (DVec3::ZERO, DVec3::new(96.0, 32.0, 16.0))
    );
    let (found, _) = dragged(&mut s, side, [93.0, 16.0, 8.0], Modifiers::ALT);
    assert_eq!(
        (found.min.x, found.max.x),
        (-32.0, 96.0),
        "about the middle"
    );
    let (found, _) = dragged(&mut s, side, [126.0, 16.0, 8.0], Modifiers::SHIFT);
    assert_eq!(found.size(), DVec3::new(128.0, 64.0, 32.0), "in proportion");
    assert_eq!(found.min.x, 0.0);
    // Never through zero: one grid cell stays.
    let (found, readout) = dragged(&mut s, side, [-80.0, 16.0, 8.0], Modifiers::NONE);
    assert_eq!(found.size().x, 16.0);
    assert!(readout.refused, "{}", readout.text);
    // An edge scales two in proportion, a corner three.
    let (found, _) = dragged(
        &mut s,
        [64.0, 32.0, 8.0],
        [126.0, 63.0, 8.0],
        Modifiers::NONE,
    );
    assert_eq!(found.size(), DVec3::new(128.0, 64.0, 16.0));
    let (found, readout) = dragged(
        &mut s,
        [64.0, 32.0, 16.0],
        [126.0, 63.0, 31.5],
        Modifiers::NONE,
    );
    assert_eq!(found.size(), DVec3::new(128.0, 64.0, 32.0));
    assert!(
        readout.text.starts_with("2.00, 2.00, 2.00"),
        "{}",
        readout.text
    );
    assert!(s.labels().is_empty());
}

#[test]
fn scl_1_in_2d_and_by_numbers() {
    let mut s = Session::new(|draft| {
        cube(draft, [3.0, 0.0, 5.0], [67.0, 32.0, 21.0]);
        entity(draft, "light", [35.0, 16.0, 13.0]);
    });
    s.select(&[id(1), id(2)]);
    s.move_to(TOP, DVec2::splat(5.0));
    s.key("T");
    let corner = s.at(TOP, DVec3::new(67.0, 0.0, 21.0));
    s.press(TOP, corner);
    s.move_to(TOP, corner + DVec2::new(30.0, 41.0));
    assert_eq!(
        shown(&s, 1).max,
        DVec3::new(96.0, 32.0, 64.0),
        "each side on the grid"
    );
    assert_eq!(shown(&s, 1).min, DVec3::new(3.0, 0.0, 5.0));
    for key in ["2", ",", "3"] {
        s.key(key);
    }
    assert_eq!(
        shown(&s, 1).size(),
        DVec3::new(128.0, 32.0, 48.0),
        "typed factors"
    );
    s.key("Enter");
    s.release(TOP, corner);
    assert_eq!(s.labels(), ["Scale"]);
    assert_eq!(
        s.doc().entity(id(2)).expect("light").origin,
        DVec3::new(67.0, 16.0, 29.0)
    );
    assert_eq!(angles(&s, 2), DVec3::ZERO);
    s.editor
        .set_tool_option("size", OptionValue::Typed(0, "64".to_owned()));
    assert_eq!(s.bounds(id(1)).size(), DVec3::new(64.0, 32.0, 48.0));
    s.editor
        .set_tool_option("factor", OptionValue::Vector(DVec3::new(1.0, 2.0, 1.0)));
    assert_eq!(s.bounds(id(1)).size().y, 64.0);
    let steps = s.labels().len();
    s.editor
        .set_tool_option("size", OptionValue::Typed(0, "-4".to_owned()));
    assert!(refused(&s).contains("above zero"));
    assert_eq!(s.labels().len(), steps);
}

#[test]
fn scl_1_without_snapping_something_is_left() {
    let mut s = Session::new(plank);
    s.select(&[id(1)]);
    s.key("Alt+0");
    s.move_to(TOP, DVec2::splat(5.0));
    s.key("T");
    let from = s.at(TOP, DVec3::new(64.0, 0.0, 8.0));
    let to = from - DVec2::X * 100.0;
    s.press(TOP, from);
    s.move_to(TOP, to);
    assert!(s.editor.readout().expect("factors").refused);
    s.release(TOP, to);
    assert_eq!(s.labels(), ["Scale"]);
    assert_eq!(s.bounds(id(1)).size().x, 1.0 / 64.0);
}

#[test]
fn shr_1_sides_slide() {
    let mut s = Session::new(plank);
    s.select(&[id(1)]);
    s.move_to(FRONT, DVec2::splat(5.0));
    s.key("G");
    assert_eq!(s.editor.tool(), ToolKind::Shear);
    let (from, to) = (
        s.at(FRONT, DVec3::new(32.0, 32.0, 0.0)),
        s.at(FRONT, DVec3::new(53.0, 40.0, 0.0)),
    );
    s.press(FRONT, from);
    s.move_to(FRONT, to);
    s.release(FRONT, to);
    assert_eq!(s.labels(), ["Shear"]);
    let points = |s: &Session| -> Vec<DVec3> {
        let brush = s
            .doc()
            .object(id(1))
            .and_then(Object::brush)
            .expect("brush");
        assert_eq!(brush.faces().len(), 6);
        brush.hull().points().to_vec()
    };
    let has = |s: &Session, point: [f64; 3]| points(s).contains(&DVec3::from_array(point));
    assert!(
        has(&s, [16.0, 32.0, 0.0]) && has(&s, [80.0, 32.0, 16.0]),
        "{:?}",
        points(&s)
    );
    assert!(
        has(&s, [0.0, 0.0, 0.0]) && has(&s, [64.0, 0.0, 16.0]),
        "the other side stays"
    );
    s.key("Ctrl+Z");
    // In 3D: the side that looks along X goes along Z, with Alt along Y.
    s.move_to(VIEW_3D, DVec2::splat(5.0));
    s.look_from(DVec3::new(250.0, 140.0, 160.0), -25.0, 55.0);
    let side = DVec3::new(64.0, 16.0, 8.0);
    let (from, to) = (s.at(VIEW_3D, side), s.at(VIEW_3D, side + DVec3::Z * 30.0));
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    assert_eq!(shown(&s, 1).max, DVec3::new(64.0, 32.0, 48.0));
    assert_eq!(s.editor.readout().expect("shift").text, "0, 0, +32");
    s.hold(Modifiers::ALT);
    s.move_to(VIEW_3D, s.at(VIEW_3D, side + DVec3::new(0.0, 47.0, 30.0)));
    assert_eq!(shown(&s, 1).max.z, 16.0);
    assert!(shown(&s, 1).max.y > 64.0);
    for key in ["4", "0"] {
        s.key(key);
    }
    s.hold(Modifiers::NONE);
    s.key("Esc");
    s.key("Esc");
    s.release(VIEW_3D, to);
    assert!(s.labels().is_empty());
    // Top and bottom go both ways, never up.
    s.look_from(DVec3::new(60.0, 260.0, 120.0), -60.0, 10.0);
    let top = DVec3::new(32.0, 32.0, 8.0);
    let (from, to) = (
        s.at(VIEW_3D, top),
        s.at(VIEW_3D, top + DVec3::new(17.0, 0.0, -30.0)),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    assert_eq!(
        shown(&s, 1),
        Aabb::new(DVec3::new(0.0, 0.0, -32.0), DVec3::new(80.0, 32.0, 16.0))
    );
    s.hold(Modifiers::ALT);
    assert_eq!(shown(&s, 1).max.y, 32.0);
    s.hold(Modifiers::NONE);
    s.release(VIEW_3D, to);
    assert_eq!(s.labels(), ["Shear"]);
}

#[test]
fn flp_1_keys() {
    let mut s = Session::new(|draft| {
        plank(draft);
        entity(draft, "info_player_start", [96.0, 0.0, 0.0]);
    });
    let start = s.doc().clone();
    s.select(&[id(1), id(2)]);
    s.move_to(VIEW_3D, DVec2::splat(5.0));
    for key in ["Ctrl+F", "Ctrl+Alt+F"] {
        let pivot = s.editor.pivot();
        let axis = usize::from(key == "Ctrl+Alt+F");
        let before = s.bounds(id(1));
        s.key(key);
        let after = s.bounds(id(1));
        assert_eq!(
            after.min[axis],
            2.0 * pivot[axis] - before.max[axis],
            "{key}"
        );
        assert_eq!(s.labels().last(), Some(&"Flip"));
        s.key("Ctrl+Z");
        s.key(key);
        s.key(key);
        assert!(
            s.doc().equals(&start),
            "twice {key} is nothing, bit for bit"
        );
    }
    s.move_to(TOP, DVec2::splat(5.0));
    s.key("Ctrl+Alt+F");
    assert_eq!(s.bounds(id(1)).size(), DVec3::new(64.0, 32.0, 16.0));
    assert!(s.bounds(id(1)).min.z != 0.0, "up in the top view is -Z");
}

#[test]
fn mov_6_exact() {
    let mut s = Session::new(plank);
    s.select(&[id(1)]);
    let start = s.doc().clone();
    s.move_to(TOP, DVec2::splat(5.0));
    s.key("Ctrl+Alt+M");
    assert_eq!(s.editor.tool(), ToolKind::Exact);
    let set = |s: &mut Session, id: &'static str, axis: usize, text: &str| {
        s.editor
            .set_tool_option(id, OptionValue::Typed(axis, text.to_owned()));
    };
    set(&mut s, "move", 0, "16*3");
    assert_eq!(shown(&s, 1).min.x, 48.0, "live");
    assert!(s.doc().same(&start));
    s.key("Esc");
    assert_eq!(shown(&s, 1).min.x, 0.0, "dropped");
    assert_eq!(s.editor.tool(), ToolKind::Exact);
    set(&mut s, "move", 0, "10.5");
    set(&mut s, "turn", 1, "90");
    set(&mut s, "scale", 0, "2");
    s.key("Enter");
    assert_eq!(s.labels(), ["Move exactly"], "one step");
    assert_eq!(s.editor.tool(), ToolKind::Select);
    assert_eq!(s.bounds(id(1)).size(), DVec3::new(16.0, 32.0, 128.0));
    assert_eq!(s.bounds(id(1)).center().x, 32.0 + 10.5 - 8.0);
    s.key("Ctrl+Z");
    assert!(s.doc().same(&start));
    // To a position: the pivot goes there. Numbers can be typed without touching a field.
    s.key("Ctrl+Alt+M");
    s.editor.set_tool_option("way", OptionValue::Index(1));
    let pivot = s.editor.pivot();
    set(&mut s, "move", 2, "100");
    assert_eq!(shown(&s, 1).min.z, 100.0 - pivot.z);
    for key in ["6", "4", ",", "8"] {
        s.key(key);
    }
    assert_eq!(
        shown(&s, 1).min,
        DVec3::new(64.0, 8.0, 0.0) - DVec3::new(pivot.x, pivot.y, 0.0)
    );
    s.key("Enter");
    assert_eq!(s.labels(), ["Move exactly"]);
    let min = s.bounds(id(1)).min;
    assert_eq!(min, DVec3::new(64.0 - pivot.x, 8.0 - pivot.y, 0.0));
    set(&mut s, "scale", 0, "-1");
    assert!(refused(&s).contains("above zero"));
    // Undo drops what is prepared first.
    set(&mut s, "move", 0, "500");
    s.key("Ctrl+Z");
    assert_eq!(shown(&s, 1).min, min);
    s.key("Ctrl+Z");
    assert!(s.doc().same(&start));
}

#[test]
fn mov_7_drop() {
    let mut s = Session::new(|draft| {
        cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
        cube(draft, [-32.0, 100.0, -32.0], [32.0, 164.0, 32.0]);
        cube(draft, [0.0, 300.0, 0.0], [64.0, 332.0, 64.0]);
        // A roof that slopes up along X from y = 40 at x = 200.
        let planes = [
            Plane::new(DVec3::new(-1.0, 1.0, 0.0).normalize(), -160.0 / 2f64.sqrt()),
            Plane::new(DVec3::NEG_Y, 0.0),
            Plane::new(DVec3::X, 300.0),
            Plane::new(DVec3::NEG_X, -200.0),
            Plane::new(DVec3::Z, 64.0),
            Plane::new(DVec3::NEG_Z, 64.0),
        ];
        let faces = planes.map(|plane| Face::new(plane, None)).to_vec();
        let roof = Brush::solid(Contents::SOLID, faces).expect("solid");
        draft.insert(Object::new(Kind::Brush(roof)));
        cube(draft, [220.0, 400.0, -8.0], [236.0, 416.0, 8.0]);
        entity(draft, "light", [400.0, 90.0, 0.0]);
        cube(draft, [5000.0, 50.0, 0.0], [5016.0, 66.0, 16.0]);
    });
    s.select(&[id(2), id(3), id(5), id(6)]);
    s.key("End");
    assert_eq!(s.labels(), ["Drop"], "one step");
    assert_eq!(s.bounds(id(2)).min.y, 0.0);
    assert_eq!(
        s.bounds(id(3)).min.y,
        64.0,
        "it lands on the one that fell before it"
    );
    let resting = s.bounds(id(5)).min.y;
    assert!(
        (resting - 76.0).abs() < 0.01,
        "on the highest place of the roof under it: {resting}"
    );
    assert_eq!(
        s.doc().entity(id(6)).expect("light").origin.y,
        8.0,
        "by its box"
    );
    s.key("End");
    assert!(
        refused(&s).contains("nothing solid below"),
        "{}",
        refused(&s)
    );
    assert_eq!(s.labels().len(), 1);
    s.select(&[id(7)]);
    s.key("End");
    assert!(refused(&s).contains("nothing solid below"));
    s.select(&[id(1)]);
    s.key("Shift+End");
    assert!(s.labels().len() == 1, "what lies on it already touches");
}

#[test]
fn mov_7_drop_up_and_align() {
    let mut s = Session::new(|draft| {
        cube(draft, [-64.0, 200.0, -64.0], [64.0, 216.0, 64.0]);
        cube(draft, [-16.0, 0.0, -16.0], [16.0, 32.0, 16.0]);
        let planes = [
            Plane::new(DVec3::new(-1.0, 1.0, 0.0).normalize(), -160.0 / 2f64.sqrt()),
            Plane::new(DVec3::NEG_Y, 0.0),
            Plane::new(DVec3::X, 300.0),
            Plane::new(DVec3::NEG_X, -200.0),
            Plane::new(DVec3::Z, 64.0),
            Plane::new(DVec3::NEG_Z, 64.0),
        ];
        let faces = planes.map(|plane| Face::new(plane, None)).to_vec();
        let roof = Brush::solid(Contents::SOLID, faces).expect("solid");
        draft.insert(Object::new(Kind::Brush(roof)));
        entity(draft, "info_target", [250.0, 200.0, 0.0]);
    });
    s.select(&[id(2)]);
    s.key("Shift+End");
    assert_eq!(s.bounds(id(2)).max.y, 200.0);
    s.select(&[id(4)]);
    s.key("Alt+End");
    let landed = s.doc().entity(id(4)).expect("target");
    let up = landed.rotation() * DVec3::Y;
    assert!(
        up.distance(DVec3::new(-1.0, 1.0, 0.0).normalize()) < 1e-6,
        "{up}"
    );
    let foot = landed.origin - up * 8.0;
    assert!(
        (foot - DVec3::new(250.0, 90.0, 0.0)).length() < 0.01,
        "{foot}"
    );
    assert_eq!(s.labels(), ["Drop", "Drop"]);
}

#[test]
fn mov_8_gizmo() {
    let mut s = Session::new(plank);
    s.select(&[id(1)]);
    s.move_to(FRONT, DVec2::splat(5.0));
    let quiet = s.editor.overlay(FRONT).lines.len();
    s.key("J");
    assert!(s.editor.overlay(FRONT).lines.len() > quiet, "shown");
    let center = s.at(FRONT, s.editor.pivot());
    let dragged = |s: &mut Session, from: DVec2, by: DVec2| {
        s.press(FRONT, from);
        s.move_to(FRONT, from + by);
        s.release(FRONT, from + by);
        let bounds = s.bounds(id(1));
        let label = s.labels().last().copied();
        s.key("Ctrl+Z");
        (bounds, label)
    };
    let (bounds, label) = dragged(
        &mut s,
        center + DVec2::new(40.0, 0.0),
        DVec2::new(37.0, 25.0),
    );
    assert_eq!(
        (bounds.min, label),
        (DVec3::new(32.0, 0.0, 0.0), Some("Move")),
        "one axis only"
    );
    let (bounds, label) = dragged(
        &mut s,
        center + DVec2::new(0.0, -108.0),
        DVec2::new(0.0, -110.0),
    );
    assert_eq!(
        (bounds.size(), label),
        (DVec3::new(64.0, 64.0, 16.0), Some("Scale"))
    );
    let on_ring = DVec2::new(60f64.to_radians().cos(), -60f64.to_radians().sin()) * 84.0;
    let quarter = DVec2::new(on_ring.y, -on_ring.x);
    let (bounds, label) = dragged(&mut s, center + on_ring, quarter - on_ring);
    assert_eq!(
        (bounds.size(), label),
        (DVec3::new(32.0, 64.0, 16.0), Some("Rotate"))
    );
    // Direct dragging stays.
    let (bounds, label) = dragged(
        &mut s,
        center + DVec2::new(-25.0, 13.0),
        DVec2::new(16.0, 0.0),
    );
    assert_eq!((bounds.min.x, label), (16.0, Some("Move")));
    // Local axes: the brush turned by 30 degrees moves along itself.
    s.editor.pivot = None;
    s.key("R");
    s.editor.set_tool_option("angle", OptionValue::Number(30.0));
    s.editor.set_tool_option("axis", OptionValue::Index(2));
    s.key("Enter");
    s.key("Esc");
    s.editor.run("transform.local_axes").expect("a switch");
    let axes = s.editor.gizmo_axes().expect("shown");
    let along = DVec3::new(30f64.to_radians().cos(), 0.5, 0.0);
    assert!(axes.x_axis.distance(along) < 1e-5, "{axes}");
    let before = s.bounds(id(1)).center();
    let arm = center + DVec2::new(along.x, -along.y) * 40.0;
    s.press(FRONT, arm);
    s.move_to(FRONT, arm + DVec2::new(along.x, -along.y) * 33.0);
    s.release(FRONT, arm + DVec2::new(along.x, -along.y) * 33.0);
    s.key("J");
    assert_eq!(s.editor.gizmo_axes(), None);
    let moved = s.bounds(id(1)).center() - before;
    assert!(moved.distance(along * 32.0) < 1e-3, "{moved}");
}

#[test]
fn mov_9_pivot() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let shift = Modifiers::SHIFT;
    let vertex = s.at(VIEW_3D, DVec3::new(32.0, 64.0, 32.0));
    middle_click(&mut s, VIEW_3D, vertex + DVec2::new(3.0, 2.0), shift);
    assert_eq!(
        s.editor.pivot,
        Some(DVec3::new(32.0, 64.0, 32.0)),
        "a vertex"
    );
    assert!(s.labels().is_empty());
    let marked = s.editor.overlay(VIEW_3D).lines.len();
    middle_click(&mut s, VIEW_3D, vertex, shift);
    assert_eq!(s.editor.pivot, None, "again: the middle of the selection");
    assert!(
        s.editor.overlay(VIEW_3D).lines.len() < marked,
        "shown while it is set"
    );
    assert_eq!(s.editor.pivot(), DVec3::new(0.0, 32.0, 0.0));
    let on_floor = s.at(VIEW_3D, DVec3::new(117.0, 0.0, 60.0));
    middle_click(&mut s, VIEW_3D, on_floor, shift);
    assert_eq!(
        s.editor.pivot,
        Some(DVec3::new(112.0, 0.0, 64.0)),
        "the surface, on the grid"
    );
    s.key("Alt+Left");
    assert_eq!(
        s.bounds(id(CRATE)).center(),
        DVec3::new(112.0 + 64.0, 32.0, 64.0 - 112.0),
        "turned about it"
    );
    s.key("Ctrl+F");
    assert_eq!(s.bounds(id(CRATE)).center().x, 112.0 - 64.0);
    // Without Shift the middle button pans and sets nothing.
    let pivot = s.editor.pivot;
    middle_click(&mut s, VIEW_3D, vertex, Modifiers::NONE);
    assert_eq!(s.editor.pivot, pivot);
    let sky = DVec2::new(400.0, 2.0);
    middle_click(&mut s, VIEW_3D, sky, shift);
    assert!(refused(&s).contains("nothing here"));
    let aside = s.at(TOP, DVec3::new(200.0, 0.0, 205.0));
    middle_click(&mut s, TOP, aside, shift);
    assert_eq!(
        s.editor.pivot,
        Some(DVec3::new(208.0, 0.0, 208.0)),
        "2D keeps its depth"
    );
}

#[test]
fn transforms_say_what_is_missing() {
    let mut s = Session::new(floor_and_crate);
    for key in ["R", "T", "G"] {
        s.key(key);
        s.drag(TOP, DVec3::ZERO, DVec3::X * 50.0, Modifiers::NONE);
        assert!(refused(&s).contains("Select objects first"), "{key}");
        s.key(key);
        assert_eq!(s.editor.tool(), ToolKind::Select, "{key} again leaves");
    }
    s.select(&[id(CRATE)]);
    for key in ["R", "T", "G"] {
        s.key(key);
        s.drag(
            TOP,
            DVec3::splat(300.0),
            DVec3::splat(350.0),
            Modifiers::NONE,
        );
        assert!(
            refused(&s).starts_with("Drag one of"),
            "{key}: {}",
            refused(&s)
        );
        s.key("Esc");
    }
    assert!(s.labels().is_empty());
}

/// The crate with its top corners picked.
fn with_top_picked() -> Session {
    let mut s = Session::new(floor_and_crate);
    let brush = s
        .doc()
        .object(id(CRATE))
        .and_then(Object::brush)
        .expect("brush");
    let tops: Vec<Pick> = brush
        .hull()
        .points()
        .iter()
        .enumerate()
        .filter(|(_, point)| point.y == 64.0)
        .map(|(index, _)| Pick::Vertex(id(CRATE), index as u32))
        .collect();
    assert_eq!(tops.len(), 4);
    let mut picks: Selection = tops.into_iter().collect();
    picks.insert(Pick::Object(id(CRATE)));
    s.editor.set_tool(ToolKind::Vertex);
    s.editor.select(picks);
    s
}

#[test]
fn vtx_5_tools_transform_the_picked_handles() {
    let mut s = with_top_picked();
    let points = |s: &Session| -> Vec<DVec3> {
        let brush = s
            .doc()
            .object(id(CRATE))
            .and_then(Object::brush)
            .expect("brush");
        brush.hull().points().to_vec()
    };
    let bottom = [(-32.0, -32.0), (32.0, -32.0), (32.0, 32.0), (-32.0, 32.0)];
    let bottom_stays = |s: &Session| {
        bottom
            .iter()
            .all(|&(x, z)| points(s).contains(&DVec3::new(x, 0.0, z)))
    };
    s.move_to(TOP, DVec2::splat(5.0));
    s.key("R");
    assert_eq!(
        s.editor.pivot(),
        DVec3::new(0.0, 64.0, 0.0),
        "the middle of the handles"
    );
    s.editor.set_tool_option("angle", OptionValue::Number(45.0));
    s.key("Enter");
    assert_eq!(s.labels(), ["Rotate"]);
    assert!(bottom_stays(&s));
    let reach = 32.0 * 2f64.sqrt();
    assert!(
        points(&s)
            .iter()
            .any(|point| point.distance(DVec3::new(reach, 64.0, 0.0)) < 0.01),
        "{:?}",
        points(&s)
    );
    let picked = s
        .editor
        .selection()
        .iter()
        .filter(|pick| matches!(pick, Pick::Vertex(..)))
        .count();
    assert_eq!(picked, 4, "the same handles stay picked");
    s.key("Ctrl+Z");
    s.key("T");
    let corner = s.at(TOP, DVec3::new(32.0, 64.0, 32.0));
    s.press(TOP, corner);
    let middle = s.at(TOP, DVec3::new(0.0, 64.0, 0.0));
    s.move_to(TOP, middle);
    s.release(TOP, middle);
    assert_eq!(s.labels(), ["Scale"]);
    assert!(bottom_stays(&s) && points(&s).contains(&DVec3::new(0.0, 64.0, 0.0)));
    assert!(points(&s).contains(&DVec3::new(-32.0, 64.0, -32.0)));
    s.key("Esc");
    assert_eq!(s.editor.tool(), ToolKind::Select);
}

#[test]
fn vtx_5_handles_keep_their_brush_convex() {
    let mut s = with_top_picked();
    s.move_to(FRONT, DVec2::splat(5.0));
    s.key("Ctrl+Alt+M");
    s.editor
        .set_tool_option("move", OptionValue::Typed(1, "-64".to_owned()));
    assert!(!refused(&s).is_empty(), "nothing would be left");
    s.key("Enter");
    assert!(s.labels().is_empty());
    s.editor
        .set_tool_option("move", OptionValue::Typed(1, "-32".to_owned()));
    s.key("Enter");
    assert_eq!(s.labels(), ["Move exactly"]);
    assert_eq!(s.bounds(id(CRATE)).max.y, 32.0);
    assert_eq!(s.bounds(id(CRATE)).min.y, 0.0);
}

#[test]
fn tools_name_what_is_missing_beside_the_pointer_too() {
    let mut s = Session::new(floor_and_crate);
    for (key, word) in [
        ("R", "Select objects"),
        ("T", "Select objects"),
        ("G", "Select objects"),
        ("V", "brush or mesh"),
        ("E", "brush or mesh"),
        ("F", "brush or mesh"),
    ] {
        s.move_to(TOP, DVec2::splat(5.0));
        s.key(key);
        let at = s.at(TOP, ON_FLOOR);
        s.press(TOP, at);
        s.move_to(TOP, at + DVec2::splat(40.0));
        assert!(refused(&s).contains(word), "{key}: {}", refused(&s));
        if let Some(readout) = s.editor.readout() {
            assert!(
                readout.refused && readout.text.contains(word),
                "{key}: {}",
                readout.text
            );
        }
        s.release(TOP, at + DVec2::splat(40.0));
        s.key("Shift+Esc");
        s.now_s += 10.0;
    }
    assert!(s.labels().is_empty());
}

#[test]
fn vtx_5_the_shear_tool_shears_the_picked_handles() {
    let mut s = with_top_picked();
    s.move_to(TOP, DVec2::splat(5.0));
    s.key("G");
    assert_eq!(s.editor.tool(), ToolKind::Shear);
    let (from, to) = (
        s.at(TOP, DVec3::new(0.0, 64.0, 32.0)),
        s.at(TOP, DVec3::new(17.0, 64.0, 32.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, from.lerp(to, 0.5));
    s.move_to(TOP, to);
    s.release(TOP, to);
    assert_eq!(s.labels(), ["Shear"]);
    let brush = s.doc().object(id(CRATE)).and_then(Object::brush);
    let points = brush.expect("brush").hull().points();
    for (x, y, z) in [
        // The dragged side of the top, the opposite one, and the bottom.
        (48.0, 64.0, 32.0),
        (-16.0, 64.0, 32.0),
        (32.0, 64.0, -32.0),
        (-32.0, 64.0, -32.0),
        (32.0, 0.0, 32.0),
        (-32.0, 0.0, -32.0),
    ] {
        let wanted = DVec3::new(x, y, z);
        assert!(points.contains(&wanted), "{wanted}: {points:?}");
    }
}
