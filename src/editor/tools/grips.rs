//! Which of a tool's handles the pointer takes (PICK-1).

use glam::DVec2;
use glam::DVec3;

use crate::editor::view::View;

/// Handles this close to the pointer are taken, in points.
pub(super) const REACH: f64 = 8.0;

/// Of handles whose distances from the pointer differ by less than this, the one in front is taken, in points.
const TIE: f64 = 2.0;

/// The number of the place that the pointer takes.
#[must_use]
pub(super) fn under(
    view: &View,
    places: impl IntoIterator<Item = DVec3>,
    at: DVec2,
) -> Option<usize> {
    let near: Vec<(f64, f64, usize)> = places
        .into_iter()
        .enumerate()
        .filter_map(|(index, place)| {
            let (place, depth) = view.project(place)?;
            let distance = place.distance(at);
            (distance <= REACH).then_some((distance, depth, index))
        })
        .collect();
    let least = near.iter().map(|near| near.0).min_by(f64::total_cmp)?;
    near.iter()
        .filter(|near| near.0 <= least + TIE)
        .min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0)))
        .map(|(.., index)| *index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pick_1_the_nearest_handle_wins_and_depth_breaks_ties() {
        // Looks along -Z.
        let view = View {
            eye: DVec3::ZERO,
            pitch_deg: 0.0,
            yaw_deg: 0.0,
            ..View::default()
        };
        let at = |right: f64, distance: f64| {
            let unit = view.units_per_point(DVec3::NEG_Z * distance);
            DVec3::new(right * unit, 0.0, -distance)
        };
        let pointer = view.size * 0.5;
        let found = |places: &[DVec3]| under(&view, places.iter().copied(), pointer);
        assert_eq!(found(&[at(5.0, 100.0), at(1.0, 400.0)]), Some(1));
        assert_eq!(found(&[at(1.0, 400.0), at(2.5, 100.0)]), Some(1));
        assert_eq!(found(&[at(1.0, 400.0), at(3.5, 100.0)]), Some(0));
        assert_eq!(found(&[at(7.9, 100.0)]), Some(0));
        assert_eq!(found(&[at(8.1, 100.0)]), None);
        assert_eq!(found(&[]), None);
    }
}
