//! Drags of faces of the selected brushes: push and pull (EXT-1), split (EXT-2), slide (EXT-3), stamp (EXT-4).

mod grab;

use glam::DVec2;
use glam::DVec3;

use self::grab::along_normal;
use self::grab::slides;
use crate::document::Brush;
use crate::document::Edit;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::ops;
use crate::document::ops::components::Reshaper;
use crate::editor::commands::SelectionClass;
use crate::editor::edits;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::snapping;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::ToolCx;
use crate::editor::tools::hint;
use crate::editor::tools::meet_drag_plane;
use crate::editor::tools::signed;
use crate::editor::view::ViewKind;
use crate::geometry::Grid;

/// Halvings on the way to how far a face may go.
const HALVINGS: u32 = 24;

/// What the drag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// The plane of the face moves.
    Push,
    /// A new brush fills the way, or the brush is cut in two.
    Split,
    /// The corners of the face move.
    Slide,
    /// A new brush with straight sides.
    Stamp,
}

impl How {
    fn of(modifiers: Modifiers) -> Option<Self> {
        let Modifiers { shift, ctrl, alt } = modifiers;
        match (shift, ctrl, alt) {
            (true, false, false) => Some(Self::Push),
            (true, true, false) => Some(Self::Split),
            (true, false, true) => Some(Self::Slide),
            (true, true, true) => Some(Self::Stamp),
            _ => None,
        }
    }

    /// What a press with these modifiers begins on the selection; `None` where it means something else: painting faces,
    /// taking textures along, the marquee.
    pub fn at_press(cx: &ToolCx<'_>, at: DVec2, modifiers: Modifiers) -> Option<Self> {
        let how = Self::of(modifiers)?;
        let class = cx.selection_class();
        let takes = match how {
            Self::Push | Self::Stamp => class != SelectionClass::Nothing,
            Self::Split | Self::Slide if cx.view.is_2d() => class != SelectionClass::Nothing,
            // From a selected face it takes the texture along (TEX-3).
            Self::Slide if class == SelectionClass::Faces => false,
            Self::Split | Self::Slide => (cx.pick)(at).is_some_and(|hit| {
                let picked = |face| cx.base.selection.contains(&Pick::Face(hit.object, face));
                hit.face.is_some_and(picked)
                    || crate::editor::selecting::is_in_selection(
                        cx.doc(),
                        &cx.base.selection,
                        hit.object,
                    )
            }),
        };
        takes.then_some(how)
    }
}

const PUSHING: &[Hint] = &[
    hint("V E F", "onto geometry"),
    hint("G", "no grid"),
    hint("0-9", "type the distance"),
    hint("Esc", "cancel"),
];

/// A face that moves; `sign` -1: it lies back to back with the grabbed one and moves against its own normal.
#[derive(Clone, Debug)]
struct Moving {
    id: ObjectId,
    brush: Brush,
    face: usize,
    sign: f64,
}

/// A drag of faces under way.
#[derive(Clone, Debug)]
pub(super) struct Extrude {
    how: How,
    faces: Vec<Moving>,
    /// For slides: one for each face, so that what does not change is found out once.
    reshapers: Vec<Reshaper>,
    grab: DVec3,
    normal: DVec3,
    /// Parameter of the grab along the normal at the press, so that nothing jumps.
    start: Option<f64>,
    /// Typed numbers (0.8); they are not snapped.
    typed: [Option<f64>; 2],
    last_at: DVec2,
    distance: f64,
    /// How far a slide goes; otherwise the distance along the normal.
    delta: DVec3,
    stopped: Option<String>,
}

impl Extrude {
    /// `None` when no face of the selection is at or near the pointer.
    pub fn new(cx: &ToolCx<'_>, at: DVec2, how: How) -> Option<Self> {
        let brushes = grab::selected_brushes(cx);
        let (id, face, grab) = grab::grabbed_face(cx, at, &brushes)?;
        let brush = cx.doc().object(id)?.brush()?;
        let plane = brush.faces()[face].plane.unit()?;
        let mut faces = grab::together(&brushes, plane);
        if how != How::Push {
            // What lies behind a new brush or a slope stays as it is.
            faces.retain(|moving| moving.sign > 0.0);
        }
        let reshapers = if how == How::Slide {
            faces
                .iter()
                .map(|moving| {
                    let ring = moving.brush.hull().loops()[moving.face].iter().copied();
                    Reshaper::new(moving.brush.clone(), ring.collect())
                })
                .collect()
        } else {
            Vec::new()
        };
        let start = along_normal(cx.view, at, grab, plane.normal);
        Some(Self {
            how,
            faces,
            reshapers,
            grab,
            normal: plane.normal,
            start,
            typed: [None; 2],
            last_at: at,
            distance: 0.0,
            delta: DVec3::ZERO,
            stopped: None,
        })
    }

    /// In 2D a slide follows the pointer freely.
    fn is_free(&self, cx: &ToolCx<'_>) -> bool {
        self.how == How::Slide && cx.view.is_2d()
    }

    pub fn quantities(&self, cx: &ToolCx<'_>) -> &'static [&'static str] {
        if !self.is_free(cx) {
            return &["Distance"];
        }
        match cx.view.kind {
            ViewKind::Top | ViewKind::Perspective => &["X", "Z"],
            ViewKind::Front => &["X", "Y"],
            ViewKind::Side => &["Z", "Y"],
        }
    }

    pub fn hints(&self) -> &'static [Hint] {
        PUSHING
    }

    pub fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        self.typed = std::array::from_fn(|index| values.get(index).copied().flatten());
        self.drag(cx, self.last_at)
    }

    pub fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        self.last_at = at;
        if self.is_free(cx) {
            self.slide_freely(cx, at);
        } else if let Some(wanted) = self.wanted(cx, at) {
            self.go(cx, wanted);
        }
        if self.is_still() {
            Outcome::Unchanged
        } else {
            Outcome::Preview(self.edit(cx))
        }
    }

    fn is_still(&self) -> bool {
        self.distance == 0.0 && self.delta == DVec3::ZERO
    }

    pub fn end(&self, cx: &ToolCx<'_>) -> Outcome {
        if self.is_still() {
            Outcome::Unchanged
        } else {
            Outcome::Commit(self.edit(cx))
        }
    }

    /// The distance along the normal that pointer, snap keys or typing ask for.
    fn wanted(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Option<f64> {
        // A held snap key brings the face onto the height of what it finds (0.9).
        let target = snapping::snapped_point(cx, at)
            .map(|point| (point - self.grab).dot(self.normal))
            .or(self.typed[0]);
        target.or_else(|| {
            let now = along_normal(cx.view, at, self.grab, self.normal)?;
            let wanted = now - *self.start.get_or_insert(now);
            Some(self.nearest_candidate(&cx.grid, wanted))
        })
    }

    fn go(&mut self, cx: &ToolCx<'_>, wanted: f64) {
        match self.allows(cx, self.normal * wanted, wanted) {
            Ok(()) => {
                self.distance = wanted;
                self.stopped = None;
            }
            Err(reason) => {
                self.distance = self.limit(cx, wanted);
                self.stopped = Some(reason);
            }
        }
        self.delta = if self.how == How::Slide {
            self.normal * self.distance
        } else {
            DVec3::ZERO
        };
    }

    fn slide_freely(&mut self, cx: &ToolCx<'_>, at: DVec2) {
        let towards = -cx.view.forward();
        let Some(now) = meet_drag_plane(cx.view, cx.ray(at), self.grab, towards) else {
            return;
        };
        let mut delta = cx.grid.snap_delta(now - self.grab);
        if let Some(point) = snapping::snapped_point(cx, at) {
            delta = point - self.grab;
        }
        delta -= towards * delta.dot(towards);
        let axes = [cx.view.right().abs(), cx.view.up().abs()];
        for (axis, typed) in axes.into_iter().zip(self.typed) {
            if let Some(typed) = typed {
                delta += axis * (typed - delta.dot(axis));
            }
        }
        // By the rules of vertex drags the last allowed place stays.
        match self.allows(cx, delta, 0.0) {
            Ok(()) => {
                self.delta = delta;
                self.stopped = None;
            }
            Err(reason) => self.stopped = Some(reason),
        }
    }

    fn edit(&self, cx: &ToolCx<'_>) -> Edit {
        let faces = |sign: f64| -> Vec<(ObjectId, u32)> {
            self.faces
                .iter()
                .filter(|moving| moving.sign == sign)
                .map(|moving| (moving.id, moving.face as u32))
                .collect()
        };
        match self.how {
            How::Push => edits::extrude(faces(1.0), faces(-1.0), self.distance),
            How::Split => ops::extrude::split_faces(faces(1.0), self.distance),
            How::Slide => ops::extrude::slide_faces(faces(1.0), self.delta, cx.uv_lock),
            How::Stamp => ops::extrude::stamp_faces(faces(1.0), self.distance),
        }
    }

    /// Multiples of the grid along the normal, and distances that put a corner of a face on a grid plane.
    fn nearest_candidate(&self, grid: &Grid, wanted: f64) -> f64 {
        let mut best = grid.snap_length(wanted);
        for candidate in self.corner_candidates(grid, wanted) {
            if (candidate - wanted).abs() < (best - wanted).abs() - 1e-9 {
                best = candidate;
            }
        }
        best
    }

    fn corner_candidates(&self, grid: &Grid, wanted: f64) -> Vec<f64> {
        let mut candidates = Vec::new();
        for moving in self.faces.iter().filter(|moving| moving.sign > 0.0) {
            for (corner, slide) in self.slides(moving) {
                for axis in 0..3 {
                    if slide[axis].abs() < 1e-9 {
                        continue;
                    }
                    let reached = corner[axis] + slide[axis] * wanted;
                    let on_grid = grid.snap(DVec3::splat(reached))[axis];
                    candidates.push((on_grid - corner[axis]) / slide[axis]);
                }
            }
        }
        candidates
    }

    /// The corners of a face, and where each goes per unit of the distance.
    fn slides(&self, moving: &Moving) -> Vec<(DVec3, DVec3)> {
        if matches!(self.how, How::Push | How::Split) {
            return slides(&moving.brush, moving.face, self.normal);
        }
        let corners = moving.brush.hull().face_points(moving.face);
        corners.map(|corner| (corner, self.normal)).collect()
    }

    /// May the faces go so far? Otherwise why not.
    fn allows(&self, cx: &ToolCx<'_>, delta: DVec3, distance: f64) -> Result<(), String> {
        if distance == 0.0 && delta == DVec3::ZERO {
            return Ok(());
        }
        let tile = |material| cx.doc().tile_size(material);
        for (index, moving) in self.faces.iter().enumerate() {
            let (brush, face) = (&moving.brush, moving.face);
            match self.how {
                How::Push => {
                    ops::extrude::pushed(brush, face, distance * moving.sign)?;
                }
                How::Split => {
                    ops::extrude::split(brush, face, distance)?;
                }
                How::Stamp => {
                    ops::extrude::stamped(brush, face, distance, &tile)?;
                }
                How::Slide => {
                    let reshaper = &self.reshapers[index];
                    let points = brush.hull().points();
                    if ops::extrude::slides_through(brush, face, delta) {
                        return Err("The face would pass through the brush".to_owned());
                    }
                    let to = reshaper
                        .moving()
                        .iter()
                        .map(|&corner| (corner, points[corner as usize] + delta))
                        .collect();
                    reshaper
                        .moved(&to, cx.uv_lock, &tile)
                        .map_err(|stop| stop.to_string())?;
                }
            }
        }
        Ok(())
    }

    /// The furthest candidate towards `wanted` that is allowed.
    fn limit(&self, cx: &ToolCx<'_>, wanted: f64) -> f64 {
        let ok = |distance: f64| self.allows(cx, self.normal * distance, distance).is_ok();
        let (mut good, mut bad) = (0.0, wanted);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(good, bad);
            if ok(middle) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        let step = cx.grid.step();
        if !cx.grid.enabled {
            // Without a grid no sheet is left that can hardly be seen.
            good = good.signum() * (good.abs() - cx.grid.least_extent()).max(0.0);
        }
        let mut candidates = self.corner_candidates(&cx.grid, good);
        candidates.push((good / step).trunc() * step);
        candidates
            .retain(|candidate| candidate * wanted > 0.0 && candidate.abs() <= good.abs() + 1e-9);
        candidates.sort_by(|a, b| b.abs().total_cmp(&a.abs()));
        candidates
            .into_iter()
            .find(|&candidate| ok(candidate))
            .unwrap_or(0.0)
    }

    pub fn overlay(&self, out: &mut Overlay) {
        let role = if self.stopped.is_some() {
            Role::Refused
        } else {
            Role::HandleSelected
        };
        for moving in &self.faces {
            let corners: Vec<DVec3> = if self.how == How::Slide {
                let corners = moving.brush.hull().face_points(moving.face);
                corners.map(|corner| corner + self.delta).collect()
            } else {
                let slides = if moving.sign > 0.0 {
                    self.slides(moving)
                } else {
                    slides(&moving.brush, moving.face, self.normal)
                };
                slides
                    .into_iter()
                    .map(|(corner, slide)| corner + slide * self.distance)
                    .collect()
            };
            for (index, &from) in corners.iter().enumerate() {
                let to = corners[(index + 1) % corners.len()];
                out.lines.push(line(from, to, role, 2.0));
            }
        }
        let way = if self.how == How::Slide {
            self.delta
        } else {
            self.normal * self.distance
        };
        let mut arrow = line(self.grab, self.grab + way, Role::Guide, 1.5);
        arrow.arrow = true;
        out.lines.push(arrow);
    }

    pub fn readout(&self) -> Readout {
        let off_axis = self.delta - self.normal * self.delta.dot(self.normal);
        let amount = if off_axis.length() > 1e-9 {
            let DVec3 { x, y, z } = self.delta;
            format!("{}, {}, {}", signed(x), signed(y), signed(z))
        } else if self.how == How::Slide {
            signed(self.delta.dot(self.normal))
        } else {
            signed(self.distance)
        };
        if let Some(reason) = &self.stopped {
            return Readout {
                text: format!("{amount}: {reason}"),
                refused: true,
            };
        }
        let what = match self.how {
            How::Push => "",
            How::Split if self.distance < 0.0 => " cut in two",
            How::Split => " new brush",
            How::Slide => " slide",
            How::Stamp => " stamp",
        };
        let faces = if self.faces.len() > 1 {
            format!(" ({} faces)", self.faces.len())
        } else {
            String::new()
        };
        Readout {
            text: format!("{amount}{what}{faces}"),
            refused: false,
        }
    }
}

fn line(from: DVec3, to: DVec3, role: Role, width: f32) -> Line {
    Line {
        from,
        to,
        role,
        width,
        through: true,
        arrow: false,
        dashed: false,
    }
}
