//! What a transform is applied to, gathered once when the drag begins (4, ROT-3).

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DAffine3;

use crate::assets::Definitions;
use crate::document::Document;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::State;
use crate::document::UvLock;
use crate::document::ops;
use crate::document::ops::components;
use crate::document::ops::components::Handles;
use crate::document::ops::components::Stop;
use crate::document::ops::transform::Angles;
use crate::document::ops::transform::Orientation;
use crate::editor::commands::SelectionClass;
use crate::editor::edits;
use crate::editor::selecting;
use crate::editor::tools::ToolCx;
use crate::geometry::Aabb;
use crate::geometry::transform::mirrored;

/// The selected objects, their bounds, and what becomes of entities' angles.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    pub ids: Vec<ObjectId>,
    pub bounds: Aabb,
    pub orientation: Orientation,
    pub lock: UvLock,
    /// Picked vertices, edges or faces: then only these are transformed (VTX-5).
    handles: Option<Arc<Handles>>,
    /// LOCK-2 for them.
    hold: bool,
}

/// What an edit is made for: previews round nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Preview,
    Commit,
}

/// Said when there is nothing to transform.
pub(crate) const NOTHING: &str = "Select objects first";

/// Why nothing can be transformed now; cheap, for hovering and drawing.
pub(crate) fn missing(cx: &ToolCx<'_>) -> Option<&'static str> {
    let has = cx.selection_class() == SelectionClass::Objects && !cx.target_bounds.is_empty();
    (!has).then_some(NOTHING)
}

impl Targets {
    /// `None` when no objects with any extent are selected.
    pub fn of(cx: &ToolCx<'_>) -> Option<Self> {
        Self::new(
            cx.base,
            cx.definitions,
            cx.lock,
            cx.turn_entities,
            cx.uv_lock,
        )
    }

    pub fn new(
        state: &State,
        definitions: &Definitions,
        lock: UvLock,
        turn_entities: bool,
        hold: bool,
    ) -> Option<Self> {
        if selecting::class_of(&state.selection) != SelectionClass::Objects {
            return None;
        }
        let handles = if has_handles(&state.selection) {
            Some(Arc::new(Handles::of(&state.doc, &state.selection)?))
        } else {
            None
        };
        let bounds = handles.as_ref().map_or_else(
            || selecting::bounds(state, definitions),
            |_| handle_bounds(state),
        );
        if bounds.is_empty() {
            return None;
        }
        Some(Self {
            ids: edits::roots(&state.doc, &state.selection),
            bounds,
            orientation: orientation(state, definitions, turn_entities),
            lock,
            handles,
            hold,
        })
    }

    /// What stops a map: with handles picked a brush stays convex (VTX-3). Whole objects take any map.
    pub fn stop(&self, doc: &Document, map: &DAffine3) -> Option<Stop> {
        let handles = self.handles.as_ref()?;
        handles
            .mapped(doc, &|point| map.transform_point3(point), self.hold)
            .err()
    }

    fn handle_edit(
        &self,
        handles: &Arc<Handles>,
        label: &'static str,
        map: DAffine3,
        stage: Stage,
    ) -> Edit {
        let (handles, hold) = (Arc::clone(handles), self.hold);
        Edit::new(label, move |draft, selection| {
            let made = handles
                .mapped(draft, &|point| map.transform_point3(point), hold)
                .map_err(|stop| EditError::refused(stop.to_string()))?;
            match stage {
                Stage::Preview => made.preview(label).apply(draft, selection),
                Stage::Commit => made.apply(draft, selection),
            }
        })
    }

    /// The objects mapped; their entities' angles change when the map turns.
    pub fn turned(&self, label: &'static str, map: DAffine3, stage: Stage) -> Edit {
        if let Some(handles) = &self.handles {
            return self.handle_edit(handles, label, map, stage);
        }
        ops::transform::transform(
            label,
            self.ids.clone(),
            map,
            self.lock,
            self.orientation.clone(),
        )
    }

    /// The objects mapped; the angles of entities stay.
    pub fn mapped(&self, label: &'static str, map: DAffine3, stage: Stage) -> Edit {
        if let Some(handles) = &self.handles {
            return self.handle_edit(handles, label, map, stage);
        }
        ops::transform::transform(label, self.ids.clone(), map, self.lock, Orientation::Kept)
    }

    /// Mirrored in the plane `axis = position` (FLP-1).
    pub fn flipped(&self, axis: usize, position: f64, keep_lettering: bool) -> Edit {
        if let Some(handles) = &self.handles {
            return self.handle_edit(handles, "Flip", mirrored(axis, position), Stage::Commit);
        }
        ops::flip::flip(
            self.ids.clone(),
            axis,
            position,
            self.lock,
            self.orientation.clone(),
            keep_lettering,
        )
    }

    /// Each object mapped by its own map.
    pub fn each(&self, label: &'static str, maps: Vec<(ObjectId, DAffine3)>) -> Edit {
        ops::transform::transform_each(label, maps, self.lock, self.orientation.clone())
    }
}

/// True when vertices, edges or faces are picked beside objects.
pub(crate) fn has_handles(selection: &Selection) -> bool {
    // Picks are ordered by kind: objects come first.
    let (first, last) = (selection.first(), selection.last());
    matches!(first, Some(Pick::Object(_))) && !matches!(last, Some(Pick::Object(_)))
}

/// Bounds of the picked handles.
pub(crate) fn handle_bounds(state: &State) -> Aabb {
    Aabb::of_points(components::picked_positions(&state.doc, &state.selection))
}

/// What becomes of the angles of the entities in the selection (ROT-3).
pub(super) fn orientation(
    state: &State,
    definitions: &Definitions,
    turn_entities: bool,
) -> Orientation {
    if !turn_entities {
        return Orientation::Kept;
    }
    let mut classes: BTreeMap<String, Angles> = BTreeMap::new();
    for id in state.selection.with_children(&state.doc) {
        if let Some(entity) = state.doc.entity(id)
            && !classes.contains_key(&entity.class)
        {
            classes.insert(entity.class.clone(), definitions.angles_of(&entity.class));
        }
    }
    if classes.values().all(|angles| *angles == Angles::All) {
        Orientation::Turned
    } else {
        Orientation::ByClass(Arc::new(classes))
    }
}
