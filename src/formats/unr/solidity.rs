//! Whether a point of the world is solid, by the file's BSP (`unr.md` 5.1).

use glam::DVec3;

use crate::formats::unr::raw::Node;
use crate::formats::unr::raw::RawModel;

/// Solid or open space at a point. A world without nodes is solid unless its root says otherwise.
#[must_use]
pub fn is_solid(model: &RawModel, point: DVec3) -> bool {
    let mut is_open = model.is_root_outside;
    let mut at = if model.nodes.is_empty() {
        None
    } else {
        Some(0)
    };
    // As many steps as there are nodes: links that go round end.
    for _ in 0..model.nodes.len() {
        let Some(node) = at.and_then(|at: u32| model.nodes.get(at as usize)) else {
            break;
        };
        let is_front = node.normal.as_dvec3().dot(point) >= f64::from(node.distance);
        if node.vertex_count > 0 && node.flags & Node::NOT_CSG == 0 {
            is_open = is_front;
        }
        at = if is_front { node.front } else { node.back };
    }
    !is_open
}
