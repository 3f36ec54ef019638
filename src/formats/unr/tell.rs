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
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::flag;
use crate::formats::unr::replay::Operation;
use crate::formats::unr::replay::operation;
use crate::formats::unr::seen::Seen;
use crate::formats::unr::solid::Solids;
use crate::formats::unr::space::UNITS_PER_METER;
use crate::formats::unr::tell_textures;

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
    tell_textures::tell(emission, seen, &users, report);
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
        format!(
            "{carving} and {adding} became {}: {} of rock; {} whole",
            many(told.pieces.len(), "brush", "brushes"),
            solids.rock_pieces,
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

pub(super) fn has_world(map: &RawMap) -> bool {
    let world = map.world.as_ref();
    world.is_some_and(|world| !world.nodes.is_empty())
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
pub(super) type Users = BTreeMap<MaterialId, Vec<ObjectId>>;

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

pub(super) fn objects_of(
    users: &Users,
    materials: impl Iterator<Item = MaterialId>,
) -> Vec<ObjectId> {
    let objects: BTreeSet<ObjectId> = materials
        .filter_map(|material| users.get(&material))
        .flatten()
        .copied()
        .collect();
    objects.into_iter().collect()
}

/// "1 thing", "2 things".
pub(super) fn many(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
