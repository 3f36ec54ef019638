//! Picking against brute force, and the order in 2D views.

use proptest::prelude::*;

use super::*;
use crate::document::Brush;
use crate::document::Draft;
use crate::document::UvLock;
use crate::editor::view::View;
use crate::editor::view::ViewKind;

/// Boxes turned at will, some broken open, and entities.
fn scene(boxes: &[([f64; 3], [f64; 3], f64, bool)], entities: &[[f64; 3]]) -> Document {
    let mut draft: Draft = Document::default().edit();
    for &(center, half, angle, open) in boxes {
        let brush = Brush::cuboid(Aabb::around(DVec3::ZERO, DVec3::from_array(half)), None);
        let map = glam::DAffine3::from_rotation_translation(
            glam::DQuat::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), angle),
            DVec3::from_array(center),
        );
        let mut brush = brush.transformed(&map, UvLock::World, &|_| glam::Vec2::splat(64.0));
        if open {
            brush = Brush::as_stored(brush.contents(), brush.faces()[..5].to_vec());
        }
        draft.insert(Object::new(Kind::Brush(brush)));
    }
    for &origin in entities {
        draft.insert(Object::new(Kind::Entity(Entity::new(
            "light",
            DVec3::from_array(origin),
        ))));
    }
    draft.peek()
}

/// Every face of every object, triangle by triangle.
fn brute_force(doc: &Document, ray: Ray) -> Option<Hit> {
    let mut face: Option<Hit> = None;
    let mut entity: Option<Hit> = None;
    for (id, object) in doc.objects() {
        let (best, polygons): (&mut Option<Hit>, Vec<Vec<DVec3>>) = match &object.kind {
            Kind::Brush(brush) => (
                &mut face,
                (0..brush.faces().len())
                    .map(|face| brush.hull().face_points(face).collect())
                    .collect(),
            ),
            Kind::Entity(point) => {
                let c = Definitions::builtin().entity_box(point).corners();
                let sides = [
                    [1, 3, 7, 5],
                    [0, 4, 6, 2],
                    [2, 6, 7, 3],
                    [0, 1, 5, 4],
                    [4, 5, 7, 6],
                    [0, 2, 3, 1],
                ];
                (
                    &mut entity,
                    sides.map(|side| side.map(|index| c[index]).to_vec()).into(),
                )
            }
            _ => continue,
        };
        for (index, corners) in polygons.iter().enumerate() {
            for pair in corners.get(1..).unwrap_or_default().windows(2) {
                let found = ray.triangle_front(corners[0], pair[0], pair[1]);
                if let Some(distance) =
                    found.filter(|&distance| best.is_none_or(|best| distance < best.distance))
                {
                    *best = Some(Hit {
                        object: id,
                        face: Some(index as u32),
                        point: ray.at(distance),
                        normal: DVec3::ZERO,
                        distance,
                    });
                }
            }
        }
    }
    let face_distance = face.map_or(f64::INFINITY, |hit| hit.distance);
    entity
        .filter(|hit| hit.distance <= face_distance + ENTITY_BEATS)
        .or(face)
}

fn coordinates(reach: f64) -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-reach..reach)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn pick_1_order_against_brute_force(
        boxes in prop::collection::vec((coordinates(300.0), prop::array::uniform3(4.0..80.0f64), 0.0..6.0f64, prop::bool::weighted(0.1)), 1..24),
        entities in prop::collection::vec(coordinates(300.0), 0..8),
        rays in prop::collection::vec((coordinates(500.0), coordinates(200.0)), 24),
    ) {
        let doc = scene(&boxes, &entities);
        let mut spatial = Spatial::default();
        spatial.sync(&doc);
        let look = ViewState::default();
        let definitions = Definitions::builtin();
        let scope = Scope { doc: &doc, look: &look, definitions: &definitions, open_group: None, entities: true, tools: true, shown: None, carving: &Carving::default(), cordon: None, xray: false };
        for (from, to) in rays {
            let (from, to) = (DVec3::from_array(from), DVec3::from_array(to));
            let ray = Ray::new(from, to - from);
            let (found, expected) = (nearest(scope, &spatial, ray, 0.0), brute_force(&doc, ray));
            match (found, expected) {
                (None, None) => {}
                (Some(a), Some(b)) => {
                    // Two things within rounding of each other are both right; so are both sides of an edge.
                    // Corners of brushes that do not close come from far away and are 1e-4 off.
                    prop_assert!((a.distance - b.distance).abs() < 1e-3 + ENTITY_BEATS * f64::from(u8::from(a.object != b.object)), "{a:?} {b:?}");
                }
                // A ray along an edge may count as a miss for one and a hit for the other.
                (one, other) => prop_assert!(one.or(other).is_some_and(|hit| is_near_an_edge(&doc, hit)), "{one:?} {other:?}"),
            }
        }
    }
}

fn is_near_an_edge(doc: &Document, hit: Hit) -> bool {
    let Some(brush) = doc.object(hit.object).and_then(Object::brush) else {
        return false;
    };
    let points = brush.hull().points();
    brush.hull().edges().into_iter().any(|[a, b]| {
        let (a, b) = (points[a as usize], points[b as usize]);
        let t = ((hit.point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        (a + (b - a) * t).distance(hit.point) < 1e-6
    })
}

#[test]
fn pick_2_small_things_on_top_of_big_ones() {
    let mut draft = Document::default().edit();
    let mut add = |center: DVec3, half: f64| {
        draft.insert(Object::new(Kind::Brush(Brush::cuboid(
            Aabb::around(center, DVec3::splat(half)),
            None,
        ))))
    };
    let big = add(DVec3::new(0.0, 500.0, 0.0), 200.0);
    let small = add(DVec3::new(30.0, 0.0, 30.0), 20.0);
    let lower_twin = add(DVec3::new(-100.0, -300.0, 0.0), 20.0);
    let upper_twin = add(DVec3::new(-100.0, -100.0, 0.0), 20.0);
    let doc = draft.peek();
    let mut spatial = Spatial::default();
    spatial.sync(&doc);
    let look = ViewState::default();
    let definitions = Definitions::builtin();
    let scope = Scope {
        doc: &doc,
        look: &look,
        definitions: &definitions,
        open_group: None,
        entities: true,
        tools: true,
        shown: None,
        carving: &Carving::default(),
        cordon: None,
        xray: false,
    };
    let view = View {
        kind: ViewKind::Top,
        eye: DVec3::ZERO,
        points_per_unit: 1.0,
        ..View::default()
    };
    let check = |x: f64, z: f64, expected| {
        let (at, _) = view.project(DVec3::new(x, 0.0, z)).expect("flat");
        assert_eq!(
            flat(scope, &spatial, &view, at).map(|hit| hit.object),
            expected,
            "{x} {z}"
        );
    };
    check(30.0, 30.0, Some(small));
    check(-150.0, 150.0, Some(big));
    check(-110.0, 10.0, Some(upper_twin));
    check(198.0, 0.0, Some(big));
    check(203.0, 0.0, Some(big));
    check(230.0, 0.0, None);
    let _ = lower_twin;
}
