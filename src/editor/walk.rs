//! Walking through the map in the 3D view (RUN-5): when it starts and ends, which keys mean what. The body is the compiler's
//! [`Walker`].

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::DVec2;

use crate::compiler;
use crate::compiler::Cache;
use crate::compiler::Options;
use crate::compiler::Quality;
use crate::compiler::trace::MOVEMENT_MASK;
use crate::compiler::trace::Tracer;
use crate::compiler::walk::Player;
use crate::compiler::walk::WalkInput;
use crate::compiler::walk::Walker;
use crate::document::EditError;
use crate::document::Pick;
use crate::document::Selection;
use crate::editor::Editor;
use crate::editor::StatusKind;
use crate::editor::camera;
use crate::editor::framing;
use crate::editor::input::Button;
use crate::editor::input::Input;
use crate::editor::input::Key;
use crate::editor::jobs::WalkReady;
use crate::editor::view::View;
use crate::editor::view::ViewKind;
use crate::task::Progress;

/// Metres that a walk may begin with a fall; higher up it begins in flight.
const FARTHEST_FALL_M: f64 = 40.0;

/// A walk under way.
pub(crate) struct Walk {
    walker: Walker,
    tracer: Arc<Tracer>,
    held: BTreeSet<Key>,
    toggle_noclip: bool,
    turn_deg: DVec2,
    /// The pane and its view before it began, to come back to.
    pane: usize,
    before: View,
    last_at: Option<DVec2>,
    /// Marked with the middle button; selected on return.
    marked: Selection,
}

/// True when the body would land on something before it has fallen [`FARTHEST_FALL_M`].
fn has_ground_below(walker: &Walker, tracer: &Tracer, player: &Player) -> bool {
    let body = walker.body();
    let (center, half) = (body.center(), body.size() * 0.5);
    let fall = glam::DVec3::Y * (FARTHEST_FALL_M * player.units_per_meter);
    tracer
        .sweep(center, center - fall, half, MOVEMENT_MASK)
        .is_some()
}

impl Editor {
    /// True while the user walks; edits are off then.
    #[must_use]
    pub fn is_walking(&self) -> bool {
        self.walk.is_some()
    }

    /// The pane that shows the walk, and what was marked in it.
    #[must_use]
    pub fn walk_marks(&self) -> Option<(usize, &Selection)> {
        self.walk.as_ref().map(|walk| (walk.pane, &walk.marked))
    }

    pub(crate) fn toggle_walk(&mut self, from_start: bool) -> Result<(), EditError> {
        if self.is_walking() {
            self.stop_walking(false);
            return Ok(());
        }
        self.walk_pane()
            .ok_or_else(|| EditError::refused("Show a 3D view first"))?;
        let doc = self.document_to_build();
        if from_start && framing::player_start(&doc).is_none() {
            return Err(EditError::refused(if self.cordon.is_some() {
                "There is no player start inside the region of work (Ctrl+Alt+B lifts it)"
            } else {
                "There is no player start; create one (info_player_start)"
            }));
        }
        self.cancel_drag();
        let current = self
            .compiled
            .clone()
            .filter(|compiled| compiled.is_current(&doc));
        let work = move || {
            // The present brushes count, not those of an older build; light is not needed for walls.
            let compiled = match current {
                Some(compiled) => compiled,
                None => {
                    let options = Options {
                        quality: Quality::Fast,
                        light: false,
                        ..Options::default()
                    };
                    let compiled =
                        compiler::compile(&doc, &options, &mut Cache::default(), &Progress::new());
                    Arc::new(compiled.map_err(|cancelled| cancelled.to_string())?)
                }
            };
            Ok(WalkReady {
                tracer: Arc::new(Tracer::new(&compiled)),
                from_start,
            })
        };
        self.start_walk_job(work)
    }

    /// The collision of the present brushes is there.
    pub(crate) fn start_walking(&mut self, ready: WalkReady) {
        let Some(pane) = self.walk_pane().filter(|_| !self.is_walking()) else {
            return;
        };
        self.cancel_drag();
        self.camera.release_all();
        self.camera.stop_easing();
        let state = self.history.committed();
        let scale = f64::from(state.doc.settings().units_per_meter);
        let own = Player::of_scale(scale);
        let player = self
            .extras
            .origin
            .as_ref()
            .map_or(own, |origin| Player::of_format(&origin.format, scale));
        let player = Player {
            fly_speed: self.fly_speed(),
            ..player
        };
        let view = &self.views[pane];
        let start = if ready.from_start {
            framing::player_start(&state.doc)
        } else {
            None
        };
        let mut walker = match start {
            Some(start) => {
                Walker::start_at(&ready.tracer, start.origin, start.angles_deg.y, player)
            }
            None => Walker::start(
                &ready.tracer,
                view.eye,
                view.yaw_deg,
                view.pitch_deg,
                player,
            ),
        };
        let text = if !walker.is_noclip() && !has_ground_below(&walker, &ready.tracer, &player) {
            let fly = WalkInput {
                toggle_noclip: true,
                ..WalkInput::default()
            };
            walker.advance(&ready.tracer, &fly);
            "No ground below the camera; flying through (F)"
        } else if walker.is_noclip() {
            "No room for a body at the camera; flying through (F)"
        } else {
            "Walking; Esc returns, Enter stays here"
        };
        self.hover = None;
        self.walk = Some(Walk {
            walker,
            tracer: ready.tracer,
            held: BTreeSet::new(),
            toggle_noclip: false,
            turn_deg: DVec2::ZERO,
            pane,
            before: view.clone(),
            last_at: None,
            marked: Selection::new(),
        });
        self.say(StatusKind::Info, text);
        self.walk_tick(0.0);
    }

    /// The 3D view in hand, else the first one that is shown.
    fn walk_pane(&self) -> Option<usize> {
        let is_perspective = |&pane: &usize| self.views[pane].kind == ViewKind::Perspective;
        let visible = self.layout.visible();
        let active = Some(self.active_pane())
            .filter(|pane| visible.contains(pane))
            .filter(is_perspective);
        active.or_else(|| visible.into_iter().find(is_perspective))
    }

    /// `stay`: the camera is left where the walker stands.
    pub(crate) fn stop_walking(&mut self, stay: bool) {
        let Some(walk) = self.walk.take() else { return };
        if stay {
            let view = &mut self.views[walk.pane];
            view.pitch_deg = view
                .pitch_deg
                .clamp(-camera::MAX_PITCH_DEG, camera::MAX_PITCH_DEG);
        } else {
            self.views[walk.pane] = View {
                size: self.views[walk.pane].size,
                pixels_per_point: self.views[walk.pane].pixels_per_point,
                ..walk.before
            };
        }
        if !walk.marked.is_empty() {
            self.select(walk.marked);
        }
    }

    /// True when the key belongs to walking.
    pub(crate) fn walk_key(&mut self, key: Key, pressed: bool) -> bool {
        let Some(walk) = &mut self.walk else {
            return false;
        };
        match (key, pressed) {
            (Key::Letter('W' | 'A' | 'S' | 'D') | Key::Space, true) => {
                walk.held.insert(key);
            }
            (_, false) => {
                walk.held.remove(&key);
            }
            (Key::Letter('F'), true) => walk.toggle_noclip = true,
            // Doors and buttons rest in the editor; the key is kept free for them.
            (Key::Letter('E'), true) => {}
            // With Shift or Ctrl held for running and crouching, too.
            (Key::Escape, true) => self.stop_walking(false),
            (Key::Enter, true) => self.stop_walking(true),
            _ => return false,
        }
        true
    }

    pub(crate) fn walk_release(&mut self) {
        if let Some(walk) = &mut self.walk {
            walk.held.clear();
            walk.last_at = None;
        }
    }

    /// Looking about, and marking what the crosshair is on.
    pub(crate) fn walk_pointer(&mut self, input: Input) {
        let scale = camera::LOOK_DEG_PER_POINT * self.settings.look_sensitivity;
        let flip = if self.settings.invert_y { -1.0 } else { 1.0 };
        let Some(walk) = &mut self.walk else { return };
        let delta = match input {
            Input::PointerDelta { delta } => delta,
            // Where pointers cannot be locked they at least move.
            Input::PointerMoved { at } => walk
                .last_at
                .replace(at)
                .map_or(DVec2::ZERO, |last| at - last),
            Input::Press {
                button: Button::Middle,
                ..
            } => return self.mark(),
            _ => return,
        };
        walk.turn_deg -= delta * DVec2::new(1.0, flip) * scale;
    }

    fn mark(&mut self) {
        let Some(walk) = &self.walk else { return };
        let pane = walk.pane;
        let Some(hit) = self.pick(pane, self.views[pane].size * 0.5) else {
            return;
        };
        let pick = Pick::Object(self.taken(hit.object));
        let name = self.object_name(pick.object());
        let Some(walk) = &mut self.walk else { return };
        let text = if walk.marked.remove(&pick) {
            format!("{name} is no longer marked")
        } else {
            walk.marked.insert(pick);
            format!("{name} is marked and will be selected")
        };
        self.say(StatusKind::Info, text);
    }

    pub(crate) fn walk_tick(&mut self, dt_s: f64) {
        let modifiers = self.pointer.modifiers();
        let Some(walk) = &mut self.walk else { return };
        let held = |letter: char| f64::from(u8::from(walk.held.contains(&Key::Letter(letter))));
        let turn = std::mem::take(&mut walk.turn_deg);
        let input = WalkInput {
            forward: held('W') - held('S'),
            right: held('D') - held('A'),
            jump: walk.held.contains(&Key::Space),
            crouch: modifiers.ctrl,
            run: modifiers.shift,
            toggle_noclip: std::mem::take(&mut walk.toggle_noclip),
            turn_yaw_deg: turn.x,
            turn_pitch_deg: turn.y,
            dt_s,
        };
        walk.walker.advance(&walk.tracer, &input);
        if let Some(view) = self.views.get_mut(walk.pane) {
            view.eye = walk.walker.eye();
            view.yaw_deg = walk.walker.yaw_deg();
            view.pitch_deg = walk.walker.pitch_deg();
        }
    }

    /// The body in the map while walking.
    #[must_use]
    pub fn walker(&self) -> Option<&Walker> {
        self.walk.as_ref().map(|walk| &walk.walker)
    }
}
