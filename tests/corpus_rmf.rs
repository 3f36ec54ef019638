//! Every RMF map and prefab library of the corpus, compared with the counts of its index, and what the conversion must keep.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::time::Instant;

use glam::DVec3;
use mapwright::document::Document;
use mapwright::document::Object;
use mapwright::document::ObjectId;
use mapwright::formats::Imported;
use mapwright::formats::Importer as _;
use mapwright::formats::NoSiblings;
use mapwright::formats::Siblings;
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
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"), PathBuf::from)
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
    Rmf.import(&bytes, path, siblings, &Progress::new()).unwrap_or_else(|error| panic!("{error}"))
}

/// A row of the index: column names to cells.
type Row = BTreeMap<String, String>;

/// Rows of every table of the index that has a column `solids`.
fn index(folder: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(folder.join("README.md")).expect("the corpus has an index");
    let mut rows = Vec::new();
    let mut columns: Vec<String> = Vec::new();
    for line in text.lines() {
        let cells: Vec<String> = line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        if cells[0] == "file" {
            columns = cells;
        } else if line.starts_with('|') && !cells[0].starts_with("---") && columns.iter().any(|column| column == "solids") {
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
        let (file, entry) = cell.split_once(" entry ").map_or((cell.as_str(), None), |(file, entry)| (file, Some(entry)));
        let path = if row.contains_key("result") { folder.join("made").join(file) } else { folder.join(file) };
        let bytes = std::fs::read(&path).expect("the index names files that exist");
        let result = source_counts(&bytes, &path);
        checked += 1;
        if row.get("result").is_some_and(|result| result == "error") {
            // A cut file may open as far as it is whole.
            assert!(result.is_err() || file == "cut-22.rmf", "{file} must be refused");
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
        let counts = source_counts(&std::fs::read(&path).expect("read before"), &path).expect("read before");
        assert_eq!(counts.as_array().map(Vec::len), Some(entries), "{file}");
    }
    assert!(checked >= 40, "the index lists {checked} files");
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
        let path = if row.contains_key("result") { folder.join("made").join(cell) } else { folder.join(cell) };
        let imported = import(&path);
        let kept: usize = imported
            .doc
            .objects()
            .map(|(_, object)| object.brush().map_or(0, |brush| brush.faces().len()) + object.mesh().map_or(0, |mesh| mesh.polygons.len()))
            .sum();
        let faces: usize = row["faces"].parse().expect("a number");
        let counts = imported.report.counts();
        let excused = ["I-DEGENERATE-FACE", "I-ORIGIN-BRUSH", "I-EMPTY-SOLID", "I-NOT-FINITE"].iter().any(|code| counts.contains_key(code));
        assert!(kept == faces || excused, "{cell}: {kept} of {faces} faces, {counts:?}");
        for (id, object) in imported.doc.objects() {
            assert!(object.brush().is_none_or(|brush| brush.fault().is_none()), "{cell}: brush {id}");
        }
        check_is_storable(cell, &imported.doc);
    }
}

/// Every number is one a file can hold, ids ascend in document order from 1, and no reference dangles.
#[track_caller]
fn check_is_storable(name: &str, doc: &Document) {
    let round = |v: DVec3| v.as_vec3().as_dvec3();
    let ids: Vec<u32> = doc.objects_in_order().iter().map(|(id, _)| id.get()).collect();
    assert!(ids.is_sorted(), "{name}");
    for (id, object) in doc.objects() {
        if let Some(parent) = object.parent {
            assert!(parent < id && doc.object(parent).is_some(), "{name}: parent of {id}");
        }
        assert!(object.visgroups.iter().all(|&layer| doc.layer(layer).is_some()), "{name}: visgroups of {id}");
        if let Some(entity) = object.entity() {
            assert_eq!((round(entity.origin), round(entity.angles_deg)), (entity.origin, entity.angles_deg), "{name}: entity {id}");
            assert!(doc.owner(id).is_none(), "{name}: entity {id} in an entity");
        }
        if let Some(brush) = object.brush() {
            assert!(brush.faces().iter().all(|face| face.plane == face.plane.rounded()), "{name}: brush {id}");
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

/// The file's own formula, in pixels: `rmf.md` 6.
fn pixels_by_the_file(face: &RawFace<'_>, p: DVec3) -> [f64; 2] {
    let axes = face.axes.expect("a 2.2 file");
    [0, 1].map(|axis| p.dot(axes[axis].as_dvec3()) / f64::from(face.scale[axis]) + f64::from(face.shift[axis]))
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
    assert!(doc.objects().all(|(_, object)| object.mesh().is_none()), "no solid becomes a mesh");

    // Brushes come in the order of the file's solids; none is left out here.
    let solids = map.objects.iter().filter_map(|object| if let RawKind::Solid(faces) = &object.kind { Some(faces) } else { None });
    let brushes: Vec<(ObjectId, &Object)> = doc.objects().filter(|(_, object)| object.brush().is_some()).collect();
    assert_eq!(brushes.len(), solids.clone().count());
    let (mut with_axes, mut with_corners, mut worst) = (0, 0, 0.0f64);
    for ((id, object), faces) in brushes.into_iter().zip(solids) {
        let brush = object.brush().expect("filtered");
        with_corners += usize::from(brush.exact().is_some());
        for (face, raw) in brush.faces().iter().zip(faces) {
            with_axes += usize::from(face.axes.is_some());
            let frame = face.frame(doc.tile_size(face.material));
            for vertex in &raw.vertices {
                let wanted = pixels_by_the_file(raw, vertex.as_dvec3());
                let in_map = DVec3::new(f64::from(vertex.x), f64::from(vertex.z), -f64::from(vertex.y));
                // The stored corner on the brush's own plane: where a brush was off convex its corner moved.
                let plane = face.plane.unit().expect("sound");
                let moved = plane.distance(in_map).abs();
                if moved > 0.1 {
                    continue;
                }
                let found = frame.at(in_map);
                let off = (found.x * f64::from(size[0]) - wanted[0]).abs().max((found.y * f64::from(size[1]) - wanted[1]).abs());
                worst = worst.max(off);
                assert!(off <= 0.0015, "brush {id}: {off} pixels");
            }
        }
    }
    assert!(worst > 0.0, "a comparison took place");
    eprintln!("lodagond-4: {with_axes} faces with exact axes, {with_corners} brushes with exact corners, worst {worst} pixels");
    assert!((20..=40).contains(&with_axes), "{with_axes} faces with exact axes");
    assert!((20..=40).contains(&with_corners), "{with_corners} brushes with exact corners");

    let suns: Vec<&Object> = doc.objects().map(|(_, object)| object).filter(|object| object.entity().is_some_and(|entity| entity.class == "light_sun")).collect();
    let forward = suns.first().and_then(|sun| sun.entity()).expect("it has a sun").forward();
    assert!((forward - DVec3::new(0.324, -0.906, 0.272)).length() < 1e-3, "{forward}");
}

#[test]
fn time_report() {
    let Some(folder) = corpus() else { return };
    let path = folder.join("lodagond-4.rmf");
    let bytes = std::fs::read(&path).expect("in the index");
    let start = Instant::now();
    source_counts(&bytes, &path).expect("in the index");
    let counted = start.elapsed();
    let start = Instant::now();
    Rmf.import(&bytes, &path, &NoSiblings, &Progress::new()).unwrap_or_else(|error| panic!("{error}"));
    eprintln!("lodagond-4: counts {counted:?}, import {:?}", start.elapsed());
}
