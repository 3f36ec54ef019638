//! Box sweeps through a compiled map, for walking in it.

use glam::DVec3;
use rayon::prelude::*;

use crate::compiler::Bsp;
use crate::compiler::CollisionBrush;
use crate::compiler::Compiled;
use crate::geometry::Aabb;
use crate::geometry::Bvh;
use crate::geometry::Hull;
use crate::geometry::Plane;

/// What a sweep met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// 0..1 of the way.
    pub fraction: f64,
    /// Outward unit normal of the surface.
    pub normal: DVec3,
    /// The box was in something solid at the start.
    pub started_solid: bool,
}

/// Which brush contents stop a movement: solid, clip and sky.
pub const MOVEMENT_MASK: u32 = 1 | 4 | 16;

/// Contents of mesh collision, which has none of its own.
const MESH_CONTENTS: u32 = 1;

/// Boxes this little inside a plane count as touching it: rounding, not penetration.
const TOUCHING: f64 = 1e-6;

/// A brush with the planes that a box can touch it by.
struct Solid {
    contents: u32,
    /// The brush's own faces first, then its bounds and the bevels of its edges. Unit normals.
    planes: Vec<Plane>,
    faces: usize,
    bounds: Aabb,
}

/// Collision of one compiled map, prepared for many sweeps.
pub struct Tracer {
    solids: Vec<Solid>,
    triangles: Vec<[DVec3; 3]>,
    /// Solids by index, then triangles.
    tree: Bvh<u32>,
    bounds: Aabb,
}

impl Tracer {
    /// Brushes of the world and of all entities at their rest pose, and all mesh collision.
    #[must_use]
    pub fn new(compiled: &Compiled) -> Self {
        let cmpl = &compiled.cmpl;
        let brushes: Vec<&CollisionBrush> = cmpl
            .bsp
            .brushes
            .iter()
            .chain(cmpl.models.iter().skip(1).flat_map(|model| &model.brushes))
            .collect();
        let solids: Vec<Solid> = brushes.into_par_iter().filter_map(Solid::new).collect();
        let triangles: Vec<[DVec3; 3]> = cmpl
            .mesh_collisions
            .iter()
            .flat_map(|mesh| mesh.vertices.as_chunks::<3>().0)
            .map(|corners| corners.map(|corner| corner.as_dvec3()))
            .filter(|corners| corners.iter().all(|corner| corner.is_finite()))
            .collect();
        let boxes = solids
            .iter()
            .map(|solid| solid.bounds)
            .chain(triangles.iter().map(|triangle| Aabb::of_points(*triangle)));
        let boxes: Vec<(u32, Aabb)> = (0..).zip(boxes).collect();
        let bounds = boxes
            .iter()
            .fold(Aabb::EMPTY, |sum, (_, bounds)| sum.union(*bounds));
        Self {
            solids,
            triangles,
            tree: Bvh::build(boxes),
            bounds,
        }
    }

    /// The box around everything; empty for an empty map.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Moves a box of these half extents, centred at `from`, to `to`; `None` when nothing is met. Touching is not meeting: a box
    /// may slide along what it touches.
    #[must_use]
    pub fn sweep(&self, from: DVec3, to: DVec3, half: DVec3, mask: u32) -> Option<Hit> {
        if !(from.is_finite() && to.is_finite() && half.is_finite()) {
            return None;
        }
        let reach = Aabb::around(from, half)
            .union(Aabb::around(to, half))
            .grown(TOUCHING);
        let mut best: Option<Hit> = None;
        self.tree.query(reach, |index| {
            let sweep = Sweep { from, to, half };
            let hit = match self.solids.get(index as usize) {
                Some(solid) if solid.contents & mask != 0 => {
                    sweep.against(solid.planes.iter().copied())
                }
                Some(_) => None,
                None if MESH_CONTENTS & mask != 0 => sweep.against(triangle_planes(
                    &self.triangles[index as usize - self.solids.len()],
                )),
                None => None,
            };
            if let Some(hit) = hit
                && best.is_none_or(|best| {
                    (hit.fraction, !hit.started_solid) < (best.fraction, !best.started_solid)
                })
            {
                best = Some(hit);
            }
        });
        best
    }

    /// True when a box of these half extents can be at `center`.
    #[must_use]
    pub fn is_free(&self, center: DVec3, half: DVec3, mask: u32) -> bool {
        self.sweep(center, center, half, mask).is_none()
    }

    /// The union of contents over all brushes that hold the point.
    #[must_use]
    pub fn contents_at(&self, point: DVec3) -> u32 {
        let mut contents = 0;
        if point.is_finite() {
            self.tree.query(Aabb::new(point, point), |index| {
                if let Some(solid) = self.solids.get(index as usize)
                    && solid.planes[..solid.faces]
                        .iter()
                        .all(|plane| plane.distance(point) < 0.0)
                {
                    contents |= solid.contents;
                }
            });
        }
        contents
    }
}

impl Solid {
    /// `None` for a record that encloses nothing.
    fn new(brush: &CollisionBrush) -> Option<Self> {
        let stored = brush
            .planes
            .iter()
            .map(|plane| Plane::new(plane.normal.as_dvec3(), f64::from(plane.dist)));
        let mut planes: Vec<Plane> = stored.filter_map(Plane::unit).collect();
        let hull = Hull::from_planes(&planes);
        if hull.fault().is_some() {
            return None;
        }
        let faces = planes.len();
        let bounds = hull.bounds();
        add_bevels(
            &mut planes,
            hull.points(),
            hull.edges()
                .iter()
                .map(|edge| edge.map(|at| hull.points()[at as usize])),
        );
        Some(Self {
            contents: brush.contents,
            planes,
            faces,
            bounds,
        })
    }
}

/// Adds the planes by which a box can touch a convex solid beside its faces: along the axes, and across each edge and an axis.
/// Without them a swept box would be stopped in front of slanted corners.
fn add_bevels(planes: &mut Vec<Plane>, points: &[DVec3], edges: impl Iterator<Item = [DVec3; 2]>) {
    let support = |normal: DVec3| {
        points
            .iter()
            .map(|point| normal.dot(*point))
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let mut add = |normal: DVec3, dist: f64| {
        if planes
            .iter()
            .all(|plane| plane.normal.dot(normal) < 1.0 - 1e-9)
        {
            planes.push(Plane::new(normal, dist));
        }
    };
    for normal in DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]) {
        add(normal, support(normal));
    }
    for [a, b] in edges {
        for axis in DVec3::AXES {
            let across = (b - a).normalize_or_zero().cross(axis);
            // Edges along the axis have their bevel already.
            if across.length_squared() < 1e-8 {
                continue;
            }
            for normal in [across.normalize(), -across.normalize()] {
                let dist = support(normal);
                // Only where the whole solid is behind it.
                if normal.dot(a) >= dist - 1e-6 * (1.0 + dist.abs()) {
                    add(normal, dist);
                }
            }
        }
    }
}

/// All planes by which a box can touch a triangle, which is a solid without thickness: both of its sides, the axes, and each edge
/// across each axis (the separating axes of box and triangle).
fn triangle_planes(corners: &[DVec3; 3]) -> impl Iterator<Item = Plane> + '_ {
    let [a, b, c] = *corners;
    let edges = [b - a, c - b, a - c];
    let crosses = edges
        .into_iter()
        .flat_map(|edge| DVec3::AXES.map(|axis| edge.normalize_or_zero().cross(axis)));
    let directions = std::iter::once((b - a).cross(c - a))
        .chain(DVec3::AXES)
        .chain(crosses);
    directions
        .filter(|direction| direction.length_squared() > 1e-12)
        .map(DVec3::normalize)
        .flat_map(|normal| [normal, -normal])
        .map(|normal| {
            Plane::new(
                normal,
                normal
                    .dot(corners[0])
                    .max(normal.dot(corners[1]))
                    .max(normal.dot(corners[2])),
            )
        })
}

/// A moving box.
struct Sweep {
    from: DVec3,
    to: DVec3,
    half: DVec3,
}

impl Sweep {
    /// Against the convex solid behind these planes, which are moved out by the size of the box.
    fn against(&self, planes: impl Iterator<Item = Plane>) -> Option<Hit> {
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut normal = DVec3::ZERO;
        // The plane the box is least far behind of, in case it starts inside.
        let (mut least, mut least_normal) = (f64::NEG_INFINITY, DVec3::Y);
        for plane in planes {
            let extent = plane.normal.abs().dot(self.half);
            let (mut start, end) = (
                plane.distance(self.from) - extent,
                plane.distance(self.to) - extent,
            );
            if start > -TOUCHING && start < 0.0 {
                start = 0.0;
            }
            if start >= 0.0 && end >= start {
                return None;
            }
            if start > least {
                (least, least_normal) = (start, plane.normal);
            }
            if start >= 0.0 {
                let share = start / (start - end);
                if share > enter {
                    (enter, normal) = (share, plane.normal);
                }
            } else if end > 0.0 {
                leave = leave.min(start / (start - end));
            }
        }
        if least < 0.0 {
            return Some(Hit {
                fraction: 0.0,
                normal: least_normal,
                started_solid: true,
            });
        }
        (enter < leave && enter <= 1.0).then_some(Hit {
            fraction: enter,
            normal,
            started_solid: false,
        })
    }
}

/// Indices of the tree's brushes that hold the point (D37: strictly inside all planes).
pub(crate) fn brushes_at(bsp: &Bsp, point: DVec3) -> impl Iterator<Item = usize> + '_ {
    let mut link = bsp.root;
    // A tree that is sound is left after `nodes` steps; one that is not ends in no leaf.
    for _ in 0..=bsp.nodes.len() {
        let Some(node) = usize::try_from(link).ok().and_then(|at| bsp.nodes.get(at)) else {
            break;
        };
        let Some(plane) = usize::try_from(node.plane)
            .ok()
            .and_then(|at| bsp.planes.get(at))
        else {
            break;
        };
        link = if plane.normal.as_dvec3().dot(point) >= f64::from(plane.dist) {
            node.front
        } else {
            node.back
        };
    }
    let leaf = usize::try_from(!link)
        .ok()
        .and_then(|at| bsp.leaves.get(at));
    let listed = leaf.and_then(|leaf| {
        let first = leaf.first_brush as usize;
        bsp.leaf_brushes
            .get(first..first.checked_add(leaf.brush_count as usize)?)
    });
    listed
        .unwrap_or_default()
        .iter()
        .map(|&brush| brush as usize)
        .filter(move |&brush| {
            bsp.brushes.get(brush).is_some_and(|brush| {
                brush
                    .planes
                    .iter()
                    .all(|plane| plane.normal.as_dvec3().dot(point) < f64::from(plane.dist))
            })
        })
}

#[cfg(test)]
pub(crate) mod tests {

    use super::*;
    use crate::compiler::Box3;
    use crate::compiler::Cmpl;
    use crate::compiler::MeshCollision;
    use crate::compiler::Plane3;

    /// A compiled map of these brushes (contents, outward planes) and mesh triangles.
    pub(crate) fn compiled(brushes: &[(u32, Vec<Plane>)], triangles: &[[DVec3; 3]]) -> Compiled {
        let brush = |(contents, planes): &(u32, Vec<Plane>)| CollisionBrush {
            contents: *contents,
            source_id: 1,
            bounds: Box3::default(),
            planes: planes
                .iter()
                .map(|plane| Plane3 {
                    normal: plane.normal.as_vec3(),
                    dist: plane.dist as f32,
                })
                .collect(),
        };
        let brushes: Vec<CollisionBrush> = brushes.iter().map(brush).collect();
        let mesh = MeshCollision {
            object_id: 2,
            bounds: Box3::default(),
            vertices: triangles
                .iter()
                .flatten()
                .map(|corner| corner.as_vec3())
                .collect(),
        };
        let cmpl = Cmpl {
            ambient: glam::Vec3::ZERO,
            units_per_meter: 32.0,
            baked: 0,
            bounds: Box3::default(),
            batches: Vec::new(),
            models: Vec::new(),
            bsp: Bsp {
                brushes,
                ..Bsp::default()
            },
            mesh_collisions: vec![mesh],
            lights: Vec::new(),
        };
        Compiled::of(cmpl, None)
    }

    /// Planes of an axis-aligned box.
    pub(crate) fn cuboid(min: DVec3, max: DVec3) -> Vec<Plane> {
        let sides = |axis: usize| {
            [
                Plane::new(DVec3::AXES[axis], max[axis]),
                Plane::new(-DVec3::AXES[axis], -min[axis]),
            ]
        };
        (0..3).flat_map(sides).collect()
    }

    #[test]
    fn boxes_stop_at_boxes() {
        let tracer = Tracer::new(&compiled(
            &[(1, cuboid(DVec3::splat(-10.0), DVec3::splat(10.0)))],
            &[],
        ));
        let half = DVec3::new(2.0, 3.0, 4.0);
        let check = |from: DVec3, to: DVec3, want: Option<(f64, DVec3)>| {
            let hit = tracer
                .sweep(from, to, half, MOVEMENT_MASK)
                .map(|hit| (hit.fraction, hit.normal));
            assert_eq!(hit, want, "{from} -> {to}");
        };
        check(
            DVec3::new(-22.0, 0.0, 0.0),
            DVec3::new(-2.0, 0.0, 0.0),
            Some((0.5, DVec3::NEG_X)),
        );
        check(
            DVec3::new(0.0, 33.0, 0.0),
            DVec3::new(0.0, -7.0, 0.0),
            Some((0.5, DVec3::Y)),
        );
        // Sliding along, passing by and going away.
        check(
            DVec3::new(-20.0, 13.0, 0.0),
            DVec3::new(20.0, 13.0, 0.0),
            None,
        );
        check(
            DVec3::new(-20.0, 14.0, 0.0),
            DVec3::new(20.0, 13.5, 0.0),
            None,
        );
        check(
            DVec3::new(-12.0, 0.0, 0.0),
            DVec3::new(-20.0, 0.0, 0.0),
            None,
        );
        let inside = tracer
            .sweep(DVec3::new(11.0, 0.0, 0.0), DVec3::ZERO, half, MOVEMENT_MASK)
            .expect("stuck");
        assert!(inside.started_solid && inside.normal == DVec3::X);
        assert!(
            tracer
                .sweep(DVec3::NEG_X * 30.0, DVec3::X * 30.0, half, 4)
                .is_none(),
            "not in the mask"
        );
        assert_eq!(
            (
                tracer.contents_at(DVec3::ZERO),
                tracer.contents_at(DVec3::X * 10.0)
            ),
            (1, 0)
        );
    }

    /// A wedge whose edges lie along no axis: swept against the true distance of box and solid.
    #[test]
    fn bevels_make_sweeps_exact() {
        let turned = glam::DQuat::from_euler(glam::EulerRot::YXZ, 0.5, 0.7, 0.3);
        let planes: Vec<Plane> = cuboid(DVec3::splat(-10.0), DVec3::splat(10.0))
            .into_iter()
            .map(|plane| Plane::new(turned * plane.normal, plane.dist))
            .collect();
        let corners: Vec<DVec3> = Aabb::new(DVec3::splat(-10.0), DVec3::splat(10.0))
            .corners()
            .map(|corner| turned * corner)
            .to_vec();
        let triangle = [corners[0], corners[3], corners[6]];
        let half = DVec3::new(3.0, 5.0, 2.0);
        let sides = [
            triangle[1] - triangle[0],
            triangle[2] - triangle[1],
            triangle[0] - triangle[2],
        ];
        for (tracer, points, edges) in [
            (
                Tracer::new(&compiled(&[(1, planes)], &[])),
                corners.clone(),
                DVec3::AXES.map(|axis| turned * axis),
            ),
            (
                Tracer::new(&compiled(&[], &[triangle])),
                triangle.to_vec(),
                sides,
            ),
        ] {
            let mut hits = 0;
            for k in 0..400_u32 {
                let angle = f64::from(k) * 2.399_963;
                let from =
                    DVec3::new(angle.cos(), f64::from(k % 20) / 10.0 - 1.0, angle.sin()) * 40.0;
                let aim = DVec3::new(
                    f64::from(k % 7) - 3.0,
                    f64::from(k % 5) - 2.0,
                    f64::from(k % 11) - 5.0,
                ) * 4.0;
                let to = from + (aim - from) * 2.0;
                let separated = |share: f64| !overlaps(from.lerp(to, share), half, &points, &edges);
                match tracer.sweep(from, to, half, 1) {
                    Some(hit) => {
                        hits += 1;
                        assert!(separated(hit.fraction - 1e-5), "stopped too late, {k}");
                        assert!(!separated(hit.fraction + 1e-5), "stopped too early, {k}");
                    }
                    None => assert!(
                        (0..=200).all(|step| separated(f64::from(step) / 200.0)),
                        "missed, {k}"
                    ),
                }
            }
            assert!(hits > 50, "{hits}");
        }
    }

    /// Overlap of a box and a convex solid by separating axes: world axes, normals of the solid, its edges across world axes.
    fn overlaps(center: DVec3, half: DVec3, points: &[DVec3], edges: &[DVec3; 3]) -> bool {
        let normals = [
            edges[0].cross(edges[1]),
            edges[1].cross(edges[2]),
            edges[2].cross(edges[0]),
        ];
        let crosses = edges
            .iter()
            .flat_map(|edge| DVec3::AXES.map(|axis| edge.cross(axis)));
        DVec3::AXES
            .into_iter()
            .chain(normals)
            .chain(crosses)
            .all(|axis| {
                let along = |point: &DVec3| axis.dot(*point - center);
                let low = points.iter().map(along).fold(f64::INFINITY, f64::min);
                let high = points.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
                let extent = axis.abs().dot(half);
                low <= extent && high >= -extent
            })
    }

    #[test]
    fn broken_brushes_and_numbers_stop_nothing() {
        let open = vec![Plane::new(DVec3::X, 1.0), Plane::new(DVec3::ZERO, 1.0)];
        let tracer = Tracer::new(&compiled(
            &[(1, open)],
            &[[DVec3::NAN; 3], [DVec3::ZERO; 3]],
        ));
        assert!(
            tracer
                .sweep(
                    DVec3::splat(-9.0),
                    DVec3::new(9.0, 9.0, 30.0),
                    DVec3::ONE,
                    1
                )
                .is_none()
        );
        assert!(
            tracer
                .sweep(DVec3::NAN, DVec3::ZERO, DVec3::ONE, 1)
                .is_none()
        );
        assert_eq!(tracer.contents_at(DVec3::NAN), 0);
    }
}
