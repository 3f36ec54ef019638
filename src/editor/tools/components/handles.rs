//! The handles of the selected brushes and meshes: where they are, which one is under the pointer, what is picked (VTX-1).

use std::collections::BTreeSet;
use std::collections::HashMap;

use glam::DVec2;
use glam::DVec3;

use crate::document::Document;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::ops::components::ComponentKind;
use crate::document::ops::components::SAME_VERTEX;
use crate::document::ops::components::Shape;
use crate::document::ops::components::shaped_objects;
use crate::editor::tools::grips;
use crate::editor::view::View;

/// Coincident components are one handle.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Handle {
    pub at: DVec3,
    pub picks: Vec<Pick>,
}

impl Handle {
    pub fn is_picked(&self, selection: &Selection) -> bool {
        self.picks.iter().all(|pick| selection.contains(pick))
    }
}

/// All handles of a selection, with the shapes they belong to.
#[derive(Clone, Debug, Default)]
pub(super) struct Handles {
    pub list: Vec<Handle>,
    pub shapes: Vec<(ObjectId, Shape)>,
}

impl Handles {
    pub fn of(doc: &Document, selection: &Selection, kind: ComponentKind) -> Self {
        let shapes: Vec<(ObjectId, Shape)> = shaped_objects(doc, selection)
            .into_iter()
            .filter_map(|id| Some((id, Shape::of_object(doc, id)?)))
            .collect();
        let mut list: Vec<Handle> = Vec::new();
        let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
        for (id, shape) in &shapes {
            let used = (kind == ComponentKind::Vertex).then(|| shape.used());
            for index in 0..shape.count(kind) as u32 {
                let vertices = shape.positions(kind, index);
                let unused = used
                    .as_ref()
                    .is_some_and(|used| used.binary_search(&index).is_err());
                if vertices.is_empty() || unused {
                    continue;
                }
                let at = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
                let pick = kind.pick(*id, index);
                match coincident(&list, &cells, at) {
                    Some(known) => list[known].picks.push(pick),
                    None => {
                        cells.entry(cell(at)).or_default().push(list.len());
                        list.push(Handle {
                            at,
                            picks: vec![pick],
                        });
                    }
                }
            }
        }
        Self { list, shapes }
    }

    pub fn shape(&self, id: ObjectId) -> Option<&Shape> {
        let place = self.shapes.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.shapes[place].1)
    }

    /// The handle under the pointer: nearest on screen, of near equals the one in front. In a 2D view also those that lie
    /// behind it, since they cannot be told apart there.
    pub fn under(&self, view: &View, at: DVec2) -> Option<Handle> {
        let found = &self.list[grips::under(view, self.list.iter().map(|handle| handle.at), at)?];
        let mut result = Handle::clone(found);
        if view.is_2d() {
            let forward = view.forward();
            for other in &self.list {
                let apart = other.at - found.at;
                if other != found && (apart - forward * apart.dot(forward)).length() <= SAME_VERTEX
                {
                    result.picks.extend(&other.picks);
                }
            }
        }
        Some(result)
    }

    /// Picks of all handles in a rectangle of the screen.
    pub fn inside(&self, view: &View, a: DVec2, b: DVec2) -> Selection {
        let (min, max) = (a.min(b), a.max(b));
        self.list
            .iter()
            .filter(|handle| {
                view.project(handle.at)
                    .is_some_and(|(place, _)| place.cmpge(min).all() && place.cmple(max).all())
            })
            .flat_map(|handle| handle.picks.iter().copied())
            .collect()
    }

    /// All components of the connected faces in one plane with a picked one: the plane of its face that looks at the viewer
    /// most (VTX-1, double click).
    pub fn coplanar(&self, view: &View, kind: ComponentKind, handle: &Handle) -> Selection {
        let mut found = Selection::new();
        let Some(&first) = handle.picks.first() else {
            return found;
        };
        let Some((shape, index)) = self.shape(first.object()).zip(first.index()) else {
            return found;
        };
        let vertices = shape.vertices(kind, index);
        let towards = if view.is_2d() {
            -view.forward()
        } else {
            (view.eye - handle.at).normalize_or_zero()
        };
        let normal = |shape: &Shape, face: u32| {
            let corners = shape.positions(ComponentKind::Face, face);
            crate::geometry::polygon::plane(&corners)
        };
        let facing = (0..shape.faces.len() as u32)
            .filter(|&face| {
                let corners = &shape.faces[face as usize];
                !corners.is_empty() && vertices.iter().all(|vertex| corners.contains(vertex))
            })
            .filter_map(|face| Some((face, normal(shape, face)?)))
            .max_by(|a, b| {
                let looks = |plane: &crate::geometry::Plane| plane.normal.dot(towards);
                looks(&a.1).total_cmp(&looks(&b.1))
            });
        let Some((face, plane)) = facing else {
            return found;
        };
        let mut waiting = vec![(first.object(), face)];
        let mut seen: BTreeSet<(ObjectId, u32)> = waiting.iter().copied().collect();
        while let Some((id, face)) = waiting.pop() {
            let Some(shape) = self.shape(id) else {
                continue;
            };
            let corners = shape.positions(ComponentKind::Face, face);
            let members = &shape.faces[face as usize];
            for index in 0..shape.count(kind) as u32 {
                let own = shape.vertices(kind, index);
                let inside = !own.is_empty() && own.iter().all(|v| members.contains(v));
                if inside && (kind != ComponentKind::Face || index == face) {
                    found.insert(kind.pick(id, index));
                }
            }
            for (other, shape) in &self.shapes {
                for next in 0..shape.faces.len() as u32 {
                    if seen.contains(&(*other, next)) {
                        continue;
                    }
                    let ring = shape.positions(ComponentKind::Face, next);
                    let same = normal(shape, next).is_some_and(|other| {
                        other.normal.distance(plane.normal) <= 1e-3
                            && (other.dist - plane.dist).abs() <= SAME_VERTEX
                    });
                    if same && crate::editor::selecting::share_an_edge(&corners, &ring) {
                        seen.insert((*other, next));
                        waiting.push((*other, next));
                    }
                }
            }
        }
        // What lies in one place is one handle.
        let whole = self
            .list
            .iter()
            .filter(|handle| handle.picks.iter().any(|pick| found.contains(pick)));
        whole
            .flat_map(|handle| handle.picks.iter().copied())
            .collect()
    }
}

fn cell(at: DVec3) -> [i64; 3] {
    (at / (2.0 * SAME_VERTEX))
        .floor()
        .to_array()
        .map(|value| value as i64)
}

fn coincident(list: &[Handle], cells: &HashMap<[i64; 3], Vec<usize>>, at: DVec3) -> Option<usize> {
    let [x, y, z] = cell(at);
    for dx in -1..=1 {
        for dy in -1..=1 {
            for dz in -1..=1 {
                let Some(near) = cells.get(&[x + dx, y + dy, z + dz]) else {
                    continue;
                };
                let found = near
                    .iter()
                    .copied()
                    .find(|&index| list[index].at.distance(at) <= SAME_VERTEX);
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}

/// Edges that go on from one through vertices where four meet, on both sides (MSH-1).
pub(super) fn edge_loop(shape: &Shape, start: u32) -> Vec<u32> {
    let mut found = vec![start];
    for side in 0..2 {
        let Some(&ends) = shape.edges.get(start as usize) else {
            return found;
        };
        let (mut edge, mut tip) = (start, ends[side]);
        while let Some(next) = onwards(shape, edge, tip) {
            if found.contains(&next) {
                break;
            }
            found.push(next);
            let [a, b] = shape.edges[next as usize];
            tip = if a == tip { b } else { a };
            edge = next;
        }
    }
    found
}

/// Of four edges at a vertex the one that shares no face with this one.
fn onwards(shape: &Shape, edge: u32, tip: u32) -> Option<u32> {
    let around: Vec<u32> = (0..shape.edges.len() as u32)
        .filter(|&other| shape.edges[other as usize].contains(&tip))
        .collect();
    if around.len() != 4 {
        return None;
    }
    let beside: BTreeSet<u32> = shape.faces_beside(shape.edges[edge as usize]).collect();
    around.into_iter().find(|&other| {
        other != edge
            && shape
                .faces_beside(shape.edges[other as usize])
                .all(|face| !beside.contains(&face))
    })
}
