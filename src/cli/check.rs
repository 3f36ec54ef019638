//! `mapwright check`: findings about files and the maps in them.

use std::path::Path;

use serde_json::Value;
use serde_json::json;

use crate::assets::Opened;
use crate::assets::open_map;
use crate::cli::Check;
use crate::cli::Refused;
use crate::cli::Status;
use crate::cli::output;
use crate::document::Material;
use crate::document::ObjectId;
use crate::document::Problems;
use crate::document::Severity;
use crate::document::SurfaceFlags;
use crate::formats::hmap::Level;
use crate::task::Progress;

/// What is printed: findings of the format, of the import and of the map alike.
struct Finding {
    code: String,
    level: Level,
    object: Option<u32>,
    byte: Option<u64>,
    text: String,
}

pub fn run(arguments: &Check) -> Result<Status, Refused> {
    let mut worst = Status::Done;
    for path in &arguments.files {
        let findings = findings(path, arguments);
        let text = if arguments.json {
            to_json(path, &findings).to_string()
        } else {
            in_words(path, &findings)
        };
        output::result(&text, None)?;
        let status = match findings.iter().map(|finding| finding.level).max() {
            Some(Level::Fatal) => Status::Nothing,
            Some(Level::Error) => Status::MapErrors,
            _ => Status::Done,
        };
        if let Some(fatal) = findings
            .iter()
            .find(|finding| finding.level == Level::Fatal)
        {
            output::complain(&fatal.text);
        }
        worst = worst.max(status);
    }
    Ok(worst)
}

fn findings(path: &Path, arguments: &Check) -> Vec<Finding> {
    let fatal = |code: &str, byte, text: String| {
        vec![Finding {
            code: code.to_owned(),
            level: Level::Fatal,
            object: None,
            byte,
            text,
        }]
    };
    let opened = match open_map(path, &arguments.assets, &Progress::new()) {
        Ok(opened) => opened,
        Err(crate::assets::OpenError::Format(error)) => {
            return fatal(
                error.code(),
                Some(error.offset),
                format!("Could not open {error}"),
            );
        }
        Err(error @ crate::assets::OpenError::Unknown(_)) => {
            return fatal("F-MAGIC", Some(0), error.to_string());
        }
        Err(error @ crate::assets::OpenError::Read { .. }) => {
            return fatal("F-READ", None, error.to_string());
        }
    };
    let imported = &opened.imported;
    let is_own = opened.format == "hmap";
    let mut list: Vec<Finding> = imported
        .report
        .warnings
        .iter()
        .map(|warning| Finding {
            code: warning.kind.code.to_owned(),
            level: if is_own {
                Level::of(warning.kind.code)
            } else {
                Level::Warning
            },
            object: warning.object.map(ObjectId::get),
            byte: warning.offset,
            text: warning.kind.text.clone(),
        })
        .collect();
    // Importers of foreign formats tell of missing textures themselves.
    if is_own {
        list.extend(missing_textures(&opened));
    }
    // One index over the map for all objects.
    let mut problems = Problems::new();
    problems.sync(&imported.doc);
    list.extend(problems.iter().map(|issue| Finding {
        code: issue.code.to_owned(),
        level: match issue.severity {
            Severity::Note => Level::Note,
            Severity::Warning => Level::Warning,
            Severity::Error => Level::Error,
        },
        object: issue.object.map(ObjectId::get),
        byte: None,
        text: issue.text.clone(),
    }));
    list
}

/// Textures that no source has. Surfaces that are never drawn need none.
fn missing_textures(opened: &Opened) -> impl Iterator<Item = Finding> {
    let is_missing = |material: &&Material| {
        !material.texture.is_empty()
            && !material.flags.has(SurfaceFlags::NODRAW)
            && !opened.resolver.has(&material.texture)
    };
    opened
        .imported
        .doc
        .materials()
        .map(|(_, material)| material)
        .filter(is_missing)
        .map(|material| Finding {
            code: "I-MISSING-TEXTURE".to_owned(),
            level: Level::Warning,
            object: None,
            byte: None,
            text: format!(
                "Texture {} of material {} was not found",
                material.texture, material.name
            ),
        })
}

fn to_json(path: &Path, findings: &[Finding]) -> Value {
    let list: Vec<Value> = findings
        .iter()
        .map(|finding| {
            let mut value =
                json!({ "code": finding.code, "level": finding.level.name(), "text": finding.text });
            if let Some(object) = finding.object {
                value["object"] = json!(object);
            }
            if let Some(byte) = finding.byte {
                value["byte"] = json!(byte);
            }
            value
        })
        .collect();
    json!({ "path": path.to_string_lossy(), "findings": list })
}

fn in_words(path: &Path, findings: &[Finding]) -> String {
    if findings.is_empty() {
        return format!("{}: nothing found", path.display());
    }
    let mut lines = vec![format!("{}: {} findings", path.display(), findings.len())];
    lines.extend(findings.iter().map(|finding| {
        let object = finding
            .object
            .map_or(String::new(), |id| format!(" object {id}"));
        let byte = finding
            .byte
            .map_or(String::new(), |byte| format!(" byte {byte:#x}"));
        format!(
            "  {:7} {}{object}{byte}: {}",
            finding.level.name(),
            finding.code,
            finding.text
        )
    }));
    lines.join("\n")
}
