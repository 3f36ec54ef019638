//! A reshaped brush with the numbers that a file holds.

use crate::document::Brush;
use crate::document::Unstorable;
use crate::document::ops::components::convex::Tiles;

/// The brush with the numbers a file holds, as a commit makes it; a face that rounding leaves nothing of is dropped.
///
/// # Errors
/// What is wrong with the result.
pub(super) fn settled(
    before: Option<&Brush>,
    brush: &Brush,
    tile: Tiles<'_>,
) -> Result<Brush, Unstorable> {
    let brush = brush
        .committed(before, tile)?
        .unwrap_or_else(|| brush.clone());
    match brush.fault() {
        Some(fault) => Err(fault.into()),
        None => Ok(brush),
    }
}
