//! Lights, sun and ambient light as Mapwright has them (`ogz.md` 12): the preview is to look like the game.

use std::collections::BTreeMap;

use glam::DVec3;
use glam::Vec3;

use crate::document::Entity;
use crate::formats::lights::angles_deg_looking_along;
use crate::formats::ogz::classes::kind;
use crate::formats::ogz::entities::origin;
use crate::formats::ogz::entities::triple;
use crate::formats::ogz::mapping::to_map;
use crate::formats::ogz::mapping::turned_yaw_deg;
use crate::formats::ogz::raw::RawEntity;
use crate::formats::ogz::raw::Value;

/// A spotlight takes the nearest light that is not farther away, in units.
const SPOT_REACH: f64 = 100.0;

/// Half angles of a spotlight's cone, in degrees.
const SPOT_ANGLES: std::ops::RangeInclusive<i32> = 1..=89;

/// What the game has where a map says nothing: 0xRRGGBB.
const AMBIENT: i32 = 0x191919;

/// Variables by name, those of the map's configuration over those of the file.
pub type Variables = BTreeMap<String, Value>;

/// The lights that spotlights aim: index of the light to index of its spotlight.
#[must_use]
pub fn spots(entities: &[RawEntity]) -> BTreeMap<usize, usize> {
    let lights: Vec<(usize, DVec3)> = entities
        .iter()
        .enumerate()
        .filter(|(_, raw)| raw.kind == kind::LIGHT)
        .map(|(index, raw)| (index, origin(raw)))
        .collect();
    let mut spots = BTreeMap::new();
    for (index, raw) in entities.iter().enumerate() {
        if raw.kind != kind::SPOTLIGHT {
            continue;
        }
        let place = origin(raw);
        let nearest = lights
            .iter()
            .filter(|(light, _)| !spots.contains_key(light))
            .map(|&(light, at)| (at.distance(place), light))
            .filter(|&(distance, _)| distance <= SPOT_REACH)
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, light)) = nearest {
            spots.insert(light, index);
        }
    }
    spots
}

/// Makes a light of the file one of ours: `radius` is there already. `spot`: the spotlight that aims it.
pub fn light(entity: &mut Entity, raw: &RawEntity, spot: Option<&RawEntity>) {
    let channel = |index: usize| {
        let byte = raw.attributes.get(index).copied().unwrap_or(0);
        f64::from(byte.max(0)) / 255.0
    };
    let radius = raw.attributes.first().copied().unwrap_or(0);
    let color = DVec3::new(channel(1), channel(2), channel(3));
    // None means 320 for other maps; here it means without limit.
    entity.set_key("radius", radius.max(0).to_string());
    entity.set_key("color", triple(color));
    entity.set_key("intensity", "1");
    entity.set_key("falloff", "linear");
    let Some(spot) = spot else { return };
    "light_spot".clone_into(&mut entity.class);
    let angle = spot.attributes.first().copied().unwrap_or(0);
    let angle = angle.clamp(*SPOT_ANGLES.start(), *SPOT_ANGLES.end());
    entity.set_key("inner", "0");
    entity.set_key("outer", angle.to_string());
    let aim = origin(spot) - entity.origin;
    entity.angles_deg = angles_deg_looking_along(aim).as_vec3().as_dvec3();
}

/// Red, green and blue, 0 to 1, of a colour variable; a small number is a grey.
fn rgb(value: i32) -> DVec3 {
    let channel = |shift: i32| f64::from(value >> shift & 255) / 255.0;
    if value <= 255 {
        DVec3::splat(f64::from(value.max(0)) / 255.0)
    } else {
        DVec3::new(channel(16), channel(8), channel(0))
    }
}

fn int(variables: &Variables, name: &str) -> Option<i32> {
    match variables.get(name)? {
        Value::Int(number) => Some(*number),
        Value::Float(number) => Some(*number as i32),
        Value::Text(_) => None,
    }
}

fn float(variables: &Variables, name: &str) -> Option<f64> {
    let number = match variables.get(name)? {
        Value::Int(number) => f64::from(*number),
        Value::Float(number) => f64::from(*number),
        Value::Text(_) => return None,
    };
    number.is_finite().then_some(number)
}

/// The map's ambient light: 0 in a header means the default.
#[must_use]
pub fn ambient(variables: &Variables) -> Vec3 {
    rgb(int(variables, "ambient").unwrap_or(AMBIENT)).as_vec3()
}

/// The sun, at the centre of the world; `None` where it does not shine.
#[must_use]
pub fn sun(variables: &Variables, world_size: u32) -> Option<Entity> {
    let color = rgb(int(variables, "sunlight")?);
    let scale = float(variables, "sunlightscale").unwrap_or(1.0).max(0.0);
    if color == DVec3::ZERO || scale == 0.0 {
        return None;
    }
    let yaw = float(variables, "sunlightyaw").unwrap_or(0.0);
    let pitch = float(variables, "sunlightpitch").unwrap_or(90.0);
    let center = DVec3::splat(f64::from(world_size) / 2.0);
    let mut sun = Entity::new("light_sun", to_map(center));
    // The variables tell where the sun is; its light comes from there.
    let away = (turned_yaw_deg(yaw) + 180.0).rem_euclid(360.0);
    sun.angles_deg = DVec3::new(-pitch, away, 0.0).as_vec3().as_dvec3();
    sun.set_key("color", triple(color * scale));
    sun.set_key("intensity", "1");
    sun.set_key("falloff", "linear");
    Some(sun)
}

/// Variables that hold 0xRRGGBB.
fn is_color(name: &str) -> bool {
    name.ends_with("colour")
        || matches!(name, "ambient" | "skylight" | "sunlight" | "minimapcolour")
}

/// The world's keys: every variable under its own name.
#[must_use]
pub fn world(variables: &Variables) -> Entity {
    let mut world = Entity::new("worldspawn", DVec3::ZERO);
    for (name, value) in variables {
        let text = match value {
            Value::Int(number) if is_color(name) => format!("0x{number:06x}"),
            Value::Int(number) => number.to_string(),
            // A point tells it from a whole number.
            Value::Float(number) => format!("{number:?}"),
            Value::Text(text) => text.clone(),
        };
        if !name.is_empty() {
            world.set_key(name, text);
        }
    }
    world
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(kind: u8, position: [f32; 3], attributes: [i32; 5]) -> RawEntity {
        RawEntity {
            offset: 0,
            position,
            attributes: attributes.to_vec(),
            kind,
            extra: Vec::new(),
        }
    }

    #[test]
    fn a_light_keeps_its_reach_and_colour() {
        let source = raw(kind::LIGHT, [1.0, 2.0, 3.0], [192, 255, 200, 100, 0]);
        let mut entity = Entity::new("light", origin(&source));
        light(&mut entity, &source, None);
        assert_eq!(entity.origin, DVec3::new(1.0, 3.0, 2.0));
        assert_eq!(entity.key("radius"), Some("192"));
        assert_eq!(entity.key("color"), Some("1 0.784314 0.392157"));
        assert_eq!(entity.key("intensity"), Some("1"));
        assert_eq!(entity.key("falloff"), Some("linear"));
    }

    #[test]
    fn colours_may_be_brighter_than_white_but_not_darker_than_black() {
        let source = raw(kind::LIGHT, [0.0; 3], [0, 510, -20, 0, 0]);
        let mut entity = Entity::new("light", DVec3::ZERO);
        light(&mut entity, &source, None);
        assert_eq!(entity.key("color"), Some("2 0 0"));
        assert_eq!(entity.key("radius"), Some("0"));
    }

    #[test]
    fn a_spotlight_aims_the_nearest_light_that_is_free() {
        let list = [
            raw(kind::LIGHT, [0.0, 0.0, 100.0], [100, 255, 255, 255, 0]),
            raw(kind::LIGHT, [0.0, 30.0, 100.0], [100, 255, 255, 255, 0]),
            raw(kind::SPOTLIGHT, [0.0, 0.0, 50.0], [120, 0, 0, 0, 0]),
            raw(kind::SPOTLIGHT, [0.0, 0.0, 60.0], [30, 0, 0, 0, 0]),
            raw(kind::SPOTLIGHT, [500.0, 0.0, 60.0], [30, 0, 0, 0, 0]),
        ];
        let spots = spots(&list);
        assert_eq!(spots, BTreeMap::from([(0, 2), (1, 3)]));
        let mut entity = Entity::new("light", origin(&list[0]));
        light(&mut entity, &list[0], Some(&list[2]));
        assert_eq!(entity.class, "light_spot");
        assert_eq!(entity.angles_deg, DVec3::new(-90.0, 0.0, 0.0));
        assert_eq!(
            (entity.key("inner"), entity.key("outer")),
            (Some("0"), Some("89"))
        );
    }

    #[test]
    fn the_sun_shines_from_its_yaw_and_pitch() {
        let variables = Variables::from([
            ("sunlight".to_owned(), Value::Int(0xFF_80_00)),
            ("sunlightscale".to_owned(), Value::Float(0.5)),
            ("sunlightyaw".to_owned(), Value::Int(90)),
            ("sunlightpitch".to_owned(), Value::Int(60)),
        ]);
        let sun = sun(&variables, 1024).expect("it shines");
        assert_eq!(sun.origin, DVec3::splat(512.0));
        assert_eq!(sun.angles_deg, DVec3::new(-60.0, 270.0, 0.0));
        assert_eq!(sun.key("color"), Some("0.5 0.25098 0"));
        assert!(super::sun(&Variables::new(), 1024).is_none());
    }

    #[test]
    fn ambient_light_is_a_grey_or_a_colour() {
        let of = |value: i32| {
            ambient(&Variables::from([(
                "ambient".to_owned(),
                Value::Int(value),
            )]))
        };
        assert_eq!(of(51), Vec3::splat(0.2));
        assert_eq!(of(0x33_66_99), Vec3::new(0.2, 0.4, 0.6));
        assert_eq!(ambient(&Variables::new()), Vec3::splat(25.0 / 255.0));
    }
}
