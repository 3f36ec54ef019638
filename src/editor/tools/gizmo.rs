//! The gizmo: arms to move, rings to turn, knobs to scale at the pivot, along world or local axes (MOV-8).

use glam::DAffine3;
use glam::DMat3;
use glam::DVec2;
use glam::DVec3;

use crate::document::Kind;
use crate::document::ObjectId;
use crate::document::SelectionExt as _;
use crate::document::State;
use crate::document::ops::components::Stop;
use crate::editor::overlay::Handle;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::snapping;
use crate::editor::tools::Outcome;
use crate::editor::tools::ToolCx;
use crate::editor::tools::shortest;
use crate::editor::tools::signed;
use crate::editor::tools::targets;
use crate::editor::tools::targets::Stage;
use crate::editor::tools::targets::Targets;
use crate::editor::tools::turning;
use crate::editor::tools::turning::Axis;
use crate::editor::tools::turning::HANDLE_REACH;
use crate::editor::tools::turning::RING;
use crate::editor::tools::turning::Turn;
use crate::editor::tools::turning::line;
use crate::editor::tools::turning::segment_distance;
use crate::editor::view::View;
use crate::geometry::transform::about;

/// Where arms begin and end, and where the knobs stand, in points from the pivot.
const ARM_FROM: f64 = 14.0;
const ARM_TO: f64 = 62.0;
const KNOB: f64 = 108.0;

/// The parts lie beside each other.
const _: () = assert!(RING > ARM_TO && RING < KNOB);

/// Angles of its rings snap to this.
const STEP_DEG: f64 = 15.0;

/// What can be grabbed, by axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grip {
    Move(usize),
    Turn(usize),
    Scale(usize),
}

/// A drag along one axis.
#[derive(Clone, Debug)]
pub(super) struct Slide {
    targets: Targets,
    pivot: DVec3,
    axes: DMat3,
    axis: usize,
    is_scale: bool,
    /// Distance of the press from the pivot along the axis.
    start: f64,
    typed: Option<f64>,
    last_at: DVec2,
    /// Units moved, or the factor.
    amount: f64,
    all_axes: bool,
    /// Why it does not go on.
    stop: Option<Stop>,
}

#[derive(Clone, Debug)]
pub(super) enum Gizmo {
    Turn(Box<Turn>),
    Slide(Box<Slide>),
}

/// The part of the gizmo under a point of the view.
pub(super) fn grip_at(cx: &ToolCx<'_>, at: DVec2) -> Option<Grip> {
    let axes = cx.gizmo?;
    if targets::missing(cx).is_some() {
        return None;
    }
    let mut best: Option<(f64, Grip)> = None;
    let mut offer = |distance: Option<f64>, grip: Grip| {
        if let Some(distance) = distance.filter(|distance| *distance <= HANDLE_REACH)
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, grip));
        }
    };
    for index in 0..3 {
        let along = axes.col(index);
        if !is_end_on(cx.view, along) {
            let place = |points: f64| place(cx.view, cx.pivot, along, points);
            if let (Some(from), Some(to)) = (place(ARM_FROM), place(ARM_TO)) {
                offer(Some(segment_distance(from, to, at)), Grip::Move(index));
            }
            offer(
                place(KNOB).map(|knob| knob.distance(at)),
                Grip::Scale(index),
            );
        }
        if !cx.view.is_2d() || is_end_on(cx.view, along) {
            let distance = turning::ring_distance(cx.view, cx.pivot, along, at);
            offer(distance, Grip::Turn(index));
        }
    }
    best.map(|(_, grip)| grip)
}

fn is_end_on(view: &View, along: DVec3) -> bool {
    along.dot(view.forward()).abs() > 0.98
}

fn place(view: &View, pivot: DVec3, along: DVec3, points: f64) -> Option<DVec2> {
    let at = pivot + along * (points * view.units_per_point(pivot));
    view.project(at).map(|(place, _)| place)
}

impl Gizmo {
    /// `None` when no part of it lies under the pointer.
    pub fn new(cx: &ToolCx<'_>, at: DVec2) -> Option<Self> {
        let axes = cx.gizmo?;
        let (axis, is_scale) = match grip_at(cx, at)? {
            Grip::Turn(axis) => {
                return Turn::new(cx, at, Axis::of(axes, axis))
                    .map(|turn| Self::Turn(Box::new(turn)));
            }
            Grip::Move(axis) => (axis, false),
            Grip::Scale(axis) => (axis, true),
        };
        let mut slide = Slide {
            targets: Targets::of(cx)?,
            pivot: cx.pivot,
            axes,
            axis,
            is_scale,
            start: 0.0,
            typed: None,
            last_at: at,
            amount: if is_scale { 1.0 } else { 0.0 },
            all_axes: false,
            stop: None,
        };
        slide.start = slide.along(cx, at)?;
        Some(Self::Slide(Box::new(slide)))
    }

    pub fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        match self {
            Self::Turn(turn) => turn.drag(cx, at, STEP_DEG),
            Self::Slide(slide) => slide.drag(cx, at),
        }
    }

    pub fn end(&self) -> Outcome {
        match self {
            Self::Turn(turn) => turn.end(),
            Self::Slide(slide) => match slide.outcome(Stage::Commit) {
                Outcome::Preview(edit) => Outcome::Commit(edit),
                other => other,
            },
        }
    }

    pub fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        match self {
            Self::Turn(turn) => turn.enter(cx, values, STEP_DEG),
            Self::Slide(slide) => {
                slide.typed = values.first().copied().flatten();
                let at = slide.last_at;
                slide.drag(cx, at)
            }
        }
    }

    pub fn quantities(&self) -> &'static [&'static str] {
        match self {
            Self::Turn(_) => &["Angle"],
            Self::Slide(slide) if slide.is_scale => &["Factor"],
            Self::Slide(_) => &["Distance"],
        }
    }

    pub fn readout(&self) -> Readout {
        match self {
            Self::Turn(turn) => turn.readout(),
            Self::Slide(slide) => {
                let text = if slide.is_scale {
                    format!("x {}", shortest(slide.amount))
                } else {
                    signed(slide.amount)
                };
                turning::readout(text, slide.stop)
            }
        }
    }

    pub fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        match self {
            Self::Turn(turn) => turn.overlay(cx, out),
            Self::Slide(slide) => {
                let along = slide.axes.col(slide.axis);
                let reach = KNOB * 2.0 * cx.view.units_per_point(slide.pivot);
                out.lines.push(line(
                    slide.pivot - along * reach,
                    slide.pivot + along * reach,
                    turning::AXIS_ROLES[slide.axis],
                    2.0,
                    false,
                ));
                super::draw::box_lines(slide.targets.bounds, |from, to| {
                    out.lines.push(line(from, to, Role::Ghost, 1.0, true));
                });
            }
        }
    }
}

impl Slide {
    /// Distance from the pivot along the axis of the point nearest to the ray under the pointer.
    fn along(&self, cx: &ToolCx<'_>, at: DVec2) -> Option<f64> {
        let direction = self.axes.col(self.axis);
        if is_end_on(cx.view, direction) {
            return None;
        }
        cx.ray(at)
            .nearest_on_line(self.pivot, direction)
            .map(|(_, along)| along)
            .filter(|along| along.is_finite())
    }

    fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        self.last_at = at;
        let before = self.amount;
        self.all_axes = self.is_scale && cx.modifiers.shift;
        if let Some(typed) = self.typed {
            if !self.is_scale || typed > 0.0 {
                self.amount = typed;
            }
            return self.shown(cx, before);
        }
        let target = snapping::snapped_point(cx, at)
            .map(|point| (point - self.pivot).dot(self.axes.col(self.axis)));
        if let Some(now) = target.or_else(|| self.along(cx, at)) {
            self.amount = if self.is_scale {
                self.factor(cx, now)
            } else if target.is_some() {
                now
            } else {
                cx.grid.snap_length(now - self.start)
            };
        }
        self.shown(cx, before)
    }

    /// The preview, unless something stops it: then the last good place stays.
    fn shown(&mut self, cx: &ToolCx<'_>, before: f64) -> Outcome {
        self.stop = self.targets.stop(cx.doc(), &self.map());
        if self.stop.is_some() {
            self.amount = before;
        }
        self.outcome(Stage::Preview)
    }

    /// The bounds grow by whole grid steps along the axis, and never shrink below one.
    fn factor(&self, cx: &ToolCx<'_>, now: f64) -> f64 {
        let along = self.axes.col(self.axis);
        let extent = self.targets.bounds.size().dot(along.abs());
        if extent <= 0.0 || self.start.abs() < 1e-9 {
            return 1.0;
        }
        let least = cx.grid.least_extent();
        let wanted = cx.grid.snap_length(extent * (now / self.start));
        wanted.max(least.min(extent)) / extent
    }

    fn map(&self) -> DAffine3 {
        let along = self.axes.col(self.axis);
        if !self.is_scale {
            return DAffine3::from_translation(along * self.amount);
        }
        let mut factor = DVec3::ONE;
        factor[self.axis] = self.amount;
        if self.all_axes {
            factor = DVec3::splat(self.amount);
        }
        let linear = self.axes * DMat3::from_diagonal(factor) * self.axes.transpose();
        about(self.pivot, linear)
    }

    fn outcome(&self, stage: Stage) -> Outcome {
        let (nothing, label) = if self.is_scale {
            (1.0, "Scale")
        } else {
            (0.0, "Move")
        };
        if self.amount == nothing {
            return Outcome::Unchanged;
        }
        Outcome::Preview(self.targets.mapped(label, self.map(), stage))
    }
}

/// The gizmo at rest.
pub(super) fn overlay(cx: &ToolCx<'_>, hovered: Option<Grip>, out: &mut Overlay) {
    let Some(axes) = cx.gizmo.filter(|_| targets::missing(cx).is_none()) else {
        return;
    };
    let (view, pivot) = (cx.view, cx.pivot);
    let unit = view.units_per_point(pivot);
    for index in 0..3 {
        let (along, role) = (axes.col(index), turning::AXIS_ROLES[index]);
        let width = |grip: Grip| if hovered == Some(grip) { 4.0 } else { 2.0 };
        if !is_end_on(view, along) {
            let mut arm = line(
                pivot + along * (ARM_FROM * unit),
                pivot + along * (ARM_TO * unit),
                role,
                width(Grip::Move(index)),
                false,
            );
            arm.arrow = true;
            out.lines.push(arm);
            out.handles.push(Handle {
                at: pivot + along * (KNOB * unit),
                role: Role::Handle,
                hovered: hovered == Some(Grip::Scale(index)),
            });
        }
        if !view.is_2d() || is_end_on(view, along) {
            turning::ring_lines(
                view,
                pivot,
                along,
                role,
                width(Grip::Turn(index)) * 0.7,
                out,
            );
        }
    }
}

/// The axes of the last selected object: of an entity its own, of a brush those of its largest face; world axes for the rest.
pub(crate) fn local_axes(state: &State) -> DMat3 {
    let last: Option<ObjectId> = state.selection.objects().last().copied();
    let Some(object) = last.and_then(|id| state.doc.object(id)) else {
        return DMat3::IDENTITY;
    };
    match &object.kind {
        Kind::Entity(entity) => DMat3::from_quat(entity.rotation()),
        Kind::Brush(brush) => {
            let hull = brush.hull();
            let largest = (0..brush.faces().len())
                .map(|face| hull.face_points(face).collect::<Vec<DVec3>>())
                .max_by(|a, b| area(a).total_cmp(&area(b)));
            largest.map_or(DMat3::IDENTITY, |corners| axes_of_face(&corners))
        }
        Kind::Mesh(_) | Kind::Group(_) => DMat3::IDENTITY,
    }
}

fn area(corners: &[DVec3]) -> f64 {
    corners
        .windows(2)
        .skip(1)
        .map(|pair| (pair[0] - corners[0]).cross(pair[1] - corners[0]).length())
        .sum()
}

/// Normal, longest edge and what is square to both, each given to the world axis it lies nearest to.
fn axes_of_face(corners: &[DVec3]) -> DMat3 {
    let edges =
        (0..corners.len()).map(|index| corners[(index + 1) % corners.len()] - corners[index]);
    let Some(along) = edges
        .max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
        .and_then(DVec3::try_normalize)
    else {
        return DMat3::IDENTITY;
    };
    let Some(normal) = crate::geometry::polygon::normal(corners) else {
        return DMat3::IDENTITY;
    };
    let mut left = vec![along, normal, normal.cross(along)];
    let mut axes = [DVec3::ZERO; 3];
    for index in [1, 0, 2] {
        let best = (0..left.len())
            .max_by(|&a, &b| left[a][index].abs().total_cmp(&left[b][index].abs()))
            .unwrap_or(0);
        let axis = left.swap_remove(best);
        axes[index] = if axis[index] < 0.0 { -axis } else { axis };
    }
    // World axes are world axes to the last bit.
    let tidy = axes.map(|axis| {
        axis.map(|part| {
            if (part - part.round()).abs() < 1e-12 {
                part.round()
            } else {
                part
            }
        })
    });
    let found = DMat3::from_cols(tidy[0], tidy[1], tidy[2]);
    if found.determinant() < 0.0 {
        DMat3::from_cols(tidy[0], tidy[1], -tidy[2])
    } else {
        found
    }
}
