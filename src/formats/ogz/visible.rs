//! Which triangles of the cubes can be seen: those that no neighbour covers. Rules: Sauerbraten's renderer.

use rayon::prelude::*;

use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::Node;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::shape::FACE_CORNERS;
use crate::formats::ogz::shape::Shape;
use crate::task::Cancelled;
use crate::task::Progress;

/// Levels of the tree above the parts that workers take.
const PART_DEPTH: u32 = 4;

/// Areas and distances (times an edge's length) below this are rounding, in squared eighths of a unit; real ones are far above.
const NEAR: f64 = 1e-6;

/// Visible triangles of a leaf: bit `2 * face + index`, see [`Shape::triangles`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisibleTriangles(u16);

impl VisibleTriangles {
    fn show(&mut self, face: usize, index: usize) {
        self.0 |= 1 << (2 * face + index);
    }

    #[must_use]
    pub fn has(self, face: usize, index: usize) -> bool {
        self.0 >> (2 * face + index) & 1 == 1
    }

    #[must_use]
    pub fn has_face(self, face: usize) -> bool {
        self.0 >> (2 * face) & 3 != 0
    }

    /// Not one can be seen.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// One entry per leaf of the map's tree.
///
/// # Errors
/// Only when cancelled.
pub fn visible_triangles(
    map: &RawMap,
    progress: &Progress,
) -> Result<Vec<VisibleTriangles>, Cancelled> {
    let world = World::new(map);
    let mut parts = Vec::new();
    if let Some(root) = world.root() {
        world.parts(
            Place {
                cube: root,
                around: [None; 6],
            },
            PART_DEPTH,
            &mut parts,
        );
    }
    let seen: Vec<Vec<VisibleTriangles>> = parts
        .par_iter()
        .map(|place| {
            progress.check()?;
            let mut seen = Vec::new();
            world.look(place, &mut seen);
            Ok(seen)
        })
        .collect::<Result<_, Cancelled>>()?;
    Ok(seen.concat())
}

/// A cube of the tree with its place.
#[derive(Clone, Copy)]
pub struct Cube {
    pub node: Node,
    /// Lowest corner and edge length, in units.
    pub origin: [i32; 3],
    pub size: i32,
}

impl Cube {
    #[must_use]
    pub fn child(self, children: &[Node; 8], index: usize) -> Self {
        let size = self.size / 2;
        let mut origin = self.origin;
        for (axis, at) in origin.iter_mut().enumerate() {
            *at += size * (index >> axis & 1) as i32;
        }
        Self {
            node: children[index],
            origin,
            size,
        }
    }
}

/// A cube and, by face, the cubes of its size beside it or the larger leaves that hold them; `None` outside of the world.
#[derive(Clone, Copy)]
struct Place {
    cube: Cube,
    around: [Option<Cube>; 6],
}

/// The tree for looking round in.
pub struct World<'m> {
    splits: &'m [[Node; 8]],
    leaves: &'m [Leaf],
    size: i32,
}

impl<'m> World<'m> {
    #[must_use]
    pub fn new(map: &'m RawMap) -> Self {
        Self {
            splits: &map.tree.splits,
            leaves: &map.tree.leaves,
            size: map.world_size as i32,
        }
    }

    /// `None` without any cubes.
    #[must_use]
    pub fn root(&self) -> Option<Cube> {
        (!self.splits.is_empty()).then_some(Cube {
            node: Node::Split(0),
            origin: [0; 3],
            size: self.size,
        })
    }

    /// The cube of this size at `origin`, or the larger leaf that holds it; `None` outside of the world.
    #[must_use]
    pub fn cube_at(&self, origin: [i32; 3], size: i32) -> Option<Cube> {
        let mut cube = self.root()?;
        if origin.iter().any(|at| !(0..self.size).contains(at)) {
            return None;
        }
        while cube.size > size
            && let Ok(children) = self.split(cube)
        {
            let half = cube.size / 2;
            let upper = |axis: usize| usize::from(origin[axis] >= cube.origin[axis] + half);
            cube = cube.child(children, upper(0) | upper(1) << 1 | upper(2) << 2);
        }
        Some(cube)
    }

    /// What a cube is split into, or the leaf that it is.
    pub fn split(&self, cube: Cube) -> Result<&'m [Node; 8], &'m Leaf> {
        match cube.node {
            Node::Split(index) => Ok(&self.splits[index as usize]),
            Node::Leaf(index) => Err(&self.leaves[index as usize]),
        }
    }

    /// One of the eight cubes within one.
    fn inner(&self, place: &Place, children: &[Node; 8], index: usize) -> Place {
        let mut around = [None; 6];
        for (face, around) in around.iter_mut().enumerate() {
            let across = index ^ 1 << (face / 2);
            *around = if index >> (face / 2) & 1 != face % 2 {
                Some(place.cube.child(children, across))
            } else {
                place.around[face].map(|beside| match self.split(beside) {
                    Ok(children) => beside.child(children, across),
                    Err(_) => beside,
                })
            };
        }
        Place {
            cube: place.cube.child(children, index),
            around,
        }
    }

    /// The cubes `depth` levels down and the leaves above, depth-first.
    fn parts(&self, place: Place, depth: u32, parts: &mut Vec<Place>) {
        match self.split(place.cube) {
            Ok(children) if depth > 0 => {
                for index in 0..8 {
                    self.parts(self.inner(&place, children, index), depth - 1, parts);
                }
            }
            _ => parts.push(place),
        }
    }

    fn look(&self, place: &Place, seen: &mut Vec<VisibleTriangles>) {
        match self.split(place.cube) {
            Ok(children) => {
                for (index, &child) in children.iter().enumerate() {
                    if let Node::Leaf(leaf) = child
                        && self.leaves[leaf as usize].fill == Fill::Empty
                    {
                        seen.push(VisibleTriangles::default());
                    } else {
                        self.look(&self.inner(place, children, index), seen);
                    }
                }
            }
            Err(leaf) => seen.push(self.visible(leaf, &place.around)),
        }
    }

    fn visible(&self, leaf: &Leaf, around: &[Option<Cube>; 6]) -> VisibleTriangles {
        let mut visible = VisibleTriangles::default();
        if leaf.fill == Fill::Empty {
            return visible;
        }
        let shape = Shape::of(leaf);
        for (face, neighbor) in around.iter().enumerate() {
            let cover = Cover {
                world: self,
                face: face ^ 1,
                has_alpha: leaf.material & material::ALPHA != 0,
            };
            if leaf.fill == Fill::Solid && neighbor.is_none_or(|cube| cover.is_whole(cube)) {
                continue;
            }
            let (axis, border) = (face / 2, 8 * (face % 2) as i64);
            for (index, corners) in shape.triangles(face).iter() {
                let touches = corners
                    .iter()
                    .all(|&corner| shape.corners[corner][axis] == border);
                let is_covered = || {
                    neighbor.is_none_or(|neighbor| {
                        let triangle = corners.map(|corner| on_face(&shape, leaf, axis, corner));
                        cover.is_covered(&Flat::new(&triangle), neighbor)
                    })
                };
                if !touches || !is_covered() {
                    visible.show(face, index);
                }
            }
        }
        visible
    }
}

/// A corner's place in a plane across `axis`, in eighths of a unit.
fn on_face(shape: &Shape, leaf: &Leaf, axis: usize, corner: usize) -> [f64; 2] {
    let at = shape.corners[corner];
    [(axis + 1) % 3, (axis + 2) % 3]
        .map(|axis| (at[axis] * i64::from(leaf.size) + 8 * i64::from(leaf.origin[axis])) as f64)
}

/// Asks whether cubes cover a polygon with their side `face`.
struct Cover<'w> {
    world: &'w World<'w>,
    face: usize,
    /// A cube that can be seen through covers only its like.
    has_alpha: bool,
}

impl Cover<'_> {
    /// True when the whole side is covered.
    fn is_whole(&self, cube: Cube) -> bool {
        match self.world.split(cube) {
            Ok(children) => self
                .touching()
                .all(|index| self.is_whole(cube.child(children, index))),
            Err(leaf) => leaf.fill == Fill::Solid && self.is_opaque(leaf),
        }
    }

    /// Children of a cube that touch the side.
    fn touching(&self) -> impl Iterator<Item = usize> {
        let face = self.face;
        (0..8).filter(move |index| index >> (face / 2) & 1 == face % 2)
    }

    fn is_opaque(&self, leaf: &Leaf) -> bool {
        leaf.fill != Fill::Empty && (self.has_alpha || leaf.material & material::ALPHA == 0)
    }

    fn is_covered(&self, polygon: &Flat, cube: Cube) -> bool {
        let axis = self.face / 2;
        match self.world.split(cube) {
            Err(leaf) => self.covers(leaf, polygon),
            Ok(children) => self.touching().all(|index| {
                let child = cube.child(children, index);
                let origin = [(axis + 1) % 3, (axis + 2) % 3]
                    .map(|axis| 8.0 * f64::from(child.origin[axis]));
                let part = polygon.clipped(origin, 8.0 * f64::from(child.size));
                part.is_flat() || self.is_covered(&part, child)
            }),
        }
    }

    fn covers(&self, leaf: &Leaf, polygon: &Flat) -> bool {
        if !self.is_opaque(leaf) {
            return false;
        }
        if leaf.fill == Fill::Solid {
            return true;
        }
        let shape = Shape::new(&leaf.edges);
        let (axis, border) = (self.face / 2, 8 * (self.face % 2) as i64);
        let mut footprint = Flat::default();
        for corner in FACE_CORNERS[self.face] {
            if shape.corners[corner][axis] == border {
                footprint.push(on_face(&shape, leaf, axis, corner));
            }
        }
        footprint.holds(polygon)
    }
}

/// A convex polygon in a plane across an axis. A triangle clipped by squares within squares has seven corners at most.
#[derive(Clone, Copy, Default)]
struct Flat {
    points: [[f64; 2]; 12],
    count: usize,
}

impl Flat {
    fn new(points: &[[f64; 2]]) -> Self {
        let mut flat = Self::default();
        for &point in points {
            flat.push(point);
        }
        flat
    }

    fn push(&mut self, point: [f64; 2]) {
        if self.count < self.points.len() {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    fn points(&self) -> &[[f64; 2]] {
        &self.points[..self.count]
    }

    /// Each corner with the one before it.
    fn sides(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
        let points = self.points();
        (0..points.len()).map(|index| {
            let before = index.checked_sub(1).unwrap_or(points.len() - 1);
            (points[before], points[index])
        })
    }

    /// Positive when the corners run counter-clockwise.
    fn double_area(&self) -> f64 {
        // Relative to the first corner: far from the origin the products would not be exact.
        let [x, y] = self.points[0];
        self.sides()
            .map(|(a, b)| (a[0] - x) * (b[1] - y) - (a[1] - y) * (b[0] - x))
            .sum()
    }

    fn is_flat(&self) -> bool {
        self.double_area().abs() < NEAR
    }

    /// The part within a square.
    fn clipped(&self, origin: [f64; 2], size: f64) -> Self {
        let mut part = *self;
        for axis in 0..2 {
            part = part.cut(|point| point[axis] - origin[axis]);
            part = part.cut(|point| origin[axis] + size - point[axis]);
        }
        part
    }

    /// The part where `inside` is not negative.
    fn cut(&self, inside: impl Fn([f64; 2]) -> f64) -> Self {
        let mut part = Self::default();
        for (a, b) in self.sides() {
            let (at_a, at_b) = (inside(a), inside(b));
            if (at_a < 0.0) != (at_b < 0.0) {
                let t = at_a / (at_a - at_b);
                part.push([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]);
            }
            if at_b >= 0.0 {
                part.push(b);
            }
        }
        part
    }

    /// True when it has an area and the whole of `other` lies within it.
    fn holds(&self, other: &Self) -> bool {
        let area = self.double_area();
        area.abs() >= NEAR
            && self.sides().all(|(a, b)| {
                let along = [b[0] - a[0], b[1] - a[1]];
                other.points().iter().all(|point| {
                    let side = along[0] * (point[1] - a[1]) - along[1] * (point[0] - a[0]);
                    side * area.signum() >= -NEAR
                })
            })
    }
}
