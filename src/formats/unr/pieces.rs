//! Convex pieces of what is solid, in the file's space: what the replay of the brushes and the leaf hulls give.

use glam::DVec3;

use crate::formats::unr::mapping::Mapping;

/// Where a piece comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// The solid world that rooms are carved from.
    Rock,
    /// Index of the brush's actor in the map.
    Brush(u32),
    /// A collision hull of the file's BSP: its number.
    Hull(u32),
}

/// A convex solid.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub source: Source,
    /// A semisolid brush: detail.
    pub is_semisolid: bool,
    /// A brush as its author left it, not cut by another.
    pub is_whole: bool,
    /// In the group of the sky zone.
    pub is_sky: bool,
    pub faces: Vec<PieceFace>,
}

/// A side: `normal . p = distance`, outside in front.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceFace {
    /// Of unit length.
    pub normal: DVec3,
    pub distance: f64,
    /// Counter-clockwise about the normal by the usual formula on the raw numbers.
    pub corners: Vec<DVec3>,
    /// `None`: no polygon of the world lies on it; it cannot be seen.
    pub mapping: Option<Mapping>,
}
