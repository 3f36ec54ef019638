//! Texture names of a map become materials; texture parameters of a face become a frame (`rmf.md` 6).

use std::collections::HashMap;

use glam::DVec3;
use glam::Vec2;

use crate::document::Draft;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::formats::Siblings;
use crate::formats::lights::map_from_game;
use crate::formats::rmf::raw::RawFace;
use crate::formats::rmf::raw::RawKind;
use crate::formats::rmf::raw::RawMap;
use crate::formats::rmf::raw::Text;
use crate::formats::rmf::special::Role;
use crate::formats::rmf::special::special;
use crate::geometry::UvAxes;

/// What stands for the size of a picture that was not found (`hmap.md` 2.5).
const GUESSED: f32 = 64.0;

/// A texture of the map, under all its spellings.
#[derive(Clone, Debug)]
pub struct Texture {
    /// `None` for faces without a texture name.
    pub material: Option<MaterialId>,
    pub name: String,
    /// Pixels, or what stands for them.
    pub size: Vec2,
    pub was_found: bool,
    /// Nobody misses the picture of a tool texture.
    pub is_drawn: bool,
    pub faces: usize,
    pub role: Role,
}

/// All textures of the maps that make one document.
#[derive(Default)]
pub struct Textures<'a> {
    list: Vec<Texture>,
    by_bytes: HashMap<&'a [u8], usize>,
    by_name: HashMap<String, usize>,
}

impl<'a> Textures<'a> {
    /// Adds the textures of a map in the order of its faces; the first spelling is kept. `wads`: best first.
    pub fn add_map(
        &mut self,
        map: &RawMap<'a>,
        wads: &[String],
        siblings: &dyn Siblings,
        draft: &mut Draft,
    ) {
        let faces = map.objects.iter().filter_map(|object| {
            if let RawKind::Solid(faces) = &object.kind {
                Some(faces)
            } else {
                None
            }
        });
        for face in faces.flatten() {
            let bytes = face.texture.bytes();
            let index = match self.by_bytes.get(bytes) {
                Some(&index) => index,
                None => self.add(bytes, wads, siblings, draft),
            };
            self.list[index].faces += 1;
        }
    }

    fn add(
        &mut self,
        bytes: &'a [u8],
        wads: &[String],
        siblings: &dyn Siblings,
        draft: &mut Draft,
    ) -> usize {
        let name = Text(bytes).decoded().into_owned();
        let list = &mut self.list;
        let index = *self.by_name.entry(name.to_lowercase()).or_insert_with(|| {
            list.push(texture(name, wads, siblings, draft));
            list.len() - 1
        });
        self.by_bytes.insert(bytes, index);
        index
    }

    /// The texture of a face of an added map.
    #[must_use]
    pub fn of(&self, face: &RawFace<'_>) -> &Texture {
        &self.list[self.by_bytes[face.texture.bytes()]]
    }

    pub fn iter(&self) -> impl Iterator<Item = &Texture> {
        self.list.iter()
    }
}

fn texture(name: String, wads: &[String], siblings: &dyn Siblings, draft: &mut Draft) -> Texture {
    if name.is_empty() {
        return Texture {
            material: None,
            name,
            size: Vec2::splat(GUESSED),
            was_found: true,
            is_drawn: true,
            faces: 0,
            role: Role::Plain,
        };
    }
    let special = special(&name);
    let size = siblings
        .texture_size(&name, wads)
        .filter(|size| size.iter().all(|&side| (1..=65_536).contains(&side)));
    let mut material = Material::new(name.clone(), name.replace('\\', "/"));
    material.flags = special.surface;
    match size {
        Some([width, height]) => material.tile_size = Vec2::new(width as f32, height as f32),
        None => {
            material.tile_size = Vec2::splat(GUESSED);
            material.flags = material.flags | SurfaceFlags::SIZE_GUESSED;
        }
    }
    if special.surface == SurfaceFlags::UNLIT {
        // BLACK_HIDDEN: black whatever the light.
        material.color = glam::Vec3::ZERO;
    }
    let size = (material.tile_size, size.is_some());
    let is_drawn = !special.surface.has(SurfaceFlags::NODRAW);
    let id = draft.insert_material(material);
    Texture {
        material: Some(id),
        name,
        size: size.0,
        was_found: size.1,
        is_drawn,
        faces: 0,
        role: special.role,
    }
}

/// Package names of a `wad` key by their base names, best first: a later package overrides an earlier one.
#[must_use]
pub fn wad_names(value: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for entry in value.split(';').rev() {
        let base = entry.trim().rsplit(['/', '\\', ':']).next().unwrap_or("");
        if base.is_empty() {
            continue;
        }
        let has_ending = base.len() > 4
            && base.is_char_boundary(base.len() - 4)
            && base[base.len() - 4..].eq_ignore_ascii_case(".wad");
        let name = if has_ending {
            base.to_owned()
        } else {
            format!("{base}.wad")
        };
        if !names.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            names.push(name);
        }
    }
    names
}

/// The frame of a face in map space and repeats, and whether numbers had to be replaced. `normal`: unit, outwards, in the file's
/// axes; `shift`: how far the map was moved along the file's X.
#[must_use]
pub fn frame(face: &RawFace<'_>, normal: DVec3, size: Vec2, shift: f64) -> (UvAxes, bool) {
    let mut replaced = false;
    let mut sound = |value: f32, default: f64| {
        if value.is_finite() {
            return f64::from(value);
        }
        replaced = true;
        default
    };
    // No real face has scale 0; the games read it as 1.
    let scale = face
        .scale
        .map(|scale| sound(scale, 1.0))
        .map(|scale| if scale == 0.0 { 1.0 } else { scale });
    let offset = face.shift.map(|shift| sound(shift, 0.0));
    let rotation_deg = sound(face.rotation, 0.0);
    let [u, v] = match face.axes {
        Some(axes) if axes.iter().all(|axis| axis.is_finite()) => axes.map(|axis| axis.as_dvec3()),
        Some(_) => {
            replaced = true;
            projected_axes(normal, 0.0)
        }
        None => projected_axes(normal, rotation_deg),
    };
    let [width, height] = size.as_dvec2().to_array();
    // A map that was moved keeps its textures.
    let offset = [
        offset[0] - u.x * shift / scale[0],
        offset[1] - v.x * shift / scale[1],
    ];
    let frame = UvAxes {
        u: map_from_game(u) / (scale[0] * width),
        u_offset: offset[0] / width,
        v: map_from_game(v) / (scale[1] * height),
        v_offset: offset[1] / height,
    };
    (frame, replaced)
}

/// Texture axes before 2.2: the nearest world plane, then turned, as the Quake compilers do it.
fn projected_axes(normal: DVec3, rotation_deg: f64) -> [DVec3; 2] {
    const UP: ([usize; 2], [DVec3; 2]) = ([0, 1], [DVec3::X, DVec3::NEG_Y]);
    const EAST: ([usize; 2], [DVec3; 2]) = ([1, 2], [DVec3::Y, DVec3::NEG_Z]);
    const NORTH: ([usize; 2], [DVec3; 2]) = ([0, 2], [DVec3::X, DVec3::NEG_Z]);
    let rows = [
        (DVec3::Z, UP),
        (DVec3::NEG_Z, UP),
        (DVec3::X, EAST),
        (DVec3::NEG_X, EAST),
        (DVec3::Y, NORTH),
        (DVec3::NEG_Y, NORTH),
    ];
    let mut best = (f64::NEG_INFINITY, UP);
    for (direction, row) in rows {
        // In this order; a later one only if it is strictly nearer.
        let cosine = normal.dot(direction);
        if cosine > best.0 {
            best = (cosine, row);
        }
    }
    let ([i, j], axes) = best.1;
    let (sin, cos) = match rotation_deg {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        _ => rotation_deg.to_radians().sin_cos(),
    };
    axes.map(|axis| {
        let mut turned = axis;
        turned[i] = cos * axis[i] - sin * axis[j];
        turned[j] = sin * axis[i] + cos * axis[j];
        turned
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wad_lists_give_base_names_best_first() {
        #[track_caller]
        fn check(value: &str, expected: &[&str]) {
            assert_eq!(wad_names(value), expected, "{value}");
        }
        check(
            r"\sierra\half-life\valve\halflife.wad;C:\maps\my.WAD;decals;",
            &["decals.wad", "my.WAD", "halflife.wad"],
        );
        check("gfx/base.wad", &["base.wad"]);
        check("a.wad;b.wad;A.wad", &["A.wad", "b.wad"]);
        check(" ; ;", &[]);
        check("", &[]);
    }

    #[test]
    fn old_axes_take_the_first_of_equals() {
        let diagonal = DVec3::new(1.0, 0.0, 1.0).normalize();
        assert_eq!(projected_axes(diagonal, 0.0), [DVec3::X, DVec3::NEG_Y]);
        assert_eq!(
            projected_axes(DVec3::new(1.0, 1.0, 0.0).normalize(), 0.0),
            [DVec3::Y, DVec3::NEG_Z]
        );
        assert_eq!(projected_axes(DVec3::Y, 0.0), [DVec3::X, DVec3::NEG_Z]);
        assert_eq!(projected_axes(DVec3::Z, 90.0), [DVec3::Y, DVec3::X]);
    }
}
