//! The compiler as a whole: invariants on random scenes, rules of the format, and real maps.

use std::collections::HashMap;

use glam::DAffine3;
use glam::DQuat;
use glam::DVec3;
use glam::Vec2;
use glam::Vec3;
use mapwright::compiler::BatchSource;
use mapwright::compiler::Bsp;
use mapwright::compiler::Cache;
use mapwright::compiler::Cmpl;
use mapwright::compiler::Compiled;
use mapwright::compiler::Options;
use mapwright::compiler::compile;
use mapwright::document::Brush;
use mapwright::document::Contents;
use mapwright::document::Document;
use mapwright::document::Entity;
use mapwright::document::Face;
use mapwright::document::Kind;
use mapwright::document::Material;
use mapwright::document::MaterialId;
use mapwright::document::Mesh;
use mapwright::document::Object;
use mapwright::document::ObjectFlags;
use mapwright::document::ObjectId;
use mapwright::document::Polygon;
use mapwright::document::SurfaceFlags;
use mapwright::document::UvLock;
use mapwright::formats::NoSiblings;
use mapwright::formats::importer_for;
use mapwright::geometry::Aabb;
use mapwright::geometry::Plane;
use mapwright::geometry::Uv;
use mapwright::task::Progress;
use proptest::prelude::*;

/// A small generator, so that scenes are the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn point(&mut self, bounds: Aabb) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|axis| self.between(bounds.min[axis], bounds.max[axis])))
    }
}

/// A document under construction.
#[derive(Default)]
struct Scene {
    objects: Vec<Object>,
    materials: Vec<Material>,
}

impl Scene {
    fn add(&mut self, kind: Kind) -> &mut Object {
        self.objects.push(Object::new(kind));
        self.objects.last_mut().expect("just pushed")
    }

    fn cuboid(&mut self, min: [i32; 3], max: [i32; 3]) -> &mut Object {
        self.add(Kind::Brush(cuboid(min, max)))
    }

    fn material(&mut self, name: &str, flags: SurfaceFlags) -> MaterialId {
        self.materials.push(Material {
            flags,
            ..Material::new(name, "")
        });
        MaterialId(self.materials.len() as u32 - 1)
    }

    /// Objects get the ids 1, 2, 3 ...
    fn document(&self) -> Document {
        let mut draft = Document::default().edit();
        draft.set_materials(self.materials.clone());
        for object in &self.objects {
            draft.insert(object.clone());
        }
        draft.as_read()
    }
}

fn cuboid(min: [i32; 3], max: [i32; 3]) -> Brush {
    let [min, max] = [min, max].map(|v| DVec3::from_array(v.map(f64::from)));
    Brush::cuboid(Aabb::new(min, max), None)
}

/// A cuboid turned about its centre.
fn turned(random: &mut Random, size: f64, place: f64) -> Brush {
    let half = DVec3::new(
        random.between(8.0, size),
        random.between(8.0, size),
        random.between(8.0, size),
    );
    let axis = random
        .point(Aabb::around(DVec3::ZERO, DVec3::ONE))
        .normalize_or(DVec3::Y);
    let turn = DQuat::from_axis_angle(axis, random.between(0.0, 6.3));
    let at = random.point(Aabb::around(DVec3::ZERO, DVec3::splat(place)));
    let brush = Brush::cuboid(Aabb::around(DVec3::ZERO, half), None);
    let moved = brush.transformed(
        &DAffine3::from_rotation_translation(turn, at),
        UvLock::World,
        &|_| Vec2::splat(64.0),
    );
    let faces = moved
        .faces()
        .iter()
        .map(|face| Face {
            plane: face.plane.rounded(),
            ..face.clone()
        })
        .collect();
    Brush::as_stored(Contents::SOLID, faces)
}

fn geometry() -> Options {
    Options {
        light: false,
        threads: Some(2),
        ..Options::default()
    }
}

fn compiled(doc: &Document, options: &Options) -> Compiled {
    let result =
        compile(doc, options, &mut Cache::default(), &Progress::new()).expect("not cancelled");
    check_invariants(doc, &result);
    result
}

/// What holds for every compile, whatever the map.
fn check_invariants(doc: &Document, result: &Compiled) {
    let cmpl = &*result.cmpl;
    assert!(result.is_current(doc));
    let keys: Vec<_> = cmpl
        .batches
        .iter()
        .map(|batch| (batch.model, batch.source, batch.material))
        .collect();
    assert!(keys.is_sorted(), "batches out of order");
    assert_eq!(cmpl.models[0].entity_id, 0);
    assert!(cmpl.models[1..].is_sorted_by_key(|model| model.entity_id));
    assert!(
        cmpl.models[0].brushes.is_empty(),
        "the world's brushes are in the tree"
    );
    assert_eq!(result.mesh_model.len(), cmpl.mesh_collisions.len());
    assert_eq!(result.origins.len(), cmpl.batches.len());
    for (batch, origins) in cmpl.batches.iter().zip(&result.origins) {
        assert!(!batch.indices.is_empty() && batch.indices.len() % 3 == 0);
        let mut used = vec![false; batch.vertices.len()];
        batch
            .indices
            .iter()
            .for_each(|&index| used[index as usize] = true);
        assert!(used.iter().all(|&used| used), "unused vertex");
        let mut seen: Vec<_> = batch.vertices.iter().map(bytemuck::bytes_of).collect();
        seen.sort_unstable();
        assert!(
            seen.windows(2).all(|pair| pair[0] != pair[1]),
            "equal vertices"
        );
        for triangle in batch.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| batch.vertices[triangle[i] as usize]);
            let cross = (b.position - a.position)
                .as_dvec3()
                .cross((c.position - a.position).as_dvec3());
            assert!(
                cross.dot((a.normal + b.normal + c.normal).as_dvec3()) >= 0.0,
                "wound against its normals"
            );
            assert!(cross.length() > 1e-7, "no area");
        }
        for vertex in &batch.vertices {
            assert!(
                vertex.position.is_finite()
                    && vertex.uv.is_finite()
                    && (vertex.normal.length() - 1.0).abs() < 1e-3
            );
            let model = cmpl.models[batch.model as usize].bounds;
            assert!(
                vertex.position.cmpge(model.min).all() && vertex.position.cmple(model.max).all(),
                "outside its model"
            );
            assert!(
                cmpl.baked == 1 || vertex.rgba == [255; 4],
                "colour without light"
            );
        }
        let mut next = 0;
        for run in origins {
            assert_eq!(run.first_triangle, next, "gap between origins");
            assert!(run.triangle_count > 0 && !run.faces.is_empty());
            next += run.triangle_count;
        }
        assert_eq!(next as usize * 3, batch.indices.len());
        check_origins(doc, batch, origins);
    }
    check_tree(&cmpl.bsp);
}

/// Each triangle of brush faces lies in the plane of a face that it comes from.
fn check_origins(
    doc: &Document,
    batch: &mapwright::compiler::Batch,
    origins: &mapwright::compiler::Origins,
) {
    for run in origins
        .iter()
        .filter(|_| batch.source == BatchSource::BrushFaces)
    {
        let planes: Vec<Plane> = run
            .faces
            .iter()
            .filter_map(|(id, face)| {
                doc.object(*id)?
                    .brush()?
                    .faces()
                    .get(*face as usize)?
                    .plane
                    .unit()
            })
            .collect();
        for triangle in run.first_triangle..run.first_triangle + run.triangle_count {
            let corners = [0, 1, 2].map(|i| {
                batch.vertices[batch.indices[(triangle * 3 + i) as usize] as usize]
                    .position
                    .as_dvec3()
            });
            let near = 0.03 + 1e-6 * corners[0].abs().max_element();
            assert!(
                planes.iter().any(|plane| corners
                    .iter()
                    .all(|&corner| plane.distance(corner).abs() < near)),
                "triangle {corners:?} lies in no face of {:?}",
                run.faces
            );
        }
    }
}

/// Every node and leaf is reached once, in pre-order, front first.
fn check_tree(bsp: &Bsp) {
    let (mut nodes, mut leaves, mut deepest) = (0, 0, 0);
    let mut stack = vec![(bsp.root, 0)];
    while let Some((link, depth)) = stack.pop() {
        if link >= 0 {
            assert_eq!(link, nodes, "nodes not in pre-order");
            nodes += 1;
            let node = bsp.nodes[link as usize];
            assert!((node.plane as usize) < bsp.planes.len());
            stack.push((node.back, depth + 1));
            stack.push((node.front, depth + 1));
        } else {
            assert_eq!(!link, leaves, "leaves not in pre-order");
            deepest = deepest.max(depth);
            let leaf = bsp.leaves[leaves as usize];
            leaves += 1;
            let list = &bsp.leaf_brushes
                [leaf.first_brush as usize..(leaf.first_brush + leaf.brush_count) as usize];
            assert!(
                list.windows(2).all(|pair| pair[0] < pair[1]),
                "leaf not ascending"
            );
            assert!(
                list.iter()
                    .all(|&brush| (brush as usize) < bsp.brushes.len())
            );
        }
    }
    assert_eq!(
        (nodes as usize, leaves as usize, deepest),
        (bsp.nodes.len(), bsp.leaves.len(), bsp.depth)
    );
    assert!(bsp.brushes.is_sorted_by_key(|brush| brush.source_id));
}

/// The tree's answer against all brushes, at random points.
fn check_points(bsp: &Bsp, random: &mut Random, points: usize) {
    let dist = |plane: &mapwright::compiler::Plane3, p: DVec3| {
        plane.normal.as_dvec3().dot(p) - f64::from(plane.dist)
    };
    let bounds = Aabb::new(bsp.bounds.min.as_dvec3(), bsp.bounds.max.as_dvec3()).grown(2.0);
    for i in 0..points {
        let around = if i % 3 == 0 || bsp.brushes.is_empty() {
            bounds
        } else {
            let brush = &bsp.brushes[random.below(bsp.brushes.len() as u64) as usize];
            Aabb::new(brush.bounds.min.as_dvec3(), brush.bounds.max.as_dvec3()).grown(1.0)
        };
        let point = random.point(around);
        if bsp
            .brushes
            .iter()
            .flat_map(|brush| &brush.planes)
            .any(|plane| dist(plane, point).abs() < 0.01)
        {
            continue;
        }
        let mut link = bsp.root;
        while link >= 0 {
            let node = bsp.nodes[link as usize];
            link = if dist(&bsp.planes[node.plane as usize], point) >= 0.0 {
                node.front
            } else {
                node.back
            };
        }
        let leaf = bsp.leaves[!link as usize];
        let listed = &bsp.leaf_brushes
            [leaf.first_brush as usize..(leaf.first_brush + leaf.brush_count) as usize];
        for (index, brush) in bsp.brushes.iter().enumerate() {
            let inside = brush.planes.iter().all(|plane| dist(plane, point) < 0.0);
            assert!(
                !inside || listed.contains(&(index as u32)),
                "{point} lies in brush {index}, which its leaf does not list"
            );
        }
    }
}

/// Drawn area of the world's triangles.
fn drawn_area(cmpl: &Cmpl) -> f64 {
    let mut area = 0.0;
    for batch in cmpl.batches.iter().filter(|batch| batch.model == 0) {
        for triangle in batch.indices.chunks_exact(3) {
            let [a, b, c] =
                [0, 1, 2].map(|i| batch.vertices[triangle[i] as usize].position.as_dvec3());
            area += (b - a).cross(c - a).length() * 0.5;
        }
    }
    area
}

/// Edges of the world's triangles that have no partner running the other way.
fn unmatched_edges(cmpl: &Cmpl) -> Vec<(Vec3, Vec3)> {
    let mut balance: HashMap<[u32; 6], i32> = HashMap::new();
    for batch in cmpl.batches.iter().filter(|batch| batch.model == 0) {
        for triangle in batch.indices.chunks_exact(3) {
            for i in 0..3 {
                let [a, b] = [triangle[i], triangle[(i + 1) % 3]].map(|v| {
                    batch.vertices[v as usize]
                        .position
                        .to_array()
                        .map(f32::to_bits)
                });
                let (key, step) = if a < b { ((a, b), 1) } else { ((b, a), -1) };
                *balance
                    .entry([key.0[0], key.0[1], key.0[2], key.1[0], key.1[1], key.1[2]])
                    .or_default() += step;
            }
        }
    }
    let mut left: Vec<_> = balance
        .into_iter()
        .filter(|(_, count)| *count != 0)
        .map(|(key, _)| key.map(f32::from_bits))
        .collect();
    left.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
    left.iter()
        .map(|k| (Vec3::new(k[0], k[1], k[2]), Vec3::new(k[3], k[4], k[5])))
        .collect()
}

/// Random boxes on a coarse grid, so that many faces touch, coincide and overlap. Returns the area of their union's surface.
fn grid_boxes(random: &mut Random, count: u64, step: i32) -> (Scene, f64) {
    const SIZE: usize = 10;
    let mut scene = Scene::default();
    let mut full = [[[false; SIZE]; SIZE]; SIZE];
    for _ in 0..count {
        let low = [(); 3].map(|()| random.below(SIZE as u64 - 3) as usize + 1);
        let high = low.map(|low| low + 1 + random.below((SIZE - low - 1).min(4) as u64) as usize);
        scene.cuboid(low.map(|x| x as i32 * step), high.map(|x| x as i32 * step));
        for plane in &mut full[low[0]..high[0]] {
            for row in &mut plane[low[1]..high[1]] {
                row[low[2]..high[2]].fill(true);
            }
        }
    }
    let mut area = 0;
    for x in 1..SIZE {
        for y in 1..SIZE {
            for z in 1..SIZE {
                let here = full[x][y][z];
                area += usize::from(here != full[x - 1][y][z])
                    + usize::from(here != full[x][y - 1][z])
                    + usize::from(here != full[x][y][z - 1]);
            }
        }
    }
    (scene, area as f64 * f64::from(step * step))
}

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
    let volume: f64 = cmpl
        .bsp
        .brushes
        .iter()
        .filter(|brush| brush.source_id == 1)
        .map(|brush| {
            let size = (brush.bounds.max - brush.bounds.min).as_dvec3();
            size.x * size.y * size.z
        })
        .sum();
    assert!(
        (volume - f64::from(128 * 128 * 128 - 64 * 64 * 96)).abs() < 1e-6,
        "pieces of boxes are boxes: {volume}"
    );
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
        [0, 1, 1]
    );
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

fn near_line(p: Vec3, a: Vec3, b: Vec3) -> bool {
    let (p, a, b) = (p.as_dvec3(), a.as_dvec3(), b.as_dvec3());
    let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    (a + (b - a) * t).distance(p) < 0.1
}
