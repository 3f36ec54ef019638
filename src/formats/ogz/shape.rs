//! The shape of a cube: its corners from its edges, the triangles of its faces, convexity, volume.
//! Layout: Sauerbraten.

use std::cmp::Ordering;

use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;

/// All edges of a solid cube.
pub const SOLID_EDGES: [u8; 12] = [0x80; 12];

/// Corners of each face, counter-clockwise seen from outside. A corner's number is `x | y << 1 | z << 2`; faces are -X, +X, -Y, +Y, -Z,
/// +Z.
pub const FACE_CORNERS: [[usize; 4]; 6] = [
    [6, 2, 0, 4],
    [7, 5, 1, 3],
    [5, 4, 0, 1],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
];

/// A point or vector on a grid.
pub type Point = [i64; 3];

pub fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn cross(a: Point, b: Point) -> Point {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub fn dot(a: Point, b: Point) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A leaf's corner in eighths of a unit.
#[must_use]
pub fn on_grid(leaf: &Leaf, corner: Point) -> Point {
    [0, 1, 2].map(|axis| 8 * i64::from(leaf.origin[axis]) + i64::from(leaf.size) * corner[axis])
}

/// Twice the area long, towards where the corners run counter-clockwise.
pub fn triangle_normal([a, b, c]: [Point; 3]) -> Point {
    cross(sub(b, a), sub(c, a))
}

/// Index in a cube's edges of the edge along `axis` through a corner.
fn edge_index(axis: usize, corner: usize) -> usize {
    let first = (axis + 1) % 3;
    let second = (axis + 2) % 3;
    4 * axis + 2 * (corner >> second & 1) + (corner >> first & 1)
}

/// Where the edge along `axis` has its end at this corner, in eighths of the cube.
fn nibble(edges: &[u8; 12], axis: usize, corner: usize) -> u8 {
    let edge = edges[edge_index(axis, corner)];
    if corner >> axis & 1 == 1 {
        edge >> 4
    } else {
        edge & 15
    }
}

/// True for edges that no cube can have, or that leave it without volume along an axis: the engine makes such a cube empty.
#[must_use]
pub fn is_degenerate(edges: &[u8; 12]) -> bool {
    edges.chunks_exact(4).any(|along| {
        let is_flat = along.iter().all(|edge| edge & 15 == edge >> 4);
        is_flat
            || along
                .iter()
                .any(|edge| edge >> 4 > 8 || edge >> 4 < edge & 15)
    })
}

/// A cube's triangles by face: two each, with those that have no area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceTriangles {
    /// Corner numbers, counter-clockwise seen from outside.
    pub corners: [[usize; 3]; 2],
    /// Which of the two have an area.
    pub has_area: [bool; 2],
}

impl FaceTriangles {
    /// Those with an area, with their place of the two.
    pub fn iter(&self) -> impl Iterator<Item = (usize, [usize; 3])> + '_ {
        (0..2)
            .filter(|&index| self.has_area[index])
            .map(|index| (index, self.corners[index]))
    }
}

/// Corner positions in eighths of the cube's size, 0 to 8, by corner number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub corners: [Point; 8],
}

impl Shape {
    pub const SOLID: Self = Self {
        corners: [
            [0, 0, 0],
            [8, 0, 0],
            [0, 8, 0],
            [8, 8, 0],
            [0, 0, 8],
            [8, 0, 8],
            [0, 8, 8],
            [8, 8, 8],
        ],
    };

    #[must_use]
    pub fn new(edges: &[u8; 12]) -> Self {
        let mut shape = Self::SOLID;
        for (number, corner) in shape.corners.iter_mut().enumerate() {
            for (axis, at) in corner.iter_mut().enumerate() {
                *at = i64::from(nibble(edges, axis, number));
            }
        }
        shape
    }

    /// Of a leaf that is not empty.
    #[must_use]
    pub fn of(leaf: &Leaf) -> Self {
        match leaf.fill {
            Fill::Solid => Self::SOLID,
            Fill::Deformed | Fill::Empty => Self::new(&leaf.edges),
        }
    }

    /// The edges that give this shape.
    #[must_use]
    pub fn edges(&self) -> [u8; 12] {
        let mut edges = [0; 12];
        for (number, corner) in self.corners.iter().enumerate() {
            for axis in 0..3 {
                let shift = if number >> axis & 1 == 1 { 4 } else { 0 };
                edges[edge_index(axis, number)] |= (corner[axis] as u8) << shift;
            }
        }
        edges
    }

    /// How far a face bulges out along its first diagonal: negative when it is bent inwards, 0 when flat.
    #[must_use]
    pub fn bulge(&self, face: usize) -> i64 {
        let [a, b, c, d] = FACE_CORNERS[face].map(|number| self.corners[number]);
        dot(sub(a, d), cross(sub(b, a), sub(c, a)))
    }

    /// Corner numbers of a face's two triangles: the diagonal is always the one that makes the face bulge outwards.
    #[must_use]
    pub fn halves(&self, face: usize) -> [[usize; 3]; 2] {
        let [a, b, c, d] = FACE_CORNERS[face];
        if self.bulge(face) < 0 {
            [[b, c, d], [b, d, a]]
        } else {
            [[a, b, c], [a, c, d]]
        }
    }

    #[must_use]
    pub fn triangles(&self, face: usize) -> FaceTriangles {
        let corners = self.halves(face);
        let has_area = corners.map(|triangle| self.normal(triangle) != [0; 3]);
        FaceTriangles { corners, has_area }
    }

    /// Outward, as long as twice the triangle's area.
    #[must_use]
    pub fn normal(&self, triangle: [usize; 3]) -> Point {
        triangle_normal(triangle.map(|number| self.corners[number]))
    }

    /// Lowest and highest corner when it is a box along the axes.
    #[must_use]
    pub fn as_box(&self) -> Option<[Point; 2]> {
        let (min, max) = (self.corners[0], self.corners[7]);
        let is_box = self.corners.iter().enumerate().all(|(number, corner)| {
            (0..3).all(|axis| {
                let wanted = if number >> axis & 1 == 1 { max } else { min };
                corner[axis] == wanted[axis]
            })
        });
        is_box.then_some([min, max])
    }

    /// No corner lies in front of the plane of any triangle.
    #[must_use]
    pub fn is_convex(&self) -> bool {
        (0..6).all(|face| {
            self.triangles(face).iter().all(|(_, triangle)| {
                let normal = self.normal(triangle);
                let from = self.corners[triangle[0]];
                self.corners
                    .iter()
                    .all(|&corner| dot(sub(corner, from), normal) <= 0)
            })
        })
    }

    /// All three corners lie on the border of the cube that a face is of.
    #[must_use]
    pub fn lies_on(&self, triangle: [usize; 3], face: usize) -> bool {
        triangle
            .iter()
            .all(|&number| self.corners[number][face / 2] == 8 * (face % 2) as i64)
    }

    /// Whether no edge that ends at this corner ends before it starts, if the corner is at a point and those before it are where they
    /// are.
    #[must_use]
    pub fn keeps_order(&self, number: usize, point: Point) -> bool {
        (0..3).filter(|axis| number >> axis & 1 == 1).all(|axis| {
            let start = self.corners[number & !(1 << axis)];
            start[axis] <= point[axis]
        })
    }

    /// Six times the volume, in cubed eighths of the cube's size.
    #[must_use]
    pub fn six_volumes(&self) -> i64 {
        (0..6)
            .flat_map(|face| self.halves(face))
            .map(|triangle| {
                let [a, b, c] = triangle.map(|number| self.corners[number]);
                dot(a, cross(b, c))
            })
            .sum()
    }
}

/// A plane `dot(normal, p) = dist`.
#[derive(Clone, Copy)]
struct SpanPlane {
    normal: Point,
    dist: i64,
}

impl SpanPlane {
    fn through([a, b, c]: [Point; 3]) -> Self {
        let normal = cross(sub(b, a), sub(c, a));
        Self {
            normal,
            dist: dot(normal, a),
        }
    }

    fn is_same(self, other: Self) -> bool {
        cross(self.normal, other.normal) == [0; 3]
            && dot(self.normal, other.normal) > 0
            && (0..3).all(|axis| self.dist * other.normal[axis] == other.dist * self.normal[axis])
    }
}

/// Edges of a deformed cube of version 8 or older, where each face was a plane through corners moved along the face's axis only: each
/// corner becomes the point where the planes of its three faces meet.
#[must_use]
pub fn edges_of_spans(edges: [u8; 12]) -> [u8; 12] {
    let plane = |corners: [usize; 3], moved: bool| {
        let axis = (0..3)
            .find(|&axis| corners.iter().all(|&c| (c ^ corners[0]) >> axis & 1 == 0))
            .unwrap_or(0);
        SpanPlane::through(corners.map(|number| {
            let mut point = [0, 1, 2].map(|axis| 8 * (number >> axis & 1) as i64);
            if moved {
                point[axis] = i64::from(nibble(&edges, axis, number));
            }
            point
        }))
    };
    let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(|p: usize| {
        let (p1, p2, p3) = (p ^ 1, p ^ 2, p ^ 4);
        let mut a = plane([p, p1, p2], true);
        let mut b = plane([p, p2, p3], true);
        let c = plane([p, p3, p1], true);
        if a.is_same(b) || a.is_same(c) {
            a = plane([p, p1, p2], false);
        }
        if b.is_same(c) {
            b = plane([p, p2, p3], false);
        }
        meeting([a, b, c])
    });
    Shape { corners }.edges()
}

/// The point where three planes meet, in whole eighths inside of the cube.
fn meeting([a, b, c]: [SpanPlane; 3]) -> Point {
    let ab = cross(a.normal, b.normal);
    let bc = cross(b.normal, c.normal);
    let ca = cross(c.normal, a.normal);
    let det = dot(ab, c.normal);
    [0, 1, 2].map(|axis| {
        let sum = ab[axis] * c.dist + ca[axis] * b.dist + bc[axis] * a.dist;
        // Without a meeting point the engine takes the sum as it is; it is clamped all the same.
        let (sum, det) = match det.cmp(&0) {
            Ordering::Less => (-sum, -det),
            Ordering::Equal => (sum, 1),
            Ordering::Greater => (sum, det),
        };
        (100 * sum.clamp(0, 8 * det) + 49 * det) / (100 * det)
    })
}
