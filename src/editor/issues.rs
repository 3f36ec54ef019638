//! The problems panel's list (ISS-1): kept per object, renewed for what changed, between drags.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::assets::Definitions;
use crate::document;
use crate::document::Document;
use crate::document::EditError;
use crate::document::Entity;
use crate::document::Issue;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::document::Severity;
use crate::document::ops::components;
use crate::document::ops::components::Stop;
use crate::editor::Editor;
use crate::editor::request::StatusKind;
use crate::formats::Report;
use crate::geometry::Aabb;
use crate::geometry::Grid;

/// One row of the panel.
#[derive(Clone, Debug)]
pub struct Problem {
    pub issue: Issue,
    /// The user has put it aside; kept per map in the settings.
    pub ignored: bool,
}

impl Problem {
    /// Names it in the settings: `C-OPEN-BRUSH 412`.
    #[must_use]
    pub fn key(issue: &Issue) -> String {
        format!("{} {}", issue.code, issue.object.map_or(0, ObjectId::get))
    }
}

/// Problems by object, and those of the last build.
#[derive(Default)]
pub(crate) struct Problems {
    /// The state to look at, and the one that was looked at.
    wanted: Document,
    seen: Document,
    list: document::Problems,
    /// Entities of classes that no definition has.
    classes: BTreeMap<ObjectId, Issue>,
    definitions: Arc<Definitions>,
    compile: Vec<Issue>,
    /// Found outside of the document: missing textures.
    extern_issues: Vec<Issue>,
    /// Objects whose vertices could not be snapped (VTX-6), until they change.
    unsnapped: Vec<Issue>,
    /// Faces whose pictures the last export could not place as they lie (LOCK-3), until their objects change.
    exported: Vec<Issue>,
    ignored: BTreeSet<String>,
    at: Option<usize>,
}

impl Problems {
    #[must_use]
    pub fn new(definitions: Arc<Definitions>) -> Self {
        Self {
            definitions,
            ..Self::default()
        }
    }

    /// Notes which state to look at; [`Problems::advance`] does it.
    pub fn sync(&mut self, doc: &Document) {
        self.wanted = doc.clone();
    }

    pub fn set_definitions(&mut self, definitions: Arc<Definitions>) {
        self.definitions = definitions;
        self.classes.clear();
        self.seen = Document::default();
    }

    /// True while there are changes to look at.
    pub fn is_behind(&self) -> bool {
        !self.seen.same(&self.wanted)
    }

    /// Looks at what changed; the work grows with that, not with the map.
    fn advance(&mut self) {
        if !self.is_behind() {
            return;
        }
        self.list.sync(&self.wanted);
        let seen = std::mem::replace(&mut self.seen, self.wanted.clone());
        for change in self.wanted.changes_since(&seen) {
            let id = change.id();
            self.unsnapped.retain(|issue| issue.object != Some(id));
            self.exported.retain(|issue| issue.object != Some(id));
            match self
                .wanted
                .entity(id)
                .and_then(|entity| unknown_class(&self.definitions, id, entity))
            {
                Some(issue) => self.classes.insert(id, issue),
                None => self.classes.remove(&id),
            };
        }
    }

    /// Objects that snapping left alone, with the reason.
    pub fn set_unsnapped(&mut self, stopped: Vec<(ObjectId, Stop)>) {
        self.unsnapped = stopped
            .into_iter()
            .map(|(id, stop)| Issue {
                code: "C-NO-SNAP",
                severity: Severity::Warning,
                object: Some(id),
                face: None,
                place: None,
                text: format!("Its vertices could not be snapped and were left alone: {stop}"),
                fix: None,
            })
            .collect();
    }

    /// The faces that an export speaks of.
    pub fn set_exported(&mut self, report: &Report) {
        self.exported = report
            .warnings
            .iter()
            .filter(|warning| warning.face.is_some())
            .map(|warning| Issue {
                code: warning.kind.code,
                severity: Severity::Warning,
                object: warning.object,
                face: warning.face,
                place: None,
                text: warning.kind.text.clone(),
                fix: None,
            })
            .collect();
    }

    pub fn set_compile_issues(&mut self, issues: Vec<Issue>) {
        self.compile = issues;
    }

    fn all(&self) -> impl Iterator<Item = &Issue> {
        self.extern_issues
            .iter()
            .chain(&self.unsnapped)
            .chain(&self.exported)
            .chain(&self.compile)
            .chain(self.list.iter())
            .chain(self.classes.values())
    }

    fn count(&self) -> usize {
        self.extern_issues.len()
            + self.unsnapped.len()
            + self.exported.len()
            + self.compile.len()
            + self.list.len()
            + self.classes.len()
    }
}

/// A note about a class that none of the user's definitions has. Our own classes are no full list of any game's.
fn unknown_class(definitions: &Definitions, id: ObjectId, entity: &Entity) -> Option<Issue> {
    let is_unknown = definitions.is_complete()
        && !entity.class.is_empty()
        && definitions.find(&entity.class).is_none();
    is_unknown.then(|| Issue {
        code: "E-UNKNOWN-CLASS",
        severity: Severity::Note,
        object: Some(id),
        face: None,
        place: None,
        text: format!("The entity definitions have no class \"{}\"", entity.class),
        fix: None,
    })
}

impl Editor {
    /// VTX-6: each object by itself; those that would become invalid are left alone and listed.
    pub(crate) fn snap_vertices(&mut self, grid: Grid) -> Result<(), EditError> {
        let state = self.history.committed();
        let stopped = components::unsnappable(&state.doc, &state.selection, &grid);
        let count = stopped.len();
        let hold = self.settings.uv_lock;
        let steps = self.history.done_count();
        let done = self.commit(&components::snap(grid, hold));
        // What changed just now must not take the new notes away again.
        self.problems.advance();
        self.problems.set_unsnapped(stopped);
        done?;
        if count > 0 {
            self.say(
                StatusKind::Info,
                format!("{count} could not be snapped; see the problems panel"),
            );
        } else if self.history.done_count() == steps {
            self.say(StatusKind::Info, "Every vertex lies there already");
        }
        Ok(())
    }

    pub(crate) fn problems_tick(&mut self) {
        if !self.is_dragging() {
            self.problems.advance();
        }
    }

    /// Every problem, those of the build first, then by object.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        self.problems
            .all()
            .map(|issue| Problem {
                issue: issue.clone(),
                ignored: self.problems.ignored.contains(&Problem::key(issue)),
            })
            .collect()
    }

    /// How many are not ignored.
    #[must_use]
    pub fn problem_count(&self) -> usize {
        if self.problems.ignored.is_empty() {
            return self.problems.count();
        }
        self.problems
            .all()
            .filter(|issue| !self.problems.ignored.contains(&Problem::key(issue)))
            .count()
    }

    /// Looks at everything at once (tests, `check`).
    pub fn check_all(&mut self) {
        self.problems.advance();
    }

    /// The faces that an export could not say.
    pub(crate) fn report_export(&mut self, report: &Report) {
        // What changed before must not take the new rows away again.
        self.problems.advance();
        self.problems.set_exported(report);
    }

    /// Problems that only the shell can know, such as textures that no source has.
    pub fn set_outside_problems(&mut self, issues: Vec<Issue>) {
        self.problems.extern_issues = issues;
    }

    pub(crate) fn ignore_problems(&mut self, keys: Vec<String>) {
        self.problems.ignored = keys.into_iter().collect();
    }

    /// Puts a problem aside or back; kept per map in the settings.
    pub fn set_ignored(&mut self, issue: &Issue, ignored: bool) {
        let key = Problem::key(issue);
        if ignored {
            self.problems.ignored.insert(key);
        } else {
            self.problems.ignored.remove(&key);
        }
        if let Some(path) = self.file.path.clone() {
            let keys = self.problems.ignored.iter().cloned().collect();
            self.settings
                .update_map(&path, |entry| entry.ignored_problems = keys);
        }
    }

    /// Selects and frames what a problem is about.
    pub fn show_problem(&mut self, issue: &Issue) {
        let doc = &self.history.committed().doc;
        let object = issue.object.filter(|&id| doc.object(id).is_some());
        let bounds = object.map(|id| {
            doc.subtree(id)
                .into_iter()
                .filter_map(|id| doc.object(id))
                .map(crate::document::Object::bounds)
                .fold(Aabb::EMPTY, Aabb::union)
        });
        if let Some(id) = object {
            self.select(Selection::from([issue
                .face
                .map_or(Pick::Object(id), |face| Pick::Face(id, face))]));
        }
        let place = issue
            .place
            .map(|place| Aabb::around(place, glam::DVec3::splat(32.0)));
        if let Some(bounds) = bounds.filter(|bounds| !bounds.is_empty()).or(place) {
            self.frame_bounds(bounds);
        }
    }

    /// Fixes a problem where a fix exists; one step.
    ///
    /// # Errors
    /// When there is no fix, or it is refused.
    pub fn fix_problem(&mut self, issue: &Issue) -> Result<(), EditError> {
        let edit = issue
            .fix
            .clone()
            .ok_or_else(|| EditError::refused("This has to be mended by hand"))?;
        self.commit(&edit)
    }

    /// F7, Shift+F7.
    pub(crate) fn step_problem(&mut self, forth: bool) -> Result<(), EditError> {
        let shown: Vec<Issue> = self
            .problems()
            .into_iter()
            .filter(|problem| !problem.ignored)
            .map(|problem| problem.issue)
            .collect();
        if shown.is_empty() {
            return Err(EditError::refused("There are no problems"));
        }
        let count = shown.len();
        let next = match (self.problems.at, forth) {
            (None, true) => 0,
            (None, false) => count - 1,
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => (at + count - 1) % count,
        };
        self.problems.at = Some(next);
        let issue = shown[next].clone();
        self.show_problem(&issue);
        self.say(
            crate::editor::StatusKind::Info,
            format!("Problem {} of {count}: {}", next + 1, issue.text),
        );
        Ok(())
    }
}
