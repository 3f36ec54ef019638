//! Boxes that stand for map models, by what lists of models and the models' own configurations say of their size.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use glam::DVec3;

use crate::document::Entity;
use crate::formats::Siblings;
use crate::formats::ogz::config::Config;
use crate::formats::ogz::effects::MODEL_BOX;
use crate::formats::ogz::entities::short;
use crate::formats::ogz::script::Commands;
use crate::formats::ogz::script::Word;
use crate::formats::ogz::script::number;
use crate::geometry::Aabb;

/// Key of a model with half the width of its box, in units.
pub const RADIUS: &str = "radius";
/// Key of a model with the height of its box, in units.
pub const HEIGHT: &str = "height";

/// Kinds of models: each has a configuration of its name in the model's folder.
const KINDS: &[&str] = &["md2", "md3", "md5", "obj", "smd", "iqm"];
/// Bytes of a model's configuration.
const MOST_FILE: usize = 1 << 16;
/// Boxes that are larger, in units, tell nothing.
const LARGEST: f64 = 4096.0;
/// Radius and height of a model that nothing is known of, in units.
const USUAL: [f64; 2] = [8.0, 16.0];

/// Radius and height in units; 0 is unknown.
type Size = [f32; 2];

/// Sizes of the models of a list, each looked up once.
pub struct ModelSizes<'a> {
    config: &'a Config,
    siblings: &'a dyn Siblings,
    known: HashMap<String, Size>,
}

impl<'a> ModelSizes<'a> {
    #[must_use]
    pub fn new(config: &'a Config, siblings: &'a dyn Siblings) -> Self {
        Self {
            config,
            siblings,
            known: HashMap::new(),
        }
    }

    /// Gives a model's entity the keys [`RADIUS`] and [`HEIGHT`], as far as they are known.
    pub fn put(&mut self, entity: &mut Entity) {
        let Some(name) = entity.key("model").map(str::to_owned) else {
            return;
        };
        let size = self.size(name);
        for (key, length) in [RADIUS, HEIGHT].into_iter().zip(size) {
            if length > 0.0 && f64::from(length) <= LARGEST {
                entity.set_key(key, short(f64::from(length)));
            }
        }
    }

    /// Of the models that were asked for and are known, for `ORIG`: by these an export tells that a box is still the model's.
    #[must_use]
    pub fn settings(&self) -> Vec<(String, String)> {
        let known = self.known.iter();
        let mut settings: Vec<(String, String)> = known
            .filter(|(_, size)| size.iter().any(|&length| length > 0.0))
            .map(|(name, [radius, height])| {
                (format!("{MODEL_BOX}{name}"), format!("{radius} {height}"))
            })
            .collect();
        settings.sort();
        settings
    }

    /// What the model itself says goes before what the map's list does.
    fn size(&mut self, name: String) -> Size {
        match self.known.entry(name) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let own = own_size(free.key(), self.siblings);
                let mut names = self.config.models.iter();
                let listed = names
                    .position(|model| model == free.key())
                    .and_then(|index| self.config.model_sizes.get(index));
                let listed = listed.copied().unwrap_or_default();
                let size = [0, 1].map(|i| if own[i] > 0.0 { own[i] } else { listed[i] });
                *free.insert(size)
            }
        }
    }
}

/// Of the line `mdlbb <radius> <height> [eye height]` in the model's folder.
fn own_size(name: &str, siblings: &dyn Siblings) -> Size {
    let mut files = KINDS
        .iter()
        .map(|kind| format!("packages/models/{name}/{kind}.cfg"));
    let Some(bytes) = files.find_map(|file| siblings.read(&file)) else {
        return Size::default();
    };
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_FILE)]);
    let word = |words: &[Word<'_>], index: usize| match words.get(index) {
        Some(Word::Text(text)) => text.clone().into_owned(),
        _ => String::new(),
    };
    Commands::new(&text)
        .filter(|words| word(words, 0) == "mdlbb")
        .last()
        .map(|words| [1, 2].map(|index| number(&word(&words, index))))
        .unwrap_or_default()
}

/// The box of a model around its origin, which is on the floor, in map units; `None` for entities that are no models, and for
/// models of which nothing is known.
#[must_use]
pub fn own_box(entity: &Entity) -> Option<Aabb> {
    if !entity.class.eq_ignore_ascii_case("mapmodel") {
        return None;
    }
    let length = |key: &str| {
        entity
            .number(key)
            .filter(|&length| length > 0.0 && length <= LARGEST)
    };
    let is_scaled = entity.scale != DVec3::ONE;
    let (radius, height) = match (length(RADIUS), length(HEIGHT)) {
        (None, None) if !is_scaled => return None,
        (radius, height) => (radius.unwrap_or(USUAL[0]), height.unwrap_or(USUAL[1])),
    };
    let scale = entity.scale.abs();
    let scale = if scale.is_finite() && scale.max_element() <= LARGEST {
        scale
    } else {
        DVec3::ONE
    };
    let side = DVec3::new(radius, 0.0, radius) * scale;
    Some(Aabb::new(-side, side + DVec3::Y * height * scale.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::NoSiblings;

    struct Files(&'static [(&'static str, &'static str)]);

    impl Siblings for Files {
        fn read(&self, name: &str) -> Option<Vec<u8>> {
            let found = self.0.iter().find(|(file, _)| *file == name);
            found.map(|(_, text)| text.as_bytes().to_vec())
        }

        fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
            None
        }
    }

    fn config() -> Config {
        Config {
            models: ["tree", "rock", "own"].map(str::to_owned).to_vec(),
            model_sizes: vec![[4.0, 32.0], [0.0, 0.0], [4.0, 8.0]],
            ..Config::default()
        }
    }

    fn boxed(model: &str, siblings: &dyn Siblings) -> Option<Aabb> {
        let mut entity = Entity::new("mapmodel", DVec3::ZERO);
        entity.set_key("model", model);
        ModelSizes::new(&config(), siblings).put(&mut entity);
        own_box(&entity)
    }

    fn around(radius: f64, height: f64) -> Aabb {
        Aabb::new(
            DVec3::new(-radius, 0.0, -radius),
            DVec3::new(radius, height, radius),
        )
    }
    #[test]
    fn the_list_and_the_model_tell_its_box() {
        let files = Files(&[
            (
                "packages/models/own/md3.cfg",
                "mdlscale 50; mdlbb 3 20 // low\nmd3load a",
            ),
            ("packages/models/rock/obj.cfg", "mdlspin 1\nmdlbb 0 12.5"),
        ]);
        let check = |model: &str, wanted: Option<Aabb>| {
            assert_eq!(boxed(model, &files), wanted, "{model}");
        };
        check("tree", Some(around(4.0, 32.0)));
        check("own", Some(around(3.0, 20.0)));
        check("rock", Some(around(8.0, 12.5)));
        check("stranger", None);
        assert_eq!(boxed("own", &NoSiblings), Some(around(4.0, 8.0)));
    }

    #[test]
    fn a_box_is_scaled_with_its_model_and_never_wild() {
        let mut entity = Entity::new("mapmodel", DVec3::ZERO);
        assert_eq!(own_box(&entity), None);
        entity.scale = DVec3::splat(1.5);
        assert_eq!(own_box(&entity), Some(around(12.0, 24.0)));
        entity.set_key(RADIUS, "2");
        entity.set_key(HEIGHT, "1e9");
        assert_eq!(own_box(&entity), Some(around(3.0, 24.0)));
        entity.scale = DVec3::splat(f64::INFINITY);
        assert_eq!(own_box(&entity), Some(around(2.0, 16.0)));
        entity.class = "light".to_owned();
        assert_eq!(own_box(&entity), None);
        for line in ["mapmodel 1e30 nan", "mapmodel -4 inf"] {
            assert_eq!(boxed(line, &NoSiblings), None);
        }
    }
}
