//! Documents as Cube 2 maps of version 33 (`ogz.md` 14): what cubes can say is written, what they cannot is listed, and no shape is
//! made to fit. Pictures that cannot lie as they should lie as near to that as they can, and each is listed (LOCK-3).

mod bent;
mod branch;
mod config;
mod covers;
mod encode;
mod entities;
mod fit;
mod keys;
mod losses;
mod order;
mod pictures;
mod placing;
mod polytope;
mod solid;
mod sorted;
mod surface;
#[cfg(test)]
mod tests;
mod tree;

use glam::DVec3;
use rayon::prelude::*;
use smallvec::SmallVec;

use crate::document::Brush;
use crate::document::Document;
use crate::document::Material;
use crate::document::ObjectId;
use crate::formats::Origin;
use crate::formats::Report;
use crate::formats::ogz::mapping::to_file;
use crate::formats::ogz::mapping::to_map;
use crate::formats::ogz::raw::Facts;
use crate::formats::ogz::raw::Family;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::volumes::LOWERED;
use crate::formats::ogz::volumes::LOWERED_FILM;
use crate::formats::ogz::write::losses::Losses;
use crate::formats::ogz::write::solid::Shown;
use crate::formats::ogz::write::solid::Solid;
use crate::formats::ogz::write::sorted::Sorted;
use crate::formats::ogz::write::sorted::rows;
use crate::formats::ogz::write::sorted::words;
use crate::formats::ogz::write::surface::Lies;
use crate::formats::ogz::write::surface::SlotMaker;
use crate::formats::ogz::write::tree::Filling;
use crate::task::Cancelled;
use crate::task::Progress;

pub use self::encode::encode;

/// Side lengths of worlds that are written, in units.
const SMALLEST_WORLD: i64 = 1 << 10;
const LARGEST_WORLD: i64 = 1 << 16;
/// What a map is moved by, where it must be, is a multiple of this.
const SHIFT_STEP: f64 = 64.0;

/// A written map.
pub struct Written {
    pub map: RawMap,
    /// The text of the configuration that belongs beside it.
    pub config: String,
    /// What was left out, and what was taken otherwise than it stands in the document.
    pub report: Report,
    /// Brushes that are in it.
    pub brushes: usize,
}

impl Written {
    /// The bytes of the `.ogz`.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        encode(&self.map)
    }
}

/// Makes cubes of a document. `origin`: what it was imported from, which keeps what the game does to its textures and nobody shows
/// here; `size_of`: pixels of a material's picture, where it is there; else its tile size tells.
///
/// # Errors
/// Only when cancelled.
pub fn write(
    doc: &Document,
    origin: Option<&Origin>,
    size_of: &dyn Fn(&Material) -> Option<[u32; 2]>,
    progress: &Progress,
) -> Result<Written, Cancelled> {
    let mut sorted = Sorted::new(doc);
    let (world, shift) = place(doc, &sorted);
    let shift_in_map = to_map(DVec3::from(shift.map(|by| by as f64)));
    let origin = origin.filter(|origin| origin.format == "ogz");
    let settings = origin.map_or(&[][..], |origin| &origin.settings);
    let materials = sorted.materials(doc);
    let mut losses = Losses::new(doc, settings);
    let mut maker = SlotMaker::new(doc, &materials, settings, shift_in_map, size_of);
    let mut solids = Vec::with_capacity(sorted.solids.len());
    let of_solids = std::mem::take(&mut sorted.solids);
    let lies = of_solids.par_iter().map(|(_, brush, _)| {
        progress.check()?;
        let faces = brush.faces().iter().enumerate();
        let lies = faces.map(|(number, face)| {
            let corners: SmallVec<[DVec3; 8]> = brush.hull().face_points(number).collect();
            maker.lies(face, &corners)
        });
        Ok(lies.collect())
    });
    let lies: Vec<Vec<Option<Lies>>> = lies.collect::<Result<_, Cancelled>>()?;
    for ((id, brush, bits), lies) in of_solids.into_iter().zip(lies) {
        let faces = brush.faces().iter().zip(lies);
        let surfaces: Vec<Shown> = faces.map(|(face, lies)| maker.shown(face, lies)).collect();
        match Solid::new(id, brush, &surfaces, bits, shift, world) {
            Ok(solid) => {
                losses.look_at(id, brush);
                solids.push(solid);
            }
            Err(reason) => sorted.leave_out(id, reason),
        }
    }
    let mut fillings = Vec::with_capacity(sorted.fillings.len());
    for (id, brush, bits) in std::mem::take(&mut sorted.fillings) {
        match filling(id, brush, bits, shift, world) {
            Ok(filling) => fillings.push(filling),
            Err(reason) => sorted.leave_out(id, reason),
        }
    }
    let brushes = solids.len() + fillings.len();
    let grown = tree::grow(
        world,
        solids,
        fillings,
        &mut |look| maker.used(look),
        progress,
    )?;
    let brushes = brushes - grown.left_out.len();
    for (&id, reason) in &grown.left_out {
        sorted.leave_out(id, reason);
    }
    sorted.tell_left_out();
    pictures::report(doc, grown.misplaced, &mut sorted.report);
    losses.leave(&grown.left_out);
    losses.report(&mut sorted.report, origin.is_some(), size_of);
    if maker.numberless > 0 {
        let text = format!(
            "{} textures are shown otherwise: the game has no numbers for so many",
            maker.numberless
        );
        sorted.report.warn("X-TEXTURE", None, None, text);
    }
    let (pictures, slots) = maker.finish();
    if shift != [0; 3] {
        let text = format!(
            "the map was moved by {} {} {} into the game's world",
            shift[0], shift[2], shift[1]
        );
        sorted.report.warn("X-MOVED", None, None, text);
    }
    let game = origin.and_then(game_of);
    let mut records = entities::records(doc, settings, shift);
    if game.is_none() {
        for entity in &mut records.entities {
            entity.extra.clear();
        }
    }
    if origin.is_some() {
        config::colors(doc, &mut records.variables);
    }
    for (reason, ids) in std::mem::take(&mut records.left_out) {
        let one = |id| format!("{}: {reason}", words(doc, id));
        let all = format!("{} entities, each: {reason}", ids.len());
        rows(&mut sorted.report, "X-ENTITY", ids, one, all);
    }
    let map = RawMap {
        family: Family::Sauerbraten,
        version: 33,
        world_size: world as u32,
        game: game.unwrap_or("fps").to_owned(),
        variables: std::mem::take(&mut records.variables),
        entities: std::mem::take(&mut records.entities),
        slots,
        tree: grown.tree,
        facts: Facts::default(),
    };
    keys::report(doc, &map, &records, settings, shift, &mut sorted.report);
    order::report(doc, origin.is_some(), &mut sorted.report);
    Ok(Written {
        map,
        config: config::pictures(&pictures) + &config::volumes(settings) + &records.config,
        report: sorted.report,
        brushes,
    })
}

/// The name of the game that a map came from; nothing for maps of the game's relatives, whose entities are others.
fn game_of(origin: &Origin) -> Option<&str> {
    let setting = |name: &str| {
        let found = origin.settings.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    };
    let is_own = setting("version").is_some_and(|version| version.parse::<u32>().is_ok());
    setting("game").filter(|game| is_own && !game.is_empty())
}

/// The size of the world and what is added to the file's coordinates, in units: nothing, where the map fits as it lies.
fn place(doc: &Document, sorted: &Sorted<'_>) -> (i64, [i64; 3]) {
    let mut low = DVec3::INFINITY;
    let mut high = DVec3::NEG_INFINITY;
    for (_, brush, _) in sorted.solids.iter().chain(&sorted.fillings) {
        for &point in brush.hull().points() {
            low = low.min(to_file(point));
            high = high.max(to_file(point));
        }
    }
    if !(low.is_finite() && high.is_finite()) {
        return (SMALLEST_WORLD, [0; 3]);
    }
    let known = doc
        .worldspawn()
        .and_then(|(_, world)| world.number("worldsize"))
        .map_or(SMALLEST_WORLD, |size| size as i64);
    let fits = |size: i64, length: f64| length <= size as f64 + 1e-6;
    let mut size = SMALLEST_WORLD;
    while size < LARGEST_WORLD && (size < known || !fits(size, (high - low).max_element())) {
        size *= 2;
    }
    while size < LARGEST_WORLD && low.min_element() >= 0.0 && !fits(size, high.max_element()) {
        size *= 2;
    }
    if low.min_element() >= -1e-6 && fits(size, high.max_element()) {
        return (size, [0; 3]);
    }
    let middle = (low + high) / 2.0;
    let shift = (DVec3::splat(size as f64 / 2.0) - middle) / SHIFT_STEP;
    let mut shift = shift.round() * SHIFT_STEP;
    // Rounding may push a map that just fits over an edge.
    for axis in 0..3 {
        if low[axis] + shift[axis] < 0.0 {
            shift[axis] = (-low[axis] / SHIFT_STEP).ceil() * SHIFT_STEP;
        }
        if high[axis] + shift[axis] > size as f64 {
            shift[axis] = ((size as f64 - high[axis]) / SHIFT_STEP).floor() * SHIFT_STEP;
        }
    }
    (size, shift.to_array().map(|by| by as i64))
}

/// A box of material, with the surface of a liquid where its cubes end.
fn filling(
    id: ObjectId,
    brush: &Brush,
    bits: u16,
    shift: [i64; 3],
    world: i64,
) -> Result<Filling, &'static str> {
    const ON: f64 = 0.01;
    let bounds = brush.hull().bounds();
    let box_volume = (bounds.max - bounds.min).element_product();
    if brush.fault().is_some() || (brush.hull().volume() - box_volume).abs() > 1e-6 * box_volume {
        return Err("materials fill boxes along the axes only");
    }
    let (a, b) = (to_file(bounds.min), to_file(bounds.max));
    let (low, mut high) = (a.min(b), a.max(b));
    let is_liquid = matches!(bits & material::VOLUME, material::WATER | material::LAVA);
    let is_film = high.z - low.z < 1.0 - LOWERED_FILM + ON;
    let lifted = high.z + if is_film { LOWERED_FILM } else { LOWERED };
    if is_liquid && (high.z - high.z.round()).abs() > ON && (lifted - lifted.round()).abs() <= ON {
        high.z = lifted;
    }
    let whole = |corner: DVec3| {
        let near = corner.round();
        let is_whole = (corner - near).abs().max_element() <= ON;
        let near = near.to_array();
        let at = [0, 1, 2].map(|axis| near[axis] as i64 + shift[axis]);
        let is_inside = at.iter().all(|at| (0..=world).contains(at));
        match (is_whole, is_inside) {
            (true, true) => Ok(at.map(|at| 8 * at)),
            (false, _) => Err("its sides are not on whole units"),
            (true, false) => Err("it is outside of the largest world"),
        }
    };
    Ok(Filling {
        id,
        min: whole(low)?,
        max: whole(high)?,
        bits,
    })
}
