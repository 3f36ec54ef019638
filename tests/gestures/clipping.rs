//! The clip tool (CLP).

use super::*;
use mapwright::document::ops::clip;
use mapwright::editor::tools::options::OptionValue;
use mapwright::geometry::Plane;
use proptest::prelude::*;

fn volume(s: &Session, id: ObjectId) -> f64 {
    s.doc()
        .object(id)
        .and_then(Object::brush)
        .expect("brush")
        .hull()
        .volume()
}

/// The front stays by default; this keeps both parts.
fn keep_both(s: &mut Session) {
    s.editor.set_tool_option("keep", OptionValue::Index(2));
}

/// A block of 64 at the origin.
fn block() -> Session {
    let mut s = Session::new(|draft| {
        cube(draft, [0.0, 0.0, 0.0], [64.0, 64.0, 64.0]);
        cube(draft, [128.0, 0.0, 0.0], [192.0, 64.0, 64.0]);
    });
    s.select(&[id(1)]);
    s.move_to(TOP, DVec2::ONE);
    s.key("C");
    assert_eq!(s.editor.tool(), ToolKind::Clip);
    s
}

#[test]
fn clp_1_two_points_in_2d() {
    let mut s = block();
    s.click(TOP, DVec3::new(31.0, 0.0, -10.0));
    assert!(!s.editor.history().is_previewing(), "one point is no plane");
    s.click(TOP, DVec3::new(33.0, 0.0, 90.0));
    assert_eq!(
        s.editor.state().doc.object_count(),
        2,
        "the front stays by default"
    );
    keep_both(&mut s);
    let preview = s.editor.state().doc.clone();
    assert_eq!(preview.object_count(), 3, "both parts are shown");
    let overlay = s.editor.overlay(TOP);
    assert_eq!(overlay.handles.len(), 2);
    assert!(overlay.areas.iter().any(|area| area.alpha < 0.5));
    s.key("Enter");
    assert_eq!(s.labels(), ["Clip"]);
    assert_eq!(s.selected(), [id(1), id(3)]);
    let (a, b) = (s.bounds(id(1)), s.bounds(id(3)));
    assert_eq!(a.union(b).size(), DVec3::splat(64.0));
    assert_eq!((a.size().x, b.size().x), (32.0, 32.0), "on the grid");
    s.key("Ctrl+Z");
    assert_eq!((s.doc().object_count(), s.selected()), (2, vec![id(1)]));
}

#[test]
fn clp_1_measures_of_the_selection_give_way_to_the_points() {
    let mut s = block();
    let labels = |s: &Session| -> Vec<String> {
        let labels = s.editor.overlay(TOP).labels;
        labels.into_iter().map(|label| label.text).collect()
    };
    assert_eq!(labels(&s), ["64", "64", "64"], "of the block");
    s.click(TOP, DVec3::new(32.0, 0.0, -16.0));
    assert_eq!(labels(&s), Vec::<String>::new());
    s.click(TOP, DVec3::new(32.0, 0.0, 80.0));
    assert_eq!(labels(&s), ["front", "96"]);
    s.key("Esc");
    assert_eq!(labels(&s), ["64", "64", "64"]);
}

#[test]
fn clp_1_points_stick_to_faces_in_3d() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(VIEW_3D, DVec2::ONE);
    s.key("C");
    keep_both(&mut s);
    // Two points on the top: the plane holds the segment and the top's normal.
    s.drag(
        VIEW_3D,
        DVec3::new(-30.0, 64.0, 1.0),
        DVec3::new(30.0, 64.0, -1.0),
        Modifiers::NONE,
    );
    s.key("Enter");
    assert_eq!(s.labels(), ["Clip"]);
    assert_eq!(s.bounds(id(CRATE)).size(), DVec3::new(64.0, 64.0, 32.0));
    assert_eq!(volume(&s, id(CRATE)), volume(&s, id(3)));
}

#[test]
fn clp_1_three_points_are_exact_and_can_be_taken_back() {
    let mut s = block();
    keep_both(&mut s);
    s.click(TOP, DVec3::new(32.0, 0.0, 0.0));
    s.click(TOP, DVec3::new(32.0, 0.0, 64.0));
    s.click(FRONT, DVec3::new(64.0, 0.0, 0.0));
    assert_eq!(s.editor.overlay(TOP).handles.len(), 3);
    s.key("Del");
    assert_eq!(s.editor.overlay(TOP).handles.len(), 2);
    s.click(FRONT, DVec3::new(64.0, 0.0, 0.0));
    s.key("Enter");
    assert_eq!(s.labels(), ["Clip"]);
    let sum = volume(&s, id(1)) + volume(&s, id(3));
    assert!((sum - 64.0 * 64.0 * 64.0).abs() < 1e-3);
    assert!(volume(&s, id(1)) != volume(&s, id(3)), "a slant");
}

#[test]
fn clp_1_shift_keeps_8_directions_in_2d() {
    let mut s = block();
    keep_both(&mut s);
    s.drag(
        TOP,
        DVec3::new(0.0, 0.0, 0.0),
        DVec3::new(64.0, 0.0, 50.0),
        Modifiers::SHIFT,
    );
    let handles = s.editor.overlay(TOP).handles;
    let way = handles[1].at - handles[0].at;
    assert_eq!(way.x, way.z, "the diagonal");
    s.key("Enter");
    assert!((volume(&s, id(1)) / volume(&s, id(3)) - 1.0).abs() < 1e-6);
}

#[test]
fn clp_1_points_are_dragged_and_esc_gives_them_back() {
    let mut s = block();
    s.click(TOP, DVec3::new(32.0, 0.0, 0.0));
    s.click(TOP, DVec3::new(32.0, 0.0, 64.0));
    let before = s.editor.state().doc.clone();
    let (from, to) = (
        s.at(TOP, DVec3::new(32.0, 0.0, 64.0)),
        s.at(TOP, DVec3::new(48.0, 0.0, 64.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    assert_eq!(s.editor.overlay(TOP).handles[1].at.x, 48.0);
    assert!(
        s.editor
            .readout()
            .expect("numbers")
            .text
            .contains("cuts 1 of 1")
    );
    s.key("Esc");
    assert_eq!(s.editor.overlay(TOP).handles[1].at.x, 32.0);
    let shown = s.editor.state().doc.clone();
    let parts = |doc: &Document| -> Vec<Aabb> {
        doc.objects().map(|(_, object)| object.bounds()).collect()
    };
    assert_eq!(parts(&shown), parts(&before), "shown again");
    s.release(TOP, to);
    s.key("Esc");
    assert!(!s.editor.history().is_previewing(), "the points are gone");
    assert_eq!(s.editor.tool(), ToolKind::Clip);
    s.key("Esc");
    assert_eq!(s.editor.tool(), ToolKind::Select);
    assert!(s.labels().is_empty());
}

#[test]
fn clp_1_typed_coordinates() {
    let mut s = block();
    let (from, to) = (
        s.at(TOP, DVec3::new(32.0, 0.0, 0.0)),
        s.at(TOP, DVec3::new(32.0, 0.0, 64.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    for key in ["2", "0"] {
        s.key(key);
    }
    assert_eq!(s.editor.overlay(TOP).handles[1].at.x, 20.0);
    s.key("Enter");
    s.release(TOP, to);
    s.key("Enter");
    assert_eq!(s.labels(), ["Clip"]);
}

#[test]
fn clp_2_sides() {
    // Front, back, both, and the front again.
    for (presses, kept) in [(0, 1), (1, 1), (2, 2), (3, 1)] {
        let mut s = block();
        s.click(TOP, DVec3::new(16.0, 0.0, 0.0));
        s.click(TOP, DVec3::new(16.0, 0.0, 64.0));
        for _ in 0..presses {
            s.key("Tab");
        }
        let red = s
            .editor
            .overlay(TOP)
            .areas
            .iter()
            .filter(|area| area.role == mapwright::editor::overlay::Role::Refused)
            .count();
        assert_eq!(red > 0, kept == 1, "what goes is red");
        s.key("Enter");
        assert_eq!(s.doc().object_count(), kept + 1);
    }
    let size_after = |keys: &[&str]| {
        let mut s = block();
        s.click(TOP, DVec3::new(16.0, 0.0, 0.0));
        s.click(TOP, DVec3::new(16.0, 0.0, 64.0));
        for key in keys {
            s.key(key);
        }
        s.key("Enter");
        (s.bounds(id(1)).size().x, s.doc().object_count())
    };
    let (front, _) = size_after(&[]);
    let (back, _) = size_after(&["Tab"]);
    assert_eq!(front + back, 64.0, "front and back");
    assert_eq!(size_after(&["Ctrl+Enter"]), (back, 2), "the other key");
    assert_eq!(size_after(&["Tab", "Ctrl+Enter"]).1, 3, "both");
    assert_eq!(size_after(&["Tab", "Tab", "Tab"]), (front, 2), "anew");
}

#[test]
fn clp_3_a_face_s_own_plane_changes_nothing() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.move_to(VIEW_3D, DVec2::ONE);
    s.key("C");
    let before = s.doc().clone();
    s.double_click(VIEW_3D, ON_CRATE, Modifiers::NONE);
    assert_eq!(s.editor.overlay(VIEW_3D).handles.len(), 3);
    for _ in 0..3 {
        s.key("Enter");
        s.key("Tab");
    }
    assert!(s.doc().same(&before) && s.labels().is_empty());
    assert!(
        s.editor
            .status()
            .expect("why")
            .text
            .contains("crosses nothing")
    );
    // Nothing selected: the plane of the crate's top cuts what it crosses, which is nothing of the floor.
    s.editor.select(Selection::new());
    s.key("Enter");
    assert!(s.doc().same(&before));
}

#[test]
fn clp_3_double_click_on_a_point_applies() {
    let mut s = block();
    s.click(TOP, DVec3::new(32.0, 0.0, 0.0));
    s.click(TOP, DVec3::new(32.0, 0.0, 80.0));
    s.double_click(TOP, DVec3::new(32.0, 0.0, 80.0), Modifiers::NONE);
    assert_eq!(s.labels(), ["Clip"]);
}

#[test]
fn clp_3_clip_all_asks_above_200() {
    let mut s = Session::new(|draft| {
        for i in 0..201 {
            let z = f64::from(i) * 32.0;
            cube(draft, [0.0, 0.0, z], [32.0, 32.0, z + 16.0]);
        }
        cube(draft, [64.0, 0.0, 0.0], [96.0, 32.0, 32.0]);
    });
    s.move_to(TOP, DVec2::ONE);
    s.key("C");
    keep_both(&mut s);
    s.click(TOP, DVec3::new(16.0, 0.0, 0.0));
    s.click(TOP, DVec3::new(16.0, 0.0, 64.0));
    s.key("Enter");
    assert!(s.labels().is_empty());
    assert!(
        s.editor
            .status()
            .expect("asks")
            .text
            .contains("201 objects")
    );
    s.key("Enter");
    assert_eq!(s.labels(), ["Clip"]);
    assert_eq!(s.doc().object_count(), 403);
    assert!(s.selected().is_empty());
}

#[test]
fn clp_3_only_what_the_plane_crosses_is_touched() {
    let side = 40;
    let mut s = Session::new(|draft| {
        for i in 0..side * side {
            let at = DVec3::new(f64::from(i % side), 0.0, f64::from(i / side)) * 64.0;
            cube(draft, at.to_array(), (at + DVec3::splat(32.0)).to_array());
        }
    });
    s.move_to(TOP, DVec2::ONE);
    s.key("C");
    keep_both(&mut s);
    // Nothing is selected: the row of blocks at x = 0 .. 32 is cut.
    s.click(TOP, DVec3::new(16.0, 0.0, 0.0));
    s.click(TOP, DVec3::new(16.0, 0.0, 64.0));
    let before = s.doc().clone();
    assert_eq!(
        s.editor.state().doc.changes_since(&before).count(),
        2 * side as usize,
        "parts in place and new ones"
    );
}

#[test]
fn clp_3_new_faces_take_the_current_material() {
    let mut s = Session::new(|draft| {
        let brick = draft.insert_material(Material::new("brick", "brick.png"));
        draft.insert_material(Material::new("stone", "stone.png"));
        cube_of(draft, [0.0, 0.0, 0.0], [64.0, 64.0, 64.0], Some(brick));
        draft.update(id(1), |object| {
            let brush = object.brush().expect("brush").clone();
            let mut faces = brush.faces().to_vec();
            faces[0].material = Some(MaterialId(1));
            faces[0].uv.offset = glam::Vec2::new(0.25, 0.5);
            object.kind = Kind::Brush(brush.with_surfaces(faces));
        });
    });
    s.select(&[id(1)]);
    s.editor.current_material = Some(Material::new("stone", "stone.png"));
    s.move_to(TOP, DVec2::ONE);
    s.key("C");
    keep_both(&mut s);
    s.click(TOP, DVec3::new(32.0, 0.0, 0.0));
    s.click(TOP, DVec3::new(32.0, 0.0, 64.0));
    s.key("Enter");
    for part in [id(1), id(2)] {
        let brush = s.doc().object(part).and_then(Object::brush).expect("part");
        let cut = brush.faces().last().expect("cut");
        assert_eq!(cut.material, Some(MaterialId(1)));
        assert_eq!(
            cut.uv.offset,
            glam::Vec2::new(0.25, 0.5),
            "as the nearest with it"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn clp_3_volumes_of_the_pieces_add_up(
        size in prop::array::uniform3(1u8..9),
        planes in prop::collection::vec(
            (prop::array::uniform3(-1.0..1.0f64), prop::array::uniform3(0.1..0.9f64)), 1..5),
    ) {
        let size = DVec3::new(f64::from(size[0]), f64::from(size[1]), f64::from(size[2])) * 32.0;
        let mut s = Session::new(|draft| {
            cube(draft, [0.0; 3], size.to_array());
        });
        let whole = size.x * size.y * size.z;
        let ids = |s: &Session| -> Vec<ObjectId> { s.doc().objects().map(|(id, _)| id).collect() };
        for (normal, at) in planes {
            let Some(plane) = Plane::through(DVec3::from(at) * size, DVec3::from(normal)) else {
                continue;
            };
            let edit = clip::clip(ids(&s), plane, clip::Keep::Both, None);
            s.editor.commit(&edit).expect("clips");
            s.check();
        }
        let sum: f64 = ids(&s).into_iter().map(|id| volume(&s, id)).sum();
        prop_assert!((sum / whole - 1.0).abs() < 1e-3, "{sum} {whole}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever way the brush lies, and in whichever direction it is cut.
    #[test]
    fn clp_3_tilted_brushes_are_cut_as_others(
        half in prop::array::uniform3(1u8..9),
        at in prop::array::uniform3(-64i32..64),
        turn in prop::array::uniform4(-1.0..1.0f64),
        taper in 0.2..1.0f64,
        normal in prop::array::uniform3(-1.0..1.0f64),
        through in prop::array::uniform3(-0.8..0.8f64),
    ) {
        let turn = glam::DQuat::from_array(turn);
        prop_assume!(turn.length() > 0.1 && DVec3::from(normal).length() > 0.1);
        let turn = turn.normalize();
        let half = DVec3::from(half.map(|v| f64::from(v) * 16.0));
        let at = DVec3::from(at.map(|v| f64::from(v) * 16.0));
        let mut points = Vec::new();
        for corner in Aabb::new(-half, half).corners() {
            let narrow = if corner.y > 0.0 { taper } else { 1.0 };
            points.push(at + turn * (corner * DVec3::new(narrow, 1.0, narrow)));
        }
        let brush = mapwright::document::ops::brushes::hull_brush(&points, Some(MaterialId(0))).expect("volume");
        let mut s = Session::new(|draft| {
            draft.insert_material(Material::new("brick", "brick.png"));
            draft.insert_material(Material::new("stone", "stone.png"));
            draft.insert(Object::new(Kind::Brush(brush)));
        });
        let before = s.doc().clone();
        let whole = before.object(id(1)).and_then(Object::brush).expect("brush").clone();
        // A plane of one of its own faces cuts nothing off, from either side.
        for face in whole.faces() {
            for plane in [face.plane, face.plane.flipped()] {
                for keep in clip::Keep::ALL {
                    let edit = clip::clip(vec![id(1)], plane, keep, None);
                    // It may be refused or do nothing.
                    let _ = s.editor.commit(&edit);
                    prop_assert!(s.doc().same(&before));
                }
            }
        }
        let point = at + turn * (DVec3::from(through) * half * DVec3::new(taper, 1.0, taper));
        let plane = Plane::through(point, DVec3::from(normal)).expect("a plane");
        let parts = |s: &mut Session, keep| {
            let stone = Material::new("stone", "stone.png");
            s.editor.commit(&clip::clip(vec![id(1)], plane, keep, Some(stone))).expect("crossed");
            s.check();
            let parts: Vec<Brush> = s.doc().objects().filter_map(|(_, object)| object.brush().cloned()).collect();
            s.key("Ctrl+Z");
            parts
        };
        let both = parts(&mut s, clip::Keep::Both);
        prop_assert_eq!(both.len(), 2);
        let sum: f64 = both.iter().map(|part| part.hull().volume()).sum();
        prop_assert!((sum / whole.hull().volume() - 1.0).abs() < 1e-3, "{} of {}", sum, whole.hull().volume());
        for (keep, sign) in [(clip::Keep::Front, 1.0), (clip::Keep::Back, -1.0)] {
            let kept = parts(&mut s, keep);
            prop_assert_eq!(kept.len(), 1);
            prop_assert!(both.contains(&kept[0]), "the same part as of both");
            for &corner in kept[0].hull().points() {
                prop_assert!(plane.unit().expect("a direction").distance(corner) * sign > -0.01);
            }
            // One new face, in the plane, with the current material; the others are as they were, on the same planes.
            let new: Vec<_> = kept[0].faces().iter().filter(|face| !whole.faces().contains(face)).collect();
            prop_assert_eq!(new.len(), 1);
            prop_assert_eq!(new[0].material, Some(MaterialId(1)));
            prop_assert!(new[0].plane.normal.normalize().dot(plane.normal.normalize()) * sign < -0.999_99);
        }
        prop_assert!(s.doc().same(&before), "undone");
    }
}

#[test]
fn clp_2_tab_turns_the_sides_while_points_are_dragged() {
    let mut s = block();
    let (from, to) = (
        s.at(TOP, DVec3::new(16.0, 0.0, -10.0)),
        s.at(TOP, DVec3::new(16.0, 0.0, 90.0)),
    );
    s.press(TOP, from);
    s.move_to(TOP, to);
    let shown = |s: &Session| s.editor.state().doc.object_count();
    let front = s.editor.state().doc.object(id(1)).expect("shown").bounds();
    s.key("Tab");
    let back = s.editor.state().doc.object(id(1)).expect("shown").bounds();
    assert_eq!(front.size().x + back.size().x, 64.0);
    assert_eq!(shown(&s), 2);
    s.key("Tab");
    assert_eq!(shown(&s), 3);
    assert!(s.editor.is_dragging());
    s.release(TOP, to);
    s.key("Enter");
    assert_eq!((s.labels(), s.doc().object_count()), (vec!["Clip"], 3));
}

#[test]
fn clp_1_points_of_2d_views_lie_at_the_side_of_the_selection_nearest_to_the_viewer() {
    let mut s = block();
    s.click(TOP, DVec3::new(31.0, 0.0, 0.0));
    s.click(TOP, DVec3::new(32.0, 0.0, 65.0));
    s.click(FRONT, DVec3::new(64.0, 15.0, 0.0));
    let mut places: Vec<DVec3> = s
        .editor
        .overlay(TOP)
        .handles
        .iter()
        .map(|handle| handle.at)
        .collect();
    places.sort_by(|a, b| {
        (a.y, a.x, a.z)
            .partial_cmp(&(b.y, b.x, b.z))
            .expect("numbers")
    });
    assert_eq!(
        places,
        [
            DVec3::new(64.0, 16.0, 64.0),
            DVec3::new(32.0, 64.0, 0.0),
            DVec3::new(32.0, 64.0, 64.0),
        ]
    );
}
