//! Textures taken from the selected face to others: click, drag over faces, double click for all faces of a brush (TEX-3).

use glam::DVec2;

use crate::document::Document;
use crate::document::Edit;
use crate::document::Pick;
use crate::document::SelectionExt as _;
use crate::document::ops::surfaces::FaceRef;
use crate::document::ops::surfaces::Surface;
use crate::document::ops::texture;
use crate::document::ops::texture::Transfer;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Readout;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::ToolCx;
use crate::editor::tools::hint;

/// The pointer's way is looked at this often; points.
const SAMPLE: f64 = 4.0;

/// Less of the picture's area than this is a smear.
const SMEARED: f64 = 0.1;

const NO_FACE: &str = "There is no face here";
const ONE_SOURCE: &str = "Select one face to take the texture from (Shift+click)";
const SMEAR: &str = "The picture is smeared here; hold Shift as well to wrap it";
const EDGE_ON: &str = "This face is seen edge-on, so offset, scale and rotation are copied; hold Shift as well to wrap";

pub(super) const HINTS: &[Hint] = &[
    hint("Alt", "project the texture"),
    hint("Alt+Shift", "wrap it round the edge"),
    hint("Alt+Ctrl", "material only"),
    hint("Esc", "cancel"),
];

/// What the held modifiers take along; `None` without `Alt`.
#[must_use]
pub(super) fn what_of(modifiers: Modifiers) -> Option<Transfer> {
    match modifiers {
        Modifiers { alt: false, .. } => None,
        Modifiers { ctrl: true, .. } => Some(Transfer::Material),
        Modifiers { shift: true, .. } => Some(Transfer::Wrap),
        _ => Some(Transfer::Project),
    }
}

/// The face under a point of the view.
#[must_use]
pub(super) fn face_at(cx: &ToolCx<'_>, at: DVec2) -> Option<FaceRef> {
    (cx.pick)(at).and_then(|hit| Some((hit.object, hit.face?)))
}

/// Faces that the pointer crosses between two points of the view, each once for as long as it stays on it.
#[must_use]
pub(super) fn faces_between(cx: &ToolCx<'_>, from: DVec2, to: DVec2) -> Vec<FaceRef> {
    let samples = (from.distance(to) / SAMPLE).ceil().clamp(1.0, 1000.0) as u32;
    let mut faces: Vec<FaceRef> = (1..=samples)
        .filter_map(|step| face_at(cx, from.lerp(to, f64::from(step) / f64::from(samples))))
        .collect();
    faces.dedup();
    faces
}

/// The one selected face.
fn source_of(cx: &ToolCx<'_>) -> Result<FaceRef, &'static str> {
    match cx.base.selection.faces().as_slice() {
        [one] => Ok(*one),
        _ => Err(ONE_SOURCE),
    }
}

/// What there is to say about a projection from one face to another.
fn warning(doc: &Document, from: FaceRef, to: FaceRef) -> Option<&'static str> {
    let (from, to) = Surface::of(doc, from).zip(Surface::of(doc, to))?;
    match texture::projection_factor(&from, &to) {
        factor if factor < texture::EDGE_ON => Some(EDGE_ON),
        factor if factor < SMEARED => Some(SMEAR),
        _ => None,
    }
}

fn commit(edit: Edit, warning: Option<&'static str>) -> Outcome {
    match warning {
        Some(words) => Outcome::CommitAndSay(edit, words.into()),
        None => Outcome::Commit(edit),
    }
}

/// A click that took a texture along: a second one within the time of a double click spreads it over the whole brush.
pub(super) struct Clicked {
    source: FaceRef,
    target: FaceRef,
    how: Transfer,
    before: Document,
}

/// A click with `Alt` while a face is selected; `None` when it is not meant for textures.
pub(super) fn click(
    cx: &ToolCx<'_>,
    last: &mut Option<Clicked>,
    at: DVec2,
    count: u8,
    modifiers: Modifiers,
) -> Option<Outcome> {
    let earlier = last.take();
    let how = what_of(modifiers)?;
    let Some(target) = face_at(cx, at) else {
        return Some(Outcome::refused(NO_FACE));
    };
    if count == 2
        && let Some(first) = earlier.filter(|first| first.target == target && first.how == how)
    {
        let edit = texture::transfer_to_object(first.source, target, how);
        // The first click made a step unless it changed nothing.
        let made_a_step = !cx.doc().same(&first.before);
        return Some(if made_a_step {
            Outcome::Amend(edit)
        } else {
            Outcome::Commit(edit)
        });
    }
    if cx.base.selection.contains(&Pick::Face(target.0, target.1)) {
        // On a selected face itself: a double click means the patch.
        return (count == 1).then_some(Outcome::Handled);
    }
    let source = match source_of(cx) {
        Ok(source) => source,
        Err(reason) => return Some(Outcome::refused(reason)),
    };
    *last = Some(Clicked {
        source,
        target,
        how,
        before: cx.doc().clone(),
    });
    let words = warning(cx.doc(), source, target).filter(|_| how == Transfer::Project);
    Some(commit(
        texture::transfer(vec![(source, target)], how),
        words,
    ))
}

/// A drag over faces: each is given the texture of the one before it.
pub(super) struct Stroke {
    how: Transfer,
    source: FaceRef,
    /// The face that the pointer was on last.
    on: FaceRef,
    at: DVec2,
    steps: Vec<(FaceRef, FaceRef)>,
    warning: Option<&'static str>,
}

impl Stroke {
    pub fn new(cx: &ToolCx<'_>, at: DVec2, how: Transfer) -> Result<Self, &'static str> {
        let source = source_of(cx)?;
        let mut stroke = Self {
            how,
            source,
            on: source,
            at,
            steps: Vec::new(),
            warning: None,
        };
        stroke.visit(cx, face_at(cx, at));
        Ok(stroke)
    }

    fn visit(&mut self, cx: &ToolCx<'_>, faces: impl IntoIterator<Item = FaceRef>) {
        for face in faces {
            let is_done = face == self.source || self.steps.iter().any(|step| step.1 == face);
            if !is_done {
                self.warning = self.warning.or(warning(cx.doc(), self.on, face));
                self.steps.push((self.on, face));
            }
            self.on = face;
        }
    }

    pub fn drag(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        self.visit(cx, faces_between(cx, self.at, at));
        self.at = at;
        if let Some(how) = what_of(cx.modifiers) {
            self.how = how;
        }
        if self.steps.is_empty() {
            Outcome::Unchanged
        } else {
            Outcome::Preview(self.edit())
        }
    }

    fn edit(&self) -> Edit {
        texture::transfer(self.steps.clone(), self.how)
    }

    pub fn end(&self) -> Outcome {
        if self.steps.is_empty() {
            return Outcome::Unchanged;
        }
        commit(self.edit(), self.warning())
    }

    fn warning(&self) -> Option<&'static str> {
        self.warning.filter(|_| self.how == Transfer::Project)
    }

    pub fn readout(&self) -> Readout {
        if let Some(words) = self.warning() {
            return Readout {
                text: words.to_owned(),
                refused: true,
            };
        }
        let what = match self.how {
            Transfer::Project => "Projected onto",
            Transfer::Wrap => "Wrapped round",
            Transfer::Material => "Material on",
        };
        let count = self.steps.len();
        let faces = if count == 1 { "face" } else { "faces" };
        Readout {
            text: format!("{what} {count} {faces}"),
            refused: false,
        }
    }
}
