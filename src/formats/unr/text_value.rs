//! Values of properties as text (`unr.md` 12): `(X=1,Y=2)`, `CSG_Subtract`, `Texture'Package.Group.Name'`.

use std::sync::Arc;

use glam::DVec3;

use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::space::Rotator;
use crate::formats::unr::space::Scale;

/// What the map's own objects are qualified with.
const OWN_PACKAGE: &str = "MyLevel";

/// Enums of the engine's classes: what their names begin with, and the rest in the order of their numbers.
const ENUMS: &[(&str, &[&str])] = &[
    (
        "CSG_",
        &["Active", "Add", "Subtract", "Intersect", "Deintersect"],
    ),
    ("SHEER_", &["None", "XY", "XZ", "YX", "YZ", "ZX", "ZY"]),
    (
        "LT_",
        &[
            "None",
            "Steady",
            "Pulse",
            "Blink",
            "Flicker",
            "Strobe",
            "BackdropLight",
            "SubtlePulse",
            "TexturePaletteOnce",
            "TexturePaletteLoop",
        ],
    ),
    (
        "LE_",
        &[
            "None",
            "TorchWaver",
            "FireWaver",
            "WateryShimmer",
            "Searchlight",
            "SlowWave",
            "FastWave",
            "CloudCast",
            "StaticSpot",
            "Shock",
            "Disco",
            "Warp",
            "Spotlight",
            "NonIncidence",
            "Shell",
            "OmniBumpMap",
            "Interference",
            "Cylinder",
            "Rotor",
            "Unused",
        ],
    ),
    (
        "PHYS_",
        &[
            "None",
            "Walking",
            "Falling",
            "Swimming",
            "Flying",
            "Rotating",
            "Projectile",
            "Rolling",
            "Interpolating",
            "MovingBrush",
            "Spider",
            "Trailer",
        ],
    ),
    (
        "DT_",
        &[
            "None",
            "Sprite",
            "Mesh",
            "Brush",
            "RopeSprite",
            "VerticalSprite",
            "Terraform",
            "SpriteAnimOnce",
        ],
    ),
    (
        "STY_",
        &["None", "Normal", "Masked", "Translucent", "Modulated"],
    ),
    (
        "ME_",
        &[
            "StopWhenEncroach",
            "ReturnWhenEncroach",
            "CrushWhenEncroach",
            "IgnoreWhenEncroach",
        ],
    ),
    ("MV_", &["MoveByTime", "GlideByTime"]),
    ("BT_", &["PlayerBump", "PawnBump", "AnyBump"]),
    (
        "TT_",
        &[
            "PlayerProximity",
            "PawnProximity",
            "ClassProximity",
            "AnyProximity",
            "Shoot",
        ],
    ),
];

/// Reads a value. `name`: of its property, which tells names from numbers and truths.
#[must_use]
pub fn value(name: &str, text: &str) -> Value {
    let text = text.trim();
    if let Some(quoted) = quoted(text) {
        return Value::Text(quoted.to_owned());
    }
    if is_name(name) {
        return Value::Name(text.into());
    }
    if let Some(inside) = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
    {
        return structure(inside).unwrap_or_else(|| Value::Text(text.to_owned()));
    }
    if text.ends_with('\'') {
        return Value::Object(object(text).map(Arc::new));
    }
    if text.eq_ignore_ascii_case("True") || text.eq_ignore_ascii_case("False") {
        return Value::Bool(text.eq_ignore_ascii_case("True"));
    }
    if let Some(value) = number(text) {
        return value;
    }
    if let Some(number) = enum_number(text) {
        return Value::Byte(number);
    }
    if text.eq_ignore_ascii_case("None") && !name.to_ascii_lowercase().ends_with("name") {
        return Value::Object(None);
    }
    Value::Name(text.into())
}

/// Names may look like numbers.
fn is_name(property: &str) -> bool {
    let property = property.to_ascii_lowercase();
    property.ends_with("tag")
        || property.ends_with("event")
        || ["group", "initialstate", "title", "author", "url", "orders"].contains(&&*property)
}

fn quoted(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('"')?;
    Some(inside.strip_suffix('"').unwrap_or(inside))
}

fn number(text: &str) -> Option<Value> {
    let first = text.bytes().next()?;
    if !(first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'.')) {
        return None;
    }
    if let Some(whole) = whole(text) {
        return Some(Value::Int(whole));
    }
    text.parse().ok().map(Value::Float)
}

/// A whole number of 32 bits, signed or not.
#[must_use]
pub fn whole(text: &str) -> Option<i32> {
    let wide: i64 = text.trim().parse().ok()?;
    let fits = (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&wide);
    fits.then_some(wide as i32)
}

/// The number of an enum's name.
#[must_use]
pub fn enum_number(text: &str) -> Option<u8> {
    ENUMS.iter().find_map(|(prefix, names)| {
        let (start, rest) = text.split_at_checked(prefix.len())?;
        if !start.eq_ignore_ascii_case(prefix) {
            return None;
        }
        let place = names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(rest))?;
        Some(place as u8)
    })
}

/// `Class'Package.Group.Name'`, the same without a class, or only a name.
#[must_use]
pub fn object(text: &str) -> Option<ObjectPath> {
    let text = text.trim();
    let (class, path) = match text.split_once('\'') {
        Some((class, path)) => (class, path.strip_suffix('\'').unwrap_or(path)),
        None => ("", text),
    };
    let path = path.trim_matches('"');
    if path.is_empty() || path.eq_ignore_ascii_case("None") {
        return None;
    }
    let (outer, name) = path.rsplit_once('.').unwrap_or(("", path));
    let (package, group) = outer.split_once('.').unwrap_or((outer, ""));
    let is_own = package.eq_ignore_ascii_case(OWN_PACKAGE);
    Some(ObjectPath {
        class: class.rsplit('.').next().unwrap_or_default().to_owned(),
        package: if is_own { "" } else { package }.to_owned(),
        group: group.to_owned(),
        name: name.to_owned(),
        export: None,
    })
}

/// A struct is known by the names of its members, of which those with the value of a new one are left out.
fn structure(inside: &str) -> Option<Value> {
    let members = members(inside);
    let has_only = |names: &[&str]| {
        let known =
            |(key, _): &(&str, &str)| names.iter().any(|name| name.eq_ignore_ascii_case(key));
        !members.is_empty() && members.iter().all(known)
    };
    let find = |name: &str| {
        let found = members
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|&(_, text)| text)
    };
    let float = |name: &str| find(name).map_or(Some(0.0), |text| text.parse::<f32>().ok());
    let int = |name: &str| find(name).map_or(Some(0), whole);
    let byte = |name: &str| find(name).map_or(Some(0), |text| text.parse::<u8>().ok());
    if has_only(&["X", "Y", "Z"]) {
        return vector(inside, 0.0).map(Value::Vector);
    }
    if has_only(&["X", "Y", "Z", "W"]) {
        return Some(Value::Plane([
            float("X")?,
            float("Y")?,
            float("Z")?,
            float("W")?,
        ]));
    }
    if has_only(&["Pitch", "Yaw", "Roll"]) {
        return Some(Value::Rotator(Rotator {
            pitch: int("Pitch")?,
            yaw: int("Yaw")?,
            roll: int("Roll")?,
        }));
    }
    if has_only(&["Scale", "SheerRate", "SheerAxis"]) {
        let scale = find("Scale").map_or(Some(DVec3::ONE), |text| {
            vector(text.strip_prefix('(')?.strip_suffix(')')?, 1.0)
        });
        let axis = find("SheerAxis").map_or(Some(0), |text| {
            enum_number(text).or_else(|| text.parse().ok())
        });
        return Some(Value::Scale(Scale {
            scale: scale?,
            sheer_rate: float("SheerRate")?,
            sheer_axis: axis?,
        }));
    }
    if has_only(&["R", "G", "B", "A"]) {
        return Some(Value::Color([
            byte("R")?,
            byte("G")?,
            byte("B")?,
            byte("A")?,
        ]));
    }
    if has_only(&["Zone", "iLeaf", "ZoneNumber"]) {
        return Some(Value::Region {
            zone: find("Zone").and_then(object).map(Arc::new),
            leaf: int("iLeaf")?,
            zone_number: byte("ZoneNumber")?,
        });
    }
    None
}

/// `X=1,Y=2,Z=3` with `absent` for members that are not there.
fn vector(inside: &str, absent: f32) -> Option<DVec3> {
    let mut vector = [absent; 3];
    for (key, text) in members(inside) {
        let axis = ["X", "Y", "Z"]
            .iter()
            .position(|axis| axis.eq_ignore_ascii_case(key))?;
        vector[axis] = text.parse().ok()?;
    }
    Some(glam::Vec3::from_array(vector).as_dvec3())
}

/// `Key=value` pairs between commas; commas within parentheses or quotes do not count.
fn members(inside: &str) -> Vec<(&str, &str)> {
    let mut depth = 0_usize;
    let mut is_quoted = false;
    let between = |character: char| {
        match character {
            '"' => is_quoted = !is_quoted,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' => return depth == 0 && !is_quoted,
            _ => {}
        }
        false
    };
    let parts = inside.split(between).filter(|part| !part.trim().is_empty());
    let pair = |part| {
        let (key, value) = str::split_once(part, '=').unwrap_or((part, ""));
        (key.trim(), value.trim())
    };
    parts.map(pair).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path(class: &str, package: &str, group: &str, name: &str) -> ObjectPath {
        ObjectPath {
            class: class.to_owned(),
            package: package.to_owned(),
            group: group.to_owned(),
            name: name.to_owned(),
            export: None,
        }
    }

    #[test]
    fn plain_values() {
        assert_eq!(value("LightRadius", "64"), Value::Int(64));
        assert_eq!(value("DrawScale", "-1.500000"), Value::Float(-1.5));
        assert_eq!(value("PolyFlags", "4294967295"), Value::Int(-1));
        assert_eq!(value("bHidden", "true"), Value::Bool(true));
        assert_eq!(value("CsgOper", "csg_subtract"), Value::Byte(2));
        assert_eq!(value("LightEffect", "LE_Spotlight"), Value::Byte(12));
        assert_eq!(
            value("Weapon", "WP_Rocket"),
            Value::Name("WP_Rocket".into())
        );
        assert_eq!(value("Title", "\"a, b\""), Value::Text("a, b".to_owned()));
        assert_eq!(value("Tag", "007"), Value::Name("007".into()));
        assert_eq!(value("Event", "True"), Value::Name("True".into()));
        assert_eq!(value("Brush", "None"), Value::Object(None));
    }

    #[test]
    fn objects() {
        let skin = value("Skin", "Texture'GenFX.LensFlar.3'");
        let known = path("Texture", "GenFX", "LensFlar", "3");
        assert_eq!(skin, Value::Object(Some(Arc::new(known))));
        let brush = value("Brush", "Model'myLevel.Brush'");
        assert_eq!(
            brush,
            Value::Object(Some(Arc::new(path("Model", "", "", "Brush"))))
        );
        assert_eq!(
            object("Engine.Brush"),
            Some(path("", "Engine", "", "Brush"))
        );
        assert_eq!(
            object("Class'Engine.Brush'"),
            Some(path("Class", "Engine", "", "Brush"))
        );
        assert_eq!(object("a.b.c.d"), Some(path("", "a", "b.c", "d")));
        assert_eq!(object("None"), None);
    }

    #[test]
    fn structs() {
        let location = value("Location", "(X=16.000000,Y=-608.000000)");
        assert_eq!(location, Value::Vector(DVec3::new(16.0, -608.0, 0.0)));
        let rotation = value("Rotation", "(Yaw=-16384)");
        let rotator = Rotator {
            yaw: -16384,
            ..Rotator::default()
        };
        assert_eq!(rotation, Value::Rotator(rotator));
        let scale = value("MainScale", "(Scale=(X=2,Z=-1),SheerAxis=SHEER_ZX)");
        let known = Scale {
            scale: DVec3::new(2.0, 1.0, -1.0),
            sheer_rate: 0.0,
            sheer_axis: 5,
        };
        assert_eq!(scale, Value::Scale(known));
        assert_eq!(value("PostScale", "(SheerAxis=5)"), {
            Value::Scale(Scale {
                sheer_axis: 5,
                ..Scale::default()
            })
        });
        assert_eq!(value("Fog", "(R=255,B=1)"), Value::Color([255, 0, 1, 0]));
        let region = value(
            "Region",
            "(Zone=LevelInfo'MyLevel.LevelInfo0',iLeaf=-1,ZoneNumber=3)",
        );
        let known = Value::Region {
            zone: Some(Arc::new(path("LevelInfo", "", "", "LevelInfo0"))),
            leaf: -1,
            zone_number: 3,
        };
        assert_eq!(region, known);
        let other = value("Cut", "(Name=(A=1,B=2),\"x\")");
        assert_eq!(other, Value::Text("(Name=(A=1,B=2),\"x\")".to_owned()));
    }

    proptest! {
        #[test]
        fn any_text_is_some_value(name in "[A-Za-z]{0,8}", text in "[A-Z(),='\".0-9 é_-]{0,40}") {
            let _ = value(&name, &text);
        }
    }
}
