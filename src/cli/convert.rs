//! `mapwright convert`: any readable format to `.hmap`.

use serde_json::json;

use crate::assets::open_map;
use crate::cli::Convert;
use crate::cli::Refused;
use crate::cli::Status;
use crate::cli::output;
use crate::formats::hmap;
use crate::task::Progress;

pub fn run(arguments: &Convert) -> Result<Status, Refused> {
    let out = &arguments.output;
    let is_hmap = out
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("hmap"));
    if !is_hmap && !output::is_dash(out) {
        return Err(Refused(format!(
            "Could not convert to {}: Mapwright writes .hmap",
            out.display()
        )));
    }
    let opened = open_map(&arguments.input, &arguments.assets, &Progress::new())?;
    let imported = &opened.imported;
    let bytes = hmap::write(
        &imported.doc,
        &imported.view,
        &imported.extras,
        imported.compiled.as_ref(),
        out,
    )
    .map_err(|error| Refused(error.to_string()))?;
    output::file(out, &bytes)?;
    let warnings = imported.report.counts();
    let text = if arguments.json {
        json!({ "in": arguments.input.to_string_lossy(), "out": out.to_string_lossy(), "format": opened.format, "bytes": bytes.len(),
                "source_counts": imported.report.source_counts, "warnings": warnings })
        .to_string()
    } else {
        let total: usize = warnings.values().sum();
        format!(
            "{} -> {}: {} objects, {} bytes, {total} warnings",
            arguments.input.display(),
            out.display(),
            imported.doc.object_count(),
            bytes.len()
        )
    };
    output::result(&text, Some(out))?;
    Ok(Status::Done)
}
