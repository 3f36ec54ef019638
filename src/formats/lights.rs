//! Lights of GoldSrc and Quake maps become Mapwright's own (`hmap.md` D29, `map-wad-fgd.md` 5), and the angles of their entities
//! become ours (`rmf.md` 7). Shared by all importers of that family of games; the compiler knows no game's keys.

use glam::DVec3;

use crate::document::Entity;

/// Something about an entity that an importer should report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub code: &'static str,
    pub text: String,
}

impl Note {
    fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
        }
    }
}

/// By whose rules a light entity is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// `light_environment`, and `light` and `light_spot` with a `_light` key; other lights by Quake's rules.
    GoldSrc,
    Quake,
}

impl Game {
    fn is_goldsrc_light(self, entity: &Entity) -> bool {
        self == Self::GoldSrc
            && (entity.class == "light_environment"
                || ["light", "light_spot"].contains(&entity.class.as_str())
                    && entity.key("_light").is_some())
    }
}

/// A position or direction of a Z-up, X-forward game in Mapwright's axes. A pure turn: distances and handedness stay.
#[must_use]
pub fn map_from_game(v: DVec3) -> DVec3 {
    // `0.0 -` and `+ 0.0` leave no negative zero, which texts would show.
    DVec3::new(v.x + 0.0, v.z + 0.0, 0.0 - v.y)
}

/// The (pitch, yaw, roll) that look along `forward` in map space; zero for no direction.
#[must_use]
pub fn angles_deg_looking_along(forward: DVec3) -> DVec3 {
    let Some(forward) = forward.try_normalize() else {
        return DVec3::ZERO;
    };
    let pitch = forward.y.clamp(-1.0, 1.0).asin().to_degrees();
    let yaw = if forward.x == 0.0 && forward.z == 0.0 {
        0.0
    } else {
        (0.0 - forward.x).atan2(0.0 - forward.z).to_degrees()
    };
    DVec3::new(pitch, yaw, 0.0)
}

/// Takes `angles` and `angle` out of the keys and into the entity's angles. `legacy_angle` is the word of old RMF files, used
/// when neither key is there. A key that decides nothing, or that holds no number, stays; so does the `angle` of a Quake light,
/// which is the width of its cone.
pub fn take_angles(entity: &mut Entity, game: Game, legacy_angle: f64) -> Vec<Note> {
    let is_goldsrc_light = game.is_goldsrc_light(entity);
    if entity.class.starts_with("light") && !is_goldsrc_light {
        entity.angles_deg = yaw_only(0.0);
        return Vec::new();
    }
    let mut notes = Vec::new();
    let angles = entity.key("angles").map(numbers);
    let angle = entity.key("angle").map(numbers);
    for (key, value) in [("angles", &angles), ("angle", &angle)] {
        if value.as_ref().is_some_and(Vec::is_empty) {
            notes.push(Note::new(
                "I-BAD-NUMBER",
                format!("the value of {key} is no number; the entity looks along +X"),
            ));
        }
    }
    let angles = angles.filter(|numbers| !numbers.is_empty());
    let angle = angle.and_then(|numbers| numbers.first().copied());
    if angles.is_some() {
        remove_first(entity, "angles");
    }
    let word =
        if entity.key("angles").is_none() && angles.is_none() && entity.key("angle").is_none() {
            legacy_angle
        } else {
            0.0
        };
    if is_goldsrc_light {
        if angle.is_some() {
            remove_first(entity, "angle");
        }
        let yaw_word = angle.unwrap_or(word);
        entity.angles_deg = light_angles_deg(entity, angles.as_deref().unwrap_or(&[]), yaw_word);
        return notes;
    }
    entity.angles_deg = match (angles, angle) {
        (Some(angles), _) => {
            let at = |index: usize| angles.get(index).copied().unwrap_or(0.0);
            DVec3::new(negated(at(0)), at(1) - 90.0, negated(at(2)))
        }
        (None, Some(angle)) => {
            remove_first(entity, "angle");
            yaw_only(angle)
        }
        (None, None) => yaw_only(word),
    };
    notes
}

/// Entity angles of the old single number: degrees of yaw, -1 up, -2 down.
fn yaw_only(angle: f64) -> DVec3 {
    if angle == -1.0 {
        DVec3::new(90.0, -90.0, 0.0)
    } else if angle == -2.0 {
        DVec3::new(-90.0, -90.0, 0.0)
    } else {
        DVec3::new(0.0, angle - 90.0, 0.0)
    }
}

/// Positive pitch looks up here, unlike in all other classes.
fn light_angles_deg(entity: &Entity, angles: &[f64], angle: f64) -> DVec3 {
    if angle == -1.0 || angle == -2.0 {
        return yaw_only(angle);
    }
    let at = |index: usize| angles.get(index).copied().unwrap_or(0.0);
    let pitch = entity
        .number("pitch")
        .filter(|&pitch| pitch != 0.0)
        .unwrap_or_else(|| at(0));
    let yaw = if angle != 0.0 { angle } else { at(1) };
    DVec3::new(pitch, yaw - 90.0, 0.0)
}

/// Turns a GoldSrc or Quake light into `light`, `light_spot` or `light_sun`; leaves other entities alone. Angles must have been
/// taken before ([`take_angles`]); `origin_of` gives the origin of the entity with a target name, in map units.
pub fn adopt_light(
    entity: &mut Entity,
    game: Game,
    units_per_meter: f64,
    origin_of: &dyn Fn(&str) -> Option<DVec3>,
) -> Vec<Note> {
    if !entity.class.starts_with("light") {
        return Vec::new();
    }
    let mut notes = Vec::new();
    let light = if game.is_goldsrc_light(entity) {
        let Some(light) = goldsrc(entity, units_per_meter, &mut notes) else {
            return notes;
        };
        light
    } else {
        quake(entity, &mut notes)
    };
    if light.class != "light" {
        point_at_target(entity, &light, origin_of, &mut notes);
    }
    if light.class != entity.class {
        let old = std::mem::replace(&mut entity.class, light.class.to_owned());
        entity.set_key("_class", old);
    }
    let replaced: Vec<&str> = light
        .keys
        .iter()
        .filter(|(key, value)| entity.key(key).is_some_and(|old| old != value))
        .map(|(key, _)| *key)
        .collect();
    if !replaced.is_empty() {
        notes.push(Note::new(
            "I-KEY-REPLACED",
            format!(
                "the light's own {} was replaced by the converted one",
                replaced.join(", ")
            ),
        ));
    }
    for (key, value) in light.keys {
        entity.set_key(key, value);
    }
    notes
}

/// The sun that Quake maps keep in their world keys.
#[must_use]
pub fn quake_sun(world: &Entity) -> Option<Entity> {
    let strength = world
        .number("_sunlight")
        .filter(|&strength| strength != 0.0)?;
    let mut sun = Entity::new("light_sun", DVec3::ZERO);
    let mangle = world.key("_sun_mangle").map(numbers).unwrap_or_default();
    let at = |index: usize, default: f64| mangle.get(index).copied().unwrap_or(default);
    // Without a direction the tools shine straight down.
    sun.angles_deg = DVec3::new(at(1, -90.0), at(0, 0.0) - 90.0, 0.0);
    let color = world
        .key("_sunlight_color")
        .map(numbers)
        .and_then(|numbers| unit_color(&numbers));
    sun.set_key("color", color_text(color.unwrap_or([1.0; 3])));
    sun.set_key("intensity", number_text(strength.max(0.0) / 128.0));
    sun.set_key("falloff", "quake");
    Some(sun)
}

struct Light {
    class: &'static str,
    keys: Vec<(&'static str, String)>,
    /// Quake's "yaw pitch roll", positive pitch up: rules over the entity's angles.
    mangle: Option<DVec3>,
}

/// `None`, with a note, when the light's value says nothing usable: the entity stays what it is.
fn goldsrc(entity: &Entity, units_per_meter: f64, notes: &mut Vec<Note>) -> Option<Light> {
    let is_sun = entity.class == "light_environment";
    let is_spot = entity.class == "light_spot" || !entity.key("target").unwrap_or("").is_empty();
    let default = if is_sun || is_spot { 500.0 } else { 300.0 };
    let value = entity.key("_light").map(numbers).unwrap_or_default();
    let rgb = match *value.as_slice() {
        [gray] => [gray; 3],
        [r, g, b] => [r, g, b],
        [r, g, b, strength, ..] => [r, g, b].map(|channel| channel * strength / 255.0),
        _ => {
            let text = format!(
                "its _light is \"{}\", which no light tool can read; it gives no light",
                entity.key("_light").unwrap_or("")
            );
            notes.push(Note::new("I-BAD-LIGHT", text));
            return None;
        }
    };
    let brightest = rgb.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let (strength, color) = if rgb == [0.0; 3] {
        (default, [1.0; 3])
    } else if brightest > 0.0 {
        (
            brightest,
            rgb.map(|channel| srgb_encoded(channel.max(0.0) / brightest)),
        )
    } else {
        notes.push(Note::new(
            "I-BAD-LIGHT",
            "it takes light away, which Mapwright's lights cannot; its intensity is 0 here",
        ));
        (0.0, [1.0; 3])
    };
    let color = ("color", color_text(color));
    if is_sun {
        let keys = vec![color, ("intensity", number_text(strength / 128.0))];
        return Some(Light {
            class: "light_sun",
            keys,
            mangle: None,
        });
    }
    let fade = entity
        .number("_fade")
        .filter(|&fade| fade > 0.0)
        .unwrap_or(1.0);
    let intensity = strength.powi(3) / (1280.0 * units_per_meter * units_per_meter * fade);
    let mut keys = vec![
        color,
        ("intensity", number_text(intensity)),
        ("radius", "0".to_owned()),
    ];
    if entity.number("_falloff") == Some(1.0) {
        notes.push(Note::new(
            "I-LIGHT-FALLOFF",
            "it fades with the distance (_falloff 1); taken as the square of the distance",
        ));
    }
    if is_spot {
        let inner = entity
            .number("_cone")
            .filter(|&cone| cone != 0.0)
            .unwrap_or(10.0);
        let outer = entity.number("_cone2").unwrap_or(0.0).max(inner);
        keys.push(("inner", number_text(inner)));
        keys.push(("outer", number_text(outer)));
    }
    let class = if is_spot { "light_spot" } else { "light" };
    Some(Light {
        class,
        keys,
        mangle: None,
    })
}

fn quake(entity: &Entity, notes: &mut Vec<Note>) -> Light {
    // Later tools put a colour behind the strength.
    let values = ["_light", "light"].map(|key| entity.key(key).map(numbers).unwrap_or_default());
    let value = values
        .into_iter()
        .find(|value| !value.is_empty())
        .unwrap_or_default();
    let strength = value.first().copied().unwrap_or(300.0);
    if strength < 0.0 {
        notes.push(Note::new(
            "I-BAD-LIGHT",
            "it takes light away, which Mapwright's lights cannot; its intensity is 0 here",
        ));
    }
    let strength = strength.max(0.0);
    let own = entity
        .key("_color")
        .map(numbers)
        .and_then(|numbers| unit_color(&numbers));
    let color = own
        .or_else(|| value.get(1..4).and_then(unit_color))
        .unwrap_or([1.0; 3]);
    let wait = entity
        .number("wait")
        .filter(|&wait| wait > 0.0)
        .unwrap_or(1.0);
    let (falloff, radius) = match entity.number("delay").unwrap_or(0.0) {
        1.0 => ("quake_inverse", 0.0),
        2.0 | 5.0 => ("quake_inverse2", 0.0),
        3.0 => ("quake_infinite", 0.0),
        _ => ("quake", strength / wait),
    };
    let mut keys = vec![
        ("color", color_text(color)),
        ("intensity", number_text(strength / 128.0)),
        ("radius", number_text(radius)),
        ("falloff", falloff.to_owned()),
    ];
    let mangle = entity
        .key("mangle")
        .map(numbers)
        .filter(|numbers| numbers.len() >= 2);
    let is_spot = mangle.is_some() || !entity.key("target").unwrap_or("").is_empty();
    if is_spot {
        let half = number_text(
            entity
                .number("angle")
                .filter(|&cone| cone > 0.0)
                .unwrap_or(40.0)
                / 2.0,
        );
        keys.push(("inner", half.clone()));
        keys.push(("outer", half));
    }
    let mangle = mangle.map(|numbers| DVec3::new(numbers[1], numbers[0] - 90.0, 0.0));
    Light {
        class: if is_spot { "light_spot" } else { "light" },
        keys,
        mangle,
    }
}

/// A target that exists decides the direction; else what the game's angles said.
fn point_at_target(
    entity: &mut Entity,
    light: &Light,
    origin_of: &dyn Fn(&str) -> Option<DVec3>,
    notes: &mut Vec<Note>,
) {
    let target = entity
        .key("target")
        .filter(|name| !name.is_empty())
        .map(str::to_owned);
    let found = target
        .as_deref()
        .and_then(origin_of)
        .filter(|&at| at != entity.origin);
    if let Some(at) = found {
        entity.angles_deg = angles_deg_looking_along(at - entity.origin);
    } else if let Some(mangle) = light.mangle {
        entity.angles_deg = mangle;
    }
    if let Some(name) = target
        && found.is_none()
    {
        notes.push(Note::new(
            "I-MISSING-TARGET",
            format!("it points at \"{name}\", which is not in the map"),
        ));
    }
}

/// The numbers a value begins with; reading stops at the first word that is none.
fn numbers(value: &str) -> Vec<f64> {
    value
        .split_whitespace()
        .map_while(|word| word.parse::<f64>().ok().filter(|number| number.is_finite()))
        .collect()
}

/// 0..1, or 0..255 when a channel is above 1.
fn unit_color(numbers: &[f64]) -> Option<[f64; 3]> {
    let rgb: [f64; 3] = numbers.get(..3)?.try_into().ok()?;
    let scale = if rgb.iter().any(|&channel| channel > 1.0) {
        255.0
    } else {
        1.0
    };
    Some(rgb.map(|channel| (channel / scale).clamp(0.0, 1.0)))
}

fn srgb_encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        linear * 12.92
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}

/// Three decimals: finer than eight bits can show.
fn color_text(color: [f64; 3]) -> String {
    color
        .map(|channel| ((channel * 1000.0).round() / 1000.0).to_string())
        .join(" ")
}

/// Up to six significant digits.
fn number_text(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".to_owned();
    }
    let digits = (5 - value.abs().log10().floor() as i32).clamp(0, 12);
    let scale = 10f64.powi(digits);
    ((value * scale).round() / scale).to_string()
}

/// Without a negative zero, which texts would show.
fn negated(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { -value }
}

fn remove_first(entity: &mut Entity, name: &str) {
    if let Some(index) = entity.keys.iter().position(|(key, _)| key == name) {
        entity.keys.remove(index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(class: &str, keys: &[(&str, &str)]) -> Entity {
        let mut entity = Entity::new(class, DVec3::ZERO);
        entity.keys = keys
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        entity
    }

    #[test]
    fn angles_follow_the_table() {
        #[track_caller]
        fn check(class: &str, keys: &[(&str, &str)], word: f64, expected: [f64; 3], kept: &[&str]) {
            let mut entity = entity(class, keys);
            take_angles(&mut entity, Game::GoldSrc, word);
            assert_eq!(entity.angles_deg.to_array(), expected, "{class} {keys:?}");
            let left: Vec<&str> = entity.keys.iter().map(|(key, _)| key.as_str()).collect();
            assert_eq!(left, kept, "{class} {keys:?}");
        }
        check("x", &[], 0.0, [0.0, -90.0, 0.0], &[]);
        check(
            "x",
            &[("angles", "10 20 30")],
            0.0,
            [-10.0, -70.0, -30.0],
            &[],
        );
        check("x", &[("angle", "90")], 0.0, [0.0, 0.0, 0.0], &[]);
        check("x", &[], 270.0, [0.0, 180.0, 0.0], &[]);
        check("x", &[("angle", "-1")], 0.0, [90.0, -90.0, 0.0], &[]);
        check("x", &[], -2.0, [-90.0, -90.0, 0.0], &[]);
        // An explicit key wins over the word, and `angles` over `angle`, which then decides nothing and stays.
        check("x", &[("angle", "0")], 180.0, [0.0, -90.0, 0.0], &[]);
        check(
            "x",
            &[("angle", "90"), ("angles", "0 45 0")],
            0.0,
            [0.0, -45.0, 0.0],
            &["angle"],
        );
        check(
            "x",
            &[("angles", "up")],
            0.0,
            [0.0, -90.0, 0.0],
            &["angles"],
        );
        check(
            "light_environment",
            &[("angles", "0 320 0"), ("pitch", "-65")],
            0.0,
            [-65.0, 230.0, 0.0],
            &["pitch"],
        );
        check(
            "light_environment",
            &[("angles", "-35 45 0"), ("pitch", "0")],
            0.0,
            [-35.0, -45.0, 0.0],
            &["pitch"],
        );
        check(
            "light_spot",
            &[("_light", "9"), ("angle", "-2"), ("angles", "5 5 5")],
            0.0,
            [-90.0, -90.0, 0.0],
            &["_light"],
        );
        check(
            "light_spot",
            &[("_light", "9"), ("angle", "30"), ("angles", "-5 7 0")],
            0.0,
            [-5.0, -60.0, 0.0],
            &["_light"],
        );
        // The cone of a Quake light, no direction.
        check(
            "light",
            &[("light", "300"), ("angle", "30")],
            0.0,
            [0.0, -90.0, 0.0],
            &["light", "angle"],
        );
    }

    #[test]
    fn sun_of_the_example_travels_down() {
        let mut sun = entity(
            "light_environment",
            &[
                ("_light", "255 255 255 100"),
                ("angles", "0 320 0"),
                ("pitch", "-65"),
            ],
        );
        take_angles(&mut sun, Game::GoldSrc, 0.0);
        adopt_light(&mut sun, Game::GoldSrc, 39.37, &|_| None);
        assert!(
            (sun.forward() - DVec3::new(0.3237, -0.9063, 0.2717)).length() < 1e-4,
            "{:?}",
            sun.forward()
        );
        assert_eq!(
            (sun.class.as_str(), sun.key("_class")),
            ("light_sun", Some("light_environment"))
        );
        assert_eq!(
            (sun.key("intensity"), sun.key("color")),
            (Some("0.78125"), Some("1 1 1"))
        );
    }

    #[test]
    fn game_lights_become_ours() {
        #[track_caller]
        fn check(
            class: &str,
            keys: &[(&str, &str)],
            new_class: &str,
            expected: &[(&str, Option<&str>)],
            codes: &[&str],
        ) {
            let mut entity = entity(class, keys);
            let notes = adopt_light(&mut entity, Game::GoldSrc, 39.37, &|name| {
                (name == "there").then_some(DVec3::new(0.0, -8.0, 0.0))
            });
            assert_eq!(entity.class, new_class, "{keys:?}");
            for (key, value) in expected {
                assert_eq!(entity.key(key), *value, "{key} of {class} {keys:?}");
            }
            assert_eq!(
                notes.iter().map(|note| note.code).collect::<Vec<_>>(),
                codes,
                "{keys:?}"
            );
            for (key, value) in keys {
                assert_eq!(entity.key(key), Some(*value), "the game's keys stay");
            }
        }
        let white = ("color", Some("1 1 1"));
        check(
            "light",
            &[("_light", "255 223 128 200")],
            "light",
            &[
                ("intensity", Some("4.03227")),
                ("color", Some("1 0.943 0.737")),
                ("radius", Some("0")),
                ("falloff", None),
                ("_class", None),
            ],
            &[],
        );
        check(
            "light",
            &[("_light", "200")],
            "light",
            &[("intensity", Some("4.03227")), white],
            &[],
        );
        check(
            "light",
            &[("_light", "100 100 100")],
            "light",
            &[("intensity", Some("0.504033")), white],
            &[],
        );
        check(
            "light",
            &[("_light", "200"), ("_fade", "2")],
            "light",
            &[("intensity", Some("2.01613"))],
            &[],
        );
        check(
            "light",
            &[("_light", "0 0 0 200")],
            "light",
            &[("intensity", Some("13.6089")), white],
            &[],
        );
        check(
            "light_spot",
            &[("_light", "0")],
            "light_spot",
            &[
                ("intensity", Some("63.0042")),
                ("inner", Some("10")),
                ("outer", Some("10")),
            ],
            &[],
        );
        check(
            "light_spot",
            &[("_light", "9"), ("_cone", "20"), ("_cone2", "35")],
            "light_spot",
            &[("inner", Some("20")), ("outer", Some("35"))],
            &[],
        );
        check(
            "light",
            &[("_light", "9"), ("target", "there")],
            "light_spot",
            &[("_class", Some("light"))],
            &[],
        );
        check(
            "light",
            &[("_light", "9"), ("target", "gone")],
            "light_spot",
            &[("_class", Some("light"))],
            &["I-MISSING-TARGET"],
        );
        check(
            "light",
            &[("_light", "9 9")],
            "light",
            &[("intensity", None)],
            &["I-BAD-LIGHT"],
        );
        check(
            "light",
            &[("_light", "bright")],
            "light",
            &[("intensity", None)],
            &["I-BAD-LIGHT"],
        );
        check(
            "light",
            &[("_light", "9"), ("_falloff", "1")],
            "light",
            &[("falloff", None)],
            &["I-LIGHT-FALLOFF"],
        );
        check(
            "light",
            &[("light", "256")],
            "light",
            &[
                ("intensity", Some("2")),
                ("radius", Some("256")),
                ("falloff", Some("quake")),
            ],
            &[],
        );
        check(
            "light",
            &[("light", "256"), ("wait", "2"), ("_color", "255 128 0")],
            "light",
            &[("radius", Some("128")), ("color", Some("1 0.502 0"))],
            &[],
        );
        check(
            "light",
            &[("light", "128 1 0.5 0.25")],
            "light",
            &[("color", Some("1 0.5 0.25"))],
            &[],
        );
        check(
            "light",
            &[("light", "128"), ("delay", "2")],
            "light",
            &[("radius", Some("0")), ("falloff", Some("quake_inverse2"))],
            &[],
        );
        check(
            "light_torch_small_walltorch",
            &[],
            "light",
            &[
                ("_class", Some("light_torch_small_walltorch")),
                ("intensity", Some("2.34375")),
            ],
            &[],
        );
        check(
            "light",
            &[("light", "128"), ("mangle", "90 -45 0"), ("angle", "60")],
            "light_spot",
            &[("inner", Some("30")), ("outer", Some("30"))],
            &[],
        );
        check(
            "info_null",
            &[("_light", "9")],
            "info_null",
            &[("intensity", None)],
            &[],
        );
    }

    #[test]
    fn targets_and_mangle_turn_a_spot() {
        let mut spot = entity("light_spot", &[("_light", "9"), ("target", "there")]);
        adopt_light(&mut spot, Game::GoldSrc, 39.37, &|_| {
            Some(DVec3::new(3.0, -4.0, 0.0))
        });
        assert!((spot.forward() - DVec3::new(0.6, -0.8, 0.0)).length() < 1e-12);
        let mut spot = entity("light", &[("mangle", "0 -90 0")]);
        adopt_light(&mut spot, Game::GoldSrc, 32.0, &|_| None);
        assert!((spot.forward() - DVec3::NEG_Y).length() < 1e-12);
    }

    #[test]
    fn quake_world_keys_give_a_sun() {
        assert!(quake_sun(&entity("worldspawn", &[])).is_none());
        let sun = quake_sun(&entity(
            "worldspawn",
            &[
                ("_sunlight", "192"),
                ("_sun_mangle", "0 -60 0"),
                ("_sunlight_color", "1 0.5 0"),
            ],
        ))
        .expect("a sun");
        assert_eq!(
            (sun.key("intensity"), sun.key("falloff"), sun.key("color")),
            (Some("1.5"), Some("quake"), Some("1 0.5 0"))
        );
        assert!(
            (sun.forward() - DVec3::new(0.5, -(3f64.sqrt()) / 2.0, 0.0)).length() < 1e-12,
            "{:?}",
            sun.forward()
        );
    }
}
