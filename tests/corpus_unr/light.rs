//! The light that maps came with.

use std::path::Path;
use std::time::Instant;

use glam::DVec2;
use mapwright::document::SurfaceFlags;
use mapwright::formats::Importer;
use mapwright::formats::NoSiblings;
use mapwright::formats::unr::Unr;
use mapwright::formats::unr::lightmaps;
use mapwright::formats::unr::lightmaps::Frame;
use mapwright::formats::unr::raw::LightEntry;
use mapwright::task::Progress;
use serde_json::Value;

use crate::actors::map;
use crate::corpus;
use crate::expected;

fn number(value: &Value) -> usize {
    let number = value.as_u64().expect("a number");
    usize::try_from(number).expect("a count")
}

#[test]
fn every_lightmap_coordinate_is_inside_its_map() {
    let Some(folder) = corpus() else { return };
    let mut sum = 0;
    for numbers in expected(&folder) {
        let name = numbers["file"].as_str().expect("a name");
        let map = map(&folder, name);
        let model = map.world.as_ref().expect("a world");
        let checks = &numbers["worldModel"]["checks"];
        let mut inside = 0;
        for node in model.nodes.iter().filter(|node| node.vertex_count >= 3) {
            let surface = &model.surfaces[node.surface as usize];
            let Some(frame) = Frame::of(model, surface) else {
                assert_eq!(surface.lightmap, None, "{name}: its frame is sound");
                continue;
            };
            let size = DVec2::new(f64::from(frame.size[0]), f64::from(frame.size[1]));
            for corner in model.polygon(node) {
                let at = frame.at(corner);
                // The engine leaves half a texel around.
                assert!(at.cmpge(DVec2::splat(0.49)).all(), "{name}: {at}");
                assert!(at.cmple(size - 0.49).all(), "{name}: {at} of {size}");
                inside += 2;
            }
        }
        assert_eq!(inside, number(&checks["lightmapCoordsInside"]), "{name}");
        assert_eq!(number(&checks["lightmapCoordsOutside"]), 0, "{name}");
        sum += inside;
        // The bits of all lightmaps lie one after the other.
        let lit = model.lightmaps.iter();
        let lit = lit.filter(|lightmap| lightmap.first_light.is_some());
        let mut runs: Vec<(usize, usize)> = lit
            .map(|lightmap| {
                let rows = lightmaps::list(model, lightmap).count() * lightmap.size[1] as usize;
                let bytes = rows * lightmap.size[0].div_ceil(8) as usize;
                (lightmap.offset as usize, bytes)
            })
            .collect();
        runs.sort_unstable();
        let end = runs.iter().fold(0, |end, &(start, bytes)| {
            assert_eq!(start, end, "{name}");
            end + bytes
        });
        assert_eq!(end, model.light_bits.len(), "{name}");
    }
    println!("{sum} coordinates");
}

/// Texels that a light reaches are inside its radius, but for a few that are only just outside.
#[test]
fn lit_texels_are_within_reach_of_their_lights() {
    let Some(folder) = corpus() else { return };
    let (mut lit, mut beyond) = (0_u64, 0_u64);
    for name in ["Early_Potions.unr", "MH-Forbidden.unr", "RotationTest.dx"] {
        let map = map(&folder, name);
        let model = map.world.as_ref().expect("a world");
        for surface in &model.surfaces {
            let Some(frame) = Frame::of(model, surface) else {
                continue;
            };
            let lightmap = &model.lightmaps[surface.lightmap.expect("it has one") as usize];
            for (light, entry) in lightmaps::list(model, lightmap).enumerate() {
                let LightEntry::Actor(actor) = entry else {
                    continue;
                };
                let properties = &map.actors[actor as usize].properties;
                let place = properties.vector("Location").unwrap_or_default();
                let radius = 25.0 * f64::from(properties.int("LightRadius").unwrap_or(64) + 1);
                for y in 0..frame.size[1] {
                    for x in 0..frame.size[0] {
                        if lightmaps::is_lit(model, lightmap, light, [x, y]) {
                            let texel = DVec2::new(f64::from(x), f64::from(y)) + 0.5;
                            lit += 1;
                            beyond += u64::from(frame.place(texel).distance(place) > radius + 1.0);
                        }
                    }
                }
            }
        }
    }
    println!("{beyond} of {lit} lit texels are out of reach");
    assert!(lit > 100_000 && beyond * 500 < lit, "{beyond} of {lit}");
}

#[test]
fn maps_show_the_light_that_they_came_with() {
    let Some(folder) = corpus() else { return };
    for numbers in expected(&folder) {
        let name = numbers["file"].as_str().expect("a name");
        let path = folder.join(name);
        let bytes = std::fs::read(&path).expect("the file is there");
        let import = |path: &Path| Unr.import(&bytes, path, &NoSiblings, &Progress::new());
        let started = Instant::now();
        let imported = import(&path).expect("it can be read");
        let seconds = started.elapsed().as_secs_f64();
        let Some(original) = &imported.extras.original_light else {
            let lit = numbers["worldModel"]["lightbits"].as_u64();
            assert_eq!(lit, Some(0), "{name} was lit");
            continue;
        };
        let source = original.source.as_ref().expect("it says of what it is");
        assert!(source.same(&imported.doc), "{name}");
        let mut area = 0.0;
        let (mut vertices, mut triangles) = (0, 0);
        let mut light = [0u64; 2];
        for batch in &original.cmpl.batches {
            let material = u32::try_from(batch.material).expect("every surface has a material");
            let (_, material) = imported
                .doc
                .materials()
                .nth(material as usize)
                .expect("it exists");
            assert!(!material.flags.has(SurfaceFlags::NODRAW), "{name}");
            vertices += batch.vertices.len();
            triangles += batch.indices.len() / 3;
            for triangle in batch.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|at| &batch.vertices[triangle[at] as usize]);
                let [p, q, r] = [a, b, c].map(|vertex| vertex.position.as_dvec3());
                let cross = (q - p).cross(r - p);
                area += cross.length() / 2.0;
                let slant = cross.normalize_or_zero().dot(a.normal.as_dvec3());
                assert!(cross.length() < 2.0 || slant > 0.5, "{name}: {slant}");
            }
            for vertex in &batch.vertices {
                light[0] += u64::from(vertex.rgba[0]);
                light[1] += 1;
            }
        }
        let mean = light[0] / light[1].max(1);
        println!(
            "{name}: {vertices} vertices, {triangles} triangles, mean {mean}, import {seconds:.2} s"
        );
        // What is seen and no more; both sides of what has two.
        let seen = numbers["worldModel"]["visibleArea"]
            .as_f64()
            .expect("an area");
        assert!(
            area > 0.98 * seen && area < 2.0 * seen,
            "{name}: {area} of {seen}"
        );
        assert!((5..=250).contains(&mean), "{name}: {mean}");
    }
}
