//! A convex part of a cube as one deformed cube: which corner goes to which point.

use glam::DVec3;
use smallvec::SmallVec;

use crate::formats::ogz::raw::material;
use crate::formats::ogz::shape::Point;
use crate::formats::ogz::shape::SOLID_EDGES;
use crate::formats::ogz::shape::Shape;
use crate::formats::ogz::shape::dot;
use crate::formats::ogz::shape::is_degenerate;
use crate::formats::ogz::shape::sub;
use crate::formats::ogz::shape::triangle_normal;
use crate::formats::ogz::write::covers::Around;
use crate::formats::ogz::write::covers::Covers;
use crate::formats::ogz::write::placing::EXACT;
use crate::formats::ogz::write::polytope::Polytope;
use crate::formats::ogz::write::solid::Look;
use crate::formats::ogz::write::solid::Solid;
use crate::formats::ogz::write::solid::Surface;

/// A cube of the tree, in eighths of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube {
    pub origin: Point,
    pub size: i64,
}

impl Cube {
    /// Eighths of its size to eighths of a unit.
    #[must_use]
    pub fn on_grid(self, corner: Point) -> Point {
        let step = self.size / 8;
        [0, 1, 2].map(|axis| self.origin[axis] + step * corner[axis])
    }

    /// Six times a volume in cubed eighths of a unit, in cubed eighths of its size.
    #[must_use]
    pub fn six_volumes(self, volume: f64) -> i64 {
        let step = (self.size / 8) as f64;
        (volume * 6.0 / step.powi(3)).round() as i64
    }

    #[must_use]
    pub fn child(self, index: usize) -> Self {
        let size = self.size / 2;
        Self {
            origin: [0, 1, 2].map(|axis| self.origin[axis] + size * (index >> axis & 1) as i64),
            size,
        }
    }

    #[must_use]
    pub fn corners(self) -> [Point; 8] {
        Shape::SOLID.corners.map(|corner| self.on_grid(corner))
    }
}

/// What a leaf holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    pub edges: [u8; 12],
    /// `None` where a face shows nothing of the solid's.
    pub textures: [Option<Look>; 6],
    /// Which faces show something of each of the solid's sides.
    pub shows: Shows,
    /// Sides whose pictures give way to others on the same face.
    pub gives_way: SmallVec<[usize; 4]>,
}

/// Why a part is no cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// No cube has this shape.
    Shape,
    /// One has, but its faces cannot show what they should.
    Look,
}

/// Pairs of a solid's side and a face of a cube that shows it.
pub type Shows = SmallVec<[(usize, usize); 12]>;

/// How far from an eighth a point may be, in eighths of the cube.
const ON: f64 = 1e-3;
/// Tries before a part counts as none that can be said.
const MOST_TRIES: usize = 5_000;
/// Further tries for a better one, when one is found.
const MORE_TRIES: usize = 2_000;

/// The deformed cube that is this part of a solid.
///
/// # Errors
/// When there is none, or none whose faces can show the solid's textures.
pub fn fit(part: &Polytope, cube: Cube, solid: &Solid, covers: &Covers) -> Result<Fitted, Unfit> {
    let points = points_of(part.points(), cube, 8).ok_or(Unfit::Shape)?;
    // Rounded points must not stand out of the solid.
    let is_inside = |point: &Point| solid.holds(cube.on_grid(*point));
    if points.len() < 4 || !points.iter().all(is_inside) {
        return Err(Unfit::Shape);
    }
    let six_volumes = cube.six_volumes(part.volume());
    let orders = [0, 1, 2, 3, 4, 5, 6, 7].map(|number| order(number, &points));
    let search = |is_strict: bool, around: &Around<'_>| {
        let mut search = Search {
            points: &points,
            orders: &orders,
            hull: Hull::new(&points),
            shape: Shape {
                corners: [[0; 3]; 8],
            },
            at: [0; 8],
            taken: [0; 8],
            tries: 0,
            six_volumes,
            cube,
            solid,
            around,
            is_strict,
            has_shape: false,
            best: None,
        };
        let found = search.from(0);
        let found = found.or(search.best.take().map(|(_, fitted)| fitted));
        found.ok_or(if search.has_shape {
            Unfit::Look
        } else {
            Unfit::Shape
        })
    };
    let alone = Around::default();
    let mut done = search(true, &alone);
    if done != Err(Unfit::Look) {
        return done;
    }
    let around = covers.around(cube, solid.bits & material::ALPHA != 0);
    if !around.is_empty() {
        done = search(true, &around);
    }
    if done == Err(Unfit::Look) {
        done = search(false, &around);
    }
    done
}

/// The places of points in a cube, in eighths of its size, each once; `None` when some are beside these, or when there are more than
/// `most`.
pub fn points_of<'a>(
    points: impl IntoIterator<Item = &'a DVec3>,
    cube: Cube,
    most: usize,
) -> Option<SmallVec<[Point; 9]>> {
    let step = (cube.size / 8) as f64;
    let origin = DVec3::from(cube.origin.map(|at| at as f64));
    let mut places = SmallVec::new();
    for &point in points {
        let local = (point - origin) / step;
        let near = local.round();
        if (local - near).abs().max_element() > ON {
            return None;
        }
        let near = near.to_array().map(|at| at as i64);
        if !places.contains(&near) {
            if places.len() == most {
                return None;
            }
            places.push(near);
        }
    }
    Some(places)
}

/// The points by how near they are to where a corner is in a cube that nothing deforms.
pub fn order(number: usize, points: &[Point]) -> SmallVec<[usize; 8]> {
    let ideal = Shape::SOLID.corners[number];
    let away = |point: Point| -> i64 { (0..3).map(|axis| (point[axis] - ideal[axis]).abs()).sum() };
    let mut order: SmallVec<[usize; 8]> = (0..points.len()).collect();
    order.sort_by_key(|&index| away(points[index]));
    order
}

/// Which triangles between the points of a part have all of it behind them.
struct Hull<'a> {
    points: &'a [Point],
    /// By three numbers of points; nothing where that was not asked yet.
    known: [Option<bool>; 512],
}

impl<'a> Hull<'a> {
    /// `points`: no more than eight.
    fn new(points: &'a [Point]) -> Self {
        Self {
            points,
            known: [None; 512],
        }
    }

    /// Also when it has no area.
    fn is_around(&mut self, triangle: [usize; 3]) -> bool {
        let [a, b, c] = triangle;
        let points = self.points;
        *self.known[a << 6 | b << 3 | c].get_or_insert_with(|| {
            let normal = triangle_normal(triangle.map(|index| points[index]));
            points
                .iter()
                .all(|&point| dot(sub(point, points[a]), normal) <= 0)
        })
    }
}

/// Faces of a cube by the last of their corners.
pub const FACES_ENDING: [&[usize]; 8] = [&[], &[], &[], &[4], &[], &[2], &[0], &[1, 3, 5]];

struct Search<'a> {
    points: &'a [Point],
    /// See [`order`], by corner.
    orders: &'a [SmallVec<[usize; 8]>; 8],
    hull: Hull<'a>,
    shape: Shape,
    /// The numbers of the points that its corners are at.
    at: [usize; 8],
    /// Corners at each of the points.
    taken: [u8; 8],
    tries: usize,
    six_volumes: i64,
    cube: Cube,
    solid: &'a Solid,
    around: &'a Around<'a>,
    /// What lies on a border of the cube, and is nobody's to see, must be of the face of that border: the game draws all else
    /// whatever covers it, with the picture of a face that may show something elsewhere.
    is_strict: bool,
    /// Some corners give the part's shape.
    has_shape: bool,
    /// What is off least so far, where the pictures may lie otherwise than they should.
    best: Option<(Cost, Fitted)>,
}

/// Sides whose pictures give way, and texels that the others are off at most.
type Cost = (usize, f64);

impl Search<'_> {
    fn from(&mut self, number: usize) -> Option<Fitted> {
        if number == 8 {
            return self.finished();
        }
        let left = 8 - number;
        let taken = &self.taken[..self.points.len()];
        let open: usize = taken.iter().map(|&times| usize::from(times == 0)).sum();
        if open > left {
            return None;
        }
        let orders = self.orders;
        for &index in &orders[number] {
            self.tries += 1;
            if self.tries > MOST_TRIES {
                return None;
            }
            let point = self.points[index];
            if !self.shape.keeps_order(number, point) {
                continue;
            }
            self.shape.corners[number] = point;
            self.at[number] = index;
            if !FACES_ENDING[number]
                .iter()
                .all(|&face| self.is_on_hull(face))
            {
                continue;
            }
            self.taken[index] += 1;
            let found = self.from(number + 1);
            self.taken[index] -= 1;
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// A face of which all corners are there: nothing of a convex part is in front of it.
    fn is_on_hull(&mut self, face: usize) -> bool {
        let halves = self.shape.halves(face);
        halves
            .iter()
            .all(|half| self.hull.is_around(half.map(|number| self.at[number])))
    }

    /// All corners are at points, all points have corners, and all faces are on the hull.
    fn finished(&mut self) -> Option<Fitted> {
        let shape = self.shape;
        if shape.six_volumes() != self.six_volumes {
            return None;
        }
        let edges = shape.edges();
        if is_degenerate(&edges) {
            return None;
        }
        self.has_shape = true;
        let mut textures = [None; 6];
        let mut shows = Shows::new();
        let mut gives_way = SmallVec::new();
        for (face, texture) in textures.iter_mut().enumerate() {
            // Whose the texture is, and how large a part of the face.
            let mut owner = (0, 0);
            for (_, triangle) in shape.triangles(face).iter() {
                let points = triangle.map(|number| self.cube.on_grid(shape.corners[number]));
                let mut side = self.solid.side_of(points);
                if side.is_some()
                    && self.shape.lies_on(triangle, face)
                    && self.around.hides(face, points)
                {
                    side = None;
                }
                let is_seen = side.is_some_and(|(_, side)| side.surface != Surface::Wild);
                if self.is_strict && !is_seen && !self.is_culled(face, triangle) {
                    return None;
                }
                let Some((number, side)) = side else {
                    continue;
                };
                if !side.surface.fits(face) {
                    return None;
                }
                let normal = shape.normal(triangle);
                let area = dot(normal, normal);
                match (*texture, side.surface.on(face)) {
                    (_, None) => {}
                    (None, Some(index)) => {
                        *texture = Some(index);
                        owner = (number, area);
                    }
                    (Some(one), Some(other)) if one != other => {
                        if !self.solid.is_mixed {
                            return None;
                        }
                        if area <= owner.1 {
                            gives_way.push(number);
                            continue;
                        }
                        gives_way.push(owner.0);
                        *texture = Some(other);
                        owner = (number, area);
                    }
                    _ => {}
                }
                shows.push((number, face));
            }
        }
        self.chosen(Fitted {
            edges,
            textures,
            shows,
            gives_way,
        })
    }

    /// The first that shows all as it should; others are kept for the end.
    fn chosen(&mut self, fitted: Fitted) -> Option<Fitted> {
        if !self.solid.is_loose {
            return Some(fitted);
        }
        let errors = fitted
            .shows
            .iter()
            .map(|&(number, face)| self.solid.sides[number].errors[face / 2]);
        let cost = (fitted.gives_way.len(), errors.fold(0.0, f64::max));
        if cost.0 == 0 && cost.1 <= EXACT {
            return Some(fitted);
        }
        if self.best.as_ref().is_none_or(|(least, _)| cost < *least) {
            if self.best.is_none() {
                self.tries = self.tries.max(MOST_TRIES.saturating_sub(MORE_TRIES));
            }
            self.best = Some((cost, fitted));
        }
        None
    }

    /// A triangle on a border of the cube is on that of its own face, where what covers it hides it.
    fn is_culled(&self, face: usize, triangle: [usize; 3]) -> bool {
        self.shape.lies_on(triangle, face)
            || !(0..6).any(|border| self.shape.lies_on(triangle, border))
    }
}

/// A cube that a solid fills: its faces where they are the solid's.
#[must_use]
pub fn fill(cube: Cube, solid: &Solid) -> Option<Fitted> {
    if !cube.corners().iter().all(|&corner| solid.holds(corner)) {
        return None;
    }
    let mut textures = [None; 6];
    let mut shows = Shows::new();
    for (face, texture) in textures.iter_mut().enumerate() {
        let triangle = Shape::SOLID.triangles(face).corners[0];
        let points = triangle.map(|number| cube.on_grid(Shape::SOLID.corners[number]));
        if let Some((number, side)) = solid.side_of(points) {
            if !side.surface.fits(face) {
                return None;
            }
            *texture = side.surface.on(face);
            shows.push((number, face));
        }
    }
    Some(Fitted {
        edges: SOLID_EDGES,
        textures,
        shows,
        gives_way: SmallVec::new(),
    })
}
