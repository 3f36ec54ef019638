//! Rules a map is checked against; each gives an [`Issue`] with an object to fly to and, where one exists, a fix.

use glam::DVec3;

use crate::document::Document;
use crate::document::Edit;
use crate::document::ObjectId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Note,
    Warning,
    Error,
}

/// A problem of the map, or a message of the compiler.
#[derive(Clone, Debug)]
pub struct Issue {
    /// Stable: `C-OPEN-BRUSH`.
    pub code: &'static str,
    pub severity: Severity,
    pub object: Option<ObjectId>,
    pub face: Option<u32>,
    pub place: Option<DVec3>,
    pub text: String,
    pub fix: Option<Edit>,
}

/// Problems of one object, looked at with its surroundings in `doc`.
#[must_use]
pub fn object_issues(_doc: &Document, _id: ObjectId) -> Vec<Issue> {
    todo!("rules")
}
