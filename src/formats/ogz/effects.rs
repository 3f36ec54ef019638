//! What the game does to a texture beside placing it: shader, further pictures, scrolling, layer, amounts of see-through. The editor
//! shows nothing of it; it is kept with the material's name in `ORIG` (`ogz.md` 10.3), so that a map goes back as it came.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::formats::ogz::config::TextureSlot;
use crate::formats::ogz::config::quoted;
use crate::formats::ogz::script::Commands;
use crate::formats::ogz::script::Word;
use crate::formats::ogz::slots::Resolved;

/// How keys of `ORIG` begin that speak of a material, of a slot of water and the like, of a sound, of a model's line in the map's list,
/// and of the box that a model has by that list or by its own configuration.
pub const MATERIAL: &str = "material/";
pub const VOLUME: &str = "volume/";
pub const SOUND: &str = "sound/";
pub const MODEL: &str = "model/";
pub const MODEL_BOX: &str = "modelBox/";
/// How keys of `ORIG` begin that keep a variable's text with its colour codes.
pub const TEXT: &str = "text/";

/// Commands that stand between a shader's name and the textures that it draws.
pub const SHADER_COMMANDS: [&str; 4] = [
    "setshaderparam",
    "setpixelparam",
    "setvertexparam",
    "setuniformparam",
];
/// Commands about the slot before them that are kept as they are.
pub const SLOT_COMMANDS: [&str; 2] = ["texture", "autograss"];

/// Most words of a kept command, and characters of a word.
const MOST_WORDS: usize = 10;
const LONGEST_WORD: usize = 128;

/// See the module's text. Equal effects of one picture are one slot of the game's list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    pub shader: String,
    /// Commands, as [`kept`] makes them.
    pub shader_commands: Arc<Vec<String>>,
    pub commands: Arc<Vec<String>>,
    pub scroll: Option<[f32; 2]>,
    /// The picture of the layer that a blend map mixes in.
    pub layer: Option<String>,
    /// Front and back.
    pub alpha: Option<[f32; 2]>,
    pub parameters: Vec<(String, [f32; 4])>,
    /// With parts above 1, which no material has.
    pub color: Option<[f32; 3]>,
}

impl Effects {
    #[must_use]
    pub fn of(slot: &Resolved) -> Self {
        let plain = TextureSlot::new("");
        let is_too_bright = slot.color.iter().any(|&part| part > 1.0);
        Self {
            shader: slot.shader.clone(),
            shader_commands: Arc::clone(&slot.shader_commands),
            commands: Arc::clone(&slot.commands),
            scroll: (slot.scroll != plain.scroll).then_some(slot.scroll),
            layer: (slot.layer != 0).then(|| {
                let picture = slot.layer_picture.as_deref().unwrap_or_default();
                picture
                    .strip_prefix("packages/")
                    .unwrap_or(picture)
                    .to_owned()
            }),
            alpha: (slot.alpha != plain.alpha).then_some(slot.alpha),
            parameters: slot.parameters.clone(),
            color: is_too_bright.then_some(slot.color),
        }
    }

    /// Something that belongs to a variant of a texture, not to the texture.
    #[must_use]
    pub fn has_variant(&self) -> bool {
        self.scroll.is_some()
            || self.layer.is_some()
            || self.alpha.is_some()
            || !self.parameters.is_empty()
    }

    /// As properties of a material in `ORIG`; nothing for what is as usual.
    #[must_use]
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let mut settings = Vec::new();
        let mut put = |property: &'static str, value: Option<String>| {
            settings.extend(
                value
                    .filter(|value| !value.is_empty())
                    .map(|value| (property, value)),
            );
        };
        put("shader", Some(self.shader.clone()));
        put("shaderCommands", Some(self.shader_commands.join("; ")));
        put("commands", Some(self.commands.join("; ")));
        put("scroll", self.scroll.map(|scroll| numbers(&scroll)));
        // A layer of which the picture is not known is one all the same.
        let layer = self.layer.as_deref();
        put("layer", layer.map(|layer| format!("\"{}\"", quoted(layer))));
        put("alpha", self.alpha.map(|alpha| numbers(&alpha)));
        let parameters: Vec<String> = self
            .parameters
            .iter()
            .map(|(name, values)| format!("\"{}\" {}", quoted(name), numbers(values)))
            .collect();
        put("parameters", Some(parameters.join("; ")));
        put("color", self.color.map(|color| numbers(&color)));
        settings
    }

    /// The effects of all materials that `ORIG` speaks of, by their names.
    #[must_use]
    pub fn of_settings(settings: &[(String, String)]) -> BTreeMap<&str, Self> {
        let mut all: BTreeMap<&str, Self> = BTreeMap::new();
        for (key, value) in settings {
            let rest = key.strip_prefix(MATERIAL);
            if let Some((name, property)) = rest.and_then(|rest| rest.rsplit_once('/')) {
                all.entry(name).or_default().read(property, value);
            }
        }
        all
    }

    fn read(&mut self, property: &str, value: &str) {
        match property {
            "shader" => value.clone_into(&mut self.shader),
            "shaderCommands" => self.shader_commands = Arc::new(read(value, &SHADER_COMMANDS)),
            "commands" => self.commands = Arc::new(read(value, &SLOT_COMMANDS)),
            "scroll" => self.scroll = parsed(value),
            "layer" => {
                let word = words(value).into_iter().flatten().next();
                self.layer = Some(word.unwrap_or_default());
            }
            "alpha" => self.alpha = parsed(value),
            "parameters" => {
                self.parameters = words(value)
                    .into_iter()
                    .filter_map(|words| {
                        let (name, values) = words.split_first()?;
                        Some((name.clone(), parsed(&values.join(" "))?))
                    })
                    .collect();
            }
            "color" => self.color = parsed(value),
            _ => {}
        }
    }
}

/// A command that is kept, its words in quotes.
#[must_use]
pub fn kept(name: &str, words: &[String]) -> String {
    let mut line = name.to_owned();
    for word in words.iter().take(MOST_WORDS) {
        let word: String = word.chars().take(LONGEST_WORD).collect();
        line.push_str(" \"");
        line.push_str(&quoted(&word));
        line.push('"');
    }
    line
}

/// Those of a text's commands that are among these, made anew: a map that somebody hands on is not to bring other commands along.
#[must_use]
pub fn read(text: &str, allowed: &[&str]) -> Vec<String> {
    words(text)
        .into_iter()
        .filter_map(|words| {
            let (name, words) = words.split_first()?;
            allowed.contains(&name.as_str()).then(|| kept(name, words))
        })
        .collect()
}

fn words(text: &str) -> Vec<Vec<String>> {
    let plain = |word: &Word<'_>| match word {
        Word::Text(text) => text.clone().into_owned(),
        Word::Block(text) | Word::Call(text) | Word::Value(text) => (*text).to_owned(),
    };
    Commands::new(text)
        .map(|words| words.iter().map(plain).collect())
        .collect()
}

fn numbers(numbers: &[f32]) -> String {
    let words: Vec<String> = numbers.iter().map(f32::to_string).collect();
    words.join(" ")
}

/// Exactly this many finite numbers.
fn parsed<const N: usize>(text: &str) -> Option<[f32; N]> {
    let numbers: Vec<f32> = text
        .split_whitespace()
        .map_while(|word| word.parse().ok())
        .filter(|number: &f32| number.is_finite())
        .collect();
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_come_back_from_what_is_kept_of_them() {
        let effects = Effects {
            shader: "bumpspecmapworld".to_owned(),
            shader_commands: Arc::new(vec![kept(
                "setshaderparam",
                &["specscale".to_owned(), "1.5".to_owned()],
            )]),
            commands: Arc::new(vec![
                kept("texture", &["n".to_owned(), "a/b \"c\".jpg".to_owned()]),
                kept("autograss", &["g^x".to_owned()]),
            ]),
            scroll: Some([0.25, -1.0]),
            layer: Some("a/layer.jpg".to_owned()),
            alpha: Some([0.5, 0.1]),
            parameters: vec![("envscale".to_owned(), [0.1, 0.2, 0.3, 0.0])],
            color: Some([2.0, 1.0, 0.5]),
        };
        let settings: Vec<(String, String)> = effects
            .settings()
            .into_iter()
            .map(|(property, value)| (format!("material/x/wall#2/{property}"), value))
            .collect();
        let back = Effects::of_settings(&settings);
        assert_eq!(back, BTreeMap::from([("x/wall#2", effects)]));
        assert!(Effects::default().settings().is_empty());
    }

    #[test]
    fn commands_that_nobody_keeps_do_not_come_back() {
        let text = "texture n a.jpg; exec evil.cfg; texture 0 [b] (quit); setshaderparam a 1";
        assert_eq!(
            read(text, &SLOT_COMMANDS),
            ["texture \"n\" \"a.jpg\"", "texture \"0\" \"b\" \"quit\""]
        );
    }
}
