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

/// What happens at a place of a face.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A polygon of a brush lies there: position among the overlaps. Before what its own brush does to the space around it.
    Polygon(usize),
    Back,
    Front,
}

/// What a brush does to a part of a face.
#[derive(Clone, Debug)]
struct Deed {
    step: u32,
    operation: Operation,
    event: Event,
    outline: Vec<DVec3>,
}

/// A part of a face, with positions of the deeds that reach all of it.
struct Region {
    corners: Vec<DVec3>,
    deeds: Vec<usize>,
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

    /// The overlaps of a face cut where brushes end, each part with the one polygon that is seen there; parts that cannot be
    /// seen are left out.
    #[must_use]
    pub fn settled(
        &self,
        plane: Plane,
        corners: &[DVec3],
        overlaps: &[Overlap],
        patches: &[Patch],
        least: f64,
    ) -> Vec<Overlap> {
        if overlaps.is_empty() {
            return Vec::new();
        }
        let mut deeds: Vec<Deed> = Vec::with_capacity(2 * overlaps.len());
        for (at, overlap) in overlaps.iter().enumerate() {
            let patch = &patches[overlap.patch as usize];
            deeds.push(Deed {
                step: patch.step,
                operation: patch.operation,
                event: Event::Polygon(at),
                outline: overlap.corners.clone(),
            });
        }
        deeds.extend(self.around(plane, corners));
        let seen = |region: Region| {
            let winner = winner(&region, &deeds)?;
            Some(Overlap {
                patch: overlaps[winner].patch,
                area: polygon::area(&region.corners),
                corners: region.corners,
            })
        };
        let regions = regions(plane, &deeds, least);
        regions.into_iter().filter_map(seen).collect()
    }

    /// What the cells do to the space in front of and behind a face.
    fn around(&self, plane: Plane, corners: &[DVec3]) -> Vec<Deed> {
        let bounds = Aabb::of_points(corners.iter().copied()).grown(BESIDE);
        let mut keys = Vec::new();
        self.boxes.query(bounds, |key| keys.push(key));
        keys.sort_unstable();
        let mut deeds = Vec::new();
        for key in keys {
            let cell = &self.cells[key as usize];
            for (event, side) in [(Event::Front, BESIDE), (Event::Back, -BESIDE)] {
                if matches!((event, cell.operation), (Event::Back, Operation::Add)) {
                    continue;
                }
                let beside = plane.normal * side;
                let mut outline: Vec<DVec3> =
                    corners.iter().map(|corner| *corner + beside).collect();
                for side in &cell.sides {
                    if !outline.is_empty() {
                        outline = polygon::clip_back(&outline, *side, 1e-6);
                    }
                }
                if outline.len() >= 3 {
                    deeds.push(Deed {
                        step: cell.step,
                        operation: cell.operation,
                        event,
                        outline: outline.into_iter().map(|corner| corner - beside).collect(),
                    });
                }
            }
        }
        deeds
    }
}

/// Position among the overlaps; `None` where the space in front is solid.
fn winner(region: &Region, deeds: &[Deed]) -> Option<usize> {
    let rank = |event: Event| match event {
        Event::Polygon(_) => 0,
        Event::Back => 1,
        Event::Front => 2,
    };
    let mut done: Vec<&Deed> = region.deeds.iter().map(|&at| &deeds[at]).collect();
    done.sort_by_key(|deed| (deed.step, rank(deed.event)));
    let (mut claim, mut last): (Option<(u32, usize)>, Option<usize>) = (None, None);
    let mut is_front_solid = true;
    for deed in done {
        let is_own = claim.is_some_and(|(claiming, _)| claiming == deed.step);
        match (deed.event, deed.operation) {
            (Event::Polygon(at), operation) => {
                if is_front_solid == (operation == Operation::Subtract) {
                    claim = Some((deed.step, at));
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

/// Convex parts of what polygons cover of a face, each reached by the same deeds all over.
fn regions(plane: Plane, deeds: &[Deed], least: f64) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    for (number, deed) in deeds.iter().enumerate() {
        let mut next = Vec::with_capacity(regions.len() + 1);
        // What of this polygon no earlier one covers.
        let mut alone = match deed.event {
            Event::Polygon(_) => vec![deed.outline.clone()],
            Event::Front | Event::Back => Vec::new(),
        };
        for region in regions {
            let (inside, outside) = parted(region.corners.clone(), plane, &deed.outline);
            let inside = inside.filter(|inside| polygon::area(inside) >= least);
            let Some(inside) = inside.filter(|_| next.len() < MOST_REGIONS) else {
                next.push(region);
                continue;
            };
            let rest = alone.into_iter().flat_map(|corners| {
                let (_, outside) = parted(corners, plane, &region.corners);
                outside
            });
            alone = rest.collect();
            let outside = outside
                .into_iter()
                .filter(|part| polygon::area(part) >= least);
            next.extend(outside.map(|corners| Region {
                corners,
                deeds: region.deeds.clone(),
            }));
            let mut deeds = region.deeds;
            deeds.push(number);
            next.push(Region {
                corners: inside,
                deeds,
            });
        }
        let alone = alone
            .into_iter()
            .filter(|part| polygon::area(part) >= least);
        next.extend(alone.map(|corners| Region {
            corners,
            deeds: vec![number],
        }));
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
