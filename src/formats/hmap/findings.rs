//! What a check has to say about a file: the rules of `hmap.md` 5 with their codes.

use std::collections::BTreeMap;
use std::fmt::Display;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Note,
    /// Read with the stated repair.
    Warning,
    /// An object or the compiled data is not usable as it is.
    Error,
    /// The file does not open.
    Fatal,
}

impl Level {
    /// As `check --json` spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Fatal => "fatal",
        }
    }

    /// The level that a rule code begins with: F, E or W.
    #[must_use]
    pub fn of(code: &str) -> Self {
        match code.as_bytes().first() {
            Some(b'F') => Self::Fatal,
            Some(b'E') => Self::Error,
            Some(b'W') => Self::Warning,
            _ => Self::Note,
        }
    }
}

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// A code of `hmap.md` 5: `E-MATREF`.
    pub code: &'static str,
    pub level: Level,
    /// The object it is about, by the id it has in the document.
    pub object: Option<u32>,
    /// Where in the file.
    pub byte: Option<u64>,
    /// For people: what was found and what was done.
    pub text: String,
}

/// Findings of one code that are listed one by one; the rest is only counted, so that a damaged file cannot make a list that
/// is larger than itself.
const LISTED_PER_CODE: usize = 100;

/// Collects findings.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
    counts: BTreeMap<&'static str, usize>,
    errors: usize,
}

impl Findings {
    pub fn add(
        &mut self,
        code: &'static str,
        object: Option<u32>,
        byte: Option<u64>,
        text: impl Display,
    ) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        let level = Level::of(code);
        self.errors += usize::from(level >= Level::Error);
        if *count <= LISTED_PER_CODE {
            self.list.push(Finding {
                code,
                level,
                object,
                byte,
                text: text.to_string(),
            });
        }
    }

    /// All findings so far, those not listed too.
    pub fn total(&self) -> usize {
        self.counts.values().sum()
    }

    /// How many errors so far.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The latest listed error, for a sentence on why something was refused.
    pub fn last_error(&self) -> Option<&Finding> {
        self.list
            .iter()
            .rev()
            .find(|finding| finding.level >= Level::Error)
    }

    /// The list, with one more line for each code that was raised too often.
    pub fn finish(self) -> Vec<Finding> {
        let mut list = self.list;
        for (code, count) in self.counts {
            if count > LISTED_PER_CODE {
                let text = format!("{} more of this kind", count - LISTED_PER_CODE);
                list.push(Finding {
                    code,
                    level: Level::of(code),
                    object: None,
                    byte: None,
                    text,
                });
            }
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_of_a_kind_are_counted_in_one_line() {
        let mut findings = Findings::default();
        for index in 0..250 {
            findings.add("W-KEY", Some(index), None, "empty key");
        }
        findings.add("E-OWNER", None, Some(4), "owner");
        assert_eq!((findings.total(), findings.errors()), (251, 1));
        assert_eq!(
            findings.last_error().map(|finding| finding.code),
            Some("E-OWNER")
        );
        let list = findings.finish();
        assert_eq!(list.len(), 102);
        assert_eq!(list[101].text, "150 more of this kind");
        assert_eq!(list[100].level.name(), "error");
    }
}
