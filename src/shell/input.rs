//! From egui's events to the editor's: keys, buttons, and what happened over one pane.

use egui::Event;
use egui::MouseWheelUnit;
use egui::PointerButton;
use egui::Rect;
use glam::DVec2;

use crate::editor::camera::NOTCH;
use crate::editor::input::Button;
use crate::editor::input::Input;
use crate::editor::input::Key;
use crate::editor::input::Modifiers;

/// The editor's name of a key; `None` for keys that nothing is bound to.
#[must_use]
pub fn key(key: egui::Key) -> Option<Key> {
    use egui::Key as K;
    Some(match key {
        K::ArrowLeft => Key::Left,
        K::ArrowRight => Key::Right,
        K::ArrowUp => Key::Up,
        K::ArrowDown => Key::Down,
        K::PageUp => Key::PageUp,
        K::PageDown => Key::PageDown,
        K::Home => Key::Home,
        K::End => Key::End,
        K::Insert => Key::Insert,
        K::Delete => Key::Delete,
        K::Backspace => Key::Backspace,
        K::Enter => Key::Enter,
        K::Tab => Key::Tab,
        K::Space => Key::Space,
        K::Escape => Key::Escape,
        K::Minus => Key::Minus,
        // The key beside backspace: the same with and without Shift.
        K::Plus | K::Equals => Key::Plus,
        K::OpenBracket | K::OpenCurlyBracket => Key::BracketLeft,
        K::CloseBracket | K::CloseCurlyBracket => Key::BracketRight,
        K::Comma => Key::Comma,
        K::Period => Key::Period,
        other => return named(other.name()),
    })
}

/// Letters, digits and function keys are told apart by egui's own short names.
fn named(name: &str) -> Option<Key> {
    let mut letters = name.chars();
    match (letters.next()?, letters.as_str()) {
        (letter @ 'A'..='Z', "") => Some(Key::Letter(letter)),
        (digit @ '0'..='9', "") => Some(Key::Digit(digit as u8 - b'0')),
        ('F', number) => number
            .parse()
            .ok()
            .filter(|n| (1..=12).contains(n))
            .map(Key::F),
        _ => None,
    }
}

#[must_use]
pub fn modifiers(held: egui::Modifiers) -> Modifiers {
    Modifiers {
        ctrl: held.command,
        shift: held.shift,
        alt: held.alt,
    }
}

#[must_use]
pub fn button(button: PointerButton) -> Option<Button> {
    match button {
        PointerButton::Primary => Some(Button::Left),
        PointerButton::Secondary => Some(Button::Right),
        PointerButton::Middle => Some(Button::Middle),
        PointerButton::Extra1 | PointerButton::Extra2 => None,
    }
}

/// A point of the window in points of a pane.
#[must_use]
pub fn in_pane(pane: Rect, at: egui::Pos2) -> DVec2 {
    let local = at - pane.min;
    DVec2::new(f64::from(local.x), f64::from(local.y))
}

/// The key of an event as the editor wants it: digits and arrows by place, letters by what they write.
#[must_use]
pub fn key_event(event: &Event) -> Option<(Input, Modifiers)> {
    let Event::Key {
        key: produced,
        physical_key,
        pressed,
        repeat,
        modifiers: held,
    } = event
    else {
        return None;
    };
    let place = physical_key.and_then(key);
    let logical = match place {
        Some(Key::Digit(_)) => place,
        _ => key(*produced).or(place),
    }?;
    let input = Input::Key {
        key: logical,
        physical: place.unwrap_or(logical),
        pressed: *pressed,
        repeat: *repeat,
    };
    Some((input, modifiers(*held)))
}

/// Points that two fingers must travel for what one notch of a wheel does.
const POINTS_PER_NOTCH: f32 = 50.0;

/// The wheel or touch pad over a pane.
#[must_use]
pub fn wheel_event(event: &Event, pane: Rect, pointer: egui::Pos2) -> Option<Input> {
    let Event::MouseWheel {
        unit,
        delta,
        modifiers,
        ..
    } = event
    else {
        return None;
    };
    let at = in_pane(pane, pointer);
    // Shift turns the wheel sideways on some systems; the editor reads Shift by itself.
    let turned = if delta.y == 0.0 { delta.x } else { delta.y };
    match unit {
        MouseWheelUnit::Line | MouseWheelUnit::Page => Some(Input::Wheel {
            notches: f64::from(turned),
            at,
        }),
        MouseWheelUnit::Point if modifiers.command => Some(Input::Wheel {
            notches: f64::from(turned / POINTS_PER_NOTCH),
            at,
        }),
        MouseWheelUnit::Point => Some(Input::Scroll {
            delta: DVec2::new(f64::from(delta.x), f64::from(delta.y)),
            at,
        }),
    }
}

/// Two fingers that spread (`factor` above 1) or close over a pane: the wheel that zooms by as much.
#[must_use]
pub fn pinch(factor: f32, pane: Rect, pointer: egui::Pos2) -> Option<Input> {
    let notches = f64::from(factor).ln() / NOTCH.ln();
    notches.is_finite().then(|| Input::Wheel {
        notches,
        at: in_pane(pane, pointer),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_place_or_their_letter() {
        let event = |produced, place| Event::Key {
            key: produced,
            physical_key: Some(place),
            pressed: true,
            repeat: false,
            modifiers: egui::Modifiers::COMMAND,
        };
        let check = |produced, place, logical: Key, physical: Key| {
            let (input, held) = key_event(&event(produced, place)).expect("is bound");
            assert_eq!(
                input,
                Input::Key {
                    key: logical,
                    physical,
                    pressed: true,
                    repeat: false
                }
            );
            assert!(held.ctrl && !held.shift && !held.alt);
        };
        // AZERTY: what is written as Z stands where W is.
        check(
            egui::Key::Z,
            egui::Key::W,
            Key::Letter('Z'),
            Key::Letter('W'),
        );
        check(
            egui::Key::Num3,
            egui::Key::Num3,
            Key::Digit(3),
            Key::Digit(3),
        );
        // AZERTY digits need Shift; their places do not.
        check(
            egui::Key::Quote,
            egui::Key::Num4,
            Key::Digit(4),
            Key::Digit(4),
        );
        check(egui::Key::F12, egui::Key::F12, Key::F(12), Key::F(12));
        check(egui::Key::Equals, egui::Key::Equals, Key::Plus, Key::Plus);
        assert_eq!(key(egui::Key::F13), None);
        assert_eq!(key(egui::Key::Semicolon), None);
    }

    #[test]
    fn fingers_that_spread_zoom_by_as_much() {
        let pane = Rect::from_min_size(egui::pos2(10.0, 20.0), egui::vec2(100.0, 100.0));
        let pinched = |factor| pinch(factor, pane, egui::pos2(40.0, 60.0));
        let Some(Input::Wheel { notches, at }) = pinched(1.25 * 1.25) else {
            panic!("no wheel");
        };
        assert!((notches - 2.0).abs() < 1e-6, "{notches}");
        assert_eq!(at, DVec2::new(30.0, 40.0));
        assert!(matches!(pinched(0.8), Some(Input::Wheel { notches, .. }) if notches < 0.0));
        assert_eq!(
            (pinched(0.0), pinched(-1.0), pinched(f32::NAN)),
            (None, None, None)
        );
    }
}
