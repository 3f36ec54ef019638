//! The brushes of a map worked through in the order in which the engine does it (`unr.md` 6.1, 8.2 B1).

use crate::formats::unr::cells::Cells;
use crate::formats::unr::cells::cells;
use crate::formats::unr::part::Part;
use crate::formats::unr::part::Remains;
use crate::formats::unr::pieces::Source;
use crate::formats::unr::properties::Value;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::flag;
use crate::formats::unr::transform::PlacedPolygon;
use crate::formats::unr::transform::Placement;
use crate::formats::unr::transform::brush_flags;
use crate::formats::unr::transform::placed_polygons;
use crate::geometry::Aabb;
use crate::geometry::Bvh;
use crate::task::Cancelled;
use crate::task::Progress;

/// How much rock is left around what is carved from it.
pub const MARGIN: f64 = 64.0;

/// With more remnants than this nothing more is cut; the check against the BSP tells whether that matters.
const MOST_REMNANTS: usize = 200_000;

/// What a brush does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Add,
    Subtract,
}

/// A brush that takes part, in the world.
#[derive(Clone, Debug)]
pub struct Step {
    /// Index in the map's actors.
    pub actor: u32,
    pub operation: Operation,
    pub is_semisolid: bool,
    /// Polygons but no solidity: non-solid, or a portal.
    pub is_hollow: bool,
    pub is_sheared: bool,
    pub polygons: Vec<PlacedPolygon>,
    /// None for a hollow one.
    pub cells: Cells,
}

impl Step {
    /// Takes away or fills space.
    #[must_use]
    pub fn is_solid(&self) -> bool {
        !self.cells.parts.is_empty()
    }

    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let corners = self.polygons.iter().flat_map(|polygon| &polygon.corners);
        Aabb::of_points(corners.copied())
    }
}

/// What a brush does; `None` for the builder brush, movers, and actors that are no brush.
#[must_use]
pub fn operation(actor: &RawActor) -> Option<Operation> {
    if !actor.class.name.eq_ignore_ascii_case("Brush") || actor.polygons.is_none() {
        return None;
    }
    let number = match actor.properties.get("CsgOper")? {
        Value::Byte(number) => *number,
        Value::Int(number) => u8::try_from(*number).ok()?,
        Value::Enum(name) | Value::Text(name) if name.eq_ignore_ascii_case("CSG_Add") => 1,
        Value::Name(name) if name.eq_ignore_ascii_case("CSG_Add") => 1,
        Value::Enum(name) | Value::Text(name) if name.eq_ignore_ascii_case("CSG_Subtract") => 2,
        Value::Name(name) if name.eq_ignore_ascii_case("CSG_Subtract") => 2,
        _ => return None,
    };
    match number {
        1 => Some(Operation::Add),
        2 => Some(Operation::Subtract),
        _ => None,
    }
}

/// The brushes in the order of their effect: those of the first pass in slot order, then the semisolid ones.
#[must_use]
pub fn steps(map: &RawMap) -> Vec<Step> {
    use rayon::prelude::*;
    let step = |(index, actor): (usize, &RawActor)| step(index as u32, actor);
    let mut steps: Vec<Step> = map.actors.par_iter().enumerate().filter_map(step).collect();
    steps.sort_by_key(|step| step.is_semisolid);
    steps
}

fn step(index: u32, actor: &RawActor) -> Option<Step> {
    let operation = operation(actor)?;
    let flags = brush_flags(actor);
    let is_add = operation == Operation::Add;
    let look = if is_add {
        flags
    } else {
        flags & !(flag::SEMISOLID | flag::NOT_SOLID)
    };
    let placement = Placement::of(actor)?;
    let polygons = placed_polygons(actor, &placement, look);
    let hollow = flag::NOT_SOLID | flag::PORTAL;
    let is_hollow = is_add
        && (flags & hollow != 0
            || polygons
                .iter()
                .all(|polygon| polygon.mapping.flags & hollow != 0));
    Some(Step {
        actor: index,
        operation,
        is_semisolid: is_add && flags & flag::SEMISOLID != 0 && flags & flag::PORTAL == 0,
        is_hollow,
        is_sheared: placement.is_sheared,
        cells: if is_hollow {
            Cells::default()
        } else {
            cells(&polygons)
        },
        polygons,
    })
}

/// What is left at the end of where.
#[derive(Clone, Debug)]
pub struct Remnant {
    pub part: Part,
    pub source: Source,
    pub is_semisolid: bool,
    /// The inside of one brush that nothing cut.
    pub is_whole: bool,
}

/// What is left of rock in these boxes and of the added brushes once all is carved and added.
///
/// # Errors
/// When it is cancelled.
pub fn replay(
    rock: &[Aabb],
    steps: &[Step],
    progress: &Progress,
) -> Result<Vec<Remnant>, Cancelled> {
    let mut remnants: Vec<Option<Remnant>> = Vec::new();
    let mut boxes: Bvh<u32> = Bvh::new();
    for bounds in rock {
        add(
            &mut remnants,
            &mut boxes,
            Remnant {
                part: Part::cuboid(*bounds),
                source: Source::Rock,
                is_semisolid: false,
                is_whole: false,
            },
        );
    }
    for step in steps {
        for cell in &step.cells.parts {
            progress.check()?;
            if step.operation == Operation::Add {
                add(
                    &mut remnants,
                    &mut boxes,
                    Remnant {
                        part: cell.clone(),
                        source: Source::Brush(step.actor),
                        is_semisolid: step.is_semisolid,
                        is_whole: step.cells.parts.len() == 1,
                    },
                );
                continue;
            }
            if remnants.len() > MOST_REMNANTS {
                break;
            }
            let mut touched = Vec::new();
            boxes.query(cell.bounds(), |key| touched.push(key));
            touched.sort_unstable();
            for key in touched {
                let slot = &mut remnants[key as usize];
                let Some(remnant) = slot.take() else { continue };
                match remnant.part.without(cell) {
                    Remains::Untouched(part) => *slot = Some(Remnant { part, ..remnant }),
                    Remains::Cut(parts) => {
                        boxes.remove(key);
                        for part in parts {
                            add(
                                &mut remnants,
                                &mut boxes,
                                Remnant {
                                    part,
                                    is_whole: false,
                                    ..remnant
                                },
                            );
                        }
                    }
                }
            }
        }
    }
    Ok(remnants.into_iter().flatten().collect())
}

fn add(remnants: &mut Vec<Option<Remnant>>, boxes: &mut Bvh<u32>, remnant: Remnant) {
    boxes.insert(remnants.len() as u32, remnant.part.bounds());
    remnants.push(Some(remnant));
}
