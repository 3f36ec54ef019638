//! The selection: whole sets, siblings, faces, its own history, the Esc ladder's lower half (SEL-6, SEL-7, 0.5).

mod faces;
mod hiding;
mod log;
mod owners;

pub(crate) use self::faces::coplanar_patch;
pub(crate) use self::faces::face_corners;
pub(crate) use self::faces::face_material;
pub(crate) use self::faces::face_material_id;
pub(crate) use self::faces::faces_of;
pub(crate) use self::faces::share_an_edge;
pub(crate) use self::log::SelectionLog;

use crate::assets::Definitions;
use crate::document::Document;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::Material;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::State;
use crate::document::ViewState;
use crate::document::ops::components;
use crate::editor::Editor;
use crate::editor::commands::SelectionClass;
use crate::editor::edits;
use crate::editor::pick;
use crate::editor::request::StatusKind;
use crate::geometry::Aabb;

/// True when an object is neither hidden nor locked, and in the open group if there is one.
#[must_use]
pub(crate) fn is_in_reach(
    doc: &Document,
    look: &ViewState,
    open_group: Option<ObjectId>,
    id: ObjectId,
) -> bool {
    let holds = |group| doc.ancestors(id).any(|ancestor| ancestor == group);
    open_group.is_none_or(holds) && !look.is_hidden(doc, id) && !look.is_locked(doc, id)
}

/// True when the object or a container above it is selected.
#[must_use]
pub(crate) fn is_in_selection(doc: &Document, selection: &Selection, id: ObjectId) -> bool {
    std::iter::once(id)
        .chain(doc.ancestors(id))
        .any(|id| selection.contains(&Pick::Object(id)))
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
        let (doc, now) = (self.doc(), self.selection());
        let inverse = self
            .selectable()
            .into_iter()
            .filter(|pick| !is_in_selection(doc, now, pick.object()))
            .collect();
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
