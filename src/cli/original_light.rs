//! Builds that keep the light that a map came with.

use std::path::Path;
use std::sync::Arc;

use crate::cli::Refused;
use crate::cli::output;
use crate::compiler;
use crate::compiler::Compiled;
use crate::compiler::GivenLight;
use crate::compiler::Options;
use crate::formats::Imported;
use crate::task::Progress;

/// For [`Options::given_light`]; a map that came without is told about on standard error.
pub fn wanted(is_wanted: bool, imported: &Imported, input: &Path) -> Option<Arc<GivenLight>> {
    let original = imported.extras.original_light.as_ref();
    if is_wanted && original.is_none() {
        output::complain(&format!(
            "{} holds no light that could be kept",
            input.display()
        ));
    }
    let original = original.filter(|_| is_wanted)?;
    Some(Arc::new(GivenLight::of(&original.cmpl)))
}

/// A build with that light; `None` where there is none to keep.
pub fn built(
    is_wanted: bool,
    imported: &Imported,
    input: &Path,
) -> Result<Option<Compiled>, Refused> {
    let Some(given) = wanted(is_wanted, imported, input) else {
        return Ok(None);
    };
    let options = Options {
        given_light: Some(given),
        ..Options::default()
    };
    let mut cache = compiler::Cache::default();
    compiler::compile(&imported.doc, &options, &mut cache, &Progress::new())
        .map(Some)
        .map_err(|cancelled| Refused(format!("Could not build {}: {cancelled}", input.display())))
}
