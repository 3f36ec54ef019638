//! Dragging picked handles, and pulling new vertices out of edges and faces (VTX-2 to VTX-4, MSH-1).

use glam::DVec2;
use glam::DVec3;

use crate::document::Document;
use crate::document::Edit;
use crate::document::Kind;
use crate::document::Selection;
use crate::document::ops::components;
use crate::document::ops::components::ComponentKind;
use crate::document::ops::components::Reshape;
use crate::document::ops::components::Shape;
use crate::document::ops::components::Stop;
use crate::document::ops::meshes;
use crate::editor::overlay::Handle as Mark;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::tools::Outcome;
use crate::editor::tools::ToolCx;
use crate::editor::tools::components::adding::Adding;
use crate::editor::tools::components::adding::along;
use crate::editor::tools::moving::Move;
use crate::editor::tools::signed;

/// Halvings of the way to where a drag is stopped.
const HALVINGS: usize = 12;

/// What is made of a difference.
pub(super) enum Making {
    /// The picked handles move.
    Move(components::Handles),
    /// A new vertex, or extruded edges and faces.
    Add(Adding),
}

impl Making {
    fn made(&self, doc: &Document, delta: DVec3, hold: bool) -> Result<Reshape, Stop> {
        match self {
            Self::Move(handles) => handles.mapped(doc, &|point| point + delta, hold),
            Self::Add(adding) => adding.made(doc, delta, hold),
        }
    }

    fn label(&self) -> &'static str {
        match self {
            Self::Move(handles) => handles.move_label(),
            Self::Add(adding) => adding.label(),
        }
    }
}

/// A drag of handles under way.
pub(super) struct HandleDrag {
    making: Making,
    motion: Move,
    grab: DVec3,
    /// Picked when it began: the press may have picked another handle.
    selection: Selection,
    /// The last difference that was allowed, and what it made; nothing at the start.
    allowed: DVec3,
    made: Option<Reshape>,
    stop: Option<Stop>,
    /// The dragged vertex was absorbed: the pointer moves nothing until the next press (VTX-3).
    ended: bool,
    /// `Shift` was let go since the press, where it said what to pull: held again it means one axis.
    shift_is_axis: bool,
    /// How far a face is pulled along its normal, where that was typed (0.8).
    typed_distance: Option<f64>,
}

impl HandleDrag {
    pub fn new(
        cx: &ToolCx<'_>,
        at: DVec2,
        grab: DVec3,
        making: Making,
        selection: Selection,
    ) -> Self {
        Self {
            shift_is_axis: matches!(making, Making::Move(_)),
            typed_distance: None,
            making,
            motion: Move::of_handle(cx, at, grab),
            grab,
            selection,
            allowed: DVec3::ZERO,
            made: None,
            stop: None,
            ended: false,
        }
    }

    pub fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        if self.ended {
            return Outcome::Handled;
        }
        self.shift_is_axis |= !cx.modifiers.shift;
        self.motion.set_absolute(cx.modifiers.ctrl);
        self.advance(cx, at);
        let wanted = match (self.pulls_along(cx), self.typed_distance) {
            (Some(normal), Some(distance)) => normal * distance,
            (Some(normal), None) => {
                along(cx, at, self.grab, normal).unwrap_or_else(|| self.motion.delta())
            }
            (None, _) => self.motion.delta(),
        };
        let outcome = self.go(cx, wanted);
        // A number that is being typed may still grow.
        self.ended = self.has_absorbed() && !self.motion.is_typed();
        outcome
    }

    fn has_absorbed(&self) -> bool {
        self.made.as_ref().is_some_and(Reshape::has_absorbed)
    }

    fn advance(&mut self, cx: &ToolCx<'_>, at: DVec2) {
        let one_axis = cx.modifiers.shift && self.shift_is_axis;
        self.motion.advance(cx, at, one_axis);
    }

    /// The normal along which a face is pulled now; `None` while the pointer moves freely.
    fn pulls_along(&self, cx: &ToolCx<'_>) -> Option<DVec3> {
        match &self.making {
            Making::Add(adding) if !(cx.modifiers.alt || cx.held.any_target()) => {
                adding.normal_in(cx)
            }
            _ => None,
        }
    }

    fn go(&mut self, cx: &ToolCx<'_>, wanted: DVec3) -> Outcome {
        let before = self.allowed;
        match self.tried(cx, wanted) {
            Ok(()) => self.stop = None,
            Err(stop) => {
                self.stop = Some(stop);
                self.approach(cx, before, wanted);
            }
        }
        match &self.made {
            Some(made) => Outcome::Preview(made.preview(self.making.label())),
            None => Outcome::Unchanged,
        }
    }

    /// Goes there if it is allowed.
    fn tried(&mut self, cx: &ToolCx<'_>, delta: DVec3) -> Result<(), Stop> {
        self.made = if delta == DVec3::ZERO {
            None
        } else if delta == self.allowed && self.made.is_some() {
            return Ok(());
        } else {
            Some(self.making.made(cx.doc(), delta, cx.uv_lock)?)
        };
        self.allowed = delta;
        Ok(())
    }

    /// The farthest grid step from the last allowed place towards the wanted one.
    fn approach(&mut self, cx: &ToolCx<'_>, from: DVec3, wanted: DVec3) {
        let (mut good, mut bad) = (0.0, 1.0);
        let mut last = from;
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(good, bad);
            let delta = from + cx.grid.snap_delta((wanted - from) * middle);
            if delta == last {
                good = middle;
            } else if self.tried(cx, delta).is_ok() {
                good = middle;
                last = delta;
            } else {
                bad = middle;
            }
        }
    }

    pub fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        if self.pulls_along(cx).is_some() {
            self.typed_distance = values.first().copied().flatten();
        } else {
            self.motion.set_typed(values);
        }
        self.drag(cx, self.motion.last_at())
    }

    /// Names of what can be typed: the distance along the normal, else the differences by axis.
    pub fn quantities(&self, cx: &ToolCx<'_>) -> &'static [&'static str] {
        if self.ended {
            &[]
        } else if self.pulls_along(cx).is_some() {
            &["Distance"]
        } else {
            self.motion.quantities()
        }
    }

    /// The commit, the pick of what was pressed, or nothing.
    pub fn end(self, cx: &ToolCx<'_>) -> Outcome {
        let label = self.making.label();
        match self.made {
            Some(made) => {
                let picked = self.selection;
                Outcome::Commit(Edit::new(label, move |draft, selection| {
                    selection.clone_from(&picked);
                    made.apply(draft, selection)
                }))
            }
            None if self.selection != cx.base.selection => Outcome::Select(self.selection),
            None => Outcome::Unchanged,
        }
    }

    pub fn readout(&self) -> Readout {
        let DVec3 { x, y, z } = self.allowed;
        let text = format!("{}, {}, {}", signed(x), signed(y), signed(z));
        match self.stop {
            Some(stop) => Readout {
                text: format!("{text}: {stop}"),
                refused: true,
            },
            None if self.ended => Readout {
                text: format!("{text}: the vertex is part of the brush now, the drag ends here"),
                refused: false,
            },
            None if self.has_absorbed() => Readout {
                text: format!("{text}: the vertex becomes part of the brush"),
                refused: false,
            },
            None => Readout {
                text,
                refused: false,
            },
        }
    }

    pub fn overlay(&self, out: &mut Overlay) {
        let line = |from, to, role, dashed| Line {
            from,
            to,
            role,
            width: 1.5,
            through: true,
            arrow: false,
            dashed,
        };
        if self.allowed != DVec3::ZERO {
            let role = if self.stop.is_some() {
                Role::Refused
            } else {
                Role::Guide
            };
            out.lines
                .push(line(self.grab, self.grab + self.allowed, role, false));
        }
        for (_, kind) in self.made.iter().flat_map(Reshape::changes) {
            let Some(shape) = Shape::of(kind) else {
                continue;
            };
            for [a, b] in &shape.edges {
                let ends = [*a, *b].map(|end| shape.points[end as usize]);
                out.lines
                    .push(line(ends[0], ends[1], Role::Selected, false));
            }
            if let Kind::Mesh(_) = kind {
                bent_faces(&shape, |from, to| {
                    out.lines.push(line(from, to, Role::Guide, true));
                });
            }
        }
        // What was absorbed has no handle any more.
        let places = if self.has_absorbed() {
            Vec::new()
        } else {
            self.places()
        };
        for place in places {
            out.handles.push(Mark {
                at: place,
                role: Role::HandleSelected,
                hovered: false,
            });
        }
    }

    fn places(&self) -> Vec<DVec3> {
        match (&self.making, &self.made) {
            (_, Some(made)) => made.places().collect(),
            (Making::Move(handles), None) => handles.places().collect(),
            (Making::Add(_), None) => vec![self.grab],
        }
    }

    /// What it picked when it began.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// True when the dragged vertex is gone and the pointer moves nothing more.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// True when the handles are not where they were.
    pub fn has_moved(&self) -> bool {
        self.made.is_some()
    }
}

/// Dashes across polygons that the commit will cut into triangles.
fn bent_faces(shape: &Shape, mut dash: impl FnMut(DVec3, DVec3)) {
    for face in 0..shape.faces.len() as u32 {
        let corners = shape.positions(ComponentKind::Face, face);
        if meshes::is_flat(&corners) {
            continue;
        }
        for triangle in crate::geometry::polygon::triangles(&corners) {
            for i in 0..3 {
                let (a, b) = (triangle[i] as usize, triangle[(i + 1) % 3] as usize);
                let apart = a.abs_diff(b);
                if a < b && apart != 1 && apart != corners.len() - 1 {
                    dash(corners[a], corners[b]);
                }
            }
        }
    }
}
