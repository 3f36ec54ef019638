//! Pictures of the library on the device: mips, placeholders, uploads within a budget.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::assets::Library;
use crate::assets::Picture;
use crate::assets::TextureId;
use crate::assets::TextureState;
use crate::viewport::Gpu;
use crate::viewport::colors::decode;
use crate::viewport::colors::encode;

/// Texels sent by one sync: about 10 ms of work. The rest follows with the next ones.
const BUDGET: u64 = 4 << 20;

/// What a texture shows at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shown {
    Picture(TextureId),
    /// No texture, colour only.
    White,
    /// No material.
    Checker,
    Missing,
    Loading,
}

/// One mip level, RGBA8.
struct Level {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

/// The textures of one device.
pub(crate) struct Textures {
    ready: BTreeMap<TextureId, (wgpu::TextureView, bool)>,
    waiting: BTreeSet<TextureId>,
    seen: u64,
    white: wgpu::TextureView,
    checker: wgpu::TextureView,
    missing: wgpu::TextureView,
    loading: wgpu::TextureView,
}

impl Textures {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let plain = |rgb: [u8; 3]| upload(gpu, 1, 1, &[rgb[0], rgb[1], rgb[2], 255]);
        Self {
            ready: BTreeMap::new(),
            waiting: BTreeSet::new(),
            seen: 0,
            white: plain([255; 3]),
            checker: upload(
                gpu,
                64,
                64,
                &checker([0xa2, 0xa6, 0xad], [0x82, 0x86, 0x8d]),
            ),
            missing: upload(
                gpu,
                64,
                64,
                &checker([0xc0, 0x4f, 0xd0], [0x2a, 0x2a, 0x30]),
            ),
            loading: plain([0x80; 3]),
        }
    }

    /// Notes what changed in the library and sends pictures within the budget, or all of them. Gives the textures that look
    /// different now.
    pub(crate) fn sync(&mut self, gpu: &Gpu, library: &Library, all: bool) -> BTreeSet<TextureId> {
        let mut changed = BTreeSet::new();
        if library.generation() != self.seen {
            for id in library.changed_since(self.seen) {
                match library.state(id) {
                    TextureState::Ready(_) => {
                        self.waiting.insert(id);
                    }
                    // The old picture stays while a file is read again.
                    TextureState::Loading => {}
                    TextureState::Missing | TextureState::Failed(_) => {
                        self.waiting.remove(&id);
                        self.ready.remove(&id);
                    }
                }
                changed.insert(id);
            }
            self.seen = library.generation();
        }
        let mut left = BUDGET;
        while let Some(id) = self.waiting.pop_first() {
            if let TextureState::Ready(picture) = library.state(id) {
                if let Some(view) = upload_picture(gpu, picture) {
                    self.ready.insert(id, (view, picture.has_alpha));
                }
                changed.insert(id);
                left = left.saturating_sub(u64::from(picture.width) * u64::from(picture.height));
            }
            if left == 0 && !all {
                break;
            }
        }
        changed
    }

    pub(crate) fn pending(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// What to show for a texture now.
    pub(crate) fn shown(&self, library: &Library, id: TextureId) -> Shown {
        if self.ready.contains_key(&id) {
            return Shown::Picture(id);
        }
        match library.state(id) {
            TextureState::Missing | TextureState::Failed(_) => Shown::Missing,
            TextureState::Loading | TextureState::Ready(_) => Shown::Loading,
        }
    }

    pub(crate) fn view(&self, shown: Shown) -> &wgpu::TextureView {
        match shown {
            Shown::Picture(id) => self.ready.get(&id).map_or(&self.missing, |(view, _)| view),
            Shown::White => &self.white,
            Shown::Checker => &self.checker,
            Shown::Missing => &self.missing,
            Shown::Loading => &self.loading,
        }
    }

    /// True for a picture with alpha below 255 somewhere.
    pub(crate) fn has_alpha(&self, shown: Shown) -> bool {
        matches!(shown, Shown::Picture(id) if self.ready.get(&id).is_some_and(|(_, alpha)| *alpha))
    }
}

fn checker(a: [u8; 3], b: [u8; 3]) -> Vec<u8> {
    (0..64 * 64u32)
        .flat_map(|at| {
            let [r, g, b] = if (at % 64 / 16 + at / 64 / 16) % 2 == 0 {
                a
            } else {
                b
            };
            [r, g, b, 255]
        })
        .collect()
}

/// `None` for a picture whose numbers do not fit together.
fn upload_picture(gpu: &Gpu, picture: &Picture) -> Option<wgpu::TextureView> {
    let texels = u64::from(picture.width) * u64::from(picture.height);
    if texels == 0 || picture.rgba.len() as u64 != texels * 4 {
        return None;
    }
    Some(upload(gpu, picture.width, picture.height, &picture.rgba))
}

fn upload(gpu: &Gpu, width: u32, height: u32, rgba: &[u8]) -> wgpu::TextureView {
    let mut levels = vec![Level {
        width,
        height,
        rgba: rgba.to_vec(),
    }];
    while let Some(last) = levels.last()
        && (last.width > 1 || last.height > 1)
    {
        levels.push(half(last));
    }
    let most = gpu.device.limits().max_texture_dimension_2d;
    levels.retain(|level| level.width <= most && level.height <= most);
    let first = &levels[0];
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("material"),
        size: wgpu::Extent3d {
            width: first.width,
            height: first.height,
            depth_or_array_layers: 1,
        },
        mip_level_count: levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (number, level) in levels.iter().enumerate() {
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &texture,
                mip_level: number as u32,
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            },
            &level.rgba,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(level.width * 4),
                rows_per_image: Some(level.height),
            },
            wgpu::Extent3d {
                width: level.width,
                height: level.height,
                depth_or_array_layers: 1,
            },
        );
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// The next smaller level: a box filter in linear light, colours weighted by alpha so that cut-out texels do not bleed in.
fn half(level: &Level) -> Level {
    let (width, height) = ((level.width / 2).max(1), (level.height / 2).max(1));
    let linear = decode_table();
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    for y in 0..height {
        for x in 0..width {
            let mut sum = [0.0f32; 3];
            let mut plain = [0.0f32; 3];
            let mut alpha = 0.0f32;
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let (sx, sy) = (
                    (x * 2 + dx).min(level.width - 1),
                    (y * 2 + dy).min(level.height - 1),
                );
                let at = (sy as usize * level.width as usize + sx as usize) * 4;
                let weight = f32::from(level.rgba[at + 3]);
                for channel in 0..3 {
                    let value = linear[level.rgba[at + channel] as usize];
                    sum[channel] += value * weight;
                    plain[channel] += value;
                }
                alpha += weight;
            }
            for channel in 0..3 {
                let value = if alpha > 0.0 {
                    sum[channel] / alpha
                } else {
                    plain[channel] * 0.25
                };
                rgba.push(encode_byte(value));
            }
            rgba.push((alpha * 0.25).round() as u8);
        }
    }
    Level {
        width,
        height,
        rgba,
    }
}

fn decode_table() -> &'static [f32; 256] {
    static TABLE: OnceLock<[f32; 256]> = OnceLock::new();
    TABLE.get_or_init(|| std::array::from_fn(|byte| decode(byte as f32 / 255.0)))
}

fn encode_byte(value: f32) -> u8 {
    /// Fine enough that every byte has steps of its own; the darkest two are 1.24 steps apart.
    const STEPS: usize = 4096;
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        (0..=STEPS)
            .map(|step| (encode(step as f32 / STEPS as f32) * 255.0).round() as u8)
            .collect()
    });
    table[(value.clamp(0.0, 1.0) * STEPS as f32).round() as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_halve_down_to_one_texel_and_mix_in_linear_light() {
        let check = |width: u32, height: u32, rgba: &[u8], expected: &[u8]| {
            let small = half(&Level {
                width,
                height,
                rgba: rgba.to_vec(),
            });
            assert_eq!(small.rgba, expected, "{width}x{height}");
        };
        // Half black, half white is 188 in sRGB, not 128.
        check(
            2,
            1,
            &[0, 0, 0, 255, 255, 255, 255, 255],
            &[188, 188, 188, 255],
        );
        // A transparent texel gives no colour.
        check(2, 1, &[255, 0, 0, 255, 0, 255, 0, 0], &[255, 0, 0, 128]);
        check(
            1,
            2,
            &[40, 40, 40, 255, 40, 40, 40, 255],
            &[40, 40, 40, 255],
        );
        check(
            3,
            1,
            &[9, 9, 9, 255, 9, 9, 9, 255, 200, 9, 9, 255],
            &[9, 9, 9, 255],
        );
    }

    #[test]
    fn plain_colours_stay_what_they_are() {
        for byte in 0..=255u8 {
            let small = half(&Level {
                width: 2,
                height: 2,
                rgba: [byte, byte, byte, 255].repeat(4),
            });
            assert!(
                small.rgba[0].abs_diff(byte) <= 1,
                "{byte} {}",
                small.rgba[0]
            );
        }
    }
}
