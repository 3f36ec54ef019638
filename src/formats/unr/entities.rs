//! Actors of the level as entities (`unr.md` 8.3), with lights of their own laws, zones and moving brushes.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::DVec3;

use crate::document::Draft;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::formats::Report;
use crate::formats::unr::classes;
use crate::formats::unr::classes::Family;
use crate::formats::unr::defaults::Known;
use crate::formats::unr::keys;
use crate::formats::unr::layers::Layers;
use crate::formats::unr::layers::Place;
use crate::formats::unr::lights;
use crate::formats::unr::lights::Shine;
use crate::formats::unr::movers;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::space::to_map;
use crate::formats::unr::visgroups::Visgroups;

/// Coordinates beyond this are no place of an actor.
const FARTHEST: f64 = 1e6;

/// Names that one line of the report tells.
const NAMES: usize = 12;

/// What became of the actors.
#[derive(Clone, Debug, Default)]
pub struct Inserted {
    /// By the actor's index in the map; `None` for brushes, cameras and what was left out.
    pub entities: Vec<Option<ObjectId>>,
    pub counts: Counts,
}

impl Inserted {
    /// The entity that an actor became.
    #[must_use]
    pub fn entity(&self, actor: u32) -> Option<ObjectId> {
        *self.entities.get(actor as usize)?
    }
}

/// How many actors became what. All but `lights_beside` add up to the actors of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub lights: usize,
    /// Lights beside actors that are none themselves.
    pub lights_beside: usize,
    pub movers: usize,
    /// Zones of the sky too.
    pub zones: usize,
    pub starts: usize,
    pub navigation: usize,
    /// Settings of the map.
    pub levels: usize,
    pub others: usize,
    /// Geometry, the builder brushes too.
    pub brushes: usize,
    /// Viewports of the game's editor.
    pub cameras: usize,
}

impl Counts {
    /// Actors that became entities.
    #[must_use]
    pub fn entities(&self) -> usize {
        self.lights
            + self.movers
            + self.zones
            + self.starts
            + self.navigation
            + self.levels
            + self.others
    }
}

/// Objects that the report speaks of.
#[derive(Default)]
struct Findings {
    not_finite: Vec<ObjectId>,
    unknown: Vec<ObjectId>,
    unknown_classes: BTreeSet<String>,
    steady: Vec<ObjectId>,
    special: Vec<ObjectId>,
    dark: Vec<ObjectId>,
    zone_ambient: Vec<ObjectId>,
    post_scale: Vec<ObjectId>,
    off_key: Vec<ObjectId>,
    levels: Vec<ObjectId>,
}

/// Makes an entity of every actor that is one. Movers own what the caller makes of their polygons; the map's title and ambient light
/// come from its settings.
pub fn insert(
    map: &RawMap,
    draft: &mut Draft,
    layers: &mut Layers,
    visgroups: &mut Visgroups,
    report: &mut Report,
) -> Inserted {
    let mut inserted = Inserted {
        entities: vec![None; map.actors.len()],
        counts: Counts::default(),
    };
    let mut findings = Findings::default();
    let zone_numbers = zone_numbers(map);
    for (index, actor) in map.actors.iter().enumerate() {
        let mut known = Known::new(map, actor);
        // Of a class of the map's own, whose ancestors may not be known.
        if known.family == Family::Other && zone_numbers.contains_key(&index) {
            known.family = Family::Zone;
        }
        let counts = &mut inserted.counts;
        match known.family {
            Family::Brush => {
                counts.brushes += 1;
                continue;
            }
            Family::Camera => {
                counts.cameras += 1;
                continue;
            }
            Family::Mover => counts.movers += 1,
            Family::Level => counts.levels += 1,
            Family::Zone | Family::SkyZone => counts.zones += 1,
            Family::Light => counts.lights += 1,
            Family::PlayerStart => counts.starts += 1,
            Family::Navigation => counts.navigation += 1,
            Family::Other => counts.others += 1,
        }
        let mut entity = entity(&known);
        if let Some(number) = zone_numbers.get(&index) {
            entity.set_key("zone", number.to_string());
        }
        if known.family == Family::Level && findings.levels.is_empty() {
            settings(&known, &mut entity, draft);
        }
        let shine = Shine::of(&known);
        let is_light = known.family == Family::Light;
        if let Some(shine) = shine.filter(|_| is_light) {
            shine.put(&mut entity);
        }
        let flags = flags(shine.filter(|_| is_light));
        let visgroups = visgroups.of(&actor.properties, draft);
        let beside = shine.filter(|_| !is_light);
        let beside = beside.map(|shine| (shine, light_beside(&known, &shine), visgroups.clone()));
        let place = place_of(known.family);
        let id = layers.insert(place, Kind::Entity(entity), flags, visgroups, draft);
        inserted.entities[index] = Some(id);
        findings.note(&known, id);
        if let Some(shine) = shine.filter(|_| is_light) {
            findings.note_light(&shine, id);
        }
        if let Some((shine, entity, visgroups)) = beside {
            let flags = self::flags(Some(shine));
            let kind = Kind::Entity(entity);
            let beside = layers.insert(Place::Lights, kind, flags, visgroups, draft);
            inserted.counts.lights_beside += 1;
            findings.note_light(&shine, beside);
        }
    }
    findings.report(&inserted.counts, report);
    inserted
}

/// Zone by the index of the actor that sets it.
fn zone_numbers(map: &RawMap) -> BTreeMap<usize, usize> {
    let zones = map
        .world
        .iter()
        .flat_map(|world| world.zones.iter().enumerate());
    let numbered = zones.filter_map(|(number, zone)| Some((zone.actor? as usize, number)));
    // The map's own settings hold for all zones without any.
    let levels = |actor: usize| {
        map.actors
            .get(actor)
            .is_some_and(|actor| Family::of(actor) == Family::Level)
    };
    numbered.filter(|&(actor, _)| !levels(actor)).collect()
}

/// Of class, place, angles, scale, name and all properties.
#[must_use]
pub fn entity(known: &Known<'_>) -> Entity {
    let actor = known.actor;
    let class = if known.family == Family::Level {
        "worldspawn"
    } else {
        &actor.class.name
    };
    let mut entity = Entity::new(class, to_map(place(known)).as_vec3().as_dvec3());
    let turn = known.rotator("Rotation", 0).unwrap_or_default();
    entity.angles_deg = turn.angles_deg().as_vec3().as_dvec3();
    let scale = known.float("DrawScale").unwrap_or(1.0);
    if scale != 0.0 {
        entity.scale = DVec3::splat(scale);
    }
    if known.family == Family::Level {
        entity.set_key("_class", actor.class.name.clone());
    }
    entity.set_key("name", actor.name.clone());
    keys::put(&mut entity, &actor.properties);
    entity
}

/// In the file's space; the origin for what is no place.
fn place(known: &Known<'_>) -> DVec3 {
    known
        .vector("Location", 0)
        .filter(|place| is_place(*place))
        .unwrap_or_default()
}

fn is_place(place: DVec3) -> bool {
    place.is_finite() && place.abs().max_element() <= FARTHEST
}

/// Title and ambient light.
fn settings(known: &Known<'_>, entity: &mut Entity, draft: &mut Draft) {
    // It is nowhere: the keys are the world's.
    entity.origin = DVec3::ZERO;
    entity.angles_deg = DVec3::ZERO;
    entity.scale = DVec3::ONE;
    let settings = draft.settings_mut();
    settings.ambient = lights::ambient(known).as_vec3();
    if let Some(title) = known.actor.properties.text("Title") {
        title.clone_into(&mut settings.name);
    }
}

/// The light of an actor that is something else.
fn light_beside(known: &Known<'_>, shine: &Shine) -> Entity {
    let mut light = entity(known);
    light.keys.clear();
    light.scale = DVec3::ONE;
    light.set_key("name", format!("{}_light", known.actor.name));
    shine.put(&mut light);
    light
}

/// A light for special surfaces alone would shine on everything here.
fn flags(shine: Option<Shine>) -> ObjectFlags {
    if shine.is_some_and(|shine| shine.is_special) {
        ObjectFlags::NO_COMPILE
    } else {
        ObjectFlags::default()
    }
}

fn place_of(family: Family) -> Place {
    match family {
        Family::Light => Place::Lights,
        Family::Mover => Place::Movers,
        Family::Zone | Family::SkyZone => Place::Zones,
        Family::Navigation => Place::Paths,
        Family::PlayerStart => Place::Starts,
        _ => Place::Entities,
    }
}

impl Findings {
    fn note(&mut self, known: &Known<'_>, id: ObjectId) {
        if known
            .vector("Location", 0)
            .is_some_and(|place| !is_place(place))
        {
            self.not_finite.push(id);
        }
        match known.family {
            Family::Zone | Family::SkyZone if lights::ambient(known) != DVec3::ZERO => {
                self.zone_ambient.push(id);
            }
            Family::Mover => {
                if movers::has_post_scale(known) {
                    self.post_scale.push(id);
                }
                if !movers::rests_at_key(known) {
                    self.off_key.push(id);
                }
            }
            Family::Level => self.levels.push(id),
            _ => {}
        }
        if !is_known(known.actor) {
            self.unknown.push(id);
            self.unknown_classes.insert(known.actor.class.name.clone());
        }
    }

    fn note_light(&mut self, shine: &Shine, id: ObjectId) {
        if !shine.is_exact() {
            self.steady.push(id);
        }
        if shine.is_special {
            self.special.push(id);
        }
        if shine.is_dark {
            self.dark.push(id);
        }
    }

    fn report(self, counts: &Counts, report: &mut Report) {
        let mut say =
            |code: &'static str, objects: Vec<ObjectId>, text: &dyn Fn(usize) -> String| {
                if !objects.is_empty() {
                    let text = text(objects.len());
                    report.warn_of(code, objects, text);
                }
            };
        say("I-NOT-FINITE", self.not_finite, &|count| {
            let of = many(count, "actor is", "actors are");
            format!("the place of {of} not to be found in numbers; 0 was taken")
        });
        say("I-LIGHT-STEADY", self.steady, &|count| {
            let of = many(count, "light changes or has", "lights change or have");
            format!("{of} an effect that is not shown; steady here, the keys say what it was")
        });
        say("I-LIGHT-SPECIAL", self.special, &|count| {
            let of = many(count, "light reaches", "lights reach");
            format!("{of} only surfaces for special lights: left out of builds")
        });
        say("I-LIGHT-DARK", self.dark, &|count| {
            let of = many(count, "light takes", "lights take");
            format!(
                "{of} light away, which lights of builds cannot; the intensity is 0, the keys say what it was"
            )
        });
        say("I-ZONE-AMBIENT", self.zone_ambient, &|count| {
            let of = many(count, "zone has", "zones have");
            format!("{of} ambient light of its own, which builds do not know; the keys say it")
        });
        say("I-MOVER-SCALE", self.post_scale, &|count| {
            let of = many(count, "mover has", "movers have");
            format!("{of} a scale after the turn; Harry Potter 1 leaves it out, here it counts")
        });
        say("I-MOVER-KEY", self.off_key, &|count| {
            let of = many(count, "mover stands", "movers stand");
            format!("{of} elsewhere than the key says; left where the actor is")
        });
        let classes = listed(&self.unknown_classes);
        say("I-UNKNOWN-CLASS", self.unknown, &|count| {
            let of = many(count, "actor is", "actors are");
            format!("{of} of classes that are not described, kept with all properties: {classes}")
        });
        if counts.cameras > 0 {
            let of = many(counts.cameras, "viewport", "viewports");
            let text = format!("{of} of the game's editor; the 3D ones became cameras");
            report.warn("I-EDITOR-CAMERA", None, None, text);
        }
    }
}

fn is_known(actor: &RawActor) -> bool {
    std::iter::once(&actor.class.name)
        .chain(&actor.ancestors)
        .any(|class| class == "LevelInfo" || classes::is_described(class))
}

/// The first names, and how many more there are.
fn listed(names: &BTreeSet<String>) -> String {
    let shown: Vec<&str> = names.iter().map(String::as_str).take(NAMES).collect();
    let more = names.len() - shown.len();
    let text = shown.join(", ");
    if more > 0 {
        format!("{text} and {more} more")
    } else {
        text
    }
}

fn many(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

#[cfg(test)]
#[path = "entities_tests.rs"]
mod tests;
