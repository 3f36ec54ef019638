//! The configuration that lies beside a written map, and colours that are variables there.

use std::fmt::Write as _;

use crate::document::Document;
use crate::formats::ogz::config::quoted;
use crate::formats::ogz::effects;
use crate::formats::ogz::effects::SHADER_COMMANDS;
use crate::formats::ogz::effects::SLOT_COMMANDS;
use crate::formats::ogz::effects::VOLUME;
use crate::formats::ogz::materials::volume_color;
use crate::formats::ogz::raw::Value;
use crate::formats::ogz::write::entities::packed;
use crate::formats::ogz::write::entities::set;
use crate::formats::ogz::write::sorted::fill_bits;
use crate::formats::ogz::write::surface::Picture;

/// The shader of textures that ask for none.
const PLAIN: &str = "stdworld";

/// Pictures in the order of their numbers, each with its shader and what belongs to it.
#[must_use]
pub fn pictures(pictures: &[Picture]) -> String {
    let mut text = String::from("texturereset\n");
    let mut before: Option<(&str, &[String])> = None;
    for (number, picture) in pictures.iter().enumerate() {
        let shader = if picture.shader.is_empty() {
            PLAIN
        } else {
            picture.shader.as_str()
        };
        let wanted = (shader, picture.shader_commands.as_slice());
        if before != Some(wanted) {
            let _ = writeln!(text, "setshader \"{}\"", quoted(shader));
            for command in wanted.1 {
                let _ = writeln!(text, "{command}");
            }
            text.push('\n');
        }
        before = Some(wanted);
        let _ = writeln!(text, "texture 0 \"{}\" // {number}", quoted(&picture.path));
        for command in picture.commands.iter() {
            let _ = writeln!(text, "{command}");
        }
    }
    text
}

/// The slots of water, lava and the like, as the map came with them.
#[must_use]
pub fn volumes(settings: &[(String, String)]) -> String {
    let mut allowed = vec!["setshader"];
    allowed.extend(SHADER_COMMANDS);
    allowed.extend(SLOT_COMMANDS);
    let mut text = String::new();
    for (_, commands) in settings.iter().filter(|(key, _)| key.starts_with(VOLUME)) {
        text.push('\n');
        for command in effects::read(commands, &allowed) {
            let _ = writeln!(text, "{command}");
        }
    }
    text
}

/// The colours of liquids and glass, where the materials have others than the variables say.
pub fn colors(doc: &Document, variables: &mut Vec<(String, Value)>) {
    for (_, material) in doc.materials() {
        let Some(usual) = fill_bits(&material.name).and_then(volume_color) else {
            continue;
        };
        let name = format!("{}colour", material.name);
        let known = variables.iter().find(|(known, _)| *known == name);
        let now = match known {
            Some((_, Value::Int(color))) if *color != 0 => *color & 0x00FF_FFFF,
            _ => usual.cast_signed(),
        };
        let wanted = packed(material.color.as_dvec3() * 255.0);
        if wanted != now {
            // Zero would be the usual one.
            set(variables, &name, Value::Int(wanted.max(1)));
        }
    }
}
