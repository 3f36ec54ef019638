//! Brushes to meshes, and closed meshes to convex brushes (MSH-1).

use std::collections::BTreeSet;

use glam::DVec3;
use glam::Vec2;

use crate::document::Brush;
use crate::document::Contents;
use crate::document::Document;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Face;
use crate::document::Kind;
use crate::document::MaterialId;
use crate::document::Mesh;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Polygon;
use crate::document::SurfaceFlags;
use crate::document::ops::components::Tiles;
use crate::document::ops::meshes::extrude::sides;
use crate::document::ops::meshes::frames;
use crate::document::ops::objects;
use crate::document::ops::transform::with_children;
use crate::geometry::Hull;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// A corner this near to a plane is on it.
const ON_PLANE: f64 = 0.01;

/// Meshes with more polygons than this are not taken apart.
const MOST_POLYGONS: usize = 2000;

/// More pieces than this help nobody.
const MOST_PIECES: usize = 512;

/// Sets of pieces larger than this are not tried pair by pair.
const MOST_JOINED: usize = 96;

/// The surface of a brush as a mesh.
#[must_use]
pub fn of_brush(brush: &Brush, tile: &dyn Fn(Option<MaterialId>) -> Vec2) -> Mesh {
    let polygons = brush
        .faces()
        .iter()
        .zip(brush.hull().loops())
        .filter(|(_, corners)| corners.len() >= 3)
        .map(|(face, corners)| {
            let projected = face.axes.is_none() && !face.flags.has(SurfaceFlags::FACE_ALIGNED);
            let frame = face.frame(tile(face.material));
            let places = corners.iter().map(|&c| brush.hull().points()[c as usize]);
            Polygon {
                material: face.material,
                smooth: 0,
                proj: face.uv,
                corners: corners.clone(),
                uvs: if projected {
                    Vec::new()
                } else {
                    places.map(|at| frame.at(at).as_vec2()).collect()
                },
            }
        })
        .collect();
    Mesh {
        name: String::new(),
        points: brush.hull().points().to_vec(),
        polygons,
    }
}

fn brushes_among<'a>(doc: &'a Document, ids: &[ObjectId]) -> impl Iterator<Item = &'a Brush> {
    with_children(doc, ids)
        .into_iter()
        .filter_map(|id| doc.object(id)?.brush())
}

/// What meshes cannot hold of these brushes: contents without a name, and bits of single faces that their materials do not have.
#[must_use]
pub fn losses(doc: &Document, ids: &[ObjectId]) -> Option<&'static str> {
    let (mut contents, mut bits) = (false, false);
    for brush in brushes_among(doc, ids) {
        contents |= brush.contents().without(Contents::KNOWN) != Contents::default();
        bits |= brush.faces().iter().any(|face| {
            let known = Mesh::surface(face.material.and_then(|id| doc.material(id)));
            let own = face.flags.without(SurfaceFlags::FACE_ALIGNED);
            own.without(known) != SurfaceFlags::default()
        });
    }
    match (contents, bits) {
        (true, true) => Some(
            "Meshes hold neither bits of single faces nor contents without a name: these are gone",
        ),
        (true, false) => Some("Meshes hold no contents without a name: these are gone"),
        (false, true) => Some("Meshes hold no bits of single faces: these are gone"),
        (false, false) => None,
    }
}

/// True when some of these brushes do something that they do not do as meshes, until they are brushes again.
#[must_use]
pub fn rest_as_meshes(doc: &Document, ids: &[ObjectId]) -> bool {
    brushes_among(doc, ids).any(|brush| brush.contents() != Contents::SOLID)
}

/// Makes the brushes among the objects meshes.
#[must_use]
pub fn to_meshes(ids: Vec<ObjectId>) -> Edit {
    Edit::new("To mesh", move |draft, selection| {
        let mut any = false;
        for id in with_children(draft, &ids) {
            let doc: &Document = draft;
            let brush = doc.object(id).and_then(Object::brush);
            let Some(brush) = brush.filter(|brush| brush.fault().is_none()) else {
                continue;
            };
            let mesh = of_brush(brush, &|material| doc.tile_size(material));
            let contents = brush.contents();
            draft.update(id, |object| {
                object.kind = Kind::Mesh(mesh);
                object.flags = object.flags.keeping(contents);
            });
            selection.retain(|pick| matches!(pick, Pick::Object(_)) || pick.object() != id);
            any = true;
        }
        if any {
            Ok(())
        } else {
            Err(EditError::refused("Select brushes first"))
        }
    })
}

/// Makes closed meshes among the objects convex brushes; the first piece keeps the object.
#[must_use]
pub fn to_brushes(ids: Vec<ObjectId>) -> Edit {
    Edit::new("To brushes", move |draft, selection| {
        let mut any = false;
        for id in with_children(draft, &ids) {
            let doc: &Document = draft;
            let Some(object) = doc.object(id) else {
                continue;
            };
            let Some(mesh) = object.mesh() else { continue };
            let tile = |material: Option<MaterialId>| doc.tile_size(material);
            let contents = object.flags.kept_contents();
            let pieces = decomposed(mesh, &tile).map_err(EditError::refused)?;
            let pieces: Vec<Brush> = pieces
                .into_iter()
                .map(|piece| piece.with_contents(contents))
                .collect();
            let like = Object {
                flags: object.flags.without_kept(),
                ..object.clone()
            };
            objects::room_for(draft, pieces.len())?;
            selection.retain(|pick| matches!(pick, Pick::Object(_)) || pick.object() != id);
            let mut pieces = pieces.into_iter();
            if let Some(first) = pieces.next() {
                draft.update(id, |object| {
                    object.kind = Kind::Brush(first);
                    object.flags = like.flags;
                });
            }
            for piece in pieces {
                let new = draft.insert(Object {
                    kind: Kind::Brush(piece),
                    ..like.clone()
                });
                selection.insert(Pick::Object(new));
            }
            any = true;
        }
        if any {
            Ok(())
        } else {
            Err(EditError::refused("Select meshes first"))
        }
    })
}

/// A polygon of the mesh that still has to be cut along, or the piece of space it is in.
struct Cell {
    planes: Vec<Plane>,
    /// Numbers of the polygons whose planes may cut it, with what of them is inside.
    inside: Vec<(usize, Vec<DVec3>)>,
}

/// Convex solids that make up a closed mesh.
fn decomposed(mesh: &Mesh, tile: Tiles<'_>) -> Result<Vec<Brush>, &'static str> {
    const OPEN: &str = "The mesh is not closed: only closed meshes can become brushes";
    if mesh.polygons.len() > MOST_POLYGONS {
        return Err("The mesh has too many polygons to become brushes");
    }
    let mut directed = BTreeSet::new();
    for polygon in &mesh.polygons {
        if !mesh.is_sound(polygon) || !sides(&polygon.corners).all(|side| directed.insert(side)) {
            return Err(OPEN);
        }
    }
    if directed.is_empty() || directed.iter().any(|&(a, b)| !directed.contains(&(b, a))) {
        return Err(OPEN);
    }
    let rings: Vec<Vec<DVec3>> = mesh
        .polygons
        .iter()
        .map(|polygon| mesh.positions(polygon).unwrap_or_default())
        .collect();
    let planes: Vec<Option<Plane>> = rings.iter().map(|ring| polygon::plane(ring)).collect();
    let hulls = joined(leaves(mesh, &rings, &planes)?);
    let brushes = hulls
        .iter()
        .filter_map(|hull| solid(mesh, &rings, &planes, hull, tile))
        .collect::<Vec<Brush>>();
    if brushes.is_empty() {
        return Err("Nothing would be left of the mesh");
    }
    Ok(brushes)
}

/// Space cut along the polygons until none is inside of a piece; the pieces inside of the mesh.
fn leaves(
    mesh: &Mesh,
    rings: &[Vec<DVec3>],
    planes: &[Option<Plane>],
) -> Result<Vec<Hull>, &'static str> {
    let bounds = mesh.bounds().grown(16.0);
    let walls = [
        Plane::new(DVec3::X, bounds.max.x),
        Plane::new(DVec3::NEG_X, -bounds.min.x),
        Plane::new(DVec3::Y, bounds.max.y),
        Plane::new(DVec3::NEG_Y, -bounds.min.y),
        Plane::new(DVec3::Z, bounds.max.z),
        Plane::new(DVec3::NEG_Z, -bounds.min.z),
    ];
    let mut waiting = vec![Cell {
        planes: walls.to_vec(),
        inside: rings.iter().cloned().enumerate().collect(),
    }];
    let mut found = Vec::new();
    while let Some(cell) = waiting.pop() {
        let Some(cut) = best_cut(&cell, planes) else {
            let hull = Hull::from_planes(&cell.planes);
            if hull.fault().is_none() && contains(rings, middle(&hull)) {
                found.push(hull);
                if found.len() > MOST_PIECES {
                    return Err("The mesh would fall into too many brushes");
                }
            }
            continue;
        };
        let (mut front, mut back) = (Vec::new(), Vec::new());
        for (index, ring) in &cell.inside {
            let (ahead, behind) = polygon::split(ring, cut, ON_PLANE);
            if !ahead.is_empty() {
                front.push((*index, ahead));
            }
            if !behind.is_empty() {
                back.push((*index, behind));
            }
        }
        for (side, inside) in [(cut.flipped(), front), (cut, back)] {
            let mut planes = cell.planes.clone();
            planes.push(side);
            waiting.push(Cell { planes, inside });
        }
    }
    Ok(found)
}

/// The plane of a polygon in the cell that cuts the fewest others.
fn best_cut(cell: &Cell, planes: &[Option<Plane>]) -> Option<Plane> {
    cell.inside
        .iter()
        .take(64)
        .filter_map(|(index, _)| planes[*index])
        .min_by_key(|plane| {
            let cut = cell.inside.iter().filter(|(_, ring)| {
                let (front, back) = polygon::split(ring, *plane, ON_PLANE);
                !front.is_empty() && !back.is_empty()
            });
            cut.count()
        })
}

fn middle(hull: &Hull) -> DVec3 {
    hull.points().iter().sum::<DVec3>() / hull.points().len().max(1) as f64
}

/// True when a point is inside of the closed surface: the solid angles of its triangles add up to a whole turn.
fn contains(rings: &[Vec<DVec3>], point: DVec3) -> bool {
    let mut angle = 0.0;
    for ring in rings {
        for i in 2..ring.len() {
            let [a, b, c] = [ring[0], ring[i - 1], ring[i]].map(|corner| corner - point);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            angle += 2.0 * a.dot(b.cross(c)).atan2(below);
        }
    }
    angle.abs() > std::f64::consts::TAU
}

/// Pieces whose union is convex, as one.
fn joined(mut hulls: Vec<Hull>) -> Vec<Hull> {
    if hulls.len() > MOST_JOINED {
        return hulls;
    }
    let mut i = 0;
    while i < hulls.len() {
        let together = (i + 1..hulls.len()).find_map(|j| {
            let (a, b) = (&hulls[i], &hulls[j]);
            if !a.bounds().grown(ON_PLANE).touches(b.bounds()) {
                return None;
            }
            let points: Vec<DVec3> = a.points().iter().chain(b.points()).copied().collect();
            let (_, whole) = Hull::from_points(&points)?;
            let sum = a.volume() + b.volume();
            ((whole.volume() - sum).abs() <= 1e-6 * sum).then_some((j, whole))
        });
        match together {
            Some((j, whole)) => {
                hulls.remove(j);
                hulls[i] = whole;
                i = 0;
            }
            None => i += 1,
        }
    }
    hulls
}

/// A piece as a brush: faces on polygons of the mesh look as those, inner ones as the nearest in direction.
fn solid(
    mesh: &Mesh,
    rings: &[Vec<DVec3>],
    planes: &[Option<Plane>],
    hull: &Hull,
    tile: Tiles<'_>,
) -> Option<Brush> {
    let (faces, hull) = Hull::from_points(hull.points())?;
    let faces = faces
        .into_iter()
        .enumerate()
        .map(|(index, plane)| {
            let corners: Vec<DVec3> = hull.face_points(index).collect();
            let like = (0..rings.len()).find(|&other| {
                planes[other].is_some_and(|own| {
                    own.normal.dot(plane.normal) > 1.0 - 1e-6
                        && (own.dist - plane.dist).abs() <= ON_PLANE
                        && holds(&rings[other], own.normal, polygon::centroid(&corners))
                })
            });
            let nearest = || {
                (0..rings.len()).max_by(|&a, &b| {
                    let along =
                        |i: usize| planes[i].map_or(-2.0, |own| own.normal.dot(plane.normal));
                    along(a).total_cmp(&along(b))
                })
            };
            let material = like
                .or_else(nearest)
                .and_then(|index| mesh.polygons[index].material);
            let mut face = Face::new(plane, material);
            if let Some(polygon) = like.map(|index| &mesh.polygons[index]) {
                place_as(&mut face, mesh, polygon, &corners, tile(material));
            }
            face
        })
        .collect();
    let brush = Brush::solid(Contents::SOLID, faces).ok()?;
    Some(brush.with_corners(hull.points()))
}

/// A face on a polygon gets its placement: the projection, or the coordinates in the most exact form.
fn place_as(face: &mut Face, mesh: &Mesh, polygon: &Polygon, corners: &[DVec3], tile_size: Vec2) {
    face.uv = polygon.proj;
    let (Some(frame), Some(plane)) = (frames::own_frame(mesh, polygon), face.plane.unit()) else {
        return;
    };
    // The five numbers that came along say whether they were the face's own.
    let aligned = Face {
        flags: face.flags.with(SurfaceFlags::FACE_ALIGNED),
        ..face.clone()
    };
    let own = aligned.frame(tile_size);
    let off = |corner: &DVec3| (own.at(*corner) - frame.at(*corner)) * tile_size.as_dvec2();
    if corners.iter().all(|corner| off(corner).length() < 1e-3) {
        *face = aligned;
        return;
    }
    let fit = frame.fit(plane, false, tile_size, tile_size, corners);
    if fit.aligned {
        face.flags = face.flags.with(SurfaceFlags::FACE_ALIGNED);
    }
    (face.uv, face.axes) = (fit.uv, fit.axes);
}

/// True when a point of its plane is inside of a convex ring.
fn holds(ring: &[DVec3], normal: DVec3, point: DVec3) -> bool {
    (0..ring.len()).all(|i| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        (b - a).cross(point - a).dot(normal) >= -1e-6
    })
}
