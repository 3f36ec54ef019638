//! Buttons: what a press begins, what its release ends, clicks and double clicks (0.3).

use glam::DVec2;

use super::Capture;
use super::LastClick;
use super::THRESHOLD;
use crate::editor::Editor;
use crate::editor::Request;
use crate::editor::input::Button;
use crate::editor::input::Modifiers;
use crate::editor::request::StatusKind;
use crate::editor::tools::Gesture;
use crate::editor::tools::ToolKind;

/// Two clicks within this time and the distance of a drag are a double click.
const DOUBLE_S: f64 = 0.4;

/// A right press shorter than this, in place, opens the menu.
const MENU_S: f64 = 0.3;

impl Editor {
    pub(super) fn pressed(&mut self, button: Button, at: DVec2) {
        self.pointer.at = at;
        self.pointer.inside = true;
        match self.pointer.capture {
            None => {}
            Some(Capture::Left { .. }) if button == self.cancelling_button() => {
                return self.cancel_drag();
            }
            Some(_) => return,
        }
        let modifiers = self.pointer.modifiers;
        let flat = self.view().is_2d();
        self.pointer.capture = match button {
            Button::Left if modifiers.is_none() && self.grabs_eye(at) => Some(Capture::Eye {
                from: at,
                aims: false,
            }),
            Button::Middle if flat && modifiers == Modifiers::CTRL && self.eye_pane().is_some() => {
                self.put_eye(self.pointer.pane, at);
                Some(Capture::Eye {
                    from: at,
                    aims: true,
                })
            }
            Button::Left => self.left_pressed(at).or(Some(Capture::Left {
                from: at,
                modifiers,
                dragging: false,
            })),
            Button::Middle if modifiers == Modifiers::ALT && self.is_hammer() && !flat => {
                Some(Capture::Orbit {
                    pivot: self.orbit_about(at),
                })
            }
            Button::Middle if modifiers == Modifiers::ALT => Some(Capture::Sample {
                from: at,
                moved: false,
            }),
            Button::Right if modifiers.shift && self.begin_slide(at) => Some(Capture::Left {
                from: at,
                modifiers,
                dragging: false,
            }),
            Button::Right if !flat && self.is_hammer() => Some(self.right_pressed(at)),
            Button::Right if !flat && modifiers == Modifiers::ALT => Some(Capture::Orbit {
                pivot: self.orbit_about(at),
            }),
            Button::Right if !flat => Some(Capture::Look {
                from: at,
                since_s: self.now_s,
                moved: false,
            }),
            Button::Right | Button::Middle => Some(Capture::Pan {
                depth: self.pan_depth(at),
                from: at,
                since_s: self.now_s,
                moved: false,
                button,
            }),
        };
    }

    /// True where a press takes the eye: no handle of a tool is in the way.
    fn grabs_eye(&self, at: DVec2) -> bool {
        self.tools.kind() == ToolKind::Select && self.is_on_eye(self.pointer.pane, at)
    }

    /// The button that, pressed during a drag of the other one, drops it.
    fn cancelling_button(&self) -> Button {
        if self.tools.is_sliding() {
            Button::Left
        } else {
            Button::Right
        }
    }

    pub(super) fn released(&mut self, button: Button, at: DVec2) {
        let Some(capture) = self.pointer.capture else {
            return;
        };
        let own = match capture {
            Capture::Left { .. } if self.tools.is_sliding() => Button::Right,
            Capture::Left { .. } | Capture::Aim { .. } => Button::Left,
            Capture::Secondary { .. } => Button::Right,
            // Where the right button has other work, orbiting is the middle one's.
            Capture::Orbit { .. } if self.is_hammer() => Button::Middle,
            Capture::Look { .. } | Capture::Orbit { .. } => Button::Right,
            Capture::Pan { button, .. } => button,
            Capture::Sample { .. } | Capture::Eye { aims: true, .. } => Button::Middle,
            Capture::Eye { aims: false, .. } => Button::Left,
        };
        if button != own {
            return;
        }
        if !self.wants_pointer_lock() && at != self.pointer.at {
            self.pointer_moved(at);
        }
        let capture = self.pointer.capture.take();
        self.pointer.stale_hover = true;
        match capture {
            Some(Capture::Left { dragging: true, .. }) => {
                self.drop_entry();
                self.gesture(Gesture::End);
            }
            Some(Capture::Left { .. }) if self.tools.is_sliding() => self.tools.set_slide(None),
            Some(Capture::Left { modifiers, .. }) => self.clicked(at, modifiers),
            Some(
                Capture::Look {
                    moved: false,
                    since_s,
                    ..
                }
                | Capture::Pan {
                    moved: false,
                    since_s,
                    button: Button::Right,
                    ..
                },
            ) if self.now_s - since_s < MENU_S => {
                let pane = self.pointer.pane;
                self.request(if self.pointer.modifiers == Modifiers::CTRL {
                    Request::ListUnder { pane, at }
                } else {
                    Request::ContextMenu { pane, at }
                });
            }
            Some(Capture::Secondary { from, wraps: false }) if at.distance(from) < THRESHOLD => {
                self.secondary(at);
            }
            Some(Capture::Sample { moved: false, .. }) => self.sample_material(at),
            Some(Capture::Pan {
                moved: false,
                button: Button::Middle,
                ..
            }) if self.pointer.modifiers == Modifiers::SHIFT => self.put_pivot(at),
            _ => {}
        }
    }

    fn clicked(&mut self, at: DVec2, modifiers: Modifiers) {
        let pane = self.pointer.pane;
        let again = self.pointer.last_click.is_some_and(|last| {
            last.pane == pane
                && last.modifiers == modifiers
                && last.at.distance(at) <= THRESHOLD
                && self.now_s - last.time_s <= DOUBLE_S
        });
        let count = if again { 2 } else { 1 };
        // A third click starts anew.
        self.pointer.last_click = (!again).then_some(LastClick {
            pane,
            at,
            time_s: self.now_s,
            modifiers,
        });
        if self.habitual_click(at, modifiers, count) {
            return;
        }
        self.gesture(Gesture::Click {
            at,
            count,
            modifiers,
        });
    }

    /// TEX-1: the material of the face under the pointer becomes the current one; the selection stays.
    pub(super) fn sample_material(&mut self, at: DVec2) {
        let hit = self.pick(self.pointer.pane, at);
        let doc = &self.history.committed().doc;
        let found =
            hit.and_then(|hit| crate::editor::selecting::face_material(doc, hit.object, hit.face?));
        match found {
            Some(material) => self.pick_material(material),
            None => self.say(StatusKind::Refused, "There is no face with a material here"),
        }
    }
}
