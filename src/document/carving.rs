//! Which SUBTRACT brushes carve which brushes, and the surface that they leave (CSG-2): what views draw and picks hit. The
//! compiler carves solids by itself; both follow `hmap.md` 2.3.

use std::collections::BTreeSet;

use glam::DVec3;

use crate::document::Brush;
use crate::document::Change;
use crate::document::Document;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::geometry::Aabb;
use crate::geometry::Bvh;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// Distance within which points are on a plane.
const ON_PLANE: f64 = 1e-3;

/// Normals of one plane.
const SAME_NORMAL: f64 = 0.99999;

/// Follows documents by their differences.
#[derive(Default)]
pub struct Carving {
    seen: Document,
    carvers: Bvh<ObjectId>,
}

/// True when the object carves in builds.
fn carves(doc: &Document, id: ObjectId, object: &Object) -> bool {
    object.flags.has(ObjectFlags::SUBTRACT)
        && object.brush().is_some_and(|brush| brush.fault().is_none())
        && !doc.is_left_out(id)
}

impl Carving {
    /// True when nothing carves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.carvers.is_empty()
    }

    /// The carving brushes.
    #[must_use]
    pub fn carvers(&self) -> &Bvh<ObjectId> {
        &self.carvers
    }

    /// Catches up. Returns the brushes that did not change themselves but may look otherwise now.
    pub fn sync(&mut self, doc: &Document) -> BTreeSet<ObjectId> {
        let mut dirty = BTreeSet::new();
        if doc.same(&self.seen) {
            return dirty;
        }
        let old = std::mem::replace(&mut self.seen, doc.clone());
        let mut regions: Vec<Aabb> = Vec::new();
        let mut anew = !self.carvers.is_empty() && doc.layer_changes_since(&old).next().is_some();
        for change in doc.changes_since(&old) {
            let (id, now, before) = match change {
                Change::Added(id, now) => (id, Some(now), None),
                Change::Changed(id, now, before) => (id, Some(now), Some(before)),
                Change::Removed(id, before) => (id, None, Some(before)),
            };
            // What a container passes down may change what is carved below it.
            let holds = |object: &Object| matches!(object.kind, Kind::Entity(_) | Kind::Group(_));
            if let (Some(now), Some(before)) = (now, before) {
                anew |= (holds(now) || holds(before))
                    && (now.parent != before.parent
                        || now.layer != before.layer
                        || now.visgroups != before.visgroups
                        || now.flags != before.flags
                        || std::mem::discriminant(&now.kind)
                            != std::mem::discriminant(&before.kind));
            }
            let had = self.carvers.get(id);
            let has = now.filter(|now| carves(doc, id, now)).map(Object::bounds);
            regions.extend(had);
            regions.extend(has);
            match has {
                Some(bounds) => self.carvers.insert(id, bounds),
                None if had.is_some() => {
                    self.carvers.remove(id);
                }
                None => {}
            }
        }
        if anew && (!self.carvers.is_empty() || !regions.is_empty()) {
            let mut all = Bvh::new();
            std::mem::swap(&mut all, &mut self.carvers);
            self.carvers = Bvh::build(
                doc.objects()
                    .filter(|(id, object)| carves(doc, *id, object))
                    .map(|(id, object)| (id, object.bounds())),
            );
            for (id, object) in doc.objects().filter(|(_, object)| is_carved_kind(object)) {
                if touches(&all, object.bounds()) || touches(&self.carvers, object.bounds()) {
                    dirty.insert(id);
                }
            }
        }
        if !regions.is_empty() {
            let regions: Bvh<u32> = Bvh::build((0..).zip(regions));
            for (id, object) in doc.objects().filter(|(_, object)| is_carved_kind(object)) {
                if touches(&regions, object.bounds()) {
                    dirty.insert(id);
                }
            }
        }
        dirty
    }

    /// What carves a brush: later in document order, of the same owner, sharing its space. In document order.
    #[must_use]
    pub fn carvers_of(&self, id: ObjectId) -> Vec<ObjectId> {
        if self.carvers.is_empty() {
            return Vec::new();
        }
        let doc = &self.seen;
        let Some(object) = doc.object(id) else {
            return Vec::new();
        };
        let Some(brush) = object.brush().filter(|_| is_carved_kind(object)) else {
            return Vec::new();
        };
        if brush.fault().is_some() {
            return Vec::new();
        }
        let owner = doc.owner(id);
        let mut found: Vec<(u32, ObjectId)> = Vec::new();
        self.carvers.query(brush.hull().bounds(), |carver| {
            if let Some(other) = doc.object(carver)
                && (other.order, carver) > (object.order, id)
                && doc.owner(carver) == owner
                && other.brush().is_some_and(|other| share_space(brush, other))
            {
                found.push((other.order, carver));
            }
        });
        found.sort_unstable();
        found.into_iter().map(|(_, id)| id).collect()
    }
}

fn is_carved_kind(object: &Object) -> bool {
    object.brush().is_some() && !object.flags.has(ObjectFlags::SUBTRACT)
}

fn touches<K: Copy + Eq + std::hash::Hash + Ord>(boxes: &Bvh<K>, bounds: Aabb) -> bool {
    let mut any = false;
    boxes.query(bounds, |_| any = true);
    any
}

/// False when a face of one has the other wholly in front.
fn share_space(a: &Brush, b: &Brush) -> bool {
    let parted = |a: &Brush, b: &Brush| {
        planes(a).any(|plane| {
            b.hull()
                .points()
                .iter()
                .all(|&point| plane.distance(point) >= -ON_PLANE)
        })
    };
    !parted(a, b) && !parted(b, a)
}

/// Unit planes of faces that are there.
fn planes(brush: &Brush) -> impl Iterator<Item = Plane> + '_ {
    brush
        .faces()
        .iter()
        .zip(brush.hull().loops())
        .filter(|(_, corners)| corners.len() >= 3)
        .filter_map(|(face, _)| face.plane.unit())
}

/// A convex piece of a carved surface.
#[derive(Clone, Debug, PartialEq)]
pub struct CarvedFace {
    /// The carver whose face it is, seen from inside; `None` = of the brush itself.
    pub of: Option<ObjectId>,
    pub face: u32,
    /// Counter-clockwise seen from the open side.
    pub corners: Vec<DVec3>,
}

/// What is to be seen of a carved brush.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carved {
    pub faces: Vec<CarvedFace>,
    /// Edges of the brush that are left, and the rims and corners of its holes.
    pub edges: Vec<[DVec3; 2]>,
}

/// The surface of a brush that these carve.
#[must_use]
pub fn carved(doc: &Document, brush: &Brush, carvers: &[ObjectId]) -> Carved {
    let list: Vec<(ObjectId, &Brush)> = carvers
        .iter()
        .filter_map(|&id| Some((id, doc.object(id)?.brush()?)))
        .collect();
    let solids: Vec<Vec<Plane>> = list
        .iter()
        .map(|(_, carver)| planes(carver).collect())
        .collect();
    let own: Vec<Plane> = planes(brush).collect();
    let mut out = Carved::default();
    for (index, face) in brush.faces().iter().enumerate() {
        let corners: Vec<DVec3> = brush.hull().face_points(index).collect();
        let Some(plane) = face.plane.unit().filter(|_| corners.len() >= 3) else {
            continue;
        };
        let mut open = vec![corners];
        for solid in &solids {
            // One that only touches the face from outside leaves it.
            if !solid.iter().any(|other| same(*other, plane.flipped())) {
                open = outside(open, solid, plane);
            }
        }
        out.faces.extend(open.into_iter().map(|corners| CarvedFace {
            of: None,
            face: index as u32,
            corners,
        }));
    }
    for [a, b] in brush.hull().edges() {
        let (a, b) = (
            brush.hull().points()[a as usize],
            brush.hull().points()[b as usize],
        );
        add_edges(&mut out.edges, a, b, &solids, usize::MAX);
    }
    for (number, (id, carver)) in list.iter().enumerate() {
        for (index, face) in carver.faces().iter().enumerate() {
            let corners: Vec<DVec3> = carver.hull().face_points(index).collect();
            let Some(plane) = face.plane.unit().filter(|_| corners.len() >= 3) else {
                continue;
            };
            // On the brush's own surface there is nothing behind it.
            if own
                .iter()
                .any(|own| same(*own, plane) || same(*own, plane.flipped()))
            {
                continue;
            }
            let within = own.iter().fold(corners, |rest, own| {
                if rest.len() < 3 {
                    rest
                } else {
                    polygon::clip_back(&rest, *own, ON_PLANE)
                }
            });
            if within.len() < 3 {
                continue;
            }
            for at in 0..within.len() {
                let (a, b) = (within[at], within[(at + 1) % within.len()]);
                add_edges(&mut out.edges, a, b, &solids, number);
            }
            let mut open = vec![within];
            for (other, solid) in solids.iter().enumerate() {
                // Of two that end on one plane the first shows the face.
                let twin = solid.iter().any(|other| same(*other, plane));
                if other != number && (!twin || other < number) {
                    open = outside(open, solid, plane);
                }
            }
            out.faces.extend(open.into_iter().map(|mut corners| {
                corners.reverse();
                CarvedFace {
                    of: Some(*id),
                    face: index as u32,
                    corners,
                }
            }));
        }
    }
    dedup_edges(&mut out.edges);
    out
}

fn same(a: Plane, b: Plane) -> bool {
    a.normal.dot(b.normal) > SAME_NORMAL && (a.dist - b.dist).abs() <= ON_PLANE
}

/// What of convex polygons on a plane lies outside of a convex solid; those it does not reach stay whole.
fn outside(open: Vec<Vec<DVec3>>, solid: &[Plane], on: Plane) -> Vec<Vec<DVec3>> {
    let mut left = Vec::with_capacity(open.len());
    for ring in open {
        let mut pieces = Vec::new();
        let mut rest = ring.clone();
        for &plane in solid {
            if same(plane, on) || same(plane, on.flipped()) {
                continue;
            }
            let (front, back) = polygon::split(&rest, plane, ON_PLANE);
            if front.len() >= 3 {
                pieces.push(front);
            }
            rest = back;
            if rest.len() < 3 {
                break;
            }
        }
        if rest.len() < 3 {
            left.push(ring);
        } else {
            left.append(&mut pieces);
        }
    }
    left
}

/// The parts of a segment that are outside of all solids but one.
fn add_edges(out: &mut Vec<[DVec3; 2]>, a: DVec3, b: DVec3, solids: &[Vec<Plane>], but: usize) {
    let length = a.distance(b);
    if length <= ON_PLANE {
        return;
    }
    let mut spans = vec![(0.0f64, 1.0f64)];
    for (_, solid) in solids.iter().enumerate().filter(|(at, _)| *at != but) {
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        for plane in solid {
            let (from, to) = (plane.distance(a) - ON_PLANE, plane.distance(b) - ON_PLANE);
            if from > 0.0 && to > 0.0 {
                (enter, leave) = (1.0, 0.0);
                break;
            }
            if from > 0.0 {
                enter = enter.max(from / (from - to));
            } else if to > 0.0 {
                leave = leave.min(from / (from - to));
            }
        }
        if enter >= leave {
            continue;
        }
        spans = spans
            .into_iter()
            .flat_map(|(start, end)| [(start, end.min(enter)), (start.max(leave), end)])
            .filter(|(start, end)| (end - start) * length > 2.0 * ON_PLANE)
            .collect();
    }
    out.extend(
        spans
            .into_iter()
            .map(|(start, end)| [a.lerp(b, start), a.lerp(b, end)]),
    );
}

/// Neighbouring faces have their edges in common.
fn dedup_edges(edges: &mut Vec<[DVec3; 2]>) {
    let key = |point: DVec3| (point * 64.0).round().as_i64vec3().to_array();
    let mut seen = BTreeSet::new();
    edges.retain(|[a, b]| {
        let (a, b) = (key(*a), key(*b));
        seen.insert((a.min(b), a.max(b)))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Contents;
    use crate::document::ops::brushes::toggle_subtractive;
    use crate::document::ops::testing::commit;
    use crate::document::ops::testing::id;
    use crate::document::ops::testing::map;

    fn cuboid(min: [f64; 3], max: [f64; 3]) -> Brush {
        Brush::cuboid(Aabb::new(DVec3::from(min), DVec3::from(max)), None)
    }

    /// A wall, and brushes that carve it.
    fn wall(carvers: &[([f64; 3], [f64; 3])]) -> (Document, Vec<ObjectId>) {
        let mut draft = Document::default().edit();
        draft.insert(Object::new(Kind::Brush(cuboid(
            [0.0; 3],
            [256.0, 128.0, 16.0],
        ))));
        for &(min, max) in carvers {
            let brush = cuboid(min, max).with_contents(Contents::default());
            draft.insert(Object {
                flags: ObjectFlags::SUBTRACT,
                ..Object::new(Kind::Brush(brush))
            });
        }
        let doc = draft.finish().expect("sound");
        let mut carving = Carving::default();
        carving.sync(&doc);
        let carvers = carving.carvers_of(id(1));
        (doc, carvers)
    }

    fn surface(doc: &Document, carvers: &[ObjectId]) -> Carved {
        let brush = doc.object(id(1)).and_then(Object::brush).expect("brush");
        carved(doc, brush, carvers)
    }

    fn area(carved: &Carved, of_carvers: bool) -> f64 {
        carved
            .faces
            .iter()
            .filter(|face| face.of.is_some() == of_carvers)
            .map(|face| polygon::area(&face.corners))
            .sum()
    }

    #[test]
    fn csg_2_a_window_has_a_rim_and_four_sides() {
        let (doc, carvers) = wall(&[([96.0, 32.0, -8.0], [160.0, 96.0, 24.0])]);
        assert_eq!(carvers, vec![id(2)]);
        let carved = surface(&doc, &carvers);
        let whole = 2.0 * (256.0 * 128.0 + 256.0 * 16.0 + 128.0 * 16.0);
        assert_eq!(area(&carved, false), whole - 2.0 * 64.0 * 64.0);
        assert_eq!(area(&carved, true), 4.0 * 64.0 * 16.0);
        assert_eq!(carved.edges.len(), 12 + 12);
        // The sides look into the hole.
        for face in carved.faces.iter().filter(|face| face.of.is_some()) {
            let normal = polygon::normal(&face.corners).expect("area");
            let middle = DVec3::new(128.0, 64.0, 8.0);
            assert!(normal.dot(middle - face.corners[0]) > 0.0);
        }
    }

    #[test]
    fn csg_2_a_door_to_the_floor_has_no_sill() {
        let (doc, carvers) = wall(&[([96.0, 0.0, 0.0], [160.0, 96.0, 16.0])]);
        let carved = surface(&doc, &carvers);
        assert_eq!(area(&carved, true), (2.0 * 96.0 + 64.0) * 16.0);
        let whole = 2.0 * (256.0 * 128.0 + 256.0 * 16.0 + 128.0 * 16.0);
        assert_eq!(
            area(&carved, false),
            whole - 2.0 * 64.0 * 96.0 - 64.0 * 16.0
        );
    }

    #[test]
    fn csg_2_carvers_that_meet_leave_nothing_between() {
        let (doc, carvers) = wall(&[
            ([96.0, 32.0, -8.0], [128.0, 96.0, 24.0]),
            ([128.0, 32.0, -8.0], [160.0, 96.0, 24.0]),
            ([112.0, 32.0, -8.0], [144.0, 64.0, 24.0]),
            ([300.0, 0.0, 0.0], [400.0, 64.0, 24.0]),
            ([0.0, 128.0, 0.0], [64.0, 200.0, 24.0]),
        ]);
        assert_eq!(carvers.len(), 3, "touching is not carving");
        let carved = surface(&doc, &carvers);
        assert_eq!(area(&carved, true), 4.0 * 64.0 * 16.0);
    }

    #[test]
    fn csg_2_what_changed_is_found() {
        let mut history = map();
        let mut carving = Carving::default();
        assert!(carving.sync(&history.committed().doc).is_empty());
        commit(&mut history, &toggle_subtractive(vec![id(3)]));
        // The brush of the group touches no other.
        assert!(carving.sync(&history.committed().doc).is_empty());
        let moved = crate::document::ops::transform::move_by(
            vec![id(3)],
            DVec3::X * -48.0,
            crate::document::UvLock::World,
        );
        commit(&mut history, &moved);
        assert_eq!(
            carving.sync(&history.committed().doc),
            BTreeSet::from([id(1)])
        );
        assert_eq!(carving.carvers_of(id(1)), vec![id(3)]);
        assert_eq!(carving.carvers_of(id(5)), vec![], "another owner");
        history.undo();
        assert_eq!(
            carving.sync(&history.committed().doc),
            BTreeSet::from([id(1)])
        );
        assert_eq!(carving.carvers_of(id(1)), vec![]);
    }
}
