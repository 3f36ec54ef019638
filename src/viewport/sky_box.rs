//! Sky boxes: six pictures around the eye, infinitely far away, where a map or its material names them.
//!
//! Which way a side lies and how its picture is turned: `ogz.md` 10.1 and `shaders/world.wgsl`.

use std::sync::Arc;

use crate::assets::Library;
use crate::assets::Resolver;
use crate::assets::TextureId;
use crate::document::Document;
use crate::document::Entity;
use crate::document::Material;
use crate::viewport::Gpu;
use crate::viewport::textures::Shown;
use crate::viewport::textures::Textures;

/// How the names of the pictures end: -X, +X, -Y, +Y, -Z, +Z of the game's axes, Z up. Cube 2 and Quake's family agree on them.
const SIDES: [&str; 6] = ["lf", "rt", "ft", "bk", "dn", "up"];

/// Bit of [`SkyBox::bits`] beside those of the sides: the game's Y is Mapwright's Z, not its opposite.
const MIRRORED: u32 = 1 << 6;

/// The names of six pictures, without their endings.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Names {
    sides: [String; 6],
    /// Cube 2 turns its space inside out on the way here (`ogz.md` 5), Quake's family does not (`rmf.md` 7).
    is_mirrored: bool,
}

impl Names {
    fn cube(base: &str) -> Self {
        let base = base.replace('\\', "/");
        // As materials name pictures of the game, or each would be loaded twice.
        let folder = if base.starts_with("packages/") {
            ""
        } else {
            "packages/"
        };
        let sides = SIDES.map(|side| {
            if base.contains('*') {
                format!("{folder}{}", base.replace('*', side))
            } else {
                format!("{folder}{base}_{side}")
            }
        });
        Self {
            sides,
            is_mirrored: true,
        }
    }

    /// From the name of one of the six, which a material shows for all of them.
    fn of_texture(texture: &str) -> Option<Self> {
        let texture = texture.replace('\\', "/");
        let (folder, file) = match texture.rfind('/') {
            Some(slash) => texture.split_at(slash + 1),
            None => ("", texture.as_str()),
        };
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let (start, side) = stem.split_at_checked(stem.len().checked_sub(2)?)?;
        let is_side = SIDES.iter().any(|known| side.eq_ignore_ascii_case(known));
        let is_apart = start.ends_with('_') || (start.is_empty() && !folder.is_empty());
        (is_side && is_apart).then(|| Self {
            sides: SIDES.map(|side| format!("{folder}{start}{side}")),
            is_mirrored: true,
        })
    }

    /// From the world's keys: `skybox` of Cube 2, `skyname` of Half-Life.
    fn of_world(world: &Entity) -> Option<Self> {
        let key = |wanted: &str| {
            let mut keys = world.keys.iter();
            let found = keys.find(|(key, _)| key.eq_ignore_ascii_case(wanted));
            found
                .map(|(_, value)| value.trim())
                .filter(|value| !value.is_empty())
        };
        if let Some(base) = key("skybox") {
            return Some(Self::cube(base));
        }
        let name = key("skyname")?;
        Some(Self {
            sides: SIDES.map(|side| format!("gfx/env/{name}{side}")),
            is_mirrored: false,
        })
    }
}

/// Six pictures, as far as they are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkyBox {
    sides: [Option<TextureId>; 6],
    is_mirrored: bool,
}

impl SkyBox {
    pub(crate) fn uses(&self, wanted: impl Fn(TextureId) -> bool) -> bool {
        self.sides.iter().flatten().any(|&id| wanted(id))
    }

    fn shown(&self, side: usize, textures: &Textures) -> Option<Shown> {
        self.sides[side]
            .map(Shown::Picture)
            .filter(|&shown| textures.has(shown))
    }

    /// Which sides have a picture by now, for the shader; `None` for too few of them to be a box: one alone says more of what is
    /// above as clouds.
    pub(crate) fn bits(&self, textures: &Textures) -> Option<u32> {
        let sides = (0..6)
            .filter(|&side| self.shown(side, textures).is_some())
            .fold(0_u32, |bits, side| bits | 1 << side);
        let mirrored = if self.is_mirrored { MIRRORED } else { 0 };
        (sides.count_ones() > 1).then_some(sides | mirrored)
    }
}

/// Finds the boxes of materials and makes their groups.
pub(crate) struct SkyBoxes {
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    seen: Document,
    /// Of the world's keys.
    world: Option<Names>,
    /// What the boxes were looked up in.
    resolver: Option<Arc<Resolver>>,
}

impl SkyBoxes {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let mut entries: Vec<wgpu::BindGroupLayoutEntry> = (0..6).map(texture_entry).collect();
        entries.push(wgpu::BindGroupLayoutEntry {
            binding: 6,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
            count: None,
        });
        let layout = gpu
            .device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some("sky box"),
                entries: &entries,
            });
        // Past its edge a picture goes on as it ends there: no seam where two meet.
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("sky box"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });
        Self {
            layout,
            sampler,
            seen: Document::default(),
            world: None,
            resolver: None,
        }
    }

    pub(crate) fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    /// Catches up with the world's keys and with where pictures come from; true when materials may have other boxes now.
    pub(crate) fn follow(&mut self, doc: &Document, library: &Library) -> bool {
        let mut changed = false;
        if !doc.same(&self.seen) {
            let concerned = doc.entities_differ(&self.seen);
            self.seen = doc.clone();
            if concerned {
                let world = doc.worldspawn();
                let world = world.and_then(|(_, world)| Names::of_world(world));
                changed = world != self.world;
                self.world = world;
            }
        }
        let is_same = match (&self.resolver, library.resolver()) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (old, new) => old.is_none() && new.is_none(),
        };
        if !is_same {
            self.resolver = library.resolver().cloned();
        }
        changed || !is_same
    }

    /// The boxes that a material of the sky may show, what the map names before what the material does. Pictures that nobody
    /// has are not asked for: they are no textures that the map misses.
    pub(crate) fn of(&self, material: &Material, library: &mut Library) -> Vec<SkyBox> {
        let Some(resolver) = &self.resolver else {
            return Vec::new();
        };
        let own = Names::of_texture(&material.texture);
        let mut boxes: Vec<SkyBox> = Vec::new();
        for names in self.world.iter().chain(&own) {
            let found = SkyBox {
                sides: std::array::from_fn(|side| {
                    let name = &names.sides[side];
                    resolver.has(name).then(|| library.texture(name))
                }),
                is_mirrored: names.is_mirrored,
            };
            if found.uses(|_| true) && !boxes.contains(&found) {
                boxes.push(found);
            }
        }
        boxes
    }

    pub(crate) fn group(&self, gpu: &Gpu, sky: &SkyBox, textures: &Textures) -> wgpu::BindGroup {
        let mut entries: Vec<wgpu::BindGroupEntry<'_>> = (0..6)
            .map(|side| wgpu::BindGroupEntry {
                binding: side as u32,
                resource: wgpu::BindingResource::TextureView(
                    textures.view(sky.shown(side, textures).unwrap_or(Shown::White)),
                ),
            })
            .collect();
        entries.push(wgpu::BindGroupEntry {
            binding: 6,
            resource: wgpu::BindingResource::Sampler(&self.sampler),
        });
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("sky box"),
            layout: &self.layout,
            entries: &entries,
        })
    }
}

fn texture_entry(binding: u32) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty: wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
        count: None,
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn one_of_six_pictures_names_the_others() {
        let up = |texture: &str| Names::of_texture(texture).map(|names| names.sides[5].clone());
        for (texture, expected) in [
            (
                "packages/skyboxes/day_up.jpg",
                Some("packages/skyboxes/day_up"),
            ),
            ("packages/skyboxes/Day_LF", Some("packages/skyboxes/Day_up")),
            ("sky\\noon\\bk.png", Some("sky/noon/up")),
            ("textures/sky.png", None),
            ("textures/setup.png", None),
            ("up", None),
            ("h\u{e9}_\u{e9}p", None),
            ("\u{e9}", None),
            ("", None),
        ] {
            assert_eq!(up(texture).as_deref(), expected, "{texture}");
        }
    }

    #[test]
    fn the_worlds_keys_name_a_box() {
        let of = |keys: &[(&str, &str)]| {
            let mut world = Entity::new("worldspawn", DVec3::ZERO);
            for (key, value) in keys {
                world.set_key(key, *value);
            }
            Names::of_world(&world).map(|names| (names.sides[0].clone(), names.is_mirrored))
        };
        let found = |name: &str, is_mirrored| Some((name.to_owned(), is_mirrored));
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("skybox", " "), ("skyname", "")]), None);
        assert_eq!(
            of(&[("skybox", "skyboxes/day"), ("skyname", "desert")]),
            found("packages/skyboxes/day_lf", true)
        );
        assert_eq!(
            of(&[("skybox", "sky/*/day")]),
            found("packages/sky/lf/day", true)
        );
        assert_eq!(
            of(&[("skyname", "desert")]),
            found("gfx/env/desertlf", false)
        );
    }
}
