//! What is picked: whole objects, or faces, edges and vertices of them.

use std::collections::BTreeSet;

use crate::document::Document;
use crate::document::Kind;
use crate::document::ObjectId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pick {
    Object(ObjectId),
    /// Index into the brush's faces or the mesh's polygons.
    Face(ObjectId, u32),
    Edge(ObjectId, u32),
    Vertex(ObjectId, u32),
}

impl Pick {
    #[must_use]
    pub const fn object(self) -> ObjectId {
        match self {
            Self::Object(id) | Self::Face(id, _) | Self::Edge(id, _) | Self::Vertex(id, _) => id,
        }
    }

    /// The number of the face, edge or vertex.
    #[must_use]
    pub const fn index(self) -> Option<u32> {
        match self {
            Self::Object(_) => None,
            Self::Face(_, index) | Self::Edge(_, index) | Self::Vertex(_, index) => Some(index),
        }
    }
}

pub type Selection = BTreeSet<Pick>;

/// Questions often asked of a selection.
pub trait SelectionExt {
    /// Whole objects, by id.
    fn objects(&self) -> Vec<ObjectId>;
    /// Faces, by (object, face).
    fn faces(&self) -> Vec<(ObjectId, u32)>;
    /// Whole objects with everything below them, each once, by id.
    fn with_children(&self, doc: &Document) -> Vec<ObjectId>;
    /// Takes out what names a dead object or a face that is not there.
    fn prune(&mut self, doc: &Document);
}

impl SelectionExt for Selection {
    fn objects(&self) -> Vec<ObjectId> {
        self.iter()
            .filter_map(|pick| {
                if let Pick::Object(id) = pick {
                    Some(*id)
                } else {
                    None
                }
            })
            .collect()
    }

    fn faces(&self) -> Vec<(ObjectId, u32)> {
        self.iter()
            .filter_map(|pick| {
                if let Pick::Face(id, face) = pick {
                    Some((*id, *face))
                } else {
                    None
                }
            })
            .collect()
    }

    fn with_children(&self, doc: &Document) -> Vec<ObjectId> {
        let mut list: BTreeSet<ObjectId> = BTreeSet::new();
        for id in self.objects() {
            if !list.contains(&id) {
                list.extend(doc.subtree(id));
            }
        }
        list.into_iter().collect()
    }

    fn prune(&mut self, doc: &Document) {
        self.retain(|pick| {
            let Some(object) = doc.object(pick.object()) else {
                return false;
            };
            let (faces, points) = match &object.kind {
                Kind::Brush(brush) => (brush.faces().len(), brush.hull().points().len()),
                Kind::Mesh(mesh) => (mesh.polygons.len(), mesh.points.len()),
                Kind::Entity(_) | Kind::Group(_) => (0, 0),
            };
            match pick {
                Pick::Object(_) => true,
                Pick::Face(_, face) => (*face as usize) < faces,
                Pick::Vertex(_, vertex) => (*vertex as usize) < points,
                Pick::Edge(..) => faces > 0,
            }
        });
    }
}
