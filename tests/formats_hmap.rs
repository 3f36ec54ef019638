//! `.hmap` against the sample set of the format text: findings, contents, and saving what was loaded.

use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;

use mapwright::document::Document;
use mapwright::document::ObjectFlags;
use mapwright::document::ObjectId;
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

/// Every sample's content by its JSON, which an independent reader wrote.
#[test]
fn contents_are_those_of_the_expectations() {
    let Some((folder, manifest)) = corpus() else {
        return;
    };
    for (name, entry) in manifest["valid"].as_object().expect("valid") {
        let path = folder.join(entry["file"].as_str().expect("file"));
        let expected = std::fs::read(path.with_extension("json")).expect("expectation");
        let expected: Value = serde_json::from_slice(&expected).expect("JSON");
        let imported = import(&std::fs::read(&path).expect("sample"), &path);
        compare_source(name, &imported, &expected);
        compare_compiled(name, &imported, &expected);
    }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn id(value: &Value) -> ObjectId {
    ObjectId::new(value.as_u64().expect("an id") as u32).expect("not 0")
}

fn number(value: &Value) -> f32 {
    value.as_f64().expect("a number") as f32
}

fn numbers(value: &Value) -> Vec<f32> {
    value
        .as_array()
        .expect("numbers")
        .iter()
        .map(number)
        .collect()
}

fn owner(doc: &Document, id: ObjectId) -> u64 {
    doc.owner(id).map_or(0, |owner| u64::from(owner.get()))
}

fn compare_source(name: &str, imported: &Imported, expected: &Value) {
    let doc = &imported.doc;
    if let Some(meta) = expected.get("META") {
        assert_eq!(
            doc.settings().name,
            meta["name"].as_str().expect("name"),
            "{name}"
        );
        assert_eq!(
            doc.settings().ambient.to_array().to_vec(),
            numbers(&meta["ambient"]),
            "{name}"
        );
        assert_eq!(
            doc.settings().units_per_meter,
            number(&meta["unitsPerMeter"]),
            "{name}"
        );
        assert_eq!(imported.view.grid, number(&meta["gridSize"]), "{name}");
        assert_eq!(
            u64::from(doc.next_id()),
            meta["nextId"].as_u64().expect("nextId"),
            "{name}"
        );
    }
    assert_eq!(doc.material_count(), list(expected, "MATS").len(), "{name}");
    for ((_, material), expected) in doc.materials().zip(list(expected, "MATS")) {
        assert_eq!(material.name, expected["name"].as_str().expect("name"));
        assert_eq!(
            material.texture,
            expected["texture"].as_str().expect("texture")
        );
        assert_eq!(
            material.tile_size.to_array().to_vec(),
            numbers(&expected["tileSize"])
        );
        assert_eq!(
            material.color.to_array().to_vec(),
            numbers(&expected["color"])
        );
        assert_eq!(
            u64::from(material.flags.0),
            expected["flags"].as_u64().expect("flags")
        );
    }
    let mut count = 0;
    for expected in list(expected, "BRSH") {
        let object = doc.object(id(&expected["id"])).expect("brush");
        let brush = object.brush().expect("a brush");
        assert_eq!(
            owner(doc, id(&expected["id"])),
            expected["owner"].as_u64().expect("owner")
        );
        assert_eq!(
            u64::from(brush.contents().0),
            expected["contents"].as_u64().expect("contents")
        );
        assert_eq!(brush.faces().len(), list(expected, "faces").len());
        for (face, expected) in brush.faces().iter().zip(list(expected, "faces")) {
            let plane = face
                .plane
                .normal
                .as_vec3()
                .to_array()
                .into_iter()
                .chain([face.plane.dist as f32]);
            assert_eq!(plane.collect::<Vec<_>>(), numbers(&expected["plane"]));
            assert_eq!(
                face.material.map_or(-1, |id| i64::from(id.0)),
                expected["material"].as_i64().expect("material")
            );
            let uv = face.uv;
            assert_eq!(
                vec![
                    uv.offset.x,
                    uv.offset.y,
                    uv.scale.x,
                    uv.scale.y,
                    uv.rotation_deg
                ],
                numbers(&expected["uv"])
            );
            assert_eq!(
                u64::from(face.flags.0),
                expected["flags"].as_u64().expect("flags")
            );
        }
        count += 1;
    }
    for expected in list(expected, "MESH") {
        let mesh = doc
            .object(id(&expected["id"]))
            .expect("mesh")
            .mesh()
            .expect("a mesh");
        assert_eq!(
            owner(doc, id(&expected["id"])),
            expected["owner"].as_u64().expect("owner")
        );
        assert_eq!(mesh.name, expected["name"].as_str().expect("name"));
        let points: Vec<Vec<f32>> = mesh
            .points
            .iter()
            .map(|point| point.as_vec3().to_array().to_vec())
            .collect();
        assert_eq!(
            points,
            list(expected, "verts")
                .iter()
                .map(numbers)
                .collect::<Vec<_>>()
        );
        assert_eq!(mesh.polygons.len(), list(expected, "polys").len());
        for (polygon, expected) in mesh.polygons.iter().zip(list(expected, "polys")) {
            let corners: Vec<u64> = list(expected, "idx")
                .iter()
                .map(|index| index.as_u64().expect("index"))
                .collect();
            assert_eq!(
                polygon
                    .corners
                    .iter()
                    .map(|&corner| u64::from(corner))
                    .collect::<Vec<_>>(),
                corners
            );
            assert_eq!(
                u64::from(polygon.smooth),
                expected["smooth"].as_u64().expect("smooth")
            );
            let uvs: Vec<Vec<f32>> = polygon
                .uvs
                .iter()
                .map(|uv| uv.to_array().to_vec())
                .collect();
            assert_eq!(
                uvs,
                list(expected, "uv").iter().map(numbers).collect::<Vec<_>>()
            );
        }
        count += 1;
    }
    for expected in list(expected, "ENTS") {
        let entity = doc.entity(id(&expected["id"])).expect("entity");
        assert_eq!(entity.class, expected["classname"].as_str().expect("class"));
        assert_eq!(
            entity.origin.as_vec3().to_array().to_vec(),
            numbers(&expected["origin"])
        );
        assert_eq!(
            entity.angles_deg.as_vec3().to_array().to_vec(),
            numbers(&expected["angles"])
        );
        assert_eq!(
            entity.scale.as_vec3().to_array().to_vec(),
            numbers(&expected["scale"])
        );
        let keys: Vec<(&str, &str)> = list(expected, "kv")
            .iter()
            .map(|pair| {
                (
                    pair[0].as_str().expect("key"),
                    pair[1].as_str().expect("value"),
                )
            })
            .collect();
        assert_eq!(
            entity
                .keys
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str()))
                .collect::<Vec<_>>(),
            keys
        );
        count += 1;
    }
    let groups = list(&expected["LAYR"], "containers")
        .iter()
        .filter(|container| container["kind"] == 2)
        .count();
    assert_eq!(doc.object_count(), count + groups, "{name}");
    assert_eq!(
        doc.layers().count() + groups,
        list(&expected["LAYR"], "containers").len(),
        "{name}"
    );
    assert_eq!(
        doc.paths().count(),
        list(&expected["PATH"], "paths").len(),
        "{name}"
    );
    assert_eq!(
        imported.view.cameras.len(),
        list(&expected["VIEW"], "cameras").len(),
        "{name}"
    );
    assert_eq!(
        imported.extras.textures.len(),
        list(&expected["TEXS"], "textures").len(),
        "{name}"
    );
    let exact = doc
        .objects()
        .filter(|(_, object)| object.brush().is_some_and(|brush| brush.exact().is_some()))
        .count();
    assert_eq!(exact, list(&expected["BVTX"], "brushes").len(), "{name}");
    let faces = doc
        .objects()
        .filter_map(|(_, object)| object.brush())
        .flat_map(|brush| brush.faces());
    assert_eq!(
        faces.filter(|face| face.axes.is_some()).count(),
        list(&expected["UVAX"], "faces").len(),
        "{name}"
    );
}

fn compare_compiled(name: &str, imported: &Imported, expected: &Value) {
    let Some(expected_cmpl) = expected.get("CMPL") else {
        assert!(imported.compiled.is_none(), "{name}");
        return;
    };
    let compiled = imported.compiled.as_ref().expect("compiled");
    assert!(compiled.is_current(&imported.doc), "{name}");
    let cmpl = &compiled.cmpl;
    assert_eq!(cmpl.batches.len(), list(expected_cmpl, "batches").len());
    for (batch, expected) in cmpl.batches.iter().zip(list(expected_cmpl, "batches")) {
        assert_eq!(
            i64::from(batch.material),
            expected["material"].as_i64().expect("material")
        );
        assert_eq!(batch.vertices.len(), list(expected, "verts").len());
        assert_eq!(batch.indices.len(), list(expected, "idx").len());
    }
    let bsp = &expected_cmpl["bsp"];
    assert_eq!(cmpl.bsp.nodes.len(), list(bsp, "nodes").len());
    assert_eq!(cmpl.bsp.leaves.len(), list(bsp, "leaves").len());
    assert_eq!(
        u64::from(cmpl.bsp.depth),
        bsp["depth"].as_u64().expect("depth")
    );
    assert_eq!(cmpl.models.len(), list(expected_cmpl, "models").len());
    assert_eq!(cmpl.lights.len(), list(expected_cmpl, "lights").len());
    assert_eq!(
        compiled.lightmaps.is_some(),
        expected.get("LMAP").is_some(),
        "{name}"
    );
    assert_eq!(
        compiled.visibility.is_some(),
        expected.get("PVS ").is_some(),
        "{name}"
    );
}

/// The independent checker agrees with what is written.
#[test]
fn the_independent_checker_accepts_what_is_written() {
    let Some(shared) = shared() else { return };
    let tool = shared.join("tools/hmap_info.py");
    let python = std::process::Command::new("python3")
        .arg("--version")
        .output();
    if !tool.is_file() || python.is_err() {
        eprintln!("skipped: no checker or no python3");
        return;
    }
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
