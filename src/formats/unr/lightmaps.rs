//! The light that the game's editor baked: shadow bits of each surface and the lights that they belong to (`unr.md` 5.4, 8.4).

use glam::DMat3;
use glam::DVec2;
use glam::DVec3;
use glam::Vec3;

use crate::formats::unr::classes::Family;
use crate::formats::unr::defaults::Known;
use crate::formats::unr::lights;
use crate::formats::unr::lights::Shine;
use crate::formats::unr::raw::LightEntry;
use crate::formats::unr::raw::Lightmap;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::RawModel;
use crate::formats::unr::raw::Surface;

/// Where the texels of a lightmap lie, in the file's space.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    u: DVec3,
    v: DVec3,
    /// `dot(u, p)` and `dot(v, p)` at the corner of the first texel.
    start: DVec2,
    /// Of a texel, along the axes.
    scale: DVec2,
    /// Unit; of the surface.
    normal: DVec3,
    distance: f64,
    /// From (`dot(u, p)`, `dot(v, p)`, `dot(normal, p)`) to p; `None` where an axis lies along the normal, so that texels have no
    /// place.
    place: Option<DMat3>,
    base: DVec3,
    /// Texels.
    pub size: [u32; 2],
}

impl Frame {
    /// `None` for a surface without a lightmap, or whose numbers are not sound.
    #[must_use]
    pub fn of(model: &RawModel, surface: &Surface) -> Option<Self> {
        let lightmap = model.lightmaps.get(surface.lightmap? as usize)?;
        let vector = |index: u32| Some(model.vectors.get(index as usize)?.as_dvec3());
        let (u, v) = (vector(surface.u)?, vector(surface.v)?);
        let normal = vector(surface.normal)?.try_normalize()?;
        let base = model.points.get(surface.base as usize)?.as_dvec3();
        let scale = DVec2::from(lightmap.scale.map(f64::from));
        let pan = lightmap.pan.as_dvec3().truncate();
        let axes = DMat3::from_cols(u, v, normal).transpose();
        let has_places = axes.determinant().abs() > 1e-9;
        let is_sound = scale.x != 0.0 && scale.y != 0.0;
        is_sound.then(|| Self {
            u,
            v,
            start: DVec2::new(u.dot(base), v.dot(base)) + pan - 0.5 * scale,
            scale,
            normal,
            distance: normal.dot(base),
            place: has_places.then(|| axes.inverse()),
            base,
            size: lightmap.size,
        })
    }

    /// Texels from the corner of the first one; the middle of texel i is at i + 0.5.
    #[must_use]
    pub fn at(&self, point: DVec3) -> DVec2 {
        (DVec2::new(self.u.dot(point), self.v.dot(point)) - self.start) / self.scale
    }

    /// Where that is on the surface; its base point where texels have no place.
    #[must_use]
    pub fn place(&self, texel: DVec2) -> DVec3 {
        let along = texel * self.scale + self.start;
        let along = DVec3::new(along.x, along.y, self.distance);
        self.place.map_or(self.base, |place| place * along)
    }

    /// The plane of a line of texels: its normal, and the distance for a coordinate along axis 0 or 1.
    #[must_use]
    pub fn line(&self, axis: usize, texel: f64) -> (DVec3, f64) {
        let direction = [self.u, self.v][axis];
        let distance = texel * self.scale[axis] + self.start[axis];
        // Turned so that texels grow along the normal.
        let sign = self.scale[axis].signum();
        (direction * sign, distance * sign)
    }
}

/// A light actor.
#[derive(Clone, Copy, Debug)]
pub struct Lamp {
    position: DVec3,
    /// Its X axis.
    axis: DVec3,
    shine: Shine,
}

/// By index of the actor.
#[must_use]
pub fn lamps(map: &RawMap) -> Vec<Option<Lamp>> {
    let lamp = |known: &Known<'_>| {
        let turn = known.rotator("Rotation", 0).unwrap_or_default();
        Some(Lamp {
            position: known.vector("Location", 0).unwrap_or_default(),
            axis: turn.matrix() * DVec3::X,
            shine: Shine::of(known)?,
        })
    };
    let actors = map.actors.iter();
    actors.map(|actor| lamp(&Known::new(map, actor))).collect()
}

/// Ambient light by zone; a zone without settings of its own has those of the level. As [`Shine::at`], 1 is half of white.
#[must_use]
pub fn zone_ambient(map: &RawMap) -> Vec<DVec3> {
    let of = |known: &Known<'_>| lights::ambient(known) / 2.0;
    let mut actors = map.actors.iter().map(|actor| Known::new(map, actor));
    let level = actors.find(|known| known.family == Family::Level);
    let level = level.map_or(DVec3::ZERO, |known| of(&known));
    let zones = map.world.iter().flat_map(|world| &world.zones);
    let ambient = zones.map(|zone| {
        let actor = zone.actor.and_then(|actor| map.actors.get(actor as usize));
        actor.map_or(level, |actor| of(&Known::new(map, actor)))
    });
    ambient.collect()
}

/// The lights of a lightmap, in the order of their bits.
pub fn list<'a>(model: &'a RawModel, lightmap: &Lightmap) -> impl Iterator<Item = LightEntry> + 'a {
    let first = lightmap
        .first_light
        .map_or(usize::MAX, |first| first as usize);
    let entries = model
        .lights
        .get(first..)
        .unwrap_or_default()
        .iter()
        .copied();
    entries.take_while(|entry| *entry != LightEntry::End)
}

/// Whether a texel has light number `light` of the list.
#[must_use]
pub fn is_lit(model: &RawModel, lightmap: &Lightmap, light: usize, [x, y]: [u32; 2]) -> bool {
    let row = lightmap.size[0].div_ceil(8) as usize;
    let rows = light * lightmap.size[1] as usize + y as usize;
    let at = lightmap.offset as usize + rows * row + x as usize / 8;
    let byte = model.light_bits.get(at).copied().unwrap_or(0);
    byte >> (x % 8) & 1 == 1
}

/// Light on a surface, texel by texel.
#[derive(Clone, Debug)]
pub struct Field {
    size: [u32; 2],
    /// Rows one after the other; as [`Shine::at`] gives it.
    light: Vec<Vec3>,
}

impl Field {
    /// `None` where no light reaches.
    #[must_use]
    pub fn of(
        model: &RawModel,
        surface: &Surface,
        frame: &Frame,
        lamps: &[Option<Lamp>],
    ) -> Option<Self> {
        let lightmap = model.lightmaps.get(surface.lightmap? as usize)?;
        let mut lit = list(model, lightmap).enumerate().peekable();
        lit.peek()?;
        let [width, height] = lightmap.size;
        let mut light = vec![Vec3::ZERO; width as usize * height as usize];
        for (number, entry) in lit {
            let LightEntry::Actor(actor) = entry else {
                continue;
            };
            let Some(lamp) = lamps.get(actor as usize).and_then(Option::as_ref) else {
                continue;
            };
            for y in 0..height {
                for x in 0..width {
                    if is_lit(model, lightmap, number, [x, y]) {
                        let texel = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                        let place = frame.place(texel);
                        let shine = &lamp.shine;
                        let arrives = shine.at(lamp.position, lamp.axis, place, frame.normal);
                        light[y as usize * width as usize + x as usize] += arrives.as_vec3();
                    }
                }
            }
        }
        Some(Self {
            size: lightmap.size,
            light,
        })
    }

    fn texel(&self, x: i64, y: i64) -> Vec3 {
        let [width, height] = self.size.map(i64::from);
        // Damaged lightmaps may have no row at all.
        let at = y.clamp(0, (height - 1).max(0)) * width + x.clamp(0, (width - 1).max(0));
        let texel = usize::try_from(at).ok().and_then(|at| self.light.get(at));
        texel.copied().unwrap_or(Vec3::ZERO)
    }

    /// Between the middles of texels; beyond the rim, as damaged files ask for it, the light of the rim.
    #[must_use]
    pub fn at(&self, texel: DVec2) -> Vec3 {
        let [width, height] = self.size.map(f64::from);
        let inside = texel.clamp(DVec2::ZERO, DVec2::new(width, height));
        // A clamped number that is none stays none.
        let from = if inside.is_nan() { DVec2::ZERO } else { inside } - 0.5;
        let low = from.floor();
        let share = (from - low).as_vec2();
        let (x, y) = (low.x as i64, low.y as i64);
        let row = |y: i64| self.texel(x, y).lerp(self.texel(x + 1, y), share.x);
        row(y).lerp(row(y + 1), share.y)
    }

    /// How far apart the brightest and the darkest texel are, in any channel.
    #[must_use]
    pub fn contrast(&self) -> f32 {
        let low = self.light.iter().copied().fold(Vec3::MAX, Vec3::min);
        let high = self.light.iter().copied().fold(Vec3::MIN, Vec3::max);
        (high - low).max_element()
    }
}

#[cfg(test)]
#[path = "lightmaps_tests.rs"]
mod tests;
