//! What vertex tools see of an object: its points, edges and faces, and how picks name them.

use std::collections::BTreeSet;

use glam::DVec3;

use crate::document::Document;
use crate::document::Kind;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SelectionExt as _;

/// Positions nearer than this are one vertex (VTX-1, VTX-3).
pub const SAME_VERTEX: f64 = 0.01;

/// After a commit a corner is found again within this, however its planes were rounded.
const FOUND_WITHIN: f64 = 0.05;

/// Points, edges and faces of a brush or mesh, numbered as [`Pick`] numbers them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    pub points: Vec<DVec3>,
    /// Point indices, lower first, sorted.
    pub edges: Vec<[u32; 2]>,
    /// A loop of point indices per face; empty where there is none.
    pub faces: Vec<Vec<u32>>,
}

/// The three kinds of handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ComponentKind {
    Vertex,
    Edge,
    Face,
}

impl ComponentKind {
    #[must_use]
    pub fn of(pick: Pick) -> Option<Self> {
        match pick {
            Pick::Object(_) => None,
            Pick::Vertex(..) => Some(Self::Vertex),
            Pick::Edge(..) => Some(Self::Edge),
            Pick::Face(..) => Some(Self::Face),
        }
    }

    #[must_use]
    pub fn pick(self, id: ObjectId, index: u32) -> Pick {
        match self {
            Self::Vertex => Pick::Vertex(id, index),
            Self::Edge => Pick::Edge(id, index),
            Self::Face => Pick::Face(id, index),
        }
    }
}

impl Shape {
    /// `None` for what has no vertices, and for broken brushes.
    #[must_use]
    pub fn of(kind: &Kind) -> Option<Self> {
        let (points, faces) = match kind {
            Kind::Brush(brush) if brush.fault().is_none() => (
                brush.hull().points().to_vec(),
                brush.hull().loops().to_vec(),
            ),
            Kind::Mesh(mesh) => {
                let faces = mesh
                    .polygons
                    .iter()
                    .map(|polygon| {
                        if mesh.is_sound(polygon) {
                            polygon.corners.clone()
                        } else {
                            Vec::new()
                        }
                    })
                    .collect();
                (mesh.points.clone(), faces)
            }
            _ => return None,
        };
        Some(Self {
            edges: edges_of(&faces),
            points,
            faces,
        })
    }

    #[must_use]
    pub fn of_object(doc: &Document, id: ObjectId) -> Option<Self> {
        Self::of(&doc.object(id)?.kind)
    }

    /// Vertices that belong to a face.
    #[must_use]
    pub fn used(&self) -> Vec<u32> {
        let used: BTreeSet<u32> = self.faces.iter().flatten().copied().collect();
        used.into_iter().collect()
    }

    /// How many components of a kind there are.
    #[must_use]
    pub fn count(&self, kind: ComponentKind) -> usize {
        match kind {
            ComponentKind::Vertex => self.points.len(),
            ComponentKind::Edge => self.edges.len(),
            ComponentKind::Face => self.faces.len(),
        }
    }

    /// Point indices of a component; nothing for one that does not exist.
    #[must_use]
    pub fn vertices(&self, kind: ComponentKind, index: u32) -> Vec<u32> {
        match kind {
            ComponentKind::Vertex if (index as usize) < self.points.len() => vec![index],
            ComponentKind::Vertex => Vec::new(),
            ComponentKind::Edge => self
                .edges
                .get(index as usize)
                .map_or_else(Vec::new, |ends| ends.to_vec()),
            ComponentKind::Face => self.faces.get(index as usize).cloned().unwrap_or_default(),
        }
    }

    /// Positions of a component's vertices.
    #[must_use]
    pub fn positions(&self, kind: ComponentKind, index: u32) -> Vec<DVec3> {
        self.vertices(kind, index)
            .into_iter()
            .map(|vertex| self.points[vertex as usize])
            .collect()
    }

    #[must_use]
    pub fn edge_between(&self, a: u32, b: u32) -> Option<u32> {
        self.edges
            .binary_search(&[a.min(b), a.max(b)])
            .ok()
            .map(|index| index as u32)
    }

    /// The components whose vertices are at these positions; of a face that was split, all its parts.
    #[must_use]
    pub fn found_at(&self, kind: ComponentKind, positions: &[DVec3]) -> Vec<u32> {
        let there: BTreeSet<u32> = positions
            .iter()
            .filter_map(|&position| self.nearest(position))
            .collect();
        match kind {
            ComponentKind::Vertex => there.into_iter().collect(),
            ComponentKind::Edge => {
                let ends: Vec<u32> = there.into_iter().collect();
                match ends[..] {
                    [a, b] => self.edge_between(a, b).into_iter().collect(),
                    _ => Vec::new(),
                }
            }
            ComponentKind::Face => (0..self.faces.len() as u32)
                .filter(|&face| {
                    let corners = &self.faces[face as usize];
                    !corners.is_empty() && corners.iter().all(|corner| there.contains(corner))
                })
                .collect(),
        }
    }

    fn nearest(&self, position: DVec3) -> Option<u32> {
        (0..self.points.len() as u32)
            .map(|index| (index, self.points[index as usize].distance(position)))
            .filter(|(_, distance)| *distance <= FOUND_WITHIN)
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(index, _)| index)
    }

    /// Faces around a vertex.
    pub fn faces_at(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        (0..self.faces.len() as u32)
            .filter(move |&face| self.faces[face as usize].contains(&vertex))
    }

    /// Faces on both sides of an edge.
    pub fn faces_beside(&self, ends: [u32; 2]) -> impl Iterator<Item = u32> + '_ {
        (0..self.faces.len() as u32).filter(move |&face| {
            let corners = &self.faces[face as usize];
            (0..corners.len()).any(|i| {
                let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
                [a.min(b), a.max(b)] == ends
            })
        })
    }
}

/// Every edge of the loops once, lower index first, sorted: as [`crate::geometry::Hull::edges`].
fn edges_of(faces: &[Vec<u32>]) -> Vec<[u32; 2]> {
    let mut edges: Vec<[u32; 2]> = faces
        .iter()
        .flat_map(|corners| {
            (0..corners.len()).map(|i| {
                let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
                [a.min(b), a.max(b)]
            })
        })
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// True when the selection holds vertices or edges, or faces beside whole objects: picks of the component tools.
#[must_use]
pub fn has_components(selection: &Selection) -> bool {
    let mut objects = false;
    for pick in selection {
        match pick {
            Pick::Object(_) => objects = true,
            Pick::Face(..) if !objects => {}
            _ => return true,
        }
    }
    false
}

/// Picks of one kind, by (object, index).
#[must_use]
pub fn of_kind(selection: &Selection, kind: ComponentKind) -> Vec<(ObjectId, u32)> {
    selection
        .iter()
        .filter_map(|&pick| match (pick, kind) {
            (Pick::Vertex(id, index), ComponentKind::Vertex)
            | (Pick::Edge(id, index), ComponentKind::Edge)
            | (Pick::Face(id, index), ComponentKind::Face) => Some((id, index)),
            _ => None,
        })
        .collect()
}

/// Brushes and meshes that get handles: selected, inside of what is selected, or with something of them picked; by id.
#[must_use]
pub fn shaped_objects(doc: &Document, selection: &Selection) -> Vec<ObjectId> {
    let mut ids: BTreeSet<ObjectId> = selection.with_children(doc).into_iter().collect();
    ids.extend(
        selection
            .iter()
            .filter(|pick| ComponentKind::of(**pick).is_some())
            .map(|pick| pick.object()),
    );
    ids.retain(|&id| {
        doc.object(id)
            .is_some_and(|object| object.brush().is_some() || object.mesh().is_some())
    });
    ids.into_iter().collect()
}

/// Positions of the vertices of everything picked.
#[must_use]
pub fn picked_positions(doc: &Document, selection: &Selection) -> Vec<DVec3> {
    let mut found = Vec::new();
    let mut known: Option<(ObjectId, Option<Shape>)> = None;
    let kinds = [
        ComponentKind::Vertex,
        ComponentKind::Edge,
        ComponentKind::Face,
    ];
    for kind in kinds {
        for (id, index) in of_kind(selection, kind) {
            if known.as_ref().is_none_or(|(last, _)| *last != id) {
                known = Some((id, Shape::of_object(doc, id)));
            }
            if let Some((_, Some(shape))) = &known {
                found.extend(shape.positions(kind, index));
            }
        }
    }
    found
}

/// The selection without vertices, edges and faces; what they belong to is selected instead when nothing else is.
#[must_use]
pub fn objects_only(selection: &Selection) -> Selection {
    let whole: Selection = selection
        .iter()
        .copied()
        .filter(|pick| matches!(pick, Pick::Object(_)))
        .collect();
    if !whole.is_empty() {
        return whole;
    }
    selection
        .iter()
        .map(|pick| Pick::Object(pick.object()))
        .collect()
}

/// The selection for a tool of this kind: picks of other kinds become those of its kind that they make up. Edges and faces
/// give their vertices; vertices give the edges and faces all of whose vertices are picked.
#[must_use]
pub fn converted(doc: &Document, selection: &Selection, kind: ComponentKind) -> Selection {
    let mut result = objects_only(selection);
    let whole: BTreeSet<ObjectId> = result.with_children(doc).into_iter().collect();
    for id in shaped_objects(doc, selection) {
        let Some(shape) = Shape::of_object(doc, id) else {
            continue;
        };
        let mut picked: BTreeSet<u32> = BTreeSet::new();
        for &pick in selection {
            let Some(from) = ComponentKind::of(pick).filter(|_| pick.object() == id) else {
                continue;
            };
            let index = match pick {
                Pick::Vertex(_, index) | Pick::Edge(_, index) | Pick::Face(_, index) => index,
                Pick::Object(_) => continue,
            };
            if from == kind {
                result.insert(pick);
            }
            picked.extend(shape.vertices(from, index));
        }
        for index in 0..shape.count(kind) as u32 {
            let vertices = shape.vertices(kind, index);
            if !vertices.is_empty() && vertices.iter().all(|vertex| picked.contains(vertex)) {
                result.insert(kind.pick(id, index));
            }
        }
        if !whole.contains(&id) && !picked.is_empty() {
            result.insert(Pick::Object(id));
        }
    }
    result
}
