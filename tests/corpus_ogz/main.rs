//! The Cube 2 maps of the corpus against its index, one file per subject. Each map is read once for all tests.

mod brushes;
mod entities;
mod faults;
mod geometry;
mod reading;
mod textures;
mod writing;

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::OnceLock;

use mapwright::formats::ogz;
use mapwright::formats::ogz::Note;
use mapwright::formats::ogz::raw::RawMap;
use mapwright::task::Progress;

/// The corpus lies beside the repository; a run without it says so.
pub fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("MAPWRIGHT_CORPUS")
        .map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
            PathBuf::from,
        )
        .join("ogz");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: there is no corpus at {}", folder.display());
    None
}

/// A row of the index: column names to cells.
pub type Row = BTreeMap<String, String>;

/// Rows of the tables of the index that have a column of this name.
pub fn index(folder: &Path, column: &str) -> Vec<Row> {
    let text = std::fs::read_to_string(folder.join("README.md")).expect("the corpus has an index");
    let mut rows = Vec::new();
    let mut columns: Vec<String> = Vec::new();
    for line in text.lines() {
        let cells: Vec<String> = line
            .trim()
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect();
        if cells[0] == "file" {
            columns = cells;
        } else if line.starts_with('|')
            && !cells[0].starts_with("---")
            && columns.iter().any(|known| known == column)
        {
            rows.push(columns.iter().cloned().zip(cells).collect());
        }
    }
    rows
}

pub type MapRead = (RawMap, Vec<Note>);

/// Maps that have been read, by their name in the index.
static READ: LazyLock<BTreeMap<String, OnceLock<MapRead>>> = LazyLock::new(|| {
    let folder = corpus().expect("only tests that found the corpus ask for maps");
    index(&folder, "lightmaps")
        .into_iter()
        .map(|row| (row["file"].clone(), OnceLock::new()))
        .collect()
});

/// A map of the index.
pub fn map(folder: &Path, name: &str) -> &'static MapRead {
    let slot = READ
        .get(name)
        .unwrap_or_else(|| panic!("the index has no {name}"));
    slot.get_or_init(|| {
        let bytes = std::fs::read(folder.join(name)).expect("the index names files that exist");
        ogz::read(&bytes, &Progress::new()).unwrap_or_else(|error| panic!("{name}: {error:?}"))
    })
}
