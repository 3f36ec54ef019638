//! Putting entities and materials where the user points: keys, drags out of a browser (ENT-1, TEX-2).

use glam::DVec2;
use glam::DVec3;

use crate::document::Edit;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::editor::Editor;
use crate::editor::edits;
use crate::editor::selecting;
use crate::geometry::Aabb;

/// What a material dragged from the browser lands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropScope {
    Face,
    /// `Ctrl`: the whole object.
    Object,
    /// `Shift`: every face of the map with the material that is under the pointer.
    SameMaterial,
}

impl Editor {
    /// Where an entity of the class in hand dropped at a point of a pane would go, and the box that stands for it there.
    #[must_use]
    pub fn entity_place(&self, pane: usize, at: DVec2) -> (DVec3, Aabb) {
        self.class_place(self.entity_class(), pane, at)
    }

    /// As [`Editor::entity_place`] for any class.
    #[must_use]
    pub fn class_place(&self, class: &str, pane: usize, at: DVec2) -> (DVec3, Aabb) {
        let shape = self.definitions.class_box(class);
        let place = edits::resting_place(
            &self.views[pane],
            &self.grid,
            at,
            self.pick(pane, at).as_ref(),
            shape,
        );
        (place, Aabb::new(place + shape.min, place + shape.max))
    }

    /// ENT-1: a class dropped into a view.
    ///
    /// # Errors
    /// What the edit refuses.
    pub fn place_entity(&mut self, class: &str, pane: usize, at: DVec2) -> Result<(), EditError> {
        let (place, _) = self.class_place(class, pane, at);
        self.commit(&edits::create_entity(class, place, self.home()))
    }

    /// ENT-1: by a key, under the pointer; in the middle of the view when the pointer is elsewhere.
    pub(crate) fn create_entity_here(&mut self, class: &str) -> Result<(), EditError> {
        let pane = self.active_pane();
        let (pane, at) = self
            .pointer_at()
            .unwrap_or((pane, self.views[pane].size * 0.5));
        self.place_entity(class, pane, at)
    }

    /// TEX-2: a material dropped into a view.
    ///
    /// # Errors
    /// When there is no face at that point.
    pub fn drop_material(
        &mut self,
        material: Material,
        pane: usize,
        at: DVec2,
        scope: DropScope,
    ) -> Result<(), EditError> {
        let edit = self.drop_edit(material.clone(), pane, at, scope)?;
        self.current_material = Some(material);
        self.commit(&edit)
    }

    /// The edit behind [`Editor::drop_material`], for the preview while it is carried.
    ///
    /// # Errors
    /// When there is no face at that point.
    pub fn drop_edit(
        &self,
        material: Material,
        pane: usize,
        at: DVec2,
        scope: DropScope,
    ) -> Result<Edit, EditError> {
        let hit = self
            .pick(pane, at)
            .and_then(|hit| Some((hit.object, hit.face?)));
        let (object, face) = hit.ok_or_else(|| EditError::refused("There is no face here"))?;
        Ok(match scope {
            DropScope::Face => {
                edits::apply_material_to(material, Selection::from([Pick::Face(object, face)]))
            }
            DropScope::Object => {
                edits::apply_material_to(material, selecting::faces_of(self.doc(), object))
            }
            DropScope::SameMaterial => {
                // What is hidden or locked is out of reach.
                let doc = self.doc();
                let within_reach = doc
                    .objects()
                    .map(|(id, _)| id)
                    .filter(|&id| !self.look.is_hidden(doc, id) && !self.look.is_locked(doc, id))
                    .map(Pick::Object)
                    .collect();
                edits::apply_material_like(material, object, face, within_reach)
            }
        })
    }

    /// Every face that shows a material and can be selected now; none that is hidden or locked.
    #[must_use]
    pub fn faces_showing(&self, material: MaterialId) -> Selection {
        let doc = self.doc();
        let mut picks = Selection::default();
        for (id, object) in doc.objects() {
            let shows = |face: &Option<MaterialId>| *face == Some(material);
            let faces: Vec<u32> = match &object.kind {
                Kind::Brush(brush) => (0..)
                    .zip(brush.faces())
                    .filter(|(_, face)| shows(&face.material))
                    .map(|(index, _)| index)
                    .collect(),
                Kind::Mesh(mesh) => (0..)
                    .zip(&mesh.polygons)
                    .filter(|(_, polygon)| shows(&polygon.material))
                    .map(|(index, _)| index)
                    .collect(),
                _ => continue,
            };
            if !faces.is_empty() && !self.look.is_hidden(doc, id) && !self.look.is_locked(doc, id) {
                picks.extend(faces.into_iter().map(|face| Pick::Face(id, face)));
            }
        }
        picks
    }

    /// Selected objects that no other selected object holds.
    #[must_use]
    pub fn selection_ids(&self) -> Vec<ObjectId> {
        edits::roots(self.doc(), self.selection())
    }
}
