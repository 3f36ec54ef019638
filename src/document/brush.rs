//! Brushes: convex solids given by planes.

mod committing;

use std::sync::Arc;

use glam::DAffine3;
use glam::DVec3;
use glam::Vec2;
use glam::Vec3;

pub use self::committing::Unstorable;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::document::object::bits;
use crate::geometry::Hull;
use crate::geometry::HullFault;
use crate::geometry::Plane;
use crate::geometry::Uv;
use crate::geometry::UvAxes;
use crate::geometry::transform::Mapping;

bits!(
    /// What a brush does (`hmap.md` D22). Unknown bits are kept; no bits = drawn, blocks nothing.
    Contents {
        SOLID = 1;
        WATER = 2;
        CLIP = 4;
        TRIGGER = 8;
        SKY = 16;
    }
);

/// What is wrong with a brush (`hmap.md` 5: E-NAN, E-PLANE, E-FACES, E-OPEN, E-EMPTY).
pub type BrushError = HullFault;

/// One side of a brush.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    pub plane: Plane,
    pub material: Option<MaterialId>,
    pub uv: Uv,
    /// Exact frame (`UVAX`): rules over `uv`, which then holds the fit.
    pub axes: Option<UvAxes>,
    pub flags: SurfaceFlags,
}

impl Face {
    #[must_use]
    pub fn new(plane: Plane, material: Option<MaterialId>) -> Self {
        Self {
            plane,
            material,
            uv: Uv::default(),
            axes: None,
            flags: SurfaceFlags::default(),
        }
    }

    /// The texture frame in force: `axes`, or the five numbers with this tile size.
    #[must_use]
    pub fn frame(&self, tile_size: Vec2) -> UvAxes {
        if let Some(axes) = self.axes {
            return axes;
        }
        let normal = self.plane.normal.normalize_or(DVec3::Y);
        self.uv.frame(
            normal,
            self.flags.has(SurfaceFlags::FACE_ALIGNED),
            tile_size,
        )
    }
}

/// Whether textures go with a brush that is transformed (LOCK-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UvLock {
    /// Textures stay in world space.
    World,
    /// Textures are carried along.
    Carried,
}

/// The intersection of its faces' half spaces. The planes are the truth; the hull is derived once and never stored.
#[derive(Clone, Debug)]
pub struct Brush {
    contents: Contents,
    faces: Vec<Face>,
    hull: Hull,
    /// Corners that an importer read or a vertex edit asked for, where D24 does not give them back (`BVTX`).
    exact: Option<Arc<[Vec3]>>,
}

impl PartialEq for Brush {
    fn eq(&self, other: &Self) -> bool {
        self.contents == other.contents && self.faces == other.faces && self.exact == other.exact
    }
}

impl Brush {
    /// For edits: must enclose volume.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn solid(contents: Contents, faces: Vec<Face>) -> Result<Self, BrushError> {
        let brush = Self::as_stored(contents, faces);
        match brush.hull.fault() {
            Some(fault) => Err(fault),
            None => Ok(brush),
        }
    }

    /// For readers: may be broken, is kept.
    #[must_use]
    pub fn as_stored(contents: Contents, faces: Vec<Face>) -> Self {
        Self::with_exact(contents, faces, None)
    }

    /// As [`Brush::as_stored`], with the corners of `BVTX`.
    #[must_use]
    pub fn with_exact(contents: Contents, faces: Vec<Face>, exact: Option<Arc<[Vec3]>>) -> Self {
        let hull = hull_of(&faces, exact.as_deref());
        Self {
            contents,
            faces,
            hull,
            exact,
        }
    }

    /// For previews of vertex tools: faces on a hull that is known already, one loop per face; its corners are asked for. Exact
    /// again at commit, as [`Brush::transformed`].
    pub(in crate::document) fn on_hull(contents: Contents, faces: Vec<Face>, hull: Hull) -> Self {
        debug_assert_eq!(faces.len(), hull.loops().len());
        let exact = hull.points().iter().map(|point| point.as_vec3()).collect();
        Self {
            contents,
            faces,
            hull,
            exact: Some(exact),
        }
    }

    /// A box with every face in this material.
    #[must_use]
    pub fn cuboid(bounds: crate::geometry::Aabb, material: Option<MaterialId>) -> Self {
        let planes = [
            Plane::new(DVec3::X, bounds.max.x),
            Plane::new(DVec3::NEG_X, -bounds.min.x),
            Plane::new(DVec3::Y, bounds.max.y),
            Plane::new(DVec3::NEG_Y, -bounds.min.y),
            Plane::new(DVec3::Z, bounds.max.z),
            Plane::new(DVec3::NEG_Z, -bounds.min.z),
        ];
        Self::as_stored(
            Contents::SOLID,
            planes.map(|plane| Face::new(plane, material)).into(),
        )
    }

    #[must_use]
    pub fn contents(&self) -> Contents {
        self.contents
    }

    #[must_use]
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Points, and one loop per face.
    #[must_use]
    pub fn hull(&self) -> &Hull {
        &self.hull
    }

    #[must_use]
    pub fn exact(&self) -> Option<&Arc<[Vec3]>> {
        self.exact.as_ref()
    }

    /// Why it is broken; `None` when it encloses volume.
    #[must_use]
    pub fn fault(&self) -> Option<BrushError> {
        self.hull.fault()
    }

    #[must_use]
    pub fn with_contents(&self, contents: Contents) -> Self {
        Self {
            contents,
            ..self.clone()
        }
    }

    /// The same planes with these corners asked for (vertex tools): a commit stores those that D24 does not give back.
    #[must_use]
    pub fn with_corners(&self, corners: &[DVec3]) -> Self {
        let exact: Arc<[Vec3]> = corners.iter().map(|corner| corner.as_vec3()).collect();
        Self::with_exact(self.contents, self.faces.clone(), Some(exact))
    }

    /// Other materials, uv or flags on the same planes: the shape stays as it is.
    ///
    /// # Panics
    /// When `faces` has other planes than the brush; change the shape through [`Brush::solid`].
    #[must_use]
    pub fn with_surfaces(&self, faces: Vec<Face>) -> Self {
        assert!(
            faces.len() == self.faces.len()
                && faces
                    .iter()
                    .zip(&self.faces)
                    .all(|(new, old)| new.plane == old.plane),
            "with_surfaces keeps the planes"
        );
        Self {
            faces,
            ..self.clone()
        }
    }

    /// The mapped brush, unrounded: for previews, exact again at commit. `tile` gives a material's tile size.
    #[must_use]
    pub fn transformed(
        &self,
        map: &DAffine3,
        lock: UvLock,
        tile: &dyn Fn(Option<MaterialId>) -> Vec2,
    ) -> Self {
        self.mapped(&Mapping::new(*map), lock, tile)
    }

    /// As [`Brush::transformed`], by a map that is used for many brushes.
    #[must_use]
    pub fn mapped(
        &self,
        mapping: &Mapping,
        lock: UvLock,
        tile: &dyn Fn(Option<MaterialId>) -> Vec2,
    ) -> Self {
        let map = &mapping.map;
        // Frames are brought into the plane at commit: corners that D24 restored lie a little off it, and keep their coordinates.
        let faces = self
            .faces
            .iter()
            .map(|face| Face {
                plane: mapping.plane(face.plane),
                material: face.material,
                uv: face.uv,
                axes: match lock {
                    UvLock::World => face.axes,
                    UvLock::Carried => Some(mapping.frame(face.frame(tile(face.material)))),
                },
                flags: face.flags,
            })
            .collect();
        // `exact` goes along as f32 positions; the commit checks them against the rounded planes.
        let exact = self.exact.as_ref().map(|points| {
            points
                .iter()
                .map(|point| map.transform_point3(point.as_dvec3()).as_vec3())
                .collect()
        });
        Self {
            contents: self.contents,
            faces,
            hull: self.hull.transformed(map),
            exact,
        }
    }

    /// Bytes behind its pointers, for the budget of the history.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.faces.capacity() * size_of::<Face>()
            + self.hull.heap_bytes()
            + self.exact.as_ref().map_or(0, |exact| exact.len() * 12)
    }
}

fn hull_of(faces: &[Face], exact: Option<&[Vec3]>) -> Hull {
    let planes: Vec<Plane> = faces.iter().map(|face| face.plane).collect();
    Hull::from_planes(&planes).restored(exact)
}

#[cfg(test)]
mod tests {
    use glam::DMat3;
    use proptest::prelude::*;

    use super::*;
    use crate::geometry::Aabb;
    use crate::geometry::transform::about;

    const TILE: Vec2 = Vec2::splat(64.0);

    fn tile(_: Option<MaterialId>) -> Vec2 {
        TILE
    }

    fn cube() -> Brush {
        Brush::cuboid(Aabb::new(DVec3::ZERO, DVec3::splat(32.0)), None)
    }

    fn committed(brush: &Brush, before: Option<&Brush>) -> Brush {
        brush
            .committed(before, &tile)
            .expect("sound")
            .unwrap_or_else(|| brush.clone())
    }

    #[test]
    fn surfaces_keep_the_bits_of_the_planes() {
        // Planes as some other program wrote them: not unit length.
        let faces: Vec<Face> = cube()
            .faces()
            .iter()
            .map(|face| Face {
                plane: Plane::new(face.plane.normal * 3.0, face.plane.dist * 3.0),
                ..face.clone()
            })
            .collect();
        let before = Brush::as_stored(Contents::SOLID, faces.clone());
        assert_eq!(
            before.committed(Some(&before), &tile),
            Ok(None),
            "nothing to do"
        );
        let mut painted = faces.clone();
        painted[2].material = Some(MaterialId(4));
        let painted = before.with_surfaces(painted);
        let result = committed(&painted, Some(&before));
        assert_eq!(result, painted);
        let moved = committed(
            &before.transformed(
                &DAffine3::from_translation(DVec3::X * 8.0),
                UvLock::World,
                &tile,
            ),
            Some(&before),
        );
        assert!(
            moved
                .faces()
                .iter()
                .zip(&faces)
                .all(|(new, old)| new.plane.normal == old.plane.normal),
            "D23"
        );
        assert_eq!(moved.hull().bounds().min, DVec3::X * 8.0);
    }

    #[test]
    fn axes_from_a_file_stay_until_they_are_touched() {
        let axes = UvAxes {
            u: DVec3::new(0.5, 0.25, 0.0),
            u_offset: 0.125,
            v: DVec3::new(0.0, -0.5, 0.0),
            v_offset: 0.0,
        };
        let odd_fit = Uv {
            offset: Vec2::splat(0.3),
            scale: Vec2::ONE,
            rotation_deg: 12.0,
        };
        let mut faces = cube().faces().to_vec();
        faces[4] = Face {
            uv: odd_fit,
            axes: Some(axes),
            ..faces[4].clone()
        };
        let before = Brush::as_stored(Contents::SOLID, faces);
        let mut painted = before.faces().to_vec();
        painted[0].material = Some(MaterialId(1));
        let result = committed(&before.with_surfaces(painted), Some(&before));
        assert_eq!(
            (result.faces()[4].uv, result.faces()[4].axes.as_ref()),
            (odd_fit, Some(&axes))
        );
        let mut turned = before.faces().to_vec();
        turned[4].axes = Some(axes.shifted(glam::DVec2::new(0.1, 0.0)));
        let result = committed(&before.with_surfaces(turned), Some(&before));
        let stored = result.faces()[4].axes.as_ref().expect("skewed");
        assert_eq!(*stored, stored.rounded());
        assert_ne!(result.faces()[4].uv, odd_fit, "a new fit");
    }

    #[test]
    fn corners_are_kept_only_when_asked_for() {
        let turn = about(DVec3::ZERO, DMat3::from_rotation_y(0.7));
        let turned = committed(
            &cube().transformed(&turn, UvLock::World, &tile),
            Some(&cube()),
        );
        assert!(turned.exact().is_none());
        let wanted: Vec<DVec3> = turned
            .hull()
            .points()
            .iter()
            .map(|point| (point * 1000.0).round() / 1000.0)
            .collect();
        let asked = committed(&turned.with_corners(&wanted), Some(&turned));
        assert!(asked.exact().is_some());
        for corner in asked.hull().points() {
            assert!(
                wanted
                    .iter()
                    .any(|wanted| wanted.as_vec3().as_dvec3() == *corner),
                "{corner}"
            );
        }
        let moved = committed(
            &asked.transformed(
                &DAffine3::from_translation(DVec3::Y * 16.0),
                UvLock::World,
                &tile,
            ),
            Some(&asked),
        );
        assert!(moved.exact().is_some(), "a transform takes them along");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]
        #[test]
        fn a_committed_brush_is_what_a_reader_makes(
            columns in prop::array::uniform3(prop::array::uniform3(-1.0..1.0f64)),
            shift in prop::array::uniform3(-4096.0..4096.0f64),
            carried in any::<bool>(),
        ) {
            let matrix = DMat3::from_cols(DVec3::from(columns[0]), DVec3::from(columns[1]), DVec3::from(columns[2]));
            prop_assume!(matrix.determinant().abs() > 0.05);
            let map = DAffine3::from_mat3_translation(matrix, DVec3::from(shift));
            let lock = if carried { UvLock::Carried } else { UvLock::World };
            let preview = cube().transformed(&map, lock, &tile);
            let result = committed(&preview, Some(&cube()));
            let read = Brush::with_exact(result.contents(), result.faces().to_vec(), result.exact().cloned());
            prop_assert_eq!(read.hull(), result.hull());
            prop_assert_eq!(&read, &result);
            prop_assert_eq!(result.committed(Some(&result), &tile), Ok(None));
            for (shown, stored) in preview.hull().loops().iter().zip(result.hull().loops()) {
                prop_assert_eq!(shown.len(), stored.len());
            }
            if carried {
                for (index, face) in result.faces().iter().enumerate() {
                    for corner in cube().hull().face_points(index) {
                        let off = face.frame(TILE).at(map.transform_point3(corner)).distance(cube().faces()[index].frame(TILE).at(corner));
                        prop_assert!(off < 0.05 / 64.0, "{}", off);
                    }
                }
            }
        }
    }

    /// The farthest that a corner lies in front of a plane as it is stored.
    fn sticks_out(brush: &Brush) -> f64 {
        let units = brush.faces().iter().filter_map(|face| face.plane.unit());
        units
            .flat_map(|unit| brush.hull().points().iter().map(move |&p| unit.distance(p)))
            .fold(0.0, f64::max)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 256, ..ProptestConfig::default() })]
        #[test]
        fn vtx_all_corners_lie_behind_the_planes_that_are_stored(
            sides in 4..14usize,
            radius in 8.0..600.0f64,
            turn in prop::array::uniform3(-3.2..3.2f64),
            place in prop::array::uniform3(-130_000.0..130_000.0f64),
            asked in any::<bool>(),
        ) {
            let rim = (0..sides).map(|side| {
                let (sin, cos) = (side as f64 / sides as f64 * std::f64::consts::TAU).sin_cos();
                Plane::new(DVec3::new(cos, 0.0, sin), radius)
            });
            let caps = [Plane::new(DVec3::Y, radius), Plane::new(DVec3::NEG_Y, radius)];
            let faces: Vec<Face> = rim.chain(caps).map(|plane| Face::new(plane, None)).collect();
            let prism = Brush::as_stored(Contents::SOLID, faces);
            let turned = DMat3::from_euler(glam::EulerRot::YXZ, turn[0], turn[1], turn[2]);
            let map = DAffine3::from_mat3_translation(turned, DVec3::from(place));
            let mut moved = prism.transformed(&map, UvLock::Carried, &tile);
            if asked {
                moved = moved.with_corners(moved.hull().points());
            }
            let stored = committed(&moved, None);
            prop_assert!(sticks_out(&stored) <= 0.01, "{}", sticks_out(&stored));
            prop_assert_eq!(stored.faces().len(), prism.faces().len());
            let read = Brush::with_exact(stored.contents(), stored.faces().to_vec(), stored.exact().cloned());
            prop_assert_eq!(read.hull(), stored.hull());
            prop_assert_eq!(stored.committed(Some(&stored), &tile), Ok(None));
        }
    }

    #[test]
    fn textures_that_no_file_can_hold_keep_their_density() {
        let brush = cube();
        let mut faces = brush.faces().to_vec();
        // Both axes along one line: four texels to a unit, on edge.
        faces[2].axes = Some(UvAxes {
            u: DVec3::new(0.0625, 0.0, 0.0),
            u_offset: 2.0,
            v: DVec3::new(0.0625, 1e-9, 0.0),
            v_offset: 0.0,
        });
        let stored = committed(&brush.with_surfaces(faces), Some(&brush));
        let face = &stored.faces()[2];
        assert_eq!(face.axes, None);
        let frame = face.frame(TILE);
        assert!((frame.u.length() - 0.0625).abs() < 1e-7, "{frame:?}");
        assert!((frame.v.length() - 0.0625).abs() < 1e-7, "{frame:?}");
    }

    #[test]
    fn a_picture_on_edge_gives_way_to_the_default() {
        let brush = Brush::cuboid(
            crate::geometry::Aabb::new(DVec3::ZERO, DVec3::splat(64.0)),
            None,
        );
        let mut faces = brush.faces().to_vec();
        // Skewed, and so large that the file's readers take its axes for parallel.
        faces[2].axes = Some(UvAxes {
            u: DVec3::new(1e-7, 0.0, 0.0),
            u_offset: 0.0,
            v: DVec3::new(5e-8, 0.0, -1e-7),
            v_offset: 0.0,
        });
        let edited = brush.with_surfaces(faces);
        let tile = |_| Vec2::splat(64.0);
        let stored = edited
            .committed(Some(&brush), &tile)
            .expect("the shape is sound")
            .expect("it changed");
        let face = &stored.faces()[2];
        assert!(face.axes.is_none_or(|axes| axes.is_storable()), "{face:?}");
    }
}
