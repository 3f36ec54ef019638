//! Runs configurations, within bounds: no script runs forever, fills the memory or the stack.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::Config;
use super::TextureSlot;
use super::variables;
use crate::formats::Siblings;
use crate::formats::ogz::effects::SHADER_COMMANDS;
use crate::formats::ogz::effects::kept;
use crate::formats::ogz::raw::Value;
use crate::formats::ogz::script::Commands;
use crate::formats::ogz::script::Word;
use crate::formats::ogz::script::integer;
use crate::formats::ogz::script::number;
use crate::task::Cancelled;
use crate::task::Progress;

/// Bytes of text that are run, counted each time they run. The game's whole default list is a quarter of a megabyte.
const MOST_TEXT: usize = 4 << 20;
/// Bytes of one file.
const MOST_FILE: usize = 4 << 20;
/// What looking for a file costs, in bytes of text.
const FILE_COST: usize = 2 << 10;
/// Commands within commands, files within files.
const MOST_DEPTH: usize = 24;
/// Bytes of one word that commands put together.
const MOST_WORD: usize = 64 << 10;
/// Entries of one list; indices in a map have 16 bits.
const MOST_ENTRIES: usize = 1 << 16;
/// Every slot keeps the name.
const LONGEST_SHADER: usize = 64;
/// Kept commands of a shader, and of a slot.
const MOST_KEPT: usize = 10;
/// Aliases.
const MOST_ALIASES: usize = 1 << 14;

/// Names of materials with slots of their own; the first three may end in a number from 1 to 4.
const MATERIALS: &[&str] = &[
    "water",
    "lava",
    "glass",
    "air",
    "alpha",
    "clip",
    "death",
    "gameclip",
    "noclip",
    "waterfall",
];

/// Lists of textures: what the game's packages call theirs. They have no models.
const TEXTURE_LIST: &str = "package.cfg";

/// A file that is not there, with the number of entries before it in each list that it may have had more of.
struct Hole {
    path: String,
    slots: Option<usize>,
    models: Option<usize>,
}

pub struct Runner<'a> {
    pub config: Config,
    siblings: &'a dyn Siblings,
    progress: &'a Progress,
    aliases: HashMap<String, String>,
    shader: String,
    /// The parameter of that name of the shader.
    glow_color: Option<[f32; 3]>,
    shader_commands: Arc<Vec<String>>,
    /// The material whose slot was opened last; `None` when it was one of the list.
    in_material: Option<String>,
    /// Each path once: what it would have added came first where it was first wanted.
    holes: Vec<Hole>,
    /// Text that may still run.
    left: usize,
    depth: usize,
    /// Result of the last command.
    result: String,
}

impl<'a> Runner<'a> {
    pub fn new(siblings: &'a dyn Siblings, progress: &'a Progress) -> Self {
        Self {
            config: Config::default(),
            siblings,
            progress,
            aliases: HashMap::new(),
            shader: String::new(),
            glow_color: None,
            shader_commands: Arc::default(),
            in_material: None,
            holes: Vec::new(),
            left: MOST_TEXT,
            depth: 0,
            result: String::new(),
        }
    }

    /// Runs a file by its path from the game's root.
    pub fn exec(&mut self, path: &str) -> Result<(), Cancelled> {
        let path = plain_path(path);
        if self.depth >= MOST_DEPTH || self.left < FILE_COST {
            self.config.passed_over += 1;
            return Ok(());
        }
        self.left -= FILE_COST;
        let is_script = path
            .rsplit_once('.')
            .is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("cfg"));
        if is_script && let Some(bytes) = self.siblings.read(&path) {
            return self.run_file(&bytes);
        }
        if self.holes.len() < MOST_ENTRIES {
            let config = &self.config;
            let is_textures = path
                .rsplit('/')
                .next()
                .is_some_and(|name| name.eq_ignore_ascii_case(TEXTURE_LIST));
            self.holes.push(Hole {
                slots: Some(config.slots.len()),
                models: (!is_textures).then_some(config.models.len()),
                path,
            });
        }
        Ok(())
    }

    /// The configuration with what is known of the files that were not there.
    pub fn finished(mut self) -> Config {
        let config = &mut self.config;
        for hole in self.holes {
            let put = |list: &mut Vec<String>| {
                if !list.contains(&hole.path) {
                    list.push(hole.path.clone());
                }
            };
            if let Some(before) = hole.slots {
                if config.gaps.last() != Some(&before) {
                    config.gaps.push(before);
                }
                put(&mut config.missing);
            }
            // Behind a gap nothing tells which number is whose.
            if let Some(before) = hole.models {
                config.models.truncate(before);
                config.model_sizes.truncate(before);
                put(&mut config.missing_models);
            }
        }
        self.config
    }

    pub fn run_file(&mut self, bytes: &[u8]) -> Result<(), Cancelled> {
        self.run(&decoded(&bytes[..bytes.len().min(MOST_FILE)]))
    }

    fn run(&mut self, text: &str) -> Result<(), Cancelled> {
        let cost = text.len() + 16;
        if self.depth >= MOST_DEPTH || cost > self.left {
            self.config.passed_over += 1;
            return Ok(());
        }
        self.left -= cost;
        self.depth += 1;
        for words in Commands::new(text) {
            self.progress.check()?;
            self.command(&words)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn command(&mut self, words: &[Word<'_>]) -> Result<(), Cancelled> {
        let mut values = Vec::with_capacity(words.len());
        for word in words {
            let value = match word {
                Word::Text(text) => text.clone().into_owned(),
                Word::Block(text) => (*text).to_owned(),
                Word::Call(text) => {
                    self.result.clear();
                    self.run(text)?;
                    std::mem::take(&mut self.result)
                }
                Word::Value(name) => {
                    let value = self.value_of(name);
                    // What is put in costs as much as what is written out.
                    let can_pay = value.len() <= self.left;
                    self.left = self.left.saturating_sub(value.len());
                    if can_pay { value } else { String::new() }
                }
            };
            values.push(value);
        }
        let (name, words) = values
            .split_first()
            .map_or(("", &[][..]), |(name, words)| (name.as_str(), words));
        self.result.clear();
        if name != "=" && words.first().is_some_and(|word| word == "=") {
            self.alias(name, words.get(1).map_or("", String::as_str));
            return Ok(());
        }
        if !self.list_command(name, words) && !self.flow(name, words)? {
            self.other(name, words)?;
        }
        Ok(())
    }

    fn value_of(&self, name: &str) -> String {
        if let Some(alias) = self.aliases.get(name) {
            return alias.clone();
        }
        match self.config.variables.get(name) {
            Some(Value::Int(value)) => value.to_string(),
            Some(Value::Float(value)) => value.to_string(),
            Some(Value::Text(text)) => text.clone(),
            None => String::new(),
        }
    }

    fn alias(&mut self, name: &str, value: &str) {
        if value.len() <= MOST_WORD
            && (self.aliases.len() < MOST_ALIASES || self.aliases.contains_key(name))
        {
            self.aliases.insert(name.to_owned(), value.to_owned());
        } else {
            self.config.passed_over += 1;
        }
    }

    /// Variables and aliases; an unknown word is no error.
    fn other(&mut self, name: &str, words: &[String]) -> Result<(), Cancelled> {
        if let Some(value) = variables::value(name, words) {
            self.config.variables.insert(name.to_owned(), value);
            return Ok(());
        }
        let Some(body) = self.aliases.get(name).cloned() else {
            return Ok(());
        };
        for (index, word) in words.iter().enumerate().take(25) {
            self.alias(&format!("arg{}", index + 1), word);
        }
        self.run(&body)
    }

    /// Control flow and the functions that conditions are made of.
    fn flow(&mut self, name: &str, words: &[String]) -> Result<bool, Cancelled> {
        let word = |index: usize| words.get(index).map_or("", String::as_str);
        let truth = |value: bool| i32::from(value).to_string();
        let compared =
            |hit: fn(&i32, &i32) -> bool| truth(hit(&integer(word(0)), &integer(word(1))));
        self.result = match name {
            "exec" => return self.exec(word(0)).map(|()| true),
            "do" => return self.run(word(0)).map(|()| true),
            "if" => {
                let branch = word(if is_true(word(0)) { 1 } else { 2 });
                return self.run(branch).map(|()| true);
            }
            "loop" => {
                for turn in 0..integer(word(1)).max(0) {
                    self.alias(word(0), &turn.to_string());
                    let before = self.left;
                    self.run(word(2))?;
                    if self.left == before {
                        break;
                    }
                }
                return Ok(true);
            }
            "alias" => {
                self.alias(word(0), word(1));
                return Ok(true);
            }
            "while" | "sleep" | "loopwhile" | "looplist" | "loopfiles" => {
                self.config.passed_over += 1;
                String::new()
            }
            "result" => word(0).to_owned(),
            "strcmp" | "=s" => truth(word(0) == word(1)),
            "=" => compared(i32::eq),
            "!=" => compared(i32::ne),
            "<" => compared(i32::lt),
            ">" => compared(i32::gt),
            "<=" => compared(i32::le),
            ">=" => compared(i32::ge),
            "!" => truth(!is_true(word(0))),
            "&&" => truth(words.iter().all(|word| is_true(word))),
            "||" => truth(words.iter().any(|word| is_true(word))),
            "+" => integer(word(0)).wrapping_add(integer(word(1))).to_string(),
            "-" => integer(word(0)).wrapping_sub(integer(word(1))).to_string(),
            "*" => integer(word(0)).wrapping_mul(integer(word(1))).to_string(),
            "concat" => joined(words, " "),
            "concatword" => joined(words, ""),
            _ => return Ok(false),
        };
        Ok(true)
    }

    /// Commands that fill the lists.
    fn list_command(&mut self, name: &str, words: &[String]) -> bool {
        let word = |index: usize| words.get(index).map_or("", String::as_str);
        let config = &mut self.config;
        match name {
            "texture" => self.texture(words),
            "texturereset" => {
                let first = from(word(0));
                config.slots.truncate(first);
                // What is dropped takes its gap along.
                for hole in &mut self.holes {
                    hole.slots = hole.slots.filter(|&before| before < first);
                }
                self.in_material = None;
            }
            "materialreset" => config.materials.clear(),
            "setshader" => {
                self.shader = word(0).chars().take(LONGEST_SHADER).collect();
                self.glow_color = None;
                self.shader_commands = Arc::default();
            }
            _ if SHADER_COMMANDS.contains(&name) => {
                if name == "setshaderparam" && word(0) == "glowcolor" {
                    self.glow_color = Some([1, 2, 3].map(|i| number(word(i))));
                }
                if self.shader_commands.len() < MOST_KEPT {
                    Arc::make_mut(&mut self.shader_commands).push(kept(name, words));
                }
            }
            "mapmodelreset" => {
                let first = from(word(0));
                config.models.truncate(first);
                config.model_sizes.truncate(first);
                for hole in &mut self.holes {
                    hole.models = hole.models.filter(|&before| before < first);
                }
            }
            "mmodel" => push_model(config, word(0), [0.0; 2]),
            // Radius, height and a snap to the grid come first.
            "mapmodel" => {
                let numbers = [0, 1, 2, 4].map(|i| words.get(i).map(String::as_str));
                let numbers: Vec<String> = numbers
                    .into_iter()
                    .flatten()
                    .map(|word| number(word).to_string())
                    .collect();
                if config.model_words.len() < MOST_ENTRIES {
                    let name = word(3).replace('\\', "/");
                    config
                        .model_words
                        .entry(name)
                        .or_insert_with(|| numbers.join(" "));
                }
                push_model(config, word(3), [0, 1].map(|i| number(word(i))));
            }
            "mapsoundreset" => config.sounds.clear(),
            "mapsound" => {
                let numbers: Vec<String> = words
                    .iter()
                    .skip(1)
                    .take(2)
                    .map(|word| integer(word).to_string())
                    .collect();
                if !numbers.is_empty() && config.sound_words.len() < MOST_ENTRIES {
                    let name = word(0).replace('\\', "/");
                    config.sound_words.insert(name, numbers.join(" "));
                }
                push(&mut config.sounds, word(0));
            }
            "loadsky" => {
                let sky = Value::Text(word(0).to_owned());
                config.variables.insert("skybox".to_owned(), sky);
                if words.len() > 1 {
                    let spin = Value::Float(number(word(1)));
                    config.variables.insert("spinsky".to_owned(), spin);
                }
            }
            "mapmsg" => {
                let title = Value::Text(word(0).to_owned());
                config.variables.insert("maptitle".to_owned(), title);
            }
            _ => return self.slot_command(name, words),
        }
        true
    }

    /// Commands about the last slot of the list.
    fn slot_command(&mut self, name: &str, words: &[String]) -> bool {
        let word = |index: usize| words.get(index).map_or("", String::as_str);
        let count = self.config.slots.len();
        let known = [
            "texscale",
            "texoffset",
            "texrotate",
            "texscroll",
            "texcolor",
            "texalpha",
            "texlayer",
            "autograss",
        ];
        let Some(slot) = self.config.slots.last_mut() else {
            return known.contains(&name);
        };
        match name {
            "texscale" => slot.scale = scale(word(0)),
            "texoffset" => slot.offset = [0, 1].map(|i| integer(word(i)).max(0)),
            "texrotate" => slot.rotation = rotation(word(0)),
            // Texels a second become repeats of nothing here: kept as they are written.
            "texscroll" => slot.scroll = [0, 1].map(|i| number(word(i))),
            "texcolor" => slot.color = [0, 1, 2].map(|i| number(word(i)).clamp(0.0, 1.0)),
            "texalpha" => slot.alpha = [0, 1].map(|i| number(word(i)).clamp(0.0, 1.0)),
            "texlayer" => {
                let layer = integer(word(0));
                slot.layer = if layer < 0 {
                    (count as i32 - 1).saturating_add(layer).max(0)
                } else {
                    layer
                };
            }
            "autograss" => keep(slot, name, words),
            _ => return false,
        }
        true
    }

    fn texture(&mut self, words: &[String]) {
        let word = |index: usize| words.get(index).map_or("", String::as_str);
        let kind = word(0);
        let material = material(kind);
        if material.is_none() && !opens_slot(kind) {
            let slot = match &self.in_material {
                Some(name) => self.config.materials.get_mut(name),
                None => self.config.slots.last_mut(),
            };
            if let Some(slot) = slot {
                slot.others += 1;
                if is_glow(kind) {
                    slot.glow = Some(picture(word(1)).0);
                }
                keep(slot, "texture", words);
            }
            return;
        }
        let (picture, prefers_dds) = picture(word(1));
        let mut slot = TextureSlot::new(picture);
        slot.prefers_dds = prefers_dds;
        slot.rotation = rotation(word(2));
        slot.offset = [3, 4].map(|i| integer(word(i)).max(0));
        slot.scale = scale(word(5));
        slot.shader.clone_from(&self.shader);
        slot.glow_color = self.glow_color;
        slot.shader_commands = Arc::clone(&self.shader_commands);
        if let Some(name) = &material {
            self.config.materials.insert(name.clone(), slot);
        } else if self.config.slots.len() < MOST_ENTRIES {
            self.config.slots.push(slot);
        } else {
            self.config.passed_over += 1;
        }
        self.in_material = material;
    }
}

/// A command about a slot that goes back with it.
fn keep(slot: &mut TextureSlot, name: &str, words: &[String]) {
    if slot.commands.len() < MOST_KEPT {
        Arc::make_mut(&mut slot.commands).push(kept(name, words));
    }
}

fn is_true(word: &str) -> bool {
    !word.is_empty() && (integer(word) != 0 || number(word) != 0.0 || !is_number(word))
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
}

fn joined(words: &[String], between: &str) -> String {
    let mut text = words.join(between);
    let mut end = text.len().min(MOST_WORD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

fn from(word: &str) -> usize {
    integer(word).max(0).cast_unsigned() as usize
}

fn push(list: &mut Vec<String>, name: &str) {
    if list.len() < MOST_ENTRIES {
        list.push(name.replace('\\', "/"));
    }
}

fn push_model(config: &mut Config, name: &str, size: [f32; 2]) {
    push(&mut config.models, name);
    config.model_sizes.resize(config.models.len(), size);
}

fn scale(word: &str) -> f32 {
    let scale = number(word);
    if scale > 0.0 { scale } else { 1.0 }
}

fn rotation(word: &str) -> u8 {
    integer(word).clamp(0, 7) as u8
}

/// The name of the material whose slot a texture of this kind is; the first of four needs no number.
fn material(kind: &str) -> Option<String> {
    let plain = kind.strip_suffix('1').unwrap_or(kind);
    let base = plain.strip_suffix(['2', '3', '4']).unwrap_or(plain);
    let number = MATERIALS.iter().position(|&known| known == base)?;
    let is_one_of_four = number < 3 && (plain == kind || plain == base);
    (is_one_of_four || base == kind).then(|| plain.to_owned())
}

/// Kinds of pictures are letters or numbers; words that are neither count as the colour.
fn opens_slot(kind: &str) -> bool {
    match kind {
        "u" | "d" | "n" | "g" | "s" | "z" | "a" | "e" => false,
        _ => integer(kind) == 0,
    }
}

fn is_glow(kind: &str) -> bool {
    kind == "g" || integer(kind) == 4
}

/// The path of a picture from the game's root, without the commands in front of it; and whether one of these is `<dds>`.
fn picture(file: &str) -> (String, bool) {
    let mut file = file.trim();
    let mut prefers_dds = false;
    while let Some((command, rest)) = file
        .strip_prefix('<')
        .and_then(|inside| inside.split_once('>'))
    {
        prefers_dds |= command.eq_ignore_ascii_case("dds");
        file = rest;
    }
    let path = if file.is_empty() {
        String::new()
    } else {
        plain_path(&format!("packages/{file}"))
    };
    (path, prefers_dds)
}

/// Forward slashes, and no way round: `a\.\b/../c` is `a/c`. Never leaves the game's folder.
fn plain_path(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// UTF-8, with or without its mark in front; what is not is one byte a letter, as editors of the time wrote it.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    const MARK: &[u8] = &[0xEF, 0xBB, 0xBF];
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_or_else(
        |_| bytes.iter().copied().map(char::from).collect(),
        Cow::Borrowed,
    )
}
