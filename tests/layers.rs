//! The order of the modules (`src/lib.rs`): a module uses only those to its left, and each outer library only from its own
//! layer on. Imports are paths to items, which is what this reads.

use std::path::Path;
use std::path::PathBuf;

const ORDER: &[&str] = &[
    "task", "geometry", "document", "compiler", "formats", "assets", "editor", "viewport", "shell",
];

/// From which module on a library may be named.
const FIRST_ALLOWED: &[(&str, &str)] = &[
    ("rfd", "shell"),
    ("winit", "shell"),
    ("egui", "shell"),
    ("egui_wgpu", "shell"),
    ("egui_winit", "shell"),
    ("egui_tiles", "shell"),
    ("egui_extras", "shell"),
    ("egui_notify", "shell"),
    ("wgpu", "viewport"),
    ("notify", "assets"),
];

fn level(module: &str) -> usize {
    ORDER
        .iter()
        .position(|name| *name == module)
        .unwrap_or_else(|| panic!("{module} is not in ORDER"))
}

/// What a file of `module` names that it must not.
fn violations(module: &str, text: &str) -> Vec<String> {
    let code: Vec<&str> = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect();
    let code = code.join("\n");
    let mut found = Vec::new();
    for path in code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
        let mut parts = path.split("::");
        let (head, next) = (parts.next().unwrap_or(""), parts.next());
        // `crate::viewport`, or `viewport::Scene` inside `use crate::{...}`.
        let to = match next {
            Some(next) if head == "crate" => next,
            Some(_) => head,
            None => "",
        };
        if ORDER.contains(&to) && level(to) > level(module) {
            found.push(format!("{module} uses crate::{to}"));
        }
        let library = FIRST_ALLOWED.iter().find(|(library, _)| *library == head);
        if let (Some(_), Some((library, from))) = (next, library)
            && level(module) < level(from)
        {
            found.push(format!("{module} uses {library}"));
        }
    }
    found
}

/// `src/<module>.rs` and every file under `src/<module>/`.
fn files_of(module: &str) -> Vec<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files: Vec<PathBuf> = vec![source.join(format!("{module}.rs"))];
    let mut folders = vec![source.join(module)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.retain(|file| file.is_file());
    files.sort();
    files
}

#[test]
fn modules_use_only_what_is_to_their_left() {
    let mut found = Vec::new();
    let mut looked_at = 0;
    for module in ORDER {
        for file in files_of(module) {
            let text = std::fs::read_to_string(&file).expect("a source file");
            looked_at += 1;
            found.extend(
                violations(module, &text)
                    .into_iter()
                    .map(|violation| format!("{}: {violation}", file.display())),
            );
        }
    }
    assert!(looked_at > ORDER.len(), "only {looked_at} files found");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_violation_is_found() {
    let check = |module: &str, text: &str, expected: &[&str]| {
        assert_eq!(violations(module, text), expected, "{text}");
    };
    check(
        "geometry",
        "use crate::document::Brush;",
        &["geometry uses crate::document"],
    );
    check(
        "document",
        "use crate::geometry::Plane;\nuse std::sync::Arc;",
        &[],
    );
    check(
        "document",
        "use crate::{geometry::Plane, viewport::Scene};",
        &["document uses crate::viewport"],
    );
    check(
        "document",
        "let x = crate::editor::pick(y);",
        &["document uses crate::editor"],
    );
    check("editor", "use wgpu::Device;", &["editor uses wgpu"]);
    check(
        "viewport",
        "use wgpu::Device;\nuse egui::Ui;",
        &["viewport uses egui"],
    );
    check(
        "shell",
        "use egui::Ui;\nuse winit::window::Window;\nuse crate::editor::Editor;",
        &[],
    );
    check("formats", "use notify::Watcher;", &["formats uses notify"]);
    check(
        "geometry",
        "// crate::shell::App would be wrong here\n//! See `crate::editor::Editor`.",
        &[],
    );
}
