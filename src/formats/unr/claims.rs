//! Which brush's polygon is seen where several lie on one spot, for a map without a BSP (`unr.md` 8.2, end of step 4).

use glam::DVec3;

use crate::formats::unr::patches::Overlap;
use crate::formats::unr::patches::Patch;
use crate::formats::unr::replay::Operation;
use crate::formats::unr::replay::Step;
use crate::geometry::Aabb;
use crate::geometry::Bvh;
use crate::geometry::Plane;
use crate::geometry::polygon;

/// How far in front of and behind a face space is asked for.
const BESIDE: f64 = 0.2;

/// Polygons on one face beyond this are not told apart any more.
const MOST_REGIONS: usize = 4096;

/// The operations by place.
#[derive(Debug, Default)]
pub struct Claims {
    cells: Vec<Cell>,
    boxes: Bvh<u32>,
}

#[derive(Debug)]
struct Cell {
    /// Number in the order of effect.
    step: u32,
    operation: Operation,
    sides: Vec<Plane>,
}

impl Cell {
    fn contains(&self, point: DVec3) -> bool {
        self.sides.iter().all(|side| side.distance(point) <= 0.0)
    }
}

/// What happens at a point of a face.
enum Event {
    /// A polygon of a brush lies there: position among the overlaps.
    Polygon(usize),
    Front,
    Back,
}

/// A part of a face with the overlaps that cover it.
struct Region {
    corners: Vec<DVec3>,
    covering: Vec<usize>,
}

impl Claims {
    #[must_use]
    pub fn new(steps: &[Step]) -> Self {
        let mut cells = Vec::new();
        let mut boxes = Vec::new();
        for (number, step) in (0..).zip(steps) {
            for part in &step.cells.parts {
                boxes.push((cells.len() as u32, part.bounds()));
                cells.push(Cell {
                    step: number,
                    operation: step.operation,
                    sides: part.sides().to_vec(),
                });
            }
        }
        Self {
            cells,
            boxes: Bvh::build(boxes),
        }
    }

    /// The overlaps of a face cut where they cover each other, each part with the one polygon that is seen there; parts that
    /// cannot be seen are left out.
    #[must_use]
    pub fn settled(
        &self,
        plane: Plane,
        overlaps: &[Overlap],
        patches: &[Patch],
        least: f64,
    ) -> Vec<Overlap> {
        let regions = regions(plane, overlaps, least);
        let seen = |region: Region| {
            let winner = self.winner(plane, &region, overlaps, patches)?;
            Some(Overlap {
                patch: overlaps[winner].patch,
                area: polygon::area(&region.corners),
                corners: region.corners,
            })
        };
        regions.into_iter().filter_map(seen).collect()
    }

    /// Position among the overlaps; `None` where the space in front is solid.
    fn winner(
        &self,
        plane: Plane,
        region: &Region,
        overlaps: &[Overlap],
        patches: &[Patch],
    ) -> Option<usize> {
        let middle = polygon::centroid(&region.corners);
        let front = middle + plane.normal * BESIDE;
        let back = middle - plane.normal * BESIDE;
        let mut events: Vec<(u32, Operation, Event)> = Vec::new();
        self.boxes.query(Aabb::between(front, back), |key| {
            let cell = &self.cells[key as usize];
            for (point, event) in [(front, Event::Front), (back, Event::Back)] {
                if cell.contains(point) {
                    events.push((cell.step, cell.operation, event));
                }
            }
        });
        for &at in &region.covering {
            let patch = &patches[overlaps[at].patch as usize];
            events.push((patch.step, patch.operation, Event::Polygon(at)));
        }
        // A polygon before what its own brush does to the space around it.
        let rank = |event: &Event| match event {
            Event::Polygon(_) => 0,
            Event::Back => 1,
            Event::Front => 2,
        };
        events.sort_by_key(|(step, _, event)| (*step, rank(event)));
        let (mut claim, mut last): (Option<(u32, usize)>, Option<usize>) = (None, None);
        let mut is_front_solid = true;
        for (step, operation, event) in events {
            let is_own = claim.is_some_and(|(claiming, _)| claiming == step);
            match (event, operation) {
                (Event::Polygon(at), _) => {
                    if is_front_solid == (operation == Operation::Subtract) {
                        claim = Some((step, at));
                    }
                    last = Some(at);
                }
                (Event::Front, Operation::Add) => {
                    is_front_solid = true;
                    claim = None;
                }
                (Event::Front, Operation::Subtract) => is_front_solid = false,
                (Event::Back, Operation::Subtract) if !is_own => claim = None,
                (Event::Back, _) => {}
            }
        }
        if is_front_solid {
            return None;
        }
        claim.map(|(_, at)| at).or(last)
    }
}

/// Convex parts of a face, each covered by the same overlaps all over.
fn regions(plane: Plane, overlaps: &[Overlap], least: f64) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    for (number, overlap) in overlaps.iter().enumerate() {
        let mut next = Vec::with_capacity(regions.len() + 1);
        // What of this overlap no earlier one covers.
        let mut alone = vec![overlap.corners.clone()];
        for region in regions {
            if next.len() > MOST_REGIONS {
                next.push(region);
                continue;
            }
            let (inside, outside) = parted(region.corners.clone(), plane, &overlap.corners);
            let Some(inside) = inside.filter(|inside| polygon::area(inside) >= least) else {
                next.push(region);
                continue;
            };
            let rest = alone.into_iter().flat_map(|corners| {
                let (_, outside) = parted(corners, plane, &region.corners);
                outside
            });
            alone = rest.collect();
            for corners in outside {
                next.push(Region {
                    corners,
                    covering: region.covering.clone(),
                });
            }
            let mut covering = region.covering;
            covering.push(number);
            next.push(Region {
                corners: inside,
                covering,
            });
        }
        next.extend(alone.into_iter().map(|corners| Region {
            corners,
            covering: vec![number],
        }));
        next.retain(|region| polygon::area(&region.corners) >= least.min(overlap.area));
        regions = next;
    }
    regions
}

/// What of a convex polygon lies inside of another, and convex parts of the rest.
fn parted(
    start: Vec<DVec3>,
    plane: Plane,
    other: &[DVec3],
) -> (Option<Vec<DVec3>>, Vec<Vec<DVec3>>) {
    let mut inside = start;
    let mut outside = Vec::new();
    for (at, &from) in other.iter().enumerate() {
        let to = other[(at + 1) % other.len()];
        let Some(edge) = Plane::through(from, (to - from).cross(plane.normal)) else {
            continue;
        };
        if inside.iter().all(|&corner| edge.distance(corner) <= 1e-6) {
            continue;
        }
        let (front, back) = polygon::split(&inside, edge, 1e-6);
        if !front.is_empty() {
            outside.push(front);
        }
        if back.is_empty() {
            return (None, outside);
        }
        inside = back;
    }
    (Some(inside), outside)
}
