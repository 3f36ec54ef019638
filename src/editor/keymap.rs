//! Which keys run which command: defaults of the table, then what a preset says otherwise, then the user's changes.

use std::collections::BTreeMap;

use crate::editor::Editor;
use crate::editor::commands::COMMANDS;
use crate::editor::commands::Command;
use crate::editor::input::Chord;

/// A set of keys for hands that know another program. A preset is a plain text file that lists only what differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyPreset {
    #[default]
    Mapwright,
    Hammer,
}

impl KeyPreset {
    pub const ALL: [Self; 2] = [Self::Mapwright, Self::Hammer];

    /// As it stands in the settings.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Mapwright => "default",
            Self::Hammer => "hammer",
        }
    }

    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.id() == id)
    }

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Mapwright => "Mapwright",
            Self::Hammer => "Hammer",
        }
    }

    /// The file: TOML, command id = list of chords.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Mapwright => "",
            Self::Hammer => include_str!("../../assets/keys/hammer.toml"),
        }
    }
}

/// Chords and commands, both ways.
#[derive(Clone)]
pub struct Keymap {
    by_chord: BTreeMap<Chord, Vec<&'static Command>>,
    by_command: BTreeMap<&'static str, Vec<Chord>>,
    /// What the commands have without the user's changes.
    before_changes: BTreeMap<&'static str, Vec<Chord>>,
    /// Changes that could not be used, one sentence each.
    pub warnings: Vec<String>,
}

/// Two commands that one chord could mean at the same time.
#[derive(Clone, Copy)]
pub struct Conflict {
    pub chord: Chord,
    pub first: &'static Command,
    pub second: &'static Command,
}

impl Keymap {
    /// The default preset with changes: command id -> chords that replace its own; an empty list takes its keys away.
    #[must_use]
    pub fn new(changes: &BTreeMap<String, Vec<String>>) -> Self {
        Self::of(KeyPreset::Mapwright, changes)
    }

    /// A preset with the user's changes.
    #[must_use]
    pub fn of(preset: KeyPreset, changes: &BTreeMap<String, Vec<String>>) -> Self {
        let mut warnings = Vec::new();
        let differing = match toml::from_str::<BTreeMap<String, Vec<String>>>(preset.text()) {
            Ok(rows) => read(&rows, &mut warnings),
            Err(error) => {
                warnings.push(format!("The keys of {}: {error}", preset.label()));
                BTreeMap::new()
            }
        };
        let before_changes = laid_over(&differing);
        let changed = read(changes, &mut warnings);
        let mut map = Self {
            by_chord: BTreeMap::new(),
            by_command: BTreeMap::new(),
            before_changes,
            warnings,
        };
        for command in COMMANDS.iter().copied().flatten() {
            let own = || map.before_changes.get(command.id).cloned();
            let chords = changed
                .get(command.id)
                .cloned()
                .or_else(own)
                .unwrap_or_default();
            for &chord in &chords {
                map.by_chord.entry(chord).or_default().push(command);
            }
            map.by_command.insert(command.id, chords);
        }
        map
    }

    /// Commands a chord may mean, in the order of the table.
    #[must_use]
    pub fn commands(&self, chord: Chord) -> &[&'static Command] {
        self.by_chord.get(&chord).map_or(&[], Vec::as_slice)
    }

    /// Chords of a command; the first is the one to show.
    #[must_use]
    pub fn chords(&self, id: &str) -> &[Chord] {
        self.by_command.get(id).map_or(&[], Vec::as_slice)
    }

    /// What a command has in the preset, whatever the user has changed.
    #[must_use]
    pub fn preset_chords(&self, id: &str) -> &[Chord] {
        self.before_changes.get(id).map_or(&[], Vec::as_slice)
    }

    /// Text for menus and tooltips: "Ctrl+Z", or "".
    #[must_use]
    pub fn text(&self, id: &str) -> String {
        self.chords(id)
            .first()
            .map_or_else(String::new, ToString::to_string)
    }

    /// Pairs of commands with one chord in overlapping contexts.
    #[must_use]
    pub fn conflicts(&self) -> Vec<Conflict> {
        let mut found = Vec::new();
        for (&chord, commands) in &self.by_chord {
            for (index, &first) in commands.iter().enumerate() {
                for &second in &commands[index + 1..] {
                    if first.when.overlaps(&second.when) {
                        found.push(Conflict {
                            chord,
                            first,
                            second,
                        });
                    }
                }
            }
        }
        found
    }

    /// Commands that would have this chord at the same time as `command`.
    #[must_use]
    pub fn rivals(&self, command: &Command, chord: Chord) -> Vec<&'static Command> {
        self.commands(chord)
            .iter()
            .copied()
            .filter(|other| other.id != command.id && other.when.overlaps(&command.when))
            .collect()
    }
}

impl Editor {
    /// Another set of keys and habits of the pointer; what the user changed stays changed.
    pub fn set_key_preset(&mut self, preset: KeyPreset) {
        self.settings.key_preset = preset;
        self.keymap = Keymap::of(preset, &self.settings.keys);
    }

    /// The keys of one command from now on; `None` = those of the set again.
    pub fn set_keys(&mut self, id: &'static str, chords: Option<Vec<Chord>>) {
        let keys = &mut self.settings.keys;
        match chords {
            Some(chords) if chords != self.keymap.preset_chords(id) => {
                let texts = chords.iter().map(ToString::to_string).collect();
                keys.insert(id.to_owned(), texts);
            }
            _ => {
                keys.remove(id);
            }
        }
        self.keymap = Keymap::of(self.settings.key_preset, &self.settings.keys);
    }

    /// Every command has the keys of the set again.
    pub fn reset_keys(&mut self) {
        self.settings.keys.clear();
        self.keymap = Keymap::of(self.settings.key_preset, &self.settings.keys);
    }
}

/// Chords by command; what cannot be read is told.
fn read(
    rows: &BTreeMap<String, Vec<String>>,
    warnings: &mut Vec<String>,
) -> BTreeMap<&'static str, Vec<Chord>> {
    let mut chords = BTreeMap::new();
    for (id, texts) in rows {
        let Some(command) = Command::find(id) else {
            warnings.push(format!("Keys are set for \"{id}\", which is no command"));
            continue;
        };
        let mut own = Vec::new();
        for text in texts {
            match text.parse() {
                Ok(chord) => own.push(chord),
                Err(error) => warnings.push(format!("Keys of \"{id}\": {error}")),
            }
        }
        chords.insert(command.id, own);
    }
    chords
}

/// The defaults with what a preset says otherwise: a key that it gives is taken from whatever has it by default where both
/// could be meant.
fn laid_over(differing: &BTreeMap<&'static str, Vec<Chord>>) -> BTreeMap<&'static str, Vec<Chord>> {
    let mut given: BTreeMap<Chord, Vec<&'static Command>> = BTreeMap::new();
    for (id, chords) in differing {
        if let Some(command) = Command::find(id) {
            for &chord in chords {
                given.entry(chord).or_default().push(command);
            }
        }
    }
    let is_taken = |chord: Chord, from: &Command| {
        given
            .get(&chord)
            .is_some_and(|takers| takers.iter().any(|taker| taker.when.overlaps(&from.when)))
    };
    COMMANDS
        .iter()
        .copied()
        .flatten()
        .map(|command| {
            let chords = differing.get(command.id).cloned().unwrap_or_else(|| {
                let own = command.keys.iter().copied();
                own.filter(|&chord| !is_taken(chord, command)).collect()
            });
            (command.id, chords)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_replace_defaults_and_bad_ones_are_told() {
        let changes = BTreeMap::from([
            (
                "edit.undo".to_owned(),
                vec!["Ctrl+Alt+Z".to_owned(), "nonsense".to_owned()],
            ),
            ("no.such".to_owned(), vec![]),
        ]);
        let map = Keymap::new(&changes);
        assert_eq!(map.text("edit.undo"), "Ctrl+Alt+Z");
        assert_eq!(map.preset_chords("edit.undo").len(), 1);
        assert_eq!(map.warnings.len(), 2, "{:?}", map.warnings);
        let old = "Ctrl+Z".parse().expect("chord");
        assert!(
            map.commands(old)
                .iter()
                .all(|command| command.id != "edit.undo")
        );
    }

    #[test]
    fn a_conflict_is_found() {
        let changes = BTreeMap::from([("edit.undo".to_owned(), vec!["Ctrl+Y".to_owned()])]);
        let map = Keymap::new(&changes);
        let pair = |c: &Conflict| (c.first.id, c.second.id) == ("edit.undo", "edit.redo");
        assert!(map.conflicts().iter().any(pair));
        let undo = Command::find("edit.undo").expect("is there");
        let rivals = map.rivals(undo, "Ctrl+Y".parse().expect("chord"));
        assert_eq!(rivals.len(), 1);
        assert!(Keymap::new(&BTreeMap::new()).conflicts().is_empty());
    }

    #[test]
    fn a_preset_takes_its_keys_from_others() {
        let map = Keymap::of(KeyPreset::Hammer, &BTreeMap::new());
        assert_eq!(map.text("entity.tie"), "Ctrl+T");
        assert_eq!(map.text("object.hide"), "H");
        // Frame has two keys by default and keeps the one that the preset does not give away.
        assert_eq!(map.text("view.frame"), "Home");
        let changes = BTreeMap::from([("object.hide".to_owned(), vec!["J".to_owned()])]);
        let map = Keymap::of(KeyPreset::Hammer, &changes);
        assert_eq!(map.text("object.hide"), "J");
        assert_eq!(map.preset_chords("object.hide").len(), 2);
    }

    #[test]
    fn presets_have_names_that_come_back() {
        for preset in KeyPreset::ALL {
            assert_eq!(KeyPreset::from_id(preset.id()), Some(preset));
        }
        assert_eq!(KeyPreset::from_id("vi"), None);
    }
}
