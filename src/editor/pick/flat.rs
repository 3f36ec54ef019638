//! The order of 2D views (PICK-2).

use glam::DVec2;
use glam::DVec3;

use crate::assets::Definitions;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::editor::pick::EDGE_NEAR;
use crate::editor::pick::Hit;
use crate::editor::pick::LEAST_ICON;
use crate::editor::pick::Scope;
use crate::editor::spatial::Spatial;
use crate::editor::view::View;
use crate::geometry::Aabb;

/// Projected areas that differ by less than this share are equal.
const SAME_AREA: f64 = 1e-6;

/// The centre cross is drawn when the object is larger than this on screen.
const CROSS_FROM: f64 = 24.0;

/// Bounds that are not smaller than an icon in a 2D view.
fn at_least_an_icon(bounds: Aabb, view: &View) -> Aabb {
    let missing = DVec3::splat(LEAST_ICON / view.points_per_unit) - bounds.size();
    let more = missing.max(DVec3::ZERO) * 0.5;
    Aabb::new(bounds.min - more, bounds.max + more)
}

/// Objects of a 2D view near or under a point, each with how it was hit.
pub(super) fn flat_candidates(
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
pub(super) struct Flat {
    /// On the centre cross or an edge.
    on_line: bool,
    /// Square units of the projections of its faces, of those on one side.
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
        let flat_ring = |corners: &mut dyn Iterator<Item = DVec3>| -> Vec<DVec2> {
            corners.map(flatten).collect()
        };
        let rings: Vec<Vec<DVec2>> = match &object.kind {
            Kind::Brush(brush) if brush.fault().is_none() => (0..brush.hull().loops().len())
                .map(|face| flat_ring(&mut brush.hull().face_points(face)))
                .collect(),
            Kind::Mesh(mesh) => mesh
                .polygons
                .iter()
                .filter_map(|polygon| Some(flat_ring(&mut mesh.positions(polygon)?.into_iter())))
                .collect(),
            _ => {
                let (a, b) = (flatten(bounds.min), flatten(bounds.max));
                vec![vec![a, DVec2::new(a.x, b.y), b, DVec2::new(b.x, a.y)]]
            }
        };
        let on_edge = rings.iter().any(|ring| near_ring(ring, at));
        let inside = rings.iter().any(|ring| holds(ring, at));
        let center = flatten(bounds.center());
        let (low, high) = (flatten(bounds.min), flatten(bounds.max));
        let is_large = (low - high).abs().max_element() > CROSS_FROM;
        let on_cross = is_large && center.distance(at) <= EDGE_NEAR;
        if !on_edge && !inside && !on_cross {
            return None;
        }
        // Those that face the viewer; of what shows its back only, that.
        let (mut front, mut back) = (0.0, 0.0);
        for area in rings.iter().map(|ring| area(ring)) {
            front += area.max(0.0);
            back -= area.min(0.0);
        }
        let area = f64::max(front, back) / (view.points_per_unit * view.points_per_unit);
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

/// Positive on one side, negative on the other.
fn area(ring: &[DVec2]) -> f64 {
    ring.iter()
        .zip(ring.iter().cycle().skip(1))
        .map(|(a, b)| a.perp_dot(*b))
        .sum::<f64>()
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
    if candidates.iter().any(|(_, flat)| flat.on_line) {
        candidates.retain(|(_, flat)| flat.on_line);
    }
    let areas = candidates.iter().map(|(_, flat)| flat.area);
    let smallest = areas.fold(f64::INFINITY, f64::min);
    candidates.retain(|(_, flat)| flat.area <= smallest * (1.0 + SAME_AREA));
    let nearest = candidates
        .iter()
        .min_by(|(_, a), (_, b)| a.depth.total_cmp(&b.depth));
    let id = nearest?.0;
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
