//! Why a file cannot be read: path, byte, field, reason.

use std::path::Path;
use std::path::PathBuf;

use crate::task::Cancelled;

/// Everything a reader can say about bytes it cannot use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    #[error("the file ends here, {needed} more bytes were needed")]
    CutShort { needed: u64 },
    #[error("count {count} is larger than the file could hold")]
    CountTooLarge { count: u64 },
    /// The kind with its article: "an RMF".
    #[error("not {0} file")]
    WrongMagic(&'static str),
    #[error("version {0} is not supported")]
    Version(String),
    /// A rule code of `hmap.md` 5 with a sentence.
    #[error("{text} [{code}]")]
    Rule { code: &'static str, text: String },
    #[error("{0}")]
    Bad(String),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// An unreadable file, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {kind} ({field}, byte {offset:#x})", path.display())]
pub struct FormatError {
    pub path: PathBuf,
    pub offset: u64,
    pub field: &'static str,
    pub kind: ErrorKind,
}

impl FormatError {
    #[must_use]
    pub fn new(path: &Path, offset: u64, field: &'static str, kind: ErrorKind) -> Self {
        Self {
            path: path.to_owned(),
            offset,
            field,
            kind,
        }
    }

    /// The rule code of a fatal finding, as `check` prints it: the kind's own, else by its nature.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match &self.kind {
            ErrorKind::Rule { code, .. } => code,
            ErrorKind::CutShort { .. } => "F-CUT",
            ErrorKind::CountTooLarge { .. } => "F-COUNT",
            ErrorKind::WrongMagic(_) => "F-MAGIC",
            ErrorKind::Version(_) => "F-VERSION",
            ErrorKind::Bad(_) => "F-BAD",
            ErrorKind::Cancelled(_) => "F-CANCELLED",
        }
    }
}
