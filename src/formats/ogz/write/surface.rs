//! Faces to texture slots: the way back from where a picture lies to scale, rotation and offset (`ogz.md` 10.2 and 10.3).

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::sync::Arc;

use glam::DVec3;
use glam::Vec3;

use crate::document::Document;
use crate::document::Face;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::formats::ogz::effects::Effects;
use crate::formats::ogz::mapping::TEXELS_PER_UNIT;
use crate::formats::ogz::raw::VirtualSlot;
use crate::formats::ogz::slots::SKY;
use crate::formats::ogz::write::placing::EXACT;
use crate::formats::ogz::write::placing::Placing;
use crate::formats::ogz::write::placing::Wanted;
use crate::formats::ogz::write::solid::Look;
use crate::formats::ogz::write::solid::Shown;
use crate::formats::ogz::write::solid::Surface;

/// A slot of the game's list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Picture {
    /// From below `packages/`.
    pub path: String,
    pub shader: String,
    /// See [`Effects`].
    pub shader_commands: Arc<Vec<String>>,
    pub commands: Arc<Vec<String>>,
}

impl Picture {
    fn plain(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            ..Self::default()
        }
    }
}

/// The nearest placings on faces across X, Y and Z, each with how far it is off at the worst corner, in texels.
pub type Lies = [(Placing, f64); 3];

/// Gives faces their slots.
pub struct SlotMaker<'a> {
    doc: &'a Document,
    /// Units of the file that everything is moved by, in map space.
    shift: DVec3,
    /// Pixels of the materials' pictures, where they are known.
    sizes: HashMap<MaterialId, [u32; 2]>,
    /// By the names of materials.
    effects: BTreeMap<&'a str, Effects>,
    /// By number; the first is the sky.
    pictures: Vec<Picture>,
    by_picture: HashMap<Picture, u16>,
    numbers: HashMap<MaterialId, u16>,
    by_placed: HashMap<Placed, Look>,
    /// Looks after those of the pictures, and their slots where they are used.
    variants: Vec<(VirtualSlot, Option<u16>)>,
    /// The used ones in the order of their slots.
    used: Vec<usize>,
    /// Textures for which the game has no number left.
    pub numberless: usize,
}

/// A picture with how it is placed and changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Placed {
    picture: u16,
    scale: u32,
    rotation: u8,
    offset: [i32; 2],
    color: [u32; 3],
    /// The material whose effects it has, if any.
    effects: Option<MaterialId>,
}

impl<'a> SlotMaker<'a> {
    /// `materials`: all that faces will have; `settings`: of the file that the map was imported from; `size_of`: pixels of a
    /// material's picture, where it is known.
    pub fn new(
        doc: &'a Document,
        materials: &[MaterialId],
        settings: &'a [(String, String)],
        shift: DVec3,
        size_of: &dyn Fn(&Material) -> Option<[u32; 2]>,
    ) -> Self {
        let mut maker = Self {
            doc,
            shift,
            sizes: HashMap::new(),
            effects: Effects::of_settings(settings),
            pictures: vec![Picture::default()],
            by_picture: HashMap::new(),
            numbers: HashMap::new(),
            by_placed: HashMap::new(),
            variants: Vec::new(),
            used: Vec::new(),
            numberless: 0,
        };
        let mut layers = BTreeSet::new();
        let materials = materials.iter().copied();
        for (id, material) in materials.filter_map(|id| Some((id, doc.material(id)?))) {
            if let Some(size) = size_of(material) {
                maker.sizes.insert(id, size);
            }
            if material.flags.has(SurfaceFlags::SKY) {
                if maker.pictures[0].path.is_empty() {
                    sky_base(&path_of(material)).clone_into(&mut maker.pictures[0].path);
                }
            } else if !material.flags.has(SurfaceFlags::NODRAW) {
                let picture = maker.picture_of(material);
                if let Some(number) = maker.number(picture) {
                    maker.numbers.insert(id, number);
                }
                let effects = maker.effects.get(material.name.as_str());
                layers.extend(effects.and_then(|effects| effects.layer.clone()));
            }
        }
        if maker.pictures[0].path.is_empty() {
            "textures/sky.png".clone_into(&mut maker.pictures[0].path);
        }
        for layer in layers.iter().filter(|layer| !layer.is_empty()) {
            if maker.layer(layer).is_none() {
                maker.number(Picture::plain(layer));
            }
        }
        // The second stands for those that do not exist, so there must be one.
        if maker.pictures.len() == 1 {
            maker.pictures.push(Picture::plain("textures/default.png"));
        }
        maker
    }

    fn picture_of(&self, material: &Material) -> Picture {
        let effects = self.effects.get(material.name.as_str());
        let effects = effects.cloned().unwrap_or_default();
        Picture {
            path: path_of(material),
            shader: effects.shader,
            shader_commands: effects.shader_commands,
            commands: effects.commands,
        }
    }

    /// The number of a layer's picture, whatever else is done to that.
    fn layer(&self, path: &str) -> Option<i32> {
        let mut pictures = self.pictures.iter().skip(1);
        let place = pictures.position(|picture| picture.path == path)?;
        i32::try_from(place + 1).ok()
    }

    fn number(&mut self, picture: Picture) -> Option<u16> {
        if let Some(&number) = self.by_picture.get(&picture) {
            return Some(number);
        }
        let number = u16::try_from(self.pictures.len()).ok()?;
        self.pictures.push(picture.clone());
        self.by_picture.insert(picture, number);
        Some(number)
    }

    /// How a face's picture lies. `corners`: in map space. `None` for faces that have none.
    #[must_use]
    pub fn lies(&self, face: &Face, corners: &[DVec3]) -> Option<Lies> {
        let id = face.material?;
        let material = self.doc.material(id)?;
        let has_picture = !material.flags.has(SurfaceFlags::SKY)
            && !(material.flags | face.flags).has(SurfaceFlags::NODRAW);
        if !has_picture {
            return None;
        }
        let tile = material.sound_tile_size();
        let guessed = (tile * TEXELS_PER_UNIT as f32)
            .round()
            .to_array()
            .map(|side| side as u32);
        let size = self.sizes.get(&id).copied();
        let wanted = Wanted {
            corners,
            frame: face.frame(tile),
            shift: self.shift,
            size: size.unwrap_or(guessed),
            is_size_known: size.is_some(),
        };
        Some([0, 1, 2].map(|axis| wanted.nearest(axis)))
    }

    /// What a face shows. `lies`: see [`SlotMaker::lies`].
    pub fn shown(&mut self, face: &Face, lies: Option<Lies>) -> Shown {
        let same = |surface| Shown {
            exact: surface,
            loose: surface,
            errors: [0.0; 3],
        };
        let doc = self.doc;
        let material = face.material.and_then(|id| doc.material(id));
        let Some(material) = material.filter(|_| !face.flags.has(SurfaceFlags::NODRAW)) else {
            return same(Surface::Wild);
        };
        if material.flags.has(SurfaceFlags::SKY) {
            return same(Surface::Shown([Some(Look(u32::from(SKY))); 3]));
        }
        let Some(lies) = lies else {
            return same(Surface::Wild);
        };
        let number = face.material.and_then(|id| self.numbers.get(&id));
        let Some(&number) = number else {
            self.numberless += 1;
            return same(Surface::Wild);
        };
        let effects = self.effects.get(material.name.as_str());
        // Without a picture a colour only tells materials apart in the editor; the game may know the picture.
        let color = if material.texture.is_empty() {
            Vec3::ONE.to_array()
        } else {
            // Above 1 where the material's is what is left of that.
            let bright = effects.and_then(|effects| effects.color);
            let is_kept = |bright: &[f32; 3]| {
                bright.map(|part| part.clamp(0.0, 1.0)) == material.color.to_array()
            };
            bright.filter(is_kept).unwrap_or(material.color.to_array())
        };
        let has_effects = effects.is_some_and(Effects::has_variant);
        let effects = face.material.filter(|_| has_effects);
        let errors = lies.map(|(_, error)| error);
        let loose = lies.map(|(placing, _)| {
            Some(self.look(Placed {
                picture: number,
                scale: placing.scale.to_bits(),
                rotation: placing.rotation,
                offset: placing.offset,
                color: color.map(f32::to_bits),
                effects,
            }))
        });
        let least = errors.into_iter().fold(f64::INFINITY, f64::min);
        let mut exact = loose;
        for (slot, error) in exact.iter_mut().zip(errors) {
            if error > least.max(EXACT) {
                *slot = None;
            }
        }
        Shown {
            exact: Surface::Shown(exact),
            loose: Surface::Shown(loose),
            errors,
        }
    }

    fn look(&mut self, placed: Placed) -> Look {
        if let Some(&look) = self.by_placed.get(&placed) {
            return look;
        }
        let scale = f32::from_bits(placed.scale);
        let color = placed.color.map(f32::from_bits);
        let material = placed.effects.and_then(|id| self.doc.material(id));
        let effects = material.and_then(|material| self.effects.get(material.name.as_str()));
        let layer = effects.and_then(|effects| effects.layer.as_deref());
        let changes = VirtualSlot {
            previous: i32::from(placed.picture),
            scale: (scale != 1.0).then_some(scale),
            rotation: (placed.rotation != 0).then_some(placed.rotation),
            offset: (placed.offset != [0; 2]).then_some(placed.offset),
            color: (color != Vec3::ONE.to_array()).then_some(color),
            scroll: effects.and_then(|effects| effects.scroll),
            layer: layer.and_then(|layer| self.layer(layer)),
            alpha: effects.and_then(|effects| effects.alpha),
            shader_parameters: effects.map_or_else(Vec::new, |effects| effects.parameters.clone()),
            unmodified: false,
        };
        let is_plain = changes
            == VirtualSlot {
                previous: changes.previous,
                ..VirtualSlot::default()
            };
        let look = if is_plain {
            Look(u32::from(placed.picture))
        } else {
            self.variants.push((changes, None));
            Look((self.pictures.len() + self.variants.len() - 1) as u32)
        };
        self.by_placed.insert(placed, look);
        look
    }

    /// The slot of a look that a face of a cube shows.
    pub fn used(&mut self, look: Look) -> u16 {
        let count = self.pictures.len();
        let variant = (look.0 as usize).checked_sub(count);
        let Some((place, (changes, slot))) =
            variant.and_then(|place| Some((place, self.variants.get_mut(place)?)))
        else {
            return look.0 as u16;
        };
        if let Some(slot) = *slot {
            return slot;
        }
        let number = u16::try_from(count + self.used.len()).unwrap_or_else(|_| {
            self.numberless += 1;
            // The picture as it is.
            changes.previous as u16
        });
        *slot = Some(number);
        if usize::from(number) >= count {
            self.used.push(place);
        }
        number
    }

    /// The pictures, and the slots of the map.
    pub fn finish(self) -> (Vec<Picture>, Vec<VirtualSlot>) {
        let unmodified = VirtualSlot {
            unmodified: true,
            previous: -1,
            ..VirtualSlot::default()
        };
        let count = self.pictures.len();
        let mut slots = vec![unmodified; count];
        // The game follows a chain from each texture to its variants: no slot may have two that follow it.
        let mut last: Vec<i32> = (0..).take(count).collect();
        for place in self.used {
            let mut variant = self.variants[place].0.clone();
            if let Some(last) = last.get_mut(variant.previous.max(0).cast_unsigned() as usize) {
                variant.previous = *last;
                *last = slots.len() as i32;
            }
            slots.push(variant);
        }
        (self.pictures, slots)
    }
}

/// The path of a material's picture from `packages/` on; the material's name where it has none.
fn path_of(material: &Material) -> String {
    let path = if material.texture.is_empty() {
        &material.name
    } else {
        &material.texture
    };
    let path = path.replace('\\', "/");
    path.strip_prefix("packages/").unwrap_or(&path).to_owned()
}

/// What the six sides of a sky are called after: the picture of one of them stands for all in a map.
fn sky_base(picture: &str) -> &str {
    let stem = picture.rsplit_once('.').map_or(picture, |(stem, _)| stem);
    match stem.rsplit_once('_') {
        Some((base, "up" | "dn" | "lf" | "rt" | "ft" | "bk")) => base,
        _ => picture,
    }
}
