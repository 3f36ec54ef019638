//! What a property is worth for an actor: its own value, else that of its class as far as a package at hand tells, else what the
//! engine's own classes begin with (`unr.md` 3.1). Files leave out what equals the default of the class.

use std::borrow::Cow;

use glam::DVec3;

use crate::formats::unr::classes::Family;
use crate::formats::unr::properties::Properties;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::space::Rotator;
use crate::formats::unr::space::Scale;

/// An actor with everything that its properties fall back on.
#[derive(Clone, Debug)]
pub struct Known<'a> {
    pub actor: &'a RawActor,
    pub family: Family,
    /// Of its class and those above it, nearest first.
    classes: Vec<&'a Properties>,
}

impl<'a> Known<'a> {
    #[must_use]
    pub fn new(map: &'a RawMap, actor: &'a RawActor) -> Self {
        let names = std::iter::once(&actor.class.name).chain(&actor.ancestors);
        let classes = if map.class_defaults.is_empty() {
            Vec::new()
        } else {
            names
                .filter_map(|name| map.class_defaults.get(&name.to_lowercase()))
                .collect()
        };
        Self {
            actor,
            family: Family::of(actor),
            classes,
        }
    }

    /// Element 0.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<Cow<'a, Value>> {
        self.element(name, 0)
    }

    #[must_use]
    pub fn element(&self, name: &str, index: u32) -> Option<Cow<'a, Value>> {
        let stored = std::iter::once(&self.actor.properties).chain(self.classes.iter().copied());
        stored
            .filter_map(|properties| properties.element(name, index))
            .map(Cow::Borrowed)
            .next()
            .or_else(|| engine(self.family, name).map(Cow::Owned))
    }

    #[must_use]
    pub fn byte(&self, name: &str) -> Option<u8> {
        self.int(name).and_then(|value| u8::try_from(value).ok())
    }

    #[must_use]
    pub fn int(&self, name: &str) -> Option<i32> {
        match *self.value(name)? {
            Value::Byte(value) => Some(i32::from(value)),
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    #[must_use]
    pub fn bool(&self, name: &str) -> bool {
        matches!(self.value(name).as_deref(), Some(Value::Bool(true)))
    }

    /// `None` also for what is no number.
    #[must_use]
    pub fn float(&self, name: &str) -> Option<f64> {
        let number = match *self.value(name)? {
            Value::Float(value) => f64::from(value),
            Value::Int(value) => f64::from(value),
            Value::Byte(value) => f64::from(value),
            _ => return None,
        };
        number.is_finite().then_some(number)
    }

    #[must_use]
    pub fn vector(&self, name: &str, index: u32) -> Option<DVec3> {
        match *self.element(name, index)? {
            Value::Vector(value) => Some(value),
            _ => None,
        }
    }

    #[must_use]
    pub fn rotator(&self, name: &str, index: u32) -> Option<Rotator> {
        match *self.element(name, index)? {
            Value::Rotator(value) => Some(value),
            _ => None,
        }
    }

    #[must_use]
    pub fn scale(&self, name: &str) -> Option<Scale> {
        match *self.value(name)? {
            Value::Scale(value) => Some(value),
            _ => None,
        }
    }

    /// A number of an enumeration, which text files give by name: the place of the name in `names`.
    #[must_use]
    pub fn choice(&self, name: &str, names: &[&str]) -> Option<usize> {
        match self.value(name)?.as_ref() {
            Value::Byte(value) => Some(usize::from(*value)),
            Value::Int(value) => usize::try_from(*value).ok(),
            Value::Enum(word) => names
                .iter()
                .position(|known| known.eq_ignore_ascii_case(word)),
            Value::Name(word) => names
                .iter()
                .position(|known| known.eq_ignore_ascii_case(word)),
            _ => None,
        }
    }
}

/// What the engine's own classes begin with; numbers that are 0 there are not in it.
fn engine(family: Family, name: &str) -> Option<Value> {
    let name = name.to_ascii_lowercase();
    let value = match (family, name.as_str()) {
        (_, "drawscale") => Value::Float(1.0),
        (_, "mainscale" | "postscale") => Value::Scale(Scale::default()),
        (Family::Mover, "numkeys") => Value::Byte(2),
        (Family::Mover, "movetime") => Value::Float(1.0),
        (Family::Mover, "stayopentime") => Value::Float(4.0),
        (Family::Mover, "initialstate") => Value::Name("BumpOpenTimed".into()),
        (Family::Mover, "moverglidetype" | "moverencroachtype") => Value::Byte(1),
        (Family::Light, "lighttype") => Value::Byte(1),
        (Family::Light, "lightbrightness" | "lightradius" | "volumebrightness") => Value::Byte(64),
        (Family::Light, "lightsaturation") => Value::Byte(255),
        (Family::Light, "lightperiod") => Value::Byte(32),
        (Family::Light, "lightcone") => Value::Byte(128),
        (Family::Zone | Family::SkyZone | Family::Level, "ambientsaturation") => Value::Byte(255),
        (Family::Zone | Family::SkyZone | Family::Level, "zonegravity") => {
            Value::Vector(DVec3::new(0.0, 0.0, -950.0))
        }
        (Family::Zone | Family::SkyZone | Family::Level, "texupanspeed" | "texvpanspeed") => {
            Value::Float(1.0)
        }
        (Family::PlayerStart, "collisionradius") => Value::Float(18.0),
        (Family::PlayerStart, "collisionheight") => Value::Float(40.0),
        (Family::PlayerStart, "benabled") => Value::Bool(true),
        (_, "collisionradius" | "collisionheight") => Value::Float(22.0),
        _ => return None,
    };
    Some(value)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::formats::unr::properties::Property;
    use crate::formats::unr::raw::ObjectPath;

    fn property(name: &str, value: Value) -> Property {
        Property {
            name: Arc::from(name),
            index: 0,
            value,
        }
    }

    fn actor(class: &str, properties: Vec<Property>) -> RawActor {
        RawActor {
            class: Arc::new(ObjectPath {
                name: class.to_owned(),
                ..ObjectPath::default()
            }),
            properties: Properties(properties),
            ..RawActor::default()
        }
    }

    #[test]
    fn what_a_file_leaves_out_is_what_the_engine_begins_with() {
        let map = RawMap::default();
        let light = actor("Light", Vec::new());
        let known = Known::new(&map, &light);
        let bytes = [
            "LightType",
            "LightBrightness",
            "LightHue",
            "LightSaturation",
            "LightRadius",
        ]
        .map(|name| known.byte(name));
        assert_eq!(bytes, [Some(1), Some(64), None, Some(255), Some(64)]);
        assert_eq!(known.byte("lightcone"), Some(128));
        let start = actor("PlayerStart", Vec::new());
        let known = Known::new(&map, &start);
        assert_eq!(known.float("CollisionHeight"), Some(40.0));
        assert!(known.bool("bEnabled"));
        let mover = actor("Mover", Vec::new());
        let known = Known::new(&map, &mover);
        assert_eq!(
            (known.int("NumKeys"), known.float("StayOpenTime")),
            (Some(2), Some(4.0))
        );
        let other = actor("Thing", Vec::new());
        let known = Known::new(&map, &other);
        assert_eq!(
            (known.byte("LightType"), known.float("DrawScale")),
            (None, Some(1.0))
        );
    }

    #[test]
    fn an_actors_own_value_wins_then_the_nearest_class() {
        let mut map = RawMap::default();
        let class = |value: u8| Properties(vec![property("LightBrightness", Value::Byte(value))]);
        map.class_defaults.insert("mylight".to_owned(), class(10));
        map.class_defaults.insert("baselight".to_owned(), class(20));
        let mut light = actor("MyLight", Vec::new());
        light.ancestors = vec!["BaseLight".to_owned(), "Light".to_owned()];
        let brightness = |light: &RawActor| Known::new(&map, light).byte("LightBrightness");
        assert_eq!(brightness(&light), Some(10));
        light.properties = class(30);
        assert_eq!(brightness(&light), Some(30));
        light.properties = Properties::default();
        light.class = Arc::new(ObjectPath {
            name: "OtherLight".to_owned(),
            ..ObjectPath::default()
        });
        assert_eq!(brightness(&light), Some(20));
    }

    #[test]
    fn enums_are_numbers_in_packages_and_names_in_text() {
        let map = RawMap::default();
        let names = ["LE_None", "LE_TorchWaver"];
        let choice = |value: Value| {
            let light = actor("Light", vec![property("LightEffect", value)]);
            Known::new(&map, &light).choice("LightEffect", &names)
        };
        assert_eq!(choice(Value::Byte(1)), Some(1));
        assert_eq!(choice(Value::Enum("le_torchwaver".to_owned())), Some(1));
        assert_eq!(choice(Value::Enum("LE_Unheard".to_owned())), None);
    }
}
