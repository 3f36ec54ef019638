//! Box sweeps through a compiled map, for walking in it.

use glam::DVec3;

use crate::compiler::Compiled;

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

/// Collision of one compiled map, prepared for many sweeps.
pub struct Tracer {}

impl Tracer {
    #[must_use]
    pub fn new(_compiled: &Compiled) -> Self {
        todo!()
    }

    /// Moves a box of these half extents, centred at `from`, to `to`; `None` when nothing is met.
    #[must_use]
    pub fn sweep(&self, _from: DVec3, _to: DVec3, _half: DVec3, _mask: u32) -> Option<Hit> {
        todo!()
    }

    /// The union of contents over all brushes that hold the point.
    #[must_use]
    pub fn contents_at(&self, _point: DVec3) -> u32 {
        todo!()
    }
}
