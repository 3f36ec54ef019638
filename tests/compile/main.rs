//! The compiler as a whole: invariants on random scenes, rules of the format, and real maps.

mod real;
mod rules;
mod scenes;

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

fn near_line(p: Vec3, a: Vec3, b: Vec3) -> bool {
    let (p, a, b) = (p.as_dvec3(), a.as_dvec3(), b.as_dvec3());
    let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    (a + (b - a) * t).distance(p) < 0.1
}
