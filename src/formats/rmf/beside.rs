//! What a map holds beside its objects: visgroups, paths, cameras; and the count of what a document has no place for.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use glam::DVec3;

use crate::document::Camera;
use crate::document::CameraKind;
use crate::document::Kind;
use crate::document::Layer;
use crate::document::LayerId;
use crate::document::LayerKind;
use crate::document::MapPath;
use crate::document::Object;
use crate::document::ObjectId;
use crate::formats::lights::angles_deg_looking_along;
use crate::formats::lights::map_from_game;
use crate::formats::rmf::convert::Builder;
use crate::formats::rmf::entities::Converted;
use crate::formats::rmf::entities::Corners;
use crate::formats::rmf::raw::RawKind;
use crate::formats::rmf::raw::Text;

/// The file stores no angle of view.
const FOV_Y_DEG: f32 = 60.0;

/// Far more than a map has; a damaged file could multiply them without end.
const MOST_VISGROUPS: usize = 256;

impl Builder<'_, '_, '_> {
    /// Ids of the file to layers, the first of each.
    pub(super) fn insert_visgroups(&mut self) -> HashMap<i32, LayerId> {
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
            match layers.entry(visgroup.id) {
                Entry::Vacant(slot) => {
                    slot.insert(id);
                }
                Entry::Occupied(_) => {
                    let text = format!(
                        "visgroup {} has the number of an earlier one and no members",
                        visgroup.name.decoded()
                    );
                    self.report.warn("I-VISGROUP", None, None, text);
                }
            }
        }
        layers
    }

    /// The visgroups of each object of the file. A group passes its own on to its members, since a document keeps them on
    /// brushes and entities; what an entity owns follows the entity. Together with those of the ancestors this is the union of
    /// both spellings that editors use.
    pub(super) fn memberships(&mut self, layers: &HashMap<i32, LayerId>) -> Vec<Arc<[LayerId]>> {
        let none: Arc<[LayerId]> = Arc::from([]);
        let mut lists: Vec<Arc<[LayerId]>> = Vec::with_capacity(self.map.objects.len());
        let (mut unknown, mut crowded) = (0, 0);
        for object in &self.map.objects {
            let inherited = match object.parent.map(|parent| parent as usize) {
                Some(parent) if matches!(self.map.objects[parent].kind, RawKind::Group) => {
                    &lists[parent]
                }
                _ => &none,
            };
            let named = object.base.visgroups.iter().filter(|&&id| id != 0);
            let mut own: Vec<LayerId> = named
                .clone()
                .filter_map(|id| layers.get(id).copied())
                .collect();
            unknown += usize::from(own.len() < named.count());
            own.retain(|layer| !inherited.contains(layer));
            if own.is_empty() {
                lists.push(Arc::clone(inherited));
                continue;
            }
            own.extend(inherited.iter());
            own.sort_unstable();
            own.dedup();
            crowded += usize::from(own.len() > MOST_VISGROUPS);
            own.truncate(MOST_VISGROUPS);
            lists.push(own.into());
        }
        if unknown > 0 {
            let text = format!(
                "{unknown} objects name a visgroup that is not in the file; they are not in it"
            );
            self.report.warn("I-VISGROUP", None, None, text);
        }
        if crowded > 0 {
            let text = format!(
                "{crowded} objects are in more than {MOST_VISGROUPS} visgroups; the others were left out"
            );
            self.report.warn("I-VISGROUP", None, None, text);
        }
        lists
    }

    pub(super) fn insert_paths(&mut self, root: Option<ObjectId>, paths: Vec<Corners>) {
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
            let text = format!(
                "path {name} became {} entities of class {}",
                nodes.len(),
                class_of(path.class)
            );
            self.report
                .warn("I-PATH", None, nodes.first().copied(), text);
            nodes.truncate(corners.node_count);
            self.draft.insert_path(MapPath {
                name,
                kind: corners.kind,
                flags: 0,
                nodes,
            });
        }
    }

    pub(super) fn insert_cameras(&mut self) {
        let Some(info) = &self.map.doc_info else {
            return;
        };
        let before = self.view.cameras.len();
        for [eye, look] in &info.cameras {
            if !eye.is_finite() || !look.is_finite() {
                self.report.warn(
                    "I-NOT-FINITE",
                    None,
                    None,
                    "a camera whose place is not a number was left out",
                );
                continue;
            }
            let [eye, look] = [eye, look]
                .map(|point| map_from_game(point.as_dvec3() + DVec3::new(self.shift, 0.0, 0.0)));
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
    pub(super) fn note_losses(&mut self) {
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
            let text = format!(
                "{colored} solids and entities have a colour of their own, which a map here does not keep"
            );
            self.report.warn("I-DROPPED-COLOR", None, None, text);
        }
        if flagged > 0 {
            let text = format!(
                "{flagged} faces of {object_flagged} solids have flags of another game, which were dropped"
            );
            self.report.warn("I-DROPPED-FACE-FLAGS", None, None, text);
        }
        if let Some(stopped) = &map.stopped {
            let text = format!(
                "only what comes before was read: {} ({})",
                stopped.kind, stopped.field
            );
            self.report
                .warn("I-CUT-SHORT", Some(stopped.offset), None, text);
        }
        if map.trailing > 0 {
            let text = format!(
                "{} bytes after the end of the map were ignored",
                map.trailing
            );
            self.report.warn("I-TRAILING-BYTES", None, None, text);
        }
    }
}

fn class_of(class: Text<'_>) -> String {
    let class = class.decoded();
    if class.is_empty() {
        "path_corner".to_owned()
    } else {
        class.into_owned()
    }
}
