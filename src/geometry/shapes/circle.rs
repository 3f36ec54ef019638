//! Circles as polygons: corners inside the unit square, counter-clockwise.

use std::f64::consts::TAU;

use glam::DVec2;

/// Where the corners of a circle lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Circle {
    /// Edges touch the bounds.
    #[default]
    Edge,
    /// Corners touch the bounds.
    Vertex,
    /// Every corner on the grid, of 12, 24, 48 or 96 sides.
    Grid,
}

/// Numbers of sides that circles with all corners on the grid have.
pub const GRID_SIDES: [u32; 4] = [12, 24, 48, 96];

/// Steps of the first half of a quarter, after the edge along the axis: right and up. The other half mirrors them at the
/// diagonal. The whole circle is `N` wide.
const QUARTERS: [(i32, &[(i32, i32)], i32); 4] = [
    (8, &[(2, 1)], 0),
    (32, &[(4, 1), (4, 2)], 3),
    (128, &[(8, 1), (8, 2), (8, 3), (8, 4), (7, 5)], 6),
    (
        512,
        &[
            (17, 1),
            (17, 2),
            (17, 3),
            (16, 4),
            (16, 5),
            (15, 6),
            (15, 7),
            (15, 8),
            (15, 9),
            (13, 10),
            (14, 11),
        ],
        12,
    ),
];

impl Circle {
    /// The sides a circle of this kind has when so many are asked for.
    #[must_use]
    pub fn sides(self, asked: u32) -> u32 {
        if self != Self::Grid {
            return asked.clamp(3, 96);
        }
        GRID_SIDES
            .into_iter()
            .min_by_key(|&sides| sides.abs_diff(asked))
            .unwrap_or(12)
    }

    /// Corners within -1..1, which they touch on all four sides; the first lies at or just after the direction +X.
    #[must_use]
    pub fn corners(self, sides: u32) -> Vec<DVec2> {
        let sides = self.sides(sides);
        let offset = match self {
            Self::Edge => 0.5,
            Self::Vertex => 0.0,
            Self::Grid => return grid_corners(sides),
        };
        let raw: Vec<DVec2> = (0..sides)
            .map(|i| unit(TAU * (f64::from(i) + offset) / f64::from(sides)))
            .collect();
        filled(&raw)
    }

    /// Corners of an arc that is symmetric about +Y, from its right end over the top to its left end, of circle radius 1.
    /// In circles whose edges touch the bounds the ends lie in the middle of an edge.
    ///
    /// # Errors
    /// Corners on the grid are known for half circles and whole ones only.
    pub fn arc(self, pieces: u32, arc_deg: f64) -> Result<Vec<DVec2>, &'static str> {
        let arc = arc_deg.to_radians();
        let start = TAU / 4.0 - arc * 0.5;
        let pieces = pieces.clamp(1, 96);
        let step = arc / f64::from(pieces);
        match self {
            Self::Vertex => Ok((0..=pieces)
                .map(|i| unit(start + step * f64::from(i)))
                .collect()),
            Self::Edge => {
                let out = 1.0 / (step * 0.5).cos();
                let mut corners = vec![unit(start)];
                corners
                    .extend((0..pieces).map(|i| unit(start + step * (f64::from(i) + 0.5)) * out));
                corners.push(unit(start + arc));
                Ok(corners)
            }
            Self::Grid if (arc_deg - 180.0).abs() < 1e-9 => {
                let all = grid_corners(Self::Grid.sides(pieces * 2));
                let mut corners = vec![DVec2::X];
                corners.extend(all.into_iter().filter(|corner| corner.y > 0.0));
                corners.push(DVec2::NEG_X);
                Ok(corners)
            }
            Self::Grid => Err("Arcs with all corners on the grid are half circles (180 degrees)"),
        }
    }
}

/// A direction, exact at quarter turns.
pub(super) fn unit(angle: f64) -> DVec2 {
    let quarters = angle / (TAU / 4.0);
    let nearest = quarters.round();
    if (quarters - nearest).abs() < 1e-12 {
        return match nearest.rem_euclid(4.0) as u8 {
            0 => DVec2::X,
            1 => DVec2::Y,
            2 => DVec2::NEG_X,
            _ => DVec2::NEG_Y,
        };
    }
    DVec2::from_angle(angle)
}

/// Stretched so that it touches -1..1 on all four sides.
pub(super) fn filled(corners: &[DVec2]) -> Vec<DVec2> {
    let low = corners
        .iter()
        .fold(DVec2::INFINITY, |low, &corner| low.min(corner));
    let high = corners
        .iter()
        .fold(DVec2::NEG_INFINITY, |high, &corner| high.max(corner));
    corners
        .iter()
        .map(|&corner| (corner - low) / (high - low) * 2.0 - 1.0)
        .collect()
}

fn grid_corners(sides: u32) -> Vec<DVec2> {
    let index = GRID_SIDES
        .iter()
        .position(|&known| known == sides)
        .unwrap_or(0);
    let (width, half, diagonal) = QUARTERS[index];
    // Edges of the first quarter turn, going up from the right side and left along the top.
    let mut steps: Vec<(i32, i32)> = half.iter().map(|&(long, short)| (-short, long)).collect();
    if diagonal > 0 {
        steps.push((-diagonal, diagonal));
    }
    steps.extend(half.iter().rev().map(|&(long, short)| (-long, short)));
    let rise: i32 = steps.iter().map(|step| step.1).sum();
    let flat = width - 2 * rise;
    let mut at = (width, width / 2 - flat / 2);
    let mut corners = Vec::with_capacity(sides as usize);
    let mut walk = |step: (i32, i32)| {
        at = (at.0 + step.0, at.1 + step.1);
        corners.push(at);
    };
    for quarter in 0..4 {
        let turned = |(x, y): (i32, i32)| match quarter {
            0 => (x, y),
            1 => (-y, x),
            2 => (-x, -y),
            _ => (y, -x),
        };
        walk(turned((0, flat)));
        for &step in &steps {
            walk(turned(step));
        }
    }
    let width = f64::from(width);
    corners
        .into_iter()
        .map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)) / (width * 0.5) - 1.0)
        .collect()
}
