//! Inset, sweep, bridge (EXT-5).

use super::*;
use mapwright::editor::tools::options::OptionValue;
use proptest::prelude::*;

fn brush(s: &Session, id: ObjectId) -> &Brush {
    s.doc().object(id).and_then(Object::brush).expect("brush")
}

fn volume(s: &Session, from: u32) -> f64 {
    s.doc()
        .objects()
        .filter(|(id, _)| id.get() >= from)
        .map(|(_, object)| object.brush().expect("brush").hull().volume())
        .sum()
}

/// The face of a brush that looks this way.
fn face_towards(s: &Session, id: ObjectId, way: DVec3) -> Pick {
    let faces = brush(s, id).faces();
    let index = (0..faces.len())
        .max_by(|&a, &b| {
            let along = |i: usize| faces[i].plane.normal.normalize().dot(way);
            along(a).total_cmp(&along(b))
        })
        .expect("faces");
    Pick::Face(id, index as u32)
}

fn pick(s: &mut Session, faces: &[(ObjectId, DVec3)]) {
    let picks = faces
        .iter()
        .map(|&(id, way)| face_towards(s, id, way))
        .collect();
    s.editor.select(picks);
    s.check();
}

/// One block of 64 whose right side is at x = 64.
fn block() -> Session {
    let mut s = Session::new(|draft| {
        let brick = draft.insert_material(Material::new("brick", "brick.png"));
        cube_of(draft, [0.0, 0.0, 0.0], [64.0, 64.0, 64.0], Some(brick));
    });
    s.move_to(TOP, DVec2::ONE);
    pick(&mut s, &[(id(1), DVec3::X)]);
    s
}

/// No two brushes share more than a skin: their hulls' middles and corners, drawn in a little, are in one only.
fn assert_disjoint(s: &Session, from: u32) {
    let brushes: Vec<&Brush> = s
        .doc()
        .objects()
        .filter(|(id, _)| id.get() >= from)
        .map(|(_, object)| object.brush().expect("brush"))
        .collect();
    for (i, one) in brushes.iter().enumerate() {
        let points = one.hull().points();
        let middle = points.iter().sum::<DVec3>() / points.len() as f64;
        for (j, other) in brushes.iter().enumerate() {
            let inside = |point: DVec3| {
                other
                    .faces()
                    .iter()
                    .all(|face| face.plane.unit().expect("plane").distance(point) < -0.05)
            };
            if i != j {
                assert!(!inside(middle), "{i} and {j}");
                for &point in points {
                    assert!(!inside(point.lerp(middle, 0.05)), "{i} and {j}");
                }
            }
        }
    }
}

#[test]
fn ext_5_sweep_straight() {
    let mut s = block();
    s.key("Y");
    assert_eq!(s.editor.tool(), ToolKind::Sweep);
    assert!(s.editor.history().is_previewing(), "shown at once");
    s.editor
        .set_tool_option("move", OptionValue::Vector(DVec3::new(128.0, 0.0, 32.0)));
    s.editor.set_tool_option("scale", OptionValue::Number(0.5));
    s.editor.set_tool_option("steps", OptionValue::Number(4.0));
    s.key("Enter");
    assert_eq!(s.labels(), ["Sweep"]);
    assert_eq!(s.doc().object_count(), 5);
    let wanted = 128.0 / 3.0 * (4096.0 + 1024.0 + 2048.0);
    assert!((volume(&s, 2) / wanted - 1.0).abs() < 1e-5);
    assert_disjoint(&s, 1);
    for part in 2..=5 {
        for face in brush(&s, id(part)).faces() {
            assert_eq!(face.material, Some(MaterialId(0)));
        }
    }
    let faces: Vec<Pick> = s.editor.selection().iter().copied().collect();
    assert!(matches!(faces[..], [Pick::Face(far, _)] if far == id(5)));
    s.key("Ctrl+Z");
    assert_eq!(s.doc().object_count(), 1);
    assert!(!s.editor.history().is_previewing());
}

#[test]
fn ext_5_sweep_arc_bends_and_goes_on_as_a_spiral() {
    let mut s = block();
    s.key("Y");
    s.editor.set_tool_option("axis", OptionValue::Index(1));
    s.editor.set_tool_option("angle", OptionValue::Number(90.0));
    s.editor
        .set_tool_option("move", OptionValue::Vector(DVec3::X * 128.0 * 2f64.sqrt()));
    s.editor.set_tool_option("bend", OptionValue::Press);
    s.key("Enter");
    assert_eq!(s.doc().object_count(), 7, "15 degrees a piece");
    // A quarter of a ring of radius 128 about its middle, 12 thinner by its chords.
    let exact = 128.0 * std::f64::consts::FRAC_PI_2 * 4096.0;
    let share = volume(&s, 2) / exact;
    assert!(share > 0.98 && share < 1.0, "{share}");
    assert_disjoint(&s, 1);
    let far = s.editor.selection().clone();
    let Some(&Pick::Face(end, face)) = far.iter().next() else {
        panic!("the far face is picked")
    };
    let normal = brush(&s, end).faces()[face as usize].plane.normal;
    assert!(normal.distance(DVec3::NEG_Z) < 1e-5, "{normal}");
    // Again three times: a full circle would meet itself; only two more quarters here.
    s.key("Enter");
    assert_eq!(s.labels(), ["Sweep", "Sweep"]);
    assert_eq!(s.doc().object_count(), 13);
    assert_disjoint(&s, 1);
}

#[test]
fn ext_5_sweep_repeats_climb() {
    let mut s = block();
    s.key("Y");
    s.editor.set_tool_option("angle", OptionValue::Number(90.0));
    s.editor
        .set_tool_option("move", OptionValue::Vector(DVec3::X * 128.0 * 2f64.sqrt()));
    s.editor.set_tool_option("bend", OptionValue::Press);
    let options = s.editor.tool_options();
    let shift = options
        .iter()
        .find_map(|option| match option.value {
            OptionValue::Vector(shift) => Some(shift),
            _ => None,
        })
        .expect("move");
    assert!(
        (shift - DVec3::new(128.0, 0.0, -128.0)).length() < 1e-6,
        "{shift}"
    );
    s.editor
        .set_tool_option("move", OptionValue::Vector(shift + DVec3::Y * 32.0));
    s.editor
        .set_tool_option("repeats", OptionValue::Number(8.0));
    s.key("Enter");
    // Twice round, and 32 up each quarter.
    assert!(s.doc().object_count() > 48, "{}", s.doc().object_count());
    let top = s
        .doc()
        .objects()
        .map(|(_, object)| object.bounds().max.y)
        .fold(0.0, f64::max);
    assert!((top - (64.0 + 256.0)).abs() < 0.01, "{top}");
    assert_disjoint(&s, 2);
}

#[test]
fn ext_5_sweep_handles_and_esc() {
    let mut s = block();
    let before = s.doc().clone();
    s.key("Y");
    // The ghost is four grid steps in front of the face; its middle is dragged in 2D.
    let ghost = DVec3::new(128.0, 32.0, 32.0);
    let (from, to) = (
        s.at(TOP, ghost),
        s.at(TOP, ghost + DVec3::new(32.0, 0.0, 16.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    assert_eq!(s.editor.readout().expect("numbers").text, "+96, 0, +16");
    s.release(TOP, to);
    assert!(s.editor.history().is_previewing());
    s.key("Esc");
    assert!(s.editor.state().doc.same(&before));
    s.key("Esc");
    assert_eq!(s.editor.tool(), ToolKind::Select);
    assert!(s.labels().is_empty());
    // Typed: the distance along the normal.
    s.key("Y");
    for key in ["1", "0", "0", "Enter"] {
        s.key(key);
    }
    assert_eq!(s.labels(), ["Sweep"]);
    assert_eq!(s.bounds(id(2)).max.x, 164.0);
}

#[test]
fn ext_5_sweep_refuses_what_folds() {
    let mut s = block();
    s.key("Y");
    let before = s.doc().clone();
    for shift in [DVec3::NEG_X * 32.0, DVec3::ZERO] {
        s.editor.set_tool_option("move", OptionValue::Vector(shift));
        s.key("Enter");
        assert!(s.doc().same(&before));
        assert!(s.editor.status().is_some());
    }
}

#[test]
fn ext_5_inset() {
    let mut s = block();
    s.key("I");
    assert!(s.editor.history().is_previewing());
    s.key("Enter");
    assert_eq!(s.labels(), ["Inset"]);
    assert_eq!(s.doc().object_count(), 5, "four around, one inside");
    assert!((volume(&s, 1) - 64.0 * 64.0 * 64.0).abs() < 1e-6);
    assert_disjoint(&s, 1);
    assert_eq!(
        s.bounds(id(1)),
        Aabb::new(DVec3::new(0.0, 16.0, 16.0), DVec3::new(64.0, 48.0, 48.0))
    );
    // The inner face is picked: push it in for a niche.
    assert_eq!(
        *s.editor.selection(),
        Selection::from([face_towards(&s, id(1), DVec3::X)])
    );
    s.key("Ctrl+Z");
    assert_eq!(s.doc().object_count(), 1);
    // Typed, and what is too wide is refused.
    s.key("I");
    for key in ["8", "Enter"] {
        s.key(key);
    }
    assert_eq!(s.bounds(id(1)).min.y, 8.0);
    s.key("Ctrl+Z");
    s.key("I");
    for key in ["3", "2", "Enter"] {
        s.key(key);
    }
    assert_eq!(s.doc().object_count(), 1);
    assert!(s.editor.status().expect("why").text.contains("wider"));
}

#[test]
fn ext_5_inset_by_drag_and_by_its_field() {
    let mut s = block();
    let before = s.doc().clone();
    s.key("I");
    let width = |s: &Session| {
        let options = s.editor.tool_options();
        let option = options.into_iter().find(|option| option.id == "width");
        match option.expect("a field").value {
            OptionValue::Number(width) => width,
            other => panic!("{other:?}"),
        }
    };
    let inner = |s: &Session| {
        let object = s.editor.state().doc.object(id(1));
        object.expect("there").bounds().min.y
    };
    assert_eq!((width(&s), inner(&s)), (16.0, 16.0), "by one grid step");
    // To the right is wider, on the grid; back is back; Esc drops the drag only.
    s.editor.set_grid(4.0);
    let from = s.at(TOP, DVec3::new(200.0, 0.0, 0.0));
    let unit = s.editor.views[TOP].units_per_point(DVec3::ZERO);
    let at = |units: f64| from + DVec2::X * (units / unit);
    s.press(TOP, from);
    s.move_to(TOP, at(9.0));
    assert_eq!((width(&s), inner(&s)), (24.0, 24.0));
    assert_eq!(s.editor.readout().expect("numbers").text, "inset 24");
    s.move_to(TOP, at(-11.0));
    assert_eq!(inner(&s), 4.0);
    s.move_to(TOP, at(-300.0));
    assert_eq!(inner(&s), 4.0, "never nothing");
    s.move_to(TOP, at(5.0));
    s.key("Esc");
    s.release(TOP, at(5.0));
    assert_eq!(width(&s), 16.0);
    s.press(TOP, from);
    s.move_to(TOP, at(5.0));
    s.release(TOP, at(5.0));
    assert!(s.labels().is_empty(), "not before Enter");
    assert_eq!((width(&s), inner(&s)), (20.0, 20.0));
    // The field does the same, and says what is too wide.
    s.editor.set_tool_option("width", OptionValue::Number(6.5));
    assert_eq!(inner(&s), 6.5);
    s.editor.set_tool_option("width", OptionValue::Number(40.0));
    assert!(s.editor.status().expect("why not").text.contains("wider"));
    s.editor.set_tool_option("width", OptionValue::Number(10.0));
    s.editor.set_tool_option("apply", OptionValue::Press);
    assert_eq!(s.labels(), ["Inset"], "one step");
    assert_eq!(s.bounds(id(1)).min.y, 10.0);
    assert_eq!(s.doc().object_count(), 5);
    assert_disjoint(&s, 1);
    s.key("Ctrl+Z");
    assert!(s.doc().same(&before));
}

#[test]
fn ext_5_bridge() {
    let mut s = Session::new(|draft| {
        cube(draft, [0.0, 0.0, 0.0], [64.0, 64.0, 64.0]);
        cube(draft, [128.0, 16.0, 0.0], [192.0, 48.0, 96.0]);
        cube(draft, [192.0, 0.0, -256.0], [256.0, 64.0, -192.0]);
    });
    s.move_to(TOP, DVec2::ONE);
    pick(&mut s, &[(id(1), DVec3::X), (id(2), DVec3::NEG_X)]);
    s.key("Ctrl+Shift+B");
    assert!(s.editor.history().is_previewing());
    s.key("Enter");
    assert_eq!(s.labels(), ["Bridge"]);
    assert_eq!(s.selected(), [id(4)]);
    let bounds = s.bounds(id(4));
    assert_eq!((bounds.min.x, bounds.max.x), (64.0, 128.0));
    assert_eq!(brush(&s, id(4)).faces().len(), 6);
    assert_disjoint(&s, 1);
    s.key("Ctrl+Z");
    // Round a corner: an arc by itself.
    pick(&mut s, &[(id(1), DVec3::X), (id(3), DVec3::Z)]);
    s.key("Ctrl+Shift+B");
    assert!(
        s.editor.history().is_previewing(),
        "{:?} {:?}",
        s.editor.tool(),
        s.editor.status()
    );
    s.key("Enter");
    assert!(s.selected().len() >= 6, "{:?}", s.editor.status());
    // The second block stands in the way; nothing else does.
    assert_disjoint(&s, 3);
    // One face is not enough.
    pick(&mut s, &[(id(1), DVec3::Y)]);
    s.key("Ctrl+Shift+B");
    assert!(s.editor.status().expect("why").text.contains("exactly two"));
}

#[test]
fn ext_5_bridge_of_different_outlines() {
    let mut s = Session::new(|draft| {
        cube(draft, [0.0, 0.0, 0.0], [64.0, 64.0, 64.0]);
        let mut points = Vec::new();
        for (y, z) in [(0.0, 0.0), (64.0, 0.0), (32.0, 48.0)] {
            points.extend([DVec3::new(160.0, y, z), DVec3::new(192.0, y, z)]);
        }
        let brush = mapwright::document::ops::brushes::hull_brush(&points, None).expect("volume");
        draft.insert(Object::new(Kind::Brush(brush)));
    });
    s.move_to(TOP, DVec2::ONE);
    pick(&mut s, &[(id(1), DVec3::X), (id(2), DVec3::NEG_X)]);
    s.key("Ctrl+Shift+B");
    s.editor.set_tool_option("steps", OptionValue::Number(3.0));
    s.key("Enter");
    assert_eq!(s.selected().len(), 3);
    assert_disjoint(&s, 1);
    let mut points = brush(&s, id(1)).hull().points().to_vec();
    points.retain(|point| point.x == 64.0);
    points.extend(
        brush(&s, id(2))
            .hull()
            .points()
            .iter()
            .filter(|p| p.x == 160.0),
    );
    let whole = mapwright::document::ops::brushes::hull_brush(&points, None).expect("hull");
    assert!(
        (volume(&s, 3) / whole.hull().volume() - 1.0).abs() < 1e-4,
        "slices of the hull"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ext_5_random_sweeps_are_valid_and_disjoint(
        shift in prop::array::uniform3(-64.0..64.0f64),
        angle in -80.0..80.0f64,
        axis in 0usize..3,
        scale in 0.3..1.8f64,
        curve in 0usize..4,
        steps in 0u8..6,
    ) {
        let mut s = block();
        s.key("Y");
        let shift = DVec3::from(shift) + DVec3::X * 160.0;
        s.editor.set_tool_option("move", OptionValue::Vector(shift.round()));
        s.editor.set_tool_option("angle", OptionValue::Number(angle));
        s.editor.set_tool_option("axis", OptionValue::Index(axis));
        s.editor.set_tool_option("scale", OptionValue::Number(scale));
        s.editor.set_tool_option("curve", OptionValue::Index(curve));
        s.editor.set_tool_option("steps", OptionValue::Number(f64::from(steps)));
        s.key("Enter");
        if s.doc().object_count() == 1 {
            prop_assert!(s.editor.status().is_some(), "it says why");
        } else {
            prop_assert!(volume(&s, 2) > 0.0);
            assert_disjoint(&s, 2);
            s.key("Ctrl+Z");
            prop_assert_eq!(s.doc().object_count(), 1);
        }
    }
}

#[test]
fn ext_5_an_inset_that_is_refused_leaves_tool_and_picks_alone() {
    let mut s = block();
    s.select(&[id(1)]);
    s.key("F");
    let faces = (0..2).map(|face| Pick::Face(id(1), face));
    let picks: Selection = faces.chain([Pick::Object(id(1))]).collect();
    s.editor.select(picks.clone());
    s.key("I");
    let status = s.editor.status().expect("why not");
    assert!(status.text.contains("one face"), "{}", status.text);
    assert_eq!(s.editor.tool(), ToolKind::Face);
    assert_eq!(*s.editor.selection(), picks);
}
