//! Searching the map (SEL-10): one field over classes, properties, materials, groups, layers, ids and numbers of objects.
//!
//! | Query | Finds |
//! |---|---|
//! | `light` | that word anywhere |
//! | `targetname=door*`, `health>50`, `!=` | by a property |
//! | `class:`, `key:`, `value:`, `name:` | by one part of an entity |
//! | `mat:brick` | what has such a material |
//! | `group:`, `layer:` | members |
//! | `id:412`, `id:4-9` | by id |
//! | `entity:3`, `brush:3.25`, `brush:25` | by number as games' compilers count, 0 = the world |
//! | `size>512`, `width`, `height`, `depth`, `volume`, `faces` | by measure |
//! | `is:brush`, `mesh`, `entity`, `group`, `hidden`, `locked`, `undefined`, `duplicate` | by state |
//!
//! Several terms must all hold; `!` in front of one turns it round; quotes keep words together.

mod matching;
mod query;

use crate::document::Document;
use crate::document::Kind;
use crate::document::ObjectId;
use crate::document::Pick;
use crate::document::Selection;
use crate::editor::Editor;
use crate::editor::find::matching::Names;
use crate::editor::find::matching::Search;
use crate::editor::request::StatusKind;
use crate::geometry::Aabb;

/// What a row's icon shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindKind {
    Brush,
    Mesh,
    /// Placed at a point.
    PointEntity,
    /// Owns brushes or meshes.
    BrushEntity,
    Group,
}

/// What is worth a mark at a row; the first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindFlag {
    /// It points at a name that nothing has.
    UndefinedTarget,
    /// Other entities have its name, too.
    DuplicateName,
    Locked,
    Hidden,
}

impl FindFlag {
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::UndefinedTarget => "Its target does not exist",
            Self::DuplicateName => "Its name is used more than once",
            Self::Locked => "Locked",
            Self::Hidden => "Hidden",
        }
    }
}

/// One found object.
#[derive(Clone, Debug, PartialEq)]
pub struct FindRow {
    pub pick: Pick,
    pub kind: FindKind,
    /// As in the outliner.
    pub label: String,
    /// Why it was found, or what it is like.
    pub detail: String,
    pub flag: Option<FindFlag>,
}

/// What a query finds now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FindResults {
    /// Exact finds first, then by id.
    pub rows: Vec<FindRow>,
    /// What cannot be understood of the query.
    pub error: Option<String>,
}

/// Kind of an object as lists show it.
pub(crate) fn kind_of(doc: &Document, id: ObjectId) -> Option<FindKind> {
    Some(match &doc.object(id)?.kind {
        Kind::Brush(_) => FindKind::Brush,
        Kind::Mesh(_) => FindKind::Mesh,
        Kind::Group(_) => FindKind::Group,
        Kind::Entity(_) if doc.children(Some(id)).next().is_some() => FindKind::BrushEntity,
        Kind::Entity(_) => FindKind::PointEntity,
    })
}

impl Editor {
    /// What a query finds in the committed map. Call it again when the query or the map has changed; nothing is found by an empty
    /// query.
    #[must_use]
    pub fn find(&self, query: &str) -> FindResults {
        let doc = &self.history.committed().doc;
        let terms = match query::parse(query, doc) {
            Ok(terms) if terms.is_empty() => return FindResults::default(),
            Ok(terms) => terms,
            Err(error) => {
                return FindResults {
                    rows: Vec::new(),
                    error: Some(error),
                };
            }
        };
        let names = Names::of(doc, &self.definitions);
        let search = Search::new(doc, &self.look, &self.definitions, &names, &terms);
        let mut found: Vec<(bool, ObjectId, String)> = doc
            .objects()
            .filter_map(|(id, object)| {
                let found = search.object(id, object)?;
                Some((!found.exact, id, found.why))
            })
            .collect();
        found.sort_by_key(|&(inexact, id, _)| (inexact, id));
        let rows = found
            .into_iter()
            .filter_map(|(_, id, why)| {
                Some(FindRow {
                    pick: Pick::Object(id),
                    kind: kind_of(doc, id)?,
                    label: self.object_name(id),
                    detail: if why.is_empty() {
                        search.about(id)
                    } else {
                        why
                    },
                    flag: search.flag(id),
                })
            })
            .collect();
        FindResults { rows, error: None }
    }

    /// Frames a found object; the selection stays.
    pub fn frame_found(&mut self, pick: Pick) {
        let bounds = self.bounds_of(pick.object());
        if !bounds.is_empty() {
            self.frame_bounds(bounds);
        }
    }

    /// Selects found objects. A single one that is hidden is shown first; of several, those out of reach are left out, and the
    /// status line says how many.
    pub fn select_found(&mut self, picks: &[Pick]) {
        if let [pick] = *picks {
            let id = pick.object();
            if self.look.is_hidden(self.doc(), id) {
                self.reveal(id);
            }
        }
        let doc = &self.history.committed().doc;
        let reachable = |pick: &&Pick| {
            let id = pick.object();
            !self.look.is_hidden(doc, id) && !self.look.is_locked(doc, id)
        };
        let chosen: Selection = picks.iter().filter(reachable).copied().collect();
        let skipped = picks.len() - chosen.len();
        if skipped > 0 {
            let text = skipped_text(chosen.len(), skipped);
            self.say(StatusKind::Info, text);
        }
        if !chosen.is_empty() {
            self.select(chosen);
        }
    }

    /// Box of an object with all below it; entities as they are shown.
    pub(crate) fn bounds_of(&self, id: ObjectId) -> Aabb {
        matching::bounds(&self.history.committed().doc, &self.definitions, id)
    }
}

/// "12 selected, 3 hidden or locked left out".
pub(crate) fn skipped_text(selected: usize, skipped: usize) -> String {
    format!("{selected} selected; {skipped} hidden or locked left out")
}
