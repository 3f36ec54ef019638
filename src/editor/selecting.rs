//! The selection: whole sets, siblings, faces, its own history, the Esc ladder's lower half (SEL-6, SEL-7, 0.5).

use std::collections::BTreeSet;

use glam::DVec3;

use crate::assets::Definitions;
use crate::document::Document;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::State;
use crate::document::ops;
use crate::document::ops::components;
use crate::document::ops::components::ComponentKind;
use crate::editor::Editor;
use crate::editor::ToolKind;
use crate::editor::commands::SelectionClass;
use crate::editor::edits;
use crate::editor::pick;
use crate::editor::request::StatusKind;
use crate::geometry::Aabb;
use crate::geometry::Plane;

/// Entries of the selection's own history, each way.
const LOG: usize = 100;

/// Planes of a patch agree within this in normal and distance; its faces share edges longer than the last (SEL-6).
const SAME_NORMAL: f64 = 1e-3;
const SAME_DISTANCE: f64 = 0.01;
const SHARED_EDGE: f64 = 0.01;

/// Earlier and later selections.
#[derive(Default)]
pub(crate) struct SelectionLog {
    back: Vec<Selection>,
    forward: Vec<Selection>,
}

impl SelectionLog {
    pub fn push(&mut self, left: Selection) {
        self.forward.clear();
        if self.back.last() != Some(&left) {
            self.back.push(left);
        }
        if self.back.len() > LOG {
            self.back.remove(0);
        }
    }
}

#[must_use]
pub(crate) fn class_of(selection: &Selection) -> SelectionClass {
    match selection.iter().next() {
        None => SelectionClass::Nothing,
        Some(Pick::Object(_)) => SelectionClass::Objects,
        Some(_) => SelectionClass::Faces,
    }
}

/// Bounds of what is selected: the picked vertices, edges and faces if there are any, else the objects; empty for none.
#[must_use]
pub(crate) fn bounds(state: &State, definitions: &Definitions) -> Aabb {
    let doc = &state.doc;
    let object_bounds = |id: ObjectId| -> Aabb {
        doc.object(id)
            .map_or(Aabb::EMPTY, |object| match &object.kind {
                Kind::Entity(entity) if pick::is_point_entity(doc, id, entity) => {
                    definitions.entity_box(entity)
                }
                Kind::Entity(_) => Aabb::EMPTY,
                _ => object.bounds(),
            })
    };
    let picked = components::picked_positions(doc, &state.selection);
    if !picked.is_empty() {
        // Handles are picked: they are what turns, scales and is framed.
        return Aabb::of_points(picked);
    }
    state
        .selection
        .with_children(doc)
        .into_iter()
        .map(object_bounds)
        .fold(Aabb::EMPTY, Aabb::union)
}

/// Corners of a brush face or mesh polygon.
#[must_use]
pub(crate) fn face_corners(doc: &Document, id: ObjectId, face: u32) -> Vec<DVec3> {
    match doc.object(id).map(|object| &object.kind) {
        Some(Kind::Brush(brush)) if (face as usize) < brush.hull().loops().len() => {
            brush.hull().face_points(face as usize).collect()
        }
        Some(Kind::Mesh(mesh)) => mesh
            .polygons
            .get(face as usize)
            .and_then(|polygon| mesh.positions(polygon))
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The material of a face as a row of its own.
#[must_use]
pub(crate) fn face_material(doc: &Document, id: ObjectId, face: u32) -> Option<Material> {
    doc.material(face_material_id(doc, id, face)?).cloned()
}

#[must_use]
pub(crate) fn face_material_id(doc: &Document, id: ObjectId, face: u32) -> Option<MaterialId> {
    match &doc.object(id)?.kind {
        Kind::Brush(brush) => brush.faces().get(face as usize)?.material,
        Kind::Mesh(mesh) => mesh.polygons.get(face as usize)?.material,
        Kind::Entity(_) | Kind::Group(_) => None,
    }
}

/// Every face of an object.
#[must_use]
pub(crate) fn faces_of(doc: &Document, id: ObjectId) -> Selection {
    let count = match doc.object(id).map(|object| &object.kind) {
        Some(Kind::Brush(brush)) => brush.faces().len(),
        Some(Kind::Mesh(mesh)) => mesh.polygons.len(),
        _ => 0,
    };
    (0..count as u32).map(|face| Pick::Face(id, face)).collect()
}

/// Everything under the same entity as `id` that can be selected; in the world that is all of it.
#[must_use]
pub(crate) fn siblings(
    doc: &Document,
    id: ObjectId,
    allows: &dyn Fn(ObjectId) -> bool,
) -> Selection {
    let parent = doc.object(id).and_then(|object| object.parent);
    let owner = doc.owner(id).or(parent);
    match owner {
        // "Under the same entity" has no meaning in the world: the object alone.
        None => Selection::from([Pick::Object(id)]),
        Some(owner) => doc
            .children(Some(owner))
            .filter(|&id| allows(id))
            .map(Pick::Object)
            .collect(),
    }
}

/// The connected faces on one plane across touching brushes in reach, starting at a face.
#[must_use]
pub(crate) fn coplanar_patch(
    doc: &Document,
    id: ObjectId,
    face: u32,
    allows: &dyn Fn(ObjectId) -> bool,
) -> Selection {
    let plane_of = |id: ObjectId, face: u32| -> Option<Plane> {
        match &doc.object(id)?.kind {
            Kind::Brush(brush) => brush.faces().get(face as usize)?.plane.unit(),
            Kind::Mesh(_) => crate::geometry::polygon::plane(&face_corners(doc, id, face)),
            Kind::Entity(_) | Kind::Group(_) => None,
        }
    };
    let Some(plane) = plane_of(id, face) else {
        return Selection::new();
    };
    let on_plane = |id: ObjectId, face: u32| {
        plane_of(id, face).is_some_and(|other| {
            other.normal.distance(plane.normal) <= SAME_NORMAL
                && (other.dist - plane.dist).abs() <= SAME_DISTANCE
        })
    };
    let mut candidates: Vec<(Pick, Vec<DVec3>)> = Vec::new();
    for (id, _) in doc.objects().filter(|(id, _)| allows(*id)) {
        for pick in faces_of(doc, id) {
            if let Pick::Face(id, face) = pick
                && on_plane(id, face)
            {
                candidates.push((pick, face_corners(doc, id, face)));
            }
        }
    }
    let mut found = Selection::from([Pick::Face(id, face)]);
    let mut next = vec![face_corners(doc, id, face)];
    while let Some(corners) = next.pop() {
        for (pick, other) in &candidates {
            if !found.contains(pick) && share_an_edge(&corners, other) {
                found.insert(*pick);
                next.push(other.clone());
            }
        }
    }
    found
}

/// True when edges of the two rings run along each other for longer than [`SHARED_EDGE`].
pub(crate) fn share_an_edge(a: &[DVec3], b: &[DVec3]) -> bool {
    let edges = |ring: &[DVec3]| -> Vec<(DVec3, DVec3)> {
        ring.iter()
            .copied()
            .zip(ring.iter().copied().cycle().skip(1))
            .collect()
    };
    let b = edges(b);
    edges(a).into_iter().any(|(from, to)| {
        let along = (to - from).normalize_or_zero();
        let length = (to - from).length();
        let off_line = |point: DVec3| (point - from - along * (point - from).dot(along)).length();
        b.iter().any(|&(start, end)| {
            if off_line(start) > SAME_DISTANCE || off_line(end) > SAME_DISTANCE {
                return false;
            }
            let (s, e) = ((start - from).dot(along), (end - from).dot(along));
            s.max(e).min(length) - s.min(e).max(0.0) > SHARED_EDGE
        })
    })
}

impl Editor {
    /// Nothing, objects or faces: the two exclude each other.
    #[must_use]
    pub fn selection_class(&self) -> SelectionClass {
        class_of(&self.history.state().selection)
    }

    /// What may be selected in the open group: visible, not locked, closed groups as one.
    fn selectable(&self) -> Selection {
        let scope = self.scope();
        let doc = scope.doc;
        let solid = |id: ObjectId| match &doc.object(id)?.kind {
            Kind::Brush(_) | Kind::Mesh(_) => Some(id),
            Kind::Entity(entity) => pick::is_point_entity(doc, id, entity).then_some(id),
            Kind::Group(_) => None,
        };
        doc.objects()
            .filter_map(|(id, _)| solid(id))
            .filter(|&id| scope.allows(id))
            .map(|id| Pick::Object(self.taken(id)))
            .collect()
    }

    pub(crate) fn select_all(&mut self) {
        let all = self.selectable();
        self.select(all);
    }

    pub(crate) fn select_none(&mut self) {
        self.select(Selection::new());
    }

    pub(crate) fn select_inverse(&mut self) {
        let now = self.selection().clone();
        let inverse = self.selectable().difference(&now).copied().collect();
        self.select(inverse);
    }

    /// Ctrl+B: all siblings under the same entity.
    pub(crate) fn select_siblings(&mut self) {
        let scope = self.scope();
        let allows = |id| scope.allows(id);
        let found: Selection = self
            .selection()
            .objects()
            .into_iter()
            .flat_map(|id| siblings(scope.doc, id, &allows))
            .collect();
        self.select(found);
    }

    pub(crate) fn faces_to_objects(&mut self) {
        let objects = self
            .selection()
            .iter()
            .map(|pick| Pick::Object(self.taken(pick.object())))
            .collect();
        self.select(objects);
    }

    pub(crate) fn objects_to_faces(&mut self) {
        let doc = self.doc();
        let faces = self
            .selection()
            .with_children(doc)
            .into_iter()
            .flat_map(|id| faces_of(doc, id))
            .collect();
        self.select(faces);
    }

    /// Ctrl+[ : the selection before.
    pub(crate) fn selection_back(&mut self) -> Result<(), EditError> {
        let Some(earlier) = self.selections.back.pop() else {
            return Err(EditError::refused("There is no earlier selection"));
        };
        self.selections
            .forward
            .push(self.history.committed().selection.clone());
        self.history.select(earlier);
        self.follow();
        Ok(())
    }

    /// Ctrl+] : the selection after.
    pub(crate) fn selection_forward(&mut self) -> Result<(), EditError> {
        let Some(later) = self.selections.forward.pop() else {
            return Err(EditError::refused("There is no later selection"));
        };
        self.selections
            .back
            .push(self.history.committed().selection.clone());
        self.history.select(later);
        self.follow();
        Ok(())
    }

    /// A tool was taken: what is picked of objects becomes what it has handles for, or goes.
    pub(crate) fn convert_components(&mut self) {
        let state = self.history.committed();
        let converted = match self.tool() {
            ToolKind::Vertex => ComponentKind::Vertex,
            ToolKind::Edge => ComponentKind::Edge,
            ToolKind::Face => ComponentKind::Face,
            _ => return self.settle_components(),
        };
        let selection = components::converted(&state.doc, &state.selection, converted);
        if selection != state.selection {
            self.select(selection);
        }
    }

    /// Vertices, edges and faces beside objects are for tools that know them: with any other in hand they are not picked.
    pub(crate) fn settle_components(&mut self) {
        let selection = &self.history.committed().selection;
        if !self.tool().knows_components() && components::has_components(selection) {
            let faces: Selection = selection
                .iter()
                .copied()
                .filter(|pick| matches!(pick, Pick::Face(..)))
                .collect();
            let kept = if self.tool() == ToolKind::Sweep && !faces.is_empty() {
                faces
            } else {
                components::objects_only(selection)
            };
            self.history.select(kept);
        }
    }

    /// Hides the selected objects; they are no longer selected.
    pub(crate) fn hide_selection(&mut self) {
        let ids = self.selected_or_face_objects();
        self.look.hidden.extend(ids);
        self.select_none();
    }

    /// Hides everything but the selected objects.
    pub(crate) fn isolate_selection(&mut self) {
        let doc = &self.history.committed().doc;
        let keep: BTreeSet<ObjectId> = self
            .selected_or_face_objects()
            .into_iter()
            .flat_map(|id| doc.subtree(id))
            .collect();
        let with_parents: BTreeSet<ObjectId> = keep
            .iter()
            .flat_map(|&id| doc.ancestors(id))
            .chain(keep.iter().copied())
            .collect();
        let hidden: Vec<ObjectId> = doc
            .objects()
            .map(|(id, _)| id)
            .filter(|id| !with_parents.contains(id))
            .collect();
        self.look.hidden.extend(hidden);
        self.hover = None;
    }

    pub(crate) fn show_all(&mut self) {
        self.look.hidden.clear();
    }

    pub(crate) fn lock_selection(&mut self) {
        let ids = self.selected_or_face_objects();
        self.look.locked.extend(ids);
        self.select_none();
    }

    pub(crate) fn unlock_all(&mut self) {
        self.look.locked.clear();
    }

    fn selected_or_face_objects(&self) -> Vec<ObjectId> {
        let ids: BTreeSet<ObjectId> = self.selection().iter().map(|pick| pick.object()).collect();
        ids.into_iter().collect()
    }

    /// Shows one object whatever hides it.
    pub(crate) fn reveal(&mut self, id: ObjectId) {
        let doc = &self.history.committed().doc;
        for id in std::iter::once(id).chain(doc.ancestors(id)) {
            self.look.hidden.remove(&id);
            let Some(object) = doc.object(id) else {
                continue;
            };
            for &layer in object.layer.iter().chain(object.visgroups.iter()) {
                let mut above = Some(layer);
                // No more steps than there are layers, whatever the file said.
                for _ in 0..=doc.layers().count() {
                    let Some(layer) = above else { break };
                    self.look.hidden_layers.remove(&layer);
                    above = doc.layer(layer).and_then(|layer| layer.parent);
                }
            }
        }
    }

    /// After undo and redo: what they changed is shown even if it was hidden.
    pub(crate) fn reveal_changes(&mut self, before: &Document) {
        if self.look.hidden.is_empty() && self.look.hidden_layers.is_empty() {
            return;
        }
        let changed = self.history.committed().doc.changes_since(before);
        let ids: Vec<ObjectId> = changed.map(|change| change.id()).collect();
        for id in ids {
            self.reveal(id);
        }
    }

    /// Opens a group for editing, or closes the open one (back to the one around it).
    pub fn open_group(&mut self, group: Option<ObjectId>) {
        match group {
            Some(_) => {
                self.open_group = group;
                self.select(Selection::new());
            }
            None => {
                let Some(left) = self.open_group else { return };
                let doc = &self.history.committed().doc;
                self.open_group = doc.ancestors(left).find(|&id| {
                    doc.object(id)
                        .is_some_and(|object| object.group().is_some())
                });
                self.select(Selection::from([Pick::Object(left)]));
            }
        }
        self.hover = None;
    }

    pub(crate) fn group_selection(&mut self) -> Result<(), EditError> {
        let ids = edits::roots(self.doc(), self.selection());
        self.commit(&ops::groups::group(ids, "Group"))?;
        if let Some(&Pick::Object(group)) = self.selection().iter().next() {
            self.request(crate::editor::Request::NameGroup {
                group,
                now: "Group".to_owned(),
            });
        }
        Ok(())
    }

    /// The name asked for after grouping, or by renaming.
    ///
    /// # Errors
    /// What the edit refuses.
    pub fn rename_group(&mut self, group: ObjectId, name: &str) -> Result<(), EditError> {
        self.commit(&ops::groups::rename(group, name))
    }

    /// The group a rename command means.
    pub(crate) fn selected_group(&self) -> Option<(ObjectId, String)> {
        let doc = self.doc();
        self.selection()
            .objects()
            .into_iter()
            .find_map(|id| Some((id, doc.object(id)?.group()?.name.clone())))
    }

    /// ENT-2: a new entity of this class owns the selected brushes.
    ///
    /// # Errors
    /// When no brush is selected.
    pub fn tie_to_entity(&mut self, class: &str) -> Result<(), EditError> {
        self.commit(&ops::entities::tie(self.selection().objects(), class))
    }

    /// ENT-2: an entity that is there takes the selected brushes.
    ///
    /// # Errors
    /// When no brush is selected.
    pub fn join_entity(&mut self, entity: ObjectId) -> Result<(), EditError> {
        self.commit(&ops::entities::move_to_entity(
            self.selection().objects(),
            entity,
        ))
    }

    /// LAY-1: moves the selection to a layer (`None` = the default one).
    ///
    /// # Errors
    /// What the edit refuses.
    pub fn move_to_layer(
        &mut self,
        layer: Option<crate::document::LayerId>,
    ) -> Result<(), EditError> {
        self.commit(&ops::layers::move_to_layer(
            self.selection().objects(),
            layer,
        ))
    }

    /// TEX-2: a click in the material browser. It becomes the current material, and goes onto the selection if there is one.
    ///
    /// # Errors
    /// What the edit refuses.
    pub fn apply_material(&mut self, material: Material) -> Result<(), EditError> {
        self.current_material = Some(material.clone());
        if self.selection().is_empty() {
            self.say(
                StatusKind::Info,
                format!("{} is now the current material", material.name),
            );
            return Ok(());
        }
        self.commit(&edits::apply_material(material))
    }
}
