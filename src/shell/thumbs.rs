//! Small pictures of textures for tiles and rows: made when first shown, a few in each frame.

use std::collections::BTreeMap;

use egui::ColorImage;
use egui::TextureHandle;
use egui::TextureOptions;

use crate::assets::Library;
use crate::assets::Picture;
use crate::assets::TextureId;
use crate::assets::TextureState;

/// Longer side of a small picture in pixels.
const SIDE: u32 = 96;
/// Pictures made in one frame; more would make scrolling stutter.
const PER_FRAME: usize = 6;

#[derive(Default)]
pub struct Thumbs {
    ready: BTreeMap<TextureId, TextureHandle>,
    /// Stand for what is missing or not there yet.
    missing: Option<TextureHandle>,
    waiting: Option<TextureHandle>,
    seen: u64,
    left: usize,
    /// Something was put off to the next frame.
    more: bool,
}

impl Thumbs {
    /// Call once at the start of a frame: pictures that changed are dropped. True when the last frame left some unmade.
    pub fn begin(&mut self, library: &Library) -> bool {
        if library.generation() != self.seen {
            for id in library.changed_since(self.seen) {
                self.ready.remove(&id);
            }
            self.seen = library.generation();
        }
        self.left = PER_FRAME;
        std::mem::take(&mut self.more)
    }

    /// Another library, or another context: everything is made anew.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The picture of a texture, or what stands for it.
    pub fn get(
        &mut self,
        ctx: &egui::Context,
        library: &Library,
        id: TextureId,
    ) -> egui::TextureId {
        if let Some(handle) = self.ready.get(&id) {
            return handle.id();
        }
        match library.state(id) {
            TextureState::Ready(picture) => {
                if self.left == 0 {
                    self.more = true;
                    return self.waiting(ctx);
                }
                self.left -= 1;
                let image = shrunk(picture);
                let handle =
                    ctx.load_texture(format!("thumbnail {}", id.0), image, TextureOptions::LINEAR);
                let texture = handle.id();
                self.ready.insert(id, handle);
                texture
            }
            TextureState::Loading => self.waiting(ctx),
            TextureState::Missing | TextureState::Failed(_) => self.missing(ctx),
        }
    }

    fn waiting(&mut self, ctx: &egui::Context) -> egui::TextureId {
        self.waiting
            .get_or_insert_with(|| {
                let grey = ColorImage::filled([2, 2], egui::Color32::from_gray(52));
                ctx.load_texture("thumbnail waiting", grey, TextureOptions::NEAREST)
            })
            .id()
    }

    fn missing(&mut self, ctx: &egui::Context) -> egui::TextureId {
        self.missing
            .get_or_insert_with(|| {
                ctx.load_texture("thumbnail missing", checker(), TextureOptions::NEAREST)
            })
            .id()
    }
}

/// The checker that views use for missing textures, small.
fn checker() -> ColorImage {
    let pixels = (0..64)
        .map(|i| {
            if (i / 8 + i % 8) % 2 == 0 {
                egui::Color32::from_rgb(0xb0, 0x2a, 0xa0)
            } else {
                egui::Color32::from_rgb(0x26, 0x1c, 0x2a)
            }
        })
        .collect();
    ColorImage::new([8, 8], pixels)
}

/// The picture with its longer side at most [`SIDE`], each pixel the mean of those it stands for.
fn shrunk(picture: &Picture) -> ColorImage {
    let (w, h) = (picture.width.max(1), picture.height.max(1));
    let scale = (f64::from(SIDE) / f64::from(w.max(h))).min(1.0);
    let out_w = ((f64::from(w) * scale).round() as u32).max(1);
    let out_h = ((f64::from(h) * scale).round() as u32).max(1);
    let mut pixels = Vec::with_capacity((out_w * out_h) as usize);
    for y in 0..out_h {
        let (y0, y1) = span(y, out_h, h);
        for x in 0..out_w {
            let (x0, x1) = span(x, out_w, w);
            let mut sum = [0u32; 4];
            let mut n = 0;
            for row in y0..y1 {
                for column in x0..x1 {
                    let at = ((row * w + column) * 4) as usize;
                    if let Some(rgba) = picture.rgba.get(at..at + 4) {
                        for (total, byte) in sum.iter_mut().zip(rgba) {
                            *total += u32::from(*byte);
                        }
                        n += 1;
                    }
                }
            }
            let [r, g, b, a] = sum.map(|total| (total / n.max(1)) as u8);
            pixels.push(egui::Color32::from_rgba_unmultiplied(r, g, b, a));
        }
    }
    ColorImage::new([out_w as usize, out_h as usize], pixels)
}

/// Source pixels `from..to` that output pixel `at` of `out` stands for.
fn span(at: u32, out: u32, source: u32) -> (u32, u32) {
    let from = u64::from(at) * u64::from(source) / u64::from(out);
    let to = (u64::from(at) + 1) * u64::from(source) / u64::from(out);
    (from as u32, (to as u32).max(from as u32 + 1).min(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_picture_shrinks_to_its_mean() {
        let picture = Picture {
            width: 256,
            height: 128,
            rgba: (0..256 * 128)
                .flat_map(|i| {
                    if i % 2 == 0 {
                        [0, 0, 0, 255]
                    } else {
                        [200, 100, 50, 255]
                    }
                })
                .collect(),
            has_alpha: false,
        };
        let small = shrunk(&picture);
        assert_eq!(small.size, [96, 48]);
        let mean: u32 =
            small.pixels.iter().map(|p| u32::from(p.r())).sum::<u32>() / small.pixels.len() as u32;
        assert!((90..=110).contains(&mean), "{mean}");
        let tiny = Picture {
            width: 1,
            height: 1,
            rgba: vec![1, 2, 3, 255],
            has_alpha: false,
        };
        assert_eq!(shrunk(&tiny).pixels, [egui::Color32::from_rgb(1, 2, 3)]);
    }
}
