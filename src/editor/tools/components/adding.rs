//! What `Shift`+drag pulls out: a new vertex of an edge or face, or edges and faces of a mesh (VTX-4, MSH-1).

use glam::DVec2;
use glam::DVec3;

use crate::document::Document;
use crate::document::ObjectId;
use crate::document::Selection;
use crate::document::ops::components;
use crate::document::ops::components::ComponentKind;
use crate::document::ops::components::Reshape;
use crate::document::ops::components::Shape;
use crate::document::ops::components::Stop;
use crate::document::ops::components::of_kind;
use crate::editor::snapping;
use crate::editor::tools::ToolCx;
use crate::editor::tools::components::handles::Handles;
use crate::geometry::polygon;

/// Edges are grabbed this near to the pointer, in points.
const REACH: f64 = 8.0;

#[derive(Clone, Debug, PartialEq)]
enum What {
    Vertex { on: Vec<u32> },
    Faces(Vec<u32>),
    Edges(Vec<u32>),
}

/// Something about to be pulled out of an object.
#[derive(Clone, Debug)]
pub(super) struct Adding {
    id: ObjectId,
    what: What,
    pub start: DVec3,
    /// Along which the pointer pulls: the normal of a face.
    normal: Option<DVec3>,
}

impl Adding {
    /// What is under the pointer; `None` beside all edges and faces of the selection.
    pub fn new(
        cx: &ToolCx<'_>,
        at: DVec2,
        handles: &Handles,
        kind: ComponentKind,
        selection: &Selection,
    ) -> Option<Self> {
        let edge = nearest_edge(cx, at, handles);
        let is_mesh = |id: ObjectId| {
            cx.doc()
                .object(id)
                .is_some_and(|object| object.mesh().is_some())
        };
        if let Some((id, edge, point)) = edge
            && kind != ComponentKind::Face
        {
            let shape = handles.shape(id)?;
            let what = if kind == ComponentKind::Edge && is_mesh(id) {
                What::Edges(with_picked(selection, kind, id, edge))
            } else {
                What::Vertex {
                    on: shape.faces_beside(shape.edges[edge as usize]).collect(),
                }
            };
            return Some(Self {
                id,
                start: match what {
                    What::Vertex { .. } => on_edge(cx, shape, edge, point),
                    _ => point,
                },
                what,
                normal: None,
            });
        }
        let hit = (cx.pick)(at)?;
        let face = hit.face?;
        let shape = handles.shape(hit.object)?;
        let corners = shape.positions(ComponentKind::Face, face);
        let normal = polygon::normal(&corners)?;
        if kind == ComponentKind::Face && is_mesh(hit.object) {
            return Some(Self {
                id: hit.object,
                what: What::Faces(with_picked(selection, kind, hit.object, face)),
                start: hit.point,
                normal: Some(normal),
            });
        }
        let snapped = snapping::on_face(&cx.grid, hit.point, normal);
        Some(Self {
            id: hit.object,
            what: What::Vertex { on: vec![face] },
            start: if is_inside(&corners, normal, snapped) {
                snapped
            } else {
                hit.point
            },
            normal: Some(normal),
        })
    }

    pub fn label(&self) -> &'static str {
        match self.what {
            What::Vertex { .. } => "Add vertex",
            What::Faces(_) => "Extrude faces",
            What::Edges(_) => "Extrude edges",
        }
    }

    pub fn made(&self, doc: &Document, delta: DVec3, hold: bool) -> Result<Reshape, Stop> {
        match &self.what {
            What::Vertex { on } => {
                components::add_vertex(doc, self.id, on, (self.start, self.start + delta), hold)
            }
            What::Faces(faces) => components::extrude_faces(doc, self.id, faces, delta),
            What::Edges(edges) => components::extrude_edges(doc, self.id, edges, delta),
        }
    }

    /// In 3D faces are pulled along their normal; `None` where the pointer moves freely.
    pub fn normal_in(&self, cx: &ToolCx<'_>) -> Option<DVec3> {
        self.normal.filter(|_| !cx.view.is_2d())
    }
}

/// The difference along a normal for a pointer there; `None` where that is seen end-on or too far away.
pub(super) fn along(cx: &ToolCx<'_>, at: DVec2, grab: DVec3, normal: DVec3) -> Option<DVec3> {
    let (_, along) = cx.ray(at).nearest_on_line(grab, normal)?;
    (along.is_finite() && along.abs() < crate::document::ops::brushes::WORLD_LIMIT)
        .then(|| normal * cx.grid.snap_length(along))
}

/// The grabbed one, with all picked ones of its object if it is one of them.
fn with_picked(selection: &Selection, kind: ComponentKind, id: ObjectId, index: u32) -> Vec<u32> {
    if !selection.contains(&kind.pick(id, index)) {
        return vec![index];
    }
    of_kind(selection, kind)
        .into_iter()
        .filter(|(object, _)| *object == id)
        .map(|(_, index)| index)
        .collect()
}

/// The edge nearest to the pointer, and its point there; of near equals the one in front.
pub(super) fn nearest_edge(
    cx: &ToolCx<'_>,
    at: DVec2,
    handles: &Handles,
) -> Option<(ObjectId, u32, DVec3)> {
    let surface = (!cx.view.is_2d()).then(|| (cx.pick)(at)).flatten();
    let mut best: Option<((f64, f64), (ObjectId, u32, DVec3))> = None;
    for (id, shape) in &handles.shapes {
        for (index, ends) in (0..).zip(&shape.edges) {
            let [from, to] = ends.map(|end| shape.points[end as usize]);
            let (Some((a, _)), Some((b, _))) = (cx.view.project(from), cx.view.project(to)) else {
                continue;
            };
            let t = ((at - a).dot(b - a) / (b - a).length_squared().max(1e-12)).clamp(0.0, 1.0);
            let distance = (a + (b - a) * t).distance(at);
            if distance > REACH {
                continue;
            }
            let ray = cx.ray(at);
            let along = (to - from).normalize_or_zero();
            let reach = ray
                .nearest_on_line(from, along)
                .map_or(0.0, |(_, along)| along.clamp(0.0, from.distance(to)));
            let point = from + along * reach;
            let depth = (point - ray.origin).dot(ray.dir);
            // What lies behind the surface under the pointer is not meant.
            let slack = 2.0 * REACH * cx.view.units_per_point(point);
            if surface.is_some_and(|hit| depth > hit.distance + slack) {
                continue;
            }
            let rank = ((distance / 2.0).floor(), depth);
            if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                best = Some((rank, (*id, index, point)));
            }
        }
    }
    best.map(|(_, found)| found)
}

/// The point of an edge brought onto the grid along it, unless that is one of its ends.
fn on_edge(cx: &ToolCx<'_>, shape: &Shape, edge: u32, point: DVec3) -> DVec3 {
    let [from, to] = shape.edges[edge as usize].map(|end| shape.points[end as usize]);
    let way = to - from;
    let steep = way.abs();
    let axis = (0..3)
        .max_by(|&a, &b| steep[a].total_cmp(&steep[b]))
        .unwrap_or(0);
    if way[axis] == 0.0 {
        return point;
    }
    let t = (cx.grid.snap(point)[axis] - from[axis]) / way[axis];
    if t > 1e-3 && t < 1.0 - 1e-3 {
        from + way * t
    } else {
        point
    }
}

fn is_inside(corners: &[DVec3], normal: DVec3, point: DVec3) -> bool {
    (0..corners.len()).all(|i| {
        let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
        (b - a).cross(point - a).dot(normal) > 1e-6
    })
}
