//! Random sequences of vertex edits: every brush stays valid, and what is saved comes back byte for byte (VTX, all).

use std::path::Path;

use mapwright::document::Edit;
use mapwright::document::History;
use mapwright::document::ops::components;
use mapwright::document::ops::components::ComponentKind;
use mapwright::document::ops::components::Shape;
use mapwright::formats::Extras;
use mapwright::formats::Importer;
use mapwright::formats::NoSiblings;
use mapwright::formats::hmap;
use mapwright::formats::hmap::Hmap;
use mapwright::geometry::Grid;
use mapwright::task::Progress;
use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
enum Step {
    Move(ComponentKind, Vec<u32>, DVec3),
    Add(u32, DVec3),
    Delete(u32),
    Fuse(u32, u32),
    Turn(Vec<u32>, f64),
    Snap(f64),
    Bevel(Vec<u32>, f64, usize),
    Split(u32, u32),
}

fn kind() -> impl Strategy<Value = ComponentKind> {
    prop_oneof![
        Just(ComponentKind::Vertex),
        Just(ComponentKind::Edge),
        Just(ComponentKind::Face),
    ]
}

fn delta() -> impl Strategy<Value = DVec3> {
    let step =
        || prop_oneof![4 => (-6..=6i32).prop_map(|n| f64::from(n) * 8.0), 1 => -40.0..40.0f64];
    (step(), step(), step()).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

fn step() -> impl Strategy<Value = Step> {
    let some = || prop::collection::vec(0..64u32, 1..4);
    prop_oneof![
        6 => (kind(), some(), delta()).prop_map(|(kind, picks, by)| Step::Move(kind, picks, by)),
        2 => (0..64u32, delta()).prop_map(|(face, by)| Step::Add(face, by)),
        1 => (0..64u32).prop_map(Step::Delete),
        1 => (0..64u32, 0..64u32).prop_map(|(a, b)| Step::Fuse(a, b)),
        1 => (some(), -40.0..40.0f64).prop_map(|(picks, angle)| Step::Turn(picks, angle)),
        1 => prop_oneof![Just(1.0), Just(8.0)].prop_map(Step::Snap),
        1 => (some(), 1.0..12.0f64, 1..4usize).prop_map(|(e, w, n)| Step::Bevel(e, w, n)),
        1 => (0..64u32, 0..64u32).prop_map(|(a, b)| Step::Split(a, b)),
    ]
}

/// Picks some of the first brush, whose numbers wrap round.
fn pick(history: &mut History, kind: ComponentKind, indices: &[u32]) {
    let doc = &history.committed().doc;
    let Some((id, _)) = doc.objects().next() else {
        return;
    };
    let shape = Shape::of_object(doc, id).expect("a shape");
    let count = shape.count(kind) as u32;
    let picks = indices.iter().map(|index| kind.pick(id, index % count));
    let selection = std::iter::once(Pick::Object(id)).chain(picks).collect();
    history.select(selection);
}

fn edit_of(history: &mut History, step: &Step, hold: bool) -> Option<Edit> {
    match step {
        Step::Move(kind, picks, by) => {
            pick(history, *kind, picks);
            Some(components::move_by(*kind, *by, hold))
        }
        Step::Add(face, by) => {
            let state = history.committed();
            let (id, _) = state.doc.objects().next()?;
            let shape = Shape::of_object(&state.doc, id)?;
            let face = face % shape.faces.len() as u32;
            let corners = shape.positions(ComponentKind::Face, face);
            let start = corners.iter().sum::<DVec3>() / corners.len() as f64;
            let made = components::add_vertex(&state.doc, id, &[face], (start, start + *by), hold);
            made.ok().map(|made| made.edit("Add vertex"))
        }
        Step::Delete(vertex) => {
            pick(history, ComponentKind::Vertex, &[*vertex]);
            Some(components::delete(ComponentKind::Vertex, hold))
        }
        Step::Fuse(from, onto) => {
            pick(history, ComponentKind::Vertex, &[*from]);
            let state = history.committed();
            let (id, _) = state.doc.objects().next()?;
            let shape = Shape::of_object(&state.doc, id)?;
            let onto = shape.points[*onto as usize % shape.points.len()];
            Some(components::fuse(onto, hold))
        }
        Step::Turn(picks, angle) => {
            pick(history, ComponentKind::Vertex, picks);
            let state = history.committed();
            let map = glam::DAffine3::from_rotation_y(angle.to_radians());
            components::transform_components("Rotate", &state.doc, &state.selection, &map, hold)
                .ok()
        }
        Step::Snap(size) => {
            pick(history, ComponentKind::Vertex, &[]);
            Some(components::snap(Grid::new(*size), hold))
        }
        Step::Bevel(edges, width, segments) => {
            pick(history, ComponentKind::Edge, edges);
            Some(components::bevel(*width, *segments, None))
        }
        Step::Split(a, b) => {
            pick(history, ComponentKind::Vertex, &[*a, *b]);
            Some(components::split(None))
        }
    }
}

fn saved(doc: &Document) -> Vec<u8> {
    let view = ViewState::default();
    hmap::write(doc, &view, &Extras::default(), None, Path::new("made.hmap")).expect("saves")
}

fn check_all(history: &History) {
    let doc = &history.committed().doc;
    check_document(doc);
    for (id, object) in doc.objects() {
        let brush = object.brush().expect("a brush");
        for (index, corners) in brush.hull().loops().iter().enumerate() {
            let mut unique = corners.clone();
            unique.sort_unstable();
            unique.dedup();
            assert!(unique.len() >= 3, "{id} face {index}: {corners:?}");
        }
    }
    let bytes = saved(doc);
    let read = Hmap
        .import(
            &bytes,
            Path::new("made.hmap"),
            &NoSiblings,
            &Progress::new(),
        )
        .unwrap_or_else(|error| panic!("{error}"));
    for (id, object) in doc.objects() {
        assert!(
            read.doc.object(id) == Some(object),
            "{id} comes back as it was: {:?}",
            read.report
        );
    }
    assert!(saved(&read.doc) == bytes, "saved again it is the same");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn vtx_all_brushes_stay_valid(steps in prop::collection::vec(step(), 1..14), hold in any::<bool>()) {
        let mut draft = Document::default().edit();
        cube(&mut draft, [0.0, 0.0, 0.0], [64.0, 48.0, 96.0]);
        let mut history = History::new(draft.finish().expect("sound"));
        for step in &steps {
            let Some(edit) = edit_of(&mut history, step, hold) else { continue };
            let before = history.committed().clone();
            let known: BTreeSet<&str> = ["Move vertices", "Move edges", "Move faces", "Add vertex", "Delete vertices",
                "Fuse vertices", "Rotate", "Snap vertices", "Bevel", "Split"].into();
            prop_assert!(known.contains(edit.label), "{}", edit.label);
            if let Err(error) = history.commit(&edit) {
                prop_assert!(history.committed().doc.same(&before.doc), "{error}");
                continue;
            }
            check_all(&history);
        }
        while history.undo().is_some() {}
        prop_assert_eq!(history.committed().doc.object_count(), 1);
    }
}
