//! The report of an import (`unr.md` 15): a row for each kind of thing, with the objects that it speaks of.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::document::Document;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::ObjectId;
use crate::formats::Report;
use crate::formats::unr::convert::Compiled;
use crate::formats::unr::emit::Emission;
use crate::formats::unr::entities::Inserted;
use crate::formats::unr::pieces::Source;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::flag;
use crate::formats::unr::replay::Operation;
use crate::formats::unr::replay::operation;
use crate::formats::unr::seen::Seen;
use crate::formats::unr::solid::Solids;
use crate::formats::unr::space::UNITS_PER_METER;
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

/// What was made of the world.
#[derive(Clone, Debug)]
pub struct Told {
    pub compiled: Compiled,
    pub pieces: Vec<ObjectId>,
    pub hulls: Vec<ObjectId>,
    /// Meshes of what encloses nothing.
    pub sheets: Vec<ObjectId>,
    /// Meshes of what is seen, whether compiled or not.
    pub surfaces: Vec<ObjectId>,
    /// Meshes of moving brushes that enclose nothing.
    pub thin_movers: Vec<ObjectId>,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            compiled: Compiled::Brushes,
            pieces: Vec::new(),
            hulls: Vec::new(),
            sheets: Vec::new(),
            surfaces: Vec::new(),
            thin_movers: Vec::new(),
        }
    }
}

/// All rows about the world and its looks.
pub fn tell(
    emission: &Emission<'_>,
    solids: &Solids,
    seen: &Seen,
    inserted: &Inserted,
    told: &Told,
    report: &mut Report,
) {
    tell_actors(emission.map, seen, inserted, report);
    tell_brushes(emission, solids, told, report);
    tell_agreement(solids, told, report);
    tell_sheets(told, report);
    tell_losses(emission, seen, report);
    let users = users(&emission.draft);
    tell_textures(emission, seen, &users, report);
    tell_looks(emission, &users, report);
    let text = format!(
        "1 unit stays 1 unit; {UNITS_PER_METER} of them make a metre, as mappers reckon (16 to the foot)"
    );
    report.warn("I-UNITS", None, None, text);
}

fn tell_actors(map: &RawMap, seen: &Seen, inserted: &Inserted, report: &mut Report) {
    let counts = inserted.counts;
    let named = [
        many(counts.lights, "light", "lights"),
        many(counts.movers, "moving brush", "moving brushes"),
        many(counts.zones, "zone", "zones"),
        many(counts.starts, "player start", "player starts"),
        many(counts.navigation, "path node", "path nodes"),
        many(counts.others, "other actor", "other actors"),
    ];
    let polygons = if has_world(map) {
        seen.polygons.len()
    } else {
        let shaped = map
            .actors
            .iter()
            .filter_map(|actor| actor.polygons.as_ref());
        shaped.map(|polygons| polygons.len()).sum()
    };
    let text = format!(
        "{}; {}",
        many(polygons, "polygon", "polygons"),
        named.join(", ")
    );
    let entities = inserted.entities.iter().flatten();
    report.warn_of("I-ACTORS", entities.copied().collect(), text);
    let specs = map.facts.reach_specs;
    if specs > 0 {
        let text = format!(
            "{} between path nodes left out; the game's editor makes them anew",
            many(specs, "link", "links")
        );
        report.warn("I-REACH-SPEC", None, None, text);
    }
}

fn tell_brushes(emission: &Emission<'_>, solids: &Solids, told: &Told, report: &mut Report) {
    let brushes = |wanted: Operation| {
        let actors = emission.map.actors.iter();
        let found = actors.filter(|actor| operation(actor) == Some(wanted));
        found.count()
    };
    let (carving, adding) = (brushes(Operation::Subtract), brushes(Operation::Add));
    let carving = many(carving, "carving brush", "carving brushes");
    let adding = many(adding, "adding one", "adding ones");
    let text = if told.compiled == Compiled::Carving {
        format!("{carving} and {adding} are kept as they are; rock was put round them")
    } else {
        let rock = solids.pieces.iter();
        let rock = rock.filter(|piece| piece.source == Source::Rock).count();
        format!(
            "{carving} and {adding} became {}: {rock} of rock; {} whole",
            many(told.pieces.len(), "brush", "brushes"),
            many(solids.whole, "adding one stayed", "adding ones stayed"),
        )
    };
    report.warn_of("I-BRUSHES", told.pieces.clone(), text);
    let objects = |actors: &mut dyn Iterator<Item = u32>| -> Vec<ObjectId> {
        let made = actors.filter_map(|actor| emission.by_actor.get(&actor));
        made.flatten().copied().collect()
    };
    if !solids.concave.is_empty() {
        let cells: usize = solids.concave.iter().map(|&(_, cells)| cells).sum();
        let text = format!(
            "{} not convex and split into {cells} that are",
            many(solids.concave.len(), "brush was", "brushes were")
        );
        let objects = objects(&mut solids.concave.iter().map(|&(actor, _)| actor));
        report.warn_of("I-CONCAVE-BRUSH", objects, text);
    }
    if !solids.sheared.is_empty() {
        let text = format!(
            "{} sheared in the game, which was left out",
            many(solids.sheared.len(), "brush is", "brushes are")
        );
        let objects = objects(&mut solids.sheared.iter().copied());
        report.warn_of("I-SHEARED-BRUSH", objects, text);
    }
}

fn tell_agreement(solids: &Solids, told: &Told, report: &mut Report) {
    let agreement = solids.agreement;
    if agreement.random + agreement.beside == 0 {
        return;
    }
    let percent = |share: f64| (share * 1e4).floor() / 100.0;
    let shares = format!(
        "the brushes agree with the map's own solid space at {} % of {} random places and {} % of {} beside surfaces",
        percent(agreement.random_share()),
        agreement.random,
        percent(agreement.beside_share()),
        agreement.beside
    );
    match told.compiled {
        Compiled::Brushes | Compiled::Carving => report.warn("I-AGREEMENT", None, None, shares),
        Compiled::Surfaces => {
            let text = format!(
                "{shares}: too few. The surfaces as they are seen are compiled, with {}; the brushes are left out of builds",
                many(told.hulls.len(), "collision hull", "collision hulls")
            );
            report.warn_of("I-DISAGREEMENT", told.pieces.clone(), text);
        }
    }
    if agreement.holes > 0 {
        let text = format!(
            "at {} beside surfaces the map's solid space is open though a brush is there (BSP holes)",
            many(agreement.holes as usize, "place", "places")
        );
        report.warn("I-BSP-HOLE", None, None, text);
    }
}

fn tell_sheets(told: &Told, report: &mut Report) {
    if !told.sheets.is_empty() {
        let text = format!(
            "{} volume: sheets, water surfaces and other things that are not solid became meshes without collision",
            many(told.sheets.len(), "brush has no", "brushes have no")
        );
        report.warn_of("I-SHEET", told.sheets.clone(), text);
    }
    if !told.thin_movers.is_empty() {
        let text = format!(
            "{} volume and became meshes",
            many(
                told.thin_movers.len(),
                "moving brush has no",
                "moving brushes have no"
            )
        );
        report.warn_of("I-SHEET-MOVER", told.thin_movers.clone(), text);
    }
}

fn tell_losses(emission: &Emission<'_>, seen: &Seen, report: &mut Report) {
    let mut row = |count: usize, code: &'static str, one: &str, more: &str, why: &str| {
        if count > 0 {
            let text = format!("{} left out: {why}", many(count, one, more));
            report.warn(code, None, None, text);
        }
    };
    let (one, more) = ("polygon was", "polygons were");
    let why = "their numbers are not sound";
    row(seen.bad_polygons, "I-BAD-POLYGON", one, more, why);
    let flat = emission.flat_polygons;
    row(flat, "I-FLAT-POLYGON", one, more, "they have no area");
    let (one, more) = ("piece was", "pieces were");
    let why = "they are thinner than the file's numbers";
    row(emission.lost_pieces, "I-LOST-PIECE", one, more, why);
}

/// Missing packages with how many faces each leaves without a picture, and pictures that the game computes.
fn tell_textures(emission: &Emission<'_>, seen: &Seen, users: &Users, report: &mut Report) {
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

fn has_world(map: &RawMap) -> bool {
    let world = map.world.as_ref();
    world.is_some_and(|world| !world.nodes.is_empty())
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

/// Ways to draw that the map's materials do not have here.
fn tell_looks(emission: &Emission<'_>, users: &Users, report: &mut Report) {
    let rows = [
        (
            flag::TRANSLUCENT | flag::MODULATED,
            "I-BLENDED",
            "translucent or modulated in the game, and see-through in the ordinary way here",
        ),
        (
            flag::AUTO_U_PAN | flag::AUTO_V_PAN | flag::SMALL_WAVY | flag::CLOUD_WAVY,
            "I-MOVING-TEXTURE",
            "moving or wavy in the game, and stand still here",
        ),
        (
            flag::MIRROR | flag::ENVIRONMENT,
            "I-MIRROR",
            "mirrors or reflections in the game, and drawn plainly here",
        ),
    ];
    for (flags, code, what) in rows {
        let objects = objects_of(users, emission.looks.with_flags(flags));
        if !objects.is_empty() {
            let text = format!(
                "surfaces of {} {what}",
                many(objects.len(), "object are", "objects are")
            );
            report.warn_of(code, objects, text);
        }
    }
}

/// Objects by the materials on them.
type Users = BTreeMap<MaterialId, Vec<ObjectId>>;

fn users(doc: &Document) -> Users {
    let mut users = Users::new();
    for (id, object) in doc.objects() {
        let mut materials: Vec<MaterialId> = match &object.kind {
            Kind::Brush(brush) => {
                let faces = brush.faces().iter();
                faces.filter_map(|face| face.material).collect()
            }
            Kind::Mesh(mesh) => {
                let polygons = mesh.polygons.iter();
                polygons.filter_map(|polygon| polygon.material).collect()
            }
            Kind::Entity(_) | Kind::Group(_) => continue,
        };
        materials.sort_unstable();
        materials.dedup();
        for material in materials {
            users.entry(material).or_default().push(id);
        }
    }
    users
}

fn objects_of(users: &Users, materials: impl Iterator<Item = MaterialId>) -> Vec<ObjectId> {
    let objects: BTreeSet<ObjectId> = materials
        .filter_map(|material| users.get(&material))
        .flatten()
        .copied()
        .collect();
    objects.into_iter().collect()
}

fn listed(words: &[&str]) -> String {
    let shown = words[..words.len().min(MOST_LISTED)].join(", ");
    if words.len() > MOST_LISTED {
        format!("{shown}, ...")
    } else {
        shown
    }
}

/// "1 thing", "2 things".
fn many(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
