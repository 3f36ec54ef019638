//! What of a map is solid, as convex pieces (`unr.md` 8.2): the brushes worked through, checked against the file's BSP, and the
//! BSP's own hulls where they disagree.

use rayon::prelude::*;

use crate::formats::unr::cells::cells;
use crate::formats::unr::hulls;
use crate::formats::unr::part::Part;
use crate::formats::unr::patches::Patches;
use crate::formats::unr::pieces::Piece;
use crate::formats::unr::pieces::PieceFace;
use crate::formats::unr::pieces::Source;
use crate::formats::unr::raw::RawActor;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::replay::MARGIN;
use crate::formats::unr::replay::Operation;
use crate::formats::unr::replay::Remnant;
use crate::formats::unr::replay::Step;
use crate::formats::unr::replay::replay;
use crate::formats::unr::replay::steps;
use crate::formats::unr::self_check::Agreement;
use crate::formats::unr::self_check::RANDOM_POINTS;
use crate::formats::unr::self_check::agreement;
use crate::formats::unr::sky::SkyPart;
use crate::formats::unr::surfaces::Dressed;
use crate::formats::unr::surfaces::dressed;
use crate::formats::unr::transform::PlacedPolygon;
use crate::formats::unr::transform::Placement;
use crate::formats::unr::transform::brush_flags;
use crate::formats::unr::transform::placed_polygons;
use crate::geometry::Aabb;
use crate::task::Cancelled;
use crate::task::Progress;

/// Everything solid, and what the report says of it.
#[derive(Clone, Debug, Default)]
pub struct Solids {
    pub pieces: Vec<Piece>,
    /// How many of the pieces are of the solid world that rooms are carved from.
    pub rock_pieces: usize,
    /// The file's own pieces; only when the check failed.
    pub hulls: Vec<Piece>,
    /// Without points for a map without a BSP.
    pub agreement: Agreement,
    /// What rooms are carved from: the map's box first, then that of a sky apart from it. None for a map without rooms.
    pub rock: Vec<Aabb>,
    /// Actors of brushes with polygons but no solidity: non-solid ones and portals.
    pub hollow: Vec<u32>,
    /// Actors of brushes meant solid that enclose nothing.
    pub sheets: Vec<u32>,
    /// Actors of concave brushes, and into how many cells they were divided.
    pub concave: Vec<(u32, usize)>,
    /// Actors of brushes whose shear is left out.
    pub sheared: Vec<u32>,
    /// Added brushes of one piece that nothing cut.
    pub whole: usize,
}

/// The pieces of a map in slot order of their brushes, rock first.
///
/// # Errors
/// When it is cancelled.
pub fn solids(map: &RawMap, progress: &Progress) -> Result<Solids, Cancelled> {
    let steps = steps(map);
    progress.check()?;
    let sky = SkyPart::of(map);
    let rock = rock(&steps, &sky);
    let remnants = replay(&rock, &steps, progress)?;
    let model = map.world.as_ref().filter(|model| !model.nodes.is_empty());
    let patches = match model {
        Some(model) => Patches::of_world(model, &sky),
        // Nothing is carved: brushes stand in the open, as in a file of one brush.
        None if rock.is_empty() => {
            let own = steps.iter().filter(|step| step.is_solid());
            let own: Vec<PlacedPolygon> = own.flat_map(|step| step.polygons.clone()).collect();
            Patches::of_polygons(&own)
        }
        None => Patches::of_steps(&steps),
    };
    progress.check()?;
    let has_own_sky = rock.len() > 1;
    let pieces = remnants.into_par_iter().map(|remnant| {
        progress.check()?;
        Ok(pieces_of(
            remnant,
            &patches,
            &sky,
            has_own_sky.then(|| rock[1]),
        ))
    });
    let pieces: Vec<Vec<Piece>> = pieces.collect::<Result<_, Cancelled>>()?;
    let pieces: Vec<Piece> = pieces.into_iter().flatten().collect();
    let agreement = model.map_or_else(Agreement::default, |model| {
        agreement(model, &pieces, &rock, RANDOM_POINTS)
    });
    progress.check()?;
    let hulls = match model {
        Some(model) if !agreement.is_good() => hulls::pieces(model, &rock, &patches),
        _ => Vec::new(),
    };
    let actors = |is: &dyn Fn(&Step) -> bool| {
        let found = steps.iter().filter(|step| is(step));
        found.map(|step| step.actor).collect::<Vec<_>>()
    };
    let concave = steps.iter().filter(|step| !step.cells.is_convex);
    Ok(Solids {
        whole: pieces.iter().filter(|piece| piece.is_whole).count(),
        rock_pieces: pieces
            .iter()
            .filter(|piece| piece.source == Source::Rock)
            .count(),
        pieces,
        hulls,
        agreement,
        hollow: actors(&|step| step.is_hollow),
        sheets: actors(&|step| !step.is_hollow && !step.is_solid()),
        sheared: actors(&|step| step.is_sheared),
        concave: concave
            .filter(|step| step.is_solid())
            .map(|step| (step.actor, step.cells.parts.len()))
            .collect(),
        rock,
    })
}

/// The boxes that rooms are carved from: a sky far from the map has one of its own.
fn rock(steps: &[Step], sky: &SkyPart) -> Vec<Aabb> {
    let bounds = |is_sky: bool| {
        let carving = steps.iter().filter(|step| {
            step.operation == Operation::Subtract && sky.has_brush(step.actor) == is_sky
        });
        carving.map(Step::bounds).fold(Aabb::EMPTY, Aabb::union)
    };
    let boxes = [bounds(false), bounds(true)];
    let boxes = boxes.into_iter().filter(|bounds| !bounds.is_empty());
    let boxes: Vec<Aabb> = boxes.map(|bounds| bounds.grown(MARGIN)).collect();
    match boxes[..] {
        [map, sky] if map.touches(sky) => vec![map.union(sky)],
        _ => boxes,
    }
}

fn pieces_of(
    remnant: Remnant,
    patches: &Patches,
    sky: &SkyPart,
    sky_rock: Option<Aabb>,
) -> Vec<Piece> {
    let is_of_sky = match remnant.source {
        Source::Rock => sky_rock.is_some_and(|rock| rock.encloses(remnant.part.bounds())),
        Source::Brush(actor) => sky.has_brush(actor),
        Source::Hull(_) => false,
    };
    let parts = dressed(remnant.part.blunted(), patches);
    let is_whole = remnant.is_whole && parts.len() == 1;
    let piece = |part: Dressed| Piece {
        source: remnant.source,
        is_semisolid: remnant.is_semisolid,
        is_whole,
        is_sky: is_of_sky || part.is_sky,
        faces: part.faces,
    };
    parts.into_iter().map(piece).collect()
}

/// Polygons of a brush or mover where it stands; none when it is scaled to nothing.
#[must_use]
pub fn polygons_of(actor: &RawActor) -> Vec<PlacedPolygon> {
    Placement::of(actor)
        .map(|placement| placed_polygons(actor, &placement, brush_flags(actor)))
        .unwrap_or_default()
}

/// Convex pieces of one brush or mover where it stands, with the looks of its own polygons; none for a sheet.
///
/// `index` is that of the actor in its map.
#[must_use]
pub fn cells_of(actor: &RawActor, index: u32) -> Vec<Piece> {
    let polygons = polygons_of(actor);
    own_cells(&polygons, cells(&polygons).parts, index, false)
}

fn own_cells(
    polygons: &[PlacedPolygon],
    parts: Vec<Part>,
    index: u32,
    is_semisolid: bool,
) -> Vec<Piece> {
    let patches = Patches::of_polygons(polygons);
    let is_one = parts.len() == 1;
    let mut pieces = Vec::new();
    for part in parts {
        let parts = dressed(part, &patches);
        let is_whole = is_one && parts.len() == 1;
        pieces.extend(parts.into_iter().map(|part| Piece {
            source: Source::Brush(index),
            is_semisolid,
            is_whole,
            is_sky: false,
            faces: part.faces,
        }));
    }
    pieces
}

/// A map as it was built: rock, and the brushes that carve it and add to it, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    pub rock: Vec<Piece>,
    /// In the order of their effect.
    pub brushes: Vec<KeptBrush>,
}

/// A brush with its cells, uncut.
#[derive(Clone, Debug)]
pub struct KeptBrush {
    /// Index in the map's actors.
    pub actor: u32,
    pub operation: Operation,
    pub cells: Vec<Piece>,
}

/// The brushes as they are, none for sheets and hollow ones. Looks are those of their own polygons.
#[must_use]
pub fn kept(map: &RawMap) -> Kept {
    let steps = steps(map);
    let sky = SkyPart::of(map);
    let rock = rock(&steps, &sky);
    let brush = |step: &Step| {
        let is_sky = sky.has_brush(step.actor);
        let parts = step.cells.parts.clone();
        let mut cells = own_cells(&step.polygons, parts, step.actor, step.is_semisolid);
        for cell in &mut cells {
            cell.is_sky = is_sky;
        }
        KeptBrush {
            actor: step.actor,
            operation: step.operation,
            cells,
        }
    };
    Kept {
        rock: (0..)
            .zip(&rock)
            .map(|(number, bounds)| rock_piece(*bounds, number > 0))
            .collect(),
        brushes: steps
            .par_iter()
            .filter(|step| step.is_solid())
            .map(brush)
            .collect(),
    }
}

fn rock_piece(bounds: Aabb, is_sky: bool) -> Piece {
    let part = Part::cuboid(bounds);
    let faces = part.faces().map(|(plane, corners)| PieceFace {
        normal: plane.normal,
        distance: plane.dist,
        corners: corners.collect(),
        mapping: None,
    });
    Piece {
        source: Source::Rock,
        is_semisolid: false,
        is_whole: false,
        is_sky,
        faces: faces.collect(),
    }
}

#[cfg(test)]
#[path = "solid_tests.rs"]
mod tests;
