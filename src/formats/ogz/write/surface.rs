//! Faces to texture slots: the way back from where a picture lies to scale, rotation and offset (`ogz.md` 10.2 and 10.3).

use std::collections::HashMap;

use glam::DVec3;
use glam::Vec3;

use crate::document::Document;
use crate::document::Face;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::formats::ogz::mapping::ROTATIONS;
use crate::formats::ogz::mapping::TEXELS_PER_UNIT;
use crate::formats::ogz::mapping::slot_axes;
use crate::formats::ogz::mapping::to_map;
use crate::formats::ogz::raw::VirtualSlot;
use crate::formats::ogz::slots::SKY;
use crate::formats::ogz::write::solid::Shown;
use crate::formats::ogz::write::solid::Surface;
use crate::geometry::UvAxes;

/// How far an offset may be from whole texels.
const WHOLE: f64 = 0.02;
/// How far axes may be from the world's, for their length.
const STRAIGHT: f64 = 2e-5;

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

    /// What a face shows; and `false` when its picture cannot lie as it should on any cube.
    pub fn shown(&mut self, face: &Face) -> (Shown, bool) {
        let same = |surface| Shown {
            exact: surface,
            loose: surface,
        };
        let doc = self.doc;
        let material = face.material.and_then(|id| doc.material(id));
        let Some(material) = material.filter(|_| !face.flags.has(SurfaceFlags::NODRAW)) else {
            return (same(Surface::Wild), true);
        };
        if material.flags.has(SurfaceFlags::SKY) {
            return (same(Surface::Shown([Some(SKY); 3])), true);
        }
        if material.flags.has(SurfaceFlags::NODRAW) {
            return (same(Surface::Wild), true);
        }
        let Some(number) = self.picture(picture_of(material)) else {
            return (same(Surface::Wild), false);
        };
        // Without a picture a colour only tells materials apart in the editor; the game may know the picture.
        let color = if material.texture.is_empty() {
            Vec3::ONE
        } else {
            material.color
        };
        let plain = Look {
            picture: number,
            scale: 1.0_f32.to_bits(),
            rotation: 0,
            offset: [0; 2],
            color: color.to_array().map(f32::to_bits),
        };
        let tile = material.sound_tile_size();
        let guessed = (tile * TEXELS_PER_UNIT as f32)
            .round()
            .to_array()
            .map(|side| side as u32);
        let size = (self.size_of)(material).unwrap_or(guessed);
        let frame = face.frame(tile);
        let slots = [0, 1, 2].map(|axis| {
            let placing = placing(face, frame, self.shift, axis, size)?;
            self.slot(Look {
                scale: placing.scale.to_bits(),
                rotation: placing.rotation,
                offset: placing.offset,
                ..plain
            })
        });
        let spare = match slots.iter().flatten().next() {
            Some(&slot) => Some(slot),
            None => self.slot(plain),
        };
        let loose = slots.map(|slot| slot.or(spare));
        let is_exact = slots.iter().any(Option::is_some);
        let exact = if is_exact { slots } else { loose };
        let shown = Shown {
            exact: Surface::Shown(exact),
            loose: Surface::Shown(loose),
        };
        (shown, is_exact)
    }

    fn slot(&mut self, look: Look) -> Option<u16> {
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

struct Placing {
    scale: f32,
    rotation: u8,
    offset: [i32; 2],
}

/// Scale, rotation and offset with which a picture of this size lies in the frame on faces across an axis of the file, if any.
fn placing(
    face: &Face,
    frame: UvAxes,
    shift: DVec3,
    axis: usize,
    size: [u32; 2],
) -> Option<Placing> {
    let plane = face.plane.unit()?;
    let along = to_map(DVec3::AXES[axis]);
    let slope = plane.normal.dot(along);
    let flat = |vector: DVec3, offset: f64| {
        let raised = vector.dot(along);
        if raised == 0.0 {
            return Some((vector, offset));
        }
        // The same values on the plane without any change along the axis.
        let by = -raised / slope;
        (slope.abs() > 1e-9).then(|| (vector + plane.normal * by, offset - by * plane.dist))
    };
    let pixels = size.map(f64::from);
    let (u, u_offset) = flat(frame.u, frame.u_offset)?;
    let (v, v_offset) = flat(frame.v, frame.v_offset)?;
    let (s, t) = slot_axes(axis as u8 * 2);
    let (s, t) = (to_map(s), to_map(t));
    let across = [u.dot(s), u.dot(t)].map(|part| part * pixels[0]);
    let down = [v.dot(s), v.dot(t)].map(|part| part * pixels[1]);
    let swap = across[1].abs() > across[0].abs();
    let (along_u, along_v) = if swap { (1, 0) } else { (0, 1) };
    let density = across[along_u].abs();
    let is_straight = across[1 - along_u].abs() <= STRAIGHT * density
        && down[1 - along_v].abs() <= STRAIGHT * density
        && (down[along_v].abs() - density).abs() <= STRAIGHT * density;
    if !(is_straight && density > 1e-6 && density.is_finite()) {
        return None;
    }
    let flips = (across[along_u] < 0.0, down[along_v] < 0.0, swap);
    let rotation = ROTATIONS.iter().position(|&known| known == flips)?;
    let sign = |flip: bool| if flip { -1.0 } else { 1.0 };
    // Moving the map moves the picture along.
    let u_offset = u_offset - u.dot(shift);
    let v_offset = v_offset - v.dot(shift);
    let x = -u_offset * pixels[0] * sign(flips.0);
    let y = -v_offset * pixels[1] * sign(flips.1);
    let x = whole(x, size[0])?;
    let y = whole(y, size[1])?;
    Some(Placing {
        scale: tidy(TEXELS_PER_UNIT / density),
        rotation: rotation as u8,
        offset: if swap { [y, x] } else { [x, y] },
    })
}

/// Texels, less whole pictures.
fn whole(texels: f64, side: u32) -> Option<i32> {
    let near = texels.round();
    if !((texels - near).abs() <= WHOLE && near.abs() < 1e15) {
        return None;
    }
    Some((near as i64).rem_euclid(i64::from(side.max(1))) as i32)
}

/// The number that was meant before it went through others.
fn tidy(scale: f64) -> f32 {
    for steps in [8.0, 1000.0, 1024.0] {
        let near = (scale * steps).round() / steps;
        if near > 0.0 && (near / scale - 1.0).abs() < STRAIGHT / 4.0 {
            return near as f32;
        }
    }
    scale as f32
}
