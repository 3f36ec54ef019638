//! Pictures of the library on the device: mips, placeholders, uploads within a budget.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use glam::Vec3;

use crate::assets::Library;
use crate::assets::Picture;
use crate::assets::TextureId;
use crate::assets::TextureState;
use crate::assets::plain_name;
use crate::editor::shown::ToolMaterial;
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
    Missing(Placeholder),
    Loading,
}

impl Shown {
    /// Mean linear colour of a placeholder.
    pub(crate) fn mean_color(self) -> Option<Vec3> {
        let Self::Missing(placeholder) = self else {
            return None;
        };
        let [a, b] = placeholder
            .squares()
            .map(|rgb| Vec3::from(rgb.map(|byte| decode(f32::from(byte) / 255.0))));
        Some((a + b) * 0.5)
    }
}

/// Stands for a texture that is not there: a checker with crossed lines, in a muted colour that goes by the texture's name, so
/// that a map without its textures can still be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Placeholder {
    /// Number of a colour below [`Placeholder::NAMED`].
    Named(u8),
    /// Without lines: these are not meant to be seen anyway.
    Tool(ToolMaterial),
}

impl Placeholder {
    const NAMED: u8 = 18;

    /// The same for a name in any folder and in either case.
    pub(crate) fn of_name(texture: &str) -> Self {
        // FNV-1a: spreads short names well, and its result never changes.
        let name = plain_name(texture);
        let hash = name
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .bytes()
            .fold(0x811c_9dc5u32, |hash, byte| {
                (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
            });
        Self::Named(((hash >> 8) % u32::from(Self::NAMED)) as u8)
    }

    fn all() -> impl Iterator<Item = Self> {
        let tools = [
            ToolMaterial::Clip,
            ToolMaterial::Trigger,
            ToolMaterial::Origin,
            ToolMaterial::Hint,
            ToolMaterial::Other,
        ];
        (0..Self::NAMED)
            .map(Self::Named)
            .chain(tools.map(Self::Tool))
    }

    /// sRGB of the light and the dark squares.
    fn squares(self) -> [[u8; 3]; 2] {
        let [r, g, b] = match self {
            // Nine hues, each in a light and a dark variant; nothing in them is as red and blue as the lines.
            Self::Named(number) => {
                let turn = f32::from(number / 2) / 9.0;
                let value = if number % 2 == 0 { 0.70 } else { 0.50 };
                [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|phase: f32| {
                    let wave = ((turn - phase) * std::f32::consts::TAU).cos();
                    value * (0.90 + 0.12 * wave)
                })
            }
            Self::Tool(ToolMaterial::Clip) => [0.80, 0.36, 0.72],
            Self::Tool(ToolMaterial::Trigger) => [0.88, 0.58, 0.24],
            Self::Tool(ToolMaterial::Origin) => [0.86, 0.80, 0.30],
            Self::Tool(ToolMaterial::Hint) => [0.36, 0.72, 0.80],
            Self::Tool(ToolMaterial::Other) => [0.38, 0.46, 0.80],
        };
        [1.1, 0.86].map(|by: f32| [r, g, b].map(|c| ((c * by).min(1.0) * 255.0).round() as u8))
    }

    fn picture(self) -> Vec<u8> {
        let [light, dark] = self.squares();
        let mut rgba = checker(light, dark);
        if let Self::Named(_) = self {
            for at in 0..SIDE {
                for x in [at, SIDE - 1 - at] {
                    let start = (at * SIDE + x) as usize * 4;
                    for (byte, line) in rgba[start..start + 3].iter_mut().zip(LINES) {
                        *byte = byte.midpoint(line);
                    }
                }
            }
        }
        rgba
    }
}

/// Of the lines across placeholders.
const LINES: [u8; 3] = [0xe0, 0x30, 0xe0];

/// Of placeholders, in texels.
const SIDE: u32 = 64;

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
    missing: BTreeMap<Placeholder, wgpu::TextureView>,
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
                SIDE,
                SIDE,
                &checker([0xa2, 0xa6, 0xad], [0x82, 0x86, 0x8d]),
            ),
            missing: Placeholder::all()
                .map(|which| (which, upload(gpu, SIDE, SIDE, &which.picture())))
                .collect(),
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

    /// What to show for a texture now; `placeholder` when there is none.
    pub(crate) fn shown(
        &self,
        library: &Library,
        id: TextureId,
        placeholder: Placeholder,
    ) -> Shown {
        if self.ready.contains_key(&id) {
            return Shown::Picture(id);
        }
        match library.state(id) {
            TextureState::Missing | TextureState::Failed(_) => Shown::Missing(placeholder),
            TextureState::Loading | TextureState::Ready(_) => Shown::Loading,
        }
    }

    pub(crate) fn view(&self, shown: Shown) -> &wgpu::TextureView {
        match shown {
            Shown::Picture(id) => self.ready.get(&id).map_or(&self.checker, |(view, _)| view),
            Shown::White => &self.white,
            Shown::Checker => &self.checker,
            Shown::Missing(which) => self.missing.get(&which).unwrap_or(&self.checker),
            Shown::Loading => &self.loading,
        }
    }

    /// False for a picture that is not on the device.
    pub(crate) fn has(&self, shown: Shown) -> bool {
        !matches!(shown, Shown::Picture(id) if !self.ready.contains_key(&id))
    }

    /// True for a picture with alpha below 255 somewhere.
    pub(crate) fn has_alpha(&self, shown: Shown) -> bool {
        matches!(shown, Shown::Picture(id) if self.ready.get(&id).is_some_and(|(_, alpha)| *alpha))
    }
}

fn checker(a: [u8; 3], b: [u8; 3]) -> Vec<u8> {
    (0..SIDE * SIDE)
        .flat_map(|at| {
            let [r, g, b] = if (at % SIDE / 16 + at / SIDE / 16).is_multiple_of(2) {
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
    fn placeholders_go_by_name_and_are_muted() {
        let of = Placeholder::of_name;
        assert_eq!(of("halflife/C1A0_W1.png"), of("c1a0_w1"));
        let names = [
            "c1a0_w1",
            "c2a5_lab",
            "fifties_flr02",
            "generic015",
            "out_rk1",
            "-0door",
        ];
        let mut kinds = names.map(of).to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        assert!(kinds.len() >= 4, "{kinds:?}");
        for which in Placeholder::all() {
            let [light, dark] = which.squares();
            assert!((0..3).all(|c| light[c] > dark[c]), "{which:?}");
            let spread = light.iter().max().expect("three") - light.iter().min().expect("three");
            assert!(
                matches!(which, Placeholder::Tool(_)) || spread < 80,
                "{which:?} {light:?}"
            );
        }
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
