//! Moving brushes (`unr.md` 8.3): where they are at each of their keys. Their geometry stands at rest, at the actor's own place.

use glam::DVec3;

use crate::formats::unr::defaults::Known;
use crate::formats::unr::space::Rotator;
use crate::formats::unr::space::Scale;

/// Keys of a mover are at most this many.
pub const MOST_KEYS: u32 = 8;

/// Units that a rest pose may be off its key.
const NEAR: f64 = 0.1;

/// A place that a mover stops at, in the file's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    pub position: DVec3,
    pub rotation: Rotator,
}

/// The keys, 1 to [`MOST_KEYS`] of them.
#[must_use]
pub fn keys(known: &Known<'_>) -> Vec<Key> {
    let count = known
        .int("NumKeys")
        .and_then(|count| u32::try_from(count).ok());
    let base = Key {
        position: known.vector("BasePos", 0).unwrap_or_default(),
        rotation: known.rotator("BaseRot", 0).unwrap_or_default(),
    };
    let key = |index: u32| {
        let by = known.rotator("KeyRot", index).unwrap_or_default();
        Key {
            position: base.position + known.vector("KeyPos", index).unwrap_or_default(),
            rotation: Rotator {
                pitch: base.rotation.pitch.wrapping_add(by.pitch),
                yaw: base.rotation.yaw.wrapping_add(by.yaw),
                roll: base.rotation.roll.wrapping_add(by.roll),
            },
        }
    };
    (0..count.unwrap_or(2).clamp(1, MOST_KEYS))
        .map(key)
        .collect()
}

/// True when the mover stands where its key says that it rests.
#[must_use]
pub fn rests_at_key(known: &Known<'_>) -> bool {
    let keys = keys(known);
    let number = known.int("KeyNum").unwrap_or(0);
    let Some(key) = usize::try_from(number).ok().and_then(|at| keys.get(at)) else {
        return false;
    };
    let place = known.vector("Location", 0).unwrap_or_default();
    let turn = known.rotator("Rotation", 0).unwrap_or_default();
    let same = |a: i32, b: i32| a.wrapping_sub(b).rem_euclid(65_536) == 0;
    place.distance(key.position) <= NEAR
        && same(turn.pitch, key.rotation.pitch)
        && same(turn.yaw, key.rotation.yaw)
        && same(turn.roll, key.rotation.roll)
}

/// True for a scale after the turn, which the engine of Harry Potter 1 leaves out for movers.
#[must_use]
pub fn has_post_scale(known: &Known<'_>) -> bool {
    known
        .scale("PostScale")
        .is_some_and(|scale| scale.scale != Scale::default().scale)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::formats::unr::properties::Properties;
    use crate::formats::unr::properties::Property;
    use crate::formats::unr::properties::Value;
    use crate::formats::unr::raw::ObjectPath;
    use crate::formats::unr::raw::RawActor;
    use crate::formats::unr::raw::RawMap;

    fn mover(values: Vec<(&str, u32, Value)>) -> RawActor {
        let property = |(name, index, value): (&str, u32, Value)| Property {
            name: Arc::from(name),
            index,
            value,
        };
        RawActor {
            class: Arc::new(ObjectPath {
                name: "Mover".to_owned(),
                ..ObjectPath::default()
            }),
            properties: Properties(values.into_iter().map(property).collect()),
            ..RawActor::default()
        }
    }

    #[test]
    fn keys_are_steps_from_the_base() {
        let map = RawMap::default();
        let yaw = |yaw: i32| Rotator {
            yaw,
            ..Rotator::default()
        };
        let door = mover(vec![
            ("BasePos", 0, Value::Vector(DVec3::new(10.0, 20.0, 30.0))),
            ("BaseRot", 0, Value::Rotator(yaw(60_000))),
            ("KeyPos", 1, Value::Vector(DVec3::Z * 96.0)),
            ("KeyRot", 1, Value::Rotator(yaw(16_384))),
            ("Location", 0, Value::Vector(DVec3::new(10.0, 20.0, 30.0))),
            ("Rotation", 0, Value::Rotator(yaw(60_000 - 65_536))),
        ]);
        let known = Known::new(&map, &door);
        let keys = keys(&known);
        assert_eq!(keys.len(), 2, "two where nothing is stored");
        assert_eq!(keys[1].position, DVec3::new(10.0, 20.0, 126.0));
        assert_eq!(keys[1].rotation, yaw(76_384));
        assert!(rests_at_key(&known), "a whole turn is none");
        let open = mover(vec![
            ("KeyNum", 0, Value::Byte(1)),
            ("KeyPos", 1, Value::Vector(DVec3::X)),
        ]);
        assert!(!rests_at_key(&Known::new(&map, &open)));
    }

    #[test]
    fn a_count_of_keys_stays_within_the_engines_array() {
        let map = RawMap::default();
        for (stored, count) in [(0, 1), (3, 3), (200, 8)] {
            let mover = mover(vec![("NumKeys", 0, Value::Byte(stored))]);
            assert_eq!(keys(&Known::new(&map, &mover)).len(), count);
        }
    }
}
