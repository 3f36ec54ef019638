//! Small pictures of textures for tiles and rows. Those of the map come out of the library, a few in each frame; those of a
//! browser over tens of thousands are decoded on workers, only while they are seen, and forgotten when there are too many.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::collections::VecDeque;
use std::sync::Arc;

use crossbeam_channel::Receiver;
use crossbeam_channel::Sender;
use egui::ColorImage;
use egui::TextureHandle;
use egui::TextureOptions;

use crate::assets::Library;
use crate::assets::Picture;
use crate::assets::Resolver;
use crate::assets::TextureId;
use crate::assets::TextureState;

/// Longer side of a small picture in pixels, and of one for large tiles.
const SIDE: u32 = 128;
const LARGE_SIDE: u32 = 256;
/// Pictures made in one frame; more would make scrolling stutter.
const PER_FRAME: usize = 6;
/// Finished pictures handed to the graphics card in one frame.
const UPLOADS: usize = 24;
/// Pictures that are decoded at the same time.
const MOST_ASKED: usize = 16;
/// Bytes of pictures by name that are kept.
const BUDGET: usize = 96 << 20;

/// Small ones are enlarged as they are, pixel by pixel.
const LOOK: TextureOptions = TextureOptions {
    magnification: egui::TextureFilter::Nearest,
    ..TextureOptions::LINEAR
};

/// A picture by name.
enum Named {
    Asked,
    Ready(Shown),
    /// It is not there, or cannot be read.
    Lost(&'static str),
}

struct Shown {
    handle: TextureHandle,
    /// Of the whole picture.
    size: [u32; 2],
    /// Longest side that it was made for.
    side: u32,
    /// A larger one is being made.
    growing: bool,
    /// Frame in which it was seen last.
    seen: u64,
}

/// What a worker has made.
struct Made {
    name: String,
    side: u32,
    /// Of which index; answers to older ones are dropped.
    epoch: u64,
    image: Result<(ColorImage, [u32; 2]), &'static str>,
}

/// What a tile shows.
#[derive(Clone, Copy)]
pub struct Thumb {
    pub picture: egui::TextureId,
    pub state: ThumbState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThumbState {
    Loading,
    /// Width and height of the whole picture.
    Ready([u32; 2]),
    Lost(&'static str),
    /// Of a material that has no picture.
    Plain,
}

pub struct Thumbs {
    ready: BTreeMap<TextureId, TextureHandle>,
    /// Stand for what is missing or not there yet.
    missing: Option<TextureHandle>,
    waiting: Option<TextureHandle>,
    seen: u64,
    left: usize,
    /// Something was put off to the next frame.
    more: bool,
    named: HashMap<String, Named>,
    resolver: Option<Arc<Resolver>>,
    epoch: u64,
    frame: u64,
    /// Seen in the last frame without a picture, in the order of the screen: (name, side).
    wanted: Vec<(String, u32)>,
    asked: usize,
    channel: (Sender<Made>, Receiver<Made>),
    arrived: VecDeque<Made>,
}

impl Default for Thumbs {
    fn default() -> Self {
        Self {
            ready: BTreeMap::new(),
            missing: None,
            waiting: None,
            seen: 0,
            left: 0,
            more: false,
            named: HashMap::new(),
            resolver: None,
            epoch: 0,
            frame: 0,
            wanted: Vec::new(),
            asked: 0,
            channel: crossbeam_channel::unbounded(),
            arrived: VecDeque::new(),
        }
    }
}

impl Thumbs {
    /// Call once at the start of a frame: pictures that changed are dropped, finished ones taken, wanted ones begun. True when
    /// there is more to do in the next frame.
    pub fn begin(&mut self, ctx: &egui::Context, library: &Library) -> bool {
        if library.generation() != self.seen {
            for id in library.changed_since(self.seen) {
                self.ready.remove(&id);
            }
            self.seen = library.generation();
        }
        self.left = PER_FRAME;
        self.frame += 1;
        let mut more = std::mem::take(&mut self.more);
        if let Some(resolver) = library.resolver()
            && self
                .resolver
                .as_ref()
                .is_none_or(|old| !Arc::ptr_eq(old, resolver))
        {
            self.resolver = Some(resolver.clone());
            self.epoch += 1;
            self.named.clear();
            self.wanted.clear();
        }
        more |= self.take_finished(ctx);
        self.ask(ctx);
        self.forget();
        more
    }

    /// Finished pictures become textures; true when some are left for the next frame.
    fn take_finished(&mut self, ctx: &egui::Context) -> bool {
        while let Ok(made) = self.channel.1.try_recv() {
            self.asked -= 1;
            if made.epoch == self.epoch {
                self.arrived.push_back(made);
            }
        }
        for _ in 0..UPLOADS {
            let Some(made) = self.arrived.pop_front() else {
                break;
            };
            if made.epoch != self.epoch {
                continue;
            }
            let state = match made.image {
                Err(reason) => Named::Lost(reason),
                Ok((image, size)) => Named::Ready(Shown {
                    handle: ctx.load_texture(format!("thumbnail {}", made.name), image, LOOK),
                    size,
                    side: made.side,
                    growing: false,
                    seen: self.frame,
                }),
            };
            self.named.insert(made.name, state);
        }
        !self.arrived.is_empty()
    }

    /// Workers decode what was wanted in the last frame; what has left the screen since is not wanted any more.
    fn ask(&mut self, ctx: &egui::Context) {
        let Some(resolver) = self.resolver.clone() else {
            return;
        };
        for (name, side) in std::mem::take(&mut self.wanted) {
            if self.asked >= MOST_ASKED {
                break;
            }
            match self.named.get_mut(&name) {
                None => {
                    self.named.insert(name.clone(), Named::Asked);
                }
                Some(Named::Ready(shown)) if shown.side < side && !shown.growing => {
                    shown.growing = true;
                }
                Some(_) => continue,
            }
            self.asked += 1;
            let (resolver, sender) = (resolver.clone(), self.channel.0.clone());
            let (ctx, epoch) = (ctx.clone(), self.epoch);
            rayon::spawn(move || {
                let image = match crate::task::caught(|| resolver.load(&name)) {
                    Ok(Some(Ok(picture))) => {
                        Ok((shrunk(&picture, side), [picture.width, picture.height]))
                    }
                    Ok(None) => Err("Not found"),
                    Ok(Some(Err(_))) | Err(_) => Err("Cannot be read"),
                };
                // The window may be gone; then nobody needs the answer.
                let _ = sender.send(Made {
                    name,
                    side,
                    epoch,
                    image,
                });
                ctx.request_repaint();
            });
        }
    }

    /// The longest unseen go first when there are too many.
    fn forget(&mut self) {
        let bytes = |shown: &Shown| shown.handle.size().iter().product::<usize>() * 4;
        let mut total = 0;
        let mut old: Vec<(u64, usize, String)> = Vec::new();
        for (name, named) in &self.named {
            if let Named::Ready(shown) = named {
                total += bytes(shown);
                if shown.seen + 1 < self.frame {
                    old.push((shown.seen, bytes(shown), name.clone()));
                }
            }
        }
        if total <= BUDGET {
            return;
        }
        old.sort();
        for (_, bytes, name) in old {
            if total <= BUDGET / 4 * 3 {
                break;
            }
            total -= bytes;
            self.named.remove(&name);
        }
    }

    /// Another library, or another context: everything is made anew.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The picture of a texture that need not be in the map, `pixels` wide on the screen. Never waits.
    pub fn named(&mut self, ctx: &egui::Context, name: &str, pixels: f32) -> Thumb {
        let side = if pixels > SIDE as f32 * 1.25 {
            LARGE_SIDE
        } else {
            SIDE
        };
        if name.is_empty() {
            return Thumb {
                picture: self.waiting(ctx),
                state: ThumbState::Plain,
            };
        }
        let frame = self.frame;
        match self.named.get_mut(name) {
            Some(Named::Ready(shown)) => {
                shown.seen = frame;
                let thumb = Thumb {
                    picture: shown.handle.id(),
                    state: ThumbState::Ready(shown.size),
                };
                let has_more = shown.size[0].max(shown.size[1]) > shown.side;
                if shown.side < side && has_more && !shown.growing {
                    self.want(ctx, name, side);
                }
                thumb
            }
            Some(Named::Lost(reason)) => {
                let state = ThumbState::Lost(reason);
                Thumb {
                    picture: self.missing(ctx),
                    state,
                }
            }
            asked => {
                if asked.is_none() {
                    self.want(ctx, name, side);
                }
                Thumb {
                    picture: self.waiting(ctx),
                    state: ThumbState::Loading,
                }
            }
        }
    }

    fn want(&mut self, ctx: &egui::Context, name: &str, side: u32) {
        self.wanted.push((name.to_owned(), side));
        // With all workers busy the frame that the next answer brings is soon enough.
        if self.asked < MOST_ASKED {
            ctx.request_repaint();
        }
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
                let image = shrunk(picture, SIDE);
                let handle = ctx.load_texture(format!("thumbnail {}", id.0), image, LOOK);
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

/// The picture with its longer side at most `side`, each pixel the mean of those it stands for.
fn shrunk(picture: &Picture, side: u32) -> ColorImage {
    let (w, h) = (picture.width.max(1), picture.height.max(1));
    let scale = (f64::from(side) / f64::from(w.max(h))).min(1.0);
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
        let small = shrunk(&picture, 96);
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
        assert_eq!(shrunk(&tiny, 96).pixels, [egui::Color32::from_rgb(1, 2, 3)]);
    }
}
