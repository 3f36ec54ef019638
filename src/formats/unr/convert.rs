//! [`RawMap`] to a document: what is solid, what is seen, entities, and the report of what became of them.

use std::path::Path;
use std::sync::Arc;

use crate::document::Document;
use crate::document::ObjectFlags;
use crate::document::ViewState;
use crate::formats::Report;
use crate::formats::Siblings;
use crate::formats::unr::emit::Emission;
use crate::formats::unr::emit::Role;
use crate::formats::unr::entities;
use crate::formats::unr::layers::Place;
use crate::formats::unr::looks::Looks;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::seen::Seen;
use crate::formats::unr::seen::SeenPolygon;
use crate::formats::unr::sky::SkyPart;
use crate::formats::unr::space::UNITS_PER_METER;
use crate::formats::unr::visgroups::Visgroups;
use crate::formats::unr::zones;
use crate::task::Cancelled;
use crate::task::Progress;

/// What became of a map.
pub struct Converted {
    pub doc: Document,
    pub view: ViewState,
    /// What `ORIG` keeps of the materials.
    pub settings: Vec<(String, String)>,
}

/// `path`: of the map, whose packages lie beside it.
///
/// # Errors
/// Only when cancelled.
pub fn convert(
    map: &RawMap,
    _path: &Path,
    siblings: &dyn Siblings,
    progress: &Progress,
    report: &mut Report,
) -> Result<Converted, Cancelled> {
    let mut draft = Document::default().edit();
    draft.settings_mut().units_per_meter = UNITS_PER_METER;
    let mut visgroups = Visgroups::default();
    let brush_groups = map
        .actors
        .iter()
        .map(|actor| match actor.polygons {
            Some(_) => visgroups.of(&actor.properties, &mut draft),
            None => Arc::from([]),
        })
        .collect();
    let mut emission = Emission {
        visgroups: brush_groups,
        ..Emission::new(map, Looks::new(map, siblings), draft)
    };
    progress.stage("Finding what is seen", 0.3);
    let sky = SkyPart::of(map);
    let seen = match &map.world {
        Some(model) => Seen::of(model, &sky, progress)?,
        None => Seen::default(),
    };
    let drawn: Vec<&SeenPolygon> = seen
        .polygons
        .iter()
        .filter(|polygon| polygon.is_drawn())
        .collect();
    let mappings = drawn.iter().map(|polygon| &polygon.mapping);
    emission.looks.insert(mappings, &mut emission.draft);
    progress.stage("Making meshes", 0.6);
    emission.meshes(&drawn, role_of_surface, progress)?;
    entities::insert(
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
    note_seen(&seen, emission.flat_polygons, report);
    let settings = emission.looks.settings();
    Ok(Converted {
        doc: emission.draft.as_read(),
        view: ViewState::default(),
        settings,
    })
}

/// Where a polygon goes that is compiled as it is.
fn role_of_surface(polygon: &SeenPolygon) -> Role {
    let place = match (polygon.is_sky, polygon.is_solid) {
        (true, _) => Place::SkyZone,
        (false, true) => Place::Surfaces,
        (false, false) => Place::Sheets,
    };
    let flags = if polygon.is_solid {
        ObjectFlags::default()
    } else {
        ObjectFlags::NO_COLLIDE | ObjectFlags::NO_SHADOW
    };
    Role { place, flags }
}

fn note_seen(seen: &Seen, flat: usize, report: &mut Report) {
    if seen.bad_polygons > 0 {
        let text = format!(
            "{} left out: their numbers are not sound",
            many(seen.bad_polygons, "polygon was", "polygons were")
        );
        report.warn("I-BAD-POLYGON", None, None, text);
    }
    if flat > 0 {
        let text = format!(
            "{} without area left out",
            many(flat, "polygon was", "polygons were")
        );
        report.warn("I-FLAT-POLYGON", None, None, text);
    }
}

/// "1 thing", "2 things".
fn many(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
