//! Views of the open map: sizes, layout, framing, render modes, grid; and how they are kept with it (CAM-10, CAM-12, VIEW-1
//! to VIEW-3, GRID-1).

use glam::DVec2;
use glam::DVec3;

use crate::document::LayerId;
use crate::document::ViewState;
use crate::editor::Editor;
use crate::editor::camera;
use crate::editor::pick;
use crate::editor::playable::Playable;
use crate::editor::request::StatusKind;
use crate::editor::tools::ToolKind;
use crate::editor::tools::shortest;
use crate::editor::view::RenderMode;
use crate::editor::view::View;
use crate::editor::view::ViewKind;
use crate::editor::views;
use crate::geometry::Aabb;

/// Steps that the keys reach.
const SMALLEST_GRID: f64 = 0.125;
const LARGEST_GRID: f64 = 1024.0;

/// Two presses within this frame all views.
const DOUBLE_S: f64 = 0.5;

impl Editor {
    /// Tells a pane its size in points; at least 1 x 1.
    pub fn set_pane_size(&mut self, pane: usize, size: DVec2, pixels_per_point: f64) {
        let Some(view) = self.views.get_mut(pane) else {
            return;
        };
        let size = size.max(DVec2::ONE);
        if self.camera.unsized_panes.remove(&pane) && view.is_2d() {
            // The file keeps the height that was seen; now it is known how many points that is.
            view.points_per_unit = (view.points_per_unit * size.y / view.size.y)
                .clamp(camera::MIN_ZOOM, camera::MAX_ZOOM);
        }
        view.size = size;
        view.pixels_per_point = pixels_per_point;
        self.frame_at_true_size(pane);
    }

    /// Panes, grid and hidden objects as they are to be saved (D15: before encoding).
    #[must_use]
    pub fn look_to_save(&self) -> ViewState {
        let mut look = self.look.clone();
        look.grid = self.grid.size as f32;
        // A pane that was never shown has no size of its own; what was read of it stays right.
        views::store_panes(&mut look, &self.views);
        look
    }

    /// Panes and grid from the view state, or a fresh map framed on its player start, else on its bounds (CAM-12).
    pub(crate) fn restore_views(&mut self) {
        if self.look.grid > 0.0 && self.look.grid.is_finite() {
            self.grid.size = f64::from(self.look.grid);
        }
        let stored = views::stored_panes(&self.look);
        if stored.iter().all(Option::is_none) {
            self.frame_fresh();
            return;
        }
        for (pane, view) in stored.into_iter().enumerate() {
            if let Some(view) = view {
                self.views[pane] = View {
                    pixels_per_point: self.views[pane].pixels_per_point,
                    ..view
                };
                self.camera.unsized_panes.insert(pane);
            }
        }
    }

    /// Bounds of what is shown, without a sky apart from it.
    pub(crate) fn visible_bounds(&self) -> Aabb {
        let state = self.history.state();
        let playable = Playable::of(&state.doc);
        let shown = state.doc.objects().filter(|(id, object)| {
            !self.look.is_hidden(&state.doc, *id) && playable.has(&state.doc, *id, object)
        });
        shown
            .map(|(id, object)| match object.entity() {
                Some(entity) if pick::is_point_entity(&state.doc, id, entity) => {
                    self.definitions.entity_box(entity)
                }
                Some(_) => Aabb::EMPTY,
                None => object.bounds(),
            })
            .fold(Aabb::EMPTY, Aabb::union)
    }

    /// CAM-10: the view under the pointer; twice within half a second: all.
    pub(crate) fn frame(&mut self) {
        let selected = self.selection_bounds();
        let bounds = if selected.is_empty() {
            self.visible_bounds()
        } else {
            selected
        };
        if bounds.is_empty() {
            return;
        }
        let again = self
            .camera
            .last_frame
            .is_some_and(|at| self.now_s - at <= DOUBLE_S);
        self.camera.last_frame = Some(self.now_s);
        let panes: Vec<usize> = if again {
            (0..self.views.len()).collect()
        } else {
            vec![self.active_pane()]
        };
        self.ease_to_frame(&panes, bounds);
    }

    /// Frames bounds in the 3D view and the view under the pointer: problems, find, leak.
    pub fn frame_bounds(&mut self, bounds: Aabb) {
        let perspective = (0..self.views.len()).find(|&pane| !self.views[pane].is_2d());
        let mut panes = vec![self.active_pane()];
        panes.extend(perspective.filter(|pane| !panes.contains(pane)));
        self.ease_to_frame(&panes, bounds.grown(8.0));
    }

    /// Panes on their way to where `bounds` fill them; other 2D views follow as far as they are linked (CAM-7).
    fn ease_to_frame(&mut self, panes: &[usize], bounds: Aabb) {
        let mut to = self.views.clone();
        for &pane in panes {
            to[pane] = camera::framed(&self.views[pane], bounds);
        }
        let placed = self.panes_with_a_place();
        let framed: Vec<usize> = panes
            .iter()
            .copied()
            .filter(|pane| placed.contains(pane) || panes.len() == 1)
            .collect();
        camera::share_zoom(&mut to, &framed);
        if let Some(&flat) = panes.iter().find(|&&pane| to[pane].is_2d()) {
            camera::link_flat(&mut to, flat, self.settings.link_2d);
        }
        for (pane, to) in to.into_iter().enumerate() {
            if panes.contains(&pane) || to != self.views[pane] {
                self.camera
                    .ease(pane, self.views[pane].clone(), to, self.now_s);
            }
        }
    }

    /// Panes of the layout, also while one of them fills it.
    pub(crate) fn panes_with_a_place(&self) -> Vec<usize> {
        (0..self.layout.count.clamp(1, views::MAX_PANES)).collect()
    }

    /// Ctrl+Shift+U: every 2D view shows the whole map.
    pub(crate) fn reset_flat_views(&mut self) {
        let points = self.built_points();
        for pane in 0..self.views.len() {
            if self.views[pane].is_2d() {
                self.camera.stop_easing_of(pane);
                self.views[pane] = camera::framed_points(&self.views[pane], &points);
            }
        }
        let placed = self.panes_with_a_place();
        camera::share_zoom(&mut self.views, &placed);
    }

    /// The pane that has the keyboard.
    #[must_use]
    pub fn active_pane(&self) -> usize {
        self.pointer.pane().min(self.views.len().saturating_sub(1))
    }

    /// The view that has the keyboard.
    #[must_use]
    pub fn active_view(&self) -> &View {
        &self.views[self.active_pane()]
    }

    /// VIEW-2: the render mode of the view under the pointer.
    pub(crate) fn set_mode(&mut self, mode: RenderMode) {
        let pane = self.active_pane();
        self.views[pane].mode = mode;
        if mode == RenderMode::Lit && !self.has_baked_light() {
            self.say(
                StatusKind::Info,
                if self.compiled.is_none() {
                    "There is no build yet: save or press F9, then this view shows the baked light"
                } else {
                    "No lights yet: shown without light; place one (L), then save or press F9"
                },
            );
        }
    }

    /// GRID-1: shows or hides the grid; remembered in the settings.
    pub(crate) fn toggle_grid(&mut self) {
        self.grid_shown = !self.grid_shown;
        self.settings.grid_shown = self.grid_shown;
    }

    /// VIEW-1: the kind of the view under the pointer.
    pub fn set_kind(&mut self, pane: usize, kind: ViewKind) {
        let flat = self
            .views
            .iter()
            .enumerate()
            .find(|(other, view)| *other != pane && view.is_2d())
            .map(|(other, _)| other);
        let perspective = self
            .views
            .iter()
            .enumerate()
            .find(|(other, view)| *other != pane && !view.is_2d())
            .map(|(_, view)| view.clone());
        let Some(view) = self.views.get_mut(pane) else {
            return;
        };
        let before = view.clone();
        view.kind = kind;
        if !before.is_2d() && view.is_2d() {
            self.camera.left_3d.insert(pane, before);
        } else if before.is_2d()
            && !view.is_2d()
            // Back to where it looked from, else along with another 3D view.
            && let Some(other) = self.camera.left_3d.remove(&pane).or(perspective)
        {
            (view.eye, view.pitch_deg, view.yaw_deg, view.fov_y_deg) =
                (other.eye, other.pitch_deg, other.yaw_deg, other.fov_y_deg);
        }
        self.camera.stop_easing_of(pane);
        if let (true, Some(other)) = (kind != ViewKind::Perspective, flat) {
            camera::link_flat(&mut self.views, other, self.settings.link_2d);
        }
        self.hover = None;
    }

    pub(crate) fn cycle_kind(&mut self) {
        let pane = self.active_pane();
        self.set_kind(pane, camera::next_kind(self.views[pane].kind));
    }

    pub(crate) fn toggle_maximised(&mut self) {
        self.layout.maximised = if self.layout.maximised.is_some() {
            None
        } else {
            Some(self.active_pane())
        };
    }

    pub(crate) fn set_pane_count(&mut self, count: usize) {
        self.layout.count = count.clamp(1, views::MAX_PANES);
        self.layout.maximised = None;
    }

    /// GRID-1: the step of a digit key or of the field in the status bar; any positive number.
    pub fn set_grid(&mut self, step: f64) {
        if !(step.is_finite() && step > 0.0) {
            self.say(StatusKind::Refused, "A grid step is a number above 0");
            return;
        }
        self.grid.size = step;
        self.say(StatusKind::Info, format!("Grid {}", shortest(step)));
    }

    /// 0.1: lines of the grid run through the pivot that was set, else the least corner of the selection or picked handles.
    pub(crate) fn put_grid_origin(&mut self) {
        let corner = self.target_bounds().min;
        self.set_grid_origin(self.pivot.unwrap_or(corner));
    }

    /// 0.1: a crossing of lines of the grid; kept in the settings with the map.
    pub(crate) fn set_grid_origin(&mut self, origin: DVec3) {
        if !origin.is_finite() {
            self.say(StatusKind::Refused, "What is selected has no place");
            return;
        }
        self.grid.origin = origin;
        let place = origin.to_array().map(shortest).join(", ");
        self.say(StatusKind::Info, format!("Grid origin {place}"));
    }

    pub(crate) fn scale_grid(&mut self, factor: f64) {
        self.set_grid((self.grid.size * factor).clamp(SMALLEST_GRID, LARGEST_GRID));
    }

    /// The tool in hand.
    #[must_use]
    pub fn tool(&self) -> ToolKind {
        self.tools.active().kind()
    }

    /// Takes a tool; a running drag is dropped.
    pub fn set_tool(&mut self, kind: ToolKind) {
        self.cancel_drag();
        self.tools.take(kind);
        // What the tool before had prepared goes with it.
        self.history.cancel();
        self.convert_components();
        self.tool_follows();
    }

    /// True when there are measured lines (MEAS-1).
    #[must_use]
    pub fn has_measures(&self) -> bool {
        !self.tools.measure.is_empty()
    }

    pub(crate) fn clear_measures(&mut self) {
        self.tools.measure.clear();
    }

    /// As a tool's key does: takes it, or leaves it when it is in hand.
    pub fn toggle_tool(&mut self, kind: ToolKind) {
        let kind = if self.tool() == kind {
            ToolKind::Select
        } else {
            kind
        };
        self.set_tool(kind);
    }

    /// The class that the entity tool places.
    #[must_use]
    pub fn entity_class(&self) -> &str {
        &self.tools.entity.class
    }

    pub fn set_entity_class(&mut self, class: impl Into<String>) {
        self.tools.entity.class = class.into();
    }

    /// LAY-1: eye of a layer or visgroup; no undo step.
    pub fn set_layer_hidden(&mut self, layer: LayerId, hidden: bool) {
        if hidden {
            self.look.hidden_layers.insert(layer);
        } else {
            self.look.hidden_layers.remove(&layer);
        }
        self.drop_unreachable();
    }

    /// LAY-1: lock of a layer or visgroup; no undo step.
    pub fn set_layer_locked(&mut self, layer: LayerId, locked: bool) {
        if locked {
            self.look.locked_layers.insert(layer);
        } else {
            self.look.locked_layers.remove(&layer);
        }
        self.drop_unreachable();
    }

    /// Eye of one object (outliner).
    pub fn set_hidden(&mut self, id: crate::document::ObjectId, hidden: bool) {
        if hidden {
            self.look.hidden.insert(id);
        } else {
            self.look.hidden.remove(&id);
        }
        self.drop_unreachable();
    }

    /// Lock of one object (outliner).
    pub fn set_locked(&mut self, id: crate::document::ObjectId, locked: bool) {
        if locked {
            self.look.locked.insert(id);
        } else {
            self.look.locked.remove(&id);
        }
        self.drop_unreachable();
    }

    /// What was just hidden or locked is no longer selected.
    fn drop_unreachable(&mut self) {
        let state = self.history.committed();
        let reachable =
            |id| !self.look.is_hidden(&state.doc, id) && !self.look.is_locked(&state.doc, id);
        let kept: crate::document::Selection = state
            .selection
            .iter()
            .copied()
            .filter(|pick| reachable(pick.object()))
            .collect();
        if kept != state.selection {
            self.select(kept);
        }
        self.hover = None;
    }

    /// Units per second of flying in this map (CAM-3).
    #[must_use]
    pub fn fly_speed(&self) -> f64 {
        let own = self
            .file
            .path
            .as_deref()
            .and_then(|path| self.settings.map(path).fly_speed);
        self.file
            .fly_speed
            .or(own)
            .unwrap_or(self.settings.fly_speed)
            .clamp(camera::MIN_SPEED, camera::MAX_SPEED)
    }

    pub(crate) fn scale_fly_speed(&mut self, factor: f64) {
        let speed = (self.fly_speed() * factor).clamp(camera::MIN_SPEED, camera::MAX_SPEED);
        self.file.fly_speed = Some(speed);
        if let Some(path) = self.file.path.clone() {
            self.settings
                .update_map(&path, |entry| entry.fly_speed = Some(speed));
        }
        self.say(
            StatusKind::Info,
            format!("Fly speed {} units per second", shortest(speed.round())),
        );
    }
}
