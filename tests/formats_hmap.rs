//! `.hmap` against the sample set of the format text: findings, contents, and saving what was loaded.

#[path = "formats_hmap/carved.rs"]
mod carved;
#[path = "formats_hmap/contents.rs"]
mod contents;
#[path = "formats_hmap/made.rs"]
mod made;
#[path = "formats_hmap/random.rs"]
mod random;

use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;

use mapwright::document::ObjectFlags;
use mapwright::formats::Imported;
use mapwright::formats::Importer;
use mapwright::formats::NoSiblings;
use mapwright::formats::hmap;
use mapwright::formats::hmap::Hmap;
use mapwright::formats::hmap::Level;
use mapwright::task::Progress;
use serde_json::Value;

/// The folder of shared test files, or `None` after a line that says so.
fn shared() -> Option<PathBuf> {
    let corpus = std::env::var_os("MAPWRIGHT_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
        PathBuf::from,
    );
    if corpus.join("hmap/manifest.json").is_file() {
        return corpus.parent().map(Path::to_owned);
    }
    eprintln!("skipped: no sample set at {}", corpus.display());
    None
}

/// The independent checker, or `None` after a line that says why it cannot be run.
fn checker() -> Option<PathBuf> {
    let tool = shared()?.join("tools/hmap_info.py");
    let python = std::process::Command::new("python3")
        .arg("--version")
        .output();
    if tool.is_file() && python.is_ok() {
        return Some(tool);
    }
    eprintln!("skipped: no checker or no python3");
    None
}

fn corpus() -> Option<(PathBuf, Value)> {
    let folder = shared()?.join("corpus/hmap");
    let manifest = std::fs::read(folder.join("manifest.json")).expect("manifest");
    Some((
        folder,
        serde_json::from_slice(&manifest).expect("manifest is JSON"),
    ))
}

fn import(bytes: &[u8], path: &Path) -> Imported {
    Hmap.import(bytes, path, &NoSiblings, &Progress::new())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn save(imported: &Imported) -> Vec<u8> {
    hmap::write(
        &imported.doc,
        &imported.view,
        &imported.extras,
        imported.compiled.as_ref(),
        Path::new("out.hmap"),
    )
    .expect("saves")
}

/// Files whose chunks are not in writing order, or that lack base chunks: their bytes change.
const OTHER_ORDER: [&str; 3] = ["header-only", "full-unknown", "full-reordered"];

#[test]
fn valid_files_raise_what_the_manifest_says() {
    let Some((folder, manifest)) = corpus() else {
        return;
    };
    for (name, entry) in manifest["valid"].as_object().expect("valid") {
        let path = folder.join(entry["file"].as_str().expect("file"));
        let bytes = std::fs::read(&path).expect("sample");
        let found: BTreeSet<&str> = hmap::check(&bytes, &path)
            .iter()
            .map(|finding| finding.code)
            .collect();
        let expected: BTreeSet<&str> = entry["findings"]
            .as_array()
            .expect("findings")
            .iter()
            .map(|code| code.as_str().expect("code"))
            .collect();
        assert_eq!(found, expected, "{name}");
        let imported = import(&bytes, &path);
        let reported: BTreeSet<&str> = imported
            .report
            .warnings
            .iter()
            .map(|warning| warning.kind.code)
            .collect();
        assert_eq!(reported, expected, "{name}: the import reports the same");
    }
}

#[test]
fn faulty_files_raise_their_code_at_their_level() {
    let Some((folder, manifest)) = corpus() else {
        return;
    };
    let mut wrong = Vec::new();
    for (name, entry) in manifest["faults"].as_object().expect("faults") {
        let path = folder.join(entry["file"].as_str().expect("file"));
        let bytes = std::fs::read(&path).expect("sample");
        let findings = hmap::check(&bytes, &path);
        let code = entry["code"].as_str().expect("code");
        let level = match entry["level"].as_str().expect("level") {
            "F" => Level::Fatal,
            "E" => Level::Error,
            _ => Level::Warning,
        };
        let worst = findings
            .iter()
            .map(|finding| finding.level)
            .max()
            .unwrap_or(Level::Note);
        let has = findings
            .iter()
            .any(|finding| finding.code == code && finding.level == level);
        let single = level != Level::Fatal || findings.len() == 1;
        let opens = Hmap
            .import(&bytes, &path, &NoSiblings, &Progress::new())
            .is_ok();
        if !has || worst != level || !single || opens != (level < Level::Fatal) {
            let codes: Vec<&str> = findings.iter().map(|finding| finding.code).collect();
            wrong.push(format!(
                "{name}: wanted {code} at {level:?}, got {codes:?}, worst {worst:?}, opens {opens}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A bad `CMPL` of a file with source is dropped; nothing else is lost by it (D30).
#[test]
fn bad_compiled_data_is_dropped_and_the_source_opens() {
    let Some((folder, manifest)) = corpus() else {
        return;
    };
    for (name, entry) in manifest["faults"].as_object().expect("faults") {
        if entry["level"] != "E" || !name.starts_with("cmpl-") {
            continue;
        }
        let path = folder.join(entry["file"].as_str().expect("file"));
        let imported = import(&std::fs::read(&path).expect("sample"), &path);
        assert!(imported.compiled.is_none(), "{name}");
        assert!(imported.doc.object_count() >= 8, "{name}");
        let again = hmap::check(&save(&imported), &path);
        assert!(
            again.iter().all(|finding| finding.level < Level::Error),
            "{name}: {again:?}"
        );
    }
    let old = folder.join("faults/cmpx-old.hmap");
    let imported = import(&std::fs::read(&old).expect("sample"), &old);
    let compiled = imported.compiled.as_ref().expect("it is shown");
    assert!(compiled.source.is_none() && !compiled.is_current(&imported.doc));
    assert!(
        !has_chunk(&save(&imported), b"CMPL"),
        "an old CMPL is not written"
    );
}

fn chunks(bytes: &[u8]) -> Vec<([u8; 4], &[u8])> {
    let mut list = Vec::new();
    let mut rest = &bytes[12..];
    while let Some((head, tail)) = rest.split_first_chunk::<8>() {
        let size = u32::from_le_bytes(head[4..].try_into().expect("four")) as usize;
        list.push((head[..4].try_into().expect("four"), &tail[..size]));
        rest = &tail[size..];
    }
    list
}

fn has_chunk(bytes: &[u8], tag: &[u8; 4]) -> bool {
    chunks(bytes).iter().any(|(known, _)| known == tag)
}

#[test]
fn saving_what_was_loaded_gives_the_same_bytes() {
    let Some((folder, manifest)) = corpus() else {
        return;
    };
    for (name, entry) in manifest["valid"].as_object().expect("valid") {
        let path = folder.join(entry["file"].as_str().expect("file"));
        let bytes = std::fs::read(&path).expect("sample");
        let saved = save(&import(&bytes, &path));
        if !OTHER_ORDER.contains(&name.as_str()) {
            let tags = |bytes| {
                chunks(bytes)
                    .iter()
                    .map(|(tag, _)| String::from_utf8_lossy(tag).into_owned())
                    .collect::<Vec<_>>()
            };
            assert_eq!(tags(&saved), tags(&bytes), "{name}");
            for ((tag, now), (_, before)) in chunks(&saved).iter().zip(chunks(&bytes)) {
                assert_eq!(*now, before, "{name}: {}", String::from_utf8_lossy(tag));
            }
            assert_eq!(saved, bytes, "{name}");
        }
        let again = save(&import(&saved, &path));
        assert_eq!(again, saved, "{name}: saved twice");
    }
}

#[test]
fn unknown_and_extension_chunks_survive() {
    let Some((folder, _)) = corpus() else { return };
    let path = folder.join("valid/full-unknown.hmap");
    let bytes = std::fs::read(&path).expect("sample");
    let mut imported = import(&bytes, &path);
    let unknown = |bytes: &[u8]| -> Vec<([u8; 4], Vec<u8>, bool)> {
        let mut after = false;
        let mut list = Vec::new();
        for (tag, payload) in chunks(bytes) {
            after |= &tag == b"CMPL";
            if tag.iter().any(u8::is_ascii_lowercase) || !BASE.contains(&&tag) {
                list.push((tag, payload.to_vec(), after));
            }
        }
        list.retain(|(tag, ..)| !BASE.contains(&tag) && tag != b"CMPX");
        list
    };
    let before = unknown(&bytes);
    assert!(before.len() >= 4);
    assert_eq!(unknown(&save(&imported)), before);
    // The same after an edit.
    let mut draft = imported.doc.edit();
    draft.settings_mut().name = "Other".into();
    imported.doc = draft.finish().expect("fine");
    let saved = save(&imported);
    let without_side = |list: Vec<([u8; 4], Vec<u8>, bool)>| {
        list.into_iter()
            .map(|(tag, payload, _)| (tag, payload))
            .collect::<Vec<_>>()
    };
    assert_eq!(without_side(unknown(&saved)), without_side(before));
    assert!(
        !has_chunk(&saved, b"CMPL"),
        "an edited map has no compile any more"
    );

    let path = folder.join("valid/future-extension.hmap");
    let bytes = std::fs::read(&path).expect("sample");
    assert_eq!(save(&import(&bytes, &path)), bytes);
}

const BASE: [&[u8; 4]; 6] = [b"META", b"MATS", b"BRSH", b"MESH", b"ENTS", b"CMPL"];

#[test]
fn order_of_chunks_does_not_matter() {
    let Some((folder, _)) = corpus() else { return };
    let load = |name: &str| {
        let path = folder.join("valid").join(name);
        import(&std::fs::read(&path).expect("sample"), &path)
    };
    let (plain, reordered) = (load("full-source.hmap"), load("full-reordered.hmap"));
    assert!(plain.doc.equals(&reordered.doc));
    assert_eq!(plain.view, reordered.view);
    assert_eq!(save(&reordered), save(&plain));
}

/// The independent checker agrees with what is written.
#[test]
fn the_independent_checker_accepts_what_is_written() {
    let Some(tool) = checker() else { return };
    let Some((folder, manifest)) = corpus() else {
        return;
    };
    let out = tempfile::tempdir().expect("folder");
    let mut files = Vec::new();
    for (name, entry) in manifest["valid"].as_object().expect("valid") {
        let path = folder.join(entry["file"].as_str().expect("file"));
        let imported = import(&std::fs::read(&path).expect("sample"), &path);
        let saved = out.path().join(name).with_extension("hmap");
        std::fs::write(&saved, save(&imported)).expect("written");
        if name != "header-only" {
            let same = std::process::Command::new("python3")
                .arg(&tool)
                .arg("same")
                .arg(&path)
                .arg(&saved)
                .arg("--cmpl")
                .output()
                .expect("runs");
            assert!(
                same.status.success(),
                "{name}: {}",
                String::from_utf8_lossy(&same.stdout)
            );
        }
        files.push(saved);
    }
    let check = std::process::Command::new("python3")
        .arg(&tool)
        .args(["check", "--strict", "--quiet", "--points", "200"])
        .args(&files)
        .output()
        .expect("runs");
    assert!(
        check.status.success(),
        "{}",
        String::from_utf8_lossy(&check.stdout)
    );
}

#[test]
fn salvage_gets_what_is_readable() {
    let Some((folder, _)) = corpus() else { return };
    let load = |name: &str| {
        let path = folder.join("faults").join(name).with_extension("hmap");
        hmap::salvage(&std::fs::read(&path).expect("sample"), &path)
    };
    let kinds = |imported: &Imported| {
        let brushes = imported
            .doc
            .objects()
            .filter(|(_, object)| object.brush().is_some())
            .count();
        let entities = imported
            .doc
            .objects()
            .filter(|(_, object)| object.entity().is_some())
            .count();
        (brushes, entities, imported.doc.material_count())
    };
    // The room: six brushes, a light and a start, three materials.
    for (name, brushes, entities, materials) in [
        ("dup-chunk", 6, 2, 3),
        ("count-huge", 6, 2, 3),
        ("count-facecount", 0, 2, 3),
        ("string-huge", 6, 2, 3),
        ("truncated", 4, 0, 3),
        ("magic", 0, 0, 0),
        ("zero-bytes", 0, 0, 0),
    ] {
        let salvaged = load(name);
        assert_eq!(kinds(&salvaged), (brushes, entities, materials), "{name}");
        assert!(salvaged.compiled.is_none());
    }
}

#[test]
fn brushes_and_meshes_of_a_runtime_file_are_recovered() {
    let Some((folder, _)) = corpus() else { return };
    let load = |name: &str| {
        let path = folder.join("valid").join(name);
        import(&std::fs::read(&path).expect("sample"), &path)
    };
    let (runtime, full) = (load("full-compiled-only.hmap"), load("full-source.hmap"));
    let recovered = hmap::recover(runtime.compiled.as_ref().expect("compiled"), &runtime.doc);
    let mut compared = 0;
    for (id, object) in full.doc.objects() {
        let not_in_collision = ObjectFlags::NO_COMPILE | ObjectFlags::NO_COLLIDE;
        let brush = object
            .brush()
            .filter(|brush| brush.contents().0 != 0 && !object.flags.has(not_in_collision));
        let Some(brush) = brush else { continue };
        let found = recovered
            .object(id)
            .and_then(|object| object.brush())
            .unwrap_or_else(|| panic!("brush {id}"));
        assert_eq!(found.contents(), brush.contents());
        assert_eq!(recovered.owner(id), full.doc.owner(id));
        assert!((found.hull().volume() - brush.hull().volume()).abs() < 0.5);
        compared += usize::from(found.faces().iter().any(|face| face.material.is_some()));
    }
    assert!(
        compared >= 6,
        "faces of drawn brushes got their materials back: {compared}"
    );
    let polygons: usize = recovered
        .objects()
        .filter_map(|(_, object)| object.mesh())
        .map(|mesh| mesh.polygons.len())
        .sum();
    assert!(polygons > 10);
}

#[test]
fn runtime_files_hold_only_what_a_runtime_needs() {
    let Some((folder, _)) = corpus() else { return };
    for name in ["full-extended.hmap", "room-compiled.hmap"] {
        let path = folder.join("valid").join(name);
        let imported = import(&std::fs::read(&path).expect("sample"), &path);
        let compiled = imported.compiled.as_ref().expect("compiled");
        let bytes =
            hmap::write_runtime(&imported.doc, &imported.extras, compiled, &path).expect("saves");
        let tags: Vec<[u8; 4]> = chunks(&bytes).iter().map(|(tag, _)| *tag).collect();
        let source = [*b"BRSH", *b"MESH", *b"META", *b"LAYR", *b"VIEW"];
        assert!(!tags.iter().any(|tag| source.contains(tag)), "{name}");
        assert!(
            tags.starts_with(&[*b"MATS", *b"ENTS"]) && tags.contains(b"CMPL"),
            "{name}"
        );
        let findings = hmap::check(&bytes, &path);
        assert!(
            findings
                .iter()
                .all(|finding| ["W-NOMETA", "W-KEY"].contains(&finding.code)),
            "{name}: {findings:?}"
        );
        let again = import(&bytes, &path);
        assert_eq!(
            again.compiled.expect("compiled").cmpl,
            compiled.cmpl,
            "{name}"
        );
    }
}
