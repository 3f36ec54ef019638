//! What is drawn over a view besides the map itself: hover, measures, handles of the tool, hints, the pointer's shape.

use glam::DVec3;

use crate::document::Document;
use crate::document::Kind;
use crate::document::ObjectId;
use crate::document::StepView;
use crate::document::ops::components;
use crate::editor::Editor;
use crate::editor::edits;
use crate::editor::overlay::Handle;
use crate::editor::overlay::Label;
use crate::editor::overlay::Line;
use crate::editor::overlay::Overlay;
use crate::editor::overlay::Readout;
use crate::editor::overlay::Role;
use crate::editor::tools::CursorShape;
use crate::editor::tools::Hint;
use crate::editor::tools::ToolKind;
use crate::editor::tools::hint;
use crate::editor::tools::shortest;
use crate::editor::tools::targets;
use crate::editor::view::View;

/// Names of more entities than this are a carpet, not a help.
const MOST_NAMES: usize = 200;

/// Nearer than this names are drawn in 3D.
const NAMES_WITHIN: f64 = 2048.0;

/// Radius of the ring that marks what the camera turns about, in points.
const PIVOT_RING: f64 = 9.0;

/// Radius of the ring around what a drag snaps to, in points.
const SNAP_RING: f64 = 7.0;

const WALKING: &[Hint] = &[
    hint("WASD", "walk"),
    hint("Space", "jump"),
    hint("Ctrl", "crouch"),
    hint("Shift", "run"),
    hint("F", "fly through"),
    hint("Enter", "stay here"),
    hint("Esc", "back"),
];
const ORBITING: &[Hint] = &[
    hint("Drag", "turn about the ring"),
    hint("Wheel", "nearer or further"),
];

impl Editor {
    /// Everything drawn over the map in this pane.
    #[must_use]
    pub fn overlay(&self, pane: usize) -> Overlay {
        let mut out = Overlay::default();
        let Some(view) = self.views.get(pane) else {
            return out;
        };
        if self.is_walking() {
            return out;
        }
        self.with_tool_cx(pane, |cx| self.tools.active().overlay(cx, &mut out));
        if self.tool() != ToolKind::Measure {
            self.tools.measure.draw(&mut out);
        }
        if self.show_measures() {
            measure_selection(self, &mut out);
        }
        self.outline_cordon(&mut out);
        self.draw_eye(pane, &mut out);
        self.draw_links(self.toggles(pane).links_of, &mut out);
        if self.toggles(pane).names {
            self.entity_names(view, &mut out);
        }
        self.mark_picked(&mut out);
        if let Some(pivot) = self.pivot.filter(|_| !self.selection().is_empty()) {
            ring_of(view, pivot, PIVOT_RING, Role::Handle, &mut out);
        }
        if let Some(pivot) = self.orbit_pivot() {
            ring(view, pivot, &mut out);
        }
        if self.is_dragging() && pane == self.active_pane() {
            self.snap_mark(pane, &mut out);
        }
        if self.pointer_at().is_some_and(|(at, _)| at == pane) {
            out.readout = self.readout();
        }
        out
    }

    /// Picked handles stay in sight while another tool transforms them (VTX-5).
    fn mark_picked(&self, out: &mut Overlay) {
        let transforms = matches!(
            self.tool(),
            ToolKind::Rotate | ToolKind::Scale | ToolKind::Shear | ToolKind::Exact
        );
        let state = self.history.committed();
        if !transforms || self.is_dragging() || !targets::has_handles(&state.selection) {
            return;
        }
        for at in components::picked_positions(&state.doc, &state.selection) {
            out.handles.push(Handle {
                at,
                role: Role::HandleSelected,
                hovered: false,
            });
        }
    }

    /// What a held snap key has found: ringed and named (0.9).
    fn snap_mark(&self, pane: usize, out: &mut Overlay) {
        let view = &self.views[pane];
        let target = self.with_tool_cx(pane, |cx| (cx.snap_target)(self.drag_point()));
        let Some(target) = target else { return };
        ring_of(view, target.point, SNAP_RING, Role::Handle, out);
        out.labels.push(Label {
            at: target.point,
            text: target.name.to_owned(),
            role: Role::Guide,
        });
    }

    fn show_measures(&self) -> bool {
        !self.is_dragging()
            && !self.selection().is_empty()
            && !self.tools.active().marks_selection()
    }

    /// Live numbers of a running drag, or of what a tool has prepared.
    #[must_use]
    pub fn readout(&self) -> Option<Readout> {
        if self.is_entering() {
            return self.entry_readout();
        }
        self.tools
            .active()
            .readout()
            .filter(|_| self.is_dragging() || self.history.is_previewing())
    }

    /// What mouse and keys do now.
    #[must_use]
    pub fn hints(&self) -> &'static [Hint] {
        if self.is_walking() {
            return WALKING;
        }
        if self.orbit_pivot().is_some() {
            return ORBITING;
        }
        self.with_tool_cx(self.active_pane(), |cx| self.tools.active().hints(cx))
    }

    #[must_use]
    pub fn cursor(&self) -> CursorShape {
        if self.wants_pointer_lock() {
            return CursorShape::Hidden;
        }
        self.with_tool_cx(self.active_pane(), |cx| self.tools.active().cursor(cx))
    }

    /// Names over point entities that are near (3D) or large enough (2D).
    fn entity_names(&self, view: &View, out: &mut Overlay) {
        let doc = self.doc();
        let mut named = 0;
        for (&id, bounds) in self.spatial.points() {
            let Some(entity) = doc.entity(id) else {
                continue;
            };
            let at = DVec3::new(bounds.center().x, bounds.max.y, bounds.center().z);
            let is_near = if view.is_2d() {
                view.points_per_unit > 0.25
            } else {
                at.distance(view.eye) < NAMES_WITHIN
            };
            let in_view = view.project(at).is_some_and(|(at, _)| {
                at.cmpge(glam::DVec2::ZERO).all() && at.cmple(view.size).all()
            });
            if !is_near || !in_view || self.look.is_hidden(doc, id) {
                continue;
            }
            out.labels.push(Label {
                at,
                text: entity.key("targetname").map_or_else(
                    || entity.class.clone(),
                    |name| format!("{} ({name})", entity.class),
                ),
                role: Role::Guide,
            });
            named += 1;
            if named == MOST_NAMES {
                return;
            }
        }
    }

    /// The object's name for lists and labels: its class, its group's name, "Brush 12".
    #[must_use]
    pub fn object_name(&self, id: ObjectId) -> String {
        name_in(self.doc(), id)
    }

    /// What a step of the history changed: the object's name, or "3 brushes", "12 objects"; empty for no object (HIST-1).
    #[must_use]
    pub fn step_subject(&self, index: usize) -> String {
        self.history
            .step(index)
            .map_or_else(String::new, |step| subject_in_words(&step))
    }

    /// "3 brushes, 1 entity", or the faces, for the status bar.
    #[must_use]
    pub fn selection_text(&self) -> String {
        use crate::document::SelectionExt as _;
        let selection = self.selection();
        let faces = selection.faces().len();
        if faces > 0 {
            return format!("{faces} face{}", if faces == 1 { "" } else { "s" });
        }
        let ids = edits::roots(self.doc(), selection);
        match *ids.as_slice() {
            [] => "Nothing selected".to_owned(),
            [id] => self.object_name(id),
            _ => format!("{} objects", ids.len()),
        }
    }

    /// "128 x 64 x 32" of the selection; "" without one.
    #[must_use]
    pub fn size_text(&self) -> String {
        let bounds = self.selection_bounds();
        if bounds.is_empty() {
            return String::new();
        }
        let size = bounds.size();
        format!(
            "{} x {} x {}",
            shortest(size.x),
            shortest(size.y),
            shortest(size.z)
        )
    }
}

/// The size of the selection along its bounds.
fn measure_selection(editor: &Editor, out: &mut Overlay) {
    let bounds = editor.selection_bounds();
    if !bounds.is_empty() {
        crate::editor::tools::measure_box(bounds, out);
    }
}

/// A small circle that faces the viewer.
fn ring(view: &View, center: DVec3, out: &mut Overlay) {
    ring_of(view, center, PIVOT_RING, Role::Guide, out);
}

/// A circle of a radius in points that faces the viewer.
pub(crate) fn ring_of(
    view: &View,
    center: DVec3,
    radius_points: f64,
    role: Role,
    out: &mut Overlay,
) {
    const SIDES: usize = 24;
    let radius = view.units_per_point(center) * radius_points;
    let point = |index: usize| {
        let (sin, cos) = (index as f64 / SIDES as f64 * std::f64::consts::TAU).sin_cos();
        center + (view.right() * cos + view.up() * sin) * radius
    };
    for index in 0..SIDES {
        let (from, to) = (point(index), point(index + 1));
        out.lines.push(Line {
            from,
            to,
            role,
            width: 1.5,
            through: true,
            arrow: false,
            dashed: false,
        });
    }
}

/// What a step changed.
fn subject_in_words(step: &StepView<'_>) -> String {
    let Some((id, doc)) = step.object() else {
        return String::new();
    };
    let count = step.subject.count;
    if count == 1 {
        return name_in(doc, id);
    }
    let many = match doc.object(id).map(|object| &object.kind) {
        _ if !step.subject.is_of_one_kind => "objects",
        Some(Kind::Brush(_)) => "brushes",
        Some(Kind::Mesh(_)) => "meshes",
        Some(Kind::Group(_)) => "groups",
        Some(Kind::Entity(_)) => "entities",
        None => "objects",
    };
    format!("{count} {many}")
}

/// An object in words, as a document has it; empty for one that is not there.
#[must_use]
fn name_in(doc: &Document, id: ObjectId) -> String {
    match doc.object(id).map(|object| &object.kind) {
        Some(Kind::Brush(_)) => format!("Brush {}", id.get()),
        Some(Kind::Mesh(mesh)) if !mesh.name.is_empty() => mesh.name.clone(),
        Some(Kind::Mesh(_)) => format!("Mesh {}", id.get()),
        Some(Kind::Group(group)) if !group.name.is_empty() => group.name.clone(),
        Some(Kind::Group(_)) => format!("Group {}", id.get()),
        // A model is known by its file.
        Some(Kind::Entity(entity)) => {
            let name = entity.key("targetname").or_else(|| entity.key("model"));
            name.map_or_else(
                || entity.class.clone(),
                |name| format!("{} ({name})", entity.class),
            )
        }
        None => String::new(),
    }
}
