//! What the buttons of the mouse mean to hands that come from another editor (the last lines of table 10.2).

use glam::DVec2;

use super::Capture;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::SelectionExt as _;
use crate::editor::Editor;
use crate::editor::camera;
use crate::editor::input::Modifiers;
use crate::editor::keymap::KeyPreset;
use crate::editor::placing::DropScope;
use crate::editor::request::Request;
use crate::editor::request::StatusKind;
use crate::editor::tools::Gesture;
use crate::editor::tools::ToolKind;

/// What the left button does instead of what the tool in hand would do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeftUse {
    /// The tool has it.
    #[default]
    Tool,
    Zoom,
    Camera,
}

/// Each click of the zoom tool.
const ZOOM: f64 = 2.0;

impl Editor {
    /// What the left button does now.
    #[must_use]
    pub fn left_use(&self) -> LeftUse {
        self.pointer.left_use
    }

    /// Gives the left button another meaning; the same again gives it back to the tool.
    pub(crate) fn use_left_for(&mut self, wanted: LeftUse) {
        self.cancel_drag();
        let now = if self.pointer.left_use == wanted {
            LeftUse::Tool
        } else {
            wanted
        };
        self.pointer.left_use = now;
        self.say(
            StatusKind::Info,
            match now {
                LeftUse::Tool => "The left button belongs to the tool again",
                LeftUse::Zoom => "Click in a 2D view zooms in, Alt+click out; Esc ends it",
                LeftUse::Camera => {
                    "Drag looks around in 3D; in 2D it puts and aims the camera; Esc ends it"
                }
            },
        );
    }

    /// `Esc`; false when the left button was the tool's anyway.
    pub(super) fn give_left_back(&mut self) -> bool {
        if self.pointer.left_use == LeftUse::Tool {
            return false;
        }
        self.pointer.left_use = LeftUse::Tool;
        true
    }

    /// The left button went down while it is not the tool's; `None` = it is.
    pub(super) fn left_pressed(&mut self, at: DVec2) -> Option<Capture> {
        let pane = self.pointer.pane;
        match self.pointer.left_use {
            LeftUse::Tool => None,
            LeftUse::Zoom => {
                if self.view().is_2d() {
                    let out = self.pointer.modifiers.alt || self.pointer.modifiers.shift;
                    let factor = if out { 1.0 / ZOOM } else { ZOOM };
                    camera::zoom_flat(&mut self.views[pane], at, factor);
                    camera::link_flat(&mut self.views, pane, self.settings.link_2d);
                } else {
                    self.say(StatusKind::Refused, "Zooming is for 2D views");
                }
                Some(Capture::Aim { from: None })
            }
            LeftUse::Camera if self.view().is_2d() => {
                self.put_eye(pane, at);
                Some(Capture::Aim { from: Some(at) })
            }
            LeftUse::Camera => Some(Capture::Aim { from: Some(at) }),
        }
    }

    /// Motion with the left button down while it is not the tool's.
    pub(super) fn aim(&mut self, from: Option<DVec2>, delta: DVec2) {
        if from.is_none() {
            return;
        }
        let pane = self.pointer.pane;
        if self.views[pane].is_2d() {
            self.aim_eye(pane, self.pointer.at);
        } else {
            let (sensitivity, invert) = (self.settings.look_sensitivity, self.settings.invert_y);
            camera::look(&mut self.views[pane], delta, sensitivity, invert);
        }
    }

    /// The views move to the selection; neither zoom nor direction changes.
    pub(crate) fn centre_views(&mut self, flat: bool) {
        let bounds = self.selection_bounds();
        if bounds.is_empty() {
            return;
        }
        let centre = bounds.center();
        for pane in 0..self.views.len() {
            let view = &self.views[pane];
            if view.is_2d() != flat {
                continue;
            }
            let mut to = view.clone();
            let along = view.forward();
            to.eye = if flat {
                // Only across the view: its depth means nothing and stays.
                centre + along * (view.eye - centre).dot(along)
            } else {
                let distance = (centre - view.eye)
                    .length()
                    .max(bounds.size().length())
                    .max(32.0);
                centre - along * distance
            };
            self.camera.ease(pane, view.clone(), to, self.now_s);
        }
    }

    /// The pointer has the habits of Hammer.
    pub(crate) fn is_hammer(&self) -> bool {
        self.settings.key_preset == KeyPreset::Hammer
    }

    /// Letters fly the camera. In Hammer they do so in mouse look only, so that Shift+letter takes tools everywhere.
    pub(super) fn letters_fly(&self) -> bool {
        !self.is_hammer() || self.mouse_look().is_some()
    }

    /// Modifiers at the press of a drag, as the tools of this program know them: `Shift` clones, and with nothing selected a
    /// plain drag is the marquee.
    pub(super) fn habitual(&self, modifiers: Modifiers) -> Modifiers {
        if !self.is_hammer() || self.tool() != ToolKind::Select {
            return modifiers;
        }
        if modifiers == Modifiers::SHIFT {
            Modifiers::CTRL
        } else if modifiers.is_none() && self.selection().is_empty() {
            Modifiers::ALT
        } else {
            modifiers
        }
    }

    /// A click with these habits; true when it was one of theirs.
    pub(super) fn habitual_click(&mut self, at: DVec2, modifiers: Modifiers, count: u8) -> bool {
        if !self.is_hammer() || count > 1 {
            return false;
        }
        // Also while faces are worked on: what Alt+click does there in the other preset, the right button does here.
        let picks_handles = matches!(
            self.tool(),
            ToolKind::Vertex | ToolKind::Edge | ToolKind::Face
        );
        if modifiers == Modifiers::ALT && !picks_handles {
            self.sample_material(at);
            return true;
        }
        if !modifiers.is_none() {
            return false;
        }
        let next = match self.tool() {
            ToolKind::Select | ToolKind::Shear => ToolKind::Scale,
            ToolKind::Scale => ToolKind::Rotate,
            ToolKind::Rotate => ToolKind::Shear,
            _ => return false,
        };
        let Some(hit) = self.pick(self.pointer.pane, at) else {
            return false;
        };
        let taken = Pick::Object(self.taken(hit.object));
        if !self.selection().contains(&taken) {
            return false;
        }
        self.set_tool(next);
        true
    }

    /// The right button went down in 3D where it does not look around. `Alt` wraps the texture of the selected face.
    pub(super) fn right_pressed(&mut self, at: DVec2) -> Capture {
        let wraps = self.pointer.modifiers == Modifiers::ALT;
        if wraps && self.selection().faces().is_empty() {
            self.say(
                StatusKind::Refused,
                "Select the face to wrap the texture from first (Shift+click)",
            );
        } else if wraps {
            self.gesture(Gesture::Click {
                at,
                count: 1,
                modifiers: Modifiers {
                    shift: true,
                    ..Modifiers::ALT
                },
            });
        }
        Capture::Secondary { from: at, wraps }
    }

    /// The right button came up where it went down: puts the current material on a face while faces are worked on, else the
    /// menu.
    pub(super) fn secondary(&mut self, at: DVec2) {
        let pane = self.pointer.pane;
        let on_faces = !self.selection().faces().is_empty() || self.tool() == ToolKind::Paint;
        match self.current_material.clone() {
            Some(material) if on_faces => {
                if let Err(error) = self.drop_material(material, pane, at, DropScope::Face) {
                    self.say(StatusKind::Refused, error.to_string());
                }
            }
            _ => self.request(Request::ContextMenu { pane, at }),
        }
    }

    /// What a click on an object takes: its outermost group below the open one, or itself.
    #[must_use]
    pub(crate) fn taken(&self, id: ObjectId) -> ObjectId {
        if self.settings.ignore_groups {
            id
        } else {
            self.doc().selectable(id, self.open_group)
        }
    }
}
