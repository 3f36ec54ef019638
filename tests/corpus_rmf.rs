//! Every RMF map and prefab library of the corpus, compared with the counts of its index, and what the conversion must keep.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;
use std::time::Instant;

use glam::DVec3;
use mapwright::document::Document;
use mapwright::document::Object;
use mapwright::document::ObjectId;
use mapwright::formats::Imported;
use mapwright::formats::Importer as _;
use mapwright::formats::NoSiblings;
use mapwright::formats::Siblings;
use mapwright::formats::hmap;
use mapwright::formats::rmf::Rmf;
use mapwright::formats::rmf::raw::RawFace;
use mapwright::formats::rmf::raw::RawKind;
use mapwright::formats::rmf::read_map;
use mapwright::formats::rmf::source_counts;
use mapwright::task::Progress;
use serde_json::Value;

/// The corpus lies beside the repository; a run without it says so.
fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("MAPWRIGHT_CORPUS")
        .map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
            PathBuf::from,
        )
        .join("rmf");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: there is no corpus at {}", folder.display());
    None
}

fn import(path: &Path) -> Imported {
    import_with(path, &NoSiblings)
}

fn import_with(path: &Path, siblings: &dyn Siblings) -> Imported {
    let bytes = std::fs::read(path).expect("the index names files that exist");
    Rmf.import(&bytes, path, siblings, &Progress::new())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A row of the index: column names to cells.
type Row = BTreeMap<String, String>;

/// Rows of every table of the index that has a column `solids`.
fn index(folder: &Path) -> Vec<Row> {
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
            && columns.iter().any(|column| column == "solids")
        {
            rows.push(columns.iter().cloned().zip(cells).collect());
        }
    }
    rows
}

/// Index columns and the keys of `source_counts`.
const COUNTS: &[(&str, &str)] = &[
    ("solids", "solids"),
    ("world_solids", "world_solids"),
    ("faces", "faces"),
    ("vertices", "vertices"),
    ("point_entities", "point_entities"),
    ("brush_entities", "brush_entities"),
    ("groups", "groups"),
    ("visgroups", "visgroups"),
    ("visgroups_hidden", "visgroups_hidden"),
    ("paths", "paths"),
    ("path_nodes", "path_nodes"),
    ("cameras", "cameras"),
    ("depth", "max_depth"),
    ("textures", "textures"),
];

#[track_caller]
fn check_counts(name: &str, row: &Row, counts: &Value) {
    for (column, key) in COUNTS {
        assert_eq!(counts[key].to_string(), row[*column], "{key} of {name}");
    }
}

#[test]
fn counts_equal_the_index() {
    let Some(folder) = corpus() else { return };
    let mut checked = 0;
    let mut entries_seen: BTreeMap<String, usize> = BTreeMap::new();
    for row in index(&folder) {
        let cell = &row["file"];
        let (file, entry) = cell
            .split_once(" entry ")
            .map_or((cell.as_str(), None), |(file, entry)| (file, Some(entry)));
        let path = if row.contains_key("result") {
            folder.join("made").join(file)
        } else {
            folder.join(file)
        };
        let bytes = std::fs::read(&path).expect("the index names files that exist");
        let result = source_counts(&bytes, &path);
        checked += 1;
        if row.get("result").is_some_and(|result| result == "error") {
            // A cut file may open as far as it is whole.
            assert!(
                result.is_err() || file == "cut-22.rmf",
                "{file} must be refused"
            );
            continue;
        }
        let counts = result.unwrap_or_else(|error| panic!("{error}"));
        if entry.is_some() {
            let number = entries_seen.entry(file.to_owned()).or_default();
            check_counts(cell, &row, &counts[*number]);
            *number += 1;
        } else {
            check_counts(cell, &row, &counts);
            let map = read_map(&bytes, 0).expect("it has just been read");
            assert_eq!(map.version.to_string(), row["version"], "{file}");
            assert!(map.stopped.is_none(), "{file}");
        }
    }
    for (file, entries) in entries_seen {
        let path = folder.join(&file);
        let counts =
            source_counts(&std::fs::read(&path).expect("read before"), &path).expect("read before");
        assert_eq!(counts.as_array().map(Vec::len), Some(entries), "{file}");
    }
    assert!(checked >= 40, "the index lists {checked} files");
}

fn is_pivot(faces: &[RawFace<'_>]) -> bool {
    faces.iter().any(|face| {
        face.texture
            .bytes()
            .to_ascii_lowercase()
            .starts_with(b"origin")
    })
}

/// Counts faces: all of the file, those in the document, and those that warnings speak of.
#[test]
fn no_face_is_lost_without_a_warning() {
    let Some(folder) = corpus() else { return };
    for row in index(&folder) {
        let cell = &row["file"];
        if cell.contains(" entry ") || row.get("result").is_some_and(|result| result == "error") {
            continue;
        }
        let path = if row.contains_key("result") {
            folder.join("made").join(cell)
        } else {
            folder.join(cell)
        };
        let imported = import(&path);
        let kept: usize = imported
            .doc
            .objects()
            .map(|(_, object)| {
                object.brush().map_or(0, |brush| brush.faces().len())
                    + object.mesh().map_or(0, |mesh| mesh.polygons.len())
            })
            .sum();
        let faces: usize = row["faces"].parse().expect("a number");
        let counts = imported.report.counts();
        let bytes = std::fs::read(&path).expect("read before");
        let map = read_map(&bytes, 0).expect("read before");
        let pivots: usize = map
            .objects
            .iter()
            .map(|object| {
                if let RawKind::Solid(faces) = &object.kind {
                    faces
                } else {
                    &[][..]
                }
            })
            .filter(|faces| is_pivot(faces))
            .map(<[RawFace<'_>]>::len)
            .sum();
        assert_eq!(pivots > 0, counts.contains_key("I-ORIGIN-BRUSH"), "{cell}");
        assert_eq!(kept + pivots, faces, "{cell}: {counts:?}");
        for (id, object) in imported.doc.objects() {
            assert!(
                object.brush().is_none_or(|brush| brush.fault().is_none()),
                "{cell}: brush {id}"
            );
        }
        check_is_storable(cell, &imported.doc);
    }
}

/// Every number is one a file can hold, ids ascend in document order from 1, and no reference dangles.
#[track_caller]
fn check_is_storable(name: &str, doc: &Document) {
    let round = |v: DVec3| v.as_vec3().as_dvec3();
    let ids: Vec<u32> = doc
        .objects_in_order()
        .iter()
        .map(|(id, _)| id.get())
        .collect();
    assert!(ids.is_sorted(), "{name}");
    for (id, object) in doc.objects() {
        if let Some(parent) = object.parent {
            assert!(
                parent < id && doc.object(parent).is_some(),
                "{name}: parent of {id}"
            );
        }
        assert!(
            object
                .visgroups
                .iter()
                .all(|&layer| doc.layer(layer).is_some()),
            "{name}: visgroups of {id}"
        );
        if let Some(entity) = object.entity() {
            assert_eq!(
                (round(entity.origin), round(entity.angles_deg)),
                (entity.origin, entity.angles_deg),
                "{name}: entity {id}"
            );
            assert!(doc.owner(id).is_none(), "{name}: entity {id} in an entity");
        }
        if let Some(brush) = object.brush() {
            assert!(
                brush
                    .faces()
                    .iter()
                    .all(|face| face.plane == face.plane.rounded()),
                "{name}: brush {id}"
            );
        }
    }
}

/// Every picture has this size, so that pixels in the file's formula and in ours are the same.
struct Sized([u32; 2]);

impl Siblings for Sized {
    fn read(&self, _name: &str) -> Option<Vec<u8>> {
        None
    }

    fn texture_size(&self, _texture: &str, _wads: &[String]) -> Option<[u32; 2]> {
        Some(self.0)
    }
}

fn map_from_file(v: DVec3) -> DVec3 {
    DVec3::new(v.x, v.z, -v.y)
}

fn file_from_map(v: DVec3) -> DVec3 {
    DVec3::new(v.x, -v.z, v.y)
}

/// The file's own formula, in pixels: `rmf.md` 6.
fn pixels_by_the_file(face: &RawFace<'_>, p: DVec3) -> [f64; 2] {
    let axes = face.axes.expect("a 2.2 file");
    [0, 1].map(|axis| {
        p.dot(axes[axis].as_dvec3()) / f64::from(face.scale[axis]) + f64::from(face.shift[axis])
    })
}

#[test]
fn lodagond_keeps_textures_corners_and_sun() {
    let Some(folder) = corpus() else { return };
    let path = folder.join("lodagond-4.rmf");
    let bytes = std::fs::read(&path).expect("in the index");
    let map = read_map(&bytes, 0).expect("in the index");
    let size = [64, 128];
    let imported = import_with(&path, &Sized(size));
    let doc = &imported.doc;
    let counts = imported.report.counts();
    assert_eq!(counts.get("I-OFF-CONVEX"), Some(&12), "{counts:?}");
    assert!(
        doc.objects().all(|(_, object)| object.mesh().is_none()),
        "no solid becomes a mesh"
    );

    // Brushes come in the order of the file's solids; only pivots are left out.
    let solids = map
        .objects
        .iter()
        .filter_map(|object| {
            if let RawKind::Solid(faces) = &object.kind {
                Some(faces)
            } else {
                None
            }
        })
        .filter(|faces| !is_pivot(faces));
    let brushes: Vec<(ObjectId, &Object)> = doc
        .objects()
        .filter(|(_, object)| object.brush().is_some())
        .collect();
    assert_eq!(brushes.len(), solids.clone().count());
    let (mut with_axes, mut with_corners, mut worst) = (0, 0, 0.0f64);
    for ((id, object), faces) in brushes.into_iter().zip(solids) {
        let brush = object.brush().expect("filtered");
        with_corners += usize::from(brush.exact().is_some());
        for (index, (face, raw)) in brush.faces().iter().zip(faces).enumerate() {
            with_axes += usize::from(face.axes.is_some());
            let frame = face.frame(doc.tile_size(face.material));
            // Corners of the document, and those of the file where the brush has them (off convex, corners moved).
            let plane = face.plane.unit().expect("sound");
            let of_the_file = raw
                .vertices
                .iter()
                .map(|vertex| map_from_file(vertex.as_dvec3()));
            let of_the_file = of_the_file.filter(|corner| plane.distance(*corner).abs() <= 0.1);
            for corner in brush.hull().face_points(index).chain(of_the_file) {
                let wanted = pixels_by_the_file(raw, file_from_map(corner));
                let found = frame.at(corner);
                let off = (found.x * f64::from(size[0]) - wanted[0])
                    .abs()
                    .max((found.y * f64::from(size[1]) - wanted[1]).abs());
                worst = worst.max(off);
                assert!(off <= 0.001, "brush {id}: {off} pixels");
            }
        }
    }
    assert!(worst > 0.0, "a comparison took place");
    eprintln!(
        "lodagond-4: {with_axes} faces with exact axes, {with_corners} brushes with exact corners, worst {worst} pixels"
    );
    assert!(
        (20..=40).contains(&with_axes),
        "{with_axes} faces with exact axes"
    );
    assert!(
        (20..=40).contains(&with_corners),
        "{with_corners} brushes with exact corners"
    );

    let suns: Vec<&Object> = doc
        .objects()
        .map(|(_, object)| object)
        .filter(|object| {
            object
                .entity()
                .is_some_and(|entity| entity.class == "light_sun")
        })
        .collect();
    let forward = suns
        .first()
        .and_then(|sun| sun.entity())
        .expect("it has a sun")
        .forward();
    assert!(
        (forward - DVec3::new(0.324, -0.906, 0.272)).length() < 1e-3,
        "{forward}"
    );
}

/// The same solids in two versions look the same: one has axes, the other a rotation.
#[test]
fn versions_give_equal_texture_coordinates() {
    let Some(folder) = corpus() else { return };
    for (old, new) in [
        ("cube-16.rmf", "cube-22.rmf"),
        ("made/turned-18.rmf", "made/turned-22.rmf"),
        ("v16.rmf", "v22.rmf"),
        ("v08.rmf", "v22.rmf"),
    ] {
        let [old_doc, new_doc] = [old, new].map(|file| import(&folder.join(file)).doc);
        let brushes = |doc: &Document| -> Vec<_> {
            doc.objects()
                .filter_map(|(_, object)| object.brush().cloned())
                .collect()
        };
        let (old_brushes, new_brushes) = (brushes(&old_doc), brushes(&new_doc));
        assert!(
            !new_brushes.is_empty() && old_brushes.len() == new_brushes.len(),
            "{old}"
        );
        for (a, b) in old_brushes.iter().zip(&new_brushes) {
            for (index, (face_a, face_b)) in a.faces().iter().zip(b.faces()).enumerate() {
                let frames = (
                    face_a.frame(old_doc.tile_size(face_a.material)),
                    face_b.frame(new_doc.tile_size(face_b.material)),
                );
                for corner in b.hull().face_points(index) {
                    let off = (frames.0.at(corner) - frames.1.at(corner))
                        .abs()
                        .max_element()
                        * 64.0;
                    assert!(off < 0.01, "{old}, face {index}: {off} pixels");
                }
            }
        }
    }
}

#[test]
fn one_document_in_six_versions_is_one_document() {
    let Some(folder) = corpus() else { return };
    let newest = import(&folder.join("v22.rmf"));
    for file in ["v08.rmf", "v09.rmf", "v14.rmf", "v16.rmf", "v18.rmf"] {
        let older = import(&folder.join(file));
        let layers = |imported: &Imported| -> Vec<String> {
            let mut names: Vec<String> = imported
                .doc
                .layers()
                .map(|(_, layer)| layer.name.clone())
                .collect();
            names.sort();
            names
        };
        assert_eq!(layers(&older), layers(&newest), "{file}");
        let kinds = |imported: &Imported| -> [usize; 3] {
            let count = |is: fn(&Object) -> bool| {
                imported
                    .doc
                    .objects()
                    .filter(|(_, object)| is(object))
                    .count()
            };
            [
                count(|object| object.brush().is_some()),
                count(|object| object.entity().is_some()),
                count(|object| object.group().is_some()),
            ]
        };
        assert_eq!(kinds(&older), kinds(&newest), "{file}");
        assert_eq!(older.doc.bounds(), newest.doc.bounds(), "{file}");
        assert!(
            older.view.hidden_layers.is_empty(),
            "{file}: the visible byte means nothing in old files"
        );
    }
}

#[test]
fn made_files_show_what_they_are_for() {
    let Some(folder) = corpus() else { return };
    let refused = |file: &str| {
        let path = folder.join("made").join(file);
        let bytes = std::fs::read(&path).expect("in the index");
        let error = Rmf
            .import(&bytes, &path, &NoSiblings, &Progress::new())
            .err()
            .expect("must be refused");
        (error.code(), error.to_string())
    };
    let (code, text) = refused("ver-37.rmf");
    assert_eq!(code, "F-VERSION");
    assert!(
        text.contains("RMF 3.7 is not supported") && text.contains("version, byte 0x0"),
        "{text}"
    );
    let (code, text) = refused("count-22.rmf");
    assert_eq!(code, "F-COUNT");
    assert!(
        text.contains("RMF 2.2")
            && text.contains("2147483647")
            && text.contains("object count, byte 0x1d"),
        "{text}"
    );

    let cut = import(&folder.join("made/cut-22.rmf"));
    assert_eq!(cut.report.counts().get("I-CUT-SHORT"), Some(&1));
    assert_eq!(
        cut.report.source_counts["solids"], 6,
        "what came before the cut is whole"
    );
    let tail = import(&folder.join("made/tail-22.rmf"));
    assert_eq!(tail.report.counts().get("I-TRAILING-BYTES"), Some(&1));

    let edges = import(&folder.join("made/edges-22.rmf"));
    let text = edges
        .doc
        .objects()
        .filter_map(|(_, object)| object.entity())
        .find(|entity| entity.class == "game_text")
        .expect("in the file");
    assert_eq!(text.key("message").map(str::len), Some(128));
    assert_eq!(text.key("long").map(str::len), Some(254));
    assert_eq!(
        (text.key("netname"), text.key("targetname")),
        (Some(""), Some("caf\u{e9} \u{201c}quoted\u{201d}"))
    );
    assert_eq!(text.origin, DVec3::new(1.5, 3.125, 2.25));
    let world = edges.doc.worldspawn().expect("the root's");
    assert_eq!(world.1.origin, DVec3::ZERO, "not the pasted one");
    for code in [
        "I-DUPLICATE-KEY",
        "I-EMPTY-BRUSH-ENTITY",
        "I-EMPTY-SOLID",
        "I-DROPPED-FACE-FLAGS",
        "I-VISGROUP",
    ] {
        assert_eq!(edges.report.counts().get(code), Some(&1), "{code}");
    }

    let deep = import(&folder.join("made/deep-400.rmf"));
    let (brush, _) = deep
        .doc
        .objects()
        .find(|(_, object)| object.brush().is_some())
        .expect("one box");
    assert_eq!(deep.doc.ancestors(brush).count(), 400);
}

#[test]
fn parts_keep_angles_pivots_paths_and_cameras() {
    let Some(folder) = corpus() else { return };
    for version in ["08", "09", "14", "16", "18", "22"] {
        let imported = import(&folder.join(format!("made/parts-{version}.rmf")));
        let entity = |class: &str| {
            let found = imported
                .doc
                .objects()
                .find(|(_, object)| object.entity().is_some_and(|entity| entity.class == class));
            found.unwrap_or_else(|| panic!("{class} in {version}"))
        };
        let (door, object) = entity("func_door");
        assert_eq!(
            object.entity().map(|entity| entity.angles_deg),
            Some(DVec3::ZERO),
            "angle word 90 in {version}"
        );
        assert_eq!(
            object.entity().and_then(|entity| entity.key("spawnflags")),
            Some("32")
        );
        assert_eq!(imported.doc.children(Some(door)).count(), 1);
        // A group inside a brush entity, and a pivot.
        let (train, object) = entity("func_train");
        assert_eq!(
            object.entity().map(|entity| entity.origin),
            Some(DVec3::new(216.0, 16.0, -16.0)),
            "{version}"
        );
        let inside: Vec<ObjectId> = imported.doc.children(Some(train)).collect();
        assert!(
            inside.len() == 1
                && imported
                    .doc
                    .object(inside[0])
                    .is_some_and(|object| object.group().is_some()),
            "{version}"
        );
        assert_eq!(
            entity("info_player_start")
                .1
                .entity()
                .map(|entity| entity.angles_deg.y),
            Some(90.0),
            "angle word 180 in {version}"
        );
        // Hidden by its group's visgroup.
        let hidden = imported
            .doc
            .objects()
            .filter(|(id, object)| {
                object.brush().is_some() && imported.view.is_hidden(&imported.doc, *id)
            })
            .count();
        let is_new = version > "10";
        assert_eq!(hidden, if is_new { 2 } else { 0 }, "{version}");
        assert_eq!(
            imported.doc.paths().count(),
            if is_new { 3 } else { 0 },
            "{version}"
        );
        assert_eq!(
            (imported.view.cameras.len(), imported.view.active_camera),
            if is_new { (2, Some(1)) } else { (0, None) },
            "{version}"
        );
    }
}

#[test]
fn libraries_open_side_by_side() {
    let Some(folder) = corpus() else { return };
    for (file, names) in [
        ("boxes.ol", &["box1", "box2"][..]),
        ("multi_version.ol", &["1.5b", "2.1", "3.3"]),
    ] {
        let imported = import(&folder.join(file));
        let groups: Vec<(ObjectId, &Object)> = imported
            .doc
            .objects()
            .filter(|(_, object)| object.group().is_some() && object.parent.is_none())
            .collect();
        let found: Vec<&str> = groups
            .iter()
            .filter_map(|(_, object)| object.group())
            .map(|group| group.name.as_str())
            .collect();
        assert_eq!(found, names, "{file}");
        let bounds: Vec<_> = groups
            .iter()
            .map(|(id, _)| {
                imported
                    .doc
                    .subtree(*id)
                    .iter()
                    .filter_map(|&id| imported.doc.object(id))
                    .map(Object::bounds)
                    .reduce(|a, b| a.union(b))
                    .expect("not empty")
            })
            .collect();
        for pair in bounds.windows(2) {
            assert_eq!(pair[1].min.x - pair[0].max.x, 64.0, "{file}");
        }
    }
}

/// Everything the importer makes can be stored: the map and its view come back equal, without a finding.
#[test]
fn saved_and_loaded_maps_are_equal() {
    let Some(folder) = corpus() else { return };
    for file in [
        "lodagond-4.rmf",
        "phlames.rmf",
        "fyrefall_test.rmf",
        "macro_cover.rmf",
        "boxes.ol",
        "made/deep-400.rmf",
        "made/parts-22.rmf",
        "made/parts-08.rmf",
    ] {
        let imported = import(&folder.join(file));
        let path = Path::new("saved.hmap");
        let bytes = hmap::write(&imported.doc, &imported.view, &imported.extras, None, path)
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        let loaded = hmap::Hmap
            .import(&bytes, path, &NoSiblings, &Progress::new())
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(loaded.doc.equals(&imported.doc), "{file}");
        assert_eq!(loaded.view, imported.view, "{file}");
        assert_eq!(loaded.extras.origin, imported.extras.origin, "{file}");
        assert!(
            loaded.report.warnings.is_empty(),
            "{file}: {:?}",
            loaded.report.counts()
        );
    }
}

/// Generous bounds for an unoptimised build on a busy machine; the benchmarks hold the real ones.
#[test]
fn the_largest_map_opens_in_time() {
    let Some(folder) = corpus() else { return };
    let path = folder.join("lodagond-4.rmf");
    let bytes = std::fs::read(&path).expect("in the index");
    let start = Instant::now();
    source_counts(&bytes, &path).expect("in the index");
    let counted = start.elapsed();
    let start = Instant::now();
    let imported = Rmf.import(&bytes, &path, &NoSiblings, &Progress::new());
    let opened = start.elapsed();
    assert!(imported.is_ok());
    eprintln!("lodagond-4: counts {counted:?}, import {opened:?}");
    assert!(counted < Duration::from_secs(2), "{counted:?}");
    assert!(opened < Duration::from_secs(5), "{opened:?}");
}
