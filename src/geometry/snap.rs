//! Snapping to the grid and to angles (`interactions.md` 0.1).

use glam::DVec3;

/// Step of what is placed freely while snapping is off.
const FREE_STEP: f64 = 1.0 / 1024.0;

/// The least extent that a drag makes while snapping is off: thinner things are hardly seen, and soon no solids.
const FREE_EXTENT: f64 = 1.0 / 64.0;

/// The nearest multiple of `step`; halves go up. A step that is not positive leaves the value as it is.
#[must_use]
pub fn snap(value: f64, step: f64) -> f64 {
    if step > 0.0 {
        step * (value / step + 0.5).floor()
    } else {
        value
    }
}

/// The grid line at or below; a value within `step / 1024` of a line is on it.
#[must_use]
pub fn down(value: f64, step: f64) -> f64 {
    on_line(value, step).unwrap_or_else(|| {
        if step > 0.0 {
            step * (value / step).floor()
        } else {
            value
        }
    })
}

/// The grid line at or above; a value within `step / 1024` of a line is on it.
#[must_use]
pub fn up(value: f64, step: f64) -> f64 {
    on_line(value, step).unwrap_or_else(|| {
        if step > 0.0 {
            step * (value / step).ceil()
        } else {
            value
        }
    })
}

fn on_line(value: f64, step: f64) -> Option<f64> {
    let line = snap(value, step);
    (step > 0.0 && (value - line).abs() < step / 1024.0).then_some(line)
}

/// The nearest multiple of `step_deg`, for angles in degrees.
#[must_use]
pub fn snap_angle_deg(angle_deg: f64, step_deg: f64) -> f64 {
    snap(angle_deg, step_deg)
}

/// The grid that tools snap to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Distance of the lines in map units, > 0.
    pub size: f64,
    /// A crossing of lines.
    pub origin: DVec3,
    pub enabled: bool,
}

impl Default for Grid {
    fn default() -> Self {
        Self {
            size: 16.0,
            origin: DVec3::ZERO,
            enabled: true,
        }
    }
}

impl Grid {
    #[must_use]
    pub fn new(size: f64) -> Self {
        Self {
            size,
            ..Self::default()
        }
    }

    /// Step that positions are multiples of: 1/1024 while snapping is off.
    #[must_use]
    pub fn step(&self) -> f64 {
        if self.enabled { self.size } else { FREE_STEP }
    }

    /// The least extent that a drag makes: one cell; 1/64 while snapping is off.
    #[must_use]
    pub fn least_extent(&self) -> f64 {
        if self.enabled { self.size } else { FREE_EXTENT }
    }

    /// A position on the grid.
    #[must_use]
    pub fn snap(&self, point: DVec3) -> DVec3 {
        self.each(point, snap)
    }

    /// The grid crossing at or below in every axis.
    #[must_use]
    pub fn down(&self, point: DVec3) -> DVec3 {
        self.each(point, down)
    }

    /// The grid crossing at or above in every axis.
    #[must_use]
    pub fn up(&self, point: DVec3) -> DVec3 {
        self.each(point, up)
    }

    /// A difference of positions: relative snapping keeps the offset of what is off the grid.
    #[must_use]
    pub fn snap_delta(&self, delta: DVec3) -> DVec3 {
        delta.map(|value| snap(value, self.step()))
    }

    /// One length or distance along an axis through the grid's origin.
    #[must_use]
    pub fn snap_length(&self, length: f64) -> f64 {
        snap(length, self.step())
    }

    fn each(&self, point: DVec3, to: fn(f64, f64) -> f64) -> DVec3 {
        // The free step has no origin: rounded is rounded.
        let origin = if self.enabled {
            self.origin
        } else {
            DVec3::ZERO
        };
        origin + (point - origin).map(|value| to(value, self.step()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_follows_the_table() {
        let check = |value: f64, step: f64, expected: [f64; 3]| {
            assert_eq!(
                [snap(value, step), down(value, step), up(value, step)],
                expected,
                "{value} on {step}"
            );
        };
        check(3.0, 16.0, [0.0, 0.0, 16.0]);
        check(8.0, 16.0, [16.0, 0.0, 16.0]);
        check(-8.0, 16.0, [0.0, -16.0, 0.0]);
        check(64.0, 16.0, [64.0, 64.0, 64.0]);
        check(64.01, 16.0, [64.0, 64.0, 64.0]);
        check(63.99, 16.0, [64.0, 64.0, 64.0]);
        check(64.02, 16.0, [64.0, 64.0, 80.0]);
        check(0.3, 0.125, [0.25, 0.25, 0.375]);
        check(5.5, 0.0, [5.5, 5.5, 5.5]);
    }

    #[test]
    fn a_grid_has_an_origin_and_can_be_off() {
        let grid = Grid {
            size: 10.0,
            origin: DVec3::new(3.0, 0.0, 0.0),
            enabled: true,
        };
        assert_eq!(
            grid.snap(DVec3::new(14.0, 14.0, -6.0)),
            DVec3::new(13.0, 10.0, -10.0)
        );
        assert_eq!(
            grid.down(DVec3::new(14.0, 14.0, -6.0)),
            DVec3::new(13.0, 10.0, -10.0)
        );
        assert_eq!(
            grid.up(DVec3::new(14.0, 14.0, -6.0)),
            DVec3::new(23.0, 20.0, 0.0)
        );
        assert_eq!(grid.snap_delta(DVec3::splat(6.0)), DVec3::splat(10.0));
        let off = Grid {
            enabled: false,
            ..grid
        };
        assert_eq!(off.snap(DVec3::splat(0.1)), DVec3::splat(102.0 / 1024.0));
    }
}
