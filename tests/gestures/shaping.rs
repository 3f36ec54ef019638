//! Shapes, hulls, arrays, repeating, measuring (BRU-3, BRU-4, DUP, MEAS).

use super::*;
use mapwright::editor::tools::options::OptionValue;
use mapwright::editor::tools::options::ToolOption;

fn floor(draft: &mut Draft) {
    cube(draft, [-512.0, -16.0, -512.0], [512.0, 0.0, 512.0]);
}

fn option(s: &Session, id: &str) -> ToolOption {
    s.editor
        .tool_options()
        .into_iter()
        .find(|option| option.id == id)
        .unwrap_or_else(|| panic!("no option {id}"))
}

fn set(s: &mut Session, id: &'static str, value: OptionValue) {
    let _ = option(s, id);
    s.editor.set_tool_option(id, value);
    s.check();
}

fn choose(s: &mut Session, name: &str) {
    let names = match option(s, "shape.kind").kind {
        mapwright::editor::tools::options::OptionKind::Choice(names) => names,
        other => panic!("{other:?}"),
    };
    let index = names.iter().position(|&known| known == name).expect(name);
    set(s, "shape.kind", OptionValue::Index(index));
}

const FROM: DVec3 = DVec3::new(-60.0, 0.0, -60.0);
const TO: DVec3 = DVec3::new(60.0, 0.0, 60.0);

fn volume(s: &Session, ids: &[ObjectId]) -> f64 {
    ids.iter()
        .map(|&id| {
            s.doc()
                .object(id)
                .and_then(Object::brush)
                .expect("brush")
                .hull()
                .volume()
        })
        .sum()
}

#[test]
fn bru_3_every_shape_is_drawn_and_changed_within_its_step() {
    let names = [
        "Box",
        "Wedge",
        "Pyramid",
        "Cylinder",
        "Tube",
        "Cone",
        "Sphere",
        "Arch",
        "Stairs",
        "Spiral stairs",
        "Torus",
    ];
    for pane in [TOP, FRONT, VIEW_3D] {
        let mut s = Session::new(floor);
        s.look_from(DVec3::new(0.0, 300.0, 300.0), -45.0, 0.0);
        let (from, to) = if pane == FRONT {
            (DVec3::new(-60.0, 5.0, 0.0), DVec3::new(60.0, 120.0, 0.0))
        } else {
            (FROM, TO)
        };
        s.drag(pane, from, to, Modifiers::NONE);
        let bounds = s.bounds(s.selected()[0]);
        for name in names {
            choose(&mut s, name);
            assert_eq!(s.labels().len(), 1, "{name}: one step");
            assert!(!s.selected().is_empty(), "{name}");
            let all = s
                .selected()
                .iter()
                .map(|&id| s.bounds(id))
                .fold(Aabb::EMPTY, Aabb::union);
            assert!(bounds.grown(0.01).encloses(all), "{name}: {all:?}");
        }
        s.key("Ctrl+Z");
        assert_eq!(s.doc().object_count(), 1, "one step back and all is gone");
        // The choice stays for the next drawing.
        s.drag(pane, from, to, Modifiers::NONE);
        assert_eq!(s.labels(), ["Draw torus"]);
    }
}

#[test]
fn bru_3_numbers_are_live_until_the_next_action() {
    let mut s = Session::new(floor);
    s.look_from(DVec3::new(0.0, 300.0, 300.0), -45.0, 0.0);
    choose(&mut s, "Cylinder");
    s.drag(VIEW_3D, FROM, TO, Modifiers::NONE);
    assert_eq!(s.labels(), ["Draw cylinder"]);
    let faces = |s: &Session| {
        s.doc()
            .object(s.selected()[0])
            .and_then(Object::brush)
            .expect("brush")
            .faces()
            .len()
    };
    assert_eq!(faces(&s), 14);
    set(&mut s, "shape.sides", OptionValue::Number(8.0));
    assert_eq!((faces(&s), s.labels().len()), (10, 1));
    let whole = volume(&s, &s.selected());
    set(&mut s, "shape.top", OptionValue::Number(50.0));
    assert!((volume(&s, &s.selected()) / whole - 1.75 / 3.0).abs() < 1e-3);
    assert_eq!(s.labels(), ["Draw cylinder"]);
    // What does not fit is refused and changes nothing that is there.
    choose(&mut s, "Tube");
    let before = s.doc().clone();
    set(&mut s, "shape.thickness", OptionValue::Number(500.0));
    assert!(s.doc().same(&before));
    assert_eq!(
        s.editor.status().map(|status| status.kind),
        Some(mapwright::editor::StatusKind::Refused)
    );
    set(&mut s, "shape.thickness", OptionValue::Number(8.0));
    assert_eq!(s.labels(), ["Draw tube"]);
    // The next action ends it: the numbers are those of the next drawing.
    s.key("Right");
    assert!(
        s.editor
            .tool_options()
            .iter()
            .all(|option| option.id != "shape.kind"),
        "a selection that was moved is no drawing"
    );
    let moved = s.doc().clone();
    s.editor
        .set_tool_option("shape.sides", OptionValue::Number(5.0));
    assert!(s.doc().same(&moved));
}

#[test]
fn bru_3_a_shape_that_does_not_fit_says_so_while_it_is_drawn() {
    let mut s = Session::new(floor);
    s.look_from(DVec3::new(0.0, 300.0, 300.0), -45.0, 0.0);
    choose(&mut s, "Tube");
    let before = s.doc().clone();
    let (from, to) = (
        s.at(VIEW_3D, DVec3::new(3.0, 0.0, 3.0)),
        s.at(VIEW_3D, DVec3::new(13.0, 0.0, 13.0)),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    s.move_to(VIEW_3D, to + 1.0);
    let readout = s.editor.overlay(VIEW_3D).readout.expect("readout");
    assert!(readout.refused, "{}", readout.text);
    s.release(VIEW_3D, to);
    assert!(s.doc().same(&before) && s.labels().is_empty());
}

#[test]
fn bru_3_stairs_rise_along_the_drag() {
    let mut s = Session::new(|_| {});
    choose(&mut s, "Stairs");
    // From right to left, 64 high.
    s.drag(
        TOP,
        DVec3::new(120.0, 0.0, 0.0),
        DVec3::new(-8.0, 0.0, 60.0),
        Modifiers::NONE,
    );
    let ids = s.selected();
    assert_eq!(ids.len(), 4);
    let mut steps: Vec<Aabb> = ids.iter().map(|&id| s.bounds(id)).collect();
    steps.sort_by(|a, b| a.max.y.total_cmp(&b.max.y));
    assert!(steps.windows(2).all(|pair| pair[0].min.x > pair[1].min.x));
    assert!(
        steps
            .iter()
            .all(|step| step.min.y == 0.0 && step.min.x.rem_euclid(16.0) == 0.0)
    );
    // Only they are selected: a drag beside them draws the next ones; a group if that is asked for.
    set(&mut s, "shape.group", OptionValue::Flag(true));
    assert_eq!(s.selected().len(), 1);
    assert_eq!(s.labels().len(), 1);
    s.drag(
        TOP,
        DVec3::new(120.0, 0.0, 100.0),
        DVec3::new(8.0, 0.0, 160.0),
        Modifiers::NONE,
    );
    assert_eq!(s.labels().len(), 2);
}

#[test]
fn bru_1_refusal_names_the_way_out() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let before = s.doc().clone();
    s.drag(
        VIEW_3D,
        ON_FLOOR,
        ON_FLOOR + DVec3::X * 50.0,
        Modifiers::NONE,
    );
    assert!(s.doc().same(&before));
    let status = s.editor.status().expect("a sentence");
    assert!(
        status.text.contains("Esc") && status.text.contains("Alt"),
        "{}",
        status.text
    );
}

#[test]
fn bru_4_hull_from_points() {
    let mut s = Session::new(floor_and_crate);
    s.look_from(DVec3::new(100.0, 300.0, 300.0), -45.0, 10.0);
    s.editor.run("tool.hull").expect("tool");
    let before = s.doc().clone();
    // Three points on the floor, on the grid of the face.
    for point in [[99.0, 0.0, 5.0], [165.0, 0.0, -3.0], [126.0, 0.0, 61.0]] {
        s.click(VIEW_3D, DVec3::from_array(point));
    }
    assert!(s.editor.state().doc.same(&before), "no volume, no preview");
    s.key("Enter");
    assert!(
        s.editor
            .status()
            .expect("a reason")
            .text
            .contains("no volume"),
        "{:?}",
        s.editor.status()
    );
    assert!(s.doc().same(&before));
    // The triangle once more, 48 up: numbers can be typed.
    let (from, to) = (
        s.at(VIEW_3D, DVec3::new(130.0, 0.0, 20.0)),
        s.at(VIEW_3D, DVec3::new(130.0, 100.0, 20.0)),
    );
    s.hold(Modifiers::SHIFT);
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    s.hold(Modifiers::NONE);
    s.key("4");
    s.key("8");
    s.release(VIEW_3D, to);
    assert!(!s.editor.state().doc.same(&before), "a live preview");
    assert!(s.doc().same(&before) && s.labels().is_empty());
    s.key("Enter");
    assert_eq!(s.labels(), ["Create hull"]);
    let made = s.selected()[0];
    assert_eq!(
        s.bounds(made),
        Aabb::new(DVec3::new(96.0, 0.0, 0.0), DVec3::new(160.0, 48.0, 64.0))
    );
    assert_eq!(
        s.doc()
            .object(made)
            .and_then(Object::brush)
            .expect("brush")
            .hull()
            .points()
            .len(),
        6
    );
}

#[test]
fn bru_4_points_are_moved_and_removed_and_esc_drops_them() {
    let mut s = Session::new(floor_and_crate);
    s.look_from(DVec3::new(100.0, 300.0, 300.0), -45.0, 10.0);
    s.editor.run("tool.hull").expect("tool");
    let before = s.doc().clone();
    // All corners of the crate's top at once, and one on the floor.
    s.double_click(VIEW_3D, ON_CRATE, Modifiers::NONE);
    let handles = |s: &Session| s.editor.overlay(VIEW_3D).handles.len();
    assert_eq!(handles(&s), 4);
    s.click(VIEW_3D, DVec3::new(96.0, 0.0, 96.0));
    assert_eq!(handles(&s), 5);
    assert!(!s.editor.state().doc.same(&before), "a live preview");
    // It is moved along the floor; Esc during the drag brings it back.
    let (from, to) = (
        s.at(VIEW_3D, DVec3::new(96.0, 0.0, 96.0)),
        s.at(VIEW_3D, DVec3::new(160.0, 0.0, 96.0)),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    s.key("Esc");
    s.release(VIEW_3D, to);
    assert_eq!(handles(&s), 5);
    assert!(
        !s.editor.state().doc.same(&before),
        "the points are still there"
    );
    s.drag(
        VIEW_3D,
        DVec3::new(96.0, 0.0, 96.0),
        DVec3::new(160.0, 0.0, 96.0),
        Modifiers::NONE,
    );
    assert!(
        s.editor
            .overlay(VIEW_3D)
            .handles
            .iter()
            .any(|handle| handle.at == DVec3::new(160.0, 0.0, 96.0))
    );
    // A click on it takes it away, Del the last one.
    s.click(VIEW_3D, DVec3::new(160.0, 0.0, 96.0));
    assert_eq!(handles(&s), 4);
    s.key("Del");
    assert_eq!(handles(&s), 3);
    s.key("Esc");
    assert_eq!(handles(&s), 0);
    assert_eq!(s.editor.tool(), ToolKind::Hull);
    s.key("Esc");
    assert_eq!(s.editor.tool(), ToolKind::Select);
    assert!(s.editor.state().doc.same(&before) && s.labels().is_empty());
}

#[test]
fn bru_4_rectangles_and_2d() {
    let mut s = Session::new(floor);
    s.look_from(DVec3::new(0.0, 300.0, 300.0), -45.0, 0.0);
    s.editor.run("tool.hull").expect("tool");
    s.drag(
        VIEW_3D,
        DVec3::new(1.0, 0.0, 1.0),
        DVec3::new(63.0, 0.0, 30.0),
        Modifiers::NONE,
    );
    // Seen from the side, two more at the depth of the last point.
    s.click(FRONT, DVec3::new(16.0, 64.0, 0.0));
    s.drag(
        FRONT,
        DVec3::new(48.0, 96.0, 0.0),
        DVec3::new(64.0, 128.0, 0.0),
        Modifiers::NONE,
    );
    s.key("Enter");
    assert_eq!(s.labels(), ["Create hull"]);
    assert_eq!(
        s.bounds(s.selected()[0]),
        Aabb::new(DVec3::ZERO, DVec3::new(64.0, 128.0, 32.0))
    );
}

#[test]
fn dup_3_repeat() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+R");
    assert!(
        s.editor
            .status()
            .expect("a reason")
            .text
            .contains("nothing to repeat")
    );
    // A copy, moved twice: the next one stands as far from it.
    s.key("Ctrl+D");
    s.move_to(TOP, DVec2::new(400.0, 300.0));
    s.key("Shift+Right");
    s.now_s += 5.0;
    s.key("Up");
    assert_eq!(s.editor.pending_repeat(), "Duplicate, Move x2");
    let first = s.bounds(id(3));
    assert_eq!(first.min, DVec3::new(96.0, 0.0, -48.0));
    for step in 1..4 {
        s.key("Ctrl+R");
        let copy = s.selected()[0];
        assert_eq!(
            s.bounds(copy).min,
            first.min + DVec3::new(128.0, 0.0, -16.0) * f64::from(step)
        );
    }
    assert_eq!(
        s.labels(),
        ["Duplicate", "Move", "Move", "Repeat", "Repeat", "Repeat"]
    );
    s.key("Ctrl+Z");
    assert_eq!(s.doc().object_count(), 5, "each is one step");
    // From a mark on only what follows counts.
    s.key("Ctrl+Shift+R");
    assert_eq!(s.editor.pending_repeat(), "");
    s.key("Right");
    assert_eq!(s.editor.pending_repeat(), "Move");
    s.key("Ctrl+Z");
    assert_eq!(
        s.editor.pending_repeat(),
        "",
        "what is undone is not repeated"
    );
    s.key("Right");
    let before = s.bounds(s.selected()[0]).min;
    s.key("Ctrl+R");
    assert_eq!(s.bounds(s.selected()[0]).min, before + DVec3::X * 16.0);
    // Another selection begins anew; so does coming back to this one.
    let now = s.selected();
    s.select(&[id(CRATE)]);
    assert_eq!(s.editor.pending_repeat(), "");
    s.key("Right");
    s.select(&now);
    assert_eq!(s.editor.pending_repeat(), "");
}

#[test]
fn dup_3_drags_turns_and_copies_count() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.drag(
        TOP,
        DVec3::ZERO,
        DVec3::new(100.0, 0.0, 0.0),
        Modifiers::CTRL,
    );
    s.key("Alt+Left");
    assert_eq!(s.editor.pending_repeat(), "Duplicate, Rotate");
    s.key("Ctrl+R");
    assert_eq!(s.doc().object_count(), 4);
}

#[test]
fn dup_3_arrays_and_drops_count() {
    // A crate in the air over floors of different heights.
    let mut s = Session::new(|draft| {
        cube(draft, [-64.0, -16.0, -64.0], [64.0, 0.0, 64.0]);
        cube(draft, [64.0, -16.0, -64.0], [192.0, 32.0, 64.0]);
        cube(draft, [-16.0, 100.0, -16.0], [16.0, 132.0, 16.0]);
        cube(draft, [192.0, -16.0, -64.0], [320.0, 48.0, 64.0]);
    });
    s.select(&[id(3)]);
    s.move_to(TOP, DVec2::new(400.0, 300.0));
    s.key("Ctrl+D");
    s.key("Shift+Right");
    s.key("End");
    assert_eq!(s.editor.pending_repeat(), "Duplicate, Move, Drop");
    let copy = s.selected()[0];
    assert_eq!(s.bounds(copy).min, DVec3::new(112.0, 32.0, -16.0));
    s.select(&[id(3)]);
    s.key("End");
    assert_eq!(s.bounds(id(3)).min.y, 0.0);
    assert_eq!(s.editor.pending_repeat(), "Drop");
    // Once more from another place: it falls as far as it can there.
    s.key("Ctrl+Shift+R");
    s.move_to(FRONT, DVec2::new(400.0, 300.0));
    for key in ["Up", "Up", "Up", "Shift+Right"] {
        s.key(key);
    }
    s.key("End");
    assert_eq!(s.bounds(id(3)).min, DVec3::new(112.0, 32.0, -16.0));
    s.key("Ctrl+R");
    assert_eq!(s.bounds(id(3)).min, DVec3::new(240.0, 48.0, -16.0));
    assert_eq!(s.labels().last(), Some(&"Repeat"));
    s.key("Ctrl+Z");
    assert_eq!(s.bounds(id(3)).min.y, 32.0, "one step");

    // An array is made again of each of its copies.
    let mut s = Session::new(|draft| {
        cube(draft, [0.0; 3], [16.0; 3]);
    });
    s.select(&[id(1)]);
    s.move_to(TOP, DVec2::new(400.0, 300.0));
    s.key("Ctrl+Shift+M");
    assert_eq!(s.editor.tool(), ToolKind::Array);
    s.editor.set_tool_option("count", OptionValue::Number(2.0));
    s.editor
        .set_tool_option("offset", OptionValue::Vector(DVec3::Z * 32.0));
    s.key("Enter");
    assert_eq!(s.labels(), ["Array"]);
    assert_eq!(s.editor.pending_repeat(), "Array");
    s.key("Ctrl+R");
    assert_eq!(s.labels(), ["Array", "Repeat"]);
    assert_eq!((s.doc().object_count(), s.selected().len()), (7, 4));
    let mut places: Vec<f64> = s.selected().iter().map(|&id| s.bounds(id).min.z).collect();
    places.sort_by(f64::total_cmp);
    assert_eq!(places, [64.0, 96.0, 96.0, 128.0]);
}

#[test]
fn dup_1_linked_copies_get_names_of_their_own() {
    let mut s = Session::new(|draft| {
        for (class, key) in [("trigger_once", "target"), ("func_door", "targetname")] {
            let mut entity = Entity::new(class, DVec3::ZERO);
            entity.set_key(key, "door1");
            let owner = draft.insert(Object::new(Kind::Entity(entity)));
            let brush = cube(draft, [0.0; 3], [16.0; 3]);
            draft.update(brush, |object| object.parent = Some(owner));
        }
    });
    let roots: Vec<ObjectId> = s.doc().children(None).collect();
    s.select(&roots);
    s.key("Ctrl+Right");
    let copies = s.selected();
    let value = |index: usize, key: &str| {
        s.doc()
            .entity(copies[index])
            .expect("copy")
            .key(key)
            .map(str::to_owned)
    };
    assert_eq!(value(0, "target").as_deref(), Some("door2"));
    assert_eq!(value(1, "targetname").as_deref(), Some("door2"));
    assert_eq!(s.labels(), ["Duplicate"]);
}

const MAP_TEXT: &str = "// Format: Valve
{
( 0 0 16 ) ( 0 1 16 ) ( 1 0 16 ) BRICK [ 1 0 0 8 ] [ 0 -1 0 4 ] 0 1 1
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) brick [ 1 0 0 0 ] [ 0 -1 0 0 ] 0 1 1
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) brick [ 0 1 0 0 ] [ 0 0 -1 0 ] 0 1 1
( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) brick [ 0 1 0 0 ] [ 0 0 -1 0 ] 0 1 1
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) brick [ 1 0 0 0 ] [ 0 0 -1 0 ] 0 1 1
( 0 32 0 ) ( 1 32 0 ) ( 0 32 1 ) brick [ 1 0 0 0 ] [ 0 0 -1 0 ] 0 1 1
}";

#[test]
fn clip_board_map_text() {
    let mut s = Session::new(|draft| {
        let mut brick = Material::new("walls/brick", "walls/brick.png");
        brick.tile_size = glam::Vec2::splat(128.0);
        draft.insert_material(brick);
        floor_and_crate(draft);
    });
    let at = s.at(VIEW_3D, ON_FLOOR);
    s.move_to(VIEW_3D, at);
    s.editor
        .paste(MAP_TEXT, Place::UnderPointer)
        .expect("pasted");
    assert_eq!(s.labels(), ["Paste"]);
    let pasted = s.selected()[0];
    let bounds = s.bounds(pasted);
    assert_eq!(bounds.size(), DVec3::new(64.0, 16.0, 32.0));
    assert_eq!(bounds.min.y, 0.0, "on the floor under the pointer");
    assert_eq!(s.doc().material_count(), 1, "the map has this material");
    let brush = s
        .doc()
        .object(pasted)
        .and_then(Object::brush)
        .expect("brush");
    assert!(
        brush
            .faces()
            .iter()
            .all(|face| face.material == Some(MaterialId(0)))
    );
    let top = brush
        .faces()
        .iter()
        .find(|face| face.plane.normal.y > 0.5)
        .expect("top");
    let frame = top.frame(glam::Vec2::splat(128.0));
    assert!(
        (frame.u.length() - 1.0 / 128.0).abs() < 1e-9,
        "one texel is one unit"
    );
    s.editor.paste(MAP_TEXT, Place::Original).expect("pasted");
    assert_eq!(
        s.bounds(s.selected()[0]),
        Aabb::new(DVec3::new(0.0, 0.0, -32.0), DVec3::new(64.0, 16.0, 0.0))
    );
    let before = s.doc().clone();
    let broken = MAP_TEXT.replace("( 64 0 1 )", "( 64 0 what )");
    assert!(s.editor.paste(&broken, Place::Original).is_err());
    let status = s.editor.status().expect("a reason");
    assert!(status.text.contains("Line 6"), "{}", status.text);
    assert!(s.doc().same(&before));
}

#[test]
fn clip_board_nothing_under_the_pointer_is_256_ahead() {
    let mut s = Session::new(|draft| {
        cube(draft, [0.0; 3], [16.0; 3]);
    });
    s.look_from(DVec3::new(0.0, 600.0, 8.0), 0.0, 0.0);
    s.select(&[id(1)]);
    s.key("Ctrl+C");
    let Some(Request::CopyText(text)) = s.editor.take_requests().pop() else {
        panic!("no text")
    };
    s.move_to(VIEW_3D, SIZE * 0.5);
    s.editor.paste(&text, Place::UnderPointer).expect("pasted");
    let center = s.bounds(s.selected()[0]).center();
    assert!(
        center.distance(DVec3::new(0.0, 600.0, -248.0)) <= 16.0,
        "{center}"
    );
}

#[test]
fn meas_1_measure() {
    let mut s = Session::new(floor_and_crate);
    s.look_from(DVec3::new(100.0, 300.0, 300.0), -45.0, 10.0);
    s.key("Ctrl+M");
    assert_eq!(s.editor.tool(), ToolKind::Measure);
    let before = s.doc().clone();
    // Along the floor, on its grid.
    let (from, to) = (
        s.at(VIEW_3D, DVec3::new(97.0, 0.0, 63.0)),
        s.at(VIEW_3D, DVec3::new(145.0, 0.0, 130.0)),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    let readout = s.editor.overlay(VIEW_3D).readout.expect("readout");
    assert_eq!(readout.text, "80  (+48, 0, +64)");
    s.release(VIEW_3D, to);
    // On from there with Shift, to a corner of the crate that V finds.
    let corner = DVec3::new(32.0, 64.0, 32.0);
    let near = s.at(VIEW_3D, corner) + DVec2::new(3.0, 2.0);
    s.hold(Modifiers::SHIFT);
    s.press(VIEW_3D, to);
    s.hold(Modifiers::NONE);
    s.move_to(VIEW_3D, near - 20.0);
    s.hold_key('V', true);
    s.move_to(VIEW_3D, near);
    s.release(VIEW_3D, near);
    s.hold_key('V', false);
    let labels: Vec<String> = s
        .editor
        .overlay(VIEW_3D)
        .labels
        .into_iter()
        .map(|label| label.text)
        .collect();
    assert_eq!(labels.len(), 2, "{labels:?}");
    assert!(
        labels[1].contains("(-112, +64, -96)") && labels[1].ends_with(" deg"),
        "{labels:?}"
    );
    // They stay while other tools are in hand, until they are cleared; nothing was edited.
    s.key("Esc");
    assert_eq!(s.editor.tool(), ToolKind::Select);
    assert_eq!(s.editor.overlay(TOP).labels.len(), 2);
    s.editor.run("measure.clear").expect("clears");
    assert!(s.editor.overlay(TOP).labels.is_empty());
    assert!(s.editor.run("measure.clear").is_err());
    assert!(s.editor.state().doc.same(&before) && s.labels().is_empty());
}

#[test]
fn dup_2_array() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+Shift+M");
    assert_eq!(s.editor.tool(), ToolKind::Array);
    let before = s.doc().clone();
    assert_eq!(s.editor.state().doc.object_count(), 5, "a live preview");
    set(&mut s, "count", OptionValue::Number(4.0));
    set(
        &mut s,
        "offset",
        OptionValue::Vector(DVec3::new(0.0, 16.0, 96.0)),
    );
    set(&mut s, "rotation", OptionValue::Number(90.0));
    assert!(s.doc().same(&before) && s.labels().is_empty());
    s.key("Enter");
    assert_eq!(s.labels(), ["Array"]);
    assert_eq!(s.editor.tool(), ToolKind::Select);
    assert!(!s.editor.history().is_previewing());
    let copies = s.selected();
    assert_eq!(copies.len(), 4);
    let last = s.bounds(copies[3]);
    assert_eq!(last.min, DVec3::new(-32.0, 64.0, 352.0));
    s.key("Ctrl+Z");
    assert!(s.doc().same(&before), "one step");
    // Esc drops what is shown, then leaves.
    s.key("Ctrl+Shift+M");
    s.key("Esc");
    assert!(s.editor.state().doc.same(&before));
    s.key("Esc");
    assert_eq!(s.editor.tool(), ToolKind::Select);
    assert!(s.editor.state().doc.same(&before));
    // Leaving at once drops it as well.
    s.key("Ctrl+Shift+M");
    s.key("Shift+Esc");
    assert!(s.editor.state().doc.same(&before));
}

#[test]
fn dup_2_array_along_a_path() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let start = s.editor.pivot();
    s.key("Ctrl+Shift+M");
    set(&mut s, "count", OptionValue::Number(4.0));
    set(&mut s, "rotation", OptionValue::Number(0.0));
    s.click(TOP, start + DVec3::new(192.0, 0.0, 0.0));
    s.click(TOP, start + DVec3::new(192.0, 0.0, 192.0));
    s.key("Enter");
    let copies = s.selected();
    let at = |index: usize| s.bounds(copies[index]).center() - s.bounds(id(CRATE)).center();
    assert_eq!(at(1), DVec3::new(192.0, 0.0, 0.0), "half of the way");
    assert_eq!(at(3), DVec3::new(192.0, 0.0, 192.0));
    assert_eq!(s.labels(), ["Array"]);
}

#[test]
fn dup_2_array_turns_entities_as_rot_3_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.fgd");
    std::fs::write(
        &path,
        "@PointClass = item_box : \"Box\" []\n\
         @PointClass = monster : \"Monster\" [ angle(integer) : \"Direction\" : 0 ]\n",
    )
    .expect("written");
    let settings = mapwright::editor::Settings {
        definitions: vec![path],
        ..mapwright::editor::Settings::default()
    };
    let mut s = Session::with_settings(settings, |draft| {
        for class in ["item_box", "monster", "unknown"] {
            draft.insert(Object::new(Kind::Entity(Entity::new(class, DVec3::ZERO))));
        }
    });
    s.select(&[id(1), id(2), id(3)]);
    let made = |s: &mut Session, axis: usize| -> Vec<DVec3> {
        s.key("Ctrl+Shift+M");
        set(s, "count", OptionValue::Number(1.0));
        set(s, "rotation", OptionValue::Number(90.0));
        set(s, "axis", OptionValue::Index(axis));
        s.key("Enter");
        let angles = s
            .selected()
            .into_iter()
            .map(|id| s.doc().entity(id).expect("a copy").angles_deg);
        let angles = angles.collect();
        s.key("Ctrl+Z");
        angles
    };
    let quarter = DVec3::new(0.0, 90.0, 0.0);
    assert_eq!(made(&mut s, 1), [DVec3::ZERO, quarter, quarter]);
    let [still, yawed, free] = made(&mut s, 0)[..] else {
        panic!("three copies");
    };
    assert_eq!((still, yawed.x, yawed.z), (DVec3::ZERO, 0.0, 0.0));
    assert!(free.x.abs() > 1.0, "{free}");
    // The switch stops them all.
    s.editor.run("transform.turn_entities").expect("a switch");
    assert_eq!(made(&mut s, 1), [DVec3::ZERO; 3]);
}

#[test]
fn dup_2_offsets_are_typed_as_other_fields() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Ctrl+Shift+M");
    set(&mut s, "count", OptionValue::Number(1.0));
    set(
        &mut s,
        "offset",
        OptionValue::Vector(DVec3::new(64.0, 0.0, 32.0)),
    );
    set(&mut s, "offset", OptionValue::Typed(0, "+8".to_owned()));
    set(&mut s, "offset", OptionValue::Typed(2, "*2".to_owned()));
    s.key("Enter");
    let copy = s.selected()[0];
    assert_eq!(
        s.bounds(copy).min - s.bounds(id(CRATE)).min,
        DVec3::new(72.0, 0.0, 64.0)
    );
}

/// A plank whose sides all differ, its middle the pivot.
fn array_of_a_plank() -> (Session, DVec3) {
    let mut s = Session::new(|draft| {
        cube(draft, [0.0; 3], [96.0, 32.0, 64.0]);
    });
    s.select(&[id(1)]);
    let pivot = s.editor.pivot();
    assert_eq!(pivot, DVec3::new(48.0, 16.0, 32.0));
    s.key("Ctrl+Shift+M");
    (s, pivot)
}

#[test]
fn dup_2_copies_turn_and_grow_once_more_each() {
    let (mut s, pivot) = array_of_a_plank();
    set(&mut s, "count", OptionValue::Number(2.0));
    set(&mut s, "offset", OptionValue::Vector(DVec3::X * 256.0));
    set(&mut s, "rotation", OptionValue::Number(90.0));
    set(&mut s, "scale", OptionValue::Number(2.0));
    s.key("Enter");
    let copies = s.selected();
    let once = s.bounds(copies[0]);
    assert_eq!(once.center(), pivot + DVec3::X * 256.0);
    assert_eq!(
        once.size(),
        DVec3::new(128.0, 64.0, 192.0),
        "a quarter, twice as large"
    );
    let twice = s.bounds(copies[1]);
    assert_eq!(twice.center(), pivot + DVec3::X * 512.0);
    assert_eq!(
        twice.size(),
        DVec3::new(384.0, 128.0, 256.0),
        "half a turn, four times"
    );
    // About another axis.
    let (mut s, pivot) = array_of_a_plank();
    set(&mut s, "count", OptionValue::Number(1.0));
    set(&mut s, "offset", OptionValue::Vector(DVec3::Y * 128.0));
    set(&mut s, "rotation", OptionValue::Number(90.0));
    set(&mut s, "axis", OptionValue::Index(0));
    s.key("Enter");
    let copy = s.bounds(s.selected()[0]);
    assert_eq!(copy.center(), pivot + DVec3::Y * 128.0);
    assert_eq!(copy.size(), DVec3::new(96.0, 64.0, 32.0));
}

#[test]
fn dup_2_copies_turn_with_the_path() {
    for along in [false, true] {
        let (mut s, pivot) = array_of_a_plank();
        set(&mut s, "count", OptionValue::Number(4.0));
        set(&mut s, "follow", OptionValue::Flag(along));
        s.click(TOP, pivot + DVec3::X * 192.0);
        s.click(TOP, pivot + DVec3::new(192.0, 0.0, 192.0));
        s.key("Enter");
        let copies = s.selected();
        let first = s.bounds(copies[0]);
        assert_eq!(first.center(), pivot + DVec3::X * 96.0);
        assert_eq!(first.size(), DVec3::new(96.0, 32.0, 64.0), "still ahead");
        let last = s.bounds(copies[3]);
        assert!(
            last.center()
                .distance(pivot + DVec3::new(192.0, 0.0, 192.0))
                < 1e-3
        );
        let turned = DVec3::new(64.0, 32.0, 96.0);
        let wanted = if along {
            turned
        } else {
            DVec3::new(96.0, 32.0, 64.0)
        };
        assert!(
            last.size().distance(wanted) < 1e-3,
            "{along}: {}",
            last.size()
        );
    }
}
