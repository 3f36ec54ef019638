//! What things fall onto (MOV-7): the map that brings each of some objects down, or up, to what is solid.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::DAffine3;
use glam::DMat3;
use glam::DVec3;

use crate::document::Draft;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::ObjectId;
use crate::document::UvLock;
use crate::document::ops;
use crate::document::ops::transform::Orientation;
use crate::editor::Editor;
use crate::editor::pick;
use crate::editor::pick::Scope;
use crate::editor::spatial::Spatial;
use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::Ray;

/// Something this little above or below counts as touching.
const TOUCHING: f64 = 1e-3;

/// How things fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// They rise instead.
    pub upward: bool,
    /// Their up axis turns to the surface under their middle.
    pub align: bool,
}

/// What is solid, and what of it counts.
pub(super) struct Ground<'a> {
    scope: Scope<'a>,
    spatial: &'a Spatial,
}

impl Editor {
    /// The ground as it is now.
    pub(super) fn ground(&self) -> Ground<'_> {
        Ground {
            scope: self.scope(),
            spatial: &self.spatial,
        }
    }

    /// Lets others, or the same ones elsewhere, fall again (DUP-3): onto what lies there then.
    pub(super) fn falls_again(
        &self,
        way: Way,
        lock: UvLock,
        orientation: Orientation,
    ) -> impl Fn(&mut Draft, &[ObjectId]) -> Result<Vec<ObjectId>, EditError> + Send + Sync + 'static
    {
        let (look, definitions) = (self.look.clone(), Arc::clone(&self.definitions));
        let (open_group, cordon) = (self.open_group, self.cordon);
        move |draft, ids| {
            // What was done before in the same repeat has moved things, so the tree of the editor does not know them.
            let mut spatial = Spatial::new(Arc::clone(&definitions));
            spatial.sync(draft);
            let ground = Ground {
                scope: Scope {
                    doc: draft,
                    look: &look,
                    definitions: &definitions,
                    open_group,
                    entities: true,
                    tools: true,
                    shown: None,
                    carving: spatial.carving(),
                    cordon,
                    xray: false,
                },
                spatial: &spatial,
            };
            for (id, map) in ground.maps(ids, way) {
                ops::transform::apply(draft, &[id], &map, lock, &orientation)?;
            }
            Ok(ids.to_vec())
        }
    }
}

impl Ground<'_> {
    /// The map of each object that has somewhere to go.
    pub fn maps(&self, ids: &[ObjectId], way: Way) -> Vec<(ObjectId, DAffine3)> {
        let up = if way.upward { -1.0 } else { 1.0 };
        let all: BTreeSet<ObjectId> = ids.iter().copied().collect();
        let mut falling: Vec<(ObjectId, Aabb)> = ids
            .iter()
            .map(|&id| (id, self.bounds_below(id)))
            .filter(|(_, bounds)| !bounds.is_empty())
            .collect();
        // Whatever lies in front arrives first and holds up what comes after it.
        falling.sort_by(|(a_id, a), (b_id, b)| {
            let key = |bounds: &Aabb| {
                if way.upward {
                    -bounds.max.y
                } else {
                    bounds.min.y
                }
            };
            key(a).total_cmp(&key(b)).then(a_id.cmp(b_id))
        });
        let mut arrived: Vec<Aabb> = Vec::new();
        let mut maps: Vec<(ObjectId, DAffine3)> = Vec::new();
        for (id, bounds) in falling {
            let map = self.fall(&all, id, bounds, up, way.align, &arrived);
            let moved = map.map_or(bounds, |map| {
                Aabb::of_points(bounds.corners().map(|corner| map.transform_point3(corner)))
            });
            arrived.push(moved);
            maps.extend(map.map(|map| (id, map)));
        }
        maps
    }

    /// Bounds of an object with everything below it; point entities by the box of their class.
    fn bounds_below(&self, id: ObjectId) -> Aabb {
        let doc = self.scope.doc;
        doc.subtree(id)
            .into_iter()
            .filter_map(|id| Some((id, doc.object(id)?)))
            .map(|(id, object)| match &object.kind {
                Kind::Entity(entity) if pick::is_point_entity(doc, id, entity) => {
                    self.scope.definitions.entity_box(entity)
                }
                Kind::Entity(_) => Aabb::EMPTY,
                _ => object.bounds(),
            })
            .fold(Aabb::EMPTY, Aabb::union)
    }

    /// The map that brings one object onto what is solid on its way; `None` when there is nothing, or it lies there already.
    /// `up` is 1 for falling and -1 for rising.
    fn fall(
        &self,
        all: &BTreeSet<ObjectId>,
        id: ObjectId,
        bounds: Aabb,
        up: f64,
        align: bool,
        arrived: &[Aabb],
    ) -> Option<DAffine3> {
        let front = if up > 0.0 {
            bounds.min.y
        } else {
            -bounds.max.y
        };
        let on_boxes = arrived
            .iter()
            .filter(|other| overlaps_from_above(bounds, **other))
            .map(|other| if up > 0.0 { other.max.y } else { -other.min.y })
            .filter(|height| *height <= front + TOUCHING)
            .max_by(f64::total_cmp);
        let on_solids = self.highest_below(all, bounds, up, front);
        let height = match (on_boxes, on_solids) {
            (Some(a), Some(b)) => a.max(b),
            (a, b) => a.or(b)?,
        };
        let shift = DVec3::Y * ((height - front) * up);
        let turn = align
            .then(|| self.turn_to_surface(all, id, bounds, up))
            .flatten();
        match turn {
            Some((turn, surface)) => {
                let foot = DVec3::new(
                    bounds.center().x,
                    if up > 0.0 { bounds.min.y } else { bounds.max.y },
                    bounds.center().z,
                );
                let about = crate::geometry::transform::about(foot, turn);
                let map = DAffine3::from_translation(surface - foot) * about;
                (map != DAffine3::IDENTITY).then_some(map)
            }
            None => (shift.y.abs() > TOUCHING).then(|| DAffine3::from_translation(shift)),
        }
    }

    /// The highest place of anything solid in the column under the bounds, not above `front`. Heights are counted along `up`.
    fn highest_below(
        &self,
        all: &BTreeSet<ObjectId>,
        bounds: Aabb,
        up: f64,
        front: f64,
    ) -> Option<f64> {
        let far = f64::from(1 << 20);
        let mut column = bounds;
        if up > 0.0 {
            column.min.y = -far;
        } else {
            column.max.y = far;
        }
        let scope = self.scope;
        let mut best: Option<f64> = None;
        self.spatial.solids().query(column, |id| {
            if self.falls(all, id) || !scope.allows(id) {
                return;
            }
            let Some(object) = scope.doc.object(id) else {
                return;
            };
            for height in heights(&object.kind, bounds, up) {
                if height <= front + TOUCHING && best.is_none_or(|best| height > best) {
                    best = Some(height);
                }
            }
        });
        best
    }

    /// One of those that fall, or within one.
    fn falls(&self, all: &BTreeSet<ObjectId>, id: ObjectId) -> bool {
        std::iter::once(id)
            .chain(self.scope.doc.ancestors(id))
            .any(|id| all.contains(&id))
    }

    /// The turn that brings the object's up axis to the surface under the middle of its bounds, and the point there.
    fn turn_to_surface(
        &self,
        all: &BTreeSet<ObjectId>,
        id: ObjectId,
        bounds: Aabb,
        up: f64,
    ) -> Option<(DMat3, DVec3)> {
        let scope = self.scope;
        let center = bounds.center();
        let start = DVec3::new(
            center.x,
            if up > 0.0 { bounds.min.y } else { bounds.max.y } + up * TOUCHING,
            center.z,
        );
        let ray = Ray::new(start, DVec3::NEG_Y * up);
        let mut best: Option<pick::Hit> = None;
        self.spatial.solids().ray(ray, f64::INFINITY, |other, _| {
            let reach = best.map_or(f64::INFINITY, |hit| hit.distance);
            if !self.falls(all, other)
                && scope.allows(other)
                && let Some(hit) = scope
                    .doc
                    .object(other)
                    .and_then(|object| scope.hit_object(other, object, ray))
                    .filter(|hit| hit.distance < reach)
            {
                best = Some(hit);
            }
            best.map_or(f64::INFINITY, |hit| hit.distance)
        });
        let hit = best?;
        let own_up = match scope.doc.object(id).map(|object| &object.kind) {
            Some(Kind::Entity(entity)) => entity.rotation() * DVec3::Y,
            _ => DVec3::Y,
        };
        let towards = hit.normal * up;
        let turn = if own_up.distance(towards) < 1e-12 {
            DMat3::IDENTITY
        } else {
            DMat3::from_quat(glam::DQuat::from_rotation_arc(own_up, towards))
        };
        Some((turn, hit.point))
    }
}

/// True when the two boxes share ground seen from above.
fn overlaps_from_above(a: Aabb, b: Aabb) -> bool {
    [0, 2]
        .into_iter()
        .all(|axis| a.min[axis] < b.max[axis] - TOUCHING && b.min[axis] < a.max[axis] - TOUCHING)
}

/// The highest point, along `up`, of each face that looks there, within the ground of the bounds.
fn heights(kind: &Kind, bounds: Aabb, up: f64) -> Vec<f64> {
    let faces: Vec<Vec<DVec3>> = match kind {
        Kind::Brush(brush) => (0..brush.faces().len())
            .filter(|&face| brush.faces()[face].plane.normal.y * up > 0.0)
            .map(|face| brush.hull().face_points(face).collect())
            .collect(),
        Kind::Mesh(mesh) => mesh
            .polygons
            .iter()
            .filter_map(|polygon| mesh.positions(polygon))
            .filter(|corners| {
                crate::geometry::polygon::normal(corners).is_some_and(|normal| normal.y * up > 0.0)
            })
            .collect(),
        Kind::Entity(_) | Kind::Group(_) => Vec::new(),
    };
    let sides = [
        Plane::new(DVec3::X, bounds.max.x - TOUCHING),
        Plane::new(DVec3::NEG_X, -bounds.min.x - TOUCHING),
        Plane::new(DVec3::Z, bounds.max.z - TOUCHING),
        Plane::new(DVec3::NEG_Z, -bounds.min.z - TOUCHING),
    ];
    faces
        .into_iter()
        .filter_map(|corners| {
            let cut = sides
                .iter()
                .fold(corners, |corners, side| behind(&corners, *side));
            cut.into_iter()
                .map(|corner| corner.y * up)
                .max_by(f64::total_cmp)
        })
        .collect()
}

/// The part of a convex polygon behind a plane.
fn behind(corners: &[DVec3], plane: Plane) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (index, &from) in corners.iter().enumerate() {
        let to = corners[(index + 1) % corners.len()];
        let (a, b) = (plane.distance(from), plane.distance(to));
        if a <= 0.0 {
            kept.push(from);
        }
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            kept.push(from.lerp(to, a / (a - b)));
        }
    }
    kept
}
