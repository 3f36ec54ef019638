//! Counts of the raw reader.

use std::collections::BTreeMap;
use std::path::Path;

use mapwright::formats::unr::package::Package;
use serde_json::Value;
use serde_json::json;

use crate::corpus;
use crate::expected;

/// The bytes of a map of the corpus, and what is expected of it.
fn maps(folder: &Path) -> Vec<(String, Vec<u8>, Value)> {
    let read = |map: Value| {
        let name = map["file"].as_str().expect("a name").to_owned();
        let bytes = std::fs::read(folder.join(&name)).expect("readable");
        (name, bytes, map)
    };
    expected(folder).into_iter().map(read).collect()
}

#[test]
fn tables_of_every_package() {
    let Some(folder) = corpus() else { return };
    for (name, bytes, expected) in maps(&folder) {
        let package = Package::read(&bytes).expect(&name);
        let tables = &package.tables;
        let header = &tables.header;
        let guid = header.guid.iter().map(|byte| format!("{byte:02x}"));
        let mut by_class = BTreeMap::<&str, usize>::new();
        for export in 0..tables.exports.len() {
            *by_class.entry(tables.class_name(export)).or_default() += 1;
        }
        let found = json!({
            "bytes": bytes.len(),
            "version": header.version,
            "licensee": header.licensee,
            "packageFlags": header.flags,
            "guid": guid.collect::<String>(),
            "generations": header.generations,
            "exportsByClass": by_class,
            "header": {
                "nameCount": header.name_count,
                "nameOffset": header.name_offset,
                "exportCount": header.export_count,
                "exportOffset": header.export_offset,
                "importCount": header.import_count,
                "importOffset": header.import_offset,
                "headerEnd": header.header_end,
                "nameEnd": header.name_end,
                "importEnd": header.import_end,
                "exportEnd": header.export_end,
            },
        });
        for (key, value) in found.as_object().expect("an object") {
            assert_eq!(*value, expected[key], "{name}: {key}");
        }
    }
}
