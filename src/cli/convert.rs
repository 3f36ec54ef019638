//! `mapwright convert`: any readable format to `.hmap`, or to a foreign format that can be written.

use std::fmt::Write as _;

use serde_json::json;

use crate::assets::Opened;
use crate::assets::export::can_export;
use crate::assets::export::export;
use crate::assets::open_map_with;
use crate::cli::Convert;
use crate::cli::Refused;
use crate::cli::Status;
use crate::cli::original_light;
use crate::cli::output;
use crate::formats::ImportOptions;
use crate::formats::hmap;
use crate::task::Progress;

pub fn run(arguments: &Convert) -> Result<Status, Refused> {
    let out = &arguments.output;
    let is_foreign = can_export(out);
    let is_hmap = out
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("hmap"));
    if !is_foreign && !is_hmap && !output::is_dash(out) {
        return Err(Refused(format!(
            "Could not convert to {}: Mapwright writes .hmap and .ogz",
            out.display()
        )));
    }
    if is_foreign && arguments.original_light {
        return Err(Refused(format!(
            "Could not convert to {}: only .hmap keeps original light",
            out.display()
        )));
    }
    let options = ImportOptions {
        keeps_carving: arguments.keep_carving,
        original_light: arguments.original_light,
    };
    let opened = open_map_with(
        &arguments.input,
        &arguments.assets,
        options,
        &Progress::new(),
    )?;
    if is_foreign {
        return foreign(arguments, &opened);
    }
    let imported = &opened.imported;
    let built = original_light::built(arguments.original_light, imported, &arguments.input)?;
    let bytes = hmap::write(
        &imported.doc,
        &imported.view,
        &imported.extras,
        built.as_ref().or(imported.compiled.as_ref()),
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

/// What the other format cannot say is listed, one line each.
fn foreign(arguments: &Convert, opened: &Opened) -> Result<Status, Refused> {
    let (imported, out) = (&opened.imported, &arguments.output);
    let textures = Some(opened.resolver.as_ref());
    let exported = export(
        &imported.doc,
        imported.extras.origin.as_ref(),
        textures,
        out,
        &Progress::new(),
    )
    .map_err(Refused)?;
    let warnings = imported.report.counts();
    let lost = &exported.report.warnings;
    let text = if arguments.json {
        let losses: Vec<_> = lost
            .iter()
            .map(|warning| {
                json!({ "code": warning.kind.code, "object": warning.object.map(|id| id.get()), "face": warning.face,
                        "text": warning.kind.text })
            })
            .collect();
        let files: Vec<_> = exported
            .files
            .iter()
            .map(|file| file.to_string_lossy())
            .collect();
        json!({ "in": arguments.input.to_string_lossy(), "out": out.to_string_lossy(), "format": opened.format, "bytes": exported.bytes,
                "source_counts": imported.report.source_counts, "warnings": warnings,
                "files": files, "brushes": exported.brushes, "losses": losses })
        .to_string()
    } else {
        let total: usize = warnings.values().sum();
        let mut text = format!(
            "{} -> {}: {} brushes, {} bytes, {total} warnings, {} losses",
            arguments.input.display(),
            out.display(),
            exported.brushes,
            exported.bytes,
            lost.len()
        );
        for warning in lost {
            let _ = write!(text, "\n  {}: {}", warning.kind.code, warning.kind.text);
        }
        text
    };
    output::result(&text, Some(out))?;
    Ok(Status::Done)
}
