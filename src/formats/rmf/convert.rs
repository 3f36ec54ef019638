//! [`RawMap`] to a document: the tree, layers, cameras, paths, and the report of what could not come along.

use std::collections::HashMap;

use glam::DVec3;
use rayon::prelude::*;

use crate::document::Camera;
use crate::document::CameraKind;
use crate::document::Document;
use crate::document::Draft;
use crate::document::Entity;
use crate::document::Group;
use crate::document::Kind;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::MapPath;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::ViewState;
use crate::formats::Report;
use crate::formats::Siblings;
use crate::formats::rmf::entities;
use crate::formats::rmf::entities::Converted;
use crate::formats::rmf::entities::Corners;
use crate::formats::rmf::lights::Game;
use crate::formats::rmf::lights::adopt_light;
use crate::formats::rmf::lights::angles_deg_looking_along;
use crate::formats::rmf::lights::map_from_game;
use crate::formats::rmf::lights::quake_sun;
use crate::formats::rmf::raw::RawKind;
use crate::formats::rmf::raw::RawMap;
use crate::formats::rmf::raw::Text;
use crate::formats::rmf::solid::Built;
use crate::formats::rmf::solid::build;
use crate::formats::rmf::special::Owner;
use crate::formats::rmf::textures::Textures;
use crate::formats::rmf::textures::wad_names;
use crate::task::Cancelled;
use crate::task::Progress;

/// One unit is one inch.
pub const UNITS_PER_METER: f32 = 39.37;

/// The file stores no angle of view.
const FOV_Y_DEG: f32 = 60.0;

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
    let mut textures = Textures::default();
    for part in parts {
        textures.add_map(part.map, &wads(part.map), siblings, &mut draft);
    }
    for texture in textures.iter().filter(|texture| !texture.was_found && texture.is_drawn) {
        let text = format!("{} was not found ({} faces); taken as 64 x 64 pixels until it is", texture.name, texture.faces);
        report.warn("I-MISSING-TEXTURE", None, None, text);
    }
    insert_world(parts, &mut draft, report);
    let mut next_x = None;
    for (index, part) in parts.iter().enumerate() {
        let shift = if part.group.is_some() { shift_for(part.map, &mut next_x) } else { 0.0 };
        let mut builder = Builder { map: part.map, shift, draft: &mut draft, view: &mut view, report };
        let built = builder.build_solids(&textures, progress, index as f32 / parts.len() as f32)?;
        builder.insert(part.group.as_deref(), built);
        builder.note_losses();
    }
    insert_sun(&mut draft, report);
    Ok((draft.as_read(), view))
}

/// Texture packages the map names, best first.
#[must_use]
pub fn wads(map: &RawMap<'_>) -> Vec<String> {
    let wad = map.world_data.pairs.iter().find(|(key, _)| key.bytes().eq_ignore_ascii_case(b"wad"));
    wad.map(|(_, value)| wad_names(&value.decoded())).unwrap_or_default()
}

/// One entity for the world's keys; of several parts each key once.
fn insert_world(parts: &[Part<'_, '_>], draft: &mut Draft, report: &mut Report) {
    let mut world = Entity::new("worldspawn", DVec3::ZERO);
    let mut notes = Vec::new();
    for part in parts {
        let Converted { entity, notes: own_notes } = entities::world(&part.map.world_data);
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
        draft.settings_mut().name = title.to_owned();
    }
    let id = draft.insert(Object::new(Kind::Entity(world)));
    for (code, text) in notes {
        report.warn(code, None, Some(id), text);
    }
}

fn insert_sun(draft: &mut Draft, report: &mut Report) {
    let Some(sun) = draft.worldspawn().and_then(|(_, world)| quake_sun(world)) else { return };
    let id = draft.insert(Object::new(Kind::Entity(sun)));
    report.warn("I-NEW-SUN", None, Some(id), "the sun of the world's keys became an entity");
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
            RawKind::Solid(faces) => faces.iter().flat_map(|face| &face.vertices).for_each(|vertex| include(vertex.x)),
            RawKind::Entity(entity) if object.base.child_count == 0 => include(entity.origin.x),
            RawKind::Entity(_) | RawKind::Group => {}
        }
    }
    map.paths.iter().flat_map(|path| &path.nodes).for_each(|node| include(node.position.x));
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

struct Builder<'b, 'm, 'a> {
    map: &'m RawMap<'a>,
    shift: f64,
    draft: &'b mut Draft,
    view: &'b mut ViewState,
    report: &'b mut Report,
}

impl Builder<'_, '_, '_> {
    /// One entry per object of the file; `None` for groups and entities.
    fn build_solids(&self, textures: &Textures<'_>, progress: &Progress, done: f32) -> Result<Vec<Option<Built>>, Cancelled> {
        progress.set(done);
        let owners = self.owners();
        let shift = self.shift;
        let built = self
            .map
            .objects
            .par_iter()
            .zip(&owners)
            .map(|(object, &owner)| {
                let RawKind::Solid(faces) = &object.kind else { return Ok(None) };
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
            let owner = object.parent.and_then(|parent| match &objects[parent as usize].kind {
                RawKind::Entity(entity) => {
                    let mode = entity.data.pairs.iter().find(|(key, _)| key.bytes().eq_ignore_ascii_case(b"rendermode"));
                    Some(Owner::of(&entity.data.class.decoded(), mode.map(|(_, value)| value.decoded()).as_deref()))
                }
                RawKind::Solid(_) | RawKind::Group => owners[parent as usize],
            });
            owners.push(owner);
        }
        owners
    }

    fn insert(&mut self, group: Option<&str>, mut built: Vec<Option<Built>>) {
        let visgroups = self.insert_visgroups();
        let root = group.map(|name| self.draft.insert(Object::new(Kind::Group(Group::new(name)))));
        let mut entities = self.entities(&built);
        let mut paths: Vec<Corners> = self.map.paths.iter().map(|path| entities::corners(path, self.shift)).collect();
        self.adopt_lights(&mut entities, &mut paths);
        let holds_geometry = self.holding_geometry(&built);
        let mut unknown_visgroups = 0;
        let mut group_count = 0;
        let top = Place { inside: root, outside: root, in_entity: false };
        let mut places: Vec<Place> = Vec::with_capacity(self.map.objects.len());
        for (index, object) in self.map.objects.iter().enumerate() {
            let place = object.parent.map_or(top, |parent| places[parent as usize]);
            let named = object.base.visgroups.iter().filter(|&&id| id != 0);
            let members: Vec<LayerId> = named.clone().filter_map(|id| visgroups.get(id).copied()).collect();
            unknown_visgroups += named.count() - members.len();
            let mut insert = |parent: Option<ObjectId>, kind: Kind, built: Option<&Built>| {
                let mut new = Object::new(kind);
                new.parent = parent;
                new.visgroups = members.as_slice().into();
                new.flags = built.map(|built| built.flags).unwrap_or_default();
                self.draft.insert(new)
            };
            let next = match &object.kind {
                RawKind::Group => {
                    group_count += 1;
                    let [red, green, blue] = self.map.rgb(&object.base);
                    let new = Group { color: [red, green, blue, 255], ..Group::new(format!("Group {group_count}")) };
                    // A group is known to lie in an entity by its members alone.
                    let stays = place.in_entity && holds_geometry[index];
                    let id = Some(insert(if stays { place.inside } else { place.outside }, Kind::Group(new), None));
                    Place { inside: id, outside: if stays { place.outside } else { id }, in_entity: stays }
                }
                RawKind::Entity(_) => {
                    let Converted { entity, notes } = entities[index].take().expect("made for every entity");
                    let id = insert(place.outside, Kind::Entity(entity), None);
                    for (code, text) in notes {
                        self.report.warn(code, Some(object.offset), Some(id), text);
                    }
                    if place.in_entity {
                        let text = "it lay inside another entity and was taken out of it";
                        self.report.warn("I-NESTED-ENTITY", Some(object.offset), Some(id), text);
                    }
                    Place { inside: Some(id), outside: place.outside, in_entity: true }
                }
                RawKind::Solid(_) => {
                    let mut built = built[index].take().expect("built for every solid");
                    let kind = built.kind.take();
                    let id = kind.map(|kind| insert(place.inside, kind, Some(&built)));
                    for (code, text) in built.notes {
                        self.report.warn(code, Some(object.offset), id, text);
                    }
                    place
                }
            };
            places.push(next);
        }
        if unknown_visgroups > 0 {
            let text = format!("{unknown_visgroups} objects name a visgroup that is not in the file; they are in none");
            self.report.warn("I-VISGROUP", None, None, text);
        }
        self.insert_paths(root, paths);
        self.insert_cameras();
    }

    /// Ids of the file to layers, the first of each.
    fn insert_visgroups(&mut self) -> HashMap<i32, LayerId> {
        let mut layers = HashMap::new();
        for (rank, visgroup) in (0..).zip(&self.map.visgroups) {
            let mut layer = Layer::new(LayerKind::Visgroup, visgroup.name.decoded());
            let [red, green, blue, _] = visgroup.color;
            layer.color = [red, green, blue, 255];
            layer.rank = rank;
            let id = self.draft.insert_layer(layer);
            if self.map.is_hidden(visgroup) {
                self.view.hidden_layers.insert(id);
            }
            if layers.contains_key(&visgroup.id) {
                let text = format!("visgroup {} has the number of an earlier one and no members", visgroup.name.decoded());
                self.report.warn("I-VISGROUP", None, None, text);
            } else {
                layers.insert(visgroup.id, id);
            }
        }
        layers
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
            let mut converted = entities::entity(&entity.data, pivot.copied().unwrap_or(own).as_vec3().as_dvec3());
            if pivot.is_some() {
                converted.notes.push(("I-ORIGIN-BRUSH", "its ORIGIN brush became its pivot and was removed".to_owned()));
            }
            if object.base.child_count == 0 && entity.kind == 0 {
                converted.notes.push(("I-EMPTY-BRUSH-ENTITY", format!("{} has lost its brushes", converted.entity.class)));
            }
            if !entity.origin.is_finite() {
                converted.notes.push(("I-NOT-FINITE", "its origin is not a number; 0 0 0 was taken".to_owned()));
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
            let Some(pivot) = built.as_ref().and_then(|built| built.pivot) else { continue };
            let mut above = object.parent;
            while let Some(index) = above
                && !matches!(objects[index as usize].kind, RawKind::Entity(_))
            {
                above = objects[index as usize].parent;
            }
            match above {
                Some(entity) if !pivots.contains_key(&entity) => {
                    pivots.insert(entity, pivot);
                }
                Some(_) => {
                    self.report.warn("I-ORIGIN-BRUSH", Some(object.offset), None, "a second ORIGIN brush of an entity was left out");
                }
                None => self.report.warn("I-ORIGIN-BRUSH", Some(object.offset), None, "an ORIGIN brush of the world was left out"),
            }
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
            for note in adopt_light(&mut converted.entity, Game::GoldSrc, f64::from(UNITS_PER_METER), &origin_of) {
                converted.notes.push((note.code, note.text));
            }
            converted.entity.angles_deg = converted.entity.angles_deg.as_vec3().as_dvec3();
        }
    }

    /// Per object: is there a brush or mesh below it?
    fn holding_geometry(&self, built: &[Option<Built>]) -> Vec<bool> {
        let objects = &self.map.objects;
        let mut holds: Vec<bool> = built.iter().map(|built| built.as_ref().is_some_and(|built| built.kind.is_some())).collect();
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

    fn insert_paths(&mut self, root: Option<ObjectId>, paths: Vec<Corners>) {
        for (path, corners) in self.map.paths.iter().zip(paths) {
            let mut nodes: Vec<ObjectId> = Vec::with_capacity(corners.entities.len());
            for Converted { entity, notes } in corners.entities {
                let mut object = Object::new(Kind::Entity(entity));
                object.parent = root;
                let id = self.draft.insert(object);
                for (code, text) in notes {
                    self.report.warn(code, None, Some(id), text);
                }
                nodes.push(id);
            }
            let name = path.name.decoded().into_owned();
            let text = format!("path {name} became {} entities of class {}", nodes.len(), class_of(path.class));
            self.report.warn("I-PATH", None, nodes.first().copied(), text);
            nodes.truncate(corners.node_count);
            self.draft.insert_path(MapPath { name, kind: corners.kind, flags: 0, nodes });
        }
    }

    fn insert_cameras(&mut self) {
        let Some(info) = &self.map.doc_info else { return };
        let before = self.view.cameras.len();
        for [eye, look] in &info.cameras {
            if !eye.is_finite() || !look.is_finite() {
                self.report.warn("I-NOT-FINITE", None, None, "a camera whose place is not a number was left out");
                continue;
            }
            let [eye, look] = [eye, look].map(|point| map_from_game(point.as_dvec3() + DVec3::new(self.shift, 0.0, 0.0)));
            self.view.cameras.push(Camera {
                name: format!("Camera {}", self.view.cameras.len() + 1),
                kind: CameraKind::Perspective,
                flags: 0,
                eye: eye.as_vec3(),
                angles_deg: angles_deg_looking_along(look - eye).as_vec3(),
                fov_y_deg: FOV_Y_DEG,
                ortho_height: 0.0,
            });
        }
        let added = self.view.cameras.len() - before;
        if self.view.active_camera.is_none() && added > 0 && info.active >= 0 {
            let active = (info.active.cast_unsigned() as usize).min(added - 1);
            self.view.active_camera = Some((before + active) as u32);
        }
    }

    /// What a document has no place for, counted.
    fn note_losses(&mut self) {
        let map = self.map;
        let (mut colored, mut flagged, mut object_flagged) = (0usize, 0usize, 0usize);
        for object in &map.objects {
            match &object.kind {
                RawKind::Solid(faces) => {
                    colored += 1;
                    let flags = faces.iter().filter(|face| face.flags != [0; 4]).count();
                    flagged += flags;
                    object_flagged += usize::from(flags > 0);
                }
                RawKind::Entity(_) => colored += 1,
                RawKind::Group => {}
            }
        }
        if colored > 0 {
            let text = format!("{colored} solids and entities have a colour of their own, which a map here does not keep");
            self.report.warn("I-DROPPED-COLOR", None, None, text);
        }
        if flagged > 0 {
            let text = format!("{flagged} faces of {object_flagged} solids have flags of another game, which were dropped");
            self.report.warn("I-DROPPED-FACE-FLAGS", None, None, text);
        }
        if let Some(stopped) = &map.stopped {
            let text = format!("only what comes before was read: {} ({})", stopped.kind, stopped.field);
            self.report.warn("I-CUT-SHORT", Some(stopped.offset), None, text);
        }
        if map.trailing > 0 {
            let text = format!("{} bytes after the end of the map were ignored", map.trailing);
            self.report.warn("I-TRAILING-BYTES", None, None, text);
        }
    }
}

fn class_of(class: Text<'_>) -> String {
    let class = class.decoded();
    if class.is_empty() { "path_corner".to_owned() } else { class.into_owned() }
}
