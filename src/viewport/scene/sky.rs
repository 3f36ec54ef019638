//! Faces of sky materials, and from where they are looked at.
//!
//! Which of them are drawn: `editor/shown/sky.rs`.

use glam::DVec3;

use crate::editor::shown::Column;
use crate::editor::shown::MOST_LOOKED_AT;
use crate::editor::shown::is_around;
use crate::geometry::Aabb;
use crate::viewport::arena::Span;
use crate::viewport::arena::joined;
use crate::viewport::scene::Store;
use crate::viewport::scene::cpu::CHUNK;
use crate::viewport::scene::cpu::Slot;
use crate::viewport::scene::cpu::push_run;
use crate::viewport::scene::shape::FaceRun;
use crate::viewport::scene::shape::row;
use crate::viewport::scene::surface::ListKey;
use crate::viewport::scene::surface::Pass;

/// The sky of a store.
#[derive(Default, PartialEq)]
pub(crate) struct Sky {
    /// Triangles of inner faces by material, in order.
    pub faces: Vec<(ListKey, Vec<u32>)>,
    /// Edges of objects with sky, for views that do not draw their faces.
    pub segments: Vec<Span>,
    /// Of everything that is drawn.
    bounds: Option<Aabb>,
}

impl Sky {
    pub(super) fn of(store: &Store) -> Self {
        let mut sky = Self::default();
        let mut found: Vec<(usize, &Slot, &FaceRun)> = Vec::new();
        for (_, chunks) in store.lists.iter().filter(|(key, _)| key.pass == Pass::Sky) {
            for &(chunk, _) in chunks {
                let first = chunk as usize * CHUNK as usize;
                let last = store.slots.len().min(first + CHUNK as usize);
                for at in first..last {
                    let slot = store.slots[at].as_ref();
                    let runs = slot.into_iter().flat_map(|slot| {
                        let runs = slot.faces.iter();
                        runs.map(move |run| (at, slot, run))
                    });
                    found.extend(runs.filter(|(_, _, run)| run.key.pass == Pass::Sky));
                }
            }
        }
        if found.is_empty() {
            return sky;
        }
        // A chunk is found once for each of its materials.
        found.sort_by_key(|(at, _, run)| (run.key, *at, run.face));
        found.dedup_by_key(|(at, _, run)| (run.key, *at, run.face));
        let few = found.len() <= MOST_LOOKED_AT;
        for &(at, slot, run) in &found {
            if few && is_outer(store, at, slot, run) {
                continue;
            }
            match sky.faces.last_mut() {
                Some((key, indices)) if *key == run.key => push_run(slot, run, indices),
                _ => {
                    let mut indices = Vec::new();
                    push_run(slot, run, &mut indices);
                    sky.faces.push((run.key, indices));
                }
            }
        }
        let mut segments: Vec<Span> = found.iter().map(|(_, slot, _)| slot.segments).collect();
        segments.sort_unstable_by_key(|span| span.start);
        segments.dedup();
        sky.segments = joined(segments);
        let chunks = store.chunks.iter().filter_map(|chunk| chunk.bounds);
        sky.bounds = chunks.reduce(Aabb::union);
        sky
    }

    /// True where the eye is among what the map consists of.
    pub(crate) fn is_around(&self, eye_in_map: DVec3) -> bool {
        is_around(self.bounds, eye_in_map)
    }
}

/// True when a face of a brush looks away from everything: nothing lies straight in front of it. Walls and lids of a shell
/// have the opposite wall or the ground in front of their inner sides.
fn is_outer(store: &Store, at: usize, slot: &Slot, run: &FaceRun) -> bool {
    // Domes are one mesh, whose own far side would have to count.
    if slot.role() == row::ROLE_MESH {
        return false;
    }
    let corners = &store.vertices.get(slot.vertices)[run.first as usize..];
    let corners = &corners[..run.count as usize];
    let Some([x, y, z, _]) = corners.first().map(|corner| corner.normal) else {
        return false;
    };
    let points = corners
        .iter()
        .map(|corner| glam::Vec3::from(corner.position).as_dvec3());
    let column = Column::new(points, DVec3::new(f64::from(x), f64::from(y), f64::from(z)));
    for (number, chunk) in store.chunks.iter().enumerate() {
        if !chunk.bounds.is_some_and(|bounds| column.meets(bounds)) {
            continue;
        }
        let first = number * CHUNK as usize;
        let last = store.slots.len().min(first + CHUNK as usize);
        let meets = |other: usize| {
            other != at
                && store.slots[other].as_ref().is_some_and(|slot| {
                    slot.is_geometry() && slot.bounds.is_some_and(|bounds| column.meets(bounds))
                })
        };
        if (first..last).any(meets) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Brush;
    use crate::document::Document;
    use crate::document::Kind;
    use crate::document::Material;
    use crate::document::MaterialId;
    use crate::document::Object;
    use crate::document::Selection;
    use crate::document::State;
    use crate::document::SurfaceFlags;
    use crate::document::ViewState;

    /// Normals of the drawn faces for boxes of (min, max, is it sky).
    fn drawn(boxes: &[([f64; 3], [f64; 3], bool)]) -> (Store, Vec<[i8; 4]>) {
        let mut draft = Document::default().edit();
        let mut sky = Material::new("sky", "sky");
        sky.flags = SurfaceFlags::SKY;
        draft.set_materials(vec![Material::new("wall", "wall"), sky]);
        for &(min, max, is_sky) in boxes {
            let bounds = Aabb::new(DVec3::from(min), DVec3::from(max));
            let material = MaterialId(u32::from(is_sky));
            draft.insert(Object::new(Kind::Brush(Brush::cuboid(
                bounds,
                Some(material),
            ))));
        }
        let state = State {
            doc: draft.peek(),
            selection: Selection::new(),
        };
        let mut store = Store::default();
        store.sync(&state, &ViewState::default());
        let faces = store.sky().faces.iter();
        let mut normals: Vec<[i8; 4]> = faces
            .flat_map(|(_, indices)| indices.chunks(3))
            .map(|corners| store.vertices.data()[corners[0] as usize].normal)
            .collect();
        normals.sort_unstable();
        normals.dedup();
        (store, normals)
    }

    #[test]
    fn lids_show_their_under_sides_and_shells_their_inner_sides() {
        let ground = ([-512.0, -16.0, -512.0], [512.0, 0.0, 512.0], false);
        let lid = ([-512.0, 512.0, -512.0], [512.0, 528.0, 512.0], true);
        let (store, normals) = drawn(&[ground, lid]);
        assert_eq!(normals, [[0, -127, 0, 0]]);
        assert!(store.sky().is_around(DVec3::new(0.0, 100.0, 0.0)));
        assert!(!store.sky().is_around(DVec3::new(0.0, 600.0, 0.0)));
        let left = ([-528.0, 0.0, -512.0], [-512.0, 512.0, 512.0], true);
        let right = ([512.0, 0.0, -512.0], [528.0, 512.0, 512.0], true);
        let (_, normals) = drawn(&[ground, lid, left, right]);
        assert_eq!(normals, [[-127, 0, 0, 0], [0, -127, 0, 0], [127, 0, 0, 0]]);
        // The wall alone has nothing before it.
        let (store, normals) = drawn(&[ground, left]);
        assert_eq!(normals, [[0i8; 4]; 0]);
        assert!(!store.sky().segments.is_empty());
        let (store, _) = drawn(&[ground]);
        assert!(store.sky() == &Sky::default());
    }

    #[test]
    fn the_sky_follows_what_moves_in_front_of_it() {
        let ground = ([-512.0, -16.0, -512.0], [512.0, 0.0, 512.0], false);
        let lid = ([600.0, 512.0, -512.0], [900.0, 528.0, 512.0], true);
        let (mut store, normals) = drawn(&[ground, lid]);
        assert!(normals.is_empty());
        let before = store.sky_generation();
        let mut draft = store.doc().edit();
        draft.insert(Object::new(Kind::Brush(Brush::cuboid(
            Aabb::new(DVec3::new(600.0, -16.0, 0.0), DVec3::new(700.0, 0.0, 9.0)),
            Some(MaterialId(0)),
        ))));
        let state = State {
            doc: draft.peek(),
            selection: Selection::new(),
        };
        store.sync(&state, &ViewState::default());
        assert_eq!(store.sky().faces.len(), 1);
        assert!(store.sky_generation() > before);
    }
}
