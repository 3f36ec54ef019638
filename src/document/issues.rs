//! Rules a map is checked against; each gives an [`Issue`] with an object to fly to and, where one exists, a fix.
//!
//! Rules of one object look at nothing else; rules about names and doubles look at an [`Index`]. [`Problems`] keeps both for a
//! document that changes, and looks again only at what a change can concern.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::hash::Hash as _;
use std::hash::Hasher as _;
use std::sync::Arc;

use glam::DVec3;
use glam::Vec2;

use crate::document::Brush;
use crate::document::Change;
use crate::document::Document;
use crate::document::Edit;
use crate::document::Entity;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::ops;
use crate::geometry::Aabb;
use crate::geometry::HullFault;
use crate::geometry::Uv;
use crate::geometry::polygon;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Note,
    Warning,
    Error,
}

/// A problem of the map, or a message of the compiler.
#[derive(Clone, Debug)]
pub struct Issue {
    /// Stable: `C-OPEN-BRUSH`.
    pub code: &'static str,
    pub severity: Severity,
    pub object: Option<ObjectId>,
    pub face: Option<u32>,
    pub place: Option<DVec3>,
    pub text: String,
    pub fix: Option<Edit>,
}

/// The problems of a map, kept up to date by differences.
#[derive(Default)]
pub struct Problems {
    seen: Document,
    index: Index,
    own: BTreeMap<ObjectId, Vec<Issue>>,
    shared: BTreeMap<ObjectId, Vec<Issue>>,
}

impl Problems {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Catches up with `doc`. The work grows with what changed, not with the map, unless the material list got shorter.
    pub fn sync(&mut self, doc: &Document) {
        let seen = std::mem::take(&mut self.seen);
        let mut again: BTreeSet<ObjectId> = BTreeSet::new();
        for change in doc.changes_since(&seen) {
            let id = change.id();
            if let Change::Changed(_, _, old) | Change::Removed(_, old) = change {
                again.extend(self.index.concerned(old));
                self.index.remove(id, old);
            }
            if let Change::Added(_, new) | Change::Changed(_, new, _) = change {
                self.index.add(id, new);
                again.extend(self.index.concerned(new));
                again.insert(id);
                store(&mut self.own, id, own_issues(doc, id, new));
                // A group is empty or not by what its members say.
                for parent in [
                    new.parent,
                    if let Change::Changed(_, _, old) = change {
                        old.parent
                    } else {
                        None
                    },
                ]
                .into_iter()
                .flatten()
                {
                    self.look_at(doc, parent);
                }
            } else {
                self.own.remove(&id);
                self.shared.remove(&id);
                if let Change::Removed(_, old) = change
                    && let Some(parent) = old.parent
                {
                    self.look_at(doc, parent);
                }
            }
        }
        for id in again {
            let issues = doc
                .object(id)
                .map_or(Vec::new(), |object| self.index.issues(id, object));
            store(&mut self.shared, id, issues);
        }
        if doc.material_count() < seen.material_count() {
            let all: Vec<ObjectId> = doc.objects().map(|(id, _)| id).collect();
            for id in all {
                self.look_at(doc, id);
            }
        }
        self.seen = doc.clone();
    }

    fn look_at(&mut self, doc: &Document, id: ObjectId) {
        if let Some(object) = doc.object(id) {
            store(&mut self.own, id, own_issues(doc, id, object));
        }
    }

    /// All problems, by object.
    pub fn iter(&self) -> impl Iterator<Item = &Issue> {
        let ids: BTreeSet<ObjectId> = self.own.keys().chain(self.shared.keys()).copied().collect();
        ids.into_iter().flat_map(|id| self.of(id))
    }

    /// The problems of one object.
    pub fn of(&self, id: ObjectId) -> impl Iterator<Item = &Issue> {
        self.own
            .get(&id)
            .into_iter()
            .chain(self.shared.get(&id))
            .flatten()
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.own
            .values()
            .chain(self.shared.values())
            .map(Vec::len)
            .sum()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.own.is_empty() && self.shared.is_empty()
    }
}

fn store(into: &mut BTreeMap<ObjectId, Vec<Issue>>, id: ObjectId, issues: Vec<Issue>) {
    if issues.is_empty() {
        into.remove(&id);
    } else {
        into.insert(id, issues);
    }
}

/// Who has which name, who points at which, and who has which planes.
#[derive(Default)]
struct Index {
    named: BTreeMap<String, BTreeSet<ObjectId>>,
    pointing: BTreeMap<String, BTreeSet<ObjectId>>,
    /// By a hash of the planes: only ever asked for single keys.
    alike: HashMap<u64, BTreeSet<(ObjectId, ShapeKey)>>,
}

/// Planes in one order, as bits; shared because long.
type ShapeKey = Arc<[[u64; 4]]>;

impl Index {
    fn add(&mut self, id: ObjectId, object: &Object) {
        match &object.kind {
            Kind::Entity(entity) => {
                for (map, name) in self.names(entity) {
                    map.entry(name.to_owned()).or_default().insert(id);
                }
            }
            Kind::Brush(brush) => {
                let (hash, key) = shape_key(brush);
                self.alike.entry(hash).or_default().insert((id, key));
            }
            Kind::Mesh(_) | Kind::Group(_) => {}
        }
    }

    fn remove(&mut self, id: ObjectId, object: &Object) {
        match &object.kind {
            Kind::Entity(entity) => {
                for (map, name) in self.names(entity) {
                    if let Some(ids) = map.get_mut(name) {
                        ids.remove(&id);
                        if ids.is_empty() {
                            map.remove(name);
                        }
                    }
                }
            }
            Kind::Brush(brush) => {
                let (hash, _) = shape_key(brush);
                if let Some(ids) = self.alike.get_mut(&hash) {
                    ids.retain(|(other, _)| *other != id);
                    if ids.is_empty() {
                        self.alike.remove(&hash);
                    }
                }
            }
            Kind::Mesh(_) | Kind::Group(_) => {}
        }
    }

    /// The maps an entity is in, with its names there.
    fn names<'a, 'b>(
        &'a mut self,
        entity: &'b Entity,
    ) -> Vec<(&'a mut BTreeMap<String, BTreeSet<ObjectId>>, &'b str)> {
        let name = entity.key("targetname").filter(|name| !name.is_empty());
        let target = entity.key("target").filter(|name| !name.is_empty());
        let mut found = Vec::new();
        found.extend(name.map(|name| (&mut self.named, name)));
        found.extend(target.map(|name| (&mut self.pointing, name)));
        found
    }

    /// Objects whose problems may change when this one appears or goes.
    fn concerned(&self, object: &Object) -> Vec<ObjectId> {
        match &object.kind {
            Kind::Entity(entity) => {
                let name = entity.key("targetname").unwrap_or("");
                [self.pointing.get(name), self.named.get(name)]
                    .into_iter()
                    .flatten()
                    .flatten()
                    .copied()
                    .collect()
            }
            Kind::Brush(brush) => self
                .alike
                .get(&shape_key(brush).0)
                .into_iter()
                .flatten()
                .map(|(id, _)| *id)
                .collect(),
            Kind::Mesh(_) | Kind::Group(_) => Vec::new(),
        }
    }

    fn issues(&self, id: ObjectId, object: &Object) -> Vec<Issue> {
        let mut found = Vec::new();
        match &object.kind {
            Kind::Entity(entity) => {
                if let Some(target) = entity
                    .key("target")
                    .filter(|target| !target.is_empty() && !self.named.contains_key(*target))
                {
                    found.push(Issue {
                        face: None,
                        fix: Some(ops::entities::remove_key(vec![id], "target")),
                        ..issue(
                            "C-DANGLING-TARGET",
                            Severity::Warning,
                            id,
                            object,
                            format!(
                                "{} points at \"{target}\", which nothing is named",
                                entity.class
                            ),
                        )
                    });
                }
                let name = entity.key("targetname").unwrap_or("");
                if let Some(others) = self.named.get(name).filter(|ids| ids.len() > 1) {
                    found.push(issue(
                        "C-SHARED-NAME",
                        Severity::Note,
                        id,
                        object,
                        format!("{} entities share the name \"{name}\"", others.len()),
                    ));
                }
            }
            Kind::Brush(brush) => {
                let (hash, key) = shape_key(brush);
                let twin = self
                    .alike
                    .get(&hash)
                    .into_iter()
                    .flatten()
                    .find(|(other, planes)| *other < id && *planes == key);
                if let Some((twin, _)) = twin
                    && brush.fault().is_none()
                {
                    found.push(Issue {
                        fix: Some(ops::objects::delete(vec![id])),
                        ..issue(
                            "C-DUPLICATE",
                            Severity::Warning,
                            id,
                            object,
                            format!("The brush lies exactly on brush {twin}"),
                        )
                    });
                }
            }
            Kind::Mesh(_) | Kind::Group(_) => {}
        }
        found
    }
}

/// The planes of a brush in an order that does not depend on that of its faces, and a hash of them.
fn shape_key(brush: &Brush) -> (u64, ShapeKey) {
    // `+ 0.0` makes one zero of two.
    let mut planes: Vec<[u64; 4]> = brush
        .faces()
        .iter()
        .map(|face| {
            [
                face.plane.normal.x,
                face.plane.normal.y,
                face.plane.normal.z,
                face.plane.dist,
            ]
            .map(|value| (value + 0.0).to_bits())
        })
        .collect();
    planes.sort_unstable();
    let mut hasher = siphasher::sip::SipHasher13::new();
    planes.hash(&mut hasher);
    (hasher.finish(), planes.into())
}

fn issue(
    code: &'static str,
    severity: Severity,
    id: ObjectId,
    object: &Object,
    text: String,
) -> Issue {
    let bounds = object.bounds();
    let place = (!bounds.is_empty() && bounds.center().is_finite()).then(|| bounds.center());
    Issue {
        code,
        severity,
        object: Some(id),
        face: None,
        place,
        text,
        fix: None,
    }
}

/// Problems that an object has by itself.
fn own_issues(doc: &Document, id: ObjectId, object: &Object) -> Vec<Issue> {
    let mut found = Vec::new();
    match &object.kind {
        Kind::Brush(brush) => brush_issues(doc, id, object, brush, &mut found),
        Kind::Mesh(mesh) => mesh_issues(doc, id, object, mesh, &mut found),
        Kind::Entity(entity) => entity_issues(doc, id, object, entity, &mut found),
        Kind::Group(_) => {
            if doc.children(Some(id)).next().is_none() {
                let fix = Some(ops::objects::delete(vec![id]));
                found.push(Issue {
                    fix,
                    ..issue(
                        "C-EMPTY-GROUP",
                        Severity::Note,
                        id,
                        object,
                        "The group has no members".to_owned(),
                    )
                });
            }
        }
    }
    if object
        .parent
        .is_some_and(|parent| doc.object(parent).is_none())
    {
        let to_world = Edit::new("Back to world", move |draft, _| {
            draft.update(id, |object| object.parent = None);
            Ok(())
        });
        found.push(Issue {
            fix: Some(to_world),
            ..issue(
                "C-OWNER",
                Severity::Error,
                id,
                object,
                "What it belongs to is not in the map".to_owned(),
            )
        });
    }
    let bounds = object.bounds();
    if !bounds.is_empty() && is_far(bounds) {
        let limit = ops::brushes::WORLD_LIMIT;
        found.push(issue(
            "C-FAR",
            Severity::Warning,
            id,
            object,
            format!("It reaches beyond {limit} units, where positions are coarse"),
        ));
    }
    found
}

fn is_far(bounds: Aabb) -> bool {
    bounds.min.abs().max(bounds.max.abs()).max_element() > ops::brushes::WORLD_LIMIT
}

fn brush_issues(
    doc: &Document,
    id: ObjectId,
    object: &Object,
    brush: &Brush,
    found: &mut Vec<Issue>,
) {
    if let Some(fault) = brush.fault() {
        let code = match fault {
            HullFault::NotFinite => "C-NOT-FINITE",
            HullFault::BadPlane(_) => "C-BAD-PLANE",
            HullFault::TooFewFaces => "C-FEW-FACES",
            HullFault::Open => "C-OPEN-BRUSH",
            HullFault::Empty => "C-EMPTY-BRUSH",
        };
        let face = if let HullFault::BadPlane(face) = fault {
            Some(face as u32)
        } else {
            None
        };
        let fix = Some(ops::objects::delete(vec![id]));
        found.push(Issue {
            face,
            fix,
            ..issue(
                code,
                Severity::Error,
                id,
                object,
                format!("The brush is broken: {fault}"),
            )
        });
    }
    let is_carving = object.flags.has(ObjectFlags::SUBTRACT) && brush.contents().0 != 0;
    if is_carving {
        let fix = Some(ops::brushes::set_contents(
            vec![id],
            crate::document::Contents::default(),
        ));
        found.push(Issue {
            fix,
            ..issue(
                "C-SUBTRACT-CONTENTS",
                Severity::Warning,
                id,
                object,
                "A subtractive brush has contents of its own".to_owned(),
            )
        });
    }
    for (index, face) in brush.faces().iter().enumerate() {
        let index = index as u32;
        let at_face = |code, severity, text: &str| Issue {
            face: Some(index),
            ..issue(code, severity, id, object, text.to_owned())
        };
        if is_missing(doc, face.material) {
            let fix = Some(ops::faces::set_material(
                [crate::document::Pick::Face(id, index)].into(),
                None,
            ));
            found.push(Issue {
                fix,
                ..at_face(
                    "C-MATERIAL",
                    Severity::Error,
                    "The face's material is not in the list",
                )
            });
        }
        if has_zero_scale(&face.uv) {
            found.push(Issue {
                fix: Some(scale_fix(id, index)),
                ..at_face(
                    "C-UV-SCALE",
                    Severity::Warning,
                    "The texture scale is zero; it counts as 1",
                )
            });
        }
    }
}

fn mesh_issues(doc: &Document, id: ObjectId, object: &Object, mesh: &Mesh, found: &mut Vec<Issue>) {
    for (index, face) in mesh.polygons.iter().enumerate() {
        let at_face = |code, severity, text: &str| Issue {
            face: Some(index as u32),
            ..issue(code, severity, id, object, text.to_owned())
        };
        if is_missing(doc, face.material) {
            found.push(at_face(
                "C-MATERIAL",
                Severity::Error,
                "The polygon's material is not in the list",
            ));
        }
        if has_zero_scale(&face.proj) && face.uvs.is_empty() {
            found.push(Issue {
                fix: Some(scale_fix(id, index as u32)),
                ..at_face(
                    "C-UV-SCALE",
                    Severity::Warning,
                    "The texture scale is zero; it counts as 1",
                )
            });
        }
        if !mesh.is_sound(face) {
            found.push(at_face(
                "C-POLYGON",
                Severity::Error,
                "The polygon has fewer than three corners, a corner twice or one that is missing",
            ));
            continue;
        }
        let corners = mesh.positions(face).unwrap_or_default();
        // W-NONPLANAR of the file rules.
        if corners.len() > 3
            && polygon::off_plane(&corners) > (1e-4 * polygon::perimeter(&corners)).max(0.01)
        {
            found.push(at_face(
                "C-NON-PLANAR",
                Severity::Warning,
                "The polygon is not flat; it is built as triangles",
            ));
        }
    }
}

fn entity_issues(
    doc: &Document,
    id: ObjectId,
    object: &Object,
    entity: &Entity,
    found: &mut Vec<Issue>,
) {
    if entity.class.is_empty() {
        found.push(issue(
            "C-CLASS",
            Severity::Warning,
            id,
            object,
            "The entity has no class".to_owned(),
        ));
    }
    let mut names: Vec<&str> = entity.keys.iter().map(|(key, _)| key.as_str()).collect();
    names.sort_unstable();
    if let Some(&[name, _]) = names.array_windows().find(|[a, b]| a == b) {
        found.push(issue(
            "C-KEY-TWICE",
            Severity::Warning,
            id,
            object,
            format!("The property \"{name}\" is there twice; the first counts"),
        ));
    }
    if entity.class == "worldspawn" && doc.children(Some(id)).next().is_some() {
        let members: Vec<ObjectId> = doc.children(Some(id)).collect();
        let fix = Some(ops::entities::to_world(members));
        found.push(Issue {
            fix,
            ..issue(
                "C-WORLD-OWNER",
                Severity::Warning,
                id,
                object,
                "The world entity owns objects; they belong to the world itself".to_owned(),
            )
        });
    }
}

fn is_missing(doc: &Document, material: Option<MaterialId>) -> bool {
    material.is_some_and(|material| doc.material(material).is_none())
}

fn has_zero_scale(uv: &Uv) -> bool {
    uv.scale.x == 0.0 || uv.scale.y == 0.0
}

/// Writes 1 where the scale is 0.
fn scale_fix(id: ObjectId, index: u32) -> Edit {
    let sound = |scale: Vec2| Vec2::select(scale.cmpeq(Vec2::ZERO), Vec2::ONE, scale);
    Edit::new("Fix texture scale", move |draft, _| {
        draft.update(id, |object| match &mut object.kind {
            Kind::Brush(brush) => {
                let mut faces = brush.faces().to_vec();
                if let Some(face) = faces.get_mut(index as usize) {
                    face.uv.scale = sound(face.uv.scale);
                }
                *brush = brush.with_surfaces(faces);
            }
            Kind::Mesh(mesh) => {
                if let Some(polygon) = mesh.polygons.get_mut(index as usize) {
                    polygon.proj.scale = sound(polygon.proj.scale);
                }
            }
            Kind::Entity(_) | Kind::Group(_) => {}
        });
        Ok(())
    })
}

#[cfg(test)]
mod tests;
