//! Faces to texture slots: the way back from where a picture lies to scale, rotation and offset (`ogz.md` 10.2 and 10.3).

use std::collections::HashMap;

use glam::DVec3;
use glam::Vec3;

use crate::document::Document;
use crate::document::Face;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::formats::ogz::mapping::TEXELS_PER_UNIT;
use crate::formats::ogz::raw::VirtualSlot;
use crate::formats::ogz::slots::SKY;
use crate::formats::ogz::write::placing::EXACT;
use crate::formats::ogz::write::placing::Placing;
use crate::formats::ogz::write::placing::Wanted;
use crate::formats::ogz::write::solid::Shown;
use crate::formats::ogz::write::solid::Surface;

/// Gives faces their slots.
pub struct SlotMaker<'a> {
    doc: &'a Document,
    /// Units of the file that everything is moved by, in map space.
    shift: DVec3,
    /// Pixels of a material's picture, where it is known.
    size_of: &'a dyn Fn(&Material) -> Option<[u32; 2]>,
    /// Pictures by number, from below `packages/`; the first is the sky.
    pub pictures: Vec<String>,
    by_picture: HashMap<String, u16>,
    by_look: HashMap<Look, Option<u16>>,
    variants: Vec<VirtualSlot>,
    /// The list of pictures is whole.
    is_closed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Look {
    picture: u16,
    scale: u32,
    rotation: u8,
    offset: [i32; 2],
    color: [u32; 3],
}

impl<'a> SlotMaker<'a> {
    /// `materials`: all that [`SlotMaker::shown`] will be asked about.
    pub fn new(
        doc: &'a Document,
        materials: &[MaterialId],
        shift: DVec3,
        size_of: &'a dyn Fn(&Material) -> Option<[u32; 2]>,
    ) -> Self {
        let mut maker = Self {
            doc,
            shift,
            size_of,
            pictures: vec![String::new()],
            by_picture: HashMap::new(),
            by_look: HashMap::new(),
            variants: Vec::new(),
            is_closed: false,
        };
        for material in materials.iter().filter_map(|&id| doc.material(id)) {
            let picture = picture_of(material);
            if material.flags.has(SurfaceFlags::SKY) {
                if maker.pictures[0].is_empty() {
                    sky_base(&picture).clone_into(&mut maker.pictures[0]);
                }
            } else if !material.flags.has(SurfaceFlags::NODRAW) {
                maker.picture(picture);
            }
        }
        if maker.pictures[0].is_empty() {
            "textures/sky.png".clone_into(&mut maker.pictures[0]);
        }
        // The second stands for those that do not exist, so there must be one.
        if maker.pictures.len() == 1 {
            maker.pictures.push("textures/default.png".to_owned());
        }
        maker.is_closed = true;
        maker
    }

    fn picture(&mut self, picture: String) -> Option<u16> {
        if let Some(&number) = self.by_picture.get(&picture) {
            return Some(number);
        }
        let number = u16::try_from(self.pictures.len())
            .ok()
            .filter(|_| !self.is_closed)?;
        self.pictures.push(picture.clone());
        self.by_picture.insert(picture, number);
        Some(number)
    }

    /// What a face shows. `corners`: in map space.
    pub fn shown(&mut self, face: &Face, corners: &[DVec3]) -> Shown {
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
            return same(Surface::Shown([Some(SKY); 3]));
        }
        if material.flags.has(SurfaceFlags::NODRAW) {
            return same(Surface::Wild);
        }
        let Some(number) = self.picture(picture_of(material)) else {
            return same(Surface::Wild);
        };
        // Without a picture a colour only tells materials apart in the editor; the game may know the picture.
        let color = if material.texture.is_empty() {
            Vec3::ONE
        } else {
            material.color
        };
        let tile = material.sound_tile_size();
        let guessed = (tile * TEXELS_PER_UNIT as f32)
            .round()
            .to_array()
            .map(|side| side as u32);
        let size = (self.size_of)(material);
        let wanted = Wanted {
            corners,
            frame: face.frame(tile),
            shift: self.shift,
            size: size.unwrap_or(guessed),
            is_size_known: size.is_some(),
        };
        let mut errors = [0.0; 3];
        let mut loose = [None; 3];
        for axis in 0..3 {
            let (mut placing, mut error) = wanted.nearest(axis);
            let slot = self.slot(number, placing, color).or_else(|| {
                placing = Placing::PLAIN;
                error = wanted.error(placing, axis);
                Some(number)
            });
            loose[axis] = slot;
            errors[axis] = error;
        }
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

    fn slot(&mut self, picture: u16, placing: Placing, color: Vec3) -> Option<u16> {
        let look = Look {
            picture,
            scale: placing.scale.to_bits(),
            rotation: placing.rotation,
            offset: placing.offset,
            color: color.to_array().map(f32::to_bits),
        };
        if let Some(&slot) = self.by_look.get(&look) {
            return slot;
        }
        let scale = f32::from_bits(look.scale);
        let color = look.color.map(f32::from_bits);
        let changes = VirtualSlot {
            previous: i32::from(look.picture),
            scale: (scale != 1.0).then_some(scale),
            rotation: (look.rotation != 0).then_some(look.rotation),
            offset: (look.offset != [0; 2]).then_some(look.offset),
            color: (color != Vec3::ONE.to_array()).then_some(color),
            ..VirtualSlot::default()
        };
        let is_plain = changes.scale.is_none()
            && changes.rotation.is_none()
            && changes.offset.is_none()
            && changes.color.is_none();
        let slot = if is_plain {
            Some(look.picture)
        } else {
            let index = u16::try_from(self.pictures.len() + self.variants.len()).ok();
            if index.is_some() {
                self.variants.push(changes);
            }
            index
        };
        self.by_look.insert(look, slot);
        slot
    }

    /// The pictures, and the slots of the map.
    pub fn finish(self) -> (Vec<String>, Vec<VirtualSlot>) {
        let unmodified = VirtualSlot {
            unmodified: true,
            previous: -1,
            ..VirtualSlot::default()
        };
        let count = self.pictures.len();
        let mut slots = vec![unmodified; count];
        // The game follows a chain from each texture to its variants: no slot may have two that follow it.
        let mut last: Vec<i32> = (0..).take(count).collect();
        for mut variant in self.variants {
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
fn picture_of(material: &Material) -> String {
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
