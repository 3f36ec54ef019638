//! What the store promises: catching up in steps gives the same as starting anew.

use glam::DAffine3;
use glam::DVec3;
use proptest::prelude::*;

use super::*;
use crate::document::Brush;
use crate::document::Draft;
use crate::document::Group;
use crate::document::Kind;
use crate::document::Material;
use crate::document::MaterialId;
use crate::document::Object;
use crate::document::Pick;
use crate::document::UvLock;

fn cube(at: DVec3, material: u32) -> Object {
    Object::new(Kind::Brush(Brush::cuboid(
        Aabb::new(at, at + 64.0),
        Some(MaterialId(material)),
    )))
}

fn map(count: u32) -> State {
    let mut draft = Document::default().edit();
    draft.set_materials((0..4).map(|n| Material::new(format!("m{n}"), "")).collect());
    for n in 0..count {
        draft.insert(cube(
            DVec3::new(f64::from(n % 50) * 96.0, 0.0, f64::from(n / 50) * 96.0),
            n % 4,
        ));
    }
    State {
        doc: draft.peek(),
        selection: Selection::new(),
    }
}

fn shift(draft: &mut Draft, id: ObjectId, by: DVec3) {
    draft.update(id, |object| {
        if let Kind::Brush(brush) = &object.kind {
            object.kind = Kind::Brush(brush.transformed(
                &DAffine3::from_translation(by),
                UvLock::World,
                &|_| glam::Vec2::splat(64.0),
            ));
        }
    });
}

/// Everything that reaches the screen, free of where it lies: per object its row, triangles by list, and edges.
fn picture(store: &Store) -> Vec<String> {
    let mut list = Vec::new();
    for (key, spans) in &store.lists {
        for (chunk, span) in spans {
            for triangle in store.indices.get(*span).chunks(3) {
                let corner = |at: usize| store.vertices.data()[triangle[at] as usize];
                let slot = corner(0).slot;
                assert_eq!(slot / CHUNK, *chunk);
                let id = store.slots[slot as usize].as_ref().expect("a live slot").id;
                let bits = store.rows.data()[slot as usize];
                let corners: Vec<_> = (0..3)
                    .map(|at| (corner(at).position, corner(at).uv, corner(at).normal))
                    .collect();
                list.push(format!("{id} {key:?} {bits:?} {corners:?}"));
            }
        }
    }
    for span in [false, true]
        .map(|of_entities| store.chunk_segments(of_entities, |_| true))
        .into_iter()
        .flatten()
    {
        for segment in store.segments.get(span) {
            let id = store.slots[segment.slot as usize]
                .as_ref()
                .expect("a live slot")
                .id;
            list.push(format!("{id} {:?} {:?}", segment.a, segment.b));
        }
    }
    for span in &store.selected_segments {
        list.extend(
            store
                .segments
                .get(*span)
                .iter()
                .map(|segment| format!("selected {:?} {:?}", segment.a, segment.b)),
        );
    }
    list.sort();
    list
}

fn check_same_as_fresh(store: &Store, state: &State, look: &ViewState) {
    let mut fresh = Store::default();
    fresh.sync(state, look);
    assert_eq!(picture(store), picture(&fresh));
    for (number, chunk) in store.chunks.iter().enumerate() {
        let first = number * CHUNK as usize;
        let slots = &store.slots[first..store.slots.len().min(first + CHUNK as usize)];
        assert_eq!(
            chunk.bounds,
            slots
                .iter()
                .flatten()
                .filter_map(|slot| slot.bounds)
                .reduce(Aabb::union)
        );
    }
}

#[test]
fn a_move_rewrites_vertices_and_nothing_else() {
    let look = ViewState::default();
    let mut state = map(500);
    let mut store = Store::default();
    assert!(store.sync(&state, &look));
    assert!(!store.sync(&state, &look), "nothing changed");
    store.vertices.take_dirty();
    store.segments.take_dirty();
    store.indices.take_dirty();
    store.rows.take_dirty();
    let id = ObjectId::new(77).expect("not 0");
    let mut draft = state.doc.edit();
    shift(&mut draft, id, DVec3::new(16.0, 0.0, 0.0));
    state.doc = draft.peek();
    assert!(store.sync(&state, &look));
    let slot = store.slot(id).expect("drawn");
    let (vertices, segments) = (slot.vertices, slot.segments);
    assert_eq!(
        store.vertices.take_dirty(),
        vec![vertices.start..vertices.end()]
    );
    assert_eq!(
        store.segments.take_dirty(),
        vec![segments.start..segments.end()]
    );
    assert!(!store.indices.is_dirty() && !store.rows.is_dirty());
    check_same_as_fresh(&store, &state, &look);
}

#[test]
fn selecting_writes_rows_only() {
    let look = ViewState::default();
    let mut state = map(300);
    let mut store = Store::default();
    store.sync(&state, &look);
    store.vertices.take_dirty();
    store.rows.take_dirty();
    let id = ObjectId::new(5).expect("not 0");
    state.selection.insert(Pick::Object(id));
    assert!(store.sync(&state, &look));
    assert!(!store.vertices.is_dirty());
    assert_eq!(
        store
            .rows
            .take_dirty()
            .iter()
            .map(std::iter::ExactSizeIterator::len)
            .sum::<usize>(),
        1
    );
    assert_eq!(
        store
            .selected_segments()
            .iter()
            .map(|span| span.len)
            .sum::<u32>(),
        12
    );
}

#[test]
fn groups_owners_and_hiding_reach_what_is_below() {
    let mut state = map(4);
    let mut look = ViewState::default();
    let mut store = Store::default();
    store.sync(&state, &look);
    let [a, b] = [1, 2].map(|n| ObjectId::new(n).expect("not 0"));
    let mut draft = state.doc.edit();
    let group = draft.insert(Object::new(Kind::Group(Group::new("g"))));
    draft.update(a, |object| object.parent = Some(group));
    let door = draft.insert(Object::new(Kind::Entity(Entity::new(
        "func_door",
        DVec3::ZERO,
    ))));
    state.doc = draft.peek();
    store.sync(&state, &look);
    check_same_as_fresh(&store, &state, &look);
    assert!(
        !store
            .slot(door)
            .expect("has a slot")
            .vertices
            .range()
            .is_empty()
    );
    let mut draft = state.doc.edit();
    draft.update(b, |object| object.parent = Some(door));
    state.doc = draft.peek();
    state.selection.insert(Pick::Object(group));
    look.hidden.insert(group);
    store.sync(&state, &look);
    assert!(store.is_hidden(a) && !store.is_hidden(b));
    assert_eq!(store.hidden(), vec![a, group]);
    assert!(store.selected().contains(&a));
    assert!(
        store
            .slot(door)
            .expect("has a slot")
            .vertices
            .range()
            .is_empty(),
        "an owner has no box"
    );
    check_same_as_fresh(&store, &state, &look);
    let mut draft = state.doc.edit();
    draft.update(group, |object| object.parent = Some(door));
    state.doc = draft.peek();
    store.sync(&state, &look);
    check_same_as_fresh(&store, &state, &look);
}

#[test]
fn a_tile_size_moves_the_textures_of_its_users() {
    let look = ViewState::default();
    let mut state = map(8);
    let mut store = Store::default();
    store.sync(&state, &look);
    let mut draft = state.doc.edit();
    draft.update_material(MaterialId(1), |material| {
        material.tile_size = glam::Vec2::splat(32.0);
    });
    draft.update_material(MaterialId(2), |material| {
        material.flags = crate::document::SurfaceFlags::TRANSLUCENT;
    });
    state.doc = draft.peek();
    store.sync(&state, &look);
    check_same_as_fresh(&store, &state, &look);
}

#[derive(Clone, Debug)]
enum Step {
    Add(u32, u32),
    Remove(u32),
    Move(u32, i8),
    Select(u32),
    Deselect,
    Hide(u32),
    Lock(u32),
    Repaint(u32, u32),
    Undo,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0u32..400, 0u32..5).prop_map(|(n, m)| Step::Add(n, m)),
        2 => (1u32..500).prop_map(Step::Remove),
        3 => (1u32..500, any::<i8>()).prop_map(|(n, d)| Step::Move(n, d)),
        2 => (1u32..500).prop_map(Step::Select),
        1 => Just(Step::Deselect),
        1 => (1u32..500).prop_map(Step::Hide),
        1 => (1u32..500).prop_map(Step::Lock),
        1 => (1u32..500, 0u32..4).prop_map(|(n, m)| Step::Repaint(n, m)),
        1 => Just(Step::Undo),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn following_step_by_step_equals_starting_anew(start in 0u32..400, steps in prop::collection::vec(step(), 1..24)) {
        let mut state = map(start);
        let mut past = vec![state.clone()];
        let mut look = ViewState::default();
        let mut store = Store::default();
        store.sync(&state, &look);
        for step in steps {
            let mut draft = state.doc.edit();
            let object = |n: u32| ObjectId::new(n).expect("not 0");
            match step {
                Step::Add(n, m) => { draft.insert(cube(DVec3::splat(f64::from(n)), m)); }
                Step::Remove(n) => draft.remove(object(n)),
                Step::Move(n, by) => shift(&mut draft, object(n), DVec3::splat(f64::from(by))),
                Step::Select(n) => { state.selection.insert(Pick::Object(object(n))); }
                Step::Deselect => state.selection.clear(),
                Step::Hide(n) => { look.hidden.insert(object(n)); }
                Step::Lock(n) => { look.locked.insert(object(n)); }
                Step::Repaint(n, m) => {
                    draft.update(object(n), |object| {
                        if let Kind::Brush(brush) = &object.kind {
                            let mut faces = brush.faces().to_vec();
                            faces[0].material = Some(MaterialId(m));
                            object.kind = Kind::Brush(brush.with_surfaces(faces));
                        }
                    });
                }
                Step::Undo => {}
            }
            if matches!(step, Step::Undo) {
                state = past[past.len() / 2].clone();
            } else {
                state.doc = draft.peek();
                state.selection.prune(&state.doc);
                past.push(state.clone());
            }
            look.prune(&state.doc);
            store.sync(&state, &look);
        }
        check_same_as_fresh(&store, &state, &look);
    }
}
