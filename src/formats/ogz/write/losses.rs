//! What brushes that are written lose of their looks.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::document::Brush;
use crate::document::Document;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::ObjectId;
use crate::document::SurfaceFlags;
use crate::formats::Report;
use crate::formats::ogz::effects::Effects;
use crate::formats::ogz::materials::HIDDEN_NAME;

/// Bits of surfaces that the game has nothing for, and what they say.
const FLAGS: [(SurfaceFlags, &str); 5] = [
    (
        SurfaceFlags::NODRAW,
        "faces that are not drawn; the game draws them where nothing covers them",
    ),
    (
        SurfaceFlags::UNLIT,
        "faces that no light changes; in the game it does",
    ),
    (
        SurfaceFlags::NO_SHADOW,
        "faces that light passes through; in the game they throw shadows",
    ),
    (
        SurfaceFlags::MASKED,
        "faces with holes in their textures; in the game these are closed",
    ),
    (
        SurfaceFlags::NEAREST,
        "faces with coarse pixels; in the game they are smooth",
    ),
];

/// Most names that one line lists.
const MOST_LISTED: usize = 12;

/// Collects while brushes are written.
pub struct Losses<'a> {
    doc: &'a Document,
    /// What the game does to textures that came from it, by the names of materials.
    effects: BTreeMap<&'a str, Effects>,
    /// Objects by the bit of [`FLAGS`], with the faces of each.
    flags: [BTreeMap<ObjectId, usize>; FLAGS.len()],
    /// Objects by the materials that are drawn on them.
    users: BTreeMap<MaterialId, BTreeSet<ObjectId>>,
}

impl<'a> Losses<'a> {
    #[must_use]
    pub fn new(doc: &'a Document, settings: &'a [(String, String)]) -> Self {
        Self {
            doc,
            effects: Effects::of_settings(settings),
            flags: Default::default(),
            users: BTreeMap::new(),
        }
    }

    /// A brush that becomes solid cubes.
    pub fn look_at(&mut self, id: ObjectId, brush: &Brush) {
        for face in brush.faces() {
            let material = face.material.and_then(|id| self.doc.material(id));
            let of_material = material.map(|material| material.flags).unwrap_or_default();
            if of_material.has(SurfaceFlags::SKY)
                || material.is_some_and(|material| material.name == HIDDEN_NAME)
            {
                continue;
            }
            let mut all = of_material | face.flags;
            // What shines here glows there, and goes back with its picture for that.
            let effects = material.and_then(|material| self.effects.get(material.name.as_str()));
            if effects.is_some_and(|effects| !effects.commands.is_empty()) {
                all = all.without(SurfaceFlags::UNLIT);
            }
            for ((flag, _), objects) in FLAGS.iter().zip(&mut self.flags) {
                if all.has(*flag) {
                    *objects.entry(id).or_insert(0) += 1;
                }
            }
            if let Some(material) = face.material
                && !all.has(SurfaceFlags::NODRAW)
            {
                self.users.entry(material).or_default().insert(id);
            }
        }
    }

    /// Brushes that are not written after all.
    pub fn leave<T>(&mut self, left_out: &BTreeMap<ObjectId, T>) {
        for objects in &mut self.flags {
            objects.retain(|id, _| !left_out.contains_key(id));
        }
        for objects in self.users.values_mut() {
            objects.retain(|id| !left_out.contains_key(id));
        }
        self.users.retain(|_, objects| !objects.is_empty());
    }

    /// `is_from_game`: the map was imported from one of the game.
    pub fn report(
        &self,
        report: &mut Report,
        is_from_game: bool,
        size_of: &dyn Fn(&Material) -> Option<[u32; 2]>,
    ) {
        for ((_, words), objects) in FLAGS.iter().zip(&self.flags) {
            let faces: usize = objects.values().sum();
            if faces > 0 {
                let ids = objects.keys().copied().collect();
                report.warn_of("X-SURFACE", ids, format!("{faces} {words}"));
            }
        }
        let nameless = |material: &Material| material.texture.is_empty();
        self.tell(report, nameless, |count| {
            format!("{count} no picture; the game looks for one of that name")
        });
        if !is_from_game {
            let unknown = |material: &Material| !nameless(material) && size_of(material).is_none();
            self.tell(report, unknown, |count| {
                format!("{count} a picture of unknown size; it was taken for 8 pixels on a unit")
            });
        }
        let layered = |material: &Material| {
            let effects = self.effects.get(material.name.as_str());
            effects.is_some_and(|effects| effects.layer.is_some())
        };
        self.tell(report, layered, |count| {
            format!("{count} a layer that the map's blend map mixed in; that is not written")
        });
    }

    /// One row for the drawn materials of a kind.
    fn tell(
        &self,
        report: &mut Report,
        is_meant: impl Fn(&Material) -> bool,
        words: impl Fn(&str) -> String,
    ) {
        let mut names: Vec<&str> = Vec::new();
        let mut objects: BTreeSet<ObjectId> = BTreeSet::new();
        for (&id, users) in &self.users {
            let material = self.doc.material(id);
            if let Some(material) = material
                && !material.flags.has(SurfaceFlags::SKY)
                && is_meant(material)
            {
                names.push(&material.name);
                objects.extend(users);
            }
        }
        if names.is_empty() {
            return;
        }
        let count = match names.len() {
            1 => "1 material has".to_owned(),
            count => format!("{count} materials have"),
        };
        let listed = names[..names.len().min(MOST_LISTED)].join(", ");
        let more = if names.len() > MOST_LISTED {
            ", ..."
        } else {
            ""
        };
        let text = format!("{}: {listed}{more}", words(&count));
        report.warn_of("X-TEXTURE", objects.into_iter().collect(), text);
    }
}
