//! Brushes of shapes (BRU-3), with textures that run on around them.

use glam::Vec2;

use crate::document::Brush;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Group;
use crate::document::Kind;
use crate::document::LayerId;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::SurfaceFlags;
use crate::document::ops::brushes;
use crate::geometry::Aabb;
use crate::geometry::UvAxes;
use crate::geometry::shapes::BandFace;
use crate::geometry::shapes::Pieces;
use crate::geometry::shapes::Shape;

/// A band is stretched or squeezed by at most this much to end after a whole number of repeats.
const MOST_STRETCH: f64 = 0.25;

/// A corner this near to a plane is on it.
const ON_PLANE: f64 = 0.02;

/// Draws a shape into a box and selects its pieces, or the group around them.
#[must_use]
pub fn draw(
    label: &'static str,
    shape: Shape,
    bounds: Aabb,
    step: f64,
    material: Option<MaterialId>,
    layer: Option<LayerId>,
    group: Option<&'static str>,
) -> Edit {
    Edit::new(label, move |draft, selection| {
        let tile_size = draft.tile_size(material);
        let pieces = shape.pieces(bounds, step).map_err(EditError::refused)?;
        let made =
            textured(&pieces, shape.axis, material, tile_size).map_err(EditError::refused)?;
        let is_many = made.len() > 1;
        brushes::add(label, made, layer).apply(draft, selection)?;
        if let Some(name) = group.filter(|_| is_many) {
            let members = selection.objects();
            let group = draft.insert(Object {
                layer: layer.filter(|&layer| draft.layer(layer).is_some()),
                ..Object::new(Kind::Group(Group::new(name)))
            });
            for member in members {
                draft.update(member, |object| object.parent = Some(group));
            }
            *selection = Selection::from([Pick::Object(group)]);
        }
        Ok(())
    })
}

/// The pieces as brushes. Faces along the axes are textured as the world is; slanted ones in their own plane; bands run on.
fn textured(
    pieces: &Pieces,
    axis: usize,
    material: Option<MaterialId>,
    tile_size: Vec2,
) -> Result<Vec<Brush>, &'static str> {
    let mut made = Vec::with_capacity(pieces.corners.len());
    for corners in &pieces.corners {
        let brush = brushes::hull_brush(corners, material)
            .filter(is_sound)
            .ok_or("The pieces would be too thin here; draw it larger or with fewer sides")?;
        made.push(aligned(&brush));
    }
    for band in &pieces.bands {
        wrap(&mut made, band, axis, tile_size);
    }
    Ok(made)
}

/// Closed, and every corner behind every face within what a file's numbers leave.
fn is_sound(brush: &Brush) -> bool {
    let corners = brush.hull().points();
    brush.fault().is_none()
        && brush.faces().iter().all(|face| {
            corners
                .iter()
                .all(|&corner| face.plane.distance(corner) < 0.01)
        })
}

fn aligned(brush: &Brush) -> Brush {
    let mut faces = brush.faces().to_vec();
    for face in &mut faces {
        let straight = face.plane.normal.abs().max_element() > 1.0 - 1e-9;
        if !straight {
            face.flags = face.flags | SurfaceFlags::FACE_ALIGNED;
        }
    }
    brush.with_surfaces(faces)
}

/// Lets the texture run along a band of faces: u is the way along it, v the height over it.
fn wrap(brushes: &mut [Brush], band: &[BandFace], axis: usize, tile_size: Vec2) {
    let tile = tile_size.as_dvec2();
    let length: f64 = band.iter().map(|face| face.from.distance(face.to)).sum();
    let is_closed = band
        .first()
        .zip(band.last())
        .is_some_and(|(first, last)| first.from.distance(last.to) < 1e-6);
    let repeats = length / tile.x;
    let whole = repeats.round().max(1.0);
    let per_unit = if is_closed && (whole / repeats - 1.0).abs() <= MOST_STRETCH {
        whole / length
    } else {
        1.0 / tile.x
    };
    let mut way = 0.0;
    for side in band {
        let along = side.to - side.from;
        let before = way;
        way += along.length();
        let Some(brush) = brushes.get_mut(side.piece) else {
            continue;
        };
        let found = brush.faces().iter().position(|face| {
            [side.from, side.to, side.up]
                .iter()
                .all(|&corner| face.plane.distance(corner).abs() < ON_PLANE)
        });
        let (Some(index), Some(along)) = (found, along.try_normalize()) else {
            continue;
        };
        let mut faces = brush.faces().to_vec();
        let Some(normal) = faces[index].plane.unit().map(|plane| plane.normal) else {
            continue;
        };
        // v grows downwards; seen from outside u then grows to the right.
        let down = along.cross(normal);
        let is_turned = down.dot(side.up - side.from) > 0.0;
        let sign = if is_turned { -1.0 } else { 1.0 };
        let (u, v) = (along * (sign * per_unit), down * (sign / tile.y));
        let height = side.from[axis];
        let frame = UvAxes {
            u,
            u_offset: sign * before * per_unit - u.dot(side.from),
            v,
            v_offset: -height / tile.y - v.dot(side.from),
        };
        faces[index].axes = Some(frame);
        faces[index].flags = faces[index].flags | SurfaceFlags::FACE_ALIGNED;
        *brush = brush.with_surfaces(faces);
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::document::Document;
    use crate::document::History;
    use crate::geometry::shapes::Circle;
    use crate::geometry::shapes::ShapeKind;

    fn drawn(shape: Shape, size: DVec3) -> Document {
        let mut history = History::new(Document::default());
        let bounds = Aabb::new(DVec3::splat(16.0), size + 16.0);
        history
            .commit(&draw("Draw shape", shape, bounds, 16.0, None, None, None))
            .expect("a shape");
        history.committed().doc.clone()
    }

    /// Coordinates at shared edges of neighbouring side faces, in repeats apart.
    fn largest_seam(doc: &Document, is_side: impl Fn(DVec3, DVec3) -> bool) -> f64 {
        let mut sides = Vec::new();
        for (_, object) in doc.objects() {
            let brush = object.brush().expect("brush");
            for (index, face) in brush.faces().iter().enumerate() {
                let corners: Vec<DVec3> = brush.hull().face_points(index).collect();
                let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
                if is_side(face.plane.normal.normalize(), middle) {
                    sides.push((face.frame(Vec2::splat(64.0)), corners));
                }
            }
        }
        let mut worst = 0.0f64;
        for (index, (a, corners)) in sides.iter().enumerate() {
            for (b, others) in &sides[index + 1..] {
                let shared: Vec<DVec3> = corners
                    .iter()
                    .copied()
                    .filter(|p| others.iter().any(|q| p.distance(*q) < 0.01))
                    .collect();
                if shared.len() == 2 {
                    for point in shared {
                        let off = a.at(point) - b.at(point);
                        worst = worst.max((off - off.round()).abs().max_element());
                    }
                }
            }
        }
        assert!(sides.len() > 2);
        worst
    }

    #[test]
    fn bru_3_textures_run_around_without_a_seam() {
        for (sides, circle) in [(12, Circle::Edge), (7, Circle::Vertex), (24, Circle::Grid)] {
            let shape = Shape {
                kind: ShapeKind::Cylinder,
                sides,
                circle,
                ..Shape::default()
            };
            let doc = drawn(shape, DVec3::new(128.0, 96.0, 128.0));
            let seam = largest_seam(&doc, |normal, _| normal.y.abs() < 0.5);
            assert!(seam < 1e-3, "{sides}: {seam}");
        }
        // Outside and inside of an arch, over its pieces.
        let arch = Shape {
            kind: ShapeKind::Arch,
            axis: 2,
            thickness: 32.0,
            ..Shape::default()
        };
        let doc = drawn(arch, DVec3::new(256.0, 128.0, 64.0));
        assert_eq!(doc.object_count(), 13);
        for outside in [true, false] {
            let center = DVec3::new(144.0, 16.0, 0.0);
            let seam = largest_seam(&doc, |normal, at| {
                let away = normal.dot((at - center).with_z(0.0).normalize());
                if outside { away > 0.9 } else { away < -0.9 }
            });
            assert!(seam < 1e-3, "{outside}: {seam}");
        }
    }

    #[test]
    fn bru_3_text_is_not_mirrored() {
        for kind in [ShapeKind::Cylinder, ShapeKind::Tube, ShapeKind::Torus] {
            for axis in 0..3 {
                let shape = Shape {
                    kind,
                    axis,
                    arc_deg: 360.0,
                    ..Shape::default()
                };
                let doc = drawn(shape, DVec3::splat(128.0));
                for (_, object) in doc.objects() {
                    for face in object.brush().expect("brush").faces() {
                        let frame = face.frame(Vec2::splat(64.0));
                        let facing = frame.u.cross(frame.v).dot(face.plane.normal);
                        assert!(facing < 0.0, "{kind:?} {axis}: {}", face.plane.normal);
                    }
                }
            }
        }
    }

    #[test]
    fn bru_3_pieces_may_be_grouped() {
        let mut history = History::new(Document::default());
        let bounds = Aabb::new(DVec3::ZERO, DVec3::splat(128.0));
        let stairs = Shape {
            kind: ShapeKind::Stairs,
            ..Shape::default()
        };
        let edit = draw(
            "Draw stairs",
            stairs,
            bounds,
            16.0,
            None,
            None,
            Some("Stairs"),
        );
        history.commit(&edit).expect("stairs");
        let state = history.committed();
        assert_eq!(state.doc.object_count(), 9);
        let [group] = state.selection.objects()[..] else {
            panic!("{:?}", state.selection)
        };
        assert_eq!(state.doc.children(Some(group)).count(), 8);
        history.undo();
        assert_eq!(history.committed().doc.object_count(), 0);
    }
}
