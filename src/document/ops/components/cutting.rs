//! Brushes cut by planes: split through two vertices, edges bevelled (VTX-4, VTX-7). Meshes are split polygon by polygon.

use std::collections::BTreeSet;

use glam::DVec3;

use crate::document::Brush;
use crate::document::Draft;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Face;
use crate::document::Kind;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::ops::clip;
use crate::document::ops::components::convex::Tiles;
use crate::document::ops::components::settling;
use crate::document::ops::components::shape::ComponentKind;
use crate::document::ops::components::shape::Shape;
use crate::document::ops::components::shape::of_kind;
use crate::document::ops::components::shape::shaped_objects;
use crate::document::ops::materials;
use crate::document::ops::meshes;
use crate::document::ops::objects;
use crate::geometry::Plane;

/// Corners nearer to a cutting plane than this are on it.
const ON_PLANE: f64 = 0.01;

/// Edges that bend less than this are flat: there is nothing to bevel, in degrees.
const FLATTEST_DEG: f64 = 0.5;

/// Splits each brush through the two picked vertices of a face, or the middles of two picked edges, square to that face (`K`);
/// both parts are selected, and closed as a clip closes them (TEX-1): with this material, else their own. Meshes get a new edge
/// across the polygon, picked faces one across their middle.
#[must_use]
pub fn split(material: Option<Material>) -> Edit {
    Edit::new("Split", move |draft, selection| {
        let mut any = false;
        let mut stopped = "Pick two vertices or two edges of one face first";
        for id in shaped_objects(draft, &components_only(selection)) {
            let made = match draft.object(id).map(|object| &object.kind) {
                Some(Kind::Brush(_)) => split_brush(draft, selection, id, material.as_ref()),
                Some(Kind::Mesh(_)) => split_mesh(draft, selection, id),
                _ => continue,
            };
            match made {
                Ok(true) => any = true,
                Ok(false) => {}
                Err(EditError::Refused(_)) => stopped = "This would not split the brush in two",
                Err(error) => return Err(error),
            }
        }
        if any {
            Ok(())
        } else {
            Err(EditError::refused(stopped))
        }
    })
}

fn components_only(selection: &Selection) -> Selection {
    selection
        .iter()
        .copied()
        .filter(|pick| ComponentKind::of(*pick).is_some())
        .collect()
}

fn of_object(selection: &Selection, kind: ComponentKind, id: ObjectId) -> Vec<u32> {
    of_kind(selection, kind)
        .into_iter()
        .filter(|(object, _)| *object == id)
        .map(|(_, index)| index)
        .collect()
}

/// The two places that are picked, and the face they are on.
fn two_on_a_face(shape: &Shape, selection: &Selection, id: ObjectId) -> Option<(u32, [DVec3; 2])> {
    let face_of = |all: &[u32]| {
        (0..shape.faces.len() as u32).find(|&face| {
            let corners = &shape.faces[face as usize];
            all.iter().all(|corner| corners.contains(corner))
        })
    };
    if let [a, b] = of_object(selection, ComponentKind::Vertex, id)[..] {
        let face = face_of(&[a, b])?;
        return Some((face, [shape.points[a as usize], shape.points[b as usize]]));
    }
    if let [a, b] = of_object(selection, ComponentKind::Edge, id)[..] {
        let (a, b) = (shape.edges.get(a as usize)?, shape.edges.get(b as usize)?);
        let face = face_of(&[a[0], a[1], b[0], b[1]])?;
        let middle = |ends: &[u32; 2]| {
            (shape.points[ends[0] as usize] + shape.points[ends[1] as usize]) * 0.5
        };
        return Some((face, [middle(a), middle(b)]));
    }
    None
}

fn split_brush(
    draft: &mut Draft,
    selection: &mut Selection,
    id: ObjectId,
    material: Option<&Material>,
) -> Result<bool, EditError> {
    let Some(object) = draft.object(id).cloned() else {
        return Ok(false);
    };
    let Some(shape) = Shape::of_object(draft, id) else {
        return Ok(false);
    };
    let (Some(brush), Some((face, [a, b]))) =
        (object.brush(), two_on_a_face(&shape, selection, id))
    else {
        return Ok(false);
    };
    let normal = brush.faces()[face as usize]
        .plane
        .normal
        .normalize_or_zero();
    let plane = Plane::through(a, (b - a).cross(normal)).ok_or_else(|| EditError::refused(""))?;
    let material = material.map(|material| materials::find_or_add(draft, material));
    let tile = |material: Option<MaterialId>| draft.tile_size(material);
    let (Some(front), Some(back)) = (
        kept_behind(brush, plane.flipped(), material, &tile),
        kept_behind(brush, plane, material, &tile),
    ) else {
        return Err(EditError::refused(""));
    };
    let other = Object {
        kind: Kind::Brush(front),
        ..object
    };
    objects::room_for(draft, 1)?;
    draft.update(id, |object| object.kind = Kind::Brush(back));
    let new = draft.insert(other);
    selection.retain(|pick| ComponentKind::of(*pick).is_none() || pick.object() != id);
    selection.insert(Pick::Object(new));
    Ok(true)
}

/// The part behind a plane, closed as a clip closes it; `None` when the plane leaves nothing or all of it.
fn kept_behind(
    brush: &Brush,
    plane: Plane,
    material: Option<MaterialId>,
    tile: Tiles<'_>,
) -> Option<Brush> {
    let side = |point: &DVec3| plane.distance(*point);
    let points = brush.hull().points();
    if !points.iter().any(|point| side(point) > ON_PLANE)
        || !points.iter().any(|point| side(point) < -ON_PLANE)
    {
        return None;
    }
    let mut faces = brush.faces().to_vec();
    faces.push(clip::cap(brush, plane, material));
    let cut = Brush::solid(brush.contents(), faces).ok()?;
    // Corners in front are gone; those that stay keep their exact places.
    without_empty_faces(&cut, brush, tile)
}

/// A cut brush without the faces that nothing is left of; corners it has in common with the old one are asked for.
fn without_empty_faces(cut: &Brush, old: &Brush, tile: Tiles<'_>) -> Option<Brush> {
    let faces: Vec<Face> = cut
        .faces()
        .iter()
        .zip(cut.hull().loops())
        .filter(|(_, corners)| !corners.is_empty())
        .map(|(face, _)| face.clone())
        .collect();
    let corners: Vec<DVec3> = cut
        .hull()
        .points()
        .iter()
        .map(|&point| {
            let known = old
                .hull()
                .points()
                .iter()
                .find(|old| old.distance(point) < 1e-3);
            known.copied().unwrap_or(point)
        })
        .collect();
    let made = Brush::solid(cut.contents(), faces).ok()?;
    settling::settled(None, &made.with_corners(&corners), tile).ok()
}

fn split_mesh(
    draft: &mut Draft,
    selection: &mut Selection,
    id: ObjectId,
) -> Result<bool, EditError> {
    let Some(mesh) = draft.object(id).and_then(Object::mesh) else {
        return Ok(false);
    };
    let vertices = of_object(selection, ComponentKind::Vertex, id);
    let faces = of_object(selection, ComponentKind::Face, id);
    let edges: Vec<[u32; 2]> = {
        let shape = Shape::of_object(draft, id).unwrap_or_default();
        of_object(selection, ComponentKind::Edge, id)
            .into_iter()
            .filter_map(|edge| shape.edges.get(edge as usize).copied())
            .collect()
    };
    let made = match (&vertices[..], &edges[..], &faces[..]) {
        (&[a, b], ..) => meshes::split_between(mesh, a, b),
        (_, &[a, b], _) => meshes::split_across(mesh, a, b),
        (_, _, [_, ..]) => meshes::split_faces(mesh, &faces),
        _ => None,
    };
    let Some(made) = made else { return Ok(false) };
    draft.update(id, |object| object.kind = Kind::Mesh(made));
    selection.retain(|pick| ComponentKind::of(*pick).is_none() || pick.object() != id);
    Ok(true)
}

/// Cuts the picked edges of brushes off, `width` from the edge on both faces, in `segments` steps round (VTX-7). The new faces
/// get this material (TEX-1), else that of the face they are nearer to.
#[must_use]
pub fn bevel(width: f64, segments: usize, material: Option<Material>) -> Edit {
    Edit::new("Bevel", move |draft, selection| {
        let picked = of_kind(selection, ComponentKind::Edge);
        let ids: BTreeSet<ObjectId> = picked.iter().map(|(id, _)| *id).collect();
        let mut any = false;
        for id in ids {
            let (Some(Kind::Brush(brush)), Some(shape)) = (
                draft.object(id).map(|object| object.kind.clone()),
                Shape::of_object(draft, id),
            ) else {
                continue;
            };
            let material = material
                .as_ref()
                .map(|material| materials::find_or_add(draft, material));
            let edges = of_object(selection, ComponentKind::Edge, id);
            let tile = |material: Option<MaterialId>| draft.tile_size(material);
            let made = bevelled(
                &brush,
                &shape,
                &edges,
                (width, segments.max(1)),
                material,
                &tile,
            )
            .map_err(EditError::refused)?;
            draft.update(id, |object| object.kind = Kind::Brush(made));
            selection.retain(|pick| ComponentKind::of(*pick).is_none() || pick.object() != id);
            any = true;
        }
        if any {
            Ok(())
        } else {
            Err(EditError::refused("Pick edges of a brush first"))
        }
    })
}

fn bevelled(
    brush: &Brush,
    shape: &Shape,
    edges: &[u32],
    (width, segments): (f64, usize),
    material: Option<MaterialId>,
    tile: Tiles<'_>,
) -> Result<Brush, &'static str> {
    let mut faces = brush.faces().to_vec();
    for &edge in edges {
        let Some(&ends) = shape.edges.get(edge as usize) else {
            continue;
        };
        let beside: Vec<u32> = shape.faces_beside(ends).collect();
        let &[first, second] = &beside[..] else {
            continue;
        };
        let beside = [first as usize, second as usize];
        let at = shape.points[ends[0] as usize];
        let along = shape.points[ends[1] as usize] - at;
        let normals = beside.map(|face| brush.faces()[face].plane.normal);
        let planes = round_edge(at, along, normals, width, segments)
            .ok_or("The edge is too flat to bevel")?;
        faces.extend(planes.into_iter().map(|(plane, nearer)| {
            let like = beside[nearer];
            let own = brush.faces()[like].material;
            if material.is_some() && material != own {
                return clip::cap(brush, plane, material);
            }
            Face {
                flags: brush.faces()[like].flags,
                ..clip::aligned_as(brush, like, plane, own)
            }
        }));
    }
    let cut = Brush::solid(brush.contents(), faces)
        .map_err(|_| "The bevel is too wide: nothing would be left of the brush")?;
    let vanished = brush
        .hull()
        .loops()
        .iter()
        .zip(cut.hull().loops())
        .any(|(old, new)| !old.is_empty() && new.is_empty());
    if vanished {
        return Err("The bevel is too wide: a face would vanish");
    }
    without_empty_faces(&cut, brush, tile).ok_or("The bevel is too wide: a face would vanish")
}

/// Planes of an arc that touches both faces of these normals `width` from their common edge, each with the one it is nearer to.
fn round_edge(
    at: DVec3,
    along: DVec3,
    [n1, n2]: [DVec3; 2],
    width: f64,
    segments: usize,
) -> Option<Vec<(Plane, usize)>> {
    let along = along.try_normalize()?;
    let [n1, n2] = [n1.try_normalize()?, n2.try_normalize()?];
    let angle = n1.angle_between(n2);
    if angle < FLATTEST_DEG.to_radians() {
        return None;
    }
    // Into the first face, away from the edge.
    let mut inwards = n1.cross(along).try_normalize()?;
    if inwards.dot(n2) > 0.0 {
        inwards = -inwards;
    }
    let radius = width / (angle * 0.5).tan();
    let center = at + inwards * width - n1 * radius;
    let turned = |share: f64| {
        // Between the two normals, at an even pace.
        let (a, b) = (((1.0 - share) * angle).sin(), (share * angle).sin());
        ((n1 * a + n2 * b) / angle.sin().max(1e-9)).normalize_or(n1)
    };
    let step = 1.0 / segments as f64;
    (0..segments)
        .map(|segment| {
            let from = segment as f64 * step;
            let on_arc = center + turned(from) * radius;
            let plane = Plane::through(on_arc, turned(from + step * 0.5))?;
            Some((plane, usize::from(from + step * 0.5 > 0.5)))
        })
        .collect()
}
