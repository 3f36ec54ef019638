//! What solids hide of each other where they touch: what nobody sees may show anything.

use std::collections::HashMap;

use glam::DVec3;

use crate::document::ObjectId;
use crate::formats::ogz::convex::GridPlane;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::shape::Point;
use crate::formats::ogz::write::fit::Cube;
use crate::formats::ogz::write::solid::Solid;

/// A solid, as far as others hide behind it.
struct Cover {
    id: ObjectId,
    min: Point,
    max: Point,
    planes: Vec<GridPlane>,
    /// It can be seen through, and hides only its like.
    has_alpha: bool,
}

/// All solids by the planes across an axis that they have a side in: the borders of cubes are such planes.
pub struct Covers {
    covers: Vec<Cover>,
    by_plane: HashMap<GridPlane, Vec<usize>>,
}

impl Covers {
    #[must_use]
    pub fn new(solids: &[Solid]) -> Self {
        let mut by_plane: HashMap<GridPlane, Vec<usize>> = HashMap::new();
        let mut covers = Vec::with_capacity(solids.len());
        for (index, solid) in solids.iter().enumerate() {
            let planes: Vec<GridPlane> = solid.sides.iter().map(|side| side.plane).collect();
            for &plane in planes.iter().filter(|plane| is_axial(plane)) {
                by_plane.entry(plane).or_default().push(index);
            }
            let mut min = DVec3::INFINITY;
            let mut max = DVec3::NEG_INFINITY;
            for &point in solid.whole.points() {
                min = min.min(point);
                max = max.max(point);
            }
            covers.push(Cover {
                id: solid.id,
                min: min.to_array().map(|at| at as i64),
                max: max.to_array().map(|at| at as i64),
                planes,
                has_alpha: solid.bits & material::ALPHA != 0,
            });
        }
        Self { covers, by_plane }
    }

    /// Takes out those that hide nothing, as they will not be there.
    pub fn remove(&mut self, are_gone: impl Fn(ObjectId) -> bool) {
        let covers = &self.covers;
        for list in self.by_plane.values_mut() {
            list.retain(|&index| !are_gone(covers[index].id));
        }
    }

    /// Those that touch the sides of a cube from outside.
    #[must_use]
    pub fn around(&self, cube: Cube, has_alpha: bool) -> Around<'_> {
        let touching = [0, 1, 2, 3, 4, 5].map(|face| {
            let axis = face / 2;
            let sign = 2 * (face % 2) as i64 - 1;
            let mut normal = Point::default();
            // Towards the cube.
            normal[axis] = -sign;
            let border = cube.origin[axis] + cube.size * (face % 2) as i64;
            let plane = GridPlane {
                normal,
                dist: -sign * border,
            };
            let list = self.by_plane.get(&plane).into_iter().flatten();
            let covers = list.map(|&index| &self.covers[index]);
            covers
                .filter(|cover| (has_alpha || !cover.has_alpha) && cover.meets(cube, axis))
                .collect()
        });
        Around { touching }
    }
}

impl Cover {
    /// Over the sides of the cube across an axis.
    fn meets(&self, cube: Cube, axis: usize) -> bool {
        (0..3).filter(|&along| along != axis).all(|along| {
            self.min[along] < cube.origin[along] + cube.size && self.max[along] > cube.origin[along]
        })
    }

    fn holds(&self, point: Point) -> bool {
        self.planes.iter().all(|plane| plane.distance(point) <= 0)
    }
}

/// What is around a cube.
#[derive(Default)]
pub struct Around<'a> {
    /// By the cube's faces.
    touching: [Vec<&'a Cover>; 6],
}

impl Around<'_> {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.touching.iter().all(Vec::is_empty)
    }

    /// Whether one of them hides the whole of a triangle on a face of the cube's border.
    #[must_use]
    pub fn hides(&self, face: usize, triangle: [Point; 3]) -> bool {
        let mut around = self.touching[face].iter();
        around.any(|cover| triangle.iter().all(|&point| cover.holds(point)))
    }
}

fn is_axial(plane: &GridPlane) -> bool {
    plane.normal.iter().filter(|&&part| part != 0).count() == 1
}
