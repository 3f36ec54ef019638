//! Snaps of a drag to the geometry of other objects (0.9).

use glam::DVec2;
use glam::DVec3;

use crate::document::State;
use crate::editor::pick::Scope;
use crate::editor::spatial::Spatial;
use crate::editor::view::View;

/// Snap keys that are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// `V`: nearest vertex.
    pub vertex: bool,
    /// `E`: nearest middle of an edge.
    pub edge: bool,
    /// `F`: the face under the pointer.
    pub face: bool,
    /// `G`: no grid.
    pub free: bool,
}

/// What a snap key found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapTarget {
    pub point: DVec3,
    /// Unit; zero for vertices and edges.
    pub normal: DVec3,
    /// "vertex", "edge" or "face".
    pub name: &'static str,
}

/// What the held keys find under a point of the view, among visible objects outside of the selection.
#[must_use]
pub(crate) fn find(
    _scope: Scope<'_>,
    _spatial: &Spatial,
    _view: &View,
    _at: DVec2,
    _held: Held,
    _base: &State,
) -> Option<SnapTarget> {
    None
}
