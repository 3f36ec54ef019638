//! What one bumps into, as faces to be looked at.

use glam::DVec3;
use rayon::prelude::*;

use crate::compiler::Cmpl;
use crate::compiler::CollisionBrush;
use crate::compiler::collision;
use crate::geometry::Hull;
use crate::geometry::Plane;

/// Mesh collision has no contents of its own: it is solid.
const MESH_CONTENTS: u32 = 1;

/// A convex face, counter-clockwise from outside, in map units.
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionFace {
    /// Bits as of the brush.
    pub contents: u32,
    pub corners: Vec<DVec3>,
}

/// Faces of all collision brushes, of the world and of entities, and all collision triangles.
#[must_use]
pub fn collision_faces(cmpl: &Cmpl) -> Vec<CollisionFace> {
    let models = cmpl.models.iter().flat_map(|model| &model.brushes);
    let brushes: Vec<&CollisionBrush> = cmpl.bsp.brushes.iter().chain(models).collect();
    let mut faces: Vec<CollisionFace> = brushes.into_par_iter().flat_map_iter(of_brush).collect();
    for mesh in &cmpl.mesh_collisions {
        for triangle in mesh.vertices.as_chunks::<3>().0 {
            let corners = triangle.map(|corner| corner.as_dvec3());
            if corners.iter().all(|corner| corner.is_finite()) {
                faces.push(CollisionFace {
                    contents: MESH_CONTENTS,
                    corners: corners.into(),
                });
            }
        }
    }
    faces
}

fn of_brush(brush: &CollisionBrush) -> Vec<CollisionFace> {
    let planes: Vec<Plane> = brush
        .planes
        .iter()
        .copied()
        .map(collision::as_read)
        .collect();
    let hull = Hull::from_planes(&planes);
    (0..planes.len())
        .map(|face| CollisionFace {
            contents: brush.contents,
            corners: hull.face_points(face).collect(),
        })
        .filter(|face| face.corners.len() >= 3)
        .collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::compiler::Box3;
    use crate::compiler::Bsp;
    use crate::compiler::MeshCollision;
    use crate::compiler::Plane3;
    use crate::geometry::Aabb;

    #[test]
    fn view_2_collision_is_brushes_and_triangles() {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let planes = axes
            .iter()
            .flat_map(|&normal| [normal, -normal].map(|normal| Plane3 { normal, dist: 16.0 }));
        let cmpl = Cmpl {
            bsp: Bsp {
                brushes: vec![CollisionBrush {
                    contents: 4,
                    source_id: 1,
                    bounds: Box3::default(),
                    planes: planes.collect(),
                }],
                ..Bsp::default()
            },
            mesh_collisions: vec![MeshCollision {
                object_id: 2,
                bounds: Box3::default(),
                vertices: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::NAN, Vec3::X, Vec3::Y],
            }],
            ..Cmpl::default()
        };
        let faces = collision_faces(&cmpl);
        assert_eq!(faces.len(), 6 + 1, "what is not finite is left out");
        assert!(
            faces[..6]
                .iter()
                .all(|face| face.contents == 4 && face.corners.len() == 4)
        );
        let corners = faces[..6]
            .iter()
            .flat_map(|face| face.corners.iter().copied());
        assert_eq!(
            Aabb::of_points(corners),
            Aabb::around(DVec3::ZERO, DVec3::splat(16.0))
        );
        assert_eq!(faces[6].contents, 1);
    }
}
