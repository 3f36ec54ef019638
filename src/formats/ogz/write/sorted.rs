//! What becomes of each object of a document: solid cubes, a box of some material, nothing.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::document::Brush;
use crate::document::Contents;
use crate::document::Document;
use crate::document::Kind;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::SurfaceFlags;
use crate::formats::Report;
use crate::formats::ogz::materials::DEATH_NAME;
use crate::formats::ogz::raw::material;

/// Bits of the material word of cubes that are boxes of something.
const FILLS: &[(&str, u16)] = &[
    ("water", material::WATER),
    ("lava", material::LAVA),
    // Glass stops nobody by itself.
    ("glass", material::GLASS | material::CLIP),
];

/// The document's brushes by what becomes of them.
pub struct Sorted<'a> {
    doc: &'a Document,
    /// With the bits of their cubes.
    pub solids: Vec<(ObjectId, &'a Brush, u16)>,
    pub fillings: Vec<(ObjectId, &'a Brush, u16)>,
    pub report: Report,
    /// By the reason.
    left_out: BTreeMap<&'static str, Vec<ObjectId>>,
}

impl<'a> Sorted<'a> {
    #[must_use]
    pub fn new(doc: &'a Document) -> Self {
        let mut sorted = Self {
            doc,
            solids: Vec::new(),
            fillings: Vec::new(),
            report: Report {
                format: "ogz",
                version: "33".to_owned(),
                ..Report::default()
            },
            left_out: BTreeMap::new(),
        };
        let mut unbuilt = Vec::new();
        for (id, object) in doc.objects_in_order() {
            if doc.is_left_out(id) {
                if !matches!(object.kind, Kind::Group(_)) {
                    unbuilt.push(id);
                }
                continue;
            }
            match &object.kind {
                Kind::Brush(brush) => sorted.add(id, object, brush),
                Kind::Mesh(_) => sorted.leave_out(id, "meshes are no cubes"),
                Kind::Entity(_) | Kind::Group(_) => {}
            }
        }
        if !unbuilt.is_empty() {
            let text = format!(
                "{} objects of layers that are not built were left out",
                unbuilt.len()
            );
            sorted.report.warn_of("X-NOT-BUILT", unbuilt, text);
        }
        sorted
    }

    fn add(&mut self, id: ObjectId, object: &Object, brush: &'a Brush) {
        let contents = brush.contents();
        let names: BTreeSet<&str> = self
            .faces_materials(brush)
            .map(|material| material.name.as_str())
            .collect();
        let name = if names.len() == 1 {
            names.first().copied()
        } else {
            None
        };
        if object.flags.has(ObjectFlags::SUBTRACT) {
            return self.leave_out(id, "what carves cannot be said; apply the carving first");
        }
        if let Some(bits) = name.and_then(fill_bits) {
            return self.fillings.push((id, brush, bits));
        }
        if contents.has(Contents::SKY) {
            // The game shows its sky wherever nothing is.
            return;
        }
        if contents.has(Contents::WATER) {
            return self.fillings.push((id, brush, material::WATER));
        }
        if contents.has(Contents::CLIP) {
            return self.fillings.push((id, brush, material::CLIP));
        }
        if contents.has(Contents::TRIGGER) {
            let is_deadly = self.owner_class(id) == Some("trigger_hurt");
            if is_deadly || name == Some(DEATH_NAME) {
                return self.fillings.push((id, brush, material::DEATH));
            }
            return self.leave_out(id, "the game has no triggers of this kind");
        }
        let is_clear = self
            .faces_materials(brush)
            .any(|material| material.flags.has(SurfaceFlags::TRANSLUCENT));
        let mut bits = 0;
        if !contents.has(Contents::SOLID) {
            bits |= material::NO_CLIP;
        }
        if is_clear {
            bits |= material::ALPHA;
        }
        self.solids.push((id, brush, bits));
    }

    fn faces_materials(&self, brush: &'a Brush) -> impl Iterator<Item = &'a Material> + use<'a> {
        let doc = self.doc;
        brush
            .faces()
            .iter()
            .filter_map(move |face| doc.material(face.material?))
    }

    fn owner_class(&self, id: ObjectId) -> Option<&'a str> {
        let owner = self.doc.owner(id)?;
        self.doc.entity(owner).map(|entity| entity.class.as_str())
    }

    pub fn leave_out(&mut self, id: ObjectId, reason: &'static str) {
        self.left_out.entry(reason).or_default().push(id);
    }

    /// Lists what was left out.
    pub fn tell_left_out(&mut self) {
        let doc = self.doc;
        for (reason, ids) in std::mem::take(&mut self.left_out) {
            let one = |id| format!("{} was left out: {reason}", words(doc, id));
            let all = format!(
                "{} were left out, each because {reason}",
                counted(doc, &ids)
            );
            rows(&mut self.report, "X-LEFT-OUT", ids, one, all);
        }
    }

    /// Those of the faces that become cubes, and of the sky.
    #[must_use]
    pub fn materials(&self, doc: &Document) -> Vec<MaterialId> {
        let faces = self.solids.iter().flat_map(|(_, brush, _)| brush.faces());
        let used: BTreeSet<MaterialId> = faces.filter_map(|face| face.material).collect();
        // The one of the sky tells its name, on whatever it is.
        let skies = doc
            .materials()
            .filter(|(_, material)| material.flags.has(SurfaceFlags::SKY))
            .map(|(id, _)| id);
        used.iter()
            .copied()
            .chain(skies.filter(|id| !used.contains(id)))
            .collect()
    }
}

/// What people find an object by.
pub fn words(doc: &Document, id: ObjectId) -> String {
    let kind = match doc.object(id).map(|object| &object.kind) {
        Some(Kind::Brush(_)) => "brush",
        Some(Kind::Mesh(_)) => "mesh",
        Some(Kind::Entity(entity)) => return format!("{} {}", entity.class, id.get()),
        Some(Kind::Group(_)) | None => "object",
    };
    format!("{kind} {}", id.get())
}

/// How many of what kind.
fn counted(doc: &Document, ids: &[ObjectId]) -> String {
    let is = |is_meant: fn(&Kind) -> bool| {
        let mut objects = ids.iter().filter_map(|&id| doc.object(id));
        objects.all(|object| is_meant(&object.kind))
    };
    let kind = if is(|kind| matches!(kind, Kind::Brush(_))) {
        "brushes"
    } else if is(|kind| matches!(kind, Kind::Mesh(_))) {
        "meshes"
    } else if is(|kind| matches!(kind, Kind::Entity(_))) {
        "entities"
    } else {
        "objects"
    };
    format!("{} {kind}", ids.len())
}

/// A row for each of few objects, else one for all.
pub fn rows(
    report: &mut Report,
    code: &'static str,
    ids: Vec<ObjectId>,
    one: impl Fn(ObjectId) -> String,
    all: String,
) {
    /// More would bury the other rows.
    const MOST_ROWS: usize = 40;
    if ids.len() > MOST_ROWS {
        return report.warn_of(code, ids, all);
    }
    for id in ids {
        report.warn(code, None, Some(id), one(id));
    }
}

/// Bits of the cubes of a brush whose faces all have the material of this name.
pub fn fill_bits(name: &str) -> Option<u16> {
    match name {
        "clip" => return Some(material::CLIP),
        "gameclip" => return Some(material::GAME_CLIP),
        DEATH_NAME => return Some(material::DEATH),
        _ => {}
    }
    FILLS.iter().find_map(|&(known, bits)| {
        Some(
            bits | match name.strip_prefix(known)? {
                "" => 0,
                "2" => 1,
                "3" => 2,
                "4" => 3,
                _ => return None,
            },
        )
    })
}
