//! Keys: flying, shortcuts, the Esc ladder, losing the focus (0.3, 0.4, 0.6).

use super::Capture;
use crate::document::Selection;
use crate::editor::Editor;
use crate::editor::camera;
use crate::editor::input::Chord;
use crate::editor::input::Key;
use crate::editor::input::Modifiers;
use crate::editor::request::StatusKind;
use crate::editor::snapping::Held;
use crate::editor::tools::Gesture;
use crate::editor::tools::ToolKind;
use crate::editor::uv_view::UvInput;

impl Editor {
    /// Losing the focus: held keys are up, a running drag counts as released where it is.
    pub(super) fn focus_lost(&mut self) {
        self.camera.release_all();
        self.walk_release();
        self.release_held_edit(None);
        self.end_xray();
        self.drop_entry();
        if self.is_dragging() {
            self.pointer.capture = None;
            self.gesture(Gesture::End);
        }
        self.pointer.capture = None;
        self.end_mouse_look();
        self.tools.set_slide(None);
        self.pointer.held = Held::default();
        self.pointer.modifiers = Modifiers::NONE;
    }

    /// Drops a running drag: the document is what it was at the press, bit for bit.
    pub(crate) fn cancel_drag(&mut self) {
        self.drop_entry();
        if matches!(self.pointer.capture, Some(Capture::Left { .. })) {
            self.pointer.capture = None;
            self.gesture(Gesture::Cancel);
        }
        self.history.cancel();
        // What the tool had prepared before the drag is shown again.
        self.tool_follows();
    }

    pub(super) fn key(&mut self, key: Key, physical: Key, pressed: bool, repeat: bool) {
        if !pressed {
            self.snap_key(key, false);
            self.camera.release(physical);
            self.walk_key(physical, false);
            self.release_held_edit(Some(key));
            if key == Key::Tab {
                self.end_xray();
            }
            return;
        }
        let modifiers = self.pointer.modifiers;
        if self.is_walking() {
            if self.walk_key(physical, true) {
                return;
            }
        } else if camera::is_fly_key(physical)
            && !self.view().is_2d()
            && !modifiers.ctrl
            && !modifiers.alt
            && self.letters_fly()
        {
            if !repeat {
                self.camera.press(physical);
            }
            return;
        }
        if !self.is_walking() && self.entry_key(key) {
            return;
        }
        if self.is_dragging() && !modifiers.ctrl && self.snap_key(key, true) {
            return;
        }
        // A fly key that is held stays one when Ctrl is pressed after it: only fresh presses are shortcuts.
        if self.is_dragging() && modifiers.is_none() && !repeat {
            self.gesture(Gesture::Key(key));
            if matches!(key, Key::Letter(_)) {
                return self.drag_again();
            }
        }
        let Some(command) = self.command_for(Chord::new(modifiers, key), self.pointer.pane, false)
        else {
            if key == Key::Tab && modifiers.is_none() && !repeat {
                self.begin_xray();
            } else if !repeat
                && let Some(reason) = self.why_not(Chord::new(modifiers, key), self.pointer.pane)
            {
                self.say(StatusKind::Refused, reason);
            }
            return;
        };
        if repeat && !command.repeats {
            return;
        }
        // A refusal is in the status line already.
        self.combining.by_key = Some(key);
        let _ = self.run_command(command);
        self.combining.by_key = None;
        self.pointer.stale_hover = true;
        // The grid may be another one now.
        self.drag_again();
    }

    /// The keys that are held in a drag to snap to geometry, or to no grid (0.9). False when it is none of them.
    fn snap_key(&mut self, key: Key, pressed: bool) -> bool {
        let held = &mut self.pointer.held;
        let before = *held;
        match key {
            Key::Letter('V') => held.vertex = pressed,
            Key::Letter('E') => held.edge = pressed,
            Key::Letter('F') => held.face = pressed,
            Key::Letter('G') => held.free = pressed,
            _ => return false,
        }
        if self.pointer.held != before {
            self.drag_again();
        }
        true
    }

    /// `Esc`: the first of the ladder that applies (0.6). False when there was nothing left to leave.
    pub fn escape(&mut self) -> bool {
        if self.is_walking() {
            self.stop_walking(false);
        } else if !self.is_dragging() && self.end_mouse_look() {
            // Looking about has ended.
        } else if matches!(self.pointer.capture, Some(Capture::Left { .. })) {
            self.cancel_drag();
        } else if self.drop_held_edit() {
            // What a held key showed.
        } else if self.give_left_back() {
            // The left button is the tool's again.
        } else if self.uv_view.is_dragging() {
            self.uv_input(UvInput::Cancel);
        } else if self.step_back() {
            // What the tool had prepared, or its handles.
        } else if self.history.is_previewing() {
            self.history.cancel();
        } else if self.camera.stop_easing() {
            // The view stays where it was on its way.
        } else if self.tool() != ToolKind::Select {
            self.set_tool(ToolKind::Select);
        } else if self.open_group.is_some() {
            self.open_group(None);
        } else if !self.selection().is_empty() {
            self.select(Selection::new());
        } else {
            return false;
        }
        true
    }
}
