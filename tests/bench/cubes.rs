//! Cube 2 maps: from the file to a document, and the light of one.

use std::path::Path;

use mapwright::assets::open_map;
use mapwright::compiler;
use mapwright::document::Document;
use mapwright::document::Material;
use mapwright::formats::ogz::write::write;
use mapwright::task::Progress;

use crate::maps::corpus;
use crate::table::Table;

/// Map, milliseconds to a document.
const MAPS: [(&str, f64); 3] = [
    ("packages/base/colos.ogz", 100.0),
    ("cave.ogz", 800.0),
    ("berlin_wall.ogz", 1500.0),
];

/// Map, milliseconds from a document to the bytes of a map.
const EXPORTS: [(&str, f64); 2] = [("cave.ogz", 2500.0), ("berlin_wall.ogz", 5000.0)];

/// Most that the largest of them may take, in bytes.
const MEMORY: f64 = 700e6;

pub fn measure(table: &mut Table) {
    let Some(folder) = corpus("ogz") else { return };
    for (file, budget_ms) in MAPS {
        let path = folder.join(file);
        let bytes = std::fs::read(&path).expect("the index names files that exist");
        table.measure(&format!("read {file} and count"), f64::INFINITY, || {
            mapwright::formats::ogz::source_counts(&bytes, &path).expect("a sound file")
        });
        table.measure(&format!("open {file} to a document"), budget_ms, || {
            open(&path)
        });
    }
    if table.wants("berlin_wall.ogz")
        && let Some(peak) = peak_bytes()
    {
        // Of the whole program so far, so it is measured before rows that need more.
        println!(
            "peak memory after berlin_wall.ogz: {:.0} MB of {:.0}",
            peak / 1e6,
            MEMORY / 1e6
        );
    }
    for (file, budget_ms) in EXPORTS {
        let row = format!("export {file}");
        if !table.wants(&row) {
            continue;
        }
        let opened = open_map(&folder.join(file), &[], &Progress::new()).expect("a sound file");
        let (doc, extras) = (&opened.imported.doc, &opened.imported.extras);
        let size_of = |material: &Material| opened.resolver.size(&material.texture);
        table.measure(&row, budget_ms, || {
            write(doc, extras.origin.as_ref(), &size_of, &Progress::new())
                .expect("not cancelled")
                .bytes()
        });
    }
    if !table.wants("compile colos.ogz") {
        return;
    }
    let doc = open(&folder.join("packages/base/colos.ogz"));
    table.measure("compile colos.ogz with light, 2 threads", 6000.0, || {
        let options = compiler::Options {
            light: true,
            threads: Some(2),
            ..Default::default()
        };
        compiler::compile(
            &doc,
            &options,
            &mut compiler::Cache::default(),
            &Progress::new(),
        )
        .expect("not cancelled")
    });
}

fn open(path: &Path) -> Document {
    open_map(path, &[], &Progress::new())
        .expect("a sound file")
        .imported
        .doc
}

/// The program's peak, where the system tells it.
fn peak_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024.0)
}
