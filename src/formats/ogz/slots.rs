//! What a face's texture index means: virtual slots with their inheritance, resolved to a picture and its placing
//! (`ogz.md` 7 and 10.2).

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::formats::Siblings;
use crate::formats::ogz::config::Config;
use crate::formats::ogz::config::TextureSlot;
use crate::formats::ogz::raw::Fill;
use crate::formats::ogz::raw::RawMap;
use crate::formats::ogz::raw::VirtualSlot;

/// What stands for the side of a picture that was not found (`hmap.md` 2.5).
const GUESSED: u32 = 64;
const LARGEST: u32 = 65_536;

/// The slot of the sky.
pub const SKY: u16 = 0;
/// The slot that stands for those that do not exist.
const FALLBACK: usize = 1;

/// A texture index of the map with all that it inherits.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// As on the faces.
    pub index: u16,
    /// Number in the list of textures.
    pub number: usize,
    /// From the game's root; `None` when nothing tells which picture it was.
    pub picture: Option<String>,
    /// The six sides are there, though not the picture itself.
    pub is_sky_box: bool,
    /// Pixels, or what stands for them.
    pub size: [u32; 2],
    pub was_found: bool,
    /// Positive.
    pub scale: f32,
    /// 0 to 7.
    pub rotation: u8,
    /// Texels.
    pub offset: [i32; 2],
    pub scroll: [f32; 2],
    pub layer: i32,
    /// Front and back.
    pub alpha: [f32; 2],
    pub color: [f32; 3],
    pub shader: String,
    /// Pictures beside the colour.
    pub others: usize,
    /// The picture that its shader adds without any light, from the game's root.
    pub glow: Option<String>,
    /// That picture is the colour itself, in full: light makes no difference that matters.
    pub shines: bool,
    /// Of the texture slot, see there.
    pub shader_commands: Arc<Vec<String>>,
    pub commands: Arc<Vec<String>>,
    /// Of the virtual slot.
    pub parameters: Vec<(String, [f32; 4])>,
    /// The picture of [`Resolved::layer`], from the game's root.
    pub layer_picture: Option<String>,
    /// The index or its number is not in the lists: what is shown is another slot, or none.
    pub is_unresolved: bool,
}

/// All indices that are on cubes of a map, and 0 and 1.
pub struct Slots {
    list: Vec<Resolved>,
    /// Index to its place in the list.
    places: Vec<u32>,
    /// The list of textures that the map was drawn with, so far as it is known.
    pub known: usize,
}

/// Not in the list.
const NONE: u32 = u32::MAX;

impl Slots {
    /// Looks at every face and asks for the sizes of their pictures.
    #[must_use]
    pub fn new(map: &RawMap, config: &Config, siblings: &dyn Siblings) -> Self {
        let mut used = vec![false; 1 << 16];
        used[usize::from(SKY)] = true;
        used[FALLBACK] = true;
        for leaf in &map.tree.leaves {
            if leaf.fill != Fill::Empty {
                for texture in leaf.textures {
                    used[usize::from(texture)] = true;
                }
            }
        }
        let numbers = numbers(&map.slots);
        let count = map.slots.iter().filter(|slot| slot.unmodified).count();
        let numbered = config.numbered((count > 0).then_some(count));
        let lists = Lists {
            slots: &map.slots,
            numbers,
            numbered: &numbered,
            is_whole: config.is_whole() && !config.slots.is_empty(),
        };
        let mut places = vec![NONE; used.len()];
        let mut list: Vec<Resolved> = Vec::new();
        let mut by_picture: HashMap<(Option<String>, bool), usize> = HashMap::new();
        for index in (0..=u16::MAX).filter(|&index| used[usize::from(index)]) {
            places[usize::from(index)] = list.len() as u32;
            let (mut resolved, prefers_dds) = lists.resolved(index);
            match by_picture.entry((resolved.picture.clone(), prefers_dds)) {
                Entry::Occupied(known) => resolved.take_picture_of(&list[*known.get()]),
                Entry::Vacant(free) => {
                    free.insert(list.len());
                    resolved.look_up(prefers_dds, siblings);
                }
            }
            list.push(resolved);
        }
        Self {
            list,
            places,
            known: numbered.iter().flatten().count(),
        }
    }

    /// The slot of an index. One that is on no cube is the second, as in the game.
    #[must_use]
    pub fn resolve(&self, index: u16) -> &Resolved {
        let place = match self.places[usize::from(index)] {
            NONE => self.places[FALLBACK],
            place => place,
        };
        &self.list[place as usize]
    }

    /// By index.
    pub fn iter(&self) -> impl Iterator<Item = &Resolved> {
        self.list.iter()
    }
}

impl Resolved {
    fn take_picture_of(&mut self, other: &Self) {
        self.picture.clone_from(&other.picture);
        self.size = other.size;
        self.was_found = other.was_found;
        self.is_sky_box = other.is_sky_box;
    }

    /// Finds the picture, or the sides of a sky that goes by this name.
    fn look_up(&mut self, prefers_dds: bool, siblings: &dyn Siblings) {
        let Some(picture) = &mut self.picture else {
            return;
        };
        if prefers_dds && let Some((stem, _)) = picture.rsplit_once('.') {
            let dds = format!("{stem}.dds");
            if siblings.has(&dds) {
                *picture = dds;
            }
        }
        let size = siblings
            .texture_size(picture, &[])
            .filter(|size| size.iter().all(|side| (1..=LARGEST).contains(side)));
        self.was_found = size.is_some();
        self.size = size.unwrap_or([GUESSED; 2]);
        self.is_sky_box = !self.was_found
            && sky_sides(picture)
                .iter()
                .all(|side| siblings.texture_size(side, &[]).is_some());
    }
}

/// Names of the six pictures of a sky box: -X, +X, -Y, +Y, -Z, +Z of the file's axes. A `*` stands for the side.
#[must_use]
pub fn sky_sides(base: &str) -> [String; 6] {
    ["lf", "rt", "ft", "bk", "dn", "up"].map(|side| {
        if base.contains('*') {
            base.replace('*', side)
        } else {
            format!("{base}_{side}")
        }
    })
}

/// Number in the list of textures of each virtual slot; `NONE` for one that leads nowhere or round in a circle.
fn numbers(slots: &[VirtualSlot]) -> Vec<u32> {
    /// Not looked at yet.
    const OPEN: u32 = NONE - 1;
    let mut own = 0..;
    let mut numbers: Vec<u32> = slots
        .iter()
        .map(|slot| {
            if slot.unmodified {
                own.next().unwrap_or(NONE)
            } else {
                OPEN
            }
        })
        .collect();
    let mut chain = Vec::new();
    for start in 0..slots.len() {
        let mut at = start;
        let number = loop {
            match numbers.get(at) {
                Some(&OPEN) => {}
                Some(&number) => break number,
                None => break NONE,
            }
            // Whoever comes by here again went round in a circle.
            numbers[at] = NONE;
            chain.push(at);
            at = usize::try_from(slots[at].previous).unwrap_or(usize::MAX);
        };
        for place in chain.drain(..) {
            numbers[place] = number;
        }
    }
    numbers
}

struct Lists<'a> {
    slots: &'a [VirtualSlot],
    numbers: Vec<u32>,
    numbered: &'a [Option<&'a TextureSlot>],
    is_whole: bool,
}

impl Lists<'_> {
    /// The second value: a picture of the same name that ends in `.dds` goes before.
    fn resolved(&self, index: u16) -> (Resolved, bool) {
        let place = usize::from(index);
        let own = self.slots.get(place);
        let number = match own {
            // Before version 30, and where none are stored, the index is the number.
            None if self.slots.is_empty() => Some(place),
            None => None,
            Some(_) => Some(self.numbers[place])
                .filter(|&number| number != NONE)
                .map(|number| number as usize),
        };
        let in_list = |number: usize| self.numbered.get(number).copied().flatten();
        let slot = number.and_then(in_list);
        // What the game shows instead, as far as the list is known to be the game's.
        let fallback = || match number {
            Some(_) if !self.is_whole => None,
            _ => in_list(FALLBACK),
        };
        let shown = slot.or_else(fallback);
        let plain = TextureSlot::new("");
        let inherited = shown.unwrap_or(&plain);
        // A slot that does not exist brings no changes along, neither to what the game shows instead.
        let changes = own
            .filter(|_| slot.is_some() || number.is_some() && shown.is_none())
            .cloned()
            .unwrap_or_default();
        let scale = changes.scale.unwrap_or(inherited.scale);
        let glow = glow(inherited, &changes);
        let layer = changes.layer.unwrap_or(inherited.layer);
        let resolved = Resolved {
            index,
            number: number.unwrap_or(FALLBACK),
            picture: shown
                .map(|slot| slot.picture.clone())
                .filter(|picture| !picture.is_empty()),
            is_sky_box: false,
            size: [GUESSED; 2],
            was_found: false,
            scale: if scale > 0.0 && scale.is_finite() {
                scale
            } else {
                1.0
            },
            rotation: changes.rotation.unwrap_or(inherited.rotation).min(7),
            offset: changes.offset.unwrap_or(inherited.offset),
            scroll: changes.scroll.unwrap_or(inherited.scroll),
            layer,
            layer_picture: usize::try_from(layer)
                .ok()
                .filter(|&layer| layer > 0)
                .and_then(|layer| {
                    if self.slots.is_empty() {
                        in_list(layer)
                    } else {
                        in_list(*self.numbers.get(layer)? as usize)
                    }
                })
                .map(|slot| slot.picture.clone()),
            shader_commands: Arc::clone(&inherited.shader_commands),
            commands: Arc::clone(&inherited.commands),
            parameters: changes.shader_parameters,
            alpha: changes.alpha.unwrap_or(inherited.alpha),
            color: changes.color.unwrap_or(inherited.color),
            shader: inherited.shader.clone(),
            others: inherited.others,
            shines: glow.is_some_and(|(picture, color)| {
                *picture == inherited.picture && color.iter().all(|&part| part >= 1.0)
            }),
            glow: glow.map(|(picture, _)| picture.clone()),
            is_unresolved: slot.is_none(),
        };
        (resolved, inherited.prefers_dds)
    }
}

/// The picture that the slot's shader adds and what that is multiplied by; `None` where nothing glows.
fn glow<'a>(slot: &'a TextureSlot, changes: &VirtualSlot) -> Option<(&'a String, [f32; 3])> {
    let picture = slot.glow.as_ref()?;
    let changed = changes
        .shader_parameters
        .iter()
        .find(|(name, _)| name == "glowcolor")
        .map(|&(_, [red, green, blue, _])| [red, green, blue]);
    let color = changed.or(slot.glow_color).unwrap_or([1.0; 3]);
    let glows = slot.shader.to_ascii_lowercase().contains("glow");
    (glows && color.iter().any(|&part| part > 0.0)).then_some((picture, color))
}
