//! From raw events to gestures: thresholds, double clicks, captures, held keys; who gets what (`interactions.md` 0.2 to 0.6).

mod buttons;
mod entry;
mod habits;
mod keys;
mod motion;
mod mouse_look;
mod pivot;
mod tooling;

use glam::DVec2;
use glam::DVec3;

pub use self::habits::LeftUse;
use crate::editor::Editor;
use crate::editor::input::Button;
use crate::editor::input::Input;
use crate::editor::input::Modifiers;
use crate::editor::pick;
use crate::editor::pick::Hit;
use crate::editor::pick::Scope;
use crate::editor::shown::Shown;
use crate::editor::snapping::Held;
use crate::editor::tools::Gesture;
use crate::editor::view::View;

/// Less motion than this between press and release is a click; points.
const THRESHOLD: f64 = 4.0;

/// A frame longer than this was no frame; the clock of motion goes no further.
const LONGEST_FRAME_S: f64 = 0.1;

/// What a held button does.
#[derive(Clone, Copy, Debug)]
enum Capture {
    /// The left button: a click until the threshold is crossed. Also the right one while it drags a texture (TEX-5).
    Left {
        from: DVec2,
        modifiers: Modifiers,
        dragging: bool,
    },
    /// The camera in a 2D view: dragged by its eye, or put and then aimed (CAM-13).
    Eye {
        from: DVec2,
        aims: bool,
    },
    Look {
        from: DVec2,
        since_s: f64,
        moved: bool,
    },
    Orbit {
        pivot: DVec3,
    },
    Pan {
        depth: f64,
        from: DVec2,
        since_s: f64,
        moved: bool,
        button: Button,
    },
    /// The left button while it is the camera's or zooms; `from` `None`: a click that is done.
    Aim {
        from: Option<DVec2>,
    },
    /// The right button where it does not look around.
    Secondary {
        from: DVec2,
        /// It has wrapped a texture already.
        wraps: bool,
    },
    /// `Alt`+middle: a click samples the material, a drag moves forward and back.
    Sample {
        from: DVec2,
        moved: bool,
    },
}

#[derive(Clone, Copy, Debug)]
struct LastClick {
    pane: usize,
    at: DVec2,
    time_s: f64,
    modifiers: Modifiers,
}

/// State of pointer and modifiers.
#[derive(Default)]
pub(crate) struct Pointer {
    pane: usize,
    at: DVec2,
    inside: bool,
    modifiers: Modifiers,
    left_use: LeftUse,
    capture: Option<Capture>,
    last_click: Option<LastClick>,
    last_tick_s: f64,
    /// Snap keys that are down (0.9).
    held: Held,
    /// The view that looks about without a button (CAM-9).
    mouse_look: Option<mouse_look::MouseLook>,
    /// Numbers being typed (0.8).
    entry: Option<entry::Entry>,
    /// Hover is looked up once a frame, not once an event.
    stale_hover: bool,
    /// Parts of notches of the wheel that have not made a whole step yet.
    notches: f64,
}

impl Pointer {
    #[must_use]
    pub fn pane(&self) -> usize {
        self.pane
    }

    #[must_use]
    pub fn modifiers(&self) -> Modifiers {
        self.modifiers
    }
}

impl Editor {
    /// One event of a pane, with the clock of the shell in seconds.
    pub fn input(&mut self, now_s: f64, pane: usize, input: Input) {
        if !self.is_moving() {
            // Motion that starts now starts at this time, however long the loop slept.
            self.pointer.last_tick_s = now_s;
        }
        self.set_clock(now_s);
        let chooses_pane = !matches!(
            input,
            Input::Modifiers(_) | Input::Character(_) | Input::FocusLost
        );
        if chooses_pane && pane < self.views.len() && self.pointer.capture.is_none() {
            self.pointer.pane = pane;
        }
        match input {
            Input::Modifiers(modifiers) => self.modifiers_changed(modifiers),
            Input::FocusLost => self.focus_lost(),
            Input::Key {
                key,
                physical,
                pressed,
                repeat,
            } => self.key(key, physical, pressed, repeat),
            Input::Character(character) => self.entry_character(character),
            _ if self.is_walking() => self.walk_pointer(input),
            _ => {
                if let Some(input) = self.through_mouse_look(input) {
                    self.pointer_input(input);
                }
            }
        }
    }

    fn pointer_input(&mut self, input: Input) {
        match input {
            Input::PointerMoved { at } => self.pointer_moved(at),
            Input::PointerDelta { delta } => self.pointer_moved_by(delta),
            Input::PointerLeft => {
                self.pointer.inside = false;
                self.hover = None;
            }
            Input::Press { button, at } => self.pressed(button, at),
            Input::Release { button, at } => self.released(button, at),
            Input::Wheel { notches, at } => self.wheel(notches, at),
            Input::Scroll { delta, at } => self.scroll(delta, at),
            Input::Key { .. } | Input::Character(_) | Input::Modifiers(_) | Input::FocusLost => {}
        }
    }

    /// One frame: flying, easing, walking, hover, checks of the map, autosave.
    pub fn tick(&mut self, now_s: f64) {
        let dt_s = (now_s - self.pointer.last_tick_s).clamp(0.0, LONGEST_FRAME_S);
        self.set_clock(now_s);
        self.pointer.last_tick_s = now_s;
        if self.is_walking() {
            self.walk_tick(dt_s);
        } else if self.camera.is_flying() && self.layout.visible().contains(&self.pointer.pane) {
            let speed = self.fly_speed();
            let fast = self.pointer.modifiers.shift;
            let pane = self.pointer.pane;
            self.camera.stop_easing_of(pane);
            if !self.views[pane].is_2d() {
                self.camera.fly(&mut self.views[pane], dt_s, speed, fast);
                self.drag_again();
                self.pointer.stale_hover = true;
            }
        }
        if self.camera.is_easing() {
            self.camera.advance(&mut self.views, now_s);
            self.pointer.stale_hover = true;
        }
        if std::mem::take(&mut self.pointer.stale_hover) {
            self.look_up_hover();
        }
        self.problems_tick();
        self.jobs_tick();
    }

    /// True while something moves by itself, so that the loop must not sleep.
    #[must_use]
    pub fn wants_frames(&self) -> bool {
        self.is_moving()
            || self.pointer.stale_hover
            || self.flashing().is_some()
            || self.problems.is_behind()
    }

    fn is_moving(&self) -> bool {
        self.camera.is_flying() || self.camera.is_easing() || self.is_walking()
    }

    /// True while the pointer should be hidden and held in place, its raw motion sent as [`Input::PointerDelta`].
    #[must_use]
    pub fn wants_pointer_lock(&self) -> bool {
        self.is_walking()
            || self.pointer.mouse_look.is_some()
            || matches!(
                self.pointer.capture,
                Some(Capture::Look { moved: true, .. } | Capture::Orbit { .. })
            )
    }

    /// True while a drag of the left button runs.
    #[must_use]
    pub fn is_dragging(&self) -> bool {
        matches!(
            self.pointer.capture,
            Some(Capture::Left { dragging: true, .. })
        )
    }

    /// True while a button holds the pointer for a pane: its events go there until the release.
    #[must_use]
    pub fn has_capture(&self) -> bool {
        self.pointer.capture.is_some()
    }

    /// Where the camera turns about while orbiting.
    #[must_use]
    pub fn orbit_pivot(&self) -> Option<DVec3> {
        if let Some(Capture::Orbit { pivot }) = self.pointer.capture {
            Some(pivot)
        } else {
            None
        }
    }

    /// Pane and place of the pointer, if it is over a pane.
    #[must_use]
    pub fn pointer_at(&self) -> Option<(usize, DVec2)> {
        self.pointer
            .inside
            .then_some((self.pointer.pane, self.pointer.at))
    }

    fn view(&self) -> &View {
        &self.views[self.pointer.pane]
    }

    fn view_mut(&mut self) -> &mut View {
        let pane = self.pointer.pane;
        self.camera.stop_easing_of(pane);
        &mut self.views[pane]
    }

    /// What may be picked now, in the committed state.
    pub(crate) fn scope(&self) -> Scope<'_> {
        Scope {
            doc: &self.history.committed().doc,
            look: &self.look,
            definitions: &self.definitions,
            open_group: self.open_group,
            entities: true,
            tools: true,
            shown: None,
            carving: self.spatial.carving(),
            cordon: self.cordon,
            xray: false,
        }
    }

    /// As [`Editor::scope`] in a pane: what it does not show is out of reach.
    pub(crate) fn scope_in(&self, pane: usize) -> Scope<'_> {
        let toggles = self.toggles(pane);
        let xray = self.xray == Some(pane);
        let is_baked = self.has_baked_light();
        let view = self.views.get(pane);
        let shown = view.and_then(|view| Shown::new(view, toggles, xray, is_baked, &self.spatial));
        Scope {
            entities: toggles.entities && shown.is_none_or(Shown::draws_entities),
            tools: toggles.tools,
            shown,
            xray,
            ..self.scope()
        }
    }

    /// The nearest thing under a point of a pane.
    #[must_use]
    pub fn pick(&self, pane: usize, at: DVec2) -> Option<Hit> {
        let view = self.views.get(pane)?;
        pick_in(self.scope_in(pane), &self.spatial, view, at)
    }

    /// Hidden, locked and such may have changed: what is under the pointer now?
    fn look_up_hover(&mut self) {
        if self.pointer.capture.is_some() || !self.pointer.inside || self.is_walking() {
            self.hover = None;
            return;
        }
        let hit = self.pick(self.pointer.pane, self.pointer.at);
        self.hover = hit.map(|hit| Hit {
            object: if self.pointer.modifiers.shift {
                hit.object
            } else {
                self.taken(hit.object)
            },
            ..hit
        });
        self.gesture(Gesture::Hover {
            at: self.pointer.at,
        });
    }

    fn modifiers_changed(&mut self, modifiers: Modifiers) {
        if self.pointer.modifiers == modifiers {
            return;
        }
        self.pointer.modifiers = modifiers;
        self.pointer.stale_hover = true;
        self.pointer.notches = 0.0;
        self.drag_again();
    }

    /// The drag is evaluated anew at the same point: a modifier or the camera changed.
    fn drag_again(&mut self) {
        if self.is_dragging() {
            let at = self.drag_point();
            self.gesture(Gesture::Drag { at });
        }
    }

    fn pointer_moved(&mut self, at: DVec2) {
        let delta = at - self.pointer.at;
        self.pointer.at = at;
        self.pointer.inside = true;
        self.motion(delta);
    }

    fn pointer_moved_by(&mut self, delta: DVec2) {
        // The pointer itself stands still while it is locked.
        self.motion(delta);
    }
}

/// PICK-1 in 3D, PICK-2 in 2D.
fn pick_in(
    scope: Scope<'_>,
    spatial: &crate::editor::spatial::Spatial,
    view: &View,
    at: DVec2,
) -> Option<Hit> {
    if view.is_2d() {
        return pick::flat(scope, spatial, view, at);
    }
    let units_per_point = view.units_per_point(view.eye + view.forward());
    pick::nearest(scope, spatial, view.ray(at), units_per_point)
}
