//! The fog of a map, as its world or an `env_fog` says (VIEW-2).

use crate::document::Document;
use crate::document::Entity;
use crate::editor::Editor;

/// How a surface sinks into the fog with its distance from the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FogLaw {
    /// Nothing before `start`, everything from `end` on, evenly between; map units, `start < end`.
    Linear { start: f32, end: f32 },
    /// `1 - exp(-(distance * density)^2)`; density per map unit, above 0.
    Squared { density: f32 },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fog {
    /// sRGB.
    pub color: [u8; 3],
    pub law: FogLaw,
}

/// Cube 2's own, for maps that set only the other one.
const CUBE_DISTANCE: f32 = 4000.0;
const CUBE_COLOR: [u8; 3] = [0x80, 0x99, 0xb3];

/// What Quake's engines divide their densities by.
const QUAKE_UNITS: f32 = 64.0;

/// Numbers of a value.
fn numbers(text: &str) -> Option<Vec<f32>> {
    let parts = text.split_whitespace().map(str::parse::<f32>);
    let list = parts.collect::<Result<Vec<_>, _>>().ok()?;
    list.iter().all(|number| number.is_finite()).then_some(list)
}

fn byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// `r g b` of 0 to 255, or one number 0xRRGGBB, in whatever base.
fn color(text: &str) -> Option<[u8; 3]> {
    let text = text.trim();
    if let Some([r, g, b]) = numbers(text).as_deref() {
        return Some([*r, *g, *b].map(byte));
    }
    let hex = text
        .strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))
        .or_else(|| text.strip_prefix('#'));
    let packed = match hex {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => text.parse().ok()?,
    };
    let [_, r, g, b] = packed.to_be_bytes();
    Some([r, g, b])
}

/// Of the world: Cube 2's distance and colour, or density and colour (0 to 1) in one value as engines of Quake have it.
fn of_world(world: &Entity) -> Option<Fog> {
    let own = ["fogcolour", "fogcolor", "fog_color"]
        .into_iter()
        .find_map(|key| color(world.key(key)?));
    let Some(value) = world.key("fog") else {
        return own.map(|color| cube(CUBE_DISTANCE, color));
    };
    match *numbers(value)?.as_slice() {
        [density, r, g, b] => dense(density, [r, g, b].map(|part| byte(part * 255.0))),
        // No fog ends that near; it is a density without a colour.
        [density] if density < 1.0 => dense(density, own.unwrap_or(CUBE_COLOR)),
        [distance] => Some(cube(distance, own.unwrap_or(CUBE_COLOR))),
        _ => None,
    }
}

fn cube(distance: f32, color: [u8; 3]) -> Fog {
    Fog {
        color,
        law: FogLaw::Linear {
            start: (distance + 64.0) / 8.0,
            end: distance.max((distance + 64.0) / 8.0 + 1.0),
        },
    }
}

fn dense(density: f32, color: [u8; 3]) -> Option<Fog> {
    (density > 0.0).then_some(Fog {
        color,
        law: FogLaw::Squared {
            density: density / QUAKE_UNITS,
        },
    })
}

/// `env_fog` of Half-Life's mods: from where to where, and its colour.
fn of_entity(entity: &Entity) -> Option<Fog> {
    let number = |key: &str| entity.key(key).and_then(|value| value.trim().parse().ok());
    let start: f32 = number("startdist").unwrap_or(0.0);
    let end: f32 = number("enddist")?;
    let is_sound = start.is_finite() && end.is_finite() && end > start && end > 0.0;
    is_sound.then(|| Fog {
        color: entity
            .key("rendercolor")
            .and_then(color)
            .unwrap_or([255; 3]),
        law: FogLaw::Linear { start, end },
    })
}

/// The fog of a document: the world's, else that of the first `env_fog`.
fn found(doc: &Document) -> Option<Fog> {
    let world = doc.worldspawn().and_then(|(_, world)| of_world(world));
    world.or_else(|| {
        doc.objects()
            .filter_map(|(_, object)| object.entity())
            .filter(|entity| entity.class.eq_ignore_ascii_case("env_fog"))
            .find_map(of_entity)
    })
}

/// The fog, found anew only when an entity changed.
#[derive(Default)]
pub(crate) struct WorldFog {
    seen: Document,
    fog: Option<Fog>,
}

impl WorldFog {
    /// Catches up with `doc`.
    pub fn sync(&mut self, doc: &Document) {
        if doc.same(&self.seen) {
            return;
        }
        let concerned = doc.entities_differ(&self.seen);
        self.seen = doc.clone();
        if concerned {
            self.fog = found(doc);
        }
    }
}

impl Editor {
    /// The fog that the committed map has.
    #[must_use]
    pub fn world_fog(&self) -> Option<Fog> {
        self.fog.fog
    }

    /// The fog that a pane shows.
    #[must_use]
    pub fn fog_in(&self, pane: usize) -> Option<Fog> {
        self.world_fog().filter(|_| self.toggles(pane).fog)
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::document::Kind;
    use crate::document::Object;

    fn doc(entities: &[(&str, &[(&str, &str)])]) -> Document {
        let mut draft = Document::default().edit();
        for (class, keys) in entities {
            let mut entity = Entity::new(*class, DVec3::ZERO);
            for (key, value) in *keys {
                entity.set_key(key, *value);
            }
            draft.insert(Object::new(Kind::Entity(entity)));
        }
        draft.finish().expect("entities are sound")
    }

    fn world(keys: &[(&str, &str)]) -> Option<Fog> {
        found(&doc(&[("worldspawn", keys)]))
    }

    #[test]
    fn view_2_fog_of_cube_2_has_a_distance_and_a_packed_colour() {
        let fog = world(&[("fog", "576"), ("fogcolour", "4278417")]).expect("fog");
        assert_eq!(fog.color, [0x41, 0x48, 0x91]);
        assert_eq!(
            fog.law,
            FogLaw::Linear {
                start: 80.0,
                end: 576.0
            }
        );
        for text in ["65 71 77", "0x41474D", "#41474d"] {
            let fog = world(&[("fogcolour", text)]).expect("its own distance");
            assert_eq!(fog.color, [65, 71, 77], "{text}");
            assert!(matches!(fog.law, FogLaw::Linear { end, .. } if end == 4000.0));
        }
    }

    #[test]
    fn view_2_fog_of_quake_is_a_density_and_a_colour() {
        let fog = world(&[("fog", "0.64 0.5 0 1")]).expect("fog");
        assert_eq!(fog.color, [128, 0, 255]);
        let FogLaw::Squared { density } = fog.law else {
            panic!("{fog:?}");
        };
        assert!((density - 0.01).abs() < 1e-6);
        assert_eq!(world(&[("fog", "0 1 1 1")]), None);
    }

    #[test]
    fn view_2_fog_of_an_entity_stands_behind_the_worlds() {
        let keys: &[(&str, &str)] = &[
            ("startdist", "100"),
            ("enddist", "900"),
            ("rendercolor", "1 2 3"),
        ];
        let law = FogLaw::Linear {
            start: 100.0,
            end: 900.0,
        };
        let color = [1, 2, 3];
        let alone = found(&doc(&[("env_fog", keys)]));
        assert_eq!(alone, Some(Fog { color, law }));
        let both = found(&doc(&[("env_fog", keys), ("worldspawn", &[("fog", "64")])]));
        assert_eq!(both.expect("fog").color, CUBE_COLOR);
    }

    #[test]
    fn what_is_no_fog_gives_none() {
        assert_eq!(world(&[]), None);
        for bad in ["", "thick", "nan 1 1 1", "-4", "0", "1 2", "inf"] {
            assert_eq!(world(&[("fog", bad)]), None, "{bad:?}");
        }
        for end in ["0", "-5", "x", "nan"] {
            let entity = doc(&[("env_fog", &[("enddist", end)])]);
            assert_eq!(found(&entity), None, "{end:?}");
        }
    }

    #[test]
    fn the_fog_follows_the_world() {
        let mut fog = WorldFog::default();
        let first = doc(&[("worldspawn", &[("fog", "800")])]);
        fog.sync(&first);
        assert!(fog.fog.is_some());
        let mut draft = first.edit();
        let (id, _) = first.worldspawn().expect("it is there");
        draft.remove(id);
        fog.sync(&draft.peek());
        assert_eq!(fog.fog, None);
    }
}
