use proptest::prelude::*;

use super::*;
use crate::document::History;
use crate::document::SelectionExt as _;
use crate::document::ops::brushes;
use crate::document::ops::testing::commit;
use crate::document::ops::testing::cube_at;
use crate::document::ops::testing::id;
use crate::document::ops::testing::map;
use crate::document::ops::testing::refuses;
use crate::geometry::Aabb;

fn boxes(list: &[([f64; 3], [f64; 3])]) -> History {
    let mut draft = Document::default().edit();
    for (min, max) in list {
        draft.insert(Object::new(Kind::Brush(Brush::cuboid(
            Aabb::new(DVec3::from(*min), DVec3::from(*max)),
            None,
        ))));
    }
    History::new(draft.finish().expect("sound"))
}

fn all(history: &History) -> Vec<ObjectId> {
    history
        .committed()
        .doc
        .objects()
        .map(|(id, _)| id)
        .collect()
}

/// How deep a point is in the brushes: most negative height of any.
fn height(doc: &Document, point: DVec3) -> f64 {
    doc.objects()
        .filter_map(|(_, object)| object.brush())
        .map(|brush| {
            brush
                .faces()
                .iter()
                .filter_map(|face| face.plane.unit())
                .map(|plane| plane.distance(point))
                .fold(f64::NEG_INFINITY, f64::max)
        })
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn csg_1_subtract_keeps_places_and_numbers() {
    let mut history = map();
    let untouched = history.committed().doc.object_shared(id(5)).cloned();
    // Through the brush of the group; another brush is not reached.
    let bar = Brush::cuboid(
        Aabb::new(DVec3::new(72.0, -8.0, 8.0), DVec3::new(88.0, 40.0, 24.0)),
        None,
    );
    commit(&mut history, &brushes::add("Add", vec![bar], None));
    let from = all(&history);
    commit(&mut history, &subtract(vec![id(7)], from.clone(), false));
    let doc = &history.committed().doc;
    assert!(doc.object(id(7)).is_none(), "the cutter is used up");
    let pieces: Vec<ObjectId> = doc.children(Some(id(2))).collect();
    assert_eq!(pieces.len(), 5, "{pieces:?}");
    assert!(pieces.contains(&id(3)), "the largest keeps the number");
    assert!(
        untouched.is_some_and(|old| Arc::ptr_eq(&old, doc.object_shared(id(5)).expect("alive")))
    );
    let volume: f64 = pieces
        .iter()
        .filter_map(|&id| brush_of(doc, id))
        .map(|brush| brush.hull().volume())
        .sum();
    assert_eq!(volume, 32.0 * 32.0 * 32.0 - 16.0 * 16.0 * 32.0);
    history.undo();
    commit(&mut history, &subtract(vec![id(7)], from, true));
    assert!(history.committed().doc.object(id(7)).is_some());
    refuses(
        &mut history,
        &subtract(vec![id(1)], vec![id(5), id(1)], false),
    );
    refuses(&mut history, &subtract(vec![id(6)], vec![id(5)], false));
}

#[test]
fn csg_1_new_faces_look_like_the_cutter() {
    let mut history = map();
    let mut draft = history.committed().doc.edit();
    let other = draft.insert_material(crate::document::Material::new("tile", "tile.png"));
    let mut cutter = Brush::cuboid(
        Aabb::new(DVec3::new(8.0, 8.0, -8.0), DVec3::new(24.0, 24.0, 40.0)),
        Some(other),
    );
    let mut faces = cutter.faces().to_vec();
    faces[0].uv.offset = Vec2::new(0.25, 0.5);
    cutter = cutter.with_surfaces(faces);
    draft.insert(Object::new(Kind::Brush(cutter)));
    history = History::new(draft.finish().expect("sound"));
    commit(&mut history, &subtract(vec![id(7)], vec![id(1)], false));
    let doc = &history.committed().doc;
    let faces: Vec<&Face> = doc
        .objects()
        .filter_map(|(_, object)| object.brush())
        .flat_map(Brush::faces)
        .filter(|face| face.material == Some(other))
        .collect();
    // Faces that look into the hole; the others are seams.
    let middle = DVec3::splat(16.0);
    let seen = faces
        .iter()
        .filter(|face| face.plane.distance(middle) > 0.0);
    assert_eq!(seen.count(), 4);
    let flipped = faces
        .iter()
        .find(|face| face.plane == Plane::new(DVec3::NEG_X, -24.0))
        .expect("the cutter's right side from inside");
    assert_eq!(flipped.uv.offset, Vec2::new(0.25, 0.5));
}

#[test]
fn csg_1_many_cutters_leave_few_pieces() {
    // A cross of two bars out of a slab: along the seam nothing is cut.
    let mut history = boxes(&[
        ([0.0, 0.0, 0.0], [96.0, 16.0, 96.0]),
        ([32.0, -8.0, -8.0], [64.0, 24.0, 48.0]),
        ([32.0, -8.0, 48.0], [64.0, 24.0, 104.0]),
    ]);
    commit(
        &mut history,
        &subtract(vec![id(2), id(3)], vec![id(1)], false),
    );
    assert_eq!(all(&history).len(), 2);
}

#[test]
fn csg_1_intersect_and_merge() {
    let mut history = boxes(&[([0.0; 3], [32.0; 3]), ([16.0; 3], [48.0; 3])]);
    commit(&mut history, &intersect(vec![id(2), id(1)]));
    assert_eq!(all(&history), vec![id(1)]);
    assert_eq!(
        history
            .committed()
            .doc
            .object(id(1))
            .expect("alive")
            .bounds(),
        Aabb::new(DVec3::splat(16.0), DVec3::splat(32.0))
    );
    history.undo();
    commit(&mut history, &merge(vec![id(2), id(1)]));
    let doc = &history.committed().doc;
    let brush = brush_of(doc, id(1)).expect("brush");
    assert_eq!((brush.faces().len(), brush.hull().points().len()), (12, 14));
    assert_eq!(history.committed().selection.objects(), vec![id(1)]);
    let mut apart = boxes(&[([0.0; 3], [32.0; 3]), ([32.0, 0.0, 0.0], [48.0; 3])]);
    refuses(&mut apart, &intersect(vec![id(1), id(2)]));
    refuses(&mut apart, &intersect(vec![id(1)]));
}

#[test]
fn csg_1_join_takes_only_what_is_convex_together() {
    let mut history = boxes(&[
        ([0.0, 0.0, 0.0], [16.0, 16.0, 16.0]),
        ([16.0, 0.0, 0.0], [32.0, 16.0, 16.0]),
        ([0.0, 0.0, 16.0], [16.0, 16.0, 32.0]),
        ([100.0, 0.0, 0.0], [116.0, 16.0, 16.0]),
    ]);
    let before = history.committed().doc.clone();
    let everything = all(&history);
    commit(&mut history, &join(everything));
    assert_eq!(all(&history), vec![id(1), id(3), id(4)]);
    assert!(Arc::ptr_eq(
        before.object_shared(id(4)).expect("alive"),
        history.committed().doc.object_shared(id(4)).expect("alive")
    ));
    refuses(&mut history, &join(vec![id(1), id(3), id(4)]));
    refuses(&mut history, &join(vec![id(1)]));
}

#[test]
fn csg_1_join_takes_the_larger_look() {
    // Along x: 16 units of no material, as much as `lengths` of brick (shifted), tile, and brick again.
    let row = |lengths: [f64; 3]| {
        let mut draft = Document::default().edit();
        let mut material = |name: &str| {
            draft.insert_material(crate::document::Material::new(name, format!("{name}.png")))
        };
        let (brick, tile) = (material("brick"), material("tile"));
        let looks = [None, Some(brick), Some(tile), Some(brick)];
        let mut x = 0.0;
        for (length, look) in [16.0].into_iter().chain(lengths).zip(looks) {
            let mut brush = Brush::cuboid(
                Aabb::new(DVec3::new(x, 0.0, 0.0), DVec3::new(x + length, 16.0, 16.0)),
                look,
            );
            if look == Some(brick) {
                let mut faces = brush.faces().to_vec();
                for face in &mut faces {
                    face.uv.offset = Vec2::new(0.25, 0.5);
                }
                brush = brush.with_surfaces(faces);
            }
            draft.insert(Object::new(Kind::Brush(brush)));
            x += length;
        }
        (
            History::new(draft.finish().expect("sound")),
            [Some(brick), Some(tile)],
        )
    };
    // Brick 24 + 8 beats tile 30; tile 48 beats brick; of equals the first in document order stays.
    for (lengths, longest) in [
        ([24.0, 30.0, 8.0], 0),
        ([24.0, 48.0, 8.0], 1),
        ([16.0, 32.0, 16.0], 0),
    ] {
        let (mut history, materials) = row(lengths);
        let ids = all(&history);
        let joining = joining(&history.committed().doc, &ids).expect("convex together");
        assert_eq!(joining.chosen(), 4, "the long sides, not the ends");
        commit(&mut history, &join(ids));
        assert_eq!(all(&history), vec![id(1)]);
        let brush = brush_of(&history.committed().doc, id(1)).expect("brush");
        assert_eq!(brush.faces().len(), 6);
        for face in brush.faces() {
            let expected = match face.plane.normal.x {
                x if x < 0.0 => None,
                x if x > 0.0 => materials[0],
                _ => materials[longest],
            };
            assert_eq!(face.material, expected, "{lengths:?}: {:?}", face.plane);
            let shift = if expected == materials[0] {
                Vec2::new(0.25, 0.5)
            } else {
                Vec2::ZERO
            };
            assert_eq!(face.uv.offset, shift, "the alignment goes with it");
        }
    }
    // Where all look alike, nothing has to choose.
    let plain = boxes(&[
        ([0.0, 0.0, 0.0], [16.0, 16.0, 16.0]),
        ([16.0, 0.0, 0.0], [32.0, 16.0, 16.0]),
    ]);
    let found = joining(&plain.committed().doc, &[id(1), id(2)]).expect("convex together");
    assert_eq!(found.chosen(), 0);
}

#[test]
fn bru_5_a_room_has_six_walls_of_the_thickness() {
    let mut history = boxes(&[([0.0; 3], [256.0, 128.0, 192.0])]);
    commit(&mut history, &hollow(vec![id(1)], vec![], 16.0));
    let doc = &history.committed().doc;
    assert_eq!(doc.object_count(), 6);
    assert_eq!(history.committed().selection.objects().len(), 6);
    assert!(height(doc, DVec3::new(128.0, 64.0, 96.0)) > 0.0);
    for (point, inside) in [
        ([15.0, 64.0, 96.0], true),
        ([17.0, 64.0, 96.0], false),
        ([128.0, 113.0, 96.0], true),
        ([128.0, 111.0, 96.0], false),
        ([2.0, 126.0, 190.0], true),
        ([-1.0, 64.0, 96.0], false),
    ] {
        assert_eq!(height(doc, DVec3::from(point)) < 0.0, inside, "{point:?}");
    }
    history.undo();
    commit(&mut history, &hollow(vec![id(1)], vec![], -16.0));
    let doc = &history.committed().doc;
    assert!(height(doc, DVec3::splat(1.0)) > 0.0 && height(doc, DVec3::splat(-15.0)) < 0.0);
    history.undo();
    refuses(&mut history, &hollow(vec![id(1)], vec![], 64.0));
    refuses(&mut history, &hollow(vec![id(1)], vec![], 0.0));
}

#[test]
fn bru_5_walls_between_rooms_are_not_doubled() {
    let two = [
        ([0.0, 0.0, 0.0], [128.0, 128.0, 128.0]),
        ([128.0, 0.0, 0.0], [256.0, 128.0, 128.0]),
    ];
    for thickness in [16.0, -16.0] {
        let mut history = boxes(&two);
        commit(&mut history, &hollow(vec![id(1), id(2)], vec![], thickness));
        let doc = &history.committed().doc;
        let solid = |x: f64| height(doc, DVec3::new(x, 64.0, 64.0)) < 0.0;
        let wall: Vec<f64> = (64..192)
            .map(|x| f64::from(x) + 0.5)
            .filter(|&x| solid(x))
            .collect();
        assert_eq!(wall.len(), 16, "one wall between: {wall:?}");
        assert!(solid(if thickness > 0.0 { 250.0 } else { 260.0 }));
    }
    // A block on a floor and against a wall has these already.
    let mut history = boxes(&[
        ([0.0, 0.0, 0.0], [64.0, 64.0, 64.0]),
        ([-100.0, -16.0, -100.0], [200.0, 0.0, 200.0]),
        ([64.0, 0.0, -100.0], [80.0, 32.0, 200.0]),
        ([64.0, 32.0, -100.0], [80.0, 200.0, 200.0]),
    ]);
    commit(
        &mut history,
        &hollow(vec![id(1)], vec![id(2), id(3), id(4)], 8.0),
    );
    assert_eq!(all(&history).len(), 3 + 4);
    let doc = &history.committed().doc;
    assert!(height(doc, DVec3::new(32.0, 0.5, 32.0)) > 0.0);
    assert!(height(doc, DVec3::new(63.5, 32.0, 32.0)) > 0.0);
    assert!(height(doc, DVec3::new(0.5, 32.0, 32.0)) < 0.0);
}

/// A box turned anyhow, committed as the file would hold it.
fn turned_box() -> impl Strategy<Value = Brush> {
    (
        prop::array::uniform3(1..8i32),
        prop::array::uniform3(-6..6i32),
        prop::option::of(prop::array::uniform4(-1.0..1.0f64)),
    )
        .prop_filter_map("a turn", |(half, at, turn)| {
            let half = DVec3::from(half.map(|v| f64::from(v) * 8.0));
            let at = DVec3::from(at.map(|v| f64::from(v) * 8.0));
            let turn = match turn {
                None => glam::DMat3::IDENTITY,
                Some(turn) => {
                    let turn = glam::DQuat::from_array(turn);
                    if turn.length() < 0.1 {
                        return None;
                    }
                    glam::DMat3::from_quat(turn.normalize())
                }
            };
            let map = glam::DAffine3::from_mat3_translation(turn, at);
            Some(
                Brush::cuboid(Aabb::around(DVec3::ZERO, half), None).transformed(
                    &map,
                    crate::document::UvLock::Carried,
                    &|_| Vec2::splat(64.0),
                ),
            )
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn csg_1_points_are_where_they_were(
        list in prop::collection::vec(turned_box(), 2..6),
        samples in prop::collection::vec(prop::array::uniform3(-110.0..110.0f64), 250),
    ) {
        let mut draft = Document::default().edit();
        for brush in &list {
            draft.insert(Object::new(Kind::Brush(brush.clone())));
        }
        let mut history = History::new(draft.finish().expect("sound"));
        let before = history.committed().doc.clone();
        let near_a_face = |doc: &Document, point: DVec3| {
            doc.objects().filter_map(|(_, object)| object.brush()).any(|brush| {
                brush.faces().iter().filter_map(|face| face.plane.unit()).any(|plane| plane.distance(point).abs() < 0.02)
            })
        };
        let single = |number: u32, point: DVec3| {
            let mut draft = Document::default().edit();
            draft.put(id(number), before.object(id(number)).expect("alive").clone());
            height(&draft.peek(), point) < 0.0
        };
        let ids = all(&history);
        let check = |history: &History, what: &str, expected: &dyn Fn(DVec3) -> bool| -> Result<(), TestCaseError> {
            let after = &history.committed().doc;
            for point in samples.iter().copied().map(DVec3::from) {
                if near_a_face(&before, point) || near_a_face(after, point) {
                    continue;
                }
                prop_assert_eq!(height(after, point) < 0.0, expected(point), "{} at {}", what, point);
            }
            Ok(())
        };
        if history.commit(&subtract(vec![id(1)], ids.clone(), false)).is_ok() {
            check(&history, "subtract", &|point| {
                !single(1, point) && height(&before, point) < 0.0
            })?;
            // Put together again as far as it goes: still the same space.
            let pieces = all(&history);
            if history.commit(&join(pieces)).is_ok() {
                check(&history, "join", &|point| !single(1, point) && height(&before, point) < 0.0)?;
                history.undo();
            }
            history.undo();
        }
        if history.commit(&intersect(vec![id(1), id(2)])).is_ok() {
            check(&history, "intersect", &|point| {
                (single(1, point) && single(2, point)) || ids[2..].iter().any(|other| single(other.get(), point))
            })?;
            history.undo();
        }
        prop_assert!(history.commit(&merge(ids.clone())).is_ok());
        for point in samples.iter().copied().map(DVec3::from) {
            prop_assert!(height(&before, point) > -0.02 || height(&history.committed().doc, point) < 0.0);
        }
        history.undo();
        prop_assert!(history.commit(&hollow(vec![id(1)], vec![], -8.0)).is_ok());
        check(&history, "hollow", &|point| {
            let brush = brush_of(&before, id(1)).expect("brush");
            let most = brush.faces().iter().filter_map(|face| face.plane.unit()).map(|plane| plane.distance(point)).fold(f64::NEG_INFINITY, f64::max);
            (0.0..8.0).contains(&most) || ids[1..].iter().any(|other| single(other.get(), point))
        })?;
    }

    #[test]
    fn csg_1_turned_round_a_cut_and_back(list in prop::collection::vec(turned_box(), 2)) {
        // Cutting with a kept cutter twice is cutting once.
        let mut draft = Document::default().edit();
        for brush in &list {
            draft.insert(Object::new(Kind::Brush(brush.clone())));
        }
        let mut history = History::new(draft.finish().expect("sound"));
        let ids = all(&history);
        if history.commit(&subtract(vec![id(1)], ids, true)).is_ok() {
            let again = all(&history);
            prop_assert!(history.commit(&subtract(vec![id(1)], again, true)).is_err());
        }
    }
}

#[test]
fn pieces_of_carved_brushes_stay_carved() {
    let mut history = map();
    commit(&mut history, &brushes::toggle_subtractive(vec![id(3)]));
    let bar = cube_at(16.0, None);
    commit(&mut history, &brushes::add("Add", vec![bar], None));
    commit(&mut history, &subtract(vec![id(7)], vec![id(1)], false));
    let order: Vec<u32> = history
        .committed()
        .doc
        .objects_in_order()
        .iter()
        .map(|(id, _)| id.get())
        .collect();
    assert_eq!(order, vec![1, 2, 3, 4, 5, 6]);
}
