//! What the user does, without any window library: keys, buttons, chords, events of a pane.

use std::fmt;
use std::str::FromStr;

use glam::DVec2;

/// A key. Letters are the produced letter (the physical US position where the layout makes no Latin letter);
/// digits and arrows are physical positions (`interactions.md` 0.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// `'A'..='Z'`.
    Letter(char),
    /// 0..=9, the row above the letters.
    Digit(u8),
    /// 1..=12.
    F(u8),
    Left,
    Right,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    Insert,
    Delete,
    Backspace,
    Enter,
    Tab,
    Space,
    Escape,
    Minus,
    Plus,
    BracketLeft,
    BracketRight,
    Comma,
    Period,
}

impl Key {
    /// Name as written in menus and settings.
    fn name(self) -> String {
        match self {
            Self::Letter(letter) => letter.to_string(),
            Self::Digit(digit) => digit.to_string(),
            Self::F(number) => format!("F{number}"),
            other => NAMES
                .iter()
                .find(|(key, _)| *key == other)
                .map_or_else(String::new, |(_, name)| (*name).to_owned()),
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        if let Some((key, _)) = NAMES
            .iter()
            .find(|(_, known)| known.eq_ignore_ascii_case(name))
        {
            return Some(*key);
        }
        let mut letters = name.chars();
        match (letters.next()?, letters.as_str()) {
            (letter, "") if letter.is_ascii_alphabetic() => {
                Some(Self::Letter(letter.to_ascii_uppercase()))
            }
            (digit, "") if digit.is_ascii_digit() => Some(Self::Digit(digit as u8 - b'0')),
            ('F' | 'f', number) => number
                .parse()
                .ok()
                .filter(|n| (1..=12).contains(n))
                .map(Self::F),
            _ => None,
        }
    }
}

const NAMES: &[(Key, &str)] = &[
    (Key::Left, "Left"),
    (Key::Right, "Right"),
    (Key::Up, "Up"),
    (Key::Down, "Down"),
    (Key::PageUp, "PgUp"),
    (Key::PageDown, "PgDn"),
    (Key::Home, "Home"),
    (Key::End, "End"),
    (Key::Insert, "Ins"),
    (Key::Delete, "Del"),
    (Key::Backspace, "Backspace"),
    (Key::Enter, "Enter"),
    (Key::Tab, "Tab"),
    (Key::Space, "Space"),
    (Key::Escape, "Esc"),
    (Key::Minus, "-"),
    (Key::Plus, "+"),
    (Key::BracketLeft, "["),
    (Key::BracketRight, "]"),
    (Key::Comma, ","),
    (Key::Period, "."),
];

/// `ctrl` is `Cmd` on macOS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Modifiers {
    pub ctrl: bool,
    pub shift: bool,
    pub alt: bool,
}

impl Modifiers {
    pub const NONE: Self = Self {
        ctrl: false,
        shift: false,
        alt: false,
    };
    pub const CTRL: Self = Self {
        ctrl: true,
        ..Self::NONE
    };
    pub const SHIFT: Self = Self {
        shift: true,
        ..Self::NONE
    };
    pub const ALT: Self = Self {
        alt: true,
        ..Self::NONE
    };
    pub const CTRL_SHIFT: Self = Self {
        ctrl: true,
        shift: true,
        alt: false,
    };
    pub const CTRL_ALT: Self = Self {
        ctrl: true,
        shift: false,
        alt: true,
    };

    #[must_use]
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Button {
    Left,
    Right,
    Middle,
}

/// A key with its modifiers: what a command is bound to. Written `Ctrl+Shift+A`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chord {
    pub modifiers: Modifiers,
    pub key: Key,
}

impl Chord {
    #[must_use]
    pub const fn new(modifiers: Modifiers, key: Key) -> Self {
        Self { modifiers, key }
    }

    #[must_use]
    pub const fn plain(key: Key) -> Self {
        Self::new(Modifiers::NONE, key)
    }

    #[must_use]
    pub const fn ctrl(key: Key) -> Self {
        Self::new(Modifiers::CTRL, key)
    }

    #[must_use]
    pub const fn shift(key: Key) -> Self {
        Self::new(Modifiers::SHIFT, key)
    }

    #[must_use]
    pub const fn alt(key: Key) -> Self {
        Self::new(Modifiers::ALT, key)
    }

    #[must_use]
    pub const fn ctrl_shift(key: Key) -> Self {
        Self::new(Modifiers::CTRL_SHIFT, key)
    }

    #[must_use]
    pub const fn ctrl_alt(key: Key) -> Self {
        Self::new(Modifiers::CTRL_ALT, key)
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Modifiers { ctrl, shift, alt } = self.modifiers;
        for (held, name) in [(ctrl, "Ctrl+"), (alt, "Alt+"), (shift, "Shift+")] {
            if held {
                f.write_str(name)?;
            }
        }
        f.write_str(&self.key.name())
    }
}

/// The text is no chord.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a key combination such as Ctrl+Shift+A")]
pub struct NoChord(pub String);

impl FromStr for Chord {
    type Err = NoChord;

    fn from_str(text: &str) -> Result<Self, NoChord> {
        let error = || NoChord(text.to_owned());
        let mut modifiers = Modifiers::NONE;
        let mut rest = text.trim();
        loop {
            let lower = rest.to_ascii_lowercase();
            let (flag, length) = if lower.starts_with("ctrl+") {
                (&mut modifiers.ctrl, 5)
            } else if lower.starts_with("shift+") {
                (&mut modifiers.shift, 6)
            } else if lower.starts_with("alt+") {
                (&mut modifiers.alt, 4)
            } else {
                break;
            };
            *flag = true;
            rest = &rest[length..];
        }
        Key::from_name(rest)
            .map(|key| Self { modifiers, key })
            .ok_or_else(error)
    }
}

/// An event over a pane. Positions are logical points from the pane's upper left corner, y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input {
    PointerMoved {
        at: DVec2,
    },
    /// Raw motion while [`crate::editor::Editor::wants_pointer_lock`]; points, y down.
    PointerDelta {
        delta: DVec2,
    },
    PointerLeft,
    Press {
        button: Button,
        at: DVec2,
    },
    Release {
        button: Button,
        at: DVec2,
    },
    /// Positive = away from the user (zoom in). Whole numbers from a wheel, fractions from a touch pad.
    Wheel {
        notches: f64,
        at: DVec2,
    },
    /// Two fingers on a touch pad; points.
    Scroll {
        delta: DVec2,
        at: DVec2,
    },
    /// `physical`: the key at this place of a US keyboard, for flying. Send both equal when only one is known.
    Key {
        key: Key,
        physical: Key,
        pressed: bool,
        repeat: bool,
    },
    /// A character that was written, where no key stands for it: `* / ( )` in typed numbers.
    Character(char),
    Modifiers(Modifiers),
    /// The window lost the focus: every held key and button is released, a running drag is committed as it stands.
    FocusLost,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_are_written_and_read_back() {
        for text in [
            "Ctrl+Shift+A",
            "F12",
            "Alt+Shift+PgUp",
            "Ctrl++",
            "-",
            "Ctrl+[",
            "0",
            "Ctrl+Alt+Space",
            "Shift+Esc",
        ] {
            let chord: Chord = text.parse().expect(text);
            assert_eq!(chord.to_string(), text);
        }
        for text in ["", "Ctrl+", "Hyper+A", "F13", "AB"] {
            assert!(text.parse::<Chord>().is_err(), "{text}");
        }
    }
}
