//! Entities and the world's keys on their way back, and the lists of names that their numbers point at.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use glam::DVec3;

use crate::document::Document;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::ObjectId;
use crate::formats::ogz::classes::kind;
use crate::formats::ogz::config::quoted;
use crate::formats::ogz::effects::MODEL;
use crate::formats::ogz::effects::SOUND;
use crate::formats::ogz::effects::TEXT;
use crate::formats::ogz::entities::Names;
use crate::formats::ogz::header;
use crate::formats::ogz::lighting;
use crate::formats::ogz::mapping::to_file;
use crate::formats::ogz::mapping::turned_yaw_deg;
use crate::formats::ogz::raw::RawEntity;
use crate::formats::ogz::raw::Value;
use crate::formats::ogz::records_of::record;
use crate::formats::ogz::records_of::variables;
use crate::formats::ogz::write::encode::MOST_ENTITIES;

/// What is written of the entities.
#[derive(Default)]
pub struct Records {
    pub entities: Vec<RawEntity>,
    pub variables: Vec<(String, Value)>,
    /// Commands of the configuration for models and sounds.
    pub config: String,
    /// Entities that the game does not know, by the reason.
    pub left_out: BTreeMap<&'static str, Vec<ObjectId>>,
    /// Where each entity of the document is among the written ones.
    pub written: Vec<(ObjectId, usize)>,
    models: Vec<String>,
    sounds: Vec<String>,
}

impl Records {
    fn leave_out(&mut self, id: ObjectId, reason: &'static str) {
        self.left_out.entry(reason).or_default().push(id);
    }

    #[must_use]
    pub fn names(&self) -> Names<'_> {
        Names {
            models: &self.models,
            sounds: &self.sounds,
        }
    }
}

/// `settings`: of the file that the map was imported from; `shift`: added to the file's coordinates, in units.
#[must_use]
pub fn records(doc: &Document, settings: &[(String, String)], shift: [i64; 3]) -> Records {
    let models = Listed::of(doc, "model");
    let sounds = Listed::of(doc, "sound");
    let names = Names {
        models: &models.names,
        sounds: &sounds.names,
    };
    let mut records = Records::default();
    let mut sun = None;
    let mut world = None;
    for (id, object) in doc.objects_in_order() {
        let Kind::Entity(entity) = &object.kind else {
            continue;
        };
        if doc.is_left_out(id) {
            continue;
        }
        match entity.class.as_str() {
            "worldspawn" => world = Some(entity),
            "light_sun" if sun.is_none() => sun = Some(entity),
            // Its boxes are cubes of their own kind.
            "trigger_hurt" if doc.children(Some(id)).next().is_some() => {}
            _ if doc.children(Some(id)).next().is_some() => records.leave_out(
                id,
                "the game has no entities made of brushes; these belong to the world now",
            ),
            _ => match record(entity, names) {
                Some(mut raw) if records.entities.len() < MOST_ENTITIES => {
                    for (at, by) in raw.position.iter_mut().zip(shift) {
                        *at += by as f32;
                    }
                    records.written.push((id, records.entities.len()));
                    records.entities.push(raw);
                }
                Some(_) => records.leave_out(id, "the game reads no more than 10000 entities"),
                None => records.leave_out(id, "the game has no entity of this class"),
            },
        }
    }
    records.variables = world.map(variables).unwrap_or_default();
    for (name, value) in &mut records.variables {
        // The colours of its letters are the game's alone; a text that is another now has none.
        if let Value::Text(now) = value
            && let Some(coded) = words_of(settings, TEXT, name)
        {
            let coded = header::uncoded(coded);
            if header::text(&header::bytes_of(&coded)) == *now {
                *now = coded;
            }
        }
    }
    let title = &doc.settings().name;
    if !title.is_empty() && !records.variables.iter().any(|(name, _)| name == "maptitle") {
        let title = Value::Text(title.clone());
        records.variables.push(("maptitle".to_owned(), title));
    }
    aim(doc, &mut records);
    light_variables(&mut records.variables, sun, doc);
    models.list(&mut records.config, "mapmodelreset", |name| {
        model_line(name, words_of(settings, MODEL, name))
    });
    sounds.list(&mut records.config, "mapsoundreset", |name| {
        let words = numbers(words_of(settings, SOUND, name).unwrap_or_default());
        format!("mapsound \"{}\"{}", quoted(name), joined(&words))
    });
    records.models = models.names;
    records.sounds = sounds.names;
    records
}

/// Lights with a cone that no spotlight aims get one.
fn aim(doc: &Document, records: &mut Records) {
    /// How far in front of its light, in units.
    const IN_FRONT: f64 = 16.0;
    let aimed = lighting::spots(&records.entities);
    for &(id, index) in &records.written {
        let Some(light) = doc.entity(id).filter(|entity| entity.class == "light_spot") else {
            continue;
        };
        if aimed.contains_key(&index) || records.entities.len() >= MOST_ENTITIES {
            continue;
        }
        let ahead = to_file(light.forward() * IN_FRONT).to_array();
        let place = records.entities[index].position;
        let outer = light.number("outer").unwrap_or(45.0).round();
        records.entities.push(RawEntity {
            offset: 0,
            position: [0, 1, 2].map(|axis| place[axis] + ahead[axis] as f32),
            attributes: vec![outer.clamp(1.0, 89.0) as i32, 0, 0, 0, 0],
            kind: kind::SPOTLIGHT,
            extra: Vec::new(),
        });
    }
}

/// Names of one key, in the order in which they are met.
#[derive(Default)]
struct Listed {
    names: Vec<String>,
}

impl Listed {
    fn of(doc: &Document, key: &str) -> Self {
        let mut names: Vec<String> = Vec::new();
        for (_, object) in doc.objects_in_order() {
            let entity = object.entity();
            if let Some(name) = entity.and_then(|entity| entity.key(key))
                // A number is a place in a list that nobody has.
                && name.parse::<i32>().is_err()
                && !name.is_empty()
                && !names.iter().any(|known| known == name)
            {
                names.push(name.to_owned());
            }
        }
        Self { names }
    }

    /// `line`: the command for a name.
    fn list(&self, config: &mut String, reset: &str, line: impl Fn(&str) -> String) {
        if self.names.is_empty() {
            return;
        }
        let _ = writeln!(config, "\n{reset}");
        for (number, name) in self.names.iter().enumerate() {
            let _ = writeln!(config, "{} // {number}", line(name));
        }
    }
}

/// What the list of the map that was imported says of a name.
fn words_of<'a>(settings: &'a [(String, String)], kind: &str, name: &str) -> Option<&'a str> {
    let found = settings
        .iter()
        .find(|(key, _)| key.strip_prefix(kind) == Some(name));
    found.map(|(_, words)| words.as_str())
}

/// Nothing else may get into a configuration that somebody hands on.
fn numbers(words: &str) -> Vec<f32> {
    let numbers = words.split_whitespace().map_while(|word| word.parse().ok());
    numbers.filter(|number: &f32| number.is_finite()).collect()
}

/// Each with a space before it.
fn joined(numbers: &[f32]) -> String {
    let mut words = String::new();
    for number in numbers {
        words.push(' ');
        words.push_str(&number.to_string());
    }
    words
}

/// With radius, height and snap, and perhaps a shadow, where the list said them.
fn model_line(name: &str, words: Option<&str>) -> String {
    let name = quoted(name);
    let numbers = numbers(words.unwrap_or_default());
    if numbers.len() < 3 {
        return format!("mmodel \"{name}\"");
    }
    let (before, after) = numbers.split_at(3);
    format!("mapmodel{} \"{name}\"{}", joined(before), joined(after))
}

/// Light that is an entity or a setting here is variables there. What still says the same stays as it was written.
fn light_variables(variables: &mut Vec<(String, Value)>, sun: Option<&Entity>, doc: &Document) {
    let number = |variables: &[(String, Value)], name: &str| {
        let found = variables.iter().find(|(known, _)| known == name)?;
        match found.1 {
            Value::Int(number) => Some(f64::from(number)),
            Value::Float(number) => Some(f64::from(number)),
            Value::Text(_) => None,
        }
    };
    let color = |value: f64| {
        let value = value as i64;
        let value = if (0..256).contains(&value) {
            value * 0x01_0101
        } else {
            value
        };
        DVec3::from([16, 8, 0].map(|shift| (value >> shift & 255) as f64))
    };
    ambient(variables, doc);
    let Some(sun) = sun else {
        return variables.retain(|(name, _)| !name.starts_with("sunlight"));
    };
    let wanted =
        sun.vector("color").unwrap_or(DVec3::ONE) * sun.number("intensity").unwrap_or(1.0) * 255.0;
    let now = number(variables, "sunlight").map_or(DVec3::ZERO, color)
        * number(variables, "sunlightscale").unwrap_or(1.0);
    if (wanted - now).abs().max_element() > 0.5 {
        let scale = (wanted.max_element() / 255.0).max(1.0);
        set(variables, "sunlight", Value::Int(packed(wanted / scale)));
        set(variables, "sunlightscale", Value::Float(scale as f32));
    }
    let angles = [
        (
            "sunlightyaw",
            turned_yaw_deg(sun.angles_deg.y - 180.0).rem_euclid(360.0),
        ),
        ("sunlightpitch", -sun.angles_deg.x),
    ];
    for (name, degrees) in angles {
        let default = if name == "sunlightpitch" { 90.0 } else { 0.0 };
        let now = number(variables, name).unwrap_or(default);
        if (now - degrees)
            .rem_euclid(360.0)
            .min((degrees - now).rem_euclid(360.0))
            > 0.5
        {
            set(variables, name, Value::Int(degrees.round() as i32));
        }
    }
}

pub fn set(variables: &mut Vec<(String, Value)>, name: &str, value: Value) {
    variables.retain(|(known, _)| known != name);
    variables.push((name.to_owned(), value));
}

fn ambient(variables: &mut Vec<(String, Value)>, doc: &Document) {
    const DEFAULT: i32 = 0x19_1919;
    let wanted = packed(doc.settings().ambient.as_dvec3() * 255.0);
    let known = variables.iter().find(|(name, _)| name == "ambient");
    let now = match known {
        Some((_, Value::Int(value))) if (0..256).contains(value) => value * 0x01_0101,
        Some((_, Value::Int(value))) => *value,
        _ => DEFAULT,
    };
    if now != wanted {
        // Zero would be the default.
        set(variables, "ambient", Value::Int(wanted.max(1)));
    }
}

/// 0xRRGGBB of channels up to 255.
#[must_use]
pub fn packed(color: DVec3) -> i32 {
    let [red, green, blue] = color
        .to_array()
        .map(|part| part.round().clamp(0.0, 255.0) as i32);
    red << 16 | green << 8 | blue
}
