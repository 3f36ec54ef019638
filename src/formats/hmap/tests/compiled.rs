//! `CMPL` and what is tied to it.

use std::sync::Arc;

use glam::Vec2;
use glam::Vec3;

use super::*;
use crate::compiler::Batch;
use crate::compiler::BatchSource;
use crate::compiler::Box3;
use crate::compiler::Bsp;
use crate::compiler::Cmpl;
use crate::compiler::CollisionBrush;
use crate::compiler::Compiled;
use crate::compiler::Leaf;
use crate::compiler::LightKind;
use crate::compiler::LightRecord;
use crate::compiler::Model;
use crate::compiler::Node;
use crate::compiler::OriginRun;
use crate::compiler::Plane3;
use crate::compiler::Vertex;
use crate::formats::hmap::compiled as compiled_chunk;

/// The cube of `hmap.md` 8, with a batch, a brush model and a light.
pub(super) fn cube_cmpl() -> Cmpl {
    let plane = |x: f32, y: f32, z: f32, dist: f32| Plane3 {
        normal: Vec3::new(x, y, z),
        dist,
    };
    let solid = |source_id, size: f32| CollisionBrush {
        contents: 1,
        source_id,
        bounds: Box3 {
            min: Vec3::ZERO,
            max: Vec3::splat(size),
        },
        planes: vec![
            plane(1.0, 0.0, 0.0, size),
            plane(-1.0, 0.0, 0.0, 0.0),
            plane(0.0, 1.0, 0.0, size),
            plane(0.0, -1.0, 0.0, 0.0),
            plane(0.0, 0.0, 1.0, size),
            plane(0.0, 0.0, -1.0, 0.0),
        ],
    };
    let vertex = |x: f32, z: f32| Vertex {
        position: Vec3::new(x, 64.0, z),
        normal: Vec3::Y,
        uv: Vec2::ZERO,
        rgba: [255; 4],
    };
    let nodes = [[-1, 1], [-2, 2], [-3, 3], [-4, 4], [-5, 5], [-6, -7]];
    let mut leaves = vec![
        Leaf {
            first_brush: 0,
            brush_count: 0
        };
        6
    ];
    leaves.push(Leaf {
        first_brush: 0,
        brush_count: 1,
    });
    let bounds = Box3 {
        min: Vec3::ZERO,
        max: Vec3::splat(64.0),
    };
    Cmpl {
        ambient: Vec3::ZERO,
        units_per_meter: 32.0,
        baked: 0,
        bounds,
        batches: vec![Batch {
            material: 0,
            source: BatchSource::BrushFaces,
            model: 0,
            vertices: vec![
                vertex(0.0, 0.0),
                vertex(0.0, 64.0),
                vertex(64.0, 64.0),
                vertex(64.0, 0.0),
            ],
            indices: vec![0, 1, 2, 0, 2, 3],
        }],
        models: vec![
            Model {
                entity_id: 0,
                bounds,
                brushes: Vec::new(),
            },
            Model {
                entity_id: 2,
                bounds: Box3 {
                    min: Vec3::ZERO,
                    max: Vec3::splat(8.0),
                },
                brushes: vec![solid(3, 8.0)],
            },
        ],
        bsp: Bsp {
            root: 0,
            depth: 6,
            bounds,
            planes: solid(1, 64.0).planes,
            nodes: nodes
                .iter()
                .zip(0..)
                .map(|(&[front, back], plane)| Node { plane, front, back })
                .collect(),
            leaves,
            leaf_brushes: vec![0],
            brushes: vec![solid(1, 64.0)],
        },
        mesh_collisions: Vec::new(),
        lights: vec![LightRecord {
            kind: LightKind::Spot,
            position: Vec3::ZERO,
            direction: Vec3::NEG_Y,
            color: Vec3::ONE,
            intensity: 1.0,
            radius: 0.0,
            inner_deg: 20.0,
            outer_deg: 40.0,
            entity_id: 2,
        }],
    }
}

fn with_cmpl(cmpl: &Cmpl) -> Vec<u8> {
    let mut chunks = chunks_of(&saved(&cube_map()));
    chunks.push((*b"CMPL", compiled_chunk::write(cmpl)));
    file(&chunks)
}

/// Rules of `CMPL`: what is done to a sound one, and what is found.
#[test]
fn compiled_rules() {
    assert!(codes(&with_cmpl(&cube_cmpl())).is_empty());
    let changes: [(fn(&mut Cmpl), &[&str]); 20] = [
        (|c| c.baked = 3, &["W-BAKED"]),
        (|c| c.ambient.x = f32::NAN, &["E-NAN"]),
        (|c| c.units_per_meter = 0.0, &["E-NAN"]),
        (|c| c.batches[0].indices.clear(), &["W-EMPTYBATCH"]),
        (|c| c.batches[0].indices[1] = 0, &["W-SLIVER"]),
        (|c| c.batches[0].vertices[1].normal *= 2.0, &["W-UNIT"]),
        (
            |c| c.batches[0].vertices[1].position.y += 0.2,
            &["E-BOUNDS"],
        ),
        (|c| c.models[1].entity_id = 1, &["E-ENTREF"]),
        (|c| c.models.push(c.models[1].clone()), &["E-MODEL"]),
        (|c| c.models[1].brushes[0].planes[0].dist = 9.0, &["E-AABB"]),
        (
            |c| {
                c.models[1].brushes[0].planes.remove(0);
            },
            &["E-OPEN"],
        ),
        (
            |c| c.models[1].brushes[0].planes[0].normal = Vec3::ZERO,
            &["E-CPLANE"],
        ),
        (|c| c.models[1].brushes[0].contents = 0, &["W-CONTENTS"]),
        (|c| c.bsp.nodes[5].front = -1, &["W-LEAFUSE"]),
        (|c| c.bsp.root = 1, &["E-UNREACHED"]),
        (
            |c| {
                c.bsp = Bsp {
                    leaves: Vec::new(),
                    ..Bsp::default()
                }
            },
            &["E-SRCSOLID", "W-NOLEAF"],
        ),
        (|c| c.bsp = Bsp::default(), &["E-SRCSOLID"]),
        (|c| c.lights[0].intensity = -1.0, &["W-LIGHT"]),
        (|c| c.lights[0].direction *= 0.5, &["E-LIGHT"]),
        (|c| c.lights[0].entity_id = 99, &["E-ENTREF"]),
    ];
    for (index, (change, expected)) in changes.into_iter().enumerate() {
        let mut cmpl = cube_cmpl();
        change(&mut cmpl);
        let bytes = with_cmpl(&cmpl);
        assert_eq!(codes(&bytes), expected, "change {index}");
        let usable = expected.iter().all(|code| code.starts_with('W'));
        assert_eq!(import(&bytes).compiled.is_some(), usable, "change {index}");
    }
    let mut cmpl = cube_cmpl();
    (cmpl.baked, cmpl.bsp.depth, cmpl.lights[0].radius) = (7, 1, -2.0);
    cmpl.models[0].brushes = cmpl.models[1].brushes.clone();
    assert_eq!(
        *import(&with_cmpl(&cmpl))
            .compiled
            .expect("only warnings")
            .cmpl,
        Cmpl {
            baked: 1,
            ..cube_cmpl()
        },
        "mended"
    );
}

/// A runtime-only file with a bad `CMPL` holds nothing that could be shown.
#[test]
fn a_runtime_file_with_bad_compiled_data_is_refused() {
    let source = chunks_of(&saved(&cube_map()));
    let mut chunks: Vec<Chunk> = source
        .into_iter()
        .filter(|(tag, _)| [b"MATS", b"ENTS"].contains(&tag))
        .collect();
    let mut cmpl = cube_cmpl();
    cmpl.bsp.nodes[0].back = 0;
    chunks.push((*b"CMPL", compiled_chunk::write(&cmpl)));
    let bytes = file(&chunks);
    let error = Hmap
        .import(&bytes, Path::new(PATH), &NoSiblings, &Progress::new())
        .err()
        .expect("refused");
    assert_eq!(error.code(), "E-CYCLE");
    assert!(codes(&bytes).contains(&"E-CYCLE"));
    assert_eq!(
        salvage(&bytes, Path::new(PATH)).doc.object_count(),
        1,
        "the entity is still readable"
    );
}

fn compiled_of(doc: &Document) -> Compiled {
    Compiled {
        origins: vec![vec![OriginRun {
            first_triangle: 0,
            triangle_count: 2,
            faces: vec![(id(1), 2)],
        }]],
        ..Compiled::of(cube_cmpl(), Some(doc.clone()))
    }
}

/// `CMPX` goes with a fresh compile; a chunk tied to the old one goes when the compile is another.
#[test]
fn what_is_tied_to_the_compile_goes_with_it() {
    let doc = cube_map();
    let compiled = compiled_of(&doc);
    let bytes = write(
        &doc,
        &ViewState::default(),
        &Extras::default(),
        Some(&compiled),
        Path::new(PATH),
    )
    .expect("saves");
    let mut chunks = chunks_of(&bytes);
    let tags = |chunks: &[Chunk]| chunks.iter().map(|(tag, _)| *tag).collect::<Vec<_>>();
    assert!(tags(&chunks).ends_with(&[*b"CMPL", *b"CMPX"]));
    assert!(codes(&bytes).is_empty());
    // A lightmap chunk of a later version.
    chunks.push((*b"LMAP", 9u32.to_le_bytes().to_vec()));
    let bytes = file(&chunks);
    assert_eq!(codes(&bytes), ["W-XVER"]);
    let imported = import(&bytes);
    assert_eq!(save(&imported), bytes);
    let mut other = compiled_of(&imported.doc);
    Arc::make_mut(&mut other.cmpl).ambient = Vec3::ONE;
    let saved = write(
        &imported.doc,
        &imported.view,
        &imported.extras,
        Some(&other),
        Path::new(PATH),
    )
    .expect("saves");
    assert!(
        tags(&chunks_of(&saved)).ends_with(&[*b"CMPL", *b"CMPX"]),
        "LMAP belonged to the other compile"
    );
    let saved = write(
        &imported.doc,
        &imported.view,
        &imported.extras,
        None,
        Path::new(PATH),
    )
    .expect("saves");
    assert!(tags(&chunks_of(&saved)).ends_with(&[*b"ENTS"]));
}
