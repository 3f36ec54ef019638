//! Brushes from points (BRU-4).

mod placing;
mod points;

use glam::DVec2;
use glam::DVec3;

use self::points::SAME;
use self::points::around;
use self::points::corners_of;
use self::points::flat;
use self::points::rectangle;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::ops;
use crate::editor::overlay::Area;
use crate::editor::overlay::Handle;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Gesture;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolAction;
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::grips;
use crate::editor::tools::hint;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::editor::tools::shortest;
use crate::editor::tools::signed;
use crate::geometry::Hull;

/// More points than this are no brush anybody wants, and slow.
const MOST_POINTS: usize = 512;

const NO_VOLUME: &str = "The points enclose no volume yet";
const TOO_MANY: &str = "A hull has at most 512 points";

/// What the running drag does; points are those at its beginning.
#[derive(Clone, Debug, Default)]
enum Drag {
    #[default]
    None,
    /// One point follows the pointer, on the plane through where it was unless there is a face under the pointer.
    Point { index: usize, from: DVec3 },
    /// A rectangle on a plane, between two points.
    Rectangle { start: DVec3, normal: DVec3 },
    /// A polygon once more, along its normal.
    Polygon {
        corners: Vec<DVec3>,
        grab: DVec3,
        normal: DVec3,
        typed: Option<f64>,
    },
}

/// See the module's text.
#[derive(Default)]
pub(super) struct HullTool {
    points: Vec<DVec3>,
    drag: Drag,
    /// The points when the drag began.
    before: Vec<DVec3>,
    last_at: DVec2,
    /// What a click has just added: a second one at once means the whole face instead.
    just_added: Option<DVec3>,
    readout: Option<Readout>,
}

const IDLE: &[Hint] = &[
    hint("Click", "a point on a face"),
    hint("Double click", "all its corners"),
    hint("Drag", "a rectangle on it"),
    hint("Esc", "leave the tool"),
];
const POINTS: &[Hint] = &[
    hint("Click", "add or remove a point"),
    hint("Drag", "a point, or a rectangle"),
    hint("Shift+drag", "a side once more"),
    hint("Enter", "create"),
    hint("Del", "the last point"),
    hint("Esc", "drop the points"),
];
const DRAGGING: &[Hint] = &[
    hint("V E F", "onto geometry"),
    hint("G", "no grid"),
    hint("Esc", "cancel"),
];

impl HullTool {
    /// The preview of the points as they are.
    fn shown(&self, cx: &ToolCx<'_>) -> Outcome {
        if Hull::from_points(&self.points).is_some() {
            Outcome::Preview(self.edit(cx))
        } else {
            Outcome::Unchanged
        }
    }

    fn edit(&self, cx: &ToolCx<'_>) -> Edit {
        let (points, material, home) = (self.points.clone(), cx.material.cloned(), cx.home());
        home.of(Edit::new("Create hull", move |draft, selection| {
            let material = material
                .as_ref()
                .map(|material| ops::materials::find_or_add(draft, material));
            let brush = ops::brushes::hull_brush(&points, material)
                .ok_or_else(|| EditError::refused(NO_VOLUME))?;
            ops::brushes::add("Create hull", vec![brush], home.layer).apply(draft, selection)
        }))
    }

    fn point_at(&self, cx: &ToolCx<'_>, at: DVec2) -> Option<usize> {
        grips::under(cx.view, self.points.iter().copied(), at)
    }

    fn add(&mut self, points: impl IntoIterator<Item = DVec3>) -> Result<(), &'static str> {
        for point in points {
            if self.points.iter().all(|known| known.distance(point) > SAME) {
                if self.points.len() >= MOST_POINTS {
                    return Err(TOO_MANY);
                }
                self.points.push(point);
            }
        }
        Ok(())
    }

    fn click(&mut self, cx: &ToolCx<'_>, at: DVec2, count: u8) -> Outcome {
        let just_added = self.just_added.take();
        if count == 2 && cx.view.is_2d() {
            return Outcome::Handled;
        }
        if count == 2 {
            let Some((hit, face)) = (cx.pick)(at).and_then(|hit| Some((hit.object, hit.face?)))
            else {
                return Outcome::Handled;
            };
            let corners: Vec<DVec3> = cx
                .doc()
                .object(hit)
                .map(|object| corners_of(object, face))
                .unwrap_or_default();
            self.points.retain(|&point| Some(point) != just_added);
            if let Err(reason) = self.add(corners) {
                return Outcome::refused(reason);
            }
            return self.shown(cx);
        }
        if let Some(index) = self.point_at(cx, at) {
            self.points.remove(index);
            return self.shown(cx);
        }
        let Some((point, _)) = self.place(cx, at) else {
            return Outcome::refused("There is no face here to put a point on");
        };
        let before = self.points.len();
        if let Err(reason) = self.add([point]) {
            return Outcome::refused(reason);
        }
        self.just_added = (self.points.len() > before).then_some(point);
        self.shown(cx)
    }

    fn begin(&mut self, cx: &ToolCx<'_>, at: DVec2, shift: bool) -> Outcome {
        self.before.clone_from(&self.points);
        self.just_added = None;
        self.last_at = at;
        if shift {
            let Some((corners, grab, normal)) = self.polygon_at(cx, at) else {
                return Outcome::refused("There is no side of the hull here to repeat");
            };
            self.drag = Drag::Polygon {
                corners,
                grab,
                normal,
                typed: None,
            };
        } else if let Some(index) = self.point_at(cx, at) {
            self.drag = Drag::Point {
                index,
                from: self.points[index],
            };
        } else {
            let Some((start, normal)) = self.place(cx, at) else {
                return Outcome::refused("There is no face here to draw on");
            };
            self.drag = Drag::Rectangle { start, normal };
        }
        self.step(cx, at)
    }

    fn step(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        self.last_at = at;
        let mut points = self.before.clone();
        self.readout = None;
        match &self.drag {
            Drag::None => return Outcome::Ignored,
            Drag::Point { index, from } => {
                let moved = self.moved_point(cx, at, *from);
                self.readout = Some(said(format!(
                    "{}, {}, {}",
                    shortest(moved.x),
                    shortest(moved.y),
                    shortest(moved.z)
                )));
                points[*index] = moved;
            }
            Drag::Rectangle { start, normal } => {
                let Some(end) = self.rectangle_end(cx, at, *start, *normal) else {
                    return Outcome::Handled;
                };
                let corners = rectangle(*start, end, *normal);
                self.readout = Some(said(format!(
                    "{} x {}",
                    shortest(corners[0].distance(corners[1])),
                    shortest(corners[1].distance(corners[2]))
                )));
                points.extend(corners);
            }
            Drag::Polygon {
                corners,
                grab,
                normal,
                typed,
            } => {
                let free = cx.ray(at).nearest_on_line(*grab, *normal);
                let Some(distance) = typed.or(free.map(|(_, along)| cx.grid.snap_length(along)))
                else {
                    return Outcome::Handled;
                };
                self.readout = Some(said(signed(distance)));
                points.extend(corners.iter().map(|&corner| corner + *normal * distance));
            }
        }
        self.points.clear();
        match self.add(points) {
            Ok(()) => self.shown(cx),
            Err(reason) => {
                self.readout = Some(Readout {
                    text: reason.to_owned(),
                    refused: true,
                });
                self.points.clone_from(&self.before);
                Outcome::Handled
            }
        }
    }
}

fn said(text: String) -> Readout {
    Readout {
        text,
        refused: false,
    }
}

impl Tool for HullTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Hull
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Click {
                at,
                count,
                modifiers,
            } => {
                if modifiers.is_none() {
                    self.click(cx, at, count)
                } else {
                    super::select::click(cx, at, count, modifiers)
                }
            }
            Gesture::Begin { at, modifiers } => self.begin(cx, at, modifiers.shift),
            Gesture::Drag { at } => self.step(cx, at),
            Gesture::End => {
                self.drag = Drag::None;
                self.readout = None;
                self.shown(cx)
            }
            Gesture::Cancel => {
                if !matches!(self.drag, Drag::None) {
                    self.points = std::mem::take(&mut self.before);
                }
                self.drag = Drag::None;
                self.readout = None;
                Outcome::Cancel
            }
            Gesture::Hover { .. } | Gesture::Key(_) => Outcome::Ignored,
        }
    }

    fn overlay(&self, _cx: &ToolCx<'_>, out: &mut Overlay) {
        let line = |from: DVec3, to: DVec3| Line {
            from,
            to,
            role: Role::Handle,
            width: 1.5,
            through: true,
            arrow: false,
            dashed: false,
        };
        if let Some((_, hull)) = Hull::from_points(&self.points) {
            let corner = |index: u32| hull.points()[index as usize];
            let edges = hull.edges();
            out.lines
                .extend(edges.iter().map(|&[a, b]| line(corner(a), corner(b))));
        } else if let Some(plane) = flat(&self.points) {
            let corners = around(&self.points, plane.normal);
            for (i, &from) in corners.iter().enumerate() {
                out.lines.push(line(from, corners[(i + 1) % corners.len()]));
            }
            out.areas.push(Area {
                corners,
                role: Role::Handle,
                alpha: 0.15,
            });
        } else if let [from, .., to] = self.points[..] {
            out.lines.push(line(from, to));
        }
        out.handles.extend(self.points.iter().map(|&at| Handle {
            at,
            role: Role::Handle,
            hovered: false,
        }));
    }

    fn readout(&self) -> Option<Readout> {
        self.readout.clone()
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        match (&self.drag, self.points.is_empty()) {
            (Drag::None, true) => IDLE,
            (Drag::None, false) => POINTS,
            _ => DRAGGING,
        }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        CursorShape::Crosshair
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn action(&mut self, cx: &ToolCx<'_>, action: ToolAction) -> Outcome {
        match action {
            ToolAction::Apply => {
                if Hull::from_points(&self.points).is_none() {
                    return Outcome::refused(NO_VOLUME);
                }
                let edit = self.edit(cx);
                self.reset();
                Outcome::Commit(edit)
            }
            ToolAction::Delete if !self.points.is_empty() => {
                self.points.pop();
                self.shown(cx)
            }
            _ => Outcome::Ignored,
        }
    }

    fn options(&self, _cx: &ToolCx<'_>) -> Vec<ToolOption> {
        let no_volume = Hull::from_points(&self.points)
            .is_none()
            .then_some(NO_VOLUME);
        let empty = self.points.is_empty().then_some("There are no points yet");
        vec![
            ToolOption::button(
                "create",
                "Create",
                "Makes the hull of the points a brush (Enter).",
            )
            .unless(no_volume),
            ToolOption::button("clear", "Drop points", "Takes all points away (Esc).")
                .unless(empty),
        ]
    }

    fn set_option(&mut self, cx: &ToolCx<'_>, id: &'static str, _value: OptionValue) -> Outcome {
        match id {
            "create" => self.action(cx, ToolAction::Apply),
            "clear" => self.step_back(cx).unwrap_or(Outcome::Handled),
            _ => Outcome::Ignored,
        }
    }

    fn quantities(&self, _cx: &ToolCx<'_>) -> &'static [&'static str] {
        if matches!(self.drag, Drag::Polygon { .. }) {
            &["Distance"]
        } else {
            &[]
        }
    }

    fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        if let Drag::Polygon { typed, .. } = &mut self.drag {
            *typed = values.first().copied().flatten();
        }
        self.step(cx, self.last_at)
    }

    fn step_back(&mut self, _cx: &ToolCx<'_>) -> Option<Outcome> {
        if self.points.is_empty() {
            return None;
        }
        self.reset();
        Some(Outcome::Unchanged)
    }

    fn follow(&mut self, cx: &ToolCx<'_>) -> Outcome {
        if self.points.is_empty() {
            Outcome::Ignored
        } else {
            self.shown(cx)
        }
    }
}
