//! What kinds of actors there are: by class, by the classes above it as far as a package tells, else by well-known names.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::formats::fgd;
use crate::formats::unr::raw::RawActor;

/// Definitions of the common classes; `assets` hands them to the editor.
pub const DEFINITIONS: &[u8] = include_bytes!("../../../assets/entities/unreal.fgd");
pub const DEFINITIONS_NAME: &str = "unreal.fgd";

/// What an actor is to a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Class Brush: geometry.
    Brush,
    /// A moving brush.
    Mover,
    /// A viewport of the game's editor.
    Camera,
    /// The map's own settings.
    Level,
    /// Settings of a zone.
    Zone,
    /// The zone whose view is the sky.
    SkyZone,
    Light,
    PlayerStart,
    /// A place on a path of computer players.
    Navigation,
    Other,
}

const LIGHTS: &[&str] = &[
    "light",
    "spotlight",
    "triggerlight",
    "torchflame",
    "weaponlight",
    "distancelightning",
    "flashlightbeam",
];

const ZONES: &[&str] = &[
    "waterzone",
    "lavazone",
    "slimezone",
    "nitrogenzone",
    "tarzone",
    "cloudzone",
    "pressurezone",
    "vacuumzone",
    "killingfield",
    "teleporterzone",
    "warpzoneinfo",
];

/// Zones that are full of something to swim in by their class.
const LIQUIDS: &[&str] = &[
    "waterzone",
    "lavazone",
    "slimezone",
    "nitrogenzone",
    "tarzone",
];

const NAVIGATION: &[&str] = &[
    "pathnode",
    "inventoryspot",
    "liftexit",
    "liftcenter",
    "jumpspot",
    "ambushpoint",
    "defensepoint",
    "alternatepath",
    "hidepoint",
    "homebase",
    "scoutpathnode",
    "navshortcut",
];

/// Keys that only lights have a use for; an actor that carries some of its own has a class that shines.
const LIGHT_KEYS: &[&str] = &[
    "lightbrightness",
    "lighthue",
    "lightsaturation",
    "lightradius",
];

impl Family {
    #[must_use]
    pub fn of(actor: &RawActor) -> Self {
        let class = actor.class.name.to_ascii_lowercase();
        let is_a = |name: &str| class == name || has_ancestor(actor, name);
        if class == "brush" {
            return Self::Brush;
        }
        if is_a("mover") || actor.polygons.is_some() {
            return Self::Mover;
        }
        if class == "camera" {
            return Self::Camera;
        }
        if is_a("levelinfo") {
            return Self::Level;
        }
        if is_a("skyzoneinfo") {
            return Self::SkyZone;
        }
        if is_a("zoneinfo") || class.contains("zoneinfo") || ZONES.iter().any(|name| is_a(name)) {
            return Self::Zone;
        }
        if LIGHTS.iter().any(|name| is_a(name)) || shines_by_class(actor, &class) {
            return Self::Light;
        }
        if is_a("playerstart") {
            return Self::PlayerStart;
        }
        if NAVIGATION.iter().any(|name| is_a(name)) {
            return Self::Navigation;
        }
        Self::Other
    }
}

fn has_ancestor(actor: &RawActor, name: &str) -> bool {
    actor
        .ancestors
        .iter()
        .any(|ancestor| ancestor.eq_ignore_ascii_case(name))
}

/// Whether a class that is named like a light and whose ancestors nobody knows is one.
fn shines_by_class(actor: &RawActor, class: &str) -> bool {
    let has_light_key = || {
        actor.properties.0.iter().any(|property| {
            LIGHT_KEYS
                .iter()
                .any(|key| property.name.eq_ignore_ascii_case(key))
        })
    };
    actor.ancestors.is_empty() && class.ends_with("light") && has_light_key()
}

/// True for zones of a class that is full of liquid, whatever their properties say.
#[must_use]
pub fn is_liquid(actor: &RawActor) -> bool {
    LIQUIDS
        .iter()
        .any(|name| actor.class.name.eq_ignore_ascii_case(name) || has_ancestor(actor, name))
}

/// Whether the definitions that ship with the program describe a class.
#[must_use]
pub fn is_described(class: &str) -> bool {
    static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let read = fgd::Definitions::read(DEFINITIONS, DEFINITIONS_NAME, &|_| None);
        let classes = read.classes().iter();
        classes.map(|class| class.name.to_lowercase()).collect()
    });
    NAMES.contains(&class.to_lowercase())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::formats::unr::properties::Property;
    use crate::formats::unr::properties::Value;
    use crate::formats::unr::raw::ObjectPath;

    fn actor(class: &str) -> RawActor {
        RawActor {
            class: Arc::new(ObjectPath {
                name: class.to_owned(),
                ..ObjectPath::default()
            }),
            ..RawActor::default()
        }
    }

    #[test]
    fn actors_are_known_by_class_in_any_case() {
        for (class, family) in [
            ("Light", Family::Light),
            ("TRIGGERLIGHT", Family::Light),
            ("PlayerStart", Family::PlayerStart),
            ("SkyZoneInfo", Family::SkyZone),
            ("WaterZone", Family::Zone),
            ("CloudZone", Family::Zone),
            ("DeusExLevelInfo", Family::Other),
            ("LevelInfo", Family::Level),
            ("Camera", Family::Camera),
            ("CutCameraPos", Family::Other),
            ("Brush", Family::Brush),
            ("Mover", Family::Mover),
            ("PathNode", Family::Navigation),
            ("PoolTableLight", Family::Other),
        ] {
            assert_eq!(Family::of(&actor(class)), family, "{class}");
        }
    }

    #[test]
    fn what_is_above_a_class_and_what_an_actor_holds_tell_too() {
        let mut lamp = actor("MyLamp");
        lamp.ancestors = vec!["TriggerLight".to_owned(), "Light".to_owned()];
        assert_eq!(Family::of(&lamp), Family::Light);
        let mut glow = actor("GlowLight");
        let hue = Property {
            name: Arc::from("LightHue"),
            index: 0,
            value: Value::Byte(3),
        };
        glow.properties.0.push(hue);
        assert_eq!(Family::of(&glow), Family::Light);
        glow.ancestors.push("Decoration".to_owned());
        assert_eq!(Family::of(&glow), Family::Other);
        let mut door = actor("GridMover");
        door.polygons = Some(Arc::default());
        assert_eq!(Family::of(&door), Family::Mover);
        let mut pond = actor("Pond");
        pond.ancestors = vec!["WaterZone".to_owned(), "ZoneInfo".to_owned()];
        assert!(Family::of(&pond) == Family::Zone && is_liquid(&pond));
    }

    #[test]
    fn the_definitions_describe_the_common_classes() {
        let read = fgd::Definitions::read(DEFINITIONS, DEFINITIONS_NAME, &|_| None);
        assert_eq!(read.problems, []);
        for class in [
            "Light",
            "mover",
            "PlayerStart",
            "Teleporter",
            "ZoneInfo",
            "Dispatcher",
        ] {
            assert!(is_described(class), "{class}");
        }
        assert!(!is_described("NeverHeardOf"));
    }
}
