//! Real maps, and numbers that no map has.

use super::*;

/// A few real maps: the invariants, the tree against all brushes, and how much is left open.
#[test]
fn real_maps_compile() {
    let folder = std::env::var("MAPWRIGHT_CORPUS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/corpus").to_owned());
    let folder = std::path::Path::new(&folder).join("rmf");
    if !folder.is_dir() {
        println!("no corpus at {}: skipped", folder.display());
        return;
    }
    for (name, brushes) in [
        ("tomb2.rmf", 80),
        ("castleruins.rmf", 40),
        ("vis-test.rmf", 60),
        ("cerbera.rmf", 450),
        ("lodagond-4.rmf", 1600),
    ] {
        let path = folder.join(name);
        let bytes = std::fs::read(&path).expect("corpus file");
        let importer = importer_for(&bytes[..1024], &path).expect("known format");
        let imported = importer
            .import(&bytes, &path, &NoSiblings, &Progress::new())
            .expect("readable");
        let result = compiled(&imported.doc, &geometry());
        assert!(
            result.stats.brushes >= brushes,
            "{name}: {:?}",
            result.stats
        );
        assert!(
            result.stats.triangles > result.stats.fragments,
            "{name}: {:?}",
            result.stats
        );
        check_points(&result.cmpl.bsp, &mut Random(7), 200);
        let depth = 2.0 * (result.cmpl.bsp.brushes.len() as f64).log2() + 8.0;
        assert!(
            f64::from(result.cmpl.bsp.depth) <= depth,
            "{name}: depth {} over {depth}",
            result.cmpl.bsp.depth
        );
        assert!(
            result.cmpl.bsp.leaf_brushes.len() <= 3 * result.cmpl.bsp.brushes.len(),
            "{name}: {:?}",
            result.stats
        );
    }
}

/// Numbers that make trouble: tiny, huge, nearly equal, not finite.
fn odd_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (-128i32..128).prop_map(f64::from),
        3 => (-128i32..128, -3i32..3).prop_map(|(a, b)| f64::from(a) + f64::from(b) * 1e-3),
        2 => (-128i32..128, -3i32..3).prop_map(|(a, b)| f64::from(a) + f64::from(b) * 1e-5),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(1e30), Just(1e-30), Just(131_000.0), Just(0.0)],
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn odd_brushes_do_no_harm(
        boxes in prop::collection::vec((prop::array::uniform3(odd_number()), prop::array::uniform3(odd_number()), 0u32..32, 0u32..128), 1..14),
        cuts in prop::collection::vec((0usize..14, prop::array::uniform3(odd_number()), odd_number()), 0..14),
        light in any::<bool>(),
    ) {
        let mut brushes: Vec<(Vec<Face>, u32, u32)> = boxes
            .into_iter()
            .map(|(a, b, contents, flags)| {
                let (a, b) = (DVec3::from_array(a), DVec3::from_array(b));
                (Brush::cuboid(Aabb::between(a, b), None).faces().to_vec(), contents, flags)
            })
            .collect();
        let count = brushes.len();
        for (index, normal, dist) in cuts {
            let normal = DVec3::from_array(normal);
            let plane = Plane::new(normal.try_normalize().unwrap_or(normal), dist);
            brushes[index % count].0.push(Face::new(plane, None));
        }
        let mut scene = Scene::default();
        for (faces, contents, flags) in brushes {
            let faces = faces.into_iter().map(|face| Face { plane: face.plane.rounded(), ..face }).collect();
            let object = scene.add(Kind::Brush(Brush::as_stored(Contents(contents), faces)));
            object.flags = ObjectFlags(flags & 0x7b);
        }
        let result = compiled(&scene.document(), &Options { light, ..geometry() });
        check_points(&result.cmpl.bsp, &mut Random(9), 50);
    }

    #[test]
    fn nearly_equal_boxes_stay_closed(
        boxes in prop::collection::vec((prop::array::uniform3(0i32..5), prop::array::uniform3(1i32..4), -40i32..40), 2..10),
        scale in prop_oneof![Just(1e-4), Just(1e-3), Just(4e-3), Just(0.02)],
    ) {
        let mut scene = Scene::default();
        for (at, size, off) in boxes {
            let min = DVec3::from_array(at.map(f64::from)) * 32.0 + f64::from(off) * scale / 40.0;
            let max = min + DVec3::from_array(size.map(f64::from)) * 32.0;
            let brush = Brush::cuboid(Aabb::new(min, max), None);
            let faces = brush.faces().iter().map(|face| Face { plane: face.plane.rounded(), ..face.clone() }).collect();
            scene.add(Kind::Brush(Brush::as_stored(Contents::SOLID, faces)));
        }
        let result = compiled(&scene.document(), &geometry());
        // Slivers may be lost, but nothing wider than the smallest area that counts.
        for (a, b) in unmatched_edges(&result.cmpl) {
            let open = unmatched_edges(&result.cmpl);
            prop_assert!(open.iter().filter(|edge| **edge != (a, b)).any(|edge| near_line(a, edge.0, edge.1) || near_line(b, edge.0, edge.1)), "{a} {b} is open");
        }
    }
}
