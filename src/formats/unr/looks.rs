//! Materials of the document: one for each texture and what its surfaces make of it (`unr.md` 7 and 8.1).

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashSet;
use std::sync::Arc;

use glam::DVec3;
use glam::Vec2;

use crate::document::Draft;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::formats::Siblings;
use crate::formats::unr::mapping::Mapping;
use crate::formats::unr::raw::ObjectPath;
use crate::formats::unr::raw::RawMap;
use crate::formats::unr::raw::flag;
use crate::formats::unr::space::to_map;
use crate::formats::unr::texture::TextureInfo;
use crate::formats::unr::texture_name;
use crate::formats::unr::texture_name::Look;
use crate::geometry::Fit;
use crate::geometry::Plane;
use crate::geometry::UvAxes;

/// Sides of a picture whose size is not known, in texels.
pub const GUESSED: f32 = 64.0;

/// The material of faces that nothing shows.
pub const HIDDEN_NAME: &str = "hidden";

/// What surfaces without a texture show where the level does not say it.
const DEFAULT_TEXTURE: &str = "DefaultTexture";

/// Flags that change how a surface is drawn, and what they put behind a material's name. Masks mean nothing on what is see-through.
const ENDINGS: [(u32, &str); 13] = [
    (flag::MASKED, "masked"),
    (flag::TRANSLUCENT, "translucent"),
    (flag::MODULATED, "modulated"),
    (flag::FAKE_BACKDROP, "sky"),
    (flag::TWO_SIDED, "twosided"),
    (flag::NO_SMOOTH, "nosmooth"),
    (flag::UNLIT, "unlit"),
    (flag::INVISIBLE, "invisible"),
    (flag::ENVIRONMENT, "environment"),
    (flag::MIRROR, "mirror"),
    (flag::AUTO_U_PAN, "upan"),
    (flag::AUTO_V_PAN, "vpan"),
    (flag::SMALL_WAVY | flag::CLOUD_WAVY, "wavy"),
];

/// Index of a texture in the map, and the flags of it that count.
type Key = (Option<u32>, u32);

/// Makes materials as they are asked for.
pub struct Looks<'a> {
    map: &'a RawMap,
    siblings: &'a dyn Siblings,
    /// By the texture; `None` when no picture was found.
    infos: BTreeMap<Option<u32>, Option<TextureInfo>>,
    by_key: BTreeMap<Key, Made>,
    hidden: Option<MaterialId>,
    taken: HashSet<String>,
}

struct Made {
    material: MaterialId,
    name: String,
    /// Texels of the whole picture.
    size: Vec2,
    /// Words of flags as the file has them.
    words: BTreeSet<u32>,
}

impl<'a> Looks<'a> {
    #[must_use]
    pub fn new(map: &'a RawMap, siblings: &'a dyn Siblings) -> Self {
        Self {
            map,
            siblings,
            infos: BTreeMap::new(),
            by_key: BTreeMap::new(),
            hidden: None,
            taken: HashSet::from([HIDDEN_NAME.to_owned()]),
        }
    }

    /// Makes the materials of these that there are not yet, in the order of the map's textures.
    pub fn insert<'m>(&mut self, mappings: impl Iterator<Item = &'m Mapping>, draft: &mut Draft) {
        let mut wanted: BTreeMap<Key, BTreeSet<u32>> = BTreeMap::new();
        for mapping in mappings {
            if !self.infos.contains_key(&mapping.texture) {
                let info = self.find_info(mapping.texture);
                self.infos.insert(mapping.texture, info);
            }
            wanted
                .entry(self.key(mapping))
                .or_default()
                .insert(mapping.flags);
        }
        for (key, words) in wanted {
            if !self.by_key.contains_key(&key) {
                let made = self.made(key, draft);
                self.by_key.insert(key, made);
            }
            if let Some(made) = self.by_key.get_mut(&key) {
                made.words.extend(words);
            }
        }
    }

    /// Of a mapping that was inserted.
    #[must_use]
    pub fn of(&self, mapping: &Mapping) -> Option<MaterialId> {
        self.by_key
            .get(&self.key(mapping))
            .map(|made| made.material)
    }

    /// Faces that nothing shows.
    pub fn hidden(&mut self, draft: &mut Draft) -> MaterialId {
        *self.hidden.get_or_insert_with(|| {
            draft.insert_material(Material {
                flags: SurfaceFlags::NODRAW,
                ..Material::new(HIDDEN_NAME, "")
            })
        })
    }

    /// What `ORIG` keeps of the materials (`hmap.md` 6.8).
    #[must_use]
    pub fn settings(&self) -> Vec<(String, String)> {
        self.by_key
            .values()
            .map(|made| {
                let words: Vec<String> = made
                    .words
                    .iter()
                    .map(|word| format!("0x{word:08x}"))
                    .collect();
                (format!("material/{}/polyflags", made.name), words.join(" "))
            })
            .collect()
    }

    /// Whether the picture of a texture was found: index in the map.
    #[must_use]
    pub fn was_found(&self, texture: Option<u32>) -> bool {
        self.infos.get(&texture).is_some_and(Option::is_some)
    }

    /// Whether the game computes a texture as it runs.
    #[must_use]
    pub fn is_computed(&self, texture: Option<u32>) -> bool {
        let info = self.infos.get(&texture).and_then(Option::as_ref);
        info.is_some_and(|info| info.is_procedural)
    }

    /// Materials whose textures the game computes.
    pub fn computed(&self) -> impl Iterator<Item = MaterialId> + '_ {
        self.by_key
            .iter()
            .filter(|((texture, _), _)| self.is_computed(*texture))
            .map(|(_, made)| made.material)
    }

    /// The materials that show a texture.
    pub fn materials(&self, texture: Option<u32>) -> impl Iterator<Item = MaterialId> + '_ {
        self.by_key
            .iter()
            .filter(move |((of, _), _)| *of == texture)
            .map(|(_, made)| made.material)
    }

    /// Materials of which a flag is set.
    pub fn with_flags(&self, flags: u32) -> impl Iterator<Item = MaterialId> + '_ {
        self.by_key
            .iter()
            .filter(move |((_, word), _)| word & flags != 0)
            .map(|(_, made)| made.material)
    }

    fn made(&mut self, key: Key, draft: &mut Draft) -> Made {
        let (texture, flags) = key;
        let path = path(self.map, texture);
        let info = self.infos.get(&texture).and_then(Option::as_ref);
        let mut object = texture_name::object_name(&path);
        if path.package.is_empty()
            && path.export.is_none()
            && let Some(info) = info
        {
            // Texts tell the last part alone.
            object.clone_from(&info.name);
        }
        let mut surface = surface_flags(flags);
        if info.is_none() {
            surface = surface | SurfaceFlags::SIZE_GUESSED;
        }
        let texels = info.map_or(Vec2::splat(GUESSED), |info| {
            let [width, height] = info.size;
            Vec2::new(width as f32, height as f32) * info.draw_scale
        });
        let picture = texture_name::with_look(&object, look(flags));
        let name = self.free_name(object, flags);
        let material = draft.insert_material(Material {
            tile_size: texels,
            flags: surface,
            ..Material::new(name.clone(), picture)
        });
        Made {
            material,
            name,
            size: texels,
            words: BTreeSet::new(),
        }
    }

    /// Of the map's own, or of the packages that it was made with.
    fn find_info(&self, texture: Option<u32>) -> Option<TextureInfo> {
        let path = path(self.map, texture);
        let own = &self.map.own_textures;
        let info = match own.find(&path.group, &path.name) {
            Some(index) if path.export.is_some() => own.textures[index].info.clone(),
            _ => {
                let name = texture_name::object_name(&path);
                let packages = &self.map.facts.packages;
                self.siblings.texture_info(&name, packages)?
            }
        };
        let is_sound = info.size.iter().all(|side| (1..=65_536).contains(side));
        is_sound.then_some(info)
    }

    /// Flags that matter for drawing, of the surface and of its texture.
    fn key(&self, mapping: &Mapping) -> Key {
        let info = self.infos.get(&mapping.texture).and_then(Option::as_ref);
        let own = info.map_or(0, |info| info.flags);
        (mapping.texture, drawn_flags(mapping.flags | own))
    }

    fn free_name(&mut self, mut base: String, flags: u32) -> String {
        for (_, ending) in ENDINGS.iter().filter(|(bits, _)| flags & bits != 0) {
            base.push('.');
            base.push_str(ending);
        }
        let mut name = base.clone();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}#{number}");
        }
        name
    }

    fn size(&self, mapping: &Mapping) -> Vec2 {
        let made = self.by_key.get(&self.key(mapping));
        made.map_or(Vec2::splat(GUESSED), |made| made.size)
    }

    /// Repeats at a point of the map.
    #[must_use]
    pub fn frame(&self, mapping: &Mapping) -> UvAxes {
        frame(mapping, self.size(mapping))
    }

    /// Five numbers for a face of a unit plane, or the axes where these do not suffice; corners and plane in map space.
    #[must_use]
    pub fn fit(&self, mapping: &Mapping, plane: Plane, corners: &[DVec3]) -> Fit {
        let size = self.size(mapping);
        let frame = frame(mapping, size);
        frame.fit(plane, is_aligned(&frame, plane), size, size, corners)
    }
}

/// Where a picture of this many texels lies, in map space and repeats (`unr.md` 8.2 step 6).
#[must_use]
pub fn frame(mapping: &Mapping, size: Vec2) -> UvAxes {
    let size = size.as_dvec2();
    let offset = |pan: f64, axis: DVec3, texels: f64| (pan - axis.dot(mapping.base)) / texels;
    UvAxes {
        u: to_map(mapping.u) / size.x,
        u_offset: offset(mapping.pan.x, mapping.u, size.x),
        v: to_map(mapping.v) / size.y,
        v_offset: offset(mapping.pan.y, mapping.v, size.y),
    }
}

/// Axes in the plane of a face that is not parallel to a plane of coordinates (`hmap.md` 2.5).
fn is_aligned(frame: &UvAxes, plane: Plane) -> bool {
    let is_sloped = plane.normal.abs().max_element() < 1.0 - 1e-9;
    let lies_in = |axis: DVec3| axis.dot(plane.normal).abs() <= 1e-4 * axis.length();
    is_sloped && lies_in(frame.u) && lies_in(frame.v)
}

/// What a material shows and its flags, once the flags of its texture are known (bits of [`flag`]): packages can turn up after the
/// map was read.
#[must_use]
pub fn with_own_flags(picture: &str, surface: SurfaceFlags, own: u32) -> (String, SurfaceFlags) {
    let (object, shown) = texture_name::split(picture);
    let of_surface = match shown {
        Look::Plain => 0,
        Look::Masked => flag::MASKED,
        Look::Translucent => flag::TRANSLUCENT,
        Look::Modulated => flag::MODULATED,
    };
    let flags = drawn_flags(of_surface | own);
    let mut surface = surface | surface_flags(flags);
    if flags & (flag::TRANSLUCENT | flag::MODULATED) != 0 {
        surface = surface.without(SurfaceFlags::MASKED);
    }
    (texture_name::with_look(object, look(flags)), surface)
}

fn drawn_flags(flags: u32) -> u32 {
    let drawing = ENDINGS.iter().fold(0, |all, (bits, _)| all | bits);
    let mut flags = flags & drawing;
    if flags & (flag::TRANSLUCENT | flag::MODULATED) != 0 {
        flags &= !flag::MASKED;
    }
    if flags & (flag::SMALL_WAVY | flag::CLOUD_WAVY) != 0 {
        flags |= flag::SMALL_WAVY | flag::CLOUD_WAVY;
    }
    flags
}

fn look(flags: u32) -> Look {
    if flags & flag::TRANSLUCENT != 0 {
        Look::Translucent
    } else if flags & flag::MODULATED != 0 {
        Look::Modulated
    } else if flags & flag::MASKED != 0 {
        Look::Masked
    } else {
        Look::Plain
    }
}

fn surface_flags(flags: u32) -> SurfaceFlags {
    let means = [
        (flag::INVISIBLE, SurfaceFlags::NODRAW),
        (flag::MASKED, SurfaceFlags::MASKED),
        (flag::TRANSLUCENT, SurfaceFlags::TRANSLUCENT),
        (flag::MODULATED, SurfaceFlags::TRANSLUCENT),
        (flag::FAKE_BACKDROP, SurfaceFlags::SKY),
        (flag::TWO_SIDED, SurfaceFlags::TWO_SIDED),
        (flag::NO_SMOOTH, SurfaceFlags::NEAREST),
        (flag::UNLIT, SurfaceFlags::UNLIT),
    ];
    means
        .into_iter()
        .filter(|(bits, _)| flags & bits != 0)
        .fold(SurfaceFlags::default(), |all, (_, surface)| all | surface)
}

/// Of a texture of the map; surfaces without one show that of the level.
fn path(map: &RawMap, texture: Option<u32>) -> Arc<ObjectPath> {
    if let Some(index) = texture {
        return map
            .textures
            .get(index as usize)
            .cloned()
            .unwrap_or_default();
    }
    let level = map
        .actors
        .iter()
        .find(|actor| actor.class.name.eq_ignore_ascii_case("LevelInfo"));
    let named = level.and_then(|level| level.properties.object(DEFAULT_TEXTURE));
    named.cloned().unwrap_or_else(|| {
        Arc::new(ObjectPath {
            class: "Texture".to_owned(),
            package: "Engine".to_owned(),
            name: DEFAULT_TEXTURE.to_owned(),
            ..ObjectPath::default()
        })
    })
}

#[cfg(test)]
#[path = "looks_tests.rs"]
mod tests;
