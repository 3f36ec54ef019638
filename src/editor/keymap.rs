//! Which keys run which command: defaults of the table, then the user's changes.

use std::collections::BTreeMap;

use crate::editor::commands::COMMANDS;
use crate::editor::commands::Command;
use crate::editor::input::Chord;

/// Chords and commands, both ways.
#[derive(Clone)]
pub struct Keymap {
    by_chord: BTreeMap<Chord, Vec<&'static Command>>,
    by_command: BTreeMap<&'static str, Vec<Chord>>,
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
    /// `changes`: command id -> chords that replace its defaults; an empty list takes its keys away.
    #[must_use]
    pub fn new(changes: &BTreeMap<String, Vec<String>>) -> Self {
        let mut map = Self {
            by_chord: BTreeMap::new(),
            by_command: BTreeMap::new(),
            warnings: Vec::new(),
        };
        for id in changes.keys() {
            if Command::find(id).is_none() {
                map.warnings
                    .push(format!("Keys are set for \"{id}\", which is no command"));
            }
        }
        for command in COMMANDS.iter().copied().flatten() {
            let chords = match changes.get(command.id) {
                None => command.keys.to_vec(),
                Some(texts) => texts
                    .iter()
                    .filter_map(|text| {
                        text.parse()
                            .map_err(|error| {
                                map.warnings
                                    .push(format!("Keys of \"{}\": {error}", command.id));
                            })
                            .ok()
                    })
                    .collect(),
            };
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
        let conflicts = Keymap::new(&changes).conflicts();
        assert!(
            conflicts
                .iter()
                .any(|c| (c.first.id, c.second.id) == ("edit.undo", "edit.redo"))
        );
        assert!(Keymap::new(&BTreeMap::new()).conflicts().is_empty());
    }
}
