//! What the material browser lists: materials of the map and every other texture that is found, searched and in groups.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::assets::Origin;
use crate::assets::Resolver;
use crate::assets::is_picture_ending;
use crate::assets::plain_name;
use crate::document::Document;
use crate::document::Kind;
use crate::document::MaterialId;

/// One tile.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub name: String,
    pub texture: String,
    /// Row of the map's materials.
    pub material: Option<MaterialId>,
    /// Faces that show it.
    pub faces: usize,
    /// Which of the groups it is in.
    pub group: usize,
    /// The name as it is searched.
    folded: String,
}

/// A heading and how many tiles are below it, before and after the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub title: String,
    pub total: usize,
}

#[derive(Default)]
pub(super) struct Entries {
    pub all: Vec<Entry>,
    pub groups: Vec<Group>,
}

/// Tiles of one group that are shown, as indices of [`Entries::all`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub group: usize,
    pub tiles: Vec<usize>,
}

/// How a heading sorts: what is missing first, then the map's own, folders, containers, the program's own. A material without a
/// picture has nothing that could be missing.
fn title_of(origin: Option<&Origin>, texture: &str) -> (u8, String) {
    match origin {
        None if texture.is_empty() => (5, "Without a picture".to_owned()),
        None => (0, "Not found".to_owned()),
        Some(Origin::Embedded) => (1, "In the map file".to_owned()),
        Some(Origin::Folder(name)) => (2, name.clone()),
        Some(Origin::Container(name)) => (3, name.clone()),
        Some(Origin::Builtin) => (4, "Mapwright".to_owned()),
    }
}

impl Entries {
    /// Of the map and of all sources.
    pub fn new(doc: &Document, resolver: Option<&Resolver>) -> Self {
        let faces = face_counts(doc);
        let mut found: Vec<((u8, String), Entry)> = Vec::new();
        let mut known = BTreeSet::new();
        for (id, material) in doc.materials() {
            let origin = resolver.and_then(|resolver| resolver.origin(&material.texture));
            known.insert(plain_name(&material.texture));
            let entry = Entry::new(material.name.clone(), material.texture.clone());
            let faces = faces.get(&id).copied().unwrap_or(0);
            let heading = title_of(origin.as_ref(), &material.texture);
            let material = Some(id);
            found.push((
                heading,
                Entry {
                    material,
                    faces,
                    ..entry
                },
            ));
        }
        if let Some(resolver) = resolver {
            for listed in resolver.listed() {
                if !known.contains(&plain_name(listed.name)) {
                    let entry = Entry::new(short_name(listed.name), listed.name.to_owned());
                    found.push((title_of(Some(&listed.origin), listed.name), entry));
                }
            }
        }
        found.sort_by(|a, b| {
            (&a.0, &a.1.folded, &a.1.texture).cmp(&(&b.0, &b.1.folded, &b.1.texture))
        });
        let mut this = Self::default();
        let mut last: Option<(u8, String)> = None;
        for (key, entry) in found {
            if last.as_ref() != Some(&key) {
                this.groups.push(Group {
                    title: key.1.clone(),
                    total: 0,
                });
                last = Some(key);
            }
            let group = this.groups.len() - 1;
            this.groups[group].total += 1;
            this.all.push(Entry { group, ..entry });
        }
        this
    }

    /// What fits the words, group by group; in each the better fit first.
    pub fn search(&self, words: &str, used_only: bool) -> Vec<Shown> {
        let words: Vec<String> = words.split_whitespace().map(folded).collect();
        let titles: Vec<String> = self
            .groups
            .iter()
            .map(|group| folded(&group.title))
            .collect();
        let mut shown: Vec<(usize, Vec<(u32, usize)>)> = Vec::new();
        for (index, entry) in self.all.iter().enumerate() {
            if used_only && entry.faces == 0 {
                continue;
            }
            let Some(score) = entry.fit(&words, &titles[entry.group]) else {
                continue;
            };
            if shown.last().is_none_or(|(group, _)| *group != entry.group) {
                shown.push((entry.group, Vec::new()));
            }
            if let Some((_, tiles)) = shown.last_mut() {
                tiles.push((score, index));
            }
        }
        // Spelt as typed stands for itself: near misses only help when nothing is.
        let best = shown
            .iter()
            .flat_map(|(_, tiles)| tiles.iter().map(|(score, _)| *score))
            .min();
        let most = match best {
            Some(best) if best < NEAR => NEAR,
            _ => u32::MAX,
        };
        shown
            .into_iter()
            .map(|(group, mut tiles)| {
                tiles.retain(|(score, _)| *score < most);
                tiles.sort_unstable();
                let tiles = tiles.into_iter().map(|(_, index)| index).collect();
                Shown { group, tiles }
            })
            .filter(|shown| !shown.tiles.is_empty())
            .collect()
    }
}

/// A word whose letters only stand in the name in their order counts this much.
const NEAR: u32 = 1000;

impl Entry {
    fn new(name: String, texture: String) -> Self {
        Self {
            folded: folded(&name),
            name,
            texture,
            material: None,
            faces: 0,
            group: 0,
        }
    }

    /// Less is better; every word must be in the name, the path or the heading.
    fn fit(&self, words: &[String], title: &str) -> Option<u32> {
        let mut score = 0;
        for word in words {
            score += if self.folded.starts_with(word.as_str()) {
                0
            } else if self.folded.contains(word.as_str()) {
                1
            } else if folded(&self.texture).contains(word.as_str()) || title.contains(word.as_str())
            {
                2
            } else if is_near(word, &self.folded) {
                NEAR
            } else {
                return None;
            };
        }
        Some(score)
    }
}

/// All letters in their order and not far apart: `brkred` is near `brickred`. Short words would be near everything.
fn is_near(word: &str, name: &str) -> bool {
    if word.chars().count() < 3 {
        return false;
    }
    let name: Vec<char> = name.chars().collect();
    let first = word.chars().next();
    (0..name.len()).any(|start| {
        if Some(name[start]) != first {
            return false;
        }
        let mut at = start;
        for letter in word.chars() {
            match name[at..].iter().position(|c| *c == letter) {
                Some(step) => at += step + 1,
                None => return false,
            }
        }
        at - start <= word.chars().count() * 2
    })
}

/// How names are searched: without case and without the marks between words.
fn folded(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' ' | '.' | '/' | '\\'))
        .flat_map(char::to_lowercase)
        .collect()
}

fn face_counts(doc: &Document) -> BTreeMap<MaterialId, usize> {
    let mut faces: BTreeMap<MaterialId, usize> = BTreeMap::new();
    for (_, object) in doc.objects() {
        let mut count = |material: Option<MaterialId>| {
            if let Some(material) = material {
                *faces.entry(material).or_default() += 1;
            }
        };
        match &object.kind {
            Kind::Brush(brush) => brush.faces().iter().for_each(|face| count(face.material)),
            Kind::Mesh(mesh) => mesh
                .polygons
                .iter()
                .for_each(|polygon| count(polygon.material)),
            _ => {}
        }
    }
    faces
}

/// `textures/brick_red.png` is shown as `brick_red`. Points are parts of names too: `Ancient.Walls.Rock`.
fn short_name(texture: &str) -> String {
    let file = texture.rsplit(['/', '\\']).next().unwrap_or(texture);
    match file.rsplit_once('.') {
        Some((stem, ending)) if is_picture_ending(ending) && !stem.is_empty() => stem.to_owned(),
        _ => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::Source;
    use crate::document::Material;

    #[test]
    fn names_are_short_and_compare_without_ending() {
        assert_eq!(short_name("textures/brick_red.png"), "brick_red");
        assert_eq!(short_name("halflife\\CRATE01"), "CRATE01");
        assert_eq!(short_name("+0button1a"), "+0button1a");
        assert_eq!(short_name("Ancient.Walls.Rock"), "Ancient.Walls.Rock");
        let same = plain_name("textures/brick");
        assert_eq!(plain_name("Textures\\Brick.PNG"), same);
    }

    fn names(entries: &Entries, words: &str) -> Vec<String> {
        let shown = entries.search(words, false);
        let tiles = shown.iter().flat_map(|shown| &shown.tiles);
        tiles
            .map(|&index| entries.all[index].name.clone())
            .collect()
    }

    #[test]
    fn several_words_find_and_near_spellings_help_only_where_nothing_is_exact() {
        let resolver = Resolver::new(vec![Source::Builtin]);
        let entries = Entries::new(&Document::default(), Some(&resolver));
        assert!(!entries.groups.is_empty());
        assert_eq!(names(&entries, "brick red"), ["brick_red"]);
        assert_eq!(names(&entries, "RED bri"), ["brick_red"]);
        assert_eq!(names(&entries, "brickred"), ["brick_red"]);
        assert_eq!(names(&entries, "brkred"), ["brick_red"]);
        assert!(names(&entries, "xyzzy").is_empty());
        assert_eq!(names(&entries, "").len(), entries.all.len());
        assert!(entries.search("", true).is_empty(), "nothing is used");
        let metal = names(&entries, "metal");
        assert!(metal.len() >= 4 && metal.iter().all(|name| name.contains("metal")));
    }

    #[test]
    fn a_material_without_a_picture_is_not_missing() {
        let mut draft = Document::default().edit();
        for (name, texture) in [("hidden", ""), ("lost", "textures/lost.png")] {
            draft.insert_material(Material::new(name, texture));
        }
        let doc = draft.finish().expect("sound map");
        let entries = Entries::new(&doc, Some(&Resolver::new(Vec::new())));
        let titles = entries.groups.iter().map(|group| group.title.as_str());
        assert_eq!(
            titles.collect::<Vec<_>>(),
            ["Not found", "Without a picture"]
        );
    }

    #[test]
    fn twenty_thousand_names_are_searched_between_two_frames() {
        let mut entries = Entries::default();
        entries.groups.push(Group {
            title: "many.wad".to_owned(),
            total: 20_000,
        });
        for i in 0..20_000 {
            let name = format!("wall_{}_{i:05}", ["brick", "stone", "metal"][i % 3]);
            entries.all.push(Entry::new(name.clone(), name));
        }
        let begun = std::time::Instant::now();
        let found = names(&entries, "brick 19998");
        let took = begun.elapsed();
        assert_eq!(found, ["wall_brick_19998"]);
        // Generous: unoptimised code on a busy machine.
        assert!(took.as_millis() < 500, "{took:?}");
    }
}
