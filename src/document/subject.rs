//! What a step of the history changed, in short.

use crate::document::Change;
use crate::document::Document;
use crate::document::Object;
use crate::document::ObjectId;

/// The objects that a step changed. What lies in a changed group or entity counts as part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The first of them, by number.
    pub first: Option<ObjectId>,
    pub count: usize,
    /// All of them are of the first one's kind.
    pub is_of_one_kind: bool,
}

impl Subject {
    pub(super) fn of(before: &Document, after: &Document) -> Self {
        // By number, as changes come; each with the document that holds it.
        let changed: Vec<(ObjectId, &Object, &Document)> = after
            .changes_since(before)
            .filter_map(|change| match change {
                // Written anew as it was.
                Change::Changed(_, new, old) if new == old => None,
                Change::Added(id, object) | Change::Changed(id, object, _) => {
                    Some((id, object, after))
                }
                Change::Removed(id, object) => Some((id, object, before)),
            })
            .collect();
        let is_changed = |id| changed.binary_search_by_key(&id, |entry| entry.0).is_ok();
        let mut subject = Self::default();
        let mut first_kind = None;
        for &(id, object, doc) in &changed {
            if object.parent.is_some() && doc.ancestors(id).any(is_changed) {
                continue;
            }
            let kind = std::mem::discriminant(&object.kind);
            subject.is_of_one_kind = *first_kind.get_or_insert(kind) == kind
                && (subject.is_of_one_kind || subject.count == 0);
            subject.first = subject.first.or(Some(id));
            subject.count += 1;
        }
        subject
    }
}
