//! Convex cells of a brush (`unr.md` 8.2, B1 step 1).

use glam::DVec3;

use crate::formats::unr::part::Lie;
use crate::formats::unr::part::ON_PLANE;
use crate::formats::unr::part::Part;
use crate::formats::unr::part::is_same_plane;
use crate::formats::unr::transform::PlacedPolygon;
use crate::geometry::Aabb;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// A brush is convex when no corner is farther in front of the plane of any polygon.
const CONVEX: f64 = 0.5;

/// Fragments are cut only where they reach this far over a plane, at most.
const MOST_SLACK: f64 = 0.25;

/// Cutting a brush into more cells is given up, and after so many regions.
const MOST_CELLS: usize = 4096;
const MOST_REGIONS: usize = 4 * MOST_CELLS;

/// Looks at fragments to find good planes; after that any plane will do.
const MOST_LOOKS: usize = 20_000_000;

/// The inside of a brush as convex cells.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// None for a sheet: polygons that enclose nothing.
    pub parts: Vec<Part>,
    pub is_convex: bool,
}

/// The inside of what the polygons enclose.
#[must_use]
pub fn cells(polygons: &[PlacedPolygon]) -> Cells {
    let bounds = Aabb::of_points(
        polygons
            .iter()
            .flat_map(|polygon| polygon.corners.iter().copied()),
    );
    let planes = distinct_planes(polygons);
    let is_convex = planes.iter().all(|plane| {
        let mut corners = polygons.iter().flat_map(|polygon| &polygon.corners);
        corners.all(|&corner| plane.distance(corner) <= CONVEX)
    });
    let parts = if is_convex {
        Part::of_planes(&planes, bounds).into_iter().collect()
    } else {
        divided(polygons, &planes, bounds)
    };
    Cells { parts, is_convex }
}

fn distinct_planes(polygons: &[PlacedPolygon]) -> Vec<Plane> {
    let mut planes: Vec<Plane> = Vec::with_capacity(polygons.len());
    for polygon in polygons {
        if !planes
            .iter()
            .any(|plane| is_same_plane(*plane, polygon.plane))
        {
            planes.push(polygon.plane);
        }
    }
    planes
}

/// A piece of a polygon on the way down.
#[derive(Clone)]
struct Fragment {
    plane: Plane,
    corners: Vec<DVec3>,
}

impl Fragment {
    fn off_plane(&self) -> f64 {
        let corners = self.corners.iter();
        corners.fold(0.0, |most, &corner| {
            most.max(self.plane.distance(corner).abs())
        })
    }
}

/// By a BSP of the polygons: what lies behind the last plane on the way down is inside.
fn divided(polygons: &[PlacedPolygon], planes: &[Plane], bounds: Aabb) -> Vec<Part> {
    let shared = |own: Plane| {
        *planes
            .iter()
            .find(|plane| is_same_plane(**plane, own))
            .unwrap_or(&own)
    };
    let fragments = polygons.iter().map(|polygon| Fragment {
        plane: shared(polygon.plane),
        corners: polygon.corners.clone(),
    });
    let fragments: Vec<Fragment> = fragments.collect();
    // Corners stray from their own planes; neighbours must not be cut for that.
    let off_plane = fragments
        .iter()
        .map(Fragment::off_plane)
        .fold(0.0, f64::max);
    let slack = (2.0 * off_plane).clamp(ON_PLANE, MOST_SLACK);
    let mut open = vec![(Part::cuboid(bounds.grown(1.0)), fragments)];
    let mut cells = Vec::new();
    let mut looks = 0;
    for _ in 0..MOST_REGIONS {
        let Some((region, fragments)) = open.pop() else {
            break;
        };
        if cells.len() + open.len() > MOST_CELLS {
            break;
        }
        let Some(plane) = best_plane(&fragments, slack, &mut looks) else {
            continue;
        };
        let (front, back) = divide(fragments, plane, slack);
        let (region_in_front, region_behind) = region.split(plane);
        if let Some(region) = region_in_front
            && !front.is_empty()
        {
            open.push((region, front));
        }
        let Some(region) = region_behind else {
            continue;
        };
        if back.is_empty() {
            cells.extend(region.within(bounds).and_then(Part::checked));
        } else {
            open.push((region, back));
        }
    }
    cells
}

/// The plane that cuts the fewest fragments.
fn best_plane(fragments: &[Fragment], slack: f64, looks: &mut usize) -> Option<Plane> {
    let mut tried: Vec<Plane> = Vec::new();
    let mut best: Option<(usize, Plane)> = None;
    for fragment in fragments {
        let plane = fragment.plane;
        if tried.contains(&plane) {
            continue;
        }
        *looks += fragments.len();
        if *looks > MOST_LOOKS && best.is_some() {
            break;
        }
        tried.push(plane);
        let least = best.map_or(usize::MAX, |(least, _)| least);
        let is_cut = |other: &&Fragment| lie(other, plane, slack) == Some(Lie::Across);
        let count = fragments.iter().filter(is_cut).take(least).count();
        if count < least {
            best = Some((count, plane));
        }
        if count == 0 {
            break;
        }
    }
    best.map(|(_, plane)| plane)
}

/// `None` for a fragment in the plane.
fn lie(fragment: &Fragment, plane: Plane, slack: f64) -> Option<Lie> {
    let (mut front, mut back) = (0.0f64, 0.0f64);
    for &corner in &fragment.corners {
        let distance = plane.distance(corner);
        front = front.max(distance);
        back = back.min(distance);
    }
    match (front > slack, back < -slack) {
        (true, true) => Some(Lie::Across),
        (true, false) => Some(Lie::Front),
        (false, true) => Some(Lie::Back),
        (false, false) => None,
    }
}

/// Fragments in the plane itself are done with.
fn divide(fragments: Vec<Fragment>, plane: Plane, slack: f64) -> (Vec<Fragment>, Vec<Fragment>) {
    let (mut front, mut back) = (Vec::new(), Vec::new());
    for fragment in fragments {
        // The chosen plane's own polygon goes even where its corners stray: else bad ones come back for ever.
        if fragment.plane == plane {
            continue;
        }
        match lie(&fragment, plane, slack) {
            None => {}
            Some(Lie::Front) => front.push(fragment),
            Some(Lie::Back) => back.push(fragment),
            Some(Lie::Across) => {
                let (before, behind) = polygon::split(&fragment.corners, plane, slack);
                for (side, corners) in [(&mut front, before), (&mut back, behind)] {
                    if polygon::area(&corners) > 0.0 {
                        side.push(Fragment {
                            plane: fragment.plane,
                            corners,
                        });
                    }
                }
            }
        }
    }
    (front, back)
}
