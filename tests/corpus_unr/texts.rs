//! The same map as text and as package, through the whole importer.

use std::collections::BTreeMap;
use std::path::Path;

use glam::DVec3;
use mapwright::document::Brush;
use mapwright::document::Contents;
use mapwright::document::Kind;
use mapwright::formats::Imported;
use mapwright::formats::Importer as _;
use mapwright::formats::NoSiblings;
use mapwright::formats::unr::Unr;
use mapwright::task::Progress;

use crate::corpus;

fn import(folder: &Path, name: &str) -> Imported {
    let bytes = std::fs::read(folder.join(name)).expect("readable");
    let imported = Unr.import(&bytes, Path::new(name), &NoSiblings, &Progress::new());
    imported.unwrap_or_else(|error| panic!("{error}"))
}

/// How many entities of each class.
fn classes(imported: &Imported) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (_, object) in imported.doc.objects() {
        if let Kind::Entity(entity) = &object.kind {
            *counts.entry(entity.class.clone()).or_default() += 1;
        }
    }
    counts
}

/// How many solid brushes, and their volume together. Water comes from the zones of the BSP, which a text has not.
fn brushes(imported: &Imported) -> (usize, f64) {
    let mut found = (0, 0.0);
    for (_, object) in imported.doc.objects() {
        if let Kind::Brush(brush) = &object.kind
            && brush.contents().has(Contents::SOLID)
        {
            found.0 += 1;
            found.1 += brush.hull().volume();
        }
    }
    found
}

#[test]
fn entities_and_brushes_are_the_same() {
    let Some(folder) = corpus() else { return };
    let text = import(&folder, "t3d/RotationTest.t3d");
    let package = import(&folder, "RotationTest.dx");
    assert_eq!(classes(&text), classes(&package));
    let ((text_count, text_volume), (count, volume)) = (brushes(&text), brushes(&package));
    let share = text_volume / volume;
    assert!(
        (share - 1.0).abs() < 1e-6,
        "{text_count} of {text_volume}, {count} of {volume}"
    );
}

/// Directions all around.
fn directions() -> Vec<DVec3> {
    let axis = [-2.0, -1.0, 0.0, 1.0, 2.0];
    let all = axis.iter().flat_map(|&x| axis.iter().map(move |&y| (x, y)));
    let all = all.flat_map(|(x, y)| axis.iter().map(move |&z| DVec3::new(x, y, z + 0.1)));
    all.collect()
}

/// Does a ray get into a brush, whose faces all look away from what is inside?
fn hits(brush: &Brush, from: DVec3, direction: DVec3) -> bool {
    let (mut enter, mut leave) = (0.0_f64, f64::INFINITY);
    for face in brush.faces() {
        let distance = face.plane.distance(from);
        let speed = face.plane.normal.dot(direction);
        if speed < 0.0 {
            enter = enter.max(distance / -speed);
        } else if speed > 0.0 {
            leave = leave.min(distance / -speed);
        } else if distance > 0.0 {
            return false;
        }
    }
    enter < leave
}

/// A wall around everything is made by itself: no author has to put a cube about the map.
#[test]
fn texts_open_closed() {
    let Some(folder) = corpus() else { return };
    let imported = import(&folder, "t3d/checkers_test_map.t3d");
    assert_eq!(imported.report.version, "text");
    let kinds = || imported.doc.objects().map(|(_, object)| &object.kind);
    let brushes: Vec<&Brush> = kinds()
        .filter_map(|kind| match kind {
            Kind::Brush(brush) => Some(brush),
            _ => None,
        })
        .collect();
    let mut lights = 0;
    for kind in kinds() {
        let Kind::Entity(entity) = kind else { continue };
        if entity.class != "light" {
            continue;
        }
        lights += 1;
        for direction in directions() {
            let is_hit = brushes
                .iter()
                .any(|brush| hits(brush, entity.origin, direction));
            assert!(is_hit, "from {} along {direction}", entity.origin);
        }
    }
    assert_eq!(lights, 9);
}

#[test]
fn brushes_by_themselves_open() {
    let Some(folder) = corpus() else { return };
    let imported = import(&folder, "t3d/window1.t3d");
    let shapes = imported
        .doc
        .objects()
        .filter(|(_, object)| !matches!(object.kind, Kind::Entity(_)));
    assert!(shapes.count() > 0);
}
