//! Counts of the raw reader.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;

use glam::DVec3;
use mapwright::formats::Importer;
use mapwright::formats::NoSiblings;
use mapwright::formats::importer_for;
use mapwright::formats::unr;
use mapwright::formats::unr::Unr;
use mapwright::formats::unr::ancestry::find_ancestors;
use mapwright::formats::unr::level::level;
use mapwright::formats::unr::model::model;
use mapwright::formats::unr::package::Package;
use mapwright::formats::unr::polys::Textures;
use mapwright::formats::unr::polys::polys;
use mapwright::formats::unr::properties::Value as PropertyValue;
use mapwright::formats::unr::raw::LightEntry;
use mapwright::formats::unr::raw::Node;
use mapwright::formats::unr::raw::RawActor;
use mapwright::formats::unr::raw::RawMap;
use mapwright::formats::unr::raw::RawModel;
use mapwright::formats::unr::raw::RawPolygon;
use mapwright::formats::unr::raw::flag;
use mapwright::formats::unr::space::Rotator;
use mapwright::task::Progress;
use serde_json::Value;
use serde_json::json;

use crate::corpus;
use crate::expected;

/// The bytes of a map of the corpus, and what is expected of it.
fn maps(folder: &Path) -> Vec<(String, Vec<u8>, Value)> {
    let read = |map: Value| {
        let name = map["file"].as_str().expect("a name").to_owned();
        let bytes = std::fs::read(folder.join(&name)).expect("readable");
        (name, bytes, map)
    };
    expected(folder).into_iter().map(read).collect()
}

#[test]
fn tables_of_every_package() {
    let Some(folder) = corpus() else { return };
    for (name, bytes, expected) in maps(&folder) {
        let package = Package::read(&bytes).expect(&name);
        let tables = &package.tables;
        let header = &tables.header;
        let guid = header.guid.iter().map(|byte| format!("{byte:02x}"));
        let mut by_class = BTreeMap::<&str, usize>::new();
        for export in 0..tables.exports.len() {
            *by_class.entry(tables.class_name(export)).or_default() += 1;
        }
        let found = json!({
            "bytes": bytes.len(),
            "version": header.version,
            "licensee": header.licensee,
            "packageFlags": header.flags,
            "guid": guid.collect::<String>(),
            "generations": header.generations,
            "exportsByClass": by_class,
            "header": {
                "nameCount": header.name_count,
                "nameOffset": header.name_offset,
                "exportCount": header.export_count,
                "exportOffset": header.export_offset,
                "importCount": header.import_count,
                "importOffset": header.import_offset,
                "headerEnd": header.header_end,
                "nameEnd": header.name_end,
                "importEnd": header.import_end,
                "exportEnd": header.export_end,
            },
        });
        assert_same(&name, &found, &expected);
    }
}

/// A part of what is expected, as far as `found` speaks of it.
fn assert_same(name: &str, found: &Value, expected: &Value) {
    for (key, value) in found.as_object().expect("an object") {
        assert_eq!(*value, expected[key], "{name}: {key}");
    }
}

/// Equal to the tenth that the expected numbers were rounded to, and to a millionth.
fn assert_near(name: &str, found: f64, expected: &Value, rounding: f64) {
    let expected = expected.as_f64().expect("a number");
    let allowed = rounding / 2.0 + 1e-6 * expected.abs();
    assert!(
        (found - expected).abs() <= allowed,
        "{name}: {found}, expected {expected}"
    );
}

fn read(bytes: &[u8]) -> RawMap {
    let (map, notes) = unr::read(bytes, &Progress::new()).expect("readable");
    let serious: Vec<_> = notes
        .iter()
        .filter(|note| note.code != "I-UNVERIFIED-VERSION")
        .collect();
    assert!(serious.is_empty(), "{serious:?}");
    map
}

#[test]
fn levels_and_their_actors() {
    let Some(folder) = corpus() else { return };
    for (name, bytes, expected) in maps(&folder) {
        let package = Package::read(&bytes).expect(&name);
        let tables = &package.tables;
        let exports: Vec<usize> = tables.exports_of("Level").collect();
        assert_eq!(exports.len(), 1, "{name}");
        let level = level(&package, exports[0]).expect(&name);
        assert_eq!(level.damage, None, "{name}");
        let set = level.slots.iter().filter(|slot| slot.0 != 0);
        let set: Vec<usize> = set.map(|slot| slot.export().expect("an export")).collect();
        let distinct: BTreeSet<usize> = set.iter().copied().collect();
        let class = |export: &usize| tables.class_name(*export);
        let mut by_class = BTreeMap::<&str, usize>::new();
        for export in &distinct {
            *by_class.entry(class(export)).or_default() += 1;
        }
        let found = json!({
            "actorSlots": level.slots.len(),
            "actors": set.len(),
            "distinctActors": distinct.len(),
            "nullSlots": level.slots.len() - set.len(),
            "firstActors": set[..2].iter().map(class).collect::<Vec<_>>(),
            "url": {
                "protocol": level.url.protocol,
                "host": level.url.host,
                "map": level.url.map,
                "portal": level.url.portal,
                "options": level.url.options,
                "port": level.url.port,
                "valid": i32::from(level.url.is_valid),
            },
            "reachSpecs": level.reach_specs,
            "worldModelExport": level.model.0,
            "tail": {
                "approxTime": expected["level"]["tail"]["approxTime"],
                "firstDeleted": level.first_deleted.0,
                "textBlocks": level.text_blocks.iter().map(|block| block.0).collect::<Vec<_>>(),
                "travelInfo": level.travel_info,
                "left": level.left,
            },
            "actorsByClass": by_class,
        });
        assert_same(&name, &found, &expected["level"]);
        let time = &expected["level"]["tail"]["approxTime"];
        assert_near(&name, f64::from(level.approximate_time), time, 0.0);

        let map = read(&bytes);
        assert_eq!(map.actors.len(), distinct.len(), "{name}");
        let frames = distinct
            .iter()
            .filter(|&&actor| tables.exports[actor].flags & 0x0200_0000 != 0);
        assert_eq!(
            json!(frames.count()),
            expected["actors"]["withStateFrame"],
            "{name}"
        );
        let order: Vec<&str> = map.actors.iter().map(|actor| actor.name.as_str()).collect();
        let mut seen = BTreeSet::new();
        let first = set.iter().filter(|export| seen.insert(**export));
        let expected_order: Vec<&str> = first.map(|export| tables.export_name(*export)).collect();
        assert_eq!(order, expected_order, "{name}");
        assert_eq!(
            json!(map.facts.packages),
            expected["packagesImported"],
            "{name}"
        );
        let unsound = [
            map.facts.bad_actors,
            map.facts.bad_nodes,
            map.facts.bad_polygons,
            map.facts.bad_lightmaps,
        ];
        assert_eq!(unsound, [0; 4], "{name}");
    }
}

#[test]
fn every_model_is_read_to_its_last_byte() {
    let Some(folder) = corpus() else { return };
    for (name, bytes, expected) in maps(&folder) {
        let package = Package::read(&bytes).expect(&name);
        let tables = &package.tables;
        let mut models = BTreeMap::<String, usize>::new();
        for export in tables.exports_of("Model") {
            let left = model(&package, export).expect(&name).left;
            *models.entry(left.to_string()).or_default() += 1;
        }
        let mut textures = Textures::default();
        let mut left = BTreeMap::<String, usize>::new();
        let mut corners = 0;
        for export in tables.exports_of("Polys") {
            let polys = polys(&package, export, &mut textures).expect(&name);
            *left.entry(polys.left.to_string()).or_default() += 1;
            assert_eq!(polys.bad, 0, "{name}");
            corners += polys
                .polygons
                .iter()
                .map(|polygon| polygon.vertices.len())
                .sum::<usize>();
        }
        let found = json!({
            "modelLeftover": models,
            "polysLeftover": left,
            "polysVertices": corners,
        });
        assert_same(&name, &found, &expected["brushes"]);
    }
}

#[test]
fn the_world() {
    let Some(folder) = corpus() else { return };
    for (name, bytes, expected) in maps(&folder) {
        let map = read(&bytes);
        let expected = &expected["worldModel"];
        let world = map.world.as_ref().expect(&name);
        let mut flags = BTreeMap::<String, usize>::new();
        for surface in &world.surfaces {
            for bit in (0..32)
                .map(|bit| 1_u32 << bit)
                .filter(|bit| surface.flags & bit != 0)
            {
                *flags.entry(format!("0x{bit:08x}")).or_default() += 1;
            }
        }
        let textures: BTreeSet<Option<u32>> = world
            .surfaces
            .iter()
            .map(|surface| surface.texture)
            .collect();
        let drawn: Vec<&Node> = world
            .nodes
            .iter()
            .filter(|node| node.vertex_count > 0)
            .collect();
        let flagged = |bits: u32| {
            let surface = |node: &&&Node| world.surfaces[node.surface as usize].flags & bits != 0;
            drawn.iter().filter(surface).count()
        };
        let found = json!({
            "vectors": world.vectors.len(),
            "points": world.points.len(),
            "nodes": world.nodes.len(),
            "surfs": world.surfaces.len(),
            "verts": world.vertices.len(),
            "sharedSides": world.shared_sides,
            "zones": world.zones.len(),
            "zoneActors": world.zones.iter().filter(|zone| zone.actor.is_some()).count(),
            "lightmaps": world.lightmaps.len(),
            "lightbits": world.light_bits.len(),
            "bounds": world.bounds,
            "leafHulls": world.leaf_hulls.len(),
            "leaves": world.leaves.len(),
            "lights": world.lights.len(),
            "rootOutside": i32::from(world.is_root_outside),
            "linked": i32::from(world.is_linked),
            "surfFlagBits": flags,
            "distinctTextures": textures.len(),
            "polygons": drawn.len(),
        });
        assert_same(&name, &found, expected);
        // Left out of the expected numbers where they are 0.
        for (key, bits) in [
            ("portalPolygons", flag::PORTAL),
            ("backdropPolygons", flag::FAKE_BACKDROP),
        ] {
            assert_eq!(
                flagged(bits) as u64,
                expected[key].as_u64().unwrap_or(0),
                "{name}: {key}"
            );
        }
        let without = (world.nodes.len() - drawn.len()) as u64;
        assert_eq!(
            without,
            expected["nodesWithoutPolygon"].as_u64().unwrap_or(0),
            "{name}"
        );
        shape_of_the_world(&name, world, &drawn, expected);
        assert_same(&name, &checks(world), &expected["checks"]);
        assert_eq!(probe(world), expected["solidityProbe"], "{name}");
    }
}

/// Areas, box, planes and the way round of the polygons.
fn shape_of_the_world(name: &str, world: &RawModel, drawn: &[&Node], expected: &Value) {
    let (mut area, mut visible_area, mut off_plane) = (0.0, 0.0, 0.0_f64);
    let (mut triangles, mut visible_triangles, mut far_off) = (0, 0, 0);
    let (mut along, mut against) = (0, 0);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for node in drawn {
        let corners = world.polygon(node);
        let fan = corners[1..]
            .windows(2)
            .map(|pair| (pair[0] - corners[0]).cross(pair[1] - corners[0]));
        let normal = fan.sum::<DVec3>();
        area += normal.length() / 2.0;
        triangles += corners.len() - 2;
        if world.surfaces[node.surface as usize].flags & flag::INVISIBLE == 0 {
            visible_area += normal.length() / 2.0;
            visible_triangles += corners.len() - 2;
        }
        for &corner in &corners {
            (low, high) = (low.min(corner), high.max(corner));
            let distance = node.normal.as_dvec3().dot(corner) - f64::from(node.distance);
            off_plane = off_plane.max(distance.abs());
            far_off += usize::from(distance.abs() > 0.5);
        }
        if normal.length() / 2.0 > 1e-3 {
            let turns_along = normal.dot(node.normal.as_dvec3()) > 0.0;
            along += usize::from(turns_along);
            against += usize::from(!turns_along);
        }
    }
    let found = json!({
        "triangles": triangles,
        "visibleTriangles": visible_triangles,
        "windingAlongPlane": along,
        "windingAgainstPlane": against,
    });
    assert_same(name, &found, expected);
    assert_eq!(
        far_off as u64,
        expected["vertsOffPlane"].as_u64().unwrap_or(0),
        "{name}"
    );
    assert_near(name, area, &expected["totalArea"], 0.1);
    assert_near(name, visible_area, &expected["visibleArea"], 0.1);
    assert_near(name, off_plane, &expected["maxPointToPlane"], 1e-4);
    for axis in 0..3 {
        assert_near(name, low[axis], &expected["bbox"][0][axis], 1e-3);
        assert_near(name, high[axis], &expected["bbox"][1][axis], 1e-3);
    }
}

/// Hulls and shadow bits fill their arrays; coordinates lie within the lightmaps.
fn checks(world: &RawModel) -> Value {
    let hulls: BTreeSet<usize> = world
        .nodes
        .iter()
        .filter_map(|node| node.hull)
        .map(|hull| hull as usize)
        .collect();
    let mut end = 0;
    let mut hulls_tile = true;
    for &hull in &hulls {
        hulls_tile &= hull == end;
        let record = &world.leaf_hulls[hull..];
        end = hull
            + 7
            + record
                .iter()
                .position(|&number| number == -1)
                .expect("the hull ends");
    }
    let mut masks: Vec<(usize, usize)> = Vec::new();
    for lightmap in &world.lightmaps {
        let Some(first) = lightmap.first_light else {
            continue;
        };
        let list = &world.lights[first as usize..];
        let lights = list
            .iter()
            .position(|entry| *entry == LightEntry::End)
            .expect("the list ends");
        let [width, height] = lightmap.size.map(|texels| texels as usize);
        masks.push((
            lightmap.offset as usize,
            lights * height * width.div_ceil(8),
        ));
    }
    masks.sort_unstable();
    let mut bits_end = 0;
    let mut bits_tile = true;
    for (start, length) in masks {
        bits_tile &= start == bits_end;
        bits_end = start + length;
    }
    let (mut inside, mut outside) = (0, 0);
    for node in world.nodes.iter().filter(|node| node.vertex_count >= 3) {
        let surface = &world.surfaces[node.surface as usize];
        let Some(lightmap) = surface.lightmap else {
            continue;
        };
        let lightmap = &world.lightmaps[lightmap as usize];
        let base = world.points[surface.base as usize].as_dvec3();
        for corner in world.polygon(node) {
            for (axis, vector) in [surface.u, surface.v].into_iter().enumerate() {
                let vector = world.vectors[vector as usize].as_dvec3();
                let scale = f64::from(lightmap.scale[axis]);
                let origin = vector.dot(base) + f64::from(lightmap.pan[axis]) - 0.5 * scale;
                let texel = (vector.dot(corner) - origin) / scale;
                let is_inside = (-0.01..=f64::from(lightmap.size[axis]) + 0.01).contains(&texel);
                inside += usize::from(is_inside);
                outside += usize::from(!is_inside);
            }
        }
    }
    json!({
        "leafHullsTileExactly": hulls_tile && end == world.leaf_hulls.len(),
        "collisionHulls": hulls.len(),
        "lightBitsTileExactly": bits_tile && bits_end == world.light_bits.len(),
        "lightmapCoordsInside": inside,
        "lightmapCoordsOutside": outside,
    })
}

/// The middle of every polygon, a little in front of and behind its plane.
fn probe(world: &RawModel) -> Value {
    let mut counts = BTreeMap::<String, usize>::new();
    for node in world.nodes.iter().filter(|node| node.vertex_count >= 3) {
        let corners = world.polygon(node);
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let flags = world.surfaces[node.surface as usize].flags;
        let kind = match flags {
            flags if flags & flag::PORTAL != 0 => "portal",
            flags if flags & flag::NOT_SOLID != 0 => "nonsolid",
            flags if flags & flag::SEMISOLID != 0 => "semisolid",
            _ => "solid",
        };
        for (side, distance) in [("front", 2.0), ("back", -2.0)] {
            let (is_empty, zone, leaf) = region(world, middle + distance * node.normal.as_dvec3());
            let state = if is_empty { "empty" } else { "SOLID" };
            *counts.entry(format!("{kind}_{side}_{state}")).or_default() += 1;
            if side == "front" {
                let agrees =
                    leaf.is_some_and(|leaf| world.leaves[leaf as usize].zone == i32::from(zone));
                let key = if agrees { "leafOk" } else { "leafOther" };
                *counts.entry(key.to_owned()).or_default() += 1;
            }
        }
    }
    json!(counts)
}

/// Is it empty there, in which zone and leaf?
fn region(world: &RawModel, point: DVec3) -> (bool, u8, Option<u32>) {
    let mut node = &world.nodes[0];
    let mut is_empty = world.is_root_outside;
    loop {
        let is_front = node.normal.as_dvec3().dot(point) - f64::from(node.distance) >= 0.0;
        if node.vertex_count > 0 && node.flags & Node::NOT_CSG == 0 {
            is_empty = is_front;
        }
        let side = usize::from(is_front);
        match if is_front { node.front } else { node.back } {
            Some(next) => node = &world.nodes[next as usize],
            None => return (is_empty, node.zones[side], node.leaves[side]),
        }
    }
}

#[test]
fn counts_of_every_map() {
    let Some(folder) = corpus() else { return };
    for (name, bytes, expected) in maps(&folder) {
        let counts = unr::counts(&read(&bytes));
        let world = &expected["worldModel"];
        let brushes = &expected["brushes"];
        let by = |operation: &str| brushes["actorsByCsgOper"][operation].as_u64().unwrap_or(0);
        let lights = expected["actors"]["lightClasses"]
            .as_object()
            .expect("an object");
        let wanted = json!({
            "version": expected["version"],
            "licensee": expected["licensee"],
            "actor_slots": expected["level"]["actorSlots"],
            "actors": expected["level"]["actors"],
            "vectors": world["vectors"],
            "points": world["points"],
            "nodes": world["nodes"],
            "surfs": world["surfs"],
            "verts": world["verts"],
            "shared_sides": world["sharedSides"],
            "zones": world["zones"],
            "lightmaps": world["lightmaps"],
            "lightbits": world["lightbits"],
            "leaf_hulls": world["leafHulls"],
            "leaves": world["leaves"],
            "polygons": world["polygons"],
            "triangles": world["triangles"],
            "brush_add": by("Add"),
            "brush_subtract": by("Subtract"),
            "brush_intersect": by("Intersect"),
            "brush_deintersect": by("Deintersect"),
            "movers": brushes["moversWithBrush"],
            "lights": lights.values().filter_map(Value::as_u64).sum::<u64>(),
            "player_starts": expected["actors"]["playerStarts"],
        });
        assert_same(&name, &wanted, &counts);
        for (key, value) in [("total_area", "totalArea"), ("visible_area", "visibleArea")] {
            assert_near(
                &name,
                counts[key].as_f64().expect("a number"),
                &world[value],
                0.1,
            );
        }
        assert_eq!(
            counts.as_object().map(|keys| keys.len()),
            Some(26),
            "{name}"
        );
    }
}

#[test]
fn brushes_and_their_scales() {
    let Some(folder) = corpus() else { return };
    for (name, bytes, expected) in maps(&folder) {
        let map = read(&bytes);
        let (mut scaled, mut sheared, mut mirrored, mut rotated, mut active) = (0, 0, 0, 0, 0);
        let mut flags = BTreeMap::<String, usize>::new();
        for actor in map.actors.iter().filter(|actor| actor.polygons.is_some()) {
            let properties = &actor.properties;
            for scale in ["MainScale", "PostScale"]
                .into_iter()
                .filter_map(|key| properties.scale(key))
            {
                scaled += usize::from(scale.scale != DVec3::ONE);
                sheared += usize::from(scale.sheer_rate != 0.0);
                mirrored += usize::from(scale.scale.element_product() < 0.0);
            }
            let rotation = properties.rotator("Rotation").unwrap_or_default();
            rotated += usize::from(rotation != Rotator::default());
            let bits = properties.int("PolyFlags").unwrap_or(0) as u32;
            for bit in (0..32)
                .map(|bit| 1_u32 << bit)
                .filter(|bit| bits & bit != 0)
            {
                *flags.entry(format!("0x{bit:08x}")).or_default() += 1;
            }
            let is_active = properties.byte("CsgOper").unwrap_or(0) == 0;
            active += usize::from(is_active && actor.class.name == "Brush");
        }
        let expected = &expected["brushes"];
        let found = json!({
            "scaledRecords": scaled,
            "shearedRecords": sheared,
            "mirroredRecords": mirrored,
            "rotated": rotated,
            "polyFlagsBits": flags,
        });
        assert_same(&name, &found, expected);
        let wanted = expected["actorsByCsgOper"]["Active"].as_u64().unwrap_or(0);
        assert_eq!(active as u64, wanted, "{name}");
    }
}

#[test]
fn a_package_of_version_61_holds_the_same_world() {
    let Some(folder) = corpus() else { return };
    let open = |name: &str| std::fs::read(folder.join(name)).expect("readable");
    let old_bytes = open("synthetic_v61_duckingzone.unr");
    let old = read(&old_bytes);
    let package = Package::read(&old_bytes).expect("readable");
    for export in package.tables.exports_of("Model") {
        assert_eq!(model(&package, export).expect("a model").left, 0);
    }
    let new = read(&open("DM-DuckingZone.unr"));
    assert_eq!((old.version, new.version), (61, 69));
    let [mut old_counts, new_counts] = [&old, &new].map(unr::counts);
    old_counts["version"] = json!(69);
    assert_eq!(old_counts, new_counts);
    let [old_world, new_world] = [&old, &new].map(|map| map.world.as_ref().expect("a world"));
    assert_eq!(format!("{old_world:?}"), format!("{new_world:?}"));
    assert_eq!(old.textures, new.textures);
    assert_eq!(old.actors.len(), new.actors.len());
    for (old, new) in old.actors.iter().zip(&new.actors) {
        assert_eq!(old.name, new.name);
        assert_eq!(old.class.full_name(), new.class.full_name());
        assert_eq!(old.polygons, new.polygons);
        let names = |actor: &RawActor| {
            actor
                .properties
                .0
                .iter()
                .map(|property| property.name.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(old), names(new));
    }
}

/// Text has six decimals of what the package has as floats.
fn is_near(text: f64, package: f64) -> bool {
    (text - package).abs() <= 5e-7 + 1e-6 * package.abs()
}

fn are_near(text: DVec3, package: DVec3) -> bool {
    (0..3).all(|axis| is_near(text[axis], package[axis]))
}

/// Does the text say what the package says?
fn says_the_same(text: &PropertyValue, package: &PropertyValue) -> bool {
    use PropertyValue as V;
    match (text, package) {
        (V::Int(text), V::Byte(package)) => *text == i32::from(*package),
        (V::Float(text), V::Float(package)) => is_near(f64::from(*text), f64::from(*package)),
        (V::Int(text), V::Float(package)) => is_near(f64::from(*text), f64::from(*package)),
        (V::Vector(text), V::Vector(package)) => are_near(*text, *package),
        (V::Scale(text), V::Scale(package)) => {
            are_near(text.scale, package.scale)
                && text.sheer_axis == package.sheer_axis
                && is_near(f64::from(text.sheer_rate), f64::from(package.sheer_rate))
        }
        (V::Text(text), V::Name(package)) | (V::Name(package), V::Text(text)) => {
            text[..] == **package
        }
        (V::Object(text), V::Object(package)) => {
            text.as_ref().map(|path| path.name.to_lowercase())
                == package.as_ref().map(|path| path.name.to_lowercase())
        }
        // Leaves and zones were numbered anew between the two.
        (V::Region { zone: text, .. }, V::Region { zone: package, .. }) => {
            text.as_ref().map(|path| &path.name) == package.as_ref().map(|path| &path.name)
        }
        (text, package) => text == package,
    }
}

#[test]
fn text_and_package_say_the_same() {
    let Some(folder) = corpus() else { return };
    for (package, text, polygon_count) in [
        ("checkers_test_map.unr", "t3d/checkers_test_map.t3d", 254),
        // 1730 without the builder brush.
        ("RotationTest.dx", "t3d/RotationTest.t3d", 1730 + 6),
    ] {
        let package = read(&std::fs::read(folder.join(package)).expect("readable"));
        let bytes = std::fs::read(folder.join(text)).expect("readable");
        let (map, notes) = unr::read_text(&bytes, &Progress::new()).expect(text);
        assert_eq!(notes, [], "{text}");
        let mut polygons = 0;
        let mut order = Vec::new();
        for actor in &map.actors {
            let place = package
                .actors
                .iter()
                .position(|other| other.name == actor.name);
            // One brush was made after the package had been saved.
            let Some(place) = place else {
                assert_eq!(actor.name, "Brush24", "{text}");
                continue;
            };
            order.push(place);
            let other = &package.actors[place];
            assert_eq!(actor.class.name, other.class.name, "{text}: {}", actor.name);
            assert_eq!(
                actor.properties.0.len(),
                other.properties.0.len(),
                "{text}: {}",
                actor.name
            );
            for property in &other.properties.0 {
                let found = actor.properties.element(&property.name, property.index);
                let found =
                    found.unwrap_or_else(|| panic!("{text}: {} {}", actor.name, property.name));
                // The editor's clocks ran on between the two.
                let is_clock = ["TimeSeconds", "AIProfile"].contains(&&*property.name);
                assert!(
                    is_clock || says_the_same(found, &property.value),
                    "{text}: {} {}: {found:?}, {:?}",
                    actor.name,
                    property.name,
                    property.value
                );
            }
            let (Some(found), Some(wanted)) = (&actor.polygons, &other.polygons) else {
                assert_eq!(actor.polygons, other.polygons, "{text}: {}", actor.name);
                continue;
            };
            assert_eq!(found.len(), wanted.len(), "{text}: {}", actor.name);
            polygons += found.len();
            for (found, wanted) in found.iter().zip(wanted.iter()) {
                let exact = |polygon: &RawPolygon| {
                    (
                        polygon.flags,
                        polygon.link,
                        polygon.pan,
                        polygon.vertices.len(),
                    )
                };
                assert_eq!(exact(found), exact(wanted), "{text}: {}", actor.name);
                let texture = |map: &RawMap, polygon: &RawPolygon| {
                    polygon
                        .texture
                        .map(|texture| map.textures[texture as usize].name.to_lowercase())
                };
                assert_eq!(
                    texture(&map, found),
                    texture(&package, wanted),
                    "{text}: {}",
                    actor.name
                );
                let places = |polygon: &RawPolygon| {
                    let axes = [polygon.base, polygon.normal, polygon.u, polygon.v];
                    axes.into_iter()
                        .chain(polygon.vertices.clone())
                        .map(|place| place.as_dvec3())
                        .collect::<Vec<_>>()
                };
                let mut pairs = places(found).into_iter().zip(places(wanted));
                assert!(
                    pairs.all(|(found, wanted)| are_near(found, wanted)),
                    "{text}: {}",
                    actor.name
                );
            }
        }
        assert!(order.is_sorted(), "{text}: slots and text have one order");
        assert_eq!(polygons, polygon_count, "{text}");
    }
}

#[test]
fn files_are_known_by_what_they_hold() {
    let Some(folder) = corpus() else { return };
    let probe = |name: &str, path: &str| {
        let bytes = std::fs::read(folder.join(name)).expect("readable");
        let found = importer_for(&bytes[..bytes.len().min(1024)], Path::new(path));
        found.map(Importer::name)
    };
    for path in ["a.unr", "a.ogz", "a"] {
        for name in [
            "DM-DuckingZone.unr",
            "RotationTest.dx",
            "t3d/window1.t3d",
            "t3d/RotationTest.t3d",
        ] {
            assert_eq!(probe(name, path), Some("unr"), "{name} as {path}");
        }
    }
    let named = importer_for(b"", Path::new("A.UN2")).map(Importer::name);
    assert_eq!(named, Some("unr"));
}

#[test]
fn packages_without_a_map_are_refused_by_what_they_hold() {
    let Some(folder) = corpus() else { return };
    let refused = |name: &str, bytes: &[u8]| {
        let imported = Unr.import(bytes, Path::new(name), &NoSiblings, &Progress::new());
        let Err(error) = imported else {
            panic!("{name} was opened")
        };
        (error.code(), error.to_string())
    };
    for (name, holds) in [
        ("Checkers.utx", "5 textures"),
        ("STShield.utx", "a texture,"),
    ] {
        let bytes = std::fs::read(folder.join(name)).expect("readable");
        let (code, text) = refused(name, &bytes);
        assert_eq!(code, "F-NO-LEVEL", "{text}");
        assert!(
            text.contains(holds) && text.contains("source of materials"),
            "{text}"
        );
    }
    let mut bytes = std::fs::read(folder.join("DM-DuckingZone.unr")).expect("readable");
    for (version, engine) in [
        (59_u16, "older than Unreal"),
        (100, "Unreal Engine 2"),
        (126, "Unreal Engine 2"),
        (512, "Unreal Engine 3"),
        (0xFFF9, "Unreal Engine 4"),
    ] {
        bytes[4..6].copy_from_slice(&version.to_le_bytes());
        let (code, text) = refused("a.unr", &bytes);
        assert_eq!(code, "F-VERSION", "{text}");
        assert!(text.contains(engine), "{text}");
    }
}

#[test]
fn a_class_of_the_maps_own_tells_its_defaults() {
    let Some(folder) = corpus() else { return };
    let bytes = std::fs::read(folder.join("DM-DuckingZone.unr")).expect("readable");
    let mut map = read(&bytes);
    find_ancestors(&bytes, &mut map, &NoSiblings, &Progress::new()).expect("not cancelled");
    let zone = map
        .actors
        .iter()
        .find(|actor| actor.class.name == "DuckingZone");
    assert_eq!(zone.expect("a zone").ancestors, ["ZoneInfo"]);
    let defaults = &map.class_defaults["duckingzone"];
    assert_eq!(defaults.float("DuckingHeight"), Some(24.0));
    assert_eq!(defaults.bool("bStatic"), Some(false));
    assert_eq!(defaults.byte("RemoteRole"), Some(2));
    assert_eq!(defaults.0.len(), 3);
}
