//! [`RawMap`] to a document: the tree, layers, cameras, paths, and the report of what could not come along.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use glam::DVec3;
use glam::Vec3;
use rayon::prelude::*;

use crate::document::Document;
use crate::document::Draft;
use crate::document::Entity;
use crate::document::Group;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectFlags;
use crate::document::ObjectId;
use crate::document::ViewState;
use crate::formats::Report;
use crate::formats::Siblings;
use crate::formats::lights::Game;
use crate::formats::lights::adopt_light;
use crate::formats::lights::quake_sun;
use crate::formats::rmf::entities;
use crate::formats::rmf::entities::Converted;
use crate::formats::rmf::entities::Corners;
use crate::formats::rmf::raw::RawKind;
use crate::formats::rmf::raw::RawMap;
use crate::formats::rmf::solid::Built;
use crate::formats::rmf::solid::build;
use crate::formats::rmf::special::Owner;
use crate::formats::rmf::textures::Textures;
use crate::formats::rmf::textures::wad_names;
use crate::task::Cancelled;
use crate::task::Progress;

/// One unit is one inch.
pub const UNITS_PER_METER: f32 = 39.37;

/// Maps of this family are lit by glowing textures above all, which stand in lists outside of the map. With the usual ambient most of
/// their rooms would be black in the preview; this shows them, and the map's properties change it.
const AMBIENT: Vec3 = Vec3::splat(0.35);

/// Free space between the prefabs of a library.
const GAP: f64 = 64.0;

/// A map, or a prefab of a library that goes into a group of its own.
pub struct Part<'m, 'a> {
    pub map: &'m RawMap<'a>,
    /// `None`: the map lies in the world as it is.
    pub group: Option<String>,
}

/// The document of one map, or of all prefabs of a library side by side.
///
/// # Errors
/// Only when cancelled.
pub fn convert(
    parts: &[Part<'_, '_>],
    siblings: &dyn Siblings,
    progress: &Progress,
    report: &mut Report,
) -> Result<(Document, ViewState), Cancelled> {
    let mut draft = Document::default().edit();
    let mut view = ViewState::default();
    draft.settings_mut().units_per_meter = UNITS_PER_METER;
    draft.settings_mut().ambient = AMBIENT;
    let mut textures = Textures::default();
    for part in parts {
        textures.add_map(part.map, &wads(part.map), siblings, &mut draft);
    }
    for texture in textures
        .iter()
        .filter(|texture| !texture.was_found && texture.is_drawn)
    {
        let text = format!(
            "{} was not found ({} faces); taken as 64 x 64 pixels until it is",
            texture.name, texture.faces
        );
        report.warn("I-MISSING-TEXTURE", None, None, text);
    }
    insert_world(parts, &mut draft, report);
    let mut next_x = None;
    for (index, part) in parts.iter().enumerate() {
        let shift = if part.group.is_some() {
            shift_for(part.map, &mut next_x)
        } else {
            0.0
        };
        let mut builder = Builder {
            map: part.map,
            shift,
            draft: &mut draft,
            view: &mut view,
            report,
        };
        let built = builder.build_solids(&textures, progress, index as f32 / parts.len() as f32)?;
        builder.insert(part.group.as_deref(), built);
        builder.note_losses();
    }
    insert_sun(&mut draft, report);
    note_texture_lights(&draft, report);
    Ok((draft.as_read(), view))
}

/// Texture packages the map names, best first.
#[must_use]
pub fn wads(map: &RawMap<'_>) -> Vec<String> {
    let wad = map
        .world_data
        .pairs
        .iter()
        .find(|(key, _)| key.bytes().eq_ignore_ascii_case(b"wad"));
    wad.map(|(_, value)| wad_names(&value.decoded()))
        .unwrap_or_default()
}

/// One entity for the world's keys; of several parts each key once.
fn insert_world(parts: &[Part<'_, '_>], draft: &mut Draft, report: &mut Report) {
    let mut world = Entity::new("worldspawn", DVec3::ZERO);
    let mut notes = Vec::new();
    for part in parts {
        let Converted {
            entity,
            notes: own_notes,
        } = entities::world(&part.map.world_data);
        notes.extend(own_notes);
        if part.group.is_none() {
            world.keys = entity.keys;
            continue;
        }
        for (key, value) in entity.keys {
            if world.key(&key).is_none() {
                world.keys.push((key, value));
            }
        }
    }
    if let Some(title) = world.key("message") {
        title.clone_into(&mut draft.settings_mut().name);
    }
    let id = draft.insert(Object::new(Kind::Entity(world)));
    for (code, text) in notes {
        report.warn(code, None, Some(id), text);
    }
}

/// Textures that give light are listed by one entity of this class; the preview does not know them.
fn note_texture_lights(draft: &Draft, report: &mut Report) {
    let lists = draft
        .objects()
        .filter_map(|(id, object)| Some((id, object.entity()?)))
        .filter(|(_, entity)| entity.class == "info_texlights");
    for (id, entity) in lists {
        let text = format!(
            "{} textures give light in the game; the preview has ambient light instead",
            entity.keys.len()
        );
        report.warn("I-TEXTURE-LIGHTS", None, Some(id), text);
    }
}

fn insert_sun(draft: &mut Draft, report: &mut Report) {
    let Some(sun) = draft.worldspawn().and_then(|(_, world)| quake_sun(world)) else {
        return;
    };
    let id = draft.insert(Object::new(Kind::Entity(sun)));
    report.warn(
        "I-NEW-SUN",
        None,
        Some(id),
        "the sun of the world's keys became an entity",
    );
}

/// How far to move a prefab along X so that it stands right of the one before; the first stays.
fn shift_for(map: &RawMap<'_>, next_x: &mut Option<f64>) -> f64 {
    let mut bounds = [f64::INFINITY, f64::NEG_INFINITY];
    let mut include = |x: f32| {
        if x.is_finite() {
            bounds = [bounds[0].min(f64::from(x)), bounds[1].max(f64::from(x))];
        }
    };
    for object in &map.objects {
        match &object.kind {
            RawKind::Solid(faces) => faces
                .iter()
                .flat_map(|face| &face.vertices)
                .for_each(|vertex| include(vertex.x)),
            RawKind::Entity(entity) if object.base.child_count == 0 => include(entity.origin.x),
            RawKind::Entity(_) | RawKind::Group => {}
        }
    }
    map.paths
        .iter()
        .flat_map(|path| &path.nodes)
        .for_each(|node| include(node.position.x));
    let [min, max] = bounds;
    if min > max {
        return 0.0;
    }
    let shift = next_x.map_or(0.0, |next_x| next_x - min);
    *next_x = Some(max + shift + GAP);
    shift
}

/// Where the children of an object go.
#[derive(Clone, Copy)]
struct Place {
    /// Brushes and groups: below the object itself.
    inside: Option<ObjectId>,
    /// Entities: below the nearest group outside of every entity, since no entity can own another.
    outside: Option<ObjectId>,
    in_entity: bool,
}

/// Puts one map into the document.
pub(super) struct Builder<'b, 'm, 'a> {
    pub(super) map: &'m RawMap<'a>,
    /// How far it is moved along X of the file.
    pub(super) shift: f64,
    pub(super) draft: &'b mut Draft,
    pub(super) view: &'b mut ViewState,
    pub(super) report: &'b mut Report,
}

impl Builder<'_, '_, '_> {
    /// One entry per object of the file; `None` for groups and entities.
    fn build_solids(
        &self,
        textures: &Textures<'_>,
        progress: &Progress,
        done: f32,
    ) -> Result<Vec<Option<Built>>, Cancelled> {
        progress.set(done);
        let owners = self.owners();
        let shift = self.shift;
        let built = self
            .map
            .objects
            .par_iter()
            .zip(&owners)
            .map(|(object, &owner)| {
                let RawKind::Solid(faces) = &object.kind else {
                    return Ok(None);
                };
                progress.check()?;
                Ok(Some(build(faces, textures, owner, shift)))
            })
            .collect::<Result<_, Cancelled>>()?;
        progress.check()?;
        Ok(built)
    }

    /// Per object the nearest entity above it.
    fn owners(&self) -> Vec<Option<Owner>> {
        let objects = &self.map.objects;
        let mut owners: Vec<Option<Owner>> = Vec::with_capacity(objects.len());
        for object in objects {
            let owner = object
                .parent
                .and_then(|parent| match &objects[parent as usize].kind {
                    RawKind::Entity(entity) => {
                        let mode = entity
                            .data
                            .pairs
                            .iter()
                            .find(|(key, _)| key.bytes().eq_ignore_ascii_case(b"rendermode"));
                        Some(Owner::of(
                            &entity.data.class.decoded(),
                            mode.map(|(_, value)| value.decoded()).as_deref(),
                        ))
                    }
                    RawKind::Solid(_) | RawKind::Group => owners[parent as usize],
                });
            owners.push(owner);
        }
        owners
    }

    fn insert(&mut self, group: Option<&str>, mut built: Vec<Option<Built>>) {
        let visgroups = self.insert_visgroups();
        let memberships = self.memberships(&visgroups);
        let root = group.map(|name| {
            self.draft
                .insert(Object::new(Kind::Group(Group::new(name))))
        });
        let mut entities = self.entities(&built);
        let mut paths: Vec<Corners> = self
            .map
            .paths
            .iter()
            .map(|path| entities::corners(path, self.shift))
            .collect();
        self.adopt_lights(&mut entities, &mut paths);
        let holds_geometry = self.holding_geometry(&built);
        let mut group_count = 0;
        let top = Place {
            inside: root,
            outside: root,
            in_entity: false,
        };
        let mut places: Vec<Place> = Vec::with_capacity(self.map.objects.len());
        for (index, object) in self.map.objects.iter().enumerate() {
            let place = object.parent.map_or(top, |parent| places[parent as usize]);
            let mut insert = |parent: Option<ObjectId>, kind: Kind, flags: ObjectFlags| {
                let mut new = Object::new(kind);
                new.parent = parent;
                if !matches!(new.kind, Kind::Group(_)) {
                    new.visgroups = Arc::clone(&memberships[index]);
                }
                new.flags = flags;
                self.draft.insert(new)
            };
            let next = match &object.kind {
                RawKind::Group => {
                    group_count += 1;
                    let [red, green, blue] = self.map.rgb(&object.base);
                    let new = Group {
                        color: [red, green, blue, 255],
                        ..Group::new(format!("Group {group_count}"))
                    };
                    // A group is known to lie in an entity by its members alone.
                    let stays = place.in_entity && holds_geometry[index];
                    let parent = if stays { place.inside } else { place.outside };
                    let id = Some(insert(parent, Kind::Group(new), ObjectFlags(0)));
                    Place {
                        inside: id,
                        outside: if stays { place.outside } else { id },
                        in_entity: stays,
                    }
                }
                RawKind::Entity(_) => {
                    let Converted { entity, notes } =
                        entities[index].take().expect("made for every entity");
                    let id = insert(place.outside, Kind::Entity(entity), ObjectFlags(0));
                    for (code, text) in notes {
                        self.report.warn(code, Some(object.offset), Some(id), text);
                    }
                    if place.in_entity {
                        let text = "it lay inside another entity and was taken out of it";
                        self.report
                            .warn("I-NESTED-ENTITY", Some(object.offset), Some(id), text);
                    }
                    Place {
                        inside: Some(id),
                        outside: place.outside,
                        in_entity: true,
                    }
                }
                RawKind::Solid(_) => {
                    let mut built = built[index].take().expect("built for every solid");
                    let kind = built.kind.take();
                    let id = kind.map(|kind| insert(place.inside, kind, built.flags));
                    for (code, text) in built.notes {
                        self.report.warn(code, Some(object.offset), id, text);
                    }
                    place
                }
            };
            places.push(next);
        }
        self.insert_paths(root, paths);
        self.insert_cameras();
    }

    /// One entry per object of the file, before any of them is in the document.
    fn entities(&mut self, built: &[Option<Built>]) -> Vec<Option<Converted>> {
        let pivots = self.pivots(built);
        let mut list = Vec::with_capacity(self.map.objects.len());
        for (index, object) in self.map.objects.iter().enumerate() {
            let RawKind::Entity(entity) = &object.kind else {
                list.push(None);
                continue;
            };
            let own = entities::origin(entity.kind, entity.origin, self.shift);
            let pivot = pivots.get(&(index as u32));
            let mut converted = entities::entity(
                &entity.data,
                pivot.copied().unwrap_or(own).as_vec3().as_dvec3(),
            );
            if pivot.is_some() {
                converted.notes.push((
                    "I-ORIGIN-BRUSH",
                    "its ORIGIN brush became its pivot and was removed".to_owned(),
                ));
            }
            if object.base.child_count == 0 && entity.kind == 0 {
                converted.notes.push((
                    "I-EMPTY-BRUSH-ENTITY",
                    format!("{} has lost its brushes", converted.entity.class),
                ));
            }
            if !entity.origin.is_finite() {
                converted.notes.push((
                    "I-NOT-FINITE",
                    "its origin is not a number; 0 0 0 was taken".to_owned(),
                ));
            }
            list.push(Some(converted));
        }
        list
    }

    /// Centres of ORIGIN brushes by the entity that owns them, the first of each. One in the world marks nothing.
    fn pivots(&mut self, built: &[Option<Built>]) -> HashMap<u32, DVec3> {
        let objects = &self.map.objects;
        let mut pivots = HashMap::new();
        for (object, built) in objects.iter().zip(built) {
            let Some(pivot) = built.as_ref().and_then(|built| built.pivot) else {
                continue;
            };
            let mut above = object.parent;
            while let Some(index) = above
                && !matches!(objects[index as usize].kind, RawKind::Entity(_))
            {
                above = objects[index as usize].parent;
            }
            let text = match above.map(|entity| pivots.entry(entity)) {
                Some(Entry::Vacant(slot)) => {
                    slot.insert(pivot);
                    continue;
                }
                Some(Entry::Occupied(_)) => "a second ORIGIN brush of an entity was left out",
                None => "an ORIGIN brush of the world was left out",
            };
            self.report
                .warn("I-ORIGIN-BRUSH", Some(object.offset), None, text);
        }
        pivots
    }

    fn adopt_lights(&self, entities: &mut [Option<Converted>], paths: &mut [Corners]) {
        let mut origins: HashMap<String, DVec3> = HashMap::new();
        let corners = paths.iter().flat_map(|path| &path.entities);
        for converted in entities.iter().flatten().chain(corners) {
            if let Some(name) = converted.entity.key("targetname")
                && !origins.contains_key(name)
            {
                origins.insert(name.to_owned(), converted.entity.origin);
            }
        }
        let origin_of = |name: &str| origins.get(name).copied();
        for converted in entities.iter_mut().flatten() {
            for note in adopt_light(
                &mut converted.entity,
                Game::GoldSrc,
                f64::from(UNITS_PER_METER),
                &origin_of,
            ) {
                converted.notes.push((note.code, note.text));
            }
            converted.entity.angles_deg = converted.entity.angles_deg.as_vec3().as_dvec3();
        }
    }

    /// Per object: is there a brush or mesh below it?
    fn holding_geometry(&self, built: &[Option<Built>]) -> Vec<bool> {
        let objects = &self.map.objects;
        let mut holds: Vec<bool> = built
            .iter()
            .map(|built| built.as_ref().is_some_and(|built| built.kind.is_some()))
            .collect();
        // Children come after their parents. What an entity owns is its own, not that of the group around it.
        for (index, object) in objects.iter().enumerate().rev() {
            if let Some(parent) = object.parent
                && holds[index]
                && !matches!(object.kind, RawKind::Entity(_))
            {
                holds[parent as usize] = true;
            }
        }
        holds
    }
}
