//! The tool in hand when no other is: click, toggle, faces, groups (SEL-1, SEL-2, SEL-6, GRP-1), and which drag begins.

use glam::DVec2;

use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::editor::commands::SelectionClass;
use crate::editor::input::Key;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::pick::Hit;
use crate::editor::selecting;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Gesture;
use crate::editor::tools::Hint;
use crate::editor::tools::Outcome;
use crate::editor::tools::Tool;
use crate::editor::tools::ToolAction;
use crate::editor::tools::ToolCx;
use crate::editor::tools::ToolKind;
use crate::editor::tools::brushing;
use crate::editor::tools::brushing::Brushing;
use crate::editor::tools::draw::Draw;
use crate::editor::tools::extrude::Extrude;
use crate::editor::tools::extrude::How;
use crate::editor::tools::gizmo;
use crate::editor::tools::gizmo::Gizmo;
use crate::editor::tools::hint;
use crate::editor::tools::marquee;
use crate::editor::tools::marquee::Rectangle;
use crate::editor::tools::moving::Move;
use crate::editor::tools::transfer;

#[derive(Default)]
enum Drag {
    #[default]
    Idle,
    Move(Box<Move>),
    Draw(Box<Draw>),
    Extrude(Box<Extrude>),
    Gizmo(Box<Gizmo>),
    Transfer(Box<transfer::Stroke>),
    Marquee(Box<Rectangle>),
    Brushing(Box<Brushing>),
    /// Begun where nothing can be dragged, for this reason; swallows the motion.
    Nothing(&'static str),
}

/// See the module's text.
#[derive(Default)]
pub(super) struct SelectTool {
    drag: Drag,
    /// The part of the gizmo under the pointer.
    hovered: Option<gizmo::Grip>,
    /// A rectangle that `Enter` takes.
    waiting: Option<Box<Rectangle>>,
    /// The click that took a texture along (TEX-3).
    transferred: Option<transfer::Clicked>,
}

const CANNOT_DRAG: &str =
    "Drag the selection to move it; press Esc first to draw, or hold Alt for the marquee";
const NO_FACE: &str = "There is no face of a selected brush here";
const CANNOT_DRAG_FACES: &str =
    "Shift+drag pushes the selected faces, Alt+drag takes a texture along; press Esc first to draw";
const MOVING: &[Hint] = &[
    hint("Alt", "up and down"),
    hint("Shift", "one axis"),
    hint("C", "onto the grid"),
    hint("V E F", "onto geometry"),
    hint("G", "no grid"),
    hint("0-9", "type it"),
    hint("Esc", "cancel"),
];
const COPYING: &[Hint] = &[
    hint("Alt", "up and down"),
    hint("Shift", "one axis"),
    hint("Esc", "cancel"),
];
const SLIDING: &[Hint] = &[
    hint("Shift", "in proportion, or 90 degrees"),
    hint("Ctrl", "1 degree"),
    hint("G", "no grid"),
    hint("0-9", "type it"),
    hint("Esc", "cancel"),
];
const WITH_NOTHING: &[Hint] = &[
    hint("Click", "select"),
    hint("Drag", "draw a shape"),
    hint("Alt+drag", "rectangle"),
    hint("Shift+click", "a face"),
    hint("Right drag", "look"),
    hint("WASD", "fly"),
];
const WITH_OBJECTS: &[Hint] = &[
    hint("Drag", "move"),
    hint("Ctrl+drag", "copy"),
    hint(
        "Shift+drag",
        "push or pull a face (+Ctrl new brush, +Alt slope)",
    ),
    hint("Arrows", "nudge"),
    hint("Esc", "select nothing"),
];
const WITH_FACES: &[Hint] = &[
    hint("Shift+click", "another face"),
    hint("Ctrl+Shift+click", "add or remove"),
    hint("Shift+drag", "push or pull"),
    hint("Alt+click", "texture to another face (+Shift wraps)"),
    hint("Arrows", "shift the texture"),
    hint("Esc", "select nothing"),
];
const FLAT_NOTHING: &[Hint] = &[
    hint("Click", "select"),
    hint("Drag", "draw a shape"),
    hint("Wheel", "zoom"),
    hint("Right drag", "pan"),
];

impl SelectTool {
    fn begin(&mut self, cx: &ToolCx<'_>, at: DVec2, modifiers: Modifiers) -> Outcome {
        let selection = &cx.base.selection;
        let class = selecting::class_of(selection);
        if let Some(gizmo) = Gizmo::new(cx, at) {
            self.drag = Drag::Gizmo(Box::new(gizmo));
            return Outcome::Handled;
        }
        if let Some(how) = How::at_press(cx, at, modifiers) {
            if let Some(extrude) = Extrude::new(cx, at, how) {
                self.drag = Drag::Extrude(Box::new(extrude));
                return Outcome::Handled;
            }
            return self.refuse(NO_FACE);
        }
        if let Some(how) = transfer::what_of(modifiers)
            && class == SelectionClass::Faces
        {
            return match transfer::Stroke::new(cx, at, how) {
                Ok(stroke) => {
                    self.drag = Drag::Transfer(Box::new(stroke));
                    Outcome::Handled
                }
                Err(reason) => self.refuse(reason),
            };
        }
        if class == SelectionClass::Objects
            && let Some(hit) = selected_under(cx, at)
        {
            self.drag = Drag::Move(Box::new(Move::new(cx, at, hit, modifiers.ctrl)));
            return Outcome::Handled;
        }
        if (class == SelectionClass::Nothing || cx.only_drawn) && !modifiers.ctrl && !modifiers.alt
        {
            self.drag = Drag::Draw(Box::new(Draw::new(cx, at)));
            return Outcome::Handled;
        }
        if let Some(drag) = picking_drag(cx, at, modifiers, class) {
            self.drag = drag;
            return Outcome::Handled;
        }
        self.refuse(cannot_drag(class))
    }

    fn refuse(&mut self, reason: &'static str) -> Outcome {
        self.drag = Drag::Nothing(reason);
        Outcome::refused(reason)
    }

    fn step(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        match &mut self.drag {
            Drag::Idle => Outcome::Ignored,
            Drag::Nothing(_) => Outcome::Handled,
            Drag::Move(drag) => drag.drag(cx, at),
            Drag::Draw(drag) => drag.drag(cx, at),
            Drag::Extrude(drag) => drag.drag(cx, at),
            Drag::Gizmo(drag) => drag.drag(cx, at),
            Drag::Transfer(drag) => drag.drag(cx, at),
            Drag::Marquee(drag) => drag.drag(cx, at),
            Drag::Brushing(drag) => drag.drag(cx, at),
        }
    }

    fn end(&mut self, cx: &ToolCx<'_>) -> Outcome {
        match std::mem::take(&mut self.drag) {
            Drag::Idle => Outcome::Ignored,
            Drag::Nothing(_) => Outcome::Handled,
            Drag::Move(drag) => drag.end(cx),
            Drag::Extrude(drag) => drag.end(cx),
            Drag::Gizmo(drag) => drag.end(),
            Drag::Transfer(drag) => drag.end(),
            Drag::Marquee(drag) if cx.marquee_waits && drag.can_wait() => {
                self.waiting = Some(drag);
                Outcome::Handled
            }
            Drag::Marquee(drag) => drag.end(cx),
            Drag::Brushing(drag) => drag.end(),
            Drag::Draw(drag) => drag.end(),
        }
    }
}

/// Why a drag begins nothing.
fn cannot_drag(class: SelectionClass) -> &'static str {
    match class {
        SelectionClass::Faces => CANNOT_DRAG_FACES,
        SelectionClass::Nothing | SelectionClass::Objects => CANNOT_DRAG,
    }
}

/// The drags that select: a rectangle (SEL-5), objects (SEL-3) or faces (SEL-6) that the pointer crosses.
fn picking_drag(
    cx: &ToolCx<'_>,
    at: DVec2,
    modifiers: Modifiers,
    class: SelectionClass,
) -> Option<Drag> {
    match modifiers {
        Modifiers::CTRL | Modifiers::CTRL_SHIFT => {
            Brushing::new(cx, at, modifiers.shift).map(|drag| Drag::Brushing(Box::new(drag)))
        }
        Modifiers { alt: true, .. } if class != SelectionClass::Faces => {
            Some(Drag::Marquee(Box::new(Rectangle::new(cx, at))))
        }
        _ => None,
    }
}

/// The point of a selected object under the pointer. In 3D it must be the nearest thing; in 2D any selected one will do, since
/// something smaller on top of it is no reason not to drag what is selected.
fn selected_under(cx: &ToolCx<'_>, at: DVec2) -> Option<glam::DVec3> {
    let is_selected = |id: ObjectId| selecting::is_in_selection(cx.doc(), &cx.base.selection, id);
    let hit = (cx.pick)(at);
    if let Some(hit) = &hit
        && is_selected(hit.object)
    {
        return Some(hit.point);
    }
    if cx.view.is_2d() && (cx.under)(at).into_iter().any(is_selected) {
        let bounds = selecting::bounds(cx.base, cx.definitions);
        let ray = cx.ray(at);
        // Any depth will do in 2D; the middle of the selection keeps numbers small.
        let depth = (bounds.center() - ray.origin).dot(ray.dir);
        return Some(ray.at(depth));
    }
    None
}

/// What a click takes of a hit: a closed group is one object.
fn target(cx: &ToolCx<'_>, hit: &Hit) -> Pick {
    Pick::Object(cx.taken(hit.object))
}

/// Click, `Ctrl`+click, `Shift`+click and the double clicks.
pub(super) fn click(cx: &ToolCx<'_>, at: DVec2, count: u8, modifiers: Modifiers) -> Outcome {
    let hit = (cx.pick)(at);
    let selection = &cx.base.selection;
    match modifiers {
        Modifiers::NONE => {
            let Some(hit) = hit else {
                // Twice outside closes the open group, as Esc does.
                return if count == 2 && cx.open_group.is_some() {
                    Outcome::OpenGroup(None)
                } else {
                    Outcome::Select(Selection::new())
                };
            };
            if count == 2 {
                return double_click(cx, &hit);
            }
            Outcome::Select(Selection::from([target(cx, &hit)]))
        }
        Modifiers::CTRL => {
            let Some(hit) = hit else {
                return Outcome::Handled;
            };
            let mut selection = only(selection, SelectionClass::Objects);
            toggle(&mut selection, target(cx, &hit));
            Outcome::Select(selection)
        }
        Modifiers::SHIFT | Modifiers::CTRL_SHIFT => {
            let Some((hit, face)) = hit.and_then(|hit| hit.face.map(|face| (hit, face))) else {
                return Outcome::Handled;
            };
            let mut faces = only(selection, SelectionClass::Faces);
            if modifiers == Modifiers::SHIFT && count == 2 {
                return Outcome::Select(selecting::faces_of(cx.doc(), hit.object));
            }
            if modifiers == Modifiers::SHIFT {
                faces.clear();
            }
            toggle(&mut faces, Pick::Face(hit.object, face));
            Outcome::Select(faces)
        }
        Modifiers {
            shift: true,
            alt: true,
            ctrl: false,
        } if count == 2 => {
            let Some((hit, face)) = hit.and_then(|hit| hit.face.map(|face| (hit, face))) else {
                return Outcome::Handled;
            };
            let on_selected = selection.contains(&Pick::Face(hit.object, face));
            let none = selecting::class_of(selection) != SelectionClass::Faces;
            if on_selected || none {
                let patch = selecting::coplanar_patch(cx.doc(), hit.object, face, cx.allows);
                return Outcome::Select(patch);
            }
            Outcome::Handled
        }
        _ => Outcome::Handled,
    }
}

/// Opens a group, takes all siblings under the same entity, or closes the open group when outside of it.
fn double_click(cx: &ToolCx<'_>, hit: &Hit) -> Outcome {
    let doc = cx.doc();
    let id = cx.taken(hit.object);
    if doc
        .object(id)
        .is_some_and(|object| object.group().is_some())
    {
        return Outcome::OpenGroup(Some(id));
    }
    Outcome::Select(selecting::siblings(doc, id, cx.allows))
}

/// The picks of one class; objects and faces exclude each other.
fn only(selection: &Selection, class: SelectionClass) -> Selection {
    selection
        .iter()
        .copied()
        .filter(|pick| matches!(pick, Pick::Object(_)) == (class == SelectionClass::Objects))
        .collect()
}

fn toggle(selection: &mut Selection, pick: Pick) {
    if !selection.remove(&pick) {
        selection.insert(pick);
    }
}

impl Tool for SelectTool {
    fn kind(&self) -> ToolKind {
        ToolKind::Select
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        match gesture {
            Gesture::Hover { at } => {
                self.hovered = gizmo::grip_at(cx, at);
                Outcome::Ignored
            }
            Gesture::Click {
                at,
                count,
                modifiers,
            } => {
                self.waiting = None;
                if cx.selection_class() == SelectionClass::Faces
                    && let Some(outcome) =
                        transfer::click(cx, &mut self.transferred, at, count, modifiers)
                {
                    return outcome;
                }
                click(cx, at, count, modifiers)
            }
            Gesture::Begin { at, modifiers } => {
                self.waiting = None;
                match self.begin(cx, at, modifiers) {
                    Outcome::Handled => self.step(cx, at),
                    other => other,
                }
            }
            Gesture::Drag { at } => self.step(cx, at),
            Gesture::End => self.end(cx),
            Gesture::Key(key) => {
                match (&mut self.drag, key) {
                    (Drag::Move(drag), Key::Letter('C')) => drag.toggle_absolute(),
                    _ => return Outcome::Ignored,
                }
                Outcome::Handled
            }
            Gesture::Cancel => {
                self.reset();
                Outcome::Cancel
            }
        }
    }

    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        if let Some(waiting) = &self.waiting {
            waiting.overlay_waiting(cx, out);
        }
        match &self.drag {
            Drag::Idle | Drag::Nothing(_) => gizmo::overlay(cx, self.hovered, out),
            Drag::Gizmo(drag) => drag.overlay(cx, out),
            Drag::Transfer(_) | Drag::Brushing(_) => {}
            Drag::Marquee(drag) => drag.overlay(cx, out),
            Drag::Move(drag) => drag.overlay(cx, out),
            Drag::Draw(drag) => drag.overlay(out),
            Drag::Extrude(drag) => drag.overlay(out),
        }
    }

    fn readout(&self) -> Option<Readout> {
        match &self.drag {
            Drag::Idle => None,
            Drag::Nothing(reason) => Some(Readout {
                text: (*reason).to_owned(),
                refused: true,
            }),
            Drag::Move(drag) => Some(drag.readout()),
            Drag::Draw(drag) => Some(drag.readout()),
            Drag::Extrude(drag) => Some(drag.readout()),
            Drag::Gizmo(drag) => Some(drag.readout()),
            Drag::Transfer(drag) => Some(drag.readout()),
            Drag::Marquee(drag) => Some(drag.readout()),
            Drag::Brushing(drag) => Some(drag.readout()),
        }
    }

    fn hints(&self, cx: &ToolCx<'_>) -> &'static [Hint] {
        match &self.drag {
            Drag::Move(drag) if drag.is_copy() => COPYING,
            Drag::Move(_) => MOVING,
            Drag::Draw(_) => super::draw::DRAW_HINTS,
            Drag::Extrude(drag) => drag.hints(),
            Drag::Gizmo(_) => SLIDING,
            Drag::Transfer(_) => transfer::HINTS,
            Drag::Marquee(_) => marquee::HINTS,
            Drag::Brushing(_) => brushing::HINTS,
            Drag::Idle if self.waiting.is_some() => marquee::WAITING,
            Drag::Idle | Drag::Nothing(_) => match cx.selection_class() {
                SelectionClass::Objects => WITH_OBJECTS,
                SelectionClass::Faces => WITH_FACES,
                SelectionClass::Nothing if cx.view.is_2d() => FLAT_NOTHING,
                SelectionClass::Nothing => WITH_NOTHING,
            },
        }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        match &self.drag {
            Drag::Idle | Drag::Nothing(_) => CursorShape::Default,
            Drag::Move(drag) if drag.is_copy() => CursorShape::Copy,
            Drag::Move(_) => CursorShape::Move,
            Drag::Draw(_) => CursorShape::Crosshair,
            Drag::Extrude(_) => CursorShape::Extrude,
            Drag::Gizmo(_) => CursorShape::Move,
            Drag::Transfer(_) => CursorShape::Copy,
            Drag::Marquee(_) | Drag::Brushing(_) => CursorShape::Crosshair,
        }
    }

    fn reset(&mut self) {
        self.drag = Drag::Idle;
        self.waiting = None;
    }

    fn action(&mut self, cx: &ToolCx<'_>, action: ToolAction) -> Outcome {
        match action {
            ToolAction::Apply => self
                .waiting
                .take()
                .map_or(Outcome::Ignored, |waiting| waiting.end(cx)),
            _ => Outcome::Ignored,
        }
    }

    fn has_waiting_marquee(&self) -> bool {
        self.waiting.is_some()
    }

    fn step_back(&mut self, _cx: &ToolCx<'_>) -> Option<Outcome> {
        self.waiting.take().map(|_| Outcome::Unchanged)
    }

    fn quantities(&self, cx: &ToolCx<'_>) -> &'static [&'static str] {
        match &self.drag {
            Drag::Idle
            | Drag::Nothing(_)
            | Drag::Transfer(_)
            | Drag::Marquee(_)
            | Drag::Brushing(_) => &[],
            Drag::Move(drag) => drag.quantities(),
            Drag::Draw(_) => super::draw::EXTENTS,
            Drag::Extrude(drag) => drag.quantities(cx),
            Drag::Gizmo(drag) => drag.quantities(),
        }
    }

    fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        match &mut self.drag {
            Drag::Idle
            | Drag::Nothing(_)
            | Drag::Transfer(_)
            | Drag::Marquee(_)
            | Drag::Brushing(_) => Outcome::Ignored,
            Drag::Move(drag) => drag.enter(cx, values),
            Drag::Draw(drag) => drag.enter(cx, values),
            Drag::Extrude(drag) => drag.enter(cx, values),
            Drag::Gizmo(drag) => drag.enter(cx, values),
        }
    }
}
