//! Exporting: the map as it is now in another game's format, beside whatever the map is saved as.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use super::JobEvent;
use super::JobKind;
use super::spawn;
use crate::assets::Resolver;
use crate::assets::export::EXPORTS;
use crate::assets::export::Exported;
use crate::assets::export::can_export;
use crate::assets::export::export;
use crate::editor::Editor;
use crate::editor::Request;
use crate::editor::request::StatusKind;
use crate::task::Progress;

impl Editor {
    pub(crate) fn ask_for_export(&mut self) {
        let from = self
            .file
            .path
            .clone()
            .or_else(|| self.file.imported_from.clone());
        let suggested = from.map_or_else(
            || PathBuf::from("untitled.ogz"),
            |path| path.with_extension(EXPORTS[0]),
        );
        self.request(Request::Export { suggested });
    }

    /// After [`Request::Export`]: writes the map under this name, with an ending that tells the format. `textures`: where pictures
    /// are found, to know their sizes.
    pub fn export_to(&mut self, path: &Path, textures: Option<Arc<Resolver>>) {
        let path = if can_export(path) {
            path.to_owned()
        } else {
            let mut name = path.as_os_str().to_owned();
            name.push(".");
            name.push(EXPORTS[0]);
            PathBuf::from(name)
        };
        let doc = self.history.committed().doc.clone();
        let origin = self.extras.origin.clone();
        let map = self.jobs.token.clone();
        let token = map.clone();
        let work = move || {
            let progress = Progress::new();
            export(&doc, origin.as_ref(), textures.as_deref(), &path, &progress)
        };
        let event = move |exported| JobEvent::Exported {
            map: token,
            exported: Box::new(exported),
        };
        let events = Arc::clone(&self.jobs.events);
        if let Err(error) = spawn("export", JobKind::Export, Some(map), events, work, event) {
            self.say(StatusKind::Error, format!("Could not export: {error}"));
        }
    }

    pub(super) fn exported(&mut self, exported: Exported) {
        let name = exported.files.first().and_then(|path| path.file_name());
        let name = name.unwrap_or_default().to_string_lossy().into_owned();
        let left = exported.report.warnings.len();
        let words = match left {
            0 => String::new(),
            1 => "; 1 thing could not come along".to_owned(),
            _ => format!("; {left} things could not come along"),
        };
        self.say(StatusKind::Info, format!("Exported {name}{words}"));
        self.report_export(&exported.report);
        self.last_export = Some(exported);
    }
}
