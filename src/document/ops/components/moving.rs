//! Moving, fusing, adding and deleting vertices of the picked handles (VTX-2 to VTX-5).

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::DAffine3;
use glam::DVec3;

use crate::document::Brush;
use crate::document::Document;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Selection;
use crate::document::ops::components::convex::Reshaper;
use crate::document::ops::components::convex::Stop;
use crate::document::ops::components::convex::Tiles;
use crate::document::ops::components::settling;
use crate::document::ops::components::shape::ComponentKind;
use crate::document::ops::components::shape::Shape;
use crate::document::ops::components::shape::of_kind;
use crate::document::ops::faces::Value;
use crate::document::ops::meshes;

const KINDS: [ComponentKind; 3] = [
    ComponentKind::Vertex,
    ComponentKind::Edge,
    ComponentKind::Face,
];

/// Label of the undo step of moving handles of a kind.
fn move_label(kind: Option<ComponentKind>) -> &'static str {
    match kind {
        Some(ComponentKind::Edge) => "Move edges",
        Some(ComponentKind::Face) => "Move faces",
        _ => "Move vertices",
    }
}

/// A picked handle and where its vertices are.
#[derive(Clone, Debug)]
struct Picked {
    kind: ComponentKind,
    id: ObjectId,
    vertices: Vec<u32>,
}

#[derive(Clone, Debug)]
enum Body {
    Brush(Box<Reshaper>),
    Mesh(Mesh, BTreeSet<u32>),
}

/// The picked handles of a selection, made ready to be moved many times.
#[derive(Clone, Debug)]
pub struct Handles {
    bodies: Vec<(ObjectId, Body)>,
    picked: Vec<Picked>,
}

impl Handles {
    /// `None` when no handle is picked.
    #[must_use]
    pub fn of(doc: &Document, selection: &Selection) -> Option<Self> {
        let mut moving: BTreeMap<ObjectId, BTreeSet<u32>> = BTreeMap::new();
        let mut picked = Vec::new();
        let mut shapes: BTreeMap<ObjectId, Option<Shape>> = BTreeMap::new();
        for kind in KINDS {
            for (id, index) in of_kind(selection, kind) {
                let shape = shapes
                    .entry(id)
                    .or_insert_with(|| Shape::of_object(doc, id));
                let Some(shape) = shape else { continue };
                let vertices = shape.vertices(kind, index);
                if vertices.is_empty() {
                    continue;
                }
                moving.entry(id).or_default().extend(&vertices);
                picked.push(Picked { kind, id, vertices });
            }
        }
        let bodies: Vec<(ObjectId, Body)> = moving
            .into_iter()
            .filter_map(|(id, moving)| {
                let body = match &doc.object(id)?.kind {
                    Kind::Brush(brush) => {
                        Body::Brush(Box::new(Reshaper::new(brush.clone(), moving)))
                    }
                    Kind::Mesh(mesh) => Body::Mesh(mesh.clone(), moving),
                    _ => return None,
                };
                Some((id, body))
            })
            .collect();
        (!bodies.is_empty()).then_some(Self { bodies, picked })
    }

    /// Label of the undo step of moving them.
    #[must_use]
    pub fn move_label(&self) -> &'static str {
        move_label(self.picked.first().map(|picked| picked.kind))
    }

    /// Number of handles.
    #[must_use]
    pub fn count(&self) -> usize {
        self.picked.len()
    }

    /// Where each handle is: the mean of its vertices.
    pub fn places(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.picked.iter().filter_map(|picked| {
            let points = self.points(picked.id)?;
            let sum: DVec3 = picked.vertices.iter().map(|&v| points[v as usize]).sum();
            Some(sum / picked.vertices.len() as f64)
        })
    }

    fn points(&self, id: ObjectId) -> Option<&[DVec3]> {
        let place = self.bodies.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(match &self.bodies[place].1 {
            Body::Brush(reshaper) => reshaper.brush().hull().points(),
            Body::Mesh(mesh, _) => &mesh.points,
        })
    }

    /// Every moving vertex where `to` puts it.
    ///
    /// # Errors
    /// The rule that a brush or mesh would break.
    pub fn mapped(
        &self,
        doc: &Document,
        to: &dyn Fn(DVec3) -> DVec3,
        hold: bool,
    ) -> Result<Reshape, Stop> {
        self.each_mapped(doc, &|_, _, point| to(point), hold)
    }

    fn each_mapped(
        &self,
        doc: &Document,
        to: &dyn Fn(ObjectId, u32, DVec3) -> DVec3,
        hold: bool,
    ) -> Result<Reshape, Stop> {
        let tile = |material: Option<MaterialId>| doc.tile_size(material);
        let mut changes = Vec::with_capacity(self.bodies.len());
        let mut absorbed = false;
        for (id, body) in &self.bodies {
            let points = self.points(*id).unwrap_or_default();
            let targets: BTreeMap<u32, DVec3> = body
                .moving()
                .iter()
                .map(|&vertex| (vertex, to(*id, vertex, points[vertex as usize])))
                .collect();
            let (kind, gone) = body.moved(&targets, hold, &tile)?;
            absorbed |= gone;
            changes.push((*id, kind));
        }
        let picked = self
            .picked
            .iter()
            .map(|picked| {
                let points = self.points(picked.id).unwrap_or_default();
                let places = picked
                    .vertices
                    .iter()
                    .map(|&vertex| to(picked.id, vertex, points[vertex as usize]))
                    .collect();
                (picked.kind, picked.id, places)
            })
            .collect();
        Ok(Reshape {
            changes,
            picked,
            absorbed,
        })
    }

    /// What is left without the picked vertices.
    fn removed(&self, doc: &Document, hold: bool) -> Result<Reshape, Stop> {
        let tile = |material: Option<MaterialId>| doc.tile_size(material);
        let mut changes = Vec::new();
        for (id, body) in &self.bodies {
            let kind = match body {
                Body::Brush(reshaper) => Kind::Brush(reshaper.removed(hold, &tile)?),
                Body::Mesh(mesh, _) => {
                    let gone = self.picked.iter().filter(|picked| picked.id == *id);
                    Kind::Mesh(without_picked(mesh, gone)?)
                }
            };
            changes.push((*id, kind));
        }
        Ok(Reshape {
            changes,
            picked: Vec::new(),
            absorbed: false,
        })
    }
}

impl Body {
    fn moving(&self) -> &BTreeSet<u32> {
        match self {
            Self::Brush(reshaper) => reshaper.moving(),
            Self::Mesh(_, moving) => moving,
        }
    }

    /// The shape with its moving vertices where `to` says, and whether the only one of a brush was absorbed.
    fn moved(
        &self,
        to: &BTreeMap<u32, DVec3>,
        hold: bool,
        tile: Tiles<'_>,
    ) -> Result<(Kind, bool), Stop> {
        Ok(match self {
            Self::Brush(reshaper) => {
                let moved = reshaper.moved(to, hold, tile)?;
                (Kind::Brush(moved.brush), moved.absorbed)
            }
            Self::Mesh(mesh, _) => (Kind::Mesh(meshes::moved(mesh, to, hold, tile)?), false),
        })
    }
}

/// Vertices take all their polygons along, edges those beside them, faces themselves.
fn without_picked<'a>(mesh: &Mesh, picked: impl Iterator<Item = &'a Picked>) -> Result<Mesh, Stop> {
    let picked: Vec<&Picked> = picked.collect();
    let is_gone = |corners: &[u32]| {
        picked.iter().any(|picked| match picked.kind {
            ComponentKind::Vertex => corners.contains(&picked.vertices[0]),
            ComponentKind::Edge => (0..corners.len()).any(|i| {
                let side = [corners[i], corners[(i + 1) % corners.len()]];
                picked.vertices.iter().all(|end| side.contains(end))
            }),
            ComponentKind::Face => corners == picked.vertices,
        })
    };
    meshes::filtered(mesh, |polygon| !is_gone(&polygon.corners))
}

/// New shapes of objects, and where their picked handles went.
#[derive(Clone, Debug)]
pub struct Reshape {
    changes: Vec<(ObjectId, Kind)>,
    picked: Vec<(ComponentKind, ObjectId, Vec<DVec3>)>,
    absorbed: bool,
}

impl Reshape {
    /// A single moved vertex became part of the rest of its brush: it is gone (VTX-3).
    #[must_use]
    pub fn has_absorbed(&self) -> bool {
        self.absorbed
    }

    #[must_use]
    pub fn changes(&self) -> &[(ObjectId, Kind)] {
        &self.changes
    }

    pub(super) fn new(
        changes: Vec<(ObjectId, Kind)>,
        picked: Vec<(ComponentKind, ObjectId, Vec<DVec3>)>,
    ) -> Self {
        Self {
            changes,
            picked,
            absorbed: false,
        }
    }

    /// Where its picked handles are.
    pub fn places(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.picked
            .iter()
            .map(|(_, _, places)| places.iter().sum::<DVec3>() / places.len() as f64)
    }

    /// Shows it: numbers unrounded, polygons that are no longer flat as they are.
    #[must_use]
    pub fn preview(&self, label: &'static str) -> Edit {
        let changes = self.changes.clone();
        Edit::new(label, move |draft, _| {
            for (id, kind) in &changes {
                draft.update(*id, |object| object.kind = kind.clone());
            }
            Ok(())
        })
    }

    /// Makes it: rounded, polygons flat and convex, the handles picked again where they are now.
    #[must_use]
    pub fn edit(self, label: &'static str) -> Edit {
        Edit::new(label, move |draft, selection| self.apply(draft, selection))
    }

    /// As [`Reshape::edit`], over a draft.
    ///
    /// # Errors
    /// When rounding leaves nothing of a brush.
    pub fn apply(&self, draft: &mut Draft, selection: &mut Selection) -> Result<(), EditError> {
        for (id, kind) in &self.changes {
            let kind = settled(draft, *id, kind)?;
            draft.update(*id, |object| object.kind = kind);
        }
        let changed: BTreeSet<ObjectId> = self.changes.iter().map(|(id, _)| *id).collect();
        selection
            .retain(|pick| ComponentKind::of(*pick).is_none() || !changed.contains(&pick.object()));
        let mut shapes: BTreeMap<ObjectId, Shape> = BTreeMap::new();
        for (kind, id, places) in &self.picked {
            if !shapes.contains_key(id)
                && let Some(shape) = Shape::of_object(draft, *id)
            {
                shapes.insert(*id, shape);
            }
            if let Some(shape) = shapes.get(id) {
                let found = shape.found_at(*kind, places);
                selection.extend(found.into_iter().map(|index| kind.pick(*id, index)));
            }
        }
        Ok(())
    }
}

/// The shape with the numbers that a file holds, so that what is picked is numbered as it will be.
fn settled(draft: &Draft, id: ObjectId, kind: &Kind) -> Result<Kind, EditError> {
    Ok(match kind {
        Kind::Brush(brush) => {
            let before = draft.object(id).and_then(Object::brush);
            let tile = |material: Option<MaterialId>| draft.tile_size(material);
            let brush = settling::settled(before, brush, &tile)
                .map_err(|error| EditError::of_brush(id, error))?;
            Kind::Brush(brush)
        }
        Kind::Mesh(mesh) => {
            Kind::Mesh(meshes::settled(mesh).map_err(|stop| EditError::refused(stop.to_string()))?)
        }
        other => other.clone(),
    })
}

fn refused(stop: Stop) -> EditError {
    EditError::refused(stop.to_string())
}

fn nothing_picked() -> EditError {
    refused(Stop::NoPick)
}

fn mapping(
    label: &'static str,
    hold: bool,
    to: impl Fn(DVec3) -> DVec3 + Send + Sync + 'static,
) -> Edit {
    Edit::new(label, move |draft, selection| {
        let handles = Handles::of(draft, selection).ok_or_else(nothing_picked)?;
        let reshape = handles.mapped(draft, &to, hold).map_err(refused)?;
        reshape.apply(draft, selection)
    })
}

/// Moves the picked handles (VTX-2). `hold`: faces keep the texture coordinates of their corners (LOCK-2).
#[must_use]
pub fn move_by(kind: ComponentKind, delta: DVec3, hold: bool) -> Edit {
    mapping(move_label(Some(kind)), hold, move |point| point + delta)
}

/// Moves the picked vertices onto a place (VTX-4).
#[must_use]
pub fn fuse(onto: DVec3, hold: bool) -> Edit {
    mapping("Fuse vertices", hold, move |_| onto)
}

/// Maps the picked handles of a selection: rotate, scale, shear (VTX-5).
///
/// # Errors
/// The rule that stops it.
pub fn transform_components(
    label: &'static str,
    doc: &Document,
    selection: &Selection,
    map: &DAffine3,
    hold: bool,
) -> Result<Edit, Stop> {
    let handles = Handles::of(doc, selection).ok_or(Stop::NoPick)?;
    let reshape = handles.mapped(doc, &|point| map.transform_point3(point), hold)?;
    Ok(reshape.edit(label))
}

/// Sets one coordinate of the picked handles, or changes each by a value (VTX-2).
#[must_use]
pub fn place(axis: usize, value: Value, hold: bool) -> Edit {
    Edit::new("Move vertices", move |draft, selection| {
        let handles = Handles::of(draft, selection).ok_or_else(nothing_picked)?;
        // A vertex that several handles share goes the mean of their ways.
        let mut ways: BTreeMap<(ObjectId, u32), (f64, f64)> = BTreeMap::new();
        for (picked, place) in handles.picked.iter().zip(handles.places()) {
            let way = value.of(place[axis]) - place[axis];
            for &vertex in &picked.vertices {
                let sum = ways.entry((picked.id, vertex)).or_default();
                *sum = (sum.0 + way, sum.1 + 1.0);
            }
        }
        let to = |id: ObjectId, vertex: u32, mut point: DVec3| {
            if let Some((sum, count)) = ways.get(&(id, vertex)) {
                point[axis] += sum / count;
            }
            point
        };
        let reshape = handles.each_mapped(draft, &to, hold).map_err(refused)?;
        reshape.apply(draft, selection)
    })
}

/// Takes the picked vertices away; brushes become the hull of the rest (VTX-4).
#[must_use]
pub fn delete(kind: ComponentKind, hold: bool) -> Edit {
    let label = match kind {
        ComponentKind::Vertex => "Delete vertices",
        ComponentKind::Edge => "Delete edges",
        ComponentKind::Face => "Delete faces",
    };
    Edit::new(label, move |draft, selection| {
        let handles = Handles::of(draft, selection).ok_or_else(nothing_picked)?;
        let reshape = handles.removed(draft, hold).map_err(refused)?;
        reshape.apply(draft, selection)
    })
}

/// An object with one more vertex: it lay at `start` on the faces `on` (two: their edge) and was pulled to `at` (VTX-4).
///
/// # Errors
/// The rule that stops it.
pub fn add_vertex(
    doc: &Document,
    id: ObjectId,
    on: &[u32],
    (start, at): (DVec3, DVec3),
    hold: bool,
) -> Result<Reshape, Stop> {
    let tile = |material: Option<MaterialId>| doc.tile_size(material);
    let kind = match doc.object(id).map(|object| &object.kind) {
        Some(Kind::Brush(brush)) => {
            let brush: Brush = brush.clone();
            let reshaper = Reshaper::new(brush, BTreeSet::new());
            Kind::Brush(reshaper.with_added((start, at), on, hold, &tile)?)
        }
        Some(Kind::Mesh(mesh)) => {
            Kind::Mesh(meshes::with_vertex(mesh, on, (start, at), hold, &tile)?)
        }
        _ => return Err(Stop::NoPick),
    };
    Ok(Reshape {
        changes: vec![(id, kind)],
        picked: vec![(ComponentKind::Vertex, id, vec![at])],
        absorbed: false,
    })
}
