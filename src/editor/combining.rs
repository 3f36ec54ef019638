//! Combining the selected brushes: merge, subtract, intersect, join, hollow (CSG-1, BRU-5). What may be touched is decided here,
//! the work is [`ops::csg`]'s. A key that is held shows the result first when the settings say so.

use std::collections::BTreeSet;

use crate::document::Change;
use crate::document::Document;
use crate::document::Edit;
use crate::document::EditError;
use crate::document::Object;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::SelectionExt as _;
use crate::document::ops;
use crate::editor::Editor;
use crate::editor::StatusKind;
use crate::editor::input::Key;
use crate::editor::tools::ToolKind;
use crate::editor::tools::options::OptionValue;
use crate::editor::tools::options::ToolOption;
use crate::geometry::Aabb;

/// Id of the field for the thickness of walls.
const WALL: &str = "hollow.wall";

/// A command whose key is held while its result is shown.
pub(crate) struct HeldEdit {
    key: Key,
    edit: Edit,
    /// What is added to the report when it is made.
    note: String,
}

/// The last hollowing, for as long as nothing else has happened: its thickness stays live.
pub(crate) struct Hollowing {
    rooms: Vec<ObjectId>,
    around: Vec<ObjectId>,
    after: Document,
}

/// What combining knows between inputs.
#[derive(Default)]
pub(crate) struct Combining {
    /// The key whose command is being run, if it is one.
    pub by_key: Option<Key>,
    held: Option<HeldEdit>,
    hollowing: Option<Hollowing>,
}

fn is_brush(doc: &Document, id: ObjectId) -> bool {
    doc.object(id).and_then(Object::brush).is_some()
}

impl Editor {
    /// The brushes of the selection, those in groups too, and a note about what is none.
    fn brushes_to_combine(&self) -> (Vec<ObjectId>, String) {
        let doc = &self.history.committed().doc;
        let selection = &self.history.committed().selection;
        let all = selection.with_children(doc);
        let meshes = all
            .iter()
            .filter(|&&id| doc.object(id).is_some_and(|object| object.mesh().is_some()))
            .count();
        let entities = all
            .iter()
            .filter(|&&id| {
                doc.entity(id)
                    .is_some_and(|entity| crate::editor::pick::is_point_entity(doc, id, entity))
            })
            .count();
        let brushes = all.into_iter().filter(|&id| is_brush(doc, id)).collect();
        let passed = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {many}")),
        };
        let parts: Vec<String> = [
            passed(meshes, "mesh", "meshes"),
            passed(entities, "entity", "entities"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let note = if parts.is_empty() {
            String::new()
        } else {
            format!("; {} passed over: no brush", parts.join(" and "))
        };
        (brushes, note)
    }

    /// At least so many brushes in the selection?
    pub(crate) fn has_brushes(&self, least: usize) -> bool {
        let state = self.history.committed();
        state
            .selection
            .objects()
            .into_iter()
            .flat_map(|id| state.doc.subtree(id))
            .filter(|&id| is_brush(&state.doc, id))
            .take(least)
            .count()
            == least
    }

    /// Brushes in reach that may be changed and touch one of these boxes, and are not among `but`.
    fn brushes_touching(&self, boxes: &[Aabb], but: &[ObjectId]) -> Vec<ObjectId> {
        let scope = self.scope();
        let but: BTreeSet<ObjectId> = but.iter().copied().collect();
        let mut found = BTreeSet::new();
        for &bounds in boxes {
            self.spatial.solids().query(bounds, |id| {
                if !but.contains(&id)
                    && is_brush(scope.doc, id)
                    && !scope.doc.object(id).is_some_and(ops::order::is_carver)
                {
                    found.insert(id);
                }
            });
        }
        found.into_iter().filter(|&id| scope.allows(id)).collect()
    }

    fn boxes_of(&self, ids: &[ObjectId]) -> Vec<Aabb> {
        let doc = &self.history.committed().doc;
        ids.iter()
            .filter_map(|&id| doc.object(id))
            .map(Object::bounds)
            .filter(|bounds| !bounds.is_empty())
            .collect()
    }

    pub(crate) fn merge_brushes(&mut self) -> Result<(), EditError> {
        let (brushes, note) = self.brushes_to_combine();
        self.combine(ops::csg::merge(brushes), &note)
    }

    pub(crate) fn intersect_brushes(&mut self) -> Result<(), EditError> {
        let (brushes, note) = self.brushes_to_combine();
        self.combine(ops::csg::intersect(brushes), &note)
    }

    pub(crate) fn join_brushes(&mut self) -> Result<(), EditError> {
        let (brushes, note) = self.brushes_to_combine();
        let joining = ops::csg::joining(&self.history.committed().doc, &brushes)?;
        let looks = match joining.chosen() {
            0 => String::new(),
            1 => "; 1 face had several looks: it took the one that covered most of it".to_owned(),
            many => format!(
                "; {many} faces had several looks each: they took those that covered most of them"
            ),
        };
        self.combine(joining.edit(), &format!("{looks}{note}"))
    }

    /// `keep`: what was subtracted stays.
    pub(crate) fn subtract_brushes(&mut self, keep: bool) -> Result<(), EditError> {
        let (brushes, note) = self.brushes_to_combine();
        let from = self.brushes_touching(&self.boxes_of(&brushes), &brushes);
        self.combine(ops::csg::subtract(brushes, from, keep), &note)
    }

    pub(crate) fn hollow_brushes(&mut self) -> Result<(), EditError> {
        let (rooms, note) = self.brushes_to_combine();
        let reach = self.wall_thickness().abs();
        let boxes: Vec<Aabb> = self
            .boxes_of(&rooms)
            .into_iter()
            .map(|bounds| bounds.grown(reach))
            .collect();
        let around = self.brushes_touching(&boxes, &rooms);
        let edit = ops::csg::hollow(rooms.clone(), around.clone(), self.wall_thickness());
        self.combine(edit, &note)?;
        if !self.history.is_previewing() {
            self.combining.hollowing = Some(Hollowing {
                rooms,
                around,
                after: self.history.committed().doc.clone(),
            });
        }
        Ok(())
    }

    /// Makes it a step; or shows it while its key is held, when the settings ask for that.
    fn combine(&mut self, edit: Edit, note: &str) -> Result<(), EditError> {
        if self.settings.preview_csg
            && let Some(key) = self.combining.by_key
        {
            self.preview(&edit)?;
            let text = format!(
                "{}: release the key to apply, Esc drops it{note}",
                edit.label
            );
            self.say(StatusKind::Info, text);
            self.combining.held = Some(HeldEdit {
                key,
                edit,
                note: note.to_owned(),
            });
            return Ok(());
        }
        self.combine_now(&edit, note)
    }

    fn combine_now(&mut self, edit: &Edit, note: &str) -> Result<(), EditError> {
        let before = self.history.committed().doc.clone();
        self.commit(edit)?;
        let (mut added, mut changed, mut removed) = (0, 0, 0);
        for change in self.history.committed().doc.changes_since(&before) {
            let object = match change {
                Change::Added(_, object) => (object, &mut added),
                Change::Changed(_, object, _) => (object, &mut changed),
                Change::Removed(_, object) => (object, &mut removed),
            };
            if object.0.brush().is_some() {
                *object.1 += 1;
            }
        }
        let text = format!(
            "{}: {} changed, {added} new, {removed} gone{note}",
            edit.label,
            count_of(changed)
        );
        self.say(StatusKind::Info, text);
        Ok(())
    }

    /// A key came up: what it showed is made.
    pub(crate) fn release_held_edit(&mut self, key: Option<Key>) {
        if self
            .combining
            .held
            .as_ref()
            .is_none_or(|held| key.is_some_and(|key| key != held.key))
        {
            return;
        }
        if let Some(held) = self.combining.held.take()
            && self.history.is_previewing()
        {
            // The status line has the reason if it was refused.
            let _ = self.combine_now(&held.edit, &held.note);
        }
    }

    /// `Esc` while a key shows something: true when it did.
    pub(crate) fn drop_held_edit(&mut self) -> bool {
        if self.combining.held.take().is_none() {
            return false;
        }
        self.history.cancel();
        true
    }

    /// Thickness of walls that hollowing makes: the user's, else the grid step. Negative = outwards.
    #[must_use]
    pub fn wall_thickness(&self) -> f64 {
        self.settings.wall.unwrap_or(self.grid.size)
    }

    /// The field for the thickness, while brushes are selected and could be hollowed.
    pub(crate) fn wall_option(&self) -> Option<ToolOption> {
        if self.tool() != ToolKind::Select || !self.has_brushes(1) {
            return None;
        }
        let step = self.grid.size.clamp(0.125, 64.0);
        Some(ToolOption::number(
            WALL,
            "Walls",
            "Thickness of the walls that Hollow makes; negative grows them outwards. It stays live right after hollowing.",
            self.wall_thickness(),
            (-1024.0, 1024.0, step),
            "u",
        ))
    }

    /// True when the option was the thickness of walls.
    pub(crate) fn set_wall_option(&mut self, id: &str, value: &OptionValue) -> bool {
        let OptionValue::Number(thickness) = *value else {
            return false;
        };
        if id != WALL {
            return false;
        }
        if thickness == 0.0 || !thickness.is_finite() {
            self.say(StatusKind::Refused, "Walls need a thickness");
            return true;
        }
        self.settings.wall = Some(thickness).filter(|&thickness| thickness != self.grid.size);
        let live = self
            .combining
            .hollowing
            .take()
            .filter(|live| live.after.same(&self.history.committed().doc));
        if let Some(live) = live {
            let edit = ops::csg::hollow(live.rooms.clone(), live.around.clone(), thickness);
            // A refusal leaves the walls as they were and is in the status line.
            let _ = self.amend(&edit);
            self.combining.hollowing = Some(Hollowing {
                after: self.history.committed().doc.clone(),
                ..live
            });
        }
        true
    }

    pub(crate) fn toggle_subtractive(&mut self) -> Result<(), EditError> {
        let (brushes, note) = self.brushes_to_combine();
        let doc = &self.history.committed().doc;
        let on = !brushes
            .iter()
            .all(|&id| doc.object(id).is_some_and(ops::order::is_carver));
        self.commit(&ops::brushes::toggle_subtractive(brushes))?;
        let text = if on {
            "They carve what is before them in document order"
        } else {
            "They are solid again"
        };
        self.say(StatusKind::Info, format!("{text}{note}"));
        Ok(())
    }

    /// Carve first or last.
    pub(crate) fn move_carvers(&mut self, last: bool) -> Result<(), EditError> {
        let (brushes, _) = self.brushes_to_combine();
        let edit = if last {
            ops::order::carve_last(brushes)
        } else {
            ops::order::carve_first(brushes)
        };
        self.commit(&edit)
    }

    /// Subtractive brushes in the selection?
    pub(crate) fn has_carvers(&self) -> bool {
        let state = self.history.committed();
        state
            .selection
            .iter()
            .any(|pick| matches!(pick, Pick::Object(id) if state.doc.subtree(*id).into_iter().any(|id| state.doc.object(id).is_some_and(ops::order::is_carver))))
    }
}

fn count_of(brushes: usize) -> String {
    if brushes == 1 {
        "1 brush".to_owned()
    } else {
        format!("{brushes} brushes")
    }
}
