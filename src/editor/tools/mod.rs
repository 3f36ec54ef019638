//! Tools: small state machines from gestures to edits. A tool never touches the history; the committed state is all it sees.

mod draw;
mod entity;
mod extrude;
mod moving;
mod select;

pub(crate) use self::draw::measure_box;
use glam::DVec2;

use crate::assets::Definitions;
use crate::document::Document;
use crate::document::Edit;
use crate::document::Material;
use crate::document::ObjectId;
use crate::document::Selection;
use crate::document::State;
use crate::document::UvLock;
use crate::document::ViewState;
use crate::editor::commands::SelectionClass;
use crate::editor::input::Key;
use crate::editor::input::Modifiers;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::pick::Hit;
use crate::editor::view::View;
use crate::geometry::Aabb;
use crate::geometry::Grid;
use crate::geometry::Ray;

/// The tools of the tool bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolKind {
    /// Click, move, push faces; draws boxes while nothing is selected.
    #[default]
    Select,
    /// Draws boxes whatever is selected.
    Box,
    /// Places entities of one class.
    Entity,
}

impl ToolKind {
    pub const ALL: [Self; 3] = [Self::Select, Self::Box, Self::Entity];

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Select => "Select",
            Self::Box => "Box",
            Self::Entity => "Entity",
        }
    }
}

/// What mouse and keys do in the state the tool is in now: keys, and the words beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    pub keys: &'static str,
    pub text: &'static str,
}

pub(crate) const fn hint(keys: &'static str, text: &'static str) -> Hint {
    Hint { keys, text }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CursorShape {
    #[default]
    Default,
    Move,
    Copy,
    Crosshair,
    Extrude,
    /// Hidden and locked: mouse look.
    Hidden,
}

/// A pointer gesture that the editor recognised. Positions are points of the tool context's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gesture {
    /// The pointer moved without a button.
    Hover {
        at: DVec2,
    },
    /// Pressed and released in place; `count` 2 = double.
    Click {
        at: DVec2,
        count: u8,
        modifiers: Modifiers,
    },
    /// The press that crossed the threshold: `at` is where the button went down, `modifiers` what was held then.
    Begin {
        at: DVec2,
        modifiers: Modifiers,
    },
    /// The pointer, a modifier or the camera moved during the drag.
    Drag {
        at: DVec2,
    },
    End,
    /// A key during a drag.
    Key(Key),
    Cancel,
}

/// What the tool wants done.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Not mine.
    Ignored,
    Handled,
    /// Show this.
    Preview(Edit),
    /// The result would be what there is: show the committed state itself.
    Unchanged,
    /// Make it a step.
    Commit(Edit),
    Cancel,
    Select(Selection),
    /// Open this group, or close the open one.
    OpenGroup(Option<ObjectId>),
    /// It cannot be done, for this reason.
    Refused(&'static str),
}

/// All a tool sees.
pub struct ToolCx<'a> {
    /// The committed state: previews start from it.
    pub base: &'a State,
    pub look: &'a ViewState,
    pub definitions: &'a Definitions,
    pub view: &'a View,
    pub grid: Grid,
    pub modifiers: Modifiers,
    pub lock: UvLock,
    /// Material for new faces.
    pub material: Option<&'a Material>,
    pub open_group: Option<ObjectId>,
    /// Bounds of the last selection that had any.
    pub last_bounds: Aabb,
    /// Nearest thing under a point of the view.
    pub pick: &'a dyn Fn(DVec2) -> Option<Hit>,
    /// All objects under a point of the view, in no useful order.
    pub under: &'a dyn Fn(DVec2) -> Vec<ObjectId>,
}

impl ToolCx<'_> {
    #[must_use]
    pub fn doc(&self) -> &Document {
        &self.base.doc
    }

    #[must_use]
    pub fn ray(&self, at: DVec2) -> Ray {
        self.view.ray(at)
    }

    /// The layer that new objects go to.
    #[must_use]
    pub fn home(&self) -> crate::editor::edits::Home {
        crate::editor::edits::Home {
            parent: self.open_group,
            layer: self.look.current_layer,
        }
    }

    #[must_use]
    pub fn selection_class(&self) -> SelectionClass {
        crate::editor::selecting::class_of(&self.base.selection)
    }
}

/// A small state machine; see the architecture's *Tools*.
pub trait Tool {
    fn kind(&self) -> ToolKind;
    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome;
    /// Handles, guides, measures of the state it is in.
    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay);
    /// Live numbers beside the pointer.
    fn readout(&self) -> Option<Readout>;
    fn hints(&self, cx: &ToolCx<'_>) -> &'static [Hint];
    fn cursor(&self, cx: &ToolCx<'_>) -> CursorShape;
    /// Forgets any drag.
    fn reset(&mut self);
}

/// All tools with the state they keep, and the one in hand.
#[derive(Default)]
pub(crate) struct Tools {
    active: ToolKind,
    select: select::SelectTool,
    boxes: draw::BoxTool,
    pub entity: entity::EntityTool,
}

impl Tools {
    pub fn active(&self) -> &dyn Tool {
        match self.active {
            ToolKind::Select => &self.select,
            ToolKind::Box => &self.boxes,
            ToolKind::Entity => &self.entity,
        }
    }

    pub fn active_mut(&mut self) -> &mut dyn Tool {
        match self.active {
            ToolKind::Select => &mut self.select,
            ToolKind::Box => &mut self.boxes,
            ToolKind::Entity => &mut self.entity,
        }
    }

    pub fn take(&mut self, kind: ToolKind) {
        self.active_mut().reset();
        self.active = kind;
    }
}

/// A length or coordinate as shown to people: at most three decimals, no trailing zeros.
#[must_use]
pub fn shortest(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// A difference with its sign: `+16`, `0`, `-32`.
#[must_use]
pub fn signed(value: f64) -> String {
    let text = shortest(value);
    if text != "0" && !text.starts_with('-') {
        format!("+{text}")
    } else {
        text
    }
}

/// Rays flatter than this against a drag plane, or that meet it further away, move nothing (MOV-2).
const FLATTEST_DEG: f64 = 3.0;
const FARTHEST: f64 = 16384.0;

/// Where a ray meets a plane of a drag; `None` when it would be a jump to infinity. 2D rays start far outside and always count.
#[must_use]
pub(crate) fn meet_drag_plane(
    view: &View,
    ray: Ray,
    point: glam::DVec3,
    normal: glam::DVec3,
) -> Option<glam::DVec3> {
    let slope = ray.dir.dot(normal);
    if slope.abs() < FLATTEST_DEG.to_radians().sin() {
        return None;
    }
    let distance = (point - ray.origin).dot(normal) / slope;
    if !view.is_2d() && !(0.0..=FARTHEST).contains(&distance) {
        return None;
    }
    Some(ray.at(distance))
}
