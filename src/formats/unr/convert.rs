//! [`RawMap`] to a document: what is solid, what is seen, entities, and the report of what became of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::compiler;
use crate::document::Document;
use crate::document::ObjectFlags;
use crate::document::ViewState;
use crate::formats::ImportOptions;
use crate::formats::Report;
use crate::formats::Siblings;
use crate::formats::unr::cameras;
use crate::formats::unr::emit::Emission;
use crate::formats::unr::emit::Role;
use crate::formats::unr::entities;
use crate::formats::unr::layers::Place;
use crate::formats::unr::looks::Looks;
use crate::formats::unr::models;
use crate::formats::unr::models::Models;
use crate::formats::unr::moving::Mover;
use crate::formats::unr::moving::insert_movers;
use crate::formats::unr::moving::movers;
use crate::formats::unr::original;
use crate::formats::unr::pieces::Piece;
use crate::formats::unr::pieces::Source;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::replay::Operation;
use crate::formats::unr::replay::operation;
use crate::formats::unr::seen::Seen;
use crate::formats::unr::seen::SeenPolygon;
use crate::formats::unr::sky::SkyPart;
use crate::formats::unr::solid::Kept;
use crate::formats::unr::solid::Solids;
use crate::formats::unr::solid::kept;
use crate::formats::unr::solid::polygons_of;
use crate::formats::unr::solid::solids;
use crate::formats::unr::space::UNITS_PER_METER;
use crate::formats::unr::space::to_map;
use crate::formats::unr::tell;
use crate::formats::unr::tell::Told;
use crate::formats::unr::visgroups::Visgroups;
use crate::formats::unr::zones;
use crate::geometry::Aabb;
use crate::task::Cancelled;
use crate::task::Progress;

/// What became of a map.
pub struct Converted {
    pub doc: Document,
    pub view: ViewState,
    /// What `ORIG` keeps of the materials.
    pub settings: Vec<(String, String)>,
    /// What is seen with the light that the file holds.
    pub original_light: Option<Arc<compiler::Compiled>>,
}

/// What is compiled: it must exist once, or faces lie twice in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiled {
    /// The pieces of brushes; what is seen is there to compare.
    Brushes,
    /// What is seen, with the BSP's hulls to walk on; the pieces are there to work from.
    Surfaces,
    /// The brushes as they are, those that carve too.
    Carving,
}

/// # Errors
/// Only when cancelled.
pub fn convert(
    map: &RawMap,
    models: &Models,
    siblings: &dyn Siblings,
    options: ImportOptions,
    progress: &Progress,
    report: &mut Report,
) -> Result<Converted, Cancelled> {
    let mut draft = Document::default().edit();
    draft.settings_mut().units_per_meter = UNITS_PER_METER;
    let mut visgroups = Visgroups::default();
    let mut of_brush = |polygons: bool, properties| {
        if polygons {
            visgroups.of(properties, &mut draft)
        } else {
            Arc::from([])
        }
    };
    let brush_groups = map
        .actors
        .iter()
        .map(|actor| of_brush(actor.polygons.is_some(), &actor.properties))
        .collect();
    progress.stage("Working through the brushes", 0.4);
    let mut solids = solids(map, progress)?;
    progress.stage("Finding what is seen", 0.2);
    let seen = seen(map, &solids, progress)?;
    let mut emission = Emission {
        visgroups: brush_groups,
        ..Emission::new(map, Looks::new(map, siblings), draft)
    };
    progress.stage("Making brushes", 0.2);
    let movers = movers(map);
    let kept = options.keeps_carving.then(|| kept(map));
    insert_looks(&mut emission, &solids, &seen, &movers, kept.as_ref());
    let of_models = models::looks(models);
    emission.looks.insert(of_models, &mut emission.draft);
    let mut told = Told {
        compiled: match (&kept, solids.agreement.is_good()) {
            (Some(_), _) => Compiled::Carving,
            (None, true) => Compiled::Brushes,
            (None, false) => Compiled::Surfaces,
        },
        ..Told::default()
    };
    match &kept {
        Some(kept) => insert_kept(&mut emission, kept, &mut told, progress)?,
        None => insert_pieces(&mut emission, &solids, &mut told, progress)?,
    }
    // The brushes hold all of it now, and the rest needs room.
    solids.pieces = Vec::new();
    solids.hulls = Vec::new();
    drop(kept);
    insert_seen(&mut emission, &solids, &seen, &mut told, progress)?;
    let inserted = entities::insert(
        map,
        &mut emission.draft,
        &mut emission.layers,
        &mut visgroups,
        report,
    );
    zones::insert(
        map,
        &mut emission.draft,
        &mut emission.layers,
        &mut visgroups,
        report,
        progress,
    )?;
    insert_movers(&mut emission, &movers, &inserted, &mut told, progress)?;
    models::insert(models, &mut emission, &inserted, report);
    let mut view = view(&mut emission);
    view.focus = focus(&seen);
    cameras::insert(map, &mut view);
    let original = if options.original_light {
        progress.stage("Looking at the light", 0.2);
        let drawn = seen.polygons.iter().filter(|polygon| polygon.is_drawn());
        let drawn: Vec<&SeenPolygon> = drawn.collect();
        original::original(map, &drawn, &emission.looks, progress)?
    } else {
        None
    };
    tell::tell(&emission, &solids, &seen, &inserted, &told, report);
    let settings = emission.looks.settings();
    let doc = emission.draft.as_read();
    Ok(Converted {
        original_light: original.map(|cmpl| Arc::new(original::compiled(cmpl, &doc))),
        doc,
        view,
        settings,
    })
}

/// Polygons of the BSP; for a map without one, as text is, those of brushes that become no pieces.
fn seen(map: &RawMap, solids: &Solids, progress: &Progress) -> Result<Seen, Cancelled> {
    let model = map.world.as_ref().filter(|model| !model.nodes.is_empty());
    if let Some(model) = model {
        return Seen::of(model, &SkyPart::of(map), progress);
    }
    let mut brushes: Vec<u32> = solids
        .hollow
        .iter()
        .chain(&solids.sheets)
        .copied()
        .collect();
    brushes.sort_unstable();
    let mut seen = Seen::default();
    for index in brushes {
        let Some(actor) = map.actors.get(index as usize) else {
            continue;
        };
        if operation(actor) == Some(Operation::Add) {
            let polygons = polygons_of(actor).into_iter();
            let polygons = polygons.map(|placed| SeenPolygon::of_brush(index, placed));
            seen.polygons.extend(polygons);
        }
    }
    Ok(seen)
}

/// All looks at once, so that materials come in the order of the map's textures.
fn insert_looks(
    emission: &mut Emission<'_>,
    solids: &Solids,
    seen: &Seen,
    movers: &[Mover],
    kept: Option<&Kept>,
) {
    let of_movers = movers.iter().flat_map(|mover| &mover.pieces);
    let kept = kept.into_iter().flat_map(|kept| &kept.brushes);
    let of_kept = kept.flat_map(|brush| &brush.cells);
    let pieces = solids.pieces.iter().chain(of_movers).chain(of_kept);
    let faces = pieces.flat_map(|piece| &piece.faces);
    let polygons = movers.iter().flat_map(|mover| &mover.polygons);
    let drawn = seen.polygons.iter().filter(|polygon| polygon.is_drawn());
    let mappings = faces
        .filter_map(|face| face.mapping.as_ref())
        .chain(polygons.chain(drawn).map(|polygon| &polygon.mapping));
    emission.looks.insert(mappings, &mut emission.draft);
}

fn insert_pieces(
    emission: &mut Emission<'_>,
    solids: &Solids,
    told: &mut Told,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let left_out = if told.compiled == Compiled::Brushes {
        ObjectFlags::default()
    } else {
        ObjectFlags::NO_COMPILE
    };
    let role = |piece: &Piece| role_of_piece(piece, left_out);
    told.pieces = emission.pieces(&solids.pieces, None, role, progress)?;
    let hull = |_: &Piece| Role {
        place: Place::Hulls,
        flags: ObjectFlags::default(),
    };
    told.hulls = emission.pieces(&hidden(&solids.hulls), None, hull, progress)?;
    Ok(())
}

/// Rock first, then the brushes in the order of their effect: those that carve take from all before them.
fn insert_kept(
    emission: &mut Emission<'_>,
    kept: &Kept,
    told: &mut Told,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let mut insert = |pieces: &[Piece], carves: bool| -> Result<(), Cancelled> {
        let role = |piece: &Piece| role_of_kept(piece, carves);
        told.pieces
            .extend(emission.pieces(pieces, None, role, progress)?);
        Ok(())
    };
    insert(&kept.rock, false)?;
    for brush in &kept.brushes {
        insert(&brush.cells, brush.operation == Operation::Subtract)?;
    }
    Ok(())
}

fn role_of_kept(piece: &Piece, carves: bool) -> Role {
    let role = role_of_piece(piece, ObjectFlags::default());
    if !carves {
        return role;
    }
    let place = match role.place {
        Place::SkyZone => Place::SkyZone,
        _ => Place::Carving,
    };
    Role {
        place,
        flags: ObjectFlags::SUBTRACT,
    }
}

fn insert_seen(
    emission: &mut Emission<'_>,
    solids: &Solids,
    seen: &Seen,
    told: &mut Told,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let sheets: BTreeSet<u32> = solids.sheets.iter().copied().collect();
    let is_sheet = |polygon: &SeenPolygon| {
        !polygon.is_solid || polygon.actor.is_some_and(|actor| sheets.contains(&actor))
    };
    let drawn = seen.polygons.iter().filter(|polygon| polygon.is_drawn());
    let (thin, solid): (Vec<&SeenPolygon>, Vec<&SeenPolygon>) =
        drawn.partition(|polygon| is_sheet(polygon));
    told.sheets = emission.meshes(&thin, None, role_of_sheet, progress)?;
    let is_original = told.compiled != Compiled::Surfaces;
    let role = |polygon: &SeenPolygon| role_of_surface(polygon, is_original);
    told.surfaces = emission.meshes(&solid, None, role, progress)?;
    Ok(())
}

/// Hulls stop players and are not seen.
fn hidden(hulls: &[Piece]) -> Vec<Piece> {
    let mut hulls = hulls.to_vec();
    for face in hulls.iter_mut().flat_map(|hull| &mut hull.faces) {
        face.mapping = None;
    }
    hulls
}

fn role_of_piece(piece: &Piece, left_out: ObjectFlags) -> Role {
    let place = match piece.source {
        _ if piece.is_sky => Place::SkyZone,
        _ if piece.is_semisolid => Place::Details,
        Source::Rock => Place::Rock,
        Source::Brush(_) | Source::Hull(_) => Place::Brushes,
    };
    let detail = if piece.is_semisolid {
        ObjectFlags::DETAIL
    } else {
        ObjectFlags::default()
    };
    Role {
        place,
        flags: left_out | detail,
    }
}

fn role_of_sheet(polygon: &SeenPolygon) -> Role {
    let flags = if polygon.is_solid {
        ObjectFlags::NO_COLLIDE
    } else {
        ObjectFlags::NO_COLLIDE | ObjectFlags::NO_SHADOW
    };
    let place = if polygon.is_sky {
        Place::SkyZone
    } else {
        Place::Sheets
    };
    Role { place, flags }
}

fn role_of_surface(polygon: &SeenPolygon, is_original: bool) -> Role {
    if is_original {
        return Role {
            place: Place::Original,
            flags: ObjectFlags::default(),
        };
    }
    let place = if polygon.is_sky {
        Place::SkyZone
    } else {
        Place::Surfaces
    };
    Role {
        place,
        flags: ObjectFlags::NO_COLLIDE,
    }
}

/// Around what is seen of the world outside of its sky; rock reaches farther.
fn focus(seen: &Seen) -> Option<Aabb> {
    let of_world = |polygon: &&SeenPolygon| polygon.surface.is_some() && !polygon.is_sky;
    let polygons = seen.polygons.iter().filter(of_world);
    let corners = polygons.flat_map(|polygon| &polygon.corners);
    let bounds = Aabb::of_points(corners.map(|&corner| to_map(corner)));
    (!bounds.is_empty()).then_some(bounds)
}

/// The original surfaces stand in the way of working, and are no part of what is built.
fn view(emission: &mut Emission<'_>) -> ViewState {
    let mut view = ViewState::default();
    if let Some(original) = emission.layers.get(Place::Original) {
        emission
            .draft
            .update_layer(original, |layer| layer.no_compile = true);
        view.hidden_layers.insert(original);
        view.locked_layers.insert(original);
    }
    if let Some(hulls) = emission.layers.get(Place::Hulls) {
        view.hidden_layers.insert(hulls);
    }
    view
}

#[cfg(test)]
#[path = "convert_tests.rs"]
mod tests;
