//! Handles on vertices, edges and faces (VTX-1 to VTX-7).

use mapwright::document::ops::components::Shape;
use mapwright::editor::tools::options::OptionKind;
use mapwright::editor::tools::options::OptionValue;

use super::*;

fn shape(s: &Session, number: u32) -> Shape {
    Shape::of_object(s.doc(), id(number)).expect("a shape")
}

fn has(s: &Session, number: u32, point: [f64; 3]) -> bool {
    shape(s, number).points.contains(&DVec3::from_array(point))
}

fn picks(s: &Session) -> Vec<Pick> {
    s.editor
        .selection()
        .iter()
        .copied()
        .filter(|pick| !matches!(pick, Pick::Object(_)))
        .collect()
}

/// The floor and the crate, the crate selected, a tool in hand, seen so that no two of its corners hide each other.
fn session(tool: &str) -> Session {
    let mut s = Session::new(floor_and_crate);
    s.look_from(DVec3::new(60.0, 170.0, 200.0), -35.0, 12.0);
    s.select(&[id(CRATE)]);
    s.key(tool);
    s
}

const CORNER: DVec3 = DVec3::new(32.0, 64.0, 32.0);

#[test]
fn vtx_1_handles_are_picked_by_click_and_rectangle() {
    let mut s = session("V");
    assert_eq!(s.editor.tool(), ToolKind::Vertex);
    assert_eq!(s.editor.overlay(VIEW_3D).handles.len(), 8);
    s.click(VIEW_3D, CORNER);
    assert_eq!(picks(&s).len(), 1);
    s.click_with(VIEW_3D, DVec3::new(-32.0, 64.0, 32.0), Modifiers::CTRL);
    assert_eq!(picks(&s).len(), 2);
    s.click_with(VIEW_3D, CORNER, Modifiers::CTRL);
    assert_eq!(picks(&s).len(), 1, "and off again");
    assert_eq!(s.selected(), [id(CRATE)]);
    // Selections of handles are part of the history of selections.
    s.key("Ctrl+[");
    assert_eq!(picks(&s).len(), 2);
    s.key("Ctrl+]");
    assert_eq!(picks(&s).len(), 1);
    // A rectangle round the two corners in front on top.
    let (a, b) = (
        s.at(VIEW_3D, DVec3::new(-32.0, 64.0, 32.0)) + DVec2::new(-20.0, 15.0),
        s.at(VIEW_3D, CORNER) + DVec2::new(20.0, -15.0),
    );
    s.press(VIEW_3D, a);
    s.move_to(VIEW_3D, a.lerp(b, 0.5));
    s.move_to(VIEW_3D, b);
    s.release(VIEW_3D, b);
    assert_eq!(picks(&s).len(), 2);
    s.hold(Modifiers::CTRL_SHIFT);
    s.press(VIEW_3D, a);
    s.move_to(VIEW_3D, b);
    s.release(VIEW_3D, b);
    s.hold(Modifiers::NONE);
    assert!(picks(&s).is_empty());
    s.double_click(VIEW_3D, CORNER, Modifiers::NONE);
    assert_eq!(picks(&s).len(), 4, "the plane that faces the viewer");
    s.key("Esc");
    assert!(picks(&s).is_empty());
    assert_eq!(s.editor.tool(), ToolKind::Vertex);
    s.key("Esc");
    assert_eq!(s.editor.tool(), ToolKind::Select);
    assert_eq!(s.selected(), [id(CRATE)]);
    assert!(s.labels().is_empty(), "picking is no step");
}

#[test]
fn vtx_1_coincident_handles_are_one() {
    let mut s = Session::new(|draft| {
        cube(draft, [0.0, 0.0, 0.0], [64.0, 64.0, 64.0]);
        cube(draft, [64.0, 0.0, 0.0], [128.0, 64.0, 64.0]);
    });
    s.select(&[id(1), id(2)]);
    s.key("V");
    assert_eq!(s.editor.overlay(TOP).handles.len(), 12);
    // In a 2D view those that lie behind each other are taken together.
    s.drag(
        TOP,
        DVec3::new(64.0, 0.0, 64.0),
        DVec3::new(64.0, 0.0, 96.0),
        Modifiers::NONE,
    );
    assert_eq!(picks(&s).len(), 4);
    for number in [1, 2] {
        assert!(has(&s, number, [64.0, 64.0, 96.0]) && has(&s, number, [64.0, 0.0, 96.0]));
    }
    assert_eq!(s.labels(), ["Move vertices"]);
    s.key("E");
    assert_eq!(s.editor.tool(), ToolKind::Edge);
    assert_eq!(picks(&s).len(), 2, "the edge between them, of both brushes");
    s.key("F");
    s.key("F");
    assert_eq!(s.editor.tool(), ToolKind::Select);
    assert!(picks(&s).is_empty());
}

#[test]
fn vtx_2_move_and_snap() {
    let mut s = session("V");
    let before = s.doc().clone();
    // Horizontally, in steps of the grid.
    s.drag(
        VIEW_3D,
        CORNER,
        CORNER + DVec3::new(17.0, 0.0, 30.0),
        Modifiers::NONE,
    );
    assert!(has(&s, CRATE, [48.0, 64.0, 64.0]), "{:?}", shape(&s, CRATE));
    assert_eq!(s.labels(), ["Move vertices"]);
    assert_eq!(picks(&s).len(), 1, "it is picked where it is now");
    s.key("Left");
    s.key("Left");
    s.key("PgDn");
    assert!(has(&s, CRATE, [16.0, 48.0, 64.0]), "{:?}", shape(&s, CRATE));
    assert_eq!(
        s.labels(),
        ["Move vertices", "Move vertices"],
        "nudges fold"
    );
    s.key("Ctrl+Z");
    s.key("Ctrl+Z");
    assert!(s.doc().same(&before));
    // There and back in one drag is no step.
    let (from, to) = (
        s.at(VIEW_3D, CORNER),
        s.at(VIEW_3D, CORNER + DVec3::X * 40.0),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    assert!(!s.editor.state().doc.same(&before));
    s.move_to(VIEW_3D, from);
    s.release(VIEW_3D, from);
    assert!(s.doc().same(&before) && s.editor.state().doc.same(&before));
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    s.key("Esc");
    assert!(s.editor.state().doc.same(&before), "bit for bit");
    s.release(VIEW_3D, to);
    assert!(s.labels().is_empty());
}

#[test]
fn vtx_2_ctrl_is_absolute_and_alt_vertical() {
    let mut s = Session::new(|draft| {
        cube(draft, [3.0, 0.0, 3.0], [61.0, 64.0, 61.0]);
    });
    s.look_from(DVec3::new(90.0, 170.0, 230.0), -35.0, 12.0);
    s.select(&[id(1)]);
    s.key("V");
    let corner = DVec3::new(61.0, 64.0, 61.0);
    let (from, to) = (
        s.at(VIEW_3D, corner),
        s.at(VIEW_3D, corner + DVec3::new(20.0, 0.0, 18.0)),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    let preview = |s: &Session| Shape::of_object(&s.editor.state().doc, id(1)).expect("shape");
    assert!(
        preview(&s).points.contains(&DVec3::new(77.0, 64.0, 77.0)),
        "relative"
    );
    s.hold(Modifiers::CTRL);
    assert!(
        preview(&s).points.contains(&DVec3::new(80.0, 64.0, 80.0)),
        "absolute"
    );
    s.hold(Modifiers::NONE);
    s.release(VIEW_3D, to);
    let corner = DVec3::new(77.0, 64.0, 77.0);
    s.drag(VIEW_3D, corner, corner + DVec3::Y * 33.0, Modifiers::ALT);
    assert!(has(&s, 1, [77.0, 96.0, 77.0]), "{:?}", shape(&s, 1));
}

#[test]
fn vtx_2_the_position_field() {
    let mut s = session("V");
    s.click(VIEW_3D, CORNER);
    s.click_with(VIEW_3D, DVec3::new(-32.0, 64.0, 32.0), Modifiers::CTRL);
    let options = s.editor.tool_options();
    let field = options.first().expect("a field");
    assert_eq!(field.kind, OptionKind::Vector);
    assert_eq!(
        field.value,
        OptionValue::Mixed([None, Some(64.0), Some(32.0)])
    );
    s.editor
        .set_tool_option(field.id, OptionValue::Typed(1, "80".to_owned()));
    s.editor
        .set_tool_option(field.id, OptionValue::Typed(0, "+8".to_owned()));
    assert!(has(&s, CRATE, [40.0, 80.0, 32.0]) && has(&s, CRATE, [-24.0, 80.0, 32.0]));
    s.editor
        .set_tool_option(field.id, OptionValue::Typed(0, "eight".to_owned()));
    assert_eq!(
        s.editor.status().expect("said").kind,
        mapwright::editor::StatusKind::Refused
    );
    assert_eq!(s.labels(), ["Move vertices", "Move vertices"]);
}

#[test]
fn vtx_3_brushes_stay_convex() {
    let mut s = session("V");
    // Two corners of the top, lowered, then pushed towards the middle: there they would end inside.
    s.click(VIEW_3D, CORNER);
    s.click_with(VIEW_3D, DVec3::new(32.0, 64.0, -32.0), Modifiers::CTRL);
    s.key("PgDn");
    s.key("PgDn");
    let corner = DVec3::new(32.0, 32.0, 32.0);
    let (from, to) = (
        s.at(VIEW_3D, corner),
        s.at(VIEW_3D, corner - DVec3::X * 47.0),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    let readout = s.editor.overlay(VIEW_3D).readout.expect("a readout");
    assert!(readout.refused, "{readout:?}");
    assert!(readout.text.contains("end inside the brush"), "{readout:?}");
    s.release(VIEW_3D, to);
    assert!(
        has(&s, CRATE, [16.0, 32.0, 32.0]) && has(&s, CRATE, [16.0, 32.0, -32.0]),
        "the last allowed place: {:?}",
        shape(&s, CRATE)
    );
    assert_eq!(shape(&s, CRATE).points.len(), 8);
    assert_eq!(s.labels(), ["Move vertices", "Move vertices"]);
}

#[test]
fn vtx_3_a_single_vertex_may_be_absorbed() {
    let mut s = session("V");
    s.drag(
        VIEW_3D,
        CORNER,
        CORNER - DVec3::new(40.0, 0.0, 40.0),
        Modifiers::NONE,
    );
    let made = shape(&s, CRATE);
    assert_eq!((made.points.len(), made.faces.len()), (7, 7));
    assert!(picks(&s).is_empty(), "it is gone");
    assert_eq!(s.labels(), ["Move vertices"]);
}

#[test]
fn vtx_3_the_drag_ends_where_the_vertex_is_absorbed() {
    let mut s = session("V");
    let before = s.doc().clone();
    let points: Vec<DVec2> = [0.0, 8.0, 40.0, 16.0, 0.0, -64.0]
        .map(|way| s.at(VIEW_3D, CORNER - DVec3::new(way, 0.0, way)))
        .to_vec();
    s.press(VIEW_3D, points[0]);
    s.move_to(VIEW_3D, points[2]);
    let shown = s.editor.state().doc.clone();
    let readout = s.editor.overlay(VIEW_3D).readout.expect("a readout");
    assert!(
        !readout.refused && readout.text.contains("part of the brush now"),
        "{readout:?}"
    );
    // Back again and beyond, with a modifier: nothing moves any more.
    for &at in &points[3..] {
        s.move_to(VIEW_3D, at);
        s.hold(Modifiers::ALT);
        assert!(s.editor.state().doc.same(&shown), "the preview stays");
        s.hold(Modifiers::NONE);
    }
    // Nor can numbers be typed: the digits are the grid's again.
    s.key("8");
    assert!(!s.editor.is_entering() && s.editor.state().doc.same(&shown));
    s.key("5");
    assert!(
        s.editor.overlay(VIEW_3D).handles.len() == 7,
        "no handle where it was"
    );
    s.release(VIEW_3D, points[5]);
    assert_eq!(s.labels(), ["Move vertices"]);
    let made = shape(&s, CRATE);
    assert_eq!((made.points.len(), made.faces.len()), (7, 7));
    assert!(picks(&s).is_empty());
    s.move_to(VIEW_3D, points[0]);
    assert_eq!(s.labels(), ["Move vertices"], "until the next press");
    s.key("Ctrl+Z");
    assert!(s.doc().same(&before), "one step");
    // Esc before the release is a cancelled drag like any other.
    s.press(VIEW_3D, points[0]);
    s.move_to(VIEW_3D, points[2]);
    s.key("Esc");
    s.release(VIEW_3D, points[5]);
    assert!(s.doc().same(&before) && s.labels().is_empty());
    // The next press drags as usual.
    s.press(VIEW_3D, points[0]);
    s.move_to(VIEW_3D, points[5]);
    s.release(VIEW_3D, points[5]);
    assert!(has(&s, CRATE, [96.0, 64.0, 96.0]), "{:?}", shape(&s, CRATE));
}

#[test]
fn vtx_3_a_number_that_is_being_typed_does_not_end_the_drag() {
    // Onto the next corner it is absorbed; that need not be the last that is typed.
    let mut s = session("V");
    let from = s.at(VIEW_3D, CORNER);
    s.press(VIEW_3D, from);
    let beside = s.at(VIEW_3D, CORNER + DVec3::X * 16.0);
    s.move_to(VIEW_3D, beside);
    for key in ["-", "6", "4"] {
        s.key(key);
    }
    let shown = s
        .editor
        .state()
        .doc
        .object(id(CRATE))
        .and_then(Object::brush);
    assert_eq!(
        shown.expect("a brush").hull().points().len(),
        7,
        "{:?}",
        s.editor.readout()
    );
    for key in ["Backspace", "Backspace", "Backspace", "6", "4"] {
        s.key(key);
    }
    s.key("Enter");
    s.release(VIEW_3D, from);
    assert!(has(&s, CRATE, [96.0, 64.0, 32.0]), "{:?}", shape(&s, CRATE));
    assert_eq!(s.labels(), ["Move vertices"]);
}

#[test]
fn vtx_3_quads_are_split_and_faces_keep_their_material() {
    let mut s = Session::new(|draft| {
        let wall = draft.insert_material(Material::new("wall", "wall.png"));
        let top = draft.insert_material(Material::new("top", "top.png"));
        let made = cube_of(draft, [0.0; 3], [64.0; 3], Some(wall));
        draft.update(made, |object| {
            let Kind::Brush(brush) = &object.kind else {
                return;
            };
            let mut faces = brush.faces().to_vec();
            faces[2].material = Some(top);
            object.kind = Kind::Brush(brush.with_surfaces(faces));
        });
    });
    s.look_from(DVec3::new(100.0, 200.0, 240.0), -35.0, 12.0);
    s.select(&[id(1)]);
    s.key("V");
    let corner = DVec3::splat(64.0);
    s.drag(VIEW_3D, corner, corner + DVec3::Y * 32.0, Modifiers::ALT);
    let brush = s
        .doc()
        .object(id(1))
        .and_then(Object::brush)
        .expect("brush");
    assert_eq!(brush.faces().len(), 7, "the top is two triangles");
    let tops = brush
        .faces()
        .iter()
        .filter(|face| face.material == Some(MaterialId(1)))
        .count();
    assert_eq!(tops, 2);
    assert!(brush.faces().iter().all(|face| face.material.is_some()));
}

#[test]
fn lock_2_uv_lock_keeps_texture_coordinates() {
    for locked in [true, false] {
        let mut s = session("F");
        s.editor.settings.uv_lock = locked;
        let uv_at = |s: &Session, face_y: f64, point: DVec3| {
            let brush = s
                .doc()
                .object(id(CRATE))
                .and_then(Object::brush)
                .expect("brush");
            let face = brush
                .faces()
                .iter()
                .find(|face| face.plane.normal.y == face_y)
                .expect("the face");
            face.frame(glam::Vec2::splat(64.0)).at(point)
        };
        let corners: Vec<DVec3> = s
            .doc()
            .object(id(CRATE))
            .and_then(Object::brush)
            .expect("brush")
            .hull()
            .points()
            .iter()
            .copied()
            .filter(|point| point.y == 64.0)
            .collect();
        let before: Vec<DVec2> = corners.iter().map(|&at| uv_at(&s, 1.0, at)).collect();
        s.click(VIEW_3D, DVec3::new(0.0, 64.0, 0.0));
        s.key("Right");
        assert_eq!(s.labels(), ["Move faces"]);
        for (&corner, before) in corners.iter().zip(before) {
            let moved = uv_at(&s, 1.0, corner + DVec3::X * 16.0);
            let held = moved.distance(before) < 1e-6;
            assert_eq!(
                held,
                locked,
                "{corner} {moved} {before} {:?}",
                shape(&s, CRATE)
            );
        }
    }
}

#[test]
fn vtx_4_add_remove_and_fuse() {
    let mut s = session("V");
    let before = s.doc().clone();
    // Out of the top.
    let on_top = DVec3::new(0.0, 64.0, 0.0);
    s.drag(VIEW_3D, on_top, on_top + DVec3::Y * 34.0, Modifiers::SHIFT);
    assert_eq!(s.labels(), ["Add vertex"]);
    assert!(has(&s, CRATE, [0.0, 96.0, 0.0]), "{:?}", shape(&s, CRATE));
    assert_eq!(shape(&s, CRATE).points.len(), 9);
    assert_eq!(picks(&s).len(), 1, "the new one is picked");
    s.key("Del");
    assert_eq!(shape(&s, CRATE).points.len(), 8);
    assert_eq!(s.labels(), ["Add vertex", "Delete vertices"]);
    s.key("Ctrl+Z");
    s.key("Ctrl+Z");
    assert!(s.doc().same(&before));
    // Into the brush it cannot be pulled.
    s.drag(VIEW_3D, on_top, on_top - DVec3::Y * 34.0, Modifiers::SHIFT);
    assert!(s.doc().same(&before));
    // Out of an edge.
    let on_edge = DVec3::new(0.0, 64.0, 32.0);
    s.drag(
        VIEW_3D,
        on_edge,
        on_edge + DVec3::Z * 30.0,
        Modifiers::SHIFT,
    );
    assert!(has(&s, CRATE, [0.0, 64.0, 64.0]), "{:?}", shape(&s, CRATE));
    s.key("Ctrl+Z");
    // One onto another.
    s.click(VIEW_3D, CORNER);
    s.click_with(
        VIEW_3D,
        DVec3::new(-32.0, 64.0, 32.0),
        Modifiers {
            shift: true,
            alt: true,
            ctrl: false,
        },
    );
    assert_eq!(s.labels(), ["Fuse vertices"]);
    assert_eq!(shape(&s, CRATE).points.len(), 7);
}

#[test]
fn vtx_4_what_has_no_volume_is_refused() {
    let mut s = session("V");
    let before = s.doc().clone();
    s.double_click(VIEW_3D, CORNER, Modifiers::NONE);
    s.key("Del");
    assert!(s.doc().same(&before));
    let status = s.editor.status().expect("said");
    assert!(
        status.text.contains("Nothing would be left"),
        "{}",
        status.text
    );
}

#[test]
fn vtx_2_edges_and_faces_move() {
    let mut s = session("E");
    assert_eq!(s.editor.overlay(VIEW_3D).handles.len(), 12);
    let middle = DVec3::new(32.0, 64.0, 0.0);
    s.drag(VIEW_3D, middle, middle + DVec3::X * 31.0, Modifiers::NONE);
    assert!(has(&s, CRATE, [64.0, 64.0, 32.0]) && has(&s, CRATE, [64.0, 64.0, -32.0]));
    s.key("F");
    assert_eq!(s.editor.overlay(VIEW_3D).handles.len(), 6);
    let top = DVec3::new(16.0, 64.0, 0.0);
    s.drag(VIEW_3D, top, top + DVec3::Y * 20.0, Modifiers::ALT);
    assert_eq!(s.bounds(id(CRATE)).max.y, 80.0);
    assert_eq!(s.labels(), ["Move edges", "Move faces"]);
    // Undo gives back what was picked with the shape.
    s.key("Ctrl+Z");
    s.key("Ctrl+Z");
    assert_eq!(s.bounds(id(CRATE)).max, DVec3::new(32.0, 64.0, 32.0));
}

#[test]
fn typed_numbers_move_handles() {
    let mut s = session("V");
    let (from, to) = (
        s.at(VIEW_3D, CORNER),
        s.at(VIEW_3D, CORNER + DVec3::X * 40.0),
    );
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, to);
    s.key("5");
    s.key("Enter");
    s.release(VIEW_3D, to);
    let made = shape(&s, CRATE);
    assert!(made.points.iter().any(|point| point.x == 37.0), "{made:?}");
}

#[test]
fn vtx_4_split() {
    let mut s = session("V");
    s.click(VIEW_3D, CORNER);
    s.click_with(VIEW_3D, DVec3::new(-32.0, 64.0, -32.0), Modifiers::CTRL);
    s.key("K");
    assert_eq!(s.labels(), ["Split"]);
    assert_eq!(s.selected(), [id(CRATE), id(3)], "both parts are selected");
    for number in [CRATE, 3] {
        let part = shape(&s, number);
        assert_eq!((part.points.len(), part.faces.len()), (6, 5));
    }
    s.key("Ctrl+Z");
    s.key("Ctrl+A");
    s.key("K");
    let status = s.editor.status().expect("said");
    assert_eq!(status.kind, mapwright::editor::StatusKind::Refused);
}

#[test]
fn vtx_6_snap_to_integers_and_grid() {
    let mut s = Session::new(|draft| {
        cube(draft, [0.25, 0.0, 3.0], [61.5, 64.0, 61.0]);
        // Thinner than the grid: there nothing would be left of it.
        cube(draft, [200.0, 0.0, 0.0], [202.0, 64.0, 64.0]);
    });
    s.select(&[id(1), id(2)]);
    s.key("Ctrl+Shift+V");
    assert_eq!(s.bounds(id(1)).min, DVec3::new(0.0, 0.0, 3.0));
    assert_eq!(s.bounds(id(1)).max, DVec3::new(62.0, 64.0, 61.0));
    assert_eq!(s.labels(), ["Snap vertices"]);
    s.key("Ctrl+Alt+Shift+V");
    assert_eq!(s.bounds(id(1)), Aabb::new(DVec3::ZERO, DVec3::splat(64.0)));
    assert_eq!(s.bounds(id(2)).max.x, 202.0, "left alone");
    let listed =
        s.editor.problems().iter().any(|problem| {
            problem.issue.code == "C-NO-SNAP" && problem.issue.object == Some(id(2))
        });
    assert!(listed, "and listed");
    assert_eq!(s.labels(), ["Snap vertices", "Snap vertices"]);
}

#[test]
fn vtx_7_bevel_stays_live() {
    let mut s = session("E");
    s.click(VIEW_3D, DVec3::new(32.0, 64.0, 0.0));
    s.key("Alt+B");
    assert_eq!(s.labels(), ["Bevel"]);
    assert_eq!(shape(&s, CRATE).faces.len(), 7);
    assert!(has(&s, CRATE, [16.0, 64.0, 32.0]) && has(&s, CRATE, [32.0, 48.0, 32.0]));
    let ids: Vec<&str> = s.editor.tool_options().iter().map(|o| o.id).collect();
    assert_eq!(ids, ["position", "width", "segments"]);
    s.editor
        .set_tool_option("segments", OptionValue::Number(4.0));
    assert_eq!(shape(&s, CRATE).faces.len(), 10);
    s.editor.set_tool_option("width", OptionValue::Number(8.0));
    assert!(has(&s, CRATE, [24.0, 64.0, 32.0]), "{:?}", shape(&s, CRATE));
    assert_eq!(s.labels(), ["Bevel"], "the same step");
    // Too wide is refused and changes nothing.
    let before = s.doc().clone();
    s.editor
        .set_tool_option("width", OptionValue::Number(500.0));
    assert!(s.doc().equals(&before));
    s.key("Ctrl+Z");
    assert_eq!(shape(&s, CRATE).faces.len(), 6);
}

#[test]
fn vtx_3_what_a_drag_through_the_brush_shows_can_be_made() {
    // Onto the other side of the brush and beyond it. The finer the grid, the thinner the brush that is shown on the way.
    for (tool, grid, snap) in [
        ("E", 0.125, true),
        ("F", 0.125, true),
        ("E", 16.0, false),
        ("F", 16.0, false),
    ] {
        for reach in [-84.4, -84.3, -84.2, -64.0, -200.0] {
            let mut s = Session::new(floor_and_crate);
            s.editor.set_grid(grid);
            s.editor.grid.enabled = snap;
            s.select(&[id(CRATE)]);
            s.move_to(TOP, DVec2::splat(5.0));
            s.key(tool);
            let side = match tool {
                "E" => DVec3::new(32.0, 64.0, 0.0),
                _ => DVec3::new(32.0, 32.0, 0.0),
            };
            let pulled = side + DVec3::new(20.3, 0.0, 7.7);
            s.drag(TOP, side, pulled, Modifiers::NONE);
            let (from, to) = (s.at(TOP, pulled), s.at(TOP, pulled + DVec3::X * reach));
            s.press(TOP, from);
            for step in 1..=5 {
                s.move_to(TOP, from.lerp(to, f64::from(step) / 5.0));
            }
            let state = s.editor.state();
            let shown = state.doc.object(id(CRATE)).expect("crate").bounds();
            s.release(TOP, to);
            let what = format!("{tool} {grid} {reach}: {:?}", s.editor.status());
            assert_eq!(s.labels().len(), 2, "{what}");
            let made = s.bounds(id(CRATE));
            assert!(
                made.max.distance(shown.max) < 1e-3,
                "{what}: {made:?} {shown:?}"
            );
            assert!(
                made.min.distance(shown.min) < 1e-3,
                "{what}: {made:?} {shown:?}"
            );
        }
    }
}

/// Press with `Shift`, on to each point in turn.
fn pulled(s: &mut Session, pane: usize, way: &[DVec3]) -> DVec2 {
    s.hold(Modifiers::SHIFT);
    let mut at = s.at(pane, way[0]);
    s.press(pane, at);
    for &point in &way[1..] {
        let to = s.at(pane, point);
        for step in 1..=4 {
            s.move_to(pane, at.lerp(to, f64::from(step) / 4.0));
        }
        at = to;
    }
    at
}

#[test]
fn vtx_4_pulls_go_where_the_pointer_goes() {
    // `Shift` at the press says that something is pulled, not that it stays on one axis.
    let on_edge = DVec3::new(0.0, 64.0, 32.0);
    let diagonal = DVec3::new(14.0, 0.0, 30.0);
    let mut s = session("V");
    s.drag(VIEW_3D, on_edge, on_edge + diagonal, Modifiers::SHIFT);
    assert_eq!(s.labels(), ["Add vertex"]);
    assert!(has(&s, CRATE, [16.0, 64.0, 64.0]), "{:?}", shape(&s, CRATE));
    // In 2D as well, out of an edge.
    let mut s = session("V");
    let right = DVec3::new(32.0, 64.0, 0.0);
    s.drag(
        TOP,
        right,
        right + DVec3::new(31.0, 0.0, 15.0),
        Modifiers::SHIFT,
    );
    let made = shape(&s, CRATE);
    let pulled_out = |point: &DVec3| (point.x, point.z) == (64.0, 16.0);
    assert!(made.points.iter().any(pulled_out), "{made:?}");
    // Let go and pressed again it is one axis.
    let mut s = session("V");
    let at = pulled(&mut s, VIEW_3D, &[on_edge, on_edge + diagonal]);
    s.hold(Modifiers::NONE);
    s.hold(Modifiers::SHIFT);
    s.release(VIEW_3D, at);
    s.hold(Modifiers::NONE);
    assert!(has(&s, CRATE, [0.0, 64.0, 64.0]), "{:?}", shape(&s, CRATE));
}

#[test]
fn vtx_4_typed_numbers_pull_along_the_normal() {
    let on_top = DVec3::new(0.0, 64.0, 0.0);
    let mut s = session("V");
    let at = pulled(&mut s, VIEW_3D, &[on_top, on_top + DVec3::Y * 20.0]);
    s.key("4");
    s.key("1");
    s.key("Enter");
    s.release(VIEW_3D, at);
    assert_eq!(s.labels(), ["Add vertex"]);
    assert!(has(&s, CRATE, [0.0, 105.0, 0.0]), "{:?}", shape(&s, CRATE));
}

#[test]
fn tex_1_splits_and_bevels_take_the_current_material() {
    let built = || {
        let mut s = Session::new(|draft| {
            let brick = draft.insert_material(Material::new("brick", ""));
            let stone = draft.insert_material(Material::new("stone", ""));
            cube_of(draft, [-32.0, 0.0, -32.0], [32.0, 64.0, 32.0], Some(brick));
            draft.update(id(1), |object| {
                let brush = object.brush().expect("brush").clone();
                let mut faces = brush.faces().to_vec();
                faces[3].material = Some(stone);
                faces[3].uv.offset = glam::Vec2::new(0.25, 0.5);
                object.kind = Kind::Brush(brush.with_surfaces(faces));
            });
        });
        s.look_from(DVec3::new(60.0, 170.0, 200.0), -35.0, 12.0);
        s.select(&[id(1)]);
        s
    };
    let cut_of = |s: &Session, number: u32| {
        let brush = s.doc().object(id(number)).and_then(Object::brush);
        let faces = brush.expect("a brush").faces();
        let slanted = |face: &&mapwright::document::Face| {
            face.plane.normal.abs().max_element() < 0.99 * face.plane.normal.length()
        };
        faces.iter().find(slanted).expect("the new face").clone()
    };
    let back = DVec3::new(-32.0, 64.0, -32.0);
    for (material, offset) in [
        ("stone", glam::Vec2::new(0.25, 0.5)),
        ("new", glam::Vec2::ZERO),
    ] {
        let mut s = built();
        s.editor.current_material = Some(Material::new(material, ""));
        s.key("V");
        s.click(VIEW_3D, CORNER);
        s.click_with(VIEW_3D, back, Modifiers::CTRL);
        s.key("K");
        assert_eq!(s.labels(), ["Split"]);
        for part in [1, 2] {
            let cut = cut_of(&s, part);
            assert_eq!(cut.material, s.doc().material_named(material), "{part}");
            assert!(cut.material.is_some());
            assert_eq!(cut.uv.offset, offset, "as the nearest with it");
        }
        let mut s = built();
        s.editor.current_material = Some(Material::new(material, ""));
        s.key("E");
        s.click(VIEW_3D, DVec3::new(32.0, 64.0, 0.0));
        s.key("Alt+B");
        assert_eq!(s.labels(), ["Bevel"]);
        let cut = cut_of(&s, 1);
        assert_eq!(cut.material, s.doc().material_named(material));
        assert_eq!(cut.uv.offset, offset, "as the nearest with it");
    }
    // Without one a bevel goes on as the face beside it, exact axes included.
    let mut draft = built().doc().edit();
    let axes = mapwright::geometry::UvAxes {
        u: DVec3::new(0.03, 0.0, 0.01),
        u_offset: 0.1,
        v: DVec3::new(0.0, 0.0, 0.02),
        v_offset: 0.2,
    };
    draft.update(id(1), |object| {
        let brush = object.brush().expect("brush").clone();
        let mut faces = brush.faces().to_vec();
        faces[2].axes = Some(axes);
        faces[0].axes = Some(mapwright::geometry::UvAxes {
            u: DVec3::new(0.0, 0.03, 0.01),
            ..axes
        });
        object.kind = Kind::Brush(brush.with_surfaces(faces));
    });
    let mut s = Session::new(|made| *made = draft);
    s.look_from(DVec3::new(60.0, 170.0, 200.0), -35.0, 12.0);
    s.select(&[id(1)]);
    s.key("E");
    s.click(VIEW_3D, DVec3::new(32.0, 64.0, 0.0));
    s.key("Alt+B");
    let cut = cut_of(&s, 1);
    let frame = cut.axes.expect("exact axes, as beside it");
    let tile = glam::Vec2::splat(64.0);
    let seams = [0, 2].map(|beside| {
        let brush = s
            .doc()
            .object(id(1))
            .and_then(Object::brush)
            .expect("brush");
        let other = brush.faces()[beside].frame(tile);
        let shared = if beside == 2 {
            DVec3::new(16.0, 64.0, 7.0)
        } else {
            DVec3::new(32.0, 48.0, 7.0)
        };
        other.at(shared).distance(frame.at(shared))
    });
    assert!(seams[0].min(seams[1]) < 1e-5, "{seams:?}");
}

#[test]
fn vtx_2_shift_is_one_axis() {
    let mut s = session("V");
    let way = DVec3::new(14.0, 0.0, 30.0);
    let (from, to) = (s.at(VIEW_3D, CORNER), s.at(VIEW_3D, CORNER + way));
    s.press(VIEW_3D, from);
    s.move_to(VIEW_3D, from.lerp(to, 0.5));
    s.move_to(VIEW_3D, to);
    let shown = |s: &Session| Shape::of_object(&s.editor.state().doc, id(CRATE)).expect("a shape");
    let free = CORNER + DVec3::new(16.0, 0.0, 32.0);
    assert!(shown(&s).points.contains(&free));
    s.hold(Modifiers::SHIFT);
    let along = CORNER + DVec3::Z * 32.0;
    assert!(shown(&s).points.contains(&along), "{:?}", shown(&s));
    s.hold(Modifiers::NONE);
    assert!(shown(&s).points.contains(&free), "free again");
    s.hold(Modifiers::SHIFT);
    s.release(VIEW_3D, to);
    s.hold(Modifiers::NONE);
    assert_eq!(s.labels(), ["Move vertices"]);
    assert!(shape(&s, CRATE).points.contains(&along));
}

#[test]
fn vtx_3_nearly_flat_pairs_are_not_split() {
    use mapwright::document::ops::components;
    use mapwright::document::ops::components::ComponentKind;
    for (by, faces) in [(0.004, 6), (1.0, 9)] {
        let mut s = session("V");
        s.click(VIEW_3D, CORNER);
        // Out of all three faces beside it.
        let edit = components::move_by(ComponentKind::Vertex, DVec3::splat(by), false);
        s.editor.commit(&edit).expect("moves");
        s.check();
        assert_eq!(shape(&s, CRATE).faces.len(), faces, "{by}");
        assert_eq!(shape(&s, CRATE).points.len(), 8);
    }
}

#[test]
fn vtx_3_only_what_coincides_is_merged() {
    use mapwright::document::ops::components;
    use mapwright::document::ops::components::ComponentKind;
    // Two corners of the top moved along the edges to the other two, nearly there.
    for (left, points) in [(0.5, 8), (0.05, 8), (0.004, 6)] {
        let mut s = session("V");
        s.click(VIEW_3D, CORNER);
        s.click_with(VIEW_3D, DVec3::new(32.0, 64.0, -32.0), Modifiers::CTRL);
        assert_eq!(picks(&s).len(), 2);
        let by = DVec3::NEG_X * (64.0 - left);
        let edit = components::move_by(ComponentKind::Vertex, by, false);
        s.editor.commit(&edit).expect("moves");
        s.check();
        assert_eq!(shape(&s, CRATE).points.len(), points, "{left}");
    }
}
