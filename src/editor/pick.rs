//! Picking: what lies under a ray, exactly, on the CPU (PICK-1, PICK-2).

use glam::DVec2;
use glam::DVec3;

use crate::assets::Definitions;
use crate::document::Brush;
use crate::document::Document;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::ViewState;
use crate::document::carving::Carving;
use crate::editor::pick_carved;
use crate::editor::spatial::Spatial;
use crate::editor::view::View;
use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::Ray;
use crate::geometry::polygon;

/// At distances closer than this an entity beats a face.
const ENTITY_BEATS: f64 = 0.05;

/// Point entities are at least this large on screen, in points.
const LEAST_ICON: f64 = 8.0;

/// In 2D an edge or centre cross this close to the pointer is hit before areas.
pub(super) const EDGE_NEAR: f64 = 5.0;

/// The centre cross is drawn when the object is larger than this on screen.
const CROSS_FROM: f64 = 24.0;

/// What a ray met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub object: ObjectId,
    /// Face of a brush or polygon of a mesh.
    pub face: Option<u32>,
    pub point: DVec3,
    /// Outward, unit.
    pub normal: DVec3,
    pub distance: f64,
}

/// True when the entity is shown and hit as a box: it owns no geometry and is not the world itself.
#[must_use]
pub fn is_point_entity(doc: &Document, id: ObjectId, entity: &Entity) -> bool {
    entity.class != "worldspawn" && doc.children(Some(id)).next().is_none()
}

/// What may be hit.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub doc: &'a Document,
    pub look: &'a ViewState,
    /// Boxes of point entities.
    pub definitions: &'a Definitions,
    /// While a group is open the rest is out of reach.
    pub open_group: Option<ObjectId>,
    pub entities: bool,
    /// Which brushes carve which.
    pub carving: &'a Carving,
    /// Nothing outside of this box is in reach (VIEW-4).
    pub cordon: Option<Aabb>,
    /// The nearest solid is looked through (VIEW-5).
    pub xray: bool,
}

impl Scope<'_> {
    pub fn allows(&self, id: ObjectId) -> bool {
        self.open_group
            .is_none_or(|group| self.doc.ancestors(id).any(|ancestor| ancestor == group))
            && !self.look.is_hidden(self.doc, id)
            && !self.look.is_locked(self.doc, id)
            && self.cordon.is_none_or(|cordon| {
                self.doc
                    .object(id)
                    .is_none_or(|object| is_within(object, cordon))
            })
    }

    /// One object against one ray, what carves it taken off: faces from the front only.
    pub fn hit_object(&self, id: ObjectId, object: &Object, ray: Ray) -> Option<Hit> {
        if self.carving.is_empty() {
            return self.hit_whole(id, object, ray);
        }
        if pick_carved::is_outline(object) {
            return None;
        }
        if let Some(brush) = object.brush() {
            let carvers = self.carving.carvers_of(id);
            if !carvers.is_empty() {
                return pick_carved::hit_carved(self, (id, brush), &carvers, ray);
            }
        }
        self.hit_whole(id, object, ray)
    }

    /// As [`Scope::hit_object`], whole.
    fn hit_whole(&self, id: ObjectId, object: &Object, ray: Ray) -> Option<Hit> {
        match &object.kind {
            Kind::Brush(brush) => hit_brush(id, brush, ray),
            Kind::Mesh(mesh) => hit_mesh(id, mesh, ray),
            Kind::Entity(entity) => hit_box(id, self.definitions.entity_box(entity), ray),
            Kind::Group(_) => None,
        }
    }
}

/// The nearest thing along a ray of a 3D view. `units_per_point`: how large a point of the screen is at distance 1, for icons.
#[must_use]
pub(crate) fn nearest(
    scope: Scope<'_>,
    spatial: &Spatial,
    ray: Ray,
    units_per_point: f64,
) -> Option<Hit> {
    let hit_any = |id: ObjectId, object: &Object| {
        let hit = if !scope.carving.is_empty() && pick_carved::is_outline(object) {
            let brush = object.brush()?;
            pick_carved::hit_outline(id, brush, ray, units_per_point)
        } else {
            scope.hit_object(id, object, ray)
        };
        hit.filter(|hit| {
            scope
                .cordon
                .is_none_or(|cordon| cordon.grown(0.01).contains(hit.point))
        })
    };
    let mut best: Option<Hit> = if scope.xray {
        pick_carved::second(scope, spatial, ray, hit_any)
    } else {
        None
    };
    spatial.solids().ray(ray, f64::INFINITY, |id, _| {
        let reach = best.map_or(f64::INFINITY, |hit| hit.distance);
        let Some(object) = scope.doc.object(id).filter(|_| !scope.xray) else {
            return reach;
        };
        if let Some(hit) = hit_any(id, object).filter(|hit| {
            hit.distance < reach || (hit.distance == reach && best.is_some_and(|b| id < b.object))
        }) && scope.allows(id)
        {
            best = Some(hit);
        }
        best.map_or(f64::INFINITY, |hit| hit.distance)
    });
    if !scope.entities {
        return best;
    }
    let face_distance = best.map_or(f64::INFINITY, |hit| hit.distance);
    let mut entity: Option<Hit> = None;
    for (&id, &bounds) in spatial.points() {
        let center = bounds.center();
        let along = (center - ray.origin).dot(ray.dir);
        let least = along.max(0.0) * units_per_point * LEAST_ICON * 0.5;
        let bounds = Aabb {
            min: bounds.min.min(center - least),
            max: bounds.max.max(center + least),
        };
        let Some(hit) = hit_box(id, bounds, ray) else {
            continue;
        };
        let nearer = entity.is_none_or(|best| hit.distance < best.distance);
        if nearer && hit.distance <= face_distance + ENTITY_BEATS && scope.allows(id) {
            entity = Some(hit);
        }
    }
    entity.or(best)
}

/// True when something of the object is inside of the box.
pub(crate) fn is_within(object: &Object, cordon: Aabb) -> bool {
    let bounds = object.bounds();
    match &object.kind {
        Kind::Entity(entity) => cordon.contains(entity.origin),
        _ => bounds.min.cmplt(cordon.max).all() && cordon.min.cmplt(bounds.max).all(),
    }
}

/// Brushes and meshes that may be picked and whose boxes a (unit) plane crosses, by id.
#[must_use]
pub(crate) fn crossed(scope: Scope<'_>, spatial: &Spatial, plane: Plane) -> Vec<ObjectId> {
    let mut found = Vec::new();
    spatial.solids().planes(&[plane, plane.flipped()], |id| {
        if scope.allows(id) {
            found.push(id);
        }
    });
    found.sort_unstable();
    found
}

fn hit_brush(id: ObjectId, brush: &Brush, ray: Ray) -> Option<Hit> {
    if brush.fault().is_some() {
        return hit_loops(id, brush, ray);
    }
    let units = || {
        brush
            .faces()
            .iter()
            .map(|face| face.plane.unit().unwrap_or(face.plane))
    };
    // A face that an earlier one repeats has no loop; the hit names the one that is there.
    let found = ray.convex(units())?;
    let normal = units().nth(found.face)?.normal;
    Some(Hit {
        object: id,
        face: Some(found.face as u32),
        point: ray.at(found.distance),
        normal,
        distance: found.distance,
    })
}

/// Brushes that do not close: the faces there are, one by one.
fn hit_loops(id: ObjectId, brush: &Brush, ray: Ray) -> Option<Hit> {
    let mut best: Option<Hit> = None;
    for (index, face) in brush.faces().iter().enumerate() {
        let corners: Vec<DVec3> = brush.hull().face_points(index).collect();
        let Some(plane) = face.plane.unit() else {
            continue;
        };
        if let Some(hit) = hit_polygon(id, index, &corners, plane, ray)
            .filter(|hit| best.is_none_or(|best| hit.distance < best.distance))
        {
            best = Some(hit);
        }
    }
    best
}

fn hit_mesh(id: ObjectId, mesh: &Mesh, ray: Ray) -> Option<Hit> {
    let mut best: Option<Hit> = None;
    for (index, polygon) in mesh.polygons.iter().enumerate() {
        let Some(corners) = mesh.positions(polygon) else {
            continue;
        };
        let Some(normal) = polygon::normal(&corners) else {
            continue;
        };
        for [a, b, c] in polygon::triangles(&corners) {
            let (a, b, c) = (
                corners[a as usize],
                corners[b as usize],
                corners[c as usize],
            );
            if let Some(distance) = ray
                .triangle_front(a, b, c)
                .filter(|&distance| best.is_none_or(|best| distance < best.distance))
            {
                best = Some(Hit {
                    object: id,
                    face: Some(index as u32),
                    point: ray.at(distance),
                    normal,
                    distance,
                });
            }
        }
    }
    best
}

fn hit_polygon(
    id: ObjectId,
    index: usize,
    corners: &[DVec3],
    plane: Plane,
    ray: Ray,
) -> Option<Hit> {
    let [first, rest @ ..] = corners else {
        return None;
    };
    let distance = rest
        .windows(2)
        .find_map(|pair| ray.triangle_front(*first, pair[0], pair[1]))?;
    Some(Hit {
        object: id,
        face: Some(index as u32),
        point: ray.at(distance),
        normal: plane.normal,
        distance,
    })
}

/// A solid box from outside.
fn hit_box(id: ObjectId, bounds: Aabb, ray: Ray) -> Option<Hit> {
    let sides = [DVec3::X, DVec3::Y, DVec3::Z]
        .into_iter()
        .enumerate()
        .flat_map(|(axis, normal)| {
            [
                Plane::new(normal, bounds.max[axis]),
                Plane::new(-normal, -bounds.min[axis]),
            ]
        });
    let found = ray.convex(sides)?;
    let axis = [DVec3::X, DVec3::Y, DVec3::Z][found.face / 2];
    let normal = if found.face % 2 == 0 { axis } else { -axis };
    Some(Hit {
        object: id,
        face: None,
        point: ray.at(found.distance),
        normal,
        distance: found.distance,
    })
}

/// Bounds that are not smaller than an icon in a 2D view.
fn at_least_an_icon(bounds: Aabb, view: &View) -> Aabb {
    let missing = DVec3::splat(LEAST_ICON / view.points_per_unit) - bounds.size();
    let more = missing.max(DVec3::ZERO) * 0.5;
    Aabb::new(bounds.min - more, bounds.max + more)
}

/// Objects of a 2D view near or under a point, each with how it was hit.
fn flat_candidates(
    scope: Scope<'_>,
    spatial: &Spatial,
    view: &View,
    at: DVec2,
) -> Vec<(ObjectId, Flat)> {
    let ray = view.ray(at);
    let near = EDGE_NEAR / view.points_per_unit;
    // A column through the whole map, a little wider than the pointer.
    let column = Aabb::between(ray.origin, ray.at(f64::from(1 << 20))).grown(near);
    let mut found = Vec::new();
    let mut consider = |id: ObjectId, object: &Object| {
        if let Some(flat) =
            Flat::of(scope.definitions, object, view, at).filter(|_| scope.allows(id))
        {
            found.push((id, flat));
        }
    };
    spatial.solids().query(column, |id| {
        if let Some(object) = scope.doc.object(id) {
            consider(id, object);
        }
    });
    if scope.entities {
        for (&id, bounds) in spatial.points() {
            if at_least_an_icon(*bounds, view).touches(column)
                && let Some(object) = scope.doc.object(id)
            {
                consider(id, object);
            }
        }
    }
    found.sort_by_key(|(id, _)| *id);
    found
}

/// How a point of a 2D view lies to an object.
struct Flat {
    /// On the centre cross or an edge.
    on_line: bool,
    /// Square units of the object's projection.
    area: f64,
    /// Along the view: smaller is nearer to the viewer.
    depth: f64,
}

impl Flat {
    /// `None` when neither its area nor a line of it is hit.
    fn of(definitions: &Definitions, object: &Object, view: &View, at: DVec2) -> Option<Self> {
        let bounds = match &object.kind {
            Kind::Entity(entity) => at_least_an_icon(definitions.entity_box(entity), view),
            _ => object.bounds(),
        };
        if bounds.is_empty() {
            return None;
        }
        let flatten = |point: DVec3| view.project(point).map_or(DVec2::NAN, |(at, _)| at);
        let outlines: Vec<Vec<DVec2>> = match &object.kind {
            Kind::Brush(brush) if brush.fault().is_none() => (0..brush.faces().len())
                .filter(|&face| {
                    brush.faces()[face]
                        .plane
                        .normal
                        .normalize_or_zero()
                        .dot(view.forward())
                        < -1e-6
                })
                .map(|face| brush.hull().face_points(face).map(flatten).collect())
                .collect(),
            Kind::Mesh(mesh) => mesh
                .polygons
                .iter()
                .filter_map(|polygon| {
                    Some(mesh.positions(polygon)?.into_iter().map(flatten).collect())
                })
                .collect(),
            _ => {
                let (a, b) = (flatten(bounds.min), flatten(bounds.max));
                vec![vec![a, DVec2::new(b.x, a.y), b, DVec2::new(a.x, b.y)]]
            }
        };
        let on_edge = outlines.iter().any(|ring| near_ring(ring, at));
        let inside = outlines.iter().any(|ring| holds(ring, at));
        let center = flatten(bounds.center());
        let (low, high) = (flatten(bounds.min), flatten(bounds.max));
        let is_large = (low - high).abs().max_element() > CROSS_FROM;
        let on_cross = is_large && center.distance(at) <= EDGE_NEAR;
        if !on_edge && !inside && !on_cross {
            return None;
        }
        let area: f64 = outlines.iter().map(|ring| area(ring)).sum::<f64>()
            / (view.points_per_unit * view.points_per_unit);
        let depth = bounds
            .corners()
            .into_iter()
            .map(|corner| corner.dot(view.forward()))
            .fold(f64::INFINITY, f64::min);
        Some(Self {
            on_line: on_edge || on_cross,
            area,
            depth,
        })
    }
}

fn near_ring(ring: &[DVec2], at: DVec2) -> bool {
    ring.iter()
        .zip(ring.iter().cycle().skip(1))
        .any(|(&a, &b)| {
            let t = ((at - a).dot(b - a) / (b - a).length_squared().max(1e-12)).clamp(0.0, 1.0);
            (a + (b - a) * t).distance(at) <= EDGE_NEAR
        })
}

fn area(ring: &[DVec2]) -> f64 {
    ring.iter()
        .zip(ring.iter().cycle().skip(1))
        .map(|(a, b)| a.perp_dot(*b))
        .sum::<f64>()
        .abs()
        * 0.5
}

/// Even-odd rule.
fn holds(ring: &[DVec2], at: DVec2) -> bool {
    ring.iter()
        .zip(ring.iter().cycle().skip(1))
        .fold(false, |inside, (a, b)| {
            let crosses = (a.y > at.y) != (b.y > at.y)
                && at.x < (b.x - a.x) * (at.y - a.y) / (b.y - a.y) + a.x;
            inside != crosses
        })
}

/// PICK-2: lines before areas, then the smallest projected area, then the nearest to the viewer.
#[must_use]
pub(crate) fn flat(scope: Scope<'_>, spatial: &Spatial, view: &View, at: DVec2) -> Option<Hit> {
    let mut candidates = flat_candidates(scope, spatial, view, at);
    candidates.sort_by(|(_, a), (_, b)| {
        b.on_line
            .cmp(&a.on_line)
            .then(a.area.total_cmp(&b.area))
            .then(a.depth.total_cmp(&b.depth))
    });
    let (id, _) = *candidates.first().as_ref()?;
    let id = *id;
    let object = scope.doc.object(id)?;
    let ray = view.ray(at);
    // The face that looks at the viewer, where the pointer is on one.
    if let Some(hit) = scope.hit_whole(id, object, ray) {
        return Some(hit);
    }
    let bounds = if let Kind::Entity(entity) = &object.kind {
        scope.definitions.entity_box(entity)
    } else {
        object.bounds()
    };
    let distance =
        (bounds.center() - ray.origin).dot(ray.dir) - bounds.size().dot(ray.dir.abs()) * 0.5;
    Some(Hit {
        object: id,
        face: facing(object, view),
        point: ray.at(distance),
        normal: -ray.dir,
        distance,
    })
}

/// The face of a brush that looks most at the viewer of a 2D view.
fn facing(object: &Object, view: &View) -> Option<u32> {
    let brush = object.brush()?;
    let towards = |index: &usize| {
        -brush.faces()[*index]
            .plane
            .normal
            .normalize_or_zero()
            .dot(view.forward())
    };
    (0..brush.faces().len())
        .max_by(|a, b| towards(a).total_cmp(&towards(b)))
        .map(|index| index as u32)
}

/// Everything under a point of a view.
#[must_use]
pub(crate) fn all_under(
    scope: Scope<'_>,
    spatial: &Spatial,
    view: &View,
    at: DVec2,
) -> Vec<ObjectId> {
    if view.is_2d() {
        return flat_candidates(scope, spatial, view, at)
            .into_iter()
            .map(|(id, _)| id)
            .collect();
    }
    let ray = view.ray(at);
    let mut found = Vec::new();
    spatial.solids().ray(ray, f64::INFINITY, |id, _| {
        if scope
            .doc
            .object(id)
            .is_some_and(|object| scope.hit_whole(id, object, ray).is_some())
            && scope.allows(id)
        {
            found.push(id);
        }
        f64::INFINITY
    });
    found.extend(
        spatial
            .points()
            .iter()
            .filter(|_| scope.entities)
            .filter(|&(&id, &bounds)| hit_box(id, bounds, ray).is_some() && scope.allows(id))
            .map(|(&id, _)| id),
    );
    found.sort_unstable();
    found
}

#[cfg(test)]
#[path = "pick_tests.rs"]
mod tests;
