//! Ways of looking at a map. Saved with it, but no part of it: no undo step, no star in the title.

use std::collections::BTreeSet;

use glam::Vec3;

use crate::document::Document;
use crate::document::LayerId;
use crate::document::ObjectId;
use crate::geometry::Aabb;

#[derive(Clone, Debug, PartialEq)]
pub struct ViewState {
    pub hidden: BTreeSet<ObjectId>,
    pub locked: BTreeSet<ObjectId>,
    pub hidden_layers: BTreeSet<LayerId>,
    pub locked_layers: BTreeSet<LayerId>,
    pub current_layer: Option<LayerId>,
    /// Map units, > 0.
    pub grid: f32,
    /// Imported and user cameras first, then the editor's viewports, named `~1`, `~2` ... in pane order.
    pub cameras: Vec<Camera>,
    pub active_camera: Option<u32>,
    /// Where an importer saw that players can be: what fills the views of a map that comes without any. Not saved.
    pub focus: Option<Aabb>,
}

impl Default for ViewState {
    fn default() -> Self {
        Self {
            hidden: BTreeSet::new(),
            locked: BTreeSet::new(),
            hidden_layers: BTreeSet::new(),
            locked_layers: BTreeSet::new(),
            current_layer: None,
            grid: 16.0,
            cameras: Vec::new(),
            active_camera: None,
            focus: None,
        }
    }
}

impl ViewState {
    /// True when the object, a container above it, its layer or one of its visgroups (or their parents) is hidden.
    #[must_use]
    pub fn is_hidden(&self, doc: &Document, id: ObjectId) -> bool {
        holds(doc, id, &self.hidden, &self.hidden_layers)
    }

    /// The same for locking.
    #[must_use]
    pub fn is_locked(&self, doc: &Document, id: ObjectId) -> bool {
        holds(doc, id, &self.locked, &self.locked_layers)
    }

    /// Forgets ids that died.
    pub fn prune(&mut self, doc: &Document) {
        self.hidden.retain(|&id| doc.object(id).is_some());
        self.locked.retain(|&id| doc.object(id).is_some());
        self.hidden_layers.retain(|&id| doc.layer(id).is_some());
        self.locked_layers.retain(|&id| doc.layer(id).is_some());
        self.current_layer = self.current_layer.filter(|&id| doc.layer(id).is_some());
    }
}

fn holds(
    doc: &Document,
    id: ObjectId,
    objects: &BTreeSet<ObjectId>,
    layers: &BTreeSet<LayerId>,
) -> bool {
    if objects.is_empty() && layers.is_empty() {
        return false;
    }
    let layer_holds = |mut layer: Option<LayerId>| {
        // Cycles cannot be stored, but a bound costs nothing.
        for _ in 0..1024 {
            let Some(id) = layer else { return false };
            if layers.contains(&id) {
                return true;
            }
            layer = doc.layer(id).and_then(|layer| layer.parent);
        }
        false
    };
    let mut next = Some(id);
    while let Some(id) = next {
        if objects.contains(&id) {
            return true;
        }
        let Some(object) = doc.object(id) else {
            return false;
        };
        if !layers.is_empty()
            && (layer_holds(object.layer)
                || object
                    .visgroups
                    .iter()
                    .any(|&group| layer_holds(Some(group))))
        {
            return true;
        }
        next = object.parent;
    }
    false
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameraKind {
    Perspective,
    Top,
    Front,
    Side,
}

/// A saved view (`VIEW`, `hmap.md` 6.3).
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    pub name: String,
    pub kind: CameraKind,
    /// Viewports: bits 0-3 render mode; others kept.
    pub flags: u32,
    pub eye: Vec3,
    /// (pitch, yaw, roll).
    pub angles_deg: Vec3,
    pub fov_y_deg: f32,
    /// Height of the visible part in units; 0 for perspective cameras.
    pub ortho_height: f32,
}
