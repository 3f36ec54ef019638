//! Convex pieces as brushes of the document (`unr.md` 8.2 step 6).

use glam::DVec3;

use crate::document::Brush;
use crate::document::Contents;
use crate::document::Face;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::formats::unr::looks::Looks;
use crate::formats::unr::pieces::Piece;
use crate::formats::unr::pieces::PieceFace;
use crate::formats::unr::space::to_map;
use crate::geometry::Plane;

/// `None` for a piece that is nothing with planes of the file's precision. `hidden`: for faces that nothing shows.
#[must_use]
pub fn brush(piece: &Piece, looks: &Looks<'_>, hidden: MaterialId) -> Option<Brush> {
    let faces = piece
        .faces
        .iter()
        .map(|face| self::face(face, looks, hidden));
    let brush = Brush::as_stored(Contents::SOLID, faces.collect());
    let loops = brush.hull().loops();
    if loops.iter().all(|corners| !corners.is_empty()) {
        return brush.fault().is_none().then_some(brush);
    }
    // What touches nothing after rounding is no face.
    let touching = brush.faces().iter().zip(loops);
    let faces = touching
        .filter(|(_, corners)| !corners.is_empty())
        .map(|(face, _)| face.clone());
    Brush::solid(Contents::SOLID, faces.collect()).ok()
}

fn face(face: &PieceFace, looks: &Looks<'_>, hidden: MaterialId) -> Face {
    let plane = Plane::new(to_map(face.normal), face.distance).rounded();
    let Some(mapping) = &face.mapping else {
        return Face::new(plane, Some(hidden));
    };
    let mut made = Face::new(plane, looks.of(mapping));
    if let Some(unit) = plane.unit() {
        let corners: Vec<DVec3> = face.corners.iter().map(|&corner| to_map(corner)).collect();
        let fit = looks.fit(mapping, unit, &corners);
        made.uv = fit.uv;
        made.axes = fit.axes;
        if fit.aligned {
            made.flags = made.flags | SurfaceFlags::FACE_ALIGNED;
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::document::Document;
    use crate::formats::NoSiblings;
    use crate::formats::unr::mapping::Mapping;
    use crate::formats::unr::pieces::Source;
    use crate::formats::unr::raw::RawMap;
    use crate::geometry::Aabb;

    fn mapping(axis: DVec3) -> Mapping {
        let (u, v) = axis.any_orthonormal_pair();
        Mapping {
            texture: Some(0),
            flags: 0,
            base: DVec3::new(3.0, -7.0, 11.0),
            u: u * 2.0 + v * 0.5,
            v,
            pan: DVec2::new(9.0, 1.0),
        }
    }

    /// A box of the file's space, its corners left out.
    fn cuboid(min: DVec3, max: DVec3) -> Piece {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].into_iter();
        let sides = axes.flat_map(|axis| [(axis, axis.dot(max)), (-axis, -axis.dot(min))]);
        Piece {
            source: Source::Rock,
            is_semisolid: false,
            is_whole: false,
            is_sky: false,
            faces: sides
                .map(|(normal, distance)| PieceFace {
                    normal,
                    distance,
                    corners: vec![min, max, DVec3::new(min.x, max.y, min.z)],
                    mapping: (normal.x > 0.0).then(|| mapping(normal)),
                })
                .collect(),
        }
    }

    fn made(piece: &Piece) -> Option<(Brush, MaterialId)> {
        let map = RawMap::default();
        let mut draft = Document::default().edit();
        let mut looks = Looks::new(&map, &NoSiblings);
        let mappings = piece.faces.iter().filter_map(|face| face.mapping.as_ref());
        looks.insert(mappings, &mut draft);
        let hidden = looks.hidden(&mut draft);
        brush(piece, &looks, hidden).map(|brush| (brush, hidden))
    }

    #[test]
    fn a_piece_stands_where_it_was_and_shows_its_texels() {
        let piece = cuboid(DVec3::new(8.0, 16.0, 24.0), DVec3::new(72.0, 48.0, 40.0));
        let (brush, hidden) = made(&piece).expect("a box");
        let bounds = Aabb::new(DVec3::new(16.0, 24.0, -72.0), DVec3::new(48.0, 40.0, -8.0));
        assert_eq!(brush.hull().bounds(), bounds);
        for (face, of) in brush.faces().iter().zip(&piece.faces) {
            assert_eq!(face.plane.normal, to_map(of.normal));
            let Some(mapping) = &of.mapping else {
                assert_eq!(face.material, Some(hidden));
                continue;
            };
            assert!(face.axes.is_some(), "it is sheared");
            let corner = DVec3::new(72.0, 20.0, 30.0);
            let texels = face.frame(glam::Vec2::splat(64.0)).at(to_map(corner)) * 64.0;
            assert!(texels.abs_diff_eq(mapping.at(corner), 1e-3), "{texels}");
        }
    }

    #[test]
    fn faces_that_touch_nothing_go() {
        let mut piece = cuboid(DVec3::ZERO, DVec3::splat(64.0));
        let cut = |distance: f64| PieceFace {
            normal: DVec3::ONE.normalize(),
            distance,
            corners: Vec::new(),
            mapping: None,
        };
        piece.faces.push(cut(DVec3::splat(64.0).length() + 1e-9));
        let (brush, _) = made(&piece).expect("a box");
        assert_eq!(brush.faces().len(), 6);
        piece.faces[6] = cut(80.0);
        let (brush, _) = made(&piece).expect("a box without a corner");
        assert_eq!(brush.faces().len(), 7);
    }

    #[test]
    fn nothing_comes_of_a_piece_without_volume() {
        let flat = cuboid(DVec3::ZERO, DVec3::new(64.0, 64.0, 1e-4));
        assert!(made(&flat).is_none());
    }
}
