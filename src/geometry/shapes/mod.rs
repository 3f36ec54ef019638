//! Shapes that fit into a box, as convex pieces given by their corners (BRU-3).
//!
//! A shape is made in a box of its own, its axis along the third coordinate, turned by quarters about the axis and put into the
//! box of the map. So every shape knows one direction only.

mod circle;
mod round;
mod straight;
#[cfg(test)]
mod tests;

use glam::DVec3;

pub use self::circle::Circle;
pub use self::circle::GRID_SIDES;
use crate::geometry::Aabb;

/// What can be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShapeKind {
    #[default]
    Box,
    Wedge,
    Pyramid,
    Cylinder,
    Tube,
    Cone,
    Sphere,
    Arch,
    Stairs,
    SpiralStairs,
    Torus,
}

impl ShapeKind {
    pub const ALL: [Self; 11] = [
        Self::Box,
        Self::Wedge,
        Self::Pyramid,
        Self::Cylinder,
        Self::Tube,
        Self::Cone,
        Self::Sphere,
        Self::Arch,
        Self::Stairs,
        Self::SpiralStairs,
        Self::Torus,
    ];
}

/// A shape and all its numbers; each kind reads those that concern it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    pub kind: ShapeKind,
    /// 0, 1, 2: what it stands up along.
    pub axis: usize,
    /// Quarter turns about the axis.
    pub turns: u8,
    /// Corners of circles; pieces of an arch or a torus.
    pub sides: u32,
    pub circle: Circle,
    /// Thickness of walls, width of spiral steps, of the tube of a torus; units.
    pub thickness: f64,
    /// Size of the upper end as a part of the lower one: 0 = a point.
    pub top: f64,
    /// Corners around the tube of a torus.
    pub tube_sides: u32,
    /// A sphere of triangles instead of rings.
    pub icosahedral: bool,
    pub step_height: f64,
    /// Degrees of arches, spirals and tori; the sign of a spiral is its direction.
    pub arc_deg: f64,
    /// Steps are only as thick as they rise.
    pub open: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            kind: ShapeKind::Box,
            axis: 1,
            turns: 0,
            sides: 12,
            circle: Circle::Edge,
            thickness: 16.0,
            top: 1.0,
            tube_sides: 8,
            icosahedral: false,
            step_height: 16.0,
            arc_deg: 180.0,
            open: false,
        }
    }
}

/// A face of a piece that belongs to a band around the shape: textures run on from one to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandFace {
    pub piece: usize,
    /// The edge along the band.
    pub from: DVec3,
    pub to: DVec3,
    /// Another corner of the face.
    pub up: DVec3,
}

/// Pieces, each the convex hull of its corners, and the bands that textures are wrapped along.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pieces {
    pub corners: Vec<Vec<DVec3>>,
    pub bands: Vec<Vec<BandFace>>,
}

/// Most pieces of one shape.
pub const MOST_PIECES: usize = 1024;

impl Shape {
    /// The shape inside a box. `step` is what lengths are rounded to where the shape leaves a choice.
    ///
    /// # Errors
    /// Why these numbers make no shape in this box.
    pub fn pieces(&self, bounds: Aabb, step: f64) -> Result<Pieces, &'static str> {
        if bounds.is_empty() || bounds.size().min_element() <= 0.0 {
            return Err("The box has no volume");
        }
        let frame = Frame::new(bounds, self.axis, self.turns);
        let mut local = match self.kind {
            ShapeKind::Box => straight::cuboid(frame.size),
            ShapeKind::Wedge => straight::wedge(frame.size),
            ShapeKind::Pyramid => straight::pyramid(frame.size, self.top),
            ShapeKind::Stairs => straight::stairs(frame.size, self, step)?,
            ShapeKind::Cylinder => round::cylinder(frame.size, self, self.top)?,
            ShapeKind::Cone => round::cylinder(frame.size, self, 0.0)?,
            ShapeKind::Tube => round::tube(frame.size, self)?,
            ShapeKind::Arch => round::arch(frame.size, self)?,
            ShapeKind::Sphere if self.icosahedral => round::icosahedron(frame.size, self.sides),
            ShapeKind::Sphere => round::sphere(frame.size, self)?,
            ShapeKind::SpiralStairs => round::spiral(frame.size, self)?,
            ShapeKind::Torus => round::torus(frame.size, self)?,
        };
        for corner in local.corners.iter_mut().flatten() {
            *corner = frame.in_map(*corner);
        }
        for face in local.bands.iter_mut().flatten() {
            face.from = frame.in_map(face.from);
            face.to = frame.in_map(face.to);
            face.up = frame.in_map(face.up);
        }
        Ok(local)
    }
}

/// The way from a shape's own box (0 to `size`, axis along Z) into the map.
struct Frame {
    bounds: Aabb,
    axis: usize,
    turns: u8,
    size: DVec3,
}

impl Frame {
    fn new(bounds: Aabb, axis: usize, turns: u8) -> Self {
        let axis = axis.min(2);
        let size = bounds.size();
        let (first, second) = (size[(axis + 1) % 3], size[(axis + 2) % 3]);
        let turned = turns % 2 == 1;
        Self {
            bounds,
            axis,
            turns: turns % 4,
            size: if turned {
                DVec3::new(second, first, size[axis])
            } else {
                DVec3::new(first, second, size[axis])
            },
        }
    }

    fn in_map(&self, local: DVec3) -> DVec3 {
        let (x, y) = (local.x, local.y);
        let (first, second) = match self.turns {
            0 => (x, y),
            1 => (self.size.y - y, x),
            2 => (self.size.x - x, self.size.y - y),
            _ => (y, self.size.x - x),
        };
        let mut out = self.bounds.min;
        out[(self.axis + 1) % 3] += first;
        out[(self.axis + 2) % 3] += second;
        out[self.axis] += local.z;
        out
    }
}
