//! Snaps of a drag to the geometry of other objects (0.9).

use glam::DVec2;
use glam::DVec3;

use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::State;
use crate::editor::pick::Hit;
use crate::editor::pick::Scope;
use crate::editor::spatial::Spatial;
use crate::editor::tools::ToolCx;
use crate::editor::view::View;
use crate::geometry::Aabb;
use crate::geometry::Grid;
use crate::geometry::Plane;
use crate::geometry::Ray;

/// Vertices and middles of edges count within this many points of the pointer.
pub(crate) const REACH: f64 = 12.0;

/// A point this much behind the nearest surface, in map units per unit of distance, is still in sight.
const IN_SIGHT: f64 = 1e-4;

/// Snap keys that are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// `V`: nearest vertex.
    pub vertex: bool,
    /// `E`: nearest middle of an edge.
    pub edge: bool,
    /// `F`: the face under the pointer.
    pub face: bool,
    /// `G`: no grid.
    pub free: bool,
}

impl Held {
    /// True when geometry is looked for at all.
    #[must_use]
    pub fn any_target(self) -> bool {
        self.vertex || self.edge || self.face
    }
}

/// What a snap key found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapTarget {
    pub point: DVec3,
    /// Unit; zero for vertices and edges.
    pub normal: DVec3,
    /// "vertex", "edge middle" or "face".
    pub name: &'static str,
}

/// What the held keys find under a point of the view, among visible objects outside of the selection.
#[must_use]
pub(crate) fn find(
    scope: Scope<'_>,
    spatial: &Spatial,
    view: &View,
    at: DVec2,
    held: Held,
    base: &State,
) -> Option<SnapTarget> {
    if !held.any_target() {
        return None;
    }
    let is_free = |id: ObjectId| {
        !is_selected(base, id)
            && !scope
                .doc
                .ancestors(id)
                .any(|container| is_selected(base, container))
    };
    if held.vertex || held.edge {
        let mut near = points_near(scope, spatial, view, at, held, &is_free);
        near.sort_by(|a, b| {
            a.0.total_cmp(&b.0).then(
                a.1.point
                    .to_array()
                    .partial_cmp(&b.1.point.to_array())
                    .unwrap_or(std::cmp::Ordering::Equal),
            )
        });
        near.dedup_by(|a, b| a.1.point == b.1.point);
        let seen = near
            .into_iter()
            .map(|(_, target)| target)
            .find(|target| in_sight(scope, spatial, view, target.point, &is_free));
        if seen.is_some() {
            return seen;
        }
    }
    if !held.face {
        return None;
    }
    let hit = nearest_face(scope, spatial, view.ray(at), &is_free)?;
    Some(SnapTarget {
        point: hit.point,
        normal: hit.normal,
        name: "face",
    })
}

fn is_selected(base: &State, id: ObjectId) -> bool {
    base.selection.contains(&Pick::Object(id))
        || base
            .selection
            .range(Pick::Face(id, 0)..=Pick::Face(id, u32::MAX))
            .next()
            .is_some()
}

/// The vertex in sight nearest to a point of the view, of anything visible, within `reach` points.
#[must_use]
pub(crate) fn vertex_near(
    scope: Scope<'_>,
    spatial: &Spatial,
    view: &View,
    at: DVec2,
    reach: f64,
) -> Option<DVec3> {
    let held = Held {
        vertex: true,
        ..Held::default()
    };
    let mut near = points_near(scope, spatial, view, at, held, &|_| true);
    near.retain(|(distance, _)| *distance <= reach);
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    near.into_iter()
        .map(|(_, target)| target.point)
        .find(|&point| in_sight(scope, spatial, view, point, &|_| true))
}

/// Vertices and middles of edges around the pointer, with their distance on screen.
fn points_near(
    scope: Scope<'_>,
    spatial: &Spatial,
    view: &View,
    at: DVec2,
    held: Held,
    is_free: &dyn Fn(ObjectId) -> bool,
) -> Vec<(f64, SnapTarget)> {
    let mut found = Vec::new();
    spatial
        .solids()
        .planes(&beam(view, at, REACH), |id: ObjectId, _| {
            let Some(object) = scope
                .doc
                .object(id)
                .filter(|_| is_free(id) && scope.allows(id))
            else {
                return;
            };
            let mut offer = |point: DVec3, name: &'static str| {
                if let Some((place, _)) = view.project(point) {
                    let distance = place.distance(at);
                    if distance <= REACH {
                        let normal = DVec3::ZERO;
                        found.push((
                            distance,
                            SnapTarget {
                                point,
                                normal,
                                name,
                            },
                        ));
                    }
                }
            };
            if held.vertex {
                vertices_of(object, |point| offer(point, "vertex"));
            }
            if held.edge {
                edges_of(object, |a, b| offer((a + b) * 0.5, "edge middle"));
            }
        });
    found
}

/// Corners of a brush or mesh.
pub(crate) fn vertices_of(object: &Object, mut visit: impl FnMut(DVec3)) {
    match &object.kind {
        Kind::Brush(brush) => brush.hull().points().iter().for_each(|&point| visit(point)),
        Kind::Mesh(mesh) => mesh.points.iter().for_each(|&point| visit(point)),
        Kind::Entity(_) | Kind::Group(_) => {}
    }
}

/// Edges of a brush or mesh; those of a mesh once for each polygon.
pub(crate) fn edges_of(object: &Object, mut visit: impl FnMut(DVec3, DVec3)) {
    match &object.kind {
        Kind::Brush(brush) => {
            let points = brush.hull().points();
            for [a, b] in brush.hull().edges() {
                visit(points[a as usize], points[b as usize]);
            }
        }
        Kind::Mesh(mesh) => {
            for corners in mesh
                .polygons
                .iter()
                .filter_map(|polygon| mesh.positions(polygon))
            {
                for (index, &from) in corners.iter().enumerate() {
                    visit(from, corners[(index + 1) % corners.len()]);
                }
            }
        }
        Kind::Entity(_) | Kind::Group(_) => {}
    }
}

/// The planes around all that lies within `reach` points of a point of the view, pointing outwards.
pub(crate) fn beam(view: &View, at: DVec2, reach: f64) -> Vec<Plane> {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(x, y)| view.ray(at + DVec2::new(x, y) * reach));
    let middle = view.ray(at);
    let mut planes = Vec::with_capacity(5);
    for index in 0..4 {
        let (a, b) = (corners[index], corners[(index + 1) % 4]);
        let normal = if view.is_2d() {
            (b.origin - a.origin).cross(a.dir)
        } else {
            a.dir.cross(b.dir)
        };
        let Some(plane) = Plane::through(a.at(1.0), normal) else {
            continue;
        };
        let inside = middle.at(2.0);
        planes.push(if plane.distance(inside) > 0.0 {
            plane.flipped()
        } else {
            plane
        });
    }
    if !view.is_2d() {
        planes.extend(Plane::through(view.eye, -view.forward()));
    }
    planes
}

/// True when a box lies at least partly within planes that point outwards.
pub(crate) fn meets(planes: &[Plane], bounds: Aabb) -> bool {
    planes.iter().all(|plane| {
        let deepest = DVec3::select(plane.normal.cmpgt(DVec3::ZERO), bounds.min, bounds.max);
        plane.distance(deepest) <= 0.0
    })
}

/// False when something that is not selected stands before the point. In 2D nothing does.
fn in_sight(
    scope: Scope<'_>,
    spatial: &Spatial,
    view: &View,
    point: DVec3,
    is_free: &dyn Fn(ObjectId) -> bool,
) -> bool {
    let Some((place, _)) = view.project(point).filter(|_| !view.is_2d()) else {
        return view.is_2d();
    };
    let distance = point.distance(view.eye);
    nearest_face(scope, spatial, view.ray(place), is_free)
        .is_none_or(|hit| hit.distance >= distance * (1.0 - IN_SIGHT) - 0.05)
}

/// The nearest face along a ray, of what is free to snap to.
fn nearest_face(
    scope: Scope<'_>,
    spatial: &Spatial,
    ray: Ray,
    is_free: &dyn Fn(ObjectId) -> bool,
) -> Option<Hit> {
    let mut best: Option<Hit> = None;
    spatial.solids().ray(ray, f64::INFINITY, |id, _| {
        let reach = best.map_or(f64::INFINITY, |hit| hit.distance);
        if let Some(hit) = scope
            .doc
            .object(id)
            .and_then(|object| scope.hit_object(id, object, ray))
            .filter(|hit| hit.distance < reach)
            && is_free(id)
            && scope.allows(id)
        {
            best = Some(hit);
        }
        best.map_or(f64::INFINITY, |hit| hit.distance)
    });
    best
}

/// Where the held snap keys put the point that is dragged; `None` when none is held or there is nothing.
#[must_use]
pub(crate) fn snapped_point(cx: &ToolCx<'_>, at: DVec2) -> Option<DVec3> {
    if !cx.held.any_target() {
        return None;
    }
    let target = (cx.snap_target)(at)?;
    Some(if target.normal == DVec3::ZERO {
        target.point
    } else {
        on_face(&cx.grid, target.point, target.normal)
    })
}

/// A point of a face brought onto the grid along the face: two coordinates snap, the third follows from the plane.
#[must_use]
pub(crate) fn on_face(grid: &Grid, point: DVec3, normal: DVec3) -> DVec3 {
    let steep = normal.abs();
    let along = (0..3)
        .max_by(|&a, &b| steep[a].total_cmp(&steep[b]))
        .unwrap_or(1);
    let mut snapped = grid.snap(point);
    snapped[along] = point[along];
    if normal[along] == 0.0 {
        return snapped;
    }
    snapped[along] -= (snapped - point).dot(normal) / normal[along];
    snapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_faces_stay_on_them() {
        let grid = Grid::new(16.0);
        assert_eq!(
            on_face(&grid, DVec3::new(5.0, 3.5, 29.0), DVec3::Y),
            DVec3::new(0.0, 3.5, 32.0)
        );
        let slope = DVec3::new(1.0, 1.0, 0.0).normalize();
        let point = DVec3::new(7.0, 25.0, 3.0);
        let snapped = on_face(&grid, point, slope);
        assert!((snapped - point).dot(slope).abs() < 1e-9);
        assert_eq!(snapped.z, 0.0);
    }
}
