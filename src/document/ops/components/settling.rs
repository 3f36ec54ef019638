//! A reshaped brush with the numbers that a file holds.

use glam::Vec3;

use crate::document::Brush;
use crate::document::BrushError;
use crate::document::ops::components::convex::Tiles;

/// The brush with the numbers a file holds, as a commit makes it; a face that rounding leaves nothing of is dropped.
///
/// # Errors
/// What is wrong with the result.
pub(super) fn settled(
    before: Option<&Brush>,
    brush: &Brush,
    tile: Tiles<'_>,
) -> Result<Brush, BrushError> {
    let mut brush = brush.clone();
    // Each turn drops a face or is the last.
    loop {
        if let Some(committed) = brush.committed(before, tile)? {
            brush = committed;
        }
        if let Some(fault) = brush.fault() {
            return Err(fault);
        }
        let loops = brush.hull().loops();
        if loops.iter().all(|corners| !corners.is_empty()) {
            return Ok(brush);
        }
        let faces = brush
            .faces()
            .iter()
            .zip(loops)
            .filter(|(_, corners)| !corners.is_empty())
            .map(|(face, _)| face.clone())
            .collect();
        let corners: Vec<Vec3> = match brush.exact() {
            Some(exact) => exact.to_vec(),
            None => brush.hull().points().iter().map(|p| p.as_vec3()).collect(),
        };
        brush = Brush::with_exact(brush.contents(), faces, Some(corners.into()));
    }
}
