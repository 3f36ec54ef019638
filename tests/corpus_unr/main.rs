//! The Unreal packages of the corpus against `expected.json`, one file per subject.

mod actors;
mod damage;
mod documents;
mod light;
mod reading;
mod seen;
mod solid;
mod texts;
mod textures;

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::OnceLock;

use mapwright::formats::unr;
use mapwright::formats::unr::raw::RawMap;
use mapwright::task::Progress;
use serde_json::Value;

/// The corpus lies beside the repository; a run without it says so.
pub fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("MAPWRIGHT_CORPUS")
        .map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
            PathBuf::from,
        )
        .join("unr");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: there is no corpus at {}", folder.display());
    None
}

/// What independent counting found, one value per map.
pub fn expected(folder: &Path) -> Vec<Value> {
    let text = std::fs::read(folder.join("expected.json")).expect("the corpus has its numbers");
    serde_json::from_slice(&text).expect("the numbers are JSON")
}

/// Maps that have been read, by their names.
static READ: LazyLock<BTreeMap<String, OnceLock<RawMap>>> = LazyLock::new(|| {
    let folder = corpus().expect("only tests that found the corpus ask for maps");
    let names = expected(&folder).into_iter().map(|map| {
        let name = map["file"].as_str().expect("each row names its file");
        (name.to_owned(), OnceLock::new())
    });
    names.collect()
});

/// A map of the corpus, read once for all tests.
pub fn map(folder: &Path, name: &str) -> &'static RawMap {
    let slot = READ
        .get(name)
        .unwrap_or_else(|| panic!("no numbers of {name}"));
    slot.get_or_init(|| {
        let bytes = std::fs::read(folder.join(name)).expect("readable");
        unr::read(&bytes, &Progress::new()).expect(name).0
    })
}

#[test]
fn the_corpus_has_numbers_of_every_map() {
    let Some(folder) = corpus() else { return };
    for map in expected(&folder) {
        let name = map["file"].as_str().expect("each row names its file");
        assert!(folder.join(name).is_file(), "{name}");
    }
}
