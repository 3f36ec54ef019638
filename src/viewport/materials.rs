//! Materials on the device: one bind group each, rebuilt when the material or its texture changes.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use glam::Vec3;

use crate::assets::Library;
use crate::assets::TextureId;
use crate::document::Difference;
use crate::document::Document;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::SurfaceFlags;
use crate::editor::shown::is_liquid;
use crate::editor::shown::last_name;
use crate::editor::shown::tool_material;
use crate::viewport::Gpu;
use crate::viewport::colors::decode;
use crate::viewport::sky_box::SkyBox;
use crate::viewport::sky_box::SkyBoxes;
use crate::viewport::textures::Placeholder;
use crate::viewport::textures::Shown;
use crate::viewport::textures::Textures;

/// The sky of materials without a picture, sRGB.
const PLAIN_SKY: [f32; 3] = [0.36, 0.55, 0.78];

/// Bits of [`Params::flags`]; `shaders/common.wgsl` has the same numbers.
mod param {
    pub const MASKED: u32 = 1;
    /// Blended, but the picture has no alpha: half transparent (hmap.md 2.4).
    pub const HALF: u32 = 2;
    pub const UNLIT: u32 = 4;
    /// Sky with a picture for its clouds.
    pub const CLOUDS: u32 = 8;
    /// The picture is the upper side of a box: it fits itself at no edge.
    pub const LID: u32 = 16;
    /// No game shows its light brighter than it is: unlit, sky, or a volume that one looks through.
    pub const AS_BUILT: u32 = 32;
}

/// A material's uniform.
#[derive(Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Params {
    /// Linear tint.
    tint: [f32; 4],
    /// Linear colour of the flat mode.
    flat: [f32; 4],
    /// Bits of [`param`], and those of the box of a sky.
    flags: [u32; 4],
}

/// A material as the device has it.
pub(crate) struct GpuMaterial {
    pub group: wgpu::BindGroup,
    pub flags: SurfaceFlags,
    /// Drawn after what is opaque.
    pub is_blended: bool,
    /// The pictures of a sky that is a box.
    pub sky_box: Option<wgpu::BindGroup>,
    /// Those that it may show, the first before the others.
    boxes: Vec<SkyBox>,
    params: wgpu::Buffer,
    texture: Option<TextureId>,
    material: Option<Material>,
}

impl GpuMaterial {
    fn uses(&self, wanted: impl Fn(TextureId) -> bool) -> bool {
        self.texture.is_some_and(&wanted) || self.boxes.iter().any(|sky| sky.uses(&wanted))
    }
}

/// All materials of a scene; `None` is the lack of one.
pub(crate) struct Materials {
    layout: wgpu::BindGroupLayout,
    smooth: wgpu::Sampler,
    nearest: wgpu::Sampler,
    textures: Textures,
    boxes: SkyBoxes,
    list: BTreeMap<Option<MaterialId>, GpuMaterial>,
    seen: Document,
    started: bool,
}

impl Materials {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let layout = gpu
            .device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some("material"),
                entries: &[
                    entry(
                        0,
                        wgpu::BindingType::Texture {
                            sample_type: wgpu::TextureSampleType::Float { filterable: true },
                            view_dimension: wgpu::TextureViewDimension::D2,
                            multisampled: false,
                        },
                    ),
                    entry(
                        1,
                        wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                    ),
                    entry(
                        2,
                        wgpu::BindingType::Buffer {
                            ty: wgpu::BufferBindingType::Uniform,
                            has_dynamic_offset: false,
                            min_binding_size: None,
                        },
                    ),
                ],
            });
        let sampler = |mag, anisotropy| {
            gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("material"),
                address_mode_u: wgpu::AddressMode::Repeat,
                address_mode_v: wgpu::AddressMode::Repeat,
                mag_filter: mag,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                anisotropy_clamp: anisotropy,
                ..Default::default()
            })
        };
        // Anisotropy costs a processor more than it shows.
        let smooth = sampler(
            wgpu::FilterMode::Linear,
            if gpu.is_software() { 1 } else { 8 },
        );
        let nearest = sampler(wgpu::FilterMode::Nearest, 1);
        let textures = Textures::new(gpu);
        Self {
            layout,
            smooth,
            nearest,
            textures,
            boxes: SkyBoxes::new(gpu),
            list: BTreeMap::new(),
            seen: Document::default(),
            started: false,
        }
    }

    pub(crate) fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    pub(crate) fn box_layout(&self) -> &wgpu::BindGroupLayout {
        self.boxes.layout()
    }

    /// The material, or the checker of those without one.
    pub(crate) fn get(&self, id: Option<MaterialId>) -> Option<&GpuMaterial> {
        self.list.get(&id).or_else(|| self.list.get(&None))
    }

    pub(crate) fn pending(&self) -> bool {
        self.textures.pending()
    }

    /// Catches up with document and library; true when anything looks different. `all`: every texture that is ready, whatever
    /// it costs.
    pub(crate) fn sync(
        &mut self,
        gpu: &Gpu,
        doc: &Document,
        library: &mut Library,
        all: bool,
    ) -> bool {
        let mut changed: BTreeMap<Option<MaterialId>, Option<Material>> = BTreeMap::new();
        if !self.started {
            self.started = true;
            changed.insert(None, None);
        }
        let mut any = false;
        for (id, difference) in doc.material_changes_since(&self.seen) {
            match difference {
                Difference::Added(material) | Difference::Changed(material, _) => {
                    changed.insert(Some(id), Some(material.as_ref().clone()));
                }
                Difference::Removed(_) => {
                    self.list.remove(&Some(id));
                    any = true;
                }
            }
        }
        if any || !changed.is_empty() {
            self.seen = doc.clone();
        }
        let mut ids: BTreeMap<Option<MaterialId>, Option<TextureId>> = BTreeMap::new();
        for (id, material) in &changed {
            let name = material
                .as_ref()
                .map_or("", |material| material.texture.as_str());
            ids.insert(*id, (!name.is_empty()).then(|| library.texture(name)));
        }
        let textures: BTreeSet<TextureId> = self.textures.sync(gpu, library, all);
        if !textures.is_empty() {
            let users = self
                .list
                .iter()
                .filter(|(_, entry)| entry.uses(|id| textures.contains(&id)));
            for (id, entry) in users {
                if !changed.contains_key(id) {
                    ids.insert(*id, entry.texture);
                }
            }
        }
        if self.boxes.follow(doc, library) {
            let skies = self
                .list
                .iter()
                .filter(|(_, entry)| entry.flags.has(SurfaceFlags::SKY));
            for (id, entry) in skies {
                ids.entry(*id).or_insert(entry.texture);
            }
        }
        any |= !ids.is_empty();
        for (id, texture) in ids {
            let material = changed
                .remove(&id)
                .unwrap_or_else(|| self.list.get(&id).and_then(|entry| entry.material.clone()));
            let sky = material
                .as_ref()
                .filter(|material| material.flags.has(SurfaceFlags::SKY));
            let boxes = sky.map_or_else(Vec::new, |sky| self.boxes.of(sky, library));
            self.make(gpu, library, id, material, texture, boxes);
        }
        any
    }

    fn make(
        &mut self,
        gpu: &Gpu,
        library: &Library,
        id: Option<MaterialId>,
        material: Option<Material>,
        texture: Option<TextureId>,
        boxes: Vec<SkyBox>,
    ) {
        let shown = match (texture, &material) {
            (Some(texture), material) => {
                let placeholder = placeholder_of(material.as_ref(), library.name(texture));
                self.textures.shown(library, texture, placeholder)
            }
            (None, Some(_)) => Shown::White,
            (None, None) => Shown::Checker,
        };
        let flags = material
            .as_ref()
            .map_or(SurfaceFlags::default(), |material| material.flags);
        let tint = material.as_ref().map_or(Vec3::ONE, |material| {
            material.color.map(|c| {
                decode(if c.is_finite() {
                    c.clamp(0.0, 1.0)
                } else {
                    1.0
                })
            })
        });
        let mean = texture
            .and_then(|texture| library.mean_color(texture))
            .or(shown.mean_color())
            .unwrap_or(Vec3::splat(0.5));
        let mut flat = if texture.is_some() { tint * mean } else { tint };
        let mut bits = 0;
        if flags.has(SurfaceFlags::SKY) {
            let clouds = matches!(shown, Shown::Picture(id) if !is_tool_picture(library.name(id)));
            if clouds {
                bits |= param::CLOUDS;
                if material
                    .as_ref()
                    .is_some_and(|material| is_lid(&material.texture))
                {
                    bits |= param::LID;
                }
            } else {
                flat = tint * Vec3::from(PLAIN_SKY.map(decode));
            }
        }
        let is_blended =
            flags.has(SurfaceFlags::TRANSLUCENT) || material.as_ref().is_some_and(is_liquid);
        if flags.has(SurfaceFlags::MASKED) && self.textures.has_alpha(shown) {
            bits |= param::MASKED;
        }
        if is_blended && !self.textures.has_alpha(shown) {
            bits |= param::HALF;
        }
        if flags.has(SurfaceFlags::SKY | SurfaceFlags::UNLIT) {
            bits |= param::UNLIT | param::AS_BUILT;
        }
        // Water and glass of Cube 2 are colours; see-through walls have a picture, and are lit as others are.
        if is_blended && (texture.is_none() || material.as_ref().is_some_and(is_liquid)) {
            bits |= param::AS_BUILT;
        }
        let textures = &self.textures;
        let sky_box = boxes
            .iter()
            .find_map(|sky| Some((sky, sky.bits(textures)?)));
        let value = Params {
            tint: tint.extend(1.0).to_array(),
            flat: flat.extend(1.0).to_array(),
            flags: [bits, sky_box.map_or(0, |(_, bits)| bits), 0, 0],
        };
        let params = match self.list.remove(&id) {
            Some(old) => old.params,
            None => gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("material"),
                size: size_of::<Params>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        };
        gpu.queue
            .write_buffer(&params, 0, bytemuck::bytes_of(&value));
        let sampler = if flags.has(SurfaceFlags::NEAREST) {
            &self.nearest
        } else {
            &self.smooth
        };
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("material"),
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(self.textures.view(shown)),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(sampler),
                },
                wgpu::BindGroupEntry {
                    binding: 2,
                    resource: params.as_entire_binding(),
                },
            ],
        });
        let sky_box = sky_box.map(|(sky, _)| self.boxes.group(gpu, sky, textures));
        self.list.insert(
            id,
            GpuMaterial {
                group,
                flags,
                is_blended,
                sky_box,
                boxes,
                params,
                texture,
                material,
            },
        );
    }
}

/// The placeholder for a texture that is not there.
fn placeholder_of(material: Option<&Material>, texture: &str) -> Placeholder {
    match material.and_then(tool_material) {
        Some(kind) => Placeholder::Tool(kind),
        None => Placeholder::of_name(texture),
    }
}

/// Pictures that stand for the sky in a list of textures do not show it.
fn is_tool_picture(texture: &str) -> bool {
    last_name(texture).starts_with("tool_")
}

/// Whether a picture is the upper one of the six of a sky box, by its name.
fn is_lid(texture: &str) -> bool {
    last_name(texture).ends_with("_up")
}

fn entry(binding: u32, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty,
        count: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upper_sides_of_sky_boxes_go_by_their_name() {
        for (texture, expected) in [
            ("packages/skyboxes/day_up.jpg", true),
            ("packages/skyboxes/Day_UP", true),
            ("packages/skyboxes/day_dn.jpg", false),
            ("textures/sky.png", false),
            ("", false),
        ] {
            assert_eq!(is_lid(texture), expected, "{texture}");
        }
    }
}
