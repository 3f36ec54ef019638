//! Shapes with straight sides.

use glam::DVec3;

use super::MOST_PIECES;
use super::Pieces;
use super::Shape;
use super::round::LEAST_EDGE;

/// One piece that stands on the rectangle from `min` to `max` (X and Y) between two heights.
fn slab(min: DVec3, max: DVec3) -> Vec<DVec3> {
    let mut corners = Vec::with_capacity(8);
    for z in [min.z, max.z] {
        for (x, y) in [
            (min.x, min.y),
            (max.x, min.y),
            (max.x, max.y),
            (min.x, max.y),
        ] {
            corners.push(DVec3::new(x, y, z));
        }
    }
    corners
}

fn one(corners: Vec<DVec3>) -> Pieces {
    Pieces {
        corners: vec![corners],
        bands: Vec::new(),
    }
}

pub(super) fn cuboid(size: DVec3) -> Pieces {
    one(slab(DVec3::ZERO, size))
}

/// A ramp that rises along X.
pub(super) fn wedge(size: DVec3) -> Pieces {
    let mut corners = slab(DVec3::ZERO, size);
    corners.retain(|corner| corner.z == 0.0 || corner.x == size.x);
    one(corners)
}

pub(super) fn pyramid(size: DVec3, top: f64) -> Pieces {
    let top = if top * size.x.min(size.y) < LEAST_EDGE {
        0.0
    } else {
        top.min(1.0)
    };
    let middle = size * 0.5;
    let mut corners = slab(DVec3::ZERO, size);
    for corner in corners.iter_mut().filter(|corner| corner.z > 0.0) {
        corner.x = middle.x + (corner.x - middle.x) * top;
        corner.y = middle.y + (corner.y - middle.y) * top;
    }
    corners.dedup();
    one(corners)
}

/// Steps that rise along X; the last one takes what is left of the height.
pub(super) fn stairs(size: DVec3, shape: &Shape, step: f64) -> Result<Pieces, &'static str> {
    let count = step_count(size.z, shape.step_height)?;
    let run = |index: usize| {
        let free = size.x * index as f64 / count as f64;
        // On the grid where every step stays at least one cell deep.
        if size.x >= step * count as f64 && index < count {
            step * (free / step).round()
        } else {
            free
        }
    };
    let mut pieces = Pieces::default();
    for index in 0..count {
        let top = step_top(index, count, size.z, shape.step_height);
        let bottom = if shape.open {
            shape.step_height * index as f64
        } else {
            0.0
        };
        pieces.corners.push(slab(
            DVec3::new(run(index), 0.0, bottom),
            DVec3::new(run(index + 1), size.y, top),
        ));
    }
    Ok(pieces)
}

/// The upper end of a step; the last one ends where the shape does.
pub(super) fn step_top(index: usize, count: usize, height: f64, step_height: f64) -> f64 {
    if index + 1 == count {
        height
    } else {
        step_height * (index + 1) as f64
    }
}

/// Steps of a height that fill a larger one. What is too thin to be a step of its own makes the last one higher.
pub(super) fn step_count(height: f64, step_height: f64) -> Result<usize, &'static str> {
    let thin = LEAST_EDGE.min(step_height * 0.5);
    let count = ((height - thin) / step_height).ceil();
    if !(step_height > 0.0 && count.is_finite()) {
        return Err("Steps need a height above 0");
    }
    if count > MOST_PIECES as f64 {
        return Err("That would be more than 1024 steps; make them higher");
    }
    Ok((count as usize).max(1))
}
