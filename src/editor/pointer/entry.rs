//! Numbers typed while a drag runs or a tool waits for them (0.8): the readout becomes a row of fields.

use glam::DVec2;

use super::Capture;
use crate::editor::Editor;
use crate::editor::input::Key;
use crate::editor::numbers;
use crate::editor::overlay::Readout;
use crate::editor::request::StatusKind;
use crate::editor::tools::Gesture;
use crate::editor::tools::ToolAction;

/// Longer texts are no honest numbers.
const LONGEST: usize = 64;

/// What was typed so far, one text for each quantity of the tool.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    fields: Vec<String>,
    current: usize,
    /// Where the pointer was when typing began: it does not disturb while numbers are typed.
    at: DVec2,
    /// Shift was down when typing began: it constrains the drag and does not turn digits into signs.
    shift_before: bool,
}

impl Entry {
    fn new(count: usize, at: DVec2, shift_before: bool) -> Self {
        Self {
            fields: vec![String::new(); count],
            current: 0,
            at,
            shift_before,
        }
    }

    fn put(&mut self, sign: char) {
        if let Some(field) = self.fields.get_mut(self.current)
            && field.len() < LONGEST
        {
            field.push(sign);
        }
    }

    /// The next field; after the last one the first again.
    fn move_on(&mut self) {
        self.current = (self.current + 1) % self.fields.len().max(1);
    }

    /// Takes the last sign away; in an empty field it goes back to the one before. False when nothing is left.
    fn take_back(&mut self) -> bool {
        if self
            .fields
            .get_mut(self.current)
            .is_some_and(|field| field.pop().is_some())
        {
            return self.fields.iter().any(|field| !field.is_empty());
        }
        if self.current > 0 {
            self.current -= 1;
        }
        self.fields.iter().any(|field| !field.is_empty())
    }

    /// A value for each field that can be read; empty ones are left to the pointer, and so is what is not finished yet.
    fn values(&self) -> Vec<Option<f64>> {
        self.fields
            .iter()
            .map(|field| numbers::evaluate(field).ok())
            .collect()
    }

    /// Why it cannot be taken as it stands.
    fn fault(&self) -> Option<numbers::NoNumber> {
        self.fields
            .iter()
            .filter(|field| !field.trim().is_empty())
            .find_map(|field| numbers::evaluate(field).err())
    }

    /// `X 96, Y -, Z 40_`
    fn text(&self, names: &[&str]) -> String {
        let mut parts = Vec::with_capacity(self.fields.len());
        for (index, field) in self.fields.iter().enumerate() {
            let name = names.get(index).copied().unwrap_or("");
            let cursor = if index == self.current { "_" } else { "" };
            let typed = if field.is_empty() && cursor.is_empty() {
                "-"
            } else {
                field
            };
            parts.push(format!("{name} {typed}{cursor}").trim_start().to_owned());
        }
        parts.join(", ")
    }
}

/// The sign that a key of the keyboard writes into a number.
fn sign_of(key: Key) -> Option<char> {
    match key {
        Key::Digit(digit) => Some((b'0' + digit) as char),
        Key::Period => Some('.'),
        Key::Minus => Some('-'),
        Key::Plus => Some('+'),
        Key::Comma => Some(','),
        _ => None,
    }
}

impl Editor {
    /// True while typed signs go into the entry field of a drag.
    #[must_use]
    pub fn is_entering(&self) -> bool {
        self.pointer.entry.is_some()
    }

    /// The point that a running drag is evaluated at.
    pub(crate) fn drag_point(&self) -> DVec2 {
        self.pointer
            .entry
            .as_ref()
            .map_or(self.pointer.at, |entry| entry.at)
    }

    /// Forgets what is typed: the drag is over.
    pub(super) fn drop_entry(&mut self) {
        self.pointer.entry = None;
    }

    fn quantities(&self) -> &'static [&'static str] {
        self.with_tool_cx(self.pointer.pane(), |cx| self.tools.active().quantities(cx))
    }

    /// A key while numbers are typed, or one that begins it. False when it is none of this.
    pub(super) fn entry_key(&mut self, key: Key) -> bool {
        let modifiers = self.pointer.modifiers;
        if modifiers.ctrl {
            return false;
        }
        let Some(entry) = &self.pointer.entry else {
            return match sign_of(key) {
                // A plus alone begins nothing: it is the grid's key, too. And Alt+0 switches snapping.
                Some('+') | None => false,
                Some('0') if modifiers.alt => false,
                Some(sign) => self.begin_entry(sign, modifiers.shift),
            };
        };
        let as_sign = modifiers.shift && !entry.shift_before;
        match key {
            Key::Enter => self.commit_entry(),
            Key::Escape => self.close_entry(),
            Key::Tab => self.change_entry(|entry| {
                entry.move_on();
                true
            }),
            Key::Backspace => self.change_entry(Entry::take_back),
            // With Shift it writes another sign, which comes as a character of its own.
            Key::Digit(_) if as_sign => {}
            _ => match sign_of(key) {
                Some(sign) => self.type_sign(sign),
                // What else is pressed keeps its meaning in the drag.
                None => return false,
            },
        }
        true
    }

    /// A character that no key stands for: `* / ( )`.
    pub(super) fn entry_character(&mut self, character: char) {
        let modifiers = self.pointer.modifiers;
        if modifiers.ctrl || !"*/()".contains(character) {
            return;
        }
        match &self.pointer.entry {
            // Shift constrains the drag: the key came as a digit.
            Some(entry) if entry.shift_before && modifiers.shift => {}
            Some(_) => self.type_sign(character),
            None if character == '(' => {
                self.begin_entry('(', false);
            }
            None => {}
        }
    }

    fn begin_entry(&mut self, sign: char, shift_before: bool) -> bool {
        let waits = self.is_dragging() || self.pointer.capture.is_none();
        if !waits {
            return false;
        }
        let count = self.quantities().len();
        if count == 0 {
            return false;
        }
        self.pointer.entry = Some(Entry::new(count, self.pointer.at, shift_before));
        self.type_sign(sign);
        true
    }

    fn type_sign(&mut self, sign: char) {
        self.change_entry(|entry| {
            if sign == ',' {
                entry.move_on();
            } else {
                entry.put(sign);
            }
            true
        });
    }

    /// Changes what is typed and shows what it comes to; `false` of `change`: nothing is left, the pointer takes over.
    fn change_entry(&mut self, change: impl FnOnce(&mut Entry) -> bool) {
        let Some(entry) = &mut self.pointer.entry else {
            return;
        };
        if !change(entry) {
            return self.close_entry();
        }
        let values = entry.values();
        self.enter_values(&values);
    }

    fn enter_values(&mut self, values: &[Option<f64>]) {
        let outcome = self.with_tool(|tool, cx| tool.enter(cx, values));
        self.carry_out(outcome);
    }

    /// Back to mouse control.
    fn close_entry(&mut self) {
        if let Some(entry) = self.pointer.entry.take() {
            self.enter_values(&vec![None; entry.fields.len()]);
            self.drag_again();
        }
    }

    /// `Enter`: the drag is over as it stands; the release of the button that follows means nothing.
    fn commit_entry(&mut self) {
        let Some(entry) = &self.pointer.entry else {
            return;
        };
        if let Some(fault) = entry.fault() {
            return self.say(StatusKind::Refused, fault.to_string());
        }
        self.pointer.entry = None;
        if matches!(
            self.pointer.capture,
            Some(Capture::Left { dragging: true, .. })
        ) {
            self.pointer.capture = None;
            self.gesture(Gesture::End);
        } else {
            self.offer_action(ToolAction::Apply);
        }
        self.pointer.stale_hover = true;
    }

    /// The readout as an entry field, with what it comes to.
    pub(crate) fn entry_readout(&self) -> Option<Readout> {
        let entry = self.pointer.entry.as_ref()?;
        let names = self.quantities();
        let result = self.tools.active().readout();
        let typed = entry.text(names);
        let last_is_open = entry.fault().is_some();
        Some(match result {
            Some(result) => Readout {
                text: format!("{typed} = {}", result.text),
                refused: result.refused || last_is_open,
            },
            None => Readout {
                text: typed,
                refused: last_is_open,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_typed_left_and_taken_back() {
        let mut entry = Entry::new(3, DVec2::ZERO, false);
        for sign in "96".chars() {
            entry.put(sign);
        }
        entry.move_on();
        entry.move_on();
        entry.put('4');
        assert_eq!(entry.values(), [Some(96.0), None, Some(4.0)]);
        assert_eq!(entry.text(&["X", "Y", "Z"]), "X 96, Y -, Z 4_");
        assert!(entry.take_back());
        assert!(entry.take_back() && entry.current == 1);
        assert!(entry.take_back() && entry.current == 0);
        assert!(entry.take_back() && !entry.take_back());
        entry.put('(');
        assert_eq!(entry.values(), [None, None, None]);
        assert!(entry.fault().is_some());
    }
}
