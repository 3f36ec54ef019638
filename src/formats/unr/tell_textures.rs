//! Rows of the report about textures: packages that are missing, and pictures that the game computes (`unr.md` 11, 15).

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::document::ObjectId;
use crate::formats::Report;
use crate::formats::unr::emit::Emission;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::flag;
use crate::formats::unr::replay::operation;
use crate::formats::unr::seen::Seen;
use crate::formats::unr::tell::Users;
use crate::formats::unr::tell::has_world;
use crate::formats::unr::tell::many;
use crate::formats::unr::tell::objects_of;
use crate::formats::unr::texture_name::OWN_PACKAGE;

/// Most names that one row lists.
const MOST_LISTED: usize = 12;

/// Classes of textures that the game computes as it runs.
const PROCEDURAL: [&str; 5] = [
    "FireTexture",
    "WetTexture",
    "WaveTexture",
    "IceTexture",
    "ScriptedTexture",
];

/// Missing packages with how many faces each leaves without a picture, and pictures that the game computes.
pub(super) fn tell(emission: &Emission<'_>, seen: &Seen, users: &Users, report: &mut Report) {
    let map = emission.map;
    let counts = face_counts(map, seen);
    let showing = |textures: &[u32]| {
        let textures = textures.iter();
        let materials = textures.flat_map(|&texture| emission.looks.materials(Some(texture)));
        objects_of(users, materials)
    };
    let mut missing: BTreeMap<String, (usize, Vec<u32>)> = BTreeMap::new();
    let mut procedural: (usize, Vec<u32>) = (0, Vec::new());
    for (texture, path) in (0..).zip(&map.textures) {
        let Some(&count) = counts.get(&texture) else {
            continue;
        };
        if is_procedural(path) || emission.looks.is_computed(Some(texture)) {
            procedural.0 += count;
            procedural.1.push(texture);
        }
        if !emission.looks.was_found(Some(texture)) {
            let (faces, textures) = missing.entry(package(path)).or_default();
            *faces += count;
            textures.push(texture);
        }
    }
    for (package, (faces, textures)) in missing {
        let names: Vec<&str> = textures
            .iter()
            .filter_map(|&texture| map.textures.get(texture as usize))
            .map(|path| path.name.as_str())
            .collect();
        let text = format!(
            "{package}: {} no picture; not found: {}",
            many(faces, "face has", "faces have"),
            listed(&names)
        );
        report.warn_of("I-MISSING-TEXTURE", showing(&textures), text);
    }
    let (faces, textures) = procedural;
    let mut objects: BTreeSet<ObjectId> = showing(&textures).into_iter().collect();
    objects.extend(objects_of(users, emission.looks.computed()));
    if !objects.is_empty() {
        let text = format!(
            "{} what the game computes as it runs ({}); it stands still here",
            many(faces, "face shows", "faces show"),
            many(textures.len(), "texture", "textures")
        );
        let objects = objects.into_iter().collect();
        report.warn_of("I-PROCEDURAL-TEXTURE", objects, text);
    }
}

/// Faces by texture: surfaces of the world, or polygons of brushes where there is none; and polygons of movers.
fn face_counts(map: &RawMap, seen: &Seen) -> BTreeMap<u32, usize> {
    let mut counts = BTreeMap::new();
    let mut add = |texture: Option<u32>| {
        if let Some(texture) = texture {
            *counts.entry(texture).or_default() += 1;
        }
    };
    let has_world = has_world(map);
    let mut surfaces: BTreeSet<u32> = BTreeSet::new();
    for polygon in seen.polygons.iter().filter(|polygon| polygon.is_drawn()) {
        if let Some(surface) = polygon.surface
            && surfaces.insert(surface)
        {
            add(polygon.mapping.texture);
        }
    }
    for actor in &map.actors {
        let is_brush = actor.class.name.eq_ignore_ascii_case("Brush");
        let counts = if is_brush {
            !has_world && operation(actor).is_some()
        } else {
            true
        };
        let polygons = actor.polygons.iter().filter(|_| counts);
        for polygon in polygons.flat_map(|polygons| polygons.iter()) {
            if polygon.flags & flag::INVISIBLE == 0 {
                add(polygon.texture);
            }
        }
    }
    counts
}

fn is_procedural(path: &ObjectPath) -> bool {
    let mut classes = PROCEDURAL.iter();
    classes.any(|class| path.class.eq_ignore_ascii_case(class))
}

fn package(path: &ObjectPath) -> String {
    match (path.package.as_str(), path.export) {
        ("", Some(_)) => OWN_PACKAGE.to_owned(),
        ("", None) => "No package".to_owned(),
        (package, _) => package.to_owned(),
    }
}

fn listed(words: &[&str]) -> String {
    let shown = words[..words.len().min(MOST_LISTED)].join(", ");
    if words.len() > MOST_LISTED {
        format!("{shown}, ...")
    } else {
        shown
    }
}
