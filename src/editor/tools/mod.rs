//! Tools: small state machines from gestures to edits. A tool never touches the history; the committed state is all it sees.

mod array;
mod brushing;
mod carrying;
mod clip;
mod components;
mod draw;
mod entity;
mod exact;
mod extrude;
mod gizmo;
mod grips;
mod hull;
mod kind;
mod marquee;
mod measure;
mod moving;
pub mod options;
mod paint;
mod rotate;
mod scale;
mod select;
mod shear;
mod slide;
mod stretching;
mod sweep;
pub(crate) mod targets;
mod toolbox;
mod transfer;
mod turning;
mod visible;

pub(crate) use self::draw::measure_box;
pub(crate) use self::gizmo::local_axes;
pub use self::kind::ToolKind;
pub(crate) use self::slide::Slide;
pub(crate) use self::toolbox::Tools;
pub(crate) use self::turning::turning_axis;
use std::borrow::Cow;

use glam::DMat3;
use glam::DVec2;
use glam::DVec3;

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
use crate::editor::nudge::Direction;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::pick::Hit;
use crate::editor::shaping::Choice;
use crate::editor::shaping::Drawn;
use crate::editor::snapping::Held;
use crate::editor::snapping::SnapTarget;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::editor::view::View;
use crate::geometry::Aabb;
use crate::geometry::Grid;
use crate::geometry::Plane;
use crate::geometry::Ray;

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
    /// As `Commit`; the same again within a second is one step with it (nudges).
    CommitFolding(Edit),
    /// As `Commit`, with a warning about the result.
    CommitAndSay(Edit, Cow<'static, str>),
    /// A box was drawn: make the chosen shape in it a step.
    Drawn(Drawn),
    /// Make it the last step instead of what that did: live parameters of what was just made.
    Amend(Edit),
    Cancel,
    Select(Selection),
    /// Make it the current material.
    PickMaterial(Material),
    /// Open this group, or close the open one.
    OpenGroup(Option<ObjectId>),
    /// Puts the pivot there (MOV-9), or back to the middle of the selection.
    Pivot(Option<DVec3>),
    /// Runs a command of the table: switches that stand in the tool's options, too.
    Run(&'static str),
    /// It cannot be done, for this reason.
    Refused(Cow<'static, str>),
}

impl Outcome {
    pub fn refused(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Refused(reason.into())
    }
}

/// What a command of the table asks of the tool in hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ToolAction {
    /// `Enter`: make what is prepared a step.
    Apply,
    /// Prepare pieces between two picked faces.
    Bridge,
    /// The next of its ways (kept side of a clip ...).
    Cycle,
    /// `Del`: the last point, the selected handles.
    Delete,
    /// `K`: cut in two through what is picked.
    Split,
    /// `Alt+B`: cut the picked edges off.
    Bevel,
    /// `I`: smaller faces inside of the picked ones.
    Inset,
    /// `Ctrl+Del`: join polygons at what is picked.
    Dissolve,
    /// An arrow or page key, in grid steps.
    Nudge { direction: Direction, steps: f64 },
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
    /// Clicks take what is inside of groups.
    pub ignore_groups: bool,
    /// Bounds of the last selection that had any.
    pub last_bounds: Aabb,
    /// May this be picked: neither hidden nor locked, inside the open group and the region of work.
    pub allows: &'a dyn Fn(ObjectId) -> bool,
    /// Nearest thing under a point of the view.
    pub pick: &'a (dyn Fn(DVec2) -> Option<Hit> + Sync),
    /// All objects under a point of the view, in no useful order.
    pub under: &'a dyn Fn(DVec2) -> Vec<ObjectId>,
    /// Objects within planes that face outward: wholly, or any part of them.
    pub within: &'a dyn Fn(&[Plane], bool) -> Vec<ObjectId>,
    /// Rectangles take only what can be seen, in 3D.
    pub visible_only: bool,
    /// A rectangle of a 2D view selects at `Enter` instead of when the button comes up.
    pub marquee_waits: bool,
    /// Brushes and meshes in reach whose boxes a plane crosses.
    pub crossed: &'a dyn Fn(Plane) -> Vec<ObjectId>,
    /// LOCK-2: edits of vertices keep texture coordinates.
    pub uv_lock: bool,
    /// ROT-3: turned entities change their angles.
    pub turn_entities: bool,
    /// About which things turn and scale: what the user set (MOV-9), else the snapped middle of the selection.
    pub pivot: DVec3,
    /// Bounds of what is transformed: of the picked handles, else of the selection.
    pub target_bounds: Aabb,
    /// The pivot where the user set one.
    pub user_pivot: Option<DVec3>,
    /// MOV-8: axes of the gizmo while it is shown.
    pub gizmo: Option<DMat3>,
    /// Snap keys that are held in a drag (0.9). While `free` is held, `grid` does not snap.
    pub held: Held,
    /// What the held snap keys find under a point of the view; the selection itself is never found.
    pub snap_target: &'a dyn Fn(DVec2) -> Option<SnapTarget>,
    /// What drawing makes.
    pub shape: Choice,
    /// Nothing but what was drawn last is selected: drawing goes on.
    pub only_drawn: bool,
}

impl ToolCx<'_> {
    #[must_use]
    pub fn doc(&self) -> &Document {
        &self.base.doc
    }

    /// What a click on an object takes: its outermost group below the open one, or itself.
    #[must_use]
    pub fn taken(&self, id: ObjectId) -> ObjectId {
        if self.ignore_groups {
            id
        } else {
            self.doc().selectable(id, self.open_group)
        }
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
    /// True while its own marks stand about the selection: the measures of that would lie over them.
    fn marks_selection(&self) -> bool {
        false
    }
    fn hints(&self, cx: &ToolCx<'_>) -> &'static [Hint];
    fn cursor(&self, cx: &ToolCx<'_>) -> CursorShape;
    /// Forgets any drag, and what was prepared.
    fn reset(&mut self);
    /// A command of the table that is meant for the tool in hand; [`Outcome::Ignored`] if it means nothing here.
    fn action(&mut self, _cx: &ToolCx<'_>, _action: ToolAction) -> Outcome {
        Outcome::Ignored
    }
    /// What can be set about it, for the tool bar.
    fn options(&self, _cx: &ToolCx<'_>) -> Vec<ToolOption> {
        Vec::new()
    }
    /// The user changed one of them.
    fn set_option(&mut self, _cx: &ToolCx<'_>, _id: &'static str, _value: OptionValue) -> Outcome {
        Outcome::Ignored
    }
    /// Names of what typed numbers set during the drag (0.8); empty when there is nothing to type.
    fn quantities(&self, _cx: &ToolCx<'_>) -> &'static [&'static str] {
        &[]
    }
    /// Typed numbers, by the order of [`Tool::quantities`]; `None` leaves that one to the pointer.
    fn enter(&mut self, _cx: &ToolCx<'_>, _values: &[Option<f64>]) -> Outcome {
        Outcome::Ignored
    }
    /// True while `Enter` would take what a rectangle holds.
    fn has_waiting_marquee(&self) -> bool {
        false
    }
    /// One step down the `Esc` ladder: drops what is prepared, or the picked handles. `None` when there is neither.
    fn step_back(&mut self, _cx: &ToolCx<'_>) -> Option<Outcome> {
        None
    }
    /// The committed state has changed, or the tool was taken: handles and prepared previews catch up.
    fn follow(&mut self, _cx: &ToolCx<'_>) -> Outcome {
        Outcome::Ignored
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
