//! What hides what, what is drawn, models and flags.

use super::*;
use mapwright::document::carving::Carving;
use mapwright::document::carving::carved;
use mapwright::geometry::polygon;

#[test]
fn the_table_of_contents_decides_what_hides_what() {
    // Two cubes of 64 that share a face of 4096; what remains of both sides there.
    let drawn = |first: u32, second: u32| {
        let mut scene = Scene::default();
        let sky = scene.material("sky", SurfaceFlags::SKY);
        let stone = scene.material("stone", SurfaceFlags::default());
        for (x, contents) in [(0, first), (64, second)] {
            let material = if contents == Contents::SKY.0 {
                sky
            } else {
                stone
            };
            let brush = cuboid([x, 0, 0], [x + 64, 64, 64]).with_contents(Contents(contents));
            let faces = brush
                .faces()
                .iter()
                .map(|face| Face {
                    material: Some(material),
                    ..face.clone()
                })
                .collect();
            scene.add(Kind::Brush(brush.with_surfaces(faces)));
        }
        (drawn_area(&compiled(&scene.document(), &geometry()).cmpl) / 4096.0).round() as i32
    };
    for (first, second, faces) in [
        (1, 1, 10),     // solid and solid: the joint is gone
        (1, 16, 11),    // sky shows none, but hides no wall
        (1, 2, 6 + 10), // water shows its five other faces from both sides, and keeps the wall
        (2, 2, 20),     // one body of water
        (2, 66, 24),    // unlike waters keep their faces
        (1, 0, 5 + 6),  // contents 0 hides nothing and is hidden
        (0, 0, 12),
        (1, 4, 6), // clip is not drawn
        (1, 8, 6),
        (4, 8, 0),
    ] {
        assert_eq!(
            drawn(first, second),
            faces,
            "contents {first} beside {second}"
        );
        assert_eq!(
            drawn(second, first),
            faces,
            "contents {second} beside {first}"
        );
    }
}

#[test]
fn surface_bits_decide_what_is_drawn() {
    let area = |face_flags: SurfaceFlags, material_flags: SurfaceFlags| {
        let mut scene = Scene::default();
        let material = scene.material("m", material_flags);
        let brush = cuboid([0, 0, 0], [64, 64, 64]);
        let faces = brush
            .faces()
            .iter()
            .map(|face| Face {
                material: Some(material),
                flags: face_flags,
                ..face.clone()
            })
            .collect();
        scene.add(Kind::Brush(brush.with_surfaces(faces)));
        (drawn_area(&compiled(&scene.document(), &geometry()).cmpl) / 4096.0).round() as i32
    };
    let none = SurfaceFlags::default();
    assert_eq!(area(none, none), 6);
    assert_eq!(area(SurfaceFlags::NODRAW, none), 0);
    assert_eq!(area(none, SurfaceFlags::NODRAW), 0);
    assert_eq!(area(SurfaceFlags::TWO_SIDED, none), 12);
    assert_eq!(
        area(SurfaceFlags::SKY, none),
        0,
        "sky that no batch can say"
    );
    assert_eq!(area(none, SurfaceFlags::SKY), 6);
    assert_eq!(area(none, SurfaceFlags::UNLIT), 6);
}

#[test]
fn a_see_through_solid_hides_only_its_own_material() {
    let mut scene = Scene::default();
    let glass = scene.material("glass", SurfaceFlags::TRANSLUCENT);
    let stone = scene.material("stone", SurfaceFlags::default());
    for (x, material) in [(0, stone), (64, glass), (128, glass)] {
        let brush = cuboid([x, 0, 0], [x + 64, 64, 64]);
        let faces = brush
            .faces()
            .iter()
            .map(|face| Face {
                material: Some(material),
                ..face.clone()
            })
            .collect();
        scene.add(Kind::Brush(brush.with_surfaces(faces)));
    }
    let result = compiled(&scene.document(), &geometry());
    let area = |material: i32| -> f64 {
        let batches = result
            .cmpl
            .batches
            .iter()
            .filter(|batch| batch.material == material)
            .cloned()
            .collect();
        drawn_area(&Cmpl {
            batches,
            ..Cmpl::default()
        }) / 4096.0
    };
    assert!(
        (area(1) - 6.0).abs() < 1e-9,
        "the stone is seen through the glass: {}",
        area(1)
    );
    // One block of glass of two, without the joint and without the face on the stone.
    assert!((area(0) - 9.0).abs() < 1e-9, "{}", area(0));
}

#[test]
fn see_through_solids_in_one_place_are_drawn_once() {
    // A cube with one face of glass, and another one moved along by a half.
    let mut scene = Scene::default();
    let glass = scene.material("glass", SurfaceFlags::MASKED);
    let stone = scene.material("stone", SurfaceFlags::default());
    let mut add = |from: i32, other: MaterialId| {
        let brush = cuboid([from, 0, 0], [from + 64, 64, 64]);
        let faces = brush.faces().iter().map(|face| Face {
            material: Some(if face.plane.normal.y > 0.5 {
                glass
            } else {
                other
            }),
            ..face.clone()
        });
        let faces = faces.collect();
        scene.add(Kind::Brush(brush.with_surfaces(faces)));
        drawn_area(&compiled(&scene.document(), &geometry()).cmpl) / 4096.0
    };
    let area = add(0, stone);
    assert!((area - 6.0).abs() < 1e-9, "{area}");
    let area = add(0, stone);
    assert!((area - 6.0).abs() < 1e-9, "equal ones: {area}");
    // Of the ends inside the others one is seen through the glass, and so is the other.
    let area = add(32, stone);
    assert!((area - 10.0).abs() < 1e-9, "half a cube on: {area}");
}

#[test]
fn glass_in_the_plane_of_stone_leaves_it_seen() {
    for stone_first in [true, false] {
        let mut scene = Scene::default();
        let glass = scene.material("glass", SurfaceFlags::MASKED);
        let stone = scene.material("stone", SurfaceFlags::default());
        let order = if stone_first {
            [stone, glass]
        } else {
            [glass, stone]
        };
        for top in order {
            let brush = cuboid([0, 0, 0], [64, 64, 64]);
            let faces = brush.faces().iter().map(|face| Face {
                material: Some(if face.plane.normal.y > 0.5 {
                    top
                } else {
                    glass
                }),
                ..face.clone()
            });
            let faces = faces.collect();
            scene.add(Kind::Brush(brush.with_surfaces(faces)));
        }
        let result = compiled(&scene.document(), &geometry());
        let area = drawn_area(&result.cmpl) / 4096.0;
        // The stone covers the glass beside it, in whatever order.
        assert!(
            (area - 6.0).abs() < 1e-9,
            "stone first {stone_first}: {area}"
        );
        let seen = result.cmpl.batches.iter().map(|batch| batch.material);
        assert_eq!(
            seen.collect::<Vec<_>>(),
            [0, 1],
            "stone first {stone_first}"
        );
    }
}

#[test]
fn the_later_of_two_equal_faces_wins() {
    let mut scene = Scene::default();
    let first = scene.material("first", SurfaceFlags::default());
    let second = scene.material("second", SurfaceFlags::default());
    for material in [first, second] {
        let brush = cuboid([0, 0, 0], [64, 64, 64]);
        let faces = brush
            .faces()
            .iter()
            .map(|face| Face {
                material: Some(material),
                ..face.clone()
            })
            .collect();
        scene.add(Kind::Brush(brush.with_surfaces(faces)));
    }
    let doc = scene.document();
    let result = compiled(&doc, &geometry());
    assert_eq!(
        result
            .cmpl
            .batches
            .iter()
            .map(|batch| batch.material)
            .collect::<Vec<_>>(),
        [1]
    );
    // Document order is by `order`, then by id.
    scene.objects[0].order = 7;
    let result = compiled(&scene.document(), &geometry());
    assert_eq!(
        result
            .cmpl
            .batches
            .iter()
            .map(|batch| batch.material)
            .collect::<Vec<_>>(),
        [1],
        "insert keeps order ascending"
    );
}

#[test]
fn models_flags_and_broken_brushes() {
    let mut scene = Scene::default();
    scene.cuboid([0, 0, 0], [64, 64, 64]);
    scene.add(Kind::Entity(Entity::new("func_door", DVec3::ZERO)));
    let door = ObjectId::new(2);
    // Inside the world's cube: entities do not cut and are not cut.
    scene.cuboid([16, 16, 16], [48, 48, 48]).parent = door;
    scene.cuboid([200, 0, 0], [264, 64, 64]).flags = ObjectFlags::NO_COMPILE;
    scene.cuboid([300, 0, 0], [364, 64, 64]).flags = ObjectFlags::NO_COLLIDE;
    let open = cuboid([400, 0, 0], [464, 64, 64]);
    scene.add(Kind::Brush(Brush::as_stored(
        Contents::SOLID,
        open.faces()[..5].to_vec(),
    )));
    scene.add(Kind::Brush(Brush::as_stored(
        Contents::SOLID,
        open.faces()[..3].to_vec(),
    )));
    scene.cuboid([131_040, 0, 0], [131_104, 64, 64]);
    let mut nan = open.faces().to_vec();
    nan[2].plane.dist = f64::NAN;
    scene.add(Kind::Brush(Brush::as_stored(Contents::SOLID, nan)));
    scene.add(Kind::Entity(Entity::new("trigger_once", DVec3::ZERO)));
    let trigger = ObjectId::new(10);
    let object = scene.cuboid([0, 100, 0], [64, 164, 64]);
    object.parent = trigger;
    object.kind = Kind::Brush(cuboid([0, 100, 0], [64, 164, 64]).with_contents(Contents::TRIGGER));
    let result = compiled(&scene.document(), &geometry());
    let cmpl = &*result.cmpl;
    assert_eq!(
        cmpl.models
            .iter()
            .map(|model| model.entity_id)
            .collect::<Vec<_>>(),
        [0, 2, 10]
    );
    assert_eq!(
        cmpl.models[1]
            .brushes
            .iter()
            .map(|brush| brush.source_id)
            .collect::<Vec<_>>(),
        [3]
    );
    assert_eq!(
        cmpl.models[2]
            .brushes
            .iter()
            .map(|brush| (brush.source_id, brush.contents))
            .collect::<Vec<_>>(),
        [(11, 8)]
    );
    assert_eq!(
        cmpl.bsp
            .brushes
            .iter()
            .map(|brush| brush.source_id)
            .collect::<Vec<_>>(),
        [1]
    );
    assert_eq!(cmpl.models[2].bounds.min, Vec3::new(0.0, 100.0, 0.0));
    assert!(
        (drawn_area(cmpl) - 12.0 * 4096.0).abs() < 1e-3,
        "the world's two cubes are whole"
    );
    let codes: Vec<_> = result
        .issues
        .iter()
        .map(|issue| (issue.code, issue.object.map(ObjectId::get)))
        .collect();
    assert_eq!(
        codes,
        [
            ("C-OPEN-BRUSH", Some(6)),
            ("C-FACES-BRUSH", Some(7)),
            ("C-FAR-BRUSH", Some(8)),
            ("C-NAN-BRUSH", Some(9))
        ]
    );
    assert_eq!(result.sealed, None);
}

#[test]
fn an_empty_map_compiles_to_the_empty_tree() {
    let result = compiled(
        &Document::default(),
        &Options {
            light: true,
            ..geometry()
        },
    );
    assert_eq!(result.cmpl.bsp, Bsp::default());
    assert_eq!(result.cmpl.models.len(), 1);
    assert!(result.cmpl.batches.is_empty());
    assert_eq!(result.cmpl.bounds, mapwright::compiler::Box3::default());
}

#[test]
fn subtract_brushes_carve_those_before_them() {
    let mut scene = Scene::default();
    scene.cuboid([0, 0, 0], [128, 128, 128]);
    let carver = scene.cuboid([32, 32, 32], [96, 96, 160]);
    carver.flags = ObjectFlags::SUBTRACT;
    carver.kind =
        Kind::Brush(cuboid([32, 32, 32], [96, 96, 160]).with_contents(Contents::default()));
    // After the carver: stays whole.
    scene.cuboid([48, 48, 32], [80, 80, 64]);
    let result = compiled(&scene.document(), &geometry());
    let cmpl = &*result.cmpl;
    // The block's six sides with a hole of 64 x 64, whose floor lies at 32 and whose walls are 96 deep; a post of 32 in it.
    let area = 6 * 128 * 128 - 64 * 64 + 64 * 64 + 4 * 64 * 96 + 4 * 32 * 32;
    assert!(
        (drawn_area(cmpl) - f64::from(area)).abs() < 1e-3,
        "{} instead of {area}",
        drawn_area(cmpl)
    );
    assert_eq!(unmatched_edges(cmpl), []);
    // A part for each side of the hole that has rock behind it; they overlap at its edges.
    let parts: Vec<f64> = cmpl
        .bsp
        .brushes
        .iter()
        .filter(|brush| brush.source_id == 1)
        .map(|brush| {
            let size = (brush.bounds.max - brush.bounds.min).as_dvec3();
            size.x * size.y * size.z
        })
        .collect();
    assert_eq!(parts, [f64::from(32 * 128 * 128); 5]);
    let contents = |point: DVec3| {
        cmpl.bsp
            .brushes
            .iter()
            .filter(|brush| {
                brush
                    .planes
                    .iter()
                    .all(|p| p.normal.as_dvec3().dot(point) < f64::from(p.dist))
            })
            .count()
    };
    assert_eq!(
        [
            DVec3::new(40.0, 40.0, 100.0),
            DVec3::new(64.0, 64.0, 40.0),
            DVec3::new(10.0, 10.0, 10.0)
        ]
        .map(contents),
        [0, 1, 3]
    );
}

/// One block and boxes that carve it: the build draws as much as views do, is closed, and its pieces fill what is left.
#[test]
fn csg_2_builds_and_views_agree_on_holes() {
    let mut random = Random(5);
    for round in 0..60 {
        let mut scene = Scene::default();
        scene.cuboid([0, 0, 0], [128, 128, 128]);
        let mut carvers: Vec<Brush> = Vec::new();
        for _ in 0..1 + random.below(4) {
            let mut at = || random.below(11) as i32 * 16 - 16;
            let (a, b) = ([at(), at(), at()], [at(), at(), at()]);
            let min: [i32; 3] = std::array::from_fn(|i| a[i].min(b[i]));
            let max: [i32; 3] = std::array::from_fn(|i| a[i].max(b[i]).max(min[i] + 16));
            let carver = scene.cuboid(min, max);
            carver.flags = ObjectFlags::SUBTRACT;
            carver.kind = Kind::Brush(cuboid(min, max).with_contents(Contents::default()));
            carvers.push(cuboid(min, max));
        }
        let doc = scene.document();
        let result = compiled(&doc, &geometry());
        let mut carving = Carving::default();
        carving.sync(&doc);
        let block = ObjectId::new(1).expect("not 0");
        let brush = doc.object(block).and_then(Object::brush).expect("brush");
        let surface = carved(&doc, brush, &carving.carvers_of(block));
        let shown: f64 = surface
            .faces
            .iter()
            .map(|face| polygon::area(&face.corners))
            .sum();
        assert!(
            (drawn_area(&result.cmpl) - shown).abs() < 0.1,
            "round {round}: {} built, {shown} shown",
            drawn_area(&result.cmpl)
        );
        assert_eq!(unmatched_edges(&result.cmpl), [], "round {round}");
        for _ in 0..200 {
            let point = DVec3::new(
                random.below(320) as f64,
                random.below(320) as f64,
                random.below(320) as f64,
            ) * 0.5
                + DVec3::splat(-15.75);
            let inside = |brush: &Brush| brush.hull().bounds().contains(point);
            let wanted = inside(brush) && !carvers.iter().any(inside);
            let pieces = result
                .cmpl
                .bsp
                .brushes
                .iter()
                .filter(|piece| {
                    piece
                        .planes
                        .iter()
                        .all(|p| p.normal.as_dvec3().dot(point) < f64::from(p.dist))
                })
                .count();
            assert_eq!(pieces > 0, wanted, "round {round} at {point}");
        }
    }
}

/// Tilted blocks and carvers: collision ends at faces of the block and at turned faces of later carvers (D38), nowhere else,
/// and fills what carving leaves.
#[test]
fn csg_2_collision_ends_where_something_ends() {
    let mut random = Random(8);
    for round in 0..40 {
        let mut scene = Scene::default();
        let block = turned(&mut random, 40.0, 120.0);
        scene.add(Kind::Brush(block.clone()));
        let mut carvers = Vec::new();
        for _ in 0..1 + random.below(6) {
            let carver = turned(&mut random, 60.0, 50.0);
            scene
                .add(Kind::Brush(carver.with_contents(Contents::default())))
                .flags = ObjectFlags::SUBTRACT;
            carvers.push(carver);
        }
        let result = compiled(&scene.document(), &geometry());
        let allowed: Vec<Plane> = block
            .faces()
            .iter()
            .map(|face| face.plane)
            .chain(
                carvers
                    .iter()
                    .flat_map(Brush::faces)
                    .map(|face| face.plane.flipped()),
            )
            .filter_map(|plane| plane.unit())
            .collect();
        for plane in result.cmpl.bsp.brushes.iter().flat_map(|part| &part.planes) {
            assert!(
                allowed.iter().any(|wanted| {
                    (wanted.normal - plane.normal.as_dvec3())
                        .abs()
                        .max_element()
                        < 1e-4
                        && (wanted.dist - f64::from(plane.dist)).abs() < 1e-3
                }),
                "round {round}: {plane:?}"
            );
        }
        let depth = |brush: &Brush, point: DVec3| {
            brush
                .faces()
                .iter()
                .filter_map(|face| face.plane.unit())
                .map(|plane| plane.distance(point))
                .fold(f64::NEG_INFINITY, f64::max)
        };
        for _ in 0..400 {
            let mut at = || random.between(-120.0, 120.0);
            let point = DVec3::new(at(), at(), at());
            // On a surface nothing is asked.
            let depths: Vec<f64> = carvers.iter().map(|carver| depth(carver, point)).collect();
            let in_block = depth(&block, point);
            if in_block.abs() < 0.02 || depths.iter().any(|depth| depth.abs() < 0.02) {
                continue;
            }
            let wanted = in_block < 0.0 && depths.iter().all(|&depth| depth > 0.0);
            let inside = result.cmpl.bsp.brushes.iter().any(|part| {
                part.planes
                    .iter()
                    .all(|p| p.normal.as_dvec3().dot(point) < f64::from(p.dist))
            });
            assert_eq!(inside, wanted, "round {round} at {point}");
        }
    }
}

#[test]
fn meshes_have_batches_normals_and_collision_of_their_own() {
    let mut scene = Scene::default();
    let open = scene.material("open", SurfaceFlags::NO_COLLIDE);
    let points = [
        (0.0, 0.0, 0.0),
        (64.0, 0.0, 0.0),
        (64.0, 64.0, 0.0),
        (20.0, 20.0, 0.0),
        (0.0, 64.0, 0.0),
        (0.0, 0.0, 64.0),
    ];
    let polygon = |material, corners: &[u32], uvs: &[Vec2]| Polygon {
        material,
        smooth: 0,
        proj: Uv::default(),
        corners: corners.to_vec(),
        uvs: uvs.to_vec(),
    };
    let mesh = Mesh {
        name: String::new(),
        points: points.map(DVec3::from).to_vec(),
        polygons: vec![
            polygon(None, &[0, 1, 2, 3, 4], &[]), // concave
            polygon(Some(open), &[0, 4, 5], &[Vec2::ZERO, Vec2::X, Vec2::Y]),
            polygon(None, &[0, 1], &[]),    // broken
            polygon(None, &[0, 1, 9], &[]), // broken
        ],
    };
    scene.add(Kind::Mesh(mesh));
    let result = compiled(&scene.document(), &geometry());
    let cmpl = &*result.cmpl;
    assert_eq!(
        cmpl.batches
            .iter()
            .map(|batch| (batch.source, batch.material))
            .collect::<Vec<_>>(),
        [
            (BatchSource::MeshPolygons, -1),
            (BatchSource::MeshPolygons, 0)
        ]
    );
    let drawn = drawn_area(&Cmpl {
        batches: vec![cmpl.batches[0].clone()],
        ..Cmpl::default()
    });
    let outline = [
        (0.0, 0.0),
        (64.0, 0.0),
        (64.0, 64.0),
        (20.0, 20.0),
        (0.0, 64.0),
    ];
    let shoelace: f64 = (0..5)
        .map(|i| {
            let (a, b) = (outline[i], outline[(i + 1) % 5]);
            (a.0 * b.1 - b.0 * a.1) * 0.5
        })
        .sum();
    assert!(
        (drawn - shoelace).abs() < 1e-6,
        "{drawn} instead of {shoelace}"
    );
    assert!(
        cmpl.batches[1]
            .vertices
            .iter()
            .any(|vertex| vertex.uv == Vec2::X)
    );
    assert_eq!(cmpl.mesh_collisions.len(), 1);
    assert_eq!(
        cmpl.mesh_collisions[0].vertices.len(),
        9,
        "three triangles; NO_COLLIDE is left out"
    );
    assert_eq!(result.mesh_model, [0]);
    assert_eq!(
        result
            .issues
            .iter()
            .map(|issue| (issue.code, issue.face))
            .collect::<Vec<_>>(),
        [("C-POLYGON", Some(2)), ("C-POLYGON", Some(3))]
    );
}

#[test]
fn a_cancelled_compile_says_so() {
    let (scene, _) = grid_boxes(&mut Random(5), 20, 32);
    let progress = Progress::new();
    progress.cancel();
    assert!(
        compile(
            &scene.document(),
            &geometry(),
            &mut Cache::default(),
            &progress
        )
        .is_err()
    );
}
