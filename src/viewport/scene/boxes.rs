//! Boxes along the axes around objects (VIEW-2, bounds).

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::document::ObjectId;
use crate::editor::toggles::ShownOf;
use crate::geometry::Aabb;
use crate::viewport::Gpu;
use crate::viewport::arena::Mirror;
use crate::viewport::scene::Store;
use crate::viewport::scene::shape::row;

/// `Box` of `shaders/overlay.wgsl`: a box and the row that it is drawn by.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct BoxData {
    min: [f32; 3],
    /// See [`row`].
    bits: u32,
    max: [f32; 3],
    /// RGBA8.
    color: u32,
}

/// Vertices of one box: twelve edges as quads.
pub(crate) const BOX_VERTICES: u32 = 12 * 6;

/// Index into the colours of the frame: that of the hover, which no object has.
const ROLE_GROUP: u32 = 11;

/// Boxes on the device; made when a view first needs them after a change.
pub(crate) struct Boxes {
    buffer: Mirror,
    pub group: Option<wgpu::BindGroup>,
    pub count: u32,
    /// The generation of the store.
    made_for: Option<u64>,
}

impl Boxes {
    pub(crate) fn new() -> Self {
        Self {
            buffer: Mirror::new("boxes", wgpu::BufferUsages::STORAGE),
            group: None,
            count: 0,
            made_for: None,
        }
    }

    /// `layout`: one storage buffer.
    pub(crate) fn update(
        &mut self,
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        store: &Store,
        of: ShownOf,
    ) {
        if self.made_for == Some(store.generation()) {
            return;
        }
        self.made_for = Some(store.generation());
        let boxes = boxes_of(store, of);
        self.count = boxes.len() as u32;
        if self.buffer.replace(gpu, &boxes)
            && let Some(buffer) = self.buffer.buffer()
        {
            self.group = Some(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("boxes"),
                layout,
                entries: &[wgpu::BindGroupEntry {
                    binding: 0,
                    resource: buffer.as_entire_binding(),
                }],
            }));
        }
    }
}

/// Boxes of what is not hidden: of each thing that was selected, or of every object, group and owner of brushes.
fn boxes_of(store: &Store, of: ShownOf) -> Vec<BoxData> {
    match of {
        ShownOf::Nothing => Vec::new(),
        ShownOf::Selection => {
            let picked: BTreeSet<ObjectId> =
                store.selection().iter().map(|pick| pick.object()).collect();
            picked
                .into_iter()
                .filter_map(|id| {
                    let parts = store.doc().subtree(id);
                    let bounds = parts
                        .into_iter()
                        .filter_map(|part| own_box(store, part))
                        .reduce(Aabb::union)?;
                    Some(data(bounds, bits_of(store, id) | row::SELECTED, 0))
                })
                .collect()
        }
        ShownOf::Everything => everything(store),
    }
}

fn everything(store: &Store) -> Vec<BoxData> {
    let mut boxes = Vec::new();
    let mut owners: BTreeMap<ObjectId, Aabb> = BTreeMap::new();
    for slot in store.slots.iter().flatten() {
        let Some(bounds) = own_box(store, slot.id) else {
            continue;
        };
        boxes.push(data(bounds, bits_of(store, slot.id), slot.color));
        for owner in store.doc().ancestors(slot.id) {
            let whole = owners.entry(owner).or_insert(Aabb::EMPTY);
            *whole = whole.union(bounds);
        }
    }
    let selected = |id| {
        let is_selected = store.selected().contains(&id);
        if is_selected { row::SELECTED } else { 0 }
    };
    boxes.extend(owners.into_iter().map(|(id, bounds)| {
        let role = if store.doc().entity(id).is_some() {
            row::ROLE_BRUSH_ENTITY
        } else {
            ROLE_GROUP
        };
        data(bounds, role << row::ROLE_SHIFT | selected(id), 0)
    }));
    boxes
}

fn data(bounds: Aabb, bits: u32, color: u32) -> BoxData {
    BoxData {
        min: bounds.min.as_vec3().to_array(),
        bits,
        max: bounds.max.as_vec3().to_array(),
        color,
    }
}

/// The row of an object; of what has none (groups, owners) only what it is.
fn bits_of(store: &Store, id: ObjectId) -> u32 {
    store
        .by_id
        .get(&id)
        .and_then(|&at| store.rows.data().get(at as usize))
        .map_or(0, |entry| entry.bits)
}

/// The box of a brush, a mesh or a point entity, without its arrow; `None` for what is hidden or has no shape.
fn own_box(store: &Store, id: ObjectId) -> Option<Aabb> {
    let slot = store.slot(id)?;
    let bounds = slot.bounds.filter(|_| !store.is_hidden(id))?;
    Some(match store.doc().entity(id) {
        Some(entity) => {
            let own = (store.entity_look)(entity).bounds;
            Aabb::new(own.min + entity.origin, own.max + entity.origin)
        }
        None => bounds,
    })
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::document::Brush;
    use crate::document::Document;
    use crate::document::Entity;
    use crate::document::Group;
    use crate::document::Kind;
    use crate::document::Object;
    use crate::document::Pick;
    use crate::document::Selection;
    use crate::document::State;
    use crate::document::ViewState;

    fn cube(at: f64, parent: Option<ObjectId>) -> Object {
        let bounds = Aabb::around(DVec3::X * at, DVec3::splat(8.0));
        Object {
            parent,
            ..Object::new(Kind::Brush(Brush::cuboid(bounds, None)))
        }
    }

    #[test]
    fn view_2_bounds_of_the_selection_and_of_everything() {
        let mut draft = Document::default().edit();
        let group = draft.insert(Object::new(Kind::Group(Group::new("group"))));
        let a = draft.insert(cube(0.0, Some(group)));
        draft.insert(cube(100.0, Some(group)));
        draft.insert(cube(300.0, None));
        let mut start = Entity::new("info_player_start", DVec3::ZERO);
        start.angles_deg.y = 90.0;
        let start = draft.insert(Object::new(Kind::Entity(start)));
        let mut state = State {
            doc: draft.finish().expect("sound"),
            selection: Selection::from([Pick::Object(group), Pick::Object(start)]),
        };
        let mut look = ViewState::default();
        let mut store = Store::default();
        store.sync(&state, &look);
        let sizes = |store: &Store, of| -> Vec<f32> {
            let boxes = boxes_of(store, of);
            boxes.iter().map(|b| b.max[0] - b.min[0]).collect()
        };
        // The group from end to end; the entity without its arrow.
        assert_eq!(sizes(&store, ShownOf::Selection), [116.0, 16.0]);
        assert_eq!(boxes_of(&store, ShownOf::Nothing), []);
        let mut all = sizes(&store, ShownOf::Everything);
        all.sort_by(f32::total_cmp);
        assert_eq!(all, [16.0, 16.0, 16.0, 16.0, 116.0]);
        let red = |store: &Store| {
            let boxes = boxes_of(store, ShownOf::Everything);
            boxes.iter().filter(|b| b.bits & row::SELECTED != 0).count()
        };
        assert_eq!(red(&store), 4, "the group, its two brushes, the entity");
        // What is hidden does not count.
        look.hidden.insert(a);
        store.sync(&state, &look);
        assert_eq!(sizes(&store, ShownOf::Selection), [16.0, 16.0]);
        state.selection.clear();
        store.sync(&state, &look);
        assert_eq!(sizes(&store, ShownOf::Selection), [0.0f32; 0]);
        assert_eq!(red(&store), 0);
    }
}
