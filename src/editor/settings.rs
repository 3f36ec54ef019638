//! What the user set, in a TOML file that never fails to load: unknown keys are kept, bad values become defaults.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Table;
use toml::Value;

use crate::assets::save::SaveMode;
use crate::assets::save::save_file;
use crate::editor::keymap::KeyPreset;
use crate::editor::toggles::ViewToggles;
use crate::editor::views::Layout;
use crate::editor::views::MAX_PANES;

/// Most files in the list of recent ones, and most maps whose own settings are kept.
const MAX_RECENT: usize = 20;
const MAX_MAPS: usize = 200;

/// See the module's text. Unknown keys of the file are written back as they came.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// `dark`, `light` or `system`.
    pub theme: String,
    /// Scale of the user interface, 0.5..=3.
    pub ui_scale: f64,
    /// Folders, `.wad`, `.utx` and `.zip` files in which textures are looked for.
    pub texture_paths: Vec<PathBuf>,
    /// Files with entity definitions (`.fgd`); later ones win.
    pub definitions: Vec<PathBuf>,
    /// Newest first.
    pub recent: Vec<PathBuf>,
    /// Mouse look: 1 = 0.15 degrees per point, 0.1..=4.
    pub look_sensitivity: f64,
    pub invert_y: bool,
    /// Units per second of a map that has none of its own, 16..=16384.
    pub fly_speed: f64,
    /// Dolly along the view axis instead of the ray through the pointer.
    pub dolly_along_axis: bool,
    /// 2D views share each world axis.
    pub link_2d: bool,
    pub alignment_lock: bool,
    /// Edits of vertices keep texture coordinates (LOCK-2).
    pub uv_lock: bool,
    /// Rectangles in 3D take only what can be seen (SEL-5).
    pub marquee_visible_only: bool,
    /// Turned entities change their angles (ROT-3).
    pub turn_entities: bool,
    /// Flipped textures stay readable (FLP-1).
    pub keep_lettering: bool,
    /// Held keys of CSG commands show what they would do (CSG-1).
    pub preview_csg: bool,
    /// Thickness of walls that hollowing makes; `None` = the grid step (BRU-5).
    pub wall: Option<f64>,
    pub autosave: bool,
    /// Seconds of changes between autosaves, >= 10.
    pub autosave_s: f64,
    /// A save starts a build.
    pub build_on_save: bool,
    /// Threads of builds; 0 = all but one.
    pub build_threads: usize,
    pub layout: Layout,
    /// What each pane shows, by pane.
    pub panes: [ViewToggles; MAX_PANES],
    pub grid_shown: bool,
    /// The docks, in a form of the shell's own.
    pub docks: String,
    /// Which set of keys and of habits of the pointer.
    pub key_preset: KeyPreset,
    /// Clicks and drags in a group take what is inside it.
    pub ignore_groups: bool,
    /// Command id -> key combinations that replace its defaults.
    pub keys: BTreeMap<String, Vec<String>>,
    /// By the map's path: what belongs to a map but has no place in its file.
    pub maps: BTreeMap<String, MapEntry>,
    /// Keys of other versions, written back as they came.
    pub unknown: Table,
}

/// Settings of one map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, serde::Deserialize)]
#[serde(default)]
pub struct MapEntry {
    pub fly_speed: Option<f64>,
    pub grid_origin: Option<[f64; 3]>,
    /// Measured lines: two points, and 1 when the line goes on from the one before.
    pub measures: Vec<[f64; 7]>,
    /// Keys of problems that the user ignores: `code object`.
    pub ignored_problems: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: "dark".to_owned(),
            ui_scale: 1.0,
            texture_paths: Vec::new(),
            definitions: Vec::new(),
            recent: Vec::new(),
            look_sensitivity: 1.0,
            invert_y: false,
            fly_speed: 512.0,
            dolly_along_axis: false,
            link_2d: true,
            alignment_lock: true,
            uv_lock: false,
            marquee_visible_only: true,
            turn_entities: true,
            keep_lettering: false,
            preview_csg: false,
            wall: None,
            autosave: true,
            autosave_s: 120.0,
            build_on_save: true,
            build_threads: 0,
            layout: Layout::default(),
            panes: Default::default(),
            grid_shown: true,
            docks: String::new(),
            key_preset: KeyPreset::default(),
            ignore_groups: false,
            keys: BTreeMap::new(),
            maps: BTreeMap::new(),
            unknown: Table::new(),
        }
    }
}

/// Takes values out of a table, noting those that make no sense.
struct Reader {
    table: Table,
    warnings: Vec<String>,
}

impl Reader {
    fn take<T: DeserializeOwned>(&mut self, key: &str, default: T) -> T {
        let Some(value) = self.table.remove(key) else {
            return default;
        };
        value.try_into().unwrap_or_else(|error: toml::de::Error| {
            self.warnings.push(format!(
                "Setting \"{key}\": {}; the default is used",
                error.message()
            ));
            default
        })
    }

    fn preset(&mut self) -> KeyPreset {
        let id: String = self.take("key_preset", String::new());
        if id.is_empty() {
            return KeyPreset::default();
        }
        KeyPreset::from_id(&id).unwrap_or_else(|| {
            self.warnings.push(format!(
                "Setting \"key_preset\": there are no keys called \"{id}\"; the default is used"
            ));
            KeyPreset::default()
        })
    }

    fn number(&mut self, key: &str, default: f64, least: f64, most: f64) -> f64 {
        let value = match self.table.get(key) {
            Some(Value::Integer(number)) => {
                let number = *number as f64;
                self.table.remove(key);
                number
            }
            _ => self.take(key, default),
        };
        if value >= least && value <= most {
            return value;
        }
        self.warnings.push(format!(
            "Setting \"{key}\": {value} is not between {least} and {most}; the default is used"
        ));
        default
    }
}

impl Settings {
    /// Settings from text, and what was wrong with it.
    #[must_use]
    pub fn from_toml(text: &str) -> (Self, Vec<String>) {
        let mut warnings = Vec::new();
        let table = text.parse::<Table>().unwrap_or_else(|error| {
            warnings.push(format!(
                "The settings cannot be read ({}); defaults are used",
                error.message()
            ));
            Table::new()
        });
        let mut read = Reader { table, warnings };
        let d = Self::default();
        let settings = Self {
            theme: read.take("theme", d.theme),
            ui_scale: read.number("ui_scale", d.ui_scale, 0.5, 3.0),
            texture_paths: read.take("texture_paths", d.texture_paths),
            definitions: read.take("definitions", d.definitions),
            recent: read.take("recent", d.recent),
            look_sensitivity: read.number("look_sensitivity", d.look_sensitivity, 0.1, 4.0),
            invert_y: read.take("invert_y", d.invert_y),
            fly_speed: read.number("fly_speed", d.fly_speed, 16.0, 16384.0),
            dolly_along_axis: read.take("dolly_along_axis", d.dolly_along_axis),
            link_2d: read.take("link_2d", d.link_2d),
            alignment_lock: read.take("alignment_lock", d.alignment_lock),
            uv_lock: read.take("uv_lock", d.uv_lock),
            marquee_visible_only: read.take("marquee_visible_only", d.marquee_visible_only),
            turn_entities: read.take("turn_entities", d.turn_entities),
            keep_lettering: read.take("keep_lettering", d.keep_lettering),
            preview_csg: read.take("preview_csg", d.preview_csg),
            wall: read
                .take("wall", d.wall)
                .filter(|&wall: &f64| wall.is_finite() && wall != 0.0),
            autosave: read.take("autosave", d.autosave),
            autosave_s: read.number("autosave_s", d.autosave_s, 10.0, 86400.0),
            build_on_save: read.take("build_on_save", d.build_on_save),
            build_threads: read.take("build_threads", d.build_threads),
            layout: read.take("layout", d.layout).sound(),
            panes: read.take("panes", d.panes),
            grid_shown: read.take("grid_shown", d.grid_shown),
            docks: read.take("docks", d.docks),
            key_preset: read.preset(),
            ignore_groups: read.take("ignore_groups", d.ignore_groups),
            keys: read.take("keys", d.keys),
            maps: read.take("maps", d.maps),
            unknown: Table::new(),
        };
        (
            Self {
                unknown: read.table,
                ..settings
            },
            read.warnings,
        )
    }

    /// Settings from a file. A missing file gives defaults without a warning; nothing can make this fail.
    #[must_use]
    pub fn load(path: &Path) -> (Self, Vec<String>) {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::from_toml(&text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                (Self::default(), Vec::new())
            }
            Err(error) => (
                Self::default(),
                vec![format!(
                    "Could not read {}: {error}; default settings are used",
                    path.display()
                )],
            ),
        }
    }

    /// The file's text: every key, the unknown ones too.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut table = self.unknown.clone();
        let mut put = |key: &str, value: Result<Value, toml::ser::Error>| {
            // Only a value of no TOML form fails, and the types above have none such.
            if let Ok(value) = value {
                table.insert(key.to_owned(), value);
            }
        };
        put("theme", Value::try_from(&self.theme));
        put("ui_scale", Value::try_from(self.ui_scale));
        put("texture_paths", Value::try_from(&self.texture_paths));
        put("definitions", Value::try_from(&self.definitions));
        put("recent", Value::try_from(&self.recent));
        put("look_sensitivity", Value::try_from(self.look_sensitivity));
        put("invert_y", Value::try_from(self.invert_y));
        put("fly_speed", Value::try_from(self.fly_speed));
        put("dolly_along_axis", Value::try_from(self.dolly_along_axis));
        put("link_2d", Value::try_from(self.link_2d));
        put("alignment_lock", Value::try_from(self.alignment_lock));
        put("uv_lock", Value::try_from(self.uv_lock));
        put(
            "marquee_visible_only",
            Value::try_from(self.marquee_visible_only),
        );
        put("turn_entities", Value::try_from(self.turn_entities));
        put("keep_lettering", Value::try_from(self.keep_lettering));
        put("preview_csg", Value::try_from(self.preview_csg));
        if let Some(wall) = self.wall {
            put("wall", Value::try_from(wall));
        }
        put("autosave", Value::try_from(self.autosave));
        put("autosave_s", Value::try_from(self.autosave_s));
        put("build_on_save", Value::try_from(self.build_on_save));
        put("build_threads", Value::try_from(self.build_threads));
        put(
            "layout",
            Value::try_from(Layout {
                maximised: None,
                ..self.layout.clone()
            }),
        );
        put("panes", Value::try_from(self.panes));
        put("grid_shown", Value::try_from(self.grid_shown));
        put("docks", Value::try_from(&self.docks));
        put("key_preset", Value::try_from(self.key_preset.id()));
        put("ignore_groups", Value::try_from(self.ignore_groups));
        put("keys", Value::try_from(&self.keys));
        put("maps", Value::try_from(&self.maps));
        toml::to_string_pretty(&table).unwrap_or_default()
    }

    /// Writes the file by way of a temporary one beside it.
    ///
    /// # Errors
    /// The system's error; the old file is intact then.
    pub fn save(&self, path: &Path) -> std::io::Result<()> {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        save_file(path, self.to_toml().as_bytes(), SaveMode::default())
            .map_err(std::io::Error::other)?;
        Ok(())
    }

    /// Puts a file at the head of the recent ones.
    pub fn remember(&mut self, path: &Path) {
        self.recent.retain(|old| old != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(MAX_RECENT);
    }

    /// What is kept for a map.
    #[must_use]
    pub fn map(&self, path: &Path) -> MapEntry {
        self.maps
            .get(&*path.to_string_lossy())
            .cloned()
            .unwrap_or_default()
    }

    /// Changes what is kept for a map; maps no longer among the recent files go first when there are too many.
    pub fn update_map(&mut self, path: &Path, change: impl FnOnce(&mut MapEntry)) {
        let key = path.to_string_lossy().into_owned();
        change(self.maps.entry(key.clone()).or_default());
        while self.maps.len() > MAX_MAPS {
            let is_recent = |name: &str| {
                self.recent
                    .iter()
                    .any(|path| path.to_string_lossy() == name)
            };
            let Some(victim) = self
                .maps
                .keys()
                .find(|name| **name != key && !is_recent(name))
                .cloned()
            else {
                break;
            };
            self.maps.remove(&victim);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_round_trip_and_keep_unknown_keys() {
        let (mut settings, warnings) = Settings::from_toml(
            "future = [1, 2]\nfly_speed = 300\n[keys]\n\"edit.undo\" = [\"Ctrl+U\"]\n",
        );
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(settings.fly_speed, 300.0);
        settings.remember(Path::new("a.hmap"));
        settings.update_map(Path::new("a.hmap"), |entry| entry.fly_speed = Some(100.0));
        let text = settings.to_toml();
        assert!(text.contains("future"), "{text}");
        let (again, warnings) = Settings::from_toml(&text);
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(again, settings);
    }

    #[test]
    fn bad_values_become_defaults_with_a_warning() {
        let check = |text: &str, warnings: usize| {
            let (settings, found) = Settings::from_toml(text);
            assert_eq!(found.len(), warnings, "{text}: {found:?}");
            assert_eq!(settings.look_sensitivity, 1.0, "{text}");
            assert_eq!(settings.layout, Layout::default(), "{text}");
        };
        check("", 0);
        check("look_sensitivity = 99", 1);
        check("look_sensitivity = nan", 1);
        check("look_sensitivity = \"fast\"", 1);
        check("layout = 3", 1);
        check("= broken", 1);
        check("[layout]\ncount = 77\n", 0);
    }

    #[test]
    fn a_missing_file_is_no_fault_and_a_saved_one_comes_back() {
        let folder = tempfile::tempdir().expect("temp dir");
        let path = folder.path().join("deep/settings.toml");
        assert_eq!(Settings::load(&path), (Settings::default(), Vec::new()));
        let settings = Settings {
            invert_y: true,
            ..Settings::default()
        };
        settings.save(&path).expect("saved");
        assert_eq!(Settings::load(&path), (settings, Vec::new()));
    }
}
