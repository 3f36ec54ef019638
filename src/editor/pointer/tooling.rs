//! The tool in hand: all it sees, what it is asked by gestures, commands and options, and doing what it answers.

use super::pick_in;
use crate::document::EditError;
use crate::document::ObjectId;
use crate::editor::Editor;
use crate::editor::keymap::KeyPreset;
use crate::editor::pick;
use crate::editor::pick::Scope;
use crate::editor::request::StatusKind;
use crate::editor::shown::Shown;
use crate::editor::snapping;
use crate::editor::spatial::Spatial;
use crate::editor::tools::Gesture;
use crate::editor::tools::Outcome;
use crate::editor::tools::Slide;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolAction;
use crate::editor::tools::ToolCx;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::editor::tools::targets;
use crate::editor::view::View;
use crate::editor::volume;
use crate::geometry::Aabb;
use crate::geometry::Plane;
use glam::DVec2;
use glam::DVec3;

fn ids_under(scope: Scope<'_>, spatial: &Spatial, view: &View, at: DVec2) -> Vec<ObjectId> {
    let found = pick::all_under(scope, spatial, view, at);
    found.into_iter().map(|(id, _)| id).collect()
}

impl Editor {
    /// Runs the tool in hand over a gesture and does what it asks.
    pub(super) fn gesture(&mut self, gesture: Gesture) {
        let outcome = self.with_tool(|tool, cx| tool.gesture(cx, gesture));
        let was_sliding = self.tools.is_sliding();
        if matches!(gesture, Gesture::End | Gesture::Cancel) {
            self.tools.set_slide(None);
        }
        let is_dropped = matches!(outcome, Outcome::Cancel | Outcome::Unchanged);
        self.carry_out(outcome);
        if was_sliding && is_dropped && !self.tools.is_sliding() {
            // What the tool in hand had prepared is shown again.
            self.tool_follows();
        }
    }

    /// TEX-5: takes a texture for the drag that a press of the right button may begin.
    pub(super) fn begin_slide(&mut self, at: DVec2) -> bool {
        let (modifiers, kind) = (self.pointer.modifiers, self.tools.kind());
        let slide = self.with_tool_cx(self.pointer.pane, |cx| Slide::new(cx, at, modifiers, kind));
        self.tools.set_slide(slide);
        self.tools.is_sliding()
    }

    /// The tool in hand with all it sees.
    pub(super) fn with_tool<R>(&mut self, f: impl FnOnce(&mut dyn Tool, &ToolCx<'_>) -> R) -> R {
        let pane = self.pointer.pane;
        let toggles = self.toggles(pane);
        let is_baked = self.has_baked_light();
        let lock = self.uv_lock();
        let grid = self.drag_grid();
        let pivot = self.pivot();
        let gizmo = self.gizmo_axes();
        let target_bounds = self.target_bounds();
        let Self {
            history,
            look,
            definitions,
            views,
            tools,
            spatial,
            pointer,
            current_material,
            settings,
            open_group,
            last_bounds,
            cordon,
            xray,
            pivot: user_pivot,
            shaping,
            ..
        } = self;
        let marquee_waits = settings.key_preset == KeyPreset::Hammer;
        let base = history.committed();
        let view = &views[pane];
        let spatial: &Spatial = spatial;
        let xray = *xray == Some(pane);
        let shown = Shown::new(view, toggles, xray, is_baked, spatial);
        let scope = Scope {
            doc: &base.doc,
            look,
            definitions,
            open_group: *open_group,
            entities: toggles.entities && shown.is_none_or(Shown::draws_entities),
            tools: toggles.tools,
            shown,
            carving: spatial.carving(),
            cordon: *cordon,
            xray,
        };
        let allows = |id: ObjectId| scope.allows(id);
        let pick = |at: DVec2| pick_in(scope, spatial, view, at);
        let under = |at: DVec2| ids_under(scope, spatial, view, at);
        let crossed = |plane: Plane| pick::crossed(scope, spatial, plane);
        let within = |planes: &[Plane], wholly| volume::within(scope, spatial, planes, wholly);
        let held = pointer.held;
        let snap_target = |at: DVec2| snapping::find(scope, spatial, view, at, held, base);
        let cx = ToolCx {
            base,
            look,
            definitions,
            view,
            grid,
            modifiers: pointer.modifiers,
            lock,
            material: current_material.as_ref(),
            open_group: *open_group,
            ignore_groups: settings.ignore_groups,
            last_bounds: *last_bounds,
            allows: &allows,
            pick: &pick,
            under: &under,
            within: &within,
            visible_only: settings.marquee_visible_only,
            marquee_waits,
            crossed: &crossed,
            uv_lock: settings.uv_lock,
            turn_entities: settings.turn_entities,
            pivot,
            target_bounds,
            user_pivot: *user_pivot,
            gizmo,
            held,
            snap_target: &snap_target,
            shape: shaping.choice,
            only_drawn: shaping.is_last(&base.selection),
        };
        f(tools.active_mut(), &cx)
    }

    /// Context of the tool in hand for looking only.
    pub(crate) fn with_tool_cx<R>(&self, pane: usize, f: impl FnOnce(&ToolCx<'_>) -> R) -> R {
        let view = &self.views[pane];
        let scope = self.scope_in(pane);
        let base = self.history.committed();
        let spatial = &self.spatial;
        let allows = |id: ObjectId| scope.allows(id);
        let pick = |at: DVec2| pick_in(scope, spatial, view, at);
        let under = |at: DVec2| ids_under(scope, &self.spatial, view, at);
        let crossed = |plane: Plane| pick::crossed(scope, &self.spatial, plane);
        let within =
            |planes: &[Plane], wholly| volume::within(scope, &self.spatial, planes, wholly);
        let held = self.pointer.held;
        let snap_target = |at: DVec2| snapping::find(scope, &self.spatial, view, at, held, base);
        f(&ToolCx {
            base,
            look: &self.look,
            definitions: &self.definitions,
            view,
            grid: self.drag_grid(),
            modifiers: self.pointer.modifiers,
            lock: self.uv_lock(),
            material: self.current_material.as_ref(),
            open_group: self.open_group,
            ignore_groups: self.settings.ignore_groups,
            last_bounds: self.last_bounds,
            allows: &allows,
            pick: &pick,
            under: &under,
            within: &within,
            visible_only: self.settings.marquee_visible_only,
            marquee_waits: self.is_hammer(),
            crossed: &crossed,
            uv_lock: self.settings.uv_lock,
            turn_entities: self.settings.turn_entities,
            pivot: self.pivot(),
            target_bounds: self.target_bounds(),
            user_pivot: self.pivot,
            gizmo: self.gizmo_axes(),
            held,
            snap_target: &snap_target,
            shape: self.shaping.choice,
            only_drawn: self.shaping.is_last(&base.selection),
        })
    }

    /// The grid as drags see it: `G` held lifts it.
    fn drag_grid(&self) -> crate::geometry::Grid {
        let mut grid = self.grid;
        grid.enabled &= !self.pointer.held.free;
        grid
    }

    /// About which things turn and scale: what the user set, else the snapped middle of the selection.
    #[must_use]
    pub fn pivot(&self) -> DVec3 {
        self.pivot.unwrap_or_else(|| {
            if let Some((doc, kept)) = &self.kept_pivot
                && doc.same(&self.history.committed().doc)
            {
                return *kept;
            }
            let bounds = self.target_bounds();
            if bounds.is_empty() {
                DVec3::ZERO
            } else {
                self.grid.snap(bounds.center())
            }
        })
    }

    /// Bounds of what a transform takes: of the picked handles, else of the last selection.
    pub(crate) fn target_bounds(&self) -> Aabb {
        let state = self.history.committed();
        if targets::has_handles(&state.selection) {
            targets::handle_bounds(state)
        } else {
            self.last_bounds
        }
    }

    /// A command of the table for the tool in hand.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub fn tool_action(&mut self, action: ToolAction) -> Result<(), EditError> {
        match self.with_tool(|tool, cx| tool.action(cx, action)) {
            Outcome::Ignored => Err(EditError::refused("This tool has nothing to do here")),
            Outcome::Refused(reason) => Err(EditError::refused(reason)),
            outcome => {
                self.carry_out(outcome);
                Ok(())
            }
        }
    }

    /// As [`Editor::tool_action`]; false when it means nothing to the tool.
    pub(crate) fn offer_action(&mut self, action: ToolAction) -> bool {
        let outcome = self.with_tool(|tool, cx| tool.action(cx, action));
        let taken = !matches!(outcome, Outcome::Ignored);
        self.carry_out(outcome);
        taken
    }

    /// What can be set about the tool in hand.
    #[must_use]
    pub fn tool_options(&self) -> Vec<ToolOption> {
        let mut options = self.shape_options();
        options.extend(self.with_tool_cx(self.pointer.pane, |cx| self.tools.active().options(cx)));
        options.extend(self.marquee_option());
        options.extend(self.wall_option());
        options
    }

    /// Sets something about the tool in hand. A refusal goes to the status line.
    pub fn set_tool_option(&mut self, id: &'static str, value: OptionValue) {
        if self.set_marquee_option(id, &value)
            || self.set_shape_option(id, &value)
            || self.set_wall_option(id, &value)
        {
            return;
        }
        let outcome = self.with_tool(|tool, cx| tool.set_option(cx, id, value));
        self.carry_out(outcome);
    }

    /// Drops what the tool has prepared, or its picked handles; false when there is neither.
    pub(crate) fn step_back(&mut self) -> bool {
        let Some(outcome) = self.with_tool(|tool, cx| tool.step_back(cx)) else {
            return false;
        };
        self.carry_out(outcome);
        true
    }

    /// The committed state has changed, or a tool was taken.
    pub(crate) fn tool_follows(&mut self) {
        if self.is_dragging() {
            return;
        }
        let outcome = self.with_tool(|tool, cx| tool.follow(cx));
        if matches!(outcome, Outcome::Preview(_) | Outcome::Unchanged) {
            self.carry_out(outcome);
        }
    }

    pub(super) fn carry_out(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Ignored | Outcome::Handled => {}
            Outcome::Preview(edit) => {
                if let Err(error) = self.history.preview(&edit) {
                    self.say(StatusKind::Refused, error.to_string());
                }
            }
            Outcome::Unchanged | Outcome::Cancel => self.history.cancel(),
            // A refusal is in the status line already.
            Outcome::Commit(edit) => drop(self.commit(&edit)),
            Outcome::CommitFolding(edit) => drop(self.commit_folding(&edit)),
            Outcome::CommitAndSay(edit, words) => {
                if self.commit(&edit).is_ok() {
                    self.say(StatusKind::Info, words);
                }
            }
            Outcome::Drawn(drawn) => self.draw_shape(drawn),
            Outcome::Amend(edit) => drop(self.amend(&edit)),
            Outcome::Select(selection) => {
                self.history.cancel();
                self.select(selection);
            }
            Outcome::PickMaterial(material) => self.pick_material(material),
            Outcome::OpenGroup(group) => self.open_group(group),
            Outcome::Pivot(pivot) => self.pivot = pivot,
            // A refusal is in the status line already.
            Outcome::Run(id) => drop(self.run(id)),
            Outcome::Refused(reason) => self.say(StatusKind::Refused, reason),
        }
    }
}
