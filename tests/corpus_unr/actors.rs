//! Entities, lights, zones and movers.

use std::collections::BTreeSet;
use std::path::Path;

use glam::DVec3;
use mapwright::document::Document;
use mapwright::document::Kind;
use mapwright::document::LayerKind;
use mapwright::formats::Report;
use mapwright::formats::unr::classes::Family;
use mapwright::formats::unr::defaults::Known;
use mapwright::formats::unr::entities;
use mapwright::formats::unr::entities::Inserted;
use mapwright::formats::unr::layers::Layers;
use mapwright::formats::unr::movers;
use mapwright::formats::unr::raw::RawMap;
use mapwright::formats::unr::raw::RawModel;
use mapwright::formats::unr::read;
use mapwright::formats::unr::space;
use mapwright::formats::unr::visgroups::Visgroups;
use mapwright::formats::unr::zones;
use mapwright::geometry::Aabb;
use mapwright::geometry::csg::Convex;
use mapwright::task::Progress;
use serde_json::Value;

use crate::corpus;
use crate::expected;

/// A map of the corpus.
pub fn map(folder: &Path, name: &str) -> RawMap {
    let bytes = std::fs::read(folder.join(name)).expect("the file is there");
    read(&bytes, &Progress::new()).expect("it can be read").0
}

fn inserted(map: &RawMap) -> (Document, Inserted, Report) {
    let mut draft = Document::default().edit();
    let mut report = Report::default();
    let inserted = entities::insert(
        map,
        &mut draft,
        &mut Layers::default(),
        &mut Visgroups::default(),
        &mut report,
    );
    (draft.as_read(), inserted, report)
}

/// Every map with its numbers and its name.
fn maps() -> Vec<(String, RawMap, Value)> {
    let Some(folder) = corpus() else {
        return Vec::new();
    };
    let maps = expected(&folder).into_iter().map(|numbers| {
        let name = numbers["file"].as_str().expect("a name").to_owned();
        let map = map(&folder, &name);
        (name, map, numbers)
    });
    maps.collect()
}

fn number(value: &Value) -> usize {
    value
        .as_u64()
        .and_then(|number| usize::try_from(number).ok())
        .unwrap_or(0)
}

#[test]
fn every_actor_of_a_level_is_an_entity_a_brush_a_mover_or_left_out() {
    for (name, map, numbers) in maps() {
        let (doc, inserted, report) = inserted(&map);
        let counts = inserted.counts;
        let actors = number(&numbers["level"]["distinctActors"]);
        assert_eq!(map.actors.len(), actors, "{name}");
        assert_eq!(
            counts.entities() + counts.brushes + counts.cameras,
            actors,
            "{name}"
        );
        assert_eq!(
            doc.objects().count(),
            counts.entities() + counts.lights_beside,
            "{name}"
        );
        let of_class = |class: &str| number(&numbers["level"]["actorsByClass"][class]);
        assert_eq!(counts.brushes, of_class("Brush"), "{name}");
        assert_eq!(counts.cameras, of_class("Camera"), "{name}");
        let by_oper = numbers["brushes"]["actorsByCsgOper"]
            .as_object()
            .expect("counts");
        assert_eq!(
            counts.brushes,
            by_oper.values().map(number).sum::<usize>(),
            "{name}"
        );
        assert_eq!(
            counts.movers,
            number(&numbers["brushes"]["moversWithBrush"]),
            "{name}"
        );
        // An entity has the actor's own name; no two have the same.
        let names: BTreeSet<&str> = doc
            .objects()
            .filter_map(|(_, object)| object.entity()?.key("name"))
            .collect();
        assert_eq!(names.len(), doc.objects().count(), "{name}");
        for (actor, &entity) in map.actors.iter().zip(&inserted.entities) {
            let Some(entity) = entity.and_then(|id| doc.entity(id)) else {
                assert!(
                    matches!(Family::of(actor), Family::Brush | Family::Camera),
                    "{name}"
                );
                continue;
            };
            assert_eq!(entity.key("name"), Some(actor.name.as_str()));
            let class = entity.key("_class").unwrap_or(&entity.class);
            assert_eq!(class, actor.class.name, "{name}");
            if Family::of(actor) != Family::Level {
                let place = actor.properties.vector("Location").unwrap_or_default();
                assert_eq!(entity.origin, space::to_map(place), "{name} {}", actor.name);
            }
        }
        println!("{name}: {counts:?} {:?}", report.counts());
    }
}

#[test]
fn lights_starts_and_zones_are_those_of_the_level() {
    let mut without_brightness = 0;
    let mut lights = 0;
    for (name, map, numbers) in maps() {
        let (doc, inserted, _) = inserted(&map);
        let of_numbers = &numbers["actors"];
        assert_eq!(
            inserted.counts.starts,
            number(&of_numbers["playerStarts"]),
            "{name}"
        );
        // Lamps of Deus Ex are named lights, too, but have no light of their own.
        let named = of_numbers["lightClasses"].as_object().expect("counts");
        let lamps = |class: &str| matches!(class, "PoolTableLight" | "HangingShopLight");
        let named = named.iter().filter(|(class, _)| !lamps(class));
        let expected: usize = named.map(|(_, count)| number(count)).sum();
        assert_eq!(inserted.counts.lights, expected, "{name}");
        // The oracle knows only the classes of the engine; this map has one of its own.
        let own = usize::from(name == "DM-DuckingZone.unr");
        assert_eq!(
            inserted.counts.zones,
            number(&of_numbers["zoneInfos"]) + own,
            "{name}"
        );
        for (actor, &id) in map.actors.iter().zip(&inserted.entities) {
            if Family::of(actor) != Family::Light {
                continue;
            }
            lights += 1;
            without_brightness += usize::from(actor.properties.get("LightBrightness").is_none());
            let entity = id
                .and_then(|id| doc.entity(id))
                .expect("a light is an entity");
            if actor.properties.int("LightType") != Some(0) {
                assert!(
                    matches!(entity.class.as_str(), "light" | "light_spot"),
                    "{name}"
                );
                let radius = 25 * (actor.properties.int("LightRadius").unwrap_or(64) + 1);
                assert_eq!(entity.number("radius"), Some(f64::from(radius)), "{name}");
                let stored = actor.properties.int("LightBrightness").unwrap_or(64);
                let strength = entity.number("intensity").expect("a number");
                assert_eq!(strength > 0.0, stored > 0, "{name} {}", actor.name);
            }
        }
    }
    if lights > 0 {
        assert_eq!((lights, without_brightness), (LIGHTS, WITHOUT_BRIGHTNESS));
    }
}

/// In these maps, counted by an independent reader; of the 3671 that the format's text speaks of 424 have no brightness of their own.
const LIGHTS: usize = 779;
const WITHOUT_BRIGHTNESS: usize = 88;

#[test]
fn movers_stand_where_their_keys_say() {
    let mut count = 0;
    let mut scaled = 0;
    for (name, map, _) in maps() {
        let (doc, inserted, report) = inserted(&map);
        let mut scaled_here = 0;
        for (actor, id) in map.actors.iter().zip(&inserted.entities) {
            let known = Known::new(&map, actor);
            if known.family != Family::Mover {
                continue;
            }
            count += 1;
            assert!(movers::rests_at_key(&known), "{name} {}", actor.name);
            let keys = movers::keys(&known);
            let stored = actor.properties.int("NumKeys").unwrap_or(2);
            assert_eq!(i64::try_from(keys.len()), Ok(i64::from(stored)), "{name}");
            let entity = id.and_then(|id| doc.entity(id)).expect("an entity");
            assert!(entity.origin.distance(space::to_map(keys[0].position)) < 0.1);
            assert!(entity.key("BasePos").is_some());
            scaled_here += usize::from(movers::has_post_scale(&known));
        }
        scaled += scaled_here;
        let told = report
            .warnings
            .iter()
            .find(|warning| warning.kind.code == "I-MOVER-SCALE");
        assert_eq!(
            told.map_or(0, |told| told.objects().count()),
            scaled_here,
            "{name}"
        );
    }
    if count > 0 {
        assert_eq!((count, scaled), (157, SCALED_MOVERS));
    }
}

/// In these maps, counted by an independent reader; 12 of the 306 that the format's text speaks of.
const SCALED_MOVERS: usize = 8;

#[test]
fn groups_become_visgroups_with_their_actors() {
    for (name, map, _) in maps() {
        let (doc, inserted, _) = inserted(&map);
        let mut wanted = BTreeSet::new();
        for (actor, id) in map.actors.iter().zip(&inserted.entities) {
            let Some(object) = id.and_then(|id| doc.object(id)) else {
                continue;
            };
            let own: BTreeSet<String> = actor
                .properties
                .text("Group")
                .unwrap_or("")
                .split(',')
                .map(|group| group.trim().to_lowercase())
                .filter(|group| !group.is_empty() && group != "none")
                .collect();
            let found = object.visgroups.iter().filter_map(|&id| doc.layer(id));
            let found: BTreeSet<String> = found.map(|layer| layer.name.to_lowercase()).collect();
            assert_eq!(found, own, "{name} {}", actor.name);
            wanted.extend(own);
        }
        let made = doc
            .layers()
            .filter(|(_, layer)| layer.kind == LayerKind::Visgroup);
        assert_eq!(made.count(), wanted.len(), "{name}");
    }
}

/// No key is lost: every stored property but those that are fields of an entity is one.
#[test]
fn every_property_is_a_key() {
    for (name, map, _) in maps() {
        let (doc, inserted, _) = inserted(&map);
        for (actor, id) in map.actors.iter().zip(&inserted.entities) {
            let Some(entity) = id.and_then(|id| doc.entity(id)) else {
                continue;
            };
            for property in &actor.properties.0 {
                let field = ["Location", "Rotation", "DrawScale"].contains(&&*property.name);
                let key = match property.index {
                    0 => property.name.to_string(),
                    index => format!("{}({index})", property.name),
                };
                assert_eq!(
                    entity.key(&key).is_none(),
                    field,
                    "{name} {} {key}",
                    actor.name
                );
            }
            let keys: BTreeSet<&str> = entity.keys.iter().map(|(key, _)| key.as_str()).collect();
            assert_eq!(keys.len(), entity.keys.len(), "{name}: keys come once");
        }
    }
}

/// Whoever looks along the engine's +X looks along -Z here.
#[test]
fn a_start_looks_the_way_it_does_in_the_game() {
    let Some(folder) = corpus() else { return };
    let map = map(&folder, "Early_Potions.unr");
    let (doc, inserted, _) = inserted(&map);
    let mut turned = 0;
    for (actor, id) in map.actors.iter().zip(&inserted.entities) {
        let Some(entity) = id.and_then(|id| doc.entity(id)) else {
            continue;
        };
        let Some(rotator) = actor.properties.rotator("Rotation") else {
            continue;
        };
        turned += 1;
        let forward = space::to_map(rotator.matrix() * DVec3::X);
        assert!(entity.forward().distance(forward) < 1e-5, "{}", actor.name);
    }
    assert!(turned > 100);
    let is_entity =
        |(_, object): (_, &mapwright::document::Object)| matches!(object.kind, Kind::Entity(_));
    assert!(doc.objects().all(is_entity));
}

/// Zone of an empty point of the world; `None` for a solid one. In the file's space.
fn zone_at(world: &RawModel, point: DVec3) -> Option<u8> {
    let mut index = 0;
    loop {
        let node = &world.nodes[index];
        let is_front = node.normal.as_dvec3().dot(point) >= f64::from(node.distance);
        let child = if is_front { node.front } else { node.back };
        match child {
            Some(child) => index = child as usize,
            None => {
                let side = usize::from(is_front);
                return node.leaves[side].map(|_| node.zones[side]);
            }
        }
    }
}

#[test]
fn volumes_of_water_fill_their_zones() {
    let mut checked = 0;
    for (name, map, _) in maps() {
        let volumes = zones::volumes(&map, &Progress::new()).expect("not cancelled");
        let world = map.world.as_ref().expect("a world");
        let zones = world
            .zones
            .iter()
            .filter_map(|zone| map.actors.get(zone.actor? as usize));
        let water = zones.filter(|actor| actor.class.name == "WaterZone");
        assert_eq!(volumes.len(), water.count(), "{name}");
        for volume in &volumes {
            let parts = &volume.parts;
            let bounds = parts
                .iter()
                .map(Convex::bounds)
                .fold(Aabb::EMPTY, Aabb::union);
            let bounds = bounds.grown(16.0);
            let depth = |part: &Convex, point: DVec3| {
                let outside = part.sides().iter().map(|side| side.plane.distance(point));
                outside.fold(f64::MIN, f64::max)
            };
            let mut inside = 0;
            for number in 0..4000u32 {
                // Points spread evenly.
                let at = |step: f64| (f64::from(number) * step).fract();
                let share = DVec3::new(at(0.819_172_51), at(0.671_043_61), at(0.549_700_48));
                let point = bounds.min + share * bounds.size();
                let depths = parts.iter().map(|part| depth(part, point));
                let nearest = depths.fold(f64::MAX, f64::min);
                if nearest.abs() < 0.1 {
                    continue;
                }
                let is_water = zone_at(world, space::from_map(point)) == Some(volume.zone);
                assert_eq!(nearest < 0.0, is_water, "{name} {point}");
                inside += usize::from(is_water);
            }
            assert!(inside > 100, "{name}: {inside}");
            checked += 1;
            let cells = parts.len();
            println!(
                "{name}: zone {} in {cells} parts, {inside} of 4000 points",
                volume.zone
            );
        }
    }
    if corpus().is_some() {
        assert_eq!(checked, 3);
    }
}
