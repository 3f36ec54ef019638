//! Selecting by a rectangle (SEL-5): to the right what lies inside, to the left what it touches. `Alt`+drag of the selection
//! tool is the same rectangle.

use std::collections::BTreeSet;

use glam::DVec2;
use glam::DVec3;

use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Gesture;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::hint;
use crate::editor::view::View;
use crate::editor::volume;

/// Rays of the look at what is visible: so many across the rectangle, and so many more for what they missed.
const RAYS: f64 = 6000.0;
const MORE_RAYS: usize = 6000;

/// The rays are at least this far apart, in points.
const LEAST_STEP: f64 = 2.0;

pub(super) const HINTS: &[Hint] = &[
    hint("To the right", "what lies inside"),
    hint("To the left", "what is touched"),
    hint("Ctrl", "add"),
    hint("Ctrl+Shift", "remove"),
    hint("Esc", "cancel"),
];
const IDLE: &[Hint] = &[
    hint("Drag", "to the right: inside; to the left: touched"),
    hint("Ctrl+drag", "add"),
    hint("Ctrl+Shift+drag", "remove"),
    hint("Click", "select"),
    hint("Esc", "leave the tool"),
];

/// A rectangle being dragged over a view, in points of it.
#[derive(Clone, Debug)]
pub(super) struct Rectangle {
    from: DVec2,
    to: DVec2,
    view: View,
}

impl Rectangle {
    pub fn new(cx: &ToolCx<'_>, at: DVec2) -> Self {
        Self {
            from: at,
            to: at,
            view: cx.view.clone(),
        }
    }

    pub fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        self.to = at;
        // Flying goes on during a drag.
        self.view.clone_from(cx.view);
        Outcome::Handled
    }

    /// Left to right takes what lies inside.
    fn is_inside(&self) -> bool {
        self.to.x >= self.from.x
    }

    pub fn end(&self, cx: &ToolCx<'_>) -> Outcome {
        let planes = volume::frustum(cx.view, self.from, self.to);
        let mut found = (cx.within)(&planes, self.is_inside());
        if cx.visible_only && !cx.view.is_2d() {
            self.keep_visible(cx, &mut found);
        }
        let doc = cx.doc();
        let found: Selection = found
            .into_iter()
            .map(|id| Pick::Object(doc.selectable(id, cx.open_group)))
            .collect();
        let now: Selection = cx
            .base
            .selection
            .iter()
            .copied()
            .filter(|pick| matches!(pick, Pick::Object(_)))
            .collect();
        Outcome::Select(match cx.modifiers {
            Modifiers {
                ctrl: true,
                shift: true,
                ..
            } => now.difference(&found).copied().collect(),
            Modifiers { ctrl: true, .. } => now.union(&found).copied().collect(),
            _ => found,
        })
    }

    /// Drops what no ray through the rectangle meets first. A grid of rays finds what is large; what it misses is looked at
    /// one by one, through the middles of its faces, as long as the rays last.
    fn keep_visible(&self, cx: &ToolCx<'_>, found: &mut Vec<ObjectId>) {
        let (min, max) = (
            self.from.min(self.to).max(DVec2::ZERO),
            self.from.max(self.to).min(cx.view.size),
        );
        let size = (max - min).max(DVec2::ZERO);
        let step = (size.x * size.y / RAYS).sqrt().max(LEAST_STEP);
        let mut seen: BTreeSet<ObjectId> = BTreeSet::new();
        let (columns, rows) = ((size.x / step) as u32 + 1, (size.y / step) as u32 + 1);
        for row in 0..rows {
            for column in 0..columns {
                let at = min + DVec2::new(f64::from(column), f64::from(row)) * step;
                if let Some(hit) = (cx.pick)(at) {
                    seen.insert(hit.object);
                }
            }
        }
        let mut rays = MORE_RAYS;
        found.retain(|&id| {
            seen.contains(&id)
                || middles(cx, id).into_iter().any(|middle| {
                    let Some((at, _)) = cx.view.project(middle) else {
                        return false;
                    };
                    if rays == 0 || at.cmplt(min).any() || at.cmpgt(max).any() {
                        return false;
                    }
                    rays -= 1;
                    (cx.pick)(at).is_some_and(|hit| hit.object == id)
                })
        });
    }

    /// Nothing over other views than its own.
    pub fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        if self.view == *cx.view {
            let role = Role::Selected;
            outline(&self.view, self.from, self.to, role, !self.is_inside(), out);
        }
    }

    pub fn readout(&self) -> Readout {
        Readout {
            text: if self.is_inside() {
                "inside".to_owned()
            } else {
                "touched".to_owned()
            },
            refused: false,
        }
    }
}

/// How far before the eye marks on the glass of a 3D view are drawn, in units.
const GLASS: f64 = 16.0;

/// The sides of a rectangle of a view.
pub(super) fn outline(
    view: &View,
    from: DVec2,
    to: DVec2,
    role: Role,
    dashed: bool,
    out: &mut Overlay,
) {
    let on_glass = |at: DVec2| {
        let ray = view.ray(at);
        if view.is_2d() {
            ray.at((view.eye - ray.origin).dot(ray.dir))
        } else {
            ray.at(GLASS)
        }
    };
    let corners = [from, DVec2::new(to.x, from.y), to, DVec2::new(from.x, to.y)].map(on_glass);
    for (index, &from) in corners.iter().enumerate() {
        out.lines.push(Line {
            from,
            to: corners[(index + 1) % 4],
            role,
            width: 1.5,
            through: true,
            arrow: false,
            dashed,
        });
    }
}

/// The middles of an object's faces.
fn middles(cx: &ToolCx<'_>, id: ObjectId) -> Vec<DVec3> {
    let doc = cx.doc();
    if let Some(entity) = doc.entity(id) {
        return vec![cx.definitions.entity_box(entity).center()];
    }
    crate::editor::selecting::faces_of(doc, id)
        .into_iter()
        .filter_map(|pick| {
            let Pick::Face(id, face) = pick else {
                return None;
            };
            let corners = crate::editor::selecting::face_corners(doc, id, face);
            crate::geometry::polygon::mean(&corners)
        })
        .collect()
}

/// See the module's text.
#[derive(Default)]
pub(super) struct MarqueeTool {
    rectangle: Option<Rectangle>,
}

impl Tool for MarqueeTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Marquee
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Click {
                at,
                count,
                modifiers,
            } => super::select::click(cx, at, count, modifiers),
            Gesture::Begin { at, .. } => {
                self.rectangle = Some(Rectangle::new(cx, at));
                Outcome::Handled
            }
            Gesture::Drag { at } => self
                .rectangle
                .as_mut()
                .map_or(Outcome::Ignored, |rectangle| rectangle.drag(cx, at)),
            Gesture::End => self
                .rectangle
                .take()
                .map_or(Outcome::Ignored, |rectangle| rectangle.end(cx)),
            Gesture::Cancel => {
                self.rectangle = None;
                Outcome::Cancel
            }
            Gesture::Hover { .. } | Gesture::Key(_) => Outcome::Ignored,
        }
    }

    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        if let Some(rectangle) = &self.rectangle {
            rectangle.overlay(cx, out);
        }
    }

    fn readout(&self) -> Option<Readout> {
        self.rectangle.as_ref().map(Rectangle::readout)
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        if self.rectangle.is_some() {
            HINTS
        } else {
            IDLE
        }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        CursorShape::Crosshair
    }

    fn reset(&mut self) {
        self.rectangle = None;
    }
}
