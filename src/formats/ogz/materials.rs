//! Materials of the document: one for each picture, colour scale, see-through copy and set of effects; and those whose names tell
//! what a volume is (`ogz.md` 9 and 10.3).

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::collections::HashSet;

use glam::Vec3;

use crate::document::Document;
use crate::document::Draft;
use crate::document::Kind;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::ObjectId;
use crate::document::SurfaceFlags;
use crate::formats::Report;
use crate::formats::ogz::config::Config;
use crate::formats::ogz::config::quoted;
use crate::formats::ogz::effects::Effects;
use crate::formats::ogz::effects::MATERIAL;
use crate::formats::ogz::effects::MODEL;
use crate::formats::ogz::effects::SOUND;
use crate::formats::ogz::effects::VOLUME;
use crate::formats::ogz::mapping::tile_size;
use crate::formats::ogz::raw::Value;
use crate::formats::ogz::raw::material;
use crate::formats::ogz::slots::Resolved;
use crate::formats::ogz::slots::SKY;
use crate::formats::ogz::slots::Slots;
use crate::formats::ogz::slots::sky_sides;

/// The name of the material of sky faces.
pub const SKY_NAME: &str = "sky";
/// The name of the material of faces that nothing shows.
pub const HIDDEN_NAME: &str = "hidden";
/// The material of boxes in which players die.
pub const DEATH_NAME: &str = "death";

/// Most that one line of the report lists.
const MOST_LISTED: usize = 12;

/// What slots must share to share a material.
#[derive(PartialEq, Eq, Hash)]
struct Look {
    /// The picture, or the index of a slot that has none of its own.
    picture: Result<String, u16>,
    /// Bits of the numbers, so that they compare.
    color: [u32; 3],
    is_translucent: bool,
    shines: bool,
    /// As `ORIG` keeps them.
    effects: Vec<(&'static str, String)>,
}

/// A material of drawn faces.
struct Used {
    name: String,
    /// On these faces.
    indices: BTreeSet<u16>,
    /// As `ORIG` keeps them.
    effects: Vec<(&'static str, String)>,
}

/// Makes materials as they are asked for.
pub struct Materials<'a> {
    slots: &'a Slots,
    config: &'a Config,
    by_index: HashMap<(u16, bool), MaterialId>,
    by_look: HashMap<Look, MaterialId>,
    by_name: HashMap<&'static str, MaterialId>,
    taken: HashSet<String>,
    used: BTreeMap<MaterialId, Used>,
}

impl<'a> Materials<'a> {
    #[must_use]
    pub fn new(slots: &'a Slots, config: &'a Config) -> Self {
        let fixed = [SKY_NAME, HIDDEN_NAME, DEATH_NAME, "clip", "gameclip"];
        let volumes = ["water", "lava", "glass"].iter().flat_map(|name| {
            [(*name).to_owned()]
                .into_iter()
                .chain((2..=4).map(move |number| format!("{name}{number}")))
        });
        Self {
            slots,
            config,
            by_index: HashMap::new(),
            by_look: HashMap::new(),
            by_name: HashMap::new(),
            taken: fixed
                .iter()
                .map(|&name| name.to_owned())
                .chain(volumes)
                .collect(),
            used: BTreeMap::new(),
        }
    }

    /// The material of a drawn face. `is_translucent`: of a cube that is see-through.
    pub fn of(&mut self, index: u16, is_translucent: bool, draft: &mut Draft) -> MaterialId {
        if index == SKY {
            return self.sky(draft);
        }
        if let Some(&id) = self.by_index.get(&(index, is_translucent)) {
            return id;
        }
        let slot = self.slots.resolve(index);
        // A number that is not in the list keeps its own material, so that it can be given another picture.
        let own = if slot.is_unresolved {
            None
        } else {
            slot.picture.clone()
        };
        let look = Look {
            picture: own.ok_or(slot.index),
            color: slot.color.map(f32::to_bits),
            is_translucent,
            shines: slot.shines,
            effects: Effects::of(slot).settings(),
        };
        let id = match self.by_look.get(&look) {
            Some(&id) => id,
            None => {
                let name = self.free_name(&name_of(slot, &look));
                let made = material_of(slot, name.clone(), is_translucent);
                let id = draft.insert_material(made);
                let used = Used {
                    name,
                    indices: BTreeSet::new(),
                    effects: look.effects.clone(),
                };
                self.by_look.insert(look, id);
                self.used.insert(id, used);
                id
            }
        };
        self.by_index.insert((index, is_translucent), id);
        if let Some(used) = self.used.get_mut(&id) {
            used.indices.insert(index);
        }
        id
    }

    fn free_name(&mut self, base: &str) -> String {
        let mut name = base.to_owned();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}#{number}");
        }
        name
    }

    /// The window to the sky.
    pub fn sky(&mut self, draft: &mut Draft) -> MaterialId {
        let slot = self.slots.resolve(SKY);
        // What is overhead stands for the whole.
        let texture = slot.picture.as_ref().map(|picture| {
            let [.., up] = sky_sides(picture);
            if slot.is_sky_box { up } else { picture.clone() }
        });
        self.fixed(SKY_NAME, draft, || Material {
            tile_size: tile_size(slot),
            flags: SurfaceFlags::SKY,
            ..Material::new(SKY_NAME, texture.unwrap_or_default())
        })
    }

    /// Faces that nothing shows.
    pub fn hidden(&mut self, draft: &mut Draft) -> MaterialId {
        self.fixed(HIDDEN_NAME, draft, || Material {
            flags: SurfaceFlags::NODRAW,
            ..Material::new(HIDDEN_NAME, "")
        })
    }

    /// Boxes in which players die.
    pub fn death(&mut self, draft: &mut Draft) -> MaterialId {
        self.fixed(DEATH_NAME, draft, || Material {
            flags: SurfaceFlags::NODRAW,
            ..Material::new(DEATH_NAME, "")
        })
    }

    /// Boxes that stop players (`clip`) or what the game's rules say (`gameclip`). `None` for bits that do neither.
    pub fn clip(&mut self, bits: u16, draft: &mut Draft) -> Option<MaterialId> {
        let name = match bits & material::CLIP_BITS {
            material::CLIP => "clip",
            material::GAME_CLIP => "gameclip",
            _ => return None,
        };
        Some(self.fixed(name, draft, || Material {
            flags: SurfaceFlags::NODRAW,
            ..Material::new(name, "")
        }))
    }

    /// Water, lava and glass by the bits of a cube; `None` for air.
    pub fn volume(&mut self, bits: u16, draft: &mut Draft) -> Option<MaterialId> {
        const NAMES: [[&str; 4]; 3] = [
            ["water", "water2", "water3", "water4"],
            ["lava", "lava2", "lava3", "lava4"],
            ["glass", "glass2", "glass3", "glass4"],
        ];
        let default = volume_color(bits)?;
        let (kind, flags) = match bits & material::VOLUME {
            material::WATER => (0, SurfaceFlags::TRANSLUCENT),
            material::LAVA => (1, SurfaceFlags::UNLIT),
            material::GLASS => (2, SurfaceFlags::TRANSLUCENT | SurfaceFlags::NO_SHADOW),
            _ => return None,
        };
        let name = NAMES[kind][usize::from(bits & material::INDEX)];
        let packed = match self.config.variables.get(&format!("{name}colour")) {
            // A colour of 0 is none.
            Some(&Value::Int(color)) if color != 0 => color.cast_unsigned(),
            _ => default,
        };
        let picture = self
            .config
            .materials
            .get(name)
            .filter(|_| kind == 1)
            .map_or("", |slot| slot.picture.as_str());
        Some(self.fixed(name, draft, || Material {
            color: unpacked(packed),
            flags,
            ..Material::new(name, picture)
        }))
    }

    fn fixed(
        &mut self,
        name: &'static str,
        draft: &mut Draft,
        made: impl FnOnce() -> Material,
    ) -> MaterialId {
        *self
            .by_name
            .entry(name)
            .or_insert_with(|| draft.insert_material(made()))
    }

    /// What `ORIG` keeps of the materials that were made (`hmap.md` 6.8).
    #[must_use]
    pub fn settings(&self) -> Vec<(String, String)> {
        let mut settings = Vec::new();
        for used in self.used.values() {
            let mut put = |property: &str, value: String| {
                settings.push((format!("{MATERIAL}{}/{property}", used.name), value));
            };
            let words: Vec<String> = used.indices.iter().map(u16::to_string).collect();
            put("slot", words.join(" "));
            for (property, value) in &used.effects {
                put(property, value.clone());
            }
            for &index in &used.indices {
                if let Some(glow) = &self.slots.resolve(index).glow {
                    put("glow", format!("{index}: {glow}"));
                }
            }
        }
        for (name, slot) in &self.config.materials {
            let picture = slot.picture.strip_prefix("packages/");
            let picture = quoted(picture.unwrap_or(&slot.picture));
            let (rotation, [x, y], scale) = (slot.rotation, slot.offset, slot.scale);
            let mut commands = slot.shader_commands.to_vec();
            commands.insert(0, format!("setshader \"{}\"", quoted(&slot.shader)));
            commands.push(format!(
                "texture \"{}\" \"{picture}\" {rotation} {x} {y} {scale}",
                quoted(name)
            ));
            commands.extend(slot.commands.iter().cloned());
            settings.push((format!("{VOLUME}{name}"), commands.join("; ")));
        }
        for (name, words) in &self.config.sound_words {
            settings.push((format!("{SOUND}{name}"), words.clone()));
        }
        for (name, words) in &self.config.model_words {
            settings.push((format!("{MODEL}{name}"), words.clone()));
        }
        settings
    }

    /// What was not there or could not come along, in a line for each kind and folder, with the objects of the map that show it.
    pub fn report(&self, doc: &Document, report: &mut Report) {
        for name in &self.config.missing {
            let text = format!(
                "{name} is not there; textures that it lists have no picture, the others keep their numbers"
            );
            report.warn("I-MISSING-CONFIG", None, None, text);
        }
        if !self.config.has_own {
            let text = "the map has no configuration (.cfg) beside it; its textures are those of the game's default list";
            report.warn("I-MISSING-CONFIG", None, None, text);
        }
        if self.config.passed_over > 0 {
            let text = format!(
                "{} commands of the configuration were passed over",
                self.config.passed_over
            );
            report.warn("I-CONFIG", None, None, text);
        }
        let drawn: BTreeSet<u16> = self
            .used
            .values()
            .flat_map(|used| &used.indices)
            .copied()
            .collect();
        let drawn: Vec<&Resolved> = drawn
            .iter()
            .map(|&index| self.slots.resolve(index))
            .collect();
        let users = users(doc);
        self.report_missing(&drawn, &users, report);
        let unresolved: Vec<u16> = drawn
            .iter()
            .filter(|slot| slot.is_unresolved)
            .map(|slot| slot.index)
            .collect();
        if !unresolved.is_empty() {
            let words: Vec<String> = unresolved.iter().map(u16::to_string).collect();
            let text = format!(
                "{} texture slots are not in the map's lists: {}",
                unresolved.len(),
                listed(&words)
            );
            let objects = self.showing(&unresolved, &users);
            report.warn_of("I-UNRESOLVED-SLOT", objects, text);
        }
        let count = |has: fn(&Resolved) -> bool| drawn.iter().filter(|slot| has(slot)).count();
        let others = count(|slot| slot.others > 0);
        let layers = count(|slot| slot.layer != 0);
        let scrolling = count(|slot| slot.scroll != [0.0; 2]);
        if others + layers + scrolling > 0 {
            let text = format!(
                "{others} texture slots have pictures for normals, shine, glow or heights, {layers} a layer for the blend map, \
                 {scrolling} scroll; only the colour is shown, and it stands still"
            );
            let has_effect =
                |slot: &&&Resolved| slot.others > 0 || slot.layer != 0 || slot.scroll != [0.0; 2];
            let plain: Vec<u16> = drawn
                .iter()
                .filter(has_effect)
                .map(|slot| slot.index)
                .collect();
            report.warn_of("I-PLAIN-TEXTURES", self.showing(&plain, &users), text);
        }
        self.report_glow(&drawn, &users, report);
    }

    /// Slots that shine by themselves, and those of which only a part does.
    fn report_glow(&self, drawn: &[&Resolved], users: &Users, report: &mut Report) {
        let indices = |is_wanted: fn(&Resolved) -> bool| -> Vec<u16> {
            let wanted = drawn.iter().filter(|slot| is_wanted(slot));
            wanted.map(|slot| slot.index).collect()
        };
        let whole = indices(|slot| slot.shines);
        if !whole.is_empty() {
            let text = format!(
                "{} by themselves; shown in full, without light",
                say_slots(whole.len(), "glows", "glow")
            );
            report.warn_of("I-GLOW", self.showing(&whole, users), text);
        }
        let parts = indices(|slot| slot.glow.is_some() && !slot.shines);
        if !parts.is_empty() {
            let text = format!(
                "{} in parts or with another strength, by pictures of their own; shown with light alone",
                say_slots(parts.len(), "glows", "glow")
            );
            report.warn_of("I-GLOW-PART", self.showing(&parts, users), text);
        }
    }

    /// The objects with one of these slots on them.
    fn showing(&self, slots: &[u16], users: &Users) -> Vec<ObjectId> {
        let materials: BTreeSet<MaterialId> = slots
            .iter()
            .flat_map(|&slot| [(slot, false), (slot, true)])
            .filter_map(|look| self.by_index.get(&look).copied())
            .collect();
        let objects: BTreeSet<ObjectId> = materials
            .iter()
            .filter_map(|material| users.get(material))
            .flatten()
            .copied()
            .collect();
        objects.into_iter().collect()
    }

    fn report_missing(&self, drawn: &[&Resolved], users: &Users, report: &mut Report) {
        let mut folders: BTreeMap<&str, (BTreeSet<&str>, Vec<u16>)> = BTreeMap::new();
        for slot in drawn {
            if let Some(picture) = &slot.picture
                && !slot.was_found
                && !slot.is_sky_box
            {
                let (folder, file) = picture.rsplit_once('/').unwrap_or(("", picture));
                let (files, slots) = folders.entry(folder).or_default();
                files.insert(file);
                slots.push(slot.index);
            }
        }
        for (folder, (files, slots)) in folders {
            let words: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
            let text = format!(
                "{folder}: {} not found: {}",
                say_pictures(files.len()),
                listed(&words)
            );
            report.warn_of("I-MISSING-TEXTURE", self.showing(&slots, users), text);
        }
    }
}

/// Objects by the materials on them.
type Users = BTreeMap<MaterialId, Vec<ObjectId>>;

fn users(doc: &Document) -> Users {
    let mut users = Users::new();
    for (id, object) in doc.objects() {
        let materials: BTreeSet<MaterialId> = match &object.kind {
            Kind::Brush(brush) => brush
                .faces()
                .iter()
                .filter_map(|face| face.material)
                .collect(),
            Kind::Mesh(mesh) => mesh
                .polygons
                .iter()
                .filter_map(|polygon| polygon.material)
                .collect(),
            Kind::Entity(_) | Kind::Group(_) => continue,
        };
        for material in materials {
            users.entry(material).or_default().push(id);
        }
    }
    users
}

fn say_slots(count: usize, one: &str, many: &str) -> String {
    if count == 1 {
        format!("1 texture slot {one}")
    } else {
        format!("{count} texture slots {many}")
    }
}

fn say_pictures(count: usize) -> String {
    if count == 1 {
        "1 picture".to_owned()
    } else {
        format!("{count} pictures")
    }
}

fn listed(words: &[String]) -> String {
    let shown = words[..words.len().min(MOST_LISTED)].join(", ");
    if words.len() > MOST_LISTED {
        format!("{shown}, ...")
    } else {
        shown
    }
}

/// 0xRRGGBB of water, lava and glass by the bits of a cube, where no variable says otherwise; `None` for air.
#[must_use]
pub fn volume_color(bits: u16) -> Option<u32> {
    match bits & material::VOLUME {
        material::WATER => Some(0x0014_4650),
        material::LAVA => Some(0x00FF_4000),
        material::GLASS => Some(0x0020_80C0),
        _ => None,
    }
}

/// 0xRRGGBB to 0..1.
fn unpacked(color: u32) -> Vec3 {
    Vec3::from([16, 8, 0].map(|shift| ((color >> shift) & 255) as f32 / 255.0))
}

/// A pale colour for a slot whose picture nobody names: numbers that follow each other differ most.
fn stand_in(index: u16) -> Vec3 {
    const GOLDEN_RATIO: f32 = 0.618_034;
    const PALENESS: f32 = 0.75;
    const BRIGHTNESS: f32 = 0.8;
    let hue = (f32::from(index) * GOLDEN_RATIO).fract();
    let part = |shift: f32| {
        let away = ((hue + shift).fract() * 6.0 - 3.0).abs() - 1.0;
        BRIGHTNESS * (PALENESS + (1.0 - PALENESS) * away.clamp(0.0, 1.0))
    };
    Vec3::new(part(0.0), part(2.0 / 3.0), part(1.0 / 3.0))
}

fn name_of(slot: &Resolved, look: &Look) -> String {
    let Ok(picture) = &look.picture else {
        return format!("slot{}", slot.index);
    };
    let inside = picture.strip_prefix("packages/").unwrap_or(picture);
    match inside.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && !ending.contains('/') => stem.to_owned(),
        _ => inside.to_owned(),
    }
}

fn material_of(slot: &Resolved, name: String, is_translucent: bool) -> Material {
    let mut flags = SurfaceFlags::default();
    if is_translucent {
        flags = flags | SurfaceFlags::TRANSLUCENT;
    }
    if slot.shines {
        flags = flags | SurfaceFlags::UNLIT;
    }
    if !slot.was_found {
        flags = flags | SurfaceFlags::SIZE_GUESSED;
    }
    let color = if slot.picture.is_some() {
        Vec3::from(slot.color.map(|part| {
            if part.is_finite() {
                part.clamp(0.0, 1.0)
            } else {
                1.0
            }
        }))
    } else {
        stand_in(slot.index)
    };
    Material {
        tile_size: tile_size(slot),
        color,
        flags,
        ..Material::new(name, slot.picture.clone().unwrap_or_default())
    }
}
