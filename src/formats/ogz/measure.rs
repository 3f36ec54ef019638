//! Areas, volumes and counts of cubes and of what was made of them.

use std::collections::BTreeMap;
use std::collections::HashMap;

use rayon::prelude::*;

use crate::formats::ogz::convex::GridPlane;
use crate::formats::ogz::pieces::Pieces;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::Leaf;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::shape::Point;
use crate::formats::ogz::shape::SOLID_EDGES;
use crate::formats::ogz::shape::Shape;
use crate::formats::ogz::shape::on_grid;
use crate::formats::ogz::shape::triangle_normal;
use crate::formats::ogz::visible::VisibleTriangles;

/// Eighths of a unit to units, for areas and volumes.
const SQUARE_EIGHTHS: f64 = 64.0;
const CUBED_EIGHTHS: f64 = 512.0;

/// Triangles and their area, in square units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Triangles {
    pub count: usize,
    pub area: f64,
}

impl Triangles {
    fn add(&mut self, area: f64) {
        self.count += 1;
        self.area += area;
    }
}

/// What the leaves of a map are, before anything is joined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    pub all: Triangles,
    /// Not covered by a neighbour, and with a picture.
    pub visible: Triangles,
    /// Not covered by a neighbour, and of slot 0.
    pub sky: Triangles,
    /// Cubic units.
    pub volume: f64,
    /// Of the visible triangles, in eighths of a unit.
    pub bounds: Option<[Point; 2]>,
    pub bent_faces: usize,
    /// Faces cut along their second diagonal.
    pub inward_faces: usize,
    /// Deformed leaves that are boxes all the same.
    pub boxes: usize,
    pub non_convex: usize,
}

impl Figures {
    #[must_use]
    pub fn of(map: &RawMap, visible: &[VisibleTriangles]) -> Self {
        let mut figures = Self::default();
        for (leaf, &visible) in map.tree.leaves.iter().zip(visible) {
            if leaf.fill != Fill::Empty {
                figures.add(leaf, visible);
            }
        }
        figures
    }

    fn add(&mut self, leaf: &Leaf, visible: VisibleTriangles) {
        let shape = Shape::of(leaf);
        let size = f64::from(leaf.size);
        for face in 0..6 {
            let bulge = shape.bulge(face);
            self.bent_faces += usize::from(bulge != 0);
            self.inward_faces += usize::from(bulge < 0);
            for (index, triangle) in shape.triangles(face).iter() {
                let area = length(shape.normal(triangle)) / 2.0 * size * size / SQUARE_EIGHTHS;
                self.all.add(area);
                if !visible.has(face, index) {
                    continue;
                }
                if leaf.textures[face] == 0 {
                    self.sky.add(area);
                    continue;
                }
                self.visible.add(area);
                for corner in triangle {
                    self.include(on_grid(leaf, shape.corners[corner]));
                }
            }
        }
        self.volume += shape.six_volumes() as f64 / 6.0 / CUBED_EIGHTHS * size.powi(3);
        if leaf.edges == SOLID_EDGES {
            return;
        }
        if !shape.is_convex() {
            self.non_convex += 1;
        } else if shape.as_box().is_some() {
            self.boxes += 1;
        }
    }

    fn include(&mut self, point: Point) {
        let [min, max] = self.bounds.get_or_insert([point; 2]);
        for axis in 0..3 {
            min[axis] = min[axis].min(point[axis]);
            max[axis] = max[axis].max(point[axis]);
        }
    }
}

fn length(vector: Point) -> f64 {
    vector
        .map(|part| part as f64)
        .iter()
        .map(|part| part * part)
        .sum::<f64>()
        .sqrt()
}

/// Planar, convex polygons that bound solids which do not overlap.
#[derive(Clone, Debug, Default)]
pub struct Surfaces {
    polygons: Vec<Polygon>,
}

#[derive(Clone, Debug)]
struct Polygon {
    plane: GridPlane,
    /// In eighths of a unit, counter-clockwise seen from outside.
    corners: Vec<Point>,
    slot: Option<u16>,
}

impl Surfaces {
    /// All triangles of all leaves.
    #[must_use]
    pub fn of_leaves(map: &RawMap, visible: &[VisibleTriangles]) -> Self {
        let mut surfaces = Self::default();
        for (leaf, visible) in map.tree.leaves.iter().zip(visible) {
            if leaf.fill == Fill::Empty {
                continue;
            }
            let shape = Shape::of(leaf);
            for face in 0..6 {
                for (index, triangle) in shape.triangles(face).iter() {
                    let corners = triangle.map(|corner| on_grid(leaf, shape.corners[corner]));
                    let slot = visible.has(face, index).then_some(leaf.textures[face]);
                    surfaces.add(corners.to_vec(), slot);
                }
            }
        }
        surfaces
    }

    /// Facets of all solids and triangles of all meshes.
    #[must_use]
    pub fn of_pieces(pieces: &Pieces) -> Self {
        let mut surfaces = Self::default();
        for solid in &pieces.solids {
            for facet in &solid.facets {
                surfaces.add(solid.facet_loop(facet), facet.surface.slot);
            }
        }
        for (triangle, surface) in pieces.meshes.iter().flat_map(|mesh| &mesh.sides) {
            surfaces.add(triangle.to_vec(), surface.slot);
        }
        surfaces
    }

    /// A polygon without an area is left out.
    pub fn add(&mut self, corners: Vec<Point>, slot: Option<u16>) {
        let normal = (1..corners.len().saturating_sub(1))
            .map(|index| triangle_normal([corners[0], corners[index], corners[index + 1]]))
            .find(|normal| *normal != [0; 3]);
        if let Some(normal) = normal
            && let Some(plane) = GridPlane::through(corners[0], normal)
        {
            self.polygons.push(Polygon {
                plane,
                corners,
                slot,
            });
        }
    }

    /// Cubic units.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let sum: f64 = self
            .polygons
            .iter()
            .map(|Polygon { corners, .. }| {
                (1..corners.len() - 1)
                    .map(|index| {
                        let [a, b, c] = [corners[0], corners[index], corners[index + 1]]
                            .map(|p| p.map(i128::from));
                        let cross = [
                            b[1] * c[2] - b[2] * c[1],
                            b[2] * c[0] - b[0] * c[2],
                            b[0] * c[1] - b[1] * c[0],
                        ];
                        a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]
                    })
                    .sum::<i128>() as f64
            })
            .sum();
        sum / 6.0 / CUBED_EIGHTHS
    }

    /// Area of the outside of all solids together, in square units: all polygons less what looks at each other in one plane. It does not
    /// depend on how the solids are cut into pieces.
    #[must_use]
    pub fn exposed_area(&self) -> f64 {
        self.exposed_by_slot().values().sum()
    }

    /// As [`Self::exposed_area`], by what the polygons show.
    #[must_use]
    pub fn exposed_by_slot(&self) -> BTreeMap<Option<u16>, f64> {
        let mut planes: BTreeMap<GridPlane, [Vec<&Polygon>; 2]> = BTreeMap::new();
        for polygon in &self.polygons {
            let turned = polygon.plane.flipped();
            let (key, side) = if polygon.plane < turned {
                (polygon.plane, 0)
            } else {
                (turned, 1)
            };
            planes.entry(key).or_default()[side].push(polygon);
        }
        let planes: Vec<_> = planes.into_iter().collect();
        let areas: Vec<Vec<(Option<u16>, f64)>> = planes
            .par_iter()
            .map(|(plane, sides)| exposed(*plane, sides))
            .collect();
        let mut sums = BTreeMap::new();
        for (slot, area) in areas.into_iter().flatten() {
            *sums.entry(slot).or_default() += area;
        }
        sums
    }
}

/// What of each polygon in one plane is covered by none on the other side, in square units.
fn exposed(plane: GridPlane, sides: &[Vec<&Polygon>; 2]) -> Vec<(Option<u16>, f64)> {
    // Areas as the shadow along the axis the plane looks at most.
    let axis = (0..3)
        .max_by_key(|&axis| plane.normal[axis].abs())
        .unwrap_or(0);
    let stretch = length(plane.normal) / plane.normal[axis].abs() as f64;
    let [fronts, backs] = [0, 1].map(|side: usize| -> Vec<Shadow> {
        sides[side]
            .iter()
            .map(|polygon| Shadow::new(&polygon.corners, axis))
            .collect()
    });
    let mut left: Vec<Vec<f64>> = [&fronts, &backs]
        .iter()
        .map(|side| side.iter().map(|shadow| shadow.area).collect())
        .collect();
    for (front, back, area) in overlaps(&fronts, &backs) {
        left[0][front] -= area;
        left[1][back] -= area;
    }
    let slots = sides.iter().flatten().map(|polygon| polygon.slot);
    let areas = left
        .concat()
        .into_iter()
        .map(|area| area * stretch / SQUARE_EIGHTHS);
    slots.zip(areas).collect()
}

/// A polygon seen along an axis, counter-clockwise.
struct Shadow {
    points: Vec<[f64; 2]>,
    min: [f64; 2],
    max: [f64; 2],
    area: f64,
}

impl Shadow {
    fn new(corners: &[Point], axis: usize) -> Self {
        let mut points: Vec<[f64; 2]> = corners
            .iter()
            .map(|corner| [(axis + 1) % 3, (axis + 2) % 3].map(|axis| corner[axis] as f64))
            .collect();
        if area(&points) < 0.0 {
            points.reverse();
        }
        let bound = |pick: fn(f64, f64) -> f64, axis: usize| {
            points.iter().map(|p| p[axis]).reduce(pick).unwrap_or(0.0)
        };
        Self {
            min: [0, 1].map(|axis| bound(f64::min, axis)),
            max: [0, 1].map(|axis| bound(f64::max, axis)),
            area: area(&points),
            points,
        }
    }
}

fn area(points: &[[f64; 2]]) -> f64 {
    let Some(&[x, y]) = points.first() else {
        return 0.0;
    };
    (0..points.len())
        .map(|index| {
            let (a, b) = (points[index], points[(index + 1) % points.len()]);
            ((a[0] - x) * (b[1] - y) - (a[1] - y) * (b[0] - x)) / 2.0
        })
        .sum()
}

/// Pairs of either side that overlap, with the area they share.
fn overlaps(fronts: &[Shadow], backs: &[Shadow]) -> Vec<(usize, usize, f64)> {
    if fronts.is_empty() || backs.is_empty() {
        return Vec::new();
    }
    // A grid of about one polygon to a cell.
    let all = || fronts.iter().chain(backs);
    let bound = |axis: usize| {
        let min = all().map(|s| s.min[axis]).fold(f64::INFINITY, f64::min);
        let max = all().map(|s| s.max[axis]).fold(f64::NEG_INFINITY, f64::max);
        (min, max)
    };
    let bounds = [bound(0), bound(1)];
    let across = (backs.len() as f64).sqrt().ceil().max(1.0);
    let cell = [0, 1].map(|axis: usize| ((bounds[axis].1 - bounds[axis].0) / across).max(1.0));
    let cell_of =
        |point: [f64; 2]| [0, 1].map(|axis| ((point[axis] - bounds[axis].0) / cell[axis]) as i32);
    let mut cells: HashMap<[i32; 2], Vec<usize>> = HashMap::new();
    for (index, back) in backs.iter().enumerate() {
        let (from, to) = (cell_of(back.min), cell_of(back.max));
        for x in from[0]..=to[0] {
            for y in from[1]..=to[1] {
                cells.entry([x, y]).or_default().push(index);
            }
        }
    }
    let mut pairs = Vec::new();
    for (at, front) in fronts.iter().enumerate() {
        let (from, to) = (cell_of(front.min), cell_of(front.max));
        for x in from[0]..=to[0] {
            for y in from[1]..=to[1] {
                for &index in cells.get(&[x, y]).into_iter().flatten() {
                    let back = &backs[index];
                    let min = [0, 1].map(|axis| front.min[axis].max(back.min[axis]));
                    let apart = (0..2).any(|axis| min[axis] >= front.max[axis].min(back.max[axis]));
                    // Counted in the one cell where both begin.
                    if !apart && cell_of(min) == [x, y] {
                        pairs.push((at, index, area(&common(&front.points, &back.points))));
                    }
                }
            }
        }
    }
    pairs
}

/// What two convex polygons share.
fn common(a: &[[f64; 2]], b: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut part = a.to_vec();
    for index in 0..b.len() {
        let (from, to) = (b[index], b[(index + 1) % b.len()]);
        let inside = |p: [f64; 2]| {
            (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0])
        };
        let mut next = Vec::with_capacity(part.len() + 1);
        for (at, &point) in part.iter().enumerate() {
            let before = part[(at + part.len() - 1) % part.len()];
            let (was, is) = (inside(before), inside(point));
            if (was < 0.0) != (is < 0.0) {
                let t = was / (was - is);
                next.push([
                    before[0] + (point[0] - before[0]) * t,
                    before[1] + (point[1] - before[1]) * t,
                ]);
            }
            if is >= 0.0 {
                next.push(point);
            }
        }
        part = next;
    }
    part
}

/// True when all corners lie behind all planes: convex, exactly.
#[must_use]
pub fn is_convex(corners: &[Point], planes: impl IntoIterator<Item = GridPlane>) -> bool {
    planes
        .into_iter()
        .all(|plane| corners.iter().all(|&corner| plane.distance(corner) <= 0))
}
