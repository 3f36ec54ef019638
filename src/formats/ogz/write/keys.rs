//! What entities lose on their way into the game's five numbers: the written ones are read again and compared.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::document::Document;
use crate::document::Entity;
use crate::document::ObjectId;
use crate::formats::Report;
use crate::formats::ogz::classes::kind;
use crate::formats::ogz::config::is_known;
use crate::formats::ogz::effects::MODEL_BOX;
use crate::formats::ogz::entities;
use crate::formats::ogz::entities::LIFT;
use crate::formats::ogz::entities::RAW;
use crate::formats::ogz::lighting;
use crate::formats::ogz::mapping::to_map;
use crate::formats::ogz::models::HEIGHT;
use crate::formats::ogz::models::RADIUS;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::write::entities::Records;

/// Numbers that differ by no more are the same; those of colours are bytes in the file.
const SAME: f64 = 1e-3;
const SAME_COLOR: f64 = 0.51 / 255.0;
/// Angles are whole degrees in the file.
const SAME_ANGLE_DEG: f64 = 0.51;
/// Keys that stand for numbers of the file, or are part of others here.
const NOT_COMPARED: [&str; 3] = [RAW, LIFT, "intensity"];

/// Keys of a sun that are variables of the map.
const OF_SUN: [&str; 3] = ["color", "intensity", "falloff"];

/// `records`: what is written; `settings`: of the file that the document was imported from.
pub fn report(
    doc: &Document,
    map: &RawMap,
    records: &Records,
    settings: &[(String, String)],
    shift: [i64; 3],
    report: &mut Report,
) {
    let names = records.names();
    let boxes = boxes(settings);
    let spots = lighting::spots(&map.entities);
    let shift = to_map(DVec3::from(shift.map(|by| by as f64)));
    let mut lost: BTreeMap<(&str, Vec<String>), Vec<ObjectId>> = BTreeMap::new();
    for &(id, index) in &records.written {
        let (Some(entity), Some(raw)) = (doc.entity(id), map.entities.get(index)) else {
            continue;
        };
        let Some(mut back) = entities::entity(map, raw, names) else {
            continue;
        };
        if raw.kind == kind::LIGHT {
            let spot = spots.get(&index).map(|&spot| &map.entities[spot]);
            lighting::light(&mut back, raw, spot);
        }
        if raw.kind == kind::MAPMODEL
            && let Some(sides) = entity.key("model").and_then(|name| boxes.get(name))
        {
            for (key, side) in [RADIUS, HEIGHT].into_iter().zip(sides.split_whitespace()) {
                back.set_key(key, side);
            }
        }
        back.origin -= shift;
        let lacking = lacking(entity, &back);
        if !lacking.is_empty() {
            lost.entry((&entity.class, lacking)).or_default().push(id);
        }
    }
    for (id, object) in doc.objects() {
        let Some(entity) = object.entity().filter(|_| !doc.is_left_out(id)) else {
            continue;
        };
        let lacking: Vec<String> = match entity.class.as_str() {
            // Its boxes are cubes of their own kind, and that is all.
            "trigger_hurt" => entity.keys.iter().map(|(key, _)| key.clone()).collect(),
            "light_sun" => {
                let keys = entity.keys.iter().map(|(key, _)| key);
                keys.filter(|key| !OF_SUN.contains(&key.as_str()))
                    .cloned()
                    .collect()
            }
            "worldspawn" => {
                let is_foreign = |letter: char| u32::from(letter) > 0xFF;
                let keys = entity.keys.iter().filter(|(key, value)| {
                    settings.is_empty() && !is_known(key) || value.contains(is_foreign)
                });
                keys.map(|(key, value)| {
                    if value.contains(is_foreign) {
                        format!("all letters of {key}")
                    } else {
                        key.clone()
                    }
                })
                .collect()
            }
            _ => Vec::new(),
        };
        if !lacking.is_empty() {
            lost.entry((&entity.class, lacking)).or_default().push(id);
        }
    }
    tell(lost, report);
}

/// A row for each class and what it lacks; one for the class where there are many kinds of that.
fn tell(lost: BTreeMap<(&str, Vec<String>), Vec<ObjectId>>, report: &mut Report) {
    /// Kinds of one class that have rows of their own.
    const MOST_KINDS: usize = 4;
    let mut by_class: BTreeMap<&str, Vec<(Vec<String>, Vec<ObjectId>)>> = BTreeMap::new();
    for ((class, lacking), ids) in lost {
        by_class.entry(class).or_default().push((lacking, ids));
    }
    for (class, mut kinds) in by_class {
        let mut some_of = "";
        if kinds.len() > MOST_KINDS {
            some_of = "some of ";
            let mut all = (Vec::new(), Vec::new());
            for (lacking, ids) in std::mem::take(&mut kinds) {
                for key in lacking {
                    if !all.0.contains(&key) {
                        all.0.push(key);
                    }
                }
                all.1.extend(ids);
            }
            all.1.sort_unstable();
            kinds.push(all);
        }
        for (lacking, ids) in kinds {
            let text = format!(
                "{} {class}: the game has no place for {some_of}{}",
                ids.len(),
                lacking.join(", ")
            );
            report.warn_of("X-KEYS", ids, text);
        }
    }
}

/// The boxes of the models of a map that was imported, as texts: half the width and the height.
fn boxes(settings: &[(String, String)]) -> BTreeMap<&str, &str> {
    let named = settings
        .iter()
        .filter_map(|(key, sides)| Some((key.strip_prefix(MODEL_BOX)?, sides.as_str())));
    named.collect()
}

/// What of an entity is not in the one that was read.
fn lacking(entity: &Entity, back: &Entity) -> Vec<String> {
    let mut lacking = Vec::new();
    if entity.class != back.class {
        lacking.push(format!("its class (it is a {} there)", back.class));
    }
    let whole_color = |entity: &Entity| {
        let strength = entity.number("intensity").unwrap_or(1.0);
        entity.vector("color").map(|color| color * strength)
    };
    for (key, value) in &entity.keys {
        if NOT_COMPARED.contains(&key.as_str()) || value.is_empty() {
            continue;
        }
        let is_there = match (key.as_str(), whole_color(entity), whole_color(back)) {
            ("color", Some(wanted), Some(read)) => {
                (wanted - read).abs().max_element() <= SAME_COLOR * wanted.max_element().max(1.0)
            }
            _ => back.key(key).is_some_and(|read| is_same(value, read)),
        };
        if !is_there {
            lacking.push(key.clone());
        }
    }
    let turned = (entity.angles_deg - back.angles_deg)
        .to_array()
        .map(|turn| turn.rem_euclid(360.0).min((-turn).rem_euclid(360.0)));
    if turned.iter().any(|&turn| turn > SAME_ANGLE_DEG) {
        lacking.push("its angles".to_owned());
    }
    // A law of its own that no key names.
    if entity.key("falloff").is_none() && back.key("falloff").is_some() {
        lacking.push("its falloff (linear there)".to_owned());
    }
    if (entity.scale - back.scale).abs().max_element() > SAME {
        lacking.push("its scale".to_owned());
    }
    // The feet of a player start are where the game looks for a floor.
    if back.class != "playerstart" && entity.origin.distance(back.origin) > 0.01 {
        lacking.push("its exact place".to_owned());
    }
    lacking
}

/// Equal texts, or equal numbers. A key that says nothing is none.
fn is_same(wanted: &str, read: &str) -> bool {
    let numbers = |text: &str| -> Option<Vec<f64>> {
        text.split_whitespace()
            .map(|word| word.parse().ok())
            .collect()
    };
    if wanted == read {
        return true;
    }
    let (Some(wanted), Some(read)) = (numbers(wanted), numbers(read)) else {
        return false;
    };
    wanted.len() == read.len()
        && wanted
            .iter()
            .zip(&read)
            .all(|(a, b)| (a - b).abs() <= SAME * a.abs().max(1.0))
}
