//! Entities of the file as entities of the document, and back to the numbers of the file.

use std::fmt::Write as _;

use glam::DVec3;

use crate::document::Entity;
use crate::formats::ogz::classes;
use crate::formats::ogz::classes::Class;
use crate::formats::ogz::classes::Word;
use crate::formats::ogz::classes::kind;
use crate::formats::ogz::floor;
use crate::formats::ogz::mapping::to_map;
use crate::formats::ogz::mapping::turned_yaw_deg;
use crate::formats::ogz::raw::RawEntity;
use crate::formats::ogz::raw::RawMap;

/// Half the height of a player, in units: a start's place is the middle of his body.
pub const HALF_PLAYER: f64 = 7.5;

/// How far below a player start its floor may be. The game's editor drops them at [`DROP`].
const FLOOR_WITHIN: f64 = 16.0;

/// How far above the floor the game's editor puts things.
pub const DROP: f64 = 4.0;

/// Key with all numbers as they were in the file.
pub const RAW: &str = "attributes";
/// Key with the bytes that another game keeps with each entity.
pub const EXTRA: &str = "extra";
/// Key with the type of an entity whose game is not known.
pub const TYPE: &str = "type";
/// Class of such an entity.
pub const FOREIGN: &str = "game_entity";
/// Key with how far above the floor a start was stored, where that is not usual.
pub const LIFT: &str = "lift";
/// Key with the push of a jump pad, along the map's axes.
pub const PUSH: &str = "push";
/// How names of destinations begin; their number follows.
pub const DESTINATION: &str = "teledest_";

/// Names that the numbers of entities point at, in the order of the lists of a configuration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names<'a> {
    pub models: &'a [String],
    pub sounds: &'a [String],
}

/// The entity of a record, but for what lights need. `None` for an empty slot of the list.
#[must_use]
pub fn entity(map: &RawMap, raw: &RawEntity, names: Names<'_>) -> Option<Entity> {
    if raw.kind == 0 {
        return None;
    }
    let origin = origin(raw);
    let mut entity = match classes::class_of(map, raw.kind) {
        Some(class) => {
            let mut entity = Entity::new(class.name, origin);
            let first = raw.attributes.first().copied().unwrap_or(0);
            for (word, &number) in classes::words(class, first).iter().zip(&raw.attributes) {
                put_word(&mut entity, *word, number, names);
            }
            if let Some(push) = push(class, &raw.attributes) {
                entity.set_key(PUSH, triple(push));
            }
            entity
        }
        None => {
            let mut entity = Entity::new(FOREIGN, origin);
            entity.set_key(TYPE, raw.kind.to_string());
            entity
        }
    };
    if raw.kind == kind::PLAYERSTART {
        stand(&mut entity, map, raw);
    }
    if raw.attributes.iter().any(|&number| number != 0) {
        let words: Vec<String> = raw.attributes.iter().map(i32::to_string).collect();
        entity.set_key(RAW, words.join(" "));
    }
    if !raw.extra.is_empty() {
        let mut hex = String::with_capacity(2 * raw.extra.len());
        for byte in &raw.extra {
            let _ = write!(hex, "{byte:02x}");
        }
        entity.set_key(EXTRA, hex);
    }
    Some(entity)
}

/// In map space; a number that is none counts as 0.
#[must_use]
pub fn origin(raw: &RawEntity) -> DVec3 {
    let position = raw.position.map(|number| {
        if number.is_finite() {
            f64::from(number)
        } else {
            0.0
        }
    });
    // `+ 0.0` takes the sign off a zero, which texts would show.
    to_map(DVec3::from_array(position)) + DVec3::ZERO
}

/// A player start's feet go to the floor below it.
fn stand(entity: &mut Entity, map: &RawMap, raw: &RawEntity) {
    let up = |z: f64| DVec3::new(0.0, z, 0.0);
    let position = raw.position.map(f64::from);
    let lift = floor::below(map, position, FLOOR_WITHIN).map_or(DROP, |floor| position[2] - floor);
    if (lift - DROP).abs() > 1e-3 {
        entity.set_key(LIFT, short(lift));
    }
    entity.origin = (entity.origin + up(HALF_PLAYER - lift))
        .as_vec3()
        .as_dvec3();
}

fn put_word(entity: &mut Entity, word: Word, number: i32, names: Names<'_>) {
    let mut listed = |key: &str, list: &[String], number: i32| {
        let name = usize::try_from(number)
            .ok()
            .and_then(|index| list.get(index));
        entity.set_key(key, name.cloned().unwrap_or_else(|| number.to_string()));
    };
    match word {
        Word::Model => listed("model", names.models, number),
        Word::Sound => listed("sound", names.sounds, number),
        Word::Number(key) if number != 0 => entity.set_key(key, number.to_string()),
        Word::Yaw => entity.angles_deg.y = turned_yaw_deg(f64::from(number)),
        Word::Pitch => entity.angles_deg.x = f64::from(number),
        Word::Roll => entity.angles_deg.z = 0.0 - f64::from(number),
        Word::Scale if number > 0 => entity.scale = DVec3::splat(f64::from(number) / 100.0),
        Word::Color(key) if number != 0 => {
            let channel = |shift: i32| (number >> shift & 15) * 17;
            let text = format!("{} {} {}", channel(8), channel(4), channel(0));
            entity.set_key(key, text);
        }
        Word::Destination => entity.set_key("target", format!("{DESTINATION}{number}")),
        Word::Name => entity.set_key("targetname", format!("{DESTINATION}{number}")),
        _ => {}
    }
}

/// The push of a jump pad in map space.
fn push(class: Class, attributes: &[i32]) -> Option<DVec3> {
    let at = |wanted: Word| class.words.iter().position(|&word| word == wanted);
    let number = |wanted: Word| at(wanted).and_then(|index| attributes.get(index));
    // The sideways ones are signed bytes.
    let sideways = |wanted: Word| number(wanted).map(|&number| f64::from(number as i8));
    let push = DVec3::new(
        sideways(Word::PushX)?,
        sideways(Word::PushY)?,
        f64::from(*number(Word::PushZ)?),
    );
    Some(to_map(push))
}

/// Three numbers as keys have them.
#[must_use]
pub fn triple(v: DVec3) -> String {
    format!("{} {} {}", short(v.x), short(v.y), short(v.z))
}

/// Up to six decimals, without zeros behind.
#[must_use]
pub fn short(number: f64) -> String {
    // `+ 0.0` takes the sign off a zero.
    let number = (number * 1e6).round() / 1e6 + 0.0;
    number.to_string()
}
