//! Random scenes: what is drawn is the surface of the union, closed, and the same however it is made.

use super::*;

#[test]
fn boxes_on_a_grid_are_drawn_as_their_union_and_closed() {
    let mut random = Random(1);
    for (count, step) in [(1, 64), (2, 64), (5, 64), (12, 40), (30, 16), (60, 7)] {
        for _ in 0..6 {
            let (scene, area) = grid_boxes(&mut random, count, step);
            let doc = scene.document();
            for light in [false, true] {
                let result = compiled(
                    &doc,
                    &Options {
                        light,
                        ..geometry()
                    },
                );
                let drawn = drawn_area(&result.cmpl);
                assert!(
                    (drawn - area).abs() < 1e-6 * area,
                    "{count} boxes of {step}: drawn {drawn}, surface {area}"
                );
                assert_eq!(
                    unmatched_edges(&result.cmpl),
                    [],
                    "{count} boxes of {step}, light {light}"
                );
            }
            let result = compiled(&doc, &geometry());
            check_points(&result.cmpl.bsp, &mut random, 400);
        }
    }
}

#[test]
fn turned_boxes_are_drawn_as_their_union_and_closed() {
    let mut random = Random(2);
    for count in [2, 4, 8, 16, 32] {
        for _ in 0..5 {
            let mut scene = Scene::default();
            for _ in 0..count {
                let brush = turned(&mut random, 60.0, 80.0);
                scene.add(Kind::Brush(brush));
            }
            let doc = scene.document();
            let result = compiled(&doc, &geometry());
            // Pieces with edges as short as that may vanish.
            let mut open = unmatched_edges(&result.cmpl);
            open.retain(|(a, b)| a.distance(*b) > 1.0 / 32.0);
            assert_eq!(open, [], "{count} turned boxes");
            check_points(&result.cmpl.bsp, &mut random, 300);
            let (area, sigma) = sampled_surface(&doc, &mut random);
            let drawn = drawn_area(&result.cmpl);
            assert!(
                (drawn - area).abs() < 4.0 * sigma + 1.0,
                "{count} turned boxes: drawn {drawn}, sampled {area} +- {sigma}"
            );
        }
    }
}

/// Area of the faces outside the other brushes, by random points on them, and its standard deviation.
fn sampled_surface(doc: &Document, random: &mut Random) -> (f64, f64) {
    const POINTS: u32 = 400;
    let brushes: Vec<&Brush> = doc
        .objects()
        .filter_map(|(_, object)| object.brush())
        .collect();
    let (mut total, mut variance) = (0.0, 0.0);
    for (index, brush) in brushes.iter().enumerate() {
        for face in 0..brush.faces().len() {
            let corners: Vec<DVec3> = brush.hull().face_points(face).collect();
            let (u, v) = (corners[1] - corners[0], corners[3] - corners[0]);
            let mut seen = 0;
            for _ in 0..POINTS {
                let point =
                    corners[0] + u * random.between(0.0, 1.0) + v * random.between(0.0, 1.0);
                let hidden = |other: &&Brush| {
                    other
                        .faces()
                        .iter()
                        .all(|face| face.plane.distance(point) < 0.0)
                };
                seen += u32::from(
                    !brushes
                        .iter()
                        .enumerate()
                        .any(|(i, other)| i != index && hidden(other)),
                );
            }
            let (area, share) = (u.cross(v).length(), f64::from(seen) / f64::from(POINTS));
            total += area * share;
            // Not zero for a part too small to be met.
            let share = f64::from(seen + 1) / f64::from(POINTS + 2);
            variance += area * area * share * (1.0 - share) / f64::from(POINTS);
        }
    }
    (total, variance.sqrt())
}

#[test]
fn the_same_bytes_on_one_and_two_threads() {
    let mut random = Random(3);
    let (mut scene, _) = grid_boxes(&mut random, 40, 32);
    for _ in 0..20 {
        scene.add(Kind::Brush(turned(&mut random, 60.0, 200.0)));
    }
    let doc = scene.document();
    for light in [false, true] {
        let mut cache = Cache::default();
        let mut text = |threads| {
            let options = Options {
                light,
                threads: Some(threads),
                ..Options::default()
            };
            let result =
                compile(&doc, &options, &mut cache, &Progress::new()).expect("not cancelled");
            format!("{:?} {:?}", result.cmpl, result.origins)
        };
        let one = text(1);
        assert!(
            one == text(2),
            "two threads give other bytes, light {light}"
        );
        assert!(
            one == text(1),
            "a second run gives other bytes, light {light}"
        );
    }
}

#[test]
fn moving_the_map_moves_the_result() {
    let mut random = Random(4);
    let (mut scene, _) = grid_boxes(&mut random, 30, 32);
    for _ in 0..10 {
        scene.add(Kind::Brush(turned(&mut random, 60.0, 200.0)));
    }
    let still = compiled(&scene.document(), &geometry());
    let by = DAffine3::from_translation(DVec3::new(512.0, 256.0, -1024.0));
    for object in &mut scene.objects {
        if let Kind::Brush(brush) = &object.kind {
            let moved = brush.transformed(&by, UvLock::World, &|_| Vec2::splat(64.0));
            let faces = moved
                .faces()
                .iter()
                .map(|face| Face {
                    plane: face.plane.rounded(),
                    ..face.clone()
                })
                .collect();
            object.kind = Kind::Brush(Brush::as_stored(moved.contents(), faces));
        }
    }
    let moved = compiled(&scene.document(), &geometry());
    let near = |a: f64, b: f64, share: f64| (a - b).abs() <= share * a.abs().max(b.abs());
    assert!(
        near(
            still.stats.fragments as f64,
            moved.stats.fragments as f64,
            0.02
        ),
        "{:?} {:?}",
        still.stats,
        moved.stats
    );
    assert!(
        near(
            still.stats.triangles as f64,
            moved.stats.triangles as f64,
            0.02
        ),
        "{:?} {:?}",
        still.stats,
        moved.stats
    );
    assert!(near(drawn_area(&still.cmpl), drawn_area(&moved.cmpl), 1e-5));
}
