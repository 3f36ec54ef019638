//! Checks of the bake: closed forms of light over a plane, shadow borders, leaks, cracks, equal bytes.

use std::collections::BTreeMap;

use glam::DVec3;
use glam::Vec2;

use crate::compiler::BakeScene;
use crate::compiler::BakeStats;
use crate::compiler::BatchSource;
use crate::compiler::Bsp;
use crate::compiler::Light;
use crate::compiler::ModelMesh;
use crate::compiler::Options;
use crate::compiler::Patch;
use crate::compiler::PatchUv;
use crate::compiler::PatchVertex;
use crate::compiler::Quality;
use crate::compiler::bake;
use crate::compiler::display::decode;
use crate::compiler::display::encode;
use crate::compiler::lights_of;
use crate::document::Document;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::SurfaceFlags;
use crate::geometry::Plane;
use crate::task::Progress;

/// A map with an object that surfaces can be from, and lights.
fn map(ambient: f32, lights: &[(&str, DVec3, DVec3, &[(&str, &str)])]) -> Document {
    let mut draft = Document::default().edit();
    draft.settings_mut().ambient = glam::Vec3::splat(ambient);
    draft.insert(Object::new(Kind::Mesh(Mesh {
        name: String::new(),
        points: Vec::new(),
        polygons: Vec::new(),
    })));
    for (class, origin, angles_deg, keys) in lights {
        let mut entity = Entity::new(*class, *origin);
        entity.angles_deg = *angles_deg;
        for (key, value) in *keys {
            entity.set_key(key, *value);
        }
        draft.insert(Object::new(Kind::Entity(entity)));
    }
    draft.as_read()
}

/// Adds a square with corners `at`, `at + u`, `at + u + v`, `at + v`, in cells; its front is where u x v points.
fn add_square(
    mesh: &mut ModelMesh,
    at: DVec3,
    u: DVec3,
    v: DVec3,
    cells: u32,
    flags: SurfaceFlags,
) {
    let normal = u.cross(v).normalize();
    let mut patch = Patch {
        plane: Plane::new(normal, normal.dot(at)),
        material: None,
        source: BatchSource::MeshPolygons,
        flags,
        uv: PatchUv::PerVertex,
        vertices: Vec::new(),
        triangles: Vec::new(),
        from: vec![(ObjectId::new(1).expect("not 0"), 0)],
        unlit: false,
    };
    for row in 0..=cells {
        for column in 0..=cells {
            let share = Vec2::new(column as f32, row as f32) / cells as f32;
            let place = at + u * f64::from(share.x) + v * f64::from(share.y);
            let position = mesh
                .positions
                .iter()
                .position(|old| old.distance(place) < 1e-6)
                .unwrap_or_else(|| {
                    mesh.positions.push(place);
                    mesh.positions.len() - 1
                });
            patch.vertices.push(PatchVertex {
                position: position as u32,
                normal: normal.as_vec3(),
                uv: share,
                rgba: [255; 4],
            });
        }
    }
    for cell in 0..cells * cells {
        let first = cell / cells * (cells + 1) + cell % cells;
        let above = first + cells + 1;
        patch.triangles.push([first, first + 1, above + 1]);
        patch.triangles.push([first, above + 1, above]);
    }
    mesh.patches.push(patch);
}

fn floor(half: f64, cells: u32) -> ModelMesh {
    let mut mesh = ModelMesh::default();
    add_square(
        &mut mesh,
        DVec3::new(-half, 0.0, half),
        DVec3::X * half * 2.0,
        DVec3::NEG_Z * half * 2.0,
        cells,
        SurfaceFlags::default(),
    );
    mesh
}

fn run(doc: &Document, meshes: &mut [ModelMesh], quality: Quality) -> BakeStats {
    let bsp = Bsp::default();
    let lights = lights_of(doc, &mut Vec::new());
    let scene = BakeScene::new(doc, lights, meshes, &bsp);
    bake(
        &scene,
        meshes,
        &Options {
            quality,
            ..Options::default()
        },
        &Progress::new(),
    )
    .expect("nobody cancels")
}

/// Position and red light, decoded, of every vertex of a patch.
fn vertices(mesh: &ModelMesh, patch: usize) -> impl Iterator<Item = (DVec3, f64)> + '_ {
    mesh.patches[patch].vertices.iter().map(|vertex| {
        (
            mesh.positions[vertex.position as usize],
            f64::from(vertex.rgba[0]),
        )
    })
}

/// The byte for irradiance.
fn byte(linear: f64) -> f64 {
    (255.0 * encode(linear.min(1.0))).round()
}

const DOWN: DVec3 = DVec3::new(-90.0, 0.0, 0.0);

#[test]
fn a_point_light_over_a_plane_follows_the_inverse_square() {
    let doc = map(
        0.0,
        &[(
            "light",
            DVec3::new(0.0, 96.0, 0.0),
            DVec3::ZERO,
            &[("intensity", "6"), ("radius", "0")],
        )],
    );
    let mut meshes = [floor(256.0, 2)];
    run(&doc, &mut meshes, Quality::Normal);
    let law = |place: DVec3| {
        6.0 * 96.0 * 32.0 * 32.0 / (96.0 * 96.0 + place.x * place.x + place.z * place.z).powf(1.5)
    };
    for (place, value) in vertices(&meshes[0], 0) {
        // Half a step of the byte, or half a percent.
        let want = law(place);
        let off = (value - 255.0 * encode(want)).abs();
        assert!(
            off <= 0.5001 || (decode(value / 255.0) / want - 1.0).abs() < 0.005,
            "{place}: {value} for {want}"
        );
    }
    // Between vertices the picture is right too: interpolated in linear light, shown in display values.
    let patch = &meshes[0].patches[0];
    assert!(
        patch.vertices.len() > 50 && patch.vertices.len() < 3000,
        "{}",
        patch.vertices.len()
    );
    let mut worst = 0.0_f64;
    for triangle in &patch.triangles {
        let corners = triangle.map(|corner| patch.vertices[corner as usize]);
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            let place = meshes[0].positions[a.position as usize]
                .midpoint(meshes[0].positions[b.position as usize]);
            let shown = encode(f64::midpoint(
                decode(f64::from(a.rgba[0]) / 255.0),
                decode(f64::from(b.rgba[0]) / 255.0),
            ));
            worst = worst.max((shown - encode(law(place).min(1.0))).abs());
        }
    }
    // 4 / 255 and the rounding of the bytes.
    assert!(worst < 5.0 / 255.0, "{worst}");
}

#[test]
fn a_spot_ends_at_its_cone() {
    let keys = [
        ("intensity", "20"),
        ("radius", "0"),
        ("inner", "15"),
        ("outer", "30"),
    ];
    let doc = map(
        0.0,
        &[("light_spot", DVec3::new(0.0, 128.0, 0.0), DOWN, &keys)],
    );
    let mut meshes = [floor(256.0, 2)];
    run(&doc, &mut meshes, Quality::Normal);
    let border = 128.0 * 30.0_f64.to_radians().tan();
    let (mut inside, mut outside) = (0.0_f64, f64::MAX);
    for (place, value) in vertices(&meshes[0], 0) {
        let radius = place.length();
        if value > 8.0 {
            inside = inside.max(radius);
        }
        if radius > border + 1e-6 {
            assert_eq!(value, 0.0, "{place}");
            outside = outside.min(radius);
        }
        if radius < 128.0 * 15.0_f64.to_radians().tan() {
            let want = 20.0 * 128.0 * 1024.0 / (128.0 * 128.0 + radius * radius).powf(1.5);
            assert_eq!(value, byte(want), "{place}");
        }
    }
    assert!(
        inside > border - 24.0 && outside < border + 24.0,
        "{inside} {border} {outside}"
    );
}

#[test]
fn a_sun_gives_the_cosine_and_lights_add() {
    let slant = DVec3::new(-30.0, 0.0, 0.0);
    let sun: (&str, DVec3, DVec3, &[(&str, &str)]) =
        ("light_sun", DVec3::ZERO, slant, &[("intensity", "0.8")]);
    let lamp: (&str, DVec3, DVec3, &[(&str, &str)]) = (
        "light",
        DVec3::new(40.0, 64.0, 0.0),
        DVec3::ZERO,
        &[("intensity", "1")],
    );
    let bytes = |ambient: f32, lights: &[_]| {
        let mut meshes = [floor(128.0, 4)];
        run(&map(ambient, lights), &mut meshes, Quality::Fast);
        vertices(&meshes[0], 0)
            .map(|(place, value)| (place, decode(value / 255.0)))
            .collect::<Vec<_>>()
    };
    let ambient = decode(f64::from(0.3_f32));
    for (_, value) in bytes(0.3, &[sun]) {
        assert!((byte(value) - byte(ambient + 0.4)).abs() <= 1.0, "{value}");
    }
    let (of_sun, of_lamp, of_both) = (
        bytes(0.0, &[sun]),
        bytes(0.0, &[lamp]),
        bytes(0.0, &[sun, lamp]),
    );
    for ((sun, lamp), both) in of_sun.iter().zip(&of_lamp).zip(&of_both) {
        let sum = (sun.1 + lamp.1).min(1.0);
        assert!(
            (byte(both.1) - byte(sum)).abs() <= 1.0,
            "{sun:?} {lamp:?} {both:?}"
        );
    }
}

#[test]
fn game_laws_add_display_values() {
    let keys = [
        ("intensity", "0.5"),
        ("falloff", "quake_infinite"),
        ("radius", "0"),
    ];
    let doc = map(
        0.25,
        &[("light", DVec3::new(0.0, 1000.0, 0.0), DVec3::ZERO, &keys)],
    );
    let mut meshes = [floor(8.0, 1)];
    run(&doc, &mut meshes, Quality::Normal);
    for (place, value) in vertices(&meshes[0], 0) {
        assert!((value - 255.0 * 0.75).abs() <= 1.0, "{place}: {value}");
    }
}

/// A small square held between light and floor.
fn blocked(quality: Quality) -> [ModelMesh; 1] {
    let doc = map(
        0.0,
        &[(
            "light",
            DVec3::new(0.0, 256.0, 0.0),
            DVec3::ZERO,
            &[("intensity", "40"), ("radius", "0")],
        )],
    );
    let mut meshes = [floor(512.0, 4)];
    let flags = SurfaceFlags::default();
    add_square(
        &mut meshes[0],
        DVec3::new(-32.0, 128.0, 32.0),
        DVec3::X * 64.0,
        DVec3::NEG_Z * 64.0,
        1,
        flags,
    );
    run(&doc, &mut meshes, quality);
    meshes
}

#[test]
fn a_shadow_ends_within_one_step_of_its_border() {
    let meshes = blocked(Quality::Normal);
    let (mut dark, mut light) = (0, 0);
    for (place, value) in vertices(&meshes[0], 0) {
        let reach = place.x.abs().max(place.z.abs());
        if reach < 64.0 - 0.2 {
            assert_eq!(value, 0.0, "{place}");
            dark += 1;
        } else if reach > 64.0 + 0.2 {
            assert!(value > 0.0, "{place}");
            light += 1;
        }
    }
    assert!(dark > 10 && light > 50, "{dark} {light}");
    // Colours draw the border in the middle of the edges that cross it: nowhere farther from it than `min`.
    let patch = &meshes[0].patches[0];
    let mut crossings = 0;
    for triangle in &patch.triangles {
        for k in 0..3 {
            let ends =
                [triangle[k], triangle[(k + 1) % 3]].map(|corner| patch.vertices[corner as usize]);
            if (ends[0].rgba[0] == 0) != (ends[1].rgba[0] == 0) {
                crossings += 1;
                let [a, b] = ends.map(|end| meshes[0].positions[end.position as usize]);
                let middle = a.midpoint(b);
                assert!(
                    (middle.x.abs().max(middle.z.abs()) - 64.0).abs() <= 8.0,
                    "{a} {b}"
                );
            }
        }
    }
    assert!(crossings > 40, "{crossings}");
}

#[test]
fn surfaces_stay_whole() {
    // A floor and two walls that share edges with it; light that makes cuts everywhere.
    let doc = map(
        0.0,
        &[(
            "light",
            DVec3::new(20.0, 40.0, -35.0),
            DVec3::ZERO,
            &[("intensity", "5"), ("radius", "300")],
        )],
    );
    let mut mesh = floor(128.0, 1);
    let flags = SurfaceFlags::default();
    add_square(
        &mut mesh,
        DVec3::new(-128.0, 0.0, -128.0),
        DVec3::X * 256.0,
        DVec3::Y * 256.0,
        1,
        flags,
    );
    add_square(
        &mut mesh,
        DVec3::new(-128.0, 0.0, 128.0),
        DVec3::NEG_Z * 256.0,
        DVec3::Y * 256.0,
        1,
        flags,
    );
    add_square(
        &mut mesh,
        DVec3::new(30.0, 8.0, 10.0),
        DVec3::X * 20.0,
        DVec3::NEG_Z * 20.0,
        1,
        flags,
    );
    let before = mesh.clone();
    let mut meshes = [mesh];
    let stats = run(&doc, &mut meshes, Quality::Normal);
    let mesh = &meshes[0];
    assert_eq!(
        stats.vertices,
        mesh.patches
            .iter()
            .map(|patch| patch.vertices.len())
            .sum::<usize>()
    );
    assert!(stats.rays > 100 && stats.vertices > 100, "{stats:?}");
    let mut uses: BTreeMap<[u32; 2], i32> = BTreeMap::new();
    for (patch, old) in mesh.patches.iter().zip(&before.patches) {
        let mut area = 0.0;
        for triangle in &patch.triangles {
            let at = triangle.map(|corner| patch.vertices[corner as usize].position);
            let [a, b, c] = at.map(|position| mesh.positions[position as usize]);
            let part = (b - a).cross(c - a).dot(patch.plane.normal) * 0.5;
            assert!(part > 0.0, "turned round or empty");
            area += part;
            for k in 0..3 {
                let (from, to) = (at[k], at[(k + 1) % 3]);
                *uses.entry([from.min(to), from.max(to)]).or_default() += 1;
            }
        }
        let whole = |index: usize| before.positions[old.vertices[index].position as usize];
        let want = (whole(1) - whole(0)).cross(whole(2) - whole(0)).length();
        assert!((area - want).abs() < 1e-6 * want, "{area} {want}");
        for vertex in &patch.vertices {
            // Squares carry their own coordinates: interpolation keeps them a linear map.
            let place = mesh.positions[vertex.position as usize] - whole(0);
            let (u, v) = (whole(1) - whole(0), whole(2) - whole(0));
            let want = Vec2::new(
                (place.dot(u) / u.dot(u)) as f32,
                (place.dot(v) / v.dot(v)) as f32,
            );
            assert!(vertex.uv.distance(want) < 1e-4);
        }
    }
    // Every edge that lies on another surface or inside one is used twice; the rest is the outer rim, whose length is known.
    let rim: f64 = uses
        .iter()
        .filter(|(_, count)| **count == 1)
        .map(|(ends, _)| {
            mesh.positions[ends[0] as usize].distance(mesh.positions[ends[1] as usize])
        })
        .sum();
    assert!(uses.values().all(|&count| count <= 2));
    assert!((rim - (256.0 * 6.0 + 80.0)).abs() < 1e-6, "{rim}");
}

#[test]
fn no_sun_gets_into_a_sealed_box() {
    // Walls of a room with their outsides, butted: the side walls stand between floor and ceiling slabs that overlap them.
    let mut mesh = ModelMesh::default();
    let mut shell = |half: DVec3, inside: bool| {
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let normal = DVec3::AXES[axis] * sign;
                let (u, v) = (DVec3::AXES[(axis + 1) % 3], DVec3::AXES[(axis + 2) % 3]);
                let (u, v) = if (sign > 0.0) == inside {
                    (v, u)
                } else {
                    (u, v)
                };
                let at = half * (normal - u - v);
                add_square(
                    &mut mesh,
                    at,
                    u * half * 2.0,
                    v * half * 2.0,
                    3,
                    SurfaceFlags::default(),
                );
            }
        }
    };
    shell(DVec3::new(100.0, 60.0, 80.0), true);
    shell(DVec3::new(116.0, 76.0, 96.0), false);
    let inner = 6;
    let bsp = Bsp::default();
    let mut suns = Vec::new();
    for k in 0..1000_u32 {
        let height = 1.0 - (f64::from(k) + 0.5) / 500.0;
        let angles_deg = DVec3::new(height.asin().to_degrees(), f64::from(k) * 137.5, 0.0);
        suns.push(("light_sun", DVec3::ZERO, angles_deg));
    }
    let lights: Vec<(&str, DVec3, DVec3, &[(&str, &str)])> = suns
        .iter()
        .map(|(class, origin, angles)| (*class, *origin, *angles, &[][..]))
        .collect();
    let doc = map(0.0, &lights);
    let scene = BakeScene::new(
        &doc,
        lights_of(&doc, &mut Vec::new()),
        std::slice::from_ref(&mesh),
        &bsp,
    );
    let mut meshes = [mesh];
    bake(
        &scene,
        &mut meshes,
        &Options {
            quality: Quality::Fast,
            ..Options::default()
        },
        &Progress::new(),
    )
    .expect("nobody cancels");
    for patch in 0..12 {
        for (place, value) in vertices(&meshes[0], patch) {
            assert_eq!(value == 0.0, patch < inner, "patch {patch} at {place}");
        }
    }
}

#[test]
fn sun_comes_in_through_sky_only() {
    let doc = map(0.0, &[("light_sun", DVec3::ZERO, DOWN, &[("size", "2")])]);
    let mut mesh = floor(64.0, 2);
    // Above the left half sky, above the right half a roof; over both another floor that must not matter under the sky.
    let right = DVec3::X * 100.0;
    add_square(
        &mut mesh,
        DVec3::new(-100.0, 100.0, -100.0),
        right,
        DVec3::Z * 200.0,
        1,
        SurfaceFlags::SKY,
    );
    add_square(
        &mut mesh,
        DVec3::new(0.0, 100.0, -100.0),
        right,
        DVec3::Z * 200.0,
        1,
        SurfaceFlags::default(),
    );
    add_square(
        &mut mesh,
        DVec3::new(-200.0, 150.0, -200.0),
        DVec3::X * 400.0,
        DVec3::Z * 400.0,
        1,
        SurfaceFlags::default(),
    );
    mesh.patches[1].unlit = true;
    let mut meshes = [mesh];
    run(&doc, &mut meshes, Quality::Normal);
    let mut seen = [0, 0];
    for (place, value) in vertices(&meshes[0], 0) {
        // The sun's disc of 2 degrees makes a soft border of 3.5 units.
        if place.x.abs() > 4.0 {
            assert_eq!(value, if place.x < 0.0 { 255.0 } else { 0.0 }, "{place}");
            seen[usize::from(place.x > 0.0)] += 1;
        }
    }
    assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
    assert!(
        vertices(&meshes[0], 1).all(|(_, value)| value == 255.0),
        "sky stays white"
    );
}

#[test]
fn same_bytes_on_any_number_of_threads() {
    let bytes = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let meshes = pool.install(|| blocked(Quality::Normal));
        format!("{:?} {:?}", meshes[0].positions, meshes[0].patches)
    };
    let one = bytes(1);
    assert_eq!(one, bytes(2));
    assert_eq!(one, bytes(5));
}

#[test]
fn cancelling_stops_the_bake() {
    let doc = map(0.0, &[("light", DVec3::Y * 64.0, DVec3::ZERO, &[])]);
    let mut meshes = [floor(64.0, 2)];
    let bsp = Bsp::default();
    let lights: Vec<Light> = lights_of(&doc, &mut Vec::new());
    let scene = BakeScene::new(&doc, lights, &meshes, &bsp);
    let progress = Progress::new();
    progress.cancel();
    assert!(bake(&scene, &mut meshes, &Options::default(), &progress).is_err());
}
