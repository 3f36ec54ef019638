//! Cutting brushes with a plane (CLP-1 to CLP-3): up to three points, which side stays, a preview of what goes.

mod placing;
mod shown;

use glam::DVec2;

use self::placing::Point;
use crate::document::Edit;
use crate::document::ObjectId;
use crate::document::ops;
use crate::document::ops::clip::Keep;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Gesture;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolAction;
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::hint;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::editor::tools::shortest;
use crate::geometry::Plane;

/// With nothing selected, more objects than this are cut only when asked twice.
const MANY: usize = 200;

const NO_SURFACE: &str = "There is no surface here; click on a face, or in a 2D view";
const NO_PLANE: &str = "Place two or three points first, or double click a face";
const NOTHING_CUT: &str = "The plane crosses nothing that could be cut";

/// What the plane would do, kept for overlay and readout.
#[derive(Clone, Debug, Default)]
struct Cut {
    plane: Option<Plane>,
    /// What it crosses.
    ids: Vec<ObjectId>,
    /// Objects it is about: the selected ones; `None` = all that is visible.
    of: Option<usize>,
    shown: shown::Shown,
}

/// A running drag of points.
#[derive(Clone, Debug)]
struct Dragged {
    /// As it was before.
    points: Vec<Point>,
    exact: Option<Plane>,
    index: usize,
    /// Coordinates typed instead of pointed at.
    typed: [Option<f64>; 3],
    at: DVec2,
}

/// See the module's text.
#[derive(Default)]
pub(super) struct ClipTool {
    points: Vec<Point>,
    /// The plane of a face that was double clicked, until its points are changed.
    exact: Option<Plane>,
    keep: Keep,
    cut: Cut,
    dragged: Option<Dragged>,
    /// The last click has placed a point; a second click there means the face instead.
    fresh: bool,
    /// Cutting this many was asked for once.
    asked: Option<usize>,
    refused: Option<&'static str>,
}

const IDLE: &[Hint] = &[
    hint("Click", "place a point"),
    hint("Drag", "place two"),
    hint("Double click", "the plane of a face"),
    hint("Ctrl+click", "select"),
    hint("Esc", "leave the tool"),
];
const PLACED: &[Hint] = &[
    hint("Enter", "clip"),
    hint("Tab", "front, back or both stay"),
    hint("Click", "another point"),
    hint("Drag a point", "move it"),
    hint("Del", "take the last away"),
    hint("Esc", "start over"),
];
const DRAGGING: &[Hint] = &[
    hint("Tab", "front, back or both stay"),
    hint("Shift", "8 directions (2D)"),
    hint("V E F", "onto geometry"),
    hint("G", "no grid"),
    hint("0-9", "type it"),
    hint("Esc", "cancel"),
];
const SIDES: &[&str] = &["Front", "Back", "Both"];

impl ClipTool {
    /// The plane of the points, its front as the sides are named; `None` while they do not give one.
    fn plane(&self) -> Option<Plane> {
        if let Some(plane) = self.exact {
            return Some(plane);
        }
        match self.points[..] {
            [a, b] => Plane::through(a.at, (b.at - a.at).cross(a.along)),
            [a, b, c] => Plane::from_points(a.at, b.at, c.at),
            _ => None,
        }
    }

    /// The points have changed: works out what is cut and shows it.
    fn changed(&mut self, cx: &ToolCx<'_>) -> Outcome {
        self.asked = None;
        self.refused = None;
        let plane = self.plane();
        let (of, candidates) = match plane {
            None => (None, Vec::new()),
            Some(plane) => match shown::picked(cx) {
                Some(ids) => (Some(ids.len()), ids),
                None => (None, (cx.crossed)(plane)),
            },
        };
        let ids: Vec<ObjectId> = plane.map_or_else(Vec::new, |plane| {
            candidates
                .into_iter()
                .filter(|&id| shown::is_crossed(cx, id, plane))
                .collect()
        });
        let shown = plane.map_or_else(shown::Shown::default, |plane| {
            shown::Shown::of(cx, &ids, plane, self.keep)
        });
        self.cut = Cut {
            plane,
            ids,
            of,
            shown,
        };
        match self.edit(cx) {
            Some(edit) => Outcome::Preview(edit),
            None => Outcome::Unchanged,
        }
    }

    fn edit(&self, cx: &ToolCx<'_>) -> Option<Edit> {
        let plane = self.cut.plane?;
        (!self.cut.ids.is_empty())
            .then(|| ops::clip::clip(self.cut.ids.clone(), plane, self.keep, cx.material.cloned()))
    }

    fn apply(&mut self, cx: &ToolCx<'_>) -> Outcome {
        if self.cut.plane.is_none() {
            return Outcome::refused(NO_PLANE);
        }
        let Some(edit) = self.edit(cx) else {
            return Outcome::refused(NOTHING_CUT);
        };
        let count = self.cut.ids.len();
        if self.cut.of.is_none() && count > MANY && self.asked != Some(count) {
            self.asked = Some(count);
            return Outcome::refused(format!(
                "Nothing is selected, so this cuts {count} objects; press Enter again to clip all"
            ));
        }
        self.clear();
        Outcome::Commit(edit)
    }

    fn clear(&mut self) {
        self.points.clear();
        self.exact = None;
        self.cut = Cut::default();
        self.dragged = None;
        self.fresh = false;
        self.asked = None;
        self.refused = None;
    }

    fn turn(&mut self, cx: &ToolCx<'_>, keep: Keep) -> Outcome {
        self.keep = keep;
        if self.points.is_empty() {
            Outcome::Handled
        } else {
            self.changed(cx)
        }
    }

    fn click(&mut self, cx: &ToolCx<'_>, at: DVec2, count: u8, modifiers: Modifiers) -> Outcome {
        let constrains = modifiers == Modifiers::SHIFT && cx.view.is_2d();
        if !modifiers.is_none() && !constrains {
            return super::select::click(cx, at, count, modifiers);
        }
        if count == 2 {
            return self.double_click(cx, at);
        }
        self.fresh = false;
        if placing::handle_at(cx.view, &self.points, at).is_some() {
            return Outcome::Handled;
        }
        if self.points.len() == 3 {
            return Outcome::refused("Three points are placed; drag them, or take one away (Del)");
        }
        let Some(point) = placing::place(cx, at, self.points.last().copied()) else {
            return Outcome::refused(NO_SURFACE);
        };
        self.exact = None;
        self.points.push(point);
        self.fresh = true;
        self.changed(cx)
    }

    fn double_click(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        if !std::mem::take(&mut self.fresh)
            && placing::handle_at(cx.view, &self.points, at).is_some()
        {
            return self.apply(cx);
        }
        let Some((plane, corners)) = placing::face_at(cx, at) else {
            return Outcome::Handled;
        };
        self.points = corners.map(|at| Point::new(at, plane.normal)).to_vec();
        self.exact = Some(plane);
        self.changed(cx)
    }

    fn begin(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        let before = (self.points.clone(), self.exact);
        self.fresh = false;
        let index = if let Some(index) = placing::handle_at(cx.view, &self.points, at) {
            index
        } else {
            if self.points.len() == 3 {
                self.points.clear();
            }
            if self.points.len() < 2 {
                let Some(first) = placing::place(cx, at, self.points.last().copied()) else {
                    self.points = before.0;
                    return Outcome::refused(NO_SURFACE);
                };
                self.points.push(first);
            }
            // The second follows the pointer; it starts where the first is.
            let start = placing::place(cx, at, self.points.last().copied());
            let Some(next) = start.or(self.points.last().copied()) else {
                return Outcome::refused(NO_SURFACE);
            };
            self.points.push(next);
            self.points.len() - 1
        };
        self.exact = None;
        self.dragged = Some(Dragged {
            points: before.0,
            exact: before.1,
            index,
            typed: [None; 3],
            at,
        });
        self.changed(cx)
    }

    fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        let Some(dragged) = &mut self.dragged else {
            return Outcome::Handled;
        };
        dragged.at = at;
        let (index, typed) = (dragged.index, dragged.typed);
        let anchor = index
            .checked_sub(1)
            .or((self.points.len() > 1).then_some(1));
        let anchor = anchor.map(|anchor| self.points[anchor]);
        let old = self.points[index];
        let found = placing::place(cx, at, anchor);
        let mut point = found.unwrap_or(old);
        for (axis, value) in typed.into_iter().enumerate() {
            if let Some(value) = value {
                point.at[axis] = value;
            }
        }
        // Where a point is moved off its face it keeps the direction that the plane holds.
        point.along = if index == 0 && found.is_none() {
            old.along
        } else {
            point.along
        };
        self.points[index] = point;
        let outcome = self.changed(cx);
        self.refused = found.is_none().then_some("there is no surface here");
        outcome
    }

    fn end(&mut self, cx: &ToolCx<'_>) -> Outcome {
        let Some(dragged) = self.dragged.take() else {
            return Outcome::Ignored;
        };
        let count = self.points.len();
        let doubled = count > dragged.points.len()
            && count >= 2
            && self.points[count - 1]
                .at
                .distance(self.points[count - 2].at)
                < 1e-6;
        if doubled {
            // Both on one grid point: one is enough.
            self.points.pop();
        }
        self.changed(cx)
    }

    fn cancel(&mut self) {
        if let Some(dragged) = self.dragged.take() {
            self.points = dragged.points;
            self.exact = dragged.exact;
        }
        if self.points.is_empty() {
            // Nobody asks again what no points would cut.
            self.cut = Cut::default();
            self.refused = None;
        }
    }
}

impl Tool for ClipTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Clip
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Hover { .. } | Gesture::Key(_) => Outcome::Ignored,
            Gesture::Click {
                at,
                count,
                modifiers,
            } => self.click(cx, at, count, modifiers),
            Gesture::Begin { at, .. } => self.begin(cx, at),
            Gesture::Drag { at } => self.drag(cx, at),
            Gesture::End => self.end(cx),
            Gesture::Cancel => {
                self.cancel();
                Outcome::Cancel
            }
        }
    }

    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        shown::overlay(self, cx, out);
    }

    fn readout(&self) -> Option<Readout> {
        if let Some(reason) = self.refused {
            return Some(Readout {
                text: reason.to_owned(),
                refused: true,
            });
        }
        let last = self
            .dragged
            .as_ref()
            .map_or(self.points.len().checked_sub(1)?, |d| d.index);
        let at = self.points.get(last)?.at;
        let place = format!("{}, {}, {}", shortest(at.x), shortest(at.y), shortest(at.z));
        if self.cut.plane.is_none() {
            return Some(Readout {
                text: place,
                refused: false,
            });
        }
        let stays = match self.keep {
            Keep::Front => "front stays",
            Keep::Back => "back stays",
            Keep::Both => "both stay",
        };
        let cuts = self.cut.ids.len();
        let what = match self.cut.of {
            Some(of) => format!("cuts {cuts} of {of}, {stays}"),
            None => format!("cuts {cuts} of all, {stays}"),
        };
        Some(Readout {
            text: format!("{place}\n{what}"),
            refused: false,
        })
    }

    fn marks_selection(&self) -> bool {
        !self.points.is_empty()
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        if self.dragged.is_some() {
            DRAGGING
        } else if self.points.is_empty() {
            IDLE
        } else {
            PLACED
        }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        CursorShape::Crosshair
    }

    fn reset(&mut self) {
        self.clear();
    }

    fn action(&mut self, cx: &ToolCx<'_>, action: ToolAction) -> Outcome {
        match action {
            ToolAction::Apply => self.apply(cx),
            ToolAction::Cycle => self.turn(cx, self.keep.next()),
            ToolAction::Delete if !self.points.is_empty() => {
                if self.exact.take().is_some() {
                    self.points.clear();
                } else {
                    self.points.pop();
                }
                self.changed(cx)
            }
            _ => Outcome::Ignored,
        }
    }

    fn options(&self, _cx: &ToolCx<'_>) -> Vec<ToolOption> {
        let index = Keep::ALL.iter().position(|&keep| keep == self.keep);
        vec![
            ToolOption::choice(
                "keep",
                "Keep",
                "Which parts stay: the arrow points to the front.",
                SIDES,
                index.unwrap_or(0),
            ),
            ToolOption::button("clip", "Clip", "Cuts with the plane that is shown (Enter).")
                .unless(self.cut.plane.is_none().then_some(NO_PLANE)),
        ]
    }

    fn set_option(&mut self, cx: &ToolCx<'_>, id: &'static str, value: OptionValue) -> Outcome {
        match (id, value) {
            ("keep", OptionValue::Index(index)) => match Keep::ALL.get(index) {
                Some(&keep) => self.turn(cx, keep),
                None => Outcome::Ignored,
            },
            ("clip", OptionValue::Press) => self.apply(cx),
            _ => Outcome::Ignored,
        }
    }

    fn quantities(&self, _cx: &ToolCx<'_>) -> &'static [&'static str] {
        if self.dragged.is_some() {
            &["X", "Y", "Z"]
        } else {
            &[]
        }
    }

    fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        let Some(dragged) = &mut self.dragged else {
            return Outcome::Ignored;
        };
        for (slot, value) in dragged.typed.iter_mut().zip(values) {
            *slot = *value;
        }
        let at = dragged.at;
        self.drag(cx, at)
    }

    fn step_back(&mut self, _cx: &ToolCx<'_>) -> Option<Outcome> {
        if self.points.is_empty() {
            return None;
        }
        self.clear();
        Some(Outcome::Unchanged)
    }

    fn follow(&mut self, cx: &ToolCx<'_>) -> Outcome {
        if self.points.is_empty() {
            return Outcome::Ignored;
        }
        self.changed(cx)
    }
}
