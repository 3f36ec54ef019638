//! The way back: entities of a document as records of version 33, and the world's keys as variables.

use glam::DVec3;

use crate::document::Entity;
use crate::formats::ogz::classes;
use crate::formats::ogz::classes::Word;
use crate::formats::ogz::classes::kind;
use crate::formats::ogz::entities::DESTINATION;
use crate::formats::ogz::entities::DROP;
use crate::formats::ogz::entities::EXTRA;
use crate::formats::ogz::entities::FOREIGN;
use crate::formats::ogz::entities::HALF_PLAYER;
use crate::formats::ogz::entities::LIFT;
use crate::formats::ogz::entities::Names;
use crate::formats::ogz::entities::PUSH;
use crate::formats::ogz::entities::RAW;
use crate::formats::ogz::entities::TYPE;
use crate::formats::ogz::mapping::to_file;
use crate::formats::ogz::mapping::turned_yaw_deg;
use crate::formats::ogz::raw::RawEntity;
use crate::formats::ogz::raw::Value;

/// How far a light reaches that does not say it, in units.
const USUAL_RADIUS: i32 = 320;

/// Variables that are texts whatever they hold.
const TEXTS: [&str; 4] = ["maptitle", "skybox", "cloudbox", "cloudlayer"];

/// The record of an entity; `None` for one that the game has no type for. Keys go before the numbers that were in the file, which
/// tell the rest.
#[must_use]
pub fn record(entity: &Entity, names: Names<'_>) -> Option<RawEntity> {
    let mut numbers: Vec<i32> = entity
        .key(RAW)
        .unwrap_or_default()
        .split_whitespace()
        .map_while(|word| word.parse().ok())
        .collect();
    numbers.resize(numbers.len().max(5), 0);
    let mut origin = entity.origin;
    let number_of = |key: &str| entity.number(key).map_or(0, |number| number.round() as i32);
    let kind = if entity.class == FOREIGN {
        u8::try_from(number_of(TYPE)).ok()?
    } else {
        let class = classes::class_named(&entity.class)?;
        let words = classes::words(class, number_of("effect"));
        let read = numbers.clone();
        for ((word, number), &read) in words.iter().zip(&mut numbers).zip(&read) {
            if let Some(value) = word_of(entity, *word, read, names) {
                *number = value;
            }
        }
        if class.kind == kind::LIGHT && entity.number("radius").is_none() {
            // None would be a light without end in the game.
            numbers[0] = USUAL_RADIUS;
        }
        if class.kind == kind::PLAYERSTART {
            origin.y += entity.number(LIFT).unwrap_or(DROP) - HALF_PLAYER;
        }
        class.kind
    };
    Some(RawEntity {
        offset: 0,
        position: to_file(origin).to_array().map(|along| along as f32),
        attributes: numbers,
        kind,
        extra: bytes_of(entity.key(EXTRA).unwrap_or_default()),
    })
}

/// What the entity says now; `None` where the number of the file stays. `read`: that number.
fn word_of(entity: &Entity, word: Word, read: i32, names: Names<'_>) -> Option<i32> {
    let number = |key: &str| entity.number(key).map_or(0, |number| number.round() as i32);
    let listed = |key: &str, list: &[String]| {
        let name = entity.key(key)?;
        let place = list.iter().position(|known| known == name);
        place
            .and_then(|place| i32::try_from(place).ok())
            .or_else(|| name.parse().ok())
    };
    let numbered = |key: &str| entity.key(key)?.strip_prefix(DESTINATION)?.parse().ok();
    let channel = |index: usize| {
        let strength = entity.number("intensity").unwrap_or(1.0);
        let color = entity.vector("color").unwrap_or(DVec3::ONE) * strength;
        let value = (color[index] * 255.0).round() as i32;
        // What is darker than black was 0 all along.
        (value != read.max(0)).then_some(value)
    };
    let push = |axis: fn(DVec3) -> f64| {
        let push = entity.vector(PUSH)?;
        let value = axis(push).round() as i32;
        // A signed byte that was written otherwise means the same.
        (value != i32::from(read as i8)).then_some(value)
    };
    match word {
        Word::Unused => None,
        Word::Number(key) => Some(number(key)),
        Word::Yaw => {
            let yaw = turned_yaw_deg(entity.angles_deg.y).round() as i32;
            ((yaw - read) % 360 != 0).then_some(yaw.rem_euclid(360))
        }
        Word::Pitch => Some(entity.angles_deg.x.round() as i32),
        Word::Roll => Some(-entity.angles_deg.z.round() as i32),
        Word::Scale => Some((entity.scale.x * 100.0).round() as i32),
        Word::Color(key) => {
            let color = entity.vector(key).unwrap_or_default();
            let part = |value: f64| (value / 17.0).round().clamp(0.0, 15.0) as i32;
            Some(part(color.x) << 8 | part(color.y) << 4 | part(color.z))
        }
        Word::Model => listed("model", names.models),
        Word::Sound => listed("sound", names.sounds),
        Word::Destination => numbered("target"),
        Word::Name => numbered("targetname"),
        Word::Red => channel(0),
        Word::Green => channel(1),
        Word::Blue => channel(2),
        Word::PushX => push(|push| push.x),
        Word::PushY => push(|push| push.z),
        Word::PushZ => Some(entity.vector(PUSH)?.y.round() as i32),
    }
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex
        .chars()
        .map_while(|letter| letter.to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    digits
        .chunks_exact(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}

/// The variables that the world's keys are: numbers by their form, colours in hexadecimal.
#[must_use]
pub fn variables(world: &Entity) -> Vec<(String, Value)> {
    let value = |name: &str, text: &str| {
        if TEXTS.contains(&name) {
            return Value::Text(text.to_owned());
        }
        let hexadecimal = text.strip_prefix("0x");
        if let Some(number) = hexadecimal.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            return Value::Int(number.cast_signed());
        }
        if let Ok(number) = text.parse() {
            return Value::Int(number);
        }
        match text.parse::<f32>() {
            Ok(number) if number.is_finite() => Value::Float(number),
            _ => Value::Text(text.to_owned()),
        }
    };
    world
        .keys
        .iter()
        .filter(|(name, _)| !name.is_empty())
        .map(|(name, text)| (name.clone(), value(name, text)))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::formats::ogz::entities::entity;
    use crate::formats::ogz::lighting;
    use crate::formats::ogz::raw::Facts;
    use crate::formats::ogz::raw::Family;
    use crate::formats::ogz::raw::Octree;
    use crate::formats::ogz::raw::RawMap;

    fn empty_map() -> RawMap {
        RawMap {
            family: Family::Sauerbraten,
            version: 33,
            world_size: 1024,
            game: "fps".to_owned(),
            variables: Vec::new(),
            entities: Vec::new(),
            slots: Vec::new(),
            tree: Octree::default(),
            facts: Facts::default(),
        }
    }

    proptest! {
        /// What is not touched goes back as it came, whatever stood in the numbers.
        #[test]
        fn entities_come_back_as_they_were(
            kind in 1..=40u8,
            position in prop::array::uniform3(-2000i32..2000),
            attributes in prop::array::uniform5(prop_oneof![-300..400i32, any::<i16>().prop_map(i32::from)]),
            extra in prop::collection::vec(any::<u8>(), 0..5),
        ) {
            let models = ["a/tree".to_owned(), "7".to_owned()];
            let names = Names { models: &models, sounds: &[] };
            let raw = RawEntity {
                offset: 0,
                position: position.map(|along| along as f32 / 4.0),
                attributes: attributes.to_vec(),
                kind,
                extra,
            };
            let mut made = entity(&empty_map(), &raw, names).expect("not empty");
            if kind == classes::kind::LIGHT {
                lighting::light(&mut made, &raw, None);
            }
            let mut back = record(&made, names).expect("a type of the game");
            // The four bits of a channel are all that a colour has; a reach below nothing is nothing.
            for (at, word) in classes::class_of(&empty_map(), kind)
                .map_or([Word::Unused; 5], |class| classes::words(class, attributes[0]))
                .iter()
                .enumerate()
            {
                if matches!(word, Word::Color(_)) {
                    prop_assert_eq!(back.attributes[at], attributes[at] & 0xFFF);
                    back.attributes[at] = attributes[at];
                }
                if kind == classes::kind::LIGHT && at == 0 && attributes[0] < 0 {
                    prop_assert_eq!(back.attributes[0], 0);
                    back.attributes[0] = attributes[0];
                }
                // A name that is a number is that of the list.
                if *word == Word::Model && attributes[at] == 7 {
                    back.attributes[at] = 7;
                }
            }
            prop_assert_eq!(back, raw);
        }
    }

    #[test]
    fn what_was_changed_goes_back_changed() {
        let mut made = Entity::new("jumppad", DVec3::new(1.0, 2.0, -3.0));
        made.set_key(RAW, "10 0 0 2 0");
        made.set_key(PUSH, "4 20 -5");
        made.set_key("sound", "2");
        let back = record(&made, Names::default()).expect("a type of the game");
        assert_eq!((back.kind, back.position), (23, [1.0, -3.0, 2.0]));
        assert_eq!(back.attributes, [20, -5, 4, 2, 0]);

        let mut light = Entity::new("light_spot", DVec3::ZERO);
        light.set_key("color", "0.5 1 0");
        light.set_key("intensity", "2");
        light.set_key("radius", "150");
        let back = record(&light, Names::default()).expect("a light");
        assert_eq!(
            (back.kind, &back.attributes[..4]),
            (1, &[150, 255, 510, 0][..])
        );
        assert!(record(&Entity::new("func_door", DVec3::ZERO), Names::default()).is_none());
    }

    #[test]
    fn variables_come_back_with_their_types() {
        let all = lighting::Variables::from([
            ("fog".to_owned(), Value::Int(4000)),
            ("fogcolour".to_owned(), Value::Int(0x80_99_B3)),
            ("maptitle".to_owned(), Value::Text("42".to_owned())),
            ("sunlightscale".to_owned(), Value::Float(1.0)),
            ("watercolour".to_owned(), Value::Int(-1)),
        ]);
        let back: lighting::Variables = variables(&lighting::world(&all)).into_iter().collect();
        assert_eq!(back, all);
    }
}
