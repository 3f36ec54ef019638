//! `.hmap` version 1, our own format.
use std::path::Path;
use crate::compiler::Compiled;
use crate::document::Document;
use crate::document::ViewState;
use crate::formats::Extras;
use crate::formats::FormatError;
use crate::formats::Imported;
use crate::formats::Importer;
use crate::formats::Match;
use crate::formats::Siblings;
use crate::task::Progress;

pub struct Hmap;

impl Importer for Hmap {
    fn name(&self) -> &'static str { "hmap" }
    fn extensions(&self) -> &'static [&'static str] { &["hmap"] }
    fn probe(&self, _head: &[u8], _path: &Path) -> Match { todo!() }
    fn import(&self, _bytes: &[u8], _path: &Path, _siblings: &dyn Siblings, _progress: &Progress) -> Result<Imported, FormatError> { todo!() }
}

/// The bytes of a file: a pure function of what it is given (D15). Writes `CMPL` only when `compiled` is current.
///
/// # Errors
/// A chunk over 4 GiB (D11); nothing has been written then.
pub fn write(_doc: &Document, _view: &ViewState, _extras: &Extras, _compiled: Option<&Compiled>, _path: &Path) -> Result<Vec<u8>, FormatError> {
    todo!()
}

/// `MATS`, `ENTS` and `CMPL` only (D2).
///
/// # Errors
/// As [`write`].
pub fn write_runtime(_doc: &Document, _extras: &Extras, _compiled: &Compiled, _path: &Path) -> Result<Vec<u8>, FormatError> {
    todo!()
}
