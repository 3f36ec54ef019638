//! Handles on vertices, edges and faces (VTX-1 to VTX-7, MSH-1). What is picked is part of the selection, beside the objects,
//! so undo and the selection's own history know it; the tool keeps only where the handles are and the drag.

mod adding;
mod drag;
mod drawing;
mod handles;
mod options;

use glam::DVec2;

use crate::document::Document;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::ops::components;
use crate::document::ops::components::ComponentKind;
use crate::document::ops::meshes;
use crate::editor::input::Modifiers;
use crate::editor::nudge;
use crate::editor::overlay::Handle as Mark;
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
use crate::editor::tools::components::adding::Adding;
use crate::editor::tools::components::drag::HandleDrag;
use crate::editor::tools::components::drag::Making;
use crate::editor::tools::components::handles::Handle;
use crate::editor::tools::components::handles::Handles;
use crate::editor::tools::components::options::Live;
use crate::editor::tools::components::options::Parameters;
use crate::editor::tools::hint;
use crate::editor::tools::marquee;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::editor::view::View;

#[derive(Default)]
enum State {
    #[default]
    Idle,
    Handles(Box<HandleDrag>),
    Rectangle(Box<Rectangle>),
    /// Begun where nothing can be dragged; swallows the motion.
    Nothing,
}

struct Rectangle {
    from: DVec2,
    to: DVec2,
    modifiers: Modifiers,
    view: View,
}

/// See the module's text.
#[derive(Default)]
pub(super) struct ComponentTool {
    kind: Option<ToolKind>,
    state: State,
    handles: Handles,
    /// What the handles were made of.
    seen: Option<(Document, Selection, ComponentKind)>,
    hovered: Option<Handle>,
    live: Live,
}

const NONE_PICKED: &[Hint] = &[
    hint("Click", "pick a handle"),
    hint("Drag", "pick by rectangle"),
    hint("Double click", "all in its plane"),
    hint("Shift+drag", "a new vertex"),
    hint("Esc", "leave the tool"),
];
const PICKED: &[Hint] = &[
    hint("Drag", "move"),
    hint("Ctrl+click", "add or remove"),
    hint("Arrows", "nudge"),
    hint("Shift+Alt+click", "move onto a vertex"),
    hint("Del", "delete"),
    hint("Esc", "pick nothing"),
];
const DRAGGING: &[Hint] = &[
    hint("Alt", "up and down"),
    hint("Shift", "one axis"),
    hint("Ctrl", "onto the grid"),
    hint("V E F", "onto geometry"),
    hint("G", "no grid"),
    hint("Esc", "cancel"),
];
/// The dragged vertex was absorbed.
const ENDED: &[Hint] = &[
    hint("Release", "the vertex is gone: done"),
    hint("Esc", "cancel"),
];

/// Neither brushes nor meshes are selected.
const NO_HANDLES: &str = "Click a brush or mesh first: it gets the handles";

impl ComponentTool {
    /// Which of the three tools it is now.
    pub fn take(&mut self, kind: ToolKind) {
        self.kind = Some(kind);
        self.seen = None;
    }

    pub(super) fn component(&self) -> ComponentKind {
        component_of(self.kind())
    }

    /// The handles of the committed state.
    fn sync(&mut self, cx: &ToolCx<'_>) {
        let kind = self.component();
        let known = self.seen.as_ref().is_some_and(|(doc, selection, seen)| {
            *seen == kind && doc.same(cx.doc()) && *selection == cx.base.selection
        });
        if !known {
            self.handles = Handles::of(cx.doc(), &cx.base.selection, kind);
            self.seen = Some((cx.doc().clone(), cx.base.selection.clone(), kind));
            self.hovered = None;
        }
    }

    fn has_picked(&self, selection: &Selection) -> bool {
        !components::of_kind(selection, self.component()).is_empty()
    }

    /// The selection with only these handles picked, and the objects they belong to.
    fn only(&self, selection: &Selection, picks: &[Pick]) -> Selection {
        let mut result = components::objects_only(selection);
        result.extend(picks);
        result
    }

    fn click(&mut self, cx: &ToolCx<'_>, at: DVec2, count: u8, modifiers: Modifiers) -> Outcome {
        let selection = &cx.base.selection;
        let Some(handle) = self.handles.under(cx.view, at) else {
            return self.click_beside(cx, at, count, modifiers);
        };
        match modifiers {
            Modifiers::NONE if count == 2 => {
                let plane = self.handles.coplanar(cx.view, self.component(), &handle);
                let mut result = components::objects_only(selection);
                result.extend(plane);
                result.extend(handle.picks);
                Outcome::Select(result)
            }
            Modifiers::NONE => Outcome::Select(self.only(selection, &handle.picks)),
            Modifiers::CTRL => {
                let mut result = self.only(selection, &[]);
                result.extend(selection.iter().filter(|pick| self.is_own(pick)));
                if handle.is_picked(selection) {
                    result.retain(|pick| !handle.picks.contains(pick));
                } else {
                    result.extend(handle.picks);
                }
                Outcome::Select(result)
            }
            Modifiers::ALT if count == 2 && self.component() == ComponentKind::Edge => {
                let edges = handle.picks.iter();
                self.loops(
                    selection,
                    edges.filter_map(|pick| Some((pick.object(), pick.index()?))),
                )
            }
            Modifiers {
                shift: true,
                alt: true,
                ctrl: false,
            } if self.component() == ComponentKind::Vertex => {
                if !self.has_picked(selection) {
                    return Outcome::refused("Pick the vertex to move first");
                }
                Outcome::Commit(components::fuse(handle.at, cx.uv_lock))
            }
            _ => Outcome::Handled,
        }
    }

    /// The loops that edges are part of, picked.
    fn loops(
        &self,
        selection: &Selection,
        edges: impl Iterator<Item = (ObjectId, u32)>,
    ) -> Outcome {
        let mut result = components::objects_only(selection);
        for (id, edge) in edges {
            if let Some(shape) = self.handles.shape(id) {
                let found = handles::edge_loop(shape, edge);
                result.extend(found.into_iter().map(|edge| Pick::Edge(id, edge)));
            }
        }
        Outcome::Select(result)
    }

    fn is_own(&self, pick: &Pick) -> bool {
        ComponentKind::of(*pick) == Some(self.component())
    }

    /// A click beside all handles drops them; one on another object gives that handles instead. An edge is there all along
    /// for its loop, not only at its handle.
    fn click_beside(&self, cx: &ToolCx<'_>, at: DVec2, count: u8, modifiers: Modifiers) -> Outcome {
        let selection = &cx.base.selection;
        if modifiers == Modifiers::ALT
            && count == 2
            && self.component() == ComponentKind::Edge
            && let Some((id, edge, _)) = adding::nearest_edge(cx, at, &self.handles)
        {
            return self.loops(selection, std::iter::once((id, edge)));
        }
        let hit = (cx.pick)(at).map(|hit| cx.taken(hit.object));
        let is_new = |id: &ObjectId| !selection.contains(&Pick::Object(*id));
        match (modifiers, hit) {
            (Modifiers::NONE, Some(id)) if is_new(&id) => {
                Outcome::Select(Selection::from([Pick::Object(id)]))
            }
            (Modifiers::CTRL, Some(id)) if is_new(&id) => {
                let mut result = self.only(selection, &[]);
                result.extend(selection.iter().filter(|pick| self.is_own(pick)));
                result.insert(Pick::Object(id));
                Outcome::Select(result)
            }
            (Modifiers::NONE, _) if self.has_picked(selection) => {
                Outcome::Select(components::objects_only(selection))
            }
            (Modifiers::NONE, None) if self.handles.list.is_empty() => Outcome::refused(NO_HANDLES),
            _ => Outcome::Handled,
        }
    }

    fn begin(&mut self, cx: &ToolCx<'_>, at: DVec2, modifiers: Modifiers) -> Outcome {
        let selection = &cx.base.selection;
        let kind = self.component();
        let handle = self.handles.under(cx.view, at);
        let pulls = modifiers.shift && !modifiers.ctrl && !modifiers.alt;
        if pulls && (kind != ComponentKind::Vertex || handle.is_none()) {
            let Some(adding) = Adding::new(cx, at, &self.handles, kind, selection) else {
                self.state = State::Nothing;
                return Outcome::refused("There is no edge or face of the selection here");
            };
            let grab = adding.start;
            let drag = HandleDrag::new(cx, at, grab, Making::Add(adding), selection.clone());
            self.state = State::Handles(Box::new(drag));
            return Outcome::Handled;
        }
        let Some(handle) = handle else {
            if self.handles.list.is_empty() {
                self.state = State::Nothing;
                return Outcome::refused(NO_HANDLES);
            }
            self.state = State::Rectangle(Box::new(Rectangle {
                from: at,
                to: at,
                modifiers,
                view: cx.view.clone(),
            }));
            return Outcome::Handled;
        };
        let picked = if handle.is_picked(selection) {
            selection.clone()
        } else if modifiers.ctrl {
            selection.iter().copied().chain(handle.picks).collect()
        } else {
            self.only(selection, &handle.picks)
        };
        let Some(moving) = components::Handles::of(cx.doc(), &picked) else {
            return Outcome::Ignored;
        };
        let drag = HandleDrag::new(cx, at, handle.at, Making::Move(moving), picked);
        self.state = State::Handles(Box::new(drag));
        Outcome::Handled
    }

    fn step(&mut self, cx: &ToolCx<'_>, at: DVec2) -> Outcome {
        match &mut self.state {
            State::Idle => Outcome::Ignored,
            State::Nothing => Outcome::Handled,
            State::Handles(drag) => drag.drag(cx, at),
            State::Rectangle(rectangle) => {
                rectangle.to = at;
                Outcome::Handled
            }
        }
    }

    fn end(&mut self, cx: &ToolCx<'_>) -> Outcome {
        match std::mem::take(&mut self.state) {
            State::Idle => Outcome::Ignored,
            State::Nothing => Outcome::Handled,
            State::Handles(drag) => drag.end(cx),
            State::Rectangle(rectangle) => self.framed(cx, &rectangle),
        }
    }

    /// Handles in the rectangle replace what is picked; `Ctrl` adds them, `Ctrl+Shift` takes them away (VTX-1).
    fn framed(&self, cx: &ToolCx<'_>, rectangle: &Rectangle) -> Outcome {
        let selection = &cx.base.selection;
        let inside = self.handles.inside(cx.view, rectangle.from, rectangle.to);
        let mut result = self.only(selection, &[]);
        let own = selection.iter().filter(|pick| self.is_own(pick));
        match (rectangle.modifiers.ctrl, rectangle.modifiers.shift) {
            (true, true) => result.extend(own.filter(|pick| !inside.contains(pick))),
            (true, false) => {
                result.extend(own);
                result.extend(inside);
            }
            _ => result.extend(inside),
        }
        Outcome::Select(result)
    }
}

/// What the tool's handles stand on.
pub(super) fn component_of(kind: ToolKind) -> ComponentKind {
    match kind {
        ToolKind::Edge => ComponentKind::Edge,
        ToolKind::Face => ComponentKind::Face,
        _ => ComponentKind::Vertex,
    }
}

impl Tool for ComponentTool {
    fn kind(&self) -> ToolKind {
        self.kind.unwrap_or(ToolKind::Vertex)
    }

    fn gesture(&mut self, cx: &ToolCx<'_>, gesture: Gesture) -> Outcome {
        self.sync(cx);
        match gesture {
            Gesture::Hover { at } => {
                self.hovered = self.handles.under(cx.view, at);
                Outcome::Handled
            }
            Gesture::Click {
                at,
                count,
                modifiers,
            } => self.click(cx, at, count, modifiers),
            Gesture::Begin { at, modifiers } => match self.begin(cx, at, modifiers) {
                Outcome::Handled => self.step(cx, at),
                other => other,
            },
            Gesture::Drag { at } => self.step(cx, at),
            Gesture::End => self.end(cx),
            Gesture::Key(_) => Outcome::Ignored,
            Gesture::Cancel => {
                self.reset();
                Outcome::Cancel
            }
        }
    }

    fn overlay(&self, cx: &ToolCx<'_>, out: &mut Overlay) {
        if let State::Rectangle(rectangle) = &self.state
            && rectangle.view == *cx.view
        {
            let Rectangle { from, to, view, .. } = rectangle.as_ref();
            marquee::outline(view, *from, *to, Role::Guide, true, out);
        }
        let drag = match &self.state {
            State::Handles(drag) => Some(drag),
            _ => None,
        };
        let moved = drag.is_some_and(|drag| drag.has_moved());
        // The press of a drag may have picked what it took.
        let selection = drag.map_or(&cx.base.selection, |drag| drag.selection());
        for handle in &self.handles.list {
            let picked = handle.is_picked(selection);
            if picked && moved {
                continue;
            }
            let hovered = self
                .hovered
                .as_ref()
                .is_some_and(|hovered| hovered.picks.contains(&handle.picks[0]));
            out.handles.push(Mark {
                at: handle.at,
                role: if picked {
                    Role::HandleSelected
                } else {
                    Role::Handle
                },
                hovered: hovered && drag.is_none(),
            });
        }
        if let Some(drag) = drag {
            drag.overlay(out);
        } else {
            self.picked_lines(cx, out);
        }
    }

    fn readout(&self) -> Option<Readout> {
        match &self.state {
            State::Handles(drag) => Some(drag.readout()),
            _ => None,
        }
    }

    fn hints(&self, cx: &ToolCx<'_>) -> &'static [Hint] {
        match &self.state {
            State::Handles(drag) if drag.has_ended() => ENDED,
            State::Handles(_) => DRAGGING,
            _ if self.has_picked(&cx.base.selection) => PICKED,
            _ => NONE_PICKED,
        }
    }

    fn cursor(&self, _cx: &ToolCx<'_>) -> CursorShape {
        match &self.state {
            State::Handles(_) => CursorShape::Move,
            State::Idle if self.hovered.is_some() => CursorShape::Move,
            _ => CursorShape::Crosshair,
        }
    }

    fn reset(&mut self) {
        self.state = State::Idle;
        self.hovered = None;
        self.live = Live::default();
    }

    fn action(&mut self, cx: &ToolCx<'_>, action: ToolAction) -> Outcome {
        self.sync(cx);
        let picked = self.has_picked(&cx.base.selection);
        match action {
            ToolAction::Nudge { direction, steps } if picked => {
                let delta = nudge::in_map(cx.view, direction) * (cx.grid.size * steps);
                let edit = components::move_by(self.component(), delta, cx.uv_lock);
                Outcome::CommitFolding(edit)
            }
            ToolAction::Delete if picked => {
                Outcome::Commit(components::delete(self.component(), cx.uv_lock))
            }
            ToolAction::Split => Outcome::Commit(components::split(cx.material.cloned())),
            ToolAction::Dissolve => Outcome::Commit(meshes::dissolve()),
            ToolAction::Bevel => {
                let parameters = Parameters::Bevel {
                    width: cx.grid.size,
                    segments: 1,
                };
                self.live.begin(cx, parameters)
            }
            ToolAction::Inset => {
                let width = cx.grid.size;
                self.live.begin(cx, Parameters::Inset { width })
            }
            _ => Outcome::Ignored,
        }
    }

    fn options(&self, cx: &ToolCx<'_>) -> Vec<ToolOption> {
        self.list_options(cx)
    }

    fn set_option(&mut self, cx: &ToolCx<'_>, id: &'static str, value: OptionValue) -> Outcome {
        self.change_option(cx, id, value)
    }

    fn quantities(&self, cx: &ToolCx<'_>) -> &'static [&'static str] {
        match &self.state {
            State::Handles(drag) => drag.quantities(cx),
            _ => &[],
        }
    }

    fn enter(&mut self, cx: &ToolCx<'_>, values: &[Option<f64>]) -> Outcome {
        match &mut self.state {
            State::Handles(drag) => drag.enter(cx, values),
            _ => Outcome::Ignored,
        }
    }

    fn step_back(&mut self, cx: &ToolCx<'_>) -> Option<Outcome> {
        let selection = &cx.base.selection;
        components::has_components(selection)
            .then(|| Outcome::Select(components::objects_only(selection)))
    }

    fn follow(&mut self, cx: &ToolCx<'_>) -> Outcome {
        self.live.follow(cx.doc());
        self.sync(cx);
        Outcome::Ignored
    }
}
