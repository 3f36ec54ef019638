//! Transforms by key: quarter turns, flips, dropping, and the switches of the gizmo (ROT-1, FLP-1, MOV-7, MOV-8).

use glam::DAffine3;
use glam::DMat3;
use glam::DVec3;

use crate::document::EditError;
use crate::document::Kind;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::editor::Editor;
use crate::editor::ToolKind;
use crate::editor::pick;
use crate::editor::tools;
use crate::editor::tools::targets;
use crate::editor::tools::targets::Stage;
use crate::editor::tools::targets::Targets;
use crate::editor::tools::turning_axis;
use crate::editor::view::View;
use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::Ray;
use crate::geometry::transform::nearest_axis;

/// Something this little above or below counts as touching.
const TOUCHING: f64 = 1e-3;

/// About which axis a quarter turn goes (ROT-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turning {
    Yaw,
    Roll,
    Pitch,
}

/// The signed world axis of a turn in a view.
#[must_use]
pub fn axis_in_map(view: &View, turning: Turning) -> (usize, f64) {
    match turning {
        Turning::Yaw if !view.is_2d() => (1, 1.0),
        Turning::Yaw => nearest_axis(view.up()),
        // Towards the viewer, so that clockwise is what is seen.
        Turning::Roll => nearest_axis(-view.forward()),
        Turning::Pitch => nearest_axis(view.right()),
    }
}

impl Editor {
    fn targets(&self) -> Result<Targets, EditError> {
        Targets::new(
            self.history.committed(),
            &self.definitions,
            self.uv_lock(),
            self.settings.turn_entities,
            self.settings.uv_lock,
        )
        .ok_or_else(|| EditError::refused(targets::NOTHING))
    }

    /// ROT-1: a quarter turn about the pivot, or by the angle of the rotate tool while that is in hand. Clockwise is seen
    /// against the axis.
    pub(crate) fn turn(&mut self, turning: Turning, clockwise: bool) -> Result<(), EditError> {
        let targets = self.targets()?;
        let (axis, sign) = axis_in_map(self.active_view(), turning);
        let angle_deg = if self.tool() == ToolKind::Rotate {
            self.tools.rotate.angle_deg
        } else {
            90.0
        };
        let against = if clockwise { -sign } else { sign };
        let map = turning_axis(axis, self.pivot(), against * angle_deg);
        self.commit(&targets.turned("Rotate", map, Stage::Commit))
    }

    /// FLP-1: mirrors left-right or up-down as seen in the view, in the plane through the pivot.
    pub(crate) fn flip(&mut self, upside_down: bool) -> Result<(), EditError> {
        let targets = self.targets()?;
        let view = self.active_view();
        let (right, _) = nearest_axis(view.right());
        let axis = if upside_down {
            // The other axis, should both be nearest to one.
            let mut up = view.up();
            up[right] = 0.0;
            nearest_axis(up).0
        } else {
            right
        };
        let position = self.pivot()[axis];
        let lettering = self.settings.keep_lettering;
        self.commit(&targets.flipped(axis, position, lettering))
    }

    /// MOV-8: the axes of the gizmo while it is shown.
    #[must_use]
    pub fn gizmo_axes(&self) -> Option<DMat3> {
        self.gizmo.then(|| {
            if self.gizmo_is_local {
                tools::local_axes(self.history.committed())
            } else {
                DMat3::IDENTITY
            }
        })
    }

    /// MOV-7: each selected object falls, or rises, until its bounds touch something solid; `align` turns its up axis to the
    /// surface under its middle.
    pub(crate) fn drop_selection(&mut self, upward: bool, align: bool) -> Result<(), EditError> {
        let targets = self.targets()?;
        let up = if upward { -1.0 } else { 1.0 };
        let mut falling: Vec<(ObjectId, Aabb)> = targets
            .ids
            .iter()
            .map(|&id| (id, self.bounds_below(id)))
            .filter(|(_, bounds)| !bounds.is_empty())
            .collect();
        // Whatever lies in front arrives first and holds up what comes after it.
        falling.sort_by(|(a_id, a), (b_id, b)| {
            let key = |bounds: &Aabb| if upward { -bounds.max.y } else { bounds.min.y };
            key(a).total_cmp(&key(b)).then(a_id.cmp(b_id))
        });
        let mut arrived: Vec<Aabb> = Vec::new();
        let mut maps: Vec<(ObjectId, DAffine3)> = Vec::new();
        for (id, bounds) in falling {
            let map = self.fall(id, bounds, up, align, &arrived);
            let moved = map.map_or(bounds, |map| {
                Aabb::of_points(bounds.corners().map(|corner| map.transform_point3(corner)))
            });
            arrived.push(moved);
            maps.extend(map.map(|map| (id, map)));
        }
        if maps.is_empty() {
            return Err(EditError::refused(if upward {
                "There is nothing solid above"
            } else {
                "There is nothing solid below"
            }));
        }
        self.commit(&targets.each("Drop", maps))
    }

    /// Bounds of an object with everything below it; point entities by the box of their class.
    fn bounds_below(&self, id: ObjectId) -> Aabb {
        let doc = &self.history.committed().doc;
        doc.subtree(id)
            .into_iter()
            .filter_map(|id| Some((id, doc.object(id)?)))
            .map(|(id, object)| match &object.kind {
                Kind::Entity(entity) if pick::is_point_entity(doc, id, entity) => {
                    self.definitions.entity_box(entity)
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
        let on_solids = self.highest_below(bounds, up, front);
        let height = match (on_boxes, on_solids) {
            (Some(a), Some(b)) => a.max(b),
            (a, b) => a.or(b)?,
        };
        let shift = DVec3::Y * ((height - front) * up);
        let turn = align
            .then(|| self.turn_to_surface(id, bounds, up))
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
    fn highest_below(&self, bounds: Aabb, up: f64, front: f64) -> Option<f64> {
        let far = f64::from(1 << 20);
        let mut column = bounds;
        if up > 0.0 {
            column.min.y = -far;
        } else {
            column.max.y = far;
        }
        let scope = self.scope();
        let mut best: Option<f64> = None;
        self.spatial.solids().query(column, |id| {
            if self.is_selected_or_within(id) || !scope.allows(id) {
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

    fn is_selected_or_within(&self, id: ObjectId) -> bool {
        let state = self.history.committed();
        std::iter::once(id)
            .chain(state.doc.ancestors(id))
            .any(|id| state.selection.contains(&Pick::Object(id)))
    }

    /// The turn that brings the object's up axis to the surface under the middle of its bounds, and the point there.
    fn turn_to_surface(&self, id: ObjectId, bounds: Aabb, up: f64) -> Option<(DMat3, DVec3)> {
        let scope = self.scope();
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
            if !self.is_selected_or_within(other)
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
