//! What drawing makes (BRU-3): the shape that is chosen and its numbers, and the last shape drawn, which they still change.

mod options;

use glam::DVec3;

use self::options::options;
use self::options::set;
use crate::document::Document;
use crate::document::Edit;
use crate::document::Material;
use crate::document::Selection;
use crate::document::ops;
use crate::editor::Editor;
use crate::editor::ToolKind;
use crate::editor::commands::SelectionClass;
use crate::editor::edits::Home;
use crate::editor::request::StatusKind;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::geometry::Aabb;
use crate::geometry::shapes::Shape;
use crate::geometry::shapes::ShapeKind;

/// Names of the shapes, in the order of [`ShapeKind::ALL`].
const NAMES: &[&str] = &[
    "Box",
    "Wedge",
    "Pyramid",
    "Cylinder",
    "Tube",
    "Cone",
    "Sphere",
    "Arch",
    "Stairs",
    "Spiral stairs",
    "Torus",
];

/// Names of the undo steps, in the same order.
const LABELS: [&str; 11] = [
    "Draw box",
    "Draw wedge",
    "Draw pyramid",
    "Draw cylinder",
    "Draw tube",
    "Draw cone",
    "Draw sphere",
    "Draw arch",
    "Draw stairs",
    "Draw spiral stairs",
    "Draw torus",
];

/// The shape that is drawn next.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    shape: Shape,
    /// `None`: by what is drawn.
    axis: Option<usize>,
    group: bool,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            shape: Shape {
                thickness: 16.0,
                ..Shape::default()
            },
            axis: None,
            group: false,
        }
    }
}

/// A box that was drawn, to be filled with a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    pub bounds: Aabb,
    /// The axis across the plane it was drawn on.
    pub across: usize,
    /// From where the drag began to where it ended.
    pub toward: DVec3,
    /// The grid's step.
    pub step: f64,
}

impl Choice {
    fn index(&self) -> usize {
        ShapeKind::ALL
            .iter()
            .position(|&kind| kind == self.shape.kind)
            .unwrap_or(0)
    }

    #[must_use]
    pub fn label(&self) -> &'static str {
        LABELS[self.index()]
    }

    #[must_use]
    pub fn is_box(&self) -> bool {
        self.shape.kind == ShapeKind::Box
    }

    /// The shape for a box: its axis and its way as they were drawn, unless the user chose them.
    #[must_use]
    pub fn shape_in(&self, drawn: &Drawn) -> Shape {
        let size = drawn.bounds.size();
        let kind = self.shape.kind;
        let rises = matches!(kind, ShapeKind::Stairs | ShapeKind::Wedge);
        let axis = self.axis.unwrap_or(match kind {
            ShapeKind::Stairs | ShapeKind::Wedge | ShapeKind::SpiralStairs => 1,
            ShapeKind::Arch if drawn.across == 1 => {
                if size.x < size.z {
                    0
                } else {
                    2
                }
            }
            _ => drawn.across,
        });
        let mut turns = self.shape.turns;
        if kind == ShapeKind::Arch && axis == 0 {
            // Its own up is Z otherwise.
            turns += 3;
        }
        if rises {
            let (first, second) = ((axis + 1) % 3, (axis + 2) % 3);
            let along = if size[second] >= size[first] {
                second
            } else {
                first
            };
            turns += u8::from(along == second);
            turns += if drawn.toward[along] < 0.0 { 2 } else { 0 };
        }
        Shape {
            axis,
            turns: turns % 4,
            ..self.shape
        }
    }

    /// Why the shape does not fit; `None` when it does.
    #[must_use]
    pub fn refusal(&self, drawn: &Drawn) -> Option<&'static str> {
        if self.is_box() {
            return None;
        }
        self.shape_in(drawn).pieces(drawn.bounds, drawn.step).err()
    }

    /// The edit that draws it.
    #[must_use]
    pub(crate) fn edit(&self, drawn: &Drawn, material: Option<Material>, home: Home) -> Edit {
        let (label, shape) = (self.label(), self.shape_in(drawn));
        let drawn = *drawn;
        let group = self.group.then(|| NAMES[self.index()]);
        home.of(Edit::new(label, move |draft, selection| {
            let material = material
                .as_ref()
                .map(|material| ops::materials::find_or_add(draft, material));
            if shape.kind == ShapeKind::Box {
                return ops::brushes::draw_box(drawn.bounds, material, home.layer)
                    .apply(draft, selection);
            }
            let edit = ops::shapes::draw(
                label,
                shape,
                drawn.bounds,
                drawn.step,
                material,
                home.layer,
                group,
            );
            edit.apply(draft, selection)
        }))
    }
}

/// The last shape drawn.
struct Last {
    drawn: Drawn,
    material: Option<Material>,
    home: Home,
    doc: Document,
    selection: Selection,
}

/// See the module's text.
#[derive(Default)]
pub(crate) struct Shaping {
    pub choice: Choice,
    last: Option<Last>,
}

impl Shaping {
    /// True while nothing but the result of the last drawing is selected.
    pub fn is_last(&self, selection: &Selection) -> bool {
        !selection.is_empty()
            && self
                .last
                .as_ref()
                .is_some_and(|last| last.selection == *selection)
    }
}

impl Editor {
    /// What a drag drew becomes a step, whose numbers stay live until the next one.
    pub(crate) fn draw_shape(&mut self, drawn: Drawn) {
        let (material, home) = (self.current_material.clone(), self.home());
        let edit = self.shaping.choice.edit(&drawn, material.clone(), home);
        let made = self.commit(&edit).is_ok();
        self.shaping.last = None;
        if made {
            self.remember_drawn(drawn, material, home);
        }
    }

    fn remember_drawn(&mut self, drawn: Drawn, material: Option<Material>, home: Home) {
        let state = self.history.committed();
        self.shaping.last = Some(Last {
            drawn,
            material,
            home,
            doc: state.doc.clone(),
            selection: state.selection.clone(),
        });
    }

    /// The last drawing, while nothing else has happened since.
    fn live_shape(&self) -> Option<&Last> {
        let state = self.history.committed();
        self.shaping
            .last
            .as_ref()
            .filter(|last| last.doc.same(&state.doc) && last.selection == state.selection)
    }

    /// The shape and its numbers, where drawing is what a drag would do, or what the last one did.
    pub(crate) fn shape_options(&self) -> Vec<ToolOption> {
        let draws = match self.tool() {
            ToolKind::Box => true,
            ToolKind::Select => {
                self.selection_class() == SelectionClass::Nothing || self.live_shape().is_some()
            }
            _ => false,
        };
        if draws {
            options(&self.shaping.choice)
        } else {
            Vec::new()
        }
    }

    /// Changes the shape that is drawn next, and the one that was just drawn. False when the option is none of a shape's.
    pub(crate) fn set_shape_option(&mut self, id: &str, value: &OptionValue) -> bool {
        if !id.starts_with("shape.") {
            return false;
        }
        let before = self.shaping.choice;
        set(&mut self.shaping.choice, id, value);
        let Some(last) = self.live_shape() else {
            return true;
        };
        let (drawn, material, home) = (last.drawn, last.material.clone(), last.home);
        if let Some(reason) = self.shaping.choice.refusal(&drawn) {
            // The next drawing may be large enough for it; this one stays as it is.
            self.say(StatusKind::Refused, reason);
            return true;
        }
        let edit = self.shaping.choice.edit(&drawn, material.clone(), home);
        if self.amend(&edit).is_ok() {
            self.remember_drawn(drawn, material, home);
        } else {
            self.shaping.choice = before;
        }
        true
    }
}
