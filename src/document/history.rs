//! The list of committed states, the preview beside it, and a budget in bytes.

use std::collections::BTreeSet;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::document::Change;
use crate::document::Document;
use crate::document::Draft;
use crate::document::EditError;
use crate::document::Kind;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::SelectionExt as _;
use crate::document::Subject;

/// Default budget of the undo list in bytes.
pub const DEFAULT_BUDGET: usize = 512 << 20;

type Run = dyn Fn(&mut Draft, &mut Selection) -> Result<(), EditError> + Send + Sync;

/// Does to some objects what an edit did to others; gives those that come of it: themselves, or their copies.
pub type Again = dyn Fn(&mut Draft, &[ObjectId]) -> Result<Vec<ObjectId>, EditError> + Send + Sync;

/// A labelled, pure function over a draft: it may run many times and gives the same result for the same state.
#[derive(Clone)]
pub struct Edit {
    /// Names the undo step: "Move".
    pub label: &'static str,
    run: Arc<Run>,
    again: Option<Arc<Again>>,
}

impl Edit {
    pub fn new(
        label: &'static str,
        run: impl Fn(&mut Draft, &mut Selection) -> Result<(), EditError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            label,
            run: Arc::new(run),
            again: None,
        }
    }

    /// Lets the edit be repeated on whatever is selected then (DUP-3): for transforms and copies. The editor records it when it
    /// is committed; nothing else needs to be done by whoever makes it.
    #[must_use]
    pub fn repeatable(
        self,
        again: impl Fn(&mut Draft, &[ObjectId]) -> Result<Vec<ObjectId>, EditError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self {
            again: Some(Arc::new(again)),
            ..self
        }
    }

    /// How it is done once more; `None` for what is no transform.
    #[must_use]
    pub fn again(&self) -> Option<&Arc<Again>> {
        self.again.as_ref()
    }

    /// Runs the edit over a draft of the caller's.
    ///
    /// # Errors
    /// Whatever the edit refuses; the draft must be dropped then.
    pub fn apply(&self, draft: &mut Draft, selection: &mut Selection) -> Result<(), EditError> {
        (self.run)(draft, selection)
    }
}

impl std::fmt::Debug for Edit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Edit")
            .field("label", &self.label)
            .finish_non_exhaustive()
    }
}

/// What is shown: a document and what is picked in it.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub doc: Document,
    pub selection: Selection,
}

/// One step: the state on its other side with what was picked there, and the label of what led from one to the other.
struct Step {
    label: &'static str,
    /// What changed between the two sides of it.
    subject: Subject,
    state: State,
    /// What was picked on this side of it, whatever is picked now.
    here: Selection,
    /// Bytes that only this step keeps alive.
    cost: usize,
}

/// A step as lists show it.
#[derive(Clone, Copy)]
pub struct StepView<'a> {
    pub label: &'static str,
    pub subject: Subject,
    pub before: &'a Document,
    pub after: &'a Document,
}

impl StepView<'_> {
    /// The first object that the step changed, and the document that holds it: the one after it, unless it was deleted.
    #[must_use]
    pub fn object(&self) -> Option<(ObjectId, &Document)> {
        let id = self.subject.first?;
        let is_there = self.after.object(id).is_some();
        Some((id, if is_there { self.after } else { self.before }))
    }
}

/// The committed state, the preview over it, and the way back and forth.
pub struct History {
    now: State,
    preview: Option<State>,
    undo: VecDeque<Step>,
    redo: Vec<Step>,
    budget: usize,
    used: usize,
}

impl History {
    #[must_use]
    pub fn new(doc: Document) -> Self {
        Self::with_budget(doc, DEFAULT_BUDGET)
    }

    #[must_use]
    pub fn with_budget(doc: Document, budget: usize) -> Self {
        Self {
            now: State {
                doc,
                selection: Selection::new(),
            },
            preview: None,
            undo: VecDeque::new(),
            redo: Vec::new(),
            budget,
            used: 0,
        }
    }

    /// What tools start from.
    #[must_use]
    pub fn committed(&self) -> &State {
        &self.now
    }

    /// What everybody shows: the preview if there is one.
    #[must_use]
    pub fn state(&self) -> &State {
        self.preview.as_ref().unwrap_or(&self.now)
    }

    #[must_use]
    pub fn is_previewing(&self) -> bool {
        self.preview.is_some()
    }

    /// Shows the edit over the committed state. A failing edit leaves the last good preview.
    ///
    /// # Errors
    /// What the edit refuses.
    pub fn preview(&mut self, edit: &Edit) -> Result<(), EditError> {
        let mut draft = self.now.doc.edit();
        let mut selection = self.now.selection.clone();
        edit.apply(&mut draft, &mut selection)?;
        let old = self.preview.replace(State {
            doc: draft.peek(),
            selection,
        });
        if self.now.doc.object_count() >= DROPPED_ASIDE {
            // Freeing thousands of objects takes as long as making them; nobody has to wait for it.
            rayon::spawn(move || drop(old));
        }
        Ok(())
    }

    /// Makes the edit the next state. An edit that changes nothing makes no step. The preview is dropped either way.
    ///
    /// # Errors
    /// What the edit refuses or the checks of [`Draft::finish`] find; nothing has changed then.
    pub fn commit(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.make(edit, false)
    }

    /// As [`History::commit`], but folds into the last step when that has the same label and selection:
    /// the editor says so for nudges that follow each other within a second.
    ///
    /// # Errors
    /// As [`History::commit`].
    pub fn commit_folding(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.make(edit, true)
    }

    fn make(&mut self, edit: &Edit, fold: bool) -> Result<(), EditError> {
        self.preview = None;
        let mut draft = self.now.doc.edit();
        let mut selection = self.now.selection.clone();
        edit.apply(&mut draft, &mut selection)?;
        let doc = draft.finish()?;
        selection.prune(&doc);
        if doc.same(&self.now.doc) || is_unchanged(&doc, &self.now.doc) {
            self.now.selection = selection;
            return Ok(());
        }
        let before = std::mem::replace(&mut self.now, State { doc, selection });
        self.redo.clear();
        if fold
            && self.undo.back().is_some_and(|step| {
                step.label == edit.label
                    && is_same_selection(&step.state.selection, &before.selection)
            })
        {
            // The step before keeps the state to go back to; only its price changes.
            if let Some(step) = self.undo.back_mut() {
                self.used -= step.cost;
                step.cost = cost(&step.state.doc, &self.now.doc);
                step.subject = Subject::of(&step.state.doc, &self.now.doc);
                self.used += step.cost;
                step.here.clone_from(&self.now.selection);
            }
        } else {
            let cost = cost(&before.doc, &self.now.doc);
            self.used += cost;
            self.undo.push_back(Step {
                label: edit.label,
                subject: Subject::of(&before.doc, &self.now.doc),
                state: before,
                here: self.now.selection.clone(),
                cost,
            });
        }
        self.keep_budget();
        Ok(())
    }

    /// Makes the edit the last step in place of what that did: it starts from the state before that step. Without a step it is
    /// a commit.
    ///
    /// # Errors
    /// As [`History::commit`].
    pub fn amend(&mut self, edit: &Edit) -> Result<(), EditError> {
        self.preview = None;
        let Some(step) = self.undo.back_mut() else {
            return self.commit(edit);
        };
        let mut draft = step.state.doc.edit();
        let mut selection = step.state.selection.clone();
        edit.apply(&mut draft, &mut selection)?;
        let doc = draft.finish()?;
        selection.prune(&doc);
        self.now = State { doc, selection };
        self.redo.clear();
        step.label = edit.label;
        step.here.clone_from(&self.now.selection);
        self.used -= step.cost;
        step.cost = cost(&step.state.doc, &self.now.doc);
        step.subject = Subject::of(&step.state.doc, &self.now.doc);
        self.used += step.cost;
        self.keep_budget();
        Ok(())
    }

    /// The oldest steps go first; one always stays.
    fn keep_budget(&mut self) {
        while self.used > self.budget && self.undo.len() > 1 {
            if let Some(step) = self.undo.pop_front() {
                self.used -= step.cost;
            }
        }
    }

    /// Drops the preview.
    pub fn cancel(&mut self) {
        self.preview = None;
    }

    /// Changes what is picked; no undo step.
    pub fn select(&mut self, mut selection: Selection) {
        selection.prune(&self.now.doc);
        self.now.selection = selection;
    }

    /// Goes one step back; the label of what was undone. `None` at the start, or while a preview is shown.
    pub fn undo(&mut self) -> Option<&'static str> {
        if self.preview.is_some() {
            return None;
        }
        let step = self.undo.pop_back()?;
        self.used -= step.cost;
        let step = self.cross(step);
        let label = step.label;
        self.redo.push(step);
        Some(label)
    }

    /// Goes one step forth; the label of what was redone.
    pub fn redo(&mut self) -> Option<&'static str> {
        if self.preview.is_some() {
            return None;
        }
        let step = self.redo.pop()?;
        self.used += step.cost;
        let step = self.cross(step);
        let label = step.label;
        self.undo.push_back(step);
        Some(label)
    }

    /// Goes to the other side of a step. Returns it as it is seen from there.
    fn cross(&mut self, step: Step) -> Step {
        let there = step.state.selection.clone();
        let left = std::mem::replace(&mut self.now, step.state);
        Step {
            label: step.label,
            subject: step.subject,
            state: State {
                doc: left.doc,
                selection: step.here,
            },
            here: there,
            cost: step.cost,
        }
    }

    /// Label of what [`History::undo`] would undo.
    #[must_use]
    pub fn undo_label(&self) -> Option<&'static str> {
        self.undo.back().map(|step| step.label)
    }

    #[must_use]
    pub fn redo_label(&self) -> Option<&'static str> {
        self.redo.last().map(|step| step.label)
    }

    /// Labels from the oldest step to the newest.
    pub fn undo_labels(&self) -> impl Iterator<Item = &'static str> {
        self.undo.iter().map(|step| step.label)
    }

    /// Number of steps that are done: those that undo would take back.
    #[must_use]
    pub fn done_count(&self) -> usize {
        self.undo.len()
    }

    /// Number of all steps, those that were undone included.
    #[must_use]
    pub fn step_count(&self) -> usize {
        self.undo.len() + self.redo.len()
    }

    /// A step: from the oldest over the last one that is done to the one that redo would reach last.
    #[must_use]
    pub fn step(&self, index: usize) -> Option<StepView<'_>> {
        let now = &self.now.doc;
        if let Some(step) = self.undo.get(index) {
            let after = self.undo.get(index + 1).map_or(now, |next| &next.state.doc);
            return Some(StepView {
                label: step.label,
                subject: step.subject,
                before: &step.state.doc,
                after,
            });
        }
        let place = self.step_count().checked_sub(index + 1)?;
        let step = self.redo.get(place)?;
        let before = self
            .redo
            .get(place + 1)
            .map_or(now, |earlier| &earlier.state.doc);
        Some(StepView {
            label: step.label,
            subject: step.subject,
            before,
            after: &step.state.doc,
        })
    }

    /// Goes back or forth until so many steps are done. False, and nothing happens, when there are not that many, or while a
    /// preview is shown.
    pub fn go_to(&mut self, done: usize) -> bool {
        if self.preview.is_some() || done > self.step_count() {
            return false;
        }
        while self.undo.len() > done {
            self.undo();
        }
        while self.undo.len() < done {
            self.redo();
        }
        true
    }

    /// Bytes that the undo list keeps alive.
    #[must_use]
    pub fn used_bytes(&self) -> usize {
        self.used
    }
}

/// Vertices and edges are numbered anew when a shape changes: what is picked of the same objects counts as the same.
fn is_same_selection(a: &Selection, b: &Selection) -> bool {
    let objects = |selection: &Selection| -> BTreeSet<(ObjectId, bool)> {
        selection
            .iter()
            .map(|pick| (pick.object(), matches!(pick, Pick::Object(_))))
            .collect()
    };
    let handles = |selection: &Selection| {
        selection
            .iter()
            .any(|pick| matches!(pick, Pick::Vertex(..) | Pick::Edge(..)))
    };
    a == b || handles(a) && handles(b) && a.len() == b.len() && objects(a) == objects(b)
}

/// From this many objects on, previews are freed by another thread.
const DROPPED_ASIDE: usize = 1000;

/// True when every difference is one of address only, so an edit that writes what was there makes no step.
fn is_unchanged(new: &Document, old: &Document) -> bool {
    new.next_id() == old.next_id()
        && new.settings() == old.settings()
        && new.extra() == old.extra()
        && new
            .changes_since(old)
            .all(|change| matches!(change, Change::Changed(_, new, old) if new == old))
        && new.materials().eq(old.materials())
        && new.layers().eq(old.layers())
        && new.paths().eq(old.paths())
}

/// What keeping `old` beside `new` costs: versions of objects that changed, and unshared parts of the tables.
fn cost(old: &Document, new: &Document) -> usize {
    let objects: usize = new
        .changes_since(old)
        .map(|change| match change {
            Change::Added(..) => 0,
            Change::Changed(_, _, old) | Change::Removed(_, old) => size_of_object(old),
        })
        .sum();
    objects
        + old.objects.copy_cost(&new.objects)
        + old.children.copy_cost(&new.children)
        + old.materials.copy_cost(&new.materials)
        + old.layers.copy_cost(&new.layers)
        + old.paths.copy_cost(&new.paths)
        + size_of::<Step>()
}

fn size_of_object(object: &Object) -> usize {
    let inner = match &object.kind {
        Kind::Brush(brush) => brush.heap_bytes(),
        Kind::Mesh(mesh) => {
            let polygons: usize = mesh
                .polygons
                .iter()
                .map(|p| size_of_val(p) + p.corners.capacity() * 4 + p.uvs.capacity() * 8)
                .sum();
            mesh.points.capacity() * 24 + polygons
        }
        Kind::Entity(entity) => entity
            .keys
            .iter()
            .map(|(k, v)| 48 + k.capacity() + v.capacity())
            .sum(),
        Kind::Group(group) => group.name.capacity(),
    };
    size_of::<Object>() + 16 + inner
}

#[cfg(test)]
mod tests {
    use glam::DAffine3;
    use glam::DVec3;
    use proptest::prelude::*;

    use super::*;
    use crate::document::Brush;
    use crate::document::UvLock;
    use crate::document::ops;
    use crate::document::ops::transform::Orientation;
    use crate::geometry::Aabb;

    fn id(number: u32) -> ObjectId {
        ObjectId::new(number).expect("not 0")
    }

    fn map(brushes: u32) -> Document {
        let mut draft = Document::default().edit();
        for i in 0..brushes {
            let at = DVec3::X * f64::from(i) * 64.0;
            draft.insert(Object::new(Kind::Brush(Brush::cuboid(
                Aabb::new(at, at + 32.0),
                None,
            ))));
        }
        draft.finish().expect("boxes are sound")
    }

    fn moved(number: u32, by: f64) -> Edit {
        ops::transform::move_by(vec![id(number)], DVec3::X * by, UvLock::Carried)
    }

    #[test]
    fn a_drag_of_a_thousand_moves_leaves_no_trace() {
        let mut history = History::new(map(100));
        let start = history.committed().doc.clone();
        for i in 1..1001 {
            history
                .preview(&moved(7, f64::from(i) * 0.37))
                .expect("a move");
            assert!(!history.state().doc.same(&start));
        }
        assert!(history.undo().is_none(), "refused while a preview is shown");
        history.cancel();
        assert!(history.state().doc.same(&start));
        history.commit(&moved(7, 0.0)).expect("nothing");
        assert!(
            history.committed().doc.same(&start),
            "back at the start there is no step"
        );
        assert_eq!(history.undo_label(), None);
    }

    #[test]
    fn a_failing_edit_leaves_the_last_good_preview() {
        let mut history = History::new(map(1));
        history.preview(&moved(1, 8.0)).expect("a move");
        let shown = history.state().doc.clone();
        let flat = ops::transform::transform(
            "Scale",
            vec![id(1)],
            DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0)),
            UvLock::World,
            Orientation::Kept,
        );
        assert!(history.preview(&flat).is_err());
        assert!(history.state().doc.same(&shown));
        assert!(history.commit(&flat).is_err());
        assert!(!history.is_previewing());
    }

    #[test]
    fn undo_brings_back_what_was_selected() {
        let mut history = History::new(map(3));
        history.select(Selection::from([
            Pick::Object(id(2)),
            Pick::Face(id(1), 3),
            Pick::Face(id(1), 6),
            Pick::Object(id(9)),
        ]));
        assert_eq!(
            history.committed().selection.len(),
            2,
            "what is not there is not selected"
        );
        let keeps_selection = Edit::new("Remove", |draft, _| {
            draft.remove(ObjectId::new(2).expect("not 0"));
            Ok(())
        });
        history.commit(&keeps_selection).expect("a removal");
        assert_eq!(
            history.committed().selection,
            Selection::from([Pick::Face(id(1), 3)])
        );
        assert_eq!(history.undo(), Some("Remove"));
        assert_eq!(history.committed().selection.len(), 2);
        assert_eq!(history.redo(), Some("Remove"));
        assert_eq!(history.committed().selection.len(), 1);
    }

    #[test]
    fn nudges_fold_into_one_step() {
        let mut history = History::new(map(3));
        let start = history.committed().doc.clone();
        history.select(Selection::from([Pick::Object(id(1))]));
        for _ in 0..5 {
            history.commit_folding(&moved(1, 16.0)).expect("a move");
        }
        assert_eq!(history.undo_labels().count(), 1);
        history.select(Selection::from([Pick::Object(id(2))]));
        history.commit_folding(&moved(2, 16.0)).expect("a move");
        assert_eq!(
            history.undo_labels().count(),
            2,
            "another selection is another step"
        );
        history.undo();
        history.undo();
        assert!(history.committed().doc.same(&start));
    }

    #[test]
    fn a_new_edit_forgets_what_was_undone() {
        let mut history = History::new(map(2));
        history.commit(&moved(1, 16.0)).expect("a move");
        history.undo();
        assert_eq!(history.redo_label(), Some("Move"));
        history.commit(&moved(2, 16.0)).expect("a move");
        assert_eq!((history.redo_label(), history.redo()), (None, None));
    }

    #[test]
    fn the_budget_is_kept_and_one_step_stays() {
        let mut history = History::with_budget(map(200), 200_000);
        for i in 0..300 {
            history.commit(&moved(i % 200 + 1, 16.0)).expect("a move");
            assert!(history.used_bytes() <= 200_000);
        }
        assert!(history.undo_labels().count() > 5);
        let mut tiny = History::with_budget(map(200), 1);
        tiny.commit(&moved(1, 16.0)).expect("a move");
        tiny.commit(&moved(2, 16.0)).expect("a move");
        assert_eq!(tiny.undo_labels().count(), 1);
        assert!(tiny.undo().is_some());
        assert_eq!(tiny.used_bytes(), 0);
    }

    #[test]
    fn hist_1_any_step_is_reached_at_once_and_has_a_name() {
        let mut history = History::new(map(5));
        let mut docs = vec![history.committed().doc.clone()];
        for number in 1..=4 {
            history.commit(&moved(number, 16.0)).expect("a move");
            docs.push(history.committed().doc.clone());
        }
        history
            .commit(&ops::objects::delete(vec![id(5)]))
            .expect("a removal");
        docs.push(history.committed().doc.clone());
        for done in [0, 5, 2, 3, 3, 1, 4, 0] {
            assert!(history.go_to(done));
            assert!(history.committed().doc.same(&docs[done]));
            assert_eq!((history.done_count(), history.step_count()), (done, 5));
            for index in 0..5 {
                let step = history.step(index).expect("a step");
                assert!(step.before.same(&docs[index]) && step.after.same(&docs[index + 1]));
                let (object, doc) = step.object().expect("what it changed");
                assert_eq!(object, id(index as u32 + 1));
                assert!(doc.object(object).is_some());
                let label = if index == 4 { "Delete" } else { "Move" };
                assert_eq!(step.label, label);
            }
            assert!(history.step(5).is_none());
        }
        assert!(!history.go_to(6), "there are not that many");
        history.preview(&moved(1, 3.0)).expect("a move");
        assert!(!history.go_to(2), "a preview is shown");
        history.cancel();
        // What was undone is kept until the next edit.
        assert!(history.go_to(2));
        history.commit(&moved(5, 16.0)).expect("a move");
        assert_eq!((history.done_count(), history.step_count()), (3, 3));
    }

    #[derive(Clone, Debug)]
    enum Step {
        Move(u32, f64),
        Turn(u32, f64),
        Extrude(u32, u32, f64),
        Duplicate(u32),
        Delete(u32),
        Group(u32, u32),
        Key(u32),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (1..20u32, -100.0..100.0f64).prop_map(|(id, by)| Step::Move(id, by)),
            (1..20u32, -3.0..3.0f64).prop_map(|(id, by)| Step::Turn(id, by)),
            (1..20u32, 0..7u32, -40.0..40.0f64)
                .prop_map(|(id, face, by)| Step::Extrude(id, face, by)),
            (1..20u32).prop_map(Step::Duplicate),
            (1..20u32).prop_map(Step::Delete),
            (1..20u32, 1..20u32).prop_map(|(a, b)| Step::Group(a, b)),
            (1..20u32).prop_map(Step::Key),
        ]
    }

    fn edit(step: &Step) -> Edit {
        match *step {
            Step::Move(number, by) => moved(number, by),
            Step::Turn(number, by) => {
                let map = DAffine3::from_rotation_y(by);
                ops::transform::transform(
                    "Rotate",
                    vec![id(number)],
                    map,
                    UvLock::Carried,
                    Orientation::Turned,
                )
            }
            Step::Extrude(number, face, by) => ops::brushes::extrude(vec![(id(number), face)], by),
            Step::Duplicate(number) => {
                ops::objects::duplicate(vec![id(number)], DVec3::Z * 8.0, UvLock::World)
            }
            Step::Delete(number) => ops::objects::delete(vec![id(number)]),
            Step::Group(a, b) => ops::groups::group(vec![id(a), id(b)], "g"),
            Step::Key(number) => ops::entities::tie(vec![id(number)], "func_wall"),
        }
    }

    /// Every stored number is an `f32`, and a reader would make the same brush of them.
    fn check_storable(doc: &Document) {
        for (id, object) in doc.objects() {
            if let Some(brush) = object.brush() {
                assert_eq!(brush.fault(), None, "{id}");
                let read = Brush::with_exact(
                    brush.contents(),
                    brush.faces().to_vec(),
                    brush.exact().cloned(),
                );
                assert_eq!(
                    read.hull(),
                    brush.hull(),
                    "{id}: what is shown is what will be loaded"
                );
                for face in brush.faces() {
                    assert_eq!(face.plane, face.plane.rounded());
                    if let Some(axes) = &face.axes {
                        assert_eq!(*axes, axes.rounded());
                    }
                }
            }
            if let Some(entity) = object.entity() {
                assert_eq!(entity.origin, entity.origin.as_vec3().as_dvec3());
            }
            assert!(
                object
                    .parent
                    .is_none_or(|parent| doc.object(parent).is_some())
            );
        }
        let listed: usize = doc
            .objects()
            .map(|(id, _)| doc.children(Some(id)).count())
            .sum::<usize>()
            + doc.children(None).count();
        assert_eq!(listed, doc.object_count(), "the index of children is whole");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]
        #[test]
        fn any_edits_and_as_many_undos_are_nothing(steps in prop::collection::vec(step(), 1..24)) {
            let mut history = History::new(map(6));
            let mut states = vec![history.committed().doc.clone()];
            for step in &steps {
                let before = history.undo_labels().count();
                if history.commit(&edit(step)).is_ok() && history.undo_labels().count() > before {
                    check_storable(&history.committed().doc);
                    states.push(history.committed().doc.clone());
                }
            }
            for state in states.iter().rev().skip(1) {
                history.undo().expect("a step");
                prop_assert!(history.committed().doc.same(state));
            }
            prop_assert!(history.undo().is_none());
            for state in states.iter().skip(1) {
                history.redo().expect("a step");
                prop_assert!(history.committed().doc.same(state));
            }
        }
    }
}
