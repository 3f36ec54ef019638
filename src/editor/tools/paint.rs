//! Painting the current material over faces (TEX-11): a stroke is one step, and can take the alignment along.

use glam::DVec2;

use crate::document::Edit;
use crate::document::Material;
use crate::document::ops::surfaces::FaceRef;
use crate::document::ops::surfaces::Surface;
use crate::document::ops::texture;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Area;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::selecting;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Gesture;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::hint;
use crate::editor::tools::transfer::face_at;
use crate::editor::tools::transfer::faces_between;

/// A stroke under way.
struct Stroke {
    material: Material,
    /// In the order in which they were crossed, each once. The first may be the end of the stroke before.
    faces: Vec<FaceRef>,
    at: DVec2,
    wrap: bool,
}

impl Stroke {
    fn visit(&mut self, faces: impl IntoIterator<Item = FaceRef>) {
        for face in faces {
            if !self.faces.contains(&face) {
                self.faces.push(face);
            }
        }
    }

    fn edit(&self) -> Edit {
        texture::paint(self.material.clone(), self.faces.clone(), self.wrap)
    }
}

#[derive(Default)]
pub(super) struct PaintTool {
    stroke: Option<Stroke>,
    /// The face that was painted last: wrapping goes on from it.
    last: Option<FaceRef>,
    hovered: Option<FaceRef>,
}

const NO_MATERIAL: &str = "Pick a material first: in the browser, or with Alt+click on a face";
const NO_FACE: &str = "There is no face here";
const NOTHING_TO_PICK: &str = "There is no face with a material here";

const IDLE: &[Hint] = &[
    hint("Drag", "paint the material"),
    hint("Shift+drag", "wrap the texture along"),
    hint("Alt+click", "pick a material"),
    hint("Esc", "leave the tool"),
];
const PAINTING: &[Hint] = &[
    hint("Shift", "wrap the texture along"),
    hint("Esc", "cancel"),
];

impl PaintTool {
    fn begin(&mut self, cx: &ToolCx<'_>, at: DVec2, modifiers: Modifiers) -> Outcome {
        self.hovered = None;
        if modifiers.alt {
            return sample(cx, at);
        }
        let Some(material) = cx.material else {
            return Outcome::refused(NO_MATERIAL);
        };
        let first = face_at(cx, at);
        let before = self.last.zip(first).filter(|&(last, first)| {
            modifiers.shift && last != first && goes_on(cx, last, first, material)
        });
        let mut stroke = Stroke {
            material: material.clone(),
            faces: before.map(|(last, _)| last).into_iter().collect(),
            at,
            wrap: modifiers.shift,
        };
        stroke.visit(first);
        self.stroke = Some(stroke);
        self.show(cx)
    }

    fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        let Some(stroke) = &mut self.stroke else {
            return Outcome::Handled;
        };
        stroke.visit(faces_between(cx, stroke.at, at));
        stroke.at = at;
        self.show(cx)
    }

    fn show(&mut self, cx: &ToolCx<'_>) -> Outcome {
        match &mut self.stroke {
            Some(stroke) if !stroke.faces.is_empty() => {
                stroke.wrap = cx.modifiers.shift;
                Outcome::Preview(stroke.edit())
            }
            _ => Outcome::Unchanged,
        }
    }

    fn end(&mut self) -> Outcome {
        let Some(stroke) = self.stroke.take() else {
            return Outcome::Handled;
        };
        match stroke.faces.last() {
            Some(&last) => {
                self.last = Some(last);
                Outcome::Commit(stroke.edit())
            }
            None => Outcome::Unchanged,
        }
    }
}

/// True when a stroke that ended at `last` goes on at `first`: they share an edge, and nothing else was put on `last` since.
fn goes_on(cx: &ToolCx<'_>, last: FaceRef, first: FaceRef, material: &Material) -> bool {
    let doc = cx.doc();
    let ends = Surface::of(doc, last).zip(Surface::of(doc, first));
    ends.is_some_and(|(last, first)| {
        last.material == doc.material_named(&material.name)
            && texture::share_an_edge(&last.corners, &first.corners)
    })
}

fn sample(cx: &ToolCx<'_>, at: DVec2) -> Outcome {
    let found = face_at(cx, at).and_then(|(id, face)| selecting::face_material(cx.doc(), id, face));
    match found {
        Some(material) => Outcome::PickMaterial(material),
        None => Outcome::refused(NOTHING_TO_PICK),
    }
}

impl Tool for PaintTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Paint
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Hover { at } => {
                self.hovered = face_at(cx, at);
                Outcome::Handled
            }
            Gesture::Click { at, modifiers, .. } => match self.begin(cx, at, modifiers) {
                Outcome::Preview(_) => self.end(),
                Outcome::Unchanged => {
                    self.stroke = None;
                    Outcome::refused(NO_FACE)
                }
                other => other,
            },
            Gesture::Begin { at, modifiers } => self.begin(cx, at, modifiers),
            Gesture::Drag { at } => self.drag(cx, at),
            Gesture::End => self.end(),
            Gesture::Key(_) => Outcome::Ignored,
            Gesture::Cancel => {
                self.stroke = None;
                Outcome::Cancel
            }
        }
    }

    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        let hovered = self.hovered.filter(|_| self.stroke.is_none());
        if let Some((id, face)) = hovered {
            let corners = selecting::face_corners(cx.doc(), id, face);
            if corners.len() >= 3 {
                out.areas.push(Area {
                    corners,
                    role: Role::Hover,
                    alpha: 0.2,
                });
            }
        }
    }

    fn readout(&self) -> Option<Readout> {
        let stroke = self.stroke.as_ref()?;
        let count = stroke.faces.len();
        let faces = if count == 1 { "face" } else { "faces" };
        let way = if stroke.wrap { ", wrapped" } else { "" };
        Some(Readout {
            text: format!("{} on {count} {faces}{way}", stroke.material.name),
            refused: false,
        })
    }

    fn hints(&self, _cx: &ToolCx<'_>) -> &'static [Hint] {
        if self.stroke.is_some() {
            PAINTING
        } else {
            IDLE
        }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        CursorShape::Crosshair
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}
