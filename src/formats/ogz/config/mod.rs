//! What a map's configuration says: texture slots, models, sounds, variables (`ogz.md` 10.1).

mod runner;
#[cfg(test)]
mod tests;
mod variables;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

pub use self::variables::is_known;
use crate::formats::Siblings;
use crate::formats::ogz::raw::Value;
use crate::task::Cancelled;
use crate::task::Progress;

/// The list that the game runs before a map's own file.
const DEFAULTS: &str = "data/default_map_settings.cfg";

/// A texture of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureSlot {
    /// From the game's root, `packages/...`, with forward slashes and no commands in front.
    pub picture: String,
    /// A picture of the same name ending in `.dds` goes before.
    pub prefers_dds: bool,
    /// 0 to 7.
    pub rotation: u8,
    /// Texels.
    pub offset: [i32; 2],
    /// Positive.
    pub scale: f32,
    pub shader: String,
    pub scroll: [f32; 2],
    /// Slot of the layer that a blend map mixes in; 0 for none.
    pub layer: i32,
    /// Front and back.
    pub alpha: [f32; 2],
    pub color: [f32; 3],
    /// Pictures beside the colour: normals, glow, heights, environment.
    pub others: usize,
    /// What a shader for it adds to the picture without any light: named as [`TextureSlot::picture`].
    pub glow: Option<String>,
    /// What the glow is multiplied by; `None`: the shader's own, white.
    pub glow_color: Option<[f32; 3]>,
    /// Commands about the shader, and about this slot, that only the game understands.
    pub shader_commands: Arc<Vec<String>>,
    pub commands: Arc<Vec<String>>,
}

/// A text between quotes of the configuration's language.
#[must_use]
pub fn quoted(text: &str) -> String {
    let plain = text
        .chars()
        .map(|c| if c == '"' || c.is_control() { '_' } else { c });
    plain.collect::<String>().replace('^', "^^")
}

impl TextureSlot {
    /// The picture as it is.
    #[must_use]
    pub fn new(picture: impl Into<String>) -> Self {
        Self {
            picture: picture.into(),
            prefers_dds: false,
            rotation: 0,
            offset: [0; 2],
            scale: 1.0,
            shader: String::new(),
            scroll: [0.0; 2],
            layer: 0,
            alpha: [0.5, 0.0],
            color: [1.0; 3],
            others: 0,
            glow: None,
            glow_color: None,
            shader_commands: Arc::default(),
            commands: Arc::default(),
        }
    }
}

/// What the files said, run in the game's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// Texture slots in the order of their lines.
    pub slots: Vec<TextureSlot>,
    /// Before which of [`Config::slots`] a file was missing that may have held more of them: ascending, each once.
    pub gaps: Vec<usize>,
    /// Slots of water, lava and the like, by the name of the material.
    pub materials: BTreeMap<String, TextureSlot>,
    /// Names of map models, `packages/models/<name>/`, by their index.
    pub models: Vec<String>,
    /// Radius and height of each of them in units; 0 where its line does not say.
    pub model_sizes: Vec<[f32; 2]>,
    /// Radius, height, snap and, where it is there, shadow of the models whose lines say them.
    pub model_words: BTreeMap<String, String>,
    /// Names of map sounds, `packages/sounds/<name>`, by their index.
    pub sounds: Vec<String>,
    /// What stands behind a sound's name: how loud, and how many at a time.
    pub sound_words: BTreeMap<String, String>,
    /// The variables of the map's file, overridden by those of the configuration.
    pub variables: BTreeMap<String, Value>,
    /// Files that were to be run and are not there, as far as the list of textures still depends on them.
    pub missing: Vec<String>,
    /// Such files before the end of the list of models, of which only what stands before the first of them is kept.
    pub missing_models: Vec<String>,
    /// The map has a configuration of its own.
    pub has_own: bool,
    /// Commands that were passed over because they do something later or without end.
    pub passed_over: usize,
}

impl Config {
    /// Runs the default list and the map's own file. `map`: the map's path; `variables`: those of the map.
    ///
    /// # Errors
    /// Only when cancelled.
    pub fn read(
        map: &Path,
        variables: &[(String, Value)],
        siblings: &dyn Siblings,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let mut runner = runner::Runner::new(siblings, progress);
        runner.config.variables = variables.iter().cloned().collect();
        runner.exec(DEFAULTS)?;
        if let Some(stem) = map.file_stem() {
            let name = format!("{}.cfg", stem.to_string_lossy());
            let own = siblings
                .read(&name)
                .or_else(|| siblings.read(&format!("packages/base/{name}")));
            if let Some(bytes) = own {
                runner.config.has_own = true;
                runner.run_file(&bytes)?;
            }
        }
        Ok(runner.finished())
    }

    /// The slots by number. `count`: how many there were when the map was saved, if that is known. Where a file is missing and
    /// nothing tells how many slots it held, the numbers behind it stay empty: a wrong picture is worse than none.
    #[must_use]
    pub fn numbered(&self, count: Option<usize>) -> Vec<Option<&TextureSlot>> {
        let all = || self.slots.iter().map(Some);
        match (self.gaps.as_slice(), count) {
            ([], _) => all().collect(),
            (_, Some(count)) if count == self.slots.len() => all().collect(),
            (&[gap], Some(count)) if count > self.slots.len() => {
                let hidden = count - self.slots.len();
                all()
                    .take(gap)
                    .chain(std::iter::repeat_n(None, hidden))
                    .chain(all().skip(gap))
                    .collect()
            }
            (&[gap, ..], _) => all().take(gap).collect(),
        }
    }

    /// Every slot is known.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.gaps.is_empty()
    }
}
