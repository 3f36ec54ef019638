//! What an import has to say: structured warnings, counted by kind, and the file's own counts.

use std::collections::BTreeMap;

use crate::document::ObjectId;

/// One thing that was done otherwise than the file says, or is worth knowing.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    pub offset: Option<u64>,
    pub object: Option<ObjectId>,
    /// Further objects that it speaks of.
    pub more: Vec<ObjectId>,
    /// The face of [`Warning::object`] that it speaks of alone.
    pub face: Option<u32>,
    pub kind: WarningKind,
}

impl Warning {
    /// Everything that it speaks of.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.object.into_iter().chain(self.more.iter().copied())
    }
}

/// Kinds are stable names in capitals, as `check` prints them: `I-MISSING-TEXTURE`, or a rule code of `hmap.md` 5 (`W-TAIL`).
#[derive(Clone, Debug, PartialEq)]
pub struct WarningKind {
    pub code: &'static str,
    /// For people: what was found and what was done.
    pub text: String,
}

/// See [`Warning`].
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub warnings: Vec<Warning>,
    /// The foreign file's own numbers from the raw reader (`source_counts` of the command line); null or {} for `.hmap`.
    pub source_counts: serde_json::Value,
    /// Format and version in words: "rmf", "2.2".
    pub format: &'static str,
    pub version: String,
}

impl Report {
    pub fn warn(
        &mut self,
        code: &'static str,
        offset: Option<u64>,
        object: Option<ObjectId>,
        text: impl Into<String>,
    ) {
        self.warnings.push(Warning {
            offset,
            object,
            more: Vec::new(),
            face: None,
            kind: WarningKind {
                code,
                text: text.into(),
            },
        });
    }

    /// One warning for a face of an object.
    pub fn warn_of_face(
        &mut self,
        code: &'static str,
        object: ObjectId,
        face: u32,
        text: impl Into<String>,
    ) {
        self.warnings.push(Warning {
            offset: None,
            object: Some(object),
            more: Vec::new(),
            face: Some(face),
            kind: WarningKind {
                code,
                text: text.into(),
            },
        });
    }

    /// One warning for many objects.
    pub fn warn_of(&mut self, code: &'static str, objects: Vec<ObjectId>, text: impl Into<String>) {
        let mut objects = objects.into_iter();
        self.warnings.push(Warning {
            offset: None,
            object: objects.next(),
            more: objects.collect(),
            face: None,
            kind: WarningKind {
                code,
                text: text.into(),
            },
        });
    }

    /// Makes one warning of all of a code, in the place of the first: it speaks of all their objects. `text`: for this many.
    pub fn gather(&mut self, code: &'static str, text: impl FnOnce(usize) -> String) {
        let is_meant = |warning: &Warning| warning.kind.code == code;
        let Some(first) = self.warnings.iter().position(is_meant) else {
            return;
        };
        let objects: Vec<ObjectId> = self
            .warnings
            .iter()
            .filter(|warning| is_meant(warning))
            .flat_map(Warning::objects)
            .collect();
        let mut place = 0;
        self.warnings.retain(|warning| {
            place += 1;
            place - 1 == first || !is_meant(warning)
        });
        let gathered = &mut self.warnings[first];
        gathered.kind.text = text(objects.len());
        gathered.face = None;
        gathered.object = objects.first().copied();
        gathered.more = objects.into_iter().skip(1).collect();
    }

    /// How often each code was raised.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for warning in &self.warnings {
            *counts.entry(warning.kind.code).or_default() += 1;
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_of_a_kind_become_one_for_all_their_objects() {
        let id = |number: u32| ObjectId::new(number).expect("not 0");
        let mut report = Report::default();
        report.warn("I-A", None, Some(id(1)), "one");
        report.warn("I-B", Some(7), Some(id(2)), "other");
        report.warn("I-A", None, Some(id(3)), "two");
        report.warn_of("I-A", vec![id(4), id(5)], "three");
        report.gather("I-A", |count| format!("{count} things"));
        report.gather("I-NONE", |_| unreachable!("there are none"));
        assert_eq!(report.warnings.len(), 2);
        let gathered = &report.warnings[0];
        assert_eq!(gathered.kind.text, "4 things");
        let objects: Vec<ObjectId> = gathered.objects().collect();
        assert_eq!(objects, [1, 3, 4, 5].map(id));
        assert_eq!(report.warnings[1].kind.text, "other");
    }
}
