//! Push and pull, split, slide, stamp (EXT-1 to EXT-4).

use super::*;
use mapwright::document::Contents;
use mapwright::document::Face;
use mapwright::geometry::Plane;
use proptest::prelude::*;

const SPLIT: Modifiers = Modifiers::CTRL_SHIFT;
const SLIDE: Modifiers = Modifiers {
    shift: true,
    alt: true,
    ctrl: false,
};
const STAMP: Modifiers = Modifiers {
    shift: true,
    alt: true,
    ctrl: true,
};

fn brush(s: &Session, id: ObjectId) -> Brush {
    s.doc()
        .object(id)
        .and_then(Object::brush)
        .expect("brush")
        .clone()
}

fn volume(s: &Session, id: ObjectId) -> f64 {
    brush(s, id).hull().volume()
}

fn ids(s: &Session) -> Vec<ObjectId> {
    s.doc().objects().map(|(id, _)| id).collect()
}

/// A block with a sloped right side: x + y = 96 above y = 0, 64 high, left side at 0.
fn ramp(draft: &mut Draft) {
    let slope = DVec3::new(1.0, 1.0, 0.0).normalize();
    let planes = [
        Plane::new(DVec3::NEG_X, 0.0),
        Plane::new(DVec3::Y, 64.0),
        Plane::new(DVec3::NEG_Y, 0.0),
        Plane::new(DVec3::Z, 64.0),
        Plane::new(DVec3::NEG_Z, 0.0),
        Plane::through(DVec3::new(96.0, 0.0, 0.0), slope).expect("plane"),
    ];
    let faces = planes.map(|plane| Face::new(plane, None)).into();
    let brush = Brush::solid(Contents::SOLID, faces).expect("solid");
    draft.insert(Object::new(Kind::Brush(brush)));
}

#[test]
fn ext_1_corners_come_onto_the_grid() {
    let mut s = Session::new(ramp);
    s.select(&[id(1)]);
    // The slope is moved by its normal or by what puts a corner on a grid plane, whichever is nearer.
    s.drag(
        FRONT,
        DVec3::new(80.0, 16.0, 0.0),
        DVec3::new(88.0, 24.0, 0.0),
        Modifiers::SHIFT,
    );
    assert_eq!(s.labels(), ["Extrude"]);
    let corner = s.bounds(id(1)).max.x;
    assert_eq!(corner, 112.0, "16 along x are 11.3 along the normal");
    assert_eq!(brush(&s, id(1)).faces().len(), 6);
}

#[test]
fn ext_1_stops_where_a_face_would_vanish_and_says_so() {
    let mut s = Session::new(ramp);
    s.select(&[id(1)]);
    // Pulling the top up along the slope: at 96 nothing of it would be left.
    let (from, to) = (
        s.at(FRONT, DVec3::new(10.0, 64.0, 0.0)),
        s.at(FRONT, DVec3::new(10.0, 200.0, 0.0)),
    );
    s.hold(Modifiers::SHIFT);
    s.press(FRONT, from);
    s.move_to(FRONT, to);
    let readout = s.editor.readout().expect("numbers");
    assert!(
        readout.refused && readout.text.contains("vanish"),
        "{}",
        readout.text
    );
    s.release(FRONT, to);
    s.hold(Modifiers::NONE);
    assert_eq!(s.bounds(id(1)).max.y, 80.0);
    assert_eq!(brush(&s, id(1)).faces().len(), 6);
}

#[test]
fn ext_1_there_and_back_makes_no_step() {
    let mut s = Session::new(ramp);
    s.select(&[id(1)]);
    for modifiers in [Modifiers::SHIFT, SPLIT, SLIDE, STAMP] {
        let before = s.doc().clone();
        let (from, to) = (
            s.at(FRONT, DVec3::new(10.0, 62.0, 0.0)),
            s.at(FRONT, DVec3::new(10.0, 80.0, 0.0)),
        );
        s.hold(modifiers);
        s.press(FRONT, from);
        s.move_to(FRONT, to);
        assert!(!s.editor.state().doc.same(&before));
        s.move_to(FRONT, from);
        s.release(FRONT, from);
        s.hold(Modifiers::NONE);
        assert!(s.doc().same(&before) && s.labels().is_empty());
        s.hold(modifiers);
        s.press(FRONT, from);
        s.move_to(FRONT, to);
        s.key("Esc");
        assert!(s.editor.state().doc.same(&before));
        s.release(FRONT, to);
        s.hold(Modifiers::NONE);
        assert!(s.labels().is_empty());
    }
}

#[test]
fn ext_1_typed_distance() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let (from, to) = (
        s.at(TOP, DVec3::new(40.0, 0.0, 0.0)),
        s.at(TOP, DVec3::new(72.0, 0.0, 0.0)),
    );
    s.hold(Modifiers::SHIFT);
    s.press(TOP, from);
    s.move_to(TOP, to);
    s.hold(Modifiers::NONE);
    s.key("5");
    s.key("Enter");
    s.release(TOP, to);
    assert_eq!(s.bounds(id(CRATE)).max.x, 37.0);
}

#[test]
fn ext_2_split() {
    let mut s = Session::new(|draft| {
        draft.insert_material(Material::new("brick", "brick.png"));
        draft.insert_material(Material::new("stone", "stone.png"));
        floor_and_crate(draft);
        draft.update(id(CRATE), |object| {
            let bounds = object.bounds();
            let brush = Brush::cuboid(bounds, Some(MaterialId(0)));
            let mut faces = brush.faces().to_vec();
            faces[2].material = Some(MaterialId(1));
            object.kind = Kind::Brush(brush.with_surfaces(faces));
        });
    });
    s.select(&[id(CRATE)]);
    let old = brush(&s, id(CRATE));
    s.drag(VIEW_3D, ON_CRATE, ON_CRATE + DVec3::Y * 48.0, SPLIT);
    assert_eq!(s.labels(), ["Extrude split"]);
    assert_eq!(brush(&s, id(CRATE)), old, "outwards the old brush stays");
    assert_eq!(
        s.selected(),
        [id(3)],
        "the next split goes on from the new one"
    );
    assert_eq!(
        s.bounds(id(3)),
        Aabb::new(
            DVec3::new(-32.0, 64.0, -32.0),
            DVec3::new(32.0, 112.0, 32.0)
        )
    );
    for face in brush(&s, id(3)).faces() {
        let wanted = u32::from(face.plane.normal.y.abs() > 0.5);
        assert_eq!(face.material, Some(MaterialId(wanted)), "the same side's");
    }
    s.drag(
        VIEW_3D,
        DVec3::new(0.0, 112.0, 16.0),
        DVec3::new(0.0, 96.0, 16.0),
        SPLIT,
    );
    assert_eq!(s.selected(), [id(3), id(4)]);
    assert_eq!((s.bounds(id(3)).max.y, s.bounds(id(4)).min.y), (96.0, 96.0));
    assert_eq!(s.bounds(id(4)).max.y, 112.0);
    s.key("Ctrl+Z");
    s.key("Ctrl+Z");
    assert_eq!((s.doc().object_count(), s.selected()), (2, vec![id(CRATE)]));
}

#[test]
fn ext_3_slide() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    // In 2D freely: the top goes right and up, the sides tilt.
    s.drag(
        FRONT,
        DVec3::new(0.0, 68.0, 0.0),
        DVec3::new(32.0, 84.0, 0.0),
        SLIDE,
    );
    assert_eq!(s.labels(), ["Slide face"]);
    let top: Vec<DVec3> = brush(&s, id(CRATE))
        .hull()
        .points()
        .iter()
        .copied()
        .filter(|point| point.y > 40.0)
        .collect();
    assert_eq!(top.len(), 4);
    assert!(top.iter().all(|point| point.y == 80.0));
    let bounds = s.bounds(id(CRATE));
    assert_eq!((bounds.min.x, bounds.max.x), (-32.0, 64.0));
    // In 3D along the normal only.
    s.drag(
        VIEW_3D,
        DVec3::new(32.0, 80.0, 16.0),
        DVec3::new(32.0, 96.0, 16.0),
        SLIDE,
    );
    assert_eq!(s.bounds(id(CRATE)).max.y, 96.0);
    assert_eq!(s.bounds(id(CRATE)).max.x, 64.0);
}

#[test]
fn ext_3_stays_where_it_was_allowed() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    let (from, good, bad) = (
        s.at(FRONT, DVec3::new(0.0, 68.0, 0.0)),
        s.at(FRONT, DVec3::new(0.0, 20.0, 0.0)),
        s.at(FRONT, DVec3::new(0.0, -80.0, 0.0)),
    );
    s.hold(SLIDE);
    s.press(FRONT, from);
    s.move_to(FRONT, good);
    s.move_to(FRONT, bad);
    assert!(s.editor.readout().expect("numbers").refused);
    s.release(FRONT, bad);
    s.hold(Modifiers::NONE);
    assert_eq!(s.bounds(id(CRATE)).max.y, 16.0);
}

#[test]
fn ext_4_stamp() {
    let mut s = Session::new(ramp);
    s.select(&[id(1)]);
    let old = brush(&s, id(1));
    s.drag(
        FRONT,
        DVec3::new(10.0, 66.0, 0.0),
        DVec3::new(10.0, 98.0, 0.0),
        STAMP,
    );
    assert_eq!(s.labels(), ["Stamp"]);
    assert_eq!(brush(&s, id(1)), old);
    let bounds = s.bounds(id(2));
    assert_eq!(
        bounds,
        Aabb::new(DVec3::new(0.0, 64.0, 0.0), DVec3::new(32.0, 96.0, 64.0)),
        "straight, whatever the slope"
    );
    assert_eq!(s.selected(), [id(2)]);
}

#[test]
fn sel_6_split_drags_begin_on_the_selection_only() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.drag(VIEW_3D, ON_FLOOR, ON_FLOOR + DVec3::X * 40.0, SPLIT);
    assert_eq!(s.doc().object_count(), 2, "no brush is made beside it");
    assert!(s.labels().is_empty());
    s.click_with(VIEW_3D, ON_CRATE, Modifiers::SHIFT);
    s.drag(VIEW_3D, ON_CRATE, ON_CRATE + DVec3::Y * 16.0, SPLIT);
    assert_eq!(s.labels(), ["Extrude split"]);
    let faces: Vec<Pick> = s.editor.selection().iter().copied().collect();
    assert!(
        matches!(faces[..], [Pick::Face(made, _)] if made == id(3)),
        "the far face of the new brush is picked: {faces:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Sequences of drags in the front view: every brush stays valid, splits keep the space, nothing else changes it.
    #[test]
    fn ext_1_to_4_random_drags_keep_brushes_valid(
        drags in prop::collection::vec(
            (0u8..4, -40.0..140.0f64, -20.0..100.0f64, -48.0..48.0f64, -48.0..48.0f64), 1..8),
    ) {
        let mut s = Session::new(ramp);
        s.select(&[id(1)]);
        for (how, x, y, dx, dy) in drags {
            let modifiers = [Modifiers::SHIFT, SPLIT, SLIDE, STAMP][usize::from(how)];
            let before: f64 = ids(&s).into_iter().map(|id| volume(&s, id)).sum();
            let count = ids(&s).len();
            let from = DVec3::new(x, y, 0.0);
            s.drag(FRONT, from, from + DVec3::new(dx, dy, 0.0), modifiers);
            let after: f64 = ids(&s).into_iter().map(|id| volume(&s, id)).sum();
            let made = ids(&s).len() - count;
            match how {
                0 | 2 => prop_assert_eq!(made, 0),
                // A new brush adds space; a cut brush keeps it.
                1 => prop_assert!(after >= before * (1.0 - 1e-4), "{before} {after}"),
                _ => prop_assert!(made == 0 && after == before || after > before),
            }
        }
        let labels = s.labels().len();
        for _ in 0..labels {
            s.key("Ctrl+Z");
        }
        prop_assert_eq!(s.doc().object_count(), 1);
        prop_assert_eq!(s.bounds(id(1)).size(), DVec3::new(96.0, 64.0, 64.0));
    }
}

#[test]
fn ext_1_without_snapping_a_face_stops_while_there_is_something_to_see() {
    let mut s = Session::new(floor_and_crate);
    s.select(&[id(CRATE)]);
    s.key("Alt+0");
    let way = DVec3::Y * 150.0;
    s.drag(VIEW_3D, ON_CRATE, ON_CRATE - way, Modifiers::SHIFT);
    assert_eq!(s.labels(), ["Extrude"]);
    let height = s.bounds(id(CRATE)).size().y;
    assert!((1.0 / 64.0..1.0 / 32.0).contains(&height), "{height}");
}

#[test]
fn a_drag_that_begins_nothing_says_the_same_beside_the_pointer() {
    let mut s = Session::new(floor_and_crate);
    s.editor.select(Selection::from([Pick::Face(id(CRATE), 2)]));
    for (modifiers, word) in [
        (Modifiers::NONE, "Shift+drag"),
        (Modifiers::ALT, "one face"),
    ] {
        if modifiers.alt {
            s.editor.select(faces_of_crate(&s));
        }
        let (from, to) = (
            s.at(VIEW_3D, ON_FLOOR),
            s.at(VIEW_3D, ON_FLOOR + DVec3::X * 60.0),
        );
        s.hold(modifiers);
        s.press(VIEW_3D, from);
        s.move_to(VIEW_3D, to);
        let readout = s.editor.readout().expect("why");
        assert!(
            readout.refused && readout.text.contains(word),
            "{}",
            readout.text
        );
        assert!(
            s.editor
                .status()
                .is_some_and(|status| status.text == readout.text)
        );
        s.release(VIEW_3D, to);
        s.hold(Modifiers::NONE);
    }
    assert!(s.labels().is_empty());
}

fn faces_of_crate(s: &Session) -> Selection {
    let faces = brush(s, id(CRATE)).faces().len() as u32;
    (0..faces).map(|face| Pick::Face(id(CRATE), face)).collect()
}
