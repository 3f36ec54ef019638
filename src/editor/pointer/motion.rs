//! What motion and wheel do: drags of tools and of the camera (CAM-1 to CAM-7).

use glam::DVec2;
use glam::DVec3;

use super::Capture;
use super::THRESHOLD;
use crate::editor::Editor;
use crate::editor::camera;
use crate::editor::input::Modifiers;
use crate::editor::tools::Gesture;

/// Depth of panning and orbiting where no surface is under the pointer.
const PAN_DEPTH: f64 = 512.0;
const ORBIT_DEPTH: f64 = 256.0;

impl Editor {
    pub(super) fn motion(&mut self, delta: DVec2) {
        let at = self.pointer.at;
        let sensitivity = self.settings.look_sensitivity;
        match self.pointer.capture {
            None => self.pointer.stale_hover = true,
            Some(Capture::Left { dragging: true, .. }) => {
                if !self.is_entering() {
                    self.gesture(Gesture::Drag { at });
                }
            }
            Some(Capture::Left {
                from,
                modifiers,
                dragging: false,
            }) => {
                if at.distance(from) >= THRESHOLD {
                    self.pointer.capture = Some(Capture::Left {
                        from,
                        modifiers,
                        dragging: true,
                    });
                    self.hover = None;
                    self.gesture(Gesture::Begin {
                        at: from,
                        modifiers: self.habitual(modifiers),
                    });
                    self.gesture(Gesture::Drag { at });
                }
            }
            Some(Capture::Look {
                from,
                since_s,
                moved,
            }) => {
                // Locked pointers report motion only.
                let moved = moved || at.distance(from) >= THRESHOLD || delta.length() >= THRESHOLD;
                self.pointer.capture = Some(Capture::Look {
                    from,
                    since_s,
                    moved,
                });
                if moved {
                    let invert = self.settings.invert_y;
                    camera::look(self.view_mut(), delta, sensitivity, invert);
                }
            }
            Some(Capture::Aim { from }) => self.aim(from, delta),
            Some(Capture::Secondary { .. }) => {}
            Some(Capture::Orbit { pivot }) => {
                camera::orbit(self.view_mut(), pivot, delta, sensitivity);
            }
            Some(Capture::Pan {
                depth,
                from,
                since_s,
                moved,
                button,
            }) => {
                let moved = moved || at.distance(from) >= THRESHOLD;
                self.pointer.capture = Some(Capture::Pan {
                    depth,
                    from,
                    since_s,
                    moved,
                    button,
                });
                self.pan(at, delta, depth);
            }
            Some(Capture::Eye { from, aims }) => {
                let pane = self.pointer.pane;
                if !aims {
                    self.put_eye(pane, at);
                } else if at.distance(from) >= THRESHOLD {
                    self.aim_eye(pane, at);
                }
            }
            Some(Capture::Sample { from, moved }) => {
                let moved = moved || at.distance(from) >= THRESHOLD;
                self.pointer.capture = Some(Capture::Sample { from, moved });
                if moved && !self.view().is_2d() {
                    let step = self.grid.size;
                    let forward = self.view().forward();
                    camera::dolly(self.view_mut(), forward, -delta.y * 0.05, None, step);
                }
            }
        }
    }

    pub(super) fn pan(&mut self, at: DVec2, delta: DVec2, depth: f64) {
        let pane = self.pointer.pane;
        if !self.view().is_2d() {
            camera::pan(self.view_mut(), at - delta, at, depth);
            return;
        }
        camera::pan_flat(self.view_mut(), delta);
        camera::link_flat(&mut self.views, pane, self.settings.link_2d);
    }

    /// The surface under the pointer, else the middle of the selection, else some way ahead.
    pub(super) fn orbit_about(&self, at: DVec2) -> DVec3 {
        if let Some(hit) = self.pick(self.pointer.pane, at) {
            return hit.point;
        }
        let bounds = self.selection_bounds();
        if bounds.is_empty() {
            self.view().eye + self.view().forward() * ORBIT_DEPTH
        } else {
            bounds.center()
        }
    }

    pub(super) fn pan_depth(&self, at: DVec2) -> f64 {
        let view = self.view();
        let hit = if view.is_2d() {
            None
        } else {
            self.pick(self.pointer.pane, at)
        };
        hit.map_or(PAN_DEPTH, |hit| {
            (hit.point - view.eye).dot(view.forward()).max(1.0)
        })
    }

    pub(super) fn wheel(&mut self, notches: f64, at: DVec2) {
        self.pointer.at = at;
        let modifiers = self.pointer.modifiers;
        let pane = self.pointer.pane;
        match self.pointer.capture {
            Some(Capture::Look { from, since_s, .. }) => {
                // The button was held for this, not for the menu.
                self.pointer.capture = Some(Capture::Look {
                    from,
                    since_s,
                    moved: true,
                });
                return self.scale_fly_speed(camera::NOTCH.powf(notches));
            }
            Some(Capture::Orbit { pivot }) => {
                return camera::orbit_radius(self.view_mut(), pivot, notches);
            }
            _ => {}
        }
        if modifiers == Modifiers::CTRL_ALT {
            for up in self.whole_notches(notches) {
                self.scale_grid(if up { 2.0 } else { 0.5 });
            }
            return self.drag_again();
        }
        if modifiers == Modifiers::CTRL && self.pointer.capture.is_none() {
            for up in self.whole_notches(notches) {
                self.dig(pane, at, up);
            }
            return;
        }
        if self.view().is_2d() {
            camera::zoom_flat(self.view_mut(), at, camera::NOTCH.powf(notches));
            camera::link_flat(&mut self.views, pane, self.settings.link_2d);
        } else {
            if modifiers == Modifiers::SHIFT {
                camera::zoom(self.view_mut(), notches);
                self.pointer.stale_hover = true;
                return self.drag_again();
            }
            let surface = self.pick(pane, at).map(|hit| hit.distance);
            let dir = if self.settings.dolly_along_axis {
                self.view().forward()
            } else {
                self.view().ray(at).dir
            };
            let step = self.grid.size;
            camera::dolly(self.view_mut(), dir, notches, surface, step);
        }
        self.pointer.stale_hover = true;
        self.drag_again();
    }

    /// The steps that the wheel has made, upwards or not: fine wheels and touch pads send parts of them.
    fn whole_notches(&mut self, notches: f64) -> impl Iterator<Item = bool> + use<> {
        const MOST: u32 = 16;
        let sum = self.pointer.notches + notches;
        self.pointer.notches = if notches.is_finite() {
            sum.fract()
        } else {
            0.0
        };
        (0..MOST)
            .take_while(move |&step| f64::from(step) + 1.0 <= sum.abs())
            .map(move |_| sum > 0.0)
    }

    /// Two fingers: pan in 2D, look about in 3D by travelling as the wheel does.
    pub(super) fn scroll(&mut self, delta: DVec2, at: DVec2) {
        if self.view().is_2d() {
            let pane = self.pointer.pane;
            camera::pan_flat(self.view_mut(), delta);
            camera::link_flat(&mut self.views, pane, self.settings.link_2d);
        } else {
            self.wheel(delta.y / 40.0, at);
        }
    }
}
