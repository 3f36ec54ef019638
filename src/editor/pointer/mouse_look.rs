//! Looking about without a button (CAM-9): the pointer is locked, and everything happens at the middle of the view.

use glam::DVec2;

use super::Capture;
use super::THRESHOLD;
use crate::editor::Editor;
use crate::editor::camera;
use crate::editor::input::Button;
use crate::editor::input::Input;
use crate::editor::request::StatusKind;
use crate::editor::tools::Gesture;

/// The view that looks, and what moved since the left button went down and is no drag yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct MouseLook {
    pane: usize,
    pending: DVec2,
}

impl Editor {
    /// The pane that looks about without a button.
    #[must_use]
    pub fn mouse_look(&self) -> Option<usize> {
        self.pointer.mouse_look.map(|look| look.pane)
    }

    /// Begins or ends looking about in the 3D view that has the keyboard.
    pub(crate) fn toggle_mouse_look(&mut self) {
        if self.end_mouse_look() {
            return;
        }
        let pane = self.pointer.pane;
        self.pointer.mouse_look = Some(MouseLook {
            pane,
            pending: DVec2::ZERO,
        });
        self.aim_at_middle(pane);
        self.say(
            StatusKind::Info,
            "Looking with the mouse; Z or Esc ends it".to_owned(),
        );
    }

    /// False when nobody looked. A running drag ends where it is.
    pub(super) fn end_mouse_look(&mut self) -> bool {
        self.pointer.stale_hover = true;
        self.pointer.mouse_look.take().is_some()
    }

    fn aim_at_middle(&mut self, pane: usize) {
        self.pointer.pane = pane;
        self.pointer.at = self.views[pane].size * 0.5;
        self.pointer.inside = true;
        self.pointer.stale_hover = true;
    }

    /// An event of the pointer while a view looks; `None` when it is dealt with.
    pub(super) fn through_mouse_look(&mut self, input: Input) -> Option<Input> {
        let Some(look) = self.pointer.mouse_look else {
            return Some(input);
        };
        if self.views.get(look.pane).is_none_or(|view| view.is_2d()) {
            self.end_mouse_look();
            return Some(input);
        }
        self.aim_at_middle(look.pane);
        let at = self.pointer.at;
        match input {
            Input::PointerDelta { delta } => {
                self.look_by(look, delta);
                None
            }
            // The locked pointer goes nowhere.
            Input::PointerMoved { .. } | Input::PointerLeft => None,
            Input::Press {
                button: Button::Left,
                ..
            } => {
                self.pointer.mouse_look = Some(MouseLook {
                    pending: DVec2::ZERO,
                    ..look
                });
                Some(Input::Press {
                    button: Button::Left,
                    at,
                })
            }
            Input::Press {
                button: Button::Right,
                ..
            } if self.is_dragging() => Some(Input::Press {
                button: Button::Right,
                at,
            }),
            // Looking needs no button, and there is no pointer for a menu.
            Input::Press { .. } => None,
            Input::Release { button, .. } => Some(Input::Release { button, at }),
            Input::Wheel { notches, .. } => Some(Input::Wheel { notches, at }),
            Input::Scroll { delta, .. } => Some(Input::Scroll { delta, at }),
            other => Some(other),
        }
    }

    /// A press becomes a drag when the view has turned by as much as the threshold of a pointer; until then it stands still,
    /// so that the grab is what was aimed at.
    fn look_by(&mut self, look: MouseLook, delta: DVec2) {
        let at = self.pointer.at;
        let mut turn = delta;
        if let Some(Capture::Left {
            from,
            modifiers,
            dragging: false,
        }) = self.pointer.capture
        {
            let pending = look.pending + delta;
            self.pointer.mouse_look = Some(MouseLook { pending, ..look });
            if pending.length() < THRESHOLD {
                return;
            }
            turn = pending;
            self.pointer.capture = Some(Capture::Left {
                from,
                modifiers,
                dragging: true,
            });
            self.hover = None;
            let modifiers = self.habitual(modifiers);
            self.gesture(Gesture::Begin { at, modifiers });
        }
        let (sensitivity, invert) = (self.settings.look_sensitivity, self.settings.invert_y);
        camera::look(self.view_mut(), turn, sensitivity, invert);
        self.pointer.stale_hover = true;
        self.drag_again();
    }
}
