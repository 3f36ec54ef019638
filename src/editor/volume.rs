//! Objects as solids against regions of space: rectangles of a view as frusta (SEL-5), brushes that select (SEL-8).

use glam::DVec2;
use glam::DVec3;
use rayon::prelude::*;

use crate::assets::Definitions;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::editor::pick::Scope;
use crate::editor::spatial::Spatial;
use crate::editor::view::View;
use crate::geometry::Aabb;
use crate::geometry::Hull;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// Things that come closer than this touch.
const TOUCHING: f64 = 0.01;

/// The part of a view within a rectangle of it, as planes that face outward, unit.
#[must_use]
pub(crate) fn frustum(view: &View, from: DVec2, to: DVec2) -> Vec<Plane> {
    let (min, max) = (from.min(to), from.max(to));
    let axes = [view.right(), view.up(), view.forward()];
    if view.is_2d() {
        let origin = |at: DVec2| view.ray(at).origin;
        let (left_top, right_bottom) = (origin(min), origin(max));
        return vec![
            Plane::new(-axes[0], -axes[0].dot(left_top)),
            Plane::new(axes[0], axes[0].dot(right_bottom)),
            Plane::new(axes[1], axes[1].dot(left_top)),
            Plane::new(-axes[1], -axes[1].dot(right_bottom)),
        ];
    }
    let corners =
        [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)].map(|at| view.ray(at).dir);
    let middle: DVec3 = corners.iter().sum();
    let mut planes = vec![Plane::new(-axes[2], -axes[2].dot(view.eye))];
    for index in 0..4 {
        let Some(normal) = corners[index]
            .cross(corners[(index + 1) % 4])
            .try_normalize()
        else {
            continue;
        };
        let outward = if normal.dot(middle) > 0.0 {
            -normal
        } else {
            normal
        };
        planes.push(Plane::new(outward, outward.dot(view.eye)));
    }
    planes
}

/// The faces of what stands for an object: its own, or the box of a point entity.
fn faces(definitions: &Definitions, object: &Object) -> Vec<Vec<DVec3>> {
    match &object.kind {
        Kind::Brush(brush) => (0..brush.hull().loops().len())
            .map(|face| brush.hull().face_points(face).collect())
            .collect(),
        Kind::Mesh(mesh) => mesh
            .polygons
            .iter()
            .filter_map(|polygon| mesh.positions(polygon))
            .collect(),
        Kind::Entity(entity) => sides(definitions.entity_box(entity)),
        Kind::Group(_) => Vec::new(),
    }
}

fn sides(bounds: Aabb) -> Vec<Vec<DVec3>> {
    let corners = bounds.corners();
    [
        [1, 3, 7, 5],
        [0, 4, 6, 2],
        [2, 6, 7, 3],
        [0, 1, 5, 4],
        [4, 5, 7, 6],
        [0, 2, 3, 1],
    ]
    .map(|side| side.map(|at: usize| corners[at]).to_vec())
    .into()
}

/// Calls `test` with the points of an object until it says no; true when it never did.
fn all_points(definitions: &Definitions, object: &Object, test: impl FnMut(DVec3) -> bool) -> bool {
    match &object.kind {
        Kind::Brush(brush) => brush.hull().points().iter().copied().all(test),
        Kind::Mesh(mesh) => mesh.points.iter().copied().all(test),
        Kind::Entity(entity) => definitions
            .entity_box(entity)
            .corners()
            .into_iter()
            .all(test),
        Kind::Group(_) => false,
    }
}

fn is_behind(planes: &[Plane], point: DVec3, epsilon: f64) -> bool {
    planes.iter().all(|plane| plane.distance(point) <= epsilon)
}

/// True when any part of a polygon lies within all planes.
fn reaches_in(polygon: &[DVec3], planes: &[Plane], epsilon: f64) -> bool {
    if polygon.len() < 3 {
        return false;
    }
    let mut part = polygon.to_vec();
    for plane in planes {
        let grown = Plane::new(plane.normal, plane.dist + epsilon);
        part = polygon::clip_back(&part, grown, 0.0);
        if part.is_empty() {
            return false;
        }
    }
    true
}

/// Whether an object lies wholly within planes, or has any part within them.
#[must_use]
pub(crate) fn is_in(
    definitions: &Definitions,
    object: &Object,
    planes: &[Plane],
    wholly: bool,
    epsilon: f64,
) -> bool {
    if wholly {
        return all_points(definitions, object, |point| {
            is_behind(planes, point, epsilon)
        });
    }
    let mut any = false;
    let outside_of_one = planes.iter().any(|plane| {
        all_points(definitions, object, |point| {
            let inside = plane.distance(point) <= epsilon;
            any |= inside && is_behind(planes, point, epsilon);
            !inside
        })
    });
    if any || outside_of_one {
        return any;
    }
    faces(definitions, object)
        .iter()
        .any(|face| reaches_in(face, planes, epsilon))
}

/// Fewer objects than this are not worth a second thread.
const FEW: usize = 512;

/// Everything in scope that lies in the planes, by id.
#[must_use]
pub(crate) fn within(
    scope: Scope<'_>,
    spatial: &Spatial,
    planes: &[Plane],
    wholly: bool,
) -> Vec<ObjectId> {
    // With whether the box of the object lies in the planes, and so the object itself.
    let mut near: Vec<(ObjectId, bool)> = Vec::new();
    spatial
        .solids()
        .planes(planes, |id, is_inside| near.push((id, is_inside)));
    if scope.entities {
        near.extend(spatial.points().keys().map(|&id| (id, false)));
    }
    let is_found = |&(id, is_inside): &(ObjectId, bool)| {
        scope.doc.object(id).is_some_and(|object| {
            (is_inside || is_in(scope.definitions, object, planes, wholly, 0.0))
                && scope.shows(object)
                && scope.allows_object(id, object)
        })
    };
    let mut found: Vec<ObjectId> = near
        .par_iter()
        .with_min_len(FEW)
        .filter(|entry| is_found(entry))
        .map(|&(id, _)| id)
        .collect();
    found.par_sort_unstable();
    found
}

/// How a brush selects others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Touching,
    Inside,
    /// Inside its outline as a 2D view shows it, at any depth.
    Tall,
}

/// Objects in scope that stand in the relation to a hull, by id.
#[must_use]
pub(crate) fn related(
    scope: Scope<'_>,
    spatial: &Spatial,
    hull: &Hull,
    planes: &[Plane],
    relation: Relation,
    view: &View,
) -> Vec<ObjectId> {
    let outline = match relation {
        Relation::Tall => outline(hull, view),
        _ => planes.to_vec(),
    };
    let solid: Vec<Vec<DVec3>> = (0..hull.loops().len())
        .map(|face| hull.face_points(face).collect())
        .collect();
    let mut found = Vec::new();
    let mut consider = |id: ObjectId| {
        let Some(object) = scope.doc.object(id) else {
            return;
        };
        let wholly = relation != Relation::Touching;
        let is = is_in(scope.definitions, object, &outline, wholly, TOUCHING)
            // The selecting brush may lie wholly inside of the other one.
            || (!wholly && holds_part_of(object, &solid));
        if is && scope.allows(id) {
            found.push(id);
        }
    };
    let grown: Vec<Plane> = outline
        .iter()
        .map(|plane| Plane::new(plane.normal, plane.dist + TOUCHING))
        .collect();
    spatial.solids().planes(&grown, |id, _| consider(id));
    if scope.entities {
        spatial.points().keys().copied().for_each(&mut consider);
    }
    found.sort_unstable();
    found
}

fn holds_part_of(object: &Object, solid: &[Vec<DVec3>]) -> bool {
    let Kind::Brush(brush) = &object.kind else {
        return false;
    };
    let planes: Option<Vec<Plane>> = brush.faces().iter().map(|face| face.plane.unit()).collect();
    planes.is_some_and(|planes| solid.iter().any(|face| reaches_in(face, &planes, TOUCHING)))
}

/// The planes along the view through the outline of a hull, facing outward.
fn outline(hull: &Hull, view: &View) -> Vec<Plane> {
    let (right, up) = (view.right(), view.up());
    let mut points: Vec<DVec2> = hull
        .points()
        .iter()
        .map(|point| DVec2::new(right.dot(*point), up.dot(*point)))
        .collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    // Andrew's monotone chain, counter-clockwise.
    let mut ring: Vec<DVec2> = Vec::new();
    for pass in [points.clone(), points.into_iter().rev().collect()] {
        let start = ring.len();
        for point in pass {
            while ring.len() >= start + 2 {
                let (a, b) = (ring[ring.len() - 2], ring[ring.len() - 1]);
                if (b - a).perp_dot(point - b) > 0.0 {
                    break;
                }
                ring.pop();
            }
            ring.push(point);
        }
        ring.pop();
    }
    (0..ring.len())
        .filter_map(|index| {
            let (a, b) = (ring[index], ring[(index + 1) % ring.len()]);
            let along = (b - a).try_normalize()?;
            // To the right of a counter-clockwise edge is outside.
            let normal = right * along.y - up * along.x;
            Some(Plane::new(normal, DVec2::new(along.y, -along.x).dot(a)))
        })
        .collect()
}
