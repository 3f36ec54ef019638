//! What a transform is applied to, gathered once when the drag begins (4, ROT-3).

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DAffine3;

use crate::assets::Definitions;
use crate::document::Edit;
use crate::document::ObjectId;
use crate::document::SelectionExt as _;
use crate::document::State;
use crate::document::UvLock;
use crate::document::ops;
use crate::document::ops::transform::Angles;
use crate::document::ops::transform::Orientation;
use crate::editor::commands::SelectionClass;
use crate::editor::edits;
use crate::editor::selecting;
use crate::editor::tools::ToolCx;
use crate::geometry::Aabb;

/// The selected objects, their bounds, and what becomes of entities' angles.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    pub ids: Vec<ObjectId>,
    pub bounds: Aabb,
    orientation: Orientation,
    lock: UvLock,
}

/// Said when there is nothing to transform.
pub(crate) const NOTHING: &str = "Select objects first";

/// Why nothing can be transformed now; cheap, for hovering and drawing.
pub(crate) fn missing(cx: &ToolCx<'_>) -> Option<&'static str> {
    let has = cx.selection_class() == SelectionClass::Objects && !cx.last_bounds.is_empty();
    (!has).then_some(NOTHING)
}

impl Targets {
    /// `None` when no objects with any extent are selected.
    pub fn of(cx: &ToolCx<'_>) -> Option<Self> {
        Self::new(cx.base, cx.definitions, cx.lock, cx.turn_entities)
    }

    pub fn new(
        state: &State,
        definitions: &Definitions,
        lock: UvLock,
        turn_entities: bool,
    ) -> Option<Self> {
        if selecting::class_of(&state.selection) != SelectionClass::Objects {
            return None;
        }
        let bounds = selecting::bounds(state, definitions);
        if bounds.is_empty() {
            return None;
        }
        Some(Self {
            ids: edits::roots(&state.doc, &state.selection),
            bounds,
            orientation: orientation(state, definitions, turn_entities),
            lock,
        })
    }

    /// The objects mapped; their entities' angles change when the map turns.
    pub fn turned(&self, label: &'static str, map: DAffine3) -> Edit {
        ops::transform::transform(
            label,
            self.ids.clone(),
            map,
            self.lock,
            self.orientation.clone(),
        )
    }

    /// The objects mapped; the angles of entities stay.
    pub fn mapped(&self, label: &'static str, map: DAffine3) -> Edit {
        ops::transform::transform(label, self.ids.clone(), map, self.lock, Orientation::Kept)
    }

    /// Mirrored in the plane `axis = position` (FLP-1).
    pub fn flipped(&self, axis: usize, position: f64, keep_lettering: bool) -> Edit {
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

fn orientation(state: &State, definitions: &Definitions, turn_entities: bool) -> Orientation {
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
