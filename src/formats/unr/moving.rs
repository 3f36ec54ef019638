//! Geometry of moving brushes: where they stand at rest, owned by their entities (`unr.md` 8.2).

use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::formats::unr::classes::Family;
use crate::formats::unr::emit::Emission;
use crate::formats::unr::emit::Role;
use crate::formats::unr::entities::Inserted;
use crate::formats::unr::layers::Place;
use crate::formats::unr::pieces::Piece;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::seen::SeenPolygon;
use crate::formats::unr::solid::cells_of;
use crate::formats::unr::solid::polygons_of;
use crate::formats::unr::tell::Told;
use crate::task::Cancelled;
use crate::task::Progress;

/// A moving brush: its cells, or its polygons where they enclose nothing.
pub struct Mover {
    /// Index in the map's actors.
    pub actor: u32,
    pub pieces: Vec<Piece>,
    /// Drawn ones; none where there are pieces.
    pub polygons: Vec<SeenPolygon>,
}

/// Those of a map, where they stand.
#[must_use]
pub fn movers(map: &RawMap) -> Vec<Mover> {
    let actors = (0..).zip(&map.actors);
    let movers =
        actors.filter(|(_, actor)| actor.polygons.is_some() && Family::of(actor) == Family::Mover);
    movers
        .map(|(index, actor)| {
            let pieces = cells_of(actor, index);
            let polygons = if pieces.is_empty() {
                polygons_of(actor)
            } else {
                Vec::new()
            };
            let polygons = polygons.into_iter();
            Mover {
                actor: index,
                pieces,
                polygons: polygons
                    .map(|placed| SeenPolygon::of_brush(index, placed))
                    .filter(SeenPolygon::is_drawn)
                    .collect(),
            }
        })
        .collect()
}

/// Under their entities.
///
/// # Errors
/// Only when cancelled.
pub fn insert_movers(
    emission: &mut Emission<'_>,
    movers: &[Mover],
    inserted: &Inserted,
    told: &mut Told,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let role = Role {
        place: Place::Movers,
        flags: ObjectFlags::default(),
    };
    for mover in movers {
        let Some(owner) = inserted.entity(mover.actor) else {
            continue;
        };
        let owner = Some(owner);
        emission.pieces(&mover.pieces, owner, |_| role, progress)?;
        let polygons: Vec<&SeenPolygon> = mover.polygons.iter().collect();
        let meshes: Vec<ObjectId> = emission.meshes(&polygons, owner, |_| role, progress)?;
        told.thin_movers.extend(meshes);
    }
    Ok(())
}
