//! The light that maps came with.

use std::sync::Arc;
use std::time::Instant;

use glam::DVec2;
use mapwright::compiler::Cache;
use mapwright::compiler::GivenLight;
use mapwright::compiler::Options;
use mapwright::compiler::compile;
use mapwright::compiler::display::encode_rgb;
use mapwright::document::Document;
use mapwright::formats::ImportOptions;
use mapwright::formats::Importer;
use mapwright::formats::NoSiblings;
use mapwright::formats::hmap;
use mapwright::formats::hmap::Hmap;
use mapwright::formats::unr::Unr;
use mapwright::formats::unr::lightmaps;
use mapwright::formats::unr::lightmaps::Frame;
use mapwright::formats::unr::looks::Looks;
use mapwright::formats::unr::original;
use mapwright::formats::unr::raw::LightEntry;
use mapwright::formats::unr::raw::flag;
use mapwright::formats::unr::seen::Seen;
use mapwright::formats::unr::seen::SeenPolygon;
use mapwright::formats::unr::sky::SkyPart;
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

/// Texels beyond the radius of a light are dark, but for a few of lights that were moved or dimmed later.
#[test]
fn texels_out_of_reach_of_a_light_are_dark() {
    let Some(folder) = corpus() else { return };
    let (mut lit, mut beyond, mut lit_beyond) = (0_u64, 0_u64, 0_u64);
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
                        let texel = DVec2::new(f64::from(x), f64::from(y)) + 0.5;
                        let is_lit = lightmaps::is_lit(model, lightmap, light, [x, y]);
                        let is_beyond = frame.place(texel).distance(place) > radius + 1.0;
                        lit += u64::from(is_lit);
                        beyond += u64::from(is_beyond);
                        lit_beyond += u64::from(is_lit && is_beyond);
                    }
                }
            }
        }
    }
    println!("{lit} lit texels; {lit_beyond} of {beyond} that are out of reach");
    assert!(lit > 100_000 && beyond > 10_000, "{lit} {beyond}");
    assert!(lit_beyond * 100 < beyond, "{lit_beyond} of {beyond}");
}

#[test]
fn maps_show_the_light_that_they_came_with() {
    let Some(folder) = corpus() else { return };
    for numbers in expected(&folder) {
        let name = numbers["file"].as_str().expect("a name");
        let map = map(&folder, name);
        let model = map.world.as_ref().expect("a world");
        let progress = Progress::new();
        let seen = Seen::of(model, &SkyPart::of(&map), &progress).expect("not cancelled");
        let drawn = seen.polygons.iter().filter(|polygon| polygon.is_drawn());
        let drawn: Vec<&SeenPolygon> = drawn.collect();
        let mut draft = Document::default().edit();
        let mut looks = Looks::new(&map, &NoSiblings);
        looks.insert(drawn.iter().map(|polygon| &polygon.mapping), &mut draft);
        let started = Instant::now();
        let original = original::original(&map, &drawn, &looks, &progress);
        let seconds = started.elapsed().as_secs_f64();
        let Some(original) = original.expect("not cancelled") else {
            assert!(model.light_bits.is_empty(), "{name} was lit");
            continue;
        };
        let (mut area, mut askew) = (0.0, 0.0);
        let (mut vertices, mut triangles) = (0, 0);
        let mut light = 0;
        for batch in &original.batches {
            assert!(batch.material >= 0, "{name}: every surface has a material");
            vertices += batch.vertices.len();
            triangles += batch.indices.len() / 3;
            for triangle in batch.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|at| &batch.vertices[triangle[at] as usize]);
                let [p, q, r] = [a, b, c].map(|vertex| vertex.position.as_dvec3());
                let cross = (q - p).cross(r - p);
                area += cross.length() / 2.0;
                let slant = cross.normalize_or_zero().dot(a.normal.as_dvec3());
                if slant < 0.5 {
                    askew += cross.length() / 2.0;
                }
            }
            light += batch
                .vertices
                .iter()
                .map(|vertex| usize::from(vertex.rgba[1]))
                .sum::<usize>();
        }
        let mean = light / vertices.max(1);
        println!("{name}: {vertices} vertices, {triangles} triangles, mean {mean}, {seconds:.2} s");
        // What is seen and no more, with both sides of what has two.
        let twice = |polygon: &&&SeenPolygon| polygon.mapping.flags & flag::TWO_SIDED != 0;
        let backs: f64 = drawn
            .iter()
            .filter(twice)
            .map(|polygon| polygon.area())
            .sum();
        let seen: f64 = drawn.iter().map(|polygon| polygon.area()).sum();
        // Slivers of polygons that are not quite flat look anywhere.
        assert!(askew < 1e-4 * area, "{name}: {askew} of {area}");
        let share = area / (seen + backs);
        assert!(
            (share - 1.0).abs() < 1e-3,
            "{name}: {area} of {seen} and {backs}"
        );
        assert!((5..=250).contains(&mean), "{name}: {mean}");
    }
}

#[test]
fn an_import_hands_the_light_on_with_its_document() {
    let Some(folder) = corpus() else { return };
    let path = folder.join("DM-DuckingZone.unr");
    let bytes = std::fs::read(&path).expect("the file is there");
    let import = |original_light| {
        let options = ImportOptions {
            original_light,
            ..ImportOptions::default()
        };
        let imported = Unr.import_with(&bytes, &path, &NoSiblings, options, &Progress::new());
        imported.expect("it can be read")
    };
    let without = import(false);
    assert!(without.extras.original_light.is_none(), "nobody asked");
    let imported = import(true);
    assert!(imported.compiled.is_none(), "it is no build");
    let original = imported.extras.original_light.expect("the map was lit");
    let source = original.source.as_ref().expect("it says of what it is");
    assert!(source.same(&imported.doc));
    let materials = imported.doc.materials().count();
    for batch in &original.cmpl.batches {
        assert!(usize::try_from(batch.material).expect("has one") < materials);
    }
    assert_eq!(original.cmpl.units_per_meter, 52.5);
}

/// A build that keeps the light of a map draws it on the brushes as the game drew it on its polygons, and its file brings it back.
#[test]
fn builds_keep_the_light_that_maps_came_with() {
    let Some(folder) = corpus() else { return };
    for name in [
        "DM-DuckingZone.unr",
        "checkers_test_map.unr",
        "RotationTest.dx",
    ] {
        let path = folder.join(name);
        let bytes = std::fs::read(&path).expect("the file is there");
        let options = ImportOptions {
            original_light: true,
            ..ImportOptions::default()
        };
        let imported = Unr.import_with(&bytes, &path, &NoSiblings, options, &Progress::new());
        let imported = imported.expect("it can be read");
        let original = imported.extras.original_light.as_ref().expect("it was lit");
        let given = Arc::new(GivenLight::of(&original.cmpl));
        let options = Options {
            given_light: Some(Arc::clone(&given)),
            ..Options::default()
        };
        let built = compile(
            &imported.doc,
            &options,
            &mut Cache::default(),
            &Progress::new(),
        );
        let built = built.expect("not cancelled");
        assert_eq!(built.cmpl.baked, 1);
        let drawn = GivenLight::of(&built.cmpl);
        let (mut area, mut bare, mut off) = (0.0, 0.0, 0.0);
        for batch in &original.cmpl.batches {
            for triangle in batch.indices.chunks_exact(3) {
                let corners = [0, 1, 2].map(|at| batch.vertices[triangle[at] as usize]);
                let [a, b, c] = corners.map(|vertex| vertex.position.as_dvec3());
                let size = (b - a).cross(c - a).length() / 2.0;
                let (place, normal) = ((a + b + c) / 3.0, corners[0].normal.as_dvec3());
                let Some(want) = given.at(place, normal) else {
                    continue;
                };
                area += size;
                match drawn.at(place, normal) {
                    Some(light) => {
                        let [light, want] = [light, want].map(|light| encode_rgb(light.as_dvec3()));
                        off += size * (light - want).abs().max_element();
                    }
                    None => bare += size,
                }
            }
        }
        let steps = 255.0 * off / area;
        println!(
            "{name}: {} vertices of {}, {steps:.2} steps off, {:.4} bare",
            built.stats.vertices,
            original
                .cmpl
                .batches
                .iter()
                .map(|batch| batch.vertices.len())
                .sum::<usize>(),
            bare / area
        );
        assert!(steps < 2.0, "{name}: {steps}");
        assert!(bare < 0.002 * area, "{name}: {bare} of {area}");
        let file = hmap::write(
            &imported.doc,
            &imported.view,
            &imported.extras,
            Some(&built),
            &path,
        );
        let file = file.expect("it can be written");
        let again = Hmap.import(&file, &path, &NoSiblings, &Progress::new());
        let again = again.expect("it can be read");
        let kept = again.compiled.as_ref().expect("the light is in the file");
        assert!(kept.is_current(&again.doc));
        assert_eq!(kept.cmpl, built.cmpl, "{name}");
        let saved = hmap::write(&again.doc, &again.view, &again.extras, Some(kept), &path);
        assert!(
            saved.expect("it can be written") == file,
            "{name}: the same bytes"
        );
    }
}
