//! Properties as keys of an entity: names and texts that say everything the file says, in its axes and units.

use std::fmt::Write as _;

use crate::document::Entity;
use crate::formats::ogz::entities::triple;
use crate::formats::unr::properties::Properties;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::ObjectPath;

/// Properties that the fields of an entity hold, or that are its name.
const IN_FIELDS: [&str; 4] = ["Location", "Rotation", "DrawScale", "Name"];

/// What objects of the map's own package are called.
const OWN_PACKAGE: &str = "MyLevel";

/// Puts all properties into the keys, in file order. Of a property that comes twice the last counts.
pub fn put(entity: &mut Entity, properties: &Properties) {
    for property in &properties.0 {
        if property.index == 0
            && IN_FIELDS
                .iter()
                .any(|name| property.name.eq_ignore_ascii_case(name))
        {
            continue;
        }
        let name = if property.index == 0 {
            property.name.to_string()
        } else {
            format!("{}({})", property.name, property.index)
        };
        if !name.is_empty() {
            entity.set_key(&name, text(&property.value));
        }
    }
}

/// `Class'Package.Group.Name'`, `None` for no object.
#[must_use]
pub fn object(path: Option<&ObjectPath>) -> String {
    let Some(path) = path else {
        return "None".to_owned();
    };
    let package = if path.package.is_empty() {
        OWN_PACKAGE
    } else {
        &path.package
    };
    let parts = [package, &path.group, &path.name];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    format!("{}'{}'", path.class, parts.collect::<Vec<_>>().join("."))
}

/// A value as a key has it: vectors and turns as three numbers, colours and planes as four, objects as [`object`].
#[must_use]
pub fn text(value: &Value) -> String {
    match value {
        Value::Byte(number) => number.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Float(number) => number.to_string(),
        Value::Object(path) => object(path.as_deref()),
        Value::Name(name) => name.to_string(),
        Value::Text(text) | Value::Enum(text) => text.clone(),
        Value::Vector(vector) => triple(*vector),
        Value::Rotator(turn) => format!("{} {} {}", turn.pitch, turn.yaw, turn.roll),
        Value::Scale(scale) if scale.sheer_rate == 0.0 => triple(scale.scale),
        Value::Scale(scale) => format!(
            "{} {} {}",
            triple(scale.scale),
            scale.sheer_rate,
            scale.sheer_axis
        ),
        Value::Color([r, g, b, a]) => format!("{r} {g} {b} {a}"),
        Value::Region {
            zone,
            leaf,
            zone_number,
        } => format!("{} {leaf} {zone_number}", object(zone.as_deref())),
        Value::Plane([x, y, z, w]) => format!("{x} {y} {z} {w}"),
        Value::Raw { name, bytes } => {
            let mut text = format!("{name} ");
            for byte in bytes {
                let _ = write!(text, "{byte:02x}");
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;

    use super::*;
    use crate::formats::unr::properties::Property;
    use crate::formats::unr::space::Rotator;
    use crate::formats::unr::space::Scale;

    #[test]
    fn values_are_texts_in_the_files_own_axes() {
        let path = |package: &str| ObjectPath {
            class: "Texture".to_owned(),
            package: package.to_owned(),
            group: "Walls".to_owned(),
            name: "Brick1".to_owned(),
            export: None,
        };
        let scale = Scale {
            scale: DVec3::new(1.0, -1.0, 2.0),
            ..Scale::default()
        };
        for (value, expected) in [
            (Value::Byte(7), "7"),
            (Value::Float(0.1), "0.1"),
            (Value::Bool(true), "True"),
            (
                Value::Object(Some(Arc::new(path("Ancient")))),
                "Texture'Ancient.Walls.Brick1'",
            ),
            (
                Value::Object(Some(Arc::new(path("")))),
                "Texture'MyLevel.Walls.Brick1'",
            ),
            (Value::Object(None), "None"),
            (Value::Vector(DVec3::new(1.5, -2.0, 0.0)), "1.5 -2 0"),
            (
                Value::Rotator(Rotator {
                    pitch: -16384,
                    yaw: 70000,
                    roll: 1,
                }),
                "-16384 70000 1",
            ),
            (Value::Scale(scale), "1 -1 2"),
            (
                Value::Scale(Scale {
                    sheer_rate: 0.5,
                    sheer_axis: 5,
                    ..scale
                }),
                "1 -1 2 0.5 5",
            ),
            (Value::Color([1, 2, 3, 0]), "1 2 3 0"),
            (
                Value::Region {
                    zone: None,
                    leaf: -1,
                    zone_number: 3,
                },
                "None -1 3",
            ),
            (Value::Plane([0.0, 0.0, 1.0, 64.5]), "0 0 1 64.5"),
            (
                Value::Raw {
                    name: "CutLoc".into(),
                    bytes: vec![0, 255],
                },
                "CutLoc 00ff",
            ),
        ] {
            assert_eq!(text(&value), expected);
        }
    }

    #[test]
    fn keys_keep_the_order_and_the_last_of_a_repeated_one() {
        let property = |name: &str, index: u32, value: Value| Property {
            name: name.into(),
            index,
            value,
        };
        let properties = Properties(vec![
            property("KeyPos", 1, Value::Vector(DVec3::X)),
            property("Tag", 0, Value::Name("a".into())),
            property("Location", 0, Value::Vector(DVec3::X)),
            property("Tag", 0, Value::Name("b".into())),
        ]);
        let mut entity = Entity::new("Mover", DVec3::ZERO);
        put(&mut entity, &properties);
        let keys = [("KeyPos(1)", "1 0 0"), ("Tag", "b")];
        assert_eq!(
            entity.keys,
            keys.map(|(key, value)| (key.to_owned(), value.to_owned()))
        );
    }
}
