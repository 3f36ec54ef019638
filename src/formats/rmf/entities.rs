//! Entities of the file: class, keys, spawn flags, angles; corners of paths (`rmf.md` 4 and 7).

use glam::DVec3;
use glam::Vec3;

use crate::document::Entity;
use crate::document::PathKind;
use crate::formats::lights::Game;
use crate::formats::lights::map_from_game;
use crate::formats::lights::take_angles;
use crate::formats::rmf::raw::RawEntityData;
use crate::formats::rmf::raw::RawPath;
use crate::formats::rmf::raw::Text;

/// The kind word of a point entity.
const POINT: i16 = 2;

/// An entity and what is to be said about it.
pub struct Converted {
    pub entity: Entity,
    pub notes: Vec<(&'static str, String)>,
}

/// `origin`: in map units.
#[must_use]
pub fn entity(data: &RawEntityData<'_>, origin: DVec3) -> Converted {
    let mut notes = Vec::new();
    let mut entity = Entity::new(data.class.decoded(), origin);
    entity.keys = decoded(&data.pairs);
    take_fields(&mut entity, data, &mut notes);
    note_keys(&entity, &mut notes);
    for note in take_angles(&mut entity, Game::GoldSrc, f64::from(data.angle)) {
        notes.push((note.code, note.text));
    }
    entity.angles_deg = entity.angles_deg.as_vec3().as_dvec3();
    Converted { entity, notes }
}

/// The world's keys: of class `worldspawn` whatever the field says, without angles of its own.
#[must_use]
pub fn world(data: &RawEntityData<'_>) -> Converted {
    let mut notes = Vec::new();
    let mut entity = Entity::new("worldspawn", DVec3::ZERO);
    entity.keys = decoded(&data.pairs);
    take_fields(&mut entity, data, &mut notes);
    note_keys(&entity, &mut notes);
    Converted { entity, notes }
}

/// Where an entity stands, in map units: only a point entity has a place of its own, others keep leftovers in that field.
#[must_use]
pub fn origin(kind: i16, origin_in_file: Vec3, shift: f64) -> DVec3 {
    if kind != POINT || !origin_in_file.is_finite() {
        return DVec3::ZERO;
    }
    map_from_game(origin_in_file.as_dvec3() + DVec3::new(shift, 0.0, 0.0))
        .as_vec3()
        .as_dvec3()
}

fn decoded(pairs: &[(Text<'_>, Text<'_>)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(key, value)| (key.decoded().into_owned(), value.decoded().into_owned()))
        .collect()
}

/// Class, origin and spawn flags stand in fields; J.A.C.K. repeats them as keys. One place for each remains.
fn take_fields(
    entity: &mut Entity,
    data: &RawEntityData<'_>,
    notes: &mut Vec<(&'static str, String)>,
) {
    let class = data.class.decoded();
    entity.keys.retain(|(key, value)| {
        if key.eq_ignore_ascii_case("classname") && *value != class {
            notes.push((
                "I-FIELD-KEY",
                format!("its key classname says \"{value}\", its class is \"{class}\""),
            ));
        }
        // The origin field is exact; the key is its rounded text.
        !key.eq_ignore_ascii_case("classname") && !key.eq_ignore_ascii_case("origin")
    });
    let is_flags = |(key, _): &(String, String)| key.eq_ignore_ascii_case("spawnflags");
    let Some(index) = entity.keys.iter().position(is_flags) else {
        if data.spawnflags != 0 {
            entity
                .keys
                .push(("spawnflags".to_owned(), data.spawnflags.to_string()));
        }
        return;
    };
    let (_, value) = entity.keys.remove(index);
    entity.keys.retain(|pair| !is_flags(pair));
    // Such a key is the mark of J.A.C.K., in whose files it is the one that counts.
    let value = match value.trim().parse::<i64>() {
        Ok(number) => {
            if number != i64::from(data.spawnflags) {
                notes.push((
                    "I-SPAWNFLAGS",
                    format!(
                        "its spawn flags are {} and as a key {number}; the key counts",
                        data.spawnflags
                    ),
                ));
            }
            number.to_string()
        }
        Err(_) => {
            notes.push((
                "I-SPAWNFLAGS",
                format!(
                    "its key spawnflags is \"{value}\"; {} was taken",
                    data.spawnflags
                ),
            ));
            data.spawnflags.to_string()
        }
    };
    entity.keys.insert(
        index.min(entity.keys.len()),
        ("spawnflags".to_owned(), value),
    );
}

fn note_keys(entity: &Entity, notes: &mut Vec<(&'static str, String)>) {
    let mut seen: Vec<String> = Vec::with_capacity(entity.keys.len());
    for (key, _) in &entity.keys {
        let lower = key.to_lowercase();
        if key.is_empty() {
            notes.push(("I-EMPTY-KEY", "it has a key without a name".to_owned()));
        } else if seen.contains(&lower) {
            notes.push((
                "I-DUPLICATE-KEY",
                format!("its key {key} occurs more than once; the first counts"),
            ));
        }
        seen.push(lower);
    }
}

/// The corners of a path as entities that name each other, and how many of them, from the start, are its nodes.
pub struct Corners {
    pub entities: Vec<Converted>,
    pub node_count: usize,
    pub kind: PathKind,
}

/// A ping-pong path walks back over a second set of its inner nodes, as the editor writes it to the game.
#[must_use]
pub fn corners(path: &RawPath<'_>, shift: f64) -> Corners {
    let kind = match path.direction {
        1 => PathKind::Circular,
        2 => PathKind::PingPong,
        _ => PathKind::OneWay,
    };
    let count = path.nodes.len();
    let mut order: Vec<usize> = (0..count).collect();
    if kind == PathKind::PingPong && count > 2 {
        order.extend((1..count - 1).rev());
    }
    let path_name = path.name.decoded();
    let names: Vec<String> = order
        .iter()
        .enumerate()
        .map(|(index, &node)| {
            let own = path.nodes[node].name_override.decoded();
            // The way back needs names of its own.
            if index < count && !own.is_empty() {
                own.into_owned()
            } else if index == 0 {
                path_name.clone().into_owned()
            } else {
                format!("{path_name}{index:02}")
            }
        })
        .collect();
    let last_target = if kind == PathKind::OneWay {
        None
    } else {
        names.first()
    };
    let entities = order
        .iter()
        .enumerate()
        .map(|(index, &node)| {
            let node = &path.nodes[node];
            let class = if path.class.bytes().is_empty() {
                Text(b"path_corner")
            } else {
                path.class
            };
            // A node has its flags as a key only.
            let flags = node
                .pairs
                .iter()
                .find(|(key, _)| key.bytes().eq_ignore_ascii_case(b"spawnflags"));
            let spawnflags = flags
                .and_then(|(_, value)| value.decoded().trim().parse().ok())
                .unwrap_or(0);
            let data = RawEntityData {
                class,
                spawnflags,
                pairs: node.pairs.clone(),
                ..RawEntityData::default()
            };
            let mut converted = entity(&data, origin(POINT, node.position, shift));
            let target = names.get(index + 1).or(last_target);
            let links = std::iter::once(("targetname", Some(&names[index])))
                .chain(std::iter::once(("target", target)));
            let links =
                links.filter_map(|(key, name)| name.map(|name| (key.to_owned(), name.clone())));
            // First, so that they count where the node holds keys of these names.
            converted.entity.keys.splice(0..0, links);
            converted
        })
        .collect();
    Corners {
        entities,
        node_count: count,
        kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::rmf::raw::RawNode;

    fn data<'a>(
        class: &'a str,
        spawnflags: i32,
        pairs: &[(&'a str, &'a str)],
    ) -> RawEntityData<'a> {
        let pairs = pairs
            .iter()
            .map(|(key, value)| (Text(key.as_bytes()), Text(value.as_bytes())))
            .collect();
        RawEntityData {
            class: Text(class.as_bytes()),
            spawnflags,
            pairs,
            ..RawEntityData::default()
        }
    }

    #[test]
    fn spawn_flags_stand_once() {
        #[track_caller]
        fn check(field: i32, pairs: &[(&str, &str)], expected: &[(&str, &str)], codes: &[&str]) {
            let converted = entity(&data("func_door", field, pairs), DVec3::ZERO);
            let keys: Vec<(&str, &str)> = converted
                .entity
                .keys
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str()))
                .collect();
            assert_eq!(keys, expected);
            assert_eq!(
                converted
                    .notes
                    .iter()
                    .map(|note| note.0)
                    .collect::<Vec<_>>(),
                codes
            );
        }
        check(0, &[("speed", "1")], &[("speed", "1")], &[]);
        check(
            5,
            &[("speed", "1")],
            &[("speed", "1"), ("spawnflags", "5")],
            &[],
        );
        check(
            5,
            &[("spawnflags", "5"), ("speed", "1")],
            &[("spawnflags", "5"), ("speed", "1")],
            &[],
        );
        check(
            5,
            &[("spawnflags", "7"), ("speed", "1")],
            &[("spawnflags", "7"), ("speed", "1")],
            &["I-SPAWNFLAGS"],
        );
        check(
            5,
            &[("spawnflags", "many")],
            &[("spawnflags", "5")],
            &["I-SPAWNFLAGS"],
        );
        check(
            0,
            &[("classname", "func_door"), ("origin", "1 2 3")],
            &[],
            &[],
        );
        check(0, &[("classname", "other")], &[], &["I-FIELD-KEY"]);
        check(
            0,
            &[("a", "1"), ("A", "2"), ("", "3")],
            &[("a", "1"), ("A", "2"), ("", "3")],
            &["I-DUPLICATE-KEY", "I-EMPTY-KEY"],
        );
    }

    #[test]
    fn paths_become_corners_that_name_each_other() {
        #[track_caller]
        fn check(direction: i32, overrides: &[&str], expected: &[(&str, Option<&str>)]) {
            let nodes = overrides
                .iter()
                .map(|name| RawNode {
                    position: Vec3::ZERO,
                    id: 0,
                    name_override: Text(name.as_bytes()),
                    pairs: Vec::new(),
                })
                .collect();
            let path = RawPath {
                name: Text(b"p"),
                class: Text(b"path_track"),
                direction,
                nodes,
            };
            let corners = corners(&path, 0.0);
            let links: Vec<(&str, Option<&str>)> = corners
                .entities
                .iter()
                .map(|corner| {
                    (
                        corner.entity.key("targetname").unwrap_or(""),
                        corner.entity.key("target"),
                    )
                })
                .collect();
            assert_eq!(links, expected, "direction {direction}");
            assert_eq!(corners.node_count, overrides.len());
        }
        check(
            0,
            &["", "", ""],
            &[("p", Some("p01")), ("p01", Some("p02")), ("p02", None)],
        );
        check(
            1,
            &["", "mid", ""],
            &[("p", Some("mid")), ("mid", Some("p02")), ("p02", Some("p"))],
        );
        check(
            2,
            &["", "", "mid", ""],
            &[
                ("p", Some("p01")),
                ("p01", Some("mid")),
                ("mid", Some("p03")),
                ("p03", Some("p04")),
                ("p04", Some("p05")),
                ("p05", Some("p")),
            ],
        );
        check(2, &["", ""], &[("p", Some("p01")), ("p01", Some("p"))]);
        check(1, &[], &[]);
    }
}
