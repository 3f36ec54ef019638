//! Types of entities as classes: their names, and what their five numbers say. One table for reading and for going back.

use crate::formats::ogz::raw::Family;
use crate::formats::ogz::raw::RawMap;

/// Numbers of the types that need more than their row of the table.
pub mod kind {
    pub const LIGHT: u8 = 1;
    pub const MAPMODEL: u8 = 2;
    pub const PLAYERSTART: u8 = 3;
    pub const PARTICLES: u8 = 5;
    pub const SPOTLIGHT: u8 = 7;
}

/// Types up to here mean the same in every game.
pub const LAST_COMMON: u8 = 7;

/// What one of the five numbers says. Numbers that no word speaks of are kept as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Unused,
    /// A key with the number itself.
    Number(&'static str),
    /// Degrees of the entity's yaw.
    Yaw,
    Pitch,
    Roll,
    /// Percent of the entity's scale.
    Scale,
    /// A key with a colour of four bits a channel.
    Color(&'static str),
    /// Place in the list of models.
    Model,
    /// Place in the list of sounds.
    Sound,
    /// Number of the destination, which becomes a `target`.
    Destination,
    /// The destination's own number, which becomes its `targetname`.
    Name,
    /// Channel of a light.
    Red,
    Green,
    Blue,
    /// Axis (of the file) of a push, all in one key.
    PushX,
    PushY,
    PushZ,
}

use Word::Number;
use Word::Unused;
use Word::Yaw;

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    pub kind: u8,
    pub name: &'static str,
    pub words: [Word; 5],
}

const fn class(kind: u8, name: &'static str, words: [Word; 5]) -> Class {
    Class { kind, name, words }
}

const NOTHING: [Word; 5] = [Unused; 5];

/// Sauerbraten's types. The light has a converter of its own.
const SHOOTER: &[Class] = &[
    class(
        kind::LIGHT,
        "light",
        [Number("radius"), Word::Red, Word::Green, Word::Blue, Unused],
    ),
    class(
        kind::MAPMODEL,
        "mapmodel",
        [Yaw, Word::Model, Number("trigger"), Number("tag"), Unused],
    ),
    class(
        kind::PLAYERSTART,
        "playerstart",
        [Yaw, Number("team"), Unused, Unused, Unused],
    ),
    class(
        4,
        "envmap",
        [
            Number("radius"),
            Number("size"),
            Number("blur"),
            Unused,
            Unused,
        ],
    ),
    class(
        kind::PARTICLES,
        "particles",
        [Number("effect"), Unused, Unused, Unused, Unused],
    ),
    class(
        6,
        "sound",
        [
            Word::Sound,
            Number("radius"),
            Number("size"),
            Unused,
            Unused,
        ],
    ),
    class(
        kind::SPOTLIGHT,
        "spotlight",
        [Number("angle"), Unused, Unused, Unused, Unused],
    ),
    class(8, "shells", NOTHING),
    class(9, "bullets", NOTHING),
    class(10, "rockets", NOTHING),
    class(11, "riflerounds", NOTHING),
    class(12, "grenades", NOTHING),
    class(13, "cartridges", NOTHING),
    class(14, "health", NOTHING),
    class(15, "healthboost", NOTHING),
    class(16, "greenarmour", NOTHING),
    class(17, "yellowarmour", NOTHING),
    class(18, "quaddamage", NOTHING),
    class(
        19,
        "teleport",
        [
            Word::Destination,
            Number("model"),
            Number("tag"),
            Number("sound"),
            Unused,
        ],
    ),
    class(
        20,
        "teledest",
        [Yaw, Word::Name, Number("keep_speed"), Unused, Unused],
    ),
    class(
        21,
        "monster",
        [Yaw, Number("type"), Number("tag"), Unused, Unused],
    ),
    class(
        22,
        "carrot",
        [Number("tag"), Number("type"), Unused, Unused, Unused],
    ),
    class(
        23,
        "jumppad",
        [
            Word::PushZ,
            Word::PushY,
            Word::PushX,
            Number("sound"),
            Unused,
        ],
    ),
    class(
        24,
        "base",
        [Number("ammo"), Number("number"), Unused, Unused, Unused],
    ),
    class(25, "respawnpoint", [Yaw, Unused, Unused, Unused, Unused]),
    class(
        26,
        "box",
        [Yaw, Word::Model, Number("weight"), Unused, Unused],
    ),
    class(
        27,
        "barrel",
        [Yaw, Word::Model, Number("weight"), Number("health"), Unused],
    ),
    class(
        28,
        "platform",
        [Yaw, Word::Model, Number("tag"), Number("speed"), Unused],
    ),
    class(
        29,
        "elevator",
        [Yaw, Word::Model, Number("tag"), Number("speed"), Unused],
    ),
    class(30, "flag", [Yaw, Number("team"), Unused, Unused, Unused]),
];

/// Tesseract's where they differ.
const TESSERACT: &[Class] = &[
    class(
        kind::MAPMODEL,
        "mapmodel",
        [Word::Model, Yaw, Word::Pitch, Word::Roll, Word::Scale],
    ),
    class(8, "decal", NOTHING),
];

/// The class of a type; `None` for types of games that are not known.
#[must_use]
pub fn class_of(map: &RawMap, kind: u8) -> Option<Class> {
    let find = |table: &[Class]| table.iter().find(|class| class.kind == kind).copied();
    if map.family == Family::Tesseract {
        let common = find(SHOOTER).filter(|_| kind <= LAST_COMMON);
        return find(TESSERACT).or(common);
    }
    if kind > LAST_COMMON && (map.game != "fps" || map.family != Family::Sauerbraten) {
        return None;
    }
    find(SHOOTER)
}

/// Sauerbraten's class of this name. A light that a spotlight aims is one all the same.
#[must_use]
pub fn class_named(name: &str) -> Option<Class> {
    let name = if name == "light_spot" { "light" } else { name };
    SHOOTER.iter().find(|class| class.name == name).copied()
}

/// What the numbers of a particle source say, by its effect.
#[must_use]
pub fn particle_words(effect: i32) -> [Word; 5] {
    let words = |rest: [Word; 4]| [Number("effect"), rest[0], rest[1], rest[2], rest[3]];
    let color = Word::Color("color");
    match effect {
        0 | 11 | 12 => words([Number("radius"), Number("height"), color, Unused]),
        1 => words([Number("direction"), Unused, Unused, Unused]),
        // A colour, or the water whose colour it takes.
        2 => words([
            Number("direction"),
            Number("color_or_water"),
            Unused,
            Unused,
        ]),
        3 => words([Number("size"), color, Unused, Unused]),
        4 | 7 | 9 | 10 | 13 => {
            words([Number("direction"), Number("length"), color, Number("fade")])
        }
        5 | 6 => words([Number("percent"), color, Unused, Unused]),
        32..=35 => words([Number("red"), Number("green"), Number("blue"), Unused]),
        _ => words([Unused; 4]),
    }
}

/// The words of a type, whose first number may decide.
#[must_use]
pub fn words(class: Class, first: i32) -> [Word; 5] {
    if class.kind == kind::PARTICLES {
        particle_words(first)
    } else {
        class.words
    }
}
